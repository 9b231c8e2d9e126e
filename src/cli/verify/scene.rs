//! A photograph's truth file, taken apart: what a table file, a roster and a lens profile would hold
//! ([`Known`]), and what serves scoring alone ([`Truth`]). They are read as separate types, so that
//! nothing of the second can reach the pipeline.

use crate::geometry::{Footprint, Pose, PoseEstimate, Vector};
use crate::tracking::{KnownTag, ReferenceTag, TableSnapshot, Tag, TagBook, TagFamily, Visibility};
use crate::vision::{Distortion, Lens};
use anyhow::{Result, bail};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

/// How thick the bases of these scenes are, millimetres.
const BASE_THICKNESS_MM: f64 = 2.0;

/// What people would have written down before the photograph was taken.
#[derive(Debug, Clone)]
pub struct Known {
    /// The table's reference tags, the elements' tags, and every other id of their families as decoys.
    pub book: TagBook,
    /// The playing area: width and depth, millimetres.
    pub board_mm: (f64, f64),
    /// The lens profile.
    pub lens: Lens,
    /// The roster, in the file's order.
    pub elements: Vec<KnownElement>,
}

/// An element as a roster would describe it.
#[derive(Debug, Clone)]
pub struct KnownElement {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub side: u32,
    /// Width and depth of its base, millimetres.
    pub base_mm: [f64; 2],
    /// Its tags and how they are mounted.
    pub tags: Vec<Mount>,
}

/// How a tag is mounted on its base.
#[derive(Debug, Clone, Copy)]
pub struct Mount {
    /// Which tag.
    pub tag: Tag,
    /// Tag's centre from the base's centre: right and forward, millimetres.
    pub offset_mm: [f64; 2],
    /// Turn of the printed tag on the base, anticlockwise.
    pub rotation_deg: f64,
}

impl Mount {
    /// The base's pose, from its tag's.
    pub fn base_of(&self, tag: &PoseEstimate) -> PoseEstimate {
        let heading = tag.pose.heading.turned_degrees(-self.rotation_deg);
        let arm: Vector = heading.right() * -self.offset_mm[0] + heading.vector() * -self.offset_mm[1];
        tag.carried(arm, -self.rotation_deg)
    }
}

impl KnownElement {
    /// Its base's pose, where one of its tags was measured in this very frame; the surest of them.
    pub fn fresh_pose(&self, snapshot: &TableSnapshot) -> Option<PoseEstimate> {
        let fresh = self.tags.iter().filter_map(|mount| {
            let track = snapshot.tracks.get(&mount.tag)?;
            let pose = track.pose.as_ref().filter(|_| track.visibility == Visibility::Seen)?;
            Some(mount.base_of(pose))
        });
        fresh.min_by(|a, b| a.sigma_place_mm().total_cmp(&b.sigma_place_mm()))
    }

    /// Its base at `pose`; `None` where the file gives it no size.
    pub fn footprint(&self, pose: Pose) -> Option<Footprint> {
        Footprint::new(pose, self.base_mm[0], self.base_mm[1])
    }
}

/// Where everything really was.
#[derive(Debug, Clone)]
pub struct Truth {
    /// Each element's pose, in the order of [`Known::elements`].
    pub poses: Vec<Pose>,
    /// Share of each tag's modules that show as printed.
    pub visible: BTreeMap<Tag, f64>,
}

#[derive(Deserialize)]
struct KnownFile {
    table: TableFile,
    camera: LensFile,
    elements: Vec<ElementFile>,
}

#[derive(Deserialize)]
struct TableFile {
    width: f64,
    depth: f64,
    tags: Vec<ReferenceFile>,
}

#[derive(Deserialize)]
struct ReferenceFile {
    family: String,
    id: u32,
    size: f64,
    x: f64,
    y: f64,
    z: f64,
    rotation: f64,
}

#[derive(Deserialize)]
struct LensFile {
    width: u32,
    height: u32,
    #[serde(rename = "K")]
    k: [[f64; 3]; 3],
    distortion_k1k2p1p2k3: [f64; 5],
}

