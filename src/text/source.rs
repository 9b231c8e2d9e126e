//! A file's text, with a plain reason where there is none.

use super::{MAX_BYTES, Mistakes};
use std::fmt;
use std::fs;
use std::io::Read;
use std::path::Path;

/// What a file should be, for the messages.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// The table.
    Table,
    /// An army.
    Roster,
    /// A camera's lens.
    Lens,
    /// Elements in short notation.
    Setup,
    /// Questions with the rulings expected.
    Cases,
    /// An event's settings.
    Event,
    /// A written battle.
    Battle,
    /// An army list, or an army chosen from one.
    ArmyList,
    /// What was done before a battle.
    SettingUp,
    /// What a table folder holds.
    Folder,
    /// What demo mode tells of the table.
    Card,
}

impl Wanted {
    fn name(self) -> &'static str {
        match self {
            Self::Table => "a table file",
            Self::Roster => "a roster file",
            Self::Lens => "a lens profile",
            Self::Setup => "a written setup",
            Self::Cases => "a case file",
            Self::Event => "an event's settings file",
            Self::Battle => "a battle file",
            Self::ArmyList => "a file of an army list or of an army",
            Self::SettingUp => "a file of setting up",
            Self::Folder => "a table folder's groma.ron",
            Self::Card => "a host's card",
        }
    }

    /// What kind of text it is.
    fn form(self) -> &'static str {
        match self {
            Self::Table
            | Self::Roster
            | Self::Lens
            | Self::Cases
            | Self::Event
            | Self::Battle
            | Self::ArmyList
            | Self::SettingUp
            | Self::Folder
            | Self::Card => "a text in RON",
            Self::Setup => "a text in short notation",
        }
    }

    /// How to come by one.
    fn hint(self) -> &'static str {
        match self {
            Self::Table | Self::Roster | Self::Folder => "`groma init DIR` writes samples",
            Self::Lens => "`groma calibrate lens` makes one from pictures of a board",
            Self::Cases => "docs/cases.md says how to write one",
            Self::Event => "docs/cases.md shows one",
            Self::Battle | Self::ArmyList | Self::SettingUp | Self::Card => {
                "docs/formats.md says how to write one"
            }
            Self::Setup => "write one element a line, as `A 4Bd red (5,5)-(6,5) N`",
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The mark that some editors put before a text in UTF-8.
const MARK: &str = "\u{FEFF}";

/// A text without the byte order mark that some editors put before it.
pub fn without_mark(text: &str) -> &str {
    text.strip_prefix(MARK).unwrap_or(text)
}

/// The text of the file at `path`, without a byte order mark. `what` is what the file should be.
///
/// # Errors
/// One mistake of the whole file: not there, a folder or another thing that is no file, not allowed, empty, a picture or other file
/// that is not text, not UTF-8 (with the place), or larger than [`MAX_BYTES`].
pub fn read_file(path: &Path, what: Wanted) -> Result<String, Mistakes> {
    let name = path.display().to_string();
    let refuse = |message: String| Err(Mistakes::whole(&name, message));
    let (hint, form) = (what.hint(), what.form());
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return refuse(format!("there is no such file: expected {what}; {hint}"));
        }
        Err(e) => return refuse(format!("cannot open {what}: {e}")),
    };
    if about.is_dir() {
        return refuse(format!("this is a folder: expected {what}, name the file inside it"));
    }
    // A pipe would be waited for without end.
    if !about.is_file() {
        return refuse(format!("this is not an ordinary file: expected {what}; {hint}"));
    }
    let mut bytes = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    let read = fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
    if let Err(e) = read {
        return refuse(format!("cannot read {what}: {e}"));
    }
    if bytes.starts_with(MARK.as_bytes()) {
        bytes.drain(..MARK.len());
    }
    if let Some(kind) = known_kind(&bytes) {
        return refuse(format!("this is {kind}: expected {what}, {form}; {hint}"));
    }
    if bytes.len() > MAX_BYTES {
        return refuse(format!("larger than {} MiB: expected {what}; is it another file?", MAX_BYTES >> 20));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return refuse(format!("the file is empty: expected {what}; {hint}"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(e) => {
            let good = e.utf8_error().valid_up_to();
            let before = &e.as_bytes()[..good];
            let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
            let byte = e.as_bytes()[good];
            refuse(format!(
                "not UTF-8 text (byte 0x{byte:02X} in line {line}): expected {what}; save it as UTF-8"
            ))
        }
    }
}

/// Kinds of file that are often named by mistake.
fn known_kind(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: &[(&[u8], &str)] = &[
        (b"\xFF\xD8\xFF", "a JPEG picture"),
        (b"\x89PNG", "a PNG picture"),
        (b"%PDF", "a PDF"),
        (b"PK\x03\x04", "a zip archive or office document"),
        (b"\x7FELF", "a program"),
        (b"\xFF\xFE", "a text in UTF-16 (save it as UTF-8)"),
        (b"\xFE\xFF", "a text in UTF-16 (save it as UTF-8)"),
    ];
    KINDS.iter().find(|(start, _)| bytes.starts_with(start)).map(|&(_, kind)| kind)
}
