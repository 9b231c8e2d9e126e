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
