//! The `ron` crate is the judge of syntax: what it reads, this room reads to the same values, and
//! what it refuses, this room refuses.

use super::{Node, Value, parse};
use proptest::prelude::*;

/// What this room reads, as the `ron` crate would put it; `None` where it refuses.
fn ours(text: &str) -> Option<ron::Value> {
    let (tree, mistakes) = parse(text);
    assert!(tree.is_some() || !mistakes.is_empty(), "no tree and no mistake for {text:?}");
    if mistakes.is_empty() { Some(as_ron(&tree?)) } else { None }
}

fn as_ron(node: &Node) -> ron::Value {
    let all = |nodes: &[Node]| ron::Value::Seq(nodes.iter().map(as_ron).collect());
    match &node.value {
        Value::Bool(b) => ron::Value::Bool(*b),
        Value::Number(n) => number(n.value),
        Value::Char(c) => ron::Value::Char(*c),
        Value::Text(t) => ron::Value::String(t.clone()),
        Value::Option(inner) => ron::Value::Option(inner.as_deref().map(|n| Box::new(as_ron(n)))),
        Value::List(items) => all(items),
        Value::Word(_) => ron::Value::Unit,
        Value::Tuple(None, items) if items.is_empty() => ron::Value::Unit,
        Value::Tuple(_, items) => all(items),
        Value::Map(entries) => ron::Value::Map(entries.iter().map(|(k, v)| (as_ron(k), as_ron(v))).collect()),
        Value::Struct(_, fields) => ron::Value::Map(
            fields.iter().map(|f| (ron::Value::String(f.name.text.clone()), as_ron(&f.value))).collect(),
        ),
        Value::Broken => panic!("a broken value without a mistake"),
    }
}

/// `ron` keeps decimals in 32 bits where they fit; compared in 32 bits.
fn number(value: f64) -> ron::Value {
    ron::Value::Number(ron::value::Number::F32((value as f32).into()))
}

/// The same value with every number in 32 bits and `( )` with blanks inside the same as `()`.
fn levelled(value: ron::Value) -> ron::Value {
    match value {
        ron::Value::Number(n) => number(n.into_f64()),
        ron::Value::Option(Some(inner)) => ron::Value::Option(Some(Box::new(levelled(*inner)))),
        ron::Value::Seq(items) => ron::Value::Seq(items.into_iter().map(levelled).collect()),
        ron::Value::Map(map) => {
            ron::Value::Map(map.into_iter().map(|(k, v)| (levelled(k), levelled(v))).collect())
        }
        other => other,
    }
}

fn theirs(text: &str) -> Result<ron::Value, String> {
    text.parse::<ron::Value>().map(levelled).map_err(|e| e.to_string())
}

/// Blanks and comments that may stand between any two tokens.
fn gap() -> BoxedStrategy<String> {
    prop_oneof![
        4 => Just(String::new()),
        2 => Just(" ".to_owned()),
        1 => Just("\n\t".to_owned()),
        1 => Just(" // a comment, with ( and \"\n".to_owned()),
        1 => Just("/* one /* within */ another */".to_owned()),
    ]
    .boxed()
}

fn leaf() -> impl Strategy<Value = String> {
    let hashes = |(n, text): (usize, String)| {
        format!("r{h}\"{text}\"{h}", h = "#".repeat(n), text = text.replace('"', "'"))
    };
    prop_oneof![
        any::<bool>().prop_map(|b| b.to_string()),
        any::<i64>().prop_map(|n| n.to_string()),
        any::<u32>().prop_map(|n| format!("0x{n:X}")),
        (0u32..1000, 0u32..1000).prop_map(|(a, b)| format!("{a}_{b:03}")),
        any::<f32>().prop_filter("ron writes these as words", |f| f.is_finite()).prop_map(|f| f.to_string()),
        (-1e6f64..1e6).prop_map(|f| format!("{f:e}")),
        any::<String>().prop_map(|s| format!("{s:?}").replace("\\u{0}", "\\0")),
        any::<char>().prop_map(|c| format!("{c:?}")),
        (0usize..3, "[a-z\\\\'/(){}, ]{0,12}").prop_map(hashes),
        "[A-Z][a-z_0-9]{0,6}",
        Just("None".to_owned()),
        Just("inf".to_owned()),
        Just("-inf".to_owned()),
        Just("()".to_owned()),
    ]
}

