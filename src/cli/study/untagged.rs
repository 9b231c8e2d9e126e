//! `groma study untagged`: the dispute pairs of photographs whose truth is known, judged without their bases' tags: by
//! corners that a hand clicked, brought to the rim.
//!
//! The clicks are the true corners of the bases' upper rims, each off by a hand's error drawn from a seed. Of the truth
//! nothing else is used but for scoring.

use super::draw::normal;
use super::figures::{number, percent};
use crate::cli::verify::{Known, KnownElement, Truth, scenes_of};
use crate::cli::{Failure, say};
use crate::geometry::{Corner, Footprint, Margin, Pose, PoseEstimate, Vector};
use crate::judge::{Judgement, Measured, Verdict, rule};
use crate::rules::{Context, Element, Location, Overhang, Question, Settings, Setup, Side, margin};
use crate::tracking::CameraId;
use crate::units::Scale;
use crate::vision::location::RegisteredCamera;
use crate::vision::source::Photographs;
use crate::vision::untagged::{
    CLICK_SIGMA_PX, ClickedBase, FoundBase, Ground, KnownBase, SpotFinder, Still, Tile, TileDoubt,
    UntaggedError, measure_bases,
};
use crate::vision::{CameraModel, CameraPose, Frame, FrameSource, Lens, PixelPoint};
use anyhow::{Context as _, Result, anyhow};
use nalgebra::{Isometry3, Matrix3, Point3, Rotation3, Vector3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Arguments of `groma study untagged`.
#[derive(Debug, clap::Args)]
pub struct UntaggedArgs {
    /// Folder with NAME.jpg and NAME.truth.json; the scenes that are called dispute... are judged.
    dir: PathBuf,
    /// How many hands click every pair.
    #[arg(long, default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    hands: u32,
    /// One sigma of a hand's click on each axis, pixels.
    #[arg(long, default_value_t = CLICK_SIGMA_PX)]
    click: f64,
    /// Which hands.
    #[arg(long, default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
    /// Do without the lens profile.
    #[arg(long)]
    no_lens: bool,
    /// Take the reference tags for tiles whose places nobody knows.
    #[arg(long)]
    tiles: bool,
    /// How many corners of each base are clicked, from the front left one on.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u8).range(2..=4))]
    corners: u8,
    /// Every answer on a line of its own.
    #[arg(long)]
    each: bool,
}

/// What a study of untagged bases goes by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UntaggedStudy {
    /// How many hands click every pair.
    pub hands: u32,
    /// One sigma of a click, pixels.
    pub click_px: f64,
    /// Which hands.
    pub seed: u64,
    /// Whether the lens profile is given.
    pub lens: super::super::verify::LensUse,
    /// What the plane comes from.
    pub plane: Plane,
    /// Corners clicked of each base.
    pub corners: usize,
}

/// What the plane comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plane {
    /// The reference tags where the table file has them.
    Table,
    /// The same tags as tiles whose places nobody knows.
    Tiles,
}

/// Answers counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Answers {
    /// Clear and right.
    pub right: usize,
    /// Clear and wrong.
    pub wrong: usize,
    /// Too close to call.
    pub close: usize,
    /// Not given, since a base's rim was not seen.
    pub refused: usize,
}

impl Answers {
    /// All of them.
    pub fn all(&self) -> usize {
        self.right + self.wrong + self.close + self.refused
    }

    /// The share of the clear calls that are wrong; `None` of none.
    pub fn wrong_share(&self) -> Option<f64> {
        let clear = self.right + self.wrong;
        (clear > 0).then(|| self.wrong as f64 / clear as f64)
    }
}

/// What the study found.
#[derive(Debug, Clone, Default)]
pub struct UntaggedFigures {
    /// All questions but the distance, which is no question with two answers.
    pub answers: Answers,
    /// By question.
    pub questions: BTreeMap<&'static str, Answers>,
    /// Of each base found: the distance of its worst corner from the truth, millimetres.
    pub corner_mm: Vec<f64>,
    /// Of each base found: its pose's squared error in claimed sigmas, three degrees of freedom. In a frame of its own
    /// (tiles) a base has no true pose, and there are none.
    pub chi2: Vec<f64>,
    /// Of each distance asked: its error in claimed sigmas.
    pub distance_sigmas: Vec<f64>,
    /// Of each distance asked: its error, millimetres.
    pub distance_mm: Vec<f64>,
    /// Bases clicked.
    pub bases: usize,
    /// Of these refused.
    pub refused: usize,
}

