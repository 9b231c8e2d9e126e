//! Where frames come from, one file each kind.
//!
//! A picture's size is checked before it is decoded, a JPEG that is cut off is refused, and whatever can
//! fall silent is read in a thread of its own, of which the newest frame is taken.

mod decode;
mod jpeg;
#[cfg_attr(not(feature = "camera"), allow(dead_code))]
mod locks;
mod newest;
mod open;
mod photographs;
mod pixel_format;
mod returning;
mod stream;
mod video;
#[cfg(feature = "camera")]
mod webcam;
#[cfg(feature = "camera")]
mod webcam_controls;

pub use decode::{LEAST_SIDE_PX, MOST_PIXELS, check_size, decode_picture, read_picture};
pub use jpeg::end_of_jpeg;
pub use locks::{Lock, Locks, Setting};
pub use open::{open_lasting, open_source};
pub use photographs::Photographs;
pub use pixel_format::PixelFormat;
pub use returning::{Reopen, Returning};
pub use stream::Stream;
pub use video::VideoFile;
#[cfg(feature = "camera")]
pub use webcam::{CameraChoice, CameraState, ListedCamera, OfferedFormat, Webcam, list_cameras};
