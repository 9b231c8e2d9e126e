//! Following play without being told: whose bound it is, when moves are over and what combat brought about, from looks
//! at the table alone. Table frame, millimetres.
//!
//! What changed between two looks is shared out: what the dice put there, what looks like the end of a combat whose
//! dice nobody gave, who conforms or turns to face, and who simply moves. A side's bound begins with its first move
//! that is none of these; a bumped table, a nudge and a base that is straightened begin nothing. How far a first move
//! goes at least, and how near bases touch, are choices.

use super::moves::changed;
use crate::geometry::{Corner, Footprint, Vector, separation};
use crate::rules::bound::Bound;
use crate::rules::movement::{NUDGE_MM, bumped};
use crate::rules::{Element, Location, Ruleset, Setup, Side};

/// A side's bound begins with a move of so much at a corner, at least, millimetres: less is a knock.
const FIRST_MOVE_MM: f64 = 10.0;
/// Bases no further apart were in contact, millimetres: what hands leave.
const TOUCH_MM: f64 = 3.0;
/// A base stands where the dice put it when no corner is further off, millimetres: what hands leave.
pub const MET_MM: f64 = 5.0;
/// Straight back is no further aside than this, millimetres, and no more turned, radians.
const ASIDE_MM: f64 = 5.0;
const TURN_RAD: f64 = 0.09;
/// Who flees is turned by so much at least, radians: about, but for a line-up on the way.
const ABOUT_RAD: f64 = 2.0;
/// Who is shot at stands no further from a shooter, base widths (clause dba3.sht.3).
const SHOT_BW: f64 = 5.0;

/// How far a bound has gone, as far as it shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Stage {
    /// Moves are made.
    #[default]
    Moves,
    /// Dice were thrown, or bases stand as combat leaves them.
    Combat,
}

/// Where the dice put an element.
#[derive(Debug, Clone, PartialEq)]
pub struct Awaited {
    /// Who.
    pub who: String,
    /// Whose.
    pub side: Side,
    /// Where it is to stand; none: it is taken off.
    pub to: Option<Footprint>,
}

impl Awaited {
    /// Whether that is so, where the element stands there; none: nowhere on the table.
    pub fn met_by(&self, now: Option<&Footprint>) -> bool {
        match (&self.to, now) {
            (Some(to), Some(now)) => furthest(to, now) <= MET_MM,
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        }
    }
}

/// What is known of a bound that is followed.
#[derive(Debug, Clone)]
pub(super) struct Follow {
    pub stage: Stage,
    /// Where everything stood when the bound began.
    pub began: Setup,
    /// Whether the armies are still being put on the table: nobody has moved, rolled or said anything.
    pub deploying: bool,
    /// What the dice of this bound bring about, and is not done yet.
    pub awaited: Vec<Awaited>,
    /// What was done of it.
    pub done: Vec<Awaited>,
    /// Whether the bounding side has not moved since a PIP die was told: it may be the other side's.
    pub die_is_fresh: bool,
}

impl Follow {
    pub fn from(began: Setup) -> Self {
        Self {
            stage: Stage::Moves,
            began,
            deploying: true,
            awaited: Vec::new(),
            done: Vec::new(),
            die_is_fresh: false,
        }
    }

    /// Another bound begins.
    pub fn next(&mut self, began: Setup) {
        *self = Self { deploying: false, ..Self::from(began) };
    }

    /// More dice lie: all that they bring about in this bound, what is done already among it.
    pub fn awaits(&mut self, all: Vec<Awaited>) {
        (self.stage, self.deploying) = (Stage::Combat, false);
        self.done.retain(|d| all.contains(d));
        self.awaited = all.into_iter().filter(|a| !self.done.contains(a)).collect();
    }

    /// The element is off the table.
    pub fn take_off(&mut self, name: &str) {
        self.began.elements.retain(|e| e.name != name);
        self.awaited.retain(|a| a.who != name);
    }
}

