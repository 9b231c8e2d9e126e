//! Questions about losses and the end of a battle.

use super::answer::{Answer, Posed};
use crate::rules::Side;
use crate::rules::stronghold::play;
use crate::rules::victory::{Moment, Places, stand, tally};

/// Does that side count so many lost elements?
pub(super) fn lost(posed: &Posed<'_>, side: Side, count: i32) -> Answer {
    let (red, blue) = places(posed);
    let places = if side == Side::Red { red } else { blue };
    let found = tally(posed.setup, posed.settings, side, places);
    let sum: Vec<String> = found.lines.iter().map(|l| format!("{} {}", l.what, l.counts)).collect();
    let said = format!("{} in all: {}", found.total(), sum.join(", "));
    Answer::plain(found.total() == count, said, found.reasons().collect())
}

/// Has that side lost the battle?
pub(super) fn loses(posed: &Posed<'_>, side: Side, moment: Moment) -> Answer {
    let found = stand(posed.setup, posed.settings, places(posed), moment);
    let said = match found.loser {
        Some(loser) => format!("{} has lost, {} to {}", loser.word(), found.red.total(), found.blue.total()),
        None => format!("it goes on, {} to {}", found.red.total(), found.blue.total()),
    };
    Answer::plain(found.loser == Some(side), said, found.reasons)
}

/// What became of camps and Cities: as the case says, else as the table shows.
fn places(posed: &Posed<'_>) -> (Places, Places) {
    let (red, blue) = posed.case.places;
    let shown = |given: Places, side| {
        if given == Places::default() { play::places(posed.setup, posed.settings, side) } else { given }
    };
    (shown(red, Side::Red), shown(blue, Side::Blue))
}
