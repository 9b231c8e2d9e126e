//! `groma cameras`: which webcams are there, and what each can do.

use super::{Failure, say};
use crate::vision::source::{CameraState, list_cameras};
use anyhow::{Error, anyhow};
use serde_json::json;

/// Lists the webcams.
#[derive(Debug, clap::Args)]
pub struct CamerasArgs {
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// Where no camera is there, or the system cannot list them.
pub fn run(args: &CamerasArgs) -> Result<(), Failure> {
    let cameras = list_cameras().map_err(Error::from)?;
    if cameras.is_empty() {
        return Err(Failure::Job(anyhow!(
            "no camera is plugged in; plug one in, or read a photograph, a video or sim:1"
        )));
    }
    for camera in cameras {
        if args.json {
            let line = match &camera.state {
                CameraState::Ready(formats) => {
                    let formats: Vec<_> = formats
                        .iter()
                        .map(|f| {
                            json!({"width": f.width, "height": f.height, "format": f.format.name(), "rate": f.rate})
                        })
                        .collect();
                    json!({"camera": camera.number, "name": camera.name, "state": "ready", "formats": formats})
                }
                CameraState::Unusable(why) => {
                    json!({"camera": camera.number, "name": camera.name, "state": "unusable", "why": why})
                }
            };
            say(&line);
            continue;
        }
        say(format!("camera:{}  {}", camera.number, camera.name));
        match &camera.state {
            CameraState::Unusable(why) => say(format!("  {why}")),
            CameraState::Ready(formats) => {
                for f in formats {
                    say(format!("  {}x{} {} {}/s", f.width, f.height, f.format.name(), f.rate));
                }
            }
        }
    }
    Ok(())
}
