//! Solid shapes: where a ray meets them, which way their surface looks, what shadow they throw.
//!
//! Table frame, millimetres, single precision. Rays have length-one directions.

use super::math::{V3, smooth};

/// A shape in space.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    /// A flat rectangle with rounded corners, seen from both sides.
    Sheet {
        /// Its centre.
        centre: V3,
        /// Unit vector along its own right.
        right: V3,
        /// Unit vector along its own up.
        up: V3,
        /// Half its sides, right and up.
        half: [f32; 2],
        /// Radius of its corners.
        round: f32,
    },
    /// A box.
    Block {
        /// Its centre.
        centre: V3,
        /// Its three unit axes; the third is upright for what stands on the table.
        axes: [V3; 3],
        /// Half its sides.
        half: [f32; 3],
    },
    /// A ball.
    Ball {
        /// Its centre.
        centre: V3,
        /// Its radius.
        radius: f32,
    },
    /// Two balls and all between them; the ends may differ.
    Limb {
        /// One end.
        from: V3,
        /// The other end.
        to: V3,
        /// Radius at `from`.
        from_radius: f32,
        /// Radius at `to`.
        to_radius: f32,
    },
    /// A slab of hill: level on top, with a wavy outline and sloping sides.
    Mesa {
        /// Its middle, at the foot.
        centre: V3,
        /// Half its sides along x and y, at the top.
        half: [f32; 2],
        /// Its height.
        height: f32,
        /// How far the foot reaches beyond the top's outline.
        skirt: f32,
        /// Shape of its outline.
        seed: u32,
    },
}

impl Shape {
    /// The same shape moved; a slab of hill is only shifted.
    pub(super) fn moved(&self, by: &nalgebra::Isometry3<f32>) -> Self {
        let to = |p: V3| (by * nalgebra::Point3::from(p)).coords;
        let turned = |v: V3| by.rotation * v;
        match *self {
            Self::Sheet { centre, right, up, half, round } => {
                Self::Sheet { centre: to(centre), right: turned(right), up: turned(up), half, round }
            }
            Self::Block { centre, axes, half } => {
                Self::Block { centre: to(centre), axes: axes.map(turned), half }
            }
            Self::Ball { centre, radius } => Self::Ball { centre: to(centre), radius },
            Self::Limb { from, to: end, from_radius, to_radius } => {
                Self::Limb { from: to(from), to: to(end), from_radius, to_radius }
            }
            Self::Mesa { centre, half, height, skirt, seed } => {
                Self::Mesa { centre: to(centre), half, height, skirt, seed }
            }
        }
    }
}

/// How wide the lamp looks from the table: tangent of its half angle.
const LAMP: f32 = 0.07;

fn rect_distance(x: f32, y: f32, half: [f32; 2], round: f32) -> f32 {
    let (dx, dy) = (x.abs() - half[0] + round, y.abs() - half[1] + round);
    dx.max(0.0).hypot(dy.max(0.0)) + dx.max(dy).min(0.0) - round
}

fn mesa_distance(x: f32, y: f32, half: [f32; 2], seed: u32) -> f32 {
    let (u, v) = (x / half[0], y / half[1]);
    let angle = v.atan2(u);
    let phase = (seed % 628) as f32 / 100.0;
    let wave = 1.0 + 0.10 * (2.0 * angle + phase).sin() + 0.06 * (3.0 * angle + 2.1 * phase).sin();
    let r = u.hypot(v);
    (r - wave) * half[0].min(half[1])
}

impl Shape {
    /// A middle point and a radius that holds the whole shape.
    pub(super) fn ball_around(&self) -> (V3, f32) {
        match *self {
            Self::Sheet { centre, half, .. } => (centre, half[0].hypot(half[1])),
            Self::Block { centre, half, .. } => (centre, half[0].hypot(half[1]).hypot(half[2])),
            Self::Ball { centre, radius } => (centre, radius),
            Self::Limb { from, to, from_radius, to_radius } => {
                ((from + to) / 2.0, (to - from).norm() / 2.0 + from_radius.max(to_radius))
            }
            Self::Mesa { centre, half, height, skirt, .. } => {
                (centre, (half[0] * 1.2 + skirt).hypot(half[1] * 1.2 + skirt).hypot(height))
            }
        }
    }

