//! How big a camp, City or Fort may be and where it may stand, with its gates and gate roads.
//!
//! Table frame, millimetres; red's own rear edge is y = 0, blue's the far one. Sizes are those of the upright or turned
//! rectangle round the outline whose sides add up to least. What touches is within the gap of bases in contact. An Edifice
//! whose side is given is in use as that side's camp. A gate road passes within half a base width of its gate and of the
//! rim of the hill: a choice. Clauses: dba3.bua.1, .3, .4, .13, .14, dba3.city.1, .2, dba3.camp.3, .4, .6 to .8,
//! dba3.faq.3, .4.

use super::who::Terms;
use crate::geometry::{Binding, Margin, Part, Point, area_gap, fitted, of_ground};
use crate::rules::settings::CampWaterside;
use crate::rules::terrain::{Feature, Road, Surface, TerrainKind};
use crate::rules::{Settings, Setup, Side, exact};
use crate::text::counted;

/// Within so much of two edges a City or Fort lies (clause dba3.bua.3).
const NEAR_EDGES_BW: f64 = 6.0;
/// The least sides of a camp (clause dba3.camp.7).
const LEAST_BW: (f64, f64) = (1.0, 0.5);
/// The most that a camp's sides add up to (clause dba3.camp.8).
const MOST_BW: f64 = 4.0;
/// A road runs from a gate, and to a rim, where it comes so near.
const ROAD_BW: f64 = 0.5;

/// Whether a City, Fort or camp is as the rules ask; none where the feature is none of them.
pub fn laid(setup: &Setup, settings: &Settings, feature: &Feature) -> Option<Terms> {
    let mut terms = Terms::default();
    match feature.kind {
        TerrainKind::City | TerrainKind::Fort => {
            let text = format!("{} is declared {}", feature.name, feature.kind.word());
            terms.note("dba3.bua.1", text, true);
            near_two_edges(setup, feature, &mut terms);
            gates(settings, feature, &mut terms);
            on_a_hill(setup, feature, &mut terms);
        }
        TerrainKind::Camp => camp(setup, settings, feature, &mut terms),
        TerrainKind::Edifice if feature.side.is_some() => {
            let text = format!("{} is an Edifice in use as a camp", feature.name);
            terms.note("dba3.camp.6", text, true);
            camp(setup, settings, feature, &mut terms);
        }
        _ => return None,
    }
    Some(terms)
}

fn edge_binding(at: Point) -> Binding {
    Binding(of_ground(Part::Rim, at), of_ground(Part::Rim, at))
}

/// No part of it is more than 6 BW from each of two edges.
fn near_two_edges(setup: &Setup, feature: &Feature, terms: &mut Terms) {
    let (width, depth) = setup.board_mm;
    let most = NEAR_EDGES_BW * setup.scale.mm_per_bw();
    let from = |edge: usize, p: &Point| [p.x, p.y, width - p.x, depth - p.y][edge];
    let furthest = |edge: usize| {
        let all = feature.outline.corners().iter().map(|p| (from(edge, p), *p));
        all.max_by(|a, b| a.0.total_cmp(&b.0)).expect("an outline has corners")
    };
    let mut all: Vec<(f64, Point)> = (0..4).map(furthest).collect();
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mm, at) = all[1];
    let text = format!(
        "{} reaches {:.2} BW from the second of its two edges; 6 BW are allowed",
        feature.name,
        mm / setup.scale.mm_per_bw()
    );
    terms.test("dba3.bua.3", text, Margin::closed(exact(most - mm), edge_binding(at)));
}

