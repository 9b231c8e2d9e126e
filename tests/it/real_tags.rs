//! Photographs that others took: tags on robots, tag36h11 id 0 many times over, with corners marked by
//! the AprilTag library's own tests.

use groma::tracking::{Tag, TagFamily};
use groma::vision::source::read_picture;
use groma::vision::{DetectorSettings, PixelPoint, TagDetector};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Groma's pixel centres are whole numbers, the library's end in .5.
const LIBRARY_OFFSET_PX: f64 = 0.5;

fn folder() -> Option<PathBuf> {
    let named = std::env::var_os("GROMA_SHARED").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).map(|dir| dir.join("shared"));
    named.into_iter().chain(above).map(|shared| shared.join("real/apriltag")).find(|dir| dir.is_dir())
}

/// The corners of each expected tag: a line is an id and four points in brackets.
fn expected(text: &str) -> Vec<[PixelPoint; 4]> {
    let tag = |line: &str| {
        let numbers: Vec<f64> = line
            .split([',', '(', ')', ' '])
            .filter(|w| !w.is_empty())
            .map(|w| w.parse().expect("a number"))
            .collect();
        assert_eq!((numbers.len(), numbers[0]), (9, 0.0), "{line}");
        [1, 3, 5, 7].map(|i| PixelPoint::new(numbers[i], numbers[i + 1]))
    };
    text.lines().filter(|l| !l.trim().is_empty()).map(tag).collect()
}

/// Distances of the four corners when `found` is begun `turn` corners later.
fn distances(found: &[PixelPoint; 4], expected: &[PixelPoint; 4], turn: usize) -> [f64; 4] {
    [0, 1, 2, 3].map(|i| (found[(i + turn) % 4] - expected[i]).norm())
}

#[test]
fn tags_of_other_peoples_photographs_are_found_where_they_are() {
    let Some(folder) = folder() else {
        println!("skipped: no ../shared/real/apriltag");
        return;
    };
    let mut detector = TagDetector::new(&BTreeSet::from([TagFamily::Tag36h11]), DetectorSettings::default())
        .expect("the library gives a detector");
    let (mut known, mut found, mut all, mut turns) = (0, 0, Vec::new(), BTreeSet::new());
    let mut pictures: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("a folder")
        .map(|e| e.expect("an entry").path())
        .filter(|p| p.extension().is_some_and(|e| e == "jpg"))
        .collect();
    pictures.sort();
    for path in &pictures {
        let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(path.with_extension("txt")).expect("the marked corners");
        let mut marked = expected(&text);
        known += marked.len();
        let grey = read_picture(path).expect("a whole JPEG").to_grey();
        for detection in detector.detect(&grey) {
            assert_eq!(detection.tag, Tag::new(TagFamily::Tag36h11, 0), "{name}");
            let mut corners = detection
                .corners_px
                .in_order()
                .map(|c| c + nalgebra::Vector2::new(LIBRARY_OFFSET_PX, LIBRARY_OFFSET_PX));
            // The marks run the other way round: bottom left, bottom right, top right, top left.
            corners.reverse();
            let fits = |m: &[PixelPoint; 4]| {
                (0..4)
                    .map(|turn| (distances(&corners, m, turn).into_iter().fold(0.0, f64::max), turn))
                    .min_by(|a, b| a.0.total_cmp(&b.0))
                    .expect("four turns")
            };
            let nearest =
                (0..marked.len()).map(|i| (fits(&marked[i]), i)).min_by(|a, b| a.0.0.total_cmp(&b.0.0));
            let Some(((worst, turn), i)) = nearest else { panic!("{name}: one tag too many") };
            assert!(worst <= 4.0, "{name}: a tag {worst:.1} px from the nearest that is marked");
            turns.insert(turn);
            found += 1;
            for (corner, distance) in distances(&corners, &marked[i], turn).into_iter().enumerate() {
                if distance > 1.0 {
                    let at = marked[i][corner];
                    println!("{name}: corner {corner} at ({:.1}, {:.1}) is {distance:.2} px off", at.x, at.y);
                }
                all.push(distance);
            }
            // Each marked tag is found once.
            marked.swap_remove(i);
        }
    }
    all.sort_by(f64::total_cmp);
    let median = all[all.len() / 2];
    let beyond = all.iter().filter(|d| **d > 1.0).count();
    println!(
        "{found} of {known} tags, corners: median {median:.3} px, worst {:.2} px, {beyond} of {} beyond 1 px",
        all[all.len() - 1],
        all.len()
    );
    assert_eq!(known, 47);
    assert!(found >= 44, "{found} of {known}");
    assert!(median <= 0.4, "{median}");
    // The corners are named as the library's own tests have them, on every single tag.
    assert_eq!(turns, BTreeSet::from([0]));
}
