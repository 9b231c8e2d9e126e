//! `groma combat`: two troop types, what is said of each, the factors, the odds and what each score does.

use super::rulings::SettingsArgs;
use super::{Failure, say};
use crate::rules::combat::{
    Calculation, Entry, FateRuling, Height, Mode, Outcome, Reply, Score, Standing, Stronghold, Struck,
    calculate,
};
use crate::rules::ruleset::{Fate, Going};
use serde_json::{Map, Value, json};

/// The five scores with their names in JSON.
const SCORES: [(Score, &str); 5] = [
    (Score::ADoubles, "a_doubles"),
    (Score::AWins, "a_wins"),
    (Score::Equal, "equal"),
    (Score::BWins, "b_wins"),
    (Score::BDoubles, "b_doubles"),
];

/// Reckons a combat of two troop types: factors with their clauses, the odds of 36, and what each score does.
///
/// The conditions of the first begin with --a-, those of the second with --b-.
#[derive(Debug, clap::Args)]
pub struct CombatArgs {
    /// Troop code of the first, such as 4Bd.
    a: String,
    /// Troop code of the second, such as 3Kn.
    b: String,
    /// The first shoots at the second; otherwise they are in close combat.
    #[arg(long)]
    shooting: bool,
    /// In shooting: the second shoots back at the first.
    #[arg(long, requires = "shooting")]
    shot_back: bool,
    /// In shooting: the shots are at least partly on the second's rear edge.
    #[arg(long, requires = "shooting")]
    from_behind: bool,
    #[command(flatten)]
    of_a: of_a::Said,
    #[command(flatten)]
    of_b: of_b::Said,
    /// The dice: what becomes of both with them.
    #[arg(long, value_name = "A,B", value_parser = two_dice, allow_hyphen_values = true)]
    dice: Option<(u8, u8)>,
    #[command(flatten)]
    settings: SettingsArgs,
    /// One JSON object.
    #[arg(long)]
    json: bool,
}

/// Two dice as people write them: `4,2`, `4, 2` or `4 2`.
fn two_dice(text: &str) -> Result<(u8, u8), String> {
    let wrong =
        |what: String| format!("{what}: write two dice from 1 to 6, the first element's first, such as 4,2");
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let parts = match parts.as_slice() {
        [one] => one.split_whitespace().collect(),
        _ => parts,
    };
    let [a, b] = parts.as_slice() else { return Err(wrong(format!("{} given, not two", parts.len()))) };
    let die = |text: &str| match text.parse::<u8>() {
        Ok(value @ 1..=6) => Ok(value),
        _ => Err(wrong(format!("`{text}` is on no die"))),
    };
    Ok((die(a)?, die(b)?))
}

/// What an element stands in.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum GoingWord {
    Good,
    Rough,
    Bad,
}

/// What an element defends.
#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum PlaceWord {
    City,
    Fort,
    Camp,
}

/// The conditions of one side: the same words with another letter before them.
macro_rules! said_of {
    ($module:ident, $letter:literal) => {
        mod $module {
            use super::{GoingWord, PlaceWord};

            #[derive(Debug, clap::Args)]
            #[group(skip)]
            pub struct Said {
                /// Its general's element.
                #[arg(id = concat!($letter, "-general"), long = concat!($letter, "-general"))]
                pub general: bool,
                /// Flanks that an enemy overlaps.
                #[arg(id = concat!($letter, "-overlapped"), long = concat!($letter, "-overlapped"))]
                #[arg(value_name = "N", default_value_t = 0)]
                pub overlapped: u8,
                /// Flanks and rear with an enemy's front edge on them.
                #[arg(id = concat!($letter, "-flanked"), long = concat!($letter, "-flanked"))]
                #[arg(value_name = "N", default_value_t = 0)]
                pub flanked: u8,
                /// The friend in rear support.
                #[arg(id = concat!($letter, "-rear-support"), long = concat!($letter, "-rear-support"))]
                #[arg(value_name = "CODE")]
                pub rear_support: Option<String>,
                /// A friend in side support; may be given twice.
                #[arg(id = concat!($letter, "-side-support"), long = concat!($letter, "-side-support"))]
                #[arg(value_name = "CODE")]
                pub side_support: Vec<String>,
                /// It is uphill of the other.
                #[arg(id = concat!($letter, "-uphill"), long = concat!($letter, "-uphill"))]
                pub uphill: bool,
                /// It defends the bank of a river that is not paltry.
                #[arg(id = concat!($letter, "-bank"), long = concat!($letter, "-bank"))]
                #[arg(conflicts_with = concat!($letter, "-uphill"))]
                pub bank: bool,
                /// What it stands in.
                #[arg(id = concat!($letter, "-going"), long = concat!($letter, "-going"))]
                #[arg(value_name = "GOING", default_value = "good")]
                pub going: GoingWord,
                /// What it defends; the other then assaults it.
                #[arg(id = concat!($letter, "-in"), long = concat!($letter, "-in"), value_name = "PLACE")]
                pub inside: Option<PlaceWord>,
                /// Others that shoot with it, or assault with it.
                #[arg(id = concat!($letter, "-aided"), long = concat!($letter, "-aided"))]
                #[arg(value_name = "N", default_value_t = 0)]
                pub aided: u8,
            }

            impl Said {
                /// What is said, for the calculator.
                pub fn entry(&self, code: &str) -> super::Entry {
                    super::Entry {
                        code: code.to_owned(),
                        general: self.general,
                        overlapped: self.overlapped,
                        flanked: self.flanked,
                        rear_support: self.rear_support.clone(),
                        side_support: self.side_support.clone(),
                        height: super::height(self.uphill, self.bank),
                        going: Some(super::going(self.going)),
                        holds: self.inside.map(super::stronghold),
                        aided: self.aided,
                    }
                }
            }
        }
    };
}

