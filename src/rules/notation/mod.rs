//! The one-line notation for an element and a setup, read and written.
//!
//! `A 4Bd red (0,0)-(1,0) N d0.375` is element A, four Blades, red, whose front edge runs from its
//! front-left to its front-right corner, looking north, 0.375 base widths deep. Lengths are base
//! widths unless `mm` follows; the board's lower-left corner is (0,0). `docs/notation.md` has all of it.
//!
//! Invariant: what [`write_setup`] writes, [`read_setup`] reads back to the same setup, poses within
//! 1e-6 mm and 1e-9 rad.

mod bound;
mod cursor;
mod facts;
mod ground;
mod header;
mod moves;

pub use bound::{read_bound, write_bound};
pub use facts::{read_fact, write_fact};
pub use moves::{Form, Hand, MoveLine, Party, Place, Step, read_move, read_moves, write_move, write_steps};

use super::terrain::{BaseEdges, Ground};
use super::{Element, Foot, Listed, Location, Overhang, Ruleset, Setup, Side};
use crate::geometry::{Corner, Footprint, Heading, Point, Pose};
use crate::units::Scale;
use cursor::{Cursor, is_name, pieces};
pub use ground::write_ground;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use thiserror::Error;

/// A mistake in a notation line.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: expected {expected}, found {found}")]
pub struct NotationError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// What would have done.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

/// The greatest difference between a front edge's direction and the heading written beside it, degrees.
const SAME_HEADING_DEG: f64 = 0.01;

/// Reads a setup: elements and what lies on the table one a line, or parted by `;`, after optional lines with
/// the base width and the board's size, `bw 40mm board 15x15`, or either alone, and red's base edge, `edge red left`. `#` begins a comment.
///
/// # Errors
/// Every mistake, each with line, column and what was expected. One line gives one mistake.
pub fn read_setup(text: &str, ruleset: &Ruleset) -> Result<Setup, Vec<NotationError>> {
    let text = crate::text::without_mark(text);
    let (mut scale, mut board) = (Scale::SMALL, None);
    let (mut elements, mut errors): (Vec<Element>, Vec<NotationError>) = (Vec::new(), Vec::new());
    let (mut first, mut lies, mut edges) = (true, Ground::default(), None);
    let (mut contingents, mut listed) = (BTreeMap::new(), BTreeMap::new());
    for (number, line) in text.lines().enumerate() {
        let chars: Vec<char> = line.chars().collect();
        for (from, to) in pieces(&chars) {
            let mut cursor = Cursor { chars: &chars[..to], at: from, line: number + 1 };
            cursor.skip_spaces();
            if cursor.at >= to {
                continue;
            }
            if first && cursor.word_is("bw") && board.is_none() {
                match header::read(&mut cursor) {
                    Ok((found, size)) => (scale, board) = (found, size),
                    Err(error) => errors.push(error),
                }
                continue;
            }
            if first && board.is_none() && header::begins_board(&cursor) {
                match header::board_size(&mut cursor, scale) {
                    Ok(size) => board = Some(size),
                    Err(error) => errors.push(error),
                }
                continue;
            }
            if first && edges.is_none() && header::begins_edge(&cursor) {
                match header::edge(&mut cursor) {
                    Ok(said) => edges = Some(said),
                    Err(error) => errors.push(error),
                }
                continue;
            }
            first = false;
            if cursor.word_is(ground::KEYWORD) {
                errors.extend(ground::read(&mut cursor, scale, &mut lies).err());
                continue;
            }
            let start = cursor.at;
            match element(&mut cursor, ruleset, scale) {
                Ok((found, _)) if elements.iter().any(|e| e.name == found.name) => {
                    cursor.at = start;
                    let found = format!("`{}` again", found.name);
                    errors.push(cursor.wrong_with("a name that no other element has", found));
                }
                Ok((found, of_army)) => {
                    contingents.extend(of_army.contingent.map(|of| (found.name.clone(), of)));
                    if of_army.listed != Listed::default() {
                        listed.insert(found.name.clone(), of_army.listed);
                    }
                    elements.push(found);
                }
                Err(error) => errors.push(error),
            }
        }
    }
    let side = 15.0 * scale.mm_per_bw();
    let board_mm = board.unwrap_or((side, side));
    if errors.is_empty() {
        let edges = edges.unwrap_or_default();
        Ok(Setup { scale, board_mm, edges, elements, ground: lies, contingents, listed })
    } else {
        Err(errors)
    }
}

