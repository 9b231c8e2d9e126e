//! An army while it is being chosen: what its list offers, code by code, and how many of each are taken.
//!
//! Nothing is refused here: [`super::judge`] says everything that is wrong with what is chosen. A code that several
//! entries offer is counted once, for the army says codes and not entries.

use super::fit::completions;
use super::judge::{counts, elements};
use super::muster::own;
use super::{ARMY, Army, ArmyList, Camp, City, Contingent, Entry, Form, Key, Taken};
use std::collections::BTreeSet;

/// Whose elements: the army's own, or a contingent's by its place in the army.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Whose {
    /// The army's own.
    Own,
    /// An ally's.
    Ally(usize),
}

/// An entry of a list with what it offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer<'a> {
    /// The entry.
    pub entry: &'a Entry,
    /// Its forms with their items' names; those that an entry before offers already are not among them.
    pub forms: Vec<(&'a Form, &'a str)>,
    /// Codes that it shares with an entry before.
    pub shared: Vec<&'a str>,
}

/// What a list offers beside its general.
pub fn offers(list: &ArmyList) -> Vec<Offer<'_>> {
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    list.entries
        .iter()
        .map(|entry| {
            let mut here: BTreeSet<&str> = BTreeSet::new();
            let (mut forms, mut shared) = (Vec::new(), Vec::new());
            for item in entry.items() {
                for form in &item.forms {
                    if !here.insert(&form.code) {
                        continue;
                    }
                    if seen.contains(form.code.as_str()) {
                        shared.push(form.code.as_str());
                    } else {
                        forms.push((form, item.name.as_str()));
                    }
                }
            }
            seen.extend(here);
            Offer { entry, forms, shared }
        })
        .collect()
}

/// The forms of a list's general, with their items' names.
pub fn general_forms(list: &ArmyList) -> Vec<(&Form, &str)> {
    list.general.items().flat_map(|item| item.forms.iter().map(|form| (form, item.name.as_str()))).collect()
}

impl Army {
    /// Of that list, with nothing chosen.
    pub fn begun(list: Key) -> Self {
        Self { list, own: Vec::new(), contingents: Vec::new(), camp: Camp::Unsaid, city: City::None }
    }

    /// All elements that count among its twelve.
    pub fn size(&self) -> usize {
        elements(&self.own) + self.contingents.iter().map(|c| elements(&c.elements)).sum::<usize>()
    }

    fn side_of(&self, whose: Whose) -> Option<&Vec<Taken>> {
        match whose {
            Whose::Own => Some(&self.own),
            Whose::Ally(n) => self.contingents.get(n).map(|c| &c.elements),
        }
    }

    fn side_of_mut(&mut self, whose: Whose) -> Option<&mut Vec<Taken>> {
        match whose {
            Whose::Own => Some(&mut self.own),
            Whose::Ally(n) => self.contingents.get_mut(n).map(|c| &mut c.elements),
        }
    }

    /// How many of a code are taken, the general's element left out.
    pub fn taken(&self, whose: Whose, code: &str) -> u8 {
        let all = self.side_of(whose).into_iter().flatten();
        all.filter(|t| !t.general && t.code == code).map(|t| t.count).sum()
    }

    /// The code of the general's element.
    pub fn general(&self, whose: Whose) -> Option<&str> {
        self.side_of(whose)?.iter().find(|t| t.general).map(|t| t.code.as_str())
    }

    /// That many of a code are taken, whatever were before.
    pub fn take(&mut self, whose: Whose, code: &str, count: u8) {
        let Some(all) = self.side_of_mut(whose) else { return };
        let place = all.iter().position(|t| !t.general && t.code == code);
        all.retain(|t| t.general || t.code != code);
        if count > 0 {
            let place = place.unwrap_or(all.len()).min(all.len());
            all.insert(place, Taken { count, code: code.to_owned(), general: false });
        }
    }

    /// The general's element is of that code; of none, there is no general.
    pub fn lead(&mut self, whose: Whose, code: Option<&str>) {
        let Some(all) = self.side_of_mut(whose) else { return };
        all.retain(|t| !t.general);
        if let Some(code) = code {
            all.insert(0, Taken { count: 1, code: code.to_owned(), general: true });
        }
    }

    /// A contingent of that list joins, with nothing chosen; one that has joined already leaves.
    pub fn join(&mut self, list: Key) {
        let before = self.contingents.len();
        self.contingents.retain(|c| c.list != list);
        if self.contingents.len() == before {
            self.contingents.push(Contingent { list, elements: Vec::new() });
        }
    }

    /// Filled up with the first choice wherever its list leaves one; the same again where it cannot be.
    pub fn filled(&self, list: &ArmyList) -> Self {
        let first = || general_forms(list).first().map(|(form, _)| form.code.clone());
        let Some(general) = self.general(Whose::Own).map(str::to_owned).or_else(first) else {
            return self.clone();
        };
        let allied: usize = self.contingents.iter().map(|c| elements(&c.elements)).sum();
        let wanted = usize::from(ARMY).saturating_sub(1 + allied);
        match completions(&list.entries, &counts(&self.own), wanted, 1).first() {
            Some(way) => Self { own: own(&general, way), ..self.clone() },
            None => self.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;
    use crate::rules::army_list::{judge, shipped};

    #[test]
    fn every_list_that_ships_is_filled_up_to_a_legal_army_from_nothing() {
        for list in shipped().lists() {
            let army = Army::begun(list.key.clone()).filled(list);
            let ruling = judge(&army, shipped(), &Ruleset::dba3());
            assert!(ruling.legal(), "{army}: {:?}", ruling.faults().collect::<Vec<_>>());
            assert_eq!(army.size(), 12, "{army}");
        }
    }

    #[test]
    fn what_is_chosen_stays_when_the_rest_is_filled_up() {
        let list = shipped().lists().first().expect("sample/1");
        let mut army = Army::begun(list.key.clone());
        army.lead(Whose::Own, Some("Cv"));
        army.take(Whose::Own, "LH", 2);
        army.take(Whose::Own, "Art", 1);
        army.take(Whose::Own, "3Cb", 2);
        let army = army.filled(list);
        assert_eq!(army.to_string(), "sample/1: general Cv, 2x3Cb, 2x3Kn, 4x4Sp, Art, 2xLH");
        assert!(judge(&army, shipped(), &Ruleset::dba3()).legal());
    }

    #[test]
    fn taking_changes_one_code_and_leaves_the_general_alone() {
        let list = shipped().lists().first().expect("sample/1");
        let mut army = Army::begun(list.key.clone());
        army.lead(Whose::Own, Some("3Kn"));
        army.take(Whose::Own, "3Kn", 2);
        army.take(Whose::Own, "4Sp", 4);
        army.take(Whose::Own, "3Kn", 1);
        assert_eq!(
            (army.taken(Whose::Own, "3Kn"), army.general(Whose::Own), army.size()),
            (1, Some("3Kn"), 6)
        );
        army.take(Whose::Own, "3Kn", 0);
        assert_eq!(
            (army.taken(Whose::Own, "3Kn"), army.general(Whose::Own), army.size()),
            (0, Some("3Kn"), 5)
        );
        let ally = shipped().lists().last().expect("sample/12").key.clone();
        assert_ne!(ally, list.key);
        army.join(ally.clone());
        army.take(Whose::Ally(0), "4Lb", 2);
        assert_eq!((army.taken(Whose::Ally(0), "4Lb"), army.size()), (2, 7));
        army.join(ally);
        assert_eq!((army.contingents.len(), army.size()), (0, 5));
    }
}
