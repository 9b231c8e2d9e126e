//! Shooting: who may shoot, at whom, over what; who must shoot at whom; who shoots back and who aids.
//!
//! Table frame, millimetres. Pure: what cannot be seen on the table (how far an element moved this bound, who sacks a
//! City, what players chose) is an argument, [`Known`]. The dice and fates of a shot are [`super::combat`]'s, with
//! [`Fire::mode`].
//!
//! Invariants: a [`Shot`] is allowed exactly where all its conditions hold, the binding one first; turning, shifting
//! or mirroring the table changes none; ranges and arcs scale with the base width.
//!
//! Clauses: dba3.sht.1 to .16, .20 to .29, dba3.going.4, .9, dba3.seq.5, .6, dba3.city.13, dba3.rec.12, dba3.set.80.

mod body;
mod candidates;
mod choice;
mod cover;
mod field;
mod lines;
mod shot;
mod stage;
mod who;

pub use candidates::{Barred, Silent};
pub use choice::{Fire, Options, Primary, Shooting, shooting, shooting_where};
pub(super) use shot::reach;
pub use shot::{Shot, bars, shot, shot_where};
pub use who::{Known, may_be_shot, may_shoot, may_shoot_where};
