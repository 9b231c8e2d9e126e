//! The camera itself: answers control requests and sends pictures, over USB/IP.

use crate::controls::{self, Control};
use crate::descriptors::{self, SIZES, STREAM_ENDPOINT, interval_of, probe_block};
use camera_vm_tools::PixelFormat;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// A request that the camera refuses: the endpoint stalls (-EPIPE).
const STALL: i32 = -32;
/// A request that was taken back in time (-ECONNRESET).
const UNLINKED: i32 = -104;

/// The pictures of a format and a size, by the numbers of the camera's descriptors, counted from 0.
pub type Pictures = HashMap<(PixelFormat, usize), Vec<Vec<u8>>>;

/// Pictures by what they show: the table at one moment of the game.
pub type Scenes = BTreeMap<String, Pictures>;

/// What the threads of the camera share.
#[derive(Default)]
struct State {
    /// Transfers that wait for picture data: sequence number and length.
    waiting: VecDeque<(u32, usize)>,
    /// Between the commit and the stop of a stream.
    streaming: bool,
    /// The stream that was agreed on.
    probe: Vec<u8>,
    /// The scene that it looks at.
    scene: String,
    /// Plugged in but sending nothing.
    stalled: bool,
    /// How many of the next pictures are cut short, and how many carry the error bit.
    cut_short: u32,
    marked_bad: u32,
    /// The camera was pulled out: the threads end.
    unplugged: bool,
}

/// A camera that is plugged in.
#[derive(Clone)]
pub struct Camera {
    port: usize,
    shared: Arc<(Mutex<State>, Condvar)>,
    formats: Arc<[PixelFormat]>,
}

/// The camera's end of the USB cable.
#[derive(Clone)]
struct Cable(Arc<Mutex<UnixStream>>);

impl Cable {
    fn send(&self, head: [u32; 5], result: [i32; 5], data: &[u8]) -> io::Result<()> {
        let mut message = Vec::with_capacity(48 + data.len());
        message.extend(head.iter().flat_map(|word| word.to_be_bytes()));
        message.extend(result.iter().flat_map(|word| word.to_be_bytes()));
        message.extend([0; 8]);
        message.extend(data);
        self.0.lock().expect("no thread panics with the cable").write_all(&message)
    }

    fn submitted(&self, seq: u32, status: i32, actual: usize, data: &[u8]) -> io::Result<()> {
        self.send([3, seq, 0, 0, 0], [status, actual as i32, 0, 0, 0], data)
    }

    fn unlinked(&self, seq: u32, status: i32) -> io::Result<()> {
        self.send([4, seq, 0, 0, 0], [status, 0, 0, 0, 0], &[])
    }
}

impl Camera {
    /// Starts the camera of a port, which offers `formats` and looks at `scene`, on its end of the cable.
    pub fn start(
        (port, cable): (usize, UnixStream),
        formats: &[PixelFormat],
        scenes: Arc<Scenes>,
        scene: &str,
    ) -> io::Result<Self> {
        let camera = Self { port, shared: Arc::default(), formats: formats.into() };
        camera.look_at(scene);
        let sending = Cable(Arc::new(Mutex::new(cable.try_clone()?)));
        let (listener, answering) = (camera.clone(), sending.clone());
        std::thread::spawn(move || {
            let ended = listener.answer(cable, &answering);
            listener.change(|state| state.unplugged = true);
            println!("fakecam {port}: the cable is out ({ended:?})");
        });
        let sender = camera.clone();
        std::thread::spawn(move || sender.send_pictures(&sending, &scenes));
        Ok(camera)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.shared.0.lock().expect("no thread panics with the state")
    }

    fn change(&self, how: impl FnOnce(&mut State)) {
        how(&mut self.state());
        self.shared.1.notify_all();
    }

    /// Looks at another scene from its next picture on.
    pub fn look_at(&self, scene: &str) {
        self.change(|state| scene.clone_into(&mut state.scene));
    }

