//! The page on which mounts are measured in the jig: what to do next, what was measured of each base, and the
//! picture with the jig, the base and its tag drawn over it.

use super::form::{field, sentence};
use super::paint;
use super::picture::Map;
use crate::app::command::{Command, JigCommand};
use crate::app::state::{JigLook, JigPage, JigRun, State};
use crate::app::theme::{self, Palette};
use crate::app::worker::Sight;
use crate::judge::{MountedTag, RosterElement};
use crate::markers::mount_cautions;
use crate::vision::jig::{JIG_ROOM_MM, Length, MeasuredMount};
use egui::{
    Align2, Button, Color32, Painter, Pos2, Rect, RichText, Sense, Shape, Stroke, TextureId, Ui, WidgetInfo,
    pos2, vec2,
};
use nalgebra::Point3;

/// On the photograph the colours are fixed.
const SEEN: Color32 = Color32::from_rgb(0xff, 0xe0, 0x40);
const CORNER: Color32 = Color32::from_rgb(0x7c, 0xf0, 0xc0);
const PLATE: Color32 = Color32::from_rgba_premultiplied(8, 9, 12, 200);

/// Shows the side: what is chosen, what was measured, and where it is written.
pub fn side(ui: &mut Ui, state: &State, page: &JigPage, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        ui.heading("Measure bases");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Back to the table").clicked() {
                out.push(Command::Jig(JigCommand::Close));
            }
        });
    });
    ui.separator();
    egui::ScrollArea::vertical().id_salt("jig").auto_shrink(false).show(ui, |ui| {
        start(ui, state, page, &palette, out);
        if let JigRun::Failed(words) = &page.run {
            ui.label(RichText::new(words).color(palette.no));
        }
        if let Some(words) = page.passed_over.last() {
            let more = page.passed_over.len() - 1;
            let more = if more > 0 { format!(" ({more} more.)") } else { String::new() };
            let words = format!("Left out: {}{more}", sentence(words));
            ui.label(RichText::new(words).small().color(palette.close));
        }
        if page.run == JigRun::Choosing && page.measured.is_empty() {
            instructions(ui, &palette);
        }
        figures(ui, state, page, &palette, out);
        list(ui, page, &palette, out);
        save(ui, state, page, &palette, out);
    });
}

fn instructions(ui: &mut Ui, palette: &Palette) {
    let lines = [
        "1. Print the jig at 100 %: groma markers jig --out jig.pdf. Glue it on card, and two straight strips along its solid lines.",
        "2. Measure its ruler, and write the length above.",
        "3. Press Start and push a base into the corner: its rear on the lower strip, its left side on the left one.",
        "4. Take a picture, then another from the other side: two sides tell the height of the tag, and a stalk that leans.",
        "Photographs are all looked at, and then measured; each base is known by its tag.",
    ];
    ui.add_space(6.0);
    for line in lines {
        ui.label(RichText::new(line).color(palette.faint));
    }
}

fn start(ui: &mut Ui, state: &State, page: &JigPage, palette: &Palette, out: &mut Vec<Command>) {
    let free = !page.at_work();
    if let Some(text) = field(ui, "Pictures: camera:0, a picture or a folder", &page.source, free) {
        out.push(Command::Jig(JigCommand::TypeSource(text)));
    }
    ui.columns(2, |columns| {
        if let Some(text) = field(&mut columns[0], "Jig's ruler of 100 mm", &page.ruler, free) {
            out.push(Command::Jig(JigCommand::TypeRuler(text)));
        }
        await_one(&mut columns[1], state, page, out);
    });
    if let Some(words) = &page.ruler_error {
        ui.label(RichText::new(words).small().color(palette.no));
    }
    ui.horizontal(|ui| {
        if free {
            if ui.button("Start").clicked() {
                out.push(Command::Jig(JigCommand::Start));
            }
            return;
        }
        let take = ui.add_enabled(page.ready().is_some(), Button::new("Take picture"));
        if !page.unrelated && take.clicked() {
            out.push(Command::Jig(JigCommand::Take));
        }
        if ui.button("Stop").clicked() {
            out.push(Command::Jig(JigCommand::Stop));
        }
    });
}

/// Which element is awaited.
fn await_one(ui: &mut Ui, state: &State, page: &JigPage, out: &mut Vec<Command>) {
    const ANY: &str = "whichever shows";
    let name = ui.label(RichText::new("Element").small());
    let chosen = page.element.as_deref().unwrap_or(ANY);
    let combo = egui::ComboBox::from_id_salt("jig element")
        .selected_text(RichText::new(chosen))
        .truncate()
        .width(ui.available_width());
    let shown = combo.show_ui(ui, |ui| {
        if ui.selectable_label(page.element.is_none(), ANY).clicked() {
            out.push(Command::Jig(JigCommand::Await(None)));
        }
        for element in state.engine().roster().elements() {
            let is = page.element.as_deref() == Some(&element.name);
            if ui.selectable_label(is, format!("{}  {}", element.name, element.troop)).clicked() {
                out.push(Command::Jig(JigCommand::Await(Some(element.name.clone()))));
            }
        }
    });
    let _ = shown.response.labelled_by(name.id);
}

