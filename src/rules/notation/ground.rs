//! Lines of the notation that say what lies on the table: `ground wood Beech (3,3)-(5,3)-(5,5)-(3,5)`.
//!
//! Invariant: what [`write_ground`] writes is read back to the same ground; a `box`, `oval` or `round` comes back
//! as the corners that it stands for.

use super::cursor::Cursor;
use super::{NotationError, SIDES, end, quoted};
use crate::geometry::{Point, Polygon};
use crate::rules::Side;
use crate::rules::stronghold::Past;
use crate::rules::terrain::{
    Feature, Ground, Hill, Holder, Plough, Profile, River, RiverState, Road, TerrainKind, Way,
};
use crate::units::Scale;
use std::fmt::Write as _;

/// The word that begins such a line. An element of this name goes in quotes.
pub(super) const KEYWORD: &str = "ground";

/// Corners of a `round` shape: of one 200 mm across they lie 0.06 mm outside its edges' middles at most.
const ROUND_CORNERS: u32 = 96;

/// The height of a hill whose line gives none, millimetres: a common model.
const USUAL_HEIGHT_MM: f64 = 15.0;

const HOLDERS: [(&str, Holder); 5] = [
    ("nobody", Holder::Nobody),
    ("red", Holder::Troops(Side::Red)),
    ("blue", Holder::Troops(Side::Blue)),
    ("red-civilians", Holder::Civilians(Side::Red)),
    ("blue-civilians", Holder::Civilians(Side::Blue)),
];

const PLOUGH: [(&str, Plough); 3] =
    [("undiced", Plough::Undiced), ("good", Plough::Good), ("rough", Plough::Rough)];

/// Reads one line into the ground.
pub(super) fn read(cursor: &mut Cursor<'_>, scale: Scale, ground: &mut Ground) -> Result<(), NotationError> {
    cursor.take(KEYWORD);
    cursor.skip_spaces();
    if cursor.take("plough=") {
        ground.plough = cursor.one_of(&PLOUGH, "undiced, good or rough")?;
        return end(cursor);
    }
    let word = cursor.rest_of_word();
    let kind = TerrainKind::ALL.iter().find(|(known, _)| *known == word).map(|(_, kind)| *kind);
    let expected = || {
        let kinds = TerrainKind::ALL.map(|(word, _)| word).join(", ");
        format!("a kind of terrain ({kinds}, river, road) or `plough=`")
    };
    if kind.is_none() && word != "river" && word != "road" {
        return Err(cursor.wrong(expected()));
    }
    cursor.at += word.chars().count();
    cursor.skip_spaces();
    let start = cursor.at;
    let name = cursor.name()?;
    if ground.names().any(|known| known == name) {
        cursor.at = start;
        let found = format!("`{name}` again");
        return Err(cursor.wrong_with("a name that nothing else on the ground has", found));
    }
    cursor.skip_spaces();
    match kind {
        Some(kind) => ground.features.push(feature(cursor, scale, name, kind)?),
        None if word == "river" => ground.rivers.push(river(cursor, scale, name)?),
        None => {
            let start = cursor.at;
            let line = points(cursor, scale)?;
            cursor.skip_spaces();
            let width = cursor.takes_length('w', scale, "the width, such as `w0.5`")?;
            end(cursor)?;
            ground.roads.push(Road { name, course: way(cursor, start, line, width, scale)? });
        }
    }
    Ok(())
}

fn river(cursor: &mut Cursor<'_>, scale: Scale, name: String) -> Result<River, NotationError> {
    let start = cursor.at;
    let line = points(cursor, scale)?;
    cursor.skip_spaces();
    let width = cursor.takes_length('w', scale, "the width, such as `w0.8`")?;
    cursor.skip_spaces();
    let state = if cursor.take("state=") {
        cursor.one_of(&RiverState::ALL, "unknown, paltry, slowing or columns-only")?
    } else {
        RiverState::Unknown
    };
    end(cursor)?;
    Ok(River { name, course: way(cursor, start, line, width, scale)?, state })
}

/// The way along those points; the board's usual width where none is given is half a base width.
fn way(
    cursor: &mut Cursor<'_>,
    start: usize,
    line: Vec<Point>,
    width: Option<f64>,
    scale: Scale,
) -> Result<Way, NotationError> {
    Way::new(line, width.unwrap_or(scale.mm_per_bw() / 2.0)).map_err(|error| {
        cursor.at = start;
        cursor.wrong_with("points along a river or road", error.to_string())
    })
}

