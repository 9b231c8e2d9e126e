//! The files people write and the commands that read them: the documents' own examples, what `groma
//! init` writes, and bad input.

use groma::judge::{Roster, RosterFile, parse_roster, parse_table};
use groma::rules::Ruleset;
use groma::rules::army_list::{ListFile, judge, read_file, shipped};
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

/// The fenced blocks of `docs/formats.md` of one kind.
fn examples(kind: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md"))
        .expect("docs/formats.md");
    let fence = format!("```ron {kind}\n");
    let blocks =
        text.split(&fence).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_owned());
    let blocks: Vec<String> = blocks.collect();
    assert!(!blocks.is_empty(), "docs/formats.md has no example of a {kind}");
    blocks
}

fn groma(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_groma")).args(args).output().expect("groma runs")
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Fails unless the command ended with this code and said this on stderr, without panicking.
fn refused(args: &[&str], code: i32, parts: &[&str]) {
    let output = groma(args);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(code), "groma {args:?}: {said}");
    for part in parts {
        assert!(said.contains(part), "groma {args:?}: no {part:?} in {said}");
    }
    assert!(!said.contains("panicked"), "{said}");
}

#[test]
fn the_table_folder_that_is_described_is_read() {
    let shown = examples("folder");
    assert_eq!(shown.len(), 1);
    for text in shown {
        let folder =
            groma::judge::parse_folder("groma.ron", &text).map_err(|m| m.to_string()).expect("it reads");
        assert_eq!((folder.rosters.len(), folder.ruler_mm, folder.step), (2, Some(99.6), 7));
    }
}

#[test]
fn the_host_s_card_that_is_described_is_read() {
    use groma::judge::{CardField, parse_card};
    let shown = examples("card");
    assert_eq!(shown.len(), 1);
    let card = parse_card("card.ron", &shown[0]).map_err(|m| m.to_string()).expect("it reads");
    assert!(CardField::ALL.iter().all(|field| card.line(*field).is_some()), "{card:?}");
}

#[test]
fn the_documents_examples_are_read() {
    for text in examples("table") {
        let table = parse_table("docs/formats.md", &text).expect("the example");
        for roster in examples("roster") {
            let elements = parse_roster("docs/formats.md", &roster).expect("the example");
            let file = RosterFile { file: "docs/formats.md".to_owned(), elements };
            let roster = Roster::of(&table, vec![file], &Ruleset::dba3()).expect("the example");
            assert_eq!(roster.elements().len(), 3);
        }
    }
    let rules = Ruleset::dba3();
    let listed = |what: &str| -> Vec<ListFile> {
        examples(what)
            .iter()
            .map(|text| read_file("docs/formats.md", text, &rules).expect("the example"))
            .collect()
    };
    assert!(matches!(listed("army-list").as_slice(), [ListFile::List(list)] if list.entries.len() == 5));
    let armies = listed("army");
    let [ListFile::Army(army)] = armies.as_slice() else { panic!("one army: {armies:?}") };
    assert!(judge(army, shipped(), &rules).legal());
    #[cfg(feature = "vision")]
    for text in examples("lens") {
        let profile = groma::vision::parse_lens_profile("docs/formats.md", &text).expect("the example");
        assert_eq!((profile.lens.width, profile.lens.fx), (1920, 1420.5));
        assert!(
            profile.unfit_for(1920, 1080, None).is_none() && profile.unfit_for(1280, 720, None).is_some()
        );
    }
}

#[test]
fn init_writes_files_that_are_read_and_overwrites_nothing() {
    let dir = tempfile::tempdir().expect("a folder");
    let place = dir.path().join("my table");
    let place = place.to_str().expect("a plain path");
    assert!(groma(&["init", place]).status.success());
    for name in ["table.ron", "roster.ron", "README.txt"] {
        assert!(Path::new(place).join(name).is_file(), "{name}");
    }
    std::fs::write(Path::new(place).join("table.ron"), "mine").expect("a file");
    refused(&["init", place], 1, &["nothing was written", "table.ron"]);
    let kept = std::fs::read_to_string(Path::new(place).join("table.ron")).expect("a file");
    assert_eq!(kept, "mine");
    refused(&["init", Path::new(place).join("table.ron").to_str().expect("a plain path")], 2, &["is a file"]);
}

#[test]
fn a_written_setup_is_judged_in_json() {
    let setup = "A 4Bd red (5,5)-(6,5) N; B 4Sp blue (6,5)-(5,5) S";
    let output = groma(&["judge", "--setup", setup, "--between", "A", "B", "--json"]);
    assert!(output.status.success(), "{}", said(&output));
    let lines: Vec<Value> = String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object a line"))
        .collect();
    let questions: Vec<&str> = lines.iter().filter_map(|l| l["question"].as_str()).collect();
    assert_eq!(
        questions,
        [
            "distance",
            "in_zone_of",
            "contact_front",
            "contact_flank",
            "contact_rear",
            "corner_touch",
            "behind_flank_line",
            "combat"
        ]
    );
    assert_eq!(lines[2]["verdict"], "yes");
    assert_eq!(lines[2]["sigma_mm"], 0.0);
    assert_eq!(lines[7]["factors"]["a"]["total"], 5);
    let fates = lines[7]["odds_of_36"]["fates_b"].as_array().expect("fates");
    assert_eq!(fates.iter().filter_map(|f| f["of_36"].as_u64()).sum::<u64>(), 36);
}

