//! Questions about moves, groups and the end of movement.

use super::answer::{Answer, Posed};
use super::asked::EdgeName;
use super::places::fault;
use crate::rules::group::{self, Formed};
use crate::rules::movement::TacticalMove;
use crate::rules::{Settings, Setup, Side, notation};
use std::collections::BTreeSet;

/// What is said where the engine has no answer yet.
const NOT_YET: &str = "the engine does not judge moves yet";

/// The moves of a text, each on the table that the ones before it leave, and the table after all.
pub(super) fn made(
    text: &str,
    setup: &Setup,
    settings: &Settings,
) -> Result<(Vec<TacticalMove>, Setup), String> {
    let lines = notation::read_moves(text, settings.ruleset(), setup.scale)
        .map_err(|errors| errors.iter().map(|e| format!("move: {e}")).collect::<Vec<_>>().join("; "))?;
    let (mut moves, mut setup) = (Vec::new(), setup.clone());
    for line in &lines {
        let found = line.on(&setup).map_err(|e| e.to_string())?;
        setup = found.applied_to(&setup);
        moves.push(found);
    }
    Ok((moves, setup))
}

pub(super) fn legal(posed: &Posed<'_>, text: &str) -> Result<Answer, String> {
    let (moves, _) = made(text, posed.setup, posed.settings)?;
    Err(format!("{NOT_YET}: {} moves, bound {:?}", moves.len(), posed.bound))
}

pub(super) fn went(_posed: &Posed<'_>, _text: &str) -> Result<Answer, String> {
    Err(NOT_YET.to_owned())
}

fn split(names: &str) -> Vec<&str> {
    names.split('+').map(str::trim).collect()
}

pub(super) fn group(posed: &Posed<'_>, names: &str) -> Result<Answer, String> {
    let told = group::is_group(posed.setup, posed.settings, &split(names), &Formed::default());
    told.map(Answer::told).map_err(fault)
}

pub(super) fn groups(posed: &Posed<'_>, side: Side, expected: &[String]) -> Result<Answer, String> {
    let of_side = |name: &String| posed.setup.element(name).is_some_and(|e| e.side == side);
    let found: BTreeSet<BTreeSet<String>> = group::groups(posed.setup, posed.settings, &Formed::default())
        .into_iter()
        .filter(|members| members.iter().all(of_side))
        .map(|members| members.into_iter().collect())
        .collect();
    let expected: BTreeSet<BTreeSet<String>> =
        expected.iter().map(|names| split(names).into_iter().map(str::to_owned).collect()).collect();
    let mut reasons = Vec::new();
    for members in &found {
        let names: Vec<&str> = members.iter().map(String::as_str).collect();
        let told = group::is_group(posed.setup, posed.settings, &names, &Formed::default());
        reasons.extend(told.map_err(fault)?.reasons);
    }
    let listed: Vec<String> =
        found.iter().map(|members| members.iter().cloned().collect::<Vec<_>>().join("+")).collect();
    let said = if listed.is_empty() { "no groups".to_owned() } else { listed.join(", ") };
    Ok(Answer::plain(found == expected, said, reasons))
}

pub(super) fn reach(_posed: &Posed<'_>, _a: &str, _b: &str, _edge: EdgeName) -> Result<Answer, String> {
    Err(NOT_YET.to_owned())
}
