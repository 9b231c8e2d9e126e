//! `groma measure`: one question about bases without tags, clicked on a photograph.

mod proof;
mod spec;

use super::calibrate::tag_spec;
use super::inputs::{lens_profile, table_file};
use super::judge::say_in_words;
use super::outputs::{self, Kind, Output};
use super::pictures::Pictures;
use super::rulings::SettingsArgs;
use super::{Failure, say};
use crate::judge::{Judgement, rule};
use crate::markers::{NamedBase, RestsOn, SpotBase, find_bases, printed_scale, spot_measured};
use crate::rules::AskError;
use crate::units::{Scale, rounded};
use crate::vision::Frame;
use crate::vision::location::RegisteredCamera;
use crate::vision::source::open_source;
use crate::vision::untagged::{
    CLICK_SIGMA_PX, ClickedBase, Ground, KnownBase, Spot, SpotFinder, TILE_THICKNESS_MM, Tile, TileDoubt,
    umpire_tiles,
};
use anyhow::{Error, anyhow};
use clap::Args;
use serde_json::{Value, json};
use spec::{BaseSpec, questions};
use std::path::PathBuf;

/// Judges bases without tags on a photograph: their corners clicked, brought to the rims that show.
///
/// The plane comes from the umpire's four tiles, laid flat round the spot anyhow (`groma markers print --only tiles`), or
/// from the table's own reference tags with --table. Corners are pixels of the picture, upper rim, clockwise from the
/// front left one; two are enough, four are better. The first base named is the one asked about.
#[derive(Debug, Args)]
pub struct MeasureArgs {
    /// A photograph, a camera (camera:N) or a stream: the last picture that can be read is measured.
    picture: String,
    /// A base: its name, width x depth in mm, its troop if it matters, and its corners, as "A=40x15 612,400 655,402" or
    /// "A=40x15:3Kn 612,400 655,402 655,421 612,419". Twice or more; the first is red's, the others are blue's.
    #[arg(long = "base", value_name = "BASE", required = true)]
    bases: Vec<String>,
    /// What is asked, one word or several with commas: zone, contact, front, flank, rear, corner, flank-line, distance.
    /// Everything where nothing is named.
    #[arg(long, value_delimiter = ',', value_name = "QUESTION")]
    ask: Vec<String>,
    /// The table file, whose reference tags are used in place of tiles.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["tiles", "ruler"])]
    table: Option<PathBuf>,
    /// Other tiles than those that Groma prints: FAMILY:SIZE_MM:FIRST-LAST.
    #[arg(long, value_name = "TAGS")]
    tiles: Option<String>,
    /// What the tiles' page's ruler of 100 mm measures: then their size is known to 0.05 %, else to 0.3 %.
    #[arg(long, value_name = "MM")]
    ruler: Option<f64>,
    /// The camera's lens profile. Without one the lens is estimated from the tiles or reference tags.
    #[arg(long, value_name = "FILE")]
    lens: Option<PathBuf>,
    /// How thick the bases are, millimetres, and one sigma of it: 2 or 2+-0.3.
    #[arg(long, default_value = "2+-0.3", value_name = "MM")]
    thickness: String,
    /// One sigma of the bases' sides, millimetres.
    #[arg(long, default_value_t = 0.1, value_name = "MM")]
    side_sigma: f64,
    /// One sigma of a click on each axis, pixels.
    #[arg(long, default_value_t = CLICK_SIGMA_PX, value_name = "PX")]
    click: f64,
    /// Where to write a page of evidence, for both players.
    #[arg(long, value_name = "FILE.html")]
    evidence: Option<PathBuf>,
    /// What the page is headed by, such as "Round 2, table 7".
    #[arg(long, default_value = "A ruling", requires = "evidence")]
    title: String,
    #[command(flatten)]
    settings: SettingsArgs,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// One sigma of a tile's size where the ruler was measured to a twentieth of a millimetre, a share.
const RULED_SHARE: f64 = 0.0005;

/// Runs the command.
///
/// # Errors
/// Wrong use: bases, tiles or questions that cannot be read. A failed job: a picture without a plane or without a rim.
pub fn run(args: &MeasureArgs) -> Result<(), Failure> {
    let specs: Vec<BaseSpec> =
        args.bases.iter().map(|text| spec::base(text)).collect::<Result<_, _>>().map_err(Failure::Use)?;
    if specs.len() < 2 {
        return Err(Failure::Use(
            "--base: name two bases at least; the first is asked about the second".to_owned(),
        ));
    }
    if let Some(twice) = specs.iter().enumerate().find(|(i, s)| specs[..*i].iter().any(|o| o.name == s.name))
    {
        return Err(Failure::Use(format!(
            "--base: two bases are named \"{}\": give each its own name",
            twice.1.name
        )));
    }
    let asked = questions(&args.ask).map_err(Failure::Use)?;
    let settings = args.settings.settings()?;
    let thickness = spec::thickness(&args.thickness).map_err(Failure::Use)?;
    if !(0.2..=100.0).contains(&args.click) || !(0.0..=5.0).contains(&args.side_sigma) {
        return Err(Failure::Use("--click takes 0.2 to 100 px, --side-sigma 0 to 5 mm".to_owned()));
    }
    if let Some(path) = &args.evidence {
        outputs::check(&[Output { option: "--evidence", path, kind: Kind::Page }])?;
    }
    let lens = args.lens.as_ref().map(|path| lens_profile(path)).transpose()?;
    let (ground, board_mm, scale) = ground(args)?;
    let frame = picture(&args.picture)?;
    let by = match &ground {
        Ground::Table(_) => "the table's reference tags",
        Ground::Tiles(..) => "the umpire's tiles",
    };
    let mut finder = SpotFinder::new(ground, lens.as_ref().map(|p| p.lens)).map_err(Error::from)?;
    let camera = finder.place(&frame.label, &frame.grey).map_err(|why| anyhow!("{}: {why}", frame.label))?;
    let found = find(args, &frame, &camera, specs, thickness)?;
    let measured = spot_measured(scale, board_mm, &found).in_lines(&settings);
    if !args.json {
        say(format!("settings: {}", settings.name()));
    }
    for f in &found {
        if args.json { say(base_json(f)) } else { say(in_words(f)) }
    }
    let (a, b) = (found[0].named.name.as_str(), found[1].named.name.as_str());
    let mut answers: Vec<Judgement> = Vec::new();
    for question in asked {
        let judged = match rule(&measured, &settings, question, a, b) {
            Ok(judged) => judged,
            Err(why @ AskError::Friends { .. }) => return Err(Failure::Job(why.into())),
            Err(why) => return Err(Failure::Job(why.into())),
        };
        if args.json {
            say(judged.to_json())
        } else {
            say_in_words(&judged)
        }
        answers.push(judged);
    }
    if let Some(path) = &args.evidence {
        let rests_on = RestsOn { by, lens: lens.as_ref(), table: args.table.as_deref() };
        let kept = proof::evidence(&args.title, &frame, &camera, &found, answers, &rests_on)?.kept();
        outputs::write(&[(path, kept.page.as_bytes())])?;
        if args.json {
            say(json!({"evidence": path.display().to_string(), "mark": kept.mark}));
        } else {
            say(format!("wrote {}; both players write down its mark: {}", path.display(), kept.short()));
        }
    }
    Ok(())
}

/// The plane, the playing area, and the scale.
fn ground(args: &MeasureArgs) -> Result<(Ground, (f64, f64), Scale), Failure> {
    if let Some(path) = &args.table {
        let table = table_file(path)?;
        return Ok((Ground::Table(table.reference), table.board_mm, table.scale));
    }
    let printed = match args.ruler {
        Some(ruler) => printed_scale(ruler).map_err(|why| Failure::Use(format!("--ruler {ruler}: {why}")))?,
        None => 1.0,
    };
    let tiles: Vec<Tile> = match &args.tiles {
        None => umpire_tiles(printed),
        Some(text) => tag_spec::tags(text)
            .map_err(|why| Failure::Use(why.replace("--tags", "--tiles")))?
            .into_iter()
            .map(|(tag, size)| Tile { tag, size_mm: size * printed, thickness_mm: TILE_THICKNESS_MM })
            .collect(),
    };
    let doubt = match args.ruler {
        Some(_) => TileDoubt { size_share: RULED_SHARE, ..TileDoubt::default() },
        None => TileDoubt::default(),
    };
    let side = 2.0 * Spot::MIDDLE_MM;
    Ok((Ground::Tiles(tiles, doubt), (side, side), Scale::SMALL))
}

/// The source's last picture that can be read; of a live one its first.
fn picture(source: &str) -> Result<Frame, Failure> {
    let specs = [source.to_owned()];
    let mut pictures = Pictures::of(&specs, |spec| Ok(open_source(spec).map_err(Error::from)?));
    let mut opened = pictures.next_source()?.ok_or_else(|| anyhow!("{source}: there is no picture in it"))?;
    let mut last = None;
    while let Some(frame) = pictures.next_frame(&mut *opened)? {
        last = Some(frame);
        if opened.live() {
            break;
        }
    }
    Ok(last.ok_or_else(|| anyhow!("{source}: there is no picture in it"))?)
}

fn find(
    args: &MeasureArgs,
    frame: &Frame,
    camera: &RegisteredCamera,
    specs: Vec<BaseSpec>,
    (thickness_mm, thickness_sigma_mm): (f64, f64),
) -> Result<Vec<SpotBase>, Failure> {
    let named = specs.into_iter().map(|spec| {
        let known = KnownBase {
            width_mm: spec.width_mm,
            depth_mm: spec.depth_mm,
            side_sigma_mm: args.side_sigma,
            thickness_mm,
            thickness_sigma_mm,
        };
        let clicked = ClickedBase { known, corners_px: spec.corners_px, click_sigma_px: args.click };
        NamedBase { name: spec.name, troop: spec.troop, clicked }
    });
    find_bases(frame, camera, named.collect()).map_err(|why| Failure::Job(anyhow!("{}: {why}", frame.label)))
}

fn in_words(found: &SpotBase) -> String {
    let base = &found.base;
    let (place_mm, turn_deg) = found.own_sigmas();
    format!(
        "{}: place found to {:.1} mm, turn to {:.1} degrees, by its {}; {:.0} % of its outline shows",
        found.named.name,
        place_mm,
        turn_deg,
        found.edges(),
        100.0 * base.shown
    )
}

fn base_json(found: &SpotBase) -> Value {
    let (base, pose) = (&found.base, found.base.estimate.pose);
    let cov = base.estimate.total_covariance();
    let row = |i: usize| json!([cov[(i, 0)], cov[(i, 1)], cov[(i, 2)]]);
    json!({
        "base": found.named.name,
        "x_mm": rounded(pose.centre.x, 3),
        "y_mm": rounded(pose.centre.y, 3),
        "heading_deg": rounded(pose.heading.degrees(), 3),
        "width_mm": rounded(base.footprint.width_mm(), 3),
        "depth_mm": rounded(base.footprint.depth_mm(), 3),
        "cov": [row(0), row(1), row(2)],
        "edges": base.edges.iter().filter(|e| e.used).map(|e| e.edge.name()).collect::<Vec<_>>(),
        "shown": rounded(base.shown, 3),
    })
}
