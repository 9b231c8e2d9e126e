//! Changes of a ground: corners, crests, gates, kinds. Each gives a sound ground or says why it does not.

use crate::app::command::{Handle, Item, Sort};
use crate::geometry::{Point, Polygon, Vector};
use crate::rules::stronghold::Past;
use crate::rules::terrain::{
    Feature, Ground, Hill, Holder, Profile, River, RiverState, Road, TerrainKind, Way,
};
use crate::vision::outline::Proposal;

/// A hill's height before anybody said, millimetres.
const HEIGHT_MM: f64 = 10.0;
/// Places are kept to a tenth of a millimetre.
fn rounded(p: Point) -> Point {
    let to = |v: f64| (v * 10.0).round() / 10.0;
    Point::new(to(p.x), to(p.y))
}

fn polygon(corners: Vec<Point>) -> Result<Polygon, String> {
    Polygon::new(corners.into_iter().map(rounded).collect())
        .map_err(|why| format!("That is no outline: {why}."))
}

fn way(line: Vec<Point>, width_mm: f64) -> Result<Way, String> {
    Way::new(line.into_iter().map(rounded).collect(), width_mm)
        .map_err(|why| format!("That is no course: {why}."))
}

fn course(ground: &Ground, item: Item) -> Option<&Way> {
    match item {
        Item::Area(_) => None,
        Item::River(n) => ground.rivers.get(n).map(|r| &r.course),
        Item::Road(n) => ground.roads.get(n).map(|r| &r.course),
    }
}

fn set_course(ground: &mut Ground, item: Item, course: Way) {
    match item {
        Item::Area(_) => {}
        Item::River(n) => ground.rivers.iter_mut().skip(n).take(1).for_each(|r| r.course = course.clone()),
        Item::Road(n) => ground.roads.iter_mut().skip(n).take(1).for_each(|r| r.course = course.clone()),
    }
}

/// The hill of an outline on which nobody drew a crest, to the tenth of a millimetre that the file keeps.
fn usual_hill(outline: &Polygon, height_mm: f64, profile: Profile) -> Hill {
    let hill = Hill::of_outline(outline, height_mm, profile);
    Hill { crest: hill.crest.iter().copied().map(rounded).collect(), ..hill }
}

/// The outline changes; a crest that nobody drew goes with it.
fn set_outline(feature: &mut Feature, outline: Polygon) {
    if let Some(hill) = &mut feature.hill {
        let usual = usual_hill(&feature.outline, hill.height_mm, hill.profile);
        if hill.crest == usual.crest {
            *hill = usual_hill(&outline, hill.height_mm, hill.profile);
        }
    }
    // Gates stay on the rim.
    for gate in &mut feature.gates {
        *gate = rounded(outline.depth_of(*gate).1);
    }
    feature.outline = outline;
}

/// The points of something that can be moved.
pub(super) fn handles(ground: &Ground, item: Item) -> Vec<(Handle, Point)> {
    if let Some(course) = course(ground, item) {
        return course.line().iter().enumerate().map(|(n, p)| (Handle::Corner(n), *p)).collect();
    }
    let Item::Area(n) = item else { return Vec::new() };
    let Some(feature) = ground.features.get(n) else { return Vec::new() };
    let corners = feature.outline.corners().iter().enumerate().map(|(n, p)| (Handle::Corner(n), *p));
    let crest = feature.hill.iter().flat_map(|h| &h.crest).enumerate().map(|(n, p)| (Handle::Crest(n), *p));
    let gates = feature.gates.iter().enumerate().map(|(n, p)| (Handle::Gate(n), *p));
    corners.chain(crest).chain(gates).collect()
}

/// A place in the middle of something.
pub(super) fn middle(ground: &Ground, item: Item) -> Option<Point> {
    match item {
        Item::Area(n) => ground.features.get(n).map(|f| f.outline.centroid()),
        _ => course(ground, item).map(|c| c.line()[c.line().len() / 2]),
    }
}

