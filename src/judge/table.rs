//! The table file: playing area, base width, reference tags, terrain. Its form is in `docs/formats.md`.

use super::{FeatureTag, table_ground};
use crate::rules::Ground;
use crate::rules::terrain::BoardEdge;
use crate::text::{Decoder, Mistakes, Node, Position, Range, mark_of};
use crate::tracking::{ReferenceTag, Tag, TagFamily};
use crate::units::Scale;

/// A table as its file describes it. Invariant: at least [`Table::LEAST_TAGS`] reference tags, each
/// named once, not all in a line.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Playing area: width along x and depth along y, millimetres.
    pub board_mm: (f64, f64),
    /// Millimetres to the base width.
    pub scale: Scale,
    /// The tags that never move.
    pub reference: Vec<ReferenceTag>,
    /// What lies on the board.
    pub ground: Ground,
    /// Tags on what lies there, by the features' names.
    pub feature_tags: Vec<FeatureTag>,
    /// Red's base edge, where the file says it.
    pub red_edge: Option<BoardEdge>,
}

impl Table {
    /// The fewest reference tags that a table may have.
    pub const LEAST_TAGS: usize = 4;

    /// A mark of the board and its reference tags: the same for two files whose places are the same, whatever
    /// their comments. What lies on the board does not count.
    pub fn mark(&self) -> String {
        let mut tags = self.reference.clone();
        tags.sort_by_key(|r| r.tag);
        let mut text = format!("{:.4} {:.4}", self.board_mm.0, self.board_mm.1);
        for r in tags {
            let place = [r.size_mm, r.x_mm, r.y_mm, r.z_mm, r.rotation_deg].map(|v| format!("{v:.4}"));
            text.push_str(&format!("; {} {}", r.tag, place.join(" ")));
        }
        mark_of(&text)
    }

    /// A board with nothing on it and eight tags of 40 mm, 30 mm outside its edges: at the corners and in the middle of
    /// each side.
    pub fn bare(board_mm: (f64, f64), scale: Scale) -> Self {
        let (w, d) = board_mm;
        let places = [
            (-30.0, -30.0),
            (w + 30.0, -30.0),
            (w + 30.0, d + 30.0),
            (-30.0, d + 30.0),
            (w / 2.0, -30.0),
            (w + 30.0, d / 2.0),
            (w / 2.0, d + 30.0),
            (-30.0, d / 2.0),
        ];
        let reference = (0u32..).zip(places).map(|(id, (x_mm, y_mm))| ReferenceTag {
            tag: Tag::new(TagFamily::Tag36h11, id),
            size_mm: 40.0,
            x_mm,
            y_mm,
            z_mm: 0.3,
            rotation_deg: 0.0,
            sigma_mm: 0.0,
        });
        Self {
            board_mm,
            scale,
            reference: reference.collect(),
            ground: Ground::default(),
            feature_tags: Vec::new(),
            red_edge: None,
        }
    }

    /// Whether a place lies on the playing area, its rim included.
    pub fn holds(&self, x_mm: f64, y_mm: f64) -> bool {
        (0.0..=self.board_mm.0).contains(&x_mm) && (0.0..=self.board_mm.1).contains(&y_mm)
    }
}

/// Side of a board, millimetres.
const BOARD: Range =
    Range { least: 50.0, most: 10_000.0, expected: "a side of the board in mm, 50 to 10000" };
/// A base width, millimetres.
const BASE_WIDTH: Range = Range { least: 5.0, most: 300.0, expected: "a base width in mm, 5 to 300" };
/// A tag's side, millimetres.
pub(super) const TAG_SIZE: Range =
    Range { least: 1.0, most: 1000.0, expected: "a tag's size in mm, 1 to 1000" };
/// A place on or beside the board, millimetres.
pub(super) const PLACE: Range =
    Range { least: -10_000.0, most: 20_000.0, expected: "a place in mm, -10000 to 20000" };
/// A height, millimetres.
const HEIGHT: Range = Range { least: -500.0, most: 1000.0, expected: "a height in mm, -500 to 1000" };
/// One sigma of a place, millimetres.
const SIGMA: Range = Range { least: 0.0, most: 20.0, expected: "one sigma of the place in mm, 0 to 20" };
/// An angle, degrees.
pub(super) const ANGLE: Range =
    Range { least: -360.0, most: 360.0, expected: "an angle in degrees, -360 to 360" };

/// Reads a table file's text; `file` names it in messages.
///
/// # Errors
/// Every mistake of the file.
pub fn parse_table(file: &str, text: &str) -> Result<Table, Mistakes> {
    Decoder::run(file, text, table)
}

fn table(d: &mut Decoder, node: &Node) -> Option<Table> {
    let mut f = d.fields(node, "a table in round brackets: (schema: 1, playing_area: (600, 600), ...)")?;
    let schema = f.schema(d);
    let board_mm = f.required(d, "playing_area", |d, n| {
        d.pair(n, "the playing area in mm, (width, depth)", |d, n| d.number(n, BOARD))
    });
    let scale = f.required(d, "base_width", |d, n| Scale::new(d.number(n, BASE_WIDTH)?));
    let tags = f.required(d, "reference_tags", |d, n| {
        let tags = d.list(n, "a list of reference tags", |d, n| Some((n.at, reference_tag(d, n)?)))?;
        check_reference_tags(d, n.at, &tags);
        Some(tags)
    });
    let lies = table_ground::ground(d, &mut f);
    let edges = BoardEdge::ALL.map(|edge| (edge.word(), edge));
    let red_edge = f.optional(d, "red_edge", |d, n| d.one_of(n, "an edge of the board", &edges));
    f.finish(d);
    schema?;
    let (ground, on_terrain) = lies?;
    let tags = tags?;
    check_terrain_tags(d, &tags, &on_terrain);
    let feature_tags = on_terrain.into_iter().map(|(_, tag)| tag).collect();
    let reference = tags.into_iter().map(|(_, tag)| tag).collect();
    Some(Table { board_mm: board_mm?, scale: scale?, reference, ground, feature_tags, red_edge: red_edge? })
}

