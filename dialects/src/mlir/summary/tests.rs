use super::super::diagnostic::FileLineCol;
use super::*;

fn diagnostic(severity: Severity, line: u32, message: &str) -> Diagnostic {
    let file = "f.mlir".into();
    let place = FileLineCol {
        file,
        line,
        column: 1,
    };
    Diagnostic {
        severity,
        place: Some(place),
        message: message.into(),
        notes: Vec::new(),
    }
}

#[test]
fn remarks_of_one_kind_are_one_line() {
    let all = [
        diagnostic(
            Severity::Remark,
            1,
            "'a.b' op is 3 tiles away from tensor<32x32xf32>",
        ),
        diagnostic(Severity::Warning, 1, "'a.b' op is odd"),
        diagnostic(
            Severity::Remark,
            2,
            "'a.c' op is 44 tiles away from tensor<4x32xbf16>",
        ),
        diagnostic(Severity::Warning, 2, "'a.b' op is odd"),
        diagnostic(Severity::Remark, 2, "'a.b' op is alone"),
        diagnostic(Severity::Remark, 1, "memory of 'k':\n 0"),
        diagnostic(Severity::Remark, 1, "memory of 'l':\n 0"),
    ];
    assert_eq!(
        render_summary(&all, "one\ntwo\n", |message| message.starts_with("memory")),
        "f.mlir:1:1: remark: 'a.b' op is 3 tiles away from tensor<32x32xf32> \
         (2 remarks of this kind; --verbose shows all)\n\
         f.mlir:1:1: warning: 'a.b' op is odd\none\n^\n\
         f.mlir:2:1: warning: 'a.b' op is odd\ntwo\n^\n\
         f.mlir:2:1: remark: 'a.b' op is alone\ntwo\n^\n\
         f.mlir:1:1: remark: memory of 'k':\n 0\none\n^\n\
         f.mlir:1:1: remark: memory of 'l':\n 0\none\n^\n"
    );
}
