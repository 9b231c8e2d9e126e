//! The window itself: lays the panels out, passes their commands on, and keeps the camera's picture
//! as a texture. The same window runs in eframe, off-screen and in tests.

mod texture;

use crate::app::command::{Command, Layout, Mode, Page, Step, TrayCamera};
use crate::app::keys;
use crate::app::logic::Logic;
use crate::app::look::LookCommand;
use crate::app::panels;
use crate::app::panels::picture::Part;
use crate::app::state::{
    DemoPage, DemoStage, FirstRun, JigPage, LensPage, SpotPage, State, TerrainPage, TrayPage,
};
use crate::app::theme::{self, Palette};
use crate::session::view::PairView;
use egui::{
    Button, CentralPanel, Key, Label, Modifiers, Panel, Rect, RichText, ScrollArea, Sides, Ui, UiBuilder,
    WidgetInfo, pos2, vec2,
};
use std::time::{Duration, Instant};
use texture::{PictureTexture, Shown};

/// The window.
pub struct Window {
    logic: Logic,
    texture: PictureTexture,
    /// The public screen's.
    public: PictureTexture,
}

/// The side panel's width, points.
const SIDE: f32 = 372.0;
/// The list of elements' height below the picture, points: two armies of twelve side by side.
const LIST: f32 = 306.0;
/// Between panes, points.
const GAP: f32 = 12.0;

impl Window {
    /// Over its logic.
    pub fn new(logic: Logic) -> Self {
        Self { logic, texture: PictureTexture::default(), public: PictureTexture::default() }
    }

    /// What is shown.
    pub fn state(&self) -> &State {
        &self.logic.state
    }

    /// What is said of the two that are picked.
    pub fn pair(&self) -> Option<&PairView> {
        self.logic.state.pair()
    }

    /// The logic, for whoever drives the window without a person.
    pub fn logic_mut(&mut self) -> &mut Logic {
        &mut self.logic
    }

    /// It is shown on another screen from now on: pictures that the one before holds are handed over anew.
    pub fn on_another_screen(&mut self) {
        self.texture = PictureTexture::default();
        self.public = PictureTexture::default();
    }

    /// Takes over what has been read since the last call.
    pub fn tick(&mut self, now: Instant) {
        self.logic.tick(now);
    }

