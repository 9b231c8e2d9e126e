//! A battle as it is played: what the table shows, what people say, and what comes of both. Table frame, millimetres.
//!
//! Looks and acts are taken in order; each one that changed anything is told as an [`Event`], and the same events in
//! the same order bring about the same battle again ([`Play::take`]). Invariants: what is told is told before anything
//! is written down because of it; an act is done on the look that was told last before it.
//!
//! What takes long (watching moves, what is due) is handed out as jobs; whoever owns the play does them, here or in a
//! thread of his own, and brings the answers back.

mod act;
mod awaits;
mod facts;
mod fight;
mod losses;
mod missing;
mod moves;
mod overrules;
mod replay;
mod said;
mod written;

pub use act::{Act, DiceFrom, FightKind, Said};
pub use awaits::Awaits;
pub use facts::{Facts, fact_words};
pub use fight::{Fight, differs};
pub use losses::Losses;
pub use missing::Whereabouts;
pub use moves::{Answer, KnownBound, Moves, Phase};
pub use overrules::Overrules;
pub use replay::{Difference, ReplayError, Replayed, replay, replay_telling};
pub use written::{Kind, Written};

use crate::judge::{
    ElementReading, FeatureMoved, Measured, Table, TagSeen, as_it_lies, features_seen, lie_otherwise,
    parse_table,
};
use crate::rules::Side;
use crate::rules::bound::{self, Bound};
use crate::rules::due::Told as Due;
use crate::session::engine::{Engine, LATER_BOUND, Told};
use crate::session::journal::{Event, Kept, Look, TakeError};
use crate::session::view::{DueView, PairView, TableView};
use crate::tracking::{Held, TableSnapshot};
use std::sync::Arc;

/// Something to be worked out elsewhere.
pub type Job<A> = Box<dyn FnOnce() -> A + Send>;

/// A battle as far as it was played.
#[derive(Debug)]
pub struct Play {
    engine: Arc<Engine>,
    /// The table as its file has it; the engine's has terrain where its tags were seen.
    as_written: Table,
    /// Where tags on terrain were seen when the outlines were last laid by them.
    lies: Vec<TagSeen>,
    /// How terrain with tags lies, as it was last seen.
    features: Vec<FeatureMoved>,
    readings: Vec<ElementReading>,
    held: Option<Held>,
    at_rest: bool,
    table: TableView,
    /// As it was measured, without those that are lost; none before the first look.
    read: Option<Measured>,
    /// The same with what was agreed, and with battle lines joined: what is judged.
    measured: Option<Measured>,
    facts: Facts,
    moves: Moves,
    fight: Fight,
    losses: Losses,
    /// What the dice of this bound bring about.
    awaits: Awaits,
    overrules: Overrules,
    written: Vec<Written>,
    from: Comes,
    /// The look that waits to be told.
    waits: Option<Look>,
    /// The look that was told last.
    told: Option<Look>,
    events: Vec<Event>,
}

/// Where looks come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Comes {
    /// The camera: which looks moves are read from is decided here.
    Live,
    /// A journal: it was decided when they were live.
    Journal,
}

impl Play {
    /// Nothing has been seen yet.
    pub fn new(engine: Engine) -> Self {
        let table = engine.table_view(&[]);
        let mut play = Self {
            as_written: engine.table().clone(),
            lies: Vec::new(),
            features: Vec::new(),
            engine: Arc::new(engine),
            readings: Vec::new(),
            held: None,
            at_rest: false,
            table,
            read: None,
            measured: None,
            facts: Facts::default(),
            moves: Moves::default(),
            fight: Fight::default(),
            losses: Losses::default(),
            awaits: Awaits::default(),
            overrules: Overrules::default(),
            written: Vec::new(),
            from: Comes::Live,
            waits: None,
            told: None,
            events: Vec::new(),
        };
        play.sum_up();
        play
    }

    /// Other files take the place of the present ones: nothing is known of their table. What was written down stays.
    pub fn adopt(&mut self, engine: Engine) {
        let (written, mut fight) = (std::mem::take(&mut self.written), std::mem::take(&mut self.fight));
        fight.forget();
        *self = Self { written, fight, ..Self::new(engine) };
    }

