//! Who is on a road: astride it, centre on its middle line (clause dba3.road.2).
//!
//! Centred is within a tenth of a base width: a choice, for the rules name no figure (notes of dba3.road.2). It is
//! read by movement too. Table frame, millimetres.

use super::Ground;
use crate::geometry::{Binding, Feature as Place, Footprint, Margin, Part, Whose, of_ground};
use crate::rules::{by_size, exact};
use crate::units::Scale;

/// How far from the middle line an element is still centred, base widths.
pub const CENTRED_BW: f64 = 0.1;

/// How an element lies to the road nearest to it.
#[derive(Debug, Clone, PartialEq)]
pub struct OnRoad {
    /// The road, by name.
    pub road: String,
    /// By how much it is centred on it.
    pub margin: Margin,
}

impl Ground {
    /// How a base lies to the road nearest to it; `None` where there is no road.
    pub fn on_road(&self, base: &Footprint, scale: Scale) -> Option<OnRoad> {
        let centre = base.pose().centre;
        let nearest = self.roads.iter().map(|road| (road, road.course.nearest_to(centre)));
        let (road, near) = nearest.min_by(|a, b| by_size(a.1.mm, b.1.mm))?;
        let own = Place { whose: Whose::A, part: Part::Inside, at: centre };
        let binding = Binding(own, of_ground(Part::RoadCentre, near.at));
        let margin = Margin::closed(exact(CENTRED_BW * scale.mm_per_bw() - near.mm), binding);
        Some(OnRoad { road: road.name.clone(), margin })
    }
}
