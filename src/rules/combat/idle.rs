//! What was said of a combat and does not count in it, each with the clause that says so.
//!
//! Found by leaving it out: whatever changes no total and no fate does not count here. Things are left out one after
//! the other, so that of two that do the same one is told.

use super::Brief;
use super::calculator::{Entry, effect};
use super::conditions::{Height, Mode, Reply, Struck};
use crate::rules::ruleset::{Going, Kind, Mark};
use crate::rules::{Reason, Settings};

/// Something that was said and does not count.
#[derive(Debug, Clone, PartialEq)]
pub struct Idle {
    /// Of which element: the first or the second.
    pub of: usize,
    /// What, and why not.
    pub reason: Reason,
}

/// One thing that may be said of an element.
#[derive(Debug, Clone, PartialEq)]
enum Said {
    General,
    Overlapped,
    Flanked,
    RearSupport(String),
    SideSupport(usize, String),
    Height(Height),
    Going(Going),
    Aided,
    FromBehind,
    ShotBack,
}

/// Everything that does not count in the combat of these two.
pub(super) fn idle(settings: &Settings, entries: [&Entry; 2], mode: Mode, brief: &Brief) -> Vec<Idle> {
    let mut found = Vec::new();
    let mut kept = (entries.map(Entry::clone), mode);
    let whole = kept.clone();
    let Some(now) = effect(settings, &whole.0, whole.1) else { return found };
    let same = |pair: &([Entry; 2], Mode)| effect(settings, &pair.0, pair.1) == Some(now);
    for of in [0, 1] {
        for what in said(entries[of], of, mode) {
            if leave_out(&whole, of, &what).is_none_or(|alone| !same(&alone)) {
                continue;
            }
            // A number is taken down as long as that changes nothing.
            let mut dropped = 0;
            while let Some(without) = leave_out(&kept, of, &what).filter(same) {
                (kept, dropped) = (without, dropped + 1);
            }
            if dropped > 0 {
                let (clause, why) = why(&what, of, entries, mode, brief);
                let text = format!("{} not count: {why}", words(&what, of, entries[of], dropped));
                found.push(Idle { of, reason: Reason::holds(clause, text) });
            }
        }
    }
    found
}

fn said(entry: &Entry, of: usize, mode: Mode) -> Vec<Said> {
    let mut all = Vec::new();
    let mut add = |is: bool, what: Said| {
        if is {
            all.push(what);
        }
    };
    add(entry.general, Said::General);
    add(entry.overlapped > 0, Said::Overlapped);
    add(entry.flanked > 0, Said::Flanked);
    if let Some(code) = &entry.rear_support {
        add(true, Said::RearSupport(code.clone()));
    }
    // From the last, so that leaving one out moves none that is still to come.
    for (n, code) in entry.side_support.iter().enumerate().rev() {
        add(true, Said::SideSupport(n, code.clone()));
    }
    add(entry.height != Height::Level, Said::Height(entry.height));
    if let Some(going) = entry.going.filter(|going| *going != Going::Good) {
        add(true, Said::Going(going));
    }
    add(entry.aided > 0, Said::Aided);
    if let Mode::Shooting { struck, reply, .. } = mode {
        add(of == 1 && struck == Struck::RearEdge, Said::FromBehind);
        add(of == 1 && reply == Reply::ShootsBack, Said::ShotBack);
    }
    all
}

/// The same with that left out, or one of a number; none where there is no more of it.
fn leave_out((entries, mode): &([Entry; 2], Mode), of: usize, what: &Said) -> Option<([Entry; 2], Mode)> {
    let (mut entries, mut mode) = (entries.clone(), *mode);
    let entry = &mut entries[of];
    match what {
        Said::General => entry.general.then(|| entry.general = false)?,
        Said::Overlapped => entry.overlapped = entry.overlapped.checked_sub(1)?,
        Said::Flanked => entry.flanked = entry.flanked.checked_sub(1)?,
        Said::RearSupport(_) => drop(entry.rear_support.take()?),
        Said::SideSupport(n, code) => {
            let there = entry.side_support.get(*n).is_some_and(|c| c == code);
            there.then(|| entry.side_support.remove(*n))?;
        }
        Said::Height(_) => (entry.height != Height::Level).then(|| entry.height = Height::Level)?,
        Said::Going(_) => {
            (entry.going != Some(Going::Good)).then(|| entry.going = Some(Going::Good))?;
        }
        Said::Aided => entry.aided = entry.aided.checked_sub(1)?,
        Said::FromBehind | Said::ShotBack => match &mut mode {
            Mode::CloseCombat => return None,
            Mode::Shooting { struck, reply, .. } => {
                if *what == Said::FromBehind {
                    (*struck == Struck::RearEdge).then(|| *struck = Struck::Elsewhere)?;
                } else {
                    (*reply == Reply::ShootsBack).then(|| *reply = Reply::None)?;
                }
            }
        },
    }
    Some((entries, mode))
}

fn letter(of: usize) -> &'static str {
    if of == 0 { "A" } else { "B" }
}

