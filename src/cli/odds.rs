//! `groma odds`: the odds of every close combat on a table, and what would change them.

use super::due::{Sure, counts};
use super::judge::odds_json;
use super::measured::{FromArgs, alone};
use super::rulings::SettingsArgs;
use super::{Failure, say};
use crate::judge::{bent_mounts, sure_combats};
use crate::rules::combat::{Brief, FateShare, Odds};
use crate::rules::due::{Change, Engagement, If, Told, Where, changes, combats};
use crate::rules::ruleset::Fate;
use serde_json::{Value, json};

/// The odds of every close combat on a table, read from a picture or a written setup, and what would change them.
///
/// Fates are counted in the 36 throws of two dice. Under each combat stands what a friend that fights nobody would
/// change in a place where it helps, of each troop type the nearest, and what would change if another combat were
/// fought first. Whether the friend can get there is not asked: `groma judge` on a case with `Reach` says that.
#[derive(Debug, clap::Args)]
pub struct OddsArgs {
    /// A picture, a folder, a video, a stream's address, camera:N, or sim:SEED.
    #[arg(value_name = "SOURCE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    what: Vec<String>,
    #[command(flatten)]
    from: FromArgs,
    /// Only the odds as they are.
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    settings: SettingsArgs,
    /// One JSON object a combat.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// A source or setup that cannot be read.
pub fn run(args: &OddsArgs) -> Result<(), Failure> {
    let settings = args.settings.settings()?;
    let (measured, contacts) = args.from.read(&args.what, &[], &settings)?;
    args.from.remark(&measured, &settings, args.json)?;
    alone(&measured, args.json);
    for bent in bent_mounts(&contacts) {
        if args.json { say(bent.to_json()) } else { say(format!("caution: {bent}")) }
    }
    let setup = &measured.touching().setup;
    let told = Told::default();
    let found = combats(setup, &settings, &told);
    if !args.json {
        say(format!("settings: {}", settings.name()));
        if found.combats.is_empty() {
            say("no close combat is due as the table stands");
        }
    }
    let sure = sure_combats(&measured, &settings, &told, &found.combats);
    for (combat, sure) in found.combats.iter().zip(&sure) {
        let other = if args.plain { Vec::new() } else { changes(setup, &settings, &told, combat) };
        let sure = Sure(sure);
        if args.json {
            let mut line = to_json(combat, &other);
            sure.add_to(&mut line);
            say(line);
        } else {
            say(in_words(combat, &sure.words("  "), &other));
        }
    }
    for why in &found.faults {
        if args.json {
            say(json!({"odds": "fault", "why": why.to_string()}))
        } else {
            say(format!("not reckoned: {why}"))
        }
    }
    Ok(())
}

/// In how many of the 36 throws each of the two meets each fate; of neither first.
fn fates(brief: &Brief, odds: &Odds) -> Vec<(String, Fate, u8)> {
    let of = |name: &str, shares: &[FateShare]| {
        let met = |fate| shares.iter().filter(|s| s.fate == fate).map(|s| s.of_36).sum::<u8>();
        [Fate::Recoil, Fate::Flee, Fate::Destroyed].map(|fate| (name.to_owned(), fate, met(fate)))
    };
    of(&brief.a.name, &odds.a).into_iter().chain(of(&brief.b.name, &odds.b)).collect()
}

fn in_words(combat: &Engagement, sure: &[String], other: &[Change]) -> String {
    let (a, b) = combat.names();
    let place = match &combat.at {
        Where::Open => String::new(),
        Where::Unconformed => ", unconformed".to_owned(),
        Where::Assault(place) => format!(", assaulting {place}"),
    };
    let (x, y) = (combat.brief.a.total(), combat.brief.b.total());
    let mut text = format!(
        "{a} ({}) {x} against {b} ({}) {y}{place}",
        combat.brief.a.troop.code, combat.brief.b.troop.code
    );
    let [a_doubles, a_wins, equal, b_wins, b_doubles] = counts(&combat.odds);
    text.push_str(&format!(
        "\n  of 36: {a} doubles {a_doubles}, wins {a_wins}; equal {equal}; {b} wins {b_wins}, doubles {b_doubles}"
    ));
    let now = fates(&combat.brief, &combat.odds);
    let met = now.iter().filter(|(.., of_36)| *of_36 > 0);
    let met: Vec<String> = met.map(|(who, fate, of_36)| format!("{who} {} {of_36}", fate.name())).collect();
    text.push_str(&format!(
        "\n  {}",
        if met.is_empty() { "nothing can happen".to_owned() } else { met.join(", ") }
    ));
    for line in sure {
        text.push_str(&format!("\n{line}"));
    }
    for change in other {
        let (x, y) = (change.brief.a.total(), change.brief.b.total());
        text.push_str(&format!("\n  if {}: {x} against {y}", change.words));
        let figures = [(&change.added, "with"), (&change.dropped, "without")];
        for (who, m, word) in
            figures.iter().flat_map(|(all, word)| all.iter().map(move |(who, m)| (who, m, word)))
        {
            text.push_str(&format!("\n      {word} {:+} of {who}: {} ({})", m.value, m.text, m.clause));
        }
        let deltas: Vec<String> = deltas(&now, change)
            .into_iter()
            .map(|(who, fate, of_36, delta)| format!("{who} {} {of_36} ({delta:+})", fate.name()))
            .collect();
        text.push_str(&format!("\n      {}", deltas.join(", ")));
    }
    text
}

/// The fates whose odds change: of whom, which, how often it then comes, and by how much more often.
fn deltas(now: &[(String, Fate, u8)], change: &Change) -> Vec<(String, Fate, u8, i16)> {
    let then = fates(&change.brief, &change.odds);
    let delta = |((who, fate, was), (.., is)): (&(String, Fate, u8), (String, Fate, u8))| {
        (who.clone(), *fate, is, i16::from(is) - i16::from(*was))
    };
    now.iter().zip(then).map(delta).filter(|(.., delta)| *delta != 0).collect()
}

fn to_json(combat: &Engagement, other: &[Change]) -> Value {
    let (a, b) = combat.names();
    let now = fates(&combat.brief, &combat.odds);
    let assaults = match &combat.at {
        Where::Open | Where::Unconformed => None,
        Where::Assault(place) => Some(place),
    };
    let change = |change: &Change| {
        let deltas: Vec<Value> = deltas(&now, change)
            .into_iter()
            .map(|(who, fate, of_36, delta)| json!({"of": who, "fate": fate.name(), "of_36": of_36, "delta": delta}))
            .collect();
        let figures = |all: &[(String, crate::rules::combat::Modifier)]| -> Vec<Value> {
            let figure = |(who, m): &(String, crate::rules::combat::Modifier)| json!({"of": who, "value": m.value, "clause": m.clause, "text": m.text});
            all.iter().map(figure).collect()
        };
        let (who, helps) = match &change.what {
            If::Stands { who, helps, .. } => (who, Some(helps)),
            If::Gone(who) => (who, None),
        };
        json!({
            "if": change.words,
            "who": who,
            "helps": helps,
            "totals": [change.brief.a.total(), change.brief.b.total()],
            "added": figures(&change.added),
            "dropped": figures(&change.dropped),
            "odds_of_36": odds_json(&change.odds),
            "deltas": deltas,
        })
    };
    json!({
        "odds": "close_combat",
        "a": a,
        "b": b,
        "assaults": assaults,
        "totals": [combat.brief.a.total(), combat.brief.b.total()],
        "odds_of_36": odds_json(&combat.odds),
        "what_if": other.iter().map(change).collect::<Vec<_>>(),
    })
}
