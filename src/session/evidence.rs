//! Evidence of a ruling, for both players: one page with the picture, the numbers, what they rest on, and a mark that
//! no later change of the page keeps.
//!
//! The mark is the SHA-256 hash of the whole page, the 64 digits of the mark itself standing as zeros in it. Whoever
//! alters a page can work out another mark: what binds is that both players have written down its first digits
//! ([`Kept::short`]). Pure: text comes out, files are written elsewhere.

use crate::judge::{Judgement, Verdict};
use crate::rules::Question;
use crate::text::html::{base64, escaped, head, hex};
use sha2::{Digest, Sha256};
use std::fmt::Write;

/// What stands where the mark is while the page is hashed.
const BLANK: &str = "0000000000000000000000000000000000000000000000000000000000000000";
/// The mark stands between these.
const BEFORE: &str = "<code id=\"groma-mark\">";
const AFTER: &str = "</code>";

/// A photograph of the spot.
#[derive(Debug, Clone, PartialEq)]
pub struct Photograph {
    /// A JPEG file's contents.
    pub jpeg: Vec<u8>,
    /// Columns and rows.
    pub size_px: (usize, usize),
    /// Outlines to be drawn over it, each with its name, pixels of this picture.
    pub outlines: Vec<(String, Vec<(f64, f64)>)>,
    /// Points that bind, pixels of this picture.
    pub binding: Vec<(f64, f64)>,
}

/// All that a page of evidence tells.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// When and of what: "Round 2, table 7".
    pub title: String,
    /// When it was made, in words.
    pub when: String,
    /// The answers, in the order asked.
    pub answers: Vec<Judgement>,
    /// What the answers rest on, each with what it is: the source, the lens, the certificate's age, a base's place.
    pub rests_on: Vec<(String, String)>,
    /// The picture, where there is one.
    pub photograph: Option<Photograph>,
}

/// A page with its mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The page.
    pub page: String,
    /// Its mark: 64 hexadecimal digits.
    pub mark: String,
}

impl Kept {
    /// What the players write down: the mark's first twelve digits, in threes of four.
    pub fn short(&self) -> String {
        short(&self.mark)
    }
}

/// The first twelve digits of a mark, in groups of four.
pub fn short(mark: &str) -> String {
    let digits: Vec<char> = mark.chars().take(12).collect();
    digits.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

/// Why a page is no evidence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EvidenceError {
    /// No mark in it.
    #[error("it bears no mark of Groma's: it is no page of evidence, or it is cut off")]
    NoMark,
    /// Its mark is another page's.
    #[error(
        "its mark does not fit it: the page was changed after it was made. It bears {told}, and what stands in it gives {found}"
    )]
    Changed {
        /// The mark that it bears, shortened.
        told: String,
        /// What it should be, shortened.
        found: String,
    },
}

/// Checks a page's mark; gives it where it fits.
///
/// # Errors
/// A page without a mark, or with another one's.
pub fn check(page: &str) -> Result<String, EvidenceError> {
    let (at, told) = mark_in(page).ok_or(EvidenceError::NoMark)?;
    let blank = format!("{}{BLANK}{}", &page[..at], &page[at + BLANK.len()..]);
    let found = hex(&Sha256::digest(blank.as_bytes()));
    if found == told {
        Ok(found)
    } else {
        Err(EvidenceError::Changed { told: short(&told), found: short(&found) })
    }
}

/// Where the mark stands, and the mark.
fn mark_in(page: &str) -> Option<(usize, String)> {
    let at = page.find(BEFORE)? + BEFORE.len();
    let mark = page.get(at..at + BLANK.len())?;
    let whole = mark.chars().all(|c| c.is_ascii_hexdigit()) && page[at + BLANK.len()..].starts_with(AFTER);
    whole.then(|| (at, mark.to_owned()))
}

