//! What the players have agreed, which outranks what is measured.
//!
//! An agreed fact is taken as a better measurement: the element that it names first is taken to stand as
//! near to where it was measured as the fact allows, and everything else is judged from there. So nothing
//! that is ruled afterwards contradicts it. Table frame, millimetres. Invariants: only elements named first are
//! shifted; each agreed fact holds in the setup given back, by [`CLEAR_MM`] at least.
//!
//! A fact lapses when either of its elements moves: see [`Fact::names`].

mod figures;

use super::conform::Way;
use super::position::{Corners, Joint};
use super::{Element, Location, Question, Reason, Settings, Setup, by_size};
use crate::geometry::{Footprint, Pose, Vector};
use figures::holds_by;
use serde::{Deserialize, Serialize};
use std::cell::OnceCell;
use thiserror::Error;

/// By how much an agreed fact holds afterwards, millimetres: enough for rounding, too little to see.
const CLEAR_MM: f64 = 0.01;
/// The furthest that an element is taken to stand from where it was measured, in base widths: a choice. What is
/// further off was bumped, or the fact is about another element.
const FURTHEST_BW: f64 = 0.25;

/// Something that the players have agreed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fact {
    /// The first's front is in contact with the second, lined up on the edge that it is nearest to.
    Contact(String, String),
    /// The two do not touch.
    Apart(String, String),
    /// The first is in the second's threat zone.
    InZone(String, String),
    /// It is not.
    OutsideZone(String, String),
    /// Some part of the element is in that feature.
    Inside(String, String),
    /// No part of it is.
    ClearOf(String, String),
    /// All of the element is in that feature.
    WhollyInside(String, String),
    /// Some of it is not.
    PartlyOutside(String, String),
    /// Range, arc, lines of sight and cover let the first shoot at the second.
    CanShoot(String, String),
    /// They do not.
    CannotShoot(String, String),
    /// The first stands in support position of the second, its friend: straight behind it or level beside it.
    Supports(String, String),
    /// It does not.
    NoSupport(String, String),
    /// The first touches the second's front corner or side edge as overlapping does.
    Overlaps(String, String),
    /// It does not.
    NoOverlap(String, String),
    /// The first's front edge is on the second's side edge, rear edge or a rear corner, and keeps it from recoiling.
    Pins(String, String),
    /// It is not.
    NoPin(String, String),
    /// The first is uphill of the second.
    Uphill(String, String),
    /// It is not.
    NotUphill(String, String),
    /// All of the first is on land, and the second stands in a river before it.
    Bank(String, String),
    /// That is not so.
    NoBank(String, String),
    /// The element's front edge is on that camp, City or Fort.
    Storms(String, String),
    /// It is not.
    NoStorm(String, String),
}

/// What a fact's second name is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum About {
    Enemy,
    Friend,
    Feature,
}

/// Why agreed facts cannot be taken over.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum FactError {
    /// The setup has no such element on the board.
    #[error("`{fact}`: no element called `{name}` is on the board")]
    NoElement {
        /// The fact, as written.
        fact: String,
        /// The name.
        name: String,
    },
    /// The ground has no such feature.
    #[error("`{fact}`: no feature of the ground is called `{name}`")]
    NoFeature {
        /// The fact, as written.
        fact: String,
        /// The name.
        name: String,
    },
    /// The two are friends, or one element twice.
    #[error("`{fact}`: name two elements of different sides")]
    Friends {
        /// The fact, as written.
        fact: String,
    },
    /// The two are enemies, or one element twice.
    #[error("`{fact}`: name two elements of one side")]
    NoFriends {
        /// The fact, as written.
        fact: String,
    },
    /// What was agreed is too far from what was measured.
    #[error(
        "`{fact}` was agreed, but it was measured {mm:.0} mm from that: put it where it should stand, or withdraw what was agreed"
    )]
    TooFar {
        /// The fact, as written.
        fact: String,
        /// How far off, millimetres.
        mm: f64,
    },
    /// Two facts cannot both hold.
    #[error("`{fact}` cannot hold together with the other things that were agreed: withdraw one of them")]
    Conflict {
        /// The fact, as written.
        fact: String,
    },
}

