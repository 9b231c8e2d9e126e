//! The certificate's file: JSON, written whole and read back as far as the window needs it.

use super::certificate::{Agreement, Certificate, ErrorStatistics, HeldTo, PairCheck, PlaceCheck};
use crate::text::days_between;
use crate::units::rounded;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// Where a table's certificate is kept: beside its file, under the same name (`table.ron`:
/// `table.certificate.json`).
pub fn certificate_path(table: &Path) -> PathBuf {
    table.with_extension("certificate.json")
}

fn statistics(s: &ErrorStatistics) -> Map<String, Value> {
    let mm = |v: f64| json!(rounded(v, 4));
    Map::from_iter([
        ("distances".to_owned(), json!(s.pairs)),
        ("rms_mm".to_owned(), mm(s.rms_mm)),
        ("worst_mm".to_owned(), mm(s.worst_mm)),
        ("mean_mm".to_owned(), mm(s.mean_mm)),
        ("claimed_sigma_mm".to_owned(), mm(s.sigma_mm)),
        ("error_over_claim".to_owned(), mm(s.ratio)),
        ("within_two_sigma".to_owned(), mm(s.within_two)),
        ("stretch".to_owned(), json!(rounded(s.stretch, 7))),
    ])
}

/// A place's line, without its distances.
pub fn place_json(p: &PlaceCheck) -> Value {
    let mut line = Map::from_iter([
        ("place".to_owned(), json!(p.label)),
        ("x_mm".to_owned(), json!(rounded(p.centre.x, 1))),
        ("y_mm".to_owned(), json!(rounded(p.centre.y, 1))),
        ("tags".to_owned(), json!(p.tags)),
    ]);
    line.extend(ErrorStatistics::of(&p.pairs).map(|s| statistics(&s)).unwrap_or_default());
    Value::Object(line)
}

/// The certificate without its distances.
pub fn summary_json(c: &Certificate) -> Map<String, Value> {
    let mut line = Map::from_iter([
        ("certificate".to_owned(), json!(true)),
        ("date".to_owned(), json!(c.date)),
        ("groma".to_owned(), json!(env!("CARGO_PKG_VERSION"))),
        ("camera".to_owned(), json!(c.profile.as_ref().map(|p| &p.0))),
        ("lens_profile_date".to_owned(), json!(c.profile.as_ref().map(|p| &p.1))),
        ("device".to_owned(), json!(c.held_to.device)),
        ("lens_mark".to_owned(), json!(c.held_to.lens)),
        ("table".to_owned(), json!(c.table)),
        ("table_mark".to_owned(), json!(c.held_to.table)),
        ("board_mm".to_owned(), json!([c.board_mm.0, c.board_mm.1])),
        ("ruler_mm".to_owned(), json!(c.ruler_mm)),
        ("places".to_owned(), json!(c.places.len())),
        ("agreement".to_owned(), json!(c.agreement.name())),
        ("verdict".to_owned(), json!(c.agreement.words())),
    ]);
    line.extend(statistics(&c.all));
    line
}

/// The certificate with every distance: what its file holds.
pub fn certificate_json(c: &Certificate) -> Value {
    let mut line = summary_json(c);
    let with_distances = |p: &PlaceCheck| {
        let mut value = place_json(p);
        let distance = |d: &PairCheck| {
            json!({"from": d.from.id, "to": d.to.id, "true_mm": rounded(d.true_mm, 4),
                "error_mm": rounded(d.error_mm, 4), "sigma_mm": rounded(d.sigma_mm, 4)})
        };
        value["each"] = p.pairs.iter().map(distance).collect();
        value
    };
    line.insert("by_place".to_owned(), c.places.iter().map(with_distances).collect());
    Value::Object(line)
}

/// What a kept certificate says.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptCertificate {
    /// The day, `YYYY-MM-DD`.
    pub date: String,
    /// What it was made with.
    pub held_to: HeldTo,
    /// The largest error, millimetres.
    pub worst_mm: f64,
    /// The share of errors within two of their sigmas.
    pub within_two: f64,
    /// Whether errors and claim agree.
    pub agreement: Agreement,
}

