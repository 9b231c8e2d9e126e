//! Armies chosen in the window: lists are read, rosters are written with their tags, and their kits printed. The choosing
//! itself is the rules' own ([`crate::rules::army_list`]), the roster's making is [`crate::judge::raise`], as on the command
//! line.

use super::Logic;
use super::first_run::{keep_before, print, printed_text};
use crate::app::command::ArmyCommand;
use crate::app::state::ArmyPage;
use crate::judge::{Begin, Others, Raising, Roster, RosterFile, parse_roster, raise};
use crate::markers::{Part, corrected_roster};
use crate::rules::army_list::{Shelf, shipped};
use crate::rules::{Ruleset, Side};
use crate::session::lists::shelf_of;
use crate::text::{Kind, Mistakes, Output, Wanted, check_outputs, read_file, write_outputs};
use crate::tracking::{Tag, TagFamily};
use std::path::{Path, PathBuf};

/// The folder of a person's own lists, within a table folder.
const LISTS: &str = "lists";
/// Side of the tags' black squares, and the height of their faces above their bases: tags on stalks, millimetres.
const SIZE_MM: f64 = 12.0;
const HEIGHT_MM: f64 = 30.0;

type Ended = Result<String, String>;

impl Logic {
    /// Carries out a wish about the page.
    pub(super) fn carry_out_army(&mut self, command: ArmyCommand) {
        match command {
            ArmyCommand::Open => self.open_armies(),
            ArmyCommand::Close => self.state.army_page = None,
            ArmyCommand::ReadLists => self.read_lists(),
            ArmyCommand::Save => {
                let ended = self.save_army();
                self.say_of_army(ended);
            }
            ArmyCommand::Print => {
                let ended = self.print_army();
                self.say_of_army(ended);
            }
            _ => {}
        }
    }

    fn say_of_army(&mut self, ended: Ended) {
        if let Some(page) = &mut self.state.army_page {
            page.draft_mut().said = Some(ended);
        }
    }

    /// The folder that the table's files are in.
    fn table_folder(&self) -> PathBuf {
        match &self.state.first_run {
            Some(page) => page.folder(),
            None => {
                let beside = self.state.named.table.as_deref().and_then(Path::parent);
                beside.unwrap_or(Path::new("")).to_owned()
            }
        }
    }

    /// The page opens, with what is there for it.
    pub(super) fn open_armies(&mut self) {
        let folder = self.table_folder();
        let files = ["red.ron", "blue.ron"].map(|name| folder.join(name).display().to_string());
        let own = folder.join(LISTS);
        let (shelf, said) = match self.own_shelf() {
            Ok(shelf) => (shelf, None),
            Err(why) => (shipped().clone(), Some(Err(why))),
        };
        let mut page = ArmyPage::new(shelf, files, Ruleset::dba3());
        page.lists_said = said;
        if own.is_dir() {
            page.lists = own.display().to_string();
        }
        self.state.army_page = Some(page);
    }

    /// The lists that ship, and those of the table folder's own.
    pub(super) fn own_shelf(&self) -> Result<Shelf, String> {
        let own = self.table_folder().join(LISTS);
        if !own.is_dir() {
            return Ok(shipped().clone());
        }
        let told =
            |mistakes: Vec<Mistakes>| mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
        shelf_of(&[own]).map_err(told)
    }

