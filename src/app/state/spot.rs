//! The page on which bases without tags are judged: a picture that is held, corners that are clicked, two bases and a
//! question. Pixels of the picture. What takes long is worked out elsewhere ([`SpotPage::job`]).

use crate::app::command::{SpotAsk, SpotCommand, SpotField};
use crate::geometry::Corner;
use crate::judge::{Judgement, rule};
use crate::markers::{NamedBase, SpotBase, find_bases, spot_measured};
use crate::rules::{Question, Ruleset, Settings};
use crate::session::play::Job;
use crate::units::Scale;
use crate::vision::location::RegisteredCamera;
use crate::vision::untagged::{CLICK_SIGMA_PX, ClickedBase, KnownBase};
use crate::vision::{Frame, PixelPoint};
use std::path::PathBuf;
use std::sync::Arc;

/// A picture that is held, with the camera that took it.
#[derive(Debug)]
pub struct SpotStill {
    /// The picture.
    pub frame: Frame,
    /// Its camera.
    pub camera: RegisteredCamera,
    /// What the plane came from, in words.
    pub by: &'static str,
    /// The table file, where the plane is the table's.
    pub table: Option<PathBuf>,
    /// The playing area, and its scale.
    pub board_mm: (f64, f64),
    /// Millimetres to the base width.
    pub scale: Scale,
}

/// What was found, and what the rules say.
#[derive(Debug, Clone, PartialEq)]
pub struct SpotAnswers {
    /// The bases.
    pub bases: Vec<SpotBase>,
    /// Every answer, in the rules' order.
    pub answers: Vec<Judgement>,
}

impl SpotAnswers {
    /// The answers to what is asked.
    pub fn to(&self, ask: SpotAsk) -> impl Iterator<Item = &Judgement> {
        self.answers.iter().filter(move |a| ask.questions().contains(&a.ruling.question))
    }
}

/// What is typed of a base.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpotText {
    /// What people call it.
    pub name: String,
    /// Its sides, as 40x15.
    pub size: String,
    /// Its troop code.
    pub troop: String,
}

/// The page.
#[derive(Debug)]
pub struct SpotPage {
    /// Where the picture comes from; empty for the window's own.
    pub source: String,
    /// What is typed of both.
    pub texts: [SpotText; 2],
    /// The corners of each, from the front left clockwise.
    pub clicks: [Vec<PixelPoint>; 2],
    /// Whose corner is clicked next.
    pub turn: usize,
    /// How far the picture is enlarged, 1 or more, and the corner of what shows of it, pixels.
    pub zoom: (f32, [f32; 2]),
    /// What is asked.
    pub ask: SpotAsk,
    /// The page of evidence's file.
    pub file: String,
    /// What became of it: its mark, or why there is none.
    pub written: Option<Result<String, String>>,
    /// Whether the picture is being taken, or the bases are being measured.
    pub at_work: bool,
    still: Option<Result<Arc<SpotStill>, String>>,
    /// The picture's number.
    stills: u64,
    answers: Option<Result<SpotAnswers, String>>,
    /// Whether what is clicked has changed since it was asked last.
    stale: bool,
}

impl Default for SpotPage {
    fn default() -> Self {
        let text = |name: &str| SpotText {
            name: name.to_owned(),
            size: "40x15".to_owned(),
            troop: "4Bd".to_owned(),
        };
        Self {
            source: String::new(),
            texts: [text("A"), text("B")],
            clicks: [Vec::new(), Vec::new()],
            turn: 0,
            zoom: (1.0, [0.0; 2]),
            ask: SpotAsk::Zone,
            file: "evidence.html".to_owned(),
            written: None,
            at_work: false,
            still: None,
            stills: 0,
            answers: None,
            stale: false,
        }
    }
}

impl SpotPage {
    /// The picture that is held, or why there is none.
    pub fn still(&self) -> Option<Result<&Arc<SpotStill>, &str>> {
        self.still.as_ref().map(|still| still.as_ref().map_err(String::as_str))
    }

    /// Its number.
    pub fn stills(&self) -> u64 {
        self.stills
    }

    /// What was found and ruled, or why nothing was.
    pub fn answers(&self) -> Option<Result<&SpotAnswers, &str>> {
        self.answers.as_ref().map(|answers| answers.as_ref().map_err(String::as_str))
    }

    /// Carries out a wish; gives it back where it is for `logic`.
    pub(super) fn carry_out(&mut self, command: SpotCommand) -> Option<SpotCommand> {
        match command {
            SpotCommand::TypeSource(text) => self.source = text,
            SpotCommand::TypeFile(text) => (self.file, self.written) = (text, None),
            SpotCommand::Ask(ask) => self.ask = ask,
            SpotCommand::Type(base, field, text) => {
                if let Some(of) = self.texts.get_mut(base) {
                    match field {
                        SpotField::Name => of.name = text,
                        SpotField::Size => of.size = text,
                        SpotField::Troop => of.troop = text,
                    }
                    self.changed();
                }
            }
            SpotCommand::Click(at) => self.click(at),
            SpotCommand::Zoom(by, about) => self.enlarge(by, about),
            SpotCommand::Second => self.turn = 1,
            SpotCommand::Undo => {
                if self.clicks[self.turn].is_empty() {
                    self.turn = 0;
                }
                self.clicks[self.turn].pop();
                self.changed();
            }
            SpotCommand::Again => {
                self.clicks = [Vec::new(), Vec::new()];
                self.turn = 0;
                self.changed();
            }
            other => return Some(other),
        }
        None
    }

