//! Webcams, through nokhwa.
//!
//! A webcam is read in a thread of its own, which owns the device and hands over the newest frame; a
//! camera that falls silent blocks that thread for ever, so the other side waits only so long, says so,
//! and abandons it. A camera is in one of five states, each with its own message: not there, busy, not
//! allowed, gone, silent. What it sets by itself is locked while it is read (see `locks`).

use super::decode::check_size;
use super::locks::{Keeper, Lock, Locks, lockable};
use super::newest::{Fetch, Fetched, Put, newest};
use super::pixel_format::PixelFormat;
use super::webcam_controls::CameraControls;
use crate::tracking::{CameraId, CapturedAt};
use crate::vision::{Frame, FrameSource, GreyImage, SourceError};
use nokhwa::utils::{
    ApiBackend, CameraFormat, CameraIndex, FrameFormat, RequestedFormat, RequestedFormatType,
};
use nokhwa::{Camera, NokhwaError};
use std::str::FromStr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// A camera that sends nothing for so long is silent. The slowest that was tried sent seven a second;
/// the first picture of some takes two seconds.
const SILENT_AFTER: Duration = Duration::from_secs(4);
/// Opening may take so long: some cameras take a second to set their format.
const OPEN_WITHIN: Duration = Duration::from_secs(8);
/// When the source is dropped its thread is waited for so long, so that its automatics are on and the device is
/// free again. An emulated camera on a busy machine took more than 1.5 s to take three controls.
const CLOSE_WITHIN: Duration = Duration::from_secs(4);
/// Larger pictures than this are not chosen unasked: reading one takes longer than a frame.
const USUAL_SIZE: (u32, u32) = (1920, 1080);
/// Uncompressed pictures are chosen unasked only if this many come a second.
const LEAST_RATE: u32 = 10;

/// Every way of sending that is understood.
const FORMATS: [FrameFormat; 6] = [
    FrameFormat::MJPEG,
    FrameFormat::YUYV,
    FrameFormat::NV12,
    FrameFormat::GRAY,
    FrameFormat::RAWRGB,
    FrameFormat::RAWBGR,
];

fn pixel_format(format: FrameFormat) -> PixelFormat {
    match format {
        FrameFormat::MJPEG => PixelFormat::Mjpeg,
        FrameFormat::YUYV => PixelFormat::Yuyv,
        FrameFormat::NV12 => PixelFormat::Nv12,
        FrameFormat::GRAY => PixelFormat::Grey,
        FrameFormat::RAWRGB => PixelFormat::Rgb,
        FrameFormat::RAWBGR => PixelFormat::Bgr,
    }
}

/// A picture size, format and rate that a camera offers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct OfferedFormat {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// How it is sent.
    pub format: PixelFormat,
    /// Pictures a second.
    pub rate: u32,
}

/// What a listed camera can do now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CameraState {
    /// It can be opened.
    Ready {
        /// How it can send pictures.
        formats: Vec<OfferedFormat>,
        /// What of it can be locked.
        locks: Locks,
    },
    /// Another program has it, or it cannot be opened for another reason; the message says what to do.
    Unusable(String),
}

/// A camera that is plugged in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedCamera {
    /// Its number, for `camera:N`.
    pub number: u32,
    /// Its name, for `camera:NAME`.
    pub name: String,
    /// Whether it can be opened.
    pub state: CameraState,
}

/// Which camera, and how its pictures are wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CameraChoice {
    which: Which,
    size: Option<(u32, u32)>,
    format: Option<PixelFormat>,
    automatics: Automatics,
}

/// What becomes of what a camera sets by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Automatics {
    /// Switched off while it is read.
    Locked,
    /// Left on.
    Left,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Which {
    Number(u32),
    /// A part of its name, in capitals or not.
    Name(String),
    /// A camera that was open before: this very name, and this number rather than another.
    Back {
        number: u32,
        name: String,
    },
}

impl FromStr for CameraChoice {
    type Err = SourceError;

