//! The marker plan held against the simulated camera: what it expects is what the pipeline reads.

use groma::cli::accuracy::{corner_errors, found};
use groma::cli::sim_scene::scene_placed;
use groma::geometry::Pose;
use groma::judge::{Roster, RosterFile, Table, parse_roster, read_elements, samples, tag_book};
use groma::markers::{
    Figures, Outlook, Place, PlacePlan, Plan, PlanRequest, expected, plan, plan_svg, plan_words, registered,
};
use groma::rules::Ruleset;
use groma::tracking::{TagFamily, Visibility};
use groma::units::Scale;
use groma::vision::sim::{Clutter, Motion, Placement, SimSettings, SimulatedCamera};
use groma::vision::{FrameSource, Lens, Pipeline, PipelineSettings, Sequence};
use std::process::Command;

const FIGURES: Figures = Figures { height_mm: 26.0, depth_mm: 12.0 };
/// The plan's error may differ from what is read by this factor: the study's rows scatter by 1.35 about its line, and all
/// bases of a picture share the camera's error.
const FACTOR: f64 = 1.4;

fn board(width: f64, depth: f64, scale: Scale) -> Table {
    let mut table = samples::table();
    table.board_mm = (width, depth);
    table.scale = scale;
    for r in &mut table.reference {
        r.x_mm = if r.x_mm > 300.0 {
            r.x_mm - 600.0 + width
        } else if r.x_mm == 300.0 {
            width / 2.0
        } else {
            r.x_mm
        };
        r.y_mm = if r.y_mm > 300.0 {
            r.y_mm - 600.0 + depth
        } else if r.y_mm == 300.0 {
            depth / 2.0
        } else {
            r.y_mm
        };
    }
    table
}

fn request(table: Table, camera: (u32, u32), place: Place) -> PlanRequest {
    PlanRequest {
        table,
        lens: Lens::from_field_of_view(camera.0, camera.1, 71.0),
        height_mm: None,
        places: vec![place],
        elements: 72,
        figures: FIGURES,
        family: None,
    }
}

/// A base of each planned kind in turn, over the whole board, their mounts known exactly.
fn army(best: &PlacePlan, table: &Table) -> (Roster, Vec<Placement>) {
    let mut text = "(schema: 1, side: red, elements: [".to_owned();
    let mut placements = Vec::new();
    let pitch = 2.2 * table.scale.mm_per_bw();
    let count = |side: f64| (side / pitch) as usize;
    let kinds = &best.kinds;
    for row in 0..count(table.board_mm.1) {
        for column in 0..count(table.board_mm.0) {
            let n = placements.len();
            let m = kinds[n % kinds.len()].mounted;
            text += &format!(
                "(name: \"{n}\", troop: \"4Bd\", base: ({}, {}), base_sigma: (0, 0), tags: [(family: \"{}\", id: {}, \
                 size: {}, offset: (0, {}), height: {}, offset_sigma: 0, rotation_sigma: 0, height_sigma: 0, lean_sigma: 0)]),",
                m.base_mm.0,
                m.base_mm.1,
                m.family,
                n + 10,
                m.size_mm,
                m.forward_mm,
                m.height_mm
            );
            let pose = Pose::new((column as f64 + 0.5) * pitch, (row as f64 + 0.5) * pitch, 90.0);
            placements.push(Placement { name: n.to_string(), pose, ground_mm: 0.0 });
        }
    }
    text += "])";
    let elements = parse_roster("army.ron", &text).map_err(|m| m.to_string()).expect("a sound roster");
    let file = RosterFile { file: "army.ron".to_owned(), elements };
    (Roster::of(table, vec![file], &Ruleset::dba3()).expect("no clashes"), placements)
}

