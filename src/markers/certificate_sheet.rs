//! The certificate as one page.

use super::certificate::{Certificate, ErrorStatistics, PlaceCheck};
use super::sheet::{Colour, MARGIN_MM, Orientation, Paper, Sheet, Stroke};

/// Room for the drawing of the board.
const BOARD_ROOM_MM: (f64, f64) = (110.0, 100.0);
/// Places listed at the most; more are summed up in a line.
const MOST_LISTED: usize = 20;
/// Bars of the errors' distribution.
const BARS: usize = 21;

/// The page.
pub fn certificate_sheet(certificate: &Certificate, paper: Paper) -> Sheet {
    let c = certificate;
    let mut page = Sheet::new(paper, Orientation::Portrait);
    let left = MARGIN_MM + 5.0;
    let mut y = page.height - MARGIN_MM - 8.0;
    page.text(left, y, 8.0, "Groma: certificate of measurement");
    y -= 9.0;
    let lens = match &c.profile {
        Some((camera, day)) => format!("Camera: {camera}, lens profile of {day}"),
        None => "Camera: no lens profile, lens estimated from the table".to_owned(),
    };
    for line in [
        format!("Date: {}    Table file: {}", c.date, c.table),
        lens,
        format!(
            "Board {} x {} mm, check sheet with a ruler of {} mm laid in {} places",
            c.board_mm.0,
            c.board_mm.1,
            c.ruler_mm,
            c.places.len()
        ),
    ] {
        page.text(left, y, 3.6, line);
        y -= 5.5;
    }
    y -= 5.0;
    page.text(
        left,
        y,
        5.0,
        format!("Distances are off by {:.2} mm RMS, {:.2} mm at worst", c.all.rms_mm, c.all.worst_mm),
    );
    y -= 7.0;
    for line in [
        format!(
            "{} distances; mean error {:+.3} mm; measured {:+.2} mm too long in a metre",
            c.all.pairs,
            c.all.mean_mm,
            1000.0 * c.all.stretch
        ),
        format!(
            "Claimed: +- {:.2} mm. Errors are {:.2} times the claim; {:.0} % within twice it (95 % expected)",
            c.all.sigma_mm,
            c.all.ratio,
            100.0 * c.all.within_two
        ),
    ] {
        page.text(left, y, 3.6, line);
        y -= 5.5;
    }
    for line in wrapped(&format!("Verdict: {}.", c.agreement.words()), 95) {
        page.text(left, y, 4.2, line);
        y -= 6.0;
    }
    y -= 4.0;
    let scale = (BOARD_ROOM_MM.0 / c.board_mm.0).min(BOARD_ROOM_MM.1 / c.board_mm.1);
    let (wide, high) = (c.board_mm.0 * scale, c.board_mm.1 * scale);
    board(&mut page, c, (left, y - high), scale);
    histogram(&mut page, c, (left + wide + 10.0, y - 60.0), page_room(paper) - wide - 20.0);
    y -= high + 9.0;
    page.text(left, y, 3.6, "place    middle (mm)      tags    RMS mm    worst mm    claimed mm    picture");
    for (n, place) in c.places.iter().enumerate().take(MOST_LISTED) {
        y -= 4.6;
        row(&mut page, n, place, (left, y));
    }
    if c.places.len() > MOST_LISTED {
        y -= 4.6;
        page.text(left, y, 3.2, format!("and {} places more", c.places.len() - MOST_LISTED));
    }
    page
}

fn page_room(paper: Paper) -> f64 {
    paper.size_mm().0 - 2.0 * (MARGIN_MM + 5.0)
}

fn row(page: &mut Sheet, n: usize, place: &PlaceCheck, (left, y): (f64, f64)) {
    let Some(s) = ErrorStatistics::of(&place.pairs) else { return };
    let columns = [
        (0.0, format!("{}", n + 1)),
        (14.0, format!("{:.0}, {:.0}", place.centre.x, place.centre.y)),
        (41.0, format!("{}", place.tags)),
        (54.0, format!("{:.3}", s.rms_mm)),
        (72.0, format!("{:.3}", s.worst_mm)),
        (95.0, format!("{:.3}", s.sigma_mm)),
        (119.0, place.label.chars().rev().take(36).collect::<Vec<_>>().into_iter().rev().collect()),
    ];
    for (x, text) in columns {
        page.text(left + x, y, 3.2, text);
    }
}

/// The board from above with each place's number and error.
fn board(page: &mut Sheet, c: &Certificate, (x, y): (f64, f64), scale: f64) {
    let (wide, high) = (c.board_mm.0 * scale, c.board_mm.1 * scale);
    for (from, to) in [
        ((x, y), (x + wide, y)),
        ((x + wide, y), (x + wide, y + high)),
        ((x + wide, y + high), (x, y + high)),
        ((x, y + high), (x, y)),
    ] {
        page.line(from, to, Stroke::Solid);
    }
    for (n, place) in c.places.iter().enumerate() {
        let (px, py) = (x + place.centre.x * scale, y + place.centre.y * scale);
        page.black(px - 0.6, py - 0.6, 1.2, 1.2);
        if let Some(s) = ErrorStatistics::of(&place.pairs) {
            page.text(px + 1.4, py - 1.0, 3.2, format!("{}: {:.2}", n + 1, s.rms_mm));
        }
    }
    page.text(x, y - 3.6, 2.8, "near edge; each place's number and RMS error in mm");
}

/// Errors in units of the sigma claimed, from -4 to 4, with the curve's own heights as outlines.
fn histogram(page: &mut Sheet, c: &Certificate, (x, y): (f64, f64), wide: f64) {
    let mut counts = [0usize; BARS];
    for pair in c.places.iter().flat_map(|p| &p.pairs) {
        let sigmas = (pair.error_mm / pair.sigma_mm.max(1e-6)).clamp(-3.99, 3.99);
        counts[((sigmas + 4.0) / 8.0 * BARS as f64) as usize] += 1;
    }
    let step = wide / BARS as f64;
    let sum = c.all.pairs.max(1) as f64;
    // What a true claim would give fills 35 mm at its middle bar.
    let normal = |s: f64| (-s * s / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() * 8.0 / BARS as f64;
    let unit = 35.0 / normal(0.0);
    for (n, count) in counts.iter().enumerate() {
        let height = (*count as f64 / sum * unit).min(55.0);
        let at = x + n as f64 * step;
        page.fill((at, y), (step * 0.8, height), Colour::grey(0.6));
        let expected = y + normal((n as f64 + 0.5) / BARS as f64 * 8.0 - 4.0) * unit;
        page.line((at, expected), (at + step * 0.8, expected), Stroke::Solid);
    }
    page.line((x, y), (x + wide, y), Stroke::Solid);
    page.text(x, y - 3.6, 2.8, "-4");
    page.text(x + wide / 2.0, y - 3.6, 2.8, "0");
    page.text(x + wide - 3.0, y - 3.6, 2.8, "+4");
    page.text(x, y - 7.6, 2.8, "errors in sigmas claimed;");
    page.text(x, y - 11.0, 2.8, "lines: a true claim");
}

/// Lines of at most so many letters, broken at spaces.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.len() + word.len() < letters => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
