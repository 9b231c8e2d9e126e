//! Bases without tags on a still picture: from clicked corners to what the rules judge, and what a page of evidence tells
//! of it. Pixels of the picture; millimetres in the plane of tiles or table. Shared by the command line and the window.

use super::certificate_file::{certificate_path, read_certificate};
use crate::geometry::{Binding, Point, PoseEstimate};
use crate::judge::{Judgement, Measured, Verdict};
use crate::rules::{Element, Location, Overhang, Side};
use crate::text::{days_between, today};
use crate::tracking::CameraId;
use crate::units::Scale;
use crate::vision::location::RegisteredCamera;
use crate::vision::untagged::{ClickedBase, FoundBase, Still, measure_bases};
use crate::vision::{Frame, LensProfile, PixelPoint, RgbImage};
use nalgebra::Point3;
use std::path::Path;

/// A base as it was clicked, with its name and troop.
#[derive(Debug, Clone, PartialEq)]
pub struct NamedBase {
    /// What people call it.
    pub name: String,
    /// Troop code.
    pub troop: String,
    /// Its sides and corners.
    pub clicked: ClickedBase,
}

/// The same, found.
#[derive(Debug, Clone, PartialEq)]
pub struct SpotBase {
    /// As it was clicked.
    pub named: NamedBase,
    /// As it was found.
    pub base: FoundBase,
}

impl SpotBase {
    /// The edges that its place rests on, in words.
    pub fn edges(&self) -> String {
        let used: Vec<&str> = self.base.edges.iter().filter(|e| e.used).map(|e| e.edge.name()).collect();
        used.join(", ")
    }

    /// One sigma of its place in millimetres and of its turn in degrees, but for what all bases of the picture share: the
    /// camera's place says nothing of how they stand to each other.
    pub fn own_sigmas(&self) -> (f64, f64) {
        let own = PoseEstimate { shared: Vec::new(), ..self.base.estimate.clone() };
        (own.sigma_place_mm(), own.sigma_heading_rad().to_degrees())
    }
}

/// Finds every base; a line for each that is not found.
///
/// # Errors
/// Why some are not found, each by its name.
pub fn find_bases(
    frame: &Frame,
    camera: &RegisteredCamera,
    bases: Vec<NamedBase>,
) -> Result<Vec<SpotBase>, String> {
    let clicked: Vec<ClickedBase> = bases.iter().map(|b| b.clicked.clone()).collect();
    let still = Still { grey: &frame.grey, colour: frame.colour.as_deref() };
    let (mut found, mut missed) = (Vec::new(), Vec::new());
    for (named, base) in bases.into_iter().zip(measure_bases(still, camera, CameraId::default(), &clicked)) {
        match base {
            Ok(base) => found.push(SpotBase { named, base }),
            Err(why) => missed.push(format!("\"{}\": {why}", named.name)),
        }
    }
    if missed.is_empty() { Ok(found) } else { Err(missed.join("\n")) }
}

/// The bases as the rules see them: the first is red's, the others are blue's.
pub fn spot_measured(scale: Scale, board_mm: (f64, f64), bases: &[SpotBase]) -> Measured {
    let element = |(n, b): (usize, &SpotBase)| {
        let element = Element {
            name: b.named.name.clone(),
            side: if n == 0 { Side::Red } else { Side::Blue },
            troop: b.named.troop.clone(),
            footprint: b.base.footprint,
            general: false,
            tower: false,
            overhang: Overhang::default(),
            location: Location::Board,
        };
        (element, b.base.estimate.clone())
    };
    Measured::from_poses(scale, board_mm, bases.iter().enumerate().map(element).collect())
}

/// What the answers rest on beside the picture.
#[derive(Debug, Clone, Copy)]
pub struct RestsOn<'a> {
    /// What the plane came from.
    pub by: &'a str,
    /// The lens profile.
    pub lens: Option<&'a LensProfile>,
    /// The table file, where the plane is the table's.
    pub table: Option<&'a Path>,
}

/// The same, line by line: what, and how it is.
pub fn rests_on(
    frame: &Frame,
    camera: &RegisteredCamera,
    bases: &[SpotBase],
    answers: &[Judgement],
    rests: &RestsOn<'_>,
) -> Vec<(String, String)> {
    let line = |what: &str, how: String| (what.to_owned(), how);
    let plane = format!(
        "{}, {} of them; their corners fit to {:.2} px",
        rests.by,
        camera.used.len(),
        camera.residual_px
    );
    let picture = format!("{}, {} x {} px", frame.label, frame.grey.width(), frame.grey.height());
    let mut lines = vec![
        line("Picture", picture),
        line("Plane and camera", plane),
        line("Lens", lens(rests.lens)),
        line("Certificate", certificate(rests.table)),
    ];
    lines.extend(bases.iter().map(|b| {
        let (place_mm, turn_deg) = b.own_sigmas();
        let known = &b.named.clicked.known;
        let how = format!(
            "{} x {} mm, {} mm thick, {}; corners clicked, known to {:.1} px, and brought to its {}: place ± {:.2} mm, \
             turn ± {:.2} degrees",
            known.width_mm,
            known.depth_mm,
            known.thickness_mm,
            b.named.troop,
            b.named.clicked.click_sigma_px,
            b.edges(),
            place_mm,
            turn_deg
        );
        (b.named.name.clone(), how)
    }));
    let clear = answers.iter().filter(|a| matches!(a.verdict(), Verdict::Yes | Verdict::No)).count();
    lines.push(line("Answers", format!("{} asked, {clear} clear", answers.len())));
    lines.push(line("Program", format!("Groma {}", env!("CARGO_PKG_VERSION"))));
    lines
}

