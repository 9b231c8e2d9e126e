//! An army's elements one by one, as they go into a roster; and an army filled up where its list leaves no choice.

use super::army::Camp;
use super::army::{Army, Taken};
use super::entry::{Entry, Form};
use super::finding::ArmyRuling;
use super::fit::{Counts, Share, best, completions};
use super::judge::{counts, elements};
use super::{ARMY, ArmyList, City, Followers, Shelf, judge};
use crate::rules::{Location, Ruleset};
use std::collections::BTreeMap;

/// One element of an army.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mustered {
    /// What it is called, unlike any other of the army.
    pub name: String,
    /// Its troop code.
    pub code: String,
    /// The foot that it may dismount as.
    pub foot: Option<String>,
    /// Whether it is its general's element.
    pub general: bool,
    /// The title of the ally that it is of.
    pub contingent: Option<String>,
    /// Where it begins, as far as that is known.
    pub location: Location,
}

/// The elements of a legal army, its general first.
///
/// # Errors
/// Everything that is found of an army that is not legal.
pub fn muster(army: &Army, shelf: &Shelf, rules: &Ruleset) -> Result<Vec<Mustered>, ArmyRuling> {
    let ruling = judge(army, shelf, rules);
    let (Some(list), true) = (shelf.list(&army.list), ruling.legal()) else { return Err(ruling) };
    let mut all = Vec::new();
    let exchanged = army.contingents.iter().map(|c| elements(&c.elements)).sum();
    of_list(&army.own, list, Share::Whole { exchanged }, None, &mut all);
    for contingent in &army.contingents {
        let theirs = shelf.list(&contingent.list).expect("a legal army's allies are on the shelf");
        of_list(&contingent.elements, theirs, Share::Part, Some(&theirs.title), &mut all);
    }
    let on_top = |name: &str, code: &str, location| Mustered {
        name: name.to_owned(),
        code: code.to_owned(),
        foot: None,
        general: false,
        contingent: None,
        location,
    };
    if matches!(army.camp, Camp::Stands { followers: Followers::Element, .. }) {
        all.push(on_top("Camp followers", "CF", Location::Camp));
    }
    if army.city == City::WithDenizens {
        all.push(on_top("Denizens", "Den", Location::City));
    }
    number(&mut all);
    Ok(all)
}

fn of_list(
    taken: &[Taken],
    list: &ArmyList,
    share: Share,
    contingent: Option<&str>,
    all: &mut Vec<Mustered>,
) {
    let one = |name: &str, form: &Form, general: bool| Mustered {
        name: name.to_owned(),
        code: form.code.clone(),
        foot: form.foot.clone(),
        general,
        contingent: contingent.map(str::to_owned),
        location: Location::Board,
    };
    for general in taken.iter().filter(|one| one.general) {
        let of = list.general.items().find_map(|item| Some((item, item.form(&general.code)?)));
        all.extend(of.map(|(item, form)| one(&item.name, form, true)));
    }
    for allotted in best(&list.entries, &counts(taken), share).allotted {
        let made = std::iter::repeat_n(one(&allotted.of.item.name, allotted.of.form, false), allotted.count);
        all.extend(made);
    }
}

/// Gives those of one name their numbers.
fn number(all: &mut [Mustered]) {
    let mut of_name: BTreeMap<String, usize> = BTreeMap::new();
    for one in all.iter() {
        *of_name.entry(one.name.clone()).or_insert(0) += 1;
    }
    let mut given: BTreeMap<String, usize> = BTreeMap::new();
    for one in all.iter_mut().filter(|one| of_name[&one.name] > 1) {
        let number = given.entry(one.name.clone()).or_insert(0);
        *number += 1;
        one.name = format!("{} {number}", one.name);
    }
}

/// What comes of filling up an army that is not chosen to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Completed {
    /// Only this army can be meant.
    One(Army),
    /// There are several: the entries that leave a choice still, as they are written.
    Several(Vec<String>),
    /// None can be: what was taken is over what the list has.
    None,
}

/// The most armies that are tried.
const TRIED: usize = 200;

