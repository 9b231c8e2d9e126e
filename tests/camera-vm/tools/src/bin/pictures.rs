//! `pictures OUT WIDTHxHEIGHT PICTURE...`: each picture as a webcam would send it, into the folder OUT as
//! `00.yuyv`, `00.jpg`, `01.yuyv` and so on. Runs on the host.

use camera_vm_tools::{PixelFormat, encode};
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [out, size, pictures @ ..] = &arguments[..] else {
        return Err("usage: pictures OUT WIDTHxHEIGHT PICTURE...".into());
    };
    if pictures.is_empty() {
        return Err("name at least one picture".into());
    }
    std::fs::create_dir_all(out)?;
    for (number, path) in pictures.iter().enumerate() {
        let picture = image::open(path).map_err(|error| format!("{path}: {error}"))?.into_rgb8();
        let (width, height) = picture.dimensions();
        if format!("{width}x{height}") != *size {
            return Err(format!("{path} is {width}x{height}, not {size}").into());
        }
        let dimensions = (u16::try_from(width)?, u16::try_from(height)?);
        for format in PixelFormat::ALL {
            let file = Path::new(out).join(format!("{number:02}.{}", format.extension()));
            std::fs::write(file, encode(format, dimensions, picture.as_raw())?)?;
        }
    }
    Ok(())
}
