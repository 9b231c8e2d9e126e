//! Whether named elements form one group, with the clauses that say so.

use super::{Formed, Shape, formation};
use crate::geometry::{Margin, separation};
use crate::rules::lineup::Told;
use crate::rules::{AskError, Element, Reason, Settings, Setup, ask};
use std::sync::Arc;

/// Whether these elements, of one side and two or more, form one group as they stand.
///
/// # Errors
/// An unknown name, one named twice, fewer than two, or elements of both sides.
pub fn is_group(
    setup: &Setup,
    settings: &Settings,
    names: &[&str],
    formed: &Formed,
) -> Result<Told, AskError> {
    let mut members: Vec<&Element> = Vec::with_capacity(names.len());
    for name in names {
        let element = ask::find(setup, name)?;
        if members.iter().any(|e| e.name == element.name) {
            return Err(AskError::SameElement { name: element.name.clone() });
        }
        if let Some(first) = members.first().filter(|first| first.side != element.side) {
            return Err(AskError::Enemies { a: first.name.clone(), b: element.name.clone() });
        }
        members.push(element);
    }
    if members.len() < 2 {
        return Err(AskError::NoGroup);
    }
    let found = formation(&members, settings, formed);
    let margin = found.margin.expect("two elements or more have a margin");
    let bent = found.shape == Shape::BentColumn;
    let whole = found.is_whole() && (!bent || settings.wheeling_column_corner_group);
    let listed = names.join(", ");
    let mut reasons = vec![Reason::tested("dba3.group.1", joined(&members, found.between, margin), margin)];
    if !whole && let Some((a, b)) = found.between {
        let apart = separation(&members[a].footprint, &members[b].footprint).mm;
        if apart <= settings.tolerances.contact_gap_mm {
            let text = format!(
                "{} and {} touch without an edge and corners that meet",
                members[a].name, members[b].name
            );
            reasons.push(Reason::fails("dba3.group.2", text));
        }
    }
    match found.shape {
        Shape::Column | Shape::BentColumn if whole => {
            reasons.push(Reason::holds("dba3.group.4", format!("{listed}: one element wide, so a column")));
            let order =
                found.order.iter().map(|&at| members[at].name.as_str()).collect::<Vec<_>>().join(", ");
            reasons.push(Reason::holds("dba3.group.3", format!("each leads or follows another: {order}")));
            if found.shape == Shape::BentColumn {
                let text = "where a column wheels its elements may touch at a corner alone";
                reasons.push(Reason::holds("dba3.set.32", text));
            }
        }
        _ if !whole && !bent && found.joints.len() + 1 < members.len() => {
            reasons.push(Reason::fails("dba3.group.4", format!("{listed}: no group, so no column")));
            reasons.push(Reason::fails("dba3.group.3", "not every one leads or follows another in a column"));
        }
        _ if found.is_whole() && bent => {
            let text =
                "by the setting elements of a wheeling column that touch at a corner alone are no group";
            reasons.insert(0, Reason::fails("dba3.set.32", text));
        }
        _ => reasons
            .push(Reason::fails("dba3.group.4", format!("{listed}: not one element wide, so no column"))),
    }
    if whole && found.shape == Shape::Block {
        reasons.push(Reason::holds("dba3.group.2", "they share edges, not corners alone"));
    }
    let one_army = match contingents(setup, &members) {
        Some(reason) => {
            let holds = reason.holds;
            let listed = Reason { clause: "army-lists.ally.3".to_owned(), ..reason.clone() };
            let at = if holds { reasons.len() } else { 0 };
            reasons.splice(at..at, [reason, listed]);
            holds
        }
        None => true,
    };
    Ok(Told { margin, allowed: whole && one_army, reasons, under: Arc::clone(settings.name()) })
}

/// Whether they are of one contingent, where any of them is of an allied one (clause dba3.group.12).
pub(in crate::rules) fn contingents(setup: &Setup, members: &[&Element]) -> Option<Reason> {
    let ally = members.iter().find_map(|e| setup.contingent(&e.name).map(|of| (e, of)))?;
    let of = |e: &Element| setup.contingent(&e.name).unwrap_or("the army itself").to_owned();
    let other = members.iter().find(|e| !setup.same_contingent(&e.name, &ally.0.name));
    Some(match other {
        Some(other) => {
            let text = format!("{} is of {} and {} of {}", ally.0.name, ally.1, other.name, of(other));
            Reason::fails("dba3.group.12", format!("{text}: allies move as a group among themselves alone"))
        }
        None => Reason::holds("dba3.group.12", format!("all of them are of {}", ally.1)),
    })
}

fn joined(members: &[&Element], between: Option<(usize, usize)>, margin: Margin) -> String {
    let Some((a, b)) = between else { return "they are joined".to_owned() };
    let (a, b) = (&members[a].name, &members[b].name);
    if margin.satisfied() {
        format!("the loosest joint, {a} to {b}, holds by {:.1} mm", margin.mm)
    } else {
        format!("{a} and {b} are not joined: {:.1} mm too far", -margin.mm)
    }
}
