//! How the elements of a move go together: parallel and equally far, wheeling about a front corner, in
//! file along the leader's path, or narrowing into a column.
//!
//! Straight ahead is within the corner offset and the tolerated turn; a wheel's pivot is a front corner at
//! an end of the group's front edge within the corner offset. In an enemy zone, and where it touches the
//! enemy, a group may pivot and slide to line up (clauses dba3.group.8 and .9). Table frame, millimetres.
//!
//! Clauses: dba3.group.5 to .9, dba3.col.1 to .5, dba3.set.33 to .35.

use super::scene::{FRONT, Findings, Scene, Walker, front_edge, seen_along};
use super::zones::{Zones, drift_mm, straight_back};
use super::{Leg, Manoeuvre, TacticalMove};
use crate::geometry::{Binding, Feature, Footprint, Margin, Part, Point, Pose, Vector, Whose, separation};
use crate::rules::group::{Formation, Shape, formation, front_ends};
use crate::rules::settings::ColumnForming;
use crate::rules::{Element, by_size, exact};

/// Adds what the manoeuvre asks of the paths.
pub(super) fn judge(scene: &Scene<'_>, formed: &Formation, zones: &Zones<'_>, found: &mut Findings) {
    let all: Vec<usize> = (0..scene.walkers.len()).collect();
    match scene.mv.manoeuvre {
        Manoeuvre::Single | Manoeuvre::Dismount { .. } => {}
        Manoeuvre::Group => {
            as_one_body(scene, found);
            legs(scene, &all, zones, found);
            // A column follows its leader, however its move is written.
            if matches!(formed.shape, Shape::Column | Shape::BentColumn) && !block_may(scene, zones) {
                in_file(scene, &formed.order, found);
            }
            no_other_change(scene, found);
        }
        Manoeuvre::Column => {
            legs(scene, &[0], zones, found);
            in_file(scene, &all, found);
            no_other_change(scene, found);
        }
        Manoeuvre::ByRoad => in_file(scene, &all, found),
        Manoeuvre::IntoColumn => into_column(scene, formed, found),
    }
}

/// Whether a column may go as a block: straight back, or where each of its turns and shifts to a side begins
/// where a group may adjust, or by the setting shifts aside.
fn block_may(scene: &Scene<'_>, zones: &Zones<'_>) -> bool {
    let lead = &scene.walkers[0];
    let mut strays = lead.legs.iter().zip(&lead.stations).enumerate().filter(|(_, (leg, pose))| match leg {
        Leg::Shift(by) => seen_along(**pose, *by).0.abs() > drift_mm(scene, *by),
        Leg::Turn { .. } => true,
    });
    let adjusts = |n: usize, leg: &Leg| {
        let threatened = zones.in_zone_at.get(n).copied().unwrap_or(false);
        Adjusting::at(scene, n, threatened) != Adjusting::No
            || (scene.settings.group_oblique_move && matches!(leg, Leg::Shift(_)))
    };
    let straight_back = scene.walkers.iter().all(|w| straight_back(scene, w));
    straight_back
        || strays
            .next()
            .is_some_and(|(n, (leg, _))| adjusts(n, leg) && strays.all(|(n, (leg, _))| adjusts(n, leg)))
}

/// Says that nothing else changed, where nothing else did.
fn no_other_change(scene: &Scene<'_>, found: &mut Findings) {
    let mut said = found.conditions.iter().map(|c| &c.reason).chain(&found.notes);
    let broken = said
        .any(|r| !r.holds && matches!(r.clause.as_str(), "dba3.group.5" | "dba3.group.6" | "dba3.group.7"));
    if !broken && scene.walkers.len() > 1 {
        let text = "frontage, direction and facing change in no way that a group move does not allow";
        found.note("dba3.group.7", text);
    }
}

