//! A battle's journal: what is replayed is what was played, whatever befell the program or its disk.

use groma::geometry::{Pose, PoseEstimate, Rest};
use groma::judge::{ElementReading, Roster, RosterFile, parse_roster, samples};
use groma::rules::facts::Fact;
use groma::rules::{Question, Ruleset, Settings, Side};
use groma::session::engine::Engine;
use groma::session::journal::{Event, Found, Journal, JournalError, Keeper, Kept, Timeline};
use groma::session::play::{Act, Answer, FightKind, Job, Play, Said, replay};
use groma::tracking::{Held, Visibility};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Name, side, troop code, width and depth of the base.
type Few = (&'static str, &'static str, &'static str, (u32, u32));

/// Four a side: enough for groups, shooters and supports, and quickly explained.
const FEW: [Few; 8] = [
    ("Consul", "red", "Cv", (40, 30)),
    ("Hastati", "red", "4Bd", (40, 15)),
    ("Triarii", "red", "4Sp", (40, 15)),
    ("Velites", "red", "Ps", (40, 20)),
    ("Strategos", "blue", "Cv", (40, 30)),
    ("Phalanx", "blue", "4Pk", (40, 15)),
    ("Archers", "blue", "4Bw", (40, 15)),
    ("Horse", "blue", "LH", (40, 30)),
];

fn roster_text() -> String {
    let element = |(n, (name, side, troop, (width, depth))): (usize, &Few)| {
        let general = matches!(*name, "Consul" | "Strategos");
        format!(
            "(name: \"{name}\", side: {side}, troop: \"{troop}\", general: {general}, base: ({width}, {depth}), tags: \
             [(family: \"tag36h11\", id: {}, size: 12, height: 0.3)]),",
            20 + n
        )
    };
    let elements: String = FEW.iter().enumerate().map(element).collect();
    format!("(schema: 1, elements: [{elements}])")
}

/// The sample table with those few.
pub fn engine() -> Engine {
    let elements = parse_roster("few.ron", &roster_text()).map_err(|m| m.to_string()).expect("it reads");
    let file = RosterFile { file: "few.ron".to_owned(), elements };
    let roster = Roster::of(&samples::table(), vec![file], &Ruleset::dba3()).expect("no clash");
    Engine::new(samples::table(), roster, Settings::dba3())
}

pub fn opened(engine: &Engine) -> groma::session::journal::Opened {
    let kept = |name: &str, text: &str| Kept { name: name.to_owned(), text: text.to_owned() };
    engine.opened(kept("table.ron", samples::TABLE_RON), vec![kept("few.ron", &roster_text())], None)
}

/// A number below `n`.
fn below(chance: &mut ChaCha20Rng, n: u64) -> u64 {
    chance.next_u64() % n
}

/// A table on which somebody plays: who stands where, and who is covered by a hand.
struct Table {
    roster: Roster,
    places: BTreeMap<String, Pose>,
    covered: Vec<String>,
}

impl Table {
    /// Two lines, far enough apart to move.
    fn new() -> Self {
        let roster = engine().roster().clone();
        let mut places = BTreeMap::new();
        let mut counts = [0u32; 2];
        for element in roster.elements() {
            let side = usize::from(element.side == Side::Blue);
            // Two abreast, a gap, two abreast.
            let file = counts[side] + counts[side] / 2;
            counts[side] += 1;
            let x = 180.0 + 40.0 * f64::from(file);
            let pose = match element.side {
                Side::Red => Pose::new(x, 200.0, 90.0),
                Side::Blue => Pose::new(x, 330.0, 270.0),
            };
            places.insert(element.name.clone(), pose);
        }
        Self { roster, places, covered: Vec::new() }
    }

    fn readings(&self, jitter: &mut ChaCha20Rng) -> Vec<ElementReading> {
        let mut hair = || (below(jitter, 2001) as f64 - 1000.0) * 2.0e-5;
        let of = |element: &groma::judge::RosterElement| {
            let pose = self.places.get(&element.name).copied();
            let covered = self.covered.contains(&element.name);
            ElementReading {
                name: element.name.clone(),
                side: element.side,
                visibility: match pose {
                    None => Visibility::Missing,
                    Some(_) if covered => Visibility::Covered { age: Duration::from_millis(1500) },
                    Some(_) => Visibility::Seen,
                },
                at_rest: true,
                pose: pose.map(|pose| {
                    let mut estimate =
                        PoseEstimate::exact(pose.nudged(nalgebra::Vector2::new(hair(), hair()), 0.0));
                    estimate.covariance =
                        nalgebra::Matrix3::from_diagonal(&nalgebra::Vector3::new(0.002, 0.002, 1e-6));
                    estimate
                }),
                rest: Rest::TABLE,
            }
        };
        self.roster.elements().iter().map(of).collect()
    }
}

/// Plays at random: looks, moves, hands, facts, overrules, dice, losses, bounds. What takes long is done now or some
/// turns later, as it happens in the window. What happened after each turn goes to `each`.
fn play_at_random(seed: u64, turns: u32, mut each: impl FnMut(&mut Play)) -> Play {
    let mut chance = ChaCha20Rng::seed_from_u64(seed);
    let mut table = Table::new();
    let mut play = Play::new(engine());
    let names: Vec<String> = table.places.keys().cloned().collect();
    let mut away: Option<Job<Answer>> = None;
    let (red, blue): (Vec<String>, Vec<String>) =
        names.iter().cloned().partition(|n| table.roster.element(n).is_some_and(|e| e.side == Side::Red));
    play.look(table.readings(&mut chance), None, true);
    play.act(Act::Mark);
    for _ in 0..turns {
        let any =
            |of: &[String], chance: &mut ChaCha20Rng| of[below(chance, of.len() as u64) as usize].clone();
        let (a, b) = (any(&red, &mut chance), any(&blue, &mut chance));
        match below(&mut chance, 24) {
            0..=7 => {
                let name = any(&names, &mut chance);
                if let Some(pose) = table.places.get_mut(&name) {
                    let far = below(&mut chance, 60) as f64;
                    *pose = Pose { centre: pose.at(0.0, far), ..*pose };
                }
            }
            8 => {
                play.act(Act::Side([None, Some(Side::Red), Some(Side::Blue)][below(&mut chance, 3) as usize]))
            }
            9 => play.act(Act::Pips(Some(1 + below(&mut chance, 6) as u8))),
            10 => play.act(Act::Close),
            11 => play.act(Act::Stands),
            12 => {
                let side = play.moves().side().map(Side::enemy);
                play.act(Act::NextBound(side));
            }
            13 => play.act(Act::Agree(Fact::OutsideZone(a, b))),
            14 => {
                let question = Question::ALL[below(&mut chance, Question::ALL.len() as u64) as usize];
                play.act(Act::Overrule { question, a, b, said: Said::No });
            }
            15 | 16 => {
                let kind = if below(&mut chance, 2) == 0 { FightKind::Close } else { FightKind::Shooting };
                let dice = [1 + below(&mut chance, 6) as u8, 1 + below(&mut chance, 6) as u8];
                // Shooting hangs on how far each has moved: that is known once the moves are.
                while away.is_some() || kind == FightKind::Shooting && play.moves().at_work() {
                    let job = away.take().or_else(|| play.watch_job());
                    if let Some(job) = job {
                        play.take_watch(Ok(job()));
                    }
                }
                play.act(Act::Fought { kind, a, b, dice, from: None });
            }
            17 if below(&mut chance, 4) == 0 => {
                play.act(Act::Lost(a.clone()));
                table.places.remove(&a);
            }
            18 => table.covered = vec![a],
            19 => table.covered.clear(),
            20 => {
                let names = play.moves().view().map_or(Vec::new(), |view| {
                    view.nudged.iter().flat_map(|n| &n.nudges).map(|n| n.name.clone()).collect()
                });
                play.act(Act::AcceptNudges(names));
            }
            21 => {
                if let Some((explained, words)) = play.moves().let_stand() {
                    play.act(Act::LetStand { explained, words });
                }
            }
            22 if below(&mut chance, 4) == 0 => {
                play.act(Act::ForgetMark);
                play.act(Act::Mark);
            }
            _ => {}
        }
        let held = (below(&mut chance, 15) == 0).then_some(Held::Stirred);
        let at_rest = below(&mut chance, 5) > 0;
        play.look(table.readings(&mut chance), held, at_rest);
        away = away.or_else(|| play.watch_job());
        if below(&mut chance, 3) > 0
            && let Some(job) = away.take()
        {
            play.take_watch(Ok(job()));
        }
        each(&mut play);
    }
    if let Some(job) = away {
        play.take_watch(Ok(job()));
    }
    play.catch_up();
    each(&mut play);
    play
}

/// A battle that was played at random, with its records.
pub fn played(seed: u64, turns: u32) -> (Keeper, Play) {
    let mut keeper = Keeper::new(1_796_000_000_000, opened(&engine()));
    let play = play_at_random(seed, turns, |play| {
        let at = 1_796_000_000_000 + keeper.records().len() as u64;
        keeper.take(at, play.events());
    });
    (keeper, play)
}

#[test]
fn what_is_replayed_from_its_text_is_what_was_played() {
    let mut written = 0;
    for seed in 1..=4 {
        let (keeper, play) = played(seed, 40);
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join("battle.journal");
        Journal::create(&path, keeper.records()).expect("written");
        let found = Found::read(&path).expect("whole");
        assert_eq!(found.records.len(), keeper.records().len());
        let again = Engine::of_opened(found.opened()).expect("its own files");
        let replayed = replay(again, &found.records).expect("its own looks");
        assert_eq!(replayed.differences, [], "seed {seed}");
        assert_eq!(replayed.compared, play.written().len());
        assert_eq!(replayed.play.losses().lost(), play.losses().lost());
        assert_eq!(replayed.play.moves().known(), play.moves().known(), "seed {seed}");
        assert_eq!(replayed.play.moves().moved(), play.moves().moved());
        assert_eq!(replayed.play.facts().all().collect::<Vec<_>>(), play.facts().all().collect::<Vec<_>>());
        written += play.written().len();
    }
    assert!(written > 25, "only {written} entries were compared");
}

#[test]
fn terrain_that_is_drawn_anew_leaves_the_battle_and_its_record_as_they_are() {
    let text = samples::TABLE_RON.replacen("// (name: \"Beech wood\"", "(name: \"Beech wood\"", 1);
    let kept = Kept { name: "table.ron".to_owned(), text };
    let mut lost = 0;
    for seed in 2..=4 {
        let mut keeper = Keeper::new(0, opened(&engine()));
        let (mut turn, mut laid) = (0, false);
        let play = play_at_random(seed, 40, |play| {
            turn += 1;
            if turn == 10 {
                play.act(Act::Lost("Velites".to_owned()));
            }
            let before = play.losses().lost().to_vec();
            if turn >= 20 && !laid && play.lay(kept.clone()).is_ok() {
                laid = true;
                assert_eq!(play.losses().lost(), before);
                lost += before.len();
            }
            keeper.take(0, play.events());
        });
        assert_eq!(play.engine().table().ground.features.len(), 1);
        let replayed = replay(engine(), keeper.records()).expect("its own looks and table");
        assert_eq!(replayed.differences, [], "seed {seed}");
        assert_eq!(replayed.play.engine().table(), play.engine().table());
        assert_eq!(replayed.play.losses().lost(), play.losses().lost());
        // What came before it is not undone.
        let table =
            keeper.records().iter().position(|r| matches!(r.event, Event::Table(_))).expect("a record");
        while let Some(to) = keeper.undo() {
            assert!(to > table as u64, "{to}");
            keeper.take(0, vec![Event::Back { to }]);
        }
        let back = replay(engine(), keeper.records()).expect("its own looks and table").play;
        assert_eq!(back.engine().table().ground.features.len(), 1);
    }
    assert!(lost > 0, "somebody was lost before the terrain was drawn anew");
    // A file that is not in order changes nothing.
    let mut play = Play::new(engine());
    let torn = Kept { name: "table.ron".to_owned(), text: "(schema: 1".to_owned() };
    assert!(play.lay(torn).is_err() && play.events().is_empty());
}

#[test]
fn another_outcome_than_was_written_down_is_told() {
    let (keeper, _) = played(2, 30);
    let mut records = keeper.records().to_vec();
    let at =
        records.iter().position(|r| matches!(r.event, Event::Wrote(_))).expect("something was written down");
    let Event::Wrote(written) = &mut records[at].event else { panic!("it is one") };
    written.words.push_str(", or so they say");
    let replayed = replay(engine(), &records).expect("its own looks");
    let [difference] = replayed.differences.as_slice() else { panic!("{:?}", replayed.differences) };
    assert_eq!(difference.was.as_ref().map(|(n, _)| *n), Some(records[at].n));
    assert!(difference.now.as_ref().is_some_and(|now| !now.words.ends_with("so they say")));
}

#[test]
fn what_is_undone_is_not_replayed_and_done_again_it_is() {
    let (mut keeper, _) = played(3, 40);
    let ends = replay(engine(), keeper.records()).expect("its own looks").play.written().to_vec();
    let mut back = Vec::new();
    while let Some(to) = keeper.undo() {
        keeper.take(0, vec![Event::Back { to }]);
        back.push(replay(engine(), keeper.records()).expect("its own looks"));
        assert_eq!(back.last().map(|r| r.differences.len()), Some(0));
        if back.len() == 6 {
            break;
        }
    }
    assert_eq!(back.len(), 6, "the battle has so many acts");
    assert!(back.windows(2).all(|b| b[1].taken < b[0].taken));
    while let Some(to) = keeper.redo() {
        keeper.take(0, vec![Event::Back { to }]);
    }
    let again = replay(engine(), keeper.records()).expect("its own looks");
    assert_eq!((again.play.written(), again.differences.len()), (ends.as_slice(), 0));
    assert_eq!(Timeline::of(keeper.records()).redo(), None);
}

fn journal_of(dir: &Path, turns: u32) -> std::path::PathBuf {
    let path = dir.join("battle.journal");
    Journal::create(&path, played(4, turns).0.records()).expect("written");
    path
}

#[test]
fn a_torn_end_costs_the_last_record_and_is_put_aside() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = journal_of(dir.path(), 12);
    let whole = std::fs::read(&path).expect("there");
    let records = Found::read(&path).expect("whole").records;
    let last = whole[..whole.len() - 1].iter().rposition(|b| *b == b'\n').expect("lines") + 1;
    let mut cuts: Vec<usize> = (last + 1..whole.len()).step_by(97).collect();
    cuts.push(whole.len() - 2);
    for cut in cuts {
        std::fs::write(&path, &whole[..cut]).expect("written");
        let (mut journal, found) = Journal::open(&path).expect("it opens");
        assert_eq!(found.records, records[..records.len() - 1], "cut at {cut}");
        let torn = found.torn.expect("a torn end");
        assert_eq!((torn.bytes.as_slice(), torn.at), (&whole[last..cut], last as u64));
        // It goes on from there.
        journal.append(&records[records.len() - 1..]).expect("written");
        assert_eq!(std::fs::read(&path).expect("there"), whole);
        let aside = path.with_extension("journal.torn");
        assert!(std::fs::read(&aside).expect("put aside").starts_with(&whole[last..cut]));
        std::fs::remove_file(aside).expect("removed");
    }
    // All but the end of its line: nothing is lost.
    std::fs::write(&path, &whole[..whole.len() - 1]).expect("written");
    let (_, found) = Journal::open(&path).expect("it opens");
    assert_eq!((found.records, found.torn), (records.clone(), None));
    assert_eq!(std::fs::read(&path).expect("there"), whole);
    // What a power cut leaves: zeros where the line was to be.
    let mut zeros = whole[..last].to_vec();
    zeros.extend([0; 300]);
    std::fs::write(&path, &zeros).expect("written");
    assert_eq!(Journal::open(&path).expect("it opens").1.records, records[..records.len() - 1]);
}

