//! Checks of what a roster and a table say against the rules: bases, the board, an army's size.
//!
//! A check is a list of reasons; it passes where each of them holds. Clauses: dba3.base.1 to .15,
//! dba3.board.2 to .7 and .10, dba3.troop.12, .13 and .18, army-lists.troop.4.

use super::ruleset::{Arm, Kind, Mark, Ruleset, Troop};
use super::settings::{DepthCheck, DoubleMountedDepth};
use super::{Element, Location, Reason, Settings, Setup, Side, Tolerances, exact};
use crate::geometry::{Binding, Corner, Edge, Feature, Margin, Part, Point, Whose, separation};
use crate::text::counted;
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
            format!("{} beside camp followers and denizens; an army has 12", counted(count, "element")),
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
/// How many paces of the ground one base width stands for (clause dba3.board.2).
pub const PACES_PER_BW: f64 = 80.0;

/// Whether so many base widths stand for so many paces, to a tenth of them: the rules say "about".
pub fn paces(bw: f64, paces: f64) -> Reason {
    let meant = bw * PACES_PER_BW;
    let text = format!("{bw} BW stand for about {meant:.0} paces");
    told((paces - meant).abs() <= meant / 10.0, "dba3.board.2", text)
}

/// A board of a Big Battle: two standard sides wide, one deep (clause dba3.board.5).
pub fn big_battle_board(setup: &Setup) -> Vec<Reason> {
    let (width, depth) = setup.board_mm;
    let bw = setup.scale.mm_per_bw();
    let text = format!("the board is {:.2} by {:.2} BW: two sides by one are wanted", width / bw, depth / bw);
    let side = depth / bw;
    let standard = (15.0 - RULER_MM / bw..=20.0 + RULER_MM / bw).contains(&side);
    vec![
        told((width - 2.0 * depth).abs() <= RULER_MM, "dba3.board.5", text),
        told(standard, "dba3.board.4", format!("a side of {side:.2} BW; 15 to 20 BW are standard")),
    ]
}

/// What a side throws for its PIPs in a bound of the standard game: one die (clauses dba3.board.6, .7).
pub fn pip_dice(dice: &[u8]) -> Vec<Reason> {
    let text = match dice {
        [one] => format!("one PIP die: {}", counted(usize::from(*one), "PIP")),
        _ => format!("{} PIP dice; a side throws one", dice.len()),
    };
    let shown = dice.iter().all(|die| (1..=6).contains(die));
    vec![
        told(dice.len() == 1, "dba3.board.7", text),
        told(shown, "dba3.board.6", "a die shows 1 to 6".to_owned()),
    ]
}

/// Whether foot is Fast or Solid by its figures (clause army-lists.troop.4): Psiloi, and those listed at 3, 5 or 6 figures, are
/// Fast. None for mounted and for civilians, whom lists do not hold.
pub fn class(troop: &Troop) -> Option<Reason> {
    if troop.is_mounted() || matches!(troop.kind, Kind::CampFollowers | Kind::Denizens) {
        return None;
    }
    let fast = troop.kind == Kind::Psiloi || matches!(troop.figures, 3 | 5 | 6);
    let class = if fast { "Fast" } else { "Solid" };
    let text = format!("{} is foot of {} figures or models: {class}", troop.code, troop.figures);
    Some(told(fast == (troop.arm == Arm::Fast), "army-lists.troop.4", text))
}

