//! Dice that are offered: as the camera read them, with what a person has put right.

use super::whose::Whose;
use crate::rules::Side;
use crate::session::play::FightKind;
use crate::vision::dice::{DiceSeen, DieReading, DieRefusal, WhyNot};

/// What dice are thrown for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DiceFor {
    /// The PIP die of a side; none where it is not known whose bound it is.
    Pips(Option<Side>),
    /// Close combat or shooting of two.
    Fight {
        /// Which of both.
        kind: FightKind,
        /// The two.
        names: [String; 2],
        /// Whose they are.
        sides: [Side; 2],
    },
}

impl DiceFor {
    /// How many dice it takes.
    pub fn count(&self) -> usize {
        match self {
            Self::Pips(_) => 1,
            Self::Fight { .. } => 2,
        }
    }

    /// In words.
    pub fn words(&self) -> String {
        match self {
            Self::Pips(None) => "the PIP die".to_owned(),
            Self::Pips(Some(side)) => format!("the PIP die of {}", side.word()),
            Self::Fight { kind: FightKind::Close, names: [a, b], .. } => format!("{a} against {b}"),
            Self::Fight { kind: FightKind::Shooting, names: [a, b], .. } => format!("{a} shoots at {b}"),
        }
    }
}

/// A die that is offered.
#[derive(Debug, Clone, PartialEq)]
pub struct OfferedDie {
    /// What it shows; none where it was not read and nobody has said.
    pub value: Option<u8>,
    /// How plainly it was read, 0 to 1.
    pub confidence: Option<f64>,
    /// Why it was not.
    pub why: Option<WhyNot>,
    /// Whether a person said what it shows.
    pub by_hand: bool,
    /// Its middle, pixels of the picture.
    pub middle: [f64; 2],
    /// Its size, pixels.
    pub size: f64,
    /// The colour of its face, where it was read.
    pub colour: Option<[u8; 3]>,
}

impl OfferedDie {
    fn read(die: &DieReading) -> Self {
        Self {
            value: Some(die.value),
            confidence: Some(die.confidence),
            why: None,
            by_hand: false,
            middle: die.middle,
            size: die.side,
            colour: Some(die.colour),
        }
    }

    fn refused(die: &DieRefusal) -> Self {
        Self {
            value: None,
            confidence: None,
            why: Some(die.why),
            by_hand: false,
            middle: die.middle,
            size: 2.0 * die.radius,
            colour: None,
        }
    }

    /// What is known of it, in words.
    pub fn words(&self) -> String {
        match (self.value, self.by_hand, self.confidence, self.why) {
            (Some(value), true, ..) => format!("{value}, by hand"),
            (Some(value), false, Some(confidence), _) => {
                format!("{value}, confidence {:.0} %", 100.0 * confidence)
            }
            (Some(value), ..) => value.to_string(),
            (None, _, _, Some(why)) => format!("not read: {why}"),
            (None, ..) => "not read".to_owned(),
        }
    }
}

/// Dice that are offered, from the left.
#[derive(Debug, Clone, PartialEq)]
pub struct Offer {
    /// The dice, at least one.
    pub dice: Vec<OfferedDie>,
    /// Whose turn it is to be put right, and which of several enters where one is wanted.
    pub turn: usize,
    /// What it was made of.
    seen: DiceSeen,
}

/// A die lies unchanged where it was read as the same, or was refused, no further from its place, in its own size.
const UNCHANGED: f64 = 0.25;

fn near(a: [f64; 2], b: [f64; 2], size: f64) -> bool {
    (a[0] - b[0]).hypot(a[1] - b[1]) <= UNCHANGED * size
}

