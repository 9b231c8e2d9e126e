//! Demo mode: a loop while nobody plays, a table that speaks to strangers while somebody does, and bases that are put
//! back. Times come with the calls, from the moment the mode began; nothing here reads a clock.
//!
//! Invariants: from each stage every other can be reached; what the mode keeps does not grow with time.

use super::{Ghost, State};
use crate::app::outside::Show;
use crate::app::worker::Sight;
use crate::geometry::Footprint;
use crate::judge::HostCard;
use crate::rules::Side;
use crate::session::engine::{MET_MM, furthest};
use crate::session::play::{Act, Play};
use crate::session::talk::{Saying, Talk, sayings};
use crate::session::view::TableView;
use crate::tracking::Visibility;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A base that lies further off than this has been moved, millimetres at a corner.
pub const STIRS_MM: f64 = 5.0;
/// With nothing moved for so long, nobody plays any more.
pub const IDLE_AFTER: Duration = Duration::from_secs(90);
/// Bases that nobody puts back for so long stay where they are.
pub const LEFT_AFTER: Duration = Duration::from_secs(300);
/// The table is found base by base: for so long from the mode's beginning what comes to be seen was there before.
pub const SETTLES: Duration = Duration::from_secs(10);
/// All are back for so long: a hand that still straightens one is waited for.
pub const BACK_FOR: Duration = Duration::from_secs(3);

/// What the mode does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DemoStage {
    /// Nobody plays: the loop.
    Idle,
    /// Somebody plays.
    Awake,
    /// Bases are to be put back.
    PutBack,
}

/// What is to be done because of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::app) enum Turned {
    /// Nothing.
    No,
    /// Whoever played is gone: the battle begins anew from the table as it stands.
    Anew,
}

/// The mode.
pub struct DemoPage {
    stage: DemoStage,
    /// Since when it has been so, or since when nothing has moved: whichever is later.
    since: Duration,
    /// Where everybody rested last.
    rested: Option<BTreeMap<String, Footprint>>,
    /// Where everybody is to be put back to.
    home: Option<BTreeMap<String, (Side, Footprint)>>,
    /// Since when all are back.
    back_since: Option<Duration>,
    talk: Talk,
    card: HostCard,
    /// The loop, while it is shown.
    pub(in crate::app) showing: Option<Showing>,
    /// Why there is no loop.
    pub(in crate::app) no_show: Option<String>,
    rounds: u64,
    looks: u64,
    woken: u64,
}

impl DemoPage {
    /// The mode begins, with this card.
    pub fn new(card: HostCard) -> Self {
        Self {
            stage: DemoStage::Idle,
            since: Duration::ZERO,
            rested: None,
            home: None,
            back_since: None,
            talk: Talk::default(),
            card,
            showing: None,
            no_show: None,
            rounds: 0,
            looks: 0,
            woken: 0,
        }
    }

    /// What it does.
    pub fn stage(&self) -> DemoStage {
        self.stage
    }

    /// The host's card.
    pub fn card(&self) -> &HostCard {
        &self.card
    }

    /// The loop, while it is shown.
    pub fn showing(&self) -> Option<&Showing> {
        self.showing.as_ref()
    }

    /// Why there is none.
    pub fn no_show(&self) -> Option<&str> {
        self.no_show.as_deref()
    }

    /// What is said of the real table.
    pub fn saying(&self) -> Option<&Saying> {
        self.talk.shown()
    }

    /// How often the loop was shown to its end, and how often the table woke the program.
    pub fn counts(&self) -> (u64, u64) {
        (self.rounds, self.woken)
    }

    /// How many pictures of the loop were shown.
    pub fn looks(&self) -> u64 {
        self.looks + self.showing.as_ref().map_or(0, |showing| showing.looks)
    }

    /// Whether it is known where bases are to be put back to.
    pub fn has_home(&self) -> bool {
        self.home.is_some()
    }

    fn turn(&mut self, stage: DemoStage, now: Duration) {
        (self.stage, self.since, self.back_since) = (stage, now, None);
        self.talk.forget();
        if stage != DemoStage::Idle {
            self.end_show();
        }
    }

    fn end_show(&mut self) {
        if let Some(showing) = self.showing.take() {
            self.rounds += showing.round;
            self.looks += showing.looks;
        }
    }

    /// The real table as it was read at `now`.
    pub fn look(&mut self, table: &TableView, at_rest: bool, now: Duration) {
        let places: BTreeMap<&str, (Side, Footprint)> = table
            .elements
            .iter()
            .filter(|e| e.visibility == Visibility::Seen && table.holds(e))
            .filter_map(|e| Some((e.name.as_str(), (e.side, e.place.as_ref()?.footprint))))
            .collect();
        let settles = now < SETTLES && self.stage == DemoStage::Idle;
        let stirred = self.rested.as_ref().is_some_and(|rested| {
            places.iter().any(|(name, (_, at))| {
                rested.get(*name).map_or(!settles, |then| furthest(then, at) > STIRS_MM)
            })
        });
        if stirred {
            match self.stage {
                DemoStage::Idle => {
                    self.woken += 1;
                    self.turn(DemoStage::Awake, now);
                }
                DemoStage::Awake | DemoStage::PutBack => self.since = now,
            }
        }
        if at_rest && !places.is_empty() {
            // Who is covered rests where it rested.
            let rested = self.rested.get_or_insert_default();
            rested.extend(places.iter().map(|(name, (_, at))| ((*name).to_owned(), *at)));
            let home = self.home.get_or_insert_default();
            if settles || home.is_empty() {
                home.extend(owned(&places));
            }
        }
        let back = self.home.is_some() && self.to_put_back(table).iter().all(|ghost| ghost.met);
        self.back_since = self.back_since.or(Some(now)).filter(|_| back && at_rest);
    }