impl Fact {
    /// The element that it is about, and the element or feature that it is measured against.
    pub fn names(&self) -> (&str, &str) {
        match self {
            Self::Contact(a, b)
            | Self::Apart(a, b)
            | Self::InZone(a, b)
            | Self::OutsideZone(a, b)
            | Self::Inside(a, b)
            | Self::ClearOf(a, b)
            | Self::WhollyInside(a, b)
            | Self::PartlyOutside(a, b)
            | Self::CanShoot(a, b)
            | Self::CannotShoot(a, b)
            | Self::Supports(a, b)
            | Self::NoSupport(a, b)
            | Self::Overlaps(a, b)
            | Self::NoOverlap(a, b)
            | Self::Pins(a, b)
            | Self::NoPin(a, b)
            | Self::Uphill(a, b)
            | Self::NotUphill(a, b)
            | Self::Bank(a, b)
            | Self::NoBank(a, b)
            | Self::Storms(a, b)
            | Self::NoStorm(a, b) => (a, b),
        }
    }

    /// The fact that excludes it, of the same names.
    #[must_use]
    pub fn opposite(&self) -> Self {
        let (a, b) = self.names();
        let other = match self {
            Self::Contact(..) => Self::Apart,
            Self::Apart(..) => Self::Contact,
            Self::InZone(..) => Self::OutsideZone,
            Self::OutsideZone(..) => Self::InZone,
            Self::Inside(..) => Self::ClearOf,
            Self::ClearOf(..) => Self::Inside,
            Self::WhollyInside(..) => Self::PartlyOutside,
            Self::PartlyOutside(..) => Self::WhollyInside,
            Self::CanShoot(..) => Self::CannotShoot,
            Self::CannotShoot(..) => Self::CanShoot,
            Self::Supports(..) => Self::NoSupport,
            Self::NoSupport(..) => Self::Supports,
            Self::Overlaps(..) => Self::NoOverlap,
            Self::NoOverlap(..) => Self::Overlaps,
            Self::Pins(..) => Self::NoPin,
            Self::NoPin(..) => Self::Pins,
            Self::Uphill(..) => Self::NotUphill,
            Self::NotUphill(..) => Self::Uphill,
            Self::Bank(..) => Self::NoBank,
            Self::NoBank(..) => Self::Bank,
            Self::Storms(..) => Self::NoStorm,
            Self::NoStorm(..) => Self::Storms,
        };
        other(a.to_owned(), b.to_owned())
    }

    /// What its second name is.
    fn about(&self) -> About {
        match self {
            Self::Inside(..)
            | Self::ClearOf(..)
            | Self::WhollyInside(..)
            | Self::PartlyOutside(..)
            | Self::Storms(..)
            | Self::NoStorm(..) => About::Feature,
            Self::Supports(..) | Self::NoSupport(..) => About::Friend,
            _ => About::Enemy,
        }
    }

    /// The clause that it answers.
    fn clause(&self) -> &'static str {
        match self {
            Self::Contact(..) | Self::Apart(..) => "dba3.con.1",
            Self::InZone(..) | Self::OutsideZone(..) => "dba3.tz.1",
            Self::Inside(..) | Self::ClearOf(..) => "dba3.going.13",
            Self::WhollyInside(..) | Self::PartlyOutside(..) => "dba3.sht.23",
            Self::CanShoot(..) | Self::CannotShoot(..) => "dba3.sht.26",
            Self::Supports(..) | Self::NoSupport(..) => "dba3.sup.1",
            Self::Overlaps(..) | Self::NoOverlap(..) => "dba3.ovl.1",
            Self::Pins(..) | Self::NoPin(..) => "dba3.rec.16",
            Self::Uphill(..) | Self::NotUphill(..) => "dba3.going.15",
            Self::Bank(..) | Self::NoBank(..) => "dba3.riv.9",
            Self::Storms(..) | Self::NoStorm(..) => "dba3.con.15",
        }
    }

    /// The two facts, one of which settles a question about two elements: that it holds, and that it does
    /// not. None of a distance or of a flank line, which have to be measured.
    pub fn settling(question: Question, a: &str, b: &str) -> Option<[Self; 2]> {
        let names = || (a.to_owned(), b.to_owned());
        let pair = |yes: fn(String, String) -> Self, no: fn(String, String) -> Self| {
            let ((a, b), (c, d)) = (names(), names());
            Some([yes(a, b), no(c, d)])
        };
        match question {
            Question::InZoneOf => pair(Self::InZone, Self::OutsideZone),
            Question::ContactFront | Question::ContactFlank | Question::ContactRear => {
                pair(Self::Contact, Self::Apart)
            }
            Question::Distance | Question::CornerTouch | Question::BehindFlankLine => None,
        }
    }
}