/// What would turn an answer, in words.
pub fn what_would_change(judged: &Judgement) -> String {
    let (margin, sigma) = (judged.ruling.margin.mm, judged.weighed.sigma_mm);
    let [first, second] = judged.binding();
    match judged.verdict() {
        Verdict::Yes => format!("It holds until {first} and {second} are {margin:.1} mm further off."),
        Verdict::No => format!("It would hold if {first} and {second} were {:.1} mm better.", -margin),
        Verdict::TooClose { .. } => format!(
            "A clear answer takes {:.1} mm either way of the limit, and {margin:+.1} mm is measured between {first} and \
             {second}: measure more closely, or agree on it.",
            2.33 * sigma
        ),
        Verdict::Held(why) => format!("Nothing is ruled for now: {why}."),
    }
}

impl Evidence {
    /// The page, with its mark.
    pub fn kept(&self) -> Kept {
        let blank = self.page();
        let mark = hex(&Sha256::digest(blank.as_bytes()));
        Kept { page: blank.replacen(BLANK, &mark, 1), mark }
    }

    /// The page, its mark blank. The mark stands before all that others wrote.
    fn page(&self) -> String {
        let mut page = head("Evidence of a ruling");
        let _ = writeln!(
            page,
            "<p>Mark: {BEFORE}{BLANK}{AFTER}. Both players write down its first twelve digits; <code>groma evidence check</code> \
             tells whether the page is as it was made.</p>"
        );
        let _ = writeln!(page, "<p class=\"when\">{}. {}.</p>", escaped(&self.title), escaped(&self.when));
        for judged in &self.answers {
            self.answer(judged, &mut page);
        }
        if let Some(photograph) = &self.photograph {
            let _ = writeln!(page, "<h2>Picture</h2>\n<figure>{}</figure>", photograph.svg());
        }
        page.push_str("<h2>What it rests on</h2>\n<table>\n");
        for (what, is) in &self.rests_on {
            let _ = writeln!(page, "<tr><th>{}</th><td>{}</td></tr>", escaped(what), escaped(is));
        }
        page.push_str("</table>\n<p class=\"when\">What stands after ± is one sigma: two measurements in three are nearer the \
                       truth than that. A clear answer is expected to be right 99 times in 100.</p>\n</body></html>\n");
        page
    }

    fn answer(&self, judged: &Judgement, page: &mut String) {
        let ruling = &judged.ruling;
        let _ = writeln!(page, "<h2>{}</h2>", escaped(&ruling.question.in_words(&ruling.a, &ruling.b)));
        let answer = if ruling.question == Question::Distance {
            format!("{:.1} mm ± {:.1}", ruling.margin.mm, judged.weighed.sigma_mm)
        } else {
            judged.in_words()
        };
        let _ = writeln!(page, "<p class=\"turn\"><strong>{}</strong></p>", escaped(&answer));
        if ruling.question != Question::Distance {
            let _ = writeln!(page, "<p>{}</p>", escaped(&what_would_change(judged)));
        }
        page.push_str("<ul>\n");
        for reason in &ruling.reasons {
            let _ = writeln!(
                page,
                "<li><span class=\"k\">{}</span> {}</li>",
                escaped(&reason.clause),
                escaped(&reason.text)
            );
        }
        let _ = writeln!(page, "</ul>\n<p class=\"when\">Under: {}.</p>", escaped(&ruling.under));
    }
}