/// Reads what lies on a table, a feature a line or parted by `;`; the word `ground` may be left out.
///
/// # Errors
/// Every mistake, each with line, column and what was expected. One line gives one mistake.
pub fn read_ground(text: &str, scale: Scale) -> Result<Ground, Vec<NotationError>> {
    let text = crate::text::without_mark(text);
    let (mut lies, mut errors) = (Ground::default(), Vec::new());
    for (number, line) in text.lines().enumerate() {
        let chars: Vec<char> = line.chars().collect();
        for (from, to) in pieces(&chars) {
            let mut cursor = Cursor { chars: &chars[..to], at: from, line: number + 1 };
            cursor.skip_spaces();
            if cursor.at < to {
                errors.extend(ground::read(&mut cursor, scale, &mut lies).err());
            }
        }
    }
    if errors.is_empty() { Ok(lies) } else { Err(errors) }
}

/// Reads one element.
///
/// # Errors
/// The first mistake, with its column and what was expected.
pub fn read_element(text: &str, ruleset: &Ruleset, scale: Scale) -> Result<Element, NotationError> {
    let text = crate::text::without_mark(text);
    let chars: Vec<char> = text.chars().collect();
    let mut cursor = Cursor { chars: &chars, at: 0, line: 1 };
    element(&mut cursor, ruleset, scale).map(|(found, _)| found)
}

/// Writes a setup: what lies on the table, then its elements, one a line.
pub fn write_setup(setup: &Setup) -> String {
    let (width, depth) = setup.board_mm;
    let mut text = format!("bw {}mm board {width}x{depth}mm\n", setup.scale.mm_per_bw());
    if setup.edges != BaseEdges::USUAL {
        text.push_str(&format!("edge red {}\n", setup.edges.red.word()));
    }
    text.push_str(&write_ground(&setup.ground));
    for element in &setup.elements {
        let general = element.general || setup.is_allied_general(&element.name);
        text.push_str(&write_element(&Element { general, ..element.clone() }));
        if let Some(contingent) = setup.contingent(&element.name) {
            text.push_str(&format!(" contingent={}", quoted(contingent)));
        }
        match setup.foot(&element.name) {
            Foot::Unknown => {}
            Foot::None => text.push_str(" dismounts=no"),
            Foot::As(foot) => text.push_str(&format!(" dismounts={foot}")),
        }
        text.push('\n');
    }
    text
}

/// Writes one element, lengths in millimetres: by its front edge where it looks along an axis, else by
/// its centre and heading.
pub fn write_element(element: &Element) -> String {
    let base = &element.footprint;
    let side = element.side.word();
    let mut text = format!("{} {} {side}", quoted(&element.name), element.troop);
    if element.general {
        text.push_str(" general");
    }
    if element.tower {
        text.push_str(" tower");
    }
    let compass = COMPASS.iter().find(|(_, heading)| *heading == base.pose().heading);
    // Writing to a String cannot fail.
    let _ = match compass {
        Some((letter, _)) => {
            let (left, right) = (base.corner(Corner::FrontLeft), base.corner(Corner::FrontRight));
            write!(
                text,
                " ({},{})-({},{})mm {letter} d{}mm",
                left.x,
                left.y,
                right.x,
                right.y,
                base.depth_mm()
            )
        }
        None => {
            let (at, degrees) = (base.pose().centre, base.pose().heading.degrees());
            write!(
                text,
                " at ({},{})mm {degrees}deg w{}mm d{}mm",
                at.x,
                at.y,
                base.width_mm(),
                base.depth_mm()
            )
        }
    };
    let Overhang { front, rear, sides } = element.overhang;
    if element.overhang != Overhang::default() {
        let _ = write!(text, " overhang={front}/{rear}/{sides}mm");
    }
    if let Some((word, _)) = LOCATIONS.iter().find(|(_, l)| *l == element.location)
        && element.location != Location::Board
    {
        let _ = write!(text, " in={word}");
    }
    text
}

