//! How a base rests on the ground's relief: level, in the tangent plane of a slope, or over a step's edge.
//!
//! A base is a stiff plate. Where the ground under it is smooth it lies in the plane that fits it, touching at
//! the highest place. Across a step several rests can be: as gravity has it (the plane through three points that
//! bear its middle), tipped to the low side, or level with the top or with the foot, the rim being known to a
//! millimetre or two only. All are given; who has a picture may tell them apart, and who has none must reckon
//! with each. Table frame, millimetres. Invariant: there is one rest at least, the first the likeliest.

use super::{Footprint, Heading, Hill, Point, Relief, Rise, Segment, Vector};
use nalgebra::{Isometry3, Matrix3, Point3, Translation3, UnitQuaternion, Vector3};

/// The plane of a base's underside: its height under the base's centre, and its rise a millimetre along x and y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rest {
    /// Height of the underside's centre over the table, millimetres.
    pub height_mm: f64,
    /// Rise along x and y, millimetres a millimetre.
    pub slope: Vector,
}

impl Rest {
    /// On the flat table itself.
    pub const TABLE: Self = Self { height_mm: 0.0, slope: Vector::new(0.0, 0.0) };

    /// Level at this height.
    pub fn level(height_mm: f64) -> Self {
        Self { height_mm, ..Self::TABLE }
    }

    /// The motion that takes a base standing level on z = 0, its centre at `centre`, to where it rests: tilted
    /// about its centre by the least turn, then lifted. Everything fixed to the base goes with it.
    pub fn table_from_level(&self, centre: Point) -> Isometry3<f64> {
        let normal = Vector3::new(-self.slope.x, -self.slope.y, 1.0);
        let tilt = UnitQuaternion::rotation_between(&Vector3::z(), &normal).unwrap_or_default();
        let there = Point3::new(centre.x, centre.y, self.height_mm);
        let lifted = there.coords - tilt * Vector3::new(centre.x, centre.y, 0.0);
        Isometry3::from_parts(Translation3::from(lifted), tilt)
    }

    /// How a base with this heading looks from above.
    pub fn from_above(&self, heading: Heading) -> FromAbove {
        let tilt = self.table_from_level(Point::origin()).rotation;
        let seen = |v: Vector| (tilt * Vector3::new(v.x, v.y, 0.0)).xy();
        let (right, ahead) = (seen(heading.right()), seen(heading.vector()));
        let (long, wide) = (ahead.norm(), right.norm());
        // A right angle seen aslant; half of what it lacks is each side's.
        let skew_rad = (right.dot(&ahead) / (long * wide)).clamp(-1.0, 1.0).asin().abs() / 2.0;
        FromAbove { right: wide, ahead: long, skew_rad }
    }

    /// Whether another rest is the same to what a picture could tell.
    fn like(&self, other: &Self) -> bool {
        (self.height_mm - other.height_mm).abs() < 0.05 && (self.slope - other.slope).norm() < 0.002
    }
}

/// A tilted base as it looks from above: nearly a rectangle with the base's own heading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FromAbove {
    /// How long a unit to its right looks: 1 where it stands level.
    pub right: f64,
    /// How long a unit ahead looks.
    pub ahead: f64,
    /// How far each side is turned from the base's heading, radians, for the tilt is aslant of it.
    pub skew_rad: f64,
}

/// What bears a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Support {
    /// The ground as it bears the base's middle.
    Settled,
    /// Level with the top of a step.
    Top,
    /// Level with the foot of a step.
    Foot,
    /// The rim of a step and the ground below it.
    Tipped,
}

impl Support {
    /// All, the likeliest first.
    pub const ALL: [Self; 4] = [Self::Settled, Self::Top, Self::Foot, Self::Tipped];
}

/// How a base may rest at one pose.
#[derive(Debug, Clone, PartialEq)]
pub struct Footing {
    rests: Vec<(Support, Rest)>,
    /// One sigma of the height of each rest, millimetres; zero on the bare table.
    pub height_sigma_mm: f64,
    /// One sigma of the slope of each rest along either axis; zero on the bare table.
    pub slope_sigma: f64,
}

/// A base counts as astride a rim within so many sigmas of where it is drawn.
const RIM_SIGMAS: f64 = 2.0;
/// A rim's place is probed by so much either way, millimetres; a slope that changes by more between is another rest's.
const RIM_PROBE_MM: f64 = 0.02;
const MOST_PROBED: f64 = 0.05;
/// Rounds until a tilted base and what bears it agree, at the most.
const TILTS: usize = 30;
/// A model slope is even to this share of itself. A choice.
const SLOPE_SHARE: f64 = 0.1;

