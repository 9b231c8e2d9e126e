//! What `groma measure --evidence` puts on its page: the spot's picture with the bases and binding points, and what the
//! answers rest on.

use crate::judge::Judgement;
use crate::markers::{RestsOn, SpotBase, rests_on, spot_picture};
use crate::session::evidence::{Evidence, Photograph};
use crate::text::{now_ms, time_of, today};
use crate::vision::Frame;
use crate::vision::location::RegisteredCamera;
use anyhow::{Result, anyhow};

/// All that the page tells.
pub(super) fn evidence(
    title: &str,
    frame: &Frame,
    camera: &RegisteredCamera,
    found: &[SpotBase],
    answers: Vec<Judgement>,
    rests: &RestsOn<'_>,
) -> Result<Evidence> {
    let spot = spot_picture(frame, camera, found, &answers)
        .ok_or_else(|| anyhow!("the bases lie outside the picture"))?;
    let photograph = Photograph {
        jpeg: spot.jpeg().map_err(|why| anyhow!(why))?,
        size_px: (spot.picture.width(), spot.picture.height()),
        outlines: spot.outlines,
        binding: spot.binding,
    };
    Ok(Evidence {
        title: title.to_owned(),
        when: format!("Made {} {} UTC", today(), time_of(now_ms())),
        rests_on: rests_on(frame, camera, found, &answers, rests),
        answers,
        photograph: Some(photograph),
    })
}
