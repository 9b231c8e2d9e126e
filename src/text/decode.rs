//! From tree to values, collecting every mistake on the way.
//!
//! A decoding function takes the decoder and a node and gives `Some(value)`, or `None` when it has
//! noted why not. Nothing stops at the first mistake: a struct's fields and a list's items are all
//! looked at. [`Value::Broken`] gives `None` in silence, for its mistake is noted already.

use super::{Mistake, Mistakes, Name, Node, Number, Position, Value, did_you_mean, parse};

/// The numbers that a place allows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Range {
    /// The least, allowed itself.
    pub least: f64,
    /// The most, allowed itself.
    pub most: f64,
    /// What is expected, for messages: "a length in mm, more than 0".
    pub expected: &'static str,
}

/// Collects mistakes while a tree is turned into values.
#[derive(Debug, Default)]
pub struct Decoder {
    mistakes: Vec<Mistake>,
}

impl Decoder {
    /// Reads `text` of the file called `file` and decodes it with `decode`.
    ///
    /// # Errors
    /// Every mistake of the file: of syntax, and whatever `decode` noted.
    pub fn run<T>(
        file: &str,
        text: &str,
        decode: impl FnOnce(&mut Self, &Node) -> Option<T>,
    ) -> Result<T, Mistakes> {
        let (tree, mistakes) = parse(text);
        let mut decoder = Self { mistakes };
        let value = tree.and_then(|tree| decode(&mut decoder, &tree));
        match value {
            Some(value) if decoder.mistakes.is_empty() => Ok(value),
            _ if decoder.mistakes.is_empty() => Err(Mistakes::whole(file, "this file cannot be used")),
            _ => Err(Mistakes::new(file, decoder.mistakes)),
        }
    }

    /// Notes a mistake.
    pub fn note(&mut self, at: Position, message: impl Into<String>) {
        self.mistakes.push(Mistake { at, message: message.into() });
    }

    /// Notes "expected ..., found ..." and gives `None`.
    pub fn expected<T>(&mut self, node: &Node, expected: &str) -> Option<T> {
        if node.value != Value::Broken {
            self.note(node.at, format!("expected {expected}, found {}", node.value.describe()));
        }
        None
    }

    /// A finite number in `range`.
    pub fn number(&mut self, node: &Node, range: Range) -> Option<f64> {
        match node.value {
            Value::Number(Number { value, .. }) if value >= range.least && value <= range.most => Some(value),
            _ => self.expected(node, range.expected),
        }
    }

    /// A whole number from `least` to `most`. `what` names it: "an id".
    pub fn whole(&mut self, node: &Node, what: &str, least: u64, most: u64) -> Option<u64> {
        if let Value::Number(Number { whole: Some(n), .. }) = node.value
            && let Ok(n) = u64::try_from(n)
            && (least..=most).contains(&n)
        {
            return Some(n);
        }
        self.expected(node, &format!("{what}, a whole number from {least} to {most}"))
    }

    /// `true` or `false`.
    pub fn boolean(&mut self, node: &Node) -> Option<bool> {
        match node.value {
            Value::Bool(b) => Some(b),
            _ => self.expected(node, "true or false"),
        }
    }

    /// A text in double quotes. `what` names it: "a name".
    pub fn text(&mut self, node: &Node, what: &str) -> Option<String> {
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            _ => self.expected(node, &format!("{what}, a text in double quotes")),
        }
    }

    /// One of the listed words, bare or in double quotes.
    pub fn one_of<T: Copy>(&mut self, node: &Node, what: &str, words: &[(&str, T)]) -> Option<T> {
        let written = match &node.value {
            Value::Word(word) | Value::Text(word) => word,
            _ => return self.expected(node, &format!("{what}: {}", choices(words))),
        };
        if let Some((_, value)) = words.iter().find(|(word, _)| word == written) {
            return Some(*value);
        }
        let near = did_you_mean(written, words.iter().map(|(word, _)| *word));
        let message = format!("expected {what}: {}, found {}{near}", choices(words), node.value.describe());
        self.note(node.at, message);
        None
    }

    /// Every item of a list, or `None` where any is bad. `what` names the list: "a list of tags".
    pub fn list<T>(
        &mut self,
        node: &Node,
        what: &str,
        mut item: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Option<Vec<T>> {
        let Value::List(items) = &node.value else {
            return self.expected(node, &format!("{what} in [ ]"));
        };
        // Each item is decoded before the whole is given up, so that all mistakes are noted.
        let decoded: Vec<Option<T>> = items.iter().map(|node| item(self, node)).collect();
        decoded.into_iter().collect()
    }

    /// Two values in round or square brackets. `what` names them: "(width, depth) in mm".
    pub fn pair<T>(
        &mut self,
        node: &Node,
        what: &str,
        mut item: impl FnMut(&mut Self, &Node) -> Option<T>,
    ) -> Option<(T, T)> {
        match &node.value {
            Value::Tuple(None, items) | Value::List(items) => match items.as_slice() {
                [first, second] => {
                    let (first, second) = (item(self, first), item(self, second));
                    first.zip(second)
                }
                _ => self.expected(node, what),
            },
            _ => self.expected(node, what),
        }
    }

    /// The named fields of a struct. `what` names it: "an element, (name: ..., side: ...)".
    pub fn fields<'a>(&mut self, node: &'a Node, what: &'static str) -> Option<Fields<'a>> {
        let Value::Struct(_, fields) = &node.value else {
            return self.expected(node, what);
        };
        let mut seen: Vec<(&'a Name, &'a Node)> = Vec::new();
        for field in fields {
            if let Some((first, _)) = seen.iter().find(|(name, _)| name.text == field.name.text) {
                let message =
                    format!("the field `{}` stands here again, first at {}", field.name.text, first.at);
                self.note(field.name.at, message);
            } else {
                seen.push((&field.name, &field.value));
            }
        }
        Some(Fields { at: node.at, seen, asked: Vec::new() })
    }

    /// Every entry of a map with texts or words for keys, repeated keys noted. `what` names it.
    pub fn entries<'a>(&mut self, node: &'a Node, what: &str) -> Option<Vec<(Name, &'a Node)>> {
        let Value::Map(entries) = &node.value else {
            return self.expected(node, &format!("{what} in {{ }}"));
        };
        let mut seen: Vec<(Name, &'a Node)> = Vec::new();
        let mut good = true;
        for (key, value) in entries {
            let (Value::Text(text) | Value::Word(text)) = &key.value else {
                good = self.expected(key, "a key, a text in double quotes").unwrap_or(false);
                continue;
            };
            if let Some((first, _)) = seen.iter().find(|(name, _)| name.text == *text) {
                self.note(key.at, format!("the key `{text}` stands here again, first at {}", first.at));
                good = false;
            }
            seen.push((Name { at: key.at, text: text.clone() }, value));
        }
        good.then_some(seen)
    }
}