    /// Terrain was drawn anew, and the battle goes on: `kept` is the table's file as it is now, of which what lies on the board
    /// counts. Losses, agreed facts and what was written down stay. Moves are followed anew from where all stands next, for
    /// what was open was judged on other ground; whose bound it is has to be said or seen again.
    ///
    /// # Errors
    /// The file is not in order, or moves are being worked out elsewhere; then all is as it was.
    pub fn lay(&mut self, kept: Kept) -> Result<(), TakeError> {
        let Table { ground, feature_tags, .. } =
            parse_table(&kept.name, &kept.text).map_err(TakeError::Table)?;
        if self.from == Comes::Live {
            if self.moves.is_away() {
                return Err(TakeError::AtWork);
            }
            // Whatever was seen before is told on the ground of before.
            self.settle();
            self.catch_up();
        }
        self.as_written = Table { ground, feature_tags, ..self.as_written.clone() };
        (self.lies, self.features) = (Vec::new(), Vec::new());
        self.stand_on(self.as_written.clone());
        self.moves = Moves::default();
        self.fight.forget();
        (self.waits, self.told) = (None, None);
        if self.from == Comes::Live {
            self.events.push(Event::Table(kept));
        }
        self.see_again();
        self.sum_up();
        Ok(())
    }

    /// What was seen of the tags on terrain: its outlines lie there from here on. What is open goes on, on the ground as
    /// it lies now.
    pub fn look_at_terrain(&mut self, snapshot: &TableSnapshot) {
        if self.as_written.feature_tags.is_empty() {
            return;
        }
        self.features = features_seen(&self.as_written, snapshot);
        let mut seen = self.lies.clone();
        for moved in &self.features {
            seen.retain(|s| s.feature != moved.feature);
            seen.push(moved.seen.clone());
        }
        if lie_otherwise(&self.as_written, &self.lies, &seen) {
            self.settle();
            if self.from == Comes::Live {
                self.events.push(Event::Features(seen.clone()));
            }
            self.lay_by_tags(seen);
        }
    }

    fn lay_by_tags(&mut self, seen: Vec<TagSeen>) {
        self.lies = seen;
        self.stand_on(as_it_lies(&self.as_written, &self.lies));
        self.see_again();
        self.sum_up();
    }

    /// The same roster and rules on this table.
    fn stand_on(&mut self, table: Table) {
        let (roster, settings) = (self.engine.roster().clone(), self.engine.settings().clone());
        self.engine = Arc::new(Engine::new(table, roster, settings));
    }

    /// The table as its file has it.
    pub fn as_written(&self) -> &Table {
        &self.as_written
    }

    /// How terrain with tags lies against its file, as it was last seen.
    pub fn features(&self) -> &[FeatureMoved] {
        &self.features
    }

    /// Another source shows the same table, perhaps otherwise: what rested on where things stood goes.
    pub fn source_changed(&mut self) {
        self.facts.clear();
        self.moves = Moves::default();
        self.fight.forget();
        self.awaits.clear();
        self.overrules.clear();
        (self.waits, self.told) = (None, None);
    }

    /// Nothing shows for now.
    pub fn blind(&mut self) {
        self.readings.clear();
        (self.held, self.at_rest) = (None, false);
        (self.read, self.measured) = (None, None);
        self.table = self.engine.table_view(&[]);
    }

    /// Table, rosters and rules.
    pub fn engine(&self) -> &Arc<Engine> {
        &self.engine
    }

    /// The table as it was last read.
    pub fn table(&self) -> &TableView {
        &self.table
    }

    /// What is judged: the table with what was agreed.
    pub fn measured(&self) -> Option<&Measured> {
        self.measured.as_ref()
    }

    /// The table as it was measured.
    pub fn read(&self) -> Option<&Measured> {
        self.read.as_ref()
    }

    /// Whether nothing moves.
    pub fn at_rest(&self) -> bool {
        self.at_rest
    }

    /// What the players have agreed.
    pub fn facts(&self) -> &Facts {
        &self.facts
    }

    /// What was moved.
    pub fn moves(&self) -> &Moves {
        &self.moves
    }

    /// Combat and shooting.
    pub fn fight(&self) -> &Fight {
        &self.fight
    }

    /// Combat and shooting, as far as only what is shown changes.
    pub fn fight_mut(&mut self) -> &mut Fight {
        &mut self.fight
    }

    /// What the players say is lost.
    pub fn losses(&self) -> &Losses {
        &self.losses
    }

    /// What the dice of this bound bring about: where bases are to stand, and who is taken off.
    pub fn awaits(&self) -> &Awaits {
        &self.awaits
    }

    /// Where everybody is who was on the table once and does not show on it, lost ones left out.
    pub fn missing(&self) -> Vec<(&str, Whereabouts)> {
        let ground = &self.engine.table().ground;
        let there = self.table.elements.iter().filter(|e| self.losses.was_seen(&e.name));
        let there = there.filter(|e| !self.losses.lost().contains(&e.name) && !self.exchanged(&e.name));
        there.filter_map(|e| Some((e.name.as_str(), missing::whereabouts(e, &self.table, ground)?))).collect()
    }

