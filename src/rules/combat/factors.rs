//! One element's total before its die: its factor, support and tactical factors, each with its clause.

use super::conditions::{Conditions, Height, LinedUp, Mode, Place, Situation, Stronghold};
use super::offers::Offer;
use crate::geometry::Edge;
use crate::rules::engagement::{How, Pressed};
use crate::rules::ruleset::{Going, Kind, Mark, Place as From, Ruleset, Tactic, Troop, Which};
use crate::rules::settings::{BadGoing, DoubleSpear, SideSupport};
use crate::rules::{Element, Reason, Settings};

/// One figure of a total.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Modifier {
    /// What it adds.
    pub value: i32,
    /// The clause it comes from.
    pub clause: String,
    /// What it is for.
    pub text: String,
}

/// An element's total before its die.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    /// Its name.
    pub name: String,
    /// Its troop type.
    pub troop: Troop,
    /// Its factor against this opponent.
    pub factor: Modifier,
    /// What is added and taken off.
    pub modifiers: Vec<Modifier>,
    /// Clauses that were looked at: those that make the figures, and those that do not apply.
    pub reasons: Vec<Reason>,
}

impl Standing {
    /// Factor and modifiers together.
    pub fn total(&self) -> i32 {
        self.factor.value + self.modifiers.iter().map(|m| m.value).sum::<i32>()
    }

    /// Adds a figure and its reason.
    fn add(&mut self, value: i32, clause: &str, text: String) {
        self.reasons.push(Reason::holds(clause, format!("{value:+}: {text}")));
        self.modifiers.push(Modifier { value, clause: clause.to_owned(), text });
    }
}

/// One side of a combat, as far as its own total needs it.
pub(super) struct Seat<'a> {
    pub element: &'a Element,
    pub troop: &'a Troop,
    pub situation: &'a Situation,
    pub pressed: &'a Pressed,
    pub offers: &'a [Offer],
}

/// Who acts, in shooting.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// The first element: the shooter.
    First,
    /// The second: the target.
    Second,
}

/// The total of `own` against `other`.
pub(super) fn standing(
    own: &Seat<'_>,
    other: &Seat<'_>,
    role: Role,
    conditions: &Conditions,
    settings: &Settings,
) -> Standing {
    let mut reasons: Vec<Reason> = own
        .troop
        .clauses
        .iter()
        .map(|id| Reason::holds(id, format!("{} is {}", own.element.name, describe(own.troop))))
        .collect();
    let factor = factor(own, other, role, conditions, &mut reasons);
    let mut standing = Standing {
        name: own.element.name.clone(),
        troop: own.troop.clone(),
        factor,
        modifiers: Vec::new(),
        reasons,
    };
    let rules = settings.ruleset();
    match conditions.mode {
        Mode::CloseCombat => {
            supports(own, other, settings, &mut standing);
            general(own, rules, &mut standing);
            stronghold(own, conditions, rules, &mut standing);
            height(own, rules, &mut standing);
            edges(own, rules, &mut standing);
            bad_going(own, other, settings, &mut standing);
        }
        Mode::Shooting { aiders, .. } => {
            if own.situation.surface().going_for(own.troop) == Going::Rough {
                let text = "rough going does nothing to shooting";
                standing.reasons.push(Reason::holds("dba3.going.9", text));
            }
            let text = "support counts in close combat alone";
            if own.troop.is(Mark::Double) {
                standing.reasons.push(Reason::holds("dba3.sup.17", text));
            }
            if role == Role::Second {
                let text = "of a target's factors only general, stronghold and aiding shooters count";
                standing.reasons.push(Reason::holds("dba3.sht.19", text));
                general(own, rules, &mut standing);
                stronghold(own, conditions, rules, &mut standing);
                let row = rules.tactical(Tactic::ShootingAided);
                for n in 0..aiders.min(2) {
                    standing.add(row.value, &row.clause, format!("shooting aided by element {}", n + 2));
                }
            } else if own.element.general {
                standing
                    .reasons
                    .push(Reason::fails("dba3.tac.7", "a general adds nothing to his own shooting"));
            }
        }
    }
    standing
}

fn describe(troop: &Troop) -> String {
    use crate::rules::ruleset::Arm;
    let arm = match troop.arm {
        Arm::Mounted => "mounted",
        Arm::Fast => "Fast foot",
        Arm::Solid => "Solid foot",
    };
    format!("{} ({}), {arm}", troop.code, troop.name)
}

