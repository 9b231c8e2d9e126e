//! The choices that the players of a written battle had, each with what comes of it, in words.
//!
//! Base widths and millimetres as the notation writes them, the table's frame. Odds are of 36 throws, before aiders.

use crate::cli::due::counts;
use crate::rules::combat::{Conditions, LinedUp, Mode, Reply, Situation, Struck, brief};
use crate::rules::conform::{LineUp, Shift};
use crate::rules::shooting::Shooting;
use crate::rules::turn::Turned;
use crate::rules::{Element, Settings, Setup, notation};

/// Whom a shooter may shoot at, and what each would be by itself (clause dba3.sht.14); nothing where there is one alone.
pub(super) fn targets(plan: &Shooting, shooter: &str, setup: &Setup, settings: &Settings) -> Vec<String> {
    let own = plan.options.iter().find(|o| o.shooter == shooter);
    let targets = own.map(|o| o.targets.as_slice()).filter(|t| t.len() > 1).unwrap_or_default();
    let mode = Mode::Shooting { struck: Struck::Elsewhere, reply: Reply::None, aiders: 0 };
    let conditions = Conditions { mode, ..Conditions::default() };
    let of = |target: &String| {
        let odds = odds(setup, settings, &conditions, (shooter, target))?;
        Some(format!("    at {target} alone: {odds}"))
    };
    targets.iter().filter_map(of).collect()
}

/// What it comes to where a contacted element conforms, and where it fights as though overlapped (clause dba3.cf.10).
pub(super) fn refusal(line_up: &LineUp, setup: &Setup, settings: &Settings) -> Vec<String> {
    let Some((mover, enemy, _)) =
        line_up.pair.as_ref().filter(|_| line_up.contacted.iter().any(|c| c.may_refuse))
    else {
        return Vec::new();
    };
    let refused = Situation { lined_up: LinedUp::Refused, ..Situation::default() };
    let answers = [("conforming", Situation::default()), ("refusing", refused)];
    let of = |(word, b): (&str, Situation)| {
        let conditions = Conditions { b, ..Conditions::default() };
        let odds = odds(setup, settings, &conditions, (mover, enemy))?;
        Some(format!("    {enemy} {word}: {odds}"))
    };
    answers.into_iter().filter_map(of).collect()
}

/// Whom an element may face whose owner chooses, and where everyone then stands.
pub(super) fn faces(turned: &Turned, setup: &Setup) -> Vec<String> {
    let stands = |shift: &Shift| {
        let element = setup.element(&shift.name)?;
        Some(notation::write_element(&Element {
            footprint: element.footprint.moved_to(shift.to),
            ..element.clone()
        }))
    };
    let of = |(enemy, shifts): &(String, Vec<Shift>)| {
        let places: Vec<String> = shifts.iter().filter_map(stands).collect();
        format!("    its owner may have {} face {enemy}: {}", turned.name, places.join("; "))
    };
    turned.choices.iter().map(of).collect()
}

/// Both totals before the dice and the odds.
fn odds(setup: &Setup, settings: &Settings, conditions: &Conditions, (a, b): (&str, &str)) -> Option<String> {
    let found = brief(setup, settings, conditions, a, b).ok()?;
    let [doubles, wins, equal, loses, doubled] = counts(&found.odds());
    Some(format!(
        "{a} {:+} against {b} {:+}; of 36 {a} doubles {doubles}, wins {wins}, equals {equal}, loses {loses}, is doubled \
         {doubled}",
        found.a.total(),
        found.b.total()
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Bound;
    use crate::rules::shooting::{Known, shooting};

    #[test]
    fn each_target_is_told_with_what_shooting_at_it_comes_to() {
        let settings = Settings::dba3();
        let text = "A 4Bw red (5,5)-(6,5) N; E 4Sp blue (6,7)-(5,7) S; F Cv blue (7,7)-(6,7) S";
        let setup = notation::read_setup(text, settings.ruleset()).expect("a setup");
        let plan = shooting(&setup, &settings, &Bound::new(3, crate::rules::Side::Red), &Known::default());
        let told = targets(&plan, "A", &setup, &settings);
        // Bows have 2 against foot and 4 against mounted; Spears have 4, Cavalry 3 when shot at by foot.
        assert_eq!(told.len(), 2, "{told:?}");
        assert!(told[0].starts_with("    at E alone: A +2 against E +4; of 36 A doubles "), "{told:?}");
        assert!(told[1].starts_with("    at F alone: A +4 against F +3; of 36 A doubles "), "{told:?}");
    }
}
