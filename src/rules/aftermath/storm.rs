//! What the loss of a camp, City or Fort's defenders brings: it surrenders, falls, and a victor moves in.
//!
//! Table frame, millimetres. A victor moves straight ahead by the distance of clause dba3.faq.6 and is inside from then
//! on. Clauses: dba3.pur.3, .5, dba3.bua.9, dba3.city.8 to .10, .18, dba3.faq.6, dba3.set.10, .89, .90.

use super::pursuit::distance;
use super::{Choice, Play, Step, What};
use crate::geometry::Pose;
use crate::rules::ruleset::Troop;
use crate::rules::strip::{Strip, Towards};
use crate::rules::stronghold::{self, play};
use crate::rules::terrain::{Feature, TerrainKind};
use crate::rules::{AskError, Element, Location, Reason};

impl Play<'_> {
    /// The camp, City or Fort that an element is inside.
    pub(super) fn stronghold_of(&self, name: &str) -> Option<Feature> {
        let element = self.setup.element(name)?;
        stronghold::place_of(&self.setup.ground, element).cloned()
    }

    /// Whether the City `place` surrenders, its denizens `own` being destroyed by the shooting of `foe`; if so it does.
    pub(super) fn surrender(&mut self, place: &Feature, own: &str, foe: &str, why: &Reason) -> bool {
        if !play::surrenders(&self.setup, self.settings, place, foe) {
            return false;
        }
        let Some(pose) = self.setup.element(own).map(|e| e.footprint.pose()) else { return false };
        let mut reasons = vec![why.clone()];
        reasons.extend(play::surrender(&mut self.setup, self.settings, &place.name));
        self.told(own, What::Surrenders, pose, reasons);
        true
    }

    /// The defender `own` of `place` has been destroyed: the place falls, and where nobody else defends it one of those
    /// who assaulted it with `foe` moves in.
    ///
    /// # Errors
    /// An unknown name or troop code.
    pub(super) fn falls(
        &mut self,
        place: &Feature,
        own: &str,
        foe: &str,
        by: play::By,
    ) -> Result<(), AskError> {
        let told = play::fall(&mut self.setup, self.settings, &place.name, own, by);
        if let Some(step) = self.steps.iter_mut().rev().find(|s| s.who == own) {
            step.reasons.extend(told);
        }
        let now = self.setup.ground.feature(&place.name).cloned().unwrap_or_else(|| place.clone());
        let held = stronghold::held(&self.setup, self.settings.ruleset(), &now).is_some();
        if held || by == play::By::Shooting {
            return Ok(());
        }
        let victor = self.victor(&now, foe)?;
        self.storms(&now, &victor)
    }

    /// Who moves in: into a City whichever assaulter its player picks, else who destroyed the defenders.
    fn victor(&mut self, place: &Feature, foe: &str) -> Result<String, AskError> {
        let fought = self.element(foe)?.clone();
        if place.kind != TerrainKind::City {
            return Ok(foe.to_owned());
        }
        let on = stronghold::assaulters(&self.setup, self.settings, place, fought.side);
        let mut all: Vec<Element> = on.filter(|e| e.name != foe).cloned().collect();
        all.insert(0, fought);
        let picked = self.decisions.occupies.get(&place.name);
        let at = picked.and_then(|name| all.iter().position(|e| e.name == *name)).unwrap_or(0);
        all.swap(0, at);
        if all.len() > 1 {
            let mut answers = Vec::new();
            for element in &all {
                answers.push((
                    format!("{} occupies {}", element.name, place.name),
                    Some(self.way_in(element)?.0),
                ));
            }
            self.choices.push(Choice { who: foe.to_owned(), clause: "dba3.city.9", answers });
        }
        Ok(all.swap_remove(0).name)
    }

    /// The victor moves in, unless the rule or a setting keeps it out.
    fn storms(&mut self, place: &Feature, name: &str) -> Result<(), AskError> {
        let element = self.on_the_board(name)?.clone();
        let troop = self.troop(&element)?;
        let into = &place.name;
        if element.tower {
            let text = format!("{name} is a mobile tower: it stays outside {into}");
            return self.shift(name, What::Stands, &[], vec![Reason::holds("dba3.set.90", text)]);
        }
        let bar = stronghold::barred_type(self.settings, &troop, place);
        let mut reasons = Vec::new();
        if !bar.holds {
            let enters = self.settings.stormer_ignores_occupancy_bar;
            let text = if enters {
                format!("{name} ({}) enters {into} as its victor, though it could not occupy it", troop.code)
            } else {
                format!("by the setting {name} ({}) may not enter {into}", troop.code)
            };
            reasons.push(Reason { holds: enters, ..Reason::holds("dba3.set.89", text) });
            reasons.push(bar);
            if !enters {
                return self.shift(name, What::Stands, &[], reasons);
            }
        }
        let (to, how) = self.way_in(&element)?;
        let text =
            format!("{name}'s close combat has destroyed the defenders of {into}: it moves in at once");
        reasons.insert(0, Reason::holds("dba3.pur.5", text));
        reasons.push(how);
        let from = element.footprint.pose();
        let coming = play::Coming::ByStorm;
        reasons.extend(play::comes_in(&mut self.setup, self.settings, into, name, coming));
        self.told(name, What::MovesIn, from, reasons);
        if let Some(step) = self.steps.last_mut() {
            step.to = to;
        }
        self.stand(name, |e| e.footprint = e.footprint.moved_to(to));
        Ok(())
    }

    /// Where a victor comes to stand (clause dba3.faq.6): ahead by its own pursuit, else by 1/2 BW on foot and 1 BW
    /// mounted.
    fn way_in(&self, element: &Element) -> Result<(Pose, Reason), AskError> {
        let troop = self.troop(element)?;
        let (share, why) = match distance(&troop, None) {
            Ok((share, _)) => (share, "as far as it pursues"),
            Err(_) if troop.is_mounted() => (1.0, "being mounted and no pursuer"),
            Err(_) => (0.5, "being foot and no pursuer"),
        };
        let mm = share * self.setup.scale.mm_per_bw();
        let to = Strip::of(element.footprint, Towards::Ahead, self.slack()).after(mm);
        let text = format!("{} moves in by {mm:.1} mm, {why}", element.name);
        Ok((to, Reason::holds("dba3.faq.6", text)))
    }

    /// Those inside a place do not pursue whom they have beaten (clauses dba3.pur.3, dba3.bua.9).
    pub(super) fn stays_inside(&mut self, name: &str) -> Result<(), AskError> {
        let text = format!("{name} is in a City, Fort or camp and does not pursue");
        let mut reasons = vec![Reason::holds("dba3.pur.3", text)];
        if self.element(name)?.location != Location::Camp {
            let text = format!("{name} garrisons a built-up area and stays in it");
            reasons.push(Reason::holds("dba3.bua.9", text));
        }
        self.shift(name, What::Stands, &[], reasons)
    }

    fn troop(&self, element: &Element) -> Result<Troop, AskError> {
        let (name, code) = (element.name.clone(), element.troop.clone());
        let found = self.settings.ruleset().troop(&element.troop);
        found.cloned().ok_or(AskError::UnknownTroop { name, code })
    }

    /// Something that happens to an element where it stands.
    fn told(&mut self, name: &str, what: What, at: Pose, reasons: Vec<Reason>) {
        let who = name.to_owned();
        self.steps.push(Step { who, what, from: at, to: at, by_way_of: Vec::new(), reasons });
    }
}
