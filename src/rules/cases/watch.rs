//! Questions of what watching a table tells: looks at it in their order, what players say in between, and what comes of
//! each.
//!
//! A look is written as the moves that hands made since the last one, by whoever and however small; the table is known
//! exactly. Table frame, millimetres. Clauses: dba3.move.1, .6, .7, dba3.turn.1, dba3.cf.8, and those of the moves that
//! are over.

use super::answer::{Answer, Posed};
use super::moves::bound_of;
use crate::rules::movement::{Answer as Said, Cause, Event, Observer};
use crate::rules::{Reason, Setup, notation};
use serde::Deserialize;
use std::f64::consts::FRAC_PI_4;

/// What happens at a table that is watched.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub enum Act {
    /// It is looked at, these having been moved since: in the notation of moves, `""` for none.
    Look(String),
    /// The player says that what is open is over.
    Close,
    /// A nudge of this element is taken as it stands.
    Accept(String),
    /// A nudge of this element is undone: it stands where it stood.
    PutBack(String),
}

/// What is told of it. Movers are `A+B`, several moves parted by `;`, in the order that they are told.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub enum Told {
    /// These are being moved, and may still be adjusted.
    Open(String),
    /// What was open went back to where it began.
    Withdrawn,
    /// A move of these is over.
    Over(String),
    /// This one conformed or turned to face because of a move that is over.
    Followed(String),
    /// These stirred, and it is no move.
    Nudged(Cause, Vec<String>),
}

impl Told {
    fn of(event: &Event) -> Self {
        match event {
            Event::Open { best, .. } => {
                let moves: Vec<String> = best.moves.iter().map(|one| joined(one.mv.names())).collect();
                Self::Open(moves.join("; "))
            }
            Event::Withdrawn => Self::Withdrawn,
            Event::Over(done) => Self::Over(joined(done.mv.names())),
            Event::Followed(who) => Self::Followed(who.name.clone()),
            Event::Nudged { nudges, cause } => {
                Self::Nudged(*cause, nudges.iter().map(|nudge| nudge.name.clone()).collect())
            }
        }
    }

    fn in_words(&self) -> String {
        match self {
            Self::Open(who) => format!("{who} being moved"),
            Self::Withdrawn => "what was moved is back".to_owned(),
            Self::Over(who) => format!("move of {who} over"),
            Self::Followed(who) => format!("{who} follows"),
            Self::Nudged(cause, who) => format!("{} nudged ({})", joined(who.iter()), word(*cause)),
        }
    }

    /// What it rests on.
    fn reason(&self, act: &Act, before: &Setup, after: &Setup) -> Reason {
        match (self, act) {
            (Self::Open(who), _) => Reason::fails(
                "dba3.move.7",
                format!("nobody else has started to move: {who} may still be adjusted, or put back"),
            ),
            (Self::Withdrawn, _) => Reason::holds(
                "dba3.move.7",
                "it went back before anybody else started to move: no move was made",
            ),
            (Self::Over(who), Act::Close) => {
                Reason::holds("dba3.move.6", format!("{who} has been put down for good: the move stands"))
            }
            (Self::Over(who), _) => {
                Reason::holds("dba3.move.7", format!("another starts to move: the move of {who} is over"))
            }
            (Self::Followed(who), _) => {
                let faced = [before, after].map(|s| s.element(who).map(|e| e.footprint.pose().heading));
                let turns = matches!(faced, [Some(a), Some(b)] if a.turn_to_radians(b).abs() > FRAC_PI_4);
                let (clause, what) =
                    if turns { ("dba3.turn.1", "turns to face") } else { ("dba3.cf.8", "conforms") };
                Reason::holds(clause, format!("{who} {what} because of a move, and makes none of its own"))
            }
            (Self::Nudged(cause, who), _) => Reason::holds(
                "dba3.move.1",
                format!("{} stirred ({}): nobody's move, and no PIP", joined(who.iter()), word(*cause)),
            ),
        }
    }
}

