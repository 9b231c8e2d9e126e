//! Those on an enemy's flank or rear when the friend at its front gives way (clauses dba3.set.85, .86).

use super::{Play, Step, What};
use crate::geometry::Edge;
use crate::rules::ruleset::Fate;
use crate::rules::settings::{FlankAttackerNoRoom, FlankAttackersRecoil};
use crate::rules::{AskError, Location, Reason, Setup, contact};

impl Play<'_> {
    /// Friends of `beaten` whose front edge was on a flank or the rear of its opponent `foe` in `before`, and who have
    /// no enemy's front on their own, recoil where the setting says so.
    pub(super) fn flank_attackers(
        &mut self,
        before: &Setup,
        beaten: &str,
        foe: &str,
        fate: Fate,
    ) -> Result<(), AskError> {
        let helpers = self.helpers(before, beaten, foe);
        for helper in helpers {
            let falls_back = match self.settings.flank_attackers_recoil {
                FlankAttackersRecoil::Never => false,
                FlankAttackersRecoil::DestroyedOnly => fate == Fate::Destroyed,
                FlankAttackersRecoil::RecoilFleeDestroyed => fate != Fate::None,
            };
            let text =
                format!("{helper} is on {foe}'s flank or rear, and {beaten} at its front {}", fate.name());
            if !falls_back {
                let pose = self.element(&helper)?.footprint.pose();
                self.steps.push(Step {
                    who: helper,
                    what: What::Stands,
                    from: pose,
                    to: pose,
                    by_way_of: Vec::new(),
                    reasons: vec![Reason::fails("dba3.set.85", text)],
                });
                continue;
            }
            self.fall_back(&helper, Reason::holds("dba3.set.85", text))?;
        }
        Ok(())
    }

    /// It recoils; without room it is destroyed, or stands by the setting (clause dba3.set.86).
    fn fall_back(&mut self, name: &str, told: Reason) -> Result<(), AskError> {
        let kept = self.clone();
        self.recoil(name, super::Cause::CloseCombat)?;
        let Some(step) = self.steps.get_mut(kept.steps.len()) else { return Ok(()) };
        let no_room = step.what == What::Destroyed;
        if no_room && self.settings.flank_attacker_no_room == FlankAttackerNoRoom::Stands {
            let why = step.reasons.clone();
            *self = kept;
            let pose = self.element(name)?.footprint.pose();
            let mut reasons = vec![
                Reason::fails("dba3.set.86", format!("by the setting {name}, without room, stands")),
                told,
            ];
            reasons.extend(why);
            let (from, to, by_way_of) = (pose, pose, Vec::new());
            self.steps.push(Step { who: name.to_owned(), what: What::Stands, from, to, by_way_of, reasons });
            return Ok(());
        }
        if no_room {
            step.reasons.insert(0, Reason::holds("dba3.set.86", format!("{name} has no room to fall back")));
        }
        step.reasons.push(told);
        Ok(())
    }

    fn helpers(&self, before: &Setup, beaten: &str, foe: &str) -> Vec<String> {
        let tolerances = &self.settings.tolerances;
        let (Some(own), Some(enemy)) = (before.element(beaten), before.element(foe)) else {
            return Vec::new();
        };
        let on_board = |e: &&crate::rules::Element| e.location == Location::Board;
        let helps = |e: &&crate::rules::Element| {
            let presses = |edge| contact::on_edge(e, enemy, edge, tolerances).margin().satisfied();
            let fights = before.elements.iter().filter(on_board).any(|x| {
                x.side != own.side && contact::on_edge(x, e, Edge::Front, tolerances).margin().satisfied()
            });
            e.side == own.side
                && e.name != beaten
                && [Edge::Left, Edge::Right, Edge::Rear].into_iter().any(presses)
                && !fights
        };
        before.elements.iter().filter(on_board).filter(helps).map(|e| e.name.clone()).collect()
    }
}
