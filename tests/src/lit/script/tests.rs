use super::*;

fn check(text: &str, expect: Result<&[&str], ScriptError>) {
    let place = Substitutions {
        source: "/src dir/a.mlir".into(),
        source_dir: "/src".into(),
        temp: "/tmp/a.mlir.tmp".into(),
        temp_dir: "/tmp".into(),
        output: "/tmp/out put".into(),
    };
    let expect = expect.map(|commands| Script {
        text: commands
            .iter()
            .fold("set -o pipefail\n".to_owned(), |script, command| {
                script + "{ " + command + "\n} || exit $?\n"
            }),
        writes_output: text.contains("> %output"),
    });
    assert_eq!(parse(text, &place), expect, "{text:?}");
}

#[test]
fn run_lines_become_a_script() {
    check(
        "// RUN: a %s | b %s",
        Ok(&["a '/src dir/a.mlir' | b '/src dir/a.mlir'"]),
    );
    check(
        "# RUN: a %S %p %T %t.x",
        Ok(&["a /src /src /tmp /tmp/a.mlir.tmp.x"]),
    );
    check("// RUN: one\nfunc\n  // RUN: two", Ok(&["one", "two"]));
    check("// RUN: a \\\n// RUN:   b\n// RUN: c", Ok(&["a b", "c"]));
    check("// RUN: printf 5%%", Ok(&["printf 5%"]));
    check("; RUN: x", Ok(&["x"]));
    check("// RUN: a > %output", Ok(&["a > '/tmp/out put'"]));
    check("// RUN: a %%output", Ok(&["a %output"]));
}

#[test]
fn scripts_that_cannot_run_are_errors() {
    let unknown = |line, name: &str| ScriptError::Substitution {
        line,
        name: name.into(),
    };
    check("", Err(ScriptError::NoRun));
    check("// CHECK: a", Err(ScriptError::NoRun));
    check("\n// RUN:  ", Err(ScriptError::Empty { line: 2 }));
    check("// RUN: a \\", Err(ScriptError::Dangling { line: 1 }));
    check(
        "// RUN: a\n// RUN: b \\\n\n",
        Err(ScriptError::Dangling { line: 2 }),
    );
    check("// RUN: a \\\n// RUN: %q", Err(unknown(1, "%q")));
    check("// RUN: a %", Err(unknown(1, "%")));
    check("// RUN: a > %out", Err(unknown(1, "%o")));
    check(
        "// RUN: a > %output\n// RUN: b > %output",
        Err(ScriptError::OutputTwice { line: 2 }),
    );
    check(
        "// RUN: a\n// XFAIL: *",
        Err(ScriptError::Keyword {
            line: 2,
            keyword: "XFAIL:",
        }),
    );
    check(
        "// REQUIRES: x\n// RUN: a",
        Err(ScriptError::Keyword {
            line: 1,
            keyword: "REQUIRES:",
        }),
    );
}

#[test]
fn every_error_has_a_remedy() {
    for (text, message) in [
        ("", "no RUN: line; a test without one checks nothing"),
        ("// RUN:", "line 1: empty RUN: line"),
        (
            "// RUN: a \\",
            "line 1: this RUN: line ends in `\\`, but no RUN: line follows",
        ),
        (
            "// RUN: %q",
            "line 1: unknown substitution `%q`; known are %s %S %p %t %T %output, and %% \
             for a percent sign",
        ),
        (
            "// RUN: a > %output\n// RUN: b > %output",
            "line 2: %output is used twice; one RUN: line writes it",
        ),
        (
            "// END.",
            "line 1: `END.` is not implemented by this runner; see tests/src/lit",
        ),
    ] {
        let place = Substitutions {
            source: String::new(),
            source_dir: String::new(),
            temp: String::new(),
            temp_dir: String::new(),
            output: String::new(),
        };
        assert_eq!(
            parse(text, &place).map_err(|e| e.to_string()),
            Err(message.to_owned())
        );
    }
}
