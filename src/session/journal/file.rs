//! A journal's file: records are added at its end, each on the disk before it counts, and nothing before them is ever
//! written again.
//!
//! One program at a time writes a journal: the file is locked. What a torn end holds is put beside the file before it
//! is cut off. Damage before the end is told and never mended in place.

use super::{Event, Opened, Record, RecordFault, SCHEMA};
use crate::text::reason;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
    /// So many bytes hold whole records.
    whole: u64,
    next: u64,
}

/// What a journal's file held.
#[derive(Debug, Clone, PartialEq)]
pub struct Found {
    /// Every whole record. Never empty: the first one opens the battle.
    pub records: Vec<Record>,
    /// The end that was not written whole.
    pub torn: Option<Torn>,
}

/// The end of a file that was not written whole: what was being written as the program or the machine stopped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Torn {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Where they begin in the file.
    pub at: u64,
}

/// Why there is no journal, or why it did not grow.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum JournalError {
    /// The disk or its folders stand in the way.
    #[error("{path}: {why}")]
    Disk {
        /// The file.
        path: String,
        /// What stands in the way, and what to do.
        why: String,
    },
    /// There is a file of that name.
    #[error(
        "{0} is there already: a new battle does not replace a file. Open it to go on with it, or choose another name"
    )]
    Exists(String),
    /// Another program writes it.
    #[error("{0} is being written by another Groma: close that one first")]
    Busy(String),
    /// It does not begin as a journal does.
    #[error("{0} is no journal of Groma: no battle is opened in its first line")]
    NoJournal(String),
    /// Its first line is damaged, without which nothing can be read.
    #[error(
        "{0}: the first line is damaged or was changed: table, rosters and settings stood in it, so the battle cannot be read. Open a copy of it, if there is one; this file is left as it is"
    )]
    NoBeginning(String),
    /// A line before the end is damaged.
    #[error(
        "{path}: line {line} is damaged or was changed, and there are lines after it. The {whole} records before it are whole: `groma replay {path} --rescue NEW.journal` writes them to a new file. The old one is left as it is"
    )]
    Damaged {
        /// The file.
        path: String,
        /// Which line, from 1.
        line: usize,
        /// So many records before it are whole.
        whole: usize,
    },
    /// A later version wrote it.
    #[error("{path}: line {line}: {why}. Nothing was changed")]
    Later {
        /// The file.
        path: String,
        /// Which line, from 1.
        line: usize,
        /// What is not known here.
        why: String,
    },
}

impl Journal {
    /// Begins a new one with these records, of which the first opens the battle. All of them are on the disk when this
    /// returns.
    ///
    /// # Errors
    /// There is a file of that name, or the disk stands in the way; then there is no new file.
    pub fn create(path: &Path, records: &[Record]) -> Result<Self, JournalError> {
        let made = OpenOptions::new().read(true).write(true).create_new(true).open(path);
        let file = made.map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => JournalError::Exists(path.display().to_string()),
            _ => disk(path, &error),
        })?;
        lock(path, &file)?;
        let mut journal = Self { path: path.to_owned(), file, whole: 0, next: 1 };
        let begun =
            journal.append(records).and_then(|()| sync_folder(path).map_err(|error| disk(path, &error)));
        if begun.is_err() {
            // Half a file would be in the way of the next try.
            let _ = std::fs::remove_file(path);
        }
        begun.map(|()| journal)
    }

    /// Opens one to go on with it. A torn end is put beside it, into a file that ends in `.torn`, and cut off.
    ///
    /// # Errors
    /// It is no journal, is damaged before its end, is of a later version, or is being written.
    pub fn open(path: &Path) -> Result<(Self, Found), JournalError> {
        let opened = OpenOptions::new().read(true).write(true).open(path);
        let mut file = opened.map_err(|error| disk(path, &error))?;
        lock(path, &file)?;
        let bytes = all_of(path, &mut file)?;
        let found = Found::of(path, &bytes)?;
        let whole = found.torn.as_ref().map_or(bytes.len() as u64, |torn| torn.at);
        let next = found.records.len() as u64 + 1;
        let mut journal = Self { path: path.to_owned(), file, whole, next };
        if let Some(torn) = &found.torn {
            keep_torn(path, &torn.bytes)?;
            journal.cut()?;
        } else if bytes.last() != Some(&b'\n') {
            // All of the last record is there but the end of its line.
            journal.write(b"\n")?;
        }
        Ok((journal, found))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds records, which are numbered on from those that are there. When this returns, they are on the disk.
    ///
    /// # Errors
    /// They could not be written. The file then ends as it did before, and the same may be tried again.
    pub fn append(&mut self, records: &[Record]) -> Result<(), JournalError> {
        let mut lines = Vec::new();
        for (n, record) in (self.next..).zip(records) {
            debug_assert_eq!(record.n, n, "records are numbered without a gap");
            lines.extend(record.line().into_bytes());
            lines.push(b'\n');
        }
        self.write(&lines)?;
        self.next += records.len() as u64;
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        // What an earlier try has left goes first.
        self.cut()?;
        let written = self.file.write_all(bytes).and_then(|()| self.file.sync_data());
        match written {
            Ok(()) => {
                self.whole += bytes.len() as u64;
                Ok(())
            }
            Err(error) => {
                let told = disk(&self.path, &error);
                // Where this fails too, the next try or the next reader cuts it off.
                let _ = self.cut();
                Err(told)
            }
        }
    }

    /// Lets the file end with its last whole record.
    fn cut(&mut self) -> Result<(), JournalError> {
        let cut = self.file.metadata().and_then(|data| {
            if data.len() != self.whole {
                self.file.set_len(self.whole)?;
                self.file.sync_data()?;
            }
            self.file.seek(SeekFrom::Start(self.whole)).map(drop)
        });
        cut.map_err(|error| disk(&self.path, &error))
    }
}

