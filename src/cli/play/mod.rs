//! Simulated play of whole games: armies that move, contact and fight by chance and by the rules, looked at
//! as a camera would, and whether what was seen tells what was done.
//!
//! A look shows the table before and after one move, or after several. Places are off by chance as told, the
//! heading by as much over a base width. Everything is drawn from a seed: the same seed plays the same games.
//! Table frame, millimetres.

mod attempts;
mod contact;
mod game;
mod score;
mod table;

pub use game::{Game, Look, Made};
pub use score::{Missed, Score, Tally, play};
pub use table::table;

/// What sort of move was made. Each is counted by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sort {
    /// A single element.
    Single,
    /// A single element by way of a point aside.
    Detour,
    /// A single element that turns where it stands.
    TurnOnTheSpot,
    /// A group, straight ahead.
    GroupAhead,
    /// A group that wheels.
    GroupWheel,
    /// A column, straight ahead.
    ColumnAhead,
    /// A column that wheels in succession.
    ColumnWheel,
    /// A line that narrows into a column.
    IntoColumn,
    /// By road.
    Road,
    /// A group that pivots and slides in an enemy's zone.
    ZoneLineUp,
    /// A single element into contact.
    Contact,
    /// A group into contact, which conforms.
    GroupContact,
    /// A mounted element dismounts.
    Dismount,
    /// A second or later move in the bound.
    Again,
    /// Several moves in one look.
    Several,
}

impl Sort {
    /// Every sort.
    pub const ALL: [Self; 15] = [
        Self::Single,
        Self::Detour,
        Self::TurnOnTheSpot,
        Self::GroupAhead,
        Self::GroupWheel,
        Self::ColumnAhead,
        Self::ColumnWheel,
        Self::IntoColumn,
        Self::Road,
        Self::ZoneLineUp,
        Self::Contact,
        Self::GroupContact,
        Self::Dismount,
        Self::Again,
        Self::Several,
    ];

    /// What it is called in the study's figures.
    pub fn name(self) -> &'static str {
        match self {
            Self::Single => "single",
            Self::Detour => "single, detour",
            Self::TurnOnTheSpot => "turn on the spot",
            Self::GroupAhead => "group ahead",
            Self::GroupWheel => "group wheel",
            Self::ColumnAhead => "column ahead",
            Self::ColumnWheel => "column wheel",
            Self::IntoColumn => "into column",
            Self::Road => "road",
            Self::ZoneLineUp => "line-up in a zone",
            Self::Contact => "contact",
            Self::GroupContact => "group contact",
            Self::Dismount => "dismount",
            Self::Again => "second move",
            Self::Several => "several in one look",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many moves are played with and without noise: the tests without the eyes run unoptimised, where one takes
    /// seconds.
    const MOVES: (usize, usize) = if cfg!(feature = "vision") { (60, 300) } else { (6, 6) };

    #[test]
    fn moves_of_whole_games_seen_exactly_are_explained() {
        let score = play(MOVES.0, 0.0, 1);
        assert_eq!(score.explained(), score.made(), "{:#?}", score.missed);
    }

    #[test]
    fn moves_of_whole_games_seen_with_noise_are_explained() {
        let score = play(MOVES.1, 0.3, 1);
        assert!(
            100 * score.explained() >= 98 * score.made(),
            "{} of {}: {:#?}",
            score.explained(),
            score.made(),
            score.missed
        );
    }

    #[test]
    fn the_same_seed_plays_the_same_games() {
        let looks = |seed: u64| {
            let mut game = Game::new(seed);
            (0..20).map(|_| game.look().after).collect::<Vec<_>>()
        };
        assert_eq!(looks(3), looks(3));
        assert_ne!(looks(3), looks(4));
    }
}
