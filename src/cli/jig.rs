//! `groma jig`: where tags sit on their bases, measured in the corner of the printed jig.

use super::inputs::{lens_profile, told};
use super::outputs::{self, Kind, Output};
use super::pictures::Pictures;
use super::{Failure, say};
use crate::judge::{MountEdit, RosterElement, parse_roster, roster_with, rounded};
use crate::markers::RULER_MM;
use crate::text::{Wanted, nearest, read_file};
use crate::vision::jig::{JigReading, JigTag, Length, MeasuredMount, measure};
use crate::vision::{Frame, LensProfile, open_source};
use anyhow::{Error, anyhow};
use clap::Args;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Measures where tags sit on their bases: offset, rotation, and the base's own width and depth; from two sides or
/// more their height too. Push a base into the corner of the printed jig (`groma markers jig`) and photograph it;
/// pictures of several bases may be given together, each is known by its tag.
#[derive(Debug, Args)]
pub struct JigArgs {
    /// Pictures of bases in the jig, or folders of them.
    #[arg(required = true, value_name = "PICTURE")]
    pictures: Vec<String>,
    /// The roster file that names the bases and their tags.
    #[arg(long, value_name = "FILE")]
    roster: PathBuf,
    /// Only this element; may be given more than once. Without it every element that shows is measured.
    #[arg(long, value_name = "NAME")]
    element: Vec<String>,
    /// The camera's lens profile. Without one the lens is estimated from the jig.
    #[arg(long, value_name = "FILE")]
    lens: Option<PathBuf>,
    /// What the jig's ruler of 100 mm measures.
    #[arg(long, value_name = "MM", default_value_t = RULER_MM)]
    sheet_scale: f64,
    /// Where to write the roster with what was measured; it may be the same file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object a line: each tag, then a summary.
    #[arg(long)]
    json: bool,
}

/// What is written for a stalk that was measured standing: what it may bend by in play, one sigma, degrees. A choice.
const LEAN_AFTER_DEG: f64 = 0.3;
/// A tag higher than this stands on a stalk, millimetres.
const STALK_MM: f64 = 3.0;
/// A base this far from what is written, in sigmas and in millimetres, is told.
const BASE_SIGMAS: f64 = 3.0;
const BASE_MM: f64 = 0.3;
/// Pictures that disagree more than this many times their sigmas are told.
const DISAGREE: f64 = 3.0;

/// Runs it.
///
/// # Errors
/// Wrong use: a ruler that cannot be, an element that the roster does not name. A failed job: files that cannot be
/// read or written, a jig that shows nowhere.
pub fn run(args: &JigArgs) -> Result<(), Failure> {
    let scale = args.sheet_scale / RULER_MM;
    if !(0.9..=1.1).contains(&scale) {
        return Err(Failure::Use(format!(
            "--sheet-scale {}: the measured length in mm of the jig's {RULER_MM} mm ruler, 90 to 110; print the jig \
             again at 100 % if it is further off",
            args.sheet_scale
        )));
    }
    if let Some(path) = &args.out {
        outputs::check(&[Output { option: "--out", path, kind: Kind::Roster }])?;
    }
    let file = args.roster.display().to_string();
    let text = read_file(&args.roster, Wanted::Roster).map_err(|m| told(&[m]))?;
    let elements = parse_roster(&file, &text).map_err(|m| told(&[m]))?;
    let wanted = chosen(&elements, &args.element)?;
    let lens = args.lens.as_deref().map(lens_profile).transpose()?;
    let mut pictures = Pictures::of(&args.pictures, |spec| Ok(open_source(spec).map_err(Error::from)?));
    let frames = frames(&mut pictures, lens.as_ref())?;
    let lens = lens.map(|p| p.lens);
    let reading = measure(&frames, lens.as_ref(), &tags_of(&wanted), scale).map_err(Error::from)?;
    for unused in &reading.unused {
        pictures.pass_over(&format!("{}: {}; it is left out", unused.label, unused.why));
    }
    if reading.mounts.is_empty() {
        return Err(Failure::Job(anyhow!(
            "no tag of the roster was measured: the jig's tags and the base's must show; `groma markers jig --out \
             jig.pdf` makes the jig"
        )));
    }
    let written = match &args.out {
        Some(path) => {
            let edits: Vec<MountEdit> = reading.mounts.iter().map(|m| edit_of(m, &wanted)).collect();
            let new = roster_with(&file, &text, &edits).map_err(|m| told(&[m]))?;
            outputs::write(&[(path, new.as_bytes())])?;
            Some(path.as_path())
        }
        None => None,
    };
    tell(args, &wanted, &reading, written);
    pictures.outcome("the mounts are measured")
}

fn chosen<'a>(elements: &'a [RosterElement], names: &[String]) -> Result<Vec<&'a RosterElement>, Failure> {
    if names.is_empty() {
        return Ok(elements.iter().collect());
    }
    let one = |name: &String| {
        elements.iter().find(|e| e.name == *name).ok_or_else(|| {
            let near = nearest(name, elements.iter().map(|e| e.name.as_str()));
            let near = near.map(|n| format!("; did you mean \"{n}\"?")).unwrap_or_default();
            Failure::Use(format!("--element \"{name}\": the roster names no such element{near}"))
        })
    };
    names.iter().map(one).collect()
}

fn tags_of(elements: &[&RosterElement]) -> Vec<JigTag> {
    let of = |e: &&RosterElement| {
        let base = e.base;
        let tag = move |t: &crate::judge::MountedTag| JigTag {
            tag: t.tag,
            size_mm: t.size_mm,
            height_mm: (t.height_mm, t.height_sigma_mm),
            base_mm: (base.width_mm, base.depth_mm),
            thickness_mm: base.thickness_mm,
        };
        e.tags.iter().map(tag).collect::<Vec<_>>()
    };
    elements.iter().flat_map(of).collect()
}

