//! Friends in support position of an element, read off the table.
//!
//! A margin is the conjunction of what the position asks: edges together within the contact gap, corners within the
//! corner offset, facing within the tolerated turn. `A` in a binding is the supporter. Table frame, millimetres.
//! Whether support counts (types, going, opponent) is [`crate::rules::combat`]'s.
//!
//! Clauses: dba3.sup.2 (rear), dba3.sup.3 (side).

use super::along;
use crate::geometry::{Binding, Corner, Edge, Feature, Heading, Margin, Part, Whose};
use crate::rules::{Context, Element, Location, Reason, Tolerances, by_size, contact, exact, neighbours};

/// From where a friend supports.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Position {
    /// Straight behind.
    Rear,
    /// At its left.
    Left,
    /// At its right.
    Right,
}

impl Position {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rear, Self::Left, Self::Right];

    /// The clause that says where such a supporter stands.
    pub fn clause(self) -> &'static str {
        match self {
            Self::Rear => "dba3.sup.2",
            Self::Left | Self::Right => "dba3.sup.3",
        }
    }

    /// The supported element's edge that a supporter stands at.
    pub fn edge(self) -> Edge {
        match self {
            Self::Rear => Edge::Rear,
            Self::Left => Edge::Left,
            Self::Right => Edge::Right,
        }
    }
}

/// A friend in support position, or one that misses it by little.
#[derive(Debug, Clone, PartialEq)]
pub struct Supporter {
    /// Its name.
    pub name: String,
    /// Its troop code.
    pub troop: String,
    /// From where.
    pub position: Position,
    /// By how much it stands there; below zero by how much it misses it.
    pub margin: Margin,
}

impl Supporter {
    /// Why it is in position, or is not.
    pub fn reason(&self, supported: &str) -> Reason {
        let (name, mm) = (&self.name, self.margin.mm.abs());
        let place = match self.position {
            Position::Rear => "straight behind",
            Position::Left => "level at the left of",
            Position::Right => "level at the right of",
        };
        let text = if self.margin.satisfied() {
            format!("{name} stands {place} {supported}, with {mm:.1} mm to spare")
        } else {
            format!("{name} does not stand {place} {supported}: {mm:.1} mm more than is allowed")
        };
        Reason::tested(self.position.clause(), text, self.margin)
    }
}

/// By how much `friend` stands in that position to `element`, which need not stand where the context has them; none
/// where their sides look different ways.
pub fn in_position(
    friend: &Element,
    element: &Element,
    position: Position,
    context: &Context<'_>,
) -> Option<Margin> {
    let tolerances = &context.settings.tolerances;
    match position {
        Position::Rear => Some(contact::on_edge(friend, element, Edge::Rear, tolerances).margin()),
        side if context.settings.side_support_front_corner => level(friend, element, side, tolerances),
        side => {
            let line = element.footprint.edge_line(side.edge());
            let theirs = if side == Position::Left { Edge::Right } else { Edge::Left };
            let own = element.footprint.edge(side.edge());
            along(friend, theirs, element, (side.edge(), &line, own), context)
        }
    }
}

/// Side by side with front corners level, as seen halfway between the two headings.
fn level(friend: &Element, element: &Element, side: Position, tolerances: &Tolerances) -> Option<Margin> {
    let (theirs, own) = (friend.footprint, element.footprint);
    let between = Heading::along(theirs.pose().heading.vector() + own.pose().heading.vector())?;
    let (their_corner, own_corner, outward) = match side {
        Position::Left => (Corner::FrontRight, Corner::FrontLeft, between.left()),
        _ => (Corner::FrontLeft, Corner::FrontRight, between.right()),
    };
    let (at, to) = (theirs.corner(their_corner), own.corner(own_corner));
    let corners = Binding(
        Feature { whose: Whose::A, part: Part::Corner(their_corner), at },
        Feature { whose: Whose::B, part: Part::Corner(own_corner), at: to },
    );
    let apart = at - to;
    let gap = apart.dot(&outward);
    let overhang = if gap > 0.0 { friend.overhang.sides + element.overhang.sides } else { 0.0 };
    let room = Margin::closed(exact(tolerances.contact_gap_mm + overhang - gap.abs()), corners);
    let offset = tolerances.corner_offset_mm - apart.dot(&between.vector()).abs();
    let turn = theirs.pose().heading.turn_to_radians(own.pose().heading).abs();
    let width = theirs.width_mm().max(own.width_mm());
    let facing = (tolerances.same_facing_deg.to_radians() - turn) * width;
    let looks = |whose, at| Feature { whose, part: Part::Heading, at };
    let looks = Binding(looks(Whose::A, theirs.pose().centre), looks(Whose::B, own.pose().centre));
    Some(room.and(Margin::closed(exact(offset), corners)).and(Margin::closed(exact(facing), looks)))
}