/// The figures of one base: what was measured, beside what the roster has.
fn figures(ui: &mut Ui, state: &State, page: &JigPage, palette: &Palette, out: &mut Vec<Command>) {
    let Some(name) = page.shown() else { return };
    let Some(element) = state.engine().roster().element(name) else { return };
    ui.add_space(6.0);
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.label(RichText::new(name).strong());
            if page.measuring.as_deref() == Some(name) {
                ui.spinner();
                ui.label(RichText::new("measuring...").small().color(palette.faint));
            }
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if page.shots(name) > 0 && ui.small_button("Forget").clicked() {
                    out.push(Command::Jig(JigCommand::Forget(name.to_owned())));
                }
            });
        });
        let Some(mounts) = page.measured.get(name) else {
            let words = if page.shots(name) > 0 { "Not measured yet." } else { "No picture of it yet." };
            ui.label(RichText::new(words).small().color(palette.faint));
            return;
        };
        for mount in mounts {
            one(ui, element, mount, palette);
        }
    });
}

fn one(ui: &mut Ui, element: &RosterElement, m: &MeasuredMount, palette: &Palette) {
    let pictures = if m.pictures == 1 { "1 picture".to_owned() } else { format!("{} pictures", m.pictures) };
    ui.label(RichText::new(format!("{}, from {pictures}", m.tag)).small().color(palette.faint));
    let tag = element.tags.iter().find(|t| t.tag == m.tag);
    let was = |of: fn(&MountedTag) -> f64| tag.map_or(String::new(), |t| format!("{:.2}", of(t)));
    let length = |l: Option<Length>| l.map(|l| (l.mm, l.sigma_mm));
    let rows = [
        ("To the right", Some((m.right_mm, m.offset_sigma_mm)), "mm", was(|t| t.right_mm)),
        ("Forward", Some((m.forward_mm, m.offset_sigma_mm)), "mm", was(|t| t.forward_mm)),
        ("Rotation", Some((m.rotation_deg, m.rotation_sigma_deg)), "\u{b0}", was(|t| t.rotation_deg)),
        ("Tag's height", length(m.height), "mm", was(|t| t.height_mm)),
        ("Base's width", length(m.width), "mm", format!("{:.2}", element.base.width_mm)),
        ("Base's depth", length(m.depth), "mm", format!("{:.2}", element.base.depth_mm)),
    ];
    ui.scope(|ui| {
        theme::dense(ui);
        egui::Grid::new(("mount", m.tag.id)).num_columns(3).spacing(vec2(14.0, 3.0)).show(ui, |ui| {
            ui.label(RichText::new("").small());
            ui.label(RichText::new("measured").small().color(palette.faint));
            ui.label(RichText::new("in the roster").small().color(palette.faint));
            ui.end_row();
            for (name, found, unit, was) in rows {
                ui.label(name);
                match found {
                    Some((value, sigma)) => {
                        let words = format!("{value:.2} \u{b1} {:.2} {unit}", sigma.max(0.005));
                        ui.label(RichText::new(words).strong().color(palette.measure))
                    }
                    None => ui.label(RichText::new("not measured").color(palette.faint)),
                };
                ui.label(RichText::new(was).color(palette.faint));
                ui.end_row();
            }
        });
    });
    if m.pictures < 2 {
        let words =
            "One picture tells neither the tag's height nor a leaning stalk: take one from another side.";
        ui.label(RichText::new(words).small().color(palette.faint));
    }
    for caution in mount_cautions(element, m) {
        ui.label(RichText::new(sentence(&caution)).small().color(palette.close));
    }
}

/// Every base that was measured.
fn list(ui: &mut Ui, page: &JigPage, palette: &Palette, out: &mut Vec<Command>) {
    if page.measured.is_empty() {
        return;
    }
    ui.add_space(6.0);
    ui.label(RichText::new(format!("Measured: {}", page.measured.len())).strong());
    ui.scope(|ui| {
        theme::dense(ui);
        for (name, mounts) in &page.measured {
            let Some(m) = mounts.first() else { continue };
            let words = format!("{:+.2}, {:+.2} mm, {:+.2}\u{b0}", m.right_mm, m.forward_mm, m.rotation_deg);
            ui.horizontal(|ui| {
                if ui.selectable_label(page.shown() == Some(name), name).clicked() {
                    out.push(Command::Jig(JigCommand::ShowFigures(name.clone())));
                }
                ui.label(RichText::new(words).small().color(palette.faint));
            });
        }
    });
}

