//! `groma calibrate table` through the program: pictures of a table whose tags lie elsewhere than its file
//! says, and what is refused.

use super::files::with_eyes::untold;
use super::table_pictures::{groma, laid, lens, photograph_table, pose_of, write_profile};
use groma::geometry::Heading;
use groma::judge::{parse_table, samples, table_text};

#[test]
fn a_table_laid_by_eye_is_measured_and_its_file_read_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    let truth = laid(5.0);
    photograph_table(&dir.join("views"), &truth);
    std::fs::write(dir.join("table.ron"), samples::TABLE_RON).expect("a written file");
    write_profile(&dir.join("lens.ron"), lens());
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
    assert_eq!(untold(&lines), Vec::<String>::new(), "docs/json.md");
    assert!(lines[8]["summary"] == true && lines[8]["lens_doubted"] == false, "{}", lines[8]);
    let mut other = lens();
    (other.fx, other.fy) = (other.fx * 1.03, other.fy * 1.03);
    write_profile(&dir.join("other.ron"), other);
    let doubted = groma(
        dir,
        &["calibrate", "table", "views", "--table", "table.ron", "--length", &length, "--lens", "other.ron"],
    );
    let erred = String::from_utf8_lossy(&doubted.stderr);
    assert!(
        erred.contains("does not fit these pictures") && erred.contains("groma calibrate lens"),
        "{erred}"
    );
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
