//! What becomes of a camp, City or Fort: elements go in and out, its defenders are destroyed, it surrenders or
//! revolts, and a sack comes to its end.
//!
//! Each function changes a setup and gives the clauses by which it did. It asks nobody whether it may: that is
//! [`super::who`]'s. Nothing rolls; a PIP score is an argument. A place without a name in the setup changes nothing.

use super::held::{Inside, held, inside, is_civilian, location_in, loyalty};
use super::past::{Civilians, Entered, Garrison, Past, Sack, Yielded};
use super::who::Terms;
use crate::rules::bound::{Bound, Phase};
use crate::rules::ruleset::Kind;
use crate::rules::settings::{DenizensAfterGarrison, RevoltScope, SackEnd};
use crate::rules::terrain::{Feature, Holder, TerrainKind};
use crate::rules::victory::{CampState, CityState, Places};
use crate::rules::{Location, Reason, Settings, Setup, Side};
use serde::Deserialize;

/// What a revolt costs, PIPs (clause dba3.city.22).
pub const REVOLT_PIPS: u8 = 5;

/// How the defenders of a place were destroyed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// In close combat.
    CloseCombat,
    /// By shooting.
    Shooting,
}

/// How an element comes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coming {
    /// Nobody defended it.
    Freely,
    /// Over its destroyed defenders.
    ByStorm,
}

/// What a camp is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Make {
    /// Tents, wagons, a palisade.
    Camp,
    /// An Edifice in use as a camp.
    Edifice,
}

/// What players do with a sacked camp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Rest {
    /// It stays.
    Left,
    /// It is taken off.
    TakenOff,
}

/// A sacked camp is taken off the table or left: good going, an Edifice bad going (clause dba3.faq.5).
pub fn after_sack(setup: &mut Setup, place: &str, make: Make, rest: Rest) -> Vec<Reason> {
    let text = match (make, rest) {
        (_, Rest::TakenOff) => format!("{place} was sacked and is taken off"),
        (Make::Camp, Rest::Left) => format!("{place} was sacked and stays: it is good going"),
        (Make::Edifice, Rest::Left) => format!("{place} was sacked and stays: an Edifice is bad going"),
    };
    match (make, rest) {
        (_, Rest::TakenOff) => setup.ground.features.retain(|f| f.name != place),
        (Make::Camp, Rest::Left) => {}
        (Make::Edifice, Rest::Left) => change(setup, place, |f| {
            f.kind = TerrainKind::Edifice;
            f.side = None;
        }),
    }
    vec![told(true, "dba3.faq.5", text)]
}

fn change(setup: &mut Setup, place: &str, what: impl FnOnce(&mut Feature)) {
    if let Some(feature) = setup.ground.features.iter_mut().find(|f| f.name == place) {
        what(feature);
    }
}

fn told(holds: bool, clause: &str, text: String) -> Reason {
    Reason { holds, ..Reason::holds(clause, text) }
}

/// The defender `lost` of a place is destroyed; its element is off the table already. Who is left defends it, or
/// nobody does (clauses dba3.city.8, .17, dba3.fort.3, dba3.camp.16, dba3.set.10).
pub fn fall(setup: &mut Setup, settings: &Settings, place: &str, lost: &str, by: By) -> Vec<Reason> {
    let rules = settings.ruleset();
    let Some(feature) = setup.ground.feature(place).cloned() else { return Vec::new() };
    let civilians = setup.element(lost).is_some_and(|e| is_civilian(rules, e));
    if civilians {
        change(setup, place, |f| {
            f.past.civilians = Civilians::Lost;
            f.holder = Holder::Nobody;
        });
        let clause = if feature.kind == TerrainKind::City { "dba3.city.17" } else { "dba3.camp.16" };
        return vec![told(true, clause, format!("the civilians of {place} are destroyed: it is undefended"))];
    }
    change(setup, place, |f| {
        f.past.garrison = if by == By::Shooting { Garrison::Shot } else { Garrison::Beaten };
        f.past.sack = Sack::No;
        if let Holder::Troops(_) = f.holder {
            f.holder = Holder::Nobody;
        }
    });
    if feature.kind != TerrainKind::City {
        let clause = if feature.kind == TerrainKind::Fort { "dba3.fort.3" } else { "dba3.camp.16" };
        return vec![told(true, clause, format!("{lost} is destroyed: nobody defends {place}"))];
    }
    let take_over = match settings.denizens_after_garrison_loss {
        DenizensAfterGarrison::Never => false,
        DenizensAfterGarrison::IfShot => by == By::Shooting,
        DenizensAfterGarrison::Always => true,
    };
    if feature.past.civilians == Civilians::Home && !take_over {
        change(setup, place, |f| f.past.civilians = Civilians::Idle);
    }
    let text = if take_over {
        format!("by the setting the denizens of {place} defend it now that {lost} is destroyed")
    } else {
        format!("{lost} is destroyed: the denizens of {place} do not defend it")
    };
    vec![
        told(!take_over, "dba3.city.8", text.clone()),
        told(settings.denizens_after_garrison_loss == DenizensAfterGarrison::Never, "dba3.set.10", text),
    ]
}

