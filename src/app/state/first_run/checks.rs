//! What the first run finds in the newest picture, step by step, in plain words that say what to do.

use super::FirstRun;
use crate::app::command::Step;
use crate::app::state::{Run, State};
use crate::app::worker::Sight;
use crate::app::worker::look::PictureLook;
use crate::judge::RosterElement;
use crate::rules::{Location, Side};
use crate::session::view::ElementView;
use crate::tracking::{ReferenceTag, Visibility};
use crate::vision::source::{Lock, Setting};
use crate::vision::{Caution, Detection, module_px};

/// How good something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// As it should be.
    Good,
    /// It will do, and could be better.
    Mind,
    /// It will not do.
    Wrong,
}

impl Mark {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Good => "Good",
            Self::Mind => "Mind",
            Self::Wrong => "Wrong",
        }
    }
}

/// Something that was looked at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// How good it is.
    pub mark: Mark,
    /// What it is, and what to do.
    pub words: String,
}

/// Something that was looked at.
fn check(mark: Mark, words: impl Into<String>) -> Check {
    Check { mark, words: words.into() }
}

/// Pixels to a module from which on nearly all tags are found in a photograph: 22 px across the square of tag36h11, whose
/// border is 8 modules wide (the plan's own figure, docs/accuracy-size.csv).
const ENOUGH_MODULE_PX: f64 = 2.75;
/// Columns of a picture below which a whole board leaves a tag few pixels.
const FEW_COLUMNS: usize = 1280;
/// So many names are told, and of more how many they are.
const NAMED: usize = 4;

/// What is found of the step that is shown.
pub(super) fn of(state: &State, page: &FirstRun) -> Vec<Check> {
    let Some(sight) = state.latest() else {
        return std::iter::once(no_picture(state, page))
            .chain(page.plan.iter().filter(|_| page.step == Step::Board).cloned())
            .collect();
    };
    let look = page.look();
    let looking = || vec![check(Mark::Mind, "The picture is being looked at.")];
    match page.step {
        Step::Camera => look.map_or_else(looking, |look| camera(sight, look)),
        Step::Board => page.plan.clone(),
        Step::Tags => look.map_or_else(looking, |look| [light(look), tags(state, sight, look)].concat()),
        Step::Lens => vec![lens(state, sight)],
        Step::Armies => armies(state),
        Step::Bases => {
            look.map_or_else(looking, |look| [placed(sight), light(look), bases(state, sight, look)].concat())
        }
        Step::Ruling => [placed(sight), ruling(state)].concat(),
    }
}

fn no_picture(state: &State, page: &FirstRun) -> Check {
    match &state.source.run {
        Run::Failed(words) => check(Mark::Wrong, words.clone()),
        _ if page.opening => check(Mark::Mind, "The source is being opened."),
        _ if page.kept.is_some() => check(Mark::Mind, "The first picture is on its way."),
        _ => check(Mark::Wrong, "There is no picture yet: name a source and press \"Look\"."),
    }
}

/// Only what is wrong with the light and the lens.
fn light(look: &PictureLook) -> Vec<Check> {
    look.faults.iter().map(|fault| check(Mark::Wrong, format!("The picture is {fault}"))).collect()
}

fn camera(sight: &Sight, look: &PictureLook) -> Vec<Check> {
    let (width, height) = (sight.frame.grey.width(), sight.frame.grey.height());
    let mut found = light(look);
    if found.is_empty() {
        found.push(check(Mark::Good, "The picture is light enough, and sharp."));
    }
    found.push(if width < FEW_COLUMNS {
        let words = format!(
            "{width}x{height} pixels are few for a whole board: 1920x1080 or more, or a nearer camera, shows tags finely"
        );
        check(Mark::Mind, words)
    } else {
        check(Mark::Good, format!("{width}x{height} pixels."))
    });
    if let Some(locks) = &sight.locks {
        for setting in Setting::ALL {
            let name = setting.name();
            match locks.get(setting) {
                Lock::Locked => {}
                Lock::Automatic => found.push(check(
                    Mark::Mind,
                    format!("The camera still sets its {name} by itself; it is locked in a moment"),
                )),
                Lock::NoControl if setting != Setting::Exposure => {}
                Lock::NoControl => found.push(check(
                    Mark::Mind,
                    "The camera has no switch for its exposure: if the picture's light comes and goes, light the \
                     table evenly and keep hands out while it looks",
                )),
                Lock::Refused(why) => found.push(check(
                    Mark::Mind,
                    format!("Auto-{name} is on and cannot be switched off ({why}): do so in the camera's own program"),
                )),
                Lock::Left => found.push(check(
                    Mark::Mind,
                    format!("Auto-{name} is on, as was asked: the picture changes by itself"),
                )),
            }
        }
        if locks.settled() && locks.loose().is_empty() {
            found.push(check(Mark::Good, "Exposure, focus and white balance are locked."));
        }
    }
    found
}

