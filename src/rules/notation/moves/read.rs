//! Reading moves.

use super::{Form, Hand, MoveLine, Party, Place, Step};
use crate::geometry::Vector;
use crate::rules::notation::cursor::{Cursor, pieces};
use crate::rules::notation::{NotationError, PlaceIn, end, heading, place};
use crate::rules::ruleset::Ruleset;
use crate::units::Scale;

/// Reads one move.
///
/// # Errors
/// The first mistake, with its column and what was expected.
pub fn read_move(text: &str, ruleset: &Ruleset, scale: Scale) -> Result<MoveLine, NotationError> {
    let chars: Vec<char> = text.chars().collect();
    let mut cursor = Cursor { chars: &chars, at: 0, line: 1 };
    line(&mut cursor, ruleset, scale)
}

/// Reads moves, one a line or parted by `;`. `#` begins a comment.
///
/// # Errors
/// Every mistake, each with line, column and what was expected. One move gives one mistake.
pub fn read_moves(text: &str, ruleset: &Ruleset, scale: Scale) -> Result<Vec<MoveLine>, Vec<NotationError>> {
    let text = crate::text::without_mark(text);
    let (mut moves, mut errors) = (Vec::new(), Vec::new());
    for (number, text) in text.lines().enumerate() {
        let chars: Vec<char> = text.chars().collect();
        for (from, to) in pieces(&chars) {
            let mut cursor = Cursor { chars: &chars[..to], at: from, line: number + 1 };
            cursor.skip_spaces();
            if cursor.at >= to {
                continue;
            }
            match line(&mut cursor, ruleset, scale) {
                Ok(found) => moves.push(found),
                Err(error) => errors.push(error),
            }
        }
    }
    if errors.is_empty() { Ok(moves) } else { Err(errors) }
}

fn line(cursor: &mut Cursor<'_>, ruleset: &Ruleset, scale: Scale) -> Result<MoveLine, NotationError> {
    let at = {
        cursor.skip_spaces();
        cursor.at
    };
    let (names, in_file) = names(cursor)?;
    cursor.skip_spaces();
    let mut form = if in_file { Form::File } else { Form::Body };
    if cursor.word_is("column") {
        if names.len() < 2 {
            return Err(cursor.wrong("a step; a column needs two elements, as in `A,B column ahead 2`"));
        }
        if !in_file {
            cursor.at = at;
            return Err(cursor.wrong("commas in place of `+`: a column has an order, its leader first"));
        }
        cursor.take("column");
        form = Form::IntoFile;
    } else if cursor.word_is("road") {
        if names.len() > 1 && !in_file {
            cursor.at = at;
            return Err(cursor.wrong("commas in place of `+`: by road they go in column, its leader first"));
        }
        cursor.take("road");
        form = Form::Road;
    } else if cursor.word_is("dismount") {
        cursor.take("dismount");
        cursor.skip_spaces();
        let code = cursor.rest_of_word();
        let Some(troop) = ruleset.troop(&code) else {
            return Err(cursor.wrong("the troop code that it becomes, such as `4Bd`"));
        };
        cursor.at += code.chars().count();
        cursor.skip_spaces();
        let depth = if cursor.take("d") {
            cursor.length(scale, "the depth, such as `d0.5` or `d15mm`")?
        } else {
            troop.listed_depth_mm(scale)
        };
        end(cursor)?;
        let (steps, others, conforming) = (Vec::new(), Vec::new(), Vec::new());
        return Ok(MoveLine { names, form: Form::Dismount(code, depth), steps, others, conforming });
    }
    if let Some((word, sort)) = DOORS.iter().find(|(word, _)| cursor.word_is(word)) {
        if names.len() > 1 && !(in_file && *sort == Door::Through) {
            cursor.at = at;
            let through = "one name; one element goes in or comes out, and a column, `A,B`, marches through";
            return Err(cursor.wrong(through));
        }
        cursor.take(word);
        form = door(cursor, *sort)?;
        cursor.skip_spaces();
        if *sort == Door::Through {
            end(cursor)?;
            let (steps, others, conforming) = (Vec::new(), Vec::new(), Vec::new());
            return Ok(MoveLine { names, form, steps, others, conforming });
        }
    }
    cursor.skip_spaces();
    // `A,B road 2` is short for `A,B road ahead 2`.
    let short = form == Form::Road && cursor.peek().is_some_and(|c| c.is_ascii_digit() || c == '.');
    let steps =
        if short { vec![Step::Ahead(cursor.length(scale, "a distance")?)] } else { steps(cursor, scale)? };
    let mut others = Vec::new();
    while mark(cursor, '/') {
        let from = cursor.at;
        others.push(self::steps(cursor, scale)?);
        if others.len() >= names.len() {
            cursor.at = from;
            return Err(cursor.wrong("the end: there are as many ways as elements"));
        }
    }
    if !others.is_empty() && others.len() + 1 < names.len() {
        return Err(
            cursor.wrong("`/` and the way of the next element, for every element or for none but the first")
        );
    }
    let mut conforming = Vec::new();
    while mark(cursor, '|') {
        let (names, _) = self::names(cursor)?;
        cursor.skip_spaces();
        conforming.push(Party { names, steps: self::steps(cursor, scale)? });
    }
    end(cursor)?;
    Ok(MoveLine { names, form, steps, others, conforming })
}

