//! An entry of an army list: how many elements of what, and the choices that it leaves.
//!
//! `2x3Kn//4Bd Riders or 4xLH Scouts + 1-2x4Wb/3Wb Hillmen [subject]`: options parted by `or`, of which one is taken; items
//! of an option joined by `+`; of each item how many elements, its troop code and its name. `//` joins a mounted code to the
//! foot that it may dismount as (clause army-lists.troop.5), `/` codes or prefix numbers (`3/4Wb`) of which all elements of the
//! item are one (troop.3). A plain number is the most that can be used (troop.2); a range, `1-2`, has a least too.
//!
//! Invariants: an entry has an option, an option an item, an item a form; codes are the ruleset's own; what is written
//! is read back to the same.

use super::fault::{Cursor, Fault, Piece};
use crate::rules::Ruleset;
use crate::rules::ruleset::{Mark, Troop};
use crate::text::{Position, did_you_mean};
use std::fmt;

/// How many elements of an item can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Numbers {
    /// The least, where a range is written.
    pub least: Option<u8>,
    /// The most.
    pub most: u8,
}

impl Numbers {
    /// The least that a full army has.
    pub fn least(self) -> u8 {
        self.least.unwrap_or(0)
    }
}

/// What all elements of an item may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Form {
    /// The troop code that they begin with.
    pub code: String,
    /// The foot that each may dismount as in the course of the game.
    pub foot: Option<String>,
}

/// Whose people they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The army's own.
    Own,
    /// Hired abroad (clause army-lists.gen.3).
    Mercenary,
    /// Of a subject people (clause army-lists.gen.3).
    Subject,
}

/// So many elements of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// How many.
    pub numbers: Numbers,
    /// Of these all elements are one.
    pub forms: Vec<Form>,
    /// What they are called.
    pub name: String,
    /// Whose people they are.
    pub origin: Origin,
}

impl Item {
    /// The form of that code.
    pub fn form(&self, code: &str) -> Option<&Form> {
        self.forms.iter().find(|form| form.code == code)
    }

    /// Without its name: `2x3Kn//4Bd`.
    pub fn in_short(&self) -> String {
        let Numbers { least, most } = self.numbers;
        let least = least.map_or(String::new(), |least| format!("{least}-"));
        let forms: Vec<String> = self.forms.iter().map(ToString::to_string).collect();
        format!("{least}{most}x{}", forms.join("/"))
    }
}

/// One row of a list: options of which one is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The options, each of one item or more.
    pub options: Vec<Vec<Item>>,
    /// Where it is written.
    pub at: Position,
}

impl Entry {
    /// All its items, whatever is chosen.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.options.iter().flatten()
    }

    /// Without its names: `2x3Kn//4Bd or 4xLH`.
    pub fn in_short(&self) -> String {
        let option = |items: &Vec<Item>| items.iter().map(Item::in_short).collect::<Vec<_>>().join(" + ");
        self.options.iter().map(option).collect::<Vec<_>>().join(" or ")
    }

    /// Reads an entry. Column and line count from the text's own beginning.
    ///
    /// # Errors
    /// Every fault.
    pub fn read(text: &str, rules: &Ruleset) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let entry = read(&Piece::new(text, Position::START), rules, &mut faults);
        entry.filter(|_| faults.is_empty()).ok_or(faults)
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.code)?;
        self.foot.as_ref().map_or(Ok(()), |foot| write!(f, "//{foot}"))
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.in_short(), self.name)?;
        match self.origin {
            Origin::Own => Ok(()),
            Origin::Mercenary => f.write_str(" [mercenary]"),
            Origin::Subject => f.write_str(" [subject]"),
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, option) in self.options.iter().enumerate() {
            f.write_str(if n > 0 { " or " } else { "" })?;
            for (n, item) in option.iter().enumerate() {
                write!(f, "{}{item}", if n > 0 { " + " } else { "" })?;
            }
        }
        Ok(())
    }
}

const ENTRY: &str = "army-lists.troop.1";

