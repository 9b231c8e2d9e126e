//! Case files: a setup in short notation, a question, the ruling expected, and the clauses it covers.
//!
//! The files stand in `tests/rulings/<ruleset>/` and are carried by the program, so that it can tell
//! which clauses have a case. Invariant: a case counts for a clause only where it passes and the
//! engine's own ruling cites that clause; a case whose verdict is yes only where it cites it as holding.

use super::clauses::Catalogue;
use super::combat::{Conditions, brief};
use super::lineup::{lined_up, may_start};
use super::ruleset::{DataFile, Fate, Placed, Problem, Ruleset, Which, list};
use super::{Question, Reason, Settings, Setup, Side, ask, check, engagement, notation};
use crate::geometry::Edge;
use crate::text::Position;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Every embedded case file: name and text. A test compares the list with the folder.
pub const FILES: &[(&str, &str)] = &[
    ("tests/rulings/dba3/base.ron", include_str!("../../tests/rulings/dba3/base.ron")),
    ("tests/rulings/dba3/contact.ron", include_str!("../../tests/rulings/dba3/contact.ron")),
    ("tests/rulings/dba3/equal.ron", include_str!("../../tests/rulings/dba3/equal.ron")),
    ("tests/rulings/dba3/factors.ron", include_str!("../../tests/rulings/dba3/factors.ron")),
    ("tests/rulings/dba3/half.ron", include_str!("../../tests/rulings/dba3/half.ron")),
    ("tests/rulings/dba3/lesser.ron", include_str!("../../tests/rulings/dba3/lesser.ron")),
    ("tests/rulings/dba3/overlap.ron", include_str!("../../tests/rulings/dba3/overlap.ron")),
    ("tests/rulings/dba3/support.ron", include_str!("../../tests/rulings/dba3/support.ron")),
    ("tests/rulings/dba3/tactical.ron", include_str!("../../tests/rulings/dba3/tactical.ron")),
    ("tests/rulings/dba3/troops.ron", include_str!("../../tests/rulings/dba3/troops.ron")),
    ("tests/rulings/dba3/zone.ron", include_str!("../../tests/rulings/dba3/zone.ron")),
];

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub enum Verdict {
    /// It holds.
    Yes,
    /// It does not.
    No,
}

impl Verdict {
    fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }
}

/// An edge of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum EdgeName {
    /// Ahead.
    Front,
    /// Right flank.
    Right,
    /// Behind.
    Rear,
    /// Left flank.
    Left,
}

impl From<EdgeName> for Edge {
    fn from(name: EdgeName) -> Self {
        match name {
            EdgeName::Front => Self::Front,
            EdgeName::Right => Self::Right,
            EdgeName::Rear => Self::Rear,
            EdgeName::Left => Self::Left,
        }
    }
}

/// What a case asks.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum Asked {
    /// One of the geometric questions about two elements.
    Geometry(Question, String, String),
    /// May the first, standing where it does, contact that edge of the second?
    MayStart(String, String, EdgeName),
    /// Is this element legally lined up with an enemy?
    LinedUp(String),
    /// Does anything press that edge of the first while it fights the second?
    Pressed(String, String, EdgeName),
    /// Do the two fight with these dice as `totals` and `fates` say?
    Combat(String, String, (u8, u8)),
    /// Is this element's base as listed?
    Base(String),
    /// Is the board a standard one?
    Board,
    /// Is the army of that side complete?
    Army(Side),
    /// Is that troop code one of these?
    Troop(String, Which),
    /// Does that troop code have so many figures or models on a base?
    Figures(String, u8),
    /// Can a die show this?
    Die(u8),
}

/// One case.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// The setup in short notation.
    #[serde(default)]
    pub setup: String,
    /// Settings that differ from the default.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// What the bases do not show.
    #[serde(default)]
    pub conditions: Conditions,
    /// The question.
    pub ask: Asked,
    /// Totals of a combat, dice included.
    #[serde(default)]
    pub totals: Option<(i32, i32)>,
    /// Fates of a combat.
    #[serde(default)]
    pub fates: Option<(Fate, Fate)>,
    /// Whether the answer is yes.
    pub verdict: Verdict,
    /// The margin, to a thousandth of a millimetre.
    #[serde(default)]
    pub margin_mm: Option<f64>,
    /// The clauses that it covers.
    pub clauses: Vec<String>,
    /// Why it is known to fail. A case that passes though it says this is an error.
    #[serde(default)]
    pub fails_because: Option<String>,
}

/// A file of cases.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFile {
    /// The ruleset that they are about.
    pub ruleset: String,
    /// The cases.
    pub cases: Vec<Case>,
}

