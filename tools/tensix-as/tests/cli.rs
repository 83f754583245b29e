//! The tool from outside: arguments and input in, streams and exit code out.

use std::process::Output;

use tessera_cli::testing;

const TOOL: &str = env!("CARGO_BIN_EXE_tensix-as");

/// Runs the tool with these arguments and this input.
fn run(arguments: &[&str], input: &[u8]) -> Output {
    testing::run(TOOL, arguments, input)
}

/// The exit code and both streams.
#[track_caller]
fn check(arguments: &[&str], input: &[u8], code: i32, stdout: &str, stderr: &str) {
    assert_eq!(
        testing::run_text(TOOL, arguments, input),
        (Some(code), stdout.to_owned(), stderr.to_owned()),
        "{arguments:?}"
    );
}

const SOURCE: &[u8] = b"ttreplay 16,16,0,1 # record\nttmvmul 0, 0, 3, 8\n";
const PRINTED: &str = "ttreplay 16, 16, 0, 1\nttmvmul 0, 0, 3, 8\n";

#[test]
fn assembles_and_disassembles() {
    check(&[], SOURCE, 0, "0x04040101\n0x26018008\n", "");
    check(&["--emit", "asm"], SOURCE, 0, PRINTED, "");
    check(
        &["--arch", "blackhole"],
        SOURCE,
        0,
        "0x04040101\n0x2600c008\n",
        "",
    );
    check(&["--rotated"], SOURCE, 0, "0x10100404\n0x98060020\n", "");
    for form in ["words", "bytes"] {
        for more in [&[][..], &["--rotated"], &["--arch", "blackhole"]] {
            let words = run(&[&["--emit", form], more].concat(), SOURCE);
            assert!(words.status.success());
            let read = format!("--disassemble={form}");
            check(
                &[&[read.as_str()], more].concat(),
                &words.stdout,
                0,
                PRINTED,
                "",
            );
        }
    }
}

#[test]
fn explains() {
    let page = run(&["--explain", "MVMUL"], b"");
    let page = String::from_utf8_lossy(&page.stdout);
    for line in [
        "MVMUL: Dst (8x16) += SrcB (8x16) @ SrcA (16x16), one fidelity phase.",
        "cycles   5 (ISA documentation, MatrixUnit.md)",
        "    16:15  addr_mode                0 to 3",
        "    16:14  addr_mode                0 to 7",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
    let list = run(&["--list"], b"");
    assert!(String::from_utf8_lossy(&list.stdout).contains("| 0x26 | "));
}

#[test]
fn refuses() {
    for (arguments, input, message) in [
        (
            &[][..],
            &b"ttnop\nttmvmul 0, 0, 4, 0\nfoo\n"[..],
            "<stdin>:2:15: error: MVMUL: addr_mode is 4, but its field holds 0 to 3\n  \
             ttmvmul 0, 0, 4, 0\n                ^\n\
             <stdin>:3:1: error: unknown instruction `foo`\n  foo\n  ^^^\n",
        ),
        (
            &[],
            b"sfparecip 0, 0, 0, 0",
            "<stdin>:1:1: error: wormhole_b0 has no SFPARECIP\n  sfparecip 0, 0, 0, 0\n  \
             ^^^^^^^^^\nhint: blackhole has it (--arch blackhole)\n",
        ),
        (
            &[],
            b"ttnop\n\xff",
            "<stdin>:2:1: error: invalid UTF-8: byte 0xff; the input is text\n",
        ),
        (
            &["--rotated"],
            b".word 0xc0000000",
            "error: <stdin>: 0xc0000000 cannot be pushed by RISC-V code: ",
        ),
        (
            &["--disassemble", "--rotated"],
            b"0x13",
            "error: <stdin>: 0x00000013 pushes nothing: its lowest two bits are set\n",
        ),
        (
            &["--disassemble"],
            b"0x123456789",
            "error: <stdin>: `0x123456789` is not a word of up to eight hexadecimal digits\n",
        ),
        (
            &["--disassemble"],
            b"0x +5",
            "error: <stdin>: `0x` is not a word of up to eight hexadecimal digits\n",
        ),
        (
            &["--disassemble"],
            b"+5",
            "error: <stdin>: `+5` is not a word of up to eight hexadecimal digits\n",
        ),
        (
            &["--disassemble=bytes"],
            b"\x00\x00\x00",
            "error: <stdin> has 3 bytes, which is not a whole number of words\n",
        ),
        (
            &["--explain", "xyzzy"],
            b"",
            "error: no instruction `xyzzy`; --list prints all\n",
        ),
        (
            &["--explain", "sfparecpi"],
            b"",
            "error: no instruction `sfparecpi`; did you mean `sfparecip`? --list prints all\n",
        ),
        (&["nowhere.s"], b"", "error: cannot read nowhere.s: "),
    ] {
        let output = run(arguments, input);
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {text}");
        assert!(text.starts_with(message), "{arguments:?}: {text}");
        assert!(output.stdout.is_empty());
    }
    let arch = run(&["--arch", "grayskull"], b"");
    assert_eq!(arch.status.code(), Some(2));
    let text = String::from_utf8_lossy(&arch.stderr);
    assert!(text.contains("unknown architecture `grayskull`; known are wormhole_b0 and blackhole"));
}

/// Whoever closes the standard output has seen enough; if there is no room for it, that is an
/// error.
#[test]
fn output_that_cannot_be_written() {
    for (arguments, input) in [
        (&["--list"][..], &b""[..]),
        (&["--explain", "mvmul"], b""),
        (&[], SOURCE),
    ] {
        let told = testing::run_unread(TOOL, arguments, input);
        assert_eq!(told, testing::expected_unread(), "{arguments:?}");
    }
}

/// Errors beyond the first hundred are counted.
#[test]
fn many_errors_are_counted() {
    let source = "ttmvmull 0\n".repeat(2_000);
    let output = run(&[], source.as_bytes());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(stderr.matches("hint: did you mean `ttmvmul`?").count(), 100);
    assert!(
        stderr.ends_with("note: 1900 more errors are not shown\n"),
        "{stderr}"
    );
}

#[test]
fn completions() {
    testing::check_completions(TOOL, "tensix-as");
}
