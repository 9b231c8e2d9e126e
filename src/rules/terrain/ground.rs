//! What lies where: the features, rivers and roads of one table, and what dice have settled about them.

use super::TerrainKind;
use crate::geometry::{Point, Polygon, Segment};
use crate::rules::Side;
use crate::rules::stronghold::Past;
use thiserror::Error;

/// The ground of a table. The default is a bare table: flat good going everywhere.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ground {
    /// Areas: woods, hills, fields, buildings, camps, water. Names are unique in the whole ground.
    pub features: Vec<Feature>,
    /// Rivers.
    pub rivers: Vec<River>,
    /// Roads.
    pub roads: Vec<Road>,
    /// Whether Plough is rough in this game.
    pub plough: Plough,
}

/// One area.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// Its name, unique in the ground.
    pub name: String,
    /// What it is.
    pub kind: TerrainKind,
    /// Its rim.
    pub outline: Polygon,
    /// Crest and height, of a hill.
    pub hill: Option<Hill>,
    /// Whose camp it is; of other kinds who owned it at the start, where that matters.
    pub side: Option<Side>,
    /// Who is inside, of a camp, City or Fort, as far as no element says so by its location.
    pub holder: Holder,
    /// Where a City or Fort has its gates: places on its rim (clauses dba3.city.2, dba3.faq.2). None where nobody
    /// said.
    pub gates: Vec<Point>,
    /// What has happened to a camp, City or Fort.
    pub past: Past,
}

impl Feature {
    /// How high it stands up at once at its rim, millimetres: a stepped hill's height, else none.
    pub fn step_mm(&self) -> f64 {
        let stepped = self.hill.as_ref().filter(|hill| hill.profile == Profile::Stepped);
        stepped.map_or(0.0, |hill| hill.height_mm)
    }
}

/// The shape of a hill.
#[derive(Debug, Clone, PartialEq)]
pub struct Hill {
    /// The line that everything rises to (clause dba3.going.14): two points or more.
    pub crest: Vec<Point>,
    /// Height of the crest over the table, millimetres, zero or more.
    pub height_mm: f64,
    /// How the model rises.
    pub profile: Profile,
}

/// How a model hill rises.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Profile {
    /// Evenly from its rim to its crest.
    #[default]
    Slope,
    /// At once: the top is level, and bases on it stand level.
    Stepped,
}

/// Who is inside a camp, City or Fort beside elements located there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Holder {
    /// Nobody.
    #[default]
    Nobody,
    /// Denizens or camp followers of that side.
    Civilians(Side),
    /// A troop element of that side.
    Troops(Side),
}

/// Whether Plough is rough (clause dba3.going.12). Settled by the first PIP score of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Plough {
    /// The first die of the game is not known: Plough counts as good, and a ruling on it says so.
    #[default]
    Undiced,
    /// It was no 1.
    Good,
    /// It was a 1.
    Rough,
}

impl Plough {
    /// What the first PIP score of the game makes of Plough.
    pub fn of_first_score(score: u8) -> Self {
        if score == 1 { Self::Rough } else { Self::Good }
    }
}

/// A line with a width: the course of a river or the centre of a road. Invariants: two points or more, all
/// finite, neighbours apart; the width finite and more than zero.
#[derive(Debug, Clone, PartialEq)]
pub struct Way {
    line: Vec<Point>,
    width_mm: f64,
}

/// Why points and a width make no way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum WayError {
    /// Fewer than two points.
    #[error("a river or road needs at least two points")]
    TooFew,
    /// Infinite, not a number, or twice the same in a row.
    #[error("point {point} of the river or road is no place, or is the same as the one before")]
    NotAPlace {
        /// Which, from 1.
        point: usize,
    },
    /// No width.
    #[error("a river or road needs a width of more than zero")]
    Width,
}