/// What changed, by what it is. Names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shared {
    /// The dice put them there, or combat whose dice nobody gave.
    pub fought: Vec<String>,
    /// Contacted elements that conform or turn to face.
    pub conformed: Vec<String>,
    /// Of the other side, and moved by none of that.
    pub theirs: Vec<String>,
    /// Of the side whose bound it is, and moved by none of that.
    pub mine: Vec<String>,
    /// Carried along by a bumped table.
    pub carried: Vec<String>,
}

/// Two looks, and the bound between them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Looks<'s> {
    /// Where the last move that is over left everything.
    pub stood: &'s Setup,
    /// What was seen last: with what is still open.
    pub last: &'s Setup,
    /// The last look, whatever the rules made of it.
    pub seen: &'s Setup,
    pub now: &'s Setup,
    pub bound: &'s Bound,
    /// Movers of what is open.
    pub open: &'s [String],
    pub rules: &'s Ruleset,
    pub sigma_mm: f64,
}

impl Looks<'_> {
    /// Shares out what changed.
    pub fn shared(&self, follow: &Follow) -> Shared {
        let carried = bumped(self.stood, self.now, self.sigma_mm);
        // Who was knocked before the whole table slid has gone as far as both together.
        let slid = carried.iter().map(|name| self.far(name)).fold(0.0, f64::max);
        let stirred = changed(self.last, self.now, self.sigma_mm).into_iter();
        let stirred: Vec<&Element> = stirred
            .filter(|(e, mm)| *mm > NUDGE_MM && e.location == Location::Board && !carried.contains(&e.name))
            .map(|(e, _)| e)
            .collect();
        let mut shared = Shared { carried, ..Shared::default() };
        // The other side first: what it does tells whether the bounding side fights.
        let (mine, other): (Vec<&Element>, Vec<&Element>) =
            stirred.iter().partition(|e| e.side == self.bound.side);
        for element in other.iter().chain(&mine) {
            let name = element.name.clone();
            if follow.awaited.iter().any(|a| a.who == name) {
                shared.fought.push(name);
            } else if follow.done.iter().any(|d| d.who == name) {
                // Its dice are done: what it does now it does by itself.
            } else if self.conforms(element, &stirred) {
                shared.conformed.push(name);
            } else if self.fought(element, &shared.fought, follow.stage) {
                shared.fought.push(name);
            }
        }
        self.along(&stirred, &mut shared);
        for element in stirred {
            if shared.settled(&element.name) {
                continue;
            }
            if element.side == self.bound.side {
                shared.mine.push(element.name.clone());
            } else if self.far(&element.name) > FIRST_MOVE_MM + slid && self.moves_now(element) {
                shared.theirs.push(element.name.clone());
            }
        }
        shared
    }

    /// How far it has gone since the last move was over, millimetres at a corner.
    fn far(&self, name: &str) -> f64 {
        match (self.stood.element(name), self.now.element(name)) {
            (Some(was), Some(is)) => furthest(&was.footprint, &is.footprint),
            _ => 0.0,
        }
    }

    /// Whether it has moved since it was looked at last: where it was let stand it begins no bound.
    fn moves_now(&self, element: &Element) -> bool {
        match (self.seen.element(&element.name), self.now.element(&element.name)) {
            (Some(was), Some(is)) => furthest(&was.footprint, &is.footprint) > NUDGE_MM,
            _ => true,
        }
    }

    fn enemies(&self, element: &Element) -> impl Iterator<Item = &Element> {
        let touching = |e: &&Element, f: Footprint| separation(&e.footprint, &f).mm <= TOUCH_MM;
        let (side, base) = (element.side, element.footprint);
        self.last.elements.iter().filter(move |e| e.side != side && touching(e, base))
    }

    /// Whether a contacted element of the other side conforms or turns to face: it touches the same enemy still, and
    /// that one stood still.
    fn conforms(&self, element: &Element, stirred: &[&Element]) -> bool {
        let Some(now) = self.now.element(&element.name) else { return false };
        element.side != self.bound.side
            && self.enemies(element).any(|enemy| {
                !stirred.iter().any(|s| s.name == enemy.name)
                    && separation(&enemy.footprint, &now.footprint).mm <= TOUCH_MM
            })
    }

    /// Whether it looks like the end of a combat or of shooting whose dice nobody gave.
    fn fought(&self, element: &Element, fought: &[String], stage: Stage) -> bool {
        let mine = element.side == self.bound.side;
        let back = self.goes_straight_back(element);
        let mut enemies = self.enemies(element).peekable();
        if enemies.peek().is_some() {
            let moved =
                self.open.contains(&element.name) || self.bound.moves_of(&element.name).next().is_some();
            let beaten = |e: &Element| fought.contains(&e.name) || self.now.element(&e.name).is_none();
            let fights = !mine || stage == Stage::Combat || moved && back || enemies.any(beaten);
            return fights && (back || self.flees(element) || self.goes_on(element));
        }
        let shot_at = || {
            let range = SHOT_BW * self.stood.scale.mm_per_bw();
            self.last.elements.iter().any(|e| {
                e.side != element.side
                    && self.rules.troop(&e.troop).is_some_and(|t| t.shoots())
                    && separation(&e.footprint, &element.footprint).mm <= range
            })
        };
        back && (!mine || stage == Stage::Combat) && shot_at()
    }

    /// Turned about and away to what was its rear, however far.
    fn flees(&self, element: &Element) -> bool {
        let Some(now) = self.now.element(&element.name) else { return false };
        let (was, is) = (element.footprint.pose(), now.footprint.pose());
        let turned = was.heading.turn_to_radians(is.heading).abs();
        turned >= ABOUT_RAD && (is.centre - was.centre).dot(&was.heading.vector()) < 0.0
    }

    /// Straight ahead, no further than a base width, after an enemy that it touched and that stands there no more.
    fn goes_on(&self, element: &Element) -> bool {
        let Some(now) = self.now.element(&element.name) else { return false };
        let (was, is) = (element.footprint.pose(), now.footprint.pose());
        let way = is.centre - was.centre;
        let ahead = way.dot(&was.heading.vector());
        let left = |e: &Element| {
            self.now.element(&e.name).is_none_or(|now| furthest(&e.footprint, &now.footprint) > NUDGE_MM)
        };
        ahead > 0.0
            && ahead <= self.stood.scale.mm_per_bw() + ASIDE_MM
            && way.dot(&was.heading.right()).abs() <= ASIDE_MM
            && was.heading.turn_to_radians(is.heading).abs() <= TURN_RAD
            && self.enemies(element).any(left)
    }

    /// Straight to its rear, by more than a nudge and no more than a base width, facing as it did.
    fn goes_straight_back(&self, element: &Element) -> bool {
        let Some(now) = self.now.element(&element.name) else { return false };
        let (was, is) = (element.footprint.pose(), now.footprint.pose());
        let way = is.centre - was.centre;
        let ahead = way.dot(&was.heading.vector());
        ahead < -NUDGE_MM
            && -ahead <= self.stood.scale.mm_per_bw() + ASIDE_MM
            && way.dot(&was.heading.right()).abs() <= ASIDE_MM
            && was.heading.turn_to_radians(is.heading).abs() <= TURN_RAD
    }

    /// Friends who are pushed back by those who fought, or follow them up: they touched one and went the same way.
    fn along(&self, stirred: &[&Element], shared: &mut Shared) {
        loop {
            let with = |e: &Element| {
                let Some(way) = self.way(e) else { return false };
                let leads = |name: &String| {
                    let leader = self.last.element(name).filter(|l| l.side == e.side)?;
                    let led = self.way(leader)?;
                    let same = way.dot(&led) > 0.85 * way.norm() * led.norm();
                    Some(same && separation(&leader.footprint, &e.footprint).mm <= TOUCH_MM)
                };
                shared.fought.iter().any(|name| leads(name).unwrap_or(false))
            };
            let next = stirred.iter().find(|e| !shared.settled(&e.name) && with(e));
            match next.map(|e| e.name.clone()) {
                Some(name) => shared.fought.push(name),
                None => return,
            }
        }
    }

    fn way(&self, element: &Element) -> Option<Vector> {
        let now = self.now.element(&element.name)?;
        Some(now.footprint.pose().centre - element.footprint.pose().centre)
    }
}

