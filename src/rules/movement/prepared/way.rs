//! A path laid out for ruling: what it runs into, which zones it enters, what it goes through, how far it goes.
//!
//! Table frame, millimetres.

use super::{End, Other, Prepared};
use crate::geometry::{Corner, Footprint, Leg, Point, Pose, Sweep};
use crate::rules::exact;
use crate::rules::movement::block::Block;
use crate::rules::movement::{corner, gaps, ground, passage, zones};
use crate::rules::ruleset::{Going, Kind};
use crate::rules::settings::MoveMeasure;
use std::cell::OnceCell;
use std::cmp::Ordering;

/// Whether zones matter to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rules) enum Heed {
    /// Bases alone.
    Bases,
    /// Enemy zones too.
    Zones,
}

/// A path laid out.
pub(super) struct Way<'p, 's> {
    on: &'p Prepared<'s>,
    start: Footprint,
    legs: &'p [Leg],
    /// Where each leg begins, laid out when first asked for.
    from: OnceCell<Vec<Pose>>,
    blocks: Vec<Block>,
    by_legs_mm: OnceCell<f64>,
    spared: OnceCell<Corner>,
}

/// The rear corners, left and right.
pub(super) const REAR: [Corner; 2] = [Corner::RearLeft, Corner::RearRight];

impl<'p, 's> Way<'p, 's> {
    /// Lays it out.
    pub fn of(on: &'p Prepared<'s>, start: Footprint, legs: &'p [Leg]) -> Self {
        let (mut block, mut blocks) = (on.start, Vec::with_capacity(legs.len()));
        for (n, leg) in legs.iter().enumerate() {
            blocks.push(block);
            if n + 1 < legs.len() {
                block = block.after(leg);
            }
        }
        let (from, by_legs_mm, spared) = Default::default();
        Self { on, start, legs, from, blocks, by_legs_mm, spared }
    }

    fn sweep(&self, n: usize) -> Sweep {
        let from = self.from.get_or_init(|| {
            let after = |at: &mut Pose, leg: &Leg| Some(std::mem::replace(at, leg.applied_to(*at)));
            self.legs.iter().scan(self.start.pose(), after).collect()
        });
        Sweep { base: self.on.mover.footprint.moved_to(from[n]), leg: self.legs[n] }
    }