#[test]
fn damage_before_the_end_is_told_and_what_is_whole_can_be_saved() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = journal_of(dir.path(), 12);
    let whole = std::fs::read(&path).expect("there");
    let records = Found::read(&path).expect("whole").records;
    let starts: Vec<usize> = std::iter::once(0)
        .chain(whole.iter().enumerate().filter(|(_, b)| **b == b'\n').map(|(n, _)| n + 1))
        .collect();
    let mut damaged = whole.clone();
    damaged[starts[3] + 20] ^= 4;
    std::fs::write(&path, &damaged).expect("written");
    let told = JournalError::Damaged { path: path.display().to_string(), line: 4, whole: 3 };
    assert_eq!(Journal::open(&path).expect_err("damaged"), told);
    assert_eq!(Found::read(&path).expect_err("damaged"), told);
    assert_eq!(std::fs::read(&path).expect("there"), damaged, "nothing is mended in place");
    assert_eq!(Found::read_whole_part(&path).expect("a whole part").records, records[..3]);
    // A line that is missing altogether.
    let mut without = whole[..starts[2]].to_vec();
    without.extend(&whole[starts[3]..]);
    std::fs::write(&path, &without).expect("written");
    assert!(matches!(Journal::open(&path), Err(JournalError::Damaged { line: 3, whole: 2, .. })));
}

