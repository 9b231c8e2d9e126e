//! The next round: the same table with other rosters and a journal of its own; the journal of before stays as it is.

use super::State;
use crate::app::command::{ClockCommand, RoundCommand, RoundField};
use crate::app::state::{Kept, SettingUpPage};
use crate::session::play::Play;
use std::path::{Path, PathBuf};

/// What was typed for the next round.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoundPart {
    /// The roster files, several with `;` between them.
    pub rosters: String,
    /// The journal.
    pub journal: String,
    /// What stands in the way.
    pub error: Option<String>,
    /// Whether it is being begun.
    pub begins: bool,
}

impl RoundPart {
    /// The roster files.
    pub fn files(&self) -> Vec<PathBuf> {
        self.rosters.split(';').map(str::trim).filter(|name| !name.is_empty()).map(PathBuf::from).collect()
    }

    pub(super) fn type_in(&mut self, field: RoundField, text: String) {
        match field {
            RoundField::Rosters => self.rosters = text,
            RoundField::Journal => self.journal = text,
        }
        self.error = None;
    }
}

/// A journal's name for the round after the one that is kept in `now`: its number and one more, or `-2`.
pub(in crate::app) fn next_name(now: &Path) -> PathBuf {
    let stem = now.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let letters = stem.trim_end_matches(|c: char| c.is_ascii_digit());
    let next = match stem[letters.len()..].parse::<u64>() {
        Ok(n) => format!("{letters}{}", n.saturating_add(1)),
        Err(_) => format!("{stem}-2"),
    };
    now.with_file_name(format!("{next}.journal"))
}

impl State {
    /// The next round as far as it is prepared.
    pub fn round(&self) -> Option<&RoundPart> {
        self.round.as_ref()
    }

    /// Carries out a wish; gives it back where it is for `logic`.
    pub(super) fn round_command(&mut self, command: RoundCommand) -> Option<RoundCommand> {
        match command {
            RoundCommand::Open => {
                let names: Vec<String> =
                    self.named.rosters.iter().map(|path| path.display().to_string()).collect();
                let journal = self.kept.view().file.as_ref();
                self.round = Some(RoundPart {
                    rosters: names.join("; "),
                    journal: journal
                        .map_or(String::new(), |file| next_name(Path::new(file)).display().to_string()),
                    ..RoundPart::default()
                });
            }
            RoundCommand::Close => self.round = None,
            RoundCommand::Type(field, text) => {
                if let Some(round) = &mut self.round {
                    round.type_in(field, text);
                }
            }
            RoundCommand::Begin => return Some(RoundCommand::Begin),
        }
        None
    }

    /// Another battle begins on the files that have just been taken over: nothing of the one before is left in it.
    pub(in crate::app) fn begin_round(&mut self) {
        self.play = Play::new(self.engine().again());
        self.kept = Kept::default();
        self.setting_up = SettingUpPage::default();
        self.round = None;
        self.picked = [None, None];
        self.clock.carry_out(ClockCommand::SetBack);
        self.clear_dice();
        self.look_again();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_round_s_journal_is_called_after_the_one_before() {
        let of = |name: &str| next_name(Path::new(name)).display().to_string();
        assert_eq!(of("cup/round-1.journal"), "cup/round-2.journal");
        assert_eq!(of("cup/round-9.journal"), "cup/round-10.journal");
        assert_eq!(of("battle.journal"), "battle-2.journal");
        assert_eq!(of("7.journal"), "8.journal");
    }
}
