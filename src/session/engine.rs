//! From what was read to what is shown: the table file, the rosters and the rules put together.
//!
//! Everything here is worked out anew from a snapshot; nothing is kept but the files and the settings.

mod aftermath;
mod answers;
mod combat;
mod follow;
mod followed;
mod moves;
mod opened;
mod questions;
mod reach;
mod shooting;
mod victory;
mod watch;

pub use answers::question;
pub use combat::outcome;
pub use follow::{Awaited, MET_MM, Stage, furthest};
pub use opened::OpenedError;
pub use watch::{Followed, Happening, LATER_BOUND, Told, Watch, Watched};

use crate::geometry::Footprint;
use crate::judge::{ElementReading, Measured, Roster, Table, read_elements, tag_book};
use crate::rules::{Location, Settings, threat_zones};
use crate::session::view::{ElementView, PlaceView, ReferenceView, TableView, ZoneView};
use crate::tracking::{Held, TableSnapshot, TagBook, Visibility};

/// Table, rosters and rules of this game.
#[derive(Debug)]
pub struct Engine {
    table: Table,
    roster: Roster,
    book: TagBook,
    settings: Settings,
}

impl Engine {
    /// Over a table and its rosters.
    pub fn new(table: Table, roster: Roster, settings: Settings) -> Self {
        let book = tag_book(&table, &roster);
        Self { table, roster, book, settings }
    }

    /// The same files, rules and settings again.
    pub fn again(&self) -> Self {
        Self::new(self.table.clone(), self.roster.clone(), self.settings.clone())
    }

    /// Every tag that may be seen.
    pub fn book(&self) -> &TagBook {
        &self.book
    }

    /// What a person's table file says.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Who may stand on it.
    pub fn roster(&self) -> &Roster {
        &self.roster
    }

    /// The settings that are judged under.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Every element of the rosters as a snapshot has it.
    pub fn read(&self, snapshot: &TableSnapshot) -> Vec<ElementReading> {
        read_elements(&self.roster, snapshot)
    }

    /// The setup that readings come to, with rulings held for that reason, if so.
    pub fn measured(&self, readings: &[ElementReading], held: Option<Held>) -> Measured {
        Measured::of(&self.table, &self.roster, readings).held_for(held)
    }

    /// The table as readings show it; whoever is not among them is missing.
    pub fn table_view(&self, readings: &[ElementReading]) -> TableView {
        let references = self.table.reference.iter().map(|r| ReferenceView {
            id: r.tag.id,
            at_mm: [r.x_mm, r.y_mm, r.z_mm],
            size_mm: r.size_mm,
            rotation_deg: r.rotation_deg,
        });
        let elements = self.roster.elements().iter().map(|e| {
            let reading = readings.iter().find(|r| r.name == e.name);
            ElementView {
                name: e.name.clone(),
                side: e.side,
                troop: e.troop.clone(),
                general: e.general,
                visibility: reading.map_or(Visibility::Missing, |r| r.visibility),
                place: reading.and_then(|r| self.place(r)),
            }
        });
        TableView {
            board_mm: self.table.board_mm,
            scale: self.table.scale,
            references: references.collect(),
            elements: elements.collect(),
        }
    }

    fn place(&self, reading: &ElementReading) -> Option<PlaceView> {
        let base = self.roster.element(&reading.name)?.base;
        let pose = reading.trusted_pose()?;
        Some(PlaceView {
            footprint: Footprint::new(pose.pose, base.width_mm, base.depth_mm)?,
            top_mm: base.thickness_mm,
            sigma_mm: pose.sigma_place_mm(),
            sigma_deg: pose.sigma_heading_rad().to_degrees(),
            at_rest: reading.at_rest,
        })
    }

    /// The threat zones of an element, where it has any.
    pub fn zones(&self, measured: &Measured, name: &str) -> Vec<ZoneView> {
        let element = measured.setup.element(name).filter(|e| e.location == Location::Board);
        let Some(element) = element else { return Vec::new() };
        threat_zones(element, measured.setup.scale, &self.settings)
            .into_iter()
            .map(|zone| ZoneView { side: element.side, outline: zone.outline().to_vec() })
            .collect()
    }
}