#[test]
fn what_is_no_journal_or_of_a_later_one_is_refused_and_left_alone() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("x.journal");
    for bytes in [&b""[..], b"hello\n", b"{\"n\":1}\n", &[0xff; 500], b"\n\n\n"] {
        std::fs::write(&path, bytes).expect("written");
        let why = Journal::open(&path).expect_err("no journal");
        assert!(matches!(why, JournalError::NoJournal(_)), "{why}");
        assert_eq!(std::fs::read(&path).expect("there"), bytes);
    }
    // A first line that was changed is told from what never was one; what editors do to a file's ends costs nothing.
    let keeper = Keeper::new(5, opened(&engine()));
    let whole: Vec<u8> = keeper.records().iter().flat_map(|r| (r.line() + "\n").into_bytes()).collect();
    let mut changed = whole.clone();
    changed[40] ^= 1;
    std::fs::write(&path, [b"\xef\xbb\xbf", changed.as_slice()].concat()).expect("written");
    let why = Journal::open(&path).expect_err("changed").to_string();
    assert!(why.contains("the first line is damaged or was changed"), "{why}");
    let edited = String::from_utf8(whole).expect("text").replace('\n', "\r\n") + "\r\n\n";
    std::fs::write(&path, &edited).expect("written");
    assert_eq!(Found::read(&path).expect("whole").records, keeper.records());
    let later = groma::session::journal::Opened { schema: 9, groma: "7.0.0".to_owned(), ..opened(&engine()) };
    let keeper = Keeper::new(5, later);
    std::fs::remove_file(&path).expect("removed");
    Journal::create(&path, keeper.records()).expect("written");
    let why = Journal::open(&path).expect_err("a later form").to_string();
    assert!(
        why.contains("form 9") && why.contains("Groma 7.0.0") && why.contains("Nothing was changed"),
        "{why}"
    );
    let missing = Journal::open(&dir.path().join("none.journal")).expect_err("not there").to_string();
    assert!(missing.contains("no such file"), "{missing}");
}

