//! How long one ruling takes over 24 elements, every question of every pair of enemies, and a legal region.

use criterion::{Criterion, criterion_group, criterion_main};
use groma::rules::combat::{Conditions, brief};
use groma::rules::region::LegalRegion;
use groma::rules::{Bound, Context, Question, Settings, Setup, Side, ask, margin, notation};
use std::hint::black_box;

/// Two lines of twelve, face to face, a millimetre apart, red a little askew.
fn battle(settings: &Settings) -> Setup {
    let mut text = String::from("bw 40mm board 15x15");
    for n in 0..12 {
        let x = f64::from(n) * 40.3 + 50.0;
        text.push_str(&format!("\nr{n} 4Bd red at ({x},280)mm 90.4deg d15mm"));
        text.push_str(&format!("\nb{n} 3Kn blue at ({x},304)mm 270deg d30mm"));
    }
    notation::read_setup(&text, settings.ruleset()).expect("a setup")
}

/// Two lines of so many that come on, the enemy within reach and a little askew; one in the middle of the red line is
/// mounted and a step ahead.
fn advance(settings: &Settings, files: usize) -> Setup {
    let mut text = format!("bw 40mm board {}x15", files + 6);
    for n in 0..files {
        let x = n as f64 * 40.0 + 80.0;
        let (code, y, depth) = if n == files / 2 - 1 { ("Cv", 262.5, 30) } else { ("4Bd", 250.0, 15) };
        let general = if n == files / 2 { " general" } else { "" };
        text.push_str(&format!("\nr{n} {code} red{general} at ({x},{y})mm 90deg d{depth}mm"));
        let askew = x + (n as f64 - files as f64 / 2.0) * 0.4;
        text.push_str(&format!("\nb{n} 4Sp blue at ({askew},370)mm 268deg d15mm"));
    }
    notation::read_setup(&text, settings.ruleset()).expect("a setup")
}

fn bench(c: &mut Criterion) {
    let settings = Settings::dba3();
    let community = Settings::community(settings.ruleset().clone());
    let setup = battle(&settings);
    c.bench_function("one ruling over 24 elements", |b| {
        b.iter(|| ask(black_box(&setup), &settings, Question::InZoneOf, "r5", "b6"));
    });
    c.bench_function("one zone margin over 24 elements, zones off in combat", |b| {
        let context = Context::of(&setup, &community);
        let pair = (setup.element("r5").expect("r5"), setup.element("b6").expect("b6"));
        b.iter(|| margin(Question::InZoneOf, black_box(pair.0), pair.1, &context));
    });
    c.bench_function("seven questions of 288 ordered pairs of enemies", |b| {
        let context = Context::of(&setup, &settings);
        b.iter(|| {
            let mut sum = 0.0;
            for a in &setup.elements {
                for e in setup.elements.iter().filter(|e| e.side != a.side) {
                    for question in Question::ALL {
                        sum += margin(question, a, e, &context).mm;
                    }
                }
            }
            black_box(sum)
        });
    });
    c.bench_function("one combat with its odds over 24 elements", |b| {
        let conditions = Conditions::default();
        b.iter(|| brief(black_box(&setup), &settings, &conditions, "r5", "b5").map(|brief| brief.odds()));
    });
    let bound = Bound::new(3, Side::Red).with_pips(6);
    for files in [12, 36, 144] {
        let apart = advance(&settings, files);
        assert_eq!(apart.elements.len(), 2 * files);
        let one = [format!("r{}", files / 2 - 1)];
        let four: Vec<String> = (files / 2 - 6..files / 2 - 2).map(|n| format!("r{n}")).collect();
        for (named, names) in [("one element", &one[..]), ("a line of four", &four)] {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            c.bench_function(&format!("legal region of {named} among {} elements", 2 * files), |b| {
                b.iter(|| {
                    let region = LegalRegion::of(black_box(&apart), &bound, &settings, &names);
                    region.map(|r| r.outline.len())
                });
            });
        }
    }
    assert_eq!(setup.elements.iter().filter(|e| e.side == Side::Red).count(), 12);
}

criterion_group!(benches, bench);
criterion_main!(benches);
