//! Settled shooting, reckoned out.

use super::pinned;
use crate::rules::combat::{Brief, Conditions, Effect, Odds, View, gather};
use crate::rules::shooting::{Fire, Primary, Shooting};
use crate::rules::{AskError, Settings, Setup};

/// The shooting at one target with one of its shooters rolling the die.
#[derive(Debug, Clone, PartialEq)]
pub struct Volley {
    /// Who rolls, and who else might.
    pub fire: Fire,
    /// Both totals: the shooter's first.
    pub brief: Brief,
    /// How often each score and fate comes, of 36.
    pub odds: Odds,
    /// What each score does.
    pub effects: [Effect; 5],
}

impl Volley {
    /// Whether the two are one exchange: each one's target rolls the other (clauses dba3.sht.8 and .16).
    pub fn answers(&self, other: &Self) -> bool {
        let mutual = |v: &Self| v.fire.answers.as_deref() == Some(v.brief.a.name.as_str());
        mutual(self)
            && mutual(other)
            && self.brief.a.name == other.brief.b.name
            && self.brief.b.name == other.brief.a.name
    }
}

/// All of them, one for each who may roll.
pub(super) fn volleys(
    setup: &Setup,
    settings: &Settings,
    shooting: &Shooting,
    faults: &mut Vec<AskError>,
) -> Vec<Volley> {
    let view = View::of(setup, settings);
    let mut found = Vec::new();
    for fire in &shooting.fires {
        let rolling: Vec<&String> = match &fire.primary {
            Primary::Named(one) => vec![one],
            Primary::PickedBy(_) => fire.shooters.iter().collect(),
        };
        for shooter in rolling {
            let conditions = Conditions { mode: fire.mode_of(shooter), ..Conditions::default() };
            let Some((first, second)) = setup.element(shooter).zip(setup.element(&fire.target)) else {
                continue;
            };
            match gather(&view, &conditions, first, second) {
                Ok(parts) => {
                    let brief = parts.brief(settings);
                    let held = [first, second].map(|e| pinned(e, &view.context));
                    let effects = brief.effects([held[0].as_ref(), held[1].as_ref()]);
                    let odds = brief.odds_of(&effects);
                    found.push(Volley { fire: fire.clone(), brief, odds, effects });
                }
                Err(why) => faults.push(why),
            }
        }
    }
    found
}
