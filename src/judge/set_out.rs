//! The table as it is set out before a battle: who stands is where the camera has him, who does not is in reserve; and how
//! sure it is that an element may stand where it was measured.
//!
//! Table frame, millimetres. Pure. A margin's sigma is taken no smaller than any direction can make it: that of the
//! element's place, and of its heading over the way from its middle to the binding point, added. So a clear call here is
//! clear by more than it must be. Clauses: dba3.dep.1, .7, army-lists.troop.5.

use super::verdict::{Leans, Verdict, Weighed};
use super::{Measured, Roster};
use crate::geometry::{Footprint, Pose, Whose, normal_cdf};
use crate::rules::{Element, Location, Reason, Setup};

/// Who is not on the table is drawn so far beyond its near edge, base widths.
const BESIDE_BW: f64 = 2.0;

/// What stands as it was measured, and with it everybody of the rosters who may be in play and does not stand, in reserve.
/// Of a `//` pair one alone: the other side of what stands is not missing.
pub fn set_out(roster: &Roster, standing: &Setup) -> Setup {
    let mut setup = standing.clone();
    let bw = setup.scale.mm_per_bw();
    let stands = |name: &str| standing.element(name).is_some();
    let exchanges = roster.exchanges();
    let other_side =
        |name: &str| exchanges.iter().any(|(rider, foot)| (foot == name) || (rider == name && stands(foot)));
    let missing = roster.elements().iter().filter(|e| e.location != Location::Off && !stands(&e.name));
    for (place, e) in missing.filter(|e| !other_side(&e.name)).enumerate() {
        let pose = Pose::new((place as f64 + 0.5) * 1.25 * bw, -BESIDE_BW * bw, 90.0);
        let footprint = Footprint::new(pose, e.base.width_mm, e.base.depth_mm)
            .expect("a roster's bases have sides of more than zero");
        setup.elements.push(Element {
            name: e.name.clone(),
            side: e.side,
            troop: e.troop.clone(),
            footprint,
            general: e.general && e.contingent.is_none(),
            tower: e.tower,
            overhang: e.overhang,
            location: Location::Reserve,
        });
        if let Some(contingent) = &e.contingent {
            setup.contingents.insert(e.name.clone(), contingent.clone());
        }
    }
    setup
}

/// How sure a condition of an element is that was measured. `table` is what the condition was asked of: the same table, perhaps
/// turned. Of one without a margin, and of what was not measured, as it was told.
pub fn sure(measured: &Measured, table: &Setup, name: &str, reason: &Reason) -> Verdict {
    let plain = if reason.holds { Verdict::Yes } else { Verdict::No };
    let (Some(margin), Some(pose), Some(element)) = (reason.margin, measured.pose(name), table.element(name))
    else {
        return plain;
    };
    if let Some(held) = measured.held {
        return Verdict::Held(held);
    }
    let ends = [margin.binding.0, margin.binding.1];
    let at = ends.iter().find(|end| end.whose == Whose::A).unwrap_or(&ends[0]).at;
    let arm = (at - element.footprint.pose().centre).norm();
    let own = pose.sigma_place_mm() + pose.sigma_heading_rad() * arm;
    // Of another base the worst: a margin does not say whose it is.
    let other = match ends.iter().any(|end| end.whose == Whose::B) {
        true => {
            let all = measured.setup.elements.iter().filter(|e| e.name != name);
            let sigma = |e: &Element| {
                let pose = measured.pose(&e.name)?;
                let (width, depth) = (e.footprint.width_mm(), e.footprint.depth_mm());
                Some(pose.sigma_place_mm() + pose.sigma_heading_rad() * width.hypot(depth) / 2.0)
            };
            all.filter_map(sigma).fold(0.0, f64::max)
        }
        false => 0.0,
    };
    let sigma_mm = own.hypot(other);
    if sigma_mm <= 0.0 {
        return plain;
    }
    Weighed { margin, sigma_mm, probability: normal_cdf(margin.mm / sigma_mm) }.verdict()
}

/// The worst of several calls: a clear no, then one that is held or too close, then yes.
pub fn worst(calls: impl IntoIterator<Item = Verdict>) -> Verdict {
    let rank = |call: &Verdict| match call {
        Verdict::Yes => 0,
        Verdict::TooClose { leans: Leans::Yes, .. } => 1,
        Verdict::TooClose { leans: Leans::No, .. } => 2,
        Verdict::Held(_) => 3,
        Verdict::No => 4,
    };
    calls.into_iter().max_by_key(rank).unwrap_or(Verdict::Yes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PoseEstimate;
    use crate::judge::samples;
    use crate::rules::setting_up::{BaseEdges, deploys};
    use crate::rules::{Ruleset, Settings, Side, notation};
    use nalgebra::Matrix3;

    #[test]
    fn who_does_not_stand_is_in_reserve() {
        let roster = samples::roster();
        let first = roster.elements().iter().find(|e| e.side == Side::Red).expect("a red element");
        let text = format!("\"{}\" {} red (5,5)-(6,5) N", first.name, first.troop);
        let stood = notation::read_setup(&text, &Ruleset::dba3()).expect("a setup");
        let out = set_out(&roster, &stood);
        assert_eq!(out.elements.len(), roster.elements().len());
        for element in &out.elements {
            let there = element.name == first.name;
            assert_eq!(element.location == Location::Board, there, "{}", element.name);
        }
    }

    /// The board is 15 BW of 40 mm: its middle is at 300 mm, and who is red keeps 120 mm from it (dba3.dep.3): its front edge
    /// may be at 180 mm at the most.
    #[test]
    fn a_margin_within_its_sigma_is_too_close() {
        for (front_mm, sigma, word) in [
            (179.0, 0.2, "yes"),
            (179.9, 0.2, "too_close"),
            (180.1, 0.2, "too_close"),
            (181.0, 0.2, "no"),
            (180.1, 0.0, "no"),
        ] {
            let text = format!("A 4Bd red (240,{front_mm})-(280,{front_mm})mm N d15mm");
            let setup = notation::read_setup(&text, &Ruleset::dba3()).expect("a setup");
            let element = setup.elements[0].clone();
            let covariance =
                Matrix3::from_diagonal(&nalgebra::Vector3::new(sigma, sigma, 0.0).map(|s: f64| s * s));
            let pose = PoseEstimate { covariance, ..PoseEstimate::exact(element.footprint.pose()) };
            let measured = Measured::from_poses(setup.scale, setup.board_mm, vec![(element.clone(), pose)]);
            let terms =
                deploys(&setup, &Settings::dba3(), &element, BaseEdges::USUAL, &[]).expect("a known troop");
            let centre = terms.conditions.iter().find(|r| r.clause == "dba3.dep.3").expect("it is asked");
            assert_eq!(sure(&measured, &setup, "A", centre).word(), word, "{front_mm} {sigma}");
        }
    }
}
