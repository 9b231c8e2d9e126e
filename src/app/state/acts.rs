//! What changes the state: readings and commands. What they bring about in play is in [`super::play`].

use super::{Dialog, Run, SourceState, State};
use crate::app::command::Command;
use crate::app::look::{LookCommand, Photographs};
use crate::app::outside::Setup;
use crate::app::worker::Sight;
use crate::session::engine::Engine;
use crate::session::play::{Act, Play};
use crate::vision::LensProfile;
use egui::Theme;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Readings over this time make the frame rate.
const RATE_OVER: Duration = Duration::from_secs(3);

impl State {
    /// Takes over a reading that arrived at `now`.
    pub(in crate::app) fn take(&mut self, sight: Sight, now: Instant) {
        self.arrivals.push_back(now);
        while self.arrivals.front().is_some_and(|first| now.saturating_duration_since(*first) > RATE_OVER) {
            self.arrivals.pop_front();
        }
        self.latest = Some(Arc::new(sight));
        self.reads += 1;
        self.look_again();
    }

    /// Other files take the place of the present ones. What was picked stays where it is in both.
    pub(in crate::app) fn adopt(&mut self, setup: Setup) {
        let settings = self.engine().settings().clone();
        self.play.adopt(Engine::new(setup.table, setup.roster, settings));
        (self.files, self.named) = (setup.words, setup.named);
        (self.lens, self.certificate) = (setup.lens, setup.certificate);
        let known = |name: &String| self.play.engine().roster().element(name).is_some();
        for slot in &mut self.picked {
            *slot = slot.take().filter(known);
        }
        self.latest = None;
        self.forget_first_look();
        self.clear_dice();
        self.look_again();
    }

    /// The table file says otherwise what lies on the board; all else of the files is as it was, and so is the battle.
    ///
    /// # Errors
    /// In words: the file is not in order.
    pub(in crate::app) fn lay(&mut self, setup: Setup) -> Result<(), String> {
        self.play.lay(setup.kept.0).map_err(|why| why.to_string())?;
        self.latest = None;
        self.forget_first_look();
        self.clear_dice();
        self.look_again();
        Ok(())
    }

    /// The battle stands otherwise: something was undone, or it goes on from a journal.
    pub(in crate::app) fn go_back(&mut self, play: Play) {
        self.play = play;
        self.clear_dice();
        self.look_again();
    }

    /// The last picture goes, with what was read from it.
    pub(in crate::app) fn blind(&mut self) {
        self.latest = None;
        self.look_again();
    }

    /// Another lens profile serves.
    pub(in crate::app) fn set_lens(&mut self, lens: Option<LensProfile>) {
        self.lens = lens;
    }

    /// A new source has opened: what was read from the old one goes, with all that rested on it.
    pub(in crate::app) fn begin_source(
        &mut self,
        description: String,
        unrelated: bool,
        device: Option<String>,
    ) {
        if self.source.description != description {
            self.play.source_changed();
        }
        self.source = SourceState { description, unrelated, device, run: Run::Running, second: None };
        self.arrivals.clear();
        self.latest = None;
        self.forget_first_look();
        self.clear_dice();
        self.look_again();
    }

