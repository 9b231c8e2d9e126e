//! Puts bases on the table by seed: two lines face to face, supports behind them, some in contact
//! with the enemy, the rest scattered. Invariant: no two bases overlap, nor do their printed tags
//! meet in space, nor does a base reach beyond the playing area or over a reference tag.

use super::scene::{Placement, Scene, SceneError, SimBase};
use crate::geometry::{Pose, Vector};
use crate::tracking::ReferenceTag;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Tries to find a free place for a base before it is left off the table.
const TRIES: usize = 600;
/// Free air round a base that is not in a group, millimetres.
const CLEAR_MM: f64 = 4.0;
/// Air between printed tags at one height, millimetres.
const TAG_AIR_MM: f64 = 0.5;
/// Air between bases that stand in contact, millimetres: real bases never quite touch.
const CONTACT_MM: f64 = 0.15;

impl Scene {
    /// A table whose bases are put down by `seed`. A base for which no free place is found is left off
    /// the table, as it would be on a real one.
    pub fn arranged(
        width_mm: f64,
        depth_mm: f64,
        reference: Vec<ReferenceTag>,
        bases: Vec<SimBase>,
        seed: u64,
    ) -> Result<Self, SceneError> {
        let empty = Self::placed(width_mm, depth_mm, reference, bases, Vec::new())?;
        let mut table = Table { scene: &empty, placed: Vec::new(), rng: ChaCha8Rng::seed_from_u64(seed) };
        table.two_lines();
        table.duels();
        table.supports();
        table.scatter();
        let placements = table
            .placed
            .iter()
            .map(|(index, pose)| Placement {
                name: empty.bases()[*index].name.clone(),
                pose: *pose,
                ground_mm: 0.0,
            })
            .collect();
        Self::placed(width_mm, depth_mm, empty.reference().to_vec(), empty.bases().to_vec(), placements)
    }

    /// Whether `base` at `pose` keeps `clear_mm` from the other bases at their poses, its tags clear of
    /// theirs, and stays on the playing area off the reference tags.
    pub(super) fn is_free(
        &self,
        base: &SimBase,
        pose: Pose,
        others: &[(usize, Pose)],
        clear_mm: f64,
    ) -> bool {
        let ground = base.footprint(pose);
        let inside = ground
            .outline()
            .iter()
            .all(|p| p.x >= 0.0 && p.y >= 0.0 && p.x <= self.width_mm() && p.y <= self.depth_mm());
        inside
            && self.reference().iter().all(|r| {
                let tag = Rect {
                    pose: Pose::new(r.x_mm, r.y_mm, r.rotation_deg),
                    half: [r.size_mm * 0.7, r.size_mm * 0.7],
                };
                Rect::of(base, pose).gap(&tag) > 2.0
            })
            && others.iter().all(|(index, at)| {
                let other = &self.bases()[*index];
                Rect::of(base, pose).gap(&Rect::of(other, *at)) >= clear_mm
                    && tags_clear(base, pose, other, *at)
            })
    }
}

fn tags_clear(a: &SimBase, at: Pose, b: &SimBase, bt: Pose) -> bool {
    a.tags.iter().all(|t| {
        b.tags.iter().all(|u| {
            let rise = (a.thickness_mm + t.height_mm) - (b.thickness_mm + u.height_mm);
            let half = |mm: f64| [mm / 2.0, mm / 2.0];
            rise.abs() > 2.0
                || Rect { pose: t.pose(at), half: half(t.print_mm()) }
                    .gap(&Rect { pose: u.pose(bt), half: half(u.print_mm()) })
                    >= TAG_AIR_MM
        })
    })
}

/// A rectangle: half its sides to its right and ahead.
struct Rect {
    pose: Pose,
    half: [f64; 2],
}

impl Rect {
    fn of(base: &SimBase, pose: Pose) -> Self {
        Self { pose, half: [base.width_mm / 2.0, base.depth_mm / 2.0] }
    }

    /// The widest gap over the four separating axes: negative where they overlap, and no more than the
    /// true distance where they do not.
    fn gap(&self, other: &Self) -> f64 {
        let between = other.pose.centre - self.pose.centre;
        let axes = [&self.pose, &other.pose].map(|p| [p.heading.right(), p.heading.vector()]);
        let reach = |r: &Self, axis: &Vector| {
            r.half[0] * r.pose.heading.right().dot(axis).abs()
                + r.half[1] * r.pose.heading.vector().dot(axis).abs()
        };
        axes.iter()
            .flatten()
            .map(|axis| between.dot(axis).abs() - reach(self, axis) - reach(other, axis))
            .fold(f64::NEG_INFINITY, f64::max)
    }
}

struct Table<'a> {
    scene: &'a Scene,
    placed: Vec<(usize, Pose)>,
    rng: ChaCha8Rng,
}

