//! Writing a battle as a file: what was played, die by die, with what came of it as what is expected.

use groma::rules::battle::{Act, Battle, Clash, Replay, State, Told};
use groma::rules::notation;
use groma::rules::ruleset::Fate;
use groma::rules::{Element, Location, Setup, Side};
use std::fmt::Write as _;

/// The whole file.
pub(super) fn written(name: &str, battle: &Battle, replay: &Replay) -> String {
    let mut out = String::from("(\n    schema: 1,\n    ruleset: \"dba3\",\n");
    let _ = writeln!(out, "    name: {name:?},");
    // The setup says whose base edge is which, where it is not the usual one.
    let _ = writeln!(out, "    defender: {},", battle.defender.word());
    let _ = writeln!(out, "    setup: \"{}\",", quoted(&notation::write_setup(&replay.start.setup)));
    out.push_str("    bounds: [\n");
    let mut bound = Bound::default();
    let mut before = &replay.start;
    for played in &replay.played {
        bound.take(&played.act, &played.told, &played.written, (before, &played.state));
        if let Told::BoundOver(_) = &played.told {
            out.push_str(&bound.written(battle, before.bound.side, &played.state, &played.told));
            bound = Bound::default();
        }
        before = &played.state;
    }
    out.push_str("    ],\n)\n");
    out
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

fn list<S: AsRef<str>>(names: &[S]) -> String {
    let all: Vec<String> = names.iter().map(|n| format!("\"{}\"", quoted(n.as_ref()))).collect();
    format!("[{}]", all.join(", "))
}

#[derive(Default)]
struct Bound {
    pips: u8,
    rivers: Vec<String>,
    revolts: Vec<String>,
    moves: Vec<String>,
    shooting: Vec<String>,
    combats: Vec<String>,
}

impl Bound {
    fn take(&mut self, act: &Act, told: &Told, line: &str, (before, after): (&State, &State)) {
        match (act, told) {
            (Act::Roll(score), _) => self.pips = *score,
            (Act::River(name, score), _) => {
                self.rivers.push(format!("(\"{}\", {score}, {})", quoted(name), self.moves.len()));
            }
            (Act::Revolt(place), _) => self.revolts.push(format!("\"{}\"", quoted(place))),
            (Act::Move { .. }, _) => self.moves.push(format!("\"{}\"", quoted(line))),
            (Act::Shoot { target, by, dice, own_depth }, Told::Shot(_, clash)) => {
                let expected = expected(clash, own_depth, (before, after));
                self.shooting.push(format!(
                    "(at: \"{target}\", by: {}, dice: ({}, {}){expected})",
                    list(by),
                    dice.0,
                    dice.1
                ));
            }
            (Act::Fight { a, b, dice, own_depth, occupies }, Told::Fought(clash)) => {
                let expected = expected(clash, own_depth, (before, after));
                let who =
                    occupies.as_ref().map_or(String::new(), |who| format!(", occupies: \"{}\"", quoted(who)));
                self.combats
                    .push(format!("(of: (\"{a}\", \"{b}\"), dice: ({}, {}){who}{expected})", dice.0, dice.1));
            }
            _ => {}
        }
    }

    fn written(&self, battle: &Battle, side: Side, after: &State, told: &Told) -> String {
        let mut out = format!("        (side: {}, pips: {},\n", side.word(), self.pips);
        let mut rows = |name: &str, rows: &[String]| {
            if !rows.is_empty() {
                let _ = writeln!(out, "            {name}: [");
                for row in rows {
                    let _ = writeln!(out, "                {row},");
                }
                out.push_str("            ],\n");
            }
        };
        rows("revolts", &self.revolts);
        rows("rivers", &self.rivers);
        rows("moves", &self.moves);
        rows("shooting", &self.shooting);
        rows("combats", &self.combats);
        let Told::BoundOver(ended) = told else { return out };
        let losses = (ended.stand.red.total(), ended.stand.blue.total());
        let _ = write!(
            out,
            "            after: (lost: {}, losses: ({}, {})",
            list(&lost(&after.setup)),
            losses.0,
            losses.1
        );
        let (red, blue) = battle.places(after);
        let place = |p: groma::rules::victory::Places| format!("(camp: {:?}, city: {:?})", p.camp, p.city);
        let _ = write!(out, ", places: ({}, {})", place(red), place(blue));
        if let Some(victor) = after.victor() {
            let _ = write!(out, ", victor: {}", victor.word());
        }
        let _ = write!(out, ",\n                ends: \"");
        for element in after.setup.elements.iter().filter(|e| e.location != Location::Off) {
            let _ = write!(out, "\n{}", quoted(&rounded(element)));
        }
        out.push_str("\")),\n");
        out
    }
}

fn lost(setup: &Setup) -> Vec<&str> {
    setup.elements.iter().filter(|e| e.location == Location::Off).map(|e| e.name.as_str()).collect()
}

fn expected(clash: &Clash, own_depth: &[String], (before, after): (&State, &State)) -> String {
    let word = Fate::word;
    let outcome = &clash.outcome;
    let mut out = String::new();
    if !own_depth.is_empty() {
        let _ = write!(out, ", own_depth: {}", list(own_depth));
    }
    let _ = write!(
        out,
        ", totals: ({}, {}), fates: ({}, {})",
        outcome.totals.0,
        outcome.totals.1,
        word(outcome.a.fate),
        word(outcome.b.fate)
    );
    let was = lost(&before.setup);
    let new: Vec<&str> = lost(&after.setup).into_iter().filter(|name| !was.contains(name)).collect();
    if !new.is_empty() {
        let _ = write!(out, ", lost: {}", list(&new));
    }
    let moved = after.setup.elements.iter().zip(&before.setup.elements).filter(|(now, then)| {
        let (a, b) = (now.footprint.pose(), then.footprint.pose());
        now.location != Location::Off && ((a.centre - b.centre).norm() > 1e-6 || a.heading != b.heading)
    });
    let ends: Vec<String> = moved.map(|(now, _)| quoted(&rounded(now))).collect();
    if !ends.is_empty() {
        let _ = write!(out, ", ends: \"{}\"", ends.join("; "));
    }
    out
}

/// An element with its place to a hundredth of a millimetre.
fn rounded(element: &Element) -> String {
    let pose = element.footprint.pose();
    let near = |mm: f64| (mm * 100.0).round() / 100.0;
    let centre = groma::geometry::Point::new(near(pose.centre.x), near(pose.centre.y));
    let heading = groma::geometry::Heading::from_degrees((pose.heading.degrees() * 1e3).round() / 1e3);
    let at = groma::geometry::Pose { centre, heading };
    notation::write_element(&Element { footprint: element.footprint.moved_to(at), ..element.clone() })
}
