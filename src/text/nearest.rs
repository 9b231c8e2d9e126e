//! The known name that a mistyped one most likely stands for.

/// The candidate nearest to `word`, or `None` where none is near: at most a third of the letters
/// (and always one) may differ. Case is ignored. A swap of two neighbours counts as one change.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.to_lowercase().chars().take(80).collect();
    candidates
        .into_iter()
        .map(|candidate| {
            let letters: Vec<char> = candidate.to_lowercase().chars().take(80).collect();
            (changes(&word, &letters), letters.len().max(word.len()), candidate)
        })
        .filter(|&(changes, length, _)| changes <= (length / 3).max(1))
        .min_by_key(|&(changes, _, _)| changes)
        .map(|(_, _, candidate)| candidate)
}

/// ": did you mean `x`?" or nothing, to be put at a message's end.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(word, candidates).map_or_else(String::new, |near| format!("; did you mean `{near}`?"))
}

/// Optimal string alignment distance.
fn changes(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let swap = usize::from(a[i - 1] != b[j - 1]);
            let mut least = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + swap);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_finds_its_name_and_a_stranger_none() {
        let known = ["rotation", "offset", "height", "size"];
        assert_eq!(nearest("rotaton", known), Some("rotation"));
        assert_eq!(nearest("Heihgt", known), Some("height"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(nearest("", known), None);
    }
}
