//! Painted figures on bases.

use super::Clutter;
use super::build::Standing;
use super::scene::SimBase;
use super::world::Solid;

pub(super) fn stand(
    _base: &SimBase,
    _index: usize,
    _at: &Standing,
    _seed: u32,
    _clutter: Clutter,
    _solids: &mut Vec<Solid>,
) {
}
