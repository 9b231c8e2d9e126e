//! The paths of those who follow in a column.
//!
//! Table frame, millimetres. How far a column has gone is measured at its inner corners, which stand
//! still while an element wheels: a follower goes to where its leader began, then along the leader's
//! own legs, until it has gone as far as the leader. Invariant: no follower shifts further than the leader.

use super::{Leg, Manoeuvre, MoveError, Mover, TacticalMove};
use crate::geometry::{Corner, Footprint, Line, Point, Pose, Segment, Vector};
use crate::rules::{Element, Setup};

/// Turns smaller than this are none, radians.
const STRAIGHT_RAD: f64 = 1e-9;

impl TacticalMove {
    /// A column whose leader, the first named, goes along `legs`, the others after it along its path
    /// (clause dba3.col.5).
    ///
    /// # Errors
    /// As [`TacticalMove::elements`].
    pub fn column(setup: &Setup, names: &[&str], legs: &[Leg]) -> Result<Self, MoveError> {
        Self::in_file(setup, names, legs, Manoeuvre::Column)
    }

    /// The same by road.
    ///
    /// # Errors
    /// As [`TacticalMove::elements`].
    pub fn by_road(setup: &Setup, names: &[&str], legs: &[Leg]) -> Result<Self, MoveError> {
        Self::in_file(setup, names, legs, Manoeuvre::ByRoad)
    }

    fn in_file(setup: &Setup, names: &[&str], legs: &[Leg], how: Manoeuvre) -> Result<Self, MoveError> {
        let elements = standing(setup, names, how.clone())?;
        let goes: f64 = legs.iter().map(length).sum();
        let mut path: Vec<Leg> = legs.to_vec();
        let mut movers = Vec::with_capacity(elements.len());
        for (n, element) in elements.iter().enumerate() {
            if let Some(ahead) = n.checked_sub(1).map(|before| elements[before]) {
                let mut joined = up_to(&element.footprint, &ahead.footprint);
                joined.append(&mut path);
                path = joined;
            }
            movers.push(Mover { name: element.name.clone(), legs: cut(&path, goes) });
        }
        Ok(Self::of(movers, how))
    }

    /// A group that narrows into a column: the first named goes along `legs`, each of the others straight
    /// to its place behind the one before it (clause dba3.col.2).
    ///
    /// # Errors
    /// As [`TacticalMove::elements`].
    pub fn into_column(setup: &Setup, names: &[&str], legs: &[Leg]) -> Result<Self, MoveError> {
        let elements = standing(setup, names, Manoeuvre::IntoColumn)?;
        let mut movers: Vec<Mover> = Vec::with_capacity(elements.len());
        let mut tail: Option<Footprint> = None;
        for element in elements {
            let start = element.footprint.pose();
            let (legs, end) = match tail {
                None => {
                    let leader = Mover { name: element.name.clone(), legs: legs.to_vec() };
                    let end = leader.end(start);
                    (leader.legs, end)
                }
                Some(ahead) => {
                    let back = (ahead.depth_mm() + element.footprint.depth_mm()) / 2.0;
                    let place = Pose { centre: ahead.pose().at(0.0, -back), ..ahead.pose() };
                    (straight_to(start, place), place)
                }
            };
            tail = Some(element.footprint.moved_to(end));
            movers.push(Mover { name: element.name.clone(), legs });
        }
        Ok(Self::of(movers, Manoeuvre::IntoColumn))
    }
}

/// Straight to a place, and turned there on the spot.
pub fn straight_to(from: Pose, to: Pose) -> Vec<Leg> {
    let mut legs = Vec::new();
    let by = to.centre - from.centre;
    if by.norm() > 0.0 {
        legs.push(Leg::Shift(by));
    }
    let turn = from.heading.turn_to_radians(to.heading);
    if turn.abs() > STRAIGHT_RAD {
        legs.push(Leg::Turn { about: to.centre, by_rad: turn });
    }
    legs
}

fn standing<'s>(setup: &'s Setup, names: &[&str], how: Manoeuvre) -> Result<Vec<&'s Element>, MoveError> {
    let bare = |name: &&str| Mover { name: (*name).to_owned(), legs: Vec::new() };
    TacticalMove::of(names.iter().map(bare).collect(), how).elements(setup)
}

fn length(leg: &Leg) -> f64 {
    match leg {
        Leg::Shift(by) => by.norm(),
        Leg::Turn { .. } => 0.0,
    }
}

/// The legs that bring `follower` to where `ahead` stands: straight, or where the column is bent, to the
/// spot of the bend, round it about the inner corner, and on.
fn up_to(follower: &Footprint, ahead: &Footprint) -> Vec<Leg> {
    let turn = follower.pose().heading.turn_to_radians(ahead.pose().heading);
    let inner = if turn >= 0.0 { Corner::FrontLeft } else { Corner::FrontRight };
    let (from, to) = (follower.corner(inner), ahead.corner(inner));
    if turn.abs() > STRAIGHT_RAD
        && let Some(bend) =
            crossing(from, follower.pose().heading.vector(), to, ahead.pose().heading.vector())
    {
        return vec![Leg::Shift(bend - from), Leg::Turn { about: bend, by_rad: turn }, Leg::Shift(to - bend)];
    }
    vec![Leg::Shift(to - from)]
}

