//! The page on which terrain is drawn: proposed from the picture, drawn by hand and by keys, judged, saved.

use super::super::terrain::overlap;
use super::{click, harness, has, keep, on_the_table, table, wait};
use egui::{Key, Modifiers, Pos2};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use groma::app::command::{Command, Sort, TerrainCommand};
use groma::app::offscreen::Offscreen;
use groma::app::outside::{NamedFiles, Opener, Outside, Setup};
use groma::app::state::TerrainPage;
use groma::app::window::Window;
use groma::cli::sim_scene::scene_from;
use groma::geometry::Point;
use groma::judge::{parse_table, samples};
use groma::rules::terrain::TerrainKind;
use groma::session::journal::Kept;
use groma::vision::FrameSource;
use groma::vision::outline::propose;
use groma::vision::sim::{Motion, SimSettings, SimulatedCamera, TerrainSort};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A simulated table on which nothing lies on the painted hill but bases.
const SEED: u64 = 5;

fn camera() -> SimulatedCamera {
    let scene = scene_from(&samples::table(), &samples::roster(), SEED).expect("a scene");
    let settings = SimSettings { motion: Motion::Still, ..SimSettings::default() }.with_size(1280, 720);
    SimulatedCamera::new(scene, settings, SEED).expect("a camera")
}

fn setup(named: &NamedFiles) -> Result<Setup, String> {
    let open: Opener = Arc::new(|_| Ok(Box::new(camera()) as Box<dyn FrameSource>));
    let path = named.table.as_ref().expect("a table file");
    let text = std::fs::read_to_string(path).map_err(|error| error.to_string())?;
    let read = parse_table("table.ron", &text).map_err(|mistakes| mistakes.to_string())?;
    let samples = table::loaded(named, open);
    let kept = Kept { name: samples.kept.0.name.clone(), text };
    Ok(Setup { table: read, kept: (kept, samples.kept.1.clone()), ..samples })
}

fn page_over(dir: &Path) -> Harness<'static, Window> {
    let path = dir.join("table.ron");
    std::fs::write(&path, samples::TABLE_RON).expect("a file");
    let named = NamedFiles { table: Some(path), rosters: vec![dir.join("roster.ron")], lens: None };
    let outside = Outside { load: Arc::new(setup), ..table::outside() };
    let window = table::over(egui::Theme::Dark, setup(&named).expect("a table"), outside);
    let mut harness = harness(window);
    click(&mut harness, "Terrain");
    wait(&mut harness, "the board from above", |h| page(h).above().is_some());
    harness
}

fn page<'h>(harness: &'h Harness<'_, Window>) -> &'h TerrainPage {
    harness.state().state().terrain_page().expect("the page is open")
}

fn ask(harness: &mut Harness<'_, Window>, command: TerrainCommand) {
    harness.state_mut().logic_mut().carry_out(Command::Terrain(command));
    harness.run_ok();
}

fn on_screen(harness: &Harness<'_, Window>, at: Point) -> Pos2 {
    let rect = harness.get_by_label_contains("Board from above").rect();
    let (made, _) = page(harness).above().expect("it was seen");
    let ((w, h), (x, y)) = (made.size(), made.pixel(at));
    rect.min + egui::vec2(x as f32 / w as f32 * rect.width(), y as f32 / h as f32 * rect.height())
}

