//! The four quarters of the battlefield: their numbers, which of them a die sends a feature to, and whether it lies
//! there.
//!
//! Table frame, millimetres. The numbers hang on the edge at which the defender stands while he places terrain. How much
//! of a feature reaches into a neighbour is measured by area, of a river or road by the length of its middle line.
//! Touching the line between quarters is not reaching over it. Clauses: dba3.terr.4, .5, dba3.place.2 to .8, dba3.bua.2,
//! dba3.faq.1, dba3.set.1, .97.

use super::body::{Body, rims};
use crate::geometry::{Limit, Margin, Point, Polygon, Vector};
use crate::rules::settings::{QuarterOne, Straddle};
use crate::rules::stronghold::Terms;
use crate::rules::terrain::{BoardEdge, TerrainKind, Way};
use crate::rules::{Reason, Settings, Setup, exact};
use serde::Deserialize;

/// One quarter of a board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Quarter {
    /// From 1 to 4.
    pub number: u8,
    centre: Point,
    /// From the board's centre into the quarter, along x and along y: 1 or -1 each.
    into: Vector,
}

impl Quarter {
    /// The quarter of that number, numbered clockwise as somebody at that edge sees the board; none where the number is
    /// not 1 to 4.
    pub fn of(number: u8, seat: BoardEdge, board: (f64, f64), settings: &Settings) -> Option<Self> {
        // Ahead and to the right of somebody at the seat; clockwise from the near left.
        let clockwise = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
        let first = match settings.quarter_one_corner {
            QuarterOne::NearLeft => 0,
            QuarterOne::FarLeft => 1,
        };
        let place = usize::from(number.checked_sub(1).filter(|n| *n < 4)?);
        let (ahead, right) = clockwise[(first + place) % 4];
        let into = seat.inward() * ahead + seat.rightward() * right;
        Some(Self { number, centre: Point::new(board.0 / 2.0, board.1 / 2.0), into })
    }

    /// How far a point is inside from the line that parts this quarter from its neighbour along x, and along y.
    pub fn depth(&self, point: Point) -> (f64, f64) {
        let from = point - self.centre;
        (from.x * self.into.x, from.y * self.into.y)
    }

    /// Where on those two lines is nearest to a point.
    fn feet(&self, point: Point) -> (Point, Point) {
        (Point::new(self.centre.x, point.y), Point::new(point.x, self.centre.y))
    }

    /// The middle of the quarter.
    pub fn middle(&self) -> Point {
        self.centre + Vector::new(self.centre.x * self.into.x, self.centre.y * self.into.y) / 2.0
    }

    /// Whether a point lies in it: by how much, from the nearer of the two lines.
    pub fn holds(&self, point: Point) -> Reason {
        let (x, y) = self.depth(point);
        let (along_x, along_y) = self.feet(point);
        let (mm, foot) = if x <= y { (x, along_x) } else { (y, along_y) };
        let margin = Margin::closed(exact(mm), rims(point, foot));
        let text = format!("({:.0},{:.0}) mm and quarter {}", point.x, point.y, self.number);
        Reason::tested("dba3.terr.5", text, margin)
    }
}

/// Whether two lines, one along y at that x and one along x at that y, part the board into four equal quarters (clause
/// dba3.terr.4).
pub fn quartered(setup: &Setup, (x, y): (f64, f64)) -> Reason {
    let (width, depth) = setup.board_mm;
    let off = (x - width / 2.0).abs().max((y - depth / 2.0).abs());
    let bw = setup.scale.mm_per_bw();
    let text = format!("the lines are x = {:.2} and y = {:.2} BW", x / bw, y / bw);
    let margin = Margin::closed(exact(-off), rims(Point::new(x, y), Point::new(width / 2.0, depth / 2.0)));
    Reason::tested("dba3.terr.4", text, margin)
}

/// Who names the quarter that a feature goes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Namer {
    /// The die itself: its score is the quarter's number.
    Die,
    /// The defender.
    Defender,
    /// The invader; the defender still puts the feature down.
    Invader,
}

impl Namer {
    /// Who names it at that score, and the clause that says so; none where a die does not show it.
    pub fn at(score: u8) -> Option<(Self, &'static str)> {
        match score {
            1..=4 => Some((Self::Die, "dba3.place.3")),
            5 => Some((Self::Defender, "dba3.place.4")),
            6 => Some((Self::Invader, "dba3.place.5")),
            _ => None,
        }
    }

    /// What people call him.
    pub fn word(self) -> &'static str {
        match self {
            Self::Die => "the die",
            Self::Defender => "the defender",
            Self::Invader => "the invader",
        }
    }
}

