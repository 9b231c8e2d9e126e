//! `groma report`: a battle as a page that can be sent round, from its journal.

mod markdown;
mod page;
mod photographs;

use super::{Failure, outputs, say};
use crate::drawing::{Situation, table_svg};
use crate::geometry::Leg;
use crate::rules::movement::TacticalMove;
use crate::rules::{Settings, Setup};
use crate::session::engine::Engine;
use crate::session::journal::Found;
use crate::session::play::replay;
use crate::session::report::{Chapter, Entry, Story};
use crate::session::slip::{SlipAsk, slip};
use crate::text::{Kind, Output};
use anyhow::Context;
use std::path::{Path, PathBuf};

/// Tells a battle as one page: a drawing and the story of each bound, turning points, losses.
///
/// The page needs no other file and no network. With --markdown the same as Markdown, its drawings as SVG files beside it.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// The journal.
    #[arg(value_name = "FILE")]
    journal: PathBuf,
    /// The page.
    #[arg(long, value_name = "FILE.html", required_unless_present = "slip")]
    out: Option<PathBuf>,
    /// A result slip to print and sign: players, armies, losses, who has won, the dice's seeds, the journal's hash.
    #[arg(long, value_name = "FILE.html")]
    slip: Option<PathBuf>,
    /// Who plays red, for the slip; without it there is a line to write on.
    #[arg(long, value_name = "NAME", requires = "slip", default_value = "", hide_default_value = true)]
    red: String,
    /// Who plays blue.
    #[arg(long, value_name = "NAME", requires = "slip", default_value = "", hide_default_value = true)]
    blue: String,
    /// What the battle is called.
    #[arg(long, value_name = "TEXT", default_value = "A battle")]
    title: String,
    /// The same as Markdown.
    #[arg(long, value_name = "FILE.md", requires = "out")]
    markdown: Option<PathBuf>,
}

/// A corner that came nearer than this to where it was has not moved, millimetres: what a base at rest is read to wander.
const STILL_MM: f64 = 0.5;

/// Runs the command.
///
/// # Errors
/// No journal, or a damaged one; a page that cannot be written.
pub fn run(args: &ReportArgs) -> Result<(), Failure> {
    let named = [
        ("--out", &args.out, Kind::Page),
        ("--markdown", &args.markdown, Kind::Markdown),
        ("--slip", &args.slip, Kind::Page),
    ];
    let wanted: Vec<Output<'_>> = named
        .into_iter()
        .filter_map(|(option, path, kind)| Some(Output { option, path: path.as_deref()?, kind }))
        .collect();
    outputs::check(&wanted)?;
    let name = args.journal.display();
    let found = Found::read(&args.journal).map_err(anyhow::Error::from)?;
    let engine = Engine::of_opened(found.opened()).with_context(|| format!("{name}"))?;
    let settings = engine.settings().clone();
    let mut files: Vec<(PathBuf, String)> = Vec::new();
    if let Some(path) = &args.slip {
        files.push((path.clone(), signed(args, &engine, &found)?));
    }
    let Some(out) = &args.out else { return write(&files) };
    let story = Story::of(engine, &found.records).with_context(|| format!("{name}"))?;
    let mut cautions = Vec::new();
    if let Some(torn) = &found.torn {
        cautions.push(format!(
            "The journal's end was not written whole, or was changed since ({} bytes): it is left out.",
            torn.bytes.len()
        ));
    }
    if story.differ > 0 {
        cautions.push(format!(
            "{} of the journal's entries come out otherwise than they were written down; `groma replay` tells which.",
            story.differ
        ));
    }
    let folder = args.journal.parent().unwrap_or(Path::new(""));
    let photographs = photographs::photographs(&story, folder, &mut cautions);
    for caution in &cautions {
        note!("{name}: {caution}");
    }
    let drawings: Vec<Option<String>> =
        story.chapters.iter().map(|chapter| draw(chapter, &settings)).collect();
    let pictures = page::Pictures { drawings: &drawings, photographs: &photographs };
    let page = page::page(&args.title, &story, &pictures, &settings, &cautions);
    files.push((out.clone(), page));
    let given = files.len() + usize::from(args.markdown.is_some());
    if let Some(path) = &args.markdown {
        let named = beside(path, &drawings);
        files.push((path.clone(), markdown::markdown(&args.title, &story, &named, &settings, &cautions)));
        let drawn = named.into_iter().zip(drawings);
        files.extend(drawn.filter_map(|(name, drawing)| Some((path.with_file_name(name?), drawing?))));
    }
    let beside: Vec<Output<'_>> = files
        .iter()
        .skip(given)
        .map(|(path, _)| Output { option: "--markdown", path, kind: Kind::Drawing })
        .collect();
    outputs::check(&beside)?;
    write(&files)
}

