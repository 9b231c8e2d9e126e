//! Questions about combats and dice.

use super::answer::{Answer, Posed};
use super::places::fault;
use crate::rules::Reason;
use crate::rules::combat::brief;

pub(super) fn fight(posed: &Posed<'_>, (a, b): (&str, &str), dice: (u8, u8)) -> Result<Answer, String> {
    let case = posed.case;
    let brief = brief(posed.setup, posed.settings, &case.conditions, a, b).map_err(fault)?;
    let outcome = brief.outcome(dice.0, dice.1).map_err(|e| e.to_string())?;
    let fates = (outcome.a.fate, outcome.b.fate);
    if case.totals.is_none() && case.fates.is_none() {
        return Err("a combat needs `totals` or `fates` to claim".to_owned());
    }
    let holds = case.totals.is_none_or(|t| t == outcome.totals) && case.fates.is_none_or(|f| f == fates);
    let said = format!(
        "totals {} and {}, fates {} and {} by {} and {}",
        outcome.totals.0,
        outcome.totals.1,
        fates.0.word(),
        fates.1.word(),
        outcome.a.clause,
        outcome.b.clause
    );
    let mut reasons = outcome.a.reasons;
    reasons.extend(outcome.b.reasons);
    reasons.extend(brief.a.reasons.iter().chain(&brief.b.reasons).cloned());
    reasons.extend(brief.contact.iter().flat_map(|c| c.reasons.clone()));
    Ok(Answer::plain(holds, said, reasons))
}

pub(super) fn die(posed: &Posed<'_>, value: u8) -> Result<Answer, String> {
    let brief = brief(posed.setup, posed.settings, &posed.case.conditions, "A", "E").map_err(fault)?;
    let rolled = brief.outcome(value, 1);
    let reason =
        Reason { holds: rolled.is_ok(), ..Reason::holds("dba3.board.6", format!("a die of {value}")) };
    let said = rolled.as_ref().err().map_or("a die shows that".to_owned(), ToString::to_string);
    Ok(Answer::plain(rolled.is_ok(), said, vec![reason]))
}