    /// Shows everything, and carries out what was asked for.
    pub fn show(&mut self, ui: &mut Ui) {
        let mut out = look_keys(ui, &self.logic.state);
        if self.logic.state.keys_shown() {
            panels::keys::show(ui.ctx(), &self.logic.state, &mut out);
        }
        panels::public::full_screen(ui);
        if self.logic.state.public_shown() {
            let (state, texture) = (&self.logic.state, &mut self.public);
            let mut picture = |ui: &Ui, room: Rect| demo_texture(ui, room, state, texture);
            panels::public::show(ui.ctx(), state, &mut picture, &mut out);
        }
        for command in out {
            self.logic.carry_out(command);
        }
        let state = &self.logic.state;
        theme::wear(ui.ctx(), state.theme(), state.look());
        if let Some(page) = state.lens_page() {
            let mut out = Vec::new();
            lens_page(ui, page, &mut self.texture, &mut out);
            for command in out {
                self.logic.carry_out(command);
            }
            return;
        }
        if let Some(page) = state.jig_page() {
            let mut out = Vec::new();
            jig_page(ui, state, page, &mut self.texture, &mut out);
            for command in out {
                self.logic.carry_out(command);
            }
            return;
        }
        if let Some(page) = state.first_run() {
            let mut out = Vec::new();
            first_run(ui, state, page, &mut self.texture, &mut out);
            for command in out {
                self.logic.carry_out(command);
            }
            return;
        }
        if let Some(page) = state.army_page() {
            let mut out = Vec::new();
            CentralPanel::default()
                .frame(theme::panel(ui))
                .show(ui, |ui| panels::army::whole(ui, page, &mut out));
            for command in out {
                self.logic.carry_out(command);
            }
            return;
        }
        if let Some(page) = state.terrain_page() {
            let mut out = panels::terrain::keys(ui, page);
            terrain_page(ui, state, page, &mut self.texture, &mut out);
            for command in out {
                self.logic.carry_out(command);
            }
            return;
        }
        if let Some(page) = state.spot_page() {
            let mut out = spot_keys(ui);
            spot_page(ui, state, page, &mut self.texture, &mut out);
            for command in out {
                self.logic.carry_out(command);
            }
            return;
        }
        if let Some(page) = state.tray().page() {
            let mut out = panels::tray::page_keys(ui, state, page);
            tray_page(ui, state, page, &mut self.texture, &mut out);
            for command in out {
                self.logic.carry_out(command);
            }
            return;
        }
        if let Some(page) = state.demo() {
            let mut out = demo_keys(ui);
            demo_page(ui, state, page, &mut self.texture, &mut out);
            for command in out {
                self.logic.carry_out(command);
            }
            return;
        }
        if state.clock().runs() {
            // Its seconds go on where no picture comes.
            ui.ctx().request_repaint_after(Duration::from_secs(1));
        }
        if state.setting_up().open {
            let mut out = Vec::new();
            setting_up_page(ui, state, &mut out);
            for command in out {
                self.logic.carry_out(command);
            }
            return;
        }
        let mut out = table_keys(ui, state);
        Panel::top("controls").frame(theme::panel(ui)).show(ui, |ui| {
            panels::controls::show(ui, state, &mut out);
            panels::controls::notice(ui, state, &mut out);
            panels::controls::cautions(ui, state);
        });
        Panel::bottom("status").frame(theme::panel(ui)).show(ui, |ui| panels::status::show(ui, state));
        Panel::right("answers").frame(theme::panel(ui)).resizable(false).exact_size(SIDE).show(ui, |ui| {
            side(ui, state, &mut out);
        });
        let texture = &mut self.texture;
        CentralPanel::default().frame(theme::panel(ui)).show(ui, |ui| middle(ui, state, texture, &mut out));
        panels::sources::show(ui, state, &mut out);
        panels::session::ask(ui.ctx(), state, &mut out);
        for command in out {
            self.logic.carry_out(command);
        }
    }
}

/// The page on which a lens is calibrated fills the window.
fn lens_page(ui: &mut Ui, page: &LensPage, texture: &mut PictureTexture, out: &mut Vec<Command>) {
    Panel::right("lens").frame(theme::panel(ui)).resizable(false).exact_size(SIDE).show(ui, |ui| {
        panels::lens::side(ui, page, out);
    });
    CentralPanel::default().frame(theme::panel(ui)).show(ui, |ui| {
        let room = ui.available_rect_before_wrap();
        let shown = page.latest().map(|sight| (&sight.frame, Shown::Lens(page.looks())));
        let id = texture.id(ui, shown, room.width());
        panels::lens::picture(ui, room, page, id);
    });
}

/// The page on which mounts are measured in the jig fills the window.
fn jig_page(
    ui: &mut Ui,
    state: &State,
    page: &JigPage,
    texture: &mut PictureTexture,
    out: &mut Vec<Command>,
) {
    Panel::right("jig").frame(theme::panel(ui)).resizable(false).exact_size(SIDE).show(ui, |ui| {
        panels::jig::side(ui, state, page, out);
    });
    CentralPanel::default().frame(theme::panel(ui)).show(ui, |ui| {
        let room = ui.available_rect_before_wrap();
        let shown = page.latest().map(|sight| (&sight.frame, Shown::Jig(page.looks())));
        let id = texture.id(ui, shown, room.width());
        panels::jig::picture(ui, room, state, page, id);
    });
}

