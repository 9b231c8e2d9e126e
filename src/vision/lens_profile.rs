//! The lens profile file: one camera's lens at one picture size, with where it comes from. Its form is
//! in `docs/formats.md`.

use super::{Distortion, Lens};
use crate::text::{Decoder, Mistakes, Node, Range, mark_of};

/// A lens profile as its file describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct LensProfile {
    /// What the camera is called.
    pub camera: String,
    /// What the camera calls itself, where it was calibrated live: no other camera may use the profile.
    pub device: Option<String>,
    /// The day it was made, `YYYY-MM-DD`.
    pub date: String,
    /// The lens; it holds for its own picture size alone.
    pub lens: Lens,
    /// How far each point of the calibration pictures lay from where the lens puts it, pixels; empty
    /// where the file does not keep them.
    pub residuals_px: Vec<f64>,
}

impl LensProfile {
    /// A mark of the lens: the same for two profiles with the same figures.
    pub fn mark(&self) -> String {
        let (l, d) = (&self.lens, &self.lens.distortion);
        let figures = [l.fx, l.fy, l.cx, l.cy, d.k1, d.k2, d.p1, d.p2, d.k3].map(|v| format!("{v:.6}"));
        mark_of(&format!("{}x{} {}", l.width, l.height, figures.join(" ")))
    }

    /// Why the profile cannot serve pictures of this size from the camera that calls itself `device`
    /// (`None`: nobody knows), or `None` where it can. It is never scaled.
    pub fn unfit_for(&self, width: usize, height: usize, device: Option<&str>) -> Option<String> {
        if let (Some(own), Some(other)) = (self.device.as_deref(), device)
            && own != other
        {
            return Some(format!(
                "the lens profile of \"{}\" was made with the camera \"{own}\", this is \"{other}\": name that \
                 camera's own profile, or leave out --lens and let the lens be estimated",
                self.camera
            ));
        }
        let own = (self.lens.width as usize, self.lens.height as usize);
        (own != (width, height)).then(|| {
            format!(
                "the lens profile of \"{}\" holds for pictures of {}x{} pixels, these are {width}x{height}: \
                 set the camera to that size, or leave out --lens and let the lens be estimated",
                self.camera, own.0, own.1
            )
        })
    }
}

/// Pixels between two points that make sense.
const PIXELS: Range = Range { least: -100_000.0, most: 100_000.0, expected: "a place in pixels" };
/// Focal length, pixels.
const FOCAL: Range =
    Range { least: 10.0, most: 1_000_000.0, expected: "a focal length in pixels, 10 to 1000000" };
/// A distortion coefficient.
const BENDING: Range = Range { least: -100.0, most: 100.0, expected: "a coefficient from -100 to 100" };
/// A distance in the picture.
const RESIDUAL: Range = Range { least: 0.0, most: 1000.0, expected: "a distance in pixels, 0 to 1000" };

/// Reads a lens profile's text; `file` names it in messages.
///
/// # Errors
/// Every mistake of the file.
pub fn parse_lens_profile(file: &str, text: &str) -> Result<LensProfile, Mistakes> {
    Decoder::run(file, text, profile)
}

fn profile(d: &mut Decoder, node: &Node) -> Option<LensProfile> {
    let what =
        "a lens profile in round brackets: (schema: 1, camera: \"...\", date: \"...\", width: 1920, ...)";
    let mut f = d.fields(node, what)?;
    let schema = f.schema(d);
    let camera = f.required(d, "camera", |d, n| d.text(n, "the camera's name"));
    let device = f.optional(d, "device", |d, n| d.text(n, "what the camera calls itself"));
    let date = f.required(d, "date", date);
    let width = f.required(d, "width", |d, n| d.whole(n, "the picture's width in pixels", 2, 65_535));
    let height = f.required(d, "height", |d, n| d.whole(n, "the picture's height in pixels", 2, 65_535));
    let fx = f.required(d, "fx", |d, n| d.number(n, FOCAL));
    let fy = f.required(d, "fy", |d, n| d.number(n, FOCAL));
    let cx = f.required(d, "cx", |d, n| d.number(n, PIXELS));
    let cy = f.required(d, "cy", |d, n| d.number(n, PIXELS));
    let distortion = f.or(d, "distortion", Distortion::default(), distortion);
    let residuals = f.or(d, "residuals", Vec::new(), |d, n| {
        d.list(n, "a list of distances in pixels", |d, n| d.number(n, RESIDUAL))
    });
    f.finish(d);
    schema?;
    let side = |pixels: u64| u32::try_from(pixels).ok();
    let (width, height) = (width.and_then(side)?, height.and_then(side)?);
    let lens = Lens { width, height, fx: fx?, fy: fy?, cx: cx?, cy: cy?, distortion: distortion? };
    Some(LensProfile { camera: camera?, device: device?, date: date?, lens, residuals_px: residuals? })
}

