//! One element and one target: may it shoot at it, over which edge, at which edges, and by how much.
//!
//! An edge of the target is looked at where one end of the shooting edge lies beyond its line: nobody shoots at the
//! far side of a base. That is a choice; the clauses say no more than one target edge.

use super::body::{Body, Side};
use super::cover::{Met, going, past};
use super::field::{Arc, Field, Reach};
use super::lines::Between;
use super::stage::Stage;
use super::who::{Known, shooting_conditions, target_conditions};
use crate::geometry::{Edge, Line, Margin};
use crate::rules::bound::Bound;
use crate::rules::ruleset::{Kind, Troop};
use crate::rules::stronghold::peopled;
use crate::rules::{AskError, Element, Location, Reason, Settings, Setup, ask, exact};
use std::sync::Arc as Shared;

/// The ruling on one shot, poses taken as exact.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    /// Who would shoot.
    pub shooter: String,
    /// At whom.
    pub target: String,
    /// Whether every condition holds; whom it must shoot at instead is not looked at.
    pub may: bool,
    /// By how much range, arc, lines and cover allow it; none where the types or places have no field.
    pub margin: Option<Margin>,
    /// The edges of the target that may be struck; empty of one inside a City, Fort or camp.
    pub struck: Vec<Edge>,
    /// Every condition, those that fail first, and what else was read.
    pub reasons: Vec<Reason>,
    /// The name of the settings that it was made under.
    pub under: Shared<str>,
}

/// How far troops of that kind shoot, base widths, and the clause.
pub(super) fn range_bw(kind: Kind) -> (f64, &'static str) {
    if kind == Kind::Artillery { (5.0, "dba3.sht.3") } else { (3.0, "dba3.sht.2") }
}

/// The clauses by which the ground bars a shot.
const OF_GROUND: [&str; 4] = ["dba3.sht.21", "dba3.sht.22", "dba3.sht.23", "dba3.sht.24"];

/// Whether `shooter` may shoot at `target` in this bound.
///
/// # Errors
/// An unknown name, the same name twice, friends, an unknown troop code.
pub fn shot(
    setup: &Setup,
    settings: &Settings,
    bound: &Bound,
    known: &Known,
    shooter: &str,
    target: &str,
) -> Result<Shot, AskError> {
    shot_where(setup, setup, settings, bound, known, (shooter, target))
}

/// The same, with whatever touches read from `touching`: the same elements, where they were brought to exact contact.
///
/// # Errors
/// As [`shot`].
pub fn shot_where(
    setup: &Setup,
    touching: &Setup,
    settings: &Settings,
    bound: &Bound,
    known: &Known,
    (shooter, target): (&str, &str),
) -> Result<Shot, AskError> {
    let (stands, touches) = (peopled(setup, settings.ruleset()), peopled(touching, settings.ruleset()));
    let (setup, touching) = (&*stands, &*touches);
    let (a, e) = (ask::find(setup, shooter)?, ask::find(setup, target)?);
    if a.name == e.name {
        return Err(AskError::SameElement { name: a.name.clone() });
    }
    if a.side == e.side {
        return Err(AskError::Friends { a: a.name.clone(), b: e.name.clone() });
    }
    let stage = Stage::of(setup, touching, settings, Some(bound), known);
    let mut reasons = shooting_conditions(&stage, a);
    reasons.extend(target_conditions(&stage, e));
    let all: Vec<&Element> = setup.elements.iter().filter(|e| e.location == Location::Board).collect();
    Ok(aimed(&stage, &all, (a, e), reasons))
}

/// Whether a condition that was read of a shot bars it: bad going that does not hinder is told as not so, and bars nothing.
pub fn bars(reason: &Reason) -> bool {
    !reason.holds && reason.clause != "dba3.going.4"
}

