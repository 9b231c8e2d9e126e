//! A rehearsal that is filmed: hands come in before the bases, draw them along and leave, and every frame that the
//! simulated camera draws of it goes through the whole pipeline to play, as in the window.
//!
//! Table frame, millimetres; ten frames a second. Stretches in which nothing stirs are shortened: one frame at their
//! end is drawn. Invariant: play is told nothing but what the pipeline read.

use super::hands::Hands;
use super::{Cover, Eyes, Manner};
use crate::cli::sim_scene::scene_placed_as_glued;
use crate::geometry::{Footprint, Point, Pose, Vector, separation};
use crate::judge::{ElementReading, relief};
use crate::rules::Side;
use crate::rules::terrain::TerrainKind;
use crate::session::play::Play;
use crate::tracking::Visibility;
use crate::vision::sim::{Arm, Clutter, Moment, Motion, Props, SimSettings, SimulatedCamera, Terrain};
use crate::vision::{FrameSource, Pipeline, PipelineSettings};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

const FPS: f64 = 10.0;
/// Most bases that one hand draws along together.
const TOGETHER: usize = 4;
/// How often of 100 a group that would fit one hand is drawn along together, and not one by one. A choice.
const TOGETHER_OF_100: u32 = 60;
/// How often of 100 a sleeve takes a base along that is not meant. A choice.
const KNOCKS_OF_100: u32 = 15;
/// How far it goes at most and at least, each way, millimetres.
const KNOCK_MM: std::ops::Range<f64> = 1.0..3.0;
/// It is tried so often: in a line there is seldom room for it.
const KNOCK_TRIES: usize = 12;
/// A sleeve reaches so far from where the hand grips.
const SLEEVE_MM: f64 = 70.0;
/// Hands wait until the table has been read at rest for so many frames in a row, and so many in all at most.
const RESTS: usize = 4;
const UNREST: usize = 25;
/// Seconds that pass while players look at the table.
const PAUSE_S: f64 = 4.0;
/// Seconds that pass while somebody leans over the table, for each hand that moves something meanwhile.
const LEANING_S: f64 = 15.0;
/// A base that is no further off is where it is to be.
const THERE_MM: f64 = 0.01;
/// Millimetres between trees, and from a base to where a player leaves one standing.
const TREES_MM: f64 = 19.0;
const CLEAR_MM: f64 = 15.0;
/// A base that is read so near to where it stands is found, millimetres.
const FOUND_MM: f64 = 1.0;

/// The camera over the table.
pub struct Filmed {
    camera: SimulatedCamera,
    pipeline: Pipeline,
    shown: BTreeMap<String, Pose>,
    bases: BTreeMap<String, (Side, f64, f64)>,
    trees: Vec<Point>,
    cover: Cover,
    middle: Point,
    seq: u64,
    rng: ChaCha8Rng,
    /// Bases that hands moved of late, and frames since the hands have gone.
    stirred: BTreeSet<String>,
    since: u64,
    /// What it took.
    pub spent: Spent,
}

/// How long a film is, and what it took.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Spent {
    /// Frames that were drawn and read.
    pub frames: u64,
    /// Bases that were knocked.
    pub knocks: u64,
    /// Seconds of the table's own clock.
    pub seconds: f64,
    /// Drawing them, reading them, and all that play made of them.
    pub drawing: Duration,
    /// Reading.
    pub reading: Duration,
    /// Following play.
    pub playing: Duration,
    /// For how many frames after the hands had gone bases that they moved were not seen at rest where they stand: how often
    /// for so many.
    pub late: BTreeMap<u64, u64>,
    /// Frames in which rulings were held, by the reason.
    pub held: BTreeMap<String, u64>,
    /// The furthest that a base which was seen at rest was read from where it stood, millimetres at its centre.
    pub worst_mm: f64,
}

/// One thing that a hand does.
enum Deed {
    /// Bases are drawn along.
    Draws(Vec<(String, Pose, Pose)>),
    /// A base is put down.
    Puts(String, Pose),
    /// A base is taken off.
    Takes(String, Pose),
}

