//! Combat worked out once more, from the clauses' words and the bases' corners, without the engine: factors, overlaps,
//! support, and what becomes of whom. It knows what the written battles have, and refuses the rest.
//!
//! Millimetres, the table's frame. Bases in contact are exactly in contact, so a millimetre tells touching from not.

use groma::geometry::{Point, Vector, separation_from_area};
use groma::rules::terrain::TerrainKind;
use groma::rules::{Element, Location, Setup};

/// Nearer than this is touching, millimetres.
const TOUCH: f64 = 0.6;

/// Going as troops find it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Going {
    Good,
    Rough,
    Bad,
}

/// Where a fight is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    Open,
    Assaults,
    Camp,
    /// In a City or Fort that it holds.
    City,
    /// In a City that it sacks.
    Sacks,
}

/// Shooting, or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Close,
    /// With so many that aid; whether the target shoots back; whether its rear edge is struck.
    Shot {
        aiders: i32,
        back: bool,
        rear: bool,
    },
}

/// How a total compares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Band {
    Equal,
    Less,
    Half,
}

/// A row of the factor table: against foot, against mounted (clauses dba3.fac).
fn factors(code: &str) -> (i32, i32) {
    match code {
        "El" => (5, 4),
        "3Kn" | "4Kn" | "6Kn" | "HCh" | "SCh" => (3, 4),
        "Cv" | "6Cv" | "LCh" | "Cm" | "4Ax" | "3Ax" => (3, 3),
        "LH" | "LCm" | "Ps" => (2, 2),
        "4Sp" | "8Sp" | "Art" => (4, 4),
        "4Pk" | "3Pk" | "WWg" => (3, 4),
        "4Bd" | "3Bd" | "6Bd" | "CP" | "Lit" | "CWg" => (5, 3),
        "4Bw" | "3Bw" | "8Bw" | "4Lb" | "3Lb" | "4Cb" | "3Cb" => (2, 4),
        "4Wb" | "3Wb" | "7Hd" | "5Hd" => (3, 2),
        "CF" | "Den" => (2, 0),
        other => panic!("no row for {other}"),
    }
}

/// The kind of a code, by its letters.
pub fn kind(code: &str) -> &str {
    match code {
        "3Kn" | "4Kn" | "6Kn" | "HCh" => "Kn",
        "Cv" | "6Cv" | "LCh" => "Cv",
        "LH" | "LCm" => "LH",
        "4Sp" | "8Sp" => "Sp",
        "4Pk" | "3Pk" => "Pk",
        "4Bd" | "3Bd" | "6Bd" => "Bd",
        "CP" | "Lit" | "CWg" => "CP",
        "4Ax" | "3Ax" => "Ax",
        "4Bw" | "3Bw" | "8Bw" | "4Lb" | "3Lb" | "4Cb" | "3Cb" => "Bw",
        "4Wb" | "3Wb" => "Wb",
        "7Hd" | "5Hd" => "Hd",
        other => other,
    }
}

pub fn mounted(code: &str) -> bool {
    matches!(kind(code), "El" | "Kn" | "Cv" | "LH" | "SCh" | "Cm")
}

/// Fast foot (clauses dba3.troop.3, .15).
fn fast(code: &str) -> bool {
    matches!(kind(code), "Ps" | "CF" | "Den") || (!mounted(code) && code.starts_with(['3', '5', '6']))
}

/// Double elements (clause dba3.troop.11).
pub fn doubled(code: &str) -> bool {
    matches!(code, "6Kn" | "6Cv" | "6Bd" | "8Sp" | "8Bw" | "8Lb" | "8Cb")
}

fn solid(code: &str) -> bool {
    !mounted(code) && !fast(code)
}

/// A base by its corners.
pub struct Base {
    pub fl: Point,
    pub fr: Point,
    pub rl: Point,
    pub rr: Point,
    pub ahead: Vector,
    pub right: Vector,
    pub centre: Point,
    pub deep: f64,
    wide: f64,
}

pub fn base(e: &Element) -> Base {
    let pose = e.footprint.pose();
    let ahead = pose.heading.vector();
    let right = Vector::new(ahead.y, -ahead.x);
    let (deep, wide) = (e.footprint.depth_mm(), e.footprint.width_mm());
    let at = |r: f64, f: f64| pose.centre + right * (r * wide / 2.0) + ahead * (f * deep / 2.0);
    let [fl, fr, rl, rr] = [at(-1.0, 1.0), at(1.0, 1.0), at(-1.0, -1.0), at(1.0, -1.0)];
    Base { fl, fr, rl, rr, ahead, right, centre: pose.centre, deep, wide }
}

