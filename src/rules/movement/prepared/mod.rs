//! The judge of one element's or one group's moves on a table prepared once: whether a path is legal, not why.
//!
//! For a search, which asks of thousands of paths. What does not hang on the path is settled once for the
//! mover ([`Prepared`]), what hangs on its end alone once for the end ([`End`]). What is rare (second moves,
//! strongholds and rivers within reach) is left to the judge of moves: [`Ruled::Ask`].
//!
//! Table frame, millimetres. Invariant: where it is not left to the judge, it rules as [`super::judge`] does,
//! but for depths within a turn's [`crate::geometry::FINE_SHARE`] of a limit.

mod body;
mod patch;
mod turns;
mod way;

pub(in crate::rules) use body::Body;

use super::block::Block;
use super::scene::{FRONT, Findings, Scene};
use super::{TacticalMove, edge, ground, length, who, zones};
use crate::geometry::{Corner, Edge, Footprint, Leg, Point, Pose, Sweep, separation};
use crate::rules::bound::{Bound, Ends, Sort, cost};
use crate::rules::conform::{self, Way as LineUpWay};
use crate::rules::group::{Formation, Formed, Shape};
use crate::rules::passage::allowance;
use crate::rules::ruleset::{Going, Kind, Occasion, Troop};
use crate::rules::settings::MoveMeasure;
use crate::rules::{Context, Element, Location, Settings, Setup, ask, contact, exact, threat_zone};
use patch::Patch;
use std::cell::{Cell, OnceCell};
use turns::Turns;
pub(in crate::rules) use way::Heed;
use way::Way;

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
    base: Footprint,
    /// Its base.
    pub block: Block,
    /// How far its figures stand out at most.
    overhang_mm: f64,
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
    /// For each way of lining up with it, whether nothing keeps the mover from standing so.
    free: OnceCell<[bool; 6]>,
}

/// What is settled for all who move, before any path is known.
#[derive(Debug, Clone, Copy)]
struct Settled {
    /// Whether they may move at all.
    may: bool,
    /// Whether there are PIPs for a move that ends clear of the enemy, and for one that does not.
    affords: [bool; 2],
    /// Whether the judge decides, for they make a column.
    column: bool,
}

/// One element's moves in one bound, by itself or with a group.
#[derive(Debug)]
pub(in crate::rules) struct Prepared<'s> {
    /// The table.
    near: Setup,
    settings: &'s Settings,
    /// Who goes.
    pub mover: &'s Element,
    troop: &'s Troop,
    /// Who moves with it as one body, itself among them.
    party: Vec<Footprint>,
    /// Everyone else on the board who does not move with it.
    pub others: Vec<Other>,
    settled: Settled,
    /// Whether the judge decides.
    ask: bool,
    good_mm: f64,
    hindered_mm: f64,
    /// Whether the board's edge lies within reach.
    near_edge: bool,
    /// Features within reach that hinder.
    patches: Vec<Patch>,
    start: Block,
    start_going: Going,
    from_within: bool,
    /// Who of the others barred the last path: it mostly bars the next.
    barred_by: Cell<usize>,
    /// What is known of single turns.
    turns: Turns,
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
    /// Whether contact there is as it may be.
    contact: OnceCell<bool>,
    straight: OnceCell<[Option<Straight>; 2]>,
}

/// A straight way that runs into nobody, and what it crosses.
#[derive(Debug)]
struct Straight {
    sweep: Sweep,
    zones: Vec<(usize, usize)>,
    going: OnceCell<Going>,
}

/// A place where the mover may stand as far as bases tell.
#[derive(Debug)]
struct Stand {
    base: Footprint,
    block: Block,
    corner: Corner,
    chord_mm: f64,
    /// Whom of the enemy it touches at all, so that contact has something to say.
    touches: Vec<usize>,
    /// Whether it is on an enemy's front edge, so that a slide is free.
    fronts: bool,
    answers: Answers,
}

/// Which zones a place answers.
#[derive(Debug, Clone, Copy, Default)]
struct Answers {
    /// One that it begins in.
    held: bool,
    /// One that it ends in.
    any: bool,
    /// Whether it ends in one.
    ends_in: bool,
}

