//! How many of something, in words.

/// `1 element`, `2 elements`: a count with its noun, whose plural takes an s.
pub fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(counted(1, "PIP"), "1 PIP");
        assert_eq!([counted(0, "front edge"), counted(2, "PIP")], ["0 front edges", "2 PIPs"]);
    }
}