fn same(a: Point, b: Point) -> bool {
    (a - b).norm() < TOUCH
}

/// Whose front is on which edge of `e`: "front", "left", "right", "rear".
pub fn front_on(x: &Element, e: &Element) -> Option<&'static str> {
    let (x, e) = (base(x), base(e));
    if same(x.fl, e.fr) && same(x.fr, e.fl) {
        return Some("front");
    }
    if same(x.fl, e.rl) && same(x.fr, e.rr) {
        return Some("rear");
    }
    if same(x.fl, e.fl) && x.ahead.dot(&e.right) > 0.999 {
        return Some("left");
    }
    if same(x.fr, e.fr) && x.ahead.dot(&e.right) < -0.999 {
        return Some("right");
    }
    None
}

fn here(e: &&Element) -> bool {
    e.location == Location::Board
}

fn enemies<'s>(setup: &'s Setup, of: &'s Element) -> impl Iterator<Item = &'s Element> {
    setup.elements.iter().filter(here).filter(move |e| e.side != of.side)
}

fn busy(setup: &Setup, e: &Element) -> bool {
    enemies(setup, e).any(|o| front_on(e, o).is_some() || front_on(o, e) == Some("front"))
}

/// How many of its left, right and rear edges are pressed (clauses dba3.ovl, dba3.tac.11 to .13).
fn pressed(setup: &Setup, own: &Element, foe: &Element) -> i32 {
    let (mut left, mut right, mut rear) = (false, false, false);
    let me = base(own);
    let spared = matches!(kind(&own.troop), "Ps" | "SCh");
    for e in enemies(setup, own).filter(|e| e.name != foe.name) {
        match front_on(e, own) {
            Some("left") => left = true,
            Some("right") => right = true,
            Some("rear") => rear = true,
            _ => {}
        }
        let it = base(e);
        if !spared && !busy(setup, e) {
            left |= same(it.fl, me.fl);
            right |= same(it.fr, me.fr);
        }
        let off = it.centre - me.centre;
        let (along, aside) = (off.dot(&me.ahead), off.dot(&me.right));
        let parallel = it.ahead.dot(&me.ahead).abs() > 0.999;
        let beside = (aside.abs() - (me.wide + it.wide) / 2.0).abs() < TOUCH;
        // Of a double element the front half alone counts (clause dba3.ovl.12).
        let back = if doubled(&own.troop) { 0.0 } else { -me.deep / 2.0 };
        let shared = (along + it.deep / 2.0).min(me.deep / 2.0) - (along - it.deep / 2.0).max(back);
        if parallel && beside && shared > TOUCH {
            if aside < 0.0 { left = true } else { right = true }
        }
    }
    if !matches!(kind(&own.troop), "Cv" | "LH") {
        let board = setup.board_mm.0;
        for (a, b, edge) in [(me.fl, me.rl, &mut left), (me.fr, me.rr, &mut right)] {
            let west = me.right.x.abs() > 0.5 && a.x.min(b.x) < 20.0 - 1e-6 && a.x < me.centre.x;
            let east = me.right.x.abs() > 0.5 && a.x.max(b.x) > board - 20.0 + 1e-6 && a.x > me.centre.x;
            *edge |= west || east;
        }
    }
    [left, right, rear].into_iter().filter(|&edge| edge).count() as i32
}

/// What it stands in (clauses dba3.going.1, .5, .6): anything that its base reaches into.
pub fn going(setup: &Setup, e: &Element) -> Going {
    let mut worst = Going::Good;
    if e.location != Location::Board {
        return worst;
    }
    for f in &setup.ground.features {
        if separation_from_area(&e.footprint, &f.outline).mm >= -1e-6 {
            continue;
        }
        match f.kind {
            TerrainKind::Wood | TerrainKind::Marsh | TerrainKind::Gully | TerrainKind::DifficultHill => {
                return Going::Bad;
            }
            TerrainKind::Rocky | TerrainKind::Scrub | TerrainKind::Boggy | TerrainKind::Enclosures => {
                worst = Going::Rough;
            }
            _ => {}
        }
    }
    worst
}

