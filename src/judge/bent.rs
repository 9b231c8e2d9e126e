//! Mounts that look bent, by contacts that are known from the game.
//!
//! Two bases that are known to be in contact, lined up, stand where that puts them. Where they were measured to stand
//! otherwise, one of their mounts may be bent: its base is then seen off by the same in its own frame in every
//! contact. Which mounts are bent is a hypothesis; each may choose two numbers a mount, at a price, against what the
//! roster's own sigmas allow. The cheapest is told, and of it only the mounts without which no other hypothesis comes
//! near: a single contradiction names nobody, for either of its two mounts explains it.
//!
//! Table frame, millimetres. Pure. One mount an element: several tags on a base are one here.

use super::Measured;
use crate::geometry::{MountTerm, Pose, PoseEstimate, Source, Vector, relative_covariance};
use crate::rules::Settings;
use crate::rules::facts::{Fact, FactError, agree};
use crate::units::rounded;
use nalgebra::{DMatrix, DVector, Matrix2};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// How well bases that are pushed together by hand are lined up, one sigma along either axis, millimetres. A choice.
const PUSHED_MM: f64 = 0.3;
/// What a bent mount must lower chi squared by. A choice: by chance its two numbers do so once in 3000.
const PRICE: f64 = 16.0;
/// By how much a hypothesis without the mount must be dearer for it to be named. A choice: odds of 90 to 1.
const RIVAL: f64 = 9.0;
/// Contacts that a mount must be in to be named.
const LEAST_CONTACTS: usize = 2;
/// Bent mounts that one hypothesis may hold, at the most.
const MOST_BENT: usize = 4;
/// A mount of which nothing is in doubt is taken to be this sure, millimetres.
const SUREST_MM: f64 = 0.01;

/// Two elements known to be in contact, as they were measured.
#[derive(Debug, Clone, PartialEq)]
pub struct KnownContact {
    /// Their names.
    pub names: [String; 2],
    /// Their poses, as measured, each before anything that was agreed.
    pub poses: [PoseEstimate; 2],
    /// Where the first must stand if the second stands where it was measured.
    pub place: Pose,
}

/// A mount that looks bent.
#[derive(Debug, Clone, PartialEq)]
pub struct BentMount {
    /// Its element.
    pub element: String,
    /// How much further to the base's right its tag sits than the roster has it, millimetres.
    pub right_mm: f64,
    /// How much further ahead.
    pub forward_mm: f64,
    /// One sigma of these, the larger, millimetres.
    pub sigma_mm: f64,
    /// The contacts that it was in.
    pub contacts: usize,
}

impl BentMount {
    /// As one JSON object, lengths rounded to a thousandth.
    pub fn to_json(&self) -> Value {
        json!({
            "caution": self.to_string(), "element": self.element, "contacts": self.contacts,
            "right_mm": rounded(self.right_mm, 3), "forward_mm": rounded(self.forward_mm, 3),
            "sigma_mm": rounded(self.sigma_mm, 3),
        })
    }
}

impl std::fmt::Display for BentMount {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { element, right_mm, forward_mm, sigma_mm, contacts } = self;
        let way = |mm: f64, plus: &str, minus: &str| {
            format!("{:.1} mm {}", mm.abs(), if mm < 0.0 { minus } else { plus })
        };
        write!(
            f,
            "the mount of {element} looks bent: by {contacts} contacts its tag sits {} and {} of where the roster has \
             it, ± {sigma_mm:.1}; measure it again with `groma jig`",
            way(*right_mm, "to the right", "to the left"),
            way(*forward_mm, "ahead", "behind"),
        )
    }
}

