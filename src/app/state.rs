//! What the window knows. Painting reads it; only `logic` changes it.

mod acts;
mod army;
mod clock;
mod demo;
mod dice;
mod first_run;
mod jig;
mod kept;
mod lens;
mod log;
mod play;
mod reach;
mod round;
mod session;
mod setting_up;
mod slip;
mod source;
mod spot;
mod terrain;
mod tray;

pub use army::{ArmyPage, Draft};
pub use clock::{ClockPhase, GameClock, NEAR_END, USUAL};
pub(super) use demo::Turned;
pub use demo::{BACK_FOR, DemoPage, DemoStage, IDLE_AFTER, LEFT_AFTER, SETTLES, STIRS_MM, Showing};
pub use dice::DiceState;
pub use first_run::{Check, FirstRun, Mark};
pub use jig::{JigLook, JigPage, JigRun, MOST_SHOTS};
pub use kept::{Kept, KeptView};
pub use lens::{LensPage, LensRun};
pub use log::Log;
pub(super) use play::Errand;
pub use reach::{Reach, ReachBody};
pub use round::RoundPart;
pub use session::{Ghost, SessionShown};
pub use setting_up::{Guided, Offered, SettingUpPage, Told};
pub use slip::SlipPart;
pub use source::{Browser, CameraEntry, CameraSearch, Dialog, Entry, Field, Run, SourceState};
pub use spot::{SpotAnswers, SpotPage, SpotStill, SpotText};
pub use terrain::{TerrainPage, Wanted};
pub(super) use tray::Follows;
pub use tray::{DiceFor, Offer, OfferedDie, Tray, TrayPage, TraySays, TrayState, Whose};

use crate::app::command::{Assistance, Layout, Mode, Page, Slot};
use crate::app::look::{Ground, Look, Photographs};
use crate::app::outside::NamedFiles;
use crate::app::settings::WindowSettings;
use crate::app::worker::Sight;
use crate::judge::FeatureMoved;
use crate::markers::{HeldTo, KeptCertificate, Standing};
use crate::session::Throws;
use crate::session::engine::Engine;
use crate::session::play::{Facts, Fight, FightKind, Losses, Moves, Overrules, Play, Whereabouts, Written};
use crate::session::view::{CombatView, GroundView, OutcomeView, PairView, TableView, ZoneView};
use crate::tracking::Visibility;
use crate::vision::{CameraModel, Caution, LensProfile};
use egui::Theme;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;

/// Everything that is shown.
pub struct State {
    /// The battle.
    pub(super) play: Play,
    latest: Option<Arc<Sight>>,
    reads: u64,
    arrivals: VecDeque<Instant>,
    reach: Reach,
    pub(super) session: SessionShown,
    mode: Mode,
    assistance: Assistance,
    /// The game's clock.
    pub(super) clock: GameClock,
    pub(super) log: Log,
    /// The journal's part.
    pub(super) kept: Kept,
    picked: [Option<String>; 2],
    pair: Option<PairView>,
    zones: Vec<ZoneView>,
    ground: Vec<GroundView>,
    dice: DiceState,
    layout: Layout,
    page: Page,
    explained: Option<usize>,
    theme: Theme,
    look: Look,
    /// Whether the page of keys lies over all.
    keys_shown: bool,
    /// Whether the public screen is shown.
    public_shown: bool,
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
    /// The first run, while its page is open.
    pub(super) first_run: Option<FirstRun>,
    /// The page on which armies are chosen, while it is open.
    pub(super) army_page: Option<ArmyPage>,
    /// The page on which terrain is drawn, while it is open.
    pub(super) terrain_page: Option<TerrainPage>,
    /// The page on which bases without tags are judged, while it is open.
    pub(super) spot_page: Option<SpotPage>,
    /// Demo mode, while the window is in it.
    pub(super) demo: Option<DemoPage>,
    /// The page 'Before the battle', with what was done on it.
    pub(super) setting_up: SettingUpPage,
    photographs: Photographs,
    /// What became of the last photograph.
    pub(super) photographed: Option<String>,
    /// The next round, while it is prepared.
    pub(super) round: Option<RoundPart>,
    /// The result slip.
    pub(super) slip: SlipPart,
    /// The dice tray.
    pub(super) tray: TrayState,
    /// Where frames come from.
    pub(super) source: SourceState,
    /// What opens the camera that stands beside the source; empty for none.
    pub(super) second: String,
    /// The dialog for another source, while it is open.
    pub(super) dialog: Option<Dialog>,
    /// What went wrong last and has not been dismissed.
    pub(super) notice: Option<String>,
}

impl State {
    /// Over a table and a roster, before the first frame.
    pub fn new(engine: Engine, throws: Throws, theme: Theme) -> Self {
        Self {
            play: Play::new(engine),
            latest: None,
            reads: 0,
            arrivals: VecDeque::new(),
            reach: Reach::default(),
            session: SessionShown::default(),
            mode: Mode::default(),
            assistance: Assistance::default(),
            clock: GameClock::default(),
            log: Log::default(),
            kept: Kept::default(),
            picked: [None, None],
            pair: None,
            zones: Vec::new(),
            ground: Vec::new(),
            dice: DiceState::new(throws),
            layout: Layout::default(),
            page: Page::default(),
            explained: None,
            theme,
            look: Look::default(),
            keys_shown: false,
            public_shown: false,
            files: String::new(),
            named: NamedFiles::default(),
            lens: None,
            certificate: None,
            lens_page: None,
            jig_page: None,
            first_run: None,
            army_page: None,
            terrain_page: None,
            spot_page: None,
            demo: None,
            setting_up: SettingUpPage::default(),
            photographs: Photographs::default(),
            photographed: None,
            round: None,
            slip: SlipPart::default(),
            tray: TrayState::default(),
            source: SourceState::default(),
            second: String::new(),
            dialog: None,
            notice: None,
        }
    }

