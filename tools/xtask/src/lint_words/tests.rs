use std::path::Path;

use super::{check_sources, check_text, Finding, Problem, RetiredTerms};

#[test]
fn sources_use_standard_terms_and_wrap_comments() {
    let findings = check_sources(&crate::root()).expect("the sources can be read");
    let lines: Vec<String> = findings.iter().map(ToString::to_string).collect();
    assert!(findings.is_empty(), "{}", lines.join("\n"));
}

#[test]
fn every_rule_finds_what_breaks_it() {
    let wide = format!("// {}", "word ".repeat(20));
    let row = format!("/// | {} |", "word ".repeat(20));
    let block = format!("/// ```\n/// {}\n/// ```", "word ".repeat(21));
    let prose = "word ".repeat(21);
    let page = format!("{prose}\n```\n{prose}\n```\n|{prose}|\n- {prose}\n");
    let generated = format!("<!-- Generated from a table -->\n\n{prose}\n");
    // The file, its text, and the lines with a finding, `true` for a retired term.
    let cases: [(&str, &str, &[(usize, bool)]); 12] = [
        ("a.rs", "let tenant = 1;", &[(1, true)]),
        ("a.rs", "let tenants = subtenant;", &[]),
        ("a.rs", "// ok\n// spread\n// out", &[(2, true)]),
        (
            "a.rs",
            "/// A.\n    /// Is spread\n    /// out",
            &[(2, true)],
        ),
        ("a.mlir", "// spread out", &[(1, true)]),
        ("a.rs", &wide, &[(1, false)]),
        ("a.mlir", &wide, &[]),
        ("a.td", &wide, &[(1, false)]),
        ("a.rs", &row, &[]),
        ("a.rs", &block, &[]),
        ("a.md", &page, &[(1, false), (6, false)]),
        ("a.md", &generated, &[]),
    ];
    let list = "# comment\n\ntenant -> slot lifetime\nspread out -> distributed";
    let terms = RetiredTerms::parse(list).expect("the list is well-formed");
    for (path, text, expected) in cases {
        let found: Vec<(usize, bool)> = check_text(Path::new(path), text, &terms)
            .iter()
            .map(|finding| {
                let retired = matches!(finding.problem, Problem::RetiredTerm { .. });
                (finding.line, retired)
            })
            .collect();
        assert_eq!(found, expected, "{path}: {text}");
    }
}

#[test]
fn findings_name_the_place_and_the_remedy() {
    let finding = |problem| Finding {
        path: "runtime/a.rs".into(),
        line: 7,
        problem,
    };
    let retired = finding(Problem::RetiredTerm {
        term: "spread".into(),
        replacement: "broadcast".into(),
    });
    assert_eq!(
        retired.to_string(),
        "runtime/a.rs:7: 'spread' is retired; write broadcast"
    );
    assert_eq!(
        finding(Problem::TooWide(112)).to_string(),
        "runtime/a.rs:7: line of 112 columns; wrap it at 100"
    );
}

#[test]
fn rows_without_a_replacement_are_errors() {
    let error = RetiredTerms::parse("tenant").err().expect("is malformed");
    assert_eq!(error.to_string(), "'tenant' has no ' -> '");
}
