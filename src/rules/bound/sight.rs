//! What hides troops from their general: crests, buildings, camps, woods, dunes (clauses dba3.pip.11 to .14,
//! dba3.set.29, .99).
//!
//! Troops are past a feature where the straight lines from the general's base to them cross it. Lines are
//! drawn between the corners, edge middles and centres of both bases: between them lie all the others. A
//! line's margin is the shift that would clear it of the feature, strict for a rim, closed for a crest, which has
//! no width. Table frame, millimetres.

use crate::geometry::{
    Binding, Edge, Feature as Place, Footprint, Margin, Part, Point, Whose, convex, gap_to_area, of_ground,
    room_inside_area, separation_from_area,
};
use crate::rules::ruleset::Ruleset;
use crate::rules::settings::CommandBeyond;
use crate::rules::terrain::{Command, Feature, Ground};
use crate::rules::{Element, Reason, Settings, by_size, exact};

/// A feature that may hide the movers, and by how much it does.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Hides {
    /// By how much all of them are hidden by it.
    pub margin: Margin,
    /// The clause and what it comes to.
    pub reasons: Vec<Reason>,
}

/// Every feature that may hide the movers from their general, the one that hides most first.
pub(super) fn hiding(
    ground: &Ground,
    general: &Element,
    movers: &[&Element],
    settings: &Settings,
) -> Vec<Hides> {
    let rules: &Ruleset = settings.ruleset();
    let mut found: Vec<Hides> = Vec::new();
    for feature in &ground.features {
        for (test, clause) in &rules.terrain(feature.kind).command {
            let Some(margin) = hidden(*test, feature, general, movers, settings) else { continue };
            let (name, who) = (&feature.name, who(movers));
            let place = match test {
                Command::PastCrest => format!("past the crest of {name}"),
                Command::Past => format!("past {name}"),
                Command::InOrPast => format!("in {name} or past it"),
            };
            let not = if margin.satisfied() { "is wholly" } else { "is not wholly" };
            let text = format!("{who} {not} {place} as {} sees it", general.name);
            let mut reasons = vec![Reason::tested(clause, text, margin)];
            let lines = match settings.command_beyond_test {
                CommandBeyond::AllLines => "each straight line from the general's element must cross it",
                CommandBeyond::CentreLine => "the line between the middles must cross it",
                CommandBeyond::AnyLine => "one straight line from the general's element must cross it",
            };
            reasons.push(Reason { margin: None, ..Reason::tested("dba3.set.29", lines, margin) });
            if *test == Command::InOrPast && both_in_and_past(feature, movers) {
                let text = if settings.command_in_and_beyond {
                    format!("partly in {name} and partly past it is in or past it")
                } else {
                    format!("by the setting all must be in {name}, or all past it")
                };
                let holds = settings.command_in_and_beyond && margin.satisfied();
                reasons.push(Reason { holds, ..Reason::holds("dba3.set.99", text) });
            }
            found.push(Hides { margin, reasons });
        }
    }
    found.sort_by(|a, b| by_size(b.margin.mm, a.margin.mm));
    found
}

/// The movers as one, in a sentence.
pub(super) fn who(movers: &[&Element]) -> String {
    movers.iter().map(|e| e.name.as_str()).collect::<Vec<_>>().join("+")
}

/// By how much all the movers are hidden by one feature; `None` where it has no crest to be past.
fn hidden(
    test: Command,
    feature: &Feature,
    general: &Element,
    movers: &[&Element],
    settings: &Settings,
) -> Option<Margin> {
    let past = |mover: &Element| lines_cross(test, feature, &general.footprint, &mover.footprint, settings);
    let inside = |mover: &Element| {
        let room = room_inside_area(&mover.footprint, &feature.outline);
        Margin::closed(exact(room.mm), room.binding)
    };
    let clear = |mover: &Element| {
        let apart = separation_from_area(&mover.footprint, &feature.outline);
        Margin::closed(exact(apart.mm), apart.binding)
    };
    let all = |of: &dyn Fn(&Element) -> Option<Margin>| {
        movers.iter().map(|m| of(m)).collect::<Option<Vec<_>>>()?.into_iter().reduce(Margin::and)
    };
    match test {
        Command::PastCrest => all(&|m| past(m)),
        Command::Past => all(&|m| Some(past(m)?.and(clear(m)))),
        Command::InOrPast if settings.command_in_and_beyond => all(&|m| Some(past(m)?.or(inside(m)))),
        Command::InOrPast => {
            let (all_in, all_past) = (all(&|m| Some(inside(m)))?, all(&|m| Some(past(m)?.and(clear(m))))?);
            Some(all_in.or(all_past))
        }
    }
}

/// Whether the movers lie partly in a feature and partly out of it.
fn both_in_and_past(feature: &Feature, movers: &[&Element]) -> bool {
    let within = |m: &&&Element| room_inside_area(&m.footprint, &feature.outline).mm >= 0.0;
    let touches = movers.iter().any(|m| separation_from_area(&m.footprint, &feature.outline).mm < 0.0);
    touches && movers.iter().filter(within).count() < movers.len()
}

/// By how much the lines from the general to one mover cross the feature.
fn lines_cross(
    test: Command,
    feature: &Feature,
    general: &Footprint,
    mover: &Footprint,
    settings: &Settings,
) -> Option<Margin> {
    let line = |from: Point, to: Point| match test {
        Command::PastCrest => {
            let parts = feature.hill.as_ref()?.crest_parts();
            let crossed = parts.map(|part| {
                let found = convex::gap(&[from, to], &[part.start, part.end]);
                Margin::closed(exact(-found.mm), binding(found.of_a, Part::Crest, found.of_b))
            });
            crossed.reduce(Margin::or)
        }
        Command::Past | Command::InOrPast => {
            let found = gap_to_area(&[from, to], &feature.outline);
            Some(Margin::strict(exact(-found.mm), binding(found.of_a, Part::Rim, found.of_b)))
        }
    };
    let lines = || marks(general).into_iter().flat_map(|from| marks(mover).map(|to| (from, to)));
    match settings.command_beyond_test {
        CommandBeyond::CentreLine => line(general.pose().centre, mover.pose().centre),
        CommandBeyond::AllLines => lines().filter_map(|(from, to)| line(from, to)).reduce(Margin::and),
        CommandBeyond::AnyLine => lines().filter_map(|(from, to)| line(from, to)).reduce(Margin::or),
    }
}

fn binding(on_line: Point, part: Part, on_ground: Point) -> Binding {
    Binding(Place { whose: Whose::A, part: Part::Inside, at: on_line }, of_ground(part, on_ground))
}

/// The points of a base that lines are drawn between.
fn marks(base: &Footprint) -> [Point; 9] {
    let corners = base.outline();
    let middles = Edge::ALL.map(|edge| {
        let edge = base.edge(edge);
        edge.start + (edge.end - edge.start) / 2.0
    });
    let mut all = [base.pose().centre; 9];
    all[..4].copy_from_slice(&corners);
    all[4..8].copy_from_slice(&middles);
    all
}
