//! What is underfoot: the worst going that a base, or everything it sweeps over, lies in.
//!
//! Table frame, millimetres. An area is swept by convex outlines: a base's own corners where it stands, the
//! hull of two places for a straight shift. Touching a rim is not being in (notes of clause dba3.going.13), so
//! being in is a strict condition. Invariant: the going found is the worst of the features that any outline
//! reaches into, and good where it reaches into none.

use super::{Entry, Feature, Ground, Plough, TerrainKind, TerrainRow};
use crate::geometry::{
    Binding, Feature as Place, Footprint, Margin, Part, Point, gap_to_area, of_base, of_ground,
};
use crate::rules::ruleset::{Going, Kind, Mark, Ruleset, Troop};
use crate::rules::terrain::Surface;
use crate::rules::{Reason, Settings, by_size, exact};
use crate::units::Scale;
use std::cmp::Ordering;

/// What troops find underfoot.
#[derive(Debug, Clone, PartialEq)]
pub struct Underfoot {
    /// The worst going.
    pub going: Going,
    /// The kind of surface, before it is known whose feet.
    pub surface: Surface,
    /// The feature that decides, by name; none in the open.
    pub by: Option<String>,
    /// By how much it lies in that feature, strict; in the open, below zero, minus the room to the nearest
    /// feature of worse going, where there is one.
    pub margin: Option<Margin>,
    /// Every step, the deciding one first.
    pub reasons: Vec<Reason>,
}

/// One feature against everything swept.
struct Met<'g> {
    feature: &'g Feature,
    row: &'g TerrainRow,
    surface: Surface,
    going: Going,
    margin: Margin,
}

impl Ground {
    /// What a base has underfoot where it stands. `who` names it in the reasons.
    pub fn underfoot(&self, who: &str, base: &Footprint, troop: &Troop, settings: &Settings) -> Underfoot {
        let mut found = self.underfoot_along(who, &[base.outline().to_vec()], troop, settings);
        let named = |margin: Margin| Margin {
            binding: Binding(of_base(base, margin.binding.0.at), margin.binding.1),
            ..margin
        };
        found.margin = found.margin.map(named);
        for reason in &mut found.reasons {
            reason.margin = reason.margin.map(named);
        }
        found
    }

    /// What troops have underfoot anywhere in the convex outlines that they sweep over.
    pub fn underfoot_along(
        &self,
        who: &str,
        outlines: &[Vec<Point>],
        troop: &Troop,
        settings: &Settings,
    ) -> Underfoot {
        let mut met: Vec<Met<'_>> =
            self.features.iter().filter_map(|f| self.met(f, outlines, troop, settings)).collect();
        // Of several that hinder as much the deepest; of those that hinder nobody the first, for how deep is of no account.
        met.sort_by(|a, b| {
            let deeper =
                if a.going == Going::Good { Ordering::Equal } else { by_size(b.margin.mm, a.margin.mm) };
            a.going.cmp(&b.going).reverse().then(deeper)
        });
        let (inside, outside): (Vec<&Met<'_>>, Vec<&Met<'_>>) =
            met.iter().partition(|m| m.margin.satisfied());
        let worst = inside.first();
        let going = worst.map_or(Going::Good, |m| m.going);
        let surface = worst.map_or(Surface::Good, |m| m.surface);
        let mut reasons = Vec::new();
        for m in &inside {
            reasons.extend(self.says(who, m, troop));
        }
        if worst.is_none() {
            let text = format!("{who} lies on no feature: flat good going");
            reasons.push(Reason::holds("dba3.terr.3", text.clone()));
            reasons.push(Reason::holds("dba3.going.10", text));
        }
        let kinds = inside.iter().map(|m| m.going).chain(std::iter::once(Going::Good));
        if kinds.max() > Some(Going::Good) {
            let text =
                format!("the worst that any part of {who} lies in counts for all of it: {}", going.name());
            reasons.push(Reason::holds("dba3.going.13", text));
        }
        let nearest_worse = outside.iter().filter(|m| m.going > going);
        let nearest_worse = nearest_worse.max_by(|a, b| by_size(a.margin.mm, b.margin.mm));
        if let Some(m) = nearest_worse {
            let text =
                format!("{who} is {:.1} mm clear of {} ({})", -m.margin.mm, m.feature.name, m.row.name);
            reasons.extend(m.row.clauses.iter().map(|id| Reason::tested(id, text.clone(), m.margin)));
            reasons.push(Reason::tested("dba3.going.13", text, m.margin));
        }
        for river in &self.rivers {
            if outlines.iter().any(|o| river.course.reach(o).mm > 0.0) {
                let text = format!("{} has no going of its own", river.name);
                reasons.push(Reason::holds("dba3.riv.6", text));
            }
        }
        // Good going ends where worse begins, not where the feature does.
        let hinders = worst.copied().filter(|m| m.going > Going::Good);
        let margin = hinders.or(nearest_worse.copied()).or(worst.copied()).map(|m| m.margin);
        Underfoot { going, surface, by: worst.map(|m| m.feature.name.clone()), margin, reasons }
    }

