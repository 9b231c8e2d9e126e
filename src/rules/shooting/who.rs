//! Who may shoot, and who may be shot at, whoever stands before them (clauses dba3.sht.1, .8 to .11, .23, .24, .27,
//! .28, dba3.seq.5, dba3.city.13).

use super::cover::{Shoots, stands_in};
use super::stage::Stage;
use crate::rules::bound::Bound;
use crate::rules::ruleset::Kind;
use crate::rules::settings::ShootingInCombat;
use crate::rules::stronghold;
use crate::rules::{Element, Location, Reason, Settings, Setup, Side, engagement, exact};

/// What shooting depends on and the table does not show.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Known {
    /// Tactical moves made in this bound: who, and how far its front corner that went furthest went, millimetres.
    pub moved: Vec<(String, f64)>,
    /// Elements that are sacking a City, beside those that the table shows to.
    pub sacking: Vec<String>,
    /// Shots that players have chosen: who, at whom.
    pub chosen: Vec<(String, String)>,
    /// Elements that have shot in this bound.
    pub shot: Vec<String>,
}

impl Known {
    /// How far an element moved in this bound, all its moves together, millimetres; none where it did not.
    pub fn moved_mm(&self, name: &str) -> Option<f64> {
        let all: Vec<f64> = self.moved.iter().filter(|(who, _)| who == name).map(|(_, mm)| *mm).collect();
        (!all.is_empty()).then(|| all.iter().sum())
    }
}

/// How far Bows, mounted infantry and War Wagons may move and still shoot, base widths (clause dba3.sht.10).
const MOVED_BW: f64 = 1.0;

fn holds(holds: bool, clause: &str, text: String) -> Reason {
    Reason { holds, ..Reason::holds(clause, text) }
}

/// Every condition on an element as one that shoots in this bound; it may where all hold.
pub fn may_shoot(
    setup: &Setup,
    settings: &Settings,
    bound: &Bound,
    known: &Known,
    element: &Element,
) -> Vec<Reason> {
    may_shoot_where(setup, setup, settings, bound, known, element)
}

/// The same, with close combat and overlaps read from `touching`: the same elements, where they were brought to exact
/// contact.
pub fn may_shoot_where(
    setup: &Setup,
    touching: &Setup,
    settings: &Settings,
    bound: &Bound,
    known: &Known,
    element: &Element,
) -> Vec<Reason> {
    shooting_conditions(&Stage::of(setup, touching, settings, Some(bound), known), element)
}

pub(super) fn shooting_conditions(stage: &Stage<'_>, element: &Element) -> Vec<Reason> {
    let (name, rules, known) = (&element.name, stage.settings.ruleset(), stage.known);
    let Some(troop) = rules.troop(&element.troop) else {
        return vec![Reason::fails(
            "dba3.sht.1",
            format!("{name} is `{}`, no troop type that shoots", element.troop),
        )];
    };
    let shoots = matches!(troop.kind, Kind::Bows | Kind::WarWagons | Kind::Artillery);
    let text =
        format!("{name} is {}, which {}", troop.code, if shoots { "shoots" } else { "does not shoot" });
    let mut reasons = vec![holds(shoots, "dba3.sht.1", text)];
    if !shoots {
        return reasons;
    }
    let text = format!("{name} must shoot, once, in every bound's shooting phase where it can");
    reasons.push(Reason::holds("dba3.sht.8", text.clone()));
    reasons.push(Reason::holds("dba3.seq.5", text));
    if known.shot.contains(name) {
        reasons.push(Reason::fails("dba3.sht.8", format!("{name} has shot in this bound already")));
    }
    let moved = known.moved_mm(name);
    let made = moved.is_some() || stage.bound.is_some_and(|b| b.moves_of(name).next().is_some());
    if troop.kind == Kind::Artillery {
        let text = format!("{name} made {} tactical move this bound", if made { "a" } else { "no" });
        reasons.push(holds(!made, "dba3.sht.11", text));
    } else if let Some(mm) = moved {
        let bw = stage.setup.scale.mm_per_bw();
        let room = exact(MOVED_BW * bw - mm);
        let text =
            format!("{name} moved {mm:.1} mm or {:.2} BW this bound; more than 1 BW would bar it", mm / bw);
        reasons.push(holds(room >= 0.0, "dba3.sht.10", text));
    } else if !made {
        reasons.push(Reason::holds("dba3.sht.10", format!("{name} did not move this bound")));
    }
    reasons.extend(barred(stage, element));
    reasons.extend(stands_in(stage.setup, stage.settings, element, Shoots::Itself));
    reasons
}

/// Every condition on an element as one that is shot at; it may be where all hold.
pub fn may_be_shot(setup: &Setup, settings: &Settings, known: &Known, element: &Element) -> Vec<Reason> {
    target_conditions(&Stage::of(setup, setup, settings, None, known), element)
}

pub(super) fn target_conditions(stage: &Stage<'_>, element: &Element) -> Vec<Reason> {
    let mut reasons = barred(stage, element);
    reasons.extend(stands_in(stage.setup, stage.settings, element, Shoots::IsTarget));
    reasons
}

/// What bars an element from shooting and from being shot at alike.
fn barred(stage: &Stage<'_>, element: &Element) -> Vec<Reason> {
    let (name, settings) = (&element.name, stage.settings);
    let mut reasons = Vec::new();
    if stage.known.sacking.contains(name) || stronghold::sacks(&stage.setup.ground, element) {
        let text = format!("{name} is sacking: it neither shoots nor is shot at");
        reasons.push(Reason::fails("dba3.city.13", text));
    } else if element.location == Location::City {
        reasons.push(Reason::holds("dba3.city.13", format!("{name} is in a City and sacks it not")));
    }
    if element.location != Location::Board {
        return reasons;
    }
    let context = stage.context();
    // Where it touches whom is read from where it stands there.
    let element = stage.touching.element(name).unwrap_or(element);
    let enemies = stage.enemies_at(element);
    if engagement::fights_with(element, &enemies, &settings.tolerances).is_some() {
        let allowed = settings.shooting_in_close_combat == ShootingInCombat::Allowed;
        let text = if allowed {
            format!("by the setting {name} may shoot and be shot at though it is in close combat")
        } else {
            format!("{name} is in close combat: it neither shoots nor is shot at")
        };
        reasons.push(holds(allowed, "dba3.sht.27", text));
        return reasons;
    }
    reasons.push(Reason::holds("dba3.sht.27", format!("{name} is not in close combat")));
    let overlaps = |e: &Element| {
        engagement::overlap_position(element, e, &context).satisfied()
            || engagement::overlap_position(e, element, &context).satisfied()
    };
    if let Some(enemy) = enemies.iter().find(|e| overlaps(e)) {
        let free = settings.shooting_while_overlapping;
        let text = if free {
            format!("{name} and {} overlap and no more: that bars no shooting", enemy.name)
        } else {
            format!("by the setting {name} neither shoots nor is shot at, for it and {} overlap", enemy.name)
        };
        reasons.push(holds(free, "dba3.sht.28", text));
    }
    reasons
}

/// Whether Artillery of that side chooses its target freely, or answers enemy Artillery alone (clause dba3.sht.9).
pub(super) fn answers_alone(kind: Kind, side: Side, bound: &Bound) -> bool {
    kind == Kind::Artillery && side != bound.side
}
