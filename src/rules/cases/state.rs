//! Questions about the bound: PIPs, command, whose turn it is.

use super::answer::{Answer, Posed};
use super::places::element;
use crate::rules::bound::{
    Act, Bound, Ends, Opponent, RoadFacing, RoadLength, Sort, Start, cost, in_command,
};
use crate::rules::{Element, Reason, Side, engagement};
use crate::text::counted;
use serde::Deserialize;

/// What a case asks of the bound.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum AskState {
    /// Are there PIPs for such a move of these, `A+B`? `pips` says what it costs.
    Field(String),
    /// The same for a move that ends in contact.
    Contact(String),
    /// The same for a move wholly by road.
    Road(String, RoadLength, RoadFacing),
    /// Does their general reach these?
    InCommand(String),
    /// May that side do that now?
    Turn(Side, Act),
    /// Is that the side of the bound so many bounds after the first one, which was that other side's?
    Order(u32, Side, Side),
    /// Does that element fight in the close combat phase?
    Fights(String),
    /// May that element's last move be taken back?
    TakeBack(String, Start, Opponent),
}

impl AskState {
    /// The question in words.
    pub fn in_words(&self) -> String {
        match self {
            Self::Field(names) => format!("are there PIPs for a move of {names}?"),
            Self::Contact(names) => format!("are there PIPs for a move of {names} into contact?"),
            Self::Road(names, ..) => format!("are there PIPs for a road move of {names}?"),
            Self::InCommand(names) => format!("does the general reach {names}?"),
            Self::Turn(side, act) => format!("may {} {} now?", side.word(), act.name()),
            Self::Order(number, first, side) => {
                format!("{} took the first bound: is bound {number} one of {}?", first.word(), side.word())
            }
            Self::Fights(name) => format!("does {name} fight in the close combat phase?"),
            Self::TakeBack(name, ..) => format!("may the move of {name} be taken back?"),
        }
    }
}

pub(super) fn answer(posed: &Posed<'_>, what: &AskState) -> Result<Answer, String> {
    match what {
        AskState::Field(names) => costs(posed, names, Sort::Field, Ends::Clear),
        AskState::Contact(names) => costs(posed, names, Sort::Field, Ends::InContact),
        AskState::Road(names, length, facing) => {
            costs(posed, names, Sort::Road { length: *length, facing: *facing }, Ends::Clear)
        }
        AskState::InCommand(names) => {
            let movers = movers(posed, names)?;
            let found = in_command(posed.setup, posed.settings, bound(posed)?, &movers);
            let holds = found.holds == Some(true);
            let said = match found.holds {
                Some(true) => "in command",
                Some(false) => "out of command",
                None => "whether in command is not known",
            };
            let mm = found.margin.map(|m| m.mm);
            Ok(Answer { margin_mm: mm, ..Answer::plain(holds, said, found.reasons) })
        }
        AskState::Turn(side, act) => {
            let turn = bound(posed)?.turn(*side, *act);
            let pips = act.pips();
            Ok(Answer {
                pips,
                ..Answer::plain(turn.may, if turn.may { "it may" } else { "it may not" }, turn.reasons)
            })
        }
        AskState::Order(number, first, side) => Ok(order(*number, *first, *side)),
        AskState::Fights(name) => fights(posed, name),
        AskState::TakeBack(name, start, opponent) => {
            element(posed, name)?;
            let (may, reasons) = bound(posed)?.may_take_back(name, *start, *opponent);
            Ok(Answer::plain(may, if may { "it may" } else { "it stands" }, reasons))
        }
    }
}

fn bound<'a>(posed: &'a Posed<'_>) -> Result<&'a Bound, String> {
    posed.bound.as_ref().ok_or_else(|| "the case needs a `bound`".to_owned())
}

fn movers<'a>(posed: &Posed<'a>, names: &str) -> Result<Vec<&'a Element>, String> {
    names.split(['+', ',']).map(|name| element(posed, name.trim())).collect()
}

fn costs(posed: &Posed<'_>, names: &str, sort: Sort, ends: Ends) -> Result<Answer, String> {
    let (bound, movers) = (bound(posed)?, movers(posed, names)?);
    let found = cost(posed.setup, posed.settings, bound, &movers, sort, ends);
    let (afford, mut reasons) = bound.affords(found.pips);
    if let Some(mover) = movers.first() {
        let turn = bound.turn(mover.side, Act::Move);
        reasons.extend(turn.reasons);
    }
    reasons.extend(found.reasons);
    let said = format!("costs {}", counted(usize::from(found.pips), "PIP"));
    Ok(Answer { pips: Some(found.pips), ..Answer::plain(afford == Some(true), said, reasons) })
}

fn order(number: u32, first: Side, side: Side) -> Answer {
    let whose = Bound::side_of(first, number);
    let text = format!("bound {number} is one of {}, for {} took the first", whose.word(), first.word());
    let holds = whose == side;
    let reason = Reason { holds, ..Reason::holds("dba3.seq.1", text.clone()) };
    Answer::plain(holds, text, vec![reason])
}

fn fights(posed: &Posed<'_>, name: &str) -> Result<Answer, String> {
    element(posed, name)?;
    let fights = engagement::fights(posed.setup, posed.settings);
    let fight = fights.iter().find(|f| f.a == name || f.b == name);
    let text = match fight {
        Some(f) => format!("{} and {} fight in the close combat phase", f.a, f.b),
        None => format!("{name}'s front edge is in no contact that counts for combat"),
    };
    let reason = Reason { holds: fight.is_some(), ..Reason::holds("dba3.seq.8", text.clone()) };
    Ok(Answer::plain(fight.is_some(), text, vec![reason]))
}
