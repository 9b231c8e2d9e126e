//! By how much a condition holds, and which two features decide it.

use super::{Corner, Edge, Point};

/// Which of the two elements of a question a feature belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Whose {
    /// The first element, the one that the question is about.
    A,
    /// The second element.
    B,
    /// Something that lies on the table: a feature, river or road.
    Ground,
}

/// A named part of a base or of what it casts on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Part {
    /// A corner of the base.
    Corner(Corner),
    /// A point of an edge of the base.
    Edge(Edge),
    /// A point of the endless line along an edge.
    Line(Edge),
    /// A point of the far edge of the threat zone.
    ZoneFarEdge,
    /// A point of a side line of the threat zone, left or right as the troops see it.
    ZoneSide(Edge),
    /// The way the base looks.
    Heading,
    /// A point of a feature's rim.
    Rim,
    /// A point of a hill's crest.
    Crest,
    /// A point of a river's bank.
    Bank,
    /// A point of a road's centre line.
    RoadCentre,
    /// A point of the base that is neither corner nor edge, or of the straight line from another base.
    Inside,
}

/// A feature that binds a margin, and where on the table it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Feature {
    /// Whose it is.
    pub whose: Whose,
    /// Which part.
    pub part: Part,
    /// The binding point, millimetres.
    pub at: Point,
}

impl Feature {
    /// What people call it, without saying whose: "front-left corner", "line of the rear edge".
    pub fn name(&self) -> String {
        match self.part {
            Part::Corner(corner) => corner.name().to_owned(),
            Part::Edge(edge) => edge.name().to_owned(),
            Part::Line(edge) => format!("line of the {}", edge.name()),
            Part::ZoneFarEdge => "far edge of the threat zone".to_owned(),
            Part::ZoneSide(Edge::Left) => "left side of the threat zone".to_owned(),
            Part::ZoneSide(_) => "right side of the threat zone".to_owned(),
            Part::Heading => "facing".to_owned(),
            Part::Rim => "rim".to_owned(),
            Part::Crest => "crest".to_owned(),
            Part::Bank => "bank".to_owned(),
            Part::RoadCentre => "middle of the road".to_owned(),
            Part::Inside => "middle".to_owned(),
        }
    }
}

/// The two features that decide a margin.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Binding(pub Feature, pub Feature);

/// Whether a margin of exactly zero satisfies the condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// Zero satisfies it: the usual case (clause dba3.board.9).
    Closed,
    /// Only more than zero does: the clause says less than, or more than.
    Strict,
}

/// A signed margin in millimetres. Above zero the condition holds, below zero it does not; exactly
/// zero is settled by `limit`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margin {
    /// By how much it holds (positive) or fails (negative), millimetres.
    pub mm: f64,
    /// What zero means.
    pub limit: Limit,
    /// The two features that decide it.
    pub binding: Binding,
}

impl Margin {
    /// A margin whose limit satisfies the condition.
    pub fn closed(mm: f64, binding: Binding) -> Self {
        Self { mm, limit: Limit::Closed, binding }
    }

    /// A margin whose limit does not satisfy the condition.
    pub fn strict(mm: f64, binding: Binding) -> Self {
        Self { mm, limit: Limit::Strict, binding }
    }

    /// Whether the condition holds when the poses are taken as exact.
    pub fn satisfied(&self) -> bool {
        match self.limit {
            Limit::Closed => self.mm >= 0.0,
            Limit::Strict => self.mm > 0.0,
        }
    }

    /// Both must hold: the smaller margin binds.
    pub fn and(self, other: Self) -> Self {
        if other.harder_than(&self) { other } else { self }
    }

    /// Either may hold: the larger margin binds.
    pub fn or(self, other: Self) -> Self {
        if self.harder_than(&other) { other } else { self }
    }

    fn harder_than(&self, other: &Self) -> bool {
        self.mm < other.mm
            || (self.mm == other.mm && self.limit == Limit::Strict && other.limit == Limit::Closed)
    }
}

impl std::ops::Not for Margin {
    type Output = Self;

    /// The opposite condition: the sign turns, and a closed limit becomes a strict one.
    fn not(self) -> Self {
        let limit = match self.limit {
            Limit::Closed => Limit::Strict,
            Limit::Strict => Limit::Closed,
        };
        Self { mm: -self.mm, limit, binding: self.binding }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn margin(mm: f64) -> Margin {
        let feature = |whose| Feature { whose, part: Part::Edge(Edge::Front), at: Point::origin() };
        Margin::closed(mm, Binding(feature(Whose::A), feature(Whose::B)))
    }

    #[test]
    fn a_closed_limit_is_satisfied_at_zero_and_its_opposite_is_not() {
        assert!(margin(0.0).satisfied());
        assert!(!(!margin(0.0)).satisfied());
        assert!((!margin(-0.1)).satisfied());
    }

    #[test]
    fn conjunction_binds_at_the_smaller_and_disjunction_at_the_larger() {
        assert_eq!(margin(2.0).and(margin(-1.0)).mm, -1.0);
        assert_eq!(margin(2.0).or(margin(-1.0)).mm, 2.0);
    }

    #[test]
    fn at_an_equal_figure_the_strict_limit_is_the_harder() {
        let strict = !margin(0.0);
        assert!(!margin(0.0).and(strict).satisfied());
        assert!(strict.or(margin(0.0)).satisfied());
    }
}
