//! Enemy front edges that keep an element from recoiling: on a side edge, on the rear edge, or touching a rear corner. It is
//! destroyed where it would recoil (clause dba3.rec.16).
//!
//! Table frame, millimetres. Poses are taken as exact, contact within the settings' tolerances.

use super::contact;
use crate::geometry::{Binding, Corner, Edge, Feature, Margin, Part, Whose};
use crate::rules::{Context, Element, Reason, Tolerances, exact, neighbours};

/// Every way in which `enemy`'s front edge may pin `element`: the edge or corner that it is on, and by how much.
pub(in crate::rules) fn pin_ways<'e>(
    enemy: &'e Element,
    element: &'e Element,
    tolerances: &'e Tolerances,
) -> impl Iterator<Item = (&'static str, Margin)> + 'e {
    let edges = [Edge::Left, Edge::Right, Edge::Rear]
        .into_iter()
        .map(move |edge| (edge.name(), contact::on_edge(enemy, element, edge, tolerances).margin()));
    let front = enemy.footprint.edge(Edge::Front);
    let corners = [Corner::RearLeft, Corner::RearRight].into_iter().map(move |corner| {
        let at = element.footprint.corner(corner);
        let (nearest, _) = front.nearest_to(at);
        let binding = Binding(
            Feature { whose: Whose::A, part: Part::Corner(corner), at },
            Feature { whose: Whose::B, part: Part::Edge(Edge::Front), at: nearest },
        );
        let mm = exact(tolerances.contact_gap_mm - (nearest - at).norm());
        (corner.name(), Margin::closed(mm, binding))
    });
    edges.chain(corners)
}

/// By how much `enemy`'s front edge pins `element`.
pub(in crate::rules) fn pins(enemy: &Element, element: &Element, tolerances: &Tolerances) -> Margin {
    let margins = pin_ways(enemy, element, tolerances).map(|(_, margin)| margin);
    margins.reduce(Margin::or).expect("there are edges and corners")
}

/// The first enemy whose front edge pins `element`, and how.
pub(in crate::rules) fn pinned_by<'c>(
    element: &Element,
    context: &Context<'c>,
) -> Option<(&'c Element, Reason)> {
    let enemies = context.others(element, element).filter(|e| e.side != element.side);
    let near = enemies.filter(|e| neighbours::may_touch(e, element, 0.0));
    near.into_iter().find_map(|enemy| {
        let mut found = pin_ways(enemy, element, &context.settings.tolerances);
        let (part, margin) = found.find(|(_, margin)| margin.satisfied())?;
        let text = format!("{}'s front edge is on {}'s {part}", enemy.name, element.name);
        Some((enemy, Reason::tested("dba3.rec.16", text, margin)))
    })
}
