//! A small table for the window's tests: five elements where this file puts them, seen by the
//! simulated camera and read by the whole pipeline.

use groma::app::logic::{Logic, Opener};
use groma::app::outside::{NamedFiles, Outside, Setup};
use groma::app::state::{CameraEntry, State};
use groma::app::window::Window;
use groma::app::worker::Pace;
use groma::cli::sim_scene::scene_placed;
use groma::geometry::Pose;
use groma::judge::{Roster, RosterFile, Table, samples};
use groma::rules::{Ruleset, Settings};
use groma::session::Throws;
use groma::session::engine::Engine;
use groma::session::journal::Kept;
use groma::vision::FrameSource;
use groma::vision::sim::{Placement, SimSettings, SimulatedBoard, SimulatedCamera, View};
use groma::vision::source::open_source;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// How far the first Hastati stand from the Phalanx that faces them, millimetres.
pub const APART_MM: f64 = 25.0;

/// Bases are 40 by 15 mm. Hastati 2 fight the Libyans, and Hastati 3 overlap them.
pub fn placements() -> Vec<Placement> {
    let places = [
        ("Hastati 1", Pose::new(180.0, 240.0, 90.0)),
        // A little askew, so that one corner is nearest whatever the last digits do.
        ("Phalanx 1", Pose::new(180.0, 255.0 + APART_MM, 267.0)),
        ("Hastati 2", Pose::new(330.0, 240.0, 90.0)),
        ("Libyans", Pose::new(330.0, 255.2, 270.0)),
        ("Hastati 3", Pose::new(370.2, 240.0, 90.0)),
    ];
    let place = |(name, pose): (&str, Pose)| Placement { name: name.to_owned(), pose, ground_mm: 0.0 };
    places.map(place).into()
}

/// What opens the small table.
const THE_TABLE: &str = "the test's table";
/// The same for another camera over it.
pub const FROM_THE_LEFT: &str = "the test's table, from the left";

fn opener(roster: Roster, placements: Vec<Placement>) -> Opener {
    Arc::new(move |spec| {
        if spec != THE_TABLE && spec != FROM_THE_LEFT {
            return open_source(spec).map_err(|error| error.to_string());
        }
        let scene = scene_placed(&samples::table(), &roster, placements.clone());
        let settings = SimSettings::profile("clean").expect("a profile");
        let scene = scene.expect("a scene");
        let camera = if spec == FROM_THE_LEFT {
            let view = View { lean_deg: 12.0, aside_deg: -25.0, roll_deg: 0.0 };
            SimulatedCamera::looking(scene, settings, view, 2)
        } else {
            SimulatedCamera::new(scene, settings, 1)
        };
        let camera = camera.expect("a camera");
        Ok(Box::new(camera) as Box<dyn FrameSource>)
    })
}

/// Opens the small table of the samples.
pub fn opener_of_samples() -> Opener {
    opener(samples::roster(), placements())
}

/// The samples as a journal keeps them.
fn kept() -> (Kept, Vec<Kept>) {
    let kept = |name: &str, text: &str| Kept { name: name.to_owned(), text: text.to_owned() };
    (kept("table.ron", samples::TABLE_RON), vec![kept("roster.ron", samples::ROSTER_RON)])
}

/// The sample table and roster, over which `open` opens.
pub fn loaded(named: &NamedFiles, open: Opener) -> Setup {
    Setup {
        table: samples::table(),
        roster: samples::roster(),
        lens: None,
        kept: kept(),
        named: named.clone(),
        words: "the test's files".to_owned(),
        certificate: None,
        open,
    }
}

/// Cameras that a test has, boards that the simulated camera is shown, and files that are the samples
/// whatever they are called.
pub fn outside() -> Outside {
    let settings = || SimSettings::default().with_size(640, 360);
    Outside {
        open_board: Arc::new(move |_, board| {
            Ok(Box::new(SimulatedBoard::new(board, settings(), 4).map_err(|error| error.to_string())?))
        }),
        cameras: Arc::new(|| {
            Ok(vec![CameraEntry { source: "camera:3".to_owned(), name: "A test's camera".to_owned() }])
        }),
        load: Arc::new(|named| match &named.table {
            Some(path) if path.ends_with("bad.ron") => Err("bad.ron:1:1: a mistake".to_owned()),
            _ => Ok(loaded(named, opener(samples::roster(), placements()))),
        }),
        folder: Arc::new(|_| Err("the test has no folders".to_owned())),
        show: Arc::new(groma::cli::show::show),
    }
}

/// The window on that table, with its first frames read and at rest.
pub fn window(theme: egui::Theme) -> Window {
    window_with_names(theme, &[])
}

/// The same, with some elements called something else.
pub fn window_with_names(theme: egui::Theme, names: &[(&str, &str)]) -> Window {
    let called = |name: &str| {
        names.iter().find(|(sample, _)| *sample == name).map_or(name, |(_, other)| other).to_owned()
    };
    let mut elements = samples::roster().elements().to_vec();
    for element in &mut elements {
        element.name = called(&element.name);
    }
    let files = vec![RosterFile { file: "the test's roster".to_owned(), elements }];
    let roster = Roster::of(&samples::table(), files, &Ruleset::dba3()).expect("a roster");
    let placed: Vec<Placement> =
        placements().into_iter().map(|p| Placement { name: called(&p.name), ..p }).collect();
    on(theme, samples::table(), roster, placed)
}

fn on(theme: egui::Theme, table: Table, roster: Roster, placed: Vec<Placement>) -> Window {
    let open = opener(roster.clone(), placed);
    let setup = Setup { table, roster, ..loaded(&NamedFiles::default(), open) };
    over(theme, setup, outside())
}

/// A window over what is set up, on "the test's table" that its opener opens.
pub fn over(theme: egui::Theme, setup: Setup, outside: Outside) -> Window {
    let engine = Engine::new(setup.table.clone(), setup.roster.clone(), Settings::dba3());
    let state = State::new(engine, Throws::from_seed(7), theme);
    let mut logic = Logic::new(state, setup, outside, Pace::EveryFrame);
    logic.open("the test's table");
    while logic.state.reads() < 4 {
        assert!(logic.wait(Duration::from_secs(60), Instant::now()), "no frame within a minute");
    }
    Window::new(logic)
}
