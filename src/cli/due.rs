//! Everything that fights in a bound, for `groma judge --due`: in words and as JSON.

use super::judge::{odds_json, standing_json};
use super::measured::FromArgs;
use super::{Failure, say};
use crate::judge::{Certainty, Measured, Verdict, bent_mounts, certainty, rounded, rule};
use crate::rules::combat::{Brief, Effect, Odds, Score, Standing};
use crate::rules::due::{Due, Engagement, Told, Volley, Where, due_where};
use crate::rules::ruleset::Fate;
use crate::rules::shooting::Options;
use crate::rules::{Bound, Question, Reason, Settings, Side, notation};
use crate::text::did_you_mean;
use serde_json::{Value, json};

/// Judges everything due on one source or written setup.
///
/// # Errors
/// A source or bound that cannot be read.
pub(super) fn judge(
    sources: &[String],
    from: &FromArgs,
    bound: Option<&str>,
    settings: &Settings,
    as_json: bool,
) -> Result<(), Failure> {
    let read = |text: &str| {
        notation::read_bound(text).map_err(|why| Failure::Use(format!("--bound \"{text}\": {why}")))
    };
    let given = bound.map(read).transpose()?;
    let (measured, contacts) = from.read(sources, &[], settings)?;
    from.remark(settings, as_json)?;
    if let Some(bound) = &given {
        let movers = bound.done.iter().flat_map(|done| &done.movers);
        for name in movers {
            if measured.setup.element(name).is_none() {
                let known = measured.setup.elements.iter().map(|e| e.name.as_str());
                let near = did_you_mean(name, known);
                return Err(Failure::Use(format!(
                    "--bound: no element called \"{name}\" is on the table{near}"
                )));
            }
        }
    }
    for bent in bent_mounts(&contacts) {
        if as_json { say(bent.to_json()) } else { say(format!("caution: {bent}")) }
    }
    let told = Told::default();
    let bound = given.clone().unwrap_or_else(|| Bound::new(3, Side::Red));
    let found = due_where(&measured.setup, &measured.touching().setup, settings, &bound, &told);
    let sure: Vec<Sure> = found.combats.iter().map(|c| Sure::of(&measured, settings, &told, c)).collect();
    if as_json {
        lines(&found, &sure, given.is_some()).iter().for_each(say);
    } else {
        words(&found, &sure, given.is_some()).iter().for_each(say);
    }
    Ok(())
}

/// How sure a combat is.
pub(super) struct Sure {
    contact: Verdict,
    figures: Option<Certainty>,
}

impl Sure {
    /// Of contact and figures; an assault is taken as it was read.
    pub fn of(measured: &Measured, settings: &Settings, told: &Told, combat: &Engagement) -> Self {
        let (a, b) = combat.names();
        let contact = rule(measured, settings, Question::ContactFront, a, b).ok();
        Self {
            contact: contact.map_or(Verdict::Yes, |judged| judged.verdict()),
            figures: certainty(measured, settings, told, combat),
        }
    }

    /// `yes`, `too_close` or `held`.
    fn word(&self) -> &'static str {
        match self.contact {
            Verdict::Held(_) => "held",
            Verdict::Yes if self.figures.as_ref().is_none_or(|f| !f.too_close()) => "yes",
            _ => "too_close",
        }
    }

    /// What is to be said of it; nothing where it is clear.
    pub fn words(&self, indent: &str) -> Vec<String> {
        let mut lines = Vec::new();
        match self.contact {
            Verdict::Yes => {}
            Verdict::Held(why) => lines.push(format!("{indent}rulings are held: {why}")),
            _ => lines.push(format!("{indent}whether they are in contact is too close to call")),
        }
        lines.extend(self.figures.iter().flat_map(in_words).map(|line| format!("{indent}{line}")));
        lines
    }

    /// Adds `verdict` and `hangs_on` to a line.
    pub fn add_to(&self, line: &mut Value) {
        line["verdict"] = self.word().into();
        line["contact"] = self.contact.word().into();
        if let Some(found) = &self.figures {
            add_certainty(found, line);
        }
    }
}

/// How sure figures are, in words: nothing where they are clear.
pub(super) fn in_words(found: &Certainty) -> Vec<String> {
    found.words(|[yes, no]| format!("; agree on it to settle it: --agree '{yes}' or --agree '{no}'"))
}