impl Filmed {
    /// Over the table of these hands, in pictures of that size.
    ///
    /// # Errors
    /// In words: the table cannot be drawn.
    pub fn new(hands: &Hands, seed: u64, (width, height): (u32, u32)) -> Result<Self, String> {
        let (table, roster) = (hands.table(), hands.roster());
        if !relief(&table.ground).is_flat() {
            return Err("its hills have a height, which a filmed rehearsal does not draw".to_owned());
        }
        let woods: Vec<_> = table
            .ground
            .features
            .iter()
            .filter(|f| f.kind == TerrainKind::Wood)
            .map(|f| &f.outline)
            .collect();
        let mut trees = Vec::new();
        for wood in &woods {
            let (low, high) = wood.bounds();
            let steps = |a: f64, b: f64| {
                (0..((b - a) / TREES_MM) as usize).map(move |n| a + TREES_MM * (n as f64 + 0.7))
            };
            let all = steps(low.x, high.x).flat_map(|x| steps(low.y, high.y).map(move |y| Point::new(x, y)));
            trees.extend(all.filter(|p| wood.holds(*p)));
        }
        let felts = Terrain::Felts(woods.into_iter().cloned().collect());
        let scene = scene_placed_as_glued(table, roster, Vec::new(), seed).map_err(|why| why.to_string())?;
        let scene = scene.with(Props { terrain: felts, ..Props::default() });
        let settings = SimSettings {
            motion: Motion::Still,
            clutter: Clutter::Figures,
            fps: FPS,
            ..SimSettings::default()
        };
        let camera = SimulatedCamera::new(scene, settings.with_size(width, height), seed)
            .map_err(|why| why.to_string())?;
        let engine = hands.engine();
        let settings = PipelineSettings::for_source(&camera);
        let pipeline =
            Pipeline::new(engine.book().clone(), camera.lens(), settings).map_err(|why| why.to_string())?;
        let of =
            |e: &crate::judge::RosterElement| (e.name.clone(), (e.side, e.base.width_mm, e.base.depth_mm));
        Ok(Self {
            camera,
            pipeline,
            shown: BTreeMap::new(),
            bases: roster.elements().iter().map(of).collect(),
            trees,
            cover: Cover::None,
            middle: Point::new(table.board_mm.0 / 2.0, table.board_mm.1 * 0.55),
            seq: 0,
            rng: ChaCha8Rng::seed_from_u64(seed ^ 0x0066_696c_6d65_6421),
            stirred: BTreeSet::new(),
            since: 0,
            spent: Spent::default(),
        })
    }

    fn footprint(&self, name: &str, pose: Pose) -> Option<Footprint> {
        let (_, wide, deep) = self.bases.get(name)?;
        Footprint::new(pose, *wide, *deep)
    }

    fn moment(&self, arms: Vec<Arm>) -> Moment {
        let stand: Vec<Footprint> =
            self.shown.iter().filter_map(|(name, pose)| self.footprint(name, *pose)).collect();
        let clear = |tree: &&Point| match self.cover {
            Cover::Trees => true,
            Cover::None | Cover::Leaning => stand.iter().all(|f| f.distance_to_point(**tree) >= CLEAR_MM),
        };
        Moment {
            places: self.shown.clone(),
            arms,
            leaning: (self.cover == Cover::Leaning).then_some(self.middle),
            trees: self.trees.iter().filter(clear).copied().collect(),
        }
    }

    /// Whether what hands moved of late is seen at rest where it stands, and for how many frames it was not.
    fn count_late(&mut self, readings: &[ElementReading]) {
        let there = |name: &String| {
            let reading = readings.iter().find(|r| r.name == *name);
            let seen = reading.filter(|r| r.visibility == Visibility::Seen && r.at_rest);
            match (seen.and_then(|r| r.pose.as_ref()), self.shown.get(name)) {
                (Some(pose), Some(shown)) => (pose.pose.centre - shown.centre).norm() <= FOUND_MM,
                (None, None) => true,
                (Some(_), None) | (None, Some(_)) => false,
            }
        };
        self.since += 1;
        if !self.stirred.is_empty() && self.stirred.iter().all(there) {
            *self.spent.late.entry(self.since).or_default() += 1;
            self.stirred.clear();
        }
    }

    /// One frame, read and played. Whether the table was at rest, and nothing held.
    fn frame(&mut self, play: &mut Play, arms: Vec<Arm>) -> Result<bool, String> {
        let begun = Instant::now();
        let free = arms.is_empty();
        self.camera.show(self.moment(arms));
        self.camera.skip_to(self.seq);
        let frame = self.camera.next_frame().map_err(|why| why.to_string())?;
        let frame = frame.ok_or("the simulated camera gave no picture")?;
        let drawn = Instant::now();
        let reading = self.pipeline.take(&frame);
        let read = Instant::now();
        let (snapshot, rest) = (&reading.snapshot, reading.snapshot.at_rest());
        let readings = play.engine().read(snapshot);
        if let Some(held) = snapshot.held {
            *self.spent.held.entry(held.to_string()).or_default() += 1;
        }
        if free {
            self.count_late(&readings);
        }
        if rest && snapshot.held.is_none() {
            for r in readings.iter().filter(|r| r.visibility == Visibility::Seen && r.at_rest) {
                if let (Some(pose), Some(shown)) = (&r.pose, self.shown.get(&r.name)) {
                    let off = (pose.pose.centre - shown.centre).norm();
                    self.spent.worst_mm = self.spent.worst_mm.max(off);
                }
            }
        }
        let settled = rest && snapshot.held.is_none();
        play.look(readings, snapshot.held, rest);
        play.catch_up();
        play.events();
        self.spent.frames += 1;
        self.spent.seconds = self.seq as f64 / FPS;
        self.spent.drawing += drawn - begun;
        self.spent.reading += read - drawn;
        self.spent.playing += read.elapsed();
        self.seq += 1;
        Ok(settled)
    }

