//! Conforming: how a contact that is not lined up becomes one, who moves for it, and who may refuse.
//!
//! [`line_up`] says for a contact as it stands where everything comes to stand and why;
//! [`end_of_movement`] says whether movers stand legally in contact when they have done;
//! [`slide_of`] splits the free sideways slide off a move, so that reach is measured without it.
//!
//! Table frame, millimetres. One party moves rigidly, by the least shift that reaches a line-up: the
//! smallest by the setting `conform-measure`. Threat zones do not matter to it (clause dba3.set.51).
//! Invariants: shifts given lead to exact contact of the pair that they are about; of two ways of
//! conforming the larger is never given.
//!
//! Clauses: dba3.con.1 to .13, dba3.cf.1 to .11, dba3.set.51, .53, .56, .59, .61 to .64, .102.

mod contacts;
mod difficult;
mod end;
mod hindrance;
mod line_up;
mod motion;
mod slide;
#[cfg(test)]
mod tests;

pub(super) use contacts::pressed_enemies;
pub use end::end_of_movement;
pub(super) use end::surely_unfinished;
pub(super) use hindrance::hindrances;
pub use line_up::{Conforming, LineUp, Outcome, Shift, line_up};
pub use motion::{Motion, Way};
pub use slide::{Slide, slide_of};
