//! What the first run does: it makes a table folder and the files in it, and opens them again after each change.
//!
//! Nothing is lost: a file that another takes the place of is kept beside it, and what was printed from is kept as it was
//! printed.

use super::Logic;
use crate::app::command::{Command, FirstField, FirstRunCommand, LensCommand, Step};
use crate::app::state::{Check, FirstRun, Mark, Run};
use crate::judge::{
    FOLDER_FILE, Roster, Table, TableFolder, parse_folder, parse_roster, parse_table, table_text,
};
use crate::markers::{
    Figures, KitStyle, Outlook, Paper, Part, Place, PlanRequest, SizesError, corrected_roster,
    corrected_table, kit_sheets, plan, printed_scale, to_pdf,
};
use crate::rules::Settings;
use crate::text::{Kind, Output, Wanted, check_outputs, free_beside, read_file, reason, write_outputs};
use crate::units::Scale;
use crate::vision::Lens;
use crate::vision::sim::Ink;
use std::path::{Path, PathBuf};

/// The table file of a folder that is made anew.
const TABLE: &str = "table.ron";
/// Its lens profile.
const LENS: &str = "lens.ron";
/// A common webcam's field of view, degrees.
const FOV_DEG: f64 = 71.0;
/// A calibration board that goes on both papers.
pub(super) const BOARD: &str = "chessboard:9x6:20";

type Ended = Result<String, String>;

impl Logic {
    /// Carries out a wish about the page.
    pub(super) fn carry_out_first_run(&mut self, command: FirstRunCommand) {
        if command == FirstRunCommand::Open {
            self.open_first_run();
            return;
        }
        let Some(page) = self.state.first_run.clone() else { return };
        let ended = match command {
            FirstRunCommand::Open | FirstRunCommand::Type(..) => return,
            FirstRunCommand::Leave => {
                self.state.first_run = None;
                self.state.army_page = None;
                return;
            }
            FirstRunCommand::Go(step) => match self.go_to(&page, step) {
                Ok(()) => return,
                Err(why) => Err(why),
            },
            FirstRunCommand::Look => self.look_at(&page),
            FirstRunCommand::SetBoard => self.set_board(&page),
            FirstRunCommand::PrintTable => print_table(&page),
            FirstRunCommand::Correct => self.correct(&page),
            FirstRunCommand::CalibrateLens => {
                self.carry_out_lens(LensCommand::Open);
                return;
            }
            FirstRunCommand::OwnRoster => self.own_roster(&page),
            FirstRunCommand::PickPair => {
                self.pick_pair();
                return;
            }
        };
        if let Some(page) = &mut self.state.first_run {
            page.say(ended);
        }
    }

    /// The page opens, on the folder that is in use where there is one.
    pub fn open_first_run(&mut self) {
        let mut page = FirstRun::new();
        let beside = self.state.named.table.as_deref().and_then(Path::parent);
        if let Some(folder) = beside.filter(|dir| dir.join(FOLDER_FILE).is_file()) {
            page.set(FirstField::Folder, folder.display().to_string());
        }
        self.state.first_run = Some(page);
    }

    /// Another step is shown; how far it has come is kept.
    fn go_to(&mut self, page: &FirstRun, step: Step) -> Result<(), String> {
        let Some(mut folder) = page.kept.clone() else {
            return Err("Press \"Look\" first: everything from here on is kept in the folder.".to_owned());
        };
        if page.step == Step::Lens && folder.lens.is_none() && page.folder().join(LENS).is_file() {
            folder.lens = Some(LENS.to_owned());
            self.keep_folder(page, &folder)?;
            self.load(page)?;
        }
        if folder.step < step.number() {
            folder.step = step.number();
            self.keep_folder(page, &folder)?;
        }
        if step == Step::Armies && self.state.army_page.is_none() {
            self.open_armies();
        }
        let measured = self.state.engine().table().clone();
        if let Some(page) = &mut self.state.first_run {
            page.step = step;
            let (width, depth) = measured.board_mm;
            for (field, mm) in [
                (FirstField::Width, width),
                (FirstField::Depth, depth),
                (FirstField::BaseWidth, measured.scale.mm_per_bw()),
            ] {
                if step == Step::Board {
                    page.set(field, mm.to_string());
                }
            }
        }
        if step == Step::Board {
            self.expect(&measured);
        }
        if step == Step::Ruling && self.state.pair().is_none() {
            self.pick_pair();
        }
        Ok(())
    }

    fn keep_folder(&mut self, page: &FirstRun, folder: &TableFolder) -> Result<(), String> {
        write(&page.folder().join(FOLDER_FILE), &folder.text())?;
        if let Some(page) = &mut self.state.first_run {
            page.kept = Some(folder.clone());
        }
        Ok(())
    }

