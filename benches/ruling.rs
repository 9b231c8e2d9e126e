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

/// Two lines of twelve that come on, the enemy within reach and a little askew; r5 mounted, a step ahead.
fn advance(settings: &Settings) -> Setup {
    let mut text = String::from("bw 40mm board 15x15");
    for n in 0..12 {
        let x = f64::from(n) * 40.0 + 80.0;
        let (code, y, depth) = if n == 5 { ("Cv", 262.5, 30) } else { ("4Bd", 250.0, 15) };
        let general = if n == 6 { " general" } else { "" };
        text.push_str(&format!("\nr{n} {code} red{general} at ({x},{y})mm 90deg d{depth}mm"));
        text.push_str(&format!("\nb{n} 4Sp blue at ({},370)mm 268deg d15mm", x * 1.01));
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
    let (apart, bound) = (advance(&settings), Bound::new(3, Side::Red).with_pips(6));
    assert_eq!(apart.elements.len(), 24);
    for (named, names) in [("one element", vec!["r5"]), ("a line of four", vec!["r0", "r1", "r2", "r3"])] {
        c.bench_function(&format!("legal region of {named} among 24 elements"), |b| {
            b.iter(|| LegalRegion::of(black_box(&apart), &bound, &settings, &names).map(|r| r.outline.len()));
        });
    }
    assert_eq!(setup.elements.iter().filter(|e| e.side == Side::Red).count(), 12);
}

criterion_group!(benches, bench);
criterion_main!(benches);