/// Reads an entry and notes its faults; none where nothing of it can be used.
pub(super) fn read(piece: &Piece, rules: &Ruleset, faults: &mut Vec<Fault>) -> Option<Entry> {
    let mut cursor = Cursor::new(piece);
    let mut options = vec![Vec::new()];
    let mut good = true;
    loop {
        match (item(&mut cursor, rules, faults), options.last_mut()) {
            (Some(item), Some(option)) => option.push(item),
            _ => {
                // After a fault the next item may be read all the same.
                good = false;
                while cursor.peek().is_some_and(|c| c != '+') && !at_or(&cursor) {
                    cursor.at += 1;
                }
            }
        }
        cursor.skip_spaces();
        if cursor.take("+") {
            continue;
        }
        if !cursor.word_is("or") {
            break;
        }
        cursor.take("or");
        options.push(Vec::new());
    }
    good.then_some(Entry { options, at: piece.at })
}

/// Whether a blank and the word `or` stand here.
fn at_or(cursor: &Cursor<'_>) -> bool {
    cursor.peek().is_some_and(char::is_whitespace) && cursor.word_follows("or")
}

fn item(cursor: &mut Cursor<'_>, rules: &Ruleset, faults: &mut Vec<Fault>) -> Option<Item> {
    cursor.skip_spaces();
    let numbers = match numbers(cursor) {
        Ok(numbers) => Some(numbers),
        Err(fault) => {
            let goes_on = fault.clause == MOST;
            faults.push(fault);
            if !goes_on {
                return None;
            }
            None
        }
    };
    let forms = forms(cursor, rules, faults);
    cursor.skip_spaces();
    let from = cursor.place();
    let mut name = String::new();
    while cursor.peek().is_some_and(|c| !"+[],;".contains(c)) && !at_or(cursor) {
        name.extend(cursor.peek());
        cursor.at += 1;
    }
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() && forms.is_some() {
        let message = "the troops' name is missing after their code, such as `4x4Sp Farmers`".to_owned();
        faults.push(Fault { at: from, clause: ENTRY, message });
        return None;
    }
    if name.chars().count() > 30 {
        faults.push(Fault { at: from, clause: ENTRY, message: "a name of 30 letters at most".to_owned() });
        return None;
    }
    if name.split(' ').any(|word| word == "or") {
        let message = "the word `or` parts options and is in no name".to_owned();
        faults.push(Fault { at: from, clause: ENTRY, message });
        return None;
    }
    let origin = origin(cursor, faults)?;
    let end = cursor.at;
    cursor.skip_spaces();
    if cursor.peek().is_some_and(|c| c != '+') && !cursor.word_is("or") {
        faults.push(cursor.wrong(ENTRY, "`or`, `+` or the end of the entry"));
        return None;
    }
    if numbers.is_none() || forms.is_none() {
        // The next item is looked for from here, blank and `or` included.
        cursor.at = end;
    }
    Some(Item { numbers: numbers?, forms: forms?, name, origin })
}

fn origin(cursor: &mut Cursor<'_>, faults: &mut Vec<Fault>) -> Option<Origin> {
    if !cursor.take_next("[") {
        return Some(Origin::Own);
    }
    let origin = if cursor.take("mercenary") {
        Some(Origin::Mercenary)
    } else if cursor.take("subject") {
        Some(Origin::Subject)
    } else {
        None
    };
    if origin.is_none() || !cursor.take("]") {
        faults.push(cursor.wrong("army-lists.gen.3", "`[mercenary]` or `[subject]`"));
        return None;
    }
    origin
}

const MOST: &str = "army-lists.troop.2";

