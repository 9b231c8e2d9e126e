//! What players may choose before the dice lie, read off the table, each answer with what comes of it: who conforms, whom
//! an element faces, whom to shoot at, who rolls, which combat comes first. Table frame, millimetres.
//!
//! Invariants: every question has two answers or more; which of them were given does not change what is asked.
//!
//! Clauses: dba3.cf.10, dba3.set.62, dba3.turn.6, dba3.sht.14, .16, dba3.seq.9.

use super::Engine;
use super::combat::odds;
use super::moves::way_words;
use crate::judge::Measured;
use crate::rules::bound::Bound;
use crate::rules::combat::{Brief, Conditions, LinedUp, Mode, Reply, Situation, Struck, brief as brief_of};
use crate::rules::conform::{Outcome, line_up};
use crate::rules::due::{Due, If, Told, Where, gone_first};
use crate::rules::shooting::Primary;
use crate::rules::turn::{Contactor, Made, Moment, apply, turns};
use crate::rules::{Location, Setup, Side};
use crate::session::view::{Answers, ChoiceView, Chooses, ChosenView};

impl Engine {
    /// Everything that players may choose on this table. `moved` are those who have moved this bound, in their order: they
    /// are taken to have made their contacts in it.
    pub(super) fn choices(
        &self,
        measured: &Measured,
        bound: &Bound,
        (told, moved): (&Told, &[(String, f64)]),
        due: &Due,
    ) -> Vec<ChoiceView> {
        let setup = &measured.touching().setup;
        let mut found = self.conforming(setup, bound);
        found.extend(self.facing(setup, bound, moved));
        found.extend(self.aiming(setup, due));
        found.extend(self.rolling(due));
        found.extend(self.first(setup, told, due));
        found
    }

    /// Contacts whose movers cannot line up, and whose contacted may choose.
    fn conforming(&self, setup: &Setup, bound: &Bound) -> Vec<ChoiceView> {
        let settings = self.settings();
        let movers = setup.elements.iter().filter(|e| e.side == bound.side && e.location == Location::Board);
        let mut found: Vec<ChoiceView> = Vec::new();
        for mover in movers {
            let Ok(line_up) = line_up(setup, setup, settings, &[&mover.name]) else { continue };
            let choice = line_up.contacted.iter().find(|c| c.may_refuse);
            let (Some(choice), Some((a, b, _))) = (choice, &line_up.pair) else { continue };
            // Who cannot conform has no choice: it fights as though overlapped.
            if line_up.outcome == Outcome::NoMove || choice.shifts.is_none() {
                continue;
            }
            let conformed = line_up.applied_to(setup);
            let mut comes = vec![goes(choice.who.iter(), setup, &conformed)];
            comes.extend(self.reckoned(&conformed, &Conditions::default(), a, b));
            let overlapped = Situation { lined_up: LinedUp::Refused, ..Situation::default() };
            let refused = Conditions { b: overlapped, ..Conditions::default() };
            let owner = bound.side.enemy().word();
            found.push(ChoiceView {
                words: format!("{a} cannot line up with {b}: {owner} chooses what {b} does"),
                clause: "dba3.cf.10".to_owned(),
                assumes: format!("{b} is taken to conform: as the bases stand they do not fight"),
                answers: vec![
                    answer(Chooses::Conforms(a.clone(), b.clone()), format!("{b} conforms"), comes),
                    answer(
                        Chooses::Refuses(a.clone(), b.clone()),
                        format!("{b} fights as it stands, overlapped"),
                        self.reckoned(setup, &refused, a, b).into_iter().collect(),
                    ),
                ],
            });
        }
        found
    }

    /// Elements that are hit on several edges, whose owner chooses whom they face.
    fn facing(&self, setup: &Setup, bound: &Bound, moved: &[(String, f64)]) -> Vec<ChoiceView> {
        let mine = setup.elements.iter().filter(|e| e.side == bound.side).map(|e| &e.name);
        let first = moved.iter().map(|(name, _)| name).filter(|n| mine.clone().any(|m| m == *n));
        let mut contactors: Vec<Contactor> = Vec::new();
        for name in first.chain(mine.clone()) {
            if !contactors.iter().any(|c| c.name == *name) {
                contactors.push(Contactor { name: name.clone(), made: Made::Move });
            }
        }
        let mut found = Vec::new();
        for turned in turns(setup, self.settings(), &contactors, &[], Moment::EndOfMovement) {
            if turned.choices.len() < 2 {
                continue;
            }
            let who = &turned.name;
            let answers = turned.choices.iter().map(|(enemy, shifts)| {
                let mut after = setup.clone();
                apply(shifts, &mut after);
                let mut comes = vec![goes(shifts.iter().map(|s| &s.name), setup, &after)];
                comes.extend(self.reckoned(&after, &Conditions::default(), enemy, who));
                answer(Chooses::Faces(who.clone(), enemy.clone()), format!("{who} faces {enemy}"), comes)
            });
            found.push(ChoiceView {
                words: format!("{who} is hit on several edges: its owner chooses whom it faces"),
                clause: "dba3.turn.6".to_owned(),
                assumes: format!("{who} is taken to face {}, who came first", turned.towards),
                answers: answers.collect(),
            });
        }
        found
    }