/// The first run fills the window.
fn first_run(
    ui: &mut Ui,
    state: &State,
    page: &FirstRun,
    texture: &mut PictureTexture,
    out: &mut Vec<Command>,
) {
    Panel::top("first run steps").frame(theme::panel(ui)).show(ui, |ui| {
        panels::first_run::top(ui, page, out);
        panels::controls::notice(ui, state, out);
    });
    Panel::bottom("first run ways")
        .frame(theme::panel(ui))
        .show(ui, |ui| panels::first_run::bottom(ui, page, out));
    Panel::right("first run").frame(theme::panel(ui)).resizable(false).exact_size(SIDE).show(ui, |ui| {
        panels::first_run::side(ui, state, page, out);
    });
    CentralPanel::default().frame(theme::panel(ui)).show(ui, |ui| match state.army_page() {
        Some(armies) if page.step == Step::Armies => panels::army::show(ui, armies, out),
        _ => {
            let room = ui.available_rect_before_wrap();
            picture(ui, room, &Part::table(state, room.size()), state, texture, out);
        }
    });
}

/// The page on which terrain is drawn fills the window.
fn terrain_page(
    ui: &mut Ui,
    state: &State,
    page: &TerrainPage,
    texture: &mut PictureTexture,
    out: &mut Vec<Command>,
) {
    Panel::right("terrain").frame(theme::panel(ui)).resizable(false).exact_size(SIDE).show(ui, |ui| {
        panels::terrain::side(ui, state, page, out);
    });
    CentralPanel::default().frame(theme::panel(ui)).show(ui, |ui| {
        let room = ui.available_rect_before_wrap();
        let id = texture.above(ui, page.above());
        panels::terrain::picture(ui, room, page, id, out);
    });
}

/// The page on which bases without tags are judged fills the window.
fn spot_page(
    ui: &mut Ui,
    state: &State,
    page: &SpotPage,
    texture: &mut PictureTexture,
    out: &mut Vec<Command>,
) {
    Panel::right("spot").frame(theme::panel(ui)).resizable(false).exact_size(SIDE).show(ui, |ui| {
        panels::spot::side(ui, state, page, out);
    });
    CentralPanel::default().frame(theme::panel(ui)).show(ui, |ui| {
        let room = ui.available_rect_before_wrap();
        let still = page.still().and_then(Result::ok);
        // Whole: the glass magnifies it.
        let width = still.map_or(1.0, |still| still.frame.grey.width() as f32);
        let id = texture.id(ui, still.map(|s| (&s.frame, Shown::Spot(page.stills()))), width);
        panels::spot::picture(ui, room, page, id, out);
    });
}

/// The keys of that page.
fn spot_keys(ui: &Ui) -> Vec<Command> {
    if ui.ctx().egui_wants_keyboard_input() {
        return Vec::new();
    }
    ui.input_mut(|input| keys::pressed(input, keys::spot()))
}

/// The page on which the dice tray is marked fills the window.
fn tray_page(
    ui: &mut Ui,
    state: &State,
    page: &TrayPage,
    texture: &mut PictureTexture,
    out: &mut Vec<Command>,
) {
    Panel::right("tray").frame(theme::panel(ui)).resizable(false).exact_size(SIDE).show(ui, |ui| {
        panels::tray::side(ui, state, page, out);
    });
    CentralPanel::default().frame(theme::panel(ui)).show(ui, |ui| {
        let room = ui.available_rect_before_wrap();
        let shown = match page.camera {
            TrayCamera::First => state.latest().map(|sight| (&sight.frame, Shown::Table(state.reads()))),
            TrayCamera::Second => state.tray().second().map(|frame| (frame, Shown::Second(frame.seq))),
        };
        let id = texture.id(ui, shown, room.width());
        panels::tray::picture(ui, room, state, page, id, out);
    });
}

/// Demo mode's page fills the window.
fn demo_page(
    ui: &mut Ui,
    state: &State,
    page: &DemoPage,
    texture: &mut PictureTexture,
    out: &mut Vec<Command>,
) {
    CentralPanel::default().frame(theme::panel(ui)).show(ui, |ui| {
        panels::controls::notice(ui, state, out);
        let room = ui.available_rect_before_wrap();
        let id = demo_texture(ui, room, state, texture);
        ui.scope_builder(UiBuilder::new().max_rect(room), |ui| panels::demo::show(ui, state, page, id));
        ui.scope_builder(UiBuilder::new().max_rect(room), |ui| panels::demo::controls(ui, page, out));
    });
}