fn factor(
    own: &Seat<'_>,
    other: &Seat<'_>,
    role: Role,
    conditions: &Conditions,
    reasons: &mut Vec<Reason>,
) -> Modifier {
    let (factors, clause) = (own.troop.factors, own.troop.factor_clause.clone());
    let assault = matches!(own.situation.place, Place::Assaults(_));
    let in_walls = matches!(own.situation.place, Place::Defends(Stronghold::City | Stronghold::Fort));
    let shot_at = matches!(conditions.mode, Mode::Shooting { .. }) && role == Role::Second;
    let mounted = other.troop.is_mounted() && !assault;
    let against = if mounted { "mounted" } else { "foot" };
    let (value, why) = if let (true, Some(garrison)) = (in_walls, factors.garrison) {
        let text = "guns spread round the walls count less";
        reasons.push(Reason::holds("dba3.bua.7", text));
        (garrison, "as garrison of a City or Fort".to_owned())
    } else if shot_at {
        reasons.push(Reason::holds("dba3.sht.17", "a target counts its factor against foot"));
        if factors.shot_at.is_some() {
            reasons.push(Reason::holds("dba3.sht.18", "Blades, CP, Lit and CWg count less when shot at"));
        }
        (factors.shot_at.unwrap_or(factors.foot), "when shot at".to_owned())
    } else {
        (if mounted { factors.mounted } else { factors.foot }, format!("against {against}"))
    };
    let picked = format!(
        "{} is {against}, so {} counts its factor against {against}",
        other.element.name, own.element.name
    );
    if assault {
        let text = "an assaulter fights the defender separately and counts its factor against foot";
        reasons.push(Reason::holds("dba3.tac.16", text));
    }
    reasons.push(Reason::holds("dba3.tac.2", picked));
    let text = format!("{} {why}", own.troop.code);
    reasons.push(Reason::holds(&clause, format!("{value:+}: {text}")));
    Modifier { value, clause, text }
}

fn general(own: &Seat<'_>, rules: &Ruleset, standing: &mut Standing) {
    let row = rules.tactical(Tactic::General);
    if own.element.general || own.troop.is(Mark::AlwaysGeneral) {
        standing.add(row.value, &row.clause, "general's element".to_owned());
    }
}

fn stronghold(own: &Seat<'_>, conditions: &Conditions, rules: &Ruleset, standing: &mut Standing) {
    let Place::Defends(place) = own.situation.place else { return };
    let sacking = place == Stronghold::City && conditions.sacking.contains(&own.element.name);
    if sacking {
        let text = "who sacks a City has no factor of a garrison";
        standing.reasons.push(Reason::holds("dba3.city.12", text));
        return;
    }
    if place == Stronghold::City {
        standing.reasons.push(Reason::fails("dba3.city.12", "it sacks no City"));
    }
    if own.troop.is_mounted() {
        let clause = &rules.tactical(Tactic::OwnCamp).clause;
        standing.reasons.push(Reason::fails(clause, "mounted have no factor for a stronghold"));
        return;
    }
    if place == Stronghold::Camp && conditions.sacking.contains(&own.element.name) {
        let clause = &rules.tactical(Tactic::OwnCamp).clause;
        standing.reasons.push(Reason::fails(clause, "the camp is not its own"));
        return;
    }
    let (what, text) = match place {
        Stronghold::Camp => (Tactic::OwnCamp, "foot in its own camp"),
        Stronghold::City if own.troop.kind == Kind::Denizens => (Tactic::OwnCity, "denizens of this City"),
        Stronghold::City | Stronghold::Fort => (Tactic::Garrison, "garrison of a City or Fort"),
    };
    let row = rules.tactical(what);
    standing.add(row.value, &row.clause, text.to_owned());
}

fn height(own: &Seat<'_>, rules: &Ruleset, standing: &mut Standing) {
    let (what, text) = match own.situation.lift() {
        Height::Level => return,
        Height::Uphill => (Tactic::Uphill, "uphill of the opponent"),
        Height::Bank => (Tactic::River, "defends the river bank"),
        Height::Waterside => (Tactic::Waterside, "the assaulter is still in the river"),
    };
    let row = rules.tactical(what);
    standing.add(row.value, &row.clause, text.to_owned());
}

