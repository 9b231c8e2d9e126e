//! Terrain and deployment checked plainly, from the clauses' words: points in base widths, outlines walked and tables
//! sampled. It uses nothing of the engine.
//!
//! Every check gives a figure that is above zero where the rule is kept and below where it is not, in base widths or
//! shares; near zero sampling cannot tell, and nobody asks.

/// A point, base widths.
pub type P = (f64, f64);

/// Squares of the board's side, base widths.
pub const BOARD: f64 = 15.0;

fn edges(outline: &[P]) -> impl Iterator<Item = (P, P)> + '_ {
    (0..outline.len()).map(|n| (outline[n], outline[(n + 1) % outline.len()]))
}

fn apart(a: P, b: P) -> f64 {
    (a.0 - b.0).hypot(a.1 - b.1)
}

/// From a point to a straight edge.
fn to_edge(p: P, (a, b): (P, P)) -> f64 {
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    let long = x * x + y * y;
    let share = if long == 0.0 { 0.0 } else { (((p.0 - a.0) * x + (p.1 - a.1) * y) / long).clamp(0.0, 1.0) };
    apart(p, (a.0 + x * share, a.1 + y * share))
}

/// Whether a point is inside: an odd number of edges lies to its right.
pub fn inside(p: P, outline: &[P]) -> bool {
    edges(outline)
        .filter(|(a, b)| (a.1 > p.1) != (b.1 > p.1))
        .fold(false, |odd, (a, b)| odd != (p.0 < a.0 + (p.1 - a.1) / (b.1 - a.1) * (b.0 - a.0)))
}

/// Where a level line at that y enters and leaves the outline, in pairs.
fn chords(outline: &[P], y: f64) -> Vec<(f64, f64)> {
    let mut at: Vec<f64> = edges(outline)
        .filter(|(a, b)| (a.1 > y) != (b.1 > y))
        .map(|(a, b)| a.0 + (y - a.1) / (b.1 - a.1) * (b.0 - a.0))
        .collect();
    at.sort_by(f64::total_cmp);
    at.chunks(2).filter(|pair| pair.len() == 2).map(|pair| (pair[0], pair[1])).collect()
}

/// Strips of so little, base widths.
const STRIP: f64 = 0.005;

/// The outline cut into thin level strips: y, and where it is inside.
fn strips(outline: &[P]) -> Vec<(f64, Vec<(f64, f64)>)> {
    let low = outline.iter().map(|p| p.1).fold(f64::INFINITY, f64::min);
    let high = outline.iter().map(|p| p.1).fold(f64::NEG_INFINITY, f64::max);
    let count = ((high - low) / STRIP).ceil() as usize;
    let step = (high - low) / count as f64;
    (0..count).map(|n| low + (n as f64 + 0.5) * step).map(|y| (y, chords(outline, y))).collect()
}

/// The middle of the area.
fn centre(outline: &[P]) -> P {
    let (mut area, mut x, mut y) = (0.0, 0.0, 0.0);
    for (level, parts) in strips(outline) {
        for (from, to) in parts {
            area += to - from;
            x += (to - from) * (from + to) / 2.0;
            y += (to - from) * level;
        }
    }
    (x / area, y / area)
}

/// How long and wide it is across a direction, and square to it.
fn extent(outline: &[P], deg: f64) -> (f64, f64) {
    let (sin, cos) = deg.to_radians().sin_cos();
    let span = |of: &dyn Fn(&P) -> f64| {
        let low = outline.iter().map(of).fold(f64::INFINITY, f64::min);
        outline.iter().map(of).fold(f64::NEG_INFINITY, f64::max) - low
    };
    (span(&|p| p.0 * cos + p.1 * sin), span(&|p| p.1 * cos - p.0 * sin))
}

