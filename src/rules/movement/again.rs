//! Second and later moves of one bound: who may make them, and not near the enemy.
//!
//! Clauses: dba3.again.1 to .6, dba3.move.12, dba3.set.37, .38.

use super::ground::Underfoot;
use super::scene::{Findings, Scene, Walker};
use super::strongholds;
use crate::geometry::Margin;
use crate::rules::bound::How;
use crate::rules::exact;
use crate::rules::ruleset::{Going, Kind, Mark};
use crate::rules::settings::PsiloiSecondMove;

/// Adds what a move after others asks.
pub(super) fn judge(scene: &Scene<'_>, underfoot: &[Underfoot], found: &mut Findings) {
    let before = scene.walkers.iter().map(|w| scene.bound.moves_of(w.name()).count()).max().unwrap_or(0);
    if before == 0 {
        found.note("dba3.again.6", format!("no earlier move of {} in this bound", scene.who()));
        return;
    }
    let dismounted =
        scene.walkers.iter().find(|w| scene.bound.moves_of(w.name()).any(|done| done.how == How::Dismount));
    if let Some(walker) = dismounted {
        let text = format!("{} has dismounted; it moves on foot in later bounds", walker.name());
        found.ask("dba3.move.12", text, false, || "wait for your next bound".to_owned());
    }
    let by_road = scene.mv.how() == How::Road
        && scene.walkers.iter().all(|w| scene.bound.moves_of(w.name()).all(|done| done.how == How::Road));
    let nth = ["first", "second", "third", "fourth"].get(before).copied().unwrap_or("later");
    if by_road {
        let text = format!("on along the road: the {nth} move of {}", scene.who());
        found.ask("dba3.again.5", text, true, String::new);
        found.note("dba3.again.1", "a move along a road may come within 1 BW of the enemy");
        return;
    }
    if scene.mv.how() == How::Road {
        found.note("dba3.again.1", "a move along a road may come within 1 BW of the enemy");
    } else {
        clear_of_enemies(scene, found);
    }
    who_may(scene, underfoot, before, nth, found);
}

/// Not within 1 BW of the enemy anywhere on the way.
fn clear_of_enemies(scene: &Scene<'_>, found: &mut Findings) {
    let bw = scene.bw_mm();
    let mut nearest: Option<(crate::geometry::Separation, &str, &str)> = None;
    for walker in &scene.walkers {
        for enemy in scene.enemies() {
            let start = crate::geometry::separation(&walker.start(), &enemy.footprint);
            let enough = nearest.map_or(f64::MAX, |known| known.0.mm);
            let on_the_way: Vec<_> = walker
                .sweeps()
                .filter_map(|s| s.clearance(&enemy.footprint, enough))
                .map(|c| c.nearest)
                .collect();
            for found in std::iter::once(start).chain(on_the_way) {
                if nearest.is_none_or(|(known, ..)| found.mm < known.mm) {
                    nearest = Some((found, walker.name(), &enemy.name));
                }
            }
        }
    }
    if let Some((least, name, enemy)) = nearest {
        // Within includes exactly 1 BW, unless the setting leaves it out.
        let mm = exact(least.mm - bw);
        let margin = if scene.settings.within_includes_equal {
            Margin::strict(mm, least.binding)
        } else {
            Margin::closed(mm, least.binding)
        };
        let text = format!("{name} comes within {:.1} mm of {enemy} on a move after its first", least.mm);
        found.test("dba3.again.1", text, margin, || format!("stay {bw:.1} mm away from {enemy}"));
    }
    strongholds::second_move(scene, found);
}

fn who_may(scene: &Scene<'_>, underfoot: &[Underfoot], before: usize, nth: &str, found: &mut Findings) {
    let all = |test: fn(&Walker<'_>) -> bool| scene.walkers.iter().all(test);
    let who = scene.who();
    if all(|w| w.troop.kind == Kind::LightHorse || w.troop.is(Mark::MountedInfantry)) {
        let text = format!("{who}: Light Horse or mounted infantry alone, on their {nth} move");
        found.ask("dba3.again.2", text, before <= 2, || "wait for your next bound".to_owned());
        let good = underfoot.iter().all(|u| u.going == Going::Good);
        let text =
            if good { "the move is wholly in good going" } else { "the move is not wholly in good going" };
        found.ask("dba3.again.2", text.to_owned(), good, || "keep to good going".to_owned());
        return;
    }
    if all(|w| w.troop.kind == Kind::Psiloi) && before == 1 {
        if scene.bound.is_first_of_its_side() {
            let text = format!("{who}: Psiloi alone, in their side's first bound, on their second move");
            found.ask("dba3.again.3", text, true, String::new);
            return;
        }
        found.note_not("dba3.again.3", "it is not its side's first bound");
        let least = match scene.settings.psiloi_second_move_end {
            PsiloiSecondMove::BadOnly => Going::Bad,
            PsiloiSecondMove::BadOrRough => Going::Rough,
        };
        let starts = underfoot.iter().all(|u| u.at_start == Going::Good);
        let ends = underfoot.iter().all(|u| u.at_end >= least);
        let text = match (starts, ends) {
            (true, true) => format!("{who}: Psiloi alone, which start in good going and end partly in bad"),
            (false, _) => format!("{who}: Psiloi alone, but not all start wholly in good going"),
            (true, false) => format!("{who}: Psiloi alone, but not all end partly in bad going"),
        };
        found.ask("dba3.again.4", text, starts && ends, || {
            "start wholly in good going and end each element partly in bad going".to_owned()
        });
        match scene.settings.psiloi_second_move_end {
            PsiloiSecondMove::BadOnly => found.note_not("dba3.set.38", "only bad going will do at the end"),
            PsiloiSecondMove::BadOrRough => {
                found.note("dba3.set.38", "by the setting rough going will do at the end");
            }
        }
        return;
    }
    for (clause, why) in [
        ("dba3.again.2", "they are not all Light Horse or mounted infantry"),
        ("dba3.again.3", "they are not all Psiloi on their second move in their side's first bound"),
        ("dba3.again.4", "they are not all Psiloi on their second move"),
        ("dba3.again.5", "not all of it, earlier moves included, is along a road"),
    ] {
        found.note_not(clause, why);
    }
    let text = format!("no {nth} move in this bound for {who}");
    found.ask("dba3.again.6", text, false, || "wait for your next bound".to_owned());
}