impl std::fmt::Display for Fact {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&super::notation::write_fact(self))
    }
}

/// A setup in which what was agreed holds.
#[derive(Debug, Clone, PartialEq)]
pub struct Agreed {
    /// The setup.
    pub setup: Setup,
    /// What was agreed, and how far the element is taken to stand from where it was measured.
    pub reasons: Vec<Reason>,
}

/// Takes over what was agreed.
///
/// # Errors
/// A name that is not there, a fact that is too far from what was measured, or facts that contradict.
pub fn agree(setup: &Setup, settings: &Settings, facts: &[Fact]) -> Result<Agreed, FactError> {
    let mut after = setup.clone();
    // One fact may push an element out of what another asked: twice over settles what can be settled.
    for _ in 0..2 {
        for fact in facts {
            let pose = settled(&after, settings, fact)?;
            let name = fact.names().0;
            let was = setup.element(name).map_or(pose, |e| e.footprint.pose());
            let mm = (pose.centre - was.centre).norm();
            if mm > FURTHEST_BW * setup.scale.mm_per_bw() {
                return Err(FactError::TooFar { fact: fact.to_string(), mm });
            }
            if let Some(element) = after.elements.iter_mut().find(|e| e.name == name) {
                element.footprint = element.footprint.moved_to(pose);
            }
        }
    }
    let mut reasons = Vec::new();
    for fact in facts {
        let name = fact.names().0;
        let (Some(was), Some(is)) = (setup.element(name), after.element(name)) else { continue };
        let moved = (is.footprint.pose().centre - was.footprint.pose().centre).norm();
        if holds_by(&after, &OnceCell::new(), settings, fact, is)?.is_some_and(|mm| mm < 0.0) {
            return Err(FactError::Conflict { fact: fact.to_string() });
        }
        let text =
            format!("agreed: {fact}; {name} is taken to stand {moved:.1} mm from where it was measured");
        reasons.push(Reason::holds(fact.clause(), text));
    }
    Ok(Agreed { setup: after, reasons })
}

/// The two elements of a fact, or the element and none.
fn pair<'s>(setup: &'s Setup, fact: &Fact) -> Result<(&'s Element, Option<&'s Element>), FactError> {
    let find = |name: &str| {
        setup
            .element(name)
            .filter(|e| e.location == Location::Board)
            .ok_or_else(|| FactError::NoElement { fact: fact.to_string(), name: name.to_owned() })
    };
    let (a, b) = fact.names();
    let first = find(a)?;
    let about = fact.about();
    if about == About::Feature {
        return Ok((first, None));
    }
    let second = find(b)?;
    let friends = first.side == second.side;
    match about {
        About::Enemy if friends => Err(FactError::Friends { fact: fact.to_string() }),
        About::Friend if !friends || a == b => Err(FactError::NoFriends { fact: fact.to_string() }),
        _ => Ok((first, Some(second))),
    }
}

