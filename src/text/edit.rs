//! Changing values in a RON text and leaving everything else, comments and layout, as it was written.

use super::{Field, Node, Position, Value};
use std::ops::Range;

/// Changes to a text that was read without a mistake.
#[derive(Debug, Clone)]
pub struct Edits<'a> {
    text: &'a str,
    changes: Vec<(Range<usize>, String)>,
}

impl<'a> Edits<'a> {
    /// No changes yet.
    pub fn of(text: &'a str) -> Self {
        Self { text, changes: Vec::new() }
    }

    /// Gives a struct's field this value: in place of the one that it has, or behind the struct's last field.
    /// `false`, and nothing changed, where the node is no struct with fields.
    pub fn set(&mut self, node: &Node, field: &str, value: &str) -> bool {
        let Value::Struct(_, fields) = &node.value else { return false };
        let own = fields.iter().find(|f| f.name.text == field);
        match (own, fields.last()) {
            (Some(own), _) => {
                let range = self.range_of(own);
                self.changes.push((range, value.to_owned()));
            }
            (None, Some(last)) => {
                let end = self.range_of(last).end;
                self.changes.push((end..end, format!(", {field}: {value}")));
            }
            (None, None) => return false,
        }
        true
    }

    /// Takes a struct's field away, with the comma behind it. `false`, and nothing changed, where it has none of that
    /// name.
    pub fn unset(&mut self, node: &Node, field: &str) -> bool {
        let Value::Struct(_, fields) = &node.value else { return false };
        let Some(own) = fields.iter().find(|f| f.name.text == field) else { return false };
        let start = byte_of(self.text, own.name.at);
        let end = self.behind_comma(self.range_of(own).end).0;
        let blank = self.text[end..].len() - self.text[end..].trim_start_matches(' ').len();
        self.changes.push((start..end + blank, String::new()));
        true
    }

    /// Gives a list more items, each on a line of its own behind the last one and what is said of that on its line.
    /// `false`, and nothing changed, where the node is no list.
    pub fn push(&mut self, node: &Node, items: &[String]) -> bool {
        let Value::List(own) = &node.value else { return false };
        let lines: String = items.iter().map(|item| format!("\n        {item},")).collect();
        let Some(last) = own.last() else {
            let start = byte_of(self.text, node.at);
            let close = start + length_of_value(&self.text[start..]) - 1;
            self.changes.push((close..close, format!("{lines}\n    ")));
            return true;
        };
        let start = byte_of(self.text, last.at);
        let end = start + length_of_value(&self.text[start..]);
        let (behind, comma) = self.behind_comma(end);
        if !comma {
            self.changes.push((end..end, ",".to_owned()));
        }
        let line = self.text[behind..].split('\n').next().unwrap_or_default();
        let rest = line.trim_end_matches('\r');
        let said = rest.trim_start();
        let at = if said.is_empty() || said.starts_with("//") { behind + rest.len() } else { behind };
        self.changes.push((at..at, lines));
        true
    }

    /// Takes an item out of a list, with the comma behind it; with its line, where nothing else stands on that. `false`,
    /// and nothing changed, where the node is no list or has no such item.
    pub fn remove(&mut self, node: &Node, item: usize) -> bool {
        let Value::List(own) = &node.value else { return false };
        let Some(item) = own.get(item) else { return false };
        let start = byte_of(self.text, item.at);
        let end = self.behind_comma(start + length_of_value(&self.text[start..])).0;
        let before = self.text[..start].trim_end_matches([' ', '\t']);
        let alone = self.text[end..].trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        let line =
            before.strip_suffix('\n').filter(|_| alone).map(|b| b.strip_suffix('\r').unwrap_or(b).len());
        self.changes.push((line.unwrap_or(start)..end, String::new()));
        true
    }

    /// Where the comma behind a place ends, and whether there is one; comments before it are passed over.
    fn behind_comma(&self, end: usize) -> (usize, bool) {
        let mut at = end;
        while let Some(c) = self.text[at..].chars().next() {
            if c == ',' {
                return (at + 1, true);
            }
            match skipped(&self.text[at..]).filter(|_| c == '/') {
                Some(comment) => at += comment,
                None if c.is_whitespace() => at += c.len_utf8(),
                None => break,
            }
        }
        (end, false)
    }

    /// The text with every change made.
    pub fn done(mut self) -> String {
        // Of changes in one place those made first come first.
        self.changes.sort_by_key(|(range, _)| (range.start, range.end));
        let mut out = String::with_capacity(self.text.len());
        let mut at = 0;
        for (range, value) in &self.changes {
            out.push_str(&self.text[at..range.start.max(at)]);
            out.push_str(value);
            at = range.end.max(at);
        }
        out.push_str(&self.text[at..]);
        out
    }

    fn range_of(&self, field: &Field) -> Range<usize> {
        let start = byte_of(self.text, field.value.at);
        start..start + length_of_value(&self.text[start..])
    }
}

/// The struct that begins at a place of the tree, or `None`.
pub fn struct_at(node: &Node, at: Position) -> Option<&Node> {
    if node.at == at && matches!(node.value, Value::Struct(..)) {
        return Some(node);
    }
    match &node.value {
        Value::Struct(_, fields) => fields.iter().find_map(|f| struct_at(&f.value, at)),
        Value::List(items) | Value::Tuple(_, items) => items.iter().find_map(|n| struct_at(n, at)),
        Value::Option(Some(inner)) => struct_at(inner, at),
        Value::Map(entries) => entries.iter().find_map(|(_, n)| struct_at(n, at)),
        _ => None,
    }
}

