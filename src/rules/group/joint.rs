//! How two friends are joined, as a signed margin.
//!
//! A joint is the conjunction of margins in millimetres, measured in a frame that looks halfway between
//! the two headings, so that it does not matter who is named first:
//!
//! * **gap**: the contact gap plus the overhangs of the two edges, less the gap between the corners that
//!   meet, across the edges that lie together; an overlap counts like a gap;
//! * **corners**: the corner offset less the offset of those corners along the edges;
//! * **facing**: the tolerated turn less the turn, in radians, times the width of a base.
//!
//! One pair of corners is enough: with unequal depths side by side the front corners or the rear corners
//! meet, with unequal widths one behind the other the left or the right ones (notes of dba3.group.1).
//!
//! Round a bend of a column the follower is joined to whom it follows where their bases touch, within the
//! gap and the wedge that the wheel opens (the depth in front times one less the cosine of the turn), and
//! the inner side lines meet between them: that is where both wheel (clauses dba3.group.3, dba3.col.5,
//! dba3.set.32).

use crate::geometry::{
    Binding, Corner, Edge, Feature, Footprint, Heading, Margin, Part, Vector, Whose, separation,
};
use crate::rules::{Element, Settings, exact};

/// Three times the tolerances: what was joined parts visibly only beyond that. A choice.
const VISIBLE: f64 = 3.0;

/// Whether the two were joined when they were last looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bond {
    /// Not known to have been joined: within the tolerances.
    Fresh,
    /// Joined before: until they visibly part, three times the tolerances.
    Formed,
}

/// How two friends are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Side by side: the first is on the left.
    Beside,
    /// One behind the other: the first is in front.
    Behind,
    /// Round a bend of a column: the first leads.
    Following,
}

/// Two friends joined.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    /// How.
    pub kind: Kind,
    /// The left or leading one: 0 or 1 for the two asked about, or the place in a setup.
    pub first: usize,
    /// The other.
    pub second: usize,
    /// By how much it holds; `A` in the binding is the first.
    pub margin: Margin,
}

/// The best joint of two friends, whether it holds or not; none where they face so differently that
/// nothing joins them.
pub fn joint(a: &Element, b: &Element, settings: &Settings, bond: Bond) -> Option<Joint> {
    let mut best: Option<Joint> = None;
    for (first, second, x, y) in [(0, 1, a, b), (1, 0, b, a)] {
        for (kind, margin) in [
            (Kind::Beside, square(x, y, Kind::Beside, settings, bond)),
            (Kind::Behind, square(x, y, Kind::Behind, settings, bond)),
            (Kind::Following, bent(x, y, settings, bond)),
        ] {
            let Some(margin) = margin else { continue };
            if best.is_none_or(|known| margin.mm > known.margin.mm) {
                best = Some(Joint { kind, first, second, margin });
            }
        }
    }
    best
}

fn widened(bond: Bond) -> f64 {
    match bond {
        Bond::Fresh => 1.0,
        Bond::Formed => VISIBLE,
    }
}

/// Side by side or one behind the other.
fn square(first: &Element, second: &Element, kind: Kind, settings: &Settings, bond: Bond) -> Option<Margin> {
    let (one, two) = (&first.footprint, &second.footprint);
    let between = Heading::along(one.pose().heading.vector() + two.pose().heading.vector())?;
    let tolerances = &settings.tolerances;
    let times = widened(bond);
    let (pairs, overhang, across, along) = match kind {
        Kind::Beside => (
            [(Corner::FrontRight, Corner::FrontLeft), (Corner::RearRight, Corner::RearLeft)],
            first.overhang.sides + second.overhang.sides,
            between.right(),
            between.vector(),
        ),
        _ => (
            [(Corner::RearLeft, Corner::FrontLeft), (Corner::RearRight, Corner::FrontRight)],
            first.overhang.rear + second.overhang.front,
            -between.vector(),
            between.right(),
        ),
    };
    let meets = |(mine, theirs): (Corner, Corner)| {
        let (at, to) = (one.corner(mine), two.corner(theirs));
        let apart: Vector = to - at;
        let binding = Binding(
            Feature { whose: Whose::A, part: Part::Corner(mine), at },
            Feature { whose: Whose::B, part: Part::Corner(theirs), at: to },
        );
        let gap = apart.dot(&across);
        let room = tolerances.contact_gap_mm * times + if gap > 0.0 { overhang } else { 0.0 } - gap.abs();
        let offset = tolerances.corner_offset_mm * times - apart.dot(&along).abs();
        Margin::closed(exact(room.min(offset)), binding)
    };
    let corners = meets(pairs[0]).or(meets(pairs[1]));
    Some(corners.and(facing(one, two, tolerances.same_facing_deg * times)))
}

/// By how much two bases look the same way, over the width of the wider.
pub(super) fn facing(one: &Footprint, two: &Footprint, tolerated_deg: f64) -> Margin {
    let turn = one.pose().heading.turn_to_radians(two.pose().heading).abs();
    let mm = (tolerated_deg.to_radians() - turn) * one.width_mm().max(two.width_mm());
    let looks = |whose, base: &Footprint| Feature { whose, part: Part::Heading, at: base.pose().centre };
    Margin::closed(exact(mm), Binding(looks(Whose::A, one), looks(Whose::B, two)))
}

/// `second` follows `first` round a bend.
fn bent(first: &Element, second: &Element, settings: &Settings, bond: Bond) -> Option<Margin> {
    let (one, two) = (&first.footprint, &second.footprint);
    let turn = two.pose().heading.turn_to_radians(one.pose().heading);
    let bend = turn.abs();
    let tolerated = settings.tolerances.same_facing_deg.to_radians();
    if bend <= tolerated || bend > std::f64::consts::FRAC_PI_2 + tolerated {
        return None;
    }
    let times = widened(bond);
    let nearest = separation(one, two);
    let wedge = one.depth_mm() * (1.0 - bend.cos());
    let overhang = first.overhang.rear + second.overhang.front;
    let gap = settings.tolerances.contact_gap_mm * times + overhang + wedge - nearest.mm;
    let mut margin = Margin::closed(exact(gap), nearest.binding);
    // Bases that meet round a bend may overlap by the tolerance and no more.
    let deep = settings.tolerances.contact_gap_mm * times + nearest.mm;
    margin = margin.and(Margin::closed(exact(deep), nearest.binding));
    // The inner side lines meet where both wheel: ahead of the follower's front by no more than the room
    // between them, and no further ahead of the leader's front than nothing.
    let inner = if turn > 0.0 { Edge::Left } else { Edge::Right };
    let corner = if turn > 0.0 { Corner::FrontLeft } else { Corner::FrontRight };
    let (at, to) = (two.corner(corner), one.corner(corner));
    let line = one.edge_line(inner);
    let ahead = two.pose().heading.vector();
    // Along the follower's side line to the leader's side line.
    let slope = ahead.dot(&line.way.left());
    if slope.abs() < 1e-9 {
        return None;
    }
    let distance = -line.left_of(at) / slope;
    let pivot = at + ahead * distance;
    let behind_leader = (to - pivot).dot(&one.pose().heading.vector());
    let slack = settings.tolerances.corner_offset_mm * times;
    let binding = Binding(
        Feature { whose: Whose::A, part: Part::Corner(corner), at: to },
        Feature { whose: Whose::B, part: Part::Corner(corner), at },
    );
    let fits = (distance + slack).min(behind_leader + slack);
    let no_longer = one.depth_mm() + slack + overhang - distance.max(0.0) - behind_leader.max(0.0);
    Some(margin.and(Margin::closed(exact(fits.min(no_longer)), binding)))
}
