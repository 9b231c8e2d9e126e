//! Questions about what tables and rosters say.

use super::answer::{Answer, Posed};
use super::places::element;
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
    reasons.extend(rules.retired(code).map(|old| Reason::holds(&old.clause, &old.says)));
    let said = troop.map_or(format!("no troop code `{code}`"), |t| format!("{} is {}", t.code, t.name));
    Answer::plain(troop.is_some_and(|t| which.holds(t)), said, reasons)
}

pub(super) fn figures(posed: &Posed<'_>, code: &str, count: u8) -> Result<Answer, String> {
    let troop = posed.settings.ruleset().troop(code).ok_or_else(|| format!("no troop code `{code}`"))?;
    let text = format!("{code} has {} on a base", troop.figures);
    let holds = troop.figures == count;
    let reason = Reason { holds, ..Reason::holds("dba3.base.16", text.clone()) };
    Ok(Answer::plain(holds, text, vec![reason]))
}
