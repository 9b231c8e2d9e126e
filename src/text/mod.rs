//! Text that people write: RON read into a tree in which every value knows its line and column, and
//! a decoder that collects every mistake of a file instead of stopping at the first.
//!
//! And the files that are written for people, whole or not at all.
//!
//! Syntax is RON's, as the `ron` crate reads it, without byte strings, ranges and extensions, which
//! no file of Groma's needs. Positions count from 1, columns in characters. Invariants: nothing here
//! panics or overflows the stack on any input; a tree is handed out only beside all mistakes found.

#[cfg(test)]
mod agreement;
mod counted;
mod date;
mod decode;
mod edit;
pub mod html;
mod literal;
mod mark;
mod mistake;
mod nearest;
mod outputs;
mod parse;
mod source;
pub mod strangers;
mod tree;
mod way;

pub use counted::counted;
pub use date::{days_between, now_ms, time_of, today};
pub use decode::{Decoder, Fields, Range};
pub use edit::{Edits, struct_at};
pub use mark::mark_of;
pub use mistake::{Mistake, Mistakes, Position};
pub use nearest::{did_you_mean, nearest};
pub use outputs::{
    Kind, Output, OutputError, check as check_outputs, free_beside, reason, write as write_outputs,
};
pub use parse::{MAX_BYTES, MAX_DEPTH, parse};
pub use source::{Wanted, read_file, without_mark};
pub use tree::{Field, Name, Node, Number, Value};
pub use way::{turn_word, way_words};
