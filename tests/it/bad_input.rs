//! Bad input, through the program itself: each ends with exit code 1 or 2 and a message that says what is
//! wrong and where, with nothing on stdout and without a panic.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// A folder with the sample table and roster, as `groma init` writes them.
struct Bench {
    folder: tempfile::TempDir,
}

impl Bench {
    fn new() -> Self {
        let bench = Self { folder: tempfile::tempdir().expect("a temporary folder") };
        let done = bench.groma(&["init", "."]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        bench
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_groma"));
        command
            .args(arguments)
            .current_dir(self.folder.path())
            .env_remove("DISPLAY")
            .env_remove("WAYLAND_DISPLAY")
            .env_remove("WAYLAND_SOCKET");
        command
    }

    fn groma(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("groma starts")
    }

    /// What `groma read SOURCE` says with the sample table and roster.
    fn read(&self, source: &str) -> Output {
        self.groma(&["read", source, "--table", "table.ron", "--roster", "roster.ron", "--json"])
    }

    /// A file made by changing every `from` of another one, which it must hold.
    fn changed(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(file)).expect("a readable sample");
        assert!(text.contains(from), "{file} has no `{from}`");
        fs::write(self.path(file), text.replace(from, to)).expect("a writable folder");
    }
}

/// A failure with this exit code whose message holds every one of `words`.
#[track_caller]
fn refused(done: &Output, code: i32, words: &[&str]) {
    let (out, message) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert_eq!(done.status.code(), Some(code), "stdout:\n{out}\nstderr:\n{message}");
    for word in words {
        assert!(message.to_lowercase().contains(&word.to_lowercase()), "no `{word}` in:\n{message}");
    }
    assert!(!message.contains("panicked"), "{message}");
    assert_eq!(out, "", "a failure prints no result");
}

/// A grey picture without a tag.
fn blank(path: &Path, width: u32, height: u32) {
    image::GrayImage::from_pixel(width, height, image::Luma([120])).save(path).expect("a writable picture");
}

#[test]
fn a_picture_that_is_not_there_is_named() {
    refused(&Bench::new().read("nowhere.jpg"), 1, &["nowhere.jpg"]);
}

#[test]
fn a_text_named_jpg_is_not_a_picture() {
    let bench = Bench::new();
    fs::write(bench.path("letter.jpg"), "Dear Sir,\n").expect("a writable folder");
    refused(&bench.read("letter.jpg"), 1, &["letter.jpg", "picture"]);
}

#[test]
fn a_picture_cut_off_in_the_middle_is_refused() {
    let bench = Bench::new();
    blank(&bench.path("whole.png"), 640, 480);
    let bytes = fs::read(bench.path("whole.png")).expect("a readable picture");
    fs::write(bench.path("half.png"), &bytes[..bytes.len() / 2]).expect("a writable folder");
    refused(&bench.read("half.png"), 1, &["half.png"]);
}

#[test]
fn an_empty_folder_has_no_picture() {
    let bench = Bench::new();
    fs::create_dir(bench.path("empty")).expect("a writable folder");
    refused(&bench.read("empty"), 1, &["empty"]);
}

#[test]
fn a_picture_of_one_pixel_shows_no_reference_tag() {
    let bench = Bench::new();
    blank(&bench.path("dot.png"), 1, 1);
    refused(&bench.read("dot.png"), 1, &["dot.png"]);
}