    fn click(&mut self, at: PixelPoint) {
        if self.clicks[self.turn].len() == 4 {
            return;
        }
        self.clicks[self.turn].push(at);
        if self.turn == 0 && self.clicks[0].len() == 4 {
            self.turn = 1;
        }
        self.changed();
    }

    fn enlarge(&mut self, by: f32, about: PixelPoint) {
        /// The most that is of use: a pixel is then a few points wide.
        const MOST: f32 = 12.0;
        let Some(Ok(still)) = &self.still else { return };
        let size = [still.frame.grey.width() as f32, still.frame.grey.height() as f32];
        let (before, corner) = self.zoom;
        let after = (before * by).clamp(1.0, MOST);
        let about = [about.x as f32 + 0.5, about.y as f32 + 0.5];
        let moved = [0, 1].map(|n| {
            let corner = about[n] - (about[n] - corner[n]) * before / after;
            corner.clamp(0.0, size[n] * (1.0 - 1.0 / after))
        });
        self.zoom = (after, moved);
    }

    fn changed(&mut self) {
        (self.answers, self.written, self.stale) = (None, None, true);
    }

    /// The picture was taken, or could not be.
    pub(in crate::app) fn take_still(&mut self, still: Result<SpotStill, String>) {
        self.still = Some(still.map(Arc::new));
        self.stills += 1;
        self.clicks = [Vec::new(), Vec::new()];
        self.turn = 0;
        self.zoom = (1.0, [0.0; 2]);
        self.at_work = false;
        self.changed();
    }

    /// The bases were measured, or could not be.
    pub(in crate::app) fn take_answers(&mut self, answers: Result<SpotAnswers, String>) {
        self.answers = Some(answers);
        self.at_work = false;
    }

    /// Measuring what is clicked, where two corners of each are and it was not asked before.
    pub(in crate::app) fn job(&mut self, settings: &Settings) -> Option<Job<Result<SpotAnswers, String>>> {
        let Some(Ok(still)) = &self.still else { return None };
        if !self.stale || self.clicks.iter().any(|c| c.len() < 2) {
            return None;
        }
        self.stale = false;
        let bases: Result<Vec<NamedBase>, String> =
            self.texts.iter().zip(&self.clicks).map(|(text, clicks)| named(text, clicks)).collect();
        let bases = match bases {
            Ok(bases) if bases[0].name == bases[1].name => {
                self.answers = Some(Err("Both bases have one name: give each its own.".to_owned()));
                return None;
            }
            Ok(bases) => bases,
            Err(why) => {
                self.answers = Some(Err(why));
                return None;
            }
        };
        self.at_work = true;
        let (still, settings) = (Arc::clone(still), settings.clone());
        Some(Box::new(move || measure(&still, bases, &settings)))
    }
}

/// A base from what is typed and clicked of it.
fn named(text: &SpotText, clicks: &[PixelPoint]) -> Result<NamedBase, String> {
    let name = text.name.trim();
    if name.is_empty() {
        return Err("A base has no name: give it one.".to_owned());
    }
    let side = |t: &str| t.trim().parse::<f64>().ok().filter(|mm| (1.0..=500.0).contains(mm));
    let sides = text.size.split_once(['x', 'X']).and_then(|(w, d)| Some((side(w)?, side(d)?)));
    let (width_mm, depth_mm) =
        sides.ok_or_else(|| format!("{name}: write its width and depth in mm, as 40x15."))?;
    let troop = text.troop.trim();
    if Ruleset::dba3().troop(troop).is_none() {
        return Err(format!("{name}: there is no troop \"{troop}\". Plain foot is 4Bd."));
    }
    let corners_px = Corner::ALL.into_iter().zip(clicks.iter().copied()).collect();
    let clicked =
        ClickedBase { known: KnownBase::of(width_mm, depth_mm), corners_px, click_sigma_px: CLICK_SIGMA_PX };
    Ok(NamedBase { name: name.to_owned(), troop: troop.to_owned(), clicked })
}

fn measure(still: &SpotStill, bases: Vec<NamedBase>, settings: &Settings) -> Result<SpotAnswers, String> {
    let bases = find_bases(&still.frame, &still.camera, bases)?;
    let measured = spot_measured(still.scale, still.board_mm, &bases).in_lines(settings);
    let (a, b) = (&bases[0].named.name, &bases[1].named.name);
    let answers = Question::ALL.into_iter().map(|asked| rule(&measured, settings, asked, a, b));
    let answers = answers.collect::<Result<Vec<_>, _>>().map_err(|why| why.to_string())?;
    Ok(SpotAnswers { bases, answers })
}
