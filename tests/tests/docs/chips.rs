//! The page that tells for which element types the operations of TTIR are compiled for each chip.
//!
//! Every example of the operation table is compiled with every element type for every target. An
//! ordinary run compiles a sample of the operations and compares their rows; a run that writes the
//! page, or a long one, compiles all.

use std::fs;
use std::path::Path;
use std::process::Command;

use tessera_ops::{page, table, Class, Creation, OpInfo};
use tessera_test_support::{check_generated_page, is_bless_run, is_long_run};
use tessera_tests::tools::Tools;

use crate::function;

const PAGE: &str = "reference/operations-by-chip.md";

const HEAD: &str = "\
<!-- Generated from runtime/ops and the compiler:
TESSERA_BLESS=1 cargo test -p tessera-tests --test docs. -->

# Operations by chip

These are the element types with which each [operation](operations.md) of `ttir` is compiled for a
chip. An operation is *decomposed* into others, or it has a kernel; of operands that are constants
it is computed by the compiler. Booleans (`i1`) are computed as bf16, `i64` as `i32`.

| operation | compiled as | Tensix | MN-Core 2 |
|---|---|---|---|
";

/// The pipeline of each column.
const PIPELINES: [&str; 2] = ["--ttir-to-tensix-pipeline", "--ttir-to-mncore-pipeline"];

const ELEMENTS: [&str; 4] = ["f32", "bf16", "i32", "i1"];

/// One of so many operations is in the sample.
const SAMPLE: usize = 24;

/// Returns the example of an operation with another element type.
fn with_element(example: &str, element: &str) -> String {
    let values = match element {
        "i1" => "[true, false]",
        "i32" => "[1, 2]",
        _ => "[1.0, 2.0]",
    };
    example
        .replace("[1.0, 2.0]", values)
        .replace("xbf16>", &format!("x{element}>"))
}

/// Returns whether a pipeline compiles a module.
fn compiles(tools: &Tools, pipeline: &str, module: &str) -> bool {
    let input = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operation.mlir");
    fs::write(&input, module).expect("a file below target can be written");
    let output = Command::new(tools.path("ttmlir-opt"))
        .arg(pipeline)
        .arg(&input)
        .output()
        .expect("ttmlir-opt starts");
    output.status.success()
}

/// Returns the row of an operation.
fn row(tools: &Tools, op: &OpInfo, name: &str, example: &str) -> String {
    let how = match op.class {
        Class::Composite(_) => "decomposed",
        _ => "kernel",
    };
    let cells = PIPELINES.map(|pipeline| {
        let compiled = ELEMENTS.iter().filter(|element| {
            compiles(
                tools,
                pipeline,
                &function(0, &with_element(example, element)),
            )
        });
        compiled.copied().collect::<Vec<_>>().join(", ")
    });
    format!("| `{name}` | {how} | {} |\n", cells.join(" | "))
}

/// The committed page matches the compiler; `TESSERA_BLESS=1` rewrites it.
#[test]
fn page_of_chips_matches_the_compiler() {
    let tools = Tools::build().expect("the tools build");
    let ops = table::all().iter().filter_map(|op| {
        // A tensor without values cannot be returned.
        let is_alone = !matches!(op.class, Class::Creation(Creation::Empty));
        let example = page::example(op).filter(|_| is_alone)?;
        Some((op, op.ttir?, example))
    });
    let ops: Vec<_> = ops.collect();
    assert!(ops.len() > 100, "{}", ops.len());
    if is_bless_run() || is_long_run() {
        let rows = ops
            .iter()
            .map(|(op, name, example)| row(&tools, op, name, example));
        let page = rows.fold(HEAD.to_owned(), |page, row| page + &row);
        check_generated_page(&format!("docs/{PAGE}"), &page);
        return;
    }
    let page = crate::page(PAGE);
    assert_eq!(page.lines().count(), HEAD.lines().count() + ops.len());
    for (op, name, example) in ops.iter().step_by(SAMPLE) {
        let row = row(&tools, op, name, example);
        assert!(
            page.contains(&row),
            "docs/{PAGE} has another row than {row}"
        );
    }
}
