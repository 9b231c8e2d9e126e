//! Where bases come to rest that go past others: beside them and not in them.
//!
//! Table frame, millimetres. Nobody is stopped by a base that reaches into its way by no more than bases that touch are
//! measured into each other, the contact gap: a friend that stands askew beside a recoil does not destroy it. Who went
//! stands clear of such a base at its end: short of it where the gap is enough for that, else shifted by the least that parts
//! them, and where it is between two that leave it no such place, as much short as it must. A choice of ours; the clauses
//! know no such overlaps. Invariant: who
//! is in somebody by no more than the gap ends in nobody by more than rounding, if there is such a place within twice the
//! gap.

use super::{Element, Location, Setup};
use crate::geometry::{Edge, Footprint, Point, Pose, Vector, separation};

/// Less than this is rounding, millimetres.
const ROUNDING_MM: f64 = 1e-6;
/// How often it is shifted clear of everybody in turn.
const ROUNDS: usize = 40;
/// Places short of the end that are tried.
const SHORT_OF: usize = 40;

/// By how much a body of bases that has come to `ends` is shifted to stand clear of those that it grazes. `back` is the way
/// that it came from, of any length; zero where it is not to stop short. Those named in `but` are left out, and so is
/// whoever it is in by more than `slack`: who is pushed is moved apart from it.
pub(super) fn clearing(setup: &Setup, ends: &[Footprint], but: &[&str], back: Vector, slack: f64) -> Vector {
    let none = Vector::zeros();
    let standing = |e: &&Element| e.location == Location::Board && !but.contains(&e.name.as_str());
    let grazed = |other: &&Footprint| {
        let least = ends.iter().map(|end| separation(end, other).mm).fold(f64::INFINITY, f64::min);
        (-slack - ROUNDING_MM..=4.0 * slack).contains(&least)
    };
    let others: Vec<&Footprint> =
        setup.elements.iter().filter(standing).map(|e| &e.footprint).filter(grazed).collect();
    let body = Body { ends, others: &others, slack };
    if body.is_clear(none) {
        return none;
    }
    let back = back.try_normalize(ROUNDING_MM);
    if let Some(short) = back.and_then(|back| body.short_of(back)).or_else(|| body.beside(none)) {
        return short;
    }
    let Some(back) = back else { return none };
    let short = (1..=SHORT_OF).map(|n| back * (2.0 * slack * n as f64 / SHORT_OF as f64));
    short.into_iter().find_map(|by| body.beside(by)).unwrap_or(none)
}

/// The pose to which `element` goes when it goes to `to`, clear of those that it grazes there.
pub(super) fn settled(setup: &Setup, element: &Element, to: Pose, slack: f64) -> Pose {
    let back = element.footprint.pose().centre - to.centre;
    let ends = [element.footprint.moved_to(to)];
    to.nudged(clearing(setup, &ends, &[element.name.as_str()], back, slack), 0.0)
}

/// Bases that move as one, and those near them.
struct Body<'b> {
    ends: &'b [Footprint],
    others: &'b [&'b Footprint],
    slack: f64,
}

impl Body<'_> {
    fn is_clear(&self, shift: Vector) -> bool {
        let there = |end: &Footprint| end.moved_to(end.pose().nudged(shift, 0.0));
        let parted = |end: &Footprint| {
            let end = there(end);
            self.others.iter().all(|other| separation(&end, other).mm >= -ROUNDING_MM)
        };
        self.ends.iter().all(parted)
    }

    /// The least that it stops short by to be clear of everybody; none where that is more than the gap.
    fn short_of(&self, back: Vector) -> Option<Vector> {
        let (mut in_one, mut clear) = (0.0, self.slack);
        if !self.is_clear(back * clear) {
            return None;
        }
        for _ in 0..40 {
            let middle = (in_one + clear) / 2.0;
            if self.is_clear(back * middle) { clear = middle } else { in_one = middle }
        }
        Some(back * clear)
    }

    /// A shift near that one that is clear of everybody, as parting from one after the other finds it; none where that takes
    /// more than twice the gap.
    fn beside(&self, from: Vector) -> Option<Vector> {
        let mut shift = from;
        for _ in 0..ROUNDS {
            let mut moved = false;
            for (end, other) in self.ends.iter().flat_map(|e| self.others.iter().map(move |o| (e, *o))) {
                let there = end.moved_to(end.pose().nudged(shift, 0.0));
                if separation(&there, other).mm < -ROUNDING_MM {
                    shift += parting(&there, other);
                    moved = true;
                }
            }
            if !moved {
                return ((shift - from).norm() <= 2.0 * self.slack).then_some(shift);
            }
        }
        None
    }
}

