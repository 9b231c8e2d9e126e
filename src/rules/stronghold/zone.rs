//! The threat zone all round a camp, City or Fort that somebody holds (clause dba3.tz.2).
//!
//! Table frame, millimetres. The zone is everything within 1 BW of any point of the feature, its corners
//! rounded; a base's margin is 1 BW less its distance from the outline.

use super::{Held, Inside, held};
use crate::geometry::{Footprint, Limit, Margin, Separation, separation_from_area};
use crate::rules::terrain::Feature;
use crate::rules::{Element, Reason, Settings, Setup, exact};
use crate::units::Scale;
use std::sync::Arc;

/// How a base lies to the zone round a feature, whoever holds it: by how much it is in.
pub fn reach_into_zone(base: &Footprint, feature: &Feature, scale: Scale, settings: &Settings) -> Margin {
    let Separation { mm, binding } = separation_from_area(base, &feature.outline);
    let limit = if settings.within_includes_equal { Limit::Closed } else { Limit::Strict };
    Margin { mm: exact(scale.mm_per_bw() - mm), limit, binding }
}

/// Whether an element is bound by the zone of a feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Zone {
    /// By how much it is within 1 BW.
    pub margin: Margin,
    /// Whether it is in a zone: within 1 BW of a feature that an enemy holds.
    pub binds: bool,
    /// Every step, the deciding one first.
    pub reasons: Vec<Reason>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

/// Whether `element` is in the threat zone of a camp, City or Fort; `None` where the feature is none.
pub fn zone(setup: &Setup, settings: &Settings, element: &Element, feature: &Feature) -> Option<Zone> {
    if !feature.kind.is_stronghold() {
        return None;
    }
    let margin = reach_into_zone(&element.footprint, feature, setup.scale, settings);
    let holder = held(setup, settings.ruleset(), feature);
    let (who, name) = (&element.name, &feature.name);
    let by_enemy = holder.as_ref().is_some_and(|h| h.side != element.side);
    let civilians = holder.as_ref().is_some_and(|h| h.inside == Inside::Civilians);
    let threatens = by_enemy && (!civilians || settings.tz_civilian_holders);
    let binds = threatens && margin.satisfied();
    let near = if margin.satisfied() {
        format!("{who} is within 1 BW of {name}, by {:.1} mm", margin.mm)
    } else {
        format!("{who} is {:.1} mm more than 1 BW from {name}", -margin.mm)
    };
    let mut reasons = Vec::new();
    let holds = match &holder {
        None => format!("nobody is inside {name}: it has no threat zone"),
        Some(h) if h.side == element.side => format!("{name} is held by {who}'s own side"),
        Some(Held { inside: Inside::Civilians, .. }) => {
            format!("{name} is held by enemy denizens or camp followers")
        }
        Some(Held { inside: Inside::Troops(Some(garrison)), .. }) => format!("{name} is held by {garrison}"),
        Some(Held { inside: Inside::Troops(None), .. }) => format!("{name} is held by enemy troops"),
    };
    reasons.push(Reason { holds: binds, ..Reason::tested("dba3.tz.2", format!("{near}; {holds}"), margin) });
    if by_enemy && civilians {
        let text = if settings.tz_civilian_holders {
            "denizens and camp followers give it a zone as troops do"
        } else {
            "by the setting denizens and camp followers give it no zone"
        };
        reasons.push(Reason { holds: settings.tz_civilian_holders, ..Reason::holds("dba3.set.48", text) });
    }
    if binds {
        reasons.push(Reason::holds("dba3.tz.3", format!("{who} is bound by the zone of {name}")));
    }
    if margin.mm == 0.0 {
        reasons.push(Reason::tested("dba3.board.9", format!("exactly 1 BW from {name}"), margin));
    }
    Some(Zone { margin, binds, reasons, under: Arc::clone(settings.name()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation;

    fn zone_of(camp: &str, a: &str, settings: &Settings) -> Zone {
        let text = format!("ground camp C box (6,14)-(8,15) of=blue {camp}\nA 4Bd red {a}\n");
        let setup = notation::read_setup(&text, settings.ruleset()).expect("a setup");
        let feature = setup.ground.feature("C").expect("the camp");
        zone(&setup, settings, setup.element("A").expect("A"), feature).expect("a stronghold")
    }

    #[test]
    fn it_is_round_at_the_corners() {
        let settings = Settings::dba3();
        let beside = zone_of("held=blue", "(4.2,14.5)-(5.2,14.5) N", &settings);
        assert!(beside.binds && (beside.margin.mm - 8.0).abs() < 1e-9, "{beside:?}");
        let corner = zone_of("held=blue", "(4.2,13.2)-(5.2,13.2) N", &settings);
        assert!(!corner.binds && (corner.margin.mm - 40.0 * (1.0 - 1.28f64.sqrt())).abs() < 1e-9);
    }

    #[test]
    fn empty_and_own_features_have_none_and_civilians_by_the_setting() {
        let settings = Settings::dba3();
        let at = "(5,13.5)-(6,13.5) N";
        assert!(!zone_of("", at, &settings).binds);
        assert!(!zone_of("held=red", at, &settings).binds);
        assert!(zone_of("held=blue-civilians", at, &settings).binds);
        let other = settings.with("tz-civilian-holders", "false").expect("a choice");
        assert!(!zone_of("held=blue-civilians", at, &other).binds);
        assert!(zone_of("\nG 4Bd blue (6,15)-(7,15) N in=camp", at, &other).binds, "an element inside");
    }
}
