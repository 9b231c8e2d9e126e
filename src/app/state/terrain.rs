//! The page on which terrain is drawn over the board as the camera sees it from above.
//!
//! Table frame, millimetres. What is drawn is a [`Ground`] of its own until it is saved: the game goes on with the table
//! file's. Invariant: it is a sound ground at every moment, each outline simple and each name given once; a change that
//! would make it another is refused in words.

mod edit;

use crate::app::command::{Grip, Handle, Item, ShapeKind, Sort, TerrainCommand};
use crate::geometry::Point;
use crate::rules::setting_up::Told;
use crate::rules::terrain::{Ground, TerrainKind};
use crate::vision::outline::{Moved, NoOutline, NotSeen, Proposal, Rectified};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Steps that can be undone.
const MOST_STEPS: usize = 200;

/// What is asked of the picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Wanted {
    /// A new feature at that place.
    New(Point),
    /// Another outline for one that is there.
    Outline(Item, Point),
}

/// A drag that goes on.
#[derive(Debug, Clone)]
struct Drag {
    grip: Grip,
    from: Point,
    before: Ground,
}

/// The page.
#[derive(Debug, Clone)]
pub struct TerrainPage {
    ground: Ground,
    /// As the table file holds it.
    saved: Ground,
    past: Vec<Ground>,
    future: Vec<Ground>,
    board_mm: (f64, f64),
    base_width_mm: f64,
    picked: Option<Item>,
    handle: Option<Handle>,
    drag: Option<Drag>,
    aim: Point,
    draws: Sort,
    /// Counts changes of the ground.
    revision: u64,
    /// The board from above, as it was seen last.
    above: Option<Arc<Rectified>>,
    looks: u64,
    told: Vec<Told>,
    shifts: BTreeMap<String, Result<Moved, NotSeen>>,
    wanted: Option<Wanted>,
    compared: bool,
    note: Option<Result<String, String>>,
    /// Whether closing was asked for while something was not saved.
    asks: bool,
    /// Texts of the fields as they are typed: height and width.
    typed: (String, String),
    /// Whether the table file was put aside since the page opened.
    pub(in crate::app) backed_up: bool,
}

impl TerrainPage {
    /// Over what the table file holds.
    pub fn new(ground: Ground, board_mm: (f64, f64), base_width_mm: f64) -> Self {
        Self {
            saved: ground.clone(),
            ground,
            past: Vec::new(),
            future: Vec::new(),
            board_mm,
            base_width_mm,
            picked: None,
            handle: None,
            drag: None,
            aim: Point::new(board_mm.0 / 2.0, board_mm.1 / 2.0),
            draws: Sort::Area(TerrainKind::Wood),
            revision: 0,
            above: None,
            looks: 0,
            told: Vec::new(),
            shifts: BTreeMap::new(),
            wanted: None,
            compared: false,
            note: None,
            asks: false,
            typed: (String::new(), String::new()),
            backed_up: false,
        }
    }

    /// What is drawn.
    pub fn ground(&self) -> &Ground {
        &self.ground
    }

    /// As the table file held it when the page opened, or was saved.
    pub fn saved(&self) -> &Ground {
        &self.saved
    }

    /// Whether something is not saved.
    pub fn unsaved(&self) -> bool {
        self.ground != self.saved
    }

    /// Whether the page asks what is to become of that.
    pub fn asks(&self) -> bool {
        self.asks
    }

    /// Counts changes of what is drawn.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The playing area.
    pub fn board_mm(&self) -> (f64, f64) {
        self.board_mm
    }

    /// What is picked.
    pub fn picked(&self) -> Option<Item> {
        self.picked
    }

    /// The point of it that is picked.
    pub fn handle(&self) -> Option<Handle> {
        self.handle
    }

    /// The cross-hair.
    pub fn aim(&self) -> Point {
        self.aim
    }

    /// What is drawn next.
    pub fn draws(&self) -> Sort {
        self.draws
    }

    /// The board from above, and which look it was.
    pub fn above(&self) -> Option<(&Arc<Rectified>, u64)> {
        Some((self.above.as_ref()?, self.looks))
    }

    /// What the rules say of how everything lies.
    pub fn told(&self) -> &[Told] {
        &self.told
    }