/// What of that which lies there does not lie there unchanged since `used` was dealt with.
pub(super) fn fresh(seen: &DiceSeen, used: &DiceSeen) -> DiceSeen {
    let read = |die: &DieReading| {
        used.readings.iter().any(|u| u.value == die.value && near(u.middle, die.middle, die.side))
            || used.refusals.iter().any(|u| near(u.middle, die.middle, die.side))
    };
    let refused = |die: &DieRefusal| {
        let size = 2.0 * die.radius;
        used.refusals.iter().any(|u| near(u.middle, die.middle, size))
            || used.readings.iter().any(|u| near(u.middle, die.middle, u.side))
    };
    DiceSeen {
        readings: seen.readings.iter().filter(|die| !read(die)).cloned().collect(),
        refusals: seen.refusals.iter().filter(|die| !refused(die)).cloned().collect(),
    }
}

impl Offer {
    /// Of dice that nobody has dealt with; none where there are none.
    pub(super) fn of(seen: &DiceSeen) -> Option<Self> {
        let read = seen.readings.iter().map(OfferedDie::read);
        let mut dice: Vec<OfferedDie> = read.chain(seen.refusals.iter().map(OfferedDie::refused)).collect();
        dice.sort_by(|a, b| a.middle[0].total_cmp(&b.middle[0]));
        let turn = dice.iter().position(|die| die.value.is_none()).unwrap_or(0);
        (!dice.is_empty()).then(|| Self { dice, turn, seen: seen.clone() })
    }

    /// Whether it was made of just these, lying as they did.
    pub(super) fn is_of(&self, seen: &DiceSeen) -> bool {
        let none = |left: DiceSeen| left.readings.is_empty() && left.refusals.is_empty();
        none(fresh(seen, &self.seen)) && none(fresh(&self.seen, seen))
    }

    /// The die whose turn it is shows that; where another was not read, it is that one's turn then.
    pub(super) fn correct(&mut self, value: u8) {
        if !(1..=6).contains(&value) {
            return;
        }
        let die = &mut self.dice[self.turn];
        die.by_hand |= die.value != Some(value);
        die.value = Some(value);
        if let Some(unread) = self.dice.iter().position(|die| die.value.is_none()) {
            self.turn = unread;
        }
    }

    pub(super) fn next(&mut self) {
        self.turn = (self.turn + 1) % self.dice.len();
    }

    /// Whether a person has put one right.
    pub(super) fn put_right(&self) -> bool {
        self.dice.iter().any(|die| die.by_hand)
    }

