//! The outcome matrix as one HTML page, for people.
//!
//! Troop types that share every outcome share a row or a column. A cell has three letters: equal, beaten, doubled.
//! Where the loser's own going changes them it has a line for each going. Pure: text comes out.

use super::canvas::escaped;
use crate::rules::combat::{Cell, Combat};
use crate::rules::ruleset::{Band, Fate, Going, Troop};
use std::collections::HashMap;
use std::fmt::Write as _;

/// A fate by where it is in the matrix: loser, winner, result, the loser's going, the winner's.
type Key<'r> = (&'r str, &'r str, Band, Going, Going);
type Fates<'r> = HashMap<Key<'r>, Fate>;

const RESULTS: [Band; 3] = [Band::Equal, Band::Lesser, Band::Half];

const STYLE: &str = "body{font:14px/1.35 system-ui,sans-serif;margin:2em;color:#222;background:#fff}\
table{border-collapse:collapse;margin:1em 0 2em}\
th,td{border:1px solid #bbb;padding:2px 5px;text-align:center;vertical-align:middle}\
th{background:#f2efe6;font-weight:600}th.row{text-align:left;white-space:nowrap}\
thead th{position:sticky;top:0}td{font-family:ui-monospace,monospace;white-space:nowrap}\
i{font-style:normal;padding:0 1px}.r{background:#fbe9a9}.f{background:#f7c48a}.d{background:#eb9a94}\
small{color:#555}";

/// The page: close combat, then shooting. `cells` is a whole matrix; `settings` the name of the settings.
pub fn matrix_page(cells: &[Cell<'_>], settings: &str) -> String {
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Outcomes</title>\
         <style>{STYLE}</style></head>\n<body>\n<h1>What becomes of the loser</h1>\n\
         <p>Rows are the troops that fail to beat those of the column. Three letters: on equal totals, beaten, \
         and at half or less. <i>·</i> nothing, <i class=\"r\">R</i> recoils, <i class=\"f\">F</i> flees, \
         <i class=\"d\">D</i> destroyed. Where the loser's own going matters, a line each: g good, r rough, \
         b bad. On equal totals look up both. Settings: {}.</p>\n",
        escaped(settings)
    );
    for (combat, title) in [(Combat::Close, "Close combat"), (Combat::Shooting, "Shooting")] {
        let of: Vec<&Cell<'_>> = cells.iter().filter(|c| c.combat == combat).collect();
        let _ = writeln!(page, "<h2>{title}</h2>");
        table(&of, &mut page);
    }
    page.push_str("</body></html>");
    page
}

fn table(cells: &[&Cell<'_>], page: &mut String) {
    let mut fates: Fates<'_> = HashMap::new();
    let (mut losers, mut winners): (Vec<&Troop>, Vec<&Troop>) = (Vec::new(), Vec::new());
    for cell in cells {
        let key = (
            cell.loser.code.as_str(),
            cell.winner.code.as_str(),
            cell.result,
            cell.loser_going,
            cell.winner_going,
        );
        fates.insert(key, cell.fate.fate);
        for (troops, troop) in [(&mut losers, cell.loser), (&mut winners, cell.winner)] {
            if !troops.iter().any(|t| t.code == troop.code) {
                troops.push(troop);
            }
        }
    }
    let line = |loser: &Troop, winner: &Troop| letters(&fates, loser, winner);
    let rows = alike(&losers, |t| winners.iter().map(|w| line(t, w)).collect());
    let columns = alike(&winners, |t| losers.iter().map(|l| line(l, t)).collect());
    page.push_str("<table>\n<thead><tr><th></th>");
    for column in &columns {
        let _ = write!(page, "<th>{}</th>", names(column, "<br>"));
    }
    page.push_str("</tr></thead>\n<tbody>\n");
    for row in &rows {
        let _ = write!(page, "<tr><th class=\"row\">{}</th>", names(row, ", "));
        for column in &columns {
            let _ = write!(page, "<td>{}</td>", line(row[0], column[0]));
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</tbody></table>\n");
}

/// Troops in groups whose lines are the same, in the order of their first.
fn alike<'r>(troops: &[&'r Troop], lines: impl Fn(&Troop) -> Vec<String>) -> Vec<Vec<&'r Troop>> {
    let mut groups: Vec<(Vec<String>, Vec<&Troop>)> = Vec::new();
    for &troop in troops {
        let own = lines(troop);
        match groups.iter_mut().find(|(theirs, _)| *theirs == own) {
            Some((_, group)) => group.push(troop),
            None => groups.push((own, vec![troop])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

fn names(troops: &[&Troop], between: &str) -> String {
    troops.iter().map(|t| escaped(t.listed())).collect::<Vec<_>>().join(between)
}

/// The letters of one pair: one line, or one for each going of the loser where they differ. Where the winner's going
/// matters too, as it may by the settings, its lines are told apart by a second letter.
fn letters(fates: &Fates<'_>, loser: &Troop, winner: &Troop) -> String {
    let at = |own: Going, other: Going| -> String {
        RESULTS
            .iter()
            .map(|&result| {
                let fate = fates.get(&(loser.code.as_str(), winner.code.as_str(), result, own, other));
                match fate.copied().unwrap_or(Fate::None) {
                    Fate::None => "<i>·</i>",
                    Fate::Recoil => "<i class=\"r\">R</i>",
                    Fate::Flee => "<i class=\"f\">F</i>",
                    Fate::Destroyed => "<i class=\"d\">D</i>",
                }
            })
            .collect()
    };
    let initial = |going: Going| &going.word()[..1];
    let grid = Going::ALL.map(|own| (own, Going::ALL.map(|other| (other, at(own, other)))));
    let first = &grid[0].1[0].1;
    if grid.iter().all(|(_, others)| others.iter().all(|(_, text)| text == first)) {
        return first.clone();
    }
    let by_own = grid.iter().all(|(_, others)| others.iter().all(|(_, text)| *text == others[0].1));
    let lines: Vec<String> = grid
        .iter()
        .flat_map(|(own, others)| {
            let shown = if by_own { &others[..1] } else { &others[..] };
            shown.iter().map(|(other, text)| {
                let other = if by_own { "" } else { initial(*other) };
                format!("<small>{}{other}</small> {text}", initial(*own))
            })
        })
        .collect();
    lines.join("<br>")
}
