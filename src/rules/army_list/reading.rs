//! The ways of making all the choices that a list leaves: one option of each entry, one form of each item.

use super::entry::{Entry, Item};
use std::collections::BTreeSet;

/// The most readings of a list that are told apart.
pub(super) const MOST: usize = 4096;

/// How many readings there are.
pub(super) fn count<'a>(entries: impl Iterator<Item = &'a Entry>) -> usize {
    let option = |items: &Vec<Item>| items.iter().fold(1_usize, |n, item| n.saturating_mul(item.forms.len()));
    entries.fold(1_usize, |n, entry| n.saturating_mul(entry.options.iter().map(option).sum::<usize>().max(1)))
}

/// How many elements the entries together can come to.
pub(super) fn totals(entries: &[Entry]) -> BTreeSet<usize> {
    entries.iter().fold(BTreeSet::from([0]), |sums, entry| {
        let option = |items: &Vec<Item>| {
            let least: usize = items.iter().map(|i| usize::from(i.numbers.least())).sum();
            let most: usize = items.iter().map(|i| usize::from(i.numbers.most)).sum();
            least..=most
        };
        let numbers: BTreeSet<usize> = entry.options.iter().flat_map(option).collect();
        sums.iter().flat_map(|sum| numbers.iter().map(move |n| sum + n)).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    #[test]
    fn readings_are_options_times_forms() {
        let rules = Ruleset::dba3();
        let entries: Vec<Entry> = ["2x3Kn Lords or 4xLH/LCm Scouts", "3x4Wb/3Wb Men", "1-2xPs Boys"]
            .map(|text| Entry::read(text, &rules).expect("an entry"))
            .into();
        // Lords, or Scouts as one of two: three; Men as one of two; Boys: one.
        assert_eq!(count(entries.iter()), 6);
        // 0 to 4, 0 to 3 and 1 or 2 together.
        assert_eq!(totals(&entries), (1..=9).collect());
    }
}
