//! The search for a legal move to a pose, of one element or of a group.

use super::carry::Carry;
use super::group::GroupTrial;
use super::reach::Reached;
use super::trial::{Found, Trial};
use crate::geometry::{Corner, Footprint, Heading, Leg, Point, Pose};
use crate::rules::bound::Bound;
use crate::rules::movement::{self, Body, Judged, MoveError, TacticalMove};
use crate::rules::ruleset::Troop;
use crate::rules::{Element, Location, Settings, Setup};

/// Headings looked at anywhere, over a full turn. A choice.
const TURNS: u32 = 16;

/// What is searched: the moves of one element, or of a group as one body.
pub(super) enum Search<'s> {
    Single(Box<Trial<'s>>),
    Group(Box<GroupTrial<'s>>),
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
            &[mover] => Self::Single(Box::new(Trial::of(ground, mover, troops[0]))),
            _ => {
                let movers: Vec<(&Element, &Troop)> = elements.iter().copied().zip(troops).collect();
                let moves = Body::of(&ground.near, bound, settings, &movers);
                Self::Group(Box::new(GroupTrial { table: ground, group: elements, moves }))
            }
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

    /// Whether there is a legal move to a pose; of a single element also one that carries on a way that was kept. What is
    /// found by itself is kept.
    pub fn reaches(&self, pose: Pose, kept: &mut Carry) -> bool {
        match self {
            Self::Single(trial) => match trial.legs_to(pose, kept.on(pose)) {
                Some((legs, Found::Searched)) => {
                    kept.keep(pose, legs);
                    true
                }
                Some((_, Found::Carried)) => true,
                None => false,
            },
            Self::Group(trial) => trial.reaches(pose),
        }
    }

    /// Whether a single element may end at a pose, if only a way leads there; of a group no way is carried on.
    pub fn may_end(&self, pose: Pose) -> bool {
        match self {
            Self::Single(trial) => trial.may_end(pose),
            Self::Group(_) => false,
        }
    }

    /// The ways to poses about one, of those for which `asked` holds, with where they end; of a group none.
    pub fn ways_about(&self, pose: Pose, asked: &dyn Fn(Pose) -> bool) -> Vec<(Pose, Vec<Leg>)> {
        match self {
            Self::Single(trial) => trial.ways_about(pose, asked).collect(),
            Self::Group(_) => Vec::new(),
        }
    }

    /// Whether one of these ways that ends no further off is legal, carried on to a pose by one leg; of a group none is
    /// carried on.
    pub fn carries(&self, ways: &[(Pose, Vec<Leg>)], to: Pose, far_mm: f64) -> bool {
        match self {
            Self::Single(trial) => trial.carries(ways, to, far_mm),
            Self::Group(_) => false,
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
        // Left and right alike: of as many faults those that ask for less, then those that are less far off.
        judged.min_by_key(|j| {
            let faults = || j.conditions.iter().filter(|c| !c.reason.holds);
            let remedies = faults().filter(|c| c.remedy.is_some()).count();
            let off_mm: f64 = faults().filter_map(|c| c.reason.margin).map(|m| m.mm.abs().min(1e6)).sum();
            #[expect(clippy::cast_possible_truncation, reason = "micrometres of some metres")]
            let off_um = (off_mm * 1e3).round() as i64;
            (faults().count(), remedies, off_um)
        })
    }

    /// The headings that are looked at anywhere: as it stands, and of a single element a full turn in steps, of a group
    /// the turns that its outer corner can go.
    pub fn headings(&self) -> Vec<Heading> {
        let own = self.first().footprint.pose().heading;
        match self {
            Self::Single(_) => {
                let step = 360.0 / f64::from(TURNS);
                (0..TURNS).map(|part| own.turned_degrees(step * f64::from(part))).collect()
            }
            Self::Group(trial) => std::iter::once(own).chain(trial.turns()).collect(),
        }
    }

    /// The headings that are looked at beside these at a centre: along and against the edges of whatever stands so near
    /// that it may touch it, and of those whose zone it may be in.
    pub fn headings_at(&self, centre: Point) -> Vec<Heading> {
        let near = self.near();
        let half = |base: &Footprint| base.width_mm().hypot(base.depth_mm()) / 2.0;
        let (own, room) = (half(&self.first().footprint), near.scale.mm_per_bw() / 4.0);
        let close = |e: &&Element| {
            (e.footprint.pose().centre - centre).norm() <= own + half(&e.footprint) + room
                && self.movers().iter().all(|m| m.name != e.name)
        };
        let quarters = |e: &Element| {
            let heading = e.footprint.pose().heading;
            [180.0, 0.0, 90.0, 270.0].map(|turn| heading.turned_degrees(turn))
        };
        let mut found: Vec<Heading> = Vec::new();
        for heading in near.elements.iter().filter(close).flat_map(quarters) {
            if !found.iter().any(|known| is_same(*known, heading)) {
                found.push(heading);
            }
        }
        found
    }
}

/// Whether two headings are the same but for rounding.
pub(super) fn is_same(a: Heading, b: Heading) -> bool {
    (a.vector() - b.vector()).norm_squared() < 1e-18
}

/// The plainest ways of one element, as its corner has them that goes furthest; both, where they go as far.
fn plain_ways(base: Footprint, pose: Pose) -> Vec<Vec<Leg>> {
    let to = base.moved_to(pose);
    let far = |c: Corner| (to.corner(c) - base.corner(c)).norm();
    let both = [Corner::FrontLeft, Corner::FrontRight];
    let most = both.map(far).into_iter().fold(0.0, f64::max);
    let furthest = both.into_iter().filter(|c| far(*c) >= most - 1e-6);
    furthest.flat_map(|corner| super::paths::plain(base, to, corner, |_, _| true, None)).collect()
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