    /// Carries out what concerns the state alone. Gives the command back where it is for `logic`.
    pub(in crate::app) fn carry_out(&mut self, command: Command) -> Option<Command> {
        match command {
            Command::Pick(name) => self.pick(name),
            Command::Swap => {
                self.picked.swap(0, 1);
                self.selection_changed();
            }
            Command::ClearSelection => {
                self.picked = [None, None];
                self.selection_changed();
            }
            Command::ThrowDice => self.throw(),
            Command::TypeDie(slot, text) => self.dice.type_in(slot, text),
            Command::TakeTypedDice => self.take_typed(),
            Command::ClearDice => self.clear_dice(),
            Command::RevealDice => {
                if let Some(words) = self.dice.reveal() {
                    self.act(Act::Note(words));
                }
            }
            Command::Fight(command) => self.fight_command(command),
            Command::Show(layout) => self.layout = layout,
            Command::Turn(page) => self.page = page,
            Command::Explain(n) => self.explained = if self.explained == Some(n) { None } else { Some(n) },
            Command::DismissNotice => self.notice = None,
            Command::ToggleTheme => {
                self.theme = if self.theme == Theme::Dark { Theme::Light } else { Theme::Dark };
            }
            Command::ShowSources => {
                self.dialog.get_or_insert_with(|| Dialog::with(&self.named, &self.second));
            }
            Command::TypeSource(text) => {
                if let Some(dialog) = &mut self.dialog {
                    dialog.text = text;
                    dialog.error = None;
                }
            }
            Command::TypeFiles(field, text) => {
                if let Some(dialog) = &mut self.dialog {
                    *dialog.field_mut(field) = text;
                    dialog.error = None;
                }
            }
            Command::Lens(command) => {
                return match &mut self.lens_page {
                    Some(page) => page.carry_out(command).map(Command::Lens),
                    None => Some(Command::Lens(command)),
                };
            }
            Command::Terrain(command) => {
                return match &mut self.terrain_page {
                    Some(page) => page.carry_out(command).map(Command::Terrain),
                    None => Some(Command::Terrain(command)),
                };
            }
            Command::Agree(fact) => self.act(Act::Agree(fact)),
            Command::Withdraw(fact) => self.act(Act::Withdraw(fact)),
            Command::Moves(command) => self.moves_command(command),
            Command::Losses(command) => self.losses_command(command),
            Command::Reach(command) => self.reach.carry_out(command),
            Command::Session(command) => self.session_command(command),
            Command::Mode(command) => {
                self.mode_command(command);
                return Some(Command::Mode(command));
            }
            Command::Overrule(question, said) => self.overrule(question, said),
            Command::Log(command) => {
                let (note, rest) = self.log.carry_out(command);
                if let Some(note) = note {
                    self.act(Act::Note(note));
                }
                return rest.map(Command::Log);
            }
            Command::Clock(command) => self.clock.carry_out(command),
            Command::Tray(command) => self.tray_command(command),
            Command::Round(command) => return self.round_command(command).map(Command::Round),
            Command::Slip(command) => return self.slip.carry_out(command).map(Command::Slip),
            Command::Look(LookCommand::Photographs) => {
                self.photographs = match self.photographs {
                    Photographs::Asked => Photographs::EachBound,
                    Photographs::EachBound => Photographs::Asked,
                };
            }
            Command::Look(LookCommand::Public) => self.public_shown = !self.public_shown,
            Command::Look(LookCommand::Keys) => self.keys_shown = !self.keys_shown,
            Command::Look(LookCommand::Contrast) => self.look.contrast = self.look.contrast.other(),
            Command::Look(LookCommand::Text) => self.look.text = self.look.text.other(),
            Command::Demo(command) => return Some(Command::Demo(command)),
            Command::Spot(command) => {
                return match &mut self.spot_page {
                    Some(page) => page.carry_out(command).map(Command::Spot),
                    None => Some(Command::Spot(command)),
                };
            }
            Command::Journal(command) => return self.kept.carry_out(command).map(Command::Journal),
            Command::Jig(command) => {
                return match &mut self.jig_page {
                    Some(page) => page.carry_out(command).map(Command::Jig),
                    None => Some(Command::Jig(command)),
                };
            }
            Command::FirstRun(command) => {
                return match &mut self.first_run {
                    Some(page) => page.carry_out(command).map(Command::FirstRun),
                    None => Some(Command::FirstRun(command)),
                };
            }
            Command::SettingUp(command) => {
                return self.setting_up_command(command).map(Command::SettingUp);
            }
            Command::Army(command) => {
                return match &mut self.army_page {
                    Some(page) => page.carry_out(command).map(Command::Army),
                    None => Some(Command::Army(command)),
                };
            }
            other @ (Command::Browse(_)
            | Command::TogglePause
            | Command::Photograph
            | Command::HideSources
            | Command::Open(_)
            | Command::FindCameras) => {
                return Some(other);
            }
        }
        None
    }

    fn pick(&mut self, name: String) {
        if self.table().element(&name).is_none() {
            return;
        }
        match self.slot_of(&name) {
            Some(slot) => self.picked[slot.index()] = None,
            None if self.picked[0].is_none() => self.picked[0] = Some(name),
            None => self.picked[1] = Some(name),
        }
        self.selection_changed();
    }

    pub(super) fn selection_changed(&mut self) {
        self.clear_dice();
        self.explained = None;
        self.judge();
    }

    /// The last reading is taken over by the battle.
    pub(super) fn look_again(&mut self) {
        match &self.latest {
            Some(sight) => {
                let snapshot = &sight.reading.snapshot;
                let readings = self.play.engine().read(snapshot);
                self.play.look_at_terrain(snapshot);
                self.play.look(readings, snapshot.held, snapshot.at_rest());
            }
            None => self.play.blind(),
        }
        self.judge();
    }

    /// What is said of what is picked is worked out again.
    pub(super) fn judge(&mut self) {
        self.zones.clear();
        self.ground.clear();
        self.pair = None;
        if let Some(measured) = self.play.measured() {
            let engine = self.play.engine();
            for name in self.picked.iter().flatten() {
                self.zones.extend(engine.zones(measured, name));
                self.ground.extend(engine.ground(measured, name));
            }
            if let [Some(a), Some(b)] = &self.picked {
                self.pair = self.play.pair(a, b);
            }
        }
        self.judge_shooting();
    }
}
