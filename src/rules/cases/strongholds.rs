//! Questions about camps, Cities and Forts in play: who may hold them, go in and out, and what becomes of them.

use super::answer::{Answer, Posed};
use super::moves::bound_of;
use super::places::{element, fault};
use crate::rules::ruleset::{Going, Kind};
use crate::rules::stronghold::play::{self, By, Coming, Make, Rest};
use crate::rules::stronghold::{self, Inside, Sack, Terms};
use crate::rules::terrain::{Feature, TerrainKind};
use crate::rules::{Location, Reason, Setup, Side};
use serde::Deserialize;

/// What a case asks of a camp, City or Fort.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum AskStronghold {
    /// May that element hold that place from the start?
    MayGarrison(String, String),
    /// Is everybody in that place who has to be, and nobody who may not, when deployment ends?
    Deployed(String),
    /// May that element go into that place now, as far as it is a matter of who it is and who is inside?
    MayEnter(String, String),
    /// May that element come out of that place now?
    MayLeave(String, String),
    /// May the denizens of that City sally?
    MaySally(String),
    /// May its owner have that City revolt now?
    MayRevolt(String),
    /// Does an element stand on the table for those who hold that place?
    Shown(String),
    /// Is that so of that place?
    Is(String, Claim),
    /// Is it so after these things have happened?
    Becomes(String, Vec<Happening>, Claim),
    /// That camp, of such a make, was sacked and then left or taken off: is that the going where it stood?
    SackedCamp(String, Make, Rest, Going),
    /// Must that army have a camp?
    CampNeeded(Side),
    /// May it do without one?
    CampOptional(Side),
}

/// What may be so of a place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub enum Claim {
    /// Nobody defends it.
    Undefended,
    /// Civilians of that side hold it.
    Civilians(Side),
    /// That element holds it.
    Troops(String),
    /// That element sacks it.
    Sacked(String),
    /// That element holds it and is free to leave.
    Free(String),
}

/// What may happen to a place.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub enum Happening {
    /// That element, or its denizens or followers, go out.
    Leaves(String),
    /// That element goes in while nobody defends it.
    Enters(String),
    /// The first, which holds it, is destroyed in close combat by the second.
    Beaten(String, String),
    /// The first, which holds it, is destroyed by the shooting of the second.
    Shot(String, String),
    /// That side's PIP die shows that.
    Scores(Side, u8),
    /// Its denizens revolt.
    Revolts,
}

impl AskStronghold {
    /// The question in words.
    pub fn in_words(&self) -> String {
        match self {
            Self::MayGarrison(name, place) => format!("may {name} hold {place} from the start?"),
            Self::Deployed(place) => format!("is {place} held as deployment asks?"),
            Self::MayEnter(name, place) => format!("may {name} go into {place}?"),
            Self::MayLeave(name, place) => format!("may {name} come out of {place}?"),
            Self::MaySally(place) => format!("may the denizens of {place} sally?"),
            Self::MayRevolt(place) => format!("may {place} revolt now?"),
            Self::Shown(place) => format!("does an element stand for those who hold {place}?"),
            Self::Is(place, claim) => format!("is {place} {}?", claim.in_words()),
            Self::Becomes(place, _, claim) => format!("is {place} then {}?", claim.in_words()),
            Self::SackedCamp(place, _, _, going) => format!("is it {} where {place} stood?", going.name()),
            Self::CampNeeded(side) => format!("must {} have a camp?", side.word()),
            Self::CampOptional(side) => format!("may {} do without a camp?", side.word()),
        }
    }
}

impl Claim {
    fn in_words(&self) -> String {
        match self {
            Self::Undefended => "undefended".to_owned(),
            Self::Civilians(side) => format!("held by civilians of {}", side.word()),
            Self::Troops(name) => format!("held by {name}"),
            Self::Sacked(name) => format!("sacked by {name}"),
            Self::Free(name) => format!("held by {name}, free to leave"),
        }
    }

    /// Whether it is so.
    fn is_so(&self, posed: &Posed<'_>, setup: &Setup, feature: &Feature) -> bool {
        let held = stronghold::held(setup, posed.settings.ruleset(), feature);
        let by = |name: &str| {
            let troops = Inside::Troops(Some(name.to_owned()));
            held.as_ref().is_some_and(|h| h.inside == troops)
        };
        match self {
            Self::Undefended => held.is_none(),
            Self::Civilians(side) => {
                held.as_ref().is_some_and(|h| h.inside == Inside::Civilians && h.side == *side)
            }
            Self::Troops(name) => by(name),
            Self::Sacked(name) => by(name) && feature.past.sack != Sack::No,
            Self::Free(name) => by(name) && feature.past.sack == Sack::No,
        }
    }
}

