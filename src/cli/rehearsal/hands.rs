//! What hands do to a table, and how it is read: bases put where a battle has them, each a little off; the lost taken
//! off; a table that is bumped. Millimetres and degrees.

use crate::geometry::{Footprint, Pose, PoseEstimate, Rest, Vector};
use crate::judge::{ElementReading, Roster, RosterFile, Table, parse_roster, samples};
use crate::rules::battle::Script;
use crate::rules::{Location, Setup};
use crate::session::engine::Engine;
use crate::tracking::Visibility;
use nalgebra::{Matrix3, Vector3};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

/// A hand leaves a base so far off, each way, at most, and so far askew. A choice.
const HAND_MM: f64 = 0.25;
const HAND_DEG: f64 = 0.25;
/// The camera reads it so far off, one sigma: what simulated pictures give.
const READ_MM: f64 = 0.05;
/// A base that stands elsewhere than it did is put anew, millimetres.
const ANEW_MM: f64 = 0.5;
/// Side of the whole print of a tag of 12 mm, and the depth of a base that has room for it behind its figures.
const PRINT_MM: f64 = 15.0;
const ROOM_MM: f64 = 30.0;
/// The lost have been off the table for so long when it is looked at.
const OFF: Duration = Duration::from_secs(5);

/// A table with hands at it.
pub struct Hands {
    table: Table,
    roster: Roster,
    script: Script,
    rng: ChaCha8Rng,
    /// Where the battle has each base, and where it really stands.
    stands: BTreeMap<String, (Footprint, Pose, bool)>,
    /// How far everything has slid.
    slid: Vector,
}

impl Hands {
    /// At the table of that battle.
    ///
    /// # Errors
    /// In words: its elements make no roster.
    pub fn new(script: &Script, seed: u64) -> Result<Self, String> {
        let setup = &script.setup;
        let table = Table {
            board_mm: setup.board_mm,
            scale: setup.scale,
            ground: setup.ground.clone(),
            red_edge: Some(setup.edges.red),
            ..samples::table()
        };
        let mut text = "(schema: 1, elements: [".to_owned();
        for (n, e) in setup.elements.iter().enumerate() {
            let location = match e.location {
                Location::Board => "board",
                Location::Reserve => "reserve",
                Location::Camp => "camp",
                Location::City => "city",
                Location::Fort => "fort",
                Location::Off => "off",
            };
            let (wide, deep) = (e.footprint.width_mm(), e.footprint.depth_mm());
            // Where there is room behind the figures the tag lies flat, else it stands on a stalk: as in the samples.
            let (ahead, height) =
                if deep >= ROOM_MM { (PRINT_MM / 2.0 + 0.5 - deep / 2.0, 0.3) } else { (0.0, 30.0) };
            // Writing to a text cannot fail.
            let _ = write!(
                text,
                "(name: \"{}\", side: {}, troop: \"{}\", general: {}, tower: {}, location: {location}, base: ({wide:?}, {deep:?}), \
                 tags: [(family: \"tag36h11\", id: {}, size: 12, offset: (0, {ahead:?}), height: {height:?}, offset_sigma: 0.05, \
                 rotation_sigma: 0.1, height_sigma: 0.1, lean_sigma: 0.1)]),",
                e.name,
                e.side.word(),
                e.troop,
                e.general,
                e.tower,
                20 + n
            );
        }
        text.push_str("])");
        let elements = parse_roster("battle.ron", &text).map_err(|why| why.to_string())?;
        let file = RosterFile { file: "battle.ron".to_owned(), elements };
        let rules = script.battle.settings.ruleset();
        let roster = Roster::of(&table, vec![file], rules).map_err(|why| format!("{why:?}"))?;
        let rng = ChaCha8Rng::seed_from_u64(seed ^ 0x7265_6865_6172);
        let (stands, slid) = (BTreeMap::new(), Vector::zeros());
        Ok(Self { table, roster, script: script.clone(), rng, stands, slid })
    }

    /// Table, roster and rules of the battle.
    pub fn engine(&self) -> Engine {
        Engine::new(self.table.clone(), self.roster.clone(), self.script.battle.settings.clone())
    }

    /// The table's file.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Who may stand on it.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// Where everybody who is on the table really stands.
    pub fn stand(&self) -> BTreeMap<String, Pose> {
        let there = self.stands.iter().filter(|(_, (_, _, there))| *there);
        there.map(|(name, (_, pose, _))| (name.clone(), *pose)).collect()
    }

    /// Whether something happens that happens so often in 100.
    pub fn chance(&mut self, of_100: u32) -> bool {
        self.rng.random_range(0..100) < of_100
    }

    /// Every base that stands elsewhere in the battle than it did is put there; who is lost is taken off.
    pub fn put_all(&mut self, setup: &Setup) {
        for element in setup.elements.iter().filter(|e| e.location != Location::Off) {
            let anew = self.stands.get(&element.name).is_none_or(|(was, _, there)| {
                !there || crate::session::engine::furthest(was, &element.footprint) > ANEW_MM
            });
            if anew {
                let mut off = |most: f64| self.rng.random_range(-most..most);
                let by = Vector::new(off(HAND_MM), off(HAND_MM));
                let turn = off(HAND_DEG).to_radians();
                let mut pose = element.footprint.pose().nudged(by + self.slid, turn);
                // Who measures goes no further than he may: a way straight on is no longer than the battle has it.
                if let Some((was, stood, true)) = self.stands.get(&element.name) {
                    let way = element.footprint.pose().centre - was.pose().centre;
                    let straight =
                        was.pose().heading.turn_to_radians(element.footprint.pose().heading).abs() < 1e-6;
                    if let Some(on) = way.try_normalize(ANEW_MM).filter(|_| straight) {
                        let over = (pose.centre - stood.centre).dot(&on) - way.norm();
                        pose = pose.nudged(-on * over.max(0.0), 0.0);
                    }
                }
                self.stands.insert(element.name.clone(), (element.footprint, pose, true));
            }
        }
        for (name, (_, _, there)) in &mut self.stands {
            *there &= setup.element(name).is_some_and(|e| e.location != Location::Off);
        }
    }

    /// The table is bumped: everything slides a little.
    pub fn bump(&mut self) {
        let by = Vector::new(self.rng.random_range(4.0..9.0), self.rng.random_range(-8.0..-3.0));
        self.slid += by;
        for (_, pose, _) in self.stands.values_mut() {
            *pose = pose.nudged(by, 0.0);
        }
    }

    /// The table as it is read.
    pub fn readings(&mut self) -> Vec<ElementReading> {
        let names: Vec<_> = self.roster.elements().iter().map(|e| (e.name.clone(), e.side)).collect();
        let mut readings = Vec::new();
        for (name, side) in names {
            let stands = self.stands.get(&name).copied();
            // The sum of three flat draws is near enough to how readings scatter.
            let mut off = || (0..3).map(|_| self.rng.random_range(-1.0..1.0)).sum::<f64>() * READ_MM;
            let pose = stands.map(|(_, pose, _)| PoseEstimate {
                covariance: Matrix3::from_diagonal(&Vector3::new(READ_MM.powi(2), READ_MM.powi(2), 1.0e-6)),
                ..PoseEstimate::exact(pose.nudged(Vector::new(off(), off()), 0.0))
            });
            let visibility = match stands {
                None => Visibility::Missing,
                Some((_, _, true)) => Visibility::Seen,
                Some((_, _, false)) => Visibility::Covered { age: OFF },
            };
            readings.push(ElementReading { name, side, visibility, at_rest: true, pose, rest: Rest::TABLE });
        }
        readings
    }
}
