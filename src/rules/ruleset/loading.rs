//! Reading a ruleset's files and checking that they fit each other and the catalogue.

use super::node::{DataFile, Placed};
use super::{
    ChoiceSetting, NumberSetting, Outcomes, Pace, Passage, Pips, Problem, Retired, Row, Ruleset, Support,
    Tactic, Tactical, Troop, Which,
};
use crate::rules::clauses::Catalogue;
use crate::rules::setting_up::{Deploy, Home, HomeRow};
use crate::rules::settings::{NUMBERS, TYPED, means_something};
use crate::rules::terrain::{TerrainKind, TerrainRow};
use crate::text::{Position, did_you_mean};
use std::collections::{HashMap, HashSet};

/// The texts of a ruleset's files, with the names that its problems carry.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a> {
    /// Troop types.
    pub troops: (&'a str, &'a str),
    /// Support and tactical factors.
    pub support: (&'a str, &'a str),
    /// Outcome table.
    pub outcomes: (&'a str, &'a str),
    /// Settings.
    pub settings: (&'a str, &'a str),
    /// Costs of moves, and command distance.
    pub pips: (&'a str, &'a str),
    /// Kinds of terrain.
    pub terrain: (&'a str, &'a str),
    /// Who may pass through whom.
    pub passage: (&'a str, &'a str),
    /// Home terrains and deployment.
    pub setting_up: (&'a str, &'a str),
}

impl Ruleset {
    /// Reads a ruleset and checks that its parts fit each other and the catalogue.
    ///
    /// # Errors
    /// Every problem of every file.
    pub fn read(files: &Files<'_>, catalogue: &Catalogue) -> Result<Self, Vec<Problem>> {
        let mut file = DataFile::read(files.troops.0, files.troops.1);
        let id: Option<String> = file.one("ruleset");
        let title: Option<String> = file.one("title");
        let troops: Vec<Placed<Troop>> = file.rows("troops");
        let retired: Vec<Placed<Retired>> = file.rows_if_any("retired");
        let paces: Vec<Placed<Pace>> = file.rows("paces");
        let mut by_code = HashMap::new();
        for (n, troop) in troops.iter().enumerate() {
            check_troop(troop, catalogue, &mut file);
            let names =
                std::iter::once(&troop.value.code).chain(&troop.value.listed).chain(&troop.value.also);
            for name in names {
                if by_code.insert(name.clone(), n).is_some() {
                    file.note(troop.at, format!("the code `{name}` is given twice"));
                }
            }
        }
        for pace in &paces {
            for clause in [&pace.value.clause, &pace.value.hindered_clause] {
                check_clause(clause, pace.at, catalogue, &mut file);
            }
        }
        for troop in &troops {
            if !paces.iter().any(|pace| pace.value.who.holds(&troop.value)) {
                file.note(troop.at, format!("`{}` has no pace; give `paces` a row for it", troop.value.code));
            }
        }
        for old in &retired {
            check_clause(&old.value.clause, old.at, catalogue, &mut file);
        }
        let mut problems = file.finish();

        let mut file = DataFile::read(files.settings.0, files.settings.1);
        let choices: Vec<Placed<ChoiceSetting>> = file.rows("choices");
        let numbers: Vec<Placed<NumberSetting>> = file.rows("numbers");
        check_settings(&choices, &numbers, catalogue, &mut file);
        problems.extend(file.finish());
        let choices = values(choices);

        let known = Known { catalogue, codes: &by_code, settings: &choices };
        let mut file = DataFile::read(files.support.0, files.support.1);
        let support: Vec<Placed<Support>> = file.rows("support");
        let tactical: Vec<Placed<Tactical>> = file.rows("tactical");
        for row in &support {
            check_clause(&row.value.clause, row.at, catalogue, &mut file);
            for which in [&row.value.receiver, &row.value.giver, &row.value.against] {
                known.codes(which, row.at, &mut file);
            }
        }
        check_tactical(&tactical, &known, &mut file);
        problems.extend(file.finish());

        let mut file = DataFile::read(files.outcomes.0, files.outcomes.1);
        let [equal, lesser, half] = file.row_groups("outcomes", ["equal", "lesser", "half"]);
        for row in equal.iter().chain(&lesser).chain(&half) {
            known.row(row, &mut file);
        }
        problems.extend(file.finish());

        let mut file = DataFile::read(files.terrain.0, files.terrain.1);
        let terrain: Vec<Placed<TerrainRow>> = file.rows("terrain");
        check_terrain(&terrain, catalogue, &mut file);
        problems.extend(file.finish());

        let mut file = DataFile::read(files.passage.0, files.passage.1);
        let passage: Vec<Placed<Passage>> = file.rows("passage");
        for Placed { at, value: row } in &passage {
            check_clause(&row.clause, *at, catalogue, &mut file);
            for which in [&row.who, &row.through] {
                known.codes(which, *at, &mut file);
            }
            if let Some((id, word)) = &row.only_if {
                known.setting(id, Some(word), *at, &mut file);
            }
        }
        problems.extend(file.finish());

        let mut file = DataFile::read(files.pips.0, files.pips.1);
        let pips = Pips::read(&mut file);
        for which in pips.iter().flat_map(|p| [&p.awkward, &p.spared_on_contact, &p.far]) {
            known.codes(which, Position::START, &mut file);
        }
        problems.extend(file.finish());

        let mut file = DataFile::read(files.setting_up.0, files.setting_up.1);
        let homes: Vec<Placed<HomeRow>> = file.rows("homes");
        let deploy: Option<Deploy> = file.one("deploy");
        check_homes(&homes, catalogue, &mut file);
        for which in deploy.iter().flat_map(|d| [&d.near_sides, &d.near_sides_too, &d.no_landing]) {
            known.codes(which, Position::START, &mut file);
        }
        problems.extend(file.finish());
        match (id, title, pips, deploy) {
            (Some(id), Some(title), Some(pips), Some(deploy)) if problems.is_empty() => Ok(Self {
                id,
                title,
                troops: values(troops),
                retired: values(retired),
                by_code,
                paces: values(paces),
                support: values(support),
                tactical: values(tactical),
                outcomes: Outcomes { equal: values(equal), lesser: values(lesser), half: values(half) },
                choices,
                numbers: values(numbers),
                terrain: values(terrain),
                pips,
                passage: values(passage),
                homes: values(homes),
                deploy,
            }),
            _ => Err(problems),
        }
    }
}

