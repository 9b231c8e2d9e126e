//! An army judged against its list: all that is wrong with it at once, each with its clause.
//!
//! Clauses army-lists.gen.3, .4, .6, .7, troop.1, .2, .3, .5, ally.11, .12, dba3.troop.12 and .13; contingents are
//! `contingent.rs`'s, camp and City `camp.rs`'s.

use super::army::{Army, Taken};
use super::entry::{Entry, Item, Origin};
use super::finding::ArmyRuling;
use super::fit::{Allotted, Counts, Fit, Share, best};
use super::{ARMY, ArmyList, Shelf, camp, contingent};
use crate::rules::Ruleset;
use crate::rules::ruleset::Mark;
use crate::text::counted;

/// Judges an army against its list, its allies against theirs.
pub fn judge(army: &Army, shelf: &Shelf, rules: &Ruleset) -> ArmyRuling {
    let mut found = ArmyRuling::default();
    let Some(list) = shelf.list(&army.list) else {
        found.fault("army-lists.gen.5", format!("no list {} is known{}", army.list, shelf.like(&army.list)));
        return found;
    };
    let allied: usize = army.contingents.iter().flat_map(|c| &c.elements).map(|t| usize::from(t.count)).sum();
    found.note("army-lists.gen.5", format!("{} is the list of {}", list.key, list.title));
    size(army, allied, &mut found);
    general(&army.own, list, allied, &mut found);
    commanders(&army.own, rules, &mut found);
    let counts = counts(&army.own);
    let share = Share::Whole { exchanged: allied };
    let fit = best(&list.entries, &counts, share);
    over(&fit, &counts, list, shelf, &mut found);
    least(&fit, allied, &mut found);
    exchange(&fit, army, allied, &mut found);
    used(&fit.allotted, list, &mut found);
    contingent::judge(army, list, shelf, rules, &mut found);
    camp::judge(army, rules, &mut found);
    found.in_order()
}

/// How many there are of each code, generals left out.
pub(super) fn counts(taken: &[Taken]) -> Counts {
    let mut counts = Counts::new();
    for one in taken.iter().filter(|one| !one.general) {
        *counts.entry(one.code.clone()).or_insert(0) += usize::from(one.count);
    }
    counts
}

/// How many elements in all, generals' among them.
pub(super) fn elements(taken: &[Taken]) -> usize {
    taken.iter().map(|one| usize::from(one.count)).sum()
}

fn size(army: &Army, allied: usize, found: &mut ArmyRuling) {
    let (own, wanted) = (elements(&army.own), usize::from(ARMY));
    let text = match allied {
        0 => format!("{}; an army has {wanted}", counted(own, "element")),
        _ => format!(
            "{} of its own and {allied} allied, {} in all; an army has {wanted}",
            counted(own, "element"),
            own + allied
        ),
    };
    found.count("army-lists.gen.7", text.clone(), (own + allied, wanted));
    found.count("dba3.troop.12", text, (own + allied, wanted));
}

fn general(own: &[Taken], list: &ArmyList, allied: usize, found: &mut ArmyRuling) {
    let generals: Vec<&Taken> = own.iter().filter(|one| one.general).collect();
    let count = generals.iter().map(|one| usize::from(one.count)).sum();
    let text = format!("{count} general's elements; an army has one");
    found.count("dba3.troop.12", text, (count, 1));
    for one in &generals {
        let may = list.general.in_short();
        let text = format!("the general's element is {}; the list has `{may}` for it", one.code);
        if list.general.items().any(|item| item.form(&one.code).is_some()) {
            found.note("army-lists.troop.1", text);
        } else {
            found.fault("army-lists.troop.1", text);
        }
    }
    if allied > 0 {
        let text = "elements give way to allies, and the general's is not among them";
        match count {
            0 => found.fault("army-lists.ally.12", "the general's element may not give way to allies"),
            _ => found.note("army-lists.ally.12", text),
        }
    }
}

fn commanders(own: &[Taken], rules: &Ruleset, found: &mut ArmyRuling) {
    for one in own.iter().filter(|one| rules.troop(&one.code).is_some_and(|t| t.is(Mark::AlwaysGeneral))) {
        let text = format!("{} is always the general's element", one.code);
        if one.general { found.note("dba3.troop.13", text) } else { found.fault("dba3.troop.13", text) }
    }
}

