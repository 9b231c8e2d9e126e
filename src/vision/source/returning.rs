//! A live source that may go away and come back: a camera whose cable is pulled, a stream that is cut.
//!
//! Where its source fails after the first frame, that is [`SourceError::Away`], and whoever asks for the next frame
//! has it opened anew. Frames go on as one row: capture times are counted from the first opening and rise strictly,
//! numbers go on, and the camera's number stays what it was first. Frames of another size are not this row's.

use crate::tracking::{CameraId, CapturedAt};
use crate::vision::source::Locks;
use crate::vision::{Frame, FrameSource, Lens, SourceError};
use std::time::{Duration, Instant};

/// Between two tries to open it again.
const BETWEEN_TRIES: Duration = Duration::from_millis(500);

/// Opens the source, for the first time and again.
pub type Reopen = Box<dyn FnMut() -> Result<Box<dyn FrameSource>, SourceError> + Send>;

/// A live source with what it takes to open it again.
pub struct Returning {
    open: Reopen,
    /// `None` while it is away.
    source: Option<Box<dyn FrameSource>>,
    description: String,
    device: Option<String>,
    begun: Instant,
    /// From the first opening to the one that now gives frames.
    shift: Duration,
    /// What the last frame was, once there was one.
    last: Option<Last>,
    between_tries: Duration,
}

/// What is kept of the last frame.
#[derive(Debug, Clone, Copy)]
struct Last {
    seq: u64,
    at: Duration,
    camera: CameraId,
    size: (usize, usize),
}

impl Returning {
    /// Opens it for the first time.
    ///
    /// # Errors
    /// What opening it says.
    pub fn open(open: Reopen) -> Result<Self, SourceError> {
        Self::patient(open, BETWEEN_TRIES)
    }

    fn patient(mut open: Reopen, between_tries: Duration) -> Result<Self, SourceError> {
        let source = open()?;
        let (description, device) = (source.description(), source.device());
        Ok(Self {
            open,
            source: Some(source),
            description,
            device,
            begun: Instant::now(),
            shift: Duration::ZERO,
            last: None,
            between_tries,
        })
    }

    /// It is away from now on, if it ever gave a frame; else it never was there.
    fn away(&mut self, why: SourceError) -> SourceError {
        match self.last {
            Some(_) => {
                // The device must be let go before it can be opened again.
                self.source = None;
                SourceError::Away { why: why.to_string() }
            }
            None => why,
        }
    }

    /// The source, opened again where it was away.
    fn present(&mut self) -> Result<&mut Box<dyn FrameSource>, SourceError> {
        if self.source.is_none() {
            std::thread::sleep(self.between_tries);
            match (self.open)() {
                Ok(source) => {
                    self.shift = self.begun.elapsed();
                    self.source = Some(source);
                }
                Err(why) => return Err(self.away(why)),
            }
        }
        Ok(self.source.as_mut().expect("it was there or has just been opened"))
    }

    /// The frame as one of this row.
    fn in_row(&mut self, frame: Frame) -> Result<Frame, SourceError> {
        let size = (frame.grey.width(), frame.grey.height());
        let at = frame.captured_at.0 + self.shift;
        let next = match self.last {
            None => Last { seq: frame.seq, at, camera: frame.camera, size },
            Some(last) if last.size != size => {
                return Err(SourceError::Size {
                    path: frame.label,
                    width: size.0,
                    height: size.1,
                    why: format!(
                        "before it went away its pictures were {}x{}; open it anew",
                        last.size.0, last.size.1
                    ),
                });
            }
            Some(last) => Last { seq: last.seq + 1, at: at.max(last.at + Duration::from_micros(1)), ..last },
        };
        self.last = Some(next);
        Ok(Frame { seq: next.seq, captured_at: CapturedAt(next.at), camera: next.camera, ..frame })
    }
}

impl FrameSource for Returning {
    fn description(&self) -> String {
        self.description.clone()
    }

    fn live(&self) -> bool {
        true
    }

    fn lens(&self) -> Option<Lens> {
        self.source.as_ref().and_then(|source| source.lens())
    }

    fn device(&self) -> Option<String> {
        self.device.clone()
    }

