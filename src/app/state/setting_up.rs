//! The page 'Before the battle': what has been done so far, and what the rules say of it on the table as it is seen.
//!
//! The order and every ruling are the rules' own ([`crate::rules::setting_up`]), reached as `groma setup` reaches them; here
//! are the acts, and what is being chosen. What was done stays while the page is closed.

mod told;

pub use told::{Guided, Told};

use super::State;
use crate::app::command::{Picked, SettingUpCommand};
use crate::judge::{Brought, brought, set_out};
use crate::rules::army_list::{Shelf, shipped};
use crate::rules::setting_up::order::{Act, Step};
use crate::rules::setting_up::{Pick, Written, bodies};
use crate::rules::terrain::{BoardEdge, Ground, TerrainKind};
use crate::rules::{Location, Setup, Side};
use crate::session::play::Job;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The table is judged anew no oftener than this while nothing is done.
const JUDGE_EVERY: Duration = Duration::from_millis(400);
/// The file that is offered, beside the table's.
const FILE: &str = "before-the-battle.ron";

/// A feature that may be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offered {
    /// Its name on the table.
    pub name: String,
    /// What it is.
    pub pick: Pick,
    /// As what it is chosen.
    pub picked: Option<Picked>,
    /// Whether it lies on the table already.
    pub lies: bool,
}

/// The page.
#[derive(Debug, Clone, Default)]
pub struct SettingUpPage {
    /// Whether it is shown.
    pub open: bool,
    /// The aggression of an army whose list is not known.
    pub factor: u8,
    /// Die and throw, where the program threw the last one.
    pub thrown: Option<String>,
    /// The file.
    pub file: String,
    /// How the last saving or reading ended.
    pub said: Option<Result<String, String>>,
    pub(in crate::app) shelf: Option<Shelf>,
    /// Whether each act is written into the file.
    pub(in crate::app) kept: bool,
    acts: Vec<(Side, Act)>,
    revision: u64,
    seat: BoardEdge,
    added: Vec<(String, Pick)>,
    picks: Vec<(String, Picked)>,
    back: BTreeSet<String>,
    guided: Option<Result<Guided, String>>,
    /// Of which acts, which picture and when that was asked.
    asked: Option<(u64, u64, Instant)>,
}

impl SettingUpPage {
    /// What has been done.
    pub fn acts(&self) -> &[(Side, Act)] {
        &self.acts
    }

    /// Where the defender stands.
    pub fn seat(&self) -> BoardEdge {
        self.seat
    }

    /// What the rules say of it; none before the first answer.
    pub fn guided(&self) -> Option<&Result<Guided, String>> {
        self.guided.as_ref()
    }

    /// As what a feature is chosen.
    pub fn picked(&self, name: &str) -> Option<Picked> {
        self.picks.iter().find(|(known, _)| known == name).map(|(_, picked)| *picked)
    }

    /// Who is to be held back.
    pub fn held_back(&self) -> &BTreeSet<String> {
        &self.back
    }

    /// Counts what was done and taken back.
    pub(in crate::app) fn revision(&self) -> u64 {
        self.revision
    }

    fn changed(&mut self) {
        self.revision += 1;
        self.said = None;
    }

    /// Whether what the rules say is of everything that has been done: nothing may be done by an old answer.
    pub fn settled(&self) -> bool {
        matches!(&self.guided, Some(Ok(guided)) if guided.revision == self.revision)
    }

    fn act(&mut self, by: Side, act: Act) {
        self.acts.push((by, act));
        self.changed();
    }

    /// What a file says has been done takes the place of what has.
    pub(in crate::app) fn take_up(&mut self, seat: BoardEdge, acts: Vec<(Side, Act)>) {
        (self.seat, self.acts, self.thrown) = (seat, acts, None);
        (self.added, self.picks, self.back) = (Vec::new(), Vec::new(), BTreeSet::new());
        self.changed();
    }

