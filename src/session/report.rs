//! A battle as a story: chapter by chapter, a bound each, with where everything stood, what was written down, and how
//! likely each outcome was. From the journal's records alone.

use super::engine::Engine;
use super::journal::{Event, Photograph, Record};
use super::play::{Act, Kind, Play, ReplayError, Written, replay_telling};
use super::view::StandView;
use crate::rules::{Setup, Side};

/// A battle from its beginning to where it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Story {
    /// Its chapters, the first one from before the first bound was begun by anybody.
    pub chapters: Vec<Chapter>,
    /// Losses and who has won.
    pub stand: Option<StandView>,
    /// When it began and ended, milliseconds since 1970.
    pub from_to_ms: (u64, u64),
    /// How many entries were written down otherwise than they come out now. What comes out now is told.
    pub differ: usize,
}

/// A bound.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chapter {
    /// Whose it is, where that was known when it ended.
    pub side: Option<Side>,
    /// The PIPs of its die, where they were told.
    pub pips: Option<u8>,
    /// Where everything stood when it began, and when it ended; none where nothing had been seen.
    pub stood: Option<Setup>,
    /// See `stood`.
    pub stands: Option<Setup>,
    /// What was written down in it, in order.
    pub entries: Vec<Entry>,
    /// Pictures that were taken in it, in order.
    pub photographs: Vec<Taken>,
}

/// A picture that was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// When, milliseconds since 1970.
    pub at_ms: u64,
    /// After so many of its bound's entries.
    pub after: usize,
    /// Which.
    pub photograph: Photograph,
}

/// Something that was written down.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// When, milliseconds since 1970.
    pub at_ms: u64,
    /// What.
    pub written: Written,
    /// Of an outcome: in how many of the 36 throws that would have come, where it can be told.
    pub of_36: Option<u32>,
}

/// So many turning points are told.
const TURNS: usize = 3;
/// An outcome that comes more often is no turning point, throws of 36.
const SELDOM: u32 = 12;

impl Story {
    /// Of a journal's records, for table, rosters and settings of `engine`.
    ///
    /// # Errors
    /// A look that cannot be read.
    pub fn of(engine: Engine, records: &[Record]) -> Result<Self, ReplayError> {
        let mut writer = Writer::default();
        let replayed = replay_telling(engine, records, |play, record| writer.before(play, record))?;
        writer.tell(&replayed.play);
        if !writer.now.entries.is_empty() || writer.now.stood.is_some() {
            writer.close(Prior::of(&replayed.play));
        }
        let first = records.first().map_or(0, |record| record.at_ms);
        let last = records.last().map_or(first, |record| record.at_ms);
        let stand = replayed.play.losses().view().cloned();
        let differ = replayed.differences.len();
        Ok(Self { chapters: writer.chapters, stand, from_to_ms: (first, last), differ })
    }

    /// The least likely outcomes that cost somebody an element, the least likely first: each with its chapter.
    pub fn turning_points(&self) -> Vec<(usize, &Entry)> {
        let entries =
            self.chapters.iter().enumerate().flat_map(|(n, c)| c.entries.iter().map(move |entry| (n, entry)));
        let cost = |entry: &Entry| {
            entry.of_36.is_some_and(|n| n <= SELDOM)
                && ["destroyed", "flees"].iter().any(|fate| entry.written.words.contains(fate))
        };
        let mut turns: Vec<_> = entries.filter(|(_, entry)| cost(entry)).collect();
        turns.sort_by_key(|(_, entry)| entry.of_36);
        turns.truncate(TURNS);
        turns
    }
}

/// Chapters as they are written.
#[derive(Default)]
struct Writer {
    chapters: Vec<Chapter>,
    now: Chapter,
    /// So many entries of the battle are in chapters.
    told: usize,
    /// When the record before was written.
    at_ms: u64,
    /// The battle before that record: a look that shows the next bound's first move begins that bound too.
    prior: Option<Prior>,
    /// How likely the outcome of the record before is.
    of_36: Option<u32>,
}

/// What was known before a record.
struct Prior {
    side: Option<Side>,
    pips: Option<u8>,
    stands: Option<Setup>,
}

impl Prior {
    fn of(play: &Play) -> Self {
        let (moves, measured) = (play.moves(), play.measured());
        Self {
            side: moves.side(),
            pips: moves.known().pips,
            stands: measured.map(|measured| measured.setup.clone()),
        }
    }
}

impl Writer {
    /// A record is about to be taken.
    fn before(&mut self, play: &Play, record: &Record) {
        self.tell(play);
        if self.now.stood.is_none() {
            self.now.stood = play.measured().map(|m| m.setup.clone());
        }
        self.at_ms = record.at_ms;
        self.prior = Some(Prior::of(play));
        if let Event::Photograph(photograph) = &record.event {
            let (at_ms, after) = (record.at_ms, self.now.entries.len());
            self.now.photographs.push(Taken { at_ms, after, photograph: photograph.clone() });
        }
        if let Event::Act(Act::Fought { kind, a, b, dice, .. }) = &record.event {
            self.of_36 = play.chance_of(*kind, a, b, *dice);
        }
    }

    /// What was written down because of the record before. A move that was still open when its bound ended is over
    /// by that, and belongs to that bound; of several bounds that began in one look only the first one's end is known.
    fn tell(&mut self, play: &Play) {
        let new = &play.written()[self.told..];
        let mut ended = false;
        for written in new {
            let of_36 = if written.kind == Kind::Outcome { self.of_36.take() } else { None };
            let entry = Entry { at_ms: self.at_ms, written: written.clone(), of_36 };
            if written.begins_bound() {
                let prior = self.prior.take().unwrap_or_else(|| Prior::of(play));
                let stands = prior.stands.clone();
                self.close(prior);
                self.prior = Some(Prior { side: play.moves().side().map(Side::enemy), pips: None, stands });
                ended = true;
            }
            match self.chapters.last_mut() {
                Some(before) if ended && written.kind == Kind::Move => before.entries.push(entry),
                _ => self.now.entries.push(entry),
            }
        }
        (self.told, self.of_36) = (play.written().len(), None);
    }

    /// The bound is over; the next begins where it ended.
    fn close(&mut self, prior: Prior) {
        let next = Chapter { stood: prior.stands.clone(), ..Chapter::default() };
        let mut chapter = std::mem::replace(&mut self.now, next);
        (chapter.side, chapter.pips, chapter.stands) = (prior.side, prior.pips, prior.stands);
        self.chapters.push(chapter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(words: &str, of_36: Option<u32>) -> Entry {
        let written = Written { kind: Kind::Outcome, words: words.to_owned(), under: "printed".to_owned() };
        Entry { at_ms: 0, written, of_36 }
    }

    #[test]
    fn turning_points_are_the_least_likely_outcomes_that_cost_an_element() {
        let entries = vec![
            entry("A against B: B: recoils", Some(1)),
            entry("A against B: B: destroyed", Some(5)),
            entry("C against B: C: destroyed", Some(30)),
            entry("D against E: E: flees", Some(2)),
            entry("D shoots at E: E: destroyed", None),
        ];
        let chapters = vec![Chapter::default(), Chapter { entries, ..Chapter::default() }];
        let story = Story { chapters, stand: None, from_to_ms: (0, 0), differ: 0 };
        let told: Vec<(usize, Option<u32>)> =
            story.turning_points().iter().map(|(n, e)| (*n, e.of_36)).collect();
        assert_eq!(told, [(1, Some(2)), (1, Some(5))]);
    }
}
