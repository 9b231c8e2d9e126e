//! Comparing what the engine says to a case with what the case expects.

use super::{Answer, Asked, Case, Verdict};
use crate::geometry::Footprint;
use crate::rules::notation;
use crate::rules::sensitivity::sensitivity;
use crate::rules::{Location, Settings, Setup};
use std::collections::BTreeSet;

/// How near a margin or a place has to be, millimetres; and a heading, degrees.
const SAME: f64 = 1e-3;

impl Case {
    /// Runs the case and its variants: verdict, margin, price, explanation, places and citations.
    ///
    /// # Errors
    /// What differs from what the case expects.
    pub fn run(&self) -> Result<(), String> {
        let faults: Vec<String> = self.variants().iter().filter_map(|case| case.run_one().err()).collect();
        if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
    }

    /// Runs the case itself, without its variants.
    ///
    /// # Errors
    /// What differs from what the case expects.
    pub fn run_one(&self) -> Result<(), String> {
        let settings = self.settings()?;
        let answer = self.answer_under(&settings)?;
        let mut faults: Vec<String> = Vec::new();
        if answer.verdict != self.verdict {
            faults.push(format!(
                "expected {}, the engine says {} ({})",
                self.verdict.word(),
                answer.verdict.word(),
                answer.said
            ));
        }
        match (self.margin_mm, answer.margin_mm) {
            (Some(_), None) => {
                faults.push("`margin_mm`: this question has no margin, leave it out".to_owned())
            }
            (Some(expected), Some(mm)) if (mm - expected).abs() > SAME => {
                faults
                    .push(format!("expected a margin of {expected} mm, the engine says {:.4} mm", mm + 0.0));
            }
            _ => {}
        }
        match (self.pips, answer.pips) {
            (Some(_), None) => faults.push("`pips`: this question has no price, leave it out".to_owned()),
            (Some(expected), Some(pips)) if pips != expected => {
                faults.push(format!("expected a price of {expected} PIPs, the engine says {pips}"));
            }
            _ => {}
        }
        if (self.totals.is_some() || self.fates.is_some()) && !matches!(self.ask, Asked::Combat(..)) {
            faults.push("`totals` and `fates` are for `Combat`, leave them out".to_owned());
        }
        if let Some(expected) = &self.explained {
            let (expected, found): (BTreeSet<&String>, BTreeSet<&String>) =
                (expected.iter().collect(), answer.explained.iter().collect());
            if expected != found {
                faults.push(format!(
                    "expected the explanation {}, the engine says {}",
                    quoted(expected, "none"),
                    quoted(found, "none")
                ));
            }
        }
        if let Some(remedy) = &self.remedy
            && !answer.remedies.iter().any(|named| named.contains(remedy))
        {
            let named = quoted(&answer.remedies, "none");
            faults.push(format!("expected the remedy `{remedy}`, the engine names {named}"));
        }
        if let Some(ends) = &self.ends {
            faults.extend(misplaced(ends, &answer, &settings)?);
        }
        if let Some(lost) = &self.lost {
            faults.extend(lost_otherwise(lost, &answer)?);
        }
        faults.extend(self.uncited(&answer));
        faults.extend(self.turned_otherwise(&settings)?);
        if faults.is_empty() { Ok(()) } else { Err(faults.join("; ")) }
    }

    /// What is wrong with `turned_by`: the settings whose other choices turn the verdict.
    fn turned_otherwise(&self, settings: &Settings) -> Result<Option<String>, String> {
        let Some(expected) = &self.turned_by else { return Ok(None) };
        let found =
            sensitivity(settings, |s| self.answer_under(s), |a| a.as_ref().map(|a| a.verdict).ok(), |_| ());
        let (expected, turned): (BTreeSet<&str>, BTreeSet<&str>) =
            (expected.iter().map(String::as_str).collect(), found.turned_by().into_iter().collect());
        found.ruling.as_ref().map_err(Clone::clone)?;
        Ok((expected != turned).then(|| {
            let (expected, turned) = (quoted(expected, "no setting"), quoted(turned, "no setting"));
            format!("expected to be turned by {expected}, the engine says {turned}")
        }))
    }