#[test]
fn a_battle_replaces_no_file_and_is_written_by_one_program_at_a_time() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("battle.journal");
    let keeper = Keeper::new(5, opened(&engine()));
    let held = Journal::create(&path, keeper.records()).expect("written");
    assert!(matches!(Journal::create(&path, keeper.records()), Err(JournalError::Exists(_))));
    assert!(matches!(Journal::open(&path), Err(JournalError::Busy(_))));
    // Reading is always possible.
    assert_eq!(Found::read(&path).expect("whole").records, keeper.records());
    drop(held);
    assert!(Journal::open(&path).is_ok());
    let nowhere = Journal::create(&dir.path().join("no/such/battle.journal"), keeper.records());
    assert!(nowhere.is_err_and(|why| why.to_string().contains("no such file or folder")));
}

/// Run by the tests below in a process of its own: writes records as fast as it can, and says so after each.
#[test]
#[ignore = "a part of other tests, which run it by itself"]
fn a_program_that_writes_until_it_is_stopped() {
    let Ok(path) = std::env::var("GROMA_TEST_JOURNAL") else { return };
    let path = Path::new(&path);
    let kept = Kept { name: "table.ron".to_owned(), text: String::new() };
    let opened = groma::session::journal::Opened {
        schema: 1,
        groma: "0.1.0".to_owned(),
        table: kept,
        rosters: Vec::new(),
        ruleset: "dba3".to_owned(),
        preset: "printed".to_owned(),
        event: None,
        changes: Vec::new(),
        commitment: None,
    };
    let mut records = Keeper::new(5, opened).records().to_vec();
    let (mut journal, mut next) = match Journal::open(path) {
        Ok((journal, found)) => (journal, found.records.len()),
        Err(_) => (Journal::create(path, &records).expect("written"), 1),
    };
    let mut told = std::io::stdout();
    loop {
        // As long as a look at a table of 24 elements.
        let event = Event::Act(Act::Note("a hand slipped; ".repeat(1 + next % 900)));
        records = vec![groma::session::journal::Record { n: next as u64 + 1, at_ms: 7, event }];
        match journal.append(&records) {
            Ok(()) => writeln!(told, "wrote {}", records[0].n).expect("told"),
            Err(why) => {
                writeln!(told, "refused {}: {why}", records[0].n).expect("told");
                told.flush().expect("told");
                return;
            }
        }
        told.flush().expect("told");
        next += 1;
    }
}

