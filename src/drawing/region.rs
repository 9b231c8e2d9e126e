//! Where somebody may go: the shadow of the legal region, tinted and outlined.

use super::canvas::Canvas;
use super::view::View;
use crate::geometry::Point;

/// The rings of an outline as one shape, holes left open.
pub(super) fn region(canvas: &mut Canvas, view: &View, outline: &[Vec<Point>]) {
    let rings: Vec<Vec<(f64, f64)>> = outline.iter().map(|ring| view.all_px(ring.iter().copied())).collect();
    if !rings.is_empty() {
        let look = "fill=\"#2e7d32\" fill-opacity=\"0.13\" fill-rule=\"nonzero\" stroke=\"#2e7d32\" \
                    stroke-width=\"1.6\" stroke-dasharray=\"7 2 1.5 2\"";
        canvas.shape(&rings, look);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Situation, svg};
    use crate::geometry::Point;
    use crate::rules::{Ruleset, Settings, notation};

    #[test]
    fn an_outline_is_one_shape_with_its_holes() {
        let settings = Settings::dba3();
        let setup = notation::read_setup("A 4Bd red (5,5)-(6,5) N", &Ruleset::dba3()).expect("a setup");
        let ring = |half: f64| {
            [(-half, -half), (half, -half), (half, half), (-half, half)]
                .map(|(x, y)| Point::new(220.0 + x, 192.5 + y))
                .to_vec()
        };
        let drawn = |outline: &[Vec<Point>]| {
            svg(&Situation {
                title: "where",
                question: "where?",
                answer: "there",
                setup: &setup,
                settings: &settings,
                moves: &[],
                after: None,
                outline,
                reasons: &[],
                conditions: 0,
            })
        };
        let hole = ring(10.0).into_iter().rev().collect();
        let text = drawn(&[ring(60.0), hole]);
        let shape = text.lines().find(|l| l.starts_with("<path")).expect("a shape");
        assert_eq!((shape.matches('M').count(), shape.matches('Z').count()), (2, 2));
        assert!(shape.contains("nonzero") && text.contains("green: where its centre may end"));
        assert!(!drawn(&[]).contains("<path"));
    }
}
