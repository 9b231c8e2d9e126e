//! How rivers and roads must be laid (clauses dba3.riv.1 to .5, dba3.road.3 to .9).
//!
//! Table frame, millimetres. An end is at a board edge where it is within half a base width of it, for models are
//! laid by hand: a choice.

use super::bends::road_bends;
use super::{BoardEdge, Feature, Ground, River, Road, TerrainKind, Way};
use crate::geometry::{Binding, Margin, Part, Point, Segment, gap_to_area, of_ground};
use crate::rules::{Reason, Setup, exact};
use crate::units::Scale;

/// An end of a line is at an edge within so much of it, base widths.
const AT_EDGE_BW: f64 = 0.5;

/// A river's greatest width, base widths (dba3.riv.2).
const WIDEST_BW: f64 = 1.0;
/// Its greatest length for each length of the straight between its ends (dba3.riv.3).
const WINDING: f64 = 1.5;
/// How far it stays off edges that it neither comes from nor goes to, base widths (dba3.riv.5).
const OFF_EDGES_BW: f64 = 4.0;

pub(in crate::rules) fn ends(way: &Way) -> [Point; 2] {
    let line = way.line();
    [line[0], line[line.len() - 1]]
}

/// The edge that a point is at.
pub(in crate::rules) fn edge_at(point: Point, setup: &Setup) -> Option<BoardEdge> {
    let nearest = BoardEdge::ALL
        .into_iter()
        .min_by(|a, b| a.from(point, setup.board_mm).total_cmp(&b.from(point, setup.board_mm)))?;
    (nearest.from(point, setup.board_mm) <= AT_EDGE_BW * setup.scale.mm_per_bw()).then_some(nearest)
}

/// How near a point is to features of one kind, and the nearest.
fn near(ground: &Ground, point: Point, is: fn(TerrainKind) -> bool) -> Option<(&Feature, f64)> {
    let all = ground.features.iter().filter(|f| is(f.kind));
    all.map(|f| (f, -f.outline.depth_of(point).0)).min_by(|a, b| a.1.total_cmp(&b.1))
}

fn joins(ground: &Ground, point: Point, is: fn(TerrainKind) -> bool, scale: Scale) -> bool {
    near(ground, point, is).is_some_and(|(_, mm)| mm <= AT_EDGE_BW * scale.mm_per_bw())
}

fn said(clause: &str, text: String, holds: bool) -> Reason {
    Reason { holds, ..Reason::holds(clause, text) }
}

fn figure(clause: &str, text: String, mm: f64, (from, to): (Point, Point)) -> Reason {
    let margin = Margin::closed(exact(mm), Binding(of_ground(Part::Bank, from), of_ground(Part::Rim, to)));
    Reason::tested(clause, text, margin)
}

/// Whether a river is laid as the rules ask: every clause, held or not.
pub fn laid_river(setup: &Setup, river: &River) -> Vec<Reason> {
    let (name, course, bw) = (&river.name, &river.course, setup.scale.mm_per_bw());
    let [from, to] = ends(course);
    let sides = [from, to].map(|end| edge_at(end, setup));
    let water = |end| joins(&setup.ground, end, |k| k == TerrainKind::Waterway, setup.scale);
    let runs = match sides {
        [Some(a), Some(b)] => a != b,
        [Some(_), None] => water(to),
        [None, Some(_)] => water(from),
        [None, None] => false,
    };
    let at = |side: Option<BoardEdge>| side.map_or("no edge", BoardEdge::name);
    let text = format!("{name} runs from the {} to the {}", at(sides[0]), at(sides[1]));
    let mut reasons = vec![said("dba3.riv.1", text, runs)];

    let width = course.width_mm();
    let text = format!("{name} is {:.2} BW wide; 1 BW is the most", width / bw);
    reasons.push(figure("dba3.riv.2", text, WIDEST_BW * bw - width, (from, from)));

    let (length, straight) = (course.length_mm(), (to - from).norm());
    let text = format!("{name} is {:.2} BW long between ends {:.2} BW apart", length / bw, straight / bw);
    reasons.push(figure("dba3.riv.3", text, WINDING * straight - length, (from, to)));

    let barred =
        |k: TerrainKind| k.is_hill() || k.is_bua() || matches!(k, TerrainKind::Dunes | TerrainKind::Oasis);
    for feature in &setup.ground.features {
        let met = course.parts().map(|part| gap_to_area(&[part.start, part.end], &feature.outline));
        let Some(nearest) = met.min_by(|a, b| a.mm.total_cmp(&b.mm)) else { continue };
        let room = nearest.mm - width / 2.0;
        let crosses = room < 0.0;
        if barred(feature.kind) {
            let text = format!(
                "{name} {} {}, which no river crosses",
                if crosses { "crosses" } else { "keeps off" },
                feature.name
            );
            reasons.push(figure("dba3.riv.4", text, room, (nearest.of_a, nearest.of_b)));
        } else if crosses {
            reasons.push(said("dba3.riv.4", format!("{name} may cross {}", feature.name), true));
        }
    }

    for side in BoardEdge::ALL.into_iter().filter(|side| !sides.contains(&Some(*side))) {
        let nearest = course
            .line()
            .iter()
            .min_by(|a, b| side.from(**a, setup.board_mm).total_cmp(&side.from(**b, setup.board_mm)));
        let Some(&nearest) = nearest else { continue };
        let mm = side.from(nearest, setup.board_mm) - width / 2.0 - OFF_EDGES_BW * bw;
        // A river that ends in a waterway comes as near to the edge behind it as the water lies.
        let behind = water(from) || water(to);
        if behind && waterway_at(setup, side) {
            continue;
        }
        let text = format!("{name} keeps {:.2} BW off the {}", (mm / bw) + OFF_EDGES_BW, side.name());
        reasons.push(figure("dba3.riv.5", text, mm, (nearest, side.foot(nearest, setup.board_mm))));
    }
    reasons
}

