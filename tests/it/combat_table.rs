//! The combat table of DBA 3.0: every pair of troop types, 36 pairs of dice, outcomes counted. Good
//! going, no general but those who always are, no support beside a double element's own, no overlap.
//!
//! `tests/combat/dba3.csv` is the golden table; `GROMA_BLESS=1` writes it anew. The cells of the second
//! test were worked out by hand and from published odds, not by this program.

use groma::drawing::matrix_page;
use groma::rules::combat::{
    CalculatorError, Cell, Conditions, Entry, Mode, Stronghold, brief, calculate, matrix,
};
use groma::rules::ruleset::Fate;
use groma::rules::{Settings, notation};
use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

fn odds(settings: &Settings, a: &str, b: &str) -> groma::rules::combat::Odds {
    let text = format!("A {a} red (5,5)-(6,5) N; E {b} blue (6,5)-(5,5) S");
    let setup = notation::read_setup(&text, settings.ruleset()).expect("two elements");
    brief(&setup, settings, &Conditions::default(), "A", "E").expect("a combat").odds()
}

#[test]
fn the_combat_table_is_as_written() {
    let settings = Settings::dba3();
    let mut table = String::from(
        "a,b,a_doubles,a_wins,equal,b_wins,b_doubles,a_none,a_recoil,a_flee,a_destroyed,b_none,b_recoil,b_flee,b_destroyed\n",
    );
    for a in settings.ruleset().troops() {
        for b in settings.ruleset().troops() {
            let o = odds(&settings, &a.code, &b.code);
            let counts = [o.a_doubles, o.a_wins, o.equal, o.b_wins, o.b_doubles];
            let fates = Fate::ALL.iter().map(|&f| o.of_a(f)).chain(Fate::ALL.iter().map(|&f| o.of_b(f)));
            let _ = write!(table, "{},{}", a.code, b.code);
            for count in counts.into_iter().chain(fates) {
                let _ = write!(table, ",{count}");
            }
            table.push('\n');
        }
    }
    compare("tests/combat/dba3.csv", &table);
}

/// Every outcome of the matrix, a line for each pair, combat and result: nine letters for the loser's going and,
/// within it, the winner's.
#[test]
fn the_outcome_matrix_is_as_written() {
    let settings = Settings::dba3();
    let cells = matrix(&settings).expect("a matrix");
    let mut table = String::from("loser,winner,combat,result,outcomes\n");
    let of = |c: &Cell<'_>| (c.loser.code.clone(), c.winner.code.clone(), c.combat.word(), c.result.word());
    for nine in cells.chunks(9) {
        assert!(nine.iter().all(|c| of(c) == of(&nine[0])), "nine goings follow each other");
        let letters: String = nine.iter().map(|c| &c.fate.fate.word()[..1]).collect();
        let (loser, winner, combat, result) = of(&nine[0]);
        let _ = writeln!(table, "{loser},{winner},{combat},{result},{letters}");
    }
    compare("tests/combat/outcomes.csv", &table);
    compare("docs/outcomes.html", &format!("{}\n", matrix_page(&cells, settings.name())));
}

fn compare(file: &str, table: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if env::var_os("GROMA_BLESS").is_some() {
        fs::write(&path, table).expect("a writable table");
    }
    let golden = fs::read_to_string(&path).expect(file).replace("\r\n", "\n");
    let differing: Vec<String> = golden
        .lines()
        .zip(table.lines())
        .filter(|(was, is)| was != is)
        .map(|(was, is)| format!("was {was}\n is {is}"))
        .collect();
    assert!(differing.is_empty(), "{} rows differ:\n{}", differing.len(), differing.join("\n"));
    assert_eq!(golden.lines().count(), table.lines().count(), "number of rows");
}

