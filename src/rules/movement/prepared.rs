//! The judge of one element's moves on a table prepared once: whether a path is legal, not why.
//!
//! For a search, which asks of thousands of paths. What does not hang on the path is settled once for the
//! mover ([`Prepared`]), what hangs on its end alone once for the end ([`End`]). What is rare (second moves,
//! held strongholds and rivers within reach) is left to the judge of moves: [`Ruled::Ask`].
//!
//! Table frame, millimetres. Invariant: where it is not left to the judge, it rules as [`super::judge`] does,
//! but for depths within a turn's [`crate::geometry::FINE_SHARE`] of a limit.

use super::block::Block;
use super::scene::{Findings, Scene};
use super::{TacticalMove, corner, gaps, ground, passage, who, zones};
use crate::geometry::{Corner, Edge, Footprint, Leg, Point, Pose, Sweep, separation};
use crate::rules::bound::{Bound, Ends, Sort, cost};
use crate::rules::conform::{self, Slide};
use crate::rules::group::Formed;
use crate::rules::passage::allowance;
use crate::rules::ruleset::{Going, Kind, Occasion, Troop};
use crate::rules::settings::MoveMeasure;
use crate::rules::{
    Context, Element, Location, Settings, Setup, ask, contact, exact, stronghold, threat_zone,
};
use std::cell::OnceCell;

/// What is said of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rules) enum Ruled {
    /// It is legal.
    Legal,
    /// It is not.
    Illegal,
    /// The judge of moves has to be asked.
    Ask,
}

/// A base that stands on the table, and what it means to the mover.
#[derive(Debug)]
pub(in crate::rules) struct Other {
    /// Which of the setup's elements.
    at: usize,
    /// Its base.
    pub base: Footprint,
    /// The same.
    pub block: Block,
    /// The mover may not come to stand to it nearer than this, zero or less.
    pub limit_mm: f64,
    enemy: bool,
    /// Whether the mover may pass through it.
    pub passed: bool,
    /// Its threat zones.
    pub zones: Vec<(Footprint, Block)>,
    /// Whether they bind.
    pub threatens: bool,
    /// Whether the mover begins in one of them.
    holds: bool,
}

/// One element's moves in one bound.
#[derive(Debug)]
pub(in crate::rules) struct Prepared<'s> {
    /// The table.
    pub near: Setup,
    settings: &'s Settings,
    /// Who goes.
    pub mover: &'s Element,
    troop: &'s Troop,
    /// Everyone else on the board.
    pub others: Vec<Other>,
    /// Whether it may move at all.
    may: bool,
    /// Whether there are PIPs for a move that ends clear of the enemy, and for one that does not.
    affords: [bool; 2],
    /// Whether the judge decides.
    ask: bool,
    good_mm: f64,
    hindered_mm: f64,
    /// Whether any feature lies within reach.
    on_features: bool,
    start: Block,
    start_going: Going,
    from_within: bool,
}

/// How zones bind a move that ends somewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::rules) enum Zones {
    /// It answers one of them: others may be crossed.
    Free,
    /// It answers none: it must enter none, or go straight back.
    Clear,
    /// It ends in one, or begins in one, and answers none: it must go straight back.
    Back,
}

/// A place where the mover may end, if a path leads there.
#[derive(Debug)]
pub(in crate::rules) struct End {
    /// The base there.
    pub base: Footprint,
    /// The same.
    block: Block,
    /// How zones bind it.
    pub zones: Zones,
    /// The front corner that goes furthest.
    pub corner: Corner,
    /// How far it goes straight, a free slide left out, millimetres.
    pub chord_mm: f64,
    /// The free slide, millimetres.
    pub slide_mm: f64,
    straight: OnceCell<[Option<Straight>; 2]>,
}

/// A straight way that runs into nobody, and what it crosses.
#[derive(Debug)]
struct Straight {
    sweep: Sweep,
    zones: Vec<(usize, usize)>,
}

