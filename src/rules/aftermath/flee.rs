//! Flight (clauses dba3.flee).
//!
//! A fleer turns about where it stands and runs straight on. At a side edge it turns once, towards its own rear edge,
//! and runs on along that edge. Choice of ours: it then stands beside the edge with its front level with where it
//! reached it.

use super::obstacle::{self, Fixed, Obstacle};
use super::{Play, What};
use crate::geometry::{Corner, Edge, Footprint, Point, Pose, separation};
use crate::rules::ruleset::{Going, Kind, Occasion, Troop};
use crate::rules::settings::{FleeAtCrossing, FleeEdgePivot};
use crate::rules::strip::{Strip, Towards};
use crate::rules::{AskError, Element, Location, Reason, Setup, Side, contact, passage};

/// How a straight run ends.
enum End {
    /// It has gone all it may.
    Spent,
    /// Something stops it.
    Stopped(String, &'static str),
    /// It turns along a side edge.
    AtSideEdge,
    /// It leaves the board.
    Off,
    /// It comes into a river.
    Drowned(String),
    /// It runs into another element, which dies with it (Elephants and Scythed Chariots).
    Crashes(String),
}

struct Run {
    mm: f64,
    end: End,
    reasons: Vec<Reason>,
}

impl Play<'_> {
    /// An element has to flee.
    ///
    /// # Errors
    /// An unknown name, or an element that is not on the open board.
    pub fn flee(&mut self, name: &str) -> Result<(), AskError> {
        let element = self.on_the_board(name)?.clone();
        let free = match self.caught(&element) {
            Some(why) if why.holds => return self.destroy(name, vec![why]),
            other => other,
        };
        let rules = self.settings.ruleset().clone();
        let Some(troop) = rules.troop(&element.troop) else {
            return Err(AskError::UnknownTroop { name: name.to_owned(), code: element.troop.clone() });
        };
        let (total_mm, told) = self.flight(&element, troop);
        let pose = element.footprint.pose();
        let about = Pose { heading: pose.heading.reversed(), ..pose };
        let mut reasons = vec![Reason::holds("dba3.flee.1", format!("{name} turns about")), told];
        reasons.extend(free);
        let mut base = element.footprint.moved_to(about);
        let (mut left, mut way) = (total_mm, vec![about]);
        loop {
            let here = Element { footprint: base, ..element.clone() };
            let run = self.run(&here, troop, left);
            let strip = Strip::of(base, Towards::Ahead, self.slack());
            reasons.extend(run.reasons);
            if way.len() == 1 && run.mm <= self.slack() && !matches!(run.end, End::AtSideEdge | End::Off) {
                if let End::Crashes(other) = &run.end {
                    return self.crash(name, other, reasons);
                }
                let text = format!("{name} cannot move at all once it has turned");
                reasons.insert(0, Reason::holds("dba3.flee.14", text));
                return self.destroy(name, reasons);
            }
            if way.len() == 1 && matches!(run.end, End::Stopped(..)) {
                let text = format!("{name} has {:.1} mm to flee once it has turned", run.mm);
                reasons.push(Reason::fails("dba3.flee.14", text));
            }
            way.push(strip.after(run.mm));
            left -= run.mm;
            base = base.moved_to(strip.after(run.mm));
            match run.end {
                End::AtSideEdge => {
                    let turned = self.along_the_edge(&base, element.side);
                    if let Some(other) = self.stands_in(&base.moved_to(turned), name) {
                        let text = format!("{other} leaves {name} no room to turn along the side edge");
                        reasons.insert(0, Reason::holds("dba3.flee.4", text));
                        return self.shift(name, What::Flees, &way, reasons);
                    }
                    let text =
                        format!("{name} reaches a side edge and runs on along it towards its own rear edge");
                    reasons.push(Reason::holds("dba3.flee.4", text));
                    let text = format!("at the side edge {name} turns once more");
                    reasons.push(Reason::fails("dba3.flee.2", text));
                    left = self.after_pivot(name, &base, turned, left, &mut reasons);
                    base = base.moved_to(turned);
                    way.push(turned);
                    if left <= 0.0 {
                        return self.shift(name, What::Flees, &way, reasons);
                    }
                }
                End::Spent => {
                    reasons.insert(0, Reason::holds("dba3.flee.2", format!("{name} flees {total_mm:.1} mm")));
                    return self.shift(name, What::Flees, &way, reasons);
                }
                End::Stopped(what, clause) => {
                    let gone = total_mm - left;
                    reasons
                        .insert(0, Reason::holds(clause, format!("{what} stops {name} after {gone:.1} mm")));
                    return self.shift(name, What::Flees, &way, reasons);
                }
                End::Off => {
                    let text = format!("{name} crosses the board's edge after {:.1} mm", total_mm - left);
                    reasons.insert(0, Reason::holds("dba3.flee.5", text));
                    return self.remove(name, What::OffBoard, reasons);
                }
                End::Drowned(river) => {
                    let text = format!("{name} flees into {river} after {:.1} mm", total_mm - left);
                    reasons.insert(0, Reason::holds("dba3.flee.15", text));
                    return self.destroy(name, reasons);
                }
                End::Crashes(other) => return self.crash(name, &other, reasons),
            }
        }
    }

