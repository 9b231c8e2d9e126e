//! Files of army lists and of armies: one list, or one army, a file. Their form is in `docs/formats.md`.
//!
//! A fault inside a text has its own column there, as long as the text has no escapes before it.

use super::army::{self, Army, City, Contingent};
use super::fault::{Fault, Piece};
use super::list::Draft;
use super::{ArmyList, Camp};
use crate::rules::Ruleset;
use crate::text::{Decoder, Mistakes, Node, Number, Position, Value};
use std::fmt::Write as _;

/// What a file holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ListFile {
    /// An army list.
    List(ArmyList),
    /// An army chosen from one.
    Army(Army),
}

/// Reads a file of either sort; `file` names it in messages.
///
/// # Errors
/// Every mistake of the file, with line, column and clause.
pub fn read_file(file: &str, text: &str, rules: &Ruleset) -> Result<ListFile, Mistakes> {
    Decoder::run(file, text, |d, node| {
        let of_army =
            matches!(&node.value, Value::Struct(_, fields) if fields.iter().any(|f| f.name.text == "take"));
        if of_army {
            army(d, node, rules).map(ListFile::Army)
        } else {
            list(d, node, rules).map(ListFile::List)
        }
    })
}

fn note(d: &mut Decoder, faults: Vec<Fault>) {
    for fault in faults {
        d.note(fault.at, format!("{} ({})", fault.message, fault.clause));
    }
}

/// A text in double quotes, and where its first letter stands.
fn piece(d: &mut Decoder, node: &Node, what: &str) -> Option<Piece> {
    let text = d.text(node, what)?;
    let at = Position { column: node.at.column + 1, ..node.at };
    let lead = text.chars().take_while(|c| c.is_whitespace()).count();
    Some(Piece::new(text.trim(), Piece::new(text.clone(), at).place(lead)))
}

fn pieces(d: &mut Decoder, node: &Node, what: &str, each: &str) -> Option<Vec<Piece>> {
    d.list(node, what, |d, n| piece(d, n, each))
}

/// A bare word or a text.
fn word(d: &mut Decoder, node: &Node, what: &str) -> Option<Piece> {
    match &node.value {
        Value::Word(word) => Some(Piece::new(word, node.at)),
        _ => piece(d, node, what),
    }
}

fn list(d: &mut Decoder, node: &Node, rules: &Ruleset) -> Option<ArmyList> {
    let what = "an army list in round brackets: (schema: 1, key: \"mine/1\", title: \"...\", troops: [...])";
    let mut f = d.fields(node, what)?;
    let schema = f.schema(d);
    let mut draft = Draft::empty(node.at);
    // What is missing the draft tells, with its clause; what is of the wrong kind is told here.
    let mut good = true;
    let mut keep = |read: Option<Option<Piece>>| {
        good &= read.is_some();
        read.flatten()
    };
    draft.key = keep(f.required(d, "key", |d, n| piece(d, n, "a list's key")).map(Some));
    draft.title = keep(f.required(d, "title", |d, n| piece(d, n, "a title")).map(Some));
    draft.general = keep(f.optional(d, "general", |d, n| piece(d, n, "the general's entry")));
    draft.aggression = keep(f.optional(d, "aggression", |d, n| match n.value {
        Value::Number(Number { whole: Some(factor), .. }) => Some(Piece::new(factor.to_string(), n.at)),
        Value::Number(Number { value, .. }) => Some(Piece::new(value.to_string(), n.at)),
        _ => d.expected(n, "an aggression from 0 to 4"),
    }));
    let mut keep = |read: Option<Option<Vec<Piece>>>| {
        good &= read.is_some();
        read.flatten()
    };
    draft.troops = keep(f.optional(d, "troops", |d, n| pieces(d, n, "a list of entries", "an entry")));
    draft.home = keep(f.optional(d, "home", |d, n| match &n.value {
        Value::List(_) => d.list(n, "home terrains", |d, n| word(d, n, "a home terrain")),
        _ => word(d, n, "a home terrain").map(|one| vec![one]),
    }));
    draft.enemies = keep(f.optional(d, "enemies", |d, n| pieces(d, n, "a list of lists", "a list's key")));
    draft.allies = keep(f.optional(d, "allies", |d, n| pieces(d, n, "a list of lists", "a list's key")));
    draft.books = keep(f.optional(d, "books", |d, n| pieces(d, n, "a list of books", "a book")));
    f.finish(d);
    let list = draft.checked(rules).map_err(|faults| note(d, faults)).ok()?;
    schema?;
    good.then_some(list)
}