/// Parallel to the first and as far: everybody ends where the first one's legs would have carried them.
fn as_one_body(scene: &Scene<'_>, found: &mut Findings) {
    let first = &scene.walkers[0];
    let carried = |pose: Pose| first.legs.iter().fold(pose, |at, leg| leg.applied_to(at));
    let mut worst: Option<(f64, &Walker<'_>, Point, Point)> = None;
    for walker in &scene.walkers[1..] {
        let start = walker.start();
        let meant = start.moved_to(carried(start.pose()));
        for corner in FRONT {
            let (to, at) = (meant.corner(corner), walker.end().corner(corner));
            let off = (at - to).norm();
            if worst.as_ref().is_none_or(|(most, ..)| off > *most) {
                worst = Some((off, walker, at, to));
            }
        }
    }
    let Some((off, walker, at, to)) = worst else { return };
    let margin = between(scene.settings.tolerances.corner_offset_mm - off, at, to);
    let name = walker.name();
    let text = if margin.satisfied() {
        format!("{} move parallel and equally far", scene.who())
    } else {
        format!("{name} ends {off:.1} mm from where a group move with {} would bring it", first.name())
    };
    found.test("dba3.group.5", text, margin, || format!("shift {name} by {off:.1} mm, or move it by itself"));
    if !margin.satisfied() {
        found
            .note_not("dba3.group.7", "frontage, direction or facing changes in a way that no clause allows");
    }
}

fn between(mm: f64, at: Point, to: Point) -> Margin {
    let feature = |whose, at| Feature { whose, part: Part::Inside, at };
    Margin::closed(exact(mm), Binding(feature(Whose::A, at), feature(Whose::B, to)))
}

/// Each leg of the first of `body`: straight ahead, a wheel, or an adjustment where one is allowed.
fn legs(scene: &Scene<'_>, body: &[usize], zones: &Zones<'_>, found: &mut Findings) {
    let lead = &scene.walkers[body[0]];
    let back = scene.walkers.iter().all(|w| straight_back(scene, w));
    for (n, (leg, &pose)) in lead.legs.iter().zip(&lead.stations).enumerate() {
        let threatened = zones.in_zone_at.get(n).copied().unwrap_or(false);
        match leg {
            Leg::Shift(by) => {
                shift(scene, pose, *by, Adjusting::at(scene, n, threatened), back, zones, found)
            }
            Leg::Turn { about, by_rad } => {
                let standing: Vec<Element> = body
                    .iter()
                    .map(|&at| {
                        let walker = &scene.walkers[at];
                        let pose = walker.stations[n.min(walker.stations.len() - 1)];
                        Element { footprint: walker.start().moved_to(pose), ..walker.element.clone() }
                    })
                    .collect();
                wheel(scene, &standing, *about, *by_rad, Adjusting::at(scene, n, threatened), found);
            }
        }
    }
}

/// Why a group may pivot and slide, if it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Adjusting {
    /// It is in an enemy zone (clause dba3.group.8).
    InZone,
    /// It touches the enemy (clause dba3.group.9).
    Touching,
    /// It may not.
    No,
}

impl Adjusting {
    fn at(scene: &Scene<'_>, station: usize, threatened: bool) -> Self {
        let room = scene.slack_mm() + 1e-6;
        let touches = scene.walkers.iter().any(|walker| {
            let pose = walker.stations[station.min(walker.stations.len() - 1)];
            let base = walker.start().moved_to(pose);
            scene.enemies().any(|enemy| {
                let apart = (enemy.footprint.pose().centre - pose.centre).norm();
                let most = |f: &Footprint| f.width_mm().hypot(f.depth_mm());
                apart <= most(&base) + most(&enemy.footprint)
                    && separation(&base, &enemy.footprint).mm
                        <= room + walker.element.overhang.front + enemy.overhang.front
            })
        });
        match (touches, threatened) {
            (true, _) => Self::Touching,
            (false, true) => Self::InZone,
            (false, false) => Self::No,
        }
    }

    /// Notes what would have allowed it, of those who may not.
    fn note_not(found: &mut Findings) {
        found.note_not("dba3.group.8", "they are in no enemy threat zone, to pivot and slide in");
        found.note_not("dba3.group.9", "they touch no enemy that they would conform to");
        found.note_not("dba3.move.8", "only a single element goes any way");
        found.note_not("dba3.move.10", "only a single element ends facing any way");
    }

    fn clause(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::InZone => {
                Some(("dba3.group.8", "in an enemy threat zone a group may pivot and slide to line up"))
            }
            Self::Touching => Some(("dba3.group.9", "a group may pivot and slide to conform")),
            Self::No => None,
        }
    }
}

