//! Going into, out of and through camps, Cities and Forts: by a gate, and who may.
//!
//! Table frame, millimetres. A base is at a gate where it is no further from it than bases that touch are apart; walls
//! are run through where a base reaches further into a City or Fort than that. Who may be inside is
//! [`crate::rules::stronghold`]'s. A move that goes in or comes out has its usual price and reach, measured from or to the
//! gate. Clauses: dba3.bua.6, .8, dba3.city.3 to .5, .14 to .17, dba3.faq.2, dba3.set.8, .9, .12.

use super::gateway::{Gateway, nearest_gate};
use super::scene::{Findings, Scene, Walker};
use super::{Condition, Manoeuvre, reach, strongholds};
use crate::geometry::{
    Binding, Footprint, Margin, Part, Point, of_base, of_ground, separation, separation_from_area,
};
use crate::rules::ruleset::Kind;
use crate::rules::settings::{CityPassageLength, CityPassagePips};
use crate::rules::stronghold::{self, Inside, Terms, held, is_civilian, play};
use crate::rules::terrain::{Feature, TerrainKind};
use crate::rules::{Location, Reason, exact};

/// Adds what passing the rims of camps, Cities and Forts asks.
pub(super) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    stays_inside(scene, found);
    walls(scene, found);
    leashes(scene, found);
    let place = scene.mv.gateway.place();
    let Some(feature) = place.and_then(|name| scene.indoors.ground.feature(name)) else { return };
    match &scene.mv.gateway {
        Gateway::None => {}
        Gateway::In { .. } => goes_in(scene, feature, found),
        Gateway::Out { gate, .. } => comes_out(scene, feature, *gate, found),
        Gateway::Through { gate, .. } => marches_through(scene, feature, *gate, found),
    }
}

/// The clause by which those gates are used.
fn gate_clause(feature: &Feature) -> &'static str {
    if feature.kind == TerrainKind::Fort { "dba3.faq.2" } else { "dba3.city.3" }
}

fn add(found: &mut Findings, terms: Terms, remedy: &str) {
    for reason in terms.conditions {
        found.conditions.push(Condition::of(reason).with_remedy(|| remedy.to_owned()));
    }
    found.notes.extend(terms.notes);
}

/// Who is inside something moves only by coming out of it.
fn stays_inside(scene: &Scene<'_>, found: &mut Findings) {
    if let Gateway::Out { .. } = scene.mv.gateway {
        return;
    }
    for walker in scene.walkers.iter().filter(|w| w.element.location != Location::Board) {
        let name = walker.name();
        let Some(feature) = stronghold::place_of(&scene.before.ground, walker.element) else { continue };
        let place = &feature.name;
        let clause = if feature.kind == TerrainKind::Camp { "dba3.camp.12" } else { "dba3.bua.8" };
        let text = format!("{name} is inside {place}, and the move does not say that it comes out");
        found.ask(clause, text, false, || format!("write `{name} leaves {place}` and its steps"));
    }
}

/// Nobody runs through the walls of a City or Fort.
fn walls(scene: &Scene<'_>, found: &mut Findings) {
    for feature in scene.before.ground.features.iter().filter(|f| f.kind.has_gates()) {
        for walker in scene.walkers.iter().filter(|w| !w.stands()) {
            let [start, _, least] = strongholds::nearest(walker, feature);
            let margin =
                Margin::closed(exact(least.mm - start.mm.min(0.0) + scene.slack_mm()), least.binding);
            if margin.satisfied() {
                continue;
            }
            let (name, place) = (walker.name(), &feature.name);
            let text = format!("{name} runs {:.1} mm through the walls of {place}", -least.mm);
            let remedy = || format!("stop at a gate and go in, or march through by `through {place}`");
            found.test(gate_clause(feature), text, margin, remedy);
        }
    }
}

/// Sallied denizens stay near their City, wherever they are on their way.
fn leashes(scene: &Scene<'_>, found: &mut Findings) {
    for walker in scene.walkers.iter().filter(|w| w.troop.kind == Kind::Denizens) {
        let side = walker.element.side;
        let own = |f: &&Feature| f.kind == TerrainKind::City && stronghold::loyalty(f) == Some(side);
        let Some(city) = scene.before.ground.features.iter().find(own) else {
            let text = format!("nobody knows of which City {} are the denizens", walker.name());
            found.unchecked.push(Reason::fails("dba3.city.15", text));
            continue;
        };
        let at = |base: &Footprint| stronghold::leash(base, city, scene.before.scale, scene.settings);
        let (mut worst, measured) = at(&walker.end());
        for sweep in walker.sweeps() {
            let room = |share: f64| at(&sweep.at(share)).0.mm;
            if let Some(share) = sweep.least(room, worst.mm) {
                worst = at(&sweep.at(share)).0;
            }
        }
        let (name, place) = (walker.name(), &city.name);
        let bw = scene.bw_mm();
        let text = format!("{name} goes {:.2} BW from {place}; 3 BW are allowed", 3.0 - worst.mm / bw);
        found.test("dba3.city.15", text, worst, || format!("stay within 3 BW of {place}"));
        found.notes.push(measured);
    }
}

