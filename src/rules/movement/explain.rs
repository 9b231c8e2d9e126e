//! What move was it? From where everything stood and where it stands now, the moves that explain it.
//!
//! What moved is parted into blocks: all of it as one move, elements that were joined and moved as one
//! body, single elements. Blocks are put in an order in which each is legal on the table that the ones
//! before it leave. The cheapest legal explanation comes first. What stirred less than the eye sees, and
//! elements of the side whose bound it is not, are nudges: put back or accepted, without PIP or fault.
//!
//! Table frame, millimetres. Invariant: an explanation ends where everything was seen, within the room
//! that the measurement's sigma asks for.

use super::settled::settled;
use super::{Judged, TacticalMove, candidates, judge_formed};
use crate::geometry::{Margin, Pose};
use crate::rules::bound::{Bound, Done, How};
use crate::rules::group::{Formed, groups};
use crate::rules::{Settings, Setup};

/// Stirred by less than this, an element was not moved but nudged, millimetres at a front corner. A
/// choice: about what a sleeve does and the eye does not see.
pub const NUDGE_MM: f64 = 2.0;

/// One move of an explanation.
#[derive(Debug, Clone, PartialEq)]
pub struct Explained {
    /// The move.
    pub mv: TacticalMove,
    /// What the rules say to it, on the table that the moves before it leave.
    pub judged: Judged,
}

/// Something that stirred and is no move.
#[derive(Debug, Clone, PartialEq)]
pub struct Nudge {
    /// Who.
    pub name: String,
    /// Where it stood: to put it back.
    pub stood: Pose,
    /// Where it stands: to accept it.
    pub stands: Pose,
    /// By how much its front corners shifted at most, millimetres.
    pub mm: f64,
}

/// One explanation of all that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The moves in an order in which they can have been made.
    pub moves: Vec<Explained>,
    /// What was nudged.
    pub nudges: Vec<Nudge>,
    /// Whether every move is legal, what the measurement leaves open taken in its favour.
    pub legal: bool,
    /// What it costs in all, PIPs.
    pub pips: u32,
}

/// The explanations of what changed from `before` to `after`, the cheapest legal one first. `sigma_mm` is
/// how well places are known; 0 for exact ones. Empty where nothing moved or no motion fits.
pub fn explain(
    before: &Setup,
    after: &Setup,
    bound: &Bound,
    settings: &Settings,
    formed: &Formed,
    sigma_mm: f64,
) -> Vec<Explanation> {
    // Exactly known places need no laying out, and stay where they are.
    let known = if sigma_mm > 0.0 { settled(before, settings, formed) } else { before.clone() };
    let looking =
        Looking { before: &known, after, settings, formed, room_mm: 0.05 + 5.0 * sigma_mm, sigma_mm };
    let (moved, nudges) = looking.changes(bound);
    let mut found: Vec<Explanation> = Vec::new();
    if moved.is_empty() {
        if !nudges.is_empty() {
            found.push(Explanation { moves: Vec::new(), nudges, legal: true, pips: 0 });
        }
        return found;
    }
    for blocks in looking.partitions(&moved) {
        if let Some((moves, legal)) = looking.in_order(blocks, bound) {
            let pips = moves.iter().map(|m| u32::from(m.judged.pips)).sum();
            found.push(Explanation { moves, nudges: nudges.clone(), legal, pips });
        }
    }
    found.sort_by_key(|e| (!e.legal, e.pips, e.moves.len()));
    found
}

struct Looking<'a> {
    before: &'a Setup,
    after: &'a Setup,
    settings: &'a Settings,
    formed: &'a Formed,
    room_mm: f64,
    sigma_mm: f64,
}

impl<'a> Looking<'a> {
    /// Who moved, and who was merely nudged.
    fn changes(&self, bound: &Bound) -> (Vec<&'a str>, Vec<Nudge>) {
        let (mut moved, mut nudges) = (Vec::new(), Vec::new());
        for element in &self.before.elements {
            let Some(now) = self.after.element(&element.name) else { continue };
            let corners = crate::geometry::Corner::ALL;
            let shifted = |c| (now.footprint.corner(c) - element.footprint.corner(c)).norm();
            let mm = corners.into_iter().map(shifted).fold(0.0, f64::max);
            let replaced = now.troop != element.troop;
            if mm <= 5.0 * self.sigma_mm + 1e-6 && !replaced {
                continue;
            }
            if (mm <= NUDGE_MM && !replaced) || element.side != bound.side {
                let (stood, stands) = (element.footprint.pose(), now.footprint.pose());
                nudges.push(Nudge { name: element.name.clone(), stood, stands, mm });
            } else {
                moved.push(element.name.as_str());
            }
        }
        (moved, nudges)
    }