/// Overlaps and enemy front edges, at most one figure an edge (clause dba3.tac.13).
fn edges(own: &Seat<'_>, rules: &Ruleset, standing: &mut Standing) {
    if own.situation.place != Place::Open {
        let text = "there is no overlap at a City, Fort or camp";
        standing.reasons.push(Reason::holds("dba3.ovl.13", text));
        if let Place::Assaults(_) = own.situation.place {
            // A front edge on an assaulter's flank or rear is no overlap, and counts.
            for edge in [Edge::Left, Edge::Right, Edge::Rear] {
                press(own, rules, edge, |how| how == How::FrontEdge, standing);
            }
        }
        let row = rules.tactical(Tactic::FurtherAssaulter);
        if let Place::Defends(_) = own.situation.place {
            for n in 0..own.situation.further_assaulters.min(2) {
                let text = match own.situation.assaulters.get(usize::from(n)) {
                    Some(name) => format!("{name} assaults it too and is still there"),
                    None if n == 0 => "another assaulter is still there".to_owned(),
                    None => "a third assaulter is still there".to_owned(),
                };
                standing.add(row.value, &row.clause, text);
            }
            standing.reasons.push(Reason::holds("dba3.tac.16", "assaulters are fought one after the other"));
        }
        return;
    }
    for edge in [Edge::Left, Edge::Right, Edge::Rear] {
        press(own, rules, edge, |_| true, standing);
    }
    let pressed =
        [Edge::Left, Edge::Right, Edge::Rear].into_iter().filter(|&e| own.pressed.edge(e).is_some());
    if pressed.count() == 3 {
        standing
            .reasons
            .push(Reason::holds("dba3.tac.13", "two flanks and the rear cost 3, the most there is"));
    }
    standing.reasons.extend(own.pressed.not.iter().cloned());
    if own.situation.lined_up == LinedUp::Refused {
        let row = rules.tactical(Tactic::Unconformed);
        standing.add(row.value, &row.clause, "it did not conform, and fights as if overlapped".to_owned());
    }
}

/// What presses one edge, of the causes that count.
fn press(own: &Seat<'_>, rules: &Ruleset, edge: Edge, counts: impl Fn(How) -> bool, standing: &mut Standing) {
    let causes = || own.pressed.by.iter().filter(|p| p.edge == edge && counts(p.how));
    let Some(first) = causes().next() else { return };
    let what = if first.how == How::FrontEdge { Tactic::EnemyFrontOnEdge } else { Tactic::Overlapped };
    let row = rules.tactical(what);
    let by = first.by.as_deref().unwrap_or_default();
    let (edge_name, apart) = (edge.name(), first.apart_mm);
    let text = match first.how {
        How::FrontEdge => format!("{by}'s front edge is on its {edge_name}, gap {apart:.1} mm"),
        How::Corner => format!("overlapped on its {edge_name} by {by}, corner gap {apart:.1} mm"),
        How::SideEdge => format!("overlapped on its {edge_name} by {by}'s side, gap {apart:.1} mm"),
        How::BoardEdge => format!("overlapped on its {edge_name} by the board's edge, {apart:.1} mm off"),
    };
    standing.add(row.value, &row.clause, text);
    standing.reasons.extend(first.reasons.iter().cloned());
    let causes = causes().count();
    if causes > 1 {
        let text = format!("{causes} enemies press its {}, which costs 1 all the same", edge.name());
        standing.reasons.push(Reason::holds("dba3.tac.13", text));
    }
    if let Some(helper) = &first.by {
        let text = format!("{helper} fights no combat of its own against {}", own.element.name);
        standing.reasons.push(Reason::holds("dba3.tac.14", text));
    }
}

fn bad_going(own: &Seat<'_>, other: &Seat<'_>, settings: &Settings, standing: &mut Standing) {
    let row = settings.ruleset().tactical(Tactic::BadGoing);
    match own.situation.surface().going_for(own.troop) {
        Going::Good => {}
        Going::Rough => {
            let text = "rough going is no factor in close combat";
            standing.reasons.push(Reason::holds("dba3.going.8", text));
        }
        Going::Bad => {
            let text = "bad going is a penalty in close combat for mounted and some foot";
            standing.reasons.push(Reason::holds("dba3.going.3", text));
        }
    }
    let own_bad = own.situation.surface().going_for(own.troop) == Going::Bad;
    let other_bad = other.situation.surface().going_for(other.troop) == Going::Bad;
    let by_enemy =
        settings.bad_going_owner == BadGoing::OwnOrEnemyIfMounted && own.troop.is_mounted() && other_bad;
    if !own_bad && !by_enemy {
        if other_bad {
            let text = "only the element's own bad going costs it anything";
            standing.reasons.push(Reason::holds("dba3.tac.18", text));
        }
        return;
    }
    if row.spares.as_ref().is_some_and(|w| w.holds(own.troop)) {
        let text = format!("bad going costs {} nothing", own.troop.name);
        standing.reasons.push(Reason::fails(&row.clause, text));
        return;
    }
    standing.add(row.value, &row.clause, "in bad going".to_owned());
    if !own_bad {
        standing.reasons.push(Reason::fails("dba3.tac.18", "by the setting the enemy's bad going counts"));
    }
}

