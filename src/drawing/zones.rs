//! Threat zones, hatched.

use super::Situation;
use super::canvas::Canvas;
use super::view::View;
use crate::rules::{Location, Side, threat_zones};

/// Whether zones matter to it: something moves, or a reason is about them.
fn wanted(situation: &Situation<'_>) -> bool {
    let about = |clause: &str| clause.starts_with("dba3.tz.") || clause.starts_with("dba3.set.4");
    !situation.moves.is_empty() || situation.reasons.iter().any(|r| about(&r.clause))
}

/// The zones of the side that does not move; of both where nobody moves.
pub(super) fn zones(canvas: &mut Canvas, view: &View, situation: &Situation<'_>) {
    if !wanted(situation) {
        return;
    }
    let setup = situation.setup;
    let mover = situation.moves.first().and_then(|m| m.names().next()).and_then(|name| setup.element(name));
    for element in setup.elements.iter().filter(|e| e.location == Location::Board) {
        if mover.is_some_and(|mover| mover.side == element.side) {
            continue;
        }
        let (pattern, rim) = match element.side {
            Side::Red => ("red-zone", "#c0392b"),
            Side::Blue => ("blue-zone", "#2457a6"),
        };
        for zone in threat_zones(element, setup.scale, situation.settings) {
            let look = format!(
                "fill=\"url(#{pattern})\" stroke=\"{rim}\" stroke-width=\"1\" stroke-dasharray=\"5 3\""
            );
            canvas.polygon(&view.all_px(zone.outline()), &look);
        }
    }
}
