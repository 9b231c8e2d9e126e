//! A bound in one line, read and written.
//!
//! `red 3 pips 4 moved A+B 1, C road 0` is red's bound, the third of the game, with a PIP die of 4; a group
//! moved for 1 PIP and C by road for none. Invariant: what is written is read back to the same bound.

use super::cursor::Cursor;
use super::moves::names;
use super::{NotationError, end, quoted};
use crate::rules::Side;
use crate::rules::bound::{Bound, Done, How, Phase};

const SIDES: [(&str, Side); 2] = [("red", Side::Red), ("blue", Side::Blue)];

const PHASES: [(&str, Phase); 4] = [
    ("die", Phase::PipDie),
    ("moves", Phase::Moves),
    ("shooting", Phase::Shooting),
    ("combat", Phase::Combat),
];

const HOWS: [(&str, How); 2] = [("road", How::Road), ("dismount", How::Dismount)];

/// Reads a bound: its side, its number, and what is known of it.
///
/// # Errors
/// The first mistake, with its column and what was expected.
pub fn read_bound(text: &str) -> Result<Bound, NotationError> {
    let text = crate::text::without_mark(text);
    let chars: Vec<char> = text.chars().collect();
    let mut cursor = Cursor { chars: &chars, at: 0, line: 1 };
    cursor.skip_spaces();
    let side = cursor.one_of(&SIDES, "whose bound it is, `red` or `blue`")?;
    cursor.skip_spaces();
    let number = whole(&mut cursor, "the bound's number, counted over both sides from 1", 1, 999)?;
    let mut bound = Bound::new(number, side);
    loop {
        cursor.skip_spaces();
        let from = cursor.at;
        match cursor.rest_of_word().as_str() {
            "" => return Ok(bound),
            "pips" if bound.pips.is_none() => {
                cursor.take("pips");
                cursor.skip_spaces();
                let pips = whole(&mut cursor, "the score of the PIP die, 1 to 6", 1, 6)?;
                bound.pips = u8::try_from(pips).ok();
            }
            "phase" => {
                cursor.take("phase");
                cursor.skip_spaces();
                bound.phase = cursor.one_of(&PHASES, "`die`, `moves`, `shooting` or `combat`")?;
            }
            "lost" => {
                cursor.take("lost");
                cursor.skip_spaces();
                bound.generals_lost.push(cursor.one_of(&SIDES, "whose general is lost, `red` or `blue`")?);
            }
            "moved" if bound.done.is_empty() => {
                cursor.take("moved");
                moved(&mut cursor, &mut bound)?;
            }
            _ => {
                cursor.at = from;
                end(&mut cursor).map_err(|_| {
                    cursor.wrong("`pips`, `phase`, `lost` or `moved`, each once, or the end of the line")
                })?;
            }
        }
    }
}

/// `A+B 1, C road 0`
fn moved(cursor: &mut Cursor<'_>, bound: &mut Bound) -> Result<(), NotationError> {
    loop {
        cursor.skip_spaces();
        let (movers, _) = names(cursor)?;
        cursor.skip_spaces();
        let known = HOWS.iter().find(|(word, _)| cursor.word_is(word));
        let how = match known {
            Some((word, how)) => {
                cursor.take(word);
                *how
            }
            None => How::Field,
        };
        cursor.skip_spaces();
        let pips = whole(cursor, "what the move cost, in PIPs", 0, 99)?;
        bound.done.push(Done { movers, how, pips: u8::try_from(pips).unwrap_or(u8::MAX) });
        if !cursor.take(",") {
            return Ok(());
        }
    }
}

/// A whole number from `least` to `most`.
fn whole(cursor: &mut Cursor<'_>, expected: &str, least: u32, most: u32) -> Result<u32, NotationError> {
    let from = cursor.at;
    let digits: String = cursor.chars[from..].iter().take_while(|c| c.is_ascii_digit()).collect();
    cursor.at += digits.len();
    match digits.parse::<u32>() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => {
            cursor.at = from;
            Err(cursor.wrong(expected))
        }
    }
}

/// Writes a bound.
pub fn write_bound(bound: &Bound) -> String {
    let mut text = format!("{} {}", bound.side.word(), bound.number);
    if let Some(pips) = bound.pips {
        text.push_str(&format!(" pips {pips}"));
    }
    if let Some((word, _)) = PHASES.iter().find(|(_, phase)| *phase == bound.phase)
        && bound.phase != Phase::default()
    {
        text.push_str(&format!(" phase {word}"));
    }
    for lost in &bound.generals_lost {
        text.push_str(&format!(" lost {}", lost.word()));
    }
    let done: Vec<String> = bound
        .done
        .iter()
        .map(|done| {
            let who = done.movers.iter().map(|name| quoted(name)).collect::<Vec<_>>().join("+");
            let how =
                HOWS.iter().find(|(_, how)| *how == done.how).map_or(String::new(), |(w, _)| format!("{w} "));
            format!("{who} {how}{}", done.pips)
        })
        .collect();
    if !done.is_empty() {
        text.push_str(&format!(" moved {}", done.join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for text in [
            "red 3",
            "blue 2 pips 6",
            "red 7 pips 4 phase combat lost red moved A+B 1, C road 0, \"Hold on\" dismount 2",
        ] {
            let bound = read_bound(text).expect("a bound");
            assert_eq!(write_bound(&bound), text);
        }
        let bound = read_bound("red 3 pips 4 moved A+B 1, C road 0").expect("a bound");
        assert_eq!((bound.spent(), bound.done[1].how, bound.pips), (1, How::Road, Some(4)));
    }

    #[test]
    fn mistakes_say_what_would_do() {
        let said = |text: &str| read_bound(text).expect_err("a mistake").to_string();
        assert!(said("green 1").contains("`red` or `blue`"));
        assert!(said("red").contains("from 1"));
        assert!(said("red 0").contains("from 1"));
        assert!(said("red 1 pips 7").contains("1 to 6"));
        assert!(said("red 1 pips 4 pips 4").contains("each once"));
        assert!(said("red 1 moved A").contains("in PIPs"));
        assert!(said("red 1 moved A 1 and").contains("`moved`"));
    }
}
