//! The printed font: Helvetica, which every PDF viewer has, in the Windows encoding of the letters of western
//! Europe. Letters that it lacks are printed without their accent, or as a question mark.

/// Widths of the characters from space to tilde, thousandths of the letters' size: Adobe's metrics of
/// Helvetica.
#[rustfmt::skip]
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, // space to /
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, // 0 to ?
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, // @ to O
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, // P to _
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, // ` to o
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584, // p to ~
];

/// The characters of the encoding's bytes 0x80 to 0x9F; its holes hold a question mark.
const FROM_0X80: &str = "€?‚ƒ„…†‡ˆ‰Š‹Œ?Ž??‘’“”•–—˜™š›œ?žŸ";

/// Letters with an accent that the encoding lacks, each before the letter that is printed for it.
const WITHOUT_ACCENT: &str = "ĀAāaĂAăaĄAąaĆCćcČCčcĎDďdĐDđdĒEēeĖEėeĘEęeĚEěeĞGğgĢGģgĪIīiĮIįiİIıiĶKķkĹLĺlĽLľlŁLłl\
    ŃNńnŅNņnŇNňnŌOōoŐOőoŔRŕrŘRřrŚSśsŞSşsȘSșsŢTţtȚTțtŤTťtŪUūuŮUůuŰUűuŲUųuŹZźzŻZżz";

/// The byte of a character in the encoding.
fn byte(c: char) -> u8 {
    match c {
        ' '..='~' | '\u{A0}'..='\u{FF}' => c as u8,
        _ => {
            let high = (0x80u8..).zip(FROM_0X80.chars()).find(|&(_, known)| known == c && c != '?');
            let plain = || {
                let mut letters = WITHOUT_ACCENT.chars();
                while let (Some(accented), Some(plain)) = (letters.next(), letters.next()) {
                    if accented == c {
                        return plain as u8;
                    }
                }
                b'?'
            };
            high.map_or_else(plain, |(byte, _)| byte)
        }
    }
}

/// A text in the encoding that the pages declare.
pub fn encoded(text: &str) -> Vec<u8> {
    text.chars().map(byte).collect()
}

/// How wide a text is printed at most, in the unit of `size`.
pub fn width(text: &str, size: f64) -> f64 {
    let thousandths = |c: char| match byte(c) {
        byte @ b' '..=b'~' => WIDTHS[usize::from(byte - b' ')],
        // The widest of each group.
        0xC0..=0xC5 | 0xC7..=0xDE => 778,
        0xDF..=0xE5 | 0xE7..=0xFF => 611,
        _ => 1_000,
    };
    text.chars().map(|c| f64::from(thousandths(c))).sum::<f64>() / 1e3 * size
}

/// The text as far as it goes into `room`, with dots where it is cut.
pub fn fitting(text: &str, size: f64, room: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let mut cut: String = text.to_owned();
    while cut.pop().is_some() {
        let dotted = format!("{}…", cut.trim_end());
        if width(&dotted, size) <= room {
            return dotted;
        }
    }
    String::new()
}

/// The text in lines that go into `room`, broken at spaces; a word that is wider has a line of its own.
pub fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let longer = lines.last().map(|line| format!("{line} {word}")).filter(|l| width(l, size) <= room);
        match (longer, lines.last_mut()) {
            (Some(longer), Some(line)) => *line = longer,
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn western_letters_are_kept_and_others_lose_their_accent() {
        assert_eq!(encoded("Évêque ß"), b"\xC9v\xEAque \xDF");
        assert_eq!(encoded("“Œuvre” 5 €…"), b"\x93\x8Cuvre\x94 5 \x80\x85");
        assert_eq!(encoded("Łódź Ōtomo İzmir"), b"L\xF3dz Otomo Izmir");
        assert_eq!(encoded("Ω"), b"?");
        assert_eq!(FROM_0X80.chars().count(), 32);
        assert_eq!(WITHOUT_ACCENT.chars().count() % 2, 0);
    }

    #[test]
    fn a_long_text_is_broken_at_its_spaces() {
        let text = "Cut along the dashes and fold along the dots, then glue the two leaves together.";
        let lines = wrapped(text, 3.0, 50.0);
        assert!(lines.len() > 1 && lines.iter().all(|l| width(l, 3.0) <= 50.0), "{lines:?}");
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrapped("Wwwwwwwww a", 3.0, 1.0), ["Wwwwwwwww", "a"]);
    }

    #[test]
    fn a_cut_text_fits() {
        let wide = "W".repeat(40);
        let cut = fitting(&wide, 2.2, 19.0);
        assert!(width(&cut, 2.2) <= 19.0 && cut.ends_with('…') && cut.len() > 6, "{cut}");
        assert_eq!(fitting("Hastati", 2.2, 19.0), "Hastati");
        assert_eq!(fitting("Hastati", 2.2, 1.0), "");
    }
}
