//! Where a battle differs from what is expected of it.

use super::script::Checkpoint;
use super::{Battle, Clash, State};
use crate::rules::ruleset::Fate;
use crate::rules::victory::Stand;
use crate::rules::{Element, Location, Ruleset, Setup, notation};
use std::collections::BTreeSet;

/// How near a place has to be, millimetres; and a heading, degrees.
const SAME: f64 = 0.1;

/// What a shot or combat is expected to come to.
pub(super) struct Expected<'e> {
    pub totals: Option<(i32, i32)>,
    pub fates: Option<(Fate, Fate)>,
    pub ends: Option<&'e str>,
    pub lost: Option<&'e [String]>,
}

/// Where a shot or combat came out otherwise.
pub(super) fn of_clash(
    expected: &Expected<'_>,
    clash: &Clash,
    (before, after): (&State, &State),
    rules: &Ruleset,
) -> Vec<String> {
    let mut differs = Vec::new();
    let (totals, fates) = (clash.outcome.totals, (clash.outcome.a.fate, clash.outcome.b.fate));
    if let Some(wanted) = expected.totals.filter(|wanted| *wanted != totals) {
        differs.push(format!("expected the totals {wanted:?}, they are {totals:?}"));
    }
    if let Some(wanted) = expected.fates.filter(|wanted| *wanted != fates) {
        let said = |(a, b): (Fate, Fate)| format!("{} and {}", a.word(), b.word());
        differs.push(format!("expected {}, the table says {}", said(wanted), said(fates)));
    }
    differs.extend(expected.ends.iter().flat_map(|ends| misplaced(ends, &after.setup, rules)));
    if let Some(wanted) = expected.lost {
        let was = lost(&before.setup);
        let new = lost(&after.setup).difference(&was).copied().collect();
        differs.extend(otherwise("to be lost by it", wanted, &new));
    }
    differs
}

/// Where the end of a bound came out otherwise.
pub(super) fn of_bound(expected: &Checkpoint, after: &State, stand: &Stand, battle: &Battle) -> Vec<String> {
    let rules = battle.settings.ruleset();
    let mut differs: Vec<String> =
        expected.ends.iter().flat_map(|ends| misplaced(ends, &after.setup, rules)).collect();
    if let Some(wanted) = &expected.lost {
        differs.extend(otherwise("to be lost so far", wanted, &lost(&after.setup)));
    }
    let losses = (stand.red.total(), stand.blue.total());
    if let Some(wanted) = expected.losses.filter(|wanted| *wanted != losses) {
        differs.push(format!("expected losses of {wanted:?}, they are {losses:?}"));
    }
    let places = battle.places(after);
    if let Some(wanted) = expected.places.filter(|wanted| *wanted != places) {
        differs.push(format!("expected camps and Cities as {wanted:?}, they are {places:?}"));
    }
    if expected.victor != after.victor() {
        let said = |side: Option<crate::rules::Side>| side.map_or("nobody", crate::rules::Side::word);
        differs.push(format!(
            "expected {} to have won, the losses say {}",
            said(expected.victor),
            said(after.victor())
        ));
    }
    differs
}

fn lost(setup: &Setup) -> BTreeSet<&str> {
    let gone = setup.elements.iter().filter(|e| e.location == Location::Off);
    gone.map(|e| e.name.as_str()).collect()
}

fn otherwise(what: &str, wanted: &[String], found: &BTreeSet<&str>) -> Option<String> {
    let wanted: BTreeSet<&str> = wanted.iter().map(String::as_str).collect();
    let list = |names: &BTreeSet<&str>| match names.iter().copied().collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => "nobody".to_owned(),
        names => names,
    };
    (wanted != *found).then(|| format!("expected {} {what}, lost are {}", list(&wanted), list(found)))
}

/// Elements that do not stand where they are expected to.
fn misplaced(ends: &str, setup: &Setup, rules: &Ruleset) -> Vec<String> {
    let text = format!("bw {}mm\n{ends}", setup.scale.mm_per_bw());
    let wanted = match notation::read_setup(&text, rules) {
        Ok(wanted) => wanted,
        Err(errors) => return errors.iter().map(|e| format!("`ends` cannot be read: {e}")).collect(),
    };
    let differs = |wanted: &Element| match setup.element(&wanted.name) {
        None => Some(format!("`ends` names {}, which is not in the battle", wanted.name)),
        Some(found) if same(found, wanted) => None,
        Some(found) => Some(format!(
            "expected `{}`, it is `{}`",
            notation::write_element(wanted),
            notation::write_element(found)
        )),
    };
    wanted.elements.iter().filter_map(differs).collect()
}

fn same(found: &Element, wanted: &Element) -> bool {
    let (a, b) = (found.footprint.pose(), wanted.footprint.pose());
    let turn = a.heading.turn_to_radians(b.heading).to_degrees().abs();
    let placed = (a.centre - b.centre).norm() <= SAME && turn <= SAME;
    let gone = found.location == Location::Off && wanted.location == Location::Off;
    found.location == wanted.location && found.troop == wanted.troop && (placed || gone)
}
