//! One geometric question about two elements, answered with its margin, clause and reasons.
//!
//! Definitions, in millimetres (details in `contact` and `threat_zone`):
//!
//! * `distance`: between the nearest points of the two bases; below zero minus the smallest shift that
//!   parts overlapping bases;
//! * `in_zone_of`: how far `a` reaches into `b`'s threat zone;
//! * `contact_front`, `contact_flank`, `contact_rear`: the smallest of the gap's, the corners', the
//!   facing's margins against the tolerances;
//! * `corner_touch`: tolerance less how far apart the nearer pair of same-hand front corners is;
//! * `behind_flank_line`: how far the nearest corner of `a` is beyond the better of the two lines.
//!
//! Invariants: [`ask`] and [`margin`] give the same margin; a margin moves by no more than either
//! element is shifted; turning or shifting the whole table changes none.

use super::contact::{self, Contact};
use super::neighbours;
use super::ruleset::Kind;
use super::terrain::BaseEdges;
use super::{Element, Location, Question, Reason, Ruling, Settings, Setup, threat_zone};
use crate::geometry::{Binding, Corner, Edge, Margin, Part, separation};
use crate::units::{Mm, Scale};
use thiserror::Error;

/// Figures nearer to zero than this are zero: rounding of positions worked out in base widths.
const EXACT_MM: f64 = 1e-7;

/// `mm`, or zero where only rounding keeps it from zero.
pub(super) fn exact(mm: f64) -> f64 {
    if mm.abs() < EXACT_MM { 0.0 } else { mm }
}

/// Which of two figures is the smaller, neither where only rounding tells them apart: which of several equal
/// things counts does not hang on how the table lies.
pub(super) fn by_size(a: f64, b: f64) -> std::cmp::Ordering {
    let rounded = |mm: f64| (mm * 1e6).round() + 0.0;
    rounded(a).total_cmp(&rounded(b))
}

/// Why a question has no answer.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum AskError {
    /// The setup has no element of that name.
    #[error("no element is called `{name}`; the setup has {known}")]
    NoElement {
        /// The name asked for.
        name: String,
        /// The names that there are.
        known: String,
    },
    /// The same element twice.
    #[error("`{name}` was named twice; a question is about two elements")]
    SameElement {
        /// Its name.
        name: String,
    },
    /// Only enemies threaten, touch in combat, or overlap.
    #[error("`{a}` and `{b}` are on the same side; of friends only the distance can be asked")]
    Friends {
        /// First element.
        a: String,
        /// Second element.
        b: String,
    },
    /// A group is of one side.
    #[error("`{a}` and `{b}` are of different sides; a group is of one side")]
    Enemies {
        /// First element.
        a: String,
        /// Second element.
        b: String,
    },
    /// One element is no group.
    #[error("a group has two elements or more; name them all, as `A+B`")]
    NoGroup,
    /// The element is not on the open board, so its pose says nothing.
    #[error("`{name}` is {place}, not on the open board; set its location to `board` to ask this")]
    NotOnBoard {
        /// Its name.
        name: String,
        /// Where it is.
        place: &'static str,
    },
    /// Troops hold a place, and no element says that it is there.
    #[error("{place} is held by troops that no element stands for; set the location of the one inside")]
    NobodyNamed {
        /// The camp, City or Fort.
        place: String,
    },
    /// The ruleset has no such troop code.
    #[error("`{name}` has the troop code `{code}`, which the ruleset does not know")]
    UnknownTroop {
        /// Element's name.
        name: String,
        /// Its code.
        code: String,
    },
}

/// What a question needs beside the two elements.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// Millimetres to the base width.
    pub scale: Scale,
    /// Playing area, millimetres.
    pub board_mm: (f64, f64),
    /// Where each side deploys from.
    pub edges: BaseEdges,
    /// Settings to judge under.
    pub settings: &'a Settings,
    /// Every element on the table. The two of the question are taken from the question, not from here.
    pub elements: &'a [Element],
}

impl<'a> Context<'a> {
    /// The context of a setup.
    pub fn of(setup: &'a Setup, settings: &'a Settings) -> Self {
        let (scale, board_mm, edges) = (setup.scale, setup.board_mm, setup.edges);
        Self { scale, board_mm, edges, settings, elements: &setup.elements }
    }

