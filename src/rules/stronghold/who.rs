//! Who may hold a camp, City or Fort: at the start, by going in, and by going out again.
//!
//! Nothing here measures: how a move comes to the rim or the gate is the judge of moves'. Which elements are allied
//! does not show on the table, so it is told. Clauses: dba3.bua.5, .8, dba3.city.10, .11, .17, .19, .21, .23,
//! dba3.fort.1, .4, dba3.camp.10 to .17, dba3.set.11, .14 to .16.

use super::held::{Held, Inside, held, inside, is_civilian, location_in, loyalty, out};
use super::past::{Civilians, Sack, Yielded};
use crate::geometry::{Binding, Margin, Part, of_base, of_ground};
use crate::rules::ruleset::{Kind, Troop};
use crate::rules::settings::{FortBarred, StartingGarrison};
use crate::rules::terrain::{Feature, Holder, TerrainKind};
use crate::rules::{AskError, Element, Location, Reason, Settings, Setup, exact};

/// Conditions that must all hold, and what was read beside them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Terms {
    /// What must hold.
    pub conditions: Vec<Reason>,
    /// What was read.
    pub notes: Vec<Reason>,
}

impl Terms {
    /// Whether all conditions hold.
    pub fn met(&self) -> bool {
        self.conditions.iter().all(|r| r.holds)
    }

    /// Every reason, conditions that fail first, then the others, then the notes.
    pub fn reasons(&self) -> Vec<Reason> {
        let mut all = self.conditions.clone();
        all.sort_by_key(|r| r.holds);
        all.extend(self.notes.iter().cloned());
        all
    }

    /// These conditions and notes too.
    pub(in crate::rules) fn extend(&mut self, other: Self) {
        self.conditions.extend(other.conditions);
        self.notes.extend(other.notes);
    }

    pub(in crate::rules) fn ask(&mut self, clause: &str, text: String, holds: bool) {
        self.conditions.push(Reason { holds, ..Reason::holds(clause, text) });
    }

    pub(in crate::rules) fn test(&mut self, clause: &str, text: String, margin: Margin) {
        self.conditions.push(Reason::tested(clause, text, margin));
    }

    pub(in crate::rules) fn note(&mut self, clause: &str, text: String, holds: bool) {
        self.notes.push(Reason { holds, ..Reason::holds(clause, text) });
    }
}

pub(super) fn troop<'a>(settings: &'a Settings, element: &Element) -> Result<&'a Troop, AskError> {
    let (name, code) = (element.name.clone(), element.troop.clone());
    settings.ruleset().troop(&element.troop).ok_or(AskError::UnknownTroop { name, code })
}

/// The clause on whether a camp, Fort or City keeps troops of that type out, and whether it does.
pub(in crate::rules) fn bars_type(
    settings: &Settings,
    troop: &Troop,
    place: TerrainKind,
) -> (&'static str, bool) {
    let walls = matches!(troop.kind, Kind::Elephants | Kind::ScythedChariots | Kind::WarWagons);
    match place {
        TerrainKind::Fort => ("dba3.set.14", walls && settings.fort_barred_types == FortBarred::AsCity),
        TerrainKind::Camp => ("dba3.camp.11", matches!(troop.kind, Kind::Elephants | Kind::ScythedChariots)),
        _ => ("dba3.city.23", walls),
    }
}

/// Whether troops of that type are kept out of a feature of that kind, and by which clause (clauses dba3.city.23,
/// dba3.camp.11, dba3.set.14).
pub(in crate::rules) fn barred_type(settings: &Settings, troop: &Troop, feature: &Feature) -> Reason {
    let (clause, bars) = bars_type(settings, troop, feature.kind);
    let may = if bars { "may not" } else { "may" };
    let text = format!("{} {may} occupy {}", troop.code, feature.name);
    Reason { holds: !bars, ..Reason::holds(clause, text) }
}