pub(super) fn answer(posed: &Posed<'_>, what: &AskStronghold) -> Result<Answer, String> {
    let (setup, settings) = (posed.setup, posed.settings);
    let mut allied = posed.case.conditions.allied.clone();
    allied.extend(setup.contingents.keys().cloned());
    let allied = allied.as_slice();
    let place = |name: &str| {
        let feature = setup.ground.feature(name);
        feature.ok_or_else(|| format!("nothing on the ground is called `{name}`"))
    };
    match what {
        AskStronghold::MayGarrison(name, at) => {
            stronghold::may_garrison(setup, settings, element(posed, name)?, place(at)?, allied)
                .map(|terms| told(&terms))
                .map_err(fault)
        }
        AskStronghold::Deployed(at) => {
            stronghold::deployed(setup, settings, place(at)?, allied).map(|terms| told(&terms)).map_err(fault)
        }
        AskStronghold::MayEnter(name, at) => {
            stronghold::may_enter(setup, settings, element(posed, name)?, place(at)?, allied)
                .map(|terms| told(&terms))
                .map_err(fault)
        }
        AskStronghold::MayLeave(name, at) => {
            Ok(told(&stronghold::may_leave(setup, settings, element(posed, name)?, place(at)?)))
        }
        AskStronghold::MaySally(at) => {
            let feature = place(at)?;
            let side = stronghold::loyalty(feature)
                .ok_or_else(|| format!("say whose City `{at}` is, with `of=`"))?;
            Ok(told(&stronghold::sally(setup, settings, feature, side)))
        }
        AskStronghold::MayRevolt(at) => {
            let bound = bound_of(posed, None);
            let terms = play::may_revolt(setup, settings, &bound, place(at)?);
            let left = bound.pips.map(|p| u32::from(p).saturating_sub(bound.spent()));
            let said = format!("{left:?} PIPs are left before it");
            Ok(Answer { pips: Some(play::REVOLT_PIPS), said, ..told(&terms) })
        }
        AskStronghold::Shown(at) => {
            let (shown, reason) = stronghold::has_element(setup, settings, place(at)?);
            Ok(Answer::plain(shown, reason.text.clone(), vec![reason]))
        }
        AskStronghold::Is(at, claim) => {
            place(at)?;
            becomes(posed, at, &[], claim)
        }
        AskStronghold::Becomes(at, events, claim) => {
            place(at)?;
            becomes(posed, at, events, claim)
        }
        AskStronghold::SackedCamp(at, make, rest, going) => sacked(posed, place(at)?, *make, *rest, *going),
        AskStronghold::CampNeeded(side) => Ok(camp(posed, *side, true)),
        AskStronghold::CampOptional(side) => Ok(camp(posed, *side, false)),
    }
}

/// Conditions as an answer, with the least margin of those that fail, else of those that hold.
pub(super) fn told(terms: &Terms) -> Answer {
    let reasons = terms.reasons();
    let met = terms.met();
    let margins = terms.conditions.iter().filter(|r| r.holds == met).filter_map(|r| r.margin);
    let mm = margins.map(|m| m.mm).min_by(f64::total_cmp);
    let failing: Vec<&str> = terms.conditions.iter().filter(|r| !r.holds).map(|r| r.text.as_str()).collect();
    let said = if met { "it may".to_owned() } else { failing.join("; ") };
    Answer { margin_mm: mm, conditions: terms.conditions.len(), ..Answer::plain(met, said, reasons) }
}

fn becomes(posed: &Posed<'_>, at: &str, events: &[Happening], claim: &Claim) -> Result<Answer, String> {
    let mut setup = posed.setup.clone();
    let mut reasons = Vec::new();
    for event in events {
        reasons.extend(happens(posed, &mut setup, at, event)?);
    }
    let feature = setup.ground.feature(at).ok_or_else(|| format!("nothing is called `{at}`"))?;
    let holds = claim.is_so(posed, &setup, feature);
    if events.is_empty() {
        reasons.extend(now(posed, &setup, feature));
    }
    let said = format!("it is held by {:?}", stronghold::held(&setup, posed.settings.ruleset(), feature));
    Ok(Answer { after: Some(setup), ..Answer::plain(holds, said, reasons) })
}

/// Why a place is held as it is.
fn now(posed: &Posed<'_>, setup: &Setup, feature: &Feature) -> Vec<Reason> {
    let (name, rules) = (&feature.name, posed.settings.ruleset());
    let held = stronghold::held(setup, rules, feature);
    let civilians = held.as_ref().is_some_and(|h| h.inside == Inside::Civilians);
    let of = |clause: &str, text: String, holds: bool| Reason { holds, ..Reason::holds(clause, text) };
    match feature.kind {
        TerrainKind::City => {
            let owner = held.as_ref().is_some_and(|h| Some(h.side) == feature.side);
            let yielded = feature.past.yielded != stronghold::Yielded::No;
            let text = format!("the denizens of {name} are for its owner until it surrenders");
            let mut reasons = vec![of("dba3.city.6", text, civilians && owner)];
            if yielded {
                let text = format!("{name} has surrendered: its denizens defend it for the enemy");
                reasons.push(of("dba3.city.20", text, civilians && !owner));
            }
            reasons
        }
        TerrainKind::Fort => {
            let text = format!("{name} is defended by a garrison alone");
            vec![of("dba3.fort.3", text.clone(), held.is_none()), of("dba3.fort.2", text, !civilians)]
        }
        TerrainKind::Camp => {
            let text = format!("somebody is in {name}: {}", held.is_some());
            let (shown, fixed) = stronghold::has_element(setup, posed.settings, feature);
            let followers = if shown { None } else { Some(fixed) };
            let undefended = of("dba3.camp.16", text, held.is_none());
            std::iter::once(undefended).chain(followers).collect()
        }
        TerrainKind::Edifice => vec![of("dba3.edifice.2", format!("{name} has no defences"), held.is_none())],
        TerrainKind::Hamlet => vec![of("dba3.hamlet.1", format!("{name} has no walls"), held.is_none())],
        _ => Vec::new(),
    }
}

