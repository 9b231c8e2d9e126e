//! Which way something went, as one who sits at the near edge says it.

/// "to the left", "3.1 mm to the right and 2.2 mm away from the near edge", of a shift in millimetres.
pub fn way_words(x: f64, y: f64) -> String {
    let mm = x.hypot(y);
    let sideways = if x >= 0.0 { "right" } else { "left" };
    let ahead = if y >= 0.0 { "away from the near edge" } else { "towards the near edge" };
    let (x, y) = (x.abs(), y.abs());
    match (x >= 0.4 * mm, y >= 0.4 * mm) {
        (true, true) => format!("{x:.1} mm to the {sideways} and {y:.1} mm {ahead}"),
        (true, false) => format!("to the {sideways}"),
        _ => ahead.to_owned(),
    }
}

/// "anticlockwise" or "clockwise".
pub fn turn_word(degrees: f64) -> &'static str {
    if degrees >= 0.0 { "anticlockwise" } else { "clockwise" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_said_by_what_matters_of_it() {
        assert_eq!(way_words(5.0, 0.3), "to the right");
        assert_eq!(way_words(0.0, -5.0), "towards the near edge");
        assert_eq!(way_words(-3.0, 4.0), "3.0 mm to the left and 4.0 mm away from the near edge");
    }
}