impl Footing {
    /// Of a base at a pose.
    pub fn of(relief: &Relief, base: &Footprint) -> Self {
        let reach = base.width_mm().hypot(base.depth_mm()) / 2.0 + RIM_SIGMAS * Hill::RIM_SIGMA_MM;
        if !relief.uneven_near(base.pose().centre, reach) {
            return Self::on_table();
        }
        let astride: Vec<&Hill> = relief.hills().iter().filter(|h| stepped_under(h, base)).collect();
        if astride.is_empty() { Self::smooth(relief, base) } else { Self::over_steps(relief, base, &astride) }
    }

    fn on_table() -> Self {
        Self { rests: vec![(Support::Settled, Rest::TABLE)], height_sigma_mm: 0.0, slope_sigma: 0.0 }
    }

    /// The likeliest rest.
    pub fn settled(&self) -> Rest {
        self.rests[0].1
    }

    /// Every rest that differs from those before it.
    pub fn rests(&self) -> &[(Support, Rest)] {
        &self.rests
    }

    /// The rest on this support.
    pub fn on(&self, support: Support) -> Option<Rest> {
        self.rests.iter().find(|(s, _)| *s == support).map(|(_, rest)| *rest)
    }

    /// Where no step is near: the plane that fits the ground under the base, raised until it touches.
    fn smooth(relief: &Relief, base: &Footprint) -> Self {
        let centre = base.pose().centre;
        let places = grid(base, 5);
        let heights: Vec<f64> = places.iter().map(|p| relief.height_mm(*p)).collect();
        if heights.iter().all(|h| *h == 0.0) {
            return Self::on_table();
        }
        if heights.iter().all(|h| *h == heights[0]) {
            let rests = vec![(Support::Settled, Rest::level(heights[0]))];
            return Self { rests, height_sigma_mm: Hill::HEIGHT_SIGMA_MM, slope_sigma: 0.0 };
        }
        let (mut normal, mut pull) = (Matrix3::zeros(), Vector3::zeros());
        for (p, h) in places.iter().zip(&heights) {
            let row = Vector3::new(1.0, p.x - centre.x, p.y - centre.y);
            normal += row * row.transpose();
            pull += row * *h;
        }
        let Some(inverse) = normal.try_inverse() else { return Self::on_table() };
        let plane = inverse * pull;
        let slope = Vector::new(plane.y, plane.z);
        let over = |(p, h): (&Point, &f64)| h - plane.x - slope.dot(&(p - centre));
        let misfits: Vec<f64> = places.iter().zip(&heights).map(over).collect();
        let touching = misfits.iter().copied().fold(0.0, f64::max);
        let rms = (misfits.iter().map(|m| m * m).sum::<f64>() / misfits.len() as f64).sqrt();
        let half = base.width_mm().min(base.depth_mm()) / 2.0;
        Self {
            rests: vec![(Support::Settled, Rest { height_mm: plane.x + touching, slope })],
            height_sigma_mm: Hill::HEIGHT_SIGMA_MM.hypot(rms),
            slope_sigma: (SLOPE_SHARE * slope.norm()).hypot(rms / half),
        }
    }

    fn over_steps(relief: &Relief, base: &Footprint, astride: &[&Hill]) -> Self {
        let step = Step::under(relief, base, astride);
        let candidates = [
            step.settled(base).map(|r| (Support::Settled, r)),
            Some((Support::Top, Rest::level(step.top_mm))),
            Some((Support::Foot, Rest::level(step.foot_mm))),
            step.tipped(base).map(|r| (Support::Tipped, r)),
        ];
        let mut rests: Vec<(Support, Rest)> = Vec::new();
        for (support, rest) in candidates.into_iter().flatten() {
            if rests.iter().all(|(_, r)| !r.like(&rest)) {
                rests.push((support, rest));
            }
        }
        Self { rests, height_sigma_mm: Hill::HEIGHT_SIGMA_MM, slope_sigma: 0.0 }
    }

