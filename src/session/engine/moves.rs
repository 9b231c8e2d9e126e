//! What move was it: the explanations of what changed, with their conditions in the light of how well places are
//! known. Table frame, millimetres.
//!
//! What a tag's place on its base is off by moves along with the base: of a way straight ahead it falls out, so what
//! bears on a mover's own way is surer than where it stands to others.

use super::Engine;
use crate::geometry::{Corner, Leg, Point, Pose, PoseEstimate, Source};
use crate::judge::Measured;
use crate::rules::movement::{Condition, Explained, Explanation, Manoeuvre, NUDGE_MM, Nudge, TacticalMove};
use crate::rules::notation::write_move;
use crate::rules::{Element, Reason, Setup, Side};
use crate::session::view::{
    Call, ConditionView, ExplanationView, MoveView, NudgeView, PathView, ReasonView, ZoneView,
};
use crate::tracking::Held;

/// Sigmas beyond which a condition is plain: right 99 times in 100.
const PLAIN: f64 = 2.326;
/// The repeatability of a place that is never believed to be better, one sigma, millimetres. A choice: what the eye
/// and the cloth leave.
const LEAST_SIGMA_MM: f64 = 0.05;
/// A zone is shown where a mover stands or stood so near to its owner, base widths.
const NEAR_BW: f64 = 2.5;
/// A turn of less is not told, degrees.
const TOLD_DEG: f64 = 1.0;
/// How well it is known what moved, one sigma, millimetres.
pub(super) struct Sureness {
    /// That a place is another than before: what is fixed to the base falls out.
    pub again_mm: f64,
    /// A mover's way: as it turns, its tag's place on it does not fall out.
    way_mm: f64,
    /// How two elements stand to each other.
    between_mm: f64,
}

impl Engine {
    /// The threat zones of enemies that those who moved come near to.
    pub(super) fn zones_near(&self, moved: &[&Element], now: &Measured) -> Vec<ZoneView> {
        let reach = NEAR_BW * now.setup.scale.mm_per_bw();
        let near = |enemy: &Element, mover: &Element| {
            let ends = [Some(mover.footprint), now.setup.element(&mover.name).map(|e| e.footprint)];
            ends.into_iter().flatten().any(|f| crate::geometry::separation(&f, &enemy.footprint).mm <= reach)
        };
        let enemies =
            now.setup.elements.iter().filter(|e| moved.iter().any(|m| m.side != e.side && near(e, m)));
        enemies.flat_map(|e| self.zones(now, &e.name)).collect()
    }
}

/// Elements that stand elsewhere than they did, with how far a corner went.
pub(super) fn changed<'s>(before: &'s Setup, after: &Setup, sigma_mm: f64) -> Vec<(&'s Element, f64)> {
    let shifted = |e: &Element| {
        let now = after.element(&e.name)?.footprint;
        Some(
            Corner::ALL
                .into_iter()
                .map(|c| (now.corner(c) - e.footprint.corner(c)).norm())
                .fold(0.0, f64::max),
        )
    };
    let stirred = |e: &'s Element| Some((e, shifted(e)?)).filter(|(_, mm)| *mm > 5.0 * sigma_mm);
    before.elements.iter().filter_map(stirred).collect()
}

/// The side that moved: the one whose elements went further together; none where all was nudged.
pub(super) fn mover(changed: &[(&Element, f64)]) -> Option<Side> {
    let of = |side: Side| -> f64 {
        changed.iter().filter(|(e, mm)| e.side == side && *mm > NUDGE_MM).map(|(_, mm)| mm).sum()
    };
    let (red, blue) = (of(Side::Red), of(Side::Blue));
    match red.total_cmp(&blue) {
        std::cmp::Ordering::Greater => Some(Side::Red),
        std::cmp::Ordering::Less => Some(Side::Blue),
        std::cmp::Ordering::Equal => changed.first().map(|(e, _)| e.side.enemy()),
    }
}

/// One sigma of a place without what is fixed to its base.
fn repeatable_mm(pose: &PoseEstimate) -> f64 {
    let fixed = |s: Source| matches!(s, Source::Mount { .. } | Source::MountHeight);
    let shared = pose.shared.iter().filter(|s| !fixed(s.source)).copied().collect();
    PoseEstimate { shared, ..pose.clone() }.sigma_place_mm()
}

pub(super) fn sureness(start: &Measured, now: &Measured) -> Sureness {
    let least = LEAST_SIGMA_MM;
    let mut sure = Sureness { again_mm: least, way_mm: least, between_mm: least };
    for element in &start.setup.elements {
        let (Some(a), Some(b)) = (start.pose(&element.name), now.pose(&element.name)) else { continue };
        let again = repeatable_mm(a).hypot(repeatable_mm(b));
        let fixed = (b.sigma_place_mm().powi(2) - repeatable_mm(b).powi(2)).max(0.0).sqrt();
        let turned = a.pose.heading.turn_to_radians(b.pose.heading).abs();
        sure.again_mm = sure.again_mm.max(again);
        sure.way_mm = sure.way_mm.max(again.hypot(2.0 * (turned / 2.0).sin() * fixed));
        sure.between_mm = sure.between_mm.max(std::f64::consts::SQRT_2 * b.sigma_place_mm());
    }
    sure
}

/// One explanation, as it is shown.
pub(super) fn explanation(
    e: &Explanation,
    before: &Setup,
    sure: &Sureness,
    held: Option<Held>,
) -> ExplanationView {
    let mut table = before.clone();
    let mut moves = Vec::new();
    for explained in &e.moves {
        moves.push(one(explained, &table, sure, held));
        table = explained.judged.after.clone();
    }
    let call = match held {
        Some(_) => Call::Held,
        None => worst(moves.iter().map(|m| m.call)),
    };
    let nudges = e.nudges.iter().filter_map(|n| nudge(n, before)).collect();
    let follows = e.follows.iter().map(|f| f.name.clone()).collect();
    ExplanationView { call, pips: e.pips, moves, nudges, follows }
}

