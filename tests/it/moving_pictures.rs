//! Videos and streams through the production path: a film of the simulated table, written by OpenCV as a
//! camera writes one, read from its file and from a server on this machine.

use groma::cli::sim_scene::scene_from;
use groma::judge::samples;
use groma::vision::sim::{Clutter, Motion, SimSettings, SimulatedCamera};
use groma::vision::{FrameSource, RgbImage, open_source};
use opencv::core::{Mat, MatTrait, Size, Vec3b, Vector, VectorToVec};
use opencv::imgcodecs;
use opencv::videoio::{VideoWriter, VideoWriterTrait, VideoWriterTraitConst};
use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::Path;

const SIZE: (u32, u32) = (1280, 720);
const FPS: f64 = 8.0;
const FRAMES: u64 = 5;

/// OpenCV's picture of ours.
fn mat_of(picture: &RgbImage) -> Mat {
    let (width, height) = (picture.width(), picture.height());
    let black = opencv::core::Scalar::default();
    let mut mat = Mat::new_rows_cols_with_default(height as i32, width as i32, opencv::core::CV_8UC3, black)
        .expect("room");
    for (n, p) in picture.data().chunks_exact(3).enumerate() {
        let at = mat.at_2d_mut::<Vec3b>((n / width) as i32, (n % width) as i32).expect("inside");
        *at = Vec3b::from([p[2], p[1], p[0]]);
    }
    mat
}

/// The simulated table, at rest.
fn camera() -> SimulatedCamera {
    let scene = scene_from(&samples::table(), &samples::roster(), 7).expect("a scene");
    let settings = SimSettings { motion: Motion::Still, clutter: Clutter::Figures, ..SimSettings::default() };
    SimulatedCamera::new(scene, settings.with_size(SIZE.0, SIZE.1), 7).expect("a camera")
}

fn pictures() -> Vec<Mat> {
    let mut camera = camera();
    (0..FRAMES)
        .map(|_| {
            let frame = camera.next_frame().expect("a picture").expect("a live source");
            mat_of(frame.colour.as_ref().expect("colour"))
        })
        .collect()
}

fn write_film(path: &Path) {
    let fourcc = VideoWriter::fourcc('M', 'J', 'P', 'G').expect("a code");
    let size = Size::new(SIZE.0 as i32, SIZE.1 as i32);
    let mut writer =
        VideoWriter::new(path.display().to_string().as_str(), fourcc, FPS, size, true).expect("a writer");
    assert!(writer.is_opened().expect("an answer"), "this OpenCV writes no Motion JPEG");
    for picture in pictures() {
        writer.write(&picture).expect("written");
    }
    writer.release().expect("closed");
}

#[test]
fn a_film_is_read_from_its_file_with_its_times() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let film = folder.path().join("film.avi");
    write_film(&film);
    let mut source = open_source(&film.display().to_string()).expect("a film");
    assert!(!source.live() && !source.unrelated());
    let mut times = Vec::new();
    while let Some(frame) = source.next_frame().expect("a whole film") {
        assert_eq!((frame.grey.width(), frame.grey.height()), (SIZE.0 as usize, SIZE.1 as usize));
        assert_eq!(frame.seq, times.len() as u64);
        times.push(frame.captured_at.0.as_secs_f64());
    }
    assert_eq!(times.len() as u64, FRAMES);
    for pair in times.windows(2) {
        assert!((pair[1] - pair[0] - 1.0 / FPS).abs() < 1e-3, "{times:?}");
    }
    // The whole program over it: the elements stand where the camera that filmed them says.
    for (name, text) in [("table.ron", samples::TABLE_RON), ("roster.ron", samples::ROSTER_RON)] {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let files = ["--table", "table.ron", "--roster", "roster.ron", "--json"];
    let arguments = [&["read", "film.avi"], &files[..]].concat();
    let done = super::table_pictures::groma(folder.path(), &arguments);
    let said = String::from_utf8_lossy(&done.stdout).into_owned();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let last: Vec<serde_json::Value> = said
        .lines()
        .map(|line| serde_json::from_str(line).expect("an object a line"))
        .filter(|line: &serde_json::Value| line["frame"] == FRAMES - 1 && line["visibility"] == "seen")
        .collect();
    let truth = camera().truth(0);
    let mut worst = 0.0f64;
    for line in &last {
        let base = truth.bases.iter().find(|b| line["name"] == b.name.as_str()).expect("it stands there");
        let off = |key: &str, is: f64| line[key].as_f64().unwrap_or(f64::NAN) - is;
        let (x, y) = (base.pose.centre.x, base.pose.centre.y);
        worst = worst.max(off("x_mm", x).hypot(off("y_mm", y)));
    }
    println!("{} seen of 24, worst {worst:.3} mm", last.len());
    assert!(last.len() >= 12 && worst < 1.0, "{} seen, {worst} mm", last.len());
}

/// Serves the pictures once as network cameras do: parts of one endless answer.
fn serve(listener: TcpListener, jpegs: Vec<Vec<u8>>) {
    let Ok((mut peer, _)) = listener.accept() else { return };
    let mut request = [0; 2048];
    // Whatever it asks for is the stream.
    let _ = peer.read(&mut request);
    let head = "HTTP/1.0 200 OK\r\nContent-Type: multipart/x-mixed-replace;boundary=frame\r\n\r\n";
    let mut send = |bytes: &[u8]| peer.write_all(bytes).is_ok();
    if !send(head.as_bytes()) {
        return;
    }
    // Until the reader has had enough, and not without end.
    for jpeg in jpegs.iter().cycle().take(600) {
        let part = format!("--frame\r\nContent-Type: image/jpeg\r\nContent-Length: {}\r\n\r\n", jpeg.len());
        if !(send(part.as_bytes()) && send(jpeg) && send(b"\r\n")) {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn a_network_camera_s_stream_is_read_and_its_end_is_told() {
    let jpegs: Vec<Vec<u8>> = pictures()
        .iter()
        .take(2)
        .map(|picture| {
            let mut bytes = Vector::<u8>::new();
            imgcodecs::imencode_def(".jpg", picture, &mut bytes).expect("encoded");
            bytes.to_vec()
        })
        .collect();
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port of this machine");
    let address = format!("http://{}/video.mjpg", listener.local_addr().expect("an address"));
    let server = std::thread::spawn(move || serve(listener, jpegs));
    let mut source = open_source(&address).expect("a stream");
    assert!(source.live());
    let mut last = None;
    for _ in 0..4 {
        let frame = source.next_frame().expect("a stream that goes on").expect("a picture");
        assert_eq!((frame.grey.width(), frame.grey.height()), (SIZE.0 as usize, SIZE.1 as usize));
        assert!(last.is_none_or(|before| frame.captured_at.0 > before), "times rise");
        // A grass table, not a grey one.
        let colour = frame.colour.expect("colour");
        let green = colour.data().chunks_exact(3).filter(|p| p[1] > p[2] && p[1] > 40).count();
        assert!(green > colour.data().len() / 20, "{green}");
        last = Some(frame.captured_at.0);
    }
    drop(source);
    server.join().expect("the server ends when its reader does");
    let gone = open_source(&address).map(|_| ()).expect_err("nobody serves any more").to_string();
    assert!(gone.contains("no video comes from there"), "{gone}");
}