impl CaseFile {
    /// Reads a case file and checks that it has cases and that each clause is known.
    ///
    /// # Errors
    /// Every problem, with line and column.
    pub fn read(name: &str, text: &str, catalogue: &Catalogue) -> Result<Self, Vec<Problem>> {
        let mut file = DataFile::read(name, text);
        let ruleset: Option<String> = file.one("ruleset");
        let cases: Vec<Placed<Case>> = file.rows("cases");
        if cases.is_empty() {
            file.note(Position::START, "the file has no case that can be read".to_owned());
        }
        for Placed { at, value: case } in &cases {
            if case.clauses.is_empty() {
                file.note(*at, format!("`{}` covers no clause", case.name));
            }
            for id in case.clauses.iter().filter(|id| catalogue.clause(id).is_none()) {
                file.note(*at, format!("`{}` covers `{id}`, which is not in the catalogue", case.name));
            }
        }
        let problems = file.finish();
        let cases = cases.into_iter().map(|case| case.value).collect();
        match ruleset {
            Some(ruleset) if problems.is_empty() => Ok(Self { ruleset, cases }),
            _ => Err(problems),
        }
    }
}

/// What the engine said to a case's question.
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// Whether the claim holds.
    pub verdict: Verdict,
    /// The margin, where it is a geometric question.
    pub margin_mm: Option<f64>,
    /// What it came to, for people.
    pub said: String,
    /// Everything cited.
    pub reasons: Vec<Reason>,
}

