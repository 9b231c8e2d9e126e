//! A spot of a table from one picture of printed tiles laid round it: the plane, the camera, and where the tiles lie,
//! solved together. Where they lie beforehand nobody knows: their printed size alone gives the scale, and that they
//! all lie on one plane gives the plane.
//!
//! Frame: the first tile seen lies at [`Spot::MIDDLE_MM`] each way, the second in +x of it. Millimetres.

use super::bundle::{Anchor, LensBelief, State};
use super::solve::{Problem, inverse, misfits, own_lens, plain_lens, rms};
use super::{TableView, TagToPlace};
use crate::tracking::{ReferenceTag, Tag};
use crate::vision::location::{LENS_UNKNOWNS, LensPrior, POSE_UNKNOWNS, RegisteredCamera, root_of};
use crate::vision::{CameraModel, Lens};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeSet;

/// A printed tile that is laid round the spot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tile {
    /// Its tag.
    pub tag: Tag,
    /// Side of the square whose corners the detector returns, millimetres.
    pub size_mm: f64,
    /// Height of its printed face above what it lies on, millimetres.
    pub thickness_mm: f64,
}

/// How well tiles are known, one sigma each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TileDoubt {
    /// The printed size of all of them together, as a share of it: a printer's scale where nobody has measured it.
    pub size_share: f64,
    /// Each one's height on its own: paper that curls, cloth that gives. Millimetres.
    pub flat_mm: f64,
}

impl Default for TileDoubt {
    fn default() -> Self {
        Self { size_share: 0.003, flat_mm: 0.3 }
    }
}

/// A spot of a table, its camera placed.
#[derive(Debug, Clone)]
pub struct Spot {
    /// The camera with its uncertainty, in the spot's own frame.
    pub camera: RegisteredCamera,
    /// Where the tiles were found to lie.
    pub tiles: Vec<ReferenceTag>,
}

impl Spot {
    /// The first tile lies here, x and y; the spot's playing area is taken to be twice as wide and deep.
    pub const MIDDLE_MM: f64 = 1000.0;
}

/// Tiles that must show at least: two leave a plane that can tip about the line between them.
pub const LEAST_TILES: usize = 3;
/// Above this error of their corners, as a share of the picture's longer side, the tiles do not lie on one plane.
const MOST_RMS_SHARE: f64 = 0.0015;
/// The claimed corner sigma weighs as much as this many degrees of freedom against the misfit seen.
const PRIOR_FREEDOM: f64 = 10.0;

/// Why a spot is not placed. Every message says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SpotError {
    /// Too few tiles.
    #[error(
        "{seen} of the umpire's tiles are seen, {LEAST_TILES} are needed and four are better: lay them flat round the spot and take them all into the picture"
    )]
    TooFewTiles {
        /// How many show.
        seen: usize,
    },
    /// Tiles that do not fit one plane.
    #[error(
        "the {seen} tiles do not lie on one plane: their corners are {misfit_px:.1} px off, {worst} most of all; lay them flat on what the bases stand on, and check their size"
    )]
    NotFlat {
        /// How many show.
        seen: usize,
        /// Root mean square misfit of their corners.
        misfit_px: f64,
        /// The tile that fits worst.
        worst: Tag,
    },
    /// The lens profile was made for another picture size.
    #[error(
        "the lens profile is for {profile_width}x{profile_height} pictures and this one is {width}x{height}: use a profile made at this size, or none"
    )]
    LensSize {
        /// Columns of the profile.
        profile_width: u32,
        /// Rows of the profile.
        profile_height: u32,
        /// Columns of the picture.
        width: usize,
        /// Rows of the picture.
        height: usize,
    },
}