pub fn friend_behind<'s>(setup: &'s Setup, own: &Element) -> Option<&'s Element> {
    let me = base(own);
    let mut friends = setup.elements.iter().filter(here).filter(|e| e.side == own.side && e.name != own.name);
    friends.find(|e| {
        let it = base(e);
        same(it.fl, me.rl) && same(it.fr, me.rr)
    })
}

fn friends_beside<'s>(setup: &'s Setup, own: &'s Element) -> impl Iterator<Item = &'s Element> {
    let me = base(own);
    let friends = setup.elements.iter().filter(here).filter(|e| e.side == own.side && e.name != own.name);
    friends.filter(move |e| {
        let it = base(e);
        it.ahead.dot(&me.ahead) > 0.999 && (same(it.fl, me.fr) || same(it.fr, me.fl))
    })
}

/// What friends and its own second rank add (clauses dba3.sup.4 to .14).
fn support(setup: &Setup, own: &Element, foe: &Element) -> i32 {
    let foot = !mounted(&foe.troop);
    let good = |e: &Element| going(setup, e) == Going::Good;
    let mut sum = 0;
    if doubled(&own.troop) && foot {
        sum += 1;
    }
    let behind = friend_behind(setup, own).filter(|e| good(e) && good(own)).map(|e| kind(&e.troop));
    let against = kind(&foe.troop);
    sum += match (kind(&own.troop), behind) {
        ("Pk", Some("Pk")) if foot && against != "Ps" => 3,
        ("Pk", Some("Pk")) if matches!(against, "El" | "Kn" | "SCh") => 1,
        ("Wb", Some("Wb")) if foot && against != "Ps" => 1,
        ("LH", Some("LH")) => 1,
        _ => 0,
    };
    let side = friends_beside(setup, own).filter(|e| good(e) && good(own)).any(|e| {
        let blades = matches!(e.troop.as_str(), "4Bd" | "CP" | "Lit" | "CWg");
        match kind(&own.troop) {
            "Sp" => blades || kind(&e.troop) == "Sp",
            "Bw" => solid(&own.troop) && blades,
            _ => false,
        }
    });
    sum + i32::from(side && foot)
}

/// One element's total without its die. `others` are assaulters still there beside the one that fights.
pub fn total(
    setup: &Setup,
    (own, foe): (&Element, &Element),
    place: Place,
    others: i32,
    mode: Mode,
    target: bool,
) -> i32 {
    let (foot, horse) = factors(&own.troop);
    let blades = matches!(kind(&own.troop), "Bd" | "CP");
    let garrison = place == Place::City && own.troop == "Art";
    let general = i32::from(own.general || kind(&own.troop) == "CP");
    let walls = match place {
        _ if mounted(&own.troop) => 0,
        Place::Camp => 2,
        Place::City if own.troop == "Den" => 2,
        Place::City => 4,
        // Who sacks has no factor of a garrison (clause dba3.city.12).
        Place::Sacks | Place::Open | Place::Assaults => 0,
    };
    match mode {
        Mode::Shot { aiders, .. } if target => {
            let shot_at = if garrison { 2 } else { foot - i32::from(blades) };
            shot_at + general + walls - aiders.min(2)
        }
        Mode::Shot { .. } => match (garrison, mounted(&foe.troop)) {
            (true, _) => 2,
            (_, true) => horse,
            (_, false) => foot,
        },
        Mode::Close => {
            let against_foot = place == Place::Assaults || !mounted(&foe.troop);
            let mut sum = if garrison {
                2
            } else if against_foot {
                foot
            } else {
                horse
            };
            sum += general + walls - others.min(2);
            if place == Place::Open {
                sum += support(setup, own, foe) - pressed(setup, own, foe);
            }
            let hindered = !matches!(kind(&own.troop), "Ax" | "Wb" | "Bw" | "Ps");
            sum - if hindered && going(setup, own) == Going::Bad { 2 } else { 0 }
        }
    }
}

