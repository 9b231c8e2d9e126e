//! The marker plan: for a board, a camera and its place, the family, size and carrier of each base's tag, and what is to
//! be expected of it; and where the camera sees best.
//!
//! Everything is worked out from measured figures ([`measured`]), the locator's own covariance ([`expected`]) and lines
//! of sight ([`hidden`]). Pure. Table frame, millimetres; pictures in pixels.

mod bases;
mod expected;
mod hidden;
mod map;
mod measured;
mod place;
mod words;

pub use bases::{BaseKind, kinds};
pub use expected::{Expected, Mounted, expected, facing_far, registered};
pub use hidden::{Figures, hidden};
pub use map::plan_svg;
pub use measured::{Measured, Sighting};
pub use place::{Place, SetUp, set_up};
pub use words::{plan_json, plan_words};

use super::print::{Carrier, IdNeed, TooFewIds, face_mm, free_ids};
use crate::judge::Table;
use crate::rules::Ruleset;
use crate::tracking::{Tag, TagFamily};
use crate::vision::{Lens, TagPattern};
use hidden::found_though_hidden;

/// Modules across the square whose corners the detector returns.
fn border_modules(family: TagFamily) -> f64 {
    let pattern = TagPattern::of(Tag::new(family, 0)).expect("every family has an id 0");
    pattern.border_modules() as f64
}

/// What is planned for.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// The board and the tags at its edges.
    pub table: Table,
    /// The camera's lens at its picture's size.
    pub lens: Lens,
    /// Its height over the board, where that is given; else as near as sees all.
    pub height_mm: Option<f64>,
    /// The places that may be chosen.
    pub places: Vec<Place>,
    /// Elements on the table, of both armies, and what may join them.
    pub elements: u32,
    /// What stands on the bases.
    pub figures: Figures,
    /// The family, where it is given.
    pub family: Option<TagFamily>,
}

/// How the tags of a kind of base will be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outlook {
    /// Found in any photograph, wherever they stand.
    Well,
    /// Followed, but not surely found anew.
    Followed,
    /// Neither.
    Poor,
}

/// A share of at least so much counts as all: what was measured are 20 tags a size.
const ALL_FOUND: f64 = 0.97;
/// Larger tags than give so many pixels at the worst spot are not read any better, and look worse.
const ENOUGH_PX: f64 = 22.0;

/// What is planned for a kind of base.
#[derive(Debug, Clone, PartialEq)]
pub struct KindPlan {
    /// The base.
    pub kind: BaseKind,
    /// How its tag is carried.
    pub carrier: Carrier,
    /// The tag and its mount.
    pub mounted: Mounted,
    /// Side of the face that is cut out.
    pub face_mm: f64,
    /// What is expected at each spot, in their order; nothing where the tag is out of the picture.
    pub at: Vec<Option<Expected>>,
    /// What is hidden at each spot.
    pub hidden: Vec<f64>,
    /// The share found at the worst spot, in a photograph and followed, hidden parts counted in.
    pub found: (f64, f64),
    /// How it will be read.
    pub outlook: Outlook,
}

impl KindPlan {
    /// RMS over the board of one of the errors.
    pub fn rms(&self, of: impl Fn(&Expected) -> f64) -> f64 {
        let all: Vec<f64> = self.at.iter().flatten().map(|e| of(e).powi(2)).collect();
        (all.iter().sum::<f64>() / all.len().max(1) as f64).sqrt()
    }

    /// The worst spot's figure of those in the picture: the least pixels, or the largest error.
    pub fn worst(&self, of: impl Fn(&Expected) -> f64) -> f64 {
        self.at.iter().flatten().map(of).fold(0.0, f64::max)
    }

    /// The fewest pixels of the square.
    pub fn least_px(&self) -> f64 {
        self.at.iter().flatten().map(|e| e.square_px).fold(f64::INFINITY, f64::min)
    }
}

