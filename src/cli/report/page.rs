//! The report as one HTML page: styles and drawings stand in it.

use super::{heading, telling};
use crate::rules::Settings;
use crate::session::play::Kind;
use crate::session::report::Story;
use crate::text::time_of;
use std::fmt::Write;

const STYLE: &str = "body{font:17px/1.5 Georgia,'Times New Roman',serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;\
background:#fdfcf8}h1{font-size:2rem;margin-bottom:0}h2{margin-top:2.5rem;border-bottom:1px solid #ccc}\
p.when{color:#555;margin-top:.2rem}figure{margin:1rem 0;overflow-x:auto}figure svg{max-width:100%;height:auto;overflow:hidden;border:1px solid #ddd}\
ul{padding-left:1.2rem}li{margin:.25rem 0}li .k{display:inline-block;min-width:5.5em;color:#555;font-size:.85em}\
p.caution{background:#fff3cd;padding:.4rem .8rem}li.overrule{background:#fff3cd}li.loss,li.outcome{font-weight:600}.turn{background:#f2efe6;padding:.5rem 1rem;border-left:4px solid #a33}\
table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.2rem .6rem;text-align:left}\
@media print{body{background:#fff}h2{break-before:auto}figure{break-inside:avoid}}";

/// The page. `drawings` are the chapters', where there is one.
pub fn page(
    title: &str,
    story: &Story,
    drawings: &[Option<String>],
    settings: &Settings,
    cautions: &[String],
) -> String {
    let title = escaped(title);
    let mut page = format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"generator\" content=\"Groma\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n"
    );
    let (from, to) = story.from_to_ms;
    let _ = writeln!(
        page,
        "<p class=\"when\">{} to {} UTC. Settings: {}.</p>",
        time_of(from),
        time_of(to),
        escaped(settings.name())
    );
    for caution in cautions {
        let _ = writeln!(page, "<p class=\"caution\">{}</p>", escaped(caution));
    }
    if let Some(stand) = &story.stand {
        let _ = writeln!(page, "<p><strong>{}.</strong></p>", escaped(&stand.words));
    }
    let turns = story.turning_points();
    if !turns.is_empty() {
        page.push_str("<div class=\"turn\"><strong>Turning points</strong><ul>\n");
        for (n, entry) in turns {
            let _ = writeln!(
                page,
                "<li><a href=\"#bound-{}\">Bound {}</a>: {}</li>",
                n + 1,
                n + 1,
                escaped(&telling(entry))
            );
        }
        page.push_str("</ul></div>\n");
    }
    for (n, (chapter, drawing)) in story.chapters.iter().zip(drawings).enumerate() {
        let _ = writeln!(page, "<h2 id=\"bound-{}\">{}</h2>", n + 1, escaped(&heading(n, chapter)));
        if let Some(drawing) = drawing {
            let _ = writeln!(page, "<figure>{drawing}</figure>");
        }
        page.push_str("<ul>\n");
        for entry in &chapter.entries {
            let kind = entry.written.kind.word();
            let _ = writeln!(
                page,
                "<li class=\"{kind}\"><span class=\"k\">{kind}</span> {}</li>",
                escaped(&telling(entry))
            );
        }
        page.push_str("</ul>\n");
    }
    if let Some(stand) = &story.stand {
        page.push_str("<h2>Losses</h2>\n<table><tr><th>Side</th><th>Lost</th><th>Counts</th></tr>\n");
        for tally in &stand.tallies {
            for line in &tally.lines {
                let _ = writeln!(
                    page,
                    "<tr><td>{}</td><td>{}</td><td>{}</td></tr>",
                    tally.side.word(),
                    escaped(&line.what),
                    line.counts
                );
            }
            let _ = writeln!(
                page,
                "<tr><th>{}</th><th>in all</th><th>{}</th></tr>",
                tally.side.word(),
                tally.total
            );
        }
        page.push_str("</table>\n");
    }
    let overruled =
        story.chapters.iter().flat_map(|c| &c.entries).filter(|e| e.written.kind == Kind::Overrule).count();
    let _ = writeln!(
        page,
        "<p class=\"when\">Told by Groma from the battle's journal. {}</p>\n</body></html>",
        match overruled {
            0 => "No answer of the program was overruled.".to_owned(),
            1 => "One answer of the program was overruled.".to_owned(),
            n => format!("{n} answers of the program were overruled."),
        }
    );
    page
}

/// Text that may stand in HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