    /// Every element on the board but `a` and `b`.
    pub(super) fn others<'s>(
        &'s self,
        a: &'s Element,
        b: &'s Element,
    ) -> impl Iterator<Item = &'a Element> + 's {
        self.elements.iter().filter(|e| e.location == Location::Board && e.name != a.name && e.name != b.name)
    }
}

/// The element of that name, wherever it is.
pub(super) fn find<'s>(setup: &'s Setup, name: &str) -> Result<&'s Element, AskError> {
    setup.element(name).ok_or_else(|| AskError::NoElement {
        name: name.to_owned(),
        known: match setup.elements.as_slice() {
            [] => "none".to_owned(),
            all => all.iter().map(|e| e.name.as_str()).collect::<Vec<_>>().join(", "),
        },
    })
}

/// The two elements of a question, both on the open board.
fn two<'s>(setup: &'s Setup, a: &str, b: &str) -> Result<(&'s Element, &'s Element), AskError> {
    let on_board = |name: &str| {
        let element = find(setup, name)?;
        let place = match element.location {
            Location::Board => return Ok(element),
            Location::Reserve => "in reserve",
            Location::Camp => "inside its camp",
            Location::City => "inside a city",
            Location::Fort => "inside a fort",
            Location::Off => "off the board",
        };
        Err(AskError::NotOnBoard { name: name.to_owned(), place })
    };
    let pair = (on_board(a)?, on_board(b)?);
    if a == b {
        return Err(AskError::SameElement { name: a.to_owned() });
    }
    Ok(pair)
}

/// Answers one question about `a` and `b`, named elements of `setup`, poses taken as exact.
///
/// # Errors
/// Where the question has no answer: see [`AskError`].
pub fn ask(
    setup: &Setup,
    settings: &Settings,
    question: Question,
    a: &str,
    b: &str,
) -> Result<Ruling, AskError> {
    let (a, b) = two(setup, a, b)?;
    if question != Question::Distance && a.side == b.side {
        return Err(AskError::Friends { a: a.name.clone(), b: b.name.clone() });
    }
    Ok(ruling(question, a, b, &Context::of(setup, settings)))
}

/// The same of two elements on the open board, of different sides but for a distance.
pub(super) fn ruling(question: Question, a: &Element, b: &Element, context: &Context<'_>) -> Ruling {
    let margin = margin(question, a, b, context);
    let mut reasons = reasons(question, a, b, context);
    // The binding step first: the one whose margin the conjunction or disjunction took.
    if let Some(at) = reasons.iter().position(|r| r.margin == Some(margin)) {
        reasons[..=at].rotate_right(1);
    }
    let clause = reasons.first().map_or_else(|| "dba3.board.1".to_owned(), |r| r.clause.clone());
    let under = std::sync::Arc::clone(context.settings.name());
    Ruling { question, a: a.name.clone(), b: b.name.clone(), margin, clause, reasons, under }
}

/// The margin of one question about `a` and `b`, which need not stand where the context has them.
pub fn margin(question: Question, a: &Element, b: &Element, context: &Context<'_>) -> Margin {
    let tolerances = &context.settings.tolerances;
    match question {
        Question::Distance => distance(a, b),
        Question::InZoneOf => {
            let reach = threat_zone::reach_into(a, b, context);
            if context.settings.tz_off_in_combat { reach.and(!in_combat(b, a, context)) } else { reach }
        }
        Question::ContactFront => contact::on_edge(a, b, Edge::Front, tolerances).margin(),
        Question::ContactFlank => contact::on_flank(a, b, tolerances).margin(),
        Question::ContactRear => contact::on_edge(a, b, Edge::Rear, tolerances).margin(),
        Question::CornerTouch => contact::corner_touch(a, b, tolerances).1,
        Question::BehindFlankLine => contact::behind_flank_line(a, b, context).1,
    }
}

fn distance(a: &Element, b: &Element) -> Margin {
    let found = separation(&a.footprint, &b.footprint);
    Margin::closed(exact(found.mm), found.binding)
}

