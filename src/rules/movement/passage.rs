//! What a move passes on its way: other elements stay where they are, and who may pass through whom.
//!
//! Table frame, millimetres. Bases that touch are measured a fraction apart or one in the other, so an
//! overlap counts from the contact gap on. While the front edge turns, one rear corner of a base may
//! sweep over something (clause dba3.ip.11).
//!
//! Clauses: dba3.ip.1 to .4, .10, .11, dba3.move.8, .9, dba3.set.30, .40.

use super::scene::{Findings, Scene, Walker};
use super::{Manoeuvre, corner};
use crate::geometry::{Binding, Feature, Footprint, Leg, Margin, Part, Separation, Whose, separation};
use crate::rules::passage::allowance;
use crate::rules::ruleset::Occasion;
use crate::rules::settings::PassageFacing;
use crate::rules::{Element, Reason, Settings, exact};

/// Adds what the walkers pass and whether they may.
pub(super) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    let mut tightest: Option<(Separation, String, String)> = None;
    for (n, walker) in scene.walkers.iter().enumerate() {
        for other in obstacles(scene, n) {
            let Some(Nearest { least, swept_mm }) = nearest_on_the_way(walker, &other.base, scene.bw_mm())
            else {
                continue;
            };
            let slack = scene.slack_mm();
            // What is no more than bases that touch measure is told where one rear corner alone makes it up.
            let corner_alone = exact(swept_mm) < 0.0 && exact(least.mm) >= 0.0;
            if swept_mm < -slack || corner_alone {
                let reason = if least.mm >= -slack { Reason::holds } else { Reason::fails };
                let text = format!(
                    "while {} turns, {} sweeps over {}",
                    walker.name(),
                    if least.mm >= -slack {
                        "one rear corner of it alone"
                    } else {
                        "more than one rear corner of it"
                    },
                    other.element.name
                );
                found.notes.push(reason("dba3.ip.11".to_owned(), text));
            }
            // Bases that overlapped before the move are not run through by leaving.
            let before = separation(&walker.start(), &other.base).mm.min(0.0);
            if least.mm >= before - slack {
                if tightest.as_ref().is_none_or(|(known, ..)| least.mm < known.mm) {
                    tightest = Some((least, walker.name().to_owned(), other.element.name.clone()));
                }
                continue;
            }
            through(scene, walker, &other, least, found);
        }
        ends_clear(scene, n, found);
    }
    if let Some((least, walker, other)) = tightest {
        let text = clear_words(&format!("{walker} keeps clear of {other}"), least.mm);
        let margin = Margin::closed(exact(least.mm + scene.slack_mm()), least.binding);
        found.test("dba3.ip.10", text, margin, String::new);
    }
}

/// That it is so, by how much; what lies over another base by no more than bases that touch are measured into each other
/// counts as clear, and is told so.
fn clear_words(what: &str, mm: f64) -> String {
    match exact(mm) {
        over if over < 0.0 => {
            format!("{what}: over it by {:.1} mm, no more than bases that touch may measure", -over)
        }
        apart => format!("{what}, by {apart:.1} mm"),
    }
}

/// Something in the way, and where it stands while a walker goes.
pub(super) struct Obstacle<'a> {
    /// Who.
    pub element: &'a Element,
    /// Its base meanwhile.
    pub base: Footprint,
}

/// Who stands in a walker's way. Those who move with it as one body or in file do not; of a group that
/// forms column each goes after the ones before it have gone (clause dba3.col.2).
pub(super) fn obstacles<'a>(scene: &Scene<'a>, at: usize) -> Vec<Obstacle<'a>> {
    let standing = scene.standing.iter().map(|&element| Obstacle { element, base: element.footprint });
    let mut all: Vec<Obstacle<'a>> = standing.collect();
    if scene.mv.manoeuvre == Manoeuvre::IntoColumn {
        for (n, other) in scene.walkers.iter().enumerate().filter(|(n, _)| *n != at) {
            let base = if n < at { other.end() } else { other.start() };
            all.push(Obstacle { element: other.element, base });
        }
    }
    all
}

/// How near a walker comes to a base on its way.
struct Nearest {
    /// The least separation, the spared rear corner left out.
    least: Separation,
    /// The least separation of turns with that corner; zero where they do not overlap.
    swept_mm: f64,
}

/// How near a walker comes to a base anywhere on its way; none where it stays `enough_mm` away.
fn nearest_on_the_way(walker: &Walker<'_>, other: &Footprint, enough_mm: f64) -> Option<Nearest> {
    let mut deepest = 0.0_f64;
    let radius = |base: &Footprint| base.width_mm().hypot(base.depth_mm()) / 2.0;
    let mut least: Option<Separation> = None;
    for sweep in walker.sweeps() {
        let apart = (sweep.base.pose().centre - other.pose().centre).norm();
        if apart > sweep.furthest_mm() + radius(&sweep.base) + radius(other) + enough_mm {
            continue;
        }
        let enough = least.map_or(enough_mm, |l| l.mm);
        let near = sweep.clearance(other, enough).filter(|near| exact(near.nearest.mm - enough) < 0.0);
        let Some(near) = near else { continue };
        let mut nearest = near.nearest;
        if nearest.mm < 0.0
            && matches!(sweep.leg, Leg::Turn { .. })
            && let Some(corner) = walker.spared
        {
            let mm = corner::clearance_without(&sweep, corner, other);
            deepest = deepest.min(nearest.mm);
            nearest.mm = nearest.mm.max(mm);
        }
        if least.is_none_or(|l| nearest.mm < l.mm) {
            least = Some(nearest);
        }
    }
    least.map(|least| Nearest { least, swept_mm: deepest.min(0.0) })
}

