//! The reference page of each dialect is what `mlir-tblgen` makes of its ODS files.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use tessera_test_support::check_generated_page;

/// Every dialect declared in `ods`.
const DIALECTS: [&str; 6] = ["ttcore", "ttir", "ttnn", "pto", "tensix", "mncore"];

/// The file that includes all declarations of a dialect.
fn declarations(dialect: &str) -> PathBuf {
    let file = format!("ods/{dialect}/Ops.td");
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

/// Runs `mlir-tblgen -gen-dialect-doc` on a dialect.
fn generate(dialect: &str) -> String {
    let prefix = env::var("MLIR_SYS_190_PREFIX").unwrap_or_else(|_| "/usr/lib/llvm-19".to_owned());
    let prefix = Path::new(&prefix);
    let include = |folder: &Path| format!("-I{}", folder.display());
    let output = Command::new(prefix.join("bin/mlir-tblgen"))
        .arg("-gen-dialect-doc")
        .arg(format!("-dialect={dialect}"))
        .arg(include(&Path::new(env!("CARGO_MANIFEST_DIR")).join("ods")))
        .arg(include(Path::new(env!("OUT_DIR"))))
        .arg(include(&prefix.join("include")))
        .arg(declarations(dialect))
        .output()
        .expect("mlir-tblgen starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{dialect}: {errors}");
    String::from_utf8(output.stdout).expect("the page is UTF-8")
}

/// Returns a heading without the name of a C++ class after it.
fn without_class(line: &str) -> &str {
    let is_heading = line.starts_with("### ");
    match line.split_once(" (::") {
        Some((heading, _)) if is_heading => heading,
        _ => line.trim_end(),
    }
}

/// Returns the page of a dialect: what is generated, without C++ names and repeated blank lines.
fn page(dialect: &str) -> String {
    let mut page = format!(
        "<!-- Generated from dialects/ods/{dialect}: TESSERA_BLESS=1 cargo test -p \
         tessera-dialects --test pages. -->\n\n# The `{dialect}` dialect\n"
    );
    let generated = generate(dialect);
    let is_kept = |line: &&str| {
        !line.starts_with("<!--") && !line.starts_with("# ") && !line.starts_with("[TOC]")
    };
    for line in generated.lines().filter(is_kept) {
        let line = without_class(line);
        if line.is_empty() && page.ends_with("\n\n") {
            continue;
        }
        // A summary is followed by a blank line, a table begins after one.
        page += line;
        page.push('\n');
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

#[test]
fn pages_match_the_declarations() {
    for dialect in DIALECTS {
        let page = page(dialect);
        assert!(page.contains("## Operations\n"), "{dialect}: {page}");
        check_generated_page(&format!("docs/reference/dialects/{dialect}.md"), &page);
    }
}
