//! What the players have agreed on, and when it lapses: a fact outranks the measurement until either of its elements
//! moves. Table frame, millimetres.

use crate::geometry::{Corner, Footprint};
use crate::judge::Measured;
use crate::rules::Settings;
use crate::rules::facts::{Fact, FactError};

/// An element whose corner has gone so far from where it stood when a fact was agreed has moved, millimetres. A
/// choice: what the eye sees, and well above what a base at rest is read to wander.
const MOVED_MM: f64 = 1.0;

/// The facts that stand.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    standing: Vec<Standing>,
    lapsed: Option<Fact>,
    conflict: Option<FactError>,
}

#[derive(Debug, Clone)]
struct Standing {
    fact: Fact,
    /// Its elements, where they were measured when it was agreed.
    stood: Vec<(String, Footprint)>,
}

impl Facts {
    /// Every fact that stands, in the order in which they were agreed.
    pub fn all(&self) -> impl Iterator<Item = &Fact> {
        self.standing.iter().map(|s| &s.fact)
    }

    /// The one that lapsed last, because an element of it has moved.
    pub fn lapsed(&self) -> Option<&Fact> {
        self.lapsed.as_ref()
    }

    /// Why they cannot be taken over just now, if so: then nothing is taken from them.
    pub fn conflict(&self) -> Option<&FactError> {
        self.conflict.as_ref()
    }

    /// Another fact is agreed, on the table as it was measured. What was agreed of the same two before goes.
    pub(super) fn agree(&mut self, fact: Fact, measured: &Measured) {
        let names = |f: &Fact| {
            let (a, b) = f.names();
            (a.to_owned(), b.to_owned())
        };
        self.standing.retain(|s| names(&s.fact) != names(&fact) || !same_matter(&s.fact, &fact));
        let (a, b) = names(&fact);
        self.standing.push(Standing { fact, stood: stood(measured, [&a, &b]) });
        self.lapsed = None;
    }

    /// A fact is withdrawn.
    pub(super) fn withdraw(&mut self, fact: &Fact) {
        self.standing.retain(|s| s.fact != *fact);
        self.lapsed = None;
    }

    /// All go.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// The table with what was agreed. A fact whose element has moved lapses; where facts do not fit, the table is
    /// as it was measured.
    pub(super) fn over(&mut self, measured: Measured, settings: &Settings) -> Measured {
        let moved = |s: &Standing| !stood_still(&measured, &s.stood);
        let lapsed = self.standing.iter().rfind(|s| moved(s)).map(|s| s.fact.clone());
        if lapsed.is_some() {
            self.standing.retain(|s| !moved(s));
            self.lapsed = lapsed;
        }
        self.conflict = None;
        let facts: Vec<Fact> = self.all().cloned().collect();
        if facts.is_empty() {
            return measured;
        }
        match measured.agreed(settings, &facts) {
            Ok(agreed) => agreed,
            Err(why) => {
                self.conflict = Some(why);
                measured
            }
        }
    }
}

/// Those of the two that are there, where they were measured.
pub(super) fn stood(measured: &Measured, names: [&str; 2]) -> Vec<(String, Footprint)> {
    let of = |name: &str| Some((name.to_owned(), measured.setup.element(name)?.footprint));
    names.into_iter().filter_map(of).collect()
}

/// Whether none of them has moved since; one that is not there has not.
pub(super) fn stood_still(measured: &Measured, stood: &[(String, Footprint)]) -> bool {
    stood.iter().all(|(name, stood)| {
        measured.setup.element(name).is_none_or(|e| {
            Corner::ALL.into_iter().all(|c| (e.footprint.corner(c) - stood.corner(c)).norm() <= MOVED_MM)
        })
    })
}

/// Whether two facts settle the same matter, one way or the other.
fn same_matter(a: &Fact, b: &Fact) -> bool {
    let kind = std::mem::discriminant::<Fact>;
    kind(a) == kind(b) || kind(&a.opposite()) == kind(b)
}