/// How a feature reaches over the lines of its quarter.
#[derive(Debug, Clone, Copy)]
struct Spill {
    /// Furthest beyond the line along x, and where; below zero where it stays inside.
    x: (f64, Point),
    /// The same along y.
    y: (f64, Point),
    /// By how much more may lie beyond the line that it crosses further, millimetres: below zero where more than half
    /// of the feature lies beyond.
    half: f64,
}

impl Spill {
    fn of(quarter: &Quarter, points: &[Point], half: impl FnOnce(Vector) -> f64) -> Self {
        let furthest = |by: &dyn Fn(Point) -> f64| {
            let all = points.iter().map(|p| (-by(*p), *p));
            all.max_by(|a, b| a.0.total_cmp(&b.0)).expect("a feature has points")
        };
        let x = furthest(&|p| quarter.depth(p).0);
        let y = furthest(&|p| quarter.depth(p).1);
        // The way into the quarter from the line that it crosses further.
        let into =
            if x.0 >= y.0 { Vector::new(quarter.into.x, 0.0) } else { Vector::new(0.0, quarter.into.y) };
        Self { x, y, half: half(into) }
    }

    /// How far it reaches into a neighbour.
    fn most(&self) -> (f64, Point) {
        if self.x.0 >= self.y.0 { self.x } else { self.y }
    }

    /// How far it reaches over the other line too.
    fn least(&self) -> (f64, Point) {
        if self.x.0 >= self.y.0 { self.y } else { self.x }
    }
}

/// Whether an area feature lies where its quarter lets it (clauses dba3.place.6 to .8).
pub fn placed(settings: &Settings, quarter: &Quarter, body: &Body<'_>) -> Terms {
    let mut terms = Terms::default();
    let (name, kind) = (body.name(), body.kind());
    if body.parts().any(|part| part.kind.is_bua()) {
        terms.note("dba3.bua.2", format!("{name} is placed as other area features are"), true);
    }
    let corners: Vec<Point> = body.corners().collect();
    let spill =
        Spill::of(quarter, &corners, |into| halving(body.main.outline.corners(), quarter.centre, into));
    match kind {
        TerrainKind::GentleHill => {
            may_spill(&name, quarter, &spill, ("dba3.place.7", Limit::Strict), &mut terms);
        }
        TerrainKind::Plough => {
            must_spill(settings, (&name, true), quarter, &spill, &mut terms);
        }
        _ => {
            let (mm, at) = spill.most();
            let text = format!("{name} lies wholly in quarter {}", quarter.number);
            let margin = Margin::closed(exact(-mm), rims(at, on_line(quarter, &spill, at)));
            let text = if margin.satisfied() {
                text
            } else {
                format!(
                    "{name} reaches {mm:.1} mm out of quarter {}, in which it must lie wholly",
                    quarter.number
                )
            };
            terms.test("dba3.place.6", text, margin);
        }
    }
    terms
}

/// Whether a waterway lies where its quarter lets it (clause dba3.place.8).
pub fn placed_water(settings: &Settings, quarter: &Quarter, name: &str, outline: &Polygon) -> Terms {
    let mut terms = Terms::default();
    let spill =
        Spill::of(quarter, outline.corners(), |into| halving(outline.corners(), quarter.centre, into));
    must_spill(settings, (name, false), quarter, &spill, &mut terms);
    terms
}

/// Whether a river or road lies where its quarter lets it (clause dba3.place.8).
pub fn placed_way(settings: &Settings, quarter: &Quarter, name: &str, way: &Way) -> Terms {
    let mut terms = Terms::default();
    let spill = Spill::of(quarter, way.line(), |into| {
        let inside: f64 = way.parts().map(|part| length_inside(&part, quarter.centre, into)).sum();
        inside - way.length_mm() / 2.0
    });
    must_spill(settings, (name, false), quarter, &spill, &mut terms);
    terms
}

fn on_line(quarter: &Quarter, spill: &Spill, at: Point) -> Point {
    let (along_x, along_y) = quarter.feet(at);
    if spill.x.0 >= spill.y.0 { along_x } else { along_y }
}

