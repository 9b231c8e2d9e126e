//! The camera: lens, pose, and the way between table and image.
//!
//! Lens model: OpenCV's pinhole with radial k1, k2, k3 and tangential p1, p2. Camera frame: x right,
//! y down, z ahead. `camera_from_table` takes table millimetres to camera millimetres.

use nalgebra::{Isometry3, Point2, Point3, Vector3};
use serde::{Deserialize, Serialize};

/// A point of the image, pixels, centres at whole numbers.
pub type PixelPoint = Point2<f64>;

/// The bending of a lens, OpenCV's first five coefficients.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distortion {
    /// Radial, second power.
    pub k1: f64,
    /// Radial, fourth power.
    pub k2: f64,
    /// Tangential.
    pub p1: f64,
    /// Tangential.
    pub p2: f64,
    /// Radial, sixth power.
    pub k3: f64,
}

/// A lens at one picture size.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lens {
    /// Picture columns the figures hold for.
    pub width: u32,
    /// Picture rows the figures hold for.
    pub height: u32,
    /// Focal length along x, pixels.
    pub fx: f64,
    /// Focal length along y, pixels.
    pub fy: f64,
    /// Principal point, pixels.
    pub cx: f64,
    /// Principal point, pixels.
    pub cy: f64,
    /// Its bending.
    pub distortion: Distortion,
}

impl Lens {
    /// A lens of `fov_deg` across the picture's width, without bending.
    pub fn from_field_of_view(width: u32, height: u32, fov_deg: f64) -> Self {
        let f = f64::from(width) / 2.0 / (fov_deg.to_radians() / 2.0).tan();
        Self {
            width,
            height,
            fx: f,
            fy: f,
            cx: (f64::from(width) - 1.0) / 2.0,
            cy: (f64::from(height) - 1.0) / 2.0,
            distortion: Distortion::default(),
        }
    }

    /// Field of view across the picture's width, degrees.
    pub fn field_of_view_deg(&self) -> f64 {
        2.0 * (f64::from(self.width) / 2.0 / self.fx).atan().to_degrees()
    }

    /// Normalised image coordinates (x/z, y/z) to pixels.
    pub fn to_pixel(&self, x: f64, y: f64) -> PixelPoint {
        let d = &self.distortion;
        let r2 = x * x + y * y;
        let radial = 1.0 + r2 * (d.k1 + r2 * (d.k2 + r2 * d.k3));
        let bent_x = x * radial + 2.0 * d.p1 * x * y + d.p2 * (r2 + 2.0 * x * x);
        let bent_y = y * radial + d.p1 * (r2 + 2.0 * y * y) + 2.0 * d.p2 * x * y;
        PixelPoint::new(self.fx * bent_x + self.cx, self.fy * bent_y + self.cy)
    }

    /// Pixels to normalised image coordinates, by fixed-point iteration until the step falls below
    /// 1e-12 (40 at most).
    pub fn to_normalised(&self, pixel: PixelPoint) -> Point2<f64> {
        let d = &self.distortion;
        let (bent_x, bent_y) = ((pixel.x - self.cx) / self.fx, (pixel.y - self.cy) / self.fy);
        let (mut x, mut y) = (bent_x, bent_y);
        for _ in 0..40 {
            let r2 = x * x + y * y;
            let radial = 1.0 + r2 * (d.k1 + r2 * (d.k2 + r2 * d.k3));
            let tx = 2.0 * d.p1 * x * y + d.p2 * (r2 + 2.0 * x * x);
            let ty = d.p1 * (r2 + 2.0 * y * y) + 2.0 * d.p2 * x * y;
            let (nx, ny) = ((bent_x - tx) / radial, (bent_y - ty) / radial);
            let step = (nx - x).abs().max((ny - y).abs());
            (x, y) = (nx, ny);
            if step < 1e-12 {
                break;
            }
        }
        Point2::new(x, y)
    }
}

/// Where the camera stands: takes table points to the camera frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraPose {
    /// X_camera = R X_table + t.
    pub camera_from_table: Isometry3<f64>,
}