/// May this element hold the place from the start (clauses dba3.bua.5, dba3.fort.1, dba3.camp.10, .11, .15)?
///
/// # Errors
/// An unknown troop code.
pub fn may_garrison(
    setup: &Setup,
    settings: &Settings,
    element: &Element,
    feature: &Feature,
    allied: &[String],
) -> Result<Terms, AskError> {
    let (name, place) = (&element.name, &feature.name);
    let troop = troop(settings, element)?;
    let mut terms = Terms::default();
    let others = inside(setup, feature).filter(|e| e.name != *name).count();
    let ally = allied.contains(name);
    let whose = if ally { "allied" } else { "no ally" };
    if feature.kind == TerrainKind::Camp {
        occupies_camp(settings, (element, troop), (feature, others), allied, &mut terms);
        return Ok(terms);
    }
    let civilians = is_civilian(settings.ruleset(), element);
    let foot = !troop.is_mounted() && !civilians;
    let text =
        format!("{name} is {}, {whose}; {place} is garrisoned by one element of foot, no ally", troop.code);
    terms.ask("dba3.bua.5", text, foot && !ally && others == 0);
    let (wagons, guns) = match settings.starting_garrison_types {
        StartingGarrison::ExceptWagons => (false, true),
        StartingGarrison::ExceptWagonsAndArtillery => (false, false),
        StartingGarrison::AnyFoot => (true, true),
    };
    if matches!(troop.kind, Kind::WarWagons | Kind::Artillery) {
        let may = if troop.kind == Kind::WarWagons { wagons } else { guns };
        let text = format!("{} {} be the first garrison", troop.code, if may { "may" } else { "may not" });
        terms.ask("dba3.set.15", text, may);
    }
    if feature.kind == TerrainKind::Fort {
        terms.note("dba3.fort.1", format!("{place} needs a garrison at the start"), terms.met());
    }
    Ok(terms)
}

/// What a camp asks of an element that is to hold it; `others` are in it already.
fn occupies_camp(
    settings: &Settings,
    (element, troop): (&Element, &Troop),
    (feature, others): (&Feature, usize),
    allied: &[String],
    terms: &mut Terms,
) {
    let (name, place) = (&element.name, &feature.name);
    if is_civilian(settings.ruleset(), element) {
        let text = format!("{place} is held by followers or by troops, not by both; {others} are in it");
        terms.ask("dba3.camp.15", text, others == 0);
        let text = format!("{name} may hold {place}, and leave it for good");
        terms.note("dba3.camp.13", text, troop.kind == Kind::CampFollowers);
        return;
    }
    let ally = allied.contains(name);
    let text = format!(
        "{name} is {}; one element, no ally, holds {place}, and {others} are in it",
        if ally { "allied" } else { "no ally" }
    );
    terms.ask("dba3.camp.10", text, !ally && others == 0);
    terms.conditions.push(barred_type(settings, troop, feature));
}

/// Is everybody in the place who has to be, and nobody who may not, when deployment ends (clauses dba3.bua.5,
/// dba3.fort.1, dba3.camp.10 to .16)?
///
/// # Errors
/// An unknown troop code.
pub fn deployed(
    setup: &Setup,
    settings: &Settings,
    feature: &Feature,
    allied: &[String],
) -> Result<Terms, AskError> {
    let mut terms = Terms::default();
    let all: Vec<&Element> = inside(setup, feature).collect();
    let troops: Vec<&&Element> = all.iter().filter(|e| !is_civilian(settings.ruleset(), e)).collect();
    for element in &troops {
        let found = may_garrison(setup, settings, element, feature, allied)?;
        terms.conditions.extend(found.conditions);
        terms.notes.extend(found.notes);
    }
    let place = &feature.name;
    if feature.kind.has_gates() {
        terms.conditions.extend(troops.iter().map(|element| near_the_middle(element, feature)));
    }
    match feature.kind {
        TerrainKind::Fort => {
            let text = format!("{} elements garrison {place}; a Fort starts with one", troops.len());
            terms.ask("dba3.fort.1", text.clone(), troops.len() == 1);
            terms.ask("dba3.bua.5", text, troops.len() == 1);
            terms.note("dba3.fort.2", format!("{place} has no denizens and no value"), true);
        }
        TerrainKind::City if troops.is_empty() => {
            terms.note("dba3.bua.5", format!("{place} may do without a garrison"), true);
            terms.note("dba3.city.6", format!("the denizens of {place} are for its owner"), true);
        }
        TerrainKind::Camp => {
            let followers = all.len() - troops.len() + usize::from(fixed_followers(setup, settings, feature));
            let text = format!("{} troop elements and {followers} of followers hold {place}", troops.len());
            terms.ask("dba3.camp.15", text, troops.is_empty() || followers == 0);
            if all.is_empty() && followers == 0 {
                terms.note("dba3.camp.16", format!("nobody is in {place}: it is undefended"), true);
            }
        }
        _ => {}
    }
    Ok(terms)
}

