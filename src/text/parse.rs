//! From text to tree.
//!
//! The reader goes on after a mistake where it safely can: after a bad value at the next comma of
//! the same brackets, after a missing comma at once. It gives up where brackets or quotes no longer
//! match, for anything said after that would be a guess.

use super::literal::{self, Joins};
use super::{Field, Mistake, Name, Node, Position, Value};

/// A text longer than this is refused: no file of Groma's comes near.
pub const MAX_BYTES: usize = 4 << 20;

/// Brackets nested deeper than this are refused.
pub const MAX_DEPTH: usize = 64;

/// Reads `text`. The tree is the whole file's value, with [`Value::Broken`] where something could
/// not be read, or `None` where there is no use in going on; the list holds every mistake of syntax.
pub fn parse(text: &str) -> (Option<Node>, Vec<Mistake>) {
    let text = super::without_mark(text);
    let mut reader = Reader { text, cursor: 0, at: Position::START, depth: 0, mistakes: Vec::new() };
    if text.len() > MAX_BYTES {
        reader.note(Position::START, format!("the text is larger than {} MiB", MAX_BYTES >> 20));
        return (None, reader.mistakes);
    }
    let tree = reader.file().ok();
    (tree, reader.mistakes)
}

/// Why reading stopped; the mistake is already noted.
enum Halt {
    /// This value is bad; the next one may be good.
    Value,
    /// Nothing after this can be trusted.
    File,
}

struct Reader<'a> {
    text: &'a str,
    cursor: usize,
    at: Position,
    depth: usize,
    mistakes: Vec<Mistake>,
}

/// An opened bracket.
#[derive(Clone, Copy)]
struct Opened {
    at: Position,
    open: char,
    close: char,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.cursor..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn advance(&mut self, bytes: usize) {
        for c in self.rest()[..bytes].chars() {
            if c == '\n' {
                self.at = Position { line: self.at.line + 1, column: 1 };
            } else {
                self.at.column += 1;
            }
        }
        self.cursor += bytes;
    }

    fn take(&mut self, wanted: &str) -> bool {
        let there = self.rest().starts_with(wanted);
        if there {
            self.advance(wanted.len());
        }
        there
    }

    fn note(&mut self, at: Position, message: impl Into<String>) {
        self.mistakes.push(Mistake { at, message: message.into() });
    }

    fn halt<T>(&mut self, at: Position, halt: Halt, message: impl Into<String>) -> Result<T, Halt> {
        self.note(at, message);
        Err(halt)
    }

    fn file(&mut self) -> Result<Node, Halt> {
        self.blank()?;
        if self.rest().starts_with('#') {
            return self.halt(
                self.at,
                Halt::File,
                "extensions (`#![enable(...)]`) are not used in these files",
            );
        }
        if self.peek().is_none() {
            return self.halt(self.at, Halt::File, "there is nothing here but blanks and comments");
        }
        let node = self.value()?;
        self.blank()?;
        if let Some(c) = self.peek() {
            let message = match c {
                ')' | ']' | '}' => format!("this `{c}` closes nothing"),
                _ => format!("expected the end of the file after its one value, found {}", self.next_word()),
            };
            return self.halt(self.at, Halt::File, message);
        }
        Ok(node)
    }

    /// What stands here, for a message.
    fn next_word(&self) -> String {
        let word: String =
            self.rest().chars().take_while(|c| c.is_alphanumeric() || *c == '_').take(30).collect();
        match self.peek() {
            None => "the end of the file".to_owned(),
            Some(c) if word.is_empty() => format!("{c:?}"),
            Some(_) => format!("`{word}`"),
        }
    }

    /// Skips blanks and comments.
    fn blank(&mut self) -> Result<(), Halt> {
        loop {
            let rest = self.rest();
            let blanks = rest.find(|c| !is_blank(c)).unwrap_or(rest.len());
            self.advance(blanks);
            if self.rest().starts_with("//") {
                let line = self.rest().find('\n').unwrap_or(self.rest().len());
                self.advance(line);
            } else if self.rest().starts_with("/*") {
                self.block_comment()?;
            } else if self.rest().starts_with('/') {
                return self.halt(self.at, Halt::File, "a comment begins with // or /*");
            } else {
                return Ok(());
            }
        }
    }

    fn block_comment(&mut self) -> Result<(), Halt> {
        let opened = self.at;
        let mut level = 0;
        loop {
            if self.take("/*") {
                level += 1;
            } else if self.take("*/") {
                level -= 1;
                if level == 0 {
                    return Ok(());
                }
            } else if let Some(c) = self.peek() {
                self.advance(c.len_utf8());
            } else {
                return self.halt(opened, Halt::File, "this comment is never closed with */");
            }
        }
    }