    /// How features lie to their outlines, by name.
    pub fn shifts(&self) -> &BTreeMap<String, Result<Moved, NotSeen>> {
        &self.shifts
    }

    /// What was done last, or why it was not.
    pub fn note(&self) -> Option<&Result<String, String>> {
        self.note.as_ref()
    }

    /// What is asked of the picture.
    pub fn wanted(&self) -> Option<Wanted> {
        self.wanted
    }

    /// Whether outlines are to be compared with the picture.
    pub fn compares(&self) -> bool {
        self.compared
    }

    /// The height as it is typed.
    pub fn height_text(&self) -> &str {
        &self.typed.0
    }

    /// The width as it is typed.
    pub fn width_text(&self) -> &str {
        &self.typed.1
    }

    /// Whether there is a change to undo, and one to do again.
    pub fn steps(&self) -> (bool, bool) {
        (!self.past.is_empty(), !self.future.is_empty())
    }

    /// Everything, with its name and what it is.
    pub fn items(&self) -> Vec<(Item, &str, Sort)> {
        let g = &self.ground;
        let areas =
            g.features.iter().enumerate().map(|(n, f)| (Item::Area(n), f.name.as_str(), Sort::Area(f.kind)));
        let rivers = g.rivers.iter().enumerate().map(|(n, r)| (Item::River(n), r.name.as_str(), Sort::River));
        let roads = g.roads.iter().enumerate().map(|(n, r)| (Item::Road(n), r.name.as_str(), Sort::Road));
        areas.chain(rivers).chain(roads).collect()
    }

    /// The name of something.
    pub fn name_of(&self, item: Item) -> &str {
        match item {
            Item::Area(n) => self.ground.features.get(n).map_or("", |f| &f.name),
            Item::River(n) => self.ground.rivers.get(n).map_or("", |r| &r.name),
            Item::Road(n) => self.ground.roads.get(n).map_or("", |r| &r.name),
        }
    }

    /// The points of something that can be moved.
    pub fn handles(&self, item: Item) -> Vec<(Handle, Point)> {
        edit::handles(&self.ground, item)
    }

    /// What comes behind what is picked in the list; nothing behind the last.
    pub fn next_item(&self) -> Option<Item> {
        let items: Vec<Item> = self.items().into_iter().map(|(item, _, _)| item).collect();
        match self.picked.and_then(|item| items.iter().position(|i| *i == item)) {
            Some(n) => items.get(n + 1).copied(),
            None => items.first().copied(),
        }
    }

    /// The point behind the picked one of what is picked; none behind the last.
    pub fn next_handle(&self) -> Option<Handle> {
        let handles: Vec<Handle> = self.handles(self.picked?).into_iter().map(|(handle, _)| handle).collect();
        match self.handle.and_then(|handle| handles.iter().position(|h| *h == handle)) {
            Some(n) => handles.get(n + 1).copied(),
            None => handles.first().copied(),
        }
    }

    /// A place half-way from the picked corner to the next, and the corner's number.
    pub fn halfway(&self) -> Option<(usize, Point)> {
        let (item, Some(Handle::Corner(n))) = (self.picked?, self.handle) else { return None };
        let corners = self.handles(item).into_iter().filter(|(h, _)| matches!(h, Handle::Corner(_)));
        let corners: Vec<Point> = corners.map(|(_, p)| p).collect();
        let closed = matches!(item, Item::Area(_));
        let next = corners.get(n + 1).or_else(|| corners.first().filter(|_| closed))?;
        Some((n, nalgebra::center(corners.get(n)?, next)))
    }

    pub(in crate::app) fn say(&mut self, note: Result<String, String>) {
        self.note = Some(note);
    }

    /// Another look at the board.
    pub(in crate::app) fn see(&mut self, above: Rectified) {
        self.above = Some(Arc::new(above));
        self.looks += 1;
    }

    pub(in crate::app) fn take_told(&mut self, told: Vec<Told>) {
        self.told = told;
    }

    pub(in crate::app) fn take_shifts(&mut self, shifts: BTreeMap<String, Result<Moved, NotSeen>>) {
        self.compared = false;
        let told = shifts.values().flatten().filter(|moved| moved.is_told()).count();
        self.note = Some(Ok(format!("Compared: {told} of {} moved by 3 mm or more.", shifts.len())));
        self.shifts = shifts;
    }

