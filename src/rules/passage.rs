//! Passing through friends: who may pass through whom, and the passage of an element that recoils.
//!
//! Table frame, millimetres. A recoil goes straight back without turning. What it meets is what it would run into by
//! more than bases that touch are measured into each other; the friends that it meets first are passed, and it
//! stands straight behind the deepest of them. Pure: nobody is moved. What follows where it may not pass (friends
//! pushed back, a recoil that stops or destroys) is the outcome moves'.
//!
//! Clauses: dba3.ip.1, .2, .5 to .10, dba3.set.41, .42.

use super::conform::{Motion, hindrances};
use super::ruleset::{Occasion, Passage, Troop};
use super::strip::{Strip, Towards};
use super::{AskError, Element, Location, Reason, Settings, Setup, ask, exact};
use crate::geometry::{Binding, Footprint, Margin, Pose, separation, separation_from_area};

/// The row that lets `who` pass through `through`.
///
/// # Errors
/// Every row of that occasion, none of which does.
pub fn allowance<'s>(
    who: &Troop,
    through: Option<&Troop>,
    on: Occasion,
    settings: &'s Settings,
) -> Result<&'s Passage, Vec<&'s Passage>> {
    let rows: Vec<&Passage> = settings.ruleset().passage().iter().filter(|row| row.on == on).collect();
    let lets = |row: &&Passage| {
        let stands = |(id, word): &(String, String)| settings.word(id) == Some(word);
        row.who.holds(who)
            && through.is_some_and(|troop| row.through.holds(troop))
            && row.only_if.as_ref().is_none_or(stands)
    };
    rows.iter().copied().find(lets).ok_or(rows)
}

/// Why a recoiling element does not pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Barred {
    /// By whom it meets: an enemy, one that faces another way, or troops that it may not pass.
    ByWhom,
    /// It might pass, but has no clear space behind them.
    NoSpace,
}

/// The passage of a recoiling element through the friends that it meets.
#[derive(Debug, Clone, PartialEq)]
pub struct RecoilPassage {
    /// Whom it meets first, in the setup's order: friends, and enemies too.
    pub met: Vec<String>,
    /// How far it goes back until it meets them, millimetres, zero or more.
    pub meets_mm: f64,
    /// Where it comes to stand behind them, or why it does not pass.
    pub to: Result<Pose, Barred>,
    /// By how much the space behind them is clear; none where nothing is near enough to measure.
    pub space: Option<Margin>,
    /// The clauses, the deciding one first.
    pub reasons: Vec<Reason>,
}

/// Something that stands in the strip behind a recoiling element, seen from it.
struct Behind<'s> {
    element: &'s Element,
    /// From the recoiler's rear edge back to its nearest part in the strip, millimetres.
    near_mm: f64,
    /// And to its furthest part.
    far_mm: f64,
}

/// What comes of a recoil of `by_mm` as far as it is a passage; `None` where it meets nobody.
///
/// # Errors
/// An unknown name.
pub fn recoil(
    setup: &Setup,
    settings: &Settings,
    name: &str,
    by_mm: f64,
) -> Result<Option<RecoilPassage>, AskError> {
    let element = ask::find(setup, name)?;
    let slack = settings.tolerances.contact_gap_mm;
    let behind = behind(element, setup, slack);
    let Some(first_mm) = behind.iter().map(|b| b.near_mm).reduce(f64::min).filter(|mm| by_mm - mm > slack)
    else {
        return Ok(None);
    };
    let firsts: Vec<&Behind<'_>> = behind.iter().filter(|b| b.near_mm <= first_mm + slack).collect();
    let base = element.footprint;
    let far_mm = firsts.iter().map(|b| b.far_mm).fold(0.0, f64::max);
    let goes_mm = far_mm + base.depth_mm();
    let to = Pose { centre: base.pose().at(0.0, -goes_mm), ..base.pose() };
    let end = base.moved_to(to);
    let passed = |b: &&Behind<'_>| separation(&end, &b.element.footprint).mm >= -slack;
    let on_the_way: Vec<&Behind<'_>> =
        behind.iter().filter(|b| goes_mm - base.depth_mm() - b.near_mm > slack).filter(passed).collect();
    let mut reasons: Vec<Reason> =
        on_the_way.iter().flat_map(|b| may_pass(element, b.element, settings)).collect();
    let allowed = reasons.iter().all(|r| r.holds);
    let is_passed = |e: &Element| on_the_way.iter().any(|b| b.element.name == e.name);
    let space = clear_space(element, &end, setup, slack, is_passed);
    reasons.extend(space_told(element, to, setup, settings, space));
    let barred = match (allowed, reasons.iter().all(|r| r.holds)) {
        (false, _) => Some(Barred::ByWhom),
        (true, false) => Some(Barred::NoSpace),
        (true, true) => None,
    };
    reasons.sort_by_key(|r| r.holds);
    Ok(Some(RecoilPassage {
        met: firsts.iter().map(|b| b.element.name.clone()).collect(),
        meets_mm: first_mm.max(0.0),
        to: barred.map_or(Ok(to), Err),
        space,
        reasons,
    }))
}

