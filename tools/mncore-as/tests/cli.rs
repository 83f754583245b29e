//! The tool from outside: arguments and input in, streams and exit code out.

use std::process::Output;

use tessera_cli::testing;

const TOOL: &str = env!("CARGO_BIN_EXE_mncore-as");

/// Runs the tool with these arguments and this input.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    testing::run(TOOL, arguments, input)
}

/// The exit code and both streams.
#[track_caller]
fn check(arguments: &[&str], input: &str, code: i32, stdout: &str, stderr: &str) {
    assert_eq!(
        testing::run_text(TOOL, arguments, input.as_bytes()),
        (Some(code), stdout.to_owned(), stderr.to_owned()),
        "{arguments:?}"
    );
}

const SOURCE: &str =
    "mvp/n64i01 $p0@0 $lc0@0.0 # in\nlpassa $lm0v $ln0v; wait i01\nnop/2\nlpassa $ln0v $lr0v\n";
const PRINTED: &str =
    "mvp/n64i01 $p0@0 $lc0@0.0\nlpassa $lm0v $ln0v; wait i01\nnop\nnop\nlpassa $ln0v $lr0v\n";

#[test]
fn assembles_and_disassembles() {
    check(&["--emit", "vsm"], SOURCE, 0, PRINTED, "");
    for mode in ["auto-stride", "flat"] {
        for form in ["asm", "packed"] {
            let arguments = ["--instruction-mode", mode, "--emit", form];
            let assembled = run(&arguments, SOURCE.as_bytes());
            assert!(assembled.status.success());
            let text = run(&["--disassemble"], &assembled.stdout);
            assert!(
                text.status.success(),
                "{}",
                String::from_utf8_lossy(&text.stderr)
            );
            let again = run(&arguments, &text.stdout);
            assert_eq!(again.stdout, assembled.stdout, "{mode} {form}");
        }
    }
}

#[test]
fn keeps_control_statements_in_text() {
    let output = run(&[], b"nop\nd get $lm0n0c0b0m0p0 1 # here\n");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("j ") && lines[0].len() == 2 + 76);
    assert_eq!(lines[1..], ["d get $lm0n0c0b0m0p0 1"]);
}

#[test]
fn disassembles_control_statements_alone() {
    let source = "d get $lm0n0c0b0m0p0 1\nf\n";
    let assembled = run(&[], source.as_bytes());
    check(
        &["--disassemble"],
        &String::from_utf8_lossy(&assembled.stdout),
        0,
        source,
        "",
    );
    // `--emit packed` writes nothing for statements without a word.
    check(&["--disassemble"], "", 0, "", "");
}

#[test]
fn errors_have_place_and_hint() {
    check(
        &[],
        "lpasa $lm0v $ln0v\n",
        1,
        "",
        "<stdin>:1:1: error: unknown opcode `lpasa` (manual 3.6)\n  lpasa $lm0v $ln0v\n  ^^^^^\n\
         hint: did you mean `lpassa`?\n",
    );
    check(
        &["--emit", "packed"],
        "d get $lm0 1",
        1,
        "",
        "<stdin>:1:1: error: a control statement has no instruction word (manual 3.4)\n  \
         d get $lm0 1\n  ^^^^^^^^^^^^\n\
         hint: remove it, or write text (--emit asm), which keeps it\n",
    );
}

#[test]
fn hazards_are_errors_by_default() {
    let source = "lpassa $lm0v $ln0v\nlpassa $ln0v $lr0v\n";
    check(
        &["--emit", "nothing"],
        source,
        1,
        "",
        "<stdin>:2:8: error: LM1 is read while a write occupies its port (manual 3.6.3.9)\n  \
         lpassa $ln0v $lr0v\n         ^^^^^\n<stdin>:1:14: note: the write\n  \
         lpassa $lm0v $ln0v\n               ^^^^^\nhint: 2 more nops in between\n",
    );
    check(
        &["--emit", "vsm", "--no-hazard-check"],
        source,
        0,
        source,
        "",
    );
    check(
        &["--emit", "vsm", "--fix-hazards"],
        source,
        0,
        "lpassa $lm0v $ln0v\nnop\nnop\nlpassa $ln0v $lr0v\n",
        "",
    );
}

#[test]
fn flat_addresses_need_flat_mode() {
    let source = "lpassa $lm[0,4,10,14] $ln0v";
    let output = run(&[], source.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr)
        .contains("hint: assemble with --instruction-mode flat"));
    assert!(run(&["--instruction-mode", "flat"], source.as_bytes())
        .status
        .success());
}

#[test]
fn explains_and_lists() {
    let page = run(&["--explain", "hmfma"], b"");
    assert!(String::from_utf8_lossy(&page.stdout).contains("manual   3.6.9.8"));
    let page = run(&["--explain", "get"], b"");
    assert!(String::from_utf8_lossy(&page.stdout).starts_with("d get: Prints"));
    check(
        &["--explain", "hmfmaa"],
        "",
        1,
        "",
        "error: no opcode `hmfmaa`; did you mean `hmfma`? --list prints all\n",
    );
    check(
        &["--explain", "foo"],
        "",
        1,
        "",
        "error: no opcode `foo`; --list prints all\n",
    );
    assert!(
        String::from_utf8_lossy(&run(&["--list"], b"").stdout)
            .lines()
            .count()
            > 150
    );
}

#[test]
fn bad_input_and_bad_command_lines() {
    check(
        &["--disassemble"],
        "xx",
        1,
        "",
        "error: <stdin>: 2 bytes are not a multiple of 128, the size of a unit\n",
    );
    assert_eq!(run(&["--emit", "elf"], b"").status.code(), Some(2));
    assert_eq!(
        run(&["--fix-hazards", "--no-hazard-check"], b"")
            .status
            .code(),
        Some(2)
    );
    assert_eq!(run(&["/nonexistent/x.vsm"], b"").status.code(), Some(1));
    let binary = run(&[], b"nop\n \xff");
    assert_eq!(binary.status.code(), Some(1));
    assert_eq!(
        String::from_utf8_lossy(&binary.stderr),
        "<stdin>:2:2: error: invalid UTF-8: byte 0xff; the input is text\n"
    );
}

/// Errors beyond the first hundred are counted.
#[test]
fn many_errors_are_counted() {
    let source = "lpasa $lm0v $ln0v\n".repeat(2_000);
    let output = run(&[], source.as_bytes());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr.matches("hint: did you mean `lpassa`?").count(), 100);
    assert!(
        stderr.ends_with("note: 1900 more errors are not shown\n"),
        "{stderr}"
    );
}

#[test]
fn completions() {
    testing::check_completions(TOOL, "mncore-as");
}
