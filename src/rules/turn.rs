//! Turning to face: who turns when an enemy's front edge is on its flank or rear, to whom, where it comes
//! to stand, and who makes room.
//!
//! The setup is the table with every contact lined up; who contacted whom, in which order and how, is
//! passed in, for bases do not show it. Table frame, millimetres. Invariants: an element turns once and
//! by the whole quarter or half turn that brings its front edge onto the contactor's; whoever makes
//! room shifts along its own axes without turning.
//!
//! Clauses: dba3.turn.1 to .11.

use super::conform::{Motion, Shift, Way};
use super::neighbours::{self, Stands};
use super::ruleset::{Kind, Place};
use super::settings::{TurnAfterPursuit, TurnColumnRearHit, TurnDisplacement, TurnTiming, TurnWhichEnemy};
use super::{Context, Element, Location, Reason, Settings, Setup, contact};
use crate::geometry::{Edge, Footprint, Margin, Pose, separation};
use std::sync::Arc;

/// How a contact was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Made {
    /// By a move of this movement phase.
    Move,
    /// By pursuit, with a movement phase still to come.
    PursuitJustNow,
    /// By pursuit, and the movement phase after it closes now.
    PursuitBefore,
}

/// An element whose front edge came onto an enemy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contactor {
    /// Its name.
    pub name: String,
    /// How it came there.
    pub made: Made,
}

/// When it is asked who turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Moment {
    /// A contact has been made and others may follow.
    Contact,
    /// All contacts of the movement phase are complete.
    EndOfMovement,
}

/// What an element does about an enemy on its flank or rear.
#[derive(Debug, Clone, PartialEq)]
pub struct Turned {
    /// Its name.
    pub name: String,
    /// Where it and others come to stand, itself first; empty where it does not turn.
    pub shifts: Vec<Shift>,
    /// Whom it faces or would face.
    pub towards: String,
    /// Where its owner chooses whom it faces: each enemy, and where everyone comes to stand then; empty elsewhere.
    pub choices: Vec<(String, Vec<Shift>)>,
    /// The other one of its column of pikes, whether it turns with it or not.
    pub column: Option<String>,
    /// The clauses, the deciding one first.
    pub reasons: Vec<Reason>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

/// Who turns, in the setup's order, those that stay included. `contactors` are in the order in which they
/// made contact; enemies on a flank or rear that are not among them are taken to have come last. `faces` says whom
/// elements face whose owner chooses: the element, the enemy.
pub fn turns(
    setup: &Setup,
    settings: &Settings,
    contactors: &[Contactor],
    faces: &[(String, String)],
    moment: Moment,
) -> Vec<Turned> {
    let mut table = setup.clone();
    let mut found: Vec<Turned> = Vec::new();
    for place in 0..setup.elements.len() {
        let turned = {
            let element = &setup.elements[place];
            let gone = found.iter().any(|t: &Turned| t.shifts.iter().any(|s| s.name == element.name));
            if element.location != Location::Board || gone {
                continue;
            }
            // Who contacts whom is read from the table as it was; room is made on the table as it is.
            Scene { context: Context::of(setup, settings), table: &table, contactors, faces, moment }
                .turn(element)
        };
        if let Some(turned) = turned {
            apply(&turned.shifts, &mut table);
            found.push(turned);
        }
    }
    found
}

/// Puts everything that shifts where it comes to stand.
pub fn apply(shifts: &[Shift], table: &mut Setup) {
    for shift in shifts {
        if let Some(element) = table.elements.iter_mut().find(|e| e.name == shift.name) {
            element.footprint = element.footprint.moved_to(shift.to);
        }
    }
}

struct Scene<'s> {
    context: Context<'s>,
    table: &'s Setup,
    contactors: &'s [Contactor],
    faces: &'s [(String, String)],
    moment: Moment,
}

/// An enemy whose front edge is on a flank or rear.
struct Hit<'s> {
    by: &'s Element,
    edge: Edge,
    margin: Margin,
    made: Made,
}

