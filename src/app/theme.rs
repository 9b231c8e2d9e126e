//! Colours and sizes. Colour never carries meaning alone: every coloured mark has a shape, a hatching
//! or a word beside it.

use crate::app::look::{Contrast, Look};
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

    /// On black. Red and blue, yes and no are told apart by who sees no red or no green too.
    const DARK_HIGH: Self = Self {
        red: Color32::from_rgb(0xff, 0x9d, 0x5c),
        blue: Color32::from_rgb(0x7c, 0xc8, 0xff),
        yes: Color32::from_rgb(0x6c, 0xf0, 0xd8),
        no: Color32::from_rgb(0xff, 0x9d, 0x5c),
        close: Color32::from_rgb(0xff, 0xee, 0x55),
        measure: Color32::from_rgb(0xff, 0xee, 0x55),
        table: Color32::from_rgb(0x0c, 0x14, 0x0e),
        grid: Color32::from_rgb(0x4a, 0x58, 0x4c),
        ink: Color32::WHITE,
        faint: Color32::from_rgb(0xe0, 0xe4, 0xe8),
        label: Color32::BLACK,
        card: Color32::BLACK,
    };
    /// The same on white.
    const LIGHT_HIGH: Self = Self {
        red: Color32::from_rgb(0x8c, 0x2c, 0x00),
        blue: Color32::from_rgb(0x00, 0x3c, 0x8f),
        yes: Color32::from_rgb(0x00, 0x4c, 0x5c),
        no: Color32::from_rgb(0x8c, 0x2c, 0x00),
        close: Color32::from_rgb(0x5c, 0x40, 0x00),
        measure: Color32::from_rgb(0x50, 0x10, 0x80),
        table: Color32::from_rgb(0xf6, 0xfa, 0xf2),
        grid: Color32::from_rgb(0x8c, 0x98, 0x84),
        ink: Color32::BLACK,
        faint: Color32::from_rgb(0x26, 0x2a, 0x30),
        label: Color32::WHITE,
        card: Color32::WHITE,
    };

    const fn worn(theme: Theme, contrast: Contrast) -> Self {
        match (theme, contrast) {
            (Theme::Dark, Contrast::Usual) => Self::DARK,
            (Theme::Light, Contrast::Usual) => Self::LIGHT,
            (Theme::Dark, Contrast::High) => Self::DARK_HIGH,
            (Theme::Light, Contrast::High) => Self::LIGHT_HIGH,
        }
    }

    /// The colours that fit the theme `ui` is painted in.
    pub fn of(ui: &egui::Ui) -> Self {
        let theme = if ui.visuals().dark_mode { Theme::Dark } else { Theme::Light };
        Self::worn(theme, contrast_of(ui.visuals()))
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
            style.visuals = visuals(theme, Contrast::Usual);
        });
    }
}

/// Has the context wear what was chosen; nothing where it does.
pub fn wear(ctx: &egui::Context, theme: Theme, look: Look) {
    if ctx.theme() != theme {
        ctx.set_theme(theme);
    }
    if contrast_of(&ctx.style_of(theme).visuals) != look.contrast {
        for theme in [Theme::Dark, Theme::Light] {
            ctx.style_mut_of(theme, |style| {
                let blink = style.visuals.text_cursor.blink;
                style.visuals = visuals(theme, look.contrast);
                style.visuals.text_cursor.blink = blink;
                // Bars are as pale as what lies behind them, their handles then as dark as letters.
                style.spacing.scroll.foreground_color = look.contrast == Contrast::High;
            });
        }
        ctx.request_repaint();
    }
    // Beside what the person has set with the browser's own keys, Ctrl and plus.
    let (id, zoom) = (egui::Id::unique("groma text size"), look.text.zoom());
    let worn = ctx.data(|data| data.get_temp::<f32>(id)).unwrap_or(1.0);
    if worn != zoom {
        ctx.data_mut(|data| data.insert_temp(id, zoom));
        ctx.set_zoom_factor(ctx.zoom_factor() / worn * zoom);
    }
}

/// Which contrast is worn: in high contrast alone panels are pure black or white.
fn contrast_of(visuals: &Visuals) -> Contrast {
    match visuals.panel_fill {
        Color32::BLACK | Color32::WHITE => Contrast::High,
        _ => Contrast::Usual,
    }
}