/// Whether a City whose denizens are destroyed by `shooter` surrenders: Artillery does that (clause dba3.city.18).
pub fn surrenders(setup: &Setup, settings: &Settings, feature: &Feature, shooter: &str) -> bool {
    let rules = settings.ruleset();
    let kind = setup.element(shooter).and_then(|e| rules.troop(&e.troop)).map(|t| t.kind);
    let civilians = held(setup, rules, feature).is_some_and(|h| h.inside == Inside::Civilians);
    feature.kind == TerrainKind::City && civilians && kind == Some(Kind::Artillery)
}

/// A City surrenders to the enemy of whom its denizens defended it for: they serve him from now on (clauses
/// dba3.city.18, .20).
pub fn surrender(setup: &mut Setup, settings: &Settings, place: &str) -> Vec<Reason> {
    let Some(to) = setup.ground.feature(place).and_then(loyalty).map(Side::enemy) else { return Vec::new() };
    change(setup, place, |f| {
        f.past.yielded = if f.side == Some(to) { Yielded::No } else { Yielded::Surrendered };
        f.past.civilians = Civilians::Home;
        f.holder = Holder::Nobody;
    });
    turn_denizens(setup, settings, place, to);
    vec![
        told(true, "dba3.city.18", format!("Artillery destroys the denizens of {place}: it surrenders")),
        told(true, "dba3.city.20", format!("the denizens of {place} defend it for {}", to.word())),
    ]
}

/// Denizens who stand as an element inside change sides with their City.
fn turn_denizens(setup: &mut Setup, settings: &Settings, place: &str, to: Side) {
    let Some(feature) = setup.ground.feature(place) else { return };
    let rules = settings.ruleset();
    let all = inside(setup, feature).filter(|e| is_civilian(rules, e));
    let names: Vec<String> = all.map(|e| e.name.clone()).collect();
    for element in setup.elements.iter_mut().filter(|e| names.contains(&e.name)) {
        element.side = to;
    }
}

/// An element comes in and holds the place (clauses dba3.city.9, .10, .17, .19, .23, dba3.fort.4, dba3.camp.12). Where it stands is
/// not changed.
pub fn comes_in(
    setup: &mut Setup,
    settings: &Settings,
    place: &str,
    name: &str,
    coming: Coming,
) -> Vec<Reason> {
    let Some(feature) = setup.ground.feature(place).cloned() else { return Vec::new() };
    let (Some(side), Some(location)) = (setup.element(name).map(|e| e.side), location_in(feature.kind))
    else {
        return Vec::new();
    };
    let civilian = setup.element(name).is_some_and(|e| is_civilian(settings.ruleset(), e));
    let enemy = feature.side.is_some_and(|owner| owner != side);
    if let Some(element) = setup.elements.iter_mut().find(|e| e.name == name) {
        element.location = location;
    }
    let city = feature.kind == TerrainKind::City;
    let sacks = city && coming == Coming::ByStorm && feature.side != Some(side);
    change(setup, place, |f| {
        if civilian {
            f.past.civilians = Civilians::Home;
            return;
        }
        f.past.sack = if sacks { Sack::AtWork } else { Sack::No };
        f.past.garrison = Garrison::NotLost;
        if enemy {
            f.past.entered = match (coming, f.past.entered) {
                (Coming::ByStorm, _) | (_, Entered::Stormed) => Entered::Stormed,
                (Coming::Freely, _) => Entered::Empty,
            };
        }
    });
    let mut reasons = Vec::new();
    match feature.kind {
        TerrainKind::City if coming == Coming::ByStorm => {
            reasons.push(told(true, "dba3.city.9", format!("{name} occupies {place}")));
            let text = if sacks {
                format!("{name} sacks {place} until its side's PIP die shows 5 or 6")
            } else {
                format!("{name} is back in its own City, which it does not sack")
            };
            reasons.push(told(sacks, "dba3.city.10", text));
        }
        TerrainKind::City if feature.past.yielded != Yielded::No && loyalty(&feature) == Some(side) => {
            reasons.push(told(true, "dba3.city.19", format!("{name} is the garrison of {place} at once")));
        }
        TerrainKind::City => {
            reasons.push(told(true, "dba3.city.23", format!("{name} enters {place} and holds it")));
        }
        TerrainKind::Fort => {
            reasons.push(told(true, "dba3.fort.4", format!("{name} occupies {place}")));
        }
        _ if enemy => {
            reasons.push(told(true, "dba3.vic.5", format!("{name} is in the enemy's camp, {place}")))
        }
        _ => reasons.push(told(true, "dba3.camp.12", format!("{name} holds {place}"))),
    }
    reasons
}

