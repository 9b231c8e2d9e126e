//! Who assaults the camps, Cities and Forts that an enemy holds: front edges on their outlines.
//!
//! A feature has no corners to line up with: a front edge is on it where it is no further from the outline than edges
//! in contact are. Table frame, millimetres. Clauses: dba3.con.15, dba3.tac.15, .16.

use crate::geometry::{Margin, separation_from_area};
use crate::rules::ruleset::Ruleset;
use crate::rules::stronghold::{Held, Inside, civilians_of, front_gap_mm, held, place_of};
use crate::rules::terrain::{Feature, TerrainKind};
use crate::rules::{Element, Location, Settings, Setup, Side, Tolerances, exact};

/// A camp, City or Fort with enemies' front edges on it.
#[derive(Debug, Clone, PartialEq)]
pub struct Assault<'s> {
    /// What is assaulted.
    pub feature: &'s Feature,
    /// Who holds it.
    pub held: Held,
    /// Who assaults, in the setup's order, each with by how much its front edge is on the feature.
    pub by: Vec<(&'s Element, Margin)>,
}

impl Assault<'_> {
    /// Whoever defends it as an element: the one that is inside, else one that stands for denizens or camp followers;
    /// none of troops that no element says are there.
    pub fn defender(&self, setup: &Setup, rules: &Ruleset) -> Option<Element> {
        let location = match (&self.held.inside, self.feature.kind) {
            (Inside::Troops(Some(name)), _) => return setup.element(name).cloned(),
            (Inside::Civilians, TerrainKind::City) => Location::City,
            (Inside::Civilians, TerrainKind::Camp) => Location::Camp,
            _ => return None,
        };
        let home = |e: &&Element| {
            e.location == location && place_of(&setup.ground, e).is_some_and(|f| f.name == self.feature.name)
        };
        if let Some(element) = setup.elements.iter().find(home) {
            return Some(element.clone());
        }
        civilians_of(setup, rules, self.feature)
    }
}

/// Every assault on the table, by the ground's order of features.
pub fn assaults<'s>(setup: &'s Setup, settings: &Settings) -> Vec<Assault<'s>> {
    let mut found = Vec::new();
    for feature in setup.ground.features.iter().filter(|f| f.kind.is_stronghold()) {
        let Some(held) = held(setup, settings.ruleset(), feature) else { continue };
        let by: Vec<(&Element, Margin)> = enemies(setup, held.side)
            .map(|e| (e, front_on(e, feature, &settings.tolerances)))
            .filter(|(_, margin)| margin.satisfied())
            .collect();
        if !by.is_empty() {
            found.push(Assault { feature, held, by });
        }
    }
    found
}

fn enemies(setup: &Setup, side: Side) -> impl Iterator<Item = &Element> {
    setup.elements.iter().filter(move |e| e.side != side && e.location == Location::Board)
}

/// By how much an element's front edge is on a feature's outline, the overhang of its figures allowed for; a base that
/// lies deeper in than bases in contact overlap is not on it.
pub fn front_on(element: &Element, feature: &Feature, tolerances: &Tolerances) -> Margin {
    let slack = tolerances.contact_gap_mm;
    let apart = separation_from_area(&element.footprint, &feature.outline);
    let gap = front_gap_mm(&element.footprint, feature, slack);
    let near = Margin::closed(exact(slack + element.overhang.front - gap), apart.binding);
    near.and(Margin::closed(exact(apart.mm + slack), apart.binding))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation;

    fn found(text: &str) -> Vec<(String, Vec<String>, Option<String>)> {
        let settings = Settings::dba3();
        let setup = notation::read_setup(text, settings.ruleset()).expect("a setup");
        let all = assaults(&setup, &settings);
        let told = |a: &Assault<'_>| {
            let by = a.by.iter().map(|(e, _)| e.name.clone()).collect();
            (a.feature.name.clone(), by, a.defender(&setup, settings.ruleset()).map(|e| e.troop))
        };
        all.iter().map(told).collect()
    }

    #[test]
    fn front_edges_on_an_enemys_feature_assault_it() {
        let camp = "ground camp C box (5,5)-(7,6) of=blue held=blue-civilians\n";
        let one = found(&format!("{camp}A 4Bd red (5,5)-(6,5) N; B 4Bd red (6,5)-(7,5) N"));
        assert_eq!(one, [("C".into(), vec!["A".into(), "B".into()], Some("CF".into()))]);
        assert_eq!(found(&format!("{camp}A 4Bd blue (5,5)-(6,5) N")), []);
        assert_eq!(found(&format!("{camp}A 4Bd red (6,5)-(5,5) S")), [], "its back to the camp");
        assert_eq!(found(&format!("{camp}A 4Bd red (5,4.9)-(6,4.9) N")), [], "4 mm off");
    }

    #[test]
    fn the_element_inside_defends_and_nobody_defends_an_empty_one() {
        let inside = "ground fort F box (5,5)-(7,6); A 4Bd red (5,5)-(6,5) N; G 4Ax blue (5.5,5.6)-(6.5,5.6) N in=fort";
        assert_eq!(found(inside), [("F".into(), vec!["A".into()], Some("4Ax".into()))]);
        assert_eq!(found("ground fort F box (5,5)-(7,6); A 4Bd red (5,5)-(6,5) N"), []);
        let unnamed = "ground fort F box (5,5)-(7,6) held=blue; A 4Bd red (5,5)-(6,5) N";
        assert_eq!(found(unnamed), [("F".into(), vec!["A".into()], None)]);
    }
}
