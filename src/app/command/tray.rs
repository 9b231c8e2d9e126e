//! What a person can ask of the dice tray.

use crate::vision::dice::PixelRect;
use serde::{Deserialize, Serialize};

/// Which camera looks at the tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TrayCamera {
    /// The one whose picture is shown.
    #[default]
    First,
    /// The one that stands beside it.
    Second,
}

/// A wish about the tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TrayCommand {
    /// The page on which it is marked opens.
    Open,
    /// It closes.
    Close,
    /// Another camera's picture is shown on it.
    Camera(TrayCamera),
    /// The tray is that part of the picture that is shown.
    Mark(PixelRect),
    /// There is no tray.
    Forget,
    /// The dice that are offered count.
    Accept,
    /// The die whose turn it is shows that.
    Correct(u8),
    /// It is the next die's turn.
    Next,
    /// The dice that are offered do not count.
    Discard,
    /// Each of the two dice is the other side's.
    Swap,
}
