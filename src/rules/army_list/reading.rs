//! The ways of making all the choices that a list leaves: one option of each entry, one form of each item.

use super::entry::{Entry, Form, Item};
use std::collections::BTreeSet;

/// The most readings of a list that are told apart.
pub(super) const MOST: usize = 4096;

/// One way of choosing: the items that count, each with its form and the number of its entry.
pub(super) type Reading<'a> = Vec<Chosen<'a>>;

/// An item of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Chosen<'a> {
    pub item: &'a Item,
    pub form: &'a Form,
}

/// How many readings there are.
pub(super) fn count<'a>(entries: impl Iterator<Item = &'a Entry>) -> usize {
    let option = |items: &Vec<Item>| items.iter().fold(1_usize, |n, item| n.saturating_mul(item.forms.len()));
    entries.fold(1_usize, |n, entry| n.saturating_mul(entry.options.iter().map(option).sum::<usize>().max(1)))
}

/// Every reading, at most [`MOST`].
pub(super) fn readings(entries: &[Entry]) -> Vec<Reading<'_>> {
    entries.iter().fold(vec![Vec::new()], |all, entry| {
        let ways: Vec<Reading<'_>> = entry.options.iter().flat_map(|option| ways(option)).collect();
        let each =
            all.iter().flat_map(|reading| ways.iter().map(move |way| [reading.as_slice(), way].concat()));
        each.take(MOST).collect()
    })
}

/// The ways of choosing the forms of an option's items.
fn ways(option: &[Item]) -> Vec<Reading<'_>> {
    option.iter().fold(vec![Vec::new()], |all, item| {
        let each = all.iter().flat_map(|way| {
            item.forms.iter().map(move |form| [way.as_slice(), &[Chosen { item, form }]].concat())
        });
        each.take(MOST).collect()
    })
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
        let all = readings(&entries);
        let codes = |reading: &Reading<'_>| reading.iter().map(|c| c.form.code.clone()).collect::<Vec<_>>();
        let different: BTreeSet<Vec<String>> = all.iter().map(codes).collect();
        assert_eq!((all.len(), different.len()), (6, 6));
        assert!(different.contains(["LCm", "3Wb", "Ps"].map(str::to_owned).as_slice()));
        // 0 to 4, 0 to 3 and 1 or 2 together.
        assert_eq!(totals(&entries), (1..=9).collect());
    }
}
