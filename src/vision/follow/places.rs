//! Where in the picture tags are looked for that are not followed: pieces, never the whole of it.

use super::super::register::Window;
use super::change::ChangeMap;

/// Pixels by which a place is grown before tags are looked for in it: a tag on its rim must fit.
const GROWN_PX: usize = 48;
/// Pixels of changed places that are searched in a frame, before they are grown: what a hand leaves behind takes two or
/// three frames.
const BUDGET_PX: usize = 72_000;
/// The picture is swept in so many tiles along each axis.
const TILES: usize = 6;
/// While something changed since the picture was last swept twice, a tile is searched every so many
/// frames; afterwards, with nothing new in it, every so many.
const SWEEP_EVERY: usize = 4;
const IDLE_EVERY: usize = 24;
/// Sweeps after a change.
const SWEEPS: usize = 2;

/// The sweep over the whole picture.
#[derive(Debug, Clone, Default)]
pub(super) struct Sweep {
    frames: usize,
    tile: usize,
    /// Tiles searched since the picture last changed.
    fruitless: usize,
}

impl Sweep {
    /// Counts a frame, in which the picture `changed` somewhere or did not.
    pub fn count(&mut self, changed: Changed) {
        self.frames = self.frames.wrapping_add(1);
        if changed == Changed::Somewhere {
            self.fruitless = 0;
        }
    }

    /// This frame's tile, if it is time for one.
    fn tile(&mut self, size: (usize, usize)) -> Option<Window> {
        let idle = self.fruitless >= SWEEPS * TILES * TILES;
        if !self.frames.is_multiple_of(if idle { IDLE_EVERY } else { SWEEP_EVERY }) {
            return None;
        }
        let at = self.tile % (TILES * TILES);
        self.tile += 1;
        self.fruitless = self.fruitless.saturating_add(1);
        let (w, h) = (size.0.div_ceil(TILES), size.1.div_ceil(TILES));
        let (x0, y0) = (at % TILES * w, at / TILES * h);
        Some(Window { x0, y0, width: w.min(size.0 - x0), height: h.min(size.1 - y0) })
    }
}

/// Whether anything in the picture changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Changed {
    /// Something did.
    Somewhere,
    /// Nothing did.
    Nowhere,
}

/// Where tags are looked for in a frame.
#[derive(Debug, Default)]
pub(super) struct Places {
    /// Places for the detector: grown, and none twice.
    pub all: Vec<Window>,
    /// Those of them that changed and have come to rest, as they are: what was moved stands there.
    pub settled: Vec<Window>,
}

/// The places to be searched in this frame: those round `near`, what changed and has come to rest, or a
/// tile.
pub(super) fn places(
    near: Vec<Window>,
    map: &mut ChangeMap,
    sweep: &mut Sweep,
    size: (usize, usize),
) -> Places {
    let mut places = near;
    let spent: usize = places.iter().map(Window::len).sum();
    let settled = if spent < BUDGET_PX { map.settled(BUDGET_PX - spent) } else { Vec::new() };
    places.extend(settled.iter().copied());
    if places.is_empty() {
        places.extend(sweep.tile(size));
    }
    Places { all: joined(places.into_iter().map(|w| grown(w, GROWN_PX, size)).collect()), settled }
}

/// A window grown on every side, kept inside the picture.
pub(super) fn grown(window: Window, by: usize, size: (usize, usize)) -> Window {
    let (x0, y0) = (window.x0.saturating_sub(by), window.y0.saturating_sub(by));
    let (x1, y1) =
        ((window.x0 + window.width + by).min(size.0), (window.y0 + window.height + by).min(size.1));
    Window { x0, y0, width: x1 - x0, height: y1 - y0 }
}

/// Windows that overlap made into one, where that costs no more pixels than they have together.
fn joined(mut windows: Vec<Window>) -> Vec<Window> {
    let mut apart: Vec<Window> = Vec::new();
    while let Some(next) = windows.pop() {
        match apart.iter().position(|w| hull(*w, next).len() <= w.len() + next.len()) {
            Some(at) => windows.push(hull(apart.swap_remove(at), next)),
            None => apart.push(next),
        }
    }
    apart
}

fn hull(a: Window, b: Window) -> Window {
    let (x0, y0) = (a.x0.min(b.x0), a.y0.min(b.y0));
    let (x1, y1) = ((a.x0 + a.width).max(b.x0 + b.width), (a.y0 + a.height).max(b.y0 + b.height));
    Window { x0, y0, width: x1 - x0, height: y1 - y0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: (usize, usize) = (1920, 1080);

    #[test]
    fn the_sweep_comes_by_every_place_and_slows_down_where_nothing_changes() {
        let mut sweep = Sweep::default();
        let mut seen = vec![false; SIZE.0 * SIZE.1];
        let mut frames_with_a_tile = Vec::new();
        for frame in 1..=4 * 2 * TILES * TILES + 48 {
            sweep.count(Changed::Nowhere);
            if let Some(w) = sweep.tile(SIZE) {
                frames_with_a_tile.push(frame);
                for y in w.y0..w.y0 + w.height {
                    seen[y * SIZE.0 + w.x0..y * SIZE.0 + w.x0 + w.width].fill(true);
                }
            }
        }
        assert!(seen.iter().all(|s| *s));
        let last = frames_with_a_tile.len() - 1;
        assert_eq!(frames_with_a_tile[1] - frames_with_a_tile[0], SWEEP_EVERY);
        assert_eq!(frames_with_a_tile[last] - frames_with_a_tile[last - 1], IDLE_EVERY);
    }

    #[test]
    fn windows_are_joined_only_where_that_saves_pixels() {
        let at = |x0: usize, y0: usize| Window { x0, y0, width: 100, height: 100 };
        assert_eq!(joined(vec![at(0, 0), at(20, 0)]), [Window { x0: 0, y0: 0, width: 120, height: 100 }]);
        assert_eq!(joined(vec![at(0, 0), at(90, 90)]).len(), 2);
    }
}
