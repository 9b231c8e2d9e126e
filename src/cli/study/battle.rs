//! `groma study battle`: written battles put on a table and followed without a word.

use super::super::rehearsal::{Course, Tally, rehearse};
use super::super::{Failure, say};
use crate::rules::battle::Script;
use crate::rules::ruleset::list;
use crate::text::{Wanted, read_file};
use anyhow::anyhow;
use clap::Args;
use std::path::PathBuf;

/// Written battles put on a table by hands, each base a little off, and read as it stands: whether every move, bound and
/// loss is told with nobody saying a word. No pictures are drawn: places have the errors that readings of the simulated
/// camera have.
#[derive(Debug, Clone, Args)]
pub struct BattleArgs {
    /// Battle files.
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// How many times each is played, by other hands.
    #[arg(long, default_value_t = 20)]
    pub seeds: u64,
    /// How many of 100 dice nobody tells.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=100))]
    pub ignored: u32,
    /// Bump the table in the bound of this number.
    #[arg(long, value_name = "BOUND")]
    pub bump: Option<u32>,
    /// See nothing during the bound of this number.
    #[arg(long, value_name = "BOUND")]
    pub blind: Option<u32>,
    /// Make the first move of this bound before anybody has looked at the end of the one before.
    #[arg(long, value_name = "BOUND")]
    pub both: Option<u32>,
    /// Tell everything that went wrong.
    #[arg(long)]
    pub wrong: bool,
}

/// Runs it.
///
/// # Errors
/// A file that cannot be read, or a battle that cannot be played.
pub fn run(args: &BattleArgs) -> Result<(), Failure> {
    let course = Course { ignored: args.ignored, bump: args.bump, both: args.both, blind: args.blind };
    for path in &args.files {
        let text = read_file(path, Wanted::Battle).map_err(anyhow::Error::from)?;
        let name = path.display().to_string();
        let script = Script::read(&name, &text).map_err(|p| Failure::Job(anyhow!("{}", list(&p))))?;
        let mut all = Tally::default();
        for seed in 1..=args.seeds {
            let tally =
                rehearse(&script, seed, course).map_err(|why| Failure::Job(anyhow!("{name}: {why}")))?;
            all = all.and(tally);
        }
        tell(&name, &all, args);
    }
    Ok(())
}

fn tell(name: &str, all: &Tally, args: &BattleArgs) {
    say(format!("{name}: {} times", args.seeds));
    say(format!("  moves told as made      {} of {}, {} of them legal", all.moves.1, all.moves.0, all.legal));
    say(format!("  bounds begun in time    {} of {}", all.bounds.1, all.bounds.0));
    say(format!(
        "  losses told             {} of {}, and {} wrongly",
        all.lost.1, all.lost.0, all.wrongly_lost
    ));
    say(format!("  carried on with one key {} times", all.keys));
    if let Some(right) = all.victor {
        say(format!(
            "  victor                  {}",
            if right { "right each time" } else { "not right each time" }
        ));
    }
    if args.wrong {
        for words in &all.wrong {
            say(format!("    {words}"));
        }
    }
}
