//! The ground's shape under bases: hills over a flat table.
//!
//! Table frame, millimetres, z up from the playing surface. Heights of hills that overlap are not added: the
//! highest counts. Invariants: a hill's height is finite and not below zero, its crest has a point at least;
//! away from every hill the ground is level at zero.

use super::{Point, Polygon, Segment, Vector};

/// How a model hill rises.
#[derive(Debug, Clone, PartialEq)]
pub enum Rise {
    /// At once at its rim: the top is level.
    Stepped,
    /// Evenly from its rim to this line; a single point is a peak.
    Sloping {
        /// The crest's points, in order.
        crest: Vec<Point>,
    },
}

/// A hill.
#[derive(Debug, Clone, PartialEq)]
pub struct Hill {
    outline: Polygon,
    height_mm: f64,
    rise: Rise,
}

/// Why there is no such hill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HillError {
    /// Its height is no height.
    #[error("a hill's height must be zero or more")]
    Height,
    /// It rises to nothing.
    #[error("a hill that slopes needs a crest of one point at least, all of them places")]
    Crest,
}

impl Hill {
    /// One sigma of where a hill's rim lies, millimetres: hills are laid by hand and drawn by eye. A choice.
    pub const RIM_SIGMA_MM: f64 = 1.5;
    /// One sigma of a hill's height where it is known by a ruler, millimetres. A choice.
    pub const HEIGHT_SIGMA_MM: f64 = 0.3;

    /// A hill whose top, or crest, is `height_mm` over the table.
    ///
    /// # Errors
    /// A height that is none, a slope without a crest.
    pub fn new(outline: Polygon, height_mm: f64, rise: Rise) -> Result<Self, HillError> {
        if !(height_mm.is_finite() && height_mm >= 0.0) {
            return Err(HillError::Height);
        }
        if let Rise::Sloping { crest } = &rise
            && (crest.is_empty() || crest.iter().any(|p| !(p.x.is_finite() && p.y.is_finite())))
        {
            return Err(HillError::Crest);
        }
        Ok(Self { outline, height_mm, rise })
    }

    /// Its rim.
    pub fn outline(&self) -> &Polygon {
        &self.outline
    }

    /// Height of its top or crest.
    pub fn height_mm(&self) -> f64 {
        self.height_mm
    }

    /// How it rises.
    pub fn rise(&self) -> &Rise {
        &self.rise
    }

    /// Height of its surface at a point, the rim of a step counted as its top; zero outside.
    pub fn height_at(&self, point: Point) -> f64 {
        let depth = self.outline.depth_of(point).0;
        if depth < 0.0 {
            return 0.0;
        }
        match &self.rise {
            Rise::Stepped => self.height_mm,
            Rise::Sloping { crest } => {
                let to_crest = distance_to_line(crest, point);
                // On a crest that reaches the rim both are zero: it is the crest that counts.
                if to_crest <= 0.0 { self.height_mm } else { self.height_mm * depth / (depth + to_crest) }
            }
        }
    }

    /// Whether any of it may lie within `reach_mm` of a point.
    pub(super) fn near(&self, point: Point, reach_mm: f64) -> bool {
        let (low, high) = self.outline.bounds();
        point.x >= low.x - reach_mm
            && point.y >= low.y - reach_mm
            && point.x <= high.x + reach_mm
            && point.y <= high.y + reach_mm
    }
}

/// All hills of a table; none on a flat one.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Relief {
    hills: Vec<Hill>,
}

/// Half the span over which a slope is taken, millimetres.
const SPAN_MM: f64 = 0.5;

impl Relief {
    /// With these hills.
    pub fn new(hills: Vec<Hill>) -> Self {
        Self { hills }
    }

    /// The hills.
    pub fn hills(&self) -> &[Hill] {
        &self.hills
    }

    /// Whether the table is flat.
    pub fn is_flat(&self) -> bool {
        self.hills.is_empty()
    }

    /// Whether any hill may lie within `reach_mm` of a point.
    pub fn uneven_near(&self, point: Point, reach_mm: f64) -> bool {
        self.hills.iter().any(|h| h.near(point, reach_mm))
    }

    /// Height of the ground at a point.
    pub fn height_mm(&self, point: Point) -> f64 {
        self.hills.iter().map(|h| h.height_at(point)).fold(0.0, f64::max)
    }

    /// Rise of the ground at a point, millimetres a millimetre along x and y. Across a step it is large.
    pub fn slope(&self, point: Point) -> Vector {
        let along = |by: Vector| {
            (self.height_mm(point + by * SPAN_MM) - self.height_mm(point - by * SPAN_MM)) / (2.0 * SPAN_MM)
        };
        Vector::new(along(Vector::x()), along(Vector::y()))
    }
}

/// Distance of a point from a bent line, or from the one point that it has.
fn distance_to_line(line: &[Point], point: Point) -> f64 {
    let to_parts =
        line.windows(2).map(|pair| (Segment::new(pair[0], pair[1]).nearest_to(point).0 - point).norm());
    let to_first = line.first().map(|p| (p - point).norm());
    to_parts.chain(to_first).fold(f64::INFINITY, f64::min)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rectangle(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
        let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Point::new(x, y));
        Polygon::new(corners.to_vec()).expect("a rectangle")
    }

    #[test]
    fn a_slope_rises_evenly_from_rim_to_crest() {
        let crest = vec![Point::new(100.0, 60.0), Point::new(300.0, 60.0)];
        let hill =
            Hill::new(rectangle(0.0, 0.0, 400.0, 120.0), 12.0, Rise::Sloping { crest }).expect("a hill");
        let relief = Relief::new(vec![hill]);
        assert!((relief.height_mm(Point::new(200.0, 15.0)) - 3.0).abs() < 1e-9);
        assert_eq!(relief.height_mm(Point::new(200.0, 60.0)), 12.0);
        let slope = relief.slope(Point::new(200.0, 30.0));
        assert!((slope - Vector::new(0.0, 0.2)).norm() < 1e-9, "{slope}");
        assert!((relief.slope(Point::new(200.0, 90.0)) - Vector::new(0.0, -0.2)).norm() < 1e-9);
        assert_eq!(relief.height_mm(Point::new(200.0, -0.1)), 0.0);
    }

    #[test]
    fn a_step_is_level_to_its_rim_and_the_highest_counts() {
        let step = |x0: f64, height| {
            Hill::new(rectangle(x0, 0.0, 100.0, 100.0), height, Rise::Stepped).expect("a hill")
        };
        let relief = Relief::new(vec![step(0.0, 10.0), step(50.0, 18.0)]);
        assert_eq!(
            [0.0, 49.9, 50.0, 100.0].map(|x| relief.height_mm(Point::new(x, 50.0))),
            [10.0, 10.0, 18.0, 18.0]
        );
        assert_eq!(relief.slope(Point::new(20.0, 50.0)), Vector::zeros());
        assert!(
            relief.uneven_near(Point::new(120.0, 50.0), 20.0)
                && !relief.uneven_near(Point::new(121.0, 50.0), 20.0)
        );
    }

    #[test]
    fn a_hill_without_height_or_crest_is_refused() {
        let outline = || rectangle(0.0, 0.0, 10.0, 10.0);
        assert_eq!(Hill::new(outline(), -1.0, Rise::Stepped), Err(HillError::Height));
        assert_eq!(Hill::new(outline(), f64::NAN, Rise::Stepped), Err(HillError::Height));
        assert_eq!(Hill::new(outline(), 5.0, Rise::Sloping { crest: Vec::new() }), Err(HillError::Crest));
    }
}
