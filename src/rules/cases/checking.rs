//! Comparing what the engine says to a case with what the case expects.

use super::{Answer, Case, Verdict};
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
                "expected {:?}, the engine says {:?} ({})",
                self.verdict, answer.verdict, answer.said
            ));
        }
        if let Some(expected) = self.margin_mm
            && answer.margin_mm.is_none_or(|mm| (mm - expected).abs() > SAME)
        {
            faults.push(format!("expected a margin of {expected} mm, the engine says {}", answer.said));
        }
        if self.pips.is_some() && self.pips != answer.pips {
            let said = answer.pips.map_or("no figure".to_owned(), |pips| pips.to_string());
            faults
                .push(format!("expected a price of {} PIPs, the engine says {said}", self.pips.unwrap_or(0)));
        }
        if let Some(expected) = &self.explained {
            let (expected, found): (BTreeSet<&String>, BTreeSet<&String>) =
                (expected.iter().collect(), answer.explained.iter().collect());
            if expected != found {
                faults.push(format!("expected the explanation {expected:?}, the engine says {found:?}"));
            }
        }
        if let Some(remedy) = &self.remedy
            && !answer.remedies.iter().any(|named| named.contains(remedy))
        {
            faults.push(format!("expected the remedy `{remedy}`, the engine names {:?}", answer.remedies));
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
        Ok((expected != turned)
            .then(|| format!("expected to be turned by {expected:?}, the engine says {turned:?}")))
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
    Ok((expected != found).then(|| format!("expected {expected:?} to be lost, the engine says {found:?}")))
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
