use super::shortened;

#[test]
fn ends_of_ranges_become_spaces() {
    for (text, expected) in [
        (r#"loc("a.py":3:10 to :33)"#, r#"loc("a.py":3:10       )"#),
        (
            r#"loc("a.py":3:10 to 12:33)"#,
            r#"loc("a.py":3:10         )"#,
        ),
        (
            r#"loc(fused["a":1:2 to :3, "b":4:5 to 6:7])"#,
            r#"loc(fused["a":1:2      , "b":4:5       ])"#,
        ),
    ] {
        assert_eq!(shortened(text.into()), expected);
    }
}

#[test]
fn other_text_stays() {
    for text in [
        r#"loc("a.py":3:10)"#,
        r#"// "a.py":3:10 to :33"#,
        r#""text \":3:10 to :33\" of a string""#,
        r#"loc("a.py":3 to :33)"#,
        r#"loc("a.py":3:10 to )"#,
        r#"loc("a.py":3:10 to 4:)"#,
        r#""not closed"#,
        r#""ä":x to "#,
    ] {
        assert_eq!(shortened(text.into()), text);
    }
}
