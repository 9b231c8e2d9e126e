//! How many cases each clause has on each side of its limit.

use super::{CaseFile, FILES, Verdict};
use crate::rules::clauses::Catalogue;
use crate::rules::ruleset::list;
use std::collections::BTreeMap;

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
        let all = file.cases.iter().flat_map(super::Case::variants);
        for case in all.filter(|case| case.run_one().is_ok()) {
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
