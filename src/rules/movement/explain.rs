//! What move was it? From where everything stood and where it stands now, the moves that explain it.
//!
//! What moved is parted into blocks, each group of before by itself ([`super::parting`]). Blocks are put in
//! an order in which each is legal on the table that the ones before it leave; one that goes too far for a
//! move is tried as two or three. The cheapest legal explanation comes first. Elements that conform or turn
//! to face since the movers came into contact follow from the moves. What else stirred less than the eye
//! sees, and elements of the side whose bound it is not, are nudges: put back or accepted, without PIP or
//! fault. A measured margin that fails by less than its doubt is taken in the move's favour.
//!
//! Table frame, millimetres. Invariant: an explanation ends where everything was seen, within the room
//! that the measurement's sigma asks for.

use super::settled::settled;
use super::{Judged, Leg, Manoeuvre, TacticalMove, candidates, further, judge_formed, parting};
use crate::geometry::{Corner, Margin, Pose};
use crate::rules::bound::{Bound, Done};
use crate::rules::closing::{Chosen, Earlier, close};
use crate::rules::group::{Formed, groups};
use crate::rules::region::way_of;
use crate::rules::{Location, Settings, Setup};

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

impl Explained {
    /// Whether it is a turn on the spot and nothing else.
    pub fn turns_on_the_spot(&self) -> bool {
        let turns = |leg: &Leg| matches!(leg, Leg::Turn { .. });
        matches!(self.mv.manoeuvre, Manoeuvre::Single)
            && self.mv.movers.iter().all(|m| !m.legs.is_empty() && m.legs.iter().all(turns))
    }
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

/// An element that moved because of a move: it conforms or turns to face (clauses dba3.cf.8, dba3.turn.1).
#[derive(Debug, Clone, PartialEq)]
pub struct Follows {
    /// Who.
    pub name: String,
    /// Where it comes to stand.
    pub stands: Pose,
}

/// One explanation of all that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The moves in an order in which they can have been made.
    pub moves: Vec<Explained>,
    /// Who conformed or turned to face because of them.
    pub follows: Vec<Follows>,
    /// What was nudged.
    pub nudges: Vec<Nudge>,
    /// Whether every move is legal, what the measurement leaves open taken in its favour.
    pub legal: bool,
    /// What it costs in all, PIPs.
    pub pips: u32,
    /// The table after it; what was nudged stands where it was nudged to.
    pub after: Setup,
}

/// What was seen of a stretch of play.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// Where everything stood.
    pub before: &'a Setup,
    /// Where it was seen on the way, in order; empty where only the ends were seen.
    pub path: &'a [Setup],
    /// Where it stands.
    pub after: &'a Setup,
    /// How well places are known, one sigma along an axis, millimetres; 0 for exact ones. Headings are
    /// known as well over a base width.
    pub sigma_mm: f64,
}

impl<'a> Seen<'a> {
    /// The ends alone.
    pub fn ends(before: &'a Setup, after: &'a Setup, sigma_mm: f64) -> Self {
        Self { before, path: &[], after, sigma_mm }
    }
}

/// The explanations of what changed, the cheapest legal one first. Empty where nothing moved or no motion
/// fits.
///
/// Bases of a group that are put down one by one stand a little askew. Where the measured places ask for several moves, or
/// for none that is legal, groups are allowed as much room more as bases may gape that touch, and what that explains
/// legally for fewer PIPs comes before the rest.
pub fn explain(seen: Seen<'_>, bound: &Bound, settings: &Settings, formed: &Formed) -> Vec<Explanation> {
    let Seen { before, sigma_mm, .. } = seen;
    // Exactly known places need no laying out, and stay where they are.
    let known = if sigma_mm > 0.0 { settled(before, settings, formed, sigma_mm) } else { before.clone() };
    let seen = Seen { before: &known, ..seen };
    let room_mm = 0.05 + 5.0 * sigma_mm;
    let narrow = Looking { seen, measured: before, settings, formed, room_mm, group_room_mm: room_mm };
    let mut found = explained(&narrow, bound);
    if sigma_mm > 0.0 && found.first().is_some_and(|best| !best.legal || best.moves.len() > 1) {
        let best = found.first().filter(|best| best.legal).map_or(u32::MAX, |best| best.pips);
        let group_room_mm = room_mm + settings.tolerances.contact_gap_mm;
        let wide = explained(&Looking { group_room_mm, ..narrow }, bound);
        found.extend(wide.into_iter().filter(|e| e.legal && e.pips < best));
        found.sort_by_key(|e| (!e.legal, e.pips, e.moves.len()));
    }
    found
}

