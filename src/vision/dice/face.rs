//! Faces of dice: pips on the three by three places of a square, read as an error-detecting code.
//!
//! A face is a middle and two steps, one along each side, to the next place of its lattice. Of the 512 ways in which nine
//! places may be on or off only the faces' own patterns are read (2 and 3 on either diagonal, 6 with either pair of
//! rows); every place must be plainly on or plainly off by its colour, or the face is not read.
//! Image frame, pixels.

use super::pips::{Between, Pip};

/// The nine places in steps, row by row.
pub(super) const PLACES: [[f32; 2]; 9] = [
    [-1.0, -1.0],
    [0.0, -1.0],
    [1.0, -1.0],
    [-1.0, 0.0],
    [0.0, 0.0],
    [1.0, 0.0],
    [-1.0, 1.0],
    [0.0, 1.0],
    [1.0, 1.0],
];

/// The patterns that are faces: their value, and the places that are on as bits.
const PATTERNS: [(u8, u16); 9] = [
    (1, 0b000_010_000),
    (2, 0b100_000_001),
    (2, 0b001_000_100),
    (3, 0b100_010_001),
    (3, 0b001_010_100),
    (4, 0b101_000_101),
    (5, 0b101_010_101),
    (6, 0b101_101_101),
    (6, 0b111_000_111),
];

/// The value of a pattern of places, where it is one of a face.
pub(super) fn value(on: u16) -> Option<u8> {
    PATTERNS.iter().find(|(_, pattern)| *pattern == on).map(|(value, _)| *value)
}

/// A face as its pips have it.
#[derive(Debug, Clone)]
pub(super) struct Face {
    /// Its middle.
    pub(super) middle: [f32; 2],
    /// From a place to the next along one side.
    pub(super) along: [f32; 2],
    /// And along the other.
    pub(super) across: [f32; 2],
    /// Its pips, as indices.
    pub(super) pips: Vec<usize>,
    /// Which places are on.
    pub(super) on: u16,
    /// The mean radius of its pips.
    pub(super) radius: f32,
    /// How far its pips lie from their places, in steps, root mean square.
    pub(super) off: f32,
}

impl Face {
    /// The length of a step.
    pub(super) fn step(&self) -> f32 {
        let area = self.along[0] * self.across[1] - self.along[1] * self.across[0];
        area.abs().sqrt()
    }

    /// A place given in steps, in the picture.
    pub(super) fn place(&self, [u, v]: [f32; 2]) -> [f32; 2] {
        std::array::from_fn(|k| self.middle[k] + u * self.along[k] + v * self.across[k])
    }

    /// A place of the picture, in steps.
    pub(super) fn steps(&self, at: [f32; 2]) -> [f32; 2] {
        let [a, b] = [self.along, self.across];
        let area = a[0] * b[1] - a[1] * b[0];
        let d = [at[0] - self.middle[0], at[1] - self.middle[1]];
        [(d[0] * b[1] - d[1] * b[0]) / area, (a[0] * d[1] - a[1] * d[0]) / area]
    }

    /// How unlike a square its lattice is: the ratio of its axes, at least 1.
    pub(super) fn squashed(&self) -> f32 {
        let [a, b] = [self.along, self.across];
        let (sum, area) = (a[0] * a[0] + a[1] * a[1] + b[0] * b[0] + b[1] * b[1], a[0] * b[1] - a[1] * b[0]);
        let mean = (sum / (2.0 * area.abs())).max(1.0);
        mean + (mean * mean - 1.0).sqrt()
    }
}

/// Whether two marks may be pips of one face: of a size and of a colour.
pub(super) fn alike(a: &Pip, b: &Pip) -> bool {
    let ratio = a.radius / b.radius;
    let far = (0..3).map(|k| (a.inner[k] - b.inner[k]).abs()).fold(0.0, f32::max);
    let dot: f32 = (0..3).map(|k| (a.inner[k] - a.outer[k]) * (b.inner[k] - b.outer[k])).sum();
    (0.7..1.43).contains(&ratio) && far < 70.0 && dot > 0.0
}

/// The least and the most length of a step in radii of a pip.
const STEP_IN_RADII: [f32; 2] = [1.45, 3.6];

/// How much closer the two rows of a six may start.
const CLOSER: f32 = 0.76;