/// Moves one point.
pub(super) fn set_handle(ground: &mut Ground, item: Item, handle: Handle, to: Point) -> Result<(), String> {
    if let (Some(was), Handle::Corner(n)) = (course(ground, item), handle) {
        let mut line = was.line().to_vec();
        line.iter_mut().skip(n).take(1).for_each(|p| *p = to);
        let course = way(line, was.width_mm())?;
        set_course(ground, item, course);
        return Ok(());
    }
    let Item::Area(at) = item else { return Ok(()) };
    let Some(feature) = ground.features.get_mut(at) else { return Ok(()) };
    match handle {
        Handle::Corner(n) => {
            let mut corners = feature.outline.corners().to_vec();
            corners.iter_mut().skip(n).take(1).for_each(|p| *p = to);
            let outline = polygon(corners)?;
            set_outline(feature, outline);
        }
        Handle::Crest(n) => {
            let crest = feature.hill.iter_mut().flat_map(|h| &mut h.crest);
            crest.skip(n).take(1).for_each(|p| *p = rounded(to));
        }
        Handle::Gate(n) => {
            let on_rim = feature.outline.depth_of(to).1;
            feature.gates.iter_mut().skip(n).take(1).for_each(|p| *p = rounded(on_rim));
        }
    }
    Ok(())
}

/// Moves all of something.
pub(super) fn shift(ground: &mut Ground, item: Item, by: Vector) -> Result<(), String> {
    if let Some(was) = course(ground, item) {
        let course = way(was.line().iter().map(|p| p + by).collect(), was.width_mm())?;
        set_course(ground, item, course);
        return Ok(());
    }
    let Item::Area(n) = item else { return Ok(()) };
    let Some(feature) = ground.features.get_mut(n) else { return Ok(()) };
    feature.outline = polygon(feature.outline.corners().iter().map(|p| p + by).collect())?;
    for p in feature.hill.iter_mut().flat_map(|h| &mut h.crest).chain(&mut feature.gates) {
        *p = rounded(*p + by);
    }
    Ok(())
}

/// Puts a point into a rim or course.
pub(super) fn insert(ground: &mut Ground, item: Item, behind: usize, at: Point) -> Result<(), String> {
    if let Some(was) = course(ground, item) {
        let mut line = was.line().to_vec();
        line.insert((behind + 1).min(line.len()), at);
        let course = way(line, was.width_mm())?;
        set_course(ground, item, course);
    } else if let Item::Area(n) = item
        && let Some(feature) = ground.features.get_mut(n)
    {
        let mut corners = feature.outline.corners().to_vec();
        corners.insert((behind + 1).min(corners.len()), at);
        let outline = polygon(corners)?;
        set_outline(feature, outline);
    }
    Ok(())
}

/// Takes one point away.
pub(super) fn remove_handle(ground: &mut Ground, item: Item, handle: Handle) -> Result<(), String> {
    if let (Some(was), Handle::Corner(n)) = (course(ground, item), handle) {
        let mut line = was.line().to_vec();
        if n < line.len() {
            line.remove(n);
        }
        let course = way(line, was.width_mm())?;
        set_course(ground, item, course);
        return Ok(());
    }
    let Item::Area(at) = item else { return Ok(()) };
    let Some(feature) = ground.features.get_mut(at) else { return Ok(()) };
    match handle {
        Handle::Corner(n) => {
            let mut corners = feature.outline.corners().to_vec();
            if n < corners.len() {
                corners.remove(n);
            }
            let outline = polygon(corners)?;
            set_outline(feature, outline);
        }
        Handle::Crest(n) => {
            if let Some(hill) = &mut feature.hill {
                if hill.crest.len() <= 2 {
                    return Err("A crest needs two points.".to_owned());
                }
                if n < hill.crest.len() {
                    hill.crest.remove(n);
                }
            }
        }
        Handle::Gate(n) => {
            if n < feature.gates.len() {
                feature.gates.remove(n);
            }
        }
    }
    Ok(())
}

