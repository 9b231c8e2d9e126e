//! Questions about what lies on the table.

use super::answer::{Answer, Posed};
use super::places::element;
use crate::geometry::{Footprint, Point};
use crate::rules::ruleset::Going;
use crate::rules::terrain::{Crossers, Feature, Plough, River, RiverState, laid_river, laid_road};
use crate::rules::{Element, Reason, by_size, movement, setting_up, stronghold};
use serde::Deserialize;

/// What a case asks of what lies on the table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum AskGround {
    /// Is that element in exactly that going?
    Under(String, Going),
    /// Does no feature cover that point, in base widths?
    Bare((f64, f64)),
    /// May that element stand where it does, as far as what lies there bars nobody?
    MayStand(String),
    /// Is the first uphill of the second?
    Uphill(String, String),
    /// Does the first defend a bank against the second?
    Bank(String, String),
    /// Is that element on a road, astride it?
    OnRoad(String),
    /// May these, `A+B` abreast or `A` alone or `A,B` in column, cross that river away from a road?
    Cross(String, String),
    /// Must these, `A+B` abreast or `A` alone or `A,B` in column, stop at that river's near bank?
    StopsAtBank(String, String),
    /// Must a die be rolled for that river for the first, where it stands?
    DieDue(String, String),
    /// These move so: is the die for that river rolled only as they enter it?
    RollsOnEntry(String, String),
    /// Does that river slow those who cross it?
    Slows(String),
    /// Does a score of the river die leave the river so?
    RiverDie(u8, String),
    /// Does a first PIP score of the game make Plough rough?
    PloughDie(u8),
    /// Is that element in the threat zone of that camp, City or Fort?
    Zone(String, String),
    /// Is that feature, river, road or camp laid as the rules ask?
    Laid(String),
}

impl AskGround {
    /// The question in words.
    pub fn in_words(&self) -> String {
        match self {
            Self::Under(name, going) => format!("is {name} in {}?", going.name()),
            Self::Bare((x, y)) => format!("does no feature cover ({x},{y})?"),
            Self::MayStand(name) => format!("may {name} stand where it does?"),
            Self::Uphill(a, b) => format!("is {a} uphill of {b}?"),
            Self::Bank(a, b) => format!("does {a} defend a bank against {b}?"),
            Self::OnRoad(name) => format!("is {name} on a road?"),
            Self::Cross(who, river) => format!("may {who} cross {river}?"),
            Self::StopsAtBank(who, river) => format!("must {who} stop at the near bank of {river}?"),
            Self::DieDue(who, river) => format!("must a die be rolled for {river} when {who} stands there?"),
            Self::RollsOnEntry(text, river) => {
                format!("{text}: is the die for {river} rolled only as the water is entered?")
            }
            Self::Slows(river) => format!("does {river} slow those who cross?"),
            Self::RiverDie(score, river) => format!("does {score} on the die make {river} what it is?"),
            Self::PloughDie(score) => format!("does a first PIP score of {score} make Plough rough?"),
            Self::Zone(name, place) => format!("is {name} in the threat zone of {place}?"),
            Self::Laid(name) => format!("is {name} laid as the rules ask?"),
        }
    }
}

