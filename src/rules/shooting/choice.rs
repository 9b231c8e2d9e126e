//! Who must shoot at whom, and what comes together on one target (clauses dba3.sht.9, .12 to .16, .29, dba3.seq.6).
//!
//! Of the targets that an element may shoot at, one in its threat zone comes first, then one that shoots at it.
//! Whose shot is settled is found in rounds: who has one target left shoots at it, which may settle another's. What
//! stays open is the player's, and is named.

use super::candidates::{Barred, Candidates, Shooter, Silent, candidates};
use super::shot::Shot;
use super::stage::Stage;
use super::who::{Known, answers_alone};
use crate::geometry::Edge;
use crate::rules::bound::Bound;
use crate::rules::combat::{Mode, Reply, Struck};
use crate::rules::ruleset::Kind;
use crate::rules::settings::{PrimaryShooter, RearShot};
use crate::rules::stronghold::peopled;
use crate::rules::{Element, Reason, Settings, Setup, Side};
use std::collections::HashMap;
use std::sync::Arc;

/// What one element may or must shoot at.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Who.
    pub shooter: String,
    /// Whom it may shoot at, in the setup's order; one alone is settled, none is no shot.
    pub targets: Vec<String>,
    /// What was chosen or is left no choice.
    pub settled: Option<String>,
    /// Why, what binds first.
    pub reasons: Vec<Reason>,
}

/// Who rolls the die for the shooters of one target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Primary {
    /// This one.
    Named(String),
    /// One of them, as that side's player picks.
    PickedBy(Side),
}

/// Everything settled that is shot at one target.
#[derive(Debug, Clone, PartialEq)]
pub struct Fire {
    /// Who is shot at.
    pub target: String,
    /// Who shoots, in the setup's order.
    pub shooters: Vec<String>,
    /// Who rolls.
    pub primary: Primary,
    /// How many of the others take 1 off the target's total: two at most.
    pub aiders: u8,
    /// Whom of them the target shoots back at.
    pub answers: Option<String>,
    /// Whether the shots count as striking its rear edge.
    pub struck: Struck,
    /// The clauses.
    pub reasons: Vec<Reason>,
}

impl Fire {
    /// How the combat of the primary shooter with the target is fought.
    pub fn mode(&self) -> Mode {
        self.mode_of(match &self.primary {
            Primary::Named(name) => name,
            Primary::PickedBy(_) => "",
        })
    }

    /// How it is fought with that one of the shooters rolling.
    pub fn mode_of(&self, shooter: &str) -> Mode {
        let mutual = self.answers.as_deref() == Some(shooter);
        let reply = if mutual { Reply::ShootsBack } else { Reply::None };
        Mode::Shooting { struck: self.struck, reply, aiders: self.aiders }
    }
}

/// The shooting phase of a bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Shooting {
    /// Each element that may shoot at anybody, in the setup's order.
    pub options: Vec<Options>,
    /// What is settled, by target, in the setup's order.
    pub fires: Vec<Fire>,
    /// Every shot that may be made, before it is asked who must be shot at first: who, at whom.
    pub open: Vec<(String, String)>,
    /// Enemies in arc and range that may not be shot at, and what bars each.
    pub barred: Vec<Barred>,
    /// Elements of troops that shoot that may not shoot at all, and why.
    pub silent: Vec<Silent>,
    /// Whose player settles the order where it matters; none where no target of one is a shooter of another.
    pub order: Option<Side>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

/// Who shoots at whom in this bound, as far as it is settled.
pub fn shooting(setup: &Setup, settings: &Settings, bound: &Bound, known: &Known) -> Shooting {
    shooting_where(setup, setup, settings, bound, known)
}