    /// Table, roster and rules.
    pub fn engine(&self) -> &Engine {
        self.play.engine()
    }

    /// The table as it was last read.
    pub fn table(&self) -> &TableView {
        self.play.table()
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
        let picked = self.picked.iter().flatten().filter_map(|name| self.table().element(name));
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
        let mut misfits = if self.source.unrelated { reading.cautions() } else { Vec::new() };
        // These stand in the list of elements, beside those who are missing.
        misfits.retain(|c| !matches!(c, Caution::Unnamed { .. } | Caution::NotAsWritten { .. }));
        let terrain = self.play.features().iter().filter(|moved| moved.is_told());
        let terrain = terrain.map(FeatureMoved::in_words);
        held.into_iter()
            .chain(changes)
            .chain(terrain)
            .chain(misfits.iter().map(ToString::to_string))
            .collect()
    }

    /// Tags that lie on the table and are nobody's, or not as they are written, in words.
    pub fn strangers(&self) -> Vec<String> {
        let found = self.latest.iter().flat_map(|sight| &sight.reading.strangers);
        found.map(|s| Caution::of_stranger(s).to_string()).collect()
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
        self.play.facts()
    }

    /// What was moved.
    pub fn moves(&self) -> &Moves {
        self.play.moves()
    }

    /// Combat and shooting.
    pub fn fight(&self) -> &Fight {
        self.play.fight()
    }

    /// What the players say is lost.
    pub fn losses(&self) -> &Losses {
        self.play.losses()
    }

    /// Where everybody is who was on the table once and does not show on it.
    pub fn missing(&self) -> Vec<(&str, Whereabouts)> {
        self.play.missing()
    }

    /// What the umpire overruled.
    pub fn overrules(&self) -> &Overrules {
        self.play.overrules()
    }

    /// Where the element that is picked first may go.
    pub fn reach(&self) -> &Reach {
        &self.reach
    }

    /// What was decided, the oldest first.
    pub fn written(&self) -> &[Written] {
        self.play.written()
    }

    /// The result slip.
    pub fn slip(&self) -> &SlipPart {
        &self.slip
    }

    /// When photographs of the board are taken.
    pub fn photographs(&self) -> Photographs {
        self.photographs
    }

    /// What became of the last one.
    pub fn photographed(&self) -> Option<&str> {
        self.photographed.as_deref()
    }

    /// How the journal stands.
    pub fn kept(&self) -> &Kept {
        &self.kept
    }

    /// The file in which that is kept as a text.
    pub fn log(&self) -> &Log {
        &self.log
    }

    /// What the dice are thrown for: the combat or the shooting of the two, or why there is none.
    pub fn combat(&self) -> Option<Result<&CombatView, &str>> {
        let pair = self.pair.as_ref()?;
        let combat = match self.fight().kind() {
            FightKind::Close => &pair.combat,
            FightKind::Shooting => &self.fight().shooting()?.combat,
        };
        Some(combat.as_ref().map_err(String::as_str))
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

    /// What the throws of this session were committed to before the first.
    pub fn commitment(&self) -> String {
        self.dice.commitment()
    }

    /// How anybody can see that the program's dice were not chosen, a line each.
    pub fn dice_proof(&self) -> Vec<String> {
        self.dice.proof()
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

    /// The size of text, and the contrast.
    pub fn look(&self) -> Look {
        self.look
    }

    /// Whether the page of keys lies over all.
    pub fn keys_shown(&self) -> bool {
        self.keys_shown
    }

    /// Whether the public screen is shown.
    pub fn public_shown(&self) -> bool {
        self.public_shown
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

    /// The page on which armies are chosen, while it is open.
    pub fn army_page(&self) -> Option<&ArmyPage> {
        self.army_page.as_ref()
    }

    /// The page on which terrain is drawn, while it is open.
    pub fn terrain_page(&self) -> Option<&TerrainPage> {
        self.terrain_page.as_ref()
    }

    /// The game's clock.
    pub fn clock(&self) -> &GameClock {
        &self.clock
    }

    /// The page on which bases without tags are judged, while it is open.
    pub fn spot_page(&self) -> Option<&SpotPage> {
        self.spot_page.as_ref()
    }

    /// What the table's certificate is worth today for what is measured, in words; `None` where there is no
    /// table file that it could lie beside.
    pub fn certificate_words(&self, today: &str) -> Option<(String, Standing)> {
        self.named.table.as_ref()?;
        let now = HeldTo {
            table: self.engine().table().mark(),
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

    /// What is kept of the window from one time to the next.
    pub fn settings(&self) -> WindowSettings {
        let mut settings = WindowSettings::default();
        (settings.tray, settings.whose) = (self.tray.tray().copied(), *self.tray.whose());
        (settings.look, settings.photographs) = (self.look, self.photographs);
        settings.ground = if self.theme == Theme::Dark { Ground::Dark } else { Ground::Light };
        settings
    }

    /// The window is as it was kept.
    pub(super) fn set_up(&mut self, settings: &WindowSettings) {
        self.tray.put_up(settings.tray, settings.whose);
        (self.look, self.photographs) = (settings.look, settings.photographs);
        self.theme = match settings.ground {
            Ground::Dark => Theme::Dark,
            Ground::Light => Theme::Light,
        };
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
                    [a, b].into_iter().find(|n| self.table().element(n).is_none_or(|e| e.place.is_none()));
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
}
