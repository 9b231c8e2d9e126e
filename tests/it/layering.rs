//! The rooms' arrows: reads the `crate::` paths of every source file and fails on a forbidden one.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each room may name, itself aside. `cli` and `app` may name everything below them.
const ALLOWED: &[(&str, &[&str])] = &[
    ("text", &[]),
    ("units", &[]),
    ("geometry", &["units"]),
    ("rules", &["geometry", "units", "text"]),
    ("drawing", &["rules", "geometry", "units", "text"]),
    ("tracking", &["geometry", "units", "text"]),
    ("judge", &["tracking", "rules", "geometry", "units", "text"]),
    ("session", &["judge", "tracking", "rules", "geometry", "units", "text"]),
    ("vision", &["tracking", "geometry", "units", "text"]),
    ("markers", &["vision", "judge", "tracking", "rules", "geometry", "units", "text"]),
    (
        "cli",
        &[
            "app", "session", "judge", "vision", "markers", "tracking", "drawing", "rules", "geometry",
            "units", "text",
        ],
    ),
    (
        "app",
        &[
            "session", "judge", "vision", "markers", "tracking", "drawing", "rules", "geometry", "units",
            "text",
        ],
    ),
];

fn rust_files(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a readable source folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            rust_files(&path, found);
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
}

/// The rooms a file names: every `crate::room`, and every room of a `use crate::{a, b::c}` group's top level.
fn rooms_named(source: &str) -> BTreeSet<String> {
    let code: String =
        source.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n");
    let mut rooms = BTreeSet::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = &code[at + "crate::".len()..];
        if let Some(group) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut word = String::new();
            for c in group.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        rooms.insert(first_word(&word));
                        word.clear();
                        continue;
                    }
                    _ => {}
                }
                if depth == 0 {
                    word.push(c);
                }
            }
            rooms.insert(first_word(&word));
        } else {
            rooms.insert(first_word(rest));
        }
    }
    rooms.remove("");
    rooms
}

fn first_word(text: &str) -> String {
    text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

#[test]
fn every_room_names_only_the_rooms_below_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    rust_files(&src, &mut files);
    let mut faults = Vec::new();
    for file in files {
        let inside = file.strip_prefix(&src).expect("files were found under src");
        let first = inside.components().next().expect("a file has a name").as_os_str().to_string_lossy();
        let room = first.trim_end_matches(".rs").to_owned();
        if matches!(room.as_str(), "lib" | "main") {
            continue;
        }
        let Some((_, allowed)) = ALLOWED.iter().find(|(name, _)| *name == room) else {
            faults.push(format!("{}: the room `{room}` is not in this test's table", inside.display()));
            continue;
        };
        let text = fs::read_to_string(&file).expect("a readable source file");
        for named in rooms_named(&text) {
            let is_room = ALLOWED.iter().any(|(name, _)| *name == named);
            if is_room && named != room && !allowed.contains(&named.as_str()) {
                faults.push(format!("{}: `{room}` may not name `{named}`", inside.display()));
            }
        }
    }
    assert!(faults.is_empty(), "forbidden arrows between rooms:\n{}", faults.join("\n"));
}

#[test]
fn the_reader_of_use_lines_sees_groups_and_paths_but_not_comments() {
    let rooms = rooms_named(
        "use crate::{rules::Setup, vision::{Frame, Lens}};\nlet x = crate::units::Mm(1.0); // crate::app",
    );
    assert_eq!(rooms.into_iter().collect::<Vec<_>>(), ["rules", "units", "vision"]);
}
