//! Bases without tags, judged in the window: a picture that is held, corners that are clicked a little off, and a page of
//! evidence.

use super::{click, has, keep, table};
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use groma::app::command::{Command, SpotCommand};
use groma::app::offscreen::Offscreen;
use groma::app::outside::{NamedFiles, Opener, Setup};
use groma::app::window::Window;
use groma::geometry::Pose;
use groma::judge::samples;
use groma::session::evidence::check;
use groma::vision::sim::{
    Clutter, Figures, Motion, Placement, Scene, SimBase, SimSettings, SimulatedCamera, View,
};
use groma::vision::{CameraModel, PixelPoint};
use nalgebra::Point3;
use std::sync::Arc;
use std::time::Duration;

/// Bases of 40 by 15 mm without a tag on the sample table: E faces A, so far from it, edge to edge.
const APART_MM: f64 = 30.0;

fn places() -> [(&'static str, Pose); 2] {
    [("A", Pose::new(290.0, 280.0, 90.0)), ("E", Pose::new(300.0, 280.0 + 15.0 + APART_MM, 270.0))]
}

fn camera() -> SimulatedCamera {
    let base = |name: &str, side: usize, colour: [u8; 3]| SimBase {
        name: name.to_owned(),
        side,
        width_mm: 40.0,
        depth_mm: 15.0,
        thickness_mm: 2.0,
        tags: Vec::new(),
        colour,
        figures: Figures::Empty,
    };
    let bases = vec![base("A", 0, [150, 110, 70]), base("E", 1, [90, 80, 60])];
    let placements =
        places().map(|(name, pose)| Placement { name: name.to_owned(), pose, ground_mm: 0.0 }).to_vec();
    let reference = samples::table().reference;
    let scene = Scene::placed(600.0, 600.0, reference, bases, placements).expect("a scene");
    let settings = SimSettings { motion: Motion::Still, clutter: Clutter::None, ..SimSettings::default() };
    let view = View { lean_deg: 14.0, aside_deg: 5.0, roll_deg: 2.0 };
    SimulatedCamera::looking(scene, settings, view, 3).expect("a camera")
}

fn window() -> (Harness<'static, Window>, CameraModel) {
    let model = *camera().camera();
    let open: Opener = Arc::new(|_| Ok(Box::new(camera())));
    let setup: Setup = table::loaded(&NamedFiles::default(), open);
    (super::harness(table::over(egui::Theme::Dark, setup, table::outside())), model)
}

/// Where the corners of a base's upper rim are in the picture, from the front left clockwise.
fn corners(model: &CameraModel, pose: Pose) -> [PixelPoint; 4] {
    let at = [(-20.0, 7.5), (20.0, 7.5), (20.0, -7.5), (-20.0, -7.5)];
    at.map(|(right, ahead)| {
        let p = pose.at(right, ahead);
        model.image_from_table(Point3::new(p.x, p.y, 2.0)).expect("in front")
    })
}

fn ask(harness: &mut Harness<'_, Window>, command: SpotCommand) {
    harness.state_mut().logic_mut().carry_out(Command::Spot(command));
    harness.run_ok();
}

/// A click on the picture of the spot, which fills its pane.
fn click_picture(harness: &mut Harness<'_, Window>, at: PixelPoint) {
    let pane = harness.get_by_label("Picture of the spot").rect();
    let scale = pane.width() / 1920.0;
    let point = pane.min + egui::vec2(at.x as f32 + 0.5, at.y as f32 + 0.5) * scale;
    harness.hover_at(point);
    harness.run_ok();
    for pressed in [true, false] {
        let button = egui::PointerButton::Primary;
        harness.event(egui::Event::PointerButton {
            pos: point,
            button,
            pressed,
            modifiers: egui::Modifiers::NONE,
        });
    }
    harness.run_ok();
}

fn keep_page(name: &str, window: &mut Window) {
    for (width, height, scale) in [(1280.0, 720.0, 1.0), (1920.0, 1080.0, 2.0)] {
        let mut screen = Offscreen::new(width, height, scale);
        groma::app::theme::install(screen.context());
        window.on_another_screen();
        for _ in 0..3 {
            screen.pass(Duration::from_millis(100), |ui| window.show(ui));
        }
        keep(name, &screen.picture());
    }
}

#[test]
fn two_bases_without_tags_are_clicked_and_judged_and_evidence_is_written() {
    let (mut harness, model) = window();
    harness.key_press(Key::M);
    harness.run_ok();
    click(&mut harness, "Freeze (F)");
    assert!(has(&harness, "Plane from the table's reference tags"));
    assert!(has(&harness, "Click the front left corner of A."));
    // The hand is off by two or three pixels, each time another way.
    let off = [(2.0, -1.5), (-2.5, 1.0), (1.0, 2.0), (-1.5, -2.0)];
    let [first, second] = places().map(|(_, pose)| corners(&model, pose));
    for (at, (x, y)) in first.iter().zip(off) {
        click_picture(&mut harness, PixelPoint::new(at.x + x, at.y + y));
    }
    assert!(has(&harness, "Click the front left corner of B."), "four corners are all there are");
    keep_page("spot-clicking", harness.state_mut());
    for (at, (x, y)) in second.iter().zip(off).take(2) {
        click_picture(&mut harness, PixelPoint::new(at.x - x, at.y + y));
    }
    // 30 mm apart: within a threat zone 40 mm deep (dba3.tz.1), by the width that they share.
    harness.get_by_label("Is A in the threat zone of B? Yes");
    keep_page("spot-zone", harness.state_mut());
    harness.key_press(Key::Num2);
    harness.run_ok();
    harness.get_by_label("Is A in contact with the front of B? No");
    harness.key_press(Key::Num5);
    harness.run_ok();
    let page = harness.state().state().spot_page().expect("it is open");
    let found = page.answers().expect("measured").expect("found");
    let distance = found.to(groma::app::command::SpotAsk::Distance).next().expect("asked");
    let (mm, sigma) = (distance.ruling.margin.mm, distance.weighed.sigma_mm);
    // Clicks alone, of 3 px, would put two bases 2.6 mm apart to and fro: 0.62 mm a pixel here.
    assert!((mm - APART_MM).abs() < 3.0 * sigma.max(0.1) && sigma < 2.6, "{mm} +- {sigma}");
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("evidence.html");
    ask(&mut harness, SpotCommand::TypeFile(path.display().to_string()));
    ask(&mut harness, SpotCommand::Evidence);
    assert!(has(&harness, "Both players write down its mark"), "{:?}", harness.state().state().spot_page());
    let text = std::fs::read_to_string(&path).expect("the page");
    let mark = check(&text).expect("as it was made");
    assert!(has(&harness, &groma::session::evidence::short(&mark)));
    // A click is taken back, and so is what rests on it.
    harness.key_press(Key::Z);
    harness.run_ok();
    assert!(has(&harness, "Click the front right corner of B."));
    assert!(!has(&harness, "Evidence (E)"));
    harness.key_press(Key::Escape);
    harness.run_ok();
    assert!(harness.state().state().spot_page().is_none());
}

#[test]
fn what_is_wrong_with_a_picture_or_a_base_is_told() {
    let (mut harness, model) = window();
    ask(&mut harness, SpotCommand::Open);
    ask(&mut harness, SpotCommand::TypeSource("nowhere/at-all.jpg".to_owned()));
    ask(&mut harness, SpotCommand::Freeze);
    assert!(has(&harness, "there is no such file"));
    ask(&mut harness, SpotCommand::TypeSource(String::new()));
    ask(&mut harness, SpotCommand::Freeze);
    use groma::app::command::SpotField;
    ask(&mut harness, SpotCommand::Type(0, SpotField::Size, "40".to_owned()));
    let [first, second] = places().map(|(_, pose)| corners(&model, pose));
    for at in &first[..2] {
        ask(&mut harness, SpotCommand::Click(*at));
    }
    ask(&mut harness, SpotCommand::Second);
    for at in &second[..2] {
        ask(&mut harness, SpotCommand::Click(*at));
    }
    assert!(has(&harness, "A: write its width and depth in mm, as 40x15."));
    ask(&mut harness, SpotCommand::Type(0, SpotField::Size, "40x15".to_owned()));
    ask(&mut harness, SpotCommand::Type(1, SpotField::Troop, "9Zz".to_owned()));
    assert!(has(&harness, "there is no troop \"9Zz\""));
    ask(&mut harness, SpotCommand::Type(1, SpotField::Troop, "Cv".to_owned()));
    harness.get_by_label("Is A in the threat zone of B? Yes");
}
