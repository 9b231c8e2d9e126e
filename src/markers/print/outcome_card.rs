//! The outcome matrix as a table on a page: troop types that share every outcome share a row or a column.

use crate::markers::letters::{width, wrapped};
use crate::markers::sheet::{Colour, Sheet, Stroke};
use crate::rules::combat::{Cell, Combat};
use crate::rules::ruleset::{Band, Fate, Going, Troop};
use std::collections::HashMap;

const RESULTS: [Band; 3] = [Band::Equal, Band::Lesser, Band::Half];
/// The letters' size at most, and the share of a line that they fill.
const MOST_MM: f64 = 3.0;
const FILLED: f64 = 0.78;
/// Size of the troops' names, and from one line of them to the next.
const NAMES_MM: f64 = 2.0;
const NAME_LINE_MM: f64 = 2.5;
/// Between two rows.
const ROW_GAP_MM: f64 = 0.6;

/// A matrix, its alike rows and columns joined.
pub(super) struct Outcomes<'r> {
    rows: Vec<Vec<&'r Troop>>,
    columns: Vec<Vec<&'r Troop>>,
    /// For each row and column one line, or one for each going of the loser.
    cells: Vec<Vec<Vec<String>>>,
}

impl<'r> Outcomes<'r> {
    pub fn of(cells: &[Cell<'r>], combat: Combat) -> Self {
        let mut fates: HashMap<(&str, &str, Band, Going, Going), Fate> = HashMap::new();
        let (mut losers, mut winners): (Vec<&Troop>, Vec<&Troop>) = (Vec::new(), Vec::new());
        for c in cells.iter().filter(|c| c.combat == combat) {
            let key =
                (c.loser.code.as_str(), c.winner.code.as_str(), c.result, c.loser_going, c.winner_going);
            fates.insert(key, c.fate.fate);
            for (troops, troop) in [(&mut losers, c.loser), (&mut winners, c.winner)] {
                if !troops.iter().any(|t| t.code == troop.code) {
                    troops.push(troop);
                }
            }
        }
        let lines = |loser: &Troop, winner: &Troop| -> Vec<String> {
            let at = |own: Going, other: Going| -> String {
                let fate =
                    |result| fates.get(&(loser.code.as_str(), winner.code.as_str(), result, own, other));
                RESULTS.iter().map(|r| letter(fate(*r).copied().unwrap_or(Fate::None))).collect()
            };
            // Where the winner's going matters too, a line gives the outcomes in the order of its goings.
            let line = |own: Going| {
                let mut all: Vec<String> = Going::ALL.iter().map(|other| at(own, *other)).collect();
                all.dedup();
                all.join("/")
            };
            let all: Vec<String> = Going::ALL.iter().map(|own| line(*own)).collect();
            if all.iter().all(|l| *l == all[0]) {
                return vec![all[0].clone()];
            }
            // Goings with the same outcomes share a line.
            let mut shared: Vec<(String, String)> = Vec::new();
            for (going, line) in Going::ALL.iter().zip(all) {
                let initial = going.word().chars().take(1);
                match shared.iter_mut().find(|(_, known)| *known == line) {
                    Some((goings, _)) => goings.extend(initial),
                    None => shared.push((initial.collect(), line)),
                }
            }
            shared.into_iter().map(|(goings, line)| format!("{goings} {line}")).collect()
        };
        let rows = alike(&losers, |t| winners.iter().map(|w| lines(t, w)).collect());
        let columns = alike(&winners, |t| losers.iter().map(|l| lines(l, t)).collect());
        let cells = rows.iter().map(|r| columns.iter().map(|c| lines(r[0], c[0])).collect()).collect();
        Self { rows, columns, cells }
    }
}

fn letter(fate: Fate) -> char {
    match fate {
        Fate::None => '-',
        Fate::Recoil => 'R',
        Fate::Flee => 'F',
        Fate::Destroyed => 'D',
    }
}

/// Troops in groups whose lines are the same, in the order of their first.
fn alike<'r>(troops: &[&'r Troop], lines: impl Fn(&Troop) -> Vec<Vec<String>>) -> Vec<Vec<&'r Troop>> {
    let mut groups: Vec<(Vec<Vec<String>>, Vec<&Troop>)> = Vec::new();
    for &troop in troops {
        let own = lines(troop);
        match groups.iter_mut().find(|(theirs, _)| *theirs == own) {
            Some((_, group)) => group.push(troop),
            None => groups.push((own, vec![troop])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// The names of a group in lines that go into `room`.
fn names(troops: &[&Troop], room: f64) -> Vec<String> {
    let codes: Vec<&str> = troops.iter().map(|t| t.listed()).collect();
    wrapped(&codes.join(", "), NAMES_MM, room)
}

/// The table, its upper left corner and its room.
pub(super) fn outcome_table(
    sheet: &mut Sheet,
    o: &Outcomes<'_>,
    (x, top): (f64, f64),
    (wide, high): (f64, f64),
) {
    let first = if o.columns.len() > 10 { 30.0 } else { 62.0 };
    let column = ((wide - first) / o.columns.len() as f64).min(30.0);
    let heads: Vec<_> = o.columns.iter().map(|c| names(c, column - 0.8)).collect();
    let sides: Vec<_> = o.rows.iter().map(|r| names(r, first - 1.0)).collect();
    let head = heads.iter().map(Vec::len).max().unwrap_or(1) as f64 * NAME_LINE_MM + 1.5;
    // A row is as high as its cells, in lines of one height that is sought, and never lower than its names.
    let lines: Vec<f64> =
        o.cells.iter().map(|cells| cells.iter().map(Vec::len).max().unwrap_or(1) as f64).collect();
    let row = |n: usize, line: f64| (lines[n] * line).max(sides[n].len() as f64 * NAME_LINE_MM) + ROW_GAP_MM;
    let all = |line: f64| (0..lines.len()).map(|n| row(n, line)).sum::<f64>();
    let mut line = MOST_MM / FILLED;
    while all(line) > high - head && line > 1.0 {
        line -= 0.02;
    }
    let longest = o.cells.iter().flatten().flatten().map(|l| width(l, 1.0)).fold(0.1, f64::max);
    let size = (line * FILLED).min((column - 0.8) / longest);
    let right = x + first + column * o.columns.len() as f64;
    for (n, lines) in heads.iter().enumerate() {
        let left = x + first + n as f64 * column + 0.4;
        for (k, words) in lines.iter().enumerate() {
            sheet.text(left, top - (k as f64 + 1.0) * NAME_LINE_MM, NAMES_MM, words);
        }
    }
    let mut y = top - head;
    for (n, cells) in o.cells.iter().enumerate() {
        let high = row(n, line);
        if n % 2 == 0 {
            sheet.fill((x, y - high), (right - x, high), Colour::grey(0.93));
        }
        for (k, words) in sides[n].iter().enumerate() {
            sheet.text(x + 0.5, y - 0.2 - (k as f64 + 0.85) * NAME_LINE_MM, NAMES_MM, words);
        }
        for (m, cell) in cells.iter().enumerate() {
            let left = x + first + m as f64 * column + 0.4;
            for (k, text) in cell.iter().enumerate() {
                sheet.text(left, y - 0.2 - (k as f64 + 0.8) * line, size, text.clone());
            }
        }
        y -= high;
    }
    for n in 0..=o.columns.len() {
        let at = x + first + n as f64 * column;
        sheet.line((at, top - head), (at, y), Stroke::Solid);
    }
    for at in [top - head, y] {
        sheet.line((x, at), (right, at), Stroke::Solid);
    }
}
