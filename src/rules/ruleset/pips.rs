//! What tactical moves cost, and how far command reaches.

use super::{DataFile, Which};

/// A ruleset's costs. PIPs are whole numbers, distances base widths.
#[derive(Debug, Clone, PartialEq)]
pub struct Pips {
    /// A move that is not free.
    pub ordinary: u8,
    /// More for awkward troops.
    pub awkward_extra: u8,
    /// Which troops are awkward.
    pub awkward: Which,
    /// Which of them are not where the move ends in contact.
    pub spared_on_contact: Which,
    /// More where the general does not reach.
    pub command_extra: u8,
    /// How far he reaches.
    pub command_bw: f64,
    /// How far he reaches troops that are hidden.
    pub hidden_bw: f64,
    /// Troops that he reaches further, hidden or not.
    pub far: Which,
    /// How far he reaches those.
    pub far_bw: f64,
}

impl Pips {
    /// Reads them off a file, or `None` where a field is missing or wrong, which is noted in the file.
    pub(super) fn read(file: &mut DataFile<'_>) -> Option<Self> {
        let (ordinary, awkward_extra, command_extra) =
            (file.one("ordinary"), file.one("awkward_extra"), file.one("command_extra"));
        let (awkward, spared, far) = (file.one("awkward"), file.one("spared_on_contact"), file.one("far"));
        let (command_bw, hidden_bw, far_bw) =
            (file.one("command_bw"), file.one("hidden_bw"), file.one("far_bw"));
        let found = Self {
            ordinary: ordinary?,
            awkward_extra: awkward_extra?,
            awkward: awkward?,
            spared_on_contact: spared?,
            command_extra: command_extra?,
            command_bw: command_bw?,
            hidden_bw: hidden_bw?,
            far: far?,
            far_bw: far_bw?,
        };
        for (name, bw) in
            [("command_bw", found.command_bw), ("hidden_bw", found.hidden_bw), ("far_bw", found.far_bw)]
        {
            if !(bw.is_finite() && bw > 0.0) {
                file.note(
                    file.place(name),
                    format!("`{name}` is {bw}; expected a distance of more than zero"),
                );
            }
        }
        Some(found)
    }
}
