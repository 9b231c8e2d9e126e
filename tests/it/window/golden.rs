//! A few small pictures of the window, compared with those in `tests/it/golden`.
//!
//! They are painted off-screen, so they are the same on every machine but for what the simulated
//! camera's last digits do; the tolerance is for those. `UPDATE_SNAPSHOTS=true` writes them anew:
//! look at them before they are committed.

use super::table;
use egui::Theme;
use groma::app::command::{Command, Layout, Page, Slot};
use groma::app::offscreen::Offscreen;
use groma::app::theme;
use groma::app::window::Window;
use groma::vision::RgbImage;
use std::path::PathBuf;
use std::time::Duration;

/// Channels may differ by so much before a pixel counts as different.
const LEVELS: u8 = 24;
/// The share of pixels that may.
const SHARE: f64 = 0.006;
/// A golden picture is no larger than this.
const MOST_BYTES: u64 = 100_000;

/// A part of the window: left, top, width, height in points.
type Part = [usize; 4];

fn picture(window: &mut Window, height: f32) -> RgbImage {
    let mut screen = Offscreen::new(1000.0, height, 1.0);
    theme::install(screen.context());
    for _ in 0..3 {
        screen.pass(Duration::from_millis(100), |ui| window.show(ui));
    }
    screen.picture()
}

fn cut(picture: &RgbImage, [left, top, width, height]: Part) -> RgbImage {
    let rows = (top..top + height).flat_map(|y| {
        let from = (y * picture.width() + left) * 3;
        picture.data()[from..from + width * 3].iter().copied()
    });
    RgbImage::new(width, height, rows.collect()).expect("three bytes a pixel")
}

fn compare(name: &str, found: &RgbImage) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/it/golden").join(format!("{name}.png"));
    let (width, height) = (found.width() as u32, found.height() as u32);
    let write = |path: &PathBuf| {
        let image =
            image::RgbImage::from_raw(width, height, found.data().to_vec()).expect("three bytes a pixel");
        image.save(path).expect("the picture can be written");
    };
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some_and(|v| v == "true") {
        write(&path);
    }
    let bytes = std::fs::metadata(&path).map(|m| m.len()).unwrap_or_default();
    assert!((1..=MOST_BYTES).contains(&bytes), "{} is {bytes} bytes", path.display());
    let kept = image::open(&path).expect("a golden picture").to_rgb8();
    assert_eq!((kept.width(), kept.height()), (width, height), "{name}: another size");
    let far = |(a, b): (&[u8], &[u8])| a.iter().zip(b).any(|(p, q)| p.abs_diff(*q) > LEVELS);
    let different =
        kept.as_raw().chunks_exact(3).zip(found.data().chunks_exact(3)).filter(|pair| far(*pair)).count();
    let share = different as f64 / f64::from(width * height);
    if share > SHARE {
        let seen = std::env::temp_dir().join(format!("groma-{name}.png"));
        write(&seen);
        panic!(
            "{name}: {:.2} % of the pixels differ; this run's picture is {}",
            share * 100.0,
            seen.display()
        );
    }
}

fn ask(window: &mut Window, commands: impl IntoIterator<Item = Command>) {
    for command in commands {
        window.logic_mut().carry_out(command);
    }
}

fn pick(a: &str, b: &str) -> [Command; 2] {
    [Command::Pick(a.to_owned()), Command::Pick(b.to_owned())]
}

#[test]
fn the_board_with_a_threat_zone() {
    let mut window = table::window(Theme::Dark);
    ask(&mut window, pick("Hastati 1", "Phalanx 1"));
    ask(&mut window, [Command::Show(Layout::Board)]);
    compare("board-dark", &cut(&picture(&mut window, 620.0), [110, 60, 420, 420]));
}

#[test]
fn the_rulings_of_two_elements() {
    let mut window = table::window(Theme::Dark);
    ask(&mut window, pick("Hastati 1", "Phalanx 1"));
    compare("rulings-dark", &cut(&picture(&mut window, 620.0), [632, 50, 360, 500]));
}

#[test]
fn a_combat_with_dice() {
    let mut window = table::window(Theme::Light);
    ask(&mut window, pick("Hastati 2", "Libyans"));
    ask(
        &mut window,
        [
            Command::Turn(Page::Combat),
            Command::TypeDie(Slot::First, "5".to_owned()),
            Command::TypeDie(Slot::Second, "2".to_owned()),
            Command::TakeTypedDice,
        ],
    );
    compare("combat-light", &cut(&picture(&mut window, 860.0), [632, 290, 360, 470]));
}

#[test]
fn the_camera_s_picture_with_outlines() {
    let mut window = table::window(Theme::Dark);
    ask(&mut window, pick("Hastati 2", "Libyans"));
    compare("picture-dark", &cut(&picture(&mut window, 620.0), [12, 54, 320, 200]));
}
