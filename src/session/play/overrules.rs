//! Answers that the umpire overruled: they stand beside the program's own until either element moves.

use super::Said;
use super::facts::{stood, stood_still};
use crate::geometry::Footprint;
use crate::judge::Measured;
use crate::rules::Question;

/// One answer that was overruled.
#[derive(Debug, Clone)]
struct Overruled {
    question: Question,
    a: String,
    b: String,
    said: Said,
    stood: Vec<(String, Footprint)>,
}

/// Those that stand.
#[derive(Debug, Clone, Default)]
pub struct Overrules {
    standing: Vec<Overruled>,
}

impl Overrules {
    /// What the umpire said to a question about two elements.
    pub fn of(&self, question: Question, a: &str, b: &str) -> Option<Said> {
        self.standing.iter().find(|o| o.question == question && o.a == a && o.b == b).map(|o| o.said)
    }

    /// The umpire speaks; the same again takes it back. What then stands.
    pub(super) fn speak(
        &mut self,
        measured: &Measured,
        question: Question,
        [a, b]: [&str; 2],
        said: Said,
    ) -> Option<Said> {
        let before = self.of(question, a, b);
        self.standing.retain(|o| o.question != question || o.a != a || o.b != b);
        if before == Some(said) {
            return None;
        }
        let stood = stood(measured, [a, b]);
        self.standing.push(Overruled { question, a: a.to_owned(), b: b.to_owned(), said, stood });
        Some(said)
    }

    /// Those lapse whose elements have moved.
    /// Whether any did.
    pub(super) fn look(&mut self, measured: &Measured) -> bool {
        let before = self.standing.len();
        self.standing.retain(|o| stood_still(measured, &o.stood));
        self.standing.len() < before
    }

    /// All go.
    pub(super) fn clear(&mut self) {
        self.standing.clear();
    }
}