const FRONT: [Corner; 2] = [Corner::FrontLeft, Corner::FrontRight];

impl<'s> Prepared<'s> {
    /// The moves of `mover`, which the ruleset knows as `troop`, on this table.
    pub fn of(near: Setup, bound: &'s Bound, settings: &'s Settings, mover: &'s Element, troop: &'s Troop) -> Self {
        let bw = near.scale.mm_per_bw();
        let pace = settings.ruleset().pace(troop);
        let start = Block::of(&mover.footprint);
        let context = Context::of(&near, settings);
        let standing = |e: &Element| e.location == Location::Board && e.name != mover.name;
        let others: Vec<Other> = near
            .elements
            .iter()
            .enumerate()
            .filter(|(_, e)| standing(e))
            .map(|(at, e)| other(at, e, (mover, troop), &context))
            .collect();
        let still = TacticalMove::single(mover.name.as_str(), Vec::new());
        let formed = Formed::default();
        let may = Scene::of(&near, bound, settings, &formed, &still).is_ok_and(|scene| {
            let mut found = Findings::default();
            who::judge(&scene, &mut found);
            found.conditions.iter().all(|c| c.reason.holds)
        });
        let affords = [Ends::Clear, Ends::InContact].map(|ends| {
            let price = cost(&near, settings, bound, &[mover], Sort::Field, ends);
            bound.affords(price.pips).0.unwrap_or(true)
        });
        let reach_mm = pace.good_bw * bw + 2.0 * bw + 2.0 * start.radius;
        let held = |f: &crate::rules::terrain::Feature| {
            stronghold::held(&near, f).is_some_and(|h| h.side != mover.side)
        };
        let from = mover.footprint.pose().centre;
        let close = |area: &crate::geometry::Polygon, room: f64| {
            let (low, high) = area.bounds();
            let nearest = Point::new(from.x.clamp(low.x, high.x), from.y.clamp(low.y, high.y));
            (nearest - from).norm() <= room
        };
        let ground = &near.ground;
        let ask = bound.moves_of(&mover.name).next().is_some()
            || ground.features.iter().any(|f| held(f) && close(&f.outline, reach_mm + bw))
            || ground.rivers.iter().any(|r| r.course.nearest_to(from).mm <= reach_mm + r.course.width_mm());
        let on_features = ground.features.iter().any(|f| close(&f.outline, reach_mm));
        let from_within = others.iter().any(|o| o.holds);
        let start_going = if on_features {
            ground.worst_going(&[mover.footprint.outline().to_vec()], troop, settings.ruleset())
        } else {
            Going::Good
        };
        let (good_mm, hindered_mm) = (pace.good_bw * bw, pace.hindered_bw * bw);
        Self {
            near,
            settings,
            mover,
            troop,
            others,
            may,
            affords,
            ask,
            good_mm,
            hindered_mm,
            on_features,
            start,
            start_going,
            from_within,
        }
    }