fn army(d: &mut Decoder, node: &Node, rules: &Ruleset) -> Option<Army> {
    let what =
        "an army in round brackets: (schema: 1, list: \"mine/1\", take: [\"general 3Kn\", \"11x4Sp\"])";
    let mut f = d.fields(node, what)?;
    let schema = f.schema(d);
    let list = f.required(d, "list", key);
    let own = f.required(d, "take", |d, n| taken(d, n, rules));
    let contingents = f.or(d, "allies", Vec::new(), |d, n| {
        d.list(n, "a list of contingents", |d, n| {
            let mut f = d.fields(n, "a contingent, (list: \"mine/2\", take: [\"general Cv\", \"2x4Sp\"])")?;
            let list = f.required(d, "list", key);
            let elements = f.required(d, "take", |d, n| taken(d, n, rules));
            f.finish(d);
            Some(Contingent { list: list?, elements: elements? })
        })
    });
    let camp = f.or(d, "camp", Camp::Unsaid, |d, n| match word(d, n, "who is in the camp")? {
        none if none.text == "none" => Some(Camp::None),
        empty if empty.text == "empty" => Some(army::held(&Piece::new("", empty.at), rules, &mut Vec::new())),
        inside => {
            let mut faults = Vec::new();
            let camp = army::held(&inside, rules, &mut faults);
            let sound = faults.is_empty();
            note(d, faults);
            sound.then_some(camp)
        }
    });
    let city = f.or(d, "city", City::None, |d, n| {
        d.one_of(
            n,
            "a City",
            &[("none", City::None), ("owned", City::Owned), ("denizens", City::WithDenizens)],
        )
    });
    f.finish(d);
    schema?;
    Some(Army { list: list?, own: own?, contingents: contingents?, camp: camp?, city: city? })
}

fn key(d: &mut Decoder, node: &Node) -> Option<super::Key> {
    let piece = piece(d, node, "a list's key")?;
    let mut faults = Vec::new();
    let key = army::read_key(&piece, &mut faults);
    note(d, faults);
    key
}

fn taken(d: &mut Decoder, node: &Node, rules: &Ruleset) -> Option<Vec<army::Taken>> {
    d.list(node, "a list of elements", |d, n| {
        let piece = piece(d, n, "elements, such as \"2x3Kn\"")?;
        let mut faults = Vec::new();
        let taken = army::taken(&piece, rules, &mut faults);
        note(d, faults);
        taken
    })
}

/// A list as a file's text.
pub fn write_list(list: &ArmyList) -> String {
    let mut text = String::from("(\n    schema: 1,\n");
    let mut field = |name: &str, value: String| {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "    {name}: {value},");
    };
    field("key", quoted(&list.key.to_string()));
    field("title", quoted(&list.title));
    field("general", quoted(&list.general.to_string()));
    let entries: String =
        list.entries.iter().map(|e| format!("        {},\n", quoted(&e.to_string()))).collect();
    field("troops", format!("[\n{entries}    ]"));
    field("aggression", list.aggression.to_string());
    field(
        "home",
        format!("[{}]", list.homes.iter().copied().map(super::home_word).collect::<Vec<_>>().join(", ")),
    );
    field("enemies", all(list.enemies.iter().map(ToString::to_string)));
    let together =
        |allies: &Vec<super::KeyRef>| allies.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + ");
    field("allies", all(list.allies.iter().map(together)));
    field("books", all(list.books.iter().cloned()));
    text.push_str(")\n");
    text
}

