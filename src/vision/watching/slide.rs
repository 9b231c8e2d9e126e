//! Has nearly everything on the table moved as one piece? Then it was the board that slid, under reference
//! tags that stayed. Pure: places at rest in, a motion out. Table frame, millimetres.

use crate::geometry::{Point, Vector};
use crate::tracking::{CapturedAt, TableSnapshot, Tag, Visibility};
use std::collections::BTreeMap;
use std::time::Duration;

/// A tag that rests has moved when it lies so far from where it lay. A choice, well above what readings of
/// one place differ by.
const MOVED_MM: f64 = 0.3;
/// What moves together within this time is one motion; older motions are a player's own.
const TOGETHER: Duration = Duration::from_secs(6);
/// The fewest tags, and the least share of those seen, that must have moved together and rest again. Choices: a group
/// of bases pushed along is less.
const LEAST_TAGS: usize = 5;
const LEAST_SHARE: f64 = 0.7;
/// Places may differ so much from those of one stiff motion, root mean square. A choice: bases shake a
/// little on a board that is pushed.
const STIFF_MM: f64 = 0.35;
/// After a slide, rulings are held until everything has rested for so long.
const REST: Duration = Duration::from_secs(3);

/// A stiff motion in the plane: a turn about the origin, then a shift.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Motion {
    turn_rad: f64,
    shift_mm: Vector,
    /// Middle of the tags that moved, before it.
    middle: Point,
}

impl Motion {
    fn turned(turn_rad: f64, v: Vector) -> Vector {
        let (sin, cos) = turn_rad.sin_cos();
        Vector::new(cos * v.x - sin * v.y, sin * v.x + cos * v.y)
    }

    fn apply(&self, at: Point) -> Point {
        Point::from(Self::turned(self.turn_rad, at.coords) + self.shift_mm)
    }

    /// How far the middle went.
    pub fn by_mm(&self) -> f64 {
        (self.apply(self.middle) - self.middle).norm()
    }

    /// Anticlockwise.
    pub fn turned_deg(&self) -> f64 {
        self.turn_rad.to_degrees()
    }

    /// This motion and then another.
    fn then(&self, next: &Self) -> Self {
        Self {
            turn_rad: self.turn_rad + next.turn_rad,
            shift_mm: Self::turned(next.turn_rad, self.shift_mm) + next.shift_mm,
            middle: self.middle,
        }
    }

    /// The best stiff motion of the pairs (from, to), and what is left, root mean square. `None` for fewer
    /// than two.
    pub fn of(pairs: &[(Point, Point)]) -> Option<(Self, f64)> {
        if pairs.len() < 2 {
            return None;
        }
        let n = pairs.len() as f64;
        let from = pairs.iter().fold(Vector::zeros(), |s, p| s + p.0.coords) / n;
        let to = pairs.iter().fold(Vector::zeros(), |s, p| s + p.1.coords) / n;
        let (mut along, mut across) = (0.0, 0.0);
        for (a, b) in pairs {
            let (a, b) = (a.coords - from, b.coords - to);
            along += a.dot(&b);
            across += a.x * b.y - a.y * b.x;
        }
        let turn_rad = across.atan2(along);
        let motion =
            Self { turn_rad, shift_mm: to - Self::turned(turn_rad, from), middle: Point::from(from) };
        let squares: f64 = pairs.iter().map(|(a, b)| (motion.apply(*a) - b).norm_squared()).sum();
        Some((motion, (squares / n).sqrt()))
    }
}

/// Where a tag rested before, and since when it rests elsewhere.
#[derive(Debug, Clone, Copy)]
struct Anchor {
    at: Point,
    moved: Option<CapturedAt>,
}

/// Watches for slides.
#[derive(Debug, Clone, Default)]
pub struct Slide {
    anchors: BTreeMap<Tag, Anchor>,
    /// How the board lies to its reference tags since it slid, and how many tags told of it.
    slid: Option<(Motion, usize)>,
    /// When something last moved after the slide.
    stirred: Option<CapturedAt>,
}

impl Slide {
    /// Forgets where tags rested, but not that the board slid: after a knock of the camera, places differ
    /// by what the camera's new place is off.
    pub fn forget_places(&mut self) {
        self.anchors.clear();
    }

    /// How the board lies since it slid, and how many tags told of it.
    pub fn slid(&self) -> Option<(Motion, usize)> {
        self.slid
    }

    /// The slide that rulings are held for: it is fresh and not everything has come to rest.
    pub fn held(&self) -> Option<Motion> {
        self.slid.filter(|_| self.stirred.is_some()).map(|(motion, _)| motion)
    }

