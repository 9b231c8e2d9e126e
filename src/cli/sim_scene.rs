//! From a table and a roster to the scene of the simulated camera.

use super::Failure;
use crate::geometry::Footing;
use crate::judge::{Roster, Table, relief};
use crate::rules::{Location, Side};
use crate::tracking::ReferenceTag;
use crate::vision::sim::{
    Figures, Ink, Placement, Props, Scene, SceneError, SimBase, SimSettings, SimTag, SimulatedCamera, View,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The table with the roster's elements that are on the board, put down by `seed`.
///
/// # Errors
/// [`SceneError`] where the table or an element cannot be drawn.
pub fn scene_from(table: &Table, roster: &Roster, seed: u64) -> Result<Scene, SceneError> {
    arranged(table, bases(roster), seed)
}

/// The tags that lie flat: the table's own, and those on its terrain.
fn lying(table: &Table) -> Vec<ReferenceTag> {
    table.reference.iter().copied().chain(table.feature_tags.iter().map(|t| t.place)).collect()
}

/// These bases put down by `seed`, those that come to stand on hills lifted and tilted by them. Hands keep off hills.
fn arranged(table: &Table, bases: Vec<SimBase>, seed: u64) -> Result<Scene, SceneError> {
    let (width_mm, depth_mm) = table.board_mm;
    let level = Scene::arranged(width_mm, depth_mm, lying(table), bases, seed)?;
    let relief = relief(&table.ground);
    if relief.is_flat() {
        return Ok(level);
    }
    let mut props =
        Props { keep_off: relief.hills().iter().map(|h| h.outline().clone()).collect(), ..Props::default() };
    let mut placements = level.placements().to_vec();
    for at in &mut placements {
        let Some(base) = level.base(&at.name) else { continue };
        let rest = Footing::of(&relief, &base.footprint(at.pose)).settled();
        at.ground_mm = rest.height_mm;
        props.slopes.insert(at.name.clone(), rest.slope);
    }
    let (reference, bases) = (level.reference().to_vec(), level.bases().to_vec());
    Ok(Scene::placed(width_mm, depth_mm, reference, bases, placements)?.with(props))
}

/// The table with the roster's elements where `placements` say.
///
/// # Errors
/// [`SceneError`] where the table or an element cannot be drawn, or a placement names no element.
pub fn scene_placed(table: &Table, roster: &Roster, placements: Vec<Placement>) -> Result<Scene, SceneError> {
    Scene::placed(table.board_mm.0, table.board_mm.1, lying(table), bases(roster), placements)
}

/// The same with every tag a little off its place, as [`scene_as_glued`] has it.
///
/// # Errors
/// As [`scene_placed`].
pub fn scene_placed_as_glued(
    table: &Table,
    roster: &Roster,
    placements: Vec<Placement>,
    seed: u64,
) -> Result<Scene, SceneError> {
    let bases = glued(roster, seed);
    Scene::placed(table.board_mm.0, table.board_mm.1, lying(table), bases, placements)
}

/// The simulated camera of `choice`: a seed, a kind of table, and a side it stands on, as `7`, `7,messy` or
/// `7,table,left`. Two sides show one table, at the same moments.
///
/// # Errors
/// A seed that is no whole number, an unknown kind or side, or a table that cannot be drawn.
pub fn simulated_camera(choice: &str, table: &Table, roster: &Roster) -> Result<SimulatedCamera, Failure> {
    let (rest, side) = match choice.rsplit_once(',') {
        Some((rest, side)) => match view_from(side.trim()) {
            Some(view) => (rest, Some(view)),
            None => (choice, None),
        },
        None => (choice, None),
    };
    let (seed, settings) = seed_and_settings(rest)?;
    let scene = scene_from(table, roster, seed).map_err(anyhow::Error::from)?;
    let camera = match side {
        Some(view) => SimulatedCamera::looking(scene, settings, view, seed),
        None => SimulatedCamera::new(scene, settings, seed),
    };
    Ok(camera.map_err(anyhow::Error::from)?)
}

/// A camera that stands well to one side of the table, leaning over it.
fn view_from(side: &str) -> Option<View> {
    let aside_deg = match side {
        "left" => -28.0,
        "right" => 28.0,
        _ => return None,
    };
    Some(View { lean_deg: 12.0, aside_deg, roll_deg: 0.0 })
}

/// What stands after `sim:`, but for the side.
pub(super) fn seed_and_settings(choice: &str) -> Result<(u64, SimSettings), Failure> {
    let (seed, profile) = choice.split_once(',').unwrap_or((choice, "table"));
    let known = seed.trim().parse::<u64>().ok().zip(SimSettings::profile(profile.trim()));
    known.ok_or_else(|| {
        Failure::Use(format!(
            "sim:{choice}: expected sim:SEED, a whole number, as sim:1, with a kind of table ({}) where it is to be \
             another, as sim:1,messy, and left or right for a camera on that side, as sim:1,table,left",
            SimSettings::PROFILES.join(", ")
        ))
    })
}

/// A scene as [`scene_from`] makes it, with every tag a little off its place, as real ones are: by the roster's own sigmas, drawn
/// by `seed`. What the roster says is then true within its sigmas only.
///
/// # Errors
/// [`SceneError`] where the table or an element cannot be drawn.
pub fn scene_as_glued(table: &Table, roster: &Roster, seed: u64) -> Result<Scene, SceneError> {
    arranged(table, glued(roster, seed), seed)
}

fn glued(roster: &Roster, seed: u64) -> Vec<SimBase> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x676c_7565);
    let mut normal = || {
        let (u, v): (f64, f64) = (rng.random::<f64>().max(1e-12), rng.random());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    };
    let mut bases = bases(roster);
    for base in &mut bases {
        let mounted = roster.element(&base.name).map(|e| e.tags.as_slice()).unwrap_or_default();
        for (tag, written) in base.tags.iter_mut().zip(mounted) {
            tag.right_mm += normal() * written.offset_sigma_mm;
            tag.forward_mm += normal() * written.offset_sigma_mm;
            tag.rotation_deg += normal() * written.rotation_sigma_deg;
            tag.height_mm = (tag.height_mm + normal() * written.height_sigma_mm).max(0.0);
        }
    }
    bases
}

