//! The dice of the window: thrown by the session's generator or typed, and what they came to.

use crate::app::command::Slot;
use crate::session::view::OutcomeView;
use crate::session::{Dice, Die};

/// Where the dice on show came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    Thrown,
    Typed,
}

/// The dice and the fields for real ones.
pub struct DiceState {
    dice: Dice,
    typed: [String; 2],
    errors: [Option<String>; 2],
    lie: Option<(From, OutcomeView)>,
}

impl DiceState {
    /// Nothing thrown yet.
    pub fn new(dice: Dice) -> Self {
        Self { dice, typed: Default::default(), errors: Default::default(), lie: None }
    }

    /// What the dice came to.
    pub fn outcome(&self) -> Option<&OutcomeView> {
        self.lie.as_ref().map(|(_, outcome)| outcome)
    }

    /// What stands in a field.
    pub fn typed(&self, slot: Slot) -> &str {
        &self.typed[slot.index()]
    }

    /// What is wrong with a field.
    pub fn error(&self, slot: Slot) -> Option<&str> {
        self.errors[slot.index()].as_deref()
    }

    /// Where the dice came from: the seed is shown once they lie.
    pub fn words(&self) -> Option<String> {
        match self.lie.as_ref()?.0 {
            From::Thrown => Some(format!(
                "Thrown by the program: the {} and {} throws of seed {}.",
                nth(self.dice.thrown() - 1),
                nth(self.dice.thrown()),
                self.dice.seed()
            )),
            From::Typed => Some("Typed from the table.".to_owned()),
        }
    }

    /// A field's text changed.
    pub fn type_in(&mut self, slot: Slot, text: String) {
        self.typed[slot.index()] = text;
        self.errors[slot.index()] = None;
    }

    /// Throws both, the first element's first. Typed ones are of an earlier throw: their fields empty.
    pub fn throw(&mut self, outcome: impl FnOnce([Die; 2]) -> OutcomeView) {
        let dice = [self.dice.throw(), self.dice.throw()];
        self.typed = Default::default();
        self.errors = Default::default();
        self.lie = Some((From::Thrown, outcome(dice)));
    }

    /// Takes the typed dice if both are dice; else says what is wrong and leaves what lies there. Whether they count.
    pub fn take_typed(&mut self, outcome: impl FnOnce([Die; 2]) -> OutcomeView) -> bool {
        let read = Slot::BOTH.map(|slot| self.typed(slot).parse::<Die>());
        self.errors = read.clone().map(|die| die.err().map(|error| error.to_string()));
        if let [Ok(a), Ok(b)] = read {
            self.lie = Some((From::Typed, outcome([a, b])));
        }
        self.errors.iter().all(Option::is_none)
    }

    /// Takes the dice off the table and empties the fields.
    pub fn clear(&mut self) {
        self.typed = Default::default();
        self.errors = Default::default();
        self.lie = None;
    }
}

/// "1st", "2nd", "11th".
fn nth(n: u64) -> String {
    let ending = match (n % 100, n % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    };
    format!("{n}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn throws_are_counted_as_people_do() {
        let told: Vec<String> = [1, 2, 3, 4, 11, 12, 13, 21, 112, 123].map(nth).into();
        assert_eq!(told, ["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "112th", "123rd"]);
    }
}