impl<'s> Scene<'s> {
    fn turn(&self, element: &'s Element) -> Option<Turned> {
        let (mut hits, support) = self.hits(element);
        let choices = self.choices(element, &mut hits);
        let first = hits.first()?;
        let (t, a) = (&element.name, &first.by.name);
        let on = format!("{a}'s front edge is on {t}'s {}", first.edge.name());
        let mut reasons = vec![Reason::tested("dba3.turn.1", on, first.margin)];
        let column = self.column(element).map(|(other, _)| other.name.clone());
        let told = |shifts: Vec<Shift>, reasons: Vec<Reason>| {
            let (name, towards) = (t.clone(), a.clone());
            let choices = if shifts.is_empty() { Vec::new() } else { choices.clone() };
            let under = Arc::clone(self.context.settings.name());
            Some(Turned { name, shifts, towards, choices, column: column.clone(), reasons, under })
        };
        let stays = |mut reasons: Vec<Reason>, why: Reason| {
            reasons.insert(0, why);
            told(Vec::new(), reasons)
        };
        if hits.iter().any(|h| h.edge != first.edge) {
            let text = match self.context.settings.turn_which_enemy {
                TurnWhichEnemy::FirstContact => format!("{t} faces {a}, who touched it first"),
                TurnWhichEnemy::OwnerChoice => {
                    let others = hits.iter().map(|h| format!("{} on its {}", h.by.name, h.edge.name()));
                    let all = others.collect::<Vec<_>>().join(" or ");
                    let side = element.side.word();
                    format!(
                        "by the setting {side} chooses whom {t} faces: {all}; it is {a}, and the other stays on its \
                         flank or rear, where its front edge counts against {t}"
                    )
                }
            };
            reasons.push(Reason::holds("dba3.turn.6", text));
        }
        if let Column::Alone(clause, text) = &support {
            reasons.push(Reason::fails(*clause, text));
        }
        if let Some(why) = self.exempt(element) {
            let text = "it is asked when all contacts of the movement phase are complete";
            if self.moment == Moment::EndOfMovement {
                reasons.push(Reason::holds("dba3.turn.4", text));
            }
            return stays(reasons, why);
        }
        reasons.push(Reason::holds("dba3.turn.2", format!("{t} is in front contact with nobody")));
        reasons.push(Reason::holds("dba3.turn.3", format!("{t} gives no rear support")));
        if let Some(why) = self.not_yet(first, t, &mut reasons) {
            return stays(reasons, why);
        }
        let mut party = vec![(element, Way::Front.place(&element.footprint, &first.by.footprint))];
        match support {
            Column::None | Column::Alone(..) => {}
            Column::With(other, clause, text) => {
                let lead = element.footprint.moved_to(party[0].1);
                party.push((other, Way::Rear.place(&other.footprint, &lead)));
                reasons.push(Reason::holds(clause, text));
            }
            Column::Stays(text) => return stays(reasons, Reason::fails("dba3.turn.10", text)),
        }
        let text = format!("{t} turns to face {a}, front edges in full contact");
        reasons.push(Reason::holds("dba3.turn.7", text));
        if neighbours::joined(self.table, t, self.context.settings).len() > party.len() {
            reasons.push(Reason::holds("dba3.turn.11", format!("turning parts {t} from its group")));
        }
        let shifts = match self.room(&party, first.by, &mut reasons) {
            Ok(shifts) => shifts,
            Err(why) => return stays(reasons, why),
        };
        told(shifts, reasons)
    }

