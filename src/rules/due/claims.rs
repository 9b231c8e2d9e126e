//! What is said of a table's fighting and shooting, each a claim that holds or does not: to be said again with the bases a
//! little elsewhere, and compared.
//!
//! Table frame, millimetres. Invariant: what [`super::due_where`] tells of the same table is said here, its figures left out.

use super::near::Near;
use super::{Engagement, Told, Where, open, storm, volley};
use crate::geometry::Edge;
use crate::rules::bound::Bound;
use crate::rules::combat::Odds;
use crate::rules::engagement::front_on;
use crate::rules::shooting::{Fire, shooting_where};
use crate::rules::stronghold::peopled;
use crate::rules::{Settings, Setup};
use std::collections::{BTreeMap, BTreeSet};

/// Something that is so or is not.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// That one, of troops that shoot, may shoot at all.
    MayShoot(String),
    /// The first may shoot at the second, before it is asked who must be shot at first.
    Shot(String, String),
    /// The two are front to front, red first.
    Fronts(String, String),
    /// The first's front edge is on that edge of the second, and neither fights.
    Idle(String, Edge, String),
    /// The first's front edge is on that camp, City or Fort.
    Storms(String, String),
}

impl Claim {
    /// The claim in words.
    pub fn words(&self) -> String {
        match self {
            Self::MayShoot(who) => format!("{who} may shoot"),
            Self::Shot(shooter, target) => format!("{shooter} may shoot at {target}"),
            Self::Fronts(a, b) => format!("{a} and {b} are front to front"),
            Self::Idle(who, edge, on) => format!("{who}'s front edge is on {on}'s {}", edge.name()),
            Self::Storms(who, place) => format!("{who}'s front edge is on {place}"),
        }
    }
}

/// Whom one may shoot at once it is known who must be shot at first, and the one that is settled.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Aim {
    /// Whom it may shoot at, in the setup's order.
    pub targets: Vec<String>,
    /// The one that is settled.
    pub settled: Option<String>,
}

/// A settled shot with its figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Shots {
    /// Who shoots, who answers, how many aid.
    pub fire: Fire,
    /// Both totals before the dice.
    pub totals: (i32, i32),
    /// How often each score and fate comes.
    pub odds: Odds,
}

impl Shots {
    /// Whether as many shoot from the same places, to the same figures.
    pub fn same(&self, other: &Self) -> bool {
        let of = |s: &Self| (s.fire.shooters.clone(), s.fire.aiders, s.fire.answers.clone(), s.fire.struck);
        of(self) == of(other) && self.totals == other.totals && self.odds == other.odds
    }
}

/// Everything that is said of one table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Said {
    /// What holds.
    pub claims: BTreeSet<Claim>,
    /// Those of troops that shoot, whether they may or not.
    pub shooters: BTreeSet<String>,
    /// Of each that may shoot at anybody, at whom.
    pub aims: BTreeMap<String, Aim>,
    /// Settled shots, by who rolls and who is shot at.
    pub shots: BTreeMap<(String, String), Shots>,
}

/// Whether a combat is one with the bases where that setup has them.
pub fn fought_in(setup: &Setup, settings: &Settings, combat: &Engagement) -> bool {
    let (a, b) = combat.names();
    let margin = match &combat.at {
        Where::Open => {
            let both = setup.element(a).zip(setup.element(b));
            both.map(|(a, b)| open::contact_of(a, b, settings))
        }
        Where::Unconformed => {
            let both = setup.element(a).zip(setup.element(b));
            both.map(|(a, b)| open::touch_of(a, b, settings))
        }
        Where::Assault(place) => {
            let both = setup.element(a).zip(setup.ground.feature(place));
            both.map(|(a, place)| front_on(a, place, &settings.tolerances))
        }
    };
    margin.is_some_and(|margin| margin.satisfied())
}

/// Says it of a table, with whatever touches read from `touching`: the same elements, where whole battle lines may have been
/// brought to exact contact.
pub fn said(setup: &Setup, touching: &Setup, settings: &Settings, bound: &Bound, told: &Told) -> Said {
    let (stands, touches) = (peopled(setup, settings.ruleset()), peopled(touching, settings.ruleset()));
    let (setup, touching) = (&*stands, &*touches);
    let mut found = Said::default();
    let shooting = shooting_where(setup, touching, settings, bound, &told.shooting);
    let silent: BTreeSet<&str> = shooting.silent.iter().map(|s| s.who.as_str()).collect();
    for element in &setup.elements {
        if settings.ruleset().troop(&element.troop).is_some_and(crate::rules::ruleset::Troop::shoots) {
            found.shooters.insert(element.name.clone());
            if !silent.contains(element.name.as_str()) {
                found.claims.insert(Claim::MayShoot(element.name.clone()));
            }
        }
    }
    found.claims.extend(shooting.open.iter().cloned().map(|(who, at)| Claim::Shot(who, at)));
    let volleys = volley::volleys(setup, settings, &shooting, &mut Vec::new());
    found.shots.extend(volleys.into_iter().map(|v| {
        let totals = (v.brief.a.total(), v.brief.b.total());
        ((v.brief.a.name, v.fire.target.clone()), Shots { totals, fire: v.fire, odds: v.odds })
    }));
    found.aims.extend(
        shooting.options.into_iter().map(|o| (o.shooter, Aim { targets: o.targets, settled: o.settled })),
    );
    let (fronts, idle) = open::standing(touching, settings, &Near::of(touching));
    found.claims.extend(fronts.into_iter().map(|(a, b)| Claim::Fronts(a.to_owned(), b.to_owned())));
    found.claims.extend(idle.into_iter().map(|i| Claim::Idle(i.who, i.edge, i.on)));
    let storms = storm::fronts_on(touching, settings).into_iter();
    found.claims.extend(storms.map(|(who, place)| Claim::Storms(who.to_owned(), place.to_owned())));
    found
}