fn values<T>(rows: Vec<Placed<T>>) -> Vec<T> {
    rows.into_iter().map(|row| row.value).collect()
}

fn check_clause(id: &str, at: Position, catalogue: &Catalogue, file: &mut DataFile<'_>) {
    if catalogue.clause(id).is_none() {
        file.note(at, format!("the clause `{id}` is not in the catalogue"));
    }
}

fn check_troop(Placed { at, value: troop }: &Placed<Troop>, catalogue: &Catalogue, file: &mut DataFile<'_>) {
    for id in troop.clauses.iter().chain([&troop.factor_clause, &troop.depth.clause]) {
        check_clause(id, *at, catalogue, file);
    }
    for (least, most) in [troop.depth.small, troop.depth.large] {
        if !(least > 0.0 && least <= most && most.is_finite()) {
            let message =
                format!("`{}` has the depths {least} to {most}; expected 0 < least <= greatest", troop.code);
            file.note(*at, message);
        }
    }
}

/// What rows may name.
struct Known<'a> {
    catalogue: &'a Catalogue,
    codes: &'a HashMap<String, usize>,
    settings: &'a [ChoiceSetting],
}

impl Known<'_> {
    fn codes(&self, which: &Which, at: Position, file: &mut DataFile<'_>) {
        for code in which.codes().into_iter().filter(|&code| !self.codes.contains_key(code)) {
            let near = did_you_mean(code, self.codes.keys().map(String::as_str));
            file.note(at, format!("no troop type has the code `{code}`{near}"));
        }
    }

    fn setting(&self, id: &str, word: Option<&str>, at: Position, file: &mut DataFile<'_>) {
        let Some(setting) = self.settings.iter().find(|s| s.id == id) else {
            let near = did_you_mean(id, self.settings.iter().map(|s| s.id.as_str()));
            file.note(at, format!("no setting is called `{id}`{near}"));
            return;
        };
        if let Some(word) = word.filter(|w| !setting.choices.iter().any(|c| c == w)) {
            let choices = setting.choices.join(", ");
            file.note(at, format!("`{id}` is never `{word}`; expected one of {choices}"));
        }
    }

    fn row(&self, Placed { at, value: row }: &Placed<Row>, file: &mut DataFile<'_>) {
        for id in row.with.iter().chain([&row.clause]) {
            check_clause(id, *at, self.catalogue, file);
        }
        self.codes(&row.of, *at, file);
        for when in &row.when {
            for which in when.selectors() {
                self.codes(which, *at, file);
            }
            for (id, word) in when.settings() {
                self.setting(id, word, *at, file);
            }
        }
    }
}