/// What it is, with `does` or `do` after it.
fn words(what: &Said, of: usize, entry: &Entry, dropped: u8) -> String {
    let own = letter(of);
    let of_them = |all: u8, one: &str, many: &str| match (all, dropped) {
        (1, _) => format!("the {one} does"),
        (all, dropped) if all == dropped => format!("the {all} {many} do"),
        (all, 1) => format!("one of the {all} {many} does"),
        (all, dropped) => format!("{dropped} of the {all} {many} do"),
    };
    match what {
        Said::General => format!("that {own} is the general's element does"),
        Said::Overlapped => of_them(
            entry.overlapped,
            &format!("overlapped flank of {own}"),
            &format!("overlapped flanks of {own}"),
        ),
        Said::Flanked => of_them(
            entry.flanked,
            &format!("enemy's front on a flank or the rear of {own}"),
            &format!("enemies' fronts on flanks and rear of {own}"),
        ),
        Said::RearSupport(code) => format!("the {code} in rear support of {own} does"),
        Said::SideSupport(_, code) => format!("a {code} in side support of {own} does"),
        Said::Height(Height::Uphill) => format!("that {own} is uphill does"),
        Said::Height(_) => format!("that {own} defends a bank does"),
        Said::Going(going) => format!("that {own} is in {} does", going.name()),
        Said::Aided => {
            of_them(entry.aided, &format!("element that aids {own}"), &format!("elements that aid {own}"))
        }
        Said::FromBehind => format!("that {own} is shot at on its rear edge does"),
        Said::ShotBack => format!("that {own} shoots back does"),
    }
}

/// The clause by which it does not count, and that in words.
fn why(what: &Said, of: usize, entries: [&Entry; 2], mode: Mode, brief: &Brief) -> (&'static str, String) {
    let (own, enemy) = if of == 0 { (&brief.a, &brief.b) } else { (&brief.b, &brief.a) };
    let (code, against) = (own.troop.listed(), enemy.troop.listed());
    let shooting = mode != Mode::CloseCombat;
    let stronghold = entries.iter().any(|entry| entry.holds.is_some()) && !shooting;
    let told = |clause: &'static str, text: &str| (clause, text.to_owned());
    match what {
        Said::General if shooting && of == 0 => {
            told("dba3.tac.7", "a general adds nothing to his own shooting")
        }
        Said::General if own.troop.is(Mark::AlwaysGeneral) => {
            ("dba3.tac.7", format!("{code} is its general's element in any case"))
        }
        Said::General => told("dba3.tac.7", "it changes nothing here"),
        Said::Overlapped if stronghold => told("dba3.ovl.13", "there is no overlap at a City, Fort or camp"),
        Said::Overlapped if matches!(own.troop.kind, Kind::Psiloi | Kind::ScythedChariots) => {
            ("dba3.ovl.4", format!("{code} suffers no overlap corner to corner"))
        }
        Said::Overlapped => told("dba3.tac.13", "an edge costs 1 at most, however many enemies press it"),
        Said::Flanked => told("dba3.ovl.13", "whoever holds a City, Fort or camp has no flank there"),
        Said::RearSupport(giver) | Said::SideSupport(_, giver) => {
            let gives = |why: String| (supporting(own, giver, what), why);
            if shooting {
                told("dba3.sup.17", "support counts in close combat alone")
            } else if stronghold {
                told("dba3.sup.16", "nobody is supported at a City, Fort or camp")
            } else if entries[of].going.is_some_and(|going| going != Going::Good) {
                told("dba3.sup.1", "supporter and supported must both be in good going")
            } else {
                match gives(String::new()).0 {
                    "dba3.sup.13" => told("dba3.sup.13", "side support counts once, from both sides too"),
                    clause => (clause, format!("{giver} gives {code} no such support against {against}")),
                }
            }
        }
        Said::Height(_) if shooting && of == 1 => {
            told("dba3.sht.19", "neither hill nor bank changes the total of who is shot at")
        }
        Said::Height(Height::Uphill) => told("dba3.tac.8", "it counts in close combat alone"),
        Said::Height(_) => told("dba3.tac.9", "it counts in close combat alone"),
        Said::Going(Going::Rough) if shooting => told("dba3.going.9", "rough going does nothing to shooting"),
        Said::Going(_) if shooting && of == 1 => {
            told("dba3.sht.19", "bad going changes the total of nobody who is shot at")
        }
        Said::Going(_) if shooting => told("dba3.tac.17", "it costs in close combat alone"),
        Said::Going(Going::Rough) => told("dba3.going.8", "rough going is no factor in close combat"),
        Said::Going(_) => ("dba3.tac.17", format!("bad going costs {code} nothing")),
        Said::Aided if shooting => told("dba3.sht.15", "two elements aid at most"),
        Said::Aided => told("dba3.tac.15", "two further assaulters count at most"),
        Said::FromBehind => {
            told("dba3.rec.12", "it changes no total and no fate here; if it recoils it turns round first")
        }
        Said::ShotBack => told("dba3.sht.20", "by the setting a shooter is harmed in any case"),
    }
}

