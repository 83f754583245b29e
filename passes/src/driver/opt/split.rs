//! `--split-input-file`: splits a file into chunks at its `// -----` lines.

/// A part of a file between `// -----` lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its text, without the separator lines.
    pub text: Vec<u8>,
    /// The number of lines of the file before it.
    pub line: usize,
}

impl Chunk {
    /// Returns the text preceded by empty lines, so that its line numbers are those of the file.
    pub fn padded(&self) -> Vec<u8> {
        let mut text = vec![b'\n'; self.line];
        text.extend_from_slice(&self.text);
        text
    }
}

/// Splits at lines that begin with `// -----`.
pub fn split(text: &[u8]) -> Vec<Chunk> {
    let mut chunks = vec![Chunk {
        text: Vec::new(),
        line: 0,
    }];
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        match chunks.last_mut() {
            Some(chunk) if !line.starts_with(b"// -----") => chunk.text.extend_from_slice(line),
            _ => chunks.push(Chunk {
                text: Vec::new(),
                line: number + 1,
            }),
        }
    }
    chunks
}

#[cfg(test)]
mod tests;
