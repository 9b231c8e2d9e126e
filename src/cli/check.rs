//! `groma check`: a printed check sheet on the board, measured at several places, gives a certificate.

use super::inputs::{lens_profile, table_file};
use super::outputs::{self, Kind, Output};
use super::pictures::Pictures;
use super::{Failure, say};
use crate::cli::inputs::decimal;
use crate::judge::Table;
use crate::markers::{
    Agreement, CHECK_HEIGHT_MM, CHECK_SIZE_MM, Certificate, ErrorStatistics, HeldTo, LEAST_CHECK_TAGS, Paper,
    PlaceCheck, RULER_MM, certificate_json, certificate_path, certificate_sheet, check_tags, place_json,
    summary_json, to_pdf,
};
use crate::text::today;
use crate::tracking::{KnownTag, TagBook, Visibility};
use crate::vision::{FrameSource, LensProfile, Pipeline, PipelineSettings, Reading, open_source};
use anyhow::{Context, Error, anyhow};
use clap::Args;
use serde_json::Value;
use std::path::PathBuf;

/// A live source in which the sheet comes to rest nowhere new for so many frames is left.
const PATIENCE: u64 = 600;
/// A place is new where the sheet's middle lies so far from that of every place before, millimetres.
const NEW_PLACE_MM: f64 = 40.0;

/// Measures a printed check sheet on the board and gives a certificate of how right distances are.
///
/// Print the sheet (`groma markers check --out check.pdf`) at 100 %, measure its ruler, lay it flat on the
/// board in three or more places spread over it, and photograph each place with the camera as it stands for
/// the game. Figures may stay where they are.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// Pictures, each with the sheet at another place, folders, a video, or `camera:N`.
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<String>,
    /// The table file.
    #[arg(long, value_name = "FILE")]
    table: PathBuf,
    /// The camera's lens profile. Without one the lens is estimated from the reference tags.
    #[arg(long, value_name = "FILE")]
    lens: Option<PathBuf>,
    /// What the sheet's ruler of 100 mm measures.
    #[arg(long, value_parser = decimal, value_name = "MM", default_value_t = RULER_MM)]
    sheet_scale: f64,
    /// Places taken from a live source or a video before it is done.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..))]
    places: u64,
    /// A folder for the certificate's two files, .json and .pdf. By default the table file's, where the
    /// window looks for it.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// One JSON object a line: each place, then the certificate.
    #[arg(long)]
    json: bool,
}

/// Runs it.
///
/// # Errors
/// Wrong use: a ruler that cannot be. A failed job: files or sources that cannot be read, a sheet that shows
/// nowhere.
pub fn run(args: &CheckArgs) -> Result<(), Failure> {
    let scale = args.sheet_scale / RULER_MM;
    if !(0.9..=1.1).contains(&scale) {
        return Err(Failure::Use(format!(
            "--sheet-scale {}: the measured length in mm of the sheet's {RULER_MM} mm ruler, 90 to 110; print the \
             sheet again at 100 % if it is further off",
            args.sheet_scale
        )));
    }
    let files = args.files()?;
    outputs::check(&[
        Output { option: "--out", path: &files.json, kind: Kind::Certificate },
        Output { option: "--out", path: &files.pdf, kind: Kind::Pdf },
    ])?;
    let table = table_file(&args.table)?;
    let lens = args.lens.as_deref().map(lens_profile).transpose()?;
    let mut pictures = Pictures::of(&args.sources, |spec| Ok(open_source(spec).map_err(Error::from)?));
    let places = gather(args, &table, lens.as_ref(), scale, &mut pictures)?;
    let all = ErrorStatistics::of(places.iter().flat_map(|p| &p.pairs)).ok_or_else(|| {
        anyhow!(
            "the check sheet lies nowhere in these pictures: {LEAST_CHECK_TAGS} of its tags must show, and the \
             table's reference tags; `groma markers check --out check.pdf` makes the sheet"
        )
    })?;
    let certificate = Certificate {
        date: today(),
        held_to: HeldTo {
            table: table.mark(),
            lens: lens.as_ref().map(LensProfile::mark),
            device: pictures.device(),
        },
        profile: lens.map(|p| (p.camera, p.date)),
        table: args.table.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default(),
        board_mm: table.board_mm,
        ruler_mm: args.sheet_scale,
        agreement: Agreement::of(&places, table.board_mm, &all),
        places,
        all,
    };
    let text = serde_json::to_string_pretty(&certificate_json(&certificate)).map_err(Error::from)?;
    let page = to_pdf(&[certificate_sheet(&certificate, Paper::A4)]);
    outputs::write(&[(&files.json, text.as_bytes()), (&files.pdf, &page)])?;
    tell(args, &files, &certificate);
    pictures.outcome("the certificate is made")
}

/// The certificate's two files.
struct Files {
    json: PathBuf,
    pdf: PathBuf,
}

