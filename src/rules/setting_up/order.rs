//! The order of setting up, as a value: what has been done, what is next, who does it.
//!
//! Pure: an act and its dice are arguments, and [`State::after`] gives the next state and what the rules say of the act.
//! An act out of order is told and taken all the same, for the players have done it. Invariant: [`State::next`] hangs on
//! what has been done alone. Clauses: dba3.terr.2, .6, dba3.place.1 to .5, .9, dba3.faq.1, dba3.setup.1 to .8, dba3.dep.1, .7.

use super::BaseEdges;
use super::aggression::{Aggression, may_take, open_edges, roll};
use super::choice::{Pick, choice};
use super::homes::Home;
use super::landing::Homes;
use super::quarters::Namer;
use crate::rules::terrain::BoardEdge;
use crate::rules::{Reason, Settings, Setup, Side};
use serde::{Deserialize, Serialize};

/// Something that a side does before the battle.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Act {
    /// It brings an army of that home terrain and aggression factor.
    Army(Home, u8),
    /// It has a contingent of that name from another home.
    Ally(String, Home),
    /// The organiser's own terrain is used: nothing is chosen or placed.
    Preset,
    /// It rolls that for aggression.
    Roll(u8),
    /// It chooses these compulsory and these optional features, each with its name on the table.
    Choose(Vec<(String, Pick)>, Vec<(String, Pick)>),
    /// That is diced for the quarter of that feature.
    Dice(String, u8),
    /// It names the quarter of that feature.
    Name(String, u8),
    /// It puts that feature down.
    Lay(String),
    /// It leaves that feature out, for it can be put nowhere.
    Discard(String),
    /// It takes that edge as its base edge.
    Edge(BoardEdge),
    /// It puts down its camp.
    Camp(String),
    /// It has no camp.
    NoCamp,
    /// It holds these back for a landing.
    HoldBack(Vec<String>),
    /// It has deployed all its other elements.
    Deploy,
}

impl Act {
    /// What it is, in a sentence without its subject.
    pub fn in_words(&self) -> String {
        let picks = |all: &[(String, Pick)]| {
            all.iter().map(|(name, pick)| format!("{name} ({})", pick.name())).collect::<Vec<_>>().join(", ")
        };
        match self {
            Self::Army(home, factor) => format!("brings an army of {}, aggression {factor}", home.name()),
            Self::Ally(name, home) => format!("has allies {name} of {}", home.name()),
            Self::Preset => "uses the organiser's terrain".to_owned(),
            Self::Roll(die) => format!("rolls {die} for aggression"),
            Self::Choose(must, may) => {
                format!("chooses {} as compulsory and {} as optional features", picks(must), picks(may))
            }
            Self::Dice(name, die) => format!("rolls {die} for the quarter of {name}"),
            Self::Name(name, quarter) => format!("names quarter {quarter} for {name}"),
            Self::Lay(name) => format!("puts down {name}"),
            Self::Discard(name) => format!("leaves out {name}"),
            Self::Edge(edge) => format!("takes the {}", edge.name()),
            Self::Camp(name) => format!("puts down its camp {name}"),
            Self::NoCamp => "has no camp".to_owned(),
            Self::HoldBack(names) => format!("holds back {}", names.join(", ")),
            Self::Deploy => "has deployed".to_owned(),
        }
    }
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Step {
    /// That side says what army it brings.
    Army(Side),
    /// That side rolls for aggression.
    Roll(Side),
    /// That side, the defender, chooses terrain.
    Choose(Side),
    /// That side dices for a feature's quarter.
    Dice(Side),
    /// That side names the quarter.
    Name(Side),
    /// That side puts the feature down, or discards it.
    Lay(Side),
    /// That side, the invader, takes a base edge.
    Edge(Side),
    /// That side puts down its camp, or has none.
    Camp(Side),
    /// That side deploys.
    Deploy(Side),
    /// The first bound is that side's.
    FirstBound(Side),
}

/// Where one feature has got to.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// Its name.
    pub name: String,
    /// What it is.
    pub pick: Pick,
    /// Whether it is compulsory.
    pub role: Role,
    /// What was diced for it.
    pub die: Option<u8>,
    /// The quarter that the die or a player named.
    pub quarter: Option<u8>,
    /// Whether it lies, or was left out.
    pub fate: Fate,
}