    /// Time passes in which nothing is drawn.
    fn pass(&mut self, seconds: f64) {
        self.seq += (seconds * FPS) as u64;
    }

    /// Frames without hands until the table has been at rest for a while.
    fn rest(&mut self, play: &mut Play) -> Result<(), String> {
        let mut rests = 0;
        for _ in 0..UNREST {
            rests = if self.frame(play, Vec::new())? { rests + 1 } else { 0 };
            if rests == RESTS {
                break;
            }
        }
        Ok(())
    }

    /// What hands have to do until everything stands as it is to, in the order in which they do it.
    fn deeds(&mut self, to: &BTreeMap<String, Pose>) -> Vec<Deed> {
        let gone = self.shown.iter().filter(|(name, _)| !to.contains_key(*name));
        let mut deeds: Vec<Deed> = gone.map(|(name, pose)| Deed::Takes(name.clone(), *pose)).collect();
        let mut moved: Vec<(String, Pose, Pose)> = Vec::new();
        for (name, pose) in to {
            match self.shown.get(name) {
                None => deeds.push(Deed::Puts(name.clone(), *pose)),
                Some(was) if apart(was, pose) => moved.push((name.clone(), *was, *pose)),
                Some(_) => {}
            }
        }
        // Who goes back makes room first; of those who go one way the foremost goes first.
        let back = |was: &Pose, is: &Pose| (is.centre - was.centre).dot(&was.heading.vector()) < -1.0;
        let on = |was: &Pose, is: &Pose| {
            (is.centre - was.centre).try_normalize(0.5).map_or(0.0, |way| was.centre.coords.dot(&way))
        };
        moved.sort_by(|a, b| {
            back(&b.1, &b.2).cmp(&back(&a.1, &a.2)).then(on(&b.1, &b.2).total_cmp(&on(&a.1, &a.2)))
        });
        let mut batches: Vec<Vec<(String, Pose, Pose)>> = Vec::new();
        let mut together = false;
        for one in moved {
            let side = |name: &str| self.bases.get(name).map(|b| b.0);
            let fits = batches.last().is_some_and(|batch: &Vec<(String, Pose, Pose)>| {
                let (name, was, is) = &batch[0];
                let same = ((is.centre - was.centre) - (one.2.centre - one.1.centre)).norm() < 3.0;
                same && batch.len() < TOGETHER && side(name) == side(&one.0)
            });
            if !fits {
                together = self.rng.random_range(0..100) < TOGETHER_OF_100;
            }
            match batches.last_mut() {
                Some(batch) if fits && together => batch.push(one),
                _ => batches.push(vec![one]),
            }
        }
        deeds.extend(batches.into_iter().map(Deed::Draws));
        deeds
    }

    fn side_of(&self, deed: &Deed) -> Option<Side> {
        let name = match deed {
            Deed::Draws(all) => &all.first()?.0,
            Deed::Puts(name, _) | Deed::Takes(name, _) => name,
        };
        self.bases.get(name).map(|b| b.0)
    }

    /// Several hands at once, each with one thing to do.
    fn hands(&mut self, play: &mut Play, deeds: &[Deed]) -> Result<(), String> {
        // How far the hand is in, and how much of its deed is done.
        for (share, done) in [(0.5, 0.0), (1.0, 0.0), (1.0, 0.5), (1.0, 1.0), (0.5, 1.0)] {
            let mut arms = Vec::new();
            for deed in deeds {
                let grip = self.does(deed, done);
                let towards = if self.side_of(deed) == Some(Side::Red) { -1.0 } else { 1.0 };
                arms.push(Arm { grip, player: Vector::new(0.18, towards), share });
            }
            if share == 1.0 && done == 0.5 {
                self.knock(deeds);
            }
            self.frame(play, arms)?;
        }
        self.since = 0;
        for deed in deeds {
            match deed {
                Deed::Draws(all) => self.stirred.extend(all.iter().map(|(name, ..)| name.clone())),
                Deed::Puts(name, _) => {
                    self.stirred.insert(name.clone());
                }
                Deed::Takes(name, _) => {
                    self.stirred.remove(name);
                }
            }
        }
        if self.cover == Cover::Leaning {
            for _ in 0..3 {
                self.pass(LEANING_S / 3.0);
                self.frame(play, Vec::new())?;
            }
        }
        Ok(())
    }

