//! Where an element or a group may go, as it is shown. Table frame, millimetres; battle lines are joined first, so that
//! neighbours that touch do not bar each other by a tenth.

use super::Engine;
use super::moves::way;
use crate::geometry::Edge;
use crate::judge::Measured;
use crate::rules::bound::Bound;
use crate::rules::conform::Way;
use crate::rules::group::{Formed, groups};
use crate::rules::region::{LegalRegion, Reached, Target};
use crate::rules::{Setup, Side};
use crate::session::view::{PathView, ReachView, TargetView};

impl Engine {
    /// Where these may go in this bound, and whom they can reach. It may take long.
    ///
    /// # Errors
    /// In words: they make no move.
    pub fn reach(&self, measured: &Measured, bound: &Bound, names: &[String]) -> Result<ReachView, String> {
        let setup = &measured.touching().setup;
        let of: Vec<&str> = names.iter().map(String::as_str).collect();
        let region = LegalRegion::of(setup, bound, self.settings(), &of)
            .map_err(|error| format!("Where it may go cannot be worked out: {error}."))?;
        let mut targets: Vec<TargetView> = region.targets.iter().map(|t| target(t, setup)).collect();
        targets.sort_by_key(|t| t.pips.is_none());
        let side = names.first().and_then(|name| setup.element(name)).map_or(Side::Red, |e| e.side);
        let under = self.settings().name().to_string();
        Ok(ReachView { names: names.to_vec(), side, outline: region.outline.clone(), targets, under })
    }

    /// The group that an element stands in, itself first; itself alone where it stands in none.
    pub fn group_of(&self, measured: &Measured, name: &str) -> Vec<String> {
        let all = groups(&measured.touching().setup, self.settings(), &Formed::default());
        let group = all.into_iter().find(|g| g.iter().any(|n| n == name)).unwrap_or_default();
        let others = group.into_iter().filter(|n| n != name);
        std::iter::once(name.to_owned()).chain(others).collect()
    }
}

fn target(target: &Target, setup: &Setup) -> TargetView {
    let edge = match target.line_up {
        Way::Front => "its front",
        Way::Rear => "its rear",
        Way::Flank(Edge::Left) => "its left flank",
        Way::Flank(_) => "its right flank",
        Way::Overlap(Edge::Left) => "in overlap on its left",
        Way::Overlap(_) => "in overlap on its right",
    };
    let (mut paths, mut ends) = (Vec::new(), Vec::new());
    if let Some(Reached { made, .. }) = &target.way {
        for mover in &made.movers {
            let Some(element) = setup.element(&mover.name) else { continue };
            let pose = element.footprint.pose();
            let stood = element.footprint;
            paths.push(PathView { side: element.side, stood, way: way(pose, &mover.legs) });
            ends.push(stood.moved_to(mover.end(pose)));
        }
    }
    TargetView {
        enemy: target.enemy.clone(),
        edge,
        clause: target.line_up.clause().to_owned(),
        pips: target.way.as_ref().map(|w| w.pips),
        mm: paths.iter().map(length).fold(0.0, f64::max),
        paths,
        ends,
    }
}

/// How far a centre goes, millimetres.
fn length(path: &PathView) -> f64 {
    path.way.windows(2).map(|leg| (leg[1] - leg[0]).norm()).sum()
}