/// Whether a feature is one of the compulsory ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// It is.
    Compulsory,
    /// It is not.
    Optional,
}

/// Whether a feature lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fate {
    /// Not yet.
    #[default]
    Open,
    /// It lies.
    Laid,
    /// It was left out.
    Discarded,
}

/// What one side has done.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Half {
    /// Its home terrain and aggression factor.
    pub army: Option<(Home, u8)>,
    /// Contingents from other homes.
    pub allies: Vec<(String, Home)>,
    /// Its last aggression die.
    pub die: Option<u8>,
    /// Its camp: `Some(None)` where it has none.
    pub camp: Option<Option<String>>,
    /// Whom it holds back.
    pub held_back: Vec<String>,
    /// Whether it has deployed.
    pub deployed: bool,
}

/// What has been done so far.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct State {
    red: Half,
    blue: Half,
    preset: bool,
    chosen: bool,
    placements: Vec<Placement>,
    edge: Option<BoardEdge>,
    defender: Option<Side>,
}

impl State {
    /// What that side has done.
    pub fn half(&self, side: Side) -> &Half {
        match side {
            Side::Red => &self.red,
            Side::Blue => &self.blue,
        }
    }

    fn half_mut(&mut self, side: Side) -> &mut Half {
        match side {
            Side::Red => &mut self.red,
            Side::Blue => &mut self.blue,
        }
    }

    /// Who defends, where it is settled.
    pub fn defender(&self) -> Option<Side> {
        self.defender
    }

    /// Every feature that was chosen, compulsory ones first.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The base edges, once the invader has taken his.
    pub fn edges(&self) -> Option<BaseEdges> {
        let (invaders, defender) = (self.edge?, self.defender?);
        Some(BaseEdges { red: if defender == Side::Blue { invaders } else { invaders.opposite() } })
    }

    /// The home terrains of that side, where they are known.
    pub fn homes(&self, side: Side) -> Option<Homes> {
        let half = self.half(side);
        let (army, _) = half.army?;
        Some(Homes { army, contingents: half.allies.iter().cloned().collect() })
    }

    /// What comes next.
    pub fn next(&self) -> Step {
        for side in [Side::Red, Side::Blue] {
            if self.half(side).army.is_none() {
                return Step::Army(side);
            }
        }
        let Some(defender) = self.defender else {
            let waiting = [Side::Red, Side::Blue].into_iter().find(|side| self.half(*side).die.is_none());
            return Step::Roll(waiting.unwrap_or(Side::Red));
        };
        let invader = defender.enemy();
        if !self.preset {
            if !self.chosen {
                return Step::Choose(defender);
            }
            if let Some(open) = self.current() {
                return match (open.die.and_then(Namer::at), open.quarter) {
                    (None, _) => Step::Dice(defender),
                    (Some((Namer::Defender, _)), None) => Step::Name(defender),
                    (Some((Namer::Invader, _)), None) => Step::Name(invader),
                    _ => Step::Lay(defender),
                };
            }
        }
        if self.edge.is_none() {
            return Step::Edge(invader);
        }
        for side in [defender, invader] {
            if self.half(side).camp.is_none() {
                return Step::Camp(side);
            }
        }
        for side in [defender, invader] {
            if !self.half(side).deployed {
                return Step::Deploy(side);
            }
        }
        Step::FirstBound(defender)
    }

    /// The feature that is being placed, or is next to be: one that was diced for first.
    pub fn current(&self) -> Option<&Placement> {
        let open = || self.placements.iter().filter(|p| p.fate == Fate::Open);
        open().find(|p| p.die.is_some()).or_else(|| open().next())
    }

