//! Who must shoot at whom, and what comes together on one target (clauses dba3.sht.9, .12 to .16, .29, dba3.seq.6).
//!
//! Of the targets that an element may shoot at, one in its threat zone comes first, then one that shoots at it.
//! Whose shot is settled is found in rounds: who has one target left shoots at it, which may settle another's. What
//! stays open is the player's, and is named.

use super::shot::{Shot, aimed};
use super::who::{Known, answers_alone, may_be_shot, may_shoot};
use crate::geometry::Edge;
use crate::rules::bound::Bound;
use crate::rules::combat::{Mode, Reply, Struck};
use crate::rules::ruleset::Kind;
use crate::rules::settings::{PrimaryShooter, RearShot};
use crate::rules::stronghold::peopled;
use crate::rules::{Context, Element, Location, Reason, Settings, Setup, Side, threat_zone};
use std::collections::BTreeMap;
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
    /// Whose player settles the order where it matters; none where no target of one is a shooter of another.
    pub order: Option<Side>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

/// One shooter with the targets that are open to it.
struct Shooter<'s> {
    element: &'s Element,
    kind: Kind,
    shots: Vec<Shot>,
    settled: Option<String>,
}

/// Who shoots at whom in this bound, as far as it is settled.
pub fn shooting(setup: &Setup, settings: &Settings, bound: &Bound, known: &Known) -> Shooting {
    let under = Arc::clone(settings.name());
    let peopled = peopled(setup, settings.ruleset());
    let setup = &*peopled;
    let all: Vec<&Element> =
        setup.elements.iter().filter(|e| !matches!(e.location, Location::Reserve | Location::Off)).collect();
    let open: BTreeMap<&str, bool> = all
        .iter()
        .map(|e| (e.name.as_str(), may_be_shot(setup, settings, known, e).iter().all(|r| r.holds)))
        .collect();
    let mut shooters: Vec<Shooter<'_>> = Vec::new();
    for &element in &all {
        let Some(troop) = settings.ruleset().troop(&element.troop) else { continue };
        if !may_shoot(setup, settings, bound, known, element).iter().all(|r| r.holds) {
            continue;
        }
        let near = |e: &&&Element| e.location != Location::Board || within_reach(setup, element, e);
        let enemies = all.iter().filter(|e| e.side != element.side && open[e.name.as_str()]).filter(near);
        let shots: Vec<Shot> = enemies
            .map(|e| aimed(setup, settings, (element, e), Vec::new()))
            .filter(|shot| shot.may)
            .collect();
        if !shots.is_empty() {
            shooters.push(Shooter { element, kind: troop.kind, shots, settled: None });
        }
    }
    let context = Context::of(setup, settings);
    let mut told: Vec<(Vec<String>, Vec<Reason>)> = Vec::new();
    // Each round settles one more, so there are no more rounds than shooters.
    for _ in 0..=shooters.len() {
        told = (0..shooters.len()).map(|at| options(&shooters, at, bound, &context)).collect();
        let mut changed = false;
        for (shooter, (targets, _)) in shooters.iter_mut().zip(&told) {
            let chosen = known.chosen.iter().find(|(who, _)| *who == shooter.element.name).map(|(_, at)| at);
            let settled = match targets.as_slice() {
                [one] => Some(one.clone()),
                many => chosen.filter(|name| many.contains(name)).cloned(),
            };
            changed |= settled != shooter.settled;
            shooter.settled = settled;
        }
        if !changed {
            break;
        }
    }
    let fires: Vec<Fire> = all.iter().filter_map(|e| fire(&shooters, e, bound, settings)).collect();
    let shoots = |name: &String| shooters.iter().any(|s| s.element.name == *name && s.settled.is_some());
    let order = fires.iter().any(|f| shoots(&f.target)).then_some(bound.side);
    let options = shooters
        .iter()
        .zip(told)
        .map(|(shooter, (targets, reasons))| Options {
            shooter: shooter.element.name.clone(),
            targets,
            settled: shooter.settled.clone(),
            reasons,
        })
        .collect();
    Shooting { options, fires, order, under }
}

/// Whether two bases are near enough that one might shoot at the other: 5 BW and both diagonals.
fn within_reach(setup: &Setup, a: &Element, b: &Element) -> bool {
    let size = |e: &Element| e.footprint.width_mm() + e.footprint.depth_mm();
    let apart = (a.footprint.pose().centre - b.footprint.pose().centre).norm();
    a.location != Location::Board || apart <= 5.0 * setup.scale.mm_per_bw() + size(a) + size(b)
}

/// Whom one shooter may shoot at, as far as the others' shots are settled.
fn options(
    shooters: &[Shooter<'_>],
    at: usize,
    bound: &Bound,
    context: &Context<'_>,
) -> (Vec<String>, Vec<Reason>) {
    let own = &shooters[at];
    let name = &own.element.name;
    let names = |shots: &[&Shot]| shots.iter().map(|s| s.target.clone()).collect::<Vec<_>>();
    let all: Vec<&Shot> = own.shots.iter().collect();
    let shoots_at_it =
        |target: &str| shooters.iter().any(|s| s.element.name == target && s.settled.as_ref() == Some(name));
    let answering: Vec<&Shot> = all.iter().copied().filter(|s| shoots_at_it(&s.target)).collect();
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
        let guns =
            |s: &&Shot| shooters.iter().any(|x| x.element.name == s.target && x.kind == Kind::Artillery);
        let guns: Vec<&Shot> = answering.into_iter().filter(guns).collect();
        let text = format!("in an enemy bound {name} answers Artillery that shoots at it, and nothing else");
        let reason = Reason { holds: !guns.is_empty(), ..Reason::holds("dba3.sht.9", text) };
        return (names(&guns), vec![reason]);
    }
    let in_zone = |s: &&Shot| {
        let target = context.elements.iter().find(|e| e.name == s.target);
        target.is_some_and(|e| {
            e.location == Location::Board && threat_zone::reach_into(e, own.element, context).satisfied()
        })
    };
    let zone: Vec<&Shot> = all.iter().copied().filter(in_zone).collect();
    if !zone.is_empty() {
        let text = format!("{name} must shoot at {}, in its threat zone", names(&zone).join(" or "));
        let legal =
            format!("{} can be shot at, so nobody in the zone is skipped", names(&zone).join(" and "));
        let reasons = vec![Reason::holds("dba3.sht.12", text), Reason::fails("dba3.sht.29", legal)];
        return (names(&zone), reasons);
    }
    let mut reasons =
        vec![Reason::fails("dba3.sht.12", format!("nobody that {name} may shoot at is in its threat zone"))];
    let blind = context.elements.iter().find(|e| {
        e.side != own.element.side
            && e.location == Location::Board
            && !all.iter().any(|s| s.target == e.name)
            && threat_zone::reach_into(e, own.element, context).satisfied()
    });
    if let Some(e) = blind {
        let text = format!("{} is in {name}'s threat zone, cannot be shot at, and is skipped", e.name);
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
fn fire(shooters: &[Shooter<'_>], target: &Element, bound: &Bound, settings: &Settings) -> Option<Fire> {
    let name = &target.name;
    let at_it: Vec<&Shooter<'_>> = shooters.iter().filter(|s| s.settled.as_ref() == Some(name)).collect();
    let first = at_it.first()?;
    let names: Vec<String> = at_it.iter().map(|s| s.element.name.clone()).collect();
    let own = shooters.iter().find(|s| s.element.name == *name);
    let answers = own.and_then(|s| s.settled.clone()).filter(|back| names.contains(back));
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