/// Where a reference tag lies, as one who sits at the near edge says it.
fn place_words(tag: &ReferenceTag, (width, depth): (f64, f64)) -> String {
    let third = |at: f64, whole: f64, low: &'static str, high: &'static str| {
        if at < whole / 3.0 {
            low
        } else if at > whole * 2.0 / 3.0 {
            high
        } else {
            ""
        }
    };
    let ways = [third(tag.y_mm, depth, "near", "far"), third(tag.x_mm, width, "left", "right")];
    let words = ways.into_iter().filter(|w| !w.is_empty()).collect::<Vec<_>>().join(" ");
    if words.is_empty() { "middle".to_owned() } else { words }
}

fn placed(sight: &Sight) -> Vec<Check> {
    let wrong = sight.reading.registration.as_ref().err();
    wrong
        .map(|why| check(Mark::Wrong, format!("The picture cannot be placed on the table: {why}")))
        .into_iter()
        .collect()
}

fn tags(state: &State, sight: &Sight, look: &PictureLook) -> Vec<Check> {
    let table = state.engine().table();
    let detections = &look.found;
    let seen = |tag: &&ReferenceTag| detections.iter().any(|d| d.tag == tag.tag);
    let missing: Vec<&ReferenceTag> = table.reference.iter().filter(|t| !seen(t)).collect();
    let known = table.reference.len();
    let mut found = placed(sight);
    if missing.is_empty() {
        found.push(check(Mark::Good, format!("All {known} reference tags are seen.")));
    } else {
        let names: Vec<String> =
            missing.iter().map(|t| format!("{} ({})", t.tag.id, place_words(t, table.board_mm))).collect();
        let mark = if sight.reading.registration.is_ok() { Mark::Mind } else { Mark::Wrong };
        found.push(check(
            mark,
            format!(
                "{} of {known} reference tags are seen. Not seen: {}. Is something lying on it, is it out of the picture, \
                 or is its white edge cut away?",
                known - missing.len(),
                names.join(", ")
            ),
        ));
    }
    found.extend(sight.reading.cautions().iter().map(|caution| {
        // Held and changed are of play; here they say that something moves. Bases have a step of their own.
        let minded =
            matches!(caution, Caution::Held(_) | Caution::Unnamed { .. } | Caution::NotAsWritten { .. });
        let mark = if minded { Mark::Mind } else { Mark::Wrong };
        check(mark, first_large(&caution.to_string()))
    }));
    let of_table = |d: &&Detection| table.reference.iter().any(|t| t.tag == d.tag);
    found.extend(small(detections.iter().filter(of_table), "reference tag"));
    found
}

/// Says so where a tag has few pixels to a module.
fn small<'a>(found: impl Iterator<Item = &'a Detection>, what: &str) -> Option<Check> {
    let smallest = found.filter_map(|d| Some((d.tag, module_px(d)?))).min_by(|a, b| a.1.total_cmp(&b.1))?;
    (smallest.1 < ENOUGH_MODULE_PX).then(|| {
        check(
            Mark::Mind,
            format!(
                "{what} {} has {:.1} pixels to a module, and {ENOUGH_MODULE_PX} are needed to be found every time: bring \
                 the camera nearer, let it take larger pictures, or print larger tags",
                smallest.0.id, smallest.1
            ),
        )
    })
}

fn lens(state: &State, sight: &Sight) -> Check {
    if let Some(profile) = state.lens() {
        return check(Mark::Good, format!("The lens profile of \"{}\" serves.", profile.camera));
    }
    match &sight.reading.registration {
        Ok(r) if !r.lens_estimated => {
            check(Mark::Good, "This source knows its own lens: nothing to calibrate.")
        }
        _ => check(
            Mark::Mind,
            "The lens is estimated from the reference tags: it works, and every plus-minus is larger than it need be",
        ),
    }
}

