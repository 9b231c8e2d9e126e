//! Whether an element stands legally lined up with an enemy at the end of movement, and whether one may
//! start a flank or rear contact from where it stands.
//!
//! Clauses: dba3.con.1, .2, .4 to .8 (line-up), .9 to .12 (starts), .13 (types that may make no contact).

use super::engagement;
use super::ruleset::Kind;
use super::{AskError, Context, Element, Location, Question, Reason, Settings, Setup, ask, contact, exact};
use crate::geometry::{Edge, Limit, Margin, separation};
use std::sync::Arc;

/// A ruling on one element or on a start position.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// By how much it holds.
    pub margin: Margin,
    /// Whether it is allowed.
    pub allowed: bool,
    /// Every step, the deciding one first.
    pub reasons: Vec<Reason>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

/// Whether `name`, touching the enemy at the end of its move, is lined up with one of them in one of
/// the four ways. `None` where it touches no enemy.
///
/// # Errors
/// An unknown name or an element that is not on the board.
pub fn lined_up(setup: &Setup, settings: &Settings, name: &str) -> Result<Option<Told>, AskError> {
    let element = ask::find(setup, name)?;
    let context = Context::of(setup, settings);
    let enemies: Vec<&Element> =
        setup.elements.iter().filter(|e| e.side != element.side && e.location == Location::Board).collect();
    let gap = settings.tolerances.contact_gap_mm;
    let touch = |e: &Element| {
        let overhang = element.overhang.front + e.overhang.front.max(e.overhang.sides).max(e.overhang.rear);
        let found = separation(&element.footprint, &e.footprint);
        Margin::closed(exact(gap + overhang - found.mm), found.binding)
    };
    if !enemies.iter().any(|e| touch(e).satisfied()) {
        return Ok(None);
    }
    let (mut ways, mut beside): (Vec<Reason>, Vec<Reason>) = (Vec::new(), Vec::new());
    for enemy in &enemies {
        for (question, clause, what) in [
            (Question::ContactFront, "dba3.con.4", "front edge to front edge"),
            (Question::ContactRear, "dba3.con.5", "front edge to rear edge"),
            (Question::ContactFlank, "dba3.con.6", "front edge to side edge"),
        ] {
            let margin = super::margin(question, element, enemy, &context);
            let text = format!("{what} with {}", enemy.name);
            ways.push(Reason::tested(clause, text, margin));
        }
        let corner = engagement::overlap_position(element, enemy, &context);
        let text = format!("no enemy on its front, in overlap of {}", enemy.name);
        ways.push(Reason::tested("dba3.con.7", text, corner));
        if let Some(side) = engagement::side_to_side(element, enemy, &context) {
            beside.push(Reason::tested(
                "dba3.set.52",
                format!("side edge to side edge with {}", enemy.name),
                side,
            ));
        }
    }
    let best = ways.iter().filter_map(|r| r.margin).reduce(Margin::or);
    let margin = best.expect("an element that touches an enemy has a margin to it");
    let mut reasons: Vec<Reason> = Vec::new();
    if let Some(at) = ways.iter().position(|r| r.margin == Some(margin)) {
        reasons.push(ways.remove(at));
    }
    let allowed = margin.satisfied();
    let text = if allowed { "lined up in one of the four ways" } else { "lined up in none of the four ways" };
    reasons.push(Reason::tested("dba3.con.2", text, margin));
    let overlap = reasons.first().is_some_and(|r| r.clause == "dba3.con.7");
    if !allowed {
        reasons.push(Reason::fails("dba3.con.8", "no line-up is reached, so the move does not take place"));
        reasons.push(Reason::fails("dba3.con.1", "as it stands the contact gives no combat"));
        reasons.push(Reason::fails("dba3.ovl.8", "it stands in no overlap position"));
    } else {
        reasons.push(Reason::holds("dba3.con.8", "a line-up is reached, so the move stands"));
        if overlap {
            let text = "an overlap position is legal whether or not that enemy fights already";
            reasons.push(Reason::holds("dba3.ovl.8", text));
        } else {
            reasons.push(Reason::holds("dba3.con.1", "a front edge in contact must give combat"));
        }
    }
    reasons.extend(ways);
    reasons.extend(beside);
    Ok(Some(Told { margin, allowed, reasons, under: Arc::clone(settings.name()) }))
}

/// Whether `a`, standing where it does, may move into contact with `edge` of `b`.
///
/// # Errors
/// As [`super::ask`]; the front edge may be contacted from anywhere.
pub fn may_start(setup: &Setup, settings: &Settings, a: &str, b: &str, edge: Edge) -> Result<Told, AskError> {
    // The question's own checks: known, different, enemies, on the board.
    ask(setup, settings, Question::BehindFlankLine, a, b)?;
    let (a, b) = (ask::find(setup, a)?, ask::find(setup, b)?);
    let context = Context::of(setup, settings);
    let mut reasons = match edge {
        Edge::Left | Edge::Right => {
            let [wholly, corner] = contact::flank_start(a, b, edge, &context);
            let side = edge.name();
            let mut found = vec![
                Reason::tested(
                    "dba3.con.9",
                    format!("{} wholly beyond the line of {}'s {side}", a.name, b.name),
                    wholly,
                ),
                Reason::tested(
                    "dba3.con.10",
                    format!("{} partly beyond the lines of {}'s {side} and rear edge", a.name, b.name),
                    corner,
                ),
            ];
            if wholly.or(corner) == corner {
                found.swap(0, 1);
            }
            if wholly.mm == 0.0 {
                let text = "touching the line counts as beyond it";
                found.push(Reason::tested("dba3.set.54", text, wholly));
            }
            if contact::wholly_beyond(&a.footprint, &b.footprint, Edge::Rear, Limit::Closed).satisfied() {
                found.push(Reason::tested(
                    "dba3.set.55",
                    "wholly behind and partly outside is a start from the rear corner",
                    corner,
                ));
            }
            found
        }
        Edge::Rear => {
            let margin = contact::wholly_beyond(&a.footprint, &b.footprint, Edge::Rear, Limit::Closed);
            let text = format!("{} wholly behind the line of {}'s rear edge", a.name, b.name);
            vec![Reason::tested("dba3.con.11", text, margin)]
        }
        Edge::Front => {
            let found = separation(&a.footprint, &b.footprint);
            let margin = Margin::closed(f64::MAX, found.binding);
            vec![Reason::tested("dba3.con.12", "the front edge may be contacted from anywhere", margin)]
        }
    };
    let margin = reasons.iter().filter_map(|r| r.margin).reduce(Margin::or);
    let margin = margin.expect("every edge has a test");
    let mut allowed = margin.satisfied();
    if edge != Edge::Front {
        let text = format!("what fails both tests may not contact the {}", edge.name());
        reasons.push(Reason { holds: allowed, ..Reason::holds("dba3.con.12", text) });
    }
    if let Some(troop) = settings.ruleset().troop(&a.troop) {
        let barred = matches!(troop.kind, Kind::Command | Kind::Artillery | Kind::WarWagons);
        let text = format!("{} may not move into contact with the enemy", troop.code);
        if barred {
            allowed = false;
            reasons.insert(0, Reason::fails("dba3.con.13", text));
        } else {
            reasons.push(Reason::holds("dba3.con.13", format!("{} may move into contact", troop.code)));
        }
    }
    Ok(Told { margin, allowed, reasons, under: Arc::clone(settings.name()) })
}
