//! Every case file's own situation turned, shifted, mirrored and scaled: the ruling stays, its margin grows
//! with the table, and what ends somewhere ends where the change takes it.

use crate::transform::{Hand, Transform};
use groma::geometry::Point;
use groma::rules::cases::{Answer, AskGround, AskSettingUp, Asked, Case, CaseFile, EdgeName, FILES, Staged};
use groma::rules::clauses::Catalogue;
use groma::rules::terrain::BoardEdge;
use groma::rules::{Settings, Setup};

/// How near figures have to be, millimetres.
const SAME_MM: f64 = 1e-4;

fn cases() -> Vec<(String, Case)> {
    let mut found = Vec::new();
    for (name, text) in FILES {
        let file = CaseFile::read(name, text, Catalogue::embedded()).expect("a case file");
        for case in file.cases.iter().filter(|c| c.fails_because.is_none()) {
            found.extend(case.variants().into_iter().map(|c| ((*name).to_owned(), c)));
        }
    }
    found
}

/// The edge that another is in a mirror.
fn other_hand(edge: EdgeName) -> EdgeName {
    match edge {
        EdgeName::Left => EdgeName::Right,
        EdgeName::Right => EdgeName::Left,
        same => same,
    }
}

/// The question as it is put on the changed table.
fn asked(ask: &Asked, change: &Transform, setup: &Setup, settings: &Settings) -> Asked {
    let edge = |edge: EdgeName| if change.hand() == Hand::Swapped { other_hand(edge) } else { edge };
    match ask {
        Asked::MayStart(a, b, e) => Asked::MayStart(a.clone(), b.clone(), edge(*e)),
        Asked::Pressed(a, b, e) => Asked::Pressed(a.clone(), b.clone(), edge(*e)),
        Asked::Supports(a, b, e) => Asked::Supports(a.clone(), b.clone(), edge(*e)),
        Asked::Reach(a, b, e) => Asked::Reach(a.clone(), b.clone(), edge(*e)),
        Asked::Ground(AskGround::Bare((x, y))) => {
            let bw = setup.scale.mm_per_bw();
            let there = change.point(Point::new(x * bw, y * bw)) / (bw * change.times());
            Asked::Ground(AskGround::Bare((there.x, there.y)))
        }
        Asked::SetUp(what) => Asked::SetUp(set_up(what, change, setup, settings)),
        same => same.clone(),
    }
}

/// A question about what comes before the battle as it is put on the changed table. A mirror turns clockwise round: the
/// quarters' numbers are swapped left for right.
fn set_up(ask: &AskSettingUp, change: &Transform, setup: &Setup, settings: &Settings) -> AskSettingUp {
    let bw = setup.scale.mm_per_bw();
    let point = |(x, y): (f64, f64)| {
        let there = change.point(Point::new(x * bw, y * bw)) / (bw * change.times());
        (there.x, there.y)
    };
    let edge = |edge: BoardEdge| change.edge(edge);
    let number = |n: u8| match (change.hand(), settings.word("quarter-one-corner")) {
        (Hand::Kept, _) => n,
        (Hand::Swapped, Some("near-left")) => 5 - n,
        (Hand::Swapped, _) => [2, 1, 4, 3][usize::from(n) - 1],
    };
    match ask {
        AskSettingUp::Quartered(at) => AskSettingUp::Quartered(point(*at)),
        AskSettingUp::PointIn(at, n, seat) => AskSettingUp::PointIn(point(*at), number(*n), edge(*seat)),
        AskSettingUp::Placed(name, n, seat) => AskSettingUp::Placed(name.clone(), number(*n), edge(*seat)),
        AskSettingUp::MayTake(at) => AskSettingUp::MayTake(edge(*at)),
        AskSettingUp::Across(one, other) => AskSettingUp::Across(edge(*one), edge(*other)),
        same => same.clone(),
    }
}

