//! What happened to the table or to the camera over it, as far as the picture tells, and whether rulings
//! may be given. Lengths in millimetres, angles in degrees; the evidence is in the numbers.

use super::Tag;
use std::time::Duration;

/// Why no ruling is given on a snapshot: its poses may be wrong in a way that their sigmas do not tell.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Held {
    /// The camera stands elsewhere than it did.
    #[error("the camera was knocked and is being placed again from the reference tags")]
    Knocked,
    /// The camera's place is not known in this frame.
    #[error("too few reference tags show to tell where the camera is; clear the view of them")]
    Unplaced,
    /// The board was found to be bowed otherwise than it was: the next frame takes it in.
    #[error("the board has bowed; the table is being read again with that in its plus-minus")]
    Bowed,
    /// Several reference tags and most bases changed in one frame: what happened is not known yet.
    #[error("reference tags and most bases moved at once; they are being looked at again")]
    Stirred,
    /// Nearly everything on the table moved as one piece of late.
    #[error(
        "nearly all bases moved together by {by_mm:.1} mm while the reference tags stayed: the board slid; push it back, or let everything rest"
    )]
    Slid {
        /// How far, at the bases' middle.
        by_mm: f64,
    },
}

/// Something that people should know about the table.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum TableChange {
    /// The light is not what it was.
    #[error(
        "the light has changed: the reference tags' contrast is {factor:.2} times what it was; places are not affected"
    )]
    Light {
        /// Contrast of the reference tags, as a multiple of what it was.
        factor: f64,
    },
    /// A reference tag lies elsewhere, and the others do not.
    #[error(
        "reference tag {tag} was moved by {by_mm:.1} mm and turned by {turned_deg:.1} degrees: it is left out; put it back, or measure the table again"
    )]
    Moved {
        /// Which one.
        tag: Tag,
        /// How far its centre.
        by_mm: f64,
        /// How far it was turned, anticlockwise.
        turned_deg: f64,
    },
    /// A reference tag is not to be seen.
    #[error("reference tag {tag} has not been seen for {} s: something lies on it, or it has gone", age.as_secs())]
    Hidden {
        /// Which one.
        tag: Tag,
        /// For how long.
        age: Duration,
    },
    /// The board slid under its reference tags.
    #[error(
        "{bases} bases moved together by {by_mm:.1} mm, turned by {turned_deg:.1} degrees, while the reference tags stayed: the board slid under them; what is measured to the board's edge is off by as much until it is pushed back or the table is measured again"
    )]
    Slid {
        /// How far, at the bases' middle.
        by_mm: f64,
        /// How far it was turned, anticlockwise.
        turned_deg: f64,
        /// How many tags on bases moved so.
        bases: usize,
    },
    /// Single reference tags are higher or lower than the others say.
    #[error(
        "the cloth is wrinkled or something lies under it: reference tag {worst} lies {by_mm:.1} mm {} than it should, and {others} more are off; smooth it, or trust heights less near it",
        if *by_mm < 0.0 { "lower" } else { "higher" }
    )]
    Wrinkled {
        /// The one that is off most.
        worst: Tag,
        /// How much higher; less than zero: lower.
        by_mm: f64,
        /// How many besides.
        others: usize,
    },
    /// The reference tags lie on a bent surface.
    #[error(
        "the board is bowed: its reference tags lie on a curve {by_mm:.1} mm {}; weigh it down flat; places on it are off by some of that, and every plus-minus has grown by it",
        if *by_mm < 0.0 { "deep" } else { "high" }
    )]
    Bowed {
        /// How much higher the middle lies than the rim; less than zero: lower.
        by_mm: f64,
    },
    /// Two cameras see tags rest at places that chance does not set apart.
    #[error(
        "the cameras see {tags} tag{} at places up to {by_mm:.1} mm apart; every plus-minus there covers both: measure the reference tags again (`groma calibrate table`), or leave one camera out",
        if *tags == 1 { "" } else { "s" }
    )]
    CamerasDisagree {
        /// How many tags.
        tags: usize,
        /// The greatest distance.
        by_mm: f64,
    },
}

impl TableChange {
    /// The same for changes of one kind about one tag, whatever their figures: to tell each once.
    pub fn kind(&self) -> String {
        match self {
            Self::Light { .. } => "light".to_owned(),
            Self::Moved { tag, .. } => format!("moved {tag}"),
            Self::Hidden { tag, .. } => format!("hidden {tag}"),
            Self::Slid { .. } => "slid".to_owned(),
            Self::Wrinkled { .. } => "wrinkled".to_owned(),
            Self::Bowed { .. } => "bowed".to_owned(),
            Self::CamerasDisagree { .. } => "cameras".to_owned(),
        }
    }
}