    /// Whether the other side of its `//` pair stands on the table.
    fn exchanged(&self, name: &str) -> bool {
        let other = self.engine.roster().element(name).and_then(|e| e.becomes.as_deref());
        other.and_then(|other| self.table.element(other)).is_some_and(|e| self.table.holds(e))
    }

    /// Who would be taken for lost if play were carried on from here: everybody who was on the table and is not, but
    /// those in woods and those who were said not to be lost.
    pub fn assumed_lost(&self) -> Vec<String> {
        let gone = self.missing().into_iter().filter(|(_, at)| !matches!(at, Whereabouts::InWood(_)));
        gone.map(|(name, _)| name.to_owned()).filter(|name| !self.losses.is_spared(name)).collect()
    }

    /// What the umpire overruled.
    pub fn overrules(&self) -> &Overrules {
        &self.overrules
    }

    /// Everything that was written down, the oldest first.
    pub fn written(&self) -> &[Written] {
        &self.written
    }

    /// What is said of two elements.
    pub fn pair(&self, a: &str, b: &str) -> Option<PairView> {
        let seen = self.measured.as_ref()?;
        // What was chosen, and what earlier dice brought about, counts in their combat; the rest is told of what is seen.
        let fight = Some((FightKind::Close, [a, b]));
        let (told, carried) = (self.told_before(fight), self.carried(fight));
        if carried.is_none() && told.refused.is_empty() && told.exposed.is_empty() {
            return self.engine.pair(seen, a, b);
        }
        let table = carried.as_ref().unwrap_or(seen);
        self.engine.pair_fighting(seen, (a, b), |_| self.engine.close_combat(table, &told, a, b))
    }

    /// What fighting depends on and the table does not show, by the dice before those of `fight`; of all dice: none.
    fn told_before(&self, fight: Option<(FightKind, [&str; 2])>) -> Due {
        self.fight.told(self.moves.moved().to_vec(), self.awaits.exposed(fight))
    }

    /// The table as earlier dice of this bound leave it, where bases that they move still stand where they stood; none where
    /// all is as it was left. Of the dice of `fight` themselves, and of later ones, nothing is taken over.
    fn carried(&self, fight: Option<(FightKind, [&str; 2])>) -> Option<Measured> {
        let seen = self.measured.as_ref()?;
        let put = self.awaits.still_to_do(fight, &seen.setup);
        if put.is_empty() {
            return None;
        }
        Some(seen.unjoined().put(&put).in_lines(self.engine.settings()))
    }

    /// What happened since this was asked last, in order: for a journal.
    pub fn events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    /// The table as the camera has it now.
    pub fn look(&mut self, readings: Vec<ElementReading>, held: Option<Held>, at_rest: bool) {
        let readings = missing::reread(readings, self.engine.roster(), &self.engine.table().ground);
        (self.readings, self.held, self.at_rest) = (readings, held, at_rest);
        let changed = self.see();
        if changed {
            self.tell_look();
        }
        if at_rest && held.is_none() {
            self.do_by_itself();
        }
    }

    /// What nobody needs to say: a table at rest is followed, and who was to be taken off and is gone is lost.
    fn do_by_itself(&mut self) {
        if self.moves.may_follow() && self.measured.as_ref().is_some_and(|m| !m.setup.elements.is_empty()) {
            self.act(Act::Follow);
        }
        for name in self.awaits.taken_off(&self.table) {
            if !self.losses.lost().contains(&name) {
                self.act(Act::TakenOff(name));
            }
        }
    }

    /// Something from a journal: a look or an act. What was written down because of it is written down anew.
    ///
    /// # Errors
    /// A look or a table that cannot be read.
    pub fn take(&mut self, event: &Event) -> Result<(), TakeError> {
        match event {
            Event::Look(look) => {
                self.readings = look.readings()?;
                (self.held, self.at_rest) = (look.held(), true);
                self.see();
                if let Some(measured) = self.measured.as_ref().filter(|_| look.watched) {
                    self.moves.watch_this(measured);
                    self.moves.settle();
                }
                self.told = Some(look.clone());
            }
            Event::Act(act) => self.act(act.clone()),
            Event::Table(kept) => self.lay(kept.clone())?,
            Event::Features(seen) => self.lay_by_tags(seen.clone()),
            Event::Opened(_) | Event::Wrote(_) | Event::Photograph(_) | Event::Back { .. } => {}
        }
        Ok(())
    }

