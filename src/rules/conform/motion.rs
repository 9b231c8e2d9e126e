//! Rigid motions that bring one base to a place and carry a whole party along, and the places where an
//! element stands lined up with an enemy.
//!
//! Table frame, millimetres. Invariant: a motion keeps every distance within the party.

use crate::geometry::{Corner, Edge, Footprint, Pose, Segment};
use crate::rules::settings::ConformMeasure;

/// The rigid motion that takes one pose to another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    /// Where the leading base stands.
    pub from: Pose,
    /// Where it comes to stand.
    pub to: Pose,
}

impl Motion {
    /// Where a base that stands at `pose` is carried to.
    pub fn carries(&self, pose: Pose) -> Pose {
        let seen = self.from.seen_from_here(pose.centre);
        let turn = self.from.heading.turn_to_radians(self.to.heading);
        let heading = if turn == 0.0 { pose.heading } else { pose.heading.turned_degrees(turn.to_degrees()) };
        Pose { centre: self.to.at(seen.x, seen.y), heading }
    }

    /// How large it is for a party, millimetres (clauses dba3.cf.1 and dba3.set.102).
    pub fn measure_mm<'f>(
        &self,
        party: impl IntoIterator<Item = &'f Footprint>,
        measure: ConformMeasure,
    ) -> f64 {
        let corners = party.into_iter().flat_map(|base| {
            let after = base.moved_to(self.carries(base.pose()));
            Corner::ALL.map(|c| (after.corner(c) - base.corner(c)).norm())
        });
        match measure {
            ConformMeasure::FurthestCorner => corners.fold(0.0, f64::max),
            ConformMeasure::SumOfCorners => corners.sum(),
        }
    }
}

/// A way of standing lined up with an enemy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Way {
    /// Front edge to front edge (clause dba3.con.4).
    Front,
    /// Front edge to rear edge (clause dba3.con.5).
    Rear,
    /// Front edge along that side edge, front corners together (clause dba3.con.6).
    Flank(Edge),
    /// In overlap at that side of the enemy, front corners together (clause dba3.con.7).
    Overlap(Edge),
}

impl Way {
    /// Every way.
    pub const ALL: [Self; 6] = [
        Self::Front,
        Self::Rear,
        Self::Flank(Edge::Left),
        Self::Flank(Edge::Right),
        Self::Overlap(Edge::Left),
        Self::Overlap(Edge::Right),
    ];

    /// The clause that describes it.
    pub fn clause(self) -> &'static str {
        match self {
            Self::Front => "dba3.con.4",
            Self::Rear => "dba3.con.5",
            Self::Flank(_) => "dba3.con.6",
            Self::Overlap(_) => "dba3.con.7",
        }
    }

    /// What people call it: "front edge to front edge".
    pub fn name(self) -> &'static str {
        match self {
            Self::Front => "front edge to front edge",
            Self::Rear => "front edge to rear edge",
            Self::Flank(_) => "front edge to side edge",
            Self::Overlap(_) => "in overlap",
        }
    }

    /// The pose of a base of the size of `own` that stands lined up with `enemy` this way, edges touching
    /// exactly. Where widths differ a little the middles of the edges meet.
    pub fn place(self, own: &Footprint, enemy: &Footprint) -> Pose {
        let pose = enemy.pose();
        let (half_width, half_depth) = (own.width_mm() / 2.0, own.depth_mm() / 2.0);
        let (enemy_width, enemy_depth) = (enemy.width_mm() / 2.0, enemy.depth_mm() / 2.0);
        match self {
            Self::Front => {
                let centre = pose.at(0.0, enemy_depth + half_depth);
                Pose { centre, heading: pose.heading.reversed() }
            }
            Self::Rear => Pose { centre: pose.at(0.0, -enemy_depth - half_depth), heading: pose.heading },
            Self::Flank(edge) => {
                let (hand, turn) = if edge == Edge::Left { (-1.0, -90.0) } else { (1.0, 90.0) };
                let centre = pose.at(hand * (enemy_width + half_depth), enemy_depth - half_width);
                Pose { centre, heading: pose.heading.turned_degrees(turn) }
            }
            Self::Overlap(edge) => {
                let hand = if edge == Edge::Left { -1.0 } else { 1.0 };
                let centre = pose.at(hand * (enemy_width + half_width), enemy_depth + half_depth);
                Pose { centre, heading: pose.heading.reversed() }
            }
        }
    }

    /// The enemy's edge that it is about.
    pub fn edge(self) -> Edge {
        match self {
            Self::Front => Edge::Front,
            Self::Rear => Edge::Rear,
            Self::Flank(edge) | Self::Overlap(edge) => edge,
        }
    }
}

/// How far `by` takes a base along the front edge of an enemy, millimetres: the sideways part.
pub(super) fn sideways_mm(by: &Motion, front: Segment) -> f64 {
    let along = front.end - front.start;
    let length = along.norm();
    if length == 0.0 { 0.0 } else { (by.to.centre - by.from.centre).dot(&along) / length }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Context, Settings, contact, notation};

    #[test]
    fn every_way_ends_lined_up_by_the_contact_test_itself() {
        let settings = Settings::dba3();
        let setup = notation::read_setup(
            "A 4Bd red at (33,20)mm 17deg w40mm d15mm; E 3Kn blue at (300,210)mm 201deg w40mm d30mm",
            settings.ruleset(),
        )
        .expect("a good setup");
        let (a, e) = (&setup.elements[0], &setup.elements[1]);
        let context = Context::of(&setup, &settings);
        for way in Way::ALL {
            let mut a = a.clone();
            a.footprint = a.footprint.moved_to(way.place(&a.footprint, &e.footprint));
            let margin = match way {
                Way::Overlap(_) => crate::rules::engagement::overlap_position(&a, e, &context),
                _ => contact::on_edge(&a, e, way.edge(), &settings.tolerances).margin(),
            };
            assert!((margin.mm - 1.0).abs() < 1e-9, "{way:?}: {margin:?}");
        }
    }

    #[test]
    fn a_motion_carries_the_party_rigidly() {
        let motion = Motion { from: Pose::new(10.0, 20.0, 90.0), to: Pose::new(50.0, 20.0, 80.0) };
        assert_eq!(motion.carries(motion.from).centre, motion.to.centre);
        let (a, b) = (Pose::new(0.0, 0.0, 45.0), Pose::new(70.0, -30.0, 45.0));
        let (was, is) =
            ((a.centre - b.centre).norm(), (motion.carries(a).centre - motion.carries(b).centre).norm());
        assert!((was - is).abs() < 1e-9);
        assert!((motion.carries(a).heading.degrees() - 35.0).abs() < 1e-9);
    }
}
