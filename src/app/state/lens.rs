//! The page on which a lens is calibrated: what is typed, what is seen, and what has been gathered.

use crate::app::command::LensCommand;
use crate::app::worker::lens::{LensLook, LensProgress, LensSight};
use crate::vision::LensProfile;
use crate::vision::calibration::{Board, Look, MOST_RMS_PX, ViewUse, profile_notes};
use std::sync::Arc;

/// What the page is doing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum LensRun {
    /// The board is being named.
    #[default]
    Choosing,
    /// The source is being opened.
    Opening,
    /// Pictures are looked at.
    Watching,
    /// There are no more pictures.
    Ended,
    /// The source failed, in words; what was gathered stays.
    Failed(String),
}

/// The page.
#[derive(Debug, Clone)]
pub struct LensPage {
    /// The board as it is typed.
    pub board: String,
    /// What is wrong with it.
    pub board_error: Option<String>,
    /// What the camera is to be called.
    pub camera: String,
    /// The file for the profile.
    pub file: String,
    /// What the page is doing.
    pub run: LensRun,
    /// What people call the source.
    pub description: String,
    /// What the camera calls itself.
    pub device: Option<String>,
    /// Pictures that could not be used.
    pub passed_over: Vec<String>,
    /// How the last saving ended: what was written where, or why not.
    pub saved: Option<Result<String, String>>,
    latest: Option<Arc<LensSight>>,
    looks: u64,
}

impl LensPage {
    /// Before anything is seen; the profile is to be written to `file`.
    pub fn new(file: String) -> Self {
        Self {
            board: "chessboard:9x6:20".to_owned(),
            board_error: None,
            camera: String::new(),
            file,
            run: LensRun::default(),
            description: String::new(),
            device: None,
            passed_over: Vec::new(),
            saved: None,
            latest: None,
            looks: 0,
        }
    }

    /// The last picture, with what it shows.
    pub fn latest(&self) -> Option<&Arc<LensSight>> {
        self.latest.as_ref()
    }

    /// How many pictures were looked at: tells one from another.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// What has been gathered.
    pub fn progress(&self) -> Option<&LensProgress> {
        self.latest.as_ref().map(|sight| sight.progress.as_ref())
    }

    /// Whether a source is open or being opened.
    pub fn at_work(&self) -> bool {
        matches!(self.run, LensRun::Opening | LensRun::Watching)
    }

    /// What to do just now, in a few words.
    pub fn look_words(&self) -> &'static str {
        match (&self.run, self.latest.as_ref().map(|sight| sight.look)) {
            (LensRun::Choosing, _) => "Name the board and press Start.",
            (LensRun::Opening, _) | (LensRun::Watching, None) => "Opening...",
            (LensRun::Ended, _) => "All pictures have been looked at.",
            (LensRun::Failed(_), _) => "Stopped.",
            (LensRun::Watching, Some(LensLook::Settling)) => "The camera is settling; wait a moment.",
            (LensRun::Watching, Some(LensLook::Photograph)) => "The board shows in this picture.",
            (LensRun::Watching, Some(LensLook::NoBoard)) => "No board in this picture: it is left out.",
            (LensRun::Watching, Some(LensLook::Live(look))) => match look {
                Look::Lost => "No board in sight: all of it must show, flat and lit.",
                Look::Moving => "Hold it still...",
                Look::Known => "Seen here: move on, or lean it another way.",
                Look::New => "Taken. Move on.",
            },
        }
    }

    /// The profile as it stands, where it may be saved.
    ///
    /// # Errors
    /// Why not, and what to do.
    pub fn profile(&self, today: &str) -> Result<(LensProfile, Vec<String>), String> {
        let board: Board = self.board.parse()?;
        let found = self.progress().and_then(|p| p.calibration.as_ref());
        let Some(found) = found else {
            return Err("There is no lens yet: take more views first.".to_owned());
        };
        if found.rms_px > MOST_RMS_PX {
            return Err(format!(
                "The error is {:.2} px, above {MOST_RMS_PX} px: this is no lens profile. See that the board is \
                 named as it was printed, and is flat.",
                found.rms_px
            ));
        }
        let used = found.views.iter().filter(|v| v.used == ViewUse::Used);
        let camera = [self.camera.trim(), self.device.as_deref().unwrap_or_default(), "unnamed camera"]
            .into_iter()
            .find(|name| !name.is_empty())
            .unwrap_or_default();
        let profile = LensProfile {
            camera: camera.to_owned(),
            device: self.device.clone(),
            date: today.to_owned(),
            lens: found.lens,
            residuals_px: used.flat_map(|v| v.residuals_px.iter().copied()).collect(),
        };
        Ok((profile, profile_notes(&board, found)))
    }

    /// Takes over what a picture showed.
    pub(in crate::app) fn take(&mut self, sight: LensSight) {
        self.latest = Some(Arc::new(sight));
        self.looks += 1;
    }

    /// What was gathered goes: another run begins.
    pub(in crate::app) fn begin(&mut self) {
        self.run = LensRun::Opening;
        self.passed_over.clear();
        self.saved = None;
        self.latest = None;
    }

    /// Carries out what concerns the page alone. Gives the command back where it is for `logic`.
    pub(in crate::app) fn carry_out(&mut self, command: LensCommand) -> Option<LensCommand> {
        match command {
            LensCommand::TypeBoard(text) => {
                self.board = text;
                self.board_error = None;
            }
            LensCommand::TypeCamera(text) => self.camera = text,
            LensCommand::TypeFile(text) => {
                self.file = text;
                self.saved = None;
            }
            other => return Some(other),
        }
        None
    }
}