/// Takes something away.
pub(super) fn remove(ground: &mut Ground, item: Item) {
    match item {
        Item::Area(n) if n < ground.features.len() => drop(ground.features.remove(n)),
        Item::River(n) if n < ground.rivers.len() => drop(ground.rivers.remove(n)),
        Item::Road(n) if n < ground.roads.len() => drop(ground.roads.remove(n)),
        _ => {}
    }
}

/// Gives something another name.
pub(super) fn rename(ground: &mut Ground, item: Item, name: &str) -> Result<(), String> {
    let old = match item {
        Item::Area(n) => ground.features.get(n).map(|f| f.name.clone()),
        Item::River(n) => ground.rivers.get(n).map(|r| r.name.clone()),
        Item::Road(n) => ground.roads.get(n).map(|r| r.name.clone()),
    };
    let Some(old) = old else { return Ok(()) };
    if name.is_empty() || name.chars().any(char::is_control) {
        return Err("A name has at least one letter.".to_owned());
    }
    if name != old && ground.names().any(|known| known == name) {
        return Err(format!("There is a {name} already: give each its own name."));
    }
    match item {
        Item::Area(n) => ground.features[n].name = name.to_owned(),
        Item::River(n) => ground.rivers[n].name = name.to_owned(),
        Item::Road(n) => ground.roads[n].name = name.to_owned(),
    }
    Ok(())
}

/// Makes an area another kind; what belongs to the old one alone goes.
pub(super) fn set_kind(ground: &mut Ground, n: usize, kind: TerrainKind) -> Result<(), String> {
    let Some(feature) = ground.features.get_mut(n) else { return Ok(()) };
    feature.kind = kind;
    match (kind.is_hill(), &feature.hill) {
        (true, None) => feature.hill = Some(usual_hill(&feature.outline, HEIGHT_MM, Profile::Slope)),
        (false, Some(_)) => feature.hill = None,
        _ => {}
    }
    if !kind.has_gates() {
        feature.gates.clear();
    }
    if !kind.is_stronghold() {
        (feature.holder, feature.past) = (Holder::Nobody, Past::default());
    }
    Ok(())
}

/// Sets a hill's height.
pub(super) fn set_height(ground: &mut Ground, n: usize, mm: f64) -> Result<(), String> {
    if !(0.0..=500.0).contains(&mm) {
        return Err("A hill is 0 to 500 mm high.".to_owned());
    }
    ground.features.iter_mut().skip(n).take(1).filter_map(|f| f.hill.as_mut()).for_each(|h| h.height_mm = mm);
    Ok(())
}

/// Sets a way's width.
pub(super) fn set_width(ground: &mut Ground, item: Item, mm: f64) -> Result<(), String> {
    if !(1.0..=1000.0).contains(&mm) {
        return Err("A river or road is 1 to 1000 mm wide.".to_owned());
    }
    if let Some(was) = course(ground, item) {
        let course = way(was.line().to_vec(), mm)?;
        set_course(ground, item, course);
    }
    Ok(())
}

/// Puts a gate on the rim.
pub(super) fn add_gate(ground: &mut Ground, n: usize, near: Point) -> Result<(), String> {
    let Some(feature) = ground.features.get_mut(n) else { return Ok(()) };
    if !feature.kind.has_gates() {
        return Err("Only a City or Fort has gates.".to_owned());
    }
    feature.gates.push(rounded(feature.outline.depth_of(near).1));
    Ok(())
}

/// Carries a crest on to a place.
pub(super) fn longer_crest(ground: &mut Ground, n: usize, to: Point) -> Result<(), String> {
    let Some(hill) = ground.features.get_mut(n).and_then(|f| f.hill.as_mut()) else {
        return Err("Only a hill has a crest.".to_owned());
    };
    hill.crest.push(rounded(to));
    Ok(())
}