/// A City shows one gate or two, each on its rim.
fn gates(settings: &Settings, feature: &Feature, terms: &mut Terms) {
    let (place, count) = (&feature.name, feature.gates.len());
    if feature.kind == TerrainKind::City {
        terms.note("dba3.city.1", format!("{place} has walls, denizens and value"), true);
        let text = format!("{place} shows {}; it needs one or two", counted(count, "gate"));
        terms.ask("dba3.city.2", text, (1..=2).contains(&count));
    } else {
        let text = format!("{place} shows {}; it has a gate", counted(count, "gate"));
        terms.ask("dba3.fort.1", text, count > 0);
    }
    let clause = if feature.kind == TerrainKind::City { "dba3.city.2" } else { "dba3.fort.1" };
    for (n, gate) in feature.gates.iter().enumerate() {
        let (depth_mm, rim) = feature.outline.depth_of(*gate);
        let off = depth_mm.abs();
        let binding = Binding(of_ground(Part::Rim, *gate), of_ground(Part::Rim, rim));
        let text = format!("gate {} is {off:.1} mm off the rim of {place}", n + 1);
        let margin = Margin::closed(exact(settings.tolerances.contact_gap_mm - off), binding);
        terms.test(clause, text, margin);
    }
}

/// The hill that it stands on, and its gate roads.
fn on_a_hill(setup: &Setup, feature: &Feature, terms: &mut Terms) {
    let place = &feature.name;
    let on = |f: &&Feature| f.kind.is_hill() && overlap_mm(feature, f) > 0.0;
    let Some(hill) = setup.ground.features.iter().find(on) else { return };
    terms.note("dba3.bua.4", format!("{place} stands on {}", hill.name), true);
    if feature.kind != TerrainKind::City {
        return;
    }
    for n in 0..feature.gates.len() {
        let road = gate_road(setup, feature, hill, n);
        let text = match road {
            Some(road) => {
                format!("{} runs from gate {} of {place} to the rim of {}", road.name, n + 1, hill.name)
            }
            None => format!("no road runs from gate {} of {place} to the rim of {}", n + 1, hill.name),
        };
        terms.ask("dba3.bua.13", text, road.is_some());
        if let Some(road) = road {
            terms.note("dba3.bua.14", format!("{} is no terrain feature of its own", road.name), true);
        }
    }
}

/// The road from a gate to the nearest point of the hill's rim.
fn gate_road<'s>(setup: &'s Setup, feature: &Feature, hill: &Feature, gate: usize) -> Option<&'s Road> {
    let near_mm = ROAD_BW * setup.scale.mm_per_bw();
    let at = feature.gates[gate];
    let rim = hill.outline.depth_of(at).1;
    let by = |road: &Road, point: Point| road.course.nearest_to(point).mm <= near_mm;
    setup.ground.roads.iter().find(|road| by(road, at) && by(road, rim))
}

/// How deep two features lie in each other, millimetres; below zero minus how far apart they are.
fn overlap_mm(a: &Feature, b: &Feature) -> f64 {
    -area_gap(&a.outline, &b.outline).mm
}

fn camp(setup: &Setup, settings: &Settings, feature: &Feature, terms: &mut Terms) {
    let (bw, place) = (setup.scale.mm_per_bw(), &feature.name);
    let edifice = feature.kind == TerrainKind::Edifice;
    let fit = fitted(feature.outline.corners()).expect("an outline has edges");
    let (long, short) = (fit.long_mm, fit.short_mm);
    let middle = feature.outline.centroid();
    let binding = Binding(of_ground(Part::Rim, middle), of_ground(Part::Rim, middle));
    let room = (long - LEAST_BW.0 * bw).min(short - LEAST_BW.1 * bw);
    let size = format!("{place} measures {:.2} by {:.2} BW", long / bw, short / bw);
    let text = format!("{size}; at least 1 by 1/2 BW");
    terms.test("dba3.camp.7", text, Margin::closed(exact(room), binding));
    let margin = Margin::closed(exact(MOST_BW * bw - long - short), binding);
    terms.test("dba3.camp.8", format!("{size}; together 4 BW at most"), margin);
    if edifice {
        terms.test("dba3.faq.4", format!("{size}, being an Edifice; together 4 BW at most"), margin);
    }
    stands_in(setup, settings, feature, terms);
    stands_where(setup, settings, feature, terms);
}

