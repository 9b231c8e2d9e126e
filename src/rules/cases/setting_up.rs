//! Questions about what comes before the battle.

use super::answer::{Answer, Posed};
use super::places::element;
use super::strongholds::told;
use crate::geometry::Point;
use crate::rules::setting_up::order::{Act, State, Step};
use crate::rules::setting_up::{self, Aggression, Home, Homes, Namer, Pick, Quarter, Sort, landing};
use crate::rules::stronghold::Terms;
use crate::rules::terrain::{BoardEdge, TerrainKind};
use crate::rules::{Reason, Side};
use serde::Deserialize;

/// What an aggression roll is claimed to settle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Settles {
    /// That side defends.
    Defends(Side),
    /// That side invades.
    Invades(Side),
    /// Both roll again.
    RollAgain,
}

/// What a case asks of what comes before the battle. Quarters are numbered as seen from the edge given.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum AskSettingUp {
    /// May a defender of that home terrain choose these, compulsory and optional ones?
    Choice(Home, Vec<Pick>, Vec<Pick>),
    /// Is that sort an area feature?
    IsArea(Sort),
    /// Is it a linear one?
    IsLinear(Sort),
    /// Do lines at that x and y, base widths, part the board into four equal quarters?
    Quartered((f64, f64)),
    /// Is that point, base widths, in that quarter?
    PointIn((f64, f64), u8, BoardEdge),
    /// Does a feature that was diced for with that score go to that quarter, whoever may name it?
    ScoreTo(u8, u8),
    /// Who names the quarter at that score?
    Names(u8, Namer),
    /// Is that feature of a size and shape that is allowed?
    Shape(String),
    /// Is one feature at most narrower than 3 BW?
    Narrow,
    /// Does that feature keep off others and off the edges?
    Gaps(String),
    /// Does that waterway lie as it must?
    Water(String),
    /// Does that feature lie in that quarter as it must?
    Placed(String, u8, BoardEdge),
    /// Do dice and factors, red's and blue's, settle that?
    Aggression((u8, u8), (u8, u8), Settles),
    /// May the invader take that edge?
    MayTake(BoardEdge),
    /// The invader has the first edge: is the second the defender's?
    Across(BoardEdge, BoardEdge),
    /// Can that feature, whatever place it has in `ground`, be put nowhere in that quarter?
    NoPlace(String, u8, BoardEdge),
    /// May that element stand where it does at deployment?
    Deploys(String),
    /// May these be held back for a landing, their army's home and those of contingents being these?
    HoldsBack(Vec<String>, Home, Vec<(String, Home)>),
    /// Do these come ashore where they stand, in this `bound`?
    Lands(Vec<String>),
    /// May those who landed move in the same bound?
    MovesOn,
    /// Once all this has been done, is that the next step?
    Next(Vec<(Side, Act)>, Step),
    /// Once all but the last has been done, may that side do the last of these?
    May(Vec<(Side, Act)>),
}

impl AskSettingUp {
    /// The question in words.
    pub fn in_words(&self) -> String {
        let picks = |all: &[Pick]| all.iter().map(|p| p.name()).collect::<Vec<_>>().join(", ");
        match self {
            Self::Choice(home, must, may) => {
                let (must, may) = (picks(must), picks(may));
                format!(
                    "may a defender of {} choose {must} as compulsory and {may} as optional features?",
                    home.name()
                )
            }
            Self::IsArea(sort) => format!("is {} an area feature?", sort.name()),
            Self::IsLinear(sort) => format!("is {} a linear feature?", sort.name()),
            Self::Quartered((x, y)) => format!("do x = {x} and y = {y} BW make four equal quarters?"),
            Self::PointIn((x, y), n, seat) => {
                format!("is ({x},{y}) in quarter {n}, seen from the {}?", seat.name())
            }
            Self::ScoreTo(score, n) => format!("does a score of {score} send a feature to quarter {n}?"),
            Self::Names(score, who) => format!("does {} name the quarter at a score of {score}?", who.word()),
            Self::Shape(name) => format!("is {name} of a size and shape that is allowed?"),
            Self::Narrow => "is one feature at most narrower than 3 BW?".to_owned(),
            Self::Gaps(name) => format!("does {name} keep off other features and the edges?"),
            Self::Water(name) => format!("does {name} lie as a Waterway must?"),
            Self::Placed(name, n, seat) => {
                format!("does {name} lie as it must in quarter {n}, seen from the {}?", seat.name())
            }
            Self::Aggression((a, x), (b, y), what) => {
                let what = match what {
                    Settles::Defends(side) => format!("does {} defend", side.word()),
                    Settles::Invades(side) => format!("does {} invade", side.word()),
                    Settles::RollAgain => "do both roll again".to_owned(),
                };
                format!("red has {a} + {x}, blue {b} + {y}: {what}?")
            }
            Self::MayTake(edge) => format!("may the invader take the {}?", edge.name()),
            Self::Across(one, other) => {
                format!("the invader has the {}: is the {} the defender's?", one.name(), other.name())
            }
            Self::NoPlace(name, n, seat) => {
                format!("is there no place for {name} in quarter {n}, seen from the {}?", seat.name())
            }
            Self::Deploys(name) => format!("may {name} be deployed where it stands?"),
            Self::HoldsBack(names, home, _) => {
                format!(
                    "may {}, of an army of {}, be held back for a landing?",
                    names.join(", "),
                    home.name()
                )
            }
            Self::Lands(names) => format!("may {} land where they stand?", names.join(", ")),
            Self::MovesOn => "may those who landed move in the same bound?".to_owned(),
            Self::Next(_, step) => format!("is {} next?", step.in_words()),
            Self::May(acts) => match acts.last() {
                Some((side, act)) => format!("{} {}: may it do that now?", side.word(), act.in_words()),
                None => "may nothing be done?".to_owned(),
            },
        }
    }
}

