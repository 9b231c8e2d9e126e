//! Everything that fights in a bound, for `groma judge --due`: in words and as JSON.

use super::judge::{odds_json, standing_json};
use super::measured::{FromArgs, alone};
use super::{Failure, say};
use crate::judge::{
    AimDoubt, Certainty, Doubt, Hang, JudgedDue, SureCombat, Verdict, bent_mounts, judge_due, rounded,
};
use crate::rules::combat::{Brief, Effect, Odds, Score, Standing};
use crate::rules::due::{Aim, Claim, Engagement, Told, Volley, Where};
use crate::rules::facts::Fact;
use crate::rules::ruleset::Fate;
use crate::rules::shooting::Options;
use crate::rules::{Bound, Reason, Settings, Side, notation};
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
    refused: &[String],
    settings: &Settings,
    as_json: bool,
) -> Result<(), Failure> {
    let read = |text: &str| {
        notation::read_bound(text).map_err(|why| Failure::Use(format!("--bound \"{text}\": {why}")))
    };
    let given = bound.map(read).transpose()?;
    let (measured, contacts) = from.read(sources, &[], settings)?;
    from.remark(&measured, settings, as_json)?;
    alone(&measured, as_json);
    let movers = given.iter().flat_map(|bound| &bound.done).flat_map(|done| &done.movers);
    let named =
        movers.map(|name| ("--bound", name)).chain(refused.iter().map(|name| ("--unconformed", name)));
    for (option, name) in named {
        if measured.setup.element(name).is_none() {
            let known = measured.setup.elements.iter().map(|e| e.name.as_str());
            let near = did_you_mean(name, known);
            return Err(Failure::Use(format!(
                "{option}: no element called \"{name}\" is on the table{near}"
            )));
        }
    }
    for bent in bent_mounts(&contacts) {
        if as_json { say(bent.to_json()) } else { say(format!("caution: {bent}")) }
    }
    let pairs = refused.chunks_exact(2).map(|pair| (pair[0].clone(), pair[1].clone()));
    let told = Told { refused: pairs.collect(), ..Told::default() };
    let bound = given.clone().unwrap_or_else(|| Bound::new(3, Side::Red));
    let found = judge_due(&measured, settings, &bound, &told);
    if as_json {
        lines(&found, given.is_some()).iter().for_each(say);
    } else {
        words(&found, given.is_some()).iter().for_each(say);
    }
    Ok(())
}

/// How sure a combat is, to be told.
pub(super) struct Sure<'s>(pub &'s SureCombat);

impl Sure<'_> {
    /// `yes`, `too_close` or `held`.
    fn word(&self) -> &'static str {
        match self.0.contact {
            Verdict::Held(_) => "held",
            Verdict::Yes if self.0.figures.as_ref().is_none_or(|f| !f.too_close()) => "yes",
            _ => "too_close",
        }
    }

    /// What is to be said of it; nothing where it is clear.
    pub fn words(&self, indent: &str) -> Vec<String> {
        let mut lines = Vec::new();
        match self.0.contact {
            Verdict::Yes => {}
            Verdict::Held(why) => lines.push(format!("{indent}rulings are held: {why}")),
            Verdict::No => lines.push(format!("{indent}they are in contact at the best estimate alone")),
            Verdict::TooClose { probability, .. } => {
                let share = 100.0 * probability;
                lines.push(format!(
                    "{indent}whether they are in contact is too close to call: so in {share:.0} of 100"
                ));
            }
        }
        lines.extend(self.0.figures.iter().flat_map(in_words).map(|line| format!("{indent}{line}")));
        lines
    }

    /// Adds `verdict` and `hangs_on` to a line.
    pub fn add_to(&self, line: &mut Value) {
        line["verdict"] = self.word().into();
        line["contact"] = self.0.contact.word().into();
        if let Some(found) = &self.0.figures {
            add_certainty(found, line);
        }
    }
}

/// How sure figures are, in words: nothing where they are clear.
pub(super) fn in_words(found: &Certainty) -> Vec<String> {
    found.words(agree)
}