/// Where the first element of a fact stands when it holds.
fn settled(setup: &Setup, settings: &Settings, fact: &Fact) -> Result<Pose, FactError> {
    let (own, other) = pair(setup, fact)?;
    let here = own.footprint.pose();
    if let (Fact::Contact(..), Some(other)) = (fact, other) {
        let edges = Way::ALL.into_iter().filter(|way| !matches!(way, Way::Overlap(_)));
        let places = edges.map(|way| way.place(&own.footprint, &other.footprint));
        return Ok(nearest_to(&own.footprint, places).unwrap_or(here));
    }
    let joined = OnceCell::new();
    let by = |pose: Pose| {
        let moved = Element { footprint: own.footprint.moved_to(pose), ..own.clone() };
        holds_by(setup, &joined, settings, fact, &moved)
    };
    let found = downhill(here, setup.scale.mm_per_bw(), by, fact);
    // A supporter that is turned too far stands where no shift alone brings it: it is taken to stand exactly there.
    match (fact, other, found) {
        (Fact::Supports(..), Some(other), Err(FactError::TooFar { .. })) => {
            let (base, friend) = (&own.footprint, &other.footprint);
            let level = Joint::Beside(Corners::Front);
            let places = [
                Way::Rear.place(base, friend),
                level.place(base, friend),
                level.place_of_second(friend, base),
            ];
            Ok(nearest_to(base, places.into_iter()).unwrap_or(here))
        }
        (.., found) => found,
    }
}

/// Of these places the one that a base has least to go and turn to.
fn nearest_to(base: &Footprint, places: impl Iterator<Item = Pose>) -> Option<Pose> {
    let here = base.pose();
    let off = |pose: &Pose| {
        let turn = pose.heading.turn_to_radians(here.heading).abs() * base.width_mm();
        (pose.centre - here.centre).norm() + turn
    };
    places.min_by(|a, b| by_size(off(a), off(b)))
}

