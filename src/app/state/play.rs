//! What commands bring about in play, as the battle understands them; and what of it is worked out elsewhere.

use super::reach::Asked;
use super::{ReachBody, State};
use crate::app::command::{FightCommand, LossesCommand, MovesCommand, Page};
use crate::rules::{Question, Side};
use crate::session::engine::outcome;
use crate::session::play::{Act, Answer, FightKind, Job, Said};
use crate::session::view::{CombatView, Decides, DueView, ReachView};
use std::sync::Arc;

/// What is wanted of a working thread.
pub(in crate::app) enum Errand<A> {
    /// Nothing new.
    Nothing,
    /// What is being done is not wanted any more.
    Cancel,
    /// This, in place of all before.
    Do(Job<A>),
}

impl State {
    /// Somebody said or did something; what is shown of the two that are picked is worked out again.
    pub(super) fn act(&mut self, act: Act) {
        self.play.act(act);
        self.judge();
    }

    /// What is said of the first of the two shooting at the second, while that is looked at.
    pub(super) fn judge_shooting(&mut self) {
        let shooting = match (self.fight().kind(), &self.picked) {
            (FightKind::Shooting, [Some(a), Some(b)]) => self.play.shooting(a, b),
            _ => None,
        };
        self.play.fight_mut().look_at(shooting);
    }

    /// The combats and shots that are due are worked out elsewhere, where the table at rest has changed.
    pub(in crate::app) fn due_job(&mut self) -> Option<Job<DueView>> {
        self.play.due_job()
    }

    /// They have been.
    pub(in crate::app) fn take_due(&mut self, answer: Result<DueView, String>) {
        self.play.fight_mut().take_due(answer);
        self.judge_shooting();
    }

    pub(super) fn fight_command(&mut self, command: FightCommand) {
        match command {
            FightCommand::Kind(kind) => self.turn_to(kind),
            FightCommand::Due(kind, a, b) => {
                // Denizens defend a City without a base of their own.
                if [&a, &b].into_iter().any(|name| self.table().element(name).is_none()) {
                    return;
                }
                self.turn_to(kind);
                if self.picked != [Some(a.clone()), Some(b.clone())] {
                    self.picked = [Some(a), Some(b)];
                    self.selection_changed();
                }
            }
            FightCommand::Shoot(shooter, target) => self.act(Act::Shoot(shooter, target)),
            FightCommand::Say(chooses) => self.act(Act::Says(chooses)),
            FightCommand::Decide(Decides::Recoil(who, by)) => self.act(Act::Recoil(who, by)),
            FightCommand::Decide(Decides::Occupies(place, who)) => self.act(Act::Occupies(place, who)),
            FightCommand::RedEdge(edge) => self.act(Act::RedEdge(edge)),
        }
    }

    fn turn_to(&mut self, kind: FightKind) {
        if self.fight().kind() != kind {
            self.play.fight_mut().turn_to(kind);
            self.dice.clear();
            self.judge_shooting();
        }
    }

    pub(super) fn clear_dice(&mut self) {
        self.dice.clear();
        self.play.fight_mut().clear();
    }

    pub(super) fn throw(&mut self) {
        if let Some(Ok(combat)) = self.combat() {
            let combat = combat.clone();
            self.dice.throw(|dice| outcome(&combat, dice));
            self.dice_lie(&combat);
        }
    }

    pub(super) fn take_typed(&mut self) {
        if let Some(Ok(combat)) = self.combat() {
            let combat = combat.clone();
            if self.dice.take_typed(|dice| outcome(&combat, dice)) {
                self.dice_lie(&combat);
            }
        }
    }

    /// The dice lie: what follows is worked out on the table as it is.
    pub(super) fn dice_lie(&mut self, combat: &CombatView) {
        let Some(dice) = self.dice.outcome().map(|outcome| outcome.dice) else { return };
        let (kind, from) = (self.fight().kind(), self.dice.from());
        self.act(Act::Fought { kind, a: combat.a.name.clone(), b: combat.b.name.clone(), dice, from });
    }

