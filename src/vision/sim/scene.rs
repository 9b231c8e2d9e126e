//! What stands on the simulated table.
//!
//! Table frame, millimetres. A scene knows bases, tags and figures; of troops and rules it knows
//! nothing. Invariant: every placement names a base of the scene, and every tag has a pattern.

use super::print::print_mm;
use super::props::Props;
use crate::geometry::{Footprint, Pose};
use crate::tracking::{ReferenceTag, Tag};
use std::collections::BTreeSet;

/// The colours of a print.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ink {
    /// Black on white.
    #[default]
    Black,
    /// Dark earth on sand, which looks better among painted figures.
    Earth,
}

/// A tag on a base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SimTag {
    /// Which tag.
    pub tag: Tag,
    /// Side of the square whose corners the detector returns, millimetres.
    pub size_mm: f64,
    /// The tag's centre, to the right of the base's centre as its troops see it, millimetres.
    pub right_mm: f64,
    /// The tag's centre, ahead of the base's centre, millimetres.
    pub forward_mm: f64,
    /// Turn of the printed tag on the base, anticlockwise degrees; 0: its top towards the front.
    pub rotation_deg: f64,
    /// Height of the printed face above the base's top, millimetres; more than a few stands on a stalk.
    pub height_mm: f64,
    /// Its colours.
    pub ink: Ink,
    /// How far apart light and dark are, as a share of the ink's own, 0 to 1: both are drawn towards the
    /// middle between them, in the values that a screen shows (sRGB).
    pub contrast: f64,
}

/// What stands on a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Figures {
    /// Nothing: a bare base.
    Empty,
    /// Close foot with shields and upright spears or pikes.
    Spears,
    /// Close foot with shields and swords.
    Swords,
    /// Foot with bows.
    Bows,
    /// Scattered foot without armour.
    Loose,
    /// Riders with lances.
    Riders,
    /// An elephant.
    Elephant,
    /// A chariot and its team.
    Chariot,
    /// An engine and its crew.
    Engine,
}

/// A base.
#[derive(Debug, Clone, PartialEq)]
pub struct SimBase {
    /// Its name, as in the roster.
    pub name: String,
    /// Which side: 0 stands at the near edge, others at the far edge.
    pub side: usize,
    /// Along its front, millimetres.
    pub width_mm: f64,
    /// Front to rear, millimetres.
    pub depth_mm: f64,
    /// Of the base itself, millimetres.
    pub thickness_mm: f64,
    /// Its tags.
    pub tags: Vec<SimTag>,
    /// The colour of its side, 8-bit sRGB.
    pub colour: [u8; 3],
    /// Who stands on it.
    pub figures: Figures,
}

/// Where a base stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Placement {
    /// Which base.
    pub name: String,
    /// Its centre and the way its front looks.
    pub pose: Pose,
    /// Height of the ground under it, millimetres.
    pub ground_mm: f64,
}

/// A table with its bases.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    width_mm: f64,
    depth_mm: f64,
    reference: Vec<ReferenceTag>,
    bases: Vec<SimBase>,
    placements: Vec<Placement>,
    props: Props,
}

/// Why there is no scene.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SceneError {
    /// A playing area without sides.
    #[error("the simulated table is {width_mm} by {depth_mm} mm: give both sides, each more than zero")]
    Area {
        /// Along x.
        width_mm: f64,
        /// Along y.
        depth_mm: f64,
    },
    /// A base whose sides are not lengths.
    #[error(
        "the base \"{name}\" has no sides: give a width and a depth of more than zero, and a thickness of 0 to 1000 mm"
    )]
    Base {
        /// Which base.
        name: String,
    },
    /// Two bases of one name.
    #[error("two bases are named \"{name}\": give each its own name")]
    Twice {
        /// The name.
        name: String,
    },
    /// A placement of a base that is not there.
    #[error("\"{name}\" is placed on the table but no base has that name")]
    Unknown {
        /// The name.
        name: String,
    },
    /// A tag that its family does not have.
    #[error("there is no {tag}: choose an id below {ids}")]
    Tag {
        /// The tag.
        tag: Tag,
        /// Ids of its family.
        ids: u32,
    },
    /// A camera that does not see.
    #[error("the simulated camera cannot be set up: {why}")]
    Camera {
        /// What is wrong, and what to do.
        why: String,
    },
}

