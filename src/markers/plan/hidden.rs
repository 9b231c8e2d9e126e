//! What figures and ranks hide of a tag from the camera: the line of sight over what stands between.
//!
//! Figures are a wall across their base, from its front edge so far back; the rank behind stands in touch, its figures
//! a little inside its front edge. The base is turned so that a wall stands square across the way to the camera, which
//! is the worst. Table frame, millimetres.

use super::expected::{Mounted, THICKNESS_MM};
use crate::tracking::Tag;
use crate::vision::TagPattern;
use nalgebra::Point3;

/// What stands on the bases.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Figures {
    /// How high, above the base's top.
    pub height_mm: f64,
    /// How far back from the base's front edge.
    pub depth_mm: f64,
}

/// Figures stand so far inside their base's front edge.
const INSIDE_MM: f64 = 1.0;

/// The share of a tag, its light ring with it, that cannot be seen from `eye` at a spot, turned the worst way: 0 to 1.
pub fn hidden(eye: &Point3<f64>, mounted: &Mounted, figures: Figures, (x, y): (f64, f64)) -> f64 {
    let rise = figures.height_mm - mounted.height_mm;
    let over = eye.z - THICKNESS_MM - mounted.height_mm;
    if rise <= 0.0 || over <= 0.0 {
        return 0.0;
    }
    let pattern = TagPattern::of(Tag::new(mounted.family, 0)).expect("every family has an id 0");
    let print = pattern.picture_mm(mounted.size_mm);
    let away = (eye.x - x).hypot(eye.y - y);
    let shadow = rise * away / over;
    let half_depth = mounted.base_mm.1 / 2.0;
    let ahead = (half_depth - figures.depth_mm) - (mounted.forward_mm + print / 2.0);
    let behind = (mounted.forward_mm - print / 2.0) + half_depth + INSIDE_MM;
    let covered = |gap: f64| ((shadow - gap.max(0.0)) / print).clamp(0.0, 1.0);
    covered(ahead).max(covered(behind))
}

/// The share of tags found of which so much is hidden, beside those that show whole: as measured of crossed tags in
/// photographs (docs/accuracy.md).
pub fn found_though_hidden(hidden: f64) -> f64 {
    match hidden {
        h if h <= 0.0 => 1.0,
        h if h <= 0.05 => 133.0 / 136.0,
        h if h <= 0.10 => 113.0 / 121.0,
        h if h <= 0.20 => 96.0 / 123.0,
        _ => 8.0 / 85.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracking::TagFamily;

    const FLAT: Mounted = Mounted {
        family: TagFamily::Tag36h11,
        size_mm: 12.0,
        forward_mm: -7.0,
        height_mm: 0.3,
        base_mm: (40.0, 30.0),
    };
    const FIGURES: Figures = Figures { height_mm: 26.0, depth_mm: 12.0 };

    #[test]
    fn nothing_hides_a_tag_from_straight_above_nor_one_above_the_figures() {
        let eye = Point3::new(300.0, 300.0, 900.0);
        assert_eq!(hidden(&eye, &FLAT, FIGURES, (300.0, 300.0)), 0.0);
        let raised = Mounted { height_mm: 30.0, forward_mm: 0.0, ..FLAT };
        assert_eq!(hidden(&eye, &raised, FIGURES, (0.0, 0.0)), 0.0);
    }

    #[test]
    fn figures_hide_as_much_as_their_shadow_reaches_over() {
        // 45 degrees: a wall 25.7 mm over the face throws as long a shadow; the print is 15 mm, half a millimetre clear of
        // the rear edge and so 1.5 mm behind the next rank's figures.
        let eye = Point3::new(897.7, 0.0, 900.0);
        let share = hidden(&eye, &FLAT, FIGURES, (0.0, 0.0));
        assert_eq!(share, 1.0);
        // At ten degrees the shadow is 4.5 mm, 3 of which fall on the print, 1.5 on what lies between.
        let eye = Point3::new(897.7 * 10f64.to_radians().tan(), 0.0, 900.0);
        let share = hidden(&eye, &FLAT, FIGURES, (0.0, 0.0));
        let expected = (25.7 * 10f64.to_radians().tan() - 1.5) / 15.0;
        assert!((share - expected).abs() < 1e-9, "{share} {expected}");
        assert!(found_though_hidden(share) < 0.8 && found_though_hidden(0.0) == 1.0);
    }
}
