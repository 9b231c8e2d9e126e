//! The files that are written for a person. Every file of a job is checked before its work begins, and none
//! is replaced before all are written whole beside their places: a job that fails leaves what was there.

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Why a file is not written. In words that say what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutputError {
    /// It was asked for wrongly.
    #[error("{0}")]
    Use(String),
    /// The disk or its folders stand in the way.
    #[error("{0}")]
    Disk(String),
}

/// What kind of file an option writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A printed page.
    Pdf,
    /// A photograph.
    Picture,
    /// What is true of a simulated picture.
    Truth,
    /// A lens profile.
    Lens,
    /// A table file.
    Table,
    /// A certificate for machines.
    Certificate,
    /// A study's figures.
    Figures,
    /// A ruling or a study, drawn.
    Drawing,
    /// A roster file.
    Roster,
    /// A file of setting up.
    SettingUp,
    /// The window's log.
    Log,
    /// A battle's report as a page.
    Page,
    /// A battle's report as Markdown.
    Markdown,
}

impl Kind {
    /// The endings that a file of this kind may have.
    fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Pdf => &["pdf"],
            Self::Picture => &["png", "jpg", "jpeg"],
            Self::Truth | Self::Certificate => &["json"],
            Self::Lens | Self::Table | Self::Roster | Self::SettingUp => &["ron"],
            Self::Figures => &["csv"],
            Self::Drawing => &["svg"],
            Self::Log => &["txt"],
            Self::Page => &["html", "htm"],
            Self::Markdown => &["md"],
        }
    }

    /// Whether a file with these contents is one of the kind, so that a new one may take its place. An
    /// empty file is of every kind.
    fn replaces(self, contents: &[u8]) -> bool {
        let holds = |words: &[u8]| contents.windows(words.len()).any(|w| w == words);
        contents.is_empty()
            || match self {
                Self::Pdf => contents.starts_with(b"%PDF"),
                Self::Picture => {
                    contents.starts_with(b"\xFF\xD8\xFF") || contents.starts_with(b"\x89PNG\r\n\x1a\n")
                }
                Self::Truth => holds(b"\"tags_px\""),
                Self::Lens => holds(b"fx:") && holds(b"cx:"),
                Self::Table => holds(b"reference_tags:"),
                Self::Certificate => holds(b"\"error_over_claim\""),
                Self::Figures => contents.starts_with(b"study,"),
                Self::Drawing => contents.starts_with(b"<svg"),
                Self::Roster => holds(b"elements:") && holds(b"tags:"),
                Self::SettingUp => holds(b"acts:") && holds(b"ruleset:"),
                Self::Log => contents.starts_with(b"Groma log"),
                Self::Page => holds(b"<meta name=\"generator\" content=\"Groma\">"),
                Self::Markdown => holds(b"Told by Groma"),
            }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Pdf => "a PDF",
            Self::Picture => "a picture",
            Self::Truth => "a truth file",
            Self::Lens => "a lens profile",
            Self::Table => "a table file",
            Self::Certificate => "a certificate",
            Self::Figures => "a study's CSV file",
            Self::Drawing => "a drawing",
            Self::Roster => "a roster file",
            Self::SettingUp => "a file of setting up",
            Self::Log => "a log",
            Self::Page => "a page",
            Self::Markdown => "Markdown",
        }
    }
}

/// A name beside a file that no file has: `red-before-1.ron`, `red-before-2.ron`, ...
pub fn free_beside(path: &Path) -> PathBuf {
    let (stem, ending) = (path.file_stem().unwrap_or_default(), path.extension().unwrap_or_default());
    let name = |n: u32| format!("{}-before-{n}.{}", stem.to_string_lossy(), ending.to_string_lossy());
    let free = (1..).map(|n| path.with_file_name(name(n))).find(|p| !p.exists());
    free.expect("there is no end of numbers")
}

/// A file that an option names to be written.
#[derive(Debug, Clone, Copy)]
pub struct Output<'a> {
    /// What names it: the option, as `--out`.
    pub option: &'static str,
    /// Where.
    pub path: &'a Path,
    /// What.
    pub kind: Kind,
}

