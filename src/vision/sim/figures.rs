//! Painted figures on bases: limbs, shields and spears, to the scale of the base: a foot figure on a
//! 40 mm base stands 17 mm high.
//!
//! Base frame: right, forward, up from the centre of the base's top, millimetres. Figures stand in
//! front of a flat tag; under a raised one they keep their weapons below it, unless the table is
//! cluttered, when some spears are lowered across what stands in front.

use super::Clutter;
use super::build::Standing;
use super::math::{V3, hash01, mix, srgb, v3};
use super::scene::{Figures, SimBase};
use super::shape::Shape;
use super::world::{Material, Owner, Solid};

/// Puts figures on a base.
pub(super) fn stand(
    base: &SimBase,
    index: usize,
    at: &Standing,
    seed: u32,
    clutter: Clutter,
    solids: &mut Vec<Solid>,
) {
    let heading = at.pose.heading;
    let (w, d) = (base.width_mm as f32, base.depth_mm as f32);
    let raised = base.tags.iter().map(|t| t.height_mm).filter(|h| *h > 3.0).fold(f64::INFINITY, f64::min);
    let flat_front = base
        .tags
        .iter()
        .filter(|t| t.height_mm <= 3.0)
        .map(|t| t.forward_mm + t.print_mm() / 2.0)
        .fold(f64::NEG_INFINITY, f64::max) as f32;
    let rear = (-d / 2.0).max(flat_front + 0.3);
    let mut painter = Painter {
        centre: v3(at.pose.centre.x, at.pose.centre.y, at.ground_mm + base.thickness_mm),
        right: v3(heading.right().x, heading.right().y, 0.0),
        ahead: v3(heading.vector().x, heading.vector().y, 0.0),
        owner: Owner::Base(index),
        scale: 1.0,
        seed,
        solids,
    };
    let [r, g, b] = base.colour;
    let room = Room { width: w, rear, front: d / 2.0, under: (raised as f32 - 1.5).min(60.0) };
    let kit = Kit { side: srgb(r, g, b), seed, lowered: clutter >= Clutter::Heavy };
    match base.figures {
        Figures::Empty => {}
        Figures::Elephant => painter.elephant(&room, &kit),
        Figures::Chariot => painter.chariot(&room, &kit),
        Figures::Engine => painter.engine(&room, &kit),
        Figures::Riders => painter.riders(&room, &kit),
        Figures::Spears | Figures::Swords | Figures::Bows | Figures::Loose => {
            painter.foot(&room, &kit, base.figures);
        }
    }
}

/// Where figures may stand on a base, and how high they may reach.
struct Room {
    width: f32,
    rear: f32,
    front: f32,
    under: f32,
}

impl Room {
    fn depth(&self) -> f32 {
        self.front - self.rear
    }

    fn middle(&self) -> f32 {
        (self.front + self.rear) / 2.0
    }
}

/// How a base's figures are dressed and armed.
struct Kit {
    side: V3,
    seed: u32,
    lowered: bool,
}

impl Kit {
    fn chance(&self, figure: usize, what: i32) -> f32 {
        hash01(figure as i32, what, self.seed)
    }

    fn tunic(&self, figure: usize) -> V3 {
        let linen = srgb(196, 184, 156);
        mix(&self.side, &linen, 0.35 * self.chance(figure, 1)) * (0.8 + 0.4 * self.chance(figure, 2))
    }

    fn metal(&self, figure: usize) -> V3 {
        if self.chance(figure, 3) < 0.5 { srgb(176, 140, 72) } else { srgb(150, 152, 158) }
    }
}

fn skin() -> V3 {
    srgb(196, 146, 112)
}

fn timber() -> V3 {
    srgb(110, 78, 48)
}

struct Painter<'a> {
    centre: V3,
    right: V3,
    ahead: V3,
    owner: Owner,
    scale: f32,
    seed: u32,
    solids: &'a mut Vec<Solid>,
}

