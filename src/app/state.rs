//! What the window knows. Painting reads it; only `logic` changes it.

mod dice;
mod facts;
mod jig;
mod lens;
mod moves;
mod source;

pub use dice::DiceState;
pub use facts::{Facts, fact_words};
pub use jig::{JigLook, JigPage, JigRun, MOST_SHOTS};
pub use lens::{LensPage, LensRun};
pub use moves::Moves;
pub use source::{Browser, CameraEntry, CameraSearch, Dialog, Entry, Field, Run, SourceState};

use crate::app::command::{Command, Layout, Page, Slot};
use crate::app::engine::{Engine, outcome};
use crate::app::outside::{NamedFiles, Setup};
use crate::app::view::{GroundView, OutcomeView, PairView, TableView, ZoneView};
use crate::app::worker::Sight;
use crate::judge::Measured;
use crate::markers::{HeldTo, KeptCertificate, Standing};
use crate::session::Dice;
use crate::tracking::Visibility;
use crate::vision::{CameraModel, LensProfile};
use egui::Theme;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Everything that is shown.
pub struct State {
    pub(super) engine: Engine,
    latest: Option<Arc<Sight>>,
    reads: u64,
    arrivals: VecDeque<Instant>,
    table: TableView,
    /// As it was measured.
    read: Option<Measured>,
    /// The same with what was agreed, and with battle lines joined: what is judged.
    measured: Option<Measured>,
    facts: Facts,
    moves: Moves,
    picked: [Option<String>; 2],
    pair: Option<PairView>,
    zones: Vec<ZoneView>,
    ground: Vec<GroundView>,
    dice: DiceState,
    layout: Layout,
    page: Page,
    explained: Option<usize>,
    theme: Theme,
    /// Which table and rosters, as the status line names them.
    files: String,
    /// Which files.
    pub(super) named: NamedFiles,
    /// The lens profile.
    lens: Option<LensProfile>,
    /// The certificate beside the table file.
    certificate: Option<Result<KeptCertificate, String>>,
    /// The page on which a lens is calibrated, while it is open.
    pub(super) lens_page: Option<LensPage>,
    /// The page on which mounts are measured, while it is open.
    pub(super) jig_page: Option<JigPage>,
    /// Where frames come from.
    pub(super) source: SourceState,
    /// The dialog for another source, while it is open.
    pub(super) dialog: Option<Dialog>,
    /// What went wrong last and has not been dismissed.
    pub(super) notice: Option<String>,
}

/// Readings over this time make the frame rate.
const RATE_OVER: Duration = Duration::from_secs(3);

impl State {
    /// Over a table and a roster, before the first frame.
    pub fn new(engine: Engine, dice: Dice, theme: Theme) -> Self {
        let table = engine.table_view(None);
        Self {
            engine,
            latest: None,
            reads: 0,
            arrivals: VecDeque::new(),
            table,
            read: None,
            measured: None,
            facts: Facts::default(),
            moves: Moves::default(),
            picked: [None, None],
            pair: None,
            zones: Vec::new(),
            ground: Vec::new(),
            dice: DiceState::new(dice),
            layout: Layout::default(),
            page: Page::default(),
            explained: None,
            theme,
            files: String::new(),
            named: NamedFiles::default(),
            lens: None,
            certificate: None,
            lens_page: None,
            jig_page: None,
            source: SourceState::default(),
            dialog: None,
            notice: None,
        }
    }

    /// Table, roster and rules.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The table as it was last read.
    pub fn table(&self) -> &TableView {
        &self.table
    }

    /// The frame that was last read, with what was read from it.
    pub fn latest(&self) -> Option<&Arc<Sight>> {
        self.latest.as_ref()
    }

    /// How many frames have been read from all sources: tells one frame from another.
    pub fn reads(&self) -> u64 {
        self.reads
    }

    /// Columns and rows of the last frame.
    pub fn picture_size(&self) -> Option<(usize, usize)> {
        self.latest.as_ref().map(|sight| (sight.frame.grey.width(), sight.frame.grey.height()))
    }

