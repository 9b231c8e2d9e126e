//! What is shown of combat and shooting: factors, odds, what dice came to, everything that follows, and what is due
//! on the whole table. Table frame, millimetres.

use super::{Call, ReasonView};
use crate::geometry::{Footprint, Point};
use crate::rules::Side;
use crate::rules::aftermath::{RecoilBy, What};
use crate::rules::combat::{Brief, Outcome};

/// One element's combat factor.
#[derive(Debug, Clone, PartialEq)]
pub struct FactorView {
    /// Element's name.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// Troop code.
    pub troop: String,
    /// Each part: what, how much, and the clause that gives it.
    pub parts: Vec<(String, i32, String)>,
    /// Their sum.
    pub total: i32,
}

/// One way a combat can end.
#[derive(Debug, Clone, PartialEq)]
pub struct OddsView {
    /// What happens.
    pub words: String,
    /// In how many of the 36 throws.
    pub of_36: u32,
    /// Which element suffers it, where one does.
    pub loser: Option<Side>,
    /// How many outcomes are worse for that one.
    pub worse: usize,
}

/// A combat of two elements before its dice: close combat, or shooting.
#[derive(Debug, Clone, PartialEq)]
pub struct CombatView {
    /// The first element's factor.
    pub a: FactorView,
    /// The second's.
    pub b: FactorView,
    /// Every outcome, the best for the first element first.
    pub odds: Vec<OddsView>,
    /// Whether they fight so at all, as the table stands.
    pub call: Call,
    /// Whether it holds only on a condition, in words.
    pub caution: Option<String>,
    /// What the rules gathered, for the dice.
    pub brief: Brief,
}

/// How two dice ended a combat.
#[derive(Debug, Clone, PartialEq)]
pub struct OutcomeView {
    /// The dice, the first element's first.
    pub dice: [u8; 2],
    /// The scores.
    pub scores: [i32; 2],
    /// What happens.
    pub words: String,
    /// Why, the deciding clauses first.
    pub reasons: Vec<ReasonView>,
    /// The rules' own answer, from which all that follows is played out.
    pub outcome: Outcome,
}

/// Everything that an outcome brings about.
#[derive(Debug, Clone, PartialEq)]
pub struct AftermathView {
    /// What happens, in order.
    pub steps: Vec<StepView>,
    /// The choices that players have, each answer with what comes of it.
    pub answers: Vec<AnswerView>,
}

/// One thing that happens to one element.
#[derive(Debug, Clone, PartialEq)]
pub struct StepView {
    /// Who.
    pub who: String,
    /// Whose.
    pub side: Side,
    /// What.
    pub what: What,
    /// The same in words, with how far: "Libyans: recoils 15.0 mm".
    pub words: String,
    /// Where it stood before.
    pub from: Footprint,
    /// Where it is to stand; where it was, if it is taken off.
    pub to: Footprint,
    /// Where its centre goes, both ends included.
    pub way: Vec<Point>,
    /// Why, the deciding clause first.
    pub reasons: Vec<ReasonView>,
}

/// A decision that a player may take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decides {
    /// How far the element recoils.
    Recoil(String, RecoilBy),
    /// Which element occupies the stormed place: the place, the element.
    Occupies(String, String),
}

/// One answer to a choice that a player has.
#[derive(Debug, Clone, PartialEq)]
pub struct AnswerView {
    /// Whose choice.
    pub who: String,
    /// The clause that gives it.
    pub clause: String,
    /// What would be decided by it.
    pub decides: Decides,
    /// The answer in words.
    pub words: String,
    /// What would come of it, in order.
    pub follows: Vec<String>,
    /// Whether it is what is shown.
    pub chosen: bool,
}

/// A condition that was looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct TestView {
    /// Clause id.
    pub clause: String,
    /// What it comes to here.
    pub text: String,
    /// Whether it holds.
    pub call: Call,
}

/// Whether one element may shoot at another.
#[derive(Debug, Clone, PartialEq)]
pub struct ShotView {
    /// Who would shoot.
    pub shooter: String,
    /// At whom.
    pub target: String,
    /// Whether it may.
    pub call: Call,
    /// By how much, and one sigma of that, millimetres, where range and lines could be measured.
    pub margin_mm: Option<(f64, f64)>,
    /// Every condition, those that fail first.
    pub tests: Vec<TestView>,
    /// The two places that decide.
    pub at: Vec<Point>,
}

