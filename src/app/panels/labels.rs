//! Where names stand on the picture and on the board: beside what they name, inside the pane, and off
//! whatever is being judged. Screen points, y down.
//!
//! A label goes to the place that covers least; the nearer of two that cover the same. One that had to
//! move away is joined to what it names by a line. Long names are cut with an ellipsis.

use egui::text::{LayoutJob, TextWrapping};
use egui::{Color32, CornerRadius, FontId, Painter, Pos2, Rect, Stroke, TextFormat, Vec2, vec2};

/// What a label must not cover, and how bad it would be.
#[derive(Debug, Clone, Copy)]
struct Obstacle {
    rect: Rect,
    weight: f32,
}

/// How bad it is that the whole of a label lies on something; a part of it counts in proportion. In
/// the measure of [`GAPS`]: a label goes two and a half points further to save one of these.
pub mod weight {
    /// The ground of a threat zone.
    pub const ZONE: f32 = 25.0;
    /// A base.
    pub const BASE: f32 = 120.0;
    /// A base that is picked, a measured distance, or another label.
    pub const JUDGED: f32 = 400.0;
}

/// How far a label may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// It stays beside what it names, or is left out where it would lie on something judged.
    Beside,
    /// It is always shown, further away where that covers less.
    Anywhere,
}

/// Which side of what it names a label stands on where nothing is in the way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prefer {
    /// Above it.
    Above,
    /// Below it.
    Below,
    /// To its right.
    Right,
}

/// A text and how it is written.
#[derive(Debug, Clone, Copy)]
pub struct Text<'a> {
    /// What it says.
    pub words: &'a str,
    /// Height of the letters, points.
    pub size: f32,
    /// The letters' colour.
    pub ink: Color32,
    /// The plate's colour.
    pub ground: Color32,
}

/// The labels of one pane.
#[derive(Debug)]
pub struct Labels {
    bounds: Rect,
    obstacles: Vec<Obstacle>,
}

/// Between a label and what it names, points: from close by to far.
const GAPS: [f32; 6] = [6.0, 20.0, 40.0, 64.0, 96.0, 136.0];
/// From this gap on a line joins the two.
const JOINED_FROM: f32 = 12.0;
/// A label is no wider than this, points, and no wider than this share of its pane.
const WIDEST: (f32, f32) = (210.0, 0.45);
/// A label that stays beside its base is left out where it costs more than this.
const LEFT_OUT: f32 = 60.0;

impl Labels {
    /// Nothing is in the way yet.
    pub fn new(bounds: Rect) -> Self {
        Self { bounds, obstacles: Vec::new() }
    }

    /// Something that should not be covered.
    pub fn avoid(&mut self, points: &[Pos2], weight: f32) {
        self.obstacles.push(Obstacle { rect: Rect::from_points(points), weight });
    }

    /// Writes a label for what lies in `of`.
    pub fn put(&mut self, painter: &Painter, text: Text<'_>, of: Rect, prefer: Prefer, reach: Reach) {
        let most = WIDEST.0.min(self.bounds.width() * WIDEST.1).max(20.0);
        let mut job = LayoutJob::single_section(
            text.words.to_owned(),
            TextFormat::simple(FontId::proportional(text.size), text.ink),
        );
        job.wrap =
            TextWrapping { max_width: most, max_rows: 1, break_anywhere: true, ..TextWrapping::default() };
        let galley = painter.layout_job(job);
        let Some((rect, gap)) = self.place(galley.size() + vec2(8.0, 3.0), of, prefer, reach) else { return };
        if gap >= JOINED_FROM {
            let from = rect.clamp(of.center());
            painter.line_segment([from, of.clamp(from)], Stroke::new(3.0, text.ground));
            painter.line_segment([from, of.clamp(from)], Stroke::new(1.2, text.ink));
        }
        painter.rect_filled(rect, CornerRadius::same(3), text.ground);
        painter.galley(rect.min + vec2(4.0, 1.5), galley, text.ink);
    }

    /// The best place for a label of `size`, and how far it is from what it names. It counts as taken.
    fn place(&mut self, size: Vec2, of: Rect, prefer: Prefer, reach: Reach) -> Option<(Rect, f32)> {
        let gaps = if reach == Reach::Anywhere { &GAPS[..] } else { &GAPS[..1] };
        let places = gaps.iter().flat_map(|gap| around(of, size, *gap, prefer).map(|place| (place, *gap)));
        let (rect, gap, cost) = places
            .map(|((rect, aside), gap)| {
                let inside = pushed_inside(rect, self.bounds);
                let pushed = (inside.min - rect.min).length();
                (inside, gap, self.covered(inside) + gap * 0.4 + aside + pushed * 0.2)
            })
            .min_by(|a, b| a.2.total_cmp(&b.2))?;
        if reach == Reach::Beside && cost > LEFT_OUT {
            return None;
        }
        self.obstacles.push(Obstacle { rect: rect.expand(1.0), weight: weight::JUDGED });
        Some((rect, gap))
    }

