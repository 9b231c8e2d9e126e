//! A battle worked out again from its journal: every look and act taken anew, and what is written down now compared
//! with what was written down then.

use super::{Comes, Kind, Play, Written};
use crate::session::engine::Engine;
use crate::session::journal::{Event, Record, TakeError, Timeline};
use std::collections::BTreeSet;

/// A battle that was worked out again.
#[derive(Debug)]
pub struct Replayed {
    /// As it stands at the end.
    pub play: Play,
    /// How many looks, acts and tables were taken.
    pub taken: usize,
    /// How many entries that were written down then were compared.
    pub compared: usize,
    /// Where what is written down now is not what was.
    pub differences: Vec<Difference>,
}

/// What was written down then and is not now, or the other way round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// What was written down, with its record's number.
    pub was: Option<(u64, Written)>,
    /// What comes of it now.
    pub now: Option<Written>,
}

/// Why a journal cannot be worked out again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record {n}: {why}")]
pub struct ReplayError {
    /// The record's number.
    n: u64,
    why: TakeError,
}

/// Works out again what counts of these records, for table, rosters and settings of `engine`.
///
/// # Errors
/// A look or a table that cannot be read.
pub fn replay(engine: Engine, records: &[Record]) -> Result<Replayed, ReplayError> {
    replay_telling(engine, records, |_, _| {})
}

/// The same, telling `before` each record that counts how the battle stands before it is taken.
///
/// # Errors
/// A look or a table that cannot be read.
pub fn replay_telling(
    engine: Engine,
    records: &[Record],
    mut before: impl FnMut(&Play, &Record),
) -> Result<Replayed, ReplayError> {
    let line: BTreeSet<u64> = Timeline::of(records).line().into_iter().collect();
    let mut play = Play { from: Comes::Journal, ..Play::new(engine) };
    let (mut taken, mut was, mut undone) = (0, Vec::new(), Vec::new());
    for record in records {
        if !line.contains(&record.n) {
            if let Event::Wrote(written) = &record.event {
                undone.push(written.clone());
            }
            continue;
        }
        before(&play, record);
        match &record.event {
            Event::Wrote(written) => was.push((record.n, written.clone())),
            Event::Look(_) | Event::Act(_) | Event::Table(_) | Event::Features(_) => {
                play.take(&record.event).map_err(|why| ReplayError { n: record.n, why })?;
                taken += 1;
                play.catch_up();
            }
            Event::Opened(_) | Event::Photograph(_) | Event::Back { .. } => {}
        }
    }
    play.from = Comes::Live;
    let compared = was.len();
    let differences = differences(was, play.written.clone(), undone);
    Ok(Replayed { play, taken, compared, differences })
}

impl Play {
    /// Does here and now what would be handed out.
    pub fn catch_up(&mut self) {
        while let Some(job) = self.watch_job() {
            self.take_watch(Ok(job()));
        }
    }
}

/// Moves are told when they have been worked out, which may be after something that was said meanwhile: so they are
/// compared among themselves, and all else among itself, each in its order. What was said meanwhile may have been undone
/// together with such a late telling: a move that comes out now and was told among what was undone is no difference.
fn differences(was: Vec<(u64, Written)>, now: Vec<Written>, undone: Vec<Written>) -> Vec<Difference> {
    let is_move = |written: &Written| written.kind == Kind::Move;
    let is_bound = |written: &Written| written.kind == Kind::Bound;
    let (was_moves, was_else): (Vec<_>, Vec<_>) = was.into_iter().partition(|(_, w)| is_move(w));
    let (moves, other): (Vec<_>, Vec<_>) = now.into_iter().partition(is_move);
    let mut found = apart(was_moves, moves, undone.clone());
    // A bound that begins by its side's first move is told late as well, and another by a word at once: in any order.
    let (was_bounds, was_else): (Vec<_>, Vec<_>) = was_else.into_iter().partition(|(_, w)| is_bound(w));
    let (bounds, other): (Vec<_>, Vec<_>) = other.into_iter().partition(is_bound);
    let (mut was_bounds, mut bounds) = unlike(was_bounds, bounds);
    was_bounds.sort_by(|a, b| a.1.words.cmp(&b.1.words));
    bounds.sort_by(|a, b| a.words.cmp(&b.words));
    found.extend(apart(was_bounds, bounds, undone));
    found.extend(apart(was_else, other, Vec::new()));
    found.sort_by_key(|d| d.was.as_ref().map_or(u64::MAX, |(n, _)| *n));
    found
}