/// What becomes of an element with that result: "none", "recoil", "flee", "destroyed" (clauses dba3.eq, .less, .half).
pub fn fate(
    setup: &Setup,
    (own, foe): (&Element, &Element),
    place: Place,
    band: Band,
    mode: Mode,
) -> &'static str {
    let shot = mode != Mode::Close;
    let rear = matches!(mode, Mode::Shot { rear: true, .. });
    let ground = going(setup, own);
    let good = ground == Going::Good;
    let (me, it) = (kind(&own.troop), kind(&foe.troop));
    let holds = matches!(place, Place::Camp | Place::City | Place::Sacks);
    match band {
        Band::Equal if holds || place == Place::Assaults => "none",
        Band::Equal => match me {
            "SCh" => "destroyed",
            "Kn" | "Cm" if shot => "none",
            "Kn" | "Cm" if matches!(foe.troop.as_str(), "4Lb" | "3Lb" | "4Cb" | "3Cb" | "8Lb" | "8Cb") => {
                "destroyed"
            }
            "Kn" | "Cm" if matches!(it, "Bd" | "CP") => "destroyed",
            "Kn" | "Cm" if solid(&foe.troop) => "recoil",
            "Kn" if own.troop == "4Kn" && foe.troop == "3Kn" => "recoil",
            "Kn" | "Cm" => "none",
            _ if mounted(&own.troop) && !shot && solid(&foe.troop) => "recoil",
            _ if mounted(&own.troop) => "none",
            _ if fast(&own.troop) && solid(&foe.troop) => "recoil",
            _ => "none",
        },
        Band::Less if holds => "destroyed",
        Band::Less if matches!(me, "CF" | "Den") => "destroyed",
        Band::Less if place == Place::Assaults => "recoil",
        Band::Less => match (me, it) {
            ("CP", _) => "none",
            ("El", "Ps" | "Ax" | "LH") => "destroyed",
            ("El", "Art") if shot => "destroyed",
            ("SCh", _) if shot && !rear => "flee",
            ("SCh", _) => "destroyed",
            ("Kn", "El" | "SCh" | "Cm" | "LH") => "destroyed",
            ("Cm", "SCh") => "destroyed",
            ("Cm", _) if ground == Going::Bad => "destroyed",
            ("Cm", "El") => "flee",
            ("Cv", "SCh") => "flee",
            ("LH", "SCh") => "flee",
            ("LH", "Art") if shot => "flee",
            ("Cv" | "LH", _) if ground == Going::Bad => "flee",
            ("Sp" | "Pk" | "Bd", "SCh" | "Kn") if good => "destroyed",
            ("Sp" | "Pk" | "Bd", "Wb") => "destroyed",
            ("Ax", "Kn") if good => "destroyed",
            ("Bw", _) if mounted(&foe.troop) => "destroyed",
            ("Ps", "Kn" | "Cv" | "Cm") if good => "destroyed",
            ("Wb", "SCh" | "Kn") if good => "destroyed",
            ("Hd", "El" | "Kn") if good => "destroyed",
            ("Hd", "Wb") => "destroyed",
            ("Hd", _) if shot => "recoil",
            ("Hd", _) => "none",
            ("WWg", "El") => "destroyed",
            ("WWg", "Art") if shot => "destroyed",
            ("WWg", _) => "none",
            ("Art", _) => "destroyed",
            _ => "recoil",
        },
        Band::Half if holds => "destroyed",
        Band::Half => match (me, it) {
            ("Cv", "Hd" | "Sp" | "Pk") if good => "flee",
            ("Cv", "Art") if !shot => "flee",
            ("LH", _) if mounted(&foe.troop) || ground == Going::Bad => "destroyed",
            ("LH", "Bw" | "Ps") => "destroyed",
            ("LH", "Art") if shot => "destroyed",
            ("LH", _) => "flee",
            ("Ps", "LH" | "Cv" | "Kn" | "Cm") if good => "destroyed",
            ("Ps", "Ps" | "Bw" | "Ax") if !shot => "destroyed",
            ("Ps", "El" | "SCh") => "recoil",
            ("Ps", _) => "flee",
            _ => "destroyed",
        },
    }
}

/// How far troops run in going of that sort, base widths (clauses dba3.dist.3 to .8).
fn pace(code: &str, ground: Going) -> f64 {
    let free = fast(code) || matches!(kind(code), "Ax" | "Wb");
    if ground != Going::Good && !free {
        return 1.0;
    }
    match kind(code) {
        "LH" | "Cv" | "SCh" => 4.0,
        "Kn" | "El" | "Cm" => 3.0,
        _ if fast(code) => 3.0,
        _ => 2.0,
    }
}

