//! Splitting a file of test cases at its `// -----` lines.

/// One case of a file, which starts on line `line` (from 0) of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its text, without the marker lines.
    pub text: Vec<u8>,
    /// The lines of the file before it.
    pub line: usize,
}

impl Chunk {
    /// Returns the text behind as many empty lines as the file has before it, so that lines keep
    /// their numbers.
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