    /// Watching goes on elsewhere.
    pub(in crate::app) fn watch_job(&mut self) -> Option<Job<Answer>> {
        self.play.watch_job()
    }

    /// It has.
    pub(in crate::app) fn take_watch(&mut self, answer: Result<Answer, String>) {
        self.play.take_watch(answer);
    }

    pub(super) fn moves_command(&mut self, command: MovesCommand) {
        let act = match command {
            MovesCommand::Mark if self.play.measured().is_none() => return,
            MovesCommand::Mark if !self.moves().marked() => Act::Follow,
            MovesCommand::Mark => Act::Mark,
            MovesCommand::Forget => Act::ForgetMark,
            MovesCommand::Side(side) => Act::Side(side),
            MovesCommand::Pips(pips) => Act::Pips(pips),
            MovesCommand::Choose(n) => Act::Choose(n),
            MovesCommand::Accept => {
                let open = self.moves().view().is_some_and(|view| !view.explanations.is_empty());
                if open { Act::Close } else { Act::Stands }
            }
            MovesCommand::Overrule => match self.moves().let_stand() {
                Some((explained, words)) => Act::LetStand { explained, words },
                None => return,
            },
            MovesCommand::Disallow => match self.moves().disallow() {
                Some(words) => Act::Disallow(words),
                None => return,
            },
            MovesCommand::AcceptNudges(names) => Act::AcceptNudges(names),
            MovesCommand::PutBack(names) => Act::PutBack(names),
            MovesCommand::EndMoves => Act::EndMoves,
            MovesCommand::NextBound => {
                self.dice.clear();
                Act::NextBound(self.moves().side().map(Side::enemy))
            }
        };
        self.act(act);
    }

    pub(super) fn losses_command(&mut self, command: LossesCommand) {
        self.act(match command {
            LossesCommand::Lost(name) => Act::Lost(name),
            LossesCommand::Spare(name) => Act::Spare(name),
            LossesCommand::Return(name) => Act::Return(name),
            LossesCommand::Camp(side, camp) => Act::Camp(side, camp),
            LossesCommand::City(side, city) => Act::City(side, city),
        });
    }

    /// The umpire overrules the answer to a question about the two that are picked.
    pub(super) fn overrule(&mut self, question: Question, said: Said) {
        let Some(pair) = &self.pair else { return };
        let (a, b) = (pair.a.clone(), pair.b.clone());
        self.act(Act::Overrule { question, a, b, said });
    }

    /// Where the element that is picked first may go is worked out elsewhere, while its page is shown.
    pub(in crate::app) fn reach_errand(&mut self) -> Errand<Result<ReachView, String>> {
        let (Some(measured), Some(name)) = (self.play.measured(), &self.picked[0]) else {
            return if self.reach.forget() { Errand::Cancel } else { Errand::Nothing };
        };
        let Some(element) = measured.setup.element(name) else {
            return if self.reach.forget() { Errand::Cancel } else { Errand::Nothing };
        };
        if self.page != Page::Reach || !self.play.at_rest() {
            return Errand::Nothing;
        }
        let engine = self.play.engine();
        let names = match self.reach.body() {
            ReachBody::Alone => vec![name.clone()],
            ReachBody::Group => engine.group_of(measured, name),
        };
        let bound = self.play.bound_of(element.side);
        let asked = Asked { names: names.clone(), setup: measured.setup.clone(), bound: bound.clone() };
        if !self.reach.asks(asked) {
            return Errand::Nothing;
        }
        let (engine, measured) = (Arc::clone(engine), measured.clone());
        Errand::Do(Box::new(move || engine.reach(&measured, &bound, &names)))
    }

    /// It has been.
    pub(in crate::app) fn take_reach(&mut self, answer: Result<ReachView, String>) {
        self.reach.take(answer);
    }
}
