//! Questions about shooting.

use super::answer::{Answer, Posed};
use super::moves::bound_of;
use super::places::{element, fault};
use crate::rules::combat::Struck;
use crate::rules::shooting::{self, Known, Primary};
use crate::rules::{Bound, Reason};

/// What a case knows that the table does not show. Each move counts by the front corner that goes furthest.
fn known(posed: &Posed<'_>) -> Known {
    let mut setup = posed.setup.clone();
    let mut moved = Vec::new();
    for made in posed.moves {
        moved.extend(made.gone_mm(&setup));
        setup = made.applied_to(&setup);
    }
    let conditions = &posed.case.conditions;
    Known { moved, sacking: conditions.sacking.clone(), chosen: conditions.shots.clone(), shot: Vec::new() }
}

/// The bound of the case; one of the first element's own where it says nothing.
fn bound(posed: &Posed<'_>, name: &str) -> Result<Bound, String> {
    let side = element(posed, name)?.side;
    Ok(posed.bound.clone().unwrap_or_else(|| {
        if posed.moves.is_empty() {
            Bound::new(3, side)
        } else {
            bound_of(posed, posed.moves.first().and_then(|made| made.names().next()))
        }
    }))
}

/// May, or must, the first shoot at the second?
pub(super) fn shoots(posed: &Posed<'_>, a: &str, e: &str) -> Result<Answer, String> {
    let (known, bound) = (known(posed), bound(posed, a)?);
    let after = super::moves::after(posed);
    let shot = shooting::shot(&after, posed.settings, &bound, &known, a, e).map_err(fault)?;
    let phase = shooting::shooting(&after, posed.settings, &bound, &known);
    let own = phase.options.iter().find(|o| o.shooter == a);
    let open = own.is_some_and(|o| o.targets.iter().any(|t| t == e));
    let said = match own {
        Some(o) if o.targets.is_empty() => format!("{a} shoots at nobody"),
        Some(o) => format!("{a} may shoot at {}", o.targets.join(", ")),
        None => format!("{a} may shoot at nobody"),
    };
    let chosen: Vec<Reason> = own.map(|o| o.reasons.clone()).unwrap_or_default();
    let mut reasons = shot.reasons;
    if shot.may && !open {
        // Nothing bars the shot itself: what decides is whom it must shoot at instead.
        reasons.splice(0..0, chosen);
    } else {
        reasons.extend(chosen);
    }
    reasons.extend(phase.fires.iter().filter(|f| f.target == e).flat_map(|f| f.reasons.clone()));
    let margin_mm = shot.margin.map(|m| m.mm);
    Ok(Answer { margin_mm, ..Answer::plain(shot.may && open, said, reasons) })
}

/// Does bad going keep the first from shooting at the second?
pub(super) fn hindered(posed: &Posed<'_>, a: &str, e: &str) -> Result<Answer, String> {
    let (known, bound) = (known(posed), bound(posed, a)?);
    let shot = shooting::shot(posed.setup, posed.settings, &bound, &known, a, e).map_err(fault)?;
    let hinders = shot.reasons.iter().any(|r| r.clause == "dba3.going.4" && r.holds);
    let said = if hinders { "bad going keeps it from shooting" } else { "bad going does not hinder it" };
    Ok(Answer::plain(hinders, said, shot.reasons))
}

/// Do exactly these shoot at that target, the first of them rolling the die?
pub(super) fn fire(posed: &Posed<'_>, target: &str, shooters: &[String]) -> Result<Answer, String> {
    let first = shooters.first().ok_or("`Fire` names no shooter")?;
    let (known, bound) = (known(posed), bound(posed, first)?);
    let after = super::moves::after(posed);
    let phase = shooting::shooting(&after, posed.settings, &bound, &known);
    let mut reasons: Vec<Reason> = Vec::new();
    let Some(fire) = phase.fires.iter().find(|f| f.target == target) else {
        reasons.extend(phase.options.into_iter().flat_map(|o| o.reasons));
        return Ok(Answer::plain(false, format!("no shot at {target} is settled"), reasons));
    };
    let (mut wanted, mut found) = (shooters.to_vec(), fire.shooters.clone());
    wanted.sort();
    found.sort();
    let rolls = matches!(&fire.primary, Primary::Named(name) if name == first);
    let who = match &fire.primary {
        Primary::Named(name) => format!("{name} rolls"),
        Primary::PickedBy(side) => format!("{} picks who rolls", side.word()),
    };
    let said = format!("{} shoot at {target}, {who}, {} aid", fire.shooters.join(", "), fire.aiders);
    reasons.extend(fire.reasons.clone());
    if let Some(side) = phase.order {
        let text = format!("the order of shooting may matter, and {} settles it", side.word());
        reasons.push(Reason::holds("dba3.seq.6", text));
    }
    reasons.extend(phase.options.into_iter().flat_map(|o| o.reasons));
    Ok(Answer::plain(wanted == found && rolls, said, reasons))
}

/// Do the shots at that target strike its rear edge?
pub(super) fn in_rear(posed: &Posed<'_>, target: &str) -> Result<Answer, String> {
    let side = element(posed, target)?.side.enemy();
    let bound = posed.bound.clone().unwrap_or_else(|| Bound::new(3, side));
    let known = known(posed);
    let phase = shooting::shooting(&super::moves::after(posed), posed.settings, &bound, &known);
    let Some(fire) = phase.fires.into_iter().find(|f| f.target == target) else {
        let text = format!("nobody is settled to shoot at {target}");
        return Ok(Answer::plain(false, text.clone(), vec![Reason::fails("dba3.rec.12", text)]));
    };
    let rear = fire.struck == Struck::RearEdge;
    let said = if rear { "its rear edge is struck" } else { "its rear edge is not struck" };
    Ok(Answer::plain(rear, said, fire.reasons))
}
