//! Trying paths of one element: quick tests that any legal path must pass, then the judge of moves itself.
//!
//! The quick tests only spare the judge what it would refuse, so what is found legal is legal by the
//! judge. Elements too far off to matter are left out of the table that it is shown. Table frame,
//! millimetres.

use super::detours::{self, Layer};
use super::paths;
use super::reach::Reached;
use super::search::Table;
use crate::geometry::{Corner, Edge, Footprint, Leg, Point, Polygon, Pose, Sweep, Vector, separation};
use crate::rules::ruleset::{Going, Kind, Troop};
use crate::rules::{Context, Element, contact, threat_zone};
use std::cell::OnceCell;

/// One element and everything that bears on where it may go.
pub(super) struct Trial<'s> {
    /// What every search knows.
    pub table: Table<'s>,
    /// The element as it stands.
    pub mover: &'s Element,
    /// Bases that it may never be in while it goes.
    solid: Vec<Footprint>,
    /// Bases that it may not end in.
    all: Vec<Footprint>,
    /// Enemies that threaten, each with its zones.
    threats: Vec<(Element, Vec<Footprint>)>,
    slack_mm: f64,
    /// Ways round, found when first asked for.
    layers: OnceCell<Vec<Layer>>,
}

/// Ways round that are put to the judge for one place. A choice.
const MOST_JUDGED: usize = 4;
/// The least that counts as being in a zone on the way, millimetres.
const IN_ZONE_MM: f64 = 1e-6;

impl<'s> Trial<'s> {
    /// Everything that bears on `mover`, which the ruleset knows as `troop`.
    pub fn of(table: Table<'s>, mover: &'s Element, troop: &Troop) -> Self {
        let (near, settings) = (&table.near, table.settings);
        let context = Context::of(near, settings);
        let others = || near.elements.iter().filter(|e| e.name != mover.name);
        let passes = |e: &Element| {
            let other = settings.ruleset().troop(&e.troop);
            let psiloi = other.is_some_and(|t| t.kind == Kind::Psiloi);
            e.side == mover.side && (troop.kind == Kind::Psiloi || (troop.is_mounted() && psiloi))
        };
        let solid = others().filter(|e| !passes(e)).map(|e| e.footprint).collect();
        let all = others().map(|e| e.footprint).collect();
        let threats = others()
            .filter(|e| e.side != mover.side)
            .filter(|e| {
                let fights =
                    settings.tz_off_in_combat && crate::rules::ask::in_combat(e, e, &context).satisfied();
                !fights
            })
            .map(|e| (e.clone(), threat_zone::threat_zones(e, near.scale, settings)))
            .collect();
        let slack_mm = settings.tolerances.contact_gap_mm;
        Self { table, mover, solid, all, threats, slack_mm, layers: OnceCell::new() }
    }

    /// The first legal way to a pose, if there is one.
    pub fn way_to(&self, pose: Pose) -> Option<Reached> {
        let end = self.mover.footprint.moved_to(pose);
        if !self.may_stand(&end) {
            return None;
        }
        paths::direct(&self.mover.footprint, pose)
            .find_map(|legs| self.tried(&legs))
            .or_else(|| self.round_to(pose))
    }

    /// Every direct path to a pose, for whoever checks that the quick tests spare nothing legal.
    #[cfg(test)]
    pub fn paths_to(&self, pose: Pose) -> Vec<Vec<Leg>> {
        paths::direct(&self.mover.footprint, pose).collect()
    }

    fn layers(&self) -> &[Layer] {
        self.layers.get_or_init(|| detours::layers(self))
    }

    /// Round what stands in between: as it stands, sideways, or turned at once as it will end. The
    /// shortest ways that run into nobody are put to the judge, no more than [`MOST_JUDGED`].
    fn round_to(&self, pose: Pose) -> Option<Reached> {
        let start = &self.mover.footprint;
        let from = start.pose().centre;
        let pace = self.table.pace_mm;
        let slide =
            if self.on_a_front(&start.moved_to(pose)) { self.table.near.scale.mm_per_bw() } else { 0.0 };
        let near = |length: f64, by: &[Point]| {
            let last = by.last().copied().unwrap_or(from);
            length + (pose.centre - last).norm() <= pace + slide
        };
        let by_layer = self.layers().iter().flat_map(|layer| {
            let fits = layer.chains.iter().filter(|(length, by)| near(*length, by));
            fits.flat_map(|(_, by)| paths::round(start, layer.heading, by, pose))
        });
        let as_it_ends = detours::as_it_ends(self, pose);
        let turned = as_it_ends.iter().map(|by| paths::turned(start, by, pose));
        let mut ways: Vec<(f64, Vec<Leg>)> = by_layer
            .chain(turned)
            .map(|legs| (self.leg_by_leg_mm(&legs), legs))
            .filter(|(mm, _)| *mm <= pace + slide + 1e-6)
            .collect();
        ways.sort_by(|a, b| a.0.total_cmp(&b.0));
        let passing = ways.iter().filter(|(_, legs)| self.may_pass(legs));
        passing.take(MOST_JUDGED).find_map(|(_, legs)| self.table.judged(&[self.mover], legs))
    }

