//! A move laid out for judging: who walks which way, who stands still, what was found so far.
//!
//! Table frame, millimetres. Invariant: walkers stand in the move's own order, and a walker's stations are
//! one more than its legs.

use super::{Condition, Leg, MoveError, TacticalMove, corner};
use crate::geometry::{Corner, Edge, Footprint, Margin, Pose, Sweep, Vector};
use crate::rules::bound::Bound;
use crate::rules::group::Formed;
use crate::rules::ruleset::Troop;
use crate::rules::{Context, Element, Location, Reason, Settings, Setup};

/// One element on its way.
#[derive(Debug, Clone)]
pub(super) struct Walker<'a> {
    /// As it stands before.
    pub element: &'a Element,
    /// What it is.
    pub troop: &'a Troop,
    /// Its path.
    pub legs: &'a [Leg],
    /// Where it stands before each leg and at the end.
    pub stations: Vec<Pose>,
    /// The rear corner that may sweep over things while it turns (clause dba3.ip.11); none where it does not.
    pub spared: Option<Corner>,
}

impl<'a> Walker<'a> {
    /// Its base where the move began.
    pub fn start(&self) -> Footprint {
        self.element.footprint
    }

    /// Its base where its path ends.
    pub fn end(&self) -> Footprint {
        self.element.footprint.moved_to(self.stations[self.stations.len() - 1])
    }

    /// The element where its path ends.
    pub fn ended(&self) -> Element {
        Element { footprint: self.end(), ..self.element.clone() }
    }

    /// Its base on each leg in turn.
    pub fn sweeps(&self) -> impl Iterator<Item = Sweep> + '_ {
        let base = |pose: Pose| self.element.footprint.moved_to(pose);
        self.legs.iter().zip(&self.stations).map(move |(&leg, &pose)| Sweep { base: base(pose), leg })
    }

    /// Whether it stays where it is.
    pub fn stands(&self) -> bool {
        self.legs.is_empty()
    }

    /// What it is called.
    pub fn name(&self) -> &'a str {
        &self.element.name
    }
}

/// Everything that a judge of a move needs.
pub(super) struct Scene<'a> {
    /// The table before the move; whoever comes out of a camp, City or Fort stands outside it.
    pub before: &'a Setup,
    /// The table before anybody came out.
    pub indoors: &'a Setup,
    /// The table after it, conforming included.
    pub after: Setup,
    /// The bound that it is made in.
    pub bound: &'a Bound,
    /// The rules' open questions answered.
    pub settings: &'a Settings,
    /// What was joined before.
    pub formed: &'a Formed,
    /// The move.
    pub mv: &'a TacticalMove,
    /// Who moves.
    pub walkers: Vec<Walker<'a>>,
    /// Who is on the board and does not, both sides.
    pub standing: Vec<&'a Element>,
}

impl<'a> Scene<'a> {
    /// Lays a move out: on the table as it was, and as it is once whoever comes out stands outside.
    ///
    /// # Errors
    /// Nobody moves, a name is unknown or twice, both sides move, or a troop code is unknown.
    pub fn of(
        (indoors, before): (&'a Setup, &'a Setup),
        bound: &'a Bound,
        settings: &'a Settings,
        formed: &'a Formed,
        mv: &'a TacticalMove,
    ) -> Result<Self, MoveError> {
        let elements = mv.elements(before)?;
        let mut walkers = Vec::with_capacity(elements.len());
        for (element, mover) in elements.iter().zip(&mv.movers) {
            let troop = settings.ruleset().troop(&element.troop).ok_or_else(|| MoveError::UnknownTroop {
                name: element.name.clone(),
                code: element.troop.clone(),
            })?;
            let stations = mover.stations(element.footprint.pose());
            walkers.push(Walker { element, troop, legs: &mover.legs, stations, spared: None });
        }
        let moves = |e: &Element| elements.iter().any(|m| m.name == e.name);
        let standing =
            before.elements.iter().filter(|e| e.location == Location::Board && !moves(e)).collect();
        let after = mv.applied_to(before);
        let mut scene = Self { before, indoors, after, bound, settings, formed, mv, walkers, standing };
        let spared: Vec<Option<Corner>> =
            (0..scene.walkers.len()).map(|at| corner::spared(&scene, at)).collect();
        for (walker, corner) in scene.walkers.iter_mut().zip(spared) {
            walker.spared = corner;
        }
        Ok(scene)
    }

