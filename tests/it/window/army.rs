//! The page on which armies are chosen, by its labels: options, faults, tags, the roster's file and its kit.

use super::{click, has, keep_sizes, on_the_table};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use groma::app::command::{ArmyCommand, Command};
use groma::app::window::Window;
use groma::judge::{BLOCK, TABLE_IDS, parse_roster};

fn say(harness: &mut Harness<'_, Window>, command: ArmyCommand) {
    harness.state_mut().logic_mut().carry_out(Command::Army(command));
    harness.step();
}

fn opened() -> Harness<'static, Window> {
    let mut harness = on_the_table();
    click(&mut harness, "Open source");
    click(&mut harness, "Armies");
    harness
}

fn faults(harness: &Harness<'_, Window>) -> Vec<String> {
    let page = harness.state().state().army_page().expect("the page is open");
    page.draft().ruling.faults().map(|fault| fault.clause.to_owned()).collect()
}

#[test]
fn an_army_is_chosen_step_by_step_and_every_fault_is_shown_at_once() {
    let mut harness = opened();
    assert!(has(&harness, "List sample/12: Free bows of the Weald"));
    click(&mut harness, "General Cv");
    for (code, times) in [("3Kn", 3), ("LH", 1), ("4Sp", 4), ("4Cb", 2), ("Ps", 2)] {
        for _ in 0..times {
            click(&mut harness, &format!("More {code}"));
        }
    }
    // Three knights where there are two, two slingers where there is one, and thirteen elements: all is told.
    assert!(has(&harness, "3 of 3Kn") && has(&harness, "13 of 12 elements, not legal yet"));
    let told = harness.query_all_by_label_contains("Fault: ").count();
    assert!(told >= 2 && told == faults(&harness).len(), "{:?}", faults(&harness));
    assert!(harness.get_by_label("Give out tags and save").accesskit_node().is_disabled());
    keep_sizes("army-faults", harness.state_mut());
    click(&mut harness, "Fewer 3Kn");
    click(&mut harness, "More LH");
    click(&mut harness, "Fewer Ps");
    assert!(has(&harness, "12 of 12 elements, legal"), "{:?}", faults(&harness));
    assert!(!has(&harness, "Fault: "));
}

#[test]
fn two_rosters_have_their_own_blocks_of_ids_and_their_kits() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut harness = opened();
    let mut ids = Vec::new();
    for (side, name) in [("Blue army", "blue.ron"), ("Red army", "red.ron")] {
        click(&mut harness, side);
        say(&mut harness, ArmyCommand::TypeFile(dir.path().join(name).display().to_string()));
        click(&mut harness, "Fill up");
        click(&mut harness, "Give out tags and save");
        assert!(has(&harness, "elements, tags "));
        let text = std::fs::read_to_string(dir.path().join(name)).expect("a roster");
        let elements = parse_roster(name, &text).map_err(|m| m.to_string()).expect("a roster");
        ids.push(elements.iter().flat_map(|e| &e.tags).map(|t| t.tag.id).collect::<Vec<_>>());
        click(&mut harness, "Print its kit");
        let stem = name.trim_end_matches(".ron");
        assert!(dir.path().join(format!("{stem}-kit-a4.pdf")).is_file());
        assert!(dir.path().join(format!("{stem}-kit-letter.pdf")).is_file());
    }
    // The table of the tests is the samples', with tags of both blocks: but each army has a whole block, and none twice.
    let block = |ids: &[u32]| (ids[0] - TABLE_IDS) / BLOCK;
    assert!(ids.iter().all(|of| of.iter().all(|id| (id - TABLE_IDS) / BLOCK == block(of))), "{ids:?}");
    assert_ne!(block(&ids[0]), block(&ids[1]));
    // Saved again, the roster before is kept.
    click(&mut harness, "Give out tags and save");
    assert!(
        dir.path().join("red-before-1.ron").is_file() && has(&harness, "The one before is kept beside it.")
    );
}

#[test]
fn lists_of_ones_own_stand_beside_the_samples() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut list = groma::rules::army_list::shipped().lists()[0].clone();
    list.key = groma::rules::army_list::Key::read("mine/1").expect("a key");
    list.title = "My own host".to_owned();
    std::fs::write(dir.path().join("mine.ron"), groma::rules::army_list::write_list(&list)).expect("a file");
    let mut harness = opened();
    say(&mut harness, ArmyCommand::TypeLists(dir.path().display().to_string()));
    click(&mut harness, "Read lists");
    assert!(has(&harness, "1 lists of your own, beside the 12 samples."));
    click(&mut harness, "List mine/1: My own host");
    click(&mut harness, "Fill up");
    assert!(has(&harness, "12 of 12 elements, legal"));
    std::fs::write(dir.path().join("bad.ron"), "(schema: 1").expect("a file");
    click(&mut harness, "Read lists");
    assert!(has(&harness, "bad.ron:1"));
    click(&mut harness, "Back to the table");
    assert!(has(&harness, "Open source"));
}
