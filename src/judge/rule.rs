//! One question about two elements of a measured setup, answered with sigma and verdict.

use super::verdict::{WIDE_MM, may_hold};
use super::{CLEAR, Leans, Measured, Verdict, Weighed, weigh};
use crate::geometry::Feature;
use crate::rules::clauses::Catalogue;
use crate::rules::facts::Fact;
use crate::rules::{AskError, Context, Element, Question, Ruling, Settings, ask, margin};
use crate::tracking::Held;
use crate::units::rounded;
use serde_json::{Value, json};

/// A ruling of the rules, weighed against what the camera is sure of.
#[derive(Debug, Clone, PartialEq)]
pub struct Judgement {
    /// What the rules say at the best estimate of the poses.
    pub ruling: Ruling,
    /// Its margin's sigma and the probability of yes.
    pub weighed: Weighed,
    /// Why no ruling is given for now, if so.
    pub held: Option<Held>,
}

/// The probability of a contact that cannot be denied, though few likely poses make it: just no clear no.
const BARELY: f64 = 1.0 - CLEAR + 1e-3;

/// Answers one question about `a` and `b`. Only the two elements' own poses are taken to be in doubt;
/// where others matter (a setting that lets elements in between count), they stand at their best
/// estimate.
///
/// # Errors
/// Where the rules have no answer: see [`AskError`].
pub fn rule(
    measured: &Measured,
    settings: &Settings,
    question: Question,
    a: &str,
    b: &str,
) -> Result<Judgement, AskError> {
    let measured = measured.for_question(question);
    let setup = &measured.setup;
    let ruling = ask(setup, settings, question, a, b)?;
    let context = Context::of(setup, settings);
    let find = |name: &str| {
        let known = setup.element(name).zip(measured.pose(name));
        known.expect("`ask` found the element, and every element of a measured setup has a pose")
    };
    let ((first, first_pose), (second, second_pose)) = (find(a), find(b));
    let weighed = weigh(first_pose, second_pose, |pose| {
        let moved = Element { footprint: second.footprint.moved_to(pose), ..second.clone() };
        margin(question, first, &moved, &context)
    });
    let weighed = if question == Question::Distance { of_solid_bases(weighed) } else { weighed };
    let of_contact = matches!(
        question,
        Question::ContactFront | Question::ContactFlank | Question::ContactRear | Question::CornerTouch
    );
    let denied = weighed.verdict() == Verdict::No && weighed.sigma_mm > WIDE_MM;
    let touches = |pose| {
        let moved = Element { footprint: second.footprint.moved_to(pose), ..second.clone() };
        margin(question, first, &moved, &context)
    };
    let weighed = if of_contact && denied && may_hold(first_pose, second_pose, touches) {
        Weighed { probability: BARELY, ..weighed }
    } else {
        weighed
    };
    // What was agreed is not in doubt.
    let weighed = match Fact::settling(question, a, b) {
        Some([yes, _]) if measured.facts().contains(&yes) && ruling.margin.satisfied() => {
            Weighed { probability: 1.0, ..weighed }
        }
        Some([_, no]) if measured.facts().contains(&no) && !ruling.margin.satisfied() => {
            Weighed { probability: 0.0, ..weighed }
        }
        _ => weighed,
    };
    Ok(Judgement { ruling, weighed, held: measured.held })
}

/// The distance is a measurement, not a question with two answers. Bases are solid, so one a little
/// below nothing is put down to the camera: yes. No means that they overlap by more than the camera can
/// be off: a base's size or a tag's offset is wrong in the roster.
fn of_solid_bases(weighed: Weighed) -> Weighed {
    /// Sigmas that a normal error stays within 99 times in 100, one way.
    const ONE_SIDED: f64 = 2.326;
    let overlap = weighed.margin.mm < -ONE_SIDED * weighed.sigma_mm;
    Weighed { probability: if overlap { weighed.probability.min(1.0 - CLEAR) } else { 1.0 }, ..weighed }
}

impl Judgement {
    /// The call; none while rulings are held.
    pub fn verdict(&self) -> Verdict {
        self.held.map_or_else(|| self.weighed.verdict(), Verdict::Held)
    }

    /// The facts of which the players may agree on one, where it is too close to call.
    pub fn to_settle(&self) -> Option<[Fact; 2]> {
        let close = matches!(self.verdict(), Verdict::TooClose { .. });
        Fact::settling(self.ruling.question, &self.ruling.a, &self.ruling.b).filter(|_| close)
    }

