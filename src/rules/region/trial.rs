//! Trying paths of one element: what it rules legal is legal by the judge of moves.
//!
//! Paths are ruled by [`Prepared`], which is the judge's own conditions on a table looked at once; a path
//! that is given out is put to the judge itself. Elements too far off to matter are left out of the table.
//! Table frame, millimetres.

use super::detours::{self, Keep, Layer};
use super::paths::{self, Hand, Pivot};
use super::reach::Reached;
use super::roadmap::Roadmap;
use super::search::Table;
use crate::geometry::{Footprint, Leg, Point, Polygon, Pose};
use crate::rules::Element;
use crate::rules::movement::{Block, End, Prepared, Ruled, Zones};
use crate::rules::ruleset::{Going, Troop};
use std::cell::OnceCell;

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
}

impl<'s> Trial<'s> {
    /// Everything that bears on `mover`, which the ruleset knows as `troop`.
    pub fn of(table: Table<'s>, mover: &'s Element, troop: &'s Troop) -> Self {
        let moves = Prepared::of(table.near.clone(), table.bound, table.settings, mover, troop);
        let slow = slow_ground(&table, mover, troop);
        let layers = detours::layers(mover.footprint);
        Self { table, mover, moves, slow, layers, roadmaps: Default::default() }
    }

    /// The first legal way to a pose, if there is one.
    pub fn way_to(&self, pose: Pose) -> Option<Reached> {
        let end = self.moves.end(pose)?;
        self.first(&end, &mut |legs| self.judged(&end, legs))
    }

    fn judged(&self, end: &End, legs: &[Leg]) -> Option<Reached> {
        match self.moves.rules(end, legs) {
            Ruled::Illegal => None,
            Ruled::Legal | Ruled::Ask => self.table.judged(&[self.mover], legs),
        }
    }

    /// Whether there is a legal way to a pose: [`Trial::way_to`] by the prepared judge.
    pub fn reaches(&self, pose: Pose) -> bool {
        let Some(end) = self.moves.end(pose) else { return false };
        let mut legal = |legs: &[Leg]| match self.moves.rules(&end, legs) {
            Ruled::Legal => Some(()),
            Ruled::Illegal => None,
            Ruled::Ask => self.table.judged(&[self.mover], legs).map(|_| ()),
        };
        self.first(&end, &mut legal).is_some()
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
        let round = std::iter::once_with(|| self.round(end, to, most_mm)).flatten();
        let strewn = std::iter::once_with(|| self.roadmap(end).ways(&to)).flatten();
        let staged = std::iter::once_with(|| self.stages(end)).flatten();
        let staged = staged.flat_map(|stage| paths::staged(from, stage, to));
        let ways = paths::direct(from, to, end.corner).chain(staged).chain(round).chain(strewn);
        ways.filter(|legs| self.is_near(end, legs)).find_map(|legs| tried(&legs))
    }

    /// The furthest that a way to an end may go where it is measured leg by leg, millimetres.
    fn most_mm(&self, end: &End) -> f64 {
        self.moves.good_mm() + end.slide_mm + 1e-6
    }

    /// Whether a way is not surely too long.
    fn is_near(&self, end: &End, legs: &[Leg]) -> bool {
        self.moves.straight_may_open(end) || self.moves.travelled_mm(legs) <= self.most_mm(end)
    }

    /// The places strewn for such an end.
    fn roadmap(&self, end: &End) -> &Roadmap {
        let keep = keep(end);
        self.roadmaps[keep as usize].get_or_init(|| Roadmap::of(&self.moves, keep))
    }

    /// Stages from which an end can be come to straight.
    fn stages(&self, end: &End) -> Vec<Point> {
        let block = Block::of(&end.base);
        let walls = self.layers[0].walls(&self.moves, keep(end));
        let open = |stage: &Point| {
            let by = *stage - block.centre;
            walls.iter().all(|wall| !block.shift_reaches(by, &wall.block, wall.limit_mm))
        };
        if end.base.pose().heading.turn_to_radians(self.mover.footprint.pose().heading).abs() < 1e-9 {
            return Vec::new();
        }
        paths::stages(end.base).filter(open).collect()
    }

    /// The ways round what stands in between: in layers of one heading, or turned at once as it will stand.
    fn round(&self, end: &End, to: Footprint, most_mm: f64) -> Vec<Vec<Leg>> {
        let (from, corner) = (self.mover.footprint, end.corner);
        let keep = keep(end);
        let mut ways = Vec::new();
        for layer in &self.layers {
            if matches!(layer.about, Pivot::At(other) if other != corner)
                || !layer.turns_in(&self.moves, keep)
            {
                continue;
            }
            let turned = from.moved_to(Pose { heading: layer.heading, ..to.pose() });
            for about in [Pivot::Middle, Pivot::At(corner)] {
                let centre = match about {
                    Pivot::Middle => to.pose().centre,
                    Pivot::At(corner) => to.pose().centre + (to.corner(corner) - turned.corner(corner)),
                };
                let last = turned.moved_to(Pose { heading: layer.heading, centre });
                let walls = layer.walls(&self.moves, keep);
                if !detours::turns(last, (to.pose().heading, about), Hand::Short, walls) {
                    continue;
                }
                let chains = layer.to(&self.moves, (keep, &self.slow), centre, most_mm);
                ways.extend(
                    chains
                        .into_iter()
                        .map(|(_, by)| paths::round(from, (layer.heading, layer.about), by, (to, about))),
                );
            }
        }
        let walls = self.layers[0].walls(&self.moves, keep);
        for about in [Pivot::Middle, Pivot::At(corner)] {
            let chains = detours::as_it_ends(from, walls, about, to, most_mm);
            ways.extend(
                chains
                    .iter()
                    .map(|(_, by)| paths::round(from, (to.pose().heading, about), by, (to, Pivot::Middle))),
            );
        }
        ways
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