/// The least shift of `base` that parts it from `other`, which it is in.
fn parting(base: &Footprint, other: &Footprint) -> Vector {
    // Outwards across an edge of one, by as much as the other's furthest corner is inside its line.
    let across = |of: &Footprint, edge: Edge, from: &Footprint| {
        let (at, centre) = (of.edge(edge), of.pose().centre);
        let out = (at.start + (at.end - at.start) / 2.0 - centre).try_normalize(0.0)?;
        let inside = |p: Point| (at.start - p).dot(&out);
        Some((from.outline().into_iter().map(inside).fold(f64::NEG_INFINITY, f64::max), out))
    };
    let edges = [Edge::Left, Edge::Right, Edge::Front, Edge::Rear];
    let own = edges.iter().filter_map(|edge| across(base, *edge, other).map(|(deep, out)| (deep, -out)));
    let others = edges.iter().filter_map(|edge| across(other, *edge, base));
    let (deep, way) = own
        .chain(others)
        // Of ways that part them equally the first is taken, however the table lies.
        .reduce(|best, next| if next.0 < best.0 - ROUNDING_MM { next } else { best })
        .expect("bases have edges");
    way * deep.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Settings, notation};

    const A: &str = "bw 40mm board 600x600mm\nA 4Bd red (100,100)-(140,100)mm N d15mm";

    /// Where `A` of these settles, having gone `mm` straight back from (120, 92.5), and the deepest that it is in anybody.
    fn after(others: &str, mm: f64) -> ((f64, f64), f64) {
        let settings = Settings::dba3();
        let setup = notation::read_setup(&format!("{A}\n{others}"), settings.ruleset()).expect("a setup");
        let a = setup.element("A").expect("A");
        let pose = a.footprint.pose();
        let to = Pose { centre: pose.at(0.0, -mm), ..pose };
        let end = a.footprint.moved_to(settled(&setup, a, to, settings.tolerances.contact_gap_mm));
        let others = setup.elements.iter().filter(|e| e.name != "A");
        let deep = others.map(|e| -separation(&end, &e.footprint).mm).fold(f64::NEG_INFINITY, f64::max);
        ((end.pose().centre.x, end.pose().centre.y), deep)
    }

    fn near(a: (f64, f64), b: (f64, f64)) -> bool {
        (a.0 - b.0).hypot(a.1 - b.1) < 1e-5
    }

    #[test]
    fn who_is_in_nobody_stands_where_it_came_to() {
        let (end, _) = after("B 4Bd red (140,90)-(180,90)mm N d15mm", 15.0);
        assert_eq!(end, (120.0, 77.5));
    }

    #[test]
    fn beside_one_that_reaches_into_its_way_it_is_shifted_by_as_much() {
        // B reaches 0.4 mm over the line of A's right side, where A comes to stand.
        let (end, deep) = after("B 4Bd red (139.6,84)-(179.6,84)mm N d15mm", 15.0);
        assert!(near(end, (119.6, 77.5)) && deep < 2.0 * ROUNDING_MM, "{end:?} {deep}");
    }

    #[test]
    fn against_one_behind_it_stops_short() {
        // B's front edge is 0.4 mm before the end of A's recoil.
        let (end, deep) = after("B 4Bd red (110,70.4)-(150,70.4)mm N d15mm", 15.0);
        assert!(near(end, (120.0, 77.9)) && deep < 2.0 * ROUNDING_MM, "{end:?} {deep}");
    }

    #[test]
    fn between_two_that_leave_no_place_it_stops_short() {
        // Their front edges are 1 mm behind its rear edge at first, and 39.2 mm are between them: it cannot go in by 3 mm.
        let two = "B 4Bd red (139.6,84)-(179.6,84)mm N d15mm\nC 4Bd red (60.4,84)-(100.4,84)mm N d15mm";
        let (end, deep) = after(two, 2.5);
        assert!(deep < 2.0 * ROUNDING_MM && end.1 <= 91.5 + 1e-5 && end.1 >= 90.0, "{end:?} {deep}");
        // Where they stand 20 mm deep there is no such place near, and it stays.
        assert!(near(after(two, 12.0).0, (120.0, 80.5)));
    }
}
