use super::*;

fn outline(pipeline: &Pipeline) -> String {
    let steps: Vec<_> = pipeline
        .steps
        .iter()
        .map(|step| match step {
            Step::Rust(pass) => pass.name().to_owned(),
            Step::Upstream(pass) => pass.text().to_owned(),
            Step::Nested(pipeline) => outline(pipeline),
        })
        .collect();
    format!("{}({})", pipeline.anchor, steps.join(","))
}

#[test]
fn reads_pipelines() {
    let rows: &[(&str, Result<&str, &str>)] = &[
        ("builtin.module()", Ok("builtin.module()")),
        (
            " builtin.module( canonicalize{max-iterations=5} , func.func( cse ) )",
            Ok("builtin.module(canonicalize{max-iterations=5},func.func(cse))"),
        ),
        (
            "cse",
            Err(
                "a pipeline is an operation name and '(': builtin.module(...); expected '(' at \
                 column 4 of pipeline 'cse'",
            ),
        ),
        (
            "builtin.module(cse",
            Err("expected ',' or ')' at column 19 of pipeline 'builtin.module(cse'"),
        ),
        (
            "builtin.module(,)",
            Err("expected a name at column 16 of pipeline 'builtin.module(,)'"),
        ),
        (
            "builtin.module(cse{a)",
            Err("expected '}' for the '{' at column 20 of pipeline 'builtin.module(cse{a)'"),
        ),
        (
            "builtin.module())",
            Err("expected the end at column 17 of pipeline 'builtin.module())'"),
        ),
        (
            "builtin.module(canonicalise)",
            Err(
                "no pass or pipeline 'canonicalise'; did you mean 'canonicalize'?; --list-passes \
                 lists all",
            ),
        ),
        (
            "builtin.module(nonsense)",
            Err("no pass or pipeline 'nonsense'; --list-passes lists all"),
        ),
    ];
    let context = Context::new();
    for (text, expected) in rows {
        let got = parse(&context, text)
            .map(|pipeline| outline(&pipeline))
            .map_err(|error| error.to_string());
        assert_eq!(
            got.as_deref(),
            expected.map_err(str::to_owned).as_ref().copied(),
            "{text}"
        );
    }
    let deep = "builtin.module(".repeat(33);
    let deep = parse(&context, &deep).err().map(|error| error.to_string());
    let deep = deep.unwrap_or_default();
    assert!(
        deep.starts_with("expected at most 32 nested pipelines at column "),
        "{deep}"
    );
    let wrong = parse(&context, "builtin.module(canonicalize{no=1})")
        .err()
        .map(|error| error.to_string());
    assert!(
        wrong
            .as_deref()
            .is_some_and(|text| text.contains("no such option no")),
        "{wrong:?}"
    );
}
