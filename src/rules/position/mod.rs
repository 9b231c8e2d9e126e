//! The table as the rules work on it: whole battle lines brought together to exact contact.
//!
//! Bases that truly touch are measured a fraction apart, and real bases are 39.5 to 40.6 mm wide, so in
//! a long line what is lost at each base adds up: the eighth files of two lines that fight stand several
//! millimetres off though every player sees them face to face. [`Position::of`] finds who stands with
//! whom within the settings' tolerances, lets a contact run on along two lines that fight, gives every
//! such base its nominal width, and lays each connected body of bases out exactly, fitted to where it was
//! measured by the least sum of squares. Whoever touches nobody stays as measured.
//!
//! Table frame, millimetres. Invariants: links that are not strained hold exactly in `setup`; the
//! measured bases are kept beside, in the same order; conforming a position again changes nothing
//! (up to rounding). Contact, groups and line-up are read from `setup`; distances to whoever stands
//! apart are better read from what was measured.
//!
//! Clauses: dba3.con.4 to .7, dba3.group.1, dba3.base.1, dba3.set.102.

mod lattice;
mod links;

pub(super) use lattice::fitted;
pub use links::{Corners, Found, Joint, Link};

use super::{Element, Settings, Setup, Side, ask::exact, engagement};
use crate::geometry::Footprint;

/// A link that the rest of its body does not agree with, so that it is not exact in the position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strain {
    /// The link.
    pub link: Link,
    /// How far the pair stands from exact contact in the position, millimetres.
    pub by_mm: f64,
}

/// The conformed state of a table, with what was measured beside it.
#[derive(Debug, Clone, PartialEq)]
pub struct Position {
    /// The table with everything that touches brought to exact contact.
    pub setup: Setup,
    /// Every base as measured, in the setup's order.
    pub measured: Vec<Footprint>,
    /// Who stands with whom, by places in the setup, the surest first.
    pub links: Vec<Link>,
    /// Links that could not be made exact.
    pub strained: Vec<Strain>,
}

impl Position {
    /// The position of what stands on the table.
    pub fn of(setup: &Setup, settings: &Settings) -> Self {
        let links = links::find(setup, settings);
        let (elements, strained) = lattice::lay_out(setup, &links);
        let measured = setup.elements.iter().map(|e| e.footprint).collect();
        Self { setup: Setup { elements, ..setup.clone() }, measured, links, strained }
    }

    /// Where an element was measured.
    pub fn measured(&self, name: &str) -> Option<&Footprint> {
        let place = self.setup.elements.iter().position(|e| e.name == name)?;
        self.measured.get(place)
    }

    /// How far conforming took the centre of each base, millimetres, in the setup's order.
    pub fn shifts_mm(&self) -> impl Iterator<Item = (&Element, f64)> {
        let pairs = self.setup.elements.iter().zip(&self.measured);
        pairs.map(|(element, was)| {
            (element, exact((element.footprint.pose().centre - was.pose().centre).norm()))
        })
    }

    /// The link of two elements, if they stand together.
    pub fn link(&self, a: &str, b: &str) -> Option<&Link> {
        let name = |place: usize| self.setup.elements[place].name.as_str();
        self.links.iter().find(|l| {
            let pair = (name(l.a), name(l.b));
            pair == (a, b) || pair == (b, a)
        })
    }

    /// Every pair that fights front to front, in the setup's order.
    pub fn fights(&self, settings: &Settings) -> Vec<engagement::Fight> {
        engagement::fights(&self.setup, settings)
    }

    /// The elements of that side that stand in a body of more than one of their own, by places.
    pub fn bodies(&self, side: Side) -> Vec<Vec<usize>> {
        links::bodies(&self.setup, &self.links, side)
    }
}

#[cfg(test)]
mod tests;
