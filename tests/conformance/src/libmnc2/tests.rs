use super::*;

#[test]
fn the_examples_are_well_formed() {
    let examples = examples(EXAMPLES).unwrap();
    for (folder, statements) in &examples {
        let expects = |statement: &Statement| matches!(statement, Statement::Expect(_));
        assert!(statements.iter().any(expects), "{folder} expects nothing");
        for statement in statements {
            if let Statement::Send(words) | Statement::Expect(words) = statement {
                assert!(words.words().is_ok(), "{folder}");
            }
        }
    }
}

#[test]
fn invalid_statements() {
    for (line, expect) in [
        (" jump 3", "none of arm"),
        (" arm 10", "is not a tag"),
        (" send 0 4 words", "too short"),
        (" send 0 4 floats i", "none of words"),
        (" send a 4 words i", "is not a number"),
        (" run a.vsm many", "is not a number"),
    ] {
        let error = examples(&format!("a\n{line}")).map(|_| ()).expect_err(line);
        assert!(error.contains(expect), "{line}: {error}");
    }
    assert!(examples(" arm i01").is_err());
}