pub(super) fn reference_tag(d: &mut Decoder, node: &Node) -> Option<ReferenceTag> {
    let what =
        "a reference tag, (family: \"tag36h11\", id: 0, size: 40, x: -30, y: -30, z: 0.3, rotation: 0)";
    let mut f = d.fields(node, what)?;
    let tag = tag_of(d, &mut f);
    let size_mm = f.required(d, "size", |d, n| d.number(n, TAG_SIZE));
    let x_mm = f.required(d, "x", |d, n| d.number(n, PLACE));
    let y_mm = f.required(d, "y", |d, n| d.number(n, PLACE));
    let z_mm = f.or(d, "z", 0.0, |d, n| d.number(n, HEIGHT));
    let rotation_deg = f.or(d, "rotation", 0.0, |d, n| d.number(n, ANGLE));
    let sigma_mm = f.or(d, "sigma", 0.0, |d, n| d.number(n, SIGMA));
    f.finish(d);
    Some(ReferenceTag {
        tag: tag?,
        size_mm: size_mm?,
        x_mm: x_mm?,
        y_mm: y_mm?,
        z_mm: z_mm?,
        rotation_deg: rotation_deg?,
        sigma_mm: sigma_mm?,
    })
}

/// The fields `family` and `id`.
pub(super) fn tag_of(d: &mut Decoder, f: &mut crate::text::Fields<'_>) -> Option<Tag> {
    let families = TagFamily::ALL.map(|family| (family.name(), family));
    let family = f.required(d, "family", |d, n| d.one_of(n, "a tag family", &families));
    let most = family.map_or(u64::from(u32::MAX), |family| u64::from(family.ids()) - 1);
    let what = family.map_or("an id".to_owned(), |family| format!("an id of {family}"));
    let id = f.required(d, "id", |d, n| d.whole(n, &what, 0, most));
    Some(Tag::new(family?, u32::try_from(id?).ok()?))
}

/// Tags on terrain are nobody else's.
fn check_terrain_tags(
    d: &mut Decoder,
    reference: &[(Position, ReferenceTag)],
    on_terrain: &[(Position, FeatureTag)],
) {
    for (i, (at, tag)) in on_terrain.iter().enumerate() {
        let place = tag.place.tag;
        if let Some((first, _)) = reference.iter().find(|(_, r)| r.tag == place) {
            d.note(*at, format!("{place} of \"{}\" is the reference tag of {first}", tag.feature));
        }
        if let Some((first, other)) = on_terrain[..i].iter().find(|(_, o)| o.place.tag == place) {
            let whose = &other.feature;
            d.note(*at, format!("{place} of \"{}\" is already on \"{whose}\", {first}", tag.feature));
        }
    }
}

fn check_reference_tags(d: &mut Decoder, list: Position, tags: &[(Position, ReferenceTag)]) {
    let least = Table::LEAST_TAGS;
    for (i, (at, tag)) in tags.iter().enumerate() {
        for (first_at, first) in &tags[..i] {
            if first.tag == tag.tag {
                d.note(
                    *at,
                    format!("{} is named twice, first at {first_at}: each tag may lie in one place", tag.tag),
                );
            } else if (first.x_mm - tag.x_mm).hypot(first.y_mm - tag.y_mm)
                < first.size_mm.min(tag.size_mm) / 2.0
            {
                d.note(*at, format!("{} lies on {}, of {first_at}: check x and y", tag.tag, first.tag));
            }
        }
    }
    if tags.len() < least {
        d.note(
            list,
            format!(
                "a table needs at least {least} reference tags, this one has {}: with fewer, one tag covered or \
                 laid wrongly moves the whole table without a sign; lay one near each corner",
                tags.len()
            ),
        );
    } else if in_a_line(tags) {
        d.note(
            list,
            "the reference tags lie in a line: spread them round the board, or the camera's place is a guess",
        );
    }
}

/// Whether every centre is within a twentieth of the set's length from one line.
fn in_a_line(tags: &[(Position, ReferenceTag)]) -> bool {
    let places: Vec<(f64, f64)> = tags.iter().map(|(_, t)| (t.x_mm, t.y_mm)).collect();
    let mut longest = (0.0, (0.0, 0.0), (0.0, 0.0));
    for (i, &a) in places.iter().enumerate() {
        for &b in &places[..i] {
            let length = (a.0 - b.0).hypot(a.1 - b.1);
            if length > longest.0 {
                longest = (length, a, b);
            }
        }
    }
    let (length, a, b) = longest;
    let off = |p: &(f64, f64)| ((b.0 - a.0) * (p.1 - a.1) - (b.1 - a.1) * (p.0 - a.0)).abs();
    places.iter().all(|p| off(p) <= length * length / 20.0)
}
