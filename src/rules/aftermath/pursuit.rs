//! Pursuit, and columns that follow (clauses dba3.pur).

use super::obstacle;
use super::{Met, MetHow, Play, What};
use crate::geometry::{Footprint, Pose};
use crate::rules::conform::{Outcome, line_up};
use crate::rules::neighbours::{Stands, friends_at};
use crate::rules::ruleset::{Going, Kind, Troop};
use crate::rules::settings::PursuitNoLineUp;
use crate::rules::strip::{Strip, Towards};
use crate::rules::terrain::TerrainKind;
use crate::rules::{AskError, Context, Element, Location, Reason, Setup, exact};

impl Play<'_> {
    /// `name` has made its opponent `foe` recoil, flee or die in close combat: it pursues where it has to, and those in
    /// column behind it follow. `before` is the table as the combat began.
    ///
    /// # Errors
    /// An unknown name.
    pub fn pursue(&mut self, before: &Setup, name: &str, foe: &str) -> Result<(), AskError> {
        let element = self.element(name)?.clone();
        if element.location != Location::Board {
            return self.stays_inside(name);
        }
        let rules = self.settings.ruleset().clone();
        let Some(troop) = rules.troop(&element.troop) else {
            return Err(AskError::UnknownTroop { name: name.to_owned(), code: element.troop.clone() });
        };
        let fought = before.element(foe).and_then(|e| rules.troop(&e.troop));
        let bw = self.setup.scale.mm_per_bw();
        let (mm, told) = match distance(troop, fought) {
            Ok((share, clause)) => {
                let mm = share * bw;
                (mm, Reason::holds(clause, format!("{name} ({}) has {mm:.1} mm to pursue", element.troop)))
            }
            Err((clause, text)) => {
                let mut reasons = vec![Reason::holds(clause, format!("{name} {text}"))];
                reasons.push(Reason::fails("dba3.pur.2", format!("{name} does not have to pursue")));
                if !matches!(troop.kind, Kind::Pikes | Kind::Blades | Kind::Warband) {
                    let text = format!("{name} ({}) is none of the 1 BW pursuers", element.troop);
                    reasons.push(Reason::fails("dba3.pur.6", text));
                }
                return self.shift(name, What::Stands, &[], reasons);
            }
        };
        let free = match self.kept(&element, troop, mm) {
            Kept::Here(why) => {
                let stays = Reason { holds: false, ..told };
                return self.shift(name, What::Stands, &[], vec![why, stays]);
            }
            Kept::Free(reasons) => reasons,
        };
        let gave_way = Reason::holds("dba3.pur.1", format!("{foe} gave way in close combat"));
        let compulsory = Reason::holds("dba3.pur.2", format!("{name} has to, at once"));
        let column = self.column(&element);
        let strip = Strip::of(element.footprint, Towards::Ahead, self.slack());
        let others = self.setup.elements.iter();
        let met = others
            .filter(|e| e.location == Location::Board && e.name != name)
            .filter_map(|e| strip.span_of(&e.footprint).map(|(near, _)| (near, e)))
            .filter(|(near, _)| *near < mm)
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .map(|(near, e)| (near.max(0.0), e.name.clone(), e.side != element.side));
        let fixed = obstacle::ahead(&element, &self.setup, self.settings).into_iter().find(|o| {
            matches!(o.what, obstacle::Fixed::Stronghold(_) | obstacle::Fixed::Barred(_)) && o.near_mm < mm
        });
        let mut goes = met.as_ref().map_or(mm, |(near, ..)| *near);
        let mut reasons = vec![told, gave_way, compulsory];
        reasons.extend(no_exception(name, troop));
        reasons.extend(free);
        if let Some((near, other, enemy)) = &met {
            let text = format!("{name} meets {other} after {near:.1} mm");
            let clause = if *enemy { "dba3.pur.12" } else { "dba3.ip.10" };
            reasons.push(Reason::holds(clause, text));
        }
        if !met.as_ref().is_some_and(|(.., enemy)| *enemy) {
            let text = format!("{name} meets no enemy");
            reasons.extend(["dba3.pur.12", "dba3.pur.13"].map(|clause| Reason::fails(clause, text.clone())));
        }
        if let Some(stop) = fixed.filter(|o| o.near_mm < goes) {
            goes = stop.near_mm.max(0.0);
            reasons.push(Reason::holds("dba3.con.15", format!("{} stops {name}", stop.what.name())));
        }
        let start = self.setup.clone();
        self.shift(name, What::Pursues, &[strip.after(goes)], reasons)?;
        let Column { follow, stays } = column;
        if let Some((follower, why)) = stays {
            self.shift(&follower, What::Stands, &[], vec![why])?;
        }
        for (follower, troop_told) in follow {
            let behind = self.element(&follower)?.footprint;
            let to = Strip::of(behind, Towards::Ahead, self.slack()).after(goes);
            self.shift(&follower, What::Follows, &[to], troop_told)?;
        }
        self.lines_up(&start, name, met.filter(|(.., enemy)| *enemy).map(|(_, other, _)| other))
    }

    /// A contact made by pursuit lines up at once, and is fought in the next bound (clauses dba3.pur.12, .13).
    fn lines_up(&mut self, start: &Setup, name: &str, met: Option<String>) -> Result<(), AskError> {
        let Some(enemy) = met else { return Ok(()) };
        let found = line_up(start, &self.setup, self.settings, &[name])?;
        let waits = Reason::holds("dba3.pur.13", format!("{name} fights {enemy} in the next bound"));
        let told = |mut reasons: Vec<Reason>| {
            reasons.push(waits.clone());
            reasons
        };
        let contacted = found.contacted.iter().filter_map(|c| c.shifts.as_ref()).flatten();
        let shifts: Vec<_> = found.shifts.iter().chain(contacted).cloned().collect();
        let cannot = shifts.is_empty() && found.outcome != Outcome::LinedUp;
        let fought = match self.settings.pursuit_no_lineup {
            _ if !cannot => MetHow::LinedUp,
            PursuitNoLineUp::FightOverlapped => MetHow::Overlapped,
            PursuitNoLineUp::NoCombat => MetHow::NotFought,
        };
        self.met.push(Met { pursuer: name.to_owned(), enemy: enemy.clone(), fought });
        if cannot {
            let text = format!("neither {name} nor {enemy} can line up");
            let (text, waits) = match fought {
                MetHow::NotFought => {
                    let text = format!("{text}: by the setting they do not fight");
                    (text, Reason { holds: false, ..waits })
                }
                _ => (format!("{text}: they fight, {enemy} as if overlapped"), waits),
            };
            let why = Reason { holds: fought == MetHow::Overlapped, ..Reason::holds("dba3.set.92", text) };
            return self.shift(name, What::Stands, &[], with(vec![why, waits], found.reasons));
        }
        if shifts.is_empty() {
            return self.shift(name, What::Stands, &[], told(found.reasons));
        }
        for shift in shifts {
            self.shift(&shift.name, What::LinesUp, &[shift.to], told(found.reasons.clone()))?;
        }
        Ok(())
    }

    /// Whether bad going under it or on its way, or the board's edge, keeps it from pursuing (clauses dba3.pur.4, .11).
    fn kept(&self, element: &Element, troop: &Troop, mm: f64) -> Kept {
        let name = &element.name;
        let way = swept(&element.footprint, mm);
        let mut free = Vec::new();
        for feature in &self.setup.ground.features {
            if self.setup.ground.surface_of(feature.kind, self.settings).going_for(troop) != Going::Bad
                || feature.kind.is_stronghold()
            {
                continue;
            }
            let in_it = crate::geometry::separation_from_area(&element.footprint, &feature.outline).mm < 0.0;
            if !in_it && crate::geometry::separation_from_area(&way, &feature.outline).mm >= 0.0 {
                continue;
            }
            if matches!(feature.kind, TerrainKind::Marsh | TerrainKind::Gully) {
                let text = format!("{} is Marsh or Gully and keeps {name} from nothing", feature.name);
                free.push(Reason::fails("dba3.pur.11", text));
                continue;
            }
            let where_ = if in_it { "is in" } else { "would go into" };
            let text = format!("{name} {where_} the bad going of {}, and does not pursue", feature.name);
            return Kept::Here(Reason::holds("dba3.pur.11", text));
        }
        let (width, depth) = self.setup.board_mm;
        let room = |p: crate::geometry::Point| p.x.min(p.y).min(width - p.x).min(depth - p.y);
        let room = exact(way.outline().into_iter().map(room).fold(f64::INFINITY, f64::min));
        if room < 0.0 {
            let text = format!("{name} would go over the board's edge, and does not pursue");
            return Kept::Here(Reason::holds("dba3.pur.4", text));
        }
        if room < self.setup.scale.mm_per_bw() {
            let text = format!("{room:.1} mm are left to the board's edge");
            free.push(Reason::fails("dba3.pur.4", text));
        }
        Kept::Free(free)
    }

    /// Everyone in column behind it.
    fn column(&self, element: &Element) -> Column {
        let context = Context::of(&self.setup, self.settings);
        let rules = self.settings.ruleset();
        let mut found: Vec<(String, Vec<Reason>)> = Vec::new();
        let mut last = element;
        while let Some((behind, _)) = friends_at(last, &context).find(|(_, at)| *at == Stands::Behind) {
            if found.iter().any(|(name, _)| *name == behind.name) {
                break;
            }
            let pursues = rules.troop(&behind.troop).is_some_and(|t| distance(t, None).is_ok());
            let text = format!("{} stands in column behind {} and moves up with it", behind.name, last.name);
            if !pursues && !self.settings.column_follow_any_type {
                let text = format!(
                    "by the setting {} ({}), which does not pursue, stays",
                    behind.name, behind.troop
                );
                let stays = Some((behind.name.clone(), Reason::fails("dba3.set.91", text)));
                return Column { follow: found, stays };
            }
            let mut reasons = vec![Reason::holds("dba3.pur.10", text)];
            if !pursues {
                let text =
                    format!("{} ({}) follows though its type does not pursue", behind.name, behind.troop);
                reasons.push(Reason::holds("dba3.set.91", text));
            }
            found.push((behind.name.clone(), reasons));
            last = behind;
        }
        Column { follow: found, stays: None }
    }
}

