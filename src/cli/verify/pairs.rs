//! The dispute pairs of a scene: every question about each, as judged from the photograph, beside the
//! margin that is true.
//!
//! Pairs are the first element with the second, the third with the fourth, and so on, of scenes called
//! `dispute...`. The true poses serve the true margin alone. A truth file names no troop codes; both
//! elements of a pair count as plain foot, whose zone is the common one.

use super::VerifiedScene;
use crate::geometry::{Footprint, Margin, Pose, PoseEstimate};
use crate::judge::{Judgement, Measured, Verdict, rounded, rule};
use crate::rules::{AskError, Context, Element, Location, Overhang, Question, Settings, Setup, Side, margin};
use crate::units::Scale;
use serde_json::{Map, Value, json};

/// One question about one pair.
#[derive(Debug, Clone)]
pub struct PairRuling {
    /// The scene.
    pub scene: String,
    /// What was judged.
    pub judged: Judgement,
    /// By how much it really holds, and what its limit means.
    pub truth: Margin,
}

impl PairRuling {
    /// Whether a clear call was made.
    pub fn clear(&self) -> bool {
        !matches!(self.judged.verdict(), Verdict::TooClose { .. } | Verdict::Held(_))
    }

    /// Whether a clear call was made and is right.
    pub fn clear_and_right(&self) -> bool {
        // Truth files round to a thousandth of a millimetre and of a degree: bases that touch may overlap
        // by as much in them, and are solid all the same.
        const ROUNDING_MM: f64 = 0.005;
        let touching = self.judged.ruling.question == Question::Distance && self.truth.mm >= -ROUNDING_MM;
        let truly = touching || self.truth.satisfied();
        match self.judged.verdict() {
            Verdict::Yes => truly,
            Verdict::No => !truly,
            Verdict::TooClose { .. } | Verdict::Held(_) => false,
        }
    }

    /// As `groma judge` prints it, with the scene and the true margin.
    pub fn to_json(&self) -> Map<String, Value> {
        let mut line = Map::from_iter([("scene".to_owned(), json!(self.scene))]);
        if let Value::Object(judged) = self.judged.to_json() {
            line.extend(judged);
        }
        line.insert("true_margin_mm".to_owned(), json!(rounded(self.truth.mm, 3)));
        line
    }
}

/// Counts over the rulings of all scenes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pairs: usize,
    clear: usize,
    clear_right: usize,
}

impl Tally {
    /// Counts one more.
    pub fn count(&mut self, ruling: &PairRuling) {
        self.pairs += 1;
        self.clear += usize::from(ruling.clear());
        self.clear_right += usize::from(ruling.clear_and_right());
    }

    /// For the summary.
    pub fn to_json(self) -> Map<String, Value> {
        Map::from_iter([
            ("pairs".to_owned(), json!(self.pairs)),
            ("clear".to_owned(), json!(self.clear)),
            ("clear_right".to_owned(), json!(self.clear_right)),
            ("too_close".to_owned(), json!(self.pairs - self.clear)),
        ])
    }
}

/// Every question about every pair of a scene, in order. A pair of which one was not found in the
/// photograph is left out, and named on stderr.
pub fn rulings(scene: &VerifiedScene) -> Vec<PairRuling> {
    if !scene.name.starts_with("dispute") {
        return Vec::new();
    }
    let settings = Settings::dba3();
    let (measured, truth) = (from_photograph(scene), from_truth(scene));
    let mut rulings = Vec::new();
    for pair in scene.known.elements.chunks_exact(2) {
        let (a, b) = (pair[0].name.as_str(), pair[1].name.as_str());
        for question in Question::ALL {
            match (rule(&measured, &settings, question, a, b), true_margin(&truth, &settings, question, a, b))
            {
                (Ok(judged), Some(truth)) => {
                    rulings.push(PairRuling { scene: scene.name.clone(), judged, truth });
                }
                (Err(AskError::Friends { .. }), _) => {}
                (Err(why), _) => {
                    note!("groma: {}: {a} and {b} are left out: {why}", scene.name);
                    break;
                }
                (Ok(_), None) => {}
            }
        }
    }
    rulings
}

fn true_margin(truth: &Setup, settings: &Settings, question: Question, a: &str, b: &str) -> Option<Margin> {
    Some(margin(question, truth.element(a)?, truth.element(b)?, &Context::of(truth, settings)))
}

/// The elements that were found, where they were found.
fn from_photograph(scene: &VerifiedScene) -> Measured {
    let found = (0..scene.known.elements.len()).filter_map(|i| {
        let estimate: PoseEstimate = scene.known.elements[i].fresh_pose(&scene.reading.snapshot)?;
        Some((element(scene, i, estimate.pose)?, estimate))
    });
    Measured::from_poses(Scale::SMALL, scene.known.board_mm, found.collect())
}

/// All elements, where they really were.
fn from_truth(scene: &VerifiedScene) -> Setup {
    let elements = scene.truth.poses.iter().enumerate().filter_map(|(i, pose)| element(scene, i, *pose));
    Setup::bare(Scale::SMALL, scene.known.board_mm, elements.collect())
}

fn element(scene: &VerifiedScene, i: usize, pose: Pose) -> Option<Element> {
    let known = scene.known.elements.get(i)?;
    let footprint: Footprint = known.footprint(pose)?;
    Some(Element {
        name: known.name.clone(),
        side: if known.side == 0 { Side::Red } else { Side::Blue },
        troop: "4Bd".to_owned(),
        footprint,
        general: false,
        tower: false,
        overhang: Overhang::default(),
        location: Location::Board,
    })
}