    /// Reads the folder's files and opens its source over them.
    fn load(&mut self, page: &FirstRun) -> Result<(), String> {
        let opened = (self.outside.folder)(&page.folder())?;
        let source = opened.source.or_else(|| self.spec.clone()).unwrap_or_else(|| "sim:60".to_owned());
        if let Some(page) = &mut self.state.first_run {
            page.kept = Some(opened.folder);
            page.opening = true;
        }
        self.state.notice = None;
        self.open_with(&source, Some(opened.setup));
        Ok(())
    }

    /// The folder is opened, or made; the source with it.
    fn look_at(&mut self, page: &FirstRun) -> Ended {
        let dir = page.folder();
        if dir.as_os_str().is_empty() {
            return Err("Name a folder: everything is kept in it.".to_owned());
        }
        if dir.exists() && !dir.is_dir() {
            return Err(format!("{} is a file: name a folder.", dir.display()));
        }
        std::fs::create_dir_all(&dir)
            .map_err(|e| format!("The folder {} cannot be made: {}.", dir.display(), reason(&e)))?;
        let file = dir.join(FOLDER_FILE);
        let before = file.exists();
        let mut folder = if before {
            let text = read_file(&file, Wanted::Folder).map_err(|m| m.to_string())?;
            parse_folder(&file.display().to_string(), &text).map_err(|m| m.to_string())?
        } else {
            TableFolder::default()
        };
        if !before && !dir.join(&folder.table).exists() {
            let scale = Scale::new(40.0).expect("40 mm is a base width");
            write_table(&dir, &Table::bare((600.0, 600.0), scale))?;
        }
        let typed = page.field(FirstField::Source).trim().to_owned();
        // What the folder says goes first where it is taken up again and nothing else was typed.
        let again = before && page.kept.is_none() && typed == FirstRun::new().field(FirstField::Source);
        match folder.source.clone().filter(|_| again) {
            Some(source) => {
                if let Some(page) = &mut self.state.first_run {
                    page.set(FirstField::Source, source);
                }
            }
            None if typed.is_empty() => return Err("Name a source, as camera:0 or sim:60.".to_owned()),
            None => folder.source = Some(within(&dir, &typed)),
        }
        let step = Step::of(folder.step);
        self.keep_folder(page, &folder)?;
        self.load(page)?;
        Ok(if before && page.kept.is_none() && step > Step::Camera {
            format!("{} is taken up again: it had come to step {}.", dir.display(), step.number())
        } else {
            format!("Everything is kept in {}.", dir.display())
        })
    }

    /// The board is as typed.
    fn set_board(&mut self, page: &FirstRun) -> Ended {
        let mm = |field, name: &str, least: f64, most: f64| {
            let text = page.field(field).trim().trim_end_matches("mm").trim().replace(',', ".");
            let number: Option<f64> = text.parse().ok();
            number
                .filter(|mm| (least..=most).contains(mm))
                .ok_or_else(|| format!("{name}: expected {least} to {most} mm, found \"{text}\"."))
        };
        let sizes = [
            mm(FirstField::Width, "Width", 100.0, 5000.0),
            mm(FirstField::Depth, "Depth", 100.0, 5000.0),
            mm(FirstField::BaseWidth, "Base width", 20.0, 120.0),
        ];
        let wrong: Vec<String> = sizes.iter().filter_map(|s| s.clone().err()).collect();
        let [Ok(width), Ok(depth), Ok(base)] = sizes else { return Err(wrong.join(" ")) };
        let scale = Scale::new(base).ok_or("Base width: expected 20 to 120 mm.")?;
        let dir = page.folder();
        let now = self.state.engine().table().clone();
        let table = if now.board_mm == (width, depth) && now.scale == scale {
            now
        } else {
            let bare = Table::bare((width, depth), scale);
            write_table(&dir, &bare)?;
            self.load(page)?;
            bare
        };
        self.expect(&table);
        Ok(format!("The board is {width} by {depth} mm, its base width {base} mm."))
    }

