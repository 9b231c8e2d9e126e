//! The window's settings: what people choose once and want again the next time, in a file of its own (RON, schema 1).
//!
//! What belongs to a table lies in the table's folder, else where the system keeps settings. A file that cannot be read
//! is left as it is, and told.

use crate::app::look::{Ground, Look, Photographs};
use crate::app::state::{Tray, Whose};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Its name in a table folder.
pub const SETTINGS_FILE: &str = "window.ron";

/// The file's form.
const SCHEMA: u32 = 1;

/// What is kept.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WindowSettings {
    schema: u32,
    /// Where the dice tray is.
    #[serde(default)]
    pub tray: Option<Tray>,
    /// Whose die is whose.
    #[serde(default)]
    pub whose: Whose,
    /// The size of text, and the contrast.
    #[serde(default)]
    pub look: Look,
    /// When photographs are taken.
    #[serde(default)]
    pub photographs: Photographs,
    /// Dark or light.
    #[serde(default)]
    pub ground: Ground,
}

impl Default for WindowSettings {
    fn default() -> Self {
        Self {
            schema: SCHEMA,
            tray: None,
            whose: Whose::default(),
            look: Look::default(),
            photographs: Photographs::Asked,
            ground: Ground::Dark,
        }
    }
}

impl WindowSettings {
    /// Reads a file's text.
    ///
    /// # Errors
    /// In words, with the place.
    pub fn read(text: &str) -> Result<Self, String> {
        let read: Self = ron::from_str(crate::text::without_mark(text)).map_err(|why| why.to_string())?;
        if read.schema != SCHEMA {
            return Err(format!("schema {} is not known: {SCHEMA} is", read.schema));
        }
        Ok(read)
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let pretty = ron::ser::PrettyConfig::new().depth_limit(2);
        // Plain numbers, words and lists: nothing of it cannot be written.
        ron::ser::to_string_pretty(self, pretty).unwrap_or_default() + "\n"
    }

    /// Where the system keeps them; none where it says nothing of that.
    pub fn usual_file() -> Option<PathBuf> {
        let dirs = directories::ProjectDirs::from("", "", "groma")?;
        Some(dirs.config_dir().join(SETTINGS_FILE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::command::TrayCamera;
    use crate::vision::dice::PixelRect;

    #[test]
    fn settings_are_read_as_they_were_written_and_strange_ones_are_refused() {
        let area = PixelRect { left: 10, top: 700, width: 320, height: 240 };
        let tray = Tray { camera: TrayCamera::Second, area, picture: [1920, 1080] };
        let settings = WindowSettings { tray: Some(tray), ..WindowSettings::default() };
        assert_eq!(WindowSettings::read(&settings.text()), Ok(settings.clone()), "{}", settings.text());
        assert_eq!(WindowSettings::read("(schema: 1)"), Ok(WindowSettings::default()));
        assert!(WindowSettings::read("(schema: 2)").is_err_and(|why| why.contains("schema 2")));
        assert!(WindowSettings::read("(schema: 1, colour: 3)").is_err());
    }
}
