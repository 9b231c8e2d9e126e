//! The dice of the window: thrown by the program or typed, and what they came to.
//!
//! Each throw has a seed of its own, shown once its dice lie, which tells nothing of the next. The session's commitment is
//! shown before its dice; its seed when a person asks for it, which ends the session and begins another.

use crate::app::command::Slot;
use crate::session::play::DiceFrom;
use crate::session::view::OutcomeView;
use crate::session::{Commitment, Die, Seed, Throws};

/// Where the dice on show came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    /// That throw of its session, with its own seed.
    Thrown(u64, Seed),
    Typed,
    /// The camera's, as somebody accepted them.
    Seen(DiceFrom),
}

/// A session whose seed has been shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shown {
    seed: Seed,
    commitment: Commitment,
    throws: u64,
}

/// The dice and the fields for real ones.
pub struct DiceState {
    throws: Throws,
    before: Option<Shown>,
    fault: Option<String>,
    typed: [String; 2],
    errors: [Option<String>; 2],
    lie: Option<(From, OutcomeView)>,
}

impl DiceState {
    /// Nothing thrown yet.
    pub fn new(throws: Throws) -> Self {
        Self {
            throws,
            before: None,
            fault: None,
            typed: Default::default(),
            errors: Default::default(),
            lie: None,
        }
    }

    /// How anybody can see that no dice of the program were chosen, a line each.
    pub fn proof(&self) -> Vec<String> {
        let mut lines = vec![
            format!("Commitment of this session, shown before its dice: {}", self.throws.commitment()),
            format!("Throws of this session so far: {}", self.throws.made()),
        ];
        if let Some(Shown { seed, commitment, throws }) = self.before {
            lines.push(format!("Seed of the session before, of {throws} throws: {seed}"));
            lines.push(format!("Its commitment, the SHA-256 of that seed as it is written: {commitment}"));
            lines.push(format!("Any of its throws again: groma dice --seed {seed} --throw NUMBER --count 2"));
        }
        lines.extend(self.fault.clone());
        lines
    }

    /// What the session's throws were committed to before the first.
    pub fn commitment(&self) -> String {
        self.throws.commitment().to_string()
    }

    /// Ends the session, whose seed is shown, and begins another with a key of the system's own chance. What is to be
    /// written down of it; none where there is no chance to be had, and the session goes on.
    pub fn reveal(&mut self) -> Option<String> {
        match Seed::fresh() {
            Ok(fresh) => {
                let ended = std::mem::replace(&mut self.throws, Throws::from_seed(fresh));
                let (commitment, throws) = (ended.commitment(), ended.made());
                let seed = ended.reveal();
                self.before = Some(Shown { seed, commitment, throws });
                self.fault = None;
                Some(format!("dice: a session of {throws} throws ends; seed {seed}, commitment {commitment}"))
            }
            Err(why) => {
                self.fault = Some(format!("The session goes on: {why}."));
                None
            }
        }
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
            From::Thrown(number, seed) => Some(format!(
                "Thrown by the program, throw {number} of its session. Again: groma dice --seed {seed} --count 2"
            )),
            From::Typed => Some("Typed from the table.".to_owned()),
            From::Seen(DiceFrom::CameraCorrected) => {
                Some("Read by the camera, put right by hand.".to_owned())
            }
            From::Seen(_) => Some("Read by the camera.".to_owned()),
        }
    }

    /// What told the dice that lie.
    pub fn from(&self) -> Option<DiceFrom> {
        Some(match self.lie.as_ref()?.0 {
            From::Thrown(..) => DiceFrom::Program,
            From::Typed => DiceFrom::Typed,
            From::Seen(from) => from,
        })
    }

    /// Dice of the camera lie, as somebody accepted them.
    pub fn take_seen(&mut self, outcome: OutcomeView, from: DiceFrom) {
        self.typed = Default::default();
        self.errors = Default::default();
        self.lie = Some((From::Seen(from), outcome));
    }

    /// A field's text changed.
    pub fn type_in(&mut self, slot: Slot, text: String) {
        self.typed[slot.index()] = text;
        self.errors[slot.index()] = None;
    }

    /// Throws both, the first element's first. Typed ones are of an earlier throw: their fields empty.
    pub fn throw(&mut self, outcome: impl FnOnce([Die; 2]) -> OutcomeView) {
        let mut row = self.throws.next_throw();
        let dice = [row.throw(), row.throw()];
        self.typed = Default::default();
        self.errors = Default::default();
        self.lie = Some((From::Thrown(self.throws.made(), row.seed()), outcome(dice)));
    }

    /// Throws one, for something that is no combat; what was thrown, and how to throw it again. What lies stays.
    pub fn throw_one(&mut self) -> (Die, String) {
        let mut row = self.throws.next_throw();
        let die = row.throw();
        let words = format!(
            "Thrown by the program, throw {} of its session: {}. Again: groma dice --seed {} --count 1",
            self.throws.made(),
            die.pips(),
            row.seed()
        );
        (die, words)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_ends_with_its_seed_and_another_begins() {
        let mut dice = DiceState::new(Throws::from_seed(7));
        let first = dice.proof();
        // The SHA-256 of the text "7", by another program.
        assert!(first[0].ends_with("7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451"));
        assert!(!first.iter().any(|line| line.contains("Seed")), "{first:?}");
        let told = dice.reveal().expect("chance");
        assert!(told.contains("seed 7, commitment 7902699b"), "{told}");
        let after = dice.proof();
        assert_ne!(after[0], first[0]);
        assert!(after[2].ends_with("of 0 throws: 7") && after[3].ends_with("da49081b2451"), "{after:?}");
    }
}