/// The rectangles round it with nearly the least sum of sides, longer side first: all whose sum is within `near` of it.
fn boxes(outline: &[P], near: f64) -> Vec<(f64, f64)> {
    let coarse: Vec<f64> = (0..360).map(|n| f64::from(n) * 0.25).collect();
    let sum = |deg: f64| {
        let (a, b) = extent(outline, deg);
        a + b
    };
    let least = coarse.iter().map(|deg| sum(*deg)).fold(f64::INFINITY, f64::min);
    // A quarter of a degree changes a sum by less than 0.05 BW.
    let fine: Vec<f64> = coarse
        .iter()
        .filter(|deg| sum(**deg) < least + 0.06)
        .flat_map(|deg| (-13..=13).map(move |n| deg + f64::from(n) * 0.01))
        .collect();
    let least = fine.iter().map(|deg| sum(*deg)).fold(f64::INFINITY, f64::min);
    let good = fine.iter().filter(|deg| sum(**deg) <= least + near).map(|deg| extent(outline, *deg));
    good.map(|(a, b)| (a.max(b), a.min(b))).collect()
}

/// Room below 9 BW for length and width (dba3.area.2).
pub fn size(outline: &[P]) -> f64 {
    9.0 - boxes(outline, 0.0).iter().map(|(a, b)| a + b).fold(f64::INFINITY, f64::min)
}

/// Least and greatest room of the proportions over all rectangles that may be the one: of a Gully beyond three times as
/// long as wide, of others below twice (dba3.area.5, .6).
pub fn proportions(outline: &[P], gully: bool) -> (f64, f64) {
    let rooms = boxes(outline, 0.003);
    let room = |(long, short): &(f64, f64)| if gully { long - 3.0 * short } else { 2.0 * short - long };
    let low = rooms.iter().map(room).fold(f64::INFINITY, f64::min);
    (low, rooms.iter().map(room).fold(f64::NEG_INFINITY, f64::max))
}

/// How wide it is at its centre: the shortest way through (dba3.area.3); none where its centre lies outside.
pub fn width(outline: &[P]) -> Option<f64> {
    let middle = centre(outline);
    if !inside(middle, outline) {
        return None;
    }
    let across = |deg: f64| {
        let (sin, cos) = deg.to_radians().sin_cos();
        let (mut ahead, mut back) = (f64::INFINITY, f64::INFINITY);
        for (a, b) in edges(outline) {
            // Along the line, and how far each end is to its left.
            let seen = |p: P| {
                let (x, y) = (p.0 - middle.0, p.1 - middle.1);
                (x * cos + y * sin, y * cos - x * sin)
            };
            let (a, b) = (seen(a), seen(b));
            if (a.1 > 0.0) != (b.1 > 0.0) {
                let at = a.0 + (b.0 - a.0) * a.1 / (a.1 - b.1);
                if at > 0.0 { ahead = ahead.min(at) } else { back = back.min(-at) }
            }
        }
        ahead + back
    };
    let coarse = (0..720).map(|n| f64::from(n) * 0.25);
    let best = coarse.min_by(|a, b| across(*a).total_cmp(&across(*b)))?;
    let fine = (-100..=100).map(|n| best + f64::from(n) * 0.005);
    Some(fine.map(across).fold(f64::INFINITY, f64::min))
}

/// Room below an eighth of the way round for the longest stretch from corner to corner that bends by less than a
/// hundredth (dba3.area.8, and the choices of `rules::setting_up`). The two figures are for a little less and a little more bend.
pub fn curves(outline: &[P]) -> (f64, f64) {
    let count = outline.len();
    let round: f64 = edges(outline).map(|(a, b)| apart(a, b)).sum();
    let longest = |bend: f64| {
        let mut best = 0.0_f64;
        for from in 0..count {
            for steps in 1..count {
                let chord = (outline[from], outline[(from + steps) % count]);
                if (1..steps).all(|n| to_edge(outline[(from + n) % count], chord) <= bend) {
                    best = best.max(apart(chord.0, chord.1));
                }
            }
        }
        best
    };
    (round / 8.0 - longest(0.01001), round / 8.0 - longest(0.00999))
}

