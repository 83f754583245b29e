use super::*;

/// `line:severity:message`; line 0 has no place; a leading `>` makes it a note of the one
/// before.
fn diagnostics(text: &[&str]) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = Vec::new();
    for row in text {
        let (note, row) = row
            .strip_prefix('>')
            .map_or((false, *row), |row| (true, row));
        let mut parts = row.splitn(3, ':');
        let line: usize = parts.next().unwrap().parse().unwrap();
        let severity = match parts.next().unwrap() {
            "error" => Severity::Error,
            "warning" => Severity::Warning,
            "note" => Severity::Note,
            _ => Severity::Remark,
        };
        let place = (line > 0).then(|| line_of("f", line));
        let message = parts.next().unwrap().to_owned();
        let diagnostic = Diagnostic {
            severity,
            place,
            message,
            notes: Vec::new(),
        };
        match found.last_mut() {
            Some(last) if note => last.notes.push(diagnostic),
            _ => found.push(diagnostic),
        }
    }
    found
}

#[test]
fn compares() {
    type Row = (
        &'static str,
        &'static [&'static str],
        &'static [&'static str],
    );
    let rows: &[Row] = &[
        ("", &[], &[]),
        ("x // expected-error {{bad}}", &["1:error:very bad thing"], &[]),
        ("// expected-error@+1 {{bad}}\nx", &["2:error:bad"], &[]),
        ("x\n// expected-warning@-1 {{bad}}", &["1:warning:bad"], &[]),
        ("// expected-error@below {{a}}\n// expected-note@below {{b}}\nx", &["3:error:a", ">3:note:b"], &[]),
        ("x\n// expected-error@above {{a}}\n// expected-remark@above {{b}}", &["1:error:a", "1:remark:b"], &[]),
        ("// expected-error@unknown {{a}}", &["0:error:a"], &[]),
        ("// expected-error {{a}} expected-error {{b}}", &["1:error:b", "1:error:a"], &[]),
        ("// expected-error {{a}}", &["1:error:a", "1:error:a"], &["f:1:1: error: unexpected error: a"]),
        ("// expected-error {{a}}", &[], &["f:1:1: error: expected error \"a\" was not produced"]),
        (
            "// expected-error {{a}}",
            &["1:warning:a"],
            &[
                "f:1:1: error: unexpected warning: a",
                "f:1:1: error: expected error \"a\" was not produced",
            ],
        ),
        ("// expected-error {{a}}", &["1:error:a", ">1:note:b"], &["f:1:1: error: unexpected note: b"]),
        ("// expected-error-re {{op {{[0-9]+}} (x)}}", &["1:error:'m' op 12 (x)"], &[]),
        ("// expected-error {{a}b", &[], &[
            "f:1:1: error: malformed expected diagnostic 'expected-error {{a}b'; write expected-error@+1 \
             {{text}}",
        ]),
        ("// expected-error@here {{a}}", &[], &[
            "f:1:1: error: malformed expected diagnostic 'expected-error@here {{a}}'; write \
             expected-error@+1 {{text}}",
        ]),
    ];
    for (source, reported, wrong) in rows {
        let got: Vec<_> = check("f", source, &diagnostics(reported))
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(got, *wrong, "{source}");
    }
    assert_eq!(check("f", "// expected-error-re {{ {{(}} }}", &[]).len(), 1);
}
