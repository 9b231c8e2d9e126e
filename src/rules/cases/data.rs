//! Questions about what tables and rosters say.

use super::answer::{Answer, Posed};
use super::places::element;
use crate::rules::big_battle::{self, Losses};
use crate::rules::ruleset::Which;
use crate::rules::{Reason, Side, check};

/// A reason that another says is overruled (a deeper base is allowed) holds already.
fn checked(reasons: Vec<Reason>) -> Answer {
    let holds = reasons.iter().all(|r| r.holds);
    let said = reasons.iter().filter(|r| !r.holds).map(|r| r.text.clone()).collect::<Vec<_>>().join("; ");
    Answer::plain(holds, said, reasons)
}

pub(super) fn base(posed: &Posed<'_>, name: &str) -> Result<Answer, String> {
    Ok(checked(check::base(element(posed, name)?, posed.setup.scale, posed.settings)))
}

pub(super) fn board(posed: &Posed<'_>) -> Answer {
    checked(check::board(posed.setup))
}

pub(super) fn army(posed: &Posed<'_>, side: Side) -> Answer {
    checked(check::army(posed.setup, side, posed.settings))
}

pub(super) fn troop(posed: &Posed<'_>, code: &str, which: &Which) -> Answer {
    let rules = posed.settings.ruleset();
    let troop = rules.troop(code);
    let mut reasons: Vec<Reason> =
        troop.iter().flat_map(|t| &t.clauses).map(|id| Reason::holds(id, code)).collect();
    reasons.extend(troop.and_then(check::class));
    reasons.extend(rules.retired(code).map(|old| Reason::holds(&old.clause, &old.says)));
    let said = troop.map_or(format!("no troop code `{code}`"), |t| format!("{} is {}", t.code, t.name));
    Answer::plain(troop.is_some_and(|t| which.holds(t)), said, reasons)
}

pub(super) fn dismounts(posed: &Posed<'_>, entry: &str) -> Answer {
    checked(check::dismounts(entry, posed.settings.ruleset()))
}

pub(super) fn paces(bw: f64, paces: f64) -> Answer {
    checked(vec![check::paces(bw, paces)])
}

pub(super) fn big_board(posed: &Posed<'_>) -> Answer {
    checked(check::big_battle_board(posed.setup))
}

pub(super) fn big_plough(posed: &Posed<'_>, dice: &[u8]) -> Answer {
    checked(big_battle::plough(dice, posed.settings).1)
}

pub(super) fn big_beaten(posed: &Posed<'_>, began: u32, own: (u32, u32), enemy: (u32, u32)) -> Answer {
    let losses = |(in_all, this_bound)| Losses { in_all, this_bound };
    checked(big_battle::beaten(began, losses(own), losses(enemy), posed.settings))
}

pub(super) fn pip_dice(dice: &[u8]) -> Answer {
    let reasons = check::pip_dice(dice);
    let pips = dice.first().copied().filter(|_| reasons.iter().all(|r| r.holds));
    Answer { pips, ..checked(reasons) }
}

pub(super) fn meet(posed: &Posed<'_>, (a, b): (&str, &str), by: (f64, f64)) -> Result<Answer, String> {
    let (one, other) = (element(posed, a)?, element(posed, b)?);
    let reason = check::meet(posed.setup, (one, other), by, &posed.settings.tolerances)
        .ok_or_else(|| format!("{a} and {b} do not face each other"))?;
    let mm = reason.margin.map_or(0.0, |m| m.mm);
    Ok(Answer::measured(reason.holds, mm, vec![reason]))
}

pub(super) fn figures(posed: &Posed<'_>, code: &str, count: u8) -> Result<Answer, String> {
    let troop = posed.settings.ruleset().troop(code).ok_or_else(|| format!("no troop code `{code}`"))?;
    let text = format!("{code} has {} on a base", troop.figures);
    let holds = troop.figures == count;
    let reason = Reason { holds, ..Reason::holds("dba3.base.16", text.clone()) };
    Ok(Answer::plain(holds, text, vec![reason]))
}
