//! What moves, and when: a script of moves made once from the seed.
//!
//! Each move takes [`MOVE_S`] seconds: a pause, a hand comes in, draws one base or a group along the
//! table, and leaves. After the last move they are taken back one by one, so that the script ends as
//! it began and repeats. Invariant: at no time do bases overlap or leave the playing area.

use super::build::Standing;
use super::hand::Reach;
use super::math::smooth;
use super::scene::Scene;
use super::scenery::Obstacle;
use crate::geometry::{Pose, Vector, separation_from_area};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Seconds of one move, the pause before it included.
pub(super) const MOVE_S: f64 = 6.0;
/// The pause, then when the hand grips, lets go, and is gone, seconds from the move's start.
const PAUSE_S: f64 = 2.6;
const GRIP_S: f64 = 3.5;
const FREE_S: f64 = 4.9;
const GONE_S: f64 = 5.7;
/// Moves before they are taken back.
const MOVES: usize = 4;
/// Most bases drawn along together.
const GROUP: usize = 4;
/// Bases no further apart than this count as one group, millimetres.
const TOUCHING_MM: f64 = 0.6;
/// Tries for one move.
const TRIES: usize = 80;
/// Places along a move that are checked.
const STEPS: usize = 12;

/// One move.
#[derive(Debug, Clone, PartialEq)]
struct Move {
    members: Vec<usize>,
    shift: Vector,
    turn_deg: f64,
    /// Side of the player who moves them: 0 near, 1 far.
    side: usize,
}

/// A script of moves from a beginning.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Script {
    begin: BTreeMap<usize, Standing>,
    moves: Vec<Move>,
}

impl Script {
    /// Nothing moves.
    pub(super) fn still(scene: &Scene) -> Self {
        let begin = scene
            .placements()
            .iter()
            .filter_map(|p| {
                let index = scene.bases().iter().position(|b| b.name == p.name)?;
                let slope = scene.props().slopes.get(&p.name).copied().unwrap_or_default();
                Some((index, Standing { pose: p.pose, ground_mm: p.ground_mm, slope }))
            })
            .collect();
        Self { begin, moves: Vec::new() }
    }

    /// Hands move bases.
    pub(super) fn hands(scene: &Scene, obstacles: &[Obstacle], seed: u64) -> Self {
        let mut script = Self::still(scene);
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6d6f_7469_6f6e);
        let mut now = script.begin.clone();
        for n in 0..MOVES {
            if let Some(made) = find(scene, obstacles, &now, n % 2, &mut rng) {
                for member in &made.members {
                    if let Some(at) = now.get_mut(member) {
                        at.pose = made.pose(at.pose, 1.0);
                    }
                }
                script.moves.push(made);
            }
        }
        script
    }

    /// Where everything stands at `seconds`, and the hand if there is one.
    pub(super) fn at(&self, seconds: f64) -> (BTreeMap<usize, Standing>, Option<Reach>) {
        let mut now = self.begin.clone();
        let count = self.moves.len();
        if count == 0 {
            return (now, None);
        }
        let step = (seconds / MOVE_S).floor();
        let turn = (step as u64 % (2 * count as u64)) as usize;
        let phase = seconds - step * MOVE_S;
        // Moves that are done and not yet taken back, and the one in hand.
        let (done, current) =
            if turn < count { (turn, turn) } else { (2 * count - 1 - turn, 2 * count - 1 - turn) };
        for made in &self.moves[..done] {
            made.apply(&mut now, 1.0);
        }
        let made = &self.moves[current];
        let forward = ((phase - GRIP_S - 0.15) / (FREE_S - GRIP_S - 0.3)).clamp(0.0, 1.0);
        let forward = f64::from(smooth(0.0, 1.0, forward as f32));
        made.apply(&mut now, if turn < count { forward } else { 1.0 - forward });
        let share = if phase < GRIP_S {
            (phase - PAUSE_S) / (GRIP_S - PAUSE_S)
        } else {
            (GONE_S - phase) / (GONE_S - FREE_S)
        };
        let reach = (share > 0.0).then(|| made.reach(&now, share.min(1.0)));
        (now, reach)
    }
}

