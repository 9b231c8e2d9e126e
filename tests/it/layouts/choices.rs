//! What each home terrain allows, written out once more from the clauses' words.

use groma::rules::setting_up::Home;

/// What may be chosen, by a word of its own.
pub const WORDS: [&str; 18] = [
    "wood", "marsh", "gully", "steep", "gentle", "dunes", "oasis", "rocky", "scrub", "boggy", "fields",
    "plough", "water", "river", "road", "hamlet", "edifice", "fort",
];

fn bua(word: &str) -> bool {
    matches!(word, "hamlet" | "edifice" | "fort")
}

/// Whether a defender of that home may choose these (dba3.terr.6 to .23, dba3.choose.1 to .4), settings as printed.
pub fn legal(home: Home, must: &[&str], may: &[&str]) -> bool {
    let all: Vec<&str> = must.iter().chain(may).copied().collect();
    let each = |words: &[&str], allowed: &[&str], buas: bool| {
        words.iter().all(|w| allowed.contains(w) || (buas && bua(w)))
    };
    let one_or_two = |of: &[&str]| (1..=2).contains(&must.len()) && each(must, of, false);
    let row = match home {
        Home::Arable => {
            (must.len() == 1 && bua(must[0])) || (must.len() == 2 && each(must, &["plough"], false))
        }
        Home::Forest | Home::Tropical => one_or_two(&["wood"]),
        Home::Hilly => one_or_two(&["steep"]),
        Home::Steppe => one_or_two(&["gentle"]),
        Home::Dry => one_or_two(&["rocky", "scrub"]),
        Home::Littoral => must == ["water"],
    };
    let options = match home {
        Home::Arable => {
            let of =
                ["river", "steep", "gentle", "wood", "plough", "fields", "road", "water", "scrub", "boggy"];
            each(may, &of, false)
        }
        Home::Forest => each(may, &["river", "marsh", "gentle", "wood"], true),
        Home::Hilly => each(may, &["river", "wood", "road", "steep"], true),
        Home::Steppe => each(may, &["river", "rocky", "scrub", "gully"], true),
        Home::Dry => each(may, &["dunes", "steep", "oasis"], true),
        Home::Tropical => each(may, &["river", "marsh", "gully", "fields", "road", "wood"], true),
        Home::Littoral => each(may, &["steep", "marsh", "wood", "dunes", "road", "river"], true),
    };
    let count = |word: &str| all.iter().filter(|w| **w == word).count();
    let buas = all.iter().filter(|w| bua(w)).count();
    let singles = ["water", "river", "oasis", "gully"].iter().all(|w| count(w) <= 1) && buas <= 1;
    let numbers = singles && WORDS.iter().all(|w| count(w) <= if *w == "road" { 2 } else { 3 });
    let easy = ["gentle", "plough", "road", "fort"];
    let hard = all.iter().any(|w| !easy.contains(w));
    let pairs = home != Home::Littoral
        || ((count("steep") == 0 || count("marsh") == 0) && (count("wood") == 0 || count("dunes") == 0));
    row && options && (2..=3).contains(&may.len()) && numbers && hard && pairs
}