    /// What the next step needs, in a sentence. The table says which edges are open.
    pub fn needs(&self, setup: &Setup, settings: &Settings) -> String {
        let current = self.current().map_or("the feature", |p| p.name.as_str());
        match self.next() {
            Step::Army(side) => format!("{} says its army's home terrain and aggression factor", side.word()),
            Step::Roll(side) => format!("{} rolls a die for aggression", side.word()),
            Step::Choose(side) => {
                format!("{} defends and chooses 1 or 2 compulsory and 2 or 3 optional features", side.word())
            }
            Step::Dice(side) => format!("{} rolls the die for the quarter of {current}", side.word()),
            Step::Name(side) => format!("{} names the quarter of {current}", side.word()),
            Step::Lay(side) => {
                let quarter = self.current().and_then(|p| p.quarter);
                let where_to = quarter.map_or(String::new(), |n| format!(" in quarter {n}"));
                format!("{} puts {current} down{where_to}, or discards it where it fits nowhere", side.word())
            }
            Step::Edge(side) => {
                let names: Vec<&str> = open_edges(setup, settings).into_iter().map(BoardEdge::name).collect();
                format!("{} invades and takes a base edge: the {}", side.word(), names.join(", the "))
            }
            Step::Camp(side) => format!("{} puts down its camp, or says that it has none", side.word()),
            Step::Deploy(side) => {
                format!("{} says whom it holds back, and deploys all its other elements", side.word())
            }
            Step::FirstBound(side) => format!("the first bound is {}'s", side.word()),
        }
    }

    /// What has been done once that side does that, and what the rules say of it.
    #[must_use]
    pub fn after(&self, setup: &Setup, settings: &Settings, by: Side, act: &Act) -> (Self, Vec<Reason>) {
        let mut next = self.clone();
        let reasons = next.take(setup, settings, by, act);
        (next, reasons)
    }

    fn take(&mut self, setup: &Setup, settings: &Settings, by: Side, act: &Act) -> Vec<Reason> {
        let step = self.next();
        match act {
            Act::Army(home, factor) => {
                self.half_mut(by).army = Some((*home, *factor));
                // A factor that is one needs no word.
                let most = crate::rules::army_list::Aggression::MOST;
                let text = format!("{}'s aggression factor is {factor}; it is 0 to {most}", by.word());
                (*factor > most)
                    .then(|| Reason { holds: false, ..Reason::holds("army-lists.aggr.1", text) })
                    .into_iter()
                    .collect()
            }
            Act::Ally(name, home) => {
                self.half_mut(by).allies.push((name.clone(), *home));
                Vec::new()
            }
            Act::Preset => {
                self.preset = true;
                let holds = !self.chosen;
                let text = if holds {
                    "the organiser's terrain is used: nothing is chosen or placed"
                } else {
                    "terrain has been chosen already: the organiser's is not used"
                };
                vec![Reason { holds, ..Reason::holds("dba3.terr.2", text) }]
            }
            Act::Roll(die) => self.rolled(settings, by, *die),
            Act::Choose(must, may) => self.chooses(settings, by, must, may),
            Act::Dice(name, die) => self.dices(name, *die),
            Act::Name(name, quarter) => self.names(by, name, *quarter),
            Act::Lay(name) => self.lays(by, name, Fate::Laid),
            Act::Discard(name) => self.lays(by, name, Fate::Discarded),
            Act::Edge(edge) => {
                let own = step == Step::Edge(by);
                let text = format!("{} takes the {}: {}", by.word(), edge.name(), told(own, step));
                let mut reasons = vec![Reason { holds: own, ..Reason::holds("dba3.setup.3", text) }];
                reasons.extend(may_take(setup, settings, *edge).reasons());
                self.edge = Some(*edge);
                reasons
            }
            Act::Camp(_) | Act::NoCamp => {
                let own = step == Step::Camp(by);
                let what = if *act == Act::NoCamp { "has no camp" } else { "puts down its camp" };
                let text = format!("{} {what}: {}", by.word(), told(own, step));
                let camp = if let Act::Camp(name) = act { Some(name.clone()) } else { None };
                self.half_mut(by).camp = Some(camp);
                vec![Reason { holds: own, ..Reason::holds("dba3.setup.8", text) }]
            }
            Act::HoldBack(names) => {
                let own = step == Step::Deploy(by);
                let text = format!("{} holds back {}: {}", by.word(), names.join(", "), told(own, step));
                self.half_mut(by).held_back.clone_from(names);
                vec![Reason { holds: own, ..Reason::holds("dba3.dep.1", text) }]
            }
            Act::Deploy => {
                let own = step == Step::Deploy(by);
                let text = format!("{} deploys: {}", by.word(), told(own, step));
                self.half_mut(by).deployed = true;
                vec![Reason { holds: own, ..Reason::holds("dba3.dep.1", text) }]
            }
        }
    }