/// Fills up an army where its list leaves no choice. Allies must be chosen to their end.
pub fn complete(army: &Army, list: &ArmyList) -> Completed {
    let generals: Vec<String> = match army.own.iter().find(|one| one.general) {
        Some(general) => vec![general.code.clone()],
        None => list.general.items().flat_map(|item| &item.forms).map(|form| form.code.clone()).collect(),
    };
    let allied: usize = army.contingents.iter().map(|c| elements(&c.elements)).sum();
    let wanted = usize::from(ARMY).saturating_sub(1 + allied);
    // Of allies an army of eleven others is the start, from which some give way: which is the player's to say.
    let ways = completions(&list.entries, &counts(&army.own), wanted, TRIED);
    match (generals.as_slice(), ways.as_slice()) {
        (_, []) | ([], _) => Completed::None,
        ([general], [way]) => Completed::One(Army { own: own(general, way), ..army.clone() }),
        (generals, ways) => {
            let mut open = Vec::new();
            if generals.len() > 1 {
                open.push(format!("general {}", list.general));
            }
            let differ = |entry: &&Entry| {
                let codes = entry.items().flat_map(|item| &item.forms).map(|form| &form.code);
                codes.into_iter().any(|code| ways.iter().any(|way| way.get(code) != ways[0].get(code)))
            };
            open.extend(list.entries.iter().filter(differ).map(ToString::to_string));
            Completed::Several(open)
        }
    }
}

pub(super) fn own(general: &str, way: &Counts) -> Vec<Taken> {
    let general = Taken { count: 1, code: general.to_owned(), general: true };
    let others = way.iter().map(|(code, n)| Taken {
        count: u8::try_from(*n).expect("an army is twelve elements"),
        code: code.clone(),
        general: false,
    });
    std::iter::once(general).chain(others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::army_list::shipped;

    fn army(text: &str) -> Army {
        Army::read(text, &Ruleset::dba3()).expect(text)
    }

    #[test]
    fn each_element_has_a_name_of_its_own_and_its_foot() {
        let text = "sample/1: general 3Kn, 3Kn, 2xLH, 3x4Sp, 4Cb, Ps; ally sample/12: general 3Kn, 2x4Lb; camp followers";
        let all = muster(&army(text), shipped(), &Ruleset::dba3()).expect("a legal army");
        let names: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
        let expected = "Margrave, Household knights, Border riders 1, Border riders 2, Shield levy 1, Shield levy 2, \
            Shield levy 3, Town crossbows, Slingers, Captain, Bowmen 1, Bowmen 2, Camp followers";
        assert_eq!(names.join(", "), expected);
        assert_eq!((all[0].general, all[0].foot.as_deref()), (true, Some("4Bd")));
        assert_eq!((all[2].foot.as_deref(), all[2].contingent.as_deref()), (None, None));
        assert_eq!((all[9].general, all[9].contingent.as_deref()), (true, Some("Free bows of the Weald")));
        assert_eq!(all[12].location, Location::Camp);
    }

    #[test]
    fn an_army_that_is_not_legal_is_not_mustered() {
        let ruling =
            muster(&army("sample/1: general 3Kn"), shipped(), &Ruleset::dba3()).expect_err("too few");
        assert!(ruling.faults().any(|f| f.clause == "army-lists.gen.7" && f.off_by == Some(-11)));
    }

    #[test]
    fn what_leaves_no_choice_is_filled_up_and_what_does_is_told() {
        let of = |text: &str| {
            let army = army(text);
            complete(&army, shipped().list(&army.list).expect("a list"))
        };
        let Completed::One(one) = of("sample/1: general Cv, LH, 3Cb, Ps") else { panic!("one army") };
        assert_eq!(one.to_string(), "sample/1: general Cv, 2x3Cb, 2x3Kn, 4x4Sp, 2xLH, Ps");
        assert!(judge(&one, shipped(), &Ruleset::dba3()).legal());
        let Completed::Several(open) = of("sample/1: LH, Ps") else { panic!("several") };
        assert_eq!(open.len(), 2, "{open:?}");
        assert!(open[0].starts_with("general 1x3Kn//4Bd Margrave") && open[1].contains("Town crossbows"));
        assert_eq!(of("sample/1: general Cv, 5x4Sp"), Completed::None);
    }
}
