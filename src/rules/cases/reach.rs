//! Can these reach that edge of an enemy this bound, and where else may they go?

use super::Case;
use super::answer::{Answer, Posed};
use super::asked::{Asked, EdgeName};
use super::moves::{bound_of, split};
use crate::geometry::{Edge, Point, separation};
use crate::rules::conform::Way;
use crate::rules::region::{LegalRegion, Reached, Target, reach_of};
use crate::rules::{Element, Reason, Settings, movement, notation};

/// Lined up with an enemy by that edge.
fn way_of(edge: EdgeName) -> Way {
    match Edge::from(edge) {
        Edge::Front => Way::Front,
        Edge::Rear => Way::Rear,
        side => Way::Flank(side),
    }
}

/// Whether a legal move lines one of them up with that edge, and which.
pub(super) fn reach(posed: &Posed<'_>, names: &str, enemy: &str, edge: EdgeName) -> Result<Answer, String> {
    let foe = super::places::element(posed, enemy)?;
    let movers = split(names);
    if movers.contains(&enemy) {
        return Err(format!("`Reach` asks whether some can reach another, and {enemy} is one of {names}"));
    }
    if posed.setup.element(movers[0]).is_some_and(|mover| mover.side == foe.side) {
        let text =
            format!("{enemy} is on the side of {names}: troops are moved into contact with enemies alone");
        let said = format!("{enemy} is a friend");
        return Ok(Answer::plain(false, said, vec![Reason::fails("dba3.con.1", text)]));
    }
    let bound = bound_of(posed, movers.first().copied());
    let (way, word) = (way_of(edge), edge.word());
    let found =
        reach_of(posed.setup, &bound, posed.settings, &movers, enemy, way).map_err(|e| e.to_string())?;
    let Some(target) = found else {
        return Ok(Answer::plain(false, format!("{enemy} is out of reach"), too_far(posed, &movers, foe)));
    };
    if let Some(Reached { made, pips }) = &target.way {
        let judged = movement::judge(posed.setup, &bound, posed.settings, made).map_err(|e| e.to_string())?;
        let explained = notation::write_move(made, posed.setup);
        let conditions = judged.conditions.len();
        let reasons = judged.reasons().cloned().collect();
        return Ok(Answer {
            conditions,
            pips: Some(*pips),
            after: Some(judged.after),
            explained: vec![explained.clone()],
            ..Answer::plain(judged.legal, format!("reached by {explained}"), reasons)
        });
    }
    let Some(refused) = target.refused else {
        let said = format!("{word} of {enemy} is out of reach");
        return Ok(Answer::plain(false, said, too_far(posed, &movers, foe)));
    };
    let wrong = refused.conditions.iter().filter(|c| !c.reason.holds);
    let said = wrong.map(|c| format!("{}: {}", c.reason.clause, c.reason.text));
    let said = said.collect::<Vec<_>>().join("; ");
    // What would mend the move that was refused need not reach the enemy, and is not told.
    let remedies: Vec<String> = target.needs.iter().map(|need| need.in_words()).collect();
    let conditions = refused.conditions.len();
    let reasons = refused.reasons().cloned().collect();
    Ok(Answer { conditions, remedies, ..Answer::plain(false, said, reasons) })
}

/// How far off it is, and how far these go.
fn too_far(posed: &Posed<'_>, movers: &[&str], foe: &Element) -> Vec<Reason> {
    let rules = posed.settings.ruleset();
    let bw = posed.setup.scale.mm_per_bw();
    let mut reasons = Vec::new();
    for mover in movers.iter().filter_map(|name| posed.setup.element(name)) {
        let Some(troop) = rules.troop(&mover.troop) else { continue };
        let pace = rules.pace(troop);
        let apart = separation(&mover.footprint, &foe.footprint).mm;
        let text = format!(
            "{} is {:.2} BW from {}, which goes {} BW at most in a move",
            foe.name,
            apart / bw,
            mover.name,
            pace.good_bw
        );
        reasons
            .extend(["dba3.dist.1", pace.clause.as_str()].map(|clause| Reason::fails(clause, text.clone())));
    }
    reasons
}

/// Where the movers of a `Reach` may go.
#[derive(Debug, Clone, PartialEq)]
pub struct Whereabouts {
    /// Whose centre the outline is of.
    pub of: String,
    /// The shadow of the legal region over headings: rings of centres, millimetres; outer ones
    /// anticlockwise, holes clockwise.
    pub outline: Vec<Vec<Point>>,
    /// Each way of lining up with each enemy that is near.
    pub targets: Vec<Target>,
}

impl Whereabouts {
    /// What can be reached, a line for each: "E, front edge to front edge, 1 PIP".
    pub fn reached(&self) -> impl Iterator<Item = String> + '_ {
        self.targets.iter().filter_map(|target| {
            let pips = target.way.as_ref()?.pips;
            let unit = if pips == 1 { "PIP" } else { "PIPs" };
            let edge = match target.line_up {
                Way::Flank(edge) | Way::Overlap(edge) => format!(" at its {}", edge.name()),
                Way::Front | Way::Rear => String::new(),
            };
            Some(format!("{}, {}{edge}, {pips} {unit}", target.enemy, target.line_up.name()))
        })
    }
}

impl Case {
    /// Of a `Reach`, where else its movers may go, and whom they can reach; none of other questions.
    ///
    /// # Errors
    /// A setup or bound that the engine refuses, movers that are not there.
    pub fn whereabouts(&self, settings: &Settings) -> Result<Option<Whereabouts>, String> {
        let Asked::Reach(names, ..) = &self.ask else { return Ok(None) };
        self.posed(&self.staged(settings)?, settings, |posed| {
            let movers = split(names);
            let bound = bound_of(posed, movers.first().copied());
            let region =
                LegalRegion::of(posed.setup, &bound, posed.settings, &movers).map_err(|e| e.to_string())?;
            let LegalRegion { outline, targets, .. } = region;
            Ok(Some(Whereabouts { of: movers[0].to_owned(), outline, targets }))
        })
    }
}
