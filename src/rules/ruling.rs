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
        Self { clause: clause.into(), text: plain_zero(text.into()), holds: true, margin: None }
    }

    /// A clause that was tested and whose words do not hold here.
    pub fn fails(clause: impl Into<String>, text: impl Into<String>) -> Self {
        Self { clause: clause.into(), text: plain_zero(text.into()), holds: false, margin: None }
    }

    /// A geometric test: it holds where its margin is satisfied.
    pub fn tested(clause: impl Into<String>, text: impl Into<String>, margin: Margin) -> Self {
        let holds = margin.satisfied();
        Self { clause: clause.into(), text: plain_zero(text.into()), holds, margin: Some(margin) }
    }
}

/// The text with no minus before a figure that is nothing but zeros: `-0.0 mm` is `0.0 mm`.
pub(super) fn plain_zero(text: String) -> String {
    if !text.contains("-0") {
        return text;
    }
    let chars: Vec<char> = text.chars().collect();
    let figure = |c: &char| c.is_ascii_digit() || *c == '.';
    let mut plain = String::with_capacity(text.len());
    for (n, &c) in chars.iter().enumerate() {
        let begins =
            n == 0 || !(figure(&chars[n - 1]) || chars[n - 1].is_alphanumeric() || chars[n - 1] == ')');
        let digits: Vec<char> = chars[n + 1..].iter().take_while(|c| figure(c)).copied().collect();
        let nothing = digits.contains(&'0') && digits.iter().all(|c| matches!(c, '0' | '.'));
        if !(c == '-' && begins && nothing) {
            plain.push(c);
        }
    }
    plain
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_reason_has_a_minus_before_nothing() {
        let said = |text: &str| Reason::holds("dba3.tz.1", text).text;
        assert_eq!(said("A is -0.0 mm off"), "A is 0.0 mm off");
        assert_eq!(said("(-0.00 BW)"), "(0.00 BW)");
        assert_eq!(said("from -0"), "from 0");
        for kept in ["-0.1 mm", "-0.05", "2-0 to A", "(1,0)-(0,0)", "2026-01-02", "a-0", "-1: in bad going"] {
            assert_eq!(said(kept), kept);
        }
    }
}
