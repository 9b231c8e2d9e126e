//! `groma explain`: draws a case: bases, zones, paths, the points that bind, and every reason.

use super::judge_cases::{by, price};
use super::outputs::{self, Kind, Output};
use super::rulings::{SettingsArgs, case_file, chosen};
use super::{Failure, say};
use crate::drawing::{Situation, svg};
use crate::rules::cases::{Case, Verdict};
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
    let file = case_file(&args.case)?;
    let cases = chosen(&args.case, &file, args.only.as_deref())?;
    let Some(out) = &args.out else {
        let [case] = cases.as_slice() else {
            return Err(Failure::Use(format!(
                "{} has {} cases: choose one with --only, or name a file with --out",
                args.case.display(),
                cases.len()
            )));
        };
        say(drawn(case, &args.settings)?.trim_end());
        return Ok(());
    };
    let several = cases.len() > 1;
    let paths: Vec<PathBuf> =
        (1..=cases.len()).map(|n| if several { numbered(out, n) } else { out.clone() }).collect();
    let wanted: Vec<Output<'_>> =
        paths.iter().map(|path| Output { option: "--out", path, kind: Kind::Drawing }).collect();
    outputs::check(&wanted)?;
    let mut drawings = Vec::new();
    for case in &cases {
        drawings.push(drawn(case, &args.settings)?);
    }
    let files: Vec<(&Path, &[u8])> =
        paths.iter().zip(&drawings).map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
    outputs::write(&files)?;
    for (case, path) in cases.iter().zip(&paths) {
        say(format!("{}: {}", path.display(), case.name));
    }
    Ok(())
}

fn numbered(out: &Path, n: usize) -> PathBuf {
    let stem = out.file_stem().and_then(|s| s.to_str()).unwrap_or("case");
    out.with_file_name(format!("{stem}-{n:02}.svg"))
}

/// One case, drawn.
fn drawn(case: &Case, settings: &SettingsArgs) -> Result<String, Failure> {
    let told = |why: String| Failure::Job(anyhow!("`{}`: {why}", case.name));
    let settings = if settings.is_empty() { case.settings().map_err(told)? } else { settings.settings()? };
    let staged = case.staged(&settings).map_err(told)?;
    let answer = case.answer_staged(&staged, &settings).map_err(told)?;
    let whereabouts = case.whereabouts(&settings).map_err(told)?;
    let outline = whereabouts.map(|found| found.outline).unwrap_or_default();
    let verdict = match answer.verdict {
        Verdict::Yes => "yes",
        Verdict::No => "no",
    };
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
        reasons: &answer.reasons,
        conditions: answer.conditions,
    }))
}
