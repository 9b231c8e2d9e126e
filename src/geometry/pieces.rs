//! A simple outline cut into convex pieces: ears clipped to triangles, triangles joined while they stay
//! convex (Hertel and Mehlhorn, 1983: at most four times the fewest pieces).

use super::Point;
use super::convex::turn;

/// The convex pieces of a simple outline that runs anticlockwise, each anticlockwise.
pub(super) fn convex(corners: &[Point]) -> Vec<Vec<Point>> {
    let mut pieces: Vec<Vec<usize>> = triangles(corners);
    let mut at = 0;
    while at < pieces.len() {
        let joined = (at + 1..pieces.len())
            .find_map(|other| Some((other, join(&pieces[at], &pieces[other], corners)?)));
        match joined {
            Some((other, piece)) => {
                pieces[at] = piece;
                pieces.swap_remove(other);
            }
            None => at += 1,
        }
    }
    pieces.into_iter().map(|piece| piece.into_iter().map(|n| corners[n]).collect()).collect()
}

/// Triangles, by the numbers of their corners.
fn triangles(corners: &[Point]) -> Vec<Vec<usize>> {
    let mut left: Vec<usize> = (0..corners.len()).collect();
    let mut cut = Vec::new();
    while left.len() > 3 {
        let count = left.len();
        let ear = (0..count)
            .find(|&n| is_ear(&left, n, corners))
            // Rounding alone hides every ear of a simple outline: the flattest corner does least harm.
            .or_else(|| {
                let flat = |n: usize| {
                    let [a, b, c] = around(&left, n).map(|k| corners[k]);
                    turn(a, b, c).abs()
                };
                (0..count).min_by(|&m, &n| flat(m).total_cmp(&flat(n)))
            })
            .expect("more than three corners are left");
        let [a, b, c] = around(&left, ear);
        if turn(corners[a], corners[b], corners[c]) > 0.0 {
            cut.push(vec![a, b, c]);
        }
        left.remove(ear);
    }
    if turn(corners[left[0]], corners[left[1]], corners[left[2]]) > 0.0 {
        cut.push(left);
    }
    cut
}

/// The corner before, the corner itself, the corner after.
fn around(left: &[usize], n: usize) -> [usize; 3] {
    let count = left.len();
    [left[(n + count - 1) % count], left[n], left[(n + 1) % count]]
}

fn is_ear(left: &[usize], n: usize, corners: &[Point]) -> bool {
    let around = around(left, n);
    let [a, b, c] = around.map(|k| corners[k]);
    if turn(a, b, c) <= 0.0 {
        return false;
    }
    left.iter().filter(|k| !around.contains(k)).all(|&k| {
        let p = corners[k];
        !(turn(a, b, p) >= 0.0 && turn(b, c, p) >= 0.0 && turn(c, a, p) >= 0.0)
    })
}

/// The two pieces as one, where they share an edge and stay convex together.
fn join(one: &[usize], other: &[usize], corners: &[Point]) -> Option<Vec<usize>> {
    for n in 0..one.len() {
        let (from, to) = (one[n], one[(n + 1) % one.len()]);
        let Some(m) = (0..other.len()).find(|&m| other[m] == to && other[(m + 1) % other.len()] == from)
        else {
            continue;
        };
        let mut piece: Vec<usize> = (1..=one.len()).map(|k| one[(n + k) % one.len()]).collect();
        piece.extend((2..other.len()).map(|k| other[(m + k) % other.len()]));
        let count = piece.len();
        let convex = (0..count).all(|k| {
            let [a, b, c] = around(&piece, k).map(|k| corners[k]);
            turn(a, b, c) >= 0.0
        });
        if convex {
            return Some(piece);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::geometry::{Point, Polygon};
    use proptest::prelude::*;

    fn star(radii: &[f64]) -> Polygon {
        let step = std::f64::consts::TAU / radii.len() as f64;
        let corner = |(n, r): (usize, &f64)| {
            let (sin, cos) = (step * n as f64).sin_cos();
            Point::new(300.0 + r * cos, 200.0 + r * sin)
        };
        Polygon::new(radii.iter().enumerate().map(corner).collect()).expect("a star is simple")
    }

    #[test]
    fn a_convex_outline_is_one_piece() {
        assert_eq!(star(&[50.0; 24]).pieces().len(), 1);
    }

    proptest! {
        #[test]
        fn pieces_are_convex_and_cover_the_inside_once(radii in proptest::collection::vec(10.0..90.0f64, 3..32)) {
            let polygon = star(&radii);
            let area = |piece: &Vec<Point>| {
                let turns = piece.windows(2).map(|p| super::turn(piece[0], p[0], p[1]));
                turns.sum::<f64>() / 2.0
            };
            let whole: f64 = polygon.pieces().iter().map(area).sum();
            prop_assert!((whole - polygon.area_mm2()).abs() < 1e-6 * whole);
            for piece in polygon.pieces() {
                let count = piece.len();
                for n in 0..count {
                    prop_assert!(super::turn(piece[n], piece[(n + 1) % count], piece[(n + 2) % count]) > -1e-9);
                }
            }
        }
    }
}
