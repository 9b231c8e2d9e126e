//! A file's text, with a plain reason where there is none.

use super::{MAX_BYTES, Mistakes};
use std::fs;
use std::io::Read;
use std::path::Path;

/// The text of the file at `path`. `what` names what the file should be ("a table file") and
/// `example` a command that writes one, for the messages.
///
/// # Errors
/// One mistake of the whole file: not there, a folder, not allowed, empty, a picture or other file
/// that is not text, not UTF-8 (with the place), or larger than [`MAX_BYTES`].
pub fn read_file(path: &Path, what: &str) -> Result<String, Mistakes> {
    let name = path.display().to_string();
    let refuse = |message: String| Err(Mistakes::whole(&name, message));
    let hint = "`groma init DIR` writes samples";
    let about = match fs::metadata(path) {
        Ok(about) => about,
        Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
            return refuse(format!("there is no such file: expected {what}; {hint}"));
        }
        Err(e) => return refuse(format!("cannot open {what}: {e}")),
    };
    if about.is_dir() {
        return refuse(format!("this is a folder: expected {what}, name the file inside it"));
    }
    let mut bytes = Vec::new();
    let limit = MAX_BYTES as u64 + 1;
    let read = fs::File::open(path).and_then(|file| file.take(limit).read_to_end(&mut bytes));
    if let Err(e) = read {
        return refuse(format!("cannot read {what}: {e}"));
    }
    if let Some(kind) = known_kind(&bytes) {
        return refuse(format!("this is {kind}: expected {what}, a text in RON; {hint}"));
    }
    if bytes.len() > MAX_BYTES {
        return refuse(format!("larger than {} MiB: expected {what}; is it another file?", MAX_BYTES >> 20));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return refuse(format!("the file is empty: expected {what}; {hint}"));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text),
        Err(e) => {
            let good = e.utf8_error().valid_up_to();
            let before = &e.as_bytes()[..good];
            let line = before.iter().filter(|&&b| b == b'\n').count() + 1;
            let byte = e.as_bytes()[good];
            refuse(format!(
                "not UTF-8 text (byte 0x{byte:02X} in line {line}): expected {what}; save it as UTF-8"
            ))
        }
    }
}

/// Kinds of file that are often named by mistake.
fn known_kind(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: &[(&[u8], &str)] = &[
        (b"\xFF\xD8\xFF", "a JPEG picture"),
        (b"\x89PNG", "a PNG picture"),
        (b"%PDF", "a PDF"),
        (b"PK\x03\x04", "a zip archive or office document"),
        (b"\x7FELF", "a program"),
        (b"\xFF\xFE", "a text in UTF-16 (save it as UTF-8)"),
        (b"\xFE\xFF", "a text in UTF-16 (save it as UTF-8)"),
    ];
    KINDS.iter().find(|(start, _)| bytes.starts_with(start)).map(|&(_, kind)| kind)
}