    /// The legs of the front corner that ends furthest off, added up, as the judge measures a way round.
    fn leg_by_leg_mm(&self, legs: &[Leg]) -> f64 {
        let mut at = self.mover.footprint;
        let (mut gone, start) = ([0.0; 2], at);
        const FRONT: [Corner; 2] = [Corner::FrontLeft, Corner::FrontRight];
        for leg in legs {
            let next = at.moved_to(leg.applied_to(at.pose()));
            for (mm, corner) in gone.iter_mut().zip(FRONT) {
                *mm += (next.corner(corner) - at.corner(corner)).norm();
            }
            at = next;
        }
        let [left, right] = FRONT.map(|c| (at.corner(c) - start.corner(c)).norm());
        if left >= right { gone[0] } else { gone[1] }
    }

    fn tried(&self, legs: &[Leg]) -> Option<Reached> {
        if !self.may_pass(legs) {
            return None;
        }
        self.table.judged(&[self.mover], legs)
    }

    /// Whether it may stand there as far as reach, bases, board and zones tell at a glance.
    fn may_stand(&self, end: &Footprint) -> bool {
        let start = &self.mover.footprint;
        let far = [Corner::FrontLeft, Corner::FrontRight]
            .map(|c| (end.corner(c) - start.corner(c)).norm())
            .into_iter()
            .fold(0.0, f64::max);
        if far > self.table.pace_mm + 1e-6
            && !(far <= self.table.pace_mm + self.table.near.scale.mm_per_bw() && self.on_a_front(end))
        {
            return false;
        }
        let outside = Corner::ALL.into_iter().any(|c| {
            let p = end.corner(c);
            let (width, depth) = self.table.near.board_mm;
            p.x < 0.0 || p.y < 0.0 || p.x > width || p.y > depth
        });
        if outside {
            return false;
        }
        let slack = self.slack_mm;
        let in_somebody = |base: &Footprint| {
            let deep = swept_overlap_mm(end, Vector::zeros(), base);
            deep > slack && separation(end, base).mm < separation(start, base).mm.min(0.0) - slack
        };
        !self.all.iter().any(in_somebody)
    }

    /// Whether it ends in contact with an enemy's front edge, where a slide is free.
    fn on_a_front(&self, end: &Footprint) -> bool {
        let there = Element { footprint: *end, ..self.mover.clone() };
        self.threats().any(|e| {
            contact::on_edge(&there, e, Edge::Front, &self.table.settings.tolerances).margin().satisfied()
        })
    }

    /// Bases that it may never be in while it goes.
    pub fn solid(&self) -> &[Footprint] {
        &self.solid
    }

    /// Outlines of ground within reach that would slow it or bar it.
    pub fn slow_ground(&self) -> Vec<Polygon> {
        let rules = self.table.settings.ruleset();
        let Some(troop) = rules.troop(&self.mover.troop) else { return Vec::new() };
        let centre = self.mover.footprint.pose().centre;
        let near = |area: &Polygon| {
            let (low, high) = area.bounds();
            let nearest = Point::new(centre.x.clamp(low.x, high.x), centre.y.clamp(low.y, high.y));
            (nearest - centre).norm() <= self.table.pace_mm
        };
        let slow =
            |kind| self.table.near.ground.surface_of(rules.terrain(kind)).going_for(troop) != Going::Good;
        let features = self.table.near.ground.features.iter();
        features.filter(|f| slow(f.kind) && near(&f.outline)).map(|f| f.outline.clone()).collect()
    }

    /// The zones of enemies that threaten.
    pub fn zones(&self) -> Vec<Footprint> {
        self.threats.iter().flat_map(|(_, zones)| zones.iter().copied()).collect()
    }

    fn threats(&self) -> impl Iterator<Item = &Element> {
        self.table.near.elements.iter().filter(|e| e.side != self.mover.side)
    }

    /// Whether a path runs into nobody that it may not pass, and answers a zone if it is bound by any.
    fn may_pass(&self, legs: &[Leg]) -> bool {
        let start = &self.mover.footprint;
        let mut base = *start;
        let mut bound_by: Vec<usize> = Vec::new();
        for leg in legs {
            let sweep = Sweep { base, leg: *leg };
            for other in &self.solid {
                if self.hits(&sweep, other) {
                    return false;
                }
            }
            for (place, (_, zones)) in self.threats.iter().enumerate() {
                if !bound_by.contains(&place) && zones.iter().any(|zone| touches_zone(&sweep, zone)) {
                    bound_by.push(place);
                }
            }
            base = sweep.end();
        }
        bound_by.is_empty() || self.answers(&bound_by, &base, legs)
    }

