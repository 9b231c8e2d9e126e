//! Play that is followed without a word: whose bound it is, what the dice brought about, who is lost, from what stands on
//! the table alone. The table is handed over as a camera reads it; what it shows is written here move by move.

use groma::geometry::{Pose, PoseEstimate, Rest};
use groma::judge::{ElementReading, Roster};
use groma::rules::Side;
use groma::session::journal::Keeper;
use groma::session::play::{Act, FightKind, Kind, Phase, Play, Whereabouts, replay};
use groma::tracking::{Held, Visibility};
use std::collections::BTreeMap;
use std::time::Duration;

use super::journal::{engine, opened};

/// A table on which somebody plays, and the battle that is read from it.
struct Table {
    play: Play,
    keeper: Keeper,
    roster: Roster,
    places: BTreeMap<&'static str, (Pose, Visibility)>,
}

/// Who stands where at the beginning: two lines, the centres 85 mm apart: foot 15 deep meets after 70.
const LINES: [(&str, f64, f64, f64); 8] = [
    ("Consul", 180.0, 200.0, 90.0),
    ("Hastati", 220.0, 200.0, 90.0),
    ("Triarii", 260.0, 200.0, 90.0),
    ("Velites", 420.0, 200.0, 90.0),
    ("Strategos", 180.0, 285.0, 270.0),
    ("Phalanx", 220.0, 285.0, 270.0),
    ("Archers", 260.0, 285.0, 270.0),
    ("Horse", 520.0, 285.0, 270.0),
];

impl Table {
    fn empty() -> Self {
        let engine = engine();
        let roster = engine.roster().clone();
        let keeper = Keeper::new(0, opened(&engine));
        Self { play: Play::new(engine), keeper, roster, places: BTreeMap::new() }
    }

    /// Both lines stand, and the table has been seen at rest.
    fn lined_up() -> Self {
        let mut table = Self::empty();
        for (name, x, y, deg) in LINES {
            table.places.insert(name, (Pose::new(x, y, deg), Visibility::Seen));
        }
        table.look();
        table
    }

    fn put(&mut self, name: &'static str, x: f64, y: f64, deg: f64) -> &mut Self {
        self.places.insert(name, (Pose::new(x, y, deg), Visibility::Seen));
        self
    }

    /// So far ahead, as it faces.
    fn ahead(&mut self, name: &'static str, mm: f64) -> &mut Self {
        let (pose, _) = self.places.get_mut(name).expect("it stands there");
        *pose = Pose { centre: pose.at(0.0, mm), ..*pose };
        self
    }

    fn hide(&mut self, name: &'static str, seconds: u64) -> &mut Self {
        let (_, visibility) = self.places.get_mut(name).expect("it stands there");
        *visibility = Visibility::Covered { age: Duration::from_secs(seconds) };
        self
    }

    fn look(&mut self) -> &mut Self {
        self.look_held(None)
    }

    fn look_held(&mut self, held: Option<Held>) -> &mut Self {
        let of = |element: &groma::judge::RosterElement| {
            let place = self.places.get(element.name.as_str());
            let mut pose = place.map(|(pose, _)| PoseEstimate::exact(*pose));
            if let Some(pose) = &mut pose {
                pose.covariance =
                    nalgebra::Matrix3::from_diagonal(&nalgebra::Vector3::new(0.002, 0.002, 1e-6));
            }
            ElementReading {
                name: element.name.clone(),
                side: element.side,
                visibility: place.map_or(Visibility::Missing, |(_, v)| *v),
                at_rest: true,
                pose,
                rest: Rest::TABLE,
            }
        };
        let readings = self.roster.elements().iter().map(of).collect();
        self.play.look(readings, held, true);
        self.caught_up()
    }

    fn act(&mut self, act: Act) -> &mut Self {
        self.play.act(act);
        self.caught_up()
    }

    fn caught_up(&mut self) -> &mut Self {
        self.play.catch_up();
        let events = self.play.events();
        self.keeper.take(self.keeper.records().len() as u64, events);
        self
    }

