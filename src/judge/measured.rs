//! The setup that a camera's readings, or a person's notation, come to.

use super::{BaseSize, ElementReading, Roster, Table};
use crate::geometry::{Footprint, PoseEstimate, Rest};
use crate::rules::facts::{Agreed, Fact, FactError, agree};
use crate::rules::position::Position;
use crate::rules::stronghold::entered;
use crate::rules::terrain::BaseEdges;
use crate::rules::{Element, Location, Question, Settings, Setup};
use crate::tracking::{Held, Visibility};
use crate::units::Scale;
use nalgebra::Vector3;
use std::collections::BTreeMap;

/// A setup and how well each element's pose in it is known. Invariant: every element of the setup has
/// a pose here, and its footprint stands there.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// What stands on the table.
    pub setup: Setup,
    /// Why no ruling may be given on it, if so.
    pub held: Option<Held>,
    poses: BTreeMap<String, PoseEstimate>,
    facts: Vec<Fact>,
    /// The two sides of each `//`: who rides, and what it is called on foot.
    exchanges: Vec<(String, String)>,
    /// The same with whole battle lines brought to exact contact, where they were.
    lines: Option<Box<Measured>>,
}

/// Why an element of a roster is not in the setup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// No tag of it was ever seen.
    NeverSeen,
    /// It was seen too long ago.
    Gone,
    /// The roster says that it is off, or in reserve and it is not on the board.
    NotInPlay,
    /// Its tag lies beyond the board's rim: beside the table, not on it.
    OffTable,
    /// The other side of its `//` pair is seen, and it itself is not: it was exchanged.
    Exchanged,
}

impl Measured {
    /// A setup whose poses are taken as exact: one that a person wrote.
    pub fn exact(setup: Setup) -> Self {
        let pose = |e: &Element| (e.name.clone(), PoseEstimate::exact(e.footprint.pose()));
        Self {
            poses: setup.elements.iter().map(pose).collect(),
            held: None,
            setup,
            facts: Vec::new(),
            exchanges: Vec::new(),
            lines: None,
        }
    }

    /// Elements with their poses as measured; each is moved to its own.
    pub fn from_poses(scale: Scale, board_mm: (f64, f64), found: Vec<(Element, PoseEstimate)>) -> Self {
        let mut elements = Vec::new();
        let mut poses = BTreeMap::new();
        for (element, pose) in found {
            let footprint = element.footprint.moved_to(pose.pose);
            poses.insert(element.name.clone(), pose);
            elements.push(Element { footprint, ..element });
        }
        Self {
            setup: Setup::bare(scale, board_mm, elements),
            held: None,
            poses,
            facts: Vec::new(),
            exchanges: Vec::new(),
            lines: None,
        }
    }

    /// What the camera's readings of the roster's elements come to. The location is the roster's, but
    /// a reserve that is seen on the playing area has been brought up: it is on the board.
    pub fn of(table: &Table, roster: &Roster, readings: &[ElementReading]) -> Self {
        let there = readings.iter().filter(|reading| !exchanged(roster, readings, reading));
        let found = there.filter_map(|reading| stand(table, roster, reading).ok()).collect();
        let measured = Self::from_poses(table.scale, table.board_mm, found);
        let contingents =
            roster.elements().iter().filter_map(|e| Some((e.name.clone(), e.contingent.clone()?)));
        let setup = Setup {
            ground: table.ground.clone(),
            edges: table.red_edge.map_or(BaseEdges::USUAL, |red| BaseEdges { red }),
            contingents: contingents.collect(),
            listed: roster.listed().clone(),
            ..measured.setup
        };
        Self { setup, exchanges: roster.exchanges(), ..measured }
    }

    /// The same, as moves are told from it: who has dismounted since `stood` bears the name that it rode under. The foot of
    /// a `//` pair is another base, with a tag and a name of its own.
    pub fn standing_in(mut self, stood: &Setup) -> Self {
        for (rider, foot) in &self.exchanges {
            let dismounted = stood.element(rider).is_some()
                && stood.element(foot).is_none()
                && self.setup.element(rider).is_none();
            let Some(element) = self.setup.elements.iter_mut().find(|e| dismounted && e.name == *foot) else {
                continue;
            };
            element.name.clone_from(rider);
            if let Some(pose) = self.poses.remove(foot) {
                self.poses.insert(rider.clone(), pose);
            }
        }
        let lines = self.lines.take().map(|lines| Box::new(lines.standing_in(stood)));
        Self { lines, ..self }
    }

    /// The same, held for what its snapshot says.
    pub fn held_for(self, held: Option<Held>) -> Self {
        Self { held, ..self }
    }

    /// The same with those base edges.
    pub fn with_edges(mut self, edges: BaseEdges) -> Self {
        self.setup.edges = edges;
        let lines = self.lines.take().map(|lines| Box::new(lines.with_edges(edges)));
        Self { lines, ..self }
    }

