//! Data files by way of the positioned reader: each row of a list is decoded by itself, so that one
//! wrong row hides no other, and every row knows where it stands.

use super::Problem;
use crate::text::{Field, Mistake, Name, Node, Position, Value, did_you_mean, parse};
use serde::de::value::StrDeserializer;
use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess,
    Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use std::fmt;

/// A row and where it begins.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::rules) struct Placed<T> {
    pub at: Position,
    pub value: T,
}

/// A data file being decoded: its named fields, and the mistakes found so far.
pub(in crate::rules) struct DataFile<'a> {
    name: &'a str,
    fields: Vec<Field>,
    asked: Vec<&'static str>,
    problems: Vec<Problem>,
    start: Position,
}

impl<'a> DataFile<'a> {
    /// Reads the text of a file that is one set of named fields and has `schema: 1`.
    pub fn read(name: &'a str, text: &str) -> Self {
        let (tree, mistakes) = parse(text);
        let mut file = Self {
            name,
            fields: Vec::new(),
            asked: Vec::new(),
            problems: Vec::new(),
            start: Position::START,
        };
        for Mistake { at, message } in mistakes {
            file.note(at, message);
        }
        match tree {
            Some(Node { at, value: Value::Struct(None, fields) }) => {
                file.start = at;
                file.fields = fields;
                let schema: Option<u32> = file.one("schema");
                if let Some(schema) = schema.filter(|&s| s != 1) {
                    let at = file.place("schema");
                    file.note(at, format!("schema {schema} is not known; this program reads schema 1"));
                }
            }
            Some(node) => {
                file.note(node.at, format!("expected named fields in ( ), found {}", node.value.describe()))
            }
            None if file.problems.is_empty() => file.note(Position::START, "the file is empty".to_owned()),
            None => {}
        }
        file
    }

    /// Notes a mistake.
    pub fn note(&mut self, at: Position, message: String) {
        self.problems.push(Problem { file: self.name.to_owned(), line: at.line, column: at.column, message });
    }

    /// Notes a mistake at a field's name.
    pub fn note_field(&mut self, field: &str, message: String) {
        self.note(self.place(field), message);
    }

    /// Where a field stands, or else the whole.
    pub fn place(&self, field: &str) -> Position {
        self.fields.iter().find(|f| f.name.text == field).map_or(self.start, |f| f.name.at)
    }

    fn take(&mut self, field: &'static str) -> Option<Node> {
        self.asked.push(field);
        self.fields.iter().find(|f| f.name.text == field).map(|f| f.value.clone())
    }

    /// A field that must be there.
    pub fn one<T: for<'de> Deserialize<'de>>(&mut self, field: &'static str) -> Option<T> {
        let Some(node) = self.take(field) else {
            self.missing(field);
            return None;
        };
        self.decode(&node)
    }

    /// A field that may be left out.
    pub fn one_if_any<T: for<'de> Deserialize<'de>>(&mut self, field: &'static str) -> Option<T> {
        let node = self.take(field)?;
        self.decode(&node)
    }

    /// The rows of a list that must be there: those that are right.
    pub fn rows<T: for<'de> Deserialize<'de>>(&mut self, field: &'static str) -> Vec<Placed<T>> {
        match self.take(field) {
            Some(node) => self.list(&node),
            None => {
                self.missing(field);
                Vec::new()
            }
        }
    }

    /// The rows of a list that may be left out.
    pub fn rows_if_any<T: for<'de> Deserialize<'de>>(&mut self, field: &'static str) -> Vec<Placed<T>> {
        self.take(field).map_or_else(Vec::new, |node| self.list(&node))
    }

