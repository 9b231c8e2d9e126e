//! `groma sim`: writes one picture of the simulated camera, and its truth beside it.

use super::inputs::table_and_roster;
use super::outputs::{self, Kind, Output};
use super::sim_scene::scene_from;
use super::{Failure, say};
use crate::judge::Table;
use crate::vision::sim::{SimSettings, SimulatedCamera, TrueTag};
use crate::vision::source::check_size;
use crate::vision::{FrameSource, RgbImage};
use anyhow::anyhow;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Arguments of `groma sim`.
#[derive(Debug, clap::Args)]
pub struct SimArgs {
    /// Where to write the picture: a .png or a .jpg file.
    #[arg(long)]
    out: PathBuf,
    /// Where to write what is true of it, as JSON.
    #[arg(long)]
    truth: Option<PathBuf>,
    /// The table file; the sample table where none is given.
    #[arg(long)]
    table: Option<PathBuf>,
    /// A roster file; the sample roster where none is given. May be given more than once.
    #[arg(long)]
    roster: Vec<PathBuf>,
    /// Which table, camera and grain.
    #[arg(long, default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
    /// The picture's size, as 1920x1080.
    #[arg(long, default_value = "1920x1080")]
    size: String,
    /// What kind of table and camera: clean, table or messy.
    #[arg(long, default_value = "table")]
    profile: String,
    /// Which frame, from 0.
    #[arg(long, default_value_t = 0)]
    frame: u64,
}

/// Runs it.
///
/// # Errors
/// Wrong use: a size or profile that is none. A failed job: files that cannot be read or written.
pub fn run(args: &SimArgs) -> Result<(), Failure> {
    let mut files = vec![Output { option: "--out", path: &args.out, kind: Kind::Picture }];
    files.extend(args.truth.as_ref().map(|path| Output { option: "--truth", path, kind: Kind::Truth }));
    outputs::check(&files)?;
    let (width, height) = size(&args.size).ok_or_else(|| {
        Failure::Use(format!("--size {}: expected columns x rows, as 1920x1080", args.size))
    })?;
    check_size("--size", width as usize, height as usize).map_err(|why| Failure::Use(why.to_string()))?;
    let settings = SimSettings::profile(&args.profile)
        .ok_or_else(|| {
            Failure::Use(format!(
                "--profile {}: expected one of {}",
                args.profile,
                SimSettings::PROFILES.join(", ")
            ))
        })?
        .with_size(width, height);
    let (table, roster) = table_and_roster(args.table.as_deref(), &args.roster)?;
    let scene = scene_from(&table, &roster, args.seed).map_err(anyhow::Error::from)?;
    let mut camera = SimulatedCamera::new(scene, settings, args.seed).map_err(anyhow::Error::from)?;
    camera.skip_to(args.frame);
    let frame = camera
        .next_frame()
        .map_err(anyhow::Error::from)?
        .ok_or_else(|| anyhow!("the simulated camera gave no frame"))?;
    let picture = frame.colour.ok_or_else(|| anyhow!("the simulated camera gave no colour"))?;
    let picture = encoded(&picture, &args.out)?;
    let mut files: Vec<(&Path, &[u8])> = vec![(&args.out, &picture)];
    let name = args.out.file_stem().map(|s| s.to_string_lossy().into_owned()).unwrap_or_default();
    let text =
        serde_json::to_string(&truth(&camera, &table, &name, args.frame)).map_err(anyhow::Error::from)?;
    files.extend(args.truth.iter().map(|path| (path.as_path(), text.as_bytes())));
    outputs::write(&files)?;
    for (path, _) in files {
        say(format!("wrote {}", path.display()));
    }
    Ok(())
}

fn size(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.split_once(['x', 'X'])?;
    Some((width.trim().parse().ok()?, height.trim().parse().ok()?))
}