    /// Whose bound it is, what of it is watched, and how many moves are over in it.
    fn bound(&self) -> (Option<Side>, Phase, usize) {
        let moves = self.play.moves();
        (moves.side(), moves.phase(), moves.known().done.len())
    }

    fn written(&self, kind: Kind) -> Vec<&str> {
        let of = self.play.written().iter().filter(|w| w.kind == kind);
        of.map(|w| w.words.as_str()).collect()
    }

    /// The same battle from its journal.
    fn replays(&self) {
        let replayed = replay(engine(), self.keeper.records()).expect("its own looks");
        assert_eq!(replayed.differences, []);
        assert_eq!(replayed.play.moves().known(), self.play.moves().known());
        assert_eq!(replayed.play.moves().phase(), self.play.moves().phase());
        assert_eq!(replayed.play.losses().lost(), self.play.losses().lost());
        assert_eq!(replayed.play.awaits(), self.play.awaits());
    }
}

const RED: Option<Side> = Some(Side::Red);
const BLUE: Option<Side> = Some(Side::Blue);

#[test]
fn nobody_marks_anything_and_a_bound_begins_with_its_side_s_first_move() {
    let mut table = Table::lined_up();
    assert_eq!(table.bound(), (None, Phase::Moves, 0));
    table.ahead("Horse", 60.0).look();
    assert_eq!(table.bound(), (BLUE, Phase::Moves, 0));
    table.ahead("Phalanx", 30.0).look();
    assert_eq!(table.bound(), (BLUE, Phase::Moves, 1));
    table.ahead("Velites", 40.0).look();
    assert_eq!(table.bound(), (RED, Phase::Moves, 0));
    assert_eq!(table.written(Kind::Bound), ["red bound begins"]);
    assert_eq!(table.written(Kind::Move).len(), 2, "{:?}", table.written(Kind::Move));
    table.ahead("Horse", 20.0).look();
    assert_eq!(table.written(Kind::Bound), ["red bound begins", "blue bound begins"]);
    assert!(table.written(Kind::Move).iter().all(|w| !w.contains("not legal")));
    table.replays();
}

#[test]
fn a_knock_a_bump_and_a_knocked_camera_begin_no_bound() {
    let mut table = Table::lined_up();
    table.ahead("Hastati", 40.0).look();
    assert_eq!(table.bound(), (RED, Phase::Moves, 0));
    // A sleeve takes an enemy along.
    table.ahead("Horse", 6.0).look();
    assert_eq!(table.bound(), (RED, Phase::Moves, 0));
    // The whole table slides.
    for (pose, _) in table.places.values_mut() {
        pose.centre += nalgebra::Vector2::new(11.0, 6.0);
    }
    table.look();
    assert_eq!((table.bound().0, table.written(Kind::Bound).len()), (RED, 0));
    // The camera is knocked: everything seems to have gone somewhere.
    table.ahead("Archers", 70.0).look_held(Some(Held::Knocked));
    assert_eq!(table.written(Kind::Bound).len(), 0);
    table.ahead("Archers", -70.0).look();
    // Nobody answered what was asked about the bump, and play goes on.
    table.ahead("Velites", 40.0).look();
    assert_eq!(table.bound(), (RED, Phase::Moves, 1));
    table.ahead("Phalanx", 30.0).look();
    assert_eq!(table.bound(), (BLUE, Phase::Moves, 0));
    let moves = table.written(Kind::Move);
    assert_eq!(moves.len(), 2, "{moves:?}");
    assert!(
        moves[0].starts_with("Hastati moved 40.") && moves[1].starts_with("Velites moved 40."),
        "{moves:?}"
    );
    table.replays();
}

#[test]
fn both_players_moving_at_once_are_two_bounds() {
    let mut table = Table::lined_up();
    table.ahead("Velites", 40.0).look();
    table.ahead("Hastati", 30.0).ahead("Horse", 60.0).look();
    assert_eq!(table.bound(), (BLUE, Phase::Moves, 0));
    assert_eq!(table.written(Kind::Move).len(), 2, "{:?}", table.written(Kind::Move));
    table.replays();
}