/// By how much range, arc, lines and cover let an element, which need not stand where the setup has it, shoot at another,
/// millimetres; far below zero where no edge of the one is turned to one of the other. Whoever touches either in
/// `joined`, the same elements where they were brought to exact contact, is looked at there.
pub(in crate::rules) fn reach(
    setup: &Setup,
    joined: &Setup,
    settings: &Settings,
    own: &Element,
    target: &Element,
) -> f64 {
    let known = Known::default();
    let stage = Stage::of(setup, joined, settings, None, &known);
    let on_board = |e: &&Element| e.location == Location::Board;
    let all: Vec<&Element> = setup.elements.iter().filter(on_board).collect();
    let shot = aimed(&stage, &all, (own, target), Vec::new());
    if shot.margin.is_none() {
        return -f64::from(u16::MAX);
    }
    // Of an edge that is out of range or arc no length lies in them: that is off by a jump, and says nothing of the way there.
    let least = |length: bool| {
        let all = shot.reasons.iter().filter(|r| (r.clause == "dba3.sht.6") == length);
        all.filter_map(|r| r.margin).map(|m| m.mm).fold(f64::INFINITY, f64::min)
    };
    let other = least(false);
    if other < 0.0 { other } else { other.min(least(true)) }
}

/// The ground that an element shoots over, edge by edge; none where it is in no place.
pub(super) fn fields(setup: &Setup, element: &Element, troop: &Troop) -> Vec<Field> {
    let Some(own) = Body::of(setup, element) else { return Vec::new() };
    let arc = if own.inside.is_some() { Arc::AllRound } else { Arc::Ahead };
    let bw = setup.scale.mm_per_bw();
    let range_mm = range_bw(troop.kind).0 * bw;
    own.shooting_sides(troop).into_iter().map(|from| Field { from, range_mm, aside_mm: bw, arc }).collect()
}

/// Whether enough of some edge of a target that can be seen lies in one of these fields.
pub(super) fn in_field(stage: &Stage<'_>, fields: &[Field], target: &Element) -> bool {
    let Some(theirs) = Body::of(stage.setup, target) else { return false };
    fields.iter().any(|field| {
        let mut sides = theirs.sides.iter().filter(|side| sees(&field.from, side));
        sides.any(|side| {
            field.reach(&theirs, side, stage.settings).is_some_and(|reach| reach.margin().satisfied())
        })
    })
}

/// The ruling on a shot of these two, with the conditions on each already known; whoever may stand near a line between
/// them is among `near`.
pub(super) fn aimed(
    stage: &Stage<'_>,
    near: &[&Element],
    (a, e): (&Element, &Element),
    mut reasons: Vec<Reason>,
) -> Shot {
    let (setup, settings) = (stage.setup, stage.settings);
    let found = settings.ruleset().troop(&a.troop).and_then(|troop| {
        let (own, theirs) = (Body::of(setup, a)?, Body::of(setup, e)?);
        let inside = own.inside.iter().chain(&theirs.inside).map(|name| &**name);
        let inside: Vec<&str> = setup
            .ground
            .features
            .iter()
            .map(|f| f.name.as_str())
            .filter(|n| inside.clone().any(|i| i == *n))
            .collect();
        let between =
            Between { setup, touching: stage.touching, near, settings, shooter: a, target: e, inside };
        let clause = range_bw(troop.kind).1;
        let fields = fields(setup, a, troop).into_iter();
        let mut ways: Vec<Aim> = fields
            .flat_map(|field| theirs.sides.iter().map(move |side| (field, *side)))
            .filter(|(field, side)| sees(&field.from, side))
            .filter_map(|(field, side)| aim(&between, &field, &theirs, &side, clause))
            .collect();
        let struck: Vec<Edge> =
            ways.iter().filter(|w| w.reasons.iter().all(|r| r.holds)).filter_map(|w| w.edge).collect();
        ways.sort_by(|x, y| crate::rules::by_size(y.margin.mm, x.margin.mm));
        // What cannot be shot at all comes after what can, whatever its margin.
        ways.sort_by_key(|w| w.reasons.iter().any(|r| !r.holds));
        ways.into_iter().next().map(|best| (best, struck))
    });
    let (margin, mut struck) = match found {
        Some((aim, struck)) => {
            let ground: Vec<&Reason> = reasons
                .iter()
                .chain(&aim.reasons)
                .filter(|r| !r.holds && OF_GROUND.contains(&r.clause.as_str()))
                .collect();
            let notes = aim.going.iter().map(|found| found.told(ground.first().copied())).collect::<Vec<_>>();
            reasons.extend(aim.reasons);
            reasons.extend(notes);
            reasons.extend(aim.notes);
            (Some(aim.margin), struck)
        }
        None => {
            let text = format!("no edge of {} is turned towards one that {} shoots over", e.name, a.name);
            reasons.push(Reason::fails("dba3.sht.7", text));
            (None, Vec::new())
        }
    };
    struck.dedup();
    let may = !reasons.iter().any(bars);
    reasons.sort_by_key(|r| !bars(r));
    let under = Shared::clone(settings.name());
    Shot { shooter: a.name.clone(), target: e.name.clone(), may, margin, struck, reasons, under }
}

