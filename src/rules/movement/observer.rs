//! Watching play: from looks at the table in their order, which moves are open, over or no moves at all.
//!
//! A move stays provisional until another element starts to move or the player closes it (clause
//! dba3.move.7): until then re-adjusting merges with it, for what it was is told from where it began. What
//! stirs without being a move is a nudge, offered as put back or accept, without PIP or fault
//! ([`super::nudges`]). Turning on the spot is an explanation of its own.
//!
//! Table frame, millimetres. No clock: a look is a table at rest, and time is their order. Invariants: what
//! is over is never changed by a later look; a nudge that is not accepted is not part of where a later
//! move begins.

use super::nudges::{Cause, causes};
use super::{Explained, Explanation, Follows, Nudge, Seen, explain};
use crate::geometry::Corner;
use crate::rules::bound::{Bound, Done};
use crate::rules::group::{Formed, groups};
use crate::rules::{Element, Settings, Setup, Side};

/// What a look, or the player, brought about.
#[derive(Debug, Clone, PartialEq)]
pub enum Event {
    /// This is what is being moved, as far as it has gone; it may still be adjusted. The first that is
    /// offered, and the others.
    Open {
        /// The cheapest legal explanation.
        best: Explanation,
        /// The others, the cheapest legal one first.
        others: Vec<Explanation>,
    },
    /// What was open went back to where it began: nothing was moved.
    Withdrawn,
    /// A move is over and stands.
    Over(Explained),
    /// Somebody conformed or turned to face because of a move that is over.
    Followed(Follows),
    /// Something stirred and is no move.
    Nudged {
        /// Who, from where to where.
        nudges: Vec<Nudge>,
        /// What it looks like.
        cause: Cause,
    },
}

/// What to do about a nudge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// It is put back: the rules go on from where it stood.
    PutBack,
    /// It stays where it is, without PIP or fault.
    Accept,
}

/// The state of play as far as looks have told it.
#[derive(Debug, Clone)]
pub struct Observer {
    settings: Settings,
    sigma_mm: f64,
    bound: Bound,
    formed: Formed,
    /// Where everything stood when the last move was over.
    stood: Setup,
    /// Looks since, of what is open.
    path: Vec<Setup>,
    /// Who is being moved, and what it is taken for.
    open: Option<Explanation>,
    /// Nudges told and not answered: who, and where it was then.
    told: Vec<Nudge>,
}

impl Observer {
    /// Begins with a table at rest, in this bound. `sigma_mm` is how well places are known, one sigma.
    pub fn new(stood: Setup, bound: Bound, settings: Settings, sigma_mm: f64) -> Self {
        let formed = Formed::default().seen_again(&stood, &settings);
        Self { settings, sigma_mm, bound, formed, stood, path: Vec::new(), open: None, told: Vec::new() }
    }

    /// The bound, with the moves that are over.
    pub fn bound(&self) -> &Bound {
        &self.bound
    }

    /// Where everything stood when the last move was over, accepted nudges included.
    pub fn stood(&self) -> &Setup {
        &self.stood
    }

    /// What is open.
    pub fn open(&self) -> Option<&Explanation> {
        self.open.as_ref()
    }

    /// Another look at the table at rest.
    pub fn look(&mut self, seen: &Setup) -> Vec<Event> {
        let mut events = Vec::new();
        let last = self.path.last().unwrap_or(&self.stood).clone();
        if self.open.is_some() && self.another_starts(&last, seen) {
            events.extend(self.close_at(&last));
        }
        let bumps = causes(&self.stood, seen, &self.bound, &self.settings, self.sigma_mm);
        let mut seen = seen.clone();
        for (nudges, cause) in bumps {
            // For the rules they stand where they stood until it is accepted.
            for nudge in &nudges {
                place(&mut seen, nudge, Answer::PutBack);
            }
            let fresh: Vec<Nudge> = nudges.into_iter().filter(|n| !self.known(n)).collect();
            if !fresh.is_empty() {
                self.told.retain(|t| !fresh.iter().any(|n| n.name == t.name));
                self.told.extend(fresh.iter().cloned());
                events.push(Event::Nudged { nudges: fresh, cause });
            }
        }
        let looks = Seen { before: &self.stood, path: &self.path, after: &seen, sigma_mm: self.sigma_mm };
        let mut found = explain(looks, &self.bound, &self.settings, &self.formed).into_iter();
        let best = found.next();
        match best {
            Some(best) if !best.moves.is_empty() => {
                if self.open.as_ref().is_none_or(|open| !same(open, &best, self.still())) {
                    events.push(Event::Open { best: best.clone(), others: found.collect() });
                }
                self.open = Some(best);
                self.path.push(seen);
            }
            _ => {
                if self.open.take().is_some() {
                    events.push(Event::Withdrawn);
                }
                self.path.clear();
            }
        }
        events
    }