    /// `N` or `NAME`, then in any order `,WIDTHxHEIGHT`, `,FORMAT` and `,auto`.
    fn from_str(text: &str) -> Result<Self, SourceError> {
        let mut parts = text.split(',').map(str::trim);
        let first = parts.next().filter(|w| !w.is_empty()).ok_or_else(|| {
            fault(text, "name a camera by its number or name, as camera:0; `groma cameras` lists them")
        })?;
        let which = first.parse().map_or_else(|_| Which::Name(first.to_owned()), Which::Number);
        let mut choice = Self { which, size: None, format: None, automatics: Automatics::Locked };
        for part in parts {
            let size = part.split_once('x').and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
            match (size, PixelFormat::named(part)) {
                (Some(size), _) => choice.size = Some(size),
                (_, Some(format)) => choice.format = Some(format),
                _ if part == "auto" => choice.automatics = Automatics::Left,
                _ => {
                    let why = format!(
                        "\"{part}\" is neither a size as 1280x720, nor yuyv, mjpeg, nv12, grey, rgb or bgr, nor auto"
                    );
                    return Err(fault(text, &why));
                }
            }
        }
        Ok(choice)
    }
}

impl CameraChoice {
    /// The same again, of the camera that it came to: where that is unplugged and comes back, its number may be another.
    pub fn back_as(self, camera: &Webcam) -> Self {
        Self { which: Which::Back { number: camera.number, name: camera.name.clone() }, ..self }
    }
}

fn fault(camera: &str, why: &str) -> SourceError {
    SourceError::Camera { camera: camera.to_owned(), why: why.to_owned() }
}

/// A message for what nokhwa reports, told apart by the system's own error number.
fn explain(error: &NokhwaError) -> String {
    let text = error.to_string();
    let has = |needles: &[&str]| needles.iter().any(|n| text.contains(n));
    if has(&["os error 16", "busy"]) {
        "it is busy: another program is using it; close that program".to_owned()
    } else if has(&["os error 13", "Permission denied"]) {
        "it may not be opened: permission denied; add yourself to the group \"video\" and log in again"
            .to_owned()
    } else if has(&["os error 19", "os error 2)", "No such"]) {
        "it is gone; plug it in again".to_owned()
    } else {
        format!("{text}; plug it in again or try another format")
    }
}

/// The cameras that are plugged in, by number. Nodes that send no pictures are left out.
pub fn list_cameras() -> Result<Vec<ListedCamera>, SourceError> {
    let found = nokhwa::query(ApiBackend::Auto).map_err(|e| fault("list", &explain(&e)))?;
    let mut listed: Vec<ListedCamera> = found
        .iter()
        .filter_map(|info| {
            let number = info.index().as_index().ok()?;
            let state = match offered(number) {
                Ok((formats, locks)) => CameraState::Ready { formats, locks },
                Err(NokhwaError::GetPropertyError { property, .. })
                    if ["CameraFormat", "FrameFormat", "ResolutionList"].contains(&property.as_str()) =>
                {
                    // A node for metadata or output: it has no picture format.
                    return None;
                }
                Err(error) => CameraState::Unusable(explain(&error)),
            };
            Some(ListedCamera { number, name: info.human_name(), state })
        })
        .collect();
    listed.sort_by_key(|c| c.number);
    Ok(listed)
}

/// What a camera offers, and what of it can be locked. It is opened for the question and closed again.
fn offered(number: u32) -> Result<(Vec<OfferedFormat>, Locks), NokhwaError> {
    let any = RequestedFormat::with_formats(RequestedFormatType::None, &FORMATS);
    let mut camera = Camera::with_backend(CameraIndex::Index(number), any, ApiBackend::Auto)?;
    let mut formats: Vec<OfferedFormat> = camera
        .compatible_camera_formats()?
        .iter()
        .map(|f| OfferedFormat {
            width: f.width(),
            height: f.height(),
            format: pixel_format(f.format()),
            rate: f.frame_rate(),
        })
        .collect();
    formats.sort();
    formats.dedup();
    let locks = lockable(&mut CameraControls(&mut camera));
    Ok((formats, locks))
}

/// The format to ask for: of the wanted size and kind; else the largest up to the usual size,
/// uncompressed where enough pictures come a second, and the fastest of these.
fn choose(offered: &[OfferedFormat], choice: &CameraChoice) -> Option<OfferedFormat> {
    let wanted = |f: &&OfferedFormat| {
        choice.size.is_none_or(|size| (f.width, f.height) == size)
            && choice.format.is_none_or(|format| f.format == format)
    };
    let merit = |f: &&OfferedFormat| {
        let usual = f.width <= USUAL_SIZE.0 && f.height <= USUAL_SIZE.1;
        let area = u64::from(f.width) * u64::from(f.height);
        // Too large ones come last, the least of them first.
        let size = if usual { i64::try_from(area) } else { i64::try_from(area).map(|a| -a) };
        let plain = f.format != PixelFormat::Mjpeg && f.rate >= LEAST_RATE;
        (size.unwrap_or(i64::MIN), plain, f.rate >= LEAST_RATE, f.rate)
    };
    offered.iter().filter(wanted).max_by_key(merit).copied()
}