#[test]
fn armies_that_are_put_on_the_table_make_no_moves() {
    let mut table = Table::empty();
    for (name, x, y, deg) in LINES {
        table.put(name, x, y, deg).look();
        // Put straight once it stands.
        table.put(name, x, y - 4.0, deg).look().put(name, x, y, deg).look();
    }
    assert_eq!((table.bound(), table.play.written().len()), ((None, Phase::Moves, 0), 0));
    table.ahead("Hastati", 40.0).look();
    assert_eq!(table.bound(), (RED, Phase::Moves, 0));
    table.replays();
}

/// Red's Hastati go up to the Phalanx, who face them squarely, and the dice of that combat lie.
fn fought(dice: [u8; 2]) -> Table {
    let mut table = Table::lined_up();
    table.act(Act::Pips(Some(4)));
    table.ahead("Hastati", 70.0).look();
    table.act(Act::Fought {
        kind: FightKind::Close,
        a: "Hastati".into(),
        b: "Phalanx".into(),
        dice,
        from: None,
    });
    table
}

#[test]
fn after_dice_bases_are_awaited_where_they_are_to_stand_and_are_no_moves_when_they_do() {
    // Blades of 5 and 6 against pikes of 3 and 3: beaten, not doubled.
    let mut table = fought([6, 3]);
    assert_eq!(table.bound().1, Phase::Combat);
    let awaited = table.play.awaits().on(table.play.table());
    assert!(!awaited.is_empty() && awaited.iter().all(|(_, _, met)| !met), "{awaited:?}");
    for (a, _, _) in &awaited {
        let name = LINES.iter().map(|l| l.0).find(|n| *n == a.who).expect("one of them");
        let to = a.to.as_ref().expect("nobody is destroyed").pose();
        // As near as a hand puts it.
        table.places.insert(
            name,
            (Pose { centre: to.centre + nalgebra::Vector2::new(1.5, -1.0), ..to }, Visibility::Seen),
        );
    }
    table.look();
    assert!(table.play.awaits().on(table.play.table()).iter().all(|(_, _, met)| *met));
    assert_eq!(table.bound(), (RED, Phase::Combat, 1));
    assert_eq!(table.written(Kind::Bound).len(), 0);
    // Blue moves: its bound.
    table.ahead("Horse", 60.0).look();
    assert_eq!(table.bound(), (BLUE, Phase::Moves, 0));
    assert!(table.play.awaits().all().is_empty());
    assert_eq!(table.written(Kind::Bound), ["blue bound begins"]);
    table.replays();
}

#[test]
fn dice_that_nobody_gave_leave_the_table_as_it_stands_and_rulings_say_what_is_not_known() {
    let mut table = Table::lined_up();
    table.ahead("Horse", 60.0).look();
    // No PIP die was told: the move is judged but for that.
    let view = table.play.moves().view().expect("it is watched");
    let mv = &view.explanations[0].moves[0];
    assert!(!mv.unchecked.is_empty(), "{mv:?}");
    table.ahead("Hastati", 70.0).look();
    assert_eq!(table.bound().0, RED);
    // The Phalanx recoils with nobody having said a word.
    table.put("Phalanx", 220.0, 300.0, 270.0).look();
    assert_eq!(table.bound(), (RED, Phase::Combat, 1));
    assert!(
        table.written(Kind::Move).iter().any(|w| w.contains("dice nobody gave")),
        "{:?}",
        table.written(Kind::Move)
    );
    table.ahead("Horse", 20.0).look();
    assert_eq!(table.bound(), (BLUE, Phase::Moves, 0));
    table.replays();
}

