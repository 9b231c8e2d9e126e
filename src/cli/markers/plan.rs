//! `groma markers plan`: which tags, how large and how carried, where the camera goes, and what to expect.

use crate::cli::inputs::decimal;
use crate::cli::inputs::{lens_profile, table_file};
use crate::cli::outputs::{self, Kind, Output};
use crate::cli::{Failure, say};
use crate::judge::Table;
use crate::markers::{Figures, Outlook, Place, PlanRequest, plan, plan_json, plan_svg, plan_words};
use crate::tracking::TagFamily;
use crate::units::Scale;
use crate::vision::{Lens, open_source};
use anyhow::{Error, anyhow};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub struct PlanArgs {
    /// The board, as 600x600, millimetres.
    #[arg(long, default_value = "600x600", conflicts_with = "table")]
    board: String,
    /// The base width, 40 or 60 millimetres.
    #[arg(long, value_parser = decimal, default_value_t = 40.0, value_name = "MM", conflicts_with = "table")]
    base_width: f64,
    /// A table file in place of board and base width: its own tags at the edges are planned with.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// The camera's picture, as 1920x1080.
    #[arg(long, default_value = "1920x1080")]
    camera: String,
    /// Its field of view across the picture, degrees. 71 is a common webcam's; makers often give the diagonal.
    #[arg(long, value_parser = decimal, default_value_t = 71.0, value_name = "DEGREES")]
    fov: f64,
    /// Its lens profile, in place of picture and field of view.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["camera", "fov", "source"])]
    lens: Option<PathBuf>,
    /// A connected camera, as camera:0, in place of the picture's size.
    #[arg(long, conflicts_with = "camera")]
    source: Option<String>,
    /// How high the camera's lens is over the board, millimetres. Where none is given it is as near as it sees all.
    #[arg(long, value_parser = decimal, value_name = "MM")]
    height: Option<f64>,
    /// Where the camera may go: any, boom or corner.
    #[arg(long, default_value = "any")]
    place: String,
    /// Elements of both armies, and what may join them.
    #[arg(long, default_value_t = 24)]
    elements: u32,
    /// How high figures stand over their bases, millimetres; 26 on bases of 40, 42 on bases of 60.
    #[arg(long, value_parser = decimal, value_name = "MM")]
    figure_height: Option<f64>,
    /// How far back figures reach from the front edge, millimetres; 12 on bases of 40, 20 on bases of 60.
    #[arg(long, value_parser = decimal, value_name = "MM")]
    figure_depth: Option<f64>,
    /// This family alone.
    #[arg(long)]
    family: Option<String>,
    /// Where to draw the map of errors and of what is hidden, as SVG.
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

/// Makes and tells the plan.
///
/// # Errors
/// Wrong use: sizes and names that are none. A failed job: files or sources that cannot be read or written, a plan
/// that will not work.
pub fn run(args: &PlanArgs) -> Result<(), Failure> {
    if let Some(path) = &args.map {
        outputs::check(&[Output { option: "--map", path, kind: Kind::Drawing }])?;
    }
    let plan = plan(request(args)?);
    if let Some(path) = &args.map {
        let svg = plan_svg(&plan)
            .ok_or_else(|| anyhow!("there is no map: the camera sees the board from nowhere"))?;
        outputs::write(&[(path, svg.as_bytes())])?;
    }
    if args.json {
        say(plan_json(&plan));
    } else {
        say(plan_words(&plan).join("\n"));
    }
    if plan.outlook() == Outlook::Poor {
        return Err(Failure::Job(anyhow!("this will not work as it is: see above what would")));
    }
    Ok(())
}

fn request(args: &PlanArgs) -> Result<PlanRequest, Failure> {
    let table = match &args.table {
        Some(path) => table_file(path)?,
        None => {
            let (width, depth) = sides(&args.board)
                .filter(|(w, d)| (100.0..=5000.0).contains(w) && (100.0..=5000.0).contains(d))
                .ok_or_else(|| {
                    Failure::Use(format!("--board {}: expected width x depth in mm, as 600x600", args.board))
                })?;
            let scale = Scale::new(args.base_width).filter(|s| (20.0..=120.0).contains(&s.mm_per_bw()));
            let scale = scale.ok_or_else(|| {
                Failure::Use(format!("--base-width {}: expected 40 or 60, or 20 to 120 mm", args.base_width))
            })?;
            Table::bare((width, depth), scale)
        }
    };
    let large = table.scale.mm_per_bw() > 50.0;
    let length = |given: Option<f64>, option: &str, small: f64, big: f64| {
        let mm = given.unwrap_or(if large { big } else { small });
        if (1.0..=200.0).contains(&mm) {
            Ok(mm)
        } else {
            Err(Failure::Use(format!("{option} {mm}: expected 1 to 200 mm")))
        }
    };
    let figures = Figures {
        height_mm: length(args.figure_height, "--figure-height", 26.0, 42.0)?,
        depth_mm: length(args.figure_depth, "--figure-depth", 12.0, 20.0)?,
    };
    let places = match args.place.as_str() {
        "any" => Place::ALL.to_vec(),
        "boom" => Place::ALL.into_iter().filter(|p| p.is_boom()).collect(),
        "corner" => Place::ALL.into_iter().filter(|p| !p.is_boom()).collect(),
        other => return Err(Failure::Use(format!("--place {other}: expected any, boom or corner"))),
    };
    if let Some(height) = args.height.filter(|h| !(100.0..=10_000.0).contains(h)) {
        return Err(Failure::Use(format!("--height {height}: expected 100 to 10000 mm")));
    }
    let family: Option<TagFamily> =
        args.family.as_deref().map(str::parse).transpose().map_err(Failure::Use)?;
    Ok(PlanRequest {
        table,
        lens: lens(args)?,
        height_mm: args.height,
        places,
        elements: args.elements,
        figures,
        family,
    })
}

fn sides(text: &str) -> Option<(f64, f64)> {
    let (width, depth) = text.split_once(['x', 'X'])?;
    Some((width.trim().parse().ok()?, depth.trim().parse().ok()?))
}

fn lens(args: &PlanArgs) -> Result<Lens, Failure> {
    if let Some(path) = &args.lens {
        return Ok(lens_profile(path)?.lens);
    }
    if !(10.0..=120.0).contains(&args.fov) {
        return Err(Failure::Use(format!("--fov {}: expected 10 to 120 degrees", args.fov)));
    }
    let (width, height) = match &args.source {
        Some(spec) => {
            let mut source = open_source(spec).map_err(Error::from)?;
            if let Some(lens) = source.lens() {
                return Ok(lens);
            }
            let frame = source.next_frame().map_err(Error::from)?;
            let frame = frame.ok_or_else(|| anyhow!("{spec} shows no picture"))?;
            (frame.grey.width() as u32, frame.grey.height() as u32)
        }
        None => sides(&args.camera)
            .filter(|(w, h)| (160.0..=8192.0).contains(w) && (120.0..=8192.0).contains(h))
            .map(|(w, h)| (w as u32, h as u32))
            .ok_or_else(|| {
                Failure::Use(format!("--camera {}: expected columns x rows, as 1920x1080", args.camera))
            })?,
    };
    Ok(Lens::from_field_of_view(width, height, args.fov))
}
