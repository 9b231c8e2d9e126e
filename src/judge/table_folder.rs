//! A table folder: one folder with everything that belongs to a table. `groma.ron` in it says which of its files are
//! which, and how far the first run has come. Its form is in `docs/formats.md`.
//!
//! Invariant: files are named by their names alone, so that the folder can be moved or copied to another machine whole.

use crate::text::{Decoder, Mistakes, Node, Range};
use std::fmt::Write;

/// The file that holds a table folder together.
pub const FOLDER_FILE: &str = "groma.ron";

/// How many steps the first run has.
pub const FIRST_RUN_STEPS: u8 = 7;

/// What is in a table folder.
#[derive(Debug, Clone, PartialEq)]
pub struct TableFolder {
    /// Where pictures come from: as `camera:0` or `sim:7`, a stream's address, or a file of the folder.
    pub source: Option<String>,
    /// The table file.
    pub table: String,
    /// The roster files.
    pub rosters: Vec<String>,
    /// The lens profile.
    pub lens: Option<String>,
    /// What the ruler of the printed pages measured, millimetres.
    pub ruler_mm: Option<f64>,
    /// The step of the first run that is to be done, counted from 1.
    pub step: u8,
}

impl Default for TableFolder {
    fn default() -> Self {
        Self {
            source: None,
            table: "table.ron".to_owned(),
            rosters: Vec::new(),
            lens: None,
            ruler_mm: None,
            step: 1,
        }
    }
}

/// What a printed ruler of 100 mm may measure.
const RULER: Range = Range { least: 90.0, most: 110.0, expected: "what the ruler measured in mm, 90 to 110" };

/// Reads the file's text; `file` names it in messages.
///
/// # Errors
/// Every mistake of the file.
pub fn parse_folder(file: &str, text: &str) -> Result<TableFolder, Mistakes> {
    Decoder::run(file, text, folder)
}

fn folder(d: &mut Decoder, node: &Node) -> Option<TableFolder> {
    let mut f = d.fields(node, "a table folder in round brackets: (schema: 1, table: \"table.ron\", ...)")?;
    let schema = f.schema(d);
    let source = f.optional(d, "source", |d, n| d.text(n, "a source"));
    let table = f.required(d, "table", name);
    let rosters = f.or(d, "rosters", Vec::new(), |d, n| d.list(n, "a list of roster files", name));
    let lens = f.optional(d, "lens", name);
    let ruler = f.optional(d, "ruler", |d, n| d.number(n, RULER));
    let most = u64::from(FIRST_RUN_STEPS);
    let step = f.or(d, "step", most, |d, n| d.whole(n, "a step of the first run", 1, most));
    f.finish(d);
    schema?;
    Some(TableFolder {
        source: source?,
        table: table?,
        rosters: rosters?,
        lens: lens?,
        ruler_mm: ruler?,
        step: u8::try_from(step?).ok()?,
    })
}

/// The name of a file of the folder: no way to it, for the folder may be moved.
fn name(d: &mut Decoder, node: &Node) -> Option<String> {
    let name = d.text(node, "the name of a file in this folder")?;
    if name.is_empty() || name == "." || name == ".." || name.contains(['/', '\\', ':']) {
        d.note(
            node.at,
            format!("{name:?} is not the name of a file in this folder: put the file into the folder, and name it alone"),
        );
        return None;
    }
    Some(name)
}

impl TableFolder {
    /// The file's text.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "// A table folder: everything that belongs to one table. Copy the whole folder to move it;\n\
             // `groma --folder DIR` opens it. Files are named by their names alone.\n(\n    schema: 1,\n",
        );
        let mut field = |name: &str, value: String| {
            let _ = writeln!(text, "    {name}: {value},");
        };
        if let Some(source) = &self.source {
            field("source", format!("{source:?}"));
        }
        field("table", format!("{:?}", self.table));
        field("rosters", format!("{:?}", self.rosters));
        if let Some(lens) = &self.lens {
            field("lens", format!("{lens:?}"));
        }
        if let Some(ruler) = self.ruler_mm {
            field("ruler", format!("{ruler}"));
        }
        field("step", self.step.to_string());
        text.push_str(")\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_written_as_it_is_read() {
        let folder = TableFolder {
            source: Some("a \"quoted\" C:\\film.mp4".to_owned()),
            rosters: vec!["red.ron".to_owned(), "blue.ron".to_owned()],
            lens: Some("lens.ron".to_owned()),
            ruler_mm: Some(99.6),
            step: 4,
            ..TableFolder::default()
        };
        for folder in [folder, TableFolder::default()] {
            let text = folder.text();
            assert_eq!(parse_folder("groma.ron", &text).map_err(|m| m.to_string()), Ok(folder), "{text}");
        }
    }

    #[test]
    fn a_way_to_a_file_is_refused_and_every_mistake_is_told() {
        for way in ["/srv/a/table.ron", "../table.ron", "sub/table.ron", "C:\\\\table.ron", ".."] {
            let text = format!("(schema: 1, table: \"{way}\", rosters: [\"red.ron\", \"a/b.ron\"], step: 8)");
            let told = parse_folder("groma.ron", &text).expect_err("ways").to_string();
            assert_eq!(told.matches("name it alone").count(), 2, "{told}");
            assert!(told.contains("a step of the first run"), "{told}");
        }
    }
}
