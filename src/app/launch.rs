//! Opens the window on a display, and says in words where that cannot be done.

use crate::app::theme;
use crate::app::window::Window;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Why there is no window.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LaunchError {
    /// Neither X11 nor Wayland is there.
    #[error(
        "there is no display (neither DISPLAY nor WAYLAND_DISPLAY is set). \
         Run `groma demo --headless` for pictures of the window instead, or start groma on a desktop"
    )]
    NoDisplay,
    /// A display is named but no window can be opened on it.
    #[error(
        "the window cannot be opened: {0}. Run `groma demo --headless` for pictures of the window \
         instead, or start groma on a desktop with OpenGL"
    )]
    Display(String),
    /// The window was open and broke down.
    #[error("the window broke down: {0}. Please report this with what you did last")]
    Broken(String),
}

/// Whether there is a display to try. Off Linux there always is one to try.
pub fn display_is_named() -> bool {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || set("DISPLAY") || set("WAYLAND_DISPLAY") || set("WAYLAND_SOCKET")
}

/// Runs `window` until it is closed; `source` is opened first, `second` beside it where it is not empty.
///
/// # Errors
/// Where there is no display, or it refuses, or the window breaks down.
pub fn run(mut window: Window, source: String, second: String) -> Result<(), LaunchError> {
    if !display_is_named() {
        return Err(LaunchError::NoDisplay);
    }
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default()
            .with_title("Groma")
            .with_app_id("groma")
            .with_inner_size(BEGIN)
            .with_min_inner_size(LEAST),
        renderer: eframe::Renderer::Glow,
        ..eframe::NativeOptions::default()
    };
    let shown = Arc::new(Mutex::new(false));
    let seen = Arc::clone(&shown);
    // A window system that is half there makes its library panic: that is a message too, not a trace.
    let words = Arc::new(Mutex::new(None));
    let kept = Arc::clone(&words);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(info.to_string().replace('\n', " "));
    }));
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        let create: eframe::AppCreator<'_> = Box::new(move |cc| {
            theme::install(&cc.egui_ctx);
            let ctx = cc.egui_ctx.clone();
            window.logic_mut().wake_with(Arc::new(move || ctx.request_repaint()));
            window.logic_mut().open_with_second(&source, &second);
            Ok(Box::new(App { window, shown: seen, fitted: false }))
        });
        eframe::run_native("groma", options, create)
    }));
    std::panic::set_hook(before);
    let was_shown = *shown.lock().unwrap_or_else(PoisonError::into_inner);
    let why = match outcome {
        Ok(Ok(())) => return Ok(()),
        Ok(Err(error)) => without_place(&error.to_string()),
        Err(_) => {
            let panic = words.lock().unwrap_or_else(PoisonError::into_inner).take().unwrap_or_default();
            without_place(&panic)
        }
    };
    Err(if was_shown { LaunchError::Broken(why) } else { LaunchError::Display(on_display(&why)) })
}

/// A refusal with the display that refused, and without its libraries' names.
fn on_display(why: &str) -> String {
    let reason = ["winit EventLoopError: ", "os error: "]
        .into_iter()
        .fold(why, |words, prefix| words.strip_prefix(prefix).unwrap_or(words));
    let named = ["WAYLAND_DISPLAY", "DISPLAY"].into_iter().find_map(|name| {
        let value = std::env::var(name).ok().filter(|value| !value.is_empty())?;
        Some(format!("{name} is {value}"))
    });
    match named {
        Some(named) => format!("{reason} ({named}; check that this display is there)"),
        None => reason.to_owned(),
    }
}

/// A window system's message without the place in its library's source that it names.
fn without_place(words: &str) -> String {
    let Some((before, rest)) = words.split_once(" at ").filter(|(_, rest)| rest.contains(".rs:")) else {
        return words.to_owned();
    };
    let after = rest.split_once(".rs:").map_or("", |(_, after)| after);
    format!("{before}{}", after.trim_start_matches(|c: char| c.is_ascii_digit()))
}

/// The window inside eframe.
struct App {
    window: Window,
    shown: Arc<Mutex<bool>>,
    fitted: bool,
}

/// The window before its monitor is known, points; and the least that it shrinks to.
const BEGIN: egui::Vec2 = egui::vec2(1280.0, 720.0);
const LEAST: egui::Vec2 = egui::vec2(900.0, 560.0);

/// A window's first size on a monitor of this size, points: most of it, and nothing beyond its edges. No
/// window manager is needed for that.
fn first_size(monitor: egui::Vec2) -> egui::Vec2 {
    (monitor * 0.92).max(LEAST).min(monitor)
}

impl App {
    /// Fits the window to its monitor once.
    fn fit(&mut self, ctx: &egui::Context) {
        let Some(monitor) = ctx.input(|input| input.viewport().monitor_size).filter(|_| !self.fitted) else {
            return;
        };
        self.fitted = true;
        if monitor.min_elem() > 1.0 {
            let size = first_size(monitor);
            ctx.send_viewport_cmd(egui::ViewportCommand::InnerSize(size));
            let corner = ((monitor - size) / 2.0).to_pos2();
            ctx.send_viewport_cmd(egui::ViewportCommand::OuterPosition(corner));
        }
    }
}

impl eframe::App for App {
    fn logic(&mut self, _ctx: &egui::Context, _frame: &mut eframe::Frame) {
        self.window.tick(Instant::now());
    }

    fn ui(&mut self, ui: &mut egui::Ui, _frame: &mut eframe::Frame) {
        self.fit(ui.ctx());
        self.window.show(ui);
        *self.shown.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_fits_its_monitor() {
        // To a whole point.
        let of = |w: f32, h: f32| first_size(egui::vec2(w, h)).round();
        assert_eq!(of(1920.0, 1080.0), egui::vec2(1766.0, 994.0));
        // On a small one it takes all there is.
        assert_eq!(of(1024.0, 600.0), egui::vec2(942.0, 560.0));
        assert_eq!(of(800.0, 480.0), egui::vec2(800.0, 480.0));
    }

    #[test]
    fn a_place_in_a_library_is_left_out_and_the_rest_stays() {
        let told =
            "os error at /registry/winit-0.30.13/src/mod.rs:788: Failed to open connection to X server";
        assert_eq!(without_place(told), "os error: Failed to open connection to X server");
        assert_eq!(without_place("nothing at all"), "nothing at all");
    }
}
