//! The questions that a case may put.

use super::aftermath::{Event, Suffers, Went};
use super::ground::AskGround;
use super::lists::AskList;
use super::setting_up::AskSettingUp;
use super::state::AskState;
use super::strongholds::AskStronghold;
use super::watch::{self, Act, Told};
use crate::geometry::Edge;
use crate::rules::aftermath::{Cause, What};
use crate::rules::ruleset::{Fate, Which};
use crate::rules::victory::Moment;
use crate::rules::{Question, Side};
use serde::Deserialize;
use std::borrow::Cow;

/// An edge of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum EdgeName {
    /// Ahead.
    Front,
    /// Right flank.
    Right,
    /// Behind.
    Rear,
    /// Left flank.
    Left,
}

impl From<EdgeName> for Edge {
    fn from(name: EdgeName) -> Self {
        match name {
            EdgeName::Front => Self::Front,
            EdgeName::Right => Self::Right,
            EdgeName::Rear => Self::Rear,
            EdgeName::Left => Self::Left,
        }
    }
}

/// What a case asks. Moves are in the notation of `docs/notation.md`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum Asked {
    /// One of the geometric questions about two elements.
    Geometry(Question, String, String),
    /// May the first, standing where it does, contact that edge of the second?
    MayStart(String, String, EdgeName),
    /// Is this element legally lined up with an enemy?
    LinedUp(String),
    /// Does anything press that edge of the first while it fights the second?
    Pressed(String, String, EdgeName),
    /// May this element, recoiling so many base widths, pass through the friends that it meets?
    RecoilPassage(String, f64),
    /// Does this element stay on the board, having to recoil or flee for that cause? `ends` says where everything
    /// comes to stand, `lost` who is lost.
    Suffers(String, Suffers, Cause),
    /// Does the first pursue, its opponent in close combat having met that fate?
    Pursues(String, String, Fate),
    /// The two fight with these dice, and everything follows: does the first stay on the table?
    After(String, String, (u8, u8)),
    /// Does that happen to the element of that name, as something follows?
    Befalls(String, What, Event),
    /// Does that element go so, and no further?
    Goes(String, Went, Event),
    /// Is that element, which is lost, lost for this battle only?
    Returns(String, Event),
    /// Is a contact that this element's pursuit makes fought in the next bound?
    FightsNext(String, Event),
    /// Does that side count so many lost elements? `places` says what became of its camp and City.
    Lost(Side, i32),
    /// Has that side lost the battle, looked at then?
    Loses(Side, Moment),
    /// Do the two fight with these dice as `totals` and `fates` say?
    Combat(String, String, (u8, u8)),
    /// Does the first stand in support position to the second: behind its rear edge, or at that side?
    Supports(String, String, EdgeName),
    /// Are these all the close combats due, each an element and its enemy in either order?
    Combats(Vec<(String, String)>),
    /// Does the first shoot at the second: may it, and is there nobody that it must shoot at instead?
    Shoots(String, String),
    /// Does bad going keep the first from shooting at the second?
    Hindered(String, String),
    /// The same after these moves of this bound.
    ShootsAfter(String, String, String),
    /// Do exactly these shoot at the first, the first of them rolling the die and the others aiding?
    Fire(String, Vec<String>),
    /// Do the shots at this element count as striking its rear edge?
    ShotInRear(String),
    /// Is this element's base as listed?
    Base(String),
    /// Is the board a standard one?
    Board,
    /// Is the army of that side complete?
    Army(Side),
    /// Is that troop code one of these?
    Troop(String, Which),
    /// May an element with this entry of an army list, `3Kn//4Bd`, dismount during the game?
    Dismounts(String),
    /// Does so many base widths stand for about so many paces?
    Paces(f64, f64),
    /// Is the board one for a Big Battle?
    BigBoard,
    /// Do these PIP dice of a side's first bound make Plough rough in a Big Battle?
    BigPlough(Vec<u8>),
    /// At the end of a bound of a Big Battle, is an army of so many beaten that has lost so many in all and in this bound,
    /// the enemy so many?
    BigBeaten(u32, (u32, u32), (u32, u32)),
    /// Is this what a side throws for its PIPs in a bound? `pips` says how many it gives.
    PipDice(Vec<u8>),
    /// The two go straight ahead so many base widths each: do their front edges meet?
    Meet(String, String, (f64, f64)),
    /// Does that troop code have so many figures or models on a base?
    Figures(String, u8),
    /// Can a die show this?
    Die(u8),
    /// Is this one move legal? `pips` says what it costs.
    Move(String),
    /// These moves were made, however many in whatever order, and only where everything ended was seen: is
    /// there a legal explanation of it? `explained` says which, `pips` what it costs in all.
    Went(String),
    /// A table is watched: is exactly this told of it, act by act? `pips` is what the moves that are over cost, `ends`
    /// where everybody stands for the rules at last.
    Watch(Vec<(Act, Vec<Told>)>),
    /// After these moves (`""` for none) movement ends: does everything line up, conform and turn as the
    /// rules ask? `ends` says where everything comes to stand.
    Conform(String),
    /// After these moves (`""` for none) movement ends: does that element turn to face? `ends` says where it
    /// and who makes room for it come to stand.
    Turns(String, String),
    /// Do these elements form one group, `A+B+C`, in any order?
    Group(String),
    /// After these moves (`""` for none) movement ends: are these, one group before, still one?
    StaysGroup(String, String),
    /// Are these all the groups of that side, each `A+B+C` in any order? Single elements are left out.
    Groups(Side, Vec<String>),
    /// Can the first reach that edge of the second this bound?
    Reach(String, String, EdgeName),
    /// Something about what lies on the table.
    Ground(AskGround),
    /// Something about the bound: PIPs, command, whose turn it is.
    State(AskState),
    /// Something about a camp, City or Fort in play.
    Stronghold(AskStronghold),
    /// Something about army lists and the armies chosen from them.
    List(AskList),
    /// Something about what comes before the battle.
    SetUp(AskSettingUp),
}