    /// The same without these elements: the players say that they are lost.
    pub fn without(mut self, lost: &[String]) -> Self {
        self.setup.elements.retain(|e| !lost.contains(&e.name));
        self.poses.retain(|name, _| !lost.contains(name));
        self.lines = None;
        self
    }

    /// Why the element of this reading is not in the setup, or `None` where it is.
    pub fn absence(
        table: &Table,
        roster: &Roster,
        readings: &[ElementReading],
        reading: &ElementReading,
    ) -> Option<Absence> {
        let missing = stand(table, roster, reading).err();
        missing.or_else(|| exchanged(roster, readings, reading).then_some(Absence::Exchanged))
    }

    /// The same with what the players have agreed: it outranks what was measured, and stands until
    /// one of its elements moves.
    ///
    /// # Errors
    /// A name that is not there, a fact that is too far from what was measured, or facts that contradict.
    pub fn agreed(&self, settings: &Settings, facts: &[Fact]) -> Result<Self, FactError> {
        let Agreed { setup, .. } = agree(&self.setup, settings, facts)?;
        Ok(Self { facts: facts.to_vec(), ..self.standing(setup) })
    }

    /// The same elements where this setup has them, known as well as before.
    fn standing(&self, setup: Setup) -> Self {
        let mut poses = self.poses.clone();
        for element in &setup.elements {
            if let Some(pose) = poses.get_mut(&element.name) {
                pose.pose = element.footprint.pose();
            }
        }
        Self { setup, poses, lines: None, ..self.clone() }
    }

    /// The same with whole battle lines joined: whether and how elements touch is then read from bases brought to
    /// exact contact ([`Position`]), and distances, zones and flank lines from where they were measured.
    pub fn in_lines(self, settings: &Settings) -> Self {
        let joined = self.standing(joined(&self.setup, settings, &self.facts));
        Self { lines: Some(Box::new(joined)), ..self }
    }

    /// Whether whole battle lines were joined.
    pub fn is_joined(&self) -> bool {
        self.lines.is_some()
    }

    /// The same as it was measured, no lines joined.
    pub fn unjoined(&self) -> Self {
        Self { lines: None, ..self.clone() }
    }

    /// What a question of contact is read from: the joined lines, where they were joined.
    pub fn touching(&self) -> &Self {
        self.lines.as_deref().unwrap_or(self)
    }

    /// What a question is read from.
    pub fn for_question(&self, question: Question) -> &Self {
        match question {
            Question::ContactFront
            | Question::ContactFlank
            | Question::ContactRear
            | Question::CornerTouch => self.touching(),
            Question::Distance | Question::InZoneOf | Question::BehindFlankLine => self,
        }
    }

    /// The same with one element where `other` has it; as it is where `other` does not.
    pub fn with_one_of(&self, other: &Self, name: &str) -> Self {
        let mut changed = self.clone();
        let place = changed.setup.elements.iter().position(|e| e.name == name);
        if let (Some(place), Some(element), Some(pose)) = (place, other.setup.element(name), other.pose(name))
        {
            changed.setup.elements[place] = element.clone();
            changed.poses.insert(name.to_owned(), pose.clone());
            changed.lines = None;
        }
        changed
    }

    /// The same with elements put where they are to stand, as surely as they were measured, or taken off: none. What was
    /// agreed of those that are put elsewhere is over. No lines are joined.
    pub fn put(mut self, places: &[(String, Option<Footprint>)]) -> Self {
        let put = |name: &str| places.iter().find(|(who, _)| who == name).map(|(_, to)| *to);
        self.setup.elements.retain(|e| put(&e.name) != Some(None));
        self.poses.retain(|name, _| put(name) != Some(None));
        for (name, to) in places.iter().filter_map(|(name, to)| Some((name, (*to)?))) {
            if let Some(element) = self.setup.elements.iter_mut().find(|e| e.name == *name) {
                element.footprint = to;
            }
            if let Some(estimate) = self.poses.get_mut(name) {
                estimate.pose = to.pose();
            }
        }
        self.facts.retain(|fact| <[&str; 2]>::from(fact.names()).iter().all(|name| put(name).is_none()));
        self.lines = None;
        self
    }

    /// What the players have agreed.
    pub fn facts(&self) -> &[Fact] {
        &self.facts
    }

    /// How well the element's pose is known.
    pub fn pose(&self, name: &str) -> Option<&PoseEstimate> {
        self.poses.get(name)
    }
}

/// A table with its battle lines brought to exact contact, and what was agreed holding there too: neighbours that are joined
/// may take an element past what its players have agreed of it.
pub(super) fn joined(setup: &Setup, settings: &Settings, facts: &[Fact]) -> Setup {
    let lines = Position::of(setup, settings).setup;
    match facts {
        [] => lines,
        facts => agree(&lines, settings, facts).map_or(lines, |agreed| agreed.setup),
    }
}

