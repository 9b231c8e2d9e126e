//! Checks of what a roster and a table say against the rules: bases, the board, an army's size.
//!
//! A check is a list of reasons; it passes where each of them holds. Clauses: dba3.base.1 to .15,
//! dba3.board.3 and .4, dba3.troop.12 and .13.

use super::ruleset::{Kind, Mark};
use super::settings::{DepthCheck, DoubleMountedDepth};
use super::{Element, Location, Reason, Settings, Setup, Side, Tolerances, exact};
use crate::geometry::{Point, separation};
use crate::units::Scale;

/// How far a measured base or board may differ from a listed size, millimetres: half a millimetre is
/// the accuracy of a ruler.
pub const RULER_MM: f64 = 0.5;

/// An element's base against its listed width and depth. An unknown troop code gives no depth check.
pub fn base(element: &Element, scale: Scale, settings: &Settings) -> Vec<Reason> {
    let (width, depth) = (element.footprint.width_mm(), element.footprint.depth_mm());
    let bw = scale.mm_per_bw();
    let mut reasons = vec![
        told(
            (width - bw).abs() <= RULER_MM,
            "dba3.base.1",
            format!("{} is {width:.1} mm wide; one base width is {bw:.1} mm", element.name),
        ),
        told(
            bw == 40.0 || bw == 60.0,
            "dba3.base.2",
            format!("a base width of {bw:.1} mm; 40 mm and 60 mm are usual"),
        ),
    ];
    let Some(troop) = settings.ruleset().troop(&element.troop) else { return reasons };
    let large = bw > 50.0;
    let (mut least, mut most) = if large { troop.depth.large } else { troop.depth.small };
    let double_mounted = large && troop.is_mounted() && troop.is(Mark::Double);
    if double_mounted && settings.double_mounted_depth == DoubleMountedDepth::Ninety {
        (least, most) = (90.0, 90.0);
    }
    let listed = if least == most { format!("{least} mm") } else { format!("{least} to {most} mm") };
    let text = format!("{} is {depth:.1} mm deep; {} are {listed} deep", element.name, troop.code);
    let deep_enough = depth >= least - RULER_MM;
    let not_deeper = depth <= most + RULER_MM;
    let clause = if double_mounted {
        "dba3.base.14"
    } else if large {
        "dba3.base.13"
    } else {
        &troop.depth.clause
    };
    match settings.depth_check {
        DepthCheck::Off => {
            reasons.push(Reason::holds("dba3.base.15", "depths are not checked, by the setting"))
        }
        DepthCheck::Exact => reasons.push(told(deep_enough && not_deeper, clause, text)),
        DepthCheck::ListedOrDeeper => {
            reasons.push(told(deep_enough, clause, text));
            if deep_enough && !not_deeper {
                let text = format!("{} is deeper than listed; its real depth counts", element.name);
                reasons.push(Reason::holds("dba3.base.15", text));
            } else if !deep_enough {
                let text = format!("{} is shallower than listed, which is not allowed", element.name);
                reasons.push(Reason::fails("dba3.base.15", text));
            }
        }
    }
    reasons
}

/// The board's shape and size.
pub fn board(setup: &Setup) -> Vec<Reason> {
    let (width, depth) = setup.board_mm;
    let bw = setup.scale.mm_per_bw();
    let within = |mm: f64| (15.0 * bw - RULER_MM..=20.0 * bw + RULER_MM).contains(&mm);
    vec![
        told(
            (width - depth).abs() <= RULER_MM,
            "dba3.board.3",
            format!("the board is {width:.0} by {depth:.0} mm"),
        ),
        told(
            within(width) && within(depth),
            "dba3.board.4",
            format!("sides of {:.2} and {:.2} BW; 15 to 20 BW are standard", width / bw, depth / bw),
        ),
    ]
}