/// What is planned with the camera at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlacePlan {
    /// The camera.
    pub set_up: SetUp,
    /// The tags' family.
    pub family: TagFamily,
    /// Whether a family has ids enough, and why the one given has not.
    pub ids: Option<TooFewIds>,
    /// Every kind of base, the shallowest first.
    pub kinds: Vec<KindPlan>,
    /// RMS error of the shallowest bases' corners where the lens has no profile.
    pub no_profile_mm: Option<f64>,
    /// What would be hidden at each spot of a tag laid flat behind the figures of the shallowest base that has room.
    pub flat_hidden: Vec<f64>,
}

impl PlacePlan {
    /// How the worst kind will be read.
    pub fn outlook(&self) -> Outlook {
        let worst = self.kinds.iter().map(|k| k.outlook).max().unwrap_or(Outlook::Poor);
        if self.set_up.sees_all() && self.ids.is_none() { worst } else { Outlook::Poor }
    }

    /// The share of tags followed of the kind and at the spot where it is least.
    fn least_followed(&self) -> f64 {
        self.kinds.iter().map(|k| k.found.1).fold(1.0, f64::min)
    }

    /// The largest error of any kind with its mount measured.
    fn error_mm(&self) -> f64 {
        self.kinds.iter().map(|k| k.rms(|e| e.jig_mm)).fold(0.0, f64::max)
    }

    /// The kind that is hardest to read.
    pub fn hardest(&self) -> Option<&KindPlan> {
        self.kinds.iter().min_by(|a, b| a.least_px().total_cmp(&b.least_px()))
    }
}

/// The plan.
#[derive(Debug, Clone, PartialEq)]
pub struct Plan {
    /// What it was made for.
    pub request: Request,
    /// Spots of the board, row by row from the near edge; and how many to a row.
    pub spots: Vec<(f64, f64)>,
    /// Spots along the near edge.
    pub columns: usize,
    /// The places of the camera, the best first. Empty where no place sees the board.
    pub places: Vec<PlacePlan>,
    /// What would do better where it does not work, each tried out.
    pub would: Vec<String>,
}

impl Plan {
    /// With the camera at the best place.
    pub fn best(&self) -> Option<&PlacePlan> {
        self.places.first()
    }

    /// How it will be read at the best place.
    pub fn outlook(&self) -> Outlook {
        self.best().map_or(Outlook::Poor, PlacePlan::outlook)
    }
}

/// Makes the plan, and where it does not work tries what would.
pub fn plan(request: Request) -> Plan {
    let mut plan = plan_once(request);
    if plan.outlook() != Outlook::Well {
        plan.would = would(&plan);
    }
    plan
}

fn plan_once(request: Request) -> Plan {
    let (spots, columns) = spots(request.table.board_mm);
    let mut places: Vec<PlacePlan> =
        request.places.iter().filter_map(|place| at_place(&request, *place, &spots)).collect();
    // As it will be read, then as exact, to a hundredth; of what is alike the first that was named.
    places.sort_by(|a, b| {
        let key = |p: &PlacePlan| (p.outlook(), (p.error_mm() * 100.0).round() as i64);
        key(a).cmp(&key(b))
    });
    Plan { request, spots, columns, places, would: Vec::new() }
}

/// Middles of squares of about 50 mm, no more than 24 to a side.
fn spots((width, depth): (f64, f64)) -> (Vec<(f64, f64)>, usize) {
    let count = |side: f64| ((side / 50.0).round() as usize).clamp(4, 24);
    let (columns, rows) = (count(width), count(depth));
    let middle = |n: usize, of: usize, side: f64| (n as f64 + 0.5) / of as f64 * side;
    let row = |r: usize| (0..columns).map(move |c| (middle(c, columns, width), middle(r, rows, depth)));
    ((0..rows).flat_map(row).collect(), columns)
}

/// The plan with the camera at a place; `None` where it cannot stand there, or its tags do not fix it.
fn at_place(request: &Request, place: Place, spots: &[(f64, f64)]) -> Option<PlacePlan> {
    let high = bases_high(request);
    let set_up = set_up(&request.table, request.lens, place, request.height_mm, high)?;
    let mut best: Option<PlacePlan> = None;
    for family in families(request) {
        let ids = ids(request, family);
        if ids.is_some() && request.family.is_none() {
            continue;
        }
        let with = with_family(request, set_up, family, ids, spots)?;
        let key = |p: &PlacePlan| (p.outlook(), (1000.0 * (1.0 - p.least_followed())) as i64);
        if best.as_ref().is_none_or(|b| key(&with) < key(b)) {
            best = Some(with);
        }
        if best.as_ref().is_some_and(|b| b.outlook() == Outlook::Well) {
            break;
        }
    }
    best
}

