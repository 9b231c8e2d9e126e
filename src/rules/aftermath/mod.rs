//! What follows a combat: everything that is moved or removed by its outcome, step by step, to exact places.
//!
//! Table frame, millimetres. [`Play`] holds the table as it stands after the steps so far; each step moves or removes
//! one element and says why. Nothing rolls, and nobody is asked: where a player has a choice, the decision that was
//! given counts, else the rule's usual one, and the choice is told with what each answer would do. Invariant: an
//! element that a step removed is off the table and no later step moves it.
//!
//! Clauses: dba3.rec, dba3.flee, dba3.pur, dba3.dest.1, dba3.lost.1, and the settings that amend them.

mod back;
mod flank;
mod flee;
mod obstacle;
mod pursuit;
mod storm;
mod supporter;
mod whole;

pub use whole::{Fought, play_out};

use super::combat::Struck;
use super::ruleset::Kind;
use super::{AskError, Element, Location, Reason, Settings, Setup, ask};
use crate::geometry::Pose;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What happens to an element in a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum What {
    /// It is removed.
    Destroyed,
    /// It leaves the board over its edge, and is lost.
    OffBoard,
    /// It faces the other way.
    TurnsAbout,
    /// It goes straight back.
    Recoils,
    /// It goes straight back through friends and stands behind them.
    RecoilsThrough,
    /// It is pushed straight back.
    PushedBack,
    /// It runs.
    Flees,
    /// It follows its beaten enemy.
    Pursues,
    /// It moves up behind one that pursues.
    Follows,
    /// It lines up with an enemy that a pursuit has met.
    LinesUp,
    /// It moves into the camp, City or Fort whose defenders it destroyed.
    MovesIn,
    /// Its City surrenders, and it serves the enemy from now on.
    Surrenders,
    /// It has to move and cannot, or the rule spares it.
    Stands,
}

impl What {
    /// In a sentence: "recoils".
    pub fn name(self) -> &'static str {
        match self {
            Self::Destroyed => "is destroyed",
            Self::OffBoard => "leaves the board and is lost",
            Self::TurnsAbout => "turns about",
            Self::Recoils => "recoils",
            Self::RecoilsThrough => "recoils through friends",
            Self::PushedBack => "is pushed back",
            Self::Flees => "flees",
            Self::Pursues => "pursues",
            Self::Follows => "follows",
            Self::LinesUp => "lines up",
            Self::MovesIn => "moves in",
            Self::Surrenders => "surrenders",
            Self::Stands => "stands",
        }
    }

    /// Whether it goes where others may stand beside its way.
    fn settles(self) -> bool {
        matches!(
            self,
            Self::Recoils
                | Self::RecoilsThrough
                | Self::PushedBack
                | Self::Flees
                | Self::Pursues
                | Self::Follows
        )
    }

    /// Whether the element is gone afterwards (clauses dba3.dest.1, dba3.lost.1).
    pub fn removes(self) -> bool {
        matches!(self, Self::Destroyed | Self::OffBoard)
    }
}

/// One thing that happens to one element.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// Who.
    pub who: String,
    /// What.
    pub what: What,
    /// Where it stood before.
    pub from: Pose,
    /// Where it stands afterwards; the same where it is removed or stays. A flight along an edge has its turning
    /// points in `by_way_of`.
    pub to: Pose,
    /// Poses on its way.
    pub by_way_of: Vec<Pose>,
    /// The clauses, the deciding one first.
    pub reasons: Vec<Reason>,
}

/// How far mounted troops go back, where they may choose (clause dba3.rec.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum RecoilBy {
    /// One base width.
    BaseWidth,
    /// Their own base's depth.
    OwnDepth,
}

/// What players decided, by element.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Decisions {
    /// How far mounted troops recoil. Those not named go one base width.
    pub recoil: BTreeMap<String, RecoilBy>,
    /// Who occupies a stormed City of several that assaulted it (clause dba3.city.9): the City, the element. Where
    /// nobody is named, the one whose combat destroyed its holders.
    pub occupies: BTreeMap<String, String>,
}

/// A choice that a player has, and what each answer does.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// Whose choice: the element's player's.
    pub who: String,
    /// The clause that gives it.
    pub clause: &'static str,
    /// Each answer in words, and where it would bring the element, or none where it would be removed. The first is
    /// what was done.
    pub answers: Vec<(String, Option<Pose>)>,
}

/// A contact that a pursuit made: it is fought in the next bound (clause dba3.pur.13).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Met {
    /// Who pursued into it.
    pub pursuer: String,
    /// Whom it met.
    pub enemy: String,
    /// How it is fought.
    pub fought: MetHow,
}

