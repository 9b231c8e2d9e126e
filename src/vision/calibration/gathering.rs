//! Views of a board gathered picture by picture: which are worth keeping, and what they come to so far.
//!
//! Photographs are all kept. Of a moving source a view is kept where the board is held still somewhere new.
//! Pixels. Invariant: all views have one picture size.

use super::guidance::{Coverage, Grade, grade};
use super::solve::{Calibration, CalibrationError, LEAST_VIEWS, calibrate};
use super::view::View;
use crate::vision::PixelPoint;

/// A board is held still where none of its corners has moved further since the picture before, a share of
/// the picture's longer side. A choice: 3 px of 1920.
const STILL_SHARE: f64 = 0.0015;
/// A view is new where a corner of it lies this far from its place in every view before, a share of the
/// picture's longer side: a board that only leans another way is new too. A choice.
const NEW_SHARE: f64 = 0.04;

/// What a picture of a moving source shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    /// The board does not show, or not all of it that is needed.
    Lost,
    /// The board is moved about: hold it still.
    Moving,
    /// It has been seen there: move it on.
    Known,
    /// It is held still somewhere new: worth measuring exactly, and keeping.
    New,
}

/// A picture of another size than those before it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{label} has {}x{} pixels and the pictures before it {}x{}: take them all with one camera at one size",
    own.0, own.1, first.0, first.1
)]
pub struct OtherSize {
    /// Which picture.
    pub label: String,
    /// Its columns and rows.
    pub own: (usize, usize),
    /// Those of the pictures before.
    pub first: (usize, usize),
}

/// Checks that pictures have one size.
#[derive(Debug, Clone, Copy, Default)]
pub struct OneSize(Option<(usize, usize)>);

impl OneSize {
    /// Takes note of a picture.
    ///
    /// # Errors
    /// Where it has another size than the first.
    pub fn check(&mut self, label: &str, own: (usize, usize)) -> Result<(), OtherSize> {
        let first = *self.0.get_or_insert(own);
        if first == own { Ok(()) } else { Err(OtherSize { label: label.to_owned(), own, first }) }
    }

    /// The size; `None` before the first picture.
    pub fn get(&self) -> Option<(usize, usize)> {
        self.0
    }
}

/// The views so far.
#[derive(Debug, Clone)]
pub struct Gathering {
    size: (usize, usize),
    views: Vec<View>,
    before: Option<View>,
    solved: Option<Result<Calibration, CalibrationError>>,
}

impl Gathering {
    /// Nothing yet, for pictures of these columns and rows.
    pub fn new(size: (usize, usize)) -> Self {
        Self { size, views: Vec::new(), before: None, solved: None }
    }

    /// The views that were kept.
    pub fn views(&self) -> &[View] {
        &self.views
    }

    /// Keeps a view.
    pub fn keep(&mut self, view: View) {
        self.views.push(view);
    }

    /// What a picture of a moving source shows, from a glance at it.
    pub fn look(&mut self, glance: Option<View>) -> Look {
        let Some(view) = glance else {
            self.before = None;
            return Look::Lost;
        };
        let longer = self.size.0.max(self.size.1) as f64;
        let still = self
            .before
            .as_ref()
            .and_then(|before| moved_px(before, &view))
            .is_some_and(|moved| moved <= STILL_SHARE * longer);
        let differs = |other: &View| moved_px(other, &view).is_none_or(|moved| moved > NEW_SHARE * longer);
        let new = self.views.iter().all(differs);
        self.before = Some(view);
        if !new {
            Look::Known
        } else if !still {
            Look::Moving
        } else {
            Look::New
        }
    }

    /// Solves for the lens with the views there are.
    ///
    /// # Errors
    /// Too few views, or none that give a lens.
    pub fn solve(&mut self) -> Result<&Calibration, CalibrationError> {
        self.solved.insert(calibrate(&self.views, self.size)).as_ref().map_err(Clone::clone)
    }

    /// The lens as it was last solved for.
    pub fn calibration(&self) -> Option<&Calibration> {
        self.solved.as_ref()?.as_ref().ok()
    }

