//! How big an area feature is and what shape it has.
//!
//! Table frame, millimetres. Length and width are the sides of the rectangle round it that add up to least. How wide it
//! is at its centre is the shortest straight way through the centre. Outlines are natural where no stretch of more than an
//! eighth of the way round bends by less than a hundredth of a base width: both figures are choices, for the rules
//! name none. Clauses: dba3.area.2 to .6, .8, .9, dba3.set.4, .5.

use super::body::{Body, bodies, rims};
use crate::geometry::{Margin, Point, Polygon, Segment, across_centre, fitted};
use crate::rules::settings::{HillBuaSize, NarrowScope};
use crate::rules::stronghold::Terms;
use crate::rules::terrain::TerrainKind;
use crate::rules::{Settings, Setup, exact};

/// Most that length and width add up to, base widths (clause dba3.area.2).
const SIDES_BW: f64 = 9.0;
/// Least width at the centre (clause dba3.area.3).
const WIDTH_BW: f64 = 1.0;
/// Below this width a feature is the one narrow one (clause dba3.area.4).
const NARROW_BW: f64 = 3.0;
/// A Gully is at least so many times as long as wide (clause dba3.area.5).
const GULLY: f64 = 3.0;
/// Any other is at most so many times as long as wide (clause dba3.area.6).
const OTHERS: f64 = 2.0;
/// What bends by less is straight, base widths: a choice.
const BEND_BW: f64 = 0.01;
/// Of the way round more than this share may not be one straight stretch: a choice.
const STRAIGHT: f64 = 0.125;

/// Whether a feature is of a size and shape that the rules allow.
pub fn shape(setup: &Setup, settings: &Settings, body: &Body<'_>) -> Terms {
    let mut terms = Terms::default();
    let bw = setup.scale.mm_per_bw();
    let combined = settings.hill_bua_size == HillBuaSize::Combined;
    if let Some(bua) = body.merged {
        let text = format!("{} stands on {}: the two are one feature", bua.name, body.main.name);
        terms.note("dba3.area.9", text, true);
        size(&body.name(), &body.corners().collect::<Vec<_>>(), bw, "dba3.set.4", combined, &mut terms);
    }
    for part in body.parts() {
        let whole = body.merged.is_none() || !combined;
        size(&part.name, part.outline.corners(), bw, "dba3.area.2", whole, &mut terms);
        let (mm, ends) = across_centre(&part.outline);
        let text = format!("{} is {:.2} BW wide at its centre; 1 BW at least", part.name, mm / bw);
        let margin = Margin::closed(exact(mm - WIDTH_BW * bw), rims(ends.0, ends.1));
        terms.test("dba3.area.3", text, margin);
        proportions(part.kind, &part.name, &part.outline, bw, &mut terms);
        curves(part.kind, &part.name, &part.outline, bw, &mut terms);
    }
    terms
}

/// Whether something fits a rectangle whose sides add up to 9 BW; a note where that is not asked of it.
fn size(name: &str, corners: &[Point], bw: f64, clause: &str, asked: bool, terms: &mut Terms) {
    let fit = fitted(corners).expect("an outline has edges");
    let (long, short) = (fit.long_mm, fit.short_mm);
    let text = format!(
        "{name} needs a rectangle of {:.2} by {:.2} BW, together {:.2}; 9 at most",
        long / bw,
        short / bw,
        (long + short) / bw
    );
    let margin = Margin::closed(exact(SIDES_BW * bw - long - short), rims(fit.ends.0, fit.ends.1));
    if asked {
        terms.test("dba3.area.2", text.clone(), margin);
        if clause != "dba3.area.2" {
            terms.test(clause, text, margin);
        }
    } else if clause != "dba3.area.2" {
        terms.note(clause, format!("{text}; by the setting each is measured by itself"), margin.satisfied());
    }
}

/// A Gully is long, every other feature is not. The margin is how much longer or shorter it might be.
fn proportions(kind: TerrainKind, name: &str, outline: &Polygon, bw: f64, terms: &mut Terms) {
    let fit = fitted(outline.corners()).expect("an outline has edges");
    let (long, short) = (fit.long_mm, fit.short_mm);
    let (clause, mm, limit) = if kind == TerrainKind::Gully {
        ("dba3.area.5", long - GULLY * short, "at least 3 times")
    } else {
        ("dba3.area.6", OTHERS * short - long, "at most 2 times")
    };
    let text = format!(
        "{name} is {:.2} BW long and {:.2} BW wide, {:.2} times; {limit}",
        long / bw,
        short / bw,
        long / short
    );
    terms.test(clause, text, Margin::closed(exact(mm), rims(fit.ends.0, fit.ends.1)));
}

