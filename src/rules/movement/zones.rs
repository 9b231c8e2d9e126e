//! Threat zones and a move: whose zones bind the movers, and whether the move answers one of them.
//!
//! A mover is bound by a zone that it begins in, enters on the way or ends in, its far edge included; a
//! rear corner alone that sweeps through while the front edge turns does not count (clause dba3.ip.11).
//! A bound move must go straight back, or contact or close up on the front edge of one of the enemies
//! that bind it. Closing up is measured from where the move began to where it ends, in millimetres: the
//! middle of the mover's front edge against the enemy's front line and its middle, and the turn that is
//! left, in radians times the base's width.
//!
//! Clauses: dba3.tz.1 to .9, dba3.set.44 to .51.

use super::scene::{Findings, Scene, Walker, seen_along};
use super::{Manoeuvre, corner, strongholds};
use crate::geometry::{
    Binding, Edge, Feature, Footprint, Leg, Limit, Margin, Part, Pose, Sweep, Vector, Whose,
};
use crate::rules::settings::ZoneProgress;
use crate::rules::{Element, Reason, Settings, Tolerances, ask, contact, exact, threat_zone};

/// Depths of less than this on the way are none: rounding, millimetres.
pub(super) const TOUCH_MM: f64 = 1e-6;

/// An enemy's zone that binds a mover.
#[derive(Debug, Clone)]
pub(super) struct Hold<'a> {
    /// Which walker.
    pub walker: usize,
    /// Whose zone.
    pub enemy: &'a Element,
    /// Whether it is in it where it begins.
    pub at_start: bool,
    /// Whether it is in it where it ends.
    pub at_end: bool,
    /// How far it reaches in, at its start, end or deepest on the way.
    pub reach: Margin,
}

/// The zones of a move.
#[derive(Debug, Default)]
pub(super) struct Zones<'a> {
    /// What binds whom.
    pub holds: Vec<Hold<'a>>,
    /// Before each leg, and at the end: whether any walker is in an enemy zone there.
    pub in_zone_at: Vec<bool>,
    /// Which walker's spared rear corner alone sweeps through whose zone.
    pub swept: Vec<(usize, &'a Element)>,
    /// What is said of walkers in column behind one whom an enemy fights (clause dba3.faq.10).
    pub behind: Vec<Reason>,
}

/// Whose zones bind the walkers.
pub(super) fn holds<'a>(scene: &Scene<'a>) -> Zones<'a> {
    let stations = scene.walkers.iter().map(|w| w.stations.len()).max().unwrap_or(0);
    let mut zones = Zones { in_zone_at: vec![false; stations], ..Zones::default() };
    let context = scene.context();
    for enemy in scene.enemies() {
        let areas = threat_zone::threat_zones(enemy, scene.before.scale, scene.settings);
        let mut threatens: Option<bool> = None;
        for (walker_at, walker) in scene.walkers.iter().enumerate() {
            if !areas.iter().any(|area| may_reach(walker, area)) {
                continue;
            }
            // Only now, since it looks at everyone: whether a fighting element threatens at all.
            let threatens = *threatens.get_or_insert_with(|| {
                !(scene.settings.tz_off_in_combat && ask::in_combat(enemy, enemy, &context).satisfied())
            });
            if let Some(friend) = ask::behind_a_fight(walker.element, enemy, &context) {
                let text =
                    format!("{} is in column behind {friend}, whom {} fights", walker.name(), enemy.name);
                zones.behind.push(Reason { holds: !threatens, ..Reason::holds("dba3.faq.10", text) });
            }
            if !threatens {
                continue;
            }
            let mut moved = walker.element.clone();
            let mut reach_at = |n: usize| {
                moved.footprint = moved.footprint.moved_to(walker.stations[n]);
                threat_zone::reach_into(&moved, enemy, &context)
            };
            let last = walker.stations.len() - 1;
            let at: Vec<Margin> = (0..=last).map(&mut reach_at).collect();
            for (n, margin) in at.iter().enumerate() {
                zones.in_zone_at[n] |= margin.satisfied();
            }
            let deepest = at.iter().copied().reduce(Margin::or).expect("a walker has a station");
            let (reach, swept) = if deepest.satisfied() {
                (Some(deepest), false)
            } else {
                on_the_way(walker, &areas, deepest)
            };
            if swept && reach.is_none() {
                zones.swept.push((walker_at, enemy));
            }
            if let Some(reach) = reach {
                zones.holds.push(Hold {
                    walker: walker_at,
                    enemy,
                    at_start: at[0].satisfied(),
                    at_end: at[last].satisfied(),
                    reach,
                });
            }
        }
    }
    zones
}

