//! Recoil and push-back (clauses dba3.rec).
//!
//! How far an element gets back is worked out first, friends that it pushes included; only then is anybody moved, so
//! that nobody is pushed further than is needed. An element that should go back and is pinned by an enemy's front
//! edge, or has no room at all, is destroyed.

use super::obstacle::{self, Fixed};
use super::{Cause, Choice, Play, RecoilBy, What};
use crate::geometry::{Margin, Pose};
use crate::rules::combat::Struck;
use crate::rules::passage::{self, Barred};
use crate::rules::ruleset::Kind;
use crate::rules::settings::{PushBackBlocked, PushBackChain, RecoilBoardEdge};
use crate::rules::settle::settled;
use crate::rules::strip::{Strip, Towards};
use crate::rules::{AskError, Element, Location, Reason, Settings, Setup, ask, engagement};

/// Why an element goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Why {
    /// It recoils.
    Recoil,
    /// A friend pushes it that may not pass through it.
    Pushed,
    /// A friend pushes it that could have passed but for the space behind it (clause dba3.set.104).
    Crowded,
}

/// How an element gets back.
enum Back {
    /// Not at all: it is destroyed.
    Destroyed(Vec<Reason>),
    /// Over the board's edge.
    Lost(Vec<Reason>),
    /// Through friends, to that place.
    Through(Pose, Vec<Reason>),
    /// So far, pushing these friends for that reason, each met after so far.
    By { mm: f64, pushes: Vec<(String, f64)>, why: Why, reasons: Vec<Reason> },
}

