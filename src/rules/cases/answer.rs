//! Putting a case's question to the engine.

use super::{
    Asked, Case, Verdict, aftermath, combat, data, ends, ground, lists, moves, places, reach, setting_up,
    shooting, state, strongholds, table, victory, watch,
};
use crate::rules::check::oddities;
use crate::rules::facts::{Agreed, agree};
use crate::rules::lineup::Told;
use crate::rules::movement::TacticalMove;
use crate::rules::{Bound, Reason, Settings, Setup, notation};
use std::sync::Arc;

/// What the engine said to a case's question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Whether the claim holds.
    pub verdict: Verdict,
    /// The margin, where it is a geometric question.
    pub margin_mm: Option<f64>,
    /// What it came to, for people.
    pub said: String,
    /// What it costs, where it is about moves and the engine can tell.
    pub pips: Option<u8>,
    /// The moves that explain what was seen, in the notation of moves.
    pub explained: Vec<String>,
    /// What would make a move legal.
    pub remedies: Vec<String>,
    /// The setup after it, where it is about moves.
    pub after: Option<Setup>,
    /// Everything cited, the deciding reason first.
    pub reasons: Vec<Reason>,
    /// How many of the reasons, from the first, are conditions of the answer; the others were read to get
    /// there.
    pub conditions: usize,
    /// What is odd about the table as it is written, and is no part of the ruling.
    pub remarks: Vec<String>,
    /// The name of the settings that it was made under; an event's where one pins them.
    pub under: Arc<str>,
}

impl Answer {
    /// An answer that says no more than whether it holds and why.
    pub(super) fn plain(holds: bool, said: impl Into<String>, reasons: Vec<Reason>) -> Self {
        let conditions = reasons.len();
        Self {
            conditions,
            verdict: Verdict::of(holds),
            margin_mm: None,
            said: said.into(),
            pips: None,
            explained: Vec::new(),
            remedies: Vec::new(),
            after: None,
            reasons,
            remarks: Vec::new(),
            under: Arc::default(),
        }
    }

    /// An answer with a margin in millimetres.
    pub(super) fn measured(holds: bool, mm: f64, reasons: Vec<Reason>) -> Self {
        Self { margin_mm: Some(mm), ..Self::plain(holds, format!("margin {mm:.4} mm"), reasons) }
    }

    /// Its reasons with none told twice, and how many of them, from the first, are conditions.
    pub fn reasons_once(&self) -> (Vec<&Reason>, usize) {
        let (mut once, mut conditions): (Vec<&Reason>, usize) = (Vec::new(), 0);
        for (n, reason) in self.reasons.iter().enumerate() {
            let same = |told: &&Reason| {
                (&told.clause, &told.text, told.holds) == (&reason.clause, &reason.text, reason.holds)
            };
            if once.iter().any(same) {
                continue;
            }
            once.push(reason);
            conditions += usize::from(n < self.conditions);
        }
        (once, conditions)
    }

    /// What would make a move legal, none told twice.
    pub fn remedies_once(&self) -> Vec<&str> {
        let mut once: Vec<&str> = Vec::new();
        for remedy in self.remedies.iter().map(String::as_str) {
            if !once.contains(&remedy) {
                once.push(remedy);
            }
        }
        once
    }

    pub(super) fn told(told: Told) -> Self {
        Self::measured(told.allowed, told.margin.mm, told.reasons)
    }
}

/// What a case is about, laid out: the table as its facts have it and its moves as legs. A question may be
/// put on a staging that was turned, shifted or scaled as a whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Staged {
    /// What stands and lies on the table, the agreed facts taken into account.
    pub setup: Setup,
    /// The moves that the question is about, each on the table that the ones before it leave.
    pub moves: Vec<TacticalMove>,
    /// What was agreed.
    pub agreed: Vec<Reason>,
}

/// A case with everything of it read.
pub(super) struct Posed<'a> {
    pub case: &'a Case,
    pub setup: &'a Setup,
    /// The moves that the question is about, each on the table that the ones before it leave.
    pub moves: &'a [TacticalMove],
    /// The bound; none where the case says nothing of it.
    pub bound: Option<Bound>,
    pub settings: &'a Settings,
}

impl Case {
    /// The settings that it is judged under.
    ///
    /// # Errors
    /// A preset, setting or word that the ruleset does not have.
    pub fn settings(&self) -> Result<Settings, String> {
        Settings::written(Some(&self.preset), &self.settings)
    }

