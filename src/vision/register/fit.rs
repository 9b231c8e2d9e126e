//! Registration: fits a known printed pattern to the picture near where it is expected.
//!
//! Gauss-Newton over the pattern's place, three brightnesses (light, dark, what lies outside) and the light's
//! slope across the tag (a lamp to one side, a soft shadow), with Tukey weights so that a spear or a finger counts little. The blur happens in linear light and the
//! result is compared in the picture's own encoding, where the grain is even: see [`Response`].
//! Chosen over inverse-compositional alignment because the brightnesses, the blur and the response are
//! fitted with the place, and the gain of precomputed slopes is small at 30x30 pixels.

use super::layers::{Lattice, Layers, Scratch, Window};
use super::response::Response;
use super::spread;
use crate::vision::{GreyImage, TagPattern};
use nalgebra::{DMatrix, DVector};

/// A way from pixels to the tag's own plane with a few free parameters.
pub trait Warp: Clone {
    /// How many parameters, eight at the most.
    const PARAMETERS: usize;
    /// Tag coordinates (right, up, millimetres) at the corners of the window's pixels.
    fn lattice(&self) -> Lattice;
    /// Change of the tag coordinates at pixel `index` of the window, which lie at `tag`, for one unit of
    /// each parameter.
    fn slopes(&self, index: usize, tag: [f64; 2], into: &mut [[f64; 2]]);
    /// Shifted by a step of the parameters; `None` where there is no such place.
    fn step(&self, by: &[f64]) -> Option<Self>;
}

/// What the camera does to a sharp edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Optics {
    /// Sigma of its point spread, pixels.
    pub blur_px: f64,
    /// Its response to light.
    pub response: Response,
}

impl Default for Optics {
    fn default() -> Self {
        Self { blur_px: 0.6, response: Response::default() }
    }
}

/// Whether the optics are taken as given or fitted with the rest, which wants a tag of some size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpticsKnowledge {
    /// Taken as given.
    Given,
    /// Fitted.
    Fitted,
}

/// How near the truth a fit starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Within a module: edges are let in from afar at first.
    Rough,
    /// Within a fifth of a pixel: where the tag was a frame ago, nothing having changed since. From half
    /// a pixel off its edges would be taken for outliers.
    Near,
}

impl Start {
    /// Grey levels: the first step's cut for outliers, narrowed by 0.6 a step down to the robust one.
    /// While the pattern is still off, its edges look like outliers.
    fn wide_open(self) -> f64 {
        match self {
            Self::Rough => 160.0,
            Self::Near => 40.0,
        }
    }

    /// Steps until that narrowing has come to its end.
    fn least_steps(self) -> usize {
        match self {
            Self::Rough => 6,
            Self::Near => 3,
        }
    }
}

/// A pattern fitted to the picture.
#[derive(Debug, Clone)]
pub struct Fit<W> {
    /// Where it lies.
    pub warp: W,
    /// The optics, fitted or as given.
    pub optics: Optics,
    /// Covariance of the warp's parameters, from the fit's own residuals ([`spread::covariance`]).
    pub covariance: DMatrix<f64>,
    /// Robust root mean square residual, grey levels.
    pub residual: f64,
    /// Grey level of light and of dark modules.
    pub levels: [f64; 2],
    /// Share of the counted pixels that agree with the pattern (weight above a half).
    pub agreeing: f64,
}

