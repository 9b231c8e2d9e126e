//! Who defends: the aggression roll, and the edges that follow from it.
//!
//! Table frame. Dice are arguments. A road reaches an edge where one of its ends is at it. Clauses: dba3.setup.1 to .3,
//! .5 to .7, dba3.set.17, .18.

use crate::rules::settings::{AggressionTie, RoadEdge};
use crate::rules::stronghold::Terms;
use crate::rules::terrain::{BoardEdge, edge_at, ends, waterway_at};
use crate::rules::{Reason, Settings, Setup, Side};

/// A die and the aggression factor of its side's army list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aggression {
    /// The score of the die.
    pub die: u8,
    /// The factor.
    pub factor: u8,
}

impl Aggression {
    /// Both together.
    pub fn total(self) -> u32 {
        u32::from(self.die) + u32::from(self.factor)
    }
}

/// What the dice settle.
#[derive(Debug, Clone, PartialEq)]
pub struct Roll {
    /// Who defends; none where both roll again.
    pub defender: Option<Side>,
    /// Why.
    pub reasons: Vec<Reason>,
}

/// Who defends by these dice.
pub fn roll(settings: &Settings, red: Aggression, blue: Aggression) -> Roll {
    let (a, b) = (red.total(), blue.total());
    let sum = |roll: Aggression| format!("{} + {} = {}", roll.die, roll.factor, roll.total());
    let rolled = Reason::holds("dba3.setup.1", format!("red has {}, blue {}", sum(red), sum(blue)));
    let by = |defender: Side| {
        let (low, high) = (a.min(b), a.max(b));
        vec![
            Reason::holds(
                "dba3.setup.2",
                format!("{} has the lower total, {low}: it defends", defender.word()),
            ),
            Reason::holds(
                "dba3.setup.3",
                format!("{} has the higher total, {high}: it invades", defender.enemy().word()),
            ),
        ]
    };
    let mut reasons = vec![rolled];
    let defender = match a.cmp(&b) {
        std::cmp::Ordering::Less => Some(Side::Red),
        std::cmp::Ordering::Greater => Some(Side::Blue),
        std::cmp::Ordering::Equal => {
            let (defender, text) = tied(settings, red, blue, a);
            let again = settings.aggression_tie == AggressionTie::Reroll;
            reasons.push(Reason { holds: again, ..Reason::holds("dba3.set.17", text) });
            return Roll { defender, reasons };
        }
    };
    reasons.extend(defender.into_iter().flat_map(by));
    Roll { defender, reasons }
}

/// Who defends where totals are equal, and why.
fn tied(settings: &Settings, red: Aggression, blue: Aggression, total: u32) -> (Option<Side>, String) {
    if settings.aggression_tie == AggressionTie::Reroll || red.factor == blue.factor {
        return (None, format!("both have {total}: both roll again"));
    }
    let defender = if red.factor < blue.factor { Side::Red } else { Side::Blue };
    let invader = defender.enemy().word();
    (Some(defender), format!("both have {total}: {invader} has the higher factor and invades"))
}

/// The edges that roads reach, in the order of [`BoardEdge::ALL`].
pub fn road_edges(setup: &Setup) -> Vec<BoardEdge> {
    let reached = |edge: &BoardEdge| {
        setup
            .ground
            .roads
            .iter()
            .any(|road| ends(&road.course).into_iter().any(|end| edge_at(end, setup) == Some(*edge)))
    };
    BoardEdge::ALL.into_iter().filter(reached).collect()
}

/// Whether the invader may take that edge as his base edge. A road that reaches no edge, as the gate roads of a City on a
/// hill, limits nothing. Where the Waterway would bar every edge that a road reaches, the roads bind alone.
pub fn may_take(setup: &Setup, settings: &Settings, edge: BoardEdge) -> Terms {
    let mut terms = Terms::default();
    let roads = road_edges(setup);
    let faces = |edge: BoardEdge| waterway_at(setup, edge.opposite());
    let names = |edges: &[BoardEdge]| {
        let names: Vec<&str> = edges.iter().map(|edge| edge.name()).collect();
        names.join(" and the ")
    };
    let name = edge.name();
    if roads.is_empty() {
        let text = if faces(edge) {
            format!("the {name} faces a Waterway across the table")
        } else {
            format!("no road limits the choice, and the {name} faces no Waterway")
        };
        terms.ask("dba3.setup.6", text, !faces(edge));
        return terms;
    }
    let text = format!("roads reach the {}; the invader asks for the {name}", names(&roads));
    terms.ask("dba3.setup.5", text, roads.contains(&edge));
    if faces(edge) {
        let left = roads.iter().any(|edge| !faces(*edge));
        let barred = settings.road_edge_over_waterway == RoadEdge::WaterwayFirst && left;
        let text = match (settings.road_edge_over_waterway, left) {
            (RoadEdge::RoadFirst, _) => {
                format!("the {name} faces a Waterway, which bars nothing where there is a road")
            }
            (RoadEdge::WaterwayFirst, true) => format!("the {name} faces a Waterway across the table"),
            (RoadEdge::WaterwayFirst, false) => {
                format!("the {name} faces a Waterway, but no road reaches another edge")
            }
        };
        terms.ask("dba3.set.18", text, !barred);
    }
    terms
}

/// The edges that the invader may take.
pub fn open_edges(setup: &Setup, settings: &Settings) -> Vec<BoardEdge> {
    BoardEdge::ALL.into_iter().filter(|edge| may_take(setup, settings, *edge).met()).collect()
}

/// The defender's base edge is across from the invader's (clause dba3.setup.7).
pub fn defenders_edge(invader: BoardEdge, defender: BoardEdge) -> Reason {
    let text = format!("the invader has the {}, the defender the {}", invader.name(), defender.name());
    Reason { holds: defender == invader.opposite(), ..Reason::holds("dba3.setup.7", text) }
}