fn feature(
    cursor: &mut Cursor<'_>,
    scale: Scale,
    name: String,
    kind: TerrainKind,
) -> Result<Feature, NotationError> {
    let start = cursor.at;
    let corners = shape(cursor, scale)?;
    let outline = Polygon::new(corners).map_err(|error| {
        cursor.at = start;
        cursor.wrong_with("an outline", error.to_string())
    })?;
    let (mut side, mut holder, mut crest, mut height, mut profile) =
        (None, Holder::Nobody, None, USUAL_HEIGHT_MM, Profile::Slope);
    let (mut gates, mut past) = (Vec::new(), Past::default());
    let mut seen: Vec<&str> = Vec::new();
    loop {
        cursor.skip_spaces();
        if cursor.peek().is_none() {
            break;
        }
        let (from, word) = (cursor.at, cursor.rest_of_word());
        let what = if cursor.take("of=") {
            side = Some(cursor.one_of(&SIDES, "red or blue")?);
            "of"
        } else if kind.is_stronghold() && cursor.take("held=") {
            holder = cursor.one_of(&HOLDERS, "nobody, red, blue, red-civilians or blue-civilians")?;
            "held"
        } else if kind.has_gates() && cursor.word_is("gates") && cursor.take("gates") {
            cursor.skip_spaces();
            gates = points(cursor, scale)?;
            "gates"
        } else if kind.is_stronghold() && cursor.take("past=") {
            past = read_past(cursor)?;
            "past"
        } else if kind.is_hill() && cursor.take("crest") {
            cursor.skip_spaces();
            let line = points(cursor, scale)?;
            if line.len() < 2 {
                cursor.at = from;
                return Err(cursor.wrong("a crest of two points or more"));
            }
            crest = Some(line);
            "crest"
        } else if kind.is_hill() && cursor.word_is("stepped") && cursor.take("stepped") {
            profile = Profile::Stepped;
            "stepped"
        } else if kind.is_hill()
            && let Some(mm) = cursor.takes_length('h', scale, "the height, such as `h15mm`")?
        {
            height = mm;
            "h"
        } else {
            let more = if kind.is_hill() {
                ", `crest` and its points, `h` and the height, `stepped`"
            } else if kind.is_stronghold() {
                ", `held=`, `past=`, `gates` of a City or Fort and their places"
            } else {
                ""
            };
            return Err(cursor.wrong(format!("`of=`{more}, or the end of the line")));
        };
        if seen.contains(&what) {
            cursor.at = from;
            return Err(cursor.wrong_with(format!("`{what}` once"), format!("`{word}` again")));
        }
        seen.push(what);
    }
    let hill = kind.is_hill().then(|| match crest {
        Some(crest) => Hill { crest, height_mm: height, profile },
        None => Hill::of_outline(&outline, height, profile),
    });
    Ok(Feature { name, kind, outline, hill, side, holder, gates, past })
}

/// `surrendered+entered`
fn read_past(cursor: &mut Cursor<'_>) -> Result<Past, NotationError> {
    let words = Past::WORDS.map(|(word, _)| word).join(", ");
    let mut past = Past::default();
    let text = cursor.rest_of_word();
    for (n, word) in text.split('+').enumerate() {
        if n > 0 {
            cursor.at += 1;
        }
        let Some((_, told)) = Past::WORDS.iter().find(|(known, _)| *known == word) else {
            return Err(cursor.wrong(format!("what has happened to it, joined by `+`: {words}")));
        };
        let Some(more) = past.with(*told) else {
            let found = format!("`{word}` beside `{}`", past.words().collect::<Vec<_>>().join("+"));
            return Err(cursor.wrong_with("one word of a sort", found));
        };
        past = more;
        cursor.at += word.chars().count();
    }
    Ok(past)
}

