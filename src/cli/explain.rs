//! `groma explain`: draws a case: bases, zones, paths, the points that bind, and every reason.

use super::judge_cases::{by, price};
use super::outputs::{self, Kind, Output};
use super::rulings::{SettingsArgs, chosen, sound_cases};
use super::{Failure, say};
use crate::drawing::{Situation, svg};
use crate::rules::cases::Case;
use crate::rules::{Reason, Settings};
use anyhow::anyhow;
use std::path::{Path, PathBuf};

/// Draws cases as SVG: bases, ground, threat zones, paths, and the points that bind with their millimetres.
#[derive(Debug, clap::Args)]
pub struct ExplainArgs {
    /// A case file.
    case: PathBuf,
    /// Only the cases that have this in their name.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// The drawing to write; where several cases are drawn each gets a number before `.svg`. Without it the
    /// drawing goes to stdout.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// Runs the command.
///
/// # Errors
/// A case file that cannot be read, a case that cannot be judged, a drawing that cannot be written.
pub fn run(args: &ExplainArgs) -> Result<(), Failure> {
    let (file, mut failed) = sound_cases(&args.case)?;
    let Some(file) = file else { return Err(Failure::Job(anyhow!("{}", failed.join("\n")))) };
    let cases = chosen(&args.case, &file, args.only.as_deref())?;
    let Some(out) = &args.out else {
        let [case] = cases.as_slice() else {
            return Err(Failure::Use(format!(
                "{} has {} cases: choose one with --only, or name a file with --out",
                args.case.display(),
                cases.len()
            )));
        };
        let text = drawn(case, &args.settings)?.map_err(|why| Failure::Job(anyhow!("{why}")))?;
        say(text.trim_end());
        return told(&failed);
    };
    let several = cases.len() > 1;
    // A case that cannot be drawn keeps its number.
    let paths: Vec<PathBuf> =
        (1..=cases.len()).map(|n| if several { numbered(out, n) } else { out.clone() }).collect();
    let wanted: Vec<Output<'_>> =
        paths.iter().map(|path| Output { option: "--out", path, kind: Kind::Drawing }).collect();
    outputs::check(&wanted)?;
    let mut drawings = Vec::new();
    for (case, path) in cases.iter().zip(&paths) {
        match drawn(case, &args.settings)? {
            Ok(drawing) => drawings.push((case, path, drawing)),
            Err(why) => failed.push(format!("{}: {why}", args.case.display())),
        }
    }
    let files: Vec<(&Path, &[u8])> =
        drawings.iter().map(|(_, path, text)| (path.as_path(), text.as_bytes())).collect();
    outputs::write(&files)?;
    for (case, path, _) in &drawings {
        say(format!("{}: {}", path.display(), case.name));
    }
    told(&failed)
}

/// A job that failed, where there is something to tell.
fn told(failed: &[String]) -> Result<(), Failure> {
    if failed.is_empty() { Ok(()) } else { Err(Failure::Job(anyhow!("{}", failed.join("\n")))) }
}

fn numbered(out: &Path, n: usize) -> PathBuf {
    let stem = out.file_stem().and_then(|s| s.to_str()).unwrap_or("case");
    out.with_file_name(format!("{stem}-{n:02}.svg"))
}

/// One case, drawn, or why it cannot be.
fn drawn(case: &Case, settings: &SettingsArgs) -> Result<Result<String, String>, Failure> {
    let settings = if settings.is_empty() { None } else { Some(settings.settings()?) };
    Ok(drawing(case, settings).map_err(|why| format!("`{}`: {why}", case.name)))
}

fn drawing(case: &Case, settings: Option<Settings>) -> Result<String, String> {
    let settings = settings.map_or_else(|| case.settings(), Ok)?;
    let staged = case.staged(&settings)?;
    let answer = case.answer_staged(&staged, &settings)?;
    let whereabouts = case.whereabouts(&settings)?;
    let outline = whereabouts.map(|found| found.outline).unwrap_or_default();
    let verdict = answer.verdict.word();
    let (reasons, conditions) = answer.reasons_once();
    let reasons: Vec<Reason> = reasons.into_iter().cloned().collect();
    let mm = answer.margin_mm.filter(|mm| mm.abs() < 1e5).map_or(String::new(), by);
    let pips = answer.pips.map_or(String::new(), price);
    Ok(svg(&Situation {
        title: &case.name,
        question: &case.ask.in_words(),
        answer: &format!("{verdict}{mm}{pips}"),
        setup: &staged.setup,
        settings: &settings,
        moves: &staged.moves,
        after: answer.after.as_ref(),
        outline: &outline,
        reasons: &reasons,
        conditions,
    }))
}