/// Everyone in the strip behind the element.
fn behind<'s>(element: &Element, setup: &'s Setup, slack: f64) -> Vec<Behind<'s>> {
    let strip = Strip::of(element.footprint, Towards::Back, slack);
    let others = setup.elements.iter().filter(|e| e.location == Location::Board && e.name != element.name);
    let in_strip = others.filter_map(|other| {
        let (near_mm, far_mm) = strip.span_of(&other.footprint)?;
        Some(Behind { element: other, near_mm, far_mm })
    });
    in_strip.collect()
}

/// Whether `element` may recoil through `other`: a friend that faces the same way, and of the right type.
fn may_pass(element: &Element, other: &Element, settings: &Settings) -> Vec<Reason> {
    let (a, b) = (&element.name, &other.name);
    if element.side != other.side {
        return vec![Reason::fails(
            "dba3.ip.10",
            format!("{b} is an enemy, and enemies are never passed through"),
        )];
    }
    let turn = element.footprint.pose().heading.turn_to_radians(other.footprint.pose().heading).abs();
    let room = (settings.tolerances.same_facing_deg.to_radians() - turn) * element.footprint.width_mm();
    let found = separation(&element.footprint, &other.footprint);
    let margin = Margin::closed(exact(room), found.binding);
    let text =
        format!("{b} {} as {a} does", if margin.satisfied() { "faces exactly" } else { "does not face" });
    let mut reasons = vec![Reason::tested("dba3.ip.5", text, margin)];
    let rules = settings.ruleset();
    let Some(troop) = rules.troop(&element.troop) else { return reasons };
    match allowance(troop, rules.troop(&other.troop), Occasion::Recoil, settings) {
        Ok(row) => {
            reasons.push(Reason::holds(&row.clause, format!("{a} passes through {b}: {}", row.says)));
            reasons.push(Reason::holds(
                "dba3.ip.10",
                format!("{} through {} is permitted", element.troop, other.troop),
            ));
        }
        Err(rows) => {
            let text = format!("{} may not recoil through {}", element.troop, other.troop);
            reasons.push(Reason::fails("dba3.ip.10", text.clone()));
            reasons
                .extend(rows.iter().map(|row| Reason::fails(&row.clause, format!("{text}: {}", row.says))));
        }
    }
    reasons
}

/// By how much the place behind those passed is clear of all others; none where nobody else is on the board.
fn clear_space(
    element: &Element,
    end: &Footprint,
    setup: &Setup,
    slack: f64,
    is_passed: impl Fn(&Element) -> bool,
) -> Option<Margin> {
    let others = setup.elements.iter().filter(|e| e.location == Location::Board && e.name != element.name);
    let gaps = others.filter(|e| !is_passed(e)).map(|e| separation(end, &e.footprint));
    gaps.map(|found| Margin::closed(exact(found.mm + slack), found.binding)).reduce(Margin::and)
}