const COMPASS: [(&str, Heading); 4] =
    [("N", Heading::NORTH), ("E", Heading::EAST), ("S", Heading::SOUTH), ("W", Heading::WEST)];

const SIDES: [(&str, Side); 2] = [("red", Side::Red), ("blue", Side::Blue)];

const LOCATIONS: [(&str, Location); 6] = [
    ("board", Location::Board),
    ("reserve", Location::Reserve),
    ("camp", Location::Camp),
    ("city", Location::City),
    ("fort", Location::Fort),
    ("off", Location::Off),
];

/// A name, in quotes where it would not be read as one word.
fn quoted(name: &str) -> String {
    let plain = !name.is_empty() && name.chars().all(is_name) && name != "bw" && name != ground::KEYWORD;
    if plain { name.to_owned() } else { format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\"")) }
}

fn end(cursor: &mut Cursor<'_>) -> Result<(), NotationError> {
    cursor.skip_spaces();
    if cursor.peek().is_none() { Ok(()) } else { Err(cursor.wrong("the end of the line, or `;`")) }
}

/// What a line says of an element beside what stands there.
#[derive(Default)]
struct OfArmy {
    contingent: Option<String>,
    listed: Listed,
}

/// An element, and what its army is.
fn element(
    cursor: &mut Cursor<'_>,
    ruleset: &Ruleset,
    scale: Scale,
) -> Result<(Element, OfArmy), NotationError> {
    cursor.skip_spaces();
    let name = cursor.name()?;
    cursor.skip_spaces();
    let code = cursor.rest_of_word();
    let Some(troop) = ruleset.troop(&code) else {
        let known = ruleset.troops().iter().map(|t| t.code.as_str()).collect::<Vec<_>>().join(", ");
        let old = ruleset.retired(&code).map_or(String::new(), |old| format!("; {}", old.says));
        return Err(cursor.wrong(format!("a troop code ({known}){old}")));
    };
    cursor.at += code.chars().count();
    cursor.skip_spaces();
    let side = cursor.one_of(&SIDES, "`red` or `blue`")?;
    cursor.skip_spaces();
    let general = cursor.word_is("general") && cursor.take("general");
    cursor.skip_spaces();
    let tower = cursor.word_is("tower") && cursor.take("tower");
    cursor.skip_spaces();
    let place = place(cursor, scale)?;
    let listed = troop.listed_depth_mm(scale);
    let (mut depth, mut overhang, mut location) = (listed, Overhang::default(), Location::Board);
    let (mut seen, mut army) = (Vec::new(), OfArmy::default());
    loop {
        cursor.skip_spaces();
        if cursor.peek().is_none() {
            break;
        }
        let (from, word) = (cursor.at, cursor.rest_of_word());
        let what = if cursor.take("overhang=") {
            let front = cursor.number("the overhang past the front")?;
            cursor.expect("/", "`/` and the overhang past the rear")?;
            let rear = cursor.number("the overhang past the rear")?;
            cursor.expect("/", "`/` and the overhang past the sides")?;
            let sides = cursor.number("the overhang past the sides")?;
            let unit = cursor.unit(scale);
            if front < 0.0 || rear < 0.0 || sides < 0.0 {
                cursor.at = from;
                return Err(cursor.wrong("overhangs of zero or more"));
            }
            overhang = Overhang { front: front * unit, rear: rear * unit, sides: sides * unit };
            "overhang"
        } else if cursor.take("in=") {
            location = cursor.one_of(&LOCATIONS, "board, reserve, camp, city, fort or off")?;
            "in"
        } else if cursor.take("contingent=") {
            army.contingent = Some(cursor.name()?);
            "contingent"
        } else if cursor.take("dismounts=") {
            let code = cursor.rest_of_word();
            army.listed.foot = match ruleset.troop(&code) {
                Some(foot) => Foot::As(foot.code.clone()),
                None if code == "no" => Foot::None,
                None => {
                    return Err(cursor.wrong("`no`, or the troop code that it dismounts as, such as `4Bd`"));
                }
            };
            cursor.at += code.chars().count();
            "dismounts"
        } else if cursor.take("d") {
            depth = cursor.length(scale, "the depth, such as `d0.5` or `d15mm`")?;
            "d"
        } else {
            return Err(cursor.wrong(
                "`d` and the depth, `overhang=`, `in=`, `contingent=`, `dismounts=`, or the end of the line",
            ));
        };
        if !cursor.peek().is_none_or(char::is_whitespace) {
            return Err(cursor.wrong("a space"));
        }
        if seen.contains(&what) {
            cursor.at = from;
            return Err(cursor.wrong_with(format!("`{what}` once"), format!("`{word}` again")));
        }
        seen.push(what);
    }
    let (pose, width) = match place {
        PlaceIn::Front { middle, heading, width } => {
            let front = Pose { centre: middle, heading };
            (Pose { centre: front.at(0.0, -depth / 2.0), heading }, width)
        }
        PlaceIn::Centre { pose, width } => (pose, width),
    };
    let footprint = Footprint::new(pose, width, depth).expect("width and depth were read as more than zero");
    // An allied general's element does not work as a general (clause army-lists.ally.7).
    army.listed.allied_general = general && army.contingent.is_some();
    let general = general && army.contingent.is_none();
    let element = Element { name, side, troop: code, footprint, general, tower, overhang, location };
    Ok((element, army))
}

