//! The page on which armies are chosen: a draft for each side, what is wrong with it, and the lists to choose from.

use crate::app::command::ArmyCommand;
use crate::rules::army_list::{Army, ArmyList, ArmyRuling, Shelf, judge};
use crate::rules::{Ruleset, Side};
use std::sync::Arc;

/// One side's army while it is chosen.
#[derive(Debug, Clone)]
pub struct Draft {
    /// What is chosen.
    pub army: Army,
    /// Everything that is said of it.
    pub ruling: ArmyRuling,
    /// The file for its roster.
    pub file: String,
    /// How the last saving or printing ended.
    pub said: Option<Result<String, String>>,
}

/// The page.
#[derive(Debug, Clone)]
pub struct ArmyPage {
    /// Whose army is shown.
    pub side: Side,
    /// The lists.
    pub shelf: Shelf,
    /// The folder of a person's own lists.
    pub lists: String,
    /// How reading them ended.
    pub lists_said: Option<Result<String, String>>,
    drafts: [Draft; 2],
    rules: Arc<Ruleset>,
}

fn slot(side: Side) -> usize {
    match side {
        Side::Red => 0,
        Side::Blue => 1,
    }
}

impl ArmyPage {
    /// With nothing chosen, of the lists of `shelf`; rosters are to be written to these files, red's first.
    pub fn new(shelf: Shelf, files: [String; 2], rules: Arc<Ruleset>) -> Self {
        let lists = shelf.lists();
        let keys = [lists.first(), lists.get(1).or(lists.first())];
        let [red, blue] = keys.map(|list| list.expect("lists ship with the program").key.clone());
        let draft = |key, file| {
            let army = Army::begun(key);
            Draft { ruling: judge(&army, &shelf, &rules), army, file, said: None }
        };
        let [red_file, blue_file] = files;
        let drafts = [draft(red, red_file), draft(blue, blue_file)];
        Self { side: Side::Red, lists: String::new(), lists_said: None, drafts, shelf, rules }
    }

    /// The rules that armies are judged by.
    pub fn rules(&self) -> &Ruleset {
        &self.rules
    }

    /// A side's draft.
    pub fn draft_of(&self, side: Side) -> &Draft {
        &self.drafts[slot(side)]
    }

    /// The draft that is shown.
    pub fn draft(&self) -> &Draft {
        self.draft_of(self.side)
    }

    /// The same, to be changed.
    pub(in crate::app) fn draft_mut(&mut self) -> &mut Draft {
        &mut self.drafts[slot(self.side)]
    }

    /// The list that the draft is of.
    pub fn list(&self) -> Option<&ArmyList> {
        self.shelf.list(&self.draft().army.list)
    }

    /// Other lists take the place of the present ones; drafts of a list that is gone begin anew.
    pub(in crate::app) fn set_shelf(&mut self, shelf: Shelf) {
        self.shelf = shelf;
        let first = self.shelf.lists().first().expect("lists ship with the program").key.clone();
        for draft in &mut self.drafts {
            if self.shelf.list(&draft.army.list).is_none() {
                draft.army = Army::begun(first.clone());
            }
            draft.ruling = judge(&draft.army, &self.shelf, &self.rules);
        }
    }

    /// Carries out what concerns the page alone. Gives the command back where it is for `logic`.
    pub(in crate::app) fn carry_out(&mut self, command: ArmyCommand) -> Option<ArmyCommand> {
        let list = self.list().cloned();
        let draft = &mut self.drafts[slot(self.side)];
        let army = &mut draft.army;
        match command {
            ArmyCommand::Show(side) => {
                self.side = side;
                return None;
            }
            ArmyCommand::TypeLists(text) => {
                (self.lists, self.lists_said) = (text, None);
                return None;
            }
            ArmyCommand::TypeFile(text) => {
                (draft.file, draft.said) = (text, None);
                return None;
            }
            ArmyCommand::List(key) => *army = Army::begun(key),
            ArmyCommand::Lead(whose, code) => army.lead(whose, code.as_deref()),
            ArmyCommand::Take(whose, code, count) => army.take(whose, &code, count),
            ArmyCommand::Join(key) => army.join(key),
            ArmyCommand::Camp(camp) => army.camp = camp,
            ArmyCommand::City(city) => army.city = city,
            ArmyCommand::Clear => *army = Army::begun(army.list.clone()),
            ArmyCommand::Fill => {
                if let Some(list) = &list {
                    *army = army.filled(list);
                }
            }
            other @ (ArmyCommand::Open
            | ArmyCommand::Close
            | ArmyCommand::ReadLists
            | ArmyCommand::Save
            | ArmyCommand::Print) => return Some(other),
        }
        draft.said = None;
        draft.ruling = judge(&draft.army, &self.shelf, &self.rules);
        None
    }
}