    /// The features that no element may enter, with by how much the outlines reach into each, the furthest
    /// first: where that is above zero the place or move is barred (clause dba3.wway.2).
    pub fn barred(&self, who: &str, outlines: &[Vec<Point>], rules: &Ruleset) -> Vec<Reason> {
        let barred = self.features.iter().filter(|f| rules.terrain(f.kind).entry == Entry::Barred);
        let mut found: Vec<Reason> = barred
            .filter_map(|feature| {
                let clear = !reach(outlines, feature)?;
                let (row, mm) = (rules.terrain(feature.kind), clear.mm);
                let text = if clear.satisfied() {
                    format!("{who} stays {mm:.1} mm out of {} ({})", feature.name, row.name)
                } else {
                    format!(
                        "{who} goes {:.1} mm into {} ({}), where no element may go",
                        -mm, feature.name, row.name
                    )
                };
                Some(Reason::tested(row.clauses.first()?, text, clear))
            })
            .collect();
        found.sort_by(|a, b| {
            a.margin.map(|m| m.mm).partial_cmp(&b.margin.map(|m| m.mm)).unwrap_or(Ordering::Equal)
        });
        found
    }

    /// By how much Artillery or War Wagons keep out of the bad going nearest to them, in which they may stand on a road
    /// alone (clause dba3.dist.9). Of other troops, and without bad going, nothing.
    pub fn deployable(
        &self,
        who: &str,
        base: &Footprint,
        troop: &Troop,
        settings: &Settings,
        scale: Scale,
    ) -> Option<Reason> {
        if !matches!(troop.kind, Kind::Artillery | Kind::WarWagons) {
            return None;
        }
        let outlines = [base.outline().to_vec()];
        let bad = self.features.iter().filter_map(|f| self.met(f, &outlines, troop, settings));
        let deepest =
            bad.filter(|m| m.going == Going::Bad).max_by(|a, b| a.margin.mm.total_cmp(&b.margin.mm))?;
        let (feature, clear) = (&deepest.feature.name, !deepest.margin);
        let on_road = self.on_road(base, scale).filter(|on| on.margin.satisfied());
        Some(match (clear.satisfied(), on_road) {
            (true, _) => {
                let text = format!("{who} stands {:.1} mm clear of {feature}", clear.mm);
                Reason::tested("dba3.dist.9", text, clear)
            }
            (false, Some(on)) => {
                Reason::tested("dba3.dist.9", format!("{who} stands in {feature}, on {}", on.road), on.margin)
            }
            (false, None) => {
                let text = format!("{who} stands {:.1} mm in {feature}, off any road", -clear.mm);
                Reason::tested("dba3.dist.9", text, clear)
            }
        })
    }

    /// The going alone of [`Ground::underfoot_along`].
    pub(in crate::rules) fn worst_going(
        &self,
        outlines: &[Vec<Point>],
        troop: &Troop,
        settings: &Settings,
    ) -> Going {
        let points = || outlines.iter().flatten();
        let span = |of: fn(&Point) -> f64| {
            let low = points().map(of).fold(f64::INFINITY, f64::min);
            (low, points().map(of).fold(f64::NEG_INFINITY, f64::max))
        };
        let (across, up) = (span(|p| p.x), span(|p| p.y));
        let near = |f: &&Feature| {
            let (low, high) = f.outline.bounds();
            low.x <= across.1 && high.x >= across.0 && low.y <= up.1 && high.y >= up.0
        };
        let met = self.features.iter().filter(near).filter_map(|f| self.met(f, outlines, troop, settings));
        met.filter(|m| m.margin.satisfied()).map(|m| m.going).max().unwrap_or(Going::Good)
    }

    /// Whether the outlines enter a feature that no element may: see [`Ground::barred`].
    pub(in crate::rules) fn bars(&self, outlines: &[Vec<Point>], rules: &Ruleset) -> bool {
        let barred = self.features.iter().filter(|f| rules.terrain(f.kind).entry == Entry::Barred);
        barred.filter_map(|feature| reach(outlines, feature)).any(|inside| inside.satisfied())
    }

    /// What a kind of terrain is underfoot in this game and by these settings.
    pub(in crate::rules) fn surface_of(&self, kind: TerrainKind, settings: &Settings) -> Surface {
        match (kind, self.plough) {
            (TerrainKind::Plough, Plough::Rough) => Surface::Rough,
            _ => settings.ruleset().terrain(kind).surface.under(settings),
        }
    }

