//! Who is inside a camp, City or Fort, and for whom they hold it.
//!
//! An element says by its location that it is inside one; which of several is told by its place, else by its side.
//! Denizens and camp followers may stand as an element of theirs or, without one, be what the ground says. A City
//! whose owner is known is held by its denizens while nobody else is inside and they are at home (clauses
//! dba3.city.1, .6, .7, .20).

use super::past::{Civilians, Sack, Yielded};
use crate::geometry::{Footprint, Heading, Point, Pose};
use crate::rules::ruleset::{Kind, Ruleset};
use crate::rules::terrain::{Feature, Ground, Holder, TerrainKind};
use crate::rules::{Element, Location, Overhang, Setup, Side};
use std::borrow::Cow;

/// Who is inside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Inside {
    /// Denizens or camp followers.
    Civilians,
    /// Troops; the element's name where one says that it is there.
    Troops(Option<String>),
}

/// Who holds a camp, City or Fort.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Held {
    /// Whose they are.
    pub side: Side,
    /// Who they are.
    pub inside: Inside,
}

/// Where elements inside a feature of that kind are; none where it is no stronghold.
pub(in crate::rules) fn location_in(kind: TerrainKind) -> Option<Location> {
    match kind {
        TerrainKind::Camp => Some(Location::Camp),
        TerrainKind::City => Some(Location::City),
        TerrainKind::Fort => Some(Location::Fort),
        _ => None,
    }
}

/// The camp, City or Fort that an element is inside; none where it is in the open or nothing of that kind is there.
pub fn place_of<'s>(ground: &'s Ground, element: &Element) -> Option<&'s Feature> {
    let here = |f: &&Feature| location_in(f.kind) == Some(element.location);
    let all: Vec<&Feature> = ground.features.iter().filter(here).collect();
    if let [one] = all.as_slice() {
        return Some(one);
    }
    let (centre, half_mm) = (element.footprint.pose().centre, element.footprint.depth_mm() / 2.0);
    let depth = |f: &Feature| f.outline.depth_of(centre).0;
    let deepest = all.iter().copied().max_by(|a, b| depth(a).total_cmp(&depth(b)));
    deepest
        .filter(|f| depth(f) >= -half_mm)
        .or_else(|| all.iter().copied().find(|f| f.side == Some(element.side)))
}

/// Where a base is whose centre lies there: in the camp, City or Fort that it lies in, else on the board. To be inside is
/// a state from then on, whichever way the base looks.
pub fn entered(ground: &Ground, centre: Point) -> Location {
    let holds = |f: &&Feature| f.outline.depth_of(centre).0 > 0.0;
    let within = ground.features.iter().filter(holds).find_map(|f| location_in(f.kind));
    within.unwrap_or(Location::Board)
}

/// The elements inside a feature, in the setup's order.
pub fn inside<'s>(setup: &'s Setup, feature: &Feature) -> impl Iterator<Item = &'s Element> {
    let (name, location) = (feature.name.clone(), location_in(feature.kind));
    setup.elements.iter().filter(move |e| {
        Some(e.location) == location && place_of(&setup.ground, e).is_some_and(|f| f.name == name)
    })
}

/// Whether those are denizens or camp followers.
pub(in crate::rules) fn is_civilian(rules: &Ruleset, element: &Element) -> bool {
    rules.troop(&element.troop).is_some_and(|t| matches!(t.kind, Kind::Denizens | Kind::CampFollowers))
}

/// For whom the denizens of a City are; none where nobody knows whose it was.
pub fn loyalty(feature: &Feature) -> Option<Side> {
    let owner = feature.side.filter(|_| feature.kind == TerrainKind::City)?;
    Some(if feature.past.yielded == Yielded::No { owner } else { owner.enemy() })
}

/// Who holds a feature; nobody where it is undefended or no stronghold.
pub fn held(setup: &Setup, rules: &Ruleset, feature: &Feature) -> Option<Held> {
    location_in(feature.kind)?;
    let troops = inside(setup, feature).find(|e| !is_civilian(rules, e));
    if let Some(element) = troops {
        return Some(Held { side: element.side, inside: Inside::Troops(Some(element.name.clone())) });
    }
    if let Holder::Troops(side) = feature.holder {
        return Some(Held { side, inside: Inside::Troops(None) });
    }
    if feature.past.civilians != Civilians::Home {
        return None;
    }
    let civilians = |side| Some(Held { side, inside: Inside::Civilians });
    if let Some(element) = inside(setup, feature).next() {
        return civilians(element.side);
    }
    if out(setup, rules, feature).is_some() {
        return None;
    }
    match (feature.holder, loyalty(feature)) {
        // What a file says outright outranks whom they would serve.
        (Holder::Civilians(side), _) | (_, Some(side)) => civilians(side),
        (Holder::Nobody | Holder::Troops(_), None) => None,
    }
}

/// An element for the civilians who hold a place, standing in its middle: they fight and are shot at as one, though none is
/// on the table (clause dba3.city.24). None where nobody of them holds it, or one stands for them already.
pub fn civilians_of(setup: &Setup, rules: &Ruleset, feature: &Feature) -> Option<Element> {
    let held = held(setup, rules, feature).filter(|h| h.inside == Inside::Civilians)?;
    if inside(setup, feature).next().is_some() {
        return None;
    }
    let (kind, who) = match feature.kind {
        TerrainKind::City => (Kind::Denizens, "denizens"),
        TerrainKind::Camp => (Kind::CampFollowers, "camp followers"),
        _ => return None,
    };
    let troop = rules.troops().iter().find(|t| t.kind == kind)?;
    let bw = setup.scale.mm_per_bw();
    let pose = Pose { centre: feature.outline.centroid(), heading: Heading::NORTH };
    Some(Element {
        name: format!("{who} of {}", feature.name),
        side: held.side,
        troop: troop.code.clone(),
        footprint: Footprint::new(pose, bw, bw / 2.0)?,
        general: false,
        tower: false,
        overhang: Overhang::default(),
        location: location_in(feature.kind)?,
    })
}

/// The setup with an element for the civilians of every place that they hold without one.
pub fn peopled<'s>(setup: &'s Setup, rules: &Ruleset) -> Cow<'s, Setup> {
    let places = setup.ground.features.iter().filter(|f| f.kind.is_stronghold());
    let all: Vec<Element> = places
        .filter_map(|f| civilians_of(setup, rules, f))
        .filter(|e| setup.element(&e.name).is_none())
        .collect();
    if all.is_empty() {
        return Cow::Borrowed(setup);
    }
    let mut peopled = setup.clone();
    peopled.elements.extend(all);
    Cow::Owned(peopled)
}

/// The element of its denizens or followers that is out or lost; none where they have none or are at home.
pub(in crate::rules) fn out<'s>(setup: &'s Setup, rules: &Ruleset, feature: &Feature) -> Option<&'s Element> {
    let kind = match feature.kind {
        TerrainKind::City => Kind::Denizens,
        TerrainKind::Camp => Kind::CampFollowers,
        _ => return None,
    };
    let theirs = |e: &&Element| {
        matches!(e.location, Location::Board | Location::Off)
            && feature.side.is_none_or(|side| side == e.side)
            && rules.troop(&e.troop).is_some_and(|t| t.kind == kind)
    };
    setup.elements.iter().find(theirs)
}

/// Whether an element is sacking the City that it is inside (clauses dba3.city.10 to .13).
pub fn sacks(ground: &Ground, element: &Element) -> bool {
    let at_work = |f: &Feature| f.past.sack != Sack::No;
    element.location == Location::City && place_of(ground, element).is_some_and(at_work)
}
