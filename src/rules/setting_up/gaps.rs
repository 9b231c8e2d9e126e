//! How far area features are apart, and from the edges of the battlefield.
//!
//! Table frame, millimetres. Clauses: dba3.place.10, .11, dba3.bua.2.

use super::body::{Body, rims};
use crate::geometry::Margin;
use crate::rules::stronghold::Terms;
use crate::rules::terrain::BoardEdge;
use crate::rules::{Setup, exact};

/// Least gap, base widths.
pub(super) const GAP_BW: f64 = 1.0;

/// Whether a feature keeps off the others and off the edges. Every other feature that is too near is told, else the
/// nearest.
pub fn gaps(setup: &Setup, body: &Body<'_>, others: &[Body<'_>]) -> Terms {
    let mut terms = Terms::default();
    let (name, bw) = (body.name(), setup.scale.mm_per_bw());
    let mut found: Vec<(f64, String, Margin)> = others
        .iter()
        .filter(|other| other.main.name != body.main.name)
        .map(|other| {
            let gap = body.gap(other);
            let margin = Margin::closed(exact(gap.mm - GAP_BW * bw), rims(gap.of_a, gap.of_b));
            let text = if margin.satisfied() {
                format!("{name} is {:.2} BW from {}; 1 BW at least", gap.mm / bw, other.name())
            } else if gap.mm < 0.0 {
                format!("{name} overlaps {}: move it {:.1} mm", other.name(), -margin.mm)
            } else {
                format!("{name} is {:.1} mm too near {}", -margin.mm, other.name())
            };
            (margin.mm, text, margin)
        })
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let told = found.iter().filter(|f| f.0 < 0.0).count().max(1);
    for (_, text, margin) in found.into_iter().take(told) {
        terms.test("dba3.place.10", text, margin);
    }
    edges(setup, body, &mut terms);
    terms
}

/// Off the edges: all but a BUA keep 1 BW, a BUA stays on the board. A hill with a City or Fort is no BUA.
fn edges(setup: &Setup, body: &Body<'_>, terms: &mut Terms) {
    let (name, bw) = (body.name(), setup.scale.mm_per_bw());
    let least = if body.kind().is_bua() { 0.0 } else { GAP_BW * bw };
    let nearest = body
        .corners()
        .flat_map(|p| BoardEdge::ALL.map(|edge| (edge.from(p, setup.board_mm), edge, p)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .expect("a feature has corners");
    let (mm, edge, at) = nearest;
    let margin = Margin::closed(exact(mm - least), rims(at, edge.foot(at, setup.board_mm)));
    let text = match (margin.satisfied(), body.kind().is_bua()) {
        (true, true) => format!("{name} is {:.2} BW from the {}; a BUA may touch it", mm / bw, edge.name()),
        (true, false) => format!("{name} is {:.2} BW from the {}; 1 BW at least", mm / bw, edge.name()),
        (false, true) => format!("{name} sticks out over the {} by {:.1} mm", edge.name(), -margin.mm),
        (false, false) => format!("{name} is {:.1} mm too near the {}", -margin.mm, edge.name()),
    };
    terms.test("dba3.place.11", text, margin);
}
