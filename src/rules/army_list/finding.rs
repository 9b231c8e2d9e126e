//! What is found of an army: clause by clause, with the number that is over or short.

use crate::rules::Reason;

/// One thing that a clause says of an army.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The clause.
    pub clause: &'static str,
    /// Whether what it says is so.
    pub holds: bool,
    /// What it comes to here.
    pub text: String,
    /// Where it does not hold and elements are counted: how many there are too many; below zero, too few.
    pub off_by: Option<i32>,
}

/// Everything that is found of an army, faults first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ArmyRuling {
    /// All of it.
    pub findings: Vec<Finding>,
}

impl ArmyRuling {
    /// Whether nothing is wrong with it.
    pub fn legal(&self) -> bool {
        self.findings.iter().all(|f| f.holds)
    }

    /// What is wrong with it.
    pub fn faults(&self) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(|f| !f.holds)
    }

    /// All of it as reasons.
    pub fn reasons(&self) -> Vec<Reason> {
        let reason = |f: &Finding| match f.holds {
            true => Reason::holds(f.clause, f.text.clone()),
            false => Reason::fails(f.clause, f.text.clone()),
        };
        self.findings.iter().map(reason).collect()
    }

    pub(super) fn note(&mut self, clause: &'static str, text: impl Into<String>) {
        self.findings.push(Finding { clause, holds: true, text: text.into(), off_by: None });
    }

    pub(super) fn fault(&mut self, clause: &'static str, text: impl Into<String>) {
        self.findings.push(Finding { clause, holds: false, text: text.into(), off_by: None });
    }

    /// So many are there and so many are wanted: `text` says so.
    pub(super) fn count(&mut self, clause: &'static str, text: String, (found, wanted): (usize, usize)) {
        if found == wanted {
            self.note(clause, text);
        } else {
            self.off(clause, text, found as i32 - wanted as i32);
        }
    }

    /// So many too many, or, below zero, too few.
    pub(super) fn off(&mut self, clause: &'static str, text: String, off_by: i32) {
        let by = if off_by > 0 { format!("{off_by} too many") } else { format!("{} too few", -off_by) };
        let text = format!("{text}: {by}");
        self.findings.push(Finding { clause, holds: false, text, off_by: Some(off_by) });
    }

    pub(super) fn in_order(mut self) -> Self {
        self.findings.sort_by_key(|f| f.holds);
        self
    }
}