/// Whether a garrison is nearer to the middle of its City or Fort than to its rim: a choice of ours for near (clause
/// dba3.bua.6).
fn near_the_middle(element: &Element, feature: &Feature) -> Reason {
    let (centre, middle) = (element.footprint.pose().centre, feature.outline.centroid());
    let (depth_mm, rim) = feature.outline.depth_of(centre);
    let away_mm = (centre - middle).norm();
    let binding = Binding(of_base(&element.footprint, centre), of_ground(Part::Rim, rim));
    let (name, place) = (&element.name, &feature.name);
    let text =
        format!("{name} is {away_mm:.1} mm from the middle of {place}, {depth_mm:.1} mm inside its rim");
    Reason::tested("dba3.bua.6", text, Margin::closed(exact(depth_mm - away_mm), binding))
}

/// Whether followers hold a camp who are no element and so cannot leave it (clause dba3.camp.14).
pub(super) fn fixed_followers(setup: &Setup, settings: &Settings, feature: &Feature) -> bool {
    let element = inside(setup, feature).any(|e| is_civilian(settings.ruleset(), e));
    let said = matches!(feature.holder, Holder::Civilians(_)) && feature.past.civilians == Civilians::Home;
    feature.kind == TerrainKind::Camp && said && !element
}

/// May this element go into the place now, as far as it is a matter of who it is and who is inside?
///
/// # Errors
/// An unknown troop code.
pub fn may_enter(
    setup: &Setup,
    settings: &Settings,
    element: &Element,
    feature: &Feature,
    allied: &[String],
) -> Result<Terms, AskError> {
    let (name, place) = (&element.name, &feature.name);
    let rules = settings.ruleset();
    let troop = troop(settings, element)?;
    let mut terms = Terms::default();
    let clauses = Clauses::of(feature);
    match held(setup, rules, feature) {
        Some(Held { side, inside }) if side != element.side => {
            let who = if inside == Inside::Civilians { "its civilians defend" } else { "troops hold" };
            let text = format!("{who} {place} against {name}: it must be assaulted");
            terms.ask(clauses.undefended, text, false);
        }
        Some(Held { inside: Inside::Troops(who), .. }) => {
            let who = who.unwrap_or_else(|| "another element".to_owned());
            let text = format!("{who} is in {place}, which one element may hold");
            terms.ask(clauses.one, text, false);
        }
        Some(Held { inside: Inside::Civilians, .. }) if feature.kind == TerrainKind::Camp => {
            let text = format!("followers hold {place}: troops and followers do not hold it together");
            terms.ask("dba3.camp.15", text, false);
        }
        Some(_) => {
            let text = format!("the denizens of {place} are on {name}'s side, and no troops are in it");
            terms.ask(clauses.one, text, true);
        }
        None => terms.ask(clauses.undefended, format!("nobody defends {place}"), true),
    }
    if is_civilian(rules, element) {
        let home = troop.kind == Kind::Denizens && loyalty(feature) == Some(element.side);
        let text = format!("{name} is {}, no troop element", troop.code);
        match troop.kind {
            Kind::CampFollowers if feature.kind == TerrainKind::Camp => {
                let text = format!("{name} has left {place} and may not go back");
                terms.ask("dba3.camp.13", text, false);
            }
            _ => terms.ask(clauses.one, text, home),
        }
        return Ok(terms);
    }
    terms.conditions.push(barred_type(settings, troop, feature));
    if feature.past.yielded != Yielded::No && loyalty(feature) == Some(element.side) {
        let text = format!("{name} is the garrison of {place} as soon as it is in");
        terms.note("dba3.city.19", text, terms.met());
    }
    if feature.kind == TerrainKind::Camp && feature.side == Some(element.side) {
        let ally = allied.contains(name);
        let text = format!("{name} is {}", if ally { "allied" } else { "no ally" });
        terms.ask("dba3.camp.10", text, !ally);
        if out(setup, rules, feature).is_some() {
            let may = settings.camp_refill_after_followers;
            let text = if may {
                "the followers have left: troops may take their place"
            } else {
                "by the setting nobody takes the place of followers who left"
            };
            terms.ask("dba3.set.16", text.to_owned(), may);
        }
        terms.note(
            "dba3.camp.12",
            format!("{name} takes the place of whoever has left {place}"),
            terms.met(),
        );
    }
    Ok(terms)
}

