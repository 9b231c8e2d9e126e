//! Everything that is drawn at one moment: shapes with what they are made of.
//!
//! Made anew for each frame from the scene and the time; the renderer draws again only where it
//! differs from the frame before.

use super::ground::Ground;
use super::math::V3;
use super::shape::Shape;
use crate::vision::TagPattern;

/// What a shape is made of. Colours are linear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Material {
    /// Paint, with a share of gloss.
    Paint {
        /// Its colour.
        colour: V3,
        /// 0 matt to 1 shining.
        gloss: f32,
    },
    /// Scatter, foliage or cloth: a colour that varies from place to place.
    Rough {
        /// Its middle colour.
        colour: V3,
        /// How much it varies, 0 to 1.
        strength: f32,
        /// Size of its grain, millimetres.
        grain_mm: f32,
        /// Which pattern.
        seed: u32,
    },
    /// A printed tag; `pattern` is its place in [`World::patterns`].
    Tag {
        /// Which pattern.
        pattern: u32,
        /// Millimetres of a module.
        module_mm: f32,
        /// Colour of the dark modules.
        dark: V3,
        /// Colour of the light modules.
        light: V3,
    },
    /// Printed stripes at 45 degrees.
    Stripes {
        /// Place of the sheet's middle from where the count begins, millimetres.
        from: [f32; 2],
        /// A dark stripe and a light one together, millimetres.
        period_mm: f32,
        /// Colour of the dark ones.
        dark: V3,
        /// Colour of the light ones.
        light: V3,
    },
    /// A measuring stick with a mark every ten millimetres along its right.
    Stick {
        /// Its colour.
        colour: V3,
        /// Half its length.
        half_mm: f32,
    },
    /// A die's face: `pips` on the top.
    Die {
        /// Its colour.
        colour: V3,
        /// How many on top.
        pips: u32,
        /// Half its side.
        half_mm: f32,
    },
    /// A printed card.
    Card {
        /// Colour of its frame.
        colour: V3,
        /// Half its sides.
        half: [f32; 2],
        /// Which picture.
        seed: u32,
    },
}

/// To whom a shape belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// The base of that number, and what stands on it.
    Base(usize),
    /// The tag of that number on that base.
    Tag(usize, usize),
    /// The reference tag of that number.
    Reference(usize),
    /// A hand.
    Hand,
    /// Anything else.
    Other,
}

/// One shape.
#[derive(Debug, Clone, Copy)]
pub(super) struct Solid {
    /// Its form.
    pub shape: Shape,
    /// What it is made of.
    pub material: Material,
    /// To whom it belongs.
    pub owner: Owner,
}

impl Solid {
    /// A number that changes with anything that changes how it is drawn.
    pub(super) fn mark(&self) -> u64 {
        let mut mark = 0x9e37_79b9_7f4a_7c15u64;
        let mut add = |v: f32| {
            mark = (mark ^ u64::from(v.to_bits())).wrapping_mul(0xff51_afd7_ed55_8ccd).rotate_left(29);
        };
        self.shape.bits(&mut add);
        self.material.bits(&mut add);
        mark ^ (mark >> 31)
    }
}

impl Shape {
    fn bits(&self, each: &mut impl FnMut(f32)) {
        let mut vector = |v: V3| v.iter().for_each(|x| each(*x));
        match *self {
            Self::Sheet { centre, right, up, half, round } => {
                vector(centre);
                vector(right);
                vector(up);
                vector(V3::new(half[0], half[1], round));
                each(1.0);
            }
            Self::Block { centre, axes, half } => {
                vector(centre);
                axes.iter().for_each(|axis| vector(*axis));
                vector(V3::from(half));
                each(2.0);
            }
            Self::Ball { centre, radius } => {
                vector(centre);
                each(radius);
                each(3.0);
            }
            Self::Limb { from, to, from_radius, to_radius } => {
                vector(from);
                vector(to);
                each(from_radius);
                each(to_radius);
                each(4.0);
            }
            Self::Mesa { centre, half, height, skirt, seed } => {
                vector(centre);
                vector(V3::new(half[0], half[1], height));
                each(skirt);
                each(f32::from_bits(seed));
                each(5.0);
            }
        }
    }
}

impl Material {
    fn bits(&self, each: &mut impl FnMut(f32)) {
        let mut vector = |v: V3| v.iter().for_each(|x| each(*x));
        match *self {
            Self::Paint { colour, gloss } => {
                vector(colour);
                each(gloss);
            }
            Self::Rough { colour, strength, grain_mm, seed } => {
                vector(colour);
                vector(V3::new(strength, grain_mm, f32::from_bits(seed)));
            }
            Self::Tag { pattern, module_mm, dark, light } => {
                vector(dark);
                vector(light);
                vector(V3::new(f32::from_bits(pattern), module_mm, 0.0));
            }
            Self::Stripes { from, period_mm, dark, light } => {
                vector(dark);
                vector(light);
                vector(V3::new(from[0], from[1], period_mm));
            }
            Self::Stick { colour, half_mm } => {
                vector(colour);
                each(half_mm);
            }
            Self::Die { colour, pips, half_mm } => {
                vector(colour);
                vector(V3::new(f32::from_bits(pips), half_mm, 0.0));
            }
            Self::Card { colour, half, seed } => {
                vector(colour);
                vector(V3::new(half[0], half[1], f32::from_bits(seed)));
            }
        }
    }
}

/// All that is drawn.
#[derive(Debug, Clone)]
pub(super) struct World {
    /// The table itself.
    pub ground: Ground,
    /// Direction to the lamp, unit.
    pub lamp: V3,
    /// Patterns that tags refer to.
    pub patterns: Vec<TagPattern>,
    /// The shapes.
    pub solids: Vec<Solid>,
}
