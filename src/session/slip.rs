//! The result slip: one page for both players to sign and hand in, from a battle and its journal.
//!
//! It needs no other file and prints on one sheet. Score and result are what the rules' count comes to; what only people
//! know, their names, is left to be written where nobody gave it. Pure: times come with the records.

use super::engine::Engine;
use super::journal::{Event, Record, Timeline};
use super::play::{Act, DiceFrom, Kind, Play, Written};
use crate::rules::Side;
use crate::text::html::{escaped, head, hex};
use crate::text::{counted, time_of};
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::time::Duration;

/// What the journal does not know.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SlipAsk {
    /// What the battle is called.
    pub title: String,
    /// Who plays red and who plays blue; empty: a line to write on.
    pub players: [String; 2],
    /// What the game clock has spent, and its limit; none where it never ran.
    pub clock: Option<(Duration, Duration)>,
    /// The journal's file, where there is one.
    pub file: Option<String>,
}

/// How many dice were told by what: the program, hands, the camera, and what nobody wrote down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct DiceTold {
    program: usize,
    typed: usize,
    camera: usize,
    unknown: usize,
}

impl DiceTold {
    fn add(&mut self, from: Option<DiceFrom>, count: usize) {
        match from {
            Some(DiceFrom::Program) => self.program += count,
            Some(DiceFrom::Typed) => self.typed += count,
            Some(DiceFrom::Camera | DiceFrom::CameraCorrected) => self.camera += count,
            None => self.unknown += count,
        }
    }

    /// Of the records that count.
    fn of(records: &[Record]) -> Self {
        let line: BTreeSet<u64> = Timeline::of(records).line().into_iter().collect();
        let mut told = Self::default();
        for record in records.iter().filter(|record| line.contains(&record.n)) {
            match &record.event {
                Event::Act(Act::Fought { from, .. }) => told.add(*from, 2),
                Event::Act(Act::PipsFrom { from, .. }) => told.add(Some(*from), 1),
                Event::Act(Act::Pips(Some(_))) => told.add(Some(DiceFrom::Typed), 1),
                _ => {}
            }
        }
        told
    }

    fn words(self) -> String {
        let parts = [
            (self.program, "thrown by the program"),
            (self.typed, "typed from the table"),
            (self.camera, "read by the camera"),
            (self.unknown, "of which the journal does not say who threw them"),
        ];
        let told: Vec<String> =
            parts.iter().filter(|(n, _)| *n > 0).map(|(n, words)| format!("{n} {words}")).collect();
        if told.is_empty() { "none were told".to_owned() } else { told.join(", ") }
    }
}

/// The SHA-256 of the journal's file as it holds these records: what `sha256sum` gives of it.
pub fn journal_sha256(records: &[Record]) -> String {
    let mut hash = Sha256::new();
    for record in records {
        hash.update(record.line());
        hash.update("\n");
    }
    hex(&hash.finalize())
}

/// Minutes and seconds, hours where there are any.
fn clock_words(time: Duration) -> String {
    let s = time.as_secs();
    match s / 3600 {
        0 => format!("{}:{:02}", s / 60, s % 60),
        hours => format!("{hours}:{:02}:{:02}", s / 60 % 60, s % 60),
    }
}

/// The page. `play` is the battle that `records` have come to.
pub fn slip(engine: &Engine, play: &Play, records: &[Record], ask: &SlipAsk) -> String {
    let title = if ask.title.is_empty() { "Result" } else { &ask.title };
    let mut page = head(title);
    page.push_str(
        "<style>body{max-width:48rem;font-size:15px}table{width:100%}td.line{height:2.2em;min-width:14em}\
         th{width:30%}code{word-break:break-all;font-size:.8em}@page{margin:14mm}</style>\n",
    );
    let (from, to) = match (records.first(), records.last()) {
        (Some(first), Some(last)) => (first.at_ms, last.at_ms),
        _ => (0, 0),
    };
    let under = engine.settings().name().to_string();
    let _ = writeln!(
        page,
        "<p class=\"when\">{} to {} UTC. Settings: {}.</p>",
        time_of(from),
        time_of(to),
        escaped(&under)
    );
    result(&mut page, play);
    sides(&mut page, engine, play, ask);
    let bounds = play.written().iter().filter(|w| w.begins_bound()).count();
    let mut lines = vec![("Bounds begun", bounds.to_string())];
    if let Some((spent, limit)) = ask.clock {
        let words = format!("{} of {}", clock_words(spent), clock_words(limit));
        lines.push(("Game clock", words));
    }
    let overruled = play.written().iter().filter(|w| w.kind == Kind::Overrule).count();
    if overruled > 0 {
        lines.push(("Overruled", counted(overruled, "time")));
    }
    lines.push(("Dice", DiceTold::of(records).words()));
    page.push_str("<table>\n");
    for (what, words) in lines {
        let _ = writeln!(page, "<tr><th>{what}</th><td>{}</td></tr>", escaped(&words));
    }
    proof(&mut page, play, records, ask);
    page.push_str(
        "</table>\n<h2>Agreed</h2>\n<table><tr><th>Red</th><td class=\"line\"></td></tr>\
                   <tr><th>Blue</th><td class=\"line\"></td></tr></table>\n</body></html>\n",
    );
    page
}

