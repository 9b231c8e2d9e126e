//! Shooting as it is shown: one pair's shot with what bars it, its factors and odds, and all that is due on a table.
//! Table frame, millimetres.
//!
//! Contact decides who may shoot, so that is read with battle lines joined; range and lines are read where bases stand.
//! Whatever comes otherwise in some placing of the table ([`crate::judge::judge_due`]) is too close to call.

use super::Engine;
use super::combat::view;
use crate::judge::{Hang, JudgedDue, JudgedShot, Measured, SureCombat, judge_due, judge_shot};
use crate::rules::bound::Bound;
use crate::rules::combat::{Conditions, LinedUp, Mode, Reply, Struck, brief};
use crate::rules::due::{Engagement, Told, Where};
use crate::rules::shooting::{Fire, Primary, bars};
use crate::rules::{Reason, Side};
use crate::session::view::{
    Call, Chooses, CombatView, DueCombatView, DueView, FireView, OpenView, ShooterView, ShotView, TestView,
};

impl Engine {
    /// Whether `a` may shoot at `b` in this bound.
    ///
    /// # Errors
    /// In words: they are friends, or one is not there.
    pub fn shot(
        &self,
        measured: &Measured,
        bound: &Bound,
        told: &Told,
        a: &str,
        b: &str,
    ) -> Result<ShotView, String> {
        let JudgedShot { shot: ruled, verdict, hangs_on, sigma_mm } =
            judge_shot(measured, self.settings(), bound, told, (a, b))
                .map_err(|error| format!("There is no shooting: {error}."))?;
        let open = |reason: &Reason| hangs_on.iter().any(|hang| hang.clause == reason.clause);
        let weighed = |r: &Reason| test(r, if open(r) { Some(Call::TooClose) } else { None });
        Ok(ShotView {
            tests: ruled.reasons.iter().map(weighed).collect(),
            shooter: ruled.shooter,
            target: ruled.target,
            call: Call::from(verdict),
            margin_mm: ruled.margin.map(|m| (m.mm, sigma_mm.unwrap_or(0.0))),
            at: ruled.margin.map(|m| vec![m.binding.0.at, m.binding.1.at]).unwrap_or_default(),
        })
    }

    /// The dice's part of `a` shooting at `b`: with the others that shoot at it, where it is known who does.
    ///
    /// # Errors
    /// In words: why no dice are thrown.
    pub fn shooting_combat(
        &self,
        measured: &Measured,
        shot: &Result<ShotView, String>,
        due: Option<&DueView>,
    ) -> Result<CombatView, String> {
        let shot = shot.as_ref().map_err(Clone::clone)?;
        let (a, b) = (shot.shooter.as_str(), shot.target.as_str());
        if shot.call == Call::No {
            return Err(format!("{a} may not shoot at {b}."));
        }
        let fire = due.and_then(|due| due.fires.iter().find(|f| f.target == b)).map(|f| &f.fire);
        let fire = fire.filter(|f| f.shooters.iter().any(|s| s == a));
        if let Some(Fire { primary: Primary::Named(one), .. }) = fire
            && one != a
        {
            return Err(format!("{a} aids {one}, who rolls against {b}: pick {one} in place of {a}."));
        }
        let alone = Mode::Shooting { struck: Struck::Elsewhere, reply: Reply::None, aiders: 0 };
        let caution = match (fire, shot.call) {
            (_, Call::Held) => Some("Rulings are held.".to_owned()),
            (_, Call::TooClose) => {
                Some("Whether it may shoot is too close to call: this holds if it may.".to_owned())
            }
            (None, _) => Some(format!(
                "Whom {a} shoots at is not settled: this is what it would be if it shot at {b} alone."
            )),
            (Some(_), _) => None,
        };
        let mode = fire.map_or(alone, |fire| fire.mode_of(a));
        let conditions = Conditions { mode, ..Conditions::default() };
        let setup = &measured.touching().setup;
        let brief = brief(setup, self.settings(), &conditions, a, b)
            .map_err(|error| format!("There is no shooting: {error}."))?;
        let side = |name: &str| setup.element(name).map_or(Side::Red, |e| e.side);
        Ok(view(brief, [side(a), side(b)], shot.call, caution))
    }

