//! A whole battle: the table, the bounds that it goes through, and who has won.
//!
//! Table frame, millimetres. A [`Battle`] is what holds all along: settings, who took the first bound.
//! A [`State`] is the battle at one moment, a value. [`Battle::play`] takes one [`Act`] of a player
//! and gives the state after it with what was told of it, or says what is wrong or still due ([`Fault`]). Dice are
//! in the acts: nothing rolls here. [`Script`] is a written battle, [`replay`] plays it and compares.
//!
//! Invariants: a state is never changed; an act that is refused leaves the battle where it was; nothing of a phase
//! may be left undone when it is closed; the same acts lead to the same states.
//!
//! Clauses: dba3.seq.1 to .10, dba3.pip.1, .2, dba3.sht.8, .16, dba3.cf.5, dba3.tac.15, .16, dba3.pur.13,
//! dba3.turn.5, dba3.going.12, dba3.riv.7, dba3.city.10, dba3.vic.1, .2.

mod combats;
mod difference;
mod fault;
mod moving;
mod phases;
mod replay;
mod script;
mod shots;
#[cfg(test)]
mod sieges;
mod state;
mod told;

pub use combats::{Contact, Due, due};
pub use fault::Fault;
pub use replay::{Played, Replay, replay};
pub use script::Script;
pub use shots::{shots_due, shots_of};
pub use state::State;
pub use told::{Clash, Ended, Told};

use super::movement::TacticalMove;
use super::{Settings, Side};

/// What holds for a whole battle.
#[derive(Debug, Clone)]
pub struct Battle {
    /// The rules that it is fought by.
    pub settings: Settings,
    /// Who takes the first bound: the defender (clause dba3.seq.1).
    pub defender: Side,
}

/// What a player does.
#[derive(Debug, Clone, PartialEq)]
pub enum Act {
    /// The PIP die (clause dba3.seq.3).
    Roll(u8),
    /// The die for a river, by its name (clause dba3.riv.7).
    River(String, u8),
    /// The denizens of a City, by its name, revolt for 5 PIPs, before anything has moved (clause dba3.city.22).
    Revolt(String),
    /// A tactical move. `refuses` names contacted elements that stay and fight as overlapped, where they may.
    Move {
        /// The move.
        made: TacticalMove,
        /// Who refuses to conform (clause dba3.cf.10).
        refuses: Vec<String>,
    },
    /// Movement is over. `faces` says whom elements face whose owner chooses: the element, the enemy.
    EndMoves {
        /// The choices.
        faces: Vec<(String, String)>,
    },
    /// A shooter's choice of target (clause dba3.sht.14).
    Aim {
        /// Who.
        shooter: String,
        /// At whom.
        target: String,
    },
    /// The shooting at one target.
    Shoot {
        /// At whom.
        target: String,
        /// Who shoots; the first rolls, the others aid.
        by: Vec<String>,
        /// The shooter's die and the target's.
        dice: (u8, u8),
        /// Mounted elements that recoil by their own depth (clause dba3.rec.3).
        own_depth: Vec<String>,
    },
    /// Shooting is over.
    EndShooting,
    /// One close combat.
    Fight {
        /// One; where a City, Fort or camp is assaulted either the assaulter or the defender.
        a: String,
        /// The other.
        b: String,
        /// Their dice.
        dice: (u8, u8),
        /// Mounted elements that recoil by their own depth.
        own_depth: Vec<String>,
        /// Who of those who assault a City moves into it if this combat destroys its last defenders (clause
        /// dba3.city.9); where nobody is named, the one that fights.
        occupies: Option<String>,
    },
    /// Close combat and the bound are over.
    EndBound,
}