    /// The camera as the last frame placed it.
    pub fn camera_model(&self) -> Option<&CameraModel> {
        self.latest.as_ref()?.reading.camera.as_ref()
    }

    /// Names of the first and the second element that are picked.
    pub fn selection(&self) -> &[Option<String>; 2] {
        &self.picked
    }

    /// Whether an element is picked, and as which.
    pub fn slot_of(&self, name: &str) -> Option<Slot> {
        Slot::BOTH.into_iter().find(|slot| self.picked[slot.index()].as_deref() == Some(name))
    }

    /// What is said of the two that are picked.
    pub fn pair(&self) -> Option<&PairView> {
        self.pair.as_ref()
    }

    /// What to bear in mind of the two: one that is covered is judged from where it was last seen, one
    /// that moves changes its answers.
    pub fn cautions(&self) -> Vec<String> {
        let picked = self.picked.iter().flatten().filter_map(|name| self.table.element(name));
        picked
            .filter_map(|e| match (e.visibility, &e.place) {
                (Visibility::Covered { age }, Some(_)) => {
                    let ago = age.as_secs();
                    Some(format!("{} is covered: judged from where it was seen {ago} s ago.", e.name))
                }
                (Visibility::Seen, Some(place)) if !place.at_rest => {
                    Some(format!("{} moves, or was just found: the figures still change.", e.name))
                }
                _ => None,
            })
            .collect()
    }

    /// What to bear in mind of the table as it was last read: why rulings are held, and what has changed; of a
    /// photograph, which reference tag, lens or table file does not fit.
    pub fn table_cautions(&self) -> Vec<String> {
        let Some(reading) = self.latest.as_ref().map(|sight| &sight.reading) else { return Vec::new() };
        let snapshot = &reading.snapshot;
        // A frame that could not be placed says so over the picture already.
        let placed = reading.registration.is_ok();
        let held = snapshot.held.filter(|_| placed).map(|why| format!("rulings are held: {why}"));
        let changes = snapshot.changes.iter().map(ToString::to_string);
        let misfits = if self.source.unrelated { reading.cautions() } else { Vec::new() };
        held.into_iter().chain(changes).chain(misfits.iter().map(ToString::to_string)).collect()
    }

    /// Threat zones of what is picked.
    pub fn zones(&self) -> &[ZoneView] {
        &self.zones
    }

    /// How what is picked lies to the features of the ground that are near it.
    pub fn ground(&self) -> &[GroundView] {
        &self.ground
    }

    /// What the players have agreed.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// What was moved.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// How the dice lie.
    pub fn outcome(&self) -> Option<&OutcomeView> {
        self.dice.outcome()
    }

    /// What stands in the field for a real die.
    pub fn typed_die(&self, slot: Slot) -> &str {
        self.dice.typed(slot)
    }

    /// What is wrong with it.
    pub fn die_error(&self, slot: Slot) -> Option<&str> {
        self.dice.error(slot)
    }

    /// Where the dice came from.
    pub fn dice_words(&self) -> Option<String> {
        self.dice.words()
    }

    /// What the middle shows.
    pub fn layout(&self) -> Layout {
        self.layout
    }

    /// What the side panel shows.
    pub fn page(&self) -> Page {
        self.page
    }

    /// The question that is shown in full.
    pub fn explained(&self) -> Option<usize> {
        self.explained
    }

    /// Dark or light.
    pub fn theme(&self) -> Theme {
        self.theme
    }

    /// Which table and rosters are used; empty where nobody said.
    pub fn files(&self) -> &str {
        &self.files
    }

    /// Whether table and rosters are a person's own, and not the samples.
    pub fn own_files(&self) -> bool {
        self.named.table.is_some()
    }

    /// The roster files; none where the samples are used.
    pub fn roster_files(&self) -> &[std::path::PathBuf] {
        &self.named.rosters
    }

    /// The lens profile that serves.
    pub fn lens(&self) -> Option<&LensProfile> {
        self.lens.as_ref()
    }

    /// The page on which a lens is calibrated, while it is open.
    pub fn lens_page(&self) -> Option<&LensPage> {
        self.lens_page.as_ref()
    }

