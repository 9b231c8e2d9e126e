//! Small line charts as SVG. User units are pixels of the drawing.

use std::fmt::Write;

/// One line of a chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// What the legend calls it.
    pub name: &'static str,
    /// (across, up), from left to right.
    pub points: Vec<(f64, f64)>,
}

/// One chart.
#[derive(Debug, Clone, PartialEq)]
pub struct Panel {
    /// Over the chart.
    pub title: String,
    /// Under its lower axis.
    pub across: &'static str,
    /// Least and most across, and up. What lies above is drawn at the rim.
    pub range: [(f64, f64); 2],
    /// Its lines.
    pub curves: Vec<Curve>,
    /// Where nothing else is drawn.
    pub legend: Legend,
}

/// Where a chart's legend stands, on the right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Legend {
    /// Above, where lines fall.
    Top,
    /// Below, where lines rise.
    Bottom,
}

const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 240.0;
/// Room for titles, ticks and legends: left, top, right, bottom.
const ROOM: [f64; 4] = [46.0, 28.0, 12.0, 40.0];
/// Colours that stay apart for the colour-blind (Okabe and Ito); lines differ in their dashes as well.
const LOOKS: [(&str, &str); 3] = [("#D55E00", "2 3"), ("#0072B2", "7 3"), ("#009E73", "")];

/// The charts two abreast.
pub fn drawing(panels: &[Panel]) -> String {
    let rows = panels.len().div_ceil(2);
    let (width, height) = (2.0 * WIDTH, rows as f64 * HEIGHT);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (i, panel) in panels.iter().enumerate() {
        chart(&mut svg, panel, ((i % 2) as f64 * WIDTH, (i / 2) as f64 * HEIGHT));
    }
    svg.push_str("</svg>\n");
    svg
}

fn chart(svg: &mut String, panel: &Panel, (left, top): (f64, f64)) {
    let [(x0, x1), (y0, y1)] = panel.range;
    let (inner_w, inner_h) = (WIDTH - ROOM[0] - ROOM[2], HEIGHT - ROOM[1] - ROOM[3]);
    let x = |v: f64| left + ROOM[0] + inner_w * ((v - x0) / (x1 - x0)).clamp(0.0, 1.0);
    let y = |v: f64| top + ROOM[1] + inner_h * (1.0 - ((v - y0) / (y1 - y0)).clamp(0.0, 1.0));
    let mut line = |text: String| {
        svg.push_str(&text);
        svg.push('\n');
    };
    line(format!(
        "<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>",
        x(x0),
        top + 16.0,
        escaped(&panel.title)
    ));
    line(format!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
        (x(x0) + x(x1)) / 2.0,
        top + HEIGHT - 6.0,
        escaped(panel.across)
    ));
    for at_y in ticks(y0, y1) {
        line(format!("<path d=\"M{:.1} {:.1}H{:.1}\" stroke=\"#ddd\"/>", x(x0), y(at_y), x(x1)));
        line(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            x(x0) - 5.0,
            y(at_y) + 4.0,
            tick(at_y)
        ));
    }
    for at_x in ticks(x0, x1) {
        line(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            x(at_x),
            y(y0) + 14.0,
            tick(at_x)
        ));
    }
    for (n, curve) in panel.curves.iter().enumerate() {
        let (colour, dashes) = LOOKS[n % LOOKS.len()];
        let mut path = String::new();
        for (i, (px, py)) in curve.points.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = write!(path, "{}{:.1} {:.1}", if i == 0 { 'M' } else { 'L' }, x(*px), y(*py));
        }
        let stroke =
            format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" stroke-dasharray=\"{dashes}\"");
        line(format!("<path d=\"{path}\" {stroke}/>"));
        let at = match panel.legend {
            Legend::Bottom => y(y0) - 12.0 - 14.0 * (panel.curves.len() - 1 - n) as f64,
            Legend::Top => y(y1) + 12.0 + 14.0 * n as f64,
        };
        line(format!("<path d=\"M{:.1} {:.1}h24\" {stroke}/>", x(x1) - 160.0, at));
        line(format!(
            "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
            x(x1) - 130.0,
            at + 4.0,
            escaped(curve.name)
        ));
    }
}

/// Round values from `from` to `to`: four to ten steps of 1, 2 or 5 times a power of ten.
fn ticks(from: f64, to: f64) -> Vec<f64> {
    let power = 10f64.powf(((to - from) / 4.0).log10().floor());
    let steps = [5.0, 2.0, 1.0].map(|n| n * power);
    let step = steps.into_iter().find(|step| (to - from) / step >= 3.5).unwrap_or(power);
    let (first, last) = ((from / step - 1e-9).ceil() as i32, (to / step + 1e-9).floor() as i32);
    (first..=last).map(|n| f64::from(n) * step).collect()
}

fn tick(value: f64) -> String {
    let text = format!("{value:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(5.0, 24.0).into_iter().map(tick).collect::<Vec<_>>(), ["5", "10", "15", "20"]);
        assert_eq!(
            ticks(0.0, 100.0).into_iter().map(tick).collect::<Vec<_>>(),
            ["0", "20", "40", "60", "80", "100"]
        );
        assert_eq!(
            ticks(0.0, 0.25).into_iter().map(tick).collect::<Vec<_>>(),
            ["0", "0.05", "0.1", "0.15", "0.2", "0.25"]
        );
    }

    #[test]
    fn a_point_stands_where_its_numbers_say() {
        let curve = Curve { name: "a & b", points: vec![(0.0, 0.0), (10.0, 50.0), (20.0, 1e9)] };
        let panel = Panel {
            title: "t".to_owned(),
            across: "x",
            range: [(0.0, 20.0), (0.0, 100.0)],
            curves: vec![curve],
            legend: Legend::Bottom,
        };
        let svg = drawing(&[panel.clone(), panel]);
        // 322 by 172 inside the first chart, from (46, 28); what lies above is drawn at its upper rim.
        assert!(svg.contains("M46.0 200.0L207.0 114.0L368.0 28.0"), "{svg}");
        assert!(svg.contains("M426.0 200.0") && svg.contains("a &amp; b") && svg.starts_with("<svg"));
    }
}