    /// What it costs to cover what lies under `rect`.
    fn covered(&self, rect: Rect) -> f32 {
        let share = |o: &Obstacle| {
            let common = rect.intersect(o.rect);
            if common.is_positive() { common.area() / rect.area().max(1.0) * o.weight } else { 0.0 }
        };
        self.obstacles.iter().map(share).sum()
    }
}

/// Eight places round `of`, each with what it costs to stand there and not on the preferred side.
fn around(of: Rect, size: Vec2, gap: f32, prefer: Prefer) -> [(Rect, f32); 8] {
    let centre = of.center();
    let (x, y) = (of.width() / 2.0 + gap + size.x / 2.0, of.height() / 2.0 + gap + size.y / 2.0);
    let slant = of.width() / 2.0 + size.x / 2.0;
    let cost = |side: Prefer, other: f32| if side == prefer { 0.0 } else { other };
    let (above, below, right) =
        (cost(Prefer::Above, 4.0), cost(Prefer::Below, 4.0), cost(Prefer::Right, 6.0));
    [
        (vec2(0.0, -y), above),
        (vec2(0.0, y), below),
        (vec2(x, 0.0), right),
        (vec2(-x, 0.0), 7.0),
        (vec2(slant, -y), above + 3.0),
        (vec2(-slant, -y), above + 3.5),
        (vec2(slant, y), below + 3.0),
        (vec2(-slant, y), below + 3.5),
    ]
    .map(|(away, cost)| (Rect::from_center_size(centre + away, size), cost))
}

/// `rect` moved, not shrunk, until it lies inside `bounds`; at its upper left where it is too large.
fn pushed_inside(rect: Rect, bounds: Rect) -> Rect {
    let most = (bounds.max - rect.size()).max(bounds.min);
    Rect::from_min_size(rect.min.clamp(bounds.min, most), rect.size())
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;

    const BOUNDS: Rect = Rect { min: pos2(0.0, 0.0), max: pos2(400.0, 300.0) };

    fn rect(left: f32, top: f32, width: f32, height: f32) -> Rect {
        Rect::from_min_size(pos2(left, top), vec2(width, height))
    }

    fn corners(rect: Rect) -> [Pos2; 4] {
        [rect.left_top(), rect.right_top(), rect.right_bottom(), rect.left_bottom()]
    }

    #[test]
    fn where_nothing_is_in_the_way_a_label_stands_on_the_preferred_side() {
        let of = rect(180.0, 140.0, 40.0, 20.0);
        for (prefer, centre) in [(Prefer::Above, pos2(200.0, 125.0)), (Prefer::Below, pos2(200.0, 175.0))] {
            let mut labels = Labels::new(BOUNDS);
            let (place, gap) =
                labels.place(vec2(60.0, 18.0), of, prefer, Reach::Anywhere).expect("always shown");
            assert!((place.center() - centre).length() < 0.01, "{prefer:?}: {place:?}");
            assert!(gap < JOINED_FROM);
        }
    }

    #[test]
    fn a_label_covers_neither_the_judged_bases_nor_another_label() {
        let (own, enemy) = (rect(180.0, 140.0, 40.0, 20.0), rect(180.0, 115.0, 40.0, 20.0));
        let neighbours = [rect(138.0, 140.0, 40.0, 20.0), rect(222.0, 140.0, 40.0, 20.0)];
        let mut labels = Labels::new(BOUNDS);
        let bases: Vec<Rect> = [own, enemy].into_iter().chain(neighbours).collect();
        for base in &bases {
            labels.avoid(&corners(*base), weight::JUDGED);
        }
        let mut placed: Vec<Rect> = Vec::new();
        for of in [own, enemy, own] {
            let (place, _) =
                labels.place(vec2(70.0, 18.0), of, Prefer::Above, Reach::Anywhere).expect("always shown");
            for other in bases.iter().chain(&placed) {
                assert!(!place.intersect(*other).is_positive(), "{place:?} covers {other:?}");
            }
            placed.push(place);
        }
    }

    #[test]
    fn labels_stay_inside_their_pane() {
        for at in [rect(0.0, 0.0, 20.0, 10.0), rect(380.0, 290.0, 20.0, 10.0), rect(-90.0, 500.0, 4.0, 4.0)] {
            let mut labels = Labels::new(BOUNDS);
            let (place, _) =
                labels.place(vec2(120.0, 18.0), at, Prefer::Below, Reach::Anywhere).expect("always shown");
            assert!(BOUNDS.contains_rect(place), "{at:?}: {place:?}");
        }
    }

    #[test]
    fn a_name_that_would_hide_what_is_judged_is_left_out_unless_it_must_be_shown() {
        let of = rect(180.0, 140.0, 40.0, 20.0);
        for (reach, shown) in [(Reach::Beside, false), (Reach::Anywhere, true)] {
            let mut labels = Labels::new(BOUNDS);
            labels.avoid(&corners(BOUNDS), weight::JUDGED);
            assert_eq!(labels.place(vec2(60.0, 18.0), of, Prefer::Above, reach).is_some(), shown);
        }
    }
}
