//! Every threat zone that holds an enemy and every contact of a whole table.
//!
//! Table frame, millimetres. Invariant: a pair is told exactly where [`margin`] says that the question holds; only
//! pairs near enough to matter are asked about, so the work grows with those and not with all pairs.

use super::neighbours::near_pairs;
use super::{Context, Element, Question, Settings, Setup, margin};
use crate::geometry::Margin;
use std::sync::Arc;

/// What holds of one enemy towards another.
#[derive(Debug, Clone, PartialEq)]
pub struct Held {
    /// The element that the question is about.
    pub a: String,
    /// Its enemy.
    pub b: String,
    /// Which question holds.
    pub question: Question,
    /// By how much.
    pub margin: Margin,
}

/// The zones and contacts of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct Survey {
    /// Everything that holds, by the setup's order of the two.
    pub held: Vec<Held>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

/// The questions that only hold between enemies that are near each other.
const ASKED: [Question; 5] = [
    Question::InZoneOf,
    Question::ContactFront,
    Question::ContactFlank,
    Question::ContactRear,
    Question::CornerTouch,
];

/// Every zone that holds an enemy and every contact.
pub fn survey(setup: &Setup, settings: &Settings) -> Survey {
    let radius = |e: &Element| e.footprint.width_mm().hypot(e.footprint.depth_mm()) / 2.0;
    let overhang = |e: &Element| e.overhang.front.max(e.overhang.rear).max(e.overhang.sides);
    let most = |of: &dyn Fn(&Element) -> f64| setup.elements.iter().map(of).fold(0.0, f64::max);
    let tolerance = settings.tolerances.contact_gap_mm.max(settings.tolerances.corner_offset_mm);
    // A zone reaches 1 BW from a base, a contact no further than the tolerance and both overhangs.
    let beyond = setup.scale.mm_per_bw().max(tolerance + 2.0 * most(&overhang));
    let reach_mm = 2.0 * most(&radius) + beyond;
    let elements = &setup.elements;
    let mut pairs: Vec<(usize, usize)> = near_pairs(elements, reach_mm)
        .into_iter()
        .filter(|&(i, j)| elements[i].side != elements[j].side)
        .flat_map(|(i, j)| [(i, j), (j, i)])
        .collect();
    pairs.sort_unstable();
    let context = Context::of(setup, settings);
    let mut held = Vec::new();
    for (i, j) in pairs {
        let (a, b) = (&elements[i], &elements[j]);
        for question in ASKED {
            let margin = margin(question, a, b, &context);
            if margin.satisfied() {
                held.push(Held { a: a.name.clone(), b: b.name.clone(), question, margin });
            }
        }
    }
    Survey { held, under: Arc::clone(settings.name()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation;

    #[test]
    fn it_tells_what_every_pair_would() {
        let text = "A 4Bd red (5,5)-(6,5) N; B WWg red (7,5)-(8,5) N d2; C Ps red at (300,230)mm 70deg w40mm d20mm; \
                    E 3Kn blue (6,5)-(5,5) S; F LH blue (7.2,5.9)-(6.2,5.9) S; G 4Ax blue (12,12)-(11,12) S";
        for (id, word) in
            [("tz-off-in-combat", "false"), ("tz-off-in-combat", "true"), ("tz-blocked-by-elements", "true")]
        {
            let settings = Settings::dba3().with(id, word).expect("a setting");
            let setup = notation::read_setup(text, settings.ruleset()).expect("a setup");
            let context = Context::of(&setup, &settings);
            let mut all = Vec::new();
            for a in &setup.elements {
                for b in setup.elements.iter().filter(|b| b.side != a.side) {
                    let holds = |q: &Question| margin(*q, a, b, &context).satisfied();
                    all.extend(ASKED.into_iter().filter(holds).map(|q| (a.name.clone(), b.name.clone(), q)));
                }
            }
            let told: Vec<_> =
                survey(&setup, &settings).held.into_iter().map(|h| (h.a, h.b, h.question)).collect();
            assert_eq!(told, all);
            assert!(told.len() >= 4, "{told:?}");
        }
    }
}