impl Play<'_> {
    /// An element has to recoil.
    ///
    /// # Errors
    /// An unknown name, or an element that is not on the open board.
    pub fn recoil(&mut self, name: &str, cause: Cause) -> Result<(), AskError> {
        let element = self.on_the_board(name)?;
        let kind = self.settings.ruleset().troop(&element.troop).map(|t| t.kind);
        if kind == Some(Kind::Elephants) && cause == Cause::Repulsed {
            let text = format!("{name} is repulsed from a City or Fort");
            return self.destroy(name, vec![Reason::holds("dba3.rec.7", text)]);
        }
        let free = match pinned(element, &self.setup, self.settings) {
            Pinned::By(why) => return self.destroy(name, vec![why]),
            Pinned::Near(free) => Some(free),
            Pinned::No => None,
        };
        if cause == Cause::Shooting(Struck::RearEdge) {
            let pose = element.footprint.pose();
            let about = Pose { heading: pose.heading.reversed(), ..pose };
            let text = format!("{name} is shot at on its rear edge, and turns to face that way first");
            self.shift(name, What::TurnsAbout, &[about], vec![Reason::holds("dba3.rec.12", text)])?;
        }
        let (by_mm, distance) = self.recoil_distance(name)?;
        let mut told = vec![distance];
        told.extend(free);
        if kind == Some(Kind::Elephants) {
            told.push(Reason::fails("dba3.rec.7", format!("no City or Fort repulses {name}")));
            return self.trample(name, by_mm, told);
        }
        if cause == Cause::Repulsed {
            told.push(Reason::fails("dba3.rec.7", format!("{name} is repulsed, and is no Elephants")));
        }
        self.go_back(name, by_mm, Why::Recoil, told)
    }

    /// How far it recoils (clauses dba3.rec.2, .3); a choice is told.
    fn recoil_distance(&mut self, name: &str) -> Result<(f64, Reason), AskError> {
        let element = self.element(name)?;
        let (bw, depth) = (self.setup.scale.mm_per_bw(), element.footprint.depth_mm());
        let mounted = self.settings.ruleset().troop(&element.troop).is_some_and(|t| t.is_mounted());
        if !mounted {
            let mm = depth.min(bw / 2.0);
            let text = format!("{name} is foot and recoils {mm:.1} mm: its depth, at most half a base width");
            return Ok((mm, Reason::holds("dba3.rec.2", text)));
        }
        if depth >= bw {
            let text = format!("{name} is mounted and recoils one base width, {bw:.1} mm");
            return Ok((bw, Reason::holds("dba3.rec.3", text)));
        }
        let decided = self.decisions.recoil.get(name).copied().unwrap_or(RecoilBy::BaseWidth);
        let distance = |by| if by == RecoilBy::BaseWidth { bw } else { depth };
        let other = if decided == RecoilBy::BaseWidth { RecoilBy::OwnDepth } else { RecoilBy::BaseWidth };
        let answers = [decided, other].map(|by| {
            let words = if by == RecoilBy::BaseWidth { "one base width" } else { "its own depth" };
            let end = match back(&self.setup, self.settings, name, distance(by), Why::Recoil) {
                Ok(Back::Through(to, _)) => Some(to),
                Ok(Back::By { mm, .. }) => {
                    let to = strip(element, self.settings).after(mm);
                    Some(settled(&self.setup, element, to, self.slack()))
                }
                _ => None,
            };
            (format!("recoil {words}, {:.1} mm", distance(by)), end)
        });
        self.choices.push(Choice { who: name.to_owned(), clause: "dba3.rec.3", answers: answers.into() });
        let mm = distance(decided);
        let text = format!("{name} is mounted: one base width or its own depth, here {mm:.1} mm");
        Ok((mm, Reason::holds("dba3.rec.3", text)))
    }

    /// Goes back so far, with all that it does to those behind.
    fn go_back(&mut self, name: &str, by_mm: f64, why: Why, told: Vec<Reason>) -> Result<(), AskError> {
        match back(&self.setup, self.settings, name, by_mm, why)? {
            Back::Destroyed(reasons) => self.destroy(name, with(reasons, told)),
            Back::Lost(reasons) => self.remove(name, What::OffBoard, with(reasons, told)),
            Back::Through(to, reasons) => self.shift(name, What::RecoilsThrough, &[to], with(reasons, told)),
            Back::By { mm, pushes, why: on, reasons } => {
                let to = strip(self.element(name)?, self.settings).after(mm);
                let what = if why == Why::Recoil { What::Recoils } else { What::PushedBack };
                let (slack, first) = (self.slack(), self.steps.len());
                // Whoever is pushed stands before it does, and so it stands clear of them; it is told first.
                for (friend, near_mm) in pushes {
                    let need = mm - near_mm;
                    if need > slack {
                        let text = format!("{name} pushes {friend} back {need:.1} mm");
                        self.go_back(&friend, need, on, vec![Reason::holds("dba3.rec.9", text)])?;
                    }
                }
                self.shift(name, what, &[to], with(reasons, told))?;
                self.steps[first..].rotate_right(1);
                Ok(())
            }
        }
    }

    /// Elephants destroy all whom they meet, and go on (clauses dba3.rec.4 to .6).
    fn trample(&mut self, name: &str, by_mm: f64, mut told: Vec<Reason>) -> Result<(), AskError> {
        let element = self.element(name)?.clone();
        let strip = strip(&element, self.settings);
        let slack = self.slack();
        let stop = obstacle::behind(&element, &self.setup, self.settings).into_iter().next();
        let stop = stop.filter(|o| o.near_mm < by_mm);
        let goes = stop.as_ref().map_or(by_mm, |o| o.near_mm);
        if let Some(stop) = stop.as_ref().filter(|o| o.near_mm <= slack) {
            return self.destroy(name, with(no_room(name, &stop.what.name()).into(), told));
        }
        let mut met: Vec<(f64, String, bool)> = Vec::new();
        for other in on_board(&self.setup, name) {
            let Some((near, _)) = strip.span_of(&other.footprint) else { continue };
            if goes - near > slack {
                let kind = self.settings.ruleset().troop(&other.troop).map(|t| t.kind);
                met.push((near, other.name.clone(), kind == Some(Kind::Elephants)));
            } else if near - goes < self.setup.scale.mm_per_bw() {
                let text = format!("{} stands {:.1} mm beyond the recoil of {name}", other.name, near - goes);
                told.push(Reason::fails("dba3.rec.4", text));
            }
        }
        met.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Whoever is met together with other Elephants, within what touching bases are measured to, is met first.
        let elephants =
            met.iter().find(|(.., elephants)| *elephants).map(|(near, other, _)| (*near, other.clone()));
        let last = elephants.as_ref().map_or(f64::INFINITY, |(near, _)| near + slack);
        for (near, other, _) in met.iter().filter(|(near, _, elephants)| !elephants && *near <= last) {
            let text = format!("{name} recoils into {other} after {:.1} mm", near.max(0.0));
            self.destroy(other, vec![Reason::holds("dba3.rec.4", text)])?;
        }
        if let Some((near, other)) = elephants {
            let text = format!("{name} recoils into {other}, Elephants too, after {:.1} mm", near.max(0.0));
            let reasons = vec![Reason::holds("dba3.rec.6", text)];
            self.destroy(&other, reasons.clone())?;
            return self.destroy(name, with(reasons, told));
        }
        if !met.is_empty() {
            told.push(Reason::fails("dba3.rec.6", format!("none of those that {name} meets are Elephants")));
        }
        let mut reasons =
            vec![Reason::holds("dba3.rec.1", format!("{name} goes straight back {goes:.1} mm"))];
        if let Some(stop) = &stop {
            let text = format!("{} keeps {name} from completing its recoil", stop.what.name());
            told.push(Reason::fails("dba3.rec.5", text));
            if let Fixed::Stronghold(place) = &stop.what {
                told.push(Reason::fails("dba3.rec.4", format!("whoever is in {place} is not trampled")));
            }
        }
        match stop {
            Some(stop) if stop.what == Fixed::SideEdge || stop.what == Fixed::EndEdge => {
                match over_the_edge(name, self.settings) {
                    Ok(stops) => reasons.push(stops),
                    Err(lost) => return self.remove(name, What::OffBoard, with(vec![lost], told)),
                }
            }
            Some(stop) => reasons.push(stopped(name, &stop.what.name(), goes)),
            None => reasons.push(Reason::holds("dba3.rec.5", format!("{name} completes its recoil"))),
        }
        self.shift(name, What::Recoils, &[strip.after(goes)], with(reasons, told))
    }
}

