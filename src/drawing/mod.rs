//! A ruling as a drawing: bases, ground, threat zones, paths, and the points that bind, as SVG.
//!
//! Table frame in, millimetres; the drawing's own unit is the pixel, y down. Colour never carries a meaning
//! alone: sides have their own hatching, a condition that holds a tick and one that fails a cross. Pure:
//! text comes out, files are written elsewhere. Invariant: every name is escaped, so no name breaks a
//! drawing.

mod bases;
mod canvas;
mod ground;
mod labels;
mod legend;
mod marks;
mod paths;
mod view;
mod zones;

use crate::rules::movement::TacticalMove;
use crate::rules::{Reason, Settings, Setup};
use canvas::Canvas;
use view::View;

/// What is to be drawn.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// What it shows.
    pub title: &'a str,
    /// The question, in words.
    pub question: &'a str,
    /// The answer, in words.
    pub answer: &'a str,
    /// The table, before any move.
    pub setup: &'a Setup,
    /// The settings that the answer was given under.
    pub settings: &'a Settings,
    /// The moves that were made, each on the table as the one before it left it.
    pub moves: &'a [TacticalMove],
    /// The table afterwards, where there are moves or something conformed.
    pub after: Option<&'a Setup>,
    /// The reasons, the deciding one first.
    pub reasons: &'a [Reason],
}

/// Draws it.
pub fn svg(situation: &Situation<'_>) -> String {
    let view = View::of(situation);
    let mut canvas = Canvas::new(view.width_px(), view.height_px());
    canvas.hatches();
    ground::table(&mut canvas, &view, situation.setup);
    ground::features(&mut canvas, &view, &situation.setup.ground);
    zones::zones(&mut canvas, &view, situation);
    bases::standing(&mut canvas, &view, situation);
    let mut taken = labels::Taken::default();
    bases::names(&mut canvas, &view, situation, &mut taken);
    paths::paths(&mut canvas, &view, situation, &mut taken);
    let marked = marks::marks(&mut canvas, &view, situation, &mut taken);
    canvas.frame(view.table_px(), view.height_px());
    legend::legend(&mut canvas, &view, situation, &marked);
    canvas.finish()
}
