//! What would change a combat: a free friend in a place where it helps, or another combat fought first.
//!
//! Each change is tried on the table itself: the friend is put where it would stand, or whoever fights elsewhere is
//! taken off, and the combat is read again. So a friend beside both supports and overlaps, and where it leaves a place
//! where it helped, that help is gone. Whether it can get there this bound is not asked. Table frame, millimetres.
//!
//! Invariants: nobody is put where there is no room or off the board; a change that changes neither total nor any
//! fate's odds is not told.

use super::near::Near;
use super::{Engagement, Told, Where, open};
use crate::geometry::{Corner, Edge, Footprint, Pose, separation};
use crate::rules::combat::{Brief, Conditions, Effect, Modifier, Odds, View, gather};
use crate::rules::conform::Way;
use crate::rules::{Context, Element, Location, Settings, Setup};

/// Where a friend would stand: at one of its own, or on the enemy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// Straight behind the friend that fights.
    Behind,
    /// Level at its left or right, where it overlaps the enemy as well.
    Beside(Edge),
    /// Front edge on the enemy's left or right edge.
    OnFlank(Edge),
    /// Front edge on the enemy's rear edge.
    OnRear,
}

impl Spot {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Behind,
        Self::Beside(Edge::Left),
        Self::Beside(Edge::Right),
        Self::OnFlank(Edge::Left),
        Self::OnFlank(Edge::Right),
        Self::OnRear,
    ];

    /// Where a base of the size of `mover` stands there.
    fn place(self, mover: &Footprint, friend: &Footprint, enemy: &Footprint) -> Pose {
        match self {
            Self::Behind => Way::Rear.place(mover, friend),
            Self::Beside(edge) => {
                let hand = if edge == Edge::Left { -1.0 } else { 1.0 };
                let aside = hand * (friend.width_mm() + mover.width_mm()) / 2.0;
                let pose = friend.pose();
                Pose { centre: pose.at(aside, (friend.depth_mm() - mover.depth_mm()) / 2.0), ..pose }
            }
            Self::OnFlank(edge) => Way::Flank(edge).place(mover, enemy),
            Self::OnRear => Way::Rear.place(mover, enemy),
        }
    }

    /// In words: `friend` is whom it would help, `enemy` the other.
    fn words(self, who: &str, friend: &str, enemy: &str) -> String {
        let hand = |edge| if edge == Edge::Left { "left" } else { "right" };
        match self {
            Self::Behind => format!("{who} behind {friend}"),
            Self::Beside(edge) => format!("{who} at the {} of {friend}", hand(edge)),
            Self::OnFlank(edge) => format!("{who} with its front edge on {enemy}'s {}", edge.name()),
            Self::OnRear => format!("{who} with its front edge on {enemy}'s rear edge"),
        }
    }
}

/// What would be otherwise.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum If {
    /// This friend of `helps` stood there; of several of its troop type that are free, the nearest.
    Stands {
        /// Who.
        who: String,
        /// Where.
        spot: Spot,
        /// Whom it would help.
        helps: String,
    },
    /// This element, which fights another combat, had gone before.
    Gone(String),
}

/// A combat as it would be.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    /// What would be otherwise.
    pub what: If,
    /// The same in words.
    pub words: String,
    /// Both totals as they would be.
    pub brief: Brief,
    /// How often each score and fate would come, of 36.
    pub odds: Odds,
    /// What each score would do.
    pub effects: [Effect; 5],
    /// Figures that would be added, each with whose it is.
    pub added: Vec<(String, Modifier)>,
    /// Figures that would go.
    pub dropped: Vec<(String, Modifier)>,
}

/// What would change this combat of that table. Nobody supports or overlaps at a City, Fort or camp (clauses
/// dba3.sup.16, dba3.ovl.13), so of an assault nothing is told.
pub fn changes(setup: &Setup, settings: &Settings, told: &Told, combat: &Engagement) -> Vec<Change> {
    let (a, b) = combat.names();
    let place = |name: &str| setup.elements.iter().position(|e| e.name == name);
    let (Some(i), Some(j)) = (place(a), place(b)) else { return Vec::new() };
    if combat.at != Where::Open {
        return Vec::new();
    }
    let table = Table::of(setup, settings, told, combat);
    let mut found = table.stands(i, j);
    found.extend(table.stands(j, i));
    found.extend(table.gone(i, j));
    found
}

/// What would change it by an element of another combat having gone before: why it may matter which is fought first.
pub fn gone_first(setup: &Setup, settings: &Settings, told: &Told, combat: &Engagement) -> Vec<Change> {
    let place = |name: &str| setup.elements.iter().position(|e| e.name == name);
    let (a, b) = combat.names();
    let (Some(i), Some(j)) = (place(a), place(b)) else { return Vec::new() };
    if combat.at != Where::Open {
        return Vec::new();
    }
    Table::of(setup, settings, told, combat).gone(i, j)
}

/// Everything that a change is tried on.
struct Table<'t> {
    setup: &'t Setup,
    settings: &'t Settings,
    conditions: Conditions,
    near: Near,
    fighting: Vec<bool>,
    combat: &'t Engagement,
}

impl<'t> Table<'t> {
    fn of(setup: &'t Setup, settings: &'t Settings, told: &Told, combat: &'t Engagement) -> Self {
        let near = Near::of(setup);
        let fighting = open::fighting(setup, settings, &near);
        let conditions = Conditions { exposed: told.exposed.clone(), ..Conditions::default() };
        Self { setup, settings, conditions, near, fighting, combat }
    }
}

