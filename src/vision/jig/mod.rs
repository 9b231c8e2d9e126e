//! Mounts measured once: a base pushed into the corner of a printed jig, and what its pictures say of its tag's
//! place on it, of its height, and of the base's own width and depth.
//!
//! The jig is a small table of its own: its printed tags place the camera, and the base's tag is registered like any
//! other ([`crate::vision::Pipeline`]). One picture gives offset and rotation at the height that is written; two or
//! more from different places give the height too. Jig frame, millimetres: see [`jig_tags`]. Invariant: every number
//! comes with its sigma, and what the pictures cannot tell is left as it was written.

mod combine;
mod plan;
mod rim;

pub use plan::{JIG_ARMS_MM, JIG_ROOM_MM, JIG_STRIPES_MM, JIG_TAG_MM, jig_tags, stripe_phase};
pub use rim::Length;

use super::{DetectorError, Frame, Lens, Pipeline, PipelineSettings, RegistrationError, Sequence};
use crate::geometry::PoseEstimate;
use crate::tracking::{KnownTag, Tag, TagBook, Visibility};
use combine::{Combined, combined};
use rim::{FreeEdge, Stripes};
use std::collections::BTreeMap;

/// A tag on a base, as far as it is known before it is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct JigTag {
    /// Which tag.
    pub tag: Tag,
    /// Side of the square whose corners the detector returns, millimetres.
    pub size_mm: f64,
    /// Height of the printed face above the base's top, and one sigma of it.
    pub height_mm: (f64, f64),
    /// The base's width and depth as written, millimetres.
    pub base_mm: (f64, f64),
    /// How thick the base is, millimetres.
    pub thickness_mm: f64,
}

/// A mount as measured. Millimetres and degrees, in the base's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredMount {
    /// Which tag.
    pub tag: Tag,
    /// The tag's centre to the right of the base's centre.
    pub right_mm: f64,
    /// The tag's centre ahead of the base's centre.
    pub forward_mm: f64,
    /// One sigma of either.
    pub offset_sigma_mm: f64,
    /// The tag's turn on the base, anticlockwise.
    pub rotation_deg: f64,
    /// One sigma of it.
    pub rotation_sigma_deg: f64,
    /// The printed face's height above the base's top, where the pictures tell it better than it was known.
    pub height: Option<Length>,
    /// The base's width, where its right edge shows.
    pub width: Option<Length>,
    /// The base's depth, where its front edge shows.
    pub depth: Option<Length>,
    /// Pictures it was measured in.
    pub pictures: usize,
    /// How well the pictures agree: about one where they do as they should.
    pub disagreement: f64,
}

/// Why nothing was measured. Every message says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum JigError {
    /// A tag of the jig is in use.
    #[error(
        "{0} is on the jig and on an element too: give the element another tag, the jig's ids cannot change"
    )]
    Clash(Tag),
    /// The detector.
    #[error(transparent)]
    Detector(#[from] DetectorError),
}

/// A picture in which nothing was measured, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Unused {
    /// What people call it.
    pub label: String,
    /// Why.
    pub why: String,
}

/// What the pictures gave.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct JigReading {
    /// Every tag that was measured, in the order given.
    pub mounts: Vec<MeasuredMount>,
    /// Pictures without use.
    pub unused: Vec<Unused>,
}

/// Pushing a base home against the strips, and the strips along the printed lines: one sigma of either edge,
/// millimetres. A choice.
const PUSH_SIGMA_MM: f64 = 0.1;
/// One sigma of the print's own scale after its ruler was measured, a share.
const SCALE_SIGMA: f64 = 0.001;
/// A height that comes out further than this from the one it was looked for at is looked for again.
const HEIGHT_AGREES_MM: f64 = 0.3;
/// The pictures have measured a height where they leave at most this share of its sigma.
const MEASURED_SHARE: f64 = 0.7;
const ROUNDS: usize = 3;

/// One tag in one picture.
struct Sight {
    pose: PoseEstimate,
    width: Option<Length>,
    depth: Option<Length>,
}

/// Measures the mounts of `tags` that show in `frames`, each in the corner of the jig; `scale` is the printed
/// sheet's true size over its nominal size. Several pictures of one base may lie anywhere among those of others.
///
/// # Errors
/// A tag that is on the jig too, a detector that cannot be made. A lens of another picture size makes pictures
/// unused.
pub fn measure(
    frames: &[Frame],
    lens: Option<&Lens>,
    tags: &[JigTag],
    scale: f64,
) -> Result<JigReading, JigError> {
    let reference = jig_tags(scale);
    if let Some(clash) = tags.iter().find(|t| reference.iter().any(|r| r.tag == t.tag)) {
        return Err(JigError::Clash(clash.tag));
    }
    let mut sought: Vec<JigTag> = tags.to_vec();
    let mut reading = JigReading::default();
    let mut found: BTreeMap<Tag, (JigTag, MeasuredMount)> = BTreeMap::new();
    for round in 0..ROUNDS {
        let (sights, unused) = sights(frames, lens.copied(), &sought, scale)?;
        if round == 0 {
            reading.unused = unused;
        }
        let mut again = Vec::new();
        for asked in &sought {
            let Some(seen) = sights.get(&asked.tag) else { continue };
            // What was written weighs as a prior in every round, wherever the tag is looked for.
            let written = tags.iter().find(|t| t.tag == asked.tag).unwrap_or(asked);
            let Some(mount) = mount_of(asked, written, seen) else { continue };
            if let Some(height) = mount.height.filter(|h| (h.mm - asked.height_mm.0).abs() > HEIGHT_AGREES_MM)
            {
                again.push(JigTag { height_mm: (height.mm, asked.height_mm.1), ..*asked });
            }
            found.insert(asked.tag, (*asked, mount));
        }
        sought = again;
        if sought.is_empty() {
            break;
        }
    }
    reading.mounts = tags.iter().filter_map(|t| found.get(&t.tag).map(|(_, mount)| *mount)).collect();
    Ok(reading)
}

