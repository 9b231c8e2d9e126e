//! Groups and columns by the way that they were seen to go.
//!
//! The bases of a group are moved one after the other, so a look shows where the group went only if all of
//! it stood there as a body, or as a file behind its leader. Between such looks, where the way bends, the
//! move is explained piece by piece, and the pieces are one move. Table frame, millimetres. Invariant: a move made here
//! goes through every such look that the way bends at, within the room given.

use super::bodies::{bodies, rigid};
use super::candidates::{STRAIGHT_RAD, bends};
use super::columns::straight_to;
use super::explain::{NUDGE_MM, Seen};
use super::files::files;
use super::scene::FRONT;
use super::{Leg, Manoeuvre, TacticalMove};
use crate::rules::group::{Formed, Shape, formation};
use crate::rules::{Element, Settings, Setup};

/// Bends of which a piece still counts as the same wheel, or shifts as the same line: as far as figures go.
const SAME_MM: f64 = 0.01;

/// The moves along the way that these, a group or column, were seen to go from where they stand on `table`;
/// none where no look shows a bend, or where no move goes that way.
pub(super) fn along(
    table: &Setup,
    seen: Seen<'_>,
    settings: &Settings,
    formed: &Formed,
    names: &[&str],
    room_mm: f64,
) -> Option<Vec<TacticalMove>> {
    let room = NUDGE_MM.max(room_mm);
    let from = standing(table, names)?;
    let whole: Vec<&Setup> = seen
        .path
        .iter()
        .filter(|look| {
            standing(look, names).is_some_and(|there| {
                as_a_body(&from, &there, room) || as_a_file(&from, &there, settings, formed)
            })
        })
        .collect();
    // The outer bases of a wheel show its bend, the inner ones hardly.
    let bent_at = |name: &&str| -> Option<Vec<usize>> {
        let at = |setup: &Setup| setup.element(name).map(|e| e.footprint.pose().centre);
        let mut places = vec![at(table)?];
        places.extend(whole.iter().filter_map(|look| at(look)));
        places.push(at(seen.after)?);
        Some(bends(&places, room))
    };
    let bent = names.iter().filter_map(bent_at).max_by_key(Vec::len)?;
    if bent.is_empty() {
        return None;
    }
    let mut stops: Vec<&Setup> = bent.into_iter().map(|n| whole[n - 1]).collect();
    stops.push(seen.after);
    // Two ways of going on: all as one body, or in file behind the leader.
    let mut found = Vec::new();
    for column in [false, true] {
        let way = By { settings, formed, names, column };
        found.extend(way.chained(table, &stops, room, room_mm));
    }
    Some(found)
}

fn standing(setup: &Setup, names: &[&str]) -> Option<Vec<Element>> {
    names.iter().map(|name| setup.element(name).cloned()).collect()
}

/// Whether everybody stands in the same place about the others as before.
fn as_a_body(from: &[Element], there: &[Element], room_mm: f64) -> bool {
    let Some(motion) = rigid(from, there) else { return false };
    from.iter().zip(there).all(|(a, b)| {
        let to = a.footprint.moved_to(motion.applied_to(a.footprint.pose()));
        a.troop == b.troop && FRONT.iter().all(|&c| (to.corner(c) - b.footprint.corner(c)).norm() <= room_mm)
    })
}

/// Whether they are a column, in the order in which they were one.
fn as_a_file(from: &[Element], there: &[Element], settings: &Settings, formed: &Formed) -> bool {
    let [was, is] = [from, there].map(|all| formation(&all.iter().collect::<Vec<_>>(), settings, formed));
    let column = |shape: Shape| matches!(shape, Shape::Column | Shape::BentColumn);
    column(was.shape) && column(is.shape) && was.order == is.order
}

struct By<'a> {
    settings: &'a Settings,
    formed: &'a Formed,
    names: &'a [&'a str],
    column: bool,
}