/// One value between two threads.
type Shared<T> = Arc<Mutex<T>>;

/// An open webcam.
#[derive(Debug)]
pub struct Webcam {
    description: String,
    number: u32,
    name: String,
    locks: Shared<Locks>,
    frames: Option<Fetch<Frame, SourceError>>,
    torn: Arc<AtomicU64>,
    ended: Receiver<()>,
}

impl Webcam {
    /// Opens the camera and starts its thread; waits eight seconds at most.
    pub fn open(choice: &CameraChoice) -> Result<Self, SourceError> {
        let (number, name) = find(&choice.which)?;
        let (put, frames) = newest();
        let torn = Arc::new(AtomicU64::new(0));
        let (opened, answer) = sync_channel(1);
        let (end, ended) = sync_channel::<()>(1);
        let (choice, torn_here) = (choice.clone(), Arc::clone(&torn));
        let locks: Shared<Locks> = Arc::new(Mutex::new(Locks::of(|_| Lock::Automatic)));
        let told = Arc::clone(&locks);
        let thread = move || {
            // Dropped when the thread ends, after the device.
            let _end = end;
            match open_device(number, &choice) {
                Ok((mut camera, format)) => {
                    let mut controls = CameraControls(&mut camera);
                    let keeper = match choice.automatics {
                        Automatics::Locked => Keeper::new(&mut controls),
                        Automatics::Left => Keeper::leaving(&mut controls),
                    };
                    tell(number, keeper.locks(), &told);
                    if opened.send(Ok(format)).is_ok() {
                        read((number, camera, format), (keeper, &told), &put, &torn_here);
                    }
                }
                Err(why) => {
                    let _ = opened.send(Err(why));
                }
            }
        };
        let label = number.to_string();
        std::thread::Builder::new()
            .name(format!("camera {number}"))
            .spawn(thread)
            .map_err(|e| fault(&label, &format!("no thread could be started: {e}")))?;
        match answer.recv_timeout(OPEN_WITHIN) {
            Ok(Ok(f)) => {
                let description =
                    format!("camera {number} ({name}), {}x{} {}", f.width, f.height, f.format.name());
                Ok(Self { description, number, name, locks, frames: Some(frames), torn, ended })
            }
            Ok(Err(why)) => Err(why),
            Err(_) => Err(fault(&label, "it does not answer; unplug it and plug it in again")),
        }
    }
}

/// A camera's number and name.
fn find(which: &Which) -> Result<(u32, String), SourceError> {
    let label = match which {
        Which::Number(number) => number.to_string(),
        Which::Name(name) => name.clone(),
        Which::Back { number, name } => format!("{number} ({name})"),
    };
    let found = nokhwa::query(ApiBackend::Auto).map_err(|e| fault(&label, &explain(&e)))?;
    let known = || found.iter().filter_map(|i| Some((i.index().as_index().ok()?, i.human_name())));
    let chosen = match which {
        Which::Number(number) => known().find(|(n, _)| n == number),
        // Of several nodes of one camera the lowest number sends the pictures.
        Which::Name(name) => {
            let wanted = name.to_lowercase();
            known().filter(|(_, n)| n.to_lowercase().contains(&wanted)).min_by_key(|(n, _)| *n)
        }
        Which::Back { number, name } => {
            known().filter(|(_, n)| n == name).min_by_key(|(n, _)| (n != number, *n))
        }
    };
    if let (None, Which::Back { .. }) = (&chosen, which) {
        return Err(fault(&label, "it is gone; plug it in again"));
    }
    chosen.ok_or_else(|| {
        if found.is_empty() {
            let why = "there is no camera; plug one in, or use a picture, a video or sim:SEED";
            return match which {
                Which::Number(_) | Which::Back { .. } => fault(&label, why),
                Which::Name(_) => fault(&label, &format!(
                    "no camera is called that, for {why}; cameras have numbers from 0 and names, which `groma \
                     cameras` lists"
                )),
            };
        }
        let list: Vec<String> = known().map(|(n, name)| format!("{n} {name}")).collect();
        fault(&label, &format!("there is no such camera; there are: {}", list.join(", ")))
    })
}

