//! Landings from the water: who may be held back for one, and where and when they come ashore.
//!
//! Table frame, millimetres. Any part of a base may touch the water, a corner or an edge, within the gap of bases in contact;
//! none may be in it. How far from enemies a landing keeps the rules do not say. Clauses: dba3.dep.7 to .11, dba3.faq.7,
//! dba3.set.21, .22, .98.

use super::homes::Home;
use crate::geometry::{Binding, Margin, separation_from_area};
use crate::rules::group::{Formed, is_group};
use crate::rules::settings::LandingPips;
use crate::rules::stronghold::Terms;
use crate::rules::terrain::TerrainKind;
use crate::rules::{AskError, Bound, Element, Reason, Settings, Setup, ask, exact};
use crate::text::counted;
use std::collections::BTreeMap;

/// Fewest and most elements that may be held back (clause dba3.dep.7).
const HELD_BACK: (usize, usize) = (2, 3);

/// Home terrains of an army and of its allied contingents, by their names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Homes {
    /// The army's own.
    pub army: Home,
    /// Of contingents of which it is known; the others count as the army.
    pub contingents: BTreeMap<String, Home>,
}

impl Homes {
    /// An army without allies.
    pub fn of(army: Home) -> Self {
        Self { army, contingents: BTreeMap::new() }
    }

    fn home(&self, contingent: Option<&str>) -> Home {
        contingent.and_then(|name| self.contingents.get(name)).copied().unwrap_or(self.army)
    }
}

fn members<'s>(setup: &'s Setup, names: &[String]) -> Result<Vec<&'s Element>, AskError> {
    names.iter().map(|name| ask::find(setup, name)).collect()
}

/// Whether these may be held back at deployment.
///
/// # Errors
/// An unknown name or troop code.
pub fn may_hold_back(
    setup: &Setup,
    settings: &Settings,
    names: &[String],
    homes: &Homes,
) -> Result<Terms, AskError> {
    let (members, listed) = (members(setup, names)?, names.join(", "));
    let mut terms = Terms::default();
    let water = setup.ground.features.iter().find(|f| f.kind == TerrainKind::Waterway);
    let text = match water {
        Some(water) => format!("{} lies on the table", water.name),
        None => "no Waterway lies on the table".to_owned(),
    };
    terms.ask("dba3.dep.7", text, water.is_some());
    let (least, most) = HELD_BACK;
    let text = format!("{} elements are held back; {least} or {most} may be", members.len());
    terms.ask("dba3.dep.7", text, (least..=most).contains(&members.len()));
    let mut strangers = Vec::new();
    let mut allies = Vec::new();
    for element in &members {
        let contingent = setup.contingent(&element.name);
        let own = homes.home(contingent);
        let counts = if settings.littoral_ally_may_land { own } else { homes.army };
        if counts != Home::Littoral {
            strangers.push(format!("{} is of {}", element.name, counts.name()));
        }
        if own == Home::Littoral && homes.army != Home::Littoral {
            allies.push(element.name.clone());
        }
    }
    let text = if strangers.is_empty() {
        format!("{listed} are of LITTORAL home")
    } else {
        format!("{}; a landing force is of LITTORAL home", strangers.join(", "))
    };
    terms.ask("dba3.dep.8", text, strangers.is_empty());
    if !allies.is_empty() {
        let may = settings.littoral_ally_may_land;
        let text = format!(
            "{} are LITTORAL allies of an army of {}: by the setting they {} land",
            allies.join(", "),
            homes.army.name(),
            if may { "may" } else { "may not" }
        );
        terms.ask("dba3.set.98", text, may);
    }
    let barred = &settings.ruleset().deploy().no_landing;
    let mut kept_out = Vec::new();
    for element in &members {
        let (name, code) = (element.name.clone(), element.troop.clone());
        let troop = settings.ruleset().troop(&element.troop).ok_or(AskError::UnknownTroop { name, code })?;
        if barred.holds(troop) {
            kept_out.push(format!("{} is {}", element.name, troop.code));
        }
    }
    let text = if kept_out.is_empty() {
        "no Elephants, War Wagons or Artillery are among them".to_owned()
    } else {
        format!("{}, which may not land", kept_out.join(", "))
    };
    terms.ask("dba3.dep.9", text, kept_out.is_empty());
    Ok(terms)
}