/// How often the first destroys the second, of 36. The published kill table of the first edition, right
/// where factors and rows are the same in 3.0; three cells add what 3.0 adds, as noted.
const KILLS: &[(&str, &str, u8)] = &[
    ("4Sp", "4Sp", 1),
    ("4Sp", "4Bd", 0),
    ("4Sp", "3Kn", 4),
    ("4Sp", "4Wb", 4),
    ("4Sp", "4Pk", 4),
    ("4Bd", "4Sp", 2),
    ("4Bd", "4Bd", 0),
    ("4Bd", "Cv", 2),
    // 2 doubled, and 6 equal totals destroy Knights (dba3.eq.4).
    ("4Bd", "3Kn", 8),
    ("4Bd", "4Wb", 6),
    ("4Bd", "4Pk", 6),
    ("Cv", "4Sp", 0),
    ("Cv", "4Bd", 2),
    ("Cv", "Cv", 2),
    ("Cv", "3Kn", 0),
    ("Cv", "4Wb", 6),
    ("Cv", "4Pk", 0),
    ("3Kn", "4Sp", 10),
    // Knights destroy Blades they beat at all in 3.0 (dba3.less.19): all 15.
    ("3Kn", "4Bd", 15),
    ("3Kn", "Cv", 4),
    ("3Kn", "3Kn", 1),
    ("3Kn", "4Wb", 21),
    ("3Kn", "4Pk", 10),
    ("4Wb", "4Sp", 10),
    ("4Wb", "4Bd", 6),
    ("4Wb", "Cv", 1),
    ("4Wb", "3Kn", 1),
    ("4Wb", "4Wb", 2),
    ("4Wb", "4Pk", 15),
    ("4Pk", "4Sp", 0),
    ("4Pk", "4Bd", 0),
    ("4Pk", "3Kn", 4),
    ("4Pk", "4Wb", 2),
    ("4Pk", "4Pk", 2),
    // By hand: Cavalry doubled by Spears flee, by Auxilia die; Bows beaten by horse die.
    ("4Sp", "Cv", 0),
    ("4Ax", "Cv", 2),
    ("LH", "4Bw", 6),
    ("Ps", "El", 3),
    ("LH", "3Kn", 6),
    ("El", "3Kn", 15),
    ("3Kn", "El", 1),
    // 4 doubled, and 5 equal totals against longbows or a command post (dba3.eq.3, dba3.set.65).
    ("4Lb", "3Kn", 9),
    ("7Hd", "4Sp", 0),
    ("4Wb", "7Hd", 15),
    ("3Kn", "CP", 0),
    ("CP", "3Kn", 9),
];

/// Won, equal and lost of 36 by the difference of factors, published and checked: 26/4/6 at +2 and so on.
const BY_DIFFERENCE: &[(&str, &str, (u8, u8, u8))] = &[
    ("3Kn", "LH", (26, 4, 6)),
    ("3Kn", "Cv", (21, 5, 10)),
    ("3Kn", "4Sp", (10, 5, 21)),
    ("El", "4Sp", (21, 5, 10)),
    ("El", "Ps", (30, 3, 3)),
    ("4Bd", "Ps", (30, 3, 3)),
    ("4Bd", "4Bw", (30, 3, 3)),
    ("Cv", "Den", (30, 3, 3)),
    ("El", "CF", (35, 1, 0)),
    ("Art", "4Bd", (10, 5, 21)),
    ("8Sp", "4Bd", (15, 6, 15)),
    ("6Bd", "4Sp", (26, 4, 6)),
    ("LCm", "SCh", (6, 4, 26)),
    ("WWg", "El", (10, 5, 21)),
    ("Lit", "4Ax", (30, 3, 3)),
];