    fn crash(&mut self, name: &str, other: &str, mut reasons: Vec<Reason>) -> Result<(), AskError> {
        let why =
            Reason::holds("dba3.flee.16", format!("{other} stops the fleeing {name}: both are destroyed"));
        reasons.insert(0, why.clone());
        self.destroy(other, vec![why])?;
        self.destroy(name, reasons)
    }

    /// Whether an enemy's front edge is on a flank or the rear (clause dba3.flee.13): the one that is, or that comes
    /// nearest to it within a base width.
    fn caught(&self, element: &Element) -> Option<Reason> {
        let enemies = self.setup.elements.iter();
        let enemies = enemies.filter(|e| e.location == Location::Board && e.side != element.side);
        let (e, edge, margin) = enemies
            .flat_map(|e| [Edge::Left, Edge::Right, Edge::Rear].map(|edge| (e, edge)))
            .map(|(e, edge)| {
                (e, edge, contact::on_edge(e, element, edge, &self.settings.tolerances).margin())
            })
            .filter(|(.., margin)| margin.mm > -self.setup.scale.mm_per_bw())
            .max_by(|a, b| crate::rules::by_size(a.2.mm, b.2.mm))?;
        let is = if margin.satisfied() { "is" } else { "is not" };
        let text = format!("{}'s front edge {is} on {}'s {}", e.name, element.name, edge.name());
        Some(Reason::tested("dba3.flee.13", text, margin))
    }

    /// Its full tactical move by the going in which it starts (clause dba3.flee.3).
    fn flight(&self, element: &Element, troop: &Troop) -> (f64, Reason) {
        let rules = self.settings.ruleset();
        let under = self.setup.ground.underfoot(&element.name, &element.footprint, troop, self.settings);
        let pace = rules.pace(troop);
        let bw = if under.going == Going::Good { pace.good_bw } else { pace.hindered_bw };
        let text = format!("{} starts in {}: its move is {bw} BW", element.name, under.going.name());
        (bw * self.setup.scale.mm_per_bw(), Reason::holds("dba3.flee.3", text))
    }