    /// The rules' own heading over the clause that decides; empty where the catalogue has none.
    pub fn section(&self) -> &'static str {
        Catalogue::embedded().clause(&self.ruling.clause).map_or("", |clause| clause.section.as_str())
    }

    /// The two features that bind, in words: "front edge of Consul".
    pub fn binding(&self) -> [String; 2] {
        let crate::geometry::Binding(first, second) = self.ruling.margin.binding;
        [self.named(&first), self.named(&second)]
    }

    fn named(&self, feature: &Feature) -> String {
        match feature.part {
            crate::geometry::Part::Heading => format!("the way {} faces", self.whose(feature)),
            _ => format!("{} of {}", feature.name(), self.whose(feature)),
        }
    }

    fn whose(&self, feature: &Feature) -> &str {
        match feature.whose {
            crate::geometry::Whose::A => &self.ruling.a,
            crate::geometry::Whose::B => &self.ruling.b,
            crate::geometry::Whose::Ground => "the ground",
        }
    }

    /// As one JSON object. `probability` is that of yes; `leans` is the likelier answer. Lengths in
    /// millimetres, rounded to a thousandth.
    pub fn to_json(&self) -> Value {
        let crate::geometry::Binding(first, second) = self.ruling.margin.binding;
        let feature = |f: &Feature| {
            json!({
                "element": self.whose(f),
                "feature": f.name(),
                "x_mm": rounded(f.at.x, 3),
                "y_mm": rounded(f.at.y, 3),
            })
        };
        json!({
            "question": self.ruling.question,
            "a": self.ruling.a,
            "b": self.ruling.b,
            "verdict": self.verdict().word(),
            "held": self.held.map(|why| why.to_string()),
            "margin_mm": rounded(self.ruling.margin.mm, 3),
            "sigma_mm": rounded(self.weighed.sigma_mm, 3),
            "probability": rounded(self.weighed.probability, 4),
            "leans": match self.weighed.leans() {
                Leans::Yes => "yes",
                Leans::No => "no",
            },
            "clause": self.ruling.clause,
            "section": self.section(),
            "binding": [feature(&first), feature(&second)],
            "reasons": self.ruling.reasons,
            "under": &*self.ruling.under,
            "to_settle": self.to_settle().map(|facts| facts.map(|fact| fact.to_string())),
        })
    }

    /// In one line: the verdict, and the margin to 0.1 mm with its plus-minus (one sigma).
    pub fn in_words(&self) -> String {
        let margin = self.ruling.margin.mm;
        let figure = format!("{} ± {:.1}", signed(margin), self.weighed.sigma_mm);
        match self.verdict() {
            Verdict::Yes => format!("yes  ({figure})"),
            Verdict::No => format!("no  ({figure})"),
            Verdict::TooClose { probability, leans } => {
                let (word, share) = match leans {
                    Leans::Yes => ("yes", probability),
                    Leans::No => ("no", 1.0 - probability),
                };
                format!("too close to call, leans {word} at {:.0} in 100  ({figure})", 100.0 * share)
            }
            Verdict::Held(why) => format!("held: {why}  ({figure})"),
        }
    }
}