pub(super) fn answer(posed: &Posed<'_>, what: &AskSettingUp) -> Result<Answer, String> {
    let (setup, settings) = (posed.setup, posed.settings);
    let bw = setup.scale.mm_per_bw();
    let quarter = |number: u8, seat: BoardEdge| {
        Quarter::of(number, seat, setup.board_mm, settings)
            .ok_or_else(|| format!("there is no quarter {number}; they are numbered 1 to 4"))
    };
    let body = |name: &str| {
        setting_up::body_of(setup, name).ok_or_else(|| format!("no area feature is called `{name}`"))
    };
    match what {
        AskSettingUp::Choice(home, must, may) => Ok(told(&setting_up::choice(settings, *home, must, may))),
        AskSettingUp::IsArea(sort) => {
            let text = format!(
                "{} is {} feature",
                sort.name(),
                if sort.is_linear() { "a linear" } else { "an area" }
            );
            Ok(one(Reason { holds: !sort.is_linear(), ..Reason::holds("dba3.area.1", text) }))
        }
        AskSettingUp::IsLinear(sort) => {
            let text = format!(
                "{} is {} feature",
                sort.name(),
                if sort.is_linear() { "a linear" } else { "an area" }
            );
            Ok(one(Reason { holds: sort.is_linear(), ..Reason::holds("dba3.wway.1", text) }))
        }
        AskSettingUp::Quartered((x, y)) => Ok(one(setting_up::quartered(setup, (x * bw, y * bw)))),
        AskSettingUp::PointIn((x, y), number, seat) => {
            let found = quarter(*number, *seat)?.holds(Point::new(x * bw, y * bw));
            let mut answer = one(found.clone());
            answer.reasons.push(Reason { clause: "dba3.set.1".to_owned(), ..found });
            Ok(answer)
        }
        AskSettingUp::ScoreTo(score, number) => {
            let (namer, clause) = Namer::at(*score).ok_or_else(|| format!("a die does not show {score}"))?;
            let text = format!("at a score of {score} {} names the quarter", namer.word());
            let sends = namer == Namer::Die && score == number;
            let diced = Reason::holds("dba3.place.2", text.clone());
            Ok(Answer::plain(
                sends,
                text.clone(),
                vec![Reason { holds: sends, ..Reason::holds(clause, text) }, diced],
            ))
        }
        AskSettingUp::Names(score, who) => {
            let (namer, clause) = Namer::at(*score).ok_or_else(|| format!("a die does not show {score}"))?;
            let text = format!("at a score of {score} {} names the quarter", namer.word());
            let holds = namer == *who;
            let mut reasons = vec![Reason { holds, ..Reason::holds(clause, text.clone()) }];
            reasons.push(Reason { holds, ..Reason::holds("dba3.place.2", text.clone()) });
            // The clause that would let whoever is named name it.
            let other = match who {
                Namer::Die => "dba3.place.3",
                Namer::Defender => "dba3.place.4",
                Namer::Invader => "dba3.place.5",
            };
            if other != clause {
                reasons.push(Reason::fails(other, text.clone()));
            }
            if namer == Namer::Invader {
                let text = "the defender still puts the feature down".to_owned();
                reasons.push(Reason::holds("dba3.faq.1", text));
            }
            Ok(Answer::plain(holds, text, reasons))
        }
        AskSettingUp::Shape(name) => Ok(told(&setting_up::shape(setup, settings, &body(name)?))),
        AskSettingUp::Narrow => Ok(told(&setting_up::narrow(setup, settings))),
        AskSettingUp::Gaps(name) => {
            Ok(told(&setting_up::gaps(setup, &body(name)?, &setting_up::bodies(setup))))
        }
        AskSettingUp::Water(name) => {
            let water = setup.ground.feature(name).filter(|f| f.kind == TerrainKind::Waterway);
            let water = water.ok_or_else(|| format!("no waterway is called `{name}`"))?;
            Ok(told(&setting_up::waterway(setup, settings, water)))
        }
        AskSettingUp::Placed(name, number, seat) => {
            let found: Option<Terms> =
                setting_up::in_quarter(setup, settings, name, &quarter(*number, *seat)?);
            found.map(|terms| told(&terms)).ok_or_else(|| format!("no feature is called `{name}`"))
        }
        AskSettingUp::Aggression(red, blue, claim) => {
            let of = |(die, factor): (u8, u8)| Aggression { die, factor };
            let found = setting_up::roll(settings, of(*red), of(*blue));
            let defends = |side: Side| found.defender == Some(side);
            let (holds, clause) = match claim {
                Settles::Defends(side) => (defends(*side), "dba3.setup.2"),
                Settles::Invades(side) => (defends(side.enemy()), "dba3.setup.3"),
                Settles::RollAgain => (found.defender.is_none(), "dba3.set.17"),
            };
            let said = match found.defender {
                Some(side) => format!("{} defends", side.word()),
                None => "both roll again".to_owned(),
            };
            let mut reasons = found.reasons;
            if !holds {
                reasons.insert(0, Reason::fails(clause, said.clone()));
                reasons.push(Reason::fails("dba3.setup.1", said.clone()));
            }
            Ok(Answer::plain(holds, said, reasons))
        }
        AskSettingUp::MayTake(edge) => Ok(told(&setting_up::may_take(setup, settings, *edge))),
        AskSettingUp::NoPlace(name, number, seat) => {
            let quarter = quarter(*number, *seat)?;
            if setting_up::in_quarter(setup, settings, name, &quarter).is_none() {
                return Err(format!("no feature is called `{name}`"));
            }
            Ok(told(&setting_up::no_place(setup, settings, &quarter, name)))
        }
        AskSettingUp::Deploys(name) => {
            let mut allied = posed.case.conditions.allied.clone();
            allied.extend(setup.contingents.keys().cloned());
            let found = setting_up::deploys(setup, settings, element(posed, name)?, setup.edges, &allied);
            found.map(|terms| told(&terms)).map_err(|e| e.to_string())
        }
        AskSettingUp::HoldsBack(names, army, allies) => {
            let homes = Homes { army: *army, contingents: allies.iter().cloned().collect() };
            let found = landing::may_hold_back(setup, settings, names, &homes);
            found.map(|terms| told(&terms)).map_err(|e| e.to_string())
        }
        AskSettingUp::Lands(names) => {
            let bound = posed.bound.as_ref().ok_or_else(|| "the case needs a `bound`".to_owned())?;
            let found = landing::lands(setup, settings, bound, names).map_err(|e| e.to_string())?;
            Ok(Answer { pips: Some(landing::price(settings)), ..told(&found) })
        }
        AskSettingUp::MovesOn => Ok(one(landing::may_move_on(settings))),
        AskSettingUp::Next(acts, step) => {
            let (state, _) = done(posed, acts);
            let is = state.next();
            let text = format!("{} is next: {}", is.in_words(), state.needs(setup, settings));
            let reason = |clause: &str| Reason { holds: is == *step, ..Reason::holds(clause, text.clone()) };
            let reasons = clauses_of(is, *step).into_iter().map(reason).collect();
            Ok(Answer::plain(is == *step, text.clone(), reasons))
        }
        AskSettingUp::May(acts) => {
            let (_, reasons) = done(posed, acts);
            let holds = reasons.iter().all(|r| r.holds);
            let not: Vec<&str> = reasons.iter().filter(|r| !r.holds).map(|r| r.text.as_str()).collect();
            Ok(Answer::plain(holds, not.join("; "), reasons))
        }
        AskSettingUp::Across(invader, defender) => Ok(one(setting_up::defenders_edge(*invader, *defender))),
    }
}

