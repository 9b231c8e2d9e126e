//! What it takes to line up a contact: who conforms, by which shift, who may refuse, or why the move does
//! not take place.
//!
//! The setup is the table at the moment of contact; `before` is the table before the move, which settles
//! who may contact a flank or rear. Poses are exact up to the settings' tolerances. Invariant: exactly
//! one party is shifted for one contact, and by the least of its candidates that nothing hinders.

use super::contacts::{self, Touch};
use super::difficult;
use super::hindrance::{Hindrance, hindrances};
use super::motion::{Motion, Way, sideways_mm};
use crate::geometry::{Edge, Margin, Pose};
use crate::rules::settings::FriendsBlock;
use crate::rules::{
    AskError, Context, Element, Reason, Settings, Setup, ask, by_size, contact, exact, neighbours,
    threat_zone,
};
use std::sync::Arc;

/// What comes of a contact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The movers touch no enemy.
    NoContact,
    /// They stand lined up as it is.
    LinedUp,
    /// The movers shift.
    MoversConform,
    /// The enemy contacted shifts.
    ContactedConform,
    /// The movers cannot; the enemy contacted conforms or fights as overlapped, as its player says.
    ContactedChoose,
    /// No line-up can be reached, so the move does not take place.
    NoMove,
}

/// Where one element comes to stand.
#[derive(Debug, Clone, PartialEq)]
pub struct Shift {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub from: Pose,
    /// Where it comes to stand.
    pub to: Pose,
}

/// What contacted enemies do for their part, beside or instead of the movers.
#[derive(Debug, Clone, PartialEq)]
pub struct Conforming {
    /// Who: the element contacted and those of its group, in the setup's order.
    pub who: Vec<String>,
    /// Where they come to stand when they conform; none where they cannot.
    pub shifts: Option<Vec<Shift>>,
    /// Whether their player may have them fight as though in full contact and overlapped instead.
    pub may_refuse: bool,
}

impl Conforming {
    /// Their names and what they do: "A stays", "A and B stay".
    fn they(&self, one: &str, several: &str) -> String {
        match self.who.as_slice() {
            [some @ .., last] if !some.is_empty() => format!("{} and {last} {several}", some.join(", ")),
            all => format!("{} {one}", all.concat()),
        }
    }
}

/// How a contact is lined up.
#[derive(Debug, Clone, PartialEq)]
pub struct LineUp {
    /// What comes of it.
    pub outcome: Outcome,
    /// Where the movers come to stand, those that shift.
    pub shifts: Vec<Shift>,
    /// What contacted enemies do.
    pub contacted: Vec<Conforming>,
    /// The pair that it is about and how they stand: mover, enemy, way.
    pub pair: Option<(String, String, Way)>,
    /// How large the shift is by the setting `conform-measure`, millimetres.
    pub measure_mm: f64,
    /// The sideways part along the enemy's front edge, which is free (clause dba3.cf.3), millimetres,
    /// zero or more.
    pub slide_mm: f64,
    /// The clauses, the deciding one first.
    pub reasons: Vec<Reason>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

impl LineUp {
    fn of(outcome: Outcome, reasons: Vec<Reason>, settings: &Settings) -> Self {
        Self {
            outcome,
            shifts: Vec::new(),
            contacted: Vec::new(),
            pair: None,
            measure_mm: 0.0,
            slide_mm: 0.0,
            reasons,
            under: Arc::clone(settings.name()),
        }
    }

    /// Has those of the contacted that may refuse to conform and are named stay where they are.
    pub fn refused_by(&mut self, names: &[String]) {
        for conforming in self.contacted.iter_mut().filter(|c| c.who.iter().any(|w| names.contains(w))) {
            let they = |one, several| conforming.they(one, several);
            if conforming.may_refuse {
                let text = format!(
                    "{} as though in full contact and overlapped",
                    they("stays and fights", "stay and fight")
                );
                conforming.shifts = None;
                self.reasons.push(Reason::holds("dba3.cf.10", text));
            } else {
                let text = format!(
                    "{} not refuse: nothing keeps the contactors from conforming",
                    they("may", "may")
                );
                self.reasons.push(Reason::fails("dba3.cf.10", text));
            }
        }
    }