/// Runs it.
///
/// # Errors
/// A folder without dispute scenes, or one that cannot be read.
pub fn run(args: &UntaggedArgs) -> Result<(), Failure> {
    use super::super::verify::LensUse;
    let study = UntaggedStudy {
        hands: args.hands,
        click_px: args.click,
        seed: args.seed,
        lens: if args.no_lens { LensUse::Estimated } else { LensUse::Profile },
        plane: if args.tiles { Plane::Tiles } else { Plane::Table },
        corners: usize::from(args.corners),
    };
    let mut each = |line: &str| {
        if args.each {
            say(line);
        }
    };
    let found = untagged_study(&args.dir, &study, &mut each)?;
    say("                     answers   right   wrong  too close  refused  wrong of the clear ones %");
    let show = |name: &str, a: &Answers| {
        let of = |n: usize| percent(Some(n as f64 / a.all().max(1) as f64));
        say(format!(
            "{name:20} {:8} {:>7} {:>7} {:>10} {:>8} {:>12}",
            a.all(),
            of(a.right),
            of(a.wrong),
            of(a.close),
            of(a.refused),
            number(a.wrong_share().map(|s| 100.0 * s), 2),
        ));
    };
    show("all", &found.answers);
    for (name, answers) in &found.questions {
        show(&name.replace('_', " "), answers);
    }
    say(format!("{} bases clicked, {} refused", found.bases, found.refused));
    let quantile = |values: &[f64], share: f64| {
        let mut sorted = values.to_vec();
        sorted.sort_by(f64::total_cmp);
        number(sorted.get((share * sorted.len() as f64) as usize).copied(), 2)
    };
    let line = |what: &str, values: &[f64], expected: &str| {
        if !values.is_empty() {
            say(format!(
                "{what}: half below {}, 95 in 100 below {}, 99 in 100 below {}{expected}",
                quantile(values, 0.5),
                quantile(values, 0.95),
                quantile(values, 0.99)
            ));
        }
    };
    line("worst corner, mm", &found.corner_mm, "");
    line("distance, error in mm", &found.distance_mm, "");
    line("pose's squared error in sigmas", &found.chi2, " (2.37, 7.81 and 11.34 expected)");
    line("distance's error in sigmas", &found.distance_sigmas, " (0.67, 1.96 and 2.58 expected)");
    Ok(())
}

/// Judges every dispute pair of the folder, clicked by every hand.
///
/// # Errors
/// A folder without dispute scenes, or one that cannot be read.
pub fn untagged_study(
    dir: &Path,
    study: &UntaggedStudy,
    each: &mut dyn FnMut(&str),
) -> Result<UntaggedFigures> {
    let names: Vec<String> = scenes_of(dir)?.into_iter().filter(|n| n.starts_with("dispute")).collect();
    if names.is_empty() {
        return Err(anyhow!("{} holds no scene called dispute...", dir.display()));
    }
    let mut found = UntaggedFigures::default();
    for name in &names {
        let scene = Disputed::read(dir, name, study)?;
        for hand in 0..study.hands {
            for pair in 0..scene.known.elements.len() / 2 {
                let mut rng = ChaCha8Rng::seed_from_u64(study.seed);
                rng.set_stream((u64::from(hand) << 16) + pair as u64);
                scene.judge(pair, &mut rng, study, &mut found, each);
            }
        }
    }
    Ok(found)
}

/// A scene with its camera, placed without a base's tag.
struct Disputed {
    name: String,
    known: Known,
    truth: Truth,
    true_camera: CameraModel,
    frame: Frame,
    camera: RegisteredCamera,
    plane: Plane,
}

#[derive(Deserialize)]
struct CameraOf {
    camera: TrueCamera,
}

#[derive(Deserialize)]
struct TrueCamera {
    #[serde(rename = "R_world_to_camera")]
    rotation: [[f64; 3]; 3],
    t: [f64; 3],
}

