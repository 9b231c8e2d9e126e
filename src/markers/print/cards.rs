//! Quick-reference cards: what every troop type fights and moves with, what is added and taken off, and what becomes of
//! the loser. Everything on them is the ruleset's own data under the table's settings; the words are the clauses'
//! titles.
//!
//! Frame of a page: millimetres, origin at the lower left corner, y up.

use super::layout::Heading;
use super::outcome_card::{Outcomes, outcome_table};
use crate::markers::letters::fitting;
use crate::markers::sheet::{Colour, FOOT_MM, MARGIN_MM, Orientation, Paper, Sheet, Stroke};
use crate::rules::clauses::Catalogue;
use crate::rules::combat::{Combat, matrix};
use crate::rules::ruleset::{Tactic, Troop};
use crate::rules::{AskError, Settings};

/// No size is taken from these pages.
const TOLD: &str = "No size is taken from this page.";
const TROOP_ROW_MM: f64 = 4.9;
const LETTERS_MM: f64 = 2.6;

/// The cards: troops with what is added and taken off, then the outcomes of close combat and of shooting.
///
/// # Errors
/// None where the ruleset's codes can be written in notation, which is tested.
pub fn card_sheets(settings: &Settings, paper: Paper) -> Result<Vec<Sheet>, AskError> {
    let cells = matrix(settings)?;
    let heading = Heading {
        title: format!("{}: outcomes", settings.ruleset().title()),
        words: format!(
            "Each row: what becomes of those troops where their total is the same, less, or half or less \
             (three letters) against those over the column. - nothing, R recoils, F flees, D destroyed. g r b: in \
             good, rough or bad going of their own. On equal totals look up both sides. Settings: {}.",
            settings.name()
        ),
        told: TOLD.to_owned(),
    };
    let (mut close, top) = heading.page(paper, Orientation::Landscape, 0);
    let (room, foot) = (close.width - 2.0 * MARGIN_MM, MARGIN_MM + FOOT_MM);
    let outcomes = Outcomes::of(&cells, Combat::Close);
    outcome_table(&mut close, &outcomes, (MARGIN_MM, top), (room, top - foot));
    let mut sheets = vec![factors(settings, paper), close];
    let title = Heading { title: format!("{}: outcomes of shooting", settings.ruleset().title()), ..heading };
    let (mut shooting, top) = title.page(paper, Orientation::Portrait, 0);
    let outcomes = Outcomes::of(&cells, Combat::Shooting);
    let room = shooting.width - 2.0 * MARGIN_MM;
    outcome_table(&mut shooting, &outcomes, (MARGIN_MM, top), (room, top - foot));
    sheets.push(shooting);
    Ok(sheets)
}

/// Troop types on the left, what is added and taken off on the right.
fn factors(settings: &Settings, paper: Paper) -> Sheet {
    let ruleset = settings.ruleset();
    let heading = Heading {
        title: format!("{}: troops and factors", ruleset.title()),
        words: format!(
            "Factors against foot and against mounted; s when shot at, g in a City or Fort. Moves in base widths, \
             all in good going / any in rough or bad going. Settings: {}.",
            settings.name()
        ),
        told: TOLD.to_owned(),
    };
    let (mut sheet, top) = heading.page(paper, Orientation::Portrait, 0);
    let rows = troop_rows(settings);
    let row = ((top - MARGIN_MM - FOOT_MM - 5.0) / rows.len() as f64).min(TROOP_ROW_MM);
    let columns = [0.0, 28.0, 71.0, 79.5, 89.0, 101.0];
    let x = MARGIN_MM;
    for (at, words) in columns.iter().zip(["Troops", "", "foot", "mtd", "", "move"]) {
        sheet.text(x + at, top - 3.0, LETTERS_MM, words);
    }
    for (n, cells) in rows.iter().enumerate() {
        let y = top - 4.6 - row * (n as f64 + 1.0);
        if n % 2 == 0 {
            sheet.fill((x - 1.0, y - 0.26 * row), (113.0, row), Colour::grey(0.92));
        }
        let rooms = [27.0, 42.0, 8.0, 9.0, 11.0, 11.0];
        for ((at, room), words) in columns.iter().zip(rooms).zip(cells) {
            sheet.text(x + at, y, LETTERS_MM, fitting(words, LETTERS_MM, room));
        }
    }
    added(&mut sheet, settings, (x + 118.0, top));
    sheet
}