    /// What the picture says to what was asked.
    pub(in crate::app) fn take_proposal(&mut self, found: Result<Proposal, NoOutline>) {
        let Some(wanted) = self.wanted.take() else { return };
        let done = found.map_err(|why| why.to_string()).and_then(|found| self.draw_proposal(wanted, &found));
        self.note = Some(done);
    }

    fn draw_proposal(&mut self, wanted: Wanted, found: &Proposal) -> Result<String, String> {
        let said = format!("\u{b1} {:.1} mm, {:.0} % of its rim shows", found.sigma_mm, 100.0 * found.shown);
        match wanted {
            Wanted::New(_) => {
                let draws = self.draws;
                let mut added = None;
                self.change(|ground| {
                    added = Some(edit::add_found(ground, draws, found)?);
                    Ok(())
                })?;
                self.pick(added);
            }
            Wanted::Outline(item, _) => self.change(|ground| edit::set_found(ground, item, found))?,
        }
        Ok(format!("Drawn from the picture: {said}. Drag its corners where it is wrong."))
    }

    pub(in crate::app) fn was_saved(&mut self, words: String) {
        self.saved = self.ground.clone();
        (self.note, self.asks) = (Some(Ok(words)), false);
    }

    fn pick(&mut self, item: Option<Item>) {
        (self.picked, self.handle) = (item, None);
        let mm = |v: f64| format!("{}", (v * 10.0).round() / 10.0);
        let height = |n: usize| self.ground.features.get(n)?.hill.as_ref().map(|h| mm(h.height_mm));
        self.typed = match item {
            Some(Item::Area(n)) => (height(n).unwrap_or_default(), String::new()),
            Some(Item::River(n)) => {
                (String::new(), self.ground.rivers.get(n).map_or(String::new(), |r| mm(r.course.width_mm())))
            }
            Some(Item::Road(n)) => {
                (String::new(), self.ground.roads.get(n).map_or(String::new(), |r| mm(r.course.width_mm())))
            }
            None => Default::default(),
        };
    }

    /// Changes what is drawn, where that makes a sound ground.
    fn change(&mut self, by: impl FnOnce(&mut Ground) -> Result<(), String>) -> Result<(), String> {
        let mut next = self.ground.clone();
        by(&mut next)?;
        if next != self.ground {
            let before = std::mem::replace(&mut self.ground, next);
            self.remember(before);
        }
        Ok(())
    }

    fn remember(&mut self, before: Ground) {
        self.past.push(before);
        if self.past.len() > MOST_STEPS {
            self.past.remove(0);
        }
        self.future.clear();
        self.revision += 1;
    }

    fn try_to(&mut self, by: impl FnOnce(&mut Ground) -> Result<(), String>) {
        match self.change(by) {
            Ok(()) => self.note = None,
            Err(why) => self.note = Some(Err(why)),
        }
    }

    /// One step back, or forward again.
    fn step(&mut self, back: bool) {
        let (from, to) =
            if back { (&mut self.past, &mut self.future) } else { (&mut self.future, &mut self.past) };
        let Some(other) = from.pop() else { return };
        to.push(std::mem::replace(&mut self.ground, other));
        self.revision += 1;
        let there = self.picked.filter(|item| !self.name_of(*item).is_empty());
        self.pick(there);
    }