fn check_tactical(rows: &[Placed<Tactical>], known: &Known<'_>, file: &mut DataFile<'_>) {
    for Placed { at, value: row } in rows {
        check_clause(&row.clause, *at, known.catalogue, file);
        if let Some(which) = &row.spares {
            known.codes(which, *at, file);
        }
    }
    for what in Tactic::ALL {
        let mut given = rows.iter().filter(|t| t.value.what == what);
        match (given.next(), given.next()) {
            (None, _) => file.note(Position::START, format!("the tactical factor `{what:?}` is missing")),
            (Some(_), Some(again)) => {
                file.note(again.at, format!("the tactical factor `{what:?}` is given twice"))
            }
            (Some(_), None) => {}
        }
    }
}

fn check_terrain(rows: &[Placed<TerrainRow>], catalogue: &Catalogue, file: &mut DataFile<'_>) {
    for Placed { at, value: row } in rows {
        for id in row.clauses.iter().chain(row.command.iter().map(|(_, clause)| clause)) {
            check_clause(id, *at, catalogue, file);
        }
        if row.clauses.is_empty() {
            file.note(*at, format!("`{:?}` cites no clause", row.kind));
        }
    }
    for (_, kind) in TerrainKind::ALL {
        let mut given = rows.iter().filter(|row| row.value.kind == kind);
        match (given.next(), given.next()) {
            (None, _) => file.note(Position::START, format!("the terrain `{kind:?}` is missing")),
            (Some(_), Some(again)) => file.note(again.at, format!("the terrain `{kind:?}` is given twice")),
            (Some(_), None) => {}
        }
    }
}

fn check_homes(rows: &[Placed<HomeRow>], catalogue: &Catalogue, file: &mut DataFile<'_>) {
    for Placed { at, value: row } in rows {
        for clause in [&row.compulsory.clause, &row.optional.clause] {
            check_clause(clause, *at, catalogue, file);
        }
        let senseless =
            row.compulsory.ways.iter().any(|w| w.of.is_empty() || w.least == 0 || w.most < w.least);
        if senseless || row.compulsory.ways.is_empty() {
            file.note(*at, format!("{} has compulsory features that nobody can choose", row.name));
        }
        let strange = row.optional.pairs.iter().find(|(a, b)| !row.lists(*a) || !row.lists(*b));
        if let Some((a, b)) = strange {
            file.note(*at, format!("{} pairs {a:?} and {b:?}, which it does not list", row.name));
        }
    }
    for home in Home::ALL {
        let mut given = rows.iter().filter(|row| row.value.home == home);
        match (given.next(), given.next()) {
            (None, _) => file.note(Position::START, format!("the home terrain {} is missing", home.name())),
            (Some(_), Some(again)) => {
                file.note(again.at, format!("the home terrain {} is given twice", home.name()))
            }
            (Some(_), None) => {}
        }
    }
}