/// A way to shoot: over one edge at another.
struct Aim {
    margin: Margin,
    edge: Option<Edge>,
    reasons: Vec<Reason>,
    going: Vec<Met>,
    notes: Vec<Reason>,
}

/// Whether an end of the shooting edge lies beyond the line of the target's edge, and the other way round.
fn sees(from: &Side, to: &Side) -> bool {
    let beyond = |a: &Side, b: &Side| {
        Line::along(b.line)
            .is_some_and(|line| [a.line.start, a.line.end].into_iter().any(|p| exact(line.left_of(p)) > 0.0))
    };
    beyond(from, to) && beyond(to, from)
}

fn aim(between: &Between<'_>, field: &Field, target: &Body, side: &Side, clause: &str) -> Option<Aim> {
    let settings = between.settings;
    let reach: Reach = field.reach(target, side, settings)?;
    let sight = between.sight(&field.from, side);
    let past = past(between, &field.from, target);
    let (a, e) = (&between.shooter.name, &between.target.name);
    let bw = between.setup.scale.mm_per_bw();
    let over = field.from.edge.map_or("the rim that it holds", Edge::name);
    let mm = field.range_mm - reach.range.mm;
    let far = format!(
        "{e} is {mm:.1} mm or {:.3} BW from {a}'s {over}; it reaches {} BW",
        mm / bw,
        field.range_mm / bw
    );
    let nearest = "from the nearest point of the shooting edge to the nearest point of the target";
    let mut reasons =
        vec![Reason::tested(clause, far, reach.range), Reason::tested("dba3.sht.4", nearest, reach.range)];
    match reach.arc {
        Some(arc) => {
            let text = if arc.satisfied() {
                format!("{e} reaches {:.1} mm into the arc of {a}'s {over}", arc.mm)
            } else {
                format!("{e} is {:.1} mm outside the arc of {a}'s {over}", -arc.mm)
            };
            reasons.push(Reason::tested("dba3.sht.5", text, arc));
            reasons.push(Reason::tested("dba3.sht.7", format!("{a} shoots over its {over}"), arc));
        }
        None => reasons.push(Reason::holds("dba3.sht.7", format!("{a} shoots all round"))),
    }
    let needed = settings.target_edge_length_bw.bw() * bw;
    let text = format!(
        "{:.1} mm of {e}'s {} lie in arc and range; {needed:.1} mm are needed",
        reach.inside_mm,
        side.edge.map_or("rim", Edge::name)
    );
    reasons.push(Reason::tested("dba3.sht.6", text, reach.length));
    let going = going(between, &field.from, side);
    let notes = between.psiloi_between(&field.from, side).into_iter().collect();
    reasons.extend(sight.reasons);
    let margin = past.iter().filter_map(|r| r.margin).fold(reach.margin().and(sight.margin), Margin::and);
    reasons.extend(past);
    Some(Aim { margin, edge: side.edge, reasons, going, notes })
}
