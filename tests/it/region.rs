//! The legal region against the judge of moves on crowded tables: what `docs/accuracy.md` says of ten thousand poses
//! holds for a few hundred too.

use groma::cli::study::region_study;

#[test]
#[cfg_attr(
    not(feature = "vision"),
    ignore = "minutes without optimisation; the run with every feature has it"
)]
fn poses_in_a_region_are_legal_and_poses_just_beyond_are_not() {
    let found = region_study(121, 11);
    println!("{found:#?}");
    // Enough of each kind to tell anything.
    assert!(found.inside >= 30 && found.beyond[0] >= 20 && found.beyond[1] >= 20);
    assert!(
        found.refused.is_empty(),
        "legal by the region and not by the judge: {}",
        found.refused.join("\n")
    );
    assert!(found.undrawn.is_empty(), "legal and outside the outline: {}", found.undrawn.join("\n"));
    // Put to the judge without a path, as what a player moved.
    assert!(found.asked[0] >= 20 && found.asked[1] >= 40);
    assert!(found.denied.is_empty(), "in the region, illegal where it is moved: {}", found.denied.join("\n"));
    assert!(found.granted.is_empty(), "beyond it, legal where it is moved: {}", found.granted.join("\n"));
    // Paths by chance know nothing of the search: docs/accuracy.md has their share of ten thousand.
    assert!(found.reached.len() <= 2, "legal and outside the region: {}", found.reached.join("\n"));
}
