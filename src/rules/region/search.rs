//! The search for a legal move to a pose, of one element or of a group.

use super::group::GroupTrial;
use super::reach::Reached;
use super::trial::Trial;
use crate::geometry::{Corner, Footprint, Heading, Leg, Pose};
use crate::rules::bound::Bound;
use crate::rules::movement::{self, Judged, MoveError, TacticalMove};
use crate::rules::ruleset::Troop;
use crate::rules::{Element, Location, Settings, Setup};

/// Headings looked at beside those that edges and enemies suggest, over a full turn. A choice.
const TURNS: u32 = 8;
/// Plain ways looked at for why a place cannot be reached. A choice.
const MOST_PLAIN: usize = 4;

/// What is searched: the moves of one element, or of a group as one body.
pub(super) enum Search<'s> {
    Single(Trial<'s>),
    Group(GroupTrial<'s>),
}

impl<'s> Search<'s> {
    /// The search for these; the first named is the one that poses are of.
    pub fn of(
        setup: &'s Setup,
        bound: &'s Bound,
        settings: &'s Settings,
        names: &[&str],
    ) -> Result<Self, MoveError> {
        let elements = TacticalMove::group(names.iter().copied(), &[]).elements(setup)?;
        let troop_of = |element: &Element| -> Result<&'s Troop, MoveError> {
            settings.ruleset().troop(&element.troop).ok_or_else(|| MoveError::UnknownTroop {
                name: element.name.clone(),
                code: element.troop.clone(),
            })
        };
        let troops = elements.iter().map(|e| troop_of(e)).collect::<Result<Vec<_>, _>>()?;
        let paces = troops.iter().map(|troop| settings.ruleset().pace(troop).good_bw);
        let pace_mm = paces.fold(f64::INFINITY, f64::min) * setup.scale.mm_per_bw();
        let near = near(setup, &elements, pace_mm);
        let ground = Table { near, bound, settings, pace_mm };
        Ok(match elements.as_slice() {
            &[mover] => Self::Single(Trial::of(ground, mover, troops[0])),
            _ => Self::Group(GroupTrial { table: ground, group: elements }),
        })
    }

    fn table(&self) -> &Table<'s> {
        match self {
            Self::Single(trial) => &trial.table,
            Self::Group(trial) => &trial.table,
        }
    }

    /// The table without those too far off to matter.
    pub fn near(&self) -> &Setup {
        &self.table().near
    }

    /// The furthest that the slowest may go, millimetres.
    pub fn pace_mm(&self) -> f64 {
        self.table().pace_mm
    }

    /// Who goes.
    pub fn movers(&self) -> &[&'s Element] {
        match self {
            Self::Single(trial) => std::slice::from_ref(&trial.mover),
            Self::Group(trial) => &trial.group,
        }
    }

    /// The one that poses are of.
    pub fn first(&self) -> &'s Element {
        self.movers()[0]
    }

    /// The enemies that are near.
    pub fn enemies(&self) -> impl Iterator<Item = &Element> {
        let side = self.first().side;
        self.near().elements.iter().filter(move |e| e.side != side)
    }

    /// The first legal move to a pose, if there is one.
    pub fn way_to(&self, pose: Pose) -> Option<Reached> {
        match self {
            Self::Single(trial) => trial.way_to(pose),
            Self::Group(trial) => trial.way_to(pose),
        }
    }

    /// Whether there is a legal move to a pose.
    pub fn reaches(&self, pose: Pose) -> bool {
        match self {
            Self::Single(trial) => trial.reaches(pose),
            Self::Group(trial) => trial.way_to(pose).is_some(),
        }
    }

    /// Of the plain ways to a pose, the one with the fewest faults and the ruling on it; for a pose that
    /// cannot be reached.
    pub fn plainest(&self, pose: Pose) -> Option<Judged> {
        let ways = match self {
            Self::Single(trial) => plain_ways(trial.mover.footprint, pose),
            Self::Group(trial) => trial.ways(pose),
        };
        let table = self.table();
        let judged = ways.into_iter().filter_map(|legs| {
            let made = table.made(self.movers(), legs);
            movement::judge(&table.near, table.bound, table.settings, &made).ok()
        });
        judged.min_by_key(|j| j.conditions.iter().filter(|c| !c.reason.holds).count())
    }

    /// The headings that the outline is the shadow of: as it stands, facing each enemy, and of a single
    /// element a full turn in eighths and along and against the edges of what is near; of a group the
    /// turns that its outer corner can go.
    pub fn headings(&self) -> Vec<Heading> {
        let own = self.first().footprint.pose().heading;
        let mut all: Vec<Heading> = Vec::new();
        let mut add = |heading: Heading| {
            const SAME_RAD: f64 = 1e-3;
            if all.iter().all(|known| known.turn_to_radians(heading).abs() > SAME_RAD) {
                all.push(heading);
            }
        };
        add(own);
        self.enemies().for_each(|enemy| add(enemy.footprint.pose().heading.reversed()));
        match self {
            Self::Single(trial) => {
                for part in 0..TURNS {
                    add(own.turned_degrees(360.0 / f64::from(TURNS) * f64::from(part)));
                }
                for other in &trial.table.near.elements {
                    for quarter in 0..4 {
                        add(other.footprint.pose().heading.turned_degrees(90.0 * f64::from(quarter)));
                    }
                }
            }
            Self::Group(trial) => trial.turns().into_iter().for_each(add),
        }
        all
    }
}