    /// Stops sending picture data, or goes on.
    pub fn stall(&self, stalled: bool) {
        self.change(|state| state.stalled = stalled);
    }

    /// Cuts the next pictures short, as when data is lost on the bus.
    pub fn cut_short(&self, count: u32) {
        self.change(|state| state.cut_short = count);
    }

    /// Sets the error bit on the next pictures.
    pub fn mark_bad(&self, count: u32) {
        self.change(|state| state.marked_bad = count);
    }

    /// Ends the threads; the kernel has let go of the cable.
    pub fn unplug(&self) {
        self.change(|state| state.unplugged = true);
    }

    /// Answers requests until the kernel closes the cable.
    fn answer(&self, mut cable: UnixStream, sending: &Cable) -> io::Result<()> {
        let mut knobs = controls::all();
        let mut head = [0_u8; 48];
        loop {
            cable.read_exact(&mut head)?;
            let word = |i: usize| {
                u32::from_be_bytes([head[4 * i], head[4 * i + 1], head[4 * i + 2], head[4 * i + 3]])
            };
            let (command, seq, inward, endpoint) = (word(0), word(1), word(3) == 1, word(4));
            match command {
                1 => {
                    let length = word(6) as usize;
                    let mut sent = vec![0; if inward { 0 } else { length }];
                    cable.read_exact(&mut sent)?;
                    if endpoint != 0 {
                        self.change(|state| state.waiting.push_back((seq, length)));
                        continue;
                    }
                    match self.control(&mut knobs, &head[40..48], &sent) {
                        Ok(mut data) if inward => {
                            data.truncate(length);
                            sending.submitted(seq, 0, data.len(), &data)?;
                        }
                        Ok(_) => sending.submitted(seq, 0, length, &[])?,
                        Err(status) => sending.submitted(seq, status, 0, &[])?,
                    }
                }
                2 => {
                    let victim = word(5);
                    let mut state = self.state();
                    let before = state.waiting.len();
                    state.waiting.retain(|(seq, _)| *seq != victim);
                    let status = if state.waiting.len() < before { UNLINKED } else { 0 };
                    sending.unlinked(seq, status)?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Answers one control request, or refuses it.
    fn control(
        &self,
        knobs: &mut HashMap<(u8, u8), Control>,
        setup: &[u8],
        sent: &[u8],
    ) -> Result<Vec<u8>, i32> {
        let (kind, request) = (setup[0], setup[1]);
        let value = u16::from_le_bytes([setup[2], setup[3]]);
        let index = u16::from_le_bytes([setup[4], setup[5]]);
        match (kind & 0x60, request) {
            (0x00, 6) => match value >> 8 {
                1 => Ok(descriptors::device()),
                2 => Ok(descriptors::configuration(&self.formats)),
                3 => Ok(descriptors::string(value as u8, self.port)),
                _ => Err(STALL),
            },
            (0x00, 0) => Ok(vec![0, 0]),          // get status
            (0x00, 8) => Ok(vec![1]),             // get configuration
            (0x00, 10) => Ok(vec![0]),            // get interface
            (0x00, 9) | (0x00, 11) => Ok(vec![]), // set configuration, set interface
            (0x00, 1) => {
                // Clear feature: the driver's way of stopping a bulk stream.
                if kind == 2 && index as u8 == STREAM_ENDPOINT {
                    self.change(|state| state.streaming = false);
                }
                Ok(vec![])
            }
            (0x20, _) if index as u8 == 1 => self.stream_control(request, value >> 8, sent),
            (0x20, _) => {
                let unit = ((index >> 8) as u8, (value >> 8) as u8);
                let knob = knobs.get_mut(&unit).ok_or(STALL)?;
                match request {
                    0x01 if knob.set(sent) => Ok(vec![]),
                    0x81 => Ok(knob.encode(knob.value)),
                    0x82..=0x84 => Ok(knob.encode(knob.range[usize::from(request) - 0x82])),
                    0x85 => Ok((knob.bytes as u16).to_le_bytes().to_vec()),
                    0x86 => Ok(vec![3]),
                    0x87 => Ok(knob.encode(knob.range[3])),
                    _ => Err(STALL),
                }
            }
            _ => Err(STALL),
        }
    }

    /// Requests to the streaming interface: probe and commit.
    fn stream_control(&self, request: u8, selector: u16, sent: &[u8]) -> Result<Vec<u8>, i32> {
        let formats = self.formats.len();
        let mut state = self.state();
        match (request, selector) {
            (0x01, 1) => {
                state.probe = probe_block(sent, formats);
                Ok(vec![])
            }
            (0x01, 2) => {
                state.probe = probe_block(sent, formats);
                state.streaming = true;
                let format = self.formats[usize::from(state.probe[2]) - 1];
                println!(
                    "fakecam {}: streams {format:?} {:?}",
                    self.port,
                    SIZES[usize::from(state.probe[3]) - 1]
                );
                self.shared.1.notify_all();
                Ok(vec![])
            }
            (0x85, _) => Ok(vec![34, 0]),
            (0x86, _) => Ok(vec![3]),
            (0x81..=0x83 | 0x87, 1 | 2) => Ok(probe_block(&state.probe, formats)),
            _ => Err(STALL),
        }
    }

    /// Sends pictures into the waiting transfers, at the agreed rate, until the camera is pulled out.
    fn send_pictures(&self, cable: &Cable, scenes: &Scenes) {
        let (mut number, mut parity) = (0_usize, 0_u8);
        let mut due = Instant::now();
        loop {
            let mut state = self.state();
            while !state.unplugged && (!state.streaming || state.stalled) {
                state = self.shared.1.wait(state).expect("no thread panics with the state");
            }
            if state.unplugged {
                return;
            }
            let format = self.formats[usize::from(state.probe[2]) - 1];
            let size = usize::from(state.probe[3]) - 1;
            let interval = interval_of(&state.probe);
            let cut = take_one(&mut state.cut_short);
            let bad = take_one(&mut state.marked_bad);
            let shown = &scenes[&state.scene][&(format, size)];
            drop(state);

            let picture = &shown[number % shown.len()];
            let body = if cut { &picture[..picture.len() / 2] } else { &picture[..] };
            let mut payload = vec![2, 0x80 | 0x02 | parity | if bad { 0x40 } else { 0 }];
            payload.extend_from_slice(body);
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            let late = Instant::now().checked_sub(Duration::from_millis(50)).unwrap_or(due);
            due = due.max(late) + Duration::from_nanos(u64::from(interval) * 100);
            if !self.send_payload(cable, &payload) {
                return;
            }
            number += 1;
            parity ^= 1;
        }
    }

    /// Sends one payload, in as many transfers as it takes; false when the camera was pulled out.
    fn send_payload(&self, cable: &Cable, payload: &[u8]) -> bool {
        let mut sent = 0;
        loop {
            let mut state = self.state();
            let (seq, length) = loop {
                if state.unplugged {
                    return false;
                }
                if !state.streaming {
                    return true;
                }
                if let Some(transfer) = state.waiting.pop_front() {
                    break transfer;
                }
                state = self.shared.1.wait(state).expect("no thread panics with the state");
            };
            let part = length.min(payload.len() - sent);
            // With the lock still held: were the answer to an unlink of this transfer to overtake this
            // one, the kernel would drop the whole connection.
            let done = cable.submitted(seq, 0, part, &payload[sent..sent + part]);
            drop(state);
            if done.is_err() {
                return false;
            }
            sent += part;
            if part < length {
                return true; // a short transfer ends the payload
            }
        }
    }
}

fn take_one(count: &mut u32) -> bool {
    let some = *count > 0;
    *count = count.saturating_sub(1);
    some
}
