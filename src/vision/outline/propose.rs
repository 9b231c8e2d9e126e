//! An outline proposed round a place that was pointed at.

use super::course::{Course, course};
use super::edge::{ALONG_MM, BAY_MM, REACH_MM, evidence, lines, read_lines, settle};
use super::features::{Colours, Features};
use super::grow::{Grown, LEAST_MM2, Nothing, grow};
use super::mask::{Change, Mask};
use super::rectify::Rectified;
use crate::geometry::{Point, Polygon};
use thiserror::Error;

/// Smoothings that are tried, one sigma in millimetres.
const SMOOTHINGS_MM: [f64; 2] = [1.5, 3.0];
/// The smoothing that the rim is placed by.
const FINE_MM: f64 = 1.0;
/// Bays narrower than twice this are closed where a base or a tag hides the board. A choice.
const HIDDEN_BAY_MM: f64 = 40.0;
/// Spurs narrower than twice this go.
const SPUR_MM: f64 = 2.0;
/// Corners are left out while the rim keeps within this of them, millimetres.
const KEEP_MM: f64 = 0.8;
/// Less sharp than this a rim is not there to be seen.
const LEAST_SHARPNESS: f64 = 0.16;

/// An outline as the picture shows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Proposal {
    /// The outline.
    pub outline: Polygon,
    /// Its middle line and width, where it is long and narrow as rivers and roads are.
    pub course: Option<Course>,
    /// How sharp its rim is: 0 not to be seen, 1 another colour altogether.
    pub sharpness: f64,
    /// One sigma of the rim's place, millimetres.
    pub sigma_mm: f64,
    /// The share of the rim that the picture shows: the rest lies under trees, bases and hands.
    pub shown: f64,
}

/// Why nothing is proposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NoOutline {
    /// Off the board, or off the camera's picture.
    #[error("the camera does not see that place: point at the board")]
    OutOfView,
    /// A base or a tag stands there.
    #[error("something stands there that Groma knows (a base or a tag): point beside it")]
    Covered,
    /// The cloth.
    #[error(
        "nothing stands out there: that is the board's own surface. Point at a felt, a hill or a road, or choose a shape"
    )]
    Cloth,
    /// Too small to be a feature.
    #[error(
        "what shows there is smaller than 20 x 20 mm, a tree or a stone: point at the felt that it stands on, or choose a shape"
    )]
    Small,
    /// No rim to be seen.
    #[error("no clear rim shows round that place: more light helps, or choose a shape and drag its corners")]
    Faint,
    /// What was found makes no outline.
    #[error("what shows there has no simple outline: point at another place of it, or choose a shape")]
    NoShape,
}

impl From<opencv::Error> for NoOutline {
    fn from(_: opencv::Error) -> Self {
        Self::NoShape
    }
}

/// The outline of what shows at `at`.
///
/// # Errors
/// [`NoOutline`], in words that say what to do.
pub fn propose(made: &Rectified, at: Point) -> Result<Proposal, NoOutline> {
    let seed = made.index(at).filter(|n| made.in_view[*n]).ok_or(NoOutline::OutOfView)?;
    if !made.shown[seed] {
        return Err(NoOutline::Covered);
    }
    let colours = Colours::of(made)?;
    // The rough piece is found at half the scale.
    let smoothings = SMOOTHINGS_MM.iter().map(|s| Ok(colours.smoothed(*s)?.halved()));
    let smoothings = smoothings.collect::<Result<Vec<Features>, opencv::Error>>()?;
    let (w, h) = made.size();
    let half = (seed / w / 2) * w.div_ceil(2) + (seed % w) / 2;
    let mm_per_px = 2.0 * made.mm_per_px;
    let board_px = made.board_mm.0 * made.board_mm.1 / (mm_per_px * mm_per_px);
    let grown = grow(&smoothings, half, mm_per_px, board_px).map_err(|nothing| match nothing {
        Nothing::Cloth => NoOutline::Cloth,
        Nothing::Small => NoOutline::Small,
    })?;
    if grown.sharpness < LEAST_SHARPNESS {
        return Err(NoOutline::Faint);
    }
    let on = (0..w * h).map(|n| grown.mask.on[(n / w / 2) * w.div_ceil(2) + (n % w) / 2]).collect();
    let grown = Grown { mask: Mask { w, h, on }, ..grown };
    let fine = colours.smoothed(FINE_MM)?;
    let found = refined(made, &fine, grown)?;
    if found.outline.area_mm2() < LEAST_MM2 { Err(NoOutline::Small) } else { Ok(found) }
}

