//! The rulings on written cases, for `groma judge CASE...`.

use super::rulings::{SettingsArgs, chosen, sound_cases};
use super::{Failure, say};
use crate::rules::Settings;
use crate::rules::cases::{Answer, Asked, Case, Whereabouts};
use crate::rules::sensitivity::{Sensitivity, sensitivity};
use crate::text::counted;
use anyhow::anyhow;
use serde_json::{Value, json};
use std::path::Path;

/// An answer, or why there is none.
type Told = Result<Answer, String>;

/// Judges every case of the files, and says what the settings do to each.
///
/// # Errors
/// No file, a file that is no case file, a case that cannot be judged, or one that comes out otherwise than it says.
pub fn run(
    files: &[String],
    only: Option<&str>,
    settings: &SettingsArgs,
    as_json: bool,
) -> Result<(), Failure> {
    if files.is_empty() {
        return Err(Failure::Use("name case files; or a source, and two elements with --between".to_owned()));
    }
    let mut failed = Vec::new();
    for name in files {
        let path = Path::new(name);
        if path.extension().is_none_or(|e| e != "ron") {
            return Err(Failure::Use(format!(
                "{name} is no case file (.ron): a source is judged with --due, or with --between NAME NAME; `groma cases` \
                 runs a folder of case files"
            )));
        }
        let (file, unread) = sound_cases(path)?;
        failed.extend(unread);
        let Some(file) = file else { continue };
        for case in chosen(path, &file, only)? {
            match one(name, &case, settings, as_json)? {
                Ok((text, differs)) => {
                    say(text);
                    failed.extend(
                        differs.map(|why| format!("{name}: `{}`: not as the case says: {why}", case.name)),
                    );
                }
                Err(why) => failed.push(format!("{name}: `{}`: {why}", case.name)),
            }
        }
    }
    if failed.is_empty() { Ok(()) } else { Err(Failure::Job(anyhow!("{}", failed.join("\n")))) }
}

/// The ruling on one case and what of it is otherwise than the case says, or why there is none. A case that says it is known to
/// fail may.
fn one(
    file: &str,
    case: &Case,
    settings: &SettingsArgs,
    as_json: bool,
) -> Result<Result<(String, Option<String>), String>, Failure> {
    let under = match (settings.is_empty(), case.settings()) {
        (false, _) => settings.settings()?,
        (true, Ok(own)) => own,
        (true, Err(why)) => return Ok(Err(why)),
    };
    let told = judged(case, &under);
    if let Err(why) = &told.ruling {
        return Ok(Err(why.clone()));
    }
    let near = match case.whereabouts(&under) {
        Ok(near) => near,
        Err(why) => return Ok(Err(why)),
    };
    let as_expected = settings.is_empty().then(|| case.run_one());
    let differs = as_expected.clone().and_then(Result::err).filter(|_| case.fails_because.is_none());
    if as_json {
        let mut found = to_json(file, case, &told, as_expected);
        if let Some(near) = &near {
            found["whereabouts"] = whereabouts(near);
        }
        return Ok(Ok((found.to_string(), differs)));
    }
    let text = in_words(case, &told, as_expected) + &near.map_or(String::new(), |near| may_reach(&near));
    Ok(Ok((text, differs)))
}

fn judged(case: &Case, settings: &Settings) -> Sensitivity<Told> {
    let said = |told: &Told| told.as_ref().ok().map(|a| (a.margin_mm, a.pips, a.reasons.clone()));
    sensitivity(settings, |s| case.answer_under(s), |told| told.as_ref().map(|a| a.verdict).ok(), said)
}

/// By how much, of an answer with a margin.
pub(super) fn by(mm: f64) -> String {
    if mm == 0.0 { ", exactly at the limit".to_owned() } else { format!(", by {:.1} mm", mm.abs()) }
}

/// What it costs.
pub(super) fn price(pips: u8) -> String {
    format!(", {}", counted(usize::from(pips), "PIP"))
}

fn in_words(case: &Case, told: &Sensitivity<Told>, as_expected: Option<Result<(), String>>) -> String {
    let Ok(answer) = &told.ruling else { return String::new() };
    let mut text = format!("{}\n  {}\n  {}", case.name, case.ask.in_words(), answer.verdict.word());
    if let Some(mm) = answer.margin_mm.filter(|mm| mm.abs() < 1e5) {
        text.push_str(&by(mm));
    }
    if let Some(pips) = answer.pips {
        text.push_str(&price(pips));
    }
    text.push_str(&format!("    (settings: {})", told.under));
    for explained in &answer.explained {
        let how = if matches!(case.ask, Asked::Reach(..)) { "by" } else { "it was" };
        text.push_str(&format!("\n  {how} {explained}"));
    }
    let (reasons, conditions) = answer.reasons_once();
    for (n, reason) in reasons.into_iter().enumerate() {
        if n == conditions {
            text.push_str("\n  beside that");
        }
        // A clause whose words are not so here, and that is no condition, is told too.
        let sign = match (n < conditions, reason.holds) {
            (true, true) => "✓",
            (true, false) => "✗",
            (false, true) => "·",
            (false, false) => "– not",
        };
        text.push_str(&format!("\n    {sign} {}: {}", reason.clause, reason.text));
    }
    for remedy in answer.remedies_once() {
        text.push_str(&format!("\n  legal if: {remedy}"));
    }
    for remark in &answer.remarks {
        text.push_str(&format!("\n  remark: {remark}; the ruling takes it as it is written"));
    }
    text.push_str(&format!("\n  {}", told.in_words()));
    if let Some(Err(differs)) = as_expected {
        text.push_str(&format!("\n  not as the case says: {differs}"));
    }
    text
}

/// Whom else it may reach this bound.
fn may_reach(near: &Whereabouts) -> String {
    let all: Vec<String> = near.reached().collect();
    let all = if all.is_empty() { "no enemy".to_owned() } else { all.join("; ") };
    format!("\n  this bound {} may line up with: {all}", near.of)
}

/// The outline to draw and whom it may reach.
fn whereabouts(near: &Whereabouts) -> Value {
    let rounded = |mm: f64| (mm * 1000.0).round() / 1000.0 + 0.0;
    let rings: Vec<Vec<[f64; 2]>> =
        near.outline.iter().map(|ring| ring.iter().map(|p| [rounded(p.x), rounded(p.y)]).collect()).collect();
    json!({"of": near.of, "outline_mm": rings, "may_line_up_with": near.reached().collect::<Vec<_>>()})
}

fn to_json(
    file: &str,
    case: &Case,
    told: &Sensitivity<Told>,
    as_expected: Option<Result<(), String>>,
) -> Value {
    let Ok(answer) = &told.ruling else { return Value::Null };
    let (reasons, conditions) = answer.reasons_once();
    let others = |all: &[crate::rules::sensitivity::Alternative<Told>]| -> Vec<Value> {
        all.iter().map(|a| json!({"setting": a.setting, "word": a.word})).collect()
    };
    json!({
        "file": file,
        "case": case.name,
        "question": case.ask.in_words(),
        "verdict": answer.verdict.word(),
        "margin_mm": answer.margin_mm.map(|mm| (mm * 1000.0).round() / 1000.0 + 0.0),
        "pips": answer.pips,
        "explained": answer.explained,
        "remedies": answer.remedies_once(),
        "clause": answer.reasons.first().map(|r| &r.clause),
        "reasons": reasons,
        "conditions": conditions,
        "remarks": answer.remarks,
        "under": &*told.under,
        "turned_by": others(&told.turns),
        "bears_on": others(&told.bears),
        "as_expected": as_expected.map(|found| found.is_ok()),
    })
}