#[derive(Clone, Copy, PartialEq)]
enum Door {
    Enters,
    Leaves,
    Through,
}

const DOORS: [(&str, Door); 3] =
    [("enters", Door::Enters), ("leaves", Door::Leaves), ("through", Door::Through)];

/// `Ur`, or `Ur gate 2`; without a number the first gate.
fn door(cursor: &mut Cursor<'_>, sort: Door) -> Result<Form, NotationError> {
    cursor.skip_spaces();
    let place = cursor.name()?;
    cursor.skip_spaces();
    let mut gate = 1;
    if sort != Door::Enters && cursor.word_is("gate") {
        cursor.take("gate");
        cursor.skip_spaces();
        let digits = cursor.rest_of_word();
        gate = match digits.parse::<usize>() {
            Ok(number) if (1..=9).contains(&number) => number,
            _ => return Err(cursor.wrong("which gate, a number from 1")),
        };
        cursor.at += digits.chars().count();
    }
    Ok(match sort {
        Door::Enters => Form::Enters(place),
        Door::Leaves => Form::Leaves(place, gate),
        Door::Through => Form::Through(place, gate),
    })
}

/// Takes a sign that stands between parts, with the spaces around it.
fn mark(cursor: &mut Cursor<'_>, sign: char) -> bool {
    cursor.skip_spaces();
    let there = cursor.peek() == Some(sign);
    if there {
        cursor.at += 1;
        cursor.skip_spaces();
    }
    there
}

/// `A`, `A+B`, or `A,B`: the names, and whether they are in order.
pub(in crate::rules::notation) fn names(
    cursor: &mut Cursor<'_>,
) -> Result<(Vec<String>, bool), NotationError> {
    let mut names = vec![cursor.name_alone()?];
    let mut sign = None;
    while let Some(next @ ('+' | ',')) = cursor.peek() {
        if sign.is_some_and(|sign| sign != next) {
            return Err(cursor.wrong("`+` between all, or `,` between all"));
        }
        sign = Some(next);
        cursor.at += 1;
        let at = cursor.at;
        let name = cursor.name_alone()?;
        if names.contains(&name) {
            cursor.at = at;
            return Err(cursor.wrong_with("each name once", format!("`{name}` again")));
        }
        names.push(name);
    }
    if cursor.peek().is_none_or(char::is_whitespace) {
        Ok((names, sign == Some(',')))
    } else {
        Err(cursor.wrong("`+`, `,` or a space after the name; names with other signs go in quotes"))
    }
}

fn steps(cursor: &mut Cursor<'_>, scale: Scale) -> Result<Vec<Step>, NotationError> {
    let mut steps = Vec::new();
    if cursor.word_is("stands") {
        cursor.take("stands");
        return Ok(steps);
    }
    loop {
        steps.push(step(cursor, scale)?);
        cursor.skip_spaces();
        if !cursor.word_is("then") {
            return Ok(steps);
        }
        cursor.take("then");
        cursor.skip_spaces();
    }
}