impl Painter<'_> {
    /// A point given from `foot`, in figure units.
    fn at(&self, foot: [f32; 2], x: f32, y: f32, z: f32) -> V3 {
        let s = self.scale;
        self.centre + self.right * (foot[0] + x * s) + self.ahead * (foot[1] + y * s) + V3::z() * (z * s)
    }

    fn add(&mut self, shape: Shape, material: Material) {
        self.solids.push(Solid { shape, material, owner: self.owner });
    }

    fn limb(&mut self, foot: [f32; 2], from: [f32; 3], to: [f32; 3], radii: [f32; 2], colour: V3) {
        let (from, to) = (self.at(foot, from[0], from[1], from[2]), self.at(foot, to[0], to[1], to[2]));
        let [a, b] = radii.map(|r| r * self.scale);
        self.add(
            Shape::Limb { from, to, from_radius: a, to_radius: b },
            Material::Paint { colour, gloss: 0.12 },
        );
    }

    fn ball(&mut self, foot: [f32; 2], at: [f32; 3], radius: f32, colour: V3, gloss: f32) {
        let centre = self.at(foot, at[0], at[1], at[2]);
        self.add(Shape::Ball { centre, radius: radius * self.scale }, Material::Paint { colour, gloss });
    }

    /// A shield or wheel: a disc or rounded board that leans back by `lean` and looks ahead, turned
    /// to the side by `turn` radians.
    fn board(
        &mut self,
        foot: [f32; 2],
        at: [f32; 3],
        half: [f32; 2],
        round: f32,
        [lean, turn]: [f32; 2],
        colour: V3,
    ) {
        let centre = self.at(foot, at[0], at[1], at[2]);
        let face = self.ahead * turn.cos() + self.right * turn.sin();
        let side = self.right * turn.cos() - self.ahead * turn.sin();
        let up = V3::z() * lean.cos() - face * lean.sin();
        let s = self.scale;
        let shape = Shape::Block {
            centre,
            axes: [side, up, side.cross(&up)],
            half: [half[0] * s, half[1] * s, 0.25 * s],
        };
        let disc =
            Shape::Sheet { centre, right: side, up, half: [half[0] * s, half[1] * s], round: round * s };
        self.add(if round > 0.0 { disc } else { shape }, Material::Paint { colour, gloss: 0.25 });
    }

    fn soldier(&mut self, foot: [f32; 2], n: usize, kit: &Kit) {
        let (tunic, metal) = (kit.tunic(n), kit.metal(n));
        let stride = 1.4 * (kit.chance(n, 4) - 0.5);
        let bare = skin() * 0.8;
        self.limb(foot, [-1.1, stride, 0.3], [-0.8, 0.0, 6.5], [0.75, 1.0], bare);
        self.limb(foot, [1.1, -stride, 0.3], [0.8, 0.0, 6.5], [0.75, 1.0], bare);
        self.limb(foot, [0.0, 0.0, 6.3], [0.0, 0.1, 11.3], [2.0, 2.3], tunic);
        self.limb(foot, [-2.3, 0.2, 11.6], [-2.6, 2.2, 8.8], [0.8, 0.7], bare);
        self.limb(foot, [2.3, 0.1, 11.6], [2.7, 1.6, 9.0], [0.8, 0.7], bare);
        self.ball(foot, [0.0, 0.3, 14.4], 1.6, skin(), 0.1);
        self.ball(foot, [0.0, 0.0, 15.2], 1.65, metal, 0.6);
    }

    /// A shaft from a hand at the right, leaning ahead by `lean` radians, its top below `under`.
    fn shaft(&mut self, foot: [f32; 2], length: f32, lean: f32, under: f32) {
        let grip = 0.3;
        let most = (under / self.scale - 2.0).max(6.0);
        let rise = (length * (1.0 - grip) * lean.cos()).min(most - 9.0).max(-6.0);
        let reach = (length * (1.0 - grip)).mul_add(length * (1.0 - grip), -rise * rise).max(0.0).sqrt();
        let reach = if lean < 0.6 { length * (1.0 - grip) * lean.sin() } else { reach };
        let (hand, tip) = ([2.8, 1.6, 9.0], [2.8, 1.6 + reach, 9.0 + rise]);
        let back = grip / (1.0 - grip);
        let butt = [2.8, 1.6 - reach * back, (9.0 - rise * back).max(0.4)];
        self.limb(foot, butt, hand, [0.34, 0.34], timber());
        self.limb(foot, hand, tip, [0.34, 0.28], timber());
        self.ball(foot, tip, 0.6, srgb(180, 182, 188), 0.8);
    }

    fn foot(&mut self, room: &Room, kit: &Kit, who: Figures) {
        let unit = room.width / 40.0;
        self.scale = unit * (room.depth() / (9.0 * unit)).clamp(0.55, 1.0);
        let count = if who == Figures::Loose { 3 } else { 4 };
        for n in 0..count {
            let spread = (n as f32 + 0.5) / count as f32 - 0.5;
            let wander = if who == Figures::Loose { 0.32 } else { 0.12 };
            let foot = [
                spread * room.width * 0.95 + room.width * 0.05 * (kit.chance(n, 10) - 0.5),
                room.middle() + room.depth() * wander * (kit.chance(n, 11) - 0.5),
            ];
            self.soldier(foot, n, kit);
            let paint =
                [kit.side, srgb(214, 200, 170), srgb(176, 140, 72)][(kit.chance(n, 12) * 3.0) as usize % 3];
            match who {
                Figures::Spears => {
                    self.board(foot, [-2.4, 2.9, 9.2], [3.1, 3.1], 3.1, [0.35, 0.1], paint);
                    self.ball(foot, [-2.4, 3.1, 9.2], 0.8, srgb(176, 140, 72), 0.7);
                    let low = kit.lowered && kit.chance(n, 13) < 0.6;
                    let lean = if low { 1.35 } else { 0.10 + 0.25 * kit.chance(n, 14) };
                    self.shaft(foot, if low { 34.0 } else { 24.0 }, lean, room.under);
                }
                Figures::Swords => {
                    self.board(foot, [-2.3, 2.8, 8.0], [2.1, 3.7], 0.9, [0.3, 0.1], paint);
                    let raise = 2.0 + 4.0 * kit.chance(n, 15);
                    self.limb(
                        foot,
                        [2.7, 1.8, 9.2],
                        [3.0, 5.0, 9.2 + raise],
                        [0.35, 0.2],
                        srgb(186, 188, 194),
                    );
                }
                Figures::Bows => {
                    self.limb(foot, [-2.6, 2.6, 4.6], [-2.6, 3.9, 9.0], [0.28, 0.34], timber());
                    self.limb(foot, [-2.6, 3.9, 9.0], [-2.6, 2.6, 13.6], [0.34, 0.28], timber());
                    self.limb(foot, [1.2, -2.2, 7.0], [1.9, -2.0, 12.0], [0.8, 0.9], srgb(120, 70, 44));
                }
                _ => {
                    self.board(foot, [-2.4, 2.5, 9.2], [1.9, 1.9], 1.9, [0.4, 0.2], paint);
                    self.shaft(foot, 15.0, 0.5 + 0.4 * kit.chance(n, 16), room.under);
                }
            }
        }
    }

    fn horse(&mut self, foot: [f32; 2], n: usize, kit: &Kit) {
        let coats = [srgb(96, 60, 36), srgb(132, 92, 58), srgb(58, 44, 36), srgb(176, 168, 156)];
        let coat = coats[(kit.chance(n, 20) * 4.0) as usize % 4];
        let dark = coat * 0.5;
        for (x, y) in [(-1.4, -5.2), (1.4, -4.4), (-1.4, 5.0), (1.4, 4.2)] {
            let step = 2.0 * (kit.chance(n, 21 + (x + y) as i32) - 0.5);
            self.limb(foot, [x, y + step, 0.4], [x * 0.9, y, 7.5], [0.7, 1.2], dark);
        }
        self.limb(foot, [0.0, -5.0, 9.6], [0.0, 4.4, 9.8], [3.0, 2.9], coat);
        self.limb(foot, [0.0, 5.4, 11.0], [0.0, 8.6, 15.6], [2.0, 1.4], coat);
        self.limb(foot, [0.0, 8.6, 15.9], [0.0, 11.4, 13.6], [1.3, 0.8], coat);
        self.limb(foot, [0.0, 4.6, 12.6], [0.0, 8.0, 17.0], [0.7, 0.6], dark);
        self.limb(foot, [0.0, -8.0, 10.4], [0.0, -9.4, 4.0], [0.7, 0.5], dark);
        self.limb(foot, [0.0, -1.8, 11.0], [0.0, 1.6, 11.2], [2.9, 2.8], kit.tunic(n + 7));
    }

    fn rider(&mut self, foot: [f32; 2], n: usize, kit: &Kit) {
        let tunic = kit.tunic(n);
        self.limb(foot, [-2.8, 0.6, 7.0], [-2.2, 0.0, 11.6], [0.8, 1.0], skin() * 0.8);
        self.limb(foot, [2.8, 0.6, 7.0], [2.2, 0.0, 11.6], [0.8, 1.0], skin() * 0.8);
        self.limb(foot, [0.0, -0.2, 12.4], [0.0, 0.2, 17.0], [1.9, 2.1], tunic);
        self.limb(foot, [0.0, -1.6, 17.0], [0.0, -4.2, 12.0], [1.2, 1.7], tunic * 0.75);
        self.limb(foot, [2.1, 0.2, 17.2], [2.7, 2.2, 14.4], [0.75, 0.65], skin() * 0.85);
        self.ball(foot, [0.0, 0.5, 19.9], 1.55, skin(), 0.1);
        self.ball(foot, [0.0, 0.2, 20.7], 1.6, kit.metal(n), 0.6);
    }

    fn riders(&mut self, room: &Room, kit: &Kit) {
        let unit = room.width / 40.0;
        self.scale = unit * ((room.depth() + 1.5) / (20.0 * unit)).clamp(0.55, 1.0);
        let count = if self.scale < 0.75 * unit { 4 } else { 3 };
        for n in 0..count {
            let spread = (n as f32 + 0.5) / count as f32 - 0.5;
            let foot =
                [spread * room.width * 0.96, room.middle() + room.depth() * 0.12 * (kit.chance(n, 31) - 0.5)];
            self.horse(foot, n, kit);
            self.rider(foot, n, kit);
            let lift = 5.0 * kit.chance(n, 32);
            if kit.chance(n, 33) < 0.7 {
                self.limb(
                    foot,
                    [2.8, -4.0, 12.0 - lift * 0.4],
                    [2.8, 9.5, 16.0 + lift],
                    [0.32, 0.28],
                    timber(),
                );
            }
            self.board(foot, [-2.9, 1.4, 14.6], [2.0, 2.0], 2.0, [0.3, -0.9], kit.side);
        }
    }

    fn elephant(&mut self, room: &Room, kit: &Kit) {
        let unit = room.width / 40.0;
        self.scale = unit * (room.depth() / (27.0 * unit)).clamp(0.5, 1.0);
        let foot = [0.0, room.middle() - 1.5 * self.scale];
        let hide = srgb(124, 116, 110);
        for (x, y) in [(-4.2, -7.5), (4.2, -8.0), (-4.2, 5.6), (4.2, 6.4)] {
            self.limb(foot, [x, y, 1.8], [x, y, 12.0], [2.2, 2.8], hide * 0.85);
        }
        self.limb(foot, [0.0, -6.0, 15.6], [0.0, 4.4, 16.4], [6.6, 6.2], hide);
        self.ball(foot, [0.0, 11.4, 18.6], 4.4, hide, 0.1);
        self.board(foot, [-4.8, 10.2, 18.0], [3.0, 3.8], 2.9, [0.4, -0.5], hide * 0.8);
        self.board(foot, [4.8, 10.2, 18.0], [3.0, 3.8], 2.9, [0.4, 0.5], hide * 0.8);
        self.limb(foot, [0.0, 14.8, 17.0], [0.0, 17.4, 10.0], [1.7, 1.2], hide);
        self.limb(foot, [0.0, 17.4, 10.0], [0.4, 16.6, 4.0], [1.2, 0.8], hide);
        self.limb(foot, [-1.8, 14.6, 15.0], [-2.2, 18.6, 14.4], [0.6, 0.3], srgb(226, 216, 190));
        self.limb(foot, [1.8, 14.6, 15.0], [2.2, 18.6, 14.4], [0.6, 0.3], srgb(226, 216, 190));
        self.limb(foot, [0.0, -5.4, 17.4], [0.0, 3.4, 18.0], [6.2, 6.0], kit.side);
        let (centre, s) = (self.at(foot, 0.0, -1.6, 25.4), self.scale);
        self.add(
            Shape::Block {
                centre,
                axes: [self.right, self.ahead, V3::z()],
                half: [4.4 * s, 4.8 * s, 2.6 * s],
            },
            Material::Paint { colour: timber(), gloss: 0.1 },
        );
        for (n, (x, y)) in [(-2.0, -3.4), (2.0, 0.2)].into_iter().enumerate() {
            self.limb(foot, [x, y, 27.0], [x, y, 31.0], [1.7, 1.8], kit.tunic(n));
            self.ball(foot, [x, y, 33.6], 1.5, kit.metal(n), 0.5);
        }
        self.limb(foot, [0.0, 8.6, 22.4], [0.0, 8.6, 25.6], [1.5, 1.6], kit.tunic(5));
        self.ball(foot, [0.0, 8.8, 28.0], 1.4, skin(), 0.1);
    }

    fn chariot(&mut self, room: &Room, kit: &Kit) {
        let unit = room.width / 40.0;
        self.scale = unit * (room.depth() / (34.0 * unit)).clamp(0.5, 1.0);
        let s = self.scale;
        let front = room.front - 11.0 * s;
        for (n, x) in [-5.0f32, 5.0].into_iter().enumerate() {
            self.horse([x * s, front], n, kit);
        }
        let foot = [0.0, front - 16.0 * s];
        self.limb(foot, [0.0, 2.0, 7.0], [0.0, 16.0, 10.0], [0.7, 0.6], timber());
        for x in [-7.4, 7.4] {
            self.board(
                foot,
                [x, -1.0, 5.4],
                [5.2, 5.2],
                5.2,
                [0.12, std::f32::consts::FRAC_PI_2],
                timber() * 0.8,
            );
        }
        let centre = self.at(foot, 0.0, 0.0, 9.0);
        self.add(
            Shape::Block {
                centre,
                axes: [self.right, self.ahead, V3::z()],
                half: [6.0 * s, 4.6 * s, 3.6 * s],
            },
            Material::Paint { colour: kit.side * 0.8, gloss: 0.2 },
        );
        for (n, x) in [-2.6, 2.6].into_iter().enumerate() {
            self.limb(foot, [x, -0.6, 12.0], [x, -0.4, 17.6], [1.9, 2.1], kit.tunic(n));
            self.ball(foot, [x, -0.2, 20.6], 1.6, kit.metal(n), 0.5);
        }
        self.shaft([3.0 * s, foot[1]], 22.0, 0.3, room.under);
    }

    fn engine(&mut self, room: &Room, kit: &Kit) {
        let unit = room.width / 40.0;
        self.scale = unit * (room.depth() / (20.0 * unit)).clamp(0.55, 1.0);
        let foot = [0.0, room.middle()];
        for x in [-4.6, 4.6] {
            self.limb(foot, [x, -8.0, 2.0], [x, 8.5, 2.0], [1.1, 1.1], timber());
            self.limb(foot, [x, 3.0, 2.0], [x * 0.8, 3.0, 11.5], [1.0, 0.9], timber());
        }
        for y in [-7.0, 0.0, 7.5] {
            self.limb(foot, [-4.6, y, 2.2], [4.6, y, 2.2], [0.9, 0.9], timber() * 0.8);
        }
        self.limb(foot, [-4.0, 3.0, 11.5], [4.0, 3.0, 11.5], [1.2, 1.2], timber() * 0.9);
        self.limb(foot, [0.0, 2.0, 3.6], [0.0, -8.5, 10.5], [0.9, 0.8], timber() * 1.2);
        self.ball(foot, [0.0, -8.8, 11.4], 1.5, srgb(140, 136, 128), 0.1);
        for (n, (x, y)) in [(-11.5, -3.0), (11.5, 1.5), (12.0, -6.0)].into_iter().enumerate() {
            let place = [x * unit, (room.middle() + y * self.scale).clamp(room.rear + 2.0, room.front - 2.0)];
            self.soldier(place, n, kit);
        }
        let stones = self.seed;
        for n in 0..4 {
            let (x, y) = (-13.0 + 2.6 * n as f32, -7.0 + 3.0 * hash01(n, 3, stones));
            self.ball([x * unit, foot[1]], [0.0, y, 1.2], 1.3, srgb(140, 136, 128), 0.0);
        }
    }
}
