//! Where labels find room.

/// A rectangle on the drawing: left, top, width, height.
pub(super) type Area = (f64, f64, f64, f64);

/// What is taken already.
#[derive(Debug, Default)]
pub(super) struct Taken {
    areas: Vec<Area>,
}

/// How wide a text is, by the letters of the font that drawings ask for: about six tenths of their size.
pub(super) fn width_px(text: &str, size_px: f64) -> f64 {
    text.chars().count() as f64 * size_px * 0.61
}

impl Taken {
    pub fn take(&mut self, area: Area) {
        self.areas.push(area);
    }

    /// How much of an area is taken.
    fn overlap(&self, (left, top, width, height): Area) -> f64 {
        let shared = |&(l, t, w, h): &Area| {
            let across = (left + width).min(l + w) - left.max(l);
            let down = (top + height).min(t + h) - top.max(t);
            across.max(0.0) * down.max(0.0)
        };
        self.areas.iter().map(shared).sum()
    }

    /// A place for a label of that size in the middle of a point, moved inside, if nothing is there; else near it.
    pub fn at_or_near(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), within: Area) -> Area {
        let (l, t, w, h) = within;
        let left = (x - width / 2.0).clamp(l, (l + w - width).max(l));
        let top = (y - height / 2.0).clamp(t, (t + h - height).max(t));
        let area = (left, top, width, height);
        if self.overlap(area) > 0.0 {
            return self.near((x, y), (width, height), within);
        }
        self.take(area);
        area
    }

    /// A place for a label of that size near a point: the nearest of those round it where nothing is, else
    /// the one with the least there. Taken from now on.
    pub fn near(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), within: Area) -> Area {
        let mut best: Option<(f64, Area)> = None;
        for ring in 0..6 {
            let away = 10.0 + f64::from(ring) * 16.0;
            for step in 0..16 {
                let turn = f64::from(step) * std::f64::consts::PI / 8.0;
                let (dx, dy) = (turn.cos(), -turn.sin());
                let centre = (x + dx * (away + width / 2.0), y + dy * (away + height / 2.0));
                let area = (centre.0 - width / 2.0, centre.1 - height / 2.0, width, height);
                let (l, t, w, h) = within;
                let inside =
                    area.0 >= l && area.1 >= t && area.0 + width <= l + w && area.1 + height <= t + h;
                let cost = self.overlap(area) + away * 2.0 + if inside { 0.0 } else { 1e6 };
                if best.is_none_or(|(least, _)| cost < least) {
                    best = Some((cost, area));
                }
            }
        }
        let (_, area) = best.unwrap_or((0.0, (x, y, width, height)));
        self.take(area);
        area
    }
}
