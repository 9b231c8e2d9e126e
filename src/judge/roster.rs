//! A roster file: the elements of one side or both, and the tags on them. Its form is in
//! `docs/formats.md`.

use super::table::{ANGLE, TAG_SIZE, tag_of};
use crate::rules::army_list::Key;
use crate::rules::{Location, Overhang, Side};
use crate::text::{Decoder, Mistakes, Node, Position, Range};
use crate::tracking::Tag;

/// A base as measured, millimetres, each more than zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BaseSize {
    /// Along the front edge.
    pub width_mm: f64,
    /// From front to rear.
    pub depth_mm: f64,
    /// How thick the base is.
    pub thickness_mm: f64,
    /// One sigma of the width.
    pub width_sigma_mm: f64,
    /// One sigma of the depth.
    pub depth_sigma_mm: f64,
}

impl BaseSize {
    /// Sigma of a side where the file says nothing, millimetres: as a good ruler measures it. Bases that were never
    /// measured are off by more: those sold as 40 mm are 39.5 to 40.6.
    pub const SIGMA_MM: f64 = 0.1;
}

/// A tag and how it is mounted on its base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MountedTag {
    /// Which tag.
    pub tag: Tag,
    /// Side of the square whose corners the detector returns, millimetres.
    pub size_mm: f64,
    /// Tag's centre from the base's centre, to the right as the troops see it, millimetres.
    pub right_mm: f64,
    /// Tag's centre from the base's centre, forward, millimetres.
    pub forward_mm: f64,
    /// Turn of the printed tag on the base, anticlockwise; 0: its top towards the front. Degrees.
    pub rotation_deg: f64,
    /// Height of the printed face above the base's top, millimetres.
    pub height_mm: f64,
    /// One sigma of the offset, each way, millimetres.
    pub offset_sigma_mm: f64,
    /// One sigma of the rotation, degrees.
    pub rotation_sigma_deg: f64,
    /// One sigma of the height, millimetres.
    pub height_sigma_mm: f64,
    /// One sigma of how far its stalk may be out of true, each way, degrees, beyond what the offset says.
    pub lean_sigma_deg: f64,
    /// Where the roster names it.
    pub at: Position,
}

impl MountedTag {
    /// Sigma of an offset where the file says nothing, millimetres: as a printed jig measures it.
    pub const OFFSET_SIGMA_MM: f64 = 0.2;
    /// Sigma of a rotation where the file says nothing, degrees: as a printed jig measures it.
    pub const ROTATION_SIGMA_DEG: f64 = 0.3;
    /// Sigma of a height where the file says nothing, millimetres: as a ruler measures it.
    pub const HEIGHT_SIGMA_MM: f64 = 0.3;
    /// Sigma of a stalk's lean where the file says nothing, degrees. A choice: a stalk that is 4 degrees out, as
    /// one glued by eye may be, is then two sigmas out, and no verdict is sure against it. A jig measures the tag
    /// where it is, lean and all, and writes a smaller one.
    pub const LEAN_SIGMA_DEG: f64 = 2.0;

    /// One sigma of the tag's place on its base, each way, millimetres: its offset, and the lean at its height.
    pub fn place_sigma_mm(&self) -> f64 {
        self.offset_sigma_mm.hypot(self.height_mm.max(0.0) * self.lean_sigma_deg.to_radians().sin())
    }
}

/// An element as a roster describes it.
#[derive(Debug, Clone, PartialEq)]
pub struct RosterElement {
    /// Its name, unique in all rosters of a table.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// Troop code.
    pub troop: String,
    /// Its base.
    pub base: BaseSize,
    /// Whether it is its general's element.
    pub general: bool,
    /// Whether it is a War Wagon declared a mobile tower (clause dba3.troop.16).
    pub tower: bool,
    /// The allied contingent that it is of; none where it is of the army itself (clause dba3.group.12).
    pub contingent: Option<String>,
    /// How far its figures stand out.
    pub overhang: Overhang,
    /// Where it is, as far as a pose cannot tell.
    pub location: Location,
    /// The element that it may turn into: the other side of a `//` pair.
    pub becomes: Option<String>,
    /// The army list that its roster is made from: of such a roster every `//` is written.
    pub list: Option<String>,
    /// Its tags.
    pub tags: Vec<MountedTag>,
    /// Where the file names it.
    pub at: Position,
    /// Where the file names its troop code.
    pub troop_at: Position,
}