/// Steps at the most.
const STEPS: usize = 15;
/// Least share of a pixel's light that must come from the tag's picture for it to count: what lies
/// outside is cloth or base and not known.
const LEAST_INSIDE: f32 = 0.9;
/// Grey levels below which a residual is never an outlier: grain and JPEG.
const NOISE_FLOOR: f64 = 2.0;
/// Tukey's constant: 95 % efficient for normal noise.
const TUKEY: f64 = 4.685;
/// Least contrast between light and dark modules, grey levels.
const LEAST_CONTRAST: f64 = 12.0;
/// Values from here on are burnt out and say nothing of where an edge is.
const BURNT_OUT: u8 = 254;
/// A tag without clearly light or clearly dark pixels registers only where its modules measure so many pixels along their
/// shorter side. A choice: in `groma study size` without it tags of less came out off by tenths of millimetres and more,
/// and of those of 5 to 6 pixels 11 were said to be where they are not.
const LEAST_MODULE_PX: f64 = 1.2;
/// Step for the slope over blur, pixels.
const BLUR_PROBE_PX: f64 = 0.05;
/// The blur changes by at most this share of itself in a step: from a webcam's 0.6 pixels a telephone's large soft
/// picture of 2.5 is seven steps away. A fit whose blur still wants to change by more has not settled.
const MOST_BLUR_STEP: f64 = 0.25;
/// Brightnesses and the light's slope across the window, which come before the warp.
const LIGHTING: usize = 5;
/// Lighting, warp and optics together at the most.
const MOST: usize = LIGHTING + 8 + 2;
/// The light may change by at most this share from the window's middle to its rim.
const MOST_SLOPE: f64 = 0.7;

/// Fits `pattern`, printed at `size_mm`, starting from `start`. `None` where it has too little contrast
/// or too few pixels, or does not settle.
pub fn fit<W: Warp>(
    picture: &GreyImage,
    pattern: &TagPattern,
    size_mm: f64,
    (start, nearness): (W, Start),
    (optics, knowledge): (Optics, OpticsKnowledge),
    scratch: &mut Scratch,
) -> Option<Fit<W>> {
    let n = W::PARAMETERS;
    let free_optics = match knowledge {
        OpticsKnowledge::Given => 0,
        OpticsKnowledge::Fitted => 2,
    };
    let total = LIGHTING + n + free_optics;
    let (mut warp, mut optics) = (start, optics);
    let mut levels: Option<[f64; LIGHTING]> = None;
    let mut rows: Vec<Row> = Vec::new();
    for taken in 1..=STEPS {
        let lattice = warp.lattice();
        let layers = Layers::render(pattern, size_mm, &lattice, optics.blur_px, scratch);
        let wider = (free_optics > 0)
            .then(|| Layers::render(pattern, size_mm, &lattice, optics.blur_px + BLUR_PROBE_PX, scratch));
        let alpha = match levels {
            Some(alpha) => alpha,
            None => {
                let module_px = pattern.module_mm(size_mm) / lattice.longest_step();
                let [light, dark, outside] =
                    first_levels(picture, (lattice.window, module_px), &layers, optics.response)?;
                [light, dark, outside, 0.0, 0.0]
            }
        };
        linearise(picture, &warp, &lattice, (&layers, wider.as_ref()), alpha, optics.response, &mut rows)?;
        if rows.len() < 2 * total {
            return None;
        }
        let scale = (1.4826 * median_size(&rows)).max(NOISE_FLOOR);
        let cut = (TUKEY * scale).max(nearness.wide_open() * 0.6f64.powi(taken as i32 - 1));
        let sums = Sums::of(&rows, total, cut);
        let inverse = sums.normal.clone().try_inverse()?;
        let step = &inverse * &sums.pull;
        if step.iter().any(|v| !v.is_finite()) {
            return None;
        }
        let sigma = |k: usize| inverse[(k, k)].max(0.0).sqrt() * sums.residual.max(NOISE_FLOOR / 2.0);
        let largest =
            (LIGHTING..LIGHTING + n).map(|k| step[k].abs() / sigma(k).max(1e-12)).fold(0.0, f64::max);
        let alpha = [
            (alpha[0] + step[0]).clamp(1e-4, 2.0),
            (alpha[1] + step[1]).clamp(1e-5, 2.0),
            (alpha[2] + step[2]).clamp(-4.0, 6.0),
            (alpha[3] + step[3]).clamp(-MOST_SLOPE, MOST_SLOPE),
            (alpha[4] + step[4]).clamp(-MOST_SLOPE, MOST_SLOPE),
        ];
        levels = Some(alpha);
        warp = warp.step(&step.as_slice()[LIGHTING..LIGHTING + n])?;
        let mut optics_near = true;
        if free_optics > 0 {
            let (blur, most) = (step[LIGHTING + n], MOST_BLUR_STEP * optics.blur_px);
            optics_near = blur.abs() <= most;
            optics.blur_px = (optics.blur_px + blur.clamp(-most, most)).clamp(0.25, 3.0);
            optics.response =
                Response::new(optics.response.gamma() + step[LIGHTING + n + 1].clamp(-0.3, 0.3));
        }
        let settled = largest < 0.3 && optics_near && taken >= nearness.least_steps();
        if settled || taken == STEPS {
            let shown = [optics.response.encode(alpha[0]).0, optics.response.encode(alpha[1]).0];
            let good = shown[0] - shown[1] >= LEAST_CONTRAST && largest < 4.0;
            let covariance = spread::covariance(&rows, lattice.window, total, cut, LIGHTING..LIGHTING + n)?;
            return good.then_some(Fit {
                warp,
                optics,
                covariance,
                residual: sums.residual,
                levels: shown,
                agreeing: sums.agreeing,
            });
        }
    }
    None
}

