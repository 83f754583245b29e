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
