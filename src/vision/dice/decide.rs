//! Which faces are read and which are refused.
//!
//! The face that explains most pips goes first and takes them; one that fails is not replaced by a part of itself. A face
//! stands only if its places are plain, its lattice is a square's (a six's rows may stand closer), nothing like its pips
//! lies about it unexplained, and the blob reaches no further than a die with its side faces does. What is left of a blob
//! is a refusal.

use super::face::{Colours, Face, PLACES, colours, faces, value};
use super::ground::{Blob, Ground};
use super::one;
use super::pips::{Between, Pip};
use super::{DiceSeen, DieReading, DieRefusal, WhyNot};
use crate::vision::RgbImage;

/// A side of a face in steps of its lattice.
pub(super) const SIDE: f32 = 4.0;

/// The margins that are asked for, each in the unit of its figure: of two or three pips, which may be a part of a larger
/// pattern, and of four or more, whose pattern says more.
struct Asked {
    faintest_on: f32,
    strongest_off: f32,
    stained: f32,
    contrast: f32,
}
const FEW: Asked = Asked { faintest_on: 0.6, strongest_off: 0.45, stained: 0.12, contrast: 55.0 };
const MANY: Asked = Asked { faintest_on: 0.6, strongest_off: 0.55, stained: 0.22, contrast: 45.0 };
const OFF: f32 = 0.1;
/// In steps from the middle: further than a die with a side face reaches, and than it reaches across two or three pips.
const LONG: f32 = 4.6;
const ONE_SIDED: [f32; 2] = [2.3, 4.25];

/// A face that was judged.
pub(super) struct Judged {
    pub(super) face: Face,
    pub(super) colours: Colours,
    pub(super) why: Option<WhyNot>,
}

impl Judged {
    /// Whether a place is in its face, `margin` steps wider.
    pub(super) fn holds(&self, at: [f32; 2], margin: f32) -> bool {
        let [u, v] = self.face.steps(at);
        u.abs().max(v.abs()) < SIDE / 2.0 + margin
    }
}

/// How squashed a lattice of that value may be.
fn squashed(face: &Face) -> bool {
    match value(face.on) {
        Some(6) => {
            // Its rows of three are the longer direction or nearly so.
            let (along, across) = (face.along[0].hypot(face.along[1]), face.across[0].hypot(face.across[1]));
            let rows_along = face.on == 0b111_000_111;
            let ratio = if rows_along { along / across } else { across / along };
            !(0.87..1.45).contains(&ratio) || skewed(face)
        }
        _ => face.squashed() > 1.15,
    }
}

/// Whether the two directions of a lattice are far from a right angle.
fn skewed(face: &Face) -> bool {
    let [a, b] = [face.along, face.across];
    let cos = (a[0] * b[0] + a[1] * b[1]) / (a[0].hypot(a[1]) * b[0].hypot(b[1]));
    cos.abs() > 0.13
}

fn asked(face: &Face) -> Asked {
    if face.pips.len() < 4 { FEW } else { MANY }
}

/// Why a face does not stand by itself.
fn fault(face: &Face, c: &Colours) -> Option<WhyNot> {
    let asked = asked(face);
    if c.faintest_on < asked.faintest_on
        || c.strongest_off > asked.strongest_off
        || c.stained > asked.stained
        || c.contrast < asked.contrast
    {
        Some(WhyNot::Unclear)
    } else if squashed(face) || face.off > OFF {
        Some(WhyNot::Cocked)
    } else {
        None
    }
}

/// The least mean of its pips' shorter over longer axes.
const ROUND: f32 = 0.84;

/// Whether its pips are squashed, as those of a die that leans are.
fn leaning(face: &Face, round: &[Pip]) -> Option<WhyNot> {
    let mean = face.pips.iter().map(|k| round[*k].round).sum::<f32>() / face.pips.len() as f32;
    (mean < ROUND).then_some(WhyNot::Cocked)
}

