//! `groma study moves`: whole games played by chance and the rules, and how often what was seen tells what
//! was done.

use super::figures::{self, Csv, number};
use crate::cli::play::{Score, Sort, play};
use crate::cli::{Failure, say};
use std::path::PathBuf;

/// Arguments of `groma study moves`.
#[derive(Debug, clap::Args)]
pub struct MovesArgs {
    /// How many moves.
    #[arg(long, default_value_t = 2000, value_parser = clap::value_parser!(u32).range(1..))]
    moves: u32,
    /// How far places are off, millimetres, one sigma along each axis; headings by as much over a base width.
    #[arg(long, value_name = "MM", default_value_t = 0.3, value_parser = sigma)]
    sigma_mm: f64,
    /// Which games.
    #[arg(long, default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
    /// Tells every look that was missed: what was done, and what was made of it.
    #[arg(long)]
    missed: bool,
    /// Where to write the figures, as CSV.
    #[arg(long)]
    out: Option<PathBuf>,
}

fn sigma(word: &str) -> Result<f64, String> {
    let mm: f64 = word.parse().map_err(|_| format!("expected millimetres, found `{word}`"))?;
    if (0.0..=5.0).contains(&mm) { Ok(mm) } else { Err(format!("expected 0 to 5 mm, found {mm}")) }
}

/// Plays and tells.
///
/// # Errors
/// An output that cannot be written.
pub fn run(args: &MovesArgs) -> Result<(), Failure> {
    figures::check(args.out.as_ref(), None)?;
    let score = play(args.moves as usize, args.sigma_mm, args.seed);
    say(format!("{:<20} {:>8} {:>10} {:>8}", "move", "made", "explained", "in 100"));
    for (sort, tally) in &score.by_sort {
        say(line(sort.name(), tally.explained, tally.made));
    }
    say(line("all", score.explained(), score.made()));
    if args.missed {
        for missed in &score.missed {
            say(format!("{}: {}", missed.sort.name(), missed.text));
        }
    }
    csv(&score, args.sigma_mm).write(args.out.as_ref())
}

fn line(name: &str, explained: usize, made: usize) -> String {
    let share = 100.0 * explained as f64 / made as f64;
    format!("{name:<20} {made:>8} {explained:>10} {share:>8.1}")
}

fn csv(score: &Score, sigma_mm: f64) -> Csv {
    let mut csv = Csv::new("moves", &["sigma_mm", "sort", "made", "explained"]);
    for sort in Sort::ALL {
        let tally = score.by_sort.get(&sort).copied().unwrap_or_default();
        csv.row(&[
            number(Some(sigma_mm), 2),
            sort.name().replace(',', ""),
            tally.made.to_string(),
            tally.explained.to_string(),
        ]);
    }
    csv
}
