//! Whether a base stands wholly, or partly, in bad or rough going (clauses dba3.cf.9, dba3.faq.9).

use crate::geometry::{Corner, Edge, Footprint, Point, Polygon, Segment, gap_to_area, room_inside_area};
use crate::rules::ruleset::Going;
use crate::rules::{Element, Settings, Setup};

/// The outlines that are bad or rough going to that element.
fn outlines<'s>(element: &Element, setup: &'s Setup, settings: &Settings) -> Vec<&'s Polygon> {
    let rules = settings.ruleset();
    let Some(troop) = rules.troop(&element.troop) else { return Vec::new() };
    let difficult = |surface: Going| surface != Going::Good;
    setup
        .ground
        .features
        .iter()
        .filter(|f| difficult(setup.ground.surface_of(f.kind, settings).going_for(troop)))
        .map(|f| &f.outline)
        .collect()
}

/// How far inside bad or rough going a base lies with all of it, millimetres: the room from its rim to the
/// nearest place out of it. Below zero by how far it reaches out.
pub(super) fn wholly_mm(element: &Element, setup: &Setup, settings: &Settings) -> f64 {
    let outlines = outlines(element, setup, settings);
    let base = &element.footprint;
    let single = outlines.iter().map(|o| room_inside_area(base, o).mm).fold(f64::NEG_INFINITY, f64::max);
    if single >= 0.0 || !covered(base, &outlines) {
        return single;
    }
    // Across features that adjoin: the room that its corners have.
    let depth = |at: Point| outlines.iter().map(|o| o.depth_of(at).0).fold(f64::NEG_INFINITY, f64::max);
    Corner::ALL.into_iter().map(|c| depth(base.corner(c))).fold(f64::INFINITY, f64::min).max(0.0)
}

/// Whether some of a base is in bad or rough going; touching a rim is not.
pub(super) fn partly(element: &Element, setup: &Setup, settings: &Settings) -> bool {
    let outline = element.footprint.outline();
    let gap = |o: &&Polygon| gap_to_area(&outline, o).mm;
    outlines(element, setup, settings).iter().any(|o| gap(o) < 0.0)
}

/// Whether the whole rim of a base lies in these outlines taken together.
fn covered(base: &Footprint, outlines: &[&Polygon]) -> bool {
    /// Rounding where one outline ends and the next begins, millimetres.
    const SEAM_MM: f64 = 1e-6;
    Edge::ALL.into_iter().all(|edge| {
        let edge = base.edge(edge);
        let along = |p: Point| (p - edge.start).norm();
        let mut parts: Vec<(f64, f64)> = outlines
            .iter()
            .flat_map(|o| o.parts_inside(&edge))
            .map(|Segment { start, end }| (along(start), along(end)))
            .collect();
        parts.sort_by(|a, b| a.0.total_cmp(&b.0));
        let reached = parts.into_iter().fold(
            0.0,
            |to: f64, (from, end)| {
                if from <= to + SEAM_MM { to.max(end) } else { to }
            },
        );
        reached >= edge.length() - SEAM_MM
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation;

    fn of(ground: &str) -> (f64, bool) {
        let settings = Settings::dba3();
        let text = format!("{ground}\nA 4Bd red (5,5)-(6,5) N d0.5");
        let setup = notation::read_setup(&text, settings.ruleset()).expect("a good setup");
        let element = setup.element("A").expect("A");
        (wholly_mm(element, &setup, &settings), partly(element, &setup, &settings))
    }

    #[test]
    fn all_of_it_counts_and_the_room_is_told() {
        assert_eq!(of("ground wood W box (4.5,4)-(7,7)"), (20.0, true));
        let (mm, partly) = of("ground wood W box (4.5,4)-(5.75,7)");
        assert!((mm + 10.0).abs() < 1e-9 && partly, "{mm}");
        assert!(!of("ground wood W box (6,4)-(7,7)").1, "touching a rim is not being in");
    }

    #[test]
    fn two_woods_that_adjoin_hold_it_together() {
        let (mm, partly) = of("ground wood W box (4,4)-(5.5,6)\nground wood V box (5.5,4)-(7,6)");
        assert!(mm >= 0.0 && partly);
        assert!(of("ground wood W box (4,4)-(5.5,6)\nground wood V box (5.6,4)-(7,6)").0 < 0.0);
    }

    #[test]
    fn a_clearing_that_runs_in_is_out() {
        let notch = "ground wood W (4,3)-(7,3)-(7,6)-(5.6,6)-(5.5,4.8)-(5.4,6)-(4,6)";
        assert!(of(notch).0 < 0.0);
    }
}
