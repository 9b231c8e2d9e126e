//! The print kit: everything that a table and its armies need on paper, from one table file and its rosters.
//!
//! Tags in the form of their carriers, strips for the board's edges, setting gauges, the jig, the check sheet, a
//! calibration board, and quick-reference cards. Millimetres. Invariant: every page has the ruler, and what is derived
//! from a page is corrected by what the ruler measures ([`corrected_table`], [`corrected_roster`]).

mod cards;
mod families;
mod gauges;
mod layout;
mod outcome_card;
mod pieces;
mod sizes;
mod strips;

pub use cards::card_sheets;
pub use families::{IdNeed, TooFewIds, free_ids, kept_tags};
pub use pieces::{Carrier, LEAST_EDGE_MM, Label, face_mm, size_for_face};
pub use sizes::{Corrected, SizesError, corrected_roster, corrected_table, printed_scale};
pub use strips::has_strip;

use super::{Paper, Sheet, TooLarge, board_sheet, check_sheet, jig_sheet, tile_sheet};
use crate::judge::{MountedTag, Roster, RosterElement, Table};
use crate::rules::{AskError, Settings, Side};
use crate::vision::calibration::Board;
use crate::vision::sim::Ink;
use layout::{Heading, Section, pages};

/// A tag higher than this above its base is carried over the figures, millimetres.
const RAISED_MM: f64 = 3.0;

/// A part of the kit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// The tags of the bases.
    Tags,
    /// The reference tags, for the board's edges.
    Strips,
    /// Where carriers go on their bases.
    Gauges,
    /// The jig.
    Jig,
    /// The umpire's tiles.
    Tiles,
    /// The check sheet.
    Check,
    /// A calibration board.
    Board,
    /// Quick-reference cards.
    Cards,
}

impl Part {
    /// All of them, in the order in which they are printed.
    pub const ALL: [Self; 8] = [
        Self::Strips,
        Self::Tags,
        Self::Gauges,
        Self::Jig,
        Self::Tiles,
        Self::Check,
        Self::Board,
        Self::Cards,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tags => "tags",
            Self::Strips => "strips",
            Self::Gauges => "gauges",
            Self::Jig => "jig",
            Self::Tiles => "tiles",
            Self::Check => "check",
            Self::Board => "board",
            Self::Cards => "cards",
        }
    }

    /// The part of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|p| p.name() == name)
    }
}

/// What a kit is printed like.
#[derive(Debug, Clone, PartialEq)]
pub struct KitStyle {
    /// On which paper.
    pub paper: Paper,
    /// The colours of the tags on bases. Reference tags are black on white: their contrast is what all else rests on.
    pub ink: Ink,
    /// How all tags are carried; by their height in the roster where it is not said.
    pub carrier: Option<Carrier>,
    /// The calibration board.
    pub board: Board,
    /// What the cards are under.
    pub settings: Settings,
}

/// Why a kit is not printed. Says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum KitError {
    /// A tag that does not go on the paper.
    #[error("the tag of {name} is {size_mm} mm wide and does not go on {paper}: give it a smaller size")]
    TagTooLarge {
        /// What bears it.
        name: String,
        /// Its size.
        size_mm: f64,
        /// The paper.
        paper: &'static str,
    },
    /// A calibration board that does not.
    #[error(transparent)]
    BoardTooLarge(#[from] TooLarge),
    /// A tag that one of Groma's own sheets bears.
    #[error("{name} has {tag}, which is {sheet}'s own: give it an id that no sheet has, below {below}")]
    Kept {
        /// What bears it.
        name: String,
        /// Its tag, in words.
        tag: String,
        /// Whose it is.
        sheet: &'static str,
        /// The first id that is kept.
        below: u32,
    },
    /// A card that cannot be worked out.
    #[error(transparent)]
    Cards(#[from] AskError),
}

/// The label of each tag of a roster, in its order.
pub fn labels<'r>(
    roster: &'r Roster,
    carrier: Option<Carrier>,
) -> Vec<(&'r RosterElement, &'r MountedTag, Label)> {
    let by_height = |t: &MountedTag| if t.height_mm > RAISED_MM { Carrier::Stalk } else { Carrier::Flat };
    let of = |e: &'r RosterElement| {
        let label = move |t: &MountedTag| Label {
            tag: t.tag,
            size_mm: t.size_mm,
            name: e.name.clone(),
            carrier: carrier.unwrap_or_else(|| by_height(t)),
        };
        e.tags.iter().map(move |t| (e, t, label(t)))
    };
    roster.elements().iter().flat_map(of).collect()
}

/// Faces that stick out past their base's front or rear, where ranks touch: the element, by how much, and the largest
/// size that does not. Millimetres.
pub fn sticking_out(roster: &Roster, carrier: Option<Carrier>) -> Vec<(String, f64, f64)> {
    let out = |(e, t, label): (&RosterElement, &MountedTag, Label)| {
        let room = e.base.depth_mm / 2.0 - t.forward_mm.abs();
        let by = label.face_mm() / 2.0 - room;
        (by > 1e-6).then(|| (e.name.clone(), by, size_for_face(t.tag, 2.0 * room.max(0.0))))
    };
    labels(roster, carrier).into_iter().filter_map(out).collect()
}

