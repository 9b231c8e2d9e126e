//! What a claim that is too close to call hangs on: conditions of the rules, each with its figure, how sure that is, what
//! binds it, and the facts of which agreeing on one settles it. Table frame, millimetres.

use super::placings::{Placings, share};
use super::{Measured, Verdict, rounded, rule};
use crate::geometry::{Binding, Edge, Feature, Part, Point, Whose, room_inside_area, separation_from_area};
use crate::rules::due::{Claim, Told};
use crate::rules::facts::Fact;
use crate::rules::shooting::{bars, may_shoot_where, shot_where};
use crate::rules::{Bound, Element, Question, Reason, Settings, engagement};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A condition that holds in some placings and not in others.
#[derive(Debug, Clone, PartialEq)]
pub struct Hang {
    /// The clause.
    pub clause: String,
    /// What it comes to at the best estimate, or where it first comes otherwise.
    pub text: String,
    /// In what share of the placings it fails.
    pub fails: f64,
    /// By how much it holds, below zero by how much it fails, and one sigma of that, millimetres; none where nothing is
    /// measured or it is not looked at at the best estimate.
    pub margin_mm: Option<(f64, f64)>,
    /// The two features that bind it, each with whose it is, and where.
    pub binding: Option<[(String, Point); 2]>,
    /// In what share of the placings other edges of the two decide than at the best estimate, and how it reads there where it
    /// first fails: the margin says nothing of those. None where the same edges decide in all.
    pub elsewhere: Option<(f64, String)>,
    /// The facts of which agreeing on one settles it.
    pub to_settle: Option<[Fact; 2]>,
}

impl Hang {
    /// By how much the condition holds or fails, with its plus-minus; none where nothing is measured.
    pub fn figure(&self) -> Option<String> {
        let (mm, sigma) = self.margin_mm?;
        let holds = if mm < 0.0 { "fails" } else { "holds" };
        Some(format!("{holds} by {:.1} mm ± {sigma:.1}", mm.abs()))
    }

    /// In words, the facts left out.
    pub fn words(&self) -> String {
        let figure = self.figure().map_or(String::new(), |figure| format!(" ({figure})"));
        let between =
            self.binding.as_ref().map_or(String::new(), |[(a, _), (b, _)]| format!(", between {a} and {b}"));
        let elsewhere = self.elsewhere.as_ref().map_or(String::new(), |(share, text)| {
            format!("; in {:.0} of 100 other edges of the two decide: {text}", 100.0 * share)
        });
        format!("it hangs on {}: {}{figure}{between}{elsewhere}", self.clause, self.text)
    }

    /// As one JSON object; lengths rounded to a thousandth of a millimetre.
    pub fn to_json(&self) -> Value {
        let place = |(name, at): &(String, Point)| json!({"feature": name, "x_mm": rounded(at.x, 3), "y_mm": rounded(at.y, 3)});
        json!({
            "clause": self.clause,
            "text": self.text,
            "fails": rounded(self.fails, 4),
            "margin_mm": self.margin_mm.map(|(mm, _)| rounded(mm, 3)),
            "sigma_mm": self.margin_mm.map(|(_, sigma)| rounded(sigma, 3)),
            "binding": self.binding.as_ref().map(|both| both.each_ref().map(place)),
            "elsewhere": self.elsewhere.as_ref().map(|(share, text)| json!({"share": rounded(*share, 4), "text": text})),
            "to_settle": self.to_settle.as_ref().map(|facts| facts.each_ref().map(ToString::to_string)),
        })
    }
}

/// What hangs are found from.
pub(super) struct Hung<'m> {
    pub measured: &'m Measured,
    pub placings: &'m Placings<'m>,
    pub settings: &'m Settings,
    pub bound: &'m Bound,
    pub told: &'m Told,
}

/// Clauses that repeat the figure of others, with those.
const ECHOES: [(&str, &[&str]); 4] = [
    ("dba3.sht.6", &["dba3.sht.2", "dba3.sht.3", "dba3.sht.5"]),
    ("dba3.sht.4", &["dba3.sht.2", "dba3.sht.3"]),
    ("dba3.sht.7", &["dba3.sht.5"]),
    ("dba3.sht.26", &["dba3.sht.25", "dba3.sht.22"]),
];

