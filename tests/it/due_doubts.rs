//! What is due on a measured table is yes, no or too close to call: each kind of bar on both sides of its limit and
//! inside the plus-minus, and the facts that settle it.
//!
//! Bases of 40 mm; each pose is known to 0.3 mm either way, on its own. A condition that is 0.2 mm from its limit is open,
//! one that is 3 mm from it is clear.

use groma::geometry::{PoseEstimate, normal_cdf};
use groma::judge::{Certainty, Doubt, JudgedDue, Measured, PLACINGS, Verdict, judge_due};
use groma::rules::due::{Claim, Told};
use groma::rules::facts::Fact;
use groma::rules::{Bound, Element, Settings, Side, notation};
use nalgebra::{Matrix3, Vector3};

const OWN_MM: f64 = 0.3;

fn measured(text: &str, own_mm: f64) -> Measured {
    let setup = notation::read_setup(text, Settings::dba3().ruleset()).expect("a setup");
    let known = |e: &Element| PoseEstimate {
        pose: e.footprint.pose(),
        covariance: Matrix3::from_diagonal(&Vector3::new(
            own_mm * own_mm,
            own_mm * own_mm,
            if own_mm > 0.0 { 1e-9 } else { 0.0 },
        )),
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

fn shot(shooter: &str, target: &str) -> Claim {
    Claim::Shot(shooter.to_owned(), target.to_owned())
}

/// Within four sigmas of what a share of so many placings can be off, and half of what the placings' own turning does.
fn near(found: f64, right: f64) -> bool {
    (found - right).abs() < 4.0 * (right * (1.0 - right) / PLACINGS as f64).sqrt()
}

/// A table by how far the condition holds, millimetres: below zero it fails.
struct Limit<'t> {
    table: &'t dyn Fn(f64) -> String,
    claim: Claim,
    /// The clause that it hangs on.
    clause: &'t str,
    /// One sigma of what decides, in those of one pose.
    sigmas: f64,
}

/// Clear on both sides, open between with the share and the figure that it must have, and settled by either fact.
fn holds_at(limit: &Limit<'_>) {
    let said = |mm: f64| judged(&measured(&(limit.table)(mm), OWN_MM));
    let (clause, claim) = (limit.clause, &limit.claim);
    assert_eq!(said(3.0).verdict(claim), Verdict::Yes, "{clause}: 3 mm inside");
    assert_eq!(said(-3.0).verdict(claim), Verdict::No, "{clause}: 3 mm outside");
    for mm in [-0.2, 0.2] {
        let table = measured(&(limit.table)(mm), OWN_MM);
        let found = judged(&table);
        let Verdict::TooClose { probability, .. } = found.verdict(claim) else {
            panic!("{clause} at {mm}: {:?}", found.verdict(claim))
        };
        let right = normal_cdf(mm / (limit.sigmas * OWN_MM));
        assert!(near(probability, right), "{clause} at {mm}: {probability} for {right}");
        let doubt: &Doubt = found.doubt(claim).expect("a doubt");
        let hang = doubt.hangs_on.iter().find(|h| h.clause == clause);
        let hang = hang.unwrap_or_else(|| panic!("{clause} at {mm}: {:?}", doubt.hangs_on));
        let (figure, sigma) = hang.margin_mm.expect("a figure");
        assert!((figure - mm).abs() < 1e-6, "{clause} at {mm}: {figure}");
        assert!((sigma / (limit.sigmas * OWN_MM) - 1.0).abs() < 0.15, "{clause}: sigma {sigma}");
        assert!(hang.binding.is_some(), "{clause} binds something");
        let facts = hang.to_settle.clone().expect("two facts");
        for (fact, verdict) in facts.into_iter().zip([Verdict::Yes, Verdict::No]) {
            settles(&table, claim, &fact, verdict);
        }
    }
}

fn settles(table: &Measured, claim: &Claim, fact: &Fact, verdict: Verdict) {
    let agreed = table.agreed(&Settings::dba3(), std::slice::from_ref(fact)).expect("agreed");
    assert_eq!(judged(&agreed).verdict(claim), verdict, "{fact}");
}

const SHOOTER: &str = "A 4Bw red (5,5)-(6,5) N";

#[test]
fn a_line_past_a_third_base() {
    // E straight ahead: the line between right and left ends is x = 240 mm. B lies beside it, its middle 7.5 mm behind y = 240:
    // the line is there at 0.594 of A's sigma and 0.406 of E's.
    let share: f64 = 32.5 / 80.0;
    holds_at(&Limit {
        table: &|mm| {
            format!(
                "{SHOOTER}; E 4Bd blue (6,7)-(5,7) S; B Ps red ({},240)-({},240)mm N d15mm",
                240.0 + mm,
                280.0 + mm
            )
        },
        claim: shot("A", "E"),
        clause: "dba3.sht.25",
        sigmas: (1.0 + share.powi(2) + (1.0 - share).powi(2)).sqrt(),
    });
}

#[test]
fn range() {
    // 3 BW are 120 mm.
    holds_at(&Limit {
        table: &|mm| format!("{SHOOTER}; E 4Bd blue (240,{0})-(200,{0})mm S", 320.0 - mm),
        claim: shot("A", "E"),
        clause: "dba3.sht.2",
        sigmas: 2f64.sqrt(),
    });
}

#[test]
fn half_an_edge_in_the_arc() {
    // The arc ends 1 BW beside the base, at x = 280 mm; half an edge is 20 mm.
    holds_at(&Limit {
        table: &|mm| format!("{SHOOTER}; E 4Bd blue ({},260)-({},260)mm S", 300.0 - mm, 260.0 - mm),
        claim: shot("A", "E"),
        clause: "dba3.sht.6",
        sigmas: 2f64.sqrt(),
    });
}

#[test]
fn cover_in_the_way() {
    // Half a base width of wood bars nothing. The wood begins at y = 240 mm, under E's left end alone: the longest line
    // there comes from A's left end, 40 mm beside, and of it lies in the wood what lies beyond.
    let through = |depth: f64, aside: f64, behind: f64| {
        depth * (40.0 + aside).hypot(40.0 + depth + behind) / (40.0 + depth + behind)
    };
    let depth = |mm: f64| {
        let (mut low, mut high) = (0.0, 40.0);
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if through(middle, 0.0, 0.0) < 20.0 - mm { low = middle } else { high = middle }
        }
        low
    };
    let at = depth(0.0);
    let slope = |(d, a, b): (f64, f64, f64)| (through(at + d, a, b) - through(at - d, -a, -b)) / 2e-3;
    let (of_e, aside, of_a) = (slope((1e-3, 0.0, 0.0)), slope((0.0, 1e-3, 0.0)), slope((0.0, 0.0, 1e-3)));
    holds_at(&Limit {
        table: &|mm| {
            let y = 240.0 + depth(mm);
            format!("ground wood W box (5.625,6)-(9,9)\n{SHOOTER}; E 4Bd blue (240,{y})-(200,{y})mm S")
        },
        claim: shot("A", "E"),
        clause: "dba3.sht.22",
        sigmas: (of_e.powi(2) + 2.0 * aside.powi(2) + of_a.powi(2)).sqrt(),
    });
}