/// The pages of a kit: the parts that are wanted, in the order of [`Part::ALL`], each with its name.
///
/// # Errors
/// [`KitError`] for the first thing that cannot be printed.
pub fn kit_sheets(
    table: &Table,
    roster: &Roster,
    wanted: &[Part],
    style: &KitStyle,
) -> Result<Vec<(Part, Sheet)>, KitError> {
    refuse_kept(table, roster)?;
    let mounted = labels(roster, style.carrier);
    let mut sheets = Vec::new();
    for part in Part::ALL.into_iter().filter(|p| wanted.contains(p)) {
        let of_part = match part {
            Part::Strips => strip_sheets(table, style.paper)?,
            Part::Tags => tag_sheets(&mounted, style)?,
            Part::Gauges => gauge_sheets(&mounted, style.paper),
            Part::Jig => vec![jig_sheet(style.paper)],
            Part::Tiles => vec![tile_sheet(style.paper)],
            Part::Check => vec![check_sheet(style.paper)],
            Part::Board => vec![board_sheet(&style.board, style.paper)?],
            Part::Cards => card_sheets(&style.settings, style.paper)?,
        };
        sheets.extend(of_part.into_iter().map(|sheet| (part, sheet)));
    }
    Ok(sheets)
}

/// Ids of the jig, the tiles and the check sheet are nobody else's.
fn refuse_kept(table: &Table, roster: &Roster) -> Result<(), KitError> {
    let reference = table.reference.iter().map(|r| (r.tag, "a reference tag of the table".to_owned()));
    let mounted =
        roster.elements().iter().flat_map(|e| e.tags.iter().map(|t| (t.tag, format!("\"{}\"", e.name))));
    for (tag, name) in reference.chain(mounted) {
        if let Some((_, sheet)) = kept_tags().find(|(kept, _)| *kept == tag) {
            let below = kept_tags().filter(|(t, _)| t.family == tag.family).map(|(t, _)| t.id).min();
            return Err(KitError::Kept { name, tag: tag.to_string(), sheet, below: below.unwrap_or(tag.id) });
        }
    }
    Ok(())
}

const TOLD: &str = "groma markers sizes --ruler ...";

fn untitled(items: Vec<layout::Item<'_>>) -> Section<'_> {
    Section { title: "", words: "", items }
}

fn strip_sheets(table: &Table, paper: Paper) -> Result<Vec<Sheet>, KitError> {
    let heading = Heading {
        title: "Strips for the board's edges".to_owned(),
        words: strips::WORDS.to_owned(),
        told: TOLD.to_owned(),
    };
    let (sheets, too_large) = pages(&heading, &[untitled(strips::items(table))], paper);
    match too_large.first() {
        None => Ok(sheets),
        Some(&(_, n)) => {
            let r = &table.reference[n];
            let name = format!("reference tag {}", r.tag.id);
            Err(KitError::TagTooLarge { name, size_mm: r.size_mm, paper: paper.name() })
        }
    }
}

/// A page or more for each side and carrier.
fn tag_sheets(
    mounted: &[(&RosterElement, &MountedTag, Label)],
    style: &KitStyle,
) -> Result<Vec<Sheet>, KitError> {
    let mut sheets = Vec::new();
    for side in [Side::Red, Side::Blue] {
        let of_side = mounted.iter().filter(|(e, ..)| e.side == side).map(|(.., label)| label.clone());
        let of_side: Vec<Label> = of_side.collect();
        sheets.extend(label_sheets(side_name(side), &of_side, style.ink, style.paper)?);
    }
    Ok(sheets)
}

/// Pages of labels, those of each carrier together; `whose` begins their titles.
///
/// # Errors
/// A label that does not go on the paper.
pub fn label_sheets(whose: &str, labels: &[Label], ink: Ink, paper: Paper) -> Result<Vec<Sheet>, KitError> {
    let heading = Heading { title: format!("{whose} tags"), words: CUT.to_owned(), told: TOLD.to_owned() };
    let of = |carrier| labels.iter().filter(move |l| l.carrier == carrier);
    let section = |carrier: Carrier| Section {
        title: carrier.title(),
        words: carrier.words(),
        items: of(carrier).map(|l| l.item(ink)).collect(),
    };
    let (sheets, too_large) = pages(&heading, &Carrier::ALL.map(section), paper);
    match too_large.first() {
        None => Ok(sheets),
        Some(&(s, n)) => {
            let label = of(Carrier::ALL[s]).nth(n).cloned().expect("a section's items are its labels");
            Err(KitError::TagTooLarge { name: label.name, size_mm: label.size_mm, paper: paper.name() })
        }
    }
}

const CUT: &str = "Cut along the dashes: the light edge must stay on. The tick and the small id are at the tag's top, which looks \
     to the base's front.";

fn side_name(side: Side) -> &'static str {
    match side {
        Side::Red => "Red",
        Side::Blue => "Blue",
    }
}

/// Gauges; one for a base that is larger than the paper is left out.
fn gauge_sheets(mounted: &[(&RosterElement, &MountedTag, Label)], paper: Paper) -> Vec<Sheet> {
    let heading = Heading {
        title: "Setting gauges".to_owned(),
        words: gauges::WORDS.to_owned(),
        told: "These cards need no correction below 1 mm.".to_owned(),
    };
    let mounted: Vec<_> = mounted.iter().map(|(e, t, l)| (*e, *t, l)).collect();
    pages(&heading, &[untitled(gauges::items(&mounted))], paper).0
}