    /// Balls whose hull holds the shape, for its place in the picture.
    pub(super) fn hull(&self, mut each: impl FnMut(V3, f32)) {
        match *self {
            Self::Sheet { centre, right, up, half, .. } => {
                for (sx, sy) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                    each(centre + right * (sx * half[0]) + up * (sy * half[1]), 0.0);
                }
            }
            Self::Block { centre, axes, half } => {
                for corner in 0..8 {
                    let side = |bit: u32| if corner >> bit & 1 == 1 { 1.0 } else { -1.0 };
                    let offset = axes[0] * (side(0) * half[0])
                        + axes[1] * (side(1) * half[1])
                        + axes[2] * (side(2) * half[2]);
                    each(centre + offset, 0.0);
                }
            }
            Self::Ball { centre, radius } => each(centre, radius),
            Self::Limb { from, to, from_radius, to_radius } => {
                each(from, from_radius);
                each(to, to_radius);
            }
            Self::Mesa { .. } => {
                let (centre, radius) = self.ball_around();
                each(centre, radius);
            }
        }
    }

    /// Distance along the ray from `eye` to the shape; infinite where it misses.
    pub(super) fn hit(&self, eye: &V3, ray: &V3) -> f32 {
        const MISS: f32 = f32::INFINITY;
        match *self {
            Self::Sheet { centre, right, up, half, round } => {
                let normal = right.cross(&up);
                let t = normal.dot(&(centre - eye)) / normal.dot(ray);
                let p = eye + ray * t - centre;
                let inside = rect_distance(p.dot(&right), p.dot(&up), half, round) <= 0.0;
                if inside && t > 0.0 { t } else { MISS }
            }
            Self::Block { centre, axes, half } => {
                let (mut near, mut far) = (0.0f32, MISS);
                let to = eye - centre;
                for i in 0..3 {
                    let (o, d) = (to.dot(&axes[i]), ray.dot(&axes[i]));
                    let inverse = 1.0 / d;
                    let (a, b) = ((-half[i] - o) * inverse, (half[i] - o) * inverse);
                    near = near.max(a.min(b));
                    far = far.min(a.max(b));
                }
                if near <= far && near > 0.0 { near } else { MISS }
            }
            Self::Ball { centre, radius } => {
                // From the ray's nearest point on: cancellation at a metre would cost a millimetre.
                let along = ray.dot(&(centre - eye));
                let off = eye + ray * along - centre;
                let under = radius * radius - off.norm_squared();
                if under < 0.0 { MISS } else { along - under.sqrt() }
            }
            Self::Limb { from, to, from_radius, to_radius } => {
                limb_hit(eye, ray, &from, &to, from_radius, to_radius)
            }
            Self::Mesa { centre, half, height, skirt, seed } => {
                let at = |z: f32| {
                    let t = (centre.z + z - eye.z) / ray.z;
                    let p = eye + ray * t - centre;
                    (t, mesa_distance(p.x, p.y, half, seed) - skirt * (1.0 - z / height))
                };
                let (t, d) = at(height);
                if d <= 0.0 {
                    return t;
                }
                let steps = 12;
                let mut outside = height;
                for step in 1..=steps {
                    let z = height * (1.0 - step as f32 / steps as f32);
                    if at(z).1 <= 0.0 {
                        let mut inside = z;
                        for _ in 0..10 {
                            let middle = (inside + outside) / 2.0;
                            if at(middle).1 <= 0.0 { inside = middle } else { outside = middle }
                        }
                        return at(inside).0;
                    }
                    outside = z;
                }
                MISS
            }
        }
    }

    /// The outward direction at a surface point, and the point in the shape's own flat coordinates.
    pub(super) fn surface(&self, p: &V3) -> (V3, [f32; 2]) {
        match *self {
            Self::Sheet { centre, right, up, .. } => {
                let d = p - centre;
                (right.cross(&up), [d.dot(&right), d.dot(&up)])
            }
            Self::Block { centre, axes, half } => {
                let d = p - centre;
                let local = [d.dot(&axes[0]), d.dot(&axes[1]), d.dot(&axes[2])];
                let depth = |i: usize| half[i] - local[i].abs();
                let face = if depth(2) <= depth(0) && depth(2) <= depth(1) {
                    2
                } else if depth(0) <= depth(1) {
                    0
                } else {
                    1
                };
                let uv = match face {
                    0 => [local[1], local[2]],
                    1 => [local[0], local[2]],
                    _ => [local[0], local[1]],
                };
                (axes[face] * local[face].signum(), uv)
            }
            Self::Ball { centre, radius } => {
                let n = (p - centre) / radius;
                (n.normalize(), [n.x.atan2(n.y) * radius, n.z * radius])
            }
            Self::Limb { from, to, .. } => {
                let axis = to - from;
                let along = ((p - from).dot(&axis) / axis.norm_squared()).clamp(0.0, 1.0);
                let n = p - (from + axis * along);
                (n.try_normalize(1e-6).unwrap_or(V3::z()), [along * axis.norm(), n.x])
            }
            Self::Mesa { centre, half, height, skirt, seed } => {
                let d = p - centre;
                if d.z > height - 0.05 {
                    return (V3::z(), [d.x, d.y]);
                }
                let at = |x: f32, y: f32| mesa_distance(x, y, half, seed);
                let slope = V3::new(
                    at(d.x + 1.0, d.y) - at(d.x - 1.0, d.y),
                    at(d.x, d.y + 1.0) - at(d.x, d.y - 1.0),
                    0.0,
                );
                let out = slope.try_normalize(1e-6).unwrap_or(V3::x());
                ((out * height + V3::z() * skirt.max(0.1)).normalize(), [d.x, d.y])
            }
        }
    }

    /// The share of a lamp along `lamp` (unit, from the point) that the shape hides from `p`, with a
    /// soft rim, 0 to 1.
    pub(super) fn shadow(&self, p: &V3, lamp: &V3) -> f32 {
        let soft = |distance: f32, along: f32| {
            let width = 0.25 + along.max(0.0) * LAMP;
            1.0 - smooth(-width, width, distance)
        };
        match *self {
            Self::Sheet { centre, right, up, half, round } => {
                let normal = right.cross(&up);
                let along = normal.dot(&(centre - p)) / normal.dot(lamp);
                if !(along > 0.05 && along < 1000.0) {
                    return 0.0;
                }
                let d = p + lamp * along - centre;
                soft(rect_distance(d.dot(&right), d.dot(&up), half, round), along)
            }
            Self::Block { centre, axes, half } => {
                // Level cuts through the box: the one that hides most counts.
                let mut most: f32 = 0.0;
                let rise = lamp.dot(&axes[2]);
                for cut in [1.0, 0.4, -0.2] {
                    let along = ((centre - p).dot(&axes[2]) + cut * half[2]) / rise;
                    if along > 0.05 && along < 1000.0 {
                        let d = p + lamp * along - centre;
                        let edge = rect_distance(d.dot(&axes[0]), d.dot(&axes[1]), [half[0], half[1]], 0.0);
                        most = most.max(soft(edge, along));
                    }
                }
                most
            }
            Self::Ball { centre, radius } => {
                let along = lamp.dot(&(centre - p));
                if along < radius * 0.3 {
                    return 0.0;
                }
                soft((p + lamp * along - centre).norm() - radius, along)
            }
            Self::Limb { from, to, from_radius, to_radius } => {
                let axis = to - from;
                let (aa, al) = (axis.norm_squared(), axis.dot(lamp));
                let w = from - p;
                let (aw, lw) = (axis.dot(&w), lamp.dot(&w));
                let denominator = aa - al * al;
                let share =
                    if denominator > 1e-6 { (al * lw - aw) / denominator } else { 0.0 }.clamp(0.0, 1.0);
                let point = from + axis * share;
                let radius = from_radius + (to_radius - from_radius) * share;
                let along = lamp.dot(&(point - p));
                if along < radius * 0.6 + 0.1 {
                    return 0.0;
                }
                soft((p + lamp * along - point).norm() - radius, along)
            }
            Self::Mesa { centre, half, height, seed, .. } => {
                let along = (centre.z + height - p.z) / lamp.z;
                if along < 0.2 {
                    return 0.0;
                }
                let d = p + lamp * along - centre;
                soft(mesa_distance(d.x, d.y, half, seed), along)
            }
        }
    }

    /// How much the open sky over a point outside a box's foot is narrowed by the box, 0 to 1.
    pub(super) fn crowding(&self, p: &V3) -> f32 {
        let Self::Block { centre, axes, half } = self else { return 0.0 };
        let d = p - centre;
        if d.dot(&axes[2]) > half[2] - 0.05 {
            return 0.0;
        }
        let edge = rect_distance(d.dot(&axes[0]), d.dot(&axes[1]), [half[0], half[1]], 0.0).max(0.0);
        0.55 * (-edge / (1.2 * half[2] + 0.2)).exp()
    }
}