/// The contacts among what the players agreed, against what was measured before.
///
/// # Errors
/// A name that is not there, or a contact that is too far from what was measured.
pub fn known_contacts(
    measured: &Measured,
    settings: &Settings,
    facts: &[Fact],
) -> Result<Vec<KnownContact>, FactError> {
    let contacts = facts.iter().filter_map(|fact| match fact {
        Fact::Contact(a, b) => Some((fact, a, b)),
        _ => None,
    });
    let mut known = Vec::new();
    for (fact, a, b) in contacts {
        let lined_up = agree(&measured.setup, settings, std::slice::from_ref(fact))?.setup;
        let (Some(place), Some(first), Some(second)) =
            (lined_up.element(a), measured.pose(a), measured.pose(b))
        else {
            continue;
        };
        known.push(KnownContact {
            names: [a.clone(), b.clone()],
            poses: [first.clone(), second.clone()],
            place: place.footprint.pose(),
        });
    }
    Ok(known)
}

/// The mounts that look bent, by any number of looks at known contacts, in the order of their names.
pub fn bent_mounts(contacts: &[KnownContact]) -> Vec<BentMount> {
    let Some(problem) = Problem::of(contacts) else { return Vec::new() };
    let Some(best) = problem.cheapest(None) else { return Vec::new() };
    let named = best.bent.iter().enumerate().filter_map(|(k, &name)| {
        let count = contacts.iter().filter(|c| c.names.iter().any(|n| n == name)).count();
        let rival = problem.cheapest(Some(name))?;
        (count >= LEAST_CONTACTS && rival.cost - best.cost >= RIVAL).then(|| BentMount {
            element: name.to_owned(),
            right_mm: best.numbers[2 * k],
            forward_mm: best.numbers[2 * k + 1],
            sigma_mm: (best.variance_mm2(k) - problem.sigma_mm[name].powi(2)).max(0.0).sqrt(),
            contacts: count,
        })
    });
    let mut named: Vec<BentMount> = named.collect();
    named.sort_by(|a, b| a.element.cmp(&b.element));
    named
}

/// What every hypothesis is fitted to: two rows a contact, how far its first element was measured from its place.
struct Problem<'a> {
    off: DVector<f64>,
    /// Inverse covariance of the rows where every mount is as the roster has it within its sigmas.
    weight: DMatrix<f64>,
    /// How the rows answer to each element's (right, forward).
    by_mount: BTreeMap<&'a str, DMatrix<f64>>,
    /// One sigma of each mount along an axis, as the roster has it.
    sigma_mm: BTreeMap<&'a str, f64>,
}

/// A hypothesis fitted.
struct Fitted<'a> {
    bent: Vec<&'a str>,
    cost: f64,
    numbers: DVector<f64>,
    spread: DMatrix<f64>,
}

impl Fitted<'_> {
    /// Of a bent mount's numbers, the larger; what the roster allows the mount itself is in it.
    fn variance_mm2(&self, k: usize) -> f64 {
        self.spread.fixed_view::<2, 2>(2 * k, 2 * k).into_owned().symmetric_eigenvalues().max()
    }
}

impl<'a> Problem<'a> {
    fn of(contacts: &'a [KnownContact]) -> Option<Self> {
        let rows = 2 * contacts.len();
        let mut off = DVector::zeros(rows);
        let mut covariance = DMatrix::zeros(rows, rows);
        let mut by_mount: BTreeMap<&str, DMatrix<f64>> = BTreeMap::new();
        let mut sigma_mm: BTreeMap<&str, f64> = BTreeMap::new();
        for (n, contact) in contacts.iter().enumerate() {
            let [first, second] = &contact.poses;
            let step = first.pose.centre - contact.place.centre;
            off.fixed_rows_mut::<2>(2 * n).copy_from(&step);
            let (one, other) = (without_mount(first), without_mount(second));
            let noise = relative_covariance(&other, &one).fixed_view::<2, 2>(0, 0).into_owned();
            let pushed = Matrix2::identity() * PUSHED_MM.powi(2);
            covariance.fixed_view_mut::<2, 2>(2 * n, 2 * n).copy_from(&(noise + pushed));
            for ((name, pose), sign) in contact.names.iter().zip(&contact.poses).zip([1.0, -1.0]) {
                let heading = pose.pose.heading;
                let axes = Matrix2::from_columns(&[heading.right(), heading.vector()]) * sign;
                let own = by_mount.entry(name).or_insert_with(|| DMatrix::zeros(rows, 2));
                own.fixed_view_mut::<2, 2>(2 * n, 0).copy_from(&axes);
                let sigma = sigma_mm.entry(name).or_insert(SUREST_MM);
                *sigma = sigma.max(mount_sigma_mm(pose));
            }
        }
        for (name, own) in &by_mount {
            covariance += own * own.transpose() * sigma_mm[name].powi(2);
        }
        Some(Self { off, weight: covariance.try_inverse()?, by_mount, sigma_mm })
    }

