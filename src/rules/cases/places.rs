//! Questions about where elements stand.

use super::answer::{Answer, Posed};
use super::asked::EdgeName;
use crate::geometry::Edge;
use crate::rules::{AskError, Context, Element, Question, Reason, ask, engagement, lineup, passage};

pub(super) fn fault(error: AskError) -> String {
    error.to_string()
}

pub(super) fn element<'a>(posed: &Posed<'a>, name: &str) -> Result<&'a Element, String> {
    posed.setup.element(name).ok_or_else(|| format!("no element is called `{name}`"))
}

pub(super) fn geometry(posed: &Posed<'_>, question: Question, a: &str, b: &str) -> Result<Answer, String> {
    let ruling = ask(posed.setup, posed.settings, question, a, b).map_err(fault)?;
    Ok(Answer::measured(ruling.margin.satisfied(), ruling.margin.mm, ruling.reasons))
}

pub(super) fn may_start(posed: &Posed<'_>, a: &str, b: &str, edge: EdgeName) -> Result<Answer, String> {
    lineup::may_start(posed.setup, posed.settings, a, b, Edge::from(edge)).map(Answer::told).map_err(fault)
}

pub(super) fn lined_up(posed: &Posed<'_>, name: &str) -> Result<Answer, String> {
    let told = lineup::lined_up(posed.setup, posed.settings, name).map_err(fault)?;
    told.map(Answer::told).ok_or_else(|| format!("{name} touches no enemy"))
}

pub(super) fn pressed(posed: &Posed<'_>, of: &str, foe: &str, edge: EdgeName) -> Result<Answer, String> {
    let context = Context::of(posed.setup, posed.settings);
    let exposed = &posed.case.conditions.exposed;
    let found = engagement::pressed(element(posed, of)?, element(posed, foe)?, &context, exposed);
    let pressure = found.edge(Edge::from(edge));
    let mut reasons: Vec<Reason> = found.by.iter().flat_map(|p| p.reasons.clone()).collect();
    reasons.extend(found.not.iter().cloned());
    let pressed: Vec<String> = found
        .by
        .iter()
        .map(|p| format!("{} by {}", p.edge.name(), p.by.as_deref().unwrap_or("the board's edge")))
        .collect();
    let said = if pressed.is_empty() { "no edge is pressed".to_owned() } else { pressed.join(", ") };
    Ok(Answer {
        margin_mm: pressure.map(|p| p.margin.mm),
        ..Answer::plain(pressure.is_some(), said, reasons)
    })
}

/// May that element, recoiling so many base widths, pass through those that it meets?
pub(super) fn recoil_passage(posed: &Posed<'_>, name: &str, by_bw: f64) -> Result<Answer, String> {
    let by_mm = by_bw * posed.setup.scale.mm_per_bw();
    let found = passage::recoil(posed.setup, posed.settings, name, by_mm).map_err(fault)?;
    let found = found.ok_or_else(|| format!("{name} meets nobody in recoiling {by_bw} BW"))?;
    let mut after = posed.setup.clone();
    if let Ok(to) = found.to
        && let Some(element) = after.elements.iter_mut().find(|e| e.name == name)
    {
        element.footprint = element.footprint.moved_to(to);
    }
    let (may, met) = (found.to.is_ok(), found.met.join(", "));
    let said = format!(
        "{name} meets {met} after {:.1} mm and {} pass",
        found.meets_mm,
        if may { "may" } else { "may not" }
    );
    Ok(Answer {
        after: Some(after),
        margin_mm: found.space.map(|m| m.mm),
        ..Answer::plain(may, said, found.reasons)
    })
}
