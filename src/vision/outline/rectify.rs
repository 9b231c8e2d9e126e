//! The board seen from straight above, made from one picture and the camera that took it.
//!
//! Columns run along x, rows against y: the far edge is at the top. Pixel centres at whole numbers.

use crate::geometry::{Point, convex};
use crate::vision::{CameraModel, Detection, Frame, PixelPoint, RgbImage};
use nalgebra::Point3;
use opencv::core::{BORDER_CONSTANT, CV_8UC3, CV_32FC1, Mat, MatTraitConstManual, MatTraitManual, Scalar};
use opencv::imgproc;

/// Finest scale, millimetres a pixel: about what a 4K camera over a small board gives.
const FINEST_MM: f64 = 0.75;
/// Most pixels along the longer side.
const MOST_PX: f64 = 1600.0;
/// Shown beyond the playing area, millimetres.
const MARGIN_MM: f64 = 30.0;

/// What hides the board.
#[derive(Debug, Clone, PartialEq)]
pub enum Cover {
    /// Something that stands on the board: its outline there, and how high it and what is on it reach, millimetres.
    Standing {
        /// Corners on the board.
        outline: Vec<Point>,
        /// Its height.
        height_mm: f64,
    },
    /// A part of the picture, such as a tag that was found there: corners in pixels.
    Seen(Vec<PixelPoint>),
}

impl Cover {
    /// Everything that hides the board: what stands on it, as outlines and heights in millimetres, and what was
    /// detected in the picture.
    pub fn all(standing: Vec<(Vec<Point>, f64)>, detections: &[Detection]) -> Vec<Self> {
        let standing = standing.into_iter().map(|(outline, height_mm)| Self::Standing { outline, height_mm });
        let seen = detections.iter().map(|d| {
            let c = &d.corners_px;
            Self::Seen(vec![c.top_left, c.top_right, c.bottom_right, c.bottom_left])
        });
        standing.chain(seen).collect()
    }
}

/// The board from above.
#[derive(Debug, Clone)]
pub struct Rectified {
    /// The picture; black where the camera does not see the board.
    pub picture: RgbImage,
    /// Millimetres a pixel.
    pub mm_per_px: f64,
    /// Where the middle of the top left pixel lies.
    pub top_left: Point,
    /// The playing area, (width, depth).
    pub board_mm: (f64, f64),
    /// Whether each pixel shows the board: false outside the camera's picture and under covers.
    pub shown: Vec<bool>,
    /// Whether each pixel lies in the camera's picture.
    pub in_view: Vec<bool>,
}

impl Rectified {
    /// A picture that shows the board from above and nothing else, all of it in view and nothing on it: a scan, a drawing.
    /// Its columns cover the board's width.
    pub fn of_board(picture: RgbImage, board_mm: (f64, f64)) -> Self {
        let pixels = picture.width() * picture.height();
        let mm_per_px = board_mm.0 / picture.width().max(1) as f64;
        // Pixels are told by their middles.
        let top_left = Point::new(mm_per_px / 2.0, board_mm.1 - mm_per_px / 2.0);
        let (shown, in_view) = (vec![true; pixels], vec![true; pixels]);
        Self { picture, mm_per_px, top_left, board_mm, shown, in_view }
    }

    /// Columns and rows.
    pub fn size(&self) -> (usize, usize) {
        (self.picture.width(), self.picture.height())
    }

    /// The table point at a pixel (column, row), fractions too.
    pub fn point(&self, column: f64, row: f64) -> Point {
        Point::new(self.top_left.x + column * self.mm_per_px, self.top_left.y - row * self.mm_per_px)
    }

    /// The pixel (column, row) of a table point.
    pub fn pixel(&self, point: Point) -> (f64, f64) {
        ((point.x - self.top_left.x) / self.mm_per_px, (self.top_left.y - point.y) / self.mm_per_px)
    }

    /// The index of the pixel nearest to a table point, or `None` outside the picture.
    pub fn index(&self, point: Point) -> Option<usize> {
        let (column, row) = self.pixel(point);
        let (c, r) = (column.round(), row.round());
        let (w, h) = self.size();
        let inside = c >= 0.0 && r >= 0.0 && c < w as f64 && r < h as f64;
        inside.then(|| r as usize * w + c as usize)
    }

    /// Millimetres as pixels.
    pub(super) fn px(&self, mm: f64) -> f64 {
        mm / self.mm_per_px
    }
}

