//! The journal: what happened in the battle goes into it as it happens; undoing goes back by it.

use super::Logic;
use crate::app::command::{Command, JournalCommand, LogCommand, TrayCommand};
use crate::app::state::State;
use crate::app::worker::errand::Desk;
use crate::session::engine::Engine;
use crate::session::journal::{Event, Keeper, Kept};
use crate::session::play::{ReplayError, Replayed, replay};
use crate::text::now_ms;
use std::path::Path;
use std::time::{Duration, Instant};

/// A record that could not be written is tried again so often.
const AGAIN: Duration = Duration::from_secs(2);

/// The battle's records, and when they were last tried in vain.
pub(super) struct Keeping {
    pub keeper: Keeper,
    /// What the battle began on: going back begins from there.
    began: Engine,
    failed: Option<Instant>,
    /// Works the battle out again, to go back.
    back: Desk<Result<Replayed, ReplayError>>,
    /// What people said while that went on.
    meanwhile: Vec<Command>,
}

impl Keeping {
    /// Of a battle that begins, or goes on from its file.
    pub fn of(keeper: Keeper, began: Engine) -> Self {
        let back = Desk::new("groma back");
        Self { keeper, began, failed: None, back, meanwhile: Vec::new() }
    }
}

/// The records of a battle that begins on these files.
pub(super) fn begun(state: &State, (table, rosters): &(Kept, Vec<Kept>)) -> Keeper {
    let commitment = Some(state.commitment());
    Keeper::new(now_ms(), state.engine().opened(table.clone(), rosters.clone(), commitment))
}

impl Logic {
    /// What has happened is written.
    pub(super) fn keep(&mut self) {
        let events = self.state.play.events();
        // What comes of a battle that does not count any more is not kept.
        let events = if self.keeping.back.busy() { Vec::new() } else { events };
        let fresh = !events.is_empty();
        let keeping = &mut self.keeping;
        if fresh {
            keeping.keeper.take(now_ms(), events);
        }
        let due = keeping.failed.is_none_or(|then| then.elapsed() >= AGAIN);
        if keeping.keeper.path().is_some() && keeping.keeper.unwritten() > 0 && due {
            keeping.keeper.write();
            keeping.failed = keeping.keeper.trouble().map(|_| Instant::now());
            self.state.kept.look(&self.keeping.keeper);
        } else if fresh {
            self.state.kept.look(&self.keeping.keeper);
        }
    }

    pub(super) fn carry_out_journal(&mut self, command: JournalCommand) {
        match command {
            JournalCommand::TypeFile(_) => {}
            JournalCommand::Keep => self.keep_in_named(),
            JournalCommand::Undo => self.go(self.keeping.keeper.undo()),
            JournalCommand::Redo => self.go(self.keeping.keeper.redo()),
        }
        self.state.kept.look(&self.keeping.keeper);
    }

    fn keep_in_named(&mut self) {
        let name = self.state.kept.file().trim().to_owned();
        if name.is_empty() || !name.ends_with(".journal") {
            self.state.kept.refuse("Name a file that ends in .journal.".to_owned());
            return;
        }
        self.keep();
        if let Err(why) = self.keeping.keeper.keep_in(Path::new(&name)) {
            self.state.kept.refuse(format!("{why}."));
        }
    }

    /// The battle stands again as it did after that record. What was worked out then is worked out once more.
    fn go(&mut self, to: Option<u64>) {
        self.keep();
        let Some(to) = to else { return };
        self.keeping.keeper.take(now_ms(), vec![Event::Back { to }]);
        let engine = self.keeping.began.again();
        let records = self.keeping.keeper.records().to_vec();
        // Of several wishes the newest counts: its records hold those before it.
        self.keeping.back.ask(Box::new(move || replay(engine, &records)), &self.waker);
        self.state.kept.goes_back(true);
    }

    /// Whether the battle is being worked out again: what is shown until then does not count any more.
    pub(super) fn goes_back(&self) -> bool {
        self.keeping.back.busy()
    }

    /// Takes the battle over when it has been worked out again; what people said meanwhile is done on it.
    pub(super) fn gone_back(&mut self) {
        let Some(answer) = self.keeping.back.take(&self.waker) else { return };
        match answer.map(|replayed| replayed.map_err(|why| why.to_string())).and_then(|replayed| replayed) {
            Ok(replayed) => self.state.go_back(replayed.play),
            Err(why) => {
                let why = why.trim_end_matches('.');
                self.state.notice = Some(format!("It cannot be gone back to: {why}."));
            }
        }
        self.state.kept.goes_back(false);
        for command in std::mem::take(&mut self.keeping.meanwhile) {
            self.carry_out(command);
        }
        self.keep();
        self.keeping.keeper.write();
        self.state.kept.look(&self.keeping.keeper);
    }

    /// What would be done on a battle that does not count any more waits until the other is there. Gives the command back
    /// where it does not wait.
    pub(super) fn unless_it_waits(&mut self, command: Command) -> Option<Command> {
        let on_the_battle = matches!(
            command,
            Command::Agree(_)
                | Command::Withdraw(_)
                | Command::Moves(_)
                | Command::Fight(_)
                | Command::Losses(_)
                | Command::Session(_)
                | Command::Overrule(..)
                | Command::Log(LogCommand::Note)
                | Command::ThrowDice
                | Command::TakeTypedDice
                | Command::RevealDice
        );
        // Dice of the camera are accepted on the battle that was seen, or not at all.
        if command == Command::Tray(TrayCommand::Accept) && self.goes_back() {
            return None;
        }
        if on_the_battle && self.goes_back() {
            self.keeping.meanwhile.push(command);
            return None;
        }
        Some(command)
    }
}
