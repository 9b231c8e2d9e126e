//! What the reference tags' corners say of the table, by hypotheses: nothing changed but the camera's own
//! place by a little; single tags were moved; single tags lie higher or lower; the board is bowed.
//!
//! Each hypothesis is a linear fit to the corners' deviations. The cheapest is taken: its misfit, chi
//! squared, and a price for every number that it may choose. So what one number explains is not told as
//! three. Pure: deviations in, findings out. Deviations in pixels, findings in millimetres.

use crate::tracking::{ReferenceTag, TableChange, Tag};
use crate::vision::CameraModel;
use crate::vision::location::{POSE_UNKNOWNS, project};
use nalgebra::{DMatrix, DVector, Point3, SMatrix, SVector};

/// A reference tag's four corners as found, less where they were to be.
#[derive(Debug, Clone)]
pub struct Deviation {
    /// The tag, where the table file has it.
    pub place: ReferenceTag,
    /// Off along x and y of the picture, corner by corner from the top left one on, pixels.
    pub off_px: [f64; 8],
    /// One sigma of its place on each axis, millimetres.
    pub place_sigma_mm: f64,
}

/// Sigma of a registered corner on each axis, pixels: that of a registration, and what differs from frame
/// to frame.
const CORNER_SIGMA_PX: f64 = 0.06;
/// Each number that a hypothesis may choose must lower chi squared by this much. A choice: by chance three
/// numbers take 36 off once in ten million.
const PRICE: f64 = 12.0;
/// What is smaller than this is not told: a tag's way, its height, the board's bow. Choices.
const LEAST_MOVE_MM: f64 = 0.2;
const LEAST_TURN_DEG: f64 = 0.3;
const LEAST_HEIGHT_MM: f64 = 1.0;
const LEAST_BOW_MM: f64 = 0.7;
/// Tags that must remain to vouch for the camera.
const LEAST_TAGS: usize = 3;

/// One thing a hypothesis holds to have happened.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Term {
    /// The tag of this index was shifted and turned.
    Move(usize),
    /// The tag of this index lies higher or lower.
    Height(usize),
    /// The surface is bent: along x, along y, evenly, or anyhow.
    Bow(Bend),
}

/// The ways a board bends.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Bend {
    AlongX,
    AlongY,
    Even,
    Anyhow,
}

impl Term {
    fn numbers(self) -> usize {
        match self {
            Self::Move(_) | Self::Bow(Bend::Anyhow) => 3,
            Self::Height(_) | Self::Bow(_) => 1,
        }
    }
}

/// One tag's rows, whitened: unit variance and independent.
struct Rows {
    off: SVector<f64, 8>,
    by_pose: SMatrix<f64, 8, POSE_UNKNOWNS>,
    /// By x, y (mm), a turn about its own centre (rad) and height (mm).
    by_place: SMatrix<f64, 8, 4>,
    /// The tag's centre from the middle of all, in units of their reach.
    at: [f64; 2],
}

/// A hypothesis fitted.
struct Fitted {
    terms: Vec<Term>,
    /// Chi squared and the price of its numbers.
    cost: f64,
    /// The numbers, term by term.
    numbers: Vec<f64>,
}

/// What happened to the table, by the deviations of its reference tags as `camera` sees them; nothing where
/// fewer than four are given.
pub fn diagnose(camera: &CameraModel, deviations: &[Deviation]) -> Vec<TableChange> {
    if deviations.len() <= LEAST_TAGS {
        return Vec::new();
    }
    let Some(rows) = rows(camera, deviations) else { return Vec::new() };
    let bends = [None, Some(Bend::AlongX), Some(Bend::AlongY), Some(Bend::Even), Some(Bend::Anyhow)];
    let best = bends
        .into_iter()
        .filter_map(|bend| grown(&rows, bend.map(Term::Bow).into_iter().collect()))
        .min_by(|a, b| a.cost.total_cmp(&b.cost));
    best.map(|fitted| told(&fitted, &rows, deviations)).unwrap_or_default()
}

/// The hypothesis with terms about single tags added as long as each is worth its price.
fn grown(rows: &[Rows], start: Vec<Term>) -> Option<Fitted> {
    let mut best = fitted(rows, start)?;
    loop {
        let used =
            |i: usize| best.terms.iter().any(|t| matches!(t, Term::Move(n) | Term::Height(n) if *n == i));
        let free: Vec<usize> = (0..rows.len()).filter(|i| !used(*i)).collect();
        if free.len() <= LEAST_TAGS {
            return Some(best);
        }
        let next = free
            .into_iter()
            .flat_map(|i| [Term::Move(i), Term::Height(i)])
            .filter_map(|term| fitted(rows, best.terms.iter().copied().chain([term]).collect()))
            .min_by(|a, b| a.cost.total_cmp(&b.cost));
        match next.filter(|n| n.cost < best.cost) {
            Some(better) => best = better,
            None => return Some(best),
        }
    }
}

