//! The next round begins: the rosters are read, the table's camera is opened anew with their tags, and another battle is
//! kept in a journal of its own.

use super::Logic;
use crate::app::outside::NamedFiles;
use std::path::PathBuf;

impl Logic {
    /// Reads the files, and opens the table's source over them. Where a file is not in order all stays as it is.
    pub(super) fn begin_round(&mut self) {
        let Some(round) = self.state.round().cloned() else { return };
        match self.prepared(&round.files(), round.journal.trim()) {
            Err(why) => self.refuse_round(why),
            Ok((spec, setup, journal)) => {
                self.next_journal = Some(journal);
                if let Some(round) = &mut self.state.round {
                    (round.begins, round.error) = (true, None);
                }
                // The battle of before is complete on the disk.
                self.keep();
                self.let_table_go();
                self.open_with(&spec, Some(setup));
            }
        }
    }

    fn prepared(
        &self,
        rosters: &[PathBuf],
        journal: &str,
    ) -> Result<(String, crate::app::outside::Setup, Option<PathBuf>), String> {
        let spec = self.spec.clone().ok_or("No source is open: open one first.")?;
        let journal = (!journal.is_empty()).then(|| PathBuf::from(journal));
        if let Some(path) = &journal {
            if path.extension().is_none_or(|ending| ending != "journal") {
                return Err("Name a journal that ends in .journal, or none.".to_owned());
            }
            if path.exists() {
                return Err(format!("{} is there already: name another.", path.display()));
            }
        }
        let now = &self.state.named;
        if now.table.is_some() == rosters.is_empty() {
            return Err(match &now.table {
                Some(_) => "Name the rosters of the next round.".to_owned(),
                None => "The sample table goes with the sample rosters: name none.".to_owned(),
            });
        }
        let named = NamedFiles { rosters: rosters.to_vec(), ..now.clone() };
        let setup = (self.outside.load)(&named)?;
        Ok((spec, setup, journal))
    }

    /// The next round cannot begin.
    pub(super) fn refuse_round(&mut self, why: String) {
        self.next_journal = None;
        if let Some(round) = &mut self.state.round {
            (round.begins, round.error) = (false, Some(why));
        }
    }

    /// The source is open over the new files: the battle begins, where it is a round's.
    pub(super) fn round_begins(&mut self) {
        let Some(journal) = self.next_journal.take() else { return };
        self.state.begin_round();
        self.state.kept.look(&self.keeping.keeper);
        if let Some(path) = journal
            && let Err(why) = self.keep_in(&path)
        {
            self.state.notice = Some(format!("{why}. The new battle is kept in memory alone."));
        }
    }
}
