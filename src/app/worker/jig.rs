//! The thread that measures a mount from the pictures of its base in the jig: started anew for each base, it reports
//! once.

use super::channel::{Feed, Report};
use crate::vision::jig::{JigReading, JigTag, measure};
use crate::vision::{Frame, Lens};

/// What the thread reports.
#[derive(Debug)]
pub enum JigEvent {
    /// What the pictures say.
    Measured {
        /// Of which element.
        element: String,
        /// Its mounts, and the pictures without use.
        reading: JigReading,
    },
    /// Nothing could be measured. In words that say what to do.
    Failed(String),
}

impl Report for JigEvent {
    fn is_last(&self) -> bool {
        true
    }

    fn broken_down() -> Self {
        Self::Failed(
            "the measuring thread broke down. Take the pictures again, and please report this.".to_owned(),
        )
    }
}

/// What the thread is started with.
pub struct JigOrder {
    /// Whose base is in the pictures.
    pub element: String,
    /// The pictures.
    pub frames: Vec<Frame>,
    /// The lens, where a profile tells it.
    pub lens: Option<Lens>,
    /// The element's tags as its roster has them.
    pub tags: Vec<JigTag>,
    /// The printed jig's true size over its nominal one.
    pub scale: f64,
    /// Called after the event, to wake the window.
    pub wake: Box<dyn Fn() + Send>,
}

impl Feed<JigEvent> {
    /// Starts a thread on `order`.
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub fn measure(order: JigOrder) -> std::io::Result<Self> {
        let JigOrder { element, frames, lens, tags, scale, wake } = order;
        Self::spawn("groma jig", wake, move |_| {
            Ok(match measure(&frames, lens.as_ref(), &tags, scale) {
                Ok(reading) => JigEvent::Measured { element, reading },
                Err(why) => JigEvent::Failed(why.to_string()),
            })
        })
    }
}