/// Decides over the marks of a picture.
pub(super) fn decide(picture: &RgbImage, ground: &Ground, blobs: &[Blob], marks: Vec<Pip>) -> DiceSeen {
    let between = Between(picture);
    let round: Vec<Pip> = marks.iter().copied().filter(|p| p.round > 0.7).collect();
    let mut taken = vec![false; round.len()];
    let mut judged: Vec<Judged> = Vec::new();
    let mut pale = Vec::new();
    for face in faces(&round) {
        if face.pips.iter().any(|k| taken[*k]) || judged.iter().any(|j| j.holds(face.middle, 0.0)) {
            continue;
        }
        if face.pips.len() < 4 && on_the_ground(&face, ground, between) {
            pale.push(face);
            continue;
        }
        let colours = colours(&face, &round, between);
        let why = fault(&face, &colours).or_else(|| leaning(&face, &round));
        // A chance pattern over several dice has other colours between its pips; a face of four or more
        // that is only unclear is one that parts of it must not be read for.
        let chance = colours.stained > 0.3 || colours.strongest_off > 0.9 || colours.faintest_on < 0.4;
        if why.is_some() && (chance || face.pips.len() < 4) {
            continue;
        }
        face.pips.iter().for_each(|k| taken[*k] = true);
        judged.push(Judged { face, colours, why });
    }
    for k in 0..judged.len() {
        if judged[k].why.is_none() {
            judged[k].why = contradicted(&judged, k, &round, &marks)
                .or_else(|| too_much(&judged, k, blobs))
                .or_else(|| another_colour(&judged, k, blobs, ground, between, &round));
        }
    }
    let ones = one::ones(between, &round, blobs, &judged);
    judged.extend(ones);
    let mut seen = DiceSeen::default();
    for j in &judged {
        let middle = j.face.middle.map(f64::from);
        match (j.why, value(j.face.on)) {
            (None, Some(value)) => seen.readings.push(DieReading {
                value,
                middle,
                side: f64::from(SIDE * j.face.step()),
                confidence: confidence(&j.face, &j.colours),
                colour: ground_of(&j.face, between),
            }),
            (why, _) => seen.refusals.push(DieRefusal {
                middle,
                radius: f64::from(SIDE / 2.0 * j.face.step()),
                why: why.unwrap_or(WhyNot::NoFace),
            }),
        }
    }
    seen.refusals.extend(left_over(blobs, &judged));
    seen.refusals.extend(too_pale(&pale, &judged));
    let lonely = lonely(&round, &judged, &seen.refusals);
    seen.refusals.extend(lonely);
    seen.readings.sort_by(|a, b| a.middle[0].total_cmp(&b.middle[0]));
    seen.refusals.sort_by(|a, b| a.middle[0].total_cmp(&b.middle[0]));
    seen
}

/// The least of its margins, from 0 (it would just be refused) to 1.
fn confidence(face: &Face, c: &Colours) -> f64 {
    let asked = asked(face);
    let margins = [
        (c.faintest_on - asked.faintest_on) / (0.9 - asked.faintest_on),
        (asked.strongest_off - c.strongest_off) / asked.strongest_off * 1.25,
        1.0 - c.stained / asked.stained * 0.8,
        (c.contrast - asked.contrast) / asked.contrast,
        1.0 - face.off / OFF * 0.8,
    ];
    f64::from(margins.into_iter().fold(1.0_f32, f32::min).max(0.0))
}

/// The colour of a face between its pips.
fn ground_of(face: &Face, picture: Between) -> [u8; 3] {
    let mut seen: [Vec<u8>; 3] = Default::default();
    for (k, place) in PLACES.iter().enumerate() {
        let at = if face.on >> k & 1 == 0 { *place } else { [place[0] * 0.5, place[1] * 0.5 + 0.5] };
        let [x, y] = face.place(at);
        seen.iter_mut().zip(picture.at(x, y)).for_each(|(v, c)| v.push(c.round() as u8));
    }
    seen.map(|mut v| {
        let middle = v.len() / 2;
        *v.select_nth_unstable(middle).1
    })
}

/// Whether what lies between the pips of a face is the ground, so that they are dice or crumbs on it.
fn on_the_ground(face: &Face, ground: &Ground, picture: Between) -> bool {
    let gaps = [-1.5_f32, -0.5, 0.5, 1.5].iter().flat_map(|u| [-1.5_f32, -0.5, 0.5, 1.5].map(|v| [*u, v]));
    let bare = gaps
        .filter(|gap| {
            let at = face.place(*gap);
            ground.like(at, picture.at(at[0], at[1]))
        })
        .count();
    bare > 5
}

/// Whether marks like its pips lie about a face that it does not explain and no other face does. Few pips may be a part
/// of a larger pattern, which reaches further.
fn contradicted(judged: &[Judged], k: usize, round: &[Pip], marks: &[Pip]) -> Option<WhyNot> {
    let Judged { face, .. } = &judged[k];
    let first = &round[face.pips[0]];
    let few = face.pips.len() < 4;
    marks
        .iter()
        .any(|pip| {
            let [u, v] = face.steps(pip.at);
            let inside = u.abs().max(v.abs()) < 1.9;
            let near = inside || u.hypot(v) < 3.6 && pip.round > if few { 0.7 } else { 0.8 };
            let own = |j: &Judged| j.face.pips.iter().any(|n| round[*n].at == pip.at);
            near && super::face::alike(pip, first) && !judged.iter().any(own)
        })
        .then_some(WhyNot::Contradictory)
}

