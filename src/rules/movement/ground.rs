//! What is underfoot on a move: the worst going along the way, bad going that bars, and rivers.
//!
//! A path is looked at as the convex outlines that it sweeps over: the hull of both ends of a shift, and of
//! steps of a turn. While the front edge turns one rear corner may cross a feature without being slowed,
//! unless a setting says otherwise (clauses dba3.ip.11, dba3.set.43). Table frame, millimetres.
//!
//! Clauses: dba3.going.2, .7, .13, dba3.dist.9 to .11, dba3.group.13 to .16, dba3.rx.1 to .7, dba3.wway.2.

use super::scene::{Findings, Scene, Walker};
use super::{Condition, Leg, Manoeuvre};
use crate::geometry::{Corner, Edge, Margin, Point, Sweep, convex, without_corner};
use crate::rules::ruleset::{Going, Kind};
use crate::rules::settings::RiverRoll;
use crate::rules::terrain::{Crossers, River, RiverState};
use crate::rules::{Reason, exact};

/// A turn is looked at in steps of no more than this, radians: 5 degrees, in which a corner leaves the
/// straight line by less than a thousandth of its distance from the pivot.
const STEP_RAD: f64 = 0.087;

/// What one walker has underfoot.
#[derive(Debug, Clone)]
pub(super) struct Underfoot {
    /// The worst going of the move.
    pub going: Going,
    /// Where it begins.
    pub at_start: Going,
    /// Where it ends.
    pub at_end: Going,
    /// Whether the whole move is by road.
    pub by_road: bool,
    /// The river that its front edge is in during the move, one that slows.
    pub front_in_river: Option<String>,
    /// What the ground said, the deciding reason first.
    reasons: Vec<Reason>,
}

/// What each walker has underfoot.
pub(super) fn underfoot(scene: &Scene<'_>) -> Vec<Underfoot> {
    let by_road = scene.mv.manoeuvre == Manoeuvre::ByRoad;
    scene.walkers.iter().map(|walker| of(scene, walker, by_road)).collect()
}

fn of(scene: &Scene<'_>, walker: &Walker<'_>, by_road: bool) -> Underfoot {
    let ground = &scene.before.ground;
    let good = Underfoot {
        going: Going::Good,
        at_start: Going::Good,
        at_end: Going::Good,
        by_road,
        front_in_river: None,
        reasons: Vec::new(),
    };
    if ground.is_bare() {
        return good;
    }
    let settings = scene.settings;
    let (start, end) = (walker.start(), walker.end());
    let at = |base| ground.underfoot(walker.name(), base, walker.troop, settings).going;
    let sweeps: Vec<Sweep> = walker.sweeps().collect();
    let along = |spared: Option<Corner>| {
        let outlines: Vec<Vec<Point>> = sweeps.iter().flat_map(|s| outlines(s, spared)).collect();
        ground.underfoot_along(walker.name(), &outlines, walker.troop, settings)
    };
    let spared = walker.spared.filter(|_| !scene.settings.rear_corner_sweep_slows);
    let mut found = along(spared);
    found.reasons.extend(swept(scene, walker, found.going, &along));
    let slowing = |river: &&River| !matches!(river.state, RiverState::Paltry | RiverState::Unknown);
    let wet = ground
        .rivers
        .iter()
        .filter(slowing)
        .filter(|_| !by_road)
        .find(|river| front_outlines(walker, &sweeps).iter().any(|o| river.course.reach(o).satisfied()));
    Underfoot {
        going: if by_road { Going::Good } else { found.going },
        at_start: at(&start),
        at_end: at(&end),
        front_in_river: wet.map(|river| river.name.clone()),
        reasons: found.reasons,
        ..good
    }
}

/// What is said where the spared rear corner alone sweeps over ground that would slow it.
fn swept(
    scene: &Scene<'_>,
    walker: &Walker<'_>,
    going: Going,
    along: &dyn Fn(Option<Corner>) -> crate::rules::terrain::Underfoot,
) -> Vec<Reason> {
    let Some(corner) = walker.spared else { return Vec::new() };
    let slows = scene.settings.rear_corner_sweep_slows;
    let other = along(if slows { Some(corner) } else { None }).going;
    if other == going {
        return Vec::new();
    }
    let (name, worse) = (walker.name(), going.max(other).name());
    let sweeps = format!("a rear corner of {name} alone sweeps over {worse} while it turns");
    let text = if slows { "by the setting that slows the move" } else { "which does not slow the move" };
    let setting = Reason { holds: !slows, ..Reason::holds("dba3.set.43", format!("{sweeps}, {text}")) };
    vec![Reason::holds("dba3.ip.11", sweeps), setting]
}