/// The friends of `element` in support position, and those that miss it by no more than `near_mm`; at each position
/// the best placed first.
pub fn supporters(element: &Element, context: &Context<'_>, near_mm: f64) -> Vec<Supporter> {
    let friends = context.elements.iter().filter(|e| {
        e.side == element.side
            && e.location == Location::Board
            && e.name != element.name
            && neighbours::may_touch(e, element, near_mm)
    });
    let mut found: Vec<Supporter> = Vec::new();
    for friend in friends {
        for position in Position::ALL {
            let Some(margin) = in_position(friend, element, position, context) else { continue };
            if margin.satisfied() || margin.mm > -near_mm {
                let (name, troop) = (friend.name.clone(), friend.troop.clone());
                found.push(Supporter { name, troop, position, margin });
            }
        }
    }
    found.sort_by(|a, b| a.position.cmp(&b.position).then(by_size(b.margin.mm, a.margin.mm)));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Settings, Setup, notation};

    fn setup(text: &str, settings: &Settings) -> Setup {
        notation::read_setup(text, settings.ruleset()).expect("a setup")
    }

    fn of_a(text: &str, settings: &Settings) -> Vec<(String, Position)> {
        let setup = setup(text, settings);
        let context = Context::of(&setup, settings);
        let found = supporters(setup.element("A").expect("A"), &context, 0.0);
        found.into_iter().filter(|s| s.margin.satisfied()).map(|s| (s.name, s.position)).collect()
    }

    #[test]
    fn the_clauses_own_examples() {
        let settings = Settings::dba3();
        let rear = "A 4Pk red (5,5)-(6,5) N d0.375; B 4Pk red (5,4.625)-(6,4.625) N d0.375";
        assert_eq!(of_a(rear, &settings), [("B".to_owned(), Position::Rear)]);
        let shifted = "A 4Pk red (5,5)-(6,5) N d0.375; B 4Pk red (5.3,4.625)-(6.3,4.625) N d0.375";
        assert_eq!(of_a(shifted, &settings), []);
        let side = "A 4Sp red (5,5)-(6,5) N; B 4Bd red (6,5)-(7,5) N; C 4Bd red (4,5)-(5,5) N";
        let both = [("C".to_owned(), Position::Left), ("B".to_owned(), Position::Right)];
        assert_eq!(of_a(side, &settings), both);
        let stepped = "A 4Sp red (5,5)-(6,5) N; B 4Bd red (6,4.8)-(7,4.8) N";
        assert_eq!(of_a(stepped, &settings), []);
        let touching = settings.with("side-support-front-corner", "false").expect("a choice");
        assert_eq!(of_a(stepped, &touching), [("B".to_owned(), Position::Right)]);
        let back_to_back = "A 4Sp red (5,5)-(6,5) N d0.375; B 4Bd red (7,4.625)-(6,4.625) S d0.375";
        assert_eq!(of_a(back_to_back, &touching), []);
    }

    #[test]
    fn a_deep_base_supports_with_its_front_corner_level() {
        let settings = Settings::dba3();
        let deep = "A 4Sp red (5,5)-(6,5) N d0.375; B 8Sp red (6,5)-(7,5) N d0.75";
        assert_eq!(of_a(deep, &settings), [("B".to_owned(), Position::Right)]);
        let rears = "A 4Sp red (5,5)-(6,5) N d0.375; B 8Sp red (6,5.375)-(7,5.375) N d0.75";
        assert_eq!(of_a(rears, &settings), []);
    }

    #[test]
    fn margins_are_what_is_left_of_the_tolerances() {
        let settings = Settings::dba3();
        let tolerances = settings.tolerances;
        let setup =
            setup("A 4Sp red (5,5)-(6,5) N d15mm; B 4Bd red at (260.4,192.2)mm 90deg w40mm d15mm", &settings);
        let context = Context::of(&setup, &settings);
        let found = supporters(&setup.elements[0], &context, 1.0);
        // B's front-left corner is at (240.4, 199.7): 0.4 mm aside and 0.3 mm behind A's front-right one.
        let expected = (tolerances.contact_gap_mm - 0.4).min(tolerances.corner_offset_mm - 0.3);
        let facing = tolerances.same_facing_deg.to_radians() * 40.0;
        assert!((found[0].margin.mm - expected.min(facing)).abs() < 1e-9, "{found:?}");
    }
}