/// By how much `element` is in close combat with any enemy: its front on an edge of theirs, or theirs
/// on an edge of its own. `other` stands for the element of that name in the context.
pub(super) fn in_combat(element: &Element, other: &Element, context: &Context<'_>) -> Margin {
    let tolerances = &context.settings.tolerances;
    let any_edge = |a: &Element, b: &Element| {
        contact::on_edge(a, b, Edge::Front, tolerances)
            .margin()
            .or(contact::on_flank(a, b, tolerances).margin())
            .or(contact::on_edge(a, b, Edge::Rear, tolerances).margin())
    };
    context
        .others(element, other)
        .chain(std::iter::once(other))
        .filter(|e| e.side != element.side)
        .map(|e| any_edge(element, e).or(turned(any_edge(e, element))))
        .reduce(Margin::or)
        .unwrap_or_else(|| Margin { mm: -f64::MAX, ..distance(element, other) })
}

/// The margin of the same question with its two elements named the other way round.
fn turned(margin: Margin) -> Margin {
    Margin { binding: Binding(margin.binding.1, margin.binding.0), ..margin }
}

fn reasons(question: Question, a: &Element, b: &Element, context: &Context<'_>) -> Vec<Reason> {
    let tolerances = &context.settings.tolerances;
    let (an, bn) = (&a.name, &b.name);
    match question {
        Question::Distance => {
            let m = distance(a, b);
            let bw = context.scale.to_bw(Mm(m.mm));
            let text = if m.mm < 0.0 {
                format!("{an} and {bn} overlap by {:.1} mm", -m.mm)
            } else {
                format!("the nearest points of {an} and {bn} are {:.1} mm or {:.3} BW apart", m.mm, bw.0)
            };
            vec![Reason::tested("dba3.board.1", text, m)]
        }
        Question::InZoneOf => zone_reasons(a, b, context),
        Question::ContactFront => contact_reasons(
            "dba3.con.4",
            "front edge",
            a,
            b,
            &contact::on_edge(a, b, Edge::Front, tolerances),
        ),
        Question::ContactFlank => {
            let found = contact::on_flank(a, b, tolerances);
            contact_reasons("dba3.con.6", found.edge.name(), a, b, &found)
        }
        Question::ContactRear => {
            contact_reasons("dba3.con.5", "rear edge", a, b, &contact::on_edge(a, b, Edge::Rear, tolerances))
        }
        Question::CornerTouch => {
            let (corner, m) = contact::corner_touch(a, b, tolerances);
            let hand = if corner == Corner::FrontRight { "right" } else { "left" };
            let apart = (a.footprint.corner(corner) - b.footprint.corner(corner)).norm();
            let limit = if m.satisfied() { "inside what is allowed" } else { "more than is allowed" };
            let text = format!(
                "the {hand} front corners of {an} and {bn} are {apart:.1} mm apart; \
                 measured along or across a base that is {:.1} mm {limit}",
                m.mm.abs()
            );
            vec![Reason::tested("dba3.ovl.1", text, m)]
        }
        Question::BehindFlankLine => {
            let (edge, m) = contact::behind_flank_line(a, b, context);
            let how = if m.mm < 0.0 { "is short of" } else { "lies beyond" };
            let text =
                format!("all of {an} {how} the line of {bn}'s {} by {:.1} mm", edge.name(), m.mm.abs());
            let mut reasons = vec![Reason::tested("dba3.con.9", text, m)];
            if m.mm == 0.0 {
                reasons.push(touch_rule(context));
            }
            reasons
        }
    }
}

/// What touching the flank line comes to (clause dba3.set.54).
fn touch_rule(context: &Context<'_>) -> Reason {
    let text = "touching the line counts as beyond it";
    if context.settings.flank_line_touch_counts {
        Reason::holds("dba3.set.54", text)
    } else {
        Reason::fails("dba3.set.54", "by the setting, touching the line is not beyond it")
    }
}