    /// One sigma of the height, millimetres, and of the slope along either axis of a base's rest on `support`. Over a
    /// step they answer to where the rim lies.
    pub fn sigmas(&self, relief: &Relief, base: &Footprint, support: Support) -> (f64, f64) {
        let astride: Vec<&Hill> = relief.hills().iter().filter(|h| stepped_under(h, base)).collect();
        let (mut height, mut slope) = (self.height_sigma_mm.powi(2), self.slope_sigma.powi(2));
        if astride.is_empty() {
            return (self.height_sigma_mm, self.slope_sigma);
        }
        for by in [Vector::x(), Vector::y()].map(|axis| axis * RIM_PROBE_MM) {
            let at = |by: Vector| {
                let shifted = base.moved_to(base.pose().nudged(by, 0.0));
                let step = Step::under(relief, &shifted, &astride);
                match support {
                    Support::Settled => step.settled(&shifted),
                    Support::Tipped => step.tipped(&shifted),
                    Support::Top | Support::Foot => None,
                }
            };
            let Some((one, other)) = at(by).zip(at(-by)) else { continue };
            // Between the probes it may go over from the top to the rim: that is another rest, and given as such.
            if (one.slope - other.slope).norm() > MOST_PROBED {
                continue;
            }
            let scale = Hill::RIM_SIGMA_MM / (2.0 * RIM_PROBE_MM);
            height += ((one.height_mm - other.height_mm) * scale).powi(2);
            slope += ((one.slope - other.slope).norm() * scale).powi(2);
        }
        (height.sqrt(), slope.sqrt())
    }
}

/// What lies under a base that is astride the rims of stepped hills.
struct Step<'a> {
    relief: &'a Relief,
    astride: &'a [&'a Hill],
    top_mm: f64,
    foot_mm: f64,
}

