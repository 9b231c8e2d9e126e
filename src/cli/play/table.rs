//! The table that simulated games begin from.

use crate::rules::{Settings, Setup, notation};

/// What each side has: name after the side's letter, troop, front-left corner as seen from its own side in
/// base widths right and back from its left front, depth.
const ARMY: &[(&str, &str, f64, f64)] = &[
    ("0", "4Sp general", 6.0, 0.0),
    ("1", "4Sp", 7.0, 0.0),
    ("2", "4Bd", 8.0, 0.0),
    ("3", "4Bd", 9.0, 0.0),
    ("4", "3Kn", 11.0, 0.0),
    ("5", "3Kn", 12.0, 0.0),
    ("6", "LH", 13.5, 0.0),
    ("7", "LH", 13.5, 0.75),
    ("8", "Ps", 3.0, 0.0),
    ("9", "Ps", 3.0, 0.5),
    ("10", "4Ax", 4.5, 1.0),
    ("11", "4Ax", 4.5, 1.5),
    ("12", "Cv", 0.7, 0.5),
];

/// Two armies in lines, columns and alone, two roads and a wood; the roads run through the columns of 4Ax.
///
/// # Panics
/// Never: the text is a constant and its own test reads it.
pub fn table(settings: &Settings) -> Setup {
    let mut lines = String::from(
        "bw 40mm board 15x15\nground wood Copse (8.6,7.2)-(10.2,7.4)-(9.8,8.3)-(8.8,8.2)\n\
         ground road Red (5,0)-(5,7)-(6.5,8.5)-(6.5,15) w0.5\nground road Blue (10,15)-(10,10)-(11.5,8)-(11.5,0) w0.5\n",
    );
    for (side, tag, front, sign) in [("red", 'r', 5.0, 1.0), ("blue", 'b', 10.0, -1.0)] {
        for (name, code, right, back) in ARMY {
            // Blue stands as red does, seen from its own side of the table.
            let y = front - sign * back;
            let (x, looks) = if sign > 0.0 { (*right, 'N') } else { (15.0 - right, 'S') };
            let (troop, general) = code.split_once(' ').unwrap_or((code, ""));
            lines += &format!(
                "{tag}{name} {troop} {side} {general} ({x},{y})-({},{y}) {looks}{}\n",
                x + sign,
                depth(troop)
            );
        }
    }
    notation::read_setup(&lines, settings.ruleset()).expect("the games' table is a good setup")
}

fn depth(troop: &str) -> &'static str {
    match troop {
        "4Ax" | "Ps" => " d0.5",
        "LH" => " d0.75",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::separation;

    #[test]
    fn nobody_stands_in_anybody() {
        let setup = table(&Settings::dba3());
        assert_eq!(setup.elements.len(), 2 * ARMY.len());
        for (n, a) in setup.elements.iter().enumerate() {
            for b in &setup.elements[n + 1..] {
                assert!(separation(&a.footprint, &b.footprint).mm > -1e-9, "{} {}", a.name, b.name);
            }
        }
    }
}
