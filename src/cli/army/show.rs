//! An army list for people, and as JSON.

use crate::rules::Ruleset;
use crate::rules::army_list::{ArmyList, KeyRef, Shelf, home_word};
use crate::rules::ruleset::Arm;
use serde_json::json;
use std::collections::BTreeSet;

/// One line of the list of lists.
pub(super) fn line(list: &ArmyList) -> String {
    let codes: BTreeSet<&str> = codes(list).collect();
    let codes = codes.into_iter().collect::<Vec<_>>().join(" ");
    format!(
        "{:<10} {:<26} aggression {}  {:<18} {codes}",
        list.key.to_string(),
        list.title,
        list.aggression,
        list.home_words()
    )
}

fn codes(list: &ArmyList) -> impl Iterator<Item = &str> {
    list.all_entries().flat_map(|e| e.items()).flat_map(|item| &item.forms).map(|form| form.code.as_str())
}

/// A list as it is read at a table.
pub(super) fn whole(list: &ArmyList, shelf: &Shelf) -> String {
    let mut lines = vec![
        format!("{}  {}", list.key, list.title),
        format!("aggression  {}", list.aggression),
        format!("home        {}", list.home_words()),
        format!("general     {}", list.general),
    ];
    for (n, entry) in list.entries.iter().enumerate() {
        lines.push(format!("{:<12}{entry}", if n == 0 { "troops" } else { "" }));
    }
    let named = |of: &[KeyRef], between: &str| -> String {
        of.iter().map(|key| titled(key, shelf)).collect::<Vec<_>>().join(between)
    };
    let allies: Vec<String> = list.allies.iter().map(|together| named(together, " + ")).collect();
    let none = |text: String| if text.is_empty() { "none".to_owned() } else { text };
    lines.push(format!("enemies     {}", none(named(&list.enemies, ", "))));
    lines.push(format!("allies      {}", none(allies.join(", "))));
    lines.push(format!("books       {}", none(list.books.join(", "))));
    lines.push(String::new());
    let rules = Ruleset::dba3();
    let feet =
        list.all_entries().flat_map(|e| e.items()).flat_map(|i| &i.forms).filter_map(|f| f.foot.as_deref());
    let all: BTreeSet<&str> = codes(list).chain(feet).collect();
    for troop in all.into_iter().filter_map(|code| rules.troop(code)) {
        let arm = match troop.arm {
            Arm::Mounted => "mounted",
            Arm::Fast => "Fast foot",
            Arm::Solid => "Solid foot",
        };
        lines.push(format!("{:<12}{}, {arm}", troop.code, troop.name));
    }
    lines.push(String::new());
    lines.push("A number is the most that can be used, a range has a least too; `or`: one of these; `/`: all one or all".to_owned());
    lines.push("the other; `//`: each may dismount in the course of the game. An army is 12 elements, one its general's.".to_owned());
    lines.join("\n")
}

/// A list's key with its title, where it is at hand.
fn titled(of: &KeyRef, shelf: &Shelf) -> String {
    let titles: Vec<&str> =
        shelf.lists().iter().filter(|l| of.names(&l.key)).map(|l| l.title.as_str()).collect();
    if titles.is_empty() { of.to_string() } else { format!("{of} {}", titles.join(" and ")) }
}

/// A list as JSON: `docs/json.md`.
pub(super) fn json(list: &ArmyList) -> serde_json::Value {
    let refs = |of: &[KeyRef]| of.iter().map(ToString::to_string).collect::<Vec<_>>();
    json!({
        "key": list.key.to_string(),
        "title": list.title,
        "general": list.general.to_string(),
        "troops": list.entries.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "aggression": list.aggression.factor(),
        "home": list.homes.iter().copied().map(home_word).collect::<Vec<_>>(),
        "enemies": refs(&list.enemies),
        "allies": list.allies.iter().map(|together| refs(together)).collect::<Vec<_>>(),
        "books": list.books,
    })
}
