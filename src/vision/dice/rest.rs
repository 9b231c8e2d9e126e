//! Dice at rest: the same dice in the same places over several pictures.

use super::{DiceSeen, DieReading};

/// When dice count as lying still.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RestSettings {
    /// Over so many pictures in a row.
    pub pictures: usize,
    /// No die moved further between them, in sides of a die.
    pub moved: f64,
}

impl Default for RestSettings {
    fn default() -> Self {
        Self { pictures: 4, moved: 0.06 }
    }
}

/// Tells when the dice of a row of pictures lie still.
#[derive(Debug, Clone)]
pub struct AtRest {
    settings: RestSettings,
    last: Option<DiceSeen>,
    still: usize,
}

impl AtRest {
    /// Nothing seen yet.
    pub fn new(settings: RestSettings) -> Self {
        Self { settings, last: None, still: 0 }
    }

    /// Takes the next picture's dice. Them, once they have been the same over the pictures asked for: as many dice and
    /// refusals, each in its place, each die with its value.
    pub fn next(&mut self, seen: DiceSeen) -> Option<&DiceSeen> {
        let same = self.last.as_ref().is_some_and(|last| self.same(last, &seen));
        self.still = if same { self.still + 1 } else { 1 };
        self.last = Some(seen);
        self.last.as_ref().filter(|_| self.still >= self.settings.pictures)
    }

    fn same(&self, last: &DiceSeen, seen: &DiceSeen) -> bool {
        let far = |a: [f64; 2], b: [f64; 2]| (a[0] - b[0]).hypot(a[1] - b[1]);
        let die = |a: &DieReading, b: &DieReading| {
            a.value == b.value && far(a.middle, b.middle) <= self.settings.moved * b.side
        };
        last.readings.len() == seen.readings.len()
            && last.refusals.len() == seen.refusals.len()
            && seen.readings.iter().all(|b| last.readings.iter().any(|a| die(a, b)))
            && seen
                .refusals
                .iter()
                .all(|b| last.refusals.iter().any(|a| far(a.middle, b.middle) <= 0.5 * b.radius))
    }
}