    fn value(&mut self) -> Result<Node, Halt> {
        let at = self.at;
        let Some(c) = self.peek() else {
            return self.halt(at, Halt::File, "expected a value, found the end of the file");
        };
        let value = match c {
            '(' => self.round(None)?,
            '[' => self.list()?,
            '{' => self.map()?,
            '"' => Value::Text(self.quoted()?),
            '\'' => Value::Char(self.character()?),
            'r' if self.rest().starts_with("r\"") || self.is_raw_text() => Value::Text(self.raw_text()?),
            'b' if ["b'", "b\"", "br\"", "br#"].iter().any(|s| self.rest().starts_with(s)) => {
                return self.halt(at, Halt::File, "byte strings are not used in these files");
            }
            '0'..='9' | '+' | '-' | '.' => self.number()?,
            c if is_word_start(c) => self.word()?,
            '=' => return self.halt(at, Halt::Value, "expected a value, found `=`"),
            c => return self.halt(at, Halt::Value, format!("expected a value, found {c:?}")),
        };
        Ok(Node { at, value })
    }

    fn number(&mut self) -> Result<Value, Halt> {
        let at = self.at;
        let rest = self.rest();
        let mut before = ' ';
        let mut end = rest.len();
        let hex = rest.trim_start_matches(['+', '-']).starts_with("0x");
        for (i, c) in rest.char_indices() {
            let exponent_sign = matches!(c, '+' | '-') && matches!(before, 'e' | 'E') && !hex;
            let first_sign = i == 0 && matches!(c, '+' | '-');
            if !(c.is_alphanumeric() || c == '_' || c == '.' || exponent_sign || first_sign) {
                end = i;
                break;
            }
            before = c;
        }
        let written = &rest[..end];
        self.advance(end);
        if written.contains("..") {
            return self.halt(at, Halt::Value, format!("`{written}`: ranges are not used in these files"));
        }
        literal::number(written).map(Value::Number).or_else(|why| self.halt(at, Halt::Value, why))
    }

    /// A bare word, `true`, `false`, `None`, `Some(...)`, or a named tuple or struct.
    fn word(&mut self) -> Result<Value, Halt> {
        let name = self.name()?;
        match name.text.as_str() {
            "true" => return Ok(Value::Bool(true)),
            "false" => return Ok(Value::Bool(false)),
            "None" => return Ok(Value::Option(None)),
            "inf" | "NaN" | "inff32" | "inff64" | "NaNf32" | "NaNf64" => {
                let number = literal::number(&name.text);
                return number.map(Value::Number).or_else(|why| self.halt(name.at, Halt::Value, why));
            }
            _ => {}
        }
        let (cursor, at) = (self.cursor, self.at);
        self.blank()?;
        if name.text == "Some" {
            if self.peek() != Some('(') {
                return self.halt(self.at, Halt::Value, "expected `(` after `Some`");
            }
            let opened = self.at;
            let Value::Tuple(_, mut items) = self.round(None)? else {
                return self.halt(opened, Halt::Value, "`Some(...)` holds one value, not named fields");
            };
            return match (items.pop(), items.is_empty()) {
                (Some(item), true) => Ok(Value::Option(Some(Box::new(item)))),
                _ => self.halt(opened, Halt::Value, "`Some(...)` holds exactly one value"),
            };
        }
        if self.peek() == Some('(') {
            return self.round(Some(name));
        }
        (self.cursor, self.at) = (cursor, at);
        Ok(Value::Word(name.text))
    }

    /// An identifier, plain or raw (`r#like-this`).
    fn name(&mut self) -> Result<Name, Halt> {
        let at = self.at;
        if self.rest().starts_with("r#") {
            let rest = &self.rest()[2..];
            let end = rest.find(|c| !is_raw_word(c)).unwrap_or(rest.len());
            if end > 0 {
                let text = rest[..end].to_owned();
                self.advance(2 + end);
                return Ok(Name { at, text });
            }
        }
        let rest = self.rest();
        let end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        if end == 0 || !rest.starts_with(is_word_start) {
            let found = self.next_word();
            return self.halt(at, Halt::Value, format!("expected a name, found {found}"));
        }
        let text = rest[..end].to_owned();
        self.advance(end);
        Ok(Name { at, text })
    }

