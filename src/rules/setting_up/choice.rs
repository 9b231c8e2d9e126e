//! What a defender chooses: whether his home terrain allows it, all faults at once.
//!
//! Nothing here lies on the table yet. Clauses: dba3.terr.6 to .23, dba3.choose.1 to .4, dba3.area.9, dba3.bua.1,
//! dba3.set.2, .3, .7.

use super::homes::{Home, HomeRow, Sort};
use crate::rules::ruleset::Ruleset;
use crate::rules::settings::LittoralPair;
use crate::rules::stronghold::Terms;
use crate::rules::terrain::{Surface, TerrainKind};
use crate::rules::{Reason, Settings};
use crate::text::counted;
use serde::{Deserialize, Serialize};

/// Fewest and most compulsory features (clause dba3.terr.7).
const COMPULSORY: (usize, usize) = (1, 2);
/// Fewest and most optional features (clause dba3.terr.8).
const OPTIONAL: (usize, usize) = (2, 3);

/// One feature that a defender chooses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Pick {
    /// A river.
    River,
    /// A road.
    Road,
    /// An area, a waterway or a declared built-up area.
    Area(TerrainKind),
    /// A City or Fort and the bigger hill that it is merged with, as one feature (clause dba3.area.9).
    OnHill(TerrainKind, TerrainKind),
    /// A built-up area of which nobody has said what it is (clause dba3.bua.1).
    Bua,
}

impl Pick {
    /// Its sort; none of what nobody chooses, such as a camp.
    pub fn sort(self) -> Option<Sort> {
        match self {
            Self::River => Some(Sort::River),
            Self::Road => Some(Sort::Road),
            Self::Area(kind) | Self::OnHill(kind, _) => Sort::of(kind),
            Self::Bua => Some(Sort::Bua),
        }
    }

    /// What people call it.
    pub fn name(self) -> String {
        match self {
            Self::River => "River".to_owned(),
            Self::Road => "Road".to_owned(),
            Self::Area(kind) => spoken(kind),
            Self::OnHill(kind, hill) => format!("{} on a {}", spoken(kind), spoken(hill)),
            Self::Bua => "BUA".to_owned(),
        }
    }
}

fn spoken(kind: TerrainKind) -> String {
    match Sort::of(kind) {
        Some(sort) if sort != Sort::Bua => sort.name().to_owned(),
        _ => {
            let mut letters = kind.word().chars();
            letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
        }
    }
}

/// Whether a defender of that home terrain may choose these, compulsory and optional ones apart.
pub fn choice(settings: &Settings, home: Home, compulsory: &[Pick], optional: &[Pick]) -> Terms {
    let row = settings.ruleset().home(home);
    let all: Vec<Pick> = compulsory.iter().chain(optional).copied().collect();
    let mut terms = Terms::default();
    of_the_row(row, &all, &mut terms);
    compulsory_ones(settings, row, compulsory, &mut terms);
    optional_ones(row, optional, &mut terms);
    pairs(settings, row, &all, &mut terms);
    difficult(settings, &all, &mut terms);
    numbers(&all, &mut terms);
    built_up(row, &all, &mut terms);
    terms
}

fn listed(picks: &[Pick]) -> String {
    let names: Vec<String> = picks.iter().map(|pick| pick.name()).collect();
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// Every sort is one of the defender's own home terrain.
fn of_the_row(row: &HomeRow, all: &[Pick], terms: &mut Terms) {
    let strange: Vec<Pick> =
        all.iter().copied().filter(|pick| pick.sort().is_none_or(|sort| !row.lists(sort))).collect();
    let text = if strange.is_empty() {
        format!("all are features of {}, the defender's home", row.name)
    } else {
        format!("{} is no feature of {}, the defender's home", listed(&strange), row.name)
    };
    terms.ask("dba3.terr.6", text, strange.is_empty());
}

fn compulsory_ones(settings: &Settings, row: &HomeRow, picks: &[Pick], terms: &mut Terms) {
    let (least, most) = COMPULSORY;
    let text = format!("{}; {least} or {most} are chosen", counted(picks.len(), "compulsory feature"));
    terms.ask("dba3.terr.7", text, (least..=most).contains(&picks.len()));
    let fits = |way: &super::homes::Ways| {
        (way.least..=way.most).contains(&picks.len())
            && picks.iter().all(|pick| pick.sort().is_some_and(|sort| way.of.contains(&sort)))
    };
    let met = row.compulsory.ways.iter().find(|way| fits(way));
    let wanted: Vec<String> = row.compulsory.ways.iter().map(wording).collect();
    let text = format!("compulsory are {}; {} asks for {}", listed(picks), row.name, wanted.join(" or "));
    terms.ask(&row.compulsory.clause, text, met.is_some());
    let mixed = picks.windows(2).any(|pair| pair[0].sort() != pair[1].sort());
    if met.is_some() && mixed {
        let may = settings.dry_mixed_compulsory;
        let text = format!("{} are of two sorts, which the setting {}", listed(picks), allows(may));
        terms.ask("dba3.set.2", text, may);
    }
}

fn allows(may: bool) -> &'static str {
    if may { "allows" } else { "does not allow" }
}

