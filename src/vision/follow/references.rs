//! The reference tags while a table is followed: each is compared with its own window in every frame, and
//! looked at anew where that changed and has come to rest. Pixels; corners as [`ReferenceSight`] has them.

use super::change::{ChangeMap, Likeness, Patchlet};
use super::places::grown;
use super::window_of;
use crate::tracking::Tag;
use crate::vision::location::ReferenceSight;
use crate::vision::measure::refine_reference;
use crate::vision::register::Scratch;
use crate::vision::{GreyImage, Lens, TagDetector};

/// A changed reference tag is looked at anew after so many frames, and if it is not found, again after so
/// many.
pub(super) const FIRST_LOOK: u32 = 3;
const NEXT_LOOK: u32 = 30;
/// A window that changed but is this like its copy shows the same thing, a little shifted.
const SHIFTED: f64 = 0.9;
/// A tag found again within this distance of its old place has not moved, pixels: its window changed by
/// light or shadow.
const SAME_PLACE_PX: f64 = 0.15;

/// One reference tag of the table.
#[derive(Debug, Clone)]
pub(super) struct Watched {
    /// Where it was last seen.
    pub sight: ReferenceSight,
    /// Whether the camera was placed by it, at the start.
    pub used: Used,
    patchlet: Patchlet,
    now: Option<Likeness>,
    /// Frames in a row in which its window was not as it had been.
    changed: u32,
}

/// Whether the camera was placed by a reference tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Used {
    /// It was.
    Yes,
    /// It did not fit the others.
    No,
}

/// What the reference tags say of this frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Count {
    /// Used ones whose windows are as they were.
    pub unchanged: usize,
    /// Used ones that changed but still show the same, as after a slight knock of the camera.
    pub shifted: usize,
    /// Used ones that changed in this frame and had not before.
    pub fresh: usize,
}

impl Watched {
    /// A reference tag as it is seen now; `None` where it reaches out of the picture.
    pub fn new(picture: &GreyImage, sight: ReferenceSight, used: Used) -> Option<Self> {
        let window = window_of(&sight.corners_px.in_order(), picture)?;
        Some(Self { sight, used, patchlet: Patchlet::of(picture, window), now: None, changed: 0 })
    }

    /// Whether it was to be seen in the last frame as it had been.
    pub fn is_seen(&self) -> bool {
        self.changed == 0
    }

    /// The gain of its light since its window was kept, where the window still shows the same.
    pub fn gain(&self) -> Option<f64> {
        self.now.filter(|n| n.correlation > SHIFTED).map(|n| n.gain)
    }

    /// How its window compares now; where it has not changed, its difference is the frames' grain.
    pub fn difference(&self) -> Option<f64> {
        self.now.filter(|_| self.is_seen()).map(|n| n.difference)
    }
}

/// Compares all with the picture.
pub(super) fn compare(all: &mut [Watched], picture: &GreyImage, limit: f64) -> Count {
    let mut count = Count::default();
    for one in all {
        let now = one.patchlet.likeness(picture);
        one.now = Some(now);
        let same = now.difference <= limit;
        one.changed = if same { 0 } else { one.changed.saturating_add(1) };
        if one.used == Used::Yes {
            count.unchanged += usize::from(same);
            count.shifted += usize::from(!same && now.correlation > SHIFTED);
            count.fresh += usize::from(one.changed == 1);
        }
    }
    count
}

/// What came of looking at reference tags again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::vision) enum News {
    /// Nothing.
    #[default]
    None,
    /// One lies elsewhere than it did, or is back where it lay.
    Moved,
    /// One is seen that was not when the camera was placed.
    Appeared(Tag),
}

/// Looks at one reference tag again whose window changed and has come to rest.
pub(super) fn look_again(
    all: &mut [Watched],
    picture: &GreyImage,
    map: &ChangeMap,
    (detector, lens): (&mut TagDetector, &Lens),
    scratch: &mut Scratch,
) -> News {
    let due = |one: &&mut Watched| {
        let due =
            one.changed == FIRST_LOOK || one.changed > FIRST_LOOK && one.changed.is_multiple_of(NEXT_LOOK);
        due && !map.is_hot(one.patchlet.window())
    };
    let Some(one) = all.iter_mut().find(due) else { return News::None };
    let window = one.patchlet.window();
    let size = (picture.width(), picture.height());
    let place = grown(window, window.width.max(window.height) * 2 / 3, size);
    let found = detector.detect_in(picture, place).into_iter().find(|d| d.tag == one.sight.place.tag);
    let Some(found) = found else { return News::None };
    seen_at(one, picture, ReferenceSight { corners_px: found.corners_px, ..one.sight }, lens, scratch)
}

/// Takes note of where a reference tag was found again.
pub(super) fn seen_at(
    one: &mut Watched,
    picture: &GreyImage,
    sight: ReferenceSight,
    lens: &Lens,
    scratch: &mut Scratch,
) -> News {
    let refined = refine_reference(picture, lens, &[sight], scratch);
    let [(_, sight)] = refined.sights.as_slice() else { return News::None };
    let Some(window) = window_of(&sight.corners_px.in_order(), picture) else { return News::None };
    let (was, is) = (one.sight.corners_px.in_order(), sight.corners_px.in_order());
    let moved = was.iter().zip(&is).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
    one.patchlet.renew(picture, window);
    one.changed = 0;
    if moved <= SAME_PLACE_PX {
        return News::None;
    }
    one.sight = *sight;
    News::Moved
}
