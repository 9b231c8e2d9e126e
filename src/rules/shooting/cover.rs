//! What the ground does to shooting: crests, Cities and Forts in the way, cover that a line runs through, and what an
//! element stands in (clauses dba3.sht.21 to .24, dba3.going.4, .9). Which kind does what is data
//! (`rulesets/dba3/terrain.ron`). Table frame, millimetres.

use super::body::{Body, Side};
use super::lines::Between;
use crate::geometry::{
    Binding, Feature as Place, Limit, Margin, Part, Point, Segment, Whose, convex, gap_to_area, of_ground,
    room_inside_area, separation_from_area,
};
use crate::rules::terrain::{Cover, Feature, Surface};
use crate::rules::{Element, Location, Reason, Settings, Setup, exact};

/// How much cover a line may run through, base widths (clause dba3.sht.22).
pub(super) const THROUGH_BW: f64 = 0.5;

/// The clause by which features of that kind do that to shooting, if they do.
fn clause<'s>(settings: &'s Settings, feature: &Feature, cover: Cover) -> Option<&'s str> {
    let row = settings.ruleset().terrain(feature.kind);
    row.shooting.iter().find(|(does, _)| *does == cover).map(|(_, clause)| clause.as_str())
}

/// By how much a line runs through less cover than bars it.
pub(super) fn through(
    between: &Between<'_>,
    from: Point,
    to: Point,
    binding: Binding,
) -> (Margin, Option<Reason>) {
    let line = Segment::new(from, to);
    let allowed_mm = THROUGH_BW * between.setup.scale.mm_per_bw();
    let (mut parts, mut names, mut cites): (Vec<(f64, f64)>, Vec<&str>, Option<&str>) =
        (Vec::new(), Vec::new(), None);
    for feature in &between.setup.ground.features {
        let Some(id) = clause(between.settings, feature, Cover::Through) else { continue };
        if between.inside.contains(&feature.name.as_str()) {
            continue;
        }
        let inside = feature.outline.parts_inside(&line);
        if !inside.is_empty() {
            names.push(&feature.name);
            cites = Some(id);
        }
        parts.extend(inside.iter().map(|s| ((s.start - from).norm(), (s.end - from).norm())));
    }
    // Where covers overlap each millimetre counts once.
    parts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut sum, mut last) = (0.0, 0.0_f64);
    for (start, end) in parts {
        sum += (end - start.max(last)).max(0.0);
        last = last.max(end);
    }
    let margin = Margin::closed(exact(allowed_mm - sum), binding);
    let reason = cites.map(|id| {
        let text = format!(
            "the line runs through {sum:.1} mm of {}; {allowed_mm:.1} mm do not bar it",
            names.join(" and ")
        );
        Reason::tested(id, text, margin)
    });
    (margin, reason)
}

/// Each crest, City or Fort that the target may be entirely past, as a condition that it is not.
pub(super) fn past(between: &Between<'_>, from: &Side, target: &Body) -> Vec<Reason> {
    let mut reasons = Vec::new();
    let own = from.line;
    let starts = [own.start, own.end, own.start + (own.end - own.start) / 2.0];
    for feature in &between.setup.ground.features {
        if between.inside.contains(&feature.name.as_str()) {
            continue;
        }
        for (cover, what) in [(Cover::PastCrest, "the crest of "), (Cover::Past, "")] {
            let Some(id) = clause(between.settings, feature, cover) else { continue };
            let crossed = |a: Point, b: Point| match cover {
                Cover::PastCrest => {
                    let parts = feature.hill.iter().flat_map(|h| h.crest_parts());
                    let crossed = parts.map(|part| {
                        let found = convex::gap(&[a, b], &[part.start, part.end]);
                        Margin::closed(exact(-found.mm), on_line(found.of_a, Part::Crest, found.of_b))
                    });
                    crossed.reduce(Margin::or)
                }
                _ => {
                    let found = gap_to_area(&[a, b], &feature.outline);
                    Some(Margin::strict(exact(-found.mm), on_line(found.of_a, Part::Rim, found.of_b)))
                }
            };
            let ends = target.outline.iter();
            let all = ends.flat_map(|&b| starts.map(|a| crossed(a, b))).collect::<Option<Vec<_>>>();
            let Some(hidden) = all.and_then(|all| all.into_iter().reduce(Margin::and)) else { continue };
            if hidden.mm < -between.setup.scale.mm_per_bw() {
                continue;
            }
            let (a, e, name) = (&between.shooter.name, &between.target.name, &feature.name);
            let is = if hidden.satisfied() { "is entirely" } else { "is not entirely" };
            let text = format!("{e} {is} past {what}{name} as {a} sees it");
            reasons.push(Reason::tested(id, text, !hidden));
        }
    }
    reasons
}