/// Whether an element was exchanged for the other side of its `//` pair: that one is seen, and it itself is not. Its tag is off
/// the table, and its pose is only remembered.
fn exchanged(roster: &Roster, readings: &[ElementReading], reading: &ElementReading) -> bool {
    let seen = |r: &ElementReading| r.visibility == Visibility::Seen;
    let becomes = |name: &str| roster.element(name).and_then(|e| e.becomes.as_deref());
    let paired = |other: &ElementReading| {
        becomes(&reading.name) == Some(&other.name) || becomes(&other.name) == Some(&reading.name)
    };
    !seen(reading) && readings.iter().any(|other| seen(other) && paired(other))
}

fn stand(
    table: &Table,
    roster: &Roster,
    reading: &ElementReading,
) -> Result<(Element, PoseEstimate), Absence> {
    let described = roster.element(&reading.name).ok_or(Absence::NeverSeen)?;
    if described.location == Location::Off {
        return Err(Absence::NotInPlay);
    }
    let missing = if reading.pose.is_some() { Absence::Gone } else { Absence::NeverSeen };
    let pose = reading.trusted_pose().ok_or(missing)?;
    let location = match described.location {
        Location::Reserve if table.holds(pose.pose.centre.x, pose.pose.centre.y) => Location::Board,
        Location::Reserve => return Err(Absence::NotInPlay),
        Location::Board if !table.holds(pose.pose.centre.x, pose.pose.centre.y) => {
            return Err(Absence::OffTable);
        }
        Location::Board => entered(&table.ground, pose.pose.centre),
        other => other,
    };
    let (footprint, pose) = seen_from_above(&described.base, reading.rest, pose);
    let element = Element {
        name: described.name.clone(),
        side: described.side,
        troop: described.troop.clone(),
        footprint,
        general: described.general && described.contingent.is_none(),
        tower: described.tower,
        overhang: described.overhang,
        location,
    };
    Ok((element, pose))
}

/// A base as it is seen from above, which is how distances are measured on a table: on a slope its sides look
/// shorter. What its edges are off by beyond its place goes into the place: half of what its sides are not known to,
/// which is exact for any edge or corner; and on a slope that it faces aslant, what a rectangle's corners miss.
fn seen_from_above(base: &BaseSize, rest: Rest, pose: &PoseEstimate) -> (Footprint, PoseEstimate) {
    let heading = pose.pose.heading;
    let seen = rest.from_above(heading);
    let footprint = Footprint::new(pose.pose, base.width_mm * seen.right, base.depth_mm * seen.ahead)
        .expect("a roster's bases have sides of more than zero");
    let across = heading.right() * (base.width_sigma_mm / 2.0);
    let along = heading.vector() * (base.depth_sigma_mm / 2.0);
    let skewed = Vector3::new(0.0, 0.0, seen.skew_rad);
    let edges = [Vector3::new(across.x, across.y, 0.0), Vector3::new(along.x, along.y, 0.0), skewed];
    let covariance = edges.iter().fold(pose.covariance, |sum, v| sum + v * v.transpose());
    (footprint, PoseEstimate { covariance, ..pose.clone() })
}

#[cfg(test)]
mod tests {
    use super::super::{RosterFile, parse_roster, samples};
    use super::*;
    use crate::geometry::{Pose, Vector};
    use crate::rules::bound::Bound;
    use crate::rules::movement::{Event, Manoeuvre, Observer};
    use crate::rules::{Foot, Ruleset, Side, notation};
    use std::time::Duration;

    #[test]
    fn who_dismounts_is_seen_to_though_its_foot_has_another_base_and_name() {
        let read = |text: &str| notation::read_setup(text, &Ruleset::dba3()).expect("a setup");
        let exchanges = vec![("K".to_owned(), "K on foot".to_owned())];
        let stood = read("K 3Kn red (4,4)-(5,4) N dismounts=4Bd; E 4Bd blue (6,12)-(5,12) S");
        let seen = read("\"K on foot\" 4Bd red (4,4)-(5,4) N; E 4Bd blue (6,12)-(5,12) S");
        let now = Measured { exchanges, ..Measured::exact(seen) };
        let bound = Bound::new(3, Side::Red).with_pips(1);
        let mut watch = Observer::new(stood.clone(), bound, Settings::dba3(), 0.1);
        let now = now.standing_in(&stood);
        assert!(now.pose("K").is_some() && now.pose("K on foot").is_none());
        let events = watch.look(&now.setup);
        let [Event::Open { best, .. }] = events.as_slice() else { panic!("one move: {events:?}") };
        let [made] = best.moves.as_slice() else { panic!("one move: {best:?}") };
        assert!(matches!(&made.mv.manoeuvre, Manoeuvre::Dismount { to, .. } if to == "4Bd"), "{made:?}");
        assert!(best.legal);
        // Its list says what it may dismount as.
        assert_eq!(watch.stood().foot("K"), &Foot::As("4Bd".to_owned()));
        // Where both stand, nobody has dismounted.
        let both = read("K 3Kn red (4,4)-(5,4) N; \"K on foot\" 4Bd red (7,4)-(8,4) N");
        let both =
            Measured { exchanges: vec![("K".to_owned(), "K on foot".to_owned())], ..Measured::exact(both) };
        assert_eq!(both.clone().standing_in(&stood).setup, both.setup);
    }