/// The faces that two or more of the marks make, those that explain most first; several may share marks.
pub(super) fn faces(pips: &[Pip]) -> Vec<Face> {
    let mut found: Vec<Face> = Vec::new();
    for i in 0..pips.len() {
        for j in i + 1..pips.len() {
            let (a, b) = (&pips[i], &pips[j]);
            let d = [b.at[0] - a.at[0], b.at[1] - a.at[1]];
            let far = d[0].hypot(d[1]);
            let radius = (a.radius + b.radius) / 2.0;
            if far < 1.9 * radius || far > 2.9 * STEP_IN_RADII[1] * radius || !alike(a, b) {
                continue;
            }
            let middle = [(a.at[0] + b.at[0]) / 2.0, (a.at[1] + b.at[1]) / 2.0];
            // Their line turned by half a right angle: a step of a diagonal.
            let turned = [(d[0] - d[1]) / 2.0, (d[0] + d[1]) / 2.0];
            let half = [d[0] / 2.0, d[1] / 2.0];
            let side = |sign: f32| [middle[0] - sign * half[1], middle[1] + sign * half[0]];
            let starts = [
                (middle, [turned[0] / 2.0, turned[1] / 2.0]),
                (a.at, turned),
                (b.at, turned),
                (side(1.0), half),
                (side(-1.0), half),
                // The rows of three of a six often stand closer than its pips in a row.
                (side(CLOSER), half),
                (side(-CLOSER), half),
            ];
            for (n, (middle, along)) in starts.into_iter().enumerate() {
                let narrow = if n < 5 { 1.0 } else { CLOSER };
                let start = Face {
                    middle,
                    along,
                    across: [-narrow * along[1], narrow * along[0]],
                    pips: Vec::new(),
                    on: 0,
                    radius,
                    off: 0.0,
                };
                if let Some(face) = grown(start, pips, [i, j])
                    && !found.iter().any(|f| f.pips == face.pips && f.on == face.on)
                {
                    found.push(face);
                }
            }
        }
    }
    found.sort_by(|a, b| b.pips.len().cmp(&a.pips.len()).then(a.off.total_cmp(&b.off)));
    found
}

/// A face from its start: the marks on its places, and the lattice laid through them.
fn grown(mut face: Face, pips: &[Pip], first: [usize; 2]) -> Option<Face> {
    for _ in 0..2 {
        let step = face.step();
        if !(STEP_IN_RADII[0]..STEP_IN_RADII[1]).contains(&(step / face.radius)) {
            return None;
        }
        let mut held: [Option<(usize, f32)>; 9] = [None; 9];
        for (k, pip) in pips.iter().enumerate() {
            let near = (pip.at[0] - face.middle[0]).hypot(pip.at[1] - face.middle[1]) < 2.2 * step;
            if !near || !alike(pip, &pips[first[0]]) || !alike(pip, &pips[first[1]]) {
                continue;
            }
            let [u, v] = face.steps(pip.at);
            for (place, held) in PLACES.iter().zip(&mut held) {
                let off = (u - place[0]).hypot(v - place[1]);
                if off < 0.33 && held.is_none_or(|(_, before)| off < before) {
                    *held = Some((k, off));
                }
            }
        }
        let members: Vec<(usize, usize)> =
            held.iter().enumerate().filter_map(|(place, h)| h.map(|(k, _)| (place, k))).collect();
        let on = members.iter().fold(0, |on, (place, _)| on | 1 << place);
        value(on)?;
        face.on = on;
        face.pips = members.iter().map(|(_, k)| *k).collect();
        face.pips.sort_unstable();
        if !first.iter().all(|k| face.pips.contains(k)) {
            return None;
        }
        lay(&mut face, &members, pips);
        face.radius = members.iter().map(|(_, k)| pips[*k].radius).sum::<f32>() / members.len() as f32;
        let square: f32 = members
            .iter()
            .map(|(place, k)| {
                let [u, v] = face.steps(pips[*k].at);
                (u - PLACES[*place][0]).powi(2) + (v - PLACES[*place][1]).powi(2)
            })
            .sum();
        face.off = (square / members.len() as f32).sqrt();
    }
    let step = face.step();
    (face.off < 0.2 && (STEP_IN_RADII[0]..STEP_IN_RADII[1]).contains(&(step / face.radius))).then_some(face)
}

