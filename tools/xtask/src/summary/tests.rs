use super::*;

#[track_caller]
fn check(output: &str, expect: &str) {
    let mut summary = Summary::default();
    output.lines().for_each(|line| summary.line(line));
    assert_eq!(summary.to_string(), expect);
}

#[test]
fn summary_lines_keep_their_suite() {
    check(
        "   Compiling a v0.1.0\n     Running unittests src/lib.rs \
         (target/debug/deps/a-0f3a)\nrunning 1 test\ntest result: ok. 1 passed; 0 failed; 0 \
         ignored\n     Running tests/lit.rs (/x y/target/debug/deps/lit-1b)\ntest result: FAILED. \
         1 passed; 2 failed; 0 ignored\n",
        "a (src/lib.rs)      test result: ok. 1 passed; 0 failed; 0 ignored\n\
         lit (tests/lit.rs)  test result: FAILED. 1 passed; 2 failed; 0 ignored\n",
    );
    check(
        "\u{1b}[1m\u{1b}[92m   Doc-tests\u{1b}[0m a\ntest result: \u{1b}[32mok\u{1b}[0m. 3 passed; \
         0 failed\n",
        "Doc-tests a  test result: ok. 3 passed; 0 failed\n",
    );
    check(
        "   Doc-tests a\ntest result: ok. 0 passed; 0 failed; 0 ignored; 0 measured\n",
        "",
    );
}
