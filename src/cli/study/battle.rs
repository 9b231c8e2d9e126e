//! `groma study battle`: written battles put on a table and followed without a word.

use super::super::rehearsal::{Course, Tally, rehearse};
#[cfg(feature = "vision")]
use super::super::rehearsal::{Hands, filmed::Filmed, rehearse_before};
use super::super::{Failure, say};
#[cfg(feature = "vision")]
use super::Resolution;
use crate::rules::battle::Script;
use crate::rules::ruleset::list;
use crate::text::{Wanted, read_file};
use anyhow::anyhow;
use clap::Args;
use std::path::PathBuf;

/// Written battles put on a table by hands, each base a little off, and read as it stands: whether every move, bound and
/// loss is told with nobody saying a word. Places have the errors that readings of the simulated camera have; with
/// --filmed it films them, hands before the bases, and its pictures are read.
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
    /// Lean over the table while the moves of this bound are made.
    #[arg(long, value_name = "BOUND")]
    pub lean: Option<u32>,
    /// From this bound on put trees back over who stands in a wood, and lift them while anybody moves.
    #[arg(long, value_name = "BOUND")]
    pub trees: Option<u32>,
    /// Film it with the simulated camera, in pictures of this size.
    #[cfg(feature = "vision")]
    #[arg(long, value_name = "SIZE")]
    pub filmed: Option<Resolution>,
    /// The first seed.
    #[arg(long, default_value_t = 1)]
    pub first: u64,
    /// Tell everything that went wrong.
    #[arg(long)]
    pub wrong: bool,
}

/// Runs it.
///
/// # Errors
/// A file that cannot be read, or a battle that cannot be played.
pub fn run(args: &BattleArgs) -> Result<(), Failure> {
    let course = Course {
        ignored: args.ignored,
        bump: args.bump,
        both: args.both,
        blind: args.blind,
        lean: args.lean,
        trees: args.trees,
    };
    for path in &args.files {
        let text = read_file(path, Wanted::Battle).map_err(anyhow::Error::from)?;
        let name = path.display().to_string();
        let script = Script::read(&name, &text).map_err(|p| Failure::Job(anyhow!("{}", list(&p))))?;
        let mut all = Tally::default();
        for seed in args.first..args.first + args.seeds {
            let tally =
                one(&script, seed, course, args).map_err(|why| Failure::Job(anyhow!("{name}: {why}")))?;
            all = all.and(tally);
        }
        tell(&name, &all, args);
    }
    Ok(())
}

#[cfg(not(feature = "vision"))]
fn one(script: &Script, seed: u64, course: Course, _: &BattleArgs) -> Result<Tally, String> {
    rehearse(script, seed, course)
}

#[cfg(feature = "vision")]
fn one(script: &Script, seed: u64, course: Course, args: &BattleArgs) -> Result<Tally, String> {
    let Some(size) = args.filmed else { return rehearse(script, seed, course) };
    let hands = Hands::new(script, seed)?;
    let mut film = Filmed::new(&hands, seed, size.size())?;
    let tally = rehearse_before(script, hands, course, &mut film)?;
    let spent = &film.spent;
    say(format!(
        "  seed {seed}: {} frames of {:.0} s, {} knocks; drawing {:.1} s, reading {:.1} s, play {:.1} s; places {:.2} mm off at \
         worst; moves {} of {}, {} let pass, bounds {} of {}, losses {} of {} and {} wrongly, {} keys",
        spent.frames,
        spent.seconds,
        spent.knocks,
        spent.drawing.as_secs_f64(),
        spent.reading.as_secs_f64(),
        spent.playing.as_secs_f64(),
        spent.worst_mm,
        tally.moves.1,
        tally.moves.0,
        tally.legal,
        tally.bounds.1,
        tally.bounds.0,
        tally.lost.1,
        tally.lost.0,
        tally.wrongly_lost,
        tally.keys
    ));
    if args.wrong {
        let late: Vec<String> =
            spent.late.iter().map(|(frames, times)| format!("{frames} ({times})")).collect();
        say(format!("    frames until what was moved was found at rest: {}", late.join(", ")));
        spent.held.iter().for_each(|(why, frames)| say(format!("    held for {frames} frames: {why}")));
        tally.wrong.iter().for_each(|words| say(format!("    {words}")));
    }
    Ok(Tally { wrong: Vec::new(), ..tally })
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