    /// The rows of lists that stand as named fields inside one field.
    pub fn row_groups<T: for<'de> Deserialize<'de>, const N: usize>(
        &mut self,
        field: &'static str,
        names: [&'static str; N],
    ) -> [Vec<Placed<T>>; N] {
        let node = self.take(field);
        let fields = match node {
            Some(Node { value: Value::Struct(None, fields), .. }) => fields,
            Some(node) => {
                self.note(node.at, format!("expected named fields in ( ), found {}", node.value.describe()));
                return names.map(|_| Vec::new());
            }
            None => {
                self.missing(field);
                return names.map(|_| Vec::new());
            }
        };
        for found in fields.iter().filter(|f| !names.contains(&f.name.text.as_str())) {
            let known = did_you_mean(&found.name.text, names);
            self.note(found.name.at, format!("`{}` is not a field of `{field}`{known}", found.name.text));
        }
        names.map(|name| match fields.iter().find(|f| f.name.text == name) {
            Some(found) => self.list(&found.value),
            None => {
                let at = self.place(field);
                self.note(at, format!("`{field}` lacks `{name}`"));
                Vec::new()
            }
        })
    }

    fn missing(&mut self, field: &str) {
        if !self.fields.is_empty() {
            self.note(self.start, format!("the field `{field}` is missing"));
        }
    }

    fn list<T: for<'de> Deserialize<'de>>(&mut self, node: &Node) -> Vec<Placed<T>> {
        let Value::List(items) = &node.value else {
            if node.value != Value::Broken {
                self.note(node.at, format!("expected a list in [ ], found {}", node.value.describe()));
            }
            return Vec::new();
        };
        items.iter().filter_map(|n| self.decode(n).map(|value| Placed { at: n.at, value })).collect()
    }

    fn decode<T: for<'de> Deserialize<'de>>(&mut self, node: &Node) -> Option<T> {
        match T::deserialize(Reader(node)) {
            Ok(value) => Some(value),
            // What is broken is noted by the reader already.
            Err(Wrong { broken: true, .. }) => None,
            Err(wrong) => {
                self.note(wrong.at.unwrap_or(node.at), wrong.message);
                None
            }
        }
    }

    /// Every problem; none where the file is right. Fields that nobody asked for are problems.
    pub fn finish(mut self) -> Vec<Problem> {
        let unknown: Vec<Name> = self
            .fields
            .iter()
            .map(|f| &f.name)
            .filter(|n| !self.asked.contains(&n.text.as_str()))
            .cloned()
            .collect();
        for name in unknown {
            let known = did_you_mean(&name.text, self.asked.iter().copied());
            self.note(name.at, format!("`{}` is not a field of this file{known}", name.text));
        }
        self.problems.sort_by_key(|p| (p.line, p.column));
        self.problems
    }
}

/// What is wrong with a node.
#[derive(Debug)]
struct Wrong {
    at: Option<Position>,
    message: String,
    broken: bool,
}

impl Wrong {
    /// The same, placed at `at` where nothing deeper placed it.
    fn or_at(mut self, at: Position) -> Self {
        self.at.get_or_insert(at);
        self
    }
}

impl fmt::Display for Wrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Wrong {}

impl de::Error for Wrong {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { at: None, message: message.to_string(), broken: false }
    }
}

/// A node as serde reads it.
#[derive(Clone, Copy)]
struct Reader<'a>(&'a Node);

impl<'a> Reader<'a> {
    fn expected<T>(self, expected: &str) -> Result<T, Wrong> {
        let broken = self.0.value == Value::Broken;
        let message = format!("expected {expected}, found {}", self.0.value.describe());
        Err(Wrong { at: Some(self.0.at), message, broken })
    }

    fn placed<T>(self, read: Result<T, Wrong>) -> Result<T, Wrong> {
        read.map_err(|wrong| wrong.or_at(self.0.at))
    }
}