    /// Every combat and every shot that is due on the table, and what is too close to call.
    pub fn due(&self, measured: &Measured, bound: &Bound, told: &Told, said: &[Chooses]) -> DueView {
        let setup = &measured.touching().setup;
        let judged = judge_due(measured, self.settings(), bound, told);
        let open = open(&judged);
        let found = judged.due;
        let choices = self.choices(measured, bound, (told, &told.shooting.moved), &found);
        let side = |name: &str| setup.element(name).map_or(Side::Red, |e| e.side);
        let plain = |r: &Reason| test(r, None);
        let shooters = found.shooting.options.iter().map(|o| ShooterView {
            shooter: o.shooter.clone(),
            side: side(&o.shooter),
            targets: o.targets.clone(),
            settled: o.settled.clone(),
            tests: o.reasons.iter().map(plain).collect(),
        });
        let idle = found.idle.iter().map(|i| {
            let why = i.reasons.first().map_or(String::new(), |r| format!(": {} ({})", r.text, r.clause));
            format!("{} is on {} and fights nobody{why}", i.who, i.on)
        });
        let faults = found.faults.iter().map(|why| format!("Not reckoned: {why}"));
        let unaligned = found.reasons.iter().filter(|r| r.clause == "dba3.cf.10");
        let unaligned = unaligned.map(|r| format!("{} ({})", r.text, r.clause));
        let sure = |fire: &Fire| {
            let of_it = found.volleys.iter().zip(&judged.volleys).filter(|(v, _)| v.fire == *fire);
            match (judged.held, of_it.into_iter().any(|(_, sure)| sure.too_close())) {
                (Some(_), _) => Call::Held,
                (None, true) => Call::TooClose,
                (None, false) => Call::Yes,
            }
        };
        let fires =
            found.shooting.fires.iter().map(|fire| fire_view(fire.clone(), sure(fire), said)).collect();
        let mut combats: Vec<DueCombatView> =
            found.combats.iter().zip(&judged.combats).map(|(c, sure)| combat_view(c, sure)).collect();
        combats.sort_by_key(|c| !said.contains(&Chooses::First(c.a.clone(), c.b.clone())));
        DueView {
            side: bound.side,
            combats,
            choices,
            shooters: shooters.filter(|s| !s.targets.is_empty()).collect(),
            beside: idle.chain(unaligned).chain(faults).collect(),
            fires,
            order: found.shooting.order,
            open,
        }
    }
}

/// What is too close to call, each in a few sentences.
fn open(judged: &JudgedDue) -> Vec<OpenView> {
    if judged.held.is_some() {
        return Vec::new();
    }
    let sentence = |hang: &Hang| {
        let figure = hang.figure().map_or(String::new(), |figure| format!(", which {figure}"));
        format!(" It hangs on {}: {}{figure}.", hang.clause, hang.text)
    };
    let view = |first: String, hangs: &[Hang]| OpenView {
        words: first + &hangs.iter().map(sentence).collect::<String>(),
        to_settle: hangs.iter().find_map(|h| h.to_settle.clone()).into_iter().flatten().collect(),
    };
    let doubts = judged.doubts.iter().map(|doubt| {
        let first = format!(
            "Whether {} is too close to call: so in {:.0} of 100.",
            doubt.claim.words(),
            100.0 * doubt.holds
        );
        view(first, &doubt.hangs_on)
    });
    let aims = judged.aims.iter().filter(|(_, doubt)| !doubt.hangs_on.is_empty()).map(|(who, doubt)| {
        let first =
            format!("Whom {who} shoots at is too close to call: so in {:.0} of 100.", 100.0 * doubt.same);
        view(first, &doubt.hangs_on)
    });
    doubts.chain(aims).collect()
}

fn combat_view(combat: &Engagement, sure: &SureCombat) -> DueCombatView {
    let (a, b) = combat.names();
    let (at, lined_up) = match &combat.at {
        Where::Open => (None, LinedUp::Conformed),
        Where::Unconformed => (None, LinedUp::Refused),
        Where::Assault(place) => (Some(place.clone()), LinedUp::Conformed),
    };
    let call = Call::from(sure.contact);
    let totals = [combat.brief.a.total(), combat.brief.b.total()];
    DueCombatView { a: a.to_owned(), b: b.to_owned(), at, lined_up, call, totals }
}

fn fire_view(fire: Fire, call: Call, said: &[Chooses]) -> FireView {
    let aids = match fire.aiders {
        0 => String::new(),
        1 => ", 1 aids".to_owned(),
        more => format!(", {more} aid"),
    };
    let verb = if fire.shooters.len() == 1 { "shoots" } else { "shoot" };
    let roller = match &fire.primary {
        Primary::Named(one) => one.clone(),
        Primary::PickedBy(_) => {
            let rolls = |s: &&String| said.contains(&Chooses::Rolls(fire.target.clone(), (*s).clone()));
            fire.shooters.iter().find(rolls).or(fire.shooters.first()).cloned().unwrap_or_default()
        }
    };
    let back = match &fire.answers {
        Some(one) => format!("; {} shoots back at {one}", fire.target),
        None => String::new(),
    };
    let words = format!("{} {verb} at {}{aids}{back}", fire.shooters.join(", "), fire.target);
    let tests = fire.reasons.iter().map(|r| test(r, None)).collect();
    FireView { target: fire.target.clone(), roller, words, call, tests, fire }
}

/// A condition, where it is open with that call.
fn test(reason: &Reason, open: Option<Call>) -> TestView {
    let call = open.unwrap_or(if bars(reason) { Call::No } else { Call::Yes });
    TestView { clause: reason.clause.clone(), text: reason.text.clone(), call }
}
