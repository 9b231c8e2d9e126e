//! `groma verify --pairs` on the rendered dispute scenes: clear calls are right, and few are not clear.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The folder of rendered scenes beside the checkout or above it, where there is one.
fn scenes() -> Option<PathBuf> {
    let named = std::env::var_os("GROMA_SHARED").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).map(|dir| dir.join("shared"));
    named.into_iter().chain(above).map(|shared| shared.join("scenes")).find(|dir| dir.is_dir())
}

#[test]
fn clear_calls_on_the_dispute_scenes_are_right() {
    let Some(scenes) = scenes() else {
        println!("skipped: no ../shared/scenes");
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["dispute00", "dispute01"] {
        for ending in ["jpg", "truth.json"] {
            let file = format!("{name}.{ending}");
            std::fs::copy(scenes.join(&file), folder.path().join(&file)).expect("a scene's file");
        }
    }
    let output = Command::new(env!("CARGO_BIN_EXE_groma"))
        .args(["verify", "--pairs", "--json"])
        .arg(folder.path())
        .output()
        .expect("groma runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<Value> = text.lines().map(|l| serde_json::from_str(l).expect("a JSON object")).collect();
    let rulings: Vec<&Value> = lines.iter().filter(|l| l.get("true_margin_mm").is_some()).collect();
    // Nine pairs a scene, seven questions each.
    assert_eq!(rulings.len(), 126);
    for r in &rulings {
        let (margin, truth) = (r["margin_mm"].as_f64(), r["true_margin_mm"].as_f64());
        let off = margin.zip(truth).map(|(m, t)| (m - t).abs()).expect("figures");
        let sigma = r["sigma_mm"].as_f64().expect("a sigma");
        assert!(off <= 4.0 * sigma + 0.01, "{off} mm off at sigma {sigma}: {r}");
    }
    let summary = lines.last().expect("a summary");
    let count = |key: &str| summary[key].as_u64().unwrap_or_else(|| panic!("no {key} in {summary}"));
    assert_eq!(count("pairs"), 126);
    assert_eq!(count("clear"), count("clear_right"), "{summary}");
    assert_eq!(count("clear") + count("too_close"), 126);
    assert!(count("too_close") <= 6, "{summary}");
}