impl Table<'_> {
    /// Friends of the element at `own` that would help it against that at `foe`.
    fn stands(&self, own: usize, foe: usize) -> Vec<Change> {
        let (friend, enemy) = (&self.setup.elements[own], &self.setup.elements[foe]);
        let off = |e: &Element| (e.footprint.pose().centre - friend.footprint.pose().centre).norm();
        let mut free: Vec<usize> = (0..self.setup.elements.len())
            .filter(|&at| {
                let e = &self.setup.elements[at];
                e.side == friend.side && e.location == Location::Board && !self.fighting[at] && at != own
            })
            .collect();
        free.sort_by(|&x, &y| {
            crate::rules::by_size(off(&self.setup.elements[x]), off(&self.setup.elements[y]))
        });
        let mut found: Vec<Change> = Vec::new();
        for spot in Spot::ALL {
            let mut tried: Vec<&str> = Vec::new();
            let mut told: Vec<Change> = Vec::new();
            for &at in &free {
                let mover = &self.setup.elements[at];
                if tried.contains(&mover.troop.as_str()) {
                    continue;
                }
                let pose = spot.place(&mover.footprint, &friend.footprint, &enemy.footprint);
                let moved = Element { footprint: mover.footprint.moved_to(pose), ..mover.clone() };
                if !self.has_room(at, &moved) {
                    continue;
                }
                tried.push(&mover.troop);
                let what = If::Stands { who: mover.name.clone(), spot, helps: friend.name.clone() };
                let words = spot.words(&mover.name, &friend.name, &enemy.name);
                let change = self.read((own, foe), Some((at, &moved)), None, what, words);
                // Of several types that come to the same there, the nearest is told.
                if let Some(change) = change
                    && !told.iter().any(|known| {
                        known.odds == change.odds && totals(&known.brief) == totals(&change.brief)
                    })
                {
                    told.push(change);
                }
            }
            found.append(&mut told);
        }
        found
    }

    /// Whether a base fits where it would stand: on the board, and over nobody by more than bases in contact overlap.
    fn has_room(&self, at: usize, moved: &Element) -> bool {
        let (width, depth) = self.setup.board_mm;
        let on_board = Corner::ALL
            .into_iter()
            .map(|c| moved.footprint.corner(c))
            .all(|p| (0.0..=width).contains(&p.x) && (0.0..=depth).contains(&p.y));
        let slack = self.settings.tolerances.contact_gap_mm;
        let others = self.setup.elements.iter().enumerate().filter(|(place, e)| {
            *place != at
                && e.location == Location::Board
                && crate::rules::neighbours::may_touch(e, moved, 0.0)
        });
        on_board && others.into_iter().all(|(_, e)| separation(&e.footprint, &moved.footprint).mm >= -slack)
    }

    /// Those who fight other combats, each taken off the table.
    fn gone(&self, i: usize, j: usize) -> Vec<Change> {
        let around = self.near.places_around(&[i, j]);
        let others = around.into_iter().filter(|&at| at != i && at != j && self.fighting[at]);
        let gone = |at: usize| {
            let name = &self.setup.elements[at].name;
            let words = format!("{name} goes first, in a combat of its own");
            self.read((i, j), None, Some(at), If::Gone(name.clone()), words)
        };
        others.filter_map(gone).collect()
    }

    /// The combat read again with one element elsewhere, or gone; none where nothing changes.
    fn read(
        &self,
        (own, foe): (usize, usize),
        moved: Option<(usize, &Element)>,
        gone: Option<usize>,
        what: If,
        words: String,
    ) -> Option<Change> {
        let mut places = self.near.places_around(&[own, foe]);
        if let Some((at, _)) = moved.filter(|(at, _)| !places.contains(at)) {
            places.push(at);
            places.sort_unstable();
        }
        let around: Vec<Element> = places
            .into_iter()
            .filter(|&at| Some(at) != gone)
            .map(|at| match moved {
                Some((mover, element)) if mover == at => element.clone(),
                _ => self.setup.elements[at].clone(),
            })
            .collect();
        let context = Context { elements: &around, ..Context::of(self.setup, self.settings) };
        let view = View { context, ground: &self.setup.ground };
        let (a, b) = self.combat.names();
        let named = |name: &str| around.iter().find(|e| e.name == name);
        let (first, second) = (named(a)?, named(b)?);
        let parts = gather(&view, &self.conditions, first, second).ok()?;
        let found = Engagement::of(&parts, Where::Open, self.combat.margin, &context);
        if totals(&found.brief) == totals(&self.combat.brief) && found.odds == self.combat.odds {
            return None;
        }
        let (added, dropped) =
            (figures(&found.brief, &self.combat.brief), figures(&self.combat.brief, &found.brief));
        let Engagement { brief, odds, effects, .. } = found;
        Some(Change { what, words, brief, odds, effects, added, dropped })
    }
}

fn totals(brief: &Brief) -> (i32, i32) {
    (brief.a.total(), brief.b.total())
}

/// The figures of `of` that `without` has none of by the same clause and words, each with whose it is.
fn figures(of: &Brief, without: &Brief) -> Vec<(String, Modifier)> {
    let mut found = Vec::new();
    for (own, other) in [(&of.a, &without.a), (&of.b, &without.b)] {
        let new = own.modifiers.iter().filter(|m| !other.modifiers.contains(m));
        found.extend(new.map(|m| (own.name.clone(), m.clone())));
    }
    found
}