/// One pixel: lighting, warp, blur, gamma are its parameters.
type Row = spread::Row<MOST>;

/// Fills `rows` with every pixel that counts. `None` where the warp folds.
fn linearise<W: Warp>(
    picture: &GreyImage,
    warp: &W,
    lattice: &Lattice,
    (layers, wider): (&Layers, Option<&Layers>),
    alpha: [f64; LIGHTING],
    response: Response,
    rows: &mut Vec<Row>,
) -> Option<()> {
    rows.clear();
    let window = lattice.window;
    let n = W::PARAMETERS;
    let mut tag_slopes = [[0.0; 2]; 8];
    for (i, &inside) in layers.inside.iter().enumerate() {
        let (column, row) = (i % window.width, i / window.width);
        let seen = picture.data()[(window.y0 + row) * picture.width() + window.x0 + column];
        if inside < LEAST_INSIDE || seen >= BURNT_OUT {
            continue;
        }
        let (light, inside) = (f64::from(layers.light[i]), f64::from(inside));
        let even = alpha[0] * light + alpha[1] * (inside - light) + alpha[2] * (1.0 - inside);
        let (u, v) = (from_middle(column, window.width), from_middle(row, window.height));
        let lamp = 1.0 + alpha[3] * u + alpha[4] * v;
        let (model, by_linear, over_gamma) = response.encode(even * lamp);
        let over_light = by_linear * lamp;
        let mut slopes = [0.0; MOST];
        slopes[0] = over_light * light;
        slopes[1] = over_light * (inside - light);
        slopes[2] = over_light * (1.0 - inside);
        slopes[3] = by_linear * even * u;
        slopes[4] = by_linear * even * v;
        let mixed = |l: f64, s: f64| over_light * ((alpha[0] - alpha[1]) * l + (alpha[1] - alpha[2]) * s);
        let along = |axis: usize| {
            mixed(f64::from(layers.light_slope[i][axis]), f64::from(layers.inside_slope[i][axis]))
        };
        let (gx, gy) = (along(0), along(1));
        let cell = lattice.cell(column, row);
        let det = cell.across[0] * cell.down[1] - cell.across[1] * cell.down[0];
        if det.abs() < 1e-12 {
            return None;
        }
        // The picture's slope, taken through the inverse of the local map into tag coordinates.
        let gt = [
            (gx * cell.down[1] - gy * cell.across[1]) / det,
            (gy * cell.across[0] - gx * cell.down[0]) / det,
        ];
        warp.slopes(i, cell.centre, &mut tag_slopes[..n]);
        for (to, s) in slopes[LIGHTING..].iter_mut().zip(&tag_slopes[..n]) {
            *to = gt[0] * s[0] + gt[1] * s[1];
        }
        if let Some(wider) = wider {
            slopes[LIGHTING + n] =
                mixed(f64::from(wider.light[i]) - light, f64::from(wider.inside[i]) - inside) / BLUR_PROBE_PX;
            slopes[LIGHTING + n + 1] = over_gamma;
        }
        rows.push(Row { at: i, residual: f64::from(seen) - model, slopes });
    }
    Some(())
}

/// A pixel's place across the window, from -1 to 1.
fn from_middle(at: usize, count: usize) -> f64 {
    (2.0 * at as f64 + 1.0) / count as f64 - 1.0
}