    /// Whether the mover may end there if only a path leads there; none where none can.
    pub fn end(&self, pose: Pose) -> Option<End> {
        if !self.may || !self.affords[0] {
            return None;
        }
        let start = &self.mover.footprint;
        let base = start.moved_to(pose);
        let corners = FRONT.map(|c| (start.corner(c), base.corner(c)));
        let [left, right] = corners.map(|(from, to)| (to - from).norm());
        let (mut chord_mm, corner) = if left >= right { (left, FRONT[0]) } else { (right, FRONT[1]) };
        let bw = self.near.scale.mm_per_bw();
        if chord_mm > self.good_mm + bw {
            return None;
        }
        let block = Block::of(&base);
        let tolerances = &self.settings.tolerances;
        let (mut touches, mut pays, mut fronts) = (false, false, false);
        let mut ended: Option<Element> = None;
        for other in &self.others {
            let apart = (other.block.centre - block.centre).norm() - other.block.radius - block.radius;
            let element = &self.near.elements[other.at];
            let own = self.mover.overhang.front;
            let most = element.overhang.front.max(element.overhang.sides).max(element.overhang.rear);
            if apart > tolerances.contact_gap_mm + own + most {
                continue;
            }
            let gap = block.gap(&other.block);
            if gap < other.limit_mm {
                return None;
            }
            let room = tolerances.contact_gap_mm + own;
            if other.enemy && gap <= room + most {
                let mm = separation(&base, &other.base).mm;
                touches |= exact(room + most - mm) >= 0.0;
                pays |= mm <= room + element.overhang.front;
                let ended = ended.get_or_insert_with(|| Element { footprint: base, ..self.mover.clone() });
                fronts |= contact::on_edge(ended, element, Edge::Front, tolerances).margin().satisfied();
            }
        }
        if pays && !self.affords[1] {
            return None;
        }
        let zones = if self.ask { Zones::Free } else { self.answers(&base, &block, &mut ended) };
        let (mut slide_mm, mut after) = (0.0, None);
        if fronts {
            let after = after.get_or_insert_with(|| self.after(&base));
            for slide in self.slides(after) {
                let (along, least) = slide.least_mm(&corners);
                if least < chord_mm {
                    (chord_mm, slide_mm) = (least, along.abs());
                }
            }
        }
        if exact(self.good_mm - chord_mm) < 0.0 {
            return None;
        }
        let going = self.going_at(&base);
        if going > Going::Good && exact(self.hindered_mm - chord_mm) < 0.0 && !self.ask {
            return None;
        }
        if touches {
            let after = after.get_or_insert_with(|| self.after(&base));
            let told = conform::end_of_movement(&self.near, after, self.settings, &[&self.mover.name]);
            if !told.is_ok_and(|told| told.iter().all(|t| t.allowed)) {
                return None;
            }
        }
        Some(End { base, block, zones, corner, chord_mm, slide_mm, straight: OnceCell::new() })
    }

    fn after(&self, base: &Footprint) -> Setup {
        let mut after = self.near.clone();
        for element in after.elements.iter_mut().filter(|e| e.name == self.mover.name) {
            element.footprint = *base;
        }
        after
    }

    fn slides(&self, after: &Setup) -> Vec<Slide> {
        conform::slide_of(after, self.settings, &[&self.mover.name])
    }

    fn going_at(&self, base: &Footprint) -> Going {
        if !self.on_features {
            return Going::Good;
        }
        let going =
            self.near.ground.worst_going(&[base.outline().to_vec()], self.troop, self.settings.ruleset());
        going.max(self.start_going)
    }

    /// How zones bind a move that ends there.
    fn answers(&self, base: &Footprint, block: &Block, ended: &mut Option<Element>) -> Zones {
        let context = Context::of(&self.near, self.settings);
        let mut ends_in_one = false;
        for other in self.others.iter().filter(|o| o.threatens) {
            let near = |(_, zone): &(Footprint, Block)| {
                (zone.centre - block.centre).norm() <= zone.radius + block.radius && zone.gap(block) <= 1e-6
            };
            if !other.zones.iter().any(near) {
                continue;
            }
            let element = &self.near.elements[other.at];
            let ended = ended.get_or_insert_with(|| Element { footprint: *base, ..self.mover.clone() });
            ended.footprint = *base;
            if !threat_zone::reach_into(ended, element, &context).satisfied() {
                continue;
            }
            ends_in_one = true;
            if (other.holds || !self.from_within)
                && zones::answers(&self.mover.footprint, ended, element, self.settings)
            {
                return Zones::Free;
            }
        }
        if self.from_within || ends_in_one { Zones::Back } else { Zones::Clear }
    }

