//! The table file's terrain: areas, rivers, roads, and what the first die made of Plough. Its form is in
//! `docs/formats.md`.

use super::FeatureTag;
use super::table::{PLACE, reference_tag};
use super::table_text::number;
use crate::geometry::{Point, Polygon};
use crate::rules::Side;
use crate::rules::stronghold::Past;
use crate::rules::terrain::{
    Feature, Ground, Hill, Holder, Plough, Profile, River, RiverState, Road, TerrainKind, Way,
};
use crate::text::{Decoder, Fields, Node, Position, Range};
use crate::tracking::ReferenceTag;
use std::fmt::Write as _;

/// A width of a river or road.
const WIDTH: Range = Range { least: 1.0, most: 1000.0, expected: "a width in mm, 1 to 1000" };
/// A hill's height.
const HEIGHT: Range = Range { least: 0.0, most: 500.0, expected: "a hill's height in mm, 0 to 500" };

const SIDES: [(&str, Side); 2] = [("red", Side::Red), ("blue", Side::Blue)];
const HOLDERS: [(&str, Holder); 5] = [
    ("nobody", Holder::Nobody),
    ("red", Holder::Troops(Side::Red)),
    ("blue", Holder::Troops(Side::Blue)),
    ("red_civilians", Holder::Civilians(Side::Red)),
    ("blue_civilians", Holder::Civilians(Side::Blue)),
];
const PLOUGH: [(&str, Plough); 3] =
    [("undiced", Plough::Undiced), ("good", Plough::Good), ("rough", Plough::Rough)];
const PROFILES: [(&str, Profile); 2] = [("slope", Profile::Slope), ("stepped", Profile::Stepped)];

/// The fields `terrain`, `rivers`, `roads` and `plough` of a table; a table without them is bare.
pub(super) fn ground(d: &mut Decoder, f: &mut Fields<'_>) -> Option<(Ground, Vec<(Position, FeatureTag)>)> {
    let features = f.or(d, "terrain", Vec::new(), |d, n| d.list(n, "a list of features", feature));
    let rivers = f.or(d, "rivers", Vec::new(), |d, n| d.list(n, "a list of rivers", river));
    let roads = f.or(d, "roads", Vec::new(), |d, n| d.list(n, "a list of roads", road));
    let plough = f.or(d, "plough", Plough::Undiced, |d, n| d.one_of(n, "what Plough is", &PLOUGH));
    let (read, rivers, roads) = (features?, rivers?, roads?);
    let mut tags = Vec::new();
    let mut features = Vec::new();
    for (at, (feature, tag)) in read {
        tags.extend(tag.map(|place| (at, FeatureTag { feature: feature.name.clone(), place })));
        features.push((at, feature));
    }
    let named = features.iter().map(|(at, f)| (*at, f.name.as_str()));
    let named = named.chain(rivers.iter().map(|(at, r)| (*at, r.name.as_str())));
    let named: Vec<_> = named.chain(roads.iter().map(|(at, r)| (*at, r.name.as_str()))).collect();
    for (i, (at, name)) in named.iter().enumerate() {
        if let Some((first, _)) = named[..i].iter().find(|(_, other)| other == name) {
            d.note(*at, format!("`{name}` is named twice, first at {first}: give each its own name"));
        }
    }
    fn values<T>(placed: Vec<(Position, T)>) -> Vec<T> {
        placed.into_iter().map(|(_, value)| value).collect()
    }
    let (features, rivers, roads) = (values(features), values(rivers), values(roads));
    Some((Ground { features, rivers, roads, plough: plough? }, tags))
}

fn name(d: &mut Decoder, f: &mut Fields<'_>) -> Option<String> {
    f.required(d, "name", |d, n| {
        let name = d.text(n, "a name")?;
        if name.is_empty() || name.chars().any(char::is_control) {
            return d.expected(n, "a name on one line, such as \"Beech wood\"");
        }
        Some(name)
    })
}