    fn rolled(&mut self, settings: &Settings, by: Side, die: u8) -> Vec<Reason> {
        let shown = (1..=6).contains(&die);
        let text = format!("{} rolls {die} for aggression", by.word());
        let settled = self.defender.is_some();
        let said = if settled { format!("{text}, which was settled already") } else { text };
        let mut reasons = vec![
            Reason { holds: !settled, ..Reason::holds("dba3.setup.1", said) },
            Reason { holds: shown, ..Reason::holds("dba3.board.6", "a die shows 1 to 6") },
        ];
        if settled || !shown {
            return reasons;
        }
        self.half_mut(by).die = Some(die);
        let of = |half: &Half| {
            let (_, factor) = half.army?;
            Some(Aggression { die: half.die?, factor })
        };
        if let (Some(red), Some(blue)) = (of(&self.red), of(&self.blue)) {
            let found = roll(settings, red, blue);
            self.defender = found.defender;
            if found.defender.is_none() {
                (self.red.die, self.blue.die) = (None, None);
            }
            reasons.extend(found.reasons);
        }
        reasons
    }

    /// Whether a side is the defender, whose the act is.
    fn defends(&self, by: Side, what: &str) -> Reason {
        let holds = self.defender == Some(by);
        let text = match self.defender {
            Some(defender) => format!("{} {what}; {} is the defender", by.word(), defender.word()),
            None => format!("{} {what}; nobody is the defender yet", by.word()),
        };
        Reason { holds, ..Reason::holds("dba3.setup.4", text) }
    }

    fn chooses(
        &mut self,
        settings: &Settings,
        by: Side,
        must: &[(String, Pick)],
        may: &[(String, Pick)],
    ) -> Vec<Reason> {
        let mut reasons = vec![self.defends(by, "chooses terrain")];
        let picks = |all: &[(String, Pick)]| all.iter().map(|(_, pick)| *pick).collect::<Vec<_>>();
        if let Some((home, _)) = self.half(by).army {
            reasons.extend(choice(settings, home, &picks(must), &picks(may)).reasons());
        }
        let of = |role: Role| {
            move |(name, pick): &(String, Pick)| Placement {
                name: name.clone(),
                pick: *pick,
                role,
                die: None,
                quarter: None,
                fate: Fate::Open,
            }
        };
        self.placements =
            must.iter().map(of(Role::Compulsory)).chain(may.iter().map(of(Role::Optional))).collect();
        self.chosen = true;
        reasons
    }

