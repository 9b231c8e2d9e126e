//! What is said of a pair: the distance, every question with its verdict, and their combat.

use super::Engine;
use super::combat::combat;
use crate::geometry::{Binding, separation_from_area};
use crate::judge::{Judgement, Leans, Measured, Verdict, rule};
use crate::rules::combat::Conditions;
use crate::rules::facts::Fact;
use crate::rules::{Location, Question};
use crate::session::view::{
    BindingView, Call, CombatView, DistanceView, GroundView, PairView, ReasonView, RulingView,
};
use crate::units::{Mm, Scale};

impl Engine {
    /// Everything that can be said of two elements, or `None` where one of them is not on the table.
    pub fn pair(&self, measured: &Measured, a: &str, b: &str) -> Option<PairView> {
        self.pair_fighting(measured, (a, b), |contact| {
            combat(measured, &self.settings, &Conditions::default(), (a, b), contact)
        })
    }

    /// The same, their combat worked out by `combat` of the verdict on whether the first one's front is on the second.
    pub fn pair_fighting(
        &self,
        measured: &Measured,
        (a, b): (&str, &str),
        combat: impl FnOnce(Option<&Judgement>) -> Result<CombatView, String>,
    ) -> Option<PairView> {
        let ask = |question| rule(measured, &self.settings, question, a, b).ok();
        let distance = ask(Question::Distance)?;
        let judged: Vec<Judgement> =
            Question::ALL.into_iter().filter(|q| *q != Question::Distance).filter_map(ask).collect();
        let contact = judged.iter().find(|j| j.ruling.question == Question::ContactFront);
        Some(PairView {
            a: a.to_owned(),
            b: b.to_owned(),
            distance: distance_view(&distance, measured.setup.scale),
            rulings: judged.iter().map(|j| ruling_view(j, measured.facts())).collect(),
            combat: combat(contact),
            judgements: std::iter::once(distance).chain(judged).collect(),
        })
    }
}

/// A feature whose edge is no further from a base is told, base widths.
const GROUND_BW: f64 = 0.25;
/// Sigmas beyond which it is plain on which side of an edge a base lies: right 99 times in 100.
const PLAIN: f64 = 2.326;

impl Engine {
    /// How an element lies to the features of the ground whose edges are near it.
    pub fn ground(&self, measured: &Measured, name: &str) -> Vec<GroundView> {
        let element = measured.setup.element(name).filter(|e| e.location == Location::Board);
        let (Some(element), Some(pose)) = (element, measured.pose(name)) else { return Vec::new() };
        let near = GROUND_BW * measured.setup.scale.mm_per_bw();
        let view = |feature: &crate::rules::terrain::Feature| {
            let mm = separation_from_area(&element.footprint, &feature.outline).mm;
            let sigma_mm = pose.sigma_place_mm();
            let names = || (name.to_owned(), feature.name.clone());
            let ((a, b), (c, d)) = (names(), names());
            let settle = [Fact::ClearOf(a, b), Fact::Inside(c, d)];
            let agreed = settle.iter().find(|f| measured.facts().contains(f)).cloned();
            let call = match &agreed {
                _ if measured.held.is_some() => Call::Held,
                Some(Fact::ClearOf(..)) => Call::Yes,
                Some(_) => Call::No,
                None if mm.abs() <= PLAIN * sigma_mm => Call::TooClose,
                None if mm > 0.0 => Call::Yes,
                None => Call::No,
            };
            GroundView {
                name: name.to_owned(),
                feature: feature.name.clone(),
                call,
                mm,
                sigma_mm,
                settle,
                agreed,
            }
        };
        let features = measured.setup.ground.features.iter().map(view);
        features.filter(|g| g.mm.abs() <= near || g.agreed.is_some()).collect()
    }
}

fn distance_view(judgement: &Judgement, scale: Scale) -> DistanceView {
    let (mm, sigma_mm) = (judgement.ruling.margin.mm, judgement.weighed.sigma_mm);
    DistanceView {
        mm,
        sigma_mm,
        bw: scale.to_bw(Mm(mm)).0,
        sigma_bw: scale.to_bw(Mm(sigma_mm)).0,
        binding: binding(judgement),
        clause: judgement.ruling.clause.clone(),
    }
}

fn binding(judgement: &Judgement) -> Vec<BindingView> {
    let Binding(first, second) = judgement.ruling.margin.binding;
    let places = [first.at, second.at];
    judgement.binding().into_iter().zip(places).map(|(words, at)| BindingView { words, at }).collect()
}

fn ruling_view(judgement: &Judgement, facts: &[Fact]) -> RulingView {
    let ruling = &judgement.ruling;
    let (call, leaning) = match judgement.verdict() {
        Verdict::Yes => (Call::Yes, None),
        Verdict::No => (Call::No, None),
        Verdict::TooClose { probability, leans } => {
            let (word, share) = match leans {
                Leans::Yes => ("yes", probability),
                Leans::No => ("no", 1.0 - probability),
            };
            (Call::TooClose, Some(format!("leans to {word}: {:.0} in 100", share * 100.0)))
        }
        Verdict::Held(why) => (Call::Held, Some(why.to_string())),
    };
    RulingView {
        asks: ruling.question,
        question: question(ruling.question, &ruling.a, &ruling.b),
        predicate: predicate(ruling.question, &ruling.b),
        call,
        leaning,
        margin_mm: ruling.margin.mm,
        sigma_mm: judgement.weighed.sigma_mm,
        clause: ruling.clause.clone(),
        section: judgement.section().to_owned(),
        settle: judgement.to_settle(),
        agreed: Fact::settling(ruling.question, &ruling.a, &ruling.b)
            .and_then(|two| two.into_iter().find(|f| facts.contains(f))),
        binding: binding(judgement),
        reasons: ruling
            .reasons
            .iter()
            .map(|r| ReasonView { clause: r.clause.clone(), text: r.text.clone() })
            .collect(),
    }
}

/// The question in full, as it is read out.
pub fn question(question: Question, a: &str, b: &str) -> String {
    match question {
        Question::Distance => format!("How far is {a} from {b}?"),
        other => format!("Is {a} {}", predicate(other, b)),
    }
}

/// The question without "is" and the first element, as it stands in the list below that element's name.
fn predicate(question: Question, b: &str) -> String {
    match question {
        Question::Distance => format!("how far from {b}?"),
        Question::InZoneOf => format!("in the threat zone of {b}?"),
        Question::ContactFront => format!("in contact with the front of {b}?"),
        Question::ContactFlank => format!("in contact with a flank of {b}?"),
        Question::ContactRear => format!("in contact with the rear of {b}?"),
        Question::CornerTouch => format!("front corner to corner with {b}?"),
        Question::BehindFlankLine => format!("wholly beyond a flank line of {b}?"),
    }
}