/// The nearest pose, not turned, at which a figure that moves no faster than the element reaches
/// [`CLEAR_MM`]: steps along its steepest way.
fn downhill(
    from: Pose,
    mm_per_bw: f64,
    figure: impl Fn(Pose) -> Result<Option<f64>, FactError>,
    fact: &Fact,
) -> Result<Pose, FactError> {
    const PROBE_MM: f64 = 1e-3;
    const STEPS: usize = 40;
    const WAYS: u8 = 16;
    let at = |pose: Pose| Ok::<f64, FactError>(figure(pose)?.unwrap_or(0.0));
    let mut pose = from;
    for _ in 0..STEPS {
        let now = at(pose)?;
        if now >= CLEAR_MM / 2.0 {
            return Ok(pose);
        }
        let slope = Vector::new(
            (at(pose.nudged(Vector::new(PROBE_MM, 0.0), 0.0))?
                - at(pose.nudged(Vector::new(-PROBE_MM, 0.0), 0.0))?)
                / (2.0 * PROBE_MM),
            (at(pose.nudged(Vector::new(0.0, PROBE_MM), 0.0))?
                - at(pose.nudged(Vector::new(0.0, -PROBE_MM), 0.0))?)
                / (2.0 * PROBE_MM),
        );
        let steep = slope.norm();
        let far = (pose.centre - from.centre).norm() > FURTHEST_BW * mm_per_bw;
        if far {
            let mm = (CLEAR_MM - at(from)?).max((pose.centre - from.centre).norm());
            return Err(FactError::TooFar { fact: fact.to_string(), mm });
        }
        if steep < 1e-3 {
            break;
        }
        pose = pose.nudged(slope / steep * ((CLEAR_MM - now) / steep), 0.0);
    }
    // Where the figure jumps or is level its slope leads nowhere: the nearest place round about.
    let mut ring = CLEAR_MM;
    while ring <= FURTHEST_BW * mm_per_bw {
        for way in 0..WAYS {
            let turn = f64::from(way) * std::f64::consts::TAU / f64::from(WAYS);
            let there = from.nudged(Vector::new(turn.cos(), turn.sin()) * ring, 0.0);
            if at(there)? >= CLEAR_MM / 2.0 {
                return Ok(there);
            }
        }
        ring *= 1.3;
    }
    let mm = (CLEAR_MM - at(from)?).max((pose.centre - from.centre).norm());
    Err(FactError::TooFar { fact: fact.to_string(), mm })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::separation_from_area;
    use crate::rules::{Ruleset, notation};
    use proptest::prelude::*;

    fn agreed(text: &str, facts: &[&str]) -> Result<Agreed, FactError> {
        let setup = notation::read_setup(text, &Ruleset::dba3()).expect("a setup");
        let facts: Vec<Fact> = facts.iter().map(|f| notation::read_fact(f).expect("a fact")).collect();
        agree(&setup, &Settings::dba3(), &facts)
    }

    fn holds(found: &Agreed, question: Question) -> bool {
        ask(&found.setup, &Settings::dba3(), question, "A", "E").expect("a ruling").margin.satisfied()
    }

    fn ask(
        setup: &Setup,
        settings: &Settings,
        question: Question,
        a: &str,
        b: &str,
    ) -> Result<crate::rules::Ruling, crate::rules::AskError> {
        crate::rules::ask(setup, settings, question, a, b)
    }

    const NEAR: &str = "A 4Bd red at (22,111.8)mm 90.8deg w40mm d15mm; E 4Bd blue (1,3)-(0,3) S";

    #[test]
    fn an_agreed_contact_is_a_contact_and_the_rest_follows() {
        let measured = agreed(NEAR, &[]).expect("nothing agreed");
        assert!(!holds(&measured, Question::ContactFront));
        let found = agreed(NEAR, &["contact A E"]).expect("agreed");
        assert!(holds(&found, Question::ContactFront) && holds(&found, Question::InZoneOf));
        assert!(found.reasons[0].text.contains("agreed: contact A E"));
    }

    #[test]
    fn what_contradicts_or_is_far_off_is_refused() {
        let far = "A 4Bd red (0,1)-(1,1) N; E 4Bd blue (1,3)-(0,3) S";
        assert!(matches!(agreed(far, &["contact A E"]), Err(FactError::TooFar { .. })));
        assert!(matches!(agreed(far, &["in-zone A E"]), Err(FactError::TooFar { .. })));
        let both = agreed(NEAR, &["contact A E", "apart A E"]);
        assert!(matches!(both, Err(FactError::Conflict { .. })), "{both:?}");
        assert!(matches!(agreed(far, &["contact A Z"]), Err(FactError::NoElement { .. })));
        assert!(matches!(agreed(far, &["clear-of A Wood"]), Err(FactError::NoFeature { .. })));
        assert!(matches!(agreed(far, &["apart A A"]), Err(FactError::Friends { .. })));
    }

    #[test]
    fn clear_of_the_wood_and_inside_it() {
        let text = "A 4Bd red (1,2)-(2,2) N; ground wood Beech box (1.99,1)-(4,4)";
        let clear = agreed(text, &["clear-of A Beech"]).expect("agreed");
        let wood = &clear.setup.ground.features[0].outline;
        assert!(separation_from_area(&clear.setup.elements[0].footprint, wood).mm > 0.0);
        let text = text.replace("1.99", "2.01");
        let inside = agreed(&text, &["inside A Beech"]).expect("agreed");
        let wood = &inside.setup.ground.features[0].outline;
        assert!(separation_from_area(&inside.setup.elements[0].footprint, wood).mm < 0.0);
    }

    proptest! {
        /// Near a zone's edge either may be agreed, and holds then, whichever way the base is turned.
        #[test]
        fn either_side_of_a_zone_may_be_agreed(x in -15.0..55.0f64, off in -2.0..2.0f64, turn in -20.0..20.0f64) {
            let text = format!(
                "A 4Bd red at ({},{})mm {}deg w40mm d15mm; E 4Bd blue (3,6)-(2,6) S",
                80.0 + x, 192.0 + off, 90.0 + turn
            );
            for (fact, inside) in [("in-zone A E", true), ("outside-zone A E", false)] {
                if let Ok(found) = agreed(&text, &[fact]) {
                    prop_assert_eq!(holds(&found, Question::InZoneOf), inside, "{} {}", text, fact);
                }
            }
        }
    }
}