impl Move {
    fn pose(&self, from: Pose, share: f64) -> Pose {
        Pose {
            centre: from.centre + self.shift * share,
            heading: if self.turn_deg == 0.0 {
                from.heading
            } else {
                from.heading.turned_degrees(self.turn_deg * share)
            },
        }
    }

    fn apply(&self, now: &mut BTreeMap<usize, Standing>, share: f64) {
        if share > 0.0 {
            for member in &self.members {
                if let Some(at) = now.get_mut(member) {
                    at.pose = self.pose(at.pose, share);
                }
            }
        }
    }

    fn reach(&self, now: &BTreeMap<usize, Standing>, share: f64) -> Reach {
        let sum: Vector =
            self.members.iter().filter_map(|m| now.get(m)).map(|at| at.pose.centre.coords).sum();
        let grip = sum / self.members.len() as f64;
        let player = Vector::new(0.18, if self.side == 0 { -1.0 } else { 1.0 }).normalize();
        Reach {
            grip: [grip.x as f32, grip.y as f32],
            player: [player.x as f32, player.y as f32],
            share: share as f32,
        }
    }
}

fn find(
    scene: &Scene,
    obstacles: &[Obstacle],
    now: &BTreeMap<usize, Standing>,
    side: usize,
    rng: &mut ChaCha8Rng,
) -> Option<Move> {
    let own: Vec<usize> = now.keys().copied().filter(|i| scene.bases()[*i].side.min(1) == side).collect();
    if own.is_empty() {
        return None;
    }
    for _ in 0..TRIES {
        let first = own[rng.random_range(0..own.len())];
        let members = if rng.random_bool(0.5) { group(scene, now, first) } else { vec![first] };
        let pose = now[&first].pose;
        let ahead =
            if rng.random_bool(0.75) { rng.random_range(12.0..90.0) } else { rng.random_range(-45.0..-10.0) };
        let aside = if rng.random_bool(0.3) { rng.random_range(-20.0..20.0) } else { 0.0 };
        let turn_deg =
            if members.len() == 1 && rng.random_bool(0.5) { rng.random_range(-25.0..25.0) } else { 0.0 };
        let shift = pose.heading.vector() * ahead + pose.heading.right() * aside;
        let made = Move { members, shift, turn_deg, side };
        if is_clear(scene, obstacles, now, &made) {
            return Some(made);
        }
    }
    None
}

fn is_clear(scene: &Scene, obstacles: &[Obstacle], now: &BTreeMap<usize, Standing>, made: &Move) -> bool {
    let others: Vec<(usize, Pose)> =
        now.iter().filter(|(i, _)| !made.members.contains(i)).map(|(i, at)| (*i, at.pose)).collect();
    (1..=STEPS).all(|step| {
        let share = step as f64 / STEPS as f64;
        made.members.iter().all(|member| {
            let Some(at) = now.get(member) else { return false };
            let (base, pose) = (&scene.bases()[*member], made.pose(at.pose, share));
            let ground = base.footprint(pose);
            let on_level = |area| separation_from_area(&ground, area).mm > 0.0;
            at.ground_mm == 0.0
                && scene.props().keep_off.iter().all(on_level)
                && scene.is_free(base, pose, &others, 0.1)
                && obstacles.iter().all(|o| ground.distance_to_point(o.centre) > o.radius_mm)
        })
    })
}

/// Bases of one side that touch `first`, and those that touch them, at most [`GROUP`].
fn group(scene: &Scene, now: &BTreeMap<usize, Standing>, first: usize) -> Vec<usize> {
    let side = scene.bases()[first].side;
    let mut members = vec![first];
    let mut next = 0;
    while next < members.len() && members.len() < GROUP {
        let from = scene.bases()[members[next]].footprint(now[&members[next]].pose);
        for (index, at) in now {
            let base = &scene.bases()[*index];
            if base.side != side || members.contains(index) || members.len() >= GROUP {
                continue;
            }
            let other = base.footprint(at.pose);
            let near = from
                .outline()
                .iter()
                .map(|p| other.distance_to_point(*p))
                .chain(other.outline().iter().map(|p| from.distance_to_point(*p)))
                .fold(f64::INFINITY, f64::min);
            if near < TOUCHING_MM {
                members.push(*index);
            }
        }
        next += 1;
    }
    members
}
