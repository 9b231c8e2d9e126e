//! The close of a movement phase, and of combat: every contact lined up, then turning to face.
//!
//! Moves are taken in their order, for the order of contacts decides whom an element turns to. Where
//! contacted enemies may choose and their choice is not given, they are taken to conform if they can. Table frame, millimetres.
//!
//! Clauses: dba3.con.2, .8, dba3.cf.5, .11, dba3.turn.4, dba3.set.53, .60.

use super::conform::{self, LineUp, Outcome};
use super::movement::{MoveError, TacticalMove};
use super::settings::{PostCombatConformer, TurnTiming};
use super::turn::{self, Contactor, Made, Moment, Turned};
use super::{Context, Element, Location, Reason, Settings, Setup, Side, contact};
use crate::geometry::Edge;
use std::sync::Arc;

/// Those who are in contact since an earlier phase and made it, the first contact first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Earlier(pub Vec<Contactor>);

/// What players chose where the rules leave it to them. What is not said is as if they conformed, and faced whoever
/// came first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Chosen {
    /// Contacted elements that stay and fight as overlapped, where they may (clauses dba3.cf.10, dba3.set.62).
    pub refuse: Vec<String>,
    /// Whom an element hit on several edges faces: the element, the enemy (setting `turn-which-enemy`).
    pub faces: Vec<(String, String)>,
}

/// How a phase closed.
#[derive(Debug, Clone, PartialEq)]
pub struct Closed {
    /// The table after it.
    pub after: Setup,
    /// How what each move brought into contact was lined up, in the moves' order.
    pub line_ups: Vec<LineUp>,
    /// Who turned to face, and who was hit and did not.
    pub turned: Vec<Turned>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

impl Closed {
    /// Whether every contact is lined up, or comes to be by conforming.
    pub fn all_lined_up(&self) -> bool {
        self.line_ups
            .iter()
            .all(|l| l.outcome != Outcome::NoMove && l.contacted.iter().all(|c| c.shifts.is_some()))
    }

    /// What was said of those who turn, or do not.
    pub fn told(&self) -> impl Iterator<Item = Reason> + '_ {
        self.turned.iter().flat_map(|t| t.reasons.clone())
    }
}

/// Lines up what these moves bring into contact, and turns to face whoever is to turn. A move whose
/// contact cannot be lined up does not take place: its movers stay where they were.
///
/// # Errors
/// A move that names nobody, an unknown element, or elements of both sides.
pub fn close(
    setup: &Setup,
    settings: &Settings,
    moves: &[TacticalMove],
    earlier: &Earlier,
    chosen: &Chosen,
) -> Result<Closed, MoveError> {
    let mut phase = Closing::new(setup.clone(), earlier.clone());
    for made in moves {
        phase.take(settings, made, chosen)?;
    }
    Ok(phase.finish(settings, chosen))
}

/// A movement phase while its contacts come up, one move after the other.
#[derive(Debug, Clone, PartialEq)]
pub struct Closing {
    /// The table after the moves so far, their contacts lined up.
    pub table: Setup,
    /// Who is in contact and made it, the first contact first.
    pub contactors: Vec<Contactor>,
    line_ups: Vec<LineUp>,
    turned: Vec<Turned>,
}

impl Closing {
    /// Nobody has moved yet.
    pub fn new(table: Setup, earlier: Earlier) -> Self {
        Self { table, contactors: earlier.0, line_ups: Vec::new(), turned: Vec::new() }
    }

    /// One more move: what it brings into contact lines up, or it does not take place.
    ///
    /// # Errors
    /// A move that names nobody, an unknown element, or elements of both sides.
    ///
    /// # Panics
    /// Never: the move's elements are found first.
    pub fn take(
        &mut self,
        settings: &Settings,
        made: &TacticalMove,
        chosen: &Chosen,
    ) -> Result<&LineUp, MoveError> {
        made.elements(&self.table)?;
        let moved = made.applied_to(&self.table);
        let movers: Vec<&str> = made.names().collect();
        let mut found = conform::line_up(&self.table, &moved, settings, &movers)
            .expect("the move's elements were found on the table");
        found.refused_by(&chosen.refuse);
        if found.outcome == Outcome::NoMove {
            let text = "the move did not take place, so it costs no PIP";
            found.reasons.push(if settings.failed_contact_pip_kept {
                Reason::holds("dba3.set.53", text)
            } else {
                Reason::fails(
                    "dba3.set.53",
                    "by the setting the PIP is spent though the move did not take place",
                )
            });
        } else {
            if found.outcome != Outcome::NoContact {
                let text = "the move takes place, and costs what it costs";
                found.reasons.push(Reason::holds("dba3.set.53", text));
            }
            self.table = found.applied_to(&moved);
            self.contactors.extend(in_contact(&self.table, settings, &movers));
            if settings.turn_timing == TurnTiming::AtContact {
                let made = (self.contactors.as_slice(), chosen);
                turn_all(&mut self.table, settings, made, Moment::Contact, &mut self.turned);
            }
        }
        self.line_ups.push(found);
        Ok(self.line_ups.last().expect("one was pushed"))
    }

