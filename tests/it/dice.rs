//! Dice read by the camera: rendered throws whose truth is known, and photographs that others took.

use groma::cli::study::{Half, photographed_dice, rendered_dice};
use groma::vision::RgbImage;
use groma::vision::dice::{AtRest, DiceReader, DiceSeen, RestSettings, WhyNot};
use groma::vision::sim::{Throw, TrayScene};
use std::path::{Path, PathBuf};

fn photographs() -> Option<PathBuf> {
    let named = std::env::var_os("GROMA_SHARED").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).map(|dir| dir.join("shared"));
    named.into_iter().chain(above).map(|shared| shared.join("real/dice")).find(|dir| dir.is_dir())
}

#[test]
fn no_die_of_other_peoples_photographs_is_misread() {
    let Some(folder) = photographs() else {
        println!("skipped: no ../shared/real/dice");
        return;
    };
    for (half, dice, least) in [(Half::Chosen, 147, 0.5), (Half::HeldOut, 161, 0.45)] {
        let figures = photographed_dice(&folder, half).expect("the photographs are read");
        println!("{half:?}: {figures}");
        assert_eq!(figures.wrong, 0, "{half:?}: {:#?}", figures.told);
        assert_eq!(figures.right + figures.refused + figures.silent, dice, "every die is counted once");
        assert!(f64::from(figures.right) >= least * f64::from(dice), "{half:?}: {figures}");
        assert!(figures.silent <= 2, "{half:?}: {figures}");
    }
}

#[test]
fn rendered_dice_are_read_and_never_misread() {
    for throw in [Throw::Apart, Throw::Touching] {
        let figures = rendered_dice(throw, 1, 6);
        println!("{throw:?}: {figures}");
        assert_eq!(figures.wrong, 0, "{:#?}", figures.told);
        assert_eq!(figures.silent, 0, "{:#?}", figures.told);
        assert!(figures.right > 2 * figures.refused, "{:#?}", figures.told);
    }
}

#[test]
fn every_value_is_read_in_every_turn() {
    let scene = TrayScene::thrown(Throw::Apart, 4);
    let mut read = 0;
    for value in 1..=6_u8 {
        for turn_deg in [0.0, 31.0, 77.0] {
            let mut scene = scene.clone();
            scene.dice.truncate(1);
            scene.aslant_deg = 8.0;
            scene.px_per_mm = 3.0;
            scene.dice[0].value = value;
            scene.dice[0].turn_deg = turn_deg;
            scene.dice[0].gloss = 0.0;
            scene.dice[0].middle_mm = [10.0, 5.0, scene.dice[0].side_mm / 2.0];
            let seen = DiceReader::new().read(&scene.draw(320, 240));
            for reading in &seen.readings {
                let [x, y] = scene.face_px(&scene.dice[0], 320, 240);
                assert_eq!(reading.value, value, "turned by {turn_deg}");
                let off = (reading.middle[0] - x).hypot(reading.middle[1] - y);
                assert!(off < 0.08 * 3.0 * scene.dice[0].side_mm, "{off} pixels off");
                assert!((0.0..=1.0).contains(&reading.confidence));
            }
            read += seen.readings.len();
            assert_eq!(
                seen.readings.len() + seen.refusals.len(),
                1,
                "{value} turned by {turn_deg}: {seen:?}"
            );
        }
    }
    assert!(read >= 15, "{read} of 18 read");
}

#[test]
fn a_bare_floor_holds_no_dice_and_a_hidden_tray_is_not_looked_at() {
    let mut scene = TrayScene::thrown(Throw::Apart, 2);
    let picture = scene.draw(320, 240);
    // A tray beside the dice.
    let corner = DiceReader::within(vec![[0.0, 0.0], [30.0, 0.0], [30.0, 30.0], [0.0, 30.0]]).read(&picture);
    assert_eq!(corner, DiceSeen::default());
    scene.dice.clear();
    assert_eq!(DiceReader::new().read(&scene.draw(320, 240)), DiceSeen::default());
}

#[test]
fn a_die_cut_by_the_tray_is_refused_as_at_the_edge() {
    let mut scene = TrayScene::thrown(Throw::Apart, 4);
    scene.dice.truncate(1);
    let [x, y] = scene.face_px(&scene.dice[0], 320, 240);
    let picture = scene.draw(320, 240);
    let reader = DiceReader::within(vec![[0.0, 0.0], [x, 0.0], [x, 239.0], [0.0, 239.0]]);
    let seen = reader.read(&picture);
    assert!(seen.readings.is_empty(), "{seen:?} at {x}, {y}");
    assert!(seen.refusals.iter().any(|r| r.why == WhyNot::AtTheEdge), "{seen:?}");
}

#[test]
fn pictures_of_any_size_and_content_are_borne() {
    for (w, h) in [(1, 1), (3, 200), (40, 7), (64, 64)] {
        let noise = (0..3 * w * h).map(|i: usize| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let seen = DiceReader::new().read(&RgbImage::new(w, h, noise).expect("a picture"));
        assert!(seen.readings.is_empty(), "{seen:?}");
    }
    let outside = DiceReader::within(vec![[900.0, 900.0], [950.0, 900.0], [950.0, 950.0]]);
    let grey = RgbImage::new(64, 64, vec![90; 3 * 64 * 64]).expect("a picture");
    assert_eq!(outside.read(&grey), DiceSeen::default());
}

#[test]
fn dice_are_at_rest_once_four_pictures_agree() {
    let scene = TrayScene::thrown(Throw::Apart, 4);
    let seen = DiceReader::new().read(&scene.draw(640, 480));
    assert!(!seen.readings.is_empty());
    let mut rest = AtRest::new(RestSettings::default());
    for _ in 0..3 {
        assert!(rest.next(seen.clone()).is_none());
    }
    assert_eq!(rest.next(seen.clone()), Some(&seen));
    // One rolls on.
    let mut moved = seen.clone();
    moved.readings[0].middle[0] += moved.readings[0].side;
    assert!(rest.next(moved).is_none());
}