    /// Carries out what concerns the page alone. Gives the command back where it is for `logic`.
    pub(in crate::app) fn carry_out(&mut self, command: TerrainCommand) -> Option<TerrainCommand> {
        let (picked, handle, aim, width) = (self.picked, self.handle, self.aim, self.base_width_mm);
        match command {
            TerrainCommand::Close if self.unsaved() => self.asks = true,
            TerrainCommand::Aim(at) => self.aim = self.on_board(at),
            TerrainCommand::Propose => self.wanted = Some(Wanted::New(aim)),
            TerrainCommand::Again => {
                self.wanted = picked.and_then(|item| {
                    let at = edit::middle(&self.ground, item)?;
                    Some(Wanted::Outline(item, at))
                });
            }
            TerrainCommand::Draw(sort) => self.draws = sort,
            TerrainCommand::Shape(shape) => {
                let draws = self.draws;
                let size = match shape {
                    ShapeKind::Oblong => edit::oblong(aim, width),
                    ShapeKind::Oval => edit::oval(aim, width),
                };
                let mut added = None;
                self.try_to(|ground| {
                    added = Some(edit::add_shape(ground, draws, size, width)?);
                    Ok(())
                });
                if added.is_some() {
                    self.pick(added);
                }
            }
            TerrainCommand::Pick(item) => self.pick(item),
            TerrainCommand::PickHandle(handle) => self.handle = handle,
            TerrainCommand::Grip(grip, from) => {
                if let Grip::Handle(handle) = grip {
                    self.handle = Some(handle);
                }
                self.drag = Some(Drag { grip, from, before: self.ground.clone() });
            }
            TerrainCommand::DragTo(to) => self.drag_to(to),
            TerrainCommand::LetGo => {
                if let Some(drag) = self.drag.take().filter(|drag| drag.before != self.ground) {
                    self.remember(drag.before);
                }
            }
            TerrainCommand::Nudge(by) => match (picked, handle) {
                (None, _) => self.aim = self.on_board(aim + by),
                (Some(item), None) => self.try_to(|ground| edit::shift(ground, item, by)),
                (Some(item), Some(handle)) => self.try_to(|ground| {
                    let at = edit::handles(ground, item).into_iter().find(|(h, _)| *h == handle);
                    at.map_or(Ok(()), |(_, at)| edit::set_handle(ground, item, handle, at + by))
                }),
            },
            TerrainCommand::Insert(behind, at) => {
                if let Some(item) = picked {
                    self.try_to(|ground| edit::insert(ground, item, behind, at));
                    self.handle = Some(Handle::Corner(behind + 1));
                }
            }
            TerrainCommand::Remove => {
                if let Some(item) = picked {
                    self.try_to(|ground| match handle {
                        Some(handle) => edit::remove_handle(ground, item, handle),
                        None => {
                            edit::remove(ground, item);
                            Ok(())
                        }
                    });
                    match handle {
                        Some(_) => self.handle = None,
                        None => self.pick(None),
                    }
                }
            }
            TerrainCommand::AddGate => {
                if let Some(Item::Area(n)) = picked {
                    self.try_to(|ground| edit::add_gate(ground, n, aim));
                }
            }
            TerrainCommand::LongerCrest => {
                if let Some(Item::Area(n)) = picked {
                    self.try_to(|ground| edit::longer_crest(ground, n, aim));
                }
            }
            TerrainCommand::Kind(kind) => {
                if let Some(Item::Area(n)) = picked {
                    self.try_to(|ground| edit::set_kind(ground, n, kind));
                    self.pick(picked);
                }
            }
            TerrainCommand::Rename(name) => {
                if let Some(item) = picked {
                    self.try_to(|ground| edit::rename(ground, item, &name));
                }
            }
            TerrainCommand::Height(text) => {
                if let (Some(Item::Area(n)), Ok(mm)) = (picked, text.trim().parse::<f64>()) {
                    self.try_to(|ground| edit::set_height(ground, n, mm));
                }
                self.typed.0 = text;
            }
            TerrainCommand::Width(text) => {
                if let (Some(item), Ok(mm)) = (picked, text.trim().parse::<f64>()) {
                    self.try_to(|ground| edit::set_width(ground, item, mm));
                }
                self.typed.1 = text;
            }
            TerrainCommand::Undo => self.step(true),
            TerrainCommand::Redo => self.step(false),
            TerrainCommand::Compare => self.compared = true,
            other => return Some(other),
        }
        None
    }

    fn on_board(&self, at: Point) -> Point {
        Point::new(at.x.clamp(0.0, self.board_mm.0), at.y.clamp(0.0, self.board_mm.1))
    }

    fn drag_to(&mut self, to: Point) {
        let (Some(drag), Some(item)) = (&self.drag, self.picked) else { return };
        let mut next = drag.before.clone();
        let done = match drag.grip {
            Grip::Whole => edit::shift(&mut next, item, to - drag.from),
            Grip::Handle(handle) => edit::set_handle(&mut next, item, handle, to),
        };
        match done {
            Ok(()) => {
                self.ground = next;
                self.revision += 1;
                self.note = None;
            }
            Err(why) => self.note = Some(Err(why)),
        }
    }
}
