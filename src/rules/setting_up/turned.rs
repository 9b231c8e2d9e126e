//! A table turned by quarters, so that one of its edges is the near one: what is told of deployment reads so.

use crate::geometry::{Footprint, Heading, Point, Polygon, Pose};
use crate::rules::terrain::{BaseEdges, BoardEdge, Feature, Ground, Hill, River, Road, Way};
use crate::rules::{Element, Setup};

/// How a table is turned.
#[derive(Debug, Clone, Copy)]
struct Turn {
    near: BoardEdge,
    board: (f64, f64),
}

impl Turn {
    fn point(self, p: Point) -> Point {
        let (width, depth) = self.board;
        match self.near {
            BoardEdge::Near => p,
            BoardEdge::Far => Point::new(width - p.x, depth - p.y),
            BoardEdge::Left => Point::new(depth - p.y, p.x),
            BoardEdge::Right => Point::new(p.y, width - p.x),
        }
    }

    fn degrees(self) -> f64 {
        match self.near {
            BoardEdge::Near => 0.0,
            BoardEdge::Far => 180.0,
            BoardEdge::Left => 90.0,
            BoardEdge::Right => 270.0,
        }
    }

    fn line(self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|p| self.point(*p)).collect()
    }

    fn heading(self, heading: Heading) -> Heading {
        heading.turned_degrees(self.degrees())
    }

    fn way(self, way: &Way) -> Way {
        Way::new(self.line(way.line()), way.width_mm()).expect("a turned way is a way")
    }

    fn feature(self, feature: &Feature) -> Feature {
        Feature {
            outline: Polygon::new(self.line(feature.outline.corners()))
                .expect("a turned outline is an outline"),
            hill: feature.hill.as_ref().map(|hill| Hill { crest: self.line(&hill.crest), ..hill.clone() }),
            gates: self.line(&feature.gates),
            ..feature.clone()
        }
    }

    fn element(self, element: &Element) -> Element {
        let (base, pose) = (&element.footprint, element.footprint.pose());
        let pose = Pose { centre: self.point(pose.centre), heading: self.heading(pose.heading) };
        let footprint =
            Footprint::new(pose, base.width_mm(), base.depth_mm()).expect("a turned base is a base");
        Element { footprint, ..element.clone() }
    }
}

/// The table turned so that the edge is the near one.
pub fn turned(setup: &Setup, near: BoardEdge) -> Setup {
    let turn = Turn { near, board: setup.board_mm };
    let (width, depth) = setup.board_mm;
    let board_mm = match near {
        BoardEdge::Near | BoardEdge::Far => (width, depth),
        BoardEdge::Left | BoardEdge::Right => (depth, width),
    };
    let ground = &setup.ground;
    Setup {
        board_mm,
        edges: BaseEdges { red: setup.edges.red.turned(near) },
        elements: setup.elements.iter().map(|e| turn.element(e)).collect(),
        ground: Ground {
            features: ground.features.iter().map(|f| turn.feature(f)).collect(),
            rivers: ground
                .rivers
                .iter()
                .map(|r| River { course: turn.way(&r.course), ..r.clone() })
                .collect(),
            roads: ground.roads.iter().map(|r| Road { course: turn.way(&r.course), ..r.clone() }).collect(),
            plough: ground.plough,
        },
        ..setup.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, notation};

    #[test]
    fn the_edge_becomes_the_near_one_and_four_turns_are_none() {
        let text = "bw 40mm board 15x10; A 4Bd red (1,3)-(2,3) N; ground wood W box (1,2)-(4,5); \
                    ground river R (0,4)-(15,6) w0.8";
        let setup = notation::read_setup(text, &Ruleset::dba3()).expect("a setup");
        for edge in BoardEdge::ALL {
            let there = turned(&setup, edge);
            let (was, is) = (&setup.elements[0].footprint, &there.elements[0].footprint);
            let (was, is) = (was.pose().centre, is.pose().centre);
            assert!((edge.from(was, setup.board_mm) - is.y).abs() < 1e-9, "{edge:?}");
            let left = edge.sides()[0];
            assert!((left.from(was, setup.board_mm) - is.x).abs() < 1e-9, "{edge:?}");
            let ahead = there.elements[0].footprint.pose().heading.vector();
            let wanted = edge.inward().dot(&setup.elements[0].footprint.pose().heading.vector());
            assert!((ahead.y - wanted).abs() < 1e-9, "{edge:?}");
            let taken = Setup { edges: BaseEdges { red: edge }, ..setup.clone() };
            assert_eq!(turned(&taken, edge).edges, BaseEdges::USUAL, "{edge:?}");
        }
        let four = (0..4).fold(setup.clone(), |table, _| turned(&table, BoardEdge::Left));
        assert_eq!(four.board_mm, setup.board_mm);
        let (was, is) = (&setup.ground.features[0].outline, &four.ground.features[0].outline);
        assert!(was.corners().iter().all(|p| is.corners().iter().any(|q| (p - q).norm() < 1e-9)));
    }
}