    fn dices(&mut self, name: &str, die: u8) -> Vec<Reason> {
        let waiting: Vec<String> = self
            .placements
            .iter()
            .filter(|p| p.role == Role::Compulsory && p.fate == Fate::Open && p.name != name)
            .map(|p| p.name.clone())
            .collect();
        let Some(placement) = self.placements.iter_mut().find(|p| p.name == name) else {
            return vec![Reason::fails("dba3.place.2", format!("{name} is none of the features chosen"))];
        };
        let mut reasons = Vec::new();
        let early = placement.role == Role::Optional && !waiting.is_empty();
        let text = if early {
            format!("{name} is optional, and {} must be placed first", waiting.join(", "))
        } else {
            format!("no compulsory feature waits behind {name}")
        };
        reasons.push(Reason { holds: !early, ..Reason::holds("dba3.place.1", text) });
        let text = match placement.die {
            Some(before) => format!("{name} has been diced for already, with a {before}"),
            None => format!("a {die} is rolled for {name}"),
        };
        reasons.push(Reason { holds: placement.die.is_none(), ..Reason::holds("dba3.place.2", text) });
        let Some((namer, clause)) = Namer::at(die) else {
            reasons.push(Reason::fails("dba3.board.6", format!("a die does not show {die}")));
            return reasons;
        };
        if placement.die.is_none() {
            placement.die = Some(die);
            placement.quarter = (namer == Namer::Die).then_some(die);
        }
        reasons
            .push(Reason::holds(clause, format!("at a {die} {} names the quarter of {name}", namer.word())));
        reasons
    }

    fn names(&mut self, by: Side, name: &str, quarter: u8) -> Vec<Reason> {
        let defender = self.defender;
        let Some(placement) = self.placements.iter_mut().find(|p| p.name == name) else {
            return vec![Reason::fails("dba3.place.2", format!("{name} is none of the features chosen"))];
        };
        let Some((namer, clause)) = placement.die.and_then(Namer::at) else {
            return vec![Reason::fails("dba3.place.2", format!("{name} has not been diced for"))];
        };
        let may = match namer {
            Namer::Die => false,
            Namer::Defender => defender == Some(by),
            Namer::Invader => defender == Some(by.enemy()),
        };
        let good = (1..=4).contains(&quarter);
        if may && good {
            placement.quarter = Some(quarter);
        }
        let text = format!("{} names quarter {quarter} for {name}; {} names it", by.word(), namer.word());
        vec![Reason { holds: may && good, ..Reason::holds(clause, text) }]
    }

    fn lays(&mut self, by: Side, name: &str, fate: Fate) -> Vec<Reason> {
        let what = if fate == Fate::Laid { "puts down" } else { "leaves out" };
        let mut reasons = vec![self.defends(by, &format!("{what} {name}"))];
        let Some(placement) = self.placements.iter_mut().find(|p| p.name == name) else {
            reasons.push(Reason::fails("dba3.place.2", format!("{name} is none of the features chosen")));
            return reasons;
        };
        let diced = placement.quarter.is_some();
        let text = match placement.quarter {
            Some(quarter) => format!("{name} goes to quarter {quarter}"),
            None => format!("{name} has no quarter yet: dice for it first"),
        };
        reasons.push(Reason { holds: diced, ..Reason::holds("dba3.place.2", text) });
        if placement.die == Some(6) {
            let own = self.defender == Some(by);
            let text = format!("the invader named the quarter of {name}, the defender puts it down");
            reasons.push(Reason { holds: own, ..Reason::holds("dba3.faq.1", text) });
        }
        placement.fate = fate;
        reasons
    }
}

fn told(own: bool, step: Step) -> String {
    if own { "it is its turn".to_owned() } else { format!("what is next is {}", step.in_words()) }
}

impl Step {
    /// What it is, in a few words.
    pub fn in_words(self) -> String {
        match self {
            Self::Army(side) => format!("{}'s army", side.word()),
            Self::Roll(side) => format!("{}'s aggression die", side.word()),
            Self::Choose(side) => format!("{}'s choice of terrain", side.word()),
            Self::Dice(side) => format!("{}'s die for a quarter", side.word()),
            Self::Name(side) => format!("{} naming a quarter", side.word()),
            Self::Lay(side) => format!("{} laying a feature", side.word()),
            Self::Edge(side) => format!("{}'s base edge", side.word()),
            Self::Camp(side) => format!("{}'s camp", side.word()),
            Self::Deploy(side) => format!("{}'s deployment", side.word()),
            Self::FirstBound(side) => format!("{}'s first bound", side.word()),
        }
    }
}
