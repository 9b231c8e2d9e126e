//! All the lists that are at hand: those that ship and one's own.

use super::{ArmyList, Key, KeyRef};
use crate::text::did_you_mean;

/// Lists, none with the key of another, by their keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Shelf {
    lists: Vec<ArmyList>,
}

impl Shelf {
    /// Puts a list on the shelf.
    ///
    /// # Errors
    /// The list's key, where one of that key stands there already, or the list of that number without a letter does.
    pub fn add(&mut self, list: ArmyList) -> Result<(), Key> {
        let number = KeyRef { letters: Vec::new(), ..KeyRef::from(&list.key) };
        let clashes = |other: &Key| {
            *other == list.key
                || (number.names(other) && (other.letter.is_none() || list.key.letter.is_none()))
        };
        if let Some(other) = self.lists.iter().find(|other| clashes(&other.key)) {
            return Err(other.key.clone());
        }
        let at = self.lists.partition_point(|other| other.key < list.key);
        self.lists.insert(at, list);
        Ok(())
    }

    /// Every list, by its key.
    pub fn lists(&self) -> &[ArmyList] {
        &self.lists
    }

    /// The list of that key.
    pub fn list(&self, key: &Key) -> Option<&ArmyList> {
        self.lists.iter().find(|list| list.key == *key)
    }

    /// "; did you mean ...?", of the keys at hand.
    pub fn like(&self, key: &Key) -> String {
        let keys: Vec<String> = self.lists.iter().map(|list| list.key.to_string()).collect();
        did_you_mean(&key.to_string(), keys.iter().map(String::as_str))
    }

    /// Where one list names another as its enemy, and that one not it: who names whom (clause army-lists.enemy.1).
    pub fn one_sided(&self) -> Vec<(&Key, &Key)> {
        let pairs = self.lists.iter().flat_map(|a| self.lists.iter().map(move |b| (a, b)));
        pairs.filter(|(a, b)| a.fought(&b.key) && !b.fought(&a.key)).map(|(a, b)| (&a.key, &b.key)).collect()
    }
}