impl Answers {
    fn zones(self, from_within: bool) -> Zones {
        match (from_within, self) {
            (true, Self { held: true, .. }) | (false, Self { any: true, .. }) => Zones::Free,
            (false, Self { ends_in: false, .. }) => Zones::Clear,
            _ => Zones::Back,
        }
    }
}

impl Settled {
    fn of(near: &Setup, bound: &Bound, settings: &Settings, movers: &[&Element]) -> Self {
        let names = movers.iter().map(|e| e.name.as_str());
        let still = match movers {
            [one] => TacticalMove::single(one.name.as_str(), Vec::new()),
            _ => TacticalMove::group(names, &[]),
        };
        let formed = Formed::default();
        let judged = Scene::of((near, near), bound, settings, &formed, &still).map(|scene| {
            let mut found = Findings::default();
            let made: Formation = who::judge(&scene, &mut found);
            (found.conditions.iter().all(|c| c.reason.holds), made.shape)
        });
        let affords = [Ends::Clear, Ends::InContact].map(|ends| {
            let price = cost(near, settings, bound, movers, Sort::Field, ends);
            bound.affords(price.pips).0.unwrap_or(true)
        });
        let column = matches!(judged, Ok((_, Shape::Column | Shape::BentColumn)));
        Self { may: judged.is_ok_and(|(may, _)| may), affords, column }
    }
}

impl<'s> Prepared<'s> {
    /// The moves of `mover`, which the ruleset knows as `troop`, on this table.
    pub fn of(
        near: Setup,
        bound: &'s Bound,
        settings: &'s Settings,
        mover: &'s Element,
        troop: &'s Troop,
    ) -> Self {
        let settled = Settled::of(&near, bound, settings, &[mover]);
        Self::with(near, bound, settings, (mover, troop), &[mover], settled)
    }

    fn with(
        near: Setup,
        bound: &'s Bound,
        settings: &'s Settings,
        (mover, troop): (&'s Element, &'s Troop),
        party: &[&Element],
        settled: Settled,
    ) -> Self {
        let bw = near.scale.mm_per_bw();
        let pace = settings.ruleset().pace(troop);
        let start = Block::of(&mover.footprint);
        let context = Context::of(&near, settings);
        let goes = |e: &Element| party.iter().any(|p| p.name == e.name);
        let others: Vec<Other> = near
            .elements
            .iter()
            .enumerate()
            .filter(|(_, e)| e.location == Location::Board && !goes(e))
            .map(|(at, e)| other(at, e, (mover, troop), &context))
            .collect();
        let reach_mm = pace.good_bw * bw + 2.0 * bw + 2.0 * start.radius;
        let from = mover.footprint.pose().centre;
        let close = |area: &crate::geometry::Polygon, room: f64| {
            let (low, high) = area.bounds();
            let nearest = Point::new(from.x.clamp(low.x, high.x), from.y.clamp(low.y, high.y));
            (nearest - from).norm() <= room
        };
        let ground = &near.ground;
        let ask = bound.moves_of(&mover.name).next().is_some()
            || troop.kind == Kind::Denizens
            || ground.features.iter().any(|f| f.kind.is_stronghold() && close(&f.outline, reach_mm + bw))
            || ground.rivers.iter().any(|r| r.course.nearest_to(from).mm <= reach_mm + r.course.width_mm());
        let (width, depth) = near.board_mm;
        let inwards = from.x.min(from.y).min(width - from.x).min(depth - from.y);
        let near_edge = inwards <= reach_mm + 4.0 * bw;
        let within = ground.features.iter().filter(|f| close(&f.outline, reach_mm));
        let patches: Vec<Patch> = within.filter_map(|f| Patch::of(f, ground, troop, settings)).collect();
        let from_within = others.iter().any(|o| o.holds);
        let start_going = if patches.is_empty() {
            Going::Good
        } else {
            ground.worst_going(&[mover.footprint.outline().to_vec()], troop, settings)
        };
        let (good_mm, hindered_mm) = (pace.good_bw * bw, pace.hindered_bw * bw);
        Self {
            near,
            settings,
            mover,
            troop,
            party: party.iter().map(|e| e.footprint).collect(),
            others,
            settled,
            ask,
            good_mm,
            hindered_mm,
            near_edge,
            patches,
            start,
            start_going,
            from_within,
            barred_by: Cell::new(0),
            turns: Turns::default(),
        }
    }

