//! Allied contingents judged: from whom they may come, how many elements, and which.
//!
//! Clauses army-lists.ally.1, .4 to .10, gen.4.

use super::army::{Army, Contingent};
use super::entry::{Entry, Item};
use super::finding::ArmyRuling;
use super::fit::{Share, best};
use super::judge::{counts, elements, over};
use super::{ArmyList, Shelf};
use crate::rules::Ruleset;
use crate::rules::ruleset::Mark;
use crate::text::counted;

/// Judges all contingents of an army.
pub(super) fn judge(army: &Army, list: &ArmyList, shelf: &Shelf, rules: &Ruleset, found: &mut ArmyRuling) {
    let all = &army.contingents;
    for contingent in all {
        named(contingent, list, found);
    }
    match all.as_slice() {
        [] => return,
        [one] => {
            let n = elements(&one.elements);
            found.count(
                "army-lists.ally.4",
                format!("{} of {}; one contingent has 3", counted(n, "element"), one.list),
                (n, 3),
            );
        }
        [one, other] => pair(one, other, list, found),
        more => {
            let n = more.len() as i32;
            found.off("army-lists.ally.5", format!("{n} contingents; two are the most"), n - 2);
        }
    }
    for contingent in all {
        let Some(theirs) = shelf.list(&contingent.list) else {
            let like = shelf.like(&contingent.list);
            found.fault("army-lists.gen.5", format!("no list {} is known{like}", contingent.list));
            continue;
        };
        of_list(contingent, theirs, all.len() == 1, shelf, rules, found);
    }
}

fn named(contingent: &Contingent, list: &ArmyList, found: &mut ArmyRuling) {
    let of = &contingent.list;
    if *of == list.key {
        found.fault("army-lists.gen.4", format!("{of} is the army's own list: its troops are no allies"));
    } else {
        found.note(
            "army-lists.gen.4",
            format!("troops of {of} come as a contingent, under a general of their own"),
        );
    }
    if list.allied_with(of) {
        found.note("army-lists.ally.1", format!("{} names {of} as an ally", list.key));
    } else {
        let allies: Vec<String> = list
            .allies
            .iter()
            .map(|a| a.iter().map(ToString::to_string).collect::<Vec<_>>().join(" + "))
            .collect();
        let allies = if allies.is_empty() { "none".to_owned() } else { allies.join(", ") };
        found.fault(
            "army-lists.ally.1",
            format!("{} does not name {of} as an ally; it names {allies}", list.key),
        );
    }
}

fn pair(one: &Contingent, other: &Contingent, list: &ArmyList, found: &mut ArmyRuling) {
    let (a, b) = (&one.list, &other.list);
    if a == b {
        found.fault(
            "army-lists.ally.5",
            format!("two contingents come from different armies, and both are of {a}"),
        );
    } else if list.allied_with_both(a, b) {
        found.note("army-lists.ally.5", format!("{a} and {b} furnished contingents at the same battle"));
    } else {
        let text =
            format!("{} does not say that {a} and {b} furnished contingents at the same battle", list.key);
        found.fault("army-lists.ally.5", text);
    }
    for contingent in [one, other] {
        let n = elements(&contingent.elements);
        let text = format!("{} of {}; each of two contingents has 2", counted(n, "element"), contingent.list);
        found.count("army-lists.ally.5", text, (n, 2));
    }
}

/// A contingent against its own list.
fn of_list(
    contingent: &Contingent,
    theirs: &ArmyList,
    alone: bool,
    shelf: &Shelf,
    rules: &Ruleset,
    found: &mut ArmyRuling,
) {
    let of = &theirs.key;
    let generals: Vec<&str> =
        contingent.elements.iter().filter(|t| t.general).map(|t| t.code.as_str()).collect();
    let n = contingent.elements.iter().filter(|t| t.general).map(|t| usize::from(t.count)).sum();
    let text = format!("{} of the general of {of}; a contingent has that one", counted(n, "element"));
    found.count("army-lists.ally.6", text, (n, 1));
    for code in &generals {
        let may = theirs.general.in_short();
        let text = format!("the general's element of {of} is {code}; its list has `{may}` for it");
        if theirs.general.items().any(|item| item.form(code).is_some()) {
            found.note("army-lists.troop.1", text);
        } else {
            found.fault("army-lists.ally.6", text);
        }
    }
    if n > 0 {
        found.note("army-lists.ally.7", format!("the general's element of {of} does not work as a general"));
    }
    for one in contingent.elements.iter().filter(|one| !one.general) {
        if rules.troop(&one.code).is_some_and(|t| t.is(Mark::AlwaysGeneral)) {
            found.fault("dba3.troop.13", format!("{} is always a general's element", one.code));
        }
    }
    let counts = counts(&contingent.elements);
    let fit = best(&theirs.entries, &counts, Share::Part);
    over(&fit, &counts, theirs, shelf, found);
    biggest(contingent, theirs, found);
    if alone && elements(&contingent.elements) == 3 && fit.over.is_empty() {
        found.note("army-lists.ally.10", format!("the third element is any unused one of {of}"));
    }
}

/// One element at least of the entry that has most elements.
fn biggest(contingent: &Contingent, theirs: &ArmyList, found: &mut ArmyRuling) {
    let items = || theirs.entries.iter().flat_map(Entry::items);
    let Some(most) = items().map(|item| item.numbers.most).max() else { return };
    let biggest: Vec<&Item> = items().filter(|item| item.numbers.most == most).collect();
    let listed =
        biggest.iter().map(|item| format!("`{}`", item.in_short())).collect::<Vec<_>>().join(" and ");
    let of = &theirs.key;
    let drawn = contingent
        .elements
        .iter()
        .filter(|one| !one.general)
        .find_map(|one| biggest.iter().find(|item| item.form(&one.code).is_some()).map(|_| &one.code));
    match (drawn, biggest.len()) {
        (None, _) => {
            let text =
                format!("no element of {listed}, which has most elements in {of}; one at least is wanted");
            found.off("army-lists.ally.8", text, -1);
        }
        (Some(code), 1) => {
            found
                .note("army-lists.ally.8", format!("{code} is of {listed}, which has most elements in {of}"));
        }
        (Some(code), _) => {
            found.note("army-lists.ally.8", format!("{code} is of an entry that has most elements in {of}"));
            found.note("army-lists.ally.9", format!("{listed} tie in {of}, and its player drew {code}"));
        }
    }
}
