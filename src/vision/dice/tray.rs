//! What lies in a tray that a camera looks at, once its pixels rest: nothing, dice, or something that hides it.
//!
//! A reading counts when the next picture reads alike. Invariant: while anything larger than a die lies in the tray, a hand
//! or what throws a shadow, no die of it is read. Image frame, pixels of the whole picture.

use super::still::PixelRect;
use super::{AtRest, DiceReader, DiceSeen, DieRefusal, RestSettings, WhyNot};
use crate::vision::{Frame, RgbImage};

/// What lies in a tray.
#[derive(Debug, Clone, PartialEq)]
pub enum InTray {
    /// Nothing.
    Empty,
    /// Dice, or what may be dice and is refused.
    Dice(DiceSeen),
    /// Something larger than dice, or something that reaches in at the edge: a hand, a shadow's edge.
    Covered,
    /// It reads differently from picture to picture.
    Unsure,
}

/// Something refused whose radius is more than this, in sides of the dice that were read, is no die: two that touch are 0.8.
const LARGE: f64 = 1.6;
/// The same in shorter sides of the tray, where no die was read.
const LARGE_IN_TRAY: f64 = 0.25;
/// The same of what lies at the tray's edge: a hand reaches in from there. A die that is cut there is no larger than a die.
const LARGE_AT_EDGE: f64 = 0.75;

/// What lies in that part of a frame.
pub fn read_tray(frame: &Frame, area: PixelRect) -> DiceSeen {
    let Some(patch) = patch(frame, area) else { return DiceSeen::default() };
    let mut seen = DiceReader::new().read(&patch);
    let moved = |[x, y]: [f64; 2]| [x + area.left as f64, y + area.top as f64];
    for die in &mut seen.readings {
        die.middle = moved(die.middle);
    }
    for refused in &mut seen.refusals {
        refused.middle = moved(refused.middle);
    }
    seen
}

/// That part of a frame in colour; grey where the frame has none.
fn patch(frame: &Frame, area: PixelRect) -> Option<RgbImage> {
    if !area.lies_in(frame.grey.width(), frame.grey.height()) {
        return None;
    }
    let columns = frame.grey.width();
    let rows = area.top..area.top + area.height;
    let data = match &frame.colour {
        Some(colour) => rows
            .flat_map(|y| {
                let from = 3 * (y * columns + area.left);
                colour.data()[from..from + 3 * area.width].iter().copied()
            })
            .collect(),
        None => rows
            .flat_map(|y| {
                let from = y * columns + area.left;
                frame.grey.data()[from..from + area.width].iter().flat_map(|v| [*v; 3])
            })
            .collect(),
    };
    RgbImage::new(area.width, area.height, data)
}

/// What a reading says of a tray of that size.
fn in_tray(seen: DiceSeen, area: PixelRect) -> InTray {
    if seen.readings.is_empty() && seen.refusals.is_empty() {
        return InTray::Empty;
    }
    let mut sides: Vec<f64> = seen.readings.iter().map(|die| die.side).collect();
    sides.sort_by(f64::total_cmp);
    let least = area.width.min(area.height) as f64;
    let side = sides.get(sides.len() / 2);
    let hides = |refused: &DieRefusal| match (side, refused.why) {
        // By itself it may as well be a hand.
        (None, WhyNot::AtTheEdge) => true,
        (Some(side), WhyNot::AtTheEdge) => refused.radius > LARGE_AT_EDGE * side,
        (Some(side), _) => refused.radius > LARGE * side,
        (None, _) => refused.radius > LARGE_IN_TRAY * least,
    };
    if seen.refusals.iter().any(hides) {
        return InTray::Covered;
    }
    InTray::Dice(seen)
}

/// Readings of a tray that rests, until two in a row agree.
#[derive(Debug, Clone)]
pub struct TrayReading {
    rest: AtRest,
    reads: usize,
}

/// After so many readings that do not agree it is given up until something moves.
const MOST: usize = 6;

impl TrayReading {
    /// Of a tray that moves: two pictures have to agree. Of a single picture that nothing follows one is enough.
    pub fn new(pictures: usize) -> Self {
        Self { rest: AtRest::new(RestSettings { pictures, ..RestSettings::default() }), reads: 0 }
    }

