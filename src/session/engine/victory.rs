//! Losses and victory as they are shown: the whole roster, with those that the players say are lost.

use super::Engine;
use crate::geometry::{Footprint, Pose};
use crate::rules::victory::{LOSING, Moment, Places, Tally, stand};
use crate::rules::{Element, Location, Setup, Side};
use crate::session::view::{LossView, ReasonView, StandView, TallyView};

impl Engine {
    /// How the battle stands with these elements lost, if the bound ends now. Those that the roster has off the board
    /// from the beginning count as lost too, as it says.
    pub fn stand(&self, lost: &[String], places: (Places, Places)) -> StandView {
        let elements = self.roster().elements().iter().filter_map(|e| {
            let location = if lost.contains(&e.name) { Location::Off } else { e.location };
            Some(Element {
                name: e.name.clone(),
                side: e.side,
                troop: e.troop.clone(),
                // Where it stands has no part in what it counts.
                footprint: Footprint::new(Pose::new(0.0, 0.0, 0.0), e.base.width_mm, e.base.depth_mm)?,
                general: e.general,
                tower: e.tower,
                overhang: e.overhang,
                location,
            })
        });
        let setup = Setup::bare(self.table().scale, self.table().board_mm, elements.collect());
        let found = stand(&setup, self.settings(), places, Moment::EndOfBound);
        let (red, blue) = (found.red.total(), found.blue.total());
        let words = match found.loser {
            Some(Side::Red) => format!("Blue has won: red has lost {red}, blue {blue}"),
            Some(Side::Blue) => format!("Red has won: blue has lost {blue}, red {red}"),
            None => format!("Nobody has won: red has lost {red}, blue {blue}, of {LOSING}"),
        };
        // The rule of the sums; what makes each sum is told line by line.
        let reasons = found.reasons.iter().filter(|r| r.clause == "dba3.vic.1");
        StandView {
            tallies: [tally(&found.red), tally(&found.blue)],
            loser: found.loser,
            words,
            reasons: reasons.map(|r| ReasonView { clause: r.clause.clone(), text: r.text.clone() }).collect(),
        }
    }

    /// Sides whose general is among the lost.
    pub fn generals_lost(&self, lost: &[String]) -> Vec<Side> {
        let lost = self.roster().elements().iter().filter(|e| e.general && lost.contains(&e.name));
        let mut sides: Vec<Side> = lost.map(|e| e.side).collect();
        sides.dedup();
        sides
    }
}

fn tally(tally: &Tally) -> TallyView {
    let lines = tally.lines.iter().map(|line| LossView {
        what: line.what.clone(),
        counts: line.counts,
        reasons: line
            .reasons
            .iter()
            .map(|r| ReasonView { clause: r.clause.to_owned(), text: r.text.clone() })
            .collect(),
    });
    TallyView { side: tally.side, total: tally.total(), lines: lines.collect() }
}
