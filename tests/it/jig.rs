//! Mounts measured in the jig, through the program, on simulated photographs; and what that is worth on the table.

use super::table_pictures::{groma, lens, save, write_profile};
use super::uneven::{corner_error_of, read};
use groma::geometry::{Point, Pose, Relief};
use groma::judge::{Roster, RosterFile, parse_roster, samples};
use groma::rules::Ruleset;
use groma::tracking::{Tag, TagFamily};
use groma::vision::jig::{JIG_ROOM_MM, JIG_STRIPES_MM, jig_tags};
use groma::vision::sim::{
    Block, Clutter, Figures, FlatPrint, Ink, Lean, Motion, Placement, Printed, Props, Scene, SimBase,
    SimSettings, SimTag, SimulatedCamera,
};
use groma::vision::{CameraModel, CameraPose};
use nalgebra::{Point3, Vector2};
use serde_json::Value;
use std::path::Path;

/// A base as it truly is, and how its roster has it.
pub struct Made {
    pub name: &'static str,
    id: u32,
    /// Width, depth.
    size_mm: (f64, f64),
    written_mm: (f64, f64),
    /// The tag's true offset, rotation and height above the base.
    pub offset_mm: (f64, f64),
    rotation_deg: f64,
    height_mm: f64,
    /// Offset and height as written; the rotation is written as 0.
    written: ((f64, f64), f64),
    lean: Lean,
}

/// Tags glued 1.5 mm and 3 degrees off, a stalk that is 2 mm shorter than written, one that leans 4 degrees, bases
/// cut half a millimetre off.
pub fn made() -> Vec<Made> {
    let straight = Lean::default();
    vec![
        Made {
            name: "Glued askew",
            id: 60,
            size_mm: (39.6, 15.4),
            written_mm: (40.0, 15.0),
            offset_mm: (1.2, -0.9),
            rotation_deg: 3.0,
            height_mm: 30.0,
            written: ((0.0, 0.0), 30.0),
            lean: straight,
        },
        Made {
            name: "Flat tag",
            id: 61,
            size_mm: (40.5, 30.0),
            written_mm: (40.0, 30.0),
            offset_mm: (-0.9, -7.4),
            rotation_deg: -3.0,
            height_mm: 0.3,
            written: ((0.0, -6.2), 0.3),
            lean: straight,
        },
        Made {
            name: "Leaning",
            id: 62,
            size_mm: (40.0, 20.0),
            written_mm: (40.0, 20.0),
            offset_mm: (0.0, 0.0),
            rotation_deg: 0.0,
            height_mm: 28.0,
            written: ((0.0, 0.0), 30.0),
            lean: Lean { right_deg: 3.0, forward_deg: -2.65 },
        },
    ]
}

impl Made {
    fn tag(&self) -> Tag {
        Tag::new(TagFamily::Tag36h11, self.id)
    }

    fn drawn(&self, figures: Figures) -> SimBase {
        SimBase {
            name: self.name.to_owned(),
            side: 0,
            width_mm: self.size_mm.0,
            depth_mm: self.size_mm.1,
            thickness_mm: 2.0,
            tags: vec![SimTag {
                tag: self.tag(),
                size_mm: 14.0,
                right_mm: self.offset_mm.0,
                forward_mm: self.offset_mm.1,
                rotation_deg: self.rotation_deg,
                height_mm: self.height_mm,
                ink: Ink::Black,
                contrast: 1.0,
            }],
            colour: [164, 44, 38],
            figures,
        }
    }
}

pub fn roster_text() -> String {
    let element = |m: &Made| {
        format!(
            "    ( // {0}: measured with a ruler\n        name: \"{0}\", side: red, troop: \"4Bd\",\n        base: {1:?},\n        \
             tags: [(family: \"tag36h11\", id: {2}, size: 14, offset: {3:?}, height: {4}, height_sigma: 1)],\n    ),\n",
            m.name, m.written_mm, m.id, m.written.0, m.written.1
        )
    };
    format!("(\n  schema: 1,\n  elements: [\n{}  ],\n)\n", made().iter().map(element).collect::<String>())
}

pub fn roster(text: &str) -> Roster {
    let elements = parse_roster("r.ron", text).expect("a sound roster");
    let file = RosterFile { file: "r.ron".to_owned(), elements };
    Roster::of(&samples::table(), vec![file], &Ruleset::dba3()).expect("no clashes")
}