    /// The clauses that it covers and the answer does not cite.
    fn uncited(&self, answer: &Answer) -> Vec<String> {
        let cites = |id: &String| {
            answer.reasons.iter().any(|r| r.clause == *id && (r.holds || self.verdict == Verdict::No))
        };
        let mut faults = Vec::new();
        for id in self.clauses.iter().filter(|id| !cites(id)) {
            let cited: BTreeSet<String> = answer
                .reasons
                .iter()
                .map(|r| if r.holds { r.clause.clone() } else { format!("not {}", r.clause) })
                .collect();
            let cited = cited.into_iter().collect::<Vec<_>>().join(", ");
            faults.push(format!("the ruling does not cite {id}; it cites {cited}"));
        }
        faults
    }
}

/// What is wrong with who is lost.
fn lost_otherwise(lost: &[String], answer: &Answer) -> Result<Option<String>, String> {
    let Some(after) = &answer.after else {
        return Err("`lost` is for questions about what follows a combat".to_owned());
    };
    let gone = after.elements.iter().filter(|e| e.location == Location::Off);
    let found: BTreeSet<&str> = gone.map(|e| e.name.as_str()).collect();
    let expected: BTreeSet<&str> = lost.iter().map(String::as_str).collect();
    let unknown: BTreeSet<&str> =
        expected.iter().copied().filter(|name| after.element(name).is_none()).collect();
    if !unknown.is_empty() {
        return Ok(Some(format!("`lost` names {}, who is not in the setup", quoted(unknown, "nobody"))));
    }
    Ok((expected != found).then(|| {
        let (expected, found) = (quoted(expected, "nobody"), quoted(found, "nobody"));
        format!("expected to be lost: {expected}; the engine says {found}")
    }))
}

/// Names or words in quotes, or what there is instead of any.
fn quoted<T: std::fmt::Display>(all: impl IntoIterator<Item = T>, none: &str) -> String {
    let all: Vec<String> = all.into_iter().map(|one| format!("`{one}`")).collect();
    if all.is_empty() { none.to_owned() } else { all.join(", ") }
}

/// The elements that do not come to stand where `ends` says.
fn misplaced(ends: &str, answer: &Answer, settings: &Settings) -> Result<Vec<String>, String> {
    let list = |errors: Vec<notation::NotationError>| {
        errors.iter().map(|e| format!("`ends`: {e}")).collect::<Vec<_>>().join("; ")
    };
    let expected: Setup = notation::read_setup(ends, settings.ruleset()).map_err(list)?;
    let Some(after) = &answer.after else {
        return Err("`ends` is for questions about moves".to_owned());
    };
    let mut faults = Vec::new();
    for wanted in &expected.elements {
        match after.element(&wanted.name) {
            None => faults.push(format!("`ends` names {}, which is not on the table", wanted.name)),
            Some(found) if wanted.location != Location::Board && found.location != wanted.location => {
                faults.push(format!(
                    "expected {} to end `in`: {:?}, the engine says {:?}",
                    wanted.name, wanted.location, found.location
                ));
            }
            Some(found) if same(&found.footprint, &wanted.footprint) => {}
            Some(found) => faults.push(format!(
                "expected it to end as `{}`, the engine says `{}`",
                notation::write_element(wanted),
                notation::write_element(found)
            )),
        }
    }
    Ok(faults)
}

pub(super) fn same(a: &Footprint, b: &Footprint) -> bool {
    let turn = a.pose().heading.turn_to_radians(b.pose().heading).to_degrees().abs();
    (a.pose().centre - b.pose().centre).norm() < SAME && turn < SAME
}