/// The same, with close combat and overlaps read from `touching`: the same elements, where they were brought to exact
/// contact.
pub fn shooting_where(
    setup: &Setup,
    touching: &Setup,
    settings: &Settings,
    bound: &Bound,
    known: &Known,
) -> Shooting {
    let (stands, touches) = (peopled(setup, settings.ruleset()), peopled(touching, settings.ruleset()));
    let (setup, touching) = (&*stands, &*touches);
    let stage = Stage::of(setup, touching, settings, Some(bound), known);
    let Candidates { shooters, barred, silent } = candidates(&stage);
    let mut settled: Vec<Option<&str>> = vec![None; shooters.len()];
    let mut told: Vec<(Vec<&str>, Vec<Reason>)> = Vec::new();
    // Each round settles one more, so there are no more rounds than shooters.
    for _ in 0..=shooters.len() {
        let round = Round::of(&shooters, &settled);
        told = shooters.iter().map(|own| options(&round, own, bound)).collect();
        let next: Vec<Option<&str>> = shooters
            .iter()
            .zip(&told)
            .map(|(shooter, (targets, _))| {
                let name = &shooter.element.name;
                let chosen = known.chosen.iter().find(|(who, _)| who == name).map(|(_, at)| at.as_str());
                match targets.as_slice() {
                    [one] => Some(*one),
                    many => chosen.filter(|at| many.contains(at)),
                }
            })
            .collect();
        let changed = next != settled;
        settled = next;
        if !changed {
            break;
        }
    }
    let round = Round::of(&shooters, &settled);
    let mut fires: Vec<Fire> = Vec::new();
    for target in &setup.elements {
        fires.extend(fire(&round, target, bound, settings));
    }
    let shoots = |name: &str| round.by_name.get(name).is_some_and(|&at| settled[at].is_some());
    let order = fires.iter().any(|f| shoots(&f.target)).then_some(bound.side);
    let open = shooters
        .iter()
        .flat_map(|s| s.shots.iter().map(|shot| (s.element.name.clone(), shot.target.clone())));
    let open = open.collect();
    let options = shooters.iter().zip(&settled).zip(told);
    let options = options
        .map(|((shooter, settled), (targets, reasons))| Options {
            shooter: shooter.element.name.clone(),
            targets: targets.into_iter().map(str::to_owned).collect(),
            settled: settled.map(str::to_owned),
            reasons,
        })
        .collect();
    Shooting { options, fires, open, barred, silent, order, under: Arc::clone(settings.name()) }
}

/// What is settled after a round of looking.
struct Round<'s, 'r> {
    shooters: &'s [Shooter<'s>],
    settled: &'r [Option<&'s str>],
    by_name: HashMap<&'s str, usize>,
    /// Who is settled to shoot at each target.
    at: HashMap<&'s str, Vec<usize>>,
}

impl<'s, 'r> Round<'s, 'r> {
    fn of(shooters: &'s [Shooter<'s>], settled: &'r [Option<&'s str>]) -> Self {
        let by_name = shooters.iter().enumerate().map(|(at, s)| (s.element.name.as_str(), at)).collect();
        let mut at: HashMap<&str, Vec<usize>> = HashMap::new();
        for (who, target) in settled.iter().enumerate().filter_map(|(who, s)| Some((who, (*s)?))) {
            at.entry(target).or_default().push(who);
        }
        Self { shooters, settled, by_name, at }
    }

    /// Whether `who` is settled to shoot at `target`.
    fn shoots_at(&self, who: &str, target: &str) -> bool {
        self.by_name.get(who).is_some_and(|&at| self.settled[at] == Some(target))
    }
}

