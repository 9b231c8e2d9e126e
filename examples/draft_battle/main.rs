//! Drafts a battle file: has a simple player for both sides play a written battle on, dice drawn from a seed, until it is
//! won, and writes the whole with every move and die. The draft is to be looked through: what it expects is what the
//! engine said.
//!
//! `cargo run --no-default-features --example draft_battle -- FILE OUT SEED`

mod gates;
mod player;
mod proposals;
mod writing;

use groma::rules::battle::{Script, Told, replay};
use groma::rules::ruleset::list;
use player::Player;
use std::process::ExitCode;
use std::{env, fs};

fn main() -> ExitCode {
    match draft(&env::args().skip(1).collect::<Vec<_>>()) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("draft_battle: {why}");
            ExitCode::FAILURE
        }
    }
}

fn draft(args: &[String]) -> Result<String, String> {
    let [file, out, seed] = args else {
        return Err("give a battle file, a file to write and a seed".to_owned());
    };
    let seed: u64 = seed.parse().map_err(|_| format!("{seed}: a seed is a whole number"))?;
    let text = fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
    let script = Script::read(file, &text).map_err(|problems| list(&problems))?;
    let begun = replay(&script);
    // What is still due of a bound is the player's; an act that is refused is a mistake of the file's.
    if let Some((what, why)) = begun.stopped.as_ref().filter(|(what, _)| !what.contains("the end of")) {
        return Err(format!("stopped at {what}: {why}"));
    }
    let played = Player::finish(&script.battle, begun, seed);
    fs::write(out, writing::written(&script.name, &script.battle, &played))
        .map_err(|e| format!("{out}: {e}"))?;
    let combats = played.played.iter().filter(|p| matches!(p.told, Told::Fought(_))).count();
    let victor = played.state().victor().map_or("nobody", |side| side.word());
    Ok(format!("{combats} combats in {} bounds, {victor} has won", played.state().bound.number))
}