/// Keys that work on every page. While the page of keys is shown, Escape closes it.
fn look_keys(ui: &Ui, state: &State) -> Vec<Command> {
    ui.input_mut(|input| {
        let mut out = keys::pressed(input, keys::everywhere());
        if state.keys_shown() && input.consume_key(Modifiers::NONE, Key::Escape) {
            out.push(Command::Look(LookCommand::Keys));
        }
        out
    })
}

/// The picture of demo mode, as large as it is shown in that room.
fn demo_texture(ui: &Ui, room: Rect, state: &State, texture: &mut PictureTexture) -> Option<egui::TextureId> {
    let page = state.demo()?;
    let shown = panels::demo::shown(state, page);
    let number = match page.stage() {
        DemoStage::Idle => page.showing().map(|showing| Shown::Loop(showing.looks())),
        DemoStage::Awake | DemoStage::PutBack => Some(Shown::Table(state.reads())),
    };
    let width = shown.as_ref().map_or(1.0, |shown| panels::demo::frame_width(room, shown));
    texture.id(ui, shown.as_ref().map(|s| &s.sight.frame).zip(number), width)
}

/// Demo mode's keys.
fn demo_keys(ui: &Ui) -> Vec<Command> {
    ui.input_mut(|input| keys::pressed(input, keys::demo()))
}

/// The page 'Before the battle' fills the window.
fn setting_up_page(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    Panel::top("before the battle ways").frame(theme::panel(ui)).show(ui, |ui| {
        panels::setting_up::top(ui, state, out);
        panels::controls::notice(ui, state, out);
        panels::controls::cautions(ui, state);
    });
    Panel::right("before the battle").frame(theme::panel(ui)).resizable(false).exact_size(SIDE + 48.0).show(
        ui,
        |ui| {
            panels::setting_up::side(ui, state, out);
        },
    );
    CentralPanel::default().frame(theme::panel(ui)).show(ui, |ui| {
        let room = ui.available_rect_before_wrap();
        panels::setting_up::table(ui, room, state, out);
    });
}

/// Keys that work anywhere but in a text field or the dialog.
fn table_keys(ui: &Ui, state: &State) -> Vec<Command> {
    if state.dialog().is_some() || ui.ctx().egui_wants_keyboard_input() {
        return Vec::new();
    }
    if state.session().carrying_on.is_some() {
        return ui.input_mut(|input| keys::pressed(input, keys::carry_on()));
    }
    let mut all = Vec::new();
    if state.tray().offer().is_some() {
        all = keys::dice();
        // Enter is left to whatever has the focus.
        if ui.memory(|memory| memory.focused().is_none()) {
            all.push(keys::accept());
        }
    }
    all.extend(keys::main());
    ui.input_mut(|input| keys::pressed(input, all))
}

fn middle(ui: &mut Ui, state: &State, texture: &mut PictureTexture, out: &mut Vec<Command>) {
    let room = ui.available_rect_before_wrap();
    match state.layout() {
        Layout::Picture => picture(ui, room, &Part::whole(state), state, texture, out),
        Layout::Board => {
            panels::board::show(ui, room, state, out);
        }
        Layout::Both => {
            let board_share = board_width(room, state);
            let left = Rect::from_min_max(room.min, pos2(room.right() - board_share - GAP, room.bottom()));
            let board = Rect::from_min_max(pos2(room.right() - board_share, room.top()), room.max);
            let high = (left.height() - GAP - LIST).max(left.height() * 0.45).min(left.width()).max(1.0);
            let pane = Rect::from_min_size(left.min, vec2(left.width(), high));
            picture(ui, pane, &Part::table(state, pane.size()), state, texture, out);
            let used = panels::board::show(ui, board, state, out);
            let legend = Rect::from_min_max(pos2(used.left(), used.bottom() + GAP), board.max);
            ui.scope_builder(UiBuilder::new().max_rect(legend), |ui| panels::board::legend(ui, state));
            let list = Rect::from_min_max(pos2(left.left(), pane.bottom() + GAP), left.max);
            ui.scope_builder(UiBuilder::new().max_rect(list), |ui| panels::elements::show(ui, state, out));
        }
    }
}