fn explained(looking: &Looking<'_>, bound: &Bound) -> Vec<Explanation> {
    let (moved, nudges) = looking.changes(bound);
    let mut found: Vec<Explanation> = Vec::new();
    if moved.is_empty() {
        if !nudges.is_empty() {
            found.push(looking.whole(Vec::new(), true, &nudges));
        }
        return found;
    }
    for blocks in looking.partitions(&moved, &nudges, bound) {
        let nudges: Vec<Nudge> =
            nudges.iter().filter(|n| !blocks.iter().any(|b| b.contains(&n.name.as_str()))).cloned().collect();
        if let Some((moves, legal)) = looking.in_order(blocks, bound) {
            found.push(looking.whole(moves, legal, &nudges));
        }
    }
    found.sort_by_key(|e| (!e.legal, e.pips, e.moves.len()));
    found
}

struct Looking<'a> {
    /// With groups laid out exactly where they stood before.
    seen: Seen<'a>,
    /// Where everything was measured before.
    measured: &'a Setup,
    settings: &'a Settings,
    formed: &'a Formed,
    /// How far from where it was seen a single element may end, millimetres.
    room_mm: f64,
    /// The same of each element of several that move together.
    group_room_mm: f64,
}

/// What a block comes to: its moves, one mostly, and whether all are legal.
type Block = (Vec<Explained>, bool);

impl<'a> Looking<'a> {
    /// Who moved, and who was merely nudged.
    fn changes(&self, bound: &Bound) -> (Vec<&'a str>, Vec<Nudge>) {
        let (mut moved, mut nudges) = (Vec::new(), Vec::new());
        // Both places are in doubt, and many corners are looked at.
        let still = 8.0 * self.seen.sigma_mm + 1e-6;
        for element in self.measured.elements.iter().filter(|e| e.location == Location::Board) {
            let Some(now) = self.seen.after.element(&element.name) else { continue };
            if now.location != Location::Board {
                continue;
            }
            let (was, is) = (element.footprint, element.footprint.moved_to(now.footprint.pose()));
            let shifted = |c| (is.corner(c) - was.corner(c)).norm();
            let mm = Corner::ALL.into_iter().map(shifted).fold(0.0, f64::max);
            let replaced = now.troop != element.troop;
            if mm <= still && !replaced {
                continue;
            }
            if (mm <= NUDGE_MM.max(still) && !replaced) || element.side != bound.side {
                nudges.push(Nudge { name: element.name.clone(), stood: was.pose(), stands: is.pose(), mm });
            } else {
                moved.push(element.name.as_str());
            }
        }
        (moved, nudges)
    }

