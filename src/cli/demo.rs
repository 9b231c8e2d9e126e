//! `groma demo`: a simulated table, read and judged in the window, or off-screen.

use super::sim_scene::scene_from;
use super::watch::simulated;
use super::window::{self, Files};
use super::{Failure, say};
use crate::app::demo::{Demo, DemoError, Moment, ScreenSize, Step};
use crate::app::launch;
use crate::app::logic::Opener;
use crate::app::outside::Setup;
use crate::app::window::Window;
use crate::app::worker::Pace;
use crate::judge::{Table, parse_table, samples, table_with_ground};
use crate::rules::stronghold::Past;
use crate::rules::terrain::{
    Feature, Ground, Hill, Holder, Profile, River, RiverState, Road, TerrainKind, Way,
};
use crate::session::Throws;
use crate::session::journal::Kept;
use crate::vision::sim::{SimSettings, SimulatedCamera, TerrainSort};
use crate::vision::{FrameSource, RgbImage};
use anyhow::{Context, anyhow};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Shows a simulated table being read and judged.
#[derive(Debug, clap::Args)]
pub struct DemoArgs {
    /// Without a display: leave pictures of the window, and its rulings, in a folder.
    #[arg(long)]
    headless: bool,
    /// The folder for them, groma-demo where none is named; made where it is not there. Goes with --headless.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Which table, and which dice.
    #[arg(long, value_name = "N", default_value_t = SEED, value_parser = crate::cli::whole)]
    seed: u64,
}

/// The usual table: two enemies are in contact on it from the beginning, and every tag is in sight.
pub(super) const SEED: u64 = 60;
/// Simulated seconds after which the off-screen demo ends, whatever has not come.
const SECONDS: f64 = 40.0;
/// Frames in a simulated second, off-screen: enough for a track to come to rest between two moves.
const FPS: f64 = 2.5;
/// The journal that the off-screen demo leaves.
const JOURNAL: &str = "demo.journal";
/// The table's name in its journal.
const TABLE: &str = "table.ron";
/// The off-screen window.
const SIZE: ScreenSize = ScreenSize { width: 1280.0, height: 720.0, pixels_per_point: 1.5 };

/// Runs the command.
///
/// # Errors
/// No display, where one is wanted; a folder that cannot be written.
pub fn run(args: &DemoArgs) -> Result<(), Failure> {
    match (args.headless, &args.out) {
        (true, out) => off_screen(args.seed, out.as_deref().unwrap_or(Path::new("groma-demo"))),
        (false, None) => in_window(args.seed),
        (false, Some(out)) => Err(Failure::Use(format!(
            "--out {}: the demo leaves pictures only where it has no window: add --headless, or leave out --out",
            out.display()
        ))),
    }
}

fn in_window(seed: u64) -> Result<(), Failure> {
    // Bases are put down on the bare table; what lies on it is drawn by the camera itself.
    let samples = window::opener(samples::table(), samples::roster(), &Files::Samples);
    let opener: Opener = Arc::new(move |spec| {
        let asked = simulated(spec).and_then(|choice| choice.split(',').next()?.trim().parse::<u64>().ok());
        match asked {
            Some(other) if other != seed => Err(format!(
                "{spec}: this demo knows the terrain of sim:{seed} alone; `groma demo --seed {other}` shows that table"
            )),
            _ => samples(spec),
        }
    });
    let throws = Throws::from_seed(seed);
    let window = window::window(demo_setup(seed, opener)?, throws, Pace::AsCaptured);
    launch::run(window, format!("sim:{seed}"), String::new()).map_err(|error| Failure::Job(error.into()))
}

