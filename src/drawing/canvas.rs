//! SVG text, element by element. Pixels, y down.

use std::fmt::Write as _;

/// A colour that text and lines are drawn in.
pub(super) const INK: &str = "#1f2328";
/// A paler ink.
pub(super) const PALE: &str = "#6b6f76";
/// The letters of a drawing.
const FONT: &str = "DejaVu Sans, Verdana, Arial, sans-serif";

/// Where a text is anchored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
}

/// How a text looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style<'a> {
    pub size_px: f64,
    pub bold: bool,
    pub colour: &'a str,
    pub anchor: Anchor,
}

/// A drawing as it grows.
pub(super) struct Canvas {
    text: String,
}

/// Text that may stand in SVG.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            // XML knows no other control characters.
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

impl Canvas {
    pub fn new(width: f64, height: f64) -> Self {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"{FONT}\">\n\
             <rect width=\"{width:.0}\" height=\"{height:.0}\" fill=\"#ffffff\"/>\n"
        );
        Self { text }
    }

    /// Hatchings: one way for red's zones, the other for blue's.
    pub fn hatches(&mut self) {
        for (id, colour, turn) in [("red-zone", "#c0392b", 45), ("blue-zone", "#2457a6", 135)] {
            let _ = writeln!(
                self.text,
                "<pattern id=\"{id}\" width=\"9\" height=\"9\" patternUnits=\"userSpaceOnUse\" \
                 patternTransform=\"rotate({turn})\"><line x1=\"0\" y1=\"0\" x2=\"0\" y2=\"9\" \
                 stroke=\"{colour}\" stroke-width=\"2\" stroke-opacity=\"0.45\"/></pattern>"
            );
        }
    }

    /// A closed shape. `look` is its attributes.
    pub fn polygon(&mut self, points: &[(f64, f64)], look: &str) {
        let listed: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
        let _ = writeln!(self.text, "<polygon points=\"{}\" {look}/>", listed.join(" "));
    }

    /// Closed rings as one shape. `look` is its attributes.
    pub fn shape(&mut self, rings: &[Vec<(f64, f64)>], look: &str) {
        let ring = |points: &Vec<(f64, f64)>| {
            let listed: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
            format!("M{}Z", listed.join("L"))
        };
        let all: String = rings.iter().map(ring).collect();
        let _ = writeln!(self.text, "<path d=\"{all}\" {look}/>");
    }

    /// An open line through points.
    pub fn line(&mut self, points: &[(f64, f64)], look: &str) {
        let listed: Vec<String> = points.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
        let _ = writeln!(self.text, "<polyline points=\"{}\" fill=\"none\" {look}/>", listed.join(" "));
    }

    pub fn circle(&mut self, (x, y): (f64, f64), radius: f64, look: &str) {
        let _ = writeln!(self.text, "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{radius:.2}\" {look}/>");
    }

    pub fn rect(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), look: &str) {
        let _ = writeln!(
            self.text,
            "<rect x=\"{x:.2}\" y=\"{y:.2}\" width=\"{width:.2}\" height=\"{height:.2}\" {look}/>"
        );
    }

    /// A line of text; `at` is on its base line.
    pub fn text(&mut self, (x, y): (f64, f64), text: &str, style: Style<'_>) {
        let anchor = match style.anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
        };
        let weight = if style.bold { "bold" } else { "normal" };
        let _ = writeln!(
            self.text,
            "<text x=\"{x:.2}\" y=\"{y:.2}\" font-size=\"{:.1}\" font-weight=\"{weight}\" fill=\"{}\" \
             text-anchor=\"{anchor}\">{}</text>",
            style.size_px,
            style.colour,
            escaped(text)
        );
    }

    /// The same on a pale ground that keeps it readable over whatever lies there.
    pub fn haloed(&mut self, at: (f64, f64), text: &str, style: Style<'_>) {
        let halo = Style {
            colour: "#ffffff\" stroke=\"#ffffff\" stroke-width=\"3.5\" stroke-linejoin=\"round",
            ..style
        };
        self.text(at, text, halo);
        self.text(at, text, style);
    }

    /// An arrow's head at `tip`, pointing along (x, y) in pixels.
    pub fn arrowhead(&mut self, tip: (f64, f64), (dx, dy): (f64, f64), size: f64, colour: &str) {
        let length = dx.hypot(dy);
        if length == 0.0 {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let back = (tip.0 - ux * size, tip.1 - uy * size);
        let half = size * 0.45;
        let points =
            [tip, (back.0 - uy * half, back.1 + ux * half), (back.0 + uy * half, back.1 - ux * half)];
        self.polygon(&points, &format!("fill=\"{colour}\""));
    }

    /// Whites out what was drawn outside the table's part, and frames it.
    pub fn frame(&mut self, (left, top, width, height): (f64, f64, f64, f64), total_height: f64) {
        for (at, size) in [
            ((0.0, 0.0), (left, total_height)),
            ((0.0, 0.0), (left + width, top)),
            ((0.0, top + height), (left + width, (total_height - top - height).max(0.0))),
            ((left + width, 0.0), (4000.0, total_height)),
        ] {
            self.rect(at, size, "fill=\"#ffffff\"");
        }
        self.rect((left, top), (width, height), &format!("fill=\"none\" stroke=\"{PALE}\""));
    }

    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }
}
