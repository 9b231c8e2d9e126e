//! Command distance: whether the general reaches those who would move (clauses dba3.pip.8 to .14, dba3.set.26
//! to .29, .99). Measured at the start of the move. Table frame, millimetres.
//!
//! Invariant: the margin is satisfied exactly where the general reaches the movers as far as distances and
//! what lies between decide; whether he can command at all is told beside it.

use super::sight::{hiding, who};
use super::{Bound, Location};
use crate::geometry::{
    Binding, Corner, Feature as Place, Footprint, Margin, Part, Whose, room_inside_area, separation,
};
use crate::rules::settings::CommandPoints;
use crate::rules::terrain::General;
use crate::rules::{Element, Reason, Settings, Setup, exact};
use std::sync::Arc;

/// Whether movers are in command.
#[derive(Debug, Clone, PartialEq)]
pub struct InCommand {
    /// Whether they are: `None` where it cannot be known, for nobody knows where the general is.
    pub holds: Option<bool>,
    /// By how much he reaches them: the limit less the distance. `None` where no distance decides.
    pub margin: Option<Margin>,
    /// Every step, the deciding one first.
    pub reasons: Vec<Reason>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

/// Whether the general of the movers' side reaches them where they stand in `setup`, before they move. The
/// movers are of one side; none at all are in command.
pub fn in_command(setup: &Setup, settings: &Settings, bound: &Bound, movers: &[&Element]) -> InCommand {
    let said =
        |holds, reasons| InCommand { holds, margin: None, reasons, under: Arc::clone(settings.name()) };
    if movers.is_empty() {
        return said(Some(true), Vec::new());
    }
    let names = who(movers);
    if let Some(general) = movers.iter().find(|e| e.general) {
        if let [_] = movers {
            let text = format!("{names} is the general's own element");
            return said(Some(true), vec![Reason::fails("dba3.pip.8", text)]);
        }
        if settings.general_in_group_exempt {
            let text = format!("{} moves with his group, which is in command", general.name);
            let reasons = vec![Reason::holds("dba3.set.26", text.clone()), Reason::fails("dba3.pip.8", text)];
            return said(Some(true), reasons);
        }
    }
    let mut found = commanded(setup, settings, bound, movers);
    if movers.iter().any(|e| e.general) {
        let text = "by the setting a group with its general in it is judged like any other";
        found.reasons.push(Reason::fails("dba3.set.26", text));
    }
    found
}

/// Whether the general reaches movers that he does not lead himself.
fn commanded(setup: &Setup, settings: &Settings, bound: &Bound, movers: &[&Element]) -> InCommand {
    let said =
        |holds, reasons| InCommand { holds, margin: None, reasons, under: Arc::clone(settings.name()) };
    let (side, names) = (movers[0].side, who(movers));
    let generals: Vec<&Element> = setup.elements.iter().filter(|e| e.side == side && e.general).collect();
    let lost = bound.generals_lost.contains(&side)
        || (!generals.is_empty() && generals.iter().all(|e| e.location == Location::Off));
    if lost {
        let text = format!("the general of {names} is lost");
        return said(Some(false), vec![Reason::holds("dba3.pip.8", text)]);
    }
    let Some(general) = generals.iter().find(|e| e.location != Location::Off) else {
        let text = format!("nobody has said which element is the general of {names}");
        return said(None, vec![Reason::fails("dba3.pip.8", text)]);
    };
    if let Some(reason) = cut_off(setup, settings, general) {
        return said(Some(false), vec![reason]);
    }
    if general.location == Location::Reserve {
        let text = format!("{} is in reserve: where he is cannot be measured", general.name);
        return said(None, vec![Reason::fails("dba3.pip.8", text)]);
    }
    by_distance(setup, settings, general, movers)
}

/// Why a general commands nobody but himself: he is wholly inside something that cuts him off.
fn cut_off(setup: &Setup, settings: &Settings, general: &Element) -> Option<Reason> {
    let place = match general.location {
        Location::Camp => Some("a camp"),
        Location::City => Some("a City"),
        Location::Fort => Some("a Fort"),
        Location::Board | Location::Reserve | Location::Off => None,
    };
    if let Some(place) = place {
        return Some(Reason::holds("dba3.pip.8", format!("{} is inside {place}", general.name)));
    }
    if general.location != Location::Board {
        return None;
    }
    let rules = settings.ruleset();
    let cutting = setup.ground.features.iter().filter(|f| rules.terrain(f.kind).general == General::Cut);
    cutting.into_iter().find_map(|feature| {
        let room = room_inside_area(&general.footprint, &feature.outline);
        let margin = Margin::closed(exact(room.mm), room.binding);
        let text =
            format!("{} is wholly inside {}, with {:.1} mm to spare", general.name, feature.name, room.mm);
        margin.satisfied().then(|| Reason::tested("dba3.pip.8", text, margin))
    })
}

fn by_distance(setup: &Setup, settings: &Settings, general: &Element, movers: &[&Element]) -> InCommand {
    let rules = settings.ruleset();
    let (pips, bw) = (rules.pips(), setup.scale.mm_per_bw());
    let (apart_mm, binding) = apart(general, movers, settings);
    let within = |limit_bw: f64| Margin::closed(exact(limit_bw * bw - apart_mm), binding);
    let names = who(movers);
    let all_far = movers.iter().all(|e| rules.troop(&e.troop).is_some_and(|t| pips.far.holds(t)));
    let distance = format!("{names} is {:.1} mm or {:.2} BW from {}", apart_mm, apart_mm / bw, general.name);
    let points = match settings.command_distance_points {
        CommandPoints::NearestElement => "the nearest points of the general and the nearest mover count",
        CommandPoints::FarthestElement => "the nearest points of the general and the farthest mover count",
        CommandPoints::FarthestPart => "the farthest point of the movers counts",
    };
    if all_far {
        let margin = within(pips.far_bw);
        let text = format!("{distance}; command of Light Horse reaches {} BW", pips.far_bw);
        let mut reasons = vec![
            Reason::tested("dba3.pip.9", text.clone(), margin),
            Reason { margin: None, holds: true, ..Reason::tested("dba3.set.28", points, margin) },
        ];
        if hiding(&setup.ground, general, movers, settings).iter().any(|h| h.margin.satisfied()) {
            reasons
                .push(Reason::holds("dba3.set.27", "what lies between does not shorten it for Light Horse"));
        }
        if !margin.satisfied() {
            reasons.push(Reason::holds("dba3.pip.8", "beyond command distance"));
        }
        let under = Arc::clone(settings.name());
        return InCommand { holds: Some(margin.satisfied()), margin: Some(margin), reasons, under };
    }
    let (long, short) = (within(pips.command_bw), within(pips.hidden_bw));
    // What lies between only matters between the two limits: it is not worked out elsewhere.
    let between = long.satisfied() && !short.satisfied();
    let hides = if between { hiding(&setup.ground, general, movers, settings) } else { Vec::new() };
    let seen = hides.iter().map(|h| !h.margin).reduce(Margin::and);
    let margin = if short.satisfied() { short } else { seen.map_or(long, |seen| long.and(seen)).or(short) };
    let hidden = hides.iter().any(|h| h.margin.satisfied());
    let mut reasons = Vec::new();
    for hide in hides {
        reasons.extend(hide.reasons);
    }
    let limit = if hidden { pips.hidden_bw } else { pips.command_bw };
    let held = if hidden { short } else { long };
    let text = format!(
        "{distance}; command reaches {limit} BW{}",
        if hidden { ", for they are hidden" } else { "" }
    );
    let ordinary = Reason::tested("dba3.pip.10", text, held);
    if hidden {
        reasons.push(ordinary)
    } else {
        reasons.insert(0, ordinary)
    }
    reasons.push(Reason::holds("dba3.set.28", points));
    if !margin.satisfied() {
        reasons.push(Reason::holds("dba3.pip.8", format!("{names} is beyond command distance")));
    }
    let under = Arc::clone(settings.name());
    InCommand { holds: Some(margin.satisfied()), margin: Some(margin), reasons, under }
}

/// The distance that counts, and between which points.
fn apart(general: &Element, movers: &[&Element], settings: &Settings) -> (f64, Binding) {
    let nearest = |mover: &Element| {
        let found = separation(&mover.footprint, &general.footprint);
        (found.mm.max(0.0), found.binding)
    };
    let farthest_part = |mover: &Element| {
        Corner::ALL
            .map(|corner| {
                let at = mover.footprint.corner(corner);
                let mm = general.footprint.distance_to_point(at).max(0.0);
                let own = Place { whose: Whose::A, part: Part::Corner(corner), at };
                (mm, Binding(own, of_general(&general.footprint)))
            })
            .into_iter()
            .reduce(|a, b| if b.0 > a.0 { b } else { a })
            .expect("a base has corners")
    };
    let all = movers.iter().map(|mover| match settings.command_distance_points {
        CommandPoints::NearestElement | CommandPoints::FarthestElement => nearest(mover),
        CommandPoints::FarthestPart => farthest_part(mover),
    });
    let nearer = settings.command_distance_points == CommandPoints::NearestElement;
    all.reduce(|a, b| if (b.0 < a.0) == nearer { b } else { a }).expect("there is a mover")
}

fn of_general(base: &Footprint) -> Place {
    Place { whose: Whose::B, part: Part::Inside, at: base.pose().centre }
}