/// The picture as the contents of a JPEG or PNG file, as the file's name ends.
pub(super) fn encoded(picture: &RgbImage, path: &Path) -> Result<Vec<u8>, anyhow::Error> {
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    let buffer = image::RgbImage::from_raw(width, height, picture.data().to_vec())
        .ok_or_else(|| anyhow!("the picture's size and its data do not fit"))?;
    let mut bytes = std::io::Cursor::new(Vec::new());
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("png")) {
        buffer.write_to(&mut bytes, image::ImageFormat::Png)?;
    } else {
        image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 95).encode_image(&buffer)?;
    }
    Ok(bytes.into_inner())
}

/// The truth in the form of the rendered scenes that `groma verify` reads.
fn truth(camera: &SimulatedCamera, table: &Table, name: &str, seq: u64) -> Value {
    let truth = camera.truth(seq);
    let scene = camera.scene();
    let model = camera.camera();
    let lens = &model.lens;
    let (r, t) = (
        model.pose.camera_from_table.rotation.to_rotation_matrix(),
        model.pose.camera_from_table.translation,
    );
    let eye = model.pose.eye();
    let row = |i: usize| json!([r[(i, 0)], r[(i, 1)], r[(i, 2)]]);
    let family = |tag: &TrueTag| tag.tag.family.name();
    let sighting = |tag: &TrueTag, owner: &str| {
        let corners: Vec<[f64; 2]> =
            tag.corners_px.map(|c| c.in_order().map(|p| [p.x, p.y]).to_vec()).unwrap_or_default();
        json!({"family": family(tag), "id": tag.tag.id, "owner": owner, "corners_px": corners, "visible": tag.visible})
    };
    let mut tags_px: Vec<Value> = truth.reference.iter().map(|tag| sighting(tag, "table")).collect();
    tags_px.extend(truth.bases.iter().flat_map(|b| b.tags.iter().map(|tag| sighting(tag, &b.name))));
    let elements: Vec<Value> = truth
        .bases
        .iter()
        .filter_map(|b| {
            let base = scene.base(&b.name)?;
            let tags: Vec<Value> = base
                .tags
                .iter()
                .map(|t| {
                    json!({"family": t.tag.family.name(), "id": t.tag.id, "size": t.size_mm, "rotation": t.rotation_deg,
                        "offset": [t.right_mm, t.forward_mm], "height": t.height_mm})
                })
                .collect();
            Some(json!({"name": b.name, "side": base.side, "x": b.pose.centre.x, "y": b.pose.centre.y,
                "z": b.ground_mm, "heading": b.pose.heading.degrees(), "base": [base.width_mm, base.depth_mm],
                "thickness": base.thickness_mm, "tags": tags, "occluded": b.covered_by_hand()}))
        })
        .collect();
    let reference: Vec<Value> = table
        .reference
        .iter()
        .map(|r| {
            json!({"family": r.tag.family.name(), "id": r.tag.id, "size": r.size_mm, "x": r.x_mm, "y": r.y_mm,
                "rotation": r.rotation_deg, "z": r.z_mm})
        })
        .collect();
    let d = &lens.distortion;
    json!({
        "name": name,
        "unit": "mm",
        "frame": "origin at the playing area's lower-left corner, x right, y away, z up",
        "table": {"width": table.board_mm.0, "depth": table.board_mm.1, "tags": reference},
        "camera": {
            "width": lens.width, "height": lens.height,
            "K": [[lens.fx, 0.0, lens.cx], [0.0, lens.fy, lens.cy], [0.0, 0.0, 1.0]],
            "distortion_k1k2p1p2k3": [d.k1, d.k2, d.p1, d.p2, d.k3],
            "R_world_to_camera": [row(0), row(1), row(2)],
            "t": [t.x, t.y, t.z],
            "eye": [eye.x, eye.y, eye.z],
        },
        "elements": elements,
        "terrain": [],
        "tags_px": tags_px,
        "tag_upright": "AprilTag",
    })
}
