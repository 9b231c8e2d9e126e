//! The game's clock: how long the players have, and whether the bound in play is the last. Times come with the calls;
//! nothing here reads a clock. Invariant: what was spent only grows, but when the clock is set back.

use crate::app::command::ClockCommand;
use std::time::Duration;

/// The usual limit (tournament.format.2).
pub const USUAL: Duration = Duration::from_secs(60 * 60);
/// So long before the end it is told that the end is near: a choice, about two bounds.
pub const NEAR_END: Duration = Duration::from_secs(5 * 60);
/// The longest game that can be set, minutes.
const LONGEST_MIN: u64 = 24 * 60;

/// How the game stands by the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockPhase {
    /// There is time.
    Play,
    /// The end is near.
    NearEnd,
    /// Time is up: the bound in play is the last.
    LastBound,
}

/// The clock.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameClock {
    minutes: String,
    limit: Duration,
    spent: Duration,
    /// Since when it runs; none while it stands.
    since: Option<Duration>,
    now: Duration,
    refused: Option<String>,
}

impl Default for GameClock {
    fn default() -> Self {
        Self {
            minutes: (USUAL.as_secs() / 60).to_string(),
            limit: USUAL,
            spent: Duration::ZERO,
            since: None,
            now: Duration::ZERO,
            refused: None,
        }
    }
}

impl GameClock {
    /// Time goes on: it is `now` since the window began.
    pub fn tick(&mut self, now: Duration) {
        self.now = self.now.max(now);
    }

    /// What was spent, and the limit; none where it never ran.
    pub fn spent_of(&self) -> Option<(Duration, Duration)> {
        let running = self.since.map_or(Duration::ZERO, |since| self.now.saturating_sub(since));
        self.begun().then_some((self.spent + running, self.limit))
    }

    /// What the players have left; nothing once time is up.
    pub fn left(&self) -> Duration {
        let running = self.since.map_or(Duration::ZERO, |since| self.now.saturating_sub(since));
        self.limit.saturating_sub(self.spent + running)
    }

    /// Whether it runs.
    pub fn runs(&self) -> bool {
        self.since.is_some()
    }

    /// Whether it was started at all.
    pub fn begun(&self) -> bool {
        self.runs() || self.spent > Duration::ZERO
    }

    /// How the game stands by it.
    pub fn phase(&self) -> ClockPhase {
        match self.left() {
            Duration::ZERO => ClockPhase::LastBound,
            left if left <= NEAR_END && self.begun() => ClockPhase::NearEnd,
            _ => ClockPhase::Play,
        }
    }

    /// What is left, as hours, minutes and seconds.
    pub fn words(&self) -> String {
        // A second that has begun counts: it stands at 0 when time is up and not before.
        let seconds = self.left().as_millis().div_ceil(1000);
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        if hours > 0 {
            format!("{hours}:{minutes:02}:{seconds:02}")
        } else {
            format!("{minutes}:{seconds:02}")
        }
    }

    /// What stands in the field for the limit, minutes.
    pub fn minutes(&self) -> &str {
        &self.minutes
    }

    /// What is wrong with it.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    pub(super) fn carry_out(&mut self, command: ClockCommand) {
        match command {
            ClockCommand::TypeMinutes(text) => {
                match text.trim().parse::<u64>().ok().filter(|m| (1..=LONGEST_MIN).contains(m)) {
                    Some(minutes) => {
                        self.limit = Duration::from_secs(60 * minutes);
                        self.refused = None;
                    }
                    None => self.refused = Some(format!("Minutes, 1 to {LONGEST_MIN}.")),
                }
                self.minutes = text;
            }
            ClockCommand::StartStop => match self.since.take() {
                Some(since) => self.spent += self.now.saturating_sub(since),
                None => self.since = Some(self.now),
            },
            ClockCommand::SetBack => (self.spent, self.since) = (Duration::ZERO, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(clock: &mut GameClock, minutes: u64) -> (ClockPhase, String) {
        clock.tick(Duration::from_secs(60 * minutes));
        (clock.phase(), clock.words())
    }

    #[test]
    fn it_runs_only_while_it_is_let_and_tells_the_last_bound() {
        let mut clock = GameClock::default();
        assert_eq!(at(&mut clock, 10), (ClockPhase::Play, "1:00:00".to_owned()));
        clock.carry_out(ClockCommand::StartStop);
        assert_eq!(at(&mut clock, 40), (ClockPhase::Play, "30:00".to_owned()));
        clock.carry_out(ClockCommand::StartStop);
        assert_eq!(at(&mut clock, 90), (ClockPhase::Play, "30:00".to_owned()));
        clock.carry_out(ClockCommand::StartStop);
        assert_eq!(at(&mut clock, 116), (ClockPhase::NearEnd, "4:00".to_owned()));
        assert_eq!(at(&mut clock, 120), (ClockPhase::LastBound, "0:00".to_owned()));
        assert_eq!(at(&mut clock, 500), (ClockPhase::LastBound, "0:00".to_owned()));
        // More time is given, and what was played counts.
        clock.carry_out(ClockCommand::TypeMinutes("x".to_owned()));
        assert!(clock.refused().is_some() && clock.phase() == ClockPhase::LastBound);
        clock.carry_out(ClockCommand::SetBack);
        clock.carry_out(ClockCommand::TypeMinutes("75".to_owned()));
        assert_eq!(at(&mut clock, 501), (ClockPhase::Play, "1:15:00".to_owned()));
    }
}
