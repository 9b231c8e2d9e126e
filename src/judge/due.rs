//! Everything that is due on a measured table, with how sure each thing is that is said of it: who may shoot and who may
//! not, whom each shoots at, who fights whom, whose front edge makes no combat, and what stands so near to that that it may.
//!
//! The table is read again in every placing ([`super::placings`]). What holds in all of them or in none is clear; the rest is
//! too close to call, and is told with its share, with the conditions that it hangs on, each with its figure and what
//! binds it, and with the facts of which agreeing on one settles it. Table frame, millimetres.
//!
//! Invariants: a table whose poses are exact has no doubts; every claim that is not clear has a doubt, whether or not it
//! holds at the best estimate.

use super::doubt::{Certainty, SureCombat, sure_combat};
use super::hang::{Hang, Hung, edges, rms};
use super::placings::{Placings, share};
use super::{Measured, Verdict};
use crate::rules::due::{Aim, Claim, Due, Said, Told, due_where, said};
use crate::rules::shooting::{Shot, shot_where};
use crate::rules::{AskError, Bound, Settings, Setup};
use crate::tracking::Held;
use std::collections::{BTreeMap, BTreeSet};

/// Something that holds in some placings and not in others.
#[derive(Debug, Clone, PartialEq)]
pub struct Doubt {
    /// What.
    pub claim: Claim,
    /// In what share of the placings it holds; of a shot, of those in which its shooter may shoot at all.
    pub holds: f64,
    /// What it hangs on.
    pub hangs_on: Vec<Hang>,
}

impl Doubt {
    /// In words: how often it is so, and what that hangs on, with `agree`'s words on the two facts of which one settles it.
    pub fn words(&self, agree: impl Fn(&[crate::rules::facts::Fact; 2]) -> String) -> Vec<String> {
        let first = format!(
            "whether {} is too close to call: so in {:.0} of 100",
            self.claim.words(),
            100.0 * self.holds
        );
        let rest = self.hangs_on.iter().map(|hang| {
            format!("  {}{}", hang.words(), hang.to_settle.as_ref().map_or(String::new(), &agree))
        });
        std::iter::once(first).chain(rest).collect()
    }
}

/// Whom one shoots at, where that comes otherwise in some placings.
#[derive(Debug, Clone, PartialEq)]
pub struct AimDoubt {
    /// In what share of the placings it is as at the best estimate.
    pub same: f64,
    /// What comes otherwise, the most frequent first, each with its share; none where it may shoot at nobody.
    pub others: Vec<(Option<Aim>, f64)>,
    /// Threat zones that it hangs on; what else it hangs on are the doubts about its own shots and those of others.
    pub hangs_on: Vec<Hang>,
}

/// Everything due, and how sure it is.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedDue {
    /// What the rules say at the best estimate of the poses.
    pub due: Due,
    /// Why no ruling is given for now, if so.
    pub held: Option<Held>,
    /// How sure each combat is, in their order.
    pub combats: Vec<SureCombat>,
    /// What is too close to call, by claim.
    pub doubts: Vec<Doubt>,
    /// Of whom it is not clear at whom he shoots.
    pub aims: BTreeMap<String, AimDoubt>,
    /// How sure each volley is, in their order.
    pub volleys: Vec<Certainty>,
    /// What holds at the best estimate.
    holds: BTreeSet<Claim>,
}

impl JudgedDue {
    /// The doubt about a claim; none where it is clear.
    pub fn doubt(&self, claim: &Claim) -> Option<&Doubt> {
        self.doubts.iter().find(|d| d.claim == *claim)
    }

    /// Whether it holds.
    pub fn verdict(&self, claim: &Claim) -> Verdict {
        let holds = self.holds.contains(claim);
        if let Some(held) = self.held {
            return Verdict::Held(held);
        }
        match self.doubt(claim) {
            Some(doubt) => Verdict::of_share(doubt.holds, holds),
            None if holds => Verdict::Yes,
            None => Verdict::No,
        }
    }

