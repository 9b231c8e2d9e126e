//! A record and its line: JSON, with a sum that tells a line that was written whole from one that was not.

use super::Event;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// One record.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// Its number, from 1.
    pub n: u64,
    /// When it was written, milliseconds since 1970.
    pub at_ms: u64,
    /// What happened.
    pub event: Event,
}

/// Why a line is not a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordFault {
    /// It was not written whole, or was changed since.
    #[error("it was not written whole, or was changed since")]
    Torn,
    /// It was written whole, and this version does not know what it tells.
    #[error(
        "this version of Groma does not know what it tells ({0}); open it with the version that wrote it"
    )]
    Unknown(String),
}

/// How a line's sum begins. The sum is the line's last field.
const SUM: &str = ",\"sum\":\"";
/// Hexadecimal digits of a sum.
const DIGITS: usize = 16;

impl Record {
    /// Its line, without the end of the line.
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(self).expect("records have text keys and finite numbers");
        line.pop();
        let sum = sum(&line);
        line.push_str(SUM);
        line.push_str(&sum);
        line.push_str("\"}");
        line
    }

    /// The record of a line, which comes without its end.
    ///
    /// # Errors
    /// The line was torn or changed, or tells what this version does not know.
    pub fn parse(line: &[u8]) -> Result<Self, RecordFault> {
        let line = std::str::from_utf8(line).map_err(|_| RecordFault::Torn)?;
        let at = line.len().checked_sub(SUM.len() + DIGITS + 2).ok_or(RecordFault::Torn)?;
        let (body, end) = line.split_at_checked(at).ok_or(RecordFault::Torn)?;
        let digits = end.strip_prefix(SUM).and_then(|end| end.strip_suffix("\"}"));
        if digits != Some(sum(body).as_str()) {
            return Err(RecordFault::Torn);
        }
        let whole = format!("{body}}}");
        serde_json::from_str(&whole).map_err(|why| RecordFault::Unknown(why.to_string()))
    }
}

fn sum(body: &str) -> String {
    let digest = Sha256::digest(body);
    digest.iter().take(DIGITS / 2).map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record() -> Record {
        Record { n: 17, at_ms: 1_796_000_000_123, event: Event::Back { to: 3 } }
    }

    #[test]
    fn a_line_reads_back() {
        let line = record().line();
        assert!(
            line.starts_with(r#"{"n":17,"at_ms":1796000000123,"event":{"back":{"to":3}},"sum":""#),
            "{line}"
        );
        assert_eq!(Record::parse(line.as_bytes()), Ok(record()));
        assert!(serde_json::from_str::<serde_json::Value>(&line).is_ok());
    }

    #[test]
    fn a_line_that_was_cut_or_changed_anywhere_is_torn() {
        let line = record().line().into_bytes();
        for end in 0..line.len() {
            assert_eq!(Record::parse(&line[..end]), Err(RecordFault::Torn), "cut at {end}");
        }
        for at in 0..line.len() {
            let mut changed = line.clone();
            changed[at] ^= 1;
            assert_eq!(Record::parse(&changed), Err(RecordFault::Torn), "changed at {at}");
        }
    }

    #[test]
    fn what_a_later_version_wrote_is_told_from_what_was_torn() {
        let body = r#"{"n":2,"at_ms":5,"event":{"dreamt":{}}"#;
        let line = format!("{body}{SUM}{}\"}}", sum(body));
        assert!(
            matches!(Record::parse(line.as_bytes()), Err(RecordFault::Unknown(why)) if why.contains("dreamt"))
        );
    }
}