/// How a contact made by pursuit is fought (clauses dba3.pur.12, dba3.set.92).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetHow {
    /// Lined up.
    LinedUp,
    /// As if lined up, the contacted element overlapped: neither could line up.
    Overlapped,
    /// Not at all: neither could line up.
    NotFought,
}

/// What made an element suffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Cause {
    /// A close combat.
    CloseCombat,
    /// A close combat in which its opponents defended a City or Fort.
    Repulsed,
    /// Shooting.
    Shooting(Struck),
}

/// The table while outcomes are played out.
#[derive(Debug, Clone, PartialEq)]
pub struct Play<'s> {
    /// The table after the steps so far.
    pub setup: Setup,
    /// What has happened, in order.
    pub steps: Vec<Step>,
    /// The choices that came up.
    pub choices: Vec<Choice>,
    /// Contacts made by pursuit.
    pub met: Vec<Met>,
    settings: &'s Settings,
    decisions: &'s Decisions,
}

impl<'s> Play<'s> {
    /// Nothing has happened yet.
    pub fn new(setup: Setup, settings: &'s Settings, decisions: &'s Decisions) -> Self {
        Self { setup, steps: Vec::new(), choices: Vec::new(), met: Vec::new(), settings, decisions }
    }

    /// Removes an element (clause dba3.dest.1).
    ///
    /// # Errors
    /// An unknown name.
    pub fn destroy(&mut self, name: &str, reasons: Vec<Reason>) -> Result<(), AskError> {
        self.remove(name, What::Destroyed, reasons)
    }

    fn remove(&mut self, name: &str, what: What, mut reasons: Vec<Reason>) -> Result<(), AskError> {
        let element = self.element(name)?;
        if element.location == Location::Off {
            return Ok(());
        }
        let pose = element.footprint.pose();
        if what == What::Destroyed {
            reasons.push(Reason::holds("dba3.dest.1", format!("{name} is taken off the table")));
        }
        reasons.push(self.for_one_battle(element, what));
        reasons.push(Reason::holds("dba3.lost.1", format!("{name} is lost")));
        self.steps.push(Step {
            who: name.to_owned(),
            what,
            from: pose,
            to: pose,
            by_way_of: Vec::new(),
            reasons,
        });
        self.stand(name, |e| e.location = Location::Off);
        Ok(())
    }

    /// Whether it is lost for this battle only (clause dba3.lost.2).
    fn for_one_battle(&self, element: &Element, what: What) -> Reason {
        let (name, kind) = (&element.name, self.settings.ruleset().troop(&element.troop).map(|t| t.kind));
        let text = match (what, kind) {
            (What::OffBoard, _) => format!("{name} left over the table's edge"),
            (_, Some(Kind::CampFollowers)) => format!("{name} are camp followers"),
            (_, Some(Kind::Denizens)) => format!("{name} are denizens"),
            _ => {
                let text = format!("{name} was destroyed, and does not come back in a campaign");
                return Reason::fails("dba3.lost.2", text);
            }
        };
        Reason::holds("dba3.lost.2", format!("{text}: lost for this battle only"))
    }

    /// Moves an element.
    fn shift(&mut self, name: &str, what: What, way: &[Pose], reasons: Vec<Reason>) -> Result<(), AskError> {
        let from = self.element(name)?.footprint.pose();
        let Some((&to, by_way_of)) = way.split_last() else {
            self.steps.push(Step {
                who: name.to_owned(),
                what: What::Stands,
                from,
                to: from,
                by_way_of: Vec::new(),
                reasons,
            });
            return Ok(());
        };
        let by_way_of = by_way_of.to_vec();
        let to = if what.settles() {
            super::settle::settled(&self.setup, self.element(name)?, to, self.slack())
        } else {
            to
        };
        self.steps.push(Step { who: name.to_owned(), what, from, to, by_way_of, reasons });
        self.stand(name, |e| e.footprint = e.footprint.moved_to(to));
        Ok(())
    }

    fn stand(&mut self, name: &str, change: impl FnOnce(&mut Element)) {
        if let Some(element) = self.setup.elements.iter_mut().find(|e| e.name == name) {
            change(element);
        }
    }

    fn element(&self, name: &str) -> Result<&Element, AskError> {
        ask::find(&self.setup, name)
    }

    /// An element that can go somewhere: one that is on the open board.
    fn on_the_board(&self, name: &str) -> Result<&Element, AskError> {
        let element = self.element(name)?;
        let place = match element.location {
            Location::Board => return Ok(element),
            Location::Reserve => "in reserve",
            Location::Camp => "in its camp",
            Location::City => "in a City",
            Location::Fort => "in a Fort",
            Location::Off => "off the board",
        };
        Err(AskError::NotOnBoard { name: name.to_owned(), place })
    }

    fn slack(&self) -> f64 {
        self.settings.tolerances.contact_gap_mm
    }
}