    /// What is to be expected of the camera on a board.
    fn expect(&mut self, table: &Table) {
        let Some((width, height)) = self.state.picture_size() else { return };
        let known = self.state.lens().map(|profile| profile.lens);
        let lens = known.unwrap_or_else(|| Lens::from_field_of_view(width as u32, height as u32, FOV_DEG));
        let large = table.scale.mm_per_bw() > 50.0;
        let figures = if large {
            Figures { height_mm: 42.0, depth_mm: 20.0 }
        } else {
            Figures { height_mm: 26.0, depth_mm: 12.0 }
        };
        let plan = plan(PlanRequest {
            table: table.clone(),
            lens,
            height_mm: None,
            places: Place::ALL.to_vec(),
            elements: 24,
            figures,
            family: None,
        });
        let (mark, words) = match plan.outlook() {
            Outlook::Poor => (Mark::Wrong, "this camera is too coarse for this board"),
            Outlook::Followed => (
                Mark::Mind,
                "this camera follows tags on this board, and may not find each in a single picture",
            ),
            Outlook::Well => (Mark::Good, "this camera finds tags anywhere on this board"),
        };
        let mut found = vec![Check { mark, words: format!("At {width}x{height} pixels {words}.") }];
        if let Some(best) = plan.best() {
            let least = best.hardest().map_or(0.0, |kind| kind.least_px() / 8.0);
            found.push(Check {
                mark: Mark::Good,
                words: format!(
                    "Best place: {}. The smallest tags then have {least:.1} pixels to a module.",
                    best.set_up.place.name()
                ),
            });
        }
        let would = plan.would.iter().map(|words| Check { mark: Mark::Mind, words: words.clone() });
        found.extend(would);
        if let Some(page) = &mut self.state.first_run {
            page.plan = found;
            page.said.remove(&Step::Board);
        }
    }

    /// Sizes as the ruler says they were printed.
    fn correct(&mut self, page: &FirstRun) -> Ended {
        let text = page.field(FirstField::Ruler).trim().replace(',', ".");
        let ruler: f64 =
            text.parse().map_err(|_| format!("The ruler: expected millimetres, found \"{text}\"."))?;
        printed_scale(ruler).map_err(|why| format!("The ruler: {why}."))?;
        let folder = page.kept.clone().ok_or("Open the folder first.")?;
        let names: Vec<(String, Wanted)> = std::iter::once((folder.table.clone(), Wanted::Table))
            .chain(folder.rosters.iter().map(|name| (name.clone(), Wanted::Roster)))
            .collect();
        let mut written = Vec::new();
        for (name, kind) in &names {
            if let Some(text) = corrected(&page.folder(), name, *kind, ruler, folder.ruler_mm)? {
                written.push((page.folder().join(name), text));
            }
        }
        let contents: Vec<(&Path, &[u8])> =
            written.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
        write_outputs(&contents).map_err(|e| format!("{e}."))?;
        self.keep_folder(page, &TableFolder { ruler_mm: Some(ruler), ..folder })?;
        self.load(page)?;
        Ok(format!("Sizes are as printed: {:.2} % of what was drawn.", ruler))
    }

    /// A roster of one's own is copied into the folder.
    fn own_roster(&mut self, page: &FirstRun) -> Ended {
        let from = PathBuf::from(page.field(FirstField::Roster).trim());
        let name = from.file_name().and_then(|n| n.to_str()).ok_or("Name a roster file.")?.to_owned();
        let text = read_file(&from, Wanted::Roster).map_err(|m| m.to_string())?;
        parse_roster(&name, &text).map_err(|m| m.to_string())?;
        let place = page.folder().join(&name);
        let itself = place.canonicalize().is_ok_and(|p| from.canonicalize().is_ok_and(|f| f == p));
        if !itself {
            keep_before(&place)?;
            write(&place, &text)?;
        }
        self.add_roster(page, &name)?;
        Ok(format!("{name} is in the folder."))
    }

    /// A roster of the folder belongs to the table from now on.
    pub(super) fn add_roster(&mut self, page: &FirstRun, name: &str) -> Result<(), String> {
        let mut folder = page.kept.clone().ok_or("Open the folder first.")?;
        let before = folder.clone();
        if !folder.rosters.iter().any(|known| known == name) {
            folder.rosters.push(name.to_owned());
        }
        self.keep_folder(page, &folder)?;
        // Rosters that clash are told, and the folder stays as it was.
        if let Err(why) = self.load(page) {
            self.keep_folder(page, &before)?;
            return Err(why);
        }
        Ok(())
    }

    fn pick_pair(&mut self) {
        let Some(pair) = self.state.nearest_pair() else { return };
        self.carry_out(Command::ClearSelection);
        for name in pair {
            self.carry_out(Command::Pick(name));
        }
    }

    /// A source has opened, or could not be.
    pub(super) fn first_run_opened(&mut self) {
        if let Some(page) = &mut self.state.first_run {
            page.opening = false;
        }
        if self.state.first_run.as_ref().is_some_and(|page| page.step == Step::Board) {
            let table = self.state.engine().table().clone();
            self.expect(&table);
        }
    }

    /// Why a source could not be opened is told where it was asked for.
    pub(super) fn first_run_refused(&mut self, words: &str) -> bool {
        let Some(page) = self.state.first_run.as_mut().filter(|page| page.opening) else { return false };
        page.opening = false;
        page.say(Err(words.to_owned()));
        if self.feed.is_none() {
            self.state.source.run = Run::Failed(words.to_owned());
        }
        true
    }
}

