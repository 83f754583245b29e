//! Precise output: the whole output of a test stands in its file and is compared exactly.
//!
//! A test asks for it by writing to `%output` in one of its `RUN:` lines. The output consists of
//! sections, each below a line `@name:`. In the file, a section is a comment `// OUTPUT @name:` and
//! the comment lines directly below it. A section that the file lacks is placed below the
//! operation that defines `@name`, as Cranelift's `precise-output` tests do
//! (bytecodealliance/wasmtime, `cranelift/filetests`).
//!
//! [`accept`] is the only operation: it returns the file as it should be. The test passes if that
//! is the file as it is. So accepting an output twice changes nothing, and whatever accepting would
//! change makes the test fail. Everything but the sections is preserved. White space at the end of
//! lines is dropped from the output.

use std::collections::BTreeSet;

/// The comment that begins a section in a test file, up to the name.
const HEADING: &str = "// OUTPUT @";

/// Why an output cannot stand in a test file. Lines are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PreciseError {
    /// There is nothing to compare.
    #[error("nothing was written to %output")]
    Empty,
    /// The output does not begin with a section.
    #[error("the output begins with '{line}'; expected a line '@name:', which begins a section")]
    NoSection {
        /// The first line.
        line: String,
    },
    /// Two sections of the output have one name.
    #[error("the output has two sections '@{name}'")]
    Twice {
        /// The name.
        name: String,
    },
    /// The file has two sections of one name.
    #[error("line {line}: second section '@{name}'")]
    TwiceInFile {
        /// The line of the second one.
        line: usize,
        /// The name.
        name: String,
    },
    /// The file has a section, but no `RUN:` line writes to `%output`.
    #[error("line {line}: nothing is compared with this section; write to %output in a RUN: line")]
    NotCompared {
        /// The line.
        line: usize,
    },
}

/// A section of an output.
struct Section {
    name: String,
    /// Its lines, without white space at the end.
    lines: Vec<String>,
}

/// Returns the text of a test file with the sections of `output` instead of those it has.
///
/// # Errors
/// The output or the file is malformed; see [`PreciseError`].
pub fn accept(text: &str, output: &str) -> Result<String, PreciseError> {
    let mut sections = sections(output)?;
    check_headings(text)?;
    let mut lines = replace(text, &mut sections);
    for section in sections {
        insert(&mut lines, &section);
    }
    Ok(lines.concat())
}

/// Checks that a file whose output is not compared has no sections.
///
/// # Errors
/// It has one.
pub fn check_absent(text: &str) -> Result<(), PreciseError> {
    match (1..).zip(text.lines()).find(|(_, l)| heading(l).is_some()) {
        Some((line, _)) => Err(PreciseError::NotCompared { line }),
        None => Ok(()),
    }
}

/// Splits an output into its sections.
fn sections(output: &str) -> Result<Vec<Section>, PreciseError> {
    let mut sections: Vec<Section> = Vec::new();
    for line in output.lines().map(str::trim_end) {
        let name = line.strip_prefix('@').and_then(|l| l.strip_suffix(':'));
        if let Some(name) = name {
            if sections.iter().any(|section| section.name == name) {
                return Err(PreciseError::Twice { name: name.into() });
            }
            sections.push(Section {
                name: name.into(),
                lines: Vec::new(),
            });
        } else if let Some(section) = sections.last_mut() {
            section.lines.push(line.into());
        } else {
            return Err(PreciseError::NoSection { line: line.into() });
        }
    }
    if sections.is_empty() {
        return Err(PreciseError::Empty);
    }
    Ok(sections)
}

/// Returns the name of the section that this line of a file begins.
fn heading(line: &str) -> Option<&str> {
    line.trim_end().strip_prefix(HEADING)?.strip_suffix(':')
}

fn check_headings(text: &str) -> Result<(), PreciseError> {
    let mut names = BTreeSet::new();
    for (line, text) in (1..).zip(text.lines()) {
        if let Some(name) = heading(text).filter(|name| !names.insert(*name)) {
            let name = name.into();
            return Err(PreciseError::TwiceInFile { line, name });
        }
    }
    Ok(())
}

/// Returns the lines of a file with its sections replaced by those of the same names, which are
/// removed from `sections`. Sections of other names are dropped.
fn replace(text: &str, sections: &mut Vec<Section>) -> Vec<String> {
    let mut out = Vec::new();
    let mut lines = text.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        let Some(name) = heading(line) else {
            out.push(line.to_owned());
            continue;
        };
        if let Some(index) = sections.iter().position(|s| s.name == name) {
            out.extend(print(&sections.remove(index)));
        }
        while lines
            .next_if(|line| line.starts_with("//") && heading(line).is_none())
            .is_some()
        {}
    }
    out
}

/// Inserts a section below the operation that defines its name, or else at the end.
fn insert(lines: &mut Vec<String>, section: &Section) {
    let place = lines
        .iter()
        .position(|line| defines(line, &section.name))
        .and_then(|start| {
            let length = lines
                .get(start..)?
                .iter()
                .position(|l| l.trim_end() == "}")?;
            Some(start + length + 1)
        });
    let place = place.unwrap_or_else(|| {
        lines.push("\n".into());
        lines.len()
    });
    // The line above may be the last one and lack its end.
    if let Some(above) = place.checked_sub(1).and_then(|index| lines.get_mut(index)) {
        if !above.ends_with('\n') {
            above.push('\n');
        }
    }
    lines.splice(place..place, print(section));
}

/// Returns whether an operation of the file that is not nested defines the symbol `name` on this
/// line.
fn defines(line: &str, name: &str) -> bool {
    let is_nested = line.starts_with(|c: char| c.is_whitespace() || c == '/');
    let is_part_of_name = |c: char| c.is_ascii_alphanumeric() || "_$.-".contains(c);
    !is_nested
        && line.split_once('@').is_some_and(|(_, symbol)| {
            symbol
                .strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with(is_part_of_name))
        })
}

/// Returns the lines of a section in a file.
fn print(section: &Section) -> impl Iterator<Item = String> + '_ {
    let heading = format!("{HEADING}{}:\n", section.name);
    let line = |line: &String| match line.as_str() {
        "" => "//\n".to_owned(),
        line => format!("//   {line}\n"),
    };
    std::iter::once(heading).chain(section.lines.iter().map(line))
}

#[cfg(test)]
mod tests;