pub(super) fn answer(posed: &Posed<'_>, what: &AskGround) -> Result<Answer, String> {
    let (ground, settings) = (&posed.setup.ground, posed.settings);
    match what {
        AskGround::Under(name, going) => under(posed, name, *going),
        AskGround::Bare((x, y)) => {
            let bw = posed.setup.scale.mm_per_bw();
            Ok(bare(posed, Point::new(x * bw, y * bw)))
        }
        AskGround::MayStand(name) => {
            let one = element(posed, name)?;
            let mut reasons = ground.barred(name, &[one.footprint.outline().to_vec()], settings.ruleset());
            let troop = settings.ruleset().troop(&one.troop).ok_or("the ruleset has no such troops")?;
            let scale = posed.setup.scale;
            reasons.extend(ground.deployable(name, &one.footprint, troop, settings, scale));
            reasons.sort_by_key(|reason| reason.holds);
            let nearest = reasons.first().and_then(|r| r.margin);
            let nearest = nearest.ok_or("nothing on the table bars anybody")?;
            Ok(Answer::measured(nearest.satisfied(), nearest.mm, reasons))
        }
        AskGround::Uphill(a, b) => {
            let found =
                ground.uphill(named(element(posed, a)?), named(element(posed, b)?), &settings.tolerances);
            let found = found.ok_or("neither touches a hill")?;
            Ok(Answer::measured(found.margin.satisfied(), found.margin.mm, found.reasons))
        }
        AskGround::Bank(a, b) => {
            let found = ground.bank(named(element(posed, a)?), named(element(posed, b)?));
            let found = found.ok_or("there is no river")?;
            Ok(Answer::measured(found.defends == Some(true), found.margin.mm, found.reasons))
        }
        AskGround::OnRoad(name) => {
            let found = ground.on_road(&element(posed, name)?.footprint, posed.setup.scale);
            let found = found.ok_or("there is no road")?;
            let text = format!("{name}'s centre and the middle of {}", found.road);
            let reason = Reason::tested("dba3.road.2", text, found.margin);
            Ok(Answer::measured(found.margin.satisfied(), found.margin.mm, vec![reason]))
        }
        AskGround::Cross(who, name) => {
            let crossing = river(posed, name)?.crossing(who, crossers(who));
            let said = format!("may cross: {}", known(crossing.may_cross));
            Ok(Answer::plain(crossing.may_cross == Some(true), said, crossing.reasons))
        }
        AskGround::StopsAtBank(who, name) => {
            let (stops, reason) = river(posed, name)?.stops(who, crossers(who));
            Ok(Answer::plain(stops, reason.text.clone(), vec![reason]))
        }
        AskGround::DieDue(who, name) => {
            let base = &element(posed, who)?.footprint;
            let road = ground.on_road(base, posed.setup.scale).filter(|on| on.margin.satisfied());
            let found = river(posed, name)?.die_due(who, base, road.as_ref().map(|on| on.road.as_str()));
            Ok(Answer::measured(found.due, found.margin.mm, found.reasons))
        }
        AskGround::RollsOnEntry(_, name) => rolls_on_entry(posed, river(posed, name)?),
        AskGround::Slows(name) => {
            let crossing = river(posed, name)?.crossing("a single element", Crossers::Narrow);
            let said = format!("slows: {}", known(crossing.slows));
            Ok(Answer::plain(crossing.slows == Some(true), said, crossing.reasons))
        }
        AskGround::RiverDie(score, name) => {
            let state = RiverState::of_score(*score).ok_or_else(|| format!("a die does not show {score}"))?;
            let river = River { state, ..river(posed, name)?.clone() };
            let reasons = river.crossing("the first to cross", Crossers::Narrow).reasons;
            let same = state == posed_state(posed, name)?;
            let reasons = reasons.into_iter().map(|r| Reason { holds: r.holds && same, ..r }).collect();
            Ok(Answer::plain(same, format!("{score} makes it {}", state.word()), reasons))
        }
        AskGround::PloughDie(score) => {
            let rough = Plough::of_first_score(*score) == Plough::Rough;
            let text = format!("the very first PIP score of the game is {score}");
            let reasons = vec![
                Reason { holds: rough, ..Reason::holds("dba3.going.12", text.clone()) },
                Reason { holds: !rough, ..Reason::holds("dba3.going.11", text.clone()) },
            ];
            Ok(Answer::plain(rough, text, reasons))
        }
        AskGround::Zone(name, place) => {
            let found =
                stronghold::zone(posed.setup, settings, element(posed, name)?, feature(posed, place)?);
            let found = found.ok_or_else(|| format!("`{place}` is no camp, City or Fort"))?;
            Ok(Answer::measured(found.binds, found.margin.mm, found.reasons))
        }
        AskGround::Laid(name) if ground.feature(name).is_some() => {
            let feature = feature(posed, name)?;
            let terms = stronghold::laid(posed.setup, settings, feature)
                .or_else(|| setting_up::laid_area(posed.setup, settings, feature));
            let terms =
                terms.ok_or_else(|| format!("nothing is asked of how a {} is laid", feature.kind.word()))?;
            Ok(super::strongholds::told(&terms))
        }
        AskGround::Laid(name) => {
            let reasons = if ground.rivers.iter().any(|r| r.name == *name) {
                laid_river(posed.setup, river(posed, name)?)
            } else {
                let road = ground.roads.iter().find(|r| r.name == *name);
                laid_road(posed.setup, road.ok_or_else(|| format!("no river or road is called `{name}`"))?)
            };
            let holds = reasons.iter().all(|r| r.holds);
            let not: Vec<&str> = reasons.iter().filter(|r| !r.holds).map(|r| r.text.as_str()).collect();
            Ok(Answer::plain(holds, not.join("; "), reasons))
        }
    }
}