    /// What of the picture the views cover; how the board leans is known once there is a lens.
    pub fn coverage(&self) -> Coverage {
        let points = self.views.iter().flat_map(|v| v.pairs.iter().map(|(_, pixel)| *pixel));
        match self.calibration() {
            Some(found) => found.coverage.clone(),
            None => Coverage::of(points, &[], self.size),
        }
    }

    /// In plain words, whether it will do.
    pub fn grade(&self) -> Grade {
        match (self.calibration(), &self.solved) {
            (Some(found), _) => found.grade.clone(),
            (None, Some(Err(why))) if self.views.len() >= LEAST_VIEWS => Grade::NotYet(vec![why.to_string()]),
            _ => grade(&self.coverage(), self.views.len(), 0.0, 0.0),
        }
    }
}

/// How far the corners that both views have lie apart at most, pixels; `None` where they share none.
fn moved_px(a: &View, b: &View) -> Option<f64> {
    let pixel = |place: nalgebra::Point2<f64>| -> Option<PixelPoint> {
        a.pairs.iter().find(|(p, _)| (p - place).norm() < 1e-6).map(|(_, pixel)| *pixel)
    };
    b.pairs
        .iter()
        .filter_map(|(place, now)| Some((now - pixel(*place)?).norm()))
        .fold(None, |most: Option<f64>, d| Some(most.map_or(d, |m| m.max(d))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Point2;

    fn view(x: f64, y: f64, step: f64) -> View {
        let place = |i: i32| Point2::new(f64::from(i % 4) * 20.0, f64::from(i / 4) * 20.0);
        let pairs = (0..12)
            .map(|i| (place(i), PixelPoint::new(x + place(i).x * step, y + place(i).y * step)))
            .collect();
        View { label: "a picture".to_owned(), pairs }
    }

    #[test]
    fn a_view_is_taken_where_the_board_is_held_still_somewhere_new() {
        let mut gathering = Gathering::new((1000, 700));
        let look = |gathering: &mut Gathering, view: View| {
            let look = gathering.look(Some(view.clone()));
            if look == Look::New {
                gathering.keep(view);
            }
            look
        };
        assert_eq!(look(&mut gathering, view(100.0, 100.0, 3.0)), Look::Moving, "nothing to compare it with");
        assert_eq!(look(&mut gathering, view(101.0, 100.0, 3.0)), Look::New);
        assert_eq!(look(&mut gathering, view(101.0, 100.0, 3.0)), Look::Known);
        assert_eq!(look(&mut gathering, view(400.0, 100.0, 3.0)), Look::Moving);
        assert_eq!(gathering.look(None), Look::Lost);
        assert_eq!(look(&mut gathering, view(400.0, 100.0, 3.0)), Look::Moving, "it was lost in between");
        assert_eq!(look(&mut gathering, view(400.5, 100.0, 3.0)), Look::New);
        // The same corner at the same place, but larger: as when it leans.
        look(&mut gathering, view(400.0, 100.0, 4.0));
        assert_eq!(look(&mut gathering, view(400.0, 100.0, 4.0)), Look::New);
        assert_eq!(gathering.views().len(), 3);
    }

    #[test]
    fn before_there_is_a_lens_it_says_what_to_do() {
        let mut gathering = Gathering::new((1000, 700));
        gathering.keep(view(100.0, 100.0, 3.0));
        let Grade::NotYet(words) = gathering.grade() else { panic!("one view is not enough") };
        assert!(words.iter().any(|w| w.contains("take more pictures (1 so far")), "{words:?}");
        assert!(gathering.coverage().share() > 0.0);
        assert!(matches!(gathering.solve(), Err(CalibrationError::TooFewViews { views: 1 })));
    }

    #[test]
    fn one_size_only() {
        let mut size = OneSize::default();
        assert!(size.check("a", (640, 480)).is_ok());
        let why = size.check("b", (800, 600)).expect_err("another size").to_string();
        assert!(why.contains("b has 800x600") && why.contains("640x480"), "{why}");
    }
}
