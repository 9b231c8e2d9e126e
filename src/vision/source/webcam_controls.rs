//! A webcam's controls through nokhwa, by Video4Linux's numbers. On other systems there are none yet.

use super::locks::Controls;
use nokhwa::Camera;
use nokhwa::utils::{ControlValueDescription, ControlValueSetter, KnownCameraControl};

/// The controls of an open camera.
pub(super) struct CameraControls<'a>(pub &'a mut Camera);

/// nokhwa's own name for a control: it hides the numbers of those that it knows.
fn known(control: u32) -> KnownCameraControl {
    match control {
        0x0098_091a => KnownCameraControl::WhiteBalance,
        other => KnownCameraControl::Other(u128::from(other)),
    }
}

impl CameraControls<'_> {
    fn describe(&self, control: u32) -> Option<ControlValueDescription> {
        if !cfg!(target_os = "linux") {
            return None;
        }
        let all = self.0.camera_controls().ok()?;
        all.iter().find(|c| c.control() == known(control)).map(|c| c.description().clone())
    }
}

impl Controls for CameraControls<'_> {
    fn value(&mut self, control: u32) -> Option<i64> {
        match self.describe(control)? {
            ControlValueDescription::IntegerRange { value, .. }
            | ControlValueDescription::Integer { value, .. } => Some(value),
            ControlValueDescription::Boolean { value, .. } => Some(i64::from(value)),
            _ => None,
        }
    }

    fn set(&mut self, control: u32, value: i64) -> Result<(), String> {
        // By Video4Linux's own definition, and not by asking: a camera takes milliseconds for each answer, and
        // an emulated one a second for all.
        let setter = match control {
            0x009a_090c | 0x0098_090c => ControlValueSetter::Boolean(value != 0),
            _ => ControlValueSetter::Integer(value),
        };
        self.0.set_camera_control(known(control), setter).map_err(|error| error.to_string())
    }
}