/// A camp stands in good going that is no Plough; an Edifice is its own going.
fn stands_in(setup: &Setup, settings: &Settings, feature: &Feature, terms: &mut Terms) {
    let place = &feature.name;
    let spoils = |f: &&Feature| {
        f.name != feature.name
            && overlap_mm(feature, f) > 0.0
            && (f.kind == TerrainKind::Plough || setup.ground.surface_of(f.kind, settings) != Surface::Good)
    };
    let spoilt = setup.ground.features.iter().find(spoils);
    let text = match spoilt {
        Some(f) if f.kind == TerrainKind::Plough => format!("{place} stands on {}, which is Plough", f.name),
        Some(f) => format!("{place} stands in {}, which is no good going", f.name),
        None => format!("{place} stands in good going that is no Plough"),
    };
    terms.ask("dba3.camp.3", text, spoilt.is_none());
}

/// A camp touches its side's rear edge, or water where the setting lets it.
fn stands_where(setup: &Setup, settings: &Settings, feature: &Feature, terms: &mut Terms) {
    let place = &feature.name;
    let Some(side) = feature.side else {
        terms.ask("dba3.camp.4", format!("nobody knows whose camp {place} is"), false);
        return;
    };
    let slack = settings.tolerances.contact_gap_mm;
    let own = setup.edges.of(side);
    let from_rear = |p: &Point| own.from(*p, setup.board_mm);
    let nearest = feature.outline.corners().iter().min_by(|a, b| from_rear(a).total_cmp(&from_rear(b)));
    let nearest = *nearest.expect("an outline has corners");
    let away = from_rear(&nearest);
    let at_rear = Margin::closed(exact(slack - away), edge_binding(nearest));
    let water = |f: &&Feature| {
        matches!(f.kind, TerrainKind::Waterway | TerrainKind::Beach) && overlap_mm(feature, f) >= -slack
    };
    let waters: Vec<&Feature> = setup.ground.features.iter().filter(water).collect();
    let rear = waters.iter().any(|f| forms_rear(setup, f, side, slack));
    let anywhere = settings.camp_waterside == CampWaterside::AnyOwnHalf;
    let half = own.across_mm(setup.board_mm) / 2.0;
    let own_half = feature.outline.corners().iter().all(|p| from_rear(p) <= half + slack);
    let by_water = rear || (anywhere && own_half && !waters.is_empty());
    if let Some(water) = waters.first()
        && !at_rear.satisfied()
    {
        let text = match (rear, anywhere) {
            (true, _) => format!("{place} touches {}, which is the rear edge of {}", water.name, side.word()),
            (false, true) => {
                format!("{place} touches {}: by the setting any water in its own half", water.name)
            }
            (false, false) => format!("{place} touches {}, which does not form its rear edge", water.name),
        };
        terms.ask("dba3.faq.3", text.clone(), by_water);
        terms.ask("dba3.camp.4", text, by_water);
        return;
    }
    let text = format!("{place} is {away:.1} mm from the rear edge of {}", side.word());
    terms.test("dba3.camp.4", text.clone(), at_rear);
    terms.test("dba3.faq.3", text, at_rear);
}

/// Whether water forms a side's rear edge: it, or the water that a beach lies along, fills that edge from side to side.
fn forms_rear(setup: &Setup, water: &Feature, side: Side, slack: f64) -> bool {
    let own = setup.edges.of(side);
    let edge = own.line(setup.board_mm);
    let fills = |f: &Feature| {
        let on = f.outline.corners().iter().filter(|p| (edge.nearest_to(**p).0 - **p).norm() <= slack);
        let along = on.map(|p| (p - edge.start).dot(&own.rightward()));
        let (least, most) =
            along.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), at| (a.min(at), b.max(at)));
        most - least >= own.length_mm(setup.board_mm) - 2.0 * slack
    };
    if water.kind == TerrainKind::Waterway {
        return fills(water);
    }
    let along = |f: &&Feature| f.kind == TerrainKind::Waterway && overlap_mm(water, f) >= -slack;
    setup.ground.features.iter().filter(along).any(fills)
}
