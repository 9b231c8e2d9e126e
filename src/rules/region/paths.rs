//! The ways by which a single element may be taken to a place: rigid legs, the plainest first.
//!
//! A tactical move of a single element goes any way and ends facing any way (clauses dba3.move.8, .10), so
//! where it may end depends on whether some path is legal. How far it goes is measured at one front corner,
//! so turns about that corner cost nothing, and turns about the middle need least room: both are tried.
//! The direct ways: straight and turned, turned and straight, either way round; one wheel; by way of a
//! stage where it turns; turned to lead with another edge on the way. Ways round are [`super::detours`]'.
//! Table frame, millimetres and radians.

use crate::geometry::{Corner, Footprint, Heading, Leg, Point, Pose, Vector};
use std::f64::consts::{FRAC_PI_2, TAU};

/// Turns of less than this are none, radians.
const STRAIGHT_RAD: f64 = 1e-12;
/// Shifts of less than this are none, millimetres.
const STILL_MM: f64 = 1e-12;

/// How far a wheel is followed straight, millimetres. Choices.
const WHEELED_ON_MM: [f64; 2] = [3.0, 8.0];

/// Which way round a turn goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hand {
    /// By half a turn at most.
    Short,
    /// The other way.
    Long,
}

/// What a turn is made about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pivot {
    /// The middle of the base.
    Middle,
    /// A corner of it.
    At(Corner),
}

/// A path under way: where it has come to, and its legs so far.
#[derive(Debug, Clone)]
pub(super) struct Path {
    at: Footprint,
    /// The legs.
    pub legs: Vec<Leg>,
}

impl Path {
    /// Begins where a base stands.
    pub fn from(at: Footprint) -> Self {
        Self { at, legs: Vec::with_capacity(6) }
    }

    /// Straight until the middle is at a point.
    pub fn to(mut self, point: Point) -> Self {
        let (pose, by) = (self.at.pose(), point - self.at.pose().centre);
        if by.norm() > STILL_MM {
            self.legs.push(Leg::Shift(by));
            self.at = self.at.moved_to(Pose { centre: point, ..pose });
        }
        self
    }

    /// Straight by so much.
    pub fn by(self, by: Vector) -> Self {
        let centre = self.at.pose().centre;
        self.to(centre + by)
    }

    /// Turned to a heading.
    pub fn facing(mut self, heading: Heading, about: Pivot, hand: Hand) -> Self {
        let short = self.at.pose().heading.turn_to_radians(heading);
        if short.abs() <= STRAIGHT_RAD {
            return self;
        }
        let by_rad = match hand {
            Hand::Short => short,
            Hand::Long => short - TAU * short.signum(),
        };
        let about = match about {
            Pivot::Middle => self.at.pose().centre,
            Pivot::At(corner) => self.at.corner(corner),
        };
        let (own, next, arm) =
            (self.at.pose().heading.vector(), heading.vector(), self.at.pose().centre - about);
        let (cos, sin) = (own.dot(&next), own.x * next.y - own.y * next.x);
        let centre = about + Vector::new(arm.x * cos - arm.y * sin, arm.x * sin + arm.y * cos);
        self.at = self.at.moved_to(Pose { centre, heading });
        self.legs.push(Leg::Turn { about, by_rad });
        self
    }

    /// Straight and then turned, so that it ends at a pose.
    pub fn ending(self, to: &Footprint, about: Pivot, hand: Hand) -> Self {
        let by = match about {
            Pivot::Middle => to.pose().centre - self.at.pose().centre,
            Pivot::At(corner) => to.corner(corner) - self.at.corner(corner),
        };
        self.by(by).facing(to.pose().heading, about, hand)
    }
}