impl By<'_> {
    /// The pieces from stop to stop as one move; none where a piece cannot be explained.
    fn chained(
        &self,
        table: &Setup,
        stops: &[&Setup],
        room_mm: f64,
        at_the_end: f64,
    ) -> Option<TacticalMove> {
        let mut here = table.clone();
        let mut legs: Vec<Leg> = Vec::new();
        let mut last = None;
        for (n, stop) in stops.iter().enumerate() {
            let room = if n + 1 == stops.len() { at_the_end } else { room_mm };
            let near = |mv: &TacticalMove| self.off_mm(mv, &here, stop);
            // The first that ends there as exactly as can be told, else the nearest.
            let pieces = self.pieces(&here, stop).into_iter().map(|mv| (near(&mv).max(at_the_end), mv));
            let (off, piece) = pieces.min_by(|a, b| a.0.total_cmp(&b.0))?;
            if off > room {
                return None;
            }
            here = piece.applied_to(&here);
            legs.extend(piece.movers.first()?.legs.iter().copied());
            last = Some(piece);
        }
        let last = last?;
        let legs = joined(legs);
        let order: Vec<&str> = last.names().collect();
        let whole = if self.column {
            TacticalMove::column(table, &order, &legs).ok()?
        } else {
            TacticalMove::group(order.iter().copied(), &legs)
        };
        Some(TacticalMove { conforming: last.conforming, ..whole })
    }

    fn pieces(&self, here: &Setup, stop: &Setup) -> Vec<TacticalMove> {
        let (Some(from), Some(to)) = (standing(here, self.names), standing(stop, self.names)) else {
            return Vec::new();
        };
        let mut found = Vec::new();
        if self.column {
            files((here, stop), self.settings, self.formed, self.names, (&from, &to), &mut found);
            found.retain(|mv| mv.manoeuvre == Manoeuvre::Column);
        } else {
            bodies((here, stop), self.settings, (&from, &to), self.names, &mut found);
            let moves = rigid(&from, &to).map(|motion| {
                let (pose, names) = (from[0].footprint.pose(), self.names.iter().copied());
                TacticalMove::group(names, &straight_to(pose, motion.applied_to(pose)))
            });
            found.extend(moves);
        }
        found
    }

    /// How far the front corner that is furthest off ends from where it was seen, millimetres.
    fn off_mm(&self, mv: &TacticalMove, here: &Setup, stop: &Setup) -> f64 {
        let end = mv.applied_to(here);
        let off = |name: &&str| match (end.element(name), stop.element(name)) {
            (Some(a), Some(b)) => {
                let seen = a.footprint.moved_to(b.footprint.pose());
                FRONT.map(|c| (a.footprint.corner(c) - seen.corner(c)).norm()).into_iter().fold(0.0, f64::max)
            }
            _ => f64::INFINITY,
        };
        self.names.iter().map(off).fold(0.0, f64::max)
    }
}

