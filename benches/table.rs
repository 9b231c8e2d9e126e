//! How long the zones and contacts of a whole table, one judged move, all shooting and all close combats with their
//! odds take, with 24, 72 and 288 elements. Timings are never a test.

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use groma::geometry::{Leg, Vector};
use groma::rules::bound::Bound;
use groma::rules::due::{Told, combats, due};
use groma::rules::movement::{TacticalMove, judge};
use groma::rules::shooting::{Known, shooting};
use groma::rules::survey::survey;
use groma::rules::{Settings, Setup, Side, notation};
use std::hint::black_box;

const COUNTS: [usize; 3] = [24, 72, 288];

/// Two battle lines that face each other, so far apart on one wing and 3 BW on the other, in as many pairs of
/// lines one behind the other as it takes; the boards grow with them.
fn battle(count: usize, apart_mm: f64, settings: &Settings) -> Setup {
    let mut text = String::from("bw 40mm board 60x60");
    for n in 0..count / 2 {
        let (file, pair) = (n % 12, n / 12);
        let x = (file + 14 * (pair % 4)) as f64 * 40.3 + 50.0;
        let y = 280.0 + 400.0 * (pair / 4) as f64;
        // Centres are half of both depths further apart than fronts.
        let centres = 22.5 + apart_mm;
        let gap = if file < 6 { centres } else { centres + 40.0 * (file - 5) as f64 / 2.0 };
        let (own, foe) = [("4Bd", "3Kn"), ("4Bw", "4Bw"), ("4Sp", "Ps"), ("Art", "LH")][file % 4];
        let general = if n == 0 { "general" } else { "" };
        text.push_str(&format!("\nr{n} {own} red {general} at ({x},{y})mm 90deg d15mm"));
        text.push_str(&format!("\nb{n} {foe} blue at ({x},{})mm 270deg d30mm", y + gap));
    }
    notation::read_setup(&text, settings.ruleset()).expect("a setup")
}

fn bench(c: &mut Criterion) {
    let settings = Settings::dba3();
    let bound = Bound::new(3, Side::Red).with_pips(6);
    for count in COUNTS {
        let setup = battle(count, 1.5, &settings);
        assert_eq!(setup.elements.len(), count);
        c.bench_with_input(BenchmarkId::new("all zones and contacts", count), &setup, |b, setup| {
            b.iter(|| survey(black_box(setup), &settings));
        });
        let ahead = TacticalMove::single("r11", vec![Leg::Shift(Vector::new(0.0, 60.0))]);
        c.bench_with_input(BenchmarkId::new("one move judged", count), &setup, |b, setup| {
            b.iter(|| judge(black_box(setup), &bound, &settings, &ahead).expect("a move"));
        });
        c.bench_with_input(BenchmarkId::new("all shooting", count), &setup, |b, setup| {
            b.iter(|| shooting(black_box(setup), &settings, &bound, &Known::default()));
        });
        let setup = battle(count, 0.3, &settings);
        assert_eq!(combats(&setup, &settings, &Told::default()).combats.len(), count / 4);
        c.bench_with_input(BenchmarkId::new("all combats and odds", count), &setup, |b, setup| {
            b.iter(|| combats(black_box(setup), &settings, &Told::default()));
        });
        c.bench_with_input(BenchmarkId::new("everything due", count), &setup, |b, setup| {
            b.iter(|| due(black_box(setup), &settings, &bound, &Told::default()));
        });
    }
}

criterion_group!(benches, bench);
criterion_main!(benches);
