//! The page 'Before the battle' opens and closes, dice are thrown for it, its file is written and read, and the battle
//! begins from it.

use super::Logic;
use super::first_run::keep_before;
use crate::app::command::{Command, Page, SessionCommand, SettingUpCommand};
use crate::rules::Side;
use crate::rules::ruleset::list;
use crate::rules::setting_up::Written;
use crate::rules::setting_up::report::Ruled;
use crate::session::play::{Act, Kind as LogKind};
use crate::text::{Kind, Output, Wanted, check_outputs, read_file, write_outputs};
use std::path::{Path, PathBuf};

/// What was written last.
#[derive(Debug, Default)]
pub(super) struct SettingUpKept {
    revision: u64,
    /// The file that is this battle's own: written or read before.
    own: Option<PathBuf>,
}

impl Logic {
    /// Carries out a wish about the page.
    pub(super) fn carry_out_setting_up(&mut self, command: SettingUpCommand) {
        match command {
            SettingUpCommand::Open => self.open_setting_up(),
            SettingUpCommand::Throw(side) => self.state.throw_before(side),
            SettingUpCommand::Save => {
                self.state.setting_up.kept = true;
                self.write_setting_up();
            }
            SettingUpCommand::Read => self.read_setting_up(),
            SettingUpCommand::Begin(side) => self.begin_battle(side),
            _ => {}
        }
    }

    fn open_setting_up(&mut self) {
        let shelf = self.own_shelf();
        let file = self.state.setting_up_file().display().to_string();
        let page = &mut self.state.setting_up;
        match shelf {
            Ok(shelf) => page.shelf = Some(shelf),
            Err(why) => page.said = Some(Err(why)),
        }
        if page.file.is_empty() {
            page.file = file;
        }
        page.open = true;
    }

    fn named_setting_up(&mut self) -> Option<PathBuf> {
        let name = self.state.setting_up.file.trim();
        if name.is_empty() {
            self.state.setting_up.said = Some(Err("Name a file that ends in .ron.".to_owned()));
            return None;
        }
        Some(PathBuf::from(name))
    }

    fn write_setting_up(&mut self) {
        let Some(path) = self.named_setting_up() else { return };
        let text = self.state.written_before().text();
        self.setting_up_kept.revision = self.state.setting_up.revision();
        let page = &mut self.state.setting_up;
        let aside =
            if self.setting_up_kept.own.as_ref() == Some(&path) { Ok(()) } else { keep_before(&path) };
        page.said = Some(match aside.and_then(|()| written(&path, &text)) {
            Ok(()) => {
                self.setting_up_kept.own = Some(path.clone());
                Ok(format!(
                    "Written; each further act is written too. By itself: groma setup {}",
                    path.display()
                ))
            }
            Err(why) => {
                page.kept = false;
                Err(why)
            }
        });
    }

    /// The file is kept up with what was done, once the rules have said what their lists add to it.
    pub(super) fn keep_setting_up(&mut self) {
        let page = &self.state.setting_up;
        if page.kept && page.settled() && page.revision() != self.setting_up_kept.revision {
            self.write_setting_up();
        }
    }

    fn read_setting_up(&mut self) {
        let Some(path) = self.named_setting_up() else { return };
        let name = path.display().to_string();
        let read = read_file(&path, Wanted::SettingUp)
            .map_err(|why| why.to_string())
            .and_then(|text| Written::read(&name, &text).map_err(|problems| list(&problems)));
        let page = &mut self.state.setting_up;
        page.said = Some(match read {
            Ok(found) => {
                let count = found.acts.len();
                page.take_up(found.seat, found.acts);
                self.setting_up_kept.own = Some(path);
                Ok(format!("{count} acts are taken up from {name}; the table is the one that is seen."))
            }
            Err(why) => Err(why),
        });
    }

    /// What was done is written into the log, and the first bound begins from the table as it stands.
    fn begin_battle(&mut self, side: Side) {
        let Some(Ok(guided)) = self.state.setting_up.guided().cloned() else { return };
        // Who begins again from the same page does not find it all in the log twice.
        let log = self.state.play.written().iter().filter(|w| w.kind == LogKind::Note);
        let mut known: Vec<String> = log.map(|w| w.words.clone()).collect();
        for words in guided.report.acts.iter().map(told) {
            match known.iter().position(|w| *w == words) {
                Some(at) => drop(known.swap_remove(at)),
                None => self.state.play.act(Act::Note(words)),
            }
        }
        if let Some(edges) = guided.report.edges {
            self.state.play.act(Act::RedEdge(Some(edges.red)));
        }
        self.state.setting_up.open = false;
        // Nobody is lost: who does not stand is held back.
        self.state.session.carrying_on = Some(Vec::new());
        self.carry_out(Command::Session(SessionCommand::CarryOn(side)));
        self.carry_out(Command::Turn(Page::Moves));
    }
}

/// What the log says of an act.
fn told(ruled: &Ruled) -> String {
    let words = format!("before the battle: {} {}", ruled.by.word(), ruled.act.in_words());
    let faults = ruled.reasons.iter().filter(|r| !r.holds).map(|r| r.clause.as_str());
    let faults = faults.collect::<Vec<_>>().join(", ");
    if faults.is_empty() { words } else { format!("{words} (against {faults})") }
}

fn written(path: &Path, text: &str) -> Result<(), String> {
    let output = Output { option: "The file", path, kind: Kind::SettingUp };
    check_outputs(&[output]).map_err(|error| format!("{error}."))?;
    write_outputs(&[(path, text.as_bytes())]).map_err(|error| format!("{error}."))
}