    /// The setup with everything where it comes to stand when all who can conform do.
    pub fn applied_to(&self, setup: &Setup) -> Setup {
        let mut after = setup.clone();
        let contacted = self.contacted.iter().filter_map(|c| c.shifts.as_ref()).flatten();
        for shift in self.shifts.iter().chain(contacted) {
            if let Some(element) = after.elements.iter_mut().find(|e| e.name == shift.name) {
                element.footprint = element.footprint.moved_to(shift.to);
            }
        }
        after
    }
}

/// One way for a party to come to a line-up.
struct Candidate<'s> {
    mover: &'s Element,
    enemy: &'s Element,
    way: Way,
    motion: Motion,
    measure_mm: f64,
    slide_mm: f64,
    in_the_way: Vec<Hindrance>,
}

impl Candidate<'_> {
    /// Whether its slide is short enough: a front-edge contact's less than one base width.
    fn slides_enough(&self, context: &Context<'_>) -> bool {
        self.way != Way::Front || exact(context.scale.mm_per_bw() - self.slide_mm) > 0.0
    }
}

/// Who takes part in a contact.
struct Scene<'s> {
    context: Context<'s>,
    setup: &'s Setup,
    before: &'s Setup,
    party: Vec<&'s Element>,
    touches: Vec<Touch<'s>>,
}

/// How the contact that `movers`, moved together, have made is lined up.
///
/// # Errors
/// An unknown name.
pub fn line_up(
    before: &Setup,
    setup: &Setup,
    settings: &Settings,
    movers: &[&str],
) -> Result<LineUp, AskError> {
    let party = movers.iter().map(|name| ask::find(setup, name)).collect::<Result<Vec<_>, _>>()?;
    let context = Context::of(setup, settings);
    let touches = contacts::touches(&party, &context);
    let scene = Scene { context, setup, before, party, touches };
    if scene.touches.is_empty() {
        let apart = super::end::barred_and_apart(&scene.party, settings);
        return Ok(LineUp::of(Outcome::NoContact, apart, settings));
    }
    if let Some(barred) = scene.touches.iter().find_map(|t| super::end::barred(t, settings)) {
        return Ok(LineUp::of(Outcome::NoMove, barred, settings));
    }
    let mut found = scene.lined_up().unwrap_or_else(|| scene.conform());
    if !matches!(found.outcome, Outcome::NoMove | Outcome::ContactedChoose) {
        scene.rest(&mut found);
    }
    Ok(found)
}

impl<'s> Scene<'s> {
    /// The mover as it stood before the move.
    fn start(&self, mover: &'s Element) -> &'s Element {
        self.before.element(&mover.name).unwrap_or(mover)
    }

    /// Where they stand lined up as it is, if they do: for a group one of them is enough.
    fn lined_up(&self) -> Option<LineUp> {
        let ways = self.touches.iter().flat_map(|t| Way::ALL.map(|way| (t, way)));
        let (touch, way, margin) = ways
            .filter(|(t, way)| contacts::may(self.start(t.mover), t.enemy, *way, &self.context))
            .map(|(t, way)| (t, way, contacts::lined_up_margin(t.mover, t.enemy, way, &self.context)))
            .filter(|(_, _, margin)| margin.satisfied())
            .max_by(|a, b| by_size(a.2.mm, b.2.mm))?;
        let (a, e) = (&touch.mover.name, &touch.enemy.name);
        let mut reasons = vec![
            Reason::tested("dba3.con.2", format!("{a} is lined up with {e}: {}", way.name()), margin),
            Reason::tested(way.clause(), format!("{a} and {e}: {}", way.name()), margin),
        ];
        if self.party.len() > 1 {
            reasons.push(Reason::holds("dba3.con.3", format!("one lined up is enough for the group: {a}")));
        }
        let tolerances = &self.context.settings.tolerances;
        if matches!(way, Way::Overlap(_))
            && !contact::corner_touch(touch.mover, touch.enemy, tolerances).1.satisfied()
        {
            reasons.push(Reason::holds("dba3.set.52", format!("{a} and {e} stand side edge to side edge")));
        }
        let pair = Some((a.clone(), e.clone(), way));
        Some(LineUp { pair, ..LineUp::of(Outcome::LinedUp, reasons, self.context.settings) })
    }

    /// The group of an enemy, itself included.
    fn group_of(&self, enemy: &Element) -> Vec<&'s Element> {
        let places = neighbours::joined(self.setup, &enemy.name, self.context.settings);
        places.into_iter().map(|i| &self.setup.elements[i]).collect()
    }