/// Whether a question about what comes before the battle does not look at the board.
fn anywhere(ask: &AskSettingUp) -> bool {
    matches!(
        ask,
        AskSettingUp::Choice(..)
            | AskSettingUp::IsArea(_)
            | AskSettingUp::IsLinear(_)
            | AskSettingUp::ScoreTo(..)
            | AskSettingUp::Names(..)
            | AskSettingUp::Shape(_)
            | AskSettingUp::Narrow
            | AskSettingUp::Aggression(..)
            | AskSettingUp::HoldsBack(..)
            | AskSettingUp::Lands(_)
            | AskSettingUp::MovesOn
    )
}

/// Whether the question is about the board's own edges or about sizes in millimetres.
fn turns_only_with_its_board(case: &Case, answer: &Answer) -> bool {
    let edges = [
        "dba3.ovl.9",
        "dba3.ovl.10",
        "dba3.set.69",
        "dba3.set.81",
        "dba3.flee.4",
        "dba3.flee.5",
        "dba3.pur.4",
    ];
    matches!(&case.ask, Asked::SetUp(what) if !anywhere(what))
        || matches!(
            case.ask,
            Asked::Ground(AskGround::Laid(_) | AskGround::DieDue(..)) | Asked::Board | Asked::BigBoard
        )
        || answer.reasons.iter().any(|r| edges.contains(&r.clause.as_str()) || r.text.contains("the board's"))
        || by_its_own_rear_edge(answer)
}

/// What must be the same: verdict, price, remedies' number, and each citation, in any order.
fn cited(answer: &Answer) -> Vec<(String, bool)> {
    let mut cited: Vec<(String, bool)> = answer.reasons.iter().map(|r| (r.clause.clone(), r.holds)).collect();
    cited.sort();
    cited
}

fn differs(staged: &Setup, was: &Answer, is: &Answer, change: &Transform) -> Option<String> {
    let plain = |a: &Answer| (a.verdict, a.pips, a.remedies.len(), a.explained.len(), a.conditions);
    if plain(was) != plain(is) {
        return Some(format!("{:?} became {:?}: {} / {}", plain(was), plain(is), was.said, is.said));
    }
    if cited(was) != cited(is) {
        return Some(format!("citations {:?} became {:?}", cited(was), cited(is)));
    }
    match (was.margin_mm, is.margin_mm) {
        (None, None) => {}
        // Beyond every table: a margin that nothing limits.
        (Some(a), Some(b)) if a.abs() > 1e9 && b.abs() > 1e9 => {}
        (Some(a), Some(b)) if (a * change.times() - b).abs() < SAME_MM => {}
        (a, b) => return Some(format!("margin {a:?} became {b:?}")),
    }
    let (Some(was), Some(is)) = (&was.after, &is.after) else { return None };
    was.elements.iter().zip(&is.elements).find_map(|(was, is)| {
        let (to, found) = (change.pose(was.footprint.pose()), is.footprint.pose());
        // Civilians for whom no element stands have a place, and face nowhere.
        let faces = staged.element(&was.name).is_some();
        let turn = if faces { to.heading.turn_to_radians(found.heading).abs() } else { 0.0 };
        let off = (to.centre - found.centre).norm();
        (off > SAME_MM || turn > 1e-6)
            .then(|| format!("{} ends {off} mm and {turn} rad from where it should", was.name))
    })
}

/// The answer on the changed table. `board` is the board's size there, where it is another.
fn answered(
    case: &Case,
    staged: &Staged,
    settings: &Settings,
    change: &Transform,
    board_mm: Option<(f64, f64)>,
) -> Result<Answer, String> {
    let mut setup = change.setup(&staged.setup);
    setup.board_mm = board_mm.unwrap_or(setup.board_mm);
    let moves = staged.moves.iter().map(|mv| change.tactical(mv)).collect();
    let there = Staged { setup, moves, agreed: staged.agreed.clone() };
    let case = Case { ask: asked(&case.ask, change, &staged.setup, settings), ..case.clone() };
    case.answer_staged(&there, &change.settings(settings))
}