/// Checks the files that a command is to write; to be called before its work begins.
///
/// # Errors
/// Wrong use: an ending of another kind, a folder's name, one file for two outputs, a file of another kind
/// that is there already. A failed job: a folder that is not there.
pub fn check(outputs: &[Output<'_>]) -> Result<(), OutputError> {
    for (i, output) in outputs.iter().enumerate() {
        let Output { option, path, kind } = *output;
        let shown = path.display();
        if path.is_dir() {
            return Err(OutputError::Use(format!(
                "{option} {shown} is a folder: name the file inside it that is to be written"
            )));
        }
        let ending = path.extension().and_then(|e| e.to_str()).map(str::to_ascii_lowercase);
        if !ending.is_some_and(|e| kind.endings().contains(&e.as_str())) {
            let endings: Vec<String> = kind.endings().iter().map(|e| format!(".{e}")).collect();
            return Err(OutputError::Use(format!(
                "{option} {shown}: {} is written, so name a file that ends in {}",
                kind.name(),
                endings.join(" or ")
            )));
        }
        let folder = folder_of(path);
        if folder.is_file() {
            return Err(OutputError::Disk(format!(
                "{option} {shown}: {} is a file, not a folder: name another",
                folder.display()
            )));
        }
        if !folder.is_dir() {
            return Err(OutputError::Disk(format!(
                "{option} {shown}: there is no folder {}: make it first, or name another",
                folder.display()
            )));
        }
        if let Some(other) = outputs[..i].iter().find(|o| place(o.path) == place(path)) {
            return Err(OutputError::Use(format!(
                "{} and {option} both name {shown}: name two files",
                other.option
            )));
        }
        if path.exists() {
            if !path.is_file() {
                return Err(OutputError::Use(format!(
                    "{option} {shown} is not an ordinary file: name another"
                )));
            }
            let contents = std::fs::read(path)
                .map_err(|e| OutputError::Disk(format!("{option} {shown}: {}", reason(&e))))?;
            if !kind.replaces(&contents) {
                return Err(OutputError::Use(format!(
                    "{option} {shown} is there already and is not {}: name another file, or move it away",
                    kind.name()
                )));
            }
        }
    }
    Ok(())
}

/// The folder that a file is in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// One name for each file, however it is written.
fn place(path: &Path) -> PathBuf {
    let whole = path.canonicalize().ok();
    let through_folder = || {
        let folder = folder_of(path).canonicalize().ok()?;
        Some(folder.join(path.file_name()?))
    };
    whole.or_else(through_folder).unwrap_or_else(|| path.to_owned())
}

/// Writes the files: all of them whole beside their places first, then each into its place.
///
/// # Errors
/// A file that cannot be written; what was in its place before is still there.
pub fn write(files: &[(&Path, &[u8])]) -> Result<(), OutputError> {
    let mut parts: Vec<(PathBuf, PathBuf)> = Vec::new();
    let done = files.iter().try_for_each(|(path, bytes)| {
        let failed =
            |e: std::io::Error| OutputError::Disk(format!("cannot write {}: {}", path.display(), reason(&e)));
        let place = place(path);
        if std::fs::metadata(&place).is_ok_and(|about| about.permissions().readonly()) {
            return Err(failed(ErrorKind::PermissionDenied.into()));
        }
        let mut part = place.clone().into_os_string();
        part.push(".part");
        let part = PathBuf::from(part);
        let mut file = std::fs::File::create_new(&part).map_err(failed)?;
        parts.push((part, place));
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed)
    });
    let done = done.and_then(|()| {
        parts.iter().try_for_each(|(part, place)| {
            std::fs::rename(part, place)
                .map_err(|e| OutputError::Disk(format!("cannot write {}: {}", place.display(), reason(&e))))
        })
    });
    if done.is_err() {
        for (part, _) in &parts {
            // One that has taken its place already is not there any more.
            let _ = std::fs::remove_file(part);
        }
    }
    done
}

/// Why a file cannot be read or written, and what to do about it.
pub fn reason(error: &std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file or folder; check the name".to_owned(),
        ErrorKind::PermissionDenied => {
            "it is not allowed; name another place, or change its permissions".to_owned()
        }
        ErrorKind::ReadOnlyFilesystem => "the disk is read-only; name another place".to_owned(),
        ErrorKind::StorageFull => "the disk is full; make room, or name another place".to_owned(),
        ErrorKind::NotADirectory => "part of its name is a file, not a folder; check the name".to_owned(),
        ErrorKind::AlreadyExists => {
            "something of that name, or its unfinished .part, is there already; move it away".to_owned()
        }
        _ => format!("{error}; name another place"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_replaced_unless_everything_is_written() {
        let dir = tempfile::tempdir().expect("a folder");
        let (old, lost) = (dir.path().join("old.jpg"), dir.path().join("nodir/x.json"));
        std::fs::write(&old, "old").expect("a file");
        let why = write(&[(&old, b"new".as_slice()), (&lost, b"x".as_slice())]).expect_err("no such folder");
        assert!(why.to_string().contains("x.json: there is no such"), "{why}");
        assert_eq!(std::fs::read(&old).expect("still there"), b"old");
        assert_eq!(std::fs::read_dir(dir.path()).expect("a folder").count(), 1, "no part is left behind");
        write(&[(&old, b"new".as_slice())]).expect("written");
        assert_eq!(std::fs::read(&old).expect("there"), b"new");
    }

    #[test]
    fn only_files_of_the_same_kind_make_room() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("mine.ron");
        let output = |kind| Output { option: "--out", path: &path, kind };
        assert!(check(&[output(Kind::Lens)]).is_ok());
        std::fs::write(&path, "(schema: 1, elements: [])").expect("a file");
        assert!(matches!(check(&[output(Kind::Lens)]), Err(OutputError::Use(_))));
        std::fs::write(&path, "(schema: 1, fx: 1.0, cx: 2.0)").expect("a file");
        assert!(check(&[output(Kind::Lens)]).is_ok());
        assert!(matches!(check(&[output(Kind::Pdf)]), Err(OutputError::Use(_))));
        assert!(matches!(check(&[output(Kind::Lens), output(Kind::Table)]), Err(OutputError::Use(_))));
    }
}
