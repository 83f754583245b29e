//! The lines of an input that is not held in memory as a whole.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};

use crate::{invalid_text, refuse_mark};

/// The size of the buffer for a file.
const BUFFER: usize = 1 << 16;

/// The lines of a file or of the standard input. They are checked as [`crate::text`] checks a
/// whole text.
pub struct Lines {
    name: String,
    input: Box<dyn BufRead>,
    /// What an error of reading is called.
    failure: String,
    /// The current line with its end.
    bytes: Vec<u8>,
    /// The number of lines read.
    count: usize,
}

impl Lines {
    /// Opens a file, or the standard input without one.
    pub fn open(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            let failure = "cannot read the standard input".into();
            return Ok(Lines::new(
                "<stdin>".into(),
                Box::new(io::stdin().lock()),
                failure,
            ));
        };
        let name = path.display().to_string();
        let failure = format!("cannot read {name}");
        let file = File::open(path).with_context(|| failure.clone())?;
        let input = Box::new(BufReader::with_capacity(BUFFER, file));
        Ok(Lines::new(name, input, failure))
    }

    fn new(name: String, input: Box<dyn BufRead>, failure: String) -> Self {
        Lines {
            name,
            input,
            failure,
            bytes: Vec::new(),
            count: 0,
        }
    }

    /// Returns the name of the input in diagnostics.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the next line with its number, from 1 on; `None` at the end of the input.
    pub fn read(&mut self) -> Result<Option<(usize, &str)>> {
        self.bytes.clear();
        let read = self.input.read_until(b'\n', &mut self.bytes);
        if read.with_context(|| self.failure.clone())? == 0 {
            return Ok(None);
        }
        self.count += 1;
        let line = str::from_utf8(&self.bytes)
            .map_err(|error| invalid_text(&self.name, self.count, &self.bytes, error))?;
        if self.count == 1 {
            refuse_mark(&self.name, line)?;
        }
        let line = line.strip_suffix('\n').unwrap_or(line);
        Ok(Some((self.count, line.strip_suffix('\r').unwrap_or(line))))
    }
}

#[cfg(test)]
mod tests;
