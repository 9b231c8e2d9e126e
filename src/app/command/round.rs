//! What a person can ask between two rounds.

/// One of the fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundField {
    /// The roster files, several with `;` between them.
    Rosters,
    /// The new battle's journal; empty for none.
    Journal,
}

/// A wish about the next round.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RoundCommand {
    /// It is prepared: its fields show.
    Open,
    /// Not now.
    Close,
    /// A field's text changed.
    Type(RoundField, String),
    /// It begins: another battle on the same table, with these rosters and a journal of its own.
    Begin,
}
