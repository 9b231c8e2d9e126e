//! Rivers: who is in the water, who defends a bank, what the river die lets pass.
//!
//! Table frame, millimetres. A river is its course with half its width to either side, rounded at bends and
//! ends. Touching a bank is not being in the water. Clauses: dba3.riv.6 to .9, dba3.rx.3 to .7.

use super::{Ground, River, RiverState, Way};
use crate::geometry::{
    Binding, Edge, Feature as Place, Footprint, Margin, Part, Point, Whose, convex, of_base, of_ground,
};
use crate::rules::{Reason, exact};

impl Way {
    /// How far a convex outline reaches over the edge of this way, strict: zero where it touches.
    pub fn reach(&self, outline: &[Point]) -> Margin {
        let half = self.width_mm() / 2.0;
        self.parts()
            .map(|part| {
                let found = convex::gap(outline, &[part.start, part.end]);
                let of = Place { whose: Whose::A, part: Part::Inside, at: found.of_a };
                Margin::strict(exact(half - found.mm), Binding(of, of_ground(Part::Bank, found.of_b)))
            })
            .reduce(Margin::or)
            .expect("a way has a straight part")
    }

    /// How far a base reaches over the edge of this way.
    pub fn reach_of(&self, base: &Footprint) -> Margin {
        let found = self.reach(&base.outline());
        Margin { binding: Binding(of_base(base, found.binding.0.at), found.binding.1), ..found }
    }

    /// How far a base's front edge reaches over the edge of this way.
    pub fn reach_of_front(&self, base: &Footprint) -> Margin {
        let front = base.edge(Edge::Front);
        let found = self.reach(&[front.start, front.end]);
        Margin { binding: Binding(of_base(base, found.binding.0.at), found.binding.1), ..found }
    }

    /// The distance of a point from the middle line, the nearest point of the line, how far along it lies
    /// from the start, all millimetres, and the straight part it lies on.
    pub fn nearest_to(&self, point: Point) -> Nearest {
        let (mut gone, mut best) = (0.0, None::<Nearest>);
        for (part, segment) in self.parts().enumerate() {
            let (at, share) = segment.nearest_to(point);
            let mm = (at - point).norm();
            if best.as_ref().is_none_or(|b| mm < b.mm) {
                best = Some(Nearest { mm, at, along_mm: gone + share * segment.length(), part });
            }
            gone += segment.length();
        }
        best.expect("a way has a straight part")
    }
}

/// The place of a way's middle line that is nearest to a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// From the point to the line.
    pub mm: f64,
    /// Where on the line.
    pub at: Point,
    /// Along the line from its start.
    pub along_mm: f64,
    /// Which straight part, from 0.
    pub part: usize,
}

/// Who may try to cross a river (clause dba3.rx.6).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crossers {
    /// A single element, a column, or a group that is forming one.
    Narrow,
    /// A group wider than one element.
    Wide,
}

/// What comes of trying to cross a river away from a road.
#[derive(Debug, Clone, PartialEq)]
pub struct Crossing {
    /// Whether the river slows those who cross: `None` until the die is rolled.
    pub slows: Option<bool>,
    /// Whether these may cross: `None` until the die is rolled.
    pub may_cross: Option<bool>,
    /// Why.
    pub reasons: Vec<Reason>,
}

impl River {
    /// What comes of these trying to cross it away from a road.
    pub fn crossing(&self, who: &str, crossers: Crossers) -> Crossing {
        let name = &self.name;
        let first = || {
            let text = match self.state {
                RiverState::Unknown => {
                    format!("{who} is the first to try to cross {name} off a road: roll a die for it")
                }
                _ => format!("{name} was diced for; that holds for its whole length until the game ends"),
            };
            Reason::holds("dba3.rx.3", text)
        };
        match self.state {
            RiverState::Unknown => Crossing {
                slows: None,
                may_cross: None,
                reasons: vec![
                    first(),
                    Reason::holds("dba3.riv.8", format!("nobody knows yet what {name} is like")),
                ],
            },
            RiverState::Paltry => {
                let text = format!("{name} is paltry: crossed as good going, no defence by its banks");
                Crossing {
                    slows: Some(false),
                    may_cross: Some(true),
                    reasons: vec![Reason::holds("dba3.rx.4", text), first(), self.fixed()],
                }
            }
            RiverState::Slowing => {
                let text = format!("{name} slows those who cross, and its banks give an advantage");
                Crossing {
                    slows: Some(true),
                    may_cross: Some(true),
                    reasons: vec![Reason::holds("dba3.rx.5", text), first(), self.fixed()],
                }
            }
            RiverState::ColumnsOnly => {
                let may = crossers == Crossers::Narrow;
                let text = if may {
                    format!("{name} lets single elements and columns cross, and slows them")
                } else {
                    format!("only single elements and columns may cross {name}")
                };
                let mut reasons = vec![Reason { holds: may, ..Reason::holds("dba3.rx.6", text) }];
                if !may {
                    reasons.push(self.stops(who, crossers).1);
                }
                reasons.extend([first(), self.fixed()]);
                Crossing { slows: Some(true), may_cross: Some(may), reasons }
            }
        }
    }