/// The first of a pair shooting at the second.
#[derive(Debug, Clone, PartialEq)]
pub struct ShootingView {
    /// Whether it may, or why that cannot be asked.
    pub shot: Result<ShotView, String>,
    /// What the dice decide, or why none are thrown.
    pub combat: Result<CombatView, String>,
    /// At whom the first must or may shoot; none where at nobody, or where that is not worked out yet.
    pub shooter: Option<ShooterView>,
}

/// Every combat and every shot that is due in a bound.
#[derive(Debug, Clone, PartialEq)]
pub struct DueView {
    /// Whose bound it was taken to be.
    pub side: Side,
    /// Close combats, in the table's order.
    pub combats: Vec<DueCombatView>,
    /// Who may shoot, and at whom.
    pub shooters: Vec<ShooterView>,
    /// What is settled to be shot, by target.
    pub fires: Vec<FireView>,
    /// Whose player settles the order of the shooting, where it matters.
    pub order: Option<Side>,
    /// What is in contact and fights nobody, and what could not be reckoned.
    pub beside: Vec<String>,
    /// What players may choose.
    pub choices: Vec<super::ChoiceView>,
    /// What is too close to call: who may shoot, at whom, who is in contact.
    pub open: Vec<OpenView>,
}

impl DueView {
    /// The same after the dice of close combats of this bound, in which these fought: nobody fights twice, and whom one meets
    /// by pursuing it fights in the next bound (clause dba3.pur.13).
    pub fn after(mut self, fought: &[String]) -> Self {
        let has = |name: &String| fought.contains(name);
        let (over, due) = self.combats.into_iter().partition(|c| has(&c.a) || has(&c.b));
        self.combats = due;
        let words = |c: DueCombatView| match (has(&c.a), has(&c.b)) {
            (true, true) => format!("{} against {} was fought in this bound", c.a, c.b),
            (first, _) => {
                let (who, other) = if first { (c.a, c.b) } else { (c.b, c.a) };
                format!("{who} has fought in this bound: it fights {other} in the next (dba3.pur.13)")
            }
        };
        let over: Vec<DueCombatView> = over;
        self.beside.extend(over.into_iter().map(words));
        self
    }
}

/// Something that is too close to call.
#[derive(Debug, Clone, PartialEq)]
pub struct OpenView {
    /// What, how often it is so, and what it hangs on, in sentences.
    pub words: String,
    /// The facts of which one may be agreed on.
    pub to_settle: Vec<crate::rules::facts::Fact>,
}

/// A close combat.
#[derive(Debug, Clone, PartialEq)]
pub struct DueCombatView {
    /// The red one, or the one that assaults.
    pub a: String,
    /// The blue one, or the one that defends.
    pub b: String,
    /// The camp, City or Fort that is assaulted.
    pub at: Option<String>,
    /// Whether the second lined up with the first.
    pub lined_up: crate::rules::combat::LinedUp,
    /// Whether they are in contact.
    pub call: Call,
    /// Their totals before the dice.
    pub totals: [i32; 2],
}

/// One that may shoot.
#[derive(Debug, Clone, PartialEq)]
pub struct ShooterView {
    /// Who.
    pub shooter: String,
    /// Whose.
    pub side: Side,
    /// At whom it may.
    pub targets: Vec<String>,
    /// At whom it must, or was chosen to.
    pub settled: Option<String>,
    /// Why.
    pub tests: Vec<TestView>,
}

/// All that is shot at one target.
#[derive(Debug, Clone, PartialEq)]
pub struct FireView {
    /// At whom.
    pub target: String,
    /// Who rolls.
    pub roller: String,
    /// The same in words: "Archers shoot at Hastati 1, 1 aids".
    pub words: String,
    /// Whether it comes so, with those factors, as the poses may be off.
    pub call: Call,
    /// Why.
    pub tests: Vec<TestView>,
    /// What the rules found, for the dice.
    pub fire: crate::rules::shooting::Fire,
}