impl<'de> Deserializer<'de> for Reader<'de> {
    type Error = Wrong;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        let read = match &self.0.value {
            Value::Bool(b) => visitor.visit_bool(*b),
            Value::Number(n) => match n.whole.map(i64::try_from) {
                Some(Ok(whole)) => visitor.visit_i64(whole),
                _ => visitor.visit_f64(n.value),
            },
            Value::Char(c) => visitor.visit_char(*c),
            Value::Text(t) => visitor.visit_str(t),
            Value::Word(w) => visitor.visit_str(w),
            Value::Option(None) => visitor.visit_none(),
            Value::Option(Some(inner)) => visitor.visit_some(Self(inner)),
            Value::List(items) | Value::Tuple(_, items) => visitor.visit_seq(Items(items.iter())),
            Value::Map(entries) => visitor.visit_map(Entries { entries: entries.iter(), value: None }),
            Value::Struct(_, fields) => visitor.visit_map(FieldsOf { fields: fields.iter(), value: None }),
            Value::Broken => self.expected("a value"),
        };
        self.placed(read)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match &self.0.value {
            Value::Option(None) => visitor.visit_none(),
            Value::Option(Some(inner)) => visitor.visit_some(Self(inner)),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match &self.0.value {
            Value::Text(t) => self.placed(visitor.visit_str(t)),
            _ => self.expected("a text in quotes"),
        }
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        self.deserialize_string(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Wrong> {
        match &self.0.value {
            Value::List(items) => self.placed(visitor.visit_seq(Items(items.iter()))),
            _ => self.expected("a list in [ ]"),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, count: usize, visitor: V) -> Result<V::Value, Wrong> {
        match &self.0.value {
            Value::Tuple(None, items) if items.len() == count => {
                self.placed(visitor.visit_seq(Items(items.iter())))
            }
            _ => self.expected(&format!("{count} values in ( )")),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match &self.0.value {
            Value::Struct(None, fields) => {
                self.placed(visitor.visit_map(FieldsOf { fields: fields.iter(), value: None }))
            }
            Value::Tuple(None, items) if items.is_empty() => {
                self.placed(visitor.visit_map(FieldsOf { fields: [].iter(), value: None }))
            }
            _ => self.expected("named fields in ( )"),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        let (name, at) = match &self.0.value {
            Value::Word(word) => (word.as_str(), self.0.at),
            // Variants of these names, which the reader takes for an option and a truth value.
            Value::Option(None) => ("None", self.0.at),
            Value::Tuple(Some(name), _) | Value::Struct(Some(name), _) => (name.text.as_str(), name.at),
            _ => return self.expected(&format!("one of {}", variants.join(", "))),
        };
        self.placed(visitor.visit_enum(Variant { node: self.0, name, at }))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        self.placed(visitor.visit_newtype_struct(self))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char bytes byte_buf unit unit_struct
        tuple_struct map identifier ignored_any
    }
}

struct Items<'a>(std::slice::Iter<'a, Node>);

impl<'a> SeqAccess<'a> for Items<'a> {
    type Error = Wrong;

    fn next_element_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<Option<S::Value>, Wrong> {
        self.0.next().map(|node| seed.deserialize(Reader(node))).transpose()
    }
}

struct FieldsOf<'a> {
    fields: std::slice::Iter<'a, Field>,
    value: Option<&'a Node>,
}

impl<'a> MapAccess<'a> for FieldsOf<'a> {
    type Error = Wrong;

    fn next_key_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<Option<S::Value>, Wrong> {
        let Some(field) = self.fields.next() else { return Ok(None) };
        self.value = Some(&field.value);
        let name: StrDeserializer<'_, Wrong> = field.name.text.as_str().into_deserializer();
        seed.deserialize(name).map(Some).map_err(|wrong| wrong.or_at(field.name.at))
    }

    fn next_value_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<S::Value, Wrong> {
        seed.deserialize(Reader(self.value.take().expect("serde asks for a value after its key")))
    }
}

struct Entries<'a> {
    entries: std::slice::Iter<'a, (Node, Node)>,
    value: Option<&'a Node>,
}

impl<'a> MapAccess<'a> for Entries<'a> {
    type Error = Wrong;

    fn next_key_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<Option<S::Value>, Wrong> {
        let Some((key, value)) = self.entries.next() else { return Ok(None) };
        self.value = Some(value);
        seed.deserialize(Reader(key)).map(Some)
    }

    fn next_value_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<S::Value, Wrong> {
        seed.deserialize(Reader(self.value.take().expect("serde asks for a value after its key")))
    }
}

struct Variant<'a> {
    node: &'a Node,
    name: &'a str,
    at: Position,
}

impl<'a> EnumAccess<'a> for Variant<'a> {
    type Error = Wrong;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'a>>(self, seed: S) -> Result<(S::Value, Self), Wrong> {
        let name: StrDeserializer<'_, Wrong> = self.name.into_deserializer();
        let variant = seed.deserialize(name).map_err(|wrong| wrong.or_at(self.at))?;
        Ok((variant, self))
    }
}

impl<'a> VariantAccess<'a> for Variant<'a> {
    type Error = Wrong;

    fn unit_variant(self) -> Result<(), Wrong> {
        match &self.node.value {
            Value::Word(_) | Value::Option(None) => Ok(()),
            _ => Reader(self.node).expected(&format!("`{}` alone", self.name)),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'a>>(self, seed: S) -> Result<S::Value, Wrong> {
        match &self.node.value {
            Value::Tuple(_, items) if items.len() == 1 => seed.deserialize(Reader(&items[0])),
            _ => Reader(self.node).expected(&format!("`{}` and one value in ( )", self.name)),
        }
    }

    fn tuple_variant<V: Visitor<'a>>(self, count: usize, visitor: V) -> Result<V::Value, Wrong> {
        match &self.node.value {
            Value::Tuple(_, items) if items.len() == count => visitor.visit_seq(Items(items.iter())),
            _ => Reader(self.node).expected(&format!("`{}` and {count} values in ( )", self.name)),
        }
    }

    fn struct_variant<V: Visitor<'a>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Wrong> {
        match &self.node.value {
            Value::Struct(_, fields) => visitor.visit_map(FieldsOf { fields: fields.iter(), value: None }),
            _ => Reader(self.node).expected(&format!("`{}` and named fields in ( )", self.name)),
        }
    }
}