/// How to settle it.
fn agree([yes, no]: &[Fact; 2]) -> String {
    format!("; agree on it to settle it: --agree '{yes}' or --agree '{no}'")
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
fn words(judged: &JudgedDue, bound_given: bool) -> Vec<String> {
    let (found, shooting) = (&judged.due, &judged.due.shooting);
    let whose = if bound_given { "" } else { " (no --bound says whose)" };
    let mut lines =
        vec![format!("settings: {}", found.under), format!("a bound of {}{whose}", found.side.word())];
    if let Some(why) = judged.held {
        lines.push(format!("rulings are held: {why}"));
    }
    lines
        .push(if shooting.options.is_empty() { "shooting: nobody may shoot" } else { "shooting" }.to_owned());
    for options in &shooting.options {
        lines.extend(shooter_words(options));
        let doubt = judged.doubt(&Claim::MayShoot(options.shooter.clone()));
        lines.extend(doubt.into_iter().flat_map(|doubt| doubt_words(doubt, "    ")));
        lines.extend(judged.aims.get(&options.shooter).into_iter().flat_map(aim_words));
        let of_it = |d: &&Doubt| matches!(&d.claim, Claim::Shot(who, at) if *who == options.shooter && shooting.open.contains(&(who.clone(), at.clone())));
        lines.extend(judged.doubts.iter().filter(of_it).flat_map(|doubt| doubt_words(doubt, "    ")));
    }
    for barred in &shooting.barred {
        let claim = Claim::Shot(barred.shooter.clone(), barred.target.clone());
        if let Some(doubt) = judged.doubt(&claim) {
            lines.extend(doubt_words(doubt, "  "));
            continue;
        }
        lines.push(format!("  {} cannot shoot at {}", barred.shooter, barred.target));
        lines.extend(barred.reasons.iter().filter(|r| !r.holds).map(|r| cited(r, "    ")));
    }
    for silent in &shooting.silent {
        if let Some(doubt) = judged.doubt(&Claim::MayShoot(silent.who.clone())) {
            lines.extend(doubt_words(doubt, "  "));
            continue;
        }
        lines.push(format!("  {} does not shoot", silent.who));
        lines.extend(silent.reasons.iter().map(|r| cited(r, "    ")));
    }
    let of_shooting = |d: &&Doubt| matches!(d.claim, Claim::Shot(..) | Claim::MayShoot(_));
    lines.extend(judged.unlisted().filter(of_shooting).flat_map(|doubt| doubt_words(doubt, "  ")));
    for (n, (volley, sure)) in found.volleys.iter().zip(&judged.volleys).enumerate() {
        lines.extend(volley_words(volley));
        if found.volleys[..n].iter().any(|before| before.answers(volley)) {
            let (a, b) = (&volley.brief.a.name, &volley.brief.b.name);
            lines.push(format!(
                "    dba3.sht.8: {a} and {b} shoot at each other: one throw settles this and {b} at {a}"
            ));
        }
        lines.extend(in_words(sure).into_iter().map(|line| format!("    {line}")));
    }
    lines.push(if found.combats.is_empty() { "close combat: none" } else { "close combat" }.to_owned());
    for (combat, sure) in found.combats.iter().zip(&judged.combats) {
        lines.extend(combat_words(combat));
        lines.extend(Sure(sure).words("    "));
        let doubt = contact_doubt(judged, combat);
        let hangs = doubt.into_iter().flat_map(|doubt| doubt.words(agree)).skip(1);
        lines.extend(hangs.map(|line| format!("    {line}")));
    }
    for idle in &found.idle {
        lines.push(format!("  {} on {}: no combat", idle.who, idle.on));
        lines.extend(idle.reasons.iter().map(|r| cited(r, "    ")));
        let doubt = judged.doubt(&Claim::Idle(idle.who.clone(), idle.edge, idle.on.clone()));
        lines.extend(doubt.into_iter().flat_map(|doubt| doubt_words(doubt, "    ")));
    }
    lines.extend(judged.unlisted().filter(|d| !of_shooting(d)).flat_map(|doubt| doubt_words(doubt, "  ")));
    lines.extend(found.reasons.iter().map(|r| cited(r, "  ")));
    lines.extend(found.faults.iter().map(|why| format!("  not reckoned: {why}")));
    lines
}

/// The doubt about a combat's contact, if there is one.
fn contact_doubt<'j>(judged: &'j JudgedDue, combat: &Engagement) -> Option<&'j Doubt> {
    let (a, b) = combat.names();
    judged.doubt(&match &combat.at {
        Where::Unconformed => return None,
        Where::Open => Claim::Fronts(a.to_owned(), b.to_owned()),
        Where::Assault(place) => Claim::Storms(a.to_owned(), place.clone()),
    })
}

fn doubt_words(doubt: &Doubt, indent: &str) -> Vec<String> {
    doubt.words(agree).into_iter().map(|line| format!("{indent}{line}")).collect()
}