fn wording(way: &super::homes::Ways) -> String {
    let sorts: Vec<&str> = way.of.iter().map(|sort| sort.name()).collect();
    let count =
        if way.least == way.most { way.least.to_string() } else { format!("{} to {}", way.least, way.most) };
    format!("{count} {}", sorts.join(" or "))
}

fn optional_ones(row: &HomeRow, picks: &[Pick], terms: &mut Terms) {
    let (least, most) = OPTIONAL;
    let text = format!("{}; {least} or {most} are chosen", counted(picks.len(), "optional feature"));
    terms.ask("dba3.terr.8", text, (least..=most).contains(&picks.len()));
    let strange: Vec<Pick> = picks
        .iter()
        .copied()
        .filter(|pick| pick.sort().is_none_or(|sort| !row.optional.of.contains(&sort)))
        .collect();
    let text = if strange.is_empty() {
        format!("{} may be chosen as optional features of {}", listed(picks), row.name)
    } else {
        format!("{} is no optional feature of {}", listed(&strange), row.name)
    };
    terms.ask(&row.optional.clause, text, strange.is_empty());
}

/// Of the two sorts of a pair one alone (clauses dba3.terr.23, dba3.set.3).
fn pairs(settings: &Settings, row: &HomeRow, all: &[Pick], terms: &mut Terms) {
    let count = |sort: Sort| all.iter().filter(|pick| pick.sort() == Some(sort)).count();
    for &(one, other) in &row.optional.pairs {
        let (a, b) = (count(one), count(other));
        let text = format!("{a} {} and {b} {}: either the one or the other", one.name(), other.name());
        let (one_type, one_feature) = (a == 0 || b == 0, a + b <= 1);
        let holds = match settings.littoral_pair {
            LittoralPair::OneType => one_type,
            LittoralPair::OneFeature => one_feature,
            LittoralPair::NoLimit => true,
        };
        if settings.littoral_pair != LittoralPair::NoLimit {
            terms.ask("dba3.terr.23", text.clone(), holds);
        }
        terms.ask("dba3.set.3", text, holds);
    }
}

/// Something is bad or rough going, a River or a Waterway (clauses dba3.choose.1, dba3.set.7).
fn difficult(settings: &Settings, all: &[Pick], terms: &mut Terms) {
    let rules = settings.ruleset();
    let is = |pick: &Pick| match pick {
        Pick::River | Pick::Area(TerrainKind::Waterway) => true,
        Pick::OnHill(_, hill) => hard(rules, *hill),
        Pick::Area(TerrainKind::Hamlet | TerrainKind::Edifice) => settings.bua_as_difficult_feature,
        Pick::Area(kind) => hard(rules, *kind),
        Pick::Road | Pick::Bua => false,
    };
    let found = all.iter().find(|pick| is(pick));
    let text = match found {
        Some(pick) => format!("{} is bad or rough going or water", pick.name()),
        None => format!("none of {} is bad or rough going, a River or a Waterway", listed(all)),
    };
    terms.ask("dba3.choose.1", text, found.is_some());
    let bua = all.iter().find(|p| matches!(p, Pick::Area(TerrainKind::Hamlet | TerrainKind::Edifice)));
    if let Some(bua) = bua {
        let counts = settings.bua_as_difficult_feature;
        let text = format!(
            "{} {} as the bad or rough going that must be chosen",
            bua.name(),
            if counts { "counts" } else { "does not count" }
        );
        terms.notes.push(Reason { holds: counts, ..Reason::holds("dba3.set.7", text) });
    }
}

fn hard(rules: &Ruleset, kind: TerrainKind) -> bool {
    rules.terrain(kind).surface != Surface::Good
}

/// No more of a sort than a layout may hold (clauses dba3.choose.2 to .4).
fn numbers(all: &[Pick], terms: &mut Terms) {
    let mut sorts: Vec<Sort> = all.iter().filter_map(|pick| pick.sort()).collect();
    sorts.sort();
    sorts.dedup();
    for sort in sorts {
        let count = all.iter().filter(|pick| pick.sort() == Some(sort)).count();
        let (most, clause) = sort.most();
        terms.ask(clause, format!("{count} {}; {most} at most", sort.name()), count <= most);
    }
}

/// A built-up area is declared; a City or Fort is merged with a hill that the row lists (clauses dba3.bua.1,
/// dba3.area.9).
fn built_up(row: &HomeRow, all: &[Pick], terms: &mut Terms) {
    for pick in all.iter().filter(|pick| pick.sort() == Some(Sort::Bua)) {
        let declared = *pick != Pick::Bua;
        let says = if declared { "is declared" } else { "must be declared City, Fort, Hamlet or Edifice" };
        terms.ask("dba3.bua.1", format!("{} {says}", pick.name()), declared);
    }
    for pick in all {
        let Pick::OnHill(kind, hill) = *pick else { continue };
        let walled = matches!(kind, TerrainKind::City | TerrainKind::Fort);
        let permitted = hill.is_hill() && Sort::of(hill).is_some_and(|sort| row.lists(sort));
        let text = match (walled, permitted) {
            (false, _) => format!("{}: only a City or a Fort is merged with a hill", pick.name()),
            (true, false) => format!("{}: {} lists no {}", pick.name(), row.name, spoken(hill)),
            (true, true) => format!("{} is one feature, for {} lists both", pick.name(), row.name),
        };
        terms.ask("dba3.area.9", text, walled && permitted);
    }
}