/// `4x`, `4 x` or `2-4x`.
fn numbers(cursor: &mut Cursor<'_>) -> Result<Numbers, Fault> {
    const EXPECTED: &str = "a number of elements and `x`, such as `4x4Sp` or `1-2xPs`";
    let (from, start) = (cursor.at, cursor.place());
    let number = |cursor: &mut Cursor<'_>| cursor.while_is(|c| c.is_ascii_digit());
    let first = number(cursor);
    let second = cursor.take("-").then(|| number(cursor));
    if first.is_empty() || second.as_deref() == Some("") || !cursor.take_next("x") {
        cursor.at = from;
        return Err(cursor.wrong(ENTRY, EXPECTED));
    }
    cursor.skip_spaces();
    let wrong = |message: &str| Err(Fault { at: start, clause: MOST, message: message.to_owned() });
    // A number too long for a u8 is over 12 as well.
    let read = |digits: &str| digits.parse::<u8>().unwrap_or(u8::MAX);
    let (least, most) = match second {
        None => (None, read(&first)),
        Some(second) => (Some(read(&first)), read(&second)),
    };
    if most == 0 || most > super::ARMY {
        return wrong("an entry has 1 to 12 elements, an army being 12");
    }
    if least.is_some_and(|least| least > most) {
        return wrong("the least of a range comes first, such as `1-2`");
    }
    Ok(Numbers { least, most })
}

/// `3Kn//4Bd`, `4Wb/3Wb`, `3/4Wb`.
fn forms(cursor: &mut Cursor<'_>, rules: &Ruleset, faults: &mut Vec<Fault>) -> Option<Vec<Form>> {
    let mut good = true;
    // Code as written with its place, and the foot likewise.
    type Written = (String, Position);
    let mut written: Vec<(Written, Option<Written>)> = Vec::new();
    let word = |cursor: &mut Cursor<'_>| {
        cursor.skip_spaces();
        let at = cursor.place();
        (cursor.while_is(|c| c.is_alphanumeric() || c == '-'), at)
    };
    loop {
        let code = word(cursor);
        let foot = cursor.take_next("//").then(|| word(cursor));
        written.push((code, foot));
        if !cursor.take_next("/") {
            break;
        }
    }
    let mut forms: Vec<Form> = Vec::new();
    for n in 0..written.len() {
        let ((code, at), foot) = written[n].clone();
        let digits = !code.is_empty() && code.chars().all(|c| c.is_ascii_digit());
        // A prefix number takes the letters of the next code that has some.
        let letters =
            written[n..].iter().map(|((c, _), _)| c.trim_start_matches(|c: char| c.is_ascii_digit()));
        let code = match letters.clone().find(|l| !l.is_empty()) {
            Some(letters) if digits => format!("{code}{letters}"),
            _ => code,
        };
        let rider = known(&code, at, rules, faults);
        let on_foot = foot.as_ref().map(|(foot, at)| known(foot, *at, rules, faults));
        let (Some(rider), true) = (rider, on_foot.is_none_or(|f| f.is_some())) else {
            good = false;
            continue;
        };
        if let (Some(Some(foot)), Some((_, at))) = (on_foot, &foot)
            && (!rides(rider) || rides(foot))
        {
            let message = format!(
                "`//` joins mounted to the foot that they dismount as, and {}//{} are not that",
                rider.code, foot.code
            );
            faults.push(Fault { at: *at, clause: "army-lists.troop.5", message });
            good = false;
        }
        if forms.iter().any(|form| form.code == rider.code) {
            let message = format!("`/` joins two codes, and {} stands here twice", rider.code);
            faults.push(Fault { at, clause: "army-lists.troop.3", message });
            good = false;
        }
        forms.push(Form { code: rider.code.clone(), foot: on_foot.flatten().map(|t| t.code.clone()) });
    }
    good.then_some(forms)
}

/// Mounted, or foot that rides to battle.
fn rides(troop: &Troop) -> bool {
    troop.is_mounted() || troop.is(Mark::MountedInfantry)
}