fn feature(d: &mut Decoder, node: &Node) -> Option<(Position, (Feature, Option<ReferenceTag>))> {
    let what = "a feature, (name: \"Beech wood\", kind: \"wood\", outline: [(100, 100), (180, 110), ...])";
    let mut f = d.fields(node, what)?;
    let name = name(d, &mut f);
    let kind = f.required(d, "kind", |d, n| d.one_of(n, "a kind of terrain", &TerrainKind::ALL));
    let outline = f.required(d, "outline", |d, n| {
        let corners = points(d, n)?;
        Polygon::new(corners).map_err(|error| d.note(n.at, error.to_string())).ok()
    });
    let side = f.optional(d, "side", |d, n| d.one_of(n, "a side", &SIDES));
    let only = |d: &mut Decoder, field: &str, of: &str, belongs: bool| {
        if f.place(field) != node.at && kind.is_some() && !belongs {
            d.note(f.place(field), format!("`{field}` belongs to {of}; leave it out here"));
        }
    };
    let hilly = kind.is_some_and(TerrainKind::is_hill);
    for field in ["height", "profile", "crest"] {
        only(d, field, "a hill", hilly);
    }
    for field in ["held", "past"] {
        only(d, field, "a camp, City or Fort", kind.is_some_and(TerrainKind::is_stronghold));
    }
    only(d, "gates", "a City or Fort", kind.is_some_and(TerrainKind::has_gates));
    let gates = f.or(d, "gates", Vec::new(), points);
    let past = f.or(d, "past", Past::default(), past);
    let holder = f.or(d, "held", Holder::Nobody, |d, n| d.one_of(n, "who is inside", &HOLDERS));
    let height_mm = f.optional(d, "height", |d, n| d.number(n, HEIGHT));
    let profile = f.or(d, "profile", Profile::Slope, |d, n| d.one_of(n, "how it rises", &PROFILES));
    let crest = f.optional(d, "crest", |d, n| {
        let crest = points(d, n)?;
        if crest.len() < 2 {
            d.note(n.at, format!("a crest needs two points or more, this one has {}", crest.len()));
            return None;
        }
        Some(crest)
    });
    if hilly && height_mm == Some(None) {
        d.note(node.at, "a hill needs its `height` in mm: the tags on it are measured with it");
    }
    let tag = f.optional(d, "tag", reference_tag);
    f.finish(d);
    let (outline, kind, profile, crest) = (outline?, kind?, profile?, crest?);
    let height_mm = height_mm?;
    let hill = match (kind.is_hill(), crest) {
        (false, _) => None,
        (true, Some(crest)) => Some(Hill { crest, height_mm: height_mm?, profile }),
        (true, None) => Some(Hill::of_outline(&outline, height_mm?, profile)),
    };
    let feature = Feature {
        name: name?,
        kind,
        outline,
        hill,
        side: side?,
        holder: holder?,
        gates: gates?,
        past: past?,
    };
    Some((node.at, (feature, tag?)))
}

/// What has happened to a camp, City or Fort: a list of words.
fn past(d: &mut Decoder, node: &Node) -> Option<Past> {
    let told = d.list(node, "what has happened to it, [\"surrendered\", ...]", |d, n| {
        d.one_of(n, "what has happened", &Past::WORDS).map(|told| (n.at, told))
    })?;
    let mut past = Past::default();
    for (at, told) in told {
        let Some(more) = past.with(told) else {
            let said = past.words().collect::<Vec<_>>().join(", ");
            d.note(at, format!("this contradicts what stands before it ({said}), or says it again"));
            return None;
        };
        past = more;
    }
    Some(past)
}

fn river(d: &mut Decoder, node: &Node) -> Option<(Position, River)> {
    let what = "a river, (name: \"Rubicon\", line: [(0, 300), (600, 320)], width: 30)";
    let mut f = d.fields(node, what)?;
    let name = name(d, &mut f);
    let course = way(d, &mut f);
    let state = f.or(d, "state", RiverState::Unknown, |d, n| d.one_of(n, "its state", &RiverState::ALL));
    f.finish(d);
    Some((node.at, River { name: name?, course: course?, state: state? }))
}

fn road(d: &mut Decoder, node: &Node) -> Option<(Position, Road)> {
    let what = "a road, (name: \"Via Appia\", line: [(0, 300), (600, 300)], width: 20)";
    let mut f = d.fields(node, what)?;
    let name = name(d, &mut f);
    let course = way(d, &mut f);
    f.finish(d);
    Some((node.at, Road { name: name?, course: course? }))
}

fn way(d: &mut Decoder, f: &mut Fields<'_>) -> Option<Way> {
    let at = f.place("line");
    let line = f.required(d, "line", points);
    let width = f.required(d, "width", |d, n| d.number(n, WIDTH));
    Way::new(line?, width?).map_err(|error| d.note(at, error.to_string())).ok()
}

fn points(d: &mut Decoder, node: &Node) -> Option<Vec<Point>> {
    d.list(node, "a list of places, [(x, y), (x, y), ...]", |d, n| {
        let (x, y) = d.pair(n, "a place in mm, (x, y)", |d, n| d.number(n, PLACE))?;
        Some(Point::new(x, y))
    })
}