    fn locks(&self) -> Option<Locks> {
        self.source.as_ref().and_then(|source| source.locks())
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        match self.present()?.next_frame() {
            Ok(Some(frame)) => self.in_row(frame).map(Some),
            Ok(None) => Ok(None),
            Err(why) => Err(self.away(why)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::GreyImage;
    use std::collections::VecDeque;
    use std::sync::Arc;

    fn gone() -> SourceError {
        SourceError::Camera { camera: "3".to_owned(), why: "it is gone; plug it in again".to_owned() }
    }

    /// Gives so many frames of a side, each a tenth of a second after the one before, then it is pulled out.
    struct Pulled {
        camera: u16,
        side: usize,
        given: u64,
        gives: u64,
    }

    impl FrameSource for Pulled {
        fn description(&self) -> String {
            format!("camera {}", self.camera)
        }
        fn live(&self) -> bool {
            true
        }
        fn device(&self) -> Option<String> {
            Some("Fake webcam".to_owned())
        }
        fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
            if self.given == self.gives {
                return Err(gone());
            }
            self.given += 1;
            Ok(Some(Frame {
                seq: self.given - 1,
                captured_at: CapturedAt(Duration::from_millis(100 * self.given)),
                camera: CameraId(self.camera),
                grey: Arc::new(
                    GreyImage::new(self.side, self.side, vec![0; self.side.pow(2)]).expect("a square"),
                ),
                colour: None,
                label: self.description(),
            }))
        }
    }

    /// Openings that come out so, one after the other; then none does.
    fn openings(list: Vec<Result<Pulled, SourceError>>) -> Reopen {
        let mut list = VecDeque::from(list);
        Box::new(move || match list.pop_front() {
            Some(Ok(source)) => Ok(Box::new(source) as Box<dyn FrameSource>),
            Some(Err(why)) => Err(why),
            None => Err(gone()),
        })
    }

    fn pulled(camera: u16, side: usize, gives: u64) -> Result<Pulled, SourceError> {
        Ok(Pulled { camera, side, given: 0, gives })
    }

    fn returning(list: Vec<Result<Pulled, SourceError>>) -> Returning {
        Returning::patient(openings(list), Duration::ZERO).expect("the first opening is good")
    }

    #[test]
    fn a_camera_that_comes_back_at_another_index_goes_on_in_the_same_row() {
        let mut source = returning(vec![pulled(0, 8, 3), Err(gone()), pulled(4, 8, 2)]);
        let mut frames = Vec::new();
        let mut aways = 0;
        while frames.len() < 5 {
            match source.next_frame() {
                Ok(frame) => frames.push(frame.expect("a live source goes on")),
                Err(SourceError::Away { why }) => {
                    assert!(why.contains("plug it in again"), "{why}");
                    aways += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
        // Pulled out, and once not yet back.
        assert_eq!(aways, 2);
        assert_eq!(frames.iter().map(|f| f.seq).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
        assert!(frames.iter().all(|f| f.camera == CameraId(0)));
        assert!(frames.windows(2).all(|pair| pair[0].captured_at < pair[1].captured_at));
        assert_eq!(source.description(), "camera 0");
        assert_eq!(source.device().as_deref(), Some("Fake webcam"));
    }

    #[test]
    fn a_camera_that_stays_away_is_away_at_every_try() {
        let mut source = returning(vec![pulled(0, 8, 1)]);
        assert!(source.next_frame().is_ok());
        for _ in 0..4 {
            assert!(matches!(source.next_frame(), Err(SourceError::Away { .. })));
        }
    }

    #[test]
    fn a_camera_that_never_gave_a_frame_was_never_there() {
        assert_eq!(returning(vec![pulled(0, 8, 0)]).next_frame().expect_err("no frame"), gone());
        assert_eq!(Returning::open(openings(vec![])).err().expect("no opening"), gone());
    }

    #[test]
    fn pictures_of_another_size_are_not_taken_for_the_same() {
        let mut source = returning(vec![pulled(0, 8, 1), pulled(0, 16, 1)]);
        assert!(source.next_frame().is_ok());
        assert!(matches!(source.next_frame(), Err(SourceError::Away { .. })));
        let why = source.next_frame().expect_err("another size");
        assert!(matches!(why, SourceError::Size { width: 16, .. }), "{why}");
        assert!(why.to_string().contains("8x8"), "{why}");
    }
}
