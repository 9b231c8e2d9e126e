//! How the window looks: the page of keys, large text and high contrast, by key and by label; and that nothing is cut.

use super::{click, harness, has, keep, on_the_table, pick, press, table};
use egui::{Color32, Key, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use groma::app::command::{Command, Layout, Mode, ModeCommand, Page};
use groma::app::look::{Contrast, LookCommand, TextSize};
use groma::app::offscreen::Offscreen;
use groma::app::window::Window;
use std::time::Duration;

#[test]
fn f1_lists_the_keys_of_the_page_that_is_shown_and_escape_closes_it_alone() {
    let mut harness = on_the_table();
    pick(&mut harness, "Hastati 1", "Phalanx 1");
    press(&mut harness, Key::F1);
    for line in [
        "Key K: mark the dice tray",
        "Key Ctrl+Shift+Z: do again what was undone",
        "Key F3: large text, or as usual",
    ] {
        harness.get_by_label(line);
    }
    assert!(!has(&harness, "Key F: hold the picture"));
    press(&mut harness, Key::Escape);
    assert!(!has(&harness, "Key K: mark the dice tray"));
    assert!(harness.state().pair().is_some(), "who was picked still is");
    press(&mut harness, Key::M);
    press(&mut harness, Key::F1);
    harness.get_by_label("Key F: hold the picture");
    assert!(!has(&harness, "Key K: mark the dice tray"));
    click(&mut harness, "Close (F1)");
    assert!(!has(&harness, "Key F: hold the picture") && has(&harness, "Bases without tags"));
}

#[test]
fn large_text_and_high_contrast_are_worn_at_once_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let settings = folder.path().join("window.ron");
    let mut harness = on_the_table();
    harness.state_mut().logic_mut().keep_settings_in(settings.clone());
    assert!(!settings.exists(), "nothing was chosen yet");
    press(&mut harness, Key::F2);
    assert_eq!(harness.ctx.style_of(Theme::Dark).visuals.panel_fill, Color32::BLACK);
    press(&mut harness, Key::F3);
    assert!((harness.ctx.zoom_factor() - TextSize::Large.zoom()).abs() < 1e-6);
    click(&mut harness, "Light theme");
    let mut again = table::window(Theme::Dark);
    again.logic_mut().keep_settings_in(settings.clone());
    let look = again.state().look();
    assert_eq!((look.text, look.contrast), (TextSize::Large, Contrast::High));
    assert_eq!(again.state().theme(), Theme::Light);
    for key in [Key::F2, Key::F3] {
        press(&mut harness, key);
    }
    assert!((harness.ctx.zoom_factor() - 1.0).abs() < 1e-6);
    assert_ne!(harness.ctx.style_of(Theme::Dark).visuals.panel_fill, Color32::BLACK);
    // A file that is none is left alone, and told.
    std::fs::write(&settings, "(schema: 9)").expect("a file");
    again.logic_mut().keep_settings_in(settings.clone());
    assert!(again.state().notice().is_some_and(|words| words.contains("schema 9")));
    again.logic_mut().carry_out(Command::Look(LookCommand::Text));
    assert_eq!(std::fs::read_to_string(&settings).expect("the file"), "(schema: 9)");
}

/// The window as large text leaves it of 1280 by 720 points.
fn with_little_room(window: Window) -> Harness<'static, Window> {
    let mut harness = harness(window);
    let zoom = TextSize::Large.zoom();
    harness.set_size(egui::vec2(1280.0 / zoom, 720.0 / zoom));
    harness.run_ok();
    harness
}

#[test]
fn with_large_text_every_button_of_the_bar_and_of_the_pages_is_on_the_screen() {
    let mut harness = with_little_room(table::window(Theme::Dark));
    let screen =
        egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 720.0) / TextSize::Large.zoom());
    let inside = |harness: &Harness<'_, Window>, label: &str| {
        // A page may tell the same words that its button does.
        let rect =
            harness.query_all_by_label(label).next().unwrap_or_else(|| panic!("{label} is not there")).rect();
        assert!(screen.expand(0.5).contains_rect(rect), "{label} at {rect:?} of {screen:?}");
    };
    for mode in [Mode::Umpire, Mode::Game] {
        harness.state_mut().logic_mut().carry_out(Command::Mode(ModeCommand::Be(mode)));
        harness.run_ok();
        for label in [
            "Pause",
            "Open source",
            "More",
            "Demo",
            "Show both",
            "Show picture",
            "Show board",
            "Keys",
            "Light theme",
        ] {
            inside(&harness, label);
        }
        for label in ["Combat", "Moves", "Reach", "Battle", "Clear", "Swap"] {
            inside(&harness, label);
        }
    }
    click(&mut harness, "More");
    for label in ["Calibrate lens", "Measure bases", "No tags", "Terrain", "Tray"] {
        inside(&harness, label);
    }
    press(&mut harness, Key::Escape);
    press(&mut harness, Key::F1);
    inside(&harness, "Close (F1)");
    assert!(has(&harness, "Key F1: this page of keys"));
}

/// Pictures of the window at both sizes that are looked at, in every theme.
#[test]
fn pictures_of_every_look_are_kept_to_be_looked_at() {
    if std::env::var_os("GROMA_SHOTS").is_none() {
        // Nobody looks: that they can be painted is tried by the other tests.
        return;
    }
    let mut window = table::window(Theme::Dark);
    let ask = |window: &mut Window, command| window.logic_mut().carry_out(command);
    for name in ["Hastati 2", "Libyans"] {
        ask(&mut window, Command::Pick(name.to_owned()));
    }
    let shots = |window: &mut Window, name: &str| {
        for (width, height, scale) in [(1280.0, 720.0, 1.0), (1920.0, 1080.0, 2.0)] {
            let mut screen = Offscreen::new(width, height, scale);
            groma::app::theme::install(screen.context());
            for _ in 0..4 {
                screen.pass(Duration::from_millis(100), |ui| window.show(ui));
            }
            keep(name, &screen.picture());
        }
    };
    for theme in ["dark", "light"] {
        for look in ["usual", "high", "high-large", "large"] {
            for (page, name) in [(Page::Combat, "combat"), (Page::Moves, "moves"), (Page::Battle, "battle")] {
                ask(&mut window, Command::Turn(page));
                shots(&mut window, &format!("look-{theme}-{look}-{name}"));
            }
            ask(&mut window, Command::Mode(ModeCommand::Be(Mode::Game)));
            shots(&mut window, &format!("look-{theme}-{look}-game"));
            ask(&mut window, Command::Mode(ModeCommand::Be(Mode::Umpire)));
            ask(&mut window, Command::Show(Layout::Both));
            ask(&mut window, Command::Look(LookCommand::Keys));
            shots(&mut window, &format!("look-{theme}-{look}-keys"));
            ask(&mut window, Command::Look(LookCommand::Keys));
            // Usual, high, high and large, large, usual again.
            let next = if matches!(look, "usual" | "high-large") {
                LookCommand::Contrast
            } else {
                LookCommand::Text
            };
            ask(&mut window, Command::Look(next));
        }
        ask(&mut window, Command::ToggleTheme);
    }
}
