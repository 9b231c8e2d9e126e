//! Single turns and what they run into, each looked at once: the ways to one end, and those to all ends that face alike,
//! turn at the same places.
//!
//! Table frame, millimetres and radians. Kept for one mover on one table; a turn that shares its place in the store with
//! another is looked at again.

use super::way::{Heed, REAR};
use super::{Other, Prepared};
use crate::geometry::{Leg, Point};
use crate::rules::movement::block::Block;
use crate::rules::movement::zones;
use std::cell::{Cell, RefCell};

/// Turns kept. A choice.
const KEPT: usize = 1024;

/// Where a turn begins, what it is about and how far it goes, bit by bit.
type Key = [u64; 7];

/// A turn, and for bases alone and for zones too, for each rear corner whether it is clear where that one is spared.
type Known = (Key, [Option<[bool; 2]>; 2]);

/// What is known of single turns.
#[derive(Debug, Default)]
pub(super) struct Turns {
    known: RefCell<Vec<Known>>,
    /// Who barred the last: he mostly bars the next.
    barred_by: Cell<usize>,
}

impl Turns {
    /// For each rear corner, left and right, whether a turn runs into nobody whom the mover may not pass, and into no
    /// zone that matters, where it is the one that is spared: looked at no further where neither is.
    pub fn clear(
        &self,
        on: &Prepared<'_>,
        (block, leg, turn): (&Block, &Leg, (Point, f64)),
        heed: Heed,
    ) -> [bool; 2] {
        let [x, y, ahead_x, ahead_y] = block.bits();
        let [about_x, about_y, by] = [turn.0.x, turn.0.y, turn.1].map(f64::to_bits);
        let key = [x, y, ahead_x, ahead_y, about_x, about_y, by];
        let mixed = key.iter().fold(0u64, |h, k| (h ^ k).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23));
        let place = (mixed % KEPT as u64) as usize;
        let mut known = self.known.borrow_mut();
        if known.is_empty() {
            known.resize(KEPT, ([0; 7], [None; 2]));
        }
        let found = &mut known[place];
        if found.0 != key {
            *found = (key, [None; 2]);
        }
        *found.1[heed as usize].get_or_insert_with(|| self.looked(on, (block, leg, turn), heed))
    }

    fn looked(
        &self,
        on: &Prepared<'_>,
        (block, leg, turn): (&Block, &Leg, (Point, f64)),
        heed: Heed,
    ) -> [bool; 2] {
        let mut open = [true; 2];
        let mut keep_out_of = |other: &Block, limit_mm: f64| {
            if block.reaches(leg, other, limit_mm) {
                for (open, rear) in open.iter_mut().zip(REAR) {
                    *open = *open && !block.turn_reaches_without(rear, turn, other, limit_mm);
                }
            }
            open == [false; 2]
        };
        let mut bars = |other: &Other| {
            keep_out_of(&other.block, other.limit_mm)
                || (heed == Heed::Zones
                    && other.threatens
                    && other.zones.iter().any(|(_, zone)| keep_out_of(zone, -zones::TOUCH_MM)))
        };
        let solid = |other: &&Other| !other.passed;
        let last = self.barred_by.get();
        if !on.others.get(last).filter(solid).is_some_and(&mut bars) {
            let found = on.others.iter().position(|other| solid(&other) && bars(other));
            self.barred_by.set(found.unwrap_or(last));
        }
        open
    }
}
