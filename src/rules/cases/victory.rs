//! Questions about losses and the end of a battle.

use super::answer::{Answer, Posed};
use crate::rules::Side;
use crate::rules::victory::{Moment, stand, tally};

/// Does that side count so many lost elements?
pub(super) fn lost(posed: &Posed<'_>, side: Side, count: i32) -> Answer {
    let (red, blue) = posed.case.places;
    let places = if side == Side::Red { red } else { blue };
    let found = tally(posed.setup, posed.settings, side, places);
    let sum: Vec<String> = found.lines.iter().map(|l| format!("{} {}", l.what, l.counts)).collect();
    let said = format!("{} in all: {}", found.total(), sum.join(", "));
    Answer::plain(found.total() == count, said, found.reasons().collect())
}

/// Has that side lost the battle?
pub(super) fn loses(posed: &Posed<'_>, side: Side, moment: Moment) -> Answer {
    let found = stand(posed.setup, posed.settings, posed.case.places, moment);
    let said = match found.loser {
        Some(loser) => format!("{} has lost, {} to {}", loser.word(), found.red.total(), found.blue.total()),
        None => format!("it goes on, {} to {}", found.red.total(), found.blue.total()),
    };
    Answer::plain(found.loser == Some(side), said, found.reasons)
}