#[test]
fn bad_setups_and_names_are_refused_with_their_place() {
    refused(
        &["judge", "--setup", "A 4Bd rd (5,5)-(6,5) N", "--between", "A", "B"],
        1,
        &["setup:1:7", "`rd`"],
    );
    refused(
        &["judge", "--setup", "A 4Bd red (5,5)-(6,5) N", "--between", "A", "B"],
        1,
        &["no element is called `B`"],
    );
    refused(&["judge", "--setup", "no-such-file.txt", "--between", "A", "B"], 1, &["there is no such file"]);
    refused(&["judge", "--between", "A"], 2, &["--between"]);
    refused(&["judge", "--between", "A", "B"], 2, &[]);
}

#[cfg(feature = "vision")]
pub mod with_eyes {
    use super::{groma, refused, said};
    use serde_json::Value;
    use std::path::PathBuf;

    struct Folder(tempfile::TempDir);

    impl Folder {
        fn new() -> Self {
            let folder = Self(tempfile::tempdir().expect("a folder"));
            folder.file("table.ron", groma::judge::samples::TABLE_RON.as_bytes());
            folder.file("roster.ron", groma::judge::samples::ROSTER_RON.as_bytes());
            folder
        }

        fn path(&self, name: &str) -> String {
            self.0.path().join(name).to_str().expect("a plain path").to_owned()
        }

        fn file(&self, name: &str, bytes: &[u8]) -> String {
            std::fs::write(PathBuf::from(self.path(name)), bytes).expect("a file");
            self.path(name)
        }

        /// `groma read sim:1` with this table and roster.
        fn refused(&self, table: &str, roster: &str, code: i32, parts: &[&str]) {
            refused(&["read", "sim:1", "--table", table, "--roster", roster], code, parts);
        }
    }

    #[test]
    fn bad_tables_are_refused_with_what_to_do() {
        let folder = Folder::new();
        let roster = folder.path("roster.ron");
        let bad: [(&str, &[u8], &str); 8] = [
            ("empty.ron", b" \n", "the file is empty: expected a table file"),
            ("latin1.ron", b"(schema: 1, // caf\xE9\n)", "not UTF-8 text (byte 0xE9 in line 1)"),
            ("picture.ron", b"\xFF\xD8\xFF\xE0\x00\x10JFIF", "this is a JPEG picture: expected a table file"),
            ("prose.ron", b"Dear Sir,\nplease find", "expected the end of the file after its one value"),
            ("newer.ron", b"(schema: 7, playing_area: (600, 600))", ":1:10: expected schema 1"),
            ("json.ron", b"{\"schema\": 1}", "expected a table in round brackets"),
            ("open.ron", b"(schema: 1, reference_tags: [", "this `[` is never closed"),
            ("zero.ron", b"\x00\x01\x02", "expected a value"),
        ];
        for (name, bytes, part) in bad {
            folder.refused(&folder.file(name, bytes), &roster, 1, &[part, name]);
        }
        folder.refused(&folder.path("nowhere.ron"), &roster, 1, &["there is no such file", "groma init"]);
        folder.refused(&folder.path(""), &roster, 1, &["this is a folder"]);
        let deep = "(".repeat(1_000_000);
        folder.refused(&folder.file("deep.ron", deep.as_bytes()), &roster, 1, &["nested more than 64 deep"]);
        let long = vec![b' '; 5 << 20];
        folder.refused(&folder.file("long.ron", &long), &roster, 1, &["larger than 4 MiB"]);
    }

    #[test]
    fn a_table_of_three_reference_tags_and_a_roster_that_names_a_tag_twice_are_refused() {
        let folder = Folder::new();
        let sample = groma::judge::samples::TABLE_RON;
        let three: String = sample
            .lines()
            .filter(|l| !(3..=7).any(|i| l.contains(&format!("id: {i},"))))
            .fold(String::new(), |text, line| text + line + "\n");
        let table = folder.file("three.ron", three.as_bytes());
        folder.refused(&table, &folder.path("roster.ron"), 1, &["at least 4 reference tags, this one has 3"]);
        let twice = groma::judge::samples::ROSTER_RON.replace("id: 22,", "id: 23,");
        let roster = folder.file("twice.ron", twice.as_bytes());
        folder.refused(&folder.path("table.ron"), &roster, 1, &["tag36h11 23 on", "is already on"]);
        // Both files bad: both told.
        folder.refused(
            &table,
            &folder.path("none.ron"),
            1,
            &["2 mistakes", "this one has 3", "no such file"],
        );
    }