/// The sample table with the terrain that the simulated camera draws on it for that seed, as a table file, and read from it.
///
/// # Errors
/// A table that cannot be drawn.
pub fn table_with_terrain(seed: u64) -> anyhow::Result<(Table, String)> {
    let scene = scene_from(&samples::table(), &samples::roster(), seed)?;
    let camera = SimulatedCamera::new(scene, SimSettings::default(), seed)?;
    let mut ground = Ground::default();
    for there in camera.terrain() {
        let named = |name: &str| name.to_owned();
        let way = || {
            let (line, width_mm) = there.course.clone()?;
            Way::new(line, width_mm).ok()
        };
        let mut area = |name: &str, kind: TerrainKind, profile: Option<Profile>| {
            let hill = profile.map(|p| Hill::of_outline(&there.outline, there.height_mm, p));
            ground.features.push(Feature {
                name: named(name),
                kind,
                outline: there.outline.clone(),
                hill,
                side: None,
                holder: Holder::Nobody,
                gates: Vec::new(),
                past: Past::default(),
            });
        };
        match there.sort {
            TerrainSort::Wood => area("Wood", TerrainKind::Wood, None),
            TerrainSort::PaintedHill => area("Low hill", TerrainKind::GentleHill, Some(Profile::Slope)),
            TerrainSort::Hill => area("Hill", TerrainKind::GentleHill, Some(Profile::Stepped)),
            TerrainSort::River => ground.rivers.extend(way().map(|course| River {
                name: named("River"),
                course,
                state: RiverState::Unknown,
            })),
            TerrainSort::Road => {
                ground.roads.extend(way().map(|course| Road { name: named("Road"), course }));
            }
        }
    }
    let text = table_with_ground(TABLE, samples::TABLE_RON, &ground)?;
    Ok((parse_table(TABLE, &text)?, text))
}

/// The samples, their terrain known.
fn demo_setup(seed: u64, open: Opener) -> anyhow::Result<Setup> {
    let (table, text) = table_with_terrain(seed)?;
    let samples = window::samples_setup(open);
    let kept = (Kept { name: TABLE.to_owned(), text }, samples.kept.1);
    Ok(Setup { table, kept, ..samples })
}

fn off_screen(seed: u64, out: &Path) -> Result<(), Failure> {
    if out.exists() && !out.is_dir() {
        return Err(Failure::Use(format!(
            "--out {}: this is a file: name a folder, which is made where it is not there",
            out.display()
        )));
    }
    std::fs::create_dir_all(out)
        .with_context(|| format!("cannot make the folder {}; give --out another", out.display()))?;
    clear_old(out)?;
    let rulings_path = out.join("rulings.jsonl");
    let rulings = File::create(&rulings_path)
        .with_context(|| format!("cannot write {}; give --out another folder", rulings_path.display()))?;
    let mut rulings = BufWriter::new(rulings);
    let mut window = simulated_window(seed)?;
    let journal = out.join(JOURNAL);
    window.logic_mut().keep_in(&journal).map_err(anyhow::Error::from)?;
    let mut demo = Demo::new(window, SIZE, Duration::from_secs_f64(1.0 / FPS));
    say(format!("Reading a simulated table (seed {seed}), off-screen..."));
    demo.run(&format!("sim:{seed}"), (SECONDS * FPS) as u64, |step| match step {
        Step::Read { .. } => Ok(()),
        Step::Picture { moment, picture, rulings: shown } => {
            let path = out.join(moment.file_name());
            save(&picture, &path)?;
            let failed = |error: std::io::Error| DemoError::Write {
                path: rulings_path.clone(),
                why: error.to_string(),
            };
            for ruling in shown {
                writeln!(rulings, "{ruling}").map_err(failed)?;
            }
            rulings.flush().map_err(failed)?;
            say(format!("  {}: {}", path.display(), words(moment)));
            Ok(())
        }
    })
    .map_err(anyhow::Error::from)?;
    if demo.waiting().contains(&Moment::Table) {
        return Err(Failure::Job(anyhow!(
            "in {SECONDS:.0} simulated seconds the table of seed {} was not read at rest; try another --seed",
            seed
        )));
    }
    for moment in demo.waiting() {
        say(format!("  not on the table of seed {}, so no picture of it: {}", seed, words(*moment)));
    }
    say(format!("  {}: what the pictures say, one ruling a line", rulings_path.display()));
    say(format!("  {}: the journal, for groma replay and groma report", journal.display()));
    Ok(())
}