/// One side's army: twelve elements beside camp followers and denizens, and one general's element;
/// CP, Lit and CWg are always their general's.
pub fn army(setup: &Setup, side: Side, settings: &Settings) -> Vec<Reason> {
    let army: Vec<_> = setup
        .elements
        .iter()
        .filter(|e| e.side == side)
        .map(|e| (e, settings.ruleset().troop(&e.troop)))
        .collect();
    let civilian = |kind: Kind| matches!(kind, Kind::CampFollowers | Kind::Denizens);
    let count = army.iter().filter(|(_, t)| !t.is_some_and(|t| civilian(t.kind))).count();
    let generals = army.iter().filter(|(e, _)| e.general).count();
    let mut reasons = vec![
        told(
            count == 12,
            "dba3.troop.12",
            format!("{count} elements beside camp followers and denizens; an army has 12"),
        ),
        told(generals == 1, "dba3.troop.12", format!("{generals} general's elements; an army has one")),
    ];
    for (element, _) in army.iter().filter(|(_, t)| t.is_some_and(|t| t.is(Mark::AlwaysGeneral))) {
        let text = format!("{} is {}, which is always the general's element", element.name, element.troop);
        reasons.push(told(element.general, "dba3.troop.13", text));
    }
    reasons
}

fn told(holds: bool, clause: &str, text: String) -> Reason {
    if holds { Reason::holds(clause, text) } else { Reason::fails(clause, text) }
}
/// What no table shows: bases that lie over each other by more than those that touch are measured to, and bases partly
/// off the board. Rulings take the bases as they are written all the same.
pub fn oddities(setup: &Setup, tolerances: &Tolerances) -> Vec<String> {
    let on_board: Vec<&Element> = setup.elements.iter().filter(|e| e.location == Location::Board).collect();
    let mut found = Vec::new();
    for (n, a) in on_board.iter().enumerate() {
        for b in &on_board[n + 1..] {
            let reach = |e: &Element| e.footprint.width_mm() + e.footprint.depth_mm();
            let apart = (a.footprint.pose().centre - b.footprint.pose().centre).norm();
            if apart > reach(a) + reach(b) {
                continue;
            }
            let over = -separation(&a.footprint, &b.footprint).mm;
            if over > tolerances.contact_gap_mm {
                found.push(format!("{} and {} lie over each other by {over:.1} mm", a.name, b.name));
            }
        }
    }
    let (width, depth) = setup.board_mm;
    for element in on_board {
        let past = |p: Point| (-p.x).max(-p.y).max(p.x - width).max(p.y - depth);
        let off = exact(element.footprint.outline().into_iter().map(past).fold(f64::NEG_INFINITY, f64::max));
        if off > 0.0 {
            found.push(format!("{} lies {off:.1} mm off the board", element.name));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation;

    fn told(text: &str) -> Vec<String> {
        let settings = Settings::dba3();
        let setup = notation::read_setup(text, settings.ruleset()).expect("a setup");
        oddities(&setup, &settings.tolerances)
    }

    #[test]
    fn bases_over_each_other_and_off_the_board_are_told_and_those_that_touch_are_not() {
        assert!(
            told("A 4Bd red (5,5)-(6,5) N d0.5; B 4Bd red (6,5)-(7,5) N d0.5; E 4Bd blue (6,5)-(5,5) S d0.5")
                .is_empty()
        );
        let over = told("A 4Bd red (5,5)-(6,5) N d0.5; E 4Bd blue (6,4.9)-(5,4.9) S d0.5");
        assert_eq!(over, ["A and E lie over each other by 4.0 mm"]);
        assert_eq!(told("A 4Bd red (5,0.4)-(6,0.4) N d0.5"), ["A lies 4.0 mm off the board"]);
        assert!(told("A 4Bd red (0,0.5)-(1,0.5) N d0.5").is_empty());
        // Who is inside a camp stands nowhere on the board.
        assert!(told("A 4Bd red (5,5)-(6,5) N in=camp; B 4Bd red (5,5)-(6,5) N").is_empty());
    }
}