    /// Takes in the table at one moment.
    pub fn take(&mut self, snapshot: &TableSnapshot) {
        let now = snapshot.captured_at;
        let (mut pairs, mut seen_before, mut stirring) = (Vec::new(), 0, false);
        for track in snapshot.tracks.values() {
            let seen = track.visibility == Visibility::Seen;
            stirring |= seen && !track.at_rest;
            seen_before += usize::from(seen && self.anchors.contains_key(&track.tag));
            let Some(pose) = track.pose.as_ref().filter(|_| seen && track.at_rest) else { continue };
            let at = pose.pose.centre;
            let anchor = self.anchors.entry(track.tag).or_insert(Anchor { at, moved: None });
            if (at - anchor.at).norm() <= MOVED_MM {
                anchor.moved = None;
                continue;
            }
            let since = *anchor.moved.get_or_insert(now);
            if now.since(since) > TOGETHER {
                *anchor = Anchor { at, moved: None };
            } else {
                pairs.push((anchor.at, at));
            }
        }
        if pairs.len() >= LEAST_TAGS && pairs.len() as f64 >= LEAST_SHARE * seen_before as f64 {
            self.moved_together(&pairs, snapshot);
        }
        let quiet = self.stirred.is_some_and(|since| now.since(since) >= REST);
        if stirring && self.stirred.is_some() {
            self.stirred = Some(now);
        } else if quiet {
            self.stirred = None;
        }
    }

    fn moved_together(&mut self, pairs: &[(Point, Point)], snapshot: &TableSnapshot) {
        let Some((motion, left_mm)) = Motion::of(pairs) else { return };
        if left_mm > STIFF_MM {
            return;
        }
        let whole = self.slid.map_or(motion, |(before, _)| before.then(&motion));
        let back = whole.by_mm() <= MOVED_MM && whole.turned_deg().abs() < 0.1;
        self.slid = (!back).then_some((whole, pairs.len()));
        self.stirred = (!back).then_some(snapshot.captured_at);
        for track in snapshot.tracks.values().filter(|t| t.visibility == Visibility::Seen && t.at_rest) {
            if let Some(pose) = &track.pose {
                self.anchors.insert(track.tag, Anchor { at: pose.pose.centre, moved: None });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Pose, PoseEstimate, Rest};
    use crate::tracking::{TagFamily, Track};

    /// Twelve tags at rest in two lines, those that `to` moves moved.
    fn table(seconds: u64, to: impl Fn(usize, Point) -> Point) -> TableSnapshot {
        let tracks = (0..12).map(|i| {
            let tag = Tag::new(TagFamily::Tag36h11, i as u32);
            let at = to(i, Point::new(50.0 + 45.0 * (i % 6) as f64, 200.0 + 180.0 * (i / 6) as f64));
            let pose = Some(PoseEstimate::exact(Pose::new(at.x, at.y, 90.0)));
            (tag, Track { tag, pose, rest: Rest::TABLE, at_rest: true, visibility: Visibility::Seen })
        });
        let captured_at = CapturedAt(Duration::from_secs(seconds));
        TableSnapshot { captured_at, tracks: tracks.collect(), ..TableSnapshot::default() }
    }

    fn pushed(at: Point) -> Point {
        let turn = Motion::turned(0.004, at.coords);
        Point::from(turn) + Vector::new(3.0, -1.0)
    }

    #[test]
    fn a_board_that_slides_is_told_held_and_let_go_once_it_rests() {
        let mut slide = Slide::default();
        slide.take(&table(0, |_, p| p));
        slide.take(&table(1, |_, p| pushed(p)));
        let (motion, tags) = slide.slid().expect("all moved as one");
        assert_eq!(tags, 12);
        let middle = Point::new(162.5, 290.0);
        assert!((motion.by_mm() - (pushed(middle) - middle).norm()).abs() < 1e-6);
        assert!((motion.turned_deg() - 0.004f64.to_degrees()).abs() < 1e-9);
        assert!(slide.held().is_some());
        slide.take(&table(5, |_, p| pushed(p)));
        assert!(slide.held().is_none() && slide.slid().is_some(), "it is still told");
        slide.take(&table(6, |_, p| p));
        assert!(slide.slid().is_none(), "pushed back");
    }

    #[test]
    fn a_group_that_is_pushed_and_an_army_moved_base_by_base_are_no_slide() {
        let mut slide = Slide::default();
        slide.take(&table(0, |_, p| p));
        slide.take(&table(1, |i, p| if i < 6 { p + Vector::new(0.0, 40.0) } else { p }));
        assert!(slide.slid().is_none());
        let mut slide = Slide::default();
        slide.take(&table(0, |_, p| p));
        slide.take(&table(1, |i, p| p + Vector::new(0.0, 30.0 + 2.0 * i as f64)));
        assert!(slide.slid().is_none());
    }

    #[test]
    fn moves_far_apart_in_time_are_not_one_motion() {
        let mut slide = Slide::default();
        slide.take(&table(0, |_, p| p));
        for step in 0..12u64 {
            let done = step as usize;
            slide.take(&table(10 * (step + 1), |i, p| if i <= done { p + Vector::new(5.0, 0.0) } else { p }));
            slide.take(&table(
                10 * (step + 1) + 7,
                |i, p| {
                    if i <= done { p + Vector::new(5.0, 0.0) } else { p }
                },
            ));
        }
        assert!(slide.slid().is_none());
    }
}