/// Opens the device in the format that fits `choice`, and starts its pictures.
fn open_device(number: u32, choice: &CameraChoice) -> Result<(Camera, OfferedFormat), SourceError> {
    let label = number.to_string();
    let (formats, _) = offered(number).map_err(|e| fault(&label, &explain(&e)))?;
    let Some(format) = choose(&formats, choice) else {
        let mut list: Vec<String> =
            formats.iter().map(|f| format!("{}x{} {}", f.width, f.height, f.format.name())).collect();
        list.dedup();
        return Err(fault(&label, &format!("it does not offer this; it offers: {}", list.join(", "))));
    };
    check_size(&format!("camera {number}"), format.width as usize, format.height as usize)?;
    let kind = FORMATS.into_iter().find(|f| pixel_format(*f) == format.format);
    let kind = kind.expect("every pixel format comes from one of FORMATS");
    let exact = CameraFormat::new_from(format.width, format.height, kind, format.rate);
    let request = RequestedFormatType::Exact(exact);
    let open = || {
        let request = RequestedFormat::with_formats(request, &FORMATS);
        let mut camera = Camera::with_backend(CameraIndex::Index(number), request, ApiBackend::Auto)?;
        camera.open_stream()?;
        Ok(camera)
    };
    // A change of format at another than the default rate is refused the first time.
    let camera = open().or_else(|_: NokhwaError| open()).map_err(|e| fault(&label, &explain(&e)))?;
    Ok((camera, format))
}

/// Notes how the camera's settings are, for whoever asks and in the log.
fn tell(number: u32, locks: &Locks, told: &Shared<Locks>) {
    tracing::info!("camera {number}: {locks}");
    *told.lock().unwrap_or_else(PoisonError::into_inner) = locks.clone();
}

/// Mean brightness of a picture, from one pixel in 61.
fn brightness(grey: &GreyImage) -> f64 {
    let (sum, count) =
        grey.data().iter().step_by(61).fold((0.0, 0.0), |(s, n), v| (s + f64::from(*v), n + 1.0));
    sum / f64::max(count, 1.0)
}

/// Reads until the camera fails or nobody wants its pictures any more.
fn read(
    (number, mut camera, format): (u32, Camera, OfferedFormat),
    (mut keeper, told): (Keeper, &Shared<Locks>),
    frames: &Put<Frame, SourceError>,
    torn: &AtomicU64,
) {
    let label = number.to_string();
    let begun = Instant::now();
    let mut last = Duration::ZERO;
    let mut seq = 0;
    while frames.wanted() {
        let buffer = match camera.frame() {
            Ok(buffer) => buffer,
            Err(error) => {
                // The device must be let go before anybody can open it again.
                drop(camera);
                frames.end(fault(&label, &explain(&error)));
                return;
            }
        };
        let age = buffer.capture_timestamp().and_then(age_of).unwrap_or_default();
        let Some((grey, colour)) =
            format.format.decode(format.width as usize, format.height as usize, buffer.buffer())
        else {
            torn.fetch_add(1, Ordering::Relaxed);
            continue;
        };
        // Times rise strictly: a step of the system's clock must not turn them back.
        let at = begun.elapsed().saturating_sub(age).max(last + Duration::from_micros(1));
        last = at;
        if keeper.picture(at, brightness(&grey), &mut CameraControls(&mut camera)) {
            tell(number, keeper.locks(), told);
        }
        frames.put(Frame {
            seq,
            captured_at: CapturedAt(at),
            camera: CameraId(u16::try_from(number).unwrap_or(u16::MAX)),
            grey: Arc::new(grey),
            colour: colour.map(Arc::new),
            label: format!("camera {number}"),
        });
        seq += 1;
    }
    keeper.release(&mut CameraControls(&mut camera));
}

/// How long ago a picture was captured by the driver's word, if that is believable.
fn age_of(captured: Duration) -> Option<Duration> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?;
    now.checked_sub(captured).filter(|age| *age < Duration::from_secs(2))
}

impl FrameSource for Webcam {
    fn description(&self) -> String {
        self.description.clone()
    }

