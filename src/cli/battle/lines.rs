//! `groma battle --json`: one object a line, for each act of a written battle with what came of it, then one for its end.
//!
//! Millimetres and degrees, the table's frame, rounded to 0.001.

use crate::cli::judge::standing_json;
use crate::geometry::Pose;
use crate::judge::rounded;
use crate::rules::aftermath::{Choice, Step};
use crate::rules::battle::{Act, Clash, Played, Replay, Script, Told};
use crate::rules::closing::Closed;
use crate::rules::combat::FateRuling;
use crate::rules::conform::{LineUp, Shift};
use crate::rules::victory::Tally;
use crate::rules::{Element, Location, Reason, Setup};
use serde_json::{Map, Value, json};
use std::path::Path;

/// Every line of a battle that was played. `remarks` are what is odd about its table.
pub(super) fn lines(file: &Path, script: &Script, played: &Replay, remarks: &[String]) -> Vec<Value> {
    let mut before = &played.start.setup;
    let mut out = Vec::with_capacity(played.played.len() + 1);
    for one in &played.played {
        out.push(act(file, one, before));
        before = &one.state.setup;
    }
    let state = played.state();
    let stopped = played.stopped.as_ref().map(|(at, why)| json!({"at": at, "why": why}));
    out.push(json!({
        "file": file.display().to_string(),
        "act": "over",
        "battle": script.name,
        "bounds": played.played.last().map_or(0, |p| p.bound),
        "victor": state.victor().map(|side| side.word()),
        "stopped": stopped,
        "as_written": played.agrees(),
        "remarks": remarks,
        "under": &**script.battle.settings.name(),
    }));
    out
}

fn act(file: &Path, played: &Played, before: &Setup) -> Value {
    let mut line = Map::new();
    let mut put = |name: &str, value: Value| {
        line.insert(name.to_owned(), value);
    };
    let (after, bound) = (&played.state.setup, &played.state.bound);
    put("file", json!(file.display().to_string()));
    put("bound", json!(played.bound));
    match &played.act {
        Act::Roll(pips) => {
            put("act", json!("roll"));
            put("side", json!(bound.side.word()));
            put("die", json!(pips));
        }
        Act::River(river, die) => {
            put("act", json!("river"));
            put("river", json!(river));
            put("die", json!(die));
        }
        Act::Revolt(city) => {
            put("act", json!("revolt"));
            put("city", json!(city));
        }
        Act::Move { refuses, .. } => {
            put("act", json!("move"));
            put("move", json!(played.written));
            put("refuses", json!(refuses));
        }
        Act::EndMoves { .. } => put("act", json!("end_of_moves")),
        Act::Aim { shooter, target } => {
            put("act", json!("aim"));
            put("shooter", json!(shooter));
            put("target", json!(target));
        }
        Act::Shoot { by, .. } => {
            put("act", json!("shooting"));
            put("shooters", json!(by));
        }
        Act::EndShooting => put("act", json!("end_of_shooting")),
        Act::Fight { .. } => put("act", json!("close_combat")),
        Act::EndBound => put("act", json!("end_of_bound")),
    }
    match &played.told {
        Told::Rolled(why) => put("reasons", json!(why)),
        Told::Moved { judged, line_up } => {
            put("pips", json!(judged.pips));
            put(
                "conforms",
                shifts(line_up.contacted.iter().filter_map(|c| c.shifts.as_ref()).flatten(), after),
            );
            put("may_refuse", may_refuse(line_up));
            let mut reasons: Vec<&Reason> = judged.reasons().collect();
            reasons.extend(&line_up.reasons);
            put("reasons", json!(reasons));
        }
        Told::MovesOver(closed) => {
            let turned = closed.turned.iter().map(|t| {
                json!({
                    "who": t.name, "towards": t.towards, "moves": shifts(t.shifts.iter(), &closed.after),
                    "may_face": t.choices.iter().map(|(enemy, _)| enemy).collect::<Vec<_>>(), "reasons": t.reasons,
                })
            });
            put("turned", turned.collect());
        }
        Told::Aimed(_) | Told::ShootingOver => {}
        Told::Shot(fire, clash) => {
            put("aiders", json!(fire.aiders));
            put("order_and_choice", json!(fire.reasons));
            clashed(clash, before, after, &mut put);
        }
        Told::Fought(clash) => clashed(clash, before, after, &mut put),
        Told::BoundOver(ended) => {
            put("conforms", conformed(&ended.conformed));
            put("losses", json!({"red": tally(&ended.stand.red), "blue": tally(&ended.stand.blue)}));
            put("victor", json!(played.state.victor().map(|side| side.word())));
            put("reasons", json!(ended.stand.reasons));
        }
    }
    put("differs", json!(played.differs));
    Value::Object(line)
}