/// What is left of two lists of bounds, in any order, without those that are alike. One that was said to begin while the move
/// that tells whose it is was still being worked out was written down without its side.
fn unlike(mut was: Vec<(u64, Written)>, mut now: Vec<Written>) -> (Vec<(u64, Written)>, Vec<Written>) {
    let sideless = |then: &Written, written: &Written| {
        then.names_no_side() && written.begins_bound() && then.under == written.under
    };
    let mut take = |now: &mut Vec<Written>, alike: fn(&Written, &Written) -> bool| {
        now.retain(|written| {
            let at = was.iter().position(|(_, then)| alike(then, written));
            at.map(|at| was.remove(at)).is_none()
        });
    };
    take(&mut now, |then, written| then == written);
    take(&mut now, sideless);
    (was, now)
}

/// The differences of two lists in order; entries of `late` may come out now without having been.
fn apart(was: Vec<(u64, Written)>, now: Vec<Written>, mut late: Vec<Written>) -> Vec<Difference> {
    let mut found = Vec::new();
    let mut was = was.into_iter().peekable();
    for written in now {
        if was.peek().is_some_and(|(_, then)| *then == written) {
            was.next();
        } else if let Some(at) = late.iter().position(|told| *told == written) {
            late.remove(at);
        } else {
            found.push(Difference { was: was.next(), now: Some(written) });
        }
    }
    found.extend(was.map(|left| Difference { was: Some(left), now: None }));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moved(words: &str) -> Written {
        Written { kind: Kind::Move, words: words.to_owned(), under: "printed".to_owned() }
    }

    #[test]
    fn a_move_that_was_told_late_and_undone_with_what_was_said_meanwhile_is_no_difference() {
        let was = |words: &[&str]| words.iter().zip(1..).map(|(w, n)| (n, moved(w))).collect::<Vec<_>>();
        let now = |words: &[&str]| words.iter().map(|w| moved(w)).collect::<Vec<_>>();
        assert_eq!(differences(was(&["A", "C"]), now(&["A", "B", "C"]), now(&["B"])), []);
        let of = |words: Option<&str>, n| words.map(|w| (n, moved(w)));
        let told = differences(was(&["A", "C"]), now(&["A", "B", "C"]), now(&["D"]));
        assert_eq!(
            told.first().map(|d| (d.was.clone(), d.now.clone())),
            Some((of(Some("C"), 2), Some(moved("B"))))
        );
        let missing = differences(was(&["A", "C"]), now(&["A"]), Vec::new());
        assert_eq!(missing, [Difference { was: of(Some("C"), 2), now: None }]);
    }

    #[test]
    fn a_bound_whose_side_was_not_known_yet_when_it_was_written_down_is_no_difference() {
        let bound = |words: &str| Written { kind: Kind::Bound, words: words.to_owned(), ..moved("") };
        let told = |was: &[&str], now: &[&str]| {
            let was = was.iter().zip(1..).map(|(words, n)| (n, bound(words))).collect();
            differences(was, now.iter().map(|words| bound(words)).collect(), Vec::new())
        };
        let (red, blue, next) = ("red bound begins", "blue bound begins", "the next bound begins");
        assert_eq!(told(&[red, next, red], &[red, blue, red]), []);
        assert_eq!(told(&[next], &[next]), []);
        // A side that was known is another one, and a bound that did not begin is missing.
        assert_eq!(told(&[red], &[blue]).len(), 1);
        assert_eq!(told(&[next, red], &[red]).len(), 1);
        assert_eq!(told(&[next], &["red has won"]).len(), 1);
    }
}