/// A margin with its sign, in as many figures as show it: at a limit, which some rules count and others do not, no sign
/// says which.
fn signed(mm: f64) -> String {
    match mm.abs() {
        at if at < 5e-4 => "exactly at the limit".to_owned(),
        near if near < 0.05 => format!("{mm:+.3} mm"),
        _ => format!("{mm:+.1} mm"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Footprint, Pose, PoseEstimate};
    use crate::rules::{Location, Overhang, Setup, Side};
    use crate::units::Scale;
    use nalgebra::{Matrix3, Vector3};

    fn element(name: &str, side: Side, pose: Pose) -> Element {
        Element {
            name: name.to_owned(),
            side,
            troop: "4Bd".to_owned(),
            footprint: Footprint::new(pose, 40.0, 15.0).expect("a good base"),
            general: false,
            tower: false,
            overhang: Overhang::default(),
            location: Location::Board,
        }
    }

    fn facing(gap_mm: f64) -> Setup {
        let elements = vec![
            element("A", Side::Red, Pose::new(300.0, 300.0, 90.0)),
            element("B", Side::Blue, Pose::new(300.0, 315.0 + gap_mm, 270.0)),
        ];
        Setup::bare(Scale::SMALL, (600.0, 600.0), elements)
    }

    #[test]
    fn an_agreed_fact_decides_what_was_too_close_to_call() {
        let spread = Matrix3::from_diagonal(&Vector3::new(0.09, 0.09, 1e-6));
        let known = |pose: Pose| PoseEstimate { pose, covariance: spread, shared: Vec::new() };
        let found = vec![
            (element("A", Side::Red, Pose::new(100.0, 100.0, 90.0)), known(Pose::new(100.0, 100.0, 90.0))),
            (element("E", Side::Blue, Pose::new(100.0, 154.9, 270.0)), known(Pose::new(100.0, 154.9, 270.0))),
        ];
        let measured = Measured::from_poses(Scale::SMALL, (600.0, 600.0), found);
        let settings = Settings::dba3();
        let judged = |m: &Measured| rule(m, &settings, Question::InZoneOf, "A", "E").expect("a judgement");
        let open = judged(&measured);
        assert!(matches!(open.verdict(), Verdict::TooClose { .. }), "{}", open.in_words());
        for (fact, verdict) in
            open.to_settle().expect("two facts").into_iter().zip([Verdict::Yes, Verdict::No])
        {
            let agreed = measured.agreed(&settings, std::slice::from_ref(&fact)).expect("agreed");
            assert_eq!(judged(&agreed).verdict(), verdict, "{fact}");
        }
    }

    /// Two lines of eight that fight, each base a little wider or narrower than the enemy's: at the far end the corners
    /// are further apart than two bases in contact may be.
    #[test]
    fn battle_lines_that_touch_are_judged_joined() {
        let settings = Settings::dba3();
        let line = |side: Side, name: &str, width: f64, y: f64, heading: f64| -> Vec<Element> {
            (0..8)
                .map(|n| {
                    let pose = Pose::new(100.0 + width * f64::from(n), y, heading);
                    let base = Footprint::new(pose, 40.0, 15.0).expect("a good base");
                    Element { footprint: base, ..element(&format!("{name}{}", n + 1), side, pose) }
                })
                .collect()
        };
        let mut elements = line(Side::Red, "A", 40.5, 200.0, 90.0);
        elements.extend(line(Side::Blue, "E", 39.9, 215.2, 270.0));
        let measured = Measured::exact(Setup::bare(Scale::SMALL, (600.0, 600.0), elements));
        let joined = measured.clone().in_lines(&settings);
        let said =
            |m: &Measured, question| rule(m, &settings, question, "A8", "E8").expect("two enemies").verdict();
        assert_eq!(said(&measured, Question::ContactFront), Verdict::No);
        assert_eq!(said(&joined, Question::ContactFront), Verdict::Yes);
        // Distances stay as measured: 0.2 mm.
        let apart =
            |m: &Measured| rule(m, &settings, Question::Distance, "A8", "E8").expect("two").ruling.margin.mm;
        assert_eq!(apart(&joined), apart(&measured));
        // One that stands alone stays as it was.
        let far = facing(0.4);
        let alone = Measured::exact(far).in_lines(&settings);
        assert_eq!(
            rule(&alone, &settings, Question::InZoneOf, "A", "B").expect("two").verdict(),
            Verdict::Yes
        );
    }

    #[test]
    fn a_written_setup_is_judged_exactly_at_its_limit() {
        let settings = Settings::dba3();
        let at = |gap: f64| {
            rule(&Measured::exact(facing(gap)), &settings, Question::InZoneOf, "A", "B")
                .expect("two enemies on the board")
        };
        // The zone is 40 mm deep and its far edge counts.
        assert_eq!(at(40.0).verdict(), Verdict::Yes);
        assert_eq!(at(40.001).verdict(), Verdict::No);
        assert_eq!(at(40.0).weighed.sigma_mm, 0.0);
    }

    #[test]
    fn touching_bases_measured_a_hair_into_each_other_are_not_called_wrong() {
        let settings = Settings::dba3();
        let said = |gap: f64, sigma: f64| {
            let mut found = Vec::new();
            for element in facing(gap).elements {
                let mut pose = PoseEstimate::exact(element.footprint.pose());
                pose.covariance = Matrix3::from_diagonal(&Vector3::new(sigma * sigma, sigma * sigma, 1e-6));
                found.push((element, pose));
            }
            let measured = Measured::from_poses(Scale::SMALL, (600.0, 600.0), found);
            rule(&measured, &settings, Question::Distance, "A", "B").expect("two elements").verdict()
        };
        assert_eq!(said(-0.1, 0.1), Verdict::Yes);
        assert_eq!(said(-2.0, 0.1), Verdict::No);
        assert_eq!(said(-0.1, 0.0), Verdict::No);
        assert_eq!(said(0.0, 0.0), Verdict::Yes);
    }

    #[test]
    fn the_json_has_the_fields_that_were_promised_in_order() {
        let judged = rule(&Measured::exact(facing(0.4)), &Settings::dba3(), Question::ContactFront, "A", "B")
            .expect("two enemies on the board");
        let json = judged.to_json();
        let keys: Vec<&str> = json.as_object().expect("an object").keys().map(String::as_str).collect();
        assert_eq!(
            keys,
            [
                "question",
                "a",
                "b",
                "verdict",
                "held",
                "margin_mm",
                "sigma_mm",
                "probability",
                "leans",
                "clause",
                "section",
                "binding",
                "reasons",
                "under",
                "to_settle"
            ]
        );
        assert_eq!(json["question"], "contact_front");
        assert_eq!(json["verdict"], "yes");
        assert_eq!(json["margin_mm"], 0.6);
        assert_ne!(json["section"], "");
        assert_eq!(json["binding"][0]["element"], "A");
    }
}