fn shift(
    scene: &Scene<'_>,
    pose: Pose,
    by: Vector,
    adjusting: Adjusting,
    all_back: bool,
    zones: &Zones<'_>,
    found: &mut Findings,
) {
    let (right, ahead) = seen_along(pose, by);
    let (who, room) = (scene.who(), drift_mm(scene, by));
    let strays = between(room - right.abs(), pose.centre + by, pose.centre + pose.heading.vector() * ahead);
    if strays.satisfied() && ahead >= -scene.settings.tolerances.corner_offset_mm {
        found.test("dba3.group.5", format!("{who} go straight ahead, {ahead:.1} mm"), strays, String::new);
        found.note("dba3.set.33", "as one body a group goes neither sideways nor obliquely");
        return;
    }
    if strays.satisfied() && all_back && !zones.holds.is_empty() {
        return; // Straight back out of a zone: the zones' own condition (clause dba3.tz.6).
    }
    if let Some((clause, why)) = adjusting.clause() {
        found.ask(clause, why.to_owned(), true, String::new);
        return;
    }
    if strays.satisfied() {
        let margin = between(ahead, pose.centre + by, pose.centre);
        let text = format!("{who} go {:.1} mm back; a group goes back only out of a threat zone", -ahead);
        found.test("dba3.group.7", text, margin, || "go ahead, or move the elements one by one".to_owned());
        Adjusting::note_not(found);
        return;
    }
    if scene.settings.group_oblique_move {
        found.ask(
            "dba3.set.33",
            "by the setting a group may go sideways as one body".to_owned(),
            true,
            String::new,
        );
        return;
    }
    let aside = if right > 0.0 { "right" } else { "left" };
    let text =
        format!("{who} go {:.1} mm to the {aside}; a group does not go sideways or obliquely", right.abs());
    let way_out = || "go straight ahead and wheel, or move the elements one by one".to_owned();
    found.test("dba3.group.7", text, strays, way_out);
    Adjusting::note_not(found);
    let text = "a group may not go sideways as one body, save to line up or conform".to_owned();
    found.ask("dba3.set.33", text, false, way_out);
}

fn wheel(
    scene: &Scene<'_>,
    standing: &[Element],
    about: Point,
    by_rad: f64,
    adjusting: Adjusting,
    found: &mut Findings,
) {
    let who = scene.who();
    let heading = standing[0].footprint.pose().heading;
    let elements: Vec<&Element> = standing.iter().collect();
    let [left, right] = front_ends(&elements, heading);
    let (pivot, hand) = if by_rad >= 0.0 { (left, "left") } else { (right, "right") };
    let off = (about - pivot).norm();
    let margin = between(scene.settings.tolerances.corner_offset_mm - off, about, pivot);
    let degrees = by_rad.to_degrees().abs();
    if margin.satisfied() {
        let text = format!("{who} wheel {hand} by {degrees:.1} degrees about the {hand} front corner");
        found.test("dba3.group.6", text, margin, String::new);
        return;
    }
    if let Some((clause, why)) = adjusting.clause() {
        found.ask(clause, why.to_owned(), true, String::new);
        return;
    }
    let text = format!(
        "{who} turn {hand} by {degrees:.1} degrees about a point {off:.1} mm from the {hand} front corner; \
         a group wheels forward about a front corner at its end"
    );
    let pivots = || format!("wheel about the {hand} front corner, at ({:.1}, {:.1})", pivot.x, pivot.y);
    found.test("dba3.group.6", text, margin, pivots);
    found.note_not("dba3.group.7", "no other change of direction is allowed");
    Adjusting::note_not(found);
}