    /// What stands on its table.
    ///
    /// # Errors
    /// Every mistake of the notation, with line and column.
    pub fn table(&self, settings: &Settings) -> Result<Setup, String> {
        let listed = |errors: Vec<notation::NotationError>| {
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        let mut setup = notation::read_setup(&self.setup, settings.ruleset()).map_err(listed)?;
        if !self.ground.trim().is_empty() {
            if !setup.ground.is_bare() {
                return Err("say what lies on the table in `setup` or in `ground`, not in both".to_owned());
            }
            let ground = notation::read_ground(&self.ground, setup.scale);
            setup.ground = ground.map_err(|errors| format!("`ground`: {}", listed(errors)))?;
        }
        Ok(setup)
    }

    /// Reads its table, facts and moves.
    ///
    /// # Errors
    /// Every mistake of the notation, a fact that cannot be, or a move of elements that are not there.
    pub fn staged(&self, settings: &Settings) -> Result<Staged, String> {
        let measured = self.table(settings)?;
        let facts = self.facts.iter().map(|text| notation::read_fact(text)).collect::<Result<Vec<_>, _>>();
        let facts = facts.map_err(|e| format!("`facts`: {e}"))?;
        let Agreed { setup, reasons: agreed } =
            agree(&measured, settings, &facts).map_err(|e| e.to_string())?;
        let moves = moves::made(&self.ask.moves(), &setup, settings)?;
        Ok(Staged { setup, moves, agreed })
    }

    /// Puts the question to the engine.
    ///
    /// # Errors
    /// A setup, setting or question that the engine refuses.
    pub fn answer(&self) -> Result<Answer, String> {
        self.answer_under(&self.settings()?)
    }

    /// Puts the question to the engine under other settings than its own.
    ///
    /// # Errors
    /// A setup or question that the engine refuses.
    pub fn answer_under(&self, settings: &Settings) -> Result<Answer, String> {
        self.answer_staged(&self.staged(settings)?, settings)
    }

    /// Puts the question to the engine as it is staged, which need not be as the case itself has it.
    ///
    /// # Errors
    /// A bound or question that the engine refuses.
    pub fn answer_staged(&self, staged: &Staged, settings: &Settings) -> Result<Answer, String> {
        let mut answer = self.posed(staged, settings, |posed| self.put(posed))?;
        answer.reasons.extend(staged.agreed.iter().cloned());
        answer.remarks = oddities(&staged.setup, &settings.tolerances);
        answer.under = Arc::clone(settings.name());
        Ok(answer)
    }

    fn put(&self, posed: &Posed<'_>) -> Result<Answer, String> {
        match &self.ask {
            Asked::Geometry(question, a, b) => places::geometry(posed, *question, a, b),
            Asked::MayStart(a, b, edge) => places::may_start(posed, a, b, *edge),
            Asked::LinedUp(name) => places::lined_up(posed, name),
            Asked::Pressed(of, foe, edge) => places::pressed(posed, of, foe, *edge),
            Asked::RecoilPassage(name, by) => places::recoil_passage(posed, name, *by),
            Asked::Suffers(name, fate, cause) => aftermath::suffers(posed, name, *fate, *cause),
            Asked::Pursues(a, b, fate) => aftermath::pursues(posed, a, b, *fate),
            Asked::After(a, b, dice) => aftermath::after(posed, (a, b), *dice),
            Asked::Befalls(name, what, event) => aftermath::befalls(posed, name, *what, event),
            Asked::Goes(name, went, event) => aftermath::goes(posed, name, *went, event),
            Asked::Returns(name, event) => aftermath::returns(posed, name, event),
            Asked::FightsNext(name, event) => aftermath::fights_next(posed, name, event),
            Asked::Lost(side, count) => Ok(victory::lost(posed, *side, *count)),
            Asked::Loses(side, moment) => Ok(victory::loses(posed, *side, *moment)),
            Asked::Combat(a, b, dice) => combat::fight(posed, (a, b), *dice),
            Asked::Shoots(a, e) | Asked::ShootsAfter(_, a, e) => shooting::shoots(posed, a, e),
            Asked::Hindered(a, e) => shooting::hindered(posed, a, e),
            Asked::ShotInRear(target) => shooting::in_rear(posed, target),
            Asked::Fire(target, shooters) => shooting::fire(posed, target, shooters),
            Asked::Supports(friend, name, edge) => table::supports(posed, friend, name, *edge),
            Asked::Combats(pairs) => table::combats(posed, pairs),
            Asked::Die(value) => combat::die(posed, *value),
            Asked::Base(name) => data::base(posed, name),
            Asked::Board => Ok(data::board(posed)),
            Asked::Army(side) => Ok(data::army(posed, *side)),
            Asked::Troop(code, which) => Ok(data::troop(posed, code, which)),
            Asked::Dismounts(entry) => Ok(data::dismounts(posed, entry)),
            Asked::Paces(bw, paces) => Ok(data::paces(*bw, *paces)),
            Asked::BigBoard => Ok(data::big_board(posed)),
            Asked::BigPlough(dice) => Ok(data::big_plough(posed, dice)),
            Asked::BigBeaten(began, own, enemy) => Ok(data::big_beaten(posed, *began, *own, *enemy)),
            Asked::PipDice(dice) => Ok(data::pip_dice(dice)),
            Asked::Meet(a, b, by) => data::meet(posed, (a, b), *by),
            Asked::Figures(code, count) => data::figures(posed, code, *count),
            Asked::Move(_) => moves::legal(posed),
            Asked::Went(_) => moves::went(posed),
            Asked::Watch(acts) => watch::watch(posed, acts),
            Asked::Conform(_) => ends::conform(posed),
            Asked::Turns(name, _) => ends::turns(posed, name),
            Asked::Group(names) => moves::group(posed, names),
            Asked::StaysGroup(names, _) => ends::stays_group(posed, names),
            Asked::Groups(side, groups) => moves::groups(posed, *side, groups),
            Asked::Reach(a, b, edge) => reach::reach(posed, a, b, *edge),
            Asked::Ground(what) => ground::answer(posed, what),
            Asked::State(what) => state::answer(posed, what),
            Asked::List(what) => lists::answer(posed, what),
            Asked::Stronghold(what) => strongholds::answer(posed, what),
            Asked::SetUp(what) => setting_up::answer(posed, what),
        }
    }

    /// Looks at the case as it is staged.
    ///
    /// # Errors
    /// A bound that the engine refuses, or what `look` says.
    pub(super) fn posed<T>(
        &self,
        staged: &Staged,
        settings: &Settings,
        look: impl FnOnce(&Posed<'_>) -> Result<T, String>,
    ) -> Result<T, String> {
        let bound = (!self.bound.is_empty()).then(|| notation::read_bound(&self.bound)).transpose();
        let bound = bound.map_err(|e| format!("`bound`: {e}"))?;
        look(&Posed { case: self, setup: &staged.setup, moves: &staged.moves, bound, settings })
    }
}