fn press(harness: &mut Harness<'_, Window>, at: Pos2, pressed: bool) {
    harness.event(egui::Event::PointerButton {
        pos: at,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
    harness.run_ok();
}

fn drag(harness: &mut Harness<'_, Window>, from: Pos2, to: Pos2) {
    harness.hover_at(from);
    harness.run_ok();
    press(harness, from, true);
    for share in [0.3f32, 0.7, 1.0] {
        harness.hover_at(from + (to - from) * share);
        harness.run_ok();
    }
    press(harness, to, false);
}

fn shots(name: &str, window: &mut Window) {
    for (width, height, ppp) in [(1280.0, 720.0, 1.0), (1920.0, 1080.0, 2.0)] {
        let mut screen = Offscreen::new(width, height, ppp);
        groma::app::theme::install(screen.context());
        for _ in 0..3 {
            screen.pass(Duration::from_millis(100), |ui| window.show(ui));
        }
        keep(name, &screen.picture());
    }
}

#[test]
fn a_hill_is_clicked_dragged_judged_and_saved_beside_every_comment() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut harness = page_over(dir.path());
    let hill =
        camera().terrain().iter().find(|t| t.sort == TerrainSort::PaintedHill).expect("a hill").clone();
    // A place of it on which nothing stands.
    let at = {
        let made = page(&harness).above().expect("seen").0;
        let (low, high) = hill.outline.bounds();
        let grid = (1..20).flat_map(|x| (1..20).map(move |y| (f64::from(x) / 20.0, f64::from(y) / 20.0)));
        let places =
            grid.map(|(u, v)| Point::new(low.x + u * (high.x - low.x), low.y + v * (high.y - low.y)));
        let free =
            |p: &Point| hill.outline.depth_of(*p).0 > 20.0 && made.index(*p).is_some_and(|n| made.shown[n]);
        places.into_iter().find(free).expect("some of it shows")
    };
    ask(&mut harness, TerrainCommand::Draw(Sort::Area(TerrainKind::GentleHill)));
    let point = on_screen(&harness, at);
    harness.hover_at(point);
    harness.run_ok();
    press(&mut harness, point, true);
    press(&mut harness, point, false);
    wait(&mut harness, "the outline", |h| page(h).items().len() == 1);
    let drawn = page(&harness).ground().features[0].clone();
    assert_eq!((drawn.name.as_str(), drawn.kind), ("Gentle hill", TerrainKind::GentleHill));
    // How good a proposal is is measured elsewhere: here it is the one for the place that was clicked.
    let proposed = propose(page(&harness).above().expect("seen").0, at).expect("an outline");
    let share = overlap(&drawn.outline, &proposed.outline);
    // The click lies within a point of the screen of it.
    assert!(share > 0.95 && drawn.outline.depth_of(at).0 > 0.0, "{share}");
    assert!(drawn.hill.is_some(), "a hill has a crest");
    // The rules are asked at once, and say which clause.
    wait(&mut harness, "the rules' word", |h| page(h).told().iter().any(|t| t.name == "Gentle hill"));
    harness.run_ok();
    assert!(has(&harness, "dba3."), "a clause is named");
    shots("terrain-hill", harness.state_mut());
    // All of it is dragged 30 mm to the right, and that is undone.
    let middle = drawn.outline.centroid();
    let inside = [middle, at].into_iter().find(|p| drawn.outline.depth_of(*p).0 > 15.0).expect("a place");
    let (from, to) =
        (on_screen(&harness, inside), on_screen(&harness, Point::new(inside.x + 30.0, inside.y)));
    drag(&mut harness, from, to);
    let moved = page(&harness).ground().features[0].outline.centroid() - middle;
    assert!((moved.x - 30.0).abs() < 1.5 && moved.y.abs() < 1.5, "{moved}");
    click(&mut harness, "Undo");
    assert_eq!(page(&harness).ground().features[0], drawn);
    // Saved: comments, backup, and the engine knows the hill; the battle's record goes on.
    let before = harness.state().state().kept().view().records;
    click(&mut harness, "Save to table file");
    assert!(harness.state().state().kept().view().records > before);
    assert!(has(&harness, "Saved in"), "{:?}", page(&harness).note());
    let text = std::fs::read_to_string(dir.path().join("table.ron")).expect("the file");
    assert_eq!(parse_table("t", &text).expect("it reads").ground, *page(&harness).ground());
    for line in samples::TABLE_RON.lines().filter(|line| line.trim_start().starts_with("//")) {
        assert!(text.contains(line), "{line} is gone");
    }
    let backup = std::fs::read_to_string(dir.path().join("table.ron.1.bak")).expect("the file as it was");
    assert_eq!(backup, samples::TABLE_RON);
    assert_eq!(harness.state().state().engine().table().ground.features.len(), 1);
    assert!(!page(&harness).unsaved());
    // It lies where its outline says: the picture is compared once it is seen again.
    wait(&mut harness, "the board from above", |h| page(h).above().is_some());
    click(&mut harness, "Compare");
    wait(&mut harness, "the comparison", |h| !page(h).shifts().is_empty());
    let shift = *page(&harness).shifts().get("Gentle hill").expect("it was compared");
    assert!(shift.is_ok_and(|moved| !moved.is_told()), "{shift:?}");
    // Somebody else changes the file: what he wrote stays.
    std::fs::write(dir.path().join("table.ron"), samples::TABLE_RON).expect("a file");
    ask(&mut harness, TerrainCommand::Pick(None));
    click(&mut harness, "Oblong");
    click(&mut harness, "Save to table file");
    assert!(has(&harness, "was changed by somebody else"));
    let text = std::fs::read_to_string(dir.path().join("table.ron")).expect("the file");
    assert_eq!(text, samples::TABLE_RON);
}

#[test]
fn a_wood_is_drawn_with_keys_alone() {
    let mut harness = on_the_table();
    click(&mut harness, "Terrain");
    let key = |harness: &mut Harness<'_, Window>, modifiers: Modifiers, key: Key| {
        harness.key_press_modifiers(modifiers, key);
        harness.run_ok();
    };
    // The cross-hair goes 11 mm to the right, and a shape is put there: three base widths of 40 mm by two.
    key(&mut harness, Modifiers::SHIFT, Key::ArrowRight);
    key(&mut harness, Modifiers::NONE, Key::ArrowRight);
    assert_eq!(page(&harness).aim(), Point::new(311.0, 300.0));
    click(&mut harness, "Oblong");
    let wood = page(&harness).ground().features[0].clone();
    assert_eq!((wood.name.as_str(), wood.outline.bounds().0), ("Wood", Point::new(251.0, 260.0)));
    // All of it up by 1 mm; then its first corner alone to the left by 10; then a corner between that and the next.
    key(&mut harness, Modifiers::NONE, Key::ArrowUp);
    key(&mut harness, Modifiers::NONE, Key::P);
    key(&mut harness, Modifiers::SHIFT, Key::ArrowLeft);
    key(&mut harness, Modifiers::NONE, Key::I);
    let corners = page(&harness).ground().features[0].outline.corners().to_vec();
    assert_eq!(corners.len(), 5);
    assert!(
        corners.contains(&Point::new(241.0, 261.0)) && corners.contains(&Point::new(306.0, 261.0)),
        "{corners:?}"
    );
    // The picked point is the new one: it goes; then everything is undone, and done again.
    key(&mut harness, Modifiers::NONE, Key::Delete);
    assert_eq!(page(&harness).ground().features[0].outline.corners().len(), 4);
    for _ in 0..4 {
        key(&mut harness, Modifiers::COMMAND, Key::Z);
    }
    assert_eq!(page(&harness).ground().features[0], wood);
    key(&mut harness, Modifiers::COMMAND.plus(Modifiers::SHIFT), Key::Z);
    assert_ne!(page(&harness).ground().features[0], wood);
    // A second of the same name is refused, and an outline that crosses itself.
    click(&mut harness, "Oval");
    assert_eq!(page(&harness).items().len(), 2);
    ask(&mut harness, TerrainCommand::Rename("Wood".to_owned()));
    assert!(has(&harness, "There is a Wood already"));
    // Two woods on one another: the rules want a gap (dba3.place.8), and say so in millimetres.
    assert!(has(&harness, "fails: "));
    shots("terrain-keys", harness.state_mut());
    // The samples are nobody's to save; leaving asks first.
    for _ in 0..2 {
        key(&mut harness, Modifiers::NONE, Key::Escape);
    }
    assert!(has(&harness, "What you drew is not saved"));
    click(&mut harness, "Leave without saving");
    assert!(harness.state().state().terrain_page().is_none());
}
