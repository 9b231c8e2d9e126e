//! The report as Markdown: its drawings are files beside it.

use super::{heading, telling};
use crate::rules::Settings;
use crate::session::report::Story;
use crate::text::time_of;
use std::fmt::Write;

/// The text. `drawings` are the names of the chapters' drawings, where there is one.
pub fn markdown(
    title: &str,
    story: &Story,
    drawings: &[Option<String>],
    settings: &Settings,
    cautions: &[String],
) -> String {
    let (from, to) = story.from_to_ms;
    let mut text = format!(
        "# {}\n\n{} to {} UTC. Settings: {}.\n",
        plain(title),
        time_of(from),
        time_of(to),
        settings.name()
    );
    for caution in cautions {
        let _ = writeln!(text, "\n> {}", plain(caution));
    }
    if let Some(stand) = &story.stand {
        let _ = writeln!(text, "\n**{}.**", plain(&stand.words));
    }
    let turns = story.turning_points();
    if !turns.is_empty() {
        text.push_str("\n## Turning points\n\n");
        for (n, entry) in turns {
            let _ = writeln!(text, "- Bound {}: {}", n + 1, plain(&telling(entry)));
        }
    }
    for (n, (chapter, drawing)) in story.chapters.iter().zip(drawings).enumerate() {
        let heading = plain(&heading(n, chapter));
        let _ = writeln!(text, "\n## {heading}\n");
        if let Some(drawing) = drawing {
            // A name with spaces or brackets in it stands in angle brackets.
            let _ = writeln!(text, "![{heading}](<{drawing}>)\n");
        }
        for entry in &chapter.entries {
            let _ = writeln!(text, "- *{}* {}", entry.written.kind.word(), plain(&telling(entry)));
        }
    }
    if let Some(stand) = &story.stand {
        text.push_str("\n## Losses\n\n| side | lost | counts |\n|---|---|---|\n");
        for tally in &stand.tallies {
            for line in &tally.lines {
                let _ = writeln!(text, "| {} | {} | {} |", tally.side.word(), plain(&line.what), line.counts);
            }
            let _ = writeln!(text, "| {} | in all | {} |", tally.side.word(), tally.total);
        }
    }
    text.push_str("\nTold by Groma from the battle's journal.\n");
    text
}

/// Text in which no letter means anything to Markdown.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|') {
            out.push('\\');
        }
        out.push(if c.is_control() { ' ' } else { c });
    }
    out
}