    /// The cheapest hypothesis, grown mount by mount, without this mount where one is given.
    fn cheapest(&self, without: Option<&str>) -> Option<Fitted<'a>> {
        let mut best = self.fitted(Vec::new())?;
        while best.bent.len() < MOST_BENT {
            let free: BTreeSet<&str> = self
                .by_mount
                .keys()
                .copied()
                .filter(|name| Some(*name) != without && !best.bent.contains(name))
                .collect();
            let next = free
                .into_iter()
                .filter_map(|name| self.fitted(best.bent.iter().copied().chain([name]).collect()))
                .min_by(|a, b| a.cost.total_cmp(&b.cost));
            match next.filter(|n| n.cost < best.cost) {
                Some(better) => best = better,
                None => break,
            }
        }
        Some(best)
    }

    fn fitted(&self, bent: Vec<&'a str>) -> Option<Fitted<'a>> {
        let mut by = DMatrix::zeros(self.off.len(), 2 * bent.len());
        for (k, name) in bent.iter().enumerate() {
            by.columns_mut(2 * k, 2).copy_from(&self.by_mount[name]);
        }
        let normal = by.transpose() * &self.weight * &by;
        let spread = if bent.is_empty() { normal } else { normal.try_inverse()? };
        let numbers = &spread * (by.transpose() * &self.weight * &self.off);
        let left = &self.off - &by * &numbers;
        let cost = left.dot(&(&self.weight * &left)) + PRICE * bent.len() as f64;
        Some(Fitted { bent, cost, numbers, spread })
    }
}

/// Whether a source is where a tag sits on its base.
fn is_place(source: Source) -> bool {
    matches!(source, Source::Mount { term: MountTerm::Right | MountTerm::Forward, .. })
}

/// The pose with its mount's place taken as sure.
fn without_mount(pose: &PoseEstimate) -> PoseEstimate {
    let shared = pose.shared.iter().filter(|s| !is_place(s.source)).copied().collect();
    PoseEstimate { shared, ..pose.clone() }
}