/// The worst going that these sweeps of a walker pass over, without that rear corner on turns.
pub(super) fn worst_along(
    scene: &Scene<'_>,
    walker: &Walker<'_>,
    sweeps: &[Sweep],
    spared: Option<Corner>,
) -> Going {
    let ground = &scene.before.ground;
    if ground.is_bare() {
        return Going::Good;
    }
    let outlines: Vec<Vec<Point>> = sweeps.iter().flat_map(|s| outlines(s, spared)).collect();
    ground.underfoot_along(walker.name(), &outlines, walker.troop, scene.settings).going
}

/// The convex outlines that a sweep passes over; on a turn without one corner, save where it begins and
/// ends.
pub(super) fn outlines(sweep: &Sweep, without: Option<Corner>) -> Vec<Vec<Point>> {
    let ends = [sweep.base.outline().to_vec(), sweep.end().outline().to_vec()];
    match sweep.leg {
        Leg::Shift(_) => vec![convex::hull(&ends.concat())],
        Leg::Turn { by_rad, .. } => {
            let steps = (by_rad.abs() / STEP_RAD).ceil().max(1.0) as u32;
            let at = |n: u32| {
                let base = sweep.at(f64::from(n) / f64::from(steps));
                match without {
                    Some(corner) => without_corner(&base, corner).to_vec(),
                    None => base.outline().to_vec(),
                }
            };
            let passed = (0..steps).map(|n| convex::hull(&[at(n), at(n + 1)].concat()));
            ends.into_iter().map(|e| convex::hull(&e)).chain(passed).collect()
        }
    }
}

/// What the front edge alone passes over.
fn front_outlines(walker: &Walker<'_>, sweeps: &[Sweep]) -> Vec<Vec<Point>> {
    let front = |base: &crate::geometry::Footprint| {
        let edge = base.edge(Edge::Front);
        [edge.start, edge.end]
    };
    let mut all = vec![front(&walker.start()).to_vec()];
    for sweep in sweeps {
        let turn = if let Leg::Turn { by_rad, .. } = sweep.leg { by_rad.abs() } else { 0.0 };
        let steps = (turn / STEP_RAD).ceil().max(1.0) as u32;
        let at = |n: u32| front(&sweep.at(f64::from(n) / f64::from(steps)));
        all.extend((0..steps).map(|n| convex::hull(&[at(n), at(n + 1)].concat())));
    }
    all
}

/// Adds what the ground asks of the move.
pub(super) fn judge(scene: &Scene<'_>, underfoot: &[Underfoot], found: &mut Findings) {
    if scene.before.ground.is_bare() {
        return;
    }
    for (walker, under) in scene.walkers.iter().zip(underfoot) {
        found.notes.extend(under.reasons.iter().cloned());
        if under.going > Going::Good {
            let slows = if under.going == Going::Rough { "dba3.going.7" } else { "dba3.going.2" };
            found.note(slows, format!("{} moves in {}", walker.name(), under.going.name()));
        }
        barred(scene, walker, under, found);
    }
    in_formation(scene, underfoot, found);
    for river in &scene.before.ground.rivers {
        cross(scene, river, found);
    }
}

/// Ground that this walker may not enter at all.
fn barred(scene: &Scene<'_>, walker: &Walker<'_>, under: &Underfoot, found: &mut Findings) {
    let rules = scene.settings.ruleset();
    let outlines: Vec<Vec<Point>> = walker.sweeps().flat_map(|s| outlines(&s, None)).collect();
    if outlines.is_empty() {
        return;
    }
    for reason in scene.before.ground.barred(walker.name(), &outlines, rules) {
        let remedy = || "keep out of it".to_owned();
        found.conditions.push(Condition::of(reason).with_remedy(remedy));
    }
    if matches!(walker.troop.kind, Kind::Artillery | Kind::WarWagons) {
        let bad = under.going == Going::Bad;
        let text = if bad {
            format!("{} would go through bad going off the road", walker.element.troop)
        } else if under.by_road {
            format!("{} goes by road", walker.element.troop)
        } else {
            format!("{} keeps out of bad going", walker.element.troop)
        };
        found.ask("dba3.dist.9", text, !bad, || "go by road, or round it".to_owned());
    }
}

/// A group crosses bad going in column or forming one; Psiloi alone in any formation.
fn in_formation(scene: &Scene<'_>, underfoot: &[Underfoot], found: &mut Findings) {
    if scene.walkers.len() < 2 || scene.mv.manoeuvre == Manoeuvre::ByRoad {
        return;
    }
    let worst = underfoot.iter().map(|u| u.going).max().unwrap_or(Going::Good);
    let who = scene.who();
    let in_column = matches!(scene.mv.manoeuvre, Manoeuvre::Column | Manoeuvre::IntoColumn)
        || crate::rules::group::formation(
            &scene.walkers.iter().map(|w| w.element).collect::<Vec<_>>(),
            scene.settings,
            scene.formed,
        )
        .shape
            != crate::rules::group::Shape::Block;
    match worst {
        Going::Good => {}
        Going::Rough => found.note("dba3.group.15", format!("{who} may cross rough going in any formation")),
        Going::Bad => {
            let psiloi = scene.walkers.iter().all(|w| w.troop.kind == Kind::Psiloi);
            if psiloi {
                let text = format!("{who}: Psiloi alone, which cross bad going in any formation");
                found.ask("dba3.group.16", text, true, String::new);
                return;
            }
            let text = if in_column {
                format!("{who} cross bad going in column")
            } else {
                format!("{who} would cross bad going more than one element wide")
            };
            found.ask("dba3.group.14", text, in_column, || "form column first, or on the way".to_owned());
            found.note_not("dba3.group.15", "it is bad going, not rough");
            if !in_column {
                found.note_not("dba3.group.16", "they are not all Psiloi");
            }
        }
    }
}

