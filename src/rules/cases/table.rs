//! Questions about everything that fights on a table.

use super::answer::{Answer, Posed};
use super::asked::EdgeName;
use super::places::element;
use crate::rules::due::{Told, Where, due};
use crate::rules::engagement::{Position, Supporter, in_position};
use crate::rules::{Bound, Context, Question, Reason, Side, ask};
use std::collections::BTreeSet;

/// Does that friend stand in support position at that edge?
pub(super) fn supports(
    posed: &Posed<'_>,
    friend: &str,
    name: &str,
    edge: EdgeName,
) -> Result<Answer, String> {
    let (giver, receiver) = (element(posed, friend)?, element(posed, name)?);
    let position = match edge {
        EdgeName::Rear => Position::Rear,
        EdgeName::Left => Position::Left,
        EdgeName::Right => Position::Right,
        EdgeName::Front => return Err("nobody supports from the front".to_owned()),
    };
    if giver.side != receiver.side {
        return Err(format!("{friend} and {name} are enemies: only friends support"));
    }
    let context = Context::of(posed.setup, posed.settings);
    let margin = in_position(giver, receiver, position, &context)
        .ok_or_else(|| format!("{friend} and {name} look opposite ways"))?;
    let found = Supporter { name: friend.to_owned(), troop: giver.troop.clone(), position, margin };
    Ok(Answer::measured(margin.satisfied(), margin.mm, vec![found.reason(name)]))
}

/// Are exactly these the close combats due?
pub(super) fn combats(posed: &Posed<'_>, pairs: &[(String, String)]) -> Result<Answer, String> {
    let bound = posed.bound.clone().unwrap_or_else(|| Bound::new(3, Side::Red));
    let told = Told { exposed: posed.case.conditions.exposed.clone(), ..Told::default() };
    let after = super::moves::after(posed);
    let found = due(&after, posed.settings, &bound, &told);
    if let Some(fault) = found.faults.first() {
        return Err(fault.to_string());
    }
    let sorted = |a: &str, b: &str| {
        let (a, b) = (a.to_owned(), b.to_owned());
        if a <= b { (a, b) } else { (b, a) }
    };
    let wanted: BTreeSet<(String, String)> = pairs.iter().map(|(a, b)| sorted(a, b)).collect();
    let fought: BTreeSet<(String, String)> =
        found.combats.iter().map(|c| c.names()).map(|(a, b)| sorted(a, b)).collect();
    let mut reasons = Vec::new();
    for combat in &found.combats {
        let (a, b) = combat.names();
        let text = match &combat.at {
            Where::Open => format!("{a} and {b} are front to front, and fight"),
            Where::Unconformed => format!("{a} touches {b}, which did not conform, and they fight"),
            Where::Assault(place) => format!("{a}'s front edge is on {place}, which {b} holds: they fight"),
        };
        reasons.push(Reason::tested("dba3.seq.8", text, combat.margin));
        reasons.extend(combat.brief.contact.iter().flat_map(|c| c.reasons.clone()));
        reasons.extend(combat.brief.a.reasons.iter().chain(&combat.brief.b.reasons).cloned());
    }
    for (a, b) in wanted.difference(&fought) {
        // A wanted combat that is none: why their fronts are not in contact.
        let ruling = ask(&after, posed.settings, Question::ContactFront, a, b);
        reasons.extend(ruling.into_iter().flat_map(|r| r.reasons));
    }
    reasons.extend(found.idle.iter().flat_map(|idle| idle.reasons.clone()));
    reasons.extend(found.reasons);
    let said = if fought.is_empty() { "no combat is due".to_owned() } else { format!("{fought:?} fight") };
    Ok(Answer::plain(wanted == fought, said, reasons))
}
