//! Questions about moves, groups and the end of movement.

use super::answer::{Answer, Posed};
use super::places::fault;
use crate::rules::bound::{Bound, Done};
use crate::rules::group::{self, Formed};
use crate::rules::movement::{self, Judged, Seen, TacticalMove};
use crate::rules::{Settings, Setup, Side, notation};
use std::collections::BTreeSet;

/// The moves of a text, each on the table that the ones before it leave.
pub(super) fn made(text: &str, setup: &Setup, settings: &Settings) -> Result<Vec<TacticalMove>, String> {
    let lines = notation::read_moves(text, settings.ruleset(), setup.scale)
        .map_err(|errors| errors.iter().map(|e| format!("move: {e}")).collect::<Vec<_>>().join("; "))?;
    let (mut moves, mut setup) = (Vec::new(), setup.clone());
    for line in &lines {
        let found = line.on(&setup).map_err(|e| e.to_string())?;
        setup = found.applied_to(&setup);
        moves.push(found);
    }
    Ok(moves)
}

/// The table after every move of the case.
pub(super) fn after(posed: &Posed<'_>) -> Setup {
    posed.moves.iter().fold(posed.setup.clone(), |setup, made| made.applied_to(&setup))
}

/// The bound of a case that says nothing of it: that side's second, its die not known.
pub(super) fn bound_of(posed: &Posed<'_>, mover: Option<&str>) -> Bound {
    let mover = mover.and_then(|name| posed.setup.element(name));
    posed.bound.clone().unwrap_or_else(|| match mover.map(|e| e.side) {
        Some(Side::Blue) => Bound::new(4, Side::Blue),
        Some(Side::Red) | None => Bound::new(3, Side::Red),
    })
}

/// The first to move.
fn first(moves: &[TacticalMove]) -> Option<&str> {
    moves.first()?.names().next()
}

/// Every move in its turn, in the bound that the ones before it leave.
pub(super) fn legal(posed: &Posed<'_>) -> Result<Answer, String> {
    if posed.moves.is_empty() {
        return Err("`Move` names no move; write one as `A+B ahead 2`".to_owned());
    }
    let mut bound = bound_of(posed, first(posed.moves));
    let (mut setup, mut pips, mut all): (Setup, u8, Vec<Judged>) = (posed.setup.clone(), 0, Vec::new());
    for made in posed.moves {
        let judged = movement::judge(&setup, &bound, posed.settings, made).map_err(|e| e.to_string())?;
        let movers = made.names().map(str::to_owned).collect();
        bound.done.push(Done { movers, how: made.how(), pips: judged.pips });
        pips = pips.saturating_add(judged.pips);
        setup.clone_from(&judged.after);
        all.push(judged);
    }
    // Those that are not legal decide.
    all.sort_by_key(|judged| judged.legal);
    let holds = all.iter().all(|judged| judged.legal);
    let margin = all.first().and_then(Judged::binding).and_then(|c| c.reason.margin);
    let remedies = all.iter().flat_map(|j| &j.conditions).filter_map(|c| c.remedy.clone()).collect();
    let wrong = all.iter().flat_map(|j| &j.conditions).filter(|c| !c.reason.holds);
    let said =
        wrong.map(|c| format!("{}: {}", c.reason.clause, c.reason.text)).collect::<Vec<_>>().join("; ");
    let asked = all.iter().flat_map(|j| &j.conditions).map(|c| &c.reason);
    let noted = all.iter().flat_map(|j| j.unchecked.iter().chain(&j.notes));
    let conditions = asked.clone().count();
    let reasons = asked.chain(noted).cloned().collect();
    Ok(Answer {
        conditions,
        margin_mm: margin.map(|m| m.mm),
        pips: Some(pips),
        after: Some(setup),
        remedies,
        ..Answer::plain(holds, if said.is_empty() { "legal".to_owned() } else { said }, reasons)
    })
}

/// Whether there is a legal explanation of where these moves leave everything: only where everything ended was
/// seen. The cheapest one, in the notation of moves.
pub(super) fn went(posed: &Posed<'_>) -> Result<Answer, String> {
    let after = after(posed);
    let bound = bound_of(posed, first(posed.moves));
    let formed = Formed::default();
    let found = movement::explain(Seen::ends(posed.setup, &after, 0.0), &bound, posed.settings, &formed);
    let Some(best) = found.into_iter().next() else {
        return Ok(Answer {
            after: Some(after),
            ..Answer::plain(false, "nothing moved, or no motion fits", Vec::new())
        });
    };
    let mut setup = posed.setup.clone();
    let mut explained: Vec<String> = Vec::new();
    for one in &best.moves {
        explained.push(notation::write_move(&one.mv, &setup));
        setup.clone_from(&one.judged.after);
    }
    explained.extend(best.nudges.iter().map(|nudge| format!("{} nudged", nudge.name)));
    let asked = best.moves.iter().flat_map(|one| &one.judged.conditions).map(|c| &c.reason);
    let noted = best.moves.iter().flat_map(|one| one.judged.unchecked.iter().chain(&one.judged.notes));
    let conditions = asked.clone().count();
    let reasons = asked.chain(noted).cloned().collect();
    let remedies =
        best.moves.iter().flat_map(|one| &one.judged.conditions).filter_map(|c| c.remedy.clone()).collect();
    Ok(Answer {
        conditions,
        pips: u8::try_from(best.pips).ok(),
        remedies,
        after: Some(after),
        ..Answer { explained: explained.clone(), ..Answer::plain(best.legal, explained.join("; "), reasons) }
    })
}

pub(super) fn split(names: &str) -> Vec<&str> {
    names.split('+').map(str::trim).collect()
}

pub(super) fn group(posed: &Posed<'_>, names: &str) -> Result<Answer, String> {
    let told = group::is_group(posed.setup, posed.settings, &split(names), &Formed::default());
    told.map(Answer::told).map_err(fault)
}

pub(super) fn groups(posed: &Posed<'_>, side: Side, expected: &[String]) -> Result<Answer, String> {
    let of_side = |name: &String| posed.setup.element(name).is_some_and(|e| e.side == side);
    let found: BTreeSet<BTreeSet<String>> = group::groups(posed.setup, posed.settings, &Formed::default())
        .into_iter()
        .filter(|members| members.iter().all(of_side))
        .map(|members| members.into_iter().collect())
        .collect();
    let expected: BTreeSet<BTreeSet<String>> =
        expected.iter().map(|names| split(names).into_iter().map(str::to_owned).collect()).collect();
    let mut reasons = Vec::new();
    for members in &found {
        let names: Vec<&str> = members.iter().map(String::as_str).collect();
        let told = group::is_group(posed.setup, posed.settings, &names, &Formed::default());
        reasons.extend(told.map_err(fault)?.reasons);
    }
    let listed: Vec<String> =
        found.iter().map(|members| members.iter().cloned().collect::<Vec<_>>().join("+")).collect();
    let said = if listed.is_empty() { "no groups".to_owned() } else { listed.join(", ") };
    Ok(Answer::plain(found == expected, said, reasons))
}