/// Puts every case that `allowed` lets through under the changes made for its board; all that differ are told.
fn unchanged(
    allowed: impl Fn(&Case, &Answer) -> bool,
    changes: impl Fn(&Staged) -> Vec<(Transform, Option<(f64, f64)>)>,
) {
    let (mut tried, mut faults) = (0, Vec::new());
    for (file, case) in cases() {
        let settings = case.settings().expect("the settings of a case");
        let staged = case.staged(&settings).expect("the table of a case");
        let was = case.answer_staged(&staged, &settings).expect("an answer");
        // A search on a grid finds no more than nearly the same on a table turned round.
        let searched = matches!(case.ask, Asked::SetUp(AskSettingUp::NoPlace(..)));
        if searched || !allowed(&case, &was) {
            continue;
        }
        for (change, board_mm) in changes(&staged) {
            tried += 1;
            let fault = match answered(&case, &staged, &settings, &change, board_mm) {
                Ok(is) => differs(&staged.setup, &was, &is, &change),
                Err(why) => Some(why),
            };
            if let Some(fault) = fault {
                faults.push(format!("{file}: `{}`: {change:?}: {fault}", case.name));
            }
        }
    }
    assert!(tried > 500, "{tried} tables tried");
    assert!(faults.is_empty(), "{} of {tried}:\n{}", faults.len(), faults.join("\n"));
}

/// Fleers along a side edge run to their own rear edge, camps stand at it and troops deploy from it.
fn by_its_own_rear_edge(answer: &Answer) -> bool {
    answer.reasons.iter().any(|r| matches!(r.clause.as_str(), "dba3.flee.4" | "dba3.camp.4" | "dba3.dep.3"))
}

#[test]
fn turning_the_board_half_round_with_its_base_edges_changes_no_case() {
    unchanged(|_, _| true, |staged| vec![(Transform::quarters(2, staged.setup.board_mm), None)]);
}

#[test]
fn turning_the_board_by_a_quarter_with_its_base_edges_changes_no_case() {
    // A Big Battle's board is wider than it is deep. Of a Waterway that spills as far over both lines between quarters one is told.
    let turns = |case: &Case| {
        !matches!(case.ask, Asked::BigBoard) && case.name != "it is in neither quarter on the right"
    };
    unchanged(
        |case, _| turns(case),
        |staged| {
            let (width, depth) = staged.setup.board_mm;
            [1, 3].map(|n| (Transform::quarters(n, (width, depth)), Some((depth, width)))).to_vec()
        },
    );
}

#[test]
fn turning_and_shifting_what_stands_changes_no_case() {
    // Onto the middle of a board that is large enough whichever way the table is turned.
    let turns = [(17.0, 0.3, 0.7), (90.0, 0.0, 0.0), (143.7, 11.9, -4.1), (270.0, -123.4, 56.78)];
    unchanged(
        |case, answer| !turns_only_with_its_board(case, answer),
        |_| {
            let turned = turns
                .map(|(deg, x, y)| (Transform::turned(deg, 2500.0 + x, 2500.0 + y), Some((5000.0, 5000.0))));
            turned.to_vec()
        },
    );
}

#[test]
fn a_mirror_changes_no_case() {
    unchanged(|_, _| true, |staged| vec![(Transform::mirrored(staged.setup.board_mm), None)]);
}

#[test]
fn a_larger_base_width_scales_every_case() {
    // Listed depths, and so the bases of those who dismount, are millimetres of either scale; so is what is a nudge.
    unchanged(
        |case, _| {
            !matches!(case.ask, Asked::Base(_) | Asked::Board | Asked::BigBoard | Asked::Watch(_))
                && !case.ask.moves().contains("dismount")
        },
        |staged| {
            let bw = staged.setup.scale.mm_per_bw();
            let other = if bw < 50.0 { 60.0 } else { 40.0 };
            vec![(Transform::scaled(other / bw), None)]
        },
    );
}