fn check_settings(
    choices: &[Placed<ChoiceSetting>],
    numbers: &[Placed<NumberSetting>],
    catalogue: &Catalogue,
    file: &mut DataFile<'_>,
) {
    let mut seen = HashSet::new();
    let ids = choices.iter().map(|s| (s.at, &s.value.id)).chain(numbers.iter().map(|s| (s.at, &s.value.id)));
    for (at, id) in ids {
        if !seen.insert(id.as_str()) {
            file.note(at, format!("the setting `{id}` is given twice"));
        }
    }
    for Placed { at, value: setting } in choices {
        for word in [Some(&setting.default), setting.community.as_ref()].into_iter().flatten() {
            if !setting.choices.contains(word) {
                let choices = setting.choices.join(", ");
                file.note(*at, format!("`{}` cannot be `{word}`; expected one of {choices}", setting.id));
            }
        }
        for word in setting.choices.iter().filter(|word| !means_something(&setting.id, word)) {
            file.note(
                *at,
                format!("`{}` has the choice `{word}`, which this program does not know", setting.id),
            );
        }
        for id in setting.clauses.iter().chain(&setting.amends) {
            check_clause(id, *at, catalogue, file);
        }
    }
    for Placed { at, value: setting } in numbers {
        let NumberSetting { id, least, most, default, .. } = setting;
        if !(least..=most).contains(&default) {
            file.note(*at, format!("`{id}` has the default {default}; expected {least} to {most}"));
        }
        for clause in &setting.clauses {
            check_clause(clause, *at, catalogue, file);
        }
    }
    for id in TYPED.iter().chain(NUMBERS).filter(|id| !seen.contains(**id)) {
        file.note(Position::START, format!("the setting `{id}` is missing"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::{DBA3, list};
    use super::*;

    fn broken(files: Files<'_>) -> Vec<Problem> {
        Ruleset::read(&files, Catalogue::embedded()).expect_err("a broken ruleset")
    }

    #[test]
    fn every_wrong_row_is_told_with_its_line_and_column() {
        let text = DBA3.troops.1;
        let bad = text
            .replacen("code: \"El\", name", "code: \"El\", nmae", 1)
            .replacen("kind: Cavalry", "kind: Cavalrie", 1)
            .replacen("figures: 2", "figures: many", 1)
            .replacen("\"dba3.fac.25\"", "\"dba3.fac.99\"", 1)
            .replacen("code: \"4Bd\"", "code: \"4Sp\"", 1)
            .replacen("title:", "titel:", 1);
        let problems = broken(Files { troops: ("troops.ron", &bad), ..DBA3 });
        let told = list(&problems);
        for said in [
            "nmae",
            "Cavalrie",
            "\"many\"",
            "dba3.fac.99",
            "`4Sp` is given twice",
            "`titel`",
            "`title` is missing",
        ] {
            assert!(told.contains(said), "{said} is not in\n{told}");
        }
        let line = |what: &str| bad.lines().position(|l| l.contains(what)).expect("a line") + 1;
        let at = |what: &str| problems.iter().find(|p| p.message.contains(what)).expect("a problem");
        assert_eq!(at("Cavalrie").line, line("Cavalrie"));
        let column = bad.lines().nth(line("nmae") - 1).and_then(|l| l.find("nmae")).expect("a column") + 1;
        assert_eq!((at("nmae").line, at("nmae").column), (line("nmae"), column));
    }

    #[test]
    fn rows_that_name_what_is_not_there_are_told() {
        let outcomes = DBA3
            .outcomes
            .1
            .replacen("Code(\"4Kn\")", "Code(\"9Kn\")", 1)
            .replacen("\"kill-going-owner\"", "\"kill-going-ownr\"", 1)
            .replacen("\"flee\"", "\"fly\"", 1)
            .replacen("fate: Recoil", "fate: Bounce", 1);
        let settings = DBA3.settings.1.replacen("default: 2.0", "default: 40.0", 1).replacen(
            "id: \"tz-off-in-combat\"",
            "id: \"tz-off\"",
            1,
        );
        let told =
            list(&broken(Files { outcomes: ("o.ron", &outcomes), settings: ("s.ron", &settings), ..DBA3 }));
        for said in [
            "`9Kn`",
            "kill-going-ownr",
            "never `fly`",
            "Bounce",
            "default 40",
            "`tz-off-in-combat` is missing",
        ] {
            assert!(told.contains(said), "{said} is not in\n{told}");
        }
    }

    #[test]
    fn costs_that_are_missing_or_senseless_are_told() {
        let pips = DBA3.pips.1.replacen("command_bw: 8.0", "command_bw: -8.0", 1).replacen(
            "far: Kind(LightHorse)",
            "far: Code(\"9LH\")",
            1,
        );
        let told = list(&broken(Files { pips: ("p.ron", &pips), ..DBA3 }));
        assert!(told.contains("`command_bw` is -8") && told.contains("`9LH`"), "{told}");
        let pips = DBA3.pips.1.replacen("hidden_bw: 4.0,", "", 1);
        assert!(list(&broken(Files { pips: ("p.ron", &pips), ..DBA3 })).contains("`hidden_bw` is missing"));
    }

    #[test]
    fn terrain_that_is_missing_doubled_or_without_a_clause_is_told() {
        let terrain = DBA3
            .terrain
            .1
            .replacen("kind: Marsh", "kind: Wood", 1)
            .replacen("clauses: [\"dba3.fort.1\"]", "clauses: []", 1)
            .replacen("dba3.pip.13", "dba3.pip.99", 1)
            .replacen("\"dba3.pip.14\")], general: Cut", "\"dba3.pip.14\")], general: Deaf", 1);
        let told = list(&broken(Files { terrain: ("t.ron", &terrain), ..DBA3 }));
        for said in ["`Marsh` is missing", "`Fort` cites no clause", "dba3.pip.99", "Deaf"] {
            assert!(told.contains(said), "{said} is not in\n{told}");
        }
    }

    #[test]
    fn a_torn_file_is_told_and_nothing_panics() {
        let text = DBA3.outcomes.1;
        for cut in (0..text.len()).step_by(997) {
            let torn = text.get(..cut).unwrap_or_default();
            assert!(!broken(Files { outcomes: ("o.ron", torn), ..DBA3 }).is_empty());
        }
        let other = DBA3.support.1.replacen("schema: 1", "schema: 2", 1);
        assert!(list(&broken(Files { support: ("p.ron", &other), ..DBA3 })).contains("p.ron:3:5: schema 2"));
    }
}
