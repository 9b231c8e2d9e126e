//! A move's way through the rim of a camp, City or Fort: in, out, or through from gate to gate.
//!
//! Table frame, millimetres. Who comes out of walls is put just outside a gate, its rear edge's middle on it and facing
//! away from them, and its legs begin there; out of a camp they begin where it stands. Who goes in goes along its legs
//! first, and then stands in the middle of the City or Fort, or where it came to in a camp. Those who march through a
//! City have no legs: they end in column just outside the gate of exit, the last with its rear edge on it. Clauses:
//! dba3.bua.6, .8, dba3.city.3 to .5, dba3.faq.2; the places and facings are choices of ours.

use super::{MoveError, TacticalMove};
use crate::geometry::{Edge, Footprint, Heading, Point, Pose};
use crate::rules::stronghold::location_in;
use crate::rules::terrain::Feature;
use crate::rules::{Location, Setup};
use std::borrow::Cow;

/// How a move passes the rim of a camp, City or Fort.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Gateway {
    /// It does not.
    #[default]
    None,
    /// The element goes in after its legs.
    In {
        /// The feature's name.
        place: String,
    },
    /// The element comes out before its legs.
    Out {
        /// The feature's name.
        place: String,
        /// By which gate, from 1, as the feature lists them; of a camp it means nothing.
        gate: usize,
    },
    /// An element or column marches through a City.
    Through {
        /// The feature's name.
        place: String,
        /// The gate of exit, from 1.
        gate: usize,
    },
}

impl Gateway {
    /// The feature that it passes.
    pub fn place(&self) -> Option<&str> {
        match self {
            Self::None => None,
            Self::In { place } | Self::Out { place, .. } | Self::Through { place, .. } => Some(place),
        }
    }

    /// The gate that it comes out by, from 1.
    fn exit(&self) -> Option<usize> {
        match self {
            Self::None | Self::In { .. } => None,
            Self::Out { gate, .. } | Self::Through { gate, .. } => Some(*gate),
        }
    }

    /// Whether the setup has the place and the gate.
    ///
    /// # Errors
    /// [`MoveError::NoPlace`], [`MoveError::NoGate`].
    pub(super) fn check(&self, setup: &Setup) -> Result<(), MoveError> {
        let Some(place) = self.place() else { return Ok(()) };
        let Some(feature) = setup.ground.feature(place).filter(|f| f.kind.is_stronghold()) else {
            let all = setup.ground.features.iter().filter(|f| f.kind.is_stronghold());
            let known = all.map(|f| f.name.as_str()).collect::<Vec<_>>().join(", ");
            let known = if known.is_empty() { "none".to_owned() } else { known };
            return Err(MoveError::NoPlace { place: place.to_owned(), known });
        };
        match self.exit() {
            Some(gate) if feature.kind.has_gates() && gate_pose(feature, gate).is_none() => {
                Err(MoveError::NoGate { place: place.to_owned(), gate, gates: feature.gates.len() })
            }
            _ => Ok(()),
        }
    }
}

/// A gate, from 1, and the way out of it; none where the feature has no such gate.
fn gate_pose(feature: &Feature, gate: usize) -> Option<Pose> {
    let at = *feature.gates.get(gate.checked_sub(1)?)?;
    let away = |s: &crate::geometry::Segment| (s.nearest_to(at).0 - at).norm();
    let wall = feature.outline.edges().min_by(|a, b| away(a).total_cmp(&away(b)))?;
    // The inside lies to the left of each edge.
    Some(Pose { centre: at, heading: Heading::along(wall.end - wall.start)?.turned_degrees(-90.0) })
}

/// A base with the middle of its rear edge at a gate's mouth, facing away.
fn before_gate(base: &Footprint, gate: Pose) -> Footprint {
    base.moved_to(Pose { centre: gate.at(0.0, base.depth_mm() / 2.0), ..gate })
}