fn supports(own: &Seat<'_>, other: &Seat<'_>, settings: &Settings, standing: &mut Standing) {
    let rules = settings.ruleset();
    let own_good = own.situation.surface().going_for(own.troop) == Going::Good;
    let offered = !own.offers.is_empty() || own.troop.is(Mark::Double);
    if own.situation.place != Place::Open {
        if offered {
            standing
                .reasons
                .push(Reason::holds("dba3.sup.16", "nobody is supported at a City, Fort or camp"));
        }
        return;
    }
    let mut second_rank = false;
    for row in
        rules.support().iter().filter(|r| r.place == From::OwnSecondRank && r.receiver.holds(own.troop))
    {
        let why = if !row.against.holds(other.troop) {
            Some("its second rank counts against foot alone")
        } else if settings.double_bonus_needs_good_going && !own_good {
            Some("its second rank counts in good going alone")
        } else {
            None
        };
        match why {
            Some(text) => standing.reasons.push(Reason::fails(&row.clause, text)),
            None => {
                second_rank = true;
                standing.add(row.bonus, &row.clause, "its own second rank".to_owned());
            }
        }
    }
    let mut sides = 0;
    for offer in own.offers {
        let Some((bonus, clause)) = give(own, other, offer, settings, standing) else { continue };
        if offer.from() == From::Rear {
            standing.add(bonus, &clause, offer.words());
            continue;
        }
        sides += 1;
        if sides > 1 {
            let text = "side support from both sides";
            if settings.side_support_both_sides == SideSupport::Single {
                standing.reasons.push(Reason::holds("dba3.sup.13", format!("{text} counts once")));
                continue;
            }
            standing.reasons.push(Reason::fails("dba3.sup.13", format!("{text} counts for each")));
        }
        if second_rank {
            let text = "its second rank and side support";
            if settings.double_spear_side_support == DoubleSpear::Single {
                standing.reasons.push(Reason::fails("dba3.sup.14", format!("of {text} one counts")));
                continue;
            }
            standing.reasons.push(Reason::holds("dba3.sup.14", format!("{text} add up")));
        }
        standing.add(bonus, &clause, offer.words());
    }
}

/// What a supporter gives, or the reason why it gives nothing.
fn give(
    own: &Seat<'_>,
    other: &Seat<'_>,
    offer: &Offer,
    settings: &Settings,
    standing: &mut Standing,
) -> Option<(i32, String)> {
    let rules = settings.ruleset();
    let (code, ground, place) = (&offer.code, offer.surface, offer.from());
    standing.reasons.extend(offer.seen.iter().flat_map(|seen| seen.reasons.iter().cloned()));
    let Some(giver) = rules.troop(code) else {
        standing
            .reasons
            .push(Reason::fails("dba3.sup.1", format!("`{code}` is no troop type of this ruleset")));
        return None;
    };
    let good = |going| going == Going::Good;
    if !good(own.situation.surface().going_for(own.troop)) || !good(ground.going_for(giver)) {
        standing.reasons.push(Reason::fails("dba3.sup.1", "support needs both elements in good going"));
        return None;
    }
    let rows = || rules.support().iter().filter(|r| r.place == place);
    let fits = |w: &Which, t: &Troop| w.holds(t);
    if let Some(row) = rows()
        .find(|r| fits(&r.receiver, own.troop) && fits(&r.giver, giver) && fits(&r.against, other.troop))
    {
        standing.reasons.push(Reason::holds("dba3.sup.1", "supporter and supported are in good going"));
        return Some((row.bonus, row.clause.clone()));
    }
    let text = format!("{code} gives {} nothing against {}", own.troop.code, other.troop.code);
    let clause = match (place, rows().find(|r| fits(&r.receiver, own.troop))) {
        (From::Rear, Some(_)) if own.troop.kind == Kind::Pikes && giver.kind == Kind::Pikes => "dba3.sup.6",
        (From::Side, Some(row)) if fits(&row.against, other.troop) => {
            standing.reasons.push(Reason::fails(&row.clause, text.clone()));
            "dba3.sup.11"
        }
        (_, Some(row)) => row.clause.as_str(),
        (From::Rear, None) => "dba3.sup.15",
        (_, None) => "dba3.sup.11",
    };
    let holds = matches!(clause, "dba3.sup.6" | "dba3.sup.11" | "dba3.sup.15");
    standing.reasons.push(if holds { Reason::holds(clause, text) } else { Reason::fails(clause, text) });
    None
}