    fn fixed(&self) -> Reason {
        let text = format!("{} keeps its character for the whole game, over its whole length", self.name);
        Reason::holds("dba3.riv.7", text)
    }
}

/// Whether somebody in a river must dice for it.
#[derive(Debug, Clone, PartialEq)]
pub struct RiverDie {
    /// By how much the element is in the water.
    pub margin: Margin,
    /// Whether a die must be rolled: it is in the water, off a road, and nobody has rolled before.
    pub due: bool,
    /// Why.
    pub reasons: Vec<Reason>,
}

impl River {
    /// Whether an element where it stands or comes to stand must dice for this river; `by_road` names the road
    /// that it is on, if it is on one.
    pub fn die_due(&self, who: &str, base: &Footprint, by_road: Option<&str>) -> RiverDie {
        let (name, margin) = (&self.name, self.course.reach_of(base));
        let mut reasons = Vec::new();
        let wet = if margin.satisfied() {
            format!("{who} is {:.1} mm in {name}", margin.mm)
        } else {
            format!("{who} is {:.1} mm clear of {name}", -margin.mm)
        };
        let due = margin.satisfied() && by_road.is_none() && self.state == RiverState::Unknown;
        let known =
            if self.state == RiverState::Unknown { "nobody has diced" } else { "it was diced for before" };
        reasons.push(Reason { holds: due, ..Reason::tested("dba3.rx.3", format!("{wet}; {known}"), margin) });
        if let Some(road) = by_road.filter(|_| margin.satisfied()) {
            let text = format!("{who} crosses {name} on {road}, by a ford or bridge: no die");
            reasons.push(Reason::holds("dba3.road.6", text));
        }
        let text = format!("the state of {name} is {}", self.state.word());
        let unknown = self.state == RiverState::Unknown;
        reasons.push(Reason { holds: unknown, ..Reason::holds("dba3.riv.8", text) });
        RiverDie { margin, due, reasons }
    }

    /// Whether these must stop at the near bank: they are wider than one element, and the river lets none such
    /// cross (clause dba3.rx.7).
    pub fn stops(&self, who: &str, crossers: Crossers) -> (bool, Reason) {
        let stops = self.state == RiverState::ColumnsOnly && crossers == Crossers::Wide;
        let text = if stops {
            format!("{who} is wider than one element and stops at the near bank of {}", self.name)
        } else {
            format!("{who} need not stop at the near bank of {} ({})", self.name, self.state.word())
        };
        (stops, Reason { holds: stops, ..Reason::holds("dba3.rx.7", text) })
    }
}

/// Whether an element defends a bank against its opponent in close combat.
#[derive(Debug, Clone, PartialEq)]
pub struct Bank {
    /// Whether it does: `None` where a river that nobody has diced for decides.
    pub defends: Option<bool>,
    /// By how much: wholly on land, and the opponent in the water.
    pub margin: Margin,
    /// Why.
    pub reasons: Vec<Reason>,
}

