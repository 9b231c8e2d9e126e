//! What shooting is judged on: the table, what touches on it, the bound and what is known of it.
//!
//! Distances and lines are read from `setup`, close combat and overlaps from `touching`: the same elements, where whole
//! battle lines may have been brought to exact contact.

use super::who::Known;
use crate::rules::bound::Bound;
use crate::rules::neighbours::{Grid, may_touch, touching_mm};
use crate::rules::{Context, Element, Location, Settings, Setup};

/// A table whose shooting is judged.
pub(super) struct Stage<'s> {
    pub setup: &'s Setup,
    pub touching: &'s Setup,
    pub settings: &'s Settings,
    pub bound: Option<&'s Bound>,
    pub known: &'s Known,
    stands: Grid<'s>,
    touches: Grid<'s>,
    touch_mm: f64,
}

impl<'s> Stage<'s> {
    pub fn of(
        setup: &'s Setup,
        touching: &'s Setup,
        settings: &'s Settings,
        bound: Option<&'s Bound>,
        known: &'s Known,
    ) -> Self {
        let touch_mm = touching.elements.iter().map(touching_mm).fold(1.0, f64::max);
        let stands = Grid::of(&setup.elements, 2.0 * setup.scale.mm_per_bw());
        let touches = Grid::of(&touching.elements, 2.0 * touch_mm);
        Self { setup, touching, settings, bound, known, stands, touches, touch_mm }
    }

    /// What touches, as questions about contact take it.
    pub fn context(&self) -> Context<'s> {
        Context::of(self.touching, self.settings)
    }

    /// What stands, as questions about distances take it.
    pub fn context_of_setup(&self) -> Context<'s> {
        Context::of(self.setup, self.settings)
    }

    /// The enemies on the board that can touch an element where it stands in `touching`, in the setup's order.
    pub fn enemies_at(&self, element: &Element) -> Vec<&'s Element> {
        let around =
            self.touches.within(element.footprint.pose().centre, touching_mm(element) + self.touch_mm);
        let all = around.into_iter().map(|at| &self.touching.elements[at]);
        all.filter(|e| e.side != element.side && may_touch(e, element, 0.0)).collect()
    }

    /// The places of everybody on the board whose centre is no further than that from an element's; of an element that
    /// is inside something, of everybody on the board.
    pub fn near(&self, element: &Element, mm: f64) -> Vec<usize> {
        if element.location == Location::Board {
            return self.stands.within(element.footprint.pose().centre, mm);
        }
        let on_board = |at: &usize| self.setup.elements[*at].location == Location::Board;
        (0..self.setup.elements.len()).filter(on_board).collect()
    }
}
