//! Taking a move back: only from a marked start, with the opponent's leave, before the next move begins
//! (clauses dba3.move.6, .7).
//!
//! Of legal moves only: one that breaks the rules is put right whatever stands here (notes of dba3.move.6).

use super::Bound;
use crate::rules::Reason;
use serde::Deserialize;

/// Whether the place where a move began was marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Start {
    /// A marker lies there.
    Marked,
    /// Nothing shows it.
    Unmarked,
}

/// What the opponent says to a move's being taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Opponent {
    /// He agrees.
    Agrees,
    /// He does not.
    Refuses,
}

impl Bound {
    /// Whether the last move of that element may be taken back, and why, what forbids it first.
    pub fn may_take_back(&self, name: &str, start: Start, opponent: Opponent) -> (bool, Vec<Reason>) {
        let last = self.done.iter().rposition(|done| done.movers.iter().any(|m| m == name));
        let Some(last) = last else {
            return (
                false,
                vec![Reason::fails("dba3.move.6", format!("{name} has made no move in this bound"))],
            );
        };
        let later = self.done.get(last + 1).map(|done| done.movers.join("+"));
        let text = match &later {
            Some(movers) => format!("{movers} has moved since, so the marker of {name}'s start is gone"),
            None => format!("nobody has moved since {name}: a marker may still lie at its start"),
        };
        let marker = Reason { holds: later.is_none(), ..Reason::holds("dba3.move.7", text) };
        let text = match (start, opponent) {
            (Start::Unmarked, _) => format!("where {name} began was not marked: the move stands"),
            (Start::Marked, Opponent::Refuses) => "the opponent does not agree: the move stands".to_owned(),
            (Start::Marked, Opponent::Agrees) => "the start was marked and the opponent agrees".to_owned(),
        };
        let agreed = (start, opponent) == (Start::Marked, Opponent::Agrees);
        let stands = Reason { holds: agreed, ..Reason::holds("dba3.move.6", text) };
        let mut reasons = vec![stands, marker];
        reasons.sort_by_key(|reason| reason.holds);
        (agreed && later.is_none(), reasons)
    }
}
