//! The printed patterns of tags, module by module, from the AprilTag library's own tables.
//!
//! A pattern is upright as AprilTag's own image is: row 0 is the top. Tag frame: millimetres, origin at
//! the tag's centre, right and up as printed (up is the way its top points). The square whose corners
//! the detector returns is `border_modules` wide and is what a tag's size means.

use crate::tracking::{Tag, TagFamily};
use apriltag_sys as sys;
use std::sync::OnceLock;

/// A tag's pattern. Invariant: `light.len() == modules * modules`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagPattern {
    tag: Tag,
    modules: usize,
    border_modules: usize,
    light: Vec<bool>,
}

/// What the C library knows of a family, copied once.
struct FamilyTable {
    codes: Vec<u64>,
    bits: Vec<(i32, i32)>,
    border: usize,
    total: usize,
    reversed: bool,
}

impl TagPattern {
    /// The pattern of `tag`, or `None` where its family has no such id.
    pub fn of(tag: Tag) -> Option<Self> {
        let table = family_table(tag.family);
        let code = *table.codes.get(usize::try_from(tag.id).ok()?)?;
        let total = table.total;
        let mut light = vec![false; total * total];
        // The white ring: round the black border, or for a reversed border the border itself.
        let ring = table.border + if table.reversed { 0 } else { 2 };
        let start = (total - ring) / 2;
        for i in 0..ring {
            for (row, column) in [
                (start, start + i),
                (start + ring - 1, start + i),
                (start + i, start),
                (start + i, start + ring - 1),
            ] {
                light[row * total + column] = true;
            }
        }
        let offset = ((total - table.border) / 2) as i32;
        for (i, &(x, y)) in table.bits.iter().enumerate() {
            let bit = code >> (table.bits.len() - 1 - i) & 1 == 1;
            let at = |v: i32| usize::try_from(v + offset).expect("a family's bits lie inside its picture");
            light[at(y) * total + at(x)] = bit;
        }
        Some(Self { tag, modules: total, border_modules: table.border, light })
    }

    /// Which tag.
    pub fn tag(&self) -> Tag {
        self.tag
    }

    /// Modules across the whole picture, white ring and outer data included.
    pub fn modules(&self) -> usize {
        self.modules
    }

    /// Modules across the square whose corners the detector returns.
    pub fn border_modules(&self) -> usize {
        self.border_modules
    }

    /// Whether a module is printed light; outside the picture is `None`.
    pub fn is_light(&self, row: usize, column: usize) -> Option<bool> {
        (row < self.modules && column < self.modules).then(|| self.light[row * self.modules + column])
    }

    /// Side of one module for a tag of `size_mm`.
    pub fn module_mm(&self, size_mm: f64) -> f64 {
        size_mm / self.border_modules as f64
    }

    /// Side of the whole picture for a tag of `size_mm`.
    pub fn picture_mm(&self, size_mm: f64) -> f64 {
        self.module_mm(size_mm) * self.modules as f64
    }

    /// Whether the point (`right_mm`, `up_mm`) of a tag of `size_mm` is printed light; outside the
    /// picture is `None`.
    pub fn light_at(&self, size_mm: f64, right_mm: f64, up_mm: f64) -> Option<bool> {
        let module = self.module_mm(size_mm);
        let half = self.modules as f64 / 2.0;
        let (column, row) = (right_mm / module + half, half - up_mm / module);
        let inside = |v: f64| v >= 0.0 && v < self.modules as f64;
        (inside(column) && inside(row)).then(|| self.light[row as usize * self.modules + column as usize])
    }
}

/// The table of a family. The C library's own structure is made once and never freed.
fn family_table(family: TagFamily) -> &'static FamilyTable {
    static TABLES: [OnceLock<FamilyTable>; 4] = [const { OnceLock::new() }; 4];
    TABLES[family as usize].get_or_init(|| {
        // SAFETY: each constructor returns a fresh, fully initialised family; the arrays it points to
        // have the lengths read here and live as long as the process.
        unsafe {
            let raw = match family {
                TagFamily::Tag36h11 => sys::tag36h11_create(),
                TagFamily::Tag25h9 => sys::tag25h9_create(),
                TagFamily::Tag16h5 => sys::tag16h5_create(),
                TagFamily::TagStandard41h12 => sys::tagStandard41h12_create(),
            };
            let f = &*raw;
            let codes = std::slice::from_raw_parts(f.codes, f.ncodes as usize).to_vec();
            let bits =
                (0..f.nbits as usize).map(|i| (*f.bit_x.add(i) as i32, *f.bit_y.add(i) as i32)).collect();
            FamilyTable {
                codes,
                bits,
                border: f.width_at_border as usize,
                total: f.total_width as usize,
                reversed: f.reversed_border,
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_has_the_ids_it_claims_and_no_more() {
        for family in TagFamily::ALL {
            assert!(TagPattern::of(Tag::new(family, family.ids() - 1)).is_some(), "{family}");
            assert!(TagPattern::of(Tag::new(family, family.ids())).is_none(), "{family}");
        }
    }

    #[test]
    fn a_tag36h11_has_a_light_ring_round_a_dark_border() {
        let pattern = TagPattern::of(Tag::new(TagFamily::Tag36h11, 0)).expect("id 0 exists");
        assert_eq!((pattern.modules(), pattern.border_modules()), (10, 8));
        assert!(
            (0..10).all(|i| pattern.is_light(0, i) == Some(true) && pattern.is_light(i, 9) == Some(true))
        );
        assert!(
            (1..9).all(|i| pattern.is_light(1, i) == Some(false) && pattern.is_light(i, 1) == Some(false))
        );
    }

    #[test]
    fn two_tags_of_a_family_differ_by_at_least_its_distance() {
        let light = |id| TagPattern::of(Tag::new(TagFamily::Tag36h11, id)).expect("id exists").light;
        let differ = light(3).iter().zip(light(4)).filter(|(a, b)| **a != *b).count();
        assert!(differ >= 11, "{differ}");
    }

    #[test]
    fn up_on_the_tag_is_row_zero() {
        let pattern = TagPattern::of(Tag::new(TagFamily::TagStandard41h12, 5)).expect("id 5 exists");
        for (row, column) in [(0, 0), (0, 8), (3, 1), (8, 4)] {
            let (right, up) = (column as f64 - 4.0, 4.0 - row as f64);
            assert_eq!(pattern.light_at(5.0, right, up), pattern.is_light(row, column));
        }
        assert_eq!(pattern.light_at(5.0, 4.6, 0.0), None);
    }
}
