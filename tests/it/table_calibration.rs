//! `groma calibrate table` through the program: pictures of a table whose tags lie elsewhere than its file
//! says, and what is refused.

use groma::geometry::{Heading, Pose};
use groma::judge::{parse_table, samples, table_text};
use groma::tracking::ReferenceTag;
use groma::vision::sim::{Motion, Scene, SimSettings, SimulatedCamera};
use groma::vision::{CameraModel, CameraPose, FrameSource, Lens, LensProfile};
use nalgebra::Point3;
use std::path::Path;
use std::process::{Command, Output};

fn groma(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_groma")).args(arguments).current_dir(dir).output().expect("groma starts")
}

fn pose_of(t: &ReferenceTag) -> Pose {
    Pose::new(t.x_mm, t.y_mm, 90.0 + t.rotation_deg)
}

/// The sample table's tags, up to 5 mm and 2 degrees from where its file has them.
fn laid() -> Vec<ReferenceTag> {
    let mut tags = samples::table().reference;
    let off = |n: usize| ((n * 7919 + 3) % 101) as f64 / 50.0 - 1.0;
    for (n, t) in tags.iter_mut().enumerate() {
        t.x_mm += 5.0 * off(3 * n);
        t.y_mm += 5.0 * off(3 * n + 1);
        t.rotation_deg += 2.0 * off(3 * n + 2);
    }
    tags
}

fn lens() -> Lens {
    let mut lens = Lens::from_field_of_view(1920, 1080, 70.0);
    lens.distortion = SimSettings::default().distortion;
    lens
}

/// Pictures of the table from different sides into `dir`.
fn photograph(dir: &Path, tags: &[ReferenceTag]) {
    let settings = SimSettings { motion: Motion::Still, ..SimSettings::default() };
    for (n, side) in [-0.5, -0.2, 0.2, 0.5].into_iter().enumerate() {
        let eye = Point3::new(300.0 + 900.0 * side, -300.0 + 300.0 * side * side, 1180.0);
        let pose = CameraPose::looking_at(eye, Point3::new(300.0, 290.0, 0.0), 5.0 * side).expect("apart");
        let camera = CameraModel { lens: lens(), pose };
        let scene = Scene::placed(600.0, 600.0, tags.to_vec(), Vec::new(), Vec::new()).expect("a scene");
        let mut source =
            SimulatedCamera::with_camera(scene, settings.clone(), camera, 40 + n as u64).expect("a camera");
        let frame = source.next_frame().expect("a picture").expect("a live source");
        let picture = frame.colour.expect("colour");
        let (width, height) = (picture.width() as u32, picture.height() as u32);
        let buffer = image::RgbImage::from_raw(width, height, picture.data().to_vec()).expect("sizes agree");
        buffer.save(dir.join(format!("view{n}.png"))).expect("a written picture");
    }
}

