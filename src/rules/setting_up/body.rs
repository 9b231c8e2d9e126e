//! A feature as one body of one or two outlines: a hill with the City or Fort that stands on it is one feature.
//!
//! Table frame, millimetres. Invariant: every area feature is in one body; the first City or Fort that lies on a bigger
//! hill is in that of the hill. Clauses: dba3.area.1, .9, dba3.bua.4.

use super::homes::Sort;
use crate::geometry::{Binding, Gap, Part, Point, area_gap, of_ground};
use crate::rules::Setup;
use crate::rules::terrain::{Feature, TerrainKind};

/// One area feature.
#[derive(Debug, Clone, Copy)]
pub struct Body<'s> {
    /// The feature; of a hill with a City or Fort the hill.
    pub main: &'s Feature,
    /// The City or Fort merged with it.
    pub merged: Option<&'s Feature>,
}

impl<'s> Body<'s> {
    /// What it is called.
    pub fn name(&self) -> String {
        match self.merged {
            Some(bua) => format!("{} with {}", self.main.name, bua.name),
            None => self.main.name.clone(),
        }
    }

    /// What its rules are those of.
    pub fn kind(&self) -> TerrainKind {
        self.main.kind
    }

    /// Every corner of it.
    pub fn corners(&self) -> impl Iterator<Item = Point> + 's {
        let merged = self.merged.into_iter().flat_map(|f| f.outline.corners().iter().copied());
        self.main.outline.corners().iter().copied().chain(merged)
    }

    /// Its outlines.
    pub fn parts(&self) -> impl Iterator<Item = &'s Feature> + 's {
        std::iter::once(self.main).chain(self.merged)
    }

    /// How far apart two features are; below zero where they overlap.
    pub fn gap(&self, other: &Body<'_>) -> Gap {
        let gaps = self.parts().flat_map(|a| other.parts().map(|b| area_gap(&a.outline, &b.outline)));
        gaps.min_by(|x, y| x.mm.total_cmp(&y.mm)).expect("a body has an outline")
    }

    /// Whether it has that name, or one of its parts has.
    pub fn is_called(&self, name: &str) -> bool {
        self.parts().any(|part| part.name == name)
    }
}

/// Whether that kind is an area feature of a layout (clause dba3.area.1): camps and beaches are none.
pub fn is_area(kind: TerrainKind) -> bool {
    Sort::of(kind).is_some_and(|sort| !sort.is_linear())
}

/// Every area feature of a table, in its order.
pub fn bodies(setup: &Setup) -> Vec<Body<'_>> {
    let all: Vec<&Feature> = setup.ground.features.iter().filter(|f| is_area(f.kind)).collect();
    let under = |bua: &Feature| {
        let bigger = |f: &&&Feature| {
            f.kind.is_hill() && f.outline.area_mm2() > bua.outline.area_mm2() && overlap(f, bua)
        };
        all.iter().find(bigger).map(|f| f.name.as_str())
    };
    // A hill takes one of them; whatever else stands on it is a feature of its own, and too near.
    let mut on: Vec<(&str, &Feature)> = Vec::new();
    for bua in all.iter().filter(|f| matches!(f.kind, TerrainKind::City | TerrainKind::Fort)) {
        if let Some(hill) = under(bua).filter(|hill| on.iter().all(|(taken, _)| taken != hill)) {
            on.push((hill, bua));
        }
    }
    let alone = all.iter().filter(|f| on.iter().all(|(_, bua)| bua.name != f.name));
    alone
        .map(|f| Body { main: f, merged: on.iter().find(|(hill, _)| *hill == f.name).map(|(_, bua)| *bua) })
        .collect()
}

fn overlap(a: &Feature, b: &Feature) -> bool {
    area_gap(&a.outline, &b.outline).mm < 0.0
}

/// Two points of rims that bind.
pub(super) fn rims(a: Point, b: Point) -> Binding {
    Binding(of_ground(Part::Rim, a), of_ground(Part::Rim, b))
}