/// Expected and read RMS of base corners, and how many of how many bases were found, over some pictures.
fn held_against_the_simulated_camera(
    plan: &Plan,
    seeds: std::ops::RangeInclusive<u64>,
) -> (f64, f64, usize, usize) {
    let best = plan.best().expect("a place");
    let table = &plan.request.table;
    let (roster, placements) = army(best, table);
    let camera = registered(table, &best.set_up, Some(&plan.request.lens)).expect("the tags fix it");
    let (mut planned, mut squares, mut corners, mut seen, mut all) = (0.0, 0.0, 0usize, 0, 0);
    for seed in seeds {
        let settings =
            SimSettings { clutter: Clutter::None, motion: Motion::Still, ..SimSettings::default() };
        let scene = scene_placed(table, &roster, placements.clone()).expect("a scene");
        let mut source =
            SimulatedCamera::with_camera(scene, settings, best.set_up.camera, seed).expect("a camera");
        let frame = source.next_frame().expect("a picture").expect("a live source");
        let truth = source.truth(frame.seq);
        let settings = PipelineSettings { sequence: Sequence::Unrelated, ..PipelineSettings::default() };
        let mut pipeline =
            Pipeline::new(tag_book(table, &roster), Some(plan.request.lens), settings).expect("a pipeline");
        let reading = pipeline.take(&frame);
        assert!(reading.registration.is_ok(), "{:?}", reading.registration);
        for (n, element) in read_elements(&roster, &reading.snapshot).into_iter().enumerate() {
            let Some(base) = truth.base(&element.name) else { continue };
            all += 1;
            let Some(pose) =
                element.pose.filter(|p| element.visibility == Visibility::Seen && found(&p.pose, &base.pose))
            else {
                continue;
            };
            seen += 1;
            let kind = &best.kinds[n % best.kinds.len()];
            let at = expected(&camera, &kind.mounted, base.pose).expect("in the picture");
            let (width, depth) = kind.mounted.base_mm;
            for error in corner_errors([width, depth], &pose, &base.pose) {
                squares += error.off.norm_squared();
                planned += at.reading_mm.powi(2);
                corners += 1;
            }
        }
    }
    let rms = |sum: f64| (sum / corners as f64).sqrt();
    (rms(planned), rms(squares), seen, all)
}

#[test]
fn what_is_expected_is_what_the_pipeline_reads() {
    let small = || board(600.0, 600.0, Scale::SMALL);
    let cases = [
        ("1080p, boom", request(small(), (1920, 1080), Place::Boom), 1..=4),
        ("1080p, boom at 30 degrees", request(small(), (1920, 1080), Place::Leaning(30.0)), 1..=4),
        ("1080p, tripod at 45 degrees", request(small(), (1920, 1080), Place::Corner(45.0)), 1..=4),
        ("720p, boom", request(small(), (1280, 720), Place::Boom), 1..=4),
        (
            "2160p, boom, 1200 x 800",
            request(board(1200.0, 800.0, Scale::LARGE), (3840, 2160), Place::Boom),
            1..=2,
        ),
    ];
    for (what, request, seeds) in cases {
        let plan = plan(request);
        let (planned, read, seen, all) = held_against_the_simulated_camera(&plan, seeds);
        let best = plan.best().expect("a place");
        let least = best.kinds.iter().map(|k| k.found.0).fold(1.0, f64::min);
        println!(
            "{what}: {} {:?}, expected {planned:.4} mm, read {read:.4} mm; {seen} of {all} found, at least {:.0} % expected",
            best.family,
            plan.outlook(),
            100.0 * least
        );
        assert!(read < planned * FACTOR && planned < read * FACTOR, "{what}: {planned} planned, {read} read");
        assert!(seen as f64 >= (least - 0.05) * all as f64, "{what}: {seen} of {all}");
        if plan.outlook() == Outlook::Well {
            assert!(seen * 100 >= all * 97, "{what}: {seen} of {all}");
        }
    }
}

