//! Who gave rear support to an element that close combat destroys (clause dba3.sup.18).

use super::{Cause, Play, Step, What};
use crate::rules::neighbours::{Stands, friends_at};
use crate::rules::ruleset::Place;
use crate::rules::settings::SupporterAfter;
use crate::rules::{AskError, Context, Reason, Setup};

impl Play<'_> {
    /// `front` is destroyed in close combat with `foe`: whoever supported it from behind in `before` stays, recoils or
    /// dies, as the setting says.
    pub(super) fn bereaved(&mut self, before: &Setup, front: &str, foe: &str) -> Result<(), AskError> {
        let Some(name) = self.rear_supporter(before, front, foe) else { return Ok(()) };
        let text = format!("{name} gave rear support to {front}, which is destroyed");
        let pose = self.element(&name)?.footprint.pose();
        match self.settings.supporter_after_front_destroyed {
            SupporterAfter::Stays => {
                let reasons = vec![Reason::holds("dba3.sup.18", format!("{text}, and stays where it is"))];
                let (who, what, by_way_of) = (name, What::Stands, Vec::new());
                self.steps.push(Step { who, what, from: pose, to: pose, by_way_of, reasons });
                Ok(())
            }
            SupporterAfter::Dies => {
                let text = format!("{text}: by the setting it dies too");
                self.destroy(&name, vec![Reason::fails("dba3.sup.18", text)])
            }
            SupporterAfter::Recoils => {
                let first = self.steps.len();
                self.recoil(&name, Cause::CloseCombat)?;
                if let Some(step) = self.steps.get_mut(first) {
                    let text = format!("{text}: by the setting it recoils");
                    step.reasons.insert(0, Reason::fails("dba3.sup.18", text));
                }
                Ok(())
            }
        }
    }

    /// The friend straight behind, of a type that gives that one rear support against that enemy.
    fn rear_supporter(&self, before: &Setup, front: &str, foe: &str) -> Option<String> {
        let rules = self.settings.ruleset();
        let context = Context::of(before, self.settings);
        let (element, enemy) = (before.element(front)?, before.element(foe)?);
        let (receiver, against) = (rules.troop(&element.troop)?, rules.troop(&enemy.troop)?);
        let (behind, _) = friends_at(element, &context).find(|(_, at)| *at == Stands::Behind)?;
        let giver = rules.troop(&behind.troop)?;
        let gives = rules.support().iter().any(|row| {
            row.place == Place::Rear
                && row.receiver.holds(receiver)
                && row.giver.holds(giver)
                && row.against.holds(against)
        });
        let stands = super::flee::on_board(&self.setup, &behind.name);
        (gives && stands).then(|| behind.name.clone())
    }
}