/// The rim of what was found, bays closed and placed by the picture.
fn refined(made: &Rectified, fine: &Features, grown: Grown) -> Result<Proposal, NoOutline> {
    let rough = whole(made, fine, &grown)?;
    let around = rough.contour()?;
    let rim: Vec<Point> = around.iter().map(|(c, r)| made.point(*c, *r)).collect();
    let told = evidence(made, fine, &rough, &grown.model)?.ok_or(NoOutline::Faint)?;
    let even = lines(&rim, ALONG_MM);
    if even.is_empty() {
        return Err(NoOutline::NoShape);
    }
    let read = read_lines(made, &told, &even, REACH_MM);
    let shifts = settle(&read);
    let placed: Vec<Point> = even.iter().zip(&shifts).map(|((p, out), shift)| p + out * *shift).collect();
    let seen: Vec<f64> = read
        .iter()
        .zip(&shifts)
        .filter(|(line, _)| line.weight > 0.3)
        .map(|(line, shift)| (line.alone_mm - shift).abs())
        .collect();
    let shown = seen.len() as f64 / read.len() as f64;
    let outline = simple(made, &placed)?;
    let course = course(made, &drawn(made, &outline))?;
    // A river or road goes on beyond the board, and ends for the rules at its edge.
    let outline = if course.is_some() { on_board(made, &outline).unwrap_or(outline) } else { outline };
    Ok(Proposal { outline, course, sharpness: grown.sharpness, sigma_mm: sigma(seen), shown })
}

/// Half of the lines differ from the rim by less than this; with what neighbours share, one sigma of the rim.
fn sigma(mut off: Vec<f64>) -> f64 {
    /// What lines do not tell of themselves: the camera's place, light and blur at the felt's edge, corners left out.
    /// By the photographs of `groma study outlines`, where rims without trees are 0.8 to 1.8 mm off.
    const SHARED_MM: f64 = 1.2;
    if off.is_empty() {
        return REACH_MM;
    }
    off.sort_by(f64::total_cmp);
    (1.48 * off[off.len() / 2]).hypot(SHARED_MM)
}

/// What was found with what stands on it: holes closed, and bays where neither it nor the board shows.
fn whole(made: &Rectified, fine: &Features, grown: &Grown) -> Result<Mask, NoOutline> {
    let mask = grown.mask.changed(Change::Open, made.px(SPUR_MM))?;
    let seed = grown.mask.pixels().filter(|n| mask.on[*n]);
    let mask = mask.piece(largest(&mask, seed)).filled();
    let Some(told) = evidence(made, fine, &mask, &grown.model)? else { return Err(NoOutline::Faint) };
    let mut closed = mask.changed(Change::Close, made.px(BAY_MM))?;
    let hidden = mask.changed(Change::Close, made.px(HIDDEN_BAY_MM))?;
    for n in 0..closed.on.len() {
        closed.on[n] |= hidden.on[n] && !fine.own[n];
        // The board shows here: it is no part of the feature, whatever is round it.
        if !mask.on[n] && told.side[n] < -0.4 {
            closed.on[n] = false;
        }
    }
    let closed = closed.changed(Change::Open, made.px(SPUR_MM))?;
    let kept = closed.piece(mask.pixels()).filled();
    let piece = kept.piece(largest(&kept, kept.pixels()));
    if piece.count() == 0 { Err(NoOutline::NoShape) } else { Ok(piece) }
}

/// A pixel of the largest piece.
fn largest(mask: &Mask, of: impl Iterator<Item = usize>) -> Option<usize> {
    let mut seen = vec![false; mask.on.len()];
    let mut best: Option<(usize, usize)> = None;
    for n in of {
        if seen[n] {
            continue;
        }
        let piece = mask.piece([n]);
        let count = piece.count();
        for at in piece.pixels() {
            seen[at] = true;
        }
        if best.is_none_or(|(most, _)| count > most) {
            best = Some((count, n));
        }
    }
    best.map(|(_, n)| n)
}

