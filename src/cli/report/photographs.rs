//! The photographs of a report: read from beside the journal, held against what the journal says of them. One that is missing
//! or was changed is told and left out.

use crate::session::report::{Chapter, Story};
use crate::text::html::base64;
use crate::text::time_of;
use std::path::Path;

/// A photograph that may be shown.
pub struct Shown {
    /// After so many entries of its bound.
    pub after: usize,
    /// When it was taken, in words.
    pub when: String,
    /// The picture as it stands in a page.
    pub data: String,
}

/// Those of each chapter; what is wrong with others is added to `cautions`.
pub fn photographs(story: &Story, folder: &Path, cautions: &mut Vec<String>) -> Vec<Vec<Shown>> {
    let mut of = |chapter: &Chapter| {
        let mut shown = Vec::new();
        for taken in &chapter.photographs {
            match taken.photograph.read(folder).and_then(|bytes| Ok((kind(&bytes)?, bytes))) {
                Ok((kind, bytes)) => shown.push(Shown {
                    after: taken.after,
                    when: time_of(taken.at_ms),
                    data: format!("data:image/{kind};base64,{}", base64(&bytes)),
                }),
                Err(why) => {
                    cautions.push(format!("A photograph is left out: {}.", why.trim_end_matches('.')))
                }
            }
        }
        shown
    };
    story.chapters.iter().map(&mut of).collect()
}

/// What kind of picture it is, by how it begins.
fn kind(bytes: &[u8]) -> Result<&'static str, String> {
    match bytes {
        [0xff, 0xd8, 0xff, ..] => Ok("jpeg"),
        [0x89, b'P', b'N', b'G', ..] => Ok("png"),
        _ => Err("it is neither a JPEG nor a PNG".to_owned()),
    }
}
