//! What the players say is lost. A base that is gone from the table is not dead until somebody says so.

use crate::rules::Side;
use crate::rules::victory::{CampState, CityState, Places};
use crate::session::view::{ElementView, StandView, TableView};
use crate::tracking::Visibility;
use std::collections::BTreeSet;

/// Losses as far as they were said.
#[derive(Debug, Default)]
pub struct Losses {
    /// Who was seen on the table since the source was opened.
    seen: BTreeSet<String>,
    /// In the order in which it was said.
    lost: Vec<String>,
    /// Gone, and said not to be lost.
    spared: BTreeSet<String>,
    red: Places,
    blue: Places,
    view: Option<StandView>,
    /// How it stood when a bound ended and somebody had lost.
    decided: Option<String>,
}

impl Losses {
    /// Who was said to be lost.
    pub fn lost(&self) -> &[String] {
        &self.lost
    }

    /// What a side has lost beside its elements.
    pub fn places(&self, side: Side) -> Places {
        match side {
            Side::Red => self.red,
            Side::Blue => self.blue,
        }
    }

    /// Whether it was on the table since the source was opened.
    pub(super) fn was_seen(&self, name: &str) -> bool {
        self.seen.contains(name)
    }

    /// Whether it was said to be gone and not lost.
    pub(super) fn is_spared(&self, name: &str) -> bool {
        self.spared.contains(name)
    }

    /// The sums.
    pub fn view(&self) -> Option<&StandView> {
        self.view.as_ref()
    }

    /// Who had won when a bound ended.
    pub fn decided(&self) -> Option<&str> {
        self.decided.as_deref()
    }

    /// Who is gone from the table with nobody having said what of it.
    pub fn gone<'t>(&self, table: &'t TableView) -> Vec<&'t str> {
        let gone = table.elements.iter().filter(|e| {
            matches!(e.visibility, Visibility::Gone)
                && self.seen.contains(&e.name)
                && !self.spared.contains(&e.name)
                && !self.lost.contains(&e.name)
        });
        gone.map(|e| e.name.as_str()).collect()
    }

    /// Who was said to be lost and shows on the table.
    pub fn returned<'t>(&self, table: &'t TableView) -> Vec<&'t str> {
        let there = |e: &&ElementView| {
            e.visibility == Visibility::Seen
                && table.holds(e)
                && e.place.as_ref().is_some_and(|p| p.at_rest)
                && self.lost.contains(&e.name)
        };
        table.elements.iter().filter(there).map(|e| e.name.as_str()).collect()
    }

    /// The table was read. Whether that changed anything.
    pub(super) fn look(&mut self, table: &TableView) -> bool {
        let mut changed = false;
        let shows = |e: &&ElementView| e.visibility == Visibility::Seen && table.holds(e);
        for element in table.elements.iter().filter(shows) {
            changed |= self.seen.insert(element.name.clone());
            // One that shows again may be gone again later, and is then asked about anew.
            changed |= self.spared.remove(&element.name);
        }
        changed
    }

    /// Somebody is lost. Whether that is new.
    pub(super) fn lose(&mut self, name: String) -> bool {
        self.spared.remove(&name);
        let new = !self.lost.contains(&name);
        if new {
            self.lost.push(name);
        }
        new
    }

    pub(super) fn spare(&mut self, name: String) {
        self.spared.insert(name);
    }

    /// It is not lost after all. Whether it was said to be.
    pub(super) fn give_back(&mut self, name: &str) -> bool {
        let before = self.lost.len();
        self.lost.retain(|n| n != name);
        self.lost.len() < before
    }

    fn places_mut(&mut self, side: Side) -> &mut Places {
        match side {
            Side::Red => &mut self.red,
            Side::Blue => &mut self.blue,
        }
    }

    pub(super) fn set_camp(&mut self, side: Side, camp: CampState) {
        self.places_mut(side).camp = camp;
    }

    pub(super) fn set_city(&mut self, side: Side, city: CityState) {
        self.places_mut(side).city = city;
    }

    pub(super) fn stand(&mut self, view: StandView) {
        self.view = Some(view);
    }

    /// A bound has ended. What is decided by that, where somebody has lost.
    pub(super) fn bound_ends(&mut self) -> Option<String> {
        self.decided = self.view.as_ref().filter(|v| v.loser.is_some()).map(|v| v.words.clone());
        self.decided.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Pose, PoseEstimate, Rest};
    use crate::judge::{ElementReading, samples};
    use crate::rules::Settings;
    use crate::session::engine::Engine;
    use std::time::Duration;

    /// The sample table with the Libyans so visible.
    fn table(visibility: Visibility) -> TableView {
        let engine = Engine::new(samples::table(), samples::roster(), Settings::dba3());
        let pose = Some(PoseEstimate::exact(Pose::new(300.0, 300.0, 90.0)));
        let (name, rest) = ("Libyans".to_owned(), Rest::TABLE);
        let libyans = ElementReading { name, side: Side::Blue, visibility, at_rest: true, pose, rest };
        engine.table_view(&[libyans])
    }

    #[test]
    fn who_is_gone_is_asked_about_until_somebody_says_what_of_it() {
        let mut losses = Losses::default();
        // Never seen, nobody misses it.
        assert!(losses.gone(&table(Visibility::Gone)).is_empty());
        losses.look(&table(Visibility::Seen));
        assert!(losses.gone(&table(Visibility::Covered { age: Duration::from_secs(3) })).is_empty());
        assert_eq!(losses.gone(&table(Visibility::Gone)), ["Libyans"]);
        losses.spare("Libyans".to_owned());
        assert!(losses.gone(&table(Visibility::Gone)).is_empty());
        // It comes back and goes again.
        losses.look(&table(Visibility::Seen));
        assert_eq!(losses.gone(&table(Visibility::Gone)), ["Libyans"]);
        assert!(losses.lose("Libyans".to_owned()) && !losses.lose("Libyans".to_owned()));
        assert!(losses.gone(&table(Visibility::Gone)).is_empty());
        assert!(losses.give_back("Libyans") && !losses.give_back("Libyans"));
    }
}
