//! `groma check` through the program: a simulated check sheet laid on the board, and its certificate.

use groma::geometry::Pose;
use groma::judge::samples;
use groma::markers::{CHECK_SIZE_MM, check_tags};
use groma::vision::sim::{
    Figures, Ink, Motion, Placement, Scene, SimBase, SimSettings, SimTag, SimulatedCamera,
};
use groma::vision::{CameraModel, CameraPose, FrameSource, Lens, LensProfile};
use nalgebra::Point3;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn groma(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_groma")).args(arguments).current_dir(dir).output().expect("groma starts")
}

fn camera() -> CameraModel {
    let mut lens = Lens::from_field_of_view(1920, 1080, 70.0);
    lens.distortion = SimSettings::default().distortion;
    let pose = CameraPose::looking_at(Point3::new(310.0, 60.0, 1150.0), Point3::new(300.0, 290.0, 0.0), 1.0);
    CameraModel { lens, pose: pose.expect("apart") }
}

/// The sheet printed at `scale` of its size, a tenth of a millimetre thick.
fn sheet(scale: f64) -> SimBase {
    let tag = |(tag, at): (_, groma::geometry::Point)| SimTag {
        tag,
        size_mm: CHECK_SIZE_MM * scale,
        right_mm: at.x * scale,
        forward_mm: at.y * scale,
        rotation_deg: 0.0,
        height_mm: 0.0,
        ink: Ink::Black,
    };
    SimBase {
        name: "sheet".to_owned(),
        side: 0,
        width_mm: 190.0,
        depth_mm: 240.0,
        thickness_mm: 0.1,
        tags: check_tags().into_iter().map(tag).collect(),
        colour: [230, 228, 222],
        figures: Figures::Empty,
    }
}

/// Photographs of the sheet at four places, and the table and lens that they are read with.
fn photograph(dir: &Path, scale: f64) {
    let settings = SimSettings { motion: Motion::Still, ..SimSettings::default() };
    let places = [(150.0, 160.0, 92.0), (440.0, 170.0, 40.0), (430.0, 440.0, 181.0), (170.0, 430.0, 270.0)];
    std::fs::create_dir(dir.join("pictures")).expect("a folder");
    for (n, (x, y, heading)) in places.into_iter().enumerate() {
        let at = Placement { name: "sheet".to_owned(), pose: Pose::new(x, y, heading), ground_mm: 0.0 };
        let reference = samples::table().reference;
        let scene = Scene::placed(600.0, 600.0, reference, vec![sheet(scale)], vec![at]).expect("a scene");
        let mut source =
            SimulatedCamera::with_camera(scene, settings.clone(), camera(), 70 + n as u64).expect("a camera");
        let frame = source.next_frame().expect("a picture").expect("a live source");
        let picture = frame.colour.expect("colour");
        let (width, height) = (picture.width() as u32, picture.height() as u32);
        let buffer = image::RgbImage::from_raw(width, height, picture.data().to_vec()).expect("sizes agree");
        buffer.save(dir.join(format!("pictures/place{n}.png"))).expect("a written picture");
    }
    std::fs::write(dir.join("table.ron"), samples::TABLE_RON).expect("a written file");
    let profile = LensProfile {
        camera: "A webcam".to_owned(),
        date: "2026-11-30".to_owned(),
        lens: camera().lens,
        residuals_px: Vec::new(),
    };
    std::fs::write(dir.join("lens.ron"), profile.to_ron(&[])).expect("a written file");
}

#[test]
fn a_sheet_at_four_places_gives_a_certificate_and_a_wrong_ruler_is_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    photograph(dir, 0.97);
    let basic = ["check", "pictures", "--table", "table.ron", "--lens", "lens.ron", "--json"];
    let certificate = |more: &[&str]| -> Vec<Value> {
        let done = groma(dir, &[&basic[..], more].concat());
        let (said, erred) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert!(done.status.success(), "{said}\n{erred}");
        said.lines().map(|l| serde_json::from_str(l).expect("one object a line")).collect()
    };
    let lines = certificate(&["--sheet-scale", "97", "--out", "certificate"]);
    assert_eq!(lines.len(), 5);
    let all = &lines[4];
    println!("{all}");
    let number = |line: &Value, key: &str| line[key].as_f64().unwrap_or(f64::NAN);
    assert_eq!((all["certificate"].as_bool(), all["places"].as_u64()), (Some(true), Some(4)));
    assert_eq!(all["camera"], "A webcam");
    for place in &lines[..4] {
        assert!(number(place, "tags") >= 11.0 && number(place, "rms_mm") < 0.1, "{place}");
    }
    assert!(number(all, "rms_mm") < 0.06 && number(all, "worst_mm") < 0.25, "{all}");
    assert!(number(all, "stretch").abs() < 3e-4, "{all}");
    assert!(matches!(all["agreement"].as_str(), Some("agrees" | "careful")), "{all}");

    let text = std::fs::read_to_string(dir.join("certificate/certificate.json")).expect("a certificate");
    let kept: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(kept["rms_mm"], all["rms_mm"]);
    let each: usize = kept["by_place"]
        .as_array()
        .map(|places| places.iter().filter_map(|p| p["each"].as_array()).map(Vec::len).sum())
        .unwrap_or(0);
    assert_eq!(Some(each as u64), all["distances"].as_u64());
    let page = std::fs::read(dir.join("certificate/certificate.pdf")).expect("a page");
    assert!(page.starts_with(b"%PDF"));
    if let Ok(done) = Command::new("pdftotext").arg(dir.join("certificate/certificate.pdf")).arg("-").output()
    {
        let words = String::from_utf8_lossy(&done.stdout);
        for word in ["certificate of measurement", "A webcam", "mm RMS", "Verdict", "place0"] {
            assert!(words.contains(word), "no {word:?} on the page:\n{words}");
        }
    } else {
        println!("skipped the page's words: no pdftotext (package poppler-utils)");
    }

    // The same pictures with the ruler taken for 100 mm: 3 % too short, and told.
    let wrong = certificate(&[]);
    assert_eq!(wrong[4]["agreement"], "too small");
    assert!((number(&wrong[4], "stretch") + 0.03).abs() < 2e-3, "{}", wrong[4]);
}

#[test]
fn what_gives_no_certificate_is_refused_with_what_to_do() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    std::fs::write(dir.join("table.ron"), samples::TABLE_RON).expect("a written file");
    let blank = image::GrayImage::from_pixel(320, 240, image::Luma([200]));
    blank.save(dir.join("blank.png")).expect("a written picture");
    let refused = |arguments: &[&str], code: i32, words: &[&str]| {
        let done = groma(dir, &[&["check"], arguments].concat());
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(code), "{arguments:?}: {said}");
        for word in words {
            assert!(said.contains(word), "{arguments:?}: no {word:?} in {said}");
        }
    };
    refused(&["blank.png"], 2, &["--table"]);
    refused(&["blank.png", "--table", "table.ron", "--sheet-scale", "50"], 2, &["100 mm ruler", "90 to 110"]);
    refused(
        &["blank.png", "--table", "table.ron"],
        1,
        &["reference tags seen", "lies nowhere", "groma markers check"],
    );
    let table = samples::TABLE_RON.replace("id: 7,", "id: 580,");
    std::fs::write(dir.join("clash.ron"), table).expect("a written file");
    refused(&["blank.png", "--table", "clash.ron"], 1, &["tag36h11 580", "check sheet too"]);
}
