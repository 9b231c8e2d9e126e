//! Printed pages read back: turned into pictures by another program, every tag found where it was put.

use groma::markers::{
    CHECK_SIZE_MM, Label, Mark, Paper, Sheet, Stroke, board_sheet, check_sheet, check_tags, kit_sheets,
    to_pdf,
};
use groma::tracking::{Tag, TagFamily};
use groma::vision::{DetectorSettings, GreyImage, TagDetector};
use std::collections::BTreeSet;
use std::process::Command;

/// Dots an inch of the pictures.
const DPI: f64 = 300.0;

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

#[test]
fn every_tag_of_a_kit_is_printed_once_at_its_size_with_its_white_edge() {
    let labels: Vec<Label> = (0..40)
        .map(|id| Label {
            tag: Tag::new(TagFamily::Tag36h11, id),
            size_mm: if id < 8 { 40.0 } else { 12.0 },
            name: format!("Element {id}"),
        })
        .collect();
    for paper in [Paper::A4, Paper::Letter] {
        let (sheets, too_large) = kit_sheets(&labels, paper);
        assert!(too_large.is_empty());
        let Some(pages) = pictures(&sheets) else { return };
        let mut found: Vec<_> = pages.iter().flat_map(|p| tags(p, &[TagFamily::Tag36h11].into())).collect();
        found.sort_by_key(|(tag, ..)| *tag);
        let ids: Vec<u32> = found.iter().map(|(tag, ..)| tag.id).collect();
        assert_eq!(ids, (0..40).collect::<Vec<_>>(), "{paper:?}");
        for ((tag, _, side), label) in found.iter().zip(&labels) {
            assert!((side - label.size_mm).abs() < 0.1, "{tag}: {side}");
        }
    }
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
    };
    let wide = "W".repeat(40);
    let labels = [label(22, 14.0, "Évêque d’Orléans"), label(586, 10.0, &wide), label(7, 40.0, "Łódź")];
    let (sheets, _) = kit_sheets(&labels, Paper::A4);
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
    let label = Label { tag: Tag::new(TagFamily::Tag16h5, 1), size_mm: 190.0, name: "Giant".to_owned() };
    let (sheets, too_large) = kit_sheets(std::slice::from_ref(&label), Paper::A4);
    assert!(sheets.is_empty() && too_large == [label]);
}