fn bases(roster: &Roster) -> Vec<SimBase> {
    let on_board = roster.elements().iter().filter(|e| e.location == Location::Board);
    on_board
        .map(|e| SimBase {
            name: e.name.clone(),
            side: match e.side {
                Side::Red => 0,
                Side::Blue => 1,
            },
            width_mm: e.base.width_mm,
            depth_mm: e.base.depth_mm,
            thickness_mm: e.base.thickness_mm,
            tags: e
                .tags
                .iter()
                .map(|t| SimTag {
                    tag: t.tag,
                    size_mm: t.size_mm,
                    right_mm: t.right_mm,
                    forward_mm: t.forward_mm,
                    rotation_deg: t.rotation_deg,
                    height_mm: t.height_mm,
                    ink: Ink::Black,
                    contrast: 1.0,
                })
                .collect(),
            colour: match e.side {
                Side::Red => [164, 44, 38],
                Side::Blue => [44, 78, 150],
            },
            figures: figures(&e.troop),
        })
        .collect()
}

/// Figures for a troop code: a count in front ("4Bd") and letters after it do not matter.
fn figures(troop: &str) -> Figures {
    let kind: String = troop.chars().filter(|c| c.is_alphabetic()).collect();
    match kind.as_str() {
        "Sp" | "Pk" => Figures::Spears,
        "Bd" | "Wb" | "Hd" => Figures::Swords,
        "Bw" | "Lb" | "Cb" => Figures::Bows,
        "Ax" | "Ps" => Figures::Loose,
        "Kn" | "Cv" | "LH" | "Cm" | "LCm" => Figures::Riders,
        "El" => Figures::Elephant,
        "SCh" | "HCh" | "LCh" | "WWg" => Figures::Chariot,
        "Art" => Figures::Engine,
        "CP" | "Lit" | "CWg" | "CF" => Figures::Empty,
        _ => Figures::Swords,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::samples;

    #[test]
    fn bases_stand_on_the_tables_hills() {
        let hill = "terrain: [(name: \"Hill\", kind: \"gentle-hill\", height: 15, profile: stepped, \
                    outline: [(0, 0), (300, 0), (300, 600), (0, 600)]),";
        let text = samples::TABLE_RON.replacen("terrain: [", hill, 1);
        let table = crate::judge::parse_table("t.ron", &text).map_err(|m| m.to_string()).expect("a table");
        let scene = scene_from(&table, &samples::roster(), 3).expect("a scene");
        let (mut low, mut high) = (0, 0);
        for at in scene.placements() {
            let reach = scene.base(&at.name).map_or(0.0, |b| b.width_mm.hypot(b.depth_mm)) / 2.0;
            let x = at.pose.centre.x;
            low += usize::from(x - reach > 300.0 && at.ground_mm == 0.0);
            high += usize::from(x + reach < 300.0 && at.ground_mm == 15.0);
            assert!(x + reach >= 300.0 || at.ground_mm == 15.0, "{at:?}");
        }
        assert!(low >= 4 && high >= 4, "{low} {high}");
    }

    #[test]
    fn the_sample_armies_stand_on_the_sample_table_for_any_seed() {
        for seed in 0..8 {
            let scene = scene_from(&samples::table(), &samples::roster(), seed).expect("a scene");
            assert_eq!(scene.placements().len(), 24, "seed {seed}: every element finds a place");
        }
    }
}