/// How far a winner follows, millimetres (clauses dba3.pur.6 to .9, .14).
fn follows(own: &Element, foe: &Element, bw: f64) -> f64 {
    let foot = !mounted(&foe.troop) && kind(&foe.troop) != "Ps";
    match kind(&own.troop) {
        "Kn" if own.troop == "4Kn" => 0.0,
        "Kn" | "SCh" | "El" | "Hd" => bw,
        "Pk" | "Bd" | "Wb" if foot => bw / 2.0,
        _ => 0.0,
    }
}

/// Whether anything is close by: another base, a feature, the board's edge.
pub fn hemmed(setup: &Setup, e: &Element) -> bool {
    let near = |o: &Element| groma::geometry::separation(&o.footprint, &e.footprint).mm < TOUCH;
    let (width, depth) = setup.board_mm;
    let at_edge = e
        .footprint
        .outline()
        .into_iter()
        .any(|p| p.x < TOUCH || p.y < TOUCH || p.x > width - TOUCH || p.y > depth - TOUCH);
    let ground = setup.ground.features.iter();
    at_edge
        || setup.elements.iter().filter(here).any(|o| o.name != e.name && near(o))
        || ground.map(|f| separation_from_area(&e.footprint, &f.outline).mm).any(|mm| mm < TOUCH)
}

/// How far it recoils where nothing is in its way, millimetres (clauses dba3.rec.2, .3).
pub fn recoil_mm(own: &Element, own_depth: bool, bw: f64) -> f64 {
    let deep = own.footprint.depth_mm();
    match mounted(&own.troop) {
        true if own_depth => deep.min(bw),
        true => bw,
        false => deep.min(bw / 2.0),
    }
}

/// What is wrong with where the loser `own` came to stand with that fate, having fought `foe`. It goes straight, as far
/// as the clauses say, less where something is in its way, further only through friends.
pub fn misplaced(
    (before, after): (&Setup, &Setup),
    own: &Element,
    fate: &str,
    own_depth: bool,
) -> Option<String> {
    let now = after.element(&own.name).expect("it is known");
    if now.location != Location::Board || own.location != Location::Board {
        return None;
    }
    let bw = before.scale.mm_per_bw();
    let me = base(own);
    let off = now.footprint.pose().centre - me.centre;
    let (back, aside) = (-off.dot(&me.ahead), off.dot(&me.right).abs());
    let wanted = match fate {
        "recoil" => recoil_mm(own, own_depth, bw),
        "flee" => pace(&own.troop, going(before, own)) * bw,
        _ => return None,
    };
    let through = friend_behind(before, own).is_some() || hemmed(before, own);
    let ok = if aside > 0.01 {
        // It ran along an edge, turned by a shot in its rear, or lines up with its pursuer.
        hemmed(after, now)
    } else if (back - wanted).abs() < 0.01 {
        true
    } else if back < wanted {
        hemmed(after, now)
    } else {
        fate == "recoil" && through
    };
    (!ok).then(|| format!("{} ({}) went {back:.2} mm back and not {wanted:.2}", own.name, own.troop))
}

/// What is wrong with where the winner came to stand.
pub fn overdone((before, after): (&Setup, &Setup), own: &Element, foe: &Element) -> Option<String> {
    let now = after.element(&own.name).expect("it is known");
    if now.location != Location::Board || own.location != Location::Board || foe.location != Location::Board {
        return None;
    }
    let wanted = follows(own, foe, before.scale.mm_per_bw());
    let me = base(own);
    let off = now.footprint.pose().centre - me.centre;
    let (on, aside) = (off.dot(&me.ahead), off.dot(&me.right).abs());
    let stays = going(before, own) == Going::Bad || (on == 0.0 && bad_ahead(before, own, wanted));
    let ok = (on - wanted).abs() < 0.01 && aside < 0.01
        || (on < wanted + 0.01 && (hemmed(after, now) || (on == 0.0 && stays)));
    (!ok).then(|| format!("{} ({}) went on {on:.2} mm and not {wanted:.2}", own.name, own.troop))
}

/// Whether it would come into bad going, or over the edge.
fn bad_ahead(setup: &Setup, own: &Element, mm: f64) -> bool {
    let pose = own.footprint.pose();
    let there = own.footprint.moved_to(pose.nudged(pose.heading.vector() * mm, 0.0));
    let (width, depth) = setup.board_mm;
    let off = |p: Point| p.x < 0.0 || p.y < 0.0 || p.x > width || p.y > depth;
    going(setup, &Element { footprint: there, ..own.clone() }) == Going::Bad
        || there.outline().into_iter().any(off)
}