/// Few corners that keep to a closed line.
fn simple(made: &Rectified, rim: &[Point]) -> Result<Polygon, NoOutline> {
    // Begin at the two points farthest apart, so that neither is left out where it matters.
    let far = |from: Point| {
        let off = |p: &Point| (p - from).norm();
        (0..rim.len()).max_by(|a, b| off(&rim[*a]).total_cmp(&off(&rim[*b]))).unwrap_or(0)
    };
    let (a, b) = (far(rim[0]), far(rim[far(rim[0])]));
    let (a, b) = (a.min(b), a.max(b));
    let mut first = super::course::thinned(&rim[a..=b], KEEP_MM);
    let back: Vec<Point> = rim[b..].iter().chain(&rim[..=a]).copied().collect();
    let mut second = super::course::thinned(&back, KEEP_MM);
    first.pop();
    second.pop();
    first.extend(second);
    let rounded = |v: f64| (v * 10.0).round() / 10.0;
    let mut corners: Vec<Point> = first.iter().map(|p| Point::new(rounded(p.x), rounded(p.y))).collect();
    corners.dedup();
    if let Ok(outline) = Polygon::new(corners) {
        return Ok(outline);
    }
    // A rim that crosses itself is drawn as pixels, and gone round outside.
    let mask = filled_by(made, rim);
    let around = mask.piece(largest(&mask, mask.pixels())).contour()?;
    let points: Vec<Point> = around.iter().step_by(4).map(|(c, r)| made.point(*c, *r)).collect();
    Polygon::new(super::course::thinned(&points, KEEP_MM / 2.0)).map_err(|_| NoOutline::NoShape)
}

/// The largest part of an outline that lies on the board; `None` where that is no outline.
fn on_board(made: &Rectified, outline: &Polygon) -> Option<Polygon> {
    let (low, high) = outline.bounds();
    let (wide, deep) = made.board_mm;
    if low.x >= 0.0 && low.y >= 0.0 && high.x <= wide && high.y <= deep {
        return None;
    }
    let mut mask = drawn(made, outline);
    for n in 0..mask.on.len() {
        let p = made.point((n % mask.w) as f64, (n / mask.w) as f64);
        mask.on[n] &= (0.0..=wide).contains(&p.x) && (0.0..=deep).contains(&p.y);
    }
    let piece = mask.piece(largest(&mask, mask.pixels()));
    let rim: Vec<Point> = piece.contour().ok()?.iter().map(|(c, r)| made.point(*c, *r)).collect();
    let mut corners = super::course::thinned(&rim, KEEP_MM);
    if let [first, .., last] = corners[..]
        && (first - last).norm() < KEEP_MM
    {
        corners.pop();
    }
    Polygon::new(corners).ok()
}

/// The pixels of an outline.
fn drawn(made: &Rectified, outline: &Polygon) -> Mask {
    filled_by(made, outline.corners())
}

/// The pixels that a closed line goes round, row by row.
pub(super) fn filled_by(made: &Rectified, rim: &[Point]) -> Mask {
    let (w, h) = made.size();
    let mut on = vec![false; w * h];
    let pixels: Vec<(f64, f64)> = rim.iter().map(|p| made.pixel(*p)).collect();
    for row in 0..h {
        let y = row as f64 + 1e-6;
        let mut crossings: Vec<f64> = (0..pixels.len())
            .filter_map(|n| {
                let (a, b) = (pixels[n], pixels[(n + 1) % pixels.len()]);
                let between = (a.1 <= y) != (b.1 <= y);
                between.then(|| a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0))
            })
            .collect();
        crossings.sort_by(f64::total_cmp);
        for pair in crossings.chunks_exact(2) {
            let (from, to) = (pair[0].ceil().max(0.0) as usize, pair[1].floor().min(w as f64 - 1.0));
            if to >= 0.0 && from <= to as usize {
                on[row * w + from..=row * w + to as usize].fill(true);
            }
        }
    }
    Mask { w, h, on }
}
