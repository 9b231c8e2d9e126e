//! Measuring a tag whose id is known: its printed pattern is laid onto the picture and moved until the
//! two agree. Finer than finding the corners of its square, and possible where the square is crossed.

mod fit;
mod layers;
mod response;
mod spread;
mod warps;

pub use fit::{Fit, Optics, OpticsKnowledge, Start, Warp, fit};
pub use layers::{Scratch, Window};
pub use response::Response;
pub use warps::{OnPlane, Patch};

#[cfg(test)]
mod tests;