/// How far a base is from the nearest of a feature's gates, millimetres, with that gate and which it is, from 1; none
/// where no gates are known.
pub(super) fn nearest_gate(base: &Footprint, feature: &Feature) -> Option<(f64, Point, usize)> {
    let all = feature.gates.iter().enumerate();
    all.map(|(n, at)| (base.distance_to_point(*at).max(0.0), *at, n + 1)).min_by(|a, b| a.0.total_cmp(&b.0))
}

/// How far the front edge of a base is from the nearest gate, millimetres, with that gate.
pub(super) fn front_to_gate(base: &Footprint, feature: &Feature) -> Option<(f64, Point)> {
    let front = base.edge(Edge::Front);
    let away = |at: &Point| (front.nearest_to(*at).0 - at).norm();
    feature.gates.iter().map(|at| (away(at), *at)).min_by(|a, b| a.0.total_cmp(&b.0))
}

impl TacticalMove {
    /// The same, passing the rim of a camp, City or Fort.
    #[must_use]
    pub fn passing(self, gateway: Gateway) -> Self {
        Self { gateway, ..self }
    }

    /// The setup from which its legs are measured: whoever comes out stands outside. Denizens who are not on the table
    /// yet, in reserve, are placed with their sally (clause dba3.city.24).
    pub fn stepped_out<'s>(&self, setup: &'s Setup) -> Cow<'s, Setup> {
        let Gateway::Out { place, gate } = &self.gateway else { return Cow::Borrowed(setup) };
        let Some(feature) = setup.ground.feature(place) else { return Cow::Borrowed(setup) };
        let inside = location_in(feature.kind);
        let mut after = setup.clone();
        for name in self.names() {
            let there =
                |e: &crate::rules::Element| Some(e.location) == inside || e.location == Location::Reserve;
            let found = after.elements.iter_mut().find(|e| e.name == name && there(e));
            let Some(element) = found else { continue };
            element.location = Location::Board;
            if let Some(mouth) = gate_pose(feature, *gate).filter(|_| feature.kind.has_gates()) {
                element.footprint = before_gate(&element.footprint, mouth);
            }
        }
        Cow::Owned(after)
    }

    /// How far each mover's front corner that went furthest went, millimetres: to the rim where it goes inside, from there where
    /// it comes out (clause dba3.sht.10).
    pub fn gone_mm(&self, before: &Setup) -> Vec<(String, f64)> {
        let from = self.stepped_out(before);
        let to = match self.gateway {
            Gateway::In { .. } => self.clone().passing(Gateway::None).applied_to(&from),
            Gateway::None | Gateway::Out { .. } | Gateway::Through { .. } => self.applied_to(&from),
        };
        let gone = |name: &str| {
            let (from, to) = (from.element(name)?.footprint, to.element(name)?.footprint);
            Some((name.to_owned(), super::reach::furthest_mm(&from, &to)))
        };
        self.names().filter_map(gone).collect()
    }

    /// Puts those who have gone in or through where they then are.
    pub(super) fn gone_through(&self, after: &mut Setup) {
        let (Gateway::In { place } | Gateway::Through { place, .. }) = &self.gateway else { return };
        let Some(feature) = after.ground.feature(place).cloned() else { return };
        let exit = self.gateway.exit().and_then(|gate| gate_pose(&feature, gate));
        let mut mouth = exit;
        // The last of a column is the nearest to the gate.
        for mover in self.movers.iter().rev() {
            let Some(element) = after.elements.iter_mut().find(|e| e.name == mover.name) else { continue };
            match (&self.gateway, &mut mouth) {
                (Gateway::Through { .. }, Some(mouth)) => {
                    element.footprint = before_gate(&element.footprint, *mouth);
                    mouth.centre = mouth.at(0.0, element.footprint.depth_mm());
                }
                (Gateway::In { .. }, _) => {
                    element.location = location_in(feature.kind).unwrap_or(element.location);
                    if feature.kind.has_gates() {
                        let pose = element.footprint.pose();
                        let centre = feature.outline.centroid();
                        element.footprint = element.footprint.moved_to(Pose { centre, ..pose });
                    }
                }
                _ => {}
            }
        }
    }
}
