//! The kinds of base that the ruleset's troops stand on, and how each may bear a tag.

use super::expected::Mounted;
use super::hidden::Figures;
use crate::markers::print::{Carrier, size_for_face};
use crate::rules::Ruleset;
use crate::tracking::{Tag, TagFamily};
use crate::units::Scale;

/// A kind of base.
#[derive(Debug, Clone, PartialEq)]
pub struct BaseKind {
    /// Width and least listed depth, millimetres.
    pub base_mm: (f64, f64),
    /// The codes of the troops that stand on it.
    pub codes: Vec<String>,
}

/// Every kind, the shallowest first.
pub fn kinds(ruleset: &Ruleset, scale: Scale) -> Vec<BaseKind> {
    let mut kinds: Vec<BaseKind> = Vec::new();
    for troop in ruleset.troops() {
        let base_mm = (scale.mm_per_bw(), troop.listed_depth_mm(scale));
        let code = troop.listed().to_owned();
        match kinds.iter_mut().find(|k| k.base_mm == base_mm) {
            Some(kind) => kind.codes.push(code),
            None => kinds.push(BaseKind { base_mm, codes: vec![code] }),
        }
    }
    kinds.sort_by(|a, b| a.base_mm.1.total_cmp(&b.base_mm.1));
    kinds
}

/// A plate's face lies so high over the base's top: card, glue and magnet.
pub const PLATE_MM: f64 = 1.5;
/// A stalk reaches so far past the figures.
const CLEAR_MM: f64 = 4.0;
/// No larger tags were studied.
const LARGEST_MM: f64 = 20.0;
/// Smaller ones were not either.
const SMALLEST_MM: f64 = 6.0;

/// The ways in which a base may bear a tag of a family, none of which sticks out past it: the largest that goes, but no
/// larger than `most_mm`.
pub fn ways(kind: &BaseKind, family: TagFamily, figures: Figures, most_mm: f64) -> Vec<(Carrier, Mounted)> {
    let (width, depth) = kind.base_mm;
    let tag = Tag::new(family, 0);
    let fitting = |room: f64| {
        let size = size_for_face(tag, room.min(width)).min(most_mm).min(LARGEST_MM);
        (size >= SMALLEST_MM).then_some(size)
    };
    let plate = fitting(depth - figures.depth_mm).map(|size_mm| {
        // In the middle of the room behind the figures, clear of the next rank's.
        let forward_mm = -figures.depth_mm / 2.0;
        (Carrier::Plate, Mounted { family, size_mm, forward_mm, height_mm: PLATE_MM, base_mm: kind.base_mm })
    });
    let stalk = fitting(depth).map(|size_mm| {
        let height_mm = figures.height_mm + CLEAR_MM;
        (Carrier::Stalk, Mounted { family, size_mm, forward_mm: 0.0, height_mm, base_mm: kind.base_mm })
    });
    plate.into_iter().chain(stalk).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markers::print::face_mm;

    #[test]
    fn every_troop_type_has_a_base_and_every_base_has_a_way() {
        let ruleset = Ruleset::dba3();
        for (scale, shallowest) in [(Scale::SMALL, 15.0), (Scale::LARGE, 20.0)] {
            let kinds = kinds(&ruleset, scale);
            assert_eq!(kinds.iter().map(|k| k.codes.len()).sum::<usize>(), ruleset.troops().len());
            assert_eq!(kinds[0].base_mm.1, shallowest);
            for kind in &kinds {
                for family in TagFamily::ALL {
                    let ways = ways(kind, family, Figures { height_mm: 26.0, depth_mm: 12.0 }, 20.0);
                    assert!(ways.iter().any(|(c, _)| *c == Carrier::Stalk), "{kind:?} {family}");
                    for (carrier, m) in ways {
                        let face = face_mm(Tag::new(family, 0), m.size_mm);
                        let end = face / 2.0 + m.forward_mm.abs();
                        assert!(
                            end <= kind.base_mm.1 / 2.0 + 1e-9,
                            "{kind:?} {family} {carrier:?} sticks out"
                        );
                    }
                }
            }
        }
        // The shallowest bears 10 mm of tag36h11, on a stalk alone.
        let ways = ways(
            &kinds(&ruleset, Scale::SMALL)[0],
            TagFamily::Tag36h11,
            Figures { height_mm: 26.0, depth_mm: 12.0 },
            20.0,
        );
        assert_eq!(ways.iter().map(|w| (w.0, w.1.size_mm)).collect::<Vec<_>>(), [(Carrier::Stalk, 10.0)]);
    }
}
