//! What a person can ask of the result slip.

/// One of its fields.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlipField {
    /// Who plays red.
    Red,
    /// Who plays blue.
    Blue,
    /// The page's file.
    File,
}

/// A wish about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SlipCommand {
    /// A field's text changed.
    Type(SlipField, String),
    /// The page is written, as the battle stands.
    Write,
}