    fn live(&self) -> bool {
        true
    }

    fn device(&self) -> Option<String> {
        Some(self.name.clone())
    }

    fn locks(&self) -> Option<Locks> {
        Some(self.locks.lock().unwrap_or_else(PoisonError::into_inner).clone())
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        let Some(frames) = &self.frames else { return Ok(None) };
        let torn_before = self.torn.load(Ordering::Relaxed);
        match frames.fetch(SILENT_AFTER) {
            Fetched::Item(frame) => Ok(Some(frame)),
            Fetched::Ended(why) => Err(why),
            Fetched::Nothing => {
                let torn = self.torn.load(Ordering::Relaxed) - torn_before;
                let why = if torn > 0 {
                    format!(
                        "only damaged pictures come from it ({torn} in {} s); try another cable or socket",
                        SILENT_AFTER.as_secs()
                    )
                } else {
                    "it is silent: it is plugged in but sends no picture; unplug it and plug it in again"
                        .to_owned()
                };
                Err(fault(self.description.trim_start_matches("camera "), &why))
            }
        }
    }
}

impl Drop for Webcam {
    fn drop(&mut self) {
        // The thread sees that nobody fetches, and ends after its next picture; one that is stuck in a
        // silent camera is abandoned.
        self.frames = None;
        if self.ended.recv_timeout(CLOSE_WITHIN) == Err(RecvTimeoutError::Timeout) {
            tracing::warn!("{} does not close; its thread is abandoned", self.description);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offer(width: u32, height: u32, format: PixelFormat, rate: u32) -> OfferedFormat {
        OfferedFormat { width, height, format, rate }
    }

    fn chosen(spec: &str, offered: &[OfferedFormat]) -> Option<OfferedFormat> {
        choose(offered, &spec.parse().expect("a good choice"))
    }

    #[test]
    fn the_largest_usual_size_is_chosen_and_plain_only_where_it_is_fast_enough() {
        let plain = offer(640, 480, PixelFormat::Yuyv, 30);
        let slow = offer(1920, 1080, PixelFormat::Yuyv, 5);
        let fast = offer(1920, 1080, PixelFormat::Mjpeg, 30);
        let huge = offer(3840, 2160, PixelFormat::Mjpeg, 30);
        assert_eq!(chosen("0", &[plain, slow, fast, huge]), Some(fast));
        assert_eq!(chosen("0", &[plain, huge]), Some(plain));
        assert_eq!(chosen("0", &[huge]), Some(huge));
        assert_eq!(chosen("0,1920x1080,yuyv", &[plain, slow, fast, huge]), Some(slow));
        assert_eq!(chosen("0,3840x2160", &[plain, slow, fast, huge]), Some(huge));
        assert_eq!(chosen("0,800x600", &[plain, slow, fast, huge]), None);
        let both = [offer(640, 480, PixelFormat::Mjpeg, 30), plain];
        assert_eq!(chosen("0", &both), Some(plain));
        assert_eq!(chosen("0,mjpeg", &both), Some(both[0]));
    }

    #[test]
    fn a_choice_is_a_number_or_a_name_and_says_what_it_does_not_know() {
        let choice: CameraChoice = "Logitech C920,1280x720".parse().expect("a good choice");
        assert_eq!(choice.which, Which::Name("Logitech C920".to_owned()));
        assert_eq!(choice.size, Some((1280, 720)));
        assert!("".parse::<CameraChoice>().is_err());
        let error = "0,h264".parse::<CameraChoice>().expect_err("unknown format");
        assert!(error.to_string().contains("h264"), "{error}");
    }

    #[test]
    fn the_systems_own_errors_become_states() {
        let open = |text: &str| explain(&NokhwaError::OpenDeviceError("0".into(), text.into()));
        assert!(open("V4L2 Error: Device or resource busy (os error 16)").contains("busy"));
        assert!(open("V4L2 Error: No such device (os error 19)").contains("gone"));
        assert!(open("V4L2 Error: No such file or directory (os error 2)").contains("gone"));
        assert!(open("V4L2 Error: Permission denied (os error 13)").contains("group"));
    }

    #[test]
    fn a_number_that_no_camera_has_is_answered_with_what_to_do() {
        let error = Webcam::open(&"6003".parse().expect("a number")).expect_err("no such camera");
        assert!(error.to_string().contains("there is no"), "{error}");
    }
}
