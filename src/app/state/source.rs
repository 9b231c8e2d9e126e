//! What is known of where frames come from, and the dialog for opening another source.

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
    /// What it is doing.
    pub run: Run,
}

impl SourceState {
    /// What the button that holds it and lets it go says, or `None` where there is nothing to hold.
    pub fn pause_words(&self) -> Option<&'static str> {
        match (&self.run, self.unrelated) {
            (Run::Paused, true) => Some("Next picture"),
            (Run::Paused, false) => Some("Resume"),
            (Run::Running, _) => Some("Pause"),
            (Run::Opening | Run::Ended | Run::Failed(_), _) => None,
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

/// The dialog for another source.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Dialog {
    /// What is typed.
    pub text: String,
    /// What is being opened just now.
    pub opening: Option<String>,
    /// Why the last one could not be opened.
    pub error: Option<String>,
    /// What is known of cameras.
    pub cameras: CameraSearch,
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