    /// The page on which mounts are measured, while it is open.
    pub fn jig_page(&self) -> Option<&JigPage> {
        self.jig_page.as_ref()
    }

    /// What the table's certificate is worth today for what is measured, in words; `None` where there is no
    /// table file that it could lie beside.
    pub fn certificate_words(&self, today: &str) -> Option<(String, Standing)> {
        self.named.table.as_ref()?;
        let now = HeldTo {
            table: self.engine.table().mark(),
            lens: self.lens.as_ref().map(LensProfile::mark),
            device: self.source.device.clone(),
        };
        Some(match &self.certificate {
            None => ("not checked: groma check".to_owned(), Standing::Doubtful),
            Some(Ok(kept)) => kept.words(&now, today),
            Some(Err(why)) => (format!("the certificate cannot be read: {why}"), Standing::Doubtful),
        })
    }

    /// Where frames come from.
    pub fn source(&self) -> &SourceState {
        &self.source
    }

    /// The dialog for another source.
    pub fn dialog(&self) -> Option<&Dialog> {
        self.dialog.as_ref()
    }

    /// What went wrong.
    pub fn notice(&self) -> Option<&str> {
        self.notice.as_deref()
    }

    /// Frames read in a second, over the last few; `None` before the second one.
    pub fn frame_rate(&self) -> Option<f64> {
        let (first, last) = (self.arrivals.front()?, self.arrivals.back()?);
        let over = last.saturating_duration_since(*first).as_secs_f64();
        (over > 0.0).then(|| (self.arrivals.len() - 1) as f64 / over)
    }

    /// How to ask.
    pub fn pick_words(&self) -> String {
        match &self.picked {
            [Some(first), None] => {
                format!(
                    "Pick a second element to compare with {first}: click it on the picture, on the board or in the list."
                )
            }
            [Some(a), Some(b)] => {
                let missing =
                    [a, b].into_iter().find(|n| self.table.element(n).is_none_or(|e| e.place.is_none()));
                match missing {
                    Some(name) => format!(
                        "{name} has not been found on the table yet: nothing can be measured. Move what covers its tag, or pick another."
                    ),
                    None => format!("Nothing can be said of {a} and {b}."),
                }
            }
            _ => "Pick two elements: click them on the picture, on the board or in the list.".to_owned(),
        }
    }

    /// What stands where the picture will be.
    pub fn waiting_words(&self) -> String {
        match &self.source.run {
            Run::Failed(_) => "No picture. Choose \"Open source\" above.".to_owned(),
            Run::Ended => "The source held no picture. Choose \"Open source\" above.".to_owned(),
            _ => "Waiting for the first picture...".to_owned(),
        }
    }

    /// Why the last frame could not be placed on the table.
    pub fn unplaced_words(&self) -> String {
        let why = self.latest.as_ref().and_then(|sight| sight.reading.registration.as_ref().err());
        match why {
            Some(error) => format!("This picture cannot be placed on the table: {error}"),
            None => "This picture cannot be placed on the table.".to_owned(),
        }
    }

    /// Takes over a reading that arrived at `now`.
    pub(super) fn take(&mut self, sight: Sight, now: Instant) {
        self.arrivals.push_back(now);
        while self.arrivals.front().is_some_and(|first| now.saturating_duration_since(*first) > RATE_OVER) {
            self.arrivals.pop_front();
        }
        self.latest = Some(Arc::new(sight));
        self.reads += 1;
        self.look_again();
    }

    /// Other files take the place of the present ones. What was picked stays where it is in both.
    pub(super) fn adopt(&mut self, setup: Setup) {
        let settings = self.engine.settings().clone();
        self.engine = Engine::new(setup.table, setup.roster, settings);
        (self.files, self.named) = (setup.words, setup.named);
        (self.lens, self.certificate) = (setup.lens, setup.certificate);
        self.facts.clear();
        self.moves = Moves::default();
        let known = |name: &String| self.engine.roster().element(name).is_some();
        for slot in &mut self.picked {
            *slot = slot.take().filter(known);
        }
        self.latest = None;
        self.dice.clear();
        self.look_again();
    }

