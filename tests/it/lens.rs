//! A lens from photographs that others took, against their owner's own fit.

use groma::vision::calibration::{Board, BoardFinder, ViewUse, calibrate};
use groma::vision::{FrameSource, open_source};
use std::path::{Path, PathBuf};

fn chessboards() -> Option<PathBuf> {
    let named = std::env::var_os("GROMA_SHARED").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).map(|dir| dir.join("shared"));
    named.into_iter().chain(above).map(|shared| shared.join("real/chessboard")).find(|dir| dir.is_dir())
}

#[test]
fn seventeen_chessboards_of_a_phone_give_their_owners_lens() {
    let Some(dir) = chessboards() else {
        println!("skipped: no ../shared/real/chessboard");
        return;
    };
    let board: Board = "chessboard:7x5:30".parse().expect("a good board");
    let mut finder = BoardFinder::new(board).expect("a finder");
    let mut source = open_source(&dir.display().to_string()).expect("a folder of photographs");
    let mut views = Vec::new();
    while let Some(frame) = source.next_frame().expect("photographs that can be read") {
        views.push(finder.find(&frame.label, &frame.grey).expect("the board shows in every one"));
    }
    assert_eq!(views.len(), 17);
    let found = calibrate(&views, (816, 612)).expect("a lens");
    println!("{:?} rms {:.4} px, {:?}", found.lens, found.rms_px, found.grade);
    let within_one_in_a_hundred = |a: f64, b: f64| (a / b - 1.0).abs() < 0.01;
    assert!(within_one_in_a_hundred(found.lens.fx, 765.00), "{}", found.lens.fx);
    assert!(within_one_in_a_hundred(found.lens.fy, 764.18), "{}", found.lens.fy);
    assert!(found.rms_px <= 0.25, "{}", found.rms_px);
    let used = found.views.iter().filter(|v| v.used == ViewUse::Used).count();
    assert!(used >= 15, "{used} of 17 used");
}

#[test]
fn a_picture_of_a_bent_board_is_left_out() {
    use groma::vision::{Lens, PixelPoint, calibration::View};
    use nalgebra::{Point2, Rotation3, Vector3};
    let lens = Lens::from_field_of_view(1280, 720, 70.0);
    let view = |i: usize, bend_mm: f64| {
        let lean = Rotation3::from_euler_angles(0.1 * i as f64 - 0.4, 0.35 - 0.08 * i as f64, 0.2);
        let shift = Vector3::new(-120.0 + 20.0 * i as f64, -80.0 + 8.0 * i as f64, 700.0);
        let pairs = (0..35)
            .map(|k| {
                let place = Point2::new((k % 7) as f64 * 30.0, (k / 7) as f64 * 30.0);
                let height = bend_mm * (place.x / 90.0 - 1.0).powi(2);
                let seen = lean * Vector3::new(place.x, place.y, height) + shift;
                let p = lens.to_pixel(seen.x / seen.z, seen.y / seen.z);
                let grain = |s: usize| ((k * 7 + s * 13 + i * 5) % 11) as f64 / 50.0 - 0.1;
                (place, PixelPoint::new(p.x + grain(0), p.y + grain(3)))
            })
            .collect();
        View { label: format!("view {i}"), pairs }
    };
    let mut views: Vec<View> = (0..9).map(|i| view(i, 0.0)).collect();
    views[4] = view(4, 12.0);
    let found = calibrate(&views, (1280, 720)).expect("a lens");
    assert_eq!(found.views[4].used, ViewUse::Outlier);
    assert!((found.lens.fx / lens.fx - 1.0).abs() < 0.01, "{} {}", found.lens.fx, lens.fx);
    let few = calibrate(&views[..4], (1280, 720)).expect_err("four views are too few");
    assert!(few.to_string().contains("5 are needed"), "{few}");
}

/// A board held before the simulated camera until the lens is as good as it gets, or for one round.
fn gathered(board: &str) -> (groma::vision::calibration::Calibration, groma::vision::Lens, u64) {
    use groma::vision::calibration::{Gathering, Grade, Look};
    use groma::vision::sim::{SimSettings, SimulatedBoard};
    let board: Board = board.parse().expect("a good board");
    let mut camera =
        SimulatedBoard::new(board, SimSettings::default().with_size(960, 540), 4).expect("a camera");
    let mut finder = BoardFinder::new(board).expect("a finder");
    let mut views = Gathering::new((960, 540));
    for frame in 0..camera.round() {
        let picture = camera.next_frame().expect("a picture").expect("a live source");
        let look = views.look(finder.glance(&picture.label, &picture.grey));
        if look == Look::New {
            views.keep(finder.find(&picture.label, &picture.grey).expect("it was seen at a glance"));
            if views.solve().is_ok() && views.grade() == Grade::Great {
                let lens = camera.lens().expect("it knows its lens");
                return (views.calibration().expect("a lens").clone(), lens, frame);
            }
        }
    }
    panic!("not great after a round: {:?}", views.grade());
}

#[test]
fn a_board_held_before_a_live_camera_gives_its_lens() {
    for board in ["chessboard:9x6:20", "tags:tag36h11:100:6x4:24:32"] {
        let (found, truth, frame) = gathered(board);
        println!("{board}: {} views, frame {frame}, {:.3} px", found.views.len(), found.rms_px);
        println!("found {:?}\ntruth {truth:?}", found.lens);
        assert!(found.views.len() >= 15 && found.rms_px < 0.2, "{board}: {}", found.rms_px);
        for (a, b) in [(found.lens.fx, truth.fx), (found.lens.fy, truth.fy)] {
            assert!((a / b - 1.0).abs() < 0.002, "{board}: {a} for {b}");
        }
        for (a, b) in [(found.lens.cx, truth.cx), (found.lens.cy, truth.cy)] {
            assert!((a - b).abs() < 1.5, "{board}: {a} for {b}");
        }
        assert!(found.coverage.sides_missing().len() <= 1);
    }
}

#[test]
fn a_board_that_is_not_what_was_printed_gives_no_profile() {
    use groma::vision::sim::{SimSettings, SimulatedBoard};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let printed: Board = "tags:tag36h11:100:6x4:24:32".parse().expect("a good board");
    let settings = SimSettings::default().with_size(640, 360);
    let mut camera = SimulatedBoard::new(printed, settings, 4).expect("a camera");
    std::fs::create_dir(folder.path().join("views")).expect("a folder");
    for seq in 0..camera.round().min(40) {
        let frame = camera.next_frame().expect("a picture").expect("a live source");
        if seq % 5 == 0 {
            let colour = frame.colour.expect("colour");
            let (width, height) = (colour.width() as u32, colour.height() as u32);
            let path = folder.path().join(format!("views/{seq:02}.png"));
            image::save_buffer(path, colour.data(), width, height, image::ExtendedColorType::Rgb8)
                .expect("written");
        }
    }
    let calibrate = |board: &str| {
        let arguments = ["calibrate", "lens", "views", "--board", board, "--out", "lens.ron"];
        super::table_pictures::groma(folder.path(), &arguments)
    };
    // The pitch is named two millimetres short.
    let done = calibrate("tags:tag36h11:100:6x4:24:30");
    let (said, erred) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert_eq!(done.status.code(), Some(1), "{said}\n{erred}");
    assert!(erred.contains("above 1 px") && erred.contains("--board says what was printed"), "{erred}");
    assert!(said.contains("not yet") && !folder.path().join("lens.ron").exists(), "{said}");
    let done = calibrate("tags:tag36h11:100:6x4:24:32");
    assert!(done.status.success() && folder.path().join("lens.ron").exists());
}
