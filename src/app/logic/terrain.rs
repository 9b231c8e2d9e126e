//! Terrain drawn in the window: the board from above, outlines that the picture proposes and the rules' word on how
//! everything lies are worked out at desks; what is drawn is written into the table file.

use super::Logic;
use crate::app::command::TerrainCommand;
use crate::app::state::{TerrainPage, Wanted};
use crate::app::worker::Sight;
use crate::app::worker::errand::Desk;
use crate::judge::{
    ElementReading, FeatureMoved, Roster, TagSeen, parse_table, read_elements, standing, table_with_ground,
    table_with_tags,
};
use crate::rules::Setup;
use crate::rules::setting_up::{Told, layout};
use crate::rules::terrain::{Feature, Ground};
use crate::text::{Kind, Output, Wanted as Reads, check_outputs, read_file, write_outputs};
use crate::vision::outline::{
    Course, Cover, Moved, NoOutline, NotSeen, Proposal, Rectified, compare_course, compare_standing, propose,
    rectify,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// So long moves that are being worked out are waited for before terrain is saved.
const SETTLE: Duration = Duration::from_secs(10);

type Shifts = BTreeMap<String, Result<Moved, NotSeen>>;

/// The desks, and what was asked at them last.
pub(super) struct TerrainDesks {
    above: Desk<Option<Rectified>>,
    outline: Desk<Result<Proposal, NoOutline>>,
    layout: Desk<Vec<Told>>,
    shifts: Desk<Shifts>,
    seen: Option<u64>,
    judged: Option<u64>,
}

impl TerrainDesks {
    pub fn new() -> Self {
        Self {
            above: Desk::new("groma board"),
            outline: Desk::new("groma outline"),
            layout: Desk::new("groma layout"),
            shifts: Desk::new("groma shifts"),
            seen: None,
            judged: None,
        }
    }

    /// Whether something that was asked for is being worked out. The board from above does not count: each frame
    /// brings another.
    pub fn busy(&self) -> bool {
        self.outline.busy() || self.layout.busy() || self.shifts.busy()
    }
}

/// The board from above with what stands on it left out; `None` where the frame was not placed.
fn above(
    sight: &Sight,
    board_mm: (f64, f64),
    roster: &Roster,
    readings: &[ElementReading],
) -> Option<Rectified> {
    let covers = Cover::all(standing(roster, readings), &sight.reading.detections);
    rectify(&sight.frame, sight.reading.camera.as_ref()?, board_mm, &covers).ok()
}

impl Logic {
    /// Carries out a wish about the page.
    pub(super) fn carry_out_terrain(&mut self, command: TerrainCommand) {
        match command {
            TerrainCommand::Open => {
                // The file's own ground: terrain with tags lies on the table where they are.
                let table = self.state.play.as_written();
                let page = TerrainPage::new(table.ground.clone(), table.board_mm, table.scale.mm_per_bw());
                self.state.terrain_page = Some(page);
                self.terrain = TerrainDesks::new();
            }
            TerrainCommand::Close | TerrainCommand::CloseAnyway => {
                self.state.terrain_page = None;
                self.terrain = TerrainDesks::new();
            }
            TerrainCommand::Save => self.save_terrain(),
            _ => {}
        }
    }

    /// Takes over what has been worked out, and begins what is wanted next.
    pub(super) fn terrain_errands(&mut self) {
        let (desks, wake) = (&mut self.terrain, &self.waker);
        let Some(page) = &mut self.state.terrain_page else { return };
        if let Some(Ok(Some(seen))) = desks.above.take(wake) {
            page.see(seen);
        }
        if let Some(told) = desks.layout.take(wake) {
            page.take_told(told.unwrap_or_default());
        }
        if let Some(found) = desks.outline.take(wake) {
            page.take_proposal(found.unwrap_or(Err(NoOutline::NoShape)));
        }
        if let Some(Ok(shifts)) = desks.shifts.take(wake) {
            page.take_shifts(shifts);
        }
        let Some(page) = &self.state.terrain_page else { return };
        let engine = self.state.play.engine();
        if desks.judged != Some(page.revision()) {
            desks.judged = Some(page.revision());
            let table = engine.table();
            let settings = engine.settings().clone();
            let mut setup = Setup::bare(table.scale, table.board_mm, Vec::new());
            setup.ground = page.ground().clone();
            desks.layout.ask(Box::new(move || layout(&setup, &settings, &[])), wake);
        }
        if !desks.above.busy()
            && desks.seen != Some(self.state.reads())
            && let Some(sight) = self.state.latest()
        {
            desks.seen = Some(self.state.reads());
            let (sight, engine) = (Arc::clone(sight), Arc::clone(engine));
            desks.above.ask(
                Box::new(move || {
                    let readings = read_elements(engine.roster(), &sight.reading.snapshot);
                    above(&sight, engine.table().board_mm, engine.roster(), &readings)
                }),
                wake,
            );
        }
        let Some((seen, _)) = page.above() else { return };
        if let Some(wanted) = page.wanted()
            && !desks.outline.busy()
        {
            let (Wanted::New(at) | Wanted::Outline(_, at)) = wanted;
            let seen = Arc::clone(seen);
            desks.outline.ask(Box::new(move || propose(&seen, at)), wake);
        }
        if page.compares() && !desks.shifts.busy() {
            let (seen, ground) = (Arc::clone(seen), page.ground().clone());
            // Of what was drawn anew since, the tag says nothing yet.
            let file = &self.state.play.as_written().ground;
            let as_in_file = |f: &&FeatureMoved| {
                let outline = |ground: &Ground| ground.feature(&f.feature).map(|f| f.outline.clone());
                outline(file) == outline(page.ground())
            };
            let tagged: Vec<FeatureMoved> =
                self.state.play.features().iter().filter(as_in_file).cloned().collect();
            desks.shifts.ask(
                Box::new(move || {
                    let area = |f: &Feature| match tagged.iter().find(|t| t.feature == f.name) {
                        Some(moved) => Ok(by_its_tag(moved)),
                        None => compare_standing(&seen, &f.outline, f.step_mm()),
                    };
                    let areas = ground.features.iter().map(|f| (f.name.clone(), area(f)));
                    let rivers = ground.rivers.iter().map(|r| (&r.name, &r.course));
                    let ways = rivers.chain(ground.roads.iter().map(|r| (&r.name, &r.course)));
                    let ways = ways.map(|(name, way)| {
                        let course = Course { line: way.line().to_vec(), width_mm: way.width_mm() };
                        (name.clone(), compare_course(&seen, &course))
                    });
                    areas.chain(ways).collect()
                }),
                wake,
            );
        }
    }

    /// Writes what is drawn into the table file and reads that again.
    fn save_terrain(&mut self) {
        // What was moved before is told on the ground of before.
        let settled = self.settle(SETTLE);
        let Some(page) = &mut self.state.terrain_page else { return };
        if !settled {
            page.say(Err("Moves are still being worked out: save again in a moment.".to_owned()));
            return;
        }
        let written = match self.state.named.table.clone() {
            None => {
                Err("The sample table stays as it is: choose your own under \"Open source\" first."
                    .to_owned())
            }
            Some(path) => {
                let seen: Vec<TagSeen> = self.state.play.features().iter().map(|f| f.seen.clone()).collect();
                written(&path, (page.saved(), page.ground()), &seen, page.backed_up)
            }
        };
        let done = written.and_then(|words| {
            let setup = (self.outside.load)(&self.state.named)?;
            Ok((words, setup))
        });
        match done {
            Err(why) => {
                if let Some(page) = &mut self.state.terrain_page {
                    page.say(Err(why));
                }
            }
            Ok((words, setup)) => {
                // The reader learns of the hills: it begins anew. The battle and its record go on.
                self.let_table_go();
                let laid = self.lay(setup);
                if let Some(page) = &mut self.state.terrain_page {
                    page.backed_up = true;
                    page.was_saved(words);
                    if let Err(why) = laid {
                        page.say(Err(why));
                    }
                }
                self.keep();
                self.terrain = TerrainDesks::new();
                if let Some(spec) = self.spec.clone() {
                    self.open(&spec);
                }
            }
        }
    }
}

/// Writes the ground into the table file, with the tags of terrain that was drawn anew where they were seen; once, the file as it was is put beside it first. What was written where.
fn written(
    path: &Path,
    (begun, ground): (&Ground, &Ground),
    seen: &[TagSeen],
    backed_up: bool,
) -> Result<String, String> {
    let file = path.display().to_string();
    check_outputs(&[Output { option: "The table file", path, kind: Kind::Table }])
        .map_err(|error| format!("{error}."))?;
    let text = read_file(path, Reads::Table).map_err(|m| m.to_string())?;
    let there = parse_table(&file, &text).map_err(|m| m.to_string())?;
    if there.ground != *begun {
        return Err(format!(
            "{file} was changed by somebody else since this page opened, and stays as it is. Open the page again, \
             or move that file away."
        ));
    }
    let changed = table_with_ground(&file, &text, ground).map_err(|m| m.to_string())?;
    let drawn = |s: &&TagSeen| {
        let outline = |ground: &Ground| ground.feature(&s.feature).map(|f| f.outline.clone());
        outline(begun) != outline(ground)
    };
    let seen: Vec<TagSeen> = seen.iter().filter(drawn).cloned().collect();
    let changed = table_with_tags(&file, &changed, &seen).map_err(|m| m.to_string())?;
    let aside = (!backed_up).then(|| free_beside(path));
    let mut files: Vec<(&Path, &[u8])> = Vec::new();
    files.extend(aside.iter().map(|aside| (aside.as_path(), text.as_bytes())));
    files.push((path, changed.as_bytes()));
    write_outputs(&files).map_err(|error| format!("{error}."))?;
    Ok(match aside {
        Some(aside) => format!("Saved in {file}; as it was before: {}.", aside.display()),
        None => format!("Saved in {file}."),
    })
}

/// What a feature's tag says in place of the picture's comparison.
fn by_its_tag(moved: &FeatureMoved) -> Moved {
    Moved { by: moved.by, sigma_mm: moved.sigma_mm, turn_deg: moved.turn_deg, shown: 1.0 }
}

/// A name beside a file that no file has: `table.ron.1.bak`, `table.ron.2.bak`, ...
fn free_beside(path: &Path) -> PathBuf {
    let beside = |n: u32| {
        let mut name = path.as_os_str().to_owned();
        name.push(format!(".{n}.bak"));
        PathBuf::from(name)
    };
    (1..).map(beside).find(|path| !path.exists()).unwrap_or_else(|| beside(0))
}
