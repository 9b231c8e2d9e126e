//! Trying paths of one element: what it rules legal is legal by the judge of moves.
//!
//! Paths are ruled by [`Prepared`], which is the judge's own conditions on a table looked at once; a path
//! that is given out is put to the judge itself. Elements too far off to matter are left out of the table.
//! Table frame, millimetres.

use super::carry;
use super::detours::{self, Keep, Layer};
use super::paths::{self, Hand, Pivot};
use super::reach::Reached;
use super::roadmap::Roadmap;
use super::search::Table;
use crate::geometry::{Corner, Heading, Leg, Point, Polygon, Pose};
use crate::rules::Element;
use crate::rules::movement::{Block, End, Heed, Prepared, Ruled, Zones, either_side};
use crate::rules::ruleset::{Going, Troop};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;

/// Headings for which it is kept whether the element can turn so where it begins. A choice.
const MOST_TURNS_KEPT: usize = 256;

/// Whether it can turn, for the pivots of [`Trial::may_turn`], to either hand.
type Turns = [[Option<bool>; 2]; 3];

/// A heading's vector bit by bit, what is kept out of, and what it has turned about.
type TurnedBy = ([u64; 2], usize, usize);

/// How a way was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Among those that are searched.
    Searched,
    /// Carried on from another.
    Carried,
}

/// One element and everything that bears on where it may go.
pub(super) struct Trial<'s> {
    /// What every search knows.
    pub table: Table<'s>,
    /// The element as it stands.
    pub mover: &'s Element,
    moves: Prepared<'s>,
    slow: Vec<Polygon>,
    /// Ways round, found when first asked for.
    layers: Vec<Layer>,
    /// Places strewn, and ways to them, found when first asked for.
    roadmaps: [OnceCell<Roadmap>; 2],
    /// Whether it can turn to a heading where it begins, by the heading's vector and what it keeps out of.
    turns: RefCell<HashMap<([u64; 2], usize), Turns>>,
    /// The same of the corners that it can go to when it has turned, by what it has turned about too.
    turned: RefCell<HashMap<TurnedBy, detours::Turned>>,
}

impl<'s> Trial<'s> {
    /// Everything that bears on `mover`, which the ruleset knows as `troop`.
    pub fn of(table: Table<'s>, mover: &'s Element, troop: &'s Troop) -> Self {
        let moves = Prepared::of(table.near.clone(), table.bound, table.settings, mover, troop);
        let slow = slow_ground(&table, mover, troop);
        let layers = detours::layers(mover.footprint);
        let (roadmaps, turns, turned) = Default::default();
        Self { table, mover, moves, slow, layers, roadmaps, turns, turned }
    }

    /// The first legal way to a pose, if there is one: of the ways that are searched, or a way to a pose about it carried
    /// on.
    pub fn way_to(&self, pose: Pose) -> Option<Reached> {
        let end = self.moves.end(pose)?;
        let judged = |legs: &[Leg]| match self.moves.rules(&end, legs) {
            Ruled::Illegal => None,
            Ruled::Legal | Ruled::Ask => self.table.judged(&[self.mover], legs),
        };
        let carried = || self.carried(pose).find_map(|legs| judged(&legs));
        self.first(&end, &mut |legs| judged(legs)).or_else(carried)
    }

    /// Whether it may end at a pose, if only a way leads there.
    pub fn may_end(&self, pose: Pose) -> bool {
        self.moves.end(pose).is_some()
    }

    /// Whether one of these ways that ends no further off is legal, carried on to a pose by one leg.
    pub fn carries(&self, ways: &[(Pose, Vec<Leg>)], to: Pose, far_mm: f64) -> bool {
        let Some(end) = self.moves.end(to) else { return false };
        let mut near = ways.iter().filter(|(from, _)| (from.centre - to.centre).norm() <= far_mm);
        near.any(|(from, legs)| self.is_legal(&end, &carry::carried(legs, *from, to)))
    }