#[test]
fn a_table_laid_by_eye_is_measured_and_its_file_read_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    let truth = laid();
    std::fs::create_dir(dir.join("views")).expect("a folder");
    photograph(&dir.join("views"), &truth);
    std::fs::write(dir.join("table.ron"), samples::TABLE_RON).expect("a written file");
    let profile = LensProfile {
        camera: "A webcam".to_owned(),
        date: "2026-11-30".to_owned(),
        lens: lens(),
        residuals_px: Vec::new(),
    };
    std::fs::write(dir.join("lens.ron"), profile.to_ron(&[])).expect("a written file");
    let length = (pose_of(&truth[2]).centre - pose_of(&truth[0]).centre).norm();
    let length = format!("0-2={length:.3}+-0.02");

    // From its file, and from nothing but its tags and where the first one lies.
    let along = Heading::along(pose_of(&truth[1]).centre - pose_of(&truth[0]).centre).expect("apart");
    let origin = format!("0@{},{}", truth[0].x_mm, truth[0].y_mm);
    let along = format!("1@{}", along.degrees());
    let with: [&[&str]; 2] =
        [&["--table", "table.ron"], &["--board", "600x600", "--tags", "tag36h11:40:0-7"]];
    for (n, table) in with.into_iter().enumerate() {
        let out = format!("measured{n}.ron");
        let mut arguments = vec!["calibrate", "table", "views", "--lens", "lens.ron", "--out", &out];
        arguments.extend(["--length", &length, "--origin", &origin, "--along", &along]);
        arguments.extend(table);
        let done = groma(dir, &arguments);
        let (said, erred) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success(), "{said}\n{erred}");
        assert!(said.contains("the lens profile fits"), "{said}\n{erred}");
        let text = std::fs::read_to_string(dir.join(&out)).expect("a written table");
        let measured = parse_table(&out, &text).expect("a table file");
        assert_eq!(measured.board_mm, (600.0, 600.0));
        assert_eq!(measured.reference.len(), 8);
        let mut worst = 0.0f64;
        for (m, t) in measured.reference.iter().zip(&truth) {
            assert_eq!(m.tag, t.tag);
            worst = worst.max((pose_of(m).centre - pose_of(t).centre).norm());
            assert!((m.rotation_deg - t.rotation_deg).abs() < 0.1, "{m:?} {t:?}");
        }
        println!("{}: worst {worst:.3} mm", table[0]);
        assert!(worst < 0.1, "{worst} mm\n{text}");
        assert!(
            text.contains("// Scale: tag36h11 0 and tag36h11 2 are") && text.contains(" pictures"),
            "{text}"
        );
    }

    let json = groma(
        dir,
        &[
            "calibrate",
            "table",
            "views",
            "--table",
            "table.ron",
            "--known",
            "0,2",
            "--lens",
            "lens.ron",
            "--json",
        ],
    );
    let lines: Vec<serde_json::Value> = String::from_utf8_lossy(&json.stdout)
        .lines()
        .map(|l| serde_json::from_str(l).expect("one object a line"))
        .collect();
    assert_eq!(lines.len(), 9, "{}", String::from_utf8_lossy(&json.stderr));
    assert!(lines[8]["summary"] == true && lines[8]["lens_doubted"] == false, "{}", lines[8]);
    // Two places of the file taken as right to 0.3 mm, and wrong by millimetres: nothing is surer than they.
    assert!(lines[4]["sigma_mm"].as_f64().is_some_and(|s| s > 0.1), "{}", lines[4]);
}

#[test]
fn what_cannot_be_measured_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    std::fs::write(dir.join("table.ron"), table_text(&samples::table(), &[], |_| String::new()))
        .expect("a written file");
    let refused = |arguments: &[&str], code: i32, words: &[&str]| {
        let mut all = vec!["calibrate", "table", "none.png"];
        all.extend(arguments);
        let done = groma(dir, &all);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(code), "{arguments:?}: {said}");
        for word in words {
            assert!(said.contains(word), "{arguments:?}: no {word:?} in {said}");
        }
    };
    refused(&[], 2, &["--table FILE", "--board 600x600"]);
    refused(&["--table", "table.ron"], 2, &["scale", "--length 0-2=", "--known"]);
    refused(&["--table", "table.ron", "--length", "0-2"], 2, &["TAG-TAG=MM"]);
    refused(&["--table", "table.ron", "--length", "0-99=300"], 2, &["\"99\" is no reference tag"]);
    refused(&["--table", "table.ron", "--known", "3"], 2, &["two tags at least"]);
    refused(&["--board", "600by600", "--tags", "tag36h11:40:0-7"], 2, &["WIDTHxDEPTH"]);
    let board = ["--board", "600x600", "--tags", "tag36h11:40:0-7", "--length", "0-2=900"];
    refused(&board, 2, &["where the board is", "--origin 0@-30,-30"]);
    refused(&[&board[..], &["--origin", "0@-30,-30"]].concat(), 2, &["how the board is turned", "--along"]);
    refused(&["--table", "table.ron", "--length", "0-2=900"], 1, &["no such file or folder"]);
}
