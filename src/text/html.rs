//! What the pages that Groma writes share: their style, and text and pictures that may stand in them.

use std::fmt::Write;

/// The style of a page.
pub const STYLE: &str = "body{font:17px/1.5 Georgia,'Times New Roman',serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;\
background:#fdfcf8}h1{font-size:2rem;margin-bottom:0}h2{margin-top:2.5rem;border-bottom:1px solid #ccc}\
p.when{color:#555;margin-top:.2rem}figure{margin:1rem 0;overflow-x:auto}figure svg{max-width:100%;height:auto;overflow:hidden;border:1px solid #ddd}\
ul{padding-left:1.2rem}li{margin:.25rem 0}li .k{display:inline-block;min-width:5.5em;color:#555;font-size:.85em}\
p.caution{background:#fff3cd;padding:.4rem .8rem}li.overrule{background:#fff3cd}li.loss,li.outcome{font-weight:600}.turn{background:#f2efe6;padding:.5rem 1rem;border-left:4px solid #a33}\
table{border-collapse:collapse}td,th{border:1px solid #bbb;padding:.2rem .6rem;text-align:left}\
@media print{body{background:#fff}h2{break-before:auto}figure{break-inside:avoid}}";

/// A page up to its first heading.
pub fn head(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"generator\" content=\"Groma\"><meta name=\"viewport\" content=\"width=device-width\">\
         <title>{title}</title><style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n"
    )
}

/// Text that may stand in HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// Bytes in base 64 (RFC 4648), as a picture stands in a page.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let whole =
            group.iter().fold(0u32, |sum, byte| sum << 8 | u32::from(*byte)) << (8 * (3 - group.len()));
        for n in 0..4 {
            let digit = char::from(DIGITS[(whole >> (18 - 6 * n) & 63) as usize]);
            text.push(if n <= group.len() { digit } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_64_is_that_of_the_standards_own_examples() {
        let pairs = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (plain, coded) in pairs {
            assert_eq!(base64(plain.as_bytes()), coded);
        }
    }

    #[test]
    fn no_text_breaks_a_page() {
        assert_eq!(escaped("<\"A\" & B>"), "&lt;&quot;A&quot; &amp; B&gt;");
        assert_eq!(hex(&[0, 15, 255]), "000fff");
    }
}
