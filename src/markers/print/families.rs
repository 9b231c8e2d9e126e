//! Whether a family has ids enough for a table and its armies, and whose ids nobody else may bear.

use crate::markers::check_tags;
use crate::tracking::{Tag, TagFamily};
use crate::vision::jig::jig_tags;
use crate::vision::untagged::umpire_tiles;
use std::fmt::Write;

/// What ids are needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdNeed {
    /// Tags at the board's edges.
    pub reference: u32,
    /// Tags on bases, of all armies.
    pub bases: u32,
}

/// Why a family will not do. Says what would.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{family} has {} ids for a table and its armies, and this takes {}: {} at the board's edges and {} on bases; {would}",
    free_ids(*family),
    need.reference + need.bases,
    need.reference,
    need.bases
)]
pub struct TooFewIds {
    /// The family.
    pub family: TagFamily,
    /// What it is needed for.
    pub need: IdNeed,
    /// What would do.
    pub would: String,
}

/// The ids of a family that the jig, the umpire's tiles and the check sheet leave to tables and armies.
pub fn free_ids(family: TagFamily) -> u32 {
    let reserved = kept_tags().filter(|(tag, _)| tag.family == family).count();
    family.ids() - reserved as u32
}

/// The tags that Groma's own sheets bear, each with its sheet's name. No table and no army may use them.
pub fn kept_tags() -> impl Iterator<Item = (Tag, &'static str)> {
    let jig = jig_tags(1.0).into_iter().map(|r| (r.tag, "the jig"));
    let tiles = umpire_tiles(1.0).into_iter().map(|t| (t.tag, "the umpire's tiles"));
    jig.chain(tiles).chain(check_tags().into_iter().map(|(tag, _)| (tag, "the check sheet")))
}

impl IdNeed {
    /// Whether the family has enough.
    ///
    /// # Errors
    /// Where it has not, with the families that have, or how many bases would do.
    pub fn of(self, family: TagFamily) -> Result<(), TooFewIds> {
        let all = self.reference + self.bases;
        if all <= free_ids(family) {
            return Ok(());
        }
        let enough: Vec<String> = TagFamily::ALL
            .into_iter()
            .filter(|f| free_ids(*f) >= all)
            .map(|f| format!("{f} ({} ids)", free_ids(f)))
            .collect();
        let mut would = if enough.is_empty() {
            "no family has so many: print fewer".to_owned()
        } else {
            format!("use {}", enough.join(" or "))
        };
        let left = free_ids(family).saturating_sub(self.reference);
        let _ = write!(would, ", or no more than {left} bases of {family}");
        Err(TooFewIds { family, need: self, would })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_family_without_enough_ids_is_refused_with_what_would_do() {
        let need = IdNeed { reference: 8, bases: 72 };
        assert_eq!(need.of(TagFamily::Tag36h11), Ok(()));
        assert_eq!(need.of(TagFamily::TagStandard41h12), Ok(()));
        let why = need.of(TagFamily::Tag25h9).expect_err("35 ids").to_string();
        for part in ["tag25h9 has 35 ids", "takes 80", "tag36h11 (559 ids)", "tagStandard41h12", "27 bases"] {
            assert!(why.contains(part), "{part}: {why}");
        }
        assert_eq!(IdNeed { reference: 8, bases: 27 }.of(TagFamily::Tag25h9), Ok(()));
        let why = IdNeed { reference: 8, bases: 5000 }.of(TagFamily::Tag36h11).expect_err("too many");
        assert!(why.to_string().contains("no family has so many"), "{why}");
    }
}
