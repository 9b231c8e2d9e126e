//! A written battle: where everything stands at first, and bound by bound what is done and thrown, with what is
//! expected of it. `docs/formats.md` describes every field.

use super::Battle;
use crate::rules::ruleset::{DataFile, Fate, Placed, Problem};
use crate::rules::terrain::{BaseEdges, BoardEdge, Feature};
use crate::rules::victory::Places;
use crate::rules::written::Head;
use crate::rules::{Settings, Setup, Side, notation, stronghold};
use serde::Deserialize;

/// A written battle.
#[derive(Debug, Clone)]
pub struct Script {
    /// What it is called.
    pub name: String,
    /// What holds for the whole of it.
    pub battle: Battle,
    /// The table before the first bound.
    pub setup: Setup,
    /// Its bounds, in order.
    pub bounds: Vec<Written>,
}

/// One bound as it is written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// Whose bound it is.
    pub side: Side,
    /// The PIP die.
    pub pips: u8,
    /// Dice for rivers, each before the move of the same place in `moves`: the river, the die, how many moves come
    /// before it.
    #[serde(default)]
    pub rivers: Vec<(String, u8, usize)>,
    /// Cities whose denizens revolt, before the moves.
    #[serde(default)]
    pub revolts: Vec<String>,
    /// The moves, in the notation of moves.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Contacted elements whose player has them stay and fight as overlapped, where he may.
    #[serde(default)]
    pub refuses: Vec<String>,
    /// Whom elements face whose owner chooses.
    #[serde(default)]
    pub faces: Vec<(String, String)>,
    /// The shooting, in its order.
    #[serde(default)]
    pub shooting: Vec<WrittenShot>,
    /// The close combats, in their order.
    #[serde(default)]
    pub combats: Vec<WrittenCombat>,
    /// What is expected at the end of it.
    #[serde(default)]
    pub after: Option<Checkpoint>,
}

/// The shooting at one target.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenShot {
    /// The target.
    pub at: String,
    /// Who shoots, first the one that rolls.
    pub by: Vec<String>,
    /// The shooter's die and the target's.
    pub dice: (u8, u8),
    /// Mounted elements that recoil by their own depth.
    #[serde(default)]
    pub own_depth: Vec<String>,
    /// The totals expected, dice included; the shooter's first.
    #[serde(default)]
    pub totals: Option<(i32, i32)>,
    /// The fates expected.
    #[serde(default)]
    pub fates: Option<(Fate, Fate)>,
    /// Where elements are expected to stand afterwards, in notation.
    #[serde(default)]
    pub ends: Option<String>,
    /// Who is expected to have been lost by it.
    #[serde(default)]
    pub lost: Option<Vec<String>>,
}

/// One close combat.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WrittenCombat {
    /// Who fights.
    pub of: (String, String),
    /// Their dice.
    pub dice: (u8, u8),
    /// Who of several assaulters moves into the City whose last defenders this combat destroys.
    #[serde(default)]
    pub occupies: Option<String>,
    /// Mounted elements that recoil by their own depth.
    #[serde(default)]
    pub own_depth: Vec<String>,
    /// The totals expected, dice included.
    #[serde(default)]
    pub totals: Option<(i32, i32)>,
    /// The fates expected.
    #[serde(default)]
    pub fates: Option<(Fate, Fate)>,
    /// Where elements are expected to stand afterwards, in notation.
    #[serde(default)]
    pub ends: Option<String>,
    /// Who is expected to have been lost by it.
    #[serde(default)]
    pub lost: Option<Vec<String>>,
}

/// What is expected at the end of a bound. What is not given is not compared.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Checkpoint {
    /// Where elements stand, in notation; those not named are not compared.
    #[serde(default)]
    pub ends: Option<String>,
    /// Everybody that is lost so far.
    #[serde(default)]
    pub lost: Option<Vec<String>>,
    /// What each side's losses count, red's first.
    #[serde(default)]
    pub losses: Option<(i32, i32)>,
    /// What has become of camps and Cities.
    #[serde(default)]
    pub places: Option<(Places, Places)>,
    /// Who has won.
    #[serde(default)]
    pub victor: Option<Side>,
}

impl Script {
    /// Reads a battle file.
    ///
    /// # Errors
    /// Every problem, with line and column; one of the setup with those of its own text.
    pub fn read(name: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let mut file = DataFile::read(name, text);
        let Head { name: title, settings } = Head::read(&mut file);
        let defender: Option<Side> = file.one("defender");
        let near: Option<Side> = file.one_if_any("near");
        let lines: Option<String> = file.one("setup");
        let bounds: Vec<Placed<Written>> = file.rows("bounds");
        let mut setup = None;
        if let (Some(lines), Some(settings)) = (&lines, &settings) {
            match notation::read_setup(lines, settings.ruleset()) {
                Ok(found) => setup = Some(stronghold::peopled(&found, settings.ruleset()).into_owned()),
                Err(errors) => {
                    errors.iter().for_each(|e| file.note_field("setup", format!("of the setup, {e}")))
                }
            }
        }
        for (before, now) in bounds.iter().zip(bounds.iter().skip(1)) {
            if before.value.side == now.value.side {
                let text = "the sides take bounds by turns, and the one before is this side's as well";
                file.note(now.at, text.to_owned());
            }
        }
        if let (Some(first), Some(side)) = (bounds.first(), defender)
            && first.value.side != side
        {
            file.note(first.at, "the defender takes the first bound".to_owned());
        }
        if let (Some(setup), Some(settings)) = (&setup, &settings) {
            for place in nameless(setup, settings) {
                let text =
                    format!("{place} is held, and by no element: write who is inside as one, with `in=`");
                file.note_field("setup", text);
            }
        }
        if let (Some(setup), Some(side)) = (&mut setup, near) {
            let said = BaseEdges::with(side, BoardEdge::Near);
            if ![said, BaseEdges::USUAL].contains(&setup.edges) {
                let edge = setup.edges.red.word();
                let text = format!("the setup says `edge red {edge}`: leave `near` out, or that");
                file.note_field("near", text);
            }
            setup.edges = said;
        }
        let problems = file.finish();
        match (title, settings, defender, setup) {
            (Some(name), Some(settings), Some(defender), Some(setup)) if problems.is_empty() => {
                let bounds = bounds.into_iter().map(|b| b.value).collect();
                Ok(Self { name, battle: Battle { settings, defender }, setup, bounds })
            }
            _ => Err(problems),
        }
    }
}

/// Camps, Cities and Forts that somebody holds who is no element of the setup.
fn nameless(setup: &Setup, settings: &Settings) -> Vec<String> {
    let held = |f: &&Feature| stronghold::held(setup, settings.ruleset(), f).is_some();
    let empty = |f: &&Feature| stronghold::inside(setup, f).next().is_none();
    setup.ground.features.iter().filter(held).filter(empty).map(|f| f.name.clone()).collect()
}