    /// How far `here`, already turned, runs straight ahead.
    fn run(&self, here: &Element, troop: &Troop, left_mm: f64) -> Run {
        let mut found = Run { mm: left_mm, end: End::Spent, reasons: Vec::new() };
        let near_by = self.setup.scale.mm_per_bw();
        for Obstacle { near_mm, what } in obstacle::ahead(here, &self.setup, self.settings) {
            let clause = match what {
                Fixed::SideEdge => "dba3.flee.4",
                Fixed::EndEdge => "dba3.flee.5",
                Fixed::Stronghold(_) => "dba3.flee.8",
                Fixed::Barred(_) => "dba3.flee.9",
                Fixed::BadGoing(_) => "dba3.flee.10",
            };
            if near_mm >= found.mm {
                if near_mm - left_mm < near_by && found.mm >= left_mm {
                    found.reasons.push(beyond(clause, &here.name, &what.name(), near_mm - left_mm));
                }
                continue;
            }
            found.mm = near_mm;
            found.end = match what {
                Fixed::SideEdge => End::AtSideEdge,
                Fixed::EndEdge => End::Off,
                _ => End::Stopped(what.name(), clause),
            };
        }
        self.told_of_going(here, troop, found.mm, &mut found.reasons);
        self.at_rivers(here, &mut found);
        let strip = Strip::of(here.footprint, Towards::Ahead, self.slack());
        let others = self.setup.elements.iter();
        let others = others.filter(|e| e.location == Location::Board && e.name != here.name);
        let (mut met, further): (Vec<(f64, f64, &Element)>, Vec<_>) = others
            .filter_map(|e| strip.span_of(&e.footprint).map(|(near, far)| (near, far, e)))
            .partition(|(near, ..)| *near < found.mm - self.slack());
        for (near, _, other) in further.into_iter().filter(|_| matches!(found.end, End::Spent)) {
            if near - left_mm < near_by {
                let clause = if other.side == here.side { "dba3.flee.7" } else { "dba3.flee.6" };
                found.reasons.push(beyond(clause, &here.name, &other.name, near - left_mm));
            }
        }
        met.sort_by(|a, b| a.0.total_cmp(&b.0));
        let crashes = matches!(troop.kind, Kind::Elephants | Kind::ScythedChariots);
        let stop = |found: &mut Run, near: f64, other: &Element| {
            let clause = if other.side == here.side { "dba3.flee.7" } else { "dba3.flee.6" };
            found.mm = near;
            found.end = if crashes {
                End::Crashes(other.name.clone())
            } else {
                let text =
                    format!("{} ({}) is neither Elephants nor Scythed Chariots", here.name, here.troop);
                found.reasons.push(Reason::fails("dba3.flee.16", text));
                End::Stopped(other.name.clone(), clause)
            };
        };
        let mut passed: Vec<(f64, &Element)> = Vec::new();
        for (near, far, other) in met {
            if near >= found.mm {
                break;
            }
            match self.passes(here, troop, other, far, &found) {
                Ok(reasons) => {
                    found.reasons.extend(reasons);
                    if crashes {
                        let text = format!("{} does not stop {}", other.name, here.name);
                        found.reasons.push(Reason::fails("dba3.flee.16", text));
                    }
                    passed.push((near, other));
                }
                Err(reasons) => {
                    found.reasons.extend(reasons);
                    stop(&mut found, near, other);
                    break;
                }
            }
        }
        // Stopped beyond friends whom it has not got clear of, it is stopped by the first of them.
        while let Some(&(near, other)) = passed.iter().find(|(_, e)| {
            let end = here.footprint.moved_to(strip.after(found.mm.max(0.0)));
            separation(&end, &e.footprint).mm < -self.slack()
        }) {
            let text = format!("{} has no room to get clear of {}", here.name, other.name);
            found.reasons.push(Reason::fails("dba3.ip.3", text));
            stop(&mut found, near, other);
            passed.retain(|(theirs, _)| *theirs < near);
        }
        found.mm = found.mm.max(0.0);
        found
    }

    /// Bad going that does not stop this fleer.
    fn told_of_going(&self, here: &Element, troop: &Troop, mm: f64, reasons: &mut Vec<Reason>) {
        let strip = Strip::of(here.footprint, Towards::Ahead, self.slack());
        for feature in &self.setup.ground.features {
            let bad =
                self.setup.ground.surface_of(feature.kind, self.settings).going_for(troop) == Going::Bad;
            let Some((near, _)) = strip.span(feature.outline.edges()) else { continue };
            if !bad || near > mm || feature.kind.is_stronghold() {
                continue;
            }
            let (name, what) = (&here.name, &feature.name);
            if near >= mm {
                let text = format!("{name} ({}) is neither Psiloi nor Light Horse", here.troop);
                reasons.push(Reason::fails("dba3.flee.11", text));
                reasons.push(Reason::fails("dba3.flee.12", format!("{what} is no Marsh")));
                continue;
            }
            if feature.kind == crate::rules::terrain::TerrainKind::Marsh {
                reasons
                    .push(Reason::holds("dba3.flee.12", format!("{what} is Marsh and does not stop {name}")));
            } else if matches!(troop.kind, Kind::Psiloi | Kind::LightHorse) {
                let text = format!("{name} ({}) flees on into {what}", here.troop);
                reasons.push(Reason::holds("dba3.flee.11", text));
            }
        }
    }

    /// Rivers drown fleers, by the setting not where a road crosses (clauses dba3.flee.15, dba3.set.88).
    fn at_rivers(&self, here: &Element, found: &mut Run) {
        for river in &self.setup.ground.rivers {
            let Some(mm) = obstacle::river_ahead(&here.footprint, river, found.mm) else {
                let far = found.mm + self.setup.scale.mm_per_bw();
                if let Some(near) = obstacle::river_ahead(&here.footprint, river, far) {
                    found.reasons.push(beyond("dba3.flee.15", &here.name, &river.name, near - found.mm));
                }
                continue;
            };
            let strip = Strip::of(here.footprint, Towards::Ahead, self.slack());
            let there = here.footprint.moved_to(strip.after(mm));
            let road = self.setup.ground.on_road(&there, self.setup.scale).filter(|on| on.margin.satisfied());
            if let Some(on) = road {
                let text = format!("{} reaches {} where {} crosses it", here.name, river.name, on.road);
                let safe = self.settings.flee_river_at_road_crossing == FleeAtCrossing::Safe;
                found.reasons.push(Reason { holds: !safe, ..Reason::holds("dba3.set.88", text) });
                if safe {
                    continue;
                }
            }
            found.mm = mm;
            found.end = End::Drowned(river.name.clone());
        }
    }

