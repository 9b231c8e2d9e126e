//! What the panels paint: plain values made from the snapshot and the rules' answers, table frame,
//! millimetres. Painting reads them and changes nothing.

mod combat;
mod moves;
mod questions;
mod reach;
mod victory;

pub use combat::{
    AftermathView, AnswerView, CombatView, Decides, DueCombatView, DueView, FactorView, FireView, OddsView,
    OpenView, OutcomeView, ShooterView, ShootingView, ShotView, StepView, TestView,
};
pub use moves::{
    ConditionView, ExplanationView, MoveView, MovesView, NudgeView, NudgedView, OverView, PathView,
};
pub use questions::{Answers, ChoiceView, Chooses, ChosenView};
pub use reach::{ReachView, TargetView};
pub use victory::{LossView, StandView, TallyView};

use crate::geometry::{Footprint, Point};
use crate::judge::{Judgement, Verdict};
use crate::rules::facts::Fact;
use crate::rules::{Question, Side};
use crate::tracking::Visibility;
use crate::units::Scale;

/// The table as it was last read.
#[derive(Debug, Clone, PartialEq)]
pub struct TableView {
    /// Playing area: width along x and depth along y, millimetres.
    pub board_mm: (f64, f64),
    /// Millimetres to the base width.
    pub scale: Scale,
    /// The table's own tags.
    pub references: Vec<ReferenceView>,
    /// Every element of the roster, in its order.
    pub elements: Vec<ElementView>,
}

impl TableView {
    /// The element of that name.
    pub fn element(&self, name: &str) -> Option<&ElementView> {
        self.elements.iter().find(|e| e.name == name)
    }

    /// Whether the element's centre lies on the playing area, its rim included; not where its place is not known.
    pub fn holds(&self, element: &ElementView) -> bool {
        element.place.as_ref().is_some_and(|place| {
            let at = place.footprint.pose().centre;
            (0.0..=self.board_mm.0).contains(&at.x) && (0.0..=self.board_mm.1).contains(&at.y)
        })
    }

    /// The element whose base covers `point`, or lies within `reach_mm` of it: the nearest.
    pub fn element_at(&self, point: Point, reach_mm: f64) -> Option<&ElementView> {
        self.elements
            .iter()
            .filter_map(|e| Some((e, e.place.as_ref()?.footprint.distance_to_point(point))))
            .filter(|(_, distance)| *distance <= reach_mm)
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(element, _)| element)
    }
}

/// A tag that lies fixed on the table.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReferenceView {
    /// Its number in its family.
    pub id: u32,
    /// Centre and height of the printed face, millimetres.
    pub at_mm: [f64; 3],
    /// Side of its black square, millimetres.
    pub size_mm: f64,
    /// Turn, anticlockwise.
    pub rotation_deg: f64,
}

impl ReferenceView {
    /// Its four corners on the table, millimetres.
    pub fn corners(&self) -> [[f64; 3]; 4] {
        let (sin, cos) = self.rotation_deg.to_radians().sin_cos();
        let half = self.size_mm / 2.0;
        [(-half, half), (half, half), (half, -half), (-half, -half)].map(|(x, y)| {
            [self.at_mm[0] + x * cos - y * sin, self.at_mm[1] + x * sin + y * cos, self.at_mm[2]]
        })
    }
}

/// One element of the roster.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementView {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// Troop code.
    pub troop: String,
    /// Whether it is its general's.
    pub general: bool,
    /// Whether it was seen in this frame, and if not, since when.
    pub visibility: Visibility,
    /// Where it is, as far as that is known.
    pub place: Option<PlaceView>,
}

/// Where an element is.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceView {
    /// The ground its base covers.
    pub footprint: Footprint,
    /// Height of the base's upper face above the playing surface, millimetres.
    pub top_mm: f64,
    /// One sigma of its place, millimetres.
    pub sigma_mm: f64,
    /// One sigma of its heading, degrees.
    pub sigma_deg: f64,
    /// Whether it stands still.
    pub at_rest: bool,
}