/// Codes of which there are too many, or that are in no entry.
pub(super) fn over(fit: &Fit<'_>, counts: &Counts, list: &ArmyList, shelf: &Shelf, found: &mut ArmyRuling) {
    for (code, &by) in &fit.over {
        let (taken, off) = (counts[code], by as i32);
        let mixed = fit
            .allotted
            .iter()
            .find(|a| a.count > 0 && a.of.form.code != *code && a.of.item.form(code).is_some());
        if let Some(mixed) = mixed {
            let (item, with, n) = (mixed.of.item.in_short(), &mixed.of.form.code, mixed.count);
            let text = format!(
                "`/` lets all elements of `{item}` be one or all the other, and there are {n} of {with} and {taken} of {code}"
            );
            found.off("army-lists.troop.3", text, off);
            continue;
        }
        let of: Vec<&Entry> = list.entries.iter().filter(|entry| has(entry, code)).collect();
        if !of.is_empty() {
            let entries = of.iter().map(|e| format!("`{}`", e.in_short())).collect::<Vec<_>>().join(" and ");
            let chosen = fit.allotted.iter().filter(|a| a.of.form.code == *code);
            let room: usize = chosen.map(|a| usize::from(a.of.item.numbers.most)).sum();
            let text = match room {
                0 => format!("{taken} of {code}, and of {entries} something else is taken"),
                _ => format!("{taken} of {code}, of which {entries} lets {room} be used"),
            };
            found.off("army-lists.troop.2", text, off);
            continue;
        }
        let feet = list.all_entries().flat_map(Entry::items).flat_map(|item| &item.forms);
        if let Some(form) = feet.into_iter().find(|form| form.foot.as_ref() == Some(code)) {
            let rider = &form.code;
            let text = format!(
                "{taken} of {code}: `{form}` begins the game as {rider} and becomes {code} in the course of it"
            );
            found.off("army-lists.troop.5", text, off);
            continue;
        }
        let text = match list.general.items().any(|item| item.form(code).is_some()) {
            true => format!("{taken} of {code} beside the general's element, and no other entry has any"),
            false => format!("{taken} of {code}, and no entry of {} has any", list.key),
        };
        found.off("army-lists.gen.6", text, off);
        let ally = list.allies.iter().flatten().find(|ally| {
            shelf.lists().iter().any(|l| ally.names(&l.key) && l.all_entries().any(|entry| has(entry, code)))
        });
        match ally {
            Some(ally) => found.fault(
                "army-lists.gen.4",
                format!("{code} are of its ally {ally}: they come as a contingent with their own general's element"),
            ),
            None => found.fault(
                "army-lists.gen.3",
                format!("mercenaries and subjects are in a list's entries, and {code} are in none"),
            ),
        }
    }
}

fn has(entry: &Entry, code: &str) -> bool {
    entry.items().any(|item| item.form(code).is_some())
}

/// Items of which there are fewer than their least, by more than gave way to allies.
fn least(fit: &Fit<'_>, allied: usize, found: &mut ArmyRuling) {
    let mut spared = allied;
    for one in &fit.allotted {
        let least = usize::from(one.of.item.numbers.least());
        let short = least.saturating_sub(one.count);
        let given = short.min(spared);
        spared -= given;
        if short > given {
            let text = format!("{} of `{}`, which has {least} at least", one.count, one.of.item.in_short());
            found.off("army-lists.troop.2", text, given as i32 - short as i32);
        }
    }
}

/// That allies take the place of as many of the army's own elements.
fn exchange(fit: &Fit<'_>, army: &Army, allied: usize, found: &mut ArmyRuling) {
    if allied == 0 {
        return;
    }
    let own = elements(&army.own);
    let wanted = usize::from(ARMY).saturating_sub(allied);
    let text =
        format!("{allied} allied elements take the place of {allied} of twelve: {own} are left, of {wanted}");
    found.count("army-lists.ally.11", text, (own, wanted));
    if fit.room < allied {
        let text = format!(
            "with what is chosen the list has {} more elements that may have given way to {allied} allied ones",
            fit.room
        );
        found.off("army-lists.ally.11", text, fit.room as i32 - allied as i32);
    }
}

/// What is used of each item, and what its notation lets it do.
fn used(allotted: &[Allotted<'_>], list: &ArmyList, found: &mut ArmyRuling) {
    for one in allotted.iter().filter(|one| one.count > 0) {
        let (n, item, form) = (one.count, one.of.item, one.of.form);
        found
            .note("army-lists.troop.1", format!("{n} {} {}: an entry of {}", form.code, item.name, list.key));
        let most = item.numbers.most;
        if n <= usize::from(most) {
            found.note(
                "army-lists.troop.2",
                format!("{n} of `{}`, of which {most} can be used", item.in_short()),
            );
        }
        if item.forms.len() > 1 {
            found.note("army-lists.troop.3", format!("all {n} of `{}` are {}", item.in_short(), form.code));
        }
        if let Some(foot) = &form.foot {
            found.note(
                "army-lists.troop.5",
                format!("each {} may become {foot} in the course of the game", form.code),
            );
        }
        people(item, found);
    }
    if !allotted.is_empty() {
        found.note("army-lists.gen.6", format!("{} states its troops, and these are of them", list.key));
    }
}

fn people(item: &Item, found: &mut ArmyRuling) {
    let who = match item.origin {
        Origin::Own => return,
        Origin::Mercenary => "mercenaries",
        Origin::Subject => "of a subject people",
    };
    found.note("army-lists.gen.3", format!("{} are {who}, and of the list itself", item.name));
}
