//! What people say and do in play. Each act is told as it was understood, so that it means the same when it is read
//! back from a journal, whatever the window showed then.

use crate::rules::aftermath::RecoilBy;
use crate::rules::facts::Fact;
use crate::rules::terrain::{BaseEdges, BoardEdge};
use crate::rules::victory::{CampState, CityState};
use crate::rules::{Question, Side};
use crate::session::view::Chooses;
use serde::{Deserialize, Deserializer, Serialize};

/// Something that a person said or did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Act {
    /// The players agree on a fact.
    Agree(Fact),
    /// They withdraw it.
    Withdraw(Fact),
    /// The umpire overrules the answer to a question about two elements; the same again takes it back.
    Overrule {
        /// The question.
        question: Question,
        /// The element that it is about.
        a: String,
        /// The element that it is compared with.
        b: String,
        /// What he says.
        said: Said,
    },
    /// Where everything stands now is where the next move begins.
    Mark,
    /// The table is followed from here on, with nobody saying so: done by itself when all is at rest for the first time.
    Follow,
    /// The table counts as it stands, whatever brought it there: whose bound it is, and who is taken for lost.
    CarryOn {
        /// Whose bound it is.
        side: Side,
        /// Who is taken for lost.
        lost: Vec<String>,
    },
    /// The mark goes, and what is known of the bound.
    ForgetMark,
    /// Whose bound it is; none for the side that moved.
    Side(Option<Side>),
    /// The score of the PIP die; none where it is not known.
    Pips(Option<u8>),
    /// The score of the PIP die, where what told it is known.
    PipsFrom {
        /// The score, 1 to 6.
        pips: u8,
        /// What told it.
        from: DiceFrom,
    },
    /// Another explanation of what is open is taken, by its place among those that are offered.
    Choose(usize),
    /// The move that is open is over.
    Close,
    /// Everything stands as it does, whatever brought it there.
    Stands,
    /// The umpire lets a move stand, whatever the rules say to it.
    LetStand {
        /// Whether there is an explanation of it.
        explained: bool,
        /// What it is, and what the program said.
        words: String,
    },
    /// The umpire does not allow a move that the program let pass: this is what it was.
    Disallow(String),
    /// Elements that were nudged stay where they are.
    AcceptNudges(Vec<String>),
    /// They are put back.
    PutBack(Vec<String>),
    /// Moves are over: shooting and combat begin.
    EndMoves,
    /// The next bound begins: whose it is; none for the other side's than the last one's.
    NextBound(Option<Side>),
    /// Two dice lie.
    Fought {
        /// Close combat, or the first shoots at the second.
        kind: FightKind,
        /// The first element.
        a: String,
        /// The second element.
        b: String,
        /// The first element's die, and the second's: 1 to 6.
        dice: [u8; 2],
        /// What told them; none in a journal of before that was kept.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        from: Option<DiceFrom>,
    },
    /// A shooter's player chooses its target; the same again takes it back.
    Shoot(String, String),
    /// A player answers what the rules leave to him before the dice lie; the same again takes it back.
    Says(Chooses),
    /// A player decides how far mounted troops recoil.
    Recoil(String, RecoilBy),
    /// A player decides who occupies a stormed place: the place, the element.
    Occupies(String, String),
    /// Red's base edge; none for what the table's file says, else the near or far one, as the armies stand.
    #[serde(alias = "near", deserialize_with = "red_edge")]
    RedEdge(Option<BoardEdge>),
    /// An element is lost.
    Lost(String),
    /// It was taken off as the dice said: done by itself.
    TakenOff(String),
    /// It is gone from the table, and not lost.
    Spare(String),
    /// It was said to be lost, and is not.
    Return(String),
    /// What has become of a side's camp.
    Camp(Side, CampState),
    /// What has become of its City.
    City(Side, CityState),
    /// Somebody wrote something down.
    Note(String),
}

/// Journals of before named the army whose edge is the near one.
fn red_edge<'de, D: Deserializer<'de>>(from: D) -> Result<Option<BoardEdge>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Told {
        Edge(BoardEdge),
        Near(Side),
    }
    Ok(Option::<Told>::deserialize(from)?.map(|told| match told {
        Told::Edge(edge) => edge,
        Told::Near(side) => BaseEdges::with(side, BoardEdge::Near).red,
    }))
}

impl Act {
    /// Whether it is one that people think of undoing: what changes the battle, and not what only shows it otherwise.
    pub fn can_be_undone(&self) -> bool {
        !matches!(self, Self::Mark | Self::Choose(_) | Self::Follow | Self::TakenOff(_))
    }
}

/// What told dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiceFrom {
    /// The program threw them.
    Program,
    /// Somebody typed what lies on the table.
    Typed,
    /// The camera read them, and somebody accepted what it read.
    Camera,
    /// The camera read them, and somebody put one right before he accepted them.
    CameraCorrected,
}

impl DiceFrom {
    /// What is added where they are written down; nothing for dice that people know of.
    pub(super) fn added(from: Option<Self>) -> &'static str {
        match from {
            None | Some(Self::Program | Self::Typed) => "",
            Some(Self::Camera) => " (camera)",
            Some(Self::CameraCorrected) => " (camera, put right by hand)",
        }
    }
}

/// What the umpire says.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Said {
    /// Yes.
    Yes,
    /// No.
    No,
}

impl Said {
    /// In a sentence.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
        }
    }
}

/// How two elements fight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FightKind {
    /// Front to front.
    #[default]
    Close,
    /// The first shoots at the second.
    Shooting,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_edge_is_kept_and_older_journals_say_whose_the_near_one_is() {
        for edge in BoardEdge::ALL.map(Some).into_iter().chain([None]) {
            let act = Act::RedEdge(edge);
            let line = serde_json::to_string(&act).expect("a line");
            assert_eq!(serde_json::from_str::<Act>(&line).expect("what was written"), act, "{line}");
        }
        let of = |line: &str| serde_json::from_str::<Act>(line).expect("an older line");
        assert_eq!(of("{\"near\":\"red\"}"), Act::RedEdge(Some(BoardEdge::Near)));
        assert_eq!(of("{\"near\":\"blue\"}"), Act::RedEdge(Some(BoardEdge::Far)));
        assert_eq!(of("{\"near\":null}"), Act::RedEdge(None));
    }
}
