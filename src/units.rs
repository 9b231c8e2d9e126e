//! Lengths: millimetres on the table and base widths in the rules.
//!
//! The rules measure in base widths ([`BaseWidths`]); the camera in millimetres ([`Mm`]). A
//! [`Scale`] is the only bridge between them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::{Add, Mul, Neg, Sub};

/// A length on the table, in millimetres.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Mm(pub f64);

/// A length in base widths, the unit of every rule distance (clause dba3.board.1).
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct BaseWidths(pub f64);

macro_rules! length {
    ($name:ident, $unit:literal, $digits:literal) => {
        impl $name {
            /// The absolute value.
            pub fn abs(self) -> Self {
                Self(self.0.abs())
            }
        }
        impl Add for $name {
            type Output = Self;
            fn add(self, other: Self) -> Self {
                Self(self.0 + other.0)
            }
        }
        impl Sub for $name {
            type Output = Self;
            fn sub(self, other: Self) -> Self {
                Self(self.0 - other.0)
            }
        }
        impl Neg for $name {
            type Output = Self;
            fn neg(self) -> Self {
                Self(-self.0)
            }
        }
        impl Mul<f64> for $name {
            type Output = Self;
            fn mul(self, factor: f64) -> Self {
                Self(self.0 * factor)
            }
        }
        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!("{:.", $digits, "} ", $unit), self.0)
            }
        }
    };
}

length!(Mm, "mm", "1");
length!(BaseWidths, "BW", "3");

/// How many millimetres make one base width: 40 for figures up to about 20 mm, 60 for 25/28 mm
/// (clause dba3.base.2). Always finite and more than zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale(f64);

impl Scale {
    /// 40 mm bases.
    pub const SMALL: Self = Self(40.0);
    /// 60 mm bases.
    pub const LARGE: Self = Self(60.0);

    /// A scale of `mm` millimetres a base width, or `None` unless it is finite and positive.
    pub fn new(mm: f64) -> Option<Self> {
        (mm.is_finite() && mm > 0.0).then_some(Self(mm))
    }

    /// Millimetres in one base width.
    pub fn mm_per_bw(self) -> f64 {
        self.0
    }

    /// `length` in millimetres.
    pub fn to_mm(self, length: BaseWidths) -> Mm {
        Mm(length.0 * self.0)
    }

    /// `length` in base widths.
    pub fn to_bw(self, length: Mm) -> BaseWidths {
        BaseWidths(length.0 / self.0)
    }
}

/// Rounded to so many decimals; minus nothing is nothing.
pub fn rounded(value: f64, decimals: i32) -> f64 {
    let scale = 10f64.powi(decimals);
    let rounded = (value * scale).round() / scale;
    if rounded == 0.0 { 0.0 } else { rounded }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_turns_base_widths_into_millimetres_and_back() {
        assert_eq!(Scale::LARGE.to_mm(BaseWidths(3.0)), Mm(180.0));
        assert_eq!(Scale::SMALL.to_bw(Mm(600.0)), BaseWidths(15.0));
    }

    #[test]
    fn a_scale_of_nothing_or_less_is_refused() {
        assert!([0.0, -40.0, f64::NAN, f64::INFINITY].iter().all(|&mm| Scale::new(mm).is_none()));
    }
}
