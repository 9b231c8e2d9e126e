//! Elements laid out over a list's entries: the reading of the list that they fit best, and where they do not.

use super::entry::Entry;
use super::reading::{Chosen, Reading, readings};
use std::collections::BTreeMap;

/// How many elements of each code; the general's is not among them.
pub(super) type Counts = BTreeMap<String, usize>;

/// What of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Share {
    /// A whole army, of which so many elements gave way to allies (clause army-lists.ally.11).
    Whole { exchanged: usize },
    /// Some elements of it: those of a contingent, or of an army that is not chosen to its end.
    Part,
}

/// Elements of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Allotted<'a> {
    pub of: Chosen<'a>,
    pub count: usize,
}

/// Counts over a list's entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Fit<'a> {
    /// Every item of the reading, with the elements that are of it.
    pub allotted: Vec<Allotted<'a>>,
    /// Codes of which there are more than the reading has room for: how many more.
    pub over: BTreeMap<String, usize>,
    /// By how many elements items stay below their least, all together.
    pub short: usize,
    /// How many more elements the reading has room for.
    pub room: usize,
}

impl Fit<'_> {
    /// How many elements are wrong, for that share of the list.
    pub fn wrong(&self, share: Share) -> usize {
        let over: usize = self.over.values().sum();
        match share {
            Share::Part => over,
            Share::Whole { exchanged } => {
                over + self.short.saturating_sub(exchanged) + exchanged.saturating_sub(self.room)
            }
        }
    }
}

/// The fit with the fewest elements wrong; of several the first in the list's order.
pub(super) fn best<'a>(entries: &'a [Entry], counts: &Counts, share: Share) -> Fit<'a> {
    readings(entries)
        .iter()
        .map(|reading| laid(reading, counts))
        .min_by_key(|fit| (fit.wrong(share), fit.short))
        .expect("no entries at all have one reading, the empty one")
}

/// The counts laid over one reading: each item gets its least first, then what is left in the list's order.
pub(super) fn laid<'a>(reading: &Reading<'a>, counts: &Counts) -> Fit<'a> {
    let mut left = counts.clone();
    let mut take = |of: &Chosen<'_>, most: usize| {
        let free = left.get_mut(&of.form.code);
        free.map_or(0, |free| {
            let taken = most.min(*free);
            *free -= taken;
            taken
        })
    };
    let mut allotted: Vec<Allotted<'a>> = reading
        .iter()
        .map(|of| Allotted { of: *of, count: take(of, usize::from(of.item.numbers.least())) })
        .collect();
    for one in &mut allotted {
        one.count += take(&one.of, usize::from(one.of.item.numbers.most) - one.count);
    }
    let short = |a: &Allotted<'_>| usize::from(a.of.item.numbers.least()).saturating_sub(a.count);
    let room = |a: &Allotted<'_>| usize::from(a.of.item.numbers.most) - a.count;
    Fit {
        short: allotted.iter().map(short).sum(),
        room: allotted.iter().map(room).sum(),
        over: left.into_iter().filter(|(_, n)| *n > 0).collect(),
        allotted,
    }
}

/// The armies of so many elements, their general left out, that hold these: the counts of each, none twice, and at most
/// `most` of them.
pub(super) fn completions(entries: &[Entry], held: &Counts, wanted: usize, most: usize) -> Vec<Counts> {
    let mut found: Vec<Counts> = Vec::new();
    let have: usize = held.values().sum();
    for reading in &readings(entries) {
        let fit = laid(reading, held);
        if !fit.over.is_empty() || have > wanted {
            continue;
        }
        let mut start = held.clone();
        let mut rest = Vec::new();
        let mut have = have;
        for one in &fit.allotted {
            let least = usize::from(one.of.item.numbers.least()).saturating_sub(one.count);
            have += least;
            if least > 0 {
                *start.entry(one.of.form.code.clone()).or_insert(0) += least;
            }
            let room = usize::from(one.of.item.numbers.most) - one.count - least;
            rest.push((one.of.form.code.as_str(), room));
        }
        if have <= wanted {
            fill(&start, &rest, wanted - have, most, &mut found);
        }
    }
    found
}

/// Fills up with so many more elements in every way, until there are `most`.
fn fill(start: &Counts, rest: &[(&str, usize)], more: usize, most: usize, found: &mut Vec<Counts>) {
    let room: usize = rest.iter().map(|(_, room)| room).sum();
    if found.len() >= most || room < more {
        return;
    }
    if more == 0 {
        if !found.contains(start) {
            found.push(start.clone());
        }
        return;
    }
    let Some(((code, room), after)) = rest.split_first() else { return };
    for n in (0..=more.min(*room)).rev() {
        let mut next = start.clone();
        if n > 0 {
            *next.entry((*code).to_owned()).or_insert(0) += n;
        }
        fill(&next, after, more - n, most, found);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Ruleset;

    fn entries(texts: &[&str]) -> Vec<Entry> {
        let rules = Ruleset::dba3();
        texts.iter().map(|text| Entry::read(text, &rules).expect("an entry")).collect()
    }

    fn counts(of: &[(&str, usize)]) -> Counts {
        of.iter().map(|(code, n)| ((*code).to_owned(), *n)).collect()
    }

    #[test]
    fn the_option_that_is_meant_is_found_and_what_is_over_is_counted() {
        let list = entries(&["2x3Kn Lords or 4xLH Scouts", "6x4Sp Farmers"]);
        let whole = Share::Whole { exchanged: 0 };
        let fit = best(&list, &counts(&[("LH", 4), ("4Sp", 6)]), whole);
        assert_eq!((fit.wrong(whole), fit.room), (0, 0));
        let fit = best(&list, &counts(&[("LH", 3), ("3Kn", 1), ("4Sp", 7)]), whole);
        assert_eq!(fit.over, counts(&[("3Kn", 1), ("4Sp", 1)]));
    }

    #[test]
    fn a_code_of_two_entries_fills_both_the_least_first() {
        let list = entries(&["3x4Sp Farmers", "2-3x4Sp Townsmen"]);
        let fit = best(&list, &counts(&[("4Sp", 4)]), Share::Part);
        assert_eq!(fit.allotted.iter().map(|a| a.count).collect::<Vec<_>>(), [2, 2]);
        assert_eq!(fit.short, 0);
        let whole = Share::Whole { exchanged: 0 };
        assert_eq!(best(&list, &counts(&[("4Sp", 1)]), whole).wrong(whole), 1);
    }

    #[test]
    fn completions_are_all_of_them_and_none_twice() {
        let list = entries(&["2x3Kn Lords or 4xLH Scouts", "6x4Sp Farmers", "3x4Wb/3Wb Men"]);
        // With Lords all 2, 6 and 3, the Men of two sorts: 2 armies. With 4, 3 or 2 Scouts 7, 8 or 9 of Farmers and Men: 3, 2
        // and 1 ways to part them, each with two sorts of Men: 12.
        assert_eq!(completions(&list, &Counts::new(), 11, 99).len(), 2 + 12);
        let one = completions(&list, &counts(&[("3Kn", 2), ("3Wb", 1)]), 11, 99);
        assert_eq!(one, [counts(&[("3Kn", 2), ("4Sp", 6), ("3Wb", 3)])]);
        assert!(completions(&list, &counts(&[("El", 1)]), 11, 99).is_empty());
    }
}