#[derive(Deserialize)]
struct ElementFile {
    name: String,
    side: u32,
    base: [f64; 2],
    z: f64,
    tags: Vec<MountFile>,
}

#[derive(Deserialize)]
struct MountFile {
    family: String,
    id: u32,
    size: f64,
    offset: [f64; 2],
    rotation: f64,
    height: f64,
}

#[derive(Deserialize)]
struct TruthFile {
    elements: Vec<TruePose>,
    tags_px: Vec<TrueTag>,
}

#[derive(Deserialize)]
struct TruePose {
    x: f64,
    y: f64,
    heading: f64,
}

#[derive(Deserialize)]
struct TrueTag {
    family: String,
    id: u32,
    visible: f64,
}

fn tag(family: &str, id: u32) -> Result<Tag> {
    let family: TagFamily = family.parse().map_err(anyhow::Error::msg)?;
    if id >= family.ids() {
        bail!("{family} has no id {id}: its ids run from 0 to {}", family.ids() - 1);
    }
    Ok(Tag::new(family, id))
}

impl Known {
    /// From a truth file's text, of which it reads no pose.
    pub fn parse(text: &str) -> Result<Self> {
        let file: KnownFile = serde_json::from_str(text)?;
        let reference = file.table.tags.iter().map(|t| {
            Ok(ReferenceTag {
                tag: tag(&t.family, t.id)?,
                size_mm: t.size,
                x_mm: t.x,
                y_mm: t.y,
                z_mm: t.z,
                rotation_deg: t.rotation,
                sigma_mm: 0.0,
            })
        });
        let reference = reference.collect::<Result<Vec<_>>>()?;
        let mut known = BTreeMap::new();
        let mut elements = Vec::new();
        for element in &file.elements {
            let mut mounts = Vec::new();
            for t in &element.tags {
                let tag = tag(&t.family, t.id)?;
                // The heights of a drawn scene are exact.
                let height_mm = element.z + BASE_THICKNESS_MM + t.height;
                known.insert(tag, KnownTag { size_mm: t.size, height_mm, height_sigma_mm: 0.0 });
                mounts.push(Mount { tag, offset_mm: t.offset, rotation_deg: t.rotation });
            }
            elements.push(KnownElement {
                name: element.name.clone(),
                side: element.side,
                base_mm: element.base,
                tags: mounts,
            });
        }
        add_decoys(&reference, &mut known);
        let c = &file.camera;
        let [k1, k2, p1, p2, k3] = c.distortion_k1k2p1p2k3;
        let lens = Lens {
            width: c.width,
            height: c.height,
            fx: c.k[0][0],
            fy: c.k[1][1],
            cx: c.k[0][2],
            cy: c.k[1][2],
            distortion: Distortion { k1, k2, p1, p2, k3 },
        };
        let board_mm = (file.table.width, file.table.depth);
        Ok(Self { book: TagBook { reference, known, ..TagBook::default() }, board_mm, lens, elements })
    }
}

/// Names every other id of the elements' families too, as large and as high as the family's others, so
/// that a ghost is not kept out by the roster alone.
fn add_decoys(reference: &[ReferenceTag], known: &mut BTreeMap<Tag, KnownTag>) {
    let of_family: BTreeMap<TagFamily, KnownTag> = known.iter().map(|(t, k)| (t.family, *k)).collect();
    let taken: BTreeSet<Tag> = known.keys().copied().chain(reference.iter().map(|r| r.tag)).collect();
    for (family, like) in of_family {
        let decoys = (0..family.ids()).map(|id| Tag::new(family, id)).filter(|t| !taken.contains(t));
        known.extend(decoys.map(|t| (t, like)));
    }
}

impl Truth {
    /// From a truth file's text.
    pub fn parse(text: &str) -> Result<Self> {
        let file: TruthFile = serde_json::from_str(text)?;
        let visible = file.tags_px.iter().map(|t| Ok((tag(&t.family, t.id)?, t.visible)));
        Ok(Self {
            poses: file.elements.iter().map(|e| Pose::new(e.x, e.y, e.heading)).collect(),
            visible: visible.collect::<Result<_>>()?,
        })
    }
}