fn on_line(at: Point, part: Part, on_ground: Point) -> Binding {
    Binding(Place { whose: Whose::A, part: Part::Inside, at }, of_ground(part, on_ground))
}

/// What an element stands in that keeps it from shooting, or from being shot at: each as a condition.
pub(super) fn stands_in(
    setup: &Setup,
    settings: &Settings,
    element: &Element,
    shoots: Shoots,
) -> Vec<Reason> {
    let mut reasons = Vec::new();
    if element.location != Location::Board {
        return reasons;
    }
    let (base, name) = (&element.footprint, &element.name);
    for feature in &setup.ground.features {
        if let Some(id) = clause(settings, feature, Cover::Hides) {
            let room = room_inside_area(base, &feature.outline);
            let margin = Margin { mm: exact(-room.mm), limit: Limit::Strict, binding: room.binding };
            let wholly = if margin.satisfied() { "is not wholly" } else { "is wholly" };
            let text =
                format!("{name} {wholly} inside {}, out of which and into which nobody shoots", feature.name);
            reasons.push(Reason::tested(id, text, margin));
        }
        if shoots == Shoots::Itself
            && let Some(id) = clause(settings, feature, Cover::Silences)
        {
            let apart = separation_from_area(base, &feature.outline);
            reasons.push(clear_of(id, name, &feature.name, Margin::closed(exact(apart.mm), apart.binding)));
        }
    }
    for river in setup.ground.rivers.iter().filter(|_| shoots == Shoots::Itself) {
        let reach = river.course.reach_of(base);
        let margin = Margin { mm: -reach.mm, limit: Limit::Closed, ..reach };
        reasons.push(clear_of("dba3.sht.24", name, &river.name, margin));
    }
    reasons
}

/// Whether it is asked as a shooter or as a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shoots {
    /// It would shoot.
    Itself,
    /// It would be shot at.
    IsTarget,
}

fn clear_of(id: &str, name: &str, what: &str, margin: Margin) -> Reason {
    let text = if margin.satisfied() {
        format!("{name} is {:.1} mm clear of {what}", margin.mm)
    } else {
        format!("{name} stands {:.1} mm in {what}, so it does not shoot", -margin.mm)
    };
    Reason::tested(id, text, margin)
}

/// The bad going and the rough going that one shot has to do with (clauses dba3.going.4, .9).
pub(super) fn going(between: &Between<'_>, from: &Side, to: &Side) -> Vec<Met> {
    let hull = convex::hull(&[from.line.start, from.line.end, to.line.start, to.line.end]);
    let touches = |f: &Feature| {
        gap_to_area(&hull, &f.outline).mm < 0.0
            || [between.shooter, between.target]
                .iter()
                .any(|e| separation_from_area(&e.footprint, &f.outline).mm < 0.0)
    };
    let rules = between.settings.ruleset();
    let met = |surface: &[Surface]| {
        between
            .setup
            .ground
            .features
            .iter()
            .find(|f| surface.contains(&rules.terrain(f.kind).surface) && touches(f))
    };
    let bad = met(&[Surface::Bad, Surface::Sand, Surface::SlowSand]).map(|f| Met::Bad(f.name.clone()));
    bad.into_iter().chain(met(&[Surface::Rough]).map(|f| Met::Rough(f.name.clone()))).collect()
}

/// Going that a shot has to do with, by the feature's name.
pub(super) enum Met {
    /// Bad going, dunes and oases too.
    Bad(String),
    /// Rough going.
    Rough(String),
}

impl Met {
    /// What it comes to, where `bars` is what the ground bars the shot by, if it does.
    pub fn told(&self, bars: Option<&Reason>) -> Reason {
        match (self, bars) {
            (Self::Bad(_), Some(r)) => {
                Reason::holds("dba3.going.4", format!("bad going hinders this shot: {}", r.text))
            }
            (Self::Bad(name), None) => {
                Reason::fails("dba3.going.4", format!("{name} does not hinder this shot"))
            }
            (Self::Rough(name), _) => {
                let text = format!("{name} is rough going, which neither bars nor weakens a shot");
                Reason::holds("dba3.going.9", text)
            }
        }
    }
}