/// Fits one hypothesis; `None` where its numbers cannot be told apart.
fn fitted(rows: &[Rows], terms: Vec<Term>) -> Option<Fitted> {
    let numbers: usize = terms.iter().map(|t| t.numbers()).sum();
    let total = POSE_UNKNOWNS + numbers;
    let mut matrix = DMatrix::<f64>::zeros(8 * rows.len(), total);
    let mut off = DVector::<f64>::zeros(8 * rows.len());
    for (i, row) in rows.iter().enumerate() {
        off.fixed_rows_mut::<8>(8 * i).copy_from(&row.off);
        matrix.fixed_view_mut::<8, POSE_UNKNOWNS>(8 * i, 0).copy_from(&row.by_pose);
        let height = row.by_place.column(3);
        let mut column = POSE_UNKNOWNS;
        for term in &terms {
            let [x, y] = row.at;
            let mut put = |n: usize, values: SVector<f64, 8>| {
                matrix.fixed_view_mut::<8, 1>(8 * i, column + n).copy_from(&values);
            };
            match term {
                Term::Move(n) if *n == i => (0..3).for_each(|k| put(k, row.by_place.column(k).into())),
                Term::Height(n) if *n == i => put(0, height.into()),
                Term::Move(_) | Term::Height(_) => {}
                Term::Bow(Bend::AlongX) => put(0, height * (x * x)),
                Term::Bow(Bend::AlongY) => put(0, height * (y * y)),
                Term::Bow(Bend::Even) => put(0, height * (x * x + y * y)),
                Term::Bow(Bend::Anyhow) => {
                    put(0, height * (x * x));
                    put(1, height * (y * y));
                    put(2, height * (x * y));
                }
            }
            column += term.numbers();
        }
    }
    // Columns of length one: radians and millimetres differ by powers of ten.
    let lengths: Vec<f64> = matrix.column_iter().map(|c| c.norm()).collect();
    for (mut column, length) in matrix.column_iter_mut().zip(&lengths) {
        if *length <= 1e-9 {
            return None;
        }
        column /= *length;
    }
    let normal = matrix.transpose() * &matrix;
    let solution = normal.cholesky()?.solve(&(matrix.transpose() * &off));
    let chi2 = (&off - &matrix * &solution).norm_squared();
    let cost = chi2 + PRICE * numbers as f64;
    let numbers = (POSE_UNKNOWNS..total).map(|k| solution[k] / lengths[k]).collect();
    cost.is_finite().then_some(Fitted { terms, cost, numbers })
}

/// The tags' rows; `None` behind the camera.
fn rows(camera: &CameraModel, deviations: &[Deviation]) -> Option<Vec<Rows>> {
    let count = deviations.len() as f64;
    let middle = deviations.iter().fold([0.0; 2], |s, d| [s[0] + d.place.x_mm, s[1] + d.place.y_mm]);
    let middle = [middle[0] / count, middle[1] / count];
    let reach = deviations
        .iter()
        .map(|d| (d.place.x_mm - middle[0]).abs().max((d.place.y_mm - middle[1]).abs()))
        .fold(1.0, f64::max);
    deviations
        .iter()
        .map(|d| {
            let p = &d.place;
            let (sin, cos) = p.rotation_deg.to_radians().sin_cos();
            let half = p.size_mm / 2.0;
            let mut by_pose = SMatrix::<f64, 8, POSE_UNKNOWNS>::zeros();
            let mut by_place = SMatrix::<f64, 8, 4>::zeros();
            for (k, (x, y)) in
                [(-half, half), (half, half), (half, -half), (-half, -half)].into_iter().enumerate()
            {
                let (arm_x, arm_y) = (cos * x - sin * y, sin * x + cos * y);
                let seen = project(camera, Point3::new(p.x_mm + arm_x, p.y_mm + arm_y, p.z_mm))?;
                by_pose.fixed_view_mut::<2, POSE_UNKNOWNS>(2 * k, 0).copy_from(&seen.by_pose);
                let by = seen.by_point;
                let turned = by.column(1) * arm_x - by.column(0) * arm_y;
                by_place.fixed_view_mut::<2, 1>(2 * k, 0).copy_from(&by.column(0));
                by_place.fixed_view_mut::<2, 1>(2 * k, 1).copy_from(&by.column(1));
                by_place.fixed_view_mut::<2, 1>(2 * k, 2).copy_from(&turned);
                by_place.fixed_view_mut::<2, 1>(2 * k, 3).copy_from(&by.column(2));
            }
            // The place's own doubt moves all four corners together.
            let shift = by_place.fixed_columns::<2>(0) * d.place_sigma_mm;
            let spread = SMatrix::<f64, 8, 8>::identity() * (CORNER_SIGMA_PX * CORNER_SIGMA_PX)
                + shift * shift.transpose();
            let white = spread.cholesky()?.l();
            Some(Rows {
                off: white.solve_lower_triangular(&SVector::from(d.off_px))?,
                by_pose: white.solve_lower_triangular(&by_pose)?,
                by_place: white.solve_lower_triangular(&by_place)?,
                at: [(p.x_mm - middle[0]) / reach, (p.y_mm - middle[1]) / reach],
            })
        })
        .collect()
}

