//! Photographs of the board beside the journal, and in the report.

use super::staged::{scene, until, window};
use super::{click, has, press, table};
use egui::Key;
use groma::app::command::{Command, MovesCommand};
use groma::app::look::LookCommand;
use groma::session::journal::{Event, Found, Photograph};
use nalgebra::Isometry3;
use std::process;

#[test]
fn photographs_show_the_board_alone_and_stand_in_the_report_unless_they_were_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let (journal, page) = (folder.path().join("a.journal"), folder.path().join("a.html"));
    let (mut harness, _) = window(vec![(scene(&table::placements()), Isometry3::identity())]);
    until(&mut harness, 40, |h| h.state().state().moves().marked());
    click(&mut harness, "Battle");
    press(&mut harness, Key::P);
    assert!(has(&harness, "Photographs lie beside the journal: keep the battle first."));
    harness.state_mut().logic_mut().keep_in(&journal).expect("a journal");
    press(&mut harness, Key::P);
    assert!(has(&harness, "Photograph kept: a-pictures/"));
    let ask = |harness: &mut egui_kittest::Harness<'_, groma::app::window::Window>, command| {
        harness.state_mut().logic_mut().carry_out(command);
        harness.run_steps(3);
    };
    let kept = || -> Vec<Photograph> {
        let records = Found::read(&journal).expect("the journal").records;
        records
            .into_iter()
            .filter_map(|r| match r.event {
                Event::Photograph(photograph) => Some(photograph),
                _ => None,
            })
            .collect()
    };
    assert_eq!(kept().len(), 1);
    ask(&mut harness, Command::Moves(MovesCommand::NextBound));
    assert_eq!(kept().len(), 1, "nobody asked for more");
    ask(&mut harness, Command::Look(LookCommand::Photographs));
    ask(&mut harness, Command::Moves(MovesCommand::NextBound));
    let all = kept();
    assert_eq!(all.len(), 2, "one as the bound began");
    let file = folder.path().join(&all[0].file);
    let picture = image::open(&file).expect("a picture").to_rgb8();
    let (columns, rows) = harness.state().state().picture_size().expect("a frame");
    assert!(picture.width() < columns as u32 && picture.height() <= rows as u32);
    // The camera looks aslant: the corners of what is kept lie outside the board, and are black but for JPEG's own noise.
    let dark = [(0, 0), (picture.width() - 1, 0)]
        .iter()
        .all(|(x, y)| picture.get_pixel(*x, *y).0.iter().all(|v| *v < 24));
    assert!(dark, "the far corners of {}", file.display());

    let report = || {
        let run = process::Command::new(env!("CARGO_BIN_EXE_groma"))
            .arg("report")
            .arg(&journal)
            .arg("--out")
            .arg(&page)
            .output()
            .expect("it runs");
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        let text = std::fs::read_to_string(&page).expect("the page");
        (
            text.matches("src=\"data:image/jpeg;base64,").count(),
            String::from_utf8_lossy(&run.stderr).into_owned(),
            text,
        )
    };
    let (shown, told, _) = report();
    assert_eq!((shown, told.as_str()), (2, ""));
    // Changed by one byte, then gone.
    let mut bytes = std::fs::read(&file).expect("the picture");
    bytes[200] ^= 1;
    std::fs::write(&file, &bytes).expect("written");
    let (shown, told, text) = report();
    assert!(
        shown == 1 && told.contains("changed since") && text.contains("A photograph is left out"),
        "{told}"
    );
    std::fs::remove_file(&file).expect("removed");
    let (shown, told, _) = report();
    assert!(shown == 1 && told.contains("there is no such file"), "{told}");
    let outside = Photograph { file: "../secret.jpg".to_owned(), sha256: String::new() };
    assert!(outside.read(folder.path()).is_err_and(|why| why.contains("does not lie beside the journal")));
}