    /// Doubts about what is in none of the lists of what is due: what does not hold at the best estimate and may.
    pub fn unlisted(&self) -> impl Iterator<Item = &Doubt> {
        let barred = |d: &&Doubt| {
            let Claim::Shot(shooter, target) = &d.claim else { return false };
            self.due.shooting.barred.iter().any(|b| (&b.shooter, &b.target) == (shooter, target))
        };
        let silent = |d: &&Doubt| matches!(&d.claim, Claim::MayShoot(who) if self.due.shooting.silent.iter().any(|s| s.who == *who));
        self.doubts
            .iter()
            .filter(|d| !self.holds.contains(&d.claim))
            .filter(move |d| !barred(d) && !silent(d))
    }
}

/// Everything due in `bound` on a measured table.
pub fn judge_due(measured: &Measured, settings: &Settings, bound: &Bound, told: &Told) -> JudgedDue {
    let (stands, joined) = (&measured.setup, &measured.touching().setup);
    let due = due_where(stands, joined, settings, bound, told);
    let here = said(stands, joined, settings, bound, told);
    let placings = Placings::of(measured, settings);
    let sure = |c| sure_combat(measured, placings.as_ref(), settings, told, c);
    let combats = due.combats.iter().map(sure).collect();
    let Some(placings) = placings else {
        let volleys = vec![Certainty::CLEAR; due.volleys.len()];
        let (doubts, aims) = (Vec::new(), BTreeMap::new());
        return JudgedDue { due, held: measured.held, combats, doubts, aims, volleys, holds: here.claims };
    };
    let there = placings.each(|stands, joined| said(stands, joined, settings, bound, told));
    let hung = Hung { measured, placings: &placings, settings, bound, told };
    let doubts = doubts(&here, &there, &hung);
    let aims = aims(&here, &there, &hung);
    let volleys = due.volleys.iter().map(|v| {
        let key = (v.brief.a.name.clone(), v.fire.target.clone());
        volley(&key, &here, &there)
    });
    let volleys = volleys.collect();
    JudgedDue { due, held: measured.held, combats, doubts, aims, volleys, holds: here.claims }
}

/// One shot on a measured table, and how sure it is.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedShot {
    /// What the rules say at the best estimate of the poses.
    pub shot: Shot,
    /// Whether it may be shot.
    pub verdict: Verdict,
    /// The conditions that hold in some placings and not in others; none where rulings are held.
    pub hangs_on: Vec<Hang>,
    /// One sigma of the shot's margin, millimetres; none where it has none.
    pub sigma_mm: Option<f64>,
}

/// Whether the first may shoot at the second in `bound` on a measured table, as [`judge_due`] has it of all.
///
/// # Errors
/// The two are friends, or one is not there.
pub fn judge_shot(
    measured: &Measured,
    settings: &Settings,
    bound: &Bound,
    told: &Told,
    (shooter, target): (&str, &str),
) -> Result<JudgedShot, AskError> {
    let read = |stands: &Setup, joined: &Setup| {
        shot_where(stands, joined, settings, bound, &told.shooting, (shooter, target))
    };
    let shot = read(&measured.setup, &measured.touching().setup)?;
    let Some(placings) = Placings::of(measured, settings) else {
        let verdict =
            measured.held.map_or(Verdict::of_share(f64::from(u8::from(shot.may)), shot.may), Verdict::Held);
        let sigma_mm = shot.margin.map(|_| 0.0);
        return Ok(JudgedShot { shot, verdict, hangs_on: Vec::new(), sigma_mm });
    };
    let there: Vec<Shot> = placings.each(read).into_iter().flatten().collect();
    let holds = share(there.iter().filter(|shot| shot.may).count());
    let sigma_mm = shot.margin.map(|here| {
        let way = edges(&shot.reasons);
        let same_way = there.iter().filter(|s| edges(&s.reasons) == way);
        let offs: Vec<f64> = same_way.filter_map(|s| s.margin).map(|m| m.mm - here.mm).collect();
        rms(&offs)
    });
    let (verdict, hangs_on) = match measured.held {
        Some(held) => (Verdict::Held(held), Vec::new()),
        None => {
            let hung = Hung { measured, placings: &placings, settings, bound, told };
            let read = there.into_iter().map(|shot| shot.reasons);
            (Verdict::of_share(holds, shot.may), hung.of_shot(&shot.reasons, read, (shooter, target)))
        }
    };
    Ok(JudgedShot { shot, verdict, hangs_on, sigma_mm })
}

