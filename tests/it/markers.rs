//! Printed pages read back: turned into pictures by another program, every tag found where it was put, every ruler as
//! long as it says.

use groma::judge::{Roster, RosterFile, Table, parse_roster, samples};
use groma::markers::{
    CHECK_SIZE_MM, Carrier, KitError, KitStyle, LEAST_EDGE_MM, Label, Mark, Paper, Part, RULER_MM, Sheet,
    Stroke, board_sheet, check_sheet, check_tags, kit_sheets, label_sheets, labels, sticking_out, to_pdf,
};
use groma::rules::{Ruleset, Settings};
use groma::tracking::{Tag, TagFamily};
use groma::vision::sim::Ink;
use groma::vision::{DetectorSettings, GreyImage, TagDetector};
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// Dots an inch of the pictures: the program that makes them puts edges on whole dots, a sixteenth of a millimetre.
const DPI: f64 = 400.0;

/// The pages of a PDF as pictures, or `None` where the program that does it is not installed.
fn pictures(sheets: &[Sheet]) -> Option<Vec<GreyImage>> {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let file = dir.path().join("sheet.pdf");
    std::fs::write(&file, to_pdf(sheets)).expect("a written file");
    let run = Command::new("pdftoppm")
        .args(["-gray", "-png", "-r", &DPI.to_string()])
        .arg(&file)
        .arg(dir.path().join("page"))
        .output();
    let Ok(output) = run else {
        println!("skipped: no pdftoppm (package poppler-utils)");
        return None;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut pages: Vec<_> = std::fs::read_dir(dir.path())
        .expect("a readable folder")
        .map(|e| e.expect("a readable entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "png"))
        .collect();
    pages.sort();
    let page = |path: &std::path::PathBuf| {
        let picture = image::open(path).expect("a picture").to_luma8();
        let (width, height) = (picture.width() as usize, picture.height() as usize);
        GreyImage::new(width, height, picture.into_raw()).expect("sides and length agree")
    };
    Some(pages.iter().map(page).collect())
}

/// Every tag of a page with its centre, millimetres from the paper's lower left corner, and its side.
fn tags(picture: &GreyImage, families: &BTreeSet<TagFamily>) -> Vec<(Tag, [f64; 2], f64)> {
    let mut detector = TagDetector::new(families, DetectorSettings::default()).expect("a detector");
    let mm = 25.4 / DPI;
    detector
        .detect(picture)
        .iter()
        .map(|d| {
            let c = d.centre_px();
            let up = picture.height() as f64 - (c.y + 0.5);
            (d.tag, [(c.x + 0.5) * mm, up * mm], d.side_px() * mm)
        })
        .collect()
}

#[test]
fn a_grid_of_tags_is_printed_to_a_twentieth_of_a_millimetre() {
    for family in TagFamily::ALL {
        let board = format!("tags:{family}:3:5x4:20:40").parse().expect("a good board");
        let sheet = board_sheet(&board, Paper::A4).expect("it fits");
        let Some(pages) = pictures(std::slice::from_ref(&sheet)) else { return };
        let found = tags(&pages[0], &[family].into());
        assert_eq!(found.len(), 20, "{family}");
        let grid = |tag: &Tag| {
            let index = f64::from(tag.id - 3);
            [index % 5.0 * 40.0, -(index / 5.0).floor() * 40.0]
        };
        let mean = [0, 1].map(|k| found.iter().map(|(tag, at, _)| at[k] - grid(tag)[k]).sum::<f64>() / 20.0);
        for (tag, at, side) in &found {
            let off = [0, 1].map(|k| at[k] - grid(tag)[k] - mean[k]);
            assert!(off[0].hypot(off[1]) < 0.05, "{tag}: {off:?} mm off");
            assert!((side - 20.0).abs() < 0.1, "{tag}: {side} mm wide");
        }
        // On the page, not only among themselves: centred across it.
        let middle = found.iter().map(|(_, at, _)| at[0]).sum::<f64>() / 20.0;
        assert!((middle - sheet.width / 2.0).abs() < 0.05, "{family}: {middle}");
    }
}

/// Eight bases of four families, flat and raised, red and blue, as a roster and its table.
fn army() -> (Table, Roster) {
    let mut text = "(schema: 1, elements: [".to_owned();
    for (n, family) in (0u32..).zip(TagFamily::ALL.into_iter().cycle().take(8)) {
        let (side, size) = (["red", "blue"][n as usize % 2], [7, 10, 12, 14][n as usize / 2]);
        let mount = ["height: 0.3, offset: (0, -5)", "height: 30"][usize::from(n > 3)];
        text += &format!(
            "(name: \"Element {n}\", side: {side}, troop: \"4Bd\", base: (40, {}), tags: [(family: \"{family}\", \
             id: {}, size: {size}, {mount})]),",
            [15, 30][usize::from(n > 3)],
            10 + n
        );
    }
    text += "])";
    let table = samples::table();
    let elements = parse_roster("army.ron", &text).map_err(|m| m.to_string()).expect("a sound roster");
    let file = RosterFile { file: "army.ron".to_owned(), elements };
    let roster = Roster::of(&table, vec![file], &Ruleset::dba3()).expect("no clashes");
    (table, roster)
}

fn style(paper: Paper, ink: Ink, carrier: Option<Carrier>) -> KitStyle {
    let board = "tags:tag25h9:0:5x4:20:32".parse().expect("a good board");
    KitStyle { paper, ink, carrier, board, settings: Settings::dba3() }
}

/// Every tag of the pages is found at its place and nothing else is, and every page's ruler is as long as it says.
/// The number of tags; `None` where pages cannot be made pictures of.
fn read_back(sheets: &[Sheet], what: &str) -> Option<usize> {
    let pages = pictures(sheets)?;
    assert_eq!(pages.len(), sheets.len(), "{what}");
    let mut count = 0;
    for (n, (sheet, page)) in sheets.iter().zip(&pages).enumerate() {
        let families: BTreeSet<TagFamily> = sheet.tags.iter().map(|t| t.tag.family).collect();
        let found = if families.is_empty() { Vec::new() } else { tags(page, &families) };
        let mut printed: BTreeMap<Tag, _> = sheet.tags.iter().map(|t| (t.tag, t)).collect();
        assert_eq!(printed.len(), sheet.tags.len(), "{what}, page {n}: each once");
        // The page begins at the picture's top, and a part of a dot is a whole one at its foot.
        let below = page.height() as f64 * 25.4 / DPI - sheet.height;
        assert!((-0.001..0.07).contains(&below), "{what}, page {n}: {below}");
        for (tag, at, side) in found {
            let at = [at[0], at[1] - below];
            let known =
                printed.remove(&tag).unwrap_or_else(|| panic!("{what}, page {n}: {tag} is not on it"));
            let off = (at[0] - known.centre.0).hypot(at[1] - known.centre.1);
            assert!(off < 0.05, "{what}, page {n}: {tag} is {off} mm off: {at:?}, {:?}", known.centre);
            assert!((side - known.size_mm).abs() < 0.1, "{what}, page {n}: {tag} is {side} mm wide");
            count += 1;
        }
        assert!(printed.is_empty(), "{what}, page {n}: not found: {:?}", printed.keys());
        let ruler = ruler_mm(page);
        assert!((ruler - RULER_MM).abs() < 0.03, "{what}, page {n}: its ruler is {ruler} mm");
    }
    Some(count)
}

/// The length between the first and the last of the ruler's long ticks, which stand 16 mm from the paper's lower edge
/// and are 4 mm high: of what is dark 3.5 mm above its line, between the paper's left margin and 112 mm.
fn ruler_mm(page: &GreyImage) -> f64 {
    let mm = 25.4 / DPI;
    let row = page.height() - 1 - ((16.0 + 3.5) / mm) as usize;
    let mut ticks: Vec<(f64, f64)> = Vec::new();
    let mut last_dark = None;
    for x in (9.0 / mm) as usize..(112.0 / mm) as usize {
        let dark = 255.0 - f64::from(page.data()[row * page.width() + x]);
        if dark < 8.0 {
            continue;
        }
        if last_dark.is_none_or(|l| l + 1 < x) {
            ticks.push((0.0, 0.0));
        }
        last_dark = Some(x);
        let (weight, moment) = ticks.last_mut().expect("pushed above");
        (*weight, *moment) = (*weight + dark, *moment + dark * (x as f64 + 0.5));
    }
    assert_eq!(ticks.len(), 11, "a tick each 10 mm");
    let at = |(weight, moment): (f64, f64)| moment / weight * mm;
    at(ticks[10]) - at(ticks[0])
}

#[test]
fn every_page_of_a_kit_reads_back_to_a_twentieth_of_a_millimetre() {
    let (table, roster) = army();
    for paper in [Paper::A4, Paper::Letter] {
        let sheets = kit_sheets(&table, &roster, &Part::ALL, &style(paper, Ink::Black, None)).expect("a kit");
        let of = |part| sheets.iter().filter(|(p, _)| *p == part).count();
        for part in Part::ALL {
            assert!(of(part) > 0, "{paper:?}: {}", part.name());
        }
        let pages: Vec<Sheet> = sheets.iter().map(|(_, sheet)| sheet.clone()).collect();
        let Some(count) = read_back(&pages, paper.name()) else { return };
        // Reference tags, bases, the jig's, the umpire's tiles, the check sheet's, and the board's.
        assert_eq!(count, 8 + 8 + 12 + 4 + 12 + 20, "{paper:?}");
    }
}

#[test]
fn tags_on_every_carrier_and_in_both_inks_read_back() {
    let (table, roster) = army();
    for paper in [Paper::A4, Paper::Letter] {
        for ink in [Ink::Black, Ink::Earth] {
            for carrier in Carrier::ALL {
                let what = format!("{} {ink:?} {}", paper.name(), carrier.name());
                let sheets = kit_sheets(&table, &roster, &[Part::Tags], &style(paper, ink, Some(carrier)));
                let sheets: Vec<Sheet> = sheets.expect("a kit").into_iter().map(|(_, s)| s).collect();
                let Some(count) = read_back(&sheets, &what) else { return };
                assert_eq!(count, 8, "{what}");
            }
        }
    }
}

#[test]
fn a_cut_that_strays_by_a_millimetre_leaves_the_tag_its_light_ring() {
    let (_, roster) = army();
    let mm = 25.4 / DPI;
    for ink in [Ink::Black, Ink::Earth] {
        for stray in [-0.9 * LEAST_EDGE_MM, 0.9] {
            let of_roster: Vec<Label> =
                labels(&roster, Some(Carrier::Flat)).into_iter().map(|l| l.2).collect();
            let sheets = label_sheets("Both", &of_roster, ink, Paper::A4).expect("they fit");
            let Some(pages) = pictures(&sheets) else { return };
            for (sheet, page) in sheets.iter().zip(&pages) {
                // What is cut away is dark, as the figures and the base round a tag may be.
                let mut cut = vec![30u8; page.width() * page.height()];
                for t in &sheet.tags {
                    let label = of_roster.iter().find(|l| l.tag == t.tag).expect("its label");
                    let half = label.face_mm() / 2.0 + stray;
                    let px = |v: f64| (v / mm).round() as usize;
                    let (cx, cy) = (t.centre.0, sheet.height - t.centre.1);
                    for y in px(cy - half)..px(cy + half) {
                        let row = y * page.width();
                        let (from, to) = (row + px(cx - half), row + px(cx + half));
                        cut[from..to].copy_from_slice(&page.data()[from..to]);
                    }
                }
                let cut = GreyImage::new(page.width(), page.height(), cut).expect("sides and length agree");
                let found: BTreeSet<Tag> =
                    tags(&cut, &TagFamily::ALL.into_iter().collect()).iter().map(|(tag, ..)| *tag).collect();
                let printed: BTreeSet<Tag> = sheet.tags.iter().map(|t| t.tag).collect();
                assert!(found.is_superset(&printed), "{ink:?} {stray}: {found:?}");
            }
        }
    }
}

#[test]
fn a_strip_that_touches_the_board_has_its_tag_where_the_table_says() {
    let table = samples::table();
    let sheets =
        kit_sheets(&table, &army().1, &[Part::Strips], &style(Paper::A4, Ink::Black, None)).expect("a kit");
    let mut seen = 0;
    for (_, sheet) in &sheets {
        for t in &sheet.tags {
            let r = table.reference.iter().find(|r| r.tag == t.tag).expect("a reference tag");
            // The board's edges are the solid lines; those of this strip are the nearest ones.
            let edges = |across: bool| {
                sheet.marks.iter().filter_map(move |m| match m {
                    Mark::Line { from, to, stroke: Stroke::Solid, .. } => {
                        let (long, at) = if across {
                            ((from.0 - to.0).abs(), from.1)
                        } else {
                            ((from.1 - to.1).abs(), from.0)
                        };
                        let (level, centre) =
                            if across { (from.1 == to.1, t.centre.1) } else { (from.0 == to.0, t.centre.0) };
                        (level && long > 15.0).then_some(at - centre)
                    }
                    _ => None,
                })
            };
            for (beyond, across) in
                [(-r.x_mm, false), (600.0 - r.x_mm, false), (-r.y_mm, true), (600.0 - r.y_mm, true)]
            {
                // Beyond the left edge the board's edge is to the right by as much; all these tags are upright.
                let outside = beyond.abs() < 100.0;
                let found = edges(across).any(|at| (at - beyond).abs() < 1e-9);
                assert_eq!(found, outside, "{}: {beyond} {across}", t.tag);
                seen += usize::from(found);
            }
        }
    }
    // Two edges each at four corners, one each at four sides.
    assert_eq!(seen, 12);
}

#[test]
fn faces_that_stick_out_where_ranks_touch_are_told_with_the_size_that_does_not() {
    let (_, roster) = army();
    let told = sticking_out(&roster, None);
    // 40 x 15 bases with a tag five millimetres behind their middle: nothing goes there but 2 x 2.5 mm.
    let flat: Vec<&str> = told.iter().map(|t| t.0.as_str()).filter(|n| *n < "Element 4").collect();
    assert_eq!(flat, ["Element 0", "Element 1", "Element 2", "Element 3"]);
    assert!(told.iter().all(|(_, by, _)| *by > 0.0));
    // The sample's 14 mm on bases 15 mm deep: a face of 19.7, 2.35 mm past either end; 10 mm fit.
    let hastati = sticking_out(&samples::roster(), None).into_iter().find(|t| t.0 == "Hastati 1");
    let (_, by, size) = hastati.expect("it sticks out");
    assert!((by - (17.5 + 2.2 - 15.0) / 2.0).abs() < 1e-9 && size == 10.0, "{by} {size}");
}

#[test]
fn ids_of_the_jig_and_the_check_sheet_are_nobody_elses() {
    let (mut table, roster) = army();
    table.reference[3].tag = Tag::new(TagFamily::Tag36h11, 580);
    let why =
        kit_sheets(&table, &roster, &Part::ALL, &style(Paper::A4, Ink::Black, None)).expect_err("taken");
    let why = why.to_string();
    for part in ["reference tag", "tag36h11 580", "the check sheet", "below 559"] {
        assert!(why.contains(part), "{part}: {why}");
    }
}

#[test]
fn what_the_ruler_measures_goes_into_the_files() {
    let dir = tempfile::tempdir().expect("a temporary folder");
    let path = |name: &str| dir.path().join(name);
    let groma = |args: &[&str]| {
        let run = Command::new(env!("CARGO_BIN_EXE_groma")).current_dir(dir.path()).args(args).output();
        let run = run.expect("groma starts");
        (
            run.status.code(),
            String::from_utf8_lossy(&run.stdout).into_owned() + &String::from_utf8_lossy(&run.stderr),
        )
    };
    assert_eq!(groma(&["init", "."]).0, Some(0));
    std::fs::create_dir(path("printed")).expect("a folder");
    let files = ["--table", "table.ron", "--roster", "roster.ron"];
    let told = groma(&[&["markers", "print", "--out", "kit.pdf"], &files[..]].concat());
    assert_eq!(told.0, Some(0), "{}", told.1);
    assert!(told.1.contains("strips") && told.1.contains("sizes --ruler"), "{}", told.1);
    let correct = [&["markers", "sizes", "--ruler", "99.2", "--into", "printed"], &files[..]].concat();
    let told = groma(&[&correct[..], &["--board", "chessboard:9x6:20"]].concat());
    assert_eq!(told.0, Some(0), "{}", told.1);
    assert!(told.1.contains("chessboard:9x6:19.84"), "{}", told.1);
    let text = std::fs::read_to_string(path("printed/roster.ron")).expect("written");
    let elements = parse_roster("roster.ron", &text).map_err(|m| m.to_string()).expect("sound");
    assert!(elements.iter().flat_map(|e| &e.tags).all(|t| (t.size_mm - 14.0 * 0.992).abs() < 1e-9));
    // Once more from there is refused, and so is over itself.
    let again = ["markers", "sizes", "--ruler", "99.2", "--into", ".", "--roster", "printed/roster.ron"];
    let told = groma(&again);
    assert!(told.0 == Some(1) && told.1.contains("corrected already"), "{}", told.1);
    let told = groma(&["markers", "sizes", "--ruler", "99.2", "--into", ".", "--roster", "roster.ron"]);
    assert!(told.0 == Some(2) && told.1.contains("there itself"), "{}", told.1);
    let told = groma(&["markers", "sizes", "--ruler", "60", "--board", "chessboard:9x6:20"]);
    assert!(told.0 == Some(2) && told.1.contains("90 to 110"), "{}", told.1);
}

#[test]
fn the_check_sheets_tags_are_printed_where_they_are_measured_from() {
    for paper in [Paper::A4, Paper::Letter] {
        let Some(pages) = pictures(&[check_sheet(paper)]) else { return };
        let mut found = tags(&pages[0], &[TagFamily::Tag36h11].into());
        found.sort_by_key(|(tag, ..)| *tag);
        let known = check_tags();
        assert_eq!(
            found.iter().map(|f| f.0).collect::<Vec<_>>(),
            known.iter().map(|k| k.0).collect::<Vec<_>>()
        );
        // Among themselves: a page's picture is whole dots, a twelfth of a millimetre each.
        let pairs = || found.iter().zip(&known);
        let mean = [0, 1].map(|k| pairs().map(|(f, (_, place))| f.1[k] - place[k]).sum::<f64>() / 12.0);
        for ((tag, at, side), (_, place)) in pairs() {
            let off = (at[0] - place.x - mean[0]).hypot(at[1] - place.y - mean[1]);
            assert!(
                off < 0.05 && (side - CHECK_SIZE_MM).abs() < 0.1,
                "{paper:?}, {tag}: {off} mm off, {side}"
            );
        }
    }
}

#[test]
fn a_piece_keeps_its_id_and_its_top_when_it_is_cut_out() {
    let label = |id, size_mm, name: &str| Label {
        tag: Tag::new(TagFamily::Tag36h11, id),
        size_mm,
        name: name.to_owned(),
        carrier: Carrier::Flat,
    };
    let wide = "W".repeat(40);
    let labels = [label(22, 14.0, "Évêque d’Orléans"), label(586, 10.0, &wide), label(7, 40.0, "Łódź")];
    let sheets = label_sheets("Red", &labels, Ink::Black, Paper::A4).expect("they fit");
    let texts: Vec<(f64, f64, f64, &str)> = sheets[0]
        .marks
        .iter()
        .filter_map(|m| match m {
            Mark::Text { x, y, size, text } => Some((*x, *y, *size, text.as_str())),
            _ => None,
        })
        .collect();
    let cuts = sheets[0].marks.iter().filter_map(|m| match m {
        Mark::Line { from, to, stroke: Stroke::Dashed, .. } => Some((from, to)),
        _ => None,
    });
    let cuts: Vec<_> = cuts.collect();
    for (label, piece) in labels.iter().zip(cuts.chunks(4)) {
        let id = label.tag.id.to_string();
        let (left, right) = (piece[0].0.0, piece[0].1.0);
        let (upper, lower) = (piece[0].0.1, piece[1].0.1);
        let outside = texts.iter().find(|t| t.3.starts_with(&format!("{id} "))).expect("id and name");
        assert!(outside.1 > upper, "{outside:?}");
        let inside = texts.iter().find(|t| t.3 == id).expect("the id alone");
        // Between the cut and the white ring, which is a module wide.
        let ring = upper - (upper - lower - label.size_mm) / 2.0 + label.size_mm / 8.0;
        assert!(inside.0 > left && inside.0 < right && inside.1 + 0.72 * inside.2 < upper, "{inside:?}");
        assert!(inside.1 > ring, "{inside:?} is in the white ring, which begins at {ring}");
    }
    assert!(texts.iter().any(|t| t.3 == "7 Łódź"), "{texts:?}");
    assert!(texts.iter().any(|t| t.3.starts_with("586 W") && t.3.ends_with('…')), "{texts:?}");
    // The PDF keeps western letters as they are, and others without their accent.
    let pdf = to_pdf(&sheets);
    let holds = |bytes: &[u8]| pdf.windows(bytes.len()).any(|w| w == bytes);
    assert!(holds(b"WinAnsiEncoding"));
    assert!(holds(b"37204CF3647A"), "7 L\u{f3}dz, in hexadecimal");
    // Neither id nor tick disturbs the detector.
    let Some(pages) = pictures(&sheets) else { return };
    let mut found: Vec<u32> =
        tags(&pages[0], &[TagFamily::Tag36h11].into()).iter().map(|(tag, ..)| tag.id).collect();
    found.sort_unstable();
    assert_eq!(found, [7, 22, 586]);
}

#[test]
fn a_board_or_tag_that_does_not_fit_the_paper_is_refused() {
    let board = "chessboard:12x9:40".parse().expect("a good board");
    let why = board_sheet(&board, Paper::A4).expect_err("it is half a metre wide").to_string();
    assert!(why.contains("a4") && why.contains("fewer or smaller"), "{why}");
    let label = Label {
        tag: Tag::new(TagFamily::Tag16h5, 1),
        size_mm: 190.0,
        name: "Giant".to_owned(),
        carrier: Carrier::Flat,
    };
    let why = label_sheets("Red", &[label], Ink::Black, Paper::A4).expect_err("half a metre");
    assert!(matches!(&why, KitError::TagTooLarge { name, .. } if name == "Giant"), "{why}");
}