/// Whether the blob of a face reaches further from it than one die does, where no other face accounts for it.
fn too_much(judged: &[Judged], k: usize, blobs: &[Blob]) -> Option<WhyNot> {
    let face = &judged[k].face;
    let [x, y] = face.middle;
    let few = face.pips.len() < 4;
    let Some(blob) = blobs.iter().find(|b| b.holds(x, y)) else {
        // A die of nearly the ground's colour: its pattern must carry all by itself.
        return few.then_some(WhyNot::Unclear);
    };
    let exits: [f32; 16] = std::array::from_fn(|n| {
        let angle = n as f32 * std::f32::consts::TAU / 16.0;
        let (c, s) = (angle.cos(), angle.sin());
        let mut far = 0.5;
        while far < 6.0 {
            let at = face.place([c * far, s * far]);
            if !blob.holds(at[0], at[1]) || judged.iter().enumerate().any(|(m, j)| m != k && j.holds(at, 0.4))
            {
                break;
            }
            far += 0.1;
        }
        far
    });
    // Two or three pips in a row may be a side of a four or a six whose others are not seen; then the die lies to one
    // side of them. The other diagonal tells.
    let other = if face.on & 0b001 == 0 { [2, 10] } else { [6, 14] };
    let (a, b) = (exits[other[0]], exits[other[1]]);
    let long = exits.iter().filter(|e| **e > LONG).count();
    if few && (a.max(b) > ONE_SIDED[1] || a.min(b) < ONE_SIDED[0]) {
        return Some(WhyNot::Stacked);
    }
    (long > if few { 2 } else { 4 }).then_some(WhyNot::Stacked)
}

/// Whether what lies about a face in its blob is of a colour that is neither the die's, darker or lighter, nor its pips'
/// nor the ground's: another die under it or against it.
fn another_colour(
    judged: &[Judged],
    k: usize,
    blobs: &[Blob],
    ground: &Ground,
    picture: Between,
    round: &[Pip],
) -> Option<WhyNot> {
    let face = &judged[k].face;
    let blob = blobs.iter().find(|b| b.holds(face.middle[0], face.middle[1]))?;
    let own = ground_of(face, picture).map(f32::from);
    let pip = round[face.pips[0]].inner;
    let mut other = 0;
    for n in 0..32 {
        let angle = n as f32 * std::f32::consts::TAU / 32.0;
        let (c, s) = (angle.cos(), angle.sin());
        for far in [2.6, 3.0] {
            let far = far / c.abs().max(s.abs()).max(0.8);
            let at = face.place([c * far, s * far]);
            if !blob.holds(at[0], at[1]) || judged.iter().enumerate().any(|(m, j)| m != k && j.holds(at, 1.4))
            {
                continue;
            }
            let colour = picture.at(at[0], at[1]);
            other += usize::from(
                !ground.like(at, colour)
                    && !of_a_hue(colour, own)
                    && !of_a_hue(colour, pip)
                    && !of_a_hue(colour, ground.near(at))
                    && !between_two(colour, own, pip)
                    && !between_two(colour, own, ground.near(at)),
            );
        }
    }
    (other > OTHERS).then_some(WhyNot::Stacked)
}

/// How many of the 64 places about a face may be of another colour.
const OTHERS: usize = 7;

/// Whether a colour is another made lighter or darker.
fn of_a_hue(a: [f32; 3], b: [f32; 3]) -> bool {
    let square = |v: [f32; 3]| v.iter().map(|x| x * x).sum::<f32>().max(1.0);
    let along = (0..3).map(|n| a[n] * b[n]).sum::<f32>() / square(b);
    let off = (0..3).map(|n| (a[n] - along * b[n]).powi(2)).sum::<f32>().sqrt();
    (0.2..1.8).contains(&along) && off < 28.0
}

