//! What stands on the board, as something that hides it from the camera: bases with what is on them.

use super::{ElementReading, Roster};
use crate::geometry::{Footprint, Point};

/// Figures are taken to reach so high over their base, millimetres: 15 mm figures with spears. A choice.
const FIGURES_MM: f64 = 32.0;

/// Each base whose place is known: its corners on the table and how high it and what it carries reach over z = 0,
/// millimetres.
pub fn standing(roster: &Roster, readings: &[ElementReading]) -> Vec<(Vec<Point>, f64)> {
    let of = |reading: &ElementReading| {
        let element = roster.element(&reading.name)?;
        let pose = reading.trusted_pose()?.pose;
        let base = element.base;
        let outline = Footprint::new(pose, base.width_mm, base.depth_mm)?.outline().to_vec();
        let tags = element.tags.iter().map(|tag| tag.height_mm).fold(FIGURES_MM, f64::max);
        Some((outline, reading.rest.height_mm + base.thickness_mm + tags))
    };
    readings.iter().filter_map(of).collect()
}