impl Hung<'_> {
    /// What a contact hangs on that fails in that share of the placings.
    pub fn contact(&self, claim: &Claim, fails: f64) -> Option<Hang> {
        let alone = self.measured.unjoined();
        let (question, a, b) = match claim {
            Claim::Fronts(a, b) => (Question::ContactFront, a, b),
            Claim::Idle(who, Edge::Rear, on) => (Question::ContactRear, who, on),
            Claim::Idle(who, _, on) => (Question::ContactFlank, who, on),
            Claim::Storms(who, place) => return self.storm(who, place, fails),
            Claim::MayShoot(_) | Claim::Shot(..) => return None,
        };
        let judged = rule(&alone, self.settings, question, a, b).ok()?;
        let [first, second] = judged.binding();
        let Binding(one, other) = judged.ruling.margin.binding;
        Some(Hang {
            clause: judged.ruling.clause.clone(),
            text: judged.ruling.reasons.first().map_or(String::new(), |r| r.text.clone()),
            fails,
            margin_mm: Some((judged.ruling.margin.mm, judged.weighed.sigma_mm)),
            binding: Some([(first, one.at), (second, other.at)]),
            elsewhere: None,
            to_settle: Fact::settling(question, a, b),
        })
    }

    /// What a front edge on a camp, City or Fort hangs on.
    fn storm(&self, who: &str, place: &str, fails: f64) -> Option<Hang> {
        let of = |setup: &crate::rules::Setup| {
            let (element, feature) = (setup.element(who)?, setup.ground.feature(place)?);
            Some(engagement::front_on(element, feature, &self.settings.tolerances))
        };
        let here = of(&self.measured.touching().setup)?;
        let there = self.placings.each(|_, joined| of(joined));
        let offs: Vec<f64> = there.into_iter().flatten().map(|m| m.mm - here.mm).collect();
        let holds = if here.satisfied() { "is on" } else { "is not on" };
        Some(Hang {
            clause: "dba3.con.15".to_owned(),
            text: format!("{who}'s front edge {holds} {place}"),
            fails,
            margin_mm: Some((here.mm, rms(&offs))),
            binding: Some([
                (format!("{} of {who}", here.binding.0.name()), here.binding.0.at),
                (format!("{} of {place}", here.binding.1.name()), here.binding.1.at),
            ]),
            elsewhere: None,
            to_settle: Some([
                Fact::Storms(who.to_owned(), place.to_owned()),
                Fact::NoStorm(who.to_owned(), place.to_owned()),
            ]),
        })
    }

    /// Whether a target stands in a shooter's threat zone, where that is too close to call.
    pub fn zone(&self, target: &str, shooter: &str) -> Option<Hang> {
        let judged = rule(self.measured, self.settings, Question::InZoneOf, target, shooter).ok()?;
        let Verdict::TooClose { probability, .. } = judged.weighed.verdict() else { return None };
        let [first, second] = judged.binding();
        let Binding(one, other) = judged.ruling.margin.binding;
        Some(Hang {
            clause: "dba3.sht.12".to_owned(),
            text: judged.ruling.reasons.first().map_or(String::new(), |r| r.text.clone()),
            fails: 1.0 - probability,
            margin_mm: Some((judged.ruling.margin.mm, judged.weighed.sigma_mm)),
            binding: Some([(first, one.at), (second, other.at)]),
            elsewhere: None,
            to_settle: Fact::settling(Question::InZoneOf, target, shooter),
        })
    }

    /// What it hangs on whether one may shoot at all.
    pub fn may_shoot(&self, who: &str, contacts: &[(Claim, Hang)]) -> Vec<Hang> {
        let known = &self.told.shooting;
        let reasons = |stands: &crate::rules::Setup, joined: &crate::rules::Setup| {
            let element = stands.element(who)?;
            Some(may_shoot_where(stands, joined, self.settings, self.bound, known, element))
        };
        let here = reasons(&self.measured.setup, &self.measured.touching().setup).unwrap_or_default();
        let there = self.placings.each(reasons);
        self.conditions(&here, there.into_iter().flatten(), (who, who), contacts)
    }

    /// What one shot hangs on.
    pub fn shot(&self, shooter: &str, target: &str, contacts: &[(Claim, Hang)]) -> Vec<Hang> {
        let known = &self.told.shooting;
        let reasons = |stands: &crate::rules::Setup, joined: &crate::rules::Setup| {
            let found = shot_where(stands, joined, self.settings, self.bound, known, (shooter, target));
            found.ok().map(|shot| shot.reasons)
        };
        let here = reasons(&self.measured.setup, &self.measured.touching().setup).unwrap_or_default();
        let there = self.placings.each(reasons);
        self.conditions(&here, there.into_iter().flatten(), (shooter, target), contacts)
    }

    /// The same from its conditions here and in the placings, the contacts left out.
    pub fn of_shot(
        &self,
        here: &[Reason],
        there: impl Iterator<Item = Vec<Reason>>,
        names: (&str, &str),
    ) -> Vec<Hang> {
        self.conditions(here, there, names, &[])
    }

    /// The conditions that fail in some of these readings and not in all.
    fn conditions(
        &self,
        here: &[Reason],
        there: impl Iterator<Item = Vec<Reason>>,
        (a, b): (&str, &str),
        contacts: &[(Claim, Hang)],
    ) -> Vec<Hang> {
        struct Met {
            fails: usize,
            holds: usize,
            text: String,
            offs: Vec<f64>,
            elsewhere: usize,
        }
        let best = |clause: &str| worst(here, clause);
        let way = edges(here);
        let mut met: BTreeMap<String, Met> = BTreeMap::new();
        let mut count = 0;
        for reasons in there {
            count += 1;
            let same_way = edges(&reasons) == way;
            let mut clauses: Vec<&str> = reasons.iter().map(|r| r.clause.as_str()).collect();
            clauses.sort_unstable();
            clauses.dedup();
            for clause in clauses {
                let Some(found) = worst(&reasons, clause) else { continue };
                let entry = met.entry(clause.to_owned()).or_insert_with(|| Met {
                    fails: 0,
                    holds: 0,
                    text: String::new(),
                    offs: Vec::new(),
                    elsewhere: 0,
                });
                if bars(found) {
                    entry.fails += 1;
                    if entry.text.is_empty() {
                        entry.text.clone_from(&found.text);
                    }
                } else {
                    entry.holds += 1;
                }
                match (found.margin, best(clause).and_then(|r| r.margin)) {
                    (Some(is), Some(was)) if same_way => entry.offs.push(is.mm - was.mm),
                    (Some(_), Some(_)) => entry.elsewhere += 1,
                    _ => {}
                }
            }
        }
        let open = |m: &Met| m.fails > 0 && m.fails < count;
        let told: Vec<&String> = met.iter().filter(|(_, m)| open(m)).map(|(clause, _)| clause).collect();
        let echo = |clause: &str| {
            let of = ECHOES.iter().find(|(echo, _)| *echo == clause);
            of.is_some_and(|(_, of)| of.iter().any(|first| told.iter().any(|c| c == first)))
        };
        let found = told.iter().filter(|clause| !echo(clause)).map(|clause| {
            let m = &met[clause.as_str()];
            let at_best = best(clause);
            let text = at_best.map_or_else(|| m.text.clone(), |r| r.text.clone());
            let margin = at_best.and_then(|r| r.margin);
            let contact = (clause.as_str() == "dba3.sht.27").then(|| of_contact(contacts, a, b)).flatten();
            Hang {
                clause: (*clause).clone(),
                text,
                fails: share(m.fails),
                elsewhere: (m.elsewhere > 0).then(|| (share(m.elsewhere), m.text.clone())),
                margin_mm: margin
                    .map(|margin| (margin.mm, rms(&m.offs)))
                    .or_else(|| contact.and_then(|c| c.margin_mm).map(|(mm, sigma)| (-mm, sigma))),
                binding: margin
                    .map(|margin| self.named(&margin.binding, clause, (a, b)))
                    .or_else(|| contact.and_then(|c| c.binding.clone())),
                to_settle: contact
                    .map(|c| c.to_settle.clone())
                    .unwrap_or_else(|| self.settling(clause, margin.map(|m| m.binding), (a, b))),
            }
        });
        found.collect()
    }

    /// The features of a shot's condition, each with whose it is.
    fn named(
        &self,
        Binding(first, second): &Binding,
        clause: &str,
        (a, b): (&str, &str),
    ) -> [(String, Point); 2] {
        let of = |feature: &Feature| {
            let whose = match feature.whose {
                Whose::A => a.to_owned(),
                Whose::B if clause == "dba3.sht.25" && feature.part == Part::Inside => {
                    self.nearest_to(feature.at)
                }
                Whose::B => b.to_owned(),
                Whose::Ground => "the ground".to_owned(),
            };
            (format!("{} of {whose}", feature.name()), feature.at)
        };
        [of(first), of(second)]
    }

    /// The element whose base is nearest to a point.
    fn nearest_to(&self, at: Point) -> String {
        let off = |e: &&Element| e.footprint.distance_to_point(at);
        let nearest = self.measured.setup.elements.iter().min_by(|x, y| off(x).total_cmp(&off(y)));
        nearest.map_or(String::new(), |e| e.name.clone())
    }

    /// The facts of which one settles whether an element stands in what bars its shooting by that clause: of features by
    /// which it does, the one whose rim or bank is nearest.
    fn standing_in(&self, clause: &str, element: &Element) -> Option<[Fact; 2]> {
        let (ground, rules) = (&self.measured.setup.ground, self.settings.ruleset());
        let base = &element.footprint;
        let who = element.name.clone();
        let does = |f: &&crate::rules::terrain::Feature| {
            rules.terrain(f.kind).shooting.iter().any(|(_, by)| by == clause)
        };
        let features = ground.features.iter().filter(does);
        if clause == "dba3.sht.23" {
            let off = |f: &&crate::rules::terrain::Feature| room_inside_area(base, &f.outline).mm.abs();
            let feature = features.min_by(|x, y| off(x).total_cmp(&off(y)))?.name.clone();
            return Some([
                Fact::WhollyInside(who.clone(), feature.clone()),
                Fact::PartlyOutside(who, feature),
            ]);
        }
        let areas = features.map(|f| (&f.name, separation_from_area(base, &f.outline).mm.abs()));
        let rivers = ground.rivers.iter().map(|r| (&r.name, r.course.reach_of(base).mm.abs()));
        let (feature, _) = areas.chain(rivers).min_by(|x, y| x.1.total_cmp(&y.1))?;
        Some([Fact::Inside(who.clone(), feature.clone()), Fact::ClearOf(who, feature.clone())])
    }

    /// The facts of which one settles a condition of a shot.
    fn settling(&self, clause: &str, binding: Option<Binding>, (a, b): (&str, &str)) -> Option<[Fact; 2]> {
        let setup = &self.measured.setup;
        match clause {
            "dba3.sht.23" | "dba3.sht.24" => {
                let off = |name: &str| {
                    let at = binding.map(|b| b.0.at)?;
                    setup.element(name).map(|e| e.footprint.distance_to_point(at))
                };
                let who = [a, b].into_iter().min_by(|x, y| by_off(off(x), off(y)))?;
                self.standing_in(clause, setup.element(who)?)
            }
            _ if a != b && binding.is_some() => Some([
                Fact::CanShoot(a.to_owned(), b.to_owned()),
                Fact::CannotShoot(a.to_owned(), b.to_owned()),
            ]),
            _ => None,
        }
    }
}