impl<'a> Step<'a> {
    fn under(relief: &'a Relief, base: &Footprint, astride: &'a [&'a Hill]) -> Self {
        let under = grid(base, 3);
        let tops = astride.iter().map(|h| h.height_mm());
        let top_mm = under.iter().map(|p| relief.height_mm(*p)).chain(tops).fold(0.0, f64::max);
        let foot_mm = under.iter().map(|p| without(relief, astride, *p)).fold(f64::INFINITY, f64::min);
        Self { relief, astride, top_mm, foot_mm }
    }

    /// The places that may bear a base, and their heights: of the ground under it, and of the rims that it crosses.
    fn bearing(&self, base: &Footprint) -> Vec<(Point, f64)> {
        let mut bearing: Vec<(Point, f64)> =
            grid(base, 3).into_iter().map(|p| (p, self.relief.height_mm(p))).collect();
        for hill in self.astride {
            for edge in hill.outline().edges() {
                let across = base_edges(base).into_iter().filter_map(|side| side.crossing(&edge));
                let corner = Some(edge.start).filter(|p| base.distance_to_point(*p) <= 0.0);
                let height = |p: Point| (p, self.relief.height_mm(p).max(hill.height_mm()));
                bearing.extend(across.chain(corner).map(height));
            }
        }
        bearing
    }

    /// As gravity has it.
    fn settled(&self, base: &Footprint) -> Option<Rest> {
        let centre = base.pose().centre;
        steady(base, |seen| borne(&self.bearing(seen), centre, centre))
    }

    /// With its lower side as low as it goes.
    fn tipped(&self, base: &Footprint) -> Option<Rest> {
        steady(base, |seen| {
            let bearing = self.bearing(seen);
            let middle = (self.top_mm + self.foot_mm) / 2.0;
            let low: Vec<Point> = bearing.iter().filter(|b| b.1 < middle).map(|b| b.0).collect();
            borne(&bearing, base.pose().centre, mean(&low)?)
        })
    }
}

/// The rest that bears a base as it then looks from above: tilted it reaches less far.
fn steady(base: &Footprint, bear: impl Fn(&Footprint) -> Option<Rest>) -> Option<Rest> {
    let mut rest = bear(base)?;
    for _ in 0..TILTS {
        let seen = rest.from_above(base.pose().heading);
        let shape = Footprint::new(base.pose(), base.width_mm() * seen.right, base.depth_mm() * seen.ahead)?;
        let next = bear(&shape)?;
        let agreed =
            (next.height_mm - rest.height_mm).abs() < 1e-3 && (next.slope - rest.slope).norm() < 1e-4;
        rest = next;
        if agreed {
            break;
        }
    }
    Some(rest)
}

/// Whether the rim of a stepped hill lies under the base, or may.
fn stepped_under(hill: &Hill, base: &Footprint) -> bool {
    if *hill.rise() != Rise::Stepped {
        return false;
    }
    let slack = RIM_SIGMAS * Hill::RIM_SIGMA_MM;
    let depths: Vec<f64> = grid(base, 5).into_iter().map(|p| hill.outline().depth_of(p).0).collect();
    let inmost = depths.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let outmost = depths.iter().copied().fold(f64::INFINITY, f64::min);
    inmost > -slack && outmost < slack
}

/// Height of the ground without these hills.
fn without(relief: &Relief, hills: &[&Hill], point: Point) -> f64 {
    let others = relief.hills().iter().filter(|h| !hills.iter().any(|g| std::ptr::eq(*g, *h)));
    others.map(|h| h.height_at(point)).fold(0.0, f64::max)
}

/// Places under a base, so many along each side, its corners among them.
fn grid(base: &Footprint, count: usize) -> Vec<Point> {
    let along = |i: usize, side: f64| side * (i as f64 / (count - 1) as f64 - 0.5);
    (0..count * count)
        .map(|i| base.pose().at(along(i % count, base.width_mm()), along(i / count, base.depth_mm())))
        .collect()
}

fn base_edges(base: &Footprint) -> [Segment; 4] {
    super::Edge::ALL.map(|edge| base.edge(edge))
}

fn mean(points: &[Point]) -> Option<Point> {
    let sum: Vector = points.iter().map(|p| p.coords).sum();
    (!points.is_empty()).then(|| Point::from(sum / points.len() as f64))
}

/// The lowest plane at `over` that none of the bearing points rises above, as a rest about `centre`: three of the
/// points carry it. `None` where no three of them span a plane.
fn borne(bearing: &[(Point, f64)], centre: Point, over: Point) -> Option<Rest> {
    let mut best: Option<(f64, Rest)> = None;
    for i in 0..bearing.len() {
        for j in 0..i {
            for k in 0..j {
                let [a, b, c] = [bearing[i], bearing[j], bearing[k]];
                let (u, v) = (b.0 - a.0, c.0 - a.0);
                let area = u.x * v.y - u.y * v.x;
                if area.abs() < 1e-6 {
                    continue;
                }
                let (du, dv) = (b.1 - a.1, c.1 - a.1);
                let slope = Vector::new((du * v.y - dv * u.y) / area, (dv * u.x - du * v.x) / area);
                let at = |p: Point| a.1 + slope.dot(&(p - a.0));
                if bearing.iter().any(|(p, h)| *h > at(*p) + 1e-6) {
                    continue;
                }
                let rest = Rest { height_mm: at(centre), slope };
                // Of planes that are equal there, the one that tilts least.
                let key = at(over) + 1e-6 * slope.norm();
                if best.as_ref().is_none_or(|(least, _)| key < *least) {
                    best = Some((key, rest));
                }
            }
        }
    }
    best.map(|(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Polygon, Pose};
    use proptest::prelude::*;

    fn outline(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Point::new(x, y));
        Polygon::new(corners.to_vec()).expect("a rectangle")
    }

    fn step(height_mm: f64) -> Relief {
        Relief::new(vec![
            Hill::new(outline(0.0, 0.0, 200.0, 200.0), height_mm, Rise::Stepped).expect("a hill"),
        ])
    }

    fn ridge(height_mm: f64) -> Relief {
        let crest = vec![Point::new(100.0, 100.0), Point::new(500.0, 100.0)];
        let rise = Rise::Sloping { crest };
        Relief::new(vec![Hill::new(outline(0.0, 0.0, 600.0, 200.0), height_mm, rise).expect("a hill")])
    }

    fn base(x: f64, y: f64, heading: f64) -> Footprint {
        Footprint::new(Pose::new(x, y, heading), 40.0, 20.0).expect("a base")
    }

    #[test]
    fn on_the_table_and_on_a_step_it_stands_level() {
        assert_eq!(Footing::of(&step(15.0), &base(300.0, 100.0, 90.0)), Footing::on_table());
        let on_top = Footing::of(&step(15.0), &base(100.0, 100.0, 30.0));
        assert_eq!(on_top.rests(), [(Support::Settled, Rest::level(15.0))]);
        assert!(on_top.height_sigma_mm > 0.0);
    }

    #[test]
    fn on_an_even_slope_it_lies_in_the_tangent_plane() {
        let footing = Footing::of(&ridge(17.6), &base(300.0, 50.0, 37.0));
        assert_eq!(footing.rests().len(), 1);
        let rest = footing.settled();
        assert!((rest.height_mm - 8.8).abs() < 1e-6 && (rest.slope - Vector::new(0.0, 0.176)).norm() < 1e-9);
        // Its own right keeps its length along the contour, its front loses the slope's cosine.
        let FromAbove { right, ahead, .. } = rest.from_above(Heading::NORTH);
        assert!(
            (right - 1.0).abs() < 1e-9 && (ahead - 1.0 / 1f64.hypot(0.176)).abs() < 1e-9,
            "{right} {ahead}"
        );
    }

    #[test]
    fn at_the_foot_of_a_slope_it_bridges_and_its_sigma_says_so() {
        // Twenty deep, half of it on the slope: it touches the table behind and the slope in front.
        let footing = Footing::of(&ridge(17.6), &base(300.0, 0.0, 90.0));
        let rest = footing.settled();
        assert!((rest.slope.y - 0.088).abs() < 0.01 && rest.height_mm > 0.4, "{rest:?}");
        assert!(footing.slope_sigma > 0.01, "{footing:?}");
    }

    #[test]
    fn half_off_a_step_gravity_tips_it_and_every_rest_is_reckoned_with() {
        // Its front looks off the edge at x = 200; its middle is a millimetre beyond the rim.
        let over = Footing::of(&step(6.0), &base(201.0, 100.0, 0.0));
        let tipped = over.settled();
        // From the rim, 6 high and 1 behind its middle, down to its front edge, 10 along its underside: where it is
        // tilted by t, 10 sin t + tan t = 6.
        let t = (-tipped.slope.x).atan();
        assert!((10.0 * t.sin() + t.tan() - 6.0).abs() < 0.01, "{over:?}");
        assert!((tipped.height_mm - 10.0 * t.sin()).abs() < 0.01);
        // A rim d behind the middle: 10 sin t + d tan t = 6, so t falls by tan t / (10 cos t + d / cos^2 t) a millimetre,
        // 0.0645; the slope by 0.0906 and the height by 0.544. The rim's sigma is 1.5 mm, a height's 0.3.
        let (height, slope) = over.sigmas(&step(6.0), &base(201.0, 100.0, 0.0), Support::Settled);
        assert!((slope - 0.136).abs() < 0.003 && (height - 0.87).abs() < 0.02, "{height} {slope}");
        assert_eq!(over.sigmas(&step(6.0), &base(201.0, 100.0, 0.0), Support::Top), (0.3, 0.0));
        let supports: Vec<Support> = over.rests().iter().map(|(s, _)| *s).collect();
        assert_eq!(supports, [Support::Settled, Support::Top, Support::Foot]);
        // Drawn back by 2 mm its middle is borne by the top; tipped it is another rest.
        let back = Footing::of(&step(6.0), &base(199.0, 100.0, 0.0));
        assert_eq!(back.settled(), Rest::level(6.0));
        let t = (-back.on(Support::Tipped).expect("it may be tipped").slope.x).atan();
        assert!((10.0 * t.sin() - t.tan() - 6.0).abs() < 0.01, "{back:?}");
        assert_eq!(back.on(Support::Foot), Some(Rest::level(0.0)));
    }

    #[test]
    fn a_rim_that_is_nearly_under_it_may_be_under_it() {
        let beside = Footing::of(&step(15.0), &base(212.0, 100.0, 0.0));
        assert_eq!(beside.settled(), Rest::TABLE);
        assert_eq!(beside.on(Support::Top), Some(Rest::level(15.0)));
        assert_eq!(Footing::of(&step(15.0), &base(214.0, 100.0, 0.0)).rests().len(), 1);
    }

    proptest! {
        #[test]
        fn nothing_sticks_through_a_base_as_gravity_has_it(
            x in 150.0..260.0, y in -20.0..220.0, heading in 0.0..360.0, height in 0.5..25.0,
        ) {
            let relief = step(height);
            let flat = base(x, y, heading);
            let rest = Footing::of(&relief, &flat).settled();
            // As it then looks from above.
            let seen = rest.from_above(flat.pose().heading);
            let base = Footprint::new(flat.pose(), 40.0 * seen.right, 20.0 * seen.ahead).expect("a base");
            for p in grid(&base, 5) {
                let under = rest.height_mm + rest.slope.dot(&(p - base.pose().centre));
                prop_assert!(relief.height_mm(p) <= under + 0.02, "{rest:?} at {p}");
            }
        }

        #[test]
        fn a_rest_takes_the_centre_up_and_what_is_fixed_to_the_base_along(
            slope_x in -0.5..0.5, slope_y in -0.5..0.5, height_mm in 0.0..30.0, dx in -40.0..40.0, dy in -40.0..40.0,
        ) {
            let centre = Point::new(310.0, 120.0);
            let rest = Rest { height_mm, slope: Vector::new(slope_x, slope_y) };
            let moved = rest.table_from_level(centre);
            let middle = moved * Point3::new(centre.x, centre.y, 0.0);
            prop_assert!((middle - Point3::new(centre.x, centre.y, height_mm)).norm() < 1e-9);
            // Any point of the underside comes to lie in the plane.
            let p = moved * Point3::new(centre.x + dx, centre.y + dy, 0.0);
            prop_assert!((p.z - height_mm - rest.slope.dot(&(p.xy() - centre))).abs() < 1e-9);
        }
    }
}