/// What is said of the space behind those passed: other bases, ground, the board's edge, camps, Cities and Forts.
fn space_told(
    element: &Element,
    to: Pose,
    setup: &Setup,
    settings: &Settings,
    space: Option<Margin>,
) -> Vec<Reason> {
    let name = &element.name;
    let mut reasons = Vec::new();
    match space {
        Some(margin) if !margin.satisfied() => {
            let text = format!("no clear space: {name} would stand {:.1} mm in another base", -margin.mm);
            reasons.push(Reason::tested("dba3.ip.5", text, margin));
        }
        _ => reasons.push(Reason {
            margin: space,
            ..Reason::holds("dba3.ip.5", format!("no other base is in the space in which {name} ends"))
        }),
    }
    let motion = Motion { from: element.footprint.pose(), to };
    let in_ground =
        hindrances(&[element], &motion, setup, settings).into_iter().filter(|h| !h.is_an_element());
    reasons.extend(in_ground.map(|h| Reason::fails("dba3.ip.5", format!("no clear space: {}", h.says()))));
    let end = element.footprint.moved_to(to);
    for feature in setup.ground.features.iter().filter(|f| f.kind.is_stronghold()) {
        let found: crate::geometry::Separation = separation_from_area(&end, &feature.outline);
        if found.mm < -settings.tolerances.contact_gap_mm {
            let Binding(at, of) = found.binding;
            let margin = Margin::closed(exact(found.mm), Binding(at, of));
            let text = format!("no clear space: {name} would stand {:.1} mm in {}", -found.mm, feature.name);
            reasons.push(Reason::tested("dba3.ip.5", text, margin));
        }
    }
    reasons
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation;

    fn passage(text: &str, by_bw: f64) -> Option<RecoilPassage> {
        let settings = Settings::dba3();
        let setup = notation::read_setup(text, settings.ruleset()).expect("a setup");
        recoil(&setup, &settings, "A", by_bw * 40.0).expect("A is there")
    }

    #[test]
    fn who_stands_at_or_beyond_the_end_of_the_recoil_or_beside_it_is_not_met() {
        let a = "A Cv red (5,5)-(6,5) N";
        assert_eq!(passage(&format!("{a}; B 4Sp red (5,3.25)-(6,3.25) N"), 1.0), None);
        assert_eq!(passage(&format!("{a}; B 4Sp red (6,5)-(7,5) N d1"), 1.0), None);
        assert!(passage(&format!("{a}; B 4Sp red (5,3.3)-(6,3.3) N"), 1.0).is_some());
    }

    #[test]
    fn two_friends_side_by_side_are_both_passed() {
        let text =
            "A Cv red (5,5)-(6,5) N; B 4Sp red (4.5,4.25)-(5.5,4.25) N; C 4Pk red (5.5,4.25)-(6.5,4.25) N";
        let found = passage(text, 1.0).expect("met");
        assert_eq!(
            (found.met.as_slice(), found.to),
            (&["B".to_owned(), "C".to_owned()][..], Err(Barred::ByWhom))
        );
        let good = passage(&text.replace("4Pk", "4Bd"), 1.0).expect("met").to.expect("passes");
        assert!((good.centre.y - (4.25 - 0.375 - 0.375) * 40.0).abs() < 1e-9, "{good:?}");
    }

    #[test]
    fn a_fort_or_the_boards_edge_is_no_clear_space() {
        let text = "A Cv red (5,2)-(6,2) N; B 4Sp red (5,1.25)-(6,1.25) N";
        assert!(passage(text, 1.0).expect("met").to.is_ok());
        assert!(
            passage("A Cv red (5,1.8)-(6,1.8) N; B 4Sp red (5,1.05)-(6,1.05) N", 1.0)
                .expect("met")
                .to
                .is_err()
        );
        let fort = format!("ground fort F box (5,0)-(7,0.5) of=blue\n{text}");
        assert!(passage(&fort, 1.0).expect("met").to == Err(Barred::NoSpace));
    }
}
