//! The ruling on a move: every condition of every concern, the binding one first.

use super::scene::{Findings, Scene};
use super::{
    Condition, Judged, Manoeuvre, MoveError, TacticalMove, again, assault, contacts, cost, edge, gaps, gates,
    ground, passage, reach, road, shape, who, zones,
};
use crate::rules::bound::Bound;
use crate::rules::group::Formed;
use crate::rules::{Settings, Setup, by_size};
use std::sync::Arc;

/// What the rules say to a move made in `before`, in this bound, poses taken as exact.
///
/// # Errors
/// Where it is no move: see [`MoveError`]. A move against the rules is a ruling.
pub fn judge(
    before: &Setup,
    bound: &Bound,
    settings: &Settings,
    mv: &TacticalMove,
) -> Result<Judged, MoveError> {
    judge_formed(before, bound, settings, &Formed::default(), mv)
}

/// The same, knowing which elements were joined before and have not visibly parted.
///
/// # Errors
/// As [`judge`].
pub fn judge_formed(
    before: &Setup,
    bound: &Bound,
    settings: &Settings,
    formed: &Formed,
    mv: &TacticalMove,
) -> Result<Judged, MoveError> {
    let outside = mv.stepped_out(before);
    let mut scene = Scene::of((before, &outside), bound, settings, formed, mv)?;
    let mut found = Findings::default();
    let formation = who::judge(&scene, &mut found);
    let zones = zones::holds(&scene);
    let underfoot = ground::underfoot(&scene);
    shape::judge(&scene, &formation, &zones, &mut found);
    passage::judge(&scene, &mut found);
    edge::judge(&scene, &mut found);
    gaps::judge(&scene, &mut found);
    // Who dismounts does not go anywhere: what zones bar then is said of dismounting (clause dba3.move.13).
    if !matches!(mv.manoeuvre, Manoeuvre::Dismount { .. }) {
        zones::judge(&scene, &zones, &mut found);
    }
    ground::judge(&scene, &underfoot, &mut found);
    let allowed_mm = reach::judge(&scene, &underfoot, &mut found);
    road::judge(&scene, &mut found);
    again::judge(&scene, &underfoot, &mut found);
    contacts::judge(&scene, &mut found);
    assault::judge(&scene, &mut found);
    gates::judge(&scene, &mut found);
    let price = cost::judge(&scene, allowed_mm, &mut found);
    let pips = contacts::paid(&scene, price, &mut found);
    gates::settle(&mut scene, &mut found);
    let Findings { mut conditions, notes, unchecked } = found;
    conditions.sort_by(|a, b| by_size(weight(a), weight(b)));
    let legal = conditions.iter().all(|c| c.reason.holds);
    let under = Arc::clone(settings.name());
    Ok(Judged { legal, conditions, notes, unchecked, pips, after: scene.after, under })
}