/// The same legs, with wheels about one point and shifts along one line made one.
fn joined(legs: Vec<Leg>) -> Vec<Leg> {
    let goes = |leg: &Leg| match leg {
        Leg::Shift(by) => by.norm() > 1e-9,
        Leg::Turn { by_rad, .. } => by_rad.abs() > STRAIGHT_RAD,
    };
    let mut all: Vec<Leg> = Vec::with_capacity(legs.len());
    for leg in legs.into_iter().filter(goes) {
        let one = match (all.last(), leg) {
            (Some(Leg::Shift(a)), Leg::Shift(b)) => {
                let aside = (a.x * b.y - a.y * b.x).abs() / a.norm().max(b.norm()).max(f64::EPSILON);
                (aside <= SAME_MM && a.dot(&b) >= 0.0).then(|| Leg::Shift(a + b))
            }
            (Some(Leg::Turn { about, by_rad }), Leg::Turn { about: then, by_rad: more }) => {
                ((about - then).norm() <= SAME_MM && by_rad * more >= 0.0)
                    .then(|| Leg::Turn { about: *about, by_rad: by_rad + more })
            }
            _ => None,
        };
        match one {
            Some(one) => {
                all.pop();
                all.push(one);
            }
            None => all.push(leg),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::super::{Explanation, explain};
    use super::*;
    use crate::geometry::{Corner, Point, Vector};
    use crate::rules::bound::Bound;
    use crate::rules::settings::MoveMeasure;
    use crate::rules::{Side, notation};

    const LINE: &str =
        "A 4Bd red general (4,4)-(5,4) N; B 4Bd red (5,4)-(6,4) N; E 4Bd blue general (5,12)-(4,12) S";
    const FILE: &str = "A 3Ax red general (4,4)-(5,4) N d0.5; B 3Ax red (4,3.5)-(5,3.5) N d0.5; \
                        C 3Ax red (4,3)-(5,3) N d0.5; E 4Bd blue general (5,12)-(4,12) S";

    fn setup(text: &str) -> Setup {
        notation::read_setup(text, Settings::dba3().ruleset()).expect("a setup")
    }

    fn told(before: &Setup, looks: &[Setup]) -> Explanation {
        let mut settings = Settings::dba3();
        settings.move_measure = MoveMeasure::SumOfLegs;
        let bound = Bound::new(3, Side::Red).with_pips(4);
        let formed = Formed::default().seen_again(before, &settings);
        let (after, path) = looks.split_last().expect("looks");
        let seen = Seen { before, path, after, sigma_mm: 0.0 };
        explain(seen, &bound, &settings, &formed).into_iter().next().expect("an explanation")
    }

    fn front(setup: &Setup, name: &str, corner: Corner) -> Point {
        setup.element(name).expect("there").footprint.corner(corner)
    }

    /// A line of two that weaves: out to the right by 15 degrees, back past straight, and straight again.
    fn woven() -> (Setup, Vec<Setup>) {
        let start = setup(LINE);
        let mut looks: Vec<Setup> = Vec::new();
        for (degrees, ahead_mm) in [(-15.0f64, 19.5), (30.0, 19.5), (-15.0, 0.0)] {
            let here = looks.last().unwrap_or(&start);
            let about = match degrees > 0.0 {
                true => front(here, "A", Corner::FrontLeft),
                false => front(here, "B", Corner::FrontRight),
            };
            let turn = Leg::Turn { about, by_rad: degrees.to_radians() };
            let wheeled = TacticalMove::group(["A", "B"], &[turn]).applied_to(here);
            let way = wheeled.element("A").expect("there").footprint.pose().heading.vector();
            let on = TacticalMove::group(["A", "B"], &[Leg::Shift(way * ahead_mm)]).applied_to(&wheeled);
            looks.push(on);
        }
        (start, looks)
    }

    #[test]
    fn a_group_seen_to_weave_has_gone_as_far_as_its_wheels() {
        // A wheels by 15 degrees on a front of 80 mm, twice: 20.9 mm each time; and 39 mm ahead: 80.8 mm
        // where Blades have 80, though it ends 79.1 mm straight ahead of where it stood.
        let (start, looks) = woven();
        let ends = told(&start, &looks[2..]);
        assert!(ends.legal, "by its ends alone it can have gone there: {ends:?}");
        let way = told(&start, &looks);
        assert!(way.moves.len() == 1 && !way.legal, "{:?}", way.moves);
        assert!(way.moves[0].mv.names().eq(["A", "B"]));
    }

    #[test]
    fn a_wheel_seen_half_way_is_one_wheel() {
        let start = setup(LINE);
        let about = front(&start, "A", Corner::FrontLeft);
        let looks: Vec<Setup> = [20.0f64, 45.0]
            .iter()
            .map(|deg| {
                let turn = Leg::Turn { about, by_rad: deg.to_radians() };
                TacticalMove::group(["A", "B"], &[turn]).applied_to(&start)
            })
            .collect();
        let way = told(&start, &looks);
        let [Leg::Turn { about: pivot, by_rad }] = way.moves[0].mv.movers[0].legs.as_slice() else {
            panic!("{:?}", way.moves[0].mv)
        };
        assert!((pivot - about).norm() < 1e-6 && (by_rad.to_degrees() - 45.0).abs() < 1e-6);
        assert!(way.legal && way.pips == 1);
    }

    #[test]
    fn bases_moved_one_by_one_tell_nothing_of_a_groups_way() {
        let start = setup(LINE);
        let both = [Leg::Shift(Vector::new(0.0, 60.0))];
        let first = TacticalMove::group(["B"], &[Leg::Shift(Vector::new(20.0, 70.0))]).applied_to(&start);
        let end = TacticalMove::group(["A", "B"], &both).applied_to(&start);
        let way = told(&start, &[first, end]);
        assert!(way.legal && way.pips == 1 && way.moves[0].mv.movers[0].legs == both, "{:?}", way.moves);
    }

    #[test]
    fn a_column_seen_to_wind_has_gone_along_its_bends() {
        let start = setup(FILE);
        let mut looks: Vec<Setup> = Vec::new();
        for (degrees, ahead_mm) in [(35.0f64, 45.0), (-35.0, 35.0)] {
            let here = looks.last().unwrap_or(&start);
            let corner = if degrees > 0.0 { Corner::FrontLeft } else { Corner::FrontRight };
            let turn = Leg::Turn { about: front(here, "A", corner), by_rad: degrees.to_radians() };
            let heading = here.element("A").expect("there").footprint.pose().heading;
            let on = Leg::Shift(heading.turned_degrees(degrees).vector() * ahead_mm);
            let mv = TacticalMove::column(here, &["A", "B", "C"], &[turn, on]).expect("a column");
            looks.push(mv.applied_to(here));
        }
        let way = told(&start, &looks);
        assert_eq!(way.moves.len(), 1);
        assert_eq!(way.moves[0].mv.manoeuvre, Manoeuvre::Column);
        let turns = way.moves[0].mv.movers[0].legs.iter();
        let turns: Vec<f64> = turns
            .filter_map(|leg| match leg {
                Leg::Turn { by_rad, .. } => Some(by_rad.to_degrees()),
                Leg::Shift(_) => None,
            })
            .collect();
        assert!(
            turns.len() == 2 && (turns[0] - 35.0).abs() < 1e-3 && (turns[1] + 35.0).abs() < 1e-3,
            "{turns:?}"
        );
        for name in ["A", "B", "C"] {
            let [is, seen] =
                [&way.after, &looks[1]].map(|s| s.element(name).expect("there").footprint.pose());
            assert!((is.centre - seen.centre).norm() < 0.01, "{name}");
        }
    }
}