/// `box (3,3)-(5,5)`, `oval (3,3)-(6,5)`, `round (4,4) r1`, or corner after corner.
fn shape(cursor: &mut Cursor<'_>, scale: Scale) -> Result<Vec<Point>, NotationError> {
    if cursor.word_is("box") {
        cursor.take("box");
        cursor.skip_spaces();
        let from = cursor.at;
        let ends = points(cursor, scale)?;
        let [a, b] = ends.as_slice() else {
            cursor.at = from;
            return Err(cursor.wrong("two opposite corners of the box, such as `(3,3)-(5,5)`"));
        };
        return Ok(vec![*a, Point::new(b.x, a.y), *b, Point::new(a.x, b.y)]);
    }
    if cursor.word_is("oval") {
        cursor.take("oval");
        cursor.skip_spaces();
        let from = cursor.at;
        let ends = points(cursor, scale)?;
        let [a, b] = ends.as_slice() else {
            cursor.at = from;
            return Err(cursor.wrong("two opposite corners of the box round the oval, such as `(3,3)-(5,5)`"));
        };
        let (middle, half) = (nalgebra::center(a, b), (b - a).abs() / 2.0);
        // Edges touch the oval at their middles, four of them where it touches its box.
        let step = std::f64::consts::TAU / f64::from(ROUND_CORNERS);
        let out = half / (step / 2.0).cos();
        return Ok(ring(step / 2.0, |sin, cos| Point::new(middle.x + out.x * cos, middle.y + out.y * sin)));
    }
    if cursor.word_is("round") {
        cursor.take("round");
        cursor.skip_spaces();
        let (x, y) = cursor.pair()?;
        let unit = cursor.unit(scale);
        cursor.skip_spaces();
        let Some(radius) = cursor.takes_length('r', scale, "the radius, such as `r1.5`")? else {
            return Err(cursor.wrong("the radius, such as `r1.5`"));
        };
        return Ok(ring(0.0, |sin, cos| Point::new(x * unit + radius * cos, y * unit + radius * sin)));
    }
    if cursor.peek() != Some('(') {
        return Err(cursor
            .wrong("corners `(x,y)-(x,y)-...`, `box (x,y)-(x,y)`, `oval (x,y)-(x,y)` or `round (x,y) r1`"));
    }
    points(cursor, scale)
}

/// Corners all the way round from a turn on, of the sine and cosine of each.
fn ring(from: f64, corner: impl Fn(f64, f64) -> Point) -> Vec<Point> {
    let step = std::f64::consts::TAU / f64::from(ROUND_CORNERS);
    let turned = |n: u32| {
        let (sin, cos) = (from + step * f64::from(n)).sin_cos();
        corner(sin, cos)
    };
    (0..ROUND_CORNERS).map(turned).collect()
}

/// `(0,0)-(1,0)-(1,1)`, in base widths, or millimetres where `mm` follows.
fn points(cursor: &mut Cursor<'_>, scale: Scale) -> Result<Vec<Point>, NotationError> {
    let mut pairs = vec![cursor.pair()?];
    while cursor.take("-") {
        pairs.push(cursor.pair()?);
    }
    let unit = cursor.unit(scale);
    if !cursor.peek().is_none_or(char::is_whitespace) {
        return Err(cursor.wrong("`-` and the next point, or a space"));
    }
    Ok(pairs.into_iter().map(|(x, y)| Point::new(x * unit, y * unit)).collect())
}

/// Writes the ground, a line for each thing that lies on it, lengths in millimetres.
pub fn write_ground(ground: &Ground) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    if let Some((word, _)) = PLOUGH.iter().find(|(_, p)| *p == ground.plough)
        && ground.plough != Plough::Undiced
    {
        let _ = writeln!(text, "{KEYWORD} plough={word}");
    }
    for f in &ground.features {
        let _ = write!(text, "{KEYWORD} {} {} {}", f.kind.word(), quoted(&f.name), line(f.outline.corners()));
        if let Some((word, _)) = SIDES.iter().find(|(_, s)| Some(*s) == f.side) {
            let _ = write!(text, " of={word}");
        }
        if let Some((word, _)) = HOLDERS.iter().find(|(_, h)| *h == f.holder)
            && f.holder != Holder::Nobody
        {
            let _ = write!(text, " held={word}");
        }
        if !f.gates.is_empty() {
            let _ = write!(text, " gates {}", line(&f.gates));
        }
        let past: Vec<&str> = f.past.words().collect();
        if !past.is_empty() {
            let _ = write!(text, " past={}", past.join("+"));
        }
        if let Some(hill) = &f.hill {
            let _ = write!(text, " crest {} h{}mm", line(&hill.crest), hill.height_mm);
            if hill.profile == Profile::Stepped {
                text.push_str(" stepped");
            }
        }
        text.push('\n');
    }
    for r in &ground.rivers {
        let (name, course, width) = (quoted(&r.name), line(r.course.line()), r.course.width_mm());
        let _ = writeln!(text, "{KEYWORD} river {name} {course} w{width}mm state={}", r.state.word());
    }
    for r in &ground.roads {
        let (name, course, width) = (quoted(&r.name), line(r.course.line()), r.course.width_mm());
        let _ = writeln!(text, "{KEYWORD} road {name} {course} w{width}mm");
    }
    text
}