/// The jig with a base in its corner, from a place of the camera. The print's scale is its true size over nominal.
pub fn over_the_jig(made: &Made, eye: Point3<f64>, scale: f64, seed: u64) -> SimulatedCamera {
    let paper_mm = 0.1;
    let room = JIG_ROOM_MM * scale;
    let mut reference = jig_tags(scale);
    reference.iter_mut().for_each(|t| t.z_mm = paper_mm);
    let sheet = |middle: f64, side: f64, z: f64, printed| FlatPrint {
        middle: Point3::new(middle, middle, z),
        width_mm: side,
        depth_mm: side,
        printed,
    };
    let stripes = Printed::Stripes { from: Point::origin(), period_mm: JIG_STRIPES_MM * scale };
    let strip = |x: f64, y: f64, width_mm: f64, depth_mm: f64| Block {
        top: Point3::new(x, y, 3.0),
        width_mm,
        depth_mm,
        thickness_mm: 3.0,
        turn_deg: 0.0,
        slope: Vector2::zeros(),
        colour: [200, 170, 120],
    };
    let props = Props {
        leans: [(made.tag(), made.lean)].into(),
        prints: vec![
            sheet(room / 2.0, room + 80.0, paper_mm - 0.04, Printed::Blank),
            sheet(room / 2.0, room, paper_mm - 0.02, stripes),
        ],
        blocks: vec![strip(room / 2.0 - 5.0, -5.0, room + 10.0, 10.0), strip(-5.0, room / 2.0, 10.0, room)],
        ..Props::default()
    };
    let (w, d) = made.size_mm;
    let placed = Placement {
        name: made.name.to_owned(),
        pose: Pose::new(w / 2.0, d / 2.0, 90.0),
        ground_mm: paper_mm,
    };
    let base = made.drawn(Figures::Swords);
    let scene = Scene::placed(room, room, reference, vec![base], vec![placed]).expect("a scene").with(props);
    let pose = CameraPose::looking_at(eye, Point3::new(room / 2.0, room / 2.0, 0.0), 3.0).expect("apart");
    let settings = SimSettings { motion: Motion::Still, ..SimSettings::default() };
    let camera = CameraModel { lens: lens(), pose };
    SimulatedCamera::with_camera(scene, settings, camera, seed).expect("a camera")
}

/// Two or three pictures of every base into a new folder.
pub fn photographs(dir: &Path, eyes: &[Point3<f64>], scale: f64) {
    std::fs::create_dir(dir).expect("a folder");
    for made in made() {
        for (n, eye) in eyes.iter().enumerate() {
            let seed = u64::from(made.id) + n as u64;
            save(&dir.join(format!("{}-{n}.png", made.id)), &mut over_the_jig(&made, *eye, scale, seed));
        }
    }
}

/// Corner errors on the table, root mean square over each base's corners, and one sigma as claimed for a corner, in
/// the order of [`made`]; read by a roster.
fn on_the_table(text: &str) -> Vec<(f64, f64)> {
    let places =
        [Pose::new(140.0, 150.0, 80.0), Pose::new(420.0, 180.0, 200.0), Pose::new(300.0, 470.0, 300.0)];
    let roster = roster(text);
    let made = made();
    let placed =
        made.iter().zip(places).map(|(m, pose)| Placement { name: m.name.to_owned(), pose, ground_mm: 0.0 });
    let props = Props { leans: made.iter().map(|m| (m.tag(), m.lean)).collect(), ..Props::default() };
    let drawn = made.iter().map(|m| m.drawn(Figures::Empty)).collect();
    let reference = samples::table().reference;
    let scene = Scene::placed(600.0, 600.0, reference, drawn, placed.collect()).expect("a scene").with(props);
    let settings = SimSettings { motion: Motion::Still, clutter: Clutter::None, ..SimSettings::default() };
    let mut camera = SimulatedCamera::new(scene, settings, 5).expect("a camera");
    let found = read(&mut camera, &roster, &Relief::default());
    let errors = made.iter().zip(places).map(|(m, pose)| {
        let written = roster.element(m.name).expect("it is in the roster").base;
        let reading = found[m.name].pose.clone().expect("it is seen");
        let error = corner_error_of(&reading, (written.width_mm, written.depth_mm), pose, m.size_mm);
        let arm_mm = m.size_mm.0.hypot(m.size_mm.1) / 2.0;
        let claimed = reading.sigma_place_mm().hypot(reading.sigma_heading_rad() * arm_mm);
        println!("{}: corners {error:.3} mm off, claimed {claimed:.3}", m.name);
        (error, claimed)
    });
    errors.collect()
}

