//! Where frames come from, one file each kind.
//!
//! A picture's size is checked before it is decoded, and a JPEG that is cut off is refused.

mod decode;
mod jpeg;
mod photographs;

pub use decode::{LEAST_SIDE_PX, MOST_PIXELS, check_size, decode_picture, read_picture};
pub use photographs::Photographs;
