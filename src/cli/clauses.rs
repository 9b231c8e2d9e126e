//! `groma clauses`: how many clauses have a case, and which have none.

use super::{Failure, say};
use crate::rules::cases::{self, Count};
use crate::rules::clauses::{Catalogue, Clause, Judge};
use clap::Args;
use std::collections::BTreeMap;

/// Tells how many clauses of the rules have a tested case, and lists those that have none.
#[derive(Debug, Args)]
pub struct ClausesArgs {
    /// Only this ruleset's clauses, such as `dba3`.
    #[arg(long, value_name = "ID")]
    ruleset: Option<String>,
    /// One JSON object a clause.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// A ruleset that is not known; a case file that cannot be read.
pub fn run(args: &ClausesArgs) -> Result<(), Failure> {
    let catalogue = Catalogue::embedded();
    let known = catalogue.rulesets();
    if let Some(wanted) = &args.ruleset
        && !known.contains(&wanted.as_str())
    {
        return Err(Failure::Use(format!("no ruleset is called `{wanted}`; there are {}", known.join(", "))));
    }
    let counts = cases::counts().map_err(|e| Failure::Job(anyhow::anyhow!("{e}")))?;
    let wanted = known.into_iter().filter(|id| args.ruleset.as_deref().is_none_or(|w| w == *id));
    for ruleset in wanted {
        let clauses: Vec<&Clause> =
            catalogue.iter().filter(|(owner, _)| *owner == ruleset).map(|(_, clause)| clause).collect();
        if args.json {
            for clause in clauses {
                say(json(clause, &counts));
            }
        } else {
            say(summary(ruleset, &clauses, &counts));
        }
    }
    Ok(())
}

fn count(clause: &Clause, counts: &BTreeMap<String, Count>) -> Count {
    counts.get(&clause.id).copied().unwrap_or_default()
}

fn json(clause: &Clause, counts: &BTreeMap<String, Count>) -> serde_json::Value {
    let count = count(clause, counts);
    serde_json::json!({
        "id": clause.id,
        "title": clause.title,
        "judge": clause.judge,
        "cases": { "yes": count.yes, "no": count.no },
    })
}

/// What a clause lacks: both sides where the engine judges it, one case where a person declares it,
/// nothing where it is advice.
fn lacks(clause: &Clause, count: Count) -> Option<&'static str> {
    match clause.judge {
        Judge::Advice => None,
        Judge::Declared => (count.yes + count.no == 0).then_some("no case"),
        Judge::Geometry | Judge::State | Judge::Data | Judge::Dice => match (count.yes, count.no) {
            (0, 0) => Some("no case"),
            (0, _) => Some("no case in which it holds"),
            (_, 0) => Some("no case in which it does not hold"),
            _ => None,
        },
    }
}

fn summary(ruleset: &str, clauses: &[&Clause], counts: &BTreeMap<String, Count>) -> String {
    let judged = clauses.iter().filter(|c| c.judge != Judge::Advice).count();
    let wanting: Vec<(&Clause, &str)> =
        clauses.iter().filter_map(|c| lacks(c, count(c, counts)).map(|what| (*c, what))).collect();
    let touched = clauses.iter().filter(|c| count(c, counts) != Count::default()).count();
    let mut text = format!(
        "{ruleset}: {} clauses, {judged} to be judged or declared; {touched} have a case, {} have all they need",
        clauses.len(),
        judged - wanting.len(),
    );
    for (clause, what) in wanting {
        text.push_str(&format!("\n  {}  {}: {what}", clause.id, clause.title));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_with_both_sides_lacks_nothing_and_json_has_the_counts() {
        let counts = cases::counts().expect("readable case files");
        let clause = Catalogue::embedded().clause("dba3.tz.1").expect("the zone's clause");
        assert_eq!(lacks(clause, count(clause, &counts)), None);
        let value = json(clause, &counts);
        assert_eq!(value["judge"], "geometry");
        assert!(value["cases"]["yes"].as_u64() > Some(0) && value["cases"]["no"].as_u64() > Some(0));
    }

    #[test]
    fn a_clause_without_a_case_is_listed() {
        let clauses: Vec<&Clause> = Catalogue::embedded().clause("dba3.tz.2").into_iter().collect();
        let text = summary("dba3", &clauses, &BTreeMap::new());
        assert!(text.contains("dba3.tz.2") && text.contains("no case"), "{text}");
    }
}
