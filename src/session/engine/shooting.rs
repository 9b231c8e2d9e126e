//! Shooting as it is shown: one pair's shot with what bars it, its factors and odds, and all that is due on a table.
//! Table frame, millimetres.
//!
//! Contact decides who may shoot, so the table is read with its battle lines joined. A condition that is geometric and
//! within its doubt is too close to call.

use super::Engine;
use super::combat::view;
use crate::judge::{Measured, Verdict, rule};
use crate::rules::bound::Bound;
use crate::rules::combat::{Conditions, Mode, Reply, Struck, brief};
use crate::rules::due::{Engagement, Told, Where, due};
use crate::rules::shooting::{Fire, Known, Primary, shot};
use crate::rules::{Question, Reason, Side};
use crate::session::view::{
    Call, CombatView, DueCombatView, DueView, FireView, ShooterView, ShotView, TestView,
};

/// Nearer than this to a limit, millimetres, a table whose lines were joined is exactly at it: bases that touch do so
/// for every test alike.
const EXACT_MM: f64 = 1e-6;
/// Sigmas beyond which a condition is plain: right 99 times in 100.
const PLAIN: f64 = 2.326;

impl Engine {
    /// Whether `a` may shoot at `b` in this bound.
    ///
    /// # Errors
    /// In words: they are friends, or one is not there.
    pub fn shot(
        &self,
        measured: &Measured,
        bound: &Bound,
        known: &Known,
        a: &str,
        b: &str,
    ) -> Result<ShotView, String> {
        let setup = &measured.touching().setup;
        let ruled = shot(setup, self.settings(), bound, known, a, b)
            .map_err(|error| format!("There is no shooting: {error}."))?;
        let sigma = place_sigma(measured, a).hypot(place_sigma(measured, b));
        let tests: Vec<TestView> = ruled.reasons.iter().map(|r| test(r, sigma)).collect();
        let call = match (measured.held, ruled.margin) {
            (Some(_), _) => Call::Held,
            (None, _) if ruled.may && tests.iter().any(|t| t.call == Call::TooClose) => Call::TooClose,
            (None, _) if ruled.may => Call::Yes,
            // What fails by less than its doubt alone leaves it open.
            (None, Some(_)) if !ruled.reasons.iter().any(|r| bars(r) && test(r, sigma).call == Call::No) => {
                Call::TooClose
            }
            (None, _) => Call::No,
        };
        Ok(ShotView {
            shooter: ruled.shooter,
            target: ruled.target,
            call,
            margin_mm: ruled.margin.map(|m| (m.mm, sigma)),
            tests,
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

    /// Every combat and every shot that is due on the table.
    pub fn due(&self, measured: &Measured, bound: &Bound, known: &Known) -> DueView {
        let setup = &measured.touching().setup;
        let told = Told { shooting: known.clone(), ..Told::default() };
        let found = due(setup, self.settings(), bound, &told);
        let side = |name: &str| setup.element(name).map_or(Side::Red, |e| e.side);
        let plain = |r: &Reason| test(r, 0.0);
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
        DueView {
            side: bound.side,
            combats: found.combats.iter().map(|c| self.combat_view(measured, c)).collect(),
            shooters: shooters.filter(|s| !s.targets.is_empty()).collect(),
            beside: idle.chain(faults).collect(),
            fires: found.shooting.fires.into_iter().map(fire_view).collect(),
            order: found.shooting.order,
        }
    }

    fn combat_view(&self, measured: &Measured, combat: &Engagement) -> DueCombatView {
        let (a, b) = combat.names();
        let (at, call) = match &combat.at {
            Where::Open => {
                let judged = rule(measured, self.settings(), Question::ContactFront, a, b);
                let call = judged.map_or(Call::Yes, |judged| match judged.verdict() {
                    Verdict::Yes => Call::Yes,
                    Verdict::No => Call::No,
                    Verdict::TooClose { .. } => Call::TooClose,
                    Verdict::Held(_) => Call::Held,
                });
                (None, call)
            }
            Where::Assault(place) => {
                let sigma = place_sigma(measured, a);
                let call = match measured.held {
                    Some(_) => Call::Held,
                    None if (EXACT_MM..PLAIN * sigma).contains(&combat.margin.mm.abs()) => Call::TooClose,
                    None => Call::Yes,
                };
                (Some(place.clone()), call)
            }
        };
        let totals = [combat.brief.a.total(), combat.brief.b.total()];
        DueCombatView { a: a.to_owned(), b: b.to_owned(), at, call, totals }
    }
}

fn fire_view(fire: Fire) -> FireView {
    let aids = match fire.aiders {
        0 => String::new(),
        1 => ", 1 aids".to_owned(),
        more => format!(", {more} aid"),
    };
    let verb = if fire.shooters.len() == 1 { "shoots" } else { "shoot" };
    let roller = match &fire.primary {
        Primary::Named(one) => one.clone(),
        Primary::PickedBy(_) => fire.shooters.first().cloned().unwrap_or_default(),
    };
    let back = match &fire.answers {
        Some(one) => format!("; {} shoots back at {one}", fire.target),
        None => String::new(),
    };
    let words = format!("{} {verb} at {}{aids}{back}", fire.shooters.join(", "), fire.target);
    let tests = fire.reasons.iter().map(|r| test(r, 0.0)).collect();
    FireView { target: fire.target.clone(), roller, words, tests, fire }
}

fn place_sigma(measured: &Measured, name: &str) -> f64 {
    measured.pose(name).map_or(0.0, crate::geometry::PoseEstimate::sigma_place_mm)
}

/// Whether a condition that fails bars the shot: bad going that does not hinder is told and bars nothing.
fn bars(reason: &Reason) -> bool {
    !reason.holds && reason.clause != "dba3.going.4"
}

/// A condition in the light of its doubt, one sigma in millimetres.
fn test(reason: &Reason, sigma: f64) -> TestView {
    let call = match reason.margin {
        Some(margin) if (EXACT_MM..PLAIN * sigma).contains(&margin.mm.abs()) => Call::TooClose,
        _ if bars(reason) => Call::No,
        _ => Call::Yes,
    };
    TestView { clause: reason.clause.clone(), text: reason.text.clone(), call }
}