/// By how much a base is at the nearest gate, and which that is; none where no gates are known.
fn at_gate(
    scene: &Scene<'_>,
    walker: &Walker<'_>,
    base: &Footprint,
    feature: &Feature,
) -> Option<(Margin, usize)> {
    let (mm, gate, which) = nearest_gate(base, feature)?;
    let room = scene.slack_mm() + walker.element.overhang.front - mm;
    Some((Margin::closed(exact(room), at_point(base, gate)), which))
}

fn at_point(base: &Footprint, gate: Point) -> Binding {
    Binding(of_base(base, base.pose().centre), of_ground(Part::Rim, gate))
}

/// Adds whether a base is at a gate.
fn by_gate(
    scene: &Scene<'_>,
    walker: &Walker<'_>,
    base: &Footprint,
    feature: &Feature,
    found: &mut Findings,
) {
    let (name, place) = (walker.name(), &feature.name);
    let Some((margin, which)) = at_gate(scene, walker, base, feature) else {
        let text = format!("nobody has said where the gates of {place} are");
        found.unchecked.push(Reason::fails(gate_clause(feature), text));
        return;
    };
    let text = if margin.satisfied() {
        format!("{name} is at gate {which} of {place}")
    } else {
        format!("{name} is {:.1} mm from the nearest gate of {place}, gate {which}", -margin.mm)
    };
    found.test(gate_clause(feature), text, margin, || format!("come to gate {which} of {place}"));
}

fn goes_in(scene: &Scene<'_>, feature: &Feature, found: &mut Findings) {
    for walker in &scene.walkers {
        let place = &feature.name;
        let end = walker.end();
        if feature.kind.has_gates() {
            by_gate(scene, walker, &end, feature, found);
            let text = format!("{} stands in the middle of {place}, for men all round it", walker.name());
            found.note("dba3.bua.6", text);
        } else {
            let apart = separation_from_area(&end, &feature.outline);
            let margin = Margin::closed(exact(scene.slack_mm() - apart.mm), apart.binding);
            let text = format!("{} comes to {place}, {:.1} mm from it", walker.name(), apart.mm);
            found.test("dba3.camp.12", text, margin, || format!("come up to {place}"));
        }
        match stronghold::may_enter(scene.indoors, scene.settings, walker.element, feature, &[]) {
            Ok(terms) => add(found, terms, "stay outside"),
            Err(error) => found.unchecked.push(Reason::fails(gate_clause(feature), error.to_string())),
        }
    }
}

fn comes_out(scene: &Scene<'_>, feature: &Feature, gate: usize, found: &mut Findings) {
    let place = &feature.name;
    for walker in &scene.walkers {
        let (name, start) = (walker.name(), walker.start());
        let Some(element) = scene.indoors.element(name) else { continue };
        let rules = scene.settings.ruleset();
        add(found, stronghold::may_leave(scene.indoors, scene.settings, element, feature), "stay inside");
        if is_civilian(rules, element) && feature.kind == TerrainKind::City {
            let terms = stronghold::sally(scene.indoors, scene.settings, feature, element.side);
            add(found, terms, "wait until enemy and friend are near");
        }
        if feature.kind.has_gates() {
            let text = format!("{name} comes out by gate {gate} of {place}");
            found.ask(gate_clause(feature), text, true, String::new);
            clear(scene, name, &start, found);
        }
    }
}

/// Outside the gate there has to be room.
fn clear(scene: &Scene<'_>, name: &str, base: &Footprint, found: &mut Findings) {
    for other in &scene.standing {
        let apart = separation(base, &other.footprint);
        let margin = Margin::closed(exact(apart.mm + scene.slack_mm()), apart.binding);
        if !margin.satisfied() {
            let text = format!("{} stands where {name} comes out, {:.1} mm of it", other.name, -apart.mm);
            found.test("dba3.ip.10", text, margin, || "use another gate, or wait".to_owned());
        }
    }
}