/// A ray and a rounded cone, worked out from the ray's point nearest its middle.
fn limb_hit(eye: &V3, ray: &V3, a: &V3, b: &V3, ra: f32, rb: f32) -> f32 {
    const MISS: f32 = f32::INFINITY;
    let middle = (a + b) / 2.0;
    let start = ray.dot(&(middle - eye));
    let near = eye + ray * start;
    let (ba, oa, ob) = (b - a, near - a, near - b);
    let rr = ra - rb;
    let (m0, m1, m2, m3) = (ba.norm_squared(), ba.dot(&oa), ba.dot(ray), ray.dot(&oa));
    let (m5, m6, m7) = (oa.norm_squared(), ob.dot(ray), ob.norm_squared());
    let d2 = m0 - rr * rr;
    let k2 = d2 - m2 * m2;
    let k1 = d2 * m3 - m1 * m2 + m2 * rr * ra;
    let k0 = d2 * m5 - m1 * m1 + m1 * rr * ra * 2.0 - m0 * ra * ra;
    let h = k1 * k1 - k0 * k2;
    if h >= 0.0 && k2.abs() > 1e-6 {
        let t = (-h.sqrt() - k1) / k2;
        let y = m1 - ra * rr + t * m2;
        if y > 0.0 && y < d2 {
            return start + t;
        }
    }
    let cap = |m: f32, norm: f32, r: f32| {
        let under = m * m - norm + r * r;
        if under < 0.0 { MISS } else { -m - under.sqrt() }
    };
    start + cap(m3, m5, ra).min(cap(m6, m7, rb))
}

