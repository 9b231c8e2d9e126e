//! The report as one HTML page: styles and drawings stand in it.

use super::photographs::Shown;
use super::{heading, telling};
use crate::rules::Settings;
use crate::session::play::Kind;
use crate::session::report::Story;
use crate::text::html::{escaped, head};
use crate::text::time_of;
use std::fmt::Write;

/// What is shown of each chapter.
pub struct Pictures<'a> {
    /// Its drawing, where there is one.
    pub drawings: &'a [Option<String>],
    /// Its photographs.
    pub photographs: &'a [Vec<Shown>],
}

/// The page.
pub fn page(
    title: &str,
    story: &Story,
    pictures: &Pictures<'_>,
    settings: &Settings,
    cautions: &[String],
) -> String {
    let mut page = head(title);
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
    let shown = pictures.drawings.iter().zip(pictures.photographs);
    for (n, (chapter, (drawing, photographs))) in story.chapters.iter().zip(shown).enumerate() {
        let _ = writeln!(page, "<h2 id=\"bound-{}\">{}</h2>", n + 1, escaped(&heading(n, chapter)));
        if let Some(drawing) = drawing {
            let _ = writeln!(page, "<figure>{drawing}</figure>");
        }
        page.push_str("<ul>\n");
        for (k, entry) in chapter.entries.iter().enumerate() {
            taken(&mut page, photographs.iter().filter(|shown| shown.after == k));
            let kind = entry.written.kind.word();
            let _ = writeln!(
                page,
                "<li class=\"{kind}\"><span class=\"k\">{kind}</span> {}</li>",
                escaped(&telling(entry))
            );
        }
        taken(&mut page, photographs.iter().filter(|shown| shown.after >= chapter.entries.len()));
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

/// Photographs at their moment, in the page itself.
fn taken<'a>(page: &mut String, photographs: impl Iterator<Item = &'a Shown>) {
    for Shown { when, data, .. } in photographs {
        let _ = writeln!(
            page,
            "<li class=\"photograph\"><figure><img alt=\"The board at {when} UTC\" style=\"max-width:100%\" src=\"{data}\">\
             <figcaption>{when} UTC</figcaption></figure></li>"
        );
    }
}
