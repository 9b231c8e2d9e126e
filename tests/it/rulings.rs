//! The case files of `tests/rulings/`: one runner. It fails on zero cases, on an unknown clause, on a
//! case that the engine answers otherwise or without citing its clauses, and on an expected failure that passes.

use groma::rules::cases::{CaseFile, FILES};
use groma::rules::clauses::Catalogue;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn files_below(dir: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            files_below(&path, found);
        } else if path.extension().is_some_and(|e| e == "ron") {
            found.push(path);
        }
    }
}

#[test]
fn every_case_is_answered_as_expected_and_cites_its_clauses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    files_below(&root.join("tests/rulings"), &mut files);
    files.sort();
    let (mut cases, mut faults) = (0, Vec::new());
    for path in &files {
        let name =
            path.strip_prefix(root).expect("found under the root").to_string_lossy().replace('\\', "/");
        let text = fs::read_to_string(path).expect("a readable case file");
        let file = match CaseFile::read(&name, &text, Catalogue::embedded()) {
            Ok(file) => file,
            Err(problems) => {
                faults.extend(problems.iter().map(ToString::to_string));
                continue;
            }
        };
        for case in &file.cases {
            cases += 1;
            match (case.run(), &case.fails_because) {
                (Ok(()), None) | (Err(_), Some(_)) => {}
                (Err(fault), None) => faults.push(format!("{name}: `{}`: {fault}", case.name)),
                (Ok(()), Some(why)) => {
                    faults
                        .push(format!("{name}: `{}` passes, though it says that it fails: {why}", case.name));
                }
            }
        }
    }
    assert!(cases > 0, "no case was found under tests/rulings");
    assert!(faults.is_empty(), "{} of {cases} cases:\n{}", faults.len(), faults.join("\n"));
    println!("{cases} cases");
}

#[test]
fn the_program_carries_every_case_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    files_below(&root.join("tests/rulings"), &mut files);
    let on_disk: std::collections::BTreeSet<String> = files
        .iter()
        .map(|p| p.strip_prefix(root).expect("found under the root").to_string_lossy().replace('\\', "/"))
        .collect();
    let carried: std::collections::BTreeSet<String> =
        FILES.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(carried, on_disk);
}

#[test]
fn a_case_that_is_wrong_is_found() {
    let head = "(schema: 1, ruleset: \"dba3\", cases: [";
    let read = |body: &str| CaseFile::read("x.ron", &format!("{head}{body}])"), Catalogue::embedded());
    let zone = "setup: \"A 4Bd red (0,0)-(1,0) N; E 4Bd blue (1,3)-(0,3) S\", ask: Geometry(in_zone_of, \"A\", \"E\")";
    assert!(read("").is_err(), "a file without cases");
    assert!(read(&format!("(name: \"n\", {zone}, verdict: No, clauses: [\"dba3.nothing.1\"])")).is_err());
    assert!(read(&format!("(name: \"n\", {zone}, verdict: No, clauses: [])")).is_err());
    let said = |body: String| read(&body).expect("a case file").cases[0].run();
    assert!(said(format!("(name: \"n\", {zone}, verdict: No, clauses: [\"dba3.tz.1\"])")).is_ok());
    assert!(said(format!("(name: \"n\", {zone}, verdict: Yes, clauses: [\"dba3.tz.1\"])")).is_err());
    assert!(
        said(format!("(name: \"n\", {zone}, verdict: No, margin_mm: -1.0, clauses: [\"dba3.tz.1\"])"))
            .is_err()
    );
    assert!(said(format!("(name: \"n\", {zone}, verdict: No, clauses: [\"dba3.fac.1\"])")).is_err());
}

/// The folder of shared material beside the checkout or one of its parents, where there is one.
fn shared(inside: &str) -> Option<PathBuf> {
    let near = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).map(|p| p.join("shared"));
    let named = env::var_os("GROMA_SHARED").map(PathBuf::from);
    named.into_iter().chain(near).map(|p| p.join(inside)).find(|p| p.exists())
}

#[test]
fn the_catalogue_has_every_clause_of_the_shared_files() {
    let Some(folder) = shared("rules/clauses") else {
        println!("skipped: no ../shared/rules/clauses");
        return;
    };
    let mut ids = std::collections::BTreeSet::new();
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a readable clause file");
        let table: toml::Table = text.parse().expect("a clause file in TOML");
        for clause in table.get("clause").and_then(toml::Value::as_array).into_iter().flatten() {
            let id = clause.get("id").and_then(toml::Value::as_str).expect("a clause has an id");
            ids.insert(id.to_owned());
        }
    }
    let ours: std::collections::BTreeSet<String> =
        Catalogue::embedded().iter().map(|(_, clause)| clause.id.clone()).collect();
    assert!(!ids.is_empty());
    assert_eq!(
        ours.difference(&ids).collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "ids that the shared files lack"
    );
    assert_eq!(
        ids.difference(&ours).collect::<Vec<_>>(),
        Vec::<&String>::new(),
        "ids that the catalogue lacks"
    );
}
