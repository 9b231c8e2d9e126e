//! Where an element may go: worked out beside the window's own thread, drawn on the board, with whom it can reach.

use super::staged::{scene, until, window};
use super::{click, has, keep_sizes};
use egui_kittest::kittest::Queryable;
use groma::geometry::Pose;
use groma::vision::sim::Placement;
use nalgebra::Isometry3;

fn table(phalanx_y: f64) -> Vec<Placement> {
    let places = [
        ("Consul", Pose::new(110.0, 160.0, 90.0)),
        ("Hastati 1", Pose::new(200.0, 150.0, 90.0)),
        ("Phalanx 1", Pose::new(200.0, phalanx_y, 270.0)),
    ];
    places.map(|(name, pose)| Placement { name: name.to_owned(), pose, ground_mm: 0.0 }).into()
}

#[test]
fn where_it_may_go_is_drawn_and_whom_it_reaches_is_listed() {
    let tables = [table(500.0), table(215.0)];
    let (mut harness, stage) = window(tables.iter().map(|t| (scene(t), Isometry3::identity())).collect());
    until(&mut harness, 40, |h| {
        h.state().state().table().elements.iter().filter(|e| e.place.is_some()).count() == 3
    });
    click(&mut harness, "Reach");
    assert!(has(&harness, "Pick an element: where it may end"));
    click(&mut harness, "Pick Hastati 1");
    until(&mut harness, 40, |h| h.state().state().reach().view().is_some());
    let top = |h: &egui_kittest::Harness<'_, groma::app::window::Window>| {
        let view =
            h.state().state().reach().view().expect("it is worked out").as_ref().expect("a region").clone();
        let ys = view.outline.iter().flatten().map(|p| p.y);
        ys.fold(f64::NEG_INFINITY, f64::max)
    };
    // Solid foot go 2 base widths, 80 mm, at the front corner that goes furthest (dba3.dist.7). Turned about it gets its
    // middle furthest: its corners change places, 40 mm, and its front, 7.5 mm before its middle, becomes its rear.
    let furthest = 157.5 + (80.0_f64.powi(2) - 40.0_f64.powi(2)).sqrt() + 7.5;
    assert!((top(&harness) - furthest).abs() < 0.5, "{} and not {furthest}", top(&harness));
    assert!(has(&harness, "It can line up with no enemy."));
    keep_sizes("reach", harness.state_mut());
    // 50 mm before it: it can go into contact, and no further there. Turned beside the zone it may pass the enemy's flank,
    // its middle half a base depth or more beyond the enemy's side.
    stage.set(1);
    until(&mut harness, 60, |h| has(h, "Reach Phalanx 1, its front: 1 PIP"));
    // It goes out of its way there, so its ways count as they are gone, a turn about a far point by its arc (dba3.dist.2).
    // Of single wheels the furthest: to the right by t about a point v ahead of the middle of its front, from where both
    // ends of the front are sqrt(20^2 + v^2) off and go t times that, 80 mm; about a point further aside one end would go
    // further. It clears the zone's corner at (180, 167.5), sqrt(20^2 + (v - 10)^2) off that point and so within v of it, and
    // its front stops 1 mm, the gap of a contact (dba3.con.4), from the enemy's rear corner at (180, 222.5) where
    // 20 sin t - (65 - v) cos t = v - 1. So t = 117.73 degrees, v = 33.404, and its middle ends at (163.8, 209.94). To the
    // left it is the same.
    let (turn, v) = (117.729_f64.to_radians(), 33.404);
    let furthest = 157.5 + v - (v + 7.5) * turn.cos();
    assert!((top(&harness) - furthest).abs() < 0.5, "{} and not {furthest}", top(&harness));
    let before_it = |h: &egui_kittest::Harness<'_, groma::app::window::Window>| {
        let view = h.state().state().reach().view().expect("worked out").as_ref().expect("a region").clone();
        let ahead = view.outline.iter().flatten().filter(|p| (p.x - 200.0).abs() < 20.0).map(|p| p.y);
        ahead.fold(f64::NEG_INFINITY, f64::max)
    };
    assert!((198.0..202.0).contains(&before_it(&harness)), "{}", before_it(&harness));
    click(&mut harness, "Reach Phalanx 1, its front: 1 PIP");
    keep_sizes("reached", harness.state_mut());
    click(&mut harness, "Clear");
    assert!(harness.state().state().reach().view().is_none());
    harness.get_by_label_contains("Pick an element");
}
