//! The outcome of two dice: the band, and each side's fate with the row that gives it.

use super::brief::Brief;
use super::conditions::{Mode, Place, Reply, Situation, Struck};
use crate::rules::ruleset::{Band, Fate, Going, Row, Troop, When};
use crate::rules::settings::ShooterHarmed;
use crate::rules::{Reason, Settings};
use std::sync::Arc;
use thiserror::Error;

/// A die that shows what no die shows (clause dba3.board.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[error("a die shows 1 to 6, not {value}")]
pub struct DieError {
    /// What was given.
    pub value: u8,
}

/// How the totals compare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Score {
    /// The second total is half of the first or less.
    ADoubles,
    /// The first is greater.
    AWins,
    /// Equal.
    Equal,
    /// The second is greater.
    BWins,
    /// The first is half of the second or less.
    BDoubles,
}

impl Score {
    /// All of them, the best for the first first: each stands at its own number.
    pub const ALL: [Self; 5] = [Self::ADoubles, Self::AWins, Self::Equal, Self::BWins, Self::BDoubles];

    /// Compares totals arithmetically (clause dba3.tac.3): a beaten total of zero or less is always
    /// half or less.
    pub fn of(a: i32, b: i32) -> Self {
        match a.cmp(&b) {
            std::cmp::Ordering::Equal => Self::Equal,
            std::cmp::Ordering::Greater if 2 * b <= a => Self::ADoubles,
            std::cmp::Ordering::Greater => Self::AWins,
            std::cmp::Ordering::Less if 2 * a <= b => Self::BDoubles,
            std::cmp::Ordering::Less => Self::BWins,
        }
    }

    /// The band that each side looks itself up in: none for a winner (clauses dba3.out.1 to .4).
    pub fn bands(self) -> (Option<Band>, Option<Band>) {
        match self {
            Self::Equal => (Some(Band::Equal), Some(Band::Equal)),
            Self::AWins => (None, Some(Band::Lesser)),
            Self::ADoubles => (None, Some(Band::Half)),
            Self::BWins => (Some(Band::Lesser), None),
            Self::BDoubles => (Some(Band::Half), None),
        }
    }
}

/// What becomes of one element, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct FateRuling {
    /// What becomes of it.
    pub fate: Fate,
    /// The clause that decides.
    pub clause: String,
    /// Every row that was looked at, the deciding one first.
    pub reasons: Vec<Reason>,
}

/// What two dice come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The dice.
    pub dice: (u8, u8),
    /// The totals, dice included.
    pub totals: (i32, i32),
    /// How they compare.
    pub score: Score,
    /// The first element's fate.
    pub a: FateRuling,
    /// The second's.
    pub b: FateRuling,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

/// Which of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Who {
    /// The first.
    A,
    /// The second.
    B,
}

impl Brief {
    /// What these dice come to.
    ///
    /// # Errors
    /// A die that is not 1 to 6.
    pub fn outcome(&self, die_a: u8, die_b: u8) -> Result<Outcome, DieError> {
        for value in [die_a, die_b] {
            if !(1..=6).contains(&value) {
                return Err(DieError { value });
            }
        }
        let totals = (self.a.total() + i32::from(die_a), self.b.total() + i32::from(die_b));
        let score = Score::of(totals.0, totals.1);
        let (band_a, band_b) = score.bands();
        let mut a = self.fate(Who::A, band_a, totals);
        let mut b = self.fate(Who::B, band_b, (totals.1, totals.0));
        let sum = format!(
            "{} + {die_a} = {} against {} + {die_b} = {}",
            self.a.total(),
            totals.0,
            self.b.total(),
            totals.1
        );
        for ruling in [&mut a, &mut b] {
            ruling.reasons.push(Reason::holds("dba3.tac.1", sum.clone()));
            ruling.reasons.push(Reason::holds("dba3.board.8", "one die a side for the elements that fight"));
            ruling.reasons.push(Reason::holds("dba3.board.6", "each die shows 1 to 6"));
            if totals.0.min(totals.1) <= 0 {
                let text = "totals of zero or less are compared as they are";
                ruling.reasons.push(Reason::holds("dba3.tac.3", text));
            }
        }
        Ok(Outcome { dice: (die_a, die_b), totals, score, a, b, under: Arc::clone(self.settings.name()) })
    }

    fn fate(&self, who: Who, band: Option<Band>, (own, other): (i32, i32)) -> FateRuling {
        let Some(band) = band else {
            return unhurt(format!("{own} is more than {other}: the winner has no result"));
        };
        let text = match band {
            Band::Equal => format!("{own} equals {other}"),
            Band::Lesser => format!("{own} is less than {other}, and more than half of it"),
            Band::Half => format!("{own} is half of {other} or less"),
        };
        self.look_up(who, band, text)
    }

    /// What a score does to each, dice and factors left out.
    pub fn consequence(&self, score: Score) -> (FateRuling, FateRuling) {
        let (band_a, band_b) = score.bands();
        let fate = |who, band: Option<Band>| match band {
            Some(band) => self.look_up(who, band, band.name().to_owned()),
            None => unhurt("the winner has no result".to_owned()),
        };
        (fate(Who::A, band_a), fate(Who::B, band_b))
    }

