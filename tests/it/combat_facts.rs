//! What a combat's figures hang on is settled by agreeing on it: support, overlap, slope, bank, and who keeps whom from
//! recoiling, each on both sides of its limit, inside the plus-minus, and agreed either way.
//!
//! Bases of 40 mm; a condition that is 0.2 mm from its limit is open where poses are known to 0.3 mm either way.

use groma::geometry::PoseEstimate;
use groma::judge::{JudgedDue, Measured, judge_due};
use groma::rules::due::{Engagement, Told};
use groma::rules::facts::Fact;
use groma::rules::ruleset::Fate;
use groma::rules::{Bound, Element, Settings, Side, notation};
use nalgebra::{Matrix3, Vector3};

fn measured(text: &str, own_mm: f64) -> Measured {
    let setup = notation::read_setup(text, Settings::dba3().ruleset()).expect("a setup");
    let variance = own_mm * own_mm;
    let known = |e: &Element| PoseEstimate {
        pose: e.footprint.pose(),
        covariance: Matrix3::from_diagonal(&Vector3::new(variance, variance, 1e-9)),
        shared: Vec::new(),
    };
    let found = setup.elements.iter().map(|e| (e.clone(), known(e))).collect();
    let mut measured = Measured::from_poses(setup.scale, setup.board_mm, found);
    measured.setup.ground = setup.ground;
    measured
}

fn judged(measured: &Measured) -> JudgedDue {
    judge_due(measured, &Settings::dba3(), &Bound::new(3, Side::Red), &Told::default())
}

/// A table by how far a condition holds, millimetres: below zero it fails.
struct Limit<'t> {
    table: &'t dyn Fn(f64) -> String,
    /// How far from the limit is clear where poses are known to 0.05 mm.
    clear_mm: f64,
    facts: [&'t str; 2],
    /// Whether the combat's figures are those of the condition that holds.
    holds: &'t dyn Fn(&Engagement) -> bool,
}

/// Whether the first combat hangs on a matter that one of these facts settles.
fn hangs(found: &JudgedDue, facts: [&str; 2]) -> bool {
    let figures = found.combats[0].figures.as_ref().expect("in the open");
    let named = |pair: &[Fact; 2]| pair.each_ref().map(ToString::to_string) == facts;
    figures.open.iter().any(|open| open.to_settle.as_ref().is_some_and(named))
}

fn settled_by(limit: &Limit<'_>) {
    let settings = Settings::dba3();
    for (mm, holds) in [(limit.clear_mm, true), (-limit.clear_mm, false)] {
        let found = judged(&measured(&(limit.table)(mm), 0.05));
        assert_eq!((limit.holds)(&found.due.combats[0]), holds, "{:?} at {mm}", limit.facts);
        assert!(!hangs(&found, limit.facts), "{:?} at {mm} is clear", limit.facts);
    }
    for mm in [-0.2, 0.2] {
        let close = measured(&(limit.table)(mm), 0.3);
        let found = judged(&close);
        let figures = found.combats[0].figures.as_ref().expect("in the open");
        assert!(figures.too_close() && hangs(&found, limit.facts), "{:?} at {mm}: {figures:?}", limit.facts);
        assert_eq!((limit.holds)(&found.due.combats[0]), mm > 0.0, "{:?} at {mm}", limit.facts);
        for (text, holds) in limit.facts.into_iter().zip([true, false]) {
            let fact = notation::read_fact(text).expect("a fact");
            let agreed = close.agreed(&settings, &[fact]).expect("agreed");
            for table in [agreed.clone(), agreed.in_lines(&settings)] {
                let found = judged(&table);
                let lines = table.is_joined();
                assert_eq!((limit.holds)(&found.due.combats[0]), holds, "{text} at {mm}, lines {lines}");
                assert!(!hangs(&found, limit.facts), "{text} at {mm}, lines {lines}");
            }
        }
    }
}

fn totals(combat: &Engagement) -> (i32, i32) {
    (combat.brief.a.total(), combat.brief.b.total())
}

const DUEL: &str = "A 4Bd red (200,200)-(240,200)mm N d15mm; E 4Bd blue (240,200)-(200,200)mm S d15mm";

