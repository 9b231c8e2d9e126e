//! What shoots or is shot at, as edges and an outline: a base, or the City, Fort or camp that an element is inside.

use crate::geometry::{Edge, Footprint, Point, Segment, convex};
use crate::rules::ruleset::{Kind, Troop};
use crate::rules::stronghold;
use crate::rules::{Element, Location, Setup};

/// One edge of a body, run clockwise round it: the world beyond lies to its left.
#[derive(Debug, Clone, Copy)]
pub(super) struct Side {
    /// Which edge of a base; none of a feature's rim.
    pub edge: Option<Edge>,
    /// Where it is.
    pub line: Segment,
}

/// An element as something that shoots or is shot at.
#[derive(Debug, Clone)]
pub(super) struct Body {
    /// Its edges.
    pub sides: Vec<Side>,
    /// The smallest convex outline round it.
    pub outline: Vec<Point>,
    /// The feature that it is inside.
    pub inside: Option<String>,
}

impl Body {
    /// The body of an element; none where it is not on the board and in no feature that lies there.
    pub fn of(setup: &Setup, element: &Element) -> Option<Self> {
        match element.location {
            Location::Board => Some(Self::of_base(&element.footprint)),
            Location::Camp | Location::City | Location::Fort => {
                let feature = stronghold::place_of(&setup.ground, element)?;
                let rim =
                    feature.outline.edges().map(|e| Side { edge: None, line: Segment::new(e.end, e.start) });
                Some(Self {
                    sides: rim.collect(),
                    outline: convex::hull(feature.outline.corners()),
                    inside: Some(feature.name.clone()),
                })
            }
            Location::Reserve | Location::Off => None,
        }
    }

    fn of_base(base: &Footprint) -> Self {
        let side = |edge| Side { edge: Some(edge), line: base.edge(edge) };
        Self { sides: Edge::ALL.map(side).to_vec(), outline: base.outline().to_vec(), inside: None }
    }

    /// The edges that troops of that type shoot over (clause dba3.sht.7).
    pub fn shooting_sides(&self, troop: &Troop) -> Vec<Side> {
        let all_round = self.inside.is_some() || troop.kind == Kind::WarWagons;
        self.sides.iter().filter(|s| all_round || s.edge == Some(Edge::Front)).copied().collect()
    }
}
