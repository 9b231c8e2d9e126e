//! Whether a calibration will do, and what is still missing, in plain words.

use crate::vision::PixelPoint;

/// Cells of the picture, along x and y, that corners should fall into.
pub const CELLS: (usize, usize) = (6, 4);

/// How a board leans in a view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tilt {
    /// The angle between the board and the picture's own plane, degrees.
    pub deg: f64,
    /// The side of the picture towards which the board comes nearer: right and down, of length one, or
    /// zero where it does not lean.
    pub nearer: [f64; 2],
}

/// A side of the board that comes nearer the camera.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// In the picture.
    Left,
    /// In the picture.
    Right,
    /// In the picture.
    Upper,
    /// In the picture.
    Lower,
}

impl Side {
    /// All four.
    pub const ALL: [Self; 4] = [Self::Left, Self::Right, Self::Upper, Self::Lower];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Upper => "upper",
            Self::Lower => "lower",
        }
    }
}

/// A board that leans by less than this does not count as leaning, degrees.
const LEANING_DEG: f64 = 15.0;

impl Tilt {
    /// The side that comes nearer, where the board leans enough to tell.
    pub fn side(&self) -> Option<Side> {
        let [x, y] = self.nearer;
        (self.deg >= LEANING_DEG).then_some(match x.abs() >= y.abs() {
            true if x < 0.0 => Side::Left,
            true => Side::Right,
            false if y < 0.0 => Side::Upper,
            false => Side::Lower,
        })
    }
}

/// What the views cover.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage {
    /// Corners in each cell of the picture, row by row from the top left, [`CELLS`].
    pub cells: Vec<usize>,
    /// Views in which the board leans by 15 degrees and more.
    pub tilted: usize,
    /// How the board leans in each view that was used.
    pub tilts: Vec<Tilt>,
}

/// In plain words.
#[derive(Debug, Clone, PartialEq)]
pub enum Grade {
    /// Not to be relied on yet; what to do about it.
    NotYet(Vec<String>),
    /// Fit for play; what would make it better.
    Good(Vec<String>),
    /// Nothing to add.
    Great,
}

impl Grade {
    /// "not yet", "good" or "great".
    pub fn name(&self) -> &'static str {
        match self {
            Self::NotYet(_) => "not yet",
            Self::Good(_) => "good",
            Self::Great => "great",
        }
    }

    /// What to do about it, the most needed first; nothing where nothing is missing.
    pub fn advice(&self) -> &[String] {
        match self {
            Self::NotYet(what) | Self::Good(what) => what,
            Self::Great => &[],
        }
    }
}

impl Coverage {
    /// Of these corners in pictures of `size` columns and rows, the board leaning by `tilts`.
    pub fn of(points: impl Iterator<Item = PixelPoint>, tilts: &[Tilt], size: (usize, usize)) -> Self {
        let mut cells = vec![0; CELLS.0 * CELLS.1];
        for p in points {
            let cell = |at: f64, side: usize, count: usize| {
                ((at + 0.5) / side as f64 * count as f64).clamp(0.0, count as f64 - 1.0) as usize
            };
            cells[cell(p.y, size.1, CELLS.1) * CELLS.0 + cell(p.x, size.0, CELLS.0)] += 1;
        }
        Self { cells, tilted: tilts.iter().filter(|t| t.deg >= LEANING_DEG).count(), tilts: tilts.to_vec() }
    }

    /// Share of the picture's cells that hold a corner.
    pub fn share(&self) -> f64 {
        self.cells.iter().filter(|c| **c > 0).count() as f64 / self.cells.len() as f64
    }

    /// Sides that have come nearer the camera in no view.
    pub fn sides_missing(&self) -> Vec<Side> {
        let seen = |side: &Side| self.tilts.iter().any(|t| t.side() == Some(*side));
        Side::ALL.into_iter().filter(|side| !seen(side)).collect()
    }

    /// The part of the picture that is emptiest, in words, or `None` where every part has corners.
    fn emptiest(&self) -> Option<&'static str> {
        let count = |columns: std::ops::Range<usize>, rows: std::ops::Range<usize>| {
            let cell = |(r, c): (usize, usize)| usize::from(self.cells[r * CELLS.0 + c] == 0);
            rows.flat_map(|r| columns.clone().map(move |c| (r, c))).map(cell).sum::<usize>()
        };
        let (w, h) = CELLS;
        let parts = [
            ("upper left", count(0..w / 2, 0..h / 2)),
            ("upper right", count(w / 2..w, 0..h / 2)),
            ("lower left", count(0..w / 2, h / 2..h)),
            ("lower right", count(w / 2..w, h / 2..h)),
        ];
        parts
            .into_iter()
            .filter(|(_, empty)| *empty > 0)
            .max_by_key(|(_, empty)| *empty)
            .map(|(name, _)| name)
    }
}