    /// The player says that what is open is over.
    pub fn close(&mut self) -> Vec<Event> {
        let last = self.path.last().unwrap_or(&self.stood).clone();
        self.close_at(&last)
    }

    /// The player takes another of the explanations offered for what is open.
    pub fn choose(&mut self, explanation: Explanation) {
        if self.open.is_some() {
            self.open = Some(explanation);
        }
    }

    /// The answer to a nudge of that element, one that was told or one of what is open. Whoever was not nudged has
    /// nothing to be answered.
    pub fn answer(&mut self, name: &str, answer: Answer) {
        let told = self.told.iter().position(|n| n.name == name).map(|at| self.told.remove(at));
        let beside = || self.open.iter().flat_map(|o| &o.nudges).find(|n| n.name == name).cloned();
        let Some(nudge) = told.or_else(beside) else { return };
        if answer == Answer::Accept {
            place(&mut self.stood, &nudge, answer);
            for look in &mut self.path {
                place(look, &nudge, answer);
            }
            self.formed = self.formed.seen_again(&self.stood, &self.settings);
        }
    }

    /// The bound is another than was thought (its side, its PIPs, who lost a general): nothing is over by that, and the
    /// next look tells anew what is open and what was nudged.
    pub fn correct(&mut self, bound: Bound) {
        self.bound = bound;
        self.open = None;
        self.path.clear();
        self.told.clear();
    }

    /// Everything stands as it is seen, whatever brought it there: the outcomes of combats, or the players' leave. What
    /// was open is no move.
    pub fn stand_as(&mut self, seen: Setup) {
        self.formed = self.formed.seen_again(&seen, &self.settings);
        self.stood = seen;
        self.open = None;
        self.path.clear();
        self.told.clear();
    }

    /// An element is off the table; these sides have lost their general by now. Nothing else changes.
    pub fn take_off(&mut self, name: &str, generals_lost: Vec<Side>) {
        for setup in std::iter::once(&mut self.stood).chain(&mut self.path) {
            setup.elements.retain(|e| e.name != name);
        }
        if self.open.as_ref().is_some_and(|open| open.moves.iter().any(|m| m.mv.names().any(|n| n == name))) {
            // What it was moved to is told anew of those who are left.
            self.open = None;
        } else if let Some(open) = &mut self.open {
            open.after.elements.retain(|e| e.name != name);
        }
        self.told.retain(|n| n.name != name);
        self.bound.generals_lost = generals_lost;
    }

    /// An element has come on to the table, or stands where it was not moved to by a move: from here it is watched.
    pub fn put_on(&mut self, element: &Element) {
        for setup in std::iter::once(&mut self.stood).chain(&mut self.path) {
            match setup.elements.iter_mut().find(|e| e.name == element.name) {
                Some(known) => known.clone_from(element),
                None => setup.elements.push(element.clone()),
            }
        }
        if let Some(open) = &mut self.open {
            match open.after.elements.iter_mut().find(|e| e.name == element.name) {
                Some(known) => known.clone_from(element),
                None => open.after.elements.push(element.clone()),
            }
        }
        self.told.retain(|n| n.name != element.name);
    }

    /// The next bound begins; what is open is over.
    pub fn begin(&mut self, bound: Bound) -> Vec<Event> {
        let events = self.close();
        self.bound = bound;
        events
    }