/// The findings of the hypothesis that was taken, those too small to matter left out.
fn told(fitted: &Fitted, rows: &[Rows], deviations: &[Deviation]) -> Vec<TableChange> {
    let mut changes = Vec::new();
    let mut heights: Vec<(Tag, f64)> = Vec::new();
    let mut at = 0;
    for term in &fitted.terms {
        let numbers = &fitted.numbers[at..at + term.numbers()];
        at += term.numbers();
        match (term, numbers) {
            (Term::Move(i), [x, y, turn]) => {
                let (by_mm, turned_deg) = (x.hypot(*y), turn.to_degrees());
                if by_mm >= LEAST_MOVE_MM || turned_deg.abs() >= LEAST_TURN_DEG {
                    changes.push(TableChange::Moved { tag: deviations[*i].place.tag, by_mm, turned_deg });
                }
            }
            (Term::Height(i), [by_mm]) if by_mm.abs() >= LEAST_HEIGHT_MM => {
                heights.push((deviations[*i].place.tag, *by_mm));
            }
            (Term::Bow(bend), numbers) => {
                let by_mm = bow_mm(*bend, numbers, rows);
                if by_mm.abs() >= LEAST_BOW_MM {
                    changes.push(TableChange::Bowed { by_mm });
                }
            }
            _ => {}
        }
    }
    if let Some(&(worst, by_mm)) = heights.iter().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs())) {
        changes.push(TableChange::Wrinkled { worst, by_mm, others: heights.len() - 1 });
    }
    changes
}

