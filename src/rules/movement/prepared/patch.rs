//! Ground near a mover that slows it or that nobody may enter.
//!
//! Table frame, millimetres. Invariant: all of its outline lies in its circle.

use crate::geometry::{Point, Polygon};
use crate::rules::Settings;
use crate::rules::ruleset::{Going, Troop};
use crate::rules::terrain::{Entry, Feature, Ground};

/// A feature as it hinders one mover.
#[derive(Debug)]
pub(super) struct Patch {
    outline: Polygon,
    /// What it is to the mover.
    pub going: Going,
    /// The middle of a circle about all of it.
    pub middle: Point,
    /// How far that goes, millimetres.
    pub radius: f64,
}

impl Patch {
    /// A feature as it hinders these troops; none where it does not.
    pub fn of(feature: &Feature, ground: &Ground, troop: &Troop, settings: &Settings) -> Option<Self> {
        let going = ground.surface_of(feature.kind, settings).going_for(troop);
        let barred = settings.ruleset().terrain(feature.kind).entry == Entry::Barred;
        let (low, high) = feature.outline.bounds();
        let (middle, radius) = (low + (high - low) / 2.0, (high - low).norm() / 2.0);
        let hinders = going > Going::Good || barred;
        hinders.then(|| Self { outline: feature.outline.clone(), going, middle, radius })
    }

    /// Whether a point lies in it.
    pub fn holds(&self, at: Point) -> bool {
        (at - self.middle).norm_squared() <= self.radius * self.radius && self.outline.holds(at)
    }
}