/// Whom one shoots at, where that is too close to call.
fn aim_words(doubt: &AimDoubt) -> Vec<String> {
    let mut lines = vec![format!("    too close to call: so in {:.0} of 100", 100.0 * doubt.same)];
    for (aim, share) in &doubt.others {
        let at = match aim {
            None => "shoots at nobody".to_owned(),
            Some(Aim { settled: Some(one), .. }) => format!("shoots at {one}"),
            Some(Aim { targets, .. }) => format!("chooses among {}", targets.join(", ")),
        };
        lines.push(format!("      {at} in {:.0} of 100", 100.0 * share));
    }
    let agree = |hang: &Hang| hang.to_settle.as_ref().map_or(String::new(), agree);
    lines.extend(doubt.hangs_on.iter().map(|hang| format!("      {}{}", hang.words(), agree(hang))));
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
        Where::Unconformed => ", which did not conform".to_owned(),
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
fn lines(judged: &JudgedDue, bound_given: bool) -> Vec<Value> {
    let (found, shooting) = (&judged.due, &judged.due.shooting);
    let mut lines = vec![json!({
        "due": "bound",
        "side": found.side.word(),
        "given": bound_given,
        "held": judged.held.map(|why| why.to_string()),
        "reasons": found.reasons,
        "under": &*found.under,
    })];
    lines.extend(shooting.options.iter().map(|o| {
        let aim = judged.aims.get(&o.shooter);
        let mut line = json!({
            "due": "shooter", "shooter": o.shooter, "targets": o.targets, "settled": o.settled, "reasons": o.reasons,
            "verdict": if judged.held.is_some() { "held" } else if aim.is_some() { "too_close" } else { "yes" },
        });
        if let Some(aim) = aim {
            aim_json(aim, &mut line);
        }
        line
    }));
    lines.extend(shooting.barred.iter().map(|b| {
        let line = json!({"due": "barred", "shooter": b.shooter, "target": b.target, "reasons": b.reasons});
        weighed(judged, &Claim::Shot(b.shooter.clone(), b.target.clone()), line)
    }));
    lines.extend(shooting.silent.iter().map(|s| {
        let line = json!({"due": "silent", "shooter": s.who, "reasons": s.reasons});
        weighed(judged, &Claim::MayShoot(s.who.clone()), line)
    }));
    lines.extend(found.volleys.iter().zip(&judged.volleys).map(|(volley, sure)| {
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
        line["verdict"] = match (judged.held, sure.too_close()) {
            (Some(_), _) => "held",
            (None, true) => "too_close",
            (None, false) => "yes",
        }
        .into();
        add_certainty(sure, &mut line);
        line
    }));
    lines.extend(found.combats.iter().zip(&judged.combats).map(|(combat, sure)| {
        let mut line = combat_json(combat);
        Sure(sure).add_to(&mut line);
        if let Some(doubt) = contact_doubt(judged, combat) {
            line["contact_hangs_on"] = doubt.hangs_on.iter().map(Hang::to_json).collect();
        }
        line
    }));
    lines.extend(found.idle.iter().map(|idle| {
        let line = json!({
            "due": "none",
            "a": idle.who,
            "b": idle.on,
            "edge": idle.edge.name(),
            "margin_mm": rounded(idle.margin.mm, 3),
            "reasons": idle.reasons,
        });
        weighed(judged, &Claim::Idle(idle.who.clone(), idle.edge, idle.on.clone()), line)
    }));
    // What is in the lists and may not be so, and what is in none of them and may be.
    let listed = |d: &&Doubt| match &d.claim {
        Claim::Shot(shooter, target) => {
            !shooting.barred.iter().any(|b| (&b.shooter, &b.target) == (shooter, target))
        }
        Claim::MayShoot(who) => !shooting.silent.iter().any(|s| s.who == *who),
        Claim::Fronts(a, b) => !found.combats.iter().any(|c| c.names() == (a, b)),
        Claim::Storms(who, place) => {
            let there = |c: &Engagement| c.names().0 == who && c.at == Where::Assault(place.clone());
            !found.combats.iter().any(there)
        }
        Claim::Idle(who, edge, on) => !found.idle.iter().any(|i| (&i.who, i.edge, &i.on) == (who, *edge, on)),
    };
    lines.extend(judged.doubts.iter().filter(listed).map(|doubt| {
        let (question, a, b) = match &doubt.claim {
            Claim::MayShoot(who) => ("may_shoot", who, None),
            Claim::Shot(shooter, target) => ("shot", shooter, Some(target)),
            Claim::Fronts(a, b) => ("contact_front", a, Some(b)),
            Claim::Idle(who, _, on) => ("no_combat", who, Some(on)),
            Claim::Storms(who, place) => ("assault", who, Some(place)),
        };
        let line = json!({"due": "open", "question": question, "claim": doubt.claim.words(), "a": a, "b": b});
        weighed(judged, &doubt.claim, line)
    }));
    lines.extend(found.faults.iter().map(|why| json!({"due": "fault", "why": why.to_string()})));
    lines
}

/// The same line with `verdict`, and where it is too close to call with `probability` and what it `hangs_on`. The verdict is
/// on the claim itself: that one may shoot, is in contact.
fn weighed(judged: &JudgedDue, claim: &Claim, mut line: Value) -> Value {
    line["verdict"] = judged.verdict(claim).word().into();
    if let Some(doubt) = judged.doubt(claim) {
        line["probability"] = rounded(doubt.holds, 4).into();
        line["hangs_on"] = doubt.hangs_on.iter().map(Hang::to_json).collect();
    }
    line
}

/// Adds `same`, `otherwise` and `hangs_on` to a shooter's line.
fn aim_json(doubt: &AimDoubt, line: &mut Value) {
    let other = |(aim, share): &(Option<Aim>, f64)| {
        let aim = aim.clone().unwrap_or_default();
        json!({"targets": aim.targets, "settled": aim.settled, "share": rounded(*share, 4)})
    };
    line["same"] = rounded(doubt.same, 4).into();
    line["otherwise"] = doubt.others.iter().map(other).collect();
    line["hangs_on"] = doubt.hangs_on.iter().map(Hang::to_json).collect();
}

/// A close combat as JSON.
fn combat_json(combat: &Engagement) -> Value {
    let (a, b) = combat.names();
    let assaults = match &combat.at {
        Where::Open | Where::Unconformed => None,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PoseEstimate;
    use crate::judge::Measured;
    use crate::rules::Element;
    use nalgebra::{Matrix3, Vector3};

    /// A table whose poses are each known to 0.3 mm.
    fn told(text: &str) -> JudgedDue {
        let settings = Settings::dba3();
        let setup = notation::read_setup(text, settings.ruleset()).expect("a setup");
        let known = |e: &Element| PoseEstimate {
            pose: e.footprint.pose(),
            covariance: Matrix3::from_diagonal(&Vector3::new(0.09, 0.09, 1e-9)),
            shared: Vec::new(),
        };
        let found = setup.elements.iter().map(|e| (e.clone(), known(e))).collect();
        let measured = Measured::from_poses(setup.scale, setup.board_mm, found);
        judge_due(&measured, &settings, &Bound::new(3, Side::Red), &Told::default())
    }

    #[test]
    fn a_line_barred_by_a_hair_is_told_as_too_close_and_one_barred_by_much_as_barred() {
        let table = |x: f64| {
            told(&format!(
                "A 4Bw red (5,5)-(6,5) N; E 4Bd blue (6,7)-(5,7) S; B Ps red ({x},240)-({},240)mm N",
                x + 40.0
            ))
        };
        let (close, barred) = (table(239.9), table(230.0));
        let lines = words(&close, true);
        assert!(
            lines.iter().any(|l| l.starts_with("  whether A may shoot at E is too close to call: so in ")),
            "{lines:?}"
        );
        let hangs = lines.iter().find(|l| l.contains("it hangs on dba3.sht.25")).expect("the line");
        assert!(
            hangs.contains("B bars the line from A to E, by 0.1 mm (fails by 0.1 mm ± 0.")
                && hangs.contains("of B"),
            "{hangs}"
        );
        assert!(hangs.ends_with("--agree 'can-shoot A E' or --agree 'cannot-shoot A E'"), "{hangs}");
        assert!(!lines.iter().any(|l| l.contains("cannot shoot at")), "{lines:?}");
        assert!(words(&barred, true).contains(&"  A cannot shoot at E".to_owned()));
        let of = |judged: &JudgedDue| {
            lines_of(judged).into_iter().find(|l| l["due"] == "barred").expect("it is barred")
        };
        assert_eq!((&of(&close)["verdict"], &of(&barred)["verdict"]), (&json!("too_close"), &json!("no")));
        let hang = &of(&close)["hangs_on"][0];
        assert_eq!((&hang["clause"], &hang["margin_mm"]), (&json!("dba3.sht.25"), &json!(-0.1)));
        assert_eq!(hang["to_settle"], json!(["can-shoot A E", "cannot-shoot A E"]));
        // Out of range by a hair it is in no list: it is told all the same.
        let far = told("A 4Bw red (5,5)-(6,5) N; E 4Bd blue (240,320.1)-(200,320.1)mm S");
        let open = lines_of(&far).into_iter().find(|l| l["due"] == "open").expect("it is open");
        assert_eq!((&open["question"], &open["verdict"]), (&json!("shot"), &json!("too_close")));
        let lines = words(&far, true);
        assert!(
            lines.iter().any(|l| l.contains("whether A may shoot at E is too close to call")),
            "{lines:?}"
        );
    }

    fn lines_of(judged: &JudgedDue) -> Vec<Value> {
        lines(judged, true)
    }
}
