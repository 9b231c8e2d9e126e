//! One element in one photograph: how it shows, and what was made of it.

use crate::cli::accuracy::{CROSSED, CornerError, Errors, WHOLE, corner_errors, found};
use crate::judge::{Roster, read_elements};
use crate::tracking::{TableSnapshot, TagFamily, Visibility};
use crate::vision::sim::{TrueTag, Truth};

/// How much of a tag shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Shows {
    /// All of it.
    Whole,
    /// More than half.
    Crossed,
    /// Less, or it leaves the picture.
    Covered,
}

impl Shows {
    /// Of a tag.
    pub fn of(tag: &TrueTag) -> Self {
        match tag.visible {
            share if share >= WHOLE => Self::Whole,
            share if share >= CROSSED => Self::Crossed,
            _ => Self::Covered,
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Crossed => "crossed",
            Self::Covered => "covered",
        }
    }
}

/// What was made of an element.
#[derive(Debug, Clone, PartialEq)]
pub enum Made {
    /// It was not found.
    Nothing,
    /// It was said to be where it is not.
    Ghost,
    /// It was found.
    Found {
        /// Errors of its base's corners.
        corners: Vec<CornerError>,
        /// Error of its heading, degrees.
        heading_deg: f64,
        /// The claimed sigma of its place, millimetres.
        sigma_mm: f64,
    },
}

/// One element in one photograph.
#[derive(Debug, Clone, PartialEq)]
pub struct Sight {
    /// Its name.
    pub name: String,
    /// Its tag's family.
    pub family: TagFamily,
    /// Its tag's size, millimetres.
    pub size_mm: f64,
    /// Mean side of its tag's square in the picture, pixels.
    pub side_px: f64,
    /// Height of its tag above its base, millimetres.
    pub height_mm: f64,
    /// How much of the tag shows.
    pub shows: Shows,
    /// The share of its print that shows, 0 to 1.
    pub visible: f64,
    /// What was made of it.
    pub made: Made,
}

impl Sight {
    /// Whether it was found where it is.
    pub fn is_found(&self) -> bool {
        matches!(self.made, Made::Found { .. })
    }
}

/// Mean side of a tag in the picture, pixels; none where a corner is behind the camera.
pub fn side_px(tag: &TrueTag) -> f64 {
    let Some(corners) = tag.corners_px else { return 0.0 };
    let c = corners.in_order();
    (0..4).map(|i| (c[(i + 1) % 4] - c[i]).norm()).sum::<f64>() / 4.0
}

/// Every element that truly stands on the table. Each has one tag.
pub fn sights(roster: &Roster, truth: &Truth, snapshot: &TableSnapshot) -> Vec<Sight> {
    let readings = read_elements(roster, snapshot);
    let both = roster.elements().iter().zip(readings);
    both.filter_map(|(element, reading)| {
        let base = truth.base(&element.name)?;
        let (tag, mounted) = (base.tags.first()?, element.tags.first()?);
        let pose = reading.pose.filter(|_| reading.visibility == Visibility::Seen);
        let made = match pose {
            None => Made::Nothing,
            Some(pose) if !found(&pose.pose, &base.pose) => Made::Ghost,
            Some(pose) => Made::Found {
                corners: corner_errors([element.base.width_mm, element.base.depth_mm], &pose, &base.pose),
                heading_deg: pose.pose.heading.turn_to_radians(base.pose.heading).to_degrees(),
                sigma_mm: pose.sigma_place_mm(),
            },
        };
        Some(Sight {
            name: element.name.clone(),
            family: tag.tag.family,
            size_mm: mounted.size_mm,
            side_px: side_px(tag),
            height_mm: mounted.height_mm,
            shows: Shows::of(tag),
            visible: tag.visible,
            made,
        })
    })
    .collect()
}

/// Figures over many sights.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Tally {
    /// Sights.
    pub sights: usize,
    /// Of these found.
    pub found: usize,
    /// Of these said to be where they are not.
    pub ghosts: usize,
    /// Errors of corners, millimetres.
    pub corner: Errors,
    /// Errors of headings, degrees.
    pub heading: Errors,
    /// Corners inside their 95 % ellipse.
    pub inside: usize,
    normalised2: Vec<f64>,
}

impl Tally {
    /// One more.
    pub fn add(&mut self, sight: &Sight) {
        self.sights += 1;
        match &sight.made {
            Made::Nothing => {}
            Made::Ghost => self.ghosts += 1,
            Made::Found { corners, heading_deg, .. } => {
                self.found += 1;
                self.heading.add(*heading_deg);
                for corner in corners {
                    self.corner.add(corner.off.norm());
                    self.inside += usize::from(corner.inside_95());
                    self.normalised2.push(corner.normalised2);
                }
            }
        }
    }

    /// Of many.
    pub fn of<'a>(sights: impl IntoIterator<Item = &'a Sight>) -> Self {
        let mut tally = Self::default();
        sights.into_iter().for_each(|sight| tally.add(sight));
        tally
    }

    /// Share of the corners inside their 95 % ellipse; `None` of none.
    pub fn inside_95(&self) -> Option<f64> {
        (self.corner.count() > 0).then(|| self.inside as f64 / self.corner.count() as f64)
    }

    /// Share found; `None` of none.
    pub fn recall(&self) -> Option<f64> {
        (self.sights > 0).then(|| self.found as f64 / self.sights as f64)
    }

    /// The squared error in claimed sigmas that this share of the corners stays within.
    pub fn normalised2_at(&self, share: f64) -> Option<f64> {
        let mut sorted = self.normalised2.clone();
        sorted.sort_by(f64::total_cmp);
        let at = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(at.max(1) - 1).copied()
    }
}
