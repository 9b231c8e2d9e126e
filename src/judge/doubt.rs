//! How sure a combat's figures are: it is read again in every placing of the table ([`super::placings`]). It is clear where
//! none of them gives other totals or odds. What differs is told by the facts that hold in some placings and not in others.

use super::placings::{PLACINGS, Placings, share};
use super::{Measured, Verdict};
use crate::rules::Settings;
use crate::rules::due::{Close, Engagement, Hinge, Reading, Told, combats, fought_in};
use crate::rules::facts::Fact;
use std::collections::{BTreeMap, BTreeSet};

/// A fact that holds in some placings and not in others, where the figures are others too.
#[derive(Debug, Clone, PartialEq)]
pub struct Open {
    /// The fact.
    pub hinge: Hinge,
    /// In what share of the placings it holds.
    pub holds: f64,
    /// The facts of which agreeing on one settles it, where there are such.
    pub to_settle: Option<[Fact; 2]>,
}

/// How sure the figures of a combat are.
#[derive(Debug, Clone, PartialEq)]
pub struct Certainty {
    /// In what share of the placings totals and odds are as they were read.
    pub same: f64,
    /// The totals that come otherwise, the most frequent first, each with its share.
    pub others: Vec<((i32, i32), f64)>,
    /// What it hangs on.
    pub open: Vec<Open>,
}

impl Certainty {
    /// Nothing else can come of it.
    pub(super) const CLEAR: Self = Self { same: 1.0, others: Vec::new(), open: Vec::new() };

    /// Whether it is too close to call.
    pub fn too_close(&self) -> bool {
        self.same < 1.0
    }

    /// What is to be said of it, a line each: how often the figures are so, what else they may be, and what that hangs on,
    /// with `agree`'s words on the two facts of which one settles it. Nothing where it is clear.
    pub fn words(&self, agree: impl Fn(&[Fact; 2]) -> String) -> Vec<String> {
        if !self.too_close() {
            return Vec::new();
        }
        let mut lines = vec![format!("too close to call: so in {:.0} of 100", 100.0 * self.same)];
        for ((a, b), share) in &self.others {
            lines.push(format!("  totals {a} and {b} in {:.0} of 100", 100.0 * share));
        }
        for open in &self.open {
            let agree = open.to_settle.as_ref().map_or(String::new(), &agree);
            let share = 100.0 * open.holds;
            lines.push(format!("  it hangs on whether {} ({share:.0} of 100){agree}", open.hinge.words()));
        }
        lines
    }
}

/// How sure the figures of the close combat of two elements are, the first one's total first: front to front on the open
/// board, as [`certainty`] has it; none where they do not fight so.
pub fn pair_certainty(measured: &Measured, settings: &Settings, a: &str, b: &str) -> Option<Certainty> {
    let told = Told::default();
    let fought = combats(&measured.touching().setup, settings, &told).combats;
    let combat = fought.iter().find(|c| c.names() == (a, b) || c.names() == (b, a))?;
    let mut found = certainty(measured, settings, &told, combat)?;
    if combat.names() != (a, b) {
        for ((of_b, of_a), _) in &mut found.others {
            std::mem::swap(of_b, of_a);
        }
    }
    Some(found)
}

/// How sure the figures of a combat are that was read from the joined lines of `measured`; none of an assault.
pub fn certainty(
    measured: &Measured,
    settings: &Settings,
    told: &Told,
    combat: &Engagement,
) -> Option<Certainty> {
    of_combat(measured, Placings::of(measured, settings).as_ref(), settings, told, combat)
}

/// How sure a combat is that was read from the joined lines of a measured table.
#[derive(Debug, Clone, PartialEq)]
pub struct SureCombat {
    /// Whether it is one: the two are in contact, or the front edge is on the stronghold.
    pub contact: Verdict,
    /// How sure its figures are; none of an assault.
    pub figures: Option<Certainty>,
}

/// How sure each of these combats is, in their order.
pub fn sure_combats(
    measured: &Measured,
    settings: &Settings,
    told: &Told,
    combats: &[Engagement],
) -> Vec<SureCombat> {
    let placings = Placings::of(measured, settings);
    combats.iter().map(|combat| sure_combat(measured, placings.as_ref(), settings, told, combat)).collect()
}