/// The clause by which that supporter's type gives nothing, as the factors found it.
fn supporting(own: &super::Standing, giver: &str, what: &Said) -> &'static str {
    const CLAUSES: [&str; 9] = [
        "dba3.sup.4",
        "dba3.sup.5",
        "dba3.sup.6",
        "dba3.sup.7",
        "dba3.sup.8",
        "dba3.sup.9",
        "dba3.sup.10",
        "dba3.sup.11",
        "dba3.sup.15",
    ];
    let says = |clause: &&&'static str| {
        own.reasons.iter().any(|r| r.clause == ***clause && r.text.starts_with(&format!("{giver} gives ")))
    };
    // The last of them is the plainest: which rows there are at all, before which of them fit.
    CLAUSES.iter().rev().find(says).copied().unwrap_or(match what {
        Said::RearSupport(_) => "dba3.sup.15",
        _ => "dba3.sup.13",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::combat::calculate;

    fn entry(code: &str) -> Entry {
        Entry { code: code.to_owned(), ..Entry::default() }
    }

    fn clauses(a: &Entry, b: &Entry, mode: Mode) -> Vec<(usize, String)> {
        let found = calculate(&Settings::dba3(), a, b, mode).expect("a combat");
        found.idle.into_iter().map(|idle| (idle.of, idle.reason.clause)).collect()
    }

    fn close(a: &Entry, b: &Entry) -> Vec<(usize, String)> {
        clauses(a, b, Mode::CloseCombat)
    }

    fn shooting() -> Mode {
        Mode::Shooting { struck: Struck::Elsewhere, reply: Reply::None, aiders: 0 }
    }

    fn only(of: usize, clause: &str) -> Vec<(usize, String)> {
        vec![(of, clause.to_owned())]
    }

    #[test]
    fn what_counts_is_not_told() {
        let a = Entry {
            general: true,
            overlapped: 1,
            flanked: 1,
            side_support: vec!["4Sp".to_owned()],
            height: Height::Uphill,
            ..entry("4Sp")
        };
        assert_eq!(close(&a, &entry("4Bd")), []);
        assert_eq!(close(&Entry { going: Some(Going::Bad), ..entry("3Kn") }, &entry("4Bd")), []);
        assert_eq!(clauses(&Entry { aided: 2, ..entry("4Bw") }, &entry("3Kn"), shooting()), []);
    }

    #[test]
    fn what_a_type_or_a_number_makes_void_is_told_with_its_clause() {
        let bd = entry("4Bd");
        for code in ["Ps", "SCh"] {
            assert_eq!(close(&Entry { overlapped: 2, ..entry(code) }, &bd), only(0, "dba3.ovl.4"), "{code}");
        }
        let rear = |code: &str, by: &str| Entry { rear_support: Some(by.to_owned()), ..entry(code) };
        assert_eq!(close(&rear("4Sp", "4Sp"), &bd), only(0, "dba3.sup.15"));
        assert_eq!(close(&rear("4Pk", "4Pk"), &entry("Cv")), only(0, "dba3.sup.6"));
        assert_eq!(close(&bd, &Entry { overlapped: 1, flanked: 2, ..bd.clone() }), only(1, "dba3.tac.13"));
        let sides = vec!["4Sp".to_owned(), "4Bd".to_owned()];
        assert_eq!(close(&Entry { side_support: sides, ..entry("4Sp") }, &bd), only(0, "dba3.sup.13"));
        assert_eq!(close(&Entry { going: Some(Going::Bad), ..entry("4Ax") }, &bd), only(0, "dba3.tac.17"));
    }

    #[test]
    fn going_that_ends_support_counts_and_the_support_does_not() {
        let pikes = Entry { rear_support: Some("4Pk".to_owned()), going: Some(Going::Rough), ..entry("4Pk") };
        assert_eq!(close(&pikes, &entry("4Bd")), only(0, "dba3.sup.1"));
    }

    #[test]
    fn shooting_and_strongholds_make_things_void() {
        let shooter = Entry { general: true, height: Height::Uphill, aided: 5, ..entry("4Bw") };
        let target = Entry { going: Some(Going::Bad), height: Height::Bank, ..entry("4Bd") };
        let told = clauses(&shooter, &target, shooting());
        let expected = [
            (0, "dba3.tac.7"),
            (0, "dba3.tac.8"),
            (0, "dba3.sht.15"),
            (1, "dba3.sht.19"),
            (1, "dba3.sht.19"),
        ];
        assert_eq!(told, expected.map(|(of, id)| (of, id.to_owned())));
        let inside = Entry { holds: Some(super::super::Stronghold::City), overlapped: 2, ..entry("4Bd") };
        let outside = Entry { aided: 3, rear_support: Some("4Wb".to_owned()), ..entry("4Wb") };
        let told = close(&inside, &outside);
        let expected = [(0, "dba3.ovl.13"), (1, "dba3.sup.16"), (1, "dba3.tac.15")];
        assert_eq!(told, expected.map(|(of, id)| (of, id.to_owned())));
    }
}
