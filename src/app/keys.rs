//! The keys of the window, by page, with what each does: what is pressed and what the page of keys tells are one list.

use crate::app::command::{
    ClockCommand, Command, DemoCommand, JournalCommand, Layout, Mode, ModeCommand, SessionCommand, SpotAsk,
    SpotCommand, TrayCommand,
};
use crate::app::look::LookCommand;
use crate::app::state::State;
use crate::rules::Side;
use egui::{InputState, Key, Modifiers};

/// A key and what it does.
#[derive(Debug, Clone)]
pub struct Meaning {
    /// With which other keys.
    pub modifiers: Modifiers,
    /// The key.
    pub key: Key,
    /// What is asked for.
    pub command: Command,
    /// The same in words.
    pub words: &'static str,
}

fn plain(key: Key, command: Command, words: &'static str) -> Meaning {
    Meaning { modifiers: Modifiers::NONE, key, command, words }
}

impl Meaning {
    /// The key as it is called.
    pub fn name(&self) -> String {
        let with = [(self.modifiers.command, "Ctrl+"), (self.modifiers.shift, "Shift+")];
        let with: String = with.into_iter().filter(|(held, _)| *held).map(|(_, name)| name).collect();
        let key = match self.key {
            Key::Escape => "Esc",
            other => other.name(),
        };
        format!("{with}{key}")
    }
}

/// What was asked for by keys of this list that were pressed.
pub fn pressed(input: &mut InputState, keys: Vec<Meaning>) -> Vec<Command> {
    keys.into_iter().filter(|m| input.consume_key(m.modifiers, m.key)).map(|m| m.command).collect()
}

/// Keys that work on every page.
pub fn everywhere() -> Vec<Meaning> {
    let look = |key, command, words| plain(key, Command::Look(command), words);
    vec![
        look(Key::F1, LookCommand::Keys, "this page of keys"),
        look(Key::F2, LookCommand::Contrast, "high contrast, or as usual"),
        look(Key::F3, LookCommand::Text, "large text, or as usual"),
    ]
}

/// Keys of the window as umpire and players see it. Redo stands before undo: its key with the shift key would else be
/// taken for undo's.
pub fn main() -> Vec<Meaning> {
    let journal = |modifiers, command, words| Meaning {
        modifiers,
        key: Key::Z,
        command: Command::Journal(command),
        words,
    };
    let command = Modifiers::COMMAND;
    vec![
        plain(Key::Space, Command::TogglePause, "pictures stop, or go on"),
        plain(Key::Escape, Command::ClearSelection, "nobody is picked"),
        plain(Key::Num1, Command::Show(Layout::Both), "picture and board"),
        plain(Key::Num2, Command::Show(Layout::Picture), "the picture alone"),
        plain(Key::Num3, Command::Show(Layout::Board), "the board alone"),
        plain(Key::C, Command::Session(SessionCommand::AskCarryOn), "carry on from the table as it stands"),
        plain(Key::S, Command::Session(SessionCommand::ShowStart), "where the bound began, or not"),
        journal(command.plus(Modifiers::SHIFT), JournalCommand::Redo, "do again what was undone"),
        journal(command, JournalCommand::Undo, "undo what was done last"),
        plain(Key::T, Command::Clock(ClockCommand::StartStop), "the game clock starts, or stops"),
        plain(Key::K, Command::Tray(TrayCommand::Open), "mark the dice tray"),
        plain(Key::M, Command::Spot(SpotCommand::Open), "bases without tags"),
        plain(Key::P, Command::Photograph, "a photograph of the board, beside the journal"),
        plain(Key::W, Command::Look(LookCommand::Public), "the public screen, or not"),
        plain(Key::G, Command::Mode(ModeCommand::Be(Mode::Game)), "game mode, for two players"),
        plain(Key::U, Command::Mode(ModeCommand::Be(Mode::Umpire)), "umpire mode"),
        plain(Key::D, Command::Mode(ModeCommand::Be(Mode::Demo)), "demo mode, for a show"),
    ]
}

/// Keys that answer whose bound it is.
pub fn carry_on() -> Vec<Meaning> {
    let answer = |key, command, words| plain(key, Command::Session(command), words);
    vec![
        answer(Key::R, SessionCommand::CarryOn(Side::Red), "red's bound"),
        answer(Key::B, SessionCommand::CarryOn(Side::Blue), "blue's bound"),
        answer(Key::Escape, SessionCommand::AskCarryOn, "not now"),
    ]
}

/// Keys for dice that are offered, but Enter, which is left to whatever has the focus.
pub fn dice() -> Vec<Meaning> {
    let numbers = [Key::Num1, Key::Num2, Key::Num3, Key::Num4, Key::Num5, Key::Num6];
    let correct = numbers.into_iter().zip(1..);
    let correct = correct.map(|(key, value)| (key, TrayCommand::Correct(value), "the framed die shows that"));
    let others = [
        (Key::N, TrayCommand::Next, "the next die"),
        (Key::Y, TrayCommand::Swap, "each die is the other side's"),
        (Key::X, TrayCommand::Discard, "the dice do not count"),
    ];
    correct.chain(others).map(|(key, command, words)| plain(key, Command::Tray(command), words)).collect()
}

/// The key that accepts them.
pub fn accept() -> Meaning {
    plain(Key::Enter, Command::Tray(TrayCommand::Accept), "the dice count")
}