/// What has been done once all of these have been, and what the rules say of the last.
fn done(posed: &Posed<'_>, acts: &[(Side, Act)]) -> (State, Vec<Reason>) {
    acts.iter().fold((State::default(), Vec::new()), |(state, _), (side, act)| {
        state.after(posed.setup, posed.settings, *side, act)
    })
}

/// The clauses that order a step, and the one that it is taken to be.
fn clauses_of(is: Step, claimed: Step) -> Vec<&'static str> {
    let of = |step: Step| match step {
        Step::Army(_) | Step::Roll(_) => "dba3.setup.1",
        Step::Choose(_) | Step::Lay(_) => "dba3.setup.4",
        Step::Dice(_) => "dba3.place.2",
        Step::Name(_) => "dba3.place.5",
        Step::Edge(_) => "dba3.setup.3",
        Step::Camp(_) => "dba3.setup.8",
        Step::Deploy(_) | Step::FirstBound(_) => "dba3.dep.1",
    };
    if of(is) == of(claimed) { vec![of(is)] } else { vec![of(is), of(claimed)] }
}

/// An answer of one reason.
fn one(reason: Reason) -> Answer {
    let plain = Answer::plain(reason.holds, reason.text.clone(), vec![reason.clone()]);
    Answer { margin_mm: reason.margin.map(|m| m.mm), ..plain }
}
