//! A table's text with other ground: what did not change stays as it was written, every comment with it.

use super::table_ground::{
    Written, feature_fields, list_of, plough_word, river_fields, road_fields, struct_of,
};
use super::table_text::number;
use super::{Table, TagSeen, parse_table};
use crate::geometry::Heading;
use crate::rules::Ground;
use crate::text::{Edits, Mistakes, Node, Value, parse};

/// The table's text with this ground in it. Features are known by their names: one that is as it was is not touched, of
/// one that changed only the fields that did, new ones stand behind the last, and of one that is gone the comments
/// stay. Places are rounded to 0.001 mm.
///
/// # Errors
/// Every mistake of the text; a ground that the text would not give back, such as two features of one name.
pub fn table_with_ground(file: &str, text: &str, ground: &Ground) -> Result<String, Mistakes> {
    let was = parse_table(file, text)?.ground;
    let (tree, _) = parse(text);
    let Some(tree) = tree else { return Err(Mistakes::whole(file, "this file cannot be read")) };
    let mut edits = Edits::of(text);
    let mut fresh = Vec::new();
    match (plough_word(was.plough), plough_word(ground.plough)) {
        (before, now) if before == now => {}
        (_, None) => {
            edits.unset(&tree, "plough");
        }
        (_, Some(word)) => fresh.push(("plough", word.to_owned())),
    }
    let lists = [
        ("terrain", rows(&was.features, feature_fields), rows(&ground.features, feature_fields)),
        ("rivers", rows(&was.rivers, river_fields), rows(&ground.rivers, river_fields)),
        ("roads", rows(&was.roads, road_fields), rows(&ground.roads, road_fields)),
    ];
    for (field, before, now) in lists {
        match node_of(&tree, field) {
            Some(node) => change(&mut edits, node, &before, &now),
            None if now.is_empty() => {}
            None => fresh.push((field, list_of(&now))),
        }
    }
    for (field, value) in fresh {
        edits.set(&tree, field, &value);
    }
    let changed = edits.done();
    let read: Table = parse_table(file, &changed)?;
    let same = |one: &Ground, other: &Ground| {
        rows(&one.features, feature_fields) == rows(&other.features, feature_fields)
            && rows(&one.rivers, river_fields) == rows(&other.rivers, river_fields)
            && rows(&one.roads, road_fields) == rows(&other.roads, road_fields)
            && one.plough == other.plough
    };
    // What is written is what was meant, whatever the order.
    let mut sorted = [read.ground, ground.clone()];
    for ground in &mut sorted {
        ground.features.sort_by(|a, b| a.name.cmp(&b.name));
        ground.rivers.sort_by(|a, b| a.name.cmp(&b.name));
        ground.roads.sort_by(|a, b| a.name.cmp(&b.name));
    }
    if !same(&sorted[0], &sorted[1]) {
        return Err(Mistakes::whole(
            file,
            "its terrain cannot be written as it is meant; nothing was changed",
        ));
    }
    Ok(changed)
}

/// The table's text with these features' tags written where they were seen. Those that bear none are left out.
///
/// # Errors
/// Every mistake of the text.
pub fn table_with_tags(file: &str, text: &str, seen: &[TagSeen]) -> Result<String, Mistakes> {
    let table = parse_table(file, text)?;
    let (tree, _) = parse(text);
    let list = tree.as_ref().and_then(|tree| node_of(tree, "terrain")).map(|node| &node.value);
    let Some(Value::List(nodes)) = list else { return Ok(text.to_owned()) };
    let mut edits = Edits::of(text);
    for (feature, node) in table.ground.features.iter().zip(nodes) {
        let Some(seen) = seen.iter().find(|s| s.feature == feature.name) else { continue };
        let Some(tag) = node_of(node, "tag") else { continue };
        let tag = if let Value::Option(Some(tag)) = &tag.value { tag } else { tag };
        let rotation = Heading::NORTH.turn_to_radians(Heading::from_degrees(seen.heading_deg)).to_degrees();
        edits.set(tag, "x", &number(seen.x_mm, 3));
        edits.set(tag, "y", &number(seen.y_mm, 3));
        edits.set(tag, "rotation", &number(rotation, 4));
    }
    let changed = edits.done();
    parse_table(file, &changed)?;
    Ok(changed)
}

/// A feature, river or road as the RON that a table file holds, on one line; what `groma terrain` prints to be pasted.
pub fn ground_rows(ground: &Ground) -> Vec<String> {
    let rows = rows(&ground.features, feature_fields).into_iter();
    let rows = rows.chain(rows_of_rivers(ground)).chain(self::rows(&ground.roads, road_fields));
    rows.map(|row| struct_of(&row)).collect()
}

fn rows_of_rivers(ground: &Ground) -> Vec<Written> {
    rows(&ground.rivers, river_fields)
}

fn rows<T>(of: &[T], fields: fn(&T) -> Written) -> Vec<Written> {
    of.iter().map(fields).collect()
}

fn node_of<'n>(tree: &'n Node, field: &str) -> Option<&'n Node> {
    let Value::Struct(_, fields) = &tree.value else { return None };
    fields.iter().find(|f| f.name.text == field).map(|f| &f.value)
}

/// The name, which is the first field of every row.
fn name(row: &Written) -> &str {
    &row[0].1
}

/// Changes a list's items from `before`, which they are, to `now`.
fn change(edits: &mut Edits<'_>, list: &Node, before: &[Written], now: &[Written]) {
    let Value::List(nodes) = &list.value else { return };
    for (n, (was, node)) in before.iter().zip(nodes).enumerate() {
        let Some(new) = now.iter().find(|row| name(row) == name(was)) else {
            edits.remove(list, n);
            continue;
        };
        for (field, _) in was.iter().filter(|(field, _)| new.iter().all(|(kept, _)| kept != field)) {
            edits.unset(node, field);
        }
        for pair in new.iter().filter(|pair| !was.contains(pair)) {
            edits.set(node, pair.0, &pair.1);
        }
    }
    let fresh: Vec<String> =
        now.iter().filter(|row| before.iter().all(|was| name(was) != name(row))).map(struct_of).collect();
    if !fresh.is_empty() {
        edits.push(list, &fresh);
    }
}