/// A source as the folder keeps it: a file of the folder by its name, so that the folder can be moved.
fn within(dir: &Path, source: &str) -> String {
    let (Ok(dir), Ok(path)) = (dir.canonicalize(), Path::new(source).canonicalize()) else {
        return source.to_owned();
    };
    match path.strip_prefix(&dir).ok().and_then(Path::to_str) {
        Some(inside) if !inside.is_empty() => inside.to_owned(),
        _ => source.to_owned(),
    }
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    write_outputs(&[(path, text.as_bytes())]).map_err(|e| format!("{e}."))
}

/// Writes the folder's table file; one that is there is kept, and so is what it was printed from.
fn write_table(dir: &Path, table: &Table) -> Result<(), String> {
    let path = dir.join(TABLE);
    keep_before(&path)?;
    keep_before(&as_printed(&path))?;
    let notes = ["Made by Groma's first run: tags 30 mm outside the edges, as the printed strips hold them."
        .to_owned()];
    write(&path, &table_text(table, &notes, |_| String::new()))
}

/// Puts a file that is there aside, under a name of its own.
pub(super) fn keep_before(path: &Path) -> Result<(), String> {
    if !path.exists() {
        return Ok(());
    }
    let aside = free_beside(path);
    std::fs::rename(path, &aside)
        .map_err(|e| format!("{} cannot be put aside: {}.", path.display(), reason(&e)))
}

/// The file that was printed from, where sizes have been corrected since.
fn as_printed(path: &Path) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-as-printed.ron"))
}

/// A file's text with its sizes corrected; what it was printed from is kept beside it. `before` is what the ruler was said
/// to measure the last time. Nothing where the file is right already.
fn corrected(
    dir: &Path,
    name: &str,
    kind: Wanted,
    ruler: f64,
    before: Option<f64>,
) -> Result<Option<String>, String> {
    let path = dir.join(name);
    let printed = as_printed(&path);
    let read = |path: &Path| read_file(path, kind).map_err(|m| m.to_string());
    let done = |text: &str, ruler: f64| {
        let done = match kind {
            Wanted::Table => corrected_table(name, text, ruler),
            _ => corrected_roster(name, text, ruler),
        };
        done.map(|done| done.text)
    };
    let now = read(&path)?;
    match done(&now, ruler) {
        Ok(text) => {
            write(&printed, &now)?;
            Ok(Some(text))
        }
        Err(SizesError::Twice { .. }) if printed.exists() => {
            let original = read(&printed)?;
            let then = before.and_then(|before| done(&original, before).ok());
            if then.as_deref() != Some(now.as_str()) {
                return Err(format!(
                    "{name} was changed since its sizes were corrected: correct them in the file, or put {} in its \
                     place and measure again.",
                    printed.display()
                ));
            }
            Ok(Some(done(&original, ruler).map_err(|e| e.to_string())?))
        }
        Err(why) => Err(why.to_string()),
    }
}

/// The text that is printed from.
pub(super) fn printed_text(path: &Path, kind: Wanted) -> Result<String, String> {
    let printed = as_printed(path);
    let from = if printed.exists() { printed } else { path.to_owned() };
    read_file(&from, kind).map_err(|m| m.to_string())
}

/// Prints the table's kit: strips, jig, check sheet and calibration board.
fn print_table(page: &FirstRun) -> Ended {
    let folder = page.kept.as_ref().ok_or("Open the folder first.")?;
    let dir = page.folder();
    let text = printed_text(&dir.join(&folder.table), Wanted::Table)?;
    let table = parse_table(&folder.table, &text).map_err(|m| m.to_string())?;
    let parts = [Part::Strips, Part::Jig, Part::Check, Part::Board];
    print(&table, &Roster::default(), &parts, &Settings::dba3(), &dir.join("table-kit.pdf"))
}

/// Prints parts of a kit, on A4 and on Letter.
pub(super) fn print(
    table: &Table,
    roster: &Roster,
    parts: &[Part],
    settings: &Settings,
    path: &Path,
) -> Ended {
    let board = BOARD.parse().expect("it is a board");
    let mut told = Vec::new();
    for (paper, ending) in [(Paper::A4, "a4"), (Paper::Letter, "letter")] {
        let style = KitStyle { paper, ink: Ink::Black, carrier: None, board, settings: settings.clone() };
        let sheets = kit_sheets(table, roster, parts, &style).map_err(|e| format!("{e}."))?;
        let pages: Vec<_> = sheets.into_iter().map(|(_, sheet)| sheet).collect();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let path = path.with_file_name(format!("{stem}-{ending}.pdf"));
        check_outputs(&[Output { option: "The kit's file", path: &path, kind: Kind::Pdf }])
            .and_then(|()| write_outputs(&[(&path, &to_pdf(&pages))]))
            .map_err(|e| format!("{e}."))?;
        told.push(format!("{} ({} pages)", path.display(), pages.len()));
    }
    Ok(format!("Wrote {}. Print one at 100 %.", told.join(" and ")))
}
