//! Where a JPEG ends. A JPEG that is cut off decodes without an error into a damaged picture, and a
//! webcam's buffer carries stale bytes after the end, so the end is looked for first.

/// The length of the JPEG at the start of `bytes`, its end marker included, or `None` where `bytes` do
/// not begin with a JPEG or its end marker is not there.
///
/// Segments are walked by their lengths up to the scan, so a thumbnail's own end marker is not taken
/// for the picture's; inside a scan an FF D9 can be nothing but the end.
pub fn end_of_jpeg(bytes: &[u8]) -> Option<usize> {
    if bytes.get(..2) != Some(&[0xFF, 0xD8]) {
        return None;
    }
    let mut at = 2;
    loop {
        // Fill bytes may stand before a marker.
        while bytes.get(at) == Some(&0xFF) && bytes.get(at + 1) == Some(&0xFF) {
            at += 1;
        }
        if bytes.get(at) != Some(&0xFF) {
            return None;
        }
        match *bytes.get(at + 1)? {
            0xD9 => return Some(at + 2),
            0x01 | 0xD0..=0xD7 => at += 2,
            0xDA => break,
            _ => {
                let length = usize::from(*bytes.get(at + 2)?) << 8 | usize::from(*bytes.get(at + 3)?);
                at = at.checked_add(2 + length.max(2))?;
            }
        }
    }
    bytes[at..].windows(2).position(|w| w == [0xFF, 0xD9]).map(|end| at + end + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Start, an APP1 segment that holds a thumbnail's end marker, a scan, the end.
    const WHOLE: [u8; 18] =
        [0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 0xFF, 0xD9, 0xFF, 0xDA, 0, 3, 1, 0x12, 0xFF, 0x00, 0xFF, 0xD9];

    #[test]
    fn the_end_is_the_pictures_not_the_thumbnails_nor_a_stale_one() {
        let mut stale = WHOLE.to_vec();
        stale.extend([7, 7, 0xFF, 0xD9]);
        assert_eq!(end_of_jpeg(&stale), Some(18));
    }

    #[test]
    fn a_torn_jpeg_has_no_end_wherever_it_is_torn() {
        for length in 0..WHOLE.len() {
            assert_eq!(end_of_jpeg(&WHOLE[..length]), None, "{length}");
        }
    }

    #[test]
    fn other_bytes_are_no_jpeg() {
        assert_eq!(end_of_jpeg(b"hello, this is text \xFF\xD9"), None);
    }
}