fn distortion(d: &mut Decoder, node: &Node) -> Option<Distortion> {
    let mut f = d.fields(node, "the lens's bending, (k1: 0, k2: 0, p1: 0, p2: 0, k3: 0)")?;
    let mut of = |d: &mut Decoder, name| f.or(d, name, 0.0, |d, n| d.number(n, BENDING));
    let (k1, k2, p1, p2, k3) = (of(d, "k1"), of(d, "k2"), of(d, "p1"), of(d, "p2"), of(d, "k3"));
    f.finish(d);
    Some(Distortion { k1: k1?, k2: k2?, p1: p1?, p2: p2?, k3: k3? })
}

/// A day as `YYYY-MM-DD`.
fn date(d: &mut Decoder, node: &Node) -> Option<String> {
    let day = d.text(node, "a day, \"YYYY-MM-DD\"")?;
    let parts: Vec<&str> = day.split('-').collect();
    let good = match parts.as_slice() {
        [year, month, day] => {
            let digits = |part: &str, n: usize| part.len() == n && part.bytes().all(|b| b.is_ascii_digit());
            let within = |part: &str, most: u32| part.parse().is_ok_and(|n: u32| (1..=most).contains(&n));
            digits(year, 4) && digits(month, 2) && digits(day, 2) && within(month, 12) && within(day, 31)
        }
        _ => false,
    };
    if good { Some(day) } else { d.expected(node, "a day, \"YYYY-MM-DD\"") }
}

impl LensProfile {
    /// The profile as its file is written, with `notes` as comments at its head. Reads back to the same
    /// profile, figures rounded to a millionth of a pixel and residuals to a thousandth.
    pub fn to_ron(&self, notes: &[String]) -> String {
        use std::fmt::Write;
        let mut text =
            String::from("// A lens profile made by Groma. It holds for this picture size alone.\n");
        for note in notes {
            for line in note.lines() {
                let _ = writeln!(text, "// {line}");
            }
        }
        let l = &self.lens;
        let d = &l.distortion;
        let quoted = |name: &str| name.replace(['\\', '"'], "'");
        let _ = writeln!(text, "(\n    schema: 1,\n    camera: \"{}\",", quoted(&self.camera));
        if let Some(device) = &self.device {
            let _ = writeln!(text, "    device: \"{}\",", quoted(device));
        }
        let _ = writeln!(text, "    date: \"{}\",", self.date);
        let _ = writeln!(text, "    width: {}, height: {},", l.width, l.height);
        let _ = writeln!(text, "    fx: {:.6}, fy: {:.6}, cx: {:.6}, cy: {:.6},", l.fx, l.fy, l.cx, l.cy);
        let _ = writeln!(
            text,
            "    distortion: (k1: {:.9}, k2: {:.9}, p1: {:.9}, p2: {:.9}, k3: {:.9}),",
            d.k1, d.k2, d.p1, d.p2, d.k3
        );
        text.push_str(
            "    // Distance of every corner used from where the lens puts it, pixels.\n    residuals: [",
        );
        for (i, r) in self.residuals_px.iter().enumerate() {
            text.push_str(if i % 16 == 0 { "\n        " } else { " " });
            let _ = write!(text, "{r:.3},");
        }
        text.push_str("\n    ],\n)\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_written_as_it_is_read() {
        let distortion = Distortion { k1: -0.12, k2: 0.034, p1: 1e-4, p2: -2e-4, k3: 0.0 };
        let lens = Lens { width: 816, height: 612, fx: 765.25, fy: 764.5, cx: 393.75, cy: 304.5, distortion };
        let profile = LensProfile {
            camera: "A webcam".to_owned(),
            device: Some("HD Webcam C920".to_owned()),
            date: "2026-11-30".to_owned(),
            lens,
            residuals_px: (0..40).map(|i| f64::from(i) / 100.0).collect(),
        };
        let text = profile.to_ron(&["chessboard:7x5:30, 17 pictures".to_owned()]);
        assert_eq!(parse_lens_profile("lens.ron", &text).map_err(|m| m.to_string()), Ok(profile.clone()));
        let without = LensProfile { device: None, ..profile };
        assert_eq!(
            parse_lens_profile("lens.ron", &without.to_ron(&[])).map_err(|m| m.to_string()),
            Ok(without)
        );
    }

    #[test]
    fn another_camera_or_size_is_refused_with_the_reason() {
        let profile = LensProfile {
            camera: "the club's".to_owned(),
            device: Some("HD Webcam C920".to_owned()),
            date: "2026-11-30".to_owned(),
            lens: Lens::from_field_of_view(1920, 1080, 70.0),
            residuals_px: Vec::new(),
        };
        assert_eq!(profile.unfit_for(1920, 1080, Some("HD Webcam C920")), None);
        // Photographs do not say what took them.
        assert_eq!(profile.unfit_for(1920, 1080, None), None);
        let other = profile.unfit_for(1920, 1080, Some("USB Camera")).unwrap_or_default();
        assert!(other.contains("HD Webcam C920") && other.contains("USB Camera"), "{other}");
        let size = profile.unfit_for(1280, 720, Some("HD Webcam C920")).unwrap_or_default();
        assert!(size.contains("1920x1080") && size.contains("1280x720"), "{size}");
    }
}