/// How far the front corners, left and right, are straight from where they were when a base has turned about one of its
/// own points, millimetres: the same of either hand.
pub(super) fn turn_chords(base: &Footprint, from: Heading, to: Heading, about: Pivot) -> [f64; 2] {
    // A point at 1 from the pivot goes as far as the heading's vector.
    let by = (to.vector() - from.vector()).norm();
    let (half_width, half_depth) = (base.width_mm() / 2.0, base.depth_mm() / 2.0);
    let from_middle = half_width.hypot(half_depth);
    match about {
        Pivot::Middle => [from_middle * by; 2],
        Pivot::At(Corner::FrontLeft) => [0.0, base.width_mm() * by],
        Pivot::At(Corner::FrontRight) => [base.width_mm() * by, 0.0],
        Pivot::At(Corner::RearLeft) => [base.depth_mm() * by, 2.0 * from_middle * by],
        Pivot::At(Corner::RearRight) => [2.0 * from_middle * by, base.depth_mm() * by],
    }
}

/// The direct ways to a place, the plainest first; `corner` is the one that goes furthest, `turns` tells whether the
/// base may turn where it begins, and `most_mm` how long a way may be at most, as far as that is soon told.
pub(super) fn direct(
    base: Footprint,
    to: Footprint,
    corner: Corner,
    turns: impl Fn(Pivot, Hand) -> bool,
    most_mm: Option<f64>,
) -> impl Iterator<Item = Vec<Leg>> {
    plain(base, to, corner, turns, most_mm).chain(led(base, to, corner, most_mm))
}

/// How far it is straight from one to the other of the points that two bases would turn about.
fn apart(base: &Footprint, to: &Footprint, about: Pivot) -> f64 {
    match about {
        Pivot::Middle => (to.pose().centre - base.pose().centre).norm(),
        Pivot::At(corner) => (to.corner(corner) - base.corner(corner)).norm(),
    }
}

/// Straight, turned at the start or the end, or by one wheel: the same of either hand.
pub(super) fn plain(
    base: Footprint,
    to: Footprint,
    corner: Corner,
    turns: impl Fn(Pivot, Hand) -> bool,
    most_mm: Option<f64>,
) -> impl Iterator<Item = Vec<Leg>> {
    let start = Path::from(base);
    let heading = to.pose().heading;
    let short = move |about: Pivot| {
        let chords = || turn_chords(&base, base.pose().heading, heading, about);
        most_mm.is_none_or(|most| {
            let [left, right] = chords();
            apart(&base, &to, about) + left.max(right) <= most
        })
    };
    let turned = base.pose().heading.turn_to_radians(heading).abs() > STRAIGHT_RAD;
    let straight = (!turned).then(|| start.to(to.pose().centre).legs);
    let hands = [Hand::Short, Hand::Long].into_iter().filter(move |_| turned);
    let turned = hands.flat_map(move |hand| pivots(corner).map(|about| (about, hand)));
    let turned = turned.filter(move |&(about, _)| short(about));
    let plain = turned.flat_map(move |(about, hand)| {
        let first = turns(about, hand)
            .then(|| Path::from(base).facing(heading, about, hand).to(to.pose().centre).legs);
        std::iter::once(Path::from(base).ending(&to, about, hand).legs).chain(first)
    });
    let arcs = wheels(base.pose(), to.pose()).map(|(about, by_rad)| vec![Leg::Turn { about, by_rad }]);
    straight.into_iter().chain(plain).chain(arcs)
}

/// What is turned about: the middle, for room; the measured corner, for length; the other, for those whose way is
/// measured straight.
fn pivots(corner: Corner) -> [Pivot; 3] {
    let other = if corner == Corner::FrontLeft { Corner::FrontRight } else { Corner::FrontLeft };
    [Pivot::Middle, Pivot::At(corner), Pivot::At(other)]
}

/// The wheels that end at a pose, about whatever point, to either hand, as points and radians; none without a turn.
fn wheels(from: Pose, to: Pose) -> impl Iterator<Item = (Point, f64)> {
    let by_rad = from.heading.turn_to_radians(to.heading);
    let about = wheel_point(from.centre, to.centre, (by_rad, 2.0 * (by_rad / 2.0).tan()));
    either_hand(by_rad).into_iter().filter_map(move |by_rad| Some((about?, by_rad)))
}

/// A turn to the one hand and to the other.
fn either_hand(by_rad: f64) -> [f64; 2] {
    [by_rad, by_rad - TAU * by_rad.signum()]
}

