//! `groma check` through the program: a simulated check sheet laid on the board, and its certificate.

use super::files::with_eyes::untold;
use super::table_pictures::{groma, laid, lens, photograph_sheet, photograph_table, pose_of, write_profile};
use groma::judge::samples;
use groma::markers::HeldTo;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// The certificate's lines as JSON.
fn certificate(dir: &Path, table: &str, more: &[&str]) -> Vec<Value> {
    let basic = ["check", "pictures", "--table", table, "--lens", "lens.ron", "--json"];
    let done = groma(dir, &[&basic[..], more].concat());
    let (said, erred) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert!(done.status.success(), "{said}\n{erred}");
    said.lines().map(|l| serde_json::from_str(l).expect("one object a line")).collect()
}

fn number(line: &Value, key: &str) -> f64 {
    line[key].as_f64().unwrap_or(f64::NAN)
}

#[test]
fn a_sheet_at_four_places_gives_a_certificate_and_a_wrong_ruler_is_noticed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    photograph_sheet(&dir.join("pictures"), &samples::table().reference, 0.97);
    std::fs::write(dir.join("table.ron"), samples::TABLE_RON).expect("a written file");
    write_profile(&dir.join("lens.ron"), lens());
    let lines = certificate(dir, "table.ron", &["--sheet-scale", "97"]);
    assert_eq!(lines.len(), 5);
    let all = &lines[4];
    println!("{all}");
    assert_eq!((all["certificate"].as_bool(), all["places"].as_u64()), (Some(true), Some(4)));
    assert_eq!(all["camera"], "A webcam");
    for place in &lines[..4] {
        assert!(number(place, "tags") >= 11.0 && number(place, "rms_mm") < 0.1, "{place}");
    }
    assert!(number(all, "rms_mm") < 0.06 && number(all, "worst_mm") < 0.25, "{all}");
    assert!(number(all, "stretch").abs() < 3e-4, "{all}");
    assert!(matches!(all["agreement"].as_str(), Some("agrees" | "careful")), "{all}");

    let text = std::fs::read_to_string(dir.join("table.certificate.json")).expect("a certificate");
    let kept: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(kept["rms_mm"], all["rms_mm"]);
    let each: usize = kept["by_place"]
        .as_array()
        .map(|places| places.iter().filter_map(|p| p["each"].as_array()).map(Vec::len).sum())
        .unwrap_or(0);
    assert_eq!(Some(each as u64), all["distances"].as_u64());
    let page = std::fs::read(dir.join("table.certificate.pdf")).expect("a page");
    assert!(page.starts_with(b"%PDF"));
    if let Ok(done) = Command::new("pdftotext").arg(dir.join("table.certificate.pdf")).arg("-").output() {
        let words = String::from_utf8_lossy(&done.stdout);
        for word in ["certificate of measurement", "A webcam", "mm RMS", "Verdict", "place0"] {
            assert!(words.contains(word), "no {word:?} on the page:\n{words}");
        }
    } else {
        println!("skipped the page's words: no pdftotext (package poppler-utils)");
    }

    // The same pictures with the ruler taken for 100 mm: 3 % too short, and told.
    assert_eq!(untold(lines.iter().chain([&kept])), Vec::<String>::new(), "docs/json.md");
    // The window reads it, for this table and lens and for no other.
    let read = groma::markers::read_certificate(&text).expect("a certificate");
    let now = HeldTo { table: samples::table().mark(), lens: read.held_to.lens.clone(), device: None };
    assert!(read.held_to.lens.is_some() && read.held_to.differs(&now).is_none(), "{read:?}");
    let moved = HeldTo { table: "another".to_owned(), ..now };
    assert_eq!(read.held_to.differs(&moved), Some("table file"));

    std::fs::create_dir(dir.join("elsewhere")).expect("a folder");
    let wrong = certificate(dir, "table.ron", &["--out", "elsewhere"]);
    assert!(dir.join("elsewhere/table.certificate.json").is_file());
    let kept = std::fs::read_to_string(dir.join("table.certificate.json")).expect("a certificate");
    assert_eq!(kept, text, "the one beside the table stays");
    assert_eq!(wrong[4]["agreement"], "too small");
    assert!((number(&wrong[4], "stretch") + 0.03).abs() < 2e-3, "{}", wrong[4]);
}

#[test]
fn a_table_measured_from_itself_gives_distances_several_times_as_right_as_the_one_laid_by_tape() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    // Laid with a tape measure; further off the written table would not be taken at all.
    let truth = laid(1.5);
    photograph_table(&dir.join("views"), &truth);
    photograph_sheet(&dir.join("pictures"), &truth, 1.0);
    std::fs::write(dir.join("written.ron"), samples::TABLE_RON).expect("a written file");
    write_profile(&dir.join("lens.ron"), lens());
    let length = (pose_of(&truth[2]).centre - pose_of(&truth[0]).centre).norm();
    let length = format!("0-2={length:.2}+-0.1");
    let arguments = ["calibrate", "table", "views", "--table", "written.ron", "--lens", "lens.ron"];
    let done = groma(dir, &[&arguments[..], &["--length", &length, "--out", "measured.ron"]].concat());
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));

    let last = |table: &str| certificate(dir, table, &[]).pop().expect("a certificate");
    let (before, after) = (last("written.ron"), last("measured.ron"));
    println!("before {before}\nafter {after}");
    assert!(number(&before, "rms_mm") > 3.0 * number(&after, "rms_mm"), "{before}\n{after}");
    assert!(number(&after, "rms_mm") < 0.05 && number(&after, "worst_mm") < 0.2, "{after}");
    for either in [&before, &after] {
        // With the worse table the claim is larger, and true all the same.
        assert!(matches!(either["agreement"].as_str(), Some("agrees" | "careful")), "{either}");
    }
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
    refused(&["blank.png", "--table", "table.ron", "--out", "nowhere"], 1, &["nowhere", "make it first"]);
    // Nothing of another kind is replaced.
    std::fs::write(dir.join("table.certificate.json"), "{}").expect("a written file");
    refused(&["blank.png", "--table", "table.ron"], 2, &["table.certificate.json", "not a certificate"]);
    std::fs::remove_file(dir.join("table.certificate.json")).expect("it is there");
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
