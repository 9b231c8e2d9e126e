//! A tag as it is printed and cut out: its modules and the paper's white edge.

use crate::tracking::Tag;
use crate::vision::TagPattern;

/// Modules along a side of the whole print. A family whose data lie outside its border
/// (tagStandard41h12) ends in data: one module of white paper is left round it.
pub(super) fn print_modules(pattern: &TagPattern) -> usize {
    let ends_in_data = pattern.modules() > pattern.border_modules() + 2;
    pattern.modules() + if ends_in_data { 2 } else { 0 }
}

/// Side of the whole print, millimetres, of a tag of `size_mm`; the size itself where the family has
/// no such id.
pub fn print_mm(tag: Tag, size_mm: f64) -> f64 {
    TagPattern::of(tag).map_or(size_mm, |p| p.module_mm(size_mm) * print_modules(&p) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracking::TagFamily;

    #[test]
    fn every_print_ends_in_white() {
        for (family, modules) in TagFamily::ALL.into_iter().zip([10, 9, 8, 11]) {
            let tag = Tag::new(family, 3);
            let pattern = TagPattern::of(tag).expect("id 3 is in every family");
            assert_eq!(print_modules(&pattern), modules, "{family}");
            let side = print_mm(tag, 20.0);
            assert!((side - 20.0 * modules as f64 / pattern.border_modules() as f64).abs() < 1e-9);
            for step in 0..40 {
                let along = side * (f64::from(step) / 39.0 - 0.5) * 0.999;
                assert!(pattern.light_at(20.0, along, side * 0.499).unwrap_or(true), "{family}");
            }
        }
    }
}