/// The same of one, with the table's placings at hand.
pub(super) fn sure_combat(
    measured: &Measured,
    placings: Option<&Placings<'_>>,
    settings: &Settings,
    told: &Told,
    combat: &Engagement,
) -> SureCombat {
    let contact = match (measured.held, placings) {
        (Some(held), _) => Verdict::Held(held),
        (None, None) => Verdict::Yes,
        (None, Some(placings)) => {
            let there = placings.each(|_, joined| fought_in(joined, settings, combat));
            Verdict::of_share(
                share(there.iter().filter(|is| **is).count()),
                fought_in(&measured.touching().setup, settings, combat),
            )
        }
    };
    SureCombat { contact, figures: of_combat(measured, placings, settings, told, combat) }
}

/// The figures of one combat, with the table's placings at hand.
fn of_combat(
    measured: &Measured,
    placings: Option<&Placings<'_>>,
    settings: &Settings,
    told: &Told,
    combat: &Engagement,
) -> Option<Certainty> {
    let mut close = Close::of(&measured.touching().setup, told, combat)?;
    let here = close.read(settings)?;
    let Some(placings) = placings else { return Some(Certainty::CLEAR) };
    let place = |name: &str| measured.setup.elements.iter().position(|e| e.name == name);
    let places: Vec<Option<usize>> = close.elements().iter().map(|e| place(&e.name)).collect();
    let readings = placings.each(|_, joined| {
        for (element, place) in close.elements_mut().iter_mut().zip(&places) {
            if let Some(place) = *place {
                element.footprint = joined.elements[place].footprint;
            }
        }
        close.read(settings)
    });
    let (mut same, mut totals) = (0, BTreeMap::<(i32, i32), usize>::new());
    let mut met: BTreeMap<Hinge, usize> = BTreeMap::new();
    let mut differs: BTreeSet<Hinge> = BTreeSet::new();
    let mut beside: BTreeMap<(String, String), usize> = BTreeMap::new();
    for Reading { totals: found, odds, hinges, beside: there } in readings.into_iter().flatten() {
        for pair in there {
            *beside.entry(pair).or_default() += 1;
        }
        if found == here.totals && odds == here.odds {
            same += 1;
        } else {
            *totals.entry(found).or_default() += 1;
            differs.extend(hinges.symmetric_difference(&here.hinges).cloned());
        }
        for hinge in hinges {
            *met.entry(hinge).or_default() += 1;
        }
    }
    let mut others: Vec<((i32, i32), f64)> = totals.into_iter().map(|(t, count)| (t, share(count))).collect();
    others.sort_by(|a, b| b.1.total_cmp(&a.1));
    let open = differs.into_iter().map(|hinge| {
        let holds = share(met.get(&hinge).copied().unwrap_or(0));
        let touches = |by: &String, of: &String| beside.get(&(by.clone(), of.clone())).copied().unwrap_or(0);
        // Where the two touch in every placing or in none, what the overlap hangs on is told by itself.
        let plain = |by, of| matches!(touches(by, of), 0 | PLACINGS);
        let to_settle = match &hinge {
            Hinge::Overlap(by, _, of) if plain(by, of) => None,
            _ => settling(&hinge),
        };
        Open { to_settle, holds, hinge }
    });
    Some(Certainty { same: share(same), others, open: open.collect() })
}