impl Found {
    /// Reads a journal and changes nothing; one that is being written may be read too.
    ///
    /// # Errors
    /// It is no journal, is damaged before its end, or is of a later version.
    pub fn read(path: &Path) -> Result<Self, JournalError> {
        Self::of(path, &bytes_at(path)?)
    }

    /// Reads the whole records before the first damage, whatever comes after.
    ///
    /// # Errors
    /// It is no journal, or is of a later version.
    pub fn read_whole_part(path: &Path) -> Result<Self, JournalError> {
        let bytes = bytes_at(path)?;
        match Self::of(path, &bytes) {
            Err(JournalError::Damaged { line, .. }) => {
                let at: usize = bytes.split_inclusive(|b| *b == b'\n').take(line - 1).map(<[u8]>::len).sum();
                let found = Self::of(path, &bytes[..at])?;
                Ok(Self { torn: Some(Torn { bytes: bytes[at..].to_vec(), at: at as u64 }), ..found })
            }
            other => other,
        }
    }

    fn of(path: &Path, bytes: &[u8]) -> Result<Self, JournalError> {
        let name = || path.display().to_string();
        let mut records: Vec<Record> = Vec::new();
        let mut at = 0;
        for (n, line) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
            // Editors add empty lines.
            if line.ends_with(b"\n") && line.trim_ascii().is_empty() && !records.is_empty() {
                at += line.len();
                continue;
            }
            let later = |why: String| JournalError::Later { path: name(), line: n + 1, why };
            let text = line.strip_suffix(b"\n").unwrap_or(line);
            let record = match Record::parse(text.strip_suffix(b"\r").unwrap_or(text)) {
                Ok(record) if record.n == records.len() as u64 + 1 => Some(record),
                Ok(_) | Err(RecordFault::Torn) => None,
                Err(fault @ RecordFault::Unknown(_)) => return Err(later(fault.to_string())),
            };
            match record {
                Some(record) => records.push(record),
                // A first line that was not written whole is no beginning.
                None if records.is_empty() && begins_one(line) => {
                    return Err(JournalError::NoBeginning(name()));
                }
                None if records.is_empty() => return Err(JournalError::NoJournal(name())),
                None if at + line.len() == bytes.len() => {
                    let torn = Torn { bytes: line.to_vec(), at: at as u64 };
                    return Ok(Self { records, torn: Some(torn) });
                }
                None => {
                    return Err(JournalError::Damaged { path: name(), line: n + 1, whole: records.len() });
                }
            }
            at += line.len();
        }
        match records.first().map(|record| &record.event) {
            Some(Event::Opened(opened)) if opened.schema <= SCHEMA => Ok(Self { records, torn: None }),
            Some(Event::Opened(opened)) => Err(JournalError::Later {
                path: name(),
                line: 1,
                why: format!(
                    "it is written in form {}, by Groma {}, and this version reads up to form {SCHEMA}",
                    opened.schema, opened.groma
                ),
            }),
            _ => Err(JournalError::NoJournal(name())),
        }
    }

    /// How the battle was opened.
    pub fn opened(&self) -> &Opened {
        match self.records.first().map(|record| &record.event) {
            Some(Event::Opened(opened)) => opened,
            _ => unreachable!("a journal that was read begins with that"),
        }
    }
}

/// Whether a line looks like a journal's first one, whatever was done to it.
fn begins_one(line: &[u8]) -> bool {
    let text = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    text.starts_with(b"{\"n\":1,") && text.windows(9).any(|w| w == b"\"opened\":")
}

/// Takes the file for this program alone.
fn lock(path: &Path, file: &File) -> Result<(), JournalError> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => Err(JournalError::Busy(path.display().to_string())),
        // Some file systems have no locks: then nobody is kept out.
        Err(TryLockError::Error(error)) if error.kind() == ErrorKind::Unsupported => Ok(()),
        Err(TryLockError::Error(error)) => Err(disk(path, &error)),
    }
}

fn bytes_at(path: &Path) -> Result<Vec<u8>, JournalError> {
    let mut file = File::open(path).map_err(|error| disk(path, &error))?;
    all_of(path, &mut file)
}

fn all_of(path: &Path, file: &mut File) -> Result<Vec<u8>, JournalError> {
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(|error| disk(path, &error))?;
    Ok(bytes)
}

/// Adds what a torn end held to the file beside the journal.
fn keep_torn(path: &Path, bytes: &[u8]) -> Result<(), JournalError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".torn");
    let beside = PathBuf::from(name);
    let kept = OpenOptions::new().append(true).create(true).open(&beside).and_then(|mut file| {
        file.write_all(bytes)?;
        file.write_all(b"\n")?;
        file.sync_data()
    });
    kept.map_err(|error| disk(&beside, &error))
}

/// A new file's name is on the disk only once its folder is.
#[cfg(unix)]
fn sync_folder(path: &Path) -> std::io::Result<()> {
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    File::open(folder)?.sync_all()
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}

fn disk(path: &Path, error: &std::io::Error) -> JournalError {
    let why = match error.kind() {
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge => {
            "the disk is full: make room, and it is tried again; nothing that was written is lost".to_owned()
        }
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "it may not be written there: choose a folder of your own".to_owned()
        }
        _ => reason(error),
    };
    JournalError::Disk { path: path.display().to_string(), why }
}