    /// What is open is over, as it was at that look.
    fn close_at(&mut self, last: &Setup) -> Vec<Event> {
        let Some(open) = self.open.take() else { return Vec::new() };
        self.path.clear();
        let mut events = Vec::new();
        for explained in open.moves {
            let movers = explained.mv.names().map(str::to_owned).collect();
            let how = explained.mv.how();
            self.bound.done.push(Done { movers, how, pips: explained.judged.pips });
            events.push(Event::Over(explained));
        }
        events.extend(open.follows.into_iter().map(Event::Followed));
        // Who stands where the explanation puts it is where it was seen; the fit is the better place.
        self.stood = Setup { ground: last.ground.clone(), ..open.after };
        self.formed = self.formed.seen_again(&self.stood, &self.settings);
        events
    }

    /// Whether somebody starts to move who has no part in what is open, nor stood in a group with those who do.
    fn another_starts(&self, last: &Setup, seen: &Setup) -> bool {
        let Some(open) = &self.open else { return false };
        // The bases of a group are moved one after the other, and are one move still.
        let groups = groups(&self.stood, &self.settings, &self.formed);
        let mate =
            |a: &str, b: &str| groups.iter().any(|g| g.iter().any(|n| n == a) && g.iter().any(|n| n == b));
        let part = |name: &str| {
            open.moves.iter().any(|m| m.mv.names().any(|n| n == name || mate(n, name)))
                || open.follows.iter().any(|f| f.name == name)
        };
        let bumped = causes(last, seen, &self.bound, &self.settings, self.sigma_mm);
        let stirs = |e: &&Element| {
            let now = seen.element(&e.name).map_or(e.footprint, |n| n.footprint);
            let shifted = |c| (now.corner(c) - e.footprint.corner(c)).norm();
            Corner::ALL.into_iter().map(shifted).fold(0.0, f64::max) > super::NUDGE_MM.max(self.still())
        };
        let mine = last.elements.iter().filter(|e| e.side == self.bound.side && !part(&e.name));
        mine.filter(stirs).any(|e| !bumped.iter().any(|(nudges, _)| nudges.iter().any(|n| n.name == e.name)))
    }

    /// What both places' doubt makes of somebody who stands still, millimetres.
    fn still(&self) -> f64 {
        8.0 * self.sigma_mm + 1e-6
    }

    /// Whether a nudge has been told already, as far as it has gone.
    fn known(&self, nudge: &Nudge) -> bool {
        let still = self.still();
        self.told
            .iter()
            .any(|t| t.name == nudge.name && (t.stands.centre - nudge.stands.centre).norm() <= still)
    }
}

/// Puts a nudged element where it stood, or where it stands.
fn place(setup: &mut Setup, nudge: &Nudge, answer: Answer) {
    if let Some(element) = setup.elements.iter_mut().find(|e| e.name == nudge.name) {
        let to = if answer == Answer::Accept { nudge.stands } else { nudge.stood };
        element.footprint = element.footprint.moved_to(to);
    }
}