/// Adds `same_figures`, `other_totals` and `hangs_on` to a line.
pub(super) fn add_certainty(found: &Certainty, line: &mut Value) {
    let share = |share: f64| rounded(share, 4);
    line["same_figures"] = share(found.same).into();
    line["other_totals"] =
        found.others.iter().map(|((a, b), of)| json!({"totals": [a, b], "share": share(*of)})).collect();
    line["hangs_on"] = found
        .open
        .iter()
        .map(|open| {
            let facts = open.to_settle.as_ref().map(|facts| facts.each_ref().map(ToString::to_string));
            json!({"fact": open.hinge.words(), "share": share(open.holds), "to_settle": facts})
        })
        .collect();
}

/// As lines of text.
fn words(found: &Due, sure: &[Sure], bound_given: bool) -> Vec<String> {
    let whose = if bound_given { "" } else { " (no --bound says whose)" };
    let mut lines =
        vec![format!("settings: {}", found.under), format!("a bound of {}{whose}", found.side.word())];
    lines.push(
        if found.shooting.options.is_empty() { "shooting: nobody may shoot" } else { "shooting" }.to_owned(),
    );
    lines.extend(found.shooting.options.iter().flat_map(shooter_words));
    for barred in &found.shooting.barred {
        lines.push(format!("  {} cannot shoot at {}", barred.shooter, barred.target));
        lines.extend(barred.reasons.iter().filter(|r| !r.holds).map(|r| cited(r, "    ")));
    }
    for silent in &found.shooting.silent {
        lines.push(format!("  {} does not shoot", silent.who));
        lines.extend(silent.reasons.iter().map(|r| cited(r, "    ")));
    }
    for volley in &found.volleys {
        lines.extend(volley_words(volley));
    }
    lines.push(if found.combats.is_empty() { "close combat: none" } else { "close combat" }.to_owned());
    for (combat, sure) in found.combats.iter().zip(sure) {
        lines.extend(combat_words(combat));
        lines.extend(sure.words("    "));
    }
    for idle in &found.idle {
        lines.push(format!("  {} on {}: no combat", idle.who, idle.on));
        lines.extend(idle.reasons.iter().map(|r| cited(r, "    ")));
    }
    lines.extend(found.reasons.iter().map(|r| cited(r, "  ")));
    lines.extend(found.faults.iter().map(|why| format!("  not reckoned: {why}")));
    lines
}

fn cited(reason: &Reason, indent: &str) -> String {
    format!("{indent}{}: {}", reason.clause, reason.text)
}

fn shooter_words(options: &Options) -> Vec<String> {
    let who = &options.shooter;
    let what = match (&options.settled, options.targets.as_slice()) {
        (Some(target), _) => format!("  {who} shoots at {target}"),
        (None, []) => format!("  {who} shoots at nobody"),
        (None, targets) => format!("  {who} chooses among {}", targets.join(", ")),
    };
    let first = options.reasons.first().map(|r| cited(r, "    "));
    std::iter::once(what).chain(first).collect()
}

fn volley_words(volley: &Volley) -> Vec<String> {
    let (fire, brief) = (&volley.fire, &volley.brief);
    let aiders: Vec<&str> =
        fire.shooters.iter().filter(|s| **s != brief.a.name).map(String::as_str).collect();
    let aid = if aiders.is_empty() { String::new() } else { format!(", aided by {}", aiders.join(", ")) };
    let mut lines = vec![format!("  {} at {}{aid}", brief.a.name, fire.target)];
    lines.extend(totals_words(brief, &volley.odds, &volley.effects));
    lines.extend(fire.reasons.iter().filter(|r| r.holds).map(|r| cited(r, "    ")));
    lines
}

fn combat_words(combat: &Engagement) -> Vec<String> {
    let (a, b) = combat.names();
    let place = match &combat.at {
        Where::Open => String::new(),
        Where::Assault(place) => format!(", assaulting {place}"),
    };
    let mut lines = vec![format!("  {a} against {b}{place}  (contact by {:.1} mm)", combat.margin.mm)];
    lines.extend(totals_words(&combat.brief, &combat.odds, &combat.effects));
    lines
}