impl Shared {
    /// Whether it was moved by no move.
    fn settled(&self, name: &str) -> bool {
        [&self.fought, &self.conformed].into_iter().flatten().any(|n| n == name)
    }
}

/// How far apart two places of one base are at its corners, millimetres.
pub fn furthest(a: &Footprint, b: &Footprint) -> f64 {
    Corner::ALL.into_iter().map(|c| (a.corner(c) - b.corner(c)).norm()).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Settings, notation};

    /// Two that fight, two in the open, and one who supports from behind.
    const TABLE: &str = "A 4Pk red (4,4)-(5,4) N d0.375; B 4Pk red (4,3.625)-(5,3.625) N d0.375; \
                         C Cv red (9,4)-(10,4) N; E 4Bd blue (5,4)-(4,4) S d0.375; F 4Bd blue (9,10)-(8,10) S";

    /// What is made of elements that went so far ahead, aside to their right, and turned left, in red's bound.
    fn shared(gone: &[(&str, f64, f64, f64)], stage: Stage, awaited: &[&str]) -> Shared {
        let settings = Settings::dba3();
        let stood = notation::read_setup(TABLE, settings.ruleset()).expect("a setup");
        let mut now = stood.clone();
        for (name, ahead, right, deg) in gone {
            let element = now.elements.iter_mut().find(|e| e.name == *name).expect("there");
            let pose = element.footprint.pose();
            let by = pose.heading.vector() * *ahead + pose.heading.right() * *right;
            element.footprint = element.footprint.moved_to(pose.nudged(by, deg.to_radians()));
        }
        let bound = Bound::new(3, Side::Red);
        let mut follow = Follow { stage, ..Follow::from(stood.clone()) };
        follow.awaited = awaited
            .iter()
            .map(|who| Awaited { who: (*who).to_owned(), side: Side::Blue, to: None })
            .collect();
        let looks = Looks {
            stood: &stood,
            last: &stood,
            seen: &stood,
            now: &now,
            bound: &bound,
            open: &[],
            rules: settings.ruleset(),
            sigma_mm: 0.0,
        };
        looks.shared(&follow)
    }

    #[test]
    fn the_other_side_s_first_move_is_its_own_and_a_knock_is_not() {
        let of = |gone: &[(&str, f64, f64, f64)]| shared(gone, Stage::Moves, &[]);
        assert_eq!(of(&[("F", 40.0, 0.0, 0.0)]).theirs, ["F"]);
        assert_eq!(of(&[("F", 6.0, 2.0, 0.0)]), Shared::default());
        let both = of(&[("F", 40.0, 0.0, 0.0), ("C", 60.0, 0.0, 0.0)]);
        assert_eq!((both.mine, both.theirs), (vec!["C".to_owned()], vec!["F".to_owned()]));
    }

    #[test]
    fn a_bumped_table_is_nobody_s_move_though_somebody_moves_as_well() {
        // Red looks north and blue south: the same slide is the other way round for them.
        let mut gone = vec![("A", 12.0, 0.0, 0.0), ("B", 12.0, 0.0, 0.0), ("C", 12.0, 0.0, 0.0)];
        gone.extend([("E", -12.0, 0.0, 0.0), ("F", -12.0, 0.0, 0.0)]);
        let bump = shared(&gone, Stage::Moves, &[]);
        assert_eq!((bump.carried.len(), bump.theirs.len(), bump.mine.len()), (5, 0, 0));
        gone[4] = ("F", 60.0, 0.0, 0.0);
        let moved = shared(&gone, Stage::Moves, &[]);
        assert_eq!((moved.carried.len(), moved.theirs), (4, vec!["F".to_owned()]));
    }

    #[test]
    fn who_fights_and_goes_back_begins_no_bound_whether_dice_were_given_or_not() {
        let back = shared(&[("E", -15.0, 0.0, 0.0)], Stage::Moves, &[]);
        assert_eq!((back.fought, back.theirs.len()), (vec!["E".to_owned()], 0));
        // Fled, turned about.
        let fled = shared(&[("E", -90.0, 0.0, 180.0)], Stage::Moves, &[]);
        assert_eq!((fled.fought, fled.theirs.len()), (vec!["E".to_owned()], 0));
        // Red pursues with the support behind it, as its enemy goes back.
        let after = shared(
            &[("E", -15.0, 0.0, 0.0), ("A", 15.0, 0.0, 0.0), ("B", 15.0, 0.0, 0.0)],
            Stage::Moves,
            &[],
        );
        assert_eq!((after.fought.len(), after.mine.len()), (3, 0));
        // The dice put the other one off, who touches nobody.
        let awaited = shared(&[("F", -20.0, 0.0, 0.0)], Stage::Combat, &["F"]);
        assert_eq!((awaited.fought, awaited.theirs.len()), (vec!["F".to_owned()], 0));
    }

    #[test]
    fn a_side_that_breaks_off_moves_and_one_that_recoils_after_the_dice_does_not() {
        let off = |stage| shared(&[("A", -40.0, 0.0, 0.0), ("B", -40.0, 0.0, 0.0)], stage, &[]);
        assert_eq!(off(Stage::Moves).mine, ["A", "B"]);
        assert_eq!(off(Stage::Combat).fought, ["A", "B"]);
    }

    #[test]
    fn who_was_in_contact_and_goes_as_no_combat_ends_moves_by_itself() {
        let of = |gone: &[(&str, f64, f64, f64)]| shared(gone, Stage::Moves, &[]);
        // Two base widths back, facing as it did; and away to its flank.
        for gone in [("E", -80.0, 0.0, 0.0), ("E", -20.0, 60.0, 90.0)] {
            let made = of(&[gone]);
            assert_eq!((made.theirs, made.fought.len()), (vec!["E".to_owned()], 0), "{gone:?}");
        }
        // Ahead by itself, and a whole move ahead though its enemy went back.
        let far = of(&[("A", -15.0, 0.0, 0.0), ("B", -15.0, 0.0, 0.0), ("E", 100.0, 0.0, 0.0)]);
        assert_eq!(far.theirs, ["E"]);
        let after = of(&[("A", -15.0, 0.0, 0.0), ("B", -15.0, 0.0, 0.0), ("E", 15.0, 0.0, 0.0)]);
        assert_eq!((after.theirs.len(), after.fought.contains(&"E".to_owned())), (0, true));
    }

    #[test]
    fn who_lines_up_with_its_attacker_conforms() {
        let lined = shared(&[("E", 0.0, 8.0, 0.0)], Stage::Moves, &[]);
        assert_eq!((lined.conformed, lined.fought.len()), (vec!["E".to_owned()], 0));
    }

    #[test]
    fn a_base_stands_where_the_dice_put_it_to_within_what_hands_leave() {
        let at = |x: f64| Footprint::new(crate::geometry::Pose::new(x, 100.0, 90.0), 40.0, 15.0);
        let to = at(100.0);
        let awaited = Awaited { who: "A".to_owned(), side: Side::Red, to };
        let met = |x: f64| awaited.met_by(at(x).as_ref());
        assert!(met(104.9) && !met(105.1) && !awaited.met_by(None));
        let off = Awaited { to: None, ..awaited.clone() };
        assert!(off.met_by(None) && !off.met_by(at(1.0).as_ref()));
    }
}