/// Where the line from `from` along `way` meets the line that arrives at `to` along `then`; none where it
/// lies behind the one or ahead of the other.
fn crossing(from: Point, way: Vector, to: Point, then: Vector) -> Option<Point> {
    let line = Line::along(Segment::new(to - then, to))?;
    let (here, rate) = (line.left_of(from), line.left_of(from + way) - line.left_of(from));
    let bend = from + way * (-here / rate);
    let ahead = (bend - from).dot(&way) >= -1e-9 && (to - bend).dot(&then) >= -1e-9;
    (rate.abs() > STRAIGHT_RAD && ahead).then_some(bend)
}

/// The part of a path whose shifts are `goes` long in all. A turn at its very end is left out: the bend
/// is reached, not yet passed; unless nothing of the path is cut.
fn cut(path: &[Leg], goes: f64) -> Vec<Leg> {
    let mut left = goes;
    let mut legs = Vec::new();
    let whole = path.iter().map(length).sum::<f64>() <= goes + 1e-9;
    for leg in path {
        if whole {
            legs.push(*leg);
            continue;
        }
        if left <= 1e-9 {
            break;
        }
        match leg {
            Leg::Shift(by) if by.norm() > left => {
                legs.push(Leg::Shift(by * (left / by.norm())));
                left = 0.0;
            }
            leg => {
                left -= length(leg);
                legs.push(*leg);
            }
        }
    }
    legs.retain(|leg| !matches!(leg, Leg::Shift(by) if by.norm() == 0.0));
    legs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, notation};

    fn setup() -> Setup {
        let text =
            "A 4Bd red (5,5)-(6,5) N d0.5; B 4Bd red (5,4.5)-(6,4.5) N d0.5; C 4Bd red (5,4)-(6,4) N d0.5";
        notation::read_setup(text, &Ruleset::dba3()).expect("a setup")
    }

    fn corner(setup: &Setup, name: &str, corner: Corner) -> Point {
        setup.element(name).expect("there").footprint.corner(corner)
    }

    #[test]
    fn a_column_that_wheels_keeps_its_inner_corners_together() {
        let before = setup();
        let wheel = Leg::Turn { about: Point::new(200.0, 220.0), by_rad: 0.5 };
        let on = Vector::new(-(0.5f64.sin()), 0.5f64.cos()) * 50.0;
        let legs = [Leg::Shift(Vector::new(0.0, 20.0)), wheel, Leg::Shift(on)];
        let column = TacticalMove::column(&before, &["A", "B", "C"], &legs).expect("a column");
        let after = column.applied_to(&before);
        for (ahead, behind) in [("A", "B"), ("B", "C")] {
            let apart = corner(&after, ahead, Corner::RearLeft) - corner(&after, behind, Corner::FrontLeft);
            assert!(apart.norm() < 1e-9, "{ahead} {behind} {apart}");
        }
        for mover in &column.movers {
            assert!((mover.legs.iter().map(length).sum::<f64>() - 70.0).abs() < 1e-9);
        }
        // Bent columns go on: straight ahead, everyone round the bend in its turn.
        let further = [Leg::Shift(on)];
        let second = TacticalMove::column(&after, &["A", "B", "C"], &further).expect("a column");
        let end = second.applied_to(&after);
        let apart = corner(&end, "A", Corner::RearLeft) - corner(&end, "B", Corner::FrontLeft);
        assert!(apart.norm() < 1e-9);
        let heading = |name: &str| end.element(name).expect("there").footprint.pose().heading;
        assert!(heading("C").turn_to_radians(heading("A")).abs() < 1e-9);
    }

    #[test]
    fn a_line_that_forms_column_ends_one_behind_the_other() {
        let text = "A 4Bd red (4,5)-(5,5) N d0.5; B 4Bd red (5,5)-(6,5) N d0.5; C Ps red (6,5)-(7,5) N d0.5";
        let before = notation::read_setup(text, &Ruleset::dba3()).expect("a setup");
        let legs = [Leg::Shift(Vector::new(0.0, 80.0))];
        let column = TacticalMove::into_column(&before, &["B", "A", "C"], &legs).expect("a column");
        let after = column.applied_to(&before);
        for (ahead, behind) in [("B", "A"), ("A", "C")] {
            for (rear, front) in
                [(Corner::RearLeft, Corner::FrontLeft), (Corner::RearRight, Corner::FrontRight)]
            {
                assert!((corner(&after, ahead, rear) - corner(&after, behind, front)).norm() < 1e-9);
            }
        }
    }
}
