//! Hills whose tags are followed: the ground that bases are measured on goes with them.

use crate::geometry::{Carry, Hill, Pose, Relief};
use crate::tracking::{TableSnapshot, Tag, TagBook, Visibility};
use std::collections::BTreeMap;

/// A hill that would move by less than this anywhere stays where it is taken to be, millimetres. A choice: below it the
/// hill's own rim is not known.
const LEAST_MM: f64 = 1.0;

/// The hills as they were given, and where their tags were when the ground was last laid.
#[derive(Debug)]
pub(super) struct Bearing {
    given: Relief,
    laid: BTreeMap<Tag, Pose>,
}

impl Bearing {
    /// The ground lies as the book has it.
    pub fn of(book: &TagBook) -> Self {
        Self {
            given: book.relief.clone(),
            laid: book.bearers.iter().map(|(tag, b)| (*tag, b.lies)).collect(),
        }
    }

    /// The ground as it lies now, where a tag at rest says that it lies otherwise than it was taken to.
    pub fn take(&mut self, book: &TagBook, snapshot: &TableSnapshot) -> Option<Relief> {
        let given = self.given.hills();
        let mut moved = false;
        for (tag, bearer) in &book.bearers {
            let Some(hill) = bearer.hill.and_then(|n| given.get(n)) else { continue };
            let track = snapshot.tracks.get(tag).filter(|t| t.at_rest && t.visibility == Visibility::Seen);
            let Some(seen) = track.and_then(|t| t.pose.as_ref()).map(|p| p.pose) else { continue };
            let was = self.laid.get(tag).copied().unwrap_or(bearer.lies);
            let (before, now) = (Carry::new(bearer.lies, was), Carry::new(bearer.lies, seen));
            if before.apart_mm(&now, hill.outline()) >= LEAST_MM {
                self.laid.insert(*tag, seen);
                moved = true;
            }
        }
        moved.then(|| {
            let carried = |(n, hill): (usize, &Hill)| {
                let bearer = book.bearers.iter().find(|(_, b)| b.hill == Some(n));
                let laid = bearer.and_then(|(tag, b)| Some((b.lies, *self.laid.get(tag)?)));
                laid.map_or_else(|| hill.clone(), |(lies, now)| Carry::new(lies, now).hill(hill))
            };
            Relief::new(given.iter().enumerate().map(carried).collect())
        })
    }
}