/// A base's side, millimetres.
const BASE_SIDE: Range = Range { least: 1.0, most: 1000.0, expected: "a base's side in mm, 1 to 1000" };
/// A base's thickness, millimetres.
const THICKNESS: Range = Range { least: 0.0, most: 100.0, expected: "a base's thickness in mm, 0 to 100" };
/// What stands out over an edge, millimetres.
const OVERHANG: Range = Range { least: 0.0, most: 200.0, expected: "an overhang in mm, 0 to 200" };
/// From a base's centre to a tag's, millimetres.
const OFFSET: Range = Range { least: -1000.0, most: 1000.0, expected: "an offset in mm, -1000 to 1000" };
/// Above a base's top, millimetres.
const MOUNT: Range =
    Range { least: -100.0, most: 1000.0, expected: "a height in mm above the base, -100 to 1000" };
/// A sigma in millimetres.
const SIGMA_MM: Range = Range { least: 0.0, most: 100.0, expected: "a sigma in mm, 0 to 100" };
/// A sigma in degrees.
const SIGMA_DEG: Range = Range { least: 0.0, most: 45.0, expected: "a sigma in degrees, 0 to 45" };

/// Reads a roster file's text; `file` names it in messages. What one file alone can say is checked
/// here; [`super::Roster::of`] checks what several say together.
///
/// # Errors
/// Every mistake of the file.
pub fn parse_roster(file: &str, text: &str) -> Result<Vec<RosterElement>, Mistakes> {
    Decoder::run(file, text, |d, node| {
        let mut f = d.fields(node, "a roster in round brackets: (schema: 1, elements: [...])")?;
        let schema = f.schema(d);
        let side = f.optional(d, "side", side);
        let list = f.optional(d, "list", list_key);
        let elements = f.required(d, "elements", |d, n| {
            let elements = d.list(n, "a list of elements", |d, n| {
                element(d, n, side.flatten(), list.clone().flatten())
            })?;
            if elements.is_empty() {
                d.note(n.at, "a roster needs at least one element");
            }
            Some(elements)
        });
        f.finish(d);
        schema?;
        list?;
        elements
    })
}

fn side(d: &mut Decoder, node: &Node) -> Option<Side> {
    d.one_of(node, "a side", &[("red", Side::Red), ("blue", Side::Blue)])
}

fn element(
    d: &mut Decoder,
    node: &Node,
    of_the_file: Option<Side>,
    list: Option<String>,
) -> Option<RosterElement> {
    let what = "an element, (name: \"...\", side: red, troop: \"4Bd\", base: (40, 15), tags: [...])";
    let mut f = d.fields(node, what)?;
    let name = f.required(d, "name", name);
    let side = match of_the_file {
        Some(default) => f.or(d, "side", default, side),
        None => f.required(d, "side", side),
    };
    let troop = f.required(d, "troop", |d, n| d.text(n, "a troop code"));
    let troop_at = f.place("troop");
    let sides = f.required(d, "base", |d, n| {
        d.pair(n, "the base in mm, (width, depth)", |d, n| d.number(n, BASE_SIDE))
    });
    let sigmas = f.or(d, "base_sigma", (BaseSize::SIGMA_MM, BaseSize::SIGMA_MM), |d, n| {
        d.pair(n, "one sigma of the base's sides in mm, (width, depth)", |d, n| d.number(n, SIGMA_MM))
    });
    let thickness_mm = f.or(d, "thickness", 2.0, |d, n| d.number(n, THICKNESS));
    let general = f.or(d, "general", false, Decoder::boolean);
    let tower = f.or(d, "tower", false, Decoder::boolean);
    let contingent = f.optional(d, "contingent", self::name);
    let overhang = f.or(d, "overhang_mm", Overhang::default(), overhang);
    let location = f.or(d, "location", Location::Board, |d, n| {
        let places = [
            ("board", Location::Board),
            ("reserve", Location::Reserve),
            ("camp", Location::Camp),
            ("city", Location::City),
            ("fort", Location::Fort),
            ("off", Location::Off),
        ];
        d.one_of(n, "a location", &places)
    });
    let becomes = f.optional(d, "becomes", |d, n| d.text(n, "the name of another element"));
    let tags = f.required(d, "tags", |d, n| d.list(n, "a list of tags", mounted_tag));
    f.finish(d);
    let ((width_mm, depth_mm), (width_sigma_mm, depth_sigma_mm)) = (sides?, sigmas?);
    Some(RosterElement {
        name: name?,
        side: side?,
        troop: troop?,
        base: BaseSize { width_mm, depth_mm, thickness_mm: thickness_mm?, width_sigma_mm, depth_sigma_mm },
        general: general?,
        tower: tower?,
        contingent: contingent?,
        overhang: overhang?,
        location: location?,
        becomes: becomes?,
        list,
        tags: tags?,
        at: node.at,
        troop_at,
    })
}