fn with(mut reasons: Vec<Reason>, more: Vec<Reason>) -> Vec<Reason> {
    reasons.extend(more);
    reasons
}

fn strip(element: &Element, settings: &Settings) -> Strip {
    Strip::of(element.footprint, Towards::Back, settings.tolerances.contact_gap_mm)
}

fn on_board<'s>(setup: &'s Setup, but: &'s str) -> impl Iterator<Item = &'s Element> {
    setup.elements.iter().filter(move |e| e.location == Location::Board && e.name != but)
}

/// Whether an enemy's front edge is on a side edge, the rear edge or a rear corner (clause dba3.rec.16).
enum Pinned {
    /// It is.
    By(Reason),
    /// It is not, and this one comes nearest to it.
    Near(Reason),
    /// No enemy's front edge is within a base width of touching.
    No,
}

fn pinned(element: &Element, setup: &Setup, settings: &Settings) -> Pinned {
    let tolerances = &settings.tolerances;
    let name = &element.name;
    let mut nearest: Option<(Margin, String)> = None;
    for enemy in on_board(setup, name).filter(|e| e.side != element.side) {
        for (part, margin) in engagement::pin_ways(enemy, element, tolerances) {
            if margin.satisfied() {
                let text = format!("{}'s front edge is on {name}'s {part}", enemy.name);
                return Pinned::By(Reason::tested("dba3.rec.16", text, margin));
            }
            if nearest.as_ref().is_none_or(|(other, _)| margin.mm > other.mm) {
                nearest = Some((margin, format!("{}'s front edge is not on {name}'s {part}", enemy.name)));
            }
        }
    }
    match nearest {
        Some((margin, text)) if margin.mm > -setup.scale.mm_per_bw() => {
            Pinned::Near(Reason::tested("dba3.rec.16", text, margin))
        }
        _ => Pinned::No,
    }
}

