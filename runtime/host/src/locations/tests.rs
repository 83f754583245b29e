use super::*;
use tessera_program::TensorOp;

fn operation(loc: &str) -> Operation {
    Operation {
        op: TensorOp::new("abs", &[0], &[1])
            .expect("it is in the table")
            .into(),
        debug_info: String::new(),
        loc: loc.to_owned(),
    }
}

#[test]
fn locations_correspond_by_their_operation() {
    let from = ["a.mlir:1:1", "a.mlir:2:1"].map(operation);
    let to = ["a.mlir:7:1", "b.mlir:8:1"].map(operation);
    for (text, expected) in [
        ("a.mlir:1:1", "a.mlir:7:1"),
        ("a.mlir:1:1, a.mlir:2:1", "a.mlir:7:1, b.mlir:8:1"),
        ("a.mlir:2", "b.mlir:8"),
        ("elsewhere", "elsewhere"),
        ("", ""),
    ] {
        assert_eq!(translate(&from, &to, text), expected, "{text}");
    }
    // Without a location of its own, that of the first group is better than none.
    assert_eq!(
        translate(&from, &["", ""].map(operation), "a.mlir:1:1"),
        "a.mlir:1:1"
    );
}
