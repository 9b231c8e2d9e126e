//! What a reading should be taken with a grain of salt for, in words that say what to do.

use super::{Reading, Refusal, Stranger};
use crate::tracking::{Held, TableChange, Tag};

/// Something about a reading that people should know before they trust its millimetres.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Caution {
    /// A reference tag is not where the table file says.
    #[error(
        "reference tag {tag} was left out: it lies {} where the table file and the others put it; something lies on it, it has moved, or its place, size or rotation in the file is wrong", how_far(.misfit_px)
    )]
    LeftOut {
        /// Which one.
        tag: Tag,
        /// How far off, root mean square over its corners.
        misfit_px: f64,
    },
    /// The reference tags do not fit together.
    #[error(
        "the reference tags fit badly ({residual_px:.2} px where {usual_px} is usual), and every plus-minus has grown by it: the lens profile is another camera's or zoom's, or a place or size in the table file is wrong"
    )]
    Misfit {
        /// Root mean square distance of their corners.
        residual_px: f64,
        /// What it is on a table that fits.
        usual_px: f64,
    },
    /// Too few to notice a mistake by.
    #[error(
        "only {seen} of {known} reference tags are seen: a mistake in one could not be told; show four or more, and do not crop the picture"
    )]
    Few {
        /// How many are seen.
        seen: usize,
        /// How many the table names.
        known: usize,
    },
    /// No ruling is given for now.
    #[error("rulings are held: {0}")]
    Held(Held),
    /// A tag lies on the table and is nobody's.
    #[error(
        "{tag} lies at about {x_mm:.0}, {y_mm:.0} mm, and neither the table file nor a roster names it: if an element is missing, its id may be written wrong"
    )]
    Unnamed {
        /// Which one.
        tag: Tag,
        /// Where it would lie on the playing surface.
        x_mm: f64,
        /// The same, away from the near edge.
        y_mm: f64,
    },
    /// A tag lies on the table and is not as it is written.
    #[error("{tag} lies at about {x_mm:.0}, {y_mm:.0} mm and does not count: {why}")]
    NotAsWritten {
        /// Which one.
        tag: Tag,
        /// Where it would lie on the playing surface.
        x_mm: f64,
        /// The same, away from the near edge.
        y_mm: f64,
        /// What is wrong with it.
        why: Refusal,
    },
    /// Something happened to the table.
    #[error("{0}")]
    Changed(TableChange),
}

/// Pixels off; of a tag that lies where no fit of the others can put it no number is known.
fn how_far(misfit_px: &f64) -> String {
    if misfit_px.is_finite() { format!("{misfit_px:.0} px from") } else { "nowhere near".to_owned() }
}

impl Caution {
    /// What is told of a tag that belongs to nobody, or not as it is written.
    pub fn of_stranger(stranger: &Stranger) -> Self {
        let (tag, x_mm, y_mm) = (stranger.tag, stranger.at.x, stranger.at.y);
        match stranger.why {
            Refusal::NotNamed => Self::Unnamed { tag, x_mm, y_mm },
            why => Self::NotAsWritten { tag, x_mm, y_mm, why },
        }
    }

    /// The same for cautions of one kind about one tag, whatever their figures: to tell each once.
    pub fn kind(&self) -> String {
        match self {
            Self::LeftOut { tag, .. } => tag.to_string(),
            Self::Misfit { .. } => "misfit".to_owned(),
            Self::Few { .. } => "few".to_owned(),
            Self::Held(Held::Knocked) => "knocked".to_owned(),
            Self::Held(Held::Unplaced) => "unplaced".to_owned(),
            Self::Held(Held::Bowed) => "bowing".to_owned(),
            Self::Held(Held::Stirred) => "stirred".to_owned(),
            Self::Held(Held::Slid { .. }) => "sliding".to_owned(),
            Self::Unnamed { tag, .. } | Self::NotAsWritten { tag, .. } => format!("stranger {tag}"),
            Self::Changed(change) => change.kind(),
        }
    }
}

/// Misfit of the reference tags from which on they do not fit, pixels. Chosen: readings that were looked at
/// had 0.02 to 0.03 with the right table and lens, 1.2 with another lens's profile.
pub(super) const MISFIT_PX: f64 = 0.3;
const USUAL_PX: f64 = 0.1;
/// Fewer reference tags than this check each other poorly.
const ENOUGH: usize = 4;

impl Reading {
    /// What to take this reading with a grain of salt for. A frame that could not be placed at all says so
    /// itself.
    pub fn cautions(&self) -> Vec<Caution> {
        let Ok(registration) = &self.registration else { return Vec::new() };
        let mut cautions: Vec<Caution> = self.snapshot.held.map(Caution::Held).into_iter().collect();
        let changes = &self.snapshot.changes;
        cautions.extend(changes.iter().map(|change| Caution::Changed(*change)));
        let told =
            |tag: Tag| changes.iter().any(|c| matches!(c, TableChange::Moved { tag: t, .. } if *t == tag));
        cautions.extend(self.refused.iter().filter_map(|r| match r.why {
            Refusal::ReferenceMoved { misfit_px } if !told(r.detection.tag) => {
                Some(Caution::LeftOut { tag: r.detection.tag, misfit_px })
            }
            _ => None,
        }));
        let residual_px = registration.residual_px;
        if residual_px > MISFIT_PX {
            cautions.push(Caution::Misfit { residual_px, usual_px: USUAL_PX });
        }
        let (seen, known) = (registration.reference_seen, registration.reference_known);
        if seen < ENOUGH {
            cautions.push(Caution::Few { seen, known });
        }
        cautions.extend(self.strangers.iter().map(Caution::of_stranger));
        cautions
    }
}