fn true_camera(text: &str, lens: Lens) -> Result<CameraModel> {
    let TrueCamera { rotation: r, t } = serde_json::from_str::<CameraOf>(text)?.camera;
    let matrix = Matrix3::from_fn(|i, j| r[i][j]);
    let rotation = Rotation3::from_matrix_unchecked(matrix);
    let camera_from_table = Isometry3::from_parts(Vector3::from(t).into(), rotation.into());
    Ok(CameraModel { lens, pose: CameraPose { camera_from_table } })
}

impl Disputed {
    fn read(dir: &Path, name: &str, study: &UntaggedStudy) -> Result<Self> {
        let file = dir.join(format!("{name}.truth.json"));
        let text =
            std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
        let known = Known::parse(&text)?;
        let frame = Photographs::single(&dir.join(format!("{name}.jpg")))?
            .next_frame()?
            .context("a photograph gives one frame")?;
        let reference = known.book.reference.clone();
        let ground = match study.plane {
            Plane::Table => Ground::Table(reference),
            Plane::Tiles => {
                let tile = |r: &crate::tracking::ReferenceTag| Tile {
                    tag: r.tag,
                    size_mm: r.size_mm,
                    thickness_mm: r.z_mm,
                };
                Ground::Tiles(reference.iter().map(tile).collect(), TileDoubt::default())
            }
        };
        let lens = (study.lens == super::super::verify::LensUse::Profile).then_some(known.lens);
        let camera = SpotFinder::new(ground, lens)?.place(name, &frame.grey)?;
        let true_camera = true_camera(&text, known.lens)?;
        let truth = Truth::parse(&text)?;
        Ok(Self { name: name.to_owned(), known, truth, true_camera, frame, camera, plane: study.plane })
    }

    fn clicked(&self, i: usize, rng: &mut ChaCha8Rng, study: &UntaggedStudy) -> Option<ClickedBase> {
        let element = &self.known.elements[i];
        let base = KnownBase::of(element.base_mm[0], element.base_mm[1]);
        let footprint = element.footprint(self.truth.poses[i])?;
        let corners_px: Option<Vec<(Corner, PixelPoint)>> = Corner::ALL
            .into_iter()
            .take(study.corners)
            .map(|corner| {
                let at = footprint.corner(corner);
                let pixel = self.true_camera.image_from_table(Point3::new(at.x, at.y, base.thickness_mm))?;
                let off = nalgebra::Vector2::new(normal(rng), normal(rng)) * study.click_px;
                Some((corner, pixel + off))
            })
            .collect();
        Some(ClickedBase { known: base, corners_px: corners_px?, click_sigma_px: study.click_px.max(0.5) })
    }

    fn judge(
        &self,
        pair: usize,
        rng: &mut ChaCha8Rng,
        study: &UntaggedStudy,
        figures: &mut UntaggedFigures,
        each: &mut dyn FnMut(&str),
    ) {
        let places = [2 * pair, 2 * pair + 1];
        let clicked: Vec<ClickedBase> = places.iter().filter_map(|&i| self.clicked(i, rng, study)).collect();
        let still = Still { grey: &self.frame.grey, colour: self.frame.colour.as_deref() };
        let found = measure_bases(still, &self.camera, CameraId::default(), &clicked);
        for (&i, found) in places.iter().zip(&found) {
            self.score(i, found, figures, each);
        }
        let settings = Settings::dba3();
        let elements = places.iter().map(|&i| self.element(i, self.truth.poses[i]));
        let Some(elements) = elements.collect::<Option<Vec<Element>>>() else { return };
        let truth = Setup::bare(Scale::SMALL, self.known.board_mm, elements.clone());
        let both: Option<Vec<(Element, PoseEstimate)>> = elements
            .iter()
            .zip(&found)
            .map(|(element, found)| {
                let found = found.as_ref().ok()?;
                Some((Element { footprint: found.footprint, ..element.clone() }, found.estimate.clone()))
            })
            .collect();
        let measured = both.map(|both| Measured::from_poses(Scale::SMALL, self.known.board_mm, both));
        let (a, b) = (elements[0].name.as_str(), elements[1].name.as_str());
        for question in Question::ALL {
            let context = Context::of(&truth, &settings);
            let real = margin(question, &elements[0], &elements[1], &context);
            let judged = measured.as_ref().map(|m| rule(m, &settings, question, a, b));
            let judged = match judged {
                Some(Ok(judged)) => Some(judged),
                Some(Err(_)) => continue,
                None => None,
            };
            if let Some(judged) = &judged {
                each(&format!(
                    "{} {question:?} {a} {b}: {}; in truth {:+.2} mm",
                    self.name,
                    judged.in_words(),
                    real.mm
                ));
            }
            if question == Question::Distance {
                if let Some(judged) = &judged {
                    let off = judged.ruling.margin.mm - real.mm;
                    figures.distance_mm.push(off.abs());
                    figures.distance_sigmas.push(off.abs() / judged.weighed.sigma_mm.max(1e-9));
                }
                continue;
            }
            count(&mut figures.answers, judged.as_ref(), &real);
            count(figures.questions.entry(name_of(question)).or_default(), judged.as_ref(), &real);
        }
    }