/// Whether a colour lies between two.
fn between_two(c: [f32; 3], a: [f32; 3], b: [f32; 3]) -> bool {
    let square = (0..3).map(|n| (b[n] - a[n]).powi(2)).sum::<f32>().max(1.0);
    let t = ((0..3).map(|n| (c[n] - a[n]) * (b[n] - a[n])).sum::<f32>() / square).clamp(0.0, 1.0);
    (0..3).map(|n| (c[n] - a[n] - t * (b[n] - a[n])).powi(2)).sum::<f32>().sqrt() < 28.0
}

/// The side of most faces.
fn usual_side(judged: &[Judged]) -> Option<f32> {
    let mut sides: Vec<f32> = judged.iter().map(|j| SIDE * j.face.step()).collect();
    sides.sort_by(f32::total_cmp);
    sides.get(sides.len() / 2).copied()
}

/// Two or three pips with nothing but the ground's colour between them: a die of the ground's colour, where they are of a
/// die's size.
fn too_pale(pale: &[Face], judged: &[Judged]) -> Vec<DieRefusal> {
    let usual = usual_side(judged);
    let mut refusals: Vec<DieRefusal> = Vec::new();
    for face in pale {
        let side = SIDE * face.step();
        let middle = face.middle.map(f64::from);
        let near = |r: &DieRefusal| (r.middle[0] - middle[0]).hypot(r.middle[1] - middle[1]) < r.radius;
        let of_a_size = usual.is_some_and(|usual| (0.6..1.6).contains(&(side / usual)));
        if of_a_size && !judged.iter().any(|j| j.holds(face.middle, 1.0)) && !refusals.iter().any(near) {
            refusals.push(DieRefusal { middle, radius: f64::from(side / 2.0), why: WhyNot::Unclear });
        }
    }
    refusals
}

/// Pips of the size of those that were read, with nothing about them that was read or refused: nothing with pips is passed
/// over in silence.
fn lonely(round: &[Pip], judged: &[Judged], refused: &[DieRefusal]) -> Vec<DieRefusal> {
    let mut radii: Vec<f32> = judged.iter().map(|j| j.face.radius).collect();
    radii.sort_by(f32::total_cmp);
    let (Some(usual), Some(side)) = (radii.get(radii.len() / 2), usual_side(judged)) else {
        return Vec::new();
    };
    let mut refusals: Vec<DieRefusal> = Vec::new();
    for pip in round {
        let middle = pip.at.map(f64::from);
        let near = |r: &DieRefusal| {
            (r.middle[0] - middle[0]).hypot(r.middle[1] - middle[1]) < r.radius + f64::from(side / 2.0)
        };
        let a_pip = (0.6..1.7).contains(&(pip.radius / usual)) && pip.contrast > 40.0;
        if a_pip && !judged.iter().any(|j| j.holds(pip.at, 2.5)) && !refused.iter().chain(&refusals).any(near)
        {
            refusals.push(DieRefusal { middle, radius: f64::from(side / 2.0), why: WhyNot::NoFace });
        }
    }
    refusals
}

/// What of the blobs no face accounts for.
fn left_over(blobs: &[Blob], judged: &[Judged]) -> Vec<DieRefusal> {
    let usual = usual_side(judged).map(|side| side * side);
    let mut refusals = Vec::new();
    for blob in blobs {
        let (w, h) = (blob.width(), blob.height());
        let mut rest = blob.mask.clone();
        for (i, held) in rest.iter_mut().enumerate() {
            let at = [(blob.bounds[0] + i % w) as f32, (blob.bounds[1] + i / w) as f32];
            *held &= !judged.iter().any(|j| j.holds(at, 1.3));
        }
        let mut seen = vec![false; w * h];
        for start in 0..w * h {
            if !rest[start] || seen[start] {
                continue;
            }
            let members = super::ground::flood(|i| rest[i], &mut seen, w, h, start);
            let n = members.len() as f32;
            // A third of a die, or something of a die's least size where none is known.
            if n < usual.map_or(80.0, |area| area * 0.3) {
                continue;
            }
            let (mx, my) =
                members.iter().fold((0.0, 0.0), |(x, y), i| (x + (i % w) as f64, y + (i / w) as f64));
            let middle =
                [blob.bounds[0] as f64 + mx / f64::from(n), blob.bounds[1] as f64 + my / f64::from(n)];
            let whole = members.len() * 10 > blob.area * 9;
            let why = match (blob.cut, whole) {
                (true, _) => WhyNot::AtTheEdge,
                (false, true) => WhyNot::NoFace,
                (false, false) => WhyNot::Stacked,
            };
            let radius = f64::from((n / std::f32::consts::PI).sqrt());
            refusals.push(DieRefusal { middle, radius, why });
        }
    }
    refusals
}