/// Places the camera by the tiles that `view` shows. `size` is the picture's columns and rows.
///
/// # Errors
/// Too few tiles, tiles that do not lie on one plane, or a profile of another picture size.
pub fn place_by_tiles(
    view: &TableView,
    tiles: &[Tile],
    size: (usize, usize),
    lens: Option<&Lens>,
    doubt: &TileDoubt,
) -> Result<Spot, SpotError> {
    if let Some(l) = lens.filter(|l| (l.width as usize, l.height as usize) != size) {
        let (profile_width, profile_height, width, height) = (l.width, l.height, size.0, size.1);
        return Err(SpotError::LensSize { profile_width, profile_height, width, height });
    }
    let known: BTreeSet<Tag> = tiles.iter().map(|t| t.tag).collect();
    let sights = view.sights.iter().filter(|s| known.contains(&s.tag)).copied().collect();
    let views = [TableView { label: view.label.clone(), sights }];
    let seen: Vec<TagToPlace> = tiles
        .iter()
        .filter(|t| views[0].sights.iter().any(|s| s.tag == t.tag))
        .map(|t| TagToPlace { tag: t.tag, size_mm: t.size_mm, z_mm: t.thickness_mm, written: None })
        .collect();
    let too_few = SpotError::TooFewTiles { seen: seen.len() };
    if seen.len() < LEAST_TILES {
        return Err(too_few);
    }
    let middle = Spot::MIDDLE_MM;
    let anchors = [
        Anchor::Place { tag: seen[0].tag, at: (middle, middle), sigma_mm: super::bundle::EXACT_MM },
        Anchor::Direction { from: seen[0].tag, to: seen[1].tag, degrees: 0.0 },
        Anchor::Prints { share: doubt.size_share },
    ];
    let belief = match lens {
        Some(_) => LensBelief::Known,
        None => own_lens(plain_lens(size, LensPrior::default().field_of_view_deg)),
    };
    let problem = Problem { tags: &seen, anchors: &anchors, size };
    let state = problem.first(&views, lens, belief).map_err(|_| too_few.clone())?;
    let mut bundle = problem.bundle(&views, belief);
    let off = misfits(&bundle, &state);
    let misfit_px = rms(off.iter().map(|m| &m.0)).unwrap_or(f64::INFINITY);
    let worst = off.iter().max_by(|a, b| a.0.total_cmp(&b.0)).map_or(seen[0].tag, |m| m.2);
    if misfit_px > MOST_RMS_SHARE * size.0.max(size.1) as f64 {
        return Err(SpotError::NotFlat { seen: seen.len(), misfit_px, worst });
    }
    let not_flat = SpotError::NotFlat { seen: seen.len(), misfit_px, worst };
    let normal = bundle.equations(&state).ok_or(not_flat.clone())?;
    // Shift and turn of the frame are nobody's unknowns; size and lens are held by what is believed of them.
    let fitted = 3 * seen.len() - 3 + POSE_UNKNOWNS;
    let freedom = (8 * seen.len()).saturating_sub(fitted) as f64;
    bundle.inflation = ((PRIOR_FREEDOM + normal.cost) / (PRIOR_FREEDOM + freedom)).sqrt().max(1.0);
    let normal = bundle.equations(&state).ok_or(not_flat.clone())?;
    let inverse = inverse(&normal.hessian).ok_or(not_flat)?;
    // What each tile's height is not known to: how the solution answers to one sigma of it.
    let mut lifted = DMatrix::zeros(bundle.unknowns(), seen.len());
    for k in 0..seen.len() {
        let mut tags = seen.clone();
        tags[k].z_mm += doubt.flat_mm;
        let problem = Problem { tags: &tags, anchors: &anchors, size };
        let mut other = problem.bundle(&views, belief);
        other.inflation = bundle.inflation;
        if let Some(moved) = other.equations(&state) {
            let change: DVector<f64> = &moved.gradient - &normal.gradient;
            lifted.set_column(k, &(&inverse * change));
        }
    }
    let covariance = &inverse + &lifted * lifted.transpose();
    let estimated = matches!(belief, LensBelief::About { .. });
    let first = bundle.camera_at(0);
    let mut order: Vec<usize> = (first..first + POSE_UNKNOWNS).collect();
    if estimated {
        order.extend(0..LENS_UNKNOWNS);
    }
    let of_camera = DMatrix::from_fn(order.len(), order.len(), |i, j| covariance[(order[i], order[j])]);
    let camera = RegisteredCamera {
        model: CameraModel { lens: state.lens, pose: state.cameras[0] },
        lens_estimated: estimated,
        residual_px: misfit_px,
        used: seen.iter().map(|t| t.tag).collect(),
        left_out: Vec::new(),
        root: root_of(&of_camera),
    };
    Ok(Spot { camera, tiles: placed(&seen, &state) })
}

fn placed(seen: &[TagToPlace], state: &State) -> Vec<ReferenceTag> {
    seen.iter()
        .zip(&state.places)
        .map(|(t, place)| ReferenceTag {
            tag: t.tag,
            size_mm: t.size_mm * state.ln_size.exp(),
            x_mm: place.centre.x,
            y_mm: place.centre.y,
            z_mm: t.z_mm,
            rotation_deg: place.heading.degrees() - 90.0,
            sigma_mm: 0.0,
        })
        .collect()
}