    /// Whether a leg surely runs into a base: a straight one anywhere, a turn at its end.
    fn hits(&self, sweep: &Sweep, other: &Footprint) -> bool {
        let by = match sweep.leg {
            Leg::Shift(by) => by,
            // A rear corner may sweep over things: the judge looks closer.
            Leg::Turn { .. } => return false,
        };
        if swept_overlap_mm(&sweep.base, by, other) <= self.slack_mm {
            return false;
        }
        let before = separation(&self.mover.footprint, other).mm.min(0.0);
        sweep.clearance(other, before - self.slack_mm).is_some()
    }

    /// Whether a move that some of these zones bind can be an answer to one: straight back, or nearer to
    /// that enemy's front line than it began, or lined up with it.
    fn answers(&self, bound_by: &[usize], end: &Footprint, legs: &[Leg]) -> bool {
        let start = &self.mover.footprint;
        let back = legs.iter().all(|leg| match leg {
            Leg::Shift(by) => by.dot(&start.pose().heading.vector()) < 0.0,
            Leg::Turn { .. } => false,
        });
        let must_line_up = self.table.settings.word("tz-progress-test") == Some("must-line-up");
        let ahead = |base: &Footprint, enemy: &Footprint| {
            let middle = base.pose().at(0.0, base.depth_mm() / 2.0);
            enemy.pose().seen_from_here(middle).y - enemy.depth_mm() / 2.0
        };
        back || must_line_up
            || bound_by.iter().any(|&place| {
                let enemy = &self.threats[place].0.footprint;
                let room = self.slack_mm + self.mover.overhang.front + self.threats[place].0.overhang.front;
                ahead(end, enemy) < ahead(start, enemy) || ahead(end, enemy) <= room
            })
    }
}

/// Whether a straight leg reaches into a zone more than at its rim. A turn's rear corner may, so a turn
/// counts where it begins or ends in it: the judge looks closer.
fn touches_zone(sweep: &Sweep, zone: &Footprint) -> bool {
    match sweep.leg {
        Leg::Shift(by) => {
            swept_overlap_mm(&sweep.base, by, zone) > IN_ZONE_MM
                && sweep.clearance(zone, -IN_ZONE_MM).is_some()
        }
        Leg::Turn { .. } => separation(&sweep.end(), zone).mm < -IN_ZONE_MM,
    }
}

/// No less than how deep a base comes to overlap another anywhere on a straight shift, millimetres; below
/// zero minus no more than the gap. By the axes of both bases and the one across the shift.
pub(super) fn swept_overlap_mm(base: &Footprint, by: Vector, other: &Footprint) -> f64 {
    let (own, theirs) = (base.pose().heading, other.pose().heading);
    let across = Vector::new(-by.y, by.x);
    let length = across.norm();
    let axes = [own.vector(), own.right(), theirs.vector(), theirs.right(), across / length.max(1e-300)];
    let count = if length > 0.0 { 5 } else { 4 };
    let between = other.pose().centre - base.pose().centre;
    let mut least = f64::INFINITY;
    for axis in &axes[..count] {
        let half = |b: &Footprint| {
            let heading = b.pose().heading;
            (b.width_mm() * heading.right().dot(axis).abs() + b.depth_mm() * heading.vector().dot(axis).abs())
                / 2.0
        };
        let (reach, gone, there) = (half(base) + half(other), by.dot(axis), between.dot(axis));
        // The base's middle goes from 0 to `gone`; the other stands at `there`.
        let apart = (there - gone.max(0.0)).max(gone.min(0.0) - there).max(0.0);
        least = least.min(reach - apart);
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_swept_overlap_is_never_less_than_the_true_one(
            x in -90.0..90.0f64, y in -90.0..90.0f64, heading in 0.0..360.0f64, own in 0.0..360.0f64,
            ax in -80.0..80.0f64, ay in -80.0..80.0f64,
        ) {
            let base = Footprint::new(Pose::new(0.0, 0.0, own), 40.0, 20.0).expect("a good base");
            let other = Footprint::new(Pose::new(x, y, heading), 40.0, 15.0).expect("a good base");
            let sweep = Sweep { base, leg: Leg::Shift(Vector::new(ax, ay)) };
            let bound = swept_overlap_mm(&base, Vector::new(ax, ay), &other);
            let found = sweep.clearance(&other, 1e9).expect("nearer than a kilometre");
            prop_assert!(bound >= -found.nearest.mm - 1e-6, "{bound} {}", found.nearest.mm);
        }
    }
}