fn zone_reasons(a: &Element, b: &Element, context: &Context<'_>) -> Vec<Reason> {
    let (an, bn) = (&a.name, &b.name);
    let reach = threat_zone::reach_into(a, b, context);
    let text = if reach.satisfied() && reach.mm == 0.0 {
        format!("{an} touches the limit of {bn}'s threat zone")
    } else if reach.mm > 0.0 {
        format!("{an} reaches {:.1} mm into {bn}'s threat zone", reach.mm)
    } else {
        format!("{an} is {:.1} mm outside {bn}'s threat zone", -reach.mm)
    };
    let mut reasons = vec![
        Reason::tested("dba3.tz.1", text, reach),
        Reason { clause: "dba3.tz.3".to_owned(), ..reasons_binds(a, b, reach) },
    ];
    if reach.mm == 0.0 {
        let word = if reach.satisfied() { "counts" } else { "does not count" };
        let (clause, what) = if reach.binding.1.part == Part::ZoneFarEdge {
            ("dba3.board.9", "far edge")
        } else {
            ("dba3.set.44", "side line")
        };
        let text = format!("touching the {what} {word} as in the zone");
        reasons.push(Reason::tested(clause, text, reach));
    }
    let all_round = threat_zone::threatens_all_round(b, context);
    if all_round {
        reasons.push(Reason::holds("dba3.set.47", format!("{bn} threatens before each of its edges")));
    } else if context.settings.ruleset().troop(&b.troop).is_some_and(|t| t.kind == Kind::WarWagons) {
        let text = format!("by the setting {bn} threatens before its front edge alone");
        reasons.push(Reason::fails("dba3.set.47", text));
    }
    if context.settings.tz_blocked_by_elements {
        reasons.push(Reason::fails("dba3.set.45", "by the setting elements in between cut a zone off"));
    } else if context
        .others(a, b)
        .any(|e| separation(&e.footprint, &a.footprint).mm < context.scale.mm_per_bw())
    {
        reasons.push(Reason::holds("dba3.set.45", "elements in between do not cut a zone off"));
    }
    let fights = in_combat(b, a, context);
    if context.settings.tz_off_in_combat {
        let text = format!(
            "{bn} {} in close combat, so it has {} zone",
            is(fights),
            if fights.satisfied() { "no" } else { "its" }
        );
        reasons.push(Reason::tested("dba3.set.46", text, !fights));
    } else if fights.satisfied() {
        reasons.push(Reason::fails("dba3.set.46", format!("{bn} is in close combat and keeps its zone")));
    }
    if let Some(friend) = behind_a_fight(a, b, context) {
        let holds = context.settings.tz_off_in_combat;
        let text = format!("{an} stands in column behind {friend}, whom {bn} fights");
        reasons.push(Reason { holds, ..Reason::holds("dba3.faq.10", text) });
    }
    reasons
}

/// The friend of `a` whose front `b` is in contact with, where `a` stands in column behind that friend.
pub(super) fn behind_a_fight<'e>(a: &Element, b: &Element, context: &Context<'e>) -> Option<&'e str> {
    let tolerances = &context.settings.tolerances;
    let fights = |e: &&Element| {
        e.side == a.side && contact::on_edge(b, e, Edge::Front, tolerances).margin().satisfied()
    };
    context.elements.iter().filter(fights).find_map(|first| {
        let mut last = first;
        for _ in 0..context.elements.len() {
            let mut friends = neighbours::friends_at(last, context);
            last = friends.find(|(_, at)| *at == neighbours::Stands::Behind)?.0;
            if last.name == a.name {
                return Some(first.name.as_str());
            }
        }
        None
    })
}

fn is(margin: Margin) -> &'static str {
    if margin.satisfied() { "is" } else { "is not" }
}

fn reasons_binds(a: &Element, b: &Element, reach: Margin) -> Reason {
    let (an, bn) = (&a.name, &b.name);
    let text = if reach.satisfied() {
        format!("{an} is bound by {bn}'s threat zone")
    } else {
        format!("{an} is not bound by {bn}'s threat zone")
    };
    Reason { margin: None, ..Reason::tested("dba3.tz.3", text, reach) }
}