    /// The dice that enter, in the order in which they are wanted.
    pub(super) fn entering(&self, wanted: &DiceFor, whose: &Whose) -> Result<Vec<u8>, String> {
        let unread = "A die was not read: press 1 to 6 for what it shows, or throw again.".to_owned();
        match wanted {
            DiceFor::Pips(_) => self.dice[self.turn].value.map(|value| vec![value]).ok_or(unread),
            DiceFor::Fight { sides, .. } => {
                let [a, b] = self.dice.as_slice() else {
                    let lie = if self.dice.len() == 1 { "1 lies" } else { "more lie" };
                    return Err(format!("Two dice are wanted, and {lie} there: throw again, or discard."));
                };
                let dice = [a, b];
                // Of two of one side the first is the left one.
                let order =
                    if sides[0] == sides[1] { [0, 1] } else { sides.map(|side| whose.die_of(side, dice)) };
                order.into_iter().map(|n| dice[n].value).collect::<Option<_>>().ok_or(unread)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: [u8; 3] = [180, 30, 30];
    const WHITE: [u8; 3] = [236, 234, 226];

    fn die(value: u8, x: f64, colour: [u8; 3]) -> DieReading {
        DieReading { value, middle: [x, 80.0], side: 30.0, confidence: 0.8, colour }
    }

    fn seen(readings: Vec<DieReading>, refusals: Vec<DieRefusal>) -> DiceSeen {
        DiceSeen { readings, refusals }
    }

    fn refused(x: f64) -> DieRefusal {
        DieRefusal { middle: [x, 80.0], radius: 15.0, why: WhyNot::Cocked }
    }

    fn fight(sides: [Side; 2]) -> DiceFor {
        DiceFor::Fight { kind: FightKind::Close, names: ["A".to_owned(), "B".to_owned()], sides }
    }

    #[test]
    fn dice_that_lie_unchanged_are_not_fresh_and_those_that_were_thrown_again_are() {
        let lay = seen(vec![die(4, 50.0, WHITE), die(2, 150.0, WHITE)], vec![refused(250.0)]);
        assert_eq!(fresh(&lay, &lay), DiceSeen::default());
        // A pixel on, one read that was refused before: the same dice.
        let now = seen(vec![die(4, 51.0, WHITE), die(2, 150.0, WHITE), die(6, 252.0, WHITE)], vec![]);
        assert_eq!(fresh(&now, &lay), DiceSeen::default());
        let thrown = seen(vec![die(5, 50.0, WHITE), die(2, 190.0, WHITE)], vec![refused(250.0)]);
        assert_eq!(fresh(&thrown, &lay).readings, thrown.readings);
        assert!(fresh(&thrown, &lay).refusals.is_empty());
    }

    #[test]
    fn a_die_that_was_not_read_enters_only_as_a_person_says() {
        let mut offer = Offer::of(&seen(vec![die(4, 50.0, WHITE)], vec![refused(150.0)])).expect("dice");
        assert_eq!(offer.turn, 1);
        assert!(offer.dice[1].words().starts_with("not read: it leans"), "{}", offer.dice[1].words());
        let (wanted, whose) = (fight([Side::Red, Side::Blue]), Whose::default());
        assert!(offer.entering(&wanted, &whose).expect_err("not read").contains("1 to 6"));
        offer.correct(7);
        assert_eq!(offer.dice[1].value, None);
        offer.correct(3);
        assert_eq!(offer.entering(&wanted, &whose), Ok(vec![4, 3]));
        assert!(offer.put_right() && offer.dice[1].words() == "3, by hand");
    }

    #[test]
    fn of_several_dice_the_one_whose_turn_it_is_is_the_pip_die_and_three_are_no_combat_s() {
        let dice = vec![die(4, 50.0, WHITE), die(2, 150.0, WHITE), die(6, 250.0, WHITE)];
        let mut offer = Offer::of(&seen(dice, vec![])).expect("dice");
        let whose = Whose::default();
        assert_eq!(offer.entering(&DiceFor::Pips(None), &whose), Ok(vec![4]));
        offer.next();
        assert_eq!(offer.entering(&DiceFor::Pips(None), &whose), Ok(vec![2]));
        offer.next();
        offer.next();
        assert_eq!(offer.entering(&DiceFor::Pips(None), &whose), Ok(vec![4]));
        assert!(offer.entering(&fight([Side::Red, Side::Blue]), &whose).is_err());
    }

    #[test]
    fn whose_die_is_whose_goes_by_place_until_two_colours_were_accepted() {
        let offered = |left, right| {
            Offer::of(&seen(vec![die(4, 50.0, left), die(2, 150.0, right)], vec![])).expect("dice")
        };
        let mut whose = Whose::default();
        let (red_first, blue_first) = (fight([Side::Red, Side::Blue]), fight([Side::Blue, Side::Red]));
        let alike = offered(WHITE, WHITE);
        assert_eq!(alike.entering(&red_first, &whose), Ok(vec![4, 2]));
        assert_eq!(alike.entering(&blue_first, &whose), Ok(vec![2, 4]));
        whose.swap(&alike);
        assert_eq!(alike.entering(&red_first, &whose), Ok(vec![2, 4]));
        // White on the left was accepted as blue's: from then on white is, wherever it lies.
        whose.learn(&offered(WHITE, RED));
        assert_eq!(offered(RED, WHITE).entering(&red_first, &whose), Ok(vec![4, 2]));
        assert_eq!(offered(WHITE, RED).entering(&red_first, &whose), Ok(vec![2, 4]));
        // Dice of one colour go by place still.
        assert_eq!(alike.entering(&red_first, &whose), Ok(vec![2, 4]));
        whose.swap(&offered(RED, WHITE));
        assert_eq!(offered(RED, WHITE).entering(&red_first, &whose), Ok(vec![2, 4]));
    }
}