/// One nudge, as it is shown: put back, it stands where it stood on `before`.
pub(super) fn nudge(n: &Nudge, before: &Setup) -> Option<NudgeView> {
    let element = before.element(&n.name)?;
    let stood = element.footprint.moved_to(n.stood);
    Some(NudgeView { name: n.name.clone(), side: element.side, stood, mm: n.mm, going_back: false })
}

/// No where one is; else too close where one is; else yes.
fn worst(calls: impl Iterator<Item = Call>) -> Call {
    calls.fold(Call::Yes, |worst, call| match (worst, call) {
        (Call::No, _) | (_, Call::No) => Call::No,
        (Call::TooClose, _) | (_, Call::TooClose) => Call::TooClose,
        (worst, _) => worst,
    })
}

/// One move with the rules' answer to it, as it is shown.
pub(super) fn one(explained: &Explained, before: &Setup, sure: &Sureness, held: Option<Held>) -> MoveView {
    let (mv, judged) = (&explained.mv, &explained.judged);
    let conditions: Vec<ConditionView> = judged.conditions.iter().map(|c| condition(c, sure)).collect();
    let call = match held {
        Some(_) => Call::Held,
        None => worst(conditions.iter().map(|c| c.call)),
    };
    let reasons = |all: &[Reason]| all.iter().map(reason).collect();
    let paths = mv.movers.iter().chain(&mv.conforming).filter_map(|m| {
        let element = before.element(&m.name)?;
        let way = way(element.footprint.pose(), &m.legs);
        Some(PathView { side: element.side, stood: element.footprint, way })
    });
    MoveView {
        words: words(mv, before),
        line: write_move(mv, before),
        call,
        pips: judged.pips,
        conditions,
        notes: reasons(&judged.notes),
        unchecked: reasons(&judged.unchecked),
        movers: mv.names().map(str::to_owned).collect(),
        paths: paths.collect(),
    }
}

fn reason(r: &Reason) -> ReasonView {
    ReasonView { clause: r.clause.clone(), text: r.text.clone() }
}

fn condition(c: &Condition, sure: &Sureness) -> ConditionView {
    // How far, and whether they are one body, is told by the movers' own ways; all else by how two stand.
    let own = ["dist", "move", "group", "col", "road"]
        .contains(&c.reason.clause.split('.').nth(1).unwrap_or_default());
    let sigma = if own { sure.way_mm } else { sure.between_mm };
    let margin_mm = c.reason.margin.map(|m| (m.mm, sigma));
    let call = match margin_mm {
        Some((mm, sigma)) if mm.abs() <= PLAIN * sigma => Call::TooClose,
        _ if c.reason.holds => Call::Yes,
        _ => Call::No,
    };
    let at = c.reason.margin.map(|m| vec![m.binding.0.at, m.binding.1.at]).unwrap_or_default();
    ConditionView {
        clause: c.reason.clause.clone(),
        text: c.reason.text.clone(),
        call,
        margin_mm,
        remedy: c.remedy.clone(),
        at,
    }
}

/// How far it is from one place to another, and how much it turns on the way where that is worth telling.
pub(super) fn way_words(from: Pose, to: Pose) -> String {
    let turn = from.heading.turn_to_radians(to.heading).to_degrees();
    let hand = if turn > 0.0 { "left" } else { "right" };
    let turned = if turn.abs() > TOLD_DEG {
        format!(", turned {:.0}\u{b0} {hand}", turn.abs())
    } else {
        String::new()
    };
    format!(" {:.1} mm{turned}", (to.centre - from.centre).norm())
}

/// Who moved, and how: as far as the first of them came, and how it was turned.
fn words(mv: &TacticalMove, before: &Setup) -> String {
    let names: Vec<&str> = mv.names().collect();
    let who = match names.as_slice() {
        [one] => (*one).to_owned(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
        [] => String::new(),
    };
    let first = mv.movers.first().and_then(|m| Some((m, before.element(&m.name)?.footprint.pose())));
    let way = first.map_or(String::new(), |(mover, from)| way_words(from, mover.end(from)));
    match &mv.manoeuvre {
        Manoeuvre::Single => format!("{who} moved{way}"),
        Manoeuvre::Group => format!("{who} moved{way} as a group"),
        Manoeuvre::Column => format!("{who} moved{way} as a column"),
        Manoeuvre::IntoColumn => format!("{who} formed a column"),
        Manoeuvre::ByRoad => format!("{who} moved{way} by road"),
        Manoeuvre::Dismount { to, .. } => format!("{who} dismounted as {to}"),
    }
}

/// Where a centre goes along legs, turns in small steps.
pub(super) fn way(from: Pose, legs: &[Leg]) -> Vec<Point> {
    const STEPS: u32 = 8;
    let mut pose = from;
    let mut points = vec![pose.centre];
    for leg in legs {
        match leg {
            Leg::Shift(_) => points.push(leg.applied_to(pose).centre),
            Leg::Turn { .. } => {
                points.extend((1..=STEPS).map(|n| leg.part(pose, f64::from(n) / f64::from(STEPS)).centre));
            }
        }
        pose = leg.applied_to(pose);
    }
    // Turned on the spot, a centre goes nowhere.
    points.dedup_by(|next, before| (*next - *before).norm() < 0.5);
    points
}