/// How much higher the surface lies at the tags' middle than on their rim.
fn bow_mm(bend: Bend, numbers: &[f64], rows: &[Rows]) -> f64 {
    let height = |[x, y]: [f64; 2]| match (bend, numbers) {
        (Bend::AlongX, [a]) => a * x * x,
        (Bend::AlongY, [a]) => a * y * y,
        (Bend::Even, [a]) => a * (x * x + y * y),
        (_, [a, b, c]) => a * x * x + b * y * y + c * x * y,
        _ => 0.0,
    };
    let rim =
        rows.iter().map(|r| height(r.at)).fold(0.0f64, |most, z| if z.abs() > most.abs() { z } else { most });
    -rim
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracking::TagFamily;
    use crate::vision::{CameraPose, Lens};
    use proptest::prelude::*;

    const PLACES: [(f64, f64); 8] = [
        (-30.0, -30.0),
        (630.0, -30.0),
        (630.0, 630.0),
        (-30.0, 630.0),
        (300.0, -30.0),
        (630.0, 300.0),
        (300.0, 630.0),
        (-30.0, 300.0),
    ];

    fn camera() -> CameraModel {
        let lens = Lens::from_field_of_view(1920, 1080, 70.0);
        let pose =
            CameraPose::looking_at(Point3::new(310.0, 120.0, 1000.0), Point3::new(300.0, 300.0, 0.0), 2.0);
        CameraModel { lens, pose: pose.expect("eye and target differ") }
    }

    fn tag(id: u32) -> Tag {
        Tag::new(TagFamily::Tag36h11, id)
    }

    /// Deviations of tags that truly lie where `truly` puts them; grain of about 0.04 px by `seed`.
    fn seen(count: usize, seed: u64, truly: impl Fn(usize, ReferenceTag) -> ReferenceTag) -> Vec<Deviation> {
        let camera = camera();
        let mut state = seed;
        let mut grain = move || {
            let mut step = || {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                (state >> 40) as f64 / (1u64 << 24) as f64 - 0.5
            };
            (step() + step() + step()) * 0.08
        };
        let corners = |r: &ReferenceTag| {
            let (sin, cos) = r.rotation_deg.to_radians().sin_cos();
            let h = r.size_mm / 2.0;
            [(-h, h), (h, h), (h, -h), (-h, -h)].map(|(x, y)| {
                let at = Point3::new(r.x_mm + cos * x - sin * y, r.y_mm + sin * x + cos * y, r.z_mm);
                camera.image_from_table(at).expect("in front")
            })
        };
        (0..count)
            .map(|i| {
                let (x_mm, y_mm) = PLACES[i];
                let place = ReferenceTag {
                    tag: tag(i as u32),
                    size_mm: 40.0,
                    x_mm,
                    y_mm,
                    z_mm: 0.3,
                    rotation_deg: 0.0,
                    sigma_mm: 0.0,
                };
                let (there, here) = (corners(&truly(i, place)), corners(&place));
                let mut off_px = [0.0; 8];
                for k in 0..4 {
                    off_px[2 * k] = there[k].x - here[k].x + grain();
                    off_px[2 * k + 1] = there[k].y - here[k].y + grain();
                }
                Deviation { place, off_px, place_sigma_mm: 0.02 }
            })
            .collect()
    }

    proptest! {
        #[test]
        fn grain_alone_is_nothing(seed: u64, count in 4usize..=8) {
            prop_assert_eq!(diagnose(&camera(), &seen(count, seed, |_, r| r)), []);
        }

        #[test]
        fn one_tag_moved_is_named_with_its_way(seed: u64, which in 0usize..8, x in -8.0..8.0f64, y in -8.0..8.0f64) {
            prop_assume!(x.hypot(y) > 0.6);
            let moved = |i, r: ReferenceTag| if i == which {
                ReferenceTag { x_mm: r.x_mm + x, y_mm: r.y_mm + y, rotation_deg: 1.5, ..r }
            } else { r };
            let found = diagnose(&camera(), &seen(8, seed, moved));
            let [TableChange::Moved { tag: named, by_mm, turned_deg }] = found[..] else {
                return Err(TestCaseError::fail(format!("{found:?}")));
            };
            prop_assert_eq!(named, tag(which as u32));
            prop_assert!((by_mm - x.hypot(y)).abs() < 0.15, "{} for {}", by_mm, x.hypot(y));
            prop_assert!((turned_deg - 1.5).abs() < 0.3, "{}", turned_deg);
        }

        #[test]
        fn a_bowed_board_is_no_moved_tag(seed: u64, bow in 3.0..12.0f64, way in 0..3) {
            let up = |_, r: ReferenceTag| {
                let (u, v) = ((r.x_mm - 300.0) / 330.0, (r.y_mm - 300.0) / 330.0);
                let share = match way { 0 => 1.0 - u * u, 1 => 1.0 - v * v, _ => 1.0 - (u * u + v * v) / 2.0 };
                ReferenceTag { z_mm: r.z_mm + bow * share, ..r }
            };
            let found = diagnose(&camera(), &seen(8, seed, up));
            let [TableChange::Bowed { by_mm }] = found[..] else {
                return Err(TestCaseError::fail(format!("{found:?}")));
            };
            prop_assert!((by_mm / bow - 1.0).abs() < 0.35, "{} for {}", by_mm, bow);
        }

        #[test]
        fn single_tags_lifted_are_a_wrinkle(seed: u64, by in 3.0..9.0f64, which in 0usize..8) {
            let up = |i, r: ReferenceTag| if i == which { ReferenceTag { z_mm: r.z_mm + by, ..r } } else { r };
            let found = diagnose(&camera(), &seen(8, seed, up));
            let [TableChange::Wrinkled { worst, by_mm, others: 0 }] = found[..] else {
                return Err(TestCaseError::fail(format!("{found:?}")));
            };
            prop_assert_eq!(worst, tag(which as u32));
            prop_assert!((by_mm - by).abs() < 1.5, "{} for {}", by_mm, by);
        }
    }

    #[test]
    fn what_the_table_file_is_not_sure_of_is_not_held_against_a_tag() {
        let off = |i, r: ReferenceTag| if i == 2 { ReferenceTag { x_mm: r.x_mm + 0.8, ..r } } else { r };
        let sure = seen(8, 5, off);
        assert!(matches!(diagnose(&camera(), &sure)[..], [TableChange::Moved { .. }]));
        let unsure: Vec<Deviation> =
            sure.into_iter().map(|d| Deviation { place_sigma_mm: 0.5, ..d }).collect();
        assert_eq!(diagnose(&camera(), &unsure), []);
    }

    #[test]
    fn three_tags_say_nothing() {
        assert_eq!(diagnose(&camera(), &seen(3, 1, |_, r| ReferenceTag { x_mm: r.x_mm + 9.0, ..r })), []);
    }
}
