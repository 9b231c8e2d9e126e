//! Moves in file: a column after its leader, across country or by road, or a group that forms one.

use super::bodies::{rigid, wheels, wound};
use super::columns::straight_to;
use super::fit::fitted;
use super::road::along;
use super::{Leg, TacticalMove};
use crate::geometry::Vector;
use crate::rules::group::{Formed, Shape, formation};
use crate::rules::{Element, Settings, Setup};

/// In file: a column after its leader, across country or by road, or a group that forms one.
pub(super) fn files(
    (before, after): (&Setup, &Setup),
    settings: &Settings,
    formed: &Formed,
    names: &[&str],
    (from, to): (&[Element], &[Element]),
    found: &mut Vec<TacticalMove>,
) {
    let at_start = formation(&from.iter().collect::<Vec<_>>(), settings, formed);
    let at_end = formation(&to.iter().collect::<Vec<_>>(), settings, formed);
    let column = |shape: Shape| matches!(shape, Shape::Column | Shape::BentColumn);
    if column(at_start.shape) {
        let order: Vec<&str> = at_start.order.iter().map(|&at| names[at]).collect();
        let (lead, end) = (&from[at_start.order[0]], &to[at_start.order[0]]);
        let file = |legs: Vec<Leg>| TacticalMove::column(before, &order, &legs).ok();
        if let Some(motion) = rigid(std::slice::from_ref(lead), std::slice::from_ref(end)) {
            let paths = wheels(&[lead], &motion);
            found.extend(wound((before, after), (&[lead], &motion), &paths, &file));
            found.extend(paths.into_iter().filter_map(file));
        }
        found.extend(file(straight_to(lead.footprint.pose(), end.footprint.pose())));
        by_road((before, after), settings, &order, lead, end, found);
    }
    if column(at_end.shape) {
        let order: Vec<&str> = at_end.order.iter().map(|&at| names[at]).collect();
        let (lead, end) = (&from[at_end.order[0]], &to[at_end.order[0]]);
        let (stood, goes) =
            (lead.footprint.pose(), end.footprint.pose().centre - lead.footprint.pose().centre);
        let ahead = |by: &[f64]| {
            let legs = [Leg::Shift(stood.heading.vector() * by[0])];
            TacticalMove::into_column(before, &order, &legs).ok()
        };
        let anywhere = |by: &[f64]| {
            let to = stood.nudged(Vector::new(by[0], by[1]), by[2]);
            TacticalMove::into_column(before, &order, &straight_to(stood, to)).ok()
        };
        let turn = stood.heading.turn_to_radians(end.footprint.pose().heading);
        let on = goes.dot(&stood.heading.vector());
        found.extend(fitted(&[on], (before, after), ahead).map(|(_, mv)| mv));
        found.extend(fitted(&[goes.x, goes.y, turn], (before, after), anywhere).map(|(_, mv)| mv));
    }
}

/// Along each road, as far as the leader has come.
pub(super) fn by_road(
    (before, after): (&Setup, &Setup),
    settings: &Settings,
    order: &[&str],
    lead: &Element,
    end: &Element,
    found: &mut Vec<TacticalMove>,
) {
    let close = settings.tolerances.corner_offset_mm + before.scale.mm_per_bw() / 10.0;
    for road in &before.ground.roads {
        let place = |e: &Element| road.course.nearest_to(e.footprint.pose().centre);
        let (start, stop) = (place(lead), place(end));
        if start.mm > close || stop.mm > close {
            continue;
        }
        let goes = (stop.along_mm - start.along_mm).abs();
        let path = |by: &[f64]| {
            let legs = along(&road.course, lead.footprint.pose(), by[0].abs())?;
            TacticalMove::by_road(before, order, &legs).ok()
        };
        found.extend(fitted(&[goes], (before, after), path).map(|(_, mv)| mv));
    }
}