#[test]
fn a_marsh_under_the_shooter() {
    let table = |mm: f64| {
        format!("ground marsh M box (1,1)-({},6)\n{SHOOTER}; E 4Bd blue (6,7)-(5,7) S", (200.0 - mm) / 40.0)
    };
    let who = Claim::MayShoot("A".to_owned());
    for (mm, verdict) in [(3.0, Verdict::Yes), (-3.0, Verdict::No)] {
        assert_eq!(judged(&measured(&table(mm), OWN_MM)).verdict(&who), verdict, "{mm}");
    }
    let close = measured(&table(0.2), OWN_MM);
    let found = judged(&close);
    let doubt = found.doubt(&who).expect("a doubt");
    assert!(near(doubt.holds, normal_cdf(0.2 / OWN_MM)), "{}", doubt.holds);
    let hang = &doubt.hangs_on[0];
    assert_eq!(hang.clause, "dba3.sht.24");
    let [inside, clear] = hang.to_settle.clone().expect("two facts");
    assert_eq!([inside.to_string(), clear.to_string()], ["inside A M", "clear-of A M"]);
    settles(&close, &who, &inside, Verdict::No);
    settles(&close, &who, &clear, Verdict::Yes);
    // Whom it may shoot at, if it may, is not in doubt; the shot that is due is.
    assert!(found.doubt(&shot("A", "E")).is_none());
    assert!(found.volleys[0].too_close());
}