    fn met<'g>(
        &'g self,
        feature: &'g Feature,
        outlines: &[Vec<Point>],
        troop: &Troop,
        settings: &'g Settings,
    ) -> Option<Met<'g>> {
        let row = settings.ruleset().terrain(feature.kind);
        let surface = self.surface_of(feature.kind, settings);
        let going = surface.going_for(troop);
        Some(Met { feature, row, surface, going, margin: reach(outlines, feature)? })
    }

    /// What a feature that somebody lies in says, with its clauses.
    fn says(&self, who: &str, m: &Met<'_>, troop: &Troop) -> Vec<Reason> {
        let Met { feature, row, going, margin, surface } = m;
        let text =
            format!("{who} is {:.1} mm in {} ({}): {}", margin.mm, feature.name, row.name, going.name());
        let clauses = row.clauses.iter();
        let mut reasons: Vec<Reason> = clauses.map(|id| Reason::tested(id, text.clone(), *margin)).collect();
        if matches!(surface, Surface::Sand | Surface::SlowSand) && troop.is(Mark::Camels) {
            let text = format!("{who} goes with camels, to which {} is {}", feature.name, going.name());
            let good = *going == Going::Good;
            reasons.push(Reason { holds: good, ..Reason::tested("dba3.set.6", text, *margin) });
        }
        if feature.kind == TerrainKind::Plough {
            let text = match self.plough {
                Plough::Rough => "the first PIP score of the game was a 1: Plough is rough going",
                Plough::Good => "the first PIP score of the game was no 1: Plough is good going",
                Plough::Undiced => {
                    "the first PIP score of the game is not known: Plough counts as good going"
                }
            };
            let rough = self.plough == Plough::Rough;
            reasons = vec![
                Reason { holds: !rough, ..Reason::tested("dba3.going.11", text, *margin) },
                Reason { holds: rough, ..Reason::tested("dba3.going.12", text, *margin) },
            ];
        }
        reasons
    }
}

/// By how much any of the outlines lies in a feature: strict, for touching is not being in.
fn reach(outlines: &[Vec<Point>], feature: &Feature) -> Option<Margin> {
    outlines
        .iter()
        .filter(|outline| !outline.is_empty())
        .map(|outline| {
            let found = gap_to_area(outline, &feature.outline);
            let part = Place { whose: crate::geometry::Whose::A, part: Part::Inside, at: found.of_a };
            Margin::strict(exact(-found.mm), Binding(part, of_ground(Part::Rim, found.of_b)))
        })
        .reduce(Margin::or)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation;

    fn under(lines: &str, who: &str) -> Underfoot {
        let settings = Settings::dba3();
        let rules = settings.ruleset();
        let setup = notation::read_setup(lines, rules).expect("a setup");
        let e = setup.element(who).expect("an element");
        setup.ground.underfoot(who, &e.footprint, rules.troop(&e.troop).expect("a troop"), &settings)
    }

    const WOOD: &str =
        "ground wood W box (3,3)-(5,5); ground scrub S box (5,3)-(7,5); ground dunes D box (9,9)-(12,12)\n";

    #[test]
    fn one_corner_in_a_wood_is_bad_going_and_touching_it_is_not() {
        let corner = under(&format!("{WOOD}A 4Bd red (4.9,2.6)-(5.9,2.6) N"), "A");
        assert_eq!((corner.going, corner.by.as_deref()), (Going::Good, None));
        assert!((corner.margin.expect("the wood is near").mm + 0.4 * 40.0).abs() < 1e-9);
        let touching = under(&format!("{WOOD}A 4Bd red (4,3)-(5,3) N"), "A");
        assert_eq!((touching.going, touching.margin.map(|m| m.mm)), (Going::Good, Some(0.0)));
        let inside = under(&format!("{WOOD}A 4Bd red (4,3.05)-(5,3.05) N"), "A");
        assert_eq!((inside.going, inside.by.as_deref()), (Going::Bad, Some("W")));
        assert!((inside.margin.expect("in the wood").mm - 2.0).abs() < 1e-9);
    }

    #[test]
    fn of_two_kinds_the_worse_counts() {
        let both = under(&format!("{WOOD}A 4Bd red (4.5,4)-(5.5,4) N"), "A");
        assert_eq!((both.going, both.by.as_deref()), (Going::Bad, Some("W")));
        assert!(both.reasons.iter().any(|r| r.clause == "dba3.going.13" && r.holds));
    }

    #[test]
    fn dunes_are_good_for_camels_alone() {
        assert_eq!(under(&format!("{WOOD}A Cm red (10,10)-(11,10) N"), "A").going, Going::Good);
        assert_eq!(under(&format!("{WOOD}A Cv red (10,10)-(11,10) N"), "A").going, Going::Bad);
    }

    #[test]
    fn plough_is_as_the_first_die_left_it() {
        let at = "ground plough P box (0,0)-(2,2); A 4Bd red (0,1)-(1,1) N";
        assert_eq!(under(&format!("ground plough=rough; {at}"), "A").going, Going::Rough);
        assert_eq!(under(at, "A").going, Going::Good);
    }

    #[test]
    fn a_waterway_bars_what_reaches_into_it() {
        let rules = Settings::dba3();
        let text =
            "ground waterway Sea box (0,0)-(15,2); A 4Bd red (4,2.2)-(5,2.2) N; B 4Bd red (8,2.5)-(9,2.5) N";
        let setup = notation::read_setup(text, rules.ruleset()).expect("a setup");
        let barred = |name: &str| {
            let outline = setup.element(name).expect("an element").footprint.outline().to_vec();
            setup.ground.barred(name, &[outline], rules.ruleset())[0].clone()
        };
        assert!(!barred("A").holds && barred("B").holds);
    }
}
