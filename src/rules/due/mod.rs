//! Everything that fights in a bound, from where bases stand: all shooting and all close combats, each with totals
//! before the dice, exact odds of 36 and what each score does.
//!
//! Everything is read off the table as it stands: what comes of the shooting, or of one combat, is not yet taken into
//! account in the next. Table frame, millimetres. Invariants: each pair of enemies front to front is one combat, red
//! first; each front edge on a held camp, City or Fort is one, the assaulter first; the odds of each add up to 36; the
//! order is the setup's.
//!
//! Clauses: dba3.seq.5 to .10, dba3.tac.14 to .16, dba3.ovl.13, dba3.turn.1, .3.

mod changes;
mod claims;
mod hinges;
mod near;
mod open;
mod storm;
#[cfg(test)]
mod tests;
mod volley;

pub use changes::{Change, If, Spot, changes, gone_first};
pub use claims::{Aim, Claim, Said, Shots, fought_in, said};
pub use hinges::{Close, Hinge, Reading};
pub use volley::Volley;

use super::bound::Bound;
use super::combat::{Brief, Conditions, Effect, Odds, Parts};
use super::engagement;
use super::shooting::{Known, Shooting, shooting_where};
use super::stronghold::peopled;
use super::{AskError, Context, Reason, Settings, Setup, Side};
use crate::geometry::{Edge, Margin};
use near::Near;
use std::sync::Arc;

/// What is known of a bound that the table does not show.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Told {
    /// Of the shooting.
    pub shooting: Known,
    /// Elements whose own frontal enemy has gone earlier in this bound (clause dba3.ovl.3).
    pub exposed: Vec<String>,
    /// Contacts in which the contacted did not conform and fights as though overlapped: the contactor, the contacted
    /// (clauses dba3.cf.10, dba3.set.92).
    pub refused: Vec<(String, String)>,
}

/// What a combat is fought over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Where {
    /// Two elements front to front on the open board.
    Open,
    /// Two elements on the open board that touch and did not line up: the first contacted the second.
    Unconformed,
    /// A camp, City or Fort, by its name: the first assaults, the second defends.
    Assault(String),
}

/// One close combat.
#[derive(Debug, Clone, PartialEq)]
pub struct Engagement {
    /// Where it is fought.
    pub at: Where,
    /// By how much it is one: fronts in contact, or the front edge on the stronghold.
    pub margin: Margin,
    /// Both totals with every figure, its clause and what it is for.
    pub brief: Brief,
    /// How often each score and fate comes, of 36.
    pub odds: Odds,
    /// What each score does, whether or not the totals reach it.
    pub effects: [Effect; 5],
}

impl Engagement {
    /// The two who fight.
    pub fn names(&self) -> (&str, &str) {
        (&self.brief.a.name, &self.brief.b.name)
    }

    /// A combat of these parts.
    fn of(parts: &Parts<'_>, at: Where, margin: Margin, context: &Context<'_>) -> Self {
        let settings = context.settings;
        let brief = parts.brief(settings);
        let pinned = [parts.a.element, parts.b.element].map(|e| pinned(e, context));
        let effects = brief.effects([pinned[0].as_ref(), pinned[1].as_ref()]);
        let odds = brief.odds_of(&effects);
        Self { at, margin, brief, odds, effects }
    }
}

/// What keeps an element from recoiling.
fn pinned(element: &super::Element, context: &Context<'_>) -> Option<Reason> {
    pinner(element, context).map(|(_, reason)| reason)
}

/// Who keeps an element from recoiling, and how.
fn pinner<'c>(element: &super::Element, context: &Context<'c>) -> Option<(&'c super::Element, Reason)> {
    let on_board = element.location == super::Location::Board;
    on_board.then(|| engagement::pinned_by(element, context)).flatten()
}

/// A front edge on an enemy's flank or rear that makes no combat as the table stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Idle {
    /// Whose front edge.
    pub who: String,
    /// On whom.
    pub on: String,
    /// On which edge.
    pub edge: Edge,
    /// By how much it is there.
    pub margin: Margin,
    /// Why it fights nobody.
    pub reasons: Vec<Reason>,
}

