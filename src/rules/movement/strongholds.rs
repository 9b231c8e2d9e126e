//! Camps, Cities and Forts that the enemy holds: their zones all round, and the advance on them.
//!
//! The zone is everything within 1 BW of the outline, rounded at its corners. Inside it the forward move
//! allowed is one that contacts the same feature. Table frame, millimetres.
//!
//! Clauses: dba3.tz.2, .8, dba3.set.37, .48, .50.

use super::scene::{Findings, Scene, Walker};
use crate::geometry::{Footprint, Limit, Margin, Separation, separation_from_area};
use crate::rules::stronghold::{Inside, held};
use crate::rules::terrain::Feature;
use crate::rules::{Reason, exact};

/// Features that the movers' enemy holds.
fn held_features<'s>(scene: &'s Scene<'_>) -> Vec<&'s Feature> {
    let side = scene.walkers[0].element.side;
    let civilians = scene.settings.tz_civilian_holders;
    let by_enemy = |f: &&Feature| {
        held(scene.before, scene.settings.ruleset(), f)
            .is_some_and(|h| h.side != side && (civilians || h.inside != Inside::Civilians))
    };
    scene.before.ground.features.iter().filter(by_enemy).collect()
}

/// The nearest that a walker comes to a feature: at its start, at its end, anywhere.
pub(super) fn nearest(walker: &Walker<'_>, feature: &Feature) -> [Separation; 3] {
    let from = |base: &Footprint| separation_from_area(base, &feature.outline);
    let (start, end) = (from(&walker.start()), from(&walker.end()));
    let mut least = if start.mm <= end.mm { start } else { end };
    for sweep in walker.sweeps() {
        let room = |share: f64| from(&sweep.at(share)).mm;
        if let Some(share) = sweep.least(room, least.mm) {
            least = from(&sweep.at(share));
        }
    }
    [start, end, least]
}

/// Whether exactly 1 BW is in a zone.
fn within(scene: &Scene<'_>) -> Limit {
    if scene.settings.within_includes_equal { Limit::Closed } else { Limit::Strict }
}

/// The held feature in whose zone a walker begins, and by how much: of several the nearest.
pub(super) fn at_start<'s>(scene: &'s Scene<'_>, walker: &Walker<'_>) -> Option<(Margin, &'s str)> {
    let inside = held_features(scene).into_iter().map(|feature| {
        let apart = separation_from_area(&walker.start(), &feature.outline);
        let mm = exact(scene.bw_mm() - apart.mm);
        (Margin { mm, limit: within(scene), binding: apart.binding }, feature.name.as_str())
    });
    inside.max_by(|a, b| a.0.mm.total_cmp(&b.0.mm))
}

/// A held feature whose zone binds the movers.
pub(super) struct Bound<'s> {
    /// The feature.
    pub feature: &'s Feature,
    /// By how much the movers contact it, or, by the setting, come nearer.
    pub margin: Margin,
    /// What it comes to.
    text: String,
    /// What was read.
    notes: Vec<Reason>,
}

impl Bound<'_> {
    /// Adds whether the movers contact it.
    pub fn tell(&self, found: &mut Findings) {
        let remedy =
            || format!("contact {}, go straight back, or stay more than 1 BW away", self.feature.name);
        found.test("dba3.tz.8", self.text.clone(), self.margin, remedy);
        found.notes.extend(self.notes.iter().cloned());
    }
}

/// The held features whose zones bind the movers; one of a group that contacts is enough. Adds how near they come.
pub(super) fn bounds<'s>(scene: &'s Scene<'_>, found: &mut Findings) -> Vec<Bound<'s>> {
    let bw = scene.bw_mm();
    let stop_short = scene.settings.tz_feature_stop_short;
    let limit = within(scene);
    let mut all = Vec::new();
    for feature in held_features(scene) {
        let name = &feature.name;
        let mut best: Option<(Margin, String, bool)> = None;
        for walker in &scene.walkers {
            let [start, end, least] = nearest(walker, feature);
            let inside = Margin { mm: exact(bw - least.mm), limit, binding: least.binding };
            if !inside.satisfied() {
                continue;
            }
            let who = walker.name();
            let text = format!("{who} comes within {:.1} mm of {name}, which the enemy holds", least.mm);
            found.notes.push(Reason::tested("dba3.tz.2", text, inside));
            let inside = held(scene.before, scene.settings.ruleset(), feature).map(|h| h.inside);
            if inside == Some(Inside::Civilians) {
                found.note("dba3.set.48", "denizens or camp followers inside give it its zone as troops do");
            }
            let room = scene.slack_mm() + walker.element.overhang.front - end.mm;
            let touches = Margin::closed(exact(room), end.binding);
            let nearer = Margin::strict(exact(start.mm - end.mm), end.binding);
            let margin = if stop_short { touches.or(nearer) } else { touches };
            let text = if touches.satisfied() {
                format!("{who} contacts {name}")
            } else if margin.satisfied() {
                format!("{who} advances on {name} and stops {:.1} mm short", end.mm)
            } else {
                format!("{who} is within 1 BW of {name} and does not contact it: {:.1} mm short", end.mm)
            };
            let better = |(known, ..): &(Margin, String, bool)| known.or(margin) != *known;
            if best.as_ref().is_none_or(better) {
                best = Some((margin, text, touches.satisfied()));
            }
        }
        let Some((margin, text, touches)) = best else { continue };
        let setting = match (touches, stop_short) {
            (true, _) => format!("the advance on {name} reaches it"),
            (false, true) => format!("by the setting the advance on {name} need not reach it"),
            (false, false) => format!("an advance in the zone of {name} has to reach it"),
        };
        let notes = vec![Reason { holds: touches, ..Reason::holds("dba3.set.50", setting) }];
        all.push(Bound { feature, margin, text, notes });
    }
    all
}

/// A second move keeps 1 BW away from held features too, where the setting counts them as enemy.
pub(super) fn second_move(scene: &Scene<'_>, found: &mut Findings) {
    for feature in held_features(scene) {
        for walker in &scene.walkers {
            let [.., least] = nearest(walker, feature);
            let margin = Margin::strict(exact(least.mm - scene.bw_mm()), least.binding);
            if !scene.settings.second_move_held_feature_is_enemy {
                if !margin.satisfied() {
                    found.note_not(
                        "dba3.set.37",
                        "by the setting a held feature does not hinder second moves",
                    );
                }
                continue;
            }
            let name = &feature.name;
            let text = format!(
                "{} comes within {:.1} mm of {name} on a move after its first",
                walker.name(),
                least.mm
            );
            found.test("dba3.again.1", text, margin, || format!("stay more than 1 BW away from {name}"));
            found.note("dba3.set.37", "a feature that the enemy holds counts as enemy");
        }
    }
}
