//! Where the camera may stand: on a boom over the board, or on a tripod outside it, as near as still sees all of it.
//!
//! Table frame, millimetres. A camera on a tripod is level; one on a boom has the long side of its picture along the
//! board's longer side.

use crate::judge::Table;
use crate::vision::sim::print_mm;
use crate::vision::{CameraModel, CameraPose, Lens};
use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Vector3};

/// A place of the camera.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// On a boom, straight above.
    Boom,
    /// On a boom from the near edge, leaning so many degrees from straight above.
    Leaning(f64),
    /// On a tripod at a corner.
    Corner(f64),
}

impl Place {
    /// The places that are tried.
    pub const ALL: [Self; 6] = [
        Self::Boom,
        Self::Leaning(15.0),
        Self::Leaning(30.0),
        Self::Corner(35.0),
        Self::Corner(45.0),
        Self::Corner(55.0),
    ];

    /// Whether it is a boom's.
    pub fn is_boom(self) -> bool {
        !matches!(self, Self::Corner(_))
    }

    /// What it is called.
    pub fn name(self) -> String {
        match self {
            Self::Boom => "boom, straight above".to_owned(),
            Self::Leaning(deg) => format!("boom at the near edge, {deg:.0} degrees"),
            Self::Corner(deg) => format!("tripod at the near left corner, {deg:.0} degrees"),
        }
    }

    fn lean_deg(self) -> f64 {
        match self {
            Self::Boom => 0.0,
            Self::Leaning(deg) | Self::Corner(deg) => deg,
        }
    }
}

/// A camera set up at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SetUp {
    /// Where it stands.
    pub place: Place,
    /// Its lens and pose.
    pub camera: CameraModel,
    /// How far the worst corner lies outside its picture, pixels; less than nothing where all is seen.
    pub overhang_px: f64,
}

impl SetUp {
    /// Whether it sees the board, the tags at its edges, and raised tags on its rim.
    pub fn sees_all(&self) -> bool {
        self.overhang_px <= 1e-6
    }

    /// The camera's place.
    pub fn eye(&self) -> Point3<f64> {
        self.camera.pose.eye()
    }
}

/// What is kept free at the picture's rim, a share of its width.
const RIM_SHARE: f64 = 0.012;
/// How far a tripod's camera stands outside the board, at least, millimetres.
const OUTSIDE_MM: f64 = 30.0;
/// Steps of the point that is looked at, along the way of looking.
const SLIDES: u32 = 25;

/// The camera at a place, as near as sees everything up to `high_mm` over the board, or at `height_mm` where that is
/// given. `None` where it cannot be there: a tripod that would stand on the board, a lens that never sees it all.
pub fn set_up(
    table: &Table,
    lens: Lens,
    place: Place,
    height_mm: Option<f64>,
    high_mm: f64,
) -> Option<SetUp> {
    let points = seen_points(table, high_mm);
    let overhang = |camera: &CameraModel| {
        let rim = RIM_SHARE * f64::from(lens.width);
        let beyond = |p: &Point3<f64>| {
            camera.image_from_table(*p).map_or(f64::INFINITY, |q| {
                let x = (rim - q.x).max(q.x - f64::from(lens.width) + rim);
                x.max(rim - q.y).max(q.y - f64::from(lens.height) + rim)
            })
        };
        points.iter().map(beyond).fold(f64::NEG_INFINITY, f64::max)
    };
    let diagonal = table.board_mm.0.hypot(table.board_mm.1);
    let mut best: Option<(f64, SetUp)> = None;
    for step in 0..SLIDES {
        let slide = (f64::from(step) / f64::from(SLIDES - 1) - 0.5) * 0.5 * diagonal;
        let slide = if place == Place::Boom { 0.0 } else { slide };
        let at = |away: f64| looking(table, lens, place, away, slide);
        let away = match height_mm {
            Some(height) => height / place.lean_deg().to_radians().cos(),
            None => {
                let (mut near, mut far) = (0.2 * diagonal, 12.0 * diagonal);
                if at(far).is_none_or(|c| overhang(&c) > 0.0) {
                    continue;
                }
                for _ in 0..40 {
                    let middle = (near + far) / 2.0;
                    if at(middle).is_some_and(|c| overhang(&c) <= 0.0) { far = middle } else { near = middle }
                }
                far
            }
        };
        let Some(camera) = at(away).filter(|c| stands_outside(place, &c.pose.eye())) else { continue };
        let found = SetUp { place, camera, overhang_px: overhang(&camera) };
        // At a given height the one that sees most; else the nearest.
        let cost = if height_mm.is_some() { found.overhang_px } else { away };
        if best.as_ref().is_none_or(|(least, _)| cost < *least - 1e-9) {
            best = Some((cost, found));
        }
    }
    best.map(|(_, found)| found)
}