/// What a wheel from one middle to another is about, by its turn and twice the tangent of half of it.
fn wheel_point(from: Point, to: Point, (by_rad, tangents): (f64, f64)) -> Option<Point> {
    let by = to - from;
    // From the middle of the way, square to it, at half the chord over the tangent of half the turn.
    let turns = by_rad.abs() > 1e-3 && by.norm_squared() > 1e-12;
    turns.then(|| from + by / 2.0 + Vector::new(-by.y, by.x) / tangents)
}

/// Wheeled to a little short of a place and straight on to it, by ways of no more than so many millimetres.
pub(super) fn wheeled_on(base: Footprint, to: Footprint, most_mm: f64) -> impl Iterator<Item = Vec<Leg>> {
    let (from, last) = (base.pose(), to.pose());
    let fronts = [Corner::FrontLeft, Corner::FrontRight].map(|corner| base.corner(corner));
    let by_rad = from.heading.turn_to_radians(last.heading);
    let tangents = 2.0 * (by_rad / 2.0).tan();
    let ways = (0..8).map(move |n| last.heading.turned_degrees(45.0 * f64::from(n)).vector());
    let ons = ways.flat_map(|way| WHEELED_ON_MM.map(|mm| (way * mm, mm)));
    ons.flat_map(move |(on, on_mm)| {
        let about = wheel_point(from.centre, last.centre - on, (by_rad, tangents));
        let arm = about.map_or(0.0, |about| {
            let [left, right] = fronts.map(|front| (front - about).norm_squared());
            left.max(right).sqrt()
        });
        let short = move |by_rad: &f64| arm * by_rad.abs() + on_mm <= most_mm;
        let turns = either_hand(by_rad).into_iter().filter(short);
        turns.filter_map(move |by_rad| Some(vec![Leg::Turn { about: about?, by_rad }, Leg::Shift(on)]))
    })
}

/// Turned about the corner that is measured so that another edge leads, straight, and turned about it again.
fn led(
    base: Footprint,
    to: Footprint,
    corner: Corner,
    most_mm: Option<f64>,
) -> impl Iterator<Item = Vec<Leg>> {
    let by = to.corner(corner) - base.corner(corner);
    let along = Heading::along(by);
    let own = base.pose().heading;
    let headings = along
        .into_iter()
        .flat_map(|way| {
            [0.0, FRAC_PI_2, -FRAC_PI_2, 2.0 * FRAC_PI_2].map(|turn| way.turned_degrees(turn.to_degrees()))
        })
        .chain([90.0, -90.0].map(|turn| own.turned_degrees(turn)));
    let short = move |heading: Heading, about: Pivot| {
        most_mm.is_none_or(|most| {
            let straight_mm = apart(&base, &to, about);
            let first = turn_chords(&base, own, heading, about);
            let second = turn_chords(&base, heading, to.pose().heading, about);
            // Two turns about one point count as one.
            straight_mm <= 1e-3 || straight_mm + (first[0] + second[0]).max(first[1] + second[1]) <= most
        })
    };
    headings.flat_map(move |heading| {
        let pivots = pivots(corner).into_iter().filter(move |&about| short(heading, about));
        pivots.map(move |about| {
            Path::from(base).facing(heading, about, Hand::Short).ending(&to, about, Hand::Short).legs
        })
    })
}

/// Stages beside, before and behind a place.
pub(super) fn stages(to: Footprint) -> impl Iterator<Item = Point> {
    let half = to.width_mm().hypot(to.depth_mm()) / 2.0;
    let sides = [(0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)];
    let far = [0.5 * half, half, 2.0 * half].into_iter();
    far.flat_map(move |by| sides.map(|(x, y)| to.pose().at(x * by, y * by)))
}

/// By way of a stage where it turns to either hand as it will stand, from where it goes straight to the place.
pub(super) fn staged(base: Footprint, stage: Point, to: Footprint) -> [Vec<Leg>; 2] {
    let at = Path::from(base).to(stage);
    let turned = |hand| at.clone().facing(to.pose().heading, Pivot::Middle, hand);
    [Hand::Short, Hand::Long].map(|hand| turned(hand).to(to.pose().centre).legs)
}