    #[test]
    fn bad_sources_are_refused_with_what_to_do() {
        let folder = Folder::new();
        let (table, roster) = (folder.path("table.ron"), folder.path("roster.ron"));
        let read = |source: &str, code: i32, parts: &[&str]| {
            refused(&["read", source, "--table", &table, "--roster", &roster], code, parts);
        };
        read("nowhere.jpg", 1, &["there is no such file or folder"]);
        read(&folder.file("text.jpg", b"not a picture"), 1, &["neither a JPEG nor a PNG"]);
        read("sim:one", 2, &["expected sim:SEED"]);
        refused(&["read", "photograph.jpg"], 2, &["--table FILE", "groma init"]);
        refused(&["read"], 2, &["SOURCE"]);
        let lens = folder.file("lens.ron", b"(schema: 1, camera: \"c\", date: \"yesterday\", width: 0)");
        refused(
            &["read", "sim:1", "--lens", &lens],
            1,
            &["expected a day", "the picture's width in pixels", "the field `fx` is missing"],
        );
        let other = super::examples("lens")[0].replace("1920", "640").replace("1080", "480");
        let lens = folder.file("other.ron", other.as_bytes());
        refused(&["read", "sim:1", "--lens", &lens], 1, &["640x480", "leave out --lens"]);
    }

    /// Every key of an object and of what is in it.
    fn keys(value: &Value, found: &mut std::collections::BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                for (key, inner) in fields {
                    found.insert(key.clone());
                    keys(inner, found);
                }
            }
            Value::Array(items) => items.iter().for_each(|inner| keys(inner, found)),
            _ => {}
        }
    }

    /// The fields of these JSON lines that docs/json.md does not tell of.
    pub fn untold<'a>(lines: impl IntoIterator<Item = &'a Value>) -> Vec<String> {
        let mut found = std::collections::BTreeSet::new();
        lines.into_iter().for_each(|line| keys(line, &mut found));
        assert!(!found.is_empty(), "no field at all");
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/json.md");
        let page = std::fs::read_to_string(page).expect("the page on JSON");
        found.into_iter().filter(|key| !page.contains(&format!("`{key}`"))).collect()
    }

    #[test]
    fn every_field_of_the_json_is_in_the_documents() {
        let folder = Folder::new();
        let (picture, truth) = (folder.path("a.jpg"), folder.path("a.truth.json"));
        assert!(groma(&["sim", "--out", &picture, "--truth", &truth, "--seed", "3"]).status.success());
        let setup = "A 4Bd red (5,5)-(6,5) N; B 4Sp blue (6,5)-(5,5) S";
        let commands = [
            vec!["read", "sim:7", "--frames", "1", "--json"],
            vec!["judge", "--setup", setup, "--between", "A", "B", "--json"],
            vec!["clauses", "--json"],
            vec!["verify", "--json", folder.0.path().to_str().expect("a plain path")],
        ];
        let mut lines: Vec<Value> = Vec::new();
        for command in &commands {
            let output = groma(command);
            assert!(output.status.success(), "{command:?}: {}", said(&output));
            for line in String::from_utf8_lossy(&output.stdout).lines() {
                lines.push(serde_json::from_str(line).expect("a JSON object a line"));
            }
        }
        assert!(lines.len() > 40, "{} lines", lines.len());
        let missing = untold(&lines);
        assert!(missing.is_empty(), "not told: {missing:?}");
    }

    #[test]
    fn a_simulated_table_is_read_and_judged() {
        let output = groma(&["read", "sim:5", "--json", "--frames", "1"]);
        assert!(output.status.success(), "{}", said(&output));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<Value> =
            text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect();
        assert_eq!(lines.len(), 24);
        for key in [
            "frame",
            "captured_at",
            "name",
            "side",
            "visibility",
            "x_mm",
            "y_mm",
            "heading_deg",
            "cov",
            "age_s",
        ] {
            assert!(lines.iter().all(|l| l.get(key).is_some()), "{key}");
        }
        let seen: Vec<&Value> = lines.iter().filter(|l| l["visibility"] == "seen").collect();
        assert!(seen.len() > 12, "{} seen", seen.len());
        assert!(seen.iter().all(|l| l["cov"][0][0].as_f64().is_some_and(|c| c > 0.0 && c < 1.0)));
        let names: Vec<&str> = ["red", "blue"]
            .iter()
            .filter_map(|side| seen.iter().find(|l| l["side"] == *side)?["name"].as_str())
            .collect();
        let [a, b] = names.as_slice() else { panic!("one of each side is seen: {names:?}") };
        let output = groma(&["judge", "sim:5", "--json", "--frames", "1", "--between", a, b]);
        assert!(output.status.success(), "{}", said(&output));
        let first = String::from_utf8_lossy(&output.stdout).lines().next().map(str::to_owned);
        let first: Value = serde_json::from_str(&first.expect("a line")).expect("a JSON object");
        assert_eq!(first["question"], "distance");
        assert!(first["sigma_mm"].as_f64().is_some_and(|s| s > 0.0 && s < 1.0), "{first}");
        refused(&["judge", "sim:5", "--between", a, "Nobody"], 1, &["no roster names an element \"Nobody\""]);
    }
}
