//! From a table and a roster to the scene of the simulated camera.

use crate::judge::{Roster, Table};
use crate::rules::{Location, Side};
use crate::vision::sim::{Figures, Ink, Placement, Scene, SceneError, SimBase, SimTag};

/// The table with the roster's elements that are on the board, put down by `seed`.
///
/// # Errors
/// [`SceneError`] where the table or an element cannot be drawn.
pub fn scene_from(table: &Table, roster: &Roster, seed: u64) -> Result<Scene, SceneError> {
    Scene::arranged(table.board_mm.0, table.board_mm.1, table.reference.clone(), bases(roster), seed)
}

/// The table with the roster's elements where `placements` say.
///
/// # Errors
/// [`SceneError`] where the table or an element cannot be drawn, or a placement names no element.
pub fn scene_placed(table: &Table, roster: &Roster, placements: Vec<Placement>) -> Result<Scene, SceneError> {
    Scene::placed(table.board_mm.0, table.board_mm.1, table.reference.clone(), bases(roster), placements)
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
    fn the_sample_armies_stand_on_the_sample_table_for_any_seed() {
        for seed in 0..8 {
            let scene = scene_from(&samples::table(), &samples::roster(), seed).expect("a scene");
            assert_eq!(scene.placements().len(), 24, "seed {seed}: every element finds a place");
        }
    }
}
