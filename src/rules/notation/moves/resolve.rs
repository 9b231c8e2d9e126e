//! Laying a written move on a setup: the legs along which each element goes.

use super::{Form, Hand, MoveLine, Party, Place, Step};
use crate::geometry::{Corner, Footprint, Point, Pose};
use crate::rules::movement::{Gateway, Leg, Manoeuvre, MoveError, Mover, TacticalMove, straight_to};
use crate::rules::{Element, Setup};

impl MoveLine {
    /// The move that it is on that setup.
    ///
    /// # Errors
    /// A name that the setup does not have, or elements of both sides in one move.
    pub fn on(&self, setup: &Setup) -> Result<TacticalMove, MoveError> {
        let names: Vec<&str> = self.names.iter().map(String::as_str).collect();
        let gateway = self.gateway();
        let outside = self.bare().passing(gateway.clone());
        outside.elements(setup)?;
        let setup = &*outside.stepped_out(setup);
        let body = self.body(setup)?;
        let first: Vec<Element> = match self.form {
            Form::Body if self.others.is_empty() => body,
            _ => body.into_iter().take(1).collect(),
        };
        let legs = legs(&first, &self.steps);
        let mut found = match &self.form {
            Form::Body | Form::Enters(_) | Form::Leaves(..) if names.len() == 1 => {
                TacticalMove::single(names[0], legs)
            }
            Form::Enters(_) | Form::Leaves(..) => TacticalMove::group(names.iter().copied(), &legs),
            Form::Through(..) if names.len() == 1 => TacticalMove::single(names[0], Vec::new()),
            Form::Through(..) => TacticalMove::of(self.bare().movers, Manoeuvre::Column),
            Form::Body => TacticalMove::group(names.iter().copied(), &legs),
            Form::File => TacticalMove::column(setup, &names, &legs)?,
            Form::IntoFile => TacticalMove::into_column(setup, &names, &legs)?,
            Form::Road => TacticalMove::by_road(setup, &names, &legs)?,
            Form::Dismount(to, depth_mm) => {
                let still = names.iter().map(|name| Mover { name: (*name).to_owned(), legs: Vec::new() });
                let depth_mm = *depth_mm;
                TacticalMove::of(still.collect(), Manoeuvre::Dismount { to: to.clone(), depth_mm })
            }
        };
        found.gateway = gateway;
        for (mover, steps) in found.movers.iter_mut().skip(1).zip(&self.others) {
            if let Some(element) = setup.element(&mover.name) {
                mover.legs = self::legs(std::slice::from_ref(element), steps);
            }
        }
        let after = found.applied_to(setup);
        for party in &self.conforming {
            found.conforming.extend(party.on(&after)?);
        }
        Ok(found)
    }

    /// How it passes the rim of a camp, City or Fort.
    fn gateway(&self) -> Gateway {
        match self.form.clone() {
            Form::Enters(place) => Gateway::In { place },
            Form::Leaves(place, gate) => Gateway::Out { place, gate },
            Form::Through(place, gate) => Gateway::Through { place, gate },
            Form::Body | Form::File | Form::IntoFile | Form::Road | Form::Dismount(..) => Gateway::None,
        }
    }

    /// Its elements, standing still.
    fn bare(&self) -> TacticalMove {
        let still = self.names.iter().map(|name| Mover { name: name.clone(), legs: Vec::new() });
        TacticalMove::of(still.collect(), Manoeuvre::Group)
    }

    fn body(&self, setup: &Setup) -> Result<Vec<Element>, MoveError> {
        Ok(self.bare().elements(setup)?.into_iter().cloned().collect())
    }
}

impl Party {
    fn on(&self, setup: &Setup) -> Result<Vec<Mover>, MoveError> {
        let line = MoveLine {
            names: self.names.clone(),
            form: Form::Body,
            steps: self.steps.clone(),
            others: Vec::new(),
            conforming: Vec::new(),
        };
        let legs = legs(&line.body(setup)?, &self.steps);
        Ok(self.names.iter().map(|name| Mover { name: name.clone(), legs: legs.clone() }).collect())
    }
}

/// The legs of a rigid body along these steps; the first of it is the one that the steps are seen from.
fn legs(body: &[Element], steps: &[Step]) -> Vec<Leg> {
    let mut bases: Vec<Footprint> = body.iter().map(|e| e.footprint).collect();
    let mut legs = Vec::new();
    for step in steps {
        let Some(first) = bases.first() else { break };
        for leg in legs_of(step, first, &bases) {
            for base in &mut bases {
                *base = base.moved_to(leg.applied_to(base.pose()));
            }
            legs.push(leg);
        }
    }
    legs
}

fn legs_of(step: &Step, first: &Footprint, bases: &[Footprint]) -> Vec<Leg> {
    let pose = first.pose();
    let turn = |about: Point, hand: Hand, degrees: f64| Leg::Turn {
        about,
        by_rad: (hand.sign() * degrees).to_radians(),
    };
    match *step {
        Step::Ahead(mm) => vec![Leg::Shift(pose.heading.vector() * mm)],
        Step::Aside(hand, mm) => vec![Leg::Shift(pose.heading.left() * (hand.sign() * mm))],
        Step::Shift(by) => vec![Leg::Shift(by)],
        Step::Wheel(hand, degrees) => vec![turn(pivot(pose, bases, hand), hand, degrees)],
        Step::Turn(hand, degrees) => vec![turn(pose.centre, hand, degrees)],
        Step::TurnAbout(hand, degrees, about) => vec![turn(about, hand, degrees)],
        Step::To(Place::Centre { centre, heading }) => straight_to(pose, Pose { centre, heading }),
        Step::To(Place::Front { middle, heading }) => {
            let centre = Pose { centre: middle, heading }.at(0.0, -first.depth_mm() / 2.0);
            straight_to(pose, Pose { centre, heading })
        }
    }
}

/// The front corner that a body wheels about: of the front corners on that hand the outermost, and of
/// equals the foremost, as `seen` sees them.
pub(super) fn pivot(seen: Pose, bases: &[Footprint], hand: Hand) -> Point {
    /// Rounding, millimetres.
    const EQUAL_MM: f64 = 1e-6;
    let corner = match hand {
        Hand::Left => Corner::FrontLeft,
        Hand::Right => Corner::FrontRight,
    };
    let mut found: Option<(f64, f64, Point)> = None;
    for base in bases {
        let at = base.corner(corner);
        let there = seen.seen_from_here(at);
        let (out, forward) = (-hand.sign() * there.x, there.y);
        let better = found.is_none_or(|(o, f, _)| out > o + EQUAL_MM || (out > o - EQUAL_MM && forward > f));
        if better {
            found = Some((out, forward, at));
        }
    }
    found.map_or(seen.centre, |(_, _, at)| at)
}
