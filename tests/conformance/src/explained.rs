//! Failures of public files that say nothing against this project, one by one with the reason:
//! `explained.txt`.
//!
//! A case that fails although it is listed counts as explained, and its reason is printed with it.

/// Group, end of the name, reason.
type Entry<'a> = (&'a str, &'a str, &'a str);

const LIST: &str = include_str!("../explained.txt");

/// Reads a list; the error is the first line that is no entry.
fn entries(text: &str) -> Result<Vec<Entry<'_>>, &str> {
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let entry = |line| {
        let (place, reason) = str::split_once(line, ": ")?;
        let (group, name) = place.split_once(' ')?;
        Some((group, name, reason))
    };
    lines.map(|line| entry(line).ok_or(line)).collect()
}

/// Why a case may fail.
pub fn reason(group: &str, name: &str) -> Option<&'static str> {
    let entries = entries(LIST).unwrap_or_default();
    let found = entries.into_iter().find(|(of, end, _)| {
        let before = name.strip_suffix(end);
        *of == group && before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    });
    found.map(|(_, _, reason)| reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_well_formed() {
        let all = entries(LIST).expect("every line is an entry");
        for (group, name, _) in &all {
            assert!(["assemble", "judge", "libmnc2", "tutorial"].contains(group));
            assert_eq!(all.iter().filter(|one| one.1 == *name).count(), 1, "{name}");
        }
        assert_eq!(entries("a b: c\nassemble b"), Err("assemble b"));
    }

    #[test]
    fn names_are_compared_from_their_end() {
        for (group, name, found) in [
            ("assemble", "/home/me/sum_col.vsm", true),
            ("assemble", "sum_col.vsm", true),
            ("assemble", "/home/me/checksum_col.vsm", false),
            ("judge", "/home/me/sum_col.vsm", false),
        ] {
            assert_eq!(reason(group, name).is_some(), found, "{group} {name}");
        }
    }
}
