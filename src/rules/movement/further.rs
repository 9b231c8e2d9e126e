//! A path that is too long for one move as several moves of the same movers, one after the other.

use super::{Leg, Manoeuvre, MoveError, TacticalMove};
use crate::rules::Setup;

/// The legs of the leader from `from_mm` to `to_mm` along its path, turns counted by what they shift a
/// front corner at `arm_mm`.
fn between(legs: &[Leg], from_mm: f64, to_mm: f64, arm_mm: f64) -> Vec<Leg> {
    let mut gone = 0.0;
    let mut part = Vec::new();
    for leg in legs {
        let length = length(leg, arm_mm);
        let (start, end) = (gone, gone + length);
        gone = end;
        let (low, high) = (from_mm.max(start), to_mm.min(end));
        let last = (end - to_mm).abs() < 1e-9;
        if high - low <= 1e-9 && !(length <= 1e-9 && last) {
            continue;
        }
        let share = if length > 0.0 { (high - low) / length } else { 1.0 };
        part.push(match *leg {
            Leg::Shift(by) => Leg::Shift(by * share),
            Leg::Turn { about, by_rad } => Leg::Turn { about, by_rad: by_rad * share },
        });
    }
    part
}

fn length(leg: &Leg, arm_mm: f64) -> f64 {
    match leg {
        Leg::Shift(by) => by.norm(),
        Leg::Turn { by_rad, .. } => by_rad.abs() * arm_mm,
    }
}

/// How long a move's leader goes, millimetres.
pub(super) fn goes_mm(mv: &TacticalMove, arm_mm: f64) -> f64 {
    mv.movers.first().map_or(0.0, |lead| lead.legs.iter().map(|leg| length(leg, arm_mm)).sum())
}

/// The part of a move between two lengths of its leader's path, made on `table`.
///
/// # Errors
/// As [`TacticalMove::elements`].
pub(super) fn part(
    mv: &TacticalMove,
    table: &Setup,
    (from_mm, to_mm): (f64, f64),
    arm_mm: f64,
) -> Result<TacticalMove, MoveError> {
    let names: Vec<&str> = mv.names().collect();
    let Some(lead) = mv.movers.first() else { return Err(MoveError::Nobody) };
    let legs = between(&lead.legs, from_mm, to_mm, arm_mm);
    match mv.manoeuvre {
        Manoeuvre::Column => TacticalMove::column(table, &names, &legs),
        Manoeuvre::ByRoad => TacticalMove::by_road(table, &names, &legs),
        Manoeuvre::Group => Ok(TacticalMove::group(names, &legs)),
        _ => {
            Ok(TacticalMove { movers: vec![super::Mover { name: names[0].to_owned(), legs }], ..mv.clone() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Pose, Vector};

    #[test]
    fn the_parts_of_a_path_end_where_the_whole_does() {
        let start = Pose::new(100.0, 100.0, 90.0);
        let legs = [
            Leg::Shift(Vector::new(0.0, 70.0)),
            Leg::Turn { about: crate::geometry::Point::new(80.0, 180.0), by_rad: 0.5 },
            Leg::Shift(Vector::new(-30.0, 40.0)),
        ];
        let carried = |legs: &[Leg], pose| legs.iter().fold(pose, |at, leg: &Leg| leg.applied_to(at));
        let all: f64 = legs.iter().map(|leg| length(leg, 40.0)).sum();
        assert!((all - 140.0).abs() < 1e-9);
        for cut in [30.0, 70.0, 80.0, 95.0] {
            let (first, second) = (between(&legs, 0.0, cut, 40.0), between(&legs, cut, all, 40.0));
            let end = carried(&second, carried(&first, start));
            assert!((end.centre - carried(&legs, start).centre).norm() < 1e-9, "{cut}");
        }
    }
}