    fn sweeps(&self) -> impl Iterator<Item = Sweep> + '_ {
        (0..self.legs.len()).map(|n| self.sweep(n))
    }

    /// The turns with where each begins.
    fn turns(&self) -> impl Iterator<Item = (&Block, &Leg, (Point, f64))> + '_ {
        let turn = |(leg, block): (&'p Leg, _)| match *leg {
            Leg::Turn { about, by_rad } => Some((block, leg, (about, by_rad))),
            Leg::Shift(_) => None,
        };
        self.legs.iter().zip(&self.blocks).filter_map(turn)
    }

    /// For each rear corner whether the turns keep out of that block without it.
    fn without(&self, other: &Block, limit_mm: f64) -> [bool; 2] {
        let mut clear = [true; 2];
        for (block, _, turn) in self.turns().filter(|(block, leg, _)| block.reaches(leg, other, limit_mm)) {
            for (clear, rear) in clear.iter_mut().zip(REAR) {
                *clear = *clear && !block.turn_reaches_without(rear, turn, other, limit_mm);
            }
        }
        clear
    }

    /// The rear corner that may sweep over things.
    fn spared(&self) -> Corner {
        *self.spared.get_or_init(|| {
            let slack_mm = self.on.settings.tolerances.contact_gap_mm;
            let bases = self.on.others.iter().map(|o| (o.base, self.without(&o.block, -slack_mm)));
            let bases: Vec<(Footprint, [bool; 2])> = bases.filter(|o| o.1 != [true; 2]).collect();
            let zones = self.on.others.iter().flat_map(|o| &o.zones);
            let zones = zones.map(|(zone, block)| (*zone, self.without(block, -zones::TOUCH_MM)));
            let zones: Vec<(Footprint, [bool; 2])> = zones.filter(|o| o.1 != [true; 2]).collect();
            let hits = |n: usize| bases.iter().chain(&zones).filter(|o| !o.1[n]).count();
            match hits(0).cmp(&hits(1)) {
                Ordering::Less => return REAR[0],
                Ordering::Greater => return REAR[1],
                Ordering::Equal => {}
            }
            let turns: Vec<Sweep> = self.sweeps().filter(|s| matches!(s.leg, Leg::Turn { .. })).collect();
            let places = |all: &[(Footprint, [bool; 2])]| all.iter().map(|o| o.0).collect::<Vec<_>>();
            let going = |corner| self.on.going_of(&turns, Some(corner));
            corner::spared_of(&turns, &places(&bases), &places(&zones), slack_mm, &going)
        })
    }

    /// Whether the straight legs run into nobody, save whom they may pass straight through, and into no zone that
    /// matters.
    pub fn shifts_clear(&self, end: &End, heed: Heed) -> bool {
        let hits = |other: &Block, limit_mm: f64| {
            let shift = |(leg, block): (&Leg, &Block)| match *leg {
                Leg::Shift(by) => block.shift_reaches(by, other, limit_mm),
                Leg::Turn { .. } => false,
            };
            self.legs.iter().zip(&self.blocks).any(shift)
        };
        let barred = |o: &Other| {
            (hits(&o.block, o.limit_mm) && !self.goes_through(end, o))
                || (heed == Heed::Zones
                    && o.threatens
                    && o.zones.iter().any(|zone| hits(&zone.1, -zones::TOUCH_MM)))
        };
        self.on.none_bars(barred)
    }

    /// For each rear corner, left and right, whether the turns run into nobody and no zone that matters where it is the
    /// one that is spared: looked at no further where neither is.
    pub fn turns_clear(&self, end: &End, heed: Heed) -> [bool; 2] {
        let mut open = [true; 2];
        for (block, leg, turn) in self.turns() {
            let clear = self.on.turns.clear(self.on, (block, leg, turn), heed);
            open = [open[0] && clear[0], open[1] && clear[1]];
            if open == [false; 2] {
                return open;
            }
        }
        if self.turns().next().is_some() {
            for other in self.on.others.iter().filter(|other| other.passed) {
                let clear = self.without(&other.block, other.limit_mm);
                if clear != [true; 2] && !self.goes_through(end, other) {
                    open = [open[0] && clear[0], open[1] && clear[1]];
                }
            }
        }
        open
    }

    /// Whether the corner that is spared is one of these. Which it is is dear to find: only where it matters.
    pub fn spares_one_of(&self, open: [bool; 2]) -> bool {
        match open {
            [true, true] => true,
            [false, false] => false,
            [left, _] => (self.spared() == Corner::RearLeft) == left,
        }
    }

    /// Whether it may pass through somebody that it runs into.
    fn goes_through(&self, end: &End, other: &Other) -> bool {
        let slack_mm = self.on.settings.tolerances.contact_gap_mm;
        let start = &self.on.mover.footprint;
        other.passed
            && exact(end.block.gap(&other.block) + slack_mm) >= 0.0
            && passage::lined_through(start, &end.base, &other.base, self.on.settings).satisfied()
    }

    /// Whether no gap that it goes through is too narrow.
    pub fn fits_gaps(&self) -> bool {
        let bw = self.on.near.scale.mm_per_bw();
        (0..self.legs.len()).all(|n| {
            let Leg::Shift(by) = self.legs[n] else { return true };
            let most = 2.0 * self.on.start.radius;
            let beside = |o: &&Other| {
                let (to, length) = (o.block.centre - self.blocks[n].centre, by.norm());
                let (along, aside) = (to.dot(&by) / length, (to.x * by.y - to.y * by.x).abs() / length);
                let reach = self.on.start.radius + o.block.radius;
                aside - o.block.radius <= most && along >= -reach && along <= length + reach
            };
            if by.norm() == 0.0 {
                return true;
            }
            let others = self.on.others.iter().filter(beside).map(|o| o.base);
            gaps::fits(others, self.on.settings, bw, &self.sweep(n), by)
        })
    }

    /// Whether it surely goes through something that slows it: a corner or the middle of its base lies there where it
    /// stands before a leg or on a straight one, or a front corner while it turns.
    pub fn is_surely_slowed(&self) -> bool {
        const LOOKS: u32 = 4;
        let slowing = || self.on.patches.iter().filter(|patch| patch.going > Going::Good);
        let share = |n: u32| f64::from(n) / f64::from(LOOKS);
        let on_leg = |(leg, block): (&Leg, &Block)| {
            slowing().filter(|p| !block.keeps_far(leg, p.middle, p.radius)).any(|patch| match *leg {
                Leg::Shift(by) => (0..LOOKS)
                    .any(|n| block.at(block.centre + by * share(n)).points().any(|at| patch.holds(at))),
                Leg::Turn { about, by_rad } => {
                    let on = |n: u32| block.after(&Leg::Turn { about, by_rad: by_rad * share(n) });
                    block.points().any(|at| patch.holds(at))
                        || (1..LOOKS).any(|n| on(n).fronts().into_iter().any(|at| patch.holds(at)))
                }
            })
        };
        self.legs.iter().zip(&self.blocks).any(on_leg)
    }

    /// The worst going of it; none where it enters what no element may, or what this one may not.
    pub fn going(&self) -> Option<Going> {
        let near: Vec<Sweep> = self.near_patches().collect();
        if near.is_empty() {
            return Some(Going::Good);
        }
        let (ground, rules) = (&self.on.near.ground, self.on.settings.ruleset());
        let outlines: Vec<Vec<Point>> = near.iter().flat_map(|s| ground::outlines(s, None)).collect();
        if ground.bars(&outlines, rules) {
            return None;
        }
        let mut going = ground.worst_going(&outlines, self.on.troop, self.on.settings);
        let turns = self.legs.iter().any(|leg| matches!(leg, Leg::Turn { .. }));
        if going > Going::Good && turns && !self.on.settings.rear_corner_sweep_slows {
            let [left, right] = REAR.map(|corner| self.on.going_of(&near, Some(corner)));
            going = if left == right || self.spared() == Corner::RearLeft { left } else { right };
        }
        let wheels = matches!(self.on.troop.kind, Kind::Artillery | Kind::WarWagons);
        (!(wheels && going == Going::Bad)).then_some(going)
    }

    /// The legs that come near ground that slows or bars.
    fn near_patches(&self) -> impl Iterator<Item = Sweep> + '_ {
        let near = |n: &usize| {
            let (leg, block) = (&self.legs[*n], &self.blocks[*n]);
            self.on.patches.iter().any(|patch| !block.keeps_far(leg, patch.middle, patch.radius))
        };
        (0..self.legs.len()).filter(near).map(|n| self.sweep(n))
    }

    /// Whether it is too long whatever it goes through: where worse going may be crossed a straight way opens sooner.
    pub fn is_surely_too_long(&self, end: &End) -> bool {
        let most_mm = self.on.good_mm.max(self.on.hindered_mm);
        exact(most_mm - self.measured_mm(end, Going::Bad)) < 0.0
    }

    /// How far it goes, millimetres, detours added.
    pub fn measured_mm(&self, end: &End, going: Going) -> f64 {
        let by_legs = *self.by_legs_mm.get_or_init(|| self.on.travelled_mm(self.legs)) - end.slide_mm;
        let sum = self.on.settings.move_measure == MoveMeasure::SumOfLegs;
        if by_legs > end.chord_mm + 1e-6 && (sum || !self.straight_open(end, going)) {
            return by_legs;
        }
        end.chord_mm
    }

    fn straight_open(&self, end: &End, going: Going) -> bool {
        if self.legs.is_empty() {
            return true;
        }
        let ways = end.straight.get_or_init(|| self.on.straight_to(end));
        let crosses = |&(n, m): &(usize, usize)| {
            let zone = &self.on.others[n].zones[m].1;
            (0..self.legs.len()).any(|k| self.blocks[k].reaches(&self.legs[k], zone, -zones::TOUCH_MM))
        };
        ways.iter()
            .flatten()
            .any(|way| way.zones.iter().all(crosses) && self.on.going_of_straight(way) <= going)
    }
}