/// In a column everyone ends where the leader's path brings them. The order has the leader first.
fn in_file(scene: &Scene<'_>, order: &[usize], found: &mut Findings) {
    if order.len() < 2 {
        return;
    }
    let file: Vec<&Walker<'_>> = order.iter().map(|&at| &scene.walkers[at]).collect();
    let names: Vec<&str> = file.iter().map(|w| w.name()).collect();
    let Ok(meant) = TacticalMove::column(scene.before, &names, file[0].legs) else { return };
    let mut worst: Option<(f64, &str, Point, Point)> = None;
    for (walker, mover) in file.iter().zip(&meant.movers).skip(1) {
        let start = walker.start();
        let place = start.moved_to(mover.end(start.pose()));
        for corner in FRONT {
            let (at, to) = (walker.end().corner(corner), place.corner(corner));
            let off = (at - to).norm();
            if worst.as_ref().is_none_or(|(most, ..)| off > *most) {
                worst = Some((off, walker.name(), at, to));
            }
        }
    }
    let Some((off, name, at, to)) = worst else { return };
    let margin = between(scene.settings.tolerances.corner_offset_mm - off, at, to);
    let text = if margin.satisfied() {
        format!("all follow {} along its path, wheeling where it wheeled", names[0])
    } else {
        format!("{name} ends {off:.1} mm from where following {} would bring it", names[0])
    };
    found.test("dba3.col.5", text, margin, || format!("shift {name} by {off:.1} mm onto the leader's path"));
}

/// A group that narrows into a column.
fn into_column(scene: &Scene<'_>, formed: &Formation, found: &mut Findings) {
    let who = scene.who();
    if scene.walkers.len() > 1 && matches!(formed.shape, Shape::Single) {
        return;
    }
    found.note("dba3.col.1", format!("{who} narrow into a column"));
    let lead = &scene.walkers[0];
    let (_, ahead) = seen_along(lead.start().pose(), lead.end().pose().centre - lead.start().pose().centre);
    let margin = Margin::strict(
        exact(ahead),
        between(0.0, lead.end().pose().centre, lead.start().pose().centre).binding,
    );
    let text = format!("{} leads and goes {ahead:.1} mm forward", lead.name());
    found.test("dba3.col.2", text, margin, || format!("let {} go forward", lead.name()));
    for walker in &scene.walkers {
        not_back(scene, walker, found);
    }
    let ended: Vec<Element> = scene.walkers.iter().map(Walker::ended).collect();
    let mut joined = ended.len();
    while joined > 1 {
        let part: Vec<&Element> = ended[..joined].iter().collect();
        let column = formation(&part, scene.settings, scene.formed);
        let in_order = column.order.iter().enumerate().all(|(n, &at)| n == at);
        if column.is_whole() && in_order && matches!(column.shape, Shape::Column | Shape::BentColumn) {
            break;
        }
        joined -= 1;
    }
    for straggler in &scene.walkers[joined.max(1)..] {
        let text = format!("{} does not reach the column's tail and leaves the group", straggler.name());
        found.note("dba3.col.4", text);
    }
    if joined == scene.walkers.len() {
        found.note_not("dba3.col.4", "everyone has joined the column; nobody falls out");
    }
}

/// Nobody ends with its front further back than it began (clause dba3.col.3).
fn not_back(scene: &Scene<'_>, walker: &Walker<'_>, found: &mut Findings) {
    let start = walker.start();
    let line = start.edge_line(crate::geometry::Edge::Front);
    let end = walker.end();
    let points: Vec<Point> = match scene.settings.column_forming_test {
        ColumnForming::EachFrontCorner => FRONT.iter().map(|&c| end.corner(c)).collect(),
        ColumnForming::FrontEdgeMiddle => {
            let front = front_edge(&end);
            vec![front.start + (front.end - front.start) / 2.0]
        }
    };
    let Some(&worst) = points.iter().min_by(|a, b| by_size(line.left_of(**a), line.left_of(**b))) else {
        return;
    };
    let ahead = line.left_of(worst);
    let margin = between(ahead, worst, worst - line.way.left() * ahead);
    let name = walker.name();
    let text = if margin.satisfied() {
        format!("{name} ends no further back than its front edge began")
    } else {
        format!("{name} ends {:.1} mm behind the line of its front edge", -ahead)
    };
    found.test("dba3.col.3", text, margin, || format!("end {:.1} mm further forward", -ahead));
    let setting = match scene.settings.column_forming_test {
        ColumnForming::EachFrontCorner => "no front corner may end behind the old front line",
        ColumnForming::FrontEdgeMiddle => "by the setting the middle of the front edge is what may not",
    };
    found.note("dba3.set.35", setting);
}
