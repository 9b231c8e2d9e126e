//! `groma verify DIR`: reads photographs whose truth is known and says how right the poses are.

mod pairs;
mod scene;
mod score;

use super::outputs::reason;
use super::{Failure, say};
use crate::vision::source::Photographs;
use crate::vision::{FrameSource, Pipeline, PipelineSettings, Reading, Sequence};
use anyhow::{Context, Result, anyhow};
use clap::Args;
pub use pairs::PairRuling;
pub use scene::{Known, KnownElement, Mount, Truth};
pub use score::Score;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Reads photographs whose truth is known and prints how right the poses are.
///
/// For each NAME.jpg with NAME.truth.json one line, then one over all. Millimetres in the table plane; errors
/// are root mean squares.
#[derive(Debug, Args)]
pub struct VerifyArgs {
    /// Folder with NAME.jpg and NAME.truth.json.
    dir: PathBuf,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
    /// Do without the lens profile: estimate the lens from the table itself.
    #[arg(long)]
    no_lens: bool,
    /// Add every question about every dispute pair, with the margin that is true.
    #[arg(long)]
    pairs: bool,
}

/// Where the lens comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LensUse {
    /// The truth file's lens is the profile.
    Profile,
    /// The lens is estimated under the prior.
    Estimated,
}

/// One scene, read and scored.
#[derive(Debug)]
pub struct VerifiedScene {
    /// The file's name without its ending.
    pub name: String,
    /// What was known beforehand.
    pub known: Known,
    /// What was really there.
    pub truth: Truth,
    /// What the pipeline made of the photograph.
    pub reading: Reading,
    /// The one against the other.
    pub score: Score,
}

/// Runs the command.
pub fn run(args: &VerifyArgs) -> Result<(), Failure> {
    let lens = if args.no_lens { LensUse::Estimated } else { LensUse::Profile };
    if args.dir.is_file() {
        return Err(Failure::Use(format!("{} is a file: name the folder that it is in", args.dir.display())));
    }
    let scenes = scenes_of(&args.dir)?;
    let mut sum = Score::default();
    let mut tally = pairs::Tally::default();
    let mut failed = 0;
    for stem in &scenes {
        match verify_scene(&args.dir, stem, lens) {
            Ok(scene) => {
                if let Err(why) = &scene.reading.registration {
                    note!("groma: {}: {why}", scene.name);
                }
                let mut line = Map::from_iter([("scene".to_owned(), json!(scene.name))]);
                line.extend(scene.score.to_json());
                print(&line, args.json);
                sum.join(&scene.score);
                if args.pairs {
                    for ruling in pairs::rulings(&scene) {
                        tally.count(&ruling);
                        print(&ruling.to_json(), args.json);
                    }
                }
            }
            Err(error) => {
                note!("groma: {error:#}");
                failed += 1;
            }
        }
    }
    let mut line = Map::from_iter([
        ("summary".to_owned(), json!(true)),
        ("scenes".to_owned(), json!(scenes.len() - failed)),
    ]);
    line.extend(sum.to_json());
    if args.pairs {
        line.extend(tally.to_json());
    }
    print(&line, args.json);
    if failed > 0 {
        return Err(Failure::Job(anyhow!("{failed} of {} scenes could not be read", scenes.len())));
    }
    Ok(())
}

fn print(line: &Map<String, Value>, json: bool) {
    if json {
        say(Value::Object(line.clone()));
    } else {
        say(in_words(line));
    }
}

/// A scene, a ruling or the summary in one line.
fn in_words(line: &Map<String, Value>) -> String {
    let text = |key: &str| line.get(key).and_then(Value::as_str).unwrap_or_default();
    let count = |key: &str| line.get(key).and_then(Value::as_u64).unwrap_or_default();
    let number = |key: &str, digits: usize| match line.get(key).and_then(Value::as_f64) {
        Some(value) => format!("{value:.digits$}"),
        None => "-".to_owned(),
    };
    if line.contains_key("question") {
        return format!(
            "  {} of {} and {}: {}, {} mm ± {}; in truth {} mm",
            text("question").replace('_', " "),
            text("a"),
            text("b"),
            text("verdict").replace('_', " "),
            number("margin_mm", 2),
            number("sigma_mm", 2),
            number("true_margin_mm", 2),
        );
    }
    let name = if line.contains_key("summary") {
        let scenes = count("scenes");
        format!("all, {scenes} {}", if scenes == 1 { "scene" } else { "scenes" })
    } else {
        text("scene").to_owned()
    };
    let mut words = format!(
        "{name}: {} of {} found whole and {} of {} crossed; centre {} mm, corner {} mm (worst {}), heading {}°; {} ms",
        count("whole_found"),
        count("whole"),
        count("crossed_found"),
        count("crossed"),
        number("centre_rms_mm", 3),
        number("corner_rms_mm", 3),
        number("corner_worst_mm", 3),
        number("heading_rms_deg", 3),
        number("ms", 0),
    );
    for (key, what) in
        [("wrongly_seen", "covered but said to be seen"), ("ghosts", "seen where they are not")]
    {
        if count(key) > 0 {
            words.push_str(&format!("; {} {what}", count(key)));
        }
    }
    if line.contains_key("pairs") {
        words.push_str(&format!(
            "; {} of {} answers clear, {} of these right",
            count("clear"),
            count("pairs"),
            count("clear_right")
        ));
    }
    words
}

/// The names of the scenes in a folder, sorted.
pub fn scenes_of(dir: &Path) -> Result<Vec<String>> {
    let entries = std::fs::read_dir(dir)
        .map_err(|e| anyhow!("cannot read the folder {}: {}", dir.display(), reason(&e)))?;
    let mut names: Vec<String> = entries
        .filter_map(|e| e.ok()?.file_name().into_string().ok())
        .filter_map(|name| Some(name.strip_suffix(".truth.json")?.to_owned()))
        .filter(|name| dir.join(format!("{name}.jpg")).is_file())
        .collect();
    names.sort();
    if names.is_empty() {
        return Err(anyhow!(
            "{} holds no NAME.jpg with NAME.truth.json beside it; name a folder that does",
            dir.display()
        ));
    }
    Ok(names)
}

/// Reads and scores one scene.
pub fn verify_scene(dir: &Path, name: &str, lens: LensUse) -> Result<VerifiedScene> {
    let truth_file = dir.join(format!("{name}.truth.json"));
    let text = std::fs::read_to_string(&truth_file)
        .map_err(|e| anyhow!("cannot read {}: {}", truth_file.display(), reason(&e)))?;
    let no_truth = || {
        let file = truth_file.display();
        format!(
            "{file} is no truth file as `groma sim --truth` writes it, or is cut off; write or copy it again"
        )
    };
    let known = Known::parse(crate::text::without_mark(&text)).with_context(no_truth)?;
    let profile = (lens == LensUse::Profile).then_some(known.lens);
    let settings = PipelineSettings { sequence: Sequence::Unrelated, ..PipelineSettings::default() };
    let mut pipeline = Pipeline::new(known.book.clone(), profile, settings)?;
    let frame = Photographs::single(&dir.join(format!("{name}.jpg")))?
        .next_frame()?
        .context("a photograph gives one frame")?;
    let begun = Instant::now();
    let reading = pipeline.take(&frame);
    let ms = begun.elapsed().as_secs_f64() * 1e3;
    // Only now is the truth looked at.
    let truth = Truth::parse(&text).with_context(no_truth)?;
    let score = Score::of(&known, &truth, &reading.snapshot, ms);
    Ok(VerifiedScene { name: name.to_owned(), known, truth, reading, score })
}