/// Who has won, in one line.
fn result(page: &mut String, play: &Play) {
    let losses = play.losses();
    let words = match (losses.decided(), losses.view()) {
        (Some(decided), _) => decided.to_owned(),
        (None, Some(stand)) if stand.loser.is_some() => {
            format!("{}, if the bound in play ends so", stand.words)
        }
        (None, Some(stand)) => stand.words.clone(),
        (None, None) => "Nothing is known of losses".to_owned(),
    };
    let _ = writeln!(page, "<p><strong>{}.</strong></p>", escaped(&words));
}

/// Both sides beside each other: player, army, losses line by line, score.
fn sides(page: &mut String, engine: &Engine, play: &Play, ask: &SlipAsk) {
    page.push_str("<table><tr><td></td><th>Red</th><th>Blue</th></tr>\n");
    let mut row = |what: &str, cells: [String; 2]| {
        let [red, blue] = cells;
        let _ = writeln!(page, "<tr><th>{what}</th><td>{red}</td><td>{blue}</td></tr>");
    };
    row("Player", ask.players.each_ref().map(|name| escaped(name)));
    row("Army", [Side::Red, Side::Blue].map(|side| escaped(&army(engine, side))));
    let Some(stand) = play.losses().view() else {
        page.push_str("</table>\n");
        return;
    };
    let lines = stand.tallies.each_ref().map(|tally| {
        let lines = tally.lines.iter().map(|line| format!("{}: {:+}", escaped(&line.what), line.counts));
        let lines: Vec<String> = lines.collect();
        if lines.is_empty() { "nothing".to_owned() } else { lines.join("<br>") }
    });
    row("Lost", lines);
    let generals = engine.generals_lost(play.losses().lost());
    row(
        "General",
        [Side::Red, Side::Blue]
            .map(|side| if generals.contains(&side) { "lost".to_owned() } else { "not lost".to_owned() }),
    );
    row("Losses count", stand.tallies.each_ref().map(|tally| format!("<strong>{}</strong>", tally.total)));
    page.push_str("</table>\n");
}

/// A side's troops, as many of each: "1 3Kn general, 2 4Bd".
fn army(engine: &Engine, side: Side) -> String {
    let view = engine.table_view(&[]);
    let mut kinds: Vec<(String, usize)> = Vec::new();
    for element in view.elements.iter().filter(|element| element.side == side) {
        let kind = if element.general { format!("{} general", element.troop) } else { element.troop.clone() };
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, count)) => *count += 1,
            None => kinds.push((kind, 1)),
        }
    }
    kinds.into_iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}

/// What anybody can check afterwards: the throws' commitment and seeds, and the journal's hash.
fn proof(page: &mut String, play: &Play, records: &[Record], ask: &SlipAsk) {
    let mut row = |what: &str, cell: String| {
        let _ = writeln!(page, "<tr><th>{what}</th><td>{cell}</td></tr>");
    };
    if let Some(Event::Opened(opened)) = records.first().map(|record| &record.event) {
        let named = opened.rosters.iter().map(|kept| kept.name.as_str());
        let files: Vec<&str> = std::iter::once(opened.table.name.as_str()).chain(named).collect();
        row("Files", escaped(&files.join(", ")));
        row("Groma", escaped(&opened.groma));
        if let Some(commitment) = &opened.commitment {
            row("Commitment of the throws", format!("<code>{}</code>", escaped(commitment)));
        }
    }
    for seeds in play.written().iter().filter(|w| tells_seed(w)) {
        row("Seed", format!("<code>{}</code>", escaped(&seeds.words)));
    }
    let file = ask.file.as_deref().unwrap_or("in memory alone");
    row("Journal", format!("{}, {}", escaped(file), counted(records.len(), "record")));
    row("SHA-256 of the journal", format!("<code>{}</code>", journal_sha256(records)));
}

/// Whether a session of throws ended with it, and its seed was shown.
fn tells_seed(written: &Written) -> bool {
    written.kind == Kind::Note && written.words.starts_with("dice: a session of")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_is_told_as_it_is_read() {
        let of = |s| clock_words(Duration::from_secs(s));
        assert_eq!(
            [of(0), of(61), of(3599), of(3600), of(36_061)],
            ["0:00", "1:01", "59:59", "1:00:00", "10:01:01"]
        );
    }
}