/// Codes, name, the two factors, others, moves; troops alike in all of it share a row.
fn troop_rows(settings: &Settings) -> Vec<[String; 6]> {
    let ruleset = settings.ruleset();
    let row = |troop: &Troop| {
        let (f, pace) = (troop.factors, ruleset.pace(troop));
        let others = [('s', f.shot_at), ('g', f.garrison)];
        let others: Vec<String> =
            others.iter().filter_map(|(mark, value)| value.map(|v| format!("{mark}{v:+}"))).collect();
        [
            troop.listed().to_owned(),
            troop.name.clone(),
            format!("{:+}", f.foot),
            format!("{:+}", f.mounted),
            others.join(" "),
            format!("{} / {}", pace.good_bw, pace.hindered_bw),
        ]
    };
    let mut rows: Vec<[String; 6]> = Vec::new();
    for troop in ruleset.troops() {
        let new = row(troop);
        // Of a kind, codes that fight and move alike follow each other.
        match rows.last_mut() {
            Some(last) if last[2..] == new[2..] && kind_of(&last[1]) == kind_of(&new[1]) => {
                last[0] = format!("{}, {}", last[0], new[0]);
            }
            _ => rows.push(new),
        }
    }
    rows
}

/// The first words of a name, before what tells its codes apart.
fn kind_of(name: &str) -> &str {
    name.split(',').next().unwrap_or(name)
}

/// Tactical factors, support and PIPs under the clauses' titles.
fn added(sheet: &mut Sheet, settings: &Settings, (x, top): (f64, f64)) {
    let ruleset = settings.ruleset();
    let title = |id: &str| Catalogue::embedded().clause(id).map_or(id, |c| c.title.as_str()).to_owned();
    let tactical = Tactic::ALL.iter().map(|what| {
        let t = ruleset.tactical(*what);
        (title(&t.clause), format!("{:+}", t.value))
    });
    let support = ruleset.support().iter().map(|s| (title(&s.clause), format!("{:+}", s.bonus)));
    let p = ruleset.pips();
    let pips = [
        ("a move that is not free".to_owned(), p.ordinary.to_string()),
        ("more for awkward troops".to_owned(), format!("+{}", p.awkward_extra)),
        ("more beyond the general's reach".to_owned(), format!("+{}", p.command_extra)),
        ("his reach, base widths".to_owned(), p.command_bw.to_string()),
        ("where something hides them".to_owned(), p.hidden_bw.to_string()),
        ("Light Horse, hidden or not".to_owned(), p.far_bw.to_string()),
    ];
    let right = sheet.width - MARGIN_MM;
    let mut y = top;
    let sections: [(&str, Vec<(String, String)>); 3] = [
        ("Added and taken off", tactical.collect()),
        ("Support in close combat", support.collect()),
        ("PIPs and command", pips.into()),
    ];
    for (name, rows) in sections {
        y -= 3.4;
        sheet.text(x, y, 3.2, name);
        sheet.line((x, y - 1.0), (right, y - 1.0), Stroke::Solid);
        y -= 1.0;
        for (words, value) in rows {
            y -= 4.2;
            sheet.text(x, y, LETTERS_MM, fitting(&words, LETTERS_MM, right - x - 8.0));
            sheet.text(right - 6.0, y, LETTERS_MM, value);
        }
        y -= 4.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markers::Mark;

    #[test]
    fn every_troop_type_is_on_the_cards_with_its_factors() {
        let settings = Settings::dba3();
        let rows = troop_rows(&settings);
        for troop in settings.ruleset().troops() {
            let listed = |r: &&[String; 6]| r[0].split(", ").any(|c| c == troop.listed());
            let found: Vec<_> = rows.iter().filter(listed).collect();
            assert_eq!(found.len(), 1, "{}", troop.code);
            assert_eq!(found[0][2], format!("{:+}", troop.factors.foot), "{}", troop.code);
            assert_eq!(found[0][3], format!("{:+}", troop.factors.mounted), "{}", troop.code);
        }
    }

    #[test]
    fn nothing_on_the_cards_leaves_the_page_or_covers_its_ruler() {
        for paper in [Paper::A4, Paper::Letter] {
            for (n, sheet) in
                card_sheets(&Settings::dba3(), paper).expect("a sound ruleset").iter().enumerate()
            {
                for mark in &sheet.marks {
                    let (x, y) = match mark {
                        Mark::Text { x, y, .. } | Mark::Fill { x, y, .. } => (*x, *y),
                        Mark::Line { to, .. } => *to,
                        Mark::Outline { .. } => continue,
                    };
                    assert!(x >= MARGIN_MM - 2.0 && x <= sheet.width - MARGIN_MM + 0.1, "{n}: {mark:?}");
                    assert!(y >= MARGIN_MM && y <= sheet.height - MARGIN_MM + 0.1, "{n}: {mark:?}");
                }
            }
        }
    }
}