#[test]
fn who_is_not_seen_is_not_lost_unless_the_dice_or_the_players_say_so() {
    let mut table = Table::lined_up();
    table.hide("Archers", 60).look();
    assert!(table.play.losses().lost().is_empty());
    assert_eq!(table.play.missing(), [("Archers", Whereabouts::Unseen)]);
    // Beyond the board's rim it is off the table.
    table.put("Triarii", -60.0, 200.0, 90.0).look();
    assert!(table.play.missing().contains(&("Triarii", Whereabouts::OffTable)));
    assert!(table.play.measured().is_some_and(|m| m.setup.element("Triarii").is_none()));
    assert!(table.play.losses().lost().is_empty());
}

#[test]
fn who_is_to_be_taken_off_and_is_gone_is_lost() {
    // Blades of 5 and 6 against pikes of 3 and 1: doubled.
    let mut table = fought([6, 1]);
    let off: Vec<_> = table.play.awaits().all().into_iter().filter(|a| a.to.is_none()).collect();
    let lost = match off.as_slice() {
        [one] => one.who.clone(),
        other => panic!("the dice are to destroy one: {other:?} of {:?}", table.play.awaits().all()),
    };
    assert_eq!(lost, "Phalanx");
    assert!(table.play.losses().lost().is_empty());
    table.hide("Phalanx", 1).look();
    assert!(table.play.losses().lost().is_empty(), "a hand may hide it");
    table.hide("Phalanx", 3).look();
    assert_eq!(table.play.losses().lost(), ["Phalanx"]);
    assert_eq!(table.bound().1, Phase::Combat);
    table.replays();
}

#[test]
fn one_word_takes_the_table_as_it_stands_and_can_be_undone() {
    let mut table = Table::lined_up();
    table.ahead("Velites", 40.0).look();
    // A quarter of an hour that nobody saw: all is elsewhere, and two are gone.
    table.hide("Archers", 900).hide("Triarii", 900);
    for (name, x, y, deg) in
        [("Hastati", 300.0, 420.0, 0.0), ("Phalanx", 100.0, 100.0, 180.0), ("Horse", 480.0, 80.0, 45.0)]
    {
        table.put(name, x, y, deg);
    }
    table.look();
    let lost = table.play.assumed_lost();
    assert_eq!(lost, ["Triarii", "Archers"]);
    table.act(Act::CarryOn { side: Side::Blue, lost });
    assert_eq!(table.bound(), (BLUE, Phase::Moves, 0));
    assert_eq!(table.play.losses().lost(), ["Triarii", "Archers"]);
    table.look();
    assert!(table.play.moves().view().is_some_and(|v| v.explanations.is_empty() && v.unexplained.is_empty()));
    table.ahead("Horse", 60.0).look();
    let view = table.play.moves().view().expect("it is watched");
    assert!(view.explanations[0].moves[0].words.starts_with("Horse moved 60."), "{view:?}");
    table.replays();
    let to = table.keeper.undo().expect("it can be undone");
    let mut keeper = std::mem::replace(&mut table.keeper, Keeper::new(0, opened(&engine())));
    keeper.take(0, vec![groma::session::journal::Event::Back { to }]);
    let back = replay(engine(), keeper.records()).expect("its own looks").play;
    assert!(back.losses().lost().is_empty());
    assert!(back.written().iter().all(|w| !w.words.contains("carried on")));
}

#[test]
fn where_a_bound_began_is_kept_so_that_all_can_be_put_back() {
    let mut table = Table::lined_up();
    table.ahead("Velites", 40.0).look().ahead("Hastati", 30.0).look();
    let began = table.play.moves().began().expect("it is followed").clone();
    let at = |name: &str| began.element(name).expect("there").footprint.pose().centre.y;
    assert!((at("Velites") - 200.0).abs() < 0.5 && (at("Hastati") - 200.0).abs() < 0.5);
    table.ahead("Horse", 50.0).look();
    let began = table.play.moves().began().expect("it is followed");
    let at = |name: &str| began.element(name).expect("there").footprint.pose().centre.y;
    assert!((at("Velites") - 240.0).abs() < 0.5 && (at("Horse") - 285.0).abs() < 0.5);
}
