//! What each act brings about.

use super::fight::Stands;
use super::{Act, DiceFrom, FightKind, Kind, Play, Said, fact_words, written};
use crate::rules::facts::Fact;
use crate::rules::{Question, Side};
use crate::session::Die;
use crate::session::engine::outcome;
use crate::session::view::{Call, CombatView, Decides, ShootingView};

impl Play {
    pub(super) fn carry_out(&mut self, act: Act) {
        match act {
            Act::Agree(fact) => self.agree(fact),
            Act::Withdraw(fact) => {
                self.facts.withdraw(&fact);
                self.see_again();
            }
            Act::Overrule { question, a, b, said } => self.overrule(question, &a, &b, said),
            Act::Fought { kind, a, b, dice, from } => self.fought(kind, [&a, &b], dice, from),
            Act::PipsFrom { pips, from } => {
                self.write_down(Kind::Note, format!("PIP die {pips}{}", DiceFrom::added(Some(from))));
                self.act_of_moves(&Act::Pips(Some(pips)));
            }
            Act::Shoot(shooter, target) => self.fight.choose(shooter, target),
            Act::Says(chooses) => {
                let words = chooses.words();
                let words = match self.fight.say(chooses) {
                    Stands::Yes => words,
                    Stands::TakenBack => format!("{words}: taken back"),
                };
                self.write_down(Kind::Chosen, words);
            }
            Act::Recoil(who, by) => self.decided(Decides::Recoil(who, by)),
            Act::Occupies(place, who) => self.decided(Decides::Occupies(place, who)),
            Act::CarryOn { side, lost } => self.carry_on(side, &lost),
            Act::TakenOff(name) => {
                if self.losses.lose(name.clone()) {
                    self.write_down(Kind::Loss, format!("{name} is lost, as the dice had it"));
                    self.losses_changed();
                }
            }
            Act::RedEdge(edge) => {
                self.fight.set_red_edge(&self.engine, edge);
                self.see_again();
            }
            Act::Lost(name) => {
                if self.engine.roster().element(&name).is_some() && self.losses.lose(name.clone()) {
                    self.write_down(Kind::Loss, format!("{name} is lost"));
                    self.losses_changed();
                }
            }
            Act::Spare(name) => {
                self.write_down(Kind::Loss, format!("{name} is gone from the table and not lost"));
                self.losses.spare(name);
            }
            Act::Return(name) => {
                if self.losses.give_back(&name) {
                    self.write_down(Kind::Loss, format!("{name} is not lost after all"));
                    self.losses_changed();
                }
            }
            Act::Camp(side, camp) => {
                self.losses.set_camp(side, camp);
                self.sum_up();
            }
            Act::City(side, city) => {
                self.losses.set_city(side, city);
                self.sum_up();
            }
            Act::Note(words) => self.write_down(Kind::Note, words),
            of_moves => self.act_of_moves(&of_moves),
        }
    }

    fn act_of_moves(&mut self, act: &Act) {
        let generals_lost = self.engine.generals_lost(self.losses.lost());
        self.moves.act(act, self.measured.as_ref(), generals_lost);
        match act {
            Act::LetStand { words, .. } | Act::Disallow(words) => {
                self.write_down(Kind::Overrule, words.clone());
            }
            Act::NextBound(_) => self.bound_begins(self.moves.known().side, &[]),
            _ => {}
        }
    }

    /// A bound begins: the one before is over. `left` is what its dice had brought about and was not done.
    pub(super) fn bound_begins(&mut self, side: Option<Side>, left: &[String]) {
        self.fight.begin_anew();
        // Dice that were thrown while the bound's beginning was being worked out are its own.
        if !self.moves.awaits_more() {
            self.awaits.clear();
        }
        for words in left {
            self.write_down(Kind::Bound, words.clone());
        }
        self.write_down(Kind::Bound, written::bound_begins(side));
        self.sum_up();
        if let Some(decided) = self.losses.bound_ends() {
            self.write_down(Kind::Bound, decided);
        }
    }

    /// A player decides what the dice leave to him.
    fn decided(&mut self, decides: Decides) {
        self.fight.decide(&self.engine, decides);
        if let Some(Ok(aftermath)) = self.fight.aftermath() {
            self.awaits.decided(aftermath);
            self.moves.awaits(self.awaits.all());
        }
    }

    /// The table counts as it stands.
    fn carry_on(&mut self, side: Side, lost: &[String]) {
        let fresh: Vec<String> =
            lost.iter().filter(|name| self.losses.lose((*name).clone())).cloned().collect();
        self.see_again();
        self.fight.begin_anew();
        self.awaits.clear();
        let generals_lost = self.engine.generals_lost(self.losses.lost());
        if let Some(measured) = &self.measured {
            self.moves.carry_on(measured, side, generals_lost);
            self.waits = None;
        }
        let lost = match fresh.as_slice() {
            [] => "nobody is taken for lost".to_owned(),
            names => format!("taken for lost: {}", names.join(", ")),
        };
        self.write_down(
            Kind::Bound,
            format!("carried on from the table as it stands, {} bound; {lost}", side.word()),
        );
        self.sum_up();
    }

    /// The table has somebody more or fewer: what is seen so far stands as it does.
    fn losses_changed(&mut self) {
        self.see_again();
        if self.moves.follows() {
            let generals_lost = self.engine.generals_lost(self.losses.lost());
            self.moves.lost(self.losses.lost().to_vec(), generals_lost);
            self.sum_up();
            return;
        }
        if let Some(measured) = &self.measured {
            self.moves.stands(measured);
            self.waits = None;
        }
        self.sum_up();
    }