    /// Shows so much of a deed as is done; gives where the hand grips.
    fn does(&mut self, deed: &Deed, done: f64) -> Point {
        match deed {
            Deed::Draws(all) => {
                let mut middle = Vector::zeros();
                for (name, from, to) in all {
                    let turn = from.heading.turn_to_radians(to.heading);
                    let now = if done == 1.0 {
                        *to
                    } else {
                        from.nudged((to.centre - from.centre) * done, turn * done)
                    };
                    middle += now.centre.coords;
                    self.shown.insert(name.clone(), now);
                }
                Point::from(middle / all.len().max(1) as f64)
            }
            Deed::Puts(name, to) => {
                if done == 1.0 {
                    self.shown.insert(name.clone(), *to);
                }
                to.centre
            }
            Deed::Takes(name, from) => {
                if done >= 0.5 {
                    self.shown.remove(name);
                }
                from.centre
            }
        }
    }

    /// Now and then a sleeve takes a base along that is near.
    fn knock(&mut self, deeds: &[Deed]) {
        let Some(Deed::Draws(all)) = deeds.first() else { return };
        if self.rng.random_range(0..100) >= KNOCKS_OF_100 {
            return;
        }
        let near: Vec<(String, Pose)> = self
            .shown
            .iter()
            .filter(|(name, pose)| {
                all.iter().all(|(moved, ..)| moved != *name)
                    && all.iter().any(|(_, _, to)| (to.centre - pose.centre).norm() <= SLEEVE_MM)
            })
            .map(|(name, pose)| (name.clone(), *pose))
            .collect();
        if near.is_empty() {
            return;
        }
        for _ in 0..KNOCK_TRIES {
            let (name, pose) = near[self.rng.random_range(0..near.len())].clone();
            if self.knock_one(&name, pose) {
                return;
            }
        }
    }

    /// Knocks this base, if there is room for it. Whether there was.
    fn knock_one(&mut self, name: &str, pose: Pose) -> bool {
        let mut by = || {
            let mm = self.rng.random_range(KNOCK_MM);
            if self.rng.random_bool(0.5) { mm } else { -mm }
        };
        let knocked = pose.nudged(Vector::new(by(), by()), (by() / 2.0).to_radians());
        let Some(there) = self.footprint(name, knocked) else { return false };
        let free = self.shown.iter().filter(|(other, _)| *other != name).all(|(other, pose)| {
            self.footprint(other, *pose).is_none_or(|f| separation(&there, &f).mm >= 0.0)
        });
        if free {
            self.spent.knocks += 1;
            self.shown.insert(name.to_owned(), knocked);
        }
        free
    }
}

impl Eyes for Filmed {
    fn look(&mut self, hands: &mut Hands, play: &mut Play, manner: Manner) -> Result<(), String> {
        let to = hands.stand();
        let begins = self.seq == 0;
        let mut taken = false;
        if begins || manner == Manner::Slid {
            // Armies are put down before the camera looks; a bumped table moves by itself.
            self.shown.retain(|name, _| to.contains_key(name));
            self.shown.extend(to.iter().map(|(name, pose)| (name.clone(), *pose)));
        }
        loop {
            let deeds = self.deeds(&to);
            if deeds.is_empty() {
                break;
            }
            taken |= deeds.iter().any(|d| matches!(d, Deed::Takes(..)));
            if manner == Manner::AtOnce {
                let (red, blue): (Vec<Deed>, Vec<Deed>) =
                    deeds.into_iter().partition(|d| self.side_of(d) == Some(Side::Red));
                let (mut red, mut blue) = (red.into_iter(), blue.into_iter());
                loop {
                    let now: Vec<Deed> = [red.next(), blue.next()].into_iter().flatten().collect();
                    if now.is_empty() {
                        break;
                    }
                    self.hands(play, &now)?;
                }
                continue;
            }
            for deed in deeds {
                self.hands(play, &[deed])?;
                // Some look at what they did before they go on, others do not.
                if self.rng.random_bool(0.5) {
                    self.rest(play)?;
                }
            }
            self.rest(play)?;
        }
        self.rest(play)?;
        if taken {
            self.pass(PAUSE_S);
            self.rest(play)?;
        }
        Ok(())
    }

    fn cover(&mut self, cover: Cover) {
        self.cover = cover;
    }
}

fn apart(a: &Pose, b: &Pose) -> bool {
    (a.centre - b.centre).norm() > THERE_MM || a.heading.turn_to_radians(b.heading).abs() > 1e-4
}
