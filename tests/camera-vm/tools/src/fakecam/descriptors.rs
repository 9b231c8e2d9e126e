//! What the camera tells the host about itself: USB and UVC 1.1 descriptors, byte by byte.

use camera_vm_tools::PixelFormat;

/// The sizes it offers, in the order of its frame descriptors.
pub const SIZES: [(u16, u16); 2] = [(640, 480), (320, 240)];
/// The frame intervals it offers, in 100 ns: 30 and 15 frames a second.
pub const INTERVALS: [u32; 2] = [333_333, 666_666];
/// Its one streaming endpoint: bulk, into the host.
pub const STREAM_ENDPOINT: u8 = 0x81;

/// The bytes of an uncompressed picture, the most that a picture takes.
pub fn picture_bytes(size: (u16, u16)) -> u32 {
    u32::from(size.0) * u32::from(size.1) * 2
}

/// The device descriptor.
pub fn device() -> Vec<u8> {
    vec![18, 1, 0x00, 0x02, 0xEF, 2, 1, 64, 0x6b, 0x1d, 0x02, 0x01, 0x10, 0x00, 1, 2, 3, 1]
}

fn frames(subtype: u8) -> Vec<u8> {
    let mut bytes = vec![];
    for (index, size) in SIZES.iter().enumerate() {
        bytes.extend([(26 + 4 * INTERVALS.len()) as u8, 0x24, subtype, index as u8 + 1, 0]);
        bytes.extend(size.0.to_le_bytes());
        bytes.extend(size.1.to_le_bytes());
        bytes.extend((picture_bytes(*size) * 8 * 15).to_le_bytes());
        bytes.extend((picture_bytes(*size) * 8 * 30).to_le_bytes());
        bytes.extend(picture_bytes(*size).to_le_bytes());
        bytes.extend(INTERVALS[0].to_le_bytes());
        bytes.push(INTERVALS.len() as u8);
        for interval in INTERVALS {
            bytes.extend(interval.to_le_bytes());
        }
    }
    bytes
}

/// One format descriptor with its frames; `number` counts from 1.
fn format(kind: PixelFormat, number: u8) -> Vec<u8> {
    const COLOUR_MATCHING: [u8; 6] = [6, 0x24, 0x0D, 1, 1, 4];
    let mut bytes = vec![];
    match kind {
        PixelFormat::Yuyv => {
            bytes.extend([27, 0x24, 4, number, SIZES.len() as u8]);
            bytes.extend(b"YUY2\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71");
            bytes.extend([16, 1, 0, 0, 0, 0]);
            bytes.extend(frames(5));
        }
        PixelFormat::Mjpeg => {
            bytes.extend([11, 0x24, 6, number, SIZES.len() as u8, 1, 1, 0, 0, 0, 0]);
            bytes.extend(frames(7));
        }
    }
    bytes.extend(COLOUR_MATCHING);
    bytes
}

/// The configuration descriptor of a camera that offers these formats.
pub fn configuration(formats: &[PixelFormat]) -> Vec<u8> {
    let association = vec![8, 0x0B, 0, 2, 0x0E, 3, 0, 2];
    let control_interface = vec![9, 4, 0, 0, 0, 0x0E, 1, 0, 2];
    // Exposure mode and time, focus and its automatic.
    let terminal = vec![18, 0x24, 2, 1, 0x01, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0x2A, 0x00, 0x02];
    // Brightness, contrast, saturation, white balance and its automatic.
    let processing = vec![12, 0x24, 5, 2, 1, 0, 0, 2, 0x4B, 0x10, 0, 0];
    let output = vec![9, 0x24, 3, 3, 0x01, 0x01, 0, 2, 0];
    let control_total = (13 + terminal.len() + processing.len() + output.len()) as u16;
    let mut control = vec![13, 0x24, 1, 0x10, 0x01];
    control.extend(control_total.to_le_bytes());
    control.extend(48_000_000_u32.to_le_bytes());
    control.extend([1, 1]);

    let stream_interface = vec![9, 4, 1, 0, 1, 0x0E, 2, 0, 0];
    let described: Vec<u8> =
        formats.iter().enumerate().flat_map(|(index, kind)| format(*kind, index as u8 + 1)).collect();
    let header = 13 + formats.len();
    let mut stream = vec![header as u8, 0x24, 1, formats.len() as u8];
    stream.extend(((header + described.len()) as u16).to_le_bytes());
    stream.extend([STREAM_ENDPOINT, 0, 3, 0, 0, 0, 1]);
    stream.extend(formats.iter().map(|_| 0));
    let endpoint = vec![7, 5, STREAM_ENDPOINT, 2, 0x00, 0x02, 0];

    let body = [
        association,
        control_interface,
        control,
        terminal,
        processing,
        output,
        stream_interface,
        stream,
        described,
        endpoint,
    ]
    .concat();
    let mut bytes = vec![9, 2];
    bytes.extend((9 + body.len() as u16).to_le_bytes());
    bytes.extend([2, 1, 0, 0x80, 250]);
    bytes.extend(body);
    bytes
}

/// A string descriptor of the camera in a port: maker, product, serial number.
pub fn string(index: u8, port: usize) -> Vec<u8> {
    let text = match (index, port) {
        (0, _) => return vec![4, 3, 9, 4],
        (1, _) => "Groma tests",
        (2, 0) => "Fake webcam",
        (2, _) => "Other webcam",
        (_, 0) => "0001",
        _ => "0002",
    };
    let units: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut bytes = vec![2 + units.len() as u8, 3];
    bytes.extend(units);
    bytes
}

/// What was asked for of a stream, completed by what the camera decides: a 34-byte probe block.
pub fn probe_block(asked: &[u8], formats: usize) -> Vec<u8> {
    let mut block = vec![0_u8; 34];
    let given = asked.len().min(block.len());
    block[..given].copy_from_slice(&asked[..given]);
    block[2] = block[2].clamp(1, formats as u8);
    block[3] = block[3].clamp(1, SIZES.len() as u8);
    let wanted = interval_of(&block);
    let best = if wanted == 0 {
        INTERVALS[0]
    } else {
        INTERVALS.into_iter().min_by_key(|interval| interval.abs_diff(wanted)).unwrap_or(INTERVALS[0])
    };
    block[4..8].copy_from_slice(&best.to_le_bytes());
    let bytes = picture_bytes(SIZES[usize::from(block[3]) - 1]);
    block[18..22].copy_from_slice(&bytes.to_le_bytes());
    // One payload is one picture, and never fills this exactly.
    block[22..26].copy_from_slice(&(bytes + 1024).to_le_bytes());
    block[26..30].copy_from_slice(&48_000_000_u32.to_le_bytes());
    block
}

/// The frame interval of a probe block, in 100 ns.
pub fn interval_of(block: &[u8]) -> u32 {
    u32::from_le_bytes([block[4], block[5], block[6], block[7]])
}
