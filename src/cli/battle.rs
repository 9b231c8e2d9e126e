//! `groma battle`: plays written battles and tells everything that happens, and where they differ from what is
//! expected of them.

mod choices;
mod lines;

use super::outputs::{self, Kind, Output};
use super::{Failure, say};
use crate::drawing::{Situation, svg};
use crate::rules::battle::{Act, Clash, Ended, Played, Replay, Script, Told, replay};
use crate::rules::check::oddities;
use crate::rules::combat::Standing;
use crate::rules::conform::Outcome;
use crate::rules::ruleset::list;
use crate::rules::shooting::Shooting;
use crate::rules::victory::Tally;
use crate::rules::{Reason, Settings, Setup, notation};
use crate::text::{Wanted, read_file};
use anyhow::anyhow;
use std::path::{Path, PathBuf};

/// Plays written battles: every bound, ruling, combat, displacement and loss. Leaves with exit code 1 where one cannot
/// be played to its end, or comes out otherwise than it is written.
#[derive(Debug, clap::Args)]
pub struct BattleArgs {
    /// Battle files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Tell no more than the losses at the end of each bound, and what differs.
    #[arg(long)]
    brief: bool,
    /// Also tell every reason, with its clause.
    #[arg(long, conflicts_with = "brief")]
    reasons: bool,
    /// One JSON object a line: every act with what came of it, then one for the end.
    #[arg(long, conflicts_with_all = ["brief", "reasons"])]
    json: bool,
    /// A folder that is there, for a drawing of the table at the end of each bound.
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// A file that cannot be read, a drawing that cannot be written, a battle that comes out otherwise.
pub fn run(args: &BattleArgs) -> Result<(), Failure> {
    let mut wrong = 0usize;
    for path in &args.files {
        let script = read(path)?;
        let played = replay(&script);
        if let Some(dir) = &args.svg {
            draw(dir, path, &script, &played)?;
        }
        let settings = &script.battle.settings;
        let remarks = oddities(&script.setup, &settings.tolerances);
        if args.json {
            lines::lines(path, &script, &played, &remarks).into_iter().for_each(say);
        } else {
            say(format!("{}: {}", path.display(), script.name));
            for remark in &remarks {
                say(format!("  remark: {remark}; the battle takes it as it is written"));
            }
            tell(&played, settings, args);
        }
        if !played.agrees() {
            wrong += 1;
        }
    }
    match wrong {
        0 => Ok(()),
        n => Err(Failure::Job(anyhow!("{n} of {} battles differ from what is written", args.files.len()))),
    }
}

/// A battle file by its path.
fn read(path: &Path) -> Result<Script, Failure> {
    let text = read_file(path, Wanted::Battle).map_err(anyhow::Error::from)?;
    let name = path.display().to_string();
    Script::read(&name, &text).map_err(|problems| Failure::Job(anyhow!("{}", list(&problems))))
}

fn tell(replay: &Replay, settings: &Settings, args: &BattleArgs) {
    let mut combats = 0usize;
    let mut before = &replay.start.setup;
    for played in &replay.played {
        let ended = matches!(played.told, Told::BoundOver(_));
        combats += usize::from(matches!(played.told, Told::Fought(_)));
        if !args.brief || ended {
            for line in lines(played, before, settings, args.reasons) {
                say(line);
            }
        }
        for differs in &played.differs {
            say(format!("    DIFFERS: {differs}"));
        }
        before = &played.state.setup;
    }
    let state = replay.state();
    let end = match (&replay.stopped, state.victor()) {
        (Some((what, why)), _) => format!("stopped at {what}: {why}"),
        (None, Some(victor)) => {
            format!("{} has won in bound {}, after {combats} combats", victor.word(), state.bound.number)
        }
        (None, None) => format!("nobody has won yet, after {combats} combats"),
    };
    say(end);
}

/// What is told of one act.
fn lines(played: &Played, before: &Setup, settings: &Settings, with_reasons: bool) -> Vec<String> {
    let mut out = Vec::new();
    let reasons = |out: &mut Vec<String>, all: &[Reason]| {
        if with_reasons {
            out.extend(all.iter().map(reason));
        }
    };
    match (&played.told, &played.act) {
        (Told::Rolled(why), act) => {
            if let Act::Roll(score) = act {
                let side = played.state.bound.side.word();
                out.push(format!("\nbound {} of {side}, {score} PIPs", played.bound));
            }
            let text = |r: &&Reason| r.clause != "dba3.pip.1" && r.holds && !r.clause.starts_with("dba3.seq");
            out.extend(why.iter().filter(text).map(|r| format!("  {}", r.text)));
            reasons(&mut out, why);
        }
        (Told::Moved { judged, line_up }, _) => {
            let unit = if judged.pips == 1 { "PIP" } else { "PIPs" };
            out.push(format!("  move: {} ({} {unit})", played.written, judged.pips));
            for conforming in &line_up.contacted {
                let who = conforming.who.join(", ");
                for shift in conforming.shifts.iter().flatten() {
                    out.push(format!("    {who} conforms: {}", place(&shift.name, &played.state.setup)));
                }
                if conforming.may_refuse {
                    out.push(format!("    {who} may conform, or fight as though overlapped"));
                }
            }
            out.extend(choices::refusal(line_up, &played.state.setup, settings));
            if line_up.outcome != Outcome::NoContact {
                reasons(&mut out, &line_up.reasons);
            }
            if with_reasons {
                out.extend(judged.reasons().map(reason));
            }
        }
        (Told::MovesOver(closed), _) => {
            for turned in &closed.turned {
                for shift in &turned.shifts {
                    let why = if shift.name == turned.name { "turns to face" } else { "makes room for" };
                    let whom = if shift.name == turned.name { &turned.towards } else { &turned.name };
                    out.push(format!("  {} {why} {whom}: {}", shift.name, place(&shift.name, &closed.after)));
                }
                out.extend(choices::faces(turned, before));
                reasons(&mut out, &turned.reasons);
            }
        }
        (Told::Aimed(plan), Act::Aim { shooter, target }) => {
            let others = others(plan, shooter, target);
            out.push(format!("  {shooter} chooses to shoot at {target}{others}"));
            out.extend(choices::targets(plan, shooter, before, settings));
        }
        (Told::Shot(fire, clash), _) => {
            let aided = fire.shooters.iter().filter(|s| **s != clash.a).cloned().collect::<Vec<_>>();
            let aided =
                if aided.is_empty() { String::new() } else { format!(", aided by {}", aided.join(" and ")) };
            out.push(format!("  {} shoots at {}{aided}", clash.a, clash.b));
            out.extend(told(clash, before, with_reasons));
            reasons(&mut out, &fire.reasons);
        }
        (Told::Fought(clash), _) => {
            out.push(format!("  {} fights {}", clash.a, clash.b));
            out.extend(told(clash, before, with_reasons));
        }
        (Told::BoundOver(ended), _) => out.extend(end(ended, played, with_reasons)),
        (Told::ShootingOver | Told::Aimed(_), _) => {}
    }
    out
}

fn others(plan: &Shooting, shooter: &str, target: &str) -> String {
    let own = plan.options.iter().find(|o| o.shooter == shooter);
    let rest: Vec<&str> =
        own.iter().flat_map(|o| &o.targets).map(String::as_str).filter(|t| *t != target).collect();
    if rest.is_empty() { String::new() } else { format!(", not at {}", rest.join(" or ")) }
}

/// A combat: what each brings, the dice, the fates, and what follows.
fn told(clash: &Clash, before: &Setup, with_reasons: bool) -> Vec<String> {
    let (dice, totals) = (clash.outcome.dice, clash.outcome.totals);
    let mut out = vec![side(&clash.brief.a, dice.0, totals.0), side(&clash.brief.b, dice.1, totals.1)];
    for (name, fate) in [(&clash.a, &clash.outcome.a), (&clash.b, &clash.outcome.b)] {
        out.push(format!("    {name} {} ({})", fate.fate.name(), fate.clause));
        if with_reasons {
            out.extend(fate.reasons.iter().map(reason));
        }
    }
    for step in &clash.steps {
        let to = before.element(&step.who).map_or(String::new(), |element| {
            let there =
                crate::rules::Element { footprint: element.footprint.moved_to(step.to), ..element.clone() };
            format!(": {}", notation::write_element(&there))
        });
        let gone = (step.to.centre - step.from.centre).norm();
        let gone = if step.what.removes() || gone < 0.05 { String::new() } else { format!(" {gone:.1} mm") };
        let to = if step.what.removes() || step.from == step.to { String::new() } else { to };
        let why = step.reasons.first().map_or(String::new(), |r| format!(" ({}: {})", r.clause, r.text));
        out.push(format!("    {} {}{gone}{to}{why}", step.who, step.what.name()));
        if with_reasons {
            out.extend(step.reasons.iter().map(reason));
        }
    }
    for choice in &clash.choices {
        let answers: Vec<String> = choice
            .answers
            .iter()
            .map(|(words, to)| match to {
                Some(pose) => format!("{words} to ({:.1}, {:.1})", pose.centre.x, pose.centre.y),
                None => format!("{words}, and be lost"),
            })
            .collect();
        out.push(format!("    {} chose ({}): {}", choice.who, choice.clause, answers.join(", not ")));
    }
    out
}

fn side(standing: &Standing, die: u8, total: i32) -> String {
    let factor = &standing.factor;
    let mut text =
        format!("    {} ({}) {:+} {}", standing.name, standing.troop.code, factor.value, factor.text);
    for modifier in &standing.modifiers {
        text += &format!(", {:+} {}", modifier.value, modifier.text);
    }
    format!("{text}, die {die}: {total}")
}

fn end(ended: &Ended, played: &Played, with_reasons: bool) -> Vec<String> {
    let mut out = Vec::new();
    for line_up in &ended.conformed.line_ups {
        let contacted = line_up.contacted.iter().filter_map(|c| c.shifts.as_ref()).flatten();
        for shift in line_up.shifts.iter().chain(contacted) {
            let to = place(&shift.name, &ended.conformed.after);
            out.push(format!("  {} conforms after combat: {to}", shift.name));
        }
        if with_reasons {
            out.extend(line_up.reasons.iter().map(reason));
        }
    }
    let sum = |name: &str, tally: &Tally| {
        let lines: Vec<String> = tally.lines.iter().map(|l| format!("{} {}", l.what, l.counts)).collect();
        format!("  {name} has lost {}: {}", tally.total(), lines.join(", "))
    };
    out.push(sum("red", &ended.stand.red));
    out.push(sum("blue", &ended.stand.blue));
    if let Some(victor) = played.state.victor() {
        out.push(format!("  {} has won the battle", victor.word()));
    }
    if with_reasons {
        out.extend(ended.stand.reasons.iter().map(reason));
    }
    out
}

fn reason(reason: &Reason) -> String {
    let sign = if reason.holds { "holds" } else { "fails" };
    let mm =
        reason.margin.filter(|m| m.mm.abs() < 1e5).map_or(String::new(), |m| format!(", {:.1} mm", m.mm));
    format!("      {} {sign}{mm}: {}", reason.clause, reason.text)
}

fn place(name: &str, setup: &Setup) -> String {
    setup.element(name).map_or(String::new(), notation::write_element)
}

/// A drawing of the table at the end of each bound, `battle-01.svg` and so on.
fn draw(dir: &Path, file: &Path, script: &Script, replay: &Replay) -> Result<(), Failure> {
    let stem = file.file_stem().and_then(|s| s.to_str()).unwrap_or("battle");
    let mut drawings: Vec<(PathBuf, String)> = Vec::new();
    for played in &replay.played {
        let Told::BoundOver(ended) = &played.told else { continue };
        let (red, blue) = (ended.stand.red.total(), ended.stand.blue.total());
        let answer = match played.state.victor() {
            Some(victor) => format!("{} has won, red has lost {red}, blue {blue}", victor.word()),
            None => format!("red has lost {red}, blue {blue}"),
        };
        let text = svg(&Situation {
            title: &script.name,
            question: &format!("the end of bound {}", played.bound),
            answer: &answer,
            setup: &played.state.setup,
            settings: &script.battle.settings,
            moves: &[],
            after: None,
            outline: &[],
            reasons: &[],
            conditions: 0,
        });
        drawings.push((dir.join(format!("{stem}-{:02}.svg", played.bound)), text));
    }
    let wanted: Vec<Output<'_>> =
        drawings.iter().map(|(path, _)| Output { option: "--svg", path, kind: Kind::Drawing }).collect();
    outputs::check(&wanted)?;
    let files: Vec<(&Path, &[u8])> =
        drawings.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
    outputs::write(&files)
}