/// What an entry of an army list says of dismounting: `3Kn//4Bd` during the game, `3Kn/4Bd` before it, `3Kn` not at all
/// (clause dba3.troop.18).
pub fn dismounts(entry: &str, rules: &Ruleset) -> Vec<Reason> {
    let of_game = entry.split_once("//");
    let Some((from, to)) = of_game.or_else(|| entry.split_once('/')) else {
        let text = format!("{entry} has no other type to change to");
        return vec![Reason::fails("dba3.troop.18", text)];
    };
    let mut reasons = Vec::new();
    let troops = [from, to].map(|code| (code.trim(), rules.troop(code.trim())));
    for (code, troop) in troops {
        if troop.is_none() {
            reasons.push(Reason::fails("dba3.troop.18", format!("`{code}` is no troop code")));
        }
    }
    if let [(from, Some(rider)), (to, Some(foot))] = troops
        && (!rider.is_mounted() || foot.is_mounted())
    {
        reasons.push(Reason::fails(
            "dba3.troop.18",
            format!("{from} and {to} are no mounted type and its foot"),
        ));
    }
    let text = match of_game {
        Some(_) => format!("{entry} is joined by //: {from} may become {to} during the game"),
        None => format!("{entry} is joined by a single /: which it is is settled before the game"),
    };
    reasons.push(told(of_game.is_some(), "dba3.troop.18", text));
    reasons
}

/// Whether two that face each other meet once each has gone so many base widths straight ahead; none where they do not
/// face each other (clause dba3.board.10).
pub fn meet(
    setup: &Setup,
    (a, b): (&Element, &Element),
    by_bw: (f64, f64),
    tolerances: &Tolerances,
) -> Option<Reason> {
    let (one, other) = (&a.footprint, &b.footprint);
    let turn = one.pose().heading.turn_to_radians(other.pose().heading.reversed()).abs();
    let [left, right] = [Corner::FrontLeft, Corner::FrontRight].map(|c| other.corner(c));
    let ahead = one.pose().heading.vector();
    let front = one.edge(Edge::Front);
    let gap = (left - front.start).dot(&ahead).min((right - front.start).dot(&ahead));
    let aside = |p: Point| (p - front.start).dot(&one.pose().heading.right());
    let beside = aside(left).max(aside(right)) <= 0.0 || aside(left).min(aside(right)) >= one.width_mm();
    if turn > tolerances.same_facing_deg.to_radians() || gap < 0.0 || beside {
        return None;
    }
    let bw = setup.scale.mm_per_bw();
    let closed = (by_bw.0 + by_bw.1) * bw;
    let at = front.start + ahead * gap;
    let binding = Binding(
        Feature { whose: Whose::A, part: Part::Edge(Edge::Front), at: front.start },
        Feature { whose: Whose::B, part: Part::Edge(Edge::Front), at },
    );
    let margin = Margin::closed(exact(closed - gap), binding);
    let text =
        format!("{} and {} stand {:.2} BW apart and close {:.2} BW", a.name, b.name, gap / bw, closed / bw);
    Some(Reason::tested("dba3.board.10", text, margin))
}

/// A base may be wider or narrower than the base width by this share of it before it is remarked on: real ones are 39.5 to
/// 40.6 mm wide.
const ODD_WIDTH: f64 = 0.05;

/// What no table shows: bases that lie over each other by more than those that touch are measured to, bases partly
/// off the board or not of the base width, a second general, gates away from their walls. Rulings take everything as it is
/// written all the same.
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
    let bw = setup.scale.mm_per_bw();
    for element in &setup.elements {
        let width = element.footprint.width_mm();
        if (width / bw - 1.0).abs() > ODD_WIDTH {
            found.push(format!("{} is {width:.1} mm wide, where a base width is {bw} mm", element.name));
        }
    }
    for side in [Side::Red, Side::Blue] {
        let leads = |e: &&Element| {
            e.general && e.side == side && e.location != Location::Off && !setup.is_allied_general(&e.name)
        };
        let generals: Vec<&str> = setup.elements.iter().filter(leads).map(|e| e.name.as_str()).collect();
        // Where there are contingents, each may have a general.
        if generals.len() > 1 && setup.contingents.is_empty() {
            found.push(format!(
                "{} has {} generals, {}",
                side.word(),
                generals.len(),
                generals.join(" and ")
            ));
        }
    }
    for feature in &setup.ground.features {
        for (n, gate) in feature.gates.iter().enumerate() {
            let off = feature.outline.depth_of(*gate).0.abs();
            if off > tolerances.contact_gap_mm {
                found.push(format!("gate {} of {} is {off:.1} mm from its rim", n + 1, feature.name));
            }
        }
    }
    found
}