fn no_room(name: &str, what: &str) -> [Reason; 2] {
    let text = format!("{name} has no room to go back: it touches {what}");
    [Reason::holds("dba3.rec.15", text), Reason::holds("dba3.rec.13", format!("{what} is in its way"))]
}

fn stopped(name: &str, what: &str, mm: f64) -> Reason {
    Reason::holds("dba3.rec.13", format!("{what} stops {name} after {:.1} mm", mm.max(0.0)))
}

/// What the board's edge does: it stops the element, or the element is lost (clause dba3.set.81).
fn over_the_edge(name: &str, settings: &Settings) -> Result<Reason, Reason> {
    match settings.recoil_board_edge {
        RecoilBoardEdge::Stop => {
            Ok(Reason::holds("dba3.set.81", format!("the board's edge stops {name}, which is not lost")))
        }
        RecoilBoardEdge::Lost => {
            Err(Reason::fails("dba3.set.81", format!("by the setting {name} goes over the board's edge")))
        }
    }
}

/// How an element gets back by so much, worked out on the table as it stands. Nobody is moved.
fn back(setup: &Setup, settings: &Settings, name: &str, by_mm: f64, why: Why) -> Result<Back, AskError> {
    let element = ask::find(setup, name)?;
    let slack = settings.tolerances.contact_gap_mm;
    if let Pinned::By(reason) = pinned(element, setup, settings) {
        return Ok(Back::Destroyed(vec![reason]));
    }
    let mut told = Vec::new();
    let may_pass = match why {
        Why::Recoil => true,
        Why::Pushed => settings.pushed_may_pass_through,
        Why::Crowded => false,
    };
    let mut on = Why::Pushed;
    let pass = if why == Why::Crowded { None } else { passage::recoil(setup, settings, name, by_mm)? };
    if let Some(met) = pass.as_ref().filter(|p| p.to.is_ok() && !may_pass) {
        let text = format!("by the setting {name}, which is pushed, does not pass {}", met.met.join(" and "));
        told.push(Reason::fails("dba3.set.84", text));
    }
    if let Some(pass) = pass.filter(|_| may_pass) {
        if let Ok(to) = pass.to {
            let mut reasons = pass.reasons;
            let text = format!("{name} goes through {}", pass.met.join(" and "));
            reasons.insert(0, Reason::holds("dba3.rec.8", text));
            if why == Why::Pushed {
                reasons
                    .push(Reason::holds("dba3.set.84", format!("{name} is pushed, and passes all the same")));
            }
            return Ok(Back::Through(to, reasons));
        }
        let text = format!("{name} may not go through {}", pass.met.join(" and "));
        told.push(Reason::fails("dba3.rec.8", text));
        told.extend(pass.reasons.into_iter().filter(|r| !r.holds));
        let wants_space = pass.to == Err(Barred::NoSpace);
        if wants_space && !settings.push_when_no_space {
            let text = format!("{name} has no clear space behind {}", pass.met.join(" and "));
            told.push(Reason::fails("dba3.set.104", text));
            return Ok(halted(name, by_mm, pass.meets_mm, &pass.met.join(" and "), slack, told));
        }
        if wants_space {
            let text = format!("no clear space behind {}: they are pushed", pass.met.join(" and "));
            told.push(Reason::holds("dba3.set.104", text));
            on = Why::Crowded;
        }
    }
    let mut limit: (f64, Option<(String, Option<Fixed>)>) = (by_mm, None);
    let mut tighten = |near: f64, what: String, fixed: Option<Fixed>| {
        if near < limit.0 {
            limit = (near, Some((what, fixed)));
        }
    };
    for found in obstacle::behind(element, setup, settings) {
        tighten(found.near_mm, found.what.name(), Some(found.what));
    }
    let mut pushes = Vec::new();
    for other in on_board(setup, name) {
        let Some((near, _)) = strip(element, settings).span_of(&other.footprint) else { continue };
        if by_mm - near <= slack {
            continue;
        }
        let need = by_mm - near;
        if let Err(reason) = pushable(element, other, why, settings) {
            let text = format!("{name} does not push {} back", other.name);
            told.extend([reason, Reason::fails("dba3.rec.9", text)]);
            tighten(near, other.name.clone(), None);
            continue;
        }
        pushes.push((other.name.clone(), near));
        let got = match back(setup, settings, &other.name, need, on)? {
            Back::By { mm, .. } => mm,
            Back::Destroyed(_) | Back::Lost(_) | Back::Through(..) => need,
        };
        if got + slack < need {
            if settings.push_back_blocked == PushBackBlocked::PusherDestroyed {
                let text = format!(
                    "by the setting {name} is destroyed: {} can go back {got:.1} mm only",
                    other.name
                );
                return Ok(Back::Destroyed(vec![Reason::fails("dba3.set.83", text)]));
            }
            let text = format!("{} can be pushed {got:.1} mm, and {name} stops against it", other.name);
            told.push(Reason::holds("dba3.rec.14", text.clone()));
            told.push(Reason::holds("dba3.set.83", text));
            tighten(near + got, other.name.clone(), None);
        } else {
            let text = format!("nothing behind {} shortens the {need:.1} mm of its push", other.name);
            told.push(Reason::fails("dba3.rec.14", text));
        }
    }
    if pushes.len() > 1 || (why != Why::Recoil && !pushes.is_empty()) {
        let text = format!(
            "{name} pushes {}",
            pushes.iter().map(|p| p.0.as_str()).collect::<Vec<_>>().join(" and ")
        );
        told.push(Reason::holds("dba3.set.82", text));
    }
    let (mm, what) = limit;
    if let Some((what, fixed)) = what {
        if mm <= slack {
            told.splice(0..0, no_room(name, &what));
            return Ok(Back::Destroyed(told));
        }
        told.insert(0, stopped(name, &what, mm));
        if matches!(fixed, Some(Fixed::SideEdge | Fixed::EndEdge)) {
            match over_the_edge(name, settings) {
                Ok(reason) => told.push(reason),
                Err(reason) => {
                    told.insert(0, reason);
                    return Ok(Back::Lost(told));
                }
            }
        }
    }
    let clause = if why == Why::Recoil { "dba3.rec.1" } else { "dba3.rec.9" };
    told.insert(0, Reason::holds(clause, format!("{name} goes straight back {:.1} mm", mm.min(by_mm))));
    Ok(Back::By { mm: mm.min(by_mm), pushes, why: on, reasons: told })
}

