//! What an army list is called by: its book, number and letter, `II/12a`.
//!
//! Clause army-lists.gen.5. The four list books are `I` to `IV`; a book of one's own has a word in small letters,
//! `sample/3b`, and so never has the key of a list that somebody else wrote.

use std::fmt;
use thiserror::Error;

/// A list book.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Book {
    /// One of the four that the lists are numbered after, 1 to 4.
    Listed(u8),
    /// One's own, a word in small letters.
    Own(String),
}

const ROMAN: [&str; 4] = ["I", "II", "III", "IV"];

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listed(number) => f.write_str(ROMAN[usize::from(*number) - 1]),
            Self::Own(word) => f.write_str(word),
        }
    }
}

/// The key of one list.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    /// Its book.
    pub book: Book,
    /// Its number in the book, 1 or more.
    pub number: u16,
    /// Its letter, where the number has several lists.
    pub letter: Option<char>,
}

/// One or more lists of a number, as lists name each other: `I/2`, `I/2b`, `I/2ab`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct KeyRef {
    /// The book.
    pub book: Book,
    /// The number in the book.
    pub number: u16,
    /// Which of its lists, in the order written; empty: all of them.
    pub letters: Vec<char>,
}

/// What is wrong with a key.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("expected {expected}, found {found}")]
pub struct KeyError {
    /// How many characters stand before the mistake.
    pub after: usize,
    /// What would have done.
    pub expected: &'static str,
    /// What stands there.
    pub found: String,
}

impl Key {
    /// Reads `II/12a`.
    ///
    /// # Errors
    /// The first mistake.
    pub fn read(text: &str) -> Result<Self, KeyError> {
        let of = KeyRef::read(text)?;
        match of.letters.as_slice() {
            [] => Ok(Self { book: of.book, number: of.number, letter: None }),
            [letter] => Ok(Self { book: of.book, number: of.number, letter: Some(*letter) }),
            [_, second, ..] => Err(KeyError {
                after: text.chars().count() - of.letters.len() + 1,
                expected: "one letter at most: a key is of one list",
                found: format!("`{second}`"),
            }),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.book, self.number)?;
        self.letter.map_or(Ok(()), |letter| write!(f, "{letter}"))
    }
}

impl KeyRef {
    /// Reads `I/2`, `I/2b` or `I/2ab`.
    ///
    /// # Errors
    /// The first mistake.
    pub fn read(text: &str) -> Result<Self, KeyError> {
        let chars: Vec<char> = text.chars().collect();
        let wrong = |after: usize, expected: &'static str| {
            let found = chars.get(after).map_or("the end".to_owned(), |c| format!("`{c}`"));
            Err(KeyError { after, expected, found })
        };
        const BOOK: &str =
            "a list book, I to IV or a word in small letters, `/` and a number, such as `II/12a`";
        let slash = chars.iter().position(|c| *c == '/').unwrap_or(chars.len());
        let word: String = chars[..slash].iter().collect();
        let own = !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase() || c == '-');
        let book = match ROMAN.iter().position(|roman| *roman == word) {
            // Four of them: the place fits.
            Some(at) => Book::Listed(at as u8 + 1),
            None if own => Book::Own(word),
            None => return Err(KeyError { after: 0, expected: BOOK, found: format!("`{word}`") }),
        };
        if slash == chars.len() {
            return wrong(slash, BOOK);
        }
        let from = slash + 1;
        let digits = chars[from..].iter().take_while(|c| c.is_ascii_digit()).count();
        let number: String = chars[from..from + digits].iter().collect();
        let number = match number.parse::<u16>() {
            Ok(number) if number > 0 && !chars[from..].starts_with(&['0']) => number,
            _ if digits == 0 => return wrong(from, "the list's number in its book"),
            _ => {
                let found = format!("`{number}`");
                return Err(KeyError { after: from, expected: "a number from 1 to 65535", found });
            }
        };
        let mut letters = Vec::new();
        for (at, c) in chars.iter().enumerate().skip(from + digits) {
            if !c.is_ascii_lowercase() {
                return wrong(at, "a small letter, or the end");
            }
            if letters.contains(c) {
                return wrong(at, "a letter that is not written already");
            }
            letters.push(*c);
        }
        Ok(Self { book, number, letters })
    }

    /// Whether the list of that key is among them. Without letters all lists of the number are; a list without a letter is
    /// the only one of its number.
    pub fn names(&self, key: &Key) -> bool {
        let letter = key.letter.is_none_or(|l| self.letters.is_empty() || self.letters.contains(&l));
        self.book == key.book && self.number == key.number && letter
    }
}

impl From<&Key> for KeyRef {
    fn from(key: &Key) -> Self {
        Self { book: key.book.clone(), number: key.number, letters: key.letter.into_iter().collect() }
    }
}

impl fmt::Display for KeyRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}{}", self.book, self.number, self.letters.iter().collect::<String>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_and_written_back() {
        for text in ["I/1", "IV/83b", "II/12a", "sample/3", "my-own/10c"] {
            assert_eq!(Key::read(text).expect("a key").to_string(), text);
        }
        assert_eq!(KeyRef::read("III/4acd").expect("a key").to_string(), "III/4acd");
    }

    #[test]
    fn what_is_no_key_is_told_with_its_place() {
        let place = |text: &str| Key::read(text).expect_err("no key").after;
        assert_eq!(place("V/3"), 0);
        assert_eq!(place("12"), 0);
        assert_eq!(place("II"), 2);
        assert_eq!(place("II/"), 3);
        assert_eq!(place("II/0"), 3);
        assert_eq!(place("II/07"), 3);
        assert_eq!(place("II/99999"), 3);
        assert_eq!(place("II/12A"), 5);
        assert_eq!(place("II/12ab"), 6);
        assert_eq!(place("II/12 a"), 5);
        assert_eq!(KeyRef::read("II/12aba").expect_err("a twice").after, 7);
    }

    #[test]
    fn a_number_without_letters_is_all_its_lists() {
        let names =
            |of: &str, key: &str| KeyRef::read(of).expect("keys").names(&Key::read(key).expect("a key"));
        assert!(names("I/2", "I/2") && names("I/2", "I/2c") && names("I/2bc", "I/2c"));
        assert!(!names("I/2ab", "I/2c") && !names("I/2", "II/2") && !names("I/2", "I/3"));
        // A list without a letter is the only one: whoever names a letter of it means it.
        assert!(names("I/2a", "I/2"));
    }
}