/// Everything that fights in a bound.
#[derive(Debug, Clone, PartialEq)]
pub struct Due {
    /// Whose bound it is: that side's player decides the order of combats, and of shooting where it is disputed.
    pub side: Side,
    /// Who shoots at whom, as far as it is settled.
    pub shooting: Shooting,
    /// The settled shooting reckoned out, once for each who may roll.
    pub volleys: Vec<Volley>,
    /// Close combats.
    pub combats: Vec<Engagement>,
    /// Front edges that make no combat.
    pub idle: Vec<Idle>,
    /// Who decides the order, when what follows is carried out, and which camps nobody defends.
    pub reasons: Vec<Reason>,
    /// Pairs that cannot be reckoned, and why.
    pub faults: Vec<AskError>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

/// Everything due in `bound` with the table as it stands, poses taken as exact.
pub fn due(setup: &Setup, settings: &Settings, bound: &Bound, told: &Told) -> Due {
    due_where(setup, setup, settings, bound, told)
}

/// The same with everything that touches read from `touching`: the same elements, where whole battle lines may have been
/// brought to exact contact.
pub fn due_where(setup: &Setup, touching: &Setup, settings: &Settings, bound: &Bound, told: &Told) -> Due {
    let (stands, touches) = (peopled(setup, settings.ruleset()), peopled(touching, settings.ruleset()));
    let (setup, touching) = (&*stands, &*touches);
    let shooting = shooting_where(setup, touching, settings, bound, &told.shooting);
    let mut faults = Vec::new();
    let volleys = volley::volleys(setup, settings, &shooting, &mut faults);
    let fought = combats(touching, settings, told);
    faults.extend(fought.faults);
    let mut reasons = order(bound.side, &shooting, &fought.combats);
    reasons.extend(fought.undefended);
    Due {
        side: bound.side,
        shooting,
        volleys,
        combats: fought.combats,
        idle: fought.idle,
        reasons,
        faults,
        under: Arc::clone(settings.name()),
    }
}

/// Who decides in which order shooting and combats are fought, where there is more than one.
fn order(side: Side, shooting: &Shooting, combats: &[Engagement]) -> Vec<Reason> {
    let who = side.word();
    let mut reasons = Vec::new();
    if shooting.order.is_some() {
        let text = format!("the order of shooting may matter; where it is disputed {who} settles it");
        reasons.push(Reason::holds("dba3.seq.6", text));
    }
    if !shooting.fires.is_empty() {
        let text = "what comes of shooting is carried out before close combat, and may change it";
        reasons.push(Reason::holds("dba3.seq.7", text));
    }
    if combats.len() > 1 {
        let text = format!("{who} decides in which order the {} combats are fought", combats.len());
        reasons.push(Reason::holds("dba3.seq.9", text));
        let text = "what comes of a combat is carried out at once, and may change those still to come";
        reasons.push(Reason::holds("dba3.seq.10", text));
    }
    reasons
}

/// The close combats of a table.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Fought {
    /// Each of them.
    pub combats: Vec<Engagement>,
    /// Front edges that make no combat.
    pub idle: Vec<Idle>,
    /// Front edges on enemy camps that nobody defends, and fronts that touch and are not lined up.
    pub undefended: Vec<Reason>,
    /// Pairs that cannot be reckoned, and why.
    pub faults: Vec<AskError>,
}

/// Every close combat with the table as it stands.
pub fn combats(setup: &Setup, settings: &Settings, told: &Told) -> Fought {
    let peopled = peopled(setup, settings.ruleset());
    let setup = &*peopled;
    let conditions = Conditions { exposed: told.exposed.clone(), ..Conditions::default() };
    let near = Near::of(setup);
    let mut found = Fought::default();
    open::fights(setup, settings, &conditions, &near, &mut found);
    open::unconformed(setup, settings, (&conditions, &told.refused), &near, &mut found);
    storm::assaults(setup, settings, &conditions, &near, &mut found);
    found
}
