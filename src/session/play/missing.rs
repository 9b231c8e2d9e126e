//! Who is not seen, and what that means: missing is not dead. A tag beyond the board's rim is off the table; who
//! vanishes at a wood is in the wood, unseen; whose place another base has taken is not there. Table frame,
//! millimetres. How near a wood's rim counts as at it is a choice.

use crate::geometry::{Footprint, separation, separation_from_area};
use crate::judge::{ElementReading, Roster};
use crate::rules::terrain::{Ground, TerrainKind};
use crate::session::view::{ElementView, TableView};
use crate::tracking::Visibility;
use std::time::Duration;

/// Bases cannot overlap by more: what is not seen and overlapped so is not there, millimetres.
const OVERLAP_MM: f64 = 5.0;
/// A base so near a wood's rim stood at the wood, millimetres: half a small base's depth.
const AT_WOOD_MM: f64 = 10.0;
/// Who has not been seen for less is behind a hand, not gone.
const HIDDEN: Duration = Duration::from_secs(3);

/// Where an element is that does not show on the board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whereabouts {
    /// Its tag shows beyond the board's rim.
    OffTable,
    /// It was last seen at this wood: it is in there, unseen.
    InWood(String),
    /// It was on the table, and is not seen.
    Unseen,
}

/// Where this element is, that was on the table once; none where it shows on the board.
pub(super) fn whereabouts(element: &ElementView, table: &TableView, ground: &Ground) -> Option<Whereabouts> {
    let unseen = match element.visibility {
        Visibility::Seen if table.holds(element) => return None,
        Visibility::Seen => return Some(Whereabouts::OffTable),
        Visibility::Covered { age } if age < HIDDEN => return None,
        Visibility::Covered { .. } | Visibility::Gone => element,
        Visibility::Missing => return None,
    };
    let wood = unseen.place.as_ref().and_then(|p| wood_at(&p.footprint, ground));
    Some(wood.map_or(Whereabouts::Unseen, |name| Whereabouts::InWood(name.to_owned())))
}

/// The wood in or at which a base stands.
fn wood_at<'g>(base: &Footprint, ground: &'g Ground) -> Option<&'g str> {
    let woods = ground.features.iter().filter(|f| f.kind == TerrainKind::Wood);
    let near = woods.map(|f| (separation_from_area(base, &f.outline).mm, f));
    near.filter(|(mm, _)| *mm <= AT_WOOD_MM).min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, f)| f.name.as_str())
}

/// Readings with what the table itself tells of those who are not seen: who vanished at a wood is kept where it was
/// seen last however long ago; whose place another base has taken is gone.
pub(super) fn reread(
    mut readings: Vec<ElementReading>,
    roster: &Roster,
    ground: &Ground,
) -> Vec<ElementReading> {
    let base = |r: &ElementReading| {
        let (size, pose) = (roster.element(&r.name)?.base, r.pose.as_ref()?);
        Footprint::new(pose.pose, size.width_mm, size.depth_mm)
    };
    let seen: Vec<Footprint> =
        readings.iter().filter(|r| r.visibility == Visibility::Seen).filter_map(base).collect();
    for reading in &mut readings {
        let Some(stood) = base(reading) else { continue };
        let taken = || seen.iter().any(|other| separation(&stood, other).mm < -OVERLAP_MM);
        match reading.visibility {
            Visibility::Covered { .. } if taken() => reading.visibility = Visibility::Gone,
            Visibility::Gone if wood_at(&stood, ground).is_some() && !taken() => {
                reading.visibility = Visibility::Covered { age: WOOD_AGE };
            }
            _ => {}
        }
    }
    readings
}

/// How long somebody is said to have been unseen in a wood who was too long unseen to tell.
const WOOD_AGE: Duration = Duration::from_secs(30 * 60);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Pose, PoseEstimate, Rest};
    use crate::judge::samples;
    use crate::rules::{Ruleset, Side, notation};

    fn reading(name: &str, x: f64, y: f64, visibility: Visibility) -> ElementReading {
        ElementReading {
            name: name.to_owned(),
            side: Side::Red,
            visibility,
            at_rest: true,
            pose: Some(PoseEstimate::exact(Pose::new(x, y, 90.0))),
            rest: Rest::TABLE,
        }
    }

    #[test]
    fn who_is_not_seen_and_whose_place_is_taken_is_not_there() {
        let roster = samples::roster();
        let hidden = Visibility::Covered { age: Duration::from_secs(4) };
        let of = |x: f64| {
            let all = vec![
                reading("Hastati 1", 200.0, 200.0, hidden),
                reading("Consul", x, 200.0, Visibility::Seen),
            ];
            reread(all, &roster, &Ground::default())[0].visibility
        };
        assert_eq!(of(210.0), Visibility::Gone);
        assert_eq!(of(300.0), hidden);
    }

    #[test]
    fn who_vanished_at_a_wood_is_in_it_however_long_ago() {
        // A square of 100 to 200 mm, told in base widths.
        let text = "bw 40mm board 600x600mm\nground wood Copse (2.5,2.5)-(5,2.5)-(5,5)-(2.5,5); A 4Bd red at (400,400)mm 90deg w40mm d15mm";
        let ground = notation::read_setup(text, &Ruleset::dba3()).expect("a setup").ground;
        let of = |x: f64| {
            let all = vec![reading("Hastati 1", x, 150.0, Visibility::Gone)];
            reread(all, &samples::roster(), &ground)[0].visibility
        };
        assert!(matches!(of(150.0), Visibility::Covered { .. }));
        assert_eq!(of(400.0), Visibility::Gone);
    }
}