    fn read_lists(&mut self) {
        let Some(page) = &mut self.state.army_page else { return };
        let folder = PathBuf::from(page.lists.trim());
        let read = if folder.as_os_str().is_empty() { Ok(shipped().clone()) } else { shelf_of(&[folder]) };
        page.lists_said = Some(match read {
            Ok(shelf) => {
                let own = shelf.lists().len() - shipped().lists().len();
                page.set_shelf(shelf);
                Ok(format!("{own} lists of your own, beside the {} samples.", shipped().lists().len()))
            }
            Err(mistakes) => Err(mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
        });
    }

    /// Tags are given out, and the roster is written.
    fn save_army(&mut self) -> Ended {
        let Some(page) = self.state.army_page.clone() else { return Err("No army is chosen.".to_owned()) };
        let path = PathBuf::from(page.draft().file.trim());
        let output = Output { option: "The roster's file", path: &path, kind: Kind::Roster };
        check_outputs(&[output]).map_err(|e| format!("{e}."))?;
        let raising = Raising {
            side: page.side,
            scale: self.state.engine().table().scale,
            family: TagFamily::Tag36h11,
            size_mm: SIZE_MM,
            height_mm: HEIGHT_MM,
            begin: Begin::Free,
        };
        let raised =
            raise(&page.draft().army, &page.shelf, page.rules(), &raising, &self.others(&page, &path)?)
                .map_err(|error| format!("{error}."))?;
        let ruler =
            self.state.first_run.as_ref().and_then(|p| p.kept.as_ref()).and_then(|kept| kept.ruler_mm);
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let aside = path.exists();
        keep_before(&path)?;
        let mut files = vec![(path.clone(), raised.text.clone())];
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let printed = path.with_file_name(format!("{stem}-as-printed.ron"));
        keep_before(&printed)?;
        if let Some(ruler) = ruler {
            let sizes = corrected_roster(&name, &raised.text, ruler).map_err(|e| e.to_string())?;
            files = vec![(printed, raised.text.clone()), (path.clone(), sizes.text)];
        }
        let contents: Vec<(&Path, &[u8])> =
            files.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
        write_outputs(&contents).map_err(|e| format!("{e}."))?;
        if let Some(first_run) = self.state.first_run.clone() {
            self.add_roster(&first_run, &name)?;
        }
        let ids = |tag: Option<&Tag>| tag.map_or(0, |tag| tag.id);
        let kept = if aside { " The one before is kept beside it." } else { "" };
        Ok(format!(
            "Wrote {}: {} elements, tags {} to {}.{kept}",
            path.display(),
            raised.elements.len(),
            ids(raised.tags.first()),
            ids(raised.tags.last())
        ))
    }

    /// Tags and names of the table, of the other side's roster, and of every other roster in use.
    fn others(&self, page: &ArmyPage, own: &Path) -> Result<Others, String> {
        let mut others = Others::default();
        others.table(self.state.engine().table());
        let across = match page.side {
            Side::Red => Side::Blue,
            Side::Blue => Side::Red,
        };
        let theirs = PathBuf::from(page.draft_of(across).file.trim());
        let mut paths = self.state.named.rosters.clone();
        if theirs.is_file() && !paths.contains(&theirs) {
            paths.push(theirs);
        }
        for path in paths.iter().filter(|path| *path != own && path.is_file()) {
            let text = read_file(path, Wanted::Roster).map_err(|m| m.to_string())?;
            let name = path.display().to_string();
            others.roster(&parse_roster(&name, &text).map_err(|m| m.to_string())?);
        }
        Ok(others)
    }

    /// The army's tags, gauges and cards.
    fn print_army(&mut self) -> Ended {
        let Some(page) = &self.state.army_page else { return Err("No army is chosen.".to_owned()) };
        let path = PathBuf::from(page.draft().file.trim());
        if !path.is_file() {
            return Err(format!("{} is not there yet: give out the tags first.", path.display()));
        }
        let text = printed_text(&path, Wanted::Roster)?;
        let file = path.display().to_string();
        let elements = parse_roster(&file, &text).map_err(|m| m.to_string())?;
        let table = self.state.engine().table();
        let roster = Roster::of(table, vec![RosterFile { file, elements }], page.rules())
            .map_err(|clashes| clashes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        let kit = path.with_file_name(format!("{stem}-kit.pdf"));
        let parts = [Part::Tags, Part::Gauges, Part::Cards];
        print(table, &roster, &parts, self.state.engine().settings(), &kit)
    }
}
