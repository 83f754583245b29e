use super::*;

#[test]
fn console_blocks_become_steps() {
    let markdown =
        "text\n$ not a step\n```sh\n$ nor this\n```\n```console\n$ a \\\n  b\nx\n...\n$ \
         c\n```\ny\n";
    let step = |line, command: &str, expect: &[&str]| Step {
        line,
        command: command.into(),
        expect: expect.iter().map(|&text| text.into()).collect(),
    };
    assert_eq!(
        parse(markdown),
        [step(7, "a \\\n  b", &["x", "..."]), step(11, "c", &[])]
    );
    assert_eq!(
        parse("```console\n$ a\n```\n```console\nstray\n```\n"),
        [step(2, "a", &[])]
    );
}

#[track_caller]
fn check(expect: &str, output: &str, result: Result<(), (Option<&str>, Option<&str>)>) {
    let expect: Vec<_> = expect.lines().map(str::to_owned).collect();
    let result = result.map_err(|(expected, found)| Mismatch {
        expected: expected.map(str::to_owned),
        found: found.map(str::to_owned),
    });
    assert_eq!(compare(&expect, output), result);
}

#[test]
fn outputs_are_compared() {
    check("a\nb", "a\nb\n", Ok(()));
    check("", "", Ok(()));
    check("a\nb", "a\n", Err((Some("b"), None)));
    check("a", "a\nb\n", Err((None, Some("b"))));
    check("a\n...", "a\nb\nc\n", Ok(()));
    check("...\nc", "a\nb\nc\n", Ok(()));
    check("...\nb", "a\nb\nc\n", Err((Some("b"), Some("c"))));
    check("a\n...\nc\n...\nd", "a\nb\nc\nd\n", Ok(()));
    check("a\n...\nx\n...\nd", "a\nb\nc\nd\n", Err((Some("x"), None)));
    check("took [..] s", "took 1.5 s\n", Ok(()));
    check(
        "took [..] s",
        "took 1.5 m\n",
        Err((Some("took [..] s"), Some("took 1.5 m"))),
    );
    check("[..]a[..]b", "xaxb", Ok(()));
    check(
        "[..]a[..]b",
        "xbxa",
        Err((Some("[..]a[..]b"), Some("xbxa"))),
    );
}

#[test]
fn a_mismatch_names_both_sides() {
    let mismatch = Mismatch {
        expected: Some("a".into()),
        found: None,
    };
    assert_eq!(mismatch.to_string(), "expected `a`, found the end");
}
