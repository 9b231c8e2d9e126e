//! No example of a clause has overlapping bases: where an example gives several elements a place at once,
//! no two of them cover the same ground.
//!
//! An example is read piece by piece: `->`, a full stop and a heading such as `Rear:` part its situations. An
//! element that is named again stands in its new place. Depths that are not given are the least listed
//! for Blades, 0.375 BW.

use groma::geometry::separation;
use groma::rules::clauses::Catalogue;
use groma::rules::{Element, Ruleset, notation};
use groma::units::Scale;
use std::collections::BTreeMap;

/// The elements with a place in a piece of text: a name, a front edge and a compass letter.
fn placed(text: &str) -> Vec<Element> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('(') {
        let before = text[..at].trim_end();
        let name: String = before.chars().rev().take_while(|c| c.is_alphanumeric()).collect();
        let name: String = name.chars().rev().collect();
        let rest = &text[at..];
        let Some(end) = rest.find(['N', 'E', 'S', 'W']) else { continue };
        let mut line = format!("{name} 4Bd red {}", &rest[..=end]);
        let depth = rest[end + 1..]
            .strip_prefix(" d")
            .map(|d| d.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect::<String>());
        if let Some(depth) = depth {
            line.push_str(&format!(" d{}", depth.trim_end_matches('.')));
        }
        let known = name.chars().next().is_some_and(char::is_uppercase);
        if let (true, Ok(element)) = (known, notation::read_element(&line, &Ruleset::dba3(), Scale::SMALL)) {
            found.push(element);
        }
    }
    found
}

/// Overlaps in one example, with how many places it gives.
fn overlaps(example: &str) -> (usize, Vec<String>) {
    let (mut places, mut faults) = (0, Vec::new());
    let mut stand: BTreeMap<String, Element> = BTreeMap::new();
    for piece in example.replace("->", ". ").split(". ") {
        // `Rear: ...` begins another situation.
        if piece.split_whitespace().next().is_some_and(|word| word.ends_with(':')) {
            stand.clear();
        }
        let new = placed(piece);
        places += new.len();
        for element in &new {
            stand.insert(element.name.clone(), element.clone());
        }
        for element in &new {
            for other in stand.values().filter(|o| o.name != element.name) {
                let apart = separation(&stand[&element.name].footprint, &other.footprint).mm;
                if apart < -1e-6 {
                    faults.push(format!(
                        "{} and {} overlap by {:.2} mm in `{piece}`",
                        element.name, other.name, -apart
                    ));
                }
            }
        }
    }
    (places, faults)
}

#[test]
fn no_example_of_a_clause_has_overlapping_bases() {
    let (mut places, mut faults) = (0, Vec::new());
    for (_, clause) in Catalogue::embedded().iter() {
        let Some(example) = &clause.example else { continue };
        let (count, found) = overlaps(example);
        places += count;
        faults.extend(found.into_iter().map(|fault| format!("{}: {fault}", clause.id)));
    }
    // The catalogue gives some dozens of places; finding few would mean that they are not read.
    assert!(places > 50, "only {places} places were read");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn the_reader_of_examples_sees_an_overlap_and_not_two_situations() {
    let (places, faults) = overlaps("A (0,0)-(1,0) N d0.5 and B (0.5,0.2)-(1.5,0.2) N d0.5");
    assert_eq!((places, faults.len()), (2, 2));
    assert!(
        overlaps("A (0,3)-(1,3) N and E (1,3)-(0,3) S -> lined up. A (0.2,3)-(1.2,3) N -> not.").1.is_empty()
    );
    assert!(overlaps("A (0,0)-(1,0) N. Rear: B (0,0.1)-(1,0.1) N").1.is_empty());
}
