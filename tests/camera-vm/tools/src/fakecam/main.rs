//! `fakecam FOLDER`: a UVC 1.1 webcam in user space, plugged into this kernel's virtual USB host
//! controller (`vhci_hcd`, USB/IP), so that the real `uvcvideo` driver binds to it. Runs in the guest.
//!
//! It offers 640x480 and 320x240, in YUYV and MJPEG, and shows the pictures of a scene: `FOLDER/SCENE/WIDTHxHEIGHT`
//! (`*.yuyv` and `*.jpg`), one after the other; colour bars where there are none. Commands on stdin, one a line; PORT is
//! 0 where none is named, and the camera of port 1 is another model:
//!
//! * `plug yuyv | mjpeg | both [PORT]`: into the port, offering these formats; `unplug [PORT]`
//! * `stall [PORT]`, `resume [PORT]`: stay plugged in but send nothing, as a wedged camera does
//! * `cut N [PORT]`: the next N pictures end half way; `bad N [PORT]`: they carry the error bit
//! * `show SCENE`: what every camera looks at from now on; the first by name where none was named
//! * `quit`

mod camera;
mod controls;
mod descriptors;

use camera::{Camera, Pictures, Scenes};
use camera_vm_tools::{PixelFormat, colour_bars, encode, picture_files};
use descriptors::SIZES;
use std::collections::BTreeMap;
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

/// Every scene of the folder.
fn load_scenes(folder: &Path) -> Result<Scenes, Box<dyn Error>> {
    let mut scenes = Scenes::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if let Some(name) = path.file_name().and_then(|name| name.to_str()).filter(|_| path.is_dir()) {
            scenes.insert(name.to_owned(), load_pictures(&path)?);
        }
    }
    Ok(scenes)
}

/// The cameras, and what they look at.
struct Bench {
    scenes: Arc<Scenes>,
    scene: String,
    plugged: BTreeMap<usize, Camera>,
}

impl Bench {
    fn plug(&mut self, port: usize, formats: &[PixelFormat]) -> Result<(), Box<dyn Error>> {
        let (ours, kernels) = UnixStream::pair()?;
        let camera = Camera::start((port, ours), formats, self.scenes.clone(), &self.scene)?;
        // The port, the socket, device 1-2 and up, speed 3 (high).
        let device = 0x0001_0002 + port;
        std::fs::write(format!("{PORTS}/attach"), format!("{port} {} {device} 3", kernels.as_raw_fd()))?;
        self.plugged.insert(port, camera);
        Ok(())
    }

    fn camera(&self, port: usize) -> Result<&Camera, String> {
        self.plugged.get(&port).ok_or_else(|| format!("nothing is plugged into port {port}"))
    }

    /// Carries out one command; false at the last.
    fn carry_out(&mut self, words: &[&str]) -> Result<bool, Box<dyn Error>> {
        match words {
            ["plug", formats, at @ ..] => {
                let formats = match *formats {
                    "yuyv" => &PixelFormat::ALL[..1],
                    "mjpeg" => &PixelFormat::ALL[1..],
                    "both" => &PixelFormat::ALL[..],
                    other => return Err(format!("no format `{other}`").into()),
                };
                self.plug(port(at)?, formats)?;
            }
            ["unplug", at @ ..] => {
                let port = port(at)?;
                let camera = self.plugged.remove(&port).ok_or("nothing is plugged in there")?;
                std::fs::write(format!("{PORTS}/detach"), port.to_string())?;
                camera.unplug();
            }
            ["stall", at @ ..] => self.camera(port(at)?)?.stall(true),
            ["resume", at @ ..] => self.camera(port(at)?)?.stall(false),
            ["cut", count, at @ ..] => self.camera(port(at)?)?.cut_short(count.parse()?),
            ["bad", count, at @ ..] => self.camera(port(at)?)?.mark_bad(count.parse()?),
            ["show", scene] => {
                if !self.scenes.contains_key(*scene) {
                    return Err(format!("no scene `{scene}`").into());
                }
                (*scene).clone_into(&mut self.scene);
                self.plugged.values().for_each(|camera| camera.look_at(scene));
            }
            ["quit"] => return Ok(false),
            _ => return Err(format!("cannot `{}`", words.join(" ")).into()),
        }
        Ok(true)
    }
}

/// The port that a command names, 0 where it names none.
fn port(named: &[&str]) -> Result<usize, Box<dyn Error>> {
    match named {
        [] => Ok(0),
        [port] => Ok(port.parse()?),
        more => Err(format!("one port, not `{}`", more.join(" ")).into()),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: fakecam FOLDER")?;
    let scenes = Arc::new(load_scenes(Path::new(&folder))?);
    let scene = scenes.keys().next().ok_or("there is no scene in the folder")?.clone();
    let mut bench = Bench { scenes, scene, plugged: BTreeMap::new() };
    for line in std::io::stdin().lock().lines() {
        let line = line?;
        if !bench.carry_out(&line.split_whitespace().collect::<Vec<_>>())? {
            break;
        }
        println!("fakecam: {line}");
    }
    Ok(())
}