impl Case {
    /// Puts the question to the engine.
    ///
    /// # Errors
    /// A setup, setting or question that the engine refuses.
    pub fn answer(&self) -> Result<Answer, String> {
        let mut settings = Settings::new(Ruleset::dba3());
        for (id, word) in &self.settings {
            settings = settings.with(id, word).map_err(|e| e.to_string())?;
        }
        let setup = notation::read_setup(&self.setup, settings.ruleset())
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))?;
        self.put(&setup, &settings)
    }

    fn put(&self, setup: &Setup, settings: &Settings) -> Result<Answer, String> {
        let fault = |e: super::AskError| e.to_string();
        match &self.ask {
            Asked::Geometry(question, a, b) => {
                let ruling = ask(setup, settings, *question, a, b).map_err(fault)?;
                Ok(Answer {
                    verdict: Verdict::of(ruling.margin.satisfied()),
                    margin_mm: Some(ruling.margin.mm),
                    said: format!("margin {:.4} mm", ruling.margin.mm),
                    reasons: ruling.reasons,
                })
            }
            Asked::MayStart(a, b, edge) => {
                let told = may_start(setup, settings, a, b, Edge::from(*edge)).map_err(fault)?;
                Ok(Answer {
                    verdict: Verdict::of(told.allowed),
                    margin_mm: Some(told.margin.mm),
                    said: format!("margin {:.4} mm", told.margin.mm),
                    reasons: told.reasons,
                })
            }
            Asked::LinedUp(name) => {
                let told = lined_up(setup, settings, name).map_err(fault)?;
                let told = told.ok_or_else(|| format!("{name} touches no enemy"))?;
                Ok(Answer {
                    verdict: Verdict::of(told.allowed),
                    margin_mm: Some(told.margin.mm),
                    said: format!("margin {:.4} mm", told.margin.mm),
                    reasons: told.reasons,
                })
            }
            Asked::Pressed(of, foe, edge) => {
                let find =
                    |name: &str| setup.element(name).ok_or_else(|| format!("no element is called `{name}`"));
                let context = super::Context::of(setup, settings);
                let found = engagement::pressed(find(of)?, find(foe)?, &context, &self.conditions.exposed);
                let edge = Edge::from(*edge);
                let pressure = found.edge(edge);
                let mut reasons: Vec<Reason> = found.by.iter().flat_map(|p| p.reasons.clone()).collect();
                reasons.extend(found.not.iter().cloned());
                Ok(Answer {
                    verdict: Verdict::of(pressure.is_some()),
                    margin_mm: pressure.map(|p| p.margin.mm),
                    said: format!(
                        "{:?}",
                        found.by.iter().map(|p| (p.edge, p.how, &p.by)).collect::<Vec<_>>()
                    ),
                    reasons,
                })
            }
            Asked::Combat(a, b, dice) => self.fight(setup, settings, (a, b), *dice),
            Asked::Base(name) => {
                let element = setup.element(name).ok_or_else(|| format!("no element is called `{name}`"))?;
                Ok(checked(check::base(element, setup.scale, settings)))
            }
            Asked::Board => Ok(checked(check::board(setup))),
            Asked::Army(side) => Ok(checked(check::army(setup, *side, settings))),
            Asked::Troop(code, which) => {
                let rules = settings.ruleset();
                let troop = rules.troop(code);
                let holds = troop.is_some_and(|t| which.holds(t));
                let mut reasons: Vec<Reason> =
                    troop.iter().flat_map(|t| &t.clauses).map(|id| Reason::holds(id, code)).collect();
                reasons.extend(rules.retired(code).map(|old| Reason::holds(&old.clause, &old.says)));
                Ok(Answer {
                    verdict: Verdict::of(holds),
                    margin_mm: None,
                    said: format!("{troop:?}"),
                    reasons,
                })
            }
            Asked::Figures(code, count) => {
                let troop =
                    settings.ruleset().troop(code).ok_or_else(|| format!("no troop code `{code}`"))?;
                let text = format!("{code} has {} on a base", troop.figures);
                let holds = troop.figures == *count;
                let reason = Reason { holds, ..Reason::holds("dba3.base.16", text.clone()) };
                Ok(Answer { verdict: Verdict::of(holds), margin_mm: None, said: text, reasons: vec![reason] })
            }
            Asked::Die(value) => {
                let brief = brief(setup, settings, &self.conditions, "A", "E").map_err(fault)?;
                let rolled = brief.outcome(*value, 1);
                let text = format!("a die of {value}");
                let reason = Reason { holds: rolled.is_ok(), ..Reason::holds("dba3.board.6", text) };
                let said = format!("{:?}", rolled.as_ref().err());
                Ok(Answer {
                    verdict: Verdict::of(rolled.is_ok()),
                    margin_mm: None,
                    said,
                    reasons: vec![reason],
                })
            }
        }
    }

    fn fight(
        &self,
        setup: &Setup,
        settings: &Settings,
        (a, b): (&str, &str),
        dice: (u8, u8),
    ) -> Result<Answer, String> {
        let brief = brief(setup, settings, &self.conditions, a, b).map_err(|e| e.to_string())?;
        let outcome = brief.outcome(dice.0, dice.1).map_err(|e| e.to_string())?;
        let fates = (outcome.a.fate, outcome.b.fate);
        if self.totals.is_none() && self.fates.is_none() {
            return Err("a combat needs `totals` or `fates` to claim".to_owned());
        }
        let holds = self.totals.is_none_or(|t| t == outcome.totals) && self.fates.is_none_or(|f| f == fates);
        let mut reasons = outcome.a.reasons;
        reasons.extend(outcome.b.reasons);
        reasons.extend(brief.a.reasons.iter().chain(&brief.b.reasons).cloned());
        reasons.extend(brief.contact.iter().flat_map(|c| c.reasons.clone()));
        Ok(Answer {
            verdict: Verdict::of(holds),
            margin_mm: None,
            said: format!(
                "totals {:?}, fates {fates:?} by {} and {}",
                outcome.totals, outcome.a.clause, outcome.b.clause
            ),
            reasons,
        })
    }

    /// Runs the case: verdict, margin and citations.
    ///
    /// # Errors
    /// What differs from what the case expects.
    pub fn run(&self) -> Result<(), String> {
        let answer = self.answer()?;
        let mut faults = String::new();
        if answer.verdict != self.verdict {
            let _ = write!(
                faults,
                "expected {:?}, the engine says {:?} ({})",
                self.verdict, answer.verdict, answer.said
            );
        }
        if let Some(expected) = self.margin_mm
            && answer.margin_mm.is_none_or(|mm| (mm - expected).abs() > 1e-3)
        {
            let _ = write!(faults, "; expected a margin of {expected} mm, the engine says {}", answer.said);
        }
        for id in &self.clauses {
            let cited =
                answer.reasons.iter().any(|r| r.clause == *id && (r.holds || self.verdict == Verdict::No));
            if !cited {
                let cites: std::collections::BTreeSet<String> = answer
                    .reasons
                    .iter()
                    .map(|r| if r.holds { r.clause.clone() } else { format!("not {}", r.clause) })
                    .collect();
                let cites = cites.into_iter().collect::<Vec<_>>().join(", ");
                let _ = write!(faults, "; the ruling does not cite {id}; it cites {cites}");
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(faults.trim_start_matches("; ").to_owned()) }
    }
}

fn checked(reasons: Vec<Reason>) -> Answer {
    // A reason that another says is overruled (a deeper base is allowed) holds already.
    let holds = reasons.iter().all(|r| r.holds);
    let said = reasons.iter().filter(|r| !r.holds).map(|r| r.text.clone()).collect::<Vec<_>>().join("; ");
    Answer { verdict: Verdict::of(holds), margin_mm: None, said, reasons }
}

/// How many cases a clause has on each side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Count {
    /// Cases in which it holds.
    pub yes: usize,
    /// Cases in which it does not.
    pub no: usize,
}

/// Runs every embedded case and counts, for each clause id, those that pass.
///
/// # Errors
/// A case file that cannot be read.
pub fn counts() -> Result<BTreeMap<String, Count>, String> {
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    for &(name, text) in FILES {
        let file = CaseFile::read(name, text, Catalogue::embedded()).map_err(|problems| list(&problems))?;
        for case in file.cases.iter().filter(|c| c.run().is_ok()) {
            for id in &case.clauses {
                let count = counts.entry(id.clone()).or_default();
                match case.verdict {
                    Verdict::Yes => count.yes += 1,
                    Verdict::No => count.no += 1,
                }
            }
        }
    }
    Ok(counts)
}