#[test]
fn cells_worked_out_by_hand_agree() {
    let settings = Settings::dba3();
    let mut wrong = Vec::new();
    for &(a, b, kills) in KILLS {
        let found = odds(&settings, a, b).of_b(Fate::Destroyed);
        if found != kills {
            wrong.push(format!("{a} destroys {b}: by hand {kills}, found {found}"));
        }
    }
    for &(a, b, expected) in BY_DIFFERENCE {
        let o = odds(&settings, a, b);
        let found = (o.a_doubles + o.a_wins, o.equal, o.b_doubles + o.b_wins);
        if found != expected {
            wrong.push(format!("{a} against {b}: by hand {expected:?}, found {found:?}"));
        }
    }
    assert!(KILLS.len() + BY_DIFFERENCE.len() >= 40);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn doubling_follows_the_published_steps() {
    // Equal odd factors 5 against 5 (Blades), then 4, 3, 2, 1 by the opponent's losses: 0, 2, 6, 12, 18.
    let settings = Settings::dba3();
    let with_overlaps = |refused: &str| {
        let text = format!("A 4Bd red (5,5)-(6,5) N; E 4Bd blue (6,5)-(5,5) S{refused}");
        let setup = notation::read_setup(&text, settings.ruleset()).expect("a setup");
        brief(&setup, &settings, &Conditions::default(), "A", "E").expect("a combat").odds().a_doubles
    };
    let left = "; L 4Bd red (4,5)-(5,5) N";
    let right = "; R 4Bd red (6,5)-(7,5) N";
    let rear = "; P Ps red (6,5.375)-(5,5.375) S";
    assert_eq!(with_overlaps(""), 0);
    assert_eq!(with_overlaps(left), 2);
    assert_eq!(with_overlaps(&format!("{left}{right}")), 6);
    assert_eq!(with_overlaps(&format!("{left}{right}{rear}")), 12);
}

#[test]
fn the_calculator_tells_what_does_not_count_and_reads_codes_and_dice_as_people_write_them() {
    let run = |args: &[&str]| {
        let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_groma"));
        let out = program.arg("combat").args(args).output().expect("the program runs");
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let json =
        |args: &[&str]| -> serde_json::Value { serde_json::from_str(&run(args)).expect("one JSON object") };
    let value = json(&["Ps", "4Bd", "--a-overlapped", "1", "--json"]);
    assert_eq!((&value["notes"][0]["of"], &value["notes"][0]["clause"]), (&"a".into(), &"dba3.ovl.4".into()));
    assert!(run(&["Ps", "4Bd", "--a-overlapped", "1"]).contains("(dba3.ovl.4)"));
    assert_eq!(json(&["4Bd", "4Bd", "--a-overlapped", "1", "--json"])["notes"], serde_json::json!([]));
    for dice in ["4,2", "4, 2", "4 2", " 4 ,2"] {
        let value = json(&["4Sp", "2Ps", "--dice", dice, "--json"]);
        assert_eq!(value["thrown"]["dice"], serde_json::json!([4, 2]), "{dice}");
        assert_eq!((&value["a"]["code"], &value["b"]["code"]), (&"Sp".into(), &"Ps".into()));
    }
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_groma"));
    let out = program.arg("matrix").output().expect("the program runs");
    let matrix = String::from_utf8_lossy(&out.stdout).into_owned();
    let codes: std::collections::BTreeSet<&str> =
        matrix.lines().skip(1).filter_map(|line| line.split(',').next()).collect();
    assert!(codes.len() > 40, "{codes:?}");
    for code in codes {
        assert_eq!(json(&[code, "Cv", "--json"])["a"]["code"], code, "a code of the matrix");
    }
}

/// `groma combat --json`, with the published odds of factors 4 and 2 (W1.1) and with dice.
#[test]
fn the_calculator_prints_what_it_reckons() {
    let run = |args: &[&str]| {
        let out = std::process::Command::new(env!("CARGO_BIN_EXE_groma"))
            .arg("combat")
            .args(args)
            .output()
            .expect("the program runs");
        (out.status.code(), String::from_utf8_lossy(&out.stdout).into_owned())
    };
    let (code, text) = run(&["3Kn", "LH", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&text).expect("one JSON object");
    assert_eq!(code, Some(0));
    let odds = ["a_doubles", "a_wins", "equal", "b_wins", "b_doubles"].map(|k| value["odds"][k].as_u64());
    assert_eq!(odds, [9, 17, 4, 6, 0].map(Some));
    assert_eq!((&value["a"]["base"], &value["a"]["total"]), (&4.into(), &4.into()));
    assert_eq!(value["outcomes"]["b_wins"]["outcome"], "destroyed");
    assert_eq!(value["outcomes"]["b_wins"]["clause"], "dba3.less.10");

    let (_, text) =
        run(&["4Sp", "4Bd", "--b-overlapped", "1", "--a-going", "bad", "--dice", "6,1", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&text).expect("one JSON object");
    assert_eq!((&value["a"]["total"], &value["b"]["total"]), (&2.into(), &4.into()));
    assert_eq!(value["b"]["modifiers"][0]["clause"], "dba3.tac.11");
    assert_eq!(value["thrown"]["totals"], serde_json::json!([8, 5]));
    assert_eq!(value["thrown"]["b"]["outcome"], "recoil");

    let wrong: &[&[&str]] = &[
        &["4Bd", "Ps", "--dice", "7,1"],
        &["4Bd", "Ps", "--dice", "4"],
        &["4Bd", "Ps", "--dice", "4,2,1"],
        &["4Bd", "4Bx"],
        &["Ps", "4Bd", "--shooting"],
        &["4Bd", "4Bd", "--a-uphill", "--b-uphill"],
        &["4Bd", "4Bd", "--a-in", "camp", "--a-bank"],
    ];
    for wrong in wrong {
        assert_eq!(run(wrong).0, Some(2), "{wrong:?}");
    }
}

#[test]
fn troops_are_refused_where_the_clauses_keep_their_type_out() {
    let settings = Settings::dba3();
    let entry = |code: &str, holds| Entry { code: code.to_owned(), holds, ..Entry::default() };
    let clause = |a: &Entry, b: &Entry| match calculate(&settings, a, b, Mode::CloseCombat) {
        Err(CalculatorError::Contradiction { clause, .. }) => Some(clause),
        Err(other) => panic!("{other}"),
        Ok(_) => None,
    };
    let (camp, city, fort) = (Some(Stronghold::Camp), Some(Stronghold::City), Some(Stronghold::Fort));
    let blades = entry("4Bd", None);
    for (code, in_camp, in_walls) in [
        // dba3.camp.11 names Elephants and Scythed Chariots, dba3.city.23 War Wagons too; a Fort keeps nobody out unless
        // dba3.set.14 is set so.
        ("El", true, true),
        ("SCh", true, true),
        ("WWg", false, true),
        ("4Bd", false, false),
        ("3Kn", false, false),
        ("Art", false, false),
    ] {
        let of = |place| clause(&entry(code, place), &blades);
        assert_eq!(of(camp), in_camp.then_some("dba3.camp.11"), "{code}");
        assert_eq!(of(city), in_walls.then_some("dba3.city.23"), "{code}");
        assert_eq!(of(fort), None, "{code}");
        // The same the other way round.
        assert_eq!(clause(&blades, &entry(code, camp)), in_camp.then_some("dba3.camp.11"), "{code}");
    }
    // Who may not contact one: dba3.con.15 excepts Scythed Chariots, dba3.con.13 Artillery and CP, Lit, CWg from every
    // contact; a War Wagon may be a mobile tower (dba3.con.14), Elephants and all others may.
    for (code, why) in [
        ("SCh", Some("dba3.con.15")),
        ("Art", Some("dba3.con.13")),
        ("CP", Some("dba3.con.13")),
        ("WWg", None),
        ("El", None),
        ("4Wb", None),
    ] {
        assert_eq!(clause(&entry(code, None), &entry("4Bd", camp)), why, "{code}");
        assert_eq!(clause(&entry("4Bd", city), &entry(code, None)), why, "{code}");
    }
}