impl EdgeName {
    /// What it is called.
    pub fn word(self) -> &'static str {
        Edge::from(self).name()
    }
}

impl Asked {
    /// The question in words.
    pub fn in_words(&self) -> String {
        match self {
            Self::Geometry(question, a, b) => question.in_words(a, b),
            Self::MayStart(a, b, edge) => {
                format!("may {a}, from where it stands, move into contact with the {} of {b}?", edge.word())
            }
            Self::LinedUp(name) => format!("is {name} legally lined up with an enemy?"),
            Self::Pressed(of, foe, edge) => {
                format!("is the {} of {of} overlapped or pressed while it fights {foe}?", edge.word())
            }
            Self::RecoilPassage(name, by) => {
                format!("may {name}, recoiling {by} BW, pass through the friends that it meets?")
            }
            Self::Suffers(name, fate, _) => {
                let what = if *fate == Suffers::Recoil { "recoil" } else { "flee" };
                format!("{name} has to {what}: does it stay on the board?")
            }
            Self::Pursues(a, b, fate) => format!("{b} {}: does {a} pursue?", fate.name()),
            Self::After(a, b, (x, y)) => {
                format!("{a} fights {b}, dice {x} and {y}: is {a} on the table afterwards?")
            }
            Self::Befalls(name, What::Stands, event) => {
                format!("{}: does {name} stay where it is?", event.in_words())
            }
            Self::Befalls(name, what, event) => {
                format!("{}: is it so that {name} {}?", event.in_words(), what.name())
            }
            Self::Goes(name, went, event) => {
                let way = match went {
                    Went::Back(bw) => format!("straight back {bw} BW"),
                    Went::Ahead(bw) => format!("straight ahead {bw} BW"),
                    Went::About(bw) => format!("{bw} BW, turned about"),
                };
                format!("{}: does {name} go {way}?", event.in_words())
            }
            Self::Returns(name, event) => {
                format!("{}: is {name} lost for this battle only?", event.in_words())
            }
            Self::FightsNext(name, event) => {
                format!("{}: does {name} fight in the next bound?", event.in_words())
            }
            Self::Lost(side, count) => format!("does {} count {count} lost elements?", side.word()),
            Self::Loses(side, Moment::EndOfBound) => format!("has {} lost the battle?", side.word()),
            Self::Loses(side, Moment::WithinBound) => {
                format!("has {} lost the battle before the bound ends?", side.word())
            }
            Self::Combat(a, b, (x, y)) => {
                format!("{a} fights {b}, dice {x} and {y}: does it go as the case says?")
            }
            Self::Supports(friend, name, edge) => {
                format!("does {friend} stand in support position at the {} of {name}?", edge.word())
            }
            Self::Combats(pairs) => {
                let all: Vec<String> = pairs.iter().map(|(a, b)| format!("{a} against {b}")).collect();
                format!("are these the close combats due: {}?", all.join(", "))
            }
            Self::Shoots(a, e) => format!("does {a} shoot at {e}?"),
            Self::Hindered(a, e) => format!("does bad going keep {a} from shooting at {e}?"),
            Self::ShootsAfter(text, a, e) => format!("does {a} shoot at {e} after {text}?"),
            Self::ShotInRear(e) => format!("do the shots at {e} strike its rear edge?"),
            Self::Fire(e, who) => {
                format!("do these and no others shoot at {e}, the first rolling: {}?", who.join(", "))
            }
            Self::Base(name) => format!("is the base of {name} as listed?"),
            Self::Board => "is the board a standard one?".to_owned(),
            Self::Army(side) => format!("is the army of {} complete?", side.word()),
            Self::Troop(code, which) => format!("is {code} {}?", which.in_words()),
            Self::Dismounts(entry) => format!("may {entry} dismount during the game?"),
            Self::Paces(bw, paces) => format!("do {bw} BW stand for about {paces} paces?"),
            Self::BigBoard => "is the board one for a Big Battle?".to_owned(),
            Self::BigPlough(dice) => format!("do {dice:?} make Plough rough in a Big Battle?"),
            Self::BigBeaten(began, (own, _), (theirs, _)) => {
                format!(
                    "is an army of {began} beaten that has lost {own}, the enemy {theirs}, in a Big Battle?"
                )
            }
            Self::PipDice(dice) => {
                let dice: Vec<String> = dice.iter().map(u8::to_string).collect();
                format!("does a side throw {} for its PIPs?", dice.join(" and "))
            }
            Self::Meet(a, b, (x, y)) => format!("{a} goes {x} BW ahead and {b} {y} BW: do they meet?"),
            Self::Figures(code, count) => format!("does {code} have {count} on a base?"),
            Self::Die(value) => format!("can a die show {value}?"),
            Self::Move(text) => format!("is this move legal: {text}?"),
            Self::Went(text) => format!("what was it, and was it legal: {text}?"),
            Self::Watch(acts) => format!("what is told of a table that is watched: {}?", watch::moves(acts)),
            Self::Conform(text) if text.trim().is_empty() => "does everything line up?".to_owned(),
            Self::Conform(text) => format!("does everything line up after {text}?"),
            Self::Turns(name, text) if text.trim().is_empty() => format!("does {name} turn to face?"),
            Self::Turns(name, text) => format!("does {name} turn to face after {text}?"),
            Self::Group(names) => format!("is {names} one group?"),
            Self::StaysGroup(names, text) => format!("is {names} still one group after {text}?"),
            Self::Groups(side, groups) => format!("are the groups of {} {}?", side.word(), groups.join(", ")),
            Self::Reach(a, b, edge) => format!("can {a} reach the {} of {b} this bound?", edge.word()),
            Self::Ground(what) => what.in_words(),
            Self::State(what) => what.in_words(),
            Self::Stronghold(what) => what.in_words(),
            Self::List(what) => what.in_words(),
            Self::SetUp(what) => what.in_words(),
        }
    }

    /// The moves that it is about, in the notation of moves; empty where it is about none.
    pub fn moves(&self) -> Cow<'_, str> {
        if let Self::Watch(acts) = self {
            return Cow::Owned(watch::moves(acts));
        }
        Cow::Borrowed(match self {
            Self::Move(text) | Self::Went(text) | Self::Conform(text) => text,
            Self::Ground(AskGround::RollsOnEntry(text, _)) => text,
            Self::ShootsAfter(text, ..) | Self::Turns(_, text) | Self::StaysGroup(_, text) => text,
            _ => "",
        })
    }
}
