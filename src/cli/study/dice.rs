//! `groma study dice`: how often dice are read, refused and misread.
//!
//! Rendered throws whose truth is known, and photographs with a box and a value of each die. Refusals are counted apart
//! from wrong readings, and dice of which nothing is said apart from both. Pixels.

use crate::cli::{Failure, say};
use crate::vision::dice::{DiceReader, DiceSeen};
use crate::vision::sim::{Throw, TrayScene};
use crate::vision::source::read_picture;
use serde::Deserialize;
use std::fmt;
use std::path::{Path, PathBuf};

/// Reads rendered throws of dice, and photographs of dice where a folder of them is given.
#[derive(Debug, clap::Args)]
pub struct DiceStudyArgs {
    /// Throws of each kind.
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    throws: u32,
    /// The first throw's seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u32,
    /// A folder of photographs with dice.json: for each its picture and dice, each with value and box.
    #[arg(long, value_name = "DIR")]
    photographs: Option<PathBuf>,
    /// Each die that was not read rightly.
    #[arg(long)]
    each: bool,
}

/// What became of dice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiceFigures {
    /// Read as they lie.
    pub right: u32,
    /// Read as something else, or read where no die lies.
    pub wrong: u32,
    /// Refused with a reason.
    pub refused: u32,
    /// Nothing was said of them.
    pub silent: u32,
    /// Of dice that ought to be refused (cocked, or lying on one another): read.
    pub bad_read: u32,
    /// Such dice.
    pub bad: u32,
    /// Every die that was not read rightly, in words.
    pub told: Vec<String>,
}

impl DiceFigures {
    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.refused += other.refused;
        self.silent += other.silent;
        self.bad_read += other.bad_read;
        self.bad += other.bad;
        self.told.extend(other.told);
    }
}

impl fmt::Display for DiceFigures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { right, wrong, refused, silent, bad_read, bad, .. } = self;
        let all = right + wrong + refused + silent;
        let share = 100.0 * f64::from(*right) / f64::from(all.max(1));
        write!(
            f,
            "{right} of {all} read rightly ({share:.1} %), {wrong} wrongly, {refused} refused, {silent} not told of"
        )?;
        if *bad > 0 {
            write!(f, "; of {bad} cocked or on one another {bad_read} read")?;
        }
        Ok(())
    }
}

/// A die that is known: its value, where its upper face may be, its size, and whether it ought to be refused.
struct Known {
    value: u8,
    middle: [f64; 2],
    reach: [f64; 2],
    bad: bool,
}

fn score(what: &str, known: &[Known], seen: &DiceSeen) -> DiceFigures {
    let mut figures = DiceFigures::default();
    let mut used = vec![false; seen.readings.len()];
    for die in known {
        let [x, y] = die.middle;
        let off = |at: [f64; 2]| [(at[0] - x).abs() / die.reach[0], (at[1] - y).abs() / die.reach[1]];
        let near = seen.readings.iter().enumerate().filter(|(n, r)| {
            let [u, v] = off(r.middle);
            !used[*n] && u <= 1.0 && v <= 1.0
        });
        let nearest = near.min_by(|(_, a), (_, b)| {
            let far = |at| off(at)[0].hypot(off(at)[1]);
            far(a.middle).total_cmp(&far(b.middle))
        });
        figures.bad += u32::from(die.bad);
        let told = |words: String| format!("{what}: the {} at {x:.0}, {y:.0}: {words}", die.value);
        if let Some((n, reading)) = nearest {
            used[n] = true;
            if die.bad {
                figures.bad_read += 1;
                figures.told.push(told(format!("ought to be refused, read as {}", reading.value)));
            } else if reading.value == die.value {
                figures.right += 1;
            } else {
                figures.wrong += 1;
                figures.told.push(told(format!("WRONG, read as {}", reading.value)));
            }
            continue;
        }
        let side = die.reach[0].max(die.reach[1]);
        let refusal =
            seen.refusals.iter().find(|r| (r.middle[0] - x).hypot(r.middle[1] - y) < r.radius + side);
        match refusal {
            _ if die.bad => {}
            Some(refusal) => {
                figures.refused += 1;
                figures.told.push(told(format!("refused: {}", refusal.why)));
            }
            None => {
                figures.silent += 1;
                figures.told.push(told("NOT TOLD OF".to_owned()));
            }
        }
    }
    for (reading, _) in seen.readings.iter().zip(&used).filter(|(_, used)| !**used) {
        figures.wrong += 1;
        let [x, y] = reading.middle;
        figures
            .told
            .push(format!("{what}: WRONG, a {} read at {x:.0}, {y:.0} where no die lies", reading.value));
    }
    figures
}