    /// Whether a path is legal that leads to that end.
    pub fn rules(&self, end: &End, legs: &[Leg]) -> Ruled {
        let start = self.mover.footprint;
        let tolerances = &self.settings.tolerances;
        let clear = end.zones == Zones::Free || zones::all_back(start.pose(), legs, tolerances);
        if end.zones == Zones::Back && !clear {
            return Ruled::Illegal;
        }
        let way = Way::of(self, start, legs);
        // Straight legs first: they are soon looked at.
        if !(way.passes(end, Looked::Shifts) && (clear || way.clear_of_zones(Looked::Shifts))) {
            return Ruled::Illegal;
        }
        if !(way.passes(end, Looked::Turns) && (clear || way.clear_of_zones(Looked::Turns))) {
            return Ruled::Illegal;
        }
        if self.ask {
            return Ruled::Ask;
        }
        if !way.fits_gaps() {
            return Ruled::Illegal;
        }
        let Some(going) = way.going() else { return Ruled::Illegal };
        let limit_mm = if going > Going::Good { self.hindered_mm } else { self.good_mm };
        if exact(limit_mm - way.measured_mm(end, going)) >= 0.0 { Ruled::Legal } else { Ruled::Illegal }
    }

    /// The straight ways to an end, as it faces at first and at last, that run into nobody.
    fn straight_to(&self, end: &End) -> [Option<Straight>; 2] {
        let start = self.mover.footprint;
        let by = end.base.pose().centre - start.pose().centre;
        [start.pose().heading, end.base.pose().heading].map(|heading| {
            let base = start.moved_to(Pose { heading, ..start.pose() });
            let block = Block::of(&base);
            if self.others.iter().any(|o| block.shift_reaches(by, &o.block, o.limit_mm)) {
                return None;
            }
            let mut crossed = Vec::new();
            for (n, other) in self.others.iter().enumerate().filter(|(_, o)| o.enemy) {
                for (m, (_, zone)) in other.zones.iter().enumerate() {
                    if block.shift_reaches(by, zone, -zones::TOUCH_MM) {
                        crossed.push((n, m));
                    }
                }
            }
            Some(Straight { sweep: Sweep { base, leg: Leg::Shift(by) }, zones: crossed })
        })
    }

    /// Whether some straight way to an end runs into nobody, so that a way round may be measured straight.
    pub fn straight_may_open(&self, end: &End) -> bool {
        let sum = self.settings.move_measure == MoveMeasure::SumOfLegs;
        !sum && end.straight.get_or_init(|| self.straight_to(end)).iter().any(Option::is_some)
    }

    /// How far it may go in good going, millimetres.
    pub fn good_mm(&self) -> f64 {
        self.good_mm
    }
}

fn other(at: usize, e: &Element, (mover, troop): (&Element, &Troop), context: &Context<'_>) -> Other {
    let settings = context.settings;
    let enemy = e.side != mover.side;
    let passed = !enemy
        && allowance(troop, settings.ruleset().troop(&e.troop), Occasion::Move, settings).is_ok();
    let areas = if enemy { threat_zone::threat_zones(e, context.scale, settings) } else { Vec::new() };
    let threatens = enemy && !(settings.tz_off_in_combat && ask::in_combat(e, e, context).satisfied());
    let holds = threatens && threat_zone::reach_into(mover, e, context).satisfied();
    let before = separation(&mover.footprint, &e.footprint).mm.min(0.0);
    Other {
        at,
        base: e.footprint,
        block: Block::of(&e.footprint),
        limit_mm: before - settings.tolerances.contact_gap_mm,
        enemy,
        passed,
        zones: areas.into_iter().map(|zone| (zone, Block::of(&zone))).collect(),
        threatens,
        holds,
    }
}

/// Which legs are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Looked {
    Shifts,
    Turns,
}

impl Looked {
    fn has(self, leg: &Leg) -> bool {
        (self == Self::Shifts) == matches!(leg, Leg::Shift(_))
    }
}

/// A path laid out.
struct Way<'p, 's> {
    on: &'p Prepared<'s>,
    legs: &'p [Leg],
    /// Where each leg begins.
    from: Vec<Pose>,
    blocks: Vec<Block>,
    spared: OnceCell<Corner>,
}

