//! `groma calibrate`: measures camera and table. `groma calibrate lens` makes a lens profile from pictures of
//! a board, `groma calibrate table` a table file from pictures of the table.

mod table;
mod tag_spec;

use super::date::today;
use super::outputs::{self, Kind, Output};
use super::{Failure, say};
use crate::vision::calibration::{
    Board, BoardFinder, Calibration, Grade, MOST_RMS_PX, View, ViewUse, calibrate,
};
use crate::vision::{LensProfile, open_source};
use anyhow::{Error, anyhow};
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::PathBuf;

/// Measures the camera and the table.
#[derive(Debug, Args)]
pub struct CalibrateArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Lens(LensArgs),
    Table(table::TableArgs),
}

/// Makes a lens profile from pictures of a calibration board, or from a camera that watches one.
///
/// Hold the board flat and still, in every part of the picture, near and far, and lean it by 20 to 40
/// degrees to each side. 15 pictures are plenty.
#[derive(Debug, Args)]
pub struct LensArgs {
    /// Pictures, folders, a video, or `camera:N`.
    #[arg(required = true, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    source: Vec<String>,
    /// The board: chessboard:COLUMNSxROWS:SQUARE_MM, counting inner corners, or
    /// tags:FAMILY:FIRST_ID:COLUMNSxROWS:SIZE_MM:PITCH_MM. Lengths as measured on the print.
    #[arg(long)]
    board: String,
    /// Where to write the profile.
    #[arg(long)]
    out: Option<PathBuf>,
    /// What the camera is called; the profile keeps it.
    #[arg(long, default_value = "unnamed camera")]
    camera: String,
    /// Views taken from a live source or a video before it is solved.
    #[arg(long, default_value_t = 20)]
    views: usize,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Runs it.
///
/// # Errors
/// Wrong use: a board that is none. A failed job: sources that cannot be read, too few views, no lens.
pub fn run(args: &CalibrateArgs) -> Result<(), Failure> {
    match &args.what {
        What::Lens(args) => lens(args),
        What::Table(args) => table::run(args),
    }
}

fn lens(args: &LensArgs) -> Result<(), Failure> {
    if let Some(name) = args.source.iter().find(|name| name.starts_with("sim:")) {
        return Err(Failure::Use(format!(
            "{name}: the simulated camera shows a table and no board: name pictures, a folder, a video or camera:N"
        )));
    }
    let board: Board = args.board.parse().map_err(Failure::Use)?;
    let output = args.out.as_ref().map(|path| Output { option: "--out", path, kind: Kind::Lens });
    outputs::check(output.as_slice())?;
    let mut finder = BoardFinder::new(board).map_err(Error::from)?;
    let gathered = gather(args, &mut finder)?;
    let calibration = calibrate(&gathered.views, gathered.size).map_err(Error::from)?;
    let used = calibration.views.iter().filter(|v| v.used == ViewUse::Used);
    let profile = LensProfile {
        camera: args.camera.clone(),
        date: today(),
        lens: calibration.lens,
        residuals_px: used.flat_map(|v| v.residuals_px.iter().copied()).collect(),
    };
    let fits = calibration.rms_px <= MOST_RMS_PX;
    if let Some(path) = args.out.as_ref().filter(|_| fits) {
        let text = profile.to_ron(&notes(&board, &calibration));
        outputs::write(&[(path, text.as_bytes())])?;
    }
    tell(args, &calibration);
    if !fits {
        return Err(Failure::Job(anyhow!(
            "the error is {:.2} px, above {MOST_RMS_PX} px: this is no lens profile and none was written; \
             see that --board says what was printed, and that the board is flat and the pictures sharp",
            calibration.rms_px
        )));
    }
    if gathered.unread > 0 {
        return Err(Failure::Job(anyhow!(
            "{} pictures or sources could not be read; the profile is made from the others",
            gathered.unread
        )));
    }
    Ok(())
}

/// Views, and the picture size that they all have.
struct Gathered {
    views: Vec<View>,
    size: (usize, usize),
    /// Pictures and sources that could not be read, and were told.
    unread: usize,
}

fn gather(args: &LensArgs, finder: &mut BoardFinder) -> Result<Gathered, Error> {
    let mut views: Vec<View> = Vec::new();
    let mut size: Option<(usize, usize)> = None;
    let (mut pictures, mut unread) = (0, 0);
    for name in &args.source {
        let alone = args.source.len() == 1;
        let mut source = match open_source(name) {
            Ok(source) => source,
            Err(why) if alone => return Err(why.into()),
            Err(why) => {
                eprintln!("groma: {why}");
                unread += 1;
                continue;
            }
        };
        let still = source.unrelated();
        loop {
            let frame = match source.next_frame() {
                Ok(Some(frame)) => frame,
                Ok(None) => break,
                // The next photograph may be good; a stream or camera that failed has ended.
                Err(why) if still || !alone => {
                    eprintln!("groma: {why}");
                    unread += 1;
                    if still {
                        continue;
                    }
                    break;
                }
                Err(why) => return Err(why.into()),
            };
            pictures += 1;
            let own = (frame.grey.width(), frame.grey.height());
            if *size.get_or_insert(own) != own {
                let first = size.unwrap_or(own);
                return Err(anyhow!(
                    "{} has {}x{} pixels and the pictures before it {}x{}: a profile is made at one size",
                    frame.label,
                    own.0,
                    own.1,
                    first.0,
                    first.1
                ));
            }
            match finder.find(&frame.label, &frame.grey) {
                Ok(view) if still || is_new(&view, &views, own) => {
                    if !still && !args.json {
                        say(format!("view {} of {}", views.len() + 1, args.views));
                    }
                    views.push(view);
                }
                Ok(_) => {}
                Err(why) if still => eprintln!("groma: {}: {why}", frame.label),
                Err(_) => {}
            }
            if !still && views.len() >= args.views {
                break;
            }
        }
    }
    let size =
        size.ok_or_else(|| anyhow!("no picture was read: name pictures, a folder, a video or camera:N"))?;
    if views.is_empty() {
        return Err(anyhow!(
            "none of {pictures} pictures shows the board {}: check its counts, and that it is flat, sharp and lit",
            finder.board()
        ));
    }
    Ok(Gathered { views, size, unread })
}

/// Whether a live view differs enough from those already taken: its corners' mean or spread has moved by
/// a twentieth of the picture.
fn is_new(view: &View, views: &[View], size: (usize, usize)) -> bool {
    let shape = |v: &View| {
        let n = v.pairs.len() as f64;
        let x = v.pairs.iter().map(|(_, p)| p.x).sum::<f64>() / n;
        let y = v.pairs.iter().map(|(_, p)| p.y).sum::<f64>() / n;
        let sx = (v.pairs.iter().map(|(_, p)| (p.x - x).powi(2)).sum::<f64>() / n).sqrt();
        let sy = (v.pairs.iter().map(|(_, p)| (p.y - y).powi(2)).sum::<f64>() / n).sqrt();
        [x, y, sx, sy]
    };
    let least = size.0.max(size.1) as f64 / 20.0;
    let own = shape(view);
    views.iter().all(|v| shape(v).iter().zip(own).any(|(a, b)| (a - b).abs() > least))
}

fn words(grade: &Grade) -> (&'static str, &[String]) {
    match grade {
        Grade::NotYet(what) => ("not yet", what),
        Grade::Good(what) => ("good", what),
        Grade::Great => ("great", &[]),
    }
}

fn notes(board: &Board, calibration: &Calibration) -> Vec<String> {
    let (grade, advice) = words(&calibration.grade);
    let used = calibration.views.iter().filter(|v| v.used == ViewUse::Used).count();
    let mut notes = vec![
        format!("board {board}; {used} of {} pictures used; {grade}", calibration.views.len()),
        format!(
            "rms {:.3} px; field of view {:.1} degrees; focal length +- {:.2} px",
            calibration.rms_px,
            calibration.lens.field_of_view_deg(),
            calibration.sigma_px[0]
        ),
    ];
    notes.extend(advice.iter().map(|a| format!("better still: {a}")));
    notes
}

fn tell(args: &LensArgs, calibration: &Calibration) {
    let l = &calibration.lens;
    let (grade, advice) = words(&calibration.grade);
    if args.json {
        for v in &calibration.views {
            say(json!({
                "view": v.label, "used": v.used == ViewUse::Used, "rms_px": v.rms_px,
                "tilt_deg": v.tilt_deg, "corners": v.residuals_px.len(),
            }));
        }
        let d = &l.distortion;
        say(json!({
            "summary": true, "grade": grade, "advice": advice, "rms_px": calibration.rms_px,
            "width": l.width, "height": l.height, "fx": l.fx, "fy": l.fy, "cx": l.cx, "cy": l.cy,
            "sigma_px": calibration.sigma_px,
            "distortion": {"k1": d.k1, "k2": d.k2, "p1": d.p1, "p2": d.p2, "k3": d.k3},
            "field_of_view_deg": l.field_of_view_deg(), "covered": calibration.coverage.share(),
            "tilted": calibration.coverage.tilted,
        }));
        return;
    }
    for v in &calibration.views {
        let left_out = if v.used == ViewUse::Used { "" } else { "  left out: it fits badly" };
        say(format!("{}  {:.3} px  leaning {:.0} degrees{left_out}", v.label, v.rms_px, v.tilt_deg));
    }
    say(format!(
        "{grade}: error {:.3} px, field of view {:.1} degrees, focal length {:.2} +- {:.2} px, {:.0} % of the picture covered",
        calibration.rms_px,
        l.field_of_view_deg(),
        l.fx,
        calibration.sigma_px[0],
        100.0 * calibration.coverage.share()
    ));
    for a in advice {
        say(format!("  to do: {a}"));
    }
    match &args.out {
        _ if calibration.rms_px > MOST_RMS_PX => {}
        Some(path) => say(format!("profile written to {}", path.display())),
        None => say("no --out given: nothing written"),
    }
}
