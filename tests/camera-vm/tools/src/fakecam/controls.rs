//! The camera's knobs: exposure, focus, brightness, white balance.

use std::collections::HashMap;

/// One knob: its bytes on the wire, its range and where it stands.
pub struct Control {
    /// How many bytes its value takes.
    pub bytes: usize,
    /// Least, most, step and default value.
    pub range: [i32; 4],
    /// Where it stands.
    pub value: i32,
}

impl Control {
    fn new(bytes: usize, range: [i32; 4]) -> Self {
        Self { bytes, range, value: range[3] }
    }

    /// A value as it travels.
    pub fn encode(&self, value: i32) -> Vec<u8> {
        value.to_le_bytes()[..self.bytes].to_vec()
    }

    /// Sets it from what travelled; false when that is too short.
    pub fn set(&mut self, sent: &[u8]) -> bool {
        if sent.len() < self.bytes {
            return false;
        }
        let negative = self.bytes == 2 && sent[1] & 0x80 != 0;
        let mut whole = if negative { [0xff; 4] } else { [0; 4] };
        whole[..self.bytes].copy_from_slice(&sent[..self.bytes]);
        self.value = i32::from_le_bytes(whole);
        true
    }
}

/// Every knob by its unit and selector.
pub fn all() -> HashMap<(u8, u8), Control> {
    HashMap::from([
        ((1, 0x02), Control::new(1, [1, 8, 0x09, 8])), // exposure mode: manual 1, aperture priority 8
        ((1, 0x04), Control::new(4, [3, 2047, 1, 250])), // exposure time, 100 us
        ((1, 0x06), Control::new(2, [0, 250, 5, 0])),  // focus
        ((1, 0x08), Control::new(1, [0, 1, 1, 1])),    // automatic focus
        ((2, 0x02), Control::new(2, [-64, 64, 1, 0])), // brightness
        ((2, 0x03), Control::new(2, [0, 64, 1, 32])),  // contrast
        ((2, 0x07), Control::new(2, [0, 128, 1, 64])), // saturation
        ((2, 0x0A), Control::new(2, [2800, 6500, 1, 4600])), // white balance, K
        ((2, 0x0B), Control::new(1, [0, 1, 1, 1])),    // automatic white balance
    ])
}