fn happens(posed: &Posed<'_>, setup: &mut Setup, at: &str, event: &Happening) -> Result<Vec<Reason>, String> {
    let settings = posed.settings;
    let known = |setup: &Setup, name: &str| match setup.element(name) {
        Some(_) => Ok(()),
        None => Err(format!("no element is called `{name}`")),
    };
    let destroyed = |setup: &mut Setup, name: &str, foe: &str, by: By| -> Result<Vec<Reason>, String> {
        known(setup, name)?;
        known(setup, foe)?;
        let feature = setup.ground.feature(at).ok_or_else(|| format!("nothing is called `{at}`"))?;
        if by == By::Shooting && play::surrenders(setup, settings, feature, foe) {
            return Ok(play::surrender(setup, settings, at));
        }
        for element in setup.elements.iter_mut().filter(|e| e.name == name) {
            element.location = Location::Off;
        }
        let mut reasons = play::fall(setup, settings, at, name, by);
        let feature = setup.ground.feature(at).ok_or_else(|| format!("nothing is called `{at}`"))?;
        let free = stronghold::held(setup, settings.ruleset(), feature).is_none();
        if by == By::CloseCombat && free {
            reasons.extend(play::comes_in(setup, settings, at, foe, Coming::ByStorm));
        }
        Ok(reasons)
    };
    match event {
        Happening::Leaves(name) => {
            known(setup, name)?;
            Ok(play::goes_out(setup, settings, at, name))
        }
        Happening::Enters(name) => {
            known(setup, name)?;
            Ok(play::comes_in(setup, settings, at, name, Coming::Freely))
        }
        Happening::Beaten(name, foe) => destroyed(setup, name, foe, By::CloseCombat),
        Happening::Shot(name, foe) => destroyed(setup, name, foe, By::Shooting),
        Happening::Scores(side, score) => Ok(play::scores(setup, settings, *side, *score)),
        Happening::Revolts => Ok(play::revolt(setup, settings, at)),
    }
}

/// The going where a sacked camp stood, at its middle (clause dba3.faq.5).
fn sacked(
    posed: &Posed<'_>,
    feature: &Feature,
    make: Make,
    rest: Rest,
    going: Going,
) -> Result<Answer, String> {
    let place = &feature.name;
    if feature.kind != TerrainKind::Camp || feature.past.entered == stronghold::Entered::Never {
        let text = format!("{place} was not sacked");
        return Ok(Answer::plain(false, text.clone(), vec![Reason::fails("dba3.faq.5", text)]));
    }
    let mut setup = posed.setup.clone();
    let reasons = play::after_sack(&mut setup, place, make, rest);
    let rules = posed.settings.ruleset();
    let troop = rules.troop("4Sp").ok_or("the ruleset has no 4Sp")?;
    let found =
        setup.ground.underfoot_along("whoever is there", feature.outline.pieces(), troop, posed.settings);
    let said = format!("it is {} there", found.going.name());
    Ok(Answer::plain(found.going == going, said, reasons))
}

/// Whether that army must have a camp (clauses dba3.camp.1, .2).
fn camp(posed: &Posed<'_>, side: Side, needed: bool) -> Answer {
    let rules = posed.settings.ruleset();
    let wagon = |code: &str| rules.troop(code).is_some_and(|t| t.kind == Kind::WarWagons);
    let wagons = posed.setup.elements.iter().filter(|e| e.side == side && wagon(&e.troop)).count();
    let mut features = posed.setup.ground.features.iter();
    let city = features.any(|f| f.kind == TerrainKind::City && f.side == Some(side));
    let must = !city && wagons <= MOST_WAGONS;
    let whose = if city { "a City" } else { "no City" };
    let text = format!("{} has {whose} and {wagons} War Wagons", side.word());
    let reasons = vec![
        Reason { holds: must, ..Reason::holds("dba3.camp.1", text.clone()) },
        Reason { holds: !must, ..Reason::holds("dba3.camp.2", text.clone()) },
    ];
    Answer::plain(must == needed, text, reasons)
}

/// With more War Wagons than these an army needs no camp (clause dba3.camp.1).
const MOST_WAGONS: usize = 2;
