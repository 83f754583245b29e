//! Changes of whole lines of a text; see [`super::text`].

use crate::dice::Dice;

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Deletes a line.
pub fn delete_line(dice: &mut Dice, text: &str, _: &[String]) -> String {
    let mut all = lines(text);
    if !all.is_empty() {
        all.remove(dice.below(all.len()));
    }
    all.concat()
}

/// Puts a line at a second place.
pub fn duplicate_line(dice: &mut Dice, text: &str, _: &[String]) -> String {
    let mut all = lines(text);
    if !all.is_empty() {
        let (from, to) = (dice.below(all.len()), dice.below(all.len()));
        all.insert(to, all[from]);
    }
    all.concat()
}

/// Swaps two lines.
pub fn swap_lines(dice: &mut Dice, text: &str, _: &[String]) -> String {
    let mut all = lines(text);
    if !all.is_empty() {
        let (one, other) = (dice.below(all.len()), dice.below(all.len()));
        all.swap(one, other);
    }
    all.concat()
}

/// Puts some lines of another text into this one.
pub fn splice_lines(dice: &mut Dice, text: &str, others: &[String]) -> String {
    let (mut all, other) = (lines(text), lines(&others[dice.below(others.len())]));
    if !other.is_empty() {
        let first = dice.below(other.len());
        let count = 1 + dice.below(8);
        let at = dice.below(all.len() + 1);
        all.splice(at..at, other[first..].iter().copied().take(count));
    }
    all.concat()
}