    fn open(&mut self, open: char, close: char) -> Result<Opened, Halt> {
        let opened = Opened { at: self.at, open, close };
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let message =
                format!("brackets are nested more than {MAX_DEPTH} deep here: is a bracket missing?");
            return self.halt(opened.at, Halt::File, message);
        }
        self.advance(1);
        self.blank()?;
        Ok(opened)
    }

    /// Reads items up to the closing bracket, going on after a bad one.
    fn items<T>(
        &mut self,
        opened: Opened,
        mut item: impl FnMut(&mut Self) -> Result<T, Halt>,
    ) -> Result<Vec<T>, Halt> {
        let mut items = Vec::new();
        loop {
            if self.closed(opened)? {
                return Ok(items);
            }
            match item(self) {
                Ok(one) => items.push(one),
                Err(Halt::Value) => self.skip_to_end_of_item()?,
                Err(Halt::File) => return Err(Halt::File),
            }
            self.blank()?;
            if self.take(",") {
                self.blank()?;
            } else if !self.closes_here(opened)? {
                let found = self.next_word();
                self.note(self.at, format!("expected `,` or `{}` before {found}", opened.close));
                if !self.peek().is_some_and(|c| is_word_start(c) || "([{\"'+-.0123456789".contains(c)) {
                    self.skip_to_end_of_item()?;
                    self.take(",");
                    self.blank()?;
                }
            }
        }
    }

    /// Takes the closing bracket where it stands here.
    fn closed(&mut self, opened: Opened) -> Result<bool, Halt> {
        if self.closes_here(opened)? {
            self.advance(1);
            self.depth -= 1;
            return Ok(true);
        }
        Ok(false)
    }

    /// Whether the closing bracket stands here. Another closing bracket, or the end, halts the file.
    fn closes_here(&mut self, opened: Opened) -> Result<bool, Halt> {
        let Opened { at, open, close } = opened;
        match self.peek() {
            Some(c) if c == close => Ok(true),
            Some(c @ (')' | ']' | '}')) => {
                let here = self.at;
                let message = format!("expected `{close}` to close the `{open}` of {at}, found `{c}`");
                self.halt(here, Halt::File, message)
            }
            None => {
                let end = self.at;
                let message = format!(
                    "this `{open}` is never closed: expected `{close}` before the file's end ({end})"
                );
                self.halt(at, Halt::File, message)
            }
            Some(_) => Ok(false),
        }
    }

    /// Skips to the comma or closing bracket that ends a bad item, over whole brackets and texts.
    fn skip_to_end_of_item(&mut self) -> Result<(), Halt> {
        let mut expected: Vec<char> = Vec::new();
        loop {
            self.blank()?;
            match self.peek() {
                None => return Ok(()),
                Some(',') if expected.is_empty() => return Ok(()),
                Some('"') => {
                    self.quoted()?;
                    continue;
                }
                Some('(') => expected.push(')'),
                Some('[') => expected.push(']'),
                Some('{') => expected.push('}'),
                Some(c @ (')' | ']' | '}')) => match expected.pop() {
                    None => return Ok(()),
                    Some(right) if right == c => {}
                    Some(right) => {
                        let here = self.at;
                        return self.halt(here, Halt::File, format!("expected `{right}`, found `{c}`"));
                    }
                },
                Some(_) => {}
            }
            self.advance(self.peek().map_or(0, char::len_utf8));
        }
    }

    fn list(&mut self) -> Result<Value, Halt> {
        let opened = self.open('[', ']')?;
        self.items(opened, Self::value_or_broken).map(Value::List)
    }

    fn map(&mut self) -> Result<Value, Halt> {
        let opened = self.open('{', '}')?;
        let entry = |r: &mut Self| {
            let key = r.value()?;
            r.blank()?;
            r.colon(|| "expected `:` after the key".to_owned())?;
            Ok((key, r.value_or_broken()?))
        };
        self.items(opened, entry).map(Value::Map)
    }

    /// A tuple or a struct: a struct where the first thing inside is a name and a colon.
    fn round(&mut self, name: Option<Name>) -> Result<Value, Halt> {
        let opened = self.open('(', ')')?;
        if self.begins_with_a_field() {
            return self.items(opened, Self::field).map(|fields| Value::Struct(name, fields));
        }
        self.items(opened, Self::value_or_broken).map(|items| Value::Tuple(name, items))
    }

    fn begins_with_a_field(&mut self) -> bool {
        let (cursor, at, known) = (self.cursor, self.at, self.mistakes.len());
        let found = (self.peek().is_some_and(is_word_start) && self.name().is_ok() || self.quoted().is_ok())
            && self.blank().is_ok()
            && self.peek().is_some_and(|c| c == ':' || c == '=');
        (self.cursor, self.at) = (cursor, at);
        self.mistakes.truncate(known);
        found
    }

    fn field(&mut self) -> Result<Field, Halt> {
        let at = self.at;
        let name = if self.peek() == Some('"') {
            let text = self.quoted()?;
            self.note(at, format!("a field's name is written without quotes: {text}"));
            Name { at, text }
        } else {
            self.name()?
        };
        self.blank()?;
        self.colon(|| format!("expected `:` after the field's name `{}`", name.text))?;
        Ok(Field { name, value: self.value_or_broken()? })
    }

    /// Takes the colon, or an equals sign in its place with a mistake noted.
    fn colon(&mut self, message: impl Fn() -> String) -> Result<(), Halt> {
        let here = self.at;
        if self.take("=") {
            self.note(here, format!("{}, found `=`", message()));
        } else if !self.take(":") {
            let found = self.next_word();
            return self.halt(here, Halt::Value, format!("{}, found {found}", message()));
        }
        self.blank()
    }

    /// A value, or [`Value::Broken`] where it is bad but what follows may be good.
    fn value_or_broken(&mut self) -> Result<Node, Halt> {
        let (at, depth) = (self.at, self.depth);
        match self.value() {
            Err(Halt::Value) => {
                self.depth = depth;
                self.skip_to_end_of_item()?;
                Ok(Node { at, value: Value::Broken })
            }
            other => other,
        }
    }

    /// A text in double quotes.
    fn quoted(&mut self) -> Result<String, Halt> {
        let opened = self.at;
        if !self.take("\"") {
            return self.halt(opened, Halt::Value, "expected a text in double quotes");
        }
        let mut text = String::new();
        loop {
            let rest = self.rest();
            let Some(stop) = rest.find(['"', '\\']) else {
                return self.halt(opened, Halt::File, "this text is never closed: expected `\"` at its end");
            };
            text.push_str(&rest[..stop]);
            self.advance(stop);
            if self.take("\"") {
                return Ok(text);
            }
            let backslash = self.at;
            self.advance(1);
            if self.take("\r\n") || self.take("\n") {
                let rest = self.rest();
                self.advance(rest.find(|c| !" \t\r\n".contains(c)).unwrap_or(rest.len()));
                continue;
            }
            match literal::escape(self.rest(), Joins::Yes) {
                Ok((c, bytes)) => {
                    text.push(c);
                    self.advance(bytes);
                }
                // The rest of the text is read on, so that its end is found.
                Err(why) => {
                    self.note(backslash, why);
                    self.advance(self.peek().map_or(0, char::len_utf8));
                }
            }
        }
    }

    /// Whether `r#..."` begins a raw text and not a raw name.
    fn is_raw_text(&self) -> bool {
        self.rest().starts_with("r#") && self.rest()[1..].trim_start_matches('#').starts_with('"')
    }

    fn raw_text(&mut self) -> Result<String, Halt> {
        let opened = self.at;
        self.advance(1);
        let hashes = self.rest().len() - self.rest().trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(hashes));
        self.advance(hashes + 1);
        let Some(stop) = self.rest().find(&end) else {
            return self.halt(opened, Halt::File, format!("this raw text is never closed: expected {end}"));
        };
        let text = self.rest()[..stop].to_owned();
        self.advance(stop + end.len());
        Ok(text)
    }

    fn character(&mut self) -> Result<char, Halt> {
        let opened = self.at;
        self.advance(1);
        let c = match self.peek() {
            Some('\\') => {
                self.advance(1);
                match literal::escape(self.rest(), Joins::No) {
                    Ok((c, bytes)) => {
                        self.advance(bytes);
                        c
                    }
                    Err(why) => return self.halt(opened, Halt::Value, why),
                }
            }
            Some(c) => {
                self.advance(c.len_utf8());
                c
            }
            None => return self.halt(opened, Halt::File, "expected a character in single quotes"),
        };
        if !self.take("'") {
            let message = "single quotes hold one character; a text is written in double quotes";
            return self.halt(opened, Halt::Value, message);
        }
        Ok(c)
    }
}

/// RON's blanks.
fn is_blank(c: char) -> bool {
    matches!(
        c,
        ' ' | '\t'
            | '\n'
            | '\r'
            | '\x0B'
            | '\x0C'
            | '\u{85}'
            | '\u{200E}'
            | '\u{200F}'
            | '\u{2028}'
            | '\u{2029}'
    )
}

fn is_word_start(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

fn is_word(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

fn is_raw_word(c: char) -> bool {
    is_word(c) || matches!(c, '.' | '+' | '-')
}