fn line(points: &[Point]) -> String {
    let pairs: Vec<String> = points.iter().map(|p| format!("({},{})", p.x, p.y)).collect();
    format!("{}mm", pairs.join("-"))
}

#[cfg(test)]
mod tests {
    use super::super::{read_setup, write_setup};
    use super::*;
    use crate::rules::Ruleset;

    const ALL: &str = "bw 40mm board 15x15\n\
        ground wood \"Old Beech\" (3,3)-(5,3)-(5,5)-(3,5)\n\
        ground gentle-hill H box (6,6)-(9,8)\n\
        ground difficult-hill K round (12,12) r1.5 crest (11,12)-(13,12) h20mm stepped\n\
        ground camp C box (7,0)-(8,1) of=red held=red-civilians\n\
        ground city Ur box (11,1)-(13,3) of=red gates (12,1)-(13,2) past=stormed+sacking\n\
        ground river R (0,9)-(7,9)-(15,10) w0.8 state=slowing; ground road S (0,2)-(15,2) w20mm\n\
        ground plough=rough\n\
        \"ground\" 4Bd red (0,0)-(1,0) N";

    #[test]
    fn every_sort_of_line_is_read_and_written_back() {
        let rules = Ruleset::dba3();
        let setup = read_setup(ALL, &rules).expect("a ground");
        assert_eq!((setup.ground.features.len(), setup.elements.len()), (5, 1));
        let hill = setup.ground.feature("H").and_then(|f| f.hill.as_ref()).expect("a hill has a crest");
        assert_eq!((hill.crest.len(), hill.height_mm), (2, USUAL_HEIGHT_MM));
        assert_eq!(setup.ground.rivers[0].state, RiverState::Slowing);
        assert_eq!(setup.ground.rivers[0].course.width_mm(), 32.0);
        assert_eq!(setup.ground.feature("C").map(|f| f.holder), Some(Holder::Civilians(Side::Red)));
        let city = setup.ground.feature("Ur").expect("a City");
        assert_eq!(city.gates, [Point::new(480.0, 40.0), Point::new(520.0, 80.0)]);
        assert_eq!(city.past.words().collect::<Vec<_>>(), ["stormed", "sacking"]);
        let again = read_setup(&write_setup(&setup), &rules).expect("its own text");
        assert_eq!(again.ground, setup.ground);
        assert_eq!(again.elements, setup.elements);
    }

    #[test]
    fn mistakes_have_their_column_and_what_was_expected() {
        let cases = [
            ("ground forest W (0,0)-(1,0)-(1,1)", 8, "wood"),
            ("ground wood W (0,0)-(1,0)", 15, "outline"),
            ("ground wood W (0,0)-(1,1)-(1,0)-(0,1)", 15, "outline"),
            ("ground wood W box (0,0)-(1,1)-(2,2)", 19, "opposite"),
            ("ground wood W round (0,0)", 26, "radius"),
            ("ground wood W oval (0,0)", 20, "opposite"),
            ("ground wood W box (0,0)-(1,1) stepped", 31, "`of=`"),
            ("ground gentle-hill H box (0,0)-(1,1) h2 h2", 41, "once"),
            ("ground river R (0,0) w1", 16, "points"),
            ("ground road R (0,0)-(0,0) w1", 15, "points"),
            ("ground river R (0,0)-(1,1) w1 state=wet", 37, "paltry"),
            ("ground camp C box (0,0)-(1,1) gates (0,0)", 31, "`past=`"),
            ("ground city C box (0,0)-(1,1) past=sacked", 36, "sacking"),
            ("ground city C box (0,0)-(1,1) past=entered+stormed", 44, "one word of a sort"),
            ("ground plough=wet", 15, "undiced"),
            ("ground wood W box (0,0)-(1,1); ground road W (0,0)-(1,0)", 44, "nothing else"),
        ];
        for (text, column, expected) in cases {
            let error = read_setup(text, &Ruleset::dba3()).expect_err(text).remove(0);
            assert_eq!(error.column, column, "{text}: {error}");
            assert!(error.expected.contains(expected), "{text}: {error}");
        }
    }
}
