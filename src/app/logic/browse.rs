//! The dialog's own list of files: no desktop's file chooser is needed, and it is the same everywhere.

use super::Logic;
use crate::app::command::BrowseCommand;
use crate::app::state::{Browser, Entry, Field};
use std::path::{Path, PathBuf};

/// So many entries of a folder are listed.
const MOST: usize = 500;

impl Logic {
    /// Carries out a wish about the list.
    pub(super) fn browse(&mut self, command: BrowseCommand) {
        let Some(dialog) = &mut self.state.dialog else { return };
        match command {
            BrowseCommand::For(field) => {
                let typed = PathBuf::from(dialog.field(field).trim());
                let begin = typed
                    .ancestors()
                    .find(|p| p.is_dir())
                    .map(Path::to_owned)
                    .or_else(|| std::env::current_dir().ok())
                    .unwrap_or_else(|| PathBuf::from("."));
                dialog.browser = Some(list(field, begin));
            }
            BrowseCommand::Enter(folder) => {
                if let Some(field) = dialog.browser.as_ref().map(|browser| browser.field) {
                    dialog.browser = Some(list(field, folder));
                }
            }
            BrowseCommand::Choose(path) => {
                if let Some(browser) = dialog.browser.take() {
                    *dialog.field_mut(browser.field) = path.display().to_string();
                    dialog.error = None;
                }
            }
            BrowseCommand::Close => dialog.browser = None,
        }
    }
}

/// What a folder holds that fits the field: folders first, then files, each by name; hidden ones are left out.
fn list(field: Field, folder: PathBuf) -> Browser {
    // A relative name has no folder above it to be seen.
    let folder = folder.canonicalize().unwrap_or(folder);
    let above = folder.parent().map(Path::to_owned);
    let mut browser = Browser { field, folder, above, entries: Vec::new(), note: None };
    let read = match std::fs::read_dir(&browser.folder) {
        Ok(read) => read,
        Err(error) => {
            browser.note = Some(format!("This folder cannot be read: {}.", crate::text::reason(&error)));
            return browser;
        }
    };
    let mut entries: Vec<Entry> = read
        .filter_map(Result::ok)
        .filter_map(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            let (path, hidden) = (entry.path(), name.starts_with('.'));
            let folder = path.is_dir();
            let ending = path.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
            let fits = folder || field.endings().contains(&ending.as_str());
            (fits && !hidden).then_some(Entry { name, path, folder })
        })
        .collect();
    entries.sort_by_key(|entry| (!entry.folder, entry.name.to_lowercase()));
    if entries.len() > MOST {
        browser.note = Some(format!("Only the first {MOST} of {} are listed; type the name.", entries.len()));
        entries.truncate(MOST);
    } else if entries.is_empty() {
        browser.note = Some(format!("Nothing here ends in {}.", field.endings().join(", ")));
    }
    browser.entries = entries;
    browser
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_first_and_what_does_not_fit_is_left_out() {
        let dir = tempfile::tempdir().expect("a folder");
        for name in ["table.ron", "b.JPG", "a.png", ".hidden.png", "film.mp4", "notes.txt"] {
            std::fs::write(dir.path().join(name), "x").expect("a file");
        }
        std::fs::create_dir(dir.path().join("zoo")).expect("a folder");
        let names = |field| -> Vec<String> {
            list(field, dir.path().to_owned()).entries.into_iter().map(|e| e.name).collect()
        };
        assert_eq!(names(Field::Source), ["zoo", "a.png", "b.JPG", "film.mp4"]);
        assert_eq!(names(Field::Table), ["zoo", "table.ron"]);
        let nothing = list(Field::Lens, dir.path().join("zoo"));
        assert!(nothing.note.is_some_and(|note| note.contains("ron")));
        let lost = list(Field::Lens, dir.path().join("nowhere"));
        assert!(lost.note.is_some_and(|note| note.contains("cannot be read")));
    }
}
