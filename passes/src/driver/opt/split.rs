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
    /// The text behind as many empty lines as the file has before it, so that lines keep their
    /// numbers.
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
mod tests {
    use super::*;

    #[test]
    fn splits() {
        type Row = (&'static str, &'static [(&'static str, usize)]);
        let rows: &[Row] = &[
            ("", &[("", 0)]),
            ("a\nb", &[("a\nb", 0)]),
            ("a\n// -----\nb\n", &[("a\n", 0), ("b\n", 2)]),
            ("// -----\n// ----- x\nb", &[("", 0), ("", 1), ("b", 2)]),
            ("  // -----\n", &[("  // -----\n", 0)]),
        ];
        for (text, expected) in rows {
            let chunks = split(text.as_bytes());
            let got: Vec<_> = chunks
                .iter()
                .map(|chunk| {
                    (
                        String::from_utf8_lossy(&chunk.text).into_owned(),
                        chunk.line,
                    )
                })
                .collect();
            let expected: Vec<_> = expected
                .iter()
                .map(|(text, line)| ((*text).to_owned(), *line))
                .collect();
            assert_eq!(got, expected, "{text:?}");
        }
        assert_eq!(split(b"a\n// -----\nb")[1].padded(), b"\n\nb");
    }
}
