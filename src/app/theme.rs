//! Colours and sizes. Colour never carries meaning alone: every coloured mark has a shape, a hatching
//! or a word beside it.

use crate::rules::Side;
use egui::style::ScrollStyle;
use egui::{Color32, CornerRadius, FontFamily, FontId, Margin, Stroke, TextStyle, Theme, Vec2, Visuals};

/// The colours of one theme.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Palette {
    /// The red army's marks.
    pub red: Color32,
    /// The blue army's marks.
    pub blue: Color32,
    /// A clear yes.
    pub yes: Color32,
    /// A clear no.
    pub no: Color32,
    /// Too close to call, and warnings.
    pub close: Color32,
    /// Distances, binding points and whatever else is measured.
    pub measure: Color32,
    /// The playing area.
    pub table: Color32,
    /// Lines on the playing area, a base width apart.
    pub grid: Color32,
    /// Text and outlines.
    pub ink: Color32,
    /// Less important text.
    pub faint: Color32,
    /// Behind text that lies on a picture.
    pub label: Color32,
    /// Cards on a panel.
    pub card: Color32,
}

impl Palette {
    const DARK: Self = Self {
        red: Color32::from_rgb(0xff, 0x7a, 0x6b),
        blue: Color32::from_rgb(0x6c, 0xb2, 0xff),
        yes: Color32::from_rgb(0x5f, 0xd0, 0x8a),
        no: Color32::from_rgb(0xff, 0x8a, 0x80),
        close: Color32::from_rgb(0xff, 0xc8, 0x57),
        measure: Color32::from_rgb(0xff, 0xe0, 0x66),
        table: Color32::from_rgb(0x2c, 0x3a, 0x2e),
        grid: Color32::from_rgb(0x38, 0x48, 0x3a),
        ink: Color32::from_rgb(0xec, 0xee, 0xf1),
        faint: Color32::from_rgb(0xa8, 0xb0, 0xba),
        label: Color32::from_rgba_premultiplied(0x10, 0x12, 0x16, 0xd8),
        card: Color32::from_rgb(0x25, 0x2a, 0x32),
    };
    const LIGHT: Self = Self {
        red: Color32::from_rgb(0xb3, 0x24, 0x18),
        blue: Color32::from_rgb(0x12, 0x55, 0xa8),
        yes: Color32::from_rgb(0x14, 0x72, 0x3c),
        no: Color32::from_rgb(0xb0, 0x20, 0x20),
        close: Color32::from_rgb(0x8a, 0x58, 0x00),
        measure: Color32::from_rgb(0x6a, 0x2a, 0x9c),
        table: Color32::from_rgb(0xdd, 0xe6, 0xd3),
        grid: Color32::from_rgb(0xcb, 0xd7, 0xbf),
        ink: Color32::from_rgb(0x1c, 0x20, 0x26),
        faint: Color32::from_rgb(0x55, 0x5d, 0x68),
        label: Color32::from_rgba_premultiplied(0xe6, 0xe6, 0xe4, 0xe8),
        card: Color32::from_rgb(0xff, 0xff, 0xff),
    };

    /// The colours that fit the theme `ui` is painted in.
    pub fn of(ui: &egui::Ui) -> Self {
        if ui.visuals().dark_mode { Self::DARK } else { Self::LIGHT }
    }

    /// The army's colour.
    pub fn side(&self, side: Side) -> Color32 {
        match side {
            Side::Red => self.red,
            Side::Blue => self.blue,
        }
    }
}

/// Sets both themes' fonts, spacing and colours. Called once, before the first pass.
pub fn install(ctx: &egui::Context) {
    for theme in [Theme::Dark, Theme::Light] {
        ctx.style_mut_of(theme, |style| {
            style.text_styles = [
                (TextStyle::Small, FontId::new(12.5, FontFamily::Proportional)),
                (TextStyle::Body, FontId::new(15.0, FontFamily::Proportional)),
                (TextStyle::Button, FontId::new(15.0, FontFamily::Proportional)),
                (TextStyle::Heading, FontId::new(19.0, FontFamily::Proportional)),
                (TextStyle::Monospace, FontId::new(14.0, FontFamily::Monospace)),
            ]
            .into();
            style.spacing.item_spacing = Vec2::new(8.0, 7.0);
            style.spacing.button_padding = Vec2::new(10.0, 5.0);
            style.spacing.interact_size = Vec2::new(40.0, 28.0);
            // Bars that take their own room and stay: that a list goes on below is seen without touching it.
            style.spacing.scroll = ScrollStyle { bar_width: 8.0, ..ScrollStyle::solid() };
            style.visuals = visuals(theme);
        });
    }
}

fn visuals(theme: Theme) -> Visuals {
    let (mut visuals, palette) = match theme {
        Theme::Dark => (Visuals::dark(), Palette::DARK),
        Theme::Light => (Visuals::light(), Palette::LIGHT),
    };
    visuals.override_text_color = Some(palette.ink);
    visuals.weak_text_color = Some(palette.faint);
    visuals.panel_fill = match theme {
        Theme::Dark => Color32::from_rgb(0x1a, 0x1d, 0x23),
        Theme::Light => Color32::from_rgb(0xf2, 0xf2, 0xef),
    };
    visuals.window_fill = palette.card;
    visuals.error_fg_color = palette.no;
    visuals.warn_fg_color = palette.close;
    for widget in [
        &mut visuals.widgets.inactive,
        &mut visuals.widgets.hovered,
        &mut visuals.widgets.active,
        &mut visuals.widgets.open,
        &mut visuals.widgets.noninteractive,
    ] {
        widget.corner_radius = CornerRadius::same(6);
    }
    // A button at rest must look like one in both themes.
    visuals.widgets.inactive.bg_stroke = Stroke::new(1.0, palette.faint.gamma_multiply(0.55));
    visuals.selection.bg_fill = palette.blue.gamma_multiply(if theme == Theme::Dark { 0.45 } else { 0.25 });
    visuals.selection.stroke = Stroke::new(1.5, palette.ink);
    visuals
}

/// The frame round a group of related things.
pub fn card(palette: &Palette) -> egui::Frame {
    egui::Frame::new()
        .fill(palette.card)
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::symmetric(12, 10))
        .stroke(Stroke::new(1.0, palette.faint.gamma_multiply(0.25)))
}

/// Closer lines, for tables of short text.
pub fn dense(ui: &mut egui::Ui) {
    ui.spacing_mut().item_spacing.y = 4.0;
    ui.spacing_mut().interact_size.y = 20.0;
}

/// The margin of the window's panels.
pub fn panel(ui: &egui::Ui) -> egui::Frame {
    egui::Frame::new().fill(ui.visuals().panel_fill).inner_margin(Margin::symmetric(12, 8))
}

/// The frame of a dialog.
pub fn dialog(ui: &egui::Ui) -> egui::Frame {
    egui::Frame::popup(ui.style()).inner_margin(Margin::same(20)).corner_radius(CornerRadius::same(10))
}