said_of!(of_a, "a");
said_of!(of_b, "b");

fn height(uphill: bool, bank: bool) -> Height {
    match (uphill, bank) {
        (true, _) => Height::Uphill,
        (false, true) => Height::Bank,
        (false, false) => Height::Level,
    }
}

fn going(word: GoingWord) -> Going {
    match word {
        GoingWord::Good => Going::Good,
        GoingWord::Rough => Going::Rough,
        GoingWord::Bad => Going::Bad,
    }
}

fn stronghold(word: PlaceWord) -> Stronghold {
    match word {
        PlaceWord::City => Stronghold::City,
        PlaceWord::Fort => Stronghold::Fort,
        PlaceWord::Camp => Stronghold::Camp,
    }
}

/// Runs the command.
///
/// # Errors
/// Wrong use: unknown codes, conditions that cannot be, dice that no die shows.
pub fn run(args: &CombatArgs) -> Result<(), Failure> {
    let settings = args.settings.settings()?;
    let mode = if args.shooting {
        let reply = if args.shot_back { Reply::ShootsBack } else { Reply::None };
        let struck = if args.from_behind { Struck::RearEdge } else { Struck::Elsewhere };
        Mode::Shooting { struck, reply, aiders: 0 }
    } else {
        Mode::CloseCombat
    };
    let (a, b) = (args.of_a.entry(&args.a), args.of_b.entry(&args.b));
    let found = calculate(&settings, &a, &b, mode).map_err(|why| Failure::Use(why.to_string()))?;
    let thrown = args.dice.map(|(die_a, die_b)| found.outcome(die_a, die_b));
    let thrown = thrown.transpose().map_err(|why| Failure::Use(format!("--dice: {why}")))?;
    if args.json {
        say(to_json(&found, thrown.as_ref(), settings.name()));
    } else {
        say(in_words(args, &found, thrown.as_ref(), settings.name()));
    }
    Ok(())
}

fn side_json(standing: &Standing) -> Value {
    let modifiers = standing.modifiers.iter();
    let modifiers: Vec<Value> =
        modifiers.map(|m| json!({"name": m.text, "value": m.value, "clause": m.clause})).collect();
    json!({
        "code": standing.troop.listed(),
        "base": standing.factor.value,
        "base_clause": standing.factor.clause,
        "modifiers": modifiers,
        "total": standing.total(),
    })
}

fn fate_json(fate: &FateRuling) -> Value {
    json!({"outcome": fate.fate.word(), "clause": fate.clause})
}

/// Of the two the one that matters: the loser's, and with equal totals the worse one.
fn worse<'f>(a: &'f FateRuling, b: &'f FateRuling, score: Score) -> &'f FateRuling {
    match score {
        Score::ADoubles | Score::AWins => b,
        Score::BDoubles | Score::BWins => a,
        Score::Equal if a.fate > b.fate => a,
        Score::Equal => b,
    }
}

