//! The repository's own papers: links in the Markdown files lead somewhere, and no file names the
//! machine it was written on.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Every file of the repository but build output and git's own.
fn repository_files() -> Vec<PathBuf> {
    fn walk(dir: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(dir).expect("a readable folder") {
            let entry = entry.expect("a readable entry");
            let name = entry.file_name();
            if name == "target" || name == ".git" {
                continue;
            }
            if entry.file_type().expect("an entry has a kind").is_dir() {
                walk(&entry.path(), found);
            } else {
                found.push(entry.path());
            }
        }
    }
    let mut found = Vec::new();
    walk(Path::new(env!("CARGO_MANIFEST_DIR")), &mut found);
    found.sort();
    found
}

/// The lines of a Markdown text outside its fenced blocks, without inline code.
fn prose(markdown: &str) -> String {
    let mut fenced = false;
    let mut text = String::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if !fenced {
            for (part, piece) in line.split('`').enumerate() {
                text.push_str(if part % 2 == 0 { piece } else { "code" });
            }
            text.push('\n');
        }
    }
    text
}

/// The targets of `[text](target)` and `![text](target)`.
fn link_targets(markdown: &str) -> Vec<String> {
    prose(markdown)
        .split("](")
        .skip(1)
        .filter_map(|rest| rest.split(')').next())
        .filter_map(|target| target.split_whitespace().next().map(str::to_owned))
        .collect()
}

/// The anchors of a Markdown text's headings, spelt as GitHub spells them.
fn anchors(markdown: &str) -> BTreeSet<String> {
    let mut fenced = false;
    let mut found = BTreeSet::new();
    for line in markdown.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if !fenced && line.starts_with('#') {
            found.insert(
                line.trim_start_matches('#')
                    .trim()
                    .to_lowercase()
                    .chars()
                    .filter_map(|c| match c {
                        ' ' => Some('-'),
                        '-' | '_' => Some(c),
                        _ => c.is_alphanumeric().then_some(c),
                    })
                    .collect(),
            );
        }
    }
    found
}

/// What is wrong with the relative links of one Markdown file.
fn broken_links(file: &Path, markdown: &str) -> Vec<String> {
    let mut faults = Vec::new();
    for target in link_targets(markdown) {
        if target.contains("://") || target.starts_with("mailto:") {
            continue;
        }
        let (path, anchor) = target.split_once('#').unwrap_or((&target, ""));
        let full = if path.is_empty() { file.to_owned() } else { file.with_file_name(path) };
        if !full.exists() {
            faults.push(format!("{}: `{target}` leads nowhere", file.display()));
        } else if !anchor.is_empty() {
            let there = fs::read_to_string(&full).expect("a readable text file");
            if !anchors(&there).contains(anchor) {
                faults.push(format!("{}: `{target}` names no heading", file.display()));
            }
        }
    }
    faults
}

#[test]
fn relative_links_in_the_documents_lead_somewhere() {
    let mut links = 0;
    let mut faults = Vec::new();
    for file in repository_files() {
        if file.extension().is_some_and(|e| e == "md") {
            let markdown = fs::read_to_string(&file).expect("a readable document");
            links += link_targets(&markdown).len();
            faults.extend(broken_links(&file, &markdown));
        }
    }
    assert!(links > 0, "no link found: README.md should have some");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_reader_of_links_sees_links_headings_and_skips_code() {
    let text =
        "# One two, three\n[a](b.md) and ![c](d.png \"title\")\n```\n[no](x)\n## not one\n```\n`[no](y)`\n";
    assert_eq!(link_targets(text), ["b.md", "d.png"]);
    assert_eq!(anchors(text).into_iter().collect::<Vec<_>>(), ["one-two-three"]);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    assert_eq!(broken_links(&here, "[a](no-such-file.md)").len(), 1);
    assert_eq!(broken_links(&here, "[a](README.md#no-such-heading)").len(), 1);
}

/// Names that belong to a machine or a package mirror. Split, so that this file does not hold them.
const FOREIGN: &[(&str, &str)] = &[
    ("/wo", "rk/"),
    ("/ro", "ot/"),
    ("/ho", "me/"),
    ("index.cra", "tes.io"),
    ("static.cra", "tes.io"),
    ("pypi", ".org"),
    ("pythonhosted", ".org"),
    ("npmjs", ".org"),
    ("deb.debian", ".org"),
    ("proxy.gol", "ang.org"),
];

#[test]
fn no_file_names_a_machine_or_a_package_mirror() {
    let mut faults = Vec::new();
    for file in repository_files() {
        let bytes = fs::read(&file).expect("a readable file");
        let Ok(text) = String::from_utf8(bytes) else { continue };
        for (first, second) in FOREIGN {
            let name = format!("{first}{second}");
            for (number, _) in text.lines().enumerate().filter(|(_, line)| line.contains(&name)) {
                faults.push(format!("{}:{}: names `{name}`", file.display(), number + 1));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