/// Whom one shooter may shoot at, as far as the others' shots are settled.
fn options<'s>(round: &Round<'s, '_>, own: &'s Shooter<'s>, bound: &Bound) -> (Vec<&'s str>, Vec<Reason>) {
    let name = &own.element.name;
    let names = |shots: &[&'s Shot]| shots.iter().map(|s| s.target.as_str()).collect::<Vec<&'s str>>();
    let all: Vec<&Shot> = own.shots.iter().collect();
    let answering: Vec<&Shot> = all.iter().copied().filter(|s| round.shoots_at(&s.target, name)).collect();
    if own.kind == Kind::Artillery {
        let enemy_bound = answers_alone(own.kind, own.element.side, bound);
        if !enemy_bound {
            let text = format!("{name} is Artillery and chooses any target that it may shoot at");
            let reasons = vec![
                Reason::holds("dba3.sht.14", text),
                Reason::holds("dba3.sht.9", format!("it is a bound of {name}'s own side")),
            ];
            return (names(&all), reasons);
        }
        let guns = |s: &&Shot| {
            let other = round.by_name.get(s.target.as_str());
            other.is_some_and(|&at| round.shooters[at].kind == Kind::Artillery)
        };
        let guns: Vec<&Shot> = answering.into_iter().filter(guns).collect();
        let text = format!("in an enemy bound {name} answers Artillery that shoots at it, and nothing else");
        let reason = Reason { holds: !guns.is_empty(), ..Reason::holds("dba3.sht.9", text) };
        return (names(&guns), vec![reason]);
    }
    let zone: Vec<&Shot> =
        own.shots.iter().zip(&own.in_zone).filter(|(_, zone)| **zone).map(|(shot, _)| shot).collect();
    if !zone.is_empty() {
        let text = format!("{name} must shoot at {}, in its threat zone", names(&zone).join(" or "));
        let legal =
            format!("{} can be shot at, so nobody in the zone is skipped", names(&zone).join(" and "));
        let reasons = vec![Reason::holds("dba3.sht.12", text), Reason::fails("dba3.sht.29", legal)];
        return (names(&zone), reasons);
    }
    let mut reasons =
        vec![Reason::fails("dba3.sht.12", format!("nobody that {name} may shoot at is in its threat zone"))];
    if let Some(unseen) = own.blind {
        let text = format!("{unseen} is in {name}'s threat zone, cannot be shot at, and is skipped");
        reasons.insert(0, Reason::holds("dba3.sht.29", text));
    }
    if !answering.is_empty() {
        let text = format!("{name} must shoot at {}, which shoots at it", names(&answering).join(" or "));
        reasons.insert(0, Reason::holds("dba3.sht.13", text));
        return (names(&answering), reasons);
    }
    reasons.push(Reason::fails("dba3.sht.13", format!("nobody is known to shoot at {name}")));
    reasons
        .insert(0, Reason::holds("dba3.sht.14", format!("{name} chooses among {}", names(&all).join(", "))));
    (names(&all), reasons)
}

/// What is settled to be shot at one element.
fn fire(round: &Round<'_, '_>, target: &Element, bound: &Bound, settings: &Settings) -> Option<Fire> {
    let name = &target.name;
    let at_it: Vec<&Shooter<'_>> =
        round.at.get(name.as_str())?.iter().map(|&at| &round.shooters[at]).collect();
    let first = at_it.first()?;
    let names: Vec<String> = at_it.iter().map(|s| s.element.name.clone()).collect();
    let own = round.by_name.get(name.as_str()).and_then(|&at| round.settled[at]);
    let answers = own.map(str::to_owned).filter(|back| names.contains(back));
    let by_mutual = settings.primary_shooter != PrimaryShooter::BoundingPlayer;
    let picker = match settings.primary_shooter {
        PrimaryShooter::MutualThenOwner => first.element.side,
        _ => bound.side,
    };
    let primary = match (&answers, names.as_slice()) {
        (_, [one]) => Primary::Named(one.clone()),
        (Some(back), _) if by_mutual => Primary::Named(back.clone()),
        _ => Primary::PickedBy(picker),
    };
    let mut reasons = Vec::new();
    if names.len() > 1 {
        let text = match &primary {
            Primary::Named(one) => {
                format!("{one} and {name} shoot at each other, so {one} rolls against {name}")
            }
            Primary::PickedBy(side) => format!("{} picks who of {} rolls", side.word(), names.join(", ")),
        };
        let holds = matches!(primary, Primary::Named(_));
        reasons.push(Reason { holds, ..Reason::holds("dba3.sht.16", text) });
    }
    let aiders = u8::try_from(names.len() - 1).unwrap_or(u8::MAX).min(2);
    let text = if aiders == 0 {
        format!("nobody aids {} against {name}", names[0])
    } else {
        format!("{} shoot at {name}: {aiders} aid, each takes 1 off its total", names.join(", "))
    };
    reasons.push(Reason { holds: aiders > 0, ..Reason::holds("dba3.sht.15", text) });
    let text = match &answers {
        Some(back) => format!("{name} shoots back at {back}, which a worse total harms"),
        None => format!("{name} shoots at none of them: a worse total harms no shooter"),
    };
    reasons.push(Reason { holds: answers.is_none(), ..Reason::holds("dba3.sht.20", text) });
    let rear_of = |s: &&&Shooter<'_>| {
        s.shots.iter().any(|shot| shot.target == *name && shot.struck.contains(&Edge::Rear))
    };
    let behind: Vec<&str> = at_it.iter().filter(rear_of).map(|s| s.element.name.as_str()).collect();
    let counts = match (settings.rear_shot_threshold, &primary) {
        (RearShot::AnyShooter, _) | (_, Primary::PickedBy(_)) => !behind.is_empty(),
        (RearShot::PrimaryShooter, Primary::Named(one)) => behind.contains(&one.as_str()),
    };
    if !behind.is_empty() {
        let text = format!("{} shoots at the rear edge of {name}", behind.join(", "));
        reasons.push(Reason { holds: counts, ..Reason::holds("dba3.rec.12", text) });
        if names.len() > 1 {
            let text = if settings.rear_shot_threshold == RearShot::AnyShooter {
                "one of several shooters on the rear edge is enough"
            } else {
                "by the setting the one that rolls must shoot at the rear edge"
            };
            reasons.push(Reason { holds: counts, ..Reason::holds("dba3.set.80", text) });
        }
    }
    if behind.is_empty() {
        reasons.push(Reason::fails("dba3.rec.12", format!("nobody shoots at the rear edge of {name}")));
    }
    let struck = if counts { Struck::RearEdge } else { Struck::Elsewhere };
    Some(Fire { target: name.clone(), shooters: names, primary, aiders, answers, struck, reasons })
}