impl CheckArgs {
    fn files(&self) -> Result<Files, Failure> {
        let beside = certificate_path(&self.table);
        let json = match &self.out {
            None => beside,
            Some(dir) if dir.is_dir() => dir.join(beside.file_name().unwrap_or_default()),
            Some(dir) => {
                return Err(Failure::Job(anyhow!(
                    "--out {}: there is no such folder: make it first",
                    dir.display()
                )));
            }
        };
        Ok(Files { pdf: json.with_extension("pdf"), json })
    }
}

/// The table's tags and the sheet's.
fn book(table: &Table, scale: f64) -> Result<TagBook, Failure> {
    let known = KnownTag {
        size_mm: CHECK_SIZE_MM * scale,
        height_mm: CHECK_HEIGHT_MM.0,
        height_sigma_mm: CHECK_HEIGHT_MM.1,
    };
    let known: std::collections::BTreeMap<_, _> =
        check_tags().into_iter().map(|(tag, _)| (tag, known)).collect();
    if let Some(both) = table.reference.iter().find(|r| known.contains_key(&r.tag)) {
        return Err(Failure::Job(anyhow!(
            "{} is a reference tag of the table and on the check sheet too: give the table another tag",
            both.tag
        )));
    }
    Ok(TagBook { reference: table.reference.clone(), known, ..TagBook::default() })
}

fn gather(
    args: &CheckArgs,
    table: &Table,
    lens: Option<&LensProfile>,
    scale: f64,
    pictures: &mut Pictures<'_>,
) -> Result<Vec<PlaceCheck>, Failure> {
    let book = book(table, scale)?;
    let mut places: Vec<PlaceCheck> = Vec::new();
    while let Some(mut source) = pictures.next_source()? {
        let settings = PipelineSettings::for_source(source.as_ref());
        let pipeline = Pipeline::new(book.clone(), lens.map(|p| p.lens), settings)
            .context("the tag detector cannot be made")?;
        let watch = Sheet { pipeline, lens, scale, most: args.places };
        let told = |line: String| {
            if !args.json {
                say(line);
            }
        };
        places.extend(watch.places(source.as_mut(), pictures, told)?);
    }
    Ok(places)
}

/// What the sheet is looked for with in one source.
struct Sheet<'a> {
    pipeline: Pipeline,
    lens: Option<&'a LensProfile>,
    scale: f64,
    most: u64,
}

impl Sheet<'_> {
    /// Every photograph is a place; a moving source has one each time the sheet comes to rest somewhere
    /// new. `told` hears of those as they are found.
    fn places(
        mut self,
        source: &mut dyn FrameSource,
        pictures: &mut Pictures<'_>,
        mut told: impl FnMut(String),
    ) -> Result<Vec<PlaceCheck>, Failure> {
        let still = source.unrelated();
        let mut places: Vec<PlaceCheck> = Vec::new();
        let mut waited = 0;
        while let Some(frame) = pictures.next_frame(source)? {
            let (width, height) = (frame.grey.width(), frame.grey.height());
            if let Some(why) = self.lens.and_then(|l| l.unfit_for(width, height, source.device().as_deref()))
            {
                let why = format!("{}: {why}", frame.label);
                if still {
                    pictures.pass_over(&why);
                    continue;
                }
                return Err(Failure::Job(anyhow!("{why}")));
            }
            let reading = self.pipeline.take(&frame);
            let place = place_of(&frame.label, &reading, self.scale);
            if still {
                match (place, &reading.registration) {
                    (Some(place), _) => places.push(place),
                    (None, Err(why)) => note!("groma: {}: {why}", frame.label),
                    (None, Ok(_)) => note!(
                        "groma: {}: fewer than {LEAST_CHECK_TAGS} of the check sheet's tags show; it is left out",
                        frame.label
                    ),
                }
                continue;
            }
            waited += 1;
            let is_new =
                |p: &PlaceCheck| places.iter().all(|old| (old.centre - p.centre).norm() >= NEW_PLACE_MM);
            if let Some(mut place) = place.filter(|p| reading.snapshot.at_rest() && is_new(p)) {
                waited = 0;
                place.label = format!("{}, frame {}", frame.label, frame.seq);
                places.push(place);
                told(format!("place {} of {}; move the sheet", places.len(), self.most));
                if places.len() as u64 >= self.most {
                    break;
                }
            }
            if waited >= PATIENCE {
                note!(
                    "groma: {}: the sheet came to rest nowhere new for {PATIENCE} frames; going on without",
                    source.description()
                );
                break;
            }
        }
        Ok(places)
    }
}

/// The sheet as one reading has it.
fn place_of(label: &str, reading: &Reading, scale: f64) -> Option<PlaceCheck> {
    let seen = reading.snapshot.tracks.values().filter(|t| t.visibility == Visibility::Seen);
    let measured = seen.filter_map(|t| Some((t.tag, t.pose.clone()?))).collect();
    PlaceCheck::of(label, &measured, scale)
}

