//! The window's settings: read when it begins, and written when they have changed.

use super::Logic;
use crate::app::settings::WindowSettings;
use crate::text::{reason, write_outputs};
use std::io::ErrorKind;
use std::path::PathBuf;

/// Where they are kept, and as what they stand there.
#[derive(Default)]
pub(super) struct SettingsKept {
    /// None: nowhere.
    path: Option<PathBuf>,
    written: WindowSettings,
}

impl Logic {
    /// The settings are those of this file, and go into it as they change. One that is not there is begun with the first
    /// change.
    pub fn keep_settings_in(&mut self, path: PathBuf) {
        let read = match std::fs::read_to_string(&path) {
            Ok(text) => WindowSettings::read(&text),
            Err(why) if why.kind() == ErrorKind::NotFound => Ok(WindowSettings::default()),
            Err(why) => Err(reason(&why)),
        };
        match read {
            Ok(settings) => {
                self.state.set_up(&settings);
                self.settings = SettingsKept { path: Some(path), written: settings };
            }
            Err(why) => {
                self.settings = SettingsKept::default();
                let name = path.display();
                let why = why.trim_end_matches('.');
                self.state.notice =
                    Some(format!("{name}: {why}. The window's settings are not kept until it is put right."));
            }
        }
    }

    /// What has changed is written.
    pub(super) fn keep_settings(&mut self) {
        let Some(path) = &self.settings.path else { return };
        let now = self.state.settings();
        if now == self.settings.written {
            return;
        }
        let folder = path.parent().map_or(Ok(()), std::fs::create_dir_all).map_err(|why| reason(&why));
        let written = folder.and_then(|()| {
            write_outputs(&[(path.as_path(), now.text().as_bytes())]).map_err(|why| why.to_string())
        });
        if let Err(why) = written {
            let why = why.trim_end_matches('.');
            self.state.notice = Some(format!("The window's settings cannot be kept: {why}."));
            self.settings.path = None;
        }
        self.settings.written = now;
    }
}
