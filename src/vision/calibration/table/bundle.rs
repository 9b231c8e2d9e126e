//! The bundle's equations, each divided by its own sigma: corners, anchors, the lens's prior.

use super::{TableView, TagToPlace};
use crate::geometry::{Heading, Pose, Vector};
use crate::tracking::Tag;
use crate::vision::location::{LENS_UNKNOWNS, Normal, POSE_UNKNOWNS, lens_moved, pose_moved, project};
use crate::vision::{CameraModel, CameraPose, Lens, PixelPoint};
use nalgebra::{DVector, Point3, Vector3};
use std::collections::BTreeMap;

/// What fixes the table's frame and scale. Millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Anchor {
    /// A tag's centre lies here.
    Place {
        /// Which tag.
        tag: Tag,
        /// Where.
        at: (f64, f64),
        /// One sigma each way.
        sigma_mm: f64,
    },
    /// From one tag's centre the other's lies in this direction.
    Direction {
        /// From.
        from: Tag,
        /// To.
        to: Tag,
        /// Anticlockwise from +x, degrees.
        degrees: f64,
    },
    /// Two tags' centres are this far apart.
    Length {
        /// One.
        from: Tag,
        /// The other.
        to: Tag,
        /// How far.
        mm: f64,
        /// One sigma of it.
        sigma_mm: f64,
    },
    /// All prints are of their nominal size, to within this share of it, one sigma.
    Prints {
        /// The share.
        share: f64,
    },
}

/// One sigma of what is so by definition: small beside every error, large enough for the arithmetic.
pub(super) const EXACT_MM: f64 = 1e-3;

impl Anchor {
    /// The tags that it names.
    pub fn tags(&self) -> Vec<Tag> {
        match *self {
            Self::Place { tag, .. } => vec![tag],
            Self::Direction { from, to, .. } | Self::Length { from, to, .. } => vec![from, to],
            Self::Prints { .. } => Vec::new(),
        }
    }
}

/// Where the lens comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum LensBelief {
    /// It is known.
    Known,
    /// It is estimated about `centre`, with one sigma of each unknown.
    About { centre: Lens, sigmas: [f64; LENS_UNKNOWNS] },
}

/// Everything unknown.
#[derive(Debug, Clone)]
pub(super) struct State {
    pub lens: Lens,
    /// Logarithm of true size over nominal size, of all tags alike.
    pub ln_size: f64,
    /// Of each tag of the bundle: the pose of its centre and of its printed top.
    pub places: Vec<Pose>,
    /// Of each view.
    pub cameras: Vec<CameraPose>,
}

/// Views, tags and anchors, ready to be solved.
pub(super) struct Bundle<'a> {
    pub views: &'a [TableView],
    pub tags: &'a [TagToPlace],
    pub index: BTreeMap<Tag, usize>,
    pub anchors: &'a [Anchor],
    pub belief: LensBelief,
    /// Corner sigmas are multiplied by this.
    pub inflation: f64,
}

/// A tag's corners to the right of and ahead of its centre, in the order of its corners.
pub(super) fn arms(size_mm: f64) -> [(f64, f64); 4] {
    let half = size_mm / 2.0;
    [(-half, half), (half, half), (half, -half), (-half, -half)]
}