const REAR: [Corner; 2] = [Corner::RearLeft, Corner::RearRight];

impl<'p, 's> Way<'p, 's> {
    fn of(on: &'p Prepared<'s>, start: Footprint, legs: &'p [Leg]) -> Self {
        let (mut pose, mut block) = (start.pose(), on.start);
        let (mut from, mut blocks) = (Vec::with_capacity(legs.len()), Vec::with_capacity(legs.len()));
        for leg in legs {
            from.push(pose);
            blocks.push(block);
            pose = leg.applied_to(pose);
            block = block.after(leg);
        }
        Self { on, legs, from, blocks, spared: OnceCell::new() }
    }

    fn sweep(&self, n: usize) -> Sweep {
        Sweep { base: self.on.mover.footprint.moved_to(self.from[n]), leg: self.legs[n] }
    }

    fn sweeps(&self) -> impl Iterator<Item = Sweep> + '_ {
        (0..self.legs.len()).map(|n| self.sweep(n))
    }

    /// The turns with where each begins.
    fn turns(&self) -> impl Iterator<Item = (&Block, (Point, f64))> + '_ {
        let turn = |(leg, block): (&Leg, _)| match *leg {
            Leg::Turn { about, by_rad } => Some((block, (about, by_rad))),
            Leg::Shift(_) => None,
        };
        self.legs.iter().zip(&self.blocks).filter_map(turn)
    }

    /// Whether its turns without a rear corner reach below that limit of a block.
    fn turns_reach(&self, rear: Corner, other: &Block, limit_mm: f64) -> bool {
        self.turns().any(|(block, turn)| block.turn_reaches_without(rear, turn, other, limit_mm))
    }

    /// The rear corner that may sweep over things.
    fn spared(&self) -> Corner {
        *self.spared.get_or_init(|| {
            let slack_mm = self.on.settings.tolerances.contact_gap_mm;
            let zones = self.on.others.iter().flat_map(|o| &o.zones).map(|z| (&z.0, &z.1, -zones::TOUCH_MM));
            let bases = self.on.others.iter().map(|o| (&o.base, &o.block, -slack_mm));
            let all: Vec<(&Footprint, &Block, f64)> = bases.chain(zones).collect();
            let hits = REAR.map(|rear| all.iter().filter(|o| self.turns_reach(rear, o.1, o.2)).count());
            if hits[0] != hits[1] {
                return if hits[0] < hits[1] { REAR[0] } else { REAR[1] };
            }
            let turns: Vec<Sweep> = self.sweeps().filter(|s| matches!(s.leg, Leg::Turn { .. })).collect();
            let hit = |o: &&(&Footprint, &Block, f64)| REAR.iter().any(|&rear| self.turns_reach(rear, o.1, o.2));
            let (zones, bases): (Vec<_>, Vec<_>) =
                all.iter().filter(hit).partition(|o| o.2 == -zones::TOUCH_MM);
            let places = |all: Vec<&(&Footprint, &Block, f64)>| all.into_iter().map(|o| *o.0).collect::<Vec<_>>();
            let going = |corner| self.going_of(&turns, Some(corner));
            corner::spared_of(&turns, &places(bases), &places(zones), slack_mm, &going)
        })
    }

    /// Whether a leg reaches below that limit of a block, the spared rear corner left out.
    fn reaches(&self, n: usize, other: &Block, limit_mm: f64) -> bool {
        if !self.blocks[n].reaches(&self.legs[n], other, limit_mm) {
            return false;
        }
        let Leg::Turn { about, by_rad } = self.legs[n] else { return true };
        let without =
            |rear| self.blocks[n].turn_reaches_without(rear, (about, by_rad), other, limit_mm);
        // Which corner is spared is dear to find: only where it matters.
        match REAR.map(without) {
            [true, true] => true,
            [left, right] => if self.spared() == Corner::RearLeft { left } else { right },
        }
    }

    fn any_reaches(&self, looked: Looked, other: &Block, limit_mm: f64) -> bool {
        let legs = self.legs.iter().enumerate().filter(|(_, leg)| looked.has(leg));
        legs.map(|(n, _)| n).any(|n| self.reaches(n, other, limit_mm))
    }

    /// Whether it runs into nobody, and passes straight through whom it may pass.
    fn passes(&self, end: &End, looked: Looked) -> bool {
        let start = &self.on.mover.footprint;
        self.on.others.iter().all(|other| {
            !self.any_reaches(looked, &other.block, other.limit_mm)
                || (other.passed
                    && exact(end.block.gap(&other.block) + self.on.settings.tolerances.contact_gap_mm) >= 0.0
                    && passage::lined_through(start, &end.base, &other.base, self.on.settings).satisfied())
        })
    }

    fn clear_of_zones(&self, looked: Looked) -> bool {
        let threats = self.on.others.iter().filter(|o| o.threatens);
        let mut zones = threats.flat_map(|o| &o.zones);
        zones.all(|(_, zone)| !self.any_reaches(looked, zone, -zones::TOUCH_MM))
    }

    fn fits_gaps(&self) -> bool {
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

    /// The worst going of it; none where it enters what no element may, or what this one may not.
    fn going(&self) -> Option<Going> {
        if !self.on.on_features {
            return Some(Going::Good);
        }
        let (ground, rules) = (&self.on.near.ground, self.on.settings.ruleset());
        let all: Vec<Sweep> = self.sweeps().collect();
        let outlines: Vec<Vec<Point>> = all.iter().flat_map(|s| ground::outlines(s, None)).collect();
        if ground.bars(&outlines, rules) {
            return None;
        }
        let mut going = ground.worst_going(&outlines, self.on.troop, rules);
        let turns = self.legs.iter().any(|leg| matches!(leg, Leg::Turn { .. }));
        if going > Going::Good && turns && !self.on.settings.rear_corner_sweep_slows {
            going = self.going_of(&all, Some(self.spared()));
        }
        let wheels = matches!(self.on.troop.kind, Kind::Artillery | Kind::WarWagons);
        (!(wheels && going == Going::Bad)).then_some(going)
    }

    fn going_of(&self, sweeps: &[Sweep], spared: Option<Corner>) -> Going {
        if !self.on.on_features {
            return Going::Good;
        }
        let outlines: Vec<Vec<Point>> = sweeps.iter().flat_map(|s| ground::outlines(s, spared)).collect();
        self.on.near.ground.worst_going(&outlines, self.on.troop, self.on.settings.ruleset())
    }

    /// How far it goes, millimetres, detours added.
    fn measured_mm(&self, end: &End, going: Going) -> f64 {
        let base = |pose: Pose| self.on.mover.footprint.moved_to(pose);
        let places = self.from.iter().copied().chain([end.base.pose()]);
        let corners: Vec<Point> = places.map(|pose| base(pose).corner(end.corner)).collect();
        let by_legs: f64 = corners.windows(2).map(|pair: &[Point]| (pair[1] - pair[0]).norm()).sum();
        let by_legs = by_legs - end.slide_mm;
        let sum = self.on.settings.move_measure == MoveMeasure::SumOfLegs;
        if by_legs > end.chord_mm + 1e-6 && (sum || !self.straight_open(end, going)) {
            return by_legs;
        }
        end.chord_mm
    }

    fn straight_open(&self, end: &End, going: Going) -> bool {
        if self.legs.len() < 2 {
            return true;
        }
        let ways = end.straight.get_or_init(|| self.on.straight_to(end));
        let crosses = |&(n, m): &(usize, usize)| {
            let zone = &self.on.others[n].zones[m].1;
            (0..self.legs.len()).any(|k| self.blocks[k].reaches(&self.legs[k], zone, -zones::TOUCH_MM))
        };
        ways.iter().flatten().any(|way| {
            way.zones.iter().all(crosses) && self.going_of(std::slice::from_ref(&way.sweep), None) <= going
        })
    }
}