/// A struct's fields as they are written.
pub(super) type Written = Vec<(&'static str, String)>;

/// An area's fields, in the order in which they are written.
pub(super) fn feature_fields(f: &Feature) -> Written {
    let mut fields = vec![("name", format!("{:?}", f.name)), ("kind", format!("{:?}", f.kind.word()))];
    if let Some(word) = f.side.and_then(|side| word_of(&SIDES, side)) {
        fields.push(("side", word.to_owned()));
    }
    if let Some(word) = word_of(&HOLDERS, f.holder).filter(|_| f.holder != Holder::Nobody) {
        fields.push(("held", word.to_owned()));
    }
    if !f.gates.is_empty() {
        fields.push(("gates", line(&f.gates)));
    }
    let past: Vec<String> = f.past.words().map(|word| format!("{word:?}")).collect();
    if !past.is_empty() {
        fields.push(("past", format!("[{}]", past.join(", "))));
    }
    if let Some(hill) = &f.hill {
        fields.push(("height", number(hill.height_mm, 3)));
        fields.push(("profile", word_of(&PROFILES, hill.profile).unwrap_or_default().to_owned()));
        fields.push(("crest", line(&hill.crest)));
    }
    fields.push(("outline", line(f.outline.corners())));
    fields
}

fn way_fields(name: &str, way: &Way) -> Written {
    vec![("name", format!("{name:?}")), ("line", line(way.line())), ("width", number(way.width_mm(), 3))]
}

/// A river's fields.
pub(super) fn river_fields(river: &River) -> Written {
    let mut fields = way_fields(&river.name, &river.course);
    fields.push(("state", format!("{:?}", river.state.word())));
    fields
}

/// A road's fields.
pub(super) fn road_fields(road: &Road) -> Written {
    way_fields(&road.name, &road.course)
}

/// A struct of these fields on one line.
pub(super) fn struct_of(fields: &Written) -> String {
    let fields: Vec<String> = fields.iter().map(|(field, value)| format!("{field}: {value}")).collect();
    format!("({})", fields.join(", "))
}

/// The word for what the first die made of Plough; none before it is thrown.
pub(super) fn plough_word(plough: Plough) -> Option<&'static str> {
    word_of(&PLOUGH, plough).filter(|_| plough != Plough::Undiced)
}

/// A tag's fields as they are written.
pub(super) fn tag_fields(tag: &ReferenceTag) -> Written {
    let mut fields = vec![
        ("family", format!("{:?}", tag.tag.family.name())),
        ("id", tag.tag.id.to_string()),
        ("size", number(tag.size_mm, 3)),
        ("x", number(tag.x_mm, 3)),
        ("y", number(tag.y_mm, 3)),
        ("z", number(tag.z_mm, 3)),
        ("rotation", number(tag.rotation_deg, 4)),
    ];
    if tag.sigma_mm > 0.0 {
        fields.push(("sigma", number(tag.sigma_mm, 3)));
    }
    fields
}

/// The fields as [`ground`] reads them back, none where the table is bare.
pub(super) fn ground_text(ground: &Ground, tags: &[FeatureTag]) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    if let Some(word) = plough_word(ground.plough) {
        let _ = writeln!(text, "    plough: {word},");
    }
    let mut list = |field: &str, rows: Vec<Written>| {
        if !rows.is_empty() {
            let _ = writeln!(text, "    {field}: {},", list_of(&rows));
        }
    };
    let with_tag = |feature: &Feature| {
        let mut fields = feature_fields(feature);
        let tag = tags.iter().find(|t| t.feature == feature.name);
        fields.extend(tag.map(|t| ("tag", struct_of(&tag_fields(&t.place)))));
        fields
    };
    list("terrain", ground.features.iter().map(with_tag).collect());
    list("rivers", ground.rivers.iter().map(river_fields).collect());
    list("roads", ground.roads.iter().map(road_fields).collect());
    text
}

/// A list of structs, one a line.
pub(super) fn list_of(rows: &[Written]) -> String {
    let rows: String = rows.iter().map(|row| format!("        {},\n", struct_of(row))).collect();
    format!("[\n{rows}    ]")
}

fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: T) -> Option<&'static str> {
    words.iter().find(|(_, known)| *known == value).map(|(word, _)| *word)
}

fn line(points: &[Point]) -> String {
    let pairs: Vec<String> =
        points.iter().map(|p| format!("({}, {})", number(p.x, 3), number(p.y, 3))).collect();
    format!("[{}]", pairs.join(", "))
}