    /// The table is seen anew: what lapses by that lapses. Whether anything that counts changed, but for moves.
    fn see(&mut self) -> bool {
        self.table = self.engine.table_view(&self.readings);
        let mut changed = self.losses.look(&self.table);
        let read = self.engine.measured(&self.readings, self.held).without(self.losses.lost());
        let edges = self.fight.edges(self.engine.table(), &read.setup);
        let read = read.with_edges(edges);
        changed |= self.overrules.look(&read);
        let settings = self.engine.settings();
        let standing = self.facts.all().count();
        let agreed = self.facts.over(read.clone(), settings);
        changed |= self.facts.all().count() != standing;
        let measured = agreed.in_lines(settings);
        if self.from == Comes::Live && self.moves.look(&measured, self.at_rest) {
            self.waits = Some(Look::of(&self.readings, self.held, true));
        }
        (self.read, self.measured) = (Some(read), Some(measured));
        changed
    }

    /// The same after somebody spoke: what is seen is what was seen.
    fn see_again(&mut self) {
        if self.read.is_some() {
            self.see();
        }
    }

    /// The look that waits is told, and watched before whatever comes now.
    fn settle(&mut self) {
        if !self.moves.settle() {
            self.waits = None;
        }
        if let Some(look) = self.waits.take() {
            self.told = Some(look.clone());
            self.events.push(Event::Look(look));
        }
    }

    /// What is seen now is told, where it was not told last.
    fn tell_look(&mut self) {
        if self.from == Comes::Journal || self.read.is_none() {
            return;
        }
        self.settle();
        let look = Look::of(&self.readings, self.held, false);
        if !self.told.as_ref().is_some_and(|told| told.same_as(&look)) {
            self.told = Some(look.clone());
            self.events.push(Event::Look(look));
        }
    }

    /// Somebody said or did something.
    pub fn act(&mut self, act: Act) {
        self.tell_look();
        if self.from == Comes::Live {
            self.events.push(Event::Act(act.clone()));
        }
        self.carry_out(act);
    }

    /// Writes something down.
    fn write_down(&mut self, kind: Kind, words: impl Into<String>) {
        let under = self.engine.settings().name().to_string();
        let written = Written { kind, words: words.into(), under };
        if self.from == Comes::Live {
            self.events.push(Event::Wrote(written.clone()));
        }
        self.written.push(written);
    }

    /// The bound as far as it is known, as a bound of that side.
    pub fn bound_of(&self, side: Side) -> Bound {
        let known = self.moves.known();
        let generals_lost = self.engine.generals_lost(self.losses.lost());
        let bound = Bound { generals_lost, ..Bound::new(LATER_BOUND, side) };
        match self.moves.side() {
            Some(now) if now == side => Bound { pips: known.pips, done: known.done.clone(), ..bound },
            _ => bound,
        }
    }

    /// The bound as shooting and combat know it, its side red where nobody has said.
    pub fn shooting_bound(&self) -> (Bound, Due) {
        (self.bound_of_dice(), self.told_before(None))
    }

    fn bound_of_dice(&self) -> Bound {
        let bound = self.bound_of(self.moves.side().unwrap_or(Side::Red));
        Bound { phase: bound::Phase::Shooting, ..bound }
    }

    /// Watching goes on elsewhere, where there is anything to watch.
    pub fn watch_job(&mut self) -> Option<Job<Answer>> {
        if !self.moves.ready() {
            return None;
        }
        self.settle();
        self.moves.job(&self.engine)
    }

    /// It has; moves that are over by it are written down.
    pub fn take_watch(&mut self, answer: Result<Answer, String>) {
        for told in self.moves.take(answer) {
            match told {
                Told::Over(over) => self.write_down(Kind::Move, over.words),
                Told::Turned { side, left } => self.bound_begins(Some(side), &left),
                Told::Outcome(words) => self.write_down(Kind::Move, words),
            }
        }
    }

    /// The combats and shots that are due are worked out elsewhere, where the table at rest has changed.
    pub fn due_job(&mut self) -> Option<Job<DueView>> {
        if !self.at_rest {
            return None;
        }
        let (bound, told) = self.shooting_bound();
        let measured = self.carried(None).or_else(|| self.measured.clone())?;
        let fought = self.awaits.fought();
        if !self.fight.asks(&measured, &bound, &told, &fought) {
            return None;
        }
        let (engine, said) = (Arc::clone(&self.engine), self.fight.said().to_vec());
        Some(Box::new(move || engine.due(&measured, &bound, &told, &said).after(&fought)))
    }
}
