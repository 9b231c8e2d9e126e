//! Where troops may stand when the battle begins.
//!
//! Table frame, millimetres. A side's base edge is given; the centre line is the one along it through the middle of the
//! board, side edges are the two that meet it. Distances are those of the nearest point of a base. Clauses: dba3.dep.2 to
//! .6, dba3.set.19, .20.

use crate::geometry::{Binding, Corner, Margin, Part, Point, of_base, of_ground, separation_from_area};
use crate::rules::ruleset::Troop;
use crate::rules::settings::{CampMargin, NearSides};
use crate::rules::stronghold::{self, Terms};
use crate::rules::terrain::{BaseEdges, BoardEdge, Feature, TerrainKind};
use crate::rules::{AskError, Element, Location, Settings, Setup, Side, exact};

/// How far from the centre line, base widths (clause dba3.dep.3).
pub const CENTRE_BW: f64 = 3.0;
/// How far from an enemy City or Fort (clause dba3.dep.4).
pub const STRONGHOLD_BW: f64 = 3.0;
/// How far from the side edges Cavalry, Light Horse, Auxilia and Psiloi keep (clause dba3.dep.5).
pub const NEAR_SIDES_BW: f64 = 2.0;
/// How far all others keep (clause dba3.dep.6).
pub const SIDES_BW: f64 = 4.0;

/// Whether those troops may stand nearer to the side edges, and by which clause.
pub fn near_sides(settings: &Settings, troop: &Troop) -> (bool, &'static str) {
    let deploy = settings.ruleset().deploy();
    if deploy.near_sides.holds(troop) {
        return (true, "dba3.dep.5");
    }
    let too = settings.deploy_2bw_types == NearSides::WithCamelry && deploy.near_sides_too.holds(troop);
    (too, if too { "dba3.dep.5" } else { "dba3.dep.6" })
}

/// Whether an element may stand where it does at deployment. Of one that is held back or off the table nothing is asked.
///
/// # Errors
/// An unknown troop code.
pub fn deploys(
    setup: &Setup,
    settings: &Settings,
    element: &Element,
    edges: BaseEdges,
    allied: &[String],
) -> Result<Terms, AskError> {
    let (name, code) = (element.name.clone(), element.troop.clone());
    let troop = settings.ruleset().troop(&element.troop).ok_or(AskError::UnknownTroop { name, code })?;
    let mut terms = Terms::default();
    match element.location {
        Location::Reserve | Location::Off => return Ok(terms),
        Location::City | Location::Fort => {
            garrison(setup, settings, element, allied, &mut terms)?;
            return Ok(terms);
        }
        Location::Board | Location::Camp => {}
    }
    let base = edges.of(element.side);
    centre(setup, element, base, &mut terms);
    strongholds(setup, element, &mut terms);
    let camp = element.location == Location::Camp;
    if camp {
        let exempt = settings.camp_occupant_side_margin == CampMargin::Exempt;
        if exempt {
            let text = format!("{} is in its camp, free of the side edges' margin", element.name);
            terms.note("dba3.set.20", text, true);
        }
    }
    if !camp || settings.camp_occupant_side_margin == CampMargin::Applies {
        sides(setup, settings, (element, troop), base, &mut terms);
    }
    if !camp {
        let rules = settings.ruleset();
        let outline = element.footprint.outline().to_vec();
        terms.conditions.extend(setup.ground.barred(&element.name, &[outline], rules));
        terms.conditions.extend(setup.ground.deployable(
            &element.name,
            &element.footprint,
            troop,
            settings,
            setup.scale,
        ));
    }
    Ok(terms)
}

/// One element of foot in a City or Fort of its own side, wherever that lies (clause dba3.dep.2).
fn garrison(
    setup: &Setup,
    settings: &Settings,
    element: &Element,
    allied: &[String],
    terms: &mut Terms,
) -> Result<(), AskError> {
    let name = &element.name;
    let Some(place) = stronghold::place_of(&setup.ground, element) else {
        terms.ask("dba3.dep.2", format!("there is no City or Fort for {name} to be in"), false);
        return Ok(());
    };
    let friendly = place.side == Some(element.side);
    let found = stronghold::may_garrison(setup, settings, element, place, allied)?;
    let whose = if friendly { "a friendly" } else { "no friendly" };
    let text = format!(
        "{name} is in {}, {whose} {}, free of the distances of other troops",
        place.name,
        place.kind.word()
    );
    terms.ask("dba3.dep.2", text, friendly && found.met());
    terms.extend(found);
    Ok(())
}

