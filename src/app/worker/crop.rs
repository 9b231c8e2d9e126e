//! Pictures of the board alone: whatever lies outside the playing area is black. For demo mode, in which nobody beside the
//! table is shown or kept. Pixels; the board's outline is put through the camera with its lens.

use super::Sight;
use crate::vision::{CameraModel, Frame, RgbImage};
use nalgebra::Point3;
use std::sync::Arc;

/// Points along each of the board's edges: between two of them a lens bends a line by less than a pixel.
const ALONG: usize = 48;

/// The sight with its picture cropped to the board; all black where the picture could not be placed on the table.
pub fn cropped(mut sight: Sight, board_mm: (f64, f64)) -> Sight {
    crop(&mut sight.frame, sight.reading.camera.as_ref(), board_mm);
    sight
}

/// A picture of the board alone, no larger than it: whatever lies outside is black or cut off. None where the picture could
/// not be placed on the table, or shows nothing of the board.
pub fn board_picture(frame: &Frame, camera: Option<&CameraModel>, board_mm: (f64, f64)) -> Option<RgbImage> {
    let camera = camera?;
    let mut frame = frame.clone();
    crop(&mut frame, Some(camera), board_mm);
    let whole = match &frame.colour {
        Some(colour) => Arc::clone(colour),
        None => Arc::new(frame.grey.to_rgb()),
    };
    let spans = spans(&outline(camera, board_mm), whole.height());
    let rows: Vec<usize> = (0..spans.len()).filter(|row| spans[*row].is_some()).collect();
    let (top, bottom) = (*rows.first()?, *rows.last()?);
    let known = || spans.iter().flatten();
    let left = known().map(|(from, _)| from.max(0.0)).fold(f64::MAX, f64::min).ceil() as usize;
    let right = known().map(|(_, to)| *to).fold(0.0, f64::max).floor() as usize;
    let right = (right + 1).min(whole.width());
    if left >= right {
        return None;
    }
    let data = (top..=bottom).flat_map(|y| {
        let row = 3 * y * whole.width();
        whole.data()[row + 3 * left..row + 3 * right].iter().copied()
    });
    RgbImage::new(right - left, bottom + 1 - top, data.collect())
}

fn crop(frame: &mut Frame, camera: Option<&CameraModel>, board_mm: (f64, f64)) {
    let rows = frame.grey.height();
    let spans = match camera {
        Some(camera) => spans(&outline(camera, board_mm), rows),
        None => vec![None; rows],
    };
    blacken(Arc::make_mut(&mut frame.grey).data_mut(), 1, &spans);
    if let Some(colour) = &mut frame.colour {
        blacken(Arc::make_mut(colour).data_mut(), 3, &spans);
    }
}

/// The board's outline in pixels (centres at whole numbers).
fn outline(camera: &CameraModel, (wide, deep): (f64, f64)) -> Vec<[f64; 2]> {
    let corners = [(0.0, 0.0), (wide, 0.0), (wide, deep), (0.0, deep)];
    let points = (0..4).flat_map(|n| {
        let (from, to) = (corners[n], corners[(n + 1) % 4]);
        (0..ALONG).map(move |k| {
            let share = k as f64 / ALONG as f64;
            Point3::new(from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share, 0.0)
        })
    });
    points.filter_map(|p| camera.image_from_table(p)).map(|p| [p.x, p.y]).collect()
}

/// In each row, from where to where the outline reaches: the outline of a rectangle that is seen from above it is met
/// twice by a row, or not at all.
fn spans(outline: &[[f64; 2]], rows: usize) -> Vec<Option<(f64, f64)>> {
    let mut spans: Vec<Option<(f64, f64)>> = vec![None; rows];
    for (n, &[x0, y0]) in outline.iter().enumerate() {
        let [x1, y1] = outline[(n + 1) % outline.len()];
        let (first, last) = (y0.min(y1).ceil().max(0.0), y0.max(y1).floor().min(rows as f64 - 1.0));
        if y0 == y1 || first > last {
            continue;
        }
        for (row, span) in spans.iter_mut().enumerate().take(last as usize + 1).skip(first as usize) {
            let x = x0 + (x1 - x0) * (row as f64 - y0) / (y1 - y0);
            let span = span.get_or_insert((x, x));
            *span = (span.0.min(x), span.1.max(x));
        }
    }
    spans
}

fn blacken(data: &mut [u8], bytes: usize, spans: &[Option<(f64, f64)>]) {
    let row_bytes = data.len() / spans.len().max(1);
    for (row, span) in data.chunks_exact_mut(row_bytes.max(1)).zip(spans) {
        let columns = row.len() / bytes;
        let (from, to) = match span {
            Some((from, to)) => (from.ceil().max(0.0) as usize, (to.floor() + 1.0).max(0.0) as usize),
            None => (0, 0),
        };
        let (from, to) = (from.min(columns), to.min(columns));
        row[..from * bytes].fill(0);
        row[to.max(from) * bytes..].fill(0);
    }
}