fn picture(
    ui: &mut Ui,
    room: Rect,
    part: &Part,
    state: &State,
    texture: &mut PictureTexture,
    out: &mut Vec<Command>,
) {
    let points_per_px = (room.width() / part.px.width()).min(room.height() / part.px.height());
    let shown = state.latest().map(|sight| (&sight.frame, Shown::Table(state.reads())));
    let id = texture.id(ui, shown, part.frame.x * points_per_px);
    panels::picture::show(ui, room, part, state, id, out);
}

/// How wide the board's pane is: as its height allows, and never more than leaves the picture its due.
fn board_width(room: Rect, state: &State) -> f32 {
    let (width_mm, depth_mm) = state.table().board_mm;
    let as_high = room.height() * (width_mm / depth_mm) as f32;
    as_high.min(room.width() * 0.46)
}

fn side(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    pair_line(ui, state, out);
    // Five fit one row of the panel.
    let first = match state.mode() {
        Mode::Umpire => (Page::Rulings, "Rulings"),
        Mode::Game | Mode::Demo => (Page::Game, "Game"),
    };
    let pages = [
        first,
        (Page::Combat, "Combat"),
        (Page::Moves, "Moves"),
        (Page::Reach, "Reach"),
        (Page::Battle, "Battle"),
    ];
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding.x = 8.0;
        for (page, words) in pages {
            if ui.selectable_label(state.page() == page, words).clicked() {
                out.push(Command::Turn(page));
            }
        }
    });
    for caution in state.cautions() {
        ui.label(RichText::new(caution).small().color(Palette::of(ui).close));
    }
    panels::tray::card(ui, state, out);
    ui.separator();
    // Each page scrolls by itself.
    ScrollArea::vertical().id_salt(("answers", state.page())).auto_shrink(false).show(ui, |ui| {
        match state.page() {
            Page::Rulings => panels::rulings::show(ui, state, out),
            Page::Combat => panels::combat::show(ui, state, out),
            Page::Moves => panels::moves::show(ui, state, out),
            Page::Reach => panels::reach::show(ui, state, out),
            Page::Game => panels::game::show(ui, state, out),
            Page::Battle => {
                panels::battle::show(ui, state, out);
                panels::journal::show(ui, state, out);
                panels::log::show(ui, state, out);
                panels::slip::show(ui, state, out);
                panels::round::show(ui, state, out);
            }
        }
        // The last card is seen to end.
        ui.add_space(10.0);
    });
}

/// Who is compared with whom, and how to change that.
fn pair_line(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let words = match state.selection() {
        [Some(one), _] if state.page() == Page::Reach => one.clone(),
        [Some(a), Some(b)] => format!("{a}  and  {b}"),
        [Some(a), None] => format!("{a}  and  ..."),
        [None, Some(b)] => format!("...  and  {b}"),
        [None, None] if state.page() == Page::Moves => "Moves of the table".to_owned(),
        [None, None] if state.page() == Page::Game => "The game".to_owned(),
        [None, None] if state.page() == Page::Battle => "The battle".to_owned(),
        [None, None] if state.page() == Page::Reach => "One element".to_owned(),
        [None, None] => "Two elements".to_owned(),
    };
    let heading = |ui: &mut Ui| {
        let heading = ui.add(Label::new(RichText::new(&words).heading()).truncate());
        heading.widget_info(|| WidgetInfo::labeled(egui::Role::Heading, true, format!("Pair: {words}")));
    };
    let [first, second] = state.selection().each_ref().map(Option::is_some);
    let buttons = |ui: &mut Ui| {
        if ui.add_enabled(first || second, Button::new("Clear")).clicked() {
            out.push(Command::ClearSelection);
        }
        if ui.add_enabled(first && second, Button::new("Swap")).clicked() {
            out.push(Command::Swap);
        }
    };
    Sides::new().shrink_left().truncate().show(ui, heading, buttons);
}