/// The clauses by which a place is entered.
struct Clauses {
    /// Nobody defends it.
    undefended: &'static str,
    /// One element may hold it.
    one: &'static str,
}

impl Clauses {
    fn of(feature: &Feature) -> Self {
        match feature.kind {
            TerrainKind::Fort => Self { undefended: "dba3.fort.4", one: "dba3.fort.4" },
            TerrainKind::Camp => Self { undefended: "dba3.camp.16", one: "dba3.camp.10" },
            _ => Self { undefended: "dba3.city.17", one: "dba3.city.23" },
        }
    }
}

/// May this element, which is inside, come out? Denizens may by [`super::sally()`].
pub fn may_leave(setup: &Setup, settings: &Settings, element: &Element, feature: &Feature) -> Terms {
    let (name, place) = (&element.name, &feature.name);
    let mut terms = Terms::default();
    let denizens = settings.ruleset().troop(&element.troop).is_some_and(|t| t.kind == Kind::Denizens);
    let there = Some(element.location) == location_in(feature.kind)
        && super::place_of(&setup.ground, element).is_some_and(|f| f.name == feature.name);
    let placed = denizens && element.location == Location::Reserve && loyalty(feature) == Some(element.side);
    let there = there || placed;
    if is_civilian(settings.ruleset(), element) && feature.kind == TerrainKind::Camp {
        let text = format!("{name} may leave {place}, and never go back");
        terms.ask("dba3.camp.13", text, there);
        return terms;
    }
    let clause = if feature.kind == TerrainKind::Camp { "dba3.camp.12" } else { "dba3.bua.8" };
    let inside = if there { "is inside" } else { "is not inside" };
    terms.ask(clause, format!("{name} {inside} {place} and comes out by a tactical move"), there);
    match feature.past.sack {
        Sack::No if feature.kind == TerrainKind::City => {
            terms.note("dba3.city.11", format!("{name} is not sacking {place}"), true);
        }
        Sack::No => {}
        Sack::AtWork => {
            let text = format!("{name} sacks {place} until its side's PIP die shows 5 or 6");
            terms.ask("dba3.city.10", text, false);
            terms.note("dba3.city.11", format!("the sack of {place} is not over"), false);
        }
        Sack::Ending => {
            let text = format!("by the setting {name} is free in the bound after the 5 or 6");
            terms.ask("dba3.set.11", text, false);
        }
    }
    terms
}

/// Whether the place has an element on the table for those who hold it (clauses dba3.city.24, dba3.camp.13, .14).
pub fn has_element(setup: &Setup, settings: &Settings, feature: &Feature) -> (bool, Reason) {
    let place = &feature.name;
    let holders: Vec<&Element> = inside(setup, feature).collect();
    let troops = holders.iter().any(|e| !is_civilian(settings.ruleset(), e));
    match feature.kind {
        TerrainKind::City => {
            let sallied = out(setup, settings.ruleset(), feature).filter(|e| e.location == Location::Board);
            let text = match (troops, &sallied) {
                (true, _) => format!("troops are in {place}"),
                (false, Some(e)) => format!("the denizens of {place} have sallied as {}", e.name),
                (false, None) => format!("the denizens in {place} are no element until they sally"),
            };
            let on = troops || sallied.is_some();
            (on, Reason { holds: !troops, ..Reason::holds("dba3.city.24", text) })
        }
        _ => {
            let fixed = fixed_followers(setup, settings, feature);
            let text = match (holders.first(), fixed) {
                (Some(element), _) => format!("{} is in {place}", element.name),
                (None, true) => format!("the followers in {place} are fixed: they hold it and cannot leave"),
                (None, false) => format!("nobody is in {place}"),
            };
            (!holders.is_empty(), Reason { holds: fixed, ..Reason::holds("dba3.camp.14", text) })
        }
    }
}
