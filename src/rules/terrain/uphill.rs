//! Who is uphill in close combat (clause dba3.going.15).
//!
//! An element is uphill of its opponent on a hill where some part of its front edge is nearer to the crest
//! than every part of the opponent that is on the hill; whatever is off the hill is lowest. Edges in contact
//! share a line, so the comparison is closed, within the contact gap for bases that truly touch, and where both
//! pass neither is uphill (notes of dba3.tac.8). Table frame, millimetres.

use super::{Feature, Ground, Highest};
use crate::geometry::{Binding, Feature as Place, Footprint, Margin, Part, Whose, of_base, of_ground};
use crate::rules::{Reason, Tolerances, exact};

/// Whether one element is uphill of another.
#[derive(Debug, Clone, PartialEq)]
pub struct Uphill {
    /// By how much, millimetres along the slope: satisfied where it is uphill.
    pub margin: Margin,
    /// The hill, by name.
    pub on: String,
    /// Why.
    pub reasons: Vec<Reason>,
}

impl Ground {
    /// Whether `own` is uphill of `foe`, each a name and its base; `None` where neither touches a hill.
    pub fn uphill(
        &self,
        own: (&str, &Footprint),
        foe: (&str, &Footprint),
        tolerances: &Tolerances,
    ) -> Option<Uphill> {
        let hills = self.features.iter().filter(|f| f.hill.is_some());
        hills
            .filter_map(|hill| on_hill(hill, own, foe, tolerances))
            .reduce(|best, next| if best.margin.or(next.margin) == best.margin { best } else { next })
    }
}

fn on_hill(
    hill: &Feature,
    own: (&str, &Footprint),
    foe: (&str, &Footprint),
    tolerances: &Tolerances,
) -> Option<Uphill> {
    let mine = Highest::of_front(own.1, hill);
    let theirs = Highest::of_front(foe.1, hill);
    let ahead = lead(mine, Highest::of_base(foe.1, hill), (own.1, foe.1), Whose::A, tolerances)?;
    // Where the opponent's front edge passes the same test, neither is uphill.
    let margin = match lead(theirs, Highest::of_base(own.1, hill), (foe.1, own.1), Whose::B, tolerances) {
        Some(back) => ahead.and(!back),
        None => ahead,
    };
    let (a, b, name) = (own.0, foe.0, &hill.name);
    let text = if margin.satisfied() {
        format!("{a}'s front edge is higher up {name} than any part of {b}")
    } else if ahead.satisfied() {
        format!("{a} and {b} stand level on {name}")
    } else {
        format!("no part of {a}'s front edge is higher up {name} than all of {b}")
    };
    let reasons = vec![
        Reason::tested("dba3.going.15", text, margin),
        Reason::holds("dba3.going.14", format!("{name} rises from its rim to the crest along its middle")),
    ];
    Some(Uphill { margin, on: name.clone(), reasons })
}

/// By how much the highest point of a front edge is nearer to the crest than the opponent's highest point,
/// within the contact gap. `None` where neither is on the hill.
fn lead(
    front: Option<Highest>,
    all: Option<Highest>,
    bases: (&Footprint, &Footprint),
    whose: Whose,
    tolerances: &Tolerances,
) -> Option<Margin> {
    let (mm, own_at, foe_at) = match (front, all) {
        (None, None) => return None,
        (Some(front), Some(all)) => {
            (all.below_crest_mm - front.below_crest_mm + tolerances.contact_gap_mm, front.at, all.at)
        }
        // Off the hill is lowest: as far below as the other is on it, and a jump is not a measure; a base
        // width along the slope stands for it.
        (Some(front), None) => (bases.0.width_mm(), front.at, bases.1.pose().centre),
        (None, Some(all)) => (-bases.0.width_mm(), bases.0.pose().centre, all.at),
    };
    let other = if whose == Whose::A { Whose::B } else { Whose::A };
    let own = Place { whose, ..of_base(bases.0, own_at) };
    let foe = Place { whose: other, ..of_base(bases.1, foe_at) };
    let binding = if whose == Whose::A { Binding(own, foe) } else { Binding(foe, own) };
    let binding = if all.is_none() { Binding(own, of_ground(Part::Rim, foe_at)) } else { binding };
    Some(Margin::closed(exact(mm), binding))
}

#[cfg(test)]
mod tests {
    use crate::rules::{Settings, notation};

    /// The hill's crest runs along y = 8, x 2 to 13.
    fn uphill(lines: &str) -> (bool, bool) {
        let settings = Settings::dba3();
        let text = format!("ground gentle-hill H box (1,5)-(14,11) crest (2,8)-(13,8)\n{lines}");
        let setup = notation::read_setup(&text, settings.ruleset()).expect("a setup");
        let base = |n: &str| setup.element(n).expect("an element").footprint;
        let of = |a: &str, b: &str| {
            let found = setup.ground.uphill((a, &base(a)), (b, &base(b)), &settings.tolerances);
            found.is_some_and(|u| u.margin.satisfied())
        };
        (of("A", "E"), of("E", "A"))
    }

    #[test]
    fn the_one_above_is_uphill_of_the_one_below() {
        assert_eq!(uphill("A 4Bd red (4,6.5)-(5,6.5) N; E 4Bd blue (5,6.5)-(4,6.5) S"), (false, true));
        assert_eq!(uphill("A 4Bd red (4,9)-(5,9) N; E 4Bd blue (5,9)-(4,9) S"), (true, false));
    }

    #[test]
    fn across_the_slope_neither_is() {
        assert_eq!(uphill("A 4Bd red (4,7)-(4,6) E; E 4Bd blue (4,6)-(4,7) W"), (false, false));
        assert_eq!(uphill("A 4Bd red (4,6)-(4,5.5) E; E 4Bd blue (4.01,5.5)-(4.01,6) W"), (false, false));
    }

    #[test]
    fn off_the_hill_is_lowest() {
        assert_eq!(uphill("A 4Bd red (4,4.9)-(5,4.9) N; E 4Bd blue (5,5.1)-(4,5.1) S"), (false, true));
        assert_eq!(uphill("A 4Bd red (4,2)-(5,2) N; E 4Bd blue (5,2)-(4,2) S"), (false, false));
    }

    #[test]
    fn astride_the_crest_neither_is() {
        assert_eq!(uphill("A 4Bd red (4,8)-(5,8) N; E 4Bd blue (5,8)-(4,8) S"), (false, false));
    }
}