impl Ground {
    /// Whether `own` defends the bank of some river against `foe`: all of it on land, some of its opponent in
    /// the water of a river that is not paltry, and neither on a road (clauses dba3.riv.9, dba3.tac.9). Of
    /// several rivers the one that decides most is told; `None` where there is no river.
    pub fn bank(&self, own: (&str, &Footprint), foe: (&str, &Footprint)) -> Option<Bank> {
        let mut best: Option<Bank> = None;
        for river in &self.rivers {
            let on_land = !river.course.reach_of(own.1);
            let in_water = river.course.reach_of(foe.1);
            let in_water = Margin {
                binding: Binding(Place { whose: Whose::B, ..in_water.binding.0 }, in_water.binding.1),
                ..in_water
            };
            let margin = on_land.and(in_water);
            let name = &river.name;
            let (own, foe) = (own.0, foe.0);
            let text = if margin.satisfied() {
                format!("all of {own} is on land, and {foe} reaches {:.1} mm into {name}", in_water.mm)
            } else if on_land.satisfied() {
                format!("{foe} is {:.1} mm clear of {name}", -in_water.mm)
            } else {
                format!("{own} reaches {:.1} mm into {name} itself", -on_land.mm)
            };
            let mut reasons = vec![Reason::tested("dba3.riv.9", text, margin)];
            let defends = match (margin.satisfied(), river.state.banks_defended()) {
                (false, _) => Some(false),
                (true, known) => known,
            };
            if margin.satisfied() {
                let text = format!("{name} is {}", river.state.word());
                reasons.extend(match river.state {
                    RiverState::Unknown => {
                        vec![Reason::fails("dba3.riv.8", format!("nobody has diced for {name}"))]
                    }
                    RiverState::Paltry => vec![Reason::holds("dba3.rx.4", text)],
                    RiverState::Slowing => vec![Reason::holds("dba3.rx.5", text)],
                    RiverState::ColumnsOnly => vec![Reason::holds("dba3.rx.6", text)],
                });
            }
            let rank = |b: &Bank| (b.margin.satisfied(), b.defends != Some(false));
            let bank = Bank { defends, margin, reasons };
            let better = best.as_ref().is_none_or(|b| {
                rank(&bank) > rank(b) || (rank(&bank) == rank(b) && bank.margin.mm > b.margin.mm)
            });
            if better {
                best = Some(bank);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Settings, notation};

    fn bank(state: &str, foe: &str) -> Bank {
        let settings = Settings::dba3();
        let text = format!(
            "ground river R (0,6)-(15,6) w1 state={state}; A 4Bd red (4,5.5)-(5,5.5) N; E 4Bd blue {foe} S"
        );
        let setup = notation::read_setup(&text, settings.ruleset()).expect("a setup");
        let base = |n: &str| setup.element(n).expect("an element").footprint;
        setup.ground.bank(("A", &base("A")), ("E", &base("E"))).expect("a river")
    }

    #[test]
    fn the_one_on_land_defends_against_the_one_in_the_water() {
        let found = bank("slowing", "(5,5.5)-(4,5.5)");
        assert_eq!(found.defends, Some(true));
        assert!(found.margin.mm >= 0.0);
        assert_eq!(bank("paltry", "(5,5.5)-(4,5.5)").defends, Some(false));
        assert_eq!(bank("unknown", "(5,5.5)-(4,5.5)").defends, None);
        assert_eq!(
            bank("slowing", "(5,6.5)-(4,6.5)").defends,
            Some(false),
            "E touches the far bank from land"
        );
    }

    #[test]
    fn a_course_that_runs_under_a_base_is_reached_by_half_the_width_and_more() {
        let way = Way::new(vec![Point::new(0.0, 0.0), Point::new(100.0, 0.0)], 10.0).expect("a way");
        let square = [(40.0, -3.0), (60.0, -3.0), (60.0, 17.0), (40.0, 17.0)].map(|(x, y)| Point::new(x, y));
        assert_eq!(way.reach(&square).mm, 8.0);
        assert_eq!(way.reach(&[Point::new(50.0, 9.0)]).mm, -4.0);
        let near = way.nearest_to(Point::new(30.0, 4.0));
        assert_eq!((near.mm, near.along_mm, near.part), (4.0, 30.0, 0));
    }

    #[test]
    fn the_die_lets_pass_what_the_clauses_say() {
        let way = Way::new(vec![Point::new(0.0, 0.0), Point::new(100.0, 0.0)], 10.0).expect("a way");
        for score in 1..=6u8 {
            let state = RiverState::of_score(score).expect("a die's face");
            let river = River { name: "R".to_owned(), course: way.clone(), state };
            assert_eq!(river.crossing("A", Crossers::Wide).may_cross, Some(score < 5));
            assert_eq!(river.crossing("A", Crossers::Narrow).may_cross, Some(true));
            assert_eq!(river.crossing("A", Crossers::Narrow).slows, Some(score > 2));
        }
        assert_eq!(RiverState::of_score(0), None);
    }
}