fn to_json(found: &Calculation, thrown: Option<&Outcome>, settings: &str) -> Value {
    let odds = &found.odds;
    let mut outcomes = Map::new();
    for (score, name) in SCORES {
        let Some(what) = found.consequences.iter().find(|c| c.score == score) else { continue };
        let mut told = fate_json(worse(&what.a, &what.b, score));
        told["a"] = fate_json(&what.a);
        told["b"] = fate_json(&what.b);
        outcomes.insert(name.to_owned(), told);
    }
    let notes: Vec<Value> = found
        .idle
        .iter()
        .map(|idle| {
            let of = if idle.of == 0 { "a" } else { "b" };
            json!({"of": of, "text": idle.reason.text, "clause": idle.reason.clause})
        })
        .collect();
    let mut value = json!({
        "a": side_json(&found.brief.a),
        "b": side_json(&found.brief.b),
        "odds": {
            "a_doubles": odds.a_doubles,
            "a_wins": odds.a_wins,
            "equal": odds.equal,
            "b_wins": odds.b_wins,
            "b_doubles": odds.b_doubles,
        },
        "outcomes": outcomes,
        "notes": notes,
        "settings": settings,
    });
    if let Some(thrown) = thrown {
        value["thrown"] = json!({
            "dice": [thrown.dice.0, thrown.dice.1],
            "totals": [thrown.totals.0, thrown.totals.1],
            "score": SCORES.iter().find(|(s, _)| *s == thrown.score).map(|(_, name)| name),
            "a": fate_json(&thrown.a),
            "b": fate_json(&thrown.b),
        });
    }
    value
}

fn in_words(args: &CombatArgs, found: &Calculation, thrown: Option<&Outcome>, settings: &str) -> String {
    let how = if args.shooting { "shoots at" } else { "fights" };
    let codes = [found.brief.a.troop.code.as_str(), found.brief.b.troop.code.as_str()];
    let mut text = format!("{} {how} {}    settings: {settings}", codes[0], codes[1]);
    for (letter, code, standing) in [("A", codes[0], &found.brief.a), ("B", codes[1], &found.brief.b)] {
        text.push_str(&format!(
            "\n\n{letter}  {code} ({}): {} and its die",
            standing.troop.name,
            standing.total()
        ));
        for m in std::iter::once(&standing.factor).chain(&standing.modifiers) {
            text.push_str(&format!("\n   {:+}  {} ({})", m.value, m.text, m.clause));
        }
    }
    if !found.idle.is_empty() {
        text.push_str("\n\nsaid, and not counted");
        for idle in &found.idle {
            text.push_str(&format!("\n   {} ({})", idle.reason.text, idle.reason.clause));
        }
    }
    text.push_str("\n\nof 36 throws");
    let odds = &found.odds;
    for (score, _) in SCORES {
        let (count, name) = match score {
            Score::ADoubles => (odds.a_doubles, "A doubles B"),
            Score::AWins => (odds.a_wins, "A beats B"),
            Score::Equal => (odds.equal, "equal"),
            Score::BWins => (odds.b_wins, "B beats A"),
            Score::BDoubles => (odds.b_doubles, "B doubles A"),
        };
        let Some(what) = found.consequences.iter().find(|c| c.score == score) else { continue };
        text.push_str(&format!("\n  {count:2}  {name:12} {}", consequence(codes, &what.a, &what.b)));
    }
    if let Some(thrown) = thrown {
        text.push_str(&format!(
            "\n\ndice {} and {}: {} against {}: {}",
            thrown.dice.0,
            thrown.dice.1,
            thrown.totals.0,
            thrown.totals.1,
            consequence(codes, &thrown.a, &thrown.b)
        ));
    }
    text
}

/// What becomes of both, as far as anything does.
fn consequence(codes: [&str; 2], a: &FateRuling, b: &FateRuling) -> String {
    let told: Vec<String> = [("A", codes[0], a), ("B", codes[1], b)]
        .into_iter()
        .filter(|(_, _, fate)| fate.fate != Fate::None)
        .map(|(letter, code, fate)| {
            let text = fate.reasons.first().map(|r| format!(": {}", r.text)).unwrap_or_default();
            format!("{letter} ({code}) {} ({}{text})", fate.fate.name(), fate.clause)
        })
        .collect();
    if told.is_empty() {
        let clause = if b.clause == "dba3.out.4" { &a.clause } else { &b.clause };
        return format!("no effect ({clause})");
    }
    told.join("; ")
}
