//! No text makes a reader of lists and armies panic, and what is read is written and read back.

use super::{Army, ArmyList, Entry, Key, KeyRef, ListFile, read_file, shipped, write_list};
use crate::rules::Ruleset;
use proptest::prelude::*;

/// Puts `noise` into a text in place of some of its characters.
fn spoilt(text: &str, at: usize, len: usize, noise: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let at = at % (chars.len() + 1);
    let end = (at + len).min(chars.len());
    chars[..at].iter().copied().chain(noise.chars()).chain(chars[end..].iter().copied()).collect()
}

/// Characters that mean something to the readers, and some that do not.
const NOISE: &str = "[0-9x/:;,+ \\n\\t\"()A-Za-z\\[\\]\u{e9}-]{0,12}";

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in "\\PC{0,60}", noise in NOISE, at in 0usize..400, len in 0usize..12) {
        let rules = Ruleset::dba3();
        let list = &shipped().lists()[at % shipped().lists().len()];
        let army = "sample/1: general Cv, 3Kn, 3x4Sp; ally sample/12: general 3Kn, 2x4Lb; camp followers; city denizens";
        let texts = [
            text,
            spoilt(&list.to_string(), at, len, &noise),
            spoilt(army, at, len, &noise),
            spoilt(&list.entries[0].to_string(), at, len, &noise),
            noise.clone(),
        ];
        for text in &texts {
            let _ = (Key::read(text), KeyRef::read(text));
            if let Ok(entry) = Entry::read(text, &rules) {
                let again = Entry::read(&entry.to_string(), &rules).expect("its own text");
                prop_assert_eq!(again.options, entry.options);
            }
            if let Ok(army) = Army::read(text, &rules) {
                prop_assert_eq!(Army::read(&army.to_string(), &rules), Ok(army));
            }
            if let Ok(list) = ArmyList::read(text, &rules) {
                let again = ArmyList::read(&list.to_string(), &rules).expect("its own text");
                prop_assert_eq!(again.to_string(), list.to_string());
            }
        }
        if let Ok(ListFile::List(list)) = read_file("f", &spoilt(&write_list(list), at, len, &noise), &rules) {
            let Ok(ListFile::List(again)) = read_file("f", &write_list(&list), &rules) else {
                panic!("its own text: {}", write_list(&list));
            };
            prop_assert_eq!(write_list(&again), write_list(&list));
        }
    }
}