    /// Takes the next reading. What lies there, once it is settled.
    pub fn next(&mut self, seen: DiceSeen, area: PixelRect) -> Option<InTray> {
        self.reads += 1;
        match self.rest.next(seen) {
            Some(seen) => Some(in_tray(seen.clone(), area)),
            None => (self.reads >= MOST).then_some(InTray::Unsure),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracking::{CameraId, CapturedAt};
    use crate::vision::dice::DieReading;
    use crate::vision::sim::{Throw, TrayScene};
    use std::sync::Arc;
    use std::time::Duration;

    const AREA: PixelRect = PixelRect { left: 100, top: 50, width: 320, height: 240 };

    fn die(value: u8, x: f64) -> DieReading {
        DieReading { value, middle: [x, 100.0], side: 30.0, confidence: 0.8, colour: [240, 240, 240] }
    }

    fn refusal(radius: f64) -> DieRefusal {
        DieRefusal { middle: [250.0, 150.0], radius, why: WhyNot::NoFace }
    }

    #[test]
    fn the_tray_is_read_where_it_lies_in_the_picture_and_nothing_beside_it() {
        let mut scene = TrayScene::thrown(Throw::Apart, 4);
        scene.dice.truncate(1);
        (scene.aslant_deg, scene.px_per_mm) = (8.0, 3.0);
        let (side, at) = (scene.dice[0].side_mm, [5.0, -6.0]);
        (scene.dice[0].value, scene.dice[0].gloss) = (5, 0.0);
        scene.dice[0].middle_mm = [at[0], at[1], side / 2.0];
        let drawn = scene.draw(320, 240);
        let mut whole = RgbImage::new(640, 480, vec![60; 3 * 640 * 480]).expect("a picture");
        for y in 0..240 {
            let to = 3 * ((y + AREA.top) * 640 + AREA.left);
            whole.data_mut()[to..to + 960].copy_from_slice(&drawn.data()[960 * y..960 * (y + 1)]);
        }
        let frame = Frame {
            seq: 0,
            captured_at: CapturedAt(Duration::ZERO),
            camera: CameraId(0),
            grey: Arc::new(whole.to_grey()),
            colour: Some(Arc::new(whole)),
            label: String::new(),
        };
        let seen = read_tray(&frame, AREA);
        assert_eq!(seen.readings.iter().map(|d| d.value).collect::<Vec<_>>(), [5], "{seen:?}");
        let [x, y] = scene.face_px(&scene.dice[0], 320, 240);
        let [found_x, found_y] = seen.readings[0].middle;
        assert!((found_x - x - 100.0).hypot(found_y - y - 50.0) < 3.0, "{seen:?}");
        assert_eq!(read_tray(&frame, PixelRect { left: 400, ..AREA }), DiceSeen::default(), "outside");
    }

    #[test]
    fn what_is_larger_than_a_die_hides_the_tray() {
        let seen = |readings: Vec<DieReading>, refusals: Vec<DieRefusal>| DiceSeen { readings, refusals };
        let of = |seen: DiceSeen| in_tray(seen, AREA);
        assert_eq!(of(seen(vec![], vec![])), InTray::Empty);
        assert!(matches!(of(seen(vec![die(4, 150.0)], vec![refusal(24.0)])), InTray::Dice(_)));
        assert_eq!(of(seen(vec![die(4, 150.0)], vec![refusal(70.0)])), InTray::Covered);
        assert!(matches!(of(seen(vec![], vec![refusal(24.0)])), InTray::Dice(_)));
        assert_eq!(of(seen(vec![], vec![refusal(70.0)])), InTray::Covered);
        let at_the_edge = |radius| DieRefusal { why: WhyNot::AtTheEdge, ..refusal(radius) };
        assert!(matches!(of(seen(vec![die(4, 150.0)], vec![at_the_edge(15.0)])), InTray::Dice(_)));
        assert_eq!(of(seen(vec![die(4, 150.0)], vec![at_the_edge(24.0)])), InTray::Covered);
        assert_eq!(of(seen(vec![], vec![at_the_edge(15.0)])), InTray::Covered);
    }

    #[test]
    fn two_readings_must_agree_and_six_that_do_not_are_unsure() {
        let seen = |value| DiceSeen { readings: vec![die(value, 150.0)], refusals: vec![] };
        let mut reading = TrayReading::new(2);
        assert_eq!(reading.next(seen(4), AREA), None);
        assert_eq!(reading.next(seen(5), AREA), None);
        assert_eq!(reading.next(seen(5), AREA), Some(InTray::Dice(seen(5))));
        let mut reading = TrayReading::new(2);
        let told: Vec<_> = (0..6).map(|n| reading.next(seen(1 + n % 2), AREA)).collect();
        assert_eq!(told[..5], [None, None, None, None, None]);
        assert_eq!(told[5], Some(InTray::Unsure));
    }
}