fn stands_outside(place: Place, eye: &Point3<f64>) -> bool {
    place.is_boom() || eye.x < -OUTSIDE_MM || eye.y < -OUTSIDE_MM
}

/// The board's corners, low and high, and those of the prints at its edges.
fn seen_points(table: &Table, high_mm: f64) -> Vec<Point3<f64>> {
    let (w, d) = table.board_mm;
    let corners = [(0.0, 0.0), (w, 0.0), (w, d), (0.0, d)];
    let mut points: Vec<Point3<f64>> =
        corners.iter().flat_map(|(x, y)| [0.0, high_mm].map(|z| Point3::new(*x, *y, z))).collect();
    for r in &table.reference {
        // Wherever it is turned to.
        let half =
            print_mm(r.tag, r.size_mm) / 2.0 * if (r.rotation_deg % 90.0).abs() < 1.0 { 1.0 } else { 1.42 };
        for (x, y) in [(-half, -half), (half, -half), (half, half), (-half, half)] {
            points.push(Point3::new(r.x_mm + x, r.y_mm + y, r.z_mm));
        }
    }
    points
}

/// A camera so far away from the point that it looks at, which lies `slide` from the board's middle towards it.
fn looking(table: &Table, lens: Lens, place: Place, away: f64, slide: f64) -> Option<CameraModel> {
    let (w, d) = table.board_mm;
    let towards = match place {
        Place::Boom | Place::Leaning(_) => Vector3::new(0.0, -1.0, 0.0),
        // Along the diagonal, so that the board's far corner is straight behind its near one.
        Place::Corner(_) => Vector3::new(-w, -d, 0.0).normalize(),
    };
    let lean = place.lean_deg().to_radians();
    let target = Point3::new(w / 2.0, d / 2.0, 0.0) + towards * slide;
    let eye = target + (towards * lean.sin() + Vector3::z() * lean.cos()) * away;
    let ahead = (target - eye).try_normalize(1e-9)?;
    let right = match place {
        Place::Boom if d > w => -Vector3::y(),
        Place::Boom | Place::Leaning(_) => Vector3::x(),
        Place::Corner(_) => ahead.cross(&Vector3::z()).try_normalize(1e-9)?,
    };
    let down = ahead.cross(&right);
    let table_from_camera = Matrix3::from_columns(&[right, down, ahead]);
    let rotation = Rotation3::from_matrix_unchecked(table_from_camera.transpose());
    let translation = -(rotation * eye.coords);
    let pose = CameraPose { camera_from_table: Isometry3::from_parts(translation.into(), rotation.into()) };
    Some(CameraModel { lens, pose })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::samples;

    #[test]
    fn every_place_sees_the_whole_table_and_one_step_nearer_does_not() {
        let table = samples::table();
        let lens = Lens::from_field_of_view(1920, 1080, 71.0);
        for place in Place::ALL {
            let Some(found) = set_up(&table, lens, place, None, 32.0) else {
                assert!(!place.is_boom(), "{place:?}");
                continue;
            };
            assert!(found.sees_all(), "{place:?}: {}", found.overhang_px);
            let eye = found.eye();
            let lean = (eye - Point3::new(300.0, 300.0, 0.0)).xy().norm().atan2(eye.z).to_degrees();
            assert!((lean - place.lean_deg()).abs() < 15.0, "{place:?}: {lean}");
            let nearer = set_up(&table, lens, place, Some(eye.z * 0.97), 32.0).expect("it stands");
            assert!(!nearer.sees_all(), "{place:?}");
            // Upright in its picture: what is farther is higher.
            let at = |x, y| found.camera.image_from_table(Point3::new(x, y, 0.0)).expect("in front");
            assert!(at(600.0, 600.0).y < at(0.0, 0.0).y, "{place:?}");
        }
    }

    #[test]
    fn a_board_that_is_deeper_than_wide_lies_along_the_pictures_long_side() {
        let mut table = samples::table();
        let lens = Lens::from_field_of_view(1920, 1080, 71.0);
        let square = set_up(&table, lens, Place::Boom, None, 32.0).expect("sees it").eye().z;
        table.board_mm = (600.0, 900.0);
        table.reference.iter_mut().filter(|r| r.y_mm > 300.0).for_each(|r| r.y_mm += 300.0);
        let deep = set_up(&table, lens, Place::Boom, None, 32.0).expect("sees it").eye().z;
        assert!(deep < square * 1.1, "{deep} {square}");
    }
}