    /// Who conforms, and by what.
    fn conform(&self) -> LineUp {
        let single_mover = self.party.len() == 1;
        let mover = &self.party[0].name;
        let against_group: Vec<&Touch<'s>> =
            self.touches.iter().filter(|t| self.group_of(t.enemy).len() > 1).collect();
        let enemy = |touches: &[&Touch<'s>]| touches.first().map_or("", |t| t.enemy.name.as_str()).to_owned();
        if single_mover {
            let all: Vec<&Touch<'s>> = self.touches.iter().collect();
            let e = enemy(&all);
            let reason = if against_group.is_empty() {
                Reason::holds("dba3.cf.6", format!("{mover}, alone, conforms to {e}, alone"))
            } else {
                Reason::holds("dba3.cf.7", format!("{mover} conforms to the group of {e}"))
            };
            return self.movers_conform(&all, vec![reason]);
        }
        if !against_group.is_empty() {
            let text = format!("the group of {mover} conforms to the group of {}", enemy(&against_group));
            let mut reasons = vec![Reason::holds("dba3.cf.7", text)];
            let partly = |t: &&Touch<'s>| self.group_of(t.enemy).iter().any(|e| self.partly_difficult(e));
            if against_group.iter().any(partly) {
                let text = "a group partly in bad going is conformed to as any group";
                reasons.push(Reason::holds("dba3.faq.9", text));
            }
            return self.movers_conform(&against_group, reasons);
        }
        let hard: Vec<&Touch<'s>> = self.touches.iter().filter(|t| self.wholly_difficult(t.enemy)).collect();
        if !hard.is_empty() {
            let e = enemy(&hard);
            let text = format!("{e} is alone and wholly in bad or rough going, so the group conforms");
            let mut reasons = vec![Reason::holds("dba3.cf.9", text)];
            if !self.context.settings.group_conforms_into_bad_going {
                let text = "by the setting a group in line may not conform into bad going";
                reasons.push(Reason::fails("dba3.set.61", text));
            } else {
                reasons.push(Reason::holds("dba3.set.61", "a group may conform into bad going in line"));
            }
            return self.movers_conform(&hard, reasons);
        }
        let e = &self.touches[0].enemy.name;
        let text = format!("{e}, alone, is contacted by a group and conforms to it");
        let mut found = LineUp::of(
            Outcome::ContactedConform,
            vec![
                Reason::holds("dba3.cf.8", text),
                Reason::fails("dba3.cf.9", format!("{e} is not wholly in bad or rough going")),
            ],
            self.context.settings,
        );
        let conforming = self.enemy_conforms(self.touches[0].enemy, false);
        self.tell_enemy(&conforming, &mut found.reasons);
        found.contacted.push(conforming);
        found
    }

    /// Whether all of a base is in bad or rough going.
    fn wholly_difficult(&self, element: &Element) -> bool {
        difficult::wholly_mm(element, self.setup, self.context.settings) >= 0.0
    }

    /// Whether some of a base is in bad or rough going.
    fn partly_difficult(&self, element: &Element) -> bool {
        difficult::partly(element, self.setup, self.context.settings)
    }

    /// Every way in which the movers could line up through these touches, the smallest first.
    fn candidates(&self, touches: &[&Touch<'s>]) -> Vec<Candidate<'s>> {
        let measure = self.context.settings.conform_measure;
        let mut found: Vec<Candidate<'s>> = Vec::new();
        for touch in touches {
            for way in contacts::open_ways(touch, self.start(touch.mover), &self.context) {
                let (own, enemy) = (touch.mover.footprint, touch.enemy.footprint);
                let motion = Motion { from: own.pose(), to: way.place(&own, &enemy) };
                let slide_mm = match way {
                    Way::Front => sideways_mm(&motion, enemy.edge(Edge::Front)).abs(),
                    _ => 0.0,
                };
                found.push(Candidate {
                    mover: touch.mover,
                    enemy: touch.enemy,
                    way,
                    motion,
                    measure_mm: motion.measure_mm(self.party.iter().map(|e| &e.footprint), measure),
                    slide_mm,
                    in_the_way: hindrances(&self.party, &motion, self.setup, self.context.settings),
                });
            }
        }
        found.sort_by(|a, b| by_size(a.measure_mm, b.measure_mm));
        found
    }

    fn movers_conform(&self, touches: &[&Touch<'s>], mut reasons: Vec<Reason>) -> LineUp {
        let candidates = self.candidates(touches);
        let good = |c: &&Candidate<'s>| c.in_the_way.is_empty() && c.slides_enough(&self.context);
        let Some(best) = candidates.iter().find(good) else { return self.blocked(&candidates, reasons) };
        let (a, e) = (&best.mover.name, &best.enemy.name);
        reasons.insert(0, Reason::holds("dba3.con.8", format!("{a} can be lined up with {e}")));
        let text =
            format!("the least shift that lines up {a}, {:.1} mm: {}", best.measure_mm, best.way.name());
        reasons.push(Reason::holds("dba3.cf.1", text));
        reasons.push(Reason::holds(best.way.clause(), format!("{a} on {e}: {}", best.way.name())));
        let text = "what moves least is measured by the setting `conform-measure`";
        reasons.push(Reason::holds("dba3.set.102", text));
        if best.way == Way::Front {
            let room = self.context.scale.mm_per_bw() - best.slide_mm;
            let margin = best_margin(room, touches[0].margin);
            let text = format!(
                "{:.1} mm sideways along {e}'s front edge are free; 1 BW would not be",
                best.slide_mm
            );
            reasons.push(Reason::tested("dba3.cf.3", text, margin));
        } else {
            let text = format!("no free slide onto {e}'s {}: the move must reach", best.way.edge().name());
            reasons.push(Reason::holds("dba3.cf.4", text));
        }
        let shifts: Vec<Shift> = self.party.iter().map(|m| carried(m, &best.motion)).collect();
        self.zones(&shifts, best.enemy, &mut reasons);
        LineUp {
            shifts,
            pair: Some((a.clone(), e.clone(), best.way)),
            measure_mm: best.measure_mm,
            slide_mm: best.slide_mm,
            ..LineUp::of(Outcome::MoversConform, reasons, self.context.settings)
        }
    }

    /// Zones that the movers come to stand in by conforming, which does not matter.
    fn zones(&self, shifts: &[Shift], partner: &Element, reasons: &mut Vec<Reason>) {
        let mut all = self.context.elements.iter();
        let entered = all.find_map(|other| {
            if other.side == partner.side.enemy() || other.name == partner.name {
                return None;
            }
            let in_zone =
                |element: &Element| threat_zone::reach_into(element, other, &self.context).satisfied();
            let enters = self.party.iter().zip(shifts).find(|(element, shift)| {
                let there =
                    Element { footprint: element.footprint.moved_to(shift.to), ..(**element).clone() };
                in_zone(&there) && !in_zone(element)
            });
            enters.map(|(element, _)| {
                format!("{} enters {}'s threat zone, which conforming may", element.name, other.name)
            })
        });
        reasons.extend(entered.map(|text| Reason::holds("dba3.set.51", text)));
    }

    /// The movers cannot conform: who or what keeps them, and what follows.
    fn blocked(&self, candidates: &[Candidate<'s>], mut reasons: Vec<Reason>) -> LineUp {
        let own = self.party[0].side;
        let fronts: Vec<&Candidate<'s>> =
            candidates.iter().filter(|c| c.way == Way::Front && c.slides_enough(&self.context)).collect();
        for c in candidates.iter().filter(|c| !c.slides_enough(&self.context)) {
            let text = format!("{} would have to slide {:.1} mm, 1 BW or more", c.mover.name, c.slide_mm);
            reasons.push(Reason::fails("dba3.cf.3", text));
        }
        for h in candidates.iter().flat_map(|c| &c.in_the_way) {
            reasons.push(Reason::fails("dba3.cf.1", h.says()));
        }
        let not_by_friends = fronts.iter().find(|c| !c.in_the_way.iter().any(|h| h.is_of(own)));
        let choice = match (not_by_friends, fronts.first()) {
            (Some(c), _) => {
                let what = c.in_the_way.first().map_or_else(String::new, Hindrance::says);
                let text = format!("{what}: {} conforms or fights as overlapped", c.enemy.name);
                reasons.insert(0, Reason::holds("dba3.cf.10", text));
                Some(c)
            }
            (None, Some(c)) => {
                let text = format!("friends keep {} from conforming", c.mover.name);
                match self.context.settings.friends_block_conforming {
                    FriendsBlock::FightOverlapped => {
                        let text = format!("{text}; by the setting {} fights as overlapped", c.enemy.name);
                        reasons.insert(0, Reason::holds("dba3.set.64", text));
                        Some(c)
                    }
                    FriendsBlock::NoMove => {
                        reasons.insert(0, Reason::fails("dba3.set.64", text.clone()));
                        reasons.push(Reason::fails("dba3.cf.10", text));
                        None
                    }
                }
            }
            (None, None) => None,
        };
        let Some(c) = choice else {
            let text = "no line-up can be reached, so the move does not take place";
            reasons.insert(0, Reason::fails("dba3.con.8", text));
            reasons.push(Reason::fails("dba3.con.2", "lined up in none of the four ways"));
            if self.party.len() > 1 {
                reasons.push(Reason::fails("dba3.con.3", "not one of the group is lined up"));
            }
            return LineUp::of(Outcome::NoMove, reasons, self.context.settings);
        };
        let conforming = self.enemy_conforms(c.enemy, true);
        if not_by_friends.is_some() {
            reasons.push(offered(&conforming, c.enemy));
        }
        self.tell_enemy(&conforming, &mut reasons);
        LineUp {
            contacted: vec![conforming],
            pair: Some((c.mover.name.clone(), c.enemy.name.clone(), Way::Front)),
            ..LineUp::of(Outcome::ContactedChoose, reasons, self.context.settings)
        }
    }

    /// Where `enemy` with its group comes to stand when it conforms to the movers where they are.
    fn enemy_conforms(&self, enemy: &'s Element, may_refuse: bool) -> Conforming {
        let group = self.group_of(enemy);
        let measure = self.context.settings.conform_measure;
        let mut best: Option<(f64, Motion)> = None;
        for touch in self.touches.iter().filter(|t| t.enemy.name == enemy.name) {
            for way in contacts::open_ways(touch, self.start(touch.mover), &self.context) {
                let own = touch.mover.footprint;
                let back = Motion { from: way.place(&own, &enemy.footprint), to: own.pose() };
                let motion =
                    Motion { from: enemy.footprint.pose(), to: back.carries(enemy.footprint.pose()) };
                let size = motion.measure_mm(group.iter().map(|e| &e.footprint), measure);
                let free = hindrances(&group, &motion, self.setup, self.context.settings).is_empty();
                if free && best.as_ref().is_none_or(|(least, _)| exact(size - least) < 0.0) {
                    best = Some((size, motion));
                }
            }
        }
        Conforming {
            who: group.iter().map(|e| e.name.clone()).collect(),
            shifts: best.map(|(_, motion)| group.iter().map(|e| carried(e, &motion)).collect()),
            may_refuse,
        }
    }

    fn tell_enemy(&self, conforming: &Conforming, reasons: &mut Vec<Reason>) {
        let they = |one, several| conforming.they(one, several);
        if conforming.shifts.is_none() {
            let text = format!(
                "{} as though in full contact and overlapped",
                they("cannot conform and fights", "cannot conform and fight")
            );
            reasons.push(Reason::holds("dba3.cf.10", text));
            reasons.push(Reason::fails("dba3.cf.11", format!("{} kept from conforming", they("is", "are"))));
        } else {
            reasons.push(Reason::holds(
                "dba3.cf.11",
                they("conforms when it is contacted", "conform when they are contacted"),
            ));
            let text = they("shifts by the least that lines it up", "shift by the least that lines them up");
            reasons.push(Reason::holds("dba3.cf.1", text));
        }
        if conforming.may_refuse || conforming.shifts.is_none() {
            let text = they(
                "counts one overlap more when it fights unconformed",
                "count one overlap more each when they fight unconformed",
            );
            reasons.push(Reason::holds("dba3.ovl.11", text));
        }
    }

    /// Other enemies that the movers still press on and are not lined up with: each conforms, or may
    /// refuse, for gaps between enemies are what keeps it (clauses dba3.cf.10, dba3.set.63).
    fn rest(&self, found: &mut LineUp) {
        let after = found.applied_to(self.setup);
        let context = Context::of(&after, self.context.settings);
        let party: Vec<&Element> = self.party.iter().filter_map(|m| after.element(&m.name)).collect();
        let lined = |enemy: &Element| {
            party.iter().any(|m| {
                Way::ALL.iter().any(|&w| contacts::lined_up_margin(m, enemy, w, &context).satisfied())
            })
        };
        let mut told: Vec<&str> = Vec::new();
        for touch in contacts::touches(&party, &context) {
            let enemy = touch.enemy;
            let is_told = told.contains(&enemy.name.as_str())
                || found.contacted.iter().any(|c| c.who.contains(&enemy.name));
            if is_told
                || lined(enemy)
                || !contacts::pressed_on(touch.mover, enemy, &context.settings.tolerances)
            {
                continue;
            }
            let scene = Scene {
                context,
                setup: &after,
                before: self.before,
                party: party.clone(),
                touches: contacts::touches(&party, &context),
            };
            let conforming = scene.enemy_conforms(enemy, true);
            let text = format!("gaps between enemies: {} conforms or fights as overlapped", enemy.name);
            found.reasons.push(Reason::holds("dba3.cf.10", text));
            found.reasons.push(offered(&conforming, enemy));
            if !found.contacted.is_empty() {
                let text = format!("{} decides for itself", enemy.name);
                found.reasons.push(Reason::holds("dba3.set.63", text));
            }
            self.tell_enemy(&conforming, &mut found.reasons);
            told.push(&enemy.name);
            found.contacted.push(conforming);
        }
    }
}

/// The choice of the contacted player, and what comes of each answer (clauses dba3.set.62, dba3.ovl.11).
fn offered(conforming: &Conforming, enemy: &Element) -> Reason {
    let (name, side) = (&enemy.name, enemy.side.word());
    let stay = "to stay and fight as though in full contact, at one overlap more";
    let text = match &conforming.shifts {
        Some(shifts) => {
            let far = shifts.iter().map(|s| (s.to.centre - s.from.centre).norm()).fold(0.0, f64::max);
            format!("{side} alone chooses: {name} to conform, by {far:.1} mm, and fight lined up; or {stay}")
        }
        None => format!("{side} has no choice, for {name} has no room to conform: it has {stay}"),
    };
    Reason::holds("dba3.set.62", text)
}

fn best_margin(room_mm: f64, like: Margin) -> Margin {
    Margin::strict(exact(room_mm), like.binding)
}

fn carried(element: &Element, motion: &Motion) -> Shift {
    let from = element.footprint.pose();
    Shift { name: element.name.clone(), from, to: motion.carries(from) }
}