#[derive(Clone, Copy)]
enum Verb {
    Ahead,
    Back,
    Aside(Hand),
    Shift,
    Wheel,
    Turn,
    About,
    To,
}

const VERBS: [(&str, Verb); 9] = [
    ("ahead", Verb::Ahead),
    ("back", Verb::Back),
    ("left", Verb::Aside(Hand::Left)),
    ("right", Verb::Aside(Hand::Right)),
    ("shift", Verb::Shift),
    ("wheel", Verb::Wheel),
    ("turn", Verb::Turn),
    ("about", Verb::About),
    ("to", Verb::To),
];

fn step(cursor: &mut Cursor<'_>, scale: Scale) -> Result<Step, NotationError> {
    let expected = "`ahead`, `back`, `left`, `right` and a distance, `shift (x,y)`, `wheel` or `turn` with `left` \
                    or `right` and degrees, `about`, `to` and a place, or `stands`";
    let verb = cursor.one_of(&VERBS, expected)?;
    cursor.skip_spaces();
    Ok(match verb {
        Verb::Ahead => Step::Ahead(cursor.length(scale, "a distance, such as `2` or `80mm`")?),
        Verb::Back => Step::Ahead(-cursor.length(scale, "a distance, such as `2` or `80mm`")?),
        Verb::Aside(hand) => Step::Aside(hand, cursor.length(scale, "a distance, such as `2` or `80mm`")?),
        Verb::Shift => {
            let (x, y) = cursor.pair()?;
            let unit = cursor.unit(scale);
            Step::Shift(Vector::new(x * unit, y * unit))
        }
        Verb::Wheel => {
            let (hand, degrees) = turn(cursor)?;
            Step::Wheel(hand, degrees)
        }
        Verb::About => Step::Turn(Hand::Left, 180.0),
        Verb::Turn => {
            let (hand, degrees) = turn(cursor)?;
            let at = cursor.at;
            cursor.skip_spaces();
            // `turn left 30 about (5,5)`: `about` alone is a step of its own, after `then`.
            if cursor.word_is("about") {
                cursor.take("about");
                cursor.skip_spaces();
                let (x, y) = cursor.pair()?;
                let unit = cursor.unit(scale);
                Step::TurnAbout(hand, degrees, crate::geometry::Point::new(x * unit, y * unit))
            } else {
                cursor.at = at;
                Step::Turn(hand, degrees)
            }
        }
        Verb::To => Step::To(to(cursor, scale)?),
    })
}

fn turn(cursor: &mut Cursor<'_>) -> Result<(Hand, f64), NotationError> {
    let hands = [("left", Hand::Left), ("right", Hand::Right)];
    let hand = cursor.one_of(&hands, "`left` or `right`")?;
    cursor.skip_spaces();
    let from = cursor.at;
    let degrees = cursor.number("degrees, such as `30`")?;
    if !(degrees > 0.0 && degrees <= 360.0) {
        cursor.at = from;
        return Err(cursor.wrong("degrees, more than 0 and at most 360"));
    }
    cursor.take("deg");
    Ok((hand, degrees))
}

/// `(5,5)-(6,5) N`, or `at (5.5,4.8) 90deg`. A front edge gives its middle; its length is the element's own.
fn to(cursor: &mut Cursor<'_>, scale: Scale) -> Result<Place, NotationError> {
    if cursor.word_is("at") {
        cursor.take("at");
        cursor.skip_spaces();
        let (x, y) = cursor.pair()?;
        let unit = cursor.unit(scale);
        cursor.skip_spaces();
        let centre = crate::geometry::Point::new(x * unit, y * unit);
        return Ok(Place::Centre { centre, heading: heading(cursor)? });
    }
    match place(cursor, scale)? {
        PlaceIn::Front { middle, heading, .. } => Ok(Place::Front { middle, heading }),
        PlaceIn::Centre { pose, .. } => Ok(Place::Centre { centre: pose.centre, heading: pose.heading }),
    }
}