/// Reads a certificate's file.
///
/// # Errors
/// In words, where the text is none.
pub fn read_certificate(text: &str) -> Result<KeptCertificate, String> {
    let value: Value = serde_json::from_str(text).map_err(|error| format!("it is damaged ({error})"))?;
    let word = |key: &str| value[key].as_str().map(str::to_owned);
    let number = |key: &str| value[key].as_f64().filter(|v| v.is_finite());
    let lacks = |key: &str| format!("it is no certificate: \"{key}\" is missing");
    let agreement = word("agreement").ok_or_else(|| lacks("agreement"))?;
    Ok(KeptCertificate {
        date: word("date").ok_or_else(|| lacks("date"))?,
        held_to: HeldTo {
            table: word("table_mark").ok_or_else(|| lacks("table_mark"))?,
            lens: word("lens_mark"),
            device: word("device"),
        },
        worst_mm: number("worst_mm").ok_or_else(|| lacks("worst_mm"))?,
        within_two: number("within_two_sigma").ok_or_else(|| lacks("within_two_sigma"))?,
        agreement: Agreement::named(&agreement)
            .ok_or_else(|| format!("it says \"{agreement}\", which nobody knows"))?,
    })
}

/// What is to be thought of a kept certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It vouches for what is being measured.
    Good,
    /// It does not, or not fully.
    Doubtful,
}

impl KeptCertificate {
    /// What it is worth for what is measured `now`, in a few words, on the day `today`.
    pub fn words(&self, now: &HeldTo, today: &str) -> (String, Standing) {
        let age = match days_between(&self.date, today) {
            Some(0) => "today".to_owned(),
            Some(1) => "yesterday".to_owned(),
            Some(days) if days > 1 => format!("{days} days ago"),
            _ => format!("on {}", self.date),
        };
        if let Some(what) = self.held_to.differs(now) {
            return (format!("checked {age} with another {what}: groma check"), Standing::Doubtful);
        }
        let figures = format!("{:.2} mm worst, {:.0} % inside", self.worst_mm, 100.0 * self.within_two);
        match self.agreement {
            Agreement::Agrees | Agreement::Careful => (format!("checked {age}: {figures}"), Standing::Good),
            Agreement::TooFewPlaces => {
                (format!("checked {age} in too few places: {figures}"), Standing::Doubtful)
            }
            Agreement::TooSmall => {
                (format!("checked {age}, errors larger than claimed: {figures}"), Standing::Doubtful)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(agreement: &str) -> KeptCertificate {
        let text = json!({
            "date": "2026-11-28", "agreement": agreement, "worst_mm": 0.138, "within_two_sigma": 0.953,
            "table_mark": "aa", "lens_mark": "bb", "device": "HD Webcam",
        });
        read_certificate(&text.to_string()).expect("a certificate")
    }

    fn now(table: &str, lens: Option<&str>, device: Option<&str>) -> HeldTo {
        HeldTo { table: table.to_owned(), lens: lens.map(str::to_owned), device: device.map(str::to_owned) }
    }

    #[test]
    fn age_and_result_are_told() {
        let same = now("aa", Some("bb"), Some("HD Webcam"));
        let (words, standing) = kept("agrees").words(&same, "2026-11-30");
        assert_eq!(words, "checked 2 days ago: 0.14 mm worst, 95 % inside");
        assert_eq!(standing, Standing::Good);
        assert!(kept("agrees").words(&same, "2026-11-29").0.starts_with("checked yesterday"));
        assert!(kept("careful").words(&same, "2026-11-28").0.starts_with("checked today"));
        // A clock that was set back.
        assert!(kept("agrees").words(&same, "2026-11-01").0.starts_with("checked on 2026-11-28"));
        for doubtful in ["too small", "too few places"] {
            assert_eq!(kept(doubtful).words(&same, "2026-11-30").1, Standing::Doubtful);
        }
    }

    #[test]
    fn a_certificate_of_something_else_is_said_to_be_so() {
        let with = |other: HeldTo| kept("agrees").words(&other, "2026-11-30");
        for (other, what) in [
            (now("cc", Some("bb"), Some("HD Webcam")), "table file"),
            (now("aa", None, Some("HD Webcam")), "lens"),
            (now("aa", Some("bb"), Some("USB Camera")), "camera"),
        ] {
            let (words, standing) = with(other);
            assert_eq!(standing, Standing::Doubtful);
            assert!(words.contains(&format!("another {what}")), "{words}");
        }
        // Photographs do not say what took them.
        assert_eq!(with(now("aa", Some("bb"), None)).1, Standing::Good);
    }

    #[test]
    fn what_is_no_certificate_says_so() {
        assert!(read_certificate("{").expect_err("cut off").contains("damaged"));
        assert!(read_certificate("{}").expect_err("empty").contains("no certificate"));
        assert_eq!(certificate_path(Path::new("club/table.ron")), Path::new("club/table.certificate.json"));
    }
}