fn marches_through(scene: &Scene<'_>, feature: &Feature, exit: usize, found: &mut Findings) {
    let place = &feature.name;
    let who = scene.who();
    let lead = &scene.walkers[0];
    let side = lead.element.side;
    let city = feature.kind == TerrainKind::City;
    let text = format!("{who} would march through {place}, which is {} City", if city { "a" } else { "no" });
    found.ask("dba3.city.4", text, city, || format!("go round {place}"));
    let holder = held(scene.indoors, scene.settings.ruleset(), feature);
    let (clause, text, may) = match &holder {
        None => ("dba3.city.17", format!("nobody holds {place}: either side passes through it"), true),
        Some(h) if h.side == side => {
            let inside = match &h.inside {
                Inside::Civilians => "denizens",
                Inside::Troops(_) => "a garrison",
            };
            ("dba3.city.4", format!("{place} is held by {inside} of their own side"), true)
        }
        Some(_) => ("dba3.city.17", format!("the enemy holds {place}"), false),
    };
    found.ask(clause, text, may, || format!("go round {place}"));
    let file = matches!(scene.mv.manoeuvre, Manoeuvre::Single | Manoeuvre::Column);
    found.ask("dba3.city.4", format!("{who} go through one behind the other"), file, || {
        "form column first".to_owned()
    });
    let road = scene.before.ground.on_road(&lead.start(), scene.before.scale);
    match road {
        None => found.ask("dba3.city.4", format!("no road leads through {place}"), false, String::new),
        Some(on) => {
            let text = format!("{} and the middle of {}", lead.name(), on.road);
            found.test("dba3.city.4", text, on.margin, || "come onto the road first".to_owned());
        }
    }
    by_gate(scene, lead, &lead.start(), feature, found);
    if let Some((_, which)) = at_gate(scene, lead, &lead.start(), feature) {
        let text = format!("in by gate {which}, out by gate {exit} of {place}");
        found.ask("dba3.city.3", text, which != exit, || "leave by the other gate".to_owned());
    }
    ends_outside(scene, found);
    length(scene, found);
}

/// Where they come out they have room, and are on the board.
fn ends_outside(scene: &Scene<'_>, found: &mut Findings) {
    let (width, depth) = scene.before.board_mm;
    for element in scene.walkers.iter().filter_map(|w| scene.after.element(w.name())) {
        clear(scene, &element.name, &element.footprint, found);
        let off = |p: Point| p.x < 0.0 || p.y < 0.0 || p.x > width || p.y > depth;
        if element.footprint.outline().into_iter().any(off) {
            let text = format!("{} would come out over the board's edge", element.name);
            found.ask("dba3.city.5", text, false, || "go round".to_owned());
        }
    }
    let last = scene.walkers.last().map_or("", Walker::name);
    found.note("dba3.city.5", format!("until {last}, the last, is just outside the gate of exit"));
}

/// How far the passage may take them (clause dba3.set.9).
fn length(scene: &Scene<'_>, found: &mut Findings) {
    if scene.settings.city_passage_length == CityPassageLength::GateToGate {
        found.note("dba3.set.9", "the passage uses no move distance");
        return;
    }
    let rules = scene.settings.ruleset();
    let paces = scene.walkers.iter().map(|w| rules.pace(w.troop).good_bw);
    let allowed = paces.fold(f64::INFINITY, f64::min) * scene.bw_mm();
    for walker in &scene.walkers {
        let Some(after) = scene.after.element(walker.name()) else { continue };
        let mm = reach::furthest_mm(&walker.start(), &after.footprint);
        let binding = at_point(&after.footprint, walker.start().pose().centre);
        let margin = Margin::closed(exact(allowed - mm), binding);
        let text = format!("by the setting the passage is a move: {} goes {mm:.1} mm", walker.name());
        found.test("dba3.set.9", text, margin, || "go round, in several moves".to_owned());
    }
}

/// What marching through costs, `move_pips` being the price of any other move; none where nobody does (clauses
/// dba3.city.5, dba3.set.8).
pub(super) fn price(scene: &Scene<'_>, move_pips: u8, found: &mut Findings) -> Option<u8> {
    let Gateway::Through { place, .. } = &scene.mv.gateway else { return None };
    let each = u8::try_from(scene.walkers.len()).unwrap_or(u8::MAX);
    let text = format!("marching through {place} costs 1 PIP an element: {each}");
    found.note("dba3.city.5", text);
    Some(match scene.settings.city_passage_pips {
        CityPassagePips::PerElement => {
            found.note("dba3.set.8", "that is the whole price");
            each
        }
        CityPassagePips::PerElementPlusMove => {
            found.note_not("dba3.set.8", format!("by the setting the move itself costs {move_pips} more"));
            each.saturating_add(move_pips)
        }
    })
}

/// Writes down what the move has done to the place: who holds it now, and what the denizens do.
pub(super) fn settle(scene: &mut Scene<'_>, found: &mut Findings) {
    let Some(place) = scene.mv.gateway.place() else { return };
    let names: Vec<&str> = scene.mv.names().collect();
    for name in names {
        let told = match &scene.mv.gateway {
            Gateway::In { .. } => {
                play::comes_in(&mut scene.after, scene.settings, place, name, play::Coming::Freely)
            }
            Gateway::Out { .. } => play::goes_out(&mut scene.after, scene.settings, place, name),
            Gateway::None | Gateway::Through { .. } => Vec::new(),
        };
        found.notes.extend(told);
    }
}
