//! Transcripts in Markdown.
//!
//! A transcript is a fenced block marked `console`. `$ ` begins a command; the following lines are
//! its output, of both streams. A line `...` matches any number of lines, `[..]` within a line any
//! text. A command that ends in `\\` continues on the next line.

use std::fmt;

/// A command and its expected output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its line in the Markdown file, from 1.
    pub line: usize,
    /// For bash.
    pub command: String,
    /// The expected lines, with `...` and `[..]`.
    pub expect: Vec<String>,
}

/// Returns the steps of all `console` blocks of a Markdown text, in order. Lines of a block before
/// its first command belong to no step.
pub fn parse(markdown: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = Vec::new();
    let mut inside = false;
    let mut open_command = false;
    let mut first_of_block = 0;
    for (line, text) in (1..).zip(markdown.lines()) {
        if let Some(fence) = text.strip_prefix("```") {
            inside = !inside && fence == "console";
            first_of_block = steps.len();
        } else if !inside {
        } else if let (true, Some(step)) = (open_command, steps.last_mut()) {
            step.command.push('\n');
            step.command.push_str(text);
            open_command = text.ends_with('\\');
        } else if let Some(command) = text.strip_prefix("$ ") {
            let command = command.to_owned();
            open_command = command.ends_with('\\');
            steps.push(Step {
                line,
                command,
                expect: Vec::new(),
            });
        } else if let Some(step) = steps[first_of_block..].last_mut() {
            step.expect.push(text.to_owned());
        }
    }
    steps
}

/// The first difference between an output and a transcript.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The expected line; `None` if the output should have ended.
    pub expected: Option<String>,
    /// The printed line; `None` if the output ended.
    pub found: Option<String>,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |line: &Option<String>| {
            line.as_ref()
                .map_or("the end".to_owned(), |text| format!("`{text}`"))
        };
        write!(
            f,
            "expected {}, found {}",
            show(&self.expected),
            show(&self.found)
        )
    }
}

/// Compares the output of a step with the expected one.
///
/// # Errors
/// The first place at which they differ, with every `...` taken as short as possible.
pub fn compare(expect: &[String], output: &str) -> Result<(), Mismatch> {
    let found: Vec<&str> = output.lines().map(str::trim_end).collect();
    let mut rest = found.as_slice();
    let mut pieces = expect.split(|line| line == "...");
    let anchored = pieces.next().unwrap_or_default();
    let floating: Vec<_> = pieces.collect();
    rest = take_prefix(anchored, rest)?;
    for (index, piece) in floating.iter().enumerate() {
        let last = index + 1 == floating.len();
        rest = if last {
            take_suffix(piece, rest)?
        } else {
            take_anywhere(piece, rest)?
        };
    }
    match (floating.is_empty(), rest.first()) {
        (true, Some(line)) => Err(Mismatch {
            expected: None,
            found: Some((*line).to_owned()),
        }),
        _ => Ok(()),
    }
}

fn take_prefix<'a, 'b>(piece: &[String], lines: &'a [&'b str]) -> Result<&'a [&'b str], Mismatch> {
    for (index, expected) in piece.iter().enumerate() {
        let found = lines.get(index).copied();
        if !found.is_some_and(|line| line_matches(expected, line)) {
            return Err(Mismatch {
                expected: Some(expected.clone()),
                found: found.map(str::to_owned),
            });
        }
    }
    Ok(&lines[piece.len()..])
}

fn take_suffix<'a, 'b>(piece: &[String], lines: &'a [&'b str]) -> Result<&'a [&'b str], Mismatch> {
    take_prefix(piece, &lines[lines.len().saturating_sub(piece.len())..])
}

fn take_anywhere<'a, 'b>(
    piece: &[String],
    lines: &'a [&'b str],
) -> Result<&'a [&'b str], Mismatch> {
    (0..=lines.len())
        .find_map(|start| take_prefix(piece, &lines[start..]).ok())
        .ok_or_else(|| Mismatch {
            expected: piece.first().cloned(),
            found: None,
        })
}

/// Returns whether `line` matches `pattern`, in which `[..]` stands for any text.
fn line_matches(pattern: &str, line: &str) -> bool {
    let mut pieces = pattern.trim_end().split("[..]");
    let head = pieces.next().unwrap_or_default();
    let Some(mut rest) = line.strip_prefix(head) else {
        return false;
    };
    let pieces: Vec<_> = pieces.collect();
    let Some((tail, middle)) = pieces.split_last() else {
        return rest.is_empty();
    };
    for piece in middle {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(tail)
}

#[cfg(test)]
mod tests;