/// Over which edge one shoots at which edge of the other.
pub(super) fn edges(reasons: &[Reason]) -> Option<(Part, Part)> {
    let length = reasons.iter().find(|r| r.clause == "dba3.sht.6")?;
    let Binding(own, theirs) = length.margin?.binding;
    Some((own.part, theirs.part))
}

/// The nearer first; what is nowhere last.
fn by_off(x: Option<f64>, y: Option<f64>) -> std::cmp::Ordering {
    x.unwrap_or(f64::MAX).total_cmp(&y.unwrap_or(f64::MAX))
}

/// Of the reasons by one clause the one that fails, or else holds by least.
fn worst<'r>(reasons: &'r [Reason], clause: &str) -> Option<&'r Reason> {
    let figure = |r: &Reason| (!bars(r), r.margin.map_or(f64::MAX, |m| m.mm));
    reasons
        .iter()
        .filter(|r| r.clause == clause)
        .min_by(|x, y| figure(x).0.cmp(&figure(y).0).then(figure(x).1.total_cmp(&figure(y).1)))
}

/// The doubtful contact of one of the two.
fn of_contact<'c>(contacts: &'c [(Claim, Hang)], a: &str, b: &str) -> Option<&'c Hang> {
    let names = |claim: &Claim| match claim {
        Claim::Fronts(x, y) | Claim::Idle(x, _, y) => [x.clone(), y.clone()],
        _ => [String::new(), String::new()],
    };
    let found = contacts.iter().find(|(claim, _)| names(claim).iter().any(|n| n == a || n == b));
    found.map(|(_, hang)| hang)
}

/// The root of the mean square.
pub(super) fn rms(offs: &[f64]) -> f64 {
    (offs.iter().map(|off| off * off).sum::<f64>() / offs.len().max(1) as f64).sqrt()
}