enum PlaceIn {
    Front { middle: Point, heading: Heading, width: f64 },
    Centre { pose: Pose, width: f64 },
}

/// `(0,0)-(1,0) N` or `at (110,85)mm 47.5deg w40mm`.
fn place(cursor: &mut Cursor<'_>, scale: Scale) -> Result<PlaceIn, NotationError> {
    if cursor.word_is("at") {
        cursor.take("at");
        cursor.skip_spaces();
        let (x, y) = cursor.pair()?;
        let unit = cursor.unit(scale);
        cursor.skip_spaces();
        let heading = heading(cursor)?;
        cursor.skip_spaces();
        let width = if cursor.take("w") {
            cursor.length(scale, "the width, such as `w1` or `w40mm`")?
        } else {
            scale.mm_per_bw()
        };
        return Ok(PlaceIn::Centre { pose: Pose { centre: Point::new(x * unit, y * unit), heading }, width });
    }
    if cursor.peek() != Some('(') {
        return Err(cursor.wrong("`general`, the front edge `(x,y)-(x,y)`, or `at (x,y)` and a heading"));
    }
    let from = cursor.at;
    let left = cursor.pair()?;
    cursor.expect("-", "`-` and the front-right corner")?;
    let right = cursor.pair()?;
    let unit = cursor.unit(scale);
    let corner = |(x, y): (f64, f64)| Point::new(x * unit, y * unit);
    let (left, right) = (corner(left), corner(right));
    let along = right - left;
    let Some(by_edge) = Heading::along(nalgebra::Vector2::new(-along.y, along.x)) else {
        cursor.at = from;
        return Err(cursor.wrong("two front corners that are apart"));
    };
    cursor.skip_spaces();
    let at = cursor.at;
    let heading = if starts_heading(cursor) { heading(cursor)? } else { by_edge };
    if by_edge.turn_to_radians(heading).abs().to_degrees() > SAME_HEADING_DEG {
        cursor.at = at;
        let degrees = by_edge.degrees();
        let letter = COMPASS.iter().find(|(_, h)| by_edge.turn_to_radians(*h).abs() < 1e-9);
        let named = letter.map_or_else(|| format!("{degrees:.2}deg"), |(l, _)| (*l).to_owned());
        let text = format!(
            "`{named}`: from its front-left to its front-right corner this front edge looks that way"
        );
        return Err(cursor.wrong(text));
    }
    Ok(PlaceIn::Front { middle: left + along / 2.0, heading, width: along.norm() })
}

