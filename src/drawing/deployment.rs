//! Where each side may deploy, and the lines between the quarters, where a ruling is about them.
//!
//! A zone is an outline: dashed for those who keep 2 BW off the side edges, full and
//! hatched for all others; what an enemy City or Fort keeps free is a band round it.

use super::Situation;
use super::canvas::{Anchor, Canvas, PALE, Style};
use super::view::View;
use crate::geometry::Point;
use crate::rules::setting_up::deployment::{NEAR_SIDES_BW, SIDES_BW, STRONGHOLD_BW, zone};
use crate::rules::terrain::{BoardEdge, TerrainKind};
use crate::rules::{Reason, Side};

fn about(reasons: &[Reason], clauses: &[&str]) -> bool {
    reasons.iter().any(|r| clauses.contains(&r.clause.as_str()))
}

/// Whether the ruling is about where troops deploy.
fn of_zones(reasons: &[Reason]) -> bool {
    about(reasons, &["dba3.dep.3", "dba3.dep.4", "dba3.dep.5", "dba3.dep.6"])
}

/// Whether it is about quarters.
fn of_quarters(reasons: &[Reason]) -> bool {
    about(reasons, &["dba3.place.6", "dba3.place.7", "dba3.place.8", "dba3.terr.4", "dba3.terr.5"])
}

/// Whether the whole board matters to it.
pub(super) fn whole_board(reasons: &[Reason]) -> bool {
    of_zones(reasons) || of_quarters(reasons)
}

/// Zones and quarters, where the ruling is about them.
pub(super) fn deployment(canvas: &mut Canvas, view: &View, situation: &Situation<'_>) {
    let setup = situation.setup;
    let (width, depth) = setup.board_mm;
    if of_quarters(situation.reasons) {
        let lines = [
            [Point::new(width / 2.0, 0.0), Point::new(width / 2.0, depth)],
            [Point::new(0.0, depth / 2.0), Point::new(width, depth / 2.0)],
        ];
        for line in lines {
            canvas
                .line(&view.all_px(line), "stroke=\"#4a4235\" stroke-width=\"2\" stroke-dasharray=\"12 6\"");
        }
    }
    if !of_zones(situation.reasons) {
        return;
    }
    let middle = match setup.edges.red {
        BoardEdge::Near | BoardEdge::Far => [Point::new(0.0, depth / 2.0), Point::new(width, depth / 2.0)],
        BoardEdge::Left | BoardEdge::Right => [Point::new(width / 2.0, 0.0), Point::new(width / 2.0, depth)],
    };
    canvas.line(&view.all_px(middle), "stroke=\"#4a4235\" stroke-width=\"1.2\" stroke-dasharray=\"2 4\"");
    for side in [Side::Red, Side::Blue] {
        let (pattern, rim) = match side {
            Side::Red => ("red-zone", "#c0392b"),
            Side::Blue => ("blue-zone", "#2457a6"),
        };
        let base = setup.edges.of(side);
        if let Some(corners) = zone(setup, base, NEAR_SIDES_BW) {
            let look =
                format!("fill=\"none\" stroke=\"{rim}\" stroke-width=\"1.4\" stroke-dasharray=\"7 4\"");
            canvas.polygon(&view.all_px(corners), &look);
        }
        if let Some(corners) = zone(setup, base, SIDES_BW) {
            let look = format!(
                "fill=\"url(#{pattern})\" fill-opacity=\"0.6\" stroke=\"{rim}\" stroke-width=\"1.4\""
            );
            canvas.polygon(&view.all_px(corners), &look);
            let name = Style { size_px: 11.0, bold: false, colour: PALE, anchor: Anchor::Middle };
            let at = nalgebra::center(&corners[0], &corners[1]);
            let (x, y) = view.px(at);
            let y = if base == BoardEdge::Near { y - 8.0 } else { y + 16.0 };
            let text = format!("{} deploys; dashed: Cv, LH, Ax, Ps", side.word());
            canvas.haloed((x, y), &text, name);
        }
        let places = setup.ground.features.iter().filter(|f| f.side == Some(side.enemy()));
        for place in places.filter(|f| matches!(f.kind, TerrainKind::City | TerrainKind::Fort)) {
            let wide = 2.0 * view.long(STRONGHOLD_BW * setup.scale.mm_per_bw());
            let look = format!(
                "fill=\"none\" stroke=\"{rim}\" stroke-opacity=\"0.12\" stroke-width=\"{wide:.1}\" stroke-linejoin=\"round\""
            );
            canvas.polygon(&view.all_px(place.outline.corners().iter().copied()), &look);
        }
    }
}