type Sights = BTreeMap<Tag, Vec<Sight>>;

/// Every sight of the tags, and the pictures that show none.
fn sights(
    frames: &[Frame],
    lens: Option<Lens>,
    tags: &[JigTag],
    scale: f64,
) -> Result<(Sights, Vec<Unused>), JigError> {
    let known = tags.iter().map(|t| {
        let height_mm = t.thickness_mm + t.height_mm.0;
        // Never exact: the height's part of a pose's error is what tells the height from several pictures.
        let known = KnownTag { size_mm: t.size_mm, height_mm, height_sigma_mm: t.height_mm.1.max(0.01) };
        (t.tag, known)
    });
    let book = TagBook { reference: jig_tags(scale), known: known.collect(), ..TagBook::default() };
    let settings = PipelineSettings { sequence: Sequence::Unrelated, ..PipelineSettings::default() };
    let mut pipeline = Pipeline::new(book, lens, settings)?;
    let mut all = Sights::new();
    let mut unused = Vec::new();
    for frame in frames {
        let reading = pipeline.take(frame);
        let camera = match (&reading.registration, reading.camera) {
            (Ok(_), Some(camera)) => camera,
            (Err(why), _) => {
                unused.push(Unused { label: frame.label.clone(), why: unplaced(why) });
                continue;
            }
            _ => continue,
        };
        let mut shown = 0;
        let stripes = Stripes { picture: &frame.grey, camera: &camera, scale };
        for t in tags {
            let Some(track) = reading.snapshot.tracks.get(&t.tag) else { continue };
            let Some(pose) = track.pose.clone().filter(|_| track.visibility == Visibility::Seen) else {
                continue;
            };
            shown += 1;
            let width = stripes.edge(FreeEdge::Right, t.base_mm, t.thickness_mm);
            let depth = stripes.edge(FreeEdge::Front, t.base_mm, t.thickness_mm);
            all.entry(t.tag).or_default().push(Sight { pose, width, depth });
        }
        if shown == 0 {
            let why = "no tag of the roster's shows on the jig".to_owned();
            unused.push(Unused { label: frame.label.clone(), why });
        }
    }
    Ok((all, unused))
}

/// Why the camera could not be placed over the jig.
fn unplaced(why: &RegistrationError) -> String {
    format!("the jig does not show well enough: {why}")
}

fn mount_of(asked: &JigTag, written: &JigTag, seen: &[Sight]) -> Option<MeasuredMount> {
    let prior = (written.height_mm.0 - asked.height_mm.0, written.height_mm.1.max(0.01));
    let poses: Vec<&PoseEstimate> = seen.iter().map(|s| &s.pose).collect();
    let Combined { pose, covariance, height_off, disagreement } =
        combined(&poses, prior, asked.height_mm.1.max(0.01))?;
    let width = mean(seen.iter().filter_map(|s| s.width));
    let depth = mean(seen.iter().filter_map(|s| s.depth));
    let (w, d) = (width.map_or(asked.base_mm.0, |l| l.mm), depth.map_or(asked.base_mm.1, |l| l.mm));
    let side = |l: Option<Length>| l.map_or(0.0, |l| l.sigma_mm / 2.0);
    let variance = |axis: usize, half: f64, away: f64| {
        covariance[(axis, axis)] + PUSH_SIGMA_MM.powi(2) + half * half + (SCALE_SIGMA * away).powi(2)
    };
    let offset = variance(0, side(width), pose.centre.x).max(variance(1, side(depth), pose.centre.y));
    // Flush along its longer side.
    let flush = std::f64::consts::SQRT_2 * PUSH_SIGMA_MM / w.max(d);
    let height = Length { mm: asked.height_mm.0 + height_off.mm, sigma_mm: height_off.sigma_mm };
    Some(MeasuredMount {
        tag: asked.tag,
        right_mm: pose.centre.x - w / 2.0,
        forward_mm: pose.centre.y - d / 2.0,
        offset_sigma_mm: offset.sqrt(),
        rotation_deg: crate::geometry::Heading::NORTH.turn_to_radians(pose.heading).to_degrees(),
        rotation_sigma_deg: covariance[(2, 2)].sqrt().hypot(flush).to_degrees(),
        height: (height.sigma_mm <= MEASURED_SHARE * prior.1).then_some(height),
        width,
        depth,
        pictures: seen.len(),
        disagreement,
    })
}

/// Several measures of one length: their mean weighted by their sigmas, which never falls below the least of theirs
/// over root two, for they share the rim, nor below their own spread.
fn mean(lengths: impl Iterator<Item = Length>) -> Option<Length> {
    let lengths: Vec<Length> = lengths.collect();
    let weights: f64 = lengths.iter().map(|l| l.sigma_mm.powi(-2)).sum();
    let mm = lengths.iter().map(|l| l.mm * l.sigma_mm.powi(-2)).sum::<f64>() / weights;
    let least = lengths.iter().map(|l| l.sigma_mm).fold(f64::INFINITY, f64::min);
    let n = lengths.len() as f64;
    let spread = lengths.iter().map(|l| (l.mm - mm).powi(2)).sum::<f64>() / (n * (n - 1.0).max(1.0));
    let sigma_mm = (1.0 / weights).max(least * least / 2.0).max(spread).sqrt();
    (!lengths.is_empty()).then_some(Length { mm, sigma_mm })
}
