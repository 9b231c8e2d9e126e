//! Whether movers stand legally in contact at the end of the movement phase.

use super::contacts::{self, Touch};
use super::line_up::{Outcome, line_up};
use super::motion::{Motion, Way, sideways_mm};
use crate::geometry::{Edge, Limit, Margin};
use crate::rules::lineup::Told;
use crate::rules::ruleset::Kind;
use crate::rules::{AskError, Context, Element, Reason, Settings, Setup, ask, contact, engagement, exact};
use std::sync::Arc;

/// Why a touch is barred by the mover's type (clauses dba3.con.13, dba3.set.56), if it is.
pub(super) fn barred(touch: &Touch<'_>, settings: &Settings) -> Option<Vec<Reason>> {
    if !is_barred(touch.mover, settings) {
        return None;
    }
    let (a, e) = (&touch.mover.name, &touch.enemy.name);
    let text = format!("{a} is {}, which may not move into contact; it touches {e}", touch.mover.troop);
    let corner = format!("{a} may not even touch {e} at a corner");
    let not = !touch.margin;
    Some(vec![Reason::tested("dba3.con.13", text, not), Reason::tested("dba3.set.56", corner, not)])
}

/// Whether its type may move into no contact (clause dba3.con.13).
fn is_barred(element: &Element, settings: &Settings) -> bool {
    let kinds = [Kind::Command, Kind::Artillery, Kind::WarWagons];
    settings.ruleset().troop(&element.troop).is_some_and(|troop| kinds.contains(&troop.kind))
}

/// What is said of movers of such a type that touch nobody.
pub(super) fn barred_and_apart(movers: &[&Element], settings: &Settings) -> Vec<Reason> {
    let barred = movers.iter().filter(|m| is_barred(m, settings));
    barred
        .map(|m| Reason::holds("dba3.set.56", format!("{} touches no enemy, not even at a corner", m.name)))
        .collect()
}

/// Everything that the end of movement asks of `movers`, who moved together from where they stand in
/// `before` to where they stand in `after`: may they touch the enemy at all, may each contact the flank
/// or rear that it is on, and is the contact lined up, or who conforms. Empty where they touch no enemy.
/// The first that is not allowed, if any, comes first.
///
/// # Errors
/// An unknown name.
pub fn end_of_movement(
    before: &Setup,
    after: &Setup,
    settings: &Settings,
    movers: &[&str],
) -> Result<Vec<Told>, AskError> {
    let party = movers.iter().map(|name| ask::find(after, name)).collect::<Result<Vec<_>, _>>()?;
    let context = Context::of(after, settings);
    let touches = contacts::touches(&party, &context);
    if touches.is_empty() {
        return Ok(Vec::new());
    }
    let mut told = Vec::new();
    for touch in &touches {
        told.push(type_may(touch, settings));
        let start = before.element(&touch.mover.name).unwrap_or(touch.mover);
        told.extend(edge_may(touch, start, &context));
    }
    told.push(lined_up_told(before, after, settings, movers, &touches)?);
    told.sort_by_key(|t| t.allowed);
    Ok(told)
}

/// Whether one element that has moved by itself from where `start` stands surely may not end where `ended` stands,
/// touching these enemies: it is lined up with none of them, and is to conform to one, or can to none. `free` says of
/// a way of lining up with an enemy whether nothing keeps the element from standing so.
pub(in crate::rules) fn surely_unfinished(
    start: &Element,
    ended: &Element,
    enemies: &[&Element],
    context: &Context<'_>,
    free: &dyn Fn(&Element, Way) -> bool,
) -> bool {
    let tolerances = &context.settings.tolerances;
    let touches: Vec<(&Element, Margin)> = enemies
        .iter()
        .map(|enemy| (*enemy, contacts::touching(ended, enemy, tolerances)))
        .filter(|(_, margin)| margin.satisfied())
        .collect();
    let may_line_up = |enemy: &Element| {
        Edge::ALL
            .into_iter()
            .any(|edge| contact::on_edge(ended, enemy, edge, tolerances).margin().satisfied())
            || contact::corner_touch(ended, enemy, tolerances).1.satisfied()
            || engagement::side_to_side(ended, enemy, context).is_some_and(|side| side.satisfied())
    };
    if touches.is_empty() || touches.iter().any(|(enemy, _)| may_line_up(enemy)) {
        return false;
    }
    let mut fronts = false;
    for (enemy, margin) in touches {
        let touch = Touch { mover: ended, enemy, margin };
        for way in contacts::open_ways(&touch, start, context) {
            let from = ended.footprint.pose();
            let motion = Motion { from, to: way.place(&ended.footprint, &enemy.footprint) };
            let slide_mm = sideways_mm(&motion, enemy.footprint.edge(Edge::Front)).abs();
            let slides = way != Way::Front || exact(context.scale.mm_per_bw() - slide_mm) > 0.0;
            if slides && free(enemy, way) {
                return true;
            }
            fronts |= slides && way == Way::Front;
        }
    }
    !fronts
}

