//! The dice tray: what lies in it as the camera has it, and what of that is offered to the players.
//!
//! Image frame, pixels. Invariants: a die counts only when a person accepts it; dice that were accepted or put aside are
//! not offered again while they lie unchanged, until the tray has been seen empty.

mod offer;
mod whose;

pub use offer::{DiceFor, Offer, OfferedDie};
pub use whose::Whose;

use super::State;
use crate::app::command::{TrayCamera, TrayCommand};
use crate::rules::Side;
use crate::session::Die;
use crate::session::engine::outcome;
use crate::session::play::{Act, DiceFrom, Job, Phase};
use crate::vision::Frame;
use crate::vision::dice::{
    DiceSeen, InTray, PixelRect, Pixels, StillSettings, Stillness, TrayReading, read_tray,
};
use serde::{Deserialize, Serialize};

/// Where the tray is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tray {
    /// In which camera's picture.
    pub camera: TrayCamera,
    /// Which part of it.
    pub area: PixelRect,
    /// Columns and rows of the picture.
    pub picture: [usize; 2],
}

/// What there is to say of the tray.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TraySays {
    /// Nothing was read yet.
    #[default]
    Waits,
    /// Something moves in it.
    Moves,
    /// It is empty.
    Empty,
    /// Dice lie in it.
    Dice,
    /// Something hides it.
    Covered,
    /// It reads differently from picture to picture.
    Unsure,
    /// Its camera's pictures have another size than when it was marked.
    OtherSize,
}

impl TraySays {
    /// In a sentence.
    pub fn words(self) -> &'static str {
        match self {
            Self::Waits => "The tray has not been read yet.",
            Self::Moves => "Something moves in the tray.",
            Self::Empty => "The tray is empty.",
            Self::Dice => "The dice in the tray have been dealt with.",
            Self::Covered => "Something lies over the tray, or reaches in at its edge: nothing is read.",
            Self::Unsure => {
                "What lies in the tray reads differently from picture to picture: type the dice, or move them."
            }
            Self::OtherSize => "The camera's pictures have another size now: mark the tray anew (key K).",
        }
    }
}

/// The page on which the tray is marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TrayPage {
    /// Whose picture is shown.
    pub camera: TrayCamera,
}

/// Everything about the tray.
#[derive(Debug, Default)]
pub struct TrayState {
    tray: Option<Tray>,
    whose: Whose,
    page: Option<TrayPage>,
    says: TraySays,
    stillness: Stillness,
    /// What lies there since something changed.
    reading: Option<TrayReading>,
    /// The newest picture of the tray at rest that has not been read, while a reading is wanted.
    unread: Option<Frame>,
    /// What was read last.
    lies: DiceSeen,
    /// What of it was accepted or put aside.
    used: DiceSeen,
    offer: Option<Offer>,
    /// The second camera's newest picture.
    second: Option<Frame>,
}

impl TrayState {
    /// Where the tray is, if it was marked.
    pub fn tray(&self) -> Option<&Tray> {
        self.tray.as_ref()
    }

    /// What of two dice is whose.
    pub fn whose(&self) -> &Whose {
        &self.whose
    }

    /// The page on which it is marked, while it is open.
    pub fn page(&self) -> Option<&TrayPage> {
        self.page.as_ref()
    }

    /// What there is to say of it.
    pub fn says(&self) -> TraySays {
        self.says
    }

    /// The dice that are offered.
    pub fn offer(&self) -> Option<&Offer> {
        self.offer.as_ref()
    }

    /// The second camera's newest picture.
    pub fn second(&self) -> Option<&Frame> {
        self.second.as_ref()
    }

    /// As it was kept.
    pub(in crate::app) fn put_up(&mut self, tray: Option<Tray>, whose: Whose) {
        self.mark(tray);
        self.whose = whose;
    }

