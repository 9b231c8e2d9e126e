//! What the rules leave to players before the dice lie, each answer with what comes of it. Nobody has to answer: then
//! what a question `assumes` holds.

use serde::{Deserialize, Serialize};

/// What a player says where the rules leave it to him.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Chooses {
    /// The second, which the first has contacted, conforms.
    Conforms(String, String),
    /// The second, which the first has contacted, stays and fights as though overlapped (clauses dba3.cf.10, dba3.set.62).
    Refuses(String, String),
    /// The first, hit on several edges, turns to face the second (clause dba3.turn.6).
    Faces(String, String),
    /// Of those that shoot at the first the second rolls (clause dba3.sht.16).
    Rolls(String, String),
    /// The combat of these two is fought before the others (clause dba3.seq.9).
    First(String, String),
}

impl Chooses {
    /// Whether the two answer one question.
    pub fn same_question(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Conforms(a, b) | Self::Refuses(a, b), Self::Conforms(c, d) | Self::Refuses(c, d)) => {
                (a, b) == (c, d)
            }
            (Self::Faces(a, _), Self::Faces(b, _)) | (Self::Rolls(a, _), Self::Rolls(b, _)) => a == b,
            (Self::First(..), Self::First(..)) => true,
            _ => false,
        }
    }

    /// In a sentence without its full stop.
    pub fn words(&self) -> String {
        match self {
            Self::Conforms(a, b) => format!("{b} conforms to {a}"),
            Self::Refuses(a, b) => format!("{b} does not conform to {a} and fights as though overlapped"),
            Self::Faces(who, enemy) => format!("{who} turns to face {enemy}"),
            Self::Rolls(target, shooter) => format!("{shooter} rolls for those that shoot at {target}"),
            Self::First(a, b) => format!("{a} against {b} is fought first"),
        }
    }
}

/// What one answer does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answers {
    /// It is said.
    Says(Chooses),
    /// The first shoots at the second.
    Shoots(String, String),
}

/// Something that a player may choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChoiceView {
    /// What is asked, with whose choice it is.
    pub words: String,
    /// The clause that leaves it to him.
    pub clause: String,
    /// What is taken to be so while nobody says anything.
    pub assumes: String,
    /// The answers.
    pub answers: Vec<ChosenView>,
}

/// One answer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenView {
    /// What it does.
    pub does: Answers,
    /// The answer in a few words.
    pub words: String,
    /// What comes of it, in lines.
    pub comes: Vec<String>,
}