/// Bases on the board that are not as wide as the setup's base width, in one sentence; none where all are (clause
/// dba3.base.1).
pub fn misfits(setup: &Setup) -> Option<String> {
    let bw = setup.scale.mm_per_bw();
    let on_board = || setup.elements.iter().filter(|e| e.location == Location::Board);
    let wide = |e: &Element| e.footprint.width_mm();
    let off: Vec<&Element> = on_board().filter(|e| (wide(e) / bw - 1.0).abs() > ODD_WIDTH).collect();
    let first = off.first()?;
    let all = on_board().count();
    let is = if off.len() == 1 { "is" } else { "are" };
    Some(format!(
        "{} of {all} bases {is} not one base width wide: {} is {:.1} mm wide, and the base width is given as {bw:.1} mm. \
         Paces, ranges and zones go by the base width: correct it, or the bases (dba3.base.1)",
        off.len(),
        first.name,
        wide(first)
    ))
}

/// That nobody stands on the board or in its camps, Cities and Forts, or one side alone, which then has nobody to fight.
pub fn lonely(setup: &Setup) -> Option<String> {
    let here = |e: &&Element| !matches!(e.location, Location::Off | Location::Reserve);
    let mut sides = setup.elements.iter().filter(here).map(|e| e.side);
    let Some(first) = sides.next() else {
        return Some("no element is on the table: there is nothing to judge".to_owned());
    };
    sides.all(|side| side == first).then(|| {
        format!("all elements on the table are {}'s: there is nobody for them to fight", first.word())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation;

    #[test]
    fn a_base_width_that_no_base_has_and_a_table_without_enemies_are_told() {
        let settings = Settings::dba3();
        let setup = |text: &str| notation::read_setup(text, settings.ruleset()).expect("a setup");
        let wide = "A 4Bd red at (200,200)mm 90deg w40mm d15mm; B 4Bd red at (260,200)mm 90deg w40.4mm d15mm";
        assert_eq!(misfits(&setup(&format!("bw 40mm board 15x15\n{wide}"))), None, "that is cutting");
        let told = misfits(&setup(&format!("bw 60mm board 15x15\n{wide}"))).expect("both are too small");
        assert!(
            told.starts_with("2 of 2 bases")
                && told.contains("A is 40.0 mm wide")
                && told.contains("60.0 mm")
        );
        assert!(lonely(&setup("")).is_some_and(|why| why.contains("no element")));
        assert!(lonely(&setup("A 4Bd red (5,5)-(6,5) N")).is_some_and(|why| why.contains("are red's")));
        assert_eq!(lonely(&setup("A 4Bd red (5,5)-(6,5) N; E 4Bd blue (5,9)-(6,9) N")), None);
        let off = lonely(&setup("A 4Bd red (5,5)-(6,5) N in=off; E 4Bd blue (5,9)-(6,9) N"));
        assert!(off.is_some_and(|why| why.contains("are blue's")));
    }

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
        assert_eq!(told("A 4Bd red (5,5)-(7,5) N"), ["A is 80.0 mm wide, where a base width is 40 mm"]);
        assert!(told("A 4Bd red (5,5)-(5.9875,5) N; B 4Bd red (7,5)-(8.015,5) N").is_empty());
        let two = "A 4Bd red general (5,5)-(6,5) N; B 4Bd red general (7,5)-(8,5) N";
        assert_eq!(told(two), ["red has 2 generals, A and B"]);
        assert!(told(&two.replace("B 4Bd red", "B 4Bd blue")).is_empty());
        let gates = |at: &str| told(&format!("ground city U box (5,5)-(7,7) gates {at}"));
        assert_eq!(gates("(5,6)-(9,6)"), ["gate 2 of U is 80.0 mm from its rim"]);
        // Who is inside a camp stands nowhere on the board.
        assert!(told("A 4Bd red (5,5)-(6,5) N in=camp; B 4Bd red (5,5)-(6,5) N").is_empty());
    }
}
