//! Changes of whole lines of a text; see [`super::text`].

use tessera_test_support::random::Rng;

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Deletes a line.
pub fn delete_line(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let mut all = lines(text);
    if !all.is_empty() {
        all.remove(rng.below(all.len()));
    }
    all.concat()
}

/// Copies a line to a second place.
pub fn duplicate_line(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let mut all = lines(text);
    if !all.is_empty() {
        let (from, to) = (rng.below(all.len()), rng.below(all.len()));
        all.insert(to, all[from]);
    }
    all.concat()
}

/// Swaps two lines.
pub fn swap_lines(rng: &mut Rng, text: &str, _: &[String]) -> String {
    let mut all = lines(text);
    if !all.is_empty() {
        let (one, other) = (rng.below(all.len()), rng.below(all.len()));
        all.swap(one, other);
    }
    all.concat()
}

/// Inserts lines of another text.
pub fn splice_lines(rng: &mut Rng, text: &str, others: &[String]) -> String {
    let (mut all, other) = (lines(text), lines(&others[rng.below(others.len())]));
    if !other.is_empty() {
        let first = rng.below(other.len());
        let count = 1 + rng.below(8);
        let at = rng.below(all.len() + 1);
        all.splice(at..at, other[first..].iter().copied().take(count));
    }
    all.concat()
}