/// Columns and rows of rendered pictures.
const RENDERED: [usize; 2] = [640, 480];

/// Reads rendered throws of one kind, the seeds from `seed` on.
pub fn rendered_dice(throw: Throw, seed: u32, throws: u32) -> DiceFigures {
    let mut figures = DiceFigures::default();
    let reader = DiceReader::new();
    let [width, height] = RENDERED;
    for seed in seed..seed.saturating_add(throws) {
        let scene = TrayScene::thrown(throw, seed);
        let known: Vec<Known> = scene
            .dice
            .iter()
            .enumerate()
            .map(|(n, die)| {
                let reach = 0.35 * die.side_mm * scene.px_per_mm;
                let bad = throw == Throw::Cocked && n == 0 || throw == Throw::Stacked && n < 2;
                let middle = scene.face_px(die, width, height);
                Known { value: die.value, middle, reach: [reach; 2], bad }
            })
            .collect();
        let seen = reader.read(&scene.draw(width, height));
        figures.add(score(&format!("{throw:?} {seed}"), &known, &seen));
    }
    figures
}

#[derive(Deserialize)]
struct Photograph {
    picture: String,
    dice: Vec<Labelled>,
}

#[derive(Deserialize)]
struct Labelled {
    value: u8,
    /// Left, top, right, bottom.
    #[serde(rename = "box")]
    bounds: [f64; 4],
}

/// Labels of the photographs that are wrong, seen with the eye where a reading disagreed: the picture, the box's left and
/// top, and what the die shows.
const MISLABELLED: [(&str, [f64; 2], u8); 2] =
    [("IMG_20191209_095555.jpg", [142.0, 245.0], 6), ("IMG_20191209_100002.jpg", [115.0, 340.0], 3)];

/// Which photographs of the folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Half {
    /// Every second from the first on: the thresholds were chosen on these.
    Chosen,
    /// Every second from the second on: nothing was chosen on these.
    HeldOut,
}

/// Reads one half of the photographs of a folder.
///
/// # Errors
/// A folder without a readable dice.json, or a picture that cannot be read.
pub fn photographed_dice(folder: &Path, half: Half) -> Result<DiceFigures, anyhow::Error> {
    let listed = folder.join("dice.json");
    let text = std::fs::read_to_string(&listed)
        .map_err(|why| anyhow::anyhow!("{}: {why}; give a folder with its dice.json", listed.display()))?;
    let photographs: Vec<Photograph> = serde_json::from_str(&text)
        .map_err(|why| anyhow::anyhow!("{} is not as it should be: {why}", listed.display()))?;
    let mut figures = DiceFigures::default();
    let reader = DiceReader::new();
    let first = usize::from(half == Half::HeldOut);
    for photograph in photographs.iter().skip(first).step_by(2) {
        let picture = read_picture(&folder.join(&photograph.picture))?;
        let known: Vec<Known> = photograph
            .dice
            .iter()
            .map(|die| {
                let [left, top, right, bottom] = die.bounds;
                let mended = MISLABELLED
                    .iter()
                    .find(|(name, at, _)| *name == photograph.picture && *at == [left, top]);
                Known {
                    value: mended.map_or(die.value, |(_, _, shown)| *shown),
                    middle: [(left + right) / 2.0, (top + bottom) / 2.0],
                    reach: [(right - left) / 2.0 + 2.0, (bottom - top) / 2.0 + 2.0],
                    bad: false,
                }
            })
            .collect();
        figures.add(score(&photograph.picture, &known, &reader.read(&picture)));
    }
    Ok(figures)
}

/// Runs the command.
///
/// # Errors
/// A folder that is none.
pub fn run(args: &DiceStudyArgs) -> Result<(), Failure> {
    let show = |what: &str, figures: &DiceFigures| {
        say(format!("{what}: {figures}"));
        if args.each {
            figures.told.iter().for_each(|words| say(format!("  {words}")));
        }
    };
    let kinds = [
        ("rendered, apart", Throw::Apart),
        ("rendered, two touching", Throw::Touching),
        ("rendered, one cocked", Throw::Cocked),
        ("rendered, one on another", Throw::Stacked),
    ];
    for (what, throw) in kinds {
        show(what, &rendered_dice(throw, args.seed, args.throws));
    }
    if let Some(folder) = &args.photographs {
        let halves = [("photographs, held out", Half::HeldOut), ("photographs, chosen on", Half::Chosen)];
        for (what, half) in halves {
            show(what, &photographed_dice(folder, half).map_err(Failure::Job)?);
        }
    }
    Ok(())
}