/// An element goes out onto the board; where it stands is not changed (clauses dba3.bua.8, dba3.city.7, .16, .20,
/// dba3.fort.3, dba3.camp.12, .13, .16, .17).
pub fn goes_out(setup: &mut Setup, settings: &Settings, place: &str, name: &str) -> Vec<Reason> {
    let rules = settings.ruleset();
    let Some(feature) = setup.ground.feature(place).cloned() else { return Vec::new() };
    let civilian = setup.element(name).is_some_and(|e| is_civilian(rules, e));
    if let Some(element) = setup.elements.iter_mut().find(|e| e.name == name) {
        element.location = Location::Board;
    }
    change(setup, place, |f| {
        if civilian {
            f.past.civilians = Civilians::Out;
            f.holder = Holder::Nobody;
        } else {
            f.past.sack = Sack::No;
            if let Holder::Troops(_) = f.holder {
                f.holder = Holder::Nobody;
            }
        }
    });
    let left = setup.ground.feature(place).and_then(|f| held(setup, rules, f));
    let defended = left.is_some();
    match (feature.kind, civilian) {
        (TerrainKind::City, true) => {
            vec![told(true, "dba3.city.16", format!("its denizens are out: {place} is undefended"))]
        }
        (TerrainKind::City, false) => {
            let text = match &left {
                Some(h) => format!("{name} leaves {place}; its denizens defend it for {}", h.side.word()),
                None => format!("{name} leaves {place}, and no denizens are left to defend it"),
            };
            let clause = if feature.past.yielded == Yielded::No { "dba3.city.7" } else { "dba3.city.20" };
            vec![told(defended, clause, text)]
        }
        (TerrainKind::Fort, _) => {
            vec![told(!defended, "dba3.fort.3", format!("{name} has left {place}, which is undefended"))]
        }
        (_, true) => {
            vec![told(!defended, "dba3.camp.17", format!("the followers are out: {place} is undefended"))]
        }
        (_, false) => {
            let text = format!("{name} has left {place}, which is undefended until another takes its place");
            vec![told(!defended, "dba3.camp.16", text)]
        }
    }
}

/// A side's PIP die shows a score: sacks of its elements go on or end (clauses dba3.city.10, .11, dba3.set.11).
pub fn scores(setup: &mut Setup, settings: &Settings, side: Side, score: u8) -> Vec<Reason> {
    let rules = settings.ruleset();
    let mut reasons = Vec::new();
    for n in 0..setup.ground.features.len() {
        let feature = &setup.ground.features[n];
        if held(setup, rules, feature).is_none_or(|h| h.side != side) {
            continue;
        }
        let place = feature.name.clone();
        let sack = match (feature.past.sack, score >= 5) {
            (Sack::No, _) => continue,
            (Sack::Ending, _) => Sack::No,
            (Sack::AtWork, false) => Sack::AtWork,
            (Sack::AtWork, true) if settings.sack_end_timing == SackEnd::SameBound => Sack::No,
            (Sack::AtWork, true) => Sack::Ending,
        };
        let over = sack == Sack::No;
        let at_once = settings.sack_end_timing == SackEnd::SameBound;
        let text = format!("{}'s PIP die shows {score}: the sack of {place}", side.word());
        reasons.push(told(
            !over,
            "dba3.city.10",
            format!("{text} {}", if over { "is over" } else { "goes on" }),
        ));
        if over {
            reasons.push(told(
                true,
                "dba3.city.11",
                format!("whoever is in {place} may hold it or leave it"),
            ));
        }
        if sack != Sack::AtWork {
            let when = if at_once { "ends in the same bound" } else { "ends with the bound, by the setting" };
            reasons.push(told(at_once, "dba3.set.11", format!("{text} {when}")));
        }
        change(setup, &place, |f| f.past.sack = sack);
    }
    reasons
}

