//! Agreed facts in one line: `contact A E`, `clear-of A "Old Beech"`.
//!
//! Invariant: what is written is read back to the same fact.

use super::cursor::Cursor;
use super::{NotationError, end, quoted};
use crate::rules::facts::Fact;

type Made = fn(String, String) -> Fact;

const FACTS: [(&str, Made); 22] = [
    ("contact", Fact::Contact),
    ("apart", Fact::Apart),
    ("in-zone", Fact::InZone),
    ("outside-zone", Fact::OutsideZone),
    ("inside", Fact::Inside),
    ("clear-of", Fact::ClearOf),
    ("wholly-inside", Fact::WhollyInside),
    ("partly-outside", Fact::PartlyOutside),
    ("can-shoot", Fact::CanShoot),
    ("cannot-shoot", Fact::CannotShoot),
    ("supports", Fact::Supports),
    ("no-support", Fact::NoSupport),
    ("overlaps", Fact::Overlaps),
    ("no-overlap", Fact::NoOverlap),
    ("pins", Fact::Pins),
    ("no-pin", Fact::NoPin),
    ("uphill", Fact::Uphill),
    ("not-uphill", Fact::NotUphill),
    ("bank", Fact::Bank),
    ("no-bank", Fact::NoBank),
    ("storms", Fact::Storms),
    ("no-storm", Fact::NoStorm),
];

/// Reads one fact.
///
/// # Errors
/// The first mistake, with its column and what was expected.
pub fn read_fact(text: &str) -> Result<Fact, NotationError> {
    let text = crate::text::without_mark(text);
    let chars: Vec<char> = text.chars().collect();
    let mut cursor = Cursor { chars: &chars, at: 0, line: 1 };
    cursor.skip_spaces();
    let made = cursor.one_of(
        &FACTS,
        "`contact`, `apart`, `in-zone`, `outside-zone`, `inside`, `clear-of`, `wholly-inside`, `partly-outside`, \
         `can-shoot`, `cannot-shoot`, `supports`, `no-support`, `overlaps`, `no-overlap`, `pins`, `no-pin`, `uphill`, \
         `not-uphill`, `bank`, `no-bank`, `storms` or `no-storm`",
    )?;
    cursor.skip_spaces();
    let first = cursor.name()?;
    cursor.skip_spaces();
    let second = cursor.name()?;
    end(&mut cursor)?;
    Ok(made(first, second))
}

/// Writes a fact.
pub fn write_fact(fact: &Fact) -> String {
    let (a, b) = fact.names();
    let word = match fact {
        Fact::Contact(..) => "contact",
        Fact::Apart(..) => "apart",
        Fact::InZone(..) => "in-zone",
        Fact::OutsideZone(..) => "outside-zone",
        Fact::Inside(..) => "inside",
        Fact::ClearOf(..) => "clear-of",
        Fact::WhollyInside(..) => "wholly-inside",
        Fact::PartlyOutside(..) => "partly-outside",
        Fact::CanShoot(..) => "can-shoot",
        Fact::CannotShoot(..) => "cannot-shoot",
        Fact::Supports(..) => "supports",
        Fact::NoSupport(..) => "no-support",
        Fact::Overlaps(..) => "overlaps",
        Fact::NoOverlap(..) => "no-overlap",
        Fact::Pins(..) => "pins",
        Fact::NoPin(..) => "no-pin",
        Fact::Uphill(..) => "uphill",
        Fact::NotUphill(..) => "not-uphill",
        Fact::Bank(..) => "bank",
        Fact::NoBank(..) => "no-bank",
        Fact::Storms(..) => "storms",
        Fact::NoStorm(..) => "no-storm",
    };
    format!("{word} {} {}", quoted(a), quoted(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back_and_mistakes_say_what_would_do() {
        for (word, _) in FACTS {
            let text = format!("{word} A \"Old Beech\"");
            assert_eq!(write_fact(&read_fact(&text).expect("a fact")), text);
        }
        let said = |text: &str| read_fact(text).expect_err("a mistake").to_string();
        assert!(said("touches A B").contains("`contact`"));
        assert!(said("contact A").contains("a name"));
        assert!(said("contact A B C").contains("the end"));
    }
}