    /// Another lens profile serves.
    pub(super) fn set_lens(&mut self, lens: Option<LensProfile>) {
        self.lens = lens;
    }

    /// A new source has opened: what was read from the old one goes, with all that rested on it.
    pub(super) fn begin_source(&mut self, description: String, unrelated: bool, device: Option<String>) {
        if self.source.description != description {
            self.facts.clear();
            self.moves = Moves::default();
        }
        self.source = SourceState { description, unrelated, device, run: Run::Running };
        self.arrivals.clear();
        self.latest = None;
        self.dice.clear();
        self.look_again();
    }

    /// Carries out what concerns the state alone. Gives the command back where it is for `logic`.
    pub(super) fn carry_out(&mut self, command: Command) -> Option<Command> {
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
            Command::ClearDice => self.dice.clear(),
            Command::Show(layout) => self.layout = layout,
            Command::Turn(page) => self.page = page,
            Command::Explain(n) => self.explained = if self.explained == Some(n) { None } else { Some(n) },
            Command::DismissNotice => self.notice = None,
            Command::ToggleTheme => {
                self.theme = if self.theme == Theme::Dark { Theme::Light } else { Theme::Dark };
            }
            Command::ShowSources => {
                self.dialog.get_or_insert_with(|| Dialog::with(&self.named));
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
            Command::Agree(fact) => {
                if let Some(read) = &self.read {
                    self.facts.agree(fact, read);
                    self.look_again();
                }
            }
            Command::Withdraw(fact) => {
                self.facts.withdraw(&fact);
                self.look_again();
            }
            Command::Moves(command) => self.moves.carry_out(command, &self.engine, self.measured.as_ref()),
            Command::Jig(command) => {
                return match &mut self.jig_page {
                    Some(page) => page.carry_out(command).map(Command::Jig),
                    None => Some(Command::Jig(command)),
                };
            }
            other @ (Command::Browse(_)
            | Command::TogglePause
            | Command::HideSources
            | Command::Open(_)
            | Command::FindCameras) => {
                return Some(other);
            }
        }
        None
    }

    fn pick(&mut self, name: String) {
        if self.table.element(&name).is_none() {
            return;
        }
        match self.slot_of(&name) {
            Some(slot) => self.picked[slot.index()] = None,
            None if self.picked[0].is_none() => self.picked[0] = Some(name),
            None => self.picked[1] = Some(name),
        }
        self.selection_changed();
    }

    fn selection_changed(&mut self) {
        self.dice.clear();
        self.explained = None;
        self.judge();
    }

    fn look_again(&mut self) {
        let snapshot = self.latest.as_ref().map(|sight| Arc::clone(&sight.reading.snapshot));
        self.table = self.engine.table_view(snapshot.as_deref());
        self.read = snapshot.as_ref().map(|s| self.engine.measured(s));
        let settings = self.engine.settings();
        let agreed = self.read.clone().map(|read| self.facts.over(read, settings));
        self.measured = agreed.map(|agreed| agreed.in_lines(settings));
        if let (Some(measured), Some(snapshot)) = (&self.measured, &snapshot) {
            self.moves.look(&self.engine, measured, snapshot.at_rest());
        }
        self.judge();
    }

    fn judge(&mut self) {
        self.zones.clear();
        self.ground.clear();
        self.pair = None;
        let Some(measured) = &self.measured else { return };
        for name in self.picked.iter().flatten() {
            self.zones.extend(self.engine.zones(measured, name));
            self.ground.extend(self.engine.ground(measured, name));
        }
        if let [Some(a), Some(b)] = &self.picked {
            self.pair = self.engine.pair(measured, a, b);
        }
    }

    fn throw(&mut self) {
        if let Some(Ok(combat)) = self.pair.as_ref().map(|pair| &pair.combat) {
            self.dice.throw(|dice| outcome(combat, dice));
        }
    }

    fn take_typed(&mut self) {
        if let Some(Ok(combat)) = self.pair.as_ref().map(|pair| &pair.combat) {
            self.dice.take_typed(|dice| outcome(combat, dice));
        }
    }
}