/// Where a condition comes: what fails without a figure, then what fails by most, then what holds by
/// least, then what holds without a figure.
fn weight(condition: &Condition) -> f64 {
    let figure = condition.reason.margin.map(|m| m.mm);
    match (condition.reason.holds, figure) {
        (false, None) => f64::NEG_INFINITY,
        (false, Some(mm)) => -1e9 - mm.abs().min(1e8),
        (true, Some(mm)) => mm.max(0.0),
        (true, None) => f64::INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Margin, Point, Vector};
    use crate::rules::movement::Leg;
    use crate::rules::{Side, notation};

    fn ruled(setup: &str, mv: &TacticalMove) -> Judged {
        let settings = Settings::dba3();
        let before = notation::read_setup(setup, settings.ruleset()).expect("a setup");
        judge(&before, &Bound::new(3, Side::Red).with_pips(3), &settings, mv).expect("a move")
    }

    fn of(judged: &Judged, clause: &str) -> Margin {
        let found = judged.conditions.iter().find(|c| c.reason.clause == clause);
        found.and_then(|c| c.reason.margin).unwrap_or_else(|| panic!("no {clause} in {judged:#?}"))
    }

    fn ahead(mm: f64) -> Leg {
        Leg::Shift(Vector::new(0.0, mm))
    }

    #[test]
    fn spears_go_80_mm_and_no_further() {
        let one = "A 4Sp red general (0,0)-(1,0) N";
        let full = ruled(one, &TacticalMove::single("A", vec![ahead(80.0)]));
        assert!(full.legal, "{full:#?}");
        assert_eq!((of(&full, "dba3.dist.7").mm, full.pips), (0.0, 1));
        let far = ruled(one, &TacticalMove::single("A", vec![ahead(86.2)]));
        assert!(!far.legal);
        let binding = far.binding().expect("a condition");
        assert_eq!(binding.reason.clause, "dba3.dist.7");
        assert_eq!(binding.remedy.as_deref(), Some("stop 6.2 mm shorter"));
    }

    #[test]
    fn a_wheel_is_measured_by_its_chord() {
        let three = "A Ps red (0,0)-(1,0) N; B Ps red (1,0)-(2,0) N; C Ps red general (2,0)-(3,0) N";
        let wheel = Leg::Turn { about: Point::origin(), by_rad: 30f64.to_radians() };
        let judged = ruled(three, &TacticalMove::group(["A", "B", "C"], &[wheel]));
        assert!(judged.legal, "{judged:#?}");
        let far = 2.0 * 120.0 * 15f64.to_radians().sin();
        assert!((of(&judged, "dba3.dist.5").mm - (120.0 - far)).abs() < 1e-6);
        let backward = Leg::Turn { about: Point::new(120.0, 0.0), by_rad: 30f64.to_radians() };
        assert!(!ruled(three, &TacticalMove::group(["A", "B", "C"], &[backward])).legal);
    }

    #[test]
    fn all_conditions_are_told_and_the_worst_comes_first() {
        let setup = "A 4Sp red general (0,0)-(1,0) N; B 4Sp red (0,1.5)-(1,1.5) N; E 4Bd blue (1,5)-(0,5) S";
        let judged = ruled(setup, &TacticalMove::single("A", vec![ahead(100.0)]));
        let failing: Vec<&str> =
            judged.conditions.iter().filter(|c| !c.reason.holds).map(|c| c.reason.clause.as_str()).collect();
        assert!(failing.contains(&"dba3.ip.10") && failing.contains(&"dba3.dist.7"), "{failing:?}");
        let margins: Vec<f64> = judged
            .conditions
            .iter()
            .take(failing.len())
            .filter_map(|c| c.reason.margin)
            .map(|m| m.mm)
            .collect();
        assert!(margins.windows(2).all(|w| w[0] <= w[1]), "{margins:?}");
    }

    #[test]
    fn a_line_goes_ahead_together_and_not_sideways() {
        let two = "A 4Sp red (0,0)-(1,0) N; B 4Sp red general (1,0)-(2,0) N";
        assert!(ruled(two, &TacticalMove::group(["A", "B"], &[ahead(80.0)])).legal);
        let aside = ruled(two, &TacticalMove::group(["A", "B"], &[Leg::Shift(Vector::new(40.0, 0.0))]));
        assert!(!aside.legal && of(&aside, "dba3.group.7").mm < -30.0, "{aside:#?}");
    }

    #[test]
    fn a_zone_binds_who_crosses_it() {
        let setup = "A Ps red general (1.2,2.5)-(2.2,2.5) N; E 4Bd blue (1,3)-(0,3) S";
        let across = TacticalMove::single("A", vec![Leg::Shift(Vector::new(-100.0, 0.0))]);
        let judged = ruled(setup, &across);
        assert!(!judged.legal && of(&judged, "dba3.tz.9").mm < 0.0, "{judged:#?}");
        let up = TacticalMove::single("A", vec![Leg::Shift(Vector::new(-48.0, 8.0))]);
        assert!(ruled(setup, &up).legal, "{:#?}", ruled(setup, &up));
        let _ = Manoeuvre::Single;
    }
}
