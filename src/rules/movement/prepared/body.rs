//! The moves of a group as one body on a table prepared once: ahead and wheels, each member's path ruled.
//!
//! What is rare is left to the judge of moves: columns, contact, going that is not good, adjusting to line up.
//! Table frame, millimetres.

use super::way::{Heed, Way};
use super::{Answers, End, Prepared, Ruled, Settled, Zones};
use crate::geometry::{Leg, Point, Pose};
use crate::rules::bound::Bound;
use crate::rules::conform::Motion;
use crate::rules::group::front_ends;
use crate::rules::movement::scene::seen_along;
use crate::rules::movement::zones;
use crate::rules::ruleset::Troop;
use crate::rules::{Element, Settings, Setup, exact};
use std::cell::OnceCell;

/// One group's moves in one bound.
#[derive(Debug)]
pub(in crate::rules) struct Body<'s> {
    members: Vec<Prepared<'s>>,
    /// The ends of its front, left and right.
    front: [Point; 2],
    from_within: bool,
    ask: bool,
    slowest_mm: f64,
}

/// A place where the group may end, if a path leads there.
#[derive(Debug)]
pub(in crate::rules) struct Ends {
    ends: Vec<End>,
    ask: bool,
}

impl<'s> Body<'s> {
    /// The moves of these, the first of whom legs are written for.
    pub fn of(
        near: &Setup,
        bound: &'s Bound,
        settings: &'s Settings,
        movers: &[(&'s Element, &'s Troop)],
    ) -> Self {
        let party: Vec<&Element> = movers.iter().map(|m| m.0).collect();
        let settled = Settled::of(near, bound, settings, &party);
        let member = |&m| Prepared::with(near.clone(), bound, settings, m, &party, settled);
        let mut members: Vec<Prepared<'s>> = movers.iter().map(member).collect();
        let slowest_mm = members.iter().map(|m| m.good_mm).fold(f64::INFINITY, f64::min);
        for member in &mut members {
            member.good_mm = slowest_mm;
        }
        let from_within = members.iter().any(|m| m.from_within);
        let ask = settled.column || members.iter().any(|m| m.ask || !m.patches.is_empty());
        let front = front_ends(&party, party[0].footprint.pose().heading);
        Self { members, front, from_within, ask, slowest_mm }
    }

    /// Whether the group may end with its first element there if only a path leads there; none where none can.
    pub fn end(&self, pose: Pose) -> Option<Ends> {
        let motion = Motion { from: self.members[0].mover.footprint.pose(), to: pose };
        let stands = self
            .members
            .iter()
            .map(|m| m.stand(motion.carries(m.mover.footprint.pose())))
            .collect::<Option<Vec<_>>>()?;
        let answers = stands.iter().map(|s| s.answers).fold(Answers::default(), |a, b| Answers {
            held: a.held || b.held,
            any: a.any || b.any,
            ends_in: a.ends_in || b.ends_in,
        });
        // A slide that is free to one is free to all.
        let ask = self.ask || stands.iter().any(|s| !s.touches.is_empty());
        let zones = if self.ask { Zones::Free } else { answers.zones(self.from_within) };
        if !ask && stands.iter().any(|s| exact(self.slowest_mm - s.chord_mm) < 0.0) {
            return None;
        }
        let ends = stands.into_iter().map(|s| End {
            base: s.base,
            block: s.block,
            zones,
            corner: s.corner,
            chord_mm: s.chord_mm,
            slide_mm: 0.0,
            contact: OnceCell::from(true),
            straight: OnceCell::new(),
        });
        Some(Ends { ends: ends.collect(), ask })
    }

    /// Whether a path of the whole group is legal that leads to that end.
    pub fn rules(&self, end: &Ends, legs: &[Leg]) -> Ruled {
        let ways: Vec<Way<'_, '_>> =
            self.members.iter().map(|m| Way::of(m, m.mover.footprint, legs)).collect();
        let clear = |heed| {
            let mut both = ways.iter().zip(&end.ends);
            both.all(|(way, end)| {
                way.shifts_clear(end, heed) && way.spares_one_of(way.turns_clear(end, heed))
            })
        };
        if !clear(Heed::Bases) || !self.members.iter().all(|m| m.keeps_on_board(legs)) {
            return Ruled::Illegal;
        }
        let adjusts = !self.goes_ahead(legs);
        if adjusts && !self.ask && !self.may_adjust(legs) {
            return Ruled::Illegal;
        }
        let bound = match end.ends[0].zones {
            Zones::Free => false,
            Zones::Clear => !clear(Heed::Zones),
            Zones::Back => true,
        };
        if adjusts || end.ask {
            return Ruled::Ask;
        }
        let far = || {
            ways.iter().zip(&end.ends).any(|(way, end)| {
                exact(self.slowest_mm - way.measured_mm(end, crate::rules::ruleset::Going::Good)) < 0.0
            })
        };
        if bound || far() { Ruled::Illegal } else { Ruled::Legal }
    }

    /// Whether a group may adjust along these legs as far as is told at once: where the first leg begins that goes
    /// neither ahead nor about an end of its front, somebody touches an enemy or is in a zone, or they go back, or the
    /// setting lets a group go sideways (clauses dba3.group.8, .9, dba3.tz.6, dba3.set.33). Doubt is for the judge.
    fn may_adjust(&self, legs: &[Leg]) -> bool {
        const DOUBT_MM: f64 = 0.1;
        let first = &self.members[0];
        let (settings, pose) = (first.settings, first.mover.footprint.pose());
        if settings.group_oblique_move || zones::all_back(pose, legs, &settings.tolerances) {
            return true;
        }
        let strays = |n: &usize| !self.goes_ahead(&legs[..=*n]);
        let Some(begins) = (0..legs.len()).find(strays) else { return true };
        if let Leg::Shift(by) = legs[begins] {
            let pose = legs[..begins].iter().fold(pose, |at, leg| leg.applied_to(at));
            let (right, ahead) = seen_along(pose, by);
            if ahead >= 0.0 && right.abs() <= zones::stray_mm(&settings.tolerances, by) + DOUBT_MM {
                return true;
            }
        }
        self.members.iter().any(|member| {
            let block = legs[..begins].iter().fold(member.start, |at, leg| at.after(leg));
            let room = settings.tolerances.contact_gap_mm + member.mover.overhang.front + DOUBT_MM;
            member.others.iter().filter(|o| o.enemy).any(|other| {
                block.gap(&other.block) <= room + other.overhang_mm
                    || other.zones.iter().any(|(_, zone)| block.gap(zone) <= DOUBT_MM)
            })
        })
    }

    /// Whether every leg is straight ahead or a wheel about an end of its front.
    fn goes_ahead(&self, legs: &[Leg]) -> bool {
        let tolerances = &self.members[0].settings.tolerances;
        let (mut pose, mut front) = (self.members[0].mover.footprint.pose(), self.front);
        legs.iter().all(|leg| {
            let good = match *leg {
                Leg::Shift(by) => {
                    let (right, ahead) = seen_along(pose, by);
                    right.abs() <= tolerances.corner_offset_mm && ahead >= -tolerances.corner_offset_mm
                }
                Leg::Turn { about, by_rad } => {
                    let pivot = if by_rad >= 0.0 { front[0] } else { front[1] };
                    (about - pivot).norm() <= tolerances.corner_offset_mm
                }
            };
            let carried = |at: Point| leg.applied_to(Pose { centre: at, ..pose }).centre;
            front = front.map(carried);
            pose = leg.applied_to(pose);
            good
        })
    }
}
