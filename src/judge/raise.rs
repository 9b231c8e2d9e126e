//! A roster raised from an army: its elements, a block of tag ids that is its own, and the text of its file. What the
//! command line and the window share. Lengths are millimetres.

use super::muster::{IdsError, Making, block_start, blocks, free_block, roster_text, tags_from, tags_needed};
use super::{RosterElement, Table};
use crate::rules::army_list::{Army, ArmyRuling, Mustered, Shelf, muster};
use crate::rules::{Ruleset, Side};
use crate::tracking::{Tag, TagFamily};
use crate::units::Scale;
use std::collections::BTreeSet;

/// Where an army's ids begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Begin {
    /// At the first block that nobody else has; block 1 stays free for red.
    #[default]
    Free,
    /// At this block.
    Block(u32),
    /// At this id.
    Id(u32),
}

/// How a roster is raised.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Raising {
    /// Whose it is.
    pub side: Side,
    /// The base width.
    pub scale: Scale,
    /// The tags' family.
    pub family: TagFamily,
    /// Side of the tags' squares.
    pub size_mm: f64,
    /// Height of the tags' faces above their bases.
    pub height_mm: f64,
    /// Where its ids begin.
    pub begin: Begin,
}

/// Tags and names that are not to be used again.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Others {
    /// Tags of the table and of other rosters.
    pub tags: BTreeSet<Tag>,
    /// Names of other rosters' elements.
    pub names: BTreeSet<String>,
}

impl Others {
    /// The table's tags are taken.
    pub fn table(&mut self, table: &Table) {
        self.tags.extend(table.reference.iter().map(|r| r.tag));
    }

    /// Another roster's tags and names are taken.
    pub fn roster(&mut self, elements: &[RosterElement]) {
        self.tags.extend(elements.iter().flat_map(|e| &e.tags).map(|t| t.tag));
        self.names.extend(elements.iter().map(|e| e.name.clone()));
    }
}

/// A roster that was raised.
#[derive(Debug, Clone, PartialEq)]
pub struct Raised {
    /// Its file.
    pub text: String,
    /// Its elements.
    pub elements: Vec<Mustered>,
    /// Its tags.
    pub tags: Vec<Tag>,
}

/// Why no roster is raised.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RaiseError {
    /// The army is not legal.
    #[error("the army is not legal, and no roster was written")]
    NotLegal(ArmyRuling),
    /// There are no ids for it.
    #[error(transparent)]
    Ids(#[from] IdsError),
}

/// Raises a roster from a legal army.
///
/// # Errors
/// Everything that is wrong with the army; ids that there are not.
pub fn raise(
    army: &Army,
    shelf: &Shelf,
    rules: &Ruleset,
    raising: &Raising,
    others: &Others,
) -> Result<Raised, RaiseError> {
    let elements = muster(army, shelf, rules).map_err(RaiseError::NotLegal)?;
    let first = first_id(raising, &others.tags)?;
    let tags = tags_from(raising.family, first, tags_needed(&elements), &others.tags)?;
    let making = Making {
        side: raising.side,
        scale: raising.scale,
        size_mm: raising.size_mm,
        height_mm: raising.height_mm,
        taken_names: others.names.clone(),
    };
    let text = roster_text(army, &elements, &tags, &making, rules);
    Ok(Raised { text, elements, tags })
}

fn first_id(raising: &Raising, used: &BTreeSet<Tag>) -> Result<u32, IdsError> {
    let family = raising.family;
    let number = match raising.begin {
        Begin::Id(first) => return Ok(first),
        Begin::Block(number) => number,
        Begin::Free => {
            let mut used = used.clone();
            // Red's usual block stays free for red, where blue's roster is made first.
            if raising.side == Side::Blue && blocks(family) > 1 {
                used.insert(Tag::new(family, block_start(family, 1)?));
            }
            free_block(family, &used)?
        }
    };
    block_start(family, number)
}
