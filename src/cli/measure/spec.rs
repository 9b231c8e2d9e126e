//! How bases, their thickness and questions are written on `groma measure`'s command line.

use crate::geometry::Corner;
use crate::rules::{Question, Ruleset};
use crate::vision::PixelPoint;

/// A base as it was written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct BaseSpec {
    pub name: String,
    pub width_mm: f64,
    pub depth_mm: f64,
    pub troop: String,
    pub corners_px: Vec<(Corner, PixelPoint)>,
}

/// What a base counts as where its troop is not said: plain foot, whose zone is the common one.
const TROOP: &str = "4Bd";

fn number(text: &str, least: f64, most: f64) -> Option<f64> {
    text.trim().parse().ok().filter(|v: &f64| (least..=most).contains(v))
}

/// `NAME=WxD[:TROOP] u,v u,v[ u,v[ u,v]]`.
pub(super) fn base(text: &str) -> Result<BaseSpec, String> {
    let wrong = |what: &str| {
        format!(
            "--base \"{text}\": {what}; write NAME=WIDTHxDEPTH and two to four corners in pixels, clockwise from the front left \
             one, as \"A=40x15 612,400 655,402\""
        )
    };
    let (name, rest) = text.split_once('=').ok_or_else(|| wrong("expected NAME=WIDTHxDEPTH"))?;
    let name = name.trim();
    if name.is_empty() {
        return Err(wrong("the base has no name"));
    }
    let mut words = rest.split_whitespace();
    let size = words.next().ok_or_else(|| wrong("the base has no size"))?;
    let (size, troop) = size.split_once(':').unwrap_or((size, TROOP));
    let sides =
        size.split_once(['x', 'X']).and_then(|(w, d)| Some((number(w, 1.0, 500.0)?, number(d, 1.0, 500.0)?)));
    let (width_mm, depth_mm) = sides.ok_or_else(|| wrong("the size is no WIDTHxDEPTH of 1 to 500 mm"))?;
    if Ruleset::dba3().troop(troop).is_none() {
        return Err(wrong(&format!("there is no troop \"{troop}\"")));
    }
    let corners: Vec<PixelPoint> = words
        .map(|word| {
            let (u, v) = word.split_once(',')?;
            Some(PixelPoint::new(number(u, -1e5, 1e5)?, number(v, -1e5, 1e5)?))
        })
        .collect::<Option<_>>()
        .ok_or_else(|| wrong("a corner is no u,v in pixels"))?;
    if !(2..=4).contains(&corners.len()) {
        return Err(wrong(&format!("{} corners are given", corners.len())));
    }
    Ok(BaseSpec {
        name: name.to_owned(),
        width_mm,
        depth_mm,
        troop: troop.to_owned(),
        corners_px: Corner::ALL.into_iter().zip(corners).collect(),
    })
}

/// `MM` or `MM+-SIGMA`.
pub(super) fn thickness(text: &str) -> Result<(f64, f64), String> {
    let (mm, sigma) = text.split_once("+-").unwrap_or((text, "0.3"));
    number(mm, 0.0, 50.0)
        .zip(number(sigma, 0.0, 10.0))
        .ok_or_else(|| format!("--thickness {text}: expected millimetres, 0 to 50, as 2 or 2+-0.3"))
}

/// The questions that these words name, each once, in the order in which they are answered; all of none.
pub(super) fn questions(words: &[String]) -> Result<Vec<Question>, String> {
    let mut named = Vec::new();
    for word in words {
        let of_word: &[Question] = match word.trim() {
            "zone" => &[Question::InZoneOf],
            "contact" => &[Question::ContactFront, Question::ContactFlank, Question::ContactRear],
            "front" => &[Question::ContactFront],
            "flank" => &[Question::ContactFlank],
            "rear" => &[Question::ContactRear],
            "corner" => &[Question::CornerTouch],
            "flank-line" => &[Question::BehindFlankLine],
            "distance" => &[Question::Distance],
            other => {
                return Err(format!(
                    "--ask {other}: expected zone, contact, front, flank, rear, corner, flank-line or distance"
                ));
            }
        };
        named.extend_from_slice(of_word);
    }
    let all = named.is_empty();
    Ok(Question::ALL.into_iter().filter(|q| all || named.contains(q)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_are_read_with_their_troop_and_corners() {
        let read = base("Cavalry of the left=40x30:Cv 612.5,400 655,402 655,440").expect("a base");
        assert_eq!((read.name.as_str(), read.width_mm, read.depth_mm), ("Cavalry of the left", 40.0, 30.0));
        assert_eq!((read.troop.as_str(), read.corners_px.len()), ("Cv", 3));
        assert_eq!(read.corners_px[0], (Corner::FrontLeft, PixelPoint::new(612.5, 400.0)));
        assert_eq!(base("A=40x15 1,2 3,4").expect("a base").troop, TROOP);
        for (bad, says) in [
            ("40x15 1,2 3,4", "expected NAME"),
            ("A=40 1,2 3,4", "WIDTHxDEPTH of"),
            ("A=40x15 1,2", "1 corners"),
            ("A=40x15 1,2 3;4", "no u,v"),
            ("A=40x15:9Zz 1,2 3,4", "no troop"),
            ("A=40x15 1,2 3,4 5,6 7,8 9,10", "5 corners"),
            ("=40x15 1,2 3,4", "no name"),
        ] {
            let why = base(bad).expect_err(bad);
            assert!(why.contains(says), "{why}");
        }
    }

    #[test]
    fn questions_come_in_their_own_order_and_unknown_ones_are_refused() {
        let words = |text: &str| text.split(',').map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(questions(&[]).map(|q| q.len()), Ok(7));
        assert_eq!(questions(&words("zone,distance")), Ok(vec![Question::Distance, Question::InZoneOf]));
        assert_eq!(questions(&words("contact,front")).map(|q| q.len()), Ok(3));
        assert!(questions(&words("reach")).is_err());
        assert_eq!(thickness("3"), Ok((3.0, 0.3)));
        assert_eq!(thickness("2+-0.1"), Ok((2.0, 0.1)));
        assert!(thickness("thin").is_err());
    }
}
