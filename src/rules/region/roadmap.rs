//! Places strewn over everything that an element can come near, and a way to each that can be reached.
//!
//! For ends to which none of the plain ways leads: from the places nearest to such an end the last bit is
//! tried straight. The places are the same for the same element every time: positions and headings follow a
//! sequence that fills space evenly. A way may sweep one rear corner over things while it turns, the
//! same all along it. Table frame, millimetres and radians. Invariant: every place has a way that runs into
//! nobody that the element may not pass, and keeps out of zones where that is asked.

use super::detours::{Keep, Wall, spared, walls};
use super::paths::{Hand, Path, Pivot};
use crate::geometry::{Corner, Footprint, Leg, Point, Pose};
use crate::rules::movement::{Block, Prepared};

/// Places strewn. A choice.
const PLACES: u32 = 700;
/// Headings at which the element is tried where it begins.
const TURNS: u32 = 24;
/// Places that an end is tried from, the nearest first. A choice.
const MOST_TRIED: usize = 6;
/// Places that another is tried to be reached from, at most this far off, millimetres. A choice.
const NEAR_MM: f64 = 70.0;
/// Where moves are measured.
const FRONT: [Corner; 2] = [Corner::FrontLeft, Corner::FrontRight];

/// A place that can be reached.
#[derive(Debug)]
struct Place {
    base: Footprint,
    block: Block,
    legs: Vec<Leg>,
    /// Where its front corners are, left and right, and how far they have gone, millimetres.
    fronts: [(Point, f64); 2],
    /// Which rear corners may be the one that sweeps over things: left, right.
    spares: [bool; 2],
}

/// The places that can be reached.
#[derive(Debug)]
pub(super) struct Roadmap {
    places: Vec<Place>,
    walls: Vec<Wall>,
    arm_mm: f64,
}

impl Roadmap {
    /// Strews places and finds the ways.
    pub fn of(moves: &Prepared<'_>, keep: Keep) -> Self {
        let start = moves.mover.footprint;
        let walls = walls(moves, &start, keep);
        let reach_mm = moves.good_mm() + start.width_mm() / 2.0;
        let arm_mm = start.width_mm() / 2.0;
        let place = |base: Footprint, legs: Vec<Leg>, spares: [bool; 2]| {
            let gone = moves.travelled(&legs);
            let fronts = [0, 1].map(|n| (base.corner(FRONT[n]), gone[n]));
            Place { base, block: Block::of(&base), legs, fronts, spares }
        };
        let from = place(start, Vec::new(), [true; 2]);
        let mut map = Self { places: vec![from], walls, arm_mm };
        let turned = (1..TURNS).map(|n| {
            let heading = start.pose().heading.turned_degrees(360.0 / f64::from(TURNS) * f64::from(n));
            Pose { heading, ..start.pose() }
        });
        let strewn = (1..=PLACES).map(|n| {
            let (x, y) = (2.0 * fraction(n, 2) - 1.0, 2.0 * fraction(n, 3) - 1.0);
            // Every third faces as it does at first: that is how most go.
            let turn = if n.is_multiple_of(3) { 0.0 } else { 360.0 * fraction(n, 5) };
            let centre = start.pose().centre + crate::geometry::Vector::new(x, y) * reach_mm;
            Pose { centre, heading: start.pose().heading.turned_degrees(turn) }
        });
        let stands = |base: &Footprint| {
            let block = Block::of(base);
            map.walls.iter().all(|w| block.gap(&w.block) >= w.limit_mm)
        };
        let mut open: Vec<Footprint> = turned
            .chain(strewn)
            .filter(|pose| (pose.centre - start.pose().centre).norm() <= reach_mm)
            .map(|pose| start.moved_to(pose))
            .filter(stands)
            .collect();
        let mut next = 0;
        while next < map.places.len() {
            let mut left = Vec::with_capacity(open.len());
            for base in open {
                let near = map.apart(&map.places[next].base, &base) <= NEAR_MM;
                match if near { map.link(&map.places[next], &base) } else { None } {
                    Some((legs, spares)) => map.places.push(place(base, legs, spares)),
                    None => left.push(base),
                }
            }
            open = left;
            next += 1;
        }
        map
    }

    /// The ways to an end by the places nearest to it, the nearest first: of no more than so many millimetres, where
    /// they are bound.
    pub fn ways(&self, to: &Footprint, most: Option<f64>) -> impl Iterator<Item = Vec<Leg>> + '_ {
        let fronts = FRONT.map(|corner| to.corner(corner));
        let short = |place: &Place| {
            let whole = |n: usize| place.fronts[n].1 + (fronts[n] - place.fronts[n].0).norm();
            most.is_none_or(|most| whole(0).max(whole(1)) <= most)
        };
        let mut near: Vec<(f64, &Place)> = self
            .places
            .iter()
            .filter(|place| (place.block.centre - to.pose().centre).norm_squared() <= NEAR_MM * NEAR_MM)
            .map(|place| (self.apart(&place.base, to), place))
            .filter(|(apart, place)| *apart <= NEAR_MM && short(place))
            .collect();
        let count = MOST_TRIED.min(near.len());
        if count < near.len() {
            near.select_nth_unstable_by(count, |a, b| a.0.total_cmp(&b.0));
            near.truncate(count);
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let to = *to;
        near.into_iter().flat_map(move |(_, place)| self.links(place, to)).map(|(legs, _)| legs)
    }

    /// How far apart two places are: their middles, and what a side goes by the turn.
    fn apart(&self, a: &Footprint, b: &Footprint) -> f64 {
        let turned = a.pose().heading.vector() - b.pose().heading.vector();
        (b.pose().centre - a.pose().centre).norm() + turned.norm() * self.arm_mm
    }

    /// The way on from a place to another, if one of the plain ones is open.
    fn link(&self, from: &Place, to: &Footprint) -> Option<(Vec<Leg>, [bool; 2])> {
        self.links(from, *to).next()
    }

    fn links<'m>(
        &'m self,
        from: &'m Place,
        to: Footprint,
    ) -> impl Iterator<Item = (Vec<Leg>, [bool; 2])> + 'm {
        let (heading, centre) = (to.pose().heading, to.pose().centre);
        let ways = [Hand::Short, Hand::Long].into_iter().flat_map(move |hand| {
            let start = Path::from(from.base);
            [
                start.clone().facing(heading, Pivot::Middle, hand).to(centre).legs,
                start.ending(&to, Pivot::Middle, hand).legs,
            ]
        });
        ways.filter_map(move |legs| {
            let spares = self.open(from, &legs)?;
            Some((from.legs.iter().copied().chain(legs).collect(), spares))
        })
    }

    /// Which rear corners are left to be spared when a place is left by these legs; none where they run into something.
    fn open(&self, from: &Place, legs: &[Leg]) -> Option<[bool; 2]> {
        let (mut block, mut spares) = (from.block, from.spares);
        for leg in legs {
            spares = spared(&block, leg, &self.walls, spares)?;
            block = block.after(leg);
        }
        Some(spares)
    }
}

/// The digits of a number to a base, mirrored at the point: sequences of these fill the unit interval evenly.
fn fraction(mut number: u32, base: u32) -> f64 {
    let (mut share, mut found) = (1.0, 0.0);
    while number > 0 {
        share /= f64::from(base);
        found += share * f64::from(number % base);
        number /= base;
    }
    found
}
