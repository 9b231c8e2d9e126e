//! Support: what one element adds to another's close combat factor.

use super::troop::Which;
use serde::Deserialize;

/// Where support comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Place {
    /// An element lined up straight behind.
    Rear,
    /// An element lined up at the side.
    Side,
    /// A double element's own second rank.
    OwnSecondRank,
}

/// One row of the support table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Support {
    /// The clause it comes from.
    pub clause: String,
    /// Who is supported.
    pub receiver: Which,
    /// Who supports; not read for a second rank.
    pub giver: Which,
    /// From where.
    pub place: Place,
    /// Against whom.
    pub against: Which,
    /// What it adds.
    pub bonus: i32,
}