fn median_size(rows: &[Row]) -> f64 {
    let mut sizes: Vec<f64> = rows.iter().map(|row| row.residual.abs()).collect();
    let middle = sizes.len() / 2;
    *sizes.select_nth_unstable_by(middle, f64::total_cmp).1
}

/// The weighted normal equations of one step.
struct Sums {
    normal: DMatrix<f64>,
    pull: DVector<f64>,
    residual: f64,
    agreeing: f64,
}

impl Sums {
    fn of(rows: &[Row], total: usize, cut: f64) -> Self {
        let mut normal = [[0.0; MOST]; MOST];
        let mut pull = [0.0; MOST];
        let (mut squares, mut weights, mut agreeing) = (0.0, 0.0, 0usize);
        for row in rows {
            let u = row.residual / cut;
            if u.abs() >= 1.0 {
                continue;
            }
            let weight = (1.0 - u * u) * (1.0 - u * u);
            agreeing += usize::from(weight > 0.5);
            squares += weight * row.residual * row.residual;
            weights += weight;
            for a in 0..total {
                let left = weight * row.slopes[a];
                pull[a] += left * row.residual;
                for (sum, slope) in normal[a][..=a].iter_mut().zip(&row.slopes) {
                    *sum += left * slope;
                }
            }
        }
        Self {
            normal: DMatrix::from_fn(total, total, |a, b| normal[a.max(b)][a.min(b)]),
            pull: DVector::from_fn(total, |a, _| pull[a]),
            residual: (squares / (weights - total as f64).max(1.0)).sqrt(),
            agreeing: agreeing as f64 / rows.len() as f64,
        }
    }
}

/// Mean light of clearly light and clearly dark pixels, and of what lies outside. Where modules are too small for clear
/// pixels of both kinds (some codes at less than 13 pixels have none), but of `module_px` enough, light and dark are where
/// a straight line through all pixels, by their share of light modules, ends.
fn first_levels(
    picture: &GreyImage,
    (window, module_px): (Window, f64),
    layers: &Layers,
    response: Response,
) -> Option<[f64; 3]> {
    let mut sums = [[0.0, 0.0]; 3];
    let mut line = Line::default();
    for (i, (&light, &inside)) in layers.light.iter().zip(&layers.inside).enumerate() {
        let at = (window.y0 + i / window.width) * picture.width() + window.x0 + i % window.width;
        let seen = response.decode(f64::from(picture.data()[at]));
        let kind = match (light, inside) {
            (_, inside) if inside < 0.1 => 2,
            (_, inside) if inside < LEAST_INSIDE => continue,
            (light, _) if light > 0.8 => 0,
            (light, _) if light < 0.2 => 1,
            _ => {
                line.add(f64::from(light), seen);
                continue;
            }
        };
        if kind < 2 {
            line.add(f64::from(light), seen);
        }
        sums[kind][0] += seen;
        sums[kind][1] += 1.0;
    }
    let mean = |k: usize| (sums[k][1] > 0.0).then(|| sums[k][0] / sums[k][1]);
    let (light, dark) = match (mean(0), mean(1)) {
        (Some(light), Some(dark)) => (light, dark),
        _ if module_px >= LEAST_MODULE_PX => line.ends()?,
        _ => return None,
    };
    (light > dark).then_some([light, dark, mean(2).unwrap_or((light + dark) / 2.0)])
}

/// Sums for the straight line through points (share, value).
#[derive(Debug, Default)]
struct Line {
    count: f64,
    share: f64,
    value: f64,
    share2: f64,
    both: f64,
}

impl Line {
    fn add(&mut self, share: f64, value: f64) {
        self.count += 1.0;
        self.share += share;
        self.value += value;
        self.share2 += share * share;
        self.both += share * value;
    }

    /// Its values at shares 1 and 0; none below. `None` where all shares are one.
    fn ends(&self) -> Option<(f64, f64)> {
        let spread = self.count * self.share2 - self.share * self.share;
        if spread <= 1e-9 {
            return None;
        }
        let slope = (self.count * self.both - self.share * self.value) / spread;
        let none = (self.value - slope * self.share) / self.count;
        Some((none + slope, none.max(0.0)))
    }
}