    /// What may be chosen: what lies on the table, and what was added by its kind.
    pub fn offered(&self, ground: &Ground) -> Vec<Offered> {
        let lying = features(ground);
        let added = self.added.iter().filter(|(name, _)| !lying.iter().any(|(known, _)| known == name));
        let of = |(name, pick): (String, Pick), lies| {
            let picked = self.picked(&name);
            Offered { name, pick, picked, lies }
        };
        let added: Vec<_> = added.cloned().map(|feature| of(feature, false)).collect();
        lying.into_iter().map(|feature| of(feature, true)).chain(added).collect()
    }

    /// Those that are chosen so.
    pub fn chosen(&self, ground: &Ground, so: Picked) -> Vec<(String, Pick)> {
        let offered = self.offered(ground).into_iter();
        offered.filter(|o| o.picked == Some(so)).map(|o| (o.name, o.pick)).collect()
    }

    /// Carries out what concerns the page alone. Gives the command back where it is for `logic`.
    fn carry_out(&mut self, command: SettingUpCommand, ground: &Ground) -> Option<SettingUpCommand> {
        match command {
            SettingUpCommand::Close => self.open = false,
            SettingUpCommand::Do(by, act) => {
                if matches!(act, Act::Deploy) && !self.back.is_empty() {
                    let back = std::mem::take(&mut self.back).into_iter().collect();
                    self.act(by, Act::HoldBack(back));
                }
                self.thrown = None;
                self.act(by, act);
            }
            SettingUpCommand::Undo => {
                self.acts.pop();
                self.thrown = None;
                self.changed();
            }
            SettingUpCommand::Anew => {
                self.take_up(self.seat, Vec::new());
                self.kept = false;
            }
            SettingUpCommand::Add(pick) => {
                let taken = self.offered(ground);
                let name = (1..).map(|n| format!("{} {n}", pick.name()));
                let mut free = name.filter(|name| !taken.iter().any(|o| o.name == *name));
                self.added.extend(free.next().map(|name| (name, pick)));
            }
            SettingUpCommand::Pick(name, picked) => {
                self.picks.retain(|(known, _)| *known != name);
                self.picks.extend(picked.map(|picked| (name, picked)));
            }
            SettingUpCommand::Choose(by) => {
                let [must, may] = [Picked::Compulsory, Picked::Optional].map(|so| self.chosen(ground, so));
                self.act(by, Act::Choose(must, may));
            }
            SettingUpCommand::Seat(edge) => {
                self.seat = edge;
                self.changed();
            }
            SettingUpCommand::Hold(name) => {
                if !self.back.remove(&name) {
                    self.back.insert(name);
                }
            }
            SettingUpCommand::Factor(factor) => self.factor = factor,
            SettingUpCommand::TypeFile(text) => (self.file, self.said, self.kept) = (text, None, false),
            other => return Some(other),
        }
        None
    }
}

/// What may be chosen of what lies on the table. A City or Fort and the hill that it is merged with are one feature.
fn features(ground: &Ground) -> Vec<(String, Pick)> {
    let setup =
        Setup { ground: ground.clone(), ..Setup::bare(crate::units::Scale::SMALL, (1.0, 1.0), Vec::new()) };
    let of = |name: &str, pick: Pick| pick.sort().map(|_| (name.to_owned(), pick));
    let areas = bodies(&setup).into_iter().filter_map(|body| match body.merged {
        Some(bua) => of(&bua.name, Pick::OnHill(bua.kind, body.main.kind)),
        None => of(&body.main.name, Pick::Area(body.main.kind)),
    });
    let water = ground.features.iter().filter(|f| f.kind == TerrainKind::Waterway);
    let water = water.map(|f| (f.name.clone(), Pick::Area(f.kind)));
    let rivers = ground.rivers.iter().map(|r| (r.name.clone(), Pick::River));
    let roads = ground.roads.iter().map(|r| (r.name.clone(), Pick::Road));
    areas.chain(water).chain(rivers).chain(roads).collect()
}

impl State {
    /// The page, with what was done on it.
    pub fn setting_up(&self) -> &SettingUpPage {
        &self.setting_up
    }