    fn mark(&mut self, tray: Option<Tray>) {
        let (whose, page, second) = (self.whose, self.page, self.second.take());
        *self = Self { tray, whose, page, second, ..Self::default() };
    }

    /// A camera gave a picture. `alone`: none follows that shows the next moment.
    pub(in crate::app) fn look(&mut self, camera: TrayCamera, frame: &Frame, follows: Follows) {
        if camera == TrayCamera::Second {
            self.second = Some(frame.clone());
        }
        let Some(tray) = self.tray.filter(|tray| tray.camera == camera) else { return };
        if tray.picture != [frame.grey.width(), frame.grey.height()] {
            (self.says, self.reading, self.unread) = (TraySays::OtherSize, None, None);
            return;
        }
        if follows == Follows::Nothing {
            self.reading = Some(TrayReading::new(1));
            self.unread = Some(frame.clone());
            return;
        }
        let settings = StillSettings::default();
        match self.stillness.look(&frame.grey, tray.area, frame.captured_at, &settings) {
            Pixels::Changed => {
                (self.says, self.unread) = (TraySays::Moves, None);
                self.reading = Some(TrayReading::new(2));
            }
            Pixels::Settling => {}
            Pixels::Resting if self.reading.is_some() => self.unread = Some(frame.clone()),
            Pixels::Resting => {}
        }
    }

    /// The picture that is to be read.
    pub(in crate::app) fn job(&mut self) -> Option<Job<DiceSeen>> {
        let (area, frame) = (self.tray?.area, self.unread.take()?);
        Some(Box::new(move || read_tray(&frame, area)))
    }

    /// It was read.
    pub(in crate::app) fn take(&mut self, seen: Result<DiceSeen, String>) {
        let (Some(tray), Some(reading)) = (self.tray, &mut self.reading) else { return };
        let Ok(seen) = seen else {
            (self.says, self.reading) = (TraySays::Unsure, None);
            return;
        };
        let Some(lies) = reading.next(seen, tray.area) else { return };
        (self.reading, self.unread) = (None, None);
        match lies {
            InTray::Empty => {
                (self.lies, self.used) = (DiceSeen::default(), DiceSeen::default());
                self.says = TraySays::Empty;
            }
            InTray::Covered => self.says = TraySays::Covered,
            InTray::Unsure => self.says = TraySays::Unsure,
            InTray::Dice(seen) => {
                self.says = TraySays::Dice;
                let fresh = offer::fresh(&seen, &self.used);
                self.lies = seen;
                let same = self.offer.as_ref().is_some_and(|offer| offer.is_of(&fresh));
                if !same && let Some(offer) = Offer::of(&fresh) {
                    self.offer = Some(offer);
                }
            }
        }
    }

    /// What is offered is dealt with: it is not offered again as it lies.
    fn done(&mut self) {
        if self.offer.take().is_some() {
            self.used = self.lies.clone();
        }
    }
}

/// Whether another picture follows that shows the next moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Follows {
    /// Another does.
    Next,
    /// None does: a photograph.
    Nothing,
}

impl State {
    /// The dice tray.
    pub fn tray(&self) -> &TrayState {
        &self.tray
    }

    /// What dice may be thrown for now, the likeliest first.
    fn may_be_for(&self) -> Vec<DiceFor> {
        let mut all = Vec::new();
        if let Some(Ok(combat)) = self.combat()
            && self.outcome().is_none()
        {
            all.push(DiceFor::Fight {
                kind: self.fight().kind(),
                names: [combat.a.name.clone(), combat.b.name.clone()],
                sides: [combat.a.side, combat.b.side],
            });
        }
        let moves = self.moves();
        match moves.phase() {
            Phase::Moves if moves.known().pips.is_none() => all.push(DiceFor::Pips(moves.side())),
            Phase::Combat => all.push(DiceFor::Pips(moves.side().map(Side::enemy))),
            Phase::Moves | Phase::Unwatched => {}
        }
        all
    }