/// Whether a walker can come near an area at all.
fn may_reach(walker: &Walker<'_>, area: &Footprint) -> bool {
    let radius = |base: &Footprint| base.width_mm().hypot(base.depth_mm()) / 2.0;
    let far: f64 = walker.sweeps().map(|s| s.furthest_mm()).sum();
    let apart = (walker.start().pose().centre - area.pose().centre).norm();
    apart <= far + radius(&walker.start()) + radius(area) + 1.0
}

/// The deepest reach into a zone between stations, the spared rear corner left out, none where it enters none;
/// and whether that corner sweeps through it.
fn on_the_way(walker: &Walker<'_>, areas: &[Footprint], known: Margin) -> (Option<Margin>, bool) {
    let (mut deepest, mut swept): (Option<Margin>, bool) = (None, false);
    for sweep in walker.sweeps() {
        for area in areas {
            let Some(found) = sweep.clearance(area, -TOUCH_MM) else { continue };
            if sweeps_a_rear_corner(walker, &sweep, area) {
                swept = true;
                continue;
            }
            let Binding(of_walker, of_zone) = found.nearest.binding;
            let binding =
                Binding(of_walker, Feature { whose: Whose::B, part: Part::ZoneFarEdge, at: of_zone.at });
            let margin = Margin { mm: -found.nearest.mm, limit: Limit::Strict, binding };
            deepest = Some(deepest.map_or(margin, |d| d.or(margin)));
        }
    }
    (deepest.filter(|d| d.mm > known.mm), swept)
}

/// Whether on a turn nothing but the spared rear corner crosses `area`, and it is out of it at the end.
fn sweeps_a_rear_corner(walker: &Walker<'_>, sweep: &Sweep, area: &Footprint) -> bool {
    let clear = |corner| corner::clearance_without(sweep, corner, area) >= -TOUCH_MM;
    matches!(sweep.leg, Leg::Turn { .. }) && walker.spared.is_some_and(clear)
}

/// Adds what the zones ask of the move.
pub(super) fn judge(scene: &Scene<'_>, zones: &Zones<'_>, found: &mut Findings) {
    let features = strongholds::bounds(scene, found);
    found.notes.extend(zones.behind.iter().cloned());
    for (at, enemy) in &zones.swept {
        let name = scene.walkers[*at].name();
        let text = format!("a rear corner of {name} alone sweeps through {}'s threat zone", enemy.name);
        found.note("dba3.ip.11", text);
    }
    if zones.holds.is_empty() && features.is_empty() {
        found.note_not("dba3.tz.3", format!("no enemy threat zone binds {}", scene.who()));
        return;
    }
    for hold in &zones.holds {
        let (name, enemy) = (scene.walkers[hold.walker].name(), &hold.enemy.name);
        let how = match (hold.at_start, hold.at_end) {
            (true, _) => "is in",
            (false, true) => "ends in",
            (false, false) => "crosses",
        };
        let text = format!("{name} {how} {enemy}'s threat zone, {:.1} mm deep", hold.reach.mm.max(0.0));
        found.notes.push(Reason::tested("dba3.tz.3", text.clone(), hold.reach));
        found.note("dba3.tz.1", format!("{enemy} threatens the ground before its front edge"));
    }
    if scene.walkers.iter().all(|w| straight_back(scene, w)) {
        found.ask("dba3.tz.6", format!("{} straight back", scene.they("goes", "go")), true, String::new);
        found.note("dba3.tz.9", ALLOWED);
        return;
    }
    // Of everything that threatens one is answered (clause dba3.tz.5): a feature or an element.
    let met = features.iter().find(|f| f.margin.satisfied());
    if let Some(feature) = met {
        feature.tell(found);
        found.note("dba3.tz.9", ALLOWED);
        if zones.holds.len() + features.len() > 1 {
            let text = format!("of all that threatens, {} is what is chosen", feature.feature.name);
            found.note("dba3.tz.5", text);
        }
        return;
    }
    if !answer(scene, zones, found) {
        for feature in &features {
            feature.tell(found);
        }
    }
}

/// Whether a walker goes straight to its rear all the way.
pub(super) fn straight_back(scene: &Scene<'_>, walker: &Walker<'_>) -> bool {
    all_back(walker.start().pose(), walker.legs, &scene.settings.tolerances)
}

