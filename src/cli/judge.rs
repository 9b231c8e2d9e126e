//! `groma judge`: everything the rules say of two elements, on a photograph or on a written setup; and
//! the rulings on written cases.

use super::rulings::SettingsArgs;
use super::{Failure, due, judge_cases, say};
use crate::judge::{Judgement, Verdict, bent_mounts, pair_certainty, rule};
use crate::rules::combat::{Brief, Conditions, FateShare, Odds, Standing, brief};
use crate::rules::{AskError, Question};
use serde_json::{Value, json};

/// Says what the rules say: of two elements on a picture or a written setup, or of written cases.
///
/// With --between: distance, zone, contact, corners, flank line, combat of two elements. The first named is the
/// one asked about: is the first in the zone of the second, is its front edge in contact, is it beyond the
/// second's flank line. A source with several frames is judged on its last.
///
/// With --due: everything that fights this bound, where bases stand: who shoots at whom, and every close combat with its
/// factors, their clauses, and its odds of 36.
///
/// Without either: every case of the case files that are named, with its reasons, and whether another
/// choice of a setting turns it.
///
/// What stands after ± is one sigma: two readings in three are nearer the truth than that. An answer is
/// given only where it is expected to be right 99 times in 100, which takes about two and a third sigma.
#[derive(Debug, clap::Args)]
pub struct JudgeArgs {
    /// The two elements.
    #[arg(long, num_args = 2, value_names = ["NAME", "NAME"])]
    between: Vec<String>,
    /// Everything that fights this bound: all shooting and all close combats, with factors and odds.
    #[arg(long, conflicts_with_all = ["between", "only"])]
    due: bool,
    /// Whose bound it is and what is known of it, in notation, such as "red 3 moved A 1". With --due; red's without it.
    #[arg(long, value_name = "BOUND", requires = "due")]
    bound: Option<String>,
    /// Two who touch and are not lined up because the second, which was contacted, did not conform: it fights as though
    /// overlapped. With --due; may be given more than once.
    #[arg(long, num_args = 2, value_names = ["NAME", "NAME"], requires = "due")]
    unconformed: Vec<String>,
    #[command(flatten)]
    from: super::measured::FromArgs,
    /// Case files; or, with --between or --due, a picture, a folder, a video, a stream's address, camera:N, or sim:SEED.
    #[arg(value_name = "CASE|SOURCE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    what: Vec<String>,
    /// Only the cases that have this in their name.
    #[arg(long, value_name = "TEXT", conflicts_with = "between")]
    only: Option<String>,
    #[command(flatten)]
    settings: SettingsArgs,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

impl JudgeArgs {
    /// Whether it judges what is written, and so comes to an end: a source may be live.
    pub fn is_finite(&self) -> bool {
        !self.due && self.between.is_empty()
    }
}

/// Runs the command.
///
/// # Errors
/// A source, setup or case file that cannot be read, or names that it does not show.
pub fn run(args: &JudgeArgs) -> Result<(), Failure> {
    if args.due {
        return due::judge(
            &args.what,
            &args.from,
            args.bound.as_deref(),
            &args.unconformed,
            &args.settings.settings()?,
            args.json,
        );
    }
    if args.between.is_empty() {
        if let Some(setup) = &args.from.setup {
            let how = "name two of its elements with --between, or ask for everything that fights with --due";
            return Err(Failure::Use(format!("--setup {setup}: {how}")));
        }
        if let Some(fact) = args.from.agree.first() {
            return Err(Failure::Use(format!(
                "--agree \"{fact}\" goes with --between or --due; a case has facts of its own"
            )));
        }
        return judge_cases::run(&args.what, args.only.as_deref(), &args.settings, args.json);
    }
    let settings = args.settings.settings()?;
    let [a, b] = args.between.as_slice() else {
        return Err(Failure::Use("--between takes two names".to_owned()));
    };
    if a == b {
        return Err(Failure::Use(format!("--between \"{a}\" \"{b}\": name two elements, not one twice")));
    }
    let (measured, contacts) = args.from.read(&args.what, &args.between, &settings)?;
    if !args.json {
        say(format!("settings: {}", settings.name()));
    }
    args.from.remark(&measured, &settings, args.json)?;
    for bent in bent_mounts(&contacts) {
        if args.json { say(bent.to_json()) } else { say(format!("caution: {bent}")) }
    }
    let mut contact = None;
    for question in Question::ALL {
        let judged = match rule(&measured, &settings, question, a, b) {
            Ok(judged) => judged,
            // Of friends the distance has been said; nothing else can be asked.
            Err(AskError::Friends { .. }) if question != Question::Distance => {
                let text =
                    format!("{a} and {b} are friends: between them there is no zone, contact or combat");
                if args.json {
                    say(json!({"remark": text}))
                } else {
                    say(format!("remark: {text}"))
                }
                break;
            }
            Err(why) => return Err(Failure::Job(why.into())),
        };
        if question == Question::ContactFront {
            contact = Some(judged.verdict());
        }
        if args.json { say(judged.to_json()) } else { say_in_words(&judged) }
    }
    if let Some(contact) = contact.filter(|verdict| *verdict != Verdict::No) {
        let combat = brief(&measured.touching().setup, &settings, &Conditions::default(), a, b)
            .map_err(anyhow::Error::from)?;
        let sure = pair_certainty(&measured, &settings, a, b);
        if args.json {
            let mut line = combat_json(&combat, a, b, contact);
            if let Some(sure) = &sure {
                due::add_certainty(sure, &mut line);
            }
            say(line);
        } else {
            say_combat(&combat, contact);
            sure.iter().flat_map(due::in_words).for_each(|line| say(format!("  {line}")));
        }
    }
    Ok(())
}

pub(super) fn say_in_words(judged: &Judgement) {
    let ruling = &judged.ruling;
    let question = ruling.question.in_words(&ruling.a, &ruling.b);
    if ruling.question == Question::Distance {
        let held = judged.held.map(|why| format!("  (held: {why})")).unwrap_or_default();
        say(format!("{question}\n  {:.1} mm ± {:.1}{held}", ruling.margin.mm, judged.weighed.sigma_mm));
    } else {
        say(format!("{question}\n  {}", judged.in_words()));
    }
    if let Some([yes, no]) = judged.to_settle() {
        // A name of two words has double quotes of its own.
        let quoted =
            |fact: &str| if fact.contains('"') { format!("'{fact}'") } else { format!("\"{fact}\"") };
        let (yes, no) = (quoted(&yes.to_string()), quoted(&no.to_string()));
        say(format!("  agree on it to settle it: --agree {yes} or --agree {no}"));
    }
    let [first, second] = judged.binding();
    say(format!("  between {first} and {second}"));
    for reason in &ruling.reasons {
        say(format!("  {}: {}", reason.clause, reason.text));
    }
}

pub(super) fn standing_json(standing: &Standing) -> Value {
    let modifier =
        |value: i32, clause: &str, text: &str| json!({"value": value, "clause": clause, "text": text});
    let mut factors = vec![modifier(standing.factor.value, &standing.factor.clause, &standing.factor.text)];
    factors.extend(standing.modifiers.iter().map(|m| modifier(m.value, &m.clause, &m.text)));
    json!({"name": standing.name, "troop": standing.troop.code, "total": standing.total(), "factors": factors})
}

/// In how many of the 36 pairs of dice each score and each fate comes.
pub(super) fn odds_json(odds: &Odds) -> Value {
    json!({
        "a_doubles": odds.a_doubles,
        "a_wins": odds.a_wins,
        "equal": odds.equal,
        "b_wins": odds.b_wins,
        "b_doubles": odds.b_doubles,
        "fates_a": fates(&odds.a),
        "fates_b": fates(&odds.b),
    })
}

fn fates(shares: &[FateShare]) -> Vec<Value> {
    let share = |s: &FateShare| json!({"fate": s.fate.name(), "clause": s.clause, "of_36": s.of_36});
    shares.iter().map(share).collect()
}

/// The combat as one JSON object: `verdict` is that of the contact, factors before the dice, and in how
/// many of the 36 pairs of dice each outcome comes.
fn combat_json(combat: &Brief, a: &str, b: &str, contact: Verdict) -> Value {
    json!({
        "question": "combat",
        "a": a,
        "b": b,
        "verdict": contact.word(),
        "factors": {"a": standing_json(&combat.a), "b": standing_json(&combat.b)},
        "odds_of_36": odds_json(&combat.odds()),
    })
}

fn say_combat(combat: &Brief, contact: Verdict) {
    let doubt = match contact {
        Verdict::Yes => "",
        Verdict::Held(_) => " (if they are in contact; rulings are held)",
        Verdict::No | Verdict::TooClose { .. } => " (if they are in contact, which is too close to call)",
    };
    say(format!("combat{doubt}"));
    let odds = combat.odds();
    for (standing, shares) in [(&combat.a, &odds.a), (&combat.b, &odds.b)] {
        say(format!("  {} {}: {:+} and its die", standing.name, standing.troop.code, standing.total()));
        for m in std::iter::once(&standing.factor).chain(&standing.modifiers) {
            say(format!("    {:+}  {} ({})", m.value, m.text, m.clause));
        }
        // One fate may come by several clauses.
        let mut counts: Vec<(&str, u8)> = Vec::new();
        for share in shares {
            match counts.iter_mut().find(|(fate, _)| *fate == share.fate.name()) {
                Some((_, of_36)) => *of_36 += share.of_36,
                None => counts.push((share.fate.name(), share.of_36)),
            }
        }
        let fates: Vec<String> = counts.iter().map(|(fate, of_36)| format!("{fate} {of_36}")).collect();
        say(format!("    of 36 throws: {}", fates.join(", ")));
    }
}