    /// The ways to poses about one, of those for which `asked` holds, with where they end.
    pub fn ways_about<'t>(
        &'t self,
        pose: Pose,
        asked: &'t dyn Fn(Pose) -> bool,
    ) -> impl Iterator<Item = (Pose, Vec<Leg>)> + 't {
        let about = carry::about(pose).filter(|near| asked(*near));
        about.filter_map(|near| Some((near, self.legs_to(near, std::iter::empty())?.0)))
    }

    /// The ways to poses about one, carried on to it.
    fn carried(&self, pose: Pose) -> impl Iterator<Item = Vec<Leg>> + '_ {
        self.ways_about(pose, &|_| true).map(move |(near, legs)| carry::carried(&legs, near, pose))
    }

    /// Whether a way to an end is legal by the prepared judge, or where that does not tell, by the judge of moves.
    fn is_legal(&self, end: &End, legs: &[Leg]) -> bool {
        match self.moves.rules(end, legs) {
            Ruled::Legal => true,
            Ruled::Illegal => false,
            Ruled::Ask => self.table.judged(&[self.mover], legs).is_some(),
        }
    }

    /// A legal way to a pose by the prepared judge: of these, which are sooner tried, or of the ways that are searched.
    pub fn legs_to(
        &self,
        pose: Pose,
        mut known: impl Iterator<Item = Vec<Leg>>,
    ) -> Option<(Vec<Leg>, Found)> {
        let end = self.moves.end(pose)?;
        let legal = |legs: &[Leg]| self.is_legal(&end, legs);
        let carried = known.find(|legs| legal(legs)).map(|legs| (legs, Found::Carried));
        carried.or_else(|| {
            let searched = self.first(&end, &mut |legs| legal(legs).then(|| legs.to_vec()));
            searched.map(|legs| (legs, Found::Searched))
        })
    }

    /// The first of the ways to an end for which something comes of `tried`; those that are surely too long are left
    /// out.
    fn first<T>(&self, end: &End, tried: &mut dyn FnMut(&[Leg]) -> Option<T>) -> Option<T> {
        let (from, to) = (self.mover.footprint, end.base);
        let most_mm = self.most_mm(end);
        if end.zones == Zones::Back {
            let turned = from.pose().heading.turn_to_radians(to.pose().heading).abs() > 1e-9;
            if turned {
                return None;
            }
            let chains = self.layers[0].to(&self.moves, (Keep::Bases, &[]), to.pose().centre, most_mm);
            let start = || paths::Path::from(from);
            let round = chains.into_iter().map(|(_, by)| by.iter().fold(start(), |path, p| path.to(*p)));
            let ways = std::iter::once(start()).chain(round).map(|path| path.to(to.pose().centre).legs);
            return ways.into_iter().find_map(|legs| tried(&legs));
        }
        let most = self.most_where_closed(end);
        let staged = std::iter::once_with(|| self.staged(end, most)).flatten();
        let round = self.round(end, most);
        let strewn = std::iter::once_with(|| self.roadmap(end).ways(&to, most)).flatten();
        let wheeled = most.into_iter().flat_map(|most| paths::wheeled_on(from, to, most));
        // What a move is taken to be of which the ends alone were seen.
        let unseen = either_side(from.pose(), to.pose(), self.table.near.scale.mm_per_bw());
        let turns = |about, hand| self.may_turn(to.pose().heading, about, hand, keep(end));
        let direct = paths::direct(from, to, end.corner, turns, most);
        let ways = direct.chain(staged).chain(round).chain(unseen).chain(wheeled).chain(strewn);
        let near = |legs: &Vec<Leg>| most.is_none_or(|most| self.moves.travelled_mm(legs) <= most);
        ways.filter(near).find_map(|legs| tried(&legs))
    }

    /// Whether it can turn to a heading where it begins, as far as bases and zones tell: found once.
    fn may_turn(&self, heading: Heading, about: Pivot, hand: Hand, keep: Keep) -> bool {
        let vector = heading.vector();
        let key = ([vector.x.to_bits(), vector.y.to_bits()], keep as usize);
        let mut kept = self.turns.borrow_mut();
        if kept.len() > MOST_TURNS_KEPT {
            kept.clear();
        }
        let known = &mut kept.entry(key).or_default()[place_of(about)][hand as usize];
        *known.get_or_insert_with(|| {
            let walls = self.layers[0].walls(&self.moves, keep);
            detours::turns(self.mover.footprint, (heading, about), hand, walls)
        })
    }

    /// The furthest that a way to an end may go where it is measured leg by leg, millimetres.
    fn most_mm(&self, end: &End) -> f64 {
        self.moves.good_mm() + end.slide_mm + 1e-6
    }

    /// The same, where ways are surely measured so.
    fn most_where_closed(&self, end: &End) -> Option<f64> {
        (!self.moves.straight_may_open(end)).then(|| self.most_mm(end))
    }

    /// The places strewn for such an end.
    fn roadmap(&self, end: &End) -> &Roadmap {
        let keep = keep(end);
        self.roadmaps[keep as usize].get_or_init(|| Roadmap::of(&self.moves, keep))
    }

    /// The ways by stages from which an end can be come to straight, of those that may be short enough.
    fn staged(&self, end: &End, most: Option<f64>) -> impl Iterator<Item = Vec<Leg>> + '_ {
        let (from, to, block) = (self.mover.footprint, end.base, Block::of(&end.base));
        let (start, last) = (from.pose(), to.pose());
        let walls = self.layers[0].walls(&self.moves, keep(end));
        let turned = start.heading.turn_to_radians(last.heading).abs() >= 1e-9;
        let chord = |about| paths::turn_chords(&from, start.heading, last.heading, about);
        let (about_middle, wheel) = (chord(Pivot::Middle)[0], chord(Pivot::At(Corner::FrontLeft))[1]);
        let short = move |mm: f64| most.is_none_or(|most| mm <= most);
        let first = turned && self.may_turn(last.heading, Pivot::Middle, Hand::Short, keep(end));
        let begins = Block::of(&from);
        let stages = turned.then(|| paths::stages(to)).into_iter().flatten();
        stages.flat_map(move |stage| {
            let staged = to.moved_to(Pose { centre: stage, ..last });
            let on = last.centre - stage;
            let left = Corner::FrontLeft;
            let turns = short((stage - start.centre).norm() + about_middle + on.norm());
            let wheels = short((staged.corner(left) - from.corner(left)).norm() + wheel + on.norm());
            let open = (turns || wheels)
                && walls.iter().all(|wall| !block.shift_reaches(-on, &wall.block, wall.limit_mm));
            let goes = || {
                let by = stage - start.centre;
                walls.iter().all(|wall| !begins.shift_reaches(by, &wall.block, wall.limit_mm))
            };
            let turned = (turns && open && goes()).then(|| paths::staged(from, stage, to));
            let first = (turns && open && first).then(|| paths::turned_to_stage(from, stage, to));
            let wheeled = (wheels && open).then(|| paths::wheeled_at(from, staged, to));
            turned.into_iter().flatten().chain(first).chain(wheeled)
        })
    }

    /// The ways round what stands in between: in layers of one heading, or turned at once as it will stand.
    fn round<'t>(&'t self, end: &'t End, most: Option<f64>) -> impl Iterator<Item = Vec<Leg>> + 't {
        let other = |layer: &&Layer| matches!(layer.about, Pivot::At(other) if other != end.corner);
        let layers = self.layers.iter().filter(move |layer| !other(layer));
        let abouts = [Pivot::Middle, Pivot::At(end.corner)];
        let layered = layers.flat_map(move |layer| abouts.map(|about| (layer, about)));
        let layered = layered.flat_map(move |(layer, about)| self.in_layer(end, layer, about, most));
        layered.chain(abouts.into_iter().flat_map(move |about| self.as_it_ends(end, about, most)))
    }

    /// The ways round in one layer that turn at the end about that.
    fn in_layer(&self, end: &End, layer: &Layer, about: Pivot, most: Option<f64>) -> Vec<Vec<Leg>> {
        let (from, to, keep) = (self.mover.footprint, end.base, keep(end));
        let turned = from.moved_to(Pose { heading: layer.heading, ..to.pose() });
        let centre = match about {
            Pivot::Middle => to.pose().centre,
            Pivot::At(corner) => to.pose().centre + (to.corner(corner) - turned.corner(corner)),
        };
        // What the turns count of the corner that they take further.
        let first = paths::turn_chords(&from, from.pose().heading, layer.heading, layer.about);
        let second = paths::turn_chords(&from, layer.heading, to.pose().heading, about);
        let turns_mm = (first[0] + second[0]).max(first[1] + second[1]);
        let most_mm = most.map_or_else(|| self.most_mm(end), |most| most - turns_mm);
        if (centre - layer.start.pose().centre).norm() > most_mm || !layer.turns_in(&self.moves, keep) {
            return Vec::new();
        }
        let last = turned.moved_to(Pose { heading: layer.heading, centre });
        let heed = if keep == Keep::Zones { Heed::Zones } else { Heed::Bases };
        let block = Block::of(&last);
        let mut turns =
            paths::Path::from(last).facing(to.pose().heading, about, Hand::Short).legs.into_iter();
        if turns.any(|leg| !self.moves.turn_is_open(&block, &leg, heed)) {
            return Vec::new();
        }
        let chains = layer.to(&self.moves, (keep, &self.slow), centre, most_mm);
        let way = |by: &[Point]| paths::round(from, (layer.heading, layer.about), by, (to, about));
        chains.into_iter().map(|(_, by)| way(by)).collect()
    }

    /// The ways round of a base that turns about that at once as it will stand.
    fn as_it_ends(&self, end: &End, about: Pivot, most: Option<f64>) -> Vec<Vec<Leg>> {
        let (from, to) = (self.mover.footprint, end.base);
        if !self.may_turn(to.pose().heading, about, Hand::Short, keep(end)) {
            return Vec::new();
        }
        let turns_mm = paths::turn_chords(&from, from.pose().heading, to.pose().heading, about);
        let most_mm = most.map_or_else(|| self.most_mm(end), |most| most - turns_mm[0].max(turns_mm[1]));
        let walls = self.layers[0].walls(&self.moves, keep(end));
        let way = |by: &[Point]| paths::round(from, (to.pose().heading, about), by, (to, Pivot::Middle));
        let vector = to.pose().heading.vector();
        let key = ([vector.x.to_bits(), vector.y.to_bits()], keep(end) as usize, place_of(about));
        let mut kept = self.turned.borrow_mut();
        if kept.len() > MOST_TURNS_KEPT {
            kept.clear();
        }
        let turned =
            kept.entry(key).or_insert_with(|| detours::Turned::of(from, to.pose().heading, about, walls));
        turned.round(walls, to, most_mm).iter().map(|(_, by)| way(by)).collect()
    }
}

/// Where what is kept of turns about that is kept: the middle, or one of the front corners.
fn place_of(about: Pivot) -> usize {
    match about {
        Pivot::Middle => 0,
        Pivot::At(Corner::FrontLeft) => 1,
        Pivot::At(_) => 2,
    }
}

/// What a way to an end must keep out of.
fn keep(end: &End) -> Keep {
    if end.zones == Zones::Free { Keep::Bases } else { Keep::Zones }
}

/// Outlines of ground within reach that would slow it or bar it.
fn slow_ground(table: &Table<'_>, mover: &Element, troop: &Troop) -> Vec<Polygon> {
    let centre = mover.footprint.pose().centre;
    let near = |area: &Polygon| {
        let (low, high) = area.bounds();
        let nearest = Point::new(centre.x.clamp(low.x, high.x), centre.y.clamp(low.y, high.y));
        (nearest - centre).norm() <= table.pace_mm
    };
    let ground = &table.near.ground;
    let slow = |kind| ground.surface_of(kind, table.settings).going_for(troop) != Going::Good;
    ground.features.iter().filter(|f| slow(f.kind) && near(&f.outline)).map(|f| f.outline.clone()).collect()
}