/// Whether these legs, which begin at `from`, go straight to the rear all the way.
pub(super) fn all_back(from: Pose, legs: &[Leg], tolerances: &Tolerances) -> bool {
    !legs.is_empty()
        && legs.iter().all(|leg| match leg {
            Leg::Shift(by) => {
                let (right, ahead) = seen_along(from, *by);
                ahead < 0.0 && right.abs() <= stray_mm(tolerances, *by)
            }
            Leg::Turn { .. } => false,
        })
}

/// How far a straight shift may stray to the side: the corner offset, and what the tolerated turn makes
/// of its length, millimetres.
pub(super) fn drift_mm(scene: &Scene<'_>, by: Vector) -> f64 {
    stray_mm(&scene.settings.tolerances, by)
}

pub(super) fn stray_mm(tolerances: &Tolerances, by: Vector) -> f64 {
    tolerances.corner_offset_mm + by.norm() * tolerances.same_facing_deg.to_radians().tan()
}

/// What is said of a move that a zone binds and does not bar.
const ALLOWED: &str = "the move is one of those that a threat zone leaves open";

/// The enemy that the move answers best. Who begins in zones answers one of those; who begins in none, one that
/// it enters (clause dba3.tz.5). Whether it does.
fn answer(scene: &Scene<'_>, zones: &Zones<'_>, found: &mut Findings) -> bool {
    let from_within = zones.holds.iter().any(|hold| hold.at_start);
    let best = zones
        .holds
        .iter()
        .filter(|hold| hold.at_start || !from_within)
        .filter(|hold| leads(scene, hold, zones))
        .map(|hold| (hold, answered(scene, hold)))
        .reduce(|a, b| if b.1.margin.mm > a.1.margin.mm { b } else { a });
    let Some((hold, answered)) = best else { return false };
    let (name, enemy) = (scene.walkers[hold.walker].name(), &hold.enemy.name);
    let holds = answered.margin.satisfied();
    let way_out = || {
        format!(
            "line up with {enemy} or come nearer to its front edge, straighter and less to the side; or go straight back"
        )
    };
    if holds {
        let text = format!("{name} {} {enemy}", answered.how);
        found.test("dba3.tz.4", text, answered.margin, String::new);
        found.note("dba3.tz.9", ALLOWED);
        let count = zones.holds.iter().filter(|h| h.enemy.name != hold.enemy.name).count();
        if count > 0 {
            found.note("dba3.tz.5", format!("of the enemies that threaten, {enemy} is the one chosen"));
        }
    } else {
        let text = format!("{name} {} {enemy}, {:.1} mm short", answered.how, -answered.margin.mm);
        found.test("dba3.tz.4", text, answered.margin, way_out);
        let text =
            "the move neither answers one of the enemies that threaten nor goes straight back".to_owned();
        found.test("dba3.tz.9", text, answered.margin, way_out);
        found.note_not("dba3.tz.5", format!("{enemy} is the nearest to being answered"));
        found.note_not("dba3.tz.6", format!("{} not go straight back", scene.they("does", "do")));
        found.note_not("dba3.tz.7", "it is a tactical move, and no outcome move or conforming after combat");
        found.note_not("dba3.set.51", "it is no movement to conform, which might cross any zone");
    }
    let setting = match scene.settings.tz_progress_test {
        ZoneProgress::NearerAndNoWorse => "closing up is to end nearer, at no greater angle and offset",
        ZoneProgress::NearerOnly => "by the setting closing up is to end nearer",
        ZoneProgress::MustLineUp => "by the setting closing up is to end lined up or in contact",
    };
    found.note("dba3.set.49", setting);
    holds
}

/// Whether it is the foremost of its column that this enemy's zone holds: those behind it only follow, and
/// stand in line with whatever their leader left. Of a group abreast each counts.
fn leads(scene: &Scene<'_>, hold: &Hold<'_>, zones: &Zones<'_>) -> bool {
    let in_file = matches!(scene.mv.manoeuvre, Manoeuvre::Column | Manoeuvre::IntoColumn | Manoeuvre::ByRoad);
    let ahead = |other: &Hold<'_>| other.enemy.name == hold.enemy.name && other.walker < hold.walker;
    !in_file || !zones.holds.iter().any(ahead)
}

/// How a move answers one enemy.
struct Answered {
    margin: Margin,
    how: &'static str,
}

