//! The table as it was read, as it stands in a journal: every element of the roster in its order, table frame,
//! millimetres. Numbers are written so that they read back as they were.

use crate::geometry::{Heading, MountTerm, Point, Pose, PoseEstimate, Rest, Sensitivity, Source, Vector};
use crate::judge::ElementReading;
use crate::rules::Side;
use crate::tracking::{Held, Visibility};
use nalgebra::{Matrix3, Vector3};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The table as it was read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Look {
    /// Whether it is one that moves are read from; else it is told because something hung on it.
    pub watched: bool,
    /// Why rulings were held, if they were.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    held: Option<HeldBy>,
    elements: Vec<Seen>,
}

/// Why a look in a journal cannot be taken over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" looks nowhere: {x} and {y} are no direction")]
pub struct LookError {
    name: String,
    x: String,
    y: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HeldBy {
    Knocked,
    Unplaced,
    Bowed,
    Stirred,
    Slid(f64),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Seen {
    name: String,
    side: Side,
    shows: Shows,
    rests: bool,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    place: Option<Place>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shows {
    Seen,
    /// For so many milliseconds.
    Covered(u64),
    Missing,
    Gone,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Place {
    at: [f64; 2],
    looks: [f64; 2],
    /// Upper half of the covariance of x, y and heading, row by row.
    own: [f64; 6],
    shared: Vec<(Shared, [f64; 3])>,
    /// Height of the underside, and its rise along x and y.
    rest: [f64; 3],
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Shared {
    Camera(u16, u8),
    MountHeight,
    MountRight(u64),
    MountForward(u64),
    MountTurn(u64),
}

impl Look {
    /// Of what was read.
    pub fn of(readings: &[ElementReading], held: Option<Held>, watched: bool) -> Self {
        Self { watched, held: held.map(HeldBy::of), elements: readings.iter().map(Seen::of).collect() }
    }

    /// Why rulings were held, if they were.
    pub fn held(&self) -> Option<Held> {
        self.held.map(HeldBy::held)
    }

    /// What was read.
    ///
    /// # Errors
    /// An element that looks nowhere: the journal was written by something else.
    pub fn readings(&self) -> Result<Vec<ElementReading>, LookError> {
        self.elements.iter().map(Seen::reading).collect()
    }

    /// Whether the same was read, watched or not.
    pub fn same_as(&self, other: &Self) -> bool {
        self.held == other.held && self.elements == other.elements
    }
}

impl HeldBy {
    fn of(held: Held) -> Self {
        match held {
            Held::Knocked => Self::Knocked,
            Held::Unplaced => Self::Unplaced,
            Held::Bowed => Self::Bowed,
            Held::Stirred => Self::Stirred,
            Held::Slid { by_mm } => Self::Slid(by_mm),
        }
    }

    fn held(self) -> Held {
        match self {
            Self::Knocked => Held::Knocked,
            Self::Unplaced => Held::Unplaced,
            Self::Bowed => Held::Bowed,
            Self::Stirred => Held::Stirred,
            Self::Slid(by_mm) => Held::Slid { by_mm },
        }
    }
}

impl Seen {
    fn of(reading: &ElementReading) -> Self {
        let shows = match reading.visibility {
            Visibility::Seen => Shows::Seen,
            Visibility::Covered { age } => Shows::Covered(u64::try_from(age.as_millis()).unwrap_or(u64::MAX)),
            Visibility::Missing => Shows::Missing,
            Visibility::Gone => Shows::Gone,
        };
        let place = reading.pose.as_ref().map(|pose| Place::of(pose, reading.rest));
        Self { name: reading.name.clone(), side: reading.side, shows, rests: reading.at_rest, place }
    }

    fn reading(&self) -> Result<ElementReading, LookError> {
        let visibility = match self.shows {
            Shows::Seen => Visibility::Seen,
            Shows::Covered(ms) => Visibility::Covered { age: Duration::from_millis(ms) },
            Shows::Missing => Visibility::Missing,
            Shows::Gone => Visibility::Gone,
        };
        let place = self.place.as_ref().map(|place| place.read(&self.name)).transpose()?;
        let (pose, rest) = place.map_or((None, Rest::TABLE), |(pose, rest)| (Some(pose), rest));
        let (name, side) = (self.name.clone(), self.side);
        Ok(ElementReading { name, side, visibility, at_rest: self.rests, pose, rest })
    }
}

impl Place {
    fn of(pose: &PoseEstimate, rest: Rest) -> Self {
        let c = &pose.covariance;
        let looks = pose.pose.heading.vector();
        let shared = pose.shared.iter().map(|s| {
            let source = match s.source {
                Source::Registration { camera, component } => Shared::Camera(camera, component),
                Source::MountHeight => Shared::MountHeight,
                Source::Mount { tag, term: MountTerm::Right } => Shared::MountRight(tag),
                Source::Mount { tag, term: MountTerm::Forward } => Shared::MountForward(tag),
                Source::Mount { tag, term: MountTerm::Turn } => Shared::MountTurn(tag),
            };
            (source, [s.per_sigma.x, s.per_sigma.y, s.per_sigma.z])
        });
        Self {
            at: [pose.pose.centre.x, pose.pose.centre.y],
            looks: [looks.x, looks.y],
            own: [c[(0, 0)], c[(0, 1)], c[(0, 2)], c[(1, 1)], c[(1, 2)], c[(2, 2)]],
            shared: shared.collect(),
            rest: [rest.height_mm, rest.slope.x, rest.slope.y],
        }
    }

    fn read(&self, name: &str) -> Result<(PoseEstimate, Rest), LookError> {
        let [x, y] = self.looks;
        let no_way = || LookError { name: name.to_owned(), x: x.to_string(), y: y.to_string() };
        let heading = Heading::along(Vector::new(x, y)).ok_or_else(no_way)?;
        let [xx, xy, xh, yy, yh, hh] = self.own;
        let shared = self.shared.iter().map(|(source, [x, y, z])| {
            let mount = |tag, term| Source::Mount { tag, term };
            let source = match *source {
                Shared::Camera(camera, component) => Source::Registration { camera, component },
                Shared::MountHeight => Source::MountHeight,
                Shared::MountRight(tag) => mount(tag, MountTerm::Right),
                Shared::MountForward(tag) => mount(tag, MountTerm::Forward),
                Shared::MountTurn(tag) => mount(tag, MountTerm::Turn),
            };
            Sensitivity { source, per_sigma: Vector3::new(*x, *y, *z) }
        });
        let estimate = PoseEstimate {
            pose: Pose { centre: Point::new(self.at[0], self.at[1]), heading },
            covariance: Matrix3::new(xx, xy, xh, xy, yy, yh, xh, yh, hh),
            shared: shared.collect(),
        };
        let [height_mm, along_x, along_y] = self.rest;
        Ok((estimate, Rest { height_mm, slope: Vector::new(along_x, along_y) }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reading() -> ElementReading {
        let source = Source::Registration { camera: 0, component: 3 };
        let turn = Source::Mount { tag: 587_000_000_012, term: MountTerm::Turn };
        ElementReading {
            name: "Hastati 1".to_owned(),
            side: Side::Red,
            visibility: Visibility::Covered { age: Duration::from_millis(1250) },
            at_rest: true,
            pose: Some(PoseEstimate {
                pose: Pose::new(100.0 / 3.0, 1.0e-7, 33.3),
                covariance: Matrix3::new(0.01, 1.0e-9, 0.2, 1.0e-9, 0.03, -0.4, 0.2, -0.4, 0.1 + 0.2),
                shared: vec![
                    Sensitivity { source, per_sigma: Vector3::new(0.1, -0.2, 1.0e-12) },
                    Sensitivity { source: turn, per_sigma: Vector3::new(0.0, 0.0, 0.3) },
                ],
            }),
            rest: Rest { height_mm: 15.2, slope: Vector::new(0.1, -0.05) },
        }
    }

    #[test]
    fn what_was_read_reads_back_from_its_text() {
        let missing =
            ElementReading { pose: None, visibility: Visibility::Missing, rest: Rest::TABLE, ..reading() };
        let all = [reading(), missing];
        for held in [None, Some(Held::Stirred), Some(Held::Slid { by_mm: 3.3 })] {
            let look = Look::of(&all, held, true);
            let text = serde_json::to_string(&look).expect("text keys");
            let back: Look = serde_json::from_str(&text).expect("its own text");
            assert_eq!((&back, back.held()), (&look, held));
            let read = back.readings().expect("directions");
            assert_eq!(read[1], all[1]);
            let (Some(was), Some(is)) = (&all[0].pose, &read[0].pose) else { panic!("both have a pose") };
            assert_eq!(
                (was.pose.centre, was.covariance, &was.shared),
                (is.pose.centre, is.covariance, &is.shared)
            );
            assert!((was.pose.heading.vector() - is.pose.heading.vector()).norm() < 1e-15);
        }
    }

    #[test]
    fn an_element_that_looks_nowhere_is_refused() {
        let text = serde_json::to_string(&Look::of(&[reading()], None, true)).expect("text keys");
        let at = text.find("\"looks\":[").expect("a direction");
        let end = at + text[at..].find(']').expect("its end");
        let nowhere = format!("{}\"looks\":[0,0{}", &text[..at], &text[end..]);
        let look: Look = serde_json::from_str(&nowhere).expect("well formed");
        assert!(look.readings().is_err_and(|why| why.to_string().contains("Hastati 1")));
    }
}
