//! Camps, Cities and Forts that the enemy holds: their zones all round, and the advance on them.
//!
//! The zone is everything within 1 BW of the outline, rounded at its corners. Inside it the forward move
//! allowed is one that contacts the same feature. Table frame, millimetres.
//!
//! Clauses: dba3.tz.2, .8, dba3.set.37, .48, .50.

use super::scene::{Findings, Scene, Walker};
use super::zones::straight_back;
use crate::geometry::{Footprint, Margin, Separation, separation_from_area};
use crate::rules::exact;
use crate::rules::stronghold::{Inside, held};
use crate::rules::terrain::{Feature, Holder};

/// Features that the movers' enemy holds.
fn held_features<'s>(scene: &'s Scene<'_>) -> Vec<&'s Feature> {
    let side = scene.walkers[0].element.side;
    let civilians = scene.settings.tz_civilian_holders;
    let by_enemy = |f: &&Feature| {
        held(scene.before, f).is_some_and(|h| h.side != side && (civilians || h.inside != Inside::Civilians))
    };
    scene.before.ground.features.iter().filter(by_enemy).collect()
}

/// The nearest that a walker comes to a feature: at its start, at its end, anywhere.
fn nearest(walker: &Walker<'_>, feature: &Feature) -> [Separation; 3] {
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

/// Adds what the zones of held features ask; whether any binds the move.
pub(super) fn judge(scene: &Scene<'_>, found: &mut Findings) -> bool {
    let bw = scene.bw_mm();
    let mut binds = false;
    for feature in held_features(scene) {
        let name = &feature.name;
        for walker in &scene.walkers {
            let [start, end, least] = nearest(walker, feature);
            let inside = Margin::closed(exact(bw - least.mm), least.binding);
            if !inside.satisfied() {
                continue;
            }
            binds = true;
            let who = walker.name();
            let text = format!("{who} comes within {:.1} mm of {name}, which the enemy holds", least.mm);
            found.notes.push(crate::rules::Reason::tested("dba3.tz.2", text, inside));
            if let Holder::Civilians(_) = feature.holder {
                found.note("dba3.set.48", "denizens or camp followers inside give it its zone as troops do");
            }
            if straight_back(scene, walker) {
                found.ask("dba3.tz.6", format!("{who} goes straight back"), true, String::new);
                continue;
            }
            let touches =
                Margin::closed(exact(scene.slack_mm() + walker.element.overhang.front - end.mm), end.binding);
            let nearer = Margin::strict(exact(start.mm - end.mm), end.binding);
            let margin = if scene.settings.tz_feature_stop_short { touches.or(nearer) } else { touches };
            let text = if touches.satisfied() {
                format!("{who} contacts {name}")
            } else if margin.satisfied() {
                format!("{who} advances on {name} and stops {:.1} mm short", end.mm)
            } else {
                format!("{who} is within 1 BW of {name} and does not contact it: {:.1} mm short", end.mm)
            };
            let remedy = || format!("contact {name}, go straight back, or stay more than 1 BW away");
            found.test("dba3.tz.8", text, margin, remedy);
            if touches.satisfied() {
                found.note("dba3.set.50", format!("the advance on {name} reaches it"));
            } else if scene.settings.tz_feature_stop_short {
                found.note_not(
                    "dba3.set.50",
                    format!("by the setting the advance on {name} need not reach it"),
                );
            } else {
                found.note_not("dba3.set.50", format!("an advance in the zone of {name} has to reach it"));
            }
        }
    }
    binds
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
