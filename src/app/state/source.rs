//! What is known of where frames come from, and the dialog for opening another source.

use crate::app::outside::NamedFiles;
use std::path::PathBuf;

/// What a source is doing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Run {
    /// Being opened.
    #[default]
    Opening,
    /// Giving frames.
    Running,
    /// Held by a person, or between two photographs of a folder.
    Paused,
    /// It went away, and is waited for; the last frame stays.
    Away,
    /// It has no more frames; the last one stays.
    Ended,
    /// It failed; the last frame stays.
    Failed(String),
}

/// Where frames come from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SourceState {
    /// What people call it.
    pub description: String,
    /// Whether its frames show unrelated moments, one at a time.
    pub unrelated: bool,
    /// What the camera calls itself, where it is one.
    pub device: Option<String>,
    /// What it is doing.
    pub run: Run,
    /// What people call the second camera, where there is one.
    pub second: Option<String>,
}

impl SourceState {
    /// What the button that holds it and lets it go says, or `None` where there is nothing to hold.
    pub fn pause_words(&self) -> Option<&'static str> {
        match (&self.run, self.unrelated) {
            (Run::Paused, true) => Some("Next picture"),
            (Run::Paused, false) => Some("Resume"),
            (Run::Running, _) => Some("Pause"),
            (Run::Opening | Run::Away | Run::Ended | Run::Failed(_), _) => None,
        }
    }
}

/// A camera that is plugged in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CameraEntry {
    /// What to open.
    pub source: String,
    /// What people call it.
    pub name: String,
}

/// A field of the dialog that names a file or a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Field {
    /// The source.
    Source,
    /// The table file.
    Table,
    /// The roster files, with semicolons between them.
    Rosters,
    /// The lens profile.
    Lens,
    /// The second camera.
    Second,
}

impl Field {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Source => "Source",
            Self::Table => "Table file",
            Self::Rosters => "Roster file",
            Self::Lens => "Lens profile",
            Self::Second => "Second camera",
        }
    }

    /// The endings of files that fit it.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Source => &["jpg", "jpeg", "png", "mp4", "avi", "mov", "mkv", "webm"],
            Self::Second => &["mp4", "avi", "mov", "mkv", "webm"],
            Self::Table | Self::Rosters | Self::Lens => &["ron"],
        }
    }
}

/// A list of files to choose from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Browser {
    /// For which field.
    pub field: Field,
    /// Whose contents are listed.
    pub folder: PathBuf,
    /// The folder that it is in.
    pub above: Option<PathBuf>,
    /// Folders first, then files.
    pub entries: Vec<Entry>,
    /// What there is to say of it.
    pub note: Option<String>,
}

/// A file or a folder of the list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Whether it is a folder.
    pub folder: bool,
}

/// The dialog for another source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dialog {
    /// What is typed for the source.
    pub text: String,
    /// The table file; empty for the samples.
    pub table: String,
    /// The roster files.
    pub rosters: String,
    /// The lens profile; empty for none.
    pub lens: String,
    /// The second camera; empty for none.
    pub second: String,
    /// The list of files, while it is open.
    pub browser: Option<Browser>,
    /// What is being opened just now.
    pub opening: Option<String>,
    /// Why the last one could not be opened.
    pub error: Option<String>,
    /// What is known of cameras.
    pub cameras: CameraSearch,
}

impl Dialog {
    /// With these files, and this second camera, in its fields.
    pub fn with(named: &NamedFiles, second: &str) -> Self {
        let shown = |path: &PathBuf| path.display().to_string();
        Self {
            table: named.table.as_ref().map(shown).unwrap_or_default(),
            rosters: named.rosters.iter().map(shown).collect::<Vec<_>>().join("; "),
            lens: named.lens.as_ref().map(shown).unwrap_or_default(),
            second: second.to_owned(),
            ..Self::default()
        }
    }

    /// What is typed in a field.
    pub fn field(&self, field: Field) -> &str {
        match field {
            Field::Source => &self.text,
            Field::Table => &self.table,
            Field::Rosters => &self.rosters,
            Field::Lens => &self.lens,
            Field::Second => &self.second,
        }
    }

    /// The same, to be changed.
    pub(in crate::app) fn field_mut(&mut self, field: Field) -> &mut String {
        match field {
            Field::Source => &mut self.text,
            Field::Table => &mut self.table,
            Field::Rosters => &mut self.rosters,
            Field::Lens => &mut self.lens,
            Field::Second => &mut self.second,
        }
    }
}

/// What is known of the cameras that are plugged in.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum CameraSearch {
    /// Nobody has asked.
    #[default]
    NotAsked,
    /// They are being looked for.
    Looking,
    /// These were found.
    Found(Vec<CameraEntry>),
    /// They could not be listed; in words.
    Failed(String),
}
