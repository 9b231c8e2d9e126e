//! A whole table turned, shifted, mirrored or scaled: every base, everything that lies there, and moves.
//!
//! Table frame, millimetres. A point goes to `offset + along * x + left * y`; a mirror swaps left and right
//! first, by turning x round.

use groma::geometry::{Footprint, Heading, Leg, Point, Polygon, Pose, Vector};
use groma::rules::movement::{Mover, TacticalMove};
use groma::rules::terrain::{BaseEdges, BoardEdge, Feature, Ground, Hill, River, Road, Way};
use groma::rules::{Element, Overhang, Settings, Setup};
use groma::units::Scale;

/// Whether left and right are swapped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    Kept,
    Swapped,
}

/// A change of the whole table.
#[derive(Debug, Clone, Copy)]
pub struct Transform {
    turn: Heading,
    offset: Vector,
    hand: Hand,
    times: f64,
}

impl Transform {
    /// Turned about the origin, anticlockwise, then shifted.
    pub fn turned(degrees: f64, x: f64, y: f64) -> Self {
        let (turn, offset) = (Heading::from_degrees(degrees), Vector::new(x, y));
        Self { turn, offset, hand: Hand::Kept, times: 1.0 }
    }

    /// Turned by so many quarters, anticlockwise, onto the board that the board becomes.
    pub fn quarters(count: u8, (width, depth): (f64, f64)) -> Self {
        let (x, y) = [(0.0, 0.0), (depth, 0.0), (width, depth), (0.0, width)][usize::from(count % 4)];
        Self::turned(90.0 * f64::from(count), x, y)
    }

    /// Left and right swapped about a board's middle.
    pub fn mirrored((width, _): (f64, f64)) -> Self {
        Self { hand: Hand::Swapped, ..Self::turned(0.0, width, 0.0) }
    }

    /// Every length so many times as long.
    pub fn scaled(times: f64) -> Self {
        Self { times, ..Self::turned(0.0, 0.0, 0.0) }
    }

    /// How lengths grow.
    pub fn times(&self) -> f64 {
        self.times
    }

    /// Whether it swaps left and right.
    pub fn hand(&self) -> Hand {
        self.hand
    }

    fn x(&self, x: f64) -> f64 {
        if self.hand == Hand::Swapped { -x } else { x }
    }

    pub fn vector(&self, v: Vector) -> Vector {
        (self.turn.vector() * self.x(v.x) + self.turn.left() * v.y) * self.times
    }

    pub fn point(&self, p: Point) -> Point {
        Point::origin() + self.offset + self.vector(p.coords)
    }

    pub fn pose(&self, pose: Pose) -> Pose {
        let heading = Heading::along(self.vector(pose.heading.vector())).expect("a heading");
        Pose { centre: self.point(pose.centre), heading }
    }

    pub fn footprint(&self, base: &Footprint) -> Footprint {
        let (width, depth) = (base.width_mm() * self.times, base.depth_mm() * self.times);
        Footprint::new(self.pose(base.pose()), width, depth).expect("a good base")
    }

    pub fn element(&self, element: &Element) -> Element {
        let Overhang { front, rear, sides } = element.overhang;
        let times = self.times;
        Element {
            footprint: self.footprint(&element.footprint),
            overhang: Overhang { front: front * times, rear: rear * times, sides: sides * times },
            ..element.clone()
        }
    }

    fn line(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|p| self.point(*p)).collect()
    }

    fn ground(&self, ground: &Ground) -> Ground {
        let way = |way: &Way| Way::new(self.line(way.line()), way.width_mm() * self.times).expect("a way");
        let feature = |f: &Feature| Feature {
            outline: Polygon::new(self.line(f.outline.corners())).expect("an outline"),
            hill: f.hill.as_ref().map(|h| Hill {
                crest: self.line(&h.crest),
                height_mm: h.height_mm * self.times,
                ..h.clone()
            }),
            gates: self.line(&f.gates),
            ..f.clone()
        };
        Ground {
            features: ground.features.iter().map(feature).collect(),
            rivers: ground.rivers.iter().map(|r| River { course: way(&r.course), ..r.clone() }).collect(),
            roads: ground.roads.iter().map(|r| Road { course: way(&r.course), ..r.clone() }).collect(),
            plough: ground.plough,
        }
    }

    /// The edge of the board that one becomes; itself where the board is not turned by quarters.
    pub fn edge(&self, edge: BoardEdge) -> BoardEdge {
        let inward = self.vector(edge.inward());
        let same = |other: &BoardEdge| other.inward().dot(&inward) > 0.9 * inward.norm();
        BoardEdge::ALL.into_iter().find(same).unwrap_or(edge)
    }

    /// The table with its base edges; its board grows with its lengths and stays where it is.
    pub fn setup(&self, setup: &Setup) -> Setup {
        let (width, depth) = setup.board_mm;
        Setup {
            scale: Scale::new(setup.scale.mm_per_bw() * self.times).expect("a scale"),
            board_mm: (width * self.times, depth * self.times),
            edges: BaseEdges { red: self.edge(setup.edges.red) },
            elements: setup.elements.iter().map(|e| self.element(e)).collect(),
            ground: self.ground(&setup.ground),
            contingents: setup.contingents.clone(),
            listed: setup.listed.clone(),
        }
    }

    fn leg(&self, leg: &Leg) -> Leg {
        match *leg {
            Leg::Shift(by) => Leg::Shift(self.vector(by)),
            Leg::Turn { about, by_rad } => Leg::Turn { about: self.point(about), by_rad: self.x(by_rad) },
        }
    }

    pub fn tactical(&self, mv: &TacticalMove) -> TacticalMove {
        let movers = |all: &[Mover]| {
            let mover = |m: &Mover| Mover {
                name: m.name.clone(),
                legs: m.legs.iter().map(|l| self.leg(l)).collect(),
            };
            all.iter().map(mover).collect()
        };
        TacticalMove {
            movers: movers(&mv.movers),
            conforming: movers(&mv.conforming),
            manoeuvre: mv.manoeuvre.clone(),
            gateway: mv.gateway.clone(),
        }
    }

    /// Settings whose tolerances in millimetres grow with the table.
    pub fn settings(&self, settings: &Settings) -> Settings {
        if self.times == 1.0 {
            return settings.clone();
        }
        let grown =
            |s: Settings, id: &str, mm: f64| s.with(id, &(mm * self.times).to_string()).expect("a tolerance");
        let gap = grown(settings.clone(), "contact-gap-mm", settings.tolerances.contact_gap_mm);
        grown(gap, "corner-offset-mm", settings.tolerances.corner_offset_mm)
    }
}