/// May the owner of a City have its denizens revolt now (clauses dba3.city.22, dba3.set.13)?
pub fn may_revolt(setup: &Setup, settings: &Settings, bound: &Bound, feature: &Feature) -> Terms {
    let place = &feature.name;
    let mut terms = Terms::default();
    let Some(owner) = feature.side.filter(|_| feature.kind == TerrainKind::City) else {
        let text = format!("nobody knows whose City {place} was at the start");
        terms.conditions.push(Reason::fails("dba3.city.22", text));
        return terms;
    };
    let Past { yielded, garrison, .. } = feature.past;
    let text = match yielded {
        Yielded::No => format!("{place} has neither surrendered nor been taken earlier in the campaign"),
        Yielded::Surrendered => format!("{place} has surrendered in this battle"),
        Yielded::Earlier => format!("{place} was taken earlier in the campaign"),
    };
    let scope = settings.revolt_scope;
    let open = match yielded {
        Yielded::No => false,
        Yielded::Surrendered => scope == RevoltScope::ThisGameOrEarlier,
        Yielded::Earlier => true,
    };
    if yielded == Yielded::No {
        terms.ask("dba3.city.22", text, false);
    } else {
        terms.ask("dba3.set.13", text, open);
    }
    let text = format!("it is the start of a bound of {}, whose City {place} is", owner.word());
    let start = bound.side == owner && bound.done.is_empty() && bound.phase <= Phase::Moves;
    terms.ask("dba3.city.22", text, start);
    let enemy = held(setup, settings.ruleset(), feature).filter(|h| h.side != owner);
    let troops = enemy.is_some_and(|h| h.inside != Inside::Civilians);
    let text = match (troops, garrison) {
        (true, _) => format!("enemy troops are in {place}"),
        (false, Garrison::Shot) => format!("the enemy's garrison of {place} was shot"),
        (false, Garrison::Beaten) => format!("the enemy's garrison of {place} was destroyed in close combat"),
        (false, Garrison::NotLost) => format!("no enemy troops are in {place}"),
    };
    terms.ask("dba3.city.22", text, !troops && garrison != Garrison::Beaten);
    let alive = feature.past.civilians != Civilians::Lost;
    let text = format!("the denizens of {place} are {}", if alive { "alive" } else { "dead" });
    terms.ask("dba3.city.22", text, alive);
    let (enough, reasons) = bound.affords(REVOLT_PIPS);
    let text = format!("a revolt costs {REVOLT_PIPS} PIPs");
    terms.ask("dba3.city.22", text, enough == Some(true));
    terms.notes.extend(reasons);
    terms
}

/// The denizens of a City revolt: they defend it for its owner (clause dba3.city.22).
pub fn revolt(setup: &mut Setup, settings: &Settings, place: &str) -> Vec<Reason> {
    let Some(owner) = setup.ground.feature(place).and_then(|f| f.side) else { return Vec::new() };
    change(setup, place, |f| {
        f.past.yielded = Yielded::No;
        f.past.civilians = Civilians::Home;
        f.past.garrison = Garrison::NotLost;
        f.holder = Holder::Nobody;
    });
    turn_denizens(setup, settings, place, owner);
    vec![told(true, "dba3.city.22", format!("the denizens of {place} defend it for {} again", owner.word()))]
}

/// What has become of that side's camp and City, for the count of losses (clauses dba3.vic.5 to .8).
pub fn places(setup: &Setup, settings: &Settings, side: Side) -> Places {
    let rules = settings.ruleset();
    let own = |kind| setup.ground.features.iter().find(move |f| f.kind == kind && f.side == Some(side));
    let camp = match own(TerrainKind::Camp).map(|f| f.past.entered) {
        None => CampState::NoCamp,
        Some(Entered::Never) => CampState::Stands,
        Some(Entered::Empty) => CampState::EnteredEmpty,
        Some(Entered::Stormed) => CampState::Stormed,
    };
    let city = own(TerrainKind::City).map_or(CityState::Own, |f| {
        let enemy_holds = held(setup, rules, f).is_some_and(|h| h.side != side);
        match (f.past.entered, enemy_holds) {
            (Entered::Never, true) if f.past.yielded == Yielded::Surrendered => {
                CityState::SurrenderedUnentered
            }
            (Entered::Never, _) => CityState::Own,
            (_, true) => CityState::Taken,
            (_, false) => CityState::Retaken,
        }
    });
    Places { camp, city }
}
