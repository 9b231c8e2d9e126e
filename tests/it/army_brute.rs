//! Armies judged against a plain check written separately: every way of laying an army's elements over its list's entries is
//! tried, one number at a time. 10,000 armies were judged alike once; here 500 are. Armies are drawn from the shipped lists, half of them with an element or two changed.

use groma::rules::Ruleset;
use groma::rules::army_list::{Army, ArmyList, Camp, City, Contingent, Item, Taken, judge, shipped};
use std::collections::BTreeMap;

/// SplitMix64: a seed gives the same armies everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn of<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }
}

type Counts = BTreeMap<String, usize>;

/// Whether the counts are `n` of each item, each from its least to its most, less so many that gave way in all; `whole` lets a
/// least stand, else nothing has to be taken.
fn fits(entries: &[Vec<Vec<&Item>>], counts: &Counts, gave_way: usize, whole: bool) -> bool {
    let Some((entry, rest)) = entries.split_first() else {
        return counts.values().all(|n| *n == 0) && (gave_way == 0 || !whole);
    };
    entry.iter().any(|option| option_fits(option, rest, counts, gave_way, whole))
}

fn option_fits(
    items: &[&Item],
    rest: &[Vec<Vec<&Item>>],
    counts: &Counts,
    gave_way: usize,
    whole: bool,
) -> bool {
    let Some((item, others)) = items.split_first() else { return fits(rest, counts, gave_way, whole) };
    let least = if whole { usize::from(item.numbers.least.unwrap_or(0)) } else { 0 };
    (least..=usize::from(item.numbers.most)).any(|n| {
        (0..=gave_way.min(n)).any(|gave| {
            item.forms.iter().any(|form| {
                let there = counts.get(&form.code).copied().unwrap_or(0);
                let kept = n - gave;
                if kept > there {
                    return false;
                }
                let mut left = counts.clone();
                left.insert(form.code.clone(), there - kept);
                option_fits(others, rest, &left, gave_way - gave, whole)
            })
        })
    })
}

fn plainly(list: &ArmyList) -> Vec<Vec<Vec<&Item>>> {
    list.entries.iter().map(|e| e.options.iter().map(|o| o.iter().collect()).collect()).collect()
}

fn counted(taken: &[Taken]) -> Counts {
    let mut counts = Counts::new();
    for one in taken.iter().filter(|one| !one.general) {
        *counts.entry(one.code.clone()).or_default() += usize::from(one.count);
    }
    counts
}

fn number(taken: &[Taken], general: bool) -> usize {
    taken.iter().filter(|t| t.general == general).map(|t| usize::from(t.count)).sum()
}

fn led(taken: &[Taken], list: &ArmyList) -> bool {
    let mut generals = taken.iter().filter(|t| t.general);
    number(taken, true) == 1
        && generals.all(|t| list.general.items().any(|i| i.forms.iter().any(|f| f.code == t.code)))
}

/// Whether the army is one of its list, with at most one contingent, as the clauses read.
fn legal(army: &Army, list: &ArmyList) -> bool {
    let others = number(&army.own, false);
    let allied =
        army.contingents.iter().map(|c| number(&c.elements, true) + number(&c.elements, false)).sum();
    led(&army.own, list)
        && others + 1 + allied == 12
        && fits(&plainly(list), &counted(&army.own), allied, true)
        && army.contingents.iter().all(|c| {
            let theirs = shipped().list(&c.list).expect("a shipped list");
            let most = theirs.entries.iter().flat_map(|e| e.items()).map(|i| i.numbers.most).max();
            let mut biggest =
                theirs.entries.iter().flat_map(|e| e.items()).filter(|i| Some(i.numbers.most) == most);
            let drawn = biggest
                .any(|i| c.elements.iter().any(|t| !t.general && i.forms.iter().any(|f| f.code == t.code)));
            list.allies.iter().flatten().any(|ally| ally.names(&c.list))
                && allied == 3
                && led(&c.elements, theirs)
                && drawn
                && fits(&plainly(theirs), &counted(&c.elements), 0, false)
        })
}

/// So many elements of a list, by a reading drawn by chance; fewer where it has no more.
fn drawn(list: &ArmyList, wanted: usize, chance: &mut Chance) -> Vec<Taken> {
    let general = list.general.items().flat_map(|i| &i.forms).collect::<Vec<_>>();
    let mut taken = vec![Taken { count: 1, code: chance.of(&general).code.clone(), general: true }];
    let mut room: Vec<(String, u8)> = Vec::new();
    for entry in &list.entries {
        for item in chance.of(&entry.options) {
            room.push((chance.of(&item.forms).code.clone(), item.numbers.most));
        }
    }
    while number(&taken, false) + 1 < wanted && room.iter().any(|(_, left)| *left > 0) {
        let open: Vec<usize> = (0..room.len()).filter(|n| room[*n].1 > 0).collect();
        let at = *chance.of(&open);
        room[at].1 -= 1;
        taken.push(Taken { count: 1, code: room[at].0.clone(), general: false });
    }
    taken
}

/// One element fewer, one more, or another.
fn changed(taken: &mut Vec<Taken>, list: &ArmyList, chance: &mut Chance) {
    let codes: Vec<&str> =
        list.all_entries().flat_map(|e| e.items()).flat_map(|i| &i.forms).map(|f| f.code.as_str()).collect();
    let code = (*chance.of(&codes)).to_owned();
    let at = chance.below(taken.len());
    match chance.below(4) {
        0 => drop(taken.remove(at)),
        1 => taken.push(Taken { count: 1, code, general: false }),
        _ => taken[at].code = code,
    }
}

#[test]
fn armies_drawn_by_chance_are_judged_as_a_plain_check_does() {
    let (rules, mut chance) = (Ruleset::dba3(), Chance(6));
    let (mut good, mut bad, mut with_allies) = (0, 0, 0);
    for n in 0..500 {
        let list = chance.of(shipped().lists());
        let allies: Vec<_> = list.allies.iter().flatten().collect();
        let of_ally = chance.below(2) == 0 && !allies.is_empty();
        let mut own = drawn(list, if of_ally { 9 } else { 12 }, &mut chance);
        let mut contingents = Vec::new();
        if of_ally {
            let named = chance.of(&allies);
            let theirs = shipped().lists().iter().find(|l| named.names(&l.key)).expect("a shipped ally");
            let mut elements = drawn(theirs, 3, &mut chance);
            if chance.below(4) == 0 {
                changed(&mut elements, theirs, &mut chance);
            }
            contingents.push(Contingent { list: theirs.key.clone(), elements });
        }
        for _ in 0..chance.below(3) {
            changed(&mut own, list, &mut chance);
        }
        let army = Army { list: list.key.clone(), own, contingents, camp: Camp::Unsaid, city: City::None };
        let (expected, ruling) = (legal(&army, list), judge(&army, shipped(), &rules));
        let faults: Vec<_> = ruling.faults().collect();
        assert_eq!(ruling.legal(), expected, "army {n}, {army}: {faults:#?}");
        let counter = if expected { &mut good } else { &mut bad };
        *counter += 1;
        with_allies += usize::from(expected && of_ally);
    }
    assert!(
        good > 100 && bad > 100 && with_allies > 25,
        "{good} legal, {with_allies} with allies, {bad} not"
    );
}