    /// Ways to part what moved into blocks: the best of each group's by itself, and each sort of parting
    /// throughout. Who was nudged in a group that moved may have gone with it.
    fn partitions(&self, moved: &[&'a str], nudges: &[Nudge], bound: &Bound) -> Vec<Vec<Vec<&'a str>>> {
        let (before, after) = (self.seen.before, self.seen.after);
        let standing = groups(before, self.settings, self.formed);
        let parts = parting::by_group(moved, &standing);
        let mut chosen: Vec<Vec<&str>> = Vec::new();
        let mut throughout: Vec<Vec<Vec<&str>>> = Vec::new();
        for part in &parts {
            let mut ways =
                parting::ways(part, (before, after), self.settings, self.formed, self.group_room_mm);
            let group = standing.iter().find(|g| g.iter().any(|m| m == part[0]));
            let still =
                before.elements.iter().map(|e| e.name.as_str()).filter(|name| {
                    !part.contains(name) && group.is_some_and(|g| g.iter().any(|m| m == name))
                });
            // A wheel's pivot goes hardly anywhere.
            let mut with: Vec<&str> = part.clone();
            with.extend(still.filter(|name| self.stirred(name, nudges)));
            if with.len() > part.len() {
                ways.push(vec![with]);
            }
            for (n, way) in ways.iter().enumerate() {
                if throughout.len() <= n {
                    throughout.push(chosen_before(&parts, part));
                }
                throughout[n].extend(way.iter().cloned());
            }
            for more in throughout.iter_mut().skip(ways.len()) {
                more.extend(ways[ways.len() - 1].iter().cloned());
            }
            chosen.extend(self.cheapest(&ways, moved, bound));
        }
        let mut all = vec![chosen];
        for way in throughout {
            if !all.contains(&way) {
                all.push(way);
            }
        }
        all
    }

    /// Whether it may have stirred with its group: less than the eye sees, yet nudged or within the doubt.
    fn stirred(&self, name: &str, nudges: &[Nudge]) -> bool {
        nudges.iter().any(|n| n.name == name)
            || self.seen.before.element(name).zip(self.seen.after.element(name)).is_some_and(|(was, is)| {
                let turned = was.footprint.pose().heading.turn_to_radians(is.footprint.pose().heading).abs();
                turned * was.footprint.width_mm() > 2.0 * self.seen.sigma_mm + 1e-6
            })
    }

    /// The way of parting that is legal and cheapest by itself, on the table as it was or with all others
    /// gone where they went.
    fn cheapest(&self, ways: &[Vec<Vec<&'a str>>], moved: &[&str], bound: &Bound) -> Vec<Vec<&'a str>> {
        if let [only] = ways {
            return only.clone();
        }
        let rank = |way: &Vec<Vec<&'a str>>| -> (bool, u32, usize) {
            let (mut legal, mut pips) = (true, 0);
            for block in way {
                let gone = || self.gone(moved, block);
                let found = self.block(self.seen.before, block, bound);
                let found = match found {
                    Some((_, true)) => found,
                    other => self.block(&gone(), block, bound).filter(|f| f.1).or(other),
                };
                let Some((moves, fits)) = found else { return (true, u32::MAX, usize::MAX) };
                legal &= fits;
                pips += moves.iter().map(|m| u32::from(m.judged.pips)).sum::<u32>();
            }
            (!legal, pips, way.len())
        };
        ways.iter().min_by_key(|way| rank(way)).cloned().unwrap_or_default()
    }

    /// The table of before with all that moved, but for these, gone where they went.
    fn gone(&self, moved: &[&str], but: &[&str]) -> Setup {
        let mut table = self.seen.before.clone();
        for element in &mut table.elements {
            let name = element.name.as_str();
            if moved.contains(&name)
                && !but.contains(&name)
                && let Some(now) = self.seen.after.element(name)
            {
                element.footprint = element.footprint.moved_to(now.footprint.pose());
            }
        }
        table
    }

    /// The blocks as moves in an order in which each is legal if there is one, and whether all are; none
    /// where a block fits no motion.
    fn in_order(&self, mut blocks: Vec<Vec<&str>>, bound: &Bound) -> Option<Block> {
        let (mut table, mut bound) = (self.seen.before.clone(), bound.clone());
        let (mut moves, mut legal) = (Vec::new(), true);
        while !blocks.is_empty() {
            let mut next: Option<(usize, Block)> = None;
            for (at, names) in blocks.iter().enumerate() {
                let found = self.block(&table, names, &bound)?;
                let better = next.as_ref().is_none_or(|(_, known)| rank(&found) < rank(known));
                if better {
                    next = Some((at, found));
                }
                if next.as_ref().is_some_and(|(_, known)| known.1 && blocks.len() == 1) {
                    break;
                }
            }
            let (at, (made, fits)) = next?;
            blocks.remove(at);
            legal &= fits;
            for explained in made {
                bound.done.push(done(&explained));
                table = explained.judged.after.clone();
                moves.push(explained);
            }
        }
        Some((moves, legal))
    }

    /// What a block comes to: the cheapest legal move, else two or three moves that are legal, else the
    /// move that is nearest to legal.
    fn block(&self, table: &Setup, names: &[&str], bound: &Bound) -> Option<Block> {
        let mut best: Option<(Explained, bool, f64)> = None;
        let mut long: Vec<(TacticalMove, f64)> = Vec::new();
        let room_mm = if names.len() > 1 { self.group_room_mm } else { self.room_mm };
        for mv in candidates::of(table, self.seen, self.settings, self.formed, names, room_mm) {
            let Some((judged, short)) = self.judged(table, bound, &mv) else { continue };
            let fits = self.fits(short);
            if !fits && too_far(&judged) {
                long.push((mv.clone(), short));
            }
            let rank = |fits: bool, pips: u8, short: f64| (!fits, if fits { 0.0 } else { short }, pips);
            let better = best.as_ref().is_none_or(|(known, ok, least)| {
                rank(fits, judged.pips, short) < rank(*ok, known.judged.pips, *least)
            });
            if better {
                best = Some((Explained { mv, judged }, fits, short));
            }
        }
        let (best, fits, _) = best?;
        if !fits {
            if let Some(found) = self.way_round(table, bound, names) {
                return Some((vec![found], true));
            }
            let several = long.iter().filter_map(|(mv, short)| self.several(table, bound, mv, *short));
            if let Some(moves) = several.min_by_key(|moves| moves.iter().map(|m| m.judged.pips).sum::<u8>()) {
                return Some((moves, true));
            }
        }
        Some((vec![best], fits))
    }

    /// One element by a way that is legal, of those by which it may go where it was seen; none where it was seen on its
    /// way.
    fn way_round(&self, table: &Setup, bound: &Bound, names: &[&str]) -> Option<Explained> {
        let ([name], []) = (names, self.seen.path) else { return None };
        let (from, to) = (table.element(name)?, self.seen.after.element(name)?);
        if from.troop != to.troop {
            return None;
        }
        let found = way_of(table, bound, self.settings, name, to.footprint.pose()).ok()??;
        let (judged, short) = self.judged(table, bound, &found.made)?;
        self.fits(short).then_some(Explained { mv: found.made, judged })
    }

    /// The ruling, and by how much it fails, millimetres.
    fn judged(&self, table: &Setup, bound: &Bound, mv: &TacticalMove) -> Option<(Judged, f64)> {
        let judged = judge_formed(table, bound, self.settings, self.formed, mv).ok()?;
        let short = shortfall(&judged);
        Some((judged, short))
    }

    fn fits(&self, short_mm: f64) -> bool {
        short_mm <= 5.0 * self.seen.sigma_mm
    }

    /// A path that is too long as two or three moves, each of them legal.
    fn several(
        &self,
        table: &Setup,
        bound: &Bound,
        mv: &TacticalMove,
        short_mm: f64,
    ) -> Option<Vec<Explained>> {
        if matches!(mv.manoeuvre, Manoeuvre::IntoColumn | Manoeuvre::Dismount { .. }) {
            return None;
        }
        let arm = table.scale.mm_per_bw();
        let goes = further::goes_mm(mv, arm);
        let full = goes - short_mm;
        let cuts: [&[f64]; 4] =
            [&[full], &[goes / 2.0], &[full, 2.0 * full], &[goes / 3.0, 2.0 * goes / 3.0]];
        cuts.into_iter().filter(|cuts| cuts.iter().all(|at| *at > 0.0 && *at < goes)).find_map(|cuts| {
            let (mut here, mut bound, mut from) = (table.clone(), bound.clone(), 0.0);
            let mut moves = Vec::new();
            for &to in cuts.iter().chain(std::iter::once(&goes)) {
                let mv = further::part(mv, &here, (from, to), arm).ok()?;
                let (judged, short) = self.judged(&here, &bound, &mv)?;
                if !self.fits(short) {
                    return None;
                }
                here = judged.after.clone();
                let explained = Explained { mv, judged };
                bound.done.push(done(&explained));
                moves.push(explained);
                from = to;
            }
            Some(moves)
        })
    }

    /// An explanation of these moves, with what follows from them.
    fn whole(&self, moves: Vec<Explained>, legal: bool, nudges: &[Nudge]) -> Explanation {
        let pips = moves.iter().map(|m| u32::from(m.judged.pips)).sum();
        let mut after = moves.last().map_or_else(|| self.seen.before.clone(), |m| m.judged.after.clone());
        // Who did not move is where it is measured.
        for element in &mut after.elements {
            let moved = moves.iter().any(|m| m.mv.names().any(|n| n == element.name));
            if let (false, Some(now)) = (moved, self.seen.after.element(&element.name)) {
                element.footprint = element.footprint.moved_to(now.footprint.pose());
            }
        }
        let made: Vec<TacticalMove> = moves.iter().map(|m| m.mv.clone()).collect();
        let closed = close(self.seen.before, self.settings, &made, &Earlier::default(), &Chosen::default())
            .map(|c| c.after)
            .ok();
        let (mut follows, mut left) = (Vec::new(), Vec::new());
        for nudge in nudges {
            let meant = closed.as_ref().and_then(|c| c.element(&nudge.name)).map(|e| e.footprint);
            let there = meant.filter(|base| {
                let seen = base.moved_to(nudge.stands);
                let off = |c| (seen.corner(c) - base.corner(c)).norm();
                base.pose() != nudge.stood
                    && Corner::ALL.into_iter().map(off).fold(0.0, f64::max)
                        <= self.room_mm + self.settings.tolerances.corner_offset_mm
            });
            let stands = there.map_or(nudge.stands, |base| base.pose());
            if let Some(element) = after.elements.iter_mut().find(|e| e.name == nudge.name) {
                element.footprint = element.footprint.moved_to(stands);
            }
            match there {
                Some(_) => follows.push(Follows { name: nudge.name.clone(), stands }),
                None => left.push(nudge.clone()),
            }
        }
        Explanation { moves, follows, nudges: left, legal, pips, after }
    }
}

/// Nobody yet: the blocks of the parts before `part`, each whole.
fn chosen_before<'n>(parts: &[Vec<&'n str>], part: &[&'n str]) -> Vec<Vec<&'n str>> {
    parts.iter().take_while(|p| p.as_slice() != part).cloned().collect()
}

/// What a move leaves in the bound's record.
fn done(explained: &Explained) -> Done {
    let movers = explained.mv.names().map(str::to_owned).collect();
    Done { movers, how: explained.mv.how(), pips: explained.judged.pips }
}

fn rank(block: &Block) -> (bool, u32) {
    (!block.1, block.0.iter().map(|m| u32::from(m.judged.pips)).sum())
}

/// Whether a move fails by how far it goes, and by nothing that has no figure.
fn too_far(judged: &Judged) -> bool {
    let mut fails = judged.conditions.iter().filter(|c| !c.reason.holds);
    fails.any(|c| c.reason.clause.starts_with("dba3.dist."))
}

/// By how much a move fails, millimetres: 0 where it is legal, without end where what fails is no length.
/// Who fails to answer a zone may as well stand outside it.
fn shortfall(judged: &Judged) -> f64 {
    let zones = judged.notes.iter().filter(|n| n.clause == "dba3.tz.3").filter_map(|n| n.margin);
    let deepest = zones.map(|m| m.mm.max(0.0)).fold(0.0, f64::max);
    let by = |c: &super::Condition| match (c.reason.clause.as_str(), c.reason.margin) {
        ("dba3.tz.4" | "dba3.tz.9", Some(margin)) => margin.mm.abs().min(deepest),
        (_, margin) => margin.map_or(f64::INFINITY, |m: Margin| m.mm.abs()),
    };
    judged.conditions.iter().filter(|c| !c.reason.holds).map(by).fold(0.0, f64::max)
}
