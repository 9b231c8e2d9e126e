//! What the rules say of a setting up on the table as it is seen: each act, feature, camp and element with a call, and what
//! is next.

use crate::judge::{Measured, Roster, Verdict, brought, exchanges_chosen, sure, with_armies, worst};
use crate::rules::army_list::Shelf;
use crate::rules::setting_up::order::{Act, Step};
use crate::rules::setting_up::report::{Report, report};
use crate::rules::setting_up::{self, Written};
use crate::rules::{Reason, Setup, Side};
use crate::session::view::Call;

/// What is said of one feature, camp or element.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// Whose or what; empty for all features together.
    pub name: String,
    /// The worst call.
    pub call: Call,
    /// What fails or is too close, each with its call.
    pub against: Vec<(Call, Reason)>,
    /// What is nearest to failing where all holds: millimetres, and what it is.
    pub spare: Option<(f64, Reason)>,
}

/// What the rules say of everything so far.
#[derive(Debug, Clone)]
pub struct Guided {
    /// Of the acts, and what is next.
    pub report: Report,
    /// What has been done, with what the armies' lists say before it.
    pub acts: Vec<(Side, Act)>,
    /// Of each feature.
    pub terrain: Vec<Told>,
    /// Of camps, elements and those held back.
    pub sides: Vec<Told>,
    /// Of the feature that is to be put down, as it lies; none where it does not lie yet.
    pub laying: Option<Told>,
    /// Of home terrain, aggression and each `//`.
    pub lists: Vec<(Side, Reason)>,
    /// What is left to say of the armies.
    pub open: Vec<String>,
    /// The table that it was said of, as the camera has it.
    pub setup: Setup,
    /// Of how many changes of what was done.
    pub revision: u64,
}

impl Guided {
    /// How many faults there are.
    pub fn faults(&self) -> usize {
        self.report.faults().len() + self.lists.iter().filter(|(_, r)| !r.holds).count()
    }
}

/// Judges everything, as `groma setup` does, and how sure it is on the table as it was measured.
///
/// # Errors
/// In words: an act that names nobody on the table, an unknown troop code.
pub(super) fn guided(
    written: &mut Written,
    measured: Option<&Measured>,
    roster: &Roster,
    shelf: &Shelf,
    revision: u64,
) -> Result<Guided, String> {
    let (found, mut open) = brought(roster, shelf);
    let (mut lists, unsaid) = with_armies(&found, &mut written.acts);
    open.extend(unsaid);
    lists.extend(exchanges_chosen(roster, &written.setup));
    let report = report(written).map_err(|why| why.to_string())?;
    let on = |told: &setting_up::Told| of(told, measured, &report.table);
    let laying = match report.next {
        Step::Lay(side) => laid(written, &report, side)?,
        _ => None,
    };
    Ok(Guided {
        terrain: report.terrain.iter().map(on).collect(),
        sides: report.sides.iter().map(on).collect(),
        laying: laying.as_ref().map(on),
        acts: written.acts.clone(),
        lists,
        open,
        setup: written.setup.clone(),
        revision,
        report,
    })
}

/// What would be said of the feature that is next, put down where it lies.
fn laid(written: &Written, report: &Report, side: Side) -> Result<Option<setting_up::Told>, String> {
    let Some(name) = report.done.current().map(|p| p.name.clone()) else { return Ok(None) };
    if !lies(&written.setup, &name) {
        return Ok(None);
    }
    let mut then = written.clone();
    then.acts.push((side, Act::Lay(name.clone())));
    let then = self::report(&then).map_err(|why| why.to_string())?;
    let own = setting_up::body_of(&written.setup, &name).map_or(name, |body| body.main.name.clone());
    Ok(then.terrain.into_iter().find(|told| told.name == own))
}

/// Whether something of that name lies on the table.
pub fn lies(setup: &Setup, name: &str) -> bool {
    let ground = &setup.ground;
    ground.feature(name).is_some()
        || ground.rivers.iter().any(|r| r.name == name)
        || ground.roads.iter().any(|r| r.name == name)
}

fn of(told: &setting_up::Told, measured: Option<&Measured>, table: &Setup) -> Told {
    let verdict = |reason: &Reason| match measured {
        Some(measured) => sure(measured, table, &told.name, reason),
        None if reason.holds => Verdict::Yes,
        None => Verdict::No,
    };
    let calls: Vec<(Verdict, &Reason)> = told.terms.conditions.iter().map(|r| (verdict(r), r)).collect();
    let call = Call::from(worst(calls.iter().map(|(call, _)| *call)));
    let against = calls.iter().filter(|(call, _)| *call != Verdict::Yes);
    let against = against.map(|(call, reason)| (Call::from(*call), (*reason).clone())).collect();
    let with_margin = calls.iter().filter_map(|(_, r)| Some((r.margin?.mm, (*r).clone())));
    let spare = with_margin.min_by(|a, b| a.0.total_cmp(&b.0)).filter(|_| call == Call::Yes);
    Told { name: told.name.clone(), call, against, spare }
}