/// The facts of which one settles a hinge; none where it is no question that players agree on by name.
fn settling(hinge: &Hinge) -> Option<[Fact; 2]> {
    let pair = |a: &String, b: &String, yes: fn(String, String) -> Fact, no: fn(String, String) -> Fact| {
        Some([yes(a.clone(), b.clone()), no(a.clone(), b.clone())])
    };
    match hinge {
        Hinge::Front(by, _, of) => pair(by, of, Fact::Contact, Fact::Apart),
        Hinge::In(who, feature) => pair(who, feature, Fact::Inside, Fact::ClearOf),
        Hinge::Overlap(by, _, of) => pair(by, of, Fact::Overlaps, Fact::NoOverlap),
        Hinge::Support(by, _, of) => pair(by, of, Fact::Supports, Fact::NoSupport),
        Hinge::Uphill(who, foe) => pair(who, foe, Fact::Uphill, Fact::NotUphill),
        Hinge::Bank(who, foe) => pair(who, foe, Fact::Bank, Fact::NoBank),
        Hinge::Pinned(who, by) => pair(by, who, Fact::Pins, Fact::NoPin),
        // The enemy is taken to stand otherwise, so that the one beside is left where it is.
        Hinge::Busy(who, enemy) => pair(enemy, who, Fact::Contact, Fact::Apart),
        Hinge::BoardEdge(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{PoseEstimate, Sensitivity, Source, normal_cdf};
    use crate::judge::PLACINGS;
    use crate::rules::due::combats;
    use crate::rules::{Setup, notation};
    use nalgebra::{Matrix3, Vector3};

    /// A table whose poses are each known to so many millimetres, and so many that all share.
    fn measured(text: &str, own_mm: f64, shared_mm: f64) -> Measured {
        let settings = Settings::dba3();
        let setup: Setup = notation::read_setup(text, settings.ruleset()).expect("a setup");
        let known = |e: &crate::rules::Element| PoseEstimate {
            pose: e.footprint.pose(),
            covariance: Matrix3::from_diagonal(&Vector3::new(own_mm * own_mm, own_mm * own_mm, 1e-8)),
            shared: vec![Sensitivity {
                source: Source::Registration { camera: 0, component: 0 },
                per_sigma: Vector3::new(shared_mm, shared_mm, 0.0),
            }],
        };
        let found = setup.elements.iter().map(|e| (e.clone(), known(e))).collect();
        let mut measured = Measured::from_poses(setup.scale, setup.board_mm, found);
        measured.setup.ground = setup.ground;
        measured
    }

    /// How sure its first combat is.
    fn sure(text: &str, own_mm: f64, shared_mm: f64) -> Certainty {
        let (settings, measured) = (Settings::dba3(), measured(text, own_mm, shared_mm));
        let told = Told::default();
        let fought = combats(&measured.setup, &settings, &told);
        certainty(&measured, &settings, &told, &fought.combats[0]).expect("a combat in the open")
    }

    /// Within four sigmas of what a share of so many placings can be off.
    fn near(found: f64, right: f64) -> bool {
        (found - right).abs() < 4.0 * (right * (1.0 - right) / PLACINGS as f64).sqrt()
    }

    #[test]
    fn what_is_well_inside_its_limits_is_certain() {
        let text = "A 4Pk red (5,5)-(6,5) N; B 4Pk red (5,4.625)-(6,4.625) N; E 4Bd blue (6,5)-(5,5) S";
        assert!(!sure(text, 0.1, 0.0).too_close());
        assert!(!sure(text, 0.0, 0.0).too_close());
        // What all poses share by the same parts nobody.
        assert!(!sure(text, 0.1, 5.0).too_close());
    }

    #[test]
    fn a_supporter_at_its_limit_is_named_with_its_share() {
        // B's corners are 1.2 mm off A's, and 1 mm is allowed.
        let text = "A 4Pk red (5,5)-(6,5) N; B 4Pk red (201.2,185)-(241.2,185)mm N; E 4Bd blue (6,5)-(5,5) S";
        let found = sure(text, 0.3, 0.0);
        assert!(found.too_close());
        let open: Vec<&Hinge> = found.open.iter().map(|o| &o.hinge).collect();
        let behind = Hinge::Support("B".into(), crate::rules::engagement::Position::Rear, "A".into());
        assert_eq!(open, [&behind]);
        // It holds where the offset, of sigma 0.3 times root 2, is 1 mm or less, and the gap, as sure, too.
        let sigma = 0.3 * 2f64.sqrt();
        let within = |from: f64, to: f64| normal_cdf(to / sigma) - normal_cdf(from / sigma);
        let right = within(-2.2, -0.2) * within(-1.0, 1.0);
        assert!(near(found.open[0].holds, right), "{} for {right}", found.open[0].holds);
        assert_eq!(found.others[0].0, (6, 5));
    }

    #[test]
    fn a_base_at_the_rim_of_a_wood_is_named_with_what_settles_it() {
        let text = "ground wood W box (2,2)-(4.995,9)\nA 4Bd red (5,5)-(6,5) N; E 4Bd blue (6,5)-(5,5) S";
        let found = sure(text, 0.3, 0.0);
        // 0.2 mm clear of the wood: in it, Blades lose 2.
        let inside =
            found.open.iter().find(|o| o.hinge == Hinge::In("A".into(), "W".into())).expect("A's going");
        assert!(near(inside.holds, normal_cdf(-0.2 / 0.3)), "{}", inside.holds);
        let facts = inside.to_settle.as_ref().expect("two facts");
        assert_eq!(facts.each_ref().map(ToString::to_string), ["inside A W", "clear-of A W"]);
        assert!(found.others.iter().any(|(totals, _)| *totals == (3, 5)), "{:?}", found.others);
        // Once it is agreed on it hangs on that no more, wherever the base may be.
        for (fact, totals) in facts.iter().zip([(3, 5), (5, 5)]) {
            let settings = Settings::dba3();
            let agreed =
                measured(text, 0.3, 0.0).agreed(&settings, std::slice::from_ref(fact)).expect("agreed");
            let fought = combats(&agreed.setup, &settings, &Told::default()).combats;
            let brief = &fought[0].brief;
            assert_eq!((brief.a.total(), brief.b.total()), totals, "{fact}");
            let sure = certainty(&agreed, &settings, &Told::default(), &fought[0]).expect("in the open");
            assert!(!sure.open.iter().any(|o| o.hinge == inside.hinge), "{fact}: {sure:?}");
        }
    }

    #[test]
    fn of_a_pair_it_is_told_whichever_is_named_first() {
        // A alone is near the wood.
        let text = "ground wood W box (2,2)-(4.995,4.9)\nA 4Bd red (5,5)-(6,5) N; E 4Bd blue (6,5)-(5,5) S\n\
                    B 4Bd red (9,5)-(10,5) N";
        let (settings, measured) = (Settings::dba3(), measured(text, 0.3, 0.0));
        let of = |a, b| pair_certainty(&measured, &settings, a, b);
        let (first, second) = (of("A", "E").expect("they fight"), of("E", "A").expect("they fight"));
        assert_eq!((first.others[0].0, second.others[0].0), ((3, 5), (5, 3)));
        let words = first.words(|[yes, no]| format!("; {yes} or {no}"));
        assert!(words[0].starts_with("too close to call: so in 7"), "{words:?}");
        assert!(words.iter().any(|line| line.ends_with("; inside A W or clear-of A W")), "{words:?}");
        assert_eq!(of("B", "E"), None, "who stands apart fights nobody");
    }

    #[test]
    fn an_overlap_and_a_slope_at_their_limits_are_named() {
        let corner =
            "A 4Bd red (5,5)-(6,5) N; B 4Bd red (241.1,200)-(281.1,200)mm N; E 4Bd blue (6,5)-(5,5) S";
        let found = sure(corner, 0.3, 0.0);
        let overlap = Hinge::Overlap("B".into(), crate::geometry::Edge::Left, "E".into());
        assert!(found.open.iter().any(|o| o.hinge == overlap), "{:?}", found.open);
        let slope = "ground gentle-hill H box (1,5.005)-(14,11) crest (2,8)-(13,8)\n\
                     A 4Bd red (5,4.5)-(6,4.5) N; E 4Bd blue (6,4.5)-(5,4.5) S d0.5";
        let found = sure(slope, 0.3, 0.0);
        // E's rear edge is 0.2 mm short of the hill; it is its front that must be on it, half a base width lower.
        assert!(!found.too_close(), "{:?}", found.open);
        let slope = "ground gentle-hill H box (1,4.505)-(14,11) crest (2,8)-(13,8)\n\
                     A 4Bd red (5,4.5)-(6,4.5) N; E 4Bd blue (6,4.5)-(5,4.5) S d0.5";
        let found = sure(slope, 0.3, 0.0);
        let uphill = Hinge::Uphill("E".into(), "A".into());
        assert!(found.open.iter().any(|o| o.hinge == uphill), "{:?}", found.open);
    }
}