fn save(ui: &mut Ui, state: &State, page: &JigPage, palette: &Palette, out: &mut Vec<Command>) {
    if page.measured.is_empty() {
        return;
    }
    ui.add_space(6.0);
    let files = state.roster_files();
    if ui.add_enabled(!files.is_empty(), Button::new("Save in the roster")).clicked() {
        out.push(Command::Jig(JigCommand::Save));
    }
    match &page.saved {
        Some(Ok(words)) => ui.label(RichText::new(words).color(palette.yes)),
        Some(Err(words)) => ui.label(RichText::new(words).color(palette.no)),
        None if files.is_empty() => {
            let words = "The sample roster stays as it is: choose your own under \"Open source\" first.";
            ui.label(RichText::new(words).small().color(palette.close))
        }
        None => {
            let names: Vec<String> = files.iter().map(|path| path.display().to_string()).collect();
            let words = format!("Writes into {}; comments stay.", names.join(", "));
            ui.label(RichText::new(words).small().color(palette.faint))
        }
    };
}

/// Shows the picture with what was read from it.
pub fn picture(ui: &mut Ui, room: Rect, state: &State, page: &JigPage, texture: Option<TextureId>) {
    let palette = Palette::of(ui);
    let frame = page.latest().map(|s| vec2(s.frame.grey.width() as f32, s.frame.grey.height() as f32));
    let (map, rect) = Map::whole(room, frame.unwrap_or(vec2(16.0, 9.0)));
    let response = ui.interact(rect, ui.scope_id().with("jig picture"), Sense::hover());
    let words = page.look_words();
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, format!("Camera picture. {words}")));
    paint::pane(&ui.painter_at(rect.expand(2.0)), rect, Color32::from_rgb(14, 15, 18), palette.faint);
    let painter = ui.painter_at(rect);
    let (Some(texture), Some(sight)) = (texture, page.latest()) else {
        paint::plate(&painter, rect.center(), Align2::CENTER_CENTER, &words, 16.0, Color32::WHITE, PLATE);
        return;
    };
    painter.image(texture, rect, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);
    if let Some(camera) = &sight.reading.camera {
        let at =
            |x: f64, y: f64, z: f64| camera.image_from_table(Point3::new(x, y, z)).map(|p| map.to_screen(p));
        drawn(&painter, state, page, sight, &at);
    }
    let words_at = rect.center_bottom() - vec2(0.0, 12.0);
    paint::plate(&painter, words_at, Align2::CENTER_BOTTOM, &words, 17.0, Color32::WHITE, PLATE);
}

/// The jig's corner, the base in it, and its tag as it was read.
fn drawn(
    painter: &Painter,
    state: &State,
    page: &JigPage,
    sight: &Sight,
    at: &dyn Fn(f64, f64, f64) -> Option<Pos2>,
) {
    let line = |points: &[(f64, f64)], z: f64, colour: Color32| {
        let points: Option<Vec<Pos2>> = points.iter().map(|(x, y)| at(*x, *y, z)).collect();
        if let Some(points) = points {
            painter.add(Shape::line(points.clone(), Stroke::new(3.5, PLATE)));
            painter.add(Shape::line(points, Stroke::new(1.8, colour)));
        }
    };
    line(&[(0.0, JIG_ROOM_MM), (0.0, 0.0), (JIG_ROOM_MM, 0.0)], 0.0, CORNER);
    let (JigLook::Moving(name) | JigLook::Rests(name)) = page.look() else { return };
    let Some(element) = state.engine().roster().element(name) else { return };
    let measured = page.measured.get(name).and_then(|mounts| mounts.first());
    let width = measured.and_then(|m| m.width).map_or(element.base.width_mm, |l| l.mm);
    let depth = measured.and_then(|m| m.depth).map_or(element.base.depth_mm, |l| l.mm);
    let base = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth), (0.0, 0.0)];
    line(&base, element.base.thickness_mm, SEEN);
    for tag in &element.tags {
        let Some(pose) = sight.reading.snapshot.tracks.get(&tag.tag).and_then(|t| t.pose.as_ref()) else {
            continue;
        };
        let half = tag.size_mm / 2.0;
        let corners = [(-half, half), (half, half), (half, -half), (-half, -half), (-half, half)];
        let square = corners.map(|(right, ahead)| {
            let p = pose.pose.at(right, ahead);
            (p.x, p.y)
        });
        line(&square, element.base.thickness_mm + tag.height_mm, SEEN);
    }
}