fn word(cause: Cause) -> &'static str {
    match cause {
        Cause::Bump => "the table was bumped",
        Cause::Sleeve => "a sleeve",
        Cause::Straightened => "straightened",
        Cause::OtherSide => "of the side that is not moving",
    }
}

fn joined(names: impl Iterator<Item = impl AsRef<str>>) -> String {
    names.map(|name| name.as_ref().to_owned()).collect::<Vec<_>>().join("+")
}

/// The looks' moves, one text after the other.
pub(super) fn moves(acts: &[(Act, Vec<Told>)]) -> String {
    let looks = acts.iter().filter_map(|(act, _)| match act {
        Act::Look(text) if !text.trim().is_empty() => Some(text.as_str()),
        _ => None,
    });
    looks.collect::<Vec<_>>().join("; ")
}

/// Whether exactly this is told, act by act. The price is what the moves that are over cost, the places those where
/// everybody stands for the rules at last.
pub(super) fn watch(posed: &Posed<'_>, acts: &[(Act, Vec<Told>)]) -> Result<Answer, String> {
    let mover = posed.moves.first().and_then(|mv| mv.names().next());
    let mut observer =
        Observer::new(posed.setup.clone(), bound_of(posed, mover), posed.settings.clone(), 0.0);
    let (mut seen, mut hands) = (posed.setup.clone(), posed.moves.iter());
    let (mut all, mut said) = (true, Vec::new());
    let (mut pips, mut explained) = (0u8, Vec::new());
    let (mut reasons, mut judged): (Vec<Reason>, Vec<Reason>) = (Vec::new(), Vec::new());
    for (act, expected) in acts {
        let before = observer.stood().clone();
        let mut table = before.clone();
        let events = match act {
            Act::Look(text) => {
                for made in hands.by_ref().take(written(text, posed)?) {
                    seen = made.applied_to(&seen);
                }
                observer.look(&seen)
            }
            Act::Close => observer.close(),
            Act::Accept(name) => answered(&mut observer, &mut seen, name, Said::Accept)?,
            Act::PutBack(name) => answered(&mut observer, &mut seen, name, Said::PutBack)?,
        };
        for event in &events {
            if let Event::Over(done) = event {
                explained.push(notation::write_move(&done.mv, &table));
                table.clone_from(&done.judged.after);
                pips = pips.saturating_add(done.judged.pips);
                judged.extend(done.judged.reasons().cloned());
            }
        }
        let told: Vec<Told> = events.iter().map(Told::of).collect();
        all &= told == *expected;
        // What is still open is no condition of anything.
        for one in &told {
            let open = matches!(one, Told::Open(_));
            let list = if open { &mut judged } else { &mut reasons };
            list.push(one.reason(act, &before, observer.stood()));
        }
        let words: Vec<String> = told.iter().map(Told::in_words).collect();
        said.push(if words.is_empty() { "nothing".to_owned() } else { words.join(", ") });
    }
    let conditions = reasons.len();
    reasons.extend(judged);
    Ok(Answer {
        conditions,
        pips: Some(pips),
        explained,
        after: Some(observer.stood().clone()),
        ..Answer::plain(all, said.join("; then "), reasons)
    })
}

/// How many moves a look's text has.
fn written(text: &str, posed: &Posed<'_>) -> Result<usize, String> {
    if text.trim().is_empty() {
        return Ok(0);
    }
    let lines = notation::read_moves(text, posed.settings.ruleset(), posed.setup.scale);
    lines
        .map(|lines| lines.len())
        .map_err(|errors| errors.iter().map(|e| format!("look: {e}")).collect::<Vec<_>>().join("; "))
}

fn answered(observer: &mut Observer, seen: &mut Setup, name: &str, said: Said) -> Result<Vec<Event>, String> {
    let stood = observer.stood().element(name).map(|e| e.footprint);
    let stood = stood.ok_or_else(|| format!("`Watch`: nobody is called {name}"))?;
    observer.answer(name, said);
    if said == Said::PutBack
        && let Some(element) = seen.elements.iter_mut().find(|e| e.name == name)
    {
        element.footprint = stood;
    }
    Ok(Vec::new())
}