/// What a verdict comes to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Call {
    /// Yes, right at least 99 times in 100.
    Yes,
    /// No, likewise.
    No,
    /// Neither can be said.
    TooClose,
    /// No ruling is given for now.
    Held,
}

impl From<Verdict> for Call {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Yes => Self::Yes,
            Verdict::No => Self::No,
            Verdict::TooClose { .. } => Self::TooClose,
            Verdict::Held(_) => Self::Held,
        }
    }
}

impl Call {
    /// What is read out and printed.
    pub fn words(self) -> &'static str {
        match self {
            Self::Yes => "Yes",
            Self::No => "No",
            Self::TooClose => "Too close to call",
            Self::Held => "Held",
        }
    }
}

/// A feature that decides, and where it is.
#[derive(Debug, Clone, PartialEq)]
pub struct BindingView {
    /// "front-left corner of Red 2".
    pub words: String,
    /// Where, millimetres.
    pub at: Point,
}

/// A step of an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct ReasonView {
    /// Clause id.
    pub clause: String,
    /// What it says here.
    pub text: String,
}

/// The answer to one question about two elements.
#[derive(Debug, Clone, PartialEq)]
pub struct RulingView {
    /// The question.
    pub asks: Question,
    /// The question as people ask it, with the elements' names in it.
    pub question: String,
    /// The same without its beginning, "Is" and the first element.
    pub predicate: String,
    /// The verdict.
    pub call: Call,
    /// Which way it leans and how surely, in words, where it is too close to call.
    pub leaning: Option<String>,
    /// By how much it holds or fails, millimetres.
    pub margin_mm: f64,
    /// One sigma of that.
    pub sigma_mm: f64,
    /// The clause that decides.
    pub clause: String,
    /// Where the clause stands in the book.
    pub section: String,
    /// The facts of which one may be agreed on, where it is too close to call.
    pub settle: Option<[Fact; 2]>,
    /// Whether one of them was agreed on.
    pub agreed: Option<Fact>,
    /// The two features that decide.
    pub binding: Vec<BindingView>,
    /// Every step.
    pub reasons: Vec<ReasonView>,
}

/// How a base lies to a feature of the ground that is near it.
#[derive(Debug, Clone, PartialEq)]
pub struct GroundView {
    /// The element.
    pub name: String,
    /// The feature.
    pub feature: String,
    /// Whether it is clear of it.
    pub call: Call,
    /// How far clear of it, millimetres; less than zero: some part is in it.
    pub mm: f64,
    /// One sigma of that.
    pub sigma_mm: f64,
    /// The facts of which one may be agreed on: that it is clear, and that some part is in it.
    pub settle: [Fact; 2],
    /// The one that was agreed on.
    pub agreed: Option<Fact>,
}

/// How far apart two bases are.
#[derive(Debug, Clone, PartialEq)]
pub struct DistanceView {
    /// Millimetres.
    pub mm: f64,
    /// One sigma.
    pub sigma_mm: f64,
    /// Base widths.
    pub bw: f64,
    /// One sigma.
    pub sigma_bw: f64,
    /// The two nearest features.
    pub binding: Vec<BindingView>,
    /// The clause that says how it is measured.
    pub clause: String,
}

/// Everything said of two elements.
#[derive(Debug, Clone, PartialEq)]
pub struct PairView {
    /// First element's name.
    pub a: String,
    /// Second element's name.
    pub b: String,
    /// How far apart.
    pub distance: DistanceView,
    /// Every yes-or-no question.
    pub rulings: Vec<RulingView>,
    /// Close combat between them, or why there is none.
    pub combat: Result<CombatView, String>,
    /// The answers as they were given, the distance first: what goes into files.
    pub judgements: Vec<Judgement>,
}

/// An element's threat zone.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneView {
    /// Whose.
    pub side: Side,
    /// Its corners, a convex polygon.
    pub outline: Vec<Point>,
}
