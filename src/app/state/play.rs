//! What commands bring about in play: combat and shooting, moves, losses, overrules; and what of it is worked out
//! elsewhere.

use super::reach::Asked;
use super::{Answer, Kind, ReachBody, Said, State, fact_words};
use crate::app::command::{FightCommand, LossesCommand, MovesCommand, Page};
use crate::app::engine::{LATER_BOUND, outcome};
use crate::app::view::{Call, CombatView, DueView, FightKind, ReachView, ShootingView};
use crate::app::worker::errand::Job;
use crate::rules::bound::{Bound, Phase};
use crate::rules::facts::Fact;
use crate::rules::shooting::Known;
use crate::rules::{Question, Side};
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
    /// Writes something down.
    pub(super) fn write_down(&mut self, kind: Kind, words: impl Into<String>) {
        let under = self.engine.settings().name().to_string();
        self.log.write(kind, words, &under);
    }

    /// What is said of the first of the two shooting at the second, while that is looked at.
    pub(super) fn judge_shooting(&mut self) {
        self.fight.shooting = None;
        if self.fight.kind() != FightKind::Shooting {
            return;
        }
        let (Some(measured), [Some(a), Some(b)]) = (&self.measured, &self.picked) else { return };
        let (bound, known) = self.shooting_bound();
        let shot = self.engine.shot(measured, &bound, &known, a, b);
        let due = self.fight.due();
        let combat = self.engine.shooting_combat(measured, &shot, due);
        let shooter = due.and_then(|due| due.shooters.iter().find(|s| s.shooter == *a)).cloned();
        self.fight.shooting = Some(ShootingView { shot, combat, shooter });
    }

    /// The bound as far as it is known, as a bound of that side.
    fn bound_of(&self, side: Side) -> Bound {
        let known = self.moves.known();
        let generals_lost = self.engine.generals_lost(self.losses.lost());
        let bound = Bound { generals_lost, ..Bound::new(LATER_BOUND, side) };
        match self.moves.side() {
            Some(now) if now == side => Bound { pips: known.pips, done: known.done.clone(), ..bound },
            _ => bound,
        }
    }

    /// The bound as shooting knows it, its side red where nobody has said.
    fn shooting_bound(&self) -> (Bound, Known) {
        let bound = self.bound_of(self.moves.side().unwrap_or(Side::Red));
        (Bound { phase: Phase::Shooting, ..bound }, self.fight.known(self.moves.moved().to_vec()))
    }

    /// The combats and shots that are due are worked out elsewhere, where the table at rest has changed.
    pub(in crate::app) fn due_job(&mut self) -> Option<Job<DueView>> {
        if !self.at_rest() {
            return None;
        }
        let (bound, known) = self.shooting_bound();
        let measured = self.measured.as_ref()?;
        if !self.fight.asks(measured, &bound, &known) {
            return None;
        }
        let measured = measured.clone();
        let engine = Arc::clone(&self.engine);
        Some(Box::new(move || engine.due(&measured, &bound, &known)))
    }

    /// They have been.
    pub(in crate::app) fn take_due(&mut self, answer: Result<DueView, String>) {
        self.fight.take_due(answer);
        self.judge_shooting();
    }

    fn at_rest(&self) -> bool {
        self.latest.as_ref().is_some_and(|sight| sight.reading.snapshot.at_rest())
    }

    pub(super) fn fight_command(&mut self, command: FightCommand) {
        match command {
            FightCommand::Kind(kind) => self.turn_to(kind),
            FightCommand::Due(kind, a, b) => {
                // Denizens defend a City without a base of their own.
                if [&a, &b].into_iter().any(|name| self.table.element(name).is_none()) {
                    return;
                }
                self.turn_to(kind);
                if self.picked != [Some(a.clone()), Some(b.clone())] {
                    self.picked = [Some(a), Some(b)];
                    self.selection_changed();
                }
            }
            FightCommand::Shoot(shooter, target) => {
                self.fight.choose(shooter, target);
                self.judge_shooting();
            }
            FightCommand::Decide(decides) => self.fight.decide(&self.engine, decides),
            FightCommand::Near(side) => self.fight.set_near(&self.engine, side),
        }
    }

    fn turn_to(&mut self, kind: FightKind) {
        if self.fight.kind() != kind {
            self.fight.turn_to(kind);
            self.dice.clear();
            self.judge_shooting();
        }
    }

    pub(super) fn clear_dice(&mut self) {
        self.dice.clear();
        self.fight.clear();
    }

    pub(super) fn throw(&mut self) {
        if let Some(Ok(combat)) = self.combat() {
            let combat = combat.clone();
            self.dice.throw(|dice| outcome(&combat, dice));
            self.play_out(&combat);
        }
    }

    pub(super) fn take_typed(&mut self) {
        if let Some(Ok(combat)) = self.combat() {
            let combat = combat.clone();
            if self.dice.take_typed(|dice| outcome(&combat, dice)) {
                self.play_out(&combat);
            }
        }
    }

    /// The dice lie: what follows is worked out on the table as it is.
    fn play_out(&mut self, combat: &CombatView) {
        if let (Some(measured), Some(outcome)) = (&self.measured, self.dice.outcome()) {
            match combat.call {
                Call::No => self.fight.clear(),
                _ => self.fight.fought(&self.engine, measured, &combat.brief, outcome),
            }
        }
        if let Some(outcome) = self.dice.outcome() {
            let how = match self.fight.kind() {
                FightKind::Close => "against",
                FightKind::Shooting => "shoots at",
            };
            let [(a, die_a), (b, die_b)] = [(&combat.a, outcome.dice[0]), (&combat.b, outcome.dice[1])];
            let words = format!(
                "{} {how} {}: dice {die_a} and {die_b}, {} to {}: {}",
                a.name, b.name, outcome.scores[0], outcome.scores[1], outcome.words
            );
            self.write_down(Kind::Outcome, words);
        }
    }

    /// Watching goes on elsewhere.
    pub(in crate::app) fn watch_job(&mut self) -> Option<Job<Answer>> {
        self.moves.job(&self.engine)
    }

    /// It has; moves that are over by it are written down.
    pub(in crate::app) fn take_watch(&mut self, answer: Result<Answer, String>) {
        for over in self.moves.take(answer) {
            self.write_down(Kind::Move, over.words);
        }
    }

    pub(super) fn moves_command(&mut self, command: MovesCommand) {
        let next = command == MovesCommand::NextBound;
        let generals_lost = self.engine.generals_lost(self.losses.lost());
        if let Some(words) = self.moves.carry_out(command, self.measured.as_ref(), generals_lost) {
            self.write_down(Kind::Overrule, words);
        }
        if next {
            self.dice.clear();
            self.fight.begin_anew();
            let side = self.moves.known().side.map_or("the next", Side::word);
            self.write_down(Kind::Bound, format!("{side} bound begins"));
            self.sum_up();
            if let Some(decided) = self.losses.bound_ends() {
                self.write_down(Kind::Bound, decided);
            }
        }
    }

    pub(super) fn losses_command(&mut self, command: LossesCommand) {
        match command {
            LossesCommand::Lost(name) => {
                if self.engine.roster().element(&name).is_some() && self.losses.lose(name.clone()) {
                    self.write_down(Kind::Loss, format!("{name} is lost"));
                    self.losses_changed();
                }
            }
            LossesCommand::Spare(name) => {
                self.write_down(Kind::Loss, format!("{name} is gone from the table and not lost"));
                self.losses.spare(name);
            }
            LossesCommand::Return(name) => {
                if self.losses.give_back(&name) {
                    self.write_down(Kind::Loss, format!("{name} is not lost after all"));
                    self.losses_changed();
                }
            }
            LossesCommand::Camp(side, camp) => self.losses.set_camp(side, camp),
            LossesCommand::City(side, city) => self.losses.set_city(side, city),
        }
        self.sum_up();
    }

    /// The table has somebody more or fewer: what is seen so far stands as it does.
    fn losses_changed(&mut self) {
        self.look_again();
        if let Some(measured) = &self.measured {
            self.moves.stands(measured);
        }
    }

    /// Both sides' losses are added up.
    pub(super) fn sum_up(&mut self) {
        let places = (self.losses.places(Side::Red), self.losses.places(Side::Blue));
        let stand = self.engine.stand(self.losses.lost(), places);
        self.losses.stand(stand);
    }

    /// The umpire overrules the answer to a question about the two that are picked. A fact that settles it is taken
    /// over too, where it is not too far from what was measured: what rests on it is then worked out again.
    pub(super) fn overrule(&mut self, question: Question, said: Said) {
        let (Some(pair), Some(read)) = (&self.pair, &self.read) else { return };
        let Some(ruling) = pair.rulings.iter().find(|r| r.asks == question) else { return };
        let (asked, a, b) = (ruling.question.clone(), pair.a.clone(), pair.b.clone());
        let program = format!(
            "the program said {}, {:+.1} mm \u{b1} {:.1} ({})",
            ruling.call.words().to_lowercase(),
            ruling.margin_mm,
            ruling.sigma_mm,
            ruling.clause
        );
        let stands = self.overrules.speak(read, question, [&a, &b], said);
        let words = match stands {
            Some(said) => format!("{asked} By overrule {}; {program}", said.word()),
            None => format!("{asked} The overrule is taken back; {program}"),
        };
        if let Some([yes, no]) = Fact::settling(question, &a, &b) {
            self.facts.withdraw(&yes);
            self.facts.withdraw(&no);
            let fact = match stands {
                Some(Said::Yes) => Some(yes),
                Some(Said::No) => Some(no),
                None => None,
            };
            let fits = |fact: &Fact| read.agreed(self.engine.settings(), std::slice::from_ref(fact)).is_ok();
            if let Some(fact) = fact.filter(fits) {
                self.facts.agree(fact, read);
            }
        }
        self.write_down(Kind::Overrule, words);
        self.look_again();
    }

    /// The players agree on a fact.
    pub(super) fn agree(&mut self, fact: Fact) {
        let Some(read) = &self.read else { return };
        let words = fact_words(&fact);
        self.facts.agree(fact, read);
        self.write_down(Kind::Agreed, words);
        self.look_again();
    }

    /// Where the element that is picked first may go is worked out elsewhere, while its page is shown.
    pub(in crate::app) fn reach_errand(&mut self) -> Errand<Result<ReachView, String>> {
        let (Some(measured), Some(name)) = (&self.measured, &self.picked[0]) else {
            return if self.reach.forget() { Errand::Cancel } else { Errand::Nothing };
        };
        let Some(element) = measured.setup.element(name) else {
            return if self.reach.forget() { Errand::Cancel } else { Errand::Nothing };
        };
        if self.page != Page::Reach || !self.at_rest() {
            return Errand::Nothing;
        }
        let names = match self.reach.body() {
            ReachBody::Alone => vec![name.clone()],
            ReachBody::Group => self.engine.group_of(measured, name),
        };
        let bound = self.bound_of(element.side);
        let asked = Asked { names: names.clone(), setup: measured.setup.clone(), bound: bound.clone() };
        if !self.reach.asks(asked) {
            return Errand::Nothing;
        }
        let (engine, measured) = (Arc::clone(&self.engine), measured.clone());
        Errand::Do(Box::new(move || engine.reach(&measured, &bound, &names)))
    }

    /// It has been.
    pub(in crate::app) fn take_reach(&mut self, answer: Result<ReachView, String>) {
        self.reach.take(answer);
    }
}
