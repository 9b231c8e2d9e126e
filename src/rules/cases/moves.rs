//! Questions about moves, groups and the end of movement.

use super::answer::{Answer, Posed};
use super::asked::EdgeName;
use crate::rules::Side;

/// What is said where the engine has no answer yet.
const NOT_YET: &str = "the engine does not judge moves yet";

pub(super) fn legal(_posed: &Posed<'_>, _text: &str) -> Result<Answer, String> {
    Err(NOT_YET.to_owned())
}

pub(super) fn went(_posed: &Posed<'_>, _text: &str) -> Result<Answer, String> {
    Err(NOT_YET.to_owned())
}

pub(super) fn conform(_posed: &Posed<'_>, _text: &str) -> Result<Answer, String> {
    Err(NOT_YET.to_owned())
}

pub(super) fn group(_posed: &Posed<'_>, _names: &str) -> Result<Answer, String> {
    Err(NOT_YET.to_owned())
}

pub(super) fn groups(_posed: &Posed<'_>, _side: Side, _groups: &[String]) -> Result<Answer, String> {
    Err(NOT_YET.to_owned())
}

pub(super) fn reach(_posed: &Posed<'_>, _a: &str, _b: &str, _edge: EdgeName) -> Result<Answer, String> {
    Err(NOT_YET.to_owned())
}
