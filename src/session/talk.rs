//! What a stranger is told of a battle: short sentences, the most pressing first, each with one rule and the clause behind
//! it. Pure: which of them is shown, and how long, is decided by [`Talk`] from times that it is given.

use super::play::Play;
use super::view::{Call, ElementView};
use crate::rules::aftermath::What;
use crate::rules::clauses::Catalogue;
use crate::rules::{Question, Side};
use crate::text::strangers::{self, Befell};
use std::collections::VecDeque;
use std::time::Duration;

/// A sentence, the rule that it shows, and the clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saying {
    /// What happens.
    pub headline: String,
    /// The rule, in a sentence; empty where it shows none.
    pub rule: String,
    /// The clause's id; empty likewise.
    pub clause: String,
    /// Whom it is about.
    pub who: Vec<String>,
    /// The verdict, where it tells one.
    pub call: Option<Call>,
    /// Whether it is told before what is only of interest.
    pub pressing: bool,
}

/// The longest rule that is read from afar, characters.
const LONGEST: usize = 120;
/// Enemies whose middles are no further apart are looked at for threat zones, base widths.
const NEAR_BW: f64 = 3.0;

/// What a clause says, in a sentence that can be read from afar: its text, or its title where that is too long.
pub fn lesson(id: &str) -> String {
    let Some(clause) = Catalogue::embedded().clause(id) else { return String::new() };
    let first = clause.text.split_inclusive(". ").next().unwrap_or_default().trim();
    let words = match (clause.text.chars().count() <= LONGEST, first.chars().count() <= LONGEST) {
        (true, _) => clause.text.clone(),
        (false, true) => first.to_owned(),
        _ => format!("{}.", clause.title.trim_end_matches('.')),
    };
    strangers::spelt_out(&words)
}

fn saying(headline: String, clause: &str, who: Vec<String>) -> Saying {
    Saying { headline, rule: lesson(clause), clause: clause.to_owned(), who, call: None, pressing: false }
}

/// Everything that can be said of the battle as it stands, the most pressing first; none before anything was seen.
pub fn sayings(play: &Play) -> Vec<Saying> {
    let mut all = Vec::new();
    if play.measured().is_none() {
        return all;
    }
    all.extend(beaten(play));
    all.extend(befallen(play));
    all.extend(moved(play));
    all.extend(due(play));
    all.extend(threatened(play));
    if let Some(side) = play.moves().side() {
        all.push(saying(strangers::turn(side.word()), "dba3.pip.1", Vec::new()));
    }
    all.extend(lost(play));
    all.extend(measured(play));
    all
}

fn named(play: &Play, name: &str) -> String {
    match play.table().element(name) {
        Some(e) => strangers::named(e.side.word(), &e.troop),
        None => name.to_owned(),
    }
}

fn beaten(play: &Play) -> Option<Saying> {
    let stand = play.losses().view()?;
    let headline = strangers::beaten(stand.loser?.word());
    Some(Saying { pressing: true, ..saying(headline, "dba3.vic.1", Vec::new()) })
}

/// What the dice did and has not been done on the table yet.
fn befallen(play: &Play) -> Vec<Saying> {
    let Some(Ok(aftermath)) = play.fight().aftermath() else { return Vec::new() };
    let open: Vec<String> = play
        .awaits()
        .on(play.table())
        .into_iter()
        .filter(|(_, _, met)| !met)
        .map(|(a, _, _)| a.who)
        .collect();
    let steps = aftermath.steps.iter().filter(|step| open.contains(&step.who));
    steps
        .map(|step| {
            let what = match step.what {
                What::Destroyed | What::OffBoard | What::Surrenders => Befell::Lost,
                What::Recoils | What::RecoilsThrough | What::PushedBack => Befell::Back,
                What::Flees => Befell::Flees,
                What::Pursues | What::Follows => Befell::Follows,
                What::TurnsAbout | What::LinesUp | What::MovesIn | What::Stands => Befell::Else,
            };
            let clause = step.reasons.first().map_or("dba3.seq.2", |r| r.clause.as_str());
            let headline = strangers::befell(&named(play, &step.who), what);
            Saying { pressing: true, ..saying(headline, clause, vec![step.who.clone()]) }
        })
        .collect()
}

