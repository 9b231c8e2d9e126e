//! What `groma measure --evidence` puts on its page: the spot's picture with the bases and binding points, and what the
//! answers rest on.

use super::{Found, clear, edges, own_sigmas};
use crate::cli::sim::encoded;
use crate::geometry::{Binding, Point};
use crate::judge::Judgement;
use crate::markers::{certificate_path, read_certificate};
use crate::session::evidence::{Evidence, Photograph};
use crate::text::{days_between, now_ms, time_of, today};
use crate::vision::location::RegisteredCamera;
use crate::vision::{Frame, LensProfile, PixelPoint, RgbImage};
use anyhow::{Result, anyhow};
use nalgebra::Point3;
use std::path::Path;

/// What the answers rest on beside the picture.
pub(super) struct RestsOn<'a> {
    /// What the plane came from.
    pub by: &'a str,
    pub lens: Option<&'a LensProfile>,
    pub table: Option<&'a Path>,
    pub thickness_mm: f64,
    pub click_px: f64,
}

/// Round the bases so much of the picture is kept, as a share of the bases' own room.
const ROUND: f64 = 0.35;

/// All that the page tells.
pub(super) fn evidence(
    title: &str,
    frame: &Frame,
    camera: &RegisteredCamera,
    found: &[Found],
    answers: Vec<Judgement>,
    rests: &RestsOn<'_>,
) -> Result<Evidence> {
    let now = now_ms();
    let photograph = photograph(frame, camera, found, &answers, rests.thickness_mm)?;
    let mut rests_on = vec![
        (
            "Picture".to_owned(),
            format!("{}, {} x {} px", frame.label, frame.grey.width(), frame.grey.height()),
        ),
        (
            "Plane and camera".to_owned(),
            format!(
                "{}, {} of them; their corners fit to {:.2} px",
                rests.by,
                camera.used.len(),
                camera.residual_px
            ),
        ),
        ("Lens".to_owned(), lens(rests.lens)),
        ("Certificate".to_owned(), certificate(rests.table)),
    ];
    for f in found {
        let base = &f.base;
        let (place_mm, turn_deg) = own_sigmas(base);
        rests_on.push((
            f.spec.name.clone(),
            format!(
                "{} x {} mm, {} mm thick, {}; corners clicked, known to {:.1} px, and brought to its {}: place ± {:.2} mm, \
                 turn ± {:.2} degrees",
                f.spec.width_mm,
                f.spec.depth_mm,
                rests.thickness_mm,
                f.spec.troop,
                rests.click_px,
                edges(base),
                place_mm,
                turn_deg
            ),
        ));
    }
    let clear = answers.iter().filter(|a| clear(a)).count();
    rests_on.push(("Answers".to_owned(), format!("{} asked, {clear} clear", answers.len())));
    rests_on.push(("Program".to_owned(), format!("Groma {}", env!("CARGO_PKG_VERSION"))));
    Ok(Evidence {
        title: title.to_owned(),
        when: format!("Made {} {} UTC", today(), time_of(now)),
        answers,
        rests_on,
        photograph: Some(photograph),
    })
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

fn photograph(
    frame: &Frame,
    camera: &RegisteredCamera,
    found: &[Found],
    answers: &[Judgement],
    thickness_mm: f64,
) -> Result<Photograph> {
    let pixel = |at: Point, z: f64| -> Option<PixelPoint> {
        camera.model.image_from_table(Point3::new(at.x, at.y, z))
    };
    let outlines: Vec<(String, Vec<PixelPoint>)> = found
        .iter()
        .map(|f| {
            let corners = f.base.footprint.outline().into_iter().filter_map(|at| pixel(at, thickness_mm));
            (f.spec.name.clone(), corners.collect())
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
    let crop = RgbImage::new(right - left, bottom - top, data)
        .ok_or_else(|| anyhow!("the bases lie outside the picture"))?;
    let jpeg = encoded(&crop, Path::new("evidence.jpg"))?;
    let in_crop = |p: &PixelPoint| (p.x - left as f64, p.y - top as f64);
    let mut binding = Vec::new();
    for judged in answers {
        let Binding(first, second) = judged.ruling.margin.binding;
        binding.extend([first, second].iter().filter_map(|f| Some(in_crop(&pixel(f.at, thickness_mm)?))));
    }
    Ok(Photograph {
        jpeg,
        size_px: (crop.width(), crop.height()),
        outlines: outlines.iter().map(|(name, o)| (name.clone(), o.iter().map(in_crop).collect())).collect(),
        binding,
    })
}
