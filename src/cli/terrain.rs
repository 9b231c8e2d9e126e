//! `groma terrain`: terrain as a picture shows it, for those who work without the window.

use super::watch::{Watch, WatchArgs};
use super::{Failure, say};
use crate::geometry::Point;
use crate::judge::{FeatureMoved, Table, features_seen, ground_rows, read_elements, rounded, standing};
use crate::rules::stronghold::Past;
use crate::rules::terrain::{
    Feature, Ground, Hill, Holder, Profile, River, RiverState, Road, TerrainKind, Way,
};
use crate::vision::outline::{
    Course, Cover, Moved, Proposal, Rectified, compare_course, compare_standing, propose, rectify,
};
use anyhow::anyhow;
use clap::{Args, Subcommand};
use serde_json::json;

/// Terrain as a picture of the table shows it: outlines proposed, and compared with the table file.
#[derive(Debug, Args)]
pub struct TerrainArgs {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    Propose(ProposeArgs),
    Compare(CompareArgs),
}

/// Proposes the outline of what shows at a place, as a line to paste into the table file.
///
/// The outline is that of the felt, not of the trees on it: point at the felt. Lift what you can before.
#[derive(Debug, Args)]
pub struct ProposeArgs {
    /// A picture, a video, camera:N, or sim:SEED.
    source: String,
    /// Places on the table in mm, as 120,500.
    #[arg(required = true, value_name = "X,Y", value_parser = place)]
    at: Vec<Point>,
    /// What it is: a kind of terrain of the table file, or river or road.
    #[arg(long, default_value = "wood", value_parser = kind)]
    kind: Kind,
    /// Its name; each further place gets a number.
    #[arg(long)]
    name: Option<String>,
    /// A hill's height in mm.
    #[arg(long, value_name = "MM", default_value_t = 10.0, value_parser = height)]
    height: f64,
    #[command(flatten)]
    watch: WatchArgs,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Compares every outline of the table file with the picture: a shift of 3 mm or more is told. Of terrain with a tag the tag says it.
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A picture, a video, camera:N, or sim:SEED.
    source: String,
    #[command(flatten)]
    watch: WatchArgs,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// What a feature is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Area(TerrainKind),
    River,
    Road,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Self::Area(kind) => kind.word(),
            Self::River => "river",
            Self::Road => "road",
        }
    }
}

fn place(text: &str) -> Result<Point, String> {
    let parts =
        text.split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    let found = parts.filter(|(x, y): &(f64, f64)| x.is_finite() && y.is_finite());
    found.map(|(x, y)| Point::new(x, y)).ok_or_else(|| "expected a place in mm, X,Y, as 120,500".to_owned())
}

fn height(text: &str) -> Result<f64, String> {
    let found = text.parse().ok().filter(|mm| (0.0..=500.0).contains(mm));
    found.ok_or_else(|| "expected a height in mm, 0 to 500".to_owned())
}

fn kind(text: &str) -> Result<Kind, String> {
    match text {
        "river" => return Ok(Kind::River),
        "road" => return Ok(Kind::Road),
        _ => {}
    }
    let found = TerrainKind::ALL.iter().find(|(word, _)| *word == text);
    found.map(|(_, kind)| Kind::Area(*kind)).ok_or_else(|| {
        let words: Vec<&str> = TerrainKind::ALL.iter().map(|(word, _)| *word).collect();
        format!("expected river, road, or one of {}", words.join(", "))
    })
}

/// Runs the command.
///
/// # Errors
/// A source that cannot be read or placed on the table; with every place that was pointed at refused.
pub fn run(args: &TerrainArgs) -> Result<(), Failure> {
    match &args.which {
        Which::Propose(args) => proposals(args),
        Which::Compare(args) => comparisons(args),
    }
}

/// The table, the board from above as the source's last placed frame shows it, and how terrain with tags lies.
fn look(args: &WatchArgs, source: &str) -> Result<(Table, Rectified, Vec<FeatureMoved>), Failure> {
    let watch = Watch::new(args, &[source.to_owned()])?;
    let mut last = None;
    watch.follow(source, |frame, reading| {
        match (&reading.registration, &reading.camera) {
            (Ok(_), Some(camera)) => last = Some((frame.clone(), *camera, reading.clone())),
            (Err(why), _) => note!("groma: {}: {}", frame.label, watch.misfit(why)),
            _ => {}
        }
        Ok(())
    })?;
    let Some((frame, camera, reading)) = last else {
        return Err(Failure::Job(anyhow!("{source}: the table was not found in it")));
    };
    let readings = read_elements(&watch.roster, &reading.snapshot);
    let covers = Cover::all(standing(&watch.roster, &readings), &reading.detections);
    let made = rectify(&frame, &camera, watch.table.board_mm, &covers)
        .map_err(|error| Failure::Job(anyhow!("{source}: the board cannot be seen from above: {error}")))?;
    let tagged = features_seen(&watch.table, &reading.snapshot);
    Ok((watch.table, made, tagged))
}

