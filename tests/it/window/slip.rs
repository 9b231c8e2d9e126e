//! The result slip from the window, by label.

use super::{click, has, on_the_table, pick};
use egui_kittest::kittest::Queryable;
use groma::app::command::{ClockCommand, Command, SlipCommand, SlipField};
use sha2::Digest;

#[test]
fn the_slip_is_written_from_the_battle_as_it_stands_and_holds_the_journal_s_hash() {
    let folder = tempfile::tempdir().expect("a folder");
    let (journal, file) = (folder.path().join("a.journal"), folder.path().join("result.html"));
    let mut harness = on_the_table();
    harness.state_mut().logic_mut().keep_in(&journal).expect("a journal");
    click(&mut harness, "Battle");
    pick(&mut harness, "Strategos", "Elephants");
    click(&mut harness, "Strategos is lost");
    let ask = |what, text: &str| Command::Slip(SlipCommand::Type(what, text.to_owned()));
    let path = file.display().to_string();
    let commands = [
        ask(SlipField::Red, "Ann <A>"),
        ask(SlipField::File, "result.txt"),
        Command::Clock(ClockCommand::StartStop),
    ];
    for command in commands {
        harness.state_mut().logic_mut().carry_out(command);
    }
    harness.run_ok();
    let write = |harness: &mut egui_kittest::Harness<'_, _>| {
        harness.get_by_label("Write slip").scroll_to_me();
        harness.run_ok();
        harness.get_by_label("Write slip").click_accesskit();
        harness.run_ok();
    };
    write(&mut harness);
    assert!(has(&harness, "name a file that ends in .html"));
    harness.state_mut().logic_mut().carry_out(ask(SlipField::File, &path));
    write(&mut harness);
    assert!(has(&harness, "Open it in a browser and print it."));
    let page = std::fs::read_to_string(&file).expect("the slip");
    assert!(page.contains("Ann &lt;A&gt;") && !page.contains("<A>"));
    // A general counts two (dba3.vic.4).
    assert!(page.contains("Nobody has won: red has lost 0, blue 2, of 4."), "{page}");
    assert!(page.contains("<td><strong>0</strong></td><td><strong>2</strong></td>"), "{page}");
    assert!(page.contains("<td>not lost</td><td>lost</td>") && page.contains(" of 1:00:00"));
    // The SHA-256 of the text "7", by another program.
    assert!(page.contains("7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451"));
    let told = page.split("SHA-256 of the journal</th><td><code>").nth(1).and_then(|rest| rest.get(..64));
    let bytes = std::fs::read(&journal).expect("the journal");
    let found = groma::text::html::hex(&sha2::Sha256::digest(bytes));
    assert_eq!(told, Some(found.as_str()));
    for fetched in ["http", "src=", "url(", "@import", "<script", "<link"] {
        assert!(!page.contains(fetched), "{fetched} on the slip");
    }
}