/// The same, turned before it sets out.
pub(super) fn turned_to_stage(base: Footprint, stage: Point, to: Footprint) -> Vec<Leg> {
    let turned = Path::from(base).facing(to.pose().heading, Pivot::Middle, Hand::Short);
    turned.to(stage).to(to.pose().centre).legs
}

/// The same, wheeled about a front corner to where it stands at the stage.
pub(super) fn wheeled_at(base: Footprint, staged: Footprint, to: Footprint) -> Vec<Leg> {
    let wheeled = Path::from(base).ending(&staged, Pivot::At(Corner::FrontLeft), Hand::Short);
    wheeled.to(to.pose().centre).legs
}

/// The way round by these points of a base that has turned to a heading, shifted to the place and turned as it will
/// stand there.
pub(super) fn round(
    base: Footprint,
    (heading, about): (Heading, Pivot),
    by: &[Point],
    (to, last): (Footprint, Pivot),
) -> Vec<Leg> {
    let start = Path::from(base).facing(heading, about, Hand::Short);
    by.iter().fold(start, |path, point| path.to(*point)).ending(&to, last, Hand::Short).legs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(from: Pose, legs: &[Leg]) -> Pose {
        legs.iter().fold(from, |at, leg| leg.applied_to(at))
    }

    #[test]
    fn every_way_ends_where_it_should() {
        let base = Footprint::new(Pose::new(100.0, 50.0, 90.0), 40.0, 15.0).expect("a good base");
        let to = base.moved_to(Pose::new(160.0, 110.0, 200.0));
        let by = [Point::new(120.0, 60.0), Point::new(150.0, 80.0)];
        let corner = Corner::FrontLeft;
        let rounds = [Pivot::Middle, Pivot::At(corner)]
            .into_iter()
            .map(|about| round(base, (base.pose().heading.turned_degrees(90.0), about), &by, (to, about)));
        let ways: Vec<Vec<Leg>> = direct(base, to, corner, |_, _| true, None)
            .chain(stages(to).flat_map(|stage| staged(base, stage, to)))
            .chain(stages(to).map(|stage| turned_to_stage(base, stage, to)))
            .chain(
                stages(to)
                    .map(|stage| wheeled_at(base, to.moved_to(Pose { centre: stage, ..to.pose() }), to)),
            )
            .chain(wheeled_on(base, to, 1e3))
            .chain(rounds)
            .collect();
        assert!(ways.len() > 40);
        for legs in ways {
            let at = end(base.pose(), &legs);
            assert!((at.centre - to.pose().centre).norm() < 1e-9, "{legs:?}");
            assert!(at.heading.turn_to_radians(to.pose().heading).abs() < 1e-9);
        }
    }

    #[test]
    fn a_turn_about_the_measured_corner_moves_it_no_further() {
        let base = Footprint::new(Pose::new(100.0, 50.0, 90.0), 40.0, 15.0).expect("a good base");
        let to = base.moved_to(Pose::new(160.0, 110.0, 200.0));
        let (corner, chord) =
            (Corner::FrontLeft, (to.corner(Corner::FrontLeft) - base.corner(Corner::FrontLeft)).norm());
        let legs = Path::from(base)
            .facing(Heading::EAST, Pivot::At(corner), Hand::Short)
            .ending(&to, Pivot::At(corner), Hand::Long)
            .legs;
        let (mut at, mut gone) = (base, 0.0);
        for leg in legs {
            let next = at.moved_to(leg.applied_to(at.pose()));
            gone += (next.corner(corner) - at.corner(corner)).norm();
            at = next;
        }
        assert!((gone - chord).abs() < 1e-9, "{gone} {chord}");
    }

    #[test]
    fn without_a_turn_the_straight_way_comes_first() {
        let base = Footprint::new(Pose::new(100.0, 50.0, 90.0), 40.0, 15.0).expect("a good base");
        let to = base.moved_to(Pose { centre: Point::new(100.0, 90.0), ..base.pose() });
        let first = direct(base, to, Corner::FrontLeft, |_, _| true, None).next();
        assert_eq!(first, Some(vec![Leg::Shift(Vector::new(0.0, 40.0))]));
    }
}