/// How far two outlines are apart; below zero where they overlap.
pub fn gap(a: &[P], b: &[P]) -> f64 {
    let near = |a: &[P], b: &[P]| {
        a.iter().flat_map(|p| edges(b).map(move |e| to_edge(*p, e))).fold(f64::INFINITY, f64::min)
    };
    // Walked along finely, an outline that crosses another has points inside it.
    let walked = |outline: &[P]| -> Vec<P> {
        edges(outline)
            .flat_map(|(a, b)| {
                let steps = (apart(a, b) / 0.02).ceil().max(1.0);
                (0..steps as usize).map(move |n| {
                    let share = n as f64 / steps;
                    (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
                })
            })
            .collect()
    };
    let overlap = walked(a).iter().any(|p| inside(*p, b)) || walked(b).iter().any(|p| inside(*p, a));
    if overlap { -1.0 } else { near(a, b).min(near(b, a)) }
}

/// The least distance of an outline from the edges of the board.
pub fn from_edges(outline: &[P]) -> f64 {
    outline.iter().map(|p| p.0.min(p.1).min(BOARD - p.0).min(BOARD - p.1)).fold(f64::INFINITY, f64::min)
}

/// An edge of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    Near,
    Right,
    Far,
    Left,
}

/// Whether a quarter lies on the right half and on the far half of the board, by its number as numbered from an edge:
/// clockwise from the near left, or from the far left (dba3.terr.5, dba3.set.1).
pub fn quarter(number: u8, seat: Edge, from_far_left: bool) -> (bool, bool) {
    let clockwise = match seat {
        Edge::Near => [(false, false), (false, true), (true, true), (true, false)],
        Edge::Far => [(true, true), (true, false), (false, false), (false, true)],
        Edge::Left => [(false, true), (true, true), (true, false), (false, false)],
        Edge::Right => [(true, false), (false, false), (false, true), (true, true)],
    };
    clockwise[(usize::from(number) - 1 + usize::from(from_far_left)) % 4]
}

/// Which quarter a point is in.
fn in_quarter(p: P) -> usize {
    usize::from(p.0 > BOARD / 2.0) + 2 * usize::from(p.1 > BOARD / 2.0)
}

/// The share of something in each quarter: near left, near right, far left, far right.
#[derive(Debug, Clone, Copy)]
pub struct Shares(pub [f64; 4]);

impl Shares {
    /// Of an area.
    pub fn of_area(outline: &[P]) -> Self {
        let (mut found, mut whole) = ([0.0; 4], 0.0);
        let half = BOARD / 2.0;
        for (y, parts) in strips(outline) {
            for (from, to) in parts {
                let far = 2 * usize::from(y > half);
                found[far] += (to.min(half) - from).max(0.0);
                found[far + 1] += (to - from.max(half)).max(0.0);
                whole += to - from;
            }
        }
        Self(found.map(|share| share / whole))
    }

    /// Of a line.
    pub fn of_line(line: &[P]) -> Self {
        let (mut found, mut whole) = ([0.0; 4], 0.0);
        for pair in line.windows(2) {
            let steps = (apart(pair[0], pair[1]) / 0.002).ceil().max(1.0) as usize;
            let step = apart(pair[0], pair[1]) / steps as f64;
            for n in 0..steps {
                let share = (n as f64 + 0.5) / steps as f64;
                let p = (
                    pair[0].0 + (pair[1].0 - pair[0].0) * share,
                    pair[0].1 + (pair[1].1 - pair[0].1) * share,
                );
                found[in_quarter(p)] += step;
                whole += step;
            }
        }
        Self(found.map(|share| share / whole))
    }
}

/// How far an outline keeps inside a quarter, from its corner that is nearest to a line or furthest over it.
pub fn within(outline: &[P], home: (bool, bool)) -> f64 {
    let inside = |at: f64, high: bool| if high { at - BOARD / 2.0 } else { BOARD / 2.0 - at };
    outline.iter().map(|p| inside(p.0, home.0).min(inside(p.1, home.1))).fold(f64::INFINITY, f64::min)
}

/// What a feature may do in its quarter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spill {
    /// Lie wholly inside.
    Never,
    /// Reach into one neighbour with less than half.
    Lesser,
    /// Reach into one neighbour with no more than half; where it must, it must.
    Half { must: bool },
}

