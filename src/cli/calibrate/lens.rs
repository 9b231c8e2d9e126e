//! `groma calibrate lens`: a lens profile from pictures of a board, or from a camera that watches one.

use crate::cli::outputs::{self, Kind, Output};
use crate::cli::pictures::Pictures;
use crate::cli::sim_board::simulated_board;
use crate::cli::watch::simulated;
use crate::cli::{Failure, say};
use crate::text::today;
use crate::vision::calibration::{
    Board, BoardFinder, Calibration, Gathering, Grade, LEAST_VIEWS, Look, MOST_RMS_PX, OneSize, ViewUse,
    profile_notes,
};
use crate::vision::{FrameSource, LensProfile, open_source};
use anyhow::{Error, anyhow};
use clap::Args;
use serde_json::json;
use std::path::PathBuf;

/// A moving source in which the board comes to rest nowhere new for so many frames is left.
const PATIENCE: u64 = 600;

/// Makes a lens profile from pictures of a calibration board, or from a camera that watches one.
///
/// Hold the board flat and still, in every part of the picture, near and far, and lean it by 20 to 40
/// degrees to each side. 15 pictures are plenty. A camera says after each view what is still missing, and
/// ends when nothing is.
#[derive(Debug, Args)]
pub struct LensArgs {
    /// Pictures, folders, a video, `camera:N`, or `sim:SEED`, which shows the board to a simulated camera.
    #[arg(required = true, value_parser = clap::builder::NonEmptyStringValueParser::new())]
    source: Vec<String>,
    /// The board: chessboard:COLUMNSxROWS:SQUARE_MM, counting inner corners, or
    /// tags:FAMILY:FIRST_ID:COLUMNSxROWS:SIZE_MM:PITCH_MM. Lengths as measured on the print.
    #[arg(long)]
    board: String,
    /// Where to write the profile.
    #[arg(long)]
    out: Option<PathBuf>,
    /// What the camera is called; the profile keeps it. By default what it calls itself.
    #[arg(long)]
    camera: Option<String>,
    /// Views taken from a live source or a video at most.
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
pub fn run(args: &LensArgs) -> Result<(), Failure> {
    let board: Board = args.board.parse().map_err(Failure::Use)?;
    let output = args.out.as_ref().map(|path| Output { option: "--out", path, kind: Kind::Lens });
    outputs::check(output.as_slice())?;
    let mut pictures = Pictures::of(&args.source, |spec| open(spec, board));
    let mut views = gather(args, board, &mut pictures)?;
    let device = pictures.device();
    let calibration = views.solve().map_err(Error::from)?;
    let used = calibration.views.iter().filter(|v| v.used == ViewUse::Used);
    let profile = LensProfile {
        camera: args.camera.clone().or(device.clone()).unwrap_or("unnamed camera".to_owned()),
        device,
        date: today(),
        lens: calibration.lens,
        residuals_px: used.flat_map(|v| v.residuals_px.iter().copied()).collect(),
    };
    let fits = calibration.rms_px <= MOST_RMS_PX;
    if let Some(path) = args.out.as_ref().filter(|_| fits) {
        let text = profile.to_ron(&profile_notes(&board, calibration));
        outputs::write(&[(path, text.as_bytes())])?;
    }
    tell(args, calibration);
    if !fits {
        return Err(Failure::Job(anyhow!(
            "the error is {:.2} px, above {MOST_RMS_PX} px: this is no lens profile and none was written; \
             see that --board says what was printed, and that the board is flat and the pictures sharp",
            calibration.rms_px
        )));
    }
    pictures.outcome("the profile is made")
}

/// Opens a source that shows a board.
///
/// # Errors
/// Wrong use where a seed is none; a failed job where the source cannot be opened.
pub fn open(spec: &str, board: Board) -> Result<Box<dyn FrameSource>, Failure> {
    match simulated(spec) {
        Some(choice) => Ok(Box::new(simulated_board(choice, board)?)),
        None => Ok(open_source(spec).map_err(Error::from)?),
    }
}

fn gather(args: &LensArgs, board: Board, pictures: &mut Pictures<'_>) -> Result<Gathering, Failure> {
    let mut finder = BoardFinder::new(board).map_err(Error::from)?;
    let mut size = OneSize::default();
    let mut views: Option<Gathering> = None;
    while let Some(mut source) = pictures.next_source()? {
        let mut waited = 0;
        while let Some(frame) = pictures.next_frame(source.as_mut())? {
            let own = (frame.grey.width(), frame.grey.height());
            if let Err(why) = size.check(&frame.label, own) {
                pictures.pass_over(&why.to_string());
                continue;
            }
            let views = views.get_or_insert_with(|| Gathering::new(own));
            if source.unrelated() {
                match finder.find(&frame.label, &frame.grey) {
                    Ok(view) => views.keep(view),
                    Err(why) => note!("groma: {}: {why}", frame.label),
                }
                continue;
            }
            waited += 1;
            let label = format!("frame {}", frame.seq);
            let look = views.look(finder.glance(&label, &frame.grey));
            if look == Look::New
                && let Ok(view) = finder.find(&label, &frame.grey)
            {
                waited = 0;
                views.keep(view);
                told(args, views);
            }
            if views.views().len() >= args.views || views.grade() == Grade::Great {
                break;
            }
            if waited >= PATIENCE {
                note!(
                    "groma: {}: the board came to rest nowhere new for {PATIENCE} frames; going on without",
                    source.description()
                );
                break;
            }
        }
    }
    let views =
        views.ok_or_else(|| anyhow!("no picture was read: name pictures, a folder, a video or camera:N"))?;
    if views.views().is_empty() {
        return Err(Failure::Job(anyhow!(
            "none of {} pictures shows the board {board}: check its counts, and that it is flat, sharp and lit",
            pictures.read()
        )));
    }
    Ok(views)
}

/// Says after a view what is still missing.
fn told(args: &LensArgs, views: &mut Gathering) {
    let count = views.views().len();
    // Fewer views than this give no lens yet: that is no fault.
    let solved = (count >= LEAST_VIEWS).then(|| views.solve().map(|found| found.rms_px));
    if args.json {
        return;
    }
    let error = match solved {
        Some(Ok(rms_px)) => format!(", {rms_px:.2} px"),
        Some(Err(why)) => format!(", {why}"),
        None => String::new(),
    };
    let covered = 100.0 * views.coverage().share();
    let (grade, advice) = (views.grade().name(), views.grade().advice().first().cloned());
    let next = advice.map(|what| format!("; next: {what}")).unwrap_or_default();
    say(format!("view {count} of {}: {covered:.0} % covered{error}: {grade}{next}", args.views));
}

fn tell(args: &LensArgs, calibration: &Calibration) {
    let l = &calibration.lens;
    let (grade, advice) = (calibration.grade.name(), calibration.grade.advice());
    if args.json {
        for v in &calibration.views {
            say(json!({
                "view": v.label, "used": v.used == ViewUse::Used, "rms_px": v.rms_px,
                "tilt_deg": v.tilt.deg, "corners": v.residuals_px.len(),
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
        say(format!("{}  {:.3} px  leaning {:.0} degrees{left_out}", v.label, v.rms_px, v.tilt.deg));
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
