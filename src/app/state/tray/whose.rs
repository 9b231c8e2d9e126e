//! Whose die is whose: by the colours that the players have accepted for their own, else by where they lie.

use super::offer::{Offer, OfferedDie};
use crate::rules::Side;
use serde::{Deserialize, Serialize};

/// Two dice are told apart by colours that differ by more, as far as grey values go in three channels.
const APART: f64 = 70.0;

/// Whose die is whose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Whose {
    /// Colours of red's die and of blue's, where dice of two colours were accepted.
    colours: Option<[[u8; 3]; 2]>,
    /// Whether, of dice of one colour, the left one is blue's.
    left_is_blue: bool,
}

fn far(a: [u8; 3], b: [u8; 3]) -> f64 {
    (0..3).map(|n| (f64::from(a[n]) - f64::from(b[n])).powi(2)).sum::<f64>().sqrt()
}

/// The colours of two dice, where they are of two.
fn two_colours([a, b]: [&OfferedDie; 2]) -> Option<[[u8; 3]; 2]> {
    let colours = [a.colour?, b.colour?];
    (far(colours[0], colours[1]) > APART).then_some(colours)
}

impl Whose {
    /// Whether the left one of two dice is red's.
    fn left_is_red(&self, dice: [&OfferedDie; 2]) -> bool {
        match (self.colours, two_colours(dice)) {
            (Some([red, blue]), Some([left, right])) => {
                far(left, red) + far(right, blue) <= far(left, blue) + far(right, red)
            }
            _ => !self.left_is_blue,
        }
    }

    /// Of two dice, from the left, the one of that side: 0 or 1.
    pub fn die_of(&self, side: Side, dice: [&OfferedDie; 2]) -> usize {
        let red = usize::from(!self.left_is_red(dice));
        match side {
            Side::Red => red,
            Side::Blue => 1 - red,
        }
    }

    /// It is the other way round than it was taken to be.
    pub(super) fn swap(&mut self, offer: &Offer) {
        let [a, b] = offer.dice.as_slice() else { return };
        match (&mut self.colours, two_colours([a, b])) {
            (Some(colours), Some(_)) => colours.swap(0, 1),
            _ => self.left_is_blue = !self.left_is_blue,
        }
    }

    /// Two dice were accepted as they are taken to be.
    pub(super) fn learn(&mut self, offer: &Offer) {
        let [a, b] = offer.dice.as_slice() else { return };
        if let Some([left, right]) = two_colours([a, b]) {
            let left_is_red = self.left_is_red([a, b]);
            self.colours = Some(if left_is_red { [left, right] } else { [right, left] });
        }
    }
}