fn visuals(theme: Theme, contrast: Contrast) -> Visuals {
    let palette = Palette::worn(theme, contrast);
    let mut visuals = match theme {
        Theme::Dark => Visuals::dark(),
        Theme::Light => Visuals::light(),
    };
    visuals.override_text_color = Some(palette.ink);
    visuals.weak_text_color = Some(palette.faint);
    visuals.panel_fill = match (theme, contrast) {
        (Theme::Dark, Contrast::Usual) => Color32::from_rgb(0x1a, 0x1d, 0x23),
        (Theme::Light, Contrast::Usual) => Color32::from_rgb(0xf2, 0xf2, 0xef),
        (Theme::Dark, Contrast::High) => Color32::BLACK,
        (Theme::Light, Contrast::High) => Color32::WHITE,
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
    if contrast == Contrast::High {
        // Buttons, fields and windows by their rims; what is chosen by a fill on which its letters stand out.
        let rim = |width| Stroke::new(width, palette.ink);
        visuals.widgets.noninteractive.bg_stroke = rim(1.0);
        visuals.widgets.inactive.bg_stroke = rim(1.5);
        visuals.widgets.hovered.bg_stroke = rim(3.0);
        visuals.widgets.active.bg_stroke = rim(3.0);
        visuals.widgets.open.bg_stroke = rim(2.0);
        for widget in
            [&mut visuals.widgets.inactive, &mut visuals.widgets.hovered, &mut visuals.widgets.active]
        {
            (widget.weak_bg_fill, widget.bg_fill) = (palette.card, palette.card);
        }
        visuals.extreme_bg_color = palette.card;
        visuals.window_stroke = rim(2.0);
        visuals.selection.bg_fill = match theme {
            Theme::Dark => Color32::from_rgb(0x00, 0x46, 0x8c),
            Theme::Light => Color32::from_rgb(0xa8, 0xd4, 0xff),
        };
        visuals.selection.stroke = rim(2.5);
        visuals.disabled_alpha = 0.65;
    }
    visuals
}

/// The frame round a group of related things.
pub fn card(palette: &Palette) -> egui::Frame {
    egui::Frame::new()
        .fill(palette.card)
        .corner_radius(CornerRadius::same(8))
        .inner_margin(Margin::symmetric(12, 10))
        .stroke(Stroke::new(1.0, rim(palette)))
}

/// A card's rim: in high contrast, where the card is no lighter than what it lies on, it has to be seen.
fn rim(palette: &Palette) -> Color32 {
    if palette.ink == Color32::WHITE || palette.ink == Color32::BLACK {
        palette.faint
    } else {
        palette.faint.gamma_multiply(0.25)
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Linear light, 0 to 1.
    fn light(colour: Color32) -> [f64; 3] {
        let [r, g, b, _] = colour.to_array();
        [r, g, b].map(|v| {
            let v = f64::from(v) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// The contrast of two colours as the web's accessibility guidelines reckon it.
    fn contrast(a: Color32, b: Color32) -> f64 {
        let luminance = |c| {
            let [r, g, b] = light(c);
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b): (f64, f64) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    #[test]
    fn in_high_contrast_all_stands_out_seven_to_one() {
        for theme in [Theme::Dark, Theme::Light] {
            let (p, v) = (Palette::worn(theme, Contrast::High), visuals(theme, Contrast::High));
            for ground in [p.card, p.table, p.label, v.panel_fill, v.window_fill, v.extreme_bg_color] {
                for ink in [p.red, p.blue, p.yes, p.no, p.close, p.measure, p.ink, p.faint] {
                    let found = contrast(ink, ground);
                    assert!(found >= 7.0, "{theme:?}: {ink:?} on {ground:?} is {found:.1} to 1");
                }
            }
            let chosen = contrast(p.ink, v.selection.bg_fill);
            assert!(chosen >= 7.0, "{theme:?}: what is chosen {chosen:.1} to 1");
        }
        // The sum itself, by the guidelines' own example: black on white.
        assert!((contrast(Color32::BLACK, Color32::WHITE) - 21.0).abs() < 1e-9);
    }

    /// What people see who lack one kind of cone (Machado, Oliveira and Fernandes 2009, severity 1): no red, no green,
    /// no blue. Linear light.
    const BLIND: [[[f64; 3]; 3]; 3] = [
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ];

    fn seen(colour: Color32, by: &[[f64; 3]; 3]) -> [f64; 3] {
        let rgb = light(colour);
        by.map(|row| (0..3).map(|n| row[n] * rgb[n]).sum::<f64>().clamp(0.0, 1.0).powf(1.0 / 2.2))
    }

    #[test]
    fn armies_and_verdicts_are_told_apart_by_the_colour_blind() {
        for theme in [Theme::Dark, Theme::Light] {
            let p = Palette::worn(theme, Contrast::High);
            for (a, b) in [(p.red, p.blue), (p.yes, p.no)] {
                for by in &BLIND {
                    let (a, b) = (seen(a, by), seen(b, by));
                    let apart = (0..3).map(|n| (a[n] - b[n]).powi(2)).sum::<f64>().sqrt();
                    assert!(apart > 0.2, "{theme:?}: {a:.2?} and {b:.2?}");
                }
            }
        }
    }

    #[test]
    fn a_context_wears_what_was_chosen_and_goes_back() {
        let ctx = egui::Context::default();
        install(&ctx);
        let usual = ctx.style_of(Theme::Light).visuals.clone();
        let high = Look { contrast: Contrast::High, ..Look::default() };
        wear(&ctx, Theme::Light, high);
        assert_eq!(ctx.style_of(Theme::Light).visuals.panel_fill, Color32::WHITE);
        wear(&ctx, Theme::Light, Look::default());
        assert_eq!(ctx.style_of(Theme::Light).visuals, usual);
    }
}