/// Keys of the page for bases without tags.
pub fn spot() -> Vec<Meaning> {
    let spot = |key, command, words| plain(key, Command::Spot(command), words);
    let asks = [
        (Key::Num1, "the first question"),
        (Key::Num2, "the second question"),
        (Key::Num3, "the third question"),
        (Key::Num4, "the fourth question"),
        (Key::Num5, "the fifth question"),
    ];
    let asks = asks.into_iter().zip(SpotAsk::ALL);
    let others = [
        spot(Key::F, SpotCommand::Freeze, "hold the picture"),
        spot(Key::N, SpotCommand::Second, "on to the second base"),
        spot(Key::Z, SpotCommand::Undo, "undo the last click"),
        spot(Key::E, SpotCommand::Evidence, "write the page of evidence"),
        spot(Key::Escape, SpotCommand::Close, "back to the table"),
    ];
    asks.map(|((key, words), ask)| spot(key, SpotCommand::Ask(ask), words)).chain(others).collect()
}

/// Demo mode's keys.
pub fn demo() -> Vec<Meaning> {
    vec![
        plain(Key::R, Command::Demo(DemoCommand::PutBack), "put everything back, or not now"),
        plain(Key::H, Command::Demo(DemoCommand::Begin), "the table as it stands is the beginning"),
        plain(Key::W, Command::Look(LookCommand::Public), "the public screen, or not"),
        plain(Key::G, Command::Mode(ModeCommand::Be(Mode::Game)), "game mode, for two players"),
        plain(Key::U, Command::Mode(ModeCommand::Be(Mode::Umpire)), "umpire mode"),
    ]
}

/// Keys of the page on which the tray is marked, as they are told: it reads them itself, for what they do depends on
/// the picture.
const TRAY: [(&str, &str); 3] =
    [("Arrows", "push the tray"), ("Shift+arrows", "change its size"), ("Esc or K", "back to the table")];

/// The same of the page on which terrain is drawn.
const TERRAIN: [(&str, &str); 10] = [
    ("Arrows", "push what is picked by 1 mm; with Shift by 10 mm"),
    ("Enter", "propose an outline, where nothing is picked"),
    ("N", "the next feature"),
    ("P", "the next handle of it"),
    ("I", "a point between this handle and the next"),
    ("Delete", "take away what is picked"),
    ("C", "compare with the picture"),
    ("Ctrl+Z, Ctrl+Shift+Z", "undo, and do again"),
    ("Ctrl+S", "save in the table file"),
    ("Esc", "nothing is picked, then back"),
];

/// One part of the page of keys: its heading, and each key with what it does.
pub type Part = (&'static str, Vec<(String, &'static str)>);

/// What the page of keys tells on the page that is shown.
pub fn told(state: &State) -> Vec<Part> {
    let listed = |keys: Vec<Meaning>| keys.iter().map(|m| (m.name(), m.words)).collect::<Vec<_>>();
    let texts =
        |keys: &[(&str, &'static str)]| keys.iter().map(|(key, words)| ((*key).to_owned(), *words)).collect();
    let here: Vec<Part> = if state.terrain_page().is_some() {
        vec![("Terrain", texts(&TERRAIN))]
    } else if state.spot_page().is_some() {
        vec![("Bases without tags", listed(spot()))]
    } else if state.tray().page().is_some() {
        vec![("Dice tray", texts(&TRAY))]
    } else if state.demo().is_some() {
        vec![("Demo mode", listed(demo()))]
    } else if is_plain(state) {
        let mut dice = listed(vec![accept()]);
        // One line for six keys.
        dice.push(("1 to 6".to_owned(), "the framed die shows that"));
        dice.extend(listed(crate::app::keys::dice()).into_iter().skip(6));
        vec![
            ("The table", listed(main())),
            ("While dice of the tray are offered", dice),
            ("While it is asked whose bound it is", listed(carry_on())),
        ]
    } else {
        Vec::new()
    };
    let mut parts = here;
    parts.push((
        "On every page",
        listed(everywhere())
            .into_iter()
            .chain(texts(&[
                ("F11", "this window fills its screen, or not"),
                ("Tab, Shift+Tab", "the next button or field, the one before"),
                ("Space", "press it"),
            ]))
            .collect(),
    ));
    parts
}

/// Whether none of the pages that fill the window is open.
fn is_plain(state: &State) -> bool {
    state.lens_page().is_none()
        && state.jig_page().is_none()
        && state.first_run().is_none()
        && state.army_page().is_none()
        && !state.setting_up().open
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_key_means_two_things_on_one_page() {
        for keys in [main(), carry_on(), dice(), spot(), demo()] {
            let all: Vec<Meaning> = keys.into_iter().chain(everywhere()).collect();
            let names: BTreeSet<String> = all.iter().map(Meaning::name).collect();
            assert_eq!(names.len(), all.len(), "{names:?}");
        }
    }

    #[test]
    fn keys_are_called_as_they_are_printed_on_a_keyboard() {
        let names: Vec<String> = main().iter().map(Meaning::name).collect();
        for name in ["Space", "Esc", "1", "Ctrl+Z", "Ctrl+Shift+Z", "K"] {
            assert!(names.iter().any(|n| n == name), "{name} is not among {names:?}");
        }
    }
}