/// Whether two explanations are about the same moves to the same places.
fn same(a: &Explanation, b: &Explanation, still_mm: f64) -> bool {
    let names = |e: &Explanation| -> Vec<Vec<String>> {
        e.moves.iter().map(|m| m.mv.names().map(str::to_owned).collect()).collect()
    };
    let places = a.after.elements.iter().zip(&b.after.elements);
    names(a) == names(b)
        && a.legal == b.legal
        && places.into_iter().all(|(x, y)| {
            let off = |c| (x.footprint.corner(c) - y.footprint.corner(c)).norm();
            Corner::ALL.into_iter().all(|c| off(c) <= still_mm)
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Leg, Vector};
    use crate::rules::closing::{Chosen, Earlier, close};
    use crate::rules::movement::TacticalMove;
    use crate::rules::notation;

    const TABLE: &str = "A 4Bd red general (4,4)-(5,4) N; B 4Bd red (5,4)-(6,4) N; C Cv red (9,4)-(10,4) N; \
                         E 4Bd blue general (5,10)-(4,10) S; F 4Bd blue (9,10)-(8,10) S";

    fn setup() -> Setup {
        notation::read_setup(TABLE, Settings::dba3().ruleset()).expect("a setup")
    }

    fn observer() -> Observer {
        Observer::new(setup(), Bound::new(3, Side::Red).with_pips(4), Settings::dba3(), 0.0)
    }

    /// The table with these shifted (mm) and turned (degrees) from where they stand on `from`.
    fn with(from: &Setup, shifted: &[(&str, f64, f64, f64)]) -> Setup {
        let mut after = from.clone();
        for (name, x, y, deg) in shifted {
            let element = after.elements.iter_mut().find(|e| e.name == *name).expect("there");
            let to = element.footprint.pose().nudged(Vector::new(*x, *y), deg.to_radians());
            element.footprint = element.footprint.moved_to(to);
        }
        after
    }

    fn over(events: &[Event]) -> Vec<Vec<String>> {
        let mover = |e: &Event| match e {
            Event::Over(done) => Some(done.mv.names().map(str::to_owned).collect()),
            _ => None,
        };
        events.iter().filter_map(mover).collect()
    }

    #[test]
    fn a_move_is_over_when_another_element_starts_to_move() {
        let mut watch = observer();
        let first = with(&setup(), &[("A", 0.0, 40.0, 0.0)]);
        assert!(matches!(watch.look(&first).as_slice(), [Event::Open { .. }]));
        assert!(watch.bound().done.is_empty());
        let events = watch.look(&with(&first, &[("C", 10.0, 60.0, 0.0)]));
        assert_eq!(over(&events), [["A"]]);
        assert!(
            matches!(events.last(), Some(Event::Open { best, .. }) if best.moves[0].mv.names().eq(["C"]))
        );
        assert_eq!((watch.bound().done.len(), watch.bound().spent()), (1, 1));
    }

    #[test]
    fn a_move_is_over_when_its_player_closes_it() {
        let mut watch = observer();
        watch.look(&with(&setup(), &[("A", 0.0, 40.0, 0.0)]));
        assert_eq!(over(&watch.close()), [["A"]]);
        assert!(watch.open().is_none() && watch.close().is_empty());
    }

    #[test]
    fn adjusting_again_merges_with_the_open_move() {
        let mut watch = observer();
        let first = with(&setup(), &[("C", 30.0, 60.0, 0.0)]);
        watch.look(&first);
        let second = with(&first, &[("C", 3.0, -12.0, 10.0)]);
        assert!(matches!(watch.look(&second).as_slice(), [Event::Open { .. }]));
        assert_eq!(over(&watch.close()), [["C"]]);
        assert_eq!(watch.bound().spent(), 1);
        let at = |s: &Setup| s.element("C").expect("there").footprint.pose();
        assert!((at(watch.stood()).centre - at(&second).centre).norm() < 1e-9);
    }

    #[test]
    fn the_bases_of_a_group_go_one_after_the_other_in_one_move() {
        let first = with(&setup(), &[("A", 0.0, 40.0, 0.0)]);
        let both = with(&first, &[("B", 0.0, 40.0, 0.0)]);
        let mut watch = observer();
        watch.look(&first);
        watch.look(&both);
        assert_eq!(over(&watch.close()), [["A", "B"]]);
        assert_eq!(watch.bound().spent(), 1);
        // Closed in between it is two, though they end as a group would.
        let mut watch = observer();
        watch.look(&first);
        watch.close();
        watch.look(&both);
        assert_eq!(over(&watch.close()), [["B"]]);
        assert_eq!(watch.bound().spent(), 2);
    }

    #[test]
    fn what_is_put_back_was_no_move() {
        let mut watch = observer();
        watch.look(&with(&setup(), &[("A", 0.0, 40.0, 0.0)]));
        assert_eq!(watch.look(&setup()), [Event::Withdrawn]);
        assert!(watch.close().is_empty() && watch.bound().done.is_empty());
    }

    #[test]
    fn a_bumped_table_is_nobodys_move() {
        let mut watch = observer();
        let all = ["A", "B", "C", "E", "F"].map(|name| (name, 5.0, 3.0, 0.0));
        let bumped = with(&setup(), &all);
        let events = watch.look(&bumped);
        let [Event::Nudged { nudges, cause: Cause::Bump }] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!(nudges.len(), 5);
        assert!(watch.look(&bumped).is_empty(), "told once");
        for name in ["A", "B", "C", "E", "F"] {
            watch.answer(name, Answer::Accept);
        }
        assert_eq!(watch.stood(), &bumped);
        // From there a move is measured from where things stand now.
        let events = watch.look(&with(&bumped, &[("A", 0.0, 40.0, 0.0)]));
        let [Event::Open { best, .. }] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!((best.moves.len(), best.pips, best.legal), (1, 1, true));
        assert_eq!(watch.bound().spent(), 0);
    }

    #[test]
    fn a_sleeve_costs_nothing_and_can_be_put_back() {
        let mut watch = observer();
        let brushed = with(&setup(), &[("A", 1.2, 0.4, 0.0), ("B", 0.9, -0.2, 1.0)]);
        let events = watch.look(&brushed);
        let [Event::Nudged { nudges, cause: Cause::Sleeve }] = events.as_slice() else {
            panic!("{events:?}")
        };
        assert_eq!(nudges[0].stood, setup().element("A").expect("there").footprint.pose());
        watch.answer("A", Answer::PutBack);
        watch.answer("B", Answer::PutBack);
        assert_eq!(watch.stood(), &setup());
        assert!(watch.close().is_empty() && watch.bound().spent() == 0);
    }

    #[test]
    fn a_base_straightened_against_its_neighbour_is_no_move() {
        let crooked = with(&setup(), &[("B", 1.8, -1.5, -4.0)]);
        let mut watch = Observer::new(crooked, Bound::new(3, Side::Red).with_pips(4), Settings::dba3(), 0.0);
        let events = watch.look(&setup());
        assert!(
            matches!(events.as_slice(), [Event::Nudged { cause: Cause::Straightened, .. }]),
            "{events:?}"
        );
        assert_eq!(watch.bound().spent(), 0);
    }

    #[test]
    fn a_base_of_the_side_that_is_not_moving_makes_no_move() {
        let mut watch = observer();
        let events = watch.look(&with(&setup(), &[("E", 4.0, 30.0, 5.0)]));
        let [Event::Nudged { nudges, cause: Cause::OtherSide }] = events.as_slice() else {
            panic!("{events:?}")
        };
        assert_eq!(nudges[0].name, "E");
        watch.answer("E", Answer::Accept);
        assert!(watch.close().is_empty() && watch.bound().spent() == 0);
    }

    #[test]
    fn a_bound_that_was_another_s_is_corrected_and_nothing_is_over_by_that() {
        let mut watch = observer();
        let seen = with(&setup(), &[("A", 0.0, 40.0, 0.0)]);
        watch.look(&seen);
        watch.correct(Bound::new(4, Side::Blue));
        assert!(watch.open().is_none() && watch.close().is_empty());
        let events = watch.look(&seen);
        assert!(matches!(events.as_slice(), [Event::Nudged { cause: Cause::OtherSide, .. }]), "{events:?}");
        watch.correct(Bound::new(3, Side::Red).with_pips(4));
        assert!(matches!(watch.look(&seen).as_slice(), [Event::Open { .. }]));
        assert_eq!(over(&watch.close()), [["A"]]);
    }

    #[test]
    fn what_is_taken_as_it_stands_is_no_move_and_the_next_begins_there() {
        let mut watch = observer();
        let seen = with(&setup(), &[("A", 0.0, -15.0, 0.0), ("E", 0.0, -20.0, 0.0)]);
        watch.look(&seen);
        watch.stand_as(seen.clone());
        assert!(watch.close().is_empty() && watch.bound().spent() == 0);
        assert!(watch.look(&seen).is_empty());
        watch.look(&with(&seen, &[("A", 0.0, 40.0, 0.0)]));
        let gone = watch.open().map(|open| open.moves[0].mv.names().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(gone, Some(vec!["A".to_owned()]));
    }

    #[test]
    fn a_nudge_beside_an_open_move_is_accepted_and_costs_nothing() {
        let mut watch = observer();
        let seen = with(&setup(), &[("A", 0.0, 40.0, 0.0), ("F", 4.0, 0.0, 0.0)]);
        let events = watch.look(&seen);
        let [Event::Open { best, .. }] = events.as_slice() else { panic!("{events:?}") };
        assert_eq!(best.nudges.iter().map(|n| n.name.as_str()).collect::<Vec<_>>(), ["F"]);
        watch.answer("F", Answer::Accept);
        let at = |s: &Setup| s.element("F").expect("there").footprint.pose();
        assert_eq!(at(watch.stood()), at(&seen));
        watch.look(&seen);
        assert!(watch.open().is_some_and(|open| open.nudges.is_empty()));
        watch.close();
        assert_eq!(watch.bound().spent(), 1);
    }

    #[test]
    fn turning_on_the_spot_is_a_move_of_its_own() {
        let mut watch = observer();
        let events = watch.look(&with(&setup(), &[("C", 0.0, 0.0, 60.0)]));
        let [Event::Open { best, .. }] = events.as_slice() else { panic!("{events:?}") };
        assert!(best.moves[0].turns_on_the_spot() && best.legal && best.pips == 1);
        let events = watch.look(&with(&setup(), &[("C", 10.0, 20.0, 60.0)]));
        let [Event::Open { best, .. }] = events.as_slice() else { panic!("{events:?}") };
        assert!(!best.moves[0].turns_on_the_spot());
    }

    #[test]
    fn the_way_that_was_seen_counts_with_its_detour() {
        let (mut watch, start) = (observer(), setup());
        watch.look(&with(&start, &[("C", 60.0, 30.0, 0.0)]));
        let events = watch.look(&with(&start, &[("C", 0.0, 60.0, 0.0)]));
        let [Event::Open { best, .. }] = events.as_slice() else { panic!("{events:?}") };
        let by = [Vector::new(60.0, 30.0), Vector::new(-60.0, 30.0)];
        let legs = &best.moves[0].mv.movers[0].legs;
        let off = legs.iter().zip(by).map(|(leg, by)| match leg {
            Leg::Shift(was) => (was - by).norm(),
            Leg::Turn { .. } => f64::INFINITY,
        });
        assert!(legs.len() == 2 && off.fold(0.0, f64::max) < 1e-9, "{legs:?}");
    }

    #[test]
    fn who_turns_to_face_follows_from_the_move_and_is_no_nudge() {
        // A comes from wholly behind E's left flank line to its rear edge, and E turns to face.
        let text = "A 4Bd red general (4,4)-(5,4) N; E 4Bd blue general (4,5.5)-(5,5.5) N d0.375";
        let before = notation::read_setup(text, Settings::dba3().ruleset()).expect("a setup");
        let moved = with(&before, &[("A", 0.0, 45.0, 0.0)]);
        let by = TacticalMove::single("A", vec![Leg::Shift(Vector::new(0.0, 45.0))]);
        let settings = Settings::dba3();
        let closed =
            close(&before, &settings, std::slice::from_ref(&by), &Earlier::default(), &Chosen::default())
                .expect("closes");
        let facing = closed.after.element("E").expect("there").footprint.pose();
        // Half round: its new front lies where its rear was, so its centre stays (clause dba3.turn.7).
        assert!((facing.heading.degrees() - 270.0).abs() < 1e-9);
        let mut watch = Observer::new(before.clone(), Bound::new(3, Side::Red).with_pips(4), settings, 0.0);
        let events = watch.look(&with(&moved, &[("E", 0.0, 0.0, 180.0)]));
        let [Event::Open { best, .. }] = events.as_slice() else { panic!("{events:?}") };
        assert!(best.legal && best.nudges.is_empty() && best.pips == 1, "{best:?}");
        assert_eq!(best.follows.len(), 1);
        assert!(watch.close().iter().any(|e| matches!(e, Event::Followed(f) if f.name == "E")));
    }
}