/// What a landing costs, PIPs.
pub fn price(settings: &Settings) -> u8 {
    match settings.landing_pips {
        LandingPips::Free => 0,
        LandingPips::One => 1,
    }
}

/// Whether these come ashore as they stand, in that bound.
///
/// # Errors
/// An unknown name or troop code, or elements of both sides.
pub fn lands(setup: &Setup, settings: &Settings, bound: &Bound, names: &[String]) -> Result<Terms, AskError> {
    let (members, listed) = (members(setup, names)?, names.join(", "));
    let mut terms = Terms::default();
    let own = members.iter().all(|e| e.side == bound.side);
    let text = format!("bound {} is one of {}", bound.number, bound.side.word());
    let first = bound.is_first_of_its_side();
    let text = if own && first {
        format!("{text}: the first of those who land")
    } else {
        format!("{text}: a landing is made in the first bound of those who land")
    };
    terms.ask("dba3.dep.10", text, own && first);
    let words: Vec<&str> = names.iter().map(String::as_str).collect();
    let group = is_group(setup, settings, &words, &Formed::default())?;
    let text = if group.allowed {
        format!("{listed} land as one group")
    } else {
        format!("{listed} are not one group")
    };
    terms.conditions.push(Reason {
        holds: group.allowed,
        margin: Some(group.margin),
        ..Reason::holds("dba3.dep.10", text)
    });
    terms.notes.extend(group.reasons);
    terms.conditions.push(touches(setup, settings, &members));
    let told = terms.conditions.last().cloned();
    terms.notes.extend(told.map(|reason| Reason { clause: "dba3.faq.7".to_owned(), ..reason }));
    for element in &members {
        let outline = element.footprint.outline().to_vec();
        terms.conditions.extend(setup.ground.barred(&element.name, &[outline], settings.ruleset()));
    }
    let (cost, left) =
        (price(settings), bound.pips.map(|pips| u32::from(pips).saturating_sub(bound.spent())));
    let text = match left {
        Some(left) => format!("the landing costs {} of {left} that are left", counted(cost as usize, "PIP")),
        None => format!("the landing costs {}", counted(cost as usize, "PIP")),
    };
    terms.ask("dba3.set.21", text, left.is_none_or(|left| u32::from(cost) <= left));
    Ok(terms)
}

/// Whether one of them touches the water: the nearest of them binds.
fn touches(setup: &Setup, settings: &Settings, members: &[&Element]) -> Reason {
    let waters = || setup.ground.features.iter().filter(|f| f.kind == TerrainKind::Waterway);
    let pairs = members.iter().flat_map(|e| waters().map(move |w| (e, w)));
    let found = pairs.map(|(e, w)| (separation_from_area(&e.footprint, &w.outline), e, w));
    let Some((apart, element, water)) = found.min_by(|a, b| a.0.mm.total_cmp(&b.0.mm)) else {
        return Reason::fails("dba3.dep.11", "no Waterway lies on the table");
    };
    let margin = Margin::closed(exact(settings.tolerances.contact_gap_mm - apart.mm), apart.binding);
    let Binding(part, _) = apart.binding;
    let text = if margin.satisfied() {
        format!("{} touches {} with its {}", element.name, water.name, part.name())
    } else {
        format!(
            "{} is nearest to {}, {:.1} mm from it; one of them touches it",
            element.name, water.name, apart.mm
        )
    };
    Reason::tested("dba3.dep.11", text, margin)
}

/// Whether those who landed may move in the same bound (clause dba3.set.22).
pub fn may_move_on(settings: &Settings) -> Reason {
    let may = settings.landing_may_move;
    let text =
        if may { "those who landed may make a tactical move" } else { "those who landed stay this bound" };
    Reason { holds: may, ..Reason::holds("dba3.set.22", text) }
}