/// One sigma of the mount's place along an axis, as the roster has it.
fn mount_sigma_mm(pose: &PoseEstimate) -> f64 {
    let place = pose.shared.iter().filter(|s| is_place(s.source));
    let squares: f64 = place.map(|s| Vector::new(s.per_sigma.x, s.per_sigma.y).norm_squared()).sum();
    (squares / 2.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Sensitivity;
    use nalgebra::{Matrix3, Vector3};

    /// A base seen at a pose, its mount's place known to so much, millimetres, and bent by (right, forward).
    fn seen(at: Pose, sigma_mm: f64, bent: (f64, f64), tag: u64) -> PoseEstimate {
        let (right, ahead) = (at.heading.right(), at.heading.vector());
        let term = |term, v: Vector| Sensitivity {
            source: Source::Mount { tag, term },
            per_sigma: Vector3::new(-v.x, -v.y, 0.0) * sigma_mm,
        };
        PoseEstimate {
            pose: Pose { centre: at.centre + right * bent.0 + ahead * bent.1, heading: at.heading },
            covariance: Matrix3::from_diagonal(&Vector3::new(4e-4, 4e-4, 1e-6)),
            shared: vec![term(MountTerm::Right, right), term(MountTerm::Forward, ahead)],
        }
    }

    /// A contact of `a`, bent so, with `b`, facing each other where `b` looks along `heading`.
    fn contact(a: (&str, (f64, f64)), b: (&str, (f64, f64)), heading: f64) -> KnownContact {
        let b_at = Pose::new(300.0, 300.0, heading);
        let a_at = Pose { centre: b_at.at(0.0, 17.5), heading: b_at.heading.turned_degrees(180.0) };
        let key = |name: &str| name.bytes().fold(7u64, |k, c| 31 * k + u64::from(c));
        let [first, second] = [(a, a_at), (b, b_at)].map(|((n, bent), at)| seen(at, 0.25, bent, key(n)));
        // Where the rules put the first, if the second stands where it was measured.
        let place = Pose { centre: a_at.centre + (second.pose.centre - b_at.centre), heading: a_at.heading };
        KnownContact { names: [a.0.to_owned(), b.0.to_owned()], poses: [first, second], place }
    }

    const STRAIGHT: (f64, f64) = (0.0, 0.0);

    #[test]
    fn a_single_contradiction_names_nobody_nor_do_two_of_the_same_pair() {
        let once = contact(("A", (0.4, -2.0)), ("E", STRAIGHT), 90.0);
        assert_eq!(bent_mounts(std::slice::from_ref(&once)), []);
        let again = contact(("A", (0.4, -2.0)), ("E", STRAIGHT), 210.0);
        assert_eq!(bent_mounts(&[once, again]), []);
    }

    #[test]
    fn a_mount_that_contradicts_two_others_alike_is_named_with_its_way() {
        let looks = [
            contact(("A", (0.4, -2.0)), ("E", STRAIGHT), 90.0),
            contact(("F", STRAIGHT), ("A", (0.4, -2.0)), 170.0),
        ];
        let found = bent_mounts(&looks);
        let [bent] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!((bent.element.as_str(), bent.contacts), ("A", 2));
        assert!((bent.right_mm - 0.4).abs() < 1e-6 && (bent.forward_mm + 2.0).abs() < 1e-6, "{bent:?}");
        // Two contacts, each with the other's mount and the push in it: sqrt((0.25^2 + 0.3^2) / 2).
        assert!((bent.sigma_mm - 0.276).abs() < 0.005, "{bent:?}");
        let words = bent.to_string();
        assert!(
            words.contains("mount of A") && words.contains("0.4 mm to the right and 2.0 mm behind"),
            "{words}"
        );
    }

    #[test]
    fn straight_mounts_and_ones_off_by_what_the_roster_allows_are_not_named() {
        let within = (0.3, -0.3);
        let looks = [
            contact(("A", within), ("E", STRAIGHT), 90.0),
            contact(("A", within), ("F", STRAIGHT), 30.0),
            contact(("B", STRAIGHT), ("F", STRAIGHT), 300.0),
        ];
        assert_eq!(bent_mounts(&looks), []);
        assert_eq!(bent_mounts(&[]), []);
    }

    #[test]
    fn two_bent_mounts_are_told_apart_by_the_contacts_with_straight_ones() {
        let (a, e) = (("A", (1.8, 0.0)), ("E", (0.0, 2.2)));
        let looks = [
            contact(a, e, 90.0),
            contact(a, ("F", STRAIGHT), 10.0),
            contact(a, ("G", STRAIGHT), 100.0),
            contact(("B", STRAIGHT), e, 200.0),
            contact(("C", STRAIGHT), e, 330.0),
        ];
        let names: Vec<String> = bent_mounts(&looks).into_iter().map(|b| b.element).collect();
        assert_eq!(names, ["A", "E"]);
    }

    #[test]
    fn what_differs_from_contact_to_contact_is_no_bent_mount() {
        // A is 2 mm off one way here and the other way there, in its own frame.
        let looks = [
            contact(("A", (2.0, 0.0)), ("E", STRAIGHT), 90.0),
            contact(("A", (-2.0, 0.0)), ("F", STRAIGHT), 90.0),
        ];
        assert!(bent_mounts(&looks).is_empty());
    }
}
