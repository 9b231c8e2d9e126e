//! One picture of a calibration board: where its corners are.

use super::board::Board;
use crate::tracking::TagFamily;
use crate::vision::register::{Optics, OpticsKnowledge, Patch, Scratch, Start, Window, fit};
use crate::vision::{DetectorError, DetectorSettings, GreyImage, Lens, PixelPoint, TagDetector, TagPattern};
use nalgebra::Point2;
use opencv::calib3d;
use opencv::core::{Mat, Point2f, Size, Vector};

/// A picture of a board with its corners found.
#[derive(Debug, Clone, PartialEq)]
pub struct View {
    /// What people call the picture.
    pub label: String,
    /// Places on the board and in the picture.
    pub pairs: Vec<(Point2<f64>, PixelPoint)>,
}

/// Why a picture gives no view. Every message says what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ViewError {
    /// The chessboard does not show whole.
    #[error(
        "no chessboard with {columns}x{rows} inner corners found: all of it must show, flat, sharp and lit"
    )]
    NoChessboard {
        /// Inner corners along a row.
        columns: u32,
        /// Inner corners down a column.
        rows: u32,
    },
    /// Too few of the grid's tags show.
    #[error("{seen} tags of the board found, {least} are needed: come nearer, or mend light and focus")]
    TooFewTags {
        /// How many show.
        seen: usize,
        /// How many are needed.
        least: usize,
    },
    /// The picture library failed.
    #[error("the picture library failed ({0}); try another picture")]
    Library(String),
}

/// Fewer tags say too little of the lens.
const LEAST_TAGS: usize = 4;
/// A glance is cast at a picture no larger than this, pixels.
const GLANCE_PX: usize = 1000;

/// Finds a board in pictures. Not [`Send`]: it holds the tag detector.
#[derive(Debug)]
pub struct BoardFinder {
    board: Board,
    detector: Option<TagDetector>,
    scratch: Scratch,
}

impl BoardFinder {
    /// Looks for `board`.
    ///
    /// # Errors
    /// Where the detector cannot be made.
    pub fn new(board: Board) -> Result<Self, DetectorError> {
        let families: std::collections::BTreeSet<TagFamily> = match board {
            Board::Chessboard { .. } => Default::default(),
            Board::Tags { family, .. } => [family].into(),
        };
        let detector = match families.is_empty() {
            true => None,
            false => Some(TagDetector::new(&families, DetectorSettings::default())?),
        };
        Ok(Self { board, detector, scratch: Scratch::default() })
    }

    /// The board it looks for.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Roughly where the board is, in a tenth of the time of [`BoardFinder::find`]: enough to tell whether it
    /// is held still somewhere new. `None` where it is not seen at once.
    pub fn glance(&mut self, label: &str, picture: &GreyImage) -> Option<View> {
        let mut small = picture.clone();
        let mut times = 1.0;
        while small.width().max(small.height()) > GLANCE_PX {
            small = halved(&small)?;
            times *= 2.0;
        }
        let whole = |p: PixelPoint| PixelPoint::new((p.x + 0.5) * times - 0.5, (p.y + 0.5) * times - 0.5);
        let pairs: Vec<(Point2<f64>, PixelPoint)> = match self.board {
            Board::Chessboard { columns, rows, .. } => {
                let corners = chessboard(&small, columns, rows, Care::Glance).ok()??;
                self.board.chessboard_corners().into_iter().zip(corners.into_iter().map(whole)).collect()
            }
            Board::Tags { .. } => {
                let detector = self.detector.as_mut()?;
                let corners = detector.detect(&small).into_iter().filter_map(|d| {
                    let places = self.board.tag_corners(d.tag)?;
                    Some(places.into_iter().zip(d.corners_px.in_order().map(whole)))
                });
                corners.flatten().collect()
            }
        };
        (pairs.len() >= 4 * LEAST_TAGS).then(|| View { label: label.to_owned(), pairs })
    }

    /// The board's corners in a picture.
    ///
    /// # Errors
    /// Where the board does not show.
    pub fn find(&mut self, label: &str, picture: &GreyImage) -> Result<View, ViewError> {
        let pairs = match self.board {
            Board::Chessboard { columns, rows, .. } => {
                let corners = chessboard(picture, columns, rows, Care::Exact)
                    .map_err(|e| ViewError::Library(e.message))?
                    .ok_or(ViewError::NoChessboard { columns, rows })?;
                self.board.chessboard_corners().into_iter().zip(corners).collect()
            }
            Board::Tags { size_mm, .. } => self.tags(picture, size_mm)?,
        };
        Ok(View { label: label.to_owned(), pairs })
    }

