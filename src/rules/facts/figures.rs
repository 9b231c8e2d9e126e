//! By how much a fact holds with its first element standing elsewhere: one signed figure to each fact, which no shift of
//! the element changes by more than the shift, but where it jumps.
//!
//! Table frame, millimetres. Invariant: of two facts that exclude each other the figures have opposite signs.

use super::{Fact, FactError, pair};
use crate::geometry::{Edge, Footprint, Pose, room_inside_area, separation, separation_from_area};
use crate::rules::position::Position;
use crate::rules::terrain::Feature;
use crate::rules::{Context, Element, Settings, Setup, ask, contact, engagement, shooting, threat_zone};
use std::cell::OnceCell;

/// How deep a front edge is taken to be where it is asked how far it reaches into something, millimetres.
const EDGE_MM: f64 = 1e-3;

/// By how much the fact holds with its first element standing as `own`, millimetres; none where there is no figure.
/// `joined` is the setup with everything that touches brought to exact contact, worked out where it is asked.
pub(super) fn holds_by(
    setup: &Setup,
    joined: &OnceCell<Setup>,
    settings: &Settings,
    fact: &Fact,
    own: &Element,
) -> Result<Option<f64>, FactError> {
    let (_, other) = pair(setup, fact)?;
    let base = &own.footprint;
    let figure = match (fact, other) {
        (Fact::Inside(_, place) | Fact::ClearOf(_, place), _) => {
            let apart = apart_from(setup, fact, base, place)?;
            if matches!(fact, Fact::Inside(..)) { -apart } else { apart }
        }
        (Fact::WhollyInside(_, place) | Fact::PartlyOutside(_, place), _) => {
            let room = room_inside_area(base, &feature(setup, fact, place)?.outline).mm;
            if matches!(fact, Fact::WhollyInside(..)) { room } else { -room }
        }
        (Fact::Storms(_, place) | Fact::NoStorm(_, place), _) => {
            let on = engagement::front_on(own, feature(setup, fact, place)?, &settings.tolerances).mm;
            if matches!(fact, Fact::Storms(..)) { on } else { -on }
        }
        (_, Some(other)) => of_two(setup, joined, settings, fact, (own, other)),
        // `pair` gave the second element of every other fact.
        (_, None) => return Ok(None),
    };
    Ok(Some(ask::exact(figure)))
}

/// The figure of a fact about two elements, the first of which stands as `own`.
fn of_two(
    setup: &Setup,
    joined: &OnceCell<Setup>,
    settings: &Settings,
    fact: &Fact,
    (own, other): (&Element, &Element),
) -> f64 {
    let context = Context::of(setup, settings);
    let tolerances = &settings.tolerances;
    let signed = |yes: bool, mm: f64| if yes { mm } else { -mm };
    match fact {
        Fact::Contact(..) => {
            let on = |edge| contact::on_edge(own, other, edge, tolerances).margin();
            on(Edge::Front).or(on(Edge::Rear)).or(contact::on_flank(own, other, tolerances).margin()).mm
        }
        Fact::InZone(..) | Fact::OutsideZone(..) => {
            let reach = threat_zone::reach_into(own, other, &context).mm;
            signed(matches!(fact, Fact::InZone(..)), reach)
        }
        Fact::CanShoot(..) | Fact::CannotShoot(..) => {
            let joined = joined.get_or_init(|| Position::of(setup, settings).setup);
            let room = shooting::reach(setup, joined, settings, own, other);
            signed(matches!(fact, Fact::CanShoot(..)), room)
        }
        Fact::Supports(..) | Fact::NoSupport(..) => {
            let places = engagement::Position::ALL.into_iter();
            let margins = places.filter_map(|at| engagement::in_position(own, other, at, &context));
            let best = margins.map(|m| m.mm).fold(-setup.scale.mm_per_bw(), f64::max);
            signed(matches!(fact, Fact::Supports(..)), best)
        }
        Fact::Overlaps(..) | Fact::NoOverlap(..) => {
            let touch = engagement::beside(own, other, &context).mm;
            signed(matches!(fact, Fact::Overlaps(..)), touch)
        }
        Fact::Pins(..) | Fact::NoPin(..) => {
            signed(matches!(fact, Fact::Pins(..)), engagement::pins(own, other, tolerances).mm)
        }
        Fact::Uphill(..) | Fact::NotUphill(..) => {
            signed(matches!(fact, Fact::Uphill(..)), above(setup, settings, own, other))
        }
        Fact::Bank(..) | Fact::NoBank(..) => {
            let (a, b) = ((own.name.as_str(), &own.footprint), (other.name.as_str(), &other.footprint));
            let off = -setup.scale.mm_per_bw();
            let held = setup.ground.bank(a, b).map_or(off, |found| found.margin.mm);
            signed(matches!(fact, Fact::Bank(..)), held)
        }
        // `Apart`; the others are about features.
        _ => {
            let overhang =
                own.overhang.front + other.overhang.front.max(other.overhang.sides).max(other.overhang.rear);
            separation(&own.footprint, &other.footprint).mm - tolerances.contact_gap_mm - overhang
        }
    }
}

/// By how much one is uphill of another. Who is off a hill is lowest of all there: what counts at its rim is how far the
/// front edge reaches in.
fn above(setup: &Setup, settings: &Settings, own: &Element, other: &Element) -> f64 {
    let base = &own.footprint;
    let pose = base.pose();
    let centre = pose.at(0.0, (base.depth_mm() - EDGE_MM) / 2.0);
    let front =
        Footprint::new(Pose { centre, ..pose }, base.width_mm(), EDGE_MM).expect("a base has a width");
    let reaches = |hill: &Feature| -separation_from_area(&front, &hill.outline).mm;
    let (a, b) = ((own.name.as_str(), base), (other.name.as_str(), &other.footprint));
    match setup.ground.uphill(a, b, &settings.tolerances) {
        Some(found) => {
            let reach = setup.ground.feature(&found.on).map_or(f64::INFINITY, reaches);
            if reach < 0.0 { reach } else { reach.min(found.margin.mm) }
        }
        None => {
            let hills = setup.ground.features.iter().filter(|f| f.hill.is_some());
            hills.map(reaches).fold(-setup.scale.mm_per_bw(), f64::max)
        }
    }
}

/// How far a base is from a feature or river.
fn apart_from(setup: &Setup, fact: &Fact, base: &Footprint, place: &str) -> Result<f64, FactError> {
    let river = setup.ground.rivers.iter().find(|river| river.name == place);
    match (setup.ground.feature(place), river) {
        (None, Some(river)) => Ok(-river.course.reach_of(base).mm),
        _ => Ok(separation_from_area(base, &feature(setup, fact, place)?.outline).mm),
    }
}

fn feature<'s>(setup: &'s Setup, fact: &Fact, name: &str) -> Result<&'s Feature, FactError> {
    let found = setup.ground.feature(name);
    found.ok_or_else(|| FactError::NoFeature { fact: fact.to_string(), name: name.to_owned() })
}
