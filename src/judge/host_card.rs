//! The host's card: who plays here, what, and where to learn more. Written once by whoever brings the table, shown in demo
//! mode. Its form is in `docs/formats.md`. Invariant: no field is empty, and none is longer than a screen's line.

use crate::text::{Decoder, Mistakes, Node};
use std::fmt::Write;

/// The card's file, in the folder of the table file.
pub const CARD_FILE: &str = "card.ron";

/// The longest that a field may be, characters: it is read from three metres.
pub const CARD_LINE: usize = 90;

/// A field of the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CardField {
    /// Who plays here.
    Club,
    /// What is played.
    Game,
    /// Which time the armies are of.
    Period,
    /// How large the figures are.
    Scale,
    /// Who made figures and table.
    Makers,
    /// Where to learn more.
    More,
}

impl CardField {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 6] = [Self::Club, Self::Game, Self::Period, Self::Scale, Self::Makers, Self::More];

    /// As the file names it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Club => "club",
            Self::Game => "game",
            Self::Period => "period",
            Self::Scale => "scale",
            Self::Makers => "makers",
            Self::More => "more",
        }
    }
}

/// The card. A field that is not written is not shown.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostCard {
    lines: std::collections::BTreeMap<CardField, String>,
}

impl HostCard {
    /// What stands in a field.
    pub fn line(&self, field: CardField) -> Option<&str> {
        self.lines.get(&field).map(String::as_str)
    }

    /// The same card with this in the field; an empty text takes it away.
    ///
    /// # Errors
    /// In words: the text is longer than [`CARD_LINE`].
    pub fn with(mut self, field: CardField, text: &str) -> Result<Self, String> {
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let long = text.chars().count();
        if long > CARD_LINE {
            return Err(format!(
                "{} has {long} characters: {CARD_LINE} at most can be read from afar",
                field.name()
            ));
        }
        if text.is_empty() {
            self.lines.remove(&field);
        } else {
            self.lines.insert(field, text);
        }
        Ok(self)
    }

    /// The file's text.
    pub fn text(&self) -> String {
        let mut text = String::from(
            "// The host's card: what demo mode tells strangers of this table. Leave out what you do not want shown.\n\
             (\n    schema: 1,\n",
        );
        for (field, line) in &self.lines {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "    {}: {line:?},", field.name());
        }
        text.push_str(")\n");
        text
    }
}

/// Reads the file's text; `file` names it in messages.
///
/// # Errors
/// Every mistake of the file.
pub fn parse_card(file: &str, text: &str) -> Result<HostCard, Mistakes> {
    Decoder::run(file, text, card)
}

fn card(d: &mut Decoder, node: &Node) -> Option<HostCard> {
    let mut f = d.fields(node, "a host's card in round brackets: (schema: 1, club: \"...\", ...)")?;
    let schema = f.schema(d);
    let mut card = Some(HostCard::default());
    for field in CardField::ALL {
        let read = f.optional(d, field.name(), |d, n| {
            let line = d.text(n, "a line of the card")?;
            match HostCard::default().with(field, &line) {
                Ok(_) => Some(line),
                Err(why) => {
                    d.note(n.at, why);
                    None
                }
            }
        });
        card = card.zip(read).and_then(|(card, line)| match line {
            Some(line) => card.with(field, &line).ok(),
            None => Some(card),
        });
    }
    f.finish(d);
    schema?;
    card
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_card_is_written_as_it_is_read() {
        let card = HostCard::default()
            .with(CardField::Club, "The \"Phalanx\" club,   Ghent")
            .and_then(|c| c.with(CardField::More, "every Tuesday at 7"));
        let card = card.expect("short lines");
        assert_eq!(card.line(CardField::Club), Some("The \"Phalanx\" club, Ghent"));
        assert_eq!(parse_card("card.ron", &card.text()).map_err(|m| m.to_string()), Ok(card));
        let none = HostCard::default();
        assert_eq!(parse_card("card.ron", &none.text()).map_err(|m| m.to_string()), Ok(none));
    }

    #[test]
    fn every_mistake_is_told_together() {
        let long = "x".repeat(CARD_LINE + 1);
        let text = format!("(schema: 1, club: \"{long}\", game: 3, clb: \"a\")");
        let told = parse_card("card.ron", &text).expect_err("mistakes").to_string();
        assert!(told.contains("can be read from afar") && told.contains("a line of the card"), "{told}");
        assert!(told.contains("clb"), "{told}");
    }
}
