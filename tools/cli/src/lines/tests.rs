use std::io::Cursor;

use anyhow::Result;

use super::Lines;

/// Reads all lines of `bytes`.
fn lines(bytes: &'static [u8]) -> Result<Vec<(usize, String)>> {
    let mut lines = Lines::new("a".into(), Box::new(Cursor::new(bytes)), "fails".into());
    let mut all = Vec::new();
    while let Some((number, line)) = lines.read()? {
        all.push((number, line.to_owned()));
    }
    Ok(all)
}

#[test]
fn lines_are_those_of_the_text() {
    let texts: [&[u8]; 7] = [
        b"",
        b"\n",
        b"a",
        b"a\n",
        b"a\r\nb\n\nc",
        b"a\rb\r\n",
        "ä\nö".as_bytes(),
    ];
    for bytes in texts {
        let text = crate::text("a", bytes.to_vec()).unwrap();
        let expect: Vec<_> = (1..).zip(text.lines().map(str::to_owned)).collect();
        assert_eq!(lines(bytes).unwrap(), expect);
    }
}

#[test]
fn refusals_are_those_of_the_text() {
    let texts: [&[u8]; 4] = [
        b"\xff",
        b"a\nb\n\xc3\xa4c\xff\n",
        b"a\n\xc3",
        "\u{feff}a".as_bytes(),
    ];
    for bytes in texts {
        let expect = crate::text("a", bytes.to_vec()).unwrap_err();
        assert_eq!(lines(bytes).unwrap_err().to_string(), expect.to_string());
    }
}
