use super::*;

#[test]
fn reading_undoes_writing() {
    let source = format!(
        "d set $lm0n0 1 0000000000000001\n{}\nd  getd $lm0n0c0b0m0p0 1\nf\n",
        crate::word::tests::LINES.join("\n")
    );
    let program = crate::parse(&source).unwrap();
    for mode in [Mode::AutoStride, Mode::Flat] {
        let text = write(&program, mode).unwrap();
        assert!(is_text_form(&text));
        assert!(text.contains("\nd  getd $lm0n0c0b0m0p0 1\n"));
        let again = read(&text).unwrap_or_else(|e| panic!("{}", e[0].render("test", &text)));
        assert_eq!(write(&again, mode).unwrap(), text);
    }
    assert!(!is_text_form(&source));
    assert_eq!(load(&source).unwrap().to_string(), program.to_string());
    let text = write(&program, Mode::Flat).unwrap();
    assert_eq!(
        load(&text).unwrap().statements.len(),
        program.statements.len()
    );
}

#[test]
fn lines_that_are_none() {
    for (line, message) in [
        (
            "j 12",
            "a step is 76 hexadecimal digits in auto-stride mode, 108 in flat mode",
        ),
        (
            "m x",
            "an MV instruction is 28 hexadecimal digits in auto-stride mode, 40 in flat mode",
        ),
        (
            "nop",
            "an instruction is j or m and a word here, not assembly",
        ),
        ("j", "unknown opcode `j`"),
    ] {
        let errors = read(&format!("\n{line}\n")).unwrap_err();
        assert_eq!(errors[0].message, message);
        assert_eq!(errors[0].span.line, 2);
    }
    let zero = format!("j {}", "0".repeat(76));
    assert_eq!(
        read(&zero).unwrap_err()[0].message,
        "the word has no expression, not even `nop`"
    );
}