/// An answer that may not be known yet.
fn known(answer: Option<bool>) -> &'static str {
    answer.map_or("not known yet", |yes| if yes { "yes" } else { "no" })
}

/// Whether the moves of the case start the die for that river, and only as they enter it.
fn rolls_on_entry(posed: &Posed<'_>, river: &River) -> Result<Answer, String> {
    let bound = super::moves::bound_of(posed, posed.moves.first().and_then(|made| made.names().next()));
    let mut setup = posed.setup.clone();
    let mut reasons = Vec::new();
    for made in posed.moves {
        let judged = movement::judge(&setup, &bound, posed.settings, made).map_err(|e| e.to_string())?;
        reasons.extend(judged.notes.iter().filter(|r| r.clause == "dba3.set.101").cloned());
        setup = judged.after;
    }
    let holds = reasons.iter().any(|r| r.holds);
    if reasons.is_empty() {
        let text =
            format!("no die is rolled for {}: it is known, or nobody enters it off a road", river.name);
        reasons.push(Reason::fails("dba3.set.101", text));
    }
    let said = reasons[0].text.clone();
    Ok(Answer::plain(holds, said, reasons))
}

fn crossers(who: &str) -> Crossers {
    if who.contains('+') { Crossers::Wide } else { Crossers::Narrow }
}

fn named(element: &Element) -> (&str, &Footprint) {
    (&element.name, &element.footprint)
}

fn under(posed: &Posed<'_>, name: &str, going: Going) -> Result<Answer, String> {
    let (e, rules) = (element(posed, name)?, posed.settings.ruleset());
    let troop = rules.troop(&e.troop).ok_or_else(|| format!("no troop code `{}`", e.troop))?;
    let found = posed.setup.ground.underfoot(name, &e.footprint, troop, posed.settings);
    let holds = found.going == going;
    let by = found.by.as_ref().map_or(String::new(), |by| format!(" by {by}"));
    let said = format!("{}{by}", found.going.name());
    let mm = found.margin.map(|m| m.mm);
    Ok(Answer { margin_mm: mm, ..Answer::plain(holds, said, found.reasons) })
}

fn bare(posed: &Posed<'_>, point: Point) -> Answer {
    let over = posed.setup.ground.features.iter().map(|f| (f, -f.outline.depth_of(point).0));
    let nearest = over.min_by(|a, b| by_size(a.1, b.1));
    let (holds, text) = match nearest {
        Some((feature, mm)) if mm < 0.0 => {
            (false, format!("the point is {:.1} mm inside {}", -mm, feature.name))
        }
        Some((feature, mm)) => (true, format!("the point is {mm:.1} mm outside {}", feature.name)),
        None => (true, "nothing lies on the table".to_owned()),
    };
    let reason = Reason { holds, ..Reason::holds("dba3.terr.3", text.clone()) };
    Answer { margin_mm: nearest.map(|(_, mm)| mm), ..Answer::plain(holds, text, vec![reason]) }
}

fn feature<'a>(posed: &Posed<'a>, name: &str) -> Result<&'a Feature, String> {
    posed.setup.ground.feature(name).ok_or_else(|| format!("nothing on the ground is called `{name}`"))
}

fn river<'a>(posed: &Posed<'a>, name: &str) -> Result<&'a River, String> {
    let mut rivers = posed.setup.ground.rivers.iter();
    rivers.find(|r| r.name == name).ok_or_else(|| format!("no river is called `{name}`"))
}

fn posed_state(posed: &Posed<'_>, name: &str) -> Result<RiverState, String> {
    river(posed, name).map(|r| r.state)
}