/// What a river asks of walkers that are in it anywhere on their way, off the road.
fn cross(scene: &Scene<'_>, river: &River, found: &mut Findings) {
    if scene.mv.manoeuvre == Manoeuvre::ByRoad {
        return;
    }
    let enters = scene.walkers.iter().filter(|walker| {
        let outlines: Vec<Vec<Point>> = walker.sweeps().flat_map(|s| outlines(&s, None)).collect();
        outlines.iter().any(|o| river.course.reach(o).satisfied())
    });
    let wet: Vec<&Walker<'_>> = enters.collect();
    if wet.is_empty() {
        return;
    }
    let narrow = scene.walkers.len() == 1
        || matches!(scene.mv.manoeuvre, Manoeuvre::Column | Manoeuvre::IntoColumn | Manoeuvre::Single);
    let crossers = if narrow { Crossers::Narrow } else { Crossers::Wide };
    let crossing = river.crossing(&scene.who(), crossers);
    for reason in crossing.reasons {
        if reason.clause == "dba3.rx.6" {
            let remedy = || format!("stop at the near bank of {}, or form column", river.name);
            found.conditions.push(Condition::of(reason).with_remedy(remedy));
        } else if river.state == RiverState::Unknown {
            found.unchecked.push(reason);
        } else {
            found.notes.push(reason);
        }
    }
    if river.state == RiverState::Unknown {
        let first = scene.settings.river_roll_trigger == RiverRoll::FirstEntry;
        let when = if first {
            format!("the die for {} is rolled as the first part of {} enters", river.name, wet[0].name())
        } else {
            format!("by the setting the die for {} is rolled before this move is made", river.name)
        };
        found.notes.push(Reason { holds: first, ..Reason::holds("dba3.set.101", when) });
    }
    for walker in wet {
        keeps_its_angle(scene, river, walker, found);
    }
}

/// Who has entered goes on at the angle to the course at which it entered, save to line up.
fn keeps_its_angle(scene: &Scene<'_>, river: &River, walker: &Walker<'_>, found: &mut Findings) {
    if !river.course.reach_of(&walker.start()).satisfied() {
        return;
    }
    let (start, end) = (walker.start().pose(), walker.end().pose());
    let turned = start.heading.turn_to_radians(end.heading).abs();
    let by = end.centre - start.centre;
    let aside = by.dot(&start.heading.right()).abs();
    let width = walker.start().width_mm();
    let tolerances = &scene.settings.tolerances;
    let strays = (tolerances.same_facing_deg.to_radians() - turned) * width;
    let drift = super::zones::drift_mm(scene, by) - aside;
    let nearest = river.course.nearest_to(end.centre);
    let binding = crate::geometry::Binding(
        crate::geometry::of_base(&walker.end(), end.centre),
        crate::geometry::of_ground(crate::geometry::Part::Bank, nearest.at),
    );
    let margin = Margin::closed(exact(strays.min(drift)), binding);
    let (name, river_name) = (walker.name(), &river.name);
    if margin.satisfied() {
        let text = format!("{name} goes on across {river_name} at the angle at which it entered");
        found.test("dba3.rx.1", text, margin, String::new);
        return;
    }
    if river.state == RiverState::Paltry && scene.settings.paltry_river_free_angle {
        let text = format!("{river_name} is paltry: {name} may change its angle in it");
        found.ask("dba3.set.39", text, true, String::new);
        return;
    }
    let ended = walker.ended();
    let lines_up = scene.enemies().any(|enemy| {
        let edge = crate::rules::contact::on_edge(&ended, enemy, Edge::Front, tolerances);
        edge.margin().satisfied()
    });
    if lines_up {
        let text = format!("{name} leaves its angle to line up with an enemy that it meets");
        found.ask("dba3.rx.2", text, true, String::new);
        return;
    }
    let text = format!(
        "{name} is in {river_name} and leaves the angle at which it entered: turned by {:.1} degrees, {aside:.1} mm aside",
        turned.to_degrees()
    );
    found.test("dba3.rx.1", text, margin, || "go straight on across".to_owned());
    if river.state == RiverState::Paltry {
        found.note_not("dba3.set.39", "by the setting a paltry river binds the angle too");
    }
    found.note_not("dba3.rx.2", format!("{name} does not line up with an enemy"));
}