/// The move that was made last.
fn moved(play: &Play) -> Option<Saying> {
    let moves = play.moves();
    let open = moves.view()?.explanations.get(moves.chosen())?;
    let made = open.moves.last()?;
    let far = |way: &[crate::geometry::Point]| way.windows(2).map(|w| (w[1] - w[0]).norm()).sum::<f64>();
    let mm = made.paths.iter().map(|path| far(&path.way)).fold(0.0, f64::max);
    let side = made.paths.first()?.side.word();
    let headline = match made.movers.as_slice() {
        [one] => strangers::moved(&named(play, one), mm),
        several => strangers::moved_together(side, several.len(), mm),
    };
    let verdict = match made.call {
        Call::Yes => strangers::LEGAL,
        Call::No => strangers::NOT_LEGAL,
        Call::TooClose | Call::Held => strangers::TOO_CLOSE,
    };
    let clause = made.conditions.first().map_or("dba3.pip.4", |c| c.clause.as_str());
    let all = saying(format!("{headline} {verdict}"), clause, made.movers.clone());
    Some(Saying { call: Some(made.call), pressing: true, ..all })
}

/// Who fights and who may shoot in this bound.
fn due(play: &Play) -> Vec<Saying> {
    let Some(due) = play.fight().due() else { return Vec::new() };
    let fights = due.combats.iter().filter(|c| c.call == Call::Yes && c.at.is_none()).map(|c| {
        let words = strangers::fight(&named(play, &c.a), &named(play, &c.b), c.totals);
        saying(words, "dba3.con.1", vec![c.a.clone(), c.b.clone()])
    });
    let shots = due.shooters.iter().filter_map(|s| {
        let target = s.settled.as_ref().or(s.targets.first())?;
        let words = strangers::shoots(&named(play, &s.shooter), &named(play, target));
        Some(saying(words, "dba3.sht.2", vec![s.shooter.clone(), target.clone()]))
    });
    fights.chain(shots).collect()
}

/// The two nearest enemies of whom one stands in the other's threat zone without touching it.
fn threatened(play: &Play) -> Option<Saying> {
    let table = play.table();
    let far = NEAR_BW * table.scale.mm_per_bw();
    let of = |side: Side| table.elements.iter().filter(move |e| e.side == side && table.holds(e));
    let centre = |e: &ElementView| e.place.as_ref().map(|p| p.footprint.pose().centre);
    let mut pairs: Vec<(f64, &ElementView, &ElementView)> = of(Side::Red)
        .flat_map(|a| of(Side::Blue).map(move |b| (a, b)))
        .filter_map(|(a, b)| Some(((centre(a)? - centre(b)?).norm(), a, b)))
        .filter(|(mm, _, _)| *mm <= far)
        .collect();
    pairs.sort_by(|p, q| p.0.total_cmp(&q.0));
    let (_, a, b) = pairs.first()?;
    let pair = play.pair(&a.name, &b.name)?;
    let says = |asks: Question| pair.rulings.iter().any(|r| r.asks == asks && r.call == Call::Yes);
    let touching =
        [Question::ContactFront, Question::ContactFlank, Question::ContactRear].into_iter().any(says);
    (says(Question::InZoneOf) && !touching).then(|| {
        let words = strangers::threatened(&named(play, &a.name), &named(play, &b.name));
        saying(words, "dba3.tz.1", vec![a.name.clone(), b.name.clone()])
    })
}

fn lost(play: &Play) -> Option<Saying> {
    let [red, blue] = &play.losses().view()?.tallies;
    (red.total + blue.total > 0)
        .then(|| saying(strangers::losses(red.total, blue.total), "dba3.vic.1", Vec::new()))
}

fn measured(play: &Play) -> Option<Saying> {
    let table = play.table();
    let placed: Vec<f64> = table.elements.iter().filter_map(|e| Some(e.place.as_ref()?.sigma_mm)).collect();
    let worst = placed.iter().copied().fold(0.0, f64::max);
    (!placed.is_empty()).then(|| Saying {
        headline: strangers::measured(placed.len(), worst.max(0.1)),
        rule: String::new(),
        clause: String::new(),
        who: Vec::new(),
        call: None,
        pressing: false,
    })
}