impl Photograph {
    /// The picture with the outlines and binding points over it: every outline white on black, so that it shows on any
    /// ground, and the points as rings with a cross.
    fn svg(&self) -> String {
        let (width, height) = self.size_px;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{}\">\
             <image width=\"{width}\" height=\"{height}\" href=\"data:image/jpeg;base64,{}\"/>",
            (3 * width).min(1100),
            base64(&self.jpeg)
        );
        let thin = width as f64 / 400.0;
        for (name, outline) in &self.outlines {
            let points: Vec<String> = outline.iter().map(|(x, y)| format!("{x:.2},{y:.2}")).collect();
            let points = points.join(" ");
            for (colour, wide) in [("#000", 2.2 * thin), ("#fff", thin)] {
                let _ = write!(
                    svg,
                    "<polygon points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{wide:.2}\"/>"
                );
            }
            if let Some((x, y)) = outline.first() {
                let _ = write!(
                    svg,
                    "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{:.1}\" font-family=\"sans-serif\" fill=\"#fff\" stroke=\"#000\" \
                     stroke-width=\"{:.2}\" paint-order=\"stroke\">{}</text>",
                    y - 3.0 * thin,
                    8.0 * thin,
                    2.0 * thin,
                    escaped(name)
                );
            }
        }
        for (x, y) in &self.binding {
            let r = 4.0 * thin;
            for (colour, wide) in [("#000", 2.2 * thin), ("#ff0", thin)] {
                let _ = write!(
                    svg,
                    "<path d=\"M{:.2} {y:.2}h{:.2}M{x:.2} {:.2}v{:.2}\" stroke=\"{colour}\" stroke-width=\"{wide:.2}\"/>\
                     <circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{r:.2}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{wide:.2}\"/>",
                    x - r,
                    2.0 * r,
                    y - r,
                    2.0 * r
                );
            }
        }
        svg.push_str("</svg>");
        svg
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Measured, rule};
    use crate::rules::{Ruleset, Settings, notation};

    fn evidence() -> Evidence {
        let text = "A 4Bd red (4,4)-(5,4) N; E 4Bd blue (5,5.5)-(4,5.5) S";
        let setup = notation::read_setup(text, &Ruleset::dba3()).expect("a setup");
        let measured = Measured::exact(setup);
        let settings = Settings::dba3();
        let ask = |q| rule(&measured, &settings, q, "A", "E").expect("an answer");
        Evidence {
            title: "Table 7, <round 2>".to_owned(),
            when: "2026-11-30 at noon".to_owned(),
            answers: vec![ask(Question::InZoneOf), ask(Question::Distance)],
            rests_on: vec![("source".to_owned(), format!("a \"phone\"; {BEFORE}{BLANK}{AFTER}"))],
            photograph: Some(Photograph {
                jpeg: vec![0xff, 0xd8, 0xff],
                size_px: (200, 100),
                outlines: vec![("A".to_owned(), vec![(1.0, 2.0), (30.0, 2.0), (30.0, 12.0)])],
                binding: vec![(12.0, 12.0)],
            }),
        }
    }

    #[test]
    fn a_page_as_it_was_made_bears_its_mark() {
        let kept = evidence().kept();
        assert_eq!(check(&kept.page), Ok(kept.mark.clone()));
        assert_eq!(kept.short().len(), 14);
        assert!(kept.mark.starts_with(&kept.short().replace(' ', "")));
        assert!(
            kept.page.contains("Table 7, &lt;round 2&gt;")
                && kept.page.contains("data:image/jpeg;base64,/9j/")
        );
    }

    #[test]
    fn any_change_of_the_page_shows() {
        let kept = evidence().kept();
        for (was, is) in [("yes", "no"), ("Table 7", "Table 8"), ("/9j/", "/9j+"), ("1.5", "1.6")] {
            let changed = kept.page.replacen(was, is, 1);
            if changed != kept.page {
                assert!(matches!(check(&changed), Err(EvidenceError::Changed { .. })), "{was}");
            }
        }
        // Every byte of it counts, the last one too.
        assert!(matches!(check(&format!("{} ", kept.page)), Err(EvidenceError::Changed { .. })));
        let cut = &kept.page[..kept.page.len() / 2];
        assert!(matches!(check(cut), Err(EvidenceError::Changed { .. })));
        // Another mark in its place.
        let other = kept.page.replacen(&kept.mark, &"a".repeat(64), 1);
        assert!(matches!(check(&other), Err(EvidenceError::Changed { .. })));
    }

    #[test]
    fn what_is_no_evidence_says_so() {
        for page in ["", "<html></html>", "<code id=\"groma-mark\">12", "<code id=\"groma-mark\">é"] {
            assert_eq!(check(page), Err(EvidenceError::NoMark), "{page}");
        }
        let why = EvidenceError::NoMark.to_string();
        assert!(why.contains("no page of evidence"), "{why}");
    }
}