    /// Shooters with a choice of targets.
    fn aiming(&self, setup: &Setup, due: &Due) -> Vec<ChoiceView> {
        let mode = Mode::Shooting { struck: Struck::Elsewhere, reply: Reply::None, aiders: 0 };
        let conditions = Conditions { mode, ..Conditions::default() };
        let several = due.shooting.options.iter().filter(|o| o.targets.len() > 1);
        let view = |options: &crate::rules::shooting::Options| {
            let who = &options.shooter;
            let answers = options.targets.iter().map(|target| ChosenView {
                does: Answers::Shoots(who.clone(), target.clone()),
                words: format!("at {target}"),
                comes: self
                    .reckoned(setup, &conditions, who, target)
                    .into_iter()
                    .map(|line| format!("alone: {line}"))
                    .collect(),
            });
            ChoiceView {
                words: format!("{who} may choose whom to shoot at"),
                clause: "dba3.sht.14".to_owned(),
                assumes: format!("what {who} shoots at is left open, and it counts nowhere"),
                answers: answers.collect(),
            }
        };
        several.map(view).collect()
    }

    /// Targets of several shooters whose roller a player picks.
    fn rolling(&self, due: &Due) -> Vec<ChoiceView> {
        let mut found = Vec::new();
        for fire in due.shooting.fires.iter().filter(|f| f.shooters.len() > 1) {
            let Primary::PickedBy(picker) = &fire.primary else { continue };
            let answers = fire.shooters.iter().map(|shooter| {
                let volley = due.volleys.iter().find(|v| v.fire == *fire && v.brief.a.name == *shooter);
                let comes = volley.map(|v| self.told(&v.brief, *picker)).into_iter().collect();
                answer(
                    Chooses::Rolls(fire.target.clone(), shooter.clone()),
                    format!("{shooter} rolls"),
                    comes,
                )
            });
            found.push(ChoiceView {
                words: format!("{} picks who rolls against {}", picker.word(), fire.target),
                clause: "dba3.sht.16".to_owned(),
                assumes: format!("{} is taken to roll", fire.shooters[0]),
                answers: answers.collect(),
            });
        }
        found
    }

    /// Which combat comes first, where that changes another.
    fn first(&self, setup: &Setup, told: &Told, due: &Due) -> Option<ChoiceView> {
        let fought: Vec<_> = due.combats.iter().filter(|c| c.at == Where::Open).collect();
        let mut answers: Vec<ChosenView> = fought
            .iter()
            .map(|c| {
                let (a, b) = c.names();
                let chooses = Chooses::First(a.to_owned(), b.to_owned());
                answer(chooses, format!("{a} against {b}"), Vec::new())
            })
            .collect();
        for (n, other) in fought.iter().enumerate() {
            for change in gone_first(setup, self.settings(), told, other) {
                let If::Gone(who) = &change.what else { continue };
                let (a, b) = other.names();
                let at = fought.iter().position(|c| c.names().0 == who || c.names().1 == who);
                let Some(at) = at.filter(|at| *at != n) else { continue };
                let was = (other.brief.a.total(), other.brief.b.total());
                let is = (change.brief.a.total(), change.brief.b.total());
                let odds = match was == is {
                    true => " by other odds".to_owned(),
                    false => format!(" {:+} : {:+}, not {:+} : {:+}", is.0, is.1, was.0, was.1),
                };
                answers[at].comes.push(format!("if {who} goes in it, {a} fights {b}{odds}"));
            }
        }
        if answers.len() < 2 || answers.iter().all(|a| a.comes.is_empty()) {
            return None;
        }
        for answer in answers.iter_mut().filter(|a| a.comes.is_empty()) {
            answer.comes.push("changes no other combat".to_owned());
        }
        let side = due.side.word();
        Some(ChoiceView {
            words: format!("{side} decides which combat is fought first, and it matters"),
            clause: "dba3.seq.9".to_owned(),
            assumes: "each is reckoned as if it were the first".to_owned(),
            answers,
        })
    }

    /// Both totals and the odds, where it can be reckoned.
    fn reckoned(&self, setup: &Setup, conditions: &Conditions, a: &str, b: &str) -> Option<String> {
        let brief = brief_of(setup, self.settings(), conditions, a, b).ok()?;
        let side = setup.element(a).map_or(Side::Red, |e| e.side);
        Some(self.told(&brief, side))
    }

    fn told(&self, brief: &Brief, side: Side) -> String {
        let of = |view: &crate::session::view::OddsView| format!("{} {}", view.words, view.of_36);
        let all: Vec<String> = odds(brief, side, side.enemy()).iter().map(of).collect();
        format!(
            "{} {:+}, {} {:+}; of 36: {}",
            brief.a.name,
            brief.a.total(),
            brief.b.name,
            brief.b.total(),
            all.join(", ")
        )
    }
}

/// How far each of these goes from one table to the other, in words.
fn goes<'n>(who: impl Iterator<Item = &'n String>, from: &Setup, to: &Setup) -> String {
    let one = |name: &'n String| {
        let (from, to) = (from.element(name)?.footprint.pose(), to.element(name)?.footprint.pose());
        Some(format!("{name} moves{}", way_words(from, to)))
    };
    let all: Vec<String> = who.filter_map(one).collect();
    all.join("; ")
}

fn answer(chooses: Chooses, words: String, comes: Vec<String>) -> ChosenView {
    ChosenView { does: Answers::Says(chooses), words, comes }
}