    /// Time goes on.
    pub(in crate::app) fn tick(&mut self, now: Duration) -> Turned {
        let quiet = now.saturating_sub(self.since);
        let over = match self.stage {
            DemoStage::Idle => false,
            DemoStage::Awake => quiet >= IDLE_AFTER,
            DemoStage::PutBack => {
                quiet >= LEFT_AFTER
                    || self.back_since.is_some_and(|since| now.saturating_sub(since) >= BACK_FOR)
            }
        };
        if !over {
            return Turned::No;
        }
        self.turn(DemoStage::Idle, now);
        Turned::Anew
    }

    /// What there is to say of the real table, while somebody plays.
    pub(in crate::app) fn speak(&mut self, play: &Play, now: Duration) {
        if self.stage == DemoStage::Awake && self.talk.listens(now) {
            self.talk.hear(&sayings(play), now);
        }
    }

    /// Bases are to be put back; or not, where they are already.
    pub(in crate::app) fn put_back(&mut self, now: Duration) {
        let stage = match self.stage {
            DemoStage::PutBack => DemoStage::Awake,
            DemoStage::Idle | DemoStage::Awake => DemoStage::PutBack,
        };
        if self.home.is_some() {
            self.turn(stage, now);
        }
    }

    /// Where everybody stands now is where they are to be put back to.
    pub(in crate::app) fn make_home(&mut self, table: &TableView) {
        let on = table.elements.iter().filter(|e| table.holds(e));
        let home: BTreeMap<&str, (Side, Footprint)> =
            on.filter_map(|e| Some((e.name.as_str(), (e.side, e.place.as_ref()?.footprint)))).collect();
        if !home.is_empty() {
            self.home = Some(owned(&home));
        }
    }

    /// Everybody, with where to put it back to.
    pub fn to_put_back(&self, table: &TableView) -> Vec<Ghost> {
        let Some(home) = &self.home else { return Vec::new() };
        let at = |name: &str| {
            let element = table.element(name)?;
            let known = matches!(element.visibility, Visibility::Seen | Visibility::Covered { .. });
            element.place.as_ref().filter(|_| known && table.holds(element)).map(|p| p.footprint)
        };
        let back = home.iter().map(|(name, (side, to))| {
            let at = at(name);
            let met = at.is_some_and(|at| furthest(&at, to) <= MET_MM);
            Ghost { side: *side, name: name.clone(), to: Some(*to), at, met }
        });
        let others = table.elements.iter().filter(|e| !home.contains_key(&e.name));
        let off = others.filter_map(|e| {
            let at = at(&e.name)?;
            Some(Ghost { side: e.side, name: e.name.clone(), to: None, at: Some(at), met: false })
        });
        back.chain(off).collect()
    }
}

fn owned(places: &BTreeMap<&str, (Side, Footprint)>) -> BTreeMap<String, (Side, Footprint)> {
    places.iter().map(|(name, at)| ((*name).to_owned(), *at)).collect()
}

/// The loop as far as it was shown: a battle of its own, followed like any other.
pub struct Showing {
    pub(in crate::app) play: Play,
    acts: Vec<(Duration, Act)>,
    length: Duration,
    sight: Option<Arc<Sight>>,
    looks: u64,
    round: u64,
    /// So many of this round's acts were told.
    told: usize,
    talk: Talk,
}

impl Showing {
    /// From its beginning.
    pub(in crate::app) fn new(show: Show) -> Self {
        Self {
            play: Play::new(show.engine),
            acts: show.acts,
            length: show.length,
            sight: None,
            looks: 0,
            round: 0,
            told: 0,
            talk: Talk::default(),
        }
    }

    /// The picture.
    pub fn sight(&self) -> Option<&Arc<Sight>> {
        self.sight.as_ref()
    }

    /// Its number.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// The battle.
    pub fn play(&self) -> &Play {
        &self.play
    }

    /// What is said of it.
    pub fn saying(&self) -> Option<&Saying> {
        self.talk.shown()
    }

    /// How often it was played to its end.
    pub fn rounds(&self) -> u64 {
        self.round
    }

    /// How much of this round's dice and scores were told.
    pub fn told(&self) -> usize {
        self.told
    }

    /// A picture was read.
    pub(in crate::app) fn take(&mut self, sight: Sight) {
        let at = sight.reading.snapshot.captured_at.0;
        let length = self.length.as_secs_f64().max(1.0);
        let round = (at.as_secs_f64() / length).floor();
        if round as u64 != self.round {
            (self.round, self.told) = (round as u64, 0);
            self.play = Play::new(self.play.engine().again());
            self.talk.forget();
        }
        let in_round = Duration::from_secs_f64((at.as_secs_f64() - round * length).max(0.0));
        let snapshot = &sight.reading.snapshot;
        let readings = self.play.engine().read(snapshot);
        self.play.look_at_terrain(snapshot);
        self.play.look(readings, snapshot.held, snapshot.at_rest());
        while let Some((_, act)) = self.acts.get(self.told).filter(|(due, _)| *due <= in_round) {
            self.play.act(act.clone());
            self.told += 1;
        }
        // Nobody keeps this battle.
        drop(self.play.events());
        if self.talk.listens(at) {
            self.talk.hear(&sayings(&self.play), at);
        }
        self.sight = Some(Arc::new(sight));
        self.looks += 1;
    }
}

impl State {
    /// Demo mode, while the window is in it.
    pub fn demo(&self) -> Option<&DemoPage> {
        self.demo.as_ref()
    }
}