#[test]
fn a_gully_round_the_target() {
    // Wholly in it nobody is shot at; its rear is this far from the rim.
    let table = |mm: f64| {
        format!(
            "ground gully G box (4,6)-(7,{})\n{SHOOTER}; E 4Bd blue (6,7)-(5,7) S d15mm",
            (295.0 - mm) / 40.0
        )
    };
    for (mm, verdict) in [(3.0, Verdict::Yes), (-3.0, Verdict::No)] {
        assert_eq!(judged(&measured(&table(mm), OWN_MM)).verdict(&shot("A", "E")), verdict, "{mm}");
    }
    let close = measured(&table(-0.2), OWN_MM);
    let found = judged(&close);
    let doubt = found.doubt(&shot("A", "E")).expect("a doubt");
    let hang = &doubt.hangs_on[0];
    assert_eq!(hang.clause, "dba3.sht.23");
    let [wholly, partly] = hang.to_settle.clone().expect("two facts");
    assert_eq!(wholly.to_string(), "wholly-inside E G");
    settles(&close, &shot("A", "E"), &wholly, Verdict::No);
    settles(&close, &shot("A", "E"), &partly, Verdict::Yes);
}

#[test]
fn contact_silences_and_makes_a_combat() {
    // Fronts are in contact up to a gap of 1 mm.
    let table = |mm: f64| {
        format!("{SHOOTER}; F Ps blue (240,{0})-(200,{0})mm S; E 4Bd blue (7.2,7)-(6.2,7) S", 201.0 - mm)
    };
    let fronts = Claim::Fronts("A".to_owned(), "F".to_owned());
    let who = Claim::MayShoot("A".to_owned());
    for (mm, fights) in [(0.99, true), (-3.0, false)] {
        let found = judged(&measured(&table(mm), 0.1));
        let (yes, no) = if fights { (&fronts, &who) } else { (&who, &fronts) };
        assert_eq!((found.verdict(yes), found.verdict(no)), (Verdict::Yes, Verdict::No), "{mm}");
        assert_eq!(found.due.combats.len(), usize::from(fights));
    }
    for mm in [-0.2, 0.2] {
        let close = measured(&table(mm), OWN_MM);
        let found = judged(&close);
        let (fight, may) = (found.doubt(&fronts).expect("a doubt"), found.doubt(&who).expect("a doubt"));
        let right = normal_cdf(mm / (2f64.sqrt() * OWN_MM));
        assert!(near(fight.holds, right) && near(may.holds, 1.0 - right), "{} {}", fight.holds, may.holds);
        // It is told, whether or not it is a combat at the best estimate.
        assert_eq!(found.due.combats.len(), usize::from(mm > 0.0));
        assert_eq!(found.unlisted().any(|d| d.claim == fronts), mm < 0.0);
        let hang = may.hangs_on.iter().find(|h| h.clause == "dba3.sht.27").expect("close combat");
        let [contact, apart] = hang.to_settle.clone().expect("two facts");
        settles(&close, &who, &contact, Verdict::No);
        settles(&close, &fronts, &contact, Verdict::Yes);
        settles(&close, &who, &apart, Verdict::Yes);
        settles(&close, &fronts, &apart, Verdict::No);
    }
}

