//! Rows of the outcome table: who suffers what in which band. Data chooses among closed cases.

use super::troop::Which;
use serde::{Deserialize, Serialize};

/// What becomes of an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Nothing.
    #[serde(alias = "None")]
    None,
    /// Goes straight back.
    #[serde(alias = "Recoil")]
    Recoil,
    /// Turns and runs.
    #[serde(alias = "Flee")]
    Flee,
    /// Is removed.
    #[serde(alias = "Destroyed")]
    Destroyed,
}

impl Fate {
    /// Every fate, mildest first.
    pub const ALL: [Self; 4] = [Self::None, Self::Recoil, Self::Flee, Self::Destroyed];

    /// What people say: "no effect", "recoils", "flees", "destroyed".
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "no effect",
            Self::Recoil => "recoils",
            Self::Flee => "flees",
            Self::Destroyed => "destroyed",
        }
    }

    /// Its name in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Recoil => "recoil",
            Self::Flee => "flee",
            Self::Destroyed => "destroyed",
        }
    }
}

/// Which part of the table an element looks itself up in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Band {
    /// Equal totals: both look.
    Equal,
    /// Lesser, but more than half.
    Lesser,
    /// Half or less.
    Half,
}

impl Band {
    /// In a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Equal => "equal totals",
            Self::Lesser => "a lesser total",
            Self::Half => "half or less",
        }
    }

    /// Its name in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Equal => "equal",
            Self::Lesser => "less",
            Self::Half => "half",
        }
    }
}

/// Going as one element finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Going {
    /// Good.
    Good,
    /// Rough.
    Rough,
    /// Bad.
    Bad,
}

impl Going {
    /// Every going, best first.
    pub const ALL: [Self; 3] = [Self::Good, Self::Rough, Self::Bad];

    /// Its name in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "good",
            Self::Rough => "rough",
            Self::Bad => "bad",
        }
    }

    /// In a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::Good => "good going",
            Self::Rough => "rough going",
            Self::Bad => "bad going",
        }
    }
}

/// A condition of a row, seen from the element that is looked up.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum When {
    /// It fights in close combat.
    CloseCombat,
    /// It is shot at, or shoots.
    Shooting,
    /// It is shot at, at least partly on its rear edge.
    ShotInRearEdge,
    /// The opponent is one of these.
    Opponent(Which),
    /// It is shot at by one of these.
    ShotBy(Which),
    /// Two enemies or more touch it with their front edges.
    TwoFrontsOnIt,
    /// It stands in this going.
    OwnGoing(Going),
    /// The going that the setting of this name picks (the loser's, the winner's, both) is good. The
    /// setting's words are `loser`, `winner`, `both`; `cavalry` and `opponent` stand for the first two.
    GoodGoing(String),
    /// The going where the setting of this name says is good for the opponent's troops:
    /// `loser-place-winner-type` or `winner-place-winner-type`.
    GoodForOpponent(String),
    /// It defends a City, Fort or camp.
    Defending,
    /// It assaults a City, Fort or camp.
    Assaulting,
    /// The setting of this name stands at this word.
    Setting(String, String),
    /// Not this.
    Not(Box<When>),
    /// Any of these.
    OneOf(Vec<When>),
}

impl When {
    /// Every troop selector inside, for checking codes.
    pub fn selectors(&self) -> Vec<&Which> {
        match self {
            Self::Opponent(which) | Self::ShotBy(which) => vec![which],
            Self::Not(inner) => inner.selectors(),
            Self::OneOf(parts) => parts.iter().flat_map(Self::selectors).collect(),
            _ => Vec::new(),
        }
    }

    /// Every setting that it reads, with the word that it asks for, if one.
    pub fn settings(&self) -> Vec<(&str, Option<&str>)> {
        match self {
            Self::GoodGoing(id) | Self::GoodForOpponent(id) => vec![(id, None)],
            Self::Setting(id, word) => vec![(id, Some(word))],
            Self::Not(inner) => inner.settings(),
            Self::OneOf(parts) => parts.iter().flat_map(Self::settings).collect(),
            _ => Vec::new(),
        }
    }
}

/// One row. Of a band's rows the first that fits decides.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    /// The clause it comes from.
    pub clause: String,
    /// Other clauses that it leans on.
    #[serde(default)]
    pub with: Vec<String>,
    /// Whose row it is.
    pub of: Which,
    /// All of these must hold.
    #[serde(default)]
    pub when: Vec<When>,
    /// What becomes of it.
    pub fate: Fate,
    /// The row in a few words.
    pub says: String,
}

/// The whole table.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcomes {
    /// Equal totals.
    pub equal: Vec<Row>,
    /// Lesser totals.
    pub lesser: Vec<Row>,
    /// Half or less.
    pub half: Vec<Row>,
}

impl Outcomes {
    /// The rows of a band.
    pub fn rows(&self, band: Band) -> &[Row] {
        match band {
            Band::Equal => &self.equal,
            Band::Lesser => &self.lesser,
            Band::Half => &self.half,
        }
    }

    /// Every row with its band.
    pub fn all(&self) -> impl Iterator<Item = (Band, &Row)> {
        [Band::Equal, Band::Lesser, Band::Half]
            .into_iter()
            .flat_map(|band| self.rows(band).iter().map(move |row| (band, row)))
    }
}