    /// Whether it runs through that friend: of the right type, with move enough to get clear and clear space beyond.
    fn passes(
        &self,
        here: &Element,
        troop: &Troop,
        other: &Element,
        far_mm: f64,
        run: &Run,
    ) -> Result<Vec<Reason>, Vec<Reason>> {
        let (a, b) = (&here.name, &other.name);
        if other.side != here.side {
            return Err(Vec::new());
        }
        let rules = self.settings.ruleset();
        let row = passage::allowance(troop, rules.troop(&other.troop), Occasion::Move, self.settings);
        let Ok(row) = row else {
            let text = format!("{a} ({}) may not pass through {b} ({})", here.troop, other.troop);
            return Err(vec![Reason::fails("dba3.ip.10", text)]);
        };
        let beyond = far_mm + here.footprint.depth_mm();
        let pose = here.footprint.pose();
        let end = here.footprint.moved_to(Pose { centre: pose.at(0.0, run.mm), ..pose });
        let clear = self.setup.elements.iter().all(|e| {
            e.name == *a
                || e.location != Location::Board
                || separation(&end, &e.footprint).mm >= -self.slack()
        });
        if beyond > run.mm + self.slack() || !clear {
            let text = format!("{a} has no move or room to get clear of {b}: {:.1} mm are needed", beyond);
            return Err(vec![Reason::fails("dba3.ip.3", text)]);
        }
        Ok(vec![
            Reason::holds(&row.clause, format!("{a} flees through {b}: {}", row.says)),
            Reason::holds("dba3.ip.3", format!("{a} gets clear of {b}")),
        ])
    }

    /// Beside the side edge that the base's front has reached, facing its own rear edge, front level with where it
    /// came to the edge.
    fn along_the_edge(&self, base: &Footprint, side: Side) -> Pose {
        let (board, own) = (self.setup.board_mm, self.setup.edges.of(side));
        let front = base.edge(Edge::Front);
        let middle = nalgebra::center(&front.start, &front.end);
        let [left, right] = own.sides();
        let reached = if left.from(middle, board) < right.from(middle, board) { left } else { right };
        let nearest = |p: Point| reached.from(p, board);
        let first = nearest(front.start).min(nearest(front.end)) + self.slack();
        // Of two corners that come to the edge together the one nearer to its own rear edge.
        let touching = [front.start, front.end]
            .into_iter()
            .filter(|p| nearest(*p) <= first)
            .min_by(|a, b| own.from(*a, board).total_cmp(&own.from(*b, board)))
            .unwrap_or(front.start);
        let beside = reached.foot(touching, board) + reached.inward() * (base.width_mm() / 2.0);
        Pose { centre: beside + own.inward() * (base.depth_mm() / 2.0), heading: own.outward() }
    }

    /// Who stands where a base would come to stand.
    fn stands_in(&self, there: &Footprint, name: &str) -> Option<String> {
        let others = self.setup.elements.iter();
        let mut others = others.filter(|e| e.location == Location::Board && e.name != name);
        others.find(|e| separation(there, &e.footprint).mm < -self.slack()).map(|e| e.name.clone())
    }

    /// What is left of the move after the turn (clause dba3.set.87).
    fn after_pivot(
        &self,
        name: &str,
        base: &Footprint,
        to: Pose,
        left: f64,
        reasons: &mut Vec<Reason>,
    ) -> f64 {
        let after = base.moved_to(to);
        match self.settings.flee_edge_pivot {
            FleeEdgePivot::Free => {
                reasons
                    .push(Reason::holds("dba3.set.87", format!("the turn costs {name} none of its flight")));
                left
            }
            FleeEdgePivot::Counts => {
                let corners = [Corner::FrontLeft, Corner::FrontRight];
                let cost = corners
                    .map(|c| (after.corner(c) - base.corner(c)).norm())
                    .into_iter()
                    .fold(0.0, f64::max);
                let text = format!("by the setting the turn costs {name} {cost:.1} mm of its flight");
                reasons.push(Reason::fails("dba3.set.87", text));
                left - cost
            }
        }
    }
}

/// What lies beyond the end of a flight, and does nothing to it.
fn beyond(clause: &str, name: &str, what: &str, mm: f64) -> Reason {
    Reason::fails(clause, format!("{what} lies {:.1} mm beyond the flight of {name}", mm.max(0.0)))
}

/// Whether anybody of that name is still on the board.
pub(super) fn on_board(setup: &Setup, name: &str) -> bool {
    setup.element(name).is_some_and(|e| e.location == Location::Board)
}
