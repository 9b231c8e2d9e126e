//! Case files: a setup in short notation, a question, the ruling expected, and the clauses it covers.
//!
//! `docs/cases.md` says how to write one. The files of `tests/rulings/<ruleset>/` are carried by the
//! program, so that it can tell which clauses have a case. Invariant: a case counts for a clause only
//! where it passes and the engine's own ruling cites that clause; a case whose verdict is yes only
//! where it cites it as holding.

mod aftermath;
mod answer;
mod asked;
mod checking;
mod combat;
mod counts;
mod data;
mod ends;
mod files;
mod format;
mod ground;
mod lists;
mod moves;
mod places;
mod reach;
mod setting_up;
mod shooting;
mod state;
mod strongholds;
mod table;
mod victory;
mod watch;

pub use aftermath::{Event, Suffers, Went};
pub use answer::{Answer, Staged};
pub use asked::{Asked, EdgeName};
pub use counts::{Count, counts};
pub use files::FILES;
pub use format::{Case, CaseFile, Under, Verdict};
pub use ground::AskGround;
pub use lists::AskList;
pub use reach::Whereabouts;
pub use setting_up::{AskSettingUp, Settles};
pub use state::AskState;
pub use strongholds::{AskStronghold, Claim, Happening};
pub use watch::{Act, Told};