fn starts_heading(cursor: &Cursor<'_>) -> bool {
    let word = cursor.rest_of_word();
    COMPASS.iter().any(|(letter, _)| *letter == word)
        || word.chars().next().is_some_and(|c| c.is_ascii_digit() || matches!(c, '-' | '+' | '.'))
}

fn heading(cursor: &mut Cursor<'_>) -> Result<Heading, NotationError> {
    let word = cursor.rest_of_word();
    if let Some((letter, heading)) = COMPASS.iter().find(|(letter, _)| *letter == word) {
        cursor.take(letter);
        return Ok(*heading);
    }
    let expected = "N, E, S, W or a heading such as `47.5deg`";
    let degrees = cursor.number(expected)?;
    cursor.expect("deg", "`deg` after the heading")?;
    Ok(Heading::from_degrees(degrees))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn wrong(text: &str) -> NotationError {
        read_setup(text, &Ruleset::dba3()).expect_err("a mistake").remove(0)
    }

    #[test]
    fn the_clauses_own_form_is_read() {
        let rules = Ruleset::dba3();
        let e = read_element("A 4Bd red (0,0)-(1,0) N d0.5", &rules, Scale::SMALL).expect("an element");
        assert_eq!(e.footprint.corner(Corner::FrontRight), Point::new(40.0, 0.0));
        assert_eq!(e.footprint.corner(Corner::RearLeft), Point::new(0.0, -20.0));
        let e = read_element("E 3Kn blue general (1,3)-(0,3) S", &rules, Scale::LARGE).expect("an element");
        assert!(e.general && e.footprint.depth_mm() == 40.0, "the listed depth at 60 mm");
        let e =
            read_element("G LH red at (100,50)mm 30deg overhang=2/0/1mm in=reserve", &rules, Scale::SMALL);
        let e = e.expect("an element");
        assert_eq!((e.overhang.front, e.location), (2.0, Location::Reserve));
    }

    #[test]
    fn mistakes_have_their_column_and_what_was_expected() {
        let cases = [
            ("A 9Zz red (0,0)-(1,0) N", 3, "a troop code"),
            ("A 4Bd green (0,0)-(1,0) N", 7, "`red` or `blue`"),
            ("A 4Bd red (0,0)-(1,0) S", 23, "`N`"),
            ("A 4Bd red (0,0)-(0,0) N", 11, "apart"),
            ("A 4Bd red (0;0)-(1,0) N", 11, "`,`"),
            ("A 4Bd red (0,0)-(1,0) N d-1", 26, "more than zero"),
            ("A 4Bd red (0,0)-(1,0) N d1 d1", 28, "once"),
            ("A 4Bd red at (0,0) 12", 22, "deg"),
            ("A 4Bd red (0,0)-(1,0) N wide", 25, "depth"),
            ("A 4Bd red", 10, "front edge"),
            ("bw 40 board 15x15", 6, "`mm`"),
            ("bw 0mm", 4, "more than zero"),
        ];
        for (text, column, expected) in cases {
            let error = wrong(text);
            let first_piece_only = text.contains(';');
            assert!(first_piece_only || error.column == column, "{text}: {error}");
            assert!(error.expected.contains(expected) || first_piece_only, "{text}: {error}");
        }
    }

    #[test]
    fn every_line_gives_its_mistake() {
        let text =
            "bw 60mm\nA 4Bd red (0,0)-(1,0) N # good\nB 9Zz red (0,0)-(1,0) N; A 4Bd red (2,0)-(3,0) N";
        let errors = read_setup(text, &Ruleset::dba3()).expect_err("two mistakes");
        let places: Vec<_> = errors.iter().map(|e| (e.line, e.column)).collect();
        assert_eq!(places, [(3, 3), (3, 26)]);
    }

    fn any_element() -> impl Strategy<Value = Element> {
        let codes: Vec<String> = Ruleset::dba3().troops().iter().map(|t| t.code.clone()).collect();
        let heading = prop_oneof![
            Just(Heading::NORTH),
            Just(Heading::WEST),
            (0.0..360.0f64).prop_map(Heading::from_degrees),
        ];
        let place = ((-100.0..700.0f64), (-100.0..700.0f64), heading, (5.0..90.0f64), (5.0..90.0f64));
        let rest = (any::<bool>(), any::<bool>(), (0.0..5.0f64, 0.0..5.0f64, 0.0..5.0f64), 0..6usize);
        ("[ -~]{1,12}", proptest::sample::select(codes), place, rest).prop_map(
            |(name, troop, (x, y, heading, width, depth), (red, general, (front, rear, sides), at))| {
                Element {
                    name,
                    side: if red { Side::Red } else { Side::Blue },
                    troop,
                    footprint: Footprint::new(Pose { centre: Point::new(x, y), heading }, width, depth)
                        .expect("a good base"),
                    general,
                    tower: general && red,
                    overhang: if red { Overhang { front, rear, sides } } else { Overhang::default() },
                    location: LOCATIONS[at].1,
                }
            },
        )
    }

    #[test]
    fn what_an_army_list_says_is_written_and_read_back() {
        let text = "K 3Kn red general (4,4)-(5,4) N contingent=Gauls dismounts=4Bd; \
                    L 3Kn red general (6,4)-(7,4) N dismounts=no; M 3Kn red (8,4)-(9,4) N";
        let setup = read_setup(text, &Ruleset::dba3()).expect("a setup");
        assert_eq!(setup.foot("K"), &Foot::As("4Bd".to_owned()));
        assert_eq!((setup.foot("L"), setup.foot("M")), (&Foot::None, &Foot::Unknown));
        // Of the two generals the allied one does not work as one.
        let general = |name: &str| setup.element(name).is_some_and(|e| e.general);
        assert!(
            !general("K") && setup.is_allied_general("K") && general("L") && !setup.is_allied_general("L")
        );
        assert_eq!(read_setup(&write_setup(&setup), &Ruleset::dba3()), Ok(setup));
        let wrong =
            read_setup("K 3Kn red (4,4)-(5,4) N dismounts=Xy", &Ruleset::dba3()).expect_err("no code");
        assert_eq!((wrong.len(), wrong[0].column), (1, 35));
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(elements in proptest::collection::vec(any_element(), 0..4), bw in 20.0..80.0f64) {
            let mut elements = elements;
            for (n, e) in elements.iter_mut().enumerate() {
                e.name = format!("{}{n}", e.name);
            }
            let scale = Scale::new(bw).expect("a scale");
            let setup = Setup::bare(scale, (600.0, 1200.5), elements);
            let text = write_setup(&setup);
            let back = read_setup(&text, &Ruleset::dba3()).expect("its own text");
            prop_assert_eq!(back.elements.len(), setup.elements.len(), "{}", text);
            prop_assert_eq!(back.scale, setup.scale);
            prop_assert_eq!(back.board_mm, setup.board_mm);
            for (was, is) in setup.elements.iter().zip(&back.elements) {
                prop_assert_eq!((&was.name, &was.troop, was.side, was.general, was.tower), (&is.name, &is.troop, is.side, is.general, is.tower));
                prop_assert_eq!((was.overhang, was.location), (is.overhang, is.location));
                let (p, q) = (was.footprint.pose(), is.footprint.pose());
                prop_assert!((p.centre - q.centre).norm() < 1e-6, "{}", text);
                prop_assert!(p.heading.turn_to_radians(q.heading).abs() < 1e-9);
                prop_assert!((was.footprint.width_mm() - is.footprint.width_mm()).abs() < 1e-9);
                prop_assert_eq!(was.footprint.depth_mm(), is.footprint.depth_mm());
            }
        }

        #[test]
        fn no_text_makes_the_reader_panic(text in "\\PC{0,60}") {
            let _ = read_setup(&text, &Ruleset::dba3());
        }
    }
}
