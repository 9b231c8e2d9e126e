//! Close combat of a pair as it is shown: factors, odds, and what dice come to.

use super::Engine;
use crate::judge::{Judgement, Measured, Verdict, pair_certainty, rule};
use crate::rules::combat::{Brief, Conditions, FateRuling, LinedUp, Situation, Standing, brief};
use crate::rules::due::{Told, Where, combats};
use crate::rules::ruleset::Fate;
use crate::rules::{Location, Question, Settings, Setup, Side};
use crate::session::Die;
use crate::session::view::{AftermathView, Call, CombatView, FactorView, OddsView, OutcomeView, ReasonView};
use std::cmp::Ordering;

/// The combat between two elements, or why there can be none. `contact` is the verdict on whether the
/// first one's front is on the second one's.
pub(super) fn combat(
    measured: &Measured,
    settings: &Settings,
    conditions: &Conditions,
    (a, b): (&str, &str),
    contact: Option<&Judgement>,
) -> Result<CombatView, String> {
    let brief = brief(&measured.touching().setup, settings, conditions, a, b)
        .map_err(|error| format!("There is none: {error}."))?;
    let side = |name: &str| measured.setup.element(name).map_or(Side::Red, |e| e.side);
    let (call, caution) = match contact.map(Judgement::verdict) {
        None | Some(Verdict::Yes) => (Call::Yes, None),
        Some(Verdict::No) => {
            let words = "They are not in contact front to front: this is what it would be if they were.";
            (Call::No, Some(words.to_owned()))
        }
        Some(Verdict::TooClose { .. }) => {
            let words =
                "Whether they are in contact front to front is too close to call: this holds if they are.";
            (Call::TooClose, Some(words.to_owned()))
        }
        Some(Verdict::Held(why)) => (Call::Held, Some(format!("Rulings are held: {why}."))),
    };
    let sure = pair_certainty(measured, settings, a, b).filter(|_| call != Call::Held);
    let mut cautions: Vec<String> = caution.into_iter().collect();
    if let Some([first, rest @ ..]) = sure.map(|sure| sure.words(|_| String::new())).as_deref() {
        let rest: Vec<&str> = rest.iter().map(|line| line.trim()).collect();
        cautions.push(format!("The factors are {first}; {}.", rest.join("; ")));
    }
    let caution = (!cautions.is_empty()).then(|| cautions.join(" "));
    Ok(view(brief, [side(a), side(b)], call, caution))
}

/// Sigmas beyond which it is plain whether two touch: right 99 times in 100.
const PLAIN: f64 = 2.326;

impl Engine {
    /// The close combat of two elements with what players chose and what happened earlier in the bound: who refused to
    /// conform fights as though overlapped (clause dba3.cf.10), and who has lost its own enemy overlaps (dba3.ovl.3).
    ///
    /// # Errors
    /// In words: why there is none.
    pub fn close_combat(
        &self,
        measured: &Measured,
        told: &Told,
        a: &str,
        b: &str,
    ) -> Result<CombatView, String> {
        let settings = self.settings();
        let overlapped = || Situation { lined_up: LinedUp::Refused, ..Situation::default() };
        let is = |c: &str, d: &str| told.refused.iter().any(|(by, whom)| by == c && whom == d);
        let mut conditions = Conditions { exposed: told.exposed.clone(), ..Conditions::default() };
        let refused = if is(a, b) {
            conditions.b = overlapped();
            Some((a, b))
        } else if is(b, a) {
            conditions.a = overlapped();
            Some((b, a))
        } else {
            None
        };
        let Some((contactor, contacted)) = refused else {
            let contact = rule(measured, settings, Question::ContactFront, a, b).ok();
            return combat(measured, settings, &conditions, (a, b), contact.as_ref());
        };
        let found = brief(&measured.touching().setup, settings, &conditions, a, b)
            .map_err(|error| format!("There is none: {error}."))?;
        let apart = rule(measured, settings, Question::Distance, a, b).ok();
        let call = match (measured.held, apart) {
            (Some(_), _) => Call::Held,
            (None, None) => Call::No,
            (None, Some(apart)) => {
                let room = settings.tolerances.contact_gap_mm - apart.ruling.margin.mm;
                match room {
                    mm if mm.abs() <= PLAIN * apart.weighed.sigma_mm => Call::TooClose,
                    mm if mm >= 0.0 => Call::Yes,
                    _ => Call::No,
                }
            }
        };
        let caution = match call {
            Call::Yes => {
                format!("{contacted} did not conform to {contactor}: it fights as though overlapped.")
            }
            Call::No => {
                format!("{contacted} and {contactor} do not touch: this is what it would be if they did.")
            }
            Call::TooClose => "Whether they touch is too close to call: this holds if they do.".to_owned(),
            Call::Held => "Rulings are held.".to_owned(),
        };
        let side = |name: &str| measured.setup.element(name).map_or(Side::Red, |e| e.side);
        Ok(view(found, [side(a), side(b)], call, Some(caution)))
    }