    /// All contacts are complete: whoever is to turn does.
    pub fn finish(mut self, settings: &Settings, chosen: &Chosen) -> Closed {
        let made = (self.contactors.as_slice(), chosen);
        turn_all(&mut self.table, settings, made, Moment::EndOfMovement, &mut self.turned);
        let under = Arc::clone(settings.name());
        Closed { after: self.table, line_ups: self.line_ups, turned: self.turned, under }
    }
}

fn turn_all(
    table: &mut Setup,
    settings: &Settings,
    (contactors, chosen): (&[Contactor], &Chosen),
    moment: Moment,
    turned: &mut Vec<Turned>,
) {
    for found in turn::turns(table, settings, contactors, &chosen.faces, moment) {
        turn::apply(&found.shifts, table);
        turned.push(found);
    }
}

/// Those of `movers` whose front edge is on an edge of an enemy.
fn in_contact(table: &Setup, settings: &Settings, movers: &[&str]) -> Vec<Contactor> {
    let made = movers.iter().filter(|name| front_on_enemy(table, settings, name));
    made.map(|name| Contactor { name: (*name).to_owned(), made: Made::Move }).collect()
}

/// Whether the front edge of that element is on an edge of an enemy.
pub(super) fn front_on_enemy(table: &Setup, settings: &Settings, name: &str) -> bool {
    let on = |a: &Element, b: &Element| {
        let mut edges = Edge::ALL.into_iter();
        edges.any(|edge| contact::on_edge(a, b, edge, &settings.tolerances).margin().satisfied())
    };
    table.element(name).filter(|a| a.location == Location::Board).is_some_and(|a| {
        let mut enemies = table.elements.iter();
        enemies.any(|e| e.side != a.side && e.location == Location::Board && on(a, e))
    })
}

/// Lines up what still touches once combat is over (clause dba3.cf.5). Who conforms is settled by the
/// setting `post-combat-conformer`: those who made the contact, `contactors`, or the player whose bound
/// it is. Where nobody is known to have made a contact, the bounding player's elements conform.
pub fn after_combat(setup: &Setup, settings: &Settings, bounding: Side, contactors: &[&str]) -> Closed {
    let mut table = setup.clone();
    let mut line_ups = Vec::new();
    let by_roles = settings.post_combat_conformer == PostCombatConformer::OriginalRoles;
    let names: Vec<String> = setup.elements.iter().map(|e| e.name.clone()).collect();
    for name in &names {
        let Some(element) = table.element(name).filter(|e| e.location == Location::Board) else { continue };
        let context = Context::of(&table, settings);
        let enemies = conform::pressed_enemies(element, &context);
        let conforms = |element: &Element| {
            let known = |e: &Element| contactors.contains(&e.name.as_str());
            let anyone = known(element) || enemies.iter().any(|e| known(e));
            if by_roles && anyone { known(element) } else { element.side == bounding }
        };
        if enemies.is_empty() || !conforms(element) {
            continue;
        }
        let mut found =
            conform::line_up(&table, &table, settings, &[name]).expect("the element was found on the table");
        let text = format!("{name} still touches {} after combat and conforms", enemies[0].name);
        found.reasons.push(Reason::holds("dba3.cf.5", text));
        if found.reasons.iter().any(|r| r.clause == "dba3.set.51") {
            let text = format!("after combat {name} may conform through threat zones");
            found.reasons.push(Reason::holds("dba3.tz.7", text));
        }
        let roles = "who conforms after combat follows the roles of the contact";
        found.reasons.push(if by_roles {
            Reason::holds("dba3.set.60", roles)
        } else {
            Reason::fails("dba3.set.60", "by the setting the player whose bound it is conforms after combat")
        });
        table = found.applied_to(&table);
        line_ups.push(found);
    }
    Closed { after: table, line_ups, turned: Vec::new(), under: Arc::clone(settings.name()) }
}
