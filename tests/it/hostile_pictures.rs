//! Pictures that are none, or that cannot be worked with: each is answered with what to do.

use std::path::Path;
use std::process::{Command, Output};

/// `groma read` on a picture, with the sample table and roster.
fn read(folder: &Path, picture: &str) -> Output {
    let groma = || Command::new(env!("CARGO_BIN_EXE_groma"));
    if !folder.join("table.ron").exists() {
        let made = groma().arg("init").arg(folder).output().expect("groma runs");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    }
    groma()
        .args(["read", "--json"])
        .arg(folder.join(picture))
        .arg("--table")
        .arg(folder.join("table.ron"))
        .arg("--roster")
        .arg(folder.join("roster.ron"))
        .output()
        .expect("groma runs")
}

/// Reads a picture that must fail with exit code 1 and a message that holds every one of `words`.
fn refused(picture: &str, bytes: Option<&[u8]>, words: &[&str]) {
    let folder = tempfile::tempdir().expect("a folder");
    if let Some(bytes) = bytes {
        std::fs::write(folder.path().join(picture), bytes).expect("writes");
    }
    let output = read(folder.path(), picture);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{picture}: {message}");
    for word in words {
        assert!(message.contains(word), "{picture}: no \"{word}\" in: {message}");
    }
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        let element: serde_json::Value = serde_json::from_str(line).expect("a JSON object");
        assert_ne!(element["visibility"], "seen", "{picture}: {line}");
    }
}

fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let grey = image::GrayImage::from_pixel(width, height, image::Luma([120]));
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, 90).encode_image(&grey).expect("encodes");
    bytes
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let grey = image::GrayImage::from_pixel(width, height, image::Luma([120]));
    grey.write_to(&mut bytes, image::ImageFormat::Png).expect("encodes");
    bytes.into_inner()
}

#[test]
fn a_picture_that_is_not_there() {
    refused("none.jpg", None, &["none.jpg", "no such file"]);
}

#[test]
fn a_text_file_named_as_a_picture() {
    refused(
        "letter.jpg",
        Some(b"Dear camera, I am no picture."),
        &["letter.jpg", "neither a JPEG nor a PNG"],
    );
}

#[test]
fn an_empty_file_named_as_a_picture() {
    refused("empty.png", Some(b""), &["empty.png", "neither a JPEG nor a PNG"]);
}

#[test]
fn a_picture_of_one_pixel() {
    refused("dot.jpg", Some(&jpeg(1, 1)), &["dot.jpg", "1x1", "at least 64"]);
    refused("dot.png", Some(&png(1, 1)), &["dot.png", "1x1", "at least 64"]);
}

#[test]
fn a_picture_that_is_cut_off() {
    let whole = jpeg(640, 480);
    for length in [20, whole.len() / 2, whole.len() - 1] {
        refused("torn.jpg", Some(&whole[..length]), &["torn.jpg", "cut off"]);
    }
    let whole = png(640, 480);
    refused("torn.png", Some(&whole[..whole.len() - 12]), &["torn.png", "cut off"]);
}

#[test]
fn a_picture_whose_inside_is_damaged() {
    let mut bytes = png(640, 480);
    let middle = bytes.len() / 2;
    for byte in &mut bytes[middle..middle + 40] {
        *byte ^= 0x5A;
    }
    refused("rotten.png", Some(&bytes), &["rotten.png", "damaged"]);
}

#[test]
fn a_picture_too_large_is_refused_before_it_is_decoded() {
    refused("huge.png", Some(&png(8_000, 4_001)), &["huge.png", "8000x4001", "million pixels"]);
    refused("huge.jpg", Some(&jpeg(40_000, 15_000)), &["huge.jpg", "40000x15000", "million pixels"]);
}

#[test]
fn a_telephones_photograph_of_many_pixels_is_read_at_half_its_sides_and_says_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let groma = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_groma")).current_dir(&folder).args(args).output();
        let output = output.expect("groma runs");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    groma(&["init", "."]);
    groma(&["sim", "--seed", "7", "--table", "table.ron", "--roster", "roster.ron", "--out", "small.png"]);
    // The same picture with every pixel made a block of six by six, and then halved by the reader: 74.6 million pixels.
    let small = image::open(path("small.png")).expect("a picture").to_rgb8();
    assert_eq!(small.dimensions(), (1920, 1080));
    let large = image::imageops::resize(&small, 1920 * 6, 1080 * 6, image::imageops::FilterType::Triangle);
    let file = std::io::BufWriter::new(std::fs::File::create(path("large.jpg")).expect("a file"));
    image::codecs::jpeg::JpegEncoder::new_with_quality(file, 92).encode_image(&large).expect("encodes");
    let places = |picture: &str| {
        let told = groma(&["read", picture, "--json", "--table", "table.ron", "--roster", "roster.ron"]);
        let seen = |line: &str| {
            let row: serde_json::Value = serde_json::from_str(line).expect("a JSON object");
            (row["visibility"] == "seen").then(|| {
                let number = |key: &str| row[key].as_f64().unwrap_or_else(|| panic!("{key} in {line}"));
                (row["element"].to_string(), number("x_mm"), number("y_mm"))
            })
        };
        told.lines().filter_map(seen).collect::<Vec<_>>()
    };
    let (small, large) = (places("small.png"), places("large.jpg"));
    assert_eq!(small.len(), large.len());
    assert!(small.len() > 20, "{} seen", small.len());
    for ((name, x, y), (again, u, v)) in small.iter().zip(&large) {
        assert_eq!(name, again);
        // What a JPEG and two resizings move: the corners by some hundredths of a pixel of half a millimetre.
        assert!((x - u).hypot(y - v) < 0.25, "{name}: {x:.2}, {y:.2} and {u:.2}, {v:.2}");
    }
}

#[test]
fn a_photograph_without_reference_tags() {
    refused("wall.jpg", Some(&jpeg(1280, 720)), &["wall.jpg", "0 of 8 reference tags seen"]);
}

#[test]
fn a_file_that_is_neither_picture_nor_video() {
    refused("letter.mp4", Some(b"Dear camera, I am no video either."), &["letter.mp4", "no video"]);
}