#[test]
fn a_front_on_a_rear_makes_no_combat() {
    use groma::geometry::Edge;
    // A's front is this much nearer to E's rear than what is contact.
    let table =
        |mm: f64| format!("A 4Bd red (5,5)-(6,5) N; E 4Bd blue (200,{0})-(240,{0})mm N d15mm", 216.0 - mm);
    let idle = Claim::Idle("A".to_owned(), Edge::Rear, "E".to_owned());
    for (mm, verdict) in [(0.99, Verdict::Yes), (-3.0, Verdict::No)] {
        assert_eq!(judged(&measured(&table(mm), 0.1)).verdict(&idle), verdict, "{mm}");
    }
    for mm in [-0.2, 0.2] {
        let close = measured(&table(mm), OWN_MM);
        let found = judged(&close);
        let doubt = found.doubt(&idle).expect("a doubt");
        assert!(near(doubt.holds, normal_cdf(mm / (2f64.sqrt() * OWN_MM))), "{}", doubt.holds);
        let hang = &doubt.hangs_on[0];
        let (figure, sigma) = hang.margin_mm.expect("a figure");
        assert!(
            (figure - mm).abs() < 1e-6 && (sigma / (2f64.sqrt() * OWN_MM) - 1.0).abs() < 0.15,
            "{figure} {sigma}"
        );
        for (fact, verdict) in
            hang.to_settle.clone().expect("two facts").iter().zip([Verdict::Yes, Verdict::No])
        {
            settles(&close, &idle, fact, verdict);
        }
    }
}

#[test]
fn a_front_edge_on_a_camp() {
    let table = |mm: f64| {
        format!(
            "ground camp C box (4,6)-(7,7) of=blue held=blue-civilians\nA 4Bd red (200,{0})-(240,{0})mm N",
            239.0 + mm
        )
    };
    let storms = Claim::Storms("A".to_owned(), "C".to_owned());
    for (mm, verdict) in [(0.99, Verdict::Yes), (-3.0, Verdict::No)] {
        assert_eq!(judged(&measured(&table(mm), 0.1)).verdict(&storms), verdict, "{mm}");
    }
    let close = measured(&table(-0.2), OWN_MM);
    let found = judged(&close);
    let doubt = found.doubt(&storms).expect("a doubt");
    assert!(near(doubt.holds, normal_cdf(-0.2 / OWN_MM)), "{}", doubt.holds);
    let (figure, sigma) = doubt.hangs_on[0].margin_mm.expect("a figure");
    assert!((figure + 0.2).abs() < 1e-6 && (sigma / OWN_MM - 1.0).abs() < 0.15, "{figure} {sigma}");
    let facts = doubt.hangs_on[0].to_settle.clone().expect("two facts");
    assert_eq!(facts.each_ref().map(ToString::to_string), ["storms A C", "no-storm A C"]);
    for (fact, verdict) in facts.iter().zip([Verdict::Yes, Verdict::No]) {
        settles(&close, &storms, fact, verdict);
    }
}