/// It may reach into one neighbour, with no more than its lesser part.
fn may_spill(
    name: &str,
    quarter: &Quarter,
    spill: &Spill,
    (clause, limit): (&str, Limit),
    terms: &mut Terms,
) {
    let ((most, at), (least, other)) = (spill.most(), spill.least());
    let number = quarter.number;
    let one = Margin::closed(exact(-least), rims(other, other));
    let text = if one.satisfied() {
        format!("{name} reaches from quarter {number} into one neighbour at most")
    } else {
        format!(
            "{name} reaches {least:.1} mm over the second line of quarter {number}: into more than one neighbour"
        )
    };
    terms.test(clause, text, one);
    let foot = on_line(quarter, spill, at);
    let share = Margin { mm: exact(spill.half), limit, binding: rims(at, foot) };
    let text = if most <= 0.0 {
        format!("{name} lies wholly in quarter {number}")
    } else {
        format!(
            "{name} reaches {most:.1} mm out of quarter {number}: its half line is {:.1} mm inside",
            spill.half
        )
    };
    terms.test(clause, text, share);
}

/// It must reach into one neighbour, with half of itself at most.
fn must_spill(
    settings: &Settings,
    (name, plough): (&str, bool),
    quarter: &Quarter,
    spill: &Spill,
    terms: &mut Terms,
) {
    may_spill(name, quarter, spill, ("dba3.place.8", Limit::Closed), terms);
    let must = match settings.straddle_features {
        Straddle::PloughAndLinear => true,
        Straddle::LinearOnly => !plough,
        Straddle::Optional => false,
    };
    let (most, at) = spill.most();
    let margin = Margin::strict(exact(most), rims(at, on_line(quarter, spill, at)));
    let reaches = if margin.satisfied() { "reaches" } else { "does not reach" };
    let text = format!("{name} {reaches} from quarter {} into a neighbour", quarter.number);
    if must {
        terms.test("dba3.place.8", format!("{text}, as it must"), margin);
        terms.test("dba3.set.97", format!("{text}, as it must"), margin);
    } else {
        let text = format!("{text}; by the setting it need not");
        terms.note("dba3.set.97", text, true);
    }
}

/// The least margin of all that is asked of an area feature of that kind with those corners in its quarter, millimetres.
pub(super) fn least_of(settings: &Settings, quarter: &Quarter, kind: TerrainKind, corners: &[Point]) -> f64 {
    let whole = |into| halving(corners, quarter.centre, into);
    match kind {
        TerrainKind::GentleHill | TerrainKind::Plough => {
            let spill = Spill::of(quarter, corners, whole);
            let must = kind == TerrainKind::Plough && settings.straddle_features == Straddle::PloughAndLinear;
            let reach = if must { spill.most().0 } else { f64::INFINITY };
            spill.half.min(-spill.least().0).min(reach)
        }
        _ => corners.iter().map(|p| quarter.depth(*p)).map(|(x, y)| x.min(y)).fold(f64::INFINITY, f64::min),
    }
}

/// How far the line that halves an area, along the line between two quarters, lies inside the one: below zero where more
/// than half of the area is outside.
fn halving(corners: &[Point], centre: Point, into: Vector) -> f64 {
    let at = |p: &Point| (p - centre).dot(&into);
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for corner in corners {
        (low, high) = (low.min(at(corner)), high.max(at(corner)));
    }
    let whole = area_beyond(corners, centre, into, low);
    // Halves: 60 steps narrow a metre to less than rounding.
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if area_beyond(corners, centre, into, middle) * 2.0 > whole {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// How much of an area lies further along a way than so far from a point.
fn area_beyond(corners: &[Point], centre: Point, way: Vector, from: f64) -> f64 {
    let at = |p: &Point| (p - centre).dot(&way) - from;
    let mut cut: Vec<Point> = Vec::with_capacity(corners.len() + 4);
    for (a, b) in corners.iter().zip(corners.iter().cycle().skip(1)) {
        let (x, y) = (at(a), at(b));
        if x >= 0.0 {
            cut.push(*a);
        }
        if (x >= 0.0) != (y >= 0.0) {
            cut.push(a + (b - a) * (x / (x - y)));
        }
    }
    let Some(&first) = cut.first() else { return 0.0 };
    let pairs = cut.windows(2).map(|p| {
        let (a, b) = (p[0] - first, p[1] - first);
        a.x * b.y - a.y * b.x
    });
    (pairs.sum::<f64>() / 2.0).abs()
}

/// How much of a straight part lies inside, seen from the line through the centre square to `into`.
fn length_inside(part: &crate::geometry::Segment, centre: Point, into: Vector) -> f64 {
    let (a, b) = ((part.start - centre).dot(&into), (part.end - centre).dot(&into));
    let share = match (a >= 0.0, b >= 0.0) {
        (true, true) => 1.0,
        (false, false) => 0.0,
        (true, false) => a / (a - b),
        (false, true) => b / (b - a),
    };
    part.length() * share
}
