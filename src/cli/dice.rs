//! `groma dice`: throws dice that can be thrown again by anybody who is told their seed, or reads those in a picture.

use super::{Failure, say};
use crate::session::{Dice, Seed, Throws};
#[cfg(feature = "vision")]
use crate::vision::dice::DiceReader;
use serde_json::json;
use std::io::BufRead;

/// The most dice of one throw.
const MOST: u32 = 1000;

/// Throws dice, and shows the seed once they lie.
///
/// The same seed gives the same dice on every machine: `groma dice --seed SEED --count N` throws them again. The
/// commitment is the SHA-256 of the seed as it is written: whoever saw it before the dice can see afterwards that the
/// seed was not chosen to suit them.
#[derive(Debug, clap::Args)]
pub struct DiceArgs {
    /// How many dice.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST)))]
    count: u32,
    /// Throws from this seed again: 32 hexadecimal digits, or a whole number as the window shows.
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// That throw of the session whose seed --seed names, from 1.
    #[arg(long, value_name = "N", requires = "seed", value_parser = clap::value_parser!(u64).range(1..))]
    throw: Option<u64>,
    /// A whole session: shows its commitment at once, throws as many dice as each line of the input says (one where it
    /// is empty), each throw with a seed of its own, and shows the session's seed at the end of the input.
    #[arg(long, conflicts_with_all = ["count", "throw"])]
    session: bool,
    /// Throws nothing: reads the dice that lie in this photograph. Those that cannot be read surely are told with the
    /// reason, never guessed.
    #[cfg(feature = "vision")]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["count", "seed", "throw", "session"])]
    picture: Option<std::path::PathBuf>,
    /// The tray in the picture: its corners in pixels, as "X,Y X,Y X,Y X,Y". Without it the whole picture is looked at.
    #[cfg(feature = "vision")]
    #[arg(long, value_name = "CORNERS", requires = "picture")]
    tray: Option<String>,
    /// One JSON object a throw.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// A seed that is none, no chance to be had, or a line of a session that is no count.
pub fn run(args: &DiceArgs) -> Result<(), Failure> {
    #[cfg(feature = "vision")]
    if let Some(path) = &args.picture {
        return read(path, args.tray.as_deref(), args.json);
    }
    let seed = match &args.seed {
        Some(text) => text.parse().map_err(|why| Failure::Use(format!("--seed: {why}")))?,
        None => Seed::fresh().map_err(anyhow::Error::from)?,
    };
    if args.session {
        return session(Throws::from_seed(seed), args.json);
    }
    match args.throw {
        Some(number) => tell(&mut Throws::throw_of(seed, number), args.count, Some(number), args.json),
        None => tell(&mut Dice::from_seed(seed), args.count, None, args.json),
    }
    Ok(())
}

/// Reads the dice in a photograph.
#[cfg(feature = "vision")]
fn read(path: &std::path::Path, tray: Option<&str>, as_json: bool) -> Result<(), Failure> {
    let reader = match tray {
        Some(text) => DiceReader::within(corners(text).ok_or_else(|| {
            Failure::Use(format!(
                "--tray \"{text}\": give three corners or more, as \"X,Y X,Y X,Y\", in pixels"
            ))
        })?),
        None => DiceReader::new(),
    };
    let picture = crate::vision::source::read_picture(path).map_err(anyhow::Error::from)?;
    let seen = reader.read(&picture);
    let tenth = |v: f64| (v * 10.0).round() / 10.0;
    for die in &seen.readings {
        let ([x, y], [r, g, b]) = (die.middle.map(tenth), die.colour);
        if as_json {
            let (side, confidence) = (tenth(die.side), (die.confidence * 100.0).round() / 100.0);
            say(
                json!({"die": die.value, "at_px": [x, y], "side_px": side, "confidence": confidence, "colour": [r, g, b]}),
            );
        } else {
            let confidence = die.confidence * 100.0;
            say(format!(
                "{}   at {x}, {y}, confidence {confidence:.0} %, colour #{r:02x}{g:02x}{b:02x}",
                die.value
            ));
        }
    }
    for refusal in &seen.refusals {
        let [x, y] = refusal.middle.map(tenth);
        let why = refusal.why.to_string();
        if as_json {
            say(json!({"refused": why, "at_px": [x, y], "radius_px": tenth(refusal.radius)}));
        } else {
            say(format!("?   at {x}, {y}: {why}"));
        }
    }
    if seen.readings.is_empty() && seen.refusals.is_empty() && !as_json {
        say("no dice");
    }
    Ok(())
}

/// Corners as they are typed.
#[cfg(feature = "vision")]
fn corners(text: &str) -> Option<Vec<[f64; 2]>> {
    let corner = |word: &str| {
        let (x, y) = word.split_once(',')?;
        Some([x.parse::<f64>().ok()?, y.parse::<f64>().ok()?])
    };
    let corners: Vec<[f64; 2]> = text.split_whitespace().map(corner).collect::<Option<_>>()?;
    (corners.len() >= 3 && corners.iter().flatten().all(|v| v.is_finite())).then_some(corners)
}

/// Throws as many as each line of the input says.
fn session(mut throws: Throws, as_json: bool) -> Result<(), Failure> {
    let commitment = throws.commitment().to_string();
    if as_json {
        say(json!({"commitment": commitment}));
    } else {
        say(format!("commitment: {commitment}"));
        say("type how many dice, and Enter; end the input (Ctrl-D) to see the session's seed");
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(anyhow::Error::from)?;
        let count = match line.trim() {
            "" => Some(1),
            typed => typed.parse().ok().filter(|n| (1..=MOST).contains(n)),
        };
        match count {
            Some(count) => {
                let mut dice = throws.next_throw();
                tell(&mut dice, count, Some(throws.made()), as_json);
            }
            // Nothing is thrown for it, and the session goes on.
            None => note!("groma: \"{}\": type a whole number of dice from 1 to {MOST}", line.trim()),
        }
    }
    let (made, seed) = (throws.made(), throws.reveal().to_string());
    if as_json {
        say(json!({"session_seed": seed, "throws": made}));
    } else {
        say(format!("seed of the session: {seed}"));
        say(format!("any throw again: groma dice --seed {seed} --throw NUMBER --count N"));
    }
    Ok(())
}

/// Throws, and tells the dice and then their seed.
fn tell(dice: &mut Dice, count: u32, number: Option<u64>, as_json: bool) {
    let faces: Vec<u8> = (0..count).map(|_| dice.throw().pips()).collect();
    let seed = dice.seed().to_string();
    let commitment = dice.seed().commitment().to_string();
    if as_json {
        say(json!({"throw": number, "dice": faces, "seed": seed, "commitment": commitment}));
        return;
    }
    let shown: Vec<String> = faces.iter().map(ToString::to_string).collect();
    let throw = number.map_or(String::new(), |n| format!("throw {n}: "));
    say(format!("{throw}{}   (again: groma dice --seed {seed} --count {count})", shown.join(" ")));
}
