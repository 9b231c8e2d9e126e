//! Denizens who come out of their City: when they may, and how far (clauses dba3.city.14, .15, .21, dba3.set.12).
//!
//! Table frame, millimetres, measured from the City's outline.

use super::held::{Inside, held, is_civilian};
use super::past::{Civilians, Yielded};
use super::who::Terms;
use crate::geometry::{Corner, Footprint, Limit, Margin, separation_from_area};
use crate::rules::settings::DenizenLeash;
use crate::rules::terrain::{Feature, TerrainKind};
use crate::rules::{Element, Location, Reason, Settings, Setup, Side, exact};
use crate::units::Scale;

/// How near friend and enemy must be (clause dba3.city.14).
const NEAR_BW: f64 = 2.0;
/// How far denizens may go (clause dba3.city.15).
const LEASH_BW: f64 = 3.0;

/// May the denizens of a City, who are that side's, sally?
pub fn sally(setup: &Setup, settings: &Settings, feature: &Feature, side: Side) -> Terms {
    let place = &feature.name;
    let rules = settings.ruleset();
    let mut terms = Terms::default();
    let holder = held(setup, rules, feature);
    let theirs = holder.as_ref().is_some_and(|h| h.side == side && h.inside == Inside::Civilians);
    let home = feature.kind == TerrainKind::City && feature.past.civilians == Civilians::Home;
    let text = match &holder {
        _ if !home => format!("there are no denizens in {place} who could sally"),
        Some(h) if h.inside != Inside::Civilians => {
            format!("troops are in {place}: its denizens do not sally")
        }
        Some(_) if theirs => format!("the denizens of {place} are at home, and no troops are with them"),
        _ => format!("the denizens of {place} are not at home and on that side"),
    };
    terms.ask("dba3.city.14", text, home && theirs);
    let serves = feature.past.yielded == Yielded::No;
    let text = if serves { "has not surrendered" } else { "has surrendered: its denizens do not sally" };
    terms.ask("dba3.city.21", format!("{place} {text}"), serves);
    for (whose, of) in [("enemy", side.enemy()), ("friendly", side)] {
        let troops = setup
            .elements
            .iter()
            .filter(|e| e.side == of && e.location == Location::Board && !is_civilian(rules, e));
        let away = |e: &Element| separation_from_area(&e.footprint, &feature.outline);
        let nearest = troops.map(|e| (e, away(e))).min_by(|a, b| a.1.mm.total_cmp(&b.1.mm));
        let Some((element, apart)) = nearest else {
            let text = format!("no {whose} troops are on the board");
            terms.conditions.push(Reason::fails("dba3.city.14", text));
            continue;
        };
        let limit = if settings.within_includes_equal { Limit::Closed } else { Limit::Strict };
        let mm = exact(NEAR_BW * setup.scale.mm_per_bw() - apart.mm);
        let text =
            format!("the nearest {whose} troops, {}, are {:.1} mm from {place}", element.name, apart.mm);
        let margin = Margin { mm, limit, binding: apart.binding };
        terms.conditions.push(Reason::tested("dba3.city.14", text, margin));
    }
    terms
}

/// By how much sallied denizens are within 3 BW of their City, and by which clause it is measured so.
pub fn leash(base: &Footprint, feature: &Feature, scale: Scale, settings: &Settings) -> (Margin, Reason) {
    let limit = if settings.within_includes_equal { Limit::Closed } else { Limit::Strict };
    let most = LEASH_BW * scale.mm_per_bw();
    let nearest = separation_from_area(base, &feature.outline);
    let (mm, binding, reason) = match settings.denizen_leash {
        DenizenLeash::EveryPart => {
            let far = |c: &Corner| -feature.outline.depth_of(base.corner(*c)).0;
            let corner = Corner::ALL.into_iter().max_by(|a, b| far(a).total_cmp(&far(b)));
            let corner = corner.expect("a base has corners");
            let (depth, rim) = feature.outline.depth_of(base.corner(corner));
            let binding = crate::geometry::Binding(
                crate::geometry::of_base(base, base.corner(corner)),
                crate::geometry::of_ground(crate::geometry::Part::Rim, rim),
            );
            (-depth, binding, Reason::holds("dba3.set.12", "every part of sallied denizens is measured"))
        }
        DenizenLeash::NearestPart => {
            let text = "by the setting the nearest part of sallied denizens is measured";
            (nearest.mm, nearest.binding, Reason::fails("dba3.set.12", text))
        }
    };
    (Margin { mm: exact(most - mm), limit, binding }, reason)
}