    /// Who has lost its own frontal enemy by what an outcome brings about on that table, and stands there still.
    pub fn exposed_by(&self, measured: &Measured, aftermath: &AftermathView) -> Vec<String> {
        let before = &measured.touching().setup;
        let mut after = before.clone();
        for step in &aftermath.steps {
            after.elements.retain(|e| e.name != step.who || !step.what.removes());
            if let Some(element) = after.elements.iter_mut().find(|e| e.name == step.who) {
                element.footprint = step.to;
            }
        }
        let pairs = |setup: &Setup| {
            let fought = combats(setup, self.settings(), &Told::default()).combats.into_iter();
            let open = fought.filter(|c| c.at == Where::Open);
            open.map(|c| (c.brief.a.name, c.brief.b.name)).collect::<Vec<_>>()
        };
        let now = pairs(&after);
        let gone = pairs(before).into_iter().filter(|pair| !now.contains(pair));
        let there = |name: &String| after.element(name).is_some_and(|e| e.location == Location::Board);
        gone.flat_map(|(a, b)| [a, b]).filter(there).collect()
    }
}

/// What the rules gathered of both sides, as it is shown.
pub(super) fn view(brief: Brief, [a, b]: [Side; 2], call: Call, caution: Option<String>) -> CombatView {
    CombatView {
        a: factor(&brief.a, a),
        b: factor(&brief.b, b),
        odds: odds(&brief, a, b),
        call,
        caution,
        brief,
    }
}

/// What two dice, the first element's first, come to.
pub fn outcome(combat: &CombatView, dice: [Die; 2]) -> OutcomeView {
    let [a, b] = dice.map(Die::pips);
    let outcome = combat.brief.outcome(a, b).expect("a die shows 1 to 6");
    // The side that something happens to decides; where nothing does, the totals' own clause.
    let (told, other) =
        if outcome.b.fate > outcome.a.fate { (&outcome.b, &outcome.a) } else { (&outcome.a, &outcome.b) };
    OutcomeView {
        dice: [a, b],
        scores: [outcome.totals.0, outcome.totals.1],
        words: words(&combat.brief, outcome.a.fate, outcome.b.fate),
        reasons: reasons(told, other),
        outcome,
    }
}

/// What makes the outcome: of each side the row that decides and the comparison of totals, each once.
fn reasons(first: &FateRuling, second: &FateRuling) -> Vec<ReasonView> {
    let mut shown: Vec<ReasonView> = Vec::new();
    let told =
        [first, second].into_iter().flat_map(|ruling| ruling.reasons.iter().filter(|r| r.holds).take(3));
    for reason in told {
        let view = ReasonView { clause: reason.clause.clone(), text: reason.text.clone() };
        if !shown.iter().any(|known| known.text == view.text) {
            shown.push(view);
        }
    }
    shown
}

fn factor(standing: &Standing, side: Side) -> FactorView {
    let parts = std::iter::once(&standing.factor).chain(&standing.modifiers);
    FactorView {
        name: standing.name.clone(),
        side,
        troop: standing.troop.code.clone(),
        parts: parts.map(|m| (m.text.clone(), m.value, m.clause.clone())).collect(),
        total: standing.total(),
    }
}

/// What happens to both, in words.
fn words(brief: &Brief, a: Fate, b: Fate) -> String {
    let one = |name: &str, fate: Fate| match fate {
        Fate::None => None,
        other => Some(format!("{name}: {}", other.name())),
    };
    let told: Vec<String> = [one(&brief.a.name, a), one(&brief.b.name, b)].into_iter().flatten().collect();
    if told.is_empty() { "Nothing happens".to_owned() } else { told.join("; ") }
}

/// Every outcome with how often it comes in the 36 throws, the best for the first element first.
pub(super) fn odds(brief: &Brief, a: Side, b: Side) -> Vec<OddsView> {
    let mut counts: Vec<((Fate, Fate), u32)> = Vec::new();
    for (die_a, die_b) in (1..=6).flat_map(|die_a| (1..=6).map(move |die_b| (die_a, die_b))) {
        let outcome = brief.outcome(die_a, die_b).expect("a die shows 1 to 6");
        let fates = (outcome.a.fate, outcome.b.fate);
        match counts.iter_mut().find(|(known, _)| *known == fates) {
            Some((_, count)) => *count += 1,
            None => counts.push((fates, 1)),
        }
    }
    let good_for_a = |(own, other): (Fate, Fate)| other as i32 - own as i32;
    counts.sort_by_key(|(fates, _)| (-good_for_a(*fates), *fates));
    let odds = |n: usize| {
        let ((fate_a, fate_b), of_36) = counts[n];
        let loser = fate_a.cmp(&fate_b);
        // The best for the first comes first: what is worse for the second stands before it, what is
        // worse for the first behind it.
        let worse = match loser {
            Ordering::Greater => counts[n + 1..].len(),
            Ordering::Less => n,
            Ordering::Equal => 0,
        };
        let loser = match loser {
            Ordering::Greater => Some(a),
            Ordering::Less => Some(b),
            Ordering::Equal => None,
        };
        OddsView { words: words(brief, fate_a, fate_b), of_36, loser, worse }
    };
    (0..counts.len()).map(odds).collect()
}
