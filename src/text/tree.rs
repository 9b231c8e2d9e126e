//! The tree of a RON text: every value with the place where it begins.

use super::Position;

/// A value and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Where it begins.
    pub at: Position,
    /// What it is.
    pub value: Value,
}

/// A name written in the text and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Where it begins.
    pub at: Position,
    /// Its letters.
    pub text: String,
}

/// A named field of a struct.
#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    /// Its name.
    pub name: Name,
    /// Its value.
    pub value: Node,
}

/// A number as written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Number {
    /// Its value; infinite or no number where the text says `inf` or `NaN`.
    pub value: f64,
    /// The exact value, where it is written without a fraction or an exponent.
    pub whole: Option<i128>,
}

/// What a value is.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A character in single quotes.
    Char(char),
    /// A text in double quotes, plain or raw.
    Text(String),
    /// `Some(value)` or `None`.
    Option(Option<Box<Node>>),
    /// `[a, b]`.
    List(Vec<Node>),
    /// `{a: b}`, every entry, repeated keys too.
    Map(Vec<(Node, Node)>),
    /// A bare word: an enum's variant or a unit struct.
    Word(String),
    /// `(a, b)` or `Name(a, b)`; `()` has no name and no items.
    Tuple(Option<Name>, Vec<Node>),
    /// `(a: b)` or `Name(a: b)`, every field, repeated ones too.
    Struct(Option<Name>, Vec<Field>),
    /// A value that could not be read; the mistake is already noted.
    Broken,
}

impl Value {
    /// What people call it, for "expected ..., found ...".
    pub fn describe(&self) -> String {
        match self {
            Self::Bool(b) => format!("`{b}`"),
            Self::Number(Number { whole: Some(n), .. }) => format!("the number {n}"),
            Self::Number(n) => format!("the number {}", n.value),
            Self::Char(c) => format!("the character {c:?}"),
            Self::Text(t) => format!("the text {:?}", shortened(t)),
            Self::Option(None) => "`None`".to_owned(),
            Self::Option(Some(_)) => "`Some(...)`".to_owned(),
            Self::List(_) => "a list in [ ]".to_owned(),
            Self::Map(_) => "a map in { }".to_owned(),
            Self::Word(w) => format!("the word `{}`", shortened(w)),
            Self::Tuple(None, items) if items.is_empty() => "empty brackets ( )".to_owned(),
            Self::Tuple(None, items) => format!("a tuple of {} values in ( )", items.len()),
            Self::Tuple(Some(name), _) | Self::Struct(Some(name), _) => {
                format!("`{}(...)`", shortened(&name.text))
            }
            Self::Struct(None, _) => "named fields in ( )".to_owned(),
            Self::Broken => "something unreadable".to_owned(),
        }
    }
}

/// The first 40 characters.
fn shortened(text: &str) -> String {
    if text.chars().count() <= 40 {
        return text.to_owned();
    }
    text.chars().take(37).chain("...".chars()).collect()
}