/// Every claim that is not the same in all placings.
fn doubts(here: &Said, there: &[Said], hung: &Hung<'_>) -> Vec<Doubt> {
    let all: BTreeSet<&Claim> = there.iter().chain([here]).flat_map(|said| &said.claims).collect();
    let mut found: Vec<Doubt> = Vec::new();
    for claim in all {
        // Whether one may be shot at by somebody who may not shoot is not asked.
        let asked = |said: &&Said| match claim {
            Claim::Shot(shooter, _) => said.claims.contains(&Claim::MayShoot(shooter.clone())),
            _ => true,
        };
        let asked: Vec<&Said> = there.iter().filter(asked).collect();
        let holds = asked.iter().filter(|said| said.claims.contains(claim)).count();
        if holds > 0 && holds < asked.len() {
            let holds = holds as f64 / asked.len() as f64;
            found.push(Doubt { claim: claim.clone(), holds, hangs_on: Vec::new() });
        }
    }
    // Who is in contact first: what shooting hangs on may be that.
    let contacts: Vec<(Claim, Hang)> = found
        .iter_mut()
        .filter(|d| !matches!(d.claim, Claim::MayShoot(_) | Claim::Shot(..)))
        .filter_map(|d| {
            let hang = hung.contact(&d.claim, 1.0 - d.holds)?;
            d.hangs_on.push(hang.clone());
            Some((d.claim.clone(), hang))
        })
        .collect();
    for doubt in &mut found {
        match &doubt.claim {
            Claim::MayShoot(who) => doubt.hangs_on = hung.may_shoot(who, &contacts),
            Claim::Shot(shooter, target) => doubt.hangs_on = hung.shot(shooter, target, &contacts),
            _ => {}
        }
    }
    found
}

/// Whom each shoots at, where that is not the same in all placings.
fn aims(here: &Said, there: &[Said], hung: &Hung<'_>) -> BTreeMap<String, AimDoubt> {
    let who: BTreeSet<&String> = there.iter().chain([here]).flat_map(|said| said.aims.keys()).collect();
    let mut found = BTreeMap::new();
    for who in who {
        let own = here.aims.get(who);
        let mut counts: BTreeMap<Option<&Aim>, usize> = BTreeMap::new();
        there.iter().for_each(|said| *counts.entry(said.aims.get(who)).or_default() += 1);
        let same = counts.remove(&own).unwrap_or(0);
        if counts.is_empty() {
            continue;
        }
        let mut others: Vec<(Option<Aim>, f64)> =
            counts.into_iter().map(|(aim, count)| (aim.cloned(), share(count))).collect();
        others.sort_by(|a, b| b.1.total_cmp(&a.1));
        let targets: BTreeSet<&String> = others
            .iter()
            .filter_map(|(aim, _)| aim.as_ref())
            .chain(own)
            .flat_map(|aim| &aim.targets)
            .collect();
        let hangs_on = targets.into_iter().filter_map(|target| hung.zone(target, who)).collect();
        found.insert(who.clone(), AimDoubt { same: share(same), others, hangs_on });
    }
    found
}

/// In what share of the placings a volley comes with the same shooters and figures.
fn volley(key: &(String, String), here: &Said, there: &[Said]) -> Certainty {
    let Some(own) = here.shots.get(key) else { return Certainty::CLEAR };
    let mut same = 0;
    let mut totals: BTreeMap<(i32, i32), usize> = BTreeMap::new();
    for found in there.iter().filter_map(|said| said.shots.get(key)) {
        if found.same(own) {
            same += 1;
        } else {
            *totals.entry(found.totals).or_default() += 1;
        }
    }
    let mut others: Vec<((i32, i32), f64)> =
        totals.into_iter().filter(|(t, _)| *t != own.totals).map(|(t, count)| (t, share(count))).collect();
    others.sort_by(|a, b| b.1.total_cmp(&a.1));
    Certainty { same: share(same), others, open: Vec::new() }
}