fn type_may(touch: &Touch<'_>, settings: &Settings) -> Told {
    let (margin, under) = (touch.margin, Arc::clone(settings.name()));
    match barred(touch, settings) {
        Some(reasons) => Told { margin: !margin, allowed: false, reasons, under },
        None => {
            let text = format!("{} is {}, which may move into contact", touch.mover.name, touch.mover.troop);
            Told { margin, allowed: true, reasons: vec![Reason::holds("dba3.con.13", text)], under }
        }
    }
}

/// Whether the mover may be on the flank or rear edge that its front edge is lined up on or pressed
/// against; none where it is on neither, or was there when it began.
fn edge_may(touch: &Touch<'_>, start: &Element, context: &Context<'_>) -> Option<Told> {
    let (mover, enemy) = (touch.mover, touch.enemy);
    let on = |way: &Way| contacts::lined_up_margin(mover, enemy, *way, context).satisfied();
    let way = Way::ALL.into_iter().find(on)?;
    let from_there = |way| contacts::lined_up_margin(start, enemy, way, context).satisfied();
    if from_there(way) {
        return None;
    }
    let margin = contacts::start_margin(start, enemy, way, context)?;
    let (a, e, edge) = (&mover.name, &enemy.name, way.edge().name());
    let mut reasons = match way {
        Way::Rear => {
            let text = format!("{a} began wholly behind the line of {e}'s rear edge");
            vec![Reason::tested("dba3.con.11", text, margin)]
        }
        _ => {
            let [wholly, corner] = contact::flank_start(start, enemy, way.edge(), context);
            let mut both = vec![
                Reason::tested(
                    "dba3.con.9",
                    format!("{a} began wholly beyond the line of {e}'s {edge}"),
                    wholly,
                ),
                Reason::tested(
                    "dba3.con.10",
                    format!("{a} began partly beyond the lines of {e}'s {edge} and rear edge"),
                    corner,
                ),
            ];
            if wholly.or(corner) == corner {
                both.swap(0, 1);
            }
            if wholly.mm == 0.0 {
                both.push(Reason::tested("dba3.set.54", "touching the line counts as beyond it", wholly));
            }
            both
        }
    };
    let text = format!("who fails that may not contact {e}'s {edge}");
    reasons.push(Reason { holds: margin.satisfied(), ..Reason::holds("dba3.con.12", text) });
    let under = Arc::clone(context.settings.name());
    Some(Told { margin, allowed: margin.satisfied(), reasons, under })
}

/// Whether the contact is lined up, or comes to be by conforming of those who do not move.
fn lined_up_told(
    before: &Setup,
    after: &Setup,
    settings: &Settings,
    movers: &[&str],
    touches: &[Touch<'_>],
) -> Result<Told, AskError> {
    let context = Context::of(after, settings);
    let found = line_up(before, after, settings, movers)?;
    let ways = touches.iter().flat_map(|t| Way::ALL.map(|way| (t, way)));
    let best = ways
        .map(|(t, way)| contacts::lined_up_margin(t.mover, t.enemy, way, &context))
        .reduce(Margin::or)
        .expect("movers that touch an enemy have a margin to it");
    let mut reasons = found.reasons;
    let allowed = match found.outcome {
        Outcome::NoContact | Outcome::LinedUp => {
            let overlap = matches!(found.pair, Some((_, _, Way::Overlap(_))));
            let text = "a line-up is reached, so the move stands";
            reasons.push(Reason::holds("dba3.con.8", text));
            reasons.push(if overlap {
                let text = "an overlap position is legal whether or not that enemy fights already";
                Reason::holds("dba3.ovl.8", text)
            } else {
                Reason::holds("dba3.con.1", "a front edge in contact must give combat")
            });
            true
        }
        Outcome::MoversConform => {
            let text = format!(
                "the contact is unfinished: {} still to conform, by {:.1} mm",
                found.shifts.iter().map(|s| s.name.as_str()).collect::<Vec<_>>().join(", "),
                found.measure_mm
            );
            reasons.insert(0, Reason::tested("dba3.con.2", text, best));
            false
        }
        Outcome::ContactedConform | Outcome::ContactedChoose => true,
        Outcome::NoMove => false,
    };
    let margin = if allowed == best.satisfied() {
        best
    } else {
        // Allowed or refused for something else than how it stands: the figure is that of the touch.
        let touch = touches[0].margin;
        if allowed { touch } else { Margin { limit: Limit::Strict, mm: -touch.mm.abs(), ..touch } }
    };
    Ok(Told { margin, allowed, reasons, under: Arc::clone(settings.name()) })
}