fn document() -> impl Strategy<Value = String> {
    leaf().prop_recursive(5, 60, 5, |inner| {
        let name = prop_oneof![Just(String::new()), "[A-Z][a-z]{0,5}"];
        let word = prop_oneof!["[a-z_][a-z_0-9]{0,6}x", "r#[a-z][a-z.+-]{0,4}"];
        let items = prop::collection::vec((gap(), inner.clone(), gap()), 0..5);
        let fields = prop::collection::vec((gap(), word, gap(), gap(), inner.clone(), gap()), 1..5);
        // Keys that are numbers are told apart by their type in ron (1 and +1) and by value here.
        let key = prop_oneof![
            any::<String>().prop_map(|s| format!("{s:?}")),
            "[a-z]{1,3}".prop_map(|s| format!("{s:?}"))
        ];
        let entries = prop::collection::vec((gap(), key, gap(), gap(), inner.clone(), gap()), 0..5);
        let comma = prop_oneof![Just(""), Just(",")];
        let joined = |parts: Vec<String>, comma: &str| {
            let end = if parts.is_empty() { "" } else { comma };
            format!("{}{end}", parts.join(","))
        };
        let plain = move |items: Vec<(String, String, String)>, comma: &str| {
            joined(items.into_iter().map(|(a, v, b)| format!("{a}{v}{b}")).collect(), comma)
        };
        let keyed = move |items: Vec<(String, String, String, String, String, String)>, comma: &str| {
            let parts = items.into_iter().map(|(a, k, b, c, v, d)| format!("{a}{k}{b}:{c}{v}{d}"));
            joined(parts.collect(), comma)
        };
        prop_oneof![
            (items.clone(), comma.clone()).prop_map(move |(i, c)| format!("[{}]", plain(i, c))),
            (name.clone(), items, comma.clone()).prop_map(move |(n, i, c)| format!("{n}({})", plain(i, c))),
            (name, fields, comma.clone()).prop_map(move |(n, f, c)| format!("{n}({})", keyed(f, c))),
            (entries, comma).prop_map(move |(e, c)| format!("{{{}}}", keyed(e, c))),
            (gap(), inner, gap()).prop_map(|(a, v, b)| format!("Some{a}({v}{b})")),
        ]
    })
}

/// Texts of a document's pieces in any order: mostly wrong, now and then right.
fn soup() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "(", ")", "[", "]", "{", "}", ",", ":", "a", "Name", "Some", "None", "true", "1", "-2.5", "\"x\"",
        "'c'", " ", "// c\n", "/* c */", "r\"y\"", "r#z", "1e3", "0x1F", ".5", "7.", "+3", "()", "Some(1)",
        "a: 1", "\"\\n\"", "5u8", "300u8", "1__0", "0b102", "-", "1e", "\\",
    ]);
    let soup = prop::collection::vec(piece, 1..9).prop_map(|pieces| pieces.concat());
    soup.prop_filter("ranges are refused here and read there", |text| !text.contains(".."))
}

/// Empty round brackets are a unit to one and an empty sequence to the other, by where they stand.
fn same(a: &ron::Value, b: &ron::Value) -> bool {
    let empty = |v: &ron::Value| *v == ron::Value::Unit || *v == ron::Value::Seq(Vec::new());
    match (a, b) {
        _ if empty(a) && empty(b) => true,
        (ron::Value::Seq(a), ron::Value::Seq(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (ron::Value::Option(Some(a)), ron::Value::Option(Some(b))) => same(a, b),
        (ron::Value::Map(a), ron::Value::Map(b)) => {
            let (a, b): (Vec<_>, Vec<_>) = (a.iter().collect(), b.iter().collect());
            // Sorted by key by both; repeated keys keep the last value in both.
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| same(a.0, b.0) && same(a.1, b.1))
        }
        _ => a == b,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn what_ron_reads_is_read_to_the_same(text in document()) {
        if let Ok(theirs) = theirs(&text) {
            let ours = ours(&text);
            prop_assert!(ours.is_some(), "refused: {text:?}: {:?}", parse(&text).1);
            let ours = levelled(ours.expect("checked"));
            prop_assert!(same(&ours, &theirs), "{text:?}\nours   {ours:?}\ntheirs {theirs:?}");
        }
    }

    #[test]
    fn what_ron_refuses_is_refused(text in soup()) {
        let (ours, theirs) = (ours(&text), theirs(&text));
        prop_assert_eq!(ours.is_some(), theirs.is_ok(), "{:?}: {:?} / {:?}", text, parse(&text).1, theirs);
        if let (Some(ours), Ok(theirs)) = (ours, theirs) {
            prop_assert!(same(&levelled(ours.clone()), &theirs), "{text:?}\nours   {ours:?}\ntheirs {theirs:?}");
        }
    }

    #[test]
    fn no_text_at_all_makes_it_panic(text in any::<String>(), cut in 0usize..4000) {
        let _ = parse(&text);
        let sample = include_str!("../../markers/samples/roster.ron");
        let end = sample.char_indices().map(|(i, _)| i).nth(cut).unwrap_or(sample.len());
        let _ = parse(&format!("{}{text}", &sample[..end]));
    }
}

#[test]
fn most_made_up_documents_are_good_so_that_the_agreement_means_something() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let good = (0..200)
        .filter(|_| {
            let text = document().new_tree(&mut runner).expect("a document").current();
            text.parse::<ron::Value>().is_ok()
        })
        .count();
    assert!(good > 120, "only {good} of 200");
}