    /// Riders K, whose foot are F.
    fn pair() -> Roster {
        let element = |name: &str, troop: &str, other: &str, id: u32| {
            format!(
                "(name: \"{name}\", side: red, troop: \"{troop}\", base: (40, 20), becomes: \"{other}\", \
                 tags: [(family: \"tag36h11\", id: {id}, size: 12, height: 30)]),"
            )
        };
        let text = format!(
            "(schema: 1, elements: [{}{}])",
            element("K", "3Kn", "F", 100),
            element("F", "4Bd", "K", 101)
        );
        let elements = parse_roster("r.ron", &text).expect("a roster");
        let file = RosterFile { file: "r.ron".to_owned(), elements };
        Roster::of(&samples::table(), vec![file], &Ruleset::dba3()).expect("no clash")
    }

    #[test]
    fn of_a_pair_the_side_that_is_seen_counts_and_not_the_one_that_is_remembered() {
        let covered = Visibility::Covered { age: Duration::from_secs(1) };
        let (table, roster) = (samples::table(), pair());
        let readings = |riders: Visibility, foot: Visibility| {
            [("K", riders), ("F", foot)].map(|(name, visibility)| ElementReading {
                name: name.to_owned(),
                side: Side::Red,
                visibility,
                at_rest: true,
                pose: Some(PoseEstimate::exact(Pose::new(300.0, 300.0, 90.0))),
                rest: Rest::TABLE,
            })
        };
        let stands = |riders: Visibility, foot: Visibility| {
            let measured = Measured::of(&table, &roster, &readings(riders, foot));
            measured.setup.elements.iter().map(|e| e.name.clone()).collect::<Vec<_>>().join("+")
        };
        let all = readings(covered, Visibility::Seen);
        let absence = |n: usize| Measured::absence(&table, &roster, &all, &all[n]);
        assert_eq!((absence(0), absence(1)), (Some(Absence::Exchanged), None));
        assert_eq!(stands(covered, Visibility::Seen), "F");
        assert_eq!(stands(Visibility::Seen, covered), "K");
        // Where neither is seen, or both are, nobody can tell.
        assert_eq!(stands(covered, covered), "K+F");
        assert_eq!(stands(Visibility::Seen, Visibility::Seen), "K+F");
    }

    #[test]
    fn a_base_on_a_slope_is_as_deep_as_it_looks_from_above_and_its_edges_as_sure_as_its_sides() {
        let base = BaseSize {
            width_mm: 40.0,
            depth_mm: 20.0,
            thickness_mm: 2.0,
            width_sigma_mm: 0.4,
            depth_sigma_mm: 0.2,
        };
        let pose = PoseEstimate::exact(Pose::new(100.0, 50.0, 90.0));
        let (flat, known) = seen_from_above(&base, Rest::TABLE, &pose);
        assert_eq!((flat.width_mm(), flat.depth_mm()), (40.0, 20.0));
        // It faces along y: its flanks lie along x by half the width, its front along y by half the depth.
        let c = known.covariance;
        assert!((c[(0, 0)].sqrt() - 0.2).abs() < 1e-12 && (c[(1, 1)].sqrt() - 0.1).abs() < 1e-12, "{c}");
        assert_eq!(c[(2, 2)], 0.0);
        let uphill = Rest { height_mm: 9.0, slope: Vector::new(0.0, 10f64.to_radians().tan()) };
        let (steep, known) = seen_from_above(&base, uphill, &pose);
        assert!((steep.width_mm() - 40.0).abs() < 1e-9);
        assert!((steep.depth_mm() - 20.0 * 10f64.to_radians().cos()).abs() < 1e-9);
        assert!(known.covariance[(2, 2)] < 1e-20);
        // Aslant of the slope its corners are no rectangle's.
        let aslant = PoseEstimate::exact(Pose::new(100.0, 50.0, 45.0));
        let (skewed, known) = seen_from_above(&base, uphill, &aslant);
        let skew = known.covariance[(2, 2)].sqrt();
        assert!(skewed.depth_mm() < 20.0 && (0.007..0.008).contains(&skew), "{skew}");
    }
}
