//! A tactical move: who goes, along which rigid legs, and what kind of move its player makes of it.
//!
//! Table frame, millimetres and radians, anticlockwise positive. Invariant: legs are rigid, so a base
//! keeps its width and depth; a mover without legs stands still.

use super::gateway::Gateway;
use crate::geometry::{Leg, Pose};
use crate::rules::bound::How;
use crate::rules::{Element, Setup};
use thiserror::Error;

/// One element of a move and the path that it takes.
#[derive(Debug, Clone, PartialEq)]
pub struct Mover {
    /// The element's name.
    pub name: String,
    /// Its path, leg after leg.
    pub legs: Vec<Leg>,
}

impl Mover {
    /// Where it ends when it starts at `pose`.
    pub fn end(&self, pose: Pose) -> Pose {
        self.legs.iter().fold(pose, |at, leg| leg.applied_to(at))
    }

    /// Where it stands before each leg, and at the end: one pose more than it has legs.
    pub fn stations(&self, pose: Pose) -> Vec<Pose> {
        let mut stations = vec![pose];
        for leg in &self.legs {
            let last = stations[stations.len() - 1];
            stations.push(leg.applied_to(last));
        }
        stations
    }
}

/// What kind of move it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Manoeuvre {
    /// A single element, in any direction, to any facing (clauses dba3.move.8 to .10).
    Single,
    /// A group as one body: straight ahead, wheels, and in an enemy zone what lines it up
    /// (clauses dba3.group.5 to .9).
    Group,
    /// A column, each element along the path of its leader (clause dba3.col.5). Movers stand in order,
    /// the leader first.
    Column,
    /// A group that narrows into a column; movers stand in the column's order (clauses dba3.col.1 to .4).
    IntoColumn,
    /// By road, a single element or a column, the leader first (clauses dba3.road.2, .10, .11, dba3.pip.3).
    ByRoad,
    /// The element is swapped for the foot that it becomes (clauses dba3.move.11 to .13).
    Dismount {
        /// Troop code of the foot.
        to: String,
        /// Depth of the foot's base, millimetres, more than zero.
        depth_mm: f64,
    },
}

impl Manoeuvre {
    /// What sort of move it is for those that come after it in the bound.
    pub fn how(&self) -> How {
        match self {
            Self::ByRoad => How::Road,
            Self::Dismount { .. } => How::Dismount,
            Self::Single | Self::Group | Self::Column | Self::IntoColumn => How::Field,
        }
    }
}

/// One tactical move.
#[derive(Debug, Clone, PartialEq)]
pub struct TacticalMove {
    /// Who goes and how, in the order in which they go.
    pub movers: Vec<Mover>,
    /// What kind of move it is.
    pub manoeuvre: Manoeuvre,
    /// What shifts when contact is made, after the legs above: the movers' own free slide (clause
    /// dba3.cf.3), and enemies that conform to them (clause dba3.cf.8). Not measured as movement.
    pub conforming: Vec<Mover>,
    /// How it passes the rim of a camp, City or Fort.
    pub gateway: Gateway,
}

/// Why a move cannot be judged at all.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum MoveError {
    /// Nobody goes.
    #[error("the move names no element; name at least one that goes")]
    Nobody,
    /// The setup has no element of that name.
    #[error("no element is called `{name}`; the setup has {known}")]
    NoElement {
        /// The name given.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// The same element twice.
    #[error("`{name}` is named twice in one move")]
    Twice {
        /// Its name.
        name: String,
    },
    /// Elements of both sides.
    #[error("`{a}` and `{b}` are of different sides; a move is made by one side")]
    BothSides {
        /// One of them.
        a: String,
        /// The other.
        b: String,
    },
    /// The ruleset has no such troop code.
    #[error("`{name}` has the troop code `{code}`, which the ruleset does not know")]
    UnknownTroop {
        /// Element's name.
        name: String,
        /// Its code.
        code: String,
    },
    /// Nothing of that name can be gone into.
    #[error("no camp, City or Fort is called `{place}`; the ground has {known}")]
    NoPlace {
        /// The name given.
        place: String,
        /// Those that there are.
        known: String,
    },
    /// The place has no such gate.
    #[error("`{place}` has {gates} gates and no gate {gate}; say where its gates are with `gates`")]
    NoGate {
        /// The place.
        place: String,
        /// The gate given, from 1.
        gate: usize,
        /// How many it has.
        gates: usize,
    },
}