/// The plainest ways of one element.
fn plain_ways(base: Footprint, pose: Pose) -> Vec<Vec<Leg>> {
    let to = base.moved_to(pose);
    let far = |c: Corner| (to.corner(c) - base.corner(c)).norm();
    let right = far(Corner::FrontRight) > far(Corner::FrontLeft);
    let corner = if right { Corner::FrontRight } else { Corner::FrontLeft };
    super::paths::direct(base, to, corner).take(MOST_PLAIN).collect()
}

/// What every search knows.
pub(super) struct Table<'s> {
    /// The table without those too far off to matter.
    pub near: Setup,
    pub bound: &'s Bound,
    pub settings: &'s Settings,
    /// The furthest that the slowest may go, millimetres.
    pub pace_mm: f64,
}

impl Table<'_> {
    /// The move of these along these legs.
    pub fn made(&self, movers: &[&Element], legs: Vec<Leg>) -> TacticalMove {
        match movers {
            [one] => TacticalMove::single(one.name.as_str(), legs),
            all => TacticalMove::group(all.iter().map(|e| e.name.as_str()), &legs),
        }
    }

    /// The move, where the judge of moves rules it legal.
    pub fn judged(&self, movers: &[&Element], legs: &[Leg]) -> Option<Reached> {
        let made = self.made(movers, legs.to_vec());
        let judged = movement::judge(&self.near, self.bound, self.settings, &made).ok()?;
        judged.legal.then_some(Reached { made, pips: judged.pips })
    }
}

/// The table without those whom the movers can neither come near nor, one step further, meet fighting
/// somebody whom they can; generals, who command, stay.
fn near(setup: &Setup, movers: &[&Element], pace_mm: f64) -> Setup {
    let bw = setup.scale.mm_per_bw();
    let half = |e: &Element| e.footprint.width_mm().hypot(e.footprint.depth_mm()) / 2.0;
    let close = |e: &Element| {
        movers.iter().any(|mover| {
            let apart = (e.footprint.pose().centre - mover.footprint.pose().centre).norm();
            apart <= pace_mm + 4.0 * bw + 2.0 * half(mover) + half(e)
        })
    };
    let side = movers[0].side;
    let stays = |e: &&Element| e.location == Location::Board && (close(e) || (e.general && e.side == side));
    let elements = setup.elements.iter().filter(stays).cloned().collect();
    Setup { elements, ..setup.clone() }
}