    /// Every tag of the board, its pattern registered where it can be: finer than its corners.
    fn tags(
        &mut self,
        picture: &GreyImage,
        size_mm: f64,
    ) -> Result<Vec<(Point2<f64>, PixelPoint)>, ViewError> {
        let Some(detector) = &mut self.detector else { return Ok(Vec::new()) };
        // Over one tag any lens is as good as straight.
        let plain = Lens::from_field_of_view(picture.width() as u32, picture.height() as u32, 70.0);
        let mut pairs = Vec::new();
        let mut seen = 0;
        for detection in detector.detect(picture) {
            let Some(places) = self.board.tag_corners(detection.tag) else { continue };
            let corners = detection.corners_px.in_order();
            let fine = registered(picture, &plain, detection.tag, size_mm, corners, &mut self.scratch);
            pairs.extend(places.into_iter().zip(fine.unwrap_or(corners)));
            seen += 1;
        }
        if seen < LEAST_TAGS {
            return Err(ViewError::TooFewTags { seen, least: LEAST_TAGS });
        }
        Ok(pairs)
    }
}

/// The corners of a tag whose pattern could be registered near where they were found.
pub(super) fn registered(
    picture: &GreyImage,
    lens: &Lens,
    tag: crate::tracking::Tag,
    size_mm: f64,
    corners: [PixelPoint; 4],
    scratch: &mut Scratch,
) -> Option<[PixelPoint; 4]> {
    let pattern = TagPattern::of(tag)?;
    let side = (corners[1] - corners[0]).norm().max((corners[2] - corners[1]).norm());
    let ring = (pattern.modules() - pattern.border_modules()) as f64 / 2.0;
    let (mut least, mut most) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for c in corners {
        least = [least[0].min(c.x), least[1].min(c.y)];
        most = [most[0].max(c.x), most[1].max(c.y)];
    }
    let grow = 1.5 * ring * side / pattern.border_modules() as f64 + 2.0;
    let window = Window::around(least, most, grow, picture)?;
    let start = Patch::new(lens, size_mm, corners, window)?;
    let optics = (Optics::default(), OpticsKnowledge::Fitted);
    let fit = fit(picture, &pattern, size_mm, (start, Start::Rough), optics, scratch)?;
    (fit.agreeing > 0.8).then(|| fit.warp.corners_px())
}

/// How carefully a chessboard is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Care {
    /// Once, as it comes.
    Glance,
    /// In every way there is, and its corners to a hundredth of a pixel.
    Exact,
}

/// Half as large each way; `None` where nothing is left.
fn halved(picture: &GreyImage) -> Option<GreyImage> {
    let (width, height) = (picture.width() / 2, picture.height() / 2);
    let row = |y: usize| &picture.data()[y * picture.width()..][..2 * width];
    let mut data = Vec::with_capacity(width * height);
    for y in 0..height {
        for (a, b) in row(2 * y).chunks_exact(2).zip(row(2 * y + 1).chunks_exact(2)) {
            let sum: u32 = [a[0], a[1], b[0], b[1]].into_iter().map(u32::from).sum();
            data.push(((sum + 2) / 4) as u8);
        }
    }
    GreyImage::new(width, height, data)
}

/// The inner corners of a chessboard, row by row; `None` where it is not found.
fn chessboard(
    picture: &GreyImage,
    columns: u32,
    rows: u32,
    care: Care,
) -> opencv::Result<Option<Vec<PixelPoint>>> {
    let image =
        Mat::new_rows_cols_with_data(picture.height() as i32, picture.width() as i32, picture.data())?;
    let mut corners: Vector<Point2f> = Vector::new();
    let flags = match care {
        Care::Glance => 0,
        Care::Exact => calib3d::CALIB_CB_EXHAUSTIVE | calib3d::CALIB_CB_ACCURACY,
    };
    let size = Size::new(columns as i32, rows as i32);
    let found = calib3d::find_chessboard_corners_sb(&image, size, &mut corners, flags)?;
    let whole = found && corners.len() == (columns * rows) as usize;
    Ok(whole.then(|| corners.iter().map(|c| PixelPoint::new(f64::from(c.x), f64::from(c.y))).collect()))
}