    fn score(
        &self,
        i: usize,
        found: &Result<FoundBase, UntaggedError>,
        figures: &mut UntaggedFigures,
        each: &mut dyn FnMut(&str),
    ) {
        figures.bases += 1;
        let element: &KnownElement = &self.known.elements[i];
        let found = match found {
            Ok(found) => found,
            Err(why) => {
                figures.refused += 1;
                each(&format!("{} {}: {why}", self.name, element.name));
                return;
            }
        };
        if self.plane == Plane::Tiles {
            return;
        }
        let real = self.truth.poses[i];
        let Some(true_base) = element.footprint(real) else { return };
        let worst = Corner::ALL
            .iter()
            .map(|c| (found.footprint.corner(*c) - true_base.corner(*c)).norm())
            .fold(0.0, f64::max);
        figures.corner_mm.push(worst);
        let pose = found.estimate.pose;
        let shift: Vector = real.centre - pose.centre;
        let off = Vector3::new(shift.x, shift.y, pose.heading.turn_to_radians(real.heading));
        let Some(inverse) = found.estimate.total_covariance().try_inverse() else { return };
        let chi2 = (off.transpose() * inverse * off)[(0, 0)];
        figures.chi2.push(chi2);
        let own = pose.heading;
        each(&format!(
            "{} {}: right {:+.2} ahead {:+.2} mm, turn {:+.2} deg; chi2 {chi2:.1}; sigma {:.2} mm {:.2} deg; shown {:.2}; edges {}",
            self.name,
            element.name,
            -shift.dot(&own.right()),
            -shift.dot(&own.vector()),
            -off.z.to_degrees(),
            found.estimate.sigma_place_mm(),
            found.estimate.sigma_heading_rad().to_degrees(),
            found.shown,
            found
                .edges
                .iter()
                .map(|e| format!("{}/{}{}", e.agreeing, e.pieces, if e.used { "" } else { "-" }))
                .collect::<Vec<_>>()
                .join(" ")
        ));
    }

    fn element(&self, i: usize, pose: Pose) -> Option<Element> {
        let known = self.known.elements.get(i)?;
        let footprint: Footprint = known.footprint(pose)?;
        Some(Element {
            name: known.name.clone(),
            side: if i.is_multiple_of(2) { Side::Red } else { Side::Blue },
            troop: "4Bd".to_owned(),
            footprint,
            general: false,
            tower: false,
            overhang: Overhang::default(),
            location: Location::Board,
        })
    }
}

fn name_of(question: Question) -> &'static str {
    match question {
        Question::Distance => "distance",
        Question::InZoneOf => "in zone of",
        Question::ContactFront => "front contact",
        Question::ContactFlank => "flank contact",
        Question::ContactRear => "rear contact",
        Question::CornerTouch => "corner touch",
        Question::BehindFlankLine => "behind flank line",
    }
}

fn count(answers: &mut Answers, judged: Option<&Judgement>, real: &Margin) {
    let Some(judged) = judged else {
        answers.refused += 1;
        return;
    };
    let clear = match judged.verdict() {
        Verdict::Yes => real.satisfied(),
        Verdict::No => !real.satisfied(),
        Verdict::TooClose { .. } | Verdict::Held(_) => {
            answers.close += 1;
            return;
        }
    };
    if clear { answers.right += 1 } else { answers.wrong += 1 }
}