    /// Whether the mover may end there if only a path leads there; none where none can.
    pub fn end(&self, pose: Pose) -> Option<End> {
        let stand = self.stand(pose)?;
        let Stand { base, block, corner, mut chord_mm, touches, fronts, answers } = stand;
        let zones = if self.ask { Zones::Free } else { answers.zones(self.from_within) };
        let (start, name) = (self.mover.footprint, self.mover.name.as_str());
        let mut slide_mm = 0.0;
        if fronts {
            let after = self.after(&base);
            let corners = FRONT.map(|c| (start.corner(c), base.corner(c)));
            for slide in conform::slide_of(&after, self.settings, &[name]) {
                let (along, least) = slide.least_mm(&corners);
                if least < chord_mm {
                    (chord_mm, slide_mm) = (least, along.abs());
                }
            }
        }
        let going = if exact(self.hindered_mm - chord_mm) < 0.0 { self.going_at(&base) } else { Going::Good };
        let most_mm = if going > Going::Good && !self.ask { self.hindered_mm } else { self.good_mm };
        if exact(most_mm - chord_mm) < 0.0 {
            return None;
        }
        if !touches.is_empty() && self.is_unfinished(&base, &touches) {
            return None;
        }
        let contact = OnceCell::new();
        if touches.is_empty() {
            contact.get_or_init(|| true);
        }
        Some(End { base, block, zones, corner, chord_mm, slide_mm, contact, straight: OnceCell::new() })
    }

    /// Whether a contact is surely not finished there.
    fn is_unfinished(&self, base: &Footprint, touches: &[usize]) -> bool {
        let context = Context::of(&self.near, self.settings);
        let ended = Element { footprint: *base, ..self.mover.clone() };
        let enemies: Vec<&Element> =
            touches.iter().map(|&n| &self.near.elements[self.others[n].at]).collect();
        let free = |enemy: &Element, way: LineUpWay| {
            let other = self.others.iter().find(|o| self.near.elements[o.at].name == enemy.name);
            let place = LineUpWay::ALL.iter().position(|w| *w == way);
            other.zip(place).is_some_and(|(other, place)| self.stands_free(other)[place])
        };
        conform::surely_unfinished(self.mover, &ended, &enemies, &context, &free)
    }