/// Frames taken from a live source, which has no end.
const LIVE_FRAMES: usize = 5;

/// Every picture that can be used.
fn frames(pictures: &mut Pictures<'_>, lens: Option<&LensProfile>) -> Result<Vec<Frame>, Failure> {
    let mut frames = Vec::new();
    while let Some(mut source) = pictures.next_source()? {
        let begun = frames.len();
        while let Some(frame) = pictures.next_frame(source.as_mut())? {
            let (width, height) = (frame.grey.width(), frame.grey.height());
            if let Some(why) = lens.and_then(|l| l.unfit_for(width, height, source.device().as_deref())) {
                pictures.pass_over(&format!("{}: {why}", frame.label));
                continue;
            }
            frames.push(frame);
            if !source.unrelated() && frames.len() - begun >= LIVE_FRAMES {
                break;
            }
        }
    }
    Ok(frames)
}

fn edit_of(m: &MeasuredMount, elements: &[&RosterElement]) -> MountEdit {
    let element = elements.iter().find(|e| e.tags.iter().any(|t| t.tag == m.tag));
    let base = element.map(|e| (e.base.width_mm, e.base.depth_mm));
    let on_stalk = element.is_some_and(|e| e.tags.iter().any(|t| t.tag == m.tag && t.height_mm > STALK_MM));
    let measured = m.width.is_some() || m.depth.is_some();
    MountEdit {
        tag: m.tag,
        offset_mm: (m.right_mm, m.forward_mm),
        rotation_deg: m.rotation_deg,
        offset_sigma_mm: m.offset_sigma_mm,
        rotation_sigma_deg: m.rotation_sigma_deg,
        height_mm: m.height.map(|h| (h.mm, h.sigma_mm)),
        lean_sigma_deg: on_stalk.then_some(LEAN_AFTER_DEG),
        base_mm: base
            .filter(|_| measured)
            .map(|(w, d)| (m.width.map_or(w, |l| l.mm), m.depth.map_or(d, |l| l.mm))),
    }
}

fn tell(args: &JigArgs, elements: &[&RosterElement], reading: &JigReading, written: Option<&Path>) {
    for m in &reading.mounts {
        let Some(element) = elements.iter().find(|e| e.tags.iter().any(|t| t.tag == m.tag)) else { continue };
        if args.json {
            say(line(element, m));
            continue;
        }
        say(in_words(element, m));
        cautions(element, m).iter().for_each(|c| say(format!("  {c}")));
    }
    if args.json {
        say(json!({
            "summary": true, "tags": reading.mounts.len(), "unused_pictures": reading.unused.len(),
            "roster": written.map(|p| p.display().to_string()),
        }));
        return;
    }
    match written {
        Some(path) => say(format!("roster written to {}", path.display())),
        None => say("no --out given: nothing written"),
    }
}

fn in_words(element: &RosterElement, m: &MeasuredMount) -> String {
    let length = |what: &str, l: Option<Length>| {
        l.map(|l| format!(", {what} {:.2} ± {:.2}", l.mm, l.sigma_mm)).unwrap_or_default()
    };
    let pictures = if m.pictures == 1 { "1 picture".to_owned() } else { format!("{} pictures", m.pictures) };
    format!(
        "{} ({}), {pictures}: offset ({:.2}, {:.2}) ± {:.2} mm, rotation {:.2} ± {:.2} degrees{}{}{}",
        element.name,
        m.tag,
        m.right_mm,
        m.forward_mm,
        m.offset_sigma_mm,
        m.rotation_deg,
        m.rotation_sigma_deg,
        length("height", m.height),
        length("width", m.width),
        length("depth", m.depth),
    )
}

/// What a person should look at.
fn cautions(element: &RosterElement, m: &MeasuredMount) -> Vec<String> {
    let mut list = Vec::new();
    let (base, depth) = (element.base.width_mm, element.base.depth_mm);
    for (what, written, found) in [("width", base, m.width), ("depth", depth, m.depth)] {
        match found {
            None => list.push(format!(
                "its {what} was not measured, {written} mm is kept: the stripes beyond that edge do not show clearly"
            )),
            Some(l) if (l.mm - written).abs() > BASE_MM.max(BASE_SIGMAS * l.sigma_mm) => {
                list.push(format!("its {what} is {:.2} mm, the roster had {written}", l.mm));
            }
            Some(_) => {}
        }
    }
    if m.disagreement > DISAGREE {
        list.push(format!(
            "its pictures disagree by {:.0} times their plus-minus: was the base pushed home in each, and nothing moved?",
            m.disagreement
        ));
    }
    list
}

fn line(element: &RosterElement, m: &MeasuredMount) -> Value {
    let length =
        |l: Option<Length>| l.map(|l| json!({"mm": rounded(l.mm, 3), "sigma_mm": rounded(l.sigma_mm, 3)}));
    json!({
        "element": element.name, "family": m.tag.family.name(), "id": m.tag.id, "pictures": m.pictures,
        "right_mm": rounded(m.right_mm, 3), "forward_mm": rounded(m.forward_mm, 3),
        "offset_sigma_mm": rounded(m.offset_sigma_mm, 3),
        "rotation_deg": rounded(m.rotation_deg, 3), "rotation_sigma_deg": rounded(m.rotation_sigma_deg, 3),
        "height": length(m.height), "width": length(m.width), "depth": length(m.depth),
        "disagreement": rounded(m.disagreement, 3), "cautions": cautions(element, m),
    })
}
