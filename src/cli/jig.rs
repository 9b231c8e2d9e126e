//! `groma jig`: where tags sit on their bases, measured in the corner of the printed jig.

use super::inputs::{lens_profile, told};
use super::outputs::{self, Kind, Output};
use super::pictures::Pictures;
use super::{Failure, say};
use crate::cli::inputs::decimal;
use crate::judge::{MountEdit, RosterElement, parse_roster, roster_with, rounded};
use crate::markers::{RULER_MM, jig_scale, jig_tags_of, mount_cautions, mount_edit, mount_words};
use crate::text::{Wanted, nearest, read_file};
use crate::tracking::Tag;
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
    #[arg(long, value_parser = decimal, value_name = "MM", default_value_t = RULER_MM)]
    sheet_scale: f64,
    /// Where to write the roster with what was measured; it may be the same file.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object a line: each tag, then a summary.
    #[arg(long)]
    json: bool,
}

/// Runs it.
///
/// # Errors
/// Wrong use: a ruler that cannot be, an element that the roster does not name. A failed job: files that cannot be
/// read or written, a jig that shows nowhere.
pub fn run(args: &JigArgs) -> Result<(), Failure> {
    let scale = jig_scale(args.sheet_scale)
        .map_err(|why| Failure::Use(format!("--sheet-scale {}: {why}", args.sheet_scale)))?;
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
    let tags: Vec<JigTag> = wanted.iter().flat_map(|e| jig_tags_of(e)).collect();
    let reading = measure(&frames, lens.as_ref(), &tags, scale).map_err(Error::from)?;
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
            let edit = |m: &MeasuredMount| Some(mount_edit(owner(&wanted, m.tag)?, m));
            let edits: Vec<MountEdit> = reading.mounts.iter().filter_map(edit).collect();
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

/// The element that a tag is on.
fn owner<'a>(elements: &[&'a RosterElement], tag: Tag) -> Option<&'a RosterElement> {
    elements.iter().find(|e| e.tags.iter().any(|t| t.tag == tag)).copied()
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

fn tell(args: &JigArgs, elements: &[&RosterElement], reading: &JigReading, written: Option<&Path>) {
    for m in &reading.mounts {
        let Some(element) = owner(elements, m.tag) else { continue };
        if args.json {
            say(line(element, m));
            continue;
        }
        say(mount_words(element, m));
        mount_cautions(element, m).iter().for_each(|c| say(format!("  {c}")));
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

fn line(element: &RosterElement, m: &MeasuredMount) -> Value {
    let length =
        |l: Option<Length>| l.map(|l| json!({"mm": rounded(l.mm, 3), "sigma_mm": rounded(l.sigma_mm, 3)}));
    json!({
        "element": element.name, "family": m.tag.family.name(), "id": m.tag.id, "pictures": m.pictures,
        "right_mm": rounded(m.right_mm, 3), "forward_mm": rounded(m.forward_mm, 3),
        "offset_sigma_mm": rounded(m.offset_sigma_mm, 3),
        "rotation_deg": rounded(m.rotation_deg, 3), "rotation_sigma_deg": rounded(m.rotation_sigma_deg, 3),
        "height": length(m.height), "width": length(m.width), "depth": length(m.depth),
        "disagreement": rounded(m.disagreement, 3), "cautions": mount_cautions(element, m),
    })
}