/// Whether a waterway fills that edge: its rim runs along half of it or more.
pub(in crate::rules) fn waterway_at(setup: &Setup, side: BoardEdge) -> bool {
    let near = setup.scale.mm_per_bw() / 10.0;
    let whole = match side {
        BoardEdge::Near | BoardEdge::Far => setup.board_mm.0,
        BoardEdge::Right | BoardEdge::Left => setup.board_mm.1,
    };
    let off = |p: Point| side.from(p, setup.board_mm).abs();
    setup.ground.features.iter().filter(|f| f.kind == TerrainKind::Waterway).any(|f| {
        let along = f.outline.edges().filter(|edge| off(edge.start) <= near && off(edge.end) <= near);
        along.map(|edge| edge.length()).sum::<f64>() >= whole / 2.0
    })
}

/// Whether a road is laid as the rules ask: every clause, held or not.
pub fn laid_road(setup: &Setup, road: &Road) -> Vec<Reason> {
    let (name, course, ground) = (&road.name, &road.course, &setup.ground);
    let [from, to] = ends(course);
    let sides = [from, to].map(|end| edge_at(end, setup));
    let mut reasons = Vec::new();
    // A road may end at a waterside BUA, and a second one where it meets the first.
    let at_bua = |end: Point| {
        let bua = near(ground, end, TerrainKind::is_bua)
            .filter(|(_, mm)| *mm <= AT_EDGE_BW * setup.scale.mm_per_bw());
        bua.is_some_and(|(f, _)| {
            ground.features.iter().filter(|w| w.kind == TerrainKind::Waterway).any(|w| {
                f.outline
                    .pieces()
                    .iter()
                    .any(|piece| gap_to_area(piece, &w.outline).mm <= AT_EDGE_BW * setup.scale.mm_per_bw())
            })
        })
    };
    let others: Vec<&Road> = ground.roads.iter().filter(|r| r.name != road.name).collect();
    let first = ground.roads.first().is_some_and(|r| r.name == road.name);
    let meets =
        |other: &Road| other.course.parts().any(|a| course.parts().any(|b| touch(&a, &b, setup.scale)));
    let joined = !first && others.iter().any(|o| meets(o));
    let toward = match sides {
        [Some(a), Some(b)] => b == a.opposite(),
        [Some(_), None] => at_bua(to) || joined,
        [None, Some(_)] => at_bua(from) || joined,
        [None, None] => false,
    };
    let at = |side: Option<BoardEdge>| side.map_or("no edge", BoardEdge::name);
    let text = format!("{name} runs from the {} to the {}", at(sides[0]), at(sides[1]));
    reasons.push(said("dba3.road.3", text, toward));
    reasons.push(road_bends(ground, road, setup.scale));
    for (end, side) in [from, to].into_iter().zip(sides) {
        let bua = near(ground, end, TerrainKind::is_bua)
            .filter(|(_, mm)| *mm <= AT_EDGE_BW * setup.scale.mm_per_bw());
        if at_bua(end) {
            reasons.push(said("dba3.road.7", format!("{name} ends at a waterside BUA"), true));
        } else if let (Some((bua, _)), None) = (bua, side) {
            let text = format!("{name} ends at {}, which is at no Waterway", bua.name);
            reasons.push(said("dba3.road.7", text, false));
        } else if side.is_some_and(|side| waterway_at(setup, side)) {
            let edge = at(side);
            reasons.push(said(
                "dba3.road.5",
                format!("{name} ends at the {edge}, where the Waterway lies"),
                false,
            ));
        }
    }
    if ground.features.iter().any(|f| f.kind == TerrainKind::Waterway)
        && reasons.iter().all(|r| r.clause != "dba3.road.5")
    {
        reasons.push(said("dba3.road.5", format!("{name} ends at no Waterway"), true));
    }
    for river in &ground.rivers {
        if river.course.parts().any(|a| course.parts().any(|b| touch(&a, &b, setup.scale))) {
            let text = format!("{name} crosses {} by a ford or bridge: no river die on it", river.name);
            reasons.push(said("dba3.road.6", text, true));
        }
    }
    for feature in ground.features.iter().filter(|f| f.kind.is_bua()) {
        let through =
            course.parts().any(|part| gap_to_area(&[part.start, part.end], &feature.outline).mm < 0.0);
        if through {
            let holds = feature.kind == TerrainKind::City;
            let text = if holds {
                format!("{name} passes through {}: it must run from gate to gate", feature.name)
            } else {
                format!("{name} crosses {}, which has no gates to pass through", feature.name)
            };
            reasons.push(said("dba3.road.8", text, holds));
        }
    }
    if !others.is_empty() {
        let holds = others.iter().any(|o| meets(o));
        let text = format!("{name} {} another road", if holds { "meets" } else { "meets no" });
        reasons.push(said("dba3.road.9", text, holds));
    }
    reasons
}

/// Whether two straight parts cross or come within a tenth of a base width.
fn touch(a: &Segment, b: &Segment, scale: Scale) -> bool {
    crate::geometry::convex::gap(&[a.start, a.end], &[b.start, b.end]).mm <= scale.mm_per_bw() / 10.0
}