/// A lens that puts its own corners farther off than this is no profile, pixels root mean square.
pub const MOST_RMS_PX: f64 = 1.0;

/// Grades a calibration from its coverage, its views, its error and one sigma of the focal length as a
/// share of it.
pub fn grade(coverage: &Coverage, views: usize, rms_px: f64, focal_share: f64) -> Grade {
    let mut must = Vec::new();
    let mut could = Vec::new();
    let mut ask = |bad: bool, middling: bool, what: String| {
        if bad {
            must.push(what);
        } else if middling {
            could.push(what);
        }
    };
    let where_to = coverage.emptiest().unwrap_or("edges");
    let share = coverage.share();
    ask(share < 0.5, share < 0.8, format!("hold the board into the {where_to} of the picture"));
    let missing = coverage.sides_missing();
    let side = missing.first().map_or("each", |side| side.name());
    ask(
        coverage.tilted < 2,
        coverage.tilted < 5 || missing.len() > 1,
        format!(
            "lean the board by 20 to 40 degrees, its {side} side nearer the camera ({} pictures lean)",
            coverage.tilted
        ),
    );
    ask(views < 8, views < 15, format!("take more pictures ({views} so far, 15 are plenty)"));
    ask(
        rms_px > MOST_RMS_PX,
        rms_px > 0.5,
        format!("hold the board flat and still, and mend focus and light ({rms_px:.2} px error)"),
    );
    ask(
        focal_share > 0.01,
        focal_share > 0.003,
        format!(
            "the focal length is known to {:.1} % only: more pictures with the board leaning",
            100.0 * focal_share
        ),
    );
    match (must.is_empty(), could.is_empty()) {
        (false, _) => Grade::NotYet(must.into_iter().chain(could).collect()),
        (true, false) => Grade::Good(could),
        (true, true) => Grade::Great,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn everywhere() -> Coverage {
        let points = (0..24)
            .map(|i| PixelPoint::new(f64::from(i % 6) * 100.0 + 50.0, f64::from(i / 6) * 100.0 + 50.0));
        let turned = |deg: f64, towards: f64| Tilt { deg, nearer: [towards.cos(), towards.sin()] };
        let tilts = [5.0, 20.0, 25.0, 30.0, 35.0, 40.0].map(|deg| turned(deg, deg));
        Coverage::of(points, &tilts, (600, 400))
    }

    #[test]
    fn full_coverage_with_tilt_and_a_small_error_is_great() {
        assert_eq!(everywhere().share(), 1.0);
        assert_eq!(grade(&everywhere(), 17, 0.25, 0.001), Grade::Great);
    }

    #[test]
    fn what_is_missing_is_said_in_words() {
        let flat = Tilt { deg: 2.0, nearer: [1.0, 0.0] };
        let corner = Coverage::of([PixelPoint::new(10.0, 10.0)].into_iter(), &[flat], (600, 400));
        let Grade::NotYet(words) = grade(&corner, 6, 0.3, 0.002) else { panic!("it must not pass") };
        assert!(words.iter().any(|w| w.contains("right")), "{words:?}");
        assert!(words.iter().any(|w| w.contains("lean")), "{words:?}");
    }

    #[test]
    fn a_side_to_which_the_board_never_leaned_is_named() {
        let lean = |x: f64, y: f64| Tilt { deg: 30.0, nearer: [x, y] };
        let tilts = [lean(1.0, 0.0), lean(0.9, 0.4), lean(1.0, 0.1), lean(0.0, 1.0), lean(0.0, 1.0)];
        let coverage = Coverage { tilts: tilts.to_vec(), tilted: 5, ..everywhere() };
        assert_eq!(coverage.sides_missing(), [Side::Left, Side::Upper]);
        let Grade::Good(words) = grade(&coverage, 17, 0.25, 0.001) else { panic!("it is good") };
        assert!(words.iter().any(|w| w.contains("its left side nearer")), "{words:?}");
    }

    #[test]
    fn a_large_error_is_never_good() {
        assert!(matches!(grade(&everywhere(), 17, 1.2, 0.001), Grade::NotYet(_)));
        assert!(matches!(grade(&everywhere(), 17, 0.7, 0.001), Grade::Good(_)));
    }
}
