//! Taking words, numbers and names off a notation line, and saying where that fails.

use super::NotationError;
use crate::units::Scale;

/// Whether a name may have this character without quotes.
pub(super) fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\'')
}

/// Where the pieces of a line begin and end: parted by `;`, ended by `#`, neither inside quotes.
pub(super) fn pieces(chars: &[char]) -> Vec<(usize, usize)> {
    let (mut pieces, mut from, mut inside, mut escaped) = (Vec::new(), 0, false, false);
    for (at, &c) in chars.iter().enumerate() {
        match c {
            _ if escaped => escaped = false,
            '\\' if inside => escaped = true,
            '"' => inside = !inside,
            ';' if !inside => {
                pieces.push((from, at));
                from = at + 1;
            }
            '#' if !inside => {
                pieces.push((from, at));
                return pieces;
            }
            _ => {}
        }
    }
    pieces.push((from, chars.len()));
    pieces
}

/// A place in a line, and what can be taken from it.
pub(super) struct Cursor<'a> {
    pub chars: &'a [char],
    pub at: usize,
    pub line: usize,
}

impl Cursor<'_> {
    pub fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// The characters up to the next space, without moving.
    pub fn rest_of_word(&self) -> String {
        self.chars[self.at..].iter().take_while(|c| !c.is_whitespace()).collect()
    }

    pub fn word_is(&self, word: &str) -> bool {
        self.rest_of_word() == word
    }

    pub fn wrong(&self, expected: impl Into<String>) -> NotationError {
        let word = self.rest_of_word();
        let found = if word.is_empty() { "the end".to_owned() } else { format!("`{word}`") };
        self.wrong_with(expected, found)
    }

    pub fn wrong_with(&self, expected: impl Into<String>, found: String) -> NotationError {
        NotationError { line: self.line, column: self.at + 1, expected: expected.into(), found }
    }

    /// Takes `text` where it stands here.
    pub fn take(&mut self, text: &str) -> bool {
        let there = text.chars().enumerate().all(|(n, c)| self.chars.get(self.at + n) == Some(&c));
        if there {
            self.at += text.chars().count();
        }
        there
    }

    /// Takes a whole word, one of `words`.
    pub fn one_of<T: Copy>(&mut self, words: &[(&str, T)], expected: &str) -> Result<T, NotationError> {
        let word = self.rest_of_word();
        match words.iter().find(|(known, _)| *known == word) {
            Some((_, meaning)) => {
                self.at += word.chars().count();
                Ok(*meaning)
            }
            None => Err(self.wrong(expected)),
        }
    }

    pub fn expect(&mut self, text: &str, expected: &str) -> Result<(), NotationError> {
        if self.take(text) { Ok(()) } else { Err(self.wrong(expected)) }
    }

    pub fn number(&mut self, expected: &str) -> Result<f64, NotationError> {
        let from = self.at;
        let mut end = from;
        while let Some(&c) = self.chars.get(end) {
            let sign_inside = end > from && matches!(self.chars[end - 1], 'e' | 'E');
            let part = c.is_ascii_digit()
                || c == '.'
                || (matches!(c, '-' | '+') && (end == from || sign_inside))
                || (matches!(c, 'e' | 'E')
                    && end > from
                    && self.chars.get(end + 1).is_some_and(|n| n.is_ascii_digit() || *n == '-'));
            if !part {
                break;
            }
            end += 1;
        }
        let text: String = self.chars[from..end].iter().collect();
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.at = end;
                Ok(number)
            }
            _ => Err(self.wrong(expected)),
        }
    }

    /// A name and the space after it: one word, or text in quotes.
    pub fn name(&mut self) -> Result<String, NotationError> {
        let quoted = self.peek() == Some('"');
        let name = self.name_alone()?;
        if quoted || self.peek().is_none_or(char::is_whitespace) {
            Ok(name)
        } else {
            Err(self.wrong("a space after the name; names with other signs go in quotes"))
        }
    }

    /// A name, whatever follows it.
    pub fn name_alone(&mut self) -> Result<String, NotationError> {
        if !self.take("\"") {
            let name: String = self.chars[self.at..].iter().take_while(|c| is_name(**c)).collect();
            if name.is_empty() {
                return Err(self.wrong("a name, or a name in quotes"));
            }
            self.at += name.chars().count();
            return Ok(name);
        }
        let mut name = String::new();
        loop {
            match self.peek() {
                Some('"') => {
                    self.at += 1;
                    return Ok(name);
                }
                Some('\\') => {
                    self.at += 1;
                    match self.peek() {
                        Some(c @ ('"' | '\\')) => name.push(c),
                        _ => return Err(self.wrong("`\"` or `\\` after a backslash")),
                    }
                }
                Some(c) => name.push(c),
                None => return Err(self.wrong("a closing quote")),
            }
            self.at += 1;
        }
    }

    /// Millimetres to a unit: `mm` follows, or base widths.
    pub fn unit(&mut self, scale: Scale) -> f64 {
        if self.take("mm") { 1.0 } else { scale.mm_per_bw() }
    }

    pub fn length(&mut self, scale: Scale, expected: &str) -> Result<f64, NotationError> {
        let from = self.at;
        let number = self.number(expected)?;
        let mm = number * self.unit(scale);
        if mm > 0.0 && mm.is_finite() {
            return Ok(mm);
        }
        self.at = from;
        Err(self.wrong(format!("{expected}, more than zero")))
    }

    /// A letter and a length after it, where that letter and a number stand here.
    pub fn takes_length(
        &mut self,
        letter: char,
        scale: Scale,
        expected: &str,
    ) -> Result<Option<f64>, NotationError> {
        let number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+');
        if self.peek() != Some(letter) || !self.chars.get(self.at + 1).is_some_and(|c| number(*c)) {
            return Ok(None);
        }
        self.at += 1;
        self.length(scale, expected).map(Some)
    }

    pub fn pair(&mut self) -> Result<(f64, f64), NotationError> {
        self.expect("(", "`(x,y)`")?;
        self.skip_spaces();
        let x = self.number("a number for x")?;
        self.skip_spaces();
        self.expect(",", "`,` between x and y")?;
        self.skip_spaces();
        let y = self.number("a number for y")?;
        self.skip_spaces();
        self.expect(")", "`)` after y")?;
        Ok((x, y))
    }
}