/// The highest tag over the board.
fn bases_high(request: &Request) -> f64 {
    expected::THICKNESS_MM + request.figures.height_mm + 4.0
}

/// The families that may be taken: the usual one first, another only where it is read better.
fn families(request: &Request) -> Vec<TagFamily> {
    match request.family {
        Some(family) => vec![family],
        None => {
            vec![TagFamily::Tag36h11, TagFamily::TagStandard41h12, TagFamily::Tag25h9, TagFamily::Tag16h5]
        }
    }
}

/// Where no family has an id for each element: why the one with the most ids has not.
fn too_many(request: &Request) -> Option<TooFewIds> {
    let most = families(request).into_iter().max_by_key(|family| free_ids(*family))?;
    ids(request, most)
}

/// Why a family has too few ids.
fn ids(request: &Request, family: TagFamily) -> Option<TooFewIds> {
    let reference = request.table.reference.iter().filter(|r| r.tag.family == family).count() as u32;
    IdNeed { reference, bases: request.elements }.of(family).err()
}

fn with_family(
    request: &Request,
    set_up: SetUp,
    family: TagFamily,
    ids: Option<TooFewIds>,
    spots: &[(f64, f64)],
) -> Option<PlacePlan> {
    let camera = registered(&request.table, &set_up, Some(&request.lens))?;
    let most_mm = largest_useful(&camera, family, spots, bases_high(request));
    let eye = set_up.eye();
    let of_way = |kind: &BaseKind, (carrier, mounted): (Carrier, Mounted)| {
        let hidden: Vec<f64> = spots.iter().map(|at| hidden(&eye, &mounted, request.figures, *at)).collect();
        let at: Vec<Option<Expected>> =
            spots.iter().map(|(x, y)| expected(&camera, &mounted, facing_far(*x, *y))).collect();
        let found = at.iter().zip(&hidden).fold((1.0f64, 1.0f64), |least, (e, h)| {
            let seen = found_though_hidden(*h);
            let (photograph, followed) = e.map_or((0.0, 0.0), |e| (e.photograph * seen, e.followed * seen));
            (least.0.min(photograph), least.1.min(followed))
        });
        let outlook = match found {
            (photograph, _) if photograph >= ALL_FOUND => Outlook::Well,
            (_, followed) if followed >= ALL_FOUND => Outlook::Followed,
            _ => Outlook::Poor,
        };
        let face_mm = face_mm(Tag::new(family, 0), mounted.size_mm);
        KindPlan { kind: kind.clone(), carrier, mounted, face_mm, at, hidden, found, outlook }
    };
    let kinds = kinds(&Ruleset::dba3(), request.table.scale);
    let planned = kinds.iter().filter_map(|kind| {
        let ways = bases::ways(kind, family, request.figures, most_mm);
        // Behind the figures where that is read as well: it is steadier and hides nothing of them.
        let share = |p: &KindPlan| (1000.0 * (1.0 - p.found.1)) as i64;
        ways.into_iter().map(|way| of_way(kind, way)).min_by_key(|p| match p.outlook {
            Outlook::Poor => (p.outlook, share(p)),
            seen => (seen, 0),
        })
    });
    let planned: Vec<KindPlan> = planned.collect();
    let flat = kinds.iter().find_map(|kind| {
        bases::ways(kind, family, request.figures, most_mm).into_iter().find(|(c, _)| *c == Carrier::Plate)
    });
    let flat_hidden = match flat {
        Some((_, mounted)) => spots.iter().map(|at| hidden(&eye, &mounted, request.figures, *at)).collect(),
        None => Vec::new(),
    };
    let no_profile_mm = registered(&request.table, &set_up, None).and_then(|camera| {
        let shallowest = planned.first()?;
        let squares: Vec<f64> = spots
            .iter()
            .filter_map(|(x, y)| expected(&camera, &shallowest.mounted, facing_far(*x, *y)))
            .map(|e| e.reading_mm.powi(2))
            .collect();
        Some((squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt())
    });
    Some(PlacePlan { set_up, family, ids, kinds: planned, no_profile_mm, flat_hidden })
}

/// The size, in steps of half a millimetre, that gives [`ENOUGH_PX`] at the worst spot.
fn largest_useful(
    camera: &crate::vision::location::RegisteredCamera,
    family: TagFamily,
    spots: &[(f64, f64)],
    high_mm: f64,
) -> f64 {
    let probe = Mounted { family, size_mm: 10.0, forward_mm: 0.0, height_mm: high_mm, base_mm: (40.0, 20.0) };
    let px = spots
        .iter()
        .filter_map(|(x, y)| expected(camera, &probe, facing_far(*x, *y)))
        .map(|e| e.square_px)
        .fold(f64::INFINITY, f64::min);
    if px.is_finite() { (ENOUGH_PX / px * 10.0 * 2.0).ceil() / 2.0 } else { 20.0 }
}

/// What would work where this does not: each is planned, and told only where it is better.
fn would(plan: &Plan) -> Vec<String> {
    let request = &plan.request;
    let mut told = Vec::new();
    let mut tried = |what: String, changed: Request| {
        let other = plan_once(changed);
        let better = other.outlook() < plan.outlook();
        if better {
            let how = if other.outlook() == Outlook::Well { "found" } else { "followed" };
            let place =
                other.best().map(|b| format!("{}, {:.0} mm high", b.set_up.place.name(), b.set_up.eye().z));
            told.push(format!("{what} ({}): all bases are {how}", place.unwrap_or_default()));
        }
        better
    };
    let nearer = Request { height_mm: None, ..request.clone() };
    if request.height_mm.is_some() {
        tried("the camera as near as it sees everything".to_owned(), nearer.clone());
    }
    if !request.places.contains(&Place::Boom) {
        tried("the camera on a boom".to_owned(), Request { places: vec![Place::Boom], ..nearer.clone() });
    }
    for (width, height) in [(1920, 1080), (3840, 2160)].into_iter().filter(|(w, _)| *w > request.lens.width) {
        let lens = Lens::from_field_of_view(width, height, request.lens.field_of_view_deg());
        let here = Request { lens, ..request.clone() };
        let near = Request { lens, places: Place::ALL.to_vec(), ..nearer.clone() };
        if tried(format!("a camera of {width}x{height}"), here)
            || tried(format!("a camera of {width}x{height}, as near as it sees everything"), near)
        {
            break;
        }
    }
    if request.family.is_some() {
        tried("another family".to_owned(), Request { family: None, ..request.clone() });
    }
    told.extend(plan.best().into_iter().flat_map(larger_tags));
    told
}

/// Larger tags than this are no remedy.
const MOST_LARGER_MM: f64 = 25.0;

/// Larger tags for the kinds that are not read, and how far they would stick out.
fn larger_tags(best: &PlacePlan) -> Vec<String> {
    let poor = best.kinds.iter().filter(|k| k.outlook == Outlook::Poor && k.hidden.iter().all(|h| *h <= 0.0));
    let needed = poor.filter_map(|k| {
        let px_per_mm = k.least_px() / k.mounted.size_mm;
        let px = Measured::of(best.family).least_px(Sighting::Photograph, ALL_FOUND);
        let size = (px / px_per_mm * 2.0).ceil() / 2.0;
        let out = (face_mm(Tag::new(best.family, 0), size) - k.kind.base_mm.1) / 2.0;
        (size > k.mounted.size_mm && size <= MOST_LARGER_MM).then(|| {
            format!(
                "tags of {size} mm on bases {:.0} mm deep: they stick out {out:.1} mm at the front and rear, so ranks \
                 need stalks of two heights",
                k.kind.base_mm.1
            )
        })
    });
    needed.collect()
}
