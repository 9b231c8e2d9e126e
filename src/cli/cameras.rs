//! `groma cameras`: which webcams are there, and what each can do.

use super::{Failure, say};
use crate::vision::source::{CameraState, Locks, Setting, list_cameras};
use anyhow::{Error, anyhow};
use serde_json::{Value, json};

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
            let (number, name) = (camera.number, &camera.name);
            say(match &camera.state {
                CameraState::Ready { formats, locks } => {
                    let formats: Vec<_> = formats
                        .iter()
                        .map(|f| {
                            json!({"width": f.width, "height": f.height, "format": f.format.name(), "rate": f.rate})
                        })
                        .collect();
                    json!({"camera": number, "name": name, "state": "ready", "formats": formats, "locks": locks_json(locks)})
                }
                CameraState::Unusable(why) => {
                    json!({"camera": number, "name": name, "state": "unusable", "why": why})
                }
            });
            continue;
        }
        say(format!("camera:{}  {}", camera.number, camera.name));
        match &camera.state {
            CameraState::Unusable(why) => say(format!("  {why}")),
            CameraState::Ready { formats, locks } => {
                for f in formats {
                    say(format!("  {}x{} {} {}/s", f.width, f.height, f.format.name(), f.rate));
                }
                say(format!("  {locks}"));
            }
        }
    }
    Ok(())
}

/// How each setting is, by its name.
fn locks_json(locks: &Locks) -> Value {
    let of = |setting: Setting| (setting.name().replace(' ', "_"), json!(locks.get(setting).name()));
    Value::Object(Setting::ALL.into_iter().map(of).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::source::Lock;

    #[test]
    fn every_setting_has_a_word() {
        let locks = Locks::of(|s| match s {
            Setting::Exposure => Lock::Automatic,
            Setting::Focus => Lock::NoControl,
            Setting::WhiteBalance => Lock::Locked,
        });
        let wanted = json!({"exposure": "automatic", "focus": "no control", "white_balance": "locked"});
        assert_eq!(locks_json(&locks), wanted);
    }
}
