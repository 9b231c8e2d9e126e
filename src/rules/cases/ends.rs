//! Questions about the end of a movement phase: contacts lined up, and turning to face.

use super::answer::{Answer, Posed};
use super::moves;
use super::places::fault;
use crate::rules::closing::{self, Chosen, Closed, Earlier};
use crate::rules::group::{self, Formed};
use crate::rules::turn::{Contactor, Made, Turned};
use crate::rules::{Phase, Reason, Setup};

/// Does everything line up once movement ends, or combat where the bound says that it is over?
pub(super) fn conform(posed: &Posed<'_>) -> Result<Answer, String> {
    let closed = match &posed.bound {
        Some(bound) if bound.phase == Phase::Combat => {
            let contactors = posed.case.conditions.contactors.iter().map(String::as_str);
            closing::after_combat(posed.setup, posed.settings, bound.side, &contactors.collect::<Vec<_>>())
        }
        _ => close(posed)?,
    };
    let reasons = closed.line_ups.iter().flat_map(|l| l.reasons.clone()).chain(closed.told()).collect();
    let said = if closed.all_lined_up() { "everything lines up" } else { "not everything lines up" };
    Ok(Answer { after: Some(closed.after.clone()), ..Answer::plain(closed.all_lined_up(), said, reasons) })
}

/// Does that element turn to face?
pub(super) fn turns(posed: &Posed<'_>, name: &str) -> Result<Answer, String> {
    let closed = close(posed)?;
    let about = |t: &&Turned| t.name == name || t.column.as_deref() == Some(name);
    let found = closed.turned.iter().find(about);
    let (turns, reasons) = match found {
        Some(turned) => (turned.shifts.iter().any(|s| s.name == name), turned.reasons.clone()),
        None => {
            let text = format!("no enemy front edge is lined up on {name}'s flank or rear");
            (false, vec![Reason::fails("dba3.turn.1", text)])
        }
    };
    let said = if turns { "it turns" } else { "it stays" };
    Ok(Answer { after: Some(closed.after.clone()), ..Answer::plain(turns, said, reasons) })
}

/// Are these, which are one group, still one when movement has ended?
pub(super) fn stays_group(posed: &Posed<'_>, names: &str) -> Result<Answer, String> {
    let members: Vec<&str> = moves::split(names);
    let closed = close(posed)?;
    let one = |setup: &Setup| group::is_group(setup, posed.settings, &members, &Formed::default());
    if !one(posed.setup).map_err(fault)?.allowed {
        return Err(format!("{names} is no group to begin with"));
    }
    let told = one(&closed.after).map_err(fault)?;
    let turned = closed.turned.iter().filter(|t| !t.shifts.is_empty() && members.contains(&t.name.as_str()));
    let mut reasons: Vec<Reason> = turned
        .map(|t| {
            Reason::fails("dba3.set.34", format!("{} turns to face, which parts it from its group", t.name))
        })
        .collect();
    if told.allowed {
        reasons.push(Reason::holds(
            "dba3.set.34",
            format!("{names} is one group still: conforming keeps it whole"),
        ));
    }
    reasons.extend(closed.line_ups.iter().flat_map(|l| l.reasons.clone()));
    reasons.extend(told.reasons);
    let said = if told.allowed { "one group still" } else { "no longer one group" };
    Ok(Answer { after: Some(closed.after.clone()), ..Answer::plain(told.allowed, said, reasons) })
}

fn close(posed: &Posed<'_>) -> Result<Closed, String> {
    let conditions = &posed.case.conditions;
    let made = |names: &[String], made: Made| -> Vec<Contactor> {
        names.iter().map(|name| Contactor { name: name.clone(), made }).collect()
    };
    let mut earlier = made(&conditions.contactors, Made::Move);
    earlier.extend(made(&conditions.pursuers, Made::PursuitJustNow));
    earlier.extend(made(&conditions.pursuers_before, Made::PursuitBefore));
    let chosen = Chosen { refuse: conditions.refuses.clone(), faces: conditions.faces.clone() };
    let closed = closing::close(posed.setup, posed.settings, posed.moves, &Earlier(earlier), &chosen);
    closed.map_err(|e| e.to_string())
}