impl Bundle<'_> {
    fn lens_unknowns(&self) -> usize {
        match self.belief {
            LensBelief::Known => 0,
            LensBelief::About { .. } => LENS_UNKNOWNS,
        }
    }

    pub fn size_at(&self) -> usize {
        self.lens_unknowns()
    }

    pub fn tag_at(&self, tag: usize) -> usize {
        self.size_at() + 1 + 3 * tag
    }

    pub fn camera_at(&self, view: usize) -> usize {
        self.tag_at(self.tags.len()) + POSE_UNKNOWNS * view
    }

    pub fn unknowns(&self) -> usize {
        self.camera_at(self.views.len())
    }

    /// Where the state puts a tag's corners, with their arms from its centre.
    pub fn corners(&self, state: &State, tag: usize) -> [(Point3<f64>, Vector); 4] {
        let (place, known) = (state.places[tag], self.tags[tag]);
        arms(known.size_mm * state.ln_size.exp()).map(|(right, ahead)| {
            let arm = place.heading.right() * right + place.heading.vector() * ahead;
            let at = place.centre + arm;
            (Point3::new(at.x, at.y, known.z_mm), arm)
        })
    }

    /// Root mean square distance of a sight's corners from where the state puts them, pixels.
    pub fn misfit_px(&self, state: &State, view: usize, tag: usize, found: [PixelPoint; 4]) -> f64 {
        let camera = CameraModel { lens: state.lens, pose: state.cameras[view] };
        let squares: f64 = self
            .corners(state, tag)
            .iter()
            .zip(found)
            .map(|((at, _), pixel)| {
                camera.image_from_table(*at).map_or(f64::INFINITY, |p| (p - pixel).norm_squared())
            })
            .sum();
        (squares / 4.0).sqrt()
    }

    /// The normal equations at a state; `None` where a corner is behind its camera.
    pub fn equations(&self, state: &State) -> Option<Normal> {
        let mut normal = Normal::zeros(self.unknowns());
        let mut row: Vec<(usize, f64)> = Vec::with_capacity(4 + LENS_UNKNOWNS + POSE_UNKNOWNS);
        for (v, view) in self.views.iter().enumerate() {
            let camera = CameraModel { lens: state.lens, pose: state.cameras[v] };
            for sight in &view.sights {
                let tag = *self.index.get(&sight.tag)?;
                let sigma = sight.sigma_px * self.inflation;
                for ((at, arm), found) in self.corners(state, tag).iter().zip(sight.corners_px.in_order()) {
                    let p = project(&camera, *at)?;
                    let by_turn = p.by_point * Vector3::new(-arm.y, arm.x, 0.0);
                    let by_size = p.by_point * Vector3::new(arm.x, arm.y, 0.0);
                    for axis in 0..2 {
                        row.clear();
                        for i in 0..self.lens_unknowns() {
                            row.push((i, p.by_lens[(axis, i)] / sigma));
                        }
                        row.push((self.size_at(), by_size[axis] / sigma));
                        let t = self.tag_at(tag);
                        row.push((t, p.by_point[(axis, 0)] / sigma));
                        row.push((t + 1, p.by_point[(axis, 1)] / sigma));
                        row.push((t + 2, by_turn[axis] / sigma));
                        for i in 0..POSE_UNKNOWNS {
                            row.push((self.camera_at(v) + i, p.by_pose[(axis, i)] / sigma));
                        }
                        normal.add_sparse((p.pixel[axis] - found[axis]) / sigma, &row);
                    }
                }
            }
        }
        for anchor in self.anchors {
            self.hold(anchor, state, &mut normal)?;
        }
        if let LensBelief::About { centre, sigmas } = &self.belief {
            for (i, (off, sigma)) in off_centre(&state.lens, centre).into_iter().zip(sigmas).enumerate() {
                normal.add_sparse(off / sigma, &[(i, 1.0 / sigma)]);
            }
        }
        Some(normal)
    }

    fn hold(&self, anchor: &Anchor, state: &State, normal: &mut Normal) -> Option<()> {
        let of = |tag: &Tag| self.index.get(tag).map(|&i| (self.tag_at(i), state.places[i].centre));
        match anchor {
            Anchor::Place { tag, at, sigma_mm } => {
                let (i, centre) = of(tag)?;
                normal.add_sparse((centre.x - at.0) / sigma_mm, &[(i, 1.0 / sigma_mm)]);
                normal.add_sparse((centre.y - at.1) / sigma_mm, &[(i + 1, 1.0 / sigma_mm)]);
            }
            Anchor::Direction { from, to, degrees } => {
                let ((i, a), (j, b)) = (of(from)?, of(to)?);
                // Off the line, to its left.
                let left = Heading::from_degrees(*degrees).left() / EXACT_MM;
                let row = [(j, left.x), (j + 1, left.y), (i, -left.x), (i + 1, -left.y)];
                normal.add_sparse((b - a).dot(&left), &row);
            }
            Anchor::Length { from, to, mm, sigma_mm } => {
                let ((i, a), (j, b)) = (of(from)?, of(to)?);
                let length = (b - a).norm();
                let along = (b - a) / (length.max(1e-9) * sigma_mm);
                let row = [(j, along.x), (j + 1, along.y), (i, -along.x), (i + 1, -along.y)];
                normal.add_sparse((length - mm) / sigma_mm, &row);
            }
            Anchor::Prints { share } => {
                normal.add_sparse(state.ln_size / share, &[(self.size_at(), 1.0 / share)]);
            }
        }
        Some(())
    }

    pub fn moved(&self, state: &State, step: &DVector<f64>) -> State {
        let step = step.as_slice();
        let lens = match self.belief {
            LensBelief::Known => state.lens,
            LensBelief::About { .. } => lens_moved(&state.lens, &step[..LENS_UNKNOWNS]),
        };
        let places = state.places.iter().enumerate().map(|(k, place)| {
            let i = self.tag_at(k);
            place.nudged(Vector::new(step[i], step[i + 1]), step[i + 2])
        });
        let cameras = state.cameras.iter().enumerate().map(|(v, pose)| {
            let i = self.camera_at(v);
            pose_moved(pose, &step[i..i + POSE_UNKNOWNS])
        });
        State {
            lens,
            // Bounded, so that one wild step cannot overflow.
            ln_size: (state.ln_size + step[self.size_at()].clamp(-1.0, 1.0)).clamp(-3.0, 3.0),
            places: places.collect(),
            cameras: cameras.collect(),
        }
    }
}

/// How far a lens is from another, in the order of the lens's unknowns.
fn off_centre(lens: &Lens, centre: &Lens) -> [f64; LENS_UNKNOWNS] {
    let (d, c) = (&lens.distortion, &centre.distortion);
    [
        (lens.fx / centre.fx).ln(),
        lens.cx - centre.cx,
        lens.cy - centre.cy,
        d.k1 - c.k1,
        d.k2 - c.k2,
        d.p1 - c.p1,
        d.p2 - c.p2,
    ]
}
