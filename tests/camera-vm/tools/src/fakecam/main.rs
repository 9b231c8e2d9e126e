//! `fakecam FOLDER`: a UVC 1.1 webcam in user space, plugged into this kernel's virtual USB host
//! controller (`vhci_hcd`, USB/IP), so that the real `uvcvideo` driver binds to it. Runs in the guest.
//!
//! It offers 640x480 and 320x240, in YUYV and MJPEG, and shows the pictures of `FOLDER/WIDTHxHEIGHT`
//! (`*.yuyv` and `*.jpg`) one after the other; colour bars where there are none. Commands on stdin, one
//! a line:
//!
//! * `plug yuyv | mjpeg | both`: into the port, offering these formats; `unplug`
//! * `stall`, `resume`: stay plugged in but send nothing, as a wedged camera does
//! * `cut N`: the next N pictures end half way; `bad N`: they carry the error bit
//! * `quit`

mod camera;
mod controls;
mod descriptors;

use camera::{Camera, Pictures};
use camera_vm_tools::{PixelFormat, colour_bars, encode, picture_files};
use descriptors::SIZES;
use std::error::Error;
use std::io::BufRead;
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;

const PORTS: &str = "/sys/devices/platform/vhci_hcd.0";

/// The pictures of every format and size.
fn load_pictures(folder: &Path) -> Result<Pictures, Box<dyn Error>> {
    let mut pictures = Pictures::new();
    for format in PixelFormat::ALL {
        for (index, size) in SIZES.into_iter().enumerate() {
            let of_size = folder.join(format!("{}x{}", size.0, size.1));
            let mut found = if of_size.is_dir() { picture_files(&of_size, format)? } else { vec![] };
            if found.is_empty() {
                found.push(encode(format, size, &colour_bars(size))?);
            }
            println!("fakecam: {format:?} {size:?}: {} pictures", found.len());
            pictures.insert((format, index), found);
        }
    }
    Ok(pictures)
}

fn plug(formats: &[PixelFormat], pictures: &Arc<Pictures>) -> Result<Camera, Box<dyn Error>> {
    let (ours, kernels) = UnixStream::pair()?;
    let camera = Camera::start(ours, formats, pictures.clone())?;
    // Port 0, the socket, device 1-2, speed 3 (high).
    std::fs::write(format!("{PORTS}/attach"), format!("0 {} {} 3", kernels.as_raw_fd(), 0x0001_0002))?;
    Ok(camera)
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: fakecam FOLDER")?;
    let pictures = Arc::new(load_pictures(Path::new(&folder))?);
    let mut plugged: Option<Camera> = None;
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match (&words[..], &plugged) {
            (["plug", formats], None) => {
                let formats = match *formats {
                    "yuyv" => &PixelFormat::ALL[..1],
                    "mjpeg" => &PixelFormat::ALL[1..],
                    "both" => &PixelFormat::ALL[..],
                    other => return Err(format!("no format `{other}`").into()),
                };
                plugged = Some(plug(formats, &pictures)?);
            }
            (["unplug"], Some(camera)) => {
                std::fs::write(format!("{PORTS}/detach"), "0")?;
                camera.unplug();
                plugged = None;
            }
            (["stall"], Some(camera)) => camera.stall(true),
            (["resume"], Some(camera)) => camera.stall(false),
            (["cut", count], Some(camera)) => camera.cut_short(count.parse()?),
            (["bad", count], Some(camera)) => camera.mark_bad(count.parse()?),
            (["quit"], _) => break,
            _ => return Err(format!("cannot `{line}` now").into()),
        }
        println!("fakecam: {line}");
    }
    Ok(())
}
