//! A stalk that was bent after it was measured, found from the contacts that the players agreed on.

use super::table_pictures::{groma, save, write_profile};
use super::uneven::{Base, base, camera, roster_text};
use groma::geometry::{Pose, Vector};
use groma::vision::sim::Lean;
use serde_json::Value;
use std::path::Path;

/// Mounts as the jig leaves them.
const BY_JIG: &str = ", offset_sigma: 0.1, rotation_sigma: 0.2, height_sigma: 0.3, lean_sigma: 0.3";

/// A on a stalk that leans, its enemies E and F on straight ones; in contact with one of them, the other far off.
fn bases(touching: usize, heading: f64, lean: Lean) -> Vec<Base> {
    let a = Pose::new(220.0, 260.0, heading);
    let before_it = Pose { centre: a.at(0.0, 20.05), heading: heading_of(a, 180.0) };
    let mut bases = vec![
        Base { name: "A".to_owned(), lean, ..base(0, 30.0, a, 0.0, Vector::zeros()) },
        Base { name: "E".to_owned(), ..base(1, 30.0, Pose::new(430.0, 440.0, 200.0), 0.0, Vector::zeros()) },
        Base { name: "C".to_owned(), ..base(2, 0.3, Pose::new(120.0, 460.0, 0.0), 0.0, Vector::zeros()) },
        Base { name: "F".to_owned(), ..base(3, 30.0, Pose::new(460.0, 140.0, 120.0), 0.0, Vector::zeros()) },
    ];
    bases[touching].pose = before_it;
    bases
}

fn heading_of(pose: Pose, turned_deg: f64) -> groma::geometry::Heading {
    pose.heading.turned_degrees(turned_deg)
}

/// What is said of mounts in these pictures, with the contacts of A with E and with F agreed.
fn cautions(dir: &Path, pictures: &[&str]) -> Vec<Value> {
    let files = ["--table", "table.ron", "--roster", "roster.ron", "--lens", "lens.ron", "--json"];
    let agreed = ["--agree", "contact A E", "--agree", "contact A F"];
    let done = groma(dir, &[&["read"], pictures, &files[..], &agreed[..]].concat());
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}\n{}", String::from_utf8_lossy(&done.stderr));
    let lines = said.lines().map(|l| serde_json::from_str::<Value>(l).expect("one object a line"));
    lines.filter(|l| l.get("caution").is_some()).collect()
}

/// Two pictures of the table, A in contact with E in the one and with F in the other.
fn pictures(dir: &Path, lean: Lean) {
    for (n, heading) in [(1, 70.0), (3, 200.0)] {
        let bases = bases(n, heading, lean);
        let mut live = camera(&bases, Vec::new(), 50 + n as u64);
        save(&dir.join(format!("with-{n}.png")), &mut live);
        write_profile(&dir.join("lens.ron"), live.camera().lens);
        std::fs::write(dir.join("roster.ron"), roster_text(&bases, BY_JIG)).expect("a written file");
    }
    std::fs::write(dir.join("table.ron"), groma::judge::samples::TABLE_RON).expect("a written file");
}

#[test]
fn a_stalk_bent_since_the_jig_is_named_by_two_contacts_and_not_by_one() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    pictures(dir, Lean { right_deg: -1.5, forward_deg: 4.5 });
    for alone in ["with-1.png", "with-3.png"] {
        assert_eq!(cautions(dir, &[alone]), [] as [Value; 0], "{alone}: either mount explains it");
    }
    let both = cautions(dir, &["with-1.png", "with-3.png"]);
    println!("{both:?}");
    let [bent] = both.as_slice() else { panic!("{both:?}") };
    assert_eq!((bent["element"].as_str(), bent["contacts"].as_u64()), (Some("A"), Some(2)));
    let number = |key: &str| bent[key].as_f64().expect("a number");
    // Its stalk is 30 mm high.
    let truth = [-1.5f64, 4.5].map(|deg| 30.0 * deg.to_radians().tan());
    let off = (number("right_mm") - truth[0]).hypot(number("forward_mm") - truth[1]);
    assert!(off < 0.5 && off < 3.0 * number("sigma_mm"), "{off} {truth:?}");
    assert!(bent["caution"].as_str().is_some_and(|c| c.contains("groma jig")), "{bent}");
}

#[test]
fn straight_stalks_are_not_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    pictures(folder.path(), Lean::default());
    assert_eq!(cautions(folder.path(), &["with-1.png", "with-3.png"]), [] as [Value; 0]);
}