    /// Millimetres to the base width.
    pub fn bw_mm(&self) -> f64 {
        self.before.scale.mm_per_bw()
    }

    /// The room that bases which truly touch are given, millimetres.
    pub fn slack_mm(&self) -> f64 {
        self.settings.tolerances.contact_gap_mm
    }

    /// The table before, for questions about elements.
    pub fn context(&self) -> Context<'_> {
        Context::of(self.before, self.settings)
    }

    /// Elements of the other side, standing on the board.
    pub fn enemies(&self) -> impl Iterator<Item = &'a Element> + '_ {
        let side = self.walkers[0].element.side;
        self.standing.iter().copied().filter(move |e| e.side != side)
    }

    /// The names of those who move, as a sentence has them.
    pub fn they(&self, one: &str, several: &str) -> String {
        format!("{} {}", self.who(), if self.walkers.len() == 1 { one } else { several })
    }

    /// The movers' names: "A", "A and B".
    pub fn who(&self) -> String {
        match self.walkers.as_slice() {
            [one] => one.name().to_owned(),
            [some @ .., last] => {
                let names: Vec<&str> = some.iter().map(Walker::name).collect();
                format!("{} and {}", names.join(", "), last.name())
            }
            [] => String::new(),
        }
    }
}

/// What was found on the way to a ruling.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// What must hold.
    pub conditions: Vec<Condition>,
    /// What was read.
    pub notes: Vec<Reason>,
    /// What could not be checked.
    pub unchecked: Vec<Reason>,
}

impl Findings {
    /// A geometric condition.
    pub fn test(&mut self, clause: &str, text: String, margin: Margin, remedy: impl FnOnce() -> String) {
        self.conditions.push(Condition::of(Reason::tested(clause, text, margin)).with_remedy(remedy));
    }

    /// A condition that holds or does not, without a figure.
    pub fn ask(&mut self, clause: &str, text: String, holds: bool, remedy: impl FnOnce() -> String) {
        let reason = Reason { holds, ..Reason::holds(clause, text) };
        self.conditions.push(Condition::of(reason).with_remedy(remedy));
    }

    /// Something that was read.
    pub fn note(&mut self, clause: &str, text: impl Into<String>) {
        self.notes.push(Reason::holds(clause, text));
    }

    /// Something that was read and does not hold here.
    pub fn note_not(&mut self, clause: &str, text: impl Into<String>) {
        self.notes.push(Reason::fails(clause, text));
    }
}

/// The displacement of a pose's own right and ahead, millimetres: (right, ahead).
pub(super) fn seen_along(pose: Pose, by: Vector) -> (f64, f64) {
    (by.dot(&pose.heading.right()), by.dot(&pose.heading.vector()))
}

/// The two front corners.
pub(super) const FRONT: [Corner; 2] = [Corner::FrontLeft, Corner::FrontRight];

/// How wide a base is across a way of travel, millimetres.
pub(super) fn width_across(base: &Footprint, way: Vector) -> f64 {
    let across = Vector::new(-way.y, way.x);
    let heading = base.pose().heading;
    base.width_mm() * heading.right().dot(&across).abs()
        + base.depth_mm() * heading.vector().dot(&across).abs()
}

/// Front edge of a base, left to right.
pub(super) fn front_edge(base: &Footprint) -> crate::geometry::Segment {
    base.edge(Edge::Front)
}
