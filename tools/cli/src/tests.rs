use super::*;

#[test]
fn a_missing_file_is_named() {
    let error = read(Some(Path::new("/nowhere.vsm"))).expect_err("there is no such file");
    assert_eq!(error.to_string(), "cannot read /nowhere.vsm");
}

#[test]
fn a_file_that_cannot_be_written_is_named() {
    let error = write(Some(Path::new("/nowhere/a.vsm")), b"").expect_err("there is no such folder");
    assert_eq!(error.to_string(), "cannot write /nowhere/a.vsm");
}

#[test]
fn files_that_are_not_text_are_named() {
    assert_eq!(text("a", b"nop".to_vec()).ok().as_deref(), Some("nop"));
    let error = text("a.vsm", b"\xef\xbb\xbfnop".to_vec()).expect_err("it is marked");
    assert_eq!(
        error.to_string(),
        "a.vsm:1:1: error: begins with a byte order mark; save the text without one"
    );
    for (bytes, place) in [
        (&b"\xff"[..], "1:1"),
        (b"nop\n\xc3\xa4 \xff", "2:3"),
        (b"nop\n\n\xff\n", "3:1"),
    ] {
        let error = text("a.vsm", bytes.to_vec()).expect_err(place);
        assert_eq!(
            error.to_string(),
            format!("a.vsm:{place}: error: invalid UTF-8: byte 0xff; the input is text")
        );
    }
}

#[test]
fn errors_have_one_prefix() {
    let read = read(Some(Path::new("/nowhere.s"))).expect_err("there is no such file");
    let found = Findings::from_places([("a.s:1:2", "no"), ("a.s:2:1", "neither")]);
    for (error, expect) in [
        (
            read,
            "error: cannot read /nowhere.s: No such file or directory (os error 2)",
        ),
        (found.into(), "a.s:1:2: error: no\na.s:2:1: error: neither"),
        (
            Findings::from_text("a.vsm:1:1: error: no\n  nop\n").into(),
            "a.vsm:1:1: error: no\n  nop",
        ),
    ] {
        assert_eq!(message(&error), expect);
    }
}

#[test]
fn only_a_broken_pipe_is_no_error() {
    for (kind, expect) in [(ErrorKind::BrokenPipe, true), (ErrorKind::NotFound, false)] {
        let error = anyhow::Error::from(io::Error::from(kind));
        assert_eq!(is_broken_pipe(&error), expect);
    }
    // An error wrapped in an anyhow context is still found.
    let error = Err::<(), _>(io::Error::from(ErrorKind::BrokenPipe)).context("cannot print");
    assert!(error.is_err_and(|error| is_broken_pipe(&error)));
}

#[test]
fn bytes_are_words_or_are_counted() {
    let two = words("a", &[1, 2, 3, 4, 0xff, 0, 0, 0x80]).ok();
    assert_eq!(two, Some(vec![0x0403_0201, 0x8000_00ff]));
    let error = words("a", &[0; 5]).expect_err("there is one more");
    assert_eq!(
        error.to_string(),
        "a has 5 bytes, which is not a whole number of words"
    );
}

#[test]
fn a_missing_page_names_a_similar_one() {
    assert_eq!(
        no_page("opcode", "x", None),
        "no opcode `x`; --list prints all"
    );
    assert_eq!(
        no_page("opcode", "fmadd", Some("fmad".into())),
        "no opcode `fmadd`; did you mean `fmad`? --list prints all"
    );
}
