//! Numbers and escapes, as RON writes them.

use super::Number;

/// A number from its letters, or why it is none. Accepts signs, `0x`, `0o`, `0b`, underscores
/// between digits, fractions, exponents, `inf`, `NaN`, and RON's type suffixes (`5u8`, `1.5f32`),
/// whose limits are kept. A whole number too large for 128 bits counts as a fraction.
pub(super) fn number(written: &str) -> Result<Number, String> {
    let (sign, body) = match written.as_bytes().first() {
        Some(b'-') => (-1.0, &written[1..]),
        Some(b'+') => (1.0, &written[1..]),
        _ => (1.0, written),
    };
    let wrong = || {
        let digits: String = body.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        let hint = if digits.is_empty() || digits.len() == body.len() {
            String::new()
        } else {
            format!("; write just {}{digits}, without letters after it", if sign < 0.0 { "-" } else { "" })
        };
        format!("`{written}` is not a number{hint}")
    };
    match body {
        "inf" | "inff32" | "inff64" => return Ok(Number { value: sign * f64::INFINITY, whole: None }),
        "NaN" | "NaNf32" | "NaNf64" => return Ok(Number { value: f64::NAN, whole: None }),
        _ => {}
    }
    let (base, digits) = match body.get(..2) {
        Some("0x") => (16, &body[2..]),
        Some("0o") => (8, &body[2..]),
        Some("0b") => (2, &body[2..]),
        _ => (10, body),
    };
    if base == 10
        && let Some(fraction) = digits.strip_suffix("f32").or_else(|| digits.strip_suffix("f64"))
    {
        return fraction_of(fraction).map(|v| Number { value: sign * v, whole: None }).ok_or_else(wrong);
    }
    let (digits, limits) = split_suffix(digits);
    if digits.is_empty() || digits.starts_with('_') {
        return Err(wrong());
    }
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    if plain.chars().all(|c| c.is_digit(base)) {
        return match i128::from_str_radix(&plain, base) {
            Ok(n) => {
                let whole = if sign < 0.0 { -n } else { n };
                if limits.is_some_and(|(low, high)| whole < low || whole > high) {
                    return Err(format!("`{written}` does not fit the type that it names"));
                }
                // A 128-bit number loses digits beyond 2^53: `whole` keeps them.
                Ok(Number { value: whole as f64, whole: Some(whole) })
            }
            Err(_) if base == 10 && limits.is_none() => {
                fraction_of(&plain).map(|v| Number { value: sign * v, whole: None }).ok_or_else(wrong)
            }
            Err(_) => Err(format!("`{written}` has too many digits")),
        };
    }
    if base != 10 || limits.is_some() {
        return Err(wrong());
    }
    fraction_of(digits).map(|v| Number { value: sign * v, whole: None }).ok_or_else(wrong)
}

/// A decimal fraction without sign.
fn fraction_of(digits: &str) -> Option<f64> {
    let starts = digits.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    let plain: String = digits.chars().filter(|&c| c != '_').collect();
    let known = plain.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | 'e' | 'E' | '+' | '-'));
    (starts && known).then(|| plain.parse().ok()).flatten()
}

/// Digits apart from an integer suffix, and the limits that the suffix sets.
fn split_suffix(digits: &str) -> (&str, Option<(i128, i128)>) {
    const SUFFIXES: [(&str, i128, i128); 8] = [
        ("i8", i8::MIN as i128, i8::MAX as i128),
        ("i16", i16::MIN as i128, i16::MAX as i128),
        ("i32", i32::MIN as i128, i32::MAX as i128),
        ("i64", i64::MIN as i128, i64::MAX as i128),
        ("u8", 0, u8::MAX as i128),
        ("u16", 0, u16::MAX as i128),
        ("u32", 0, u32::MAX as i128),
        ("u64", 0, u64::MAX as i128),
    ];
    for (suffix, low, high) in SUFFIXES {
        if let Some(rest) = digits.strip_suffix(suffix) {
            return (rest, Some((low, high)));
        }
    }
    (digits, None)
}

/// The character of an escape, from the text after its backslash, and how many bytes it takes.
/// Escapes by bytes (`\xE2\x82\xAC`) may join into one character in a text, not in a `char`.
pub(super) fn escape(rest: &str, joins: Joins) -> Result<(char, usize), &'static str> {
    const UNKNOWN: &str = "unknown escape: RON knows \\n \\r \\t \\0 \\\\ \\\" \\' \\x41 and \\u{41}; \
         in a Windows path double each backslash or write r\"...\"";
    let simple = |c| Ok((c, 1));
    match rest.as_bytes().first() {
        Some(b'n') => simple('\n'),
        Some(b'r') => simple('\r'),
        Some(b't') => simple('\t'),
        Some(b'0') => simple('\0'),
        Some(b'\\') => simple('\\'),
        Some(b'"') => simple('"'),
        Some(b'\'') => simple('\''),
        Some(b'x') => byte_escape(rest, joins),
        Some(b'u') => {
            let bad = "a Unicode escape is written \\u{41}, with one to six hexadecimal digits";
            let digits = rest.get(1..).and_then(|r| r.strip_prefix('{')).ok_or(bad)?;
            let end = digits.find('}').filter(|&n| (1..=6).contains(&n)).ok_or(bad)?;
            if !digits[..end].bytes().all(|b| b.is_ascii_hexdigit()) {
                return Err(bad);
            }
            let code = u32::from_str_radix(&digits[..end], 16).map_err(|_| bad)?;
            Ok((char::from_u32(code).ok_or("this Unicode escape names no character")?, end + 3))
        }
        _ => Err(UNKNOWN),
    }
}

/// Whether several byte escapes may make one character.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Joins {
    /// In a text.
    Yes,
    /// In a single character.
    No,
}

/// `x41`, or `xE2\x82\xAC` where escapes may join.
fn byte_escape(rest: &str, joins: Joins) -> Result<(char, usize), &'static str> {
    let bad = "a byte escape is written \\x41, and several must make a UTF-8 character";
    let most = if joins == Joins::Yes { 4 } else { 1 };
    let mut bytes = Vec::new();
    let mut used = 0;
    while bytes.len() < most {
        let from = if bytes.is_empty() { 1 } else { 2 };
        let next = rest.get(used..).ok_or(bad)?;
        if !bytes.is_empty() && !next.starts_with("\\x") {
            return Err(bad);
        }
        let digits = next.get(from..from + 2).ok_or(bad)?;
        if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(bad);
        }
        bytes.push(u8::from_str_radix(digits, 16).map_err(|_| bad)?);
        used += from + 2;
        if let Some(c) = std::str::from_utf8(&bytes).ok().and_then(|s| s.chars().next()) {
            return Ok((c, used));
        }
    }
    Err(bad)
}