/// A rectangle of three base widths by two.
pub(super) fn oblong(at: Point, width: f64) -> Vec<Point> {
    let corners = [(-1.5, -1.0), (1.5, -1.0), (1.5, 1.0), (-1.5, 1.0)];
    corners.map(|(x, y)| Point::new(at.x + x * width, at.y + y * width)).to_vec()
}

/// An ellipse as large.
pub(super) fn oval(at: Point, width: f64) -> Vec<Point> {
    let corner = |n: u32| {
        let a = f64::from(n) / 16.0 * std::f64::consts::TAU;
        Point::new(at.x + 1.5 * width * a.cos(), at.y + width * a.sin())
    };
    (0..16).map(corner).collect()
}

/// The first name that is free: Wood, Wood 2, ...
fn free_name(ground: &Ground, sort: Sort) -> String {
    let word = sort.word().replace('-', " ");
    let word = word[..1].to_uppercase() + &word[1..];
    let names: Vec<&str> = ground.names().collect();
    let mut numbered = (1..).map(|n| if n == 1 { word.clone() } else { format!("{word} {n}") });
    numbered.find(|name| !names.contains(&name.as_str())).unwrap_or_default()
}

fn add_area(ground: &mut Ground, kind: TerrainKind, outline: Polygon) -> Item {
    let hill = kind.is_hill().then(|| usual_hill(&outline, HEIGHT_MM, Profile::Slope));
    ground.features.push(Feature {
        name: free_name(ground, Sort::Area(kind)),
        kind,
        outline,
        hill,
        side: None,
        holder: Holder::Nobody,
        gates: Vec::new(),
        past: Past::default(),
    });
    Item::Area(ground.features.len() - 1)
}

fn add_way(ground: &mut Ground, sort: Sort, course: Way) -> Item {
    let name = free_name(ground, sort);
    if sort == Sort::River {
        ground.rivers.push(River { name, course, state: RiverState::default() });
        Item::River(ground.rivers.len() - 1)
    } else {
        ground.roads.push(Road { name, course });
        Item::Road(ground.roads.len() - 1)
    }
}

/// Adds a shape; of a way a straight piece as long.
pub(super) fn add_shape(
    ground: &mut Ground,
    sort: Sort,
    shape: Vec<Point>,
    width: f64,
) -> Result<Item, String> {
    match sort {
        Sort::Area(kind) => Ok(add_area(ground, kind, polygon(shape)?)),
        Sort::River | Sort::Road => {
            let (low, high) = polygon(shape)?.bounds();
            let y = f64::midpoint(low.y, high.y);
            let course = way(vec![Point::new(low.x, y), Point::new(high.x, y)], width / 2.0)?;
            Ok(add_way(ground, sort, course))
        }
    }
}

const NO_COURSE: &str =
    "What shows there is not long and narrow as a river or a road is: choose a shape and drag it.";

/// Adds what the picture shows.
pub(super) fn add_found(ground: &mut Ground, sort: Sort, found: &Proposal) -> Result<Item, String> {
    match sort {
        Sort::Area(kind) => Ok(add_area(ground, kind, found.outline.clone())),
        Sort::River | Sort::Road => {
            let course = found.course.as_ref().ok_or(NO_COURSE)?;
            let course = way(course.line.clone(), (course.width_mm * 10.0).round() / 10.0)?;
            Ok(add_way(ground, sort, course))
        }
    }
}

/// Gives something the outline or course that the picture shows.
pub(super) fn set_found(ground: &mut Ground, item: Item, found: &Proposal) -> Result<(), String> {
    if let Item::Area(n) = item {
        ground.features.iter_mut().skip(n).take(1).for_each(|f| set_outline(f, found.outline.clone()));
        return Ok(());
    }
    let seen = found.course.as_ref().ok_or(NO_COURSE)?;
    let course = way(seen.line.clone(), (seen.width_mm * 10.0).round() / 10.0)?;
    set_course(ground, item, course);
    Ok(())
}