/// A walker that runs through somebody.
fn through(
    scene: &Scene<'_>,
    walker: &Walker<'_>,
    other: &Obstacle<'_>,
    least: Separation,
    found: &mut Findings,
) {
    let (name, friend) = (walker.name(), &other.element.name);
    let deep = -least.mm;
    let barred = Margin::closed(exact(least.mm + scene.slack_mm()), least.binding);
    let go_round = || format!("go round {friend}, or stop before it");
    if other.element.side != walker.element.side {
        let text = format!("{name} runs {deep:.1} mm into {friend}; enemies are never passed through");
        found.test("dba3.ip.10", text, barred, go_round);
        return;
    }
    let passed = scene.settings.ruleset().troop(&other.element.troop);
    let row = match allowance(walker.troop, passed, Occasion::Move, scene.settings) {
        Ok(row) => row,
        Err(rows) => {
            let text = format!("{name} runs {deep:.1} mm into {friend}, which it may not pass through");
            found.test("dba3.ip.10", text, barred, go_round);
            for row in rows {
                let (who, whom) = (&walker.element.troop, &other.element.troop);
                found.note_not(&row.clause, format!("{who} may not pass through {whom}: {}", row.says));
            }
            return;
        }
    };
    found.ask(&row.clause, format!("{name} passes through {friend}: {}", row.says), true, String::new);
    let end = separation(&walker.end(), &other.base);
    let clear = Margin::closed(exact(end.mm + scene.slack_mm()), end.binding);
    let text = if clear.satisfied() {
        clear_words(&format!("{name} ends clear of {friend}"), end.mm)
    } else {
        format!("{name} ends {:.1} mm inside {friend}, without room or move to get clear", -end.mm)
    };
    found.test("dba3.ip.3", text, clear, || format!("end wholly beyond {friend}"));
    let straight = lined_through(&walker.start(), &walker.end(), &other.base, scene.settings);
    let text = if straight.satisfied() {
        format!("{name} passes straight through {friend}")
    } else {
        format!("{name} does not pass straight through {friend}, by {:.1} mm", -straight.mm)
    };
    found.test("dba3.ip.4", text, straight, || {
        format!(
            "begin before {friend} and end lined up behind it, or begin lined up behind it and end before it"
        )
    });
    let facing = match scene.settings.passage_lineup_facing {
        PassageFacing::SameOrOpposite => {
            "lined up is with side lines that match, facing the same or the opposite way"
        }
        PassageFacing::Same => "by the setting lined up is facing the same way",
    };
    found.note("dba3.set.40", facing);
}

/// By how much a passage is straight: from partly in front to lined up behind, or from lined up behind to
/// lined up in front.
pub(super) fn lined_through(
    start: &Footprint,
    end: &Footprint,
    passed: &Footprint,
    settings: &Settings,
) -> Margin {
    let tolerances = &settings.tolerances;
    let place = |base: &Footprint| passed.pose().seen_from_here(base.pose().centre);
    let looks = |base: &Footprint| {
        let turn = passed.pose().heading.turn_to_radians(base.pose().heading).abs();
        let turn = match settings.passage_lineup_facing {
            PassageFacing::SameOrOpposite => turn.min(std::f64::consts::PI - turn),
            PassageFacing::Same => turn,
        };
        (tolerances.same_facing_deg.to_radians() - turn) * base.width_mm()
    };
    let lined = |base: &Footprint| {
        let widths = (base.width_mm() - passed.width_mm()).abs() / 2.0;
        (tolerances.corner_offset_mm + widths - place(base).x.abs()).min(looks(base))
    };
    let ahead = |base: &Footprint| place(base).y - (passed.depth_mm() + depth_along(base, passed)) / 2.0;
    let behind = |base: &Footprint| -place(base).y - (passed.depth_mm() + depth_along(base, passed)) / 2.0;
    let slack = tolerances.contact_gap_mm;
    let partly_before = (passed.width_mm() + start.width_mm()) / 2.0 - place(start).x.abs();
    let to_rear = partly_before.min(ahead(start) + slack).min(lined(end)).min(behind(end) + slack);
    let to_front = lined(start).min(behind(start) + slack).min(lined(end)).min(ahead(end) + slack);
    let feature = |whose, base: &Footprint| Feature { whose, part: Part::Inside, at: base.pose().centre };
    Margin::closed(exact(to_rear.max(to_front)), Binding(feature(Whose::A, end), feature(Whose::B, passed)))
}

/// How deep a base is as another looks.
fn depth_along(base: &Footprint, other: &Footprint) -> f64 {
    super::scene::width_across(base, other.pose().heading.right())
}

/// Where it ends nobody else of the movers may stand: of those who stand still the way itself is judged.
fn ends_clear(scene: &Scene<'_>, at: usize, found: &mut Findings) {
    for other in &scene.walkers[at + 1..] {
        let walker = &scene.walkers[at];
        let end = separation(&walker.end(), &other.end());
        let before = separation(&walker.start(), &other.start()).mm.min(0.0);
        if end.mm < before - scene.slack_mm() {
            let text = format!("{} ends {:.1} mm inside {}", walker.name(), -end.mm, other.name());
            let margin = Margin::closed(exact(end.mm + scene.slack_mm()), end.binding);
            found.test("dba3.ip.10", text, margin, || "leave each of them its own place".to_owned());
        }
    }
}