    /// For each way of lining up with an enemy, whether nothing keeps the mover from standing so.
    fn stands_free<'o>(&self, other: &'o Other) -> &'o [bool; 6] {
        other.free.get_or_init(|| {
            LineUpWay::ALL.map(|way| {
                let from = self.mover.footprint.pose();
                let motion = conform::Motion { from, to: way.place(&self.mover.footprint, &other.base) };
                conform::hindrances(&[self.mover], &motion, &self.near, self.settings).is_empty()
            })
        })
    }

    /// Whether contact, if there is any, is as it may be at the end of a move.
    fn contact_is_good(&self, end: &End) -> bool {
        *end.contact.get_or_init(|| {
            let after = self.after(&end.base);
            let told = conform::end_of_movement(&self.near, &after, self.settings, &[&self.mover.name]);
            told.is_ok_and(|told| told.iter().all(|t| t.allowed))
        })
    }

    /// Whether it may stand there as far as pace, PIPs and bases tell.
    fn stand(&self, pose: Pose) -> Option<Stand> {
        if !self.settled.may || !self.settled.affords[0] {
            return None;
        }
        let start = &self.mover.footprint;
        let base = start.moved_to(pose);
        let [left, right] = FRONT.map(|c| (base.corner(c) - start.corner(c)).norm());
        let (chord_mm, corner) = if left >= right { (left, FRONT[0]) } else { (right, FRONT[1]) };
        // A slide of less than a base width may be free.
        if chord_mm > self.good_mm + self.near.scale.mm_per_bw() {
            return None;
        }
        let slack_mm = self.settings.tolerances.contact_gap_mm;
        if self.near_edge && exact(slack_mm - edge::ends_over(start, &base, self.near.board_mm)) < 0.0 {
            return None;
        }
        let block = Block::of(&base);
        let tolerances = &self.settings.tolerances;
        let room = tolerances.contact_gap_mm + self.mover.overhang.front;
        let (mut touches, mut pays, mut fronts) = (Vec::new(), false, false);
        let mut ended: Option<Element> = None;
        for (n, other) in self.others.iter().enumerate() {
            let apart = (other.block.centre - block.centre).norm() - other.block.radius - block.radius;
            if apart > room + other.overhang_mm {
                continue;
            }
            let gap = block.gap(&other.block);
            if gap < other.limit_mm {
                return None;
            }
            if other.enemy && gap <= room + other.overhang_mm {
                let element = &self.near.elements[other.at];
                let mm = separation(&base, &other.base).mm;
                if exact(room + other.overhang_mm - mm) >= 0.0 {
                    touches.push(n);
                }
                pays |= mm <= room + element.overhang.front;
                let ended = ended.get_or_insert_with(|| Element { footprint: base, ..self.mover.clone() });
                fronts |= contact::on_edge(ended, element, Edge::Front, tolerances).margin().satisfied();
            }
        }
        if (chord_mm > self.good_mm + 1e-6 && !fronts) || (pays && !self.settled.affords[1]) {
            return None;
        }
        let answers = self.answers(&base, &block, &mut ended);
        Some(Stand { base, block, corner, chord_mm, touches, fronts, answers })
    }

    /// Whether a path stays on the board.
    fn keeps_on_board(&self, legs: &[Leg]) -> bool {
        let slack_mm = self.settings.tolerances.contact_gap_mm;
        !self.near_edge
            || exact(slack_mm - edge::over(&self.mover.footprint, legs, self.near.board_mm).0) >= 0.0
    }

    fn after(&self, base: &Footprint) -> Setup {
        let mut after = self.near.clone();
        for element in after.elements.iter_mut().filter(|e| e.name == self.mover.name) {
            element.footprint = *base;
        }
        after
    }

    fn going_at(&self, base: &Footprint) -> Going {
        if self.patches.is_empty() {
            return Going::Good;
        }
        let going = self.near.ground.worst_going(&[base.outline().to_vec()], self.troop, self.settings);
        going.max(self.start_going)
    }

    /// The worst going that sweeps pass over, on turns without that rear corner.
    fn going_of(&self, sweeps: &[Sweep], spared: Option<Corner>) -> Going {
        if self.patches.is_empty() {
            return Going::Good;
        }
        let outlines: Vec<Vec<Point>> = sweeps.iter().flat_map(|s| ground::outlines(s, spared)).collect();
        self.near.ground.worst_going(&outlines, self.troop, self.settings)
    }

    fn going_of_straight(&self, way: &Straight) -> Going {
        *way.going.get_or_init(|| self.going_of(std::slice::from_ref(&way.sweep), None))
    }

    /// Which zones a move that ends there answers.
    fn answers(&self, base: &Footprint, block: &Block, ended: &mut Option<Element>) -> Answers {
        let context = Context::of(&self.near, self.settings);
        let mut found = Answers::default();
        for other in self.others.iter().filter(|o| o.threatens) {
            let apart = |zone: &Block| {
                let far = (zone.centre - block.centre).norm() > zone.radius + block.radius;
                if far { f64::INFINITY } else { zone.gap(block) }
            };
            let gap = other.zones.iter().map(|(_, zone)| apart(zone)).fold(f64::INFINITY, f64::min);
            if gap > 1e-6 {
                continue;
            }
            let element = &self.near.elements[other.at];
            let ended = ended.get_or_insert_with(|| Element { footprint: *base, ..self.mover.clone() });
            // Well within it nothing is left to ask, but whom others hide.
            let within = gap < -1e-3 && !self.settings.tz_blocked_by_elements;
            if within || threat_zone::reach_into(ended, element, &context).satisfied() {
                found.ends_in = true;
                let answers = zones::answers(&self.mover.footprint, ended, element, self.settings);
                found.any |= answers;
                found.held |= answers && other.holds;
            }
        }
        found
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
        let heed = if clear { Heed::Bases } else { Heed::Zones };
        // Straight legs first, then how far it goes: they are soon looked at.
        if !way.shifts_clear(end, heed) || (!self.ask && way.is_surely_too_long(end)) {
            return Ruled::Illegal;
        }
        let slow_is_too_slow = !self.ask && exact(self.hindered_mm - end.chord_mm) < 0.0;
        if slow_is_too_slow && way.is_surely_slowed() {
            return Ruled::Illegal;
        }
        let open = way.turns_clear(end, heed);
        if open == [false; 2] || (self.ask && !way.spares_one_of(open)) {
            return Ruled::Illegal;
        }
        if self.ask {
            return Ruled::Ask;
        }
        if !self.keeps_on_board(legs) || !way.fits_gaps() {
            return Ruled::Illegal;
        }
        let Some(going) = way.going() else { return Ruled::Illegal };
        let limit_mm = if going > Going::Good { self.hindered_mm } else { self.good_mm };
        let reaches = exact(limit_mm - way.measured_mm(end, going)) >= 0.0;
        let legal = reaches && way.spares_one_of(open) && self.contact_is_good(end);
        if legal { Ruled::Legal } else { Ruled::Illegal }
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
            let sweep = Sweep { base, leg: Leg::Shift(by) };
            Some(Straight { sweep, zones: crossed, going: OnceCell::new() })
        })
    }

    /// Whether some straight way to an end runs into nobody, so that a way round may be measured straight. Where zones
    /// may not be crossed it crosses none either: a way that keeps out of one goes round it.
    pub fn straight_may_open(&self, end: &End) -> bool {
        let sum = self.settings.move_measure == MoveMeasure::SumOfLegs;
        let ways = end.straight.get_or_init(|| self.straight_to(end));
        let bound = |&(n, _): &(usize, usize)| self.others[n].threatens;
        !sum && ways.iter().flatten().any(|way| end.zones != Zones::Clear || !way.zones.iter().any(bound))
    }

    /// Whether nobody bars a path; who barred the last is asked first, and perhaps again.
    fn none_bars(&self, mut bars: impl FnMut(&Other) -> bool) -> bool {
        let last = self.barred_by.get();
        if self.others.get(last).is_some_and(&mut bars) {
            return false;
        }
        let found = self.others.iter().position(bars);
        self.barred_by.set(found.unwrap_or(last));
        found.is_none()
    }

    /// Whether a turn from where `block` stands runs into nobody whom the mover may not pass, and where zones are heeded
    /// into none, one rear corner left out.
    pub fn turn_is_open(&self, block: &Block, leg: &Leg, heed: Heed) -> bool {
        match *leg {
            Leg::Shift(_) => true,
            Leg::Turn { about, by_rad } => {
                self.turns.clear(self, (block, leg, (about, by_rad)), heed) != [false; 2]
            }
        }
    }

    /// How far the front corner that travels furthest goes along a path, millimetres, however it ends.
    pub fn travelled_mm(&self, legs: &[Leg]) -> f64 {
        let [left, right] = self.travelled(legs);
        left.max(right)
    }

    /// How far the front corners go along a path, left and right, millimetres.
    pub fn travelled(&self, legs: &[Leg]) -> [f64; 2] {
        let room_mm = self.settings.tolerances.corner_offset_mm;
        length::travelled_mm(&self.mover.footprint, legs, &self.party, room_mm)
    }

    /// How far it may go in good going, millimetres.
    pub fn good_mm(&self) -> f64 {
        self.good_mm
    }
}

fn other(at: usize, e: &Element, (mover, troop): (&Element, &Troop), context: &Context<'_>) -> Other {
    let settings = context.settings;
    let enemy = e.side != mover.side;
    let passed =
        !enemy && allowance(troop, settings.ruleset().troop(&e.troop), Occasion::Move, settings).is_ok();
    let areas = if enemy { threat_zone::threat_zones(e, context.scale, settings) } else { Vec::new() };
    let threatens = enemy && !(settings.tz_off_in_combat && ask::in_combat(e, e, context).satisfied());
    let holds = threatens && threat_zone::reach_into(mover, e, context).satisfied();
    let before = separation(&mover.footprint, &e.footprint).mm.min(0.0);
    Other {
        at,
        base: e.footprint,
        block: Block::of(&e.footprint),
        overhang_mm: e.overhang.front.max(e.overhang.sides).max(e.overhang.rear),
        limit_mm: before - settings.tolerances.contact_gap_mm,
        enemy,
        passed,
        zones: areas.into_iter().map(|zone| (zone, Block::of(&zone))).collect(),
        threatens,
        holds,
        free: OnceCell::new(),
    }
}