    /// Both sides' losses are added up.
    pub(super) fn sum_up(&mut self) {
        let places = (self.losses.places(Side::Red), self.losses.places(Side::Blue));
        let stand = self.engine.stand(self.losses.lost(), places);
        self.losses.stand(stand);
    }

    /// The players agree on a fact.
    fn agree(&mut self, fact: Fact) {
        let Some(read) = &self.read else { return };
        let words = fact_words(&fact);
        self.facts.agree(fact, read);
        self.write_down(Kind::Agreed, words);
        self.see_again();
    }

    /// The umpire overrules the answer to a question about two elements. A fact that settles it is taken over too,
    /// where it is not too far from what was measured: what rests on it is then worked out again.
    fn overrule(&mut self, question: Question, a: &str, b: &str, said: Said) {
        let Some(pair) = self.pair(a, b) else { return };
        let (Some(read), Some(ruling)) = (&self.read, pair.rulings.iter().find(|r| r.asks == question))
        else {
            return;
        };
        let program = format!(
            "the program said {}, {:+.1} mm \u{b1} {:.1} ({})",
            ruling.call.words().to_lowercase(),
            ruling.margin_mm,
            ruling.sigma_mm,
            ruling.clause
        );
        let asked = &ruling.question;
        let stands = self.overrules.speak(read, question, [a, b], said);
        let words = match stands {
            Some(said) => format!("{asked} By overrule {}; {program}", said.word()),
            None => format!("{asked} The overrule is taken back; {program}"),
        };
        if let Some([yes, no]) = Fact::settling(question, a, b) {
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
        self.see_again();
    }

    /// What the dice of two elements are thrown for, or why there is no such fight.
    ///
    /// # Errors
    /// In words: they are not both there, or cannot fight so.
    pub fn combat(&self, kind: FightKind, a: &str, b: &str) -> Result<CombatView, String> {
        match kind {
            FightKind::Close => {
                let pair = self.pair(a, b);
                pair.ok_or_else(|| format!("{a} and {b} are not both on the table"))?.combat
            }
            FightKind::Shooting => self.shooting(a, b).map_or_else(
                || Err(format!("{a} and {b} are not both on the table")),
                |shooting| shooting.combat,
            ),
        }
    }

    /// In how many of the 36 throws what these dice bring about would have come; none where it cannot be told.
    pub fn chance_of(&self, kind: FightKind, a: &str, b: &str, dice: [u8; 2]) -> Option<u32> {
        let [Some(die_a), Some(die_b)] = dice.map(Die::new) else { return None };
        let combat = self.combat(kind, a, b).ok()?;
        let words = outcome(&combat, [die_a, die_b]).words;
        combat.odds.iter().find(|odds| odds.words == words).map(|odds| odds.of_36)
    }

    /// What is said of one element shooting at another, with the aiders of what is due.
    pub fn shooting(&self, a: &str, b: &str) -> Option<ShootingView> {
        let fight = Some((FightKind::Shooting, [a, b]));
        let carried = self.carried(fight);
        let measured = carried.as_ref().or(self.measured.as_ref())?;
        let (bound, told) = (self.bound_of_dice(), self.told_before(fight));
        let shot = self.engine.shot(measured, &bound, &told, a, b);
        let due = self.fight.due();
        let combat = self.engine.shooting_combat(measured, &shot, due);
        let shooter = due.and_then(|due| due.shooters.iter().find(|s| s.shooter == *a)).cloned();
        Some(ShootingView { shot, combat, shooter })
    }

    /// The dice lie: what follows is worked out on the table as it is.
    fn fought(&mut self, kind: FightKind, [a, b]: [&str; 2], dice: [u8; 2], from: Option<DiceFrom>) {
        let [Some(die_a), Some(die_b)] = dice.map(Die::new) else { return };
        if kind == FightKind::Shooting {
            self.know_what_is_due();
        }
        let Ok(combat) = self.combat(kind, a, b) else { return };
        let outcome = outcome(&combat, [die_a, die_b]);
        let carried = self.carried(Some((kind, [a, b])));
        let measured = carried.as_ref().or(self.measured.as_ref());
        if let Some(measured) = measured {
            match combat.call {
                Call::No => self.fight.clear(),
                _ => self.fight.fought(&self.engine, measured, &combat.brief, &outcome),
            }
        }
        let aftermath = self.fight.aftermath().and_then(|a| a.as_ref().ok());
        let exposed = measured.zip(aftermath).map(|(m, after)| self.engine.exposed_by(m, after));
        self.awaits.threw((kind, a.to_owned(), b.to_owned()), aftermath, exposed.unwrap_or_default());
        self.moves.awaits(self.awaits.all());
        let how = match kind {
            FightKind::Close => "against",
            FightKind::Shooting => "shoots at",
        };
        let words = format!(
            "{a} {how} {b}: dice {die_a} and {die_b}{}, {} to {}: {}",
            DiceFrom::added(from),
            outcome.scores[0],
            outcome.scores[1],
            outcome.words
        );
        self.write_down(Kind::Outcome, words);
    }

    /// Who aids a shot hangs on all that is due: it is worked out at once, where it is not known of this table.
    fn know_what_is_due(&mut self) {
        let (bound, told) = self.shooting_bound();
        let carried = self.carried(None);
        if let Some(measured) = carried.as_ref().or(self.measured.as_ref())
            && self.fight.asks(measured, &bound, &told, &self.awaits.fought())
        {
            let due = self.engine.due(measured, &bound, &told, self.fight.said());
            let due = due.after(&self.awaits.fought());
            self.fight.take_due(Ok(due));
        }
    }
}
