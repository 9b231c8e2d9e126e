//! What demo mode says to people who have never seen the game: English, in one place. Short sentences, no terms of the
//! rules but those that the sentence explains. Lengths are millimetres.

/// The troops of a code as a stranger calls them, in the plural: "4Sp" are spearmen.
pub fn troops(code: &str) -> &'static str {
    let kind: String = code.chars().filter(|c| c.is_alphabetic()).collect();
    match kind.as_str() {
        "Sp" => "spearmen",
        "Pk" => "pikemen",
        "Bd" => "swordsmen",
        "Wb" => "warriors",
        "Hd" => "levies",
        "Ax" => "light foot",
        "Ps" => "skirmishers",
        "Bw" | "Lb" => "archers",
        "Cb" => "crossbowmen",
        "Mtd" => "mounted archers",
        "Kn" => "knights",
        "Cv" => "horsemen",
        "LH" => "light horse",
        "Cm" | "LCm" => "camel riders",
        "El" => "elephants",
        "SCh" => "scythed chariots",
        "HCh" | "LCh" => "chariots",
        "WWg" | "CWg" => "war wagons",
        "Art" => "artillery",
        "CP" | "Lit" | "CF" => "the general's party",
        _ => "troops",
    }
}

/// Over the loop's picture: that it is no table.
pub const SIMULATED: &str = "Simulated: a drawn battle, not this table";
/// Over the real table's picture.
pub const THIS_TABLE: &str = "This table, now";
/// Under the loop.
pub const INVITES: &str = "Move a base on the table: the program wakes up.";
/// Where nobody has written a card.
pub const NO_CARD: &str = "Groma reads a wargame table through a camera and judges the rules.";
/// Over the ghosts.
pub const PUT_BACK: &str = "Please put every base back to its outline.";
/// All are back.
pub const ALL_BACK: &str = "All stand where they began. Thank you!";
/// Before the loop is there.
pub const PREPARES: &str = "The battle is being drawn...";
/// Before the table is read.
pub const WAITS: &str = "Waiting for the table to be seen.";

/// "red spearmen".
pub fn named(side: &str, code: &str) -> String {
    format!("{side} {}", troops(code))
}

/// A rule's words without its abbreviation of lengths: "2 BW" are 2 base widths.
pub fn spelt_out(words: &str) -> String {
    let mut out = String::new();
    let mut rest = words;
    while let Some(at) = rest.find(" BW") {
        let (before, after) = rest.split_at(at);
        let count = before.rsplit(' ').next().unwrap_or_default();
        out.push_str(before);
        out.push_str(if matches!(count, "1" | "1/2") { " base width" } else { " base widths" });
        rest = &after[" BW".len()..];
    }
    out.push_str(rest);
    out
}

/// The first letter made large.
pub fn begun(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}", letters.as_str())
}

/// Nothing has been touched yet.
pub fn measured(bases: usize, sigma_mm: f64) -> String {
    format!("I see {bases} bases, each to {sigma_mm:.1} mm.")
}

/// Whose bound it is.
pub fn turn(side: &str) -> String {
    format!("It is {side}'s turn.")
}

/// A move of one.
pub fn moved(who: &str, mm: f64) -> String {
    format!("{} moved {mm:.0} mm.", begun(who))
}

/// A move of several together.
pub fn moved_together(side: &str, bases: usize, mm: f64) -> String {
    format!("{bases} {side} bases moved {mm:.0} mm together.")
}

/// The verdict on a move: after it.
pub const LEGAL: &str = "Legal.";
/// The same.
pub const NOT_LEGAL: &str = "Not legal.";
/// The same.
pub const TOO_CLOSE: &str = "Too close to call.";

/// Two that fight, and what each brings before its die.
pub fn fight(a: &str, b: &str, totals: [i32; 2]) -> String {
    format!("{} fight {b}: {} to {}.", begun(a), totals[0], totals[1])
}

/// One that may shoot.
pub fn shoots(shooter: &str, target: &str) -> String {
    format!("{} may shoot at {target}.", begun(shooter))
}

/// One in another's threat zone.
pub fn threatened(a: &str, b: &str) -> String {
    format!("{} threaten {a}.", begun(b))
}

/// What dice did to somebody.
pub fn befell(who: &str, what: Befell) -> String {
    let who = begun(who);
    match what {
        Befell::Lost => format!("{who} are lost. Take them off."),
        Befell::Back => format!("{who} are beaten: move them back."),
        Befell::Flees => format!("{who} run away."),
        Befell::Follows => format!("{who} chase their enemy."),
        Befell::Else => format!("{who} move as the dice say."),
    }
}

/// What dice do to an element, as far as a stranger needs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Befell {
    /// It is off the table.
    Lost,
    /// It goes straight back.
    Back,
    /// It runs.
    Flees,
    /// It goes after its enemy.
    Follows,
    /// Anything else.
    Else,
}

/// The battle is over.
pub fn beaten(side: &str) -> String {
    format!("{} has lost the battle.", begun(side))
}

/// How the losses stand.
pub fn losses(red: i32, blue: i32) -> String {
    format!("Lost so far: red {red}, blue {blue}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_count_and_letters_behind_do_not_matter() {
        assert_eq!(troops("4Sp"), "spearmen");
        assert_eq!(troops("3Kn"), "knights");
        assert_eq!(troops("?"), "troops");
        assert_eq!(
            spelt_out("up to 2 BW, or 1 BW; no more."),
            "up to 2 base widths, or 1 base width; no more."
        );
        assert_eq!(
            fight(&named("red", "4Bd"), &named("blue", "Cv"), [5, 3]),
            "Red swordsmen fight blue horsemen: 5 to 3."
        );
    }
}