/// The troop type of that code, its fault noted where there is none.
pub(super) fn known<'r>(
    code: &str,
    at: Position,
    rules: &'r Ruleset,
    faults: &mut Vec<Fault>,
) -> Option<&'r Troop> {
    let found = rules.troop(code);
    if found.is_none() {
        let message = match rules.retired(code) {
            _ if code.is_empty() => "expected a troop code, such as `4Sp`".to_owned(),
            Some(old) => format!("`{code}` is no troop code: {}", old.says),
            None => {
                let near = did_you_mean(code, rules.troops().iter().map(|t| t.code.as_str()));
                format!("`{code}` is no troop code{near}")
            }
        };
        faults.push(Fault { at, clause: ENTRY, message });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str) -> Entry {
        Entry::read(text, &Ruleset::dba3()).unwrap_or_else(|faults| panic!("{text}: {faults:?}"))
    }

    fn faults(text: &str) -> Vec<(usize, &'static str)> {
        let faults = Entry::read(text, &Ruleset::dba3()).expect_err(text);
        faults.iter().map(|f| (f.at.column, f.clause)).collect()
    }

    #[test]
    fn every_sort_of_entry_is_read_and_written_back() {
        for text in [
            "4x4Sp Farmers",
            "2x3Kn//4Bd Riders or 4xLH Scouts",
            "1-2x4Wb/3Wb Hillmen",
            "2x3Kn/4Kn//4Bd Lords",
            "1xMtd-4Lb/4Lb Archers of the guard [mercenary]",
            "2x4Sp Spears + 2xPs Slingers [subject] or 4x3Ax Hillmen",
        ] {
            assert_eq!(entry(text).to_string(), text);
        }
    }

    #[test]
    fn other_ways_of_writing_come_to_the_same() {
        let plain = entry("3x3Wb/4Wb Wild men");
        assert_eq!(entry("3 x 3/4Wb  Wild  men"), plain);
        assert_eq!(entry("3x 3Wb / 4Wb Wild men"), plain);
        // Other names of codes: clause army-lists.troop.2's example has `Sp`.
        assert_eq!(entry("4 x Sp Farmers"), entry("4x4Sp Farmers"));
        assert_eq!(entry("2x3Cv Horse"), entry("2xCv Horse"));
        assert_eq!(entry("4x5/7Hd Peasants").to_string(), "4x5Hd/7Hd Peasants");
    }

    #[test]
    fn a_form_knows_its_foot_and_a_plain_number_has_no_least() {
        let made = entry("2x3Kn/4Kn//4Bd Lords or 1-3xLH Scouts");
        let lords = &made.options[0][0];
        assert_eq!((lords.numbers.least(), lords.numbers.most), (0, 2));
        assert_eq!(lords.form("3Kn").map(|f| f.foot.as_deref()), Some(None));
        assert_eq!(lords.form("4Kn").map(|f| f.foot.as_deref()), Some(Some("4Bd")));
        let scouts = &made.options[1][0];
        assert_eq!((scouts.numbers.least(), scouts.numbers.most), (1, 3));
    }

    #[test]
    fn every_fault_has_its_column_and_its_clause() {
        let (entry, most) = ("army-lists.troop.1", "army-lists.troop.2");
        assert_eq!(faults("4Sp Farmers"), [(1, entry)]);
        assert_eq!(faults("4x4Sp"), [(6, entry)]);
        assert_eq!(faults("4x Farmers"), [(4, entry)]);
        assert_eq!(faults("4x3Sp Farmers"), [(3, entry)]);
        assert_eq!(faults("13x4Sp Farmers"), [(1, most)]);
        assert_eq!(faults("0x4Sp Farmers"), [(1, most)]);
        assert_eq!(faults("3-2x4Sp Farmers"), [(1, most)]);
        assert_eq!(faults("2x4Sp//4Bd Farmers"), [(8, "army-lists.troop.5")]);
        assert_eq!(faults("2x3Kn//Cv Lords"), [(8, "army-lists.troop.5")]);
        assert_eq!(faults("2x4Wb/4Wb Men"), [(7, "army-lists.troop.3")]);
        assert_eq!(faults("2x4Wb Men [hired]"), [(12, "army-lists.gen.3")]);
        assert_eq!(faults("2x4Wb Men, more"), [(10, entry)]);
        assert_eq!(faults("2x4Wb Men or "), [(14, entry)]);
    }

    #[test]
    fn several_faults_are_told_together() {
        let (entry, most) = ("army-lists.troop.1", "army-lists.troop.2");
        assert_eq!(
            faults("2x4Wc Men + 20x3Xx//4Bc Others or LH + 1xPs Slingers"),
            [(3, entry), (13, most), (16, entry), (21, entry), (35, entry)]
        );
    }
}
