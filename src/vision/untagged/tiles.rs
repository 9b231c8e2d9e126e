//! The umpire's own tiles: what `groma markers print` prints for tables that have no tags.
//!
//! Four, so that one may be hidden; their ids are the family's last before the jig's and the check sheet's, so that they
//! clash with no roster that counts from the beginning.

use super::Tile;
use crate::tracking::{Tag, TagFamily};

/// Side of a tile's black square, printed at 100 %, millimetres.
pub const TILE_MM: f64 = 50.0;
/// Height of a tile's printed face above what it lies on: printed on card. Millimetres.
pub const TILE_THICKNESS_MM: f64 = 0.3;

const FAMILY: TagFamily = TagFamily::Tag36h11;
const TILES: u32 = 4;
/// Ids left for the jig and the check sheet.
const AFTER: u32 = 24;

/// The tiles, `scale` being the printed sheet's true size over its nominal size.
pub fn umpire_tiles(scale: f64) -> Vec<Tile> {
    let first = FAMILY.ids() - AFTER - TILES;
    (first..first + TILES)
        .map(|id| Tile {
            tag: Tag::new(FAMILY, id),
            size_mm: TILE_MM * scale,
            thickness_mm: TILE_THICKNESS_MM,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::jig::jig_tags;

    #[test]
    fn the_tiles_have_ids_of_their_own() {
        let ids: Vec<u32> = umpire_tiles(1.0).iter().map(|t| t.tag.id).collect();
        assert_eq!(ids, [559, 560, 561, 562]);
        assert!(jig_tags(1.0).iter().all(|t| !ids.contains(&t.tag.id)));
    }
}
