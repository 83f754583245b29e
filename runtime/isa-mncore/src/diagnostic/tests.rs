use super::*;

#[test]
fn rendered_for_people() {
    let span = |line, column, length| Span {
        line,
        column,
        length,
    };
    let found = Diagnostic::new(span(2, 8, 5), "odd address")
        .with_section("3.6.1.6")
        .with_hint("use an even one")
        .with_related(span(1, 1, 3), "first here");
    assert_eq!(
        found.render("a.vsm", "nop\nlpassa $lm1v $ln0v\n"),
        "a.vsm:2:8: error: odd address (manual 3.6.1.6)\n\
         \x20 lpassa $lm1v $ln0v\n\
         \x20        ^^^^^\n\
         a.vsm:1:1: note: first here\n\
         \x20 nop\n\
         \x20 ^^^\n\
         hint: use an even one\n"
    );
}