/// Both totals, and what each score does that they can reach.
fn totals_words(brief: &Brief, odds: &Odds, effects: &[Effect; 5]) -> Vec<String> {
    let mut lines = Vec::new();
    for standing in [&brief.a, &brief.b] {
        lines.push(format!(
            "    {} {}: {:+} and its die",
            standing.name,
            standing.troop.code,
            standing.total()
        ));
        lines.extend(
            figures(standing).map(|(value, text, clause)| format!("      {value:+}  {text} ({clause})")),
        );
    }
    for (effect, of_36) in effects.iter().zip(counts(odds)).filter(|(_, of_36)| *of_36 > 0) {
        let (a, b) = (&brief.a.name, &brief.b.name);
        let score = match effect.score {
            Score::ADoubles => format!("{a} doubles"),
            Score::AWins => format!("{a} wins"),
            Score::Equal => "equal".to_owned(),
            Score::BWins => format!("{b} wins"),
            Score::BDoubles => format!("{b} doubles"),
        };
        let fate = |name: &str, ruling: &crate::rules::combat::FateRuling| {
            (ruling.fate != Fate::None).then(|| format!("{name} {} ({})", ruling.fate.name(), ruling.clause))
        };
        let told: Vec<String> = [fate(a, &effect.a), fate(b, &effect.b)].into_iter().flatten().collect();
        let told = if told.is_empty() { "nothing happens".to_owned() } else { told.join(", ") };
        lines.push(format!("    {of_36:2} of 36: {score}: {told}"));
    }
    lines
}

/// The factor and everything added to it.
fn figures(standing: &Standing) -> impl Iterator<Item = (i32, &str, &str)> {
    let all = std::iter::once(&standing.factor).chain(&standing.modifiers);
    all.map(|m| (m.value, m.text.as_str(), m.clause.as_str()))
}

/// How often each score comes, in the scores' own order.
pub(super) fn counts(odds: &Odds) -> [u8; 5] {
    [odds.a_doubles, odds.a_wins, odds.equal, odds.b_wins, odds.b_doubles]
}

/// As JSON, one object a line.
fn lines(found: &Due, sure: &[Sure], bound_given: bool) -> Vec<Value> {
    let mut lines = vec![json!({
        "due": "bound",
        "side": found.side.word(),
        "given": bound_given,
        "reasons": found.reasons,
        "under": &*found.under,
    })];
    lines.extend(found.shooting.options.iter().map(|o| {
        json!({"due": "shooter", "shooter": o.shooter, "targets": o.targets, "settled": o.settled, "reasons": o.reasons})
    }));
    lines.extend(
        found.shooting.barred.iter().map(
            |b| json!({"due": "barred", "shooter": b.shooter, "target": b.target, "reasons": b.reasons}),
        ),
    );
    let silent = found.shooting.silent.iter();
    lines.extend(silent.map(|s| json!({"due": "silent", "shooter": s.who, "reasons": s.reasons})));
    lines.extend(found.volleys.iter().map(|volley| {
        let fire = &volley.fire;
        let mut line = json!({
            "due": "shooting",
            "a": volley.brief.a.name,
            "b": fire.target,
            "shooters": fire.shooters,
            "aiders": fire.aiders,
            "shoots_back_at": fire.answers,
            "reasons": fire.reasons,
        });
        reckoned(&mut line, &volley.brief, &volley.odds, &volley.effects);
        line
    }));
    lines.extend(found.combats.iter().zip(sure).map(|(combat, sure)| {
        let mut line = combat_json(combat);
        sure.add_to(&mut line);
        line
    }));
    lines.extend(found.idle.iter().map(|idle| {
        json!({
            "due": "none",
            "a": idle.who,
            "b": idle.on,
            "edge": idle.edge.name(),
            "margin_mm": rounded(idle.margin.mm, 3),
            "reasons": idle.reasons,
        })
    }));
    lines.extend(found.faults.iter().map(|why| json!({"due": "fault", "why": why.to_string()})));
    lines
}

/// A close combat as JSON.
fn combat_json(combat: &Engagement) -> Value {
    let (a, b) = combat.names();
    let assaults = match &combat.at {
        Where::Open => None,
        Where::Assault(place) => Some(place),
    };
    let mut line = json!({
        "due": "close_combat",
        "a": a,
        "b": b,
        "assaults": assaults,
        "margin_mm": rounded(combat.margin.mm, 3),
    });
    reckoned(&mut line, &combat.brief, &combat.odds, &combat.effects);
    line
}

fn reckoned(line: &mut Value, brief: &Brief, odds: &Odds, effects: &[Effect; 5]) {
    line["factors"] = json!({"a": standing_json(&brief.a), "b": standing_json(&brief.b)});
    line["odds_of_36"] = odds_json(odds);
    let effect = |e: &Effect| {
        let fate = |r: &crate::rules::combat::FateRuling| json!({"fate": r.fate.name(), "clause": r.clause});
        json!({"score": score(e.score), "a": fate(&e.a), "b": fate(&e.b)})
    };
    line["outcomes"] = effects.iter().map(effect).collect();
}

fn score(score: Score) -> &'static str {
    match score {
        Score::ADoubles => "a_doubles",
        Score::AWins => "a_wins",
        Score::Equal => "equal",
        Score::BWins => "b_wins",
        Score::BDoubles => "b_doubles",
    }
}