fn writer(path: &Path) -> Command {
    let program = std::env::current_exe().expect("this test's own program");
    let mut command = Command::new(program);
    command
        .args(["--exact", "journal::a_program_that_writes_until_it_is_stopped", "--ignored", "--nocapture"])
        .env("GROMA_TEST_JOURNAL", path)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

#[test]
fn a_program_that_is_killed_at_any_moment_loses_nothing_that_was_written() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("battle.journal");
    let mut chance = ChaCha20Rng::seed_from_u64(11);
    let (mut before, mut torn) = (0, 0);
    for round in 0..200 {
        let mut child = writer(&path).spawn().expect("it starts");
        let mut lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        // Killed after some records, somewhere in the writing of the next.
        let wanted = 1 + below(&mut chance, 4);
        let (mut last, mut count) = (0u64, 0);
        for line in lines.by_ref().map_while(Result::ok) {
            if let Some(n) = line.strip_prefix("wrote ") {
                (last, count) = (n.parse().expect("a number"), count + 1);
                if count == wanted {
                    std::thread::sleep(Duration::from_micros(below(&mut chance, 900)));
                    child.kill().expect("killed");
                    break;
                }
            }
        }
        for line in lines.map_while(Result::ok) {
            last = line.strip_prefix("wrote ").map_or(last, |n| n.parse().expect("a number"));
        }
        child.wait().expect("ended");
        let found = Found::read(&path).expect("it reads");
        let whole = found.records.len() as u64;
        assert!(
            last > before && (last..=last + 1).contains(&whole),
            "round {round}: {last} told, {whole} there"
        );
        torn += u32::from(found.torn.is_some());
        before = whole;
    }
    println!("killed 200 times at {before} records, {torn} with a torn end");
}