/// Lays the lattice through its marks by least squares: freely where they span both directions, else as a square.
fn lay(face: &mut Face, members: &[(usize, usize)], pips: &[Pip]) {
    let n = members.len() as f32;
    let mean = |f: &dyn Fn(&(usize, usize)) -> f32| members.iter().map(f).sum::<f32>() / n;
    let (mu, mv) = (mean(&|(p, _)| PLACES[*p][0]), mean(&|(p, _)| PLACES[*p][1]));
    let (mx, my) = (mean(&|(_, k)| pips[*k].at[0]), mean(&|(_, k)| pips[*k].at[1]));
    let (mut uu, mut uv, mut vv) = (0.0, 0.0, 0.0);
    let (mut ux, mut uy, mut vx, mut vy) = (0.0, 0.0, 0.0, 0.0);
    for (place, k) in members {
        let (u, v) = (PLACES[*place][0] - mu, PLACES[*place][1] - mv);
        let (x, y) = (pips[*k].at[0] - mx, pips[*k].at[1] - my);
        uu += u * u;
        uv += u * v;
        vv += v * v;
        ux += u * x;
        uy += u * y;
        vx += v * x;
        vy += v * y;
    }
    let area = uu * vv - uv * uv;
    if area > 1.0 {
        face.along = [(vv * ux - uv * vx) / area, (vv * uy - uv * vy) / area];
        face.across = [(uu * vx - uv * ux) / area, (uu * vy - uv * uy) / area];
    } else if uu + vv > 0.5 {
        // The square's two numbers: along = (c, s), across = (-s, c).
        let (c, s) = ((ux + vy) / (uu + vv), (uy - vx) / (uu + vv));
        face.along = [c, s];
        face.across = [-s, c];
    }
    face.middle = std::array::from_fn(|k| [mx, my][k] - mu * face.along[k] - mv * face.across[k]);
}

/// What the colours of a face say of its nine places.
#[derive(Debug, Clone, Copy)]
pub(super) struct Colours {
    /// How far the faintest place that is on stands from the face's colour: 1 is a pip's own.
    pub(super) faintest_on: f32,
    /// The same of the strongest that is off.
    pub(super) strongest_off: f32,
    /// How much of the face between its pips is of another colour than the face, 0 to 1.
    pub(super) stained: f32,
    /// How far the pips' colour stands from the face's, in grey values.
    pub(super) contrast: f32,
}

/// Looks at the nine places of a face and at what lies between them.
pub(super) fn colours(face: &Face, pips: &[Pip], picture: Between) -> Colours {
    let middle_of = |mut v: Vec<f32>| {
        let m = v.len() / 2;
        *v.select_nth_unstable_by(m, f32::total_cmp).1
    };
    let colour = |steps: [f32; 2]| {
        let [x, y] = face.place(steps);
        picture.at(x, y)
    };
    let reach = face.radius / face.step();
    let mut between = Vec::new();
    for i in -3_i32..=3 {
        for j in -3_i32..=3 {
            let at = [i as f32 * 0.5, j as f32 * 0.5];
            let free = PLACES
                .iter()
                .enumerate()
                .all(|(k, p)| face.on >> k & 1 == 0 || (p[0] - at[0]).hypot(p[1] - at[1]) > 1.5 * reach);
            if free {
                between.push(colour(at));
            }
        }
    }
    let ground: [f32; 3] = std::array::from_fn(|n| middle_of(between.iter().map(|c| c[n]).collect()));
    let pip: [f32; 3] =
        std::array::from_fn(|n| middle_of(face.pips.iter().map(|k| pips[*k].inner[n]).collect()));
    let d: [f32; 3] = std::array::from_fn(|n| pip[n] - ground[n]);
    let square: f32 = d.iter().map(|v| v * v).sum::<f32>().max(1.0);
    let part = |c: [f32; 3]| (0..3).map(|n| (c[n] - ground[n]) * d[n]).sum::<f32>() / square;
    let beside = |c: [f32; 3]| {
        let t = part(c);
        (0..3).map(|n| (c[n] - ground[n] - t * d[n]).powi(2)).sum::<f32>().sqrt() / square.sqrt()
    };
    let (mut faintest_on, mut strongest_off) = (f32::MAX, 0.0_f32);
    for (k, place) in PLACES.iter().enumerate() {
        // Five looks: the middle, and half a radius each way.
        let h = 0.5 * reach;
        let looks: Vec<[f32; 3]> = [[0.0, 0.0], [h, 0.0], [-h, 0.0], [0.0, h], [0.0, -h]]
            .iter()
            .map(|o| colour([place[0] + o[0], place[1] + o[1]]))
            .collect();
        let mean = looks.iter().map(|c| part(*c)).sum::<f32>() / 5.0;
        if face.on >> k & 1 == 1 {
            faintest_on = faintest_on.min(mean);
        } else {
            strongest_off = looks.iter().map(|c| part(*c)).fold(strongest_off, f32::max);
        }
    }
    let stained = between.iter().filter(|c| part(**c).abs() > 0.5 || beside(**c) > 0.6).count() as f32
        / between.len() as f32;
    Colours { faintest_on, strongest_off, stained, contrast: square.sqrt() }
}