impl Table<'_> {
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.rng.random::<f64>()
    }

    fn waiting(&self, side: usize) -> Vec<usize> {
        let far = |i: &usize| self.scene.bases()[*i].side.min(1) == side;
        (0..self.scene.bases().len())
            .filter(far)
            .filter(|i| self.placed.iter().all(|(p, _)| p != i))
            .collect()
    }

    fn put(&mut self, index: usize, pose: Pose, clear_mm: f64) -> bool {
        let free = self.scene.is_free(&self.scene.bases()[index], pose, &self.placed, clear_mm);
        if free {
            self.placed.push((index, pose));
        }
        free
    }

    /// Half of each side, in contact side by side, facing the other; sometimes the lines have met.
    fn two_lines(&mut self) {
        let tilt = self.between(-12.0, 12.0);
        let across = Pose::new(
            self.scene.width_mm() * self.between(0.42, 0.58),
            self.scene.depth_mm() * self.between(0.44, 0.56),
            90.0 + tilt,
        );
        let gap = self.between(12.0, 100.0);
        for side in 0..2 {
            let mut line = self.waiting(side);
            line.sort_by(|a, b| {
                let depth = |i: &usize| self.scene.bases()[*i].depth_mm;
                depth(a).total_cmp(&depth(b)).then(a.cmp(b))
            });
            line.truncate(line.len().div_ceil(2));
            let width: f64 = line.iter().map(|i| self.scene.bases()[*i].width_mm + CONTACT_MM).sum();
            let sign = if side == 0 { -1.0 } else { 1.0 };
            let slide = if side == 0 { 0.0 } else { self.between(-25.0, 25.0) };
            let step_mm = if self.rng.random_bool(0.5) { self.between(4.0, 30.0) } else { 0.0 };
            let break_at = 2 + self.rng.random_range(0..3usize);
            let mut right = -width / 2.0 + slide;
            for (n, index) in line.iter().enumerate() {
                let base = &self.scene.bases()[*index];
                // The line breaks once: two groups, the second a little behind.
                let back = if n >= break_at { step_mm } else { 0.0 };
                let ahead = sign * (gap / 2.0 + base.depth_mm / 2.0 + back);
                let centre = across.at(right + base.width_mm / 2.0, ahead);
                let facing = if side == 0 { across.heading } else { across.heading.reversed() };
                self.put(*index, Pose { centre, heading: facing }, CONTACT_MM * 0.5);
                right += base.width_mm + CONTACT_MM;
            }
        }
    }

    /// Up to two bases in contact with an enemy: in front of it, lined up or shifted by half, or on its
    /// flank.
    fn duels(&mut self) {
        let wanted = self.rng.random_range(1..3usize);
        let mut met = 0;
        for side in 0..2 {
            let enemies: Vec<(usize, Pose)> = self
                .placed
                .iter()
                .copied()
                .filter(|(i, _)| self.scene.bases()[*i].side.min(1) != side)
                .collect();
            for index in self.waiting(side) {
                if met >= wanted || enemies.is_empty() {
                    return;
                }
                if self.rng.random_bool(0.5) {
                    continue;
                }
                let first = self.rng.random_range(0..enemies.len());
                let flank = self.rng.random_bool(0.4);
                let shift = [0.0, 0.5, -0.5][self.rng.random_range(0..3usize)];
                let done = (0..enemies.len()).any(|n| {
                    let (enemy, at) = enemies[(first + n) % enemies.len()];
                    let (it, own) = (&self.scene.bases()[enemy], &self.scene.bases()[index]);
                    let pose = if flank {
                        let right = it.width_mm / 2.0 + own.depth_mm / 2.0 + CONTACT_MM;
                        // Its front on the enemy's right flank, front edge in line with its side.
                        let back = (it.depth_mm - own.width_mm) / 2.0;
                        Pose { centre: at.at(right, back), heading: at.heading.turned_degrees(90.0) }
                    } else {
                        let ahead = (it.depth_mm + own.depth_mm) / 2.0 + CONTACT_MM;
                        Pose { centre: at.at(shift * it.width_mm, ahead), heading: at.heading.reversed() }
                    };
                    self.put(index, pose, CONTACT_MM * 0.5)
                });
                met += usize::from(done);
            }
        }
    }

    /// Behind the lines, in contact and lined up: second and third ranks.
    fn supports(&mut self) {
        for side in 0..2 {
            let waiting = self.waiting(side);
            let fronts: Vec<(usize, Pose)> = self
                .placed
                .iter()
                .copied()
                .filter(|(i, _)| self.scene.bases()[*i].side.min(1) == side)
                .collect();
            let mut last: Option<(usize, Pose)> = None;
            let mut ranked = 0;
            for index in waiting {
                if ranked >= 2 || fronts.is_empty() {
                    break;
                }
                let first = self.rng.random_range(0..fronts.len());
                // Behind the base put down last, so that ranks grow three deep; else behind any.
                let places =
                    last.into_iter().chain((0..fronts.len()).map(|n| fronts[(first + n) % fronts.len()]));
                for front in places {
                    let (ahead, own) = (&self.scene.bases()[front.0], &self.scene.bases()[index]);
                    let back = (ahead.depth_mm + own.depth_mm) / 2.0 + CONTACT_MM;
                    let pose = Pose { centre: front.1.at(0.0, -back), heading: front.1.heading };
                    if self.put(index, pose, CONTACT_MM * 0.5) {
                        last = Some((index, pose));
                        ranked += 1;
                        break;
                    }
                }
            }
        }
    }

    /// The rest, in their own half or a little over, each by itself.
    fn scatter(&mut self) {
        let (width, depth) = (self.scene.width_mm(), self.scene.depth_mm());
        for side in 0..2 {
            for index in self.waiting(side) {
                for attempt in 0..TRIES {
                    let wide = if attempt < TRIES / 2 { 0.47 } else { 1.0 };
                    let y = self.between(0.04, wide);
                    let y = if side == 0 { y } else { 1.0 - y } * depth;
                    let x = self.between(0.04, 0.96) * width;
                    let facing = if side == 0 { 90.0 } else { 270.0 };
                    let turn = if self.rng.random_bool(0.75) {
                        self.between(-35.0, 35.0)
                    } else {
                        self.between(0.0, 360.0)
                    };
                    if self.put(index, Pose::new(x, y, facing + turn), CLEAR_MM) {
                        break;
                    }
                }
            }
        }
    }
}