/// A fact as people say it.
pub fn fact_words(fact: &Fact) -> String {
    let (a, b) = fact.names();
    match fact {
        Fact::Contact(..) => format!("{a} is in contact with {b}"),
        Fact::Apart(..) => format!("{a} and {b} do not touch"),
        Fact::InZone(..) => format!("{a} is in the threat zone of {b}"),
        Fact::OutsideZone(..) => format!("{a} is outside the threat zone of {b}"),
        Fact::Inside(..) => format!("part of {a} is in {b}"),
        Fact::ClearOf(..) => format!("{a} is clear of {b}"),
        Fact::WhollyInside(..) => format!("all of {a} is in {b}"),
        Fact::PartlyOutside(..) => format!("part of {a} is out of {b}"),
        Fact::CanShoot(..) => format!("{a} has {b} in arc, range and sight"),
        Fact::CannotShoot(..) => format!("{a} has {b} not in arc, range and sight"),
        Fact::Supports(..) => format!("{a} stands where it supports {b}"),
        Fact::NoSupport(..) => format!("{a} does not stand where it supports {b}"),
        Fact::Overlaps(..) => format!("{a} touches {b} as overlapping does"),
        Fact::NoOverlap(..) => format!("{a} does not touch {b} as overlapping does"),
        Fact::Pins(..) => format!("the front edge of {a} keeps {b} from recoiling"),
        Fact::NoPin(..) => format!("the front edge of {a} does not keep {b} from recoiling"),
        Fact::Uphill(..) => format!("{a} is uphill of {b}"),
        Fact::NotUphill(..) => format!("{a} is not uphill of {b}"),
        Fact::Bank(..) => format!("{a} is on land with {b} in the water before it"),
        Fact::NoBank(..) => format!("{a} does not have {b} in the water before its bank"),
        Fact::Storms(..) => format!("the front edge of {a} is on {b}"),
        Fact::NoStorm(..) => format!("the front edge of {a} is not on {b}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Vector;
    use crate::rules::{Ruleset, notation};

    fn measured(text: &str) -> Measured {
        Measured::exact(notation::read_setup(text, &Ruleset::dba3()).expect("a setup"))
    }

    /// The front of A is 40.1 mm from E's: just outside its zone.
    fn table() -> Measured {
        measured("A 4Bd red at (100,100)mm 90deg w40mm d15mm; E 4Bd blue at (100,155.1)mm 270deg w40mm d15mm")
    }

    #[test]
    fn a_fact_stands_until_one_of_its_elements_moves() {
        let settings = Settings::dba3();
        let mut facts = Facts::default();
        let fact = Fact::InZone("A".to_owned(), "E".to_owned());
        facts.agree(fact.clone(), &table());
        assert_eq!(facts.over(table(), &settings).facts(), std::slice::from_ref(&fact));
        let shifted = |by: f64| {
            let mut table = table();
            let element = &mut table.setup.elements[1];
            element.footprint =
                element.footprint.moved_to(element.footprint.pose().nudged(Vector::new(by, 0.0), 0.0));
            table
        };
        assert_eq!(facts.over(shifted(0.4), &settings).facts().len(), 1);
        assert!(facts.over(shifted(3.0), &settings).facts().is_empty());
        assert_eq!((facts.all().count(), facts.lapsed()), (0, Some(&fact)));
    }

    #[test]
    fn the_opposite_takes_its_place_and_what_does_not_fit_changes_nothing() {
        let settings = Settings::dba3();
        let mut facts = Facts::default();
        let pair = || ("A".to_owned(), "E".to_owned());
        let ((a, e), (b, f)) = (pair(), pair());
        facts.agree(Fact::InZone(a, e), &table());
        facts.agree(Fact::OutsideZone(b, f), &table());
        assert_eq!(facts.all().count(), 1);
        let (a, e) = pair();
        facts.agree(Fact::Contact(a, e), &table());
        // A contact over 40 mm is too far off.
        let over = facts.over(table(), &settings);
        assert!(
            over.facts().is_empty()
                && facts.conflict().is_some_and(|c| c.to_string().contains("contact A E"))
        );
        facts.withdraw(&Fact::Contact("A".to_owned(), "E".to_owned()));
        assert_eq!(facts.over(table(), &settings).facts().len(), 1);
    }
}