/// An army list's key (clause army-lists.gen.5).
fn list_key(d: &mut Decoder, node: &Node) -> Option<String> {
    let text = d.text(node, "an army list's key")?;
    match Key::read(&text) {
        Ok(key) => Some(key.to_string()),
        Err(wrong) => {
            d.note(node.at, format!("an army list's key: {wrong}"));
            None
        }
    }
}

/// A name: 1 to 40 characters, printable, without blanks at its ends.
fn name(d: &mut Decoder, node: &Node) -> Option<String> {
    let name = d.text(node, "a name")?;
    let long = name.chars().count();
    if (1..=40).contains(&long) && name.trim() == name && !name.chars().any(char::is_control) {
        return Some(name);
    }
    d.expected(node, "a name of 1 to 40 characters on one line, without blanks before or after")
}

fn overhang(d: &mut Decoder, node: &Node) -> Option<Overhang> {
    let mut f = d.fields(node, "the overhangs in mm, (front: 0, rear: 0, sides: 0)")?;
    let front = f.or(d, "front", 0.0, |d, n| d.number(n, OVERHANG));
    let rear = f.or(d, "rear", 0.0, |d, n| d.number(n, OVERHANG));
    let sides = f.or(d, "sides", 0.0, |d, n| d.number(n, OVERHANG));
    f.finish(d);
    Some(Overhang { front: front?, rear: rear?, sides: sides? })
}

fn mounted_tag(d: &mut Decoder, node: &Node) -> Option<MountedTag> {
    let what = "a tag, (family: \"tag36h11\", id: 20, size: 14, offset: (0, 0), rotation: 0, height: 30)";
    let mut f = d.fields(node, what)?;
    let tag = tag_of(d, &mut f);
    let size_mm = f.required(d, "size", |d, n| d.number(n, TAG_SIZE));
    let offset = f.or(d, "offset", (0.0, 0.0), |d, n| {
        d.pair(n, "the offset in mm, (right, forward)", |d, n| d.number(n, OFFSET))
    });
    let rotation_deg = f.or(d, "rotation", 0.0, |d, n| d.number(n, ANGLE));
    let height_mm = f.required(d, "height", |d, n| d.number(n, MOUNT));
    let offset_sigma_mm = f.or(d, "offset_sigma", MountedTag::OFFSET_SIGMA_MM, |d, n| d.number(n, SIGMA_MM));
    let rotation_sigma_deg =
        f.or(d, "rotation_sigma", MountedTag::ROTATION_SIGMA_DEG, |d, n| d.number(n, SIGMA_DEG));
    let height_sigma_mm = f.or(d, "height_sigma", MountedTag::HEIGHT_SIGMA_MM, |d, n| d.number(n, SIGMA_MM));
    let lean_sigma_deg = f.or(d, "lean_sigma", MountedTag::LEAN_SIGMA_DEG, |d, n| d.number(n, SIGMA_DEG));
    f.finish(d);
    let (right_mm, forward_mm) = offset?;
    Some(MountedTag {
        tag: tag?,
        size_mm: size_mm?,
        right_mm,
        forward_mm,
        rotation_deg: rotation_deg?,
        height_mm: height_mm?,
        offset_sigma_mm: offset_sigma_mm?,
        rotation_sigma_deg: rotation_sigma_deg?,
        height_sigma_mm: height_sigma_mm?,
        lean_sigma_deg: lean_sigma_deg?,
        at: node.at,
    })
}
