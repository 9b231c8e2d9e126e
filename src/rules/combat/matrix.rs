//! The outcome matrix: what becomes of every troop type that fails to beat every other, in close combat and under
//! fire, in each going.
//!
//! Nothing but the named going applies: open ground, no support, no overlap, nobody lined up badly. Shooting has a
//! row only where the winner can shoot (clause dba3.sht.1), and the loser is the target.

use super::conditions::{Conditions, Mode, Reply, Situation, Struck};
use super::outcome::{FateRuling, Score};
use super::{Brief, brief};
use crate::rules::ruleset::{Band, Going, Troop};
use crate::rules::terrain::Surface;
use crate::rules::{AskError, Settings, notation};

/// Close combat or shooting, in the matrix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combat {
    /// Close combat.
    Close,
    /// The winner shoots at the loser, from anywhere but behind, alone.
    Shooting,
}

impl Combat {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Close, Self::Shooting];

    /// Its name in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Close => "close",
            Self::Shooting => "shooting",
        }
    }
}

/// One row of the matrix.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell<'r> {
    /// Whose fate it is; with equal totals one of the two.
    pub loser: &'r Troop,
    /// Its opponent.
    pub winner: &'r Troop,
    /// Close combat or shooting.
    pub combat: Combat,
    /// How the loser's total compares.
    pub result: Band,
    /// What the loser stands in.
    pub loser_going: Going,
    /// What the winner stands in.
    pub winner_going: Going,
    /// What becomes of the loser.
    pub fate: FateRuling,
}

/// Every row: for each pair of troop types the close combats, then the shooting, results in the rules' order, own
/// going before the opponent's.
///
/// # Errors
/// None where the ruleset's codes can be written in notation, which is tested.
pub fn matrix(settings: &Settings) -> Result<Vec<Cell<'_>>, AskError> {
    let troops = settings.ruleset().troops();
    let mut cells = Vec::new();
    for loser in troops {
        for winner in troops {
            for combat in Combat::ALL {
                if combat == Combat::Shooting && !winner.shoots() {
                    continue;
                }
                pair(settings, (loser, winner), combat, &mut cells)?;
            }
        }
    }
    Ok(cells)
}

fn pair<'r>(
    settings: &Settings,
    (loser, winner): (&'r Troop, &'r Troop),
    combat: Combat,
    cells: &mut Vec<Cell<'r>>,
) -> Result<(), AskError> {
    let grounds = || Going::ALL.into_iter().flat_map(|own| Going::ALL.map(|other| (own, other)));
    let briefs: Vec<((Going, Going), Brief)> = grounds()
        .map(|(own, other)| Ok(((own, other), meeting(settings, (loser, winner), combat, (own, other))?)))
        .collect::<Result<_, AskError>>()?;
    for (result, score) in
        [(Band::Equal, Score::Equal), (Band::Lesser, Score::AWins), (Band::Half, Score::ADoubles)]
    {
        for ((loser_going, winner_going), brief) in &briefs {
            cells.push(Cell {
                loser,
                winner,
                combat,
                result,
                loser_going: *loser_going,
                winner_going: *winner_going,
                fate: brief.consequence(score).1,
            });
        }
    }
    Ok(())
}

/// The winner first, which is the shooter, and the loser second.
fn meeting(
    settings: &Settings,
    (loser, winner): (&Troop, &Troop),
    combat: Combat,
    (loser_going, winner_going): (Going, Going),
) -> Result<Brief, AskError> {
    let lines = format!("A {} red (5,5)-(6,5) N; B {} blue (6,5)-(5,5) S", winner.code, loser.code);
    let setup = notation::read_setup(&lines, settings.ruleset())
        .expect("two elements front to front with codes of the ruleset are a setup");
    let on = |going| Situation { ground: Some(Surface::of(going)), ..Situation::default() };
    let mode = match combat {
        Combat::Close => Mode::CloseCombat,
        Combat::Shooting => Mode::Shooting { struck: Struck::Elsewhere, reply: Reply::None, aiders: 0 },
    };
    let conditions = Conditions { a: on(winner_going), b: on(loser_going), mode, ..Conditions::default() };
    brief(&setup, settings, &conditions, "A", "B")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::ruleset::Fate;

    fn fate(cells: &[Cell<'_>], row: (&str, &str, Combat, Band, Going, Going)) -> Fate {
        let (loser, winner, combat, result, own, other) = row;
        let found: Vec<&Cell<'_>> = cells
            .iter()
            .filter(|c| c.loser.code == loser && c.winner.code == winner && c.combat == combat)
            .filter(|c| c.result == result && c.loser_going == own && c.winner_going == other)
            .collect();
        assert_eq!(found.len(), 1, "{row:?}");
        found[0].fate.fate
    }

    #[test]
    fn rows_follow_the_clauses_examples() {
        use Band::{Equal, Half, Lesser};
        use Combat::{Close, Shooting};
        use Going::{Bad, Good, Rough};
        let settings = Settings::dba3();
        let cells = matrix(&settings).expect("a matrix");
        let rows = [
            (("3Kn", "4Lb", Close, Equal, Good, Good), Fate::Destroyed),
            (("3Kn", "4Lb", Shooting, Equal, Good, Good), Fate::None),
            (("4Sp", "3Kn", Close, Lesser, Good, Bad), Fate::Destroyed),
            (("4Sp", "3Kn", Close, Lesser, Rough, Good), Fate::Recoil),
            (("Cv", "4Pk", Close, Half, Good, Good), Fate::Flee),
            (("Cv", "4Pk", Close, Half, Bad, Good), Fate::Destroyed),
            (("Cv", "Art", Shooting, Half, Good, Good), Fate::Destroyed),
            (("Cv", "Art", Close, Half, Good, Good), Fate::Flee),
            (("Ps", "Ps", Close, Half, Good, Good), Fate::Destroyed),
            (("Ps", "4Bw", Shooting, Half, Good, Good), Fate::Flee),
            (("7Hd", "4Bd", Close, Lesser, Good, Good), Fate::None),
            (("7Hd", "4Bw", Shooting, Lesser, Good, Good), Fate::Recoil),
        ];
        for (row, expected) in rows {
            assert_eq!(fate(&cells, row), expected, "{row:?}");
        }
    }

    #[test]
    fn only_bows_war_wagons_and_artillery_shoot() {
        let settings = Settings::dba3();
        let cells = matrix(&settings).expect("a matrix");
        let troops = settings.ruleset().troops().len();
        let shooters: std::collections::BTreeSet<&str> =
            cells.iter().filter(|c| c.combat == Combat::Shooting).map(|c| c.winner.code.as_str()).collect();
        assert!(shooters.contains("Mtd-4Lb") && shooters.contains("WWg") && shooters.contains("Art"));
        assert!(!shooters.contains("Ps") && !shooters.contains("CP"));
        assert_eq!(cells.len(), troops * (troops + shooters.len()) * 27);
    }
}