#[test]
#[cfg(target_os = "linux")]
fn a_folder_that_may_not_be_written_is_told_and_the_battle_goes_on_in_memory() {
    // Nobody may make a file there, not even who may do everything else.
    let path = Path::new("/sys/groma-test.journal");
    let mut keeper = Keeper::new(5, opened(&engine()));
    let why = keeper.keep_in(path).expect_err("not allowed").to_string();
    assert!(why.contains("it may not be written there: choose a folder of your own"), "{why}");
    keeper.take(6, vec![Event::Act(Act::Note("it goes on".to_owned()))]);
    keeper.write();
    assert_eq!((keeper.records().len(), keeper.unwritten(), keeper.path()), (2, 2, None));
    // Another place keeps all of it.
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("battle.journal");
    keeper.keep_in(&path).expect("written");
    assert_eq!(Found::read(&path).expect("whole").records, keeper.records());
}

#[test]
#[cfg(unix)]
fn a_full_disk_is_told_and_leaves_the_journal_whole() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("battle.journal");
    // No file of this program and its children may grow beyond 200 blocks of 512 bytes.
    let program = std::env::current_exe().expect("this test's own program");
    let script = "ulimit -f 200; trap '' XFSZ; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script])
        .arg(program)
        .args(["--exact", "journal::a_program_that_writes_until_it_is_stopped", "--ignored", "--nocapture"])
        .env("GROMA_TEST_JOURNAL", &path)
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout);
    let refused = told.lines().find(|l| l.starts_with("refused")).unwrap_or_else(|| panic!("{told}"));
    assert!(refused.contains("the disk is full: make room"), "{refused}");
    let wrote = told.lines().filter(|l| l.starts_with("wrote ")).count();
    let found = Found::read(&path).expect("whole");
    assert_eq!((found.records.len(), found.torn), (wrote + 1, None));
    // With room again it goes on.
    let (mut journal, found) = Journal::open(&path).expect("it opens");
    let n = found.records.len() as u64 + 1;
    let record = groma::session::journal::Record { n, at_ms: 8, event: Event::Back { to: 2 } };
    journal.append(std::slice::from_ref(&record)).expect("written");
    assert_eq!(Found::read(&path).expect("whole").records.last(), Some(&record));
}
