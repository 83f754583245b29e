use super::*;

#[test]
fn bytecode_is_aligned_and_has_no_text() {
    let source = Source::new("f.mlirbc", b"ML\xefR\x06".to_vec()).expect("bytecode");
    assert!(source.is_bytecode());
    assert_eq!((source.text(), source.bytes()), ("", &b"ML\xefR\x06"[..]));
    assert_eq!(source.bytes().as_ptr().align_offset(ALIGNMENT), 0);
    // A text that begins otherwise is a text.
    let source = Source::new("f.mlir", b"ML".to_vec()).expect("text");
    assert!(!source.is_bytecode());
}

#[test]
fn refuses_what_the_parser_does_not_survive() {
    let nested = |open: &str| open.repeat(DEEPEST + 1).into_bytes();
    let rows: &[(Vec<u8>, Option<&str>)] = &[
        (b"module {}".to_vec(), None),
        (
            b"\xef\xbb\xbfmodule {}".to_vec(),
            Some("f.mlir:1:1: error: begins with a byte order mark; save the text without one"),
        ),
        (
            b"module {\n \0}".to_vec(),
            Some("f.mlir:2:2: error: NUL byte in MLIR text"),
        ),
        (
            b"mod\xffule".to_vec(),
            Some("f.mlir:1:4: error: invalid UTF-8: byte 0xff; MLIR text is UTF-8"),
        ),
        (
            nested("("),
            Some("f.mlir:1:513: error: nested more than 512 levels deep"),
        ),
        (
            nested("tuple<"),
            Some("f.mlir:1:3078: error: nested more than 512 levels deep"),
        ),
        (
            nested("module {\n"),
            Some("f.mlir:513:8: error: nested more than 512 levels deep"),
        ),
        (
            nested("< >= ("),
            Some("f.mlir:1:3073: error: nested more than 512 levels deep"),
        ),
        (
            nested("- "),
            Some("f.mlir:1:1025: error: nested more than 512 levels deep"),
        ),
        (
            b"\n a = sparse<true, [2.0]> : tensor<2xf32>".to_vec(),
            Some(
                "f.mlir:2:6: error: a sparse literal that would crash MLIR's parser; indices are \
                 integers, values numbers of the type after it: write sparse<[[0, 1]], [2.0]> : \
                 tensor<1x2xf32>, or a dense literal",
            ),
        ),
        (
            Vec::new(),
            Some("f.mlir:1:1: error: the input is empty; expected MLIR text"),
        ),
        (b"\n".to_vec(), None),
        (nested("() -> "), None),
        (nested("// (\n"), None),
        (nested("\"(\\\"(\""), None),
    ];
    for (bytes, expected) in rows {
        let got = Source::new("f.mlir", bytes.clone())
            .err()
            .map(|diagnostic| diagnostic.to_string());
        assert_eq!(
            got.as_deref(),
            *expected,
            "{}",
            String::from_utf8_lossy(bytes)
        );
    }
}