impl Scene {
    /// A table with `bases` where `placements` say; a base without a placement is not on the table.
    pub fn placed(
        width_mm: f64,
        depth_mm: f64,
        reference: Vec<ReferenceTag>,
        bases: Vec<SimBase>,
        placements: Vec<Placement>,
    ) -> Result<Self, SceneError> {
        let good = |v: f64| v.is_finite() && v > 0.0;
        if !good(width_mm) || !good(depth_mm) {
            return Err(SceneError::Area { width_mm, depth_mm });
        }
        let mut names = BTreeSet::new();
        for base in &bases {
            if !good(base.width_mm) || !good(base.depth_mm) || !(0.0..=1000.0).contains(&base.thickness_mm) {
                return Err(SceneError::Base { name: base.name.clone() });
            }
            if !names.insert(base.name.as_str()) {
                return Err(SceneError::Twice { name: base.name.clone() });
            }
        }
        let tags =
            reference.iter().map(|r| r.tag).chain(bases.iter().flat_map(|b| b.tags.iter().map(|t| t.tag)));
        for tag in tags {
            if tag.id >= tag.family.ids() {
                return Err(SceneError::Tag { tag, ids: tag.family.ids() });
            }
        }
        let mut placed = BTreeSet::new();
        for placement in &placements {
            if !names.contains(placement.name.as_str()) {
                return Err(SceneError::Unknown { name: placement.name.clone() });
            }
            if !placed.insert(placement.name.as_str()) {
                return Err(SceneError::Twice { name: placement.name.clone() });
            }
        }
        Ok(Self { width_mm, depth_mm, reference, bases, placements, props: Props::default() })
    }

    /// The same with every tag on a base printed in this ink and contrast (see [`SimTag::contrast`]).
    pub fn printed(self, ink: Ink, contrast: f64) -> Self {
        self.glued(|tag| (tag.ink, tag.contrast) = (ink, contrast))
    }

    /// The same with every tag on a base put where `glue` puts it.
    pub fn glued(mut self, mut glue: impl FnMut(&mut SimTag)) -> Self {
        self.bases.iter_mut().flat_map(|base| &mut base.tags).for_each(&mut glue);
        self
    }

    /// Along x, millimetres.
    pub fn width_mm(&self) -> f64 {
        self.width_mm
    }

    /// Along y, millimetres.
    pub fn depth_mm(&self) -> f64 {
        self.depth_mm
    }

    /// The table's own tags.
    pub fn reference(&self) -> &[ReferenceTag] {
        &self.reference
    }

    /// Every base, on the table or not.
    pub fn bases(&self) -> &[SimBase] {
        &self.bases
    }

    /// Where bases stand at the beginning.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The same with props.
    pub fn with(self, props: Props) -> Self {
        Self { props, ..self }
    }

    /// What is out of the ordinary.
    pub fn props(&self) -> &Props {
        &self.props
    }

    pub(super) fn reference_mut(&mut self) -> &mut Vec<ReferenceTag> {
        &mut self.reference
    }

    pub(super) fn placements_mut(&mut self) -> &mut [Placement] {
        &mut self.placements
    }

    /// The base of that name.
    pub fn base(&self, name: &str) -> Option<&SimBase> {
        self.bases.iter().find(|b| b.name == name)
    }
}

impl SimBase {
    /// The ground it covers at `pose`.
    pub fn footprint(&self, pose: Pose) -> Footprint {
        Footprint::new(pose, self.width_mm, self.depth_mm).expect("a scene's bases have sides")
    }
}

impl SimTag {
    /// Where the tag lies when its base stands at `pose`: its centre, and the way its top points.
    pub fn pose(&self, base: Pose) -> Pose {
        Pose {
            centre: base.at(self.right_mm, self.forward_mm),
            heading: base.heading.turned_degrees(self.rotation_deg),
        }
    }

    /// Side of the whole print, white edge included, millimetres.
    pub fn print_mm(&self) -> f64 {
        print_mm(self.tag, self.size_mm)
    }
}