/// The point of a base that is nearest by some measure, and the measure.
fn nearest(element: &Element, by: impl Fn(Point) -> f64) -> (f64, Point) {
    let all = Corner::ALL.map(|corner| element.footprint.corner(corner)).map(|p| (by(p), p));
    all.into_iter().min_by(|a, b| a.0.total_cmp(&b.0)).expect("a base has corners")
}

/// Back from the centre line.
fn centre(setup: &Setup, element: &Element, base: BoardEdge, terms: &mut Terms) {
    let (board, bw) = (setup.board_mm, setup.scale.mm_per_bw());
    let half = base.sides()[0].length_mm(board) / 2.0;
    let (mm, at) = nearest(element, |p| half - base.from(p, board));
    let text = format!("{} is {:.2} BW back from the centre line; 3 BW at least", element.name, mm / bw);
    let foot = at + base.inward() * mm;
    let margin = Margin::closed(
        exact(mm - CENTRE_BW * bw),
        Binding(of_base(&element.footprint, at), of_ground(Part::Inside, foot)),
    );
    terms.test("dba3.dep.3", text, margin);
}

/// Away from every City and Fort of the enemy.
fn strongholds(setup: &Setup, element: &Element, terms: &mut Terms) {
    let bw = setup.scale.mm_per_bw();
    for place in setup.ground.features.iter().filter(|f| is_enemy(f, element.side)) {
        let found = separation_from_area(&element.footprint, &place.outline);
        let text = format!(
            "{} is {:.2} BW from {}, a {} of the enemy; 3 BW at least",
            element.name,
            found.mm / bw,
            place.name,
            place.kind.word()
        );
        let margin = Margin::closed(exact(found.mm - STRONGHOLD_BW * bw), found.binding);
        terms.test("dba3.dep.4", text, margin);
    }
}

/// Whether it is a City or Fort of the other side.
fn is_enemy(place: &Feature, side: Side) -> bool {
    matches!(place.kind, TerrainKind::City | TerrainKind::Fort) && place.side == Some(side.enemy())
}

/// Away from both side edges.
fn sides(
    setup: &Setup,
    settings: &Settings,
    (element, troop): (&Element, &Troop),
    base: BoardEdge,
    terms: &mut Terms,
) {
    let (board, bw) = (setup.board_mm, setup.scale.mm_per_bw());
    let (near, clause) = near_sides(settings, troop);
    let least = if near { NEAR_SIDES_BW } else { SIDES_BW };
    let found = base.sides().map(|edge| (nearest(element, |p| edge.from(p, board)), edge));
    let ((mm, at), edge) =
        found.into_iter().min_by(|a, b| a.0.0.total_cmp(&b.0.0)).expect("a board has side edges");
    let text = format!(
        "{} is {} and {:.2} BW from the {}; {least} BW at least",
        element.name,
        troop.code,
        mm / bw,
        edge.name()
    );
    let binding = Binding(of_base(&element.footprint, at), of_ground(Part::Rim, edge.foot(at, board)));
    let margin = Margin::closed(exact(mm - least * bw), binding);
    terms.test(clause, text.clone(), margin);
    let too = settings.ruleset().deploy().near_sides_too.holds(troop);
    if near || too {
        terms.test("dba3.set.19", text.clone(), margin);
    }
    if element.location == Location::Camp {
        terms.test("dba3.set.20", format!("{text}, in the camp too"), margin);
    }
}

/// The corners of the rectangle in which a side's troops of that sort may stand: from its base edge to 3 BW short of the
/// centre line, so far from the side edges. None where the board leaves no room. Enemy Cities and Forts cut into it.
pub fn zone(setup: &Setup, base: BoardEdge, sides_bw: f64) -> Option<[Point; 4]> {
    let (board, bw) = (setup.board_mm, setup.scale.mm_per_bw());
    let across = base.length_mm(board);
    let deep = base.sides()[0].length_mm(board) / 2.0 - CENTRE_BW * bw;
    let side = sides_bw * bw;
    if deep <= 0.0 || across <= 2.0 * side {
        return None;
    }
    // From the end of the base edge at its left hand.
    let middle = Point::new(board.0 / 2.0, board.1 / 2.0);
    let start = base.foot(middle, board) - base.rightward() * (across / 2.0);
    let at = |along: f64, in_mm: f64| start + base.rightward() * along + base.inward() * in_mm;
    Some([at(side, 0.0), at(across - side, 0.0), at(across - side, deep), at(side, deep)])
}