fn clashed(clash: &Clash, before: &Setup, after: &Setup, put: &mut impl FnMut(&str, Value)) {
    let fate = |r: &FateRuling| json!({"fate": r.fate.name(), "clause": r.clause, "reasons": r.reasons});
    let (dice, totals) = (clash.outcome.dice, clash.outcome.totals);
    put("a", json!(clash.a));
    put("b", json!(clash.b));
    put("factors", json!({"a": standing_json(&clash.brief.a), "b": standing_json(&clash.brief.b)}));
    put("dice", json!({"a": dice.0, "b": dice.1}));
    put("totals", json!({"a": totals.0, "b": totals.1}));
    put("fates", json!({"a": fate(&clash.outcome.a), "b": fate(&clash.outcome.b)}));
    put("steps", clash.steps.iter().map(step).collect());
    put("choices", clash.choices.iter().map(choice).collect());
    let on = |setup: &Setup, name: &str| setup.element(name).is_some_and(|e| e.location != Location::Off);
    let gone = after.elements.iter().filter(|e| e.location == Location::Off && on(before, &e.name));
    put("lost", gone.map(|e: &Element| Value::from(e.name.as_str())).collect());
}

fn step(step: &Step) -> Value {
    json!({
        "who": step.who, "what": step.what.name(), "removed": step.what.removes(), "from": pose(&step.from),
        "by_way_of": step.by_way_of.iter().map(pose).collect::<Vec<_>>(), "to": pose(&step.to),
        "reasons": step.reasons,
    })
}

fn choice(choice: &Choice) -> Value {
    let answers =
        choice.answers.iter().map(|(words, to)| json!({"answer": words, "to": to.as_ref().map(pose)}));
    json!({"who": choice.who, "clause": choice.clause, "answers": answers.collect::<Vec<_>>()})
}

/// Who conformed once the dice were done.
fn conformed(closed: &Closed) -> Value {
    let of = |l: &LineUp| -> Vec<Shift> {
        let contacted = l.contacted.iter().filter_map(|c| c.shifts.clone()).flatten();
        l.shifts.iter().cloned().chain(contacted).collect()
    };
    let all: Vec<Shift> = closed.line_ups.iter().flat_map(of).collect();
    shifts(all.iter(), &closed.after)
}

fn may_refuse(line_up: &LineUp) -> Value {
    line_up.contacted.iter().filter(|c| c.may_refuse).flat_map(|c| &c.who).map(|who| json!(who)).collect()
}

/// Who moved, and where it stands now.
fn shifts<'s>(moved: impl Iterator<Item = &'s Shift>, after: &Setup) -> Value {
    let to = |name: &str| after.element(name).map(|e| pose(&e.footprint.pose()));
    moved.map(|shift| json!({"who": shift.name, "to": to(&shift.name)})).collect()
}

fn tally(tally: &Tally) -> Value {
    let line = |l: &crate::rules::victory::Line| json!({"what": l.what, "counts": l.counts});
    json!({"total": tally.total(), "lines": tally.lines.iter().map(line).collect::<Vec<_>>()})
}

fn pose(pose: &Pose) -> Value {
    json!({
        "x_mm": rounded(pose.centre.x, 3), "y_mm": rounded(pose.centre.y, 3),
        "heading_deg": rounded(pose.heading.degrees(), 3),
    })
}