#[test]
fn a_photograph_without_reference_tags_says_so() {
    let bench = Bench::new();
    blank(&bench.path("grey.png"), 640, 480);
    let done = bench.read("grey.png");
    let (out, message) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert_eq!(done.status.code(), Some(1), "{message}");
    assert!(message.contains("grey.png") && message.contains("reference tag"), "{message}");
    assert!(out.lines().all(|line| line.contains(r#""visibility":"missing""#)), "{out}");
}

/// The most memory that a command held at once, in KiB, as the kernel counts it.
#[cfg(target_os = "linux")]
fn peak_memory_kib(mut command: Command) -> (u64, Output) {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("groma starts");
    let status = format!("/proc/{}/status", child.id());
    let watch = std::thread::spawn(move || {
        let mut peak = 0;
        while let Ok(text) = fs::read_to_string(&status) {
            let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let Some(kib) = line.and_then(|rest| rest.split_whitespace().next()?.parse().ok()) else { break };
            peak = kib;
            std::thread::sleep(Duration::from_millis(2));
        }
        peak
    });
    let done = child.wait_with_output().expect("groma ends");
    (watch.join().expect("the watch ends"), done)
}

#[test]
#[cfg(target_os = "linux")]
fn a_picture_of_108_megapixels_stays_under_two_gibibytes() {
    let bench = Bench::new();
    blank(&bench.path("vast.png"), 12_000, 9_000);
    let arguments = ["read", "vast.png", "--table", "table.ron", "--roster", "roster.ron", "--json"];
    let (peak_kib, done) = peak_memory_kib(bench.command(&arguments));
    refused(&done, 1, &["vast.png"]);
    assert!(peak_kib > 1024, "the watch saw nothing: {peak_kib} KiB");
    assert!(peak_kib < 2 * 1024 * 1024, "{peak_kib} KiB");
}

#[test]
fn a_table_with_three_reference_tags_needs_a_fourth() {
    let bench = Bench::new();
    blank(&bench.path("grey.png"), 640, 480);
    let text = fs::read_to_string(bench.path("table.ron")).expect("a readable sample");
    let mut kept = 0;
    let three: Vec<&str> = text
        .lines()
        .filter(|line| {
            let tag = line.trim_start().starts_with("(family:");
            kept += usize::from(tag);
            !tag || kept <= 3
        })
        .collect();
    assert!(kept > 3, "the sample names {kept} reference tags");
    fs::write(bench.path("table.ron"), three.join("\n")).expect("a writable folder");
    refused(&bench.read("grey.png"), 1, &["table.ron:", "at least 4 reference tags"]);
}

#[test]
fn a_roster_that_names_a_tag_twice_says_where() {
    let bench = Bench::new();
    blank(&bench.path("grey.png"), 640, 480);
    bench.changed("roster.ron", "id: 21,", "id: 22,");
    refused(&bench.read("grey.png"), 1, &["roster.ron:", "tag36h11 22"]);
}

#[test]
fn every_mistake_of_a_file_is_named_at_once() {
    let bench = Bench::new();
    blank(&bench.path("grey.png"), 640, 480);
    bench.changed("roster.ron", "side: blue", "side: bleu");
    let done = bench.read("grey.png");
    refused(&done, 1, &["roster.ron:", "bleu", "blue"]);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(message.matches("roster.ron:").count() > 1, "{message}");
}

#[test]
fn a_table_file_that_is_not_there_is_named() {
    let bench = Bench::new();
    blank(&bench.path("grey.png"), 640, 480);
    let done = bench.groma(&["read", "grey.png", "--table", "no.ron", "--roster", "roster.ron"]);
    refused(&done, 1, &["no.ron"]);
}

#[test]
fn without_a_display_the_window_says_what_else_to_do() {
    refused(&Bench::new().groma(&[]), 1, &["display", "--headless"]);
    refused(&Bench::new().groma(&["demo"]), 1, &["display", "--headless"]);
}

#[test]
fn without_a_camera_the_message_says_what_to_read_instead() {
    if Path::new("/dev/video0").exists() {
        println!("skipped: this machine has a camera");
        return;
    }
    let bench = Bench::new();
    refused(&bench.read("camera:0"), 1, &["camera", "sim:"]);
    refused(&bench.groma(&["cameras"]), 1, &["no camera", "sim:"]);
}

#[test]
fn wrong_use_has_exit_code_two() {
    let bench = Bench::new();
    refused(&bench.groma(&["no-such-command"]), 2, &["no-such-command"]);
    refused(&bench.groma(&["read"]), 2, &["usage"]);
    refused(&bench.read("sim:x"), 2, &["sim:x"]);
}

#[test]
#[cfg(target_os = "linux")]
fn results_that_cannot_be_written_are_no_success() {
    let bench = Bench::new();
    let setup = "A 4Bd red (5,5)-(6,5) N; B 4Sp blue (6,5)-(5,5) S";
    for arguments in
        [vec!["clauses", "--json"], vec!["clauses"], vec!["judge", "--setup", setup, "--between", "A", "B"]]
    {
        let full = fs::File::options().write(true).open("/dev/full").expect("a device that is always full");
        let done = bench.command(&arguments).stdout(full).output().expect("groma starts");
        let message = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(1), "{arguments:?}: {message}");
        assert!(message.contains("cannot be written") && !message.contains("panicked"), "{message}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_reader_that_goes_away_is_no_failure() {
    let bench = Bench::new();
    let mut child = bench
        .command(&["clauses", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("groma starts");
    drop(child.stdout.take());
    let done = child.wait_with_output().expect("groma ends");
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn outputs_replace_nothing_of_another_kind_and_nothing_by_halves() {
    let bench = Bench::new();
    let kept = |name: &str, arguments: &[&str], code: i32, words: &[&str]| {
        let before = fs::read(bench.path(name)).expect("a file");
        refused(&bench.groma(arguments), code, words);
        assert_eq!(fs::read(bench.path(name)).expect("still there"), before, "{arguments:?}");
    };
    kept("roster.ron", &["markers", "print", "--out", "roster.ron"], 2, &["roster.ron", ".pdf"]);
    fs::write(bench.path("notes.pdf"), "my notes\n").expect("a writable folder");
    kept("notes.pdf", &["markers", "board", "--out", "notes.pdf"], 2, &["notes.pdf", "not a pdf"]);
    blank(&bench.path("photo.jpg"), 64, 64);
    let truth = |out, truth| vec!["sim", "--out", out, "--truth", truth, "--size", "320x240"];
    kept("photo.jpg", &truth("photo.jpg", "photo.jpg"), 2, &["photo.jpg", ".json"]);
    kept("photo.jpg", &truth("photo.jpg", "nodir/x.json"), 1, &["nodir", "make it first"]);
    kept("photo.jpg", &truth("photo.jpg", "."), 2, &["is a folder"]);
    let board = ["calibrate", "lens", "photo.jpg", "--board", "chessboard:7x5:30", "--out", "roster.ron"];
    kept("roster.ron", &board, 2, &["roster.ron", "not a lens profile"]);
    refused(&bench.groma(&["markers", "print", "--out", "tags.png"]), 2, &["tags.png", ".pdf"]);
    refused(&bench.groma(&["markers", "print", "--out", "nodir/tags.pdf"]), 1, &["nodir", "make it first"]);
    refused(&bench.groma(&["markers", "print", "--out", "."]), 2, &["is a folder"]);
}

#[test]
fn outputs_that_are_written_are_named_and_may_be_written_again() {
    let bench = Bench::new();
    let sim = ["sim", "--out", "a.jpg", "--truth", "a.truth.json", "--size", "640x480"];
    for _ in 0..2 {
        let done = bench.groma(&sim);
        let out = String::from_utf8_lossy(&done.stdout).into_owned();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        assert!(out.contains("wrote a.jpg") && out.contains("wrote a.truth.json"), "{out}");
    }
    let left = fs::read_dir(bench.folder.path()).expect("a folder");
    let parts = left.filter_map(Result::ok).filter(|e| e.path().extension().is_some_and(|x| x == "part"));
    assert_eq!(parts.count(), 0);
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_no_ordinary_file_is_refused_and_not_waited_for() {
    let bench = Bench::new();
    let made = Command::new("mkfifo").arg(bench.path("pipe")).status().expect("mkfifo");
    assert!(made.success());
    refused(&bench.read("pipe"), 1, &["pipe", "not an ordinary file"]);
    refused(&bench.read("/dev/null"), 1, &["/dev/null", "not an ordinary file"]);
    for (option, other) in [("--table", "--roster"), ("--roster", "--table"), ("--lens", "--table")] {
        let other_file = if other == "--table" { "table.ron" } else { "roster.ron" };
        let done = bench.groma(&["read", "sim:1", option, "pipe", other, other_file]);
        refused(&done, 1, &["pipe", "not an ordinary file"]);
    }
    refused(&bench.groma(&["judge", "--setup", "pipe", "--between", "A", "B"]), 1, &[]);
}

#[test]
fn one_bad_picture_does_not_stop_a_folder() {
    let bench = Bench::new();
    fs::create_dir(bench.path("three")).expect("a writable folder");
    for (name, seed) in [("three/a.jpg", "7"), ("three/c.jpg", "8")] {
        let done = bench.groma(&["sim", "--out", name, "--seed", seed]);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    fs::write(bench.path("three/b.jpg"), "Dear Sir,\n").expect("a writable folder");
    let files = ["--table", "table.ron", "--roster", "roster.ron", "--json"];
    let check = |sources: &[&str]| {
        let arguments: Vec<&str> = ["read"].iter().chain(sources).chain(&files).copied().collect();
        let done = bench.groma(&arguments);
        let (out, message) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
        assert_eq!(done.status.code(), Some(1), "{message}");
        assert!(message.contains("b.jpg") && message.contains("could not be read"), "{message}");
        for good in ["a.jpg", "c.jpg"] {
            assert!(out.contains(&format!(r#""source":"{good}""#)), "{sources:?}: no {good}");
        }
    };
    check(&["three"]);
    check(&["three/a.jpg", "three/b.jpg", "three/c.jpg"]);
    let judge = ["judge", "three", "--between", "Hastati 1", "Phalanx 1", "--table", "table.ron"];
    let arguments: Vec<&str> = judge.iter().chain(&["--roster", "roster.ron"]).copied().collect();
    refused(&bench.groma(&arguments), 1, &["b.jpg", "name one picture"]);
    let board = ["calibrate", "lens", "three", "--board", "chessboard:7x5:30"];
    refused(&bench.groma(&board), 1, &["b.jpg", "none of 2 pictures"]);
    refused(&bench.groma(&["check", "three", "--table", "table.ron"]), 1, &["b.jpg", "a.jpg", "c.jpg"]);
    // What is measured from the others is written; the exit code says that not all was well.
    let table = ["calibrate", "table", "three", "--table", "table.ron", "--known", "0,2", "--out", "new.ron"];
    let done = bench.groma(&table);
    let (out, message) = (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
    assert_eq!(done.status.code(), Some(1), "{message}");
    assert!(
        message.contains("b.jpg") && message.contains("one picture or source could not be used"),
        "{message}"
    );
    assert!(out.contains("a.jpg") && out.contains("c.jpg") && bench.path("new.ron").exists(), "{out}");
}

#[test]
fn a_setup_takes_no_files_and_no_name_twice() {
    let bench = Bench::new();
    let setup = ["judge", "--setup", "A 4Bd red (5,5)-(6,5) N", "--between", "A"];
    for option in ["--lens", "--table", "--roster", "--frames"] {
        let value = if option == "--frames" { "1" } else { "table.ron" };
        let arguments: Vec<&str> = setup.iter().chain(&["B", option, value]).copied().collect();
        refused(&bench.groma(&arguments), 2, &["--setup", option, "cannot be used with"]);
    }
    let arguments: Vec<&str> = setup.iter().chain(&["A"]).copied().collect();
    refused(&bench.groma(&arguments), 2, &["two elements"]);
}

#[test]
fn a_judged_source_tells_that_its_lens_is_estimated() {
    let bench = Bench::new();
    assert!(bench.groma(&["sim", "--out", "photo.jpg", "--seed", "7"]).status.success());
    let files = ["photo.jpg", "--table", "table.ron", "--roster", "roster.ron"];
    for command in [vec!["judge", "--between", "Hastati 1", "Phalanx 1"], vec!["read"]] {
        let arguments: Vec<&str> = command.iter().chain(&files).copied().collect();
        let done = bench.groma(&arguments);
        let message = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(message.matches("--lens FILE").count(), 1, "{command:?}: {message}");
    }
}

#[test]
fn a_camera_named_by_a_word_is_looked_for_by_its_name() {
    let done = Bench::new().read("camera:x");
    refused(&done, 1, &["camera x:"]);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    // With cameras plugged in they are named; without any, what to use instead.
    assert!(
        message.contains("there is no such camera; there are:") || message.contains("groma cameras"),
        "{message}"
    );
    refused(&Bench::new().read("camera:"), 1, &["name a camera by its number or name", "groma cameras"]);
    refused(&Bench::new().read("camera:0,h264"), 1, &["h264", "yuyv", "auto"]);
}

#[test]
fn hints_fit_what_was_asked_for() {
    let bench = Bench::new();
    let done = bench.groma(&["read", "sim:1", "--lens", "no.ron"]);
    refused(&done, 1, &["no.ron", "groma calibrate lens"]);
    assert!(!String::from_utf8_lossy(&done.stderr).contains("groma init"));
    blank(&bench.path("grey.jpg"), 64, 64);
    let done = bench.groma(&["judge", "--setup", "grey.jpg", "--between", "A", "B"]);
    refused(&done, 1, &["a JPEG picture", "short notation", "4Bd"]);
    let board = ["--board", "chessboard:7x5:30"];
    refused(
        &bench.groma(&[&["calibrate", "lens", "sim:one"], &board[..]].concat()),
        2,
        &["sim:one", "whole"],
    );
    refused(&bench.read(""), 2, &["SOURCE"]);
    let arguments = ["read", "sim:1", "--roster", "roster.ron", "--roster", "./roster.ron"];
    let done = bench.groma(&arguments);
    refused(&done, 1, &["named twice"]);
    assert_eq!(String::from_utf8_lossy(&done.stderr).lines().count(), 1);
    refused(&bench.groma(&["read", "sim:1", "--frames", "0"]), 2, &["1 at least"]);
    refused(&bench.groma(&["sim", "--out", "a.png", "--size", "0x0"]), 2, &["--size", "pixels"]);
}

#[test]
fn a_file_that_is_no_video_is_told_in_our_words_alone() {
    let bench = Bench::new();
    fs::write(bench.path("text.mp4"), "hello there\n").expect("a writable folder");
    let done = bench.read("text.mp4");
    refused(&done, 1, &["text.mp4"]);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(message.lines().count(), 1, "{message}");
}

#[test]
fn verify_says_what_is_no_folder_and_what_is_no_truth() {
    let bench = Bench::new();
    refused(&bench.groma(&["verify", "table.ron"]), 2, &["table.ron", "is a file", "folder"]);
    refused(&bench.groma(&["verify", "nowhere"]), 1, &["nowhere", "check the name"]);
    let sim = ["sim", "--out", "a.jpg", "--truth", "a.truth.json", "--seed", "3"];
    assert!(bench.groma(&sim).status.success());
    let done = bench.groma(&["verify", "."]);
    let out = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success() && out.contains("found whole") && out.contains("all, 1 scene:"), "{out}");
    let whole = fs::read(bench.path("a.truth.json")).expect("a truth file");
    fs::write(bench.path("a.truth.json"), &whole[..whole.len() / 2]).expect("a writable folder");
    let done = bench.groma(&["verify", "."]);
    let message = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(1));
    assert!(message.contains("a.truth.json is no truth file") && message.contains("cut off"), "{message}");
}

#[test]
fn a_seed_that_is_none_says_what_one_is() {
    let bench = Bench::new();
    for seed in ["abc", "-1", "1.5", "99999999999999999999"] {
        let done = bench.groma(&["sim", "--out", "a.png", &format!("--seed={seed}")]);
        refused(&done, 2, &["--seed", seed, "expected a whole number, 0 to 18446744073709551615, such as 7"]);
    }
}