    /// Ways to part what moved into blocks, each moved at once.
    fn partitions(&self, moved: &[&'a str]) -> Vec<Vec<Vec<&'a str>>> {
        let mut ways: Vec<Vec<Vec<&str>>> = vec![vec![moved.to_vec()]];
        // By the groups that stood before, and among those by who kept its place to whom.
        let joined = groups(self.before, self.settings, self.formed);
        let mut by_group: Vec<Vec<&str>> = Vec::new();
        for &name in moved {
            let group = joined.iter().position(|g| g.iter().any(|m| m == name));
            let mates =
                by_group.iter_mut().find(|b| group.is_some_and(|g| joined[g].iter().any(|m| m == b[0])));
            match mates {
                Some(block) => block.push(name),
                None => by_group.push(vec![name]),
            }
        }
        let mut by_motion: Vec<Vec<&str>> = Vec::new();
        for block in &by_group {
            let mut parts: Vec<Vec<&str>> = Vec::new();
            for &name in block {
                match parts.iter_mut().find(|part| self.kept_place(part[0], name)) {
                    Some(part) => part.push(name),
                    None => parts.push(vec![name]),
                }
            }
            by_motion.extend(parts);
        }
        for way in [by_group, by_motion, moved.iter().map(|&name| vec![name]).collect()] {
            if !ways.contains(&way) {
                ways.push(way);
            }
        }
        ways
    }

    /// Whether one element stands to another as it did.
    fn kept_place(&self, a: &str, b: &str) -> bool {
        let seen = |setup: &Setup| {
            let (a, b) = (setup.element(a)?.footprint.pose(), setup.element(b)?.footprint.pose());
            Some((a.seen_from_here(b.centre), a.heading.turn_to_radians(b.heading)))
        };
        let (Some(was), Some(is)) = (seen(self.before), seen(self.after)) else { return false };
        let width = self.before.scale.mm_per_bw();
        (was.0 - is.0).norm() <= 1.0 + 2.0 * self.room_mm
            && (was.1 - is.1).abs() * width <= 1.0 + 2.0 * self.room_mm
    }

    /// The blocks as moves in an order in which each is legal if there is one, and whether all are; none
    /// where a block fits no motion.
    fn in_order(&self, mut blocks: Vec<Vec<&str>>, bound: &Bound) -> Option<(Vec<Explained>, bool)> {
        let (mut table, mut bound) = (self.before.clone(), bound.clone());
        let (mut moves, mut legal) = (Vec::new(), true);
        while !blocks.is_empty() {
            let mut next: Option<(usize, Explained, bool)> = None;
            for (at, names) in blocks.iter().enumerate() {
                let best = self.best(&table, names, &bound)?;
                let better = next.as_ref().is_none_or(|(_, known, fits)| {
                    (!best.1, best.0.judged.pips) < (!fits, known.judged.pips)
                });
                if better {
                    next = Some((at, best.0, best.1));
                }
            }
            let (at, explained, fits) = next?;
            blocks.remove(at);
            legal &= fits;
            let how = match explained.mv.manoeuvre {
                super::Manoeuvre::ByRoad => How::Road,
                super::Manoeuvre::Dismount { .. } => How::Dismount,
                _ => How::Field,
            };
            let movers = explained.mv.names().map(str::to_owned).collect();
            bound.done.push(Done { movers, how, pips: explained.judged.pips });
            table = explained.judged.after.clone();
            moves.push(explained);
        }
        Some((moves, legal))
    }

    /// The cheapest legal move that brings these to where they were seen, else the one nearest to legal.
    fn best(&self, table: &Setup, names: &[&str], bound: &Bound) -> Option<(Explained, bool)> {
        let mut best: Option<(Explained, bool, f64)> = None;
        for mv in candidates::of(table, self.after, self.settings, self.formed, names, self.room_mm) {
            let Ok(judged) = judge_formed(table, bound, self.settings, self.formed, &mv) else { continue };
            let short = shortfall(&judged);
            let fits = short <= 5.0 * self.sigma_mm;
            let rank = |fits: bool, pips: u8, short: f64| (!fits, if fits { 0.0 } else { short }, pips);
            let better = best.as_ref().is_none_or(|(known, ok, least)| {
                rank(fits, judged.pips, short) < rank(*ok, known.judged.pips, *least)
            });
            if better {
                best = Some((Explained { mv, judged }, fits, short));
            }
        }
        best.map(|(explained, fits, _)| (explained, fits))
    }
}

/// By how much a move fails, millimetres: 0 where it is legal, without end where what fails is no length.
fn shortfall(judged: &Judged) -> f64 {
    let fails = judged.conditions.iter().filter(|c| !c.reason.holds);
    fails.map(|c| c.reason.margin.map_or(f64::INFINITY, |m: Margin| m.mm.abs())).fold(0.0, f64::max)
}