#[test]
fn who_must_be_shot_at_hangs_on_the_zone() {
    // E is at the far edge of A's zone; F is further off.
    let table = |mm: f64| {
        format!("{SHOOTER}; E Ps blue (205,{0})-(165,{0})mm S; F Ps blue (270,290)-(230,290)mm S", 240.0 - mm)
    };
    for (mm, one) in [(3.0, Some("E")), (-3.0, None)] {
        let found = judged(&measured(&table(mm), OWN_MM));
        assert!(found.aims.is_empty(), "{mm}: {:?}", found.aims);
        assert_eq!(found.due.shooting.options[0].settled.as_deref(), one, "{mm}");
    }
    let close = measured(&table(0.2), OWN_MM);
    let found = judged(&close);
    let doubt = &found.aims["A"];
    assert!(near(doubt.same, normal_cdf(0.2 / (2f64.sqrt() * OWN_MM))), "{}", doubt.same);
    assert!(found.volleys.iter().all(Certainty::too_close));
    let [inside, outside] = doubt.hangs_on[0].to_settle.clone().expect("two facts");
    for (fact, one) in [(inside, Some("E")), (outside, None)] {
        let agreed = close.agreed(&Settings::dba3(), &[fact]).expect("agreed");
        let found = judged(&agreed);
        assert!(found.aims.is_empty());
        assert_eq!(found.due.shooting.options[0].settled.as_deref(), one);
    }
}

#[test]
fn nobody_in_the_same_line_bars_a_shot_straight_ahead() {
    // A hair before and behind each other, as bases in line are measured.
    let off = [0.2, -0.3, 0.25, -0.1];
    let line = |name: &str, troop: &str, side: &str, y: f64, way: &str, hand: f64| {
        let one = |(n, off): (usize, &f64)| {
            let (x, y) = (220.0 + 40.1 * n as f64, y + hand * off);
            format!("{name}{n} {troop} {side} at ({x},{y})mm {way} w40mm d15mm")
        };
        off.iter().enumerate().map(one).collect::<Vec<_>>().join("; ")
    };
    let text = format!(
        "{}; {}",
        line("A", "4Bw", "red", 200.0, "90deg", 1.0),
        line("E", "4Bd", "blue", 290.0, "270deg", -1.0)
    );
    let settings = Settings::dba3();
    let found = judged(&measured(&text, 0.1).in_lines(&settings));
    for n in 0..4 {
        let claim = shot(&format!("A{n}"), &format!("E{n}"));
        assert_eq!(found.verdict(&claim), Verdict::Yes, "{n}: {:?}", found.doubt(&claim));
    }
}

#[test]
fn where_other_edges_decide_the_plus_minus_is_not_of_their_figures() {
    // A stands half across E and F, 0.1 mm before their fronts: where they are measured over each other, E's front edge is
    // not seen, and the lines to its side pass F, by far more than places are unsure.
    let text = "A 4Bw red (220,200)-(260,200)mm N; E 4Bd blue (240,200.1)-(200,200.1)mm S d15mm; \
                F 4Bd blue (280.2,200.1)-(240.2,200.1)mm S d15mm";
    let found = judged(&measured(text, 0.1));
    let doubt = found.doubt(&shot("A", "E")).expect("a doubt");
    let unseen = 1.0 - normal_cdf(0.1 / (0.1 * 2f64.sqrt()));
    for hang in doubt.hangs_on.iter().filter(|h| h.clause != "dba3.sht.7") {
        let (_, sigma) = hang.margin_mm.expect("a figure");
        assert!(sigma < 1.0, "{}: {sigma}", hang.words());
        let (share, _) = hang.elsewhere.as_ref().unwrap_or_else(|| panic!("{}", hang.words()));
        assert!(near(*share, unseen), "{share} for {unseen}");
        assert!(hang.words().contains("of 100 other edges of the two decide: "), "{}", hang.words());
    }
    assert!(!doubt.hangs_on.is_empty());
}

#[test]
fn exact_poses_have_no_doubts_and_held_rulings_no_verdict() {
    let text = format!("{SHOOTER}; E 4Bd blue (240,320)-(200,320)mm S");
    let exact = measured(&text, 0.0);
    let found = judged(&exact);
    assert_eq!((found.verdict(&shot("A", "E")), found.doubts.len()), (Verdict::Yes, 0));
    let held = exact.held_for(Some(groma::tracking::Held::Knocked));
    assert!(matches!(judged(&held).verdict(&shot("A", "E")), Verdict::Held(_)));
}