fn all(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.map(|item| quoted(&item)).collect::<Vec<_>>().join(", "))
}

/// A text in double quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HILL: &str = r#"(
    schema: 1,
    key: "mine/1a",
    title: "Hill men",
    general: "1x3Kn//4Bd Chief",
    troops: [
        "6x4Sp Farmers",
        "2x3Kn Lords or 4xLH Scouts",
        "3x4Wb/3Wb Wild men [subject]",
    ],
    aggression: 3,
    home: [hilly, arable],
    enemies: ["I/2"],
    allies: ["mine/2", "mine/3 + mine/4"],
    books: ["Annals of the \"hills\""],
)
"#;

    fn mistakes(text: &str) -> Vec<String> {
        let mistakes = read_file("hill.ron", text, &Ruleset::dba3()).expect_err("mistakes");
        mistakes.list.iter().map(|m| format!("{}:{} {}", m.at.line, m.at.column, m.message)).collect()
    }

    #[test]
    fn a_list_s_file_is_read_and_written_back() {
        let Ok(ListFile::List(list)) = read_file("hill.ron", HILL, &Ruleset::dba3()) else {
            panic!("a list")
        };
        assert_eq!(write_list(&list), HILL);
        assert_eq!(list.home_words(), "hilly or arable");
        // One home terrain needs no brackets.
        let one = HILL.replace("[hilly, arable]", "hilly");
        assert!(read_file("hill.ron", &one, &Ruleset::dba3()).is_ok());
    }

    #[test]
    fn every_mistake_of_a_list_is_told_at_once_in_its_place() {
        let text = HILL
            .replace("\"mine/1a\"", "\"Mine/1a\"")
            .replace("6x4Sp", "6x4Sq")
            .replace("Wild men [subject]", "Wild men [thrall]")
            .replace("aggression: 3", "aggression: 2.5")
            .replace("arable", "arabel")
            .replace("enemies", "enemis")
            .replace("mine/4", "mine/0");
        let told = mistakes(&text);
        for start in [
            "3:11 expected a list book",
            "7:12 `4Sq` is no troop code; did you mean `4Sp`?",
            "9:30 expected `[mercenary]` or `[subject]`",
            "11:17 expected an aggression from 0 to 4, found `2.5`",
            "12:19 expected a home terrain",
            "13:5 unknown field `enemis`; did you mean `enemies`?",
            "14:39 expected a number from 1 to 65535",
        ] {
            assert!(told.iter().any(|t| t.starts_with(start)), "{start} in {told:#?}");
        }
        assert_eq!(told.iter().filter(|t| t.ends_with("(army-lists.aggr.1)")).count(), 1, "{told:#?}");
    }

    #[test]
    fn an_army_s_file_is_the_army_that_its_line_says() {
        let text = r#"(
            schema: 1,
            list: "mine/1a",
            take: ["general 3Kn", "4xLH", "4x4Sp"],
            allies: [(list: "mine/2", take: ["general Cv", "2x4Sp"])],
            camp: "followers",
            city: denizens,
        )"#;
        let Ok(ListFile::Army(army)) = read_file("a.ron", text, &Ruleset::dba3()) else { panic!("an army") };
        let line = "mine/1a: general 3Kn, 4xLH, 4x4Sp; ally mine/2: general Cv, 2x4Sp; camp followers; city denizens";
        assert_eq!(Army::read(line, &Ruleset::dba3()), Ok(army));
        let wrong = mistakes(
            &text
                .replace("4xLH", "4xLX")
                .replace("general Cv", "general Cw")
                .replace("city: den", "citi: den"),
        );
        assert_eq!(wrong.len(), 3, "{wrong:#?}");
        assert!(wrong[0].starts_with("4:38 `LX` is no troop code"), "{wrong:#?}");
    }
}
