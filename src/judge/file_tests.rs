//! Bad table and roster files: every mistake is named, where it is, in one go.

use super::{Roster, RosterFile, Table, parse_roster, parse_table, samples};
use crate::rules::Ruleset;
use crate::text::Mistakes;

/// Each mistake as "line:column message".
fn listed(mistakes: &Mistakes) -> Vec<String> {
    mistakes.list.iter().map(|m| format!("{}:{} {}", m.at.line, m.at.column, m.message)).collect()
}

fn has(list: &[String], start: &str, part: &str) {
    assert!(
        list.iter().any(|m| m.starts_with(start) && m.contains(part)),
        "no {start} ... {part} in {list:#?}"
    );
}

#[test]
fn every_mistake_of_a_table_is_named_at_once_with_its_place() {
    let text = r#"(
    schema: 2,
    playing_area: (600),
    base_widht: 40,
    reference_tags: [
        (family: "tag36h11", id: 587, size: 40, x: -30, y: -30),
        (family: "tag36h12", id: 1, size: -40, x: "left", y: -30),
        (family: "tag25h9", id: 1, size: 40, x: 12mm, y: 1e9, colour: "red", id: 2),
    ],
)"#;
    let list = listed(&parse_table("table.ron", text).expect_err("a bad table"));
    has(&list, "2:13", "expected schema 1");
    has(&list, "3:19", "expected the playing area in mm, (width, depth), found a tuple of 1");
    has(&list, "4:5", "unknown field `base_widht`; did you mean `base_width`?");
    has(&list, "1:1", "the field `base_width` is missing");
    has(&list, "6:34", "an id of tag36h11, a whole number from 0 to 586, found the number 587");
    has(&list, "7:18", "found the text \"tag36h12\"; did you mean `tag36h11`?");
    has(&list, "7:43", "expected a tag's size in mm, 1 to 1000, found the number -40");
    has(&list, "7:51", "expected a place in mm, -10000 to 20000, found the text \"left\"");
    has(&list, "8:49", "`12mm` is not a number; write just 12");
    has(&list, "8:58", "found the number 1000000000");
    has(&list, "8:63", "unknown field `colour`");
    has(&list, "8:78", "the field `id` stands here again, first at line 8, column 29");
    assert_eq!(list.len(), 12, "{list:#?}");
}

#[test]
fn every_mistake_of_the_terrain_is_named_at_once_with_its_place() {
    let tags = [tag(0, 0.0, 0.0), tag(1, 600.0, 0.0), tag(2, 0.0, 600.0), tag(3, 600.0, 600.0)].concat();
    let text = format!(
        r#"(schema: 1, playing_area: (600, 600), base_width: 40, reference_tags: [{tags}],
    terrain: [
        (name: "A", kind: "forest", outline: [(0, 0), (90, 0), (90, 90)]),
        (name: "B", kind: "wood", outline: [(0, 0), (90, 90), (90, 0), (0, 90)]),
        (name: "C", kind: "wood", height: 3, held: red, outline: [(0, 0), (90, 0), (90, 90)]),
        (name: "D", kind: "gentle-hill", outline: [(0, 0), (90, 0), (90, 90)]),
        (name: "E", kind: "gentle-hill", height: 9, crest: [(1, 1)], outline: [(0, 0), (90, 0)]),
        (name: "F", kind: "camp", outline: [(0, 0), (90, 0), (90, 90)]),
    ],
    rivers: [(name: "F", line: [(0, 0), (0, 0)], width: 0), (name: "G", line: [(0, 0), (9, 0)], width: 9, state: wet)],
    roads: [(name: "F", line: [(0, 0), (600, 0)], width: 9)],
    plough: 1,
)"#
    );
    let list = listed(&parse_table("table.ron", &text).expect_err("a bad table"));
    has(&list, "3:27", "expected a kind of terrain");
    has(&list, "4:44", "the outline crosses itself");
    has(&list, "5:43", "`height` belongs to a hill");
    has(&list, "5:52", "`held` belongs to a camp, City or Fort");
    has(&list, "6:9", "a hill needs its `height`");
    has(&list, "7:60", "a crest needs two points or more, this one has 1");
    has(&list, "7:79", "at least three corners");
    has(&list, "10:57", "a width in mm, 1 to 1000");
    has(&list, "10:114", "paltry");
    has(&list, "12:13", "what Plough is");
    assert_eq!(list.len(), 10, "{list:#?}");
}

#[test]
fn two_things_of_one_name_on_the_ground_are_told() {
    let tags = [tag(0, 0.0, 0.0), tag(1, 600.0, 0.0), tag(2, 0.0, 600.0), tag(3, 600.0, 600.0)].concat();
    let text = format!(
        r#"(schema: 1, playing_area: (600, 600), base_width: 40, reference_tags: [{tags}],
    terrain: [(name: "F", kind: "camp", outline: [(0, 0), (90, 0), (90, 90)])],
    roads: [(name: "F", line: [(0, 0), (600, 0)], width: 9)])"#
    );
    let list = listed(&parse_table("table.ron", &text).expect_err("a bad table"));
    has(&list, "3:13", "`F` is named twice, first at line 2, column 15");
    assert_eq!(list.len(), 1, "{list:#?}");
}