fn lens(profile: Option<&LensProfile>) -> String {
    match profile {
        Some(p) => format!("the profile of \"{}\", made {}", p.camera, p.date),
        None => "no profile: estimated from this picture, its uncertainty counted".to_owned(),
    }
}

/// The table's certificate and its age.
fn certificate(table: Option<&Path>) -> String {
    let Some(table) = table else { return "none: tiles are not certified".to_owned() };
    let kept =
        std::fs::read_to_string(certificate_path(table)).ok().and_then(|text| read_certificate(&text).ok());
    match kept {
        None => "none beside the table file".to_owned(),
        Some(kept) => {
            let age =
                days_between(&kept.date, &today()).map_or(String::new(), |days| format!(", {days} days old"));
            format!("of {}{age}: {:.2} mm at worst", kept.date, kept.worst_mm)
        }
    }
}

/// The part of the picture in which the bases stand, with what is drawn over it; its own pixels.
#[derive(Debug, Clone, PartialEq)]
pub struct SpotPicture {
    /// The picture.
    pub picture: RgbImage,
    /// The upper rims, each with its base's name.
    pub outlines: Vec<(String, Vec<(f64, f64)>)>,
    /// The points that bind.
    pub binding: Vec<(f64, f64)>,
}

impl SpotPicture {
    /// The picture as a JPEG file's contents.
    ///
    /// # Errors
    /// In words: it cannot be encoded.
    pub fn jpeg(&self) -> Result<Vec<u8>, String> {
        let (width, height) = (self.picture.width() as u32, self.picture.height() as u32);
        let mut bytes = Vec::new();
        image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 95)
            .encode(self.picture.data(), width, height, image::ExtendedColorType::Rgb8)
            .map_err(|why| format!("the picture cannot be encoded: {why}"))?;
        Ok(bytes)
    }
}

/// Round the bases so much of the picture is kept, as a share of the bases' own room.
const ROUND: f64 = 0.35;

/// Cuts it out; none where the bases lie outside the picture.
pub fn spot_picture(
    frame: &Frame,
    camera: &RegisteredCamera,
    bases: &[SpotBase],
    answers: &[Judgement],
) -> Option<SpotPicture> {
    let pixel = |at: Point, z: f64| -> Option<PixelPoint> {
        camera.model.image_from_table(Point3::new(at.x, at.y, z))
    };
    let outlines: Vec<(String, Vec<PixelPoint>)> = bases
        .iter()
        .map(|b| {
            let high = b.named.clicked.known.thickness_mm;
            let corners = b.base.footprint.outline().into_iter().filter_map(|at| pixel(at, high));
            (b.named.name.clone(), corners.collect())
        })
        .collect();
    let all = || outlines.iter().flat_map(|(_, outline)| outline.iter());
    let span = |of: fn(&PixelPoint) -> f64, most: usize| -> (usize, usize) {
        let (low, high) =
            all().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| (l.min(of(p)), h.max(of(p))));
        let round = ROUND * (high - low).max(20.0);
        let clamp = |v: f64| v.clamp(0.0, most as f64) as usize;
        (clamp(low - round), clamp((high + round).ceil()))
    };
    let (left, right) = span(|p| p.x, frame.grey.width());
    let (top, bottom) = span(|p| p.y, frame.grey.height());
    let colour = match &frame.colour {
        Some(colour) => RgbImage::clone(colour),
        None => frame.grey.to_rgb(),
    };
    let mut data = Vec::new();
    for row in top..bottom {
        let start = 3 * (row * colour.width() + left);
        data.extend_from_slice(&colour.data()[start..start + 3 * (right - left)]);
    }
    let picture = RgbImage::new(right - left, bottom - top, data)?;
    let own = |p: &PixelPoint| (p.x - left as f64, p.y - top as f64);
    let high = bases.first().map_or(0.0, |b| b.named.clicked.known.thickness_mm);
    let mut binding = Vec::new();
    for judged in answers {
        let Binding(first, second) = judged.ruling.margin.binding;
        binding.extend([first, second].iter().filter_map(|f| Some(own(&pixel(f.at, high)?))));
    }
    let outlines = outlines.iter().map(|(name, o)| (name.clone(), o.iter().map(own).collect())).collect();
    Some(SpotPicture { picture, outlines, binding })
}