impl Way {
    /// Along these points, so wide.
    ///
    /// # Errors
    /// Where they make no line or the width is none.
    pub fn new(line: Vec<Point>, width_mm: f64) -> Result<Self, WayError> {
        if line.len() < 2 {
            return Err(WayError::TooFew);
        }
        let bad =
            |n: usize| !(line[n].x.is_finite() && line[n].y.is_finite()) || (n > 0 && line[n] == line[n - 1]);
        if let Some(at) = (0..line.len()).find(|&n| bad(n)) {
            return Err(WayError::NotAPlace { point: at + 1 });
        }
        if !(width_mm.is_finite() && width_mm > 0.0) {
            return Err(WayError::Width);
        }
        Ok(Self { line, width_mm })
    }

    /// The points of its middle line, in order.
    pub fn line(&self) -> &[Point] {
        &self.line
    }

    /// From edge to edge, millimetres.
    pub fn width_mm(&self) -> f64 {
        self.width_mm
    }

    /// Its straight parts, in order.
    pub fn parts(&self) -> impl Iterator<Item = Segment> + '_ {
        self.line.windows(2).map(|pair| Segment::new(pair[0], pair[1]))
    }

    /// Along its middle from end to end, millimetres.
    pub fn length_mm(&self) -> f64 {
        self.parts().map(|part| part.length()).sum()
    }
}

/// A river. It has no going of its own (clause dba3.riv.6).
#[derive(Debug, Clone, PartialEq)]
pub struct River {
    /// Its name, unique in the ground.
    pub name: String,
    /// Where it flows, and how wide.
    pub course: Way,
    /// What the river die has settled.
    pub state: RiverState,
}

/// What is known of a river (clauses dba3.riv.7, .8, dba3.rx.3 to .6). The same over its whole length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RiverState {
    /// Nobody has tried to cross it off a road.
    #[default]
    Unknown,
    /// 1 or 2: no defence, crossed as good going.
    Paltry,
    /// 3 or 4: it slows, and its banks are defended.
    Slowing,
    /// 5 or 6: as 3 or 4, and only single elements and columns cross.
    ColumnsOnly,
}

impl RiverState {
    /// All with the words that files use.
    pub const ALL: [(&'static str, Self); 4] = [
        ("unknown", Self::Unknown),
        ("paltry", Self::Paltry),
        ("slowing", Self::Slowing),
        ("columns-only", Self::ColumnsOnly),
    ];

    /// What a score of the river die makes of it, or `None` where a die cannot show it.
    pub fn of_score(score: u8) -> Option<Self> {
        match score {
            1 | 2 => Some(Self::Paltry),
            3 | 4 => Some(Self::Slowing),
            5 | 6 => Some(Self::ColumnsOnly),
            _ => None,
        }
    }

    /// The word that files use.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, state)| *state == self).map_or("", |(word, _)| word)
    }

    /// Whether its banks are defended: `None` while nobody knows.
    pub fn banks_defended(self) -> Option<bool> {
        match self {
            Self::Unknown => None,
            Self::Paltry => Some(false),
            Self::Slowing | Self::ColumnsOnly => Some(true),
        }
    }
}

/// A road.
#[derive(Debug, Clone, PartialEq)]
pub struct Road {
    /// Its name, unique in the ground.
    pub name: String,
    /// Its centre line, and how wide it is drawn.
    pub course: Way,
}

impl Ground {
    /// The feature of that name.
    pub fn feature(&self, name: &str) -> Option<&Feature> {
        self.features.iter().find(|f| f.name == name)
    }

    /// Whether nothing lies on the table.
    pub fn is_bare(&self) -> bool {
        self.features.is_empty() && self.rivers.is_empty() && self.roads.is_empty()
    }

    /// Every name in use.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let rivers = self.rivers.iter().map(|r| r.name.as_str());
        let roads = self.roads.iter().map(|r| r.name.as_str());
        self.features.iter().map(|f| f.name.as_str()).chain(rivers).chain(roads)
    }
}