#[test]
fn it_says_when_it_will_not_work_and_what_would() {
    let small = board(600.0, 600.0, Scale::SMALL);
    // Two metres up, a 720p camera gives a 10 mm tag less than 5 pixels.
    let far = PlanRequest { height_mm: Some(2000.0), ..request(small.clone(), (1280, 720), Place::Boom) };
    let made = plan(far);
    assert_eq!(made.outlook(), Outlook::Poor);
    let words = plan_words(&made).join("\n");
    assert!(words.contains("IT WILL NOT WORK") && words.contains("pixels at the worst spot"), "{words}");
    assert!(made.would.iter().any(|w| w.contains("as near as it sees everything")), "{:?}", made.would);
    // Too near to see the board: said so, whatever the tags.
    for (height, told) in
        [(800.0, "does not see all of the board"), (400.0, "sees the whole board from none")]
    {
        let near =
            PlanRequest { height_mm: Some(height), ..request(small.clone(), (1920, 1080), Place::Boom) };
        let made = plan(near);
        assert_eq!(made.outlook(), Outlook::Poor, "{height}");
        let words = plan_words(&made).join("\n");
        assert!(words.contains("IT WILL NOT WORK") && words.contains(told), "{height}: {words}");
        assert!(made.would.iter().any(|w| w.contains("as near as it sees everything")), "{:?}", made.would);
    }
    // Too many elements for a small family.
    let few = PlanRequest { family: Some(TagFamily::Tag25h9), ..request(small, (1920, 1080), Place::Boom) };
    let made = plan(few);
    assert_eq!(made.outlook(), Outlook::Poor);
    let words = plan_words(&made).join("\n");
    assert!(words.contains("tag25h9 has 35 ids") && words.contains("another family"), "{words}");
}

#[test]
fn a_boom_is_chosen_over_a_tripod_whose_flat_tags_figures_hide() {
    let request = PlanRequest {
        places: Place::ALL.to_vec(),
        elements: 24,
        ..request(board(600.0, 600.0, Scale::SMALL), (1920, 1080), Place::Boom)
    };
    let made = plan(request);
    assert_eq!(made.outlook(), Outlook::Well);
    assert!(made.best().expect("a place").set_up.place.is_boom());
    let worst = |p: &PlacePlan| p.flat_hidden.iter().copied().fold(0.0, f64::max);
    let tripod = made.places.iter().find(|p| !p.set_up.place.is_boom()).expect("a tripod was tried");
    assert!(worst(tripod) > 0.9, "{}", worst(tripod));
    // Nothing sticks out of any base, at any place.
    for kind in made.places.iter().flat_map(|p| &p.kinds) {
        let end = kind.face_mm / 2.0 + kind.mounted.forward_mm.abs();
        assert!(end <= kind.kind.base_mm.1 / 2.0 + 1e-9, "{kind:?}");
    }
    let svg = plan_svg(&made).expect("a map");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    // A figure for each spot on both boards.
    assert!(svg.matches("text-anchor=\"middle\"").count() == 2 * made.spots.len());
}

#[test]
fn the_command_plans_and_its_exit_code_tells() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let groma = |args: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_groma")).current_dir(dir.path()).args(args).output();
        let run = run.expect("groma starts");
        (
            run.status.code(),
            String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr),
        )
    };
    let (code, told) = groma(&["markers", "plan", "--map", "map.svg"]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("40 x 15") && told.contains("Camera: boom"), "{told}");
    assert!(dir.path().join("map.svg").is_file());
    let (code, told) = groma(&["markers", "plan", "--camera", "640x480", "--height", "2500"]);
    assert!(code == Some(1) && told.contains("IT WILL NOT WORK"), "{told}");
    let (code, told) = groma(&["markers", "plan", "--board", "wide"]);
    assert!(code == Some(2) && told.contains("600x600"), "{told}");
    let (code, told) = groma(&["markers", "plan", "--json", "--base-width", "60", "--board", "900x900"]);
    let json: serde_json::Value =
        serde_json::from_str(told.lines().next().unwrap_or_default()).expect("JSON");
    assert!(code.is_some() && json["base_width_mm"] == 60.0, "{told}");
}