impl TacticalMove {
    /// A move of one element.
    pub fn single(name: impl Into<String>, legs: Vec<Leg>) -> Self {
        Self::of(vec![Mover { name: name.into(), legs }], Manoeuvre::Single)
    }

    /// A move of these, with nothing that conforms.
    pub fn of(movers: Vec<Mover>, manoeuvre: Manoeuvre) -> Self {
        Self { movers, manoeuvre, conforming: Vec::new(), gateway: Gateway::None }
    }

    /// A group that goes as one body along the same legs.
    pub fn group<'n>(names: impl IntoIterator<Item = &'n str>, legs: &[Leg]) -> Self {
        let movers = names.into_iter().map(|name| Mover { name: name.to_owned(), legs: legs.to_vec() });
        Self::of(movers.collect(), Manoeuvre::Group)
    }

    /// What sort of move it is for those that come after it in the bound: a march through a City is by road.
    pub fn how(&self) -> How {
        match self.gateway {
            Gateway::Through { .. } => How::Road,
            Gateway::None | Gateway::In { .. } | Gateway::Out { .. } => self.manoeuvre.how(),
        }
    }

    /// The names of those that go, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.movers.iter().map(|m| m.name.as_str())
    }

    /// The setup after the move, conforming included. Elements that it does not know are passed over.
    pub fn applied_to(&self, setup: &Setup) -> Setup {
        let mut after = self.stepped_out(setup).into_owned();
        for mover in self.movers.iter().chain(&self.conforming) {
            if let Some(element) = after.elements.iter_mut().find(|e| e.name == mover.name) {
                let end = mover.end(element.footprint.pose());
                element.footprint = element.footprint.moved_to(end);
            }
        }
        if let Manoeuvre::Dismount { to, depth_mm } = &self.manoeuvre {
            for name in self.names() {
                if let Some(element) = after.elements.iter_mut().find(|e| e.name == name) {
                    element.troop.clone_from(to);
                    let foot = element.footprint.redeepened(*depth_mm);
                    element.footprint = foot.unwrap_or(element.footprint);
                }
            }
        }
        self.gone_through(&mut after);
        after
    }

    /// The elements that go, as they stand before, in the move's order.
    ///
    /// # Errors
    /// Nobody, an unknown name, a name twice, elements of both sides, or a place or gate that is not there.
    pub fn elements<'s>(&self, setup: &'s Setup) -> Result<Vec<&'s Element>, MoveError> {
        self.gateway.check(setup)?;
        let mut found: Vec<&Element> = Vec::with_capacity(self.movers.len());
        for name in self.names() {
            let element = setup.element(name).ok_or_else(|| MoveError::NoElement {
                name: name.to_owned(),
                known: setup.elements.iter().map(|e| e.name.as_str()).collect::<Vec<_>>().join(", "),
            })?;
            if found.iter().any(|e| e.name == element.name) {
                return Err(MoveError::Twice { name: name.to_owned() });
            }
            if let Some(first) = found.first().filter(|first| first.side != element.side) {
                return Err(MoveError::BothSides { a: first.name.clone(), b: element.name.clone() });
            }
            found.push(element);
        }
        if found.is_empty() { Err(MoveError::Nobody) } else { Ok(found) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Point, Vector};

    #[test]
    fn stations_are_where_each_leg_begins_and_the_end() {
        let mover = Mover {
            name: "A".into(),
            legs: vec![Leg::Shift(Vector::new(3.0, 0.0)), Leg::Shift(Vector::new(0.0, 4.0))],
        };
        let stations = mover.stations(Pose::new(1.0, 1.0, 0.0));
        assert_eq!(stations.len(), 3);
        assert_eq!(stations[2].centre, Point::new(4.0, 5.0));
        assert_eq!(stations[2], mover.end(Pose::new(1.0, 1.0, 0.0)));
    }
}