#[cfg(test)]
mod tests {
    use super::*;

    const EYE: V3 = V3::new(0.0, -200.0, 900.0);

    fn towards(p: V3) -> V3 {
        (p - EYE).normalize()
    }

    #[test]
    fn a_ray_meets_each_shape_at_its_surface() {
        let shapes = [
            Shape::Ball { centre: V3::new(3.0, 4.0, 20.0), radius: 5.0 },
            Shape::Limb {
                from: V3::new(-10.0, 0.0, 5.0),
                to: V3::new(16.0, 8.0, 35.0),
                from_radius: 0.4,
                to_radius: 0.3,
            },
            Shape::Block {
                centre: V3::new(3.0, 4.0, 15.0),
                axes: [V3::x(), V3::y(), V3::z()],
                half: [4.0, 5.0, 6.0],
            },
        ];
        for shape in shapes {
            let (centre, radius) = shape.ball_around();
            let t = shape.hit(&EYE, &towards(centre));
            let p = EYE + towards(centre) * t;
            assert!((p - centre).norm() <= radius + 0.01, "{shape:?}");
            let (normal, _) = shape.surface(&p);
            assert!(normal.dot(&towards(centre)) < 0.0, "the surface met looks at the eye: {shape:?}");
            assert!(shape.hit(&EYE, &towards(centre + V3::new(200.0, 0.0, 0.0))).is_infinite());
        }
    }

    #[test]
    fn a_thin_spear_is_as_wide_as_it_is() {
        let spear = Shape::Limb {
            from: V3::new(-20.0, 0.0, 10.0),
            to: V3::new(20.0, 0.0, 10.0),
            from_radius: 0.35,
            to_radius: 0.35,
        };
        let eye = V3::new(0.0, 0.0, 1000.0);
        let ray = |y: f32| (V3::new(3.0, y, 10.0) - eye).normalize();
        assert!(spear.hit(&eye, &ray(0.33)).is_finite());
        assert!(spear.hit(&eye, &ray(0.37)).is_infinite());
    }

    #[test]
    fn a_shadow_falls_away_from_the_lamp_and_fades_at_its_rim() {
        let ball = Shape::Ball { centre: V3::new(0.0, 0.0, 50.0), radius: 10.0 };
        let lamp = V3::new(0.6, 0.0, 0.8);
        let under = V3::new(-37.5, 0.0, 0.0);
        assert!(ball.shadow(&under, &lamp) > 0.99);
        let rim = ball.shadow(&(under + V3::new(0.0, 10.0, 0.0)), &lamp);
        assert!((0.3..0.7).contains(&rim), "{rim}");
        assert!(ball.shadow(&V3::new(40.0, 0.0, 0.0), &lamp) < 0.01);
    }
}
