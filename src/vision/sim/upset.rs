//! What may happen to a table while it is played on: the same scene, upset. The table file and the camera
//! stay as they were, so that whatever reads the pictures must find out. Table frame, millimetres.

use super::{Placement, Scene};
use crate::geometry::{Pose, Vector};
use crate::tracking::{ReferenceTag, Tag};

/// One thing that happens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Upset {
    /// A reference tag is shifted and turned.
    ReferenceMoved {
        /// Which one.
        tag: Tag,
        /// Along x and y.
        by_mm: Vector,
        /// Anticlockwise.
        turn_deg: f64,
    },
    /// A reference tag is taken away.
    ReferenceGone {
        /// Which one.
        tag: Tag,
    },
    /// The cloth under a reference tag rises.
    Wrinkled {
        /// Which one.
        tag: Tag,
        /// By so much.
        by_mm: f64,
    },
    /// The board slides, with all bases, under reference tags that stay.
    Slid {
        /// Along x and y.
        by_mm: Vector,
        /// Anticlockwise, about the board's middle.
        turn_deg: f64,
    },
    /// The board bows upwards along x, and everything on it rises with it.
    Bowed {
        /// How much higher its middle lies than its left and right rim.
        by_mm: f64,
    },
}

impl Scene {
    /// The scene after this has happened.
    pub fn upset(&self, upset: Upset) -> Self {
        let mut scene = self.clone();
        let middle = Vector::new(self.width_mm() / 2.0, self.depth_mm() / 2.0);
        let on_tag = |scene: &mut Self, tag: Tag, change: &dyn Fn(&mut ReferenceTag)| {
            scene.reference_mut().iter_mut().filter(|r| r.tag == tag).for_each(change);
        };
        match upset {
            Upset::ReferenceMoved { tag, by_mm, turn_deg } => on_tag(&mut scene, tag, &|r| {
                (r.x_mm, r.y_mm) = (r.x_mm + by_mm.x, r.y_mm + by_mm.y);
                r.rotation_deg += turn_deg;
            }),
            Upset::ReferenceGone { tag } => scene.reference_mut().retain(|r| r.tag != tag),
            Upset::Wrinkled { tag, by_mm } => on_tag(&mut scene, tag, &|r| r.z_mm += by_mm),
            Upset::Slid { by_mm, turn_deg } => {
                let (sin, cos) = turn_deg.to_radians().sin_cos();
                let slid = |p: &mut Placement| {
                    let from = p.pose.centre.coords - middle;
                    let turned = Vector::new(cos * from.x - sin * from.y, sin * from.x + cos * from.y);
                    p.pose = Pose {
                        centre: (middle + turned + by_mm).into(),
                        heading: p.pose.heading.turned_degrees(turn_deg),
                    };
                };
                scene.placements_mut().iter_mut().for_each(slid);
            }
            Upset::Bowed { by_mm } => {
                let reach =
                    scene.reference().iter().map(|r| (r.x_mm - middle.x).abs()).fold(middle.x, f64::max);
                let rise = |x_mm: f64| by_mm * (1.0 - ((x_mm - middle.x) / reach).powi(2));
                scene.reference_mut().iter_mut().for_each(|r| r.z_mm += rise(r.x_mm));
                scene.placements_mut().iter_mut().for_each(|p| p.ground_mm += rise(p.pose.centre.x));
            }
        }
        scene
    }
}