/// A column behind a pursuer.
struct Column {
    /// Who moves up, front to rear, each with why.
    follow: Vec<(String, Vec<Reason>)>,
    /// Who by the setting does not, and ends it.
    stays: Option<(String, Reason)>,
}

/// Whether something keeps an element from pursuing.
enum Kept {
    /// This does.
    Here(Reason),
    /// Nothing does; what came near to it.
    Free(Vec<Reason>),
}

fn with(mut reasons: Vec<Reason>, more: Vec<Reason>) -> Vec<Reason> {
    reasons.extend(more);
    reasons
}

/// The exceptions and the general rule that do not keep those troops.
fn no_exception(name: &str, troop: &Troop) -> Vec<Reason> {
    let code = &troop.code;
    let mut reasons =
        vec![Reason::fails("dba3.pur.14", format!("{name} ({code}) is one of those that pursue"))];
    match troop.kind {
        Kind::Knights => reasons.push(Reason::fails("dba3.pur.7", format!("{name} is {code}, not 4Kn"))),
        Kind::Blades => {
            reasons.push(Reason::fails("dba3.pur.9", format!("{name} is {code}, not CP, Lit or CWg")));
        }
        _ => {}
    }
    reasons
}

/// How far those troops pursue, in base widths, with the clause; or why they do not. `fought` is the opponent's type,
/// where it matters and is known.
pub(super) fn distance(
    troop: &Troop,
    fought: Option<&Troop>,
) -> Result<(f64, &'static str), (&'static str, String)> {
    match troop.kind {
        Kind::Knights if troop.code == "4Kn" => Err(("dba3.pur.7", "is 4Kn and does not pursue".to_owned())),
        Kind::Knights | Kind::ScythedChariots | Kind::Elephants | Kind::Hordes => Ok((1.0, "dba3.pur.6")),
        Kind::Pikes | Kind::Blades | Kind::Warband => match fought {
            Some(foe) if foe.is_mounted() || foe.kind == Kind::Psiloi => {
                Err(("dba3.pur.8", format!("fought {} and does not pursue", foe.name)))
            }
            _ => Ok((0.5, "dba3.pur.8")),
        },
        Kind::Command => Err(("dba3.pur.9", format!("is {} and does not pursue", troop.code))),
        _ => Err(("dba3.pur.14", format!("({}) stands", troop.code))),
    }
}

/// The ground from the base to where it would be so far ahead, as one rectangle.
fn swept(base: &Footprint, mm: f64) -> Footprint {
    let pose = base.pose();
    let centre = Pose { centre: pose.at(0.0, mm / 2.0), ..pose };
    Footprint::new(centre, base.width_mm(), base.depth_mm() + mm).expect("a base and a way have a size")
}
