//! Where the bundle begins: from the places a file gives, or from one tag, whose square alone fixes the
//! plane well enough to place its neighbours, and so from tag to tag and picture to picture.

use super::bundle::{State, arms};
use super::{Anchor, TableView, TagSight, TagToPlace};
use crate::geometry::{Heading, Point, Pose};
use crate::tracking::{KnownTag, Tag};
use crate::vision::location::{Normal, POSE_UNKNOWNS, first_poses, fit_flat, minimise, pose_moved, project};
use crate::vision::{CameraModel, CameraPose, Lens, PixelPoint};
use nalgebra::{DVector, Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use std::collections::BTreeMap;

/// Seeds that are tried, largest first.
const SEEDS: usize = 4;

/// What a start is made of.
pub(super) struct Begin<'a> {
    pub views: &'a [TableView],
    pub tags: &'a [TagToPlace],
    pub index: &'a BTreeMap<Tag, usize>,
    pub lens: Lens,
}

/// Places and cameras as far as they are known.
#[derive(Clone)]
struct Grown {
    places: BTreeMap<usize, Pose>,
    cameras: BTreeMap<usize, CameraPose>,
}

impl Begin<'_> {
    /// Every start that reaches all views and tags, in the frame of the anchors; the label of a view that
    /// none reached where there is no start.
    pub fn states(&self, anchors: &[Anchor]) -> Result<Vec<State>, String> {
        let mut states = Vec::new();
        let mut unreached = None;
        for start in self.starts() {
            match self.grow(start) {
                Ok(grown) => states.extend(self.framed(grown, anchors)),
                Err(label) => unreached = Some(label),
            }
        }
        match unreached {
            Some(label) if states.is_empty() => Err(label),
            _ => Ok(states),
        }
    }

    fn starts(&self) -> Vec<Grown> {
        let written: BTreeMap<usize, Pose> = self
            .tags
            .iter()
            .enumerate()
            .filter_map(|(i, t)| Some((i, t.written?)))
            .map(|(i, (x, y, rotation))| (i, Pose::new(x, y, 90.0 + rotation)))
            .collect();
        let mut starts = Vec::new();
        if written.len() >= 2 {
            starts.push(Grown { places: written, cameras: BTreeMap::new() });
        }
        let most = self.views.iter().max_by_key(|v| v.sights.len());
        let mut seeds: Vec<&TagSight> = most.map(|v| v.sights.iter().collect()).unwrap_or_default();
        seeds.sort_by(|a, b| side_px(b).total_cmp(&side_px(a)));
        for seed in seeds.into_iter().take(SEEDS) {
            if let Some(&i) = self.index.get(&seed.tag) {
                let places = BTreeMap::from([(i, Pose::new(0.0, 0.0, 90.0))]);
                starts.push(Grown { places, cameras: BTreeMap::new() });
            }
        }
        starts
    }

    /// Adds picture after picture, each by the tags already placed.
    fn grow(&self, mut grown: Grown) -> Result<Grown, String> {
        while grown.cameras.len() < self.views.len() {
            let known =
                |view: &TableView| view.sights.iter().filter(|s| self.place_of(&grown, s).is_some()).count();
            let next = (0..self.views.len())
                .filter(|v| !grown.cameras.contains_key(v))
                .max_by_key(|&v| (known(&self.views[v]), self.views[v].sights.len()))
                .filter(|&v| known(&self.views[v]) > 0);
            let first = self.views.iter().enumerate().find(|(v, _)| !grown.cameras.contains_key(v));
            let Some(v) = next else {
                return Err(first.map_or_else(String::new, |(_, view)| view.label.clone()));
            };
            self.add_view(&mut grown, v).ok_or_else(|| self.views[v].label.clone())?;
        }
        Ok(grown)
    }

    fn place_of(&self, grown: &Grown, sight: &TagSight) -> Option<(usize, Pose)> {
        let i = *self.index.get(&sight.tag)?;
        Some((i, *grown.places.get(&i)?))
    }

    /// Places the camera of a view, then its new tags one by one, the nearest to what is known first.
    fn add_view(&self, grown: &mut Grown, v: usize) -> Option<()> {
        let sights = &self.views[v].sights;
        loop {
            let mut pairs = Vec::new();
            let mut middles = Vec::new();
            let mut new = Vec::new();
            for sight in sights {
                match self.place_of(grown, sight) {
                    Some((i, place)) => {
                        pairs.extend(self.printed(i, place).into_iter().zip(sight.corners_px.in_order()));
                        middles.push(middle(sight));
                    }
                    None => new.push(sight),
                }
            }
            let pose = self.camera(&pairs)?;
            let away =
                |s: &TagSight| middles.iter().map(|m| (middle(s) - m).norm()).fold(f64::INFINITY, f64::min);
            new.sort_by(|a, b| away(a).total_cmp(&away(b)));
            let Some(sight) = new.first() else {
                grown.cameras.insert(v, pose);
                return Some(());
            };
            let i = *self.index.get(&sight.tag)?;
            let known = KnownTag {
                size_mm: self.tags[i].size_mm,
                height_mm: self.tags[i].z_mm,
                height_sigma_mm: 0.0,
            };
            let flat = fit_flat(&CameraModel { lens: self.lens, pose }, &known, &sight.corners_px)?;
            grown.places.insert(i, flat.pose);
        }
    }

    fn printed(&self, tag: usize, place: Pose) -> [Point3<f64>; 4] {
        let known = &self.tags[tag];
        arms(known.size_mm).map(|(right, ahead)| {
            let at = place.at(right, ahead);
            Point3::new(at.x, at.y, known.z_mm)
        })
    }

    /// The camera that sees these pairs, its lens known.
    fn camera(&self, pairs: &[(Point3<f64>, PixelPoint)]) -> Option<CameraPose> {
        let equations = |pose: &CameraPose| {
            let camera = CameraModel { lens: self.lens, pose: *pose };
            let mut normal = Normal::zeros(POSE_UNKNOWNS);
            for (at, pixel) in pairs {
                let p = project(&camera, *at)?;
                for axis in 0..2 {
                    let row = DVector::from_iterator(POSE_UNKNOWNS, p.by_pose.row(axis).iter().copied());
                    normal.add(p.pixel[axis] - pixel[axis], &row);
                }
            }
            Some(normal)
        };
        first_poses(pairs, &self.lens)
            .into_iter()
            .filter_map(|start| minimise(start, equations, |p, step| pose_moved(p, step.as_slice())))
            .filter(|(pose, _)| pose.eye().z > 0.0)
            .min_by(|a, b| a.1.cost.total_cmp(&b.1.cost))
            .map(|(pose, _)| pose)
    }

    /// The state shifted and turned into the anchors' frame; `None` where they leave it open.
    fn framed(&self, grown: Grown, anchors: &[Anchor]) -> Option<State> {
        let place = |tag: &Tag| self.index.get(tag).and_then(|i| grown.places.get(i)).map(|p| p.centre);
        let mut known = anchors.iter().filter_map(|a| match a {
            Anchor::Place { tag, at, .. } => Some((place(tag)?, Point::new(at.0, at.1))),
            _ => None,
        });
        let (from, to) = known.next()?;
        let turn = match known.next() {
            Some((other, there)) => {
                Heading::along(other - from)?.turn_to_radians(Heading::along(there - to)?)
            }
            None => anchors.iter().find_map(|a| match a {
                Anchor::Direction { from, to, degrees } => {
                    let own = Heading::along(place(to)? - place(from)?)?;
                    Some(own.turn_to_radians(Heading::from_degrees(*degrees)))
                }
                _ => None,
            })?,
        };
        // table = R (local - from) + to.
        let rotation = UnitQuaternion::from_axis_angle(&Vector3::z_axis(), turn);
        let shift = Vector3::new(to.x, to.y, 0.0) - rotation * Vector3::new(from.x, from.y, 0.0);
        let table_from_local = Isometry3::from_parts(Translation3::from(shift), rotation);
        let moved = |p: &Pose| {
            let at = table_from_local * Point3::new(p.centre.x, p.centre.y, 0.0);
            Pose {
                centre: Point::new(at.x, at.y),
                heading: Heading::from_radians(p.heading.radians() + turn),
            }
        };
        let places = (0..self.tags.len()).map(|i| grown.places.get(&i).map(&moved)).collect::<Option<_>>()?;
        let cameras = (0..self.views.len())
            .map(|v| {
                let camera_from_local = grown.cameras.get(&v)?.camera_from_table;
                Some(CameraPose { camera_from_table: camera_from_local * table_from_local.inverse() })
            })
            .collect::<Option<_>>()?;
        Some(State { lens: self.lens, ln_size: 0.0, places, cameras })
    }
}

fn middle(sight: &TagSight) -> PixelPoint {
    let sum = sight.corners_px.in_order().iter().fold(nalgebra::Vector2::zeros(), |s, c| s + c.coords);
    PixelPoint::from(sum / 4.0)
}

fn side_px(sight: &TagSight) -> f64 {
    let c = sight.corners_px.in_order();
    (0..4).map(|i| (c[(i + 1) % 4] - c[i]).norm()).sum::<f64>() / 4.0
}