/// A sentence stays at least so long: a dozen words are read aloud in it.
pub const READ: Duration = Duration::from_secs(7);
/// Something pressing does not wait longer than this.
pub const CUTS_IN: Duration = Duration::from_millis(2500);
/// So many sentences are remembered as said.
const SAID: usize = 24;

/// Which sentence is shown.
#[derive(Debug, Clone, Default)]
pub struct Talk {
    shown: Option<(Saying, Duration)>,
    said: VecDeque<String>,
}

impl Talk {
    /// What is shown.
    pub fn shown(&self) -> Option<&Saying> {
        self.shown.as_ref().map(|(saying, _)| saying)
    }

    /// Whether another sentence may be shown now: only then is it worth working out what there is to say.
    pub fn listens(&self, now: Duration) -> bool {
        self.shown.as_ref().is_none_or(|(_, since)| now.saturating_sub(*since) >= CUTS_IN)
    }

    /// What there is to say at `now`: the first that was not said yet is shown, when the one that is shown was long
    /// enough; where all were said, they go round.
    pub fn hear(&mut self, sayings: &[Saying], now: Duration) {
        let shown_for = self.shown.as_ref().map(|(_, since)| now.saturating_sub(*since));
        let fresh = sayings.iter().find(|s| !self.said.contains(&s.headline));
        let next = match (shown_for, fresh) {
            (None, fresh) => fresh.or(sayings.first()),
            (Some(time), Some(fresh)) => (time >= READ || fresh.pressing && time >= CUTS_IN).then_some(fresh),
            (Some(time), None) if time >= READ => self.after_shown(sayings),
            (Some(_), None) => None,
        };
        if let Some(next) = next.cloned() {
            self.said.retain(|words| *words != next.headline);
            self.said.push_back(next.headline.clone());
            while self.said.len() > SAID {
                self.said.pop_front();
            }
            self.shown = Some((next, now));
        }
    }

    fn after_shown<'s>(&self, sayings: &'s [Saying]) -> Option<&'s Saying> {
        let at = self.shown().and_then(|shown| sayings.iter().position(|s| s.headline == shown.headline));
        sayings.get(at.map_or(0, |at| (at + 1) % sayings.len()))
    }

    /// Nothing was said yet.
    pub fn forget(&mut self) {
        *self = Self::default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(words: &str, pressing: bool) -> Saying {
        Saying { pressing, ..saying(words.to_owned(), "dba3.tz.1", Vec::new()) }
    }

    fn shown(talk: &Talk) -> &str {
        talk.shown().map_or("", |s| s.headline.as_str())
    }

    #[test]
    fn one_sentence_at_a_time_each_long_enough_to_read() {
        let at = Duration::from_secs;
        let mut talk = Talk::default();
        let all = [say("a", false), say("b", false)];
        talk.hear(&all, at(0));
        assert_eq!(shown(&talk), "a");
        talk.hear(&all, at(6));
        assert_eq!(shown(&talk), "a");
        talk.hear(&all, at(7));
        assert_eq!(shown(&talk), "b");
        // Both were said: they go round.
        talk.hear(&all, at(14));
        assert_eq!(shown(&talk), "a");
        // What presses does not wait so long, what does not press waits.
        let more = [say("now", true), say("later", false), say("a", false)];
        talk.hear(&more, at(16));
        assert_eq!(shown(&talk), "a");
        talk.hear(&more, at(17));
        assert_eq!(shown(&talk), "now");
        talk.hear(&more, at(20));
        assert_eq!(shown(&talk), "now");
        talk.hear(&more, at(24));
        assert_eq!(shown(&talk), "later");
    }

    #[test]
    fn a_rule_is_short_enough_for_three_metres_and_never_empty() {
        for (_, clause) in Catalogue::embedded().iter() {
            let words = lesson(&clause.id);
            // Spelling out adds some.
            assert!(!words.is_empty() && words.chars().count() <= LONGEST + 24, "{}: {words}", clause.id);
        }
        assert_eq!(
            lesson("dba3.tz.1"),
            "An element's threat zone is the area in front of it to a depth of 1 base width."
        );
    }
}