    /// Carries out what concerns the page alone. Gives the command back where it is for `logic`.
    pub(super) fn setting_up_command(&mut self, command: SettingUpCommand) -> Option<SettingUpCommand> {
        let ground = self.play.engine().table().ground.clone();
        self.setting_up.carry_out(command, &ground)
    }

    /// The file that is offered.
    pub(in crate::app) fn setting_up_file(&self) -> PathBuf {
        let beside = self.named.table.as_deref().and_then(std::path::Path::parent);
        beside.unwrap_or(std::path::Path::new("")).join(FILE)
    }

    fn shelf(&self) -> &Shelf {
        self.setting_up.shelf.as_ref().unwrap_or(shipped())
    }

    /// What each side brings, by its roster and list.
    pub fn brought(&self) -> Vec<Brought> {
        brought(self.engine().roster(), self.shelf()).0
    }

    /// The table as it is set out: everybody of the rosters who is not seen on it is held to be in reserve.
    fn table_before(&self) -> Setup {
        let table = self.engine().table();
        let bare = Setup::bare(table.scale, table.board_mm, Vec::new());
        let bare = Setup { ground: table.ground.clone(), ..bare };
        set_out(self.engine().roster(), self.play.measured().map_or(&bare, |m| &m.setup))
    }

    /// Everything, as a file has it.
    pub(in crate::app) fn written_before(&self) -> Written {
        let page = &self.setting_up;
        let acts = match &page.guided {
            Some(Ok(guided)) if guided.revision == page.revision => guided.acts.clone(),
            _ => page.acts.clone(),
        };
        Written {
            name: "Before the battle".to_owned(),
            settings: self.engine().settings().clone(),
            seat: page.seat,
            setup: self.table_before(),
            own_table: true,
            acts,
        }
    }

    /// The rules' answer, where the table or the acts have changed since the last.
    pub(in crate::app) fn setting_up_job(&mut self, now: Instant) -> Option<Job<Result<Guided, String>>> {
        let page = &self.setting_up;
        let same = page.asked.is_some_and(|(revision, reads, when)| {
            let soon = now.saturating_duration_since(when) < JUDGE_EVERY;
            revision == page.revision && (soon || reads == self.reads)
        });
        if !page.open || same {
            return None;
        }
        let measured = self.play.measured().cloned();
        let mut written = Written { acts: page.acts.clone(), ..self.written_before() };
        let (roster, shelf) = (Arc::clone(self.play.engine()), self.shelf().clone());
        let revision = page.revision;
        self.setting_up.asked = Some((revision, self.reads, now));
        Some(Box::new(move || {
            told::guided(&mut written, measured.as_ref(), roster.roster(), &shelf, revision)
        }))
    }

    /// Takes over the rules' answer, where it is of what has been done by now.
    pub(in crate::app) fn take_setting_up(&mut self, found: Result<Guided, String>) {
        let page = &mut self.setting_up;
        match &found {
            Ok(guided) if guided.revision != page.revision => {}
            _ => page.guided = Some(found),
        }
    }

    /// Throws one die by the session's generator, for what is next of that side.
    pub(in crate::app) fn throw_before(&mut self, by: Side) {
        let Some(Ok(guided)) = &self.setting_up.guided else { return };
        let placing = match guided.report.next {
            Step::Dice(_) => guided.report.done.current().map(|p| p.name.clone()),
            _ => None,
        };
        let (die, words) = self.dice.throw_one();
        let act = placing.map_or(Act::Roll(die.pips()), |name| Act::Dice(name, die.pips()));
        self.setting_up.act(by, act);
        self.setting_up.thrown = Some(words);
    }

    /// Elements of that side that are not on the table.
    pub fn not_standing(&self, side: Side) -> Vec<String> {
        let setup = self.table_before();
        let waiting = setup.elements.iter().filter(|e| e.side == side && e.location == Location::Reserve);
        waiting.map(|e| e.name.clone()).collect()
    }
}
