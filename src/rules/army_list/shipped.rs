//! The lists that come with the program: invented, a dozen, of every troop type between them.

use super::{ListFile, Shelf, read_file};
use crate::rules::Ruleset;
use std::sync::LazyLock;

macro_rules! carried {
    ($($name:literal),+ $(,)?) => {
        /// Every file: name and text. A test compares the list with the folder.
        const FILES: &[(&str, &str)] = &[$((
            concat!("rulesets/army-lists/samples/", $name),
            include_str!(concat!("../../../rulesets/army-lists/samples/", $name)),
        )),+];
    };
}

carried![
    "emperors-own.ron",
    "free-bows-of-the-weald.ron",
    "hill-thanes-of-skarn.ron",
    "marchers-of-ost.ron",
    "oakfolk.ron",
    "phalanx-of-melantis.ron",
    "rajas-of-sindhar.ron",
    "river-kings-of-akkur.ron",
    "sands-of-hamad.ron",
    "sea-league-of-porphys.ron",
    "tarkan-horde.ron",
    "wagon-brethren.ron",
];

/// The lists that ship.
pub fn shipped() -> &'static Shelf {
    static SHELF: LazyLock<Shelf> = LazyLock::new(|| {
        let mut shelf = Shelf::default();
        for (name, text) in FILES {
            let read = read_file(name, text, &Ruleset::dba3());
            let list = match read
                .unwrap_or_else(|mistakes| panic!("the lists are tested to be sound: {mistakes}"))
            {
                ListFile::List(list) => list,
                ListFile::Army(_) => panic!("{name} is an army, and lists are shipped"),
            };
            shelf.add(list).unwrap_or_else(|key| panic!("{name}: {key} is there twice"));
        }
        shelf
    });
    &SHELF
}

#[cfg(test)]
mod tests {
    use super::super::write_list;
    use super::*;
    use crate::rules::ruleset::Kind;
    use std::collections::BTreeSet;

    #[test]
    fn every_file_of_the_folder_is_carried() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/rulesets/army-lists/samples");
        let there: BTreeSet<String> = std::fs::read_dir(folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        let carried =
            FILES.iter().filter_map(|(name, _)| Some(name.rsplit_once('/')?.1.to_owned())).collect();
        assert_eq!(there, carried);
        assert_eq!(shipped().lists().len(), 12);
    }

    #[test]
    fn between_them_they_use_every_troop_type() {
        let rules = Ruleset::dba3();
        let lists = shipped().lists().iter();
        let used: BTreeSet<&str> = lists
            .flat_map(|list| list.all_entries())
            .flat_map(|entry| entry.items())
            .flat_map(|item| &item.forms)
            .map(|form| form.code.as_str())
            .collect();
        // Camp followers and denizens come on top of an army and are in no list (clause dba3.troop.12).
        let on_top = |kind: Kind| matches!(kind, Kind::CampFollowers | Kind::Denizens);
        let all = rules.troops().iter().filter(|t| !on_top(t.kind)).map(|t| t.code.as_str()).collect();
        assert_eq!(used, all);
    }

    #[test]
    fn who_is_named_is_there_and_names_back_its_enemy() {
        let shelf = shipped();
        assert_eq!(shelf.one_sided(), []);
        for list in shelf.lists() {
            for other in list.enemies.iter().chain(list.allies.iter().flatten()) {
                assert!(shelf.lists().iter().any(|l| other.names(&l.key)), "{}: {other}", list.key);
            }
        }
    }

    #[test]
    fn each_is_written_as_it_was_read() {
        for list in shipped().lists() {
            let again = read_file("again", &write_list(list), &Ruleset::dba3()).expect("its own text");
            let ListFile::List(again) = again else { panic!("a list") };
            assert_eq!(write_list(&again), write_list(list));
        }
    }
}