/// The window on the sample table, whose simulated camera takes fewer frames a second.
fn simulated_window(seed: u64) -> anyhow::Result<Window> {
    let (its_table, its_roster) = (samples::table(), samples::roster());
    let opener: Opener = Arc::new(move |_| {
        let scene = scene_from(&its_table, &its_roster, seed).map_err(|error| error.to_string())?;
        let settings = SimSettings { fps: FPS, ..SimSettings::default() };
        let camera = SimulatedCamera::new(scene, settings, seed).map_err(|error| error.to_string())?;
        Ok(Box::new(camera) as Box<dyn FrameSource>)
    });
    Ok(window::window(demo_setup(seed, opener)?, Throws::from_seed(seed), Pace::EveryFrame))
}

/// Takes away what an earlier demo left in `dir`, and nothing else: its pictures may be of another table.
fn clear_old(dir: &Path) -> Result<(), Failure> {
    let pictures = Moment::ALL.map(|moment| dir.join(moment.file_name()));
    for path in pictures.into_iter().chain([dir.join(JOURNAL)]) {
        match std::fs::remove_file(&path) {
            Ok(()) => {}
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => {
                return Err(Failure::Job(anyhow!(
                    "cannot take away what an earlier demo left, {}: {error}; give --out another folder",
                    path.display()
                )));
            }
        }
    }
    Ok(())
}

fn save(picture: &RgbImage, path: &Path) -> Result<(), DemoError> {
    image::save_buffer(
        path,
        picture.data(),
        picture.width() as u32,
        picture.height() as u32,
        image::ExtendedColorType::Rgb8,
    )
    .map_err(|error| DemoError::Write { path: path.to_owned(), why: error.to_string() })
}

fn words(moment: Moment) -> &'static str {
    match moment {
        Moment::Table => "the table as it is read",
        Moment::Zone => "two elements picked, one in the threat zone of the other",
        Moment::Contact => "two elements in contact",
        Moment::Combat => "their combat, with dice",
        Moment::Hand => "a hand over the board",
        Moment::Board => "the board alone, in the light theme",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Footprint;
    use crate::rules::{Element, Settings, Setup, engagement};

    /// What the sample armies' places come to, without a camera in between.
    fn fights(seed: u64) -> usize {
        let (table, roster) = (samples::table(), samples::roster());
        let scene = scene_from(&table, &roster, seed).expect("the samples can be drawn");
        let elements = scene.placements().iter().filter_map(|p| {
            let e = roster.element(&p.name)?;
            Some(Element {
                name: e.name.clone(),
                side: e.side,
                troop: e.troop.clone(),
                footprint: Footprint::new(p.pose, e.base.width_mm, e.base.depth_mm)?,
                general: e.general,
                tower: e.tower,
                overhang: e.overhang,
                location: e.location,
            })
        });
        let setup = Setup::bare(table.scale, table.board_mm, elements.collect());
        engagement::fights(&setup, &Settings::dba3()).len()
    }

    #[test]
    fn only_the_demo_s_own_old_pictures_are_taken_away() {
        let dir = tempfile::tempdir().expect("a folder");
        let kept = dir.path().join("mine.png");
        let old = dir.path().join(Moment::Hand.file_name());
        for path in [&kept, &old] {
            std::fs::write(path, "a picture").expect("it can be written");
        }
        clear_old(dir.path()).expect("it can be cleared");
        assert!(kept.exists() && !old.exists());
    }

    #[test]
    fn the_usual_seed_has_a_fight_to_show() {
        assert!(fights(SEED) > 0);
    }
}
