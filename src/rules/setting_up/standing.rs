//! Whether what is set out stands on the table at all: wholly on the board, and on no other base.
//!
//! Table frame, millimetres. Bases that touch, or stand at the board's edge, are measured a fraction over it, so that counts
//! which is more than the contact gap. No clause says either in so many words: that the table ends where the board does is
//! read from the one that says how far its sides go (dba3.board.4), as for moves; that a base is not set out on another
//! from the one that has every element set out (dba3.dep.1).

use crate::geometry::{Binding, Margin, Part, Point, of_base, of_ground, separation};
use crate::rules::movement::over_edge;
use crate::rules::stronghold::Terms;
use crate::rules::{Element, Location, Settings, Setup, exact};

/// Asks it of an element that is on the board; of one that is elsewhere nothing.
pub fn stands(setup: &Setup, settings: &Settings, element: &Element) -> Terms {
    let mut terms = Terms::default();
    if element.location != Location::Board {
        return terms;
    }
    let room = settings.tolerances.contact_gap_mm;
    let (mm, at) = over_edge(&element.footprint, setup.board_mm);
    let (width, depth) = setup.board_mm;
    let on = Point::new(at.x.clamp(0.0, width), at.y.clamp(0.0, depth));
    let text = if mm > room {
        format!("{} hangs {mm:.1} mm over the board's edge", element.name)
    } else {
        format!("{} is wholly on the board", element.name)
    };
    let binding = Binding(of_base(&element.footprint, at), of_ground(Part::Rim, on));
    terms.test("dba3.board.4", text, Margin::closed(exact(room - mm), binding));
    let others = setup.elements.iter().filter(|e| e.location == Location::Board && e.name != element.name);
    let nearest = others
        .map(|other| (separation(&element.footprint, &other.footprint), other))
        .min_by(|a, b| a.0.mm.total_cmp(&b.0.mm));
    if let Some((apart, other)) = nearest {
        let text = if apart.mm < -room {
            format!("{} stands {:.1} mm deep on {}", element.name, -apart.mm, other.name)
        } else {
            format!("{} stands on no other base; {} is nearest", element.name, other.name)
        };
        terms.test("dba3.dep.1", text, Margin::closed(exact(apart.mm + room), apart.binding));
    }
    terms
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, notation};

    /// What fails of an element on a board of 600 by 600 mm, base width 40 mm.
    fn fails(setup: &str, name: &str) -> Vec<(String, f64)> {
        let setup = notation::read_setup(setup, &Ruleset::dba3()).expect("a setup");
        let element = setup.elements.iter().find(|e| e.name == name).expect("it stands");
        let terms = stands(&setup, &Settings::dba3(), element);
        let failing = terms.conditions.iter().filter(|r| !r.holds);
        failing.map(|r| (r.clause.clone(), r.margin.map_or(f64::NAN, |m| m.mm))).collect()
    }

    #[test]
    fn a_base_over_the_edge_or_on_another_is_told_with_its_millimetres() {
        // The contact gap is 1 mm; a base width is 40 mm.
        let inside = "A 4Bd red (5,5)-(6,5) N; B 4Bd red (6,5)-(7,5) N";
        assert_eq!((fails(inside, "A"), fails(inside, "B")), (vec![], vec![]));
        // Half a base width over the left edge: 20 mm, of which 1 is let go.
        let over = fails("A 4Bd red (-0.5,5)-(0.5,5) N", "A");
        assert!(
            matches!(&over[..], [(clause, mm)] if clause == "dba3.board.4" && (mm + 19.0).abs() < 1e-6),
            "{over:?}"
        );
        // A quarter of a base width, 10 mm, on its neighbour.
        let on = fails("A 4Bd red (5,5)-(6,5) N; B 4Bd red (5.75,5)-(6.75,5) N", "A");
        assert!(
            matches!(&on[..], [(clause, mm)] if clause == "dba3.dep.1" && (mm + 9.0).abs() < 1e-6),
            "{on:?}"
        );
    }

    #[test]
    fn both_sides_of_the_contact_gap() {
        // 0.9 mm and 1.1 mm on the neighbour, and over the edge.
        for (mm, failing) in [(0.9, 0), (1.1, 1)] {
            let bw = mm / 40.0;
            let on = format!("A 4Bd red (5,5)-(6,5) N; B 4Bd red ({},5)-({},5) N", 6.0 - bw, 7.0 - bw);
            assert_eq!(fails(&on, "A").len(), failing, "{mm}");
            let over = format!("A 4Bd red ({},5)-({},5) N", -bw, 1.0 - bw);
            assert_eq!(fails(&over, "A").len(), failing, "{mm}");
        }
    }
}