fn proposals(args: &ProposeArgs) -> Result<(), Failure> {
    let (table, made, _) = look(&args.watch, &args.source)?;
    let mut ground = table.ground.clone();
    let mut refused = 0;
    for at in &args.at {
        let found = propose(&made, *at).map_err(|why| why.to_string());
        let found = found.and_then(|found| Ok((row(args, &found, &mut ground)?, found)));
        match found {
            Ok((row, found)) if args.json => say(told(*at, &row, &found)),
            Ok((row, found)) => {
                say(format!(
                    "// at {}, {}: the rim is known to \u{b1} {:.1} mm, {:.0} % of it shows",
                    at.x,
                    at.y,
                    found.sigma_mm,
                    100.0 * found.shown
                ));
                say(format!("{row},"));
            }
            Err(why) => {
                refused += 1;
                note!("groma: at {}, {}: {why}", at.x, at.y);
            }
        }
    }
    if refused == args.at.len() { Err(Failure::Job(anyhow!("no outline is proposed"))) } else { Ok(()) }
}

fn told(at: Point, row: &str, found: &Proposal) -> serde_json::Value {
    let pairs = |points: &[Point]| -> Vec<[f64; 2]> {
        points.iter().map(|p| [rounded(p.x, 3), rounded(p.y, 3)]).collect()
    };
    json!({
        "at": [at.x, at.y],
        "outline": pairs(found.outline.corners()),
        "line": found.course.as_ref().map(|c| pairs(&c.line)),
        "width": found.course.as_ref().map(|c| rounded(c.width_mm, 1)),
        "sigma_mm": rounded(found.sigma_mm, 3),
        "shown": rounded(found.shown, 3),
        "sharpness": rounded(found.sharpness, 3),
        "ron": row,
    })
}

/// The proposal as a table file has it; it joins `ground`, so that the next one gets another name.
fn row(args: &ProposeArgs, found: &Proposal, ground: &mut Ground) -> Result<String, String> {
    let word = args.name.clone().unwrap_or_else(|| {
        let word = args.kind.word().replace('-', " ");
        word[..1].to_uppercase() + &word[1..]
    });
    let names: Vec<&str> = ground.names().collect();
    let numbered = (1..).map(|n| if n == 1 { word.clone() } else { format!("{word} {n}") });
    let name = numbered.into_iter().find(|name| !names.contains(&name.as_str())).unwrap_or_default();
    let course = || {
        let course =
            found.course.as_ref().ok_or("what shows there is not long and narrow as a river or a road is")?;
        Way::new(course.line.clone(), (course.width_mm * 10.0).round() / 10.0).map_err(|why| why.to_string())
    };
    let mut alone = Ground::default();
    match args.kind {
        Kind::River => alone.rivers.push(River { name, course: course()?, state: RiverState::default() }),
        Kind::Road => alone.roads.push(Road { name, course: course()? }),
        Kind::Area(kind) => {
            let hill = kind.is_hill().then(|| Hill::of_outline(&found.outline, args.height, Profile::Slope));
            alone.features.push(Feature {
                name,
                kind,
                outline: found.outline.clone(),
                hill,
                side: None,
                holder: Holder::Nobody,
                gates: Vec::new(),
                past: Past::default(),
            });
        }
    }
    let rows = ground_rows(&alone);
    ground.features.extend(alone.features);
    ground.rivers.extend(alone.rivers);
    ground.roads.extend(alone.roads);
    Ok(rows.concat())
}

fn comparisons(args: &CompareArgs) -> Result<(), Failure> {
    let (table, made, tagged) = look(&args.watch, &args.source)?;
    let ground = &table.ground;
    // A tag says more than the picture of a rim.
    let area = |f: &Feature| match tagged.iter().find(|t| t.feature == f.name) {
        Some(t) => Ok(Moved { by: t.by, sigma_mm: t.sigma_mm, turn_deg: t.turn_deg, shown: 1.0 }),
        None => compare_standing(&made, &f.outline, f.step_mm()),
    };
    let areas = ground.features.iter().map(|f| (&f.name, area(f)));
    let rivers = ground.rivers.iter().map(|r| (&r.name, &r.course));
    let ways = rivers.chain(ground.roads.iter().map(|r| (&r.name, &r.course)));
    let ways = ways.map(|(name, way)| (name, compare_course(&made, &course_of(way))));
    if ground.names().next().is_none() {
        return Err(Failure::Job(anyhow!(
            "the table file has no terrain with an outline: `groma terrain propose` makes some"
        )));
    }
    for (name, found) in areas.chain(ways) {
        if args.json {
            let (moved, why) = (found.as_ref().ok(), found.as_ref().err().map(ToString::to_string));
            say(json!({
                "name": name,
                "by_mm": moved.map(|m| [rounded(m.by.x, 2), rounded(m.by.y, 2)]),
                "mm": moved.map(|m| rounded(m.mm(), 2)),
                "sigma_mm": moved.map(|m| rounded(m.sigma_mm, 2)),
                "turned_deg": moved.map(|m| rounded(m.turn_deg.0, 2)),
                "turned_sigma_deg": moved.map(|m| rounded(m.turn_deg.1, 2)),
                "shown": moved.map(|m| rounded(m.shown, 3)),
                "told": moved.map(Moved::is_told),
                "why_not": why,
            }));
        } else {
            let words = found.map_or_else(|why| format!("cannot be told: {why}"), |moved| moved.in_words());
            say(format!("{name}: {words}"));
        }
    }
    Ok(())
}

fn course_of(way: &Way) -> Course {
    Course { line: way.line().to_vec(), width_mm: way.width_mm() }
}