/// The board from above, with what covers it.
///
/// # Errors
/// OpenCV's own, none of which is expected.
pub fn rectify(
    frame: &Frame,
    camera: &CameraModel,
    board_mm: (f64, f64),
    covers: &[Cover],
) -> Result<Rectified, opencv::Error> {
    let (wide, deep) = (board_mm.0 + 2.0 * MARGIN_MM, board_mm.1 + 2.0 * MARGIN_MM);
    let mm_per_px = FINEST_MM.max(wide.max(deep) / MOST_PX);
    let (w, h) = ((wide / mm_per_px).ceil() as usize, (deep / mm_per_px).ceil() as usize);
    let top_left = Point::new(-MARGIN_MM, board_mm.1 + MARGIN_MM);
    let grey;
    let colour = match &frame.colour {
        Some(colour) => colour.as_ref(),
        None => {
            grey = frame.grey.to_rgb();
            &grey
        }
    };
    let (columns, rows) = (colour.width() as f64, colour.height() as f64);
    let mut map_x = Mat::new_rows_cols_with_default(h as i32, w as i32, CV_32FC1, Scalar::all(-10.0))?;
    let mut map_y = map_x.clone();
    let mut in_view = vec![false; w * h];
    {
        let (xs, ys) = (map_x.data_typed_mut::<f32>()?, map_y.data_typed_mut::<f32>()?);
        for row in 0..h {
            for column in 0..w {
                let at = Point3::new(
                    top_left.x + column as f64 * mm_per_px,
                    top_left.y - row as f64 * mm_per_px,
                    0.0,
                );
                let Some(px) = camera.image_from_table(at) else { continue };
                if (0.0..=columns - 1.0).contains(&px.x) && (0.0..=rows - 1.0).contains(&px.y) {
                    let n = row * w + column;
                    (xs[n], ys[n]) = (px.x as f32, px.y as f32);
                    in_view[n] = true;
                }
            }
        }
    }
    let mut source = Mat::new_rows_cols_with_default(
        colour.height() as i32,
        colour.width() as i32,
        CV_8UC3,
        Scalar::all(0.0),
    )?;
    source.data_bytes_mut()?.copy_from_slice(colour.data());
    let mut above = Mat::default();
    imgproc::remap(
        &source,
        &mut above,
        &map_x,
        &map_y,
        imgproc::INTER_LINEAR,
        BORDER_CONSTANT,
        Scalar::all(0.0),
    )?;
    let picture = RgbImage::new(w, h, above.data_bytes()?.to_vec()).expect("remap keeps the maps' size");
    let mut made = Rectified { picture, mm_per_px, top_left, board_mm, shown: in_view.clone(), in_view };
    for cover in covers {
        hide(&mut made, &shadow(camera, cover));
    }
    Ok(made)
}

/// What a cover hides of the board: corners of a convex outline on it.
fn shadow(camera: &CameraModel, cover: &Cover) -> Vec<Point> {
    let on_board = |px: PixelPoint| camera.table_from_image(px, 0.0).map(|p| Point::new(p.x, p.y));
    let corners: Vec<Point> = match cover {
        Cover::Seen(corners) => corners.iter().filter_map(|px| on_board(*px)).collect(),
        Cover::Standing { outline, height_mm } => {
            let top = outline
                .iter()
                .filter_map(|p| on_board(camera.image_from_table(Point3::new(p.x, p.y, *height_mm))?));
            outline.iter().copied().chain(top).collect()
        }
    };
    convex::hull(&corners)
}

/// Takes the pixels in and near a convex outline (anticlockwise) for hidden.
fn hide(made: &mut Rectified, outline: &[Point]) {
    /// Blur and errors of places, millimetres.
    const RIM_MM: f64 = 1.5;
    if outline.len() < 3 {
        return;
    }
    let (w, h) = made.size();
    let pixels: Vec<(f64, f64)> = outline.iter().map(|p| made.pixel(*p)).collect();
    let rim = made.px(RIM_MM);
    let range = |of: fn(&(f64, f64)) -> f64, most: usize| {
        let (low, high) =
            pixels.iter().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), v| (a.min(v), b.max(v)));
        ((low - rim).floor().max(0.0) as usize, ((high + rim).ceil().max(0.0) as usize + 1).min(most))
    };
    let ((left, right), (top, bottom)) = (range(|p| p.0, w), range(|p| p.1, h));
    for row in top..bottom {
        for column in left..right {
            let at = made.point(column as f64, row as f64);
            let inside = (0..outline.len()).all(|n| {
                let (a, b) = (outline[n], outline[(n + 1) % outline.len()]);
                let along = b - a;
                let off = along.x * (at.y - a.y) - along.y * (at.x - a.x);
                off >= -RIM_MM * along.norm()
            });
            if inside {
                made.shown[row * w + column] = false;
            }
        }
    }
}

/// The picture's colours as OpenCV's Lab: L 0 to 100, a and b about -127 to 127, plane by plane.
pub(super) fn lab(made: &Rectified) -> Result<[Vec<f32>; 3], opencv::Error> {
    let (w, h) = made.size();
    let mut rgb =
        Mat::new_rows_cols_with_default(h as i32, w as i32, opencv::core::CV_32FC3, Scalar::all(0.0))?;
    for (to, from) in
        rgb.data_typed_mut::<opencv::core::Vec3f>()?.iter_mut().zip(made.picture.data().chunks_exact(3))
    {
        for n in 0..3 {
            to[n] = f32::from(from[n]) / 255.0;
        }
    }
    let mut lab = Mat::default();
    imgproc::cvt_color_def(&rgb, &mut lab, imgproc::COLOR_RGB2Lab)?;
    let pixels = lab.data_typed::<opencv::core::Vec3f>()?;
    Ok([0, 1, 2].map(|n| pixels.iter().map(|p| p[n]).collect()))
}