#[test]
fn support() {
    // Corners may be 1 mm off. Pikes have 3, and 3 more with Pikes behind them.
    settled_by(&Limit {
        table: &|mm| {
            format!(
                "A 4Pk red (200,200)-(240,200)mm N d15mm; B 4Pk red ({},185)-({},185)mm N d15mm; \
                 E 4Bd blue (240,200)-(200,200)mm S d15mm",
                201.0 - mm,
                241.0 - mm
            )
        },
        clear_mm: 0.7,
        facts: ["supports B A", "no-support B A"],
        holds: &|combat| match totals(combat) {
            (6, 5) => true,
            (3, 5) => false,
            other => panic!("{other:?}"),
        },
    });
}

#[test]
fn overlap() {
    // Corners that are no more than 1 mm apart touch.
    settled_by(&Limit {
        table: &|mm| format!("{DUEL}; B 4Bd red at ({},192.5)mm 90deg w40mm d15mm", 261.0 - mm),
        clear_mm: 0.7,
        facts: ["overlaps B E", "no-overlap B E"],
        holds: &|combat| match totals(combat) {
            (5, 4) => true,
            (5, 5) => false,
            other => panic!("{other:?}"),
        },
    });
}

#[test]
fn an_overlap_that_hangs_on_whether_the_one_beside_is_engaged() {
    // B's corner is on E's; F is in front of B, or 1.1 mm off.
    let text = format!(
        "{DUEL}; B 4Bd red (240,200)-(280,200)mm N d15mm; F 4Bd blue (280,201.1)-(240,201.1)mm S d15mm"
    );
    let close = measured(&text, 0.1);
    let found = judged(&close);
    assert!(hangs(&found, ["contact F B", "apart F B"]), "{:?}", found.combats[0].figures);
    assert!(!hangs(&found, ["overlaps B E", "no-overlap B E"]), "B touches E all the same");
    for (text, right) in [("contact F B", (5, 5)), ("apart F B", (5, 4))] {
        let fact = notation::read_fact(text).expect("a fact");
        let agreed = close.agreed(&Settings::dba3(), &[fact]).expect("agreed");
        assert_eq!(totals(&judged(&agreed).due.combats[0]), right, "{text}");
    }
}

#[test]
fn uphill() {
    // The rim is so far below E's front edge.
    settled_by(&Limit {
        table: &|mm| {
            format!(
                "ground gentle-hill H (40,{0})-(560,{0})-(560,440)-(40,440)mm crest (80,320)-(520,320)mm\n{DUEL}",
                200.0 - mm
            )
        },
        clear_mm: 3.0,
        facts: ["uphill E A", "not-uphill E A"],
        holds: &|combat| match totals(combat) {
            (5, 6) => true,
            (5, 5) => false,
            other => panic!("{other:?}"),
        },
    });
}

#[test]
fn bank() {
    // The river's near bank is so far before A's front edge; E stands in the water.
    settled_by(&Limit {
        table: &|mm| {
            let y = 220.0 + mm;
            format!("ground river R (0,{y})-(600,{y})mm w1 state=slowing\n{DUEL}")
        },
        clear_mm: 3.0,
        facts: ["bank A E", "no-bank A E"],
        holds: &|combat| combat.brief.a.modifiers.iter().any(|m| m.clause == "dba3.tac.9" && m.value > 0),
    });
}

#[test]
fn pinned() {
    // F's front edge is 1 mm or less from A's rear corner, half a base aside.
    settled_by(&Limit {
        table: &|mm| format!("{DUEL}; F 4Bd blue (220,{0})-(260,{0})mm N d15mm", 184.0 + mm),
        clear_mm: 0.7,
        facts: ["pins F A", "no-pin F A"],
        holds: &|combat| {
            assert_eq!(totals(combat), (5, 5));
            combat.odds.of_a(Fate::Recoil) == 0
        },
    });
}

#[test]
fn facts_name_friends_and_enemies_as_they_must() {
    let table = measured(&format!("{DUEL}; B 4Bd red (240,200)-(280,200)mm N d15mm"), 0.3);
    let agree = |text: &str| {
        let fact = notation::read_fact(text).expect("a fact");
        table.agreed(&Settings::dba3(), &[fact]).map(|_| ()).map_err(|why| why.to_string())
    };
    assert!(agree("supports E A").expect_err("enemies").contains("of one side"));
    assert!(agree("supports A A").expect_err("one element").contains("of one side"));
    assert!(agree("overlaps B A").expect_err("friends").contains("of different sides"));
    assert!(agree("storms A Ur").expect_err("no City").contains("Ur"));
    assert!(agree("pins B Z").expect_err("nobody").contains("`Z`"));
    assert_eq!(agree("supports B A"), Ok(()));
}
