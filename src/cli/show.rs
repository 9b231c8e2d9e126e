//! The battle that demo mode plays while nobody does: a written one, to its end, on the simulated table, read by the whole
//! pipeline like any other. Table frame, millimetres; seconds from the round's beginning. Nothing is drawn by chance.

use super::rehearsal::Hands;
use super::sim_scene::scene_placed;
use crate::app::outside::Show;
use crate::rules::battle::{Act, Played, Script, Told, replay};
use crate::rules::ruleset::list;
use crate::rules::{Location, Setup, Side};
use crate::session::play::{self, FightKind};
use crate::vision::sim::{ActedCamera, ActedStep, Clutter, Placement, SimSettings, View};
use std::time::Duration;

/// The battle: one of those that the tests play and count again.
const BATTLE: &str = include_str!("../../tests/battles/demo.ron");
/// Pictures in a second: hands are seen to move, and a small computer has time for the real camera beside it.
const FPS: f64 = 5.0;
/// How long the table is left before the first bound, after a score, a move, dice, and what the dice bring about: long
/// enough to read what is said of it, seconds.
const BEFORE_S: f64 = 8.0;
const SCORE_S: f64 = 4.0;
const MOVE_S: f64 = 8.0;
const DICE_S: f64 = 7.0;
const AFTER_S: f64 = 5.0;
/// After the last of it, seconds.
const END_S: f64 = 16.0;

/// Steps, and what is told when one of them begins.
#[derive(Default)]
struct Course {
    steps: Vec<ActedStep>,
    told: Vec<(usize, play::Act)>,
}

impl Course {
    fn step(&mut self, setup: &Setup, side: Side, rest_s: f64) {
        let on = setup.elements.iter().filter(|e| e.location == Location::Board);
        let placements = on
            .map(|e| Placement { name: e.name.clone(), pose: e.footprint.pose(), ground_mm: 0.0 })
            .collect();
        let side = match side {
            Side::Red => 0,
            Side::Blue => 1,
        };
        self.steps.push(ActedStep { placements, side, rest_s });
    }

    /// The same table for a while longer, while this is told.
    fn tell(&mut self, act: play::Act, rest_s: f64) {
        if let Some(last) = self.steps.last().cloned() {
            self.told.push((self.steps.len(), act));
            self.steps.push(ActedStep { rest_s, ..last });
        }
    }

    fn act(&mut self, played: &Played) {
        let (setup, side) = (&played.state.setup, played.state.bound.side);
        match (&played.act, &played.told) {
            (Act::Roll(score), _) => self.tell(play::Act::Pips(Some(*score)), SCORE_S),
            (Act::Fight { a, b, dice, .. }, Told::Fought(_)) => {
                self.tell(fought(FightKind::Close, a, b, *dice), DICE_S);
                self.step(setup, side, AFTER_S);
            }
            (Act::Shoot { dice, .. }, Told::Shot(_, clash)) => {
                self.tell(fought(FightKind::Shooting, &clash.a, &clash.b, *dice), DICE_S);
                self.step(setup, side, AFTER_S);
            }
            (Act::Move { .. }, _) => self.step(setup, side, MOVE_S),
            (Act::EndMoves { .. } | Act::EndBound, _) => self.step(setup, side, 1.0),
            _ => {}
        }
    }
}

fn fought(kind: FightKind, a: &str, b: &str, dice: (u8, u8)) -> play::Act {
    play::Act::Fought { kind, a: a.to_owned(), b: b.to_owned(), dice: [dice.0, dice.1], from: None }
}

/// Makes it. Its pictures are drawn in the thread that opens them.
///
/// # Errors
/// In words: the battle cannot be played, or the table cannot be drawn.
pub fn show() -> Result<Show, String> {
    let script = Script::read("demo.ron", BATTLE).map_err(|problems| list(&problems))?;
    let played = replay(&script);
    if let Some((what, why)) = played.stopped {
        return Err(format!("the battle stops at {what}: {why}"));
    }
    let engine = Hands::new(&script, 0)?.engine();
    let mut course = Course::default();
    course.step(&script.setup, Side::Red, BEFORE_S);
    for act in &played.played {
        course.act(act);
    }
    if let Some(last) = course.steps.last_mut() {
        last.rest_s = END_S;
    }
    let settings = SimSettings { fps: FPS, clutter: Clutter::None, ..SimSettings::default() };
    let view = View { lean_deg: 14.0, aside_deg: 0.0, roll_deg: 0.0 };
    let scene = scene_placed(engine.table(), engine.roster(), course.steps[0].placements.clone());
    let camera = scene.and_then(|scene| ActedCamera::new(&scene, &settings, view, 11, &course.steps));
    let camera = camera.map_err(|error| error.to_string())?;
    let begins = camera.begins();
    let at = |step: usize| begins.get(step).copied().unwrap_or(Duration::MAX);
    let acts = course.told.into_iter().map(|(step, act)| (at(step), act)).collect();
    Ok(Show { engine, acts, length: camera.length(), open: Box::new(move || Ok(Box::new(camera))) })
}