/// Bytes before a position. A byte order mark at the text's beginning counts for no column.
fn byte_of(text: &str, at: Position) -> usize {
    let mark = text.len() - text.strip_prefix('\u{FEFF}').unwrap_or(text).len();
    let mut start = mark;
    for _ in 1..at.line {
        start += text[start..].find('\n').map_or(text.len() - start, |n| n + 1);
    }
    let line = &text[start..];
    start + line.char_indices().nth(at.column - 1).map_or(line.len(), |(n, _)| n)
}

/// Bytes of the value with which a sound text begins.
fn length_of_value(text: &str) -> usize {
    let mut depth = 0usize;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        if let Some(skipped) = skipped(rest) {
            // A comment outside all brackets is behind the value, a text in quotes is the value's.
            if depth == 0 && rest.starts_with('/') {
                return text[..at].trim_end().len();
            }
            at += skipped;
            continue;
        }
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth == 0 => return text[..at].trim_end().len(),
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => return text[..at].trim_end().len(),
            _ => {}
        }
        at += c.len_utf8();
    }
    text.trim_end().len()
}

/// Bytes of the comment or quoted text with which a text begins, or `None`.
fn skipped(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        let mut depth = 0usize;
        let mut at = 0;
        while at < text.len() {
            if text[at..].starts_with("/*") {
                (depth, at) = (depth + 1, at + 2);
            } else if text[at..].starts_with("*/") {
                (depth, at) = (depth - 1, at + 2);
                if depth == 0 {
                    return Some(at);
                }
            } else {
                at += text[at..].chars().next().map_or(1, char::len_utf8);
            }
        }
        return Some(text.len());
    }
    if let Some(raw) = text.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let close = format!("\"{}", "#".repeat(hashes));
            let inside = &raw[hashes + 1..];
            return Some(1 + hashes + 1 + inside.find(&close).map_or(inside.len(), |n| n + close.len()));
        }
        return None;
    }
    let quote = text.chars().next().filter(|c| *c == '"' || *c == '\'')?;
    let mut escaped = false;
    for (n, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return Some(n + 1),
            _ => {}
        }
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;
    use proptest::prelude::*;

    fn tree(text: &str) -> Node {
        let (tree, mistakes) = parse(text);
        assert!(mistakes.is_empty(), "{mistakes:?}");
        tree.expect("a tree")
    }

    #[test]
    fn a_value_is_changed_and_comments_and_layout_stay() {
        let text = "\u{FEFF}// Überschrift\r\n(\n    a: (1, /* ( */ 2), // the first, with )\n    \
                    b: \"x, )\", c: [Some((d: 1))], // ä\n)\n";
        let root = tree(text);
        let mut edits = Edits::of(text);
        assert!(edits.set(&root, "a", "7") && edits.set(&root, "b", "8"));
        let inner = struct_at(&root, Position { line: 4, column: 25 }).expect("the inner struct");
        assert!(edits.set(inner, "d", "9") && edits.set(inner, "e", "1") && edits.set(inner, "f", "2"));
        assert_eq!(
            edits.done(),
            "\u{FEFF}// Überschrift\r\n(\n    a: 7, // the first, with )\n    \
             b: 8, c: [Some((d: 9, e: 1, f: 2))], // ä\n)\n"
        );
    }

    #[test]
    fn a_new_field_stands_behind_the_last_whether_a_comma_follows_or_a_comment() {
        for (text, wanted) in [
            ("(a: -1.5e3)", "(a: -1.5e3, z: 0)"),
            ("(a: -1.5e3 ,)", "(a: -1.5e3, z: 0 ,)"),
            ("(a: r#\"x\"y,\"# // note\n)", "(a: r#\"x\"y,\"#, z: 0 // note\n)"),
            ("(a: Word /* note */ )", "(a: Word, z: 0 /* note */ )"),
        ] {
            let mut edits = Edits::of(text);
            assert!(edits.set(&tree(text), "z", "0"));
            assert_eq!(edits.done(), wanted);
        }
        assert!(!Edits::of("[1]").set(&tree("[1]"), "z", "0"));
    }

    proptest! {
        #[test]
        fn what_is_set_is_read_back_and_the_rest_is_as_it_was(
            name in "[a-z \"\\\\,()äß/]{0,12}", number in -1000i32..1000, at_end: bool,
        ) {
            let quoted = format!("{name:?}");
            let text = format!("( // {name}\n  first: {quoted}, second: ({number}, [1, 2]),\n  third: 'x',\n)");
            let field = if at_end { "fourth" } else { "second" };
            let mut edits = Edits::of(&text);
            prop_assert!(edits.set(&tree(&text), field, "(5, 6)"));
            let changed = edits.done();
            let Value::Struct(_, fields) = tree(&changed).value else { panic!("a struct") };
            let of = |name: &str| fields.iter().find(|f| f.name.text == name).map(|f| f.value.value.describe());
            prop_assert_eq!(of(field), Some("a tuple of 2 values in ( )".to_owned()));
            prop_assert_eq!(of("third"), Some("the character 'x'".to_owned()));
            prop_assert_eq!(fields.len(), if at_end { 4 } else { 3 });
            prop_assert!(matches!(&fields[0].value.value, Value::Text(t) if *t == name));
        }
    }
}