/// Stopped by friends after so far, or destroyed for want of any room.
fn halted(name: &str, by_mm: f64, near: f64, what: &str, slack: f64, mut told: Vec<Reason>) -> Back {
    if near <= slack {
        told.splice(0..0, no_room(name, what));
        return Back::Destroyed(told);
    }
    told.insert(0, stopped(name, what, near));
    Back::By { mm: near.min(by_mm), pushes: Vec::new(), why: Why::Pushed, reasons: told }
}

/// Whether a friend behind can be pushed back (clauses dba3.rec.9 to .11), or why not.
fn pushable(element: &Element, other: &Element, why: Why, settings: &Settings) -> Result<(), Reason> {
    let (a, b) = (&element.name, &other.name);
    if other.side != element.side {
        return Err(Reason::holds("dba3.rec.13", format!("{b} is an enemy and stops {a}")));
    }
    let turn = element.footprint.pose().heading.turn_to_radians(other.footprint.pose().heading).abs();
    if turn > settings.tolerances.same_facing_deg.to_radians() {
        return Err(Reason::holds("dba3.rec.11", format!("{b} does not face as {a} does, and stops it")));
    }
    let kind = settings.ruleset().troop(&other.troop).map(|t| t.kind);
    if matches!(kind, Some(Kind::Elephants | Kind::WarWagons)) {
        return Err(Reason::holds("dba3.rec.10", format!("{b} ({}) is not pushed back", other.troop)));
    }
    if why != Why::Recoil && settings.push_back_chain == PushBackChain::FirstOnly {
        let text = format!("by the setting {a}, itself pushed, does not push {b}");
        return Err(Reason::fails("dba3.set.82", text));
    }
    Ok(())
}