    /// Where everyone comes to stand by each choice of the owner, where he has one; the one chosen comes first of `hits`.
    fn choices(&self, element: &'s Element, hits: &mut [Hit<'s>]) -> Vec<(String, Vec<Shift>)> {
        let several = hits.iter().any(|h| h.edge != hits[0].edge);
        if !several || self.context.settings.turn_which_enemy != TurnWhichEnemy::OwnerChoice {
            return Vec::new();
        }
        let meant = |h: &Hit<'_>| self.faces.iter().any(|(t, by)| *t == element.name && *by == h.by.name);
        hits.sort_by_key(|h| !meant(h));
        let turned = hits.iter().filter_map(|hit| {
            let place = Way::Front.place(&element.footprint, &hit.by.footprint);
            let shifts = self.room(&[(element, place)], hit.by, &mut Vec::new()).ok()?;
            Some((hit.by.name.clone(), shifts))
        });
        turned.collect()
    }

    /// Enemies whose front edge is on a flank or rear of `element`, the first contact first; and what its
    /// column does with it.
    fn hits(&self, element: &'s Element) -> (Vec<Hit<'s>>, Column<'s>) {
        let mut hits = self.on(element);
        let partner = self.column(element);
        let Some((other, stands)) = partner else { return (hits, Column::None) };
        let others = self.on(other);
        let exempt = self.exempt(other).is_some();
        let (e, o) = (&element.name, &other.name);
        if exempt {
            let text = format!("{e} and {o} are a column, and {o} does not turn");
            return (hits, Column::Alone("dba3.turn.9", text));
        }
        let column = match (hits.is_empty(), others.is_empty(), stands) {
            // Only the front one is lined up on, but the same enemy's front edge runs on along the other.
            (false, _, Stands::Behind) if !others.is_empty() || self.pressed_by(other, &hits) => {
                let text = format!("{e} and {o} are a column hit on both flanks and turn together");
                Column::With(other, "dba3.turn.9", text)
            }
            (false, true, Stands::Ahead) => match self.context.settings.turn_column_rear_hit {
                TurnColumnRearHit::Both => {
                    let text = format!("only {e}, behind, is hit, and {o} turns with it");
                    Column::With(other, "dba3.turn.10", text)
                }
                TurnColumnRearHit::RearOnly => {
                    let text = format!("by the setting {e} turns alone");
                    Column::Alone("dba3.turn.10", text)
                }
                TurnColumnRearHit::None => {
                    Column::Stays(format!("only {e}, behind, is hit, and by the setting neither turns"))
                }
            },
            // The one in front turns for both.
            (false, false, Stands::Ahead) => {
                hits.clear();
                Column::None
            }
            _ => Column::None,
        };
        (hits, column)
    }

    fn on(&self, element: &'s Element) -> Vec<Hit<'s>> {
        let tolerances = &self.context.settings.tolerances;
        let order = |name: &str| self.contactors.iter().position(|c| c.name == name);
        let mut hits: Vec<Hit<'s>> = Vec::new();
        for by in
            self.context.elements.iter().filter(|e| e.side != element.side && e.location == Location::Board)
        {
            for edge in [Edge::Left, Edge::Right, Edge::Rear] {
                let margin = contact::on_edge(by, element, edge, tolerances).margin();
                if margin.satisfied() {
                    let made = order(&by.name).map_or(Made::Move, |at| self.contactors[at].made);
                    hits.push(Hit { by, edge, margin, made });
                }
            }
        }
        hits.sort_by_key(|h| order(&h.by.name).unwrap_or(usize::MAX));
        hits
    }

    /// Whether one of these enemies' front edges lies along a side of `element` too.
    fn pressed_by(&self, element: &Element, hits: &[Hit<'s>]) -> bool {
        let room = self.context.settings.tolerances.contact_gap_mm;
        hits.iter().filter(|h| h.edge != Edge::Rear).any(|hit| {
            let front = hit.by.footprint.edge(Edge::Front);
            let side = element.footprint.edge(hit.edge);
            let near = separation(&hit.by.footprint, &element.footprint).mm;
            side.shared_length_along(&front) > room
                && near <= room + element.overhang.sides + hit.by.overhang.front
        })
    }

    /// The friend that makes a column of two pikes with `element`, and where it stands.
    fn column(&self, element: &'s Element) -> Option<(&'s Element, Stands)> {
        let kind = |e: &Element| self.context.settings.ruleset().troop(&e.troop).map(|t| t.kind);
        if kind(element) != Some(Kind::Pikes) {
            return None;
        }
        neighbours::friends_at(element, &self.context)
            .find(|(e, at)| matches!(at, Stands::Ahead | Stands::Behind) && kind(e) == Some(Kind::Pikes))
    }

    /// Why `element` does not turn at all, if it does not.
    fn exempt(&self, element: &Element) -> Option<Reason> {
        if let Some(enemy) = self.frontal(element) {
            let text = format!("{} is in front contact with {}", element.name, enemy.name);
            return Some(Reason::holds("dba3.turn.2", text));
        }
        let friends = neighbours::friends_at(element, &self.context);
        let mut ahead = friends.filter(|(_, at)| *at == Stands::Ahead).map(|(e, _)| e);
        ahead.find_map(|friend| {
            let enemy = self.frontal(friend)?;
            self.supports(element, friend, enemy).then(|| {
                let text = format!("{} gives rear support to {}", element.name, friend.name);
                Reason::holds("dba3.turn.3", text)
            })
        })
    }

    /// The enemy on whose edge the front of `element` is, or whose front is on its own.
    fn frontal(&self, element: &Element) -> Option<&'s Element> {
        let tolerances = &self.context.settings.tolerances;
        let enemies = self.context.elements.iter();
        let mut enemies = enemies.filter(|e| e.side != element.side && e.location == Location::Board);
        enemies.find(|e| {
            Edge::ALL
                .into_iter()
                .any(|edge| contact::on_edge(element, e, edge, tolerances).margin().satisfied())
        })
    }

    fn supports(&self, giver: &Element, receiver: &Element, against: &Element) -> bool {
        let rules = self.context.settings.ruleset();
        let (giver, receiver, against) =
            (rules.troop(&giver.troop), rules.troop(&receiver.troop), rules.troop(&against.troop));
        let (Some(giver), Some(receiver), Some(against)) = (giver, receiver, against) else { return false };
        rules.support().iter().any(|row| {
            row.place == Place::Rear
                && row.receiver.holds(receiver)
                && row.giver.holds(giver)
                && row.against.holds(against)
        })
    }

    /// Why it does not turn yet, if it does not; what was looked at is added to the reasons.
    fn not_yet(&self, hit: &Hit<'_>, t: &str, reasons: &mut Vec<Reason>) -> Option<Reason> {
        let a = &hit.by.name;
        let pursued = hit.made == Made::PursuitJustNow;
        if pursued && self.context.settings.turn_after_pursuit == TurnAfterPursuit::NextMovementEnd {
            let text = format!("{a} pursued into {t}, which turns when the next movement phase closes");
            return Some(Reason::fails("dba3.turn.5", text));
        }
        if hit.made != Made::Move {
            reasons.push(Reason::holds("dba3.turn.5", format!("{a} pursued into {t}, which turns now")));
            return None;
        }
        match (self.context.settings.turn_timing, self.moment) {
            (TurnTiming::EndOfMovement, Moment::Contact) => {
                let text = format!("{t} turns when all contacts of the movement phase are complete");
                Some(Reason::fails("dba3.turn.4", text))
            }
            (TurnTiming::EndOfMovement, Moment::EndOfMovement) => {
                let text = "all contacts of the movement phase are complete";
                reasons.push(Reason::holds("dba3.turn.4", text));
                None
            }
            (TurnTiming::AtContact, _) => {
                let text = "by the setting elements turn when they are contacted";
                reasons.push(Reason::holds("dba3.turn.4", text));
                None
            }
        }
    }

    /// Where everyone comes to stand when `party` turns: those in its way make room.
    fn room(
        &self,
        party: &[(&'s Element, Pose)],
        contactor: &Element,
        reasons: &mut Vec<Reason>,
    ) -> Result<Vec<Shift>, Reason> {
        let bases: Vec<Footprint> = party.iter().map(|(e, to)| e.footprint.moved_to(*to)).collect();
        let turning = |e: &Element| party.iter().any(|(p, _)| p.name == e.name);
        let slack = self.context.settings.tolerances.contact_gap_mm;
        let in_way: Vec<&Element> = self
            .table
            .elements
            .iter()
            .filter(|e| e.location == Location::Board && !turning(e) && e.name != contactor.name)
            .filter(|e| bases.iter().any(|b| separation(b, &e.footprint).mm < -slack))
            .collect();
        let mut shifts: Vec<Shift> = party
            .iter()
            .map(|(e, to)| Shift { name: e.name.clone(), from: e.footprint.pose(), to: *to })
            .collect();
        let Some(first) = in_way.first() else { return Ok(shifts) };
        let names = in_way.iter().map(|e| e.name.as_str()).collect::<Vec<_>>().join(", ");
        let t = &party[0].0.name;
        match self.context.settings.turn_displacement {
            TurnDisplacement::NoTurn => {
                let text = format!("{names} is in the way, and by the setting {t} does not turn");
                Err(Reason::fails("dba3.turn.8", text))
            }
            TurnDisplacement::ContactorShifts => {
                // The pair goes the way that the contactor's rear looks, until nobody is in the way.
                let back = -contactor.footprint.pose().heading.vector();
                let deep = |b: &Footprint| {
                    in_way.iter().map(|e| -separation(b, &e.footprint).mm).fold(0.0, f64::max)
                };
                let mut by = 0.0;
                loop {
                    let most = bases.iter().map(|b| deep(&moved(b, back * by))).fold(0.0, f64::max);
                    if most <= 1e-9 {
                        break;
                    }
                    by += most;
                }
                for shift in &mut shifts {
                    shift.to.centre += back * by;
                }
                let from = contactor.footprint.pose();
                let to = Pose { centre: from.centre + back * by, heading: from.heading };
                shifts.push(Shift { name: contactor.name.clone(), from, to });
                let text = format!(
                    "by the setting {} goes back {by:.1} mm with {t} to clear {names}",
                    contactor.name
                );
                reasons.push(Reason::holds("dba3.turn.8", text));
                Ok(shifts)
            }
            TurnDisplacement::FriendsShift => {
                let mut table = self.table.clone();
                apply(&shifts, &mut table);
                let mut fixed: Vec<String> = party.iter().map(|(e, _)| e.name.clone()).collect();
                for friend in &in_way {
                    if !make_room(&friend.name, &mut fixed, &mut table, slack) {
                        let text = format!("{} cannot make room for {t}", friend.name);
                        return Err(Reason::fails("dba3.turn.8", text));
                    }
                }
                for (was, is) in self.table.elements.iter().zip(&table.elements) {
                    let (from, to) = (was.footprint.pose(), is.footprint.pose());
                    if from != to && !shifts.iter().any(|s| s.name == was.name) {
                        shifts.push(Shift { name: was.name.clone(), from, to });
                    }
                }
                let far = shifts
                    .iter()
                    .find(|s| s.name == first.name)
                    .map_or(0.0, |s| (s.to.centre - s.from.centre).norm());
                let text = format!("{names} makes room for {t}; {} shifts {far:.1} mm", first.name);
                reasons.push(Reason::holds("dba3.turn.8", text));
                Ok(shifts)
            }
        }
    }
}

/// What the column of a hit element does.
enum Column<'s> {
    /// Nothing: the element is alone in it.
    None,
    /// This one turns with it and falls in behind: the clause and what it comes to.
    With(&'s Element, &'static str, String),
    /// The other one stays: the clause and why.
    Alone(&'static str, String),
    /// Nobody turns.
    Stays(String),
}

/// Shifts `name` by the least along its own axes that clears those in `fixed`, straight back where several
/// are as small; others that it comes upon make room in turn. False where the board's edge or someone
/// fixed is in the way everywhere.
fn make_room(name: &str, fixed: &mut Vec<String>, table: &mut Setup, slack: f64) -> bool {
    let Some(element) = table.elements.iter().find(|e| e.name == name).cloned() else { return false };
    let still: Vec<Footprint> =
        table.elements.iter().filter(|e| fixed.contains(&e.name)).map(|e| e.footprint).collect();
    let heading = element.footprint.pose().heading;
    let ways = [-heading.vector(), heading.left(), heading.right(), heading.vector()];
    let mut found: Vec<(f64, usize, Footprint)> = Vec::new();
    for (rank, way) in ways.into_iter().enumerate() {
        let mut by = 0.0;
        let clear = loop {
            let base = moved(&element.footprint, way * by);
            let most = still.iter().map(|s| -separation(s, &base).mm).fold(0.0, f64::max);
            if most <= 1e-9 {
                break Some(base);
            }
            by += most;
            if by > 2.0 * table.board_mm.0.max(table.board_mm.1) {
                break None;
            }
        };
        found.extend(clear.map(|base| (by, rank, base)));
    }
    // Equal within rounding: straight back first.
    found
        .sort_by(|a, b| ((a.0 * 1e6).round(), a.1).partial_cmp(&((b.0 * 1e6).round(), b.1)).expect("finite"));
    for (_, _, base) in found {
        let on_board = crate::geometry::Corner::ALL.iter().all(|&c| {
            let p = base.corner(c);
            p.x >= -slack
                && p.y >= -slack
                && p.x <= table.board_mm.0 + slack
                && p.y <= table.board_mm.1 + slack
        });
        let met: Vec<&Element> = table
            .elements
            .iter()
            .filter(|e| e.location == Location::Board && e.name != name && !fixed.contains(&e.name))
            .filter(|e| separation(&e.footprint, &base).mm < -slack)
            .collect();
        if !on_board {
            continue;
        }
        let met: Vec<String> = met.iter().map(|e| e.name.clone()).collect();
        let (was, were_fixed) = (table.clone(), fixed.clone());
        fixed.push(name.to_owned());
        let at = table.elements.iter_mut().find(|e| e.name == name).expect("found above");
        at.footprint = base;
        if met.iter().all(|other| make_room(other, fixed, table, slack)) {
            return true;
        }
        *table = was;
        *fixed = were_fixed;
    }
    false
}

fn moved(base: &Footprint, by: crate::geometry::Vector) -> Footprint {
    let pose = base.pose();
    base.moved_to(Motion { from: pose, to: pose.nudged(by, 0.0) }.to)
}