#[test]
fn gates_and_what_has_happened_are_read_and_written_back_or_told() {
    let tags = [tag(0, 0.0, 0.0), tag(1, 600.0, 0.0), tag(2, 0.0, 600.0), tag(3, 600.0, 600.0)].concat();
    let table = |kind: &str, more: &str| {
        let text = format!(
            "(schema: 1, playing_area: (600, 600), base_width: 40, reference_tags: [{tags}],\n    terrain: \
             [(name: \"F\", kind: \"{kind}\", {more}, outline: [(0, 0), (90, 0), (90, 90)])])"
        );
        parse_table("table.ron", &text)
    };
    let city = table("city", "side: red, gates: [(45, 0), (90, 40.5)], past: [\"stormed\", \"sacking\"]");
    let city = city.expect("a table");
    let feature = &city.ground.features[0];
    assert_eq!((feature.gates.len(), feature.gates[1].y), (2, 40.5));
    assert_eq!(feature.past.words().collect::<Vec<_>>(), ["stormed", "sacking"]);
    let again =
        parse_table("table.ron", &super::table_text(&city, &[], |_| String::new())).expect("its own text");
    assert_eq!(again.ground, city.ground);
    let mistakes = |kind: &str, more: &str| listed(&table(kind, more).expect_err("a mistake"));
    has(&mistakes("camp", "gates: [(45, 0)]"), "2:", "`gates` belongs to a City or Fort");
    has(&mistakes("wood", "past: [\"stormed\"]"), "2:", "`past` belongs to a camp, City or Fort");
    has(&mistakes("city", "past: [\"sacked\"]"), "2:", "expected what has happened: entered");
    has(
        &mistakes("city", "past: [\"stormed\", \"entered\"]"),
        "2:",
        "contradicts what stands before it (stormed)",
    );
}

fn table_with(tags: &str) -> Result<Table, Mistakes> {
    parse_table(
        "t",
        &format!("(schema: 1, playing_area: (600, 600), base_width: 40, reference_tags: [{tags}])"),
    )
}

fn tag(id: u32, x: f64, y: f64) -> String {
    format!("(family: \"tag36h11\", id: {id}, size: 40, x: {x}, y: {y}),")
}

#[test]
fn three_reference_tags_are_refused_with_the_reason() {
    let three = [tag(0, 0.0, 0.0), tag(1, 600.0, 0.0), tag(2, 0.0, 600.0)].concat();
    let list = listed(&table_with(&three).expect_err("three tags"));
    has(&list, "1:", "at least 4 reference tags, this one has 3: with fewer");
    assert!(table_with(&(three + &tag(3, 600.0, 600.0))).is_ok());
}

#[test]
fn reference_tags_twice_on_one_place_or_in_a_line_are_refused() {
    let line: String = (0..5).map(|i| tag(i, 150.0 * f64::from(i), 10.0)).collect();
    has(&listed(&table_with(&line).expect_err("a line")), "1:", "lie in a line");
    let four =
        [tag(0, 0.0, 0.0), tag(1, 600.0, 0.0), tag(2, 0.0, 600.0), tag(2, 600.0, 600.0), tag(4, 5.0, 0.0)];
    let list = listed(&table_with(&four.concat()).expect_err("twice"));
    has(&list, "1:", "tag36h11 2 is named twice");
    has(&list, "1:", "tag36h11 4 lies on tag36h11 0");
}

fn roster_of(files: &[(&str, &str)]) -> Result<Roster, Vec<Mistakes>> {
    let read = |(file, text): &(&str, &str)| RosterFile {
        file: (*file).to_owned(),
        elements: parse_roster(file, text).expect("each file is sound by itself"),
    };
    Roster::of(&samples::table(), files.iter().map(read).collect(), &Ruleset::dba3())
}

fn element(name: &str, troop: &str, more: &str, id: u32) -> String {
    format!(
        "(name: \"{name}\", side: red, troop: \"{troop}\", base: (40, 15){more}, \
         tags: [(family: \"tag36h11\", id: {id}, size: 14, height: 0.3)]),\n"
    )
}

fn file(elements: &[String]) -> String {
    format!("(schema: 1, elements: [\n{}])", elements.concat())
}