/// Whether that is kept, and whether sampling can tell (dba3.place.6 to .8). A share under a thousandth is none that a
/// strip could tell from nothing.
pub fn spilt(shares: Shares, home: (bool, bool), spill: Spill) -> Option<bool> {
    let at = usize::from(home.0) + 2 * usize::from(home.1);
    let (own, beside) = (shares.0[at], [at ^ 1, at ^ 2]);
    let mut others = Vec::new();
    for (n, share) in shares.0.iter().enumerate().filter(|(n, _)| *n != at) {
        if *share > 0.0 && *share < 0.001 {
            return None;
        }
        if *share > 0.0 {
            others.push((n, *share));
        }
    }
    if spill != Spill::Never && (own - 0.5).abs() < 0.002 {
        return None;
    }
    Some(match spill {
        Spill::Never => others.is_empty(),
        Spill::Lesser | Spill::Half { must: false } => {
            own > 0.5 && others.len() <= 1 && others.iter().all(|(n, _)| beside.contains(n))
        }
        Spill::Half { must: true } => own > 0.5 && matches!(others[..], [(n, _)] if beside.contains(&n)),
    })
}

/// What is measured of a waterway along the near edge: how much of the edge it covers, the least depth unbroken from the
/// edge, the greatest depth, and the share along which it is 3 BW deep at most (dba3.wway.3 to .5).
#[derive(Debug, Clone, Copy)]
pub struct Water {
    pub covered: f64,
    pub least: f64,
    pub most: f64,
    pub shallow: f64,
}

/// A waterway that lies along the near edge, looked at every 0.01 BW.
pub fn water(outline: &[P]) -> Water {
    // Turned over its diagonal, level lines run square to the edge.
    let turned: Vec<P> = outline.iter().map(|p| (p.1, p.0)).collect();
    let mut found = Water { covered: 0.0, least: f64::INFINITY, most: 0.0, shallow: 0.0 };
    let step = 0.01;
    for n in 0..(BOARD / step) as usize {
        let parts = chords(&turned, (n as f64 + 0.5) * step);
        let (Some(first), Some(last)) = (parts.first(), parts.last()) else { continue };
        if first.0 > 0.025 {
            continue;
        }
        found.covered += step;
        found.least = found.least.min(first.1);
        found.most = found.most.max(last.1);
        found.shallow += if last.1 <= 3.0 { step } else { 0.0 };
    }
    found.shallow /= found.covered;
    found
}

/// A base as points all along its rim.
pub fn rim(corners: &[P; 4]) -> Vec<P> {
    edges(corners)
        .flat_map(|(a, b)| {
            (0..40).map(move |n| {
                let share = f64::from(n) / 40.0;
                (a.0 + (b.0 - a.0) * share, a.1 + (b.1 - a.1) * share)
            })
        })
        .collect()
}

/// How much room a base has at deployment: beyond 3 BW from the centre line, from the side edges, and from an enemy's
/// City or Fort (dba3.dep.3 to .6). `near` says that its base edge is the near one.
pub fn deployed(corners: &[P; 4], code: &str, near: bool, camels_too: bool, enemy: Option<&[P]>) -> f64 {
    let rim = rim(corners);
    let light = matches!(code, "Cv" | "LCh" | "LH" | "LCm" | "4Ax" | "3Ax" | "Ps" | "6Cv");
    let too = camels_too && matches!(code, "Cm" | "Mtd-4Cb");
    let sides = if light || too { 2.0 } else { 4.0 };
    let back = |p: &P| if near { BOARD / 2.0 - p.1 } else { p.1 - BOARD / 2.0 };
    let least = |of: &dyn Fn(&P) -> f64| rim.iter().map(of).fold(f64::INFINITY, f64::min);
    let mut room = (least(&back) - 3.0).min(least(&|p| p.0.min(BOARD - p.0)) - sides);
    if let Some(city) = enemy {
        room = room.min(gap(corners, city) - 3.0);
    }
    room
}
