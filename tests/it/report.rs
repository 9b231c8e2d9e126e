//! The report of a battle: all of it, in order, on a page that needs nothing else.

use crate::journal::{engine, played};
use groma::rules::Side;
use groma::session::journal::{Event, Journal};
use groma::session::play::{Act, Kind};
use groma::session::report::Story;
use sha2::Digest;
use std::path::Path;
use std::process::{Command, Output};

fn report(journal: &Path, dir: &Path, title: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_groma"))
        .arg("report")
        .arg(journal)
        .args(["--title", title, "--out"])
        .arg(dir.join("battle.html"))
        .arg("--markdown")
        .arg(dir.join("battle.md"))
        .output()
        .expect("it runs")
}

#[test]
fn every_entry_is_told_once_in_its_bound_and_the_page_stands_alone() {
    let (keeper, play) = played(6, 70);
    let story = Story::of(engine(), keeper.records()).expect("its own looks");
    // Those that a person began, and those that were seen to begin by the other side's first move.
    let told = keeper.records().iter().filter(|r| matches!(r.event, Event::Act(Act::NextBound(_)))).count();
    let bounds = play.written().iter().filter(|w| w.begins_bound()).count();
    assert!(told > 0 && bounds > told, "{told} bounds were told, {bounds} began");
    assert_eq!(story.chapters.len(), bounds + 1);
    let entries: Vec<_> = story.chapters.iter().flat_map(|c| c.entries.iter().map(|e| &e.written)).collect();
    assert_eq!(entries.len(), play.written().len());
    for kind in [Kind::Move, Kind::Outcome, Kind::Loss, Kind::Bound, Kind::Overrule] {
        let told: Vec<_> = entries.iter().filter(|w| w.kind == kind).collect();
        let written: Vec<_> = play.written().iter().filter(|w| w.kind == kind).collect();
        assert!(told.iter().zip(&written).all(|(a, b)| **a == *b) && told.len() == written.len(), "{kind:?}");
    }
    // A bound's own entries: who begins the next one stands in the next.
    for pair in story.chapters.windows(2) {
        let begins = pair[1].entries.iter().find(|e| e.written.kind == Kind::Bound).expect("it was said");
        let next = pair[0].side.map_or("the next", |side| Side::enemy(side).word());
        assert!(begins.written.words.starts_with(next), "{:?} after {:?}", begins.written, pair[0].side);
    }

    let dir = tempfile::tempdir().expect("a folder");
    let journal = dir.path().join("x.journal");
    Journal::create(&journal, keeper.records()).expect("written");
    let output = report(&journal, dir.path(), "Romans & <Carthage>");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(dir.path().join("battle.html")).expect("the page");
    assert!(page.contains("<h1>Romans &amp; &lt;Carthage&gt;</h1>") && !page.contains("<Carthage>"));
    // Nothing is fetched: the only address is the drawings' own namespace, which is a name.
    let outside = page.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for fetched in ["http", "src=", "url(h", "@import", "<script", "<link"] {
        assert!(!outside.contains(fetched), "{fetched} on the page");
    }
    assert_eq!(page.matches("<li class=").count(), entries.len());
    assert_eq!(page.matches("<figure><svg").count(), bounds + 1);
    assert_eq!(page.matches("<svg").count(), page.matches("</svg>").count());
    let text = std::fs::read_to_string(dir.path().join("battle.md")).expect("the text");
    assert_eq!(text.lines().filter(|l| l.starts_with("- *")).count(), entries.len());
    for n in 1..=bounds + 1 {
        let name = format!("battle-{n:02}.svg");
        assert!(text.contains(&format!("(<{name}>)")) && dir.path().join(&name).is_file(), "{name}");
    }
    // Made again it takes the place of itself, and of nothing else.
    assert!(report(&journal, dir.path(), "again").status.success());
    std::fs::write(dir.path().join("battle.html"), "a person's own page").expect("written");
    let refused = report(&journal, dir.path(), "again");
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(
        std::fs::read_to_string(dir.path().join("battle.html")).expect("there"),
        "a person's own page"
    );
}

#[test]
fn a_result_slip_tells_who_has_won_and_the_hash_of_the_journal_as_it_lies_on_the_disk() {
    let (keeper, play) = played(6, 70);
    let dir = tempfile::tempdir().expect("a folder");
    let (journal, slip) = (dir.path().join("x.journal"), dir.path().join("slip.html"));
    Journal::create(&journal, keeper.records()).expect("written");
    let groma = |args: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_groma")).arg("report").arg(&journal).args(args).output();
        run.expect("it runs")
    };
    let path = slip.display().to_string();
    let output = groma(&["--slip", &path, "--red", "Ann & Bert", "--title", "Round 2"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let page = std::fs::read_to_string(&slip).expect("the slip");
    assert!(page.contains("<h1>Round 2</h1>") && page.contains("<td>Ann &amp; Bert</td><td></td>"), "{page}");
    let stand = play.losses().view().expect("losses are added up");
    for tally in &stand.tallies {
        assert!(page.contains(&format!("<strong>{}</strong>", tally.total)), "{page}");
        for line in &tally.lines {
            assert!(page.contains(&line.what), "{} is not on the slip", line.what);
        }
    }
    let told = page.split("SHA-256 of the journal</th><td><code>").nth(1).and_then(|rest| rest.get(..64));
    let bytes = std::fs::read(&journal).expect("the journal");
    assert_eq!(told, Some(groma::text::html::hex(&sha2::Sha256::digest(bytes)).as_str()));
    // Neither the one nor the other is wrong use, as is a name without a slip.
    assert_eq!(groma(&[]).status.code(), Some(2));
    assert_eq!(groma(&["--out", "y.html", "--red", "Ann"]).status.code(), Some(2));
}