fn number(line: &Value, key: &str) -> f64 {
    line[key].as_f64().unwrap_or(f64::NAN)
}

#[test]
fn tags_glued_askew_stalks_that_lean_and_bases_cut_wrong_are_measured_and_the_roster_is_mended() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    // A webcam as it stands for the game would be, and from the other side; the print came out 2 % small.
    let eyes = [Point3::new(-120.0, -180.0, 520.0), Point3::new(330.0, -60.0, 540.0)];
    photographs(&dir.join("pictures"), &eyes, 0.98);
    std::fs::write(dir.join("roster.ron"), roster_text()).expect("a written file");
    write_profile(&dir.join("lens.ron"), lens());
    let arguments =
        ["jig", "pictures", "--roster", "roster.ron", "--lens", "lens.ron", "--sheet-scale", "98"];
    let done = groma(dir, &[&arguments[..], &["--out", "measured.ron", "--json"]].concat());
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}\n{}", String::from_utf8_lossy(&done.stderr));
    let lines: Vec<Value> =
        said.lines().map(|l| serde_json::from_str(l).expect("one object a line")).collect();
    for (m, line) in made().iter().zip(&lines) {
        println!("{line}");
        assert_eq!((line["element"].as_str(), line["pictures"].as_u64()), (Some(m.name), Some(2)));
        // Where the tag truly is: its stalk's lean has moved it.
        let leaned = |deg: f64| m.height_mm * deg.to_radians().tan();
        let truth = (m.offset_mm.0 + leaned(m.lean.right_deg), m.offset_mm.1 + leaned(m.lean.forward_deg));
        let off = (number(line, "right_mm") - truth.0).hypot(number(line, "forward_mm") - truth.1);
        let turned = (number(line, "rotation_deg") - m.rotation_deg).abs();
        println!("{}: offset {off:.3} mm off, rotation {turned:.3} degrees", m.name);
        // A face that leans looks turned, one way or the other by where it is seen from: the pictures disagree, and
        // the plus-minus of its rotation is what holds.
        assert!(off < 0.15 && (turned < 0.3 || m.lean != Lean::default()), "{line}");
        assert!(turned < 3.0 * number(line, "rotation_sigma_deg"), "{line}");
        assert!(off < 3.0 * number(line, "offset_sigma_mm"), "{line}");
        for (key, truth) in [("width", m.size_mm.0), ("depth", m.size_mm.1)] {
            let (mm, sigma) = (number(&line[key], "mm"), number(&line[key], "sigma_mm"));
            assert!((mm - truth).abs() < 0.25 && (mm - truth).abs() < 3.0 * sigma, "{key}: {line}");
        }
        if m.height_mm > 3.0 {
            let height = number(&line["height"], "mm");
            assert!((height - m.height_mm).abs() < 0.4, "{line}");
        }
    }
    let measured = std::fs::read_to_string(dir.join("measured.ron")).expect("a roster");
    assert!(measured.contains("// Leaning: measured with a ruler"), "comments stay:\n{measured}");
    // Sizes are written with their sigmas, rounded up, which every ruling then takes in.
    let sizes = roster(&measured);
    for (m, line) in made().iter().zip(&lines) {
        let base = sizes.element(m.name).expect("it is in the roster").base;
        let sides =
            [("width", base.width_mm, base.width_sigma_mm), ("depth", base.depth_mm, base.depth_sigma_mm)];
        for (key, mm, sigma) in sides {
            assert!((mm - number(&line[key], "mm")).abs() < 0.006, "{key}: {base:?} {line}");
            assert!(
                (0.0..0.011).contains(&(sigma - number(&line[key], "sigma_mm"))),
                "{key}: {base:?} {line}"
            );
        }
    }
    let (before, after) = (on_the_table(&roster_text()), on_the_table(&measured));
    for ((m, before), (after, claimed)) in made().iter().zip(before).zip(after) {
        assert!(
            before.0 > 1.5 && after < 0.5 * before.0 && after < 2.5 * claimed,
            "{}: {before:?} {after}",
            m.name
        );
        assert!(after < 0.2 || m.lean != Lean::default(), "{}: {after}", m.name);
    }
}
