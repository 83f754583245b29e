use super::*;

fn span(line: u32, column: u32, length: u32) -> Span {
    Span {
        line,
        column,
        length,
    }
}

#[test]
fn rendered_for_people() {
    let found = Finding {
        span: span(2, 8, 5),
        message: "odd address",
        notes: &[(span(1, 1, 3), "first here".into())],
        hint: Some("use an even one"),
    };
    assert_eq!(
        found.render("a.vsm", "nop\nlpassa $lm1v $ln0v\n"),
        "a.vsm:2:8: error: odd address\n\
         \x20 lpassa $lm1v $ln0v\n\
         \x20        ^^^^^\n\
         a.vsm:1:1: note: first here\n\
         \x20 nop\n\
         \x20 ^^^\n\
         hint: use an even one\n"
    );
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let source = "x".repeat(1000);
    let found = Finding {
        span: span(1, 900, 500),
        message: "m",
        notes: &[],
        hint: None,
    };
    let text = found.render("f", &source);
    assert!(text.lines().all(|line| line.len() < 200), "{text}");
    assert!(text.contains("^^^"), "{text}");
}

#[test]
fn near_names() {
    let known = ["lpassa", "lpass", "nop"];
    for (name, expect) in [
        ("lpasa", Some("lpass")),
        ("lpassaa", Some("lpassa")),
        ("nob", Some("nop")),
        ("no", None),
        ("nxy", None),
        ("mvmul", None),
    ] {
        assert_eq!(nearest(name, known), expect, "{name}");
    }
}