/// A natural outline is curved; a BUA or Plough may have straight edges (clauses dba3.area.7, .8).
fn curves(kind: TerrainKind, name: &str, outline: &Polygon, bw: f64, terms: &mut Terms) {
    if kind.is_bua() || kind == TerrainKind::Plough {
        terms.note("dba3.area.7", format!("{name} may have straight edges"), true);
        return;
    }
    let round: f64 = outline.edges().map(|edge| edge.length()).sum();
    let (mm, from, to) = straightest(outline, BEND_BW * bw);
    let text = format!(
        "{name}'s longest straight stretch is {:.2} BW, {:.0} % of the way round; 12.5 % at most",
        mm / bw,
        mm / round * 100.0
    );
    terms.test("dba3.area.8", text, Margin::closed(exact(round * STRAIGHT - mm), rims(from, to)));
}

/// The longest stretch of a rim from corner to corner that bends by no more than that: its length and its ends. Where a
/// corner strays from a chord by more than twice that, no longer chord passes near both it and the chord's end; three times
/// are taken.
fn straightest(outline: &Polygon, bend_mm: f64) -> (f64, Point, Point) {
    let corners = outline.corners();
    let count = corners.len();
    let mut best = (0.0, corners[0], corners[0]);
    for from in 0..count {
        for steps in 1..count {
            let chord = Segment::new(corners[from], corners[(from + steps) % count]);
            let off = |n: usize| {
                let corner = corners[(from + n) % count];
                (chord.nearest_to(corner).0 - corner).norm()
            };
            let most = (1..steps).map(off).fold(0.0, f64::max);
            if most > 3.0 * bend_mm {
                break;
            }
            if most <= bend_mm && chord.length() > best.0 {
                best = (chord.length(), chord.start, chord.end);
            }
        }
    }
    best
}

/// Whether at most one feature is narrower than 3 BW at its centre (clauses dba3.area.4, dba3.set.5). The margin is the
/// second narrowest's.
pub fn narrow(setup: &Setup, settings: &Settings) -> Terms {
    let bw = setup.scale.mm_per_bw();
    let scope = settings.narrow_feature_scope;
    let mut widths: Vec<(String, f64, (Point, Point))> = Vec::new();
    for body in bodies(setup) {
        if body.kind() == TerrainKind::Gully && scope == NarrowScope::ExceptGully {
            continue;
        }
        let (mm, ends) = across_centre(&body.main.outline);
        widths.push((body.name(), mm, ends));
    }
    if scope == NarrowScope::AllFeatures {
        let rivers = setup.ground.rivers.iter().map(|r| (&r.name, &r.course));
        let roads = setup.ground.roads.iter().map(|r| (&r.name, &r.course));
        for (name, course) in rivers.chain(roads) {
            let at = course.line()[0];
            widths.push((name.clone(), course.width_mm(), (at, at)));
        }
        for water in setup.ground.features.iter().filter(|f| f.kind == TerrainKind::Waterway) {
            let (mm, ends) = across_centre(&water.outline);
            widths.push((water.name.clone(), mm, ends));
        }
    }
    widths.sort_by(|a, b| a.1.total_cmp(&b.1));
    let mut terms = Terms::default();
    let [first, second, ..] = widths.as_slice() else {
        let text = "there are not two features that could be narrow".to_owned();
        terms.note("dba3.area.4", text.clone(), true);
        terms.note("dba3.set.5", text, true);
        return terms;
    };
    let text = format!(
        "at their centres the narrowest are {} with {:.2} and {} with {:.2} BW; one alone may have less than 3",
        first.0,
        first.1 / bw,
        second.0,
        second.1 / bw
    );
    let margin = Margin::closed(exact(second.1 - NARROW_BW * bw), rims(second.2.0, second.2.1));
    terms.test("dba3.area.4", text.clone(), margin);
    terms.test("dba3.set.5", text, margin);
    terms
}