fn answered(scene: &Scene<'_>, hold: &Hold<'_>) -> Answered {
    let walker = &scene.walkers[hold.walker];
    // Where it stands when it has conformed.
    let ended = scene.after.element(walker.name()).map_or_else(|| walker.ended(), Element::clone);
    let touch = contact::on_edge(&ended, hold.enemy, Edge::Front, &scene.settings.tolerances).margin();
    if touch.satisfied() {
        return Answered { margin: touch, how: "contacts the front edge of" };
    }
    // It must not pass by: it ends in the zone, or within what the tolerance leaves of it.
    let stays = if hold.at_end {
        Margin::closed(scene.bw_mm(), binding(&ended.footprint, hold.enemy))
    } else {
        let ended = threat_zone::reach_into(&ended, hold.enemy, &scene.context());
        Margin { limit: Limit::Strict, mm: ended.mm.min(-TOUCH_MM), ..ended }
    };
    let (margin, how) = closes_up(&walker.start(), &ended.footprint, hold.enemy, scene.settings);
    let margin = margin.and(stays);
    let how = if margin.satisfied() {
        how
    } else if margin == stays {
        "passes by"
    } else {
        "does not close up on"
    };
    Answered { margin, how }
}

/// By how much a base that began at `start` and stands at `end`, in that enemy's zone, answers the enemy, contact left
/// aside.
fn closes_up(
    start: &Footprint,
    end_base: &Footprint,
    enemy: &Element,
    settings: &Settings,
) -> (Margin, &'static str) {
    let tolerances = &settings.tolerances;
    let (start, end) = (Standing::of(start, enemy), Standing::of(end_base, enemy));
    let (binding, width) = (binding(end_base, enemy), end_base.width_mm());
    let nearer = Margin::strict(exact(start.ahead - end.ahead), binding);
    let offset = Margin::closed(exact(start.aside - end.aside), binding);
    let angle = Margin::closed(exact((start.turn - end.turn) * width), binding);
    let room = tolerances.corner_offset_mm - end.aside;
    let square = (tolerances.same_facing_deg.to_radians() - end.turn) * width;
    let lined_up = Margin::closed(exact(room.min(square)), binding);
    // A slide or pivot that ends square in front lines up, though it comes no nearer (clause dba3.group.8).
    let better = Margin::strict(exact(start.aside - end.aside), binding)
        .or(Margin::strict(exact((start.turn - end.turn) * width), binding));
    let squared = Margin::closed(exact(start.ahead - end.ahead), binding).and(lined_up).and(better);
    match settings.tz_progress_test {
        ZoneProgress::NearerAndNoWorse => (nearer.and(offset).and(angle).or(squared), "closes up on"),
        ZoneProgress::NearerOnly => (nearer.or(squared), "closes up on"),
        ZoneProgress::MustLineUp => (lined_up, "lines up with"),
    }
}

/// Whether an element that began at `start` and has ended in that enemy's zone answers the enemy: it contacts its
/// front edge or closes up on it.
pub(super) fn answers(start: &Footprint, ended: &Element, enemy: &Element, settings: &Settings) -> bool {
    contact::on_edge(ended, enemy, Edge::Front, &settings.tolerances).margin().satisfied()
        || closes_up(start, &ended.footprint, enemy, settings).0.satisfied()
}

/// How a base stands to an enemy's front edge.
struct Standing {
    /// Of the middle of its front edge ahead of the enemy's front line, millimetres.
    ahead: f64,
    /// Of that middle to the side of the enemy's middle, millimetres, zero or more.
    aside: f64,
    /// Short of facing it squarely, radians, zero or more.
    turn: f64,
}

impl Standing {
    fn of(base: &Footprint, enemy: &Element) -> Self {
        let foe = &enemy.footprint;
        let middle = base.pose().at(0.0, base.depth_mm() / 2.0);
        let seen = foe.pose().seen_from_here(middle);
        let turn = base.pose().heading.turn_to_radians(foe.pose().heading.reversed()).abs();
        Self { ahead: seen.y - foe.depth_mm() / 2.0, aside: seen.x.abs(), turn }
    }
}

fn binding(base: &Footprint, enemy: &Element) -> Binding {
    let at = base.pose().at(0.0, base.depth_mm() / 2.0);
    let edge = enemy.footprint.edge(Edge::Front);
    Binding(
        Feature { whose: Whose::A, part: Part::Edge(Edge::Front), at },
        Feature { whose: Whose::B, part: Part::Edge(Edge::Front), at: edge.nearest_to(at).0 },
    )
}