fn contact_reasons(clause: &str, edge: &str, a: &Element, b: &Element, found: &Contact) -> Vec<Reason> {
    let (an, bn) = (&a.name, &b.name);
    let whole = found.margin();
    let summary = if whole.satisfied() {
        format!("{an}'s front edge is in full contact with {bn}'s {edge}")
    } else {
        format!("{an}'s front edge is not lined up with {bn}'s {edge}")
    };
    let word =
        |m: Margin, good: &str, bad: &str| if m.satisfied() { good.to_owned() } else { bad.to_owned() };
    let parts = [
        (
            found.gap,
            if found.gap.satisfied() {
                format!("the line of {bn}'s {edge} is reached, with room of {:.1} mm", found.gap.mm.abs())
            } else {
                format!("the gap is too wide by {:.1} mm", found.gap.mm.abs())
            },
        ),
        (
            found.corners,
            format!(
                "corners {} {:.1} mm",
                word(found.corners, "match, with room of", "are off by more than allowed:"),
                found.corners.mm.abs()
            ),
        ),
        (
            found.facing,
            format!(
                "facing {} {:.1} degrees, or {:.1} mm over the base",
                word(found.facing, "matches, with room of", "is turned too far by"),
                (found.facing.mm.abs() / a.footprint.width_mm()).to_degrees(),
                found.facing.mm.abs()
            ),
        ),
        (
            found.side,
            word(
                found.side,
                "these are the edges that meet",
                "the front edge lies past the middle of the other base",
            ),
        ),
    ];
    let mut reasons = vec![Reason::tested(clause, summary, whole)];
    let tests = parts.into_iter().map(|(m, text)| Reason::tested(clause, text, m));
    reasons.extend(tests);
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Footprint, Pose};
    use crate::rules::{Overhang, Side};

    /// A base by its front edge's middle in base widths of 40 mm, 20 mm deep.
    fn element(name: &str, side: Side, x: f64, y: f64, heading: f64) -> Element {
        let front = Pose::new(x * 40.0, y * 40.0, heading);
        let centre = Pose { centre: front.at(0.0, -10.0), heading: front.heading };
        Element {
            name: name.to_owned(),
            side,
            troop: "4Bd".to_owned(),
            footprint: Footprint::new(centre, 40.0, 20.0).expect("a good base"),
            general: false,
            tower: false,
            overhang: Overhang::default(),
            location: Location::Board,
        }
    }

    fn said(question: Question, a: Element, b: Element, settings: &Settings) -> Ruling {
        let setup = Setup::bare(Scale::SMALL, (600.0, 600.0), vec![a, b]);
        ask(&setup, settings, question, "A", "E").expect("an answer")
    }

    #[test]
    fn the_far_edge_is_in_the_zone_and_the_side_line_is_not() {
        let settings = Settings::dba3();
        let e = || element("E", Side::Blue, 0.5, 3.0, 270.0);
        let far = said(Question::InZoneOf, element("A", Side::Red, 0.8, 2.0, 90.0), e(), &settings);
        assert!(far.margin.satisfied() && far.margin.mm == 0.0, "{far:?}");
        let aside = said(Question::InZoneOf, element("A", Side::Red, 1.5, 2.5, 90.0), e(), &settings);
        assert!(!aside.margin.satisfied() && aside.margin.mm == 0.0, "{aside:?}");
        let wide = settings.with("tz-side-line-counts", "true").expect("a setting");
        let aside = said(Question::InZoneOf, element("A", Side::Red, 1.5, 2.5, 90.0), e(), &wide);
        assert!(aside.margin.satisfied());
    }

    #[test]
    fn front_contact_is_the_tolerance_less_the_gap() {
        let a = element("A", Side::Red, 0.5, 3.0 - 0.4 / 40.0, 90.0);
        let ruling =
            said(Question::ContactFront, a, element("E", Side::Blue, 0.5, 3.0, 270.0), &Settings::dba3());
        assert!((ruling.margin.mm - 0.6).abs() < 1e-9, "{ruling:?}");
        assert_eq!(ruling.clause, "dba3.con.4");
    }

    #[test]
    fn back_to_back_is_no_front_contact() {
        let a = element("A", Side::Red, 0.5, 3.5, 90.0);
        let back =
            said(Question::ContactFront, a, element("E", Side::Blue, 0.5, 2.0, 270.0), &Settings::dba3());
        assert!(back.margin.mm < -20.0, "{back:?}");
    }

    #[test]
    fn friends_have_a_distance_and_nothing_else() {
        let setup = Setup::bare(
            Scale::SMALL,
            (600.0, 600.0),
            vec![element("A", Side::Red, 1.0, 1.0, 90.0), element("E", Side::Red, 3.0, 1.0, 90.0)],
        );
        let settings = Settings::dba3();
        assert!(ask(&setup, &settings, Question::Distance, "A", "E").is_ok());
        assert!(matches!(
            ask(&setup, &settings, Question::InZoneOf, "A", "E"),
            Err(AskError::Friends { .. })
        ));
    }
}
