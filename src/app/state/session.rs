//! What the window shows of the battle as it goes on by itself: where bases are to stand after dice, where they stood
//! when the bound began, and the one question that is asked when play is carried on from the table as it stands.

use super::{DemoStage, State};
use crate::app::command::{Assistance, Layout, Mode, ModeCommand, Page, SessionCommand};
use crate::geometry::Footprint;
use crate::rules::{Location, Side};
use crate::session::play::Act;
use crate::session::view::ElementView;
use crate::tracking::Visibility;

/// A base is put back when no corner is further off, millimetres: as after dice.
const BACK_MM: f64 = crate::session::engine::MET_MM;

/// What of that is shown.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SessionShown {
    /// Whether where the bound began is shown.
    pub start: bool,
    /// Who would be taken for lost, while it is asked whose bound it is.
    pub carrying_on: Option<Vec<String>>,
}

/// Where a base is to stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Ghost {
    /// Whose.
    pub side: Side,
    /// Who.
    pub name: String,
    /// Where; none: it is to be taken off.
    pub to: Option<Footprint>,
    /// Where it is now, if it is on the table.
    pub at: Option<Footprint>,
    /// Whether it is there, or off.
    pub met: bool,
}

impl Ghost {
    /// What is left to do, in words.
    pub fn words(&self) -> String {
        match (&self.to, &self.at, self.met) {
            (Some(_), _, true) => format!("{} stands there", self.name),
            (None, _, true) => format!("{} is taken off", self.name),
            (None, _, false) => format!("{} is to be taken off", self.name),
            (Some(to), Some(at), false) => {
                let mm = (to.pose().centre - at.pose().centre).norm();
                format!("{} is to go {mm:.0} mm, to its outline", self.name)
            }
            (Some(_), None, false) => format!("{} is to stand at its outline", self.name),
        }
    }
}

impl State {
    /// What is shown of it.
    pub fn session(&self) -> &SessionShown {
        &self.session
    }

    pub(super) fn session_command(&mut self, command: SessionCommand) {
        match command {
            SessionCommand::AskCarryOn => {
                self.session.carrying_on = match self.session.carrying_on {
                    Some(_) => None,
                    None => Some(self.play.assumed_lost()),
                };
            }
            SessionCommand::TakeForLost(name) => {
                if let Some(lost) = &mut self.session.carrying_on {
                    match lost.iter().position(|n| *n == name) {
                        Some(at) => drop(lost.remove(at)),
                        None => lost.push(name),
                    }
                }
            }
            SessionCommand::CarryOn(side) => {
                if let Some(lost) = self.session.carrying_on.take() {
                    self.dice.clear();
                    self.act(Act::CarryOn { side, lost });
                }
            }
            SessionCommand::ShowStart => self.session.start = !self.session.start,
        }
    }

    /// For whom the window is.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// How much players want to be told.
    pub fn assistance(&self) -> Assistance {
        self.assistance
    }

    pub(super) fn mode_command(&mut self, command: ModeCommand) {
        match command {
            ModeCommand::Be(mode) => {
                self.mode = mode;
                (self.layout, self.page) = match mode {
                    Mode::Umpire => (Layout::Both, Page::Rulings),
                    Mode::Game | Mode::Demo => (Layout::Board, Page::Game),
                };
            }
            ModeCommand::Assist(assistance) => self.assistance = assistance,
        }
    }

    /// Where the dice of this bound put everybody whom they move.
    pub fn awaited(&self) -> Vec<Ghost> {
        let all = self.play.awaits().on(self.table()).into_iter();
        all.map(|(a, at, met)| Ghost { side: a.side, name: a.who, to: a.to, at: at.copied(), met }).collect()
    }

    /// Where everybody stood when the bound began, or in demo mode at the beginning, while that is shown; those who stand
    /// there and have not moved among them.
    pub fn start(&self) -> Vec<Ghost> {
        if let Some(demo) = self.demo().filter(|demo| demo.stage() == DemoStage::PutBack) {
            return demo.to_put_back(self.table());
        }
        let Some(began) = self.moves().began().filter(|_| self.session.start) else { return Vec::new() };
        let on_board = began.elements.iter().filter(|e| e.location == Location::Board);
        let ghosts = on_board.map(|e| {
            let at = self.table().element(&e.name).and_then(place);
            let met = at.is_some_and(|at| crate::session::engine::furthest(&at, &e.footprint) <= BACK_MM);
            Ghost { side: e.side, name: e.name.clone(), to: Some(e.footprint), at, met }
        });
        ghosts.collect()
    }
}

/// Where it shows, or was last seen behind a hand.
fn place(element: &ElementView) -> Option<Footprint> {
    let known = matches!(element.visibility, Visibility::Seen | Visibility::Covered { .. });
    element.place.as_ref().filter(|_| known).map(|p| p.footprint)
}