fn tell(args: &CheckArgs, files: &Files, c: &Certificate) {
    if args.json {
        c.places.iter().for_each(|p| say(place_json(p)));
        say(Value::Object(summary_json(c)));
        return;
    }
    for p in &c.places {
        let Some(s) = ErrorStatistics::of(&p.pairs) else { continue };
        say(format!(
            "{}  at {:.0}, {:.0}: {} tags, {:.3} mm RMS, {:.3} worst, ± {:.3} claimed",
            p.label, p.centre.x, p.centre.y, p.tags, s.rms_mm, s.worst_mm, s.sigma_mm
        ));
    }
    let s = &c.all;
    say(format!(
        "{} distances at {} places: {:.3} mm RMS, {:.3} mm worst, measured {:+.2} mm too long in a metre",
        s.pairs,
        c.places.len(),
        s.rms_mm,
        s.worst_mm,
        1000.0 * s.stretch
    ));
    say(format!(
        "claimed ± {:.3} mm; errors are {:.2} times the claim, {:.0} % within twice it: {}",
        s.sigma_mm,
        s.ratio,
        100.0 * s.within_two,
        c.agreement.words()
    ));
    say(format!("certificate written to {} and {}", files.json.display(), files.pdf.display()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Point, Pose};
    use crate::judge::samples;
    use crate::tracking::CapturedAt;
    use crate::vision::sim::{
        Clutter, Figures, Ink, Motion, Placement, Scene, SimBase, SimSettings, SimTag, SimulatedCamera,
    };
    use crate::vision::{Frame, Lens, SourceError};
    use std::collections::VecDeque;
    use std::time::Duration;

    /// A camera that has seen these frames.
    struct Seen(VecDeque<Frame>, Lens);

    impl FrameSource for Seen {
        fn description(&self) -> String {
            "a camera".to_owned()
        }
        fn live(&self) -> bool {
            true
        }
        fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
            Ok(self.0.pop_front())
        }
    }

    /// The sheet lying for so many frames at each place, one after the other.
    fn film(places: &[(Pose, usize)]) -> Seen {
        let tag = |(tag, at): (_, Point)| SimTag {
            tag,
            size_mm: CHECK_SIZE_MM,
            right_mm: at.x,
            forward_mm: at.y,
            rotation_deg: 0.0,
            height_mm: 0.0,
            ink: Ink::Black,
            contrast: 1.0,
        };
        let sheet = SimBase {
            name: "sheet".to_owned(),
            side: 0,
            width_mm: 190.0,
            depth_mm: 240.0,
            thickness_mm: 0.1,
            tags: check_tags().into_iter().map(tag).collect(),
            colour: [230, 228, 222],
            figures: Figures::Empty,
        };
        let settings =
            SimSettings { motion: Motion::Still, clutter: Clutter::None, ..SimSettings::default() };
        let mut film = VecDeque::new();
        let mut lens = Lens::from_field_of_view(2, 2, 70.0);
        for (pose, count) in places {
            let at = Placement { name: "sheet".to_owned(), pose: *pose, ground_mm: 0.0 };
            let reference = samples::table().reference;
            let scene =
                Scene::placed(600.0, 600.0, reference, vec![sheet.clone()], vec![at]).expect("a scene");
            let mut camera = SimulatedCamera::new(scene, settings.clone(), 3).expect("a camera");
            lens = camera.camera().lens;
            for _ in 0..*count {
                let frame = camera.next_frame().expect("a picture").expect("a live source");
                let seq = film.len() as u64;
                film.push_back(Frame {
                    seq,
                    captured_at: CapturedAt(Duration::from_millis(100 * seq)),
                    ..frame
                });
            }
        }
        Seen(film, lens)
    }

    #[test]
    fn a_live_camera_gives_a_place_each_time_the_sheet_comes_to_rest_somewhere_new() {
        let (near, far) = (Pose::new(170.0, 170.0, 90.0), Pose::new(420.0, 430.0, 60.0));
        // The first place again at the end: it is no third one.
        let mut source = film(&[(near, 12), (far, 12), (near, 12)]);
        let settings = PipelineSettings::for_source(&source);
        let book = book(&samples::table(), 1.0).unwrap_or_else(|_| TagBook::default());
        let pipeline = Pipeline::new(book, Some(source.1), settings).expect("a pipeline");
        let watch = Sheet { pipeline, lens: None, scale: 1.0, most: 5 };
        let mut pictures = Pictures::of(&[], |_| Err(Failure::Use("no source has a name here".to_owned())));
        let mut told = 0;
        let Ok(places) = watch.places(&mut source, &mut pictures, |_| told += 1) else { panic!("no places") };
        let centres: Vec<Point> = places.iter().map(|p| p.centre).collect();
        assert_eq!((centres.len(), told), (2, 2), "{centres:?}");
        for (centre, pose) in centres.iter().zip([near, far]) {
            assert!((centre - pose.centre).norm() < 1.0, "{centre} {pose:?}");
        }
        let all = ErrorStatistics::of(places.iter().flat_map(|p| &p.pairs)).expect("distances");
        assert!(all.rms_mm < 0.06, "{all:?}");
    }
}