fn armies(state: &State) -> Vec<Check> {
    let (roster, scale) = (state.engine().roster(), state.engine().table().scale.mm_per_bw());
    let mut found: Vec<Check> = [Side::Red, Side::Blue]
        .map(|side| {
            let count = roster.elements().iter().filter(|e| e.side == side).count();
            match count {
                0 => check(Mark::Wrong, format!("There is no {} army yet.", side.word())),
                n => check(Mark::Good, format!("The {} army has {n} elements in the folder.", side.word())),
            }
        })
        .into();
    let other = |e: &&RosterElement| (e.base.width_mm - scale).abs() > 0.15 * scale;
    if let Some(odd) = roster.elements().iter().find(other) {
        found.push(check(
            Mark::Wrong,
            format!(
                "\"{}\" stands on a base {} mm wide, and the table's base width is {scale} mm: make its army again, or \
                 mend the roster",
                odd.name, odd.base.width_mm
            ),
        ));
    }
    found
}

fn bases(state: &State, sight: &Sight, look: &PictureLook) -> Vec<Check> {
    let roster = state.engine().roster();
    let on_board = |e: &&ElementView| {
        roster.element(&e.name).is_some_and(|r| r.location == Location::Board && !is_foot(r, state))
    };
    let all: Vec<&ElementView> = state.table().elements.iter().filter(on_board).collect();
    if all.is_empty() {
        return vec![check(Mark::Wrong, "There is no army to look for: go back and choose one.")];
    }
    let missing: Vec<&&ElementView> = all.iter().filter(|e| e.visibility != Visibility::Seen).collect();
    let mut found = Vec::new();
    if missing.is_empty() {
        found.push(check(Mark::Good, format!("All {} bases are found.", all.len())));
    } else {
        let mark = if missing.len() == all.len() { Mark::Wrong } else { Mark::Mind };
        found.push(check(
            mark,
            format!(
                "{} of {} bases are found. Not found: {}.",
                all.len() - missing.len(),
                all.len(),
                names(&missing)
            ),
        ));
    }
    for element in &missing {
        let tags = roster.element(&element.name).map(|e| e.tags.as_slice()).unwrap_or_default();
        let why = sight.reading.refused.iter().find(|r| tags.iter().any(|t| t.tag == r.detection.tag));
        if let Some(refused) = why {
            found.push(check(Mark::Mind, format!("{}: {}", element.name, refused.why)));
        }
    }
    found.truncate(1 + NAMED);
    if found.len() == 1 && !missing.is_empty() {
        found.push(check(
            Mark::Mind,
            "Of those no tag shows at all: are they on the table, is nothing over their tags, is the white edge whole?",
        ));
    }
    let of_base = |d: &&Detection| roster.elements().iter().any(|e| e.tags.iter().any(|t| t.tag == d.tag));
    found.extend(small(look.found.iter().filter(of_base), "the tag"));
    found
}

/// Whether an element is the foot that a rider may become: it is not on the table while he rides.
fn is_foot(element: &RosterElement, state: &State) -> bool {
    let pairs = state.engine().roster().exchanges();
    pairs.iter().any(|(_, foot)| *foot == element.name)
}

fn names(missing: &[&&ElementView]) -> String {
    let told: Vec<&str> = missing.iter().take(NAMED).map(|e| e.name.as_str()).collect();
    match missing.len().saturating_sub(NAMED) {
        0 => told.join(", "),
        more => format!("{} and {more} more", told.join(", ")),
    }
}

fn ruling(state: &State) -> Vec<Check> {
    match state.pair() {
        Some(pair) => vec![check(
            Mark::Good,
            format!(
                "{} and {} are {:.1} mm apart: this is your first ruling.",
                pair.a, pair.b, pair.distance.mm
            ),
        )],
        None => vec![check(Mark::Mind, "Click two bases in the picture, or press \"Nearest enemies\".")],
    }
}

fn first_large(words: &str) -> String {
    let mut letters = words.chars();
    letters.next().map(|c| c.to_uppercase().collect::<String>() + letters.as_str()).unwrap_or_default()
}