    /// What the dice that are offered are for: of what waits for dice, what wants as many as lie there.
    pub fn dice_for(&self) -> Option<DiceFor> {
        let count = self.tray.offer()?.dice.len();
        let mut all = self.may_be_for();
        let fits = all.iter().position(|wanted| wanted.count() == count).unwrap_or(0);
        (fits < all.len()).then(|| all.swap_remove(fits))
    }

    /// The dice that would enter, in the order in which they are wanted.
    ///
    /// # Errors
    /// In words: what is still to be done.
    pub fn entering(&self) -> Result<Vec<u8>, String> {
        let offer = self.tray.offer().ok_or("No dice are offered.")?;
        let wanted =
            self.dice_for().ok_or("Nothing waits for dice: pick the two who fight, or discard them.")?;
        offer.entering(&wanted, &self.tray.whose)
    }

    /// Carries out a wish.
    pub(super) fn tray_command(&mut self, command: TrayCommand) {
        match command {
            TrayCommand::Open => {
                let camera = self.tray.tray.map_or(TrayCamera::First, |tray| tray.camera);
                self.tray.page = Some(TrayPage { camera });
            }
            TrayCommand::Close => self.tray.page = None,
            TrayCommand::Camera(camera) => {
                if let Some(page) = &mut self.tray.page {
                    page.camera = camera;
                }
            }
            TrayCommand::Mark(area) => {
                let Some(camera) = self.tray.page.map(|page| page.camera) else { return };
                let Some([columns, rows]) = self.picture_of(camera) else { return };
                if area.lies_in(columns, rows) {
                    self.tray.mark(Some(Tray { camera, area, picture: [columns, rows] }));
                }
            }
            TrayCommand::Forget => self.tray.mark(None),
            TrayCommand::Accept => self.accept_dice(),
            TrayCommand::Correct(value) => {
                if let Some(offer) = &mut self.tray.offer {
                    offer.correct(value);
                }
            }
            TrayCommand::Next => {
                if let Some(offer) = &mut self.tray.offer {
                    offer.next();
                }
            }
            TrayCommand::Discard => self.tray.done(),
            TrayCommand::Swap => {
                if let Some(offer) = &self.tray.offer {
                    self.tray.whose.swap(offer);
                }
            }
        }
    }

    /// Columns and rows of a camera's newest picture.
    pub fn picture_of(&self, camera: TrayCamera) -> Option<[usize; 2]> {
        match camera {
            TrayCamera::First => self.picture_size().map(|(columns, rows)| [columns, rows]),
            TrayCamera::Second => {
                self.tray.second.as_ref().map(|frame| [frame.grey.width(), frame.grey.height()])
            }
        }
    }

    /// A person accepts what is offered: this alone brings dice of the camera into the battle.
    fn accept_dice(&mut self) {
        let (Some(wanted), Ok(values)) = (self.dice_for(), self.entering()) else { return };
        let Some(offer) = self.tray.offer() else { return };
        let from = if offer.put_right() { DiceFrom::CameraCorrected } else { DiceFrom::Camera };
        match (wanted, values.as_slice()) {
            (DiceFor::Pips(_), [pips]) => self.act(Act::PipsFrom { pips: *pips, from }),
            (DiceFor::Fight { .. }, [a, b]) => {
                let (Some(a), Some(b)) = (Die::new(*a), Die::new(*b)) else { return };
                let Some(Ok(combat)) = self.combat() else { return };
                let combat = combat.clone();
                self.tray.learn();
                self.dice.take_seen(outcome(&combat, [a, b]), from);
                self.dice_lie(&combat);
            }
            _ => return,
        }
        self.tray.done();
    }
}

impl TrayState {
    /// Two dice were accepted as those of two sides: by their colours they are known from then on.
    fn learn(&mut self) {
        if let Some(offer) = &self.offer {
            self.whose.learn(offer);
        }
    }
}
