//! What a person can ask of the game's clock.

/// A wish about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ClockCommand {
    /// The field for the limit in minutes changed.
    TypeMinutes(String),
    /// It runs from now on, or stands.
    StartStop,
    /// It is set back to the whole limit, and stands.
    SetBack,
}
