//! Questions and what the rules say to them, poses taken as exact. What measurement adds (sigma, too
//! close to call) is `judge`'s.

use crate::geometry::Margin;
use serde::{Deserialize, Serialize};

/// What can be asked of two elements, `a` first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Question {
    /// How far apart are the two bases? The margin is the distance itself.
    Distance,
    /// Is any part of `a` in the threat zone of `b`?
    InZoneOf,
    /// Is `a`'s front edge in contact with `b`'s front edge?
    ContactFront,
    /// Is `a`'s front edge in contact with a side edge of `b`, lined up?
    ContactFlank,
    /// Is `a`'s front edge in contact with `b`'s rear edge?
    ContactRear,
    /// Do `a` and `b` touch front corner to front corner, same hand to same hand?
    CornerTouch,
    /// Is `a` wholly beyond the line of one of `b`'s flank edges?
    BehindFlankLine,
}

impl Question {
    /// Every question, in the order they are answered.
    pub const ALL: [Self; 7] = [
        Self::Distance,
        Self::InZoneOf,
        Self::ContactFront,
        Self::ContactFlank,
        Self::ContactRear,
        Self::CornerTouch,
        Self::BehindFlankLine,
    ];

    /// The question as people ask it.
    pub fn in_words(self, a: &str, b: &str) -> String {
        match self {
            Self::Distance => format!("how far is {a} from {b}?"),
            Self::InZoneOf => format!("is {a} in the threat zone of {b}?"),
            Self::ContactFront => format!("is {a} in contact with the front of {b}?"),
            Self::ContactFlank => format!("is {a} in contact with a flank of {b}?"),
            Self::ContactRear => format!("is {a} in contact with the rear of {b}?"),
            Self::CornerTouch => format!("do {a} and {b} touch front corner to front corner?"),
            Self::BehindFlankLine => format!("is {a} wholly beyond a flank line of {b}?"),
        }
    }
}

/// One step of a ruling: a clause, and what it says here in a sentence.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// Clause id, one of the catalogue's.
    pub clause: String,
    /// What it comes to here.
    pub text: String,
    /// Whether what the clause says is so here. One that was tested and is not is cited too.
    pub holds: bool,
    /// The margin, where the step is a geometric test.
    #[serde(skip)]
    pub margin: Option<Margin>,
}

impl Reason {
    /// A clause whose words hold here.
    pub fn holds(clause: impl Into<String>, text: impl Into<String>) -> Self {
        Self { clause: clause.into(), text: text.into(), holds: true, margin: None }
    }

    /// A clause that was tested and whose words do not hold here.
    pub fn fails(clause: impl Into<String>, text: impl Into<String>) -> Self {
        Self { clause: clause.into(), text: text.into(), holds: false, margin: None }
    }

    /// A geometric test: it holds where its margin is satisfied.
    pub fn tested(clause: impl Into<String>, text: impl Into<String>, margin: Margin) -> Self {
        let holds = margin.satisfied();
        Self { clause: clause.into(), text: text.into(), holds, margin: Some(margin) }
    }
}

/// The rules' answer with the poses taken as exact.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruling {
    /// What was asked.
    pub question: Question,
    /// First element's name.
    pub a: String,
    /// Second element's name.
    pub b: String,
    /// By how much it holds.
    pub margin: Margin,
    /// The clause that decides.
    pub clause: String,
    /// Every step, the binding one first.
    pub reasons: Vec<Reason>,
    /// The name of the settings that it was made under.
    pub under: std::sync::Arc<str>,
}
