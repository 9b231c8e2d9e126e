//! `groma verify` on rendered scenes: right, honest, and blind to what it must not see.

use groma::cli::verify::{LensUse, VerifiedScene, scenes_of, verify_scene};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

fn scenes() -> Option<PathBuf> {
    let named = std::env::var_os("GROMA_SHARED").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).map(|dir| dir.join("shared"));
    let found = named.into_iter().chain(above).map(|shared| shared.join("scenes")).find(|dir| dir.is_dir());
    if found.is_none() {
        println!("skipped: no ../shared/scenes");
    }
    found
}

fn summary(dir: &Path, lens: LensUse) -> Value {
    let read = |name: &String| verify_scene(dir, name, lens).expect("a scene that can be read");
    let scenes: Vec<VerifiedScene> = scenes_of(dir).expect("scenes").iter().map(read).collect();
    let mut sum = groma::cli::verify::Score::default();
    for scene in &scenes {
        assert!(scene.reading.registration.is_ok(), "{}: {:?}", scene.name, scene.reading.registration);
        sum.join(&scene.score);
    }
    let summary = Value::Object(sum.to_json());
    println!("{lens:?}: {summary}");
    summary
}

fn figure(summary: &Value, key: &str) -> f64 {
    summary[key].as_f64().unwrap_or_else(|| panic!("no {key} in {summary}"))
}

#[test]
fn with_the_profile_bases_are_found_where_they_are_and_nothing_else() {
    let Some(dir) = scenes() else { return };
    let s = summary(&dir, LensUse::Profile);
    assert_eq!((figure(&s, "whole"), figure(&s, "crossed"), figure(&s, "covered")), (183.0, 12.0, 1.0));
    assert!(figure(&s, "whole_found") >= 178.0, "{s}");
    assert_eq!((figure(&s, "ghosts"), figure(&s, "wrongly_seen")), (0.0, 0.0), "{s}");
    assert!(figure(&s, "corner_rms_mm") <= 0.2 && figure(&s, "corner_worst_mm") <= 0.6, "{s}");
    assert!(figure(&s, "within_95") >= 0.9, "{s}");
}

#[test]
fn without_a_profile_nothing_is_invented_and_the_doubt_is_told() {
    let Some(dir) = scenes() else { return };
    let s = summary(&dir, LensUse::Estimated);
    assert!(figure(&s, "whole_found") >= 178.0, "{s}");
    assert_eq!((figure(&s, "ghosts"), figure(&s, "wrongly_seen")), (0.0, 0.0), "{s}");
    assert!(figure(&s, "corner_worst_mm") <= 3.0, "{s}");
    assert!(figure(&s, "within_95") >= 0.9, "{s}");
}

/// Everything that serves scoring alone, made nonsense of.
fn scrambled(text: &str) -> String {
    let mut truth: Value = serde_json::from_str(text).expect("a truth file");
    for (i, element) in truth["elements"].as_array_mut().expect("elements").iter_mut().enumerate() {
        element["x"] = json!(1e4 - 37.0 * i as f64);
        element["y"] = json!(-5.0 * i as f64);
        element["heading"] = json!(11.0 * i as f64);
        element["occluded"] = json!(i % 2 == 0);
    }
    for (i, tag) in truth["tags_px"].as_array_mut().expect("tags").iter_mut().enumerate() {
        tag["corners_px"] = json!([[i, 1.0], [2.0, i], [3.0, 3.0], [i, i]]);
        tag["visible"] = json!(0.01 * (i % 90) as f64);
    }
    let camera = &mut truth["camera"];
    camera["R_world_to_camera"] = json!([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, -1.0]]);
    camera["t"] = json!([9.0, 9.0, 9.0]);
    camera["eye"] = json!([-1.0, -2.0, -3.0]);
    truth.to_string()
}

#[test]
fn verify_never_looks_at_the_truth_before_the_poses_are_made() {
    let Some(dir) = scenes() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["table00", "dispute01"] {
        let text = std::fs::read_to_string(dir.join(format!("{name}.truth.json"))).expect("a truth file");
        let nonsense = scrambled(&text);
        std::fs::write(folder.path().join(format!("{name}.truth.json")), nonsense).expect("writes");
        std::fs::copy(dir.join(format!("{name}.jpg")), folder.path().join(format!("{name}.jpg")))
            .expect("copies");
        for lens in [LensUse::Profile, LensUse::Estimated] {
            let real = verify_scene(&dir, name, lens).expect("reads");
            let blind = verify_scene(folder.path(), name, lens).expect("reads");
            assert!(real.reading.snapshot.seen() > 10, "{name}");
            assert_eq!(real.reading.snapshot, blind.reading.snapshot, "{name}, {lens:?}");
            assert_ne!(real.score, blind.score, "{name}: the nonsense reaches the score");
        }
    }
}
