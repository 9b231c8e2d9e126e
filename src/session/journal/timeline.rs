//! What counts of a journal's records: undoing takes none away, it goes back to where one stood, and what comes then
//! goes on from there. So records form a tree, and the present is one line through it.

use super::{Event, Record};
use std::collections::BTreeMap;

/// The tree of records. A record stands on the one whose state it went on from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Timeline {
    /// Which record each one stands on; none for the first.
    on: BTreeMap<u64, Option<u64>>,
    /// Records that somebody may want to undo.
    acts: Vec<u64>,
    /// Records at which terrain was drawn anew: its file stays as it is, so that nothing before is undone.
    tables: Vec<u64>,
    now: Option<u64>,
}

impl Timeline {
    /// Of all records so far.
    pub fn of(records: &[Record]) -> Self {
        let mut line = Self::default();
        for record in records {
            line.take(record);
        }
        line
    }

    /// Another record has been written.
    pub fn take(&mut self, record: &Record) {
        match &record.event {
            Event::Back { to } => {
                if self.on.contains_key(to) {
                    self.now = Some(*to);
                }
            }
            event => {
                self.on.insert(record.n, self.now);
                if matches!(event, Event::Act(act) if act.can_be_undone()) {
                    self.acts.push(record.n);
                }
                if matches!(event, Event::Table(_)) {
                    self.tables.push(record.n);
                }
                self.now = Some(record.n);
            }
        }
    }

    /// Where the battle stands; none before the first record.
    pub fn now(&self) -> Option<u64> {
        self.now
    }

    /// The numbers of the records that count, the first one first.
    pub fn line(&self) -> Vec<u64> {
        let mut line: Vec<u64> = self.up_from(self.now).collect();
        line.reverse();
        line
    }

    /// Where to go back to, to undo the last act that counts; none where there is none.
    pub fn undo(&self) -> Option<u64> {
        let mut since = self.up_from(self.now).take_while(|n| self.tables.binary_search(n).is_err());
        let last = since.find(|n| self.acts.binary_search(n).is_ok())?;
        self.on.get(&last).copied().flatten()
    }

    /// Where to go, to do again what was undone last: the newest record beyond the present whose act went on from
    /// here, with what was written because of it.
    pub fn redo(&self) -> Option<u64> {
        let now = self.now?;
        // The newest line that leads through here, and on it the end of the first act beyond.
        let tip =
            self.on.keys().rev().copied().find(|n| *n > now && self.up_from(Some(*n)).any(|up| up == now))?;
        let beyond: Vec<u64> = self.up_from(Some(tip)).take_while(|n| *n != now).collect();
        let mut acts = beyond.iter().rev().filter(|n| self.acts.binary_search(n).is_ok());
        acts.next()?;
        match acts.next() {
            // Up to before the second act.
            Some(second) => self.on.get(second).copied().flatten(),
            None => Some(tip),
        }
    }

    /// A record and those that it stands on, down to the first.
    fn up_from(&self, from: Option<u64>) -> impl Iterator<Item = u64> + '_ {
        std::iter::successors(from, |n| self.on.get(n).copied().flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::journal::Kept;
    use crate::session::play::Act;

    /// Records of which `a` is an act, `w` something else, `t` a table, and a number goes back there.
    fn timeline(text: &str) -> Timeline {
        let record = |(n, word): (usize, &str)| Record {
            n: n as u64 + 1,
            at_ms: 0,
            event: match word {
                "a" => Event::Act(Act::Note("a".to_owned())),
                "w" => Event::Act(Act::Mark),
                "t" => Event::Table(Kept { name: String::new(), text: String::new() }),
                back => Event::Back { to: back.parse().expect("a number") },
            },
        };
        let records: Vec<Record> = text.split(' ').enumerate().map(record).collect();
        Timeline::of(&records)
    }

    #[test]
    fn what_was_undone_does_not_count_and_can_be_done_again() {
        assert_eq!(timeline("w a a").line(), [1, 2, 3]);
        assert_eq!((timeline("w a a").undo(), timeline("w a a").redo()), (Some(2), None));
        // Undone once: back to after the first act.
        let once = timeline("w a a 2");
        assert_eq!((once.line(), once.undo(), once.redo()), (vec![1, 2], Some(1), Some(3)));
        let twice = timeline("w a a 2 1");
        assert_eq!((twice.line(), twice.undo(), twice.redo()), (vec![1], None, Some(2)));
        let again = timeline("w a a 2 1 2 3");
        assert_eq!((again.line(), again.redo()), (vec![1, 2, 3], None));
    }

    #[test]
    fn nothing_from_before_terrain_was_drawn_anew_is_undone_or_done_again() {
        assert_eq!((timeline("w a t").undo(), timeline("w a t").redo()), (None, None));
        assert_eq!(timeline("w a t w a").undo(), Some(4));
        // Undone, and then the terrain: what was undone went on from another table.
        let undone = timeline("w a 1 t");
        assert_eq!((undone.line(), undone.undo(), undone.redo()), (vec![1, 4], None, None));
        let after = timeline("w a t a 3");
        assert_eq!((after.undo(), after.redo()), (None, Some(4)));
    }

    #[test]
    fn what_is_done_after_an_undo_goes_on_from_there_and_the_other_line_is_kept() {
        let other = timeline("w a a 2 a a");
        assert_eq!((other.line(), other.undo(), other.redo()), (vec![1, 2, 5, 6], Some(5), None));
        // Back to where the lines part, the newer one is done again.
        let parted = timeline("w a a 2 a a 5 2");
        assert_eq!((parted.line(), parted.redo()), (vec![1, 2], Some(5)));
        // The first line can still be named.
        assert_eq!(timeline("w a a 2 a a 3").line(), [1, 2, 3]);
    }

    #[test]
    fn a_way_back_to_nowhere_changes_nothing() {
        assert_eq!(timeline("w a 9").line(), [1, 2]);
    }
}