impl CameraPose {
    /// A camera at `eye` looking at `target`, with the table's +y up in its picture as far as can be.
    /// `None` where eye and target coincide.
    pub fn looking_at(eye: Point3<f64>, target: Point3<f64>, roll_deg: f64) -> Option<Self> {
        let ahead = (target - eye).try_normalize(1e-9)?;
        let up = if ahead.cross(&Vector3::y()).norm() > 1e-6 { Vector3::y() } else { Vector3::z() };
        let right = ahead.cross(&up).try_normalize(1e-12)?;
        let down = ahead.cross(&right);
        let table_from_camera = nalgebra::Matrix3::from_columns(&[right, down, ahead]);
        let roll = nalgebra::Rotation3::from_axis_angle(&Vector3::z_axis(), roll_deg.to_radians());
        let rotation = roll * nalgebra::Rotation3::from_matrix_unchecked(table_from_camera.transpose());
        let translation = -(rotation * eye.coords);
        Some(Self { camera_from_table: Isometry3::from_parts(translation.into(), rotation.into()) })
    }

    /// The camera's own place on the table.
    pub fn eye(&self) -> Point3<f64> {
        self.camera_from_table.inverse_transform_point(&Point3::origin())
    }
}

/// Lens and pose together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CameraModel {
    /// The lens.
    pub lens: Lens,
    /// Where it stands.
    pub pose: CameraPose,
}

impl CameraModel {
    /// Where a table point (millimetres, z up) falls in the image, or `None` behind the camera.
    pub fn image_from_table(&self, point: Point3<f64>) -> Option<PixelPoint> {
        let seen = self.pose.camera_from_table * point;
        (seen.z > 1e-6).then(|| self.lens.to_pixel(seen.x / seen.z, seen.y / seen.z))
    }

    /// Where the ray of a pixel meets the plane at height `z_mm`, or `None` where it never does.
    pub fn table_from_image(&self, pixel: PixelPoint, z_mm: f64) -> Option<Point2<f64>> {
        let n = self.lens.to_normalised(pixel);
        let ray = self.pose.camera_from_table.inverse_transform_vector(&Vector3::new(n.x, n.y, 1.0));
        let eye = self.pose.eye();
        let share = (z_mm - eye.z) / ray.z;
        (share.is_finite() && share > 0.0).then(|| Point2::new(eye.x + share * ray.x, eye.y + share * ray.y))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> CameraModel {
        let mut lens = Lens::from_field_of_view(1920, 1080, 70.0);
        lens.distortion = Distortion { k1: -0.1, k2: 0.03, p1: 3e-4, p2: -4e-4, k3: 0.001 };
        let pose =
            CameraPose::looking_at(Point3::new(310.0, -80.0, 950.0), Point3::new(300.0, 300.0, 0.0), 2.0);
        CameraModel { lens, pose: pose.expect("eye and target differ") }
    }

    #[test]
    fn table_to_image_and_back_is_the_same_place_at_any_height() {
        for (x, y, z) in [(0.0, 0.0, 0.0), (600.0, 600.0, 32.0), (300.0, 20.0, 80.0)] {
            let pixel = camera().image_from_table(Point3::new(x, y, z)).expect("in front");
            let back = camera().table_from_image(pixel, z).expect("meets the plane");
            assert!((back - Point2::new(x, y)).norm() < 1e-6, "{back}");
        }
    }

    #[test]
    fn away_is_up_in_the_picture_and_right_is_right() {
        let at = |x, y| camera().image_from_table(Point3::new(x, y, 0.0)).expect("in front");
        assert!(at(300.0, 600.0).y < at(300.0, 0.0).y);
        assert!(at(600.0, 300.0).x > at(0.0, 300.0).x);
    }

    #[test]
    fn a_point_behind_the_camera_has_no_place_in_the_picture() {
        assert!(camera().image_from_table(Point3::new(300.0, 300.0, 3000.0)).is_none());
    }
}
