//! How the window looks, beside dark and light: the size of its text, its contrast, and whether the page of keys lies over
//! it. Chosen by a person, and kept.

use serde::{Deserialize, Serialize};

/// How large text is. All else grows with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TextSize {
    /// As it is.
    #[default]
    Usual,
    /// To be read across a table.
    Large,
}

impl TextSize {
    /// By how much all grows.
    pub fn zoom(self) -> f32 {
        match self {
            Self::Usual => 1.0,
            Self::Large => 1.3,
        }
    }

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Usual => Self::Large,
            Self::Large => Self::Usual,
        }
    }
}

/// How far colours stand out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Contrast {
    /// As they do.
    #[default]
    Usual,
    /// Every mark and letter at seven to one or more on what lies behind it.
    High,
}

impl Contrast {
    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Usual => Self::High,
            Self::High => Self::Usual,
        }
    }
}

/// Dark or light, as it is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ground {
    /// Light letters.
    #[default]
    Dark,
    /// Dark letters.
    Light,
}

/// When photographs of the board are taken by themselves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Photographs {
    /// Never: a person asks for each.
    #[default]
    Asked,
    /// As each bound begins, where a journal is kept.
    EachBound,
}

/// What a person has chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Look {
    /// The size of text.
    pub text: TextSize,
    /// The contrast.
    pub contrast: Contrast,
}

/// A wish about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookCommand {
    /// The page of keys opens, or closes.
    Keys,
    /// Contrast is high from now on, or as usual.
    Contrast,
    /// Text is large from now on, or as usual.
    Text,
    /// The public screen opens, or closes.
    Public,
    /// Photographs are taken as each bound begins, or not.
    Photographs,
}