    fn look_up(&self, who: Who, band: Band, text: String) -> FateRuling {
        let clause = match band {
            Band::Equal => "dba3.out.1",
            Band::Lesser => "dba3.out.2",
            Band::Half => "dba3.out.3",
        };
        let by_band = Reason::holds(clause, text);
        if who == Who::A
            && let Mode::Shooting { reply: Reply::None, .. } = self.conditions.mode
            && self.settings.shooter_harmed == ShooterHarmed::OnlyIfShotBack
        {
            let text = "a shooter suffers only where its target shoots back";
            return FateRuling {
                fate: Fate::None,
                clause: "dba3.sht.20".to_owned(),
                reasons: vec![Reason::holds("dba3.sht.20", text), by_band],
            };
        }
        let look = Look::new(self, who);
        let mut passed = Vec::new();
        if who == Who::A
            && let Mode::Shooting { reply, .. } = self.conditions.mode
        {
            let text = match reply {
                Reply::ShootsBack => "its target shoots back, so a worse total harms it",
                Reply::None => {
                    "by the setting a worse total harms a shooter whether or not it is shot back at"
                }
            };
            passed.push(Reason::fails("dba3.sht.20", text));
        }
        for row in look.settings.ruleset().outcomes().rows(band) {
            if !row.of.holds(look.troop) {
                continue;
            }
            if !row.when.iter().all(|w| look.holds(w)) {
                let text = format!("not so here: {}", row.says);
                passed.push(Reason::fails(&row.clause, text.clone()));
                // Where a setting alone keeps the row from fitting, the clause of the setting is why.
                let by_setting = row.when.iter().filter(|w| !look.holds(w)).all(|w| !w.settings().is_empty());
                let settings = row.with.iter().filter(|id| id.starts_with("dba3.set."));
                passed.extend(settings.filter(|_| by_setting).map(|id| Reason::fails(id, text.clone())));
                continue;
            }
            return FateRuling {
                fate: row.fate,
                clause: row.clause.clone(),
                reasons: told(row, by_band, passed),
            };
        }
        FateRuling { fate: Fate::None, clause: clause.to_owned(), reasons: vec![by_band] }
    }
}

/// Nothing becomes of a winner (clause dba3.out.4).
fn unhurt(text: String) -> FateRuling {
    let clause = "dba3.out.4".to_owned();
    FateRuling { fate: Fate::None, reasons: vec![Reason::holds(&clause, text)], clause }
}

fn told(row: &Row, by_band: Reason, passed: Vec<Reason>) -> Vec<Reason> {
    let mut reasons = vec![Reason::holds(&row.clause, &row.says)];
    reasons.extend(row.with.iter().map(|id| Reason::holds(id, &row.says)));
    reasons.push(by_band);
    reasons.extend(passed);
    reasons
}

/// One element looking itself up.
struct Look<'a> {
    brief: &'a Brief,
    settings: &'a Settings,
    who: Who,
    troop: &'a Troop,
    other: &'a Troop,
    own: &'a Situation,
    theirs: &'a Situation,
    fronts_on_it: usize,
}

impl<'a> Look<'a> {
    fn new(brief: &'a Brief, who: Who) -> Self {
        let (a, b) = ((&brief.a.troop, &brief.conditions.a), (&brief.b.troop, &brief.conditions.b));
        let ((troop, own), (other, theirs)) = if who == Who::A { (a, b) } else { (b, a) };
        let fronts_on_it = if who == Who::A { brief.enemy_fronts.0 } else { brief.enemy_fronts.1 };
        Self { brief, settings: &brief.settings, who, troop, other, own, theirs, fronts_on_it }
    }

    fn shooting(&self) -> bool {
        matches!(self.brief.conditions.mode, Mode::Shooting { .. })
    }

    /// Whether it is the target of the shooting.
    fn shot_at(&self) -> bool {
        match self.brief.conditions.mode {
            Mode::CloseCombat => false,
            Mode::Shooting { reply, .. } => self.who == Who::B || reply == Reply::ShootsBack,
        }
    }

    fn good(&self, troop: &Troop, place: &Situation) -> bool {
        place.surface().going_for(troop) == Going::Good
    }

    fn holds(&self, when: &When) -> bool {
        match when {
            When::CloseCombat => !self.shooting(),
            When::Shooting => self.shooting(),
            When::ShotInRearEdge => {
                let struck =
                    matches!(self.brief.conditions.mode, Mode::Shooting { struck: Struck::RearEdge, .. });
                self.shot_at() && self.who == Who::B && struck
            }
            When::Opponent(which) => which.holds(self.other),
            When::ShotBy(which) => self.shot_at() && which.holds(self.other),
            When::TwoFrontsOnIt => self.fronts_on_it >= 2,
            When::OwnGoing(going) => self.own.surface().going_for(self.troop) == *going,
            When::GoodGoing(id) => {
                let own = self.good(self.troop, self.own);
                let theirs = self.good(self.other, self.theirs);
                match self.settings.word(id) {
                    Some("winner" | "opponent") => theirs,
                    Some("both") => own && theirs,
                    _ => own,
                }
            }
            When::GoodForOpponent(id) => match self.settings.word(id) {
                Some("winner-place-winner-type") => self.good(self.other, self.theirs),
                _ => self.good(self.other, self.own),
            },
            When::Defending => matches!(self.own.place, Place::Defends(_)),
            When::Assaulting => matches!(self.own.place, Place::Assaults(_)),
            When::Setting(id, word) => self.settings.word(id) == Some(word),
            When::Not(inner) => !self.holds(inner),
            When::OneOf(parts) => parts.iter().any(|w| self.holds(w)),
        }
    }
}