/// "a, b or c".
fn choices<T>(words: &[(&str, T)]) -> String {
    let mut words: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
    let last = words.pop().unwrap_or_default();
    if words.is_empty() { last.to_owned() } else { format!("{} or {last}", words.join(", ")) }
}

/// A struct's fields. Ask for each by name, then call [`Fields::finish`], which notes the rest.
#[derive(Debug)]
pub struct Fields<'a> {
    /// Where the struct begins.
    pub at: Position,
    seen: Vec<(&'a Name, &'a Node)>,
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    /// The field's node, if it is there.
    pub fn node(&mut self, name: &'static str) -> Option<&'a Node> {
        self.asked.push(name);
        self.seen.iter().find(|(field, _)| field.text == name).map(|(_, node)| *node)
    }

    /// Where the field's value stands, or else the struct.
    pub fn place(&self, name: &str) -> Position {
        self.seen.iter().find(|(field, _)| field.text == name).map_or(self.at, |(_, node)| node.at)
    }

    /// A field that must be there.
    pub fn required<T>(
        &mut self,
        decoder: &mut Decoder,
        name: &'static str,
        decode: impl FnOnce(&mut Decoder, &Node) -> Option<T>,
    ) -> Option<T> {
        match self.node(name) {
            Some(node) => decode(decoder, node),
            None => {
                // A mistyped field is noted once, as unknown with the right name, by `finish`.
                decoder.note(self.at, format!("the field `{name}` is missing here"));
                None
            }
        }
    }

    /// A field that may be left out, written plain, as `Some(...)`, or as `None`. `Some(None)` where
    /// it is left out; `None` where it is bad.
    pub fn optional<T>(
        &mut self,
        decoder: &mut Decoder,
        name: &'static str,
        decode: impl FnOnce(&mut Decoder, &Node) -> Option<T>,
    ) -> Option<Option<T>> {
        match self.node(name) {
            None => Some(None),
            Some(Node { value: Value::Option(None), .. }) => Some(None),
            Some(Node { value: Value::Option(Some(inner)), .. }) => decode(decoder, inner).map(Some),
            Some(node) => decode(decoder, node).map(Some),
        }
    }

    /// A field that is `default` where it is left out.
    pub fn or<T>(
        &mut self,
        decoder: &mut Decoder,
        name: &'static str,
        default: T,
        decode: impl FnOnce(&mut Decoder, &Node) -> Option<T>,
    ) -> Option<T> {
        self.optional(decoder, name, decode).map(|value| value.unwrap_or(default))
    }

    /// `schema: 1`, the version of the file's form; the only one there is.
    pub fn schema(&mut self, decoder: &mut Decoder) -> Option<()> {
        self.required(decoder, "schema", |d, node| match node.value {
            Value::Number(Number { whole: Some(1), .. }) => Some(()),
            Value::Number(Number { whole: Some(_), .. }) => d.expected(
                node,
                "schema 1 (a higher one needs a newer Groma, whose `groma init DIR` writes samples)",
            ),
            _ => d.expected(node, "schema: 1"),
        })
    }

    /// Notes every field that was never asked for, with the nearest of those that were.
    pub fn finish(self, decoder: &mut Decoder) {
        for (name, _) in self.seen.iter().filter(|(name, _)| !self.asked.contains(&name.text.as_str())) {
            let free = self.asked.iter().copied().filter(|a| !self.seen.iter().any(|(n, _)| n.text == *a));
            let near = did_you_mean(&name.text, free);
            let known = self.asked.iter().map(|a| format!("`{a}`")).collect::<Vec<_>>().join(", ");
            let message = if near.is_empty() {
                format!("unknown field `{}`; expected one of {known}", name.text)
            } else {
                format!("unknown field `{}`{near}", name.text)
            };
            decoder.note(name.at, message);
        }
    }
}