#[test]
fn two_rosters_that_share_tags_and_names_are_refused_with_every_clash() {
    let one = file(&[element("A", "4Bd", "", 100), element("B", "4Bd", "", 101)]);
    let two = file(&[element("C", "4Bd", "", 101), element("A", "4Bd", "", 100), element("D", "4Bd", "", 3)]);
    let clashes = roster_of(&[("one.ron", &one), ("two.ron", &two)]).expect_err("clashes");
    assert_eq!(clashes.len(), 1);
    assert_eq!(clashes[0].file, "two.ron");
    let list = listed(&clashes[0]);
    has(&list, "2:", "tag36h11 101 on \"C\" is already on \"B\" (one.ron, line 3");
    has(&list, "3:", "the name \"A\" is given twice, first in one.ron, line 2");
    has(&list, "3:", "tag36h11 100 on \"A\" is already on \"A\" (one.ron");
    has(&list, "4:", "tag36h11 3 on \"D\" is a reference tag of the table");
    assert_eq!(list.len(), 4);
}

#[test]
fn unknown_troops_and_partners_are_named() {
    let text = file(&[
        element("A", "4Bdd", "", 100),
        element("B", "Dragoons", "", 101),
        element("C", "3Kn", ", becomes: \"D\"", 102),
    ]);
    let list = listed(&roster_of(&[("r.ron", &text)]).expect_err("unknown names")[0]);
    has(&list, "2:", "no troop code `4Bdd`; did you mean `4Bd`?");
    has(&list, "3:", "no troop code `Dragoons`; it has");
    has(&list, "4:1", "\"C\" becomes \"D\", which no roster names");
}

#[test]
fn a_roster_says_what_its_army_list_lets_dismount() {
    use crate::rules::Foot;
    let riders = [
        element("K", "3Kn", ", general: true, contingent: \"Gauls\", becomes: \"F\"", 100),
        element("F", "4Bd", ", becomes: \"K\"", 101),
        element("L", "LH", "", 102),
    ];
    let plain = roster_of(&[("r.ron", &file(&riders))]).expect("a roster");
    let foot = |roster: &Roster, name: &str| roster.listed().get(name).map(|l| l.foot.clone());
    assert_eq!(foot(&plain, "K"), Some(Foot::As("4Bd".to_owned())));
    assert!(plain.listed()["K"].allied_general, "an allied general does not work as one");
    assert_eq!((foot(&plain, "F"), foot(&plain, "L")), (None, None));
    // Of a roster made from a list every `//` is known.
    let made = file(&riders).replace("schema: 1,", "schema: 1, list: \"I/2a\",");
    let made = roster_of(&[("r.ron", &made)]).expect("a roster");
    assert_eq!((foot(&made, "F"), foot(&made, "L")), (None, Some(Foot::None)));
    let wrong = file(&riders).replace("schema: 1,", "schema: 1, list: \"V/2\",");
    has(
        &listed(&parse_roster("r.ron", &wrong).expect_err("no such book")),
        "1:",
        "an army list's key: expected a list book",
    );
}

#[test]
fn every_mistake_of_a_roster_is_named_at_once() {
    let text = r#"(
    schema: 1,
    elements: [
        (name: " A", side: green, troop: 4, base: (0, 15), tags: []),
        (name: "B", side: red, troop: "4Bd", base: (40, 15), location: bord, overhang_mm: (front: -1),
         tags: [(family: "tag36h11", id: 1, size: 14, hieght: 3)])
        (name: "C", general: yes, thickness: NaN),
    ],
)"#;
    let list = listed(&parse_roster("r.ron", text).expect_err("a bad roster"));
    has(&list, "4:16", "without blanks before or after");
    has(&list, "4:28", "expected a side: red or blue, found the word `green`");
    has(&list, "4:42", "expected a troop code, a text in double quotes, found the number 4");
    has(&list, "4:52", "expected a base's side in mm, 1 to 1000, found the number 0");
    has(&list, "5:72", "did you mean `board`?");
    has(&list, "5:99", "expected an overhang in mm, 0 to 200, found the number -1");
    has(&list, "6:55", "unknown field `hieght`; did you mean `height`?");
    has(&list, "7:9", "expected `,` or `]`");
    has(&list, "7:30", "expected true or false, found the word `yes`");
    has(&list, "7:46", "found the number NaN");
    has(&list, "7:9", "the field `tags` is missing");
}

#[test]
fn what_is_no_table_at_all_is_said_so() {
    for (text, part) in [
        ("{ \"schema\": 1 }", "expected a table in round brackets: (schema: 1"),
        ("hello world", "expected the end of the file after its one value, found `world`"),
        ("(schema: 1,", "this `(` is never closed"),
        ("(schema: 1, playing_area: (600, 600],", "expected `)` to close the `(` of line 1, column 27"),
        ("// nothing\n", "nothing here but blanks and comments"),
    ] {
        let list = listed(&parse_table("t.ron", text).expect_err("no table"));
        has(&list, "", part);
    }
    let deep = "[".repeat(100_000);
    has(&listed(&parse_table("t.ron", &deep).expect_err("too deep")), "1:65", "nested more than 64 deep");
    let long = " ".repeat(5 << 20);
    has(&listed(&parse_table("t.ron", &long).expect_err("too long")), "1:1", "larger than 4 MiB");
}
