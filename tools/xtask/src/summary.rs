//! The test runners' own summary lines, collected from the output of `cargo test`.

use std::fmt;

/// The suites that have run, in order.
#[derive(Debug, Default)]
pub struct Summary {
    current: String,
    suites: Vec<(String, String)>,
}

impl Summary {
    /// Takes in one line of cargo's or a runner's output.
    pub fn line(&mut self, line: &str) {
        let line = without_colour(line);
        let line = line.trim();
        if let Some(suite) = line
            .strip_prefix("Running ")
            .or_else(|| line.strip_prefix("Doc-tests "))
        {
            self.current = suite_name(line, suite);
        } else if line.starts_with("test result:") {
            self.suites
                .push((std::mem::take(&mut self.current), line.to_owned()));
        }
    }

    /// Returns how many suites have reported.
    pub fn suites(&self) -> usize {
        self.suites.len()
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self
            .suites
            .iter()
            .map(|(name, _)| name.len())
            .max()
            .unwrap_or(0);
        for (name, result) in self.suites.iter().filter(|(_, result)| ran_any(result)) {
            writeln!(f, "{name:width$}  {result}")?;
        }
        Ok(())
    }
}

/// Returns whether the suite had any test in it; the empty ones (doc tests of tools, say) only
/// lengthen the list.
fn ran_any(result: &str) -> bool {
    !result.contains(" 0 passed; 0 failed; 0 ignored;")
}

/// `unittests src/lib.rs (target/debug/deps/tessera_tests-0f3a)` is `tessera_tests (src/lib.rs)`.
fn suite_name(line: &str, suite: &str) -> String {
    let Some((what, binary)) = suite.split_once(" (") else {
        return line.to_owned();
    };
    let binary = binary
        .trim_end_matches(')')
        .rsplit('/')
        .next()
        .unwrap_or_default();
    let name = binary.rsplit_once('-').map_or(binary, |(name, _hash)| name);
    format!("{name} ({})", what.trim_start_matches("unittests "))
}

/// Returns `line` without terminal escapes (`ESC [ … letter`).
fn without_colour(line: &str) -> String {
    let mut plain = String::with_capacity(line.len());
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        if c == '\u{1b}' {
            chars.by_ref().skip(1).find(char::is_ascii_alphabetic);
        } else {
            plain.push(c);
        }
    }
    plain
}

#[cfg(test)]
mod tests;