/// The result slip of the battle as it stands at the journal's end.
fn signed(args: &ReportArgs, engine: &Engine, found: &Found) -> Result<String, Failure> {
    let replayed =
        replay(engine.again(), &found.records).with_context(|| args.journal.display().to_string())?;
    let name = args.journal.file_name().map(|name| name.to_string_lossy().into_owned());
    let whole = |name| if found.torn.is_some() { format!("{name} without its torn end") } else { name };
    let ask = SlipAsk {
        title: args.title.clone(),
        players: [args.red.clone(), args.blue.clone()],
        clock: None,
        file: name.map(whole),
    };
    Ok(slip(engine, &replayed.play, &found.records, &ask))
}

/// Writes the files, and says which.
fn write(files: &[(PathBuf, String)]) -> Result<(), Failure> {
    let written: Vec<(&Path, &[u8])> =
        files.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
    outputs::write(&written)?;
    for (path, _) in files {
        say(path.display());
    }
    Ok(())
}

/// What the drawings beside a Markdown file are called.
fn beside(path: &Path, drawings: &[Option<String>]) -> Vec<Option<String>> {
    let stem = path.file_stem().and_then(|s| s.to_str()).unwrap_or("battle");
    let named =
        |(n, drawing): (usize, &Option<String>)| drawing.as_ref().map(|_| format!("{stem}-{:02}.svg", n + 1));
    drawings.iter().enumerate().map(named).collect()
}

/// A chapter's heading.
fn heading(n: usize, chapter: &Chapter) -> String {
    let whose = chapter.side.map_or(String::new(), |side| format!(", {}", side.word()));
    let pips = chapter.pips.map_or(String::new(), |pips| format!(", {pips} on the PIP die"));
    format!("Bound {}{whose}{pips}", n + 1)
}

/// What an entry says, with how likely it was.
fn telling(entry: &Entry) -> String {
    match entry.of_36 {
        Some(of_36) => format!("{} ({of_36} in 36)", entry.written.words),
        None => entry.written.words.clone(),
    }
}

/// The table at a chapter's beginning, with arrows to where everybody stands at its end.
fn draw(chapter: &Chapter, settings: &Settings) -> Option<String> {
    let (stood, stands) = (chapter.stood.as_ref()?, chapter.stands.as_ref()?);
    let moves = went(stood, stands);
    Some(table_svg(&Situation {
        title: "",
        question: "",
        answer: "",
        setup: stood,
        settings,
        moves: &moves,
        after: Some(stands),
        outline: &[],
        reasons: &[],
        conditions: 0,
    }))
}

/// How each came from where it stood to where it stands, straight.
fn went(stood: &Setup, stands: &Setup) -> Vec<TacticalMove> {
    let one = |element: &crate::rules::Element| {
        let (from, to) = (element.footprint.pose(), stands.element(&element.name)?.footprint.pose());
        let by = to.centre - from.centre;
        let by_rad = from.heading.turn_to_radians(to.heading);
        let still = by.norm() < STILL_MM && by_rad.abs() < STILL_MM / element.footprint.width_mm();
        let legs = vec![Leg::Shift(by), Leg::Turn { about: to.centre, by_rad }];
        (!still).then(|| TacticalMove::single(element.name.clone(), legs))
    };
    stood.elements.iter().filter_map(one).collect()
}
