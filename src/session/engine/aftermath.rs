//! What follows an outcome, as it is shown: every step with where it leads, and what each answer to a choice would
//! bring about. Table frame, millimetres; the table is the one on which the dice were thrown.

use super::Engine;
use crate::geometry::Point;
use crate::judge::Measured;
use crate::rules::aftermath::{Cause, Choice, Decisions, Fought, RecoilBy, Step, play_out};
use crate::rules::combat::{Brief, Mode, Outcome};
use crate::rules::{Reason, Setup};
use crate::session::view::{AftermathView, AnswerView, Decides, ReasonView, StepView};

/// The choices that [`Decisions`] can answer: how far mounted troops recoil, and who occupies a stormed place.
const RECOIL: &str = "dba3.rec.3";
const OCCUPIES: &str = "dba3.city.9";
/// A way of less is no way, millimetres.
const NO_WAY_MM: f64 = 0.05;

impl Engine {
    /// Everything that an outcome brings about on the table on which it was thrown, under these decisions.
    ///
    /// # Errors
    /// In words: somebody is not where the outcome needs it.
    pub fn aftermath(
        &self,
        measured: &Measured,
        brief: &Brief,
        outcome: &Outcome,
        decisions: &Decisions,
    ) -> Result<AftermathView, String> {
        let setup = &measured.touching().setup;
        let cause = match brief.conditions().mode {
            Mode::CloseCombat => Cause::CloseCombat,
            Mode::Shooting { struck, .. } => Cause::Shooting(struck),
        };
        let fought = Fought { a: &brief.a.name, b: &brief.b.name, cause, outcome };
        let play = |decisions: &Decisions| {
            let play = play_out(setup, self.settings(), decisions, &fought);
            play.map(|play| (play.steps, play.choices))
                .map_err(|error| format!("What follows cannot be worked out: {error}."))
        };
        let (steps, choices) = play(decisions)?;
        let mut answers = Vec::new();
        for choice in &choices {
            let offered = offered(choice, decisions, setup);
            for (n, (words, decides)) in offered.into_iter().enumerate() {
                let mut decided = decisions.clone();
                match &decides {
                    Decides::Recoil(who, by) => {
                        decided.recoil.insert(who.clone(), *by);
                    }
                    Decides::Occupies(place, who) => {
                        decided.occupies.insert(place.clone(), who.clone());
                    }
                }
                let (follows, _) = play(&decided)?;
                answers.push(AnswerView {
                    who: choice.who.clone(),
                    clause: choice.clause.to_owned(),
                    decides,
                    words,
                    follows: views(&follows, setup).into_iter().map(|s| s.words).collect(),
                    // What was done comes first.
                    chosen: n == 0,
                });
            }
        }
        // The answers keep their places whichever is chosen.
        answers.sort_by(|a, b| (&a.who, &a.clause, &a.words).cmp(&(&b.who, &b.clause, &b.words)));
        Ok(AftermathView { steps: views(&steps, setup), answers })
    }
}

/// The answers of a choice with what each decides, the one that was taken first.
fn offered(choice: &Choice, decisions: &Decisions, setup: &Setup) -> Vec<(String, Decides)> {
    let words = choice.answers.iter().map(|(words, _)| words.clone());
    match choice.clause {
        RECOIL => {
            let taken = decisions.recoil.get(&choice.who).copied().unwrap_or(RecoilBy::BaseWidth);
            let other = if taken == RecoilBy::BaseWidth { RecoilBy::OwnDepth } else { RecoilBy::BaseWidth };
            let by = [taken, other].map(|by| Decides::Recoil(choice.who.clone(), by));
            words.zip(by).collect()
        }
        OCCUPIES => words
            .filter_map(|words| {
                let places = setup.ground.features.iter();
                let pairs = places.flat_map(|f| setup.elements.iter().map(move |e| (&f.name, &e.name)));
                let (place, who) =
                    pairs.into_iter().find(|(place, who)| words == format!("{who} occupies {place}"))?;
                let decides = Decides::Occupies(place.clone(), who.clone());
                Some((words, decides))
            })
            .collect(),
        _ => Vec::new(),
    }
}

fn views(steps: &[Step], setup: &Setup) -> Vec<StepView> {
    steps.iter().filter_map(|step| view(step, setup)).collect()
}

fn view(step: &Step, setup: &Setup) -> Option<StepView> {
    let element = setup.element(&step.who)?;
    let poses = std::iter::once(&step.from).chain(&step.by_way_of).chain(std::iter::once(&step.to));
    let mut way: Vec<Point> = poses.map(|pose| pose.centre).collect();
    let mm: f64 = way.windows(2).map(|leg| (leg[1] - leg[0]).norm()).sum();
    way.dedup_by(|next, before| (*next - *before).norm() < NO_WAY_MM);
    let far = if mm < NO_WAY_MM { String::new() } else { format!(" {mm:.1} mm") };
    let reason = |r: &Reason| ReasonView { clause: r.clause.clone(), text: r.text.clone() };
    Some(StepView {
        who: step.who.clone(),
        side: element.side,
        what: step.what,
        words: format!("{}: {}{far}", step.who, step.what.name()),
        from: element.footprint.moved_to(step.from),
        to: element.footprint.moved_to(step.to),
        way,
        reasons: step.reasons.iter().filter(|r| r.holds).map(reason).collect(),
    })
}
