//! A ruling as a drawing: bases, ground, threat zones, paths, and the points that bind, as SVG.
//!
//! Table frame in, millimetres; the drawing's own unit is the pixel, y down. Colour never carries a meaning
//! alone: sides have their own hatching, a condition that holds a tick and one that fails a cross. Pure:
//! text comes out, files are written elsewhere. Invariant: every name is escaped, so no name breaks a
//! drawing.

mod bases;
mod canvas;
mod deployment;
mod ground;
mod labels;
mod legend;
mod marks;
mod matrix_page;
mod paths;
mod region;
mod view;
mod zones;

use crate::geometry::Point;
use crate::rules::movement::TacticalMove;
use crate::rules::{Reason, Settings, Setup};
use canvas::Canvas;
use legend::Legend;
use view::View;

pub use matrix_page::matrix_page;

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
    /// Where somebody may go: rings of centres, outer ones anticlockwise, holes clockwise. Empty for none.
    pub outline: &'a [Vec<Point>],
    /// The reasons, the deciding one first.
    pub reasons: &'a [Reason],
    /// How many of the reasons, from the first, are conditions; the others were read to get there.
    pub conditions: usize,
}

/// Draws it: the part of the table that it is about, and the reasons beside it.
pub fn svg(situation: &Situation<'_>) -> String {
    let view = View::of(situation);
    let room = Legend::of(&view, situation, |_| true);
    let height = view.height_px().max(room.height_px);
    let (mut canvas, marked) = drawn(situation, &view, room.shown, height);
    let legend = Legend::of(&view, situation, |n| marked.contains(&n));
    legend.draw(&mut canvas, &view, situation, height);
    canvas.finish()
}

/// Draws the whole table, and no words beside it.
pub fn table_svg(situation: &Situation<'_>) -> String {
    let view = View::whole(situation.setup);
    drawn(situation, &view, situation.reasons.len(), view.height_px()).0.finish()
}

/// The table, with which of the first `listed` reasons are marked on it.
fn drawn(situation: &Situation<'_>, view: &View, listed: usize, height_px: f64) -> (Canvas, Vec<usize>) {
    let mut canvas = Canvas::new(view.width_px(), height_px);
    canvas.hatches();
    let ground = &situation.setup.ground;
    ground::table(&mut canvas, view, situation.setup);
    ground::features(&mut canvas, view, ground);
    deployment::deployment(&mut canvas, view, situation);
    zones::zones(&mut canvas, view, situation);
    region::region(&mut canvas, view, situation.outline);
    let mut taken = labels::Taken::default();
    bases::standing(&mut canvas, view, situation, &mut taken);
    ground::names(&mut canvas, view, ground, &mut taken);
    paths::paths(&mut canvas, view, situation, &mut taken);
    bases::names(&mut canvas, view, situation, &mut taken);
    let marked = marks::marks(&mut canvas, view, situation, listed, &mut taken);
    canvas.frame(view.table_px(), height_px);
    (canvas, marked)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Question, Ruleset, ask, notation};

    fn drawn(text: &str, made: &str) -> String {
        let settings = Settings::dba3();
        let setup = notation::read_setup(text, &Ruleset::dba3()).expect("a setup");
        let line = notation::read_move(made, settings.ruleset(), setup.scale).expect("a move");
        let made = line.on(&setup).expect("on the setup");
        let after = made.applied_to(&setup);
        let ruling = ask(&after, &settings, Question::InZoneOf, "A & <B>", "E").expect("a ruling");
        svg(&Situation {
            title: "into the zone & out",
            question: "is it in the zone?",
            answer: "yes",
            setup: &setup,
            settings: &settings,
            moves: &[made],
            after: Some(&after),
            outline: &[],
            reasons: &ruling.reasons,
            conditions: ruling.reasons.len(),
        })
    }

    #[test]
    fn every_number_on_the_table_stands_in_the_list() {
        let setup = notation::read_setup(SETUP, &Ruleset::dba3()).expect("a setup");
        let settings = Settings::dba3();
        let ruling = ask(&setup, &settings, Question::InZoneOf, "A & <B>", "E").expect("a ruling");
        let one = ruling.reasons.iter().find(|r| r.margin.is_some()).expect("a measured one");
        // A reason so long that the list has no room for the next.
        let long = Reason { text: "word ".repeat(3000), margin: None, ..one.clone() };
        let reasons = [long, one.clone()];
        let text = svg(&Situation {
            title: "a long story",
            question: "is it?",
            answer: "yes",
            setup: &setup,
            settings: &settings,
            moves: &[],
            after: None,
            outline: &[],
            reasons: &reasons,
            conditions: 2,
        });
        assert!(text.contains("and 1 more"));
        assert!(!text.contains(">2  "), "a mark without an entry");
    }

    #[test]
    fn what_lies_out_of_view_is_not_named_and_gates_are_drawn() {
        let text = drawn(
            &format!(
                "{SETUP}; ground road Far (14.5,0)-(14.5,15) w0.5; ground city Ur box (4,8)-(6,10) gates (5,8)"
            ),
            "\"A & <B>\" ahead 2",
        );
        assert!(text.contains("Ur, city") && !text.contains("Far, road"), "{text}");
        assert!(text.contains("white square: gate"));
    }

    const SETUP: &str = "\"A & <B>\" 4Bd red (5,5)-(6,5) N; E 4Bd blue (6,7.5)-(5,7.5) S; \
                         ground wood Beech box (7,5)-(8,6)";

    #[test]
    fn names_are_escaped_and_every_mark_opened_is_closed() {
        let text = drawn(SETUP, "\"A & <B>\" ahead 2");
        assert!(text.contains("A &amp; &lt;B&gt;") && !text.contains("<B>"));
        let (tree, rest): (usize, usize) = (text.matches("<svg").count(), text.matches("</svg>").count());
        assert_eq!((tree, rest), (1, 1));
        for line in text.lines().filter(|l| l.starts_with('<') && !l.starts_with("<svg")) {
            let closed = line.ends_with("/>") || line.contains("</");
            assert!(closed, "{line}");
            assert_eq!(line.matches('"').count() % 2, 0, "{line}");
        }
    }

    #[test]
    fn zone_ground_path_and_binding_margin_are_there() {
        let text = drawn(SETUP, "\"A & <B>\" ahead 2");
        for part in
            ["url(#blue-zone)", "Beech, wood", "2.00 BW", "+20.0 mm", "dba3.tz.1", "stroke-dasharray=\"4 3\""]
        {
            assert!(text.contains(part), "{part} is missing");
        }
        // Only the side that does not move has its zones drawn.
        assert!(!text.contains("url(#red-zone)"));
    }

    #[test]
    fn nothing_is_drawn_where_a_figure_is_no_number() {
        let text = drawn(SETUP, "\"A & <B>\" turn left 30 then ahead 0.2");
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    }
}
