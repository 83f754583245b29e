//! Bad input, given to the tools as they are shipped: each refuses it with exit code 1 and a message that says what is
//! wrong. None panics, aborts, hangs, or accepts it.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use tessera_tests::process::{Run, Verdict};
use tessera_tests::tools::Tools;

struct Bench {
    tools: Tools,
    dir: PathBuf,
}

/// The tools and a directory for all tests of this file, made once.
fn bench() -> &'static Bench {
    static BENCH: OnceLock<Bench> = OnceLock::new();
    BENCH.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bad_input");
        fs::create_dir_all(&dir).expect("a directory below target can be made");
        Bench {
            tools: Tools::build().expect("the tools build"),
            dir,
        }
    })
}

impl Bench {
    fn run(&self, tool: &str, arguments: &[&str]) -> Run {
        Run::of(&self.tools.path(tool), arguments, &self.dir).expect("the tool starts")
    }

    fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.dir.join(name), content).expect("a file below target can be written");
    }

    /// The run is refused, and its message holds `expect`.
    #[track_caller]
    fn refuses(&self, tool: &str, arguments: &[&str], expect: &str) {
        let run = self.run(tool, arguments);
        assert_eq!(run.verdict(), Ok(Verdict::Refused), "{tool} {arguments:?}");
        let stderr = run.stderr();
        assert!(
            stderr.contains(expect),
            "{tool} {arguments:?}: no `{expect}` in: {stderr}"
        );
    }
}

#[track_caller]
fn check_mlir(name: &str, content: &[u8], expect: &str) {
    let bench = bench();
    bench.write(name, content);
    bench.refuses("ttmlir-opt", &[name], expect);
}

fn nested(open: &str, close: &str) -> Vec<u8> {
    let depth = 100_000;
    format!(
        "func.func @f() {{ {}{} }}",
        open.repeat(depth),
        close.repeat(depth)
    )
    .into_bytes()
}

#[test]
fn mlir_that_is_no_mlir() {
    check_mlir(
        "empty.mlir",
        b"",
        "empty.mlir:1:1: error: the input is empty",
    );
    check_mlir(
        "garbage.mlir",
        b"@#$% \x01\x02 garbage",
        "garbage.mlir:1:2: error: @ identifier expected",
    );
    check_mlir(
        "nul.mlir",
        b"module {\n\0}\n",
        "nul.mlir:2:1: error: NUL byte in MLIR text",
    );
    check_mlir(
        "utf8.mlir",
        b"module {\n  // \xff\xfe\n}\n",
        "utf8.mlir:2:6: error: invalid UTF-8: byte 0xff",
    );
    let too_deep = "error: nested more than 512 levels deep";
    check_mlir("parentheses.mlir", &nested("(", ")"), too_deep);
    check_mlir("angles.mlir", &nested("tuple<", ">"), too_deep);
    check_mlir("braces.mlir", &nested("module {", "}"), too_deep);
    check_mlir("brackets.mlir", &nested("[", "]"), too_deep);
}

#[test]
fn mlir_that_is_no_program() {
    check_mlir(
        "unknown_op.mlir",
        b"module {\n  \"ttir.nonsense\"() : () -> ()\n}\n",
        "unknown_op.mlir:2:3: error: unregistered operation 'ttir.nonsense'",
    );
    check_mlir(
        "missing_function.mlir",
        b"func.func @f() {\n  func.call @missing() : () -> ()\n  return\n}\n",
        "missing_function.mlir:2:3: error: 'func.call' op 'missing' does not reference a valid function",
    );
    check_mlir(
        "wrong_shapes.mlir",
        b"func.func @f(%a: tensor<64x128xbf16>, %b: tensor<127x96xbf16>) -> tensor<64x96xbf16> {\n  \
          %0 = \"ttir.matmul\"(%a, %b) : (tensor<64x128xbf16>, tensor<127x96xbf16>) -> tensor<64x96xbf16>\n  \
          return %0 : tensor<64x96xbf16>\n}\n",
        "wrong_shapes.mlir:2:8: error: 'ttir.matmul' op Input A[-1](128) and B[-2](127) must have matching inner",
    );
}

#[test]
fn files_that_cannot_be_read() {
    let bench = bench();
    let no_file = "cannot read no-such-file: No such file";
    bench.refuses("ttmlir-opt", &["no-such-file"], no_file);
    bench.refuses("ttmlir-opt", &["."], "cannot read .: Is a directory");
    for command in READERS {
        bench.refuses("ttrt", &[command, "no-such-file"], no_file);
        bench.refuses("ttrt", &[command, "."], ". is a directory: give one file");
    }
}

/// The commands of `ttrt` that read a program file.
const READERS: [&str; 3] = ["run", "read", "check"];

#[test]
fn program_files_that_are_none() {
    let bench = bench();
    for (name, content, expect) in [
        (
            "empty.ttnn",
            &b""[..],
            "empty.ttnn: the file is truncated: it has 0 of 12 bytes",
        ),
        (
            "text.ttnn",
            b"func.func @f() { return }",
            "text.ttnn: not a Tessera program: its file identifier is",
        ),
        (
            "zeros.ttnn",
            &[0; 64],
            "zeros.ttnn: not a Tessera program: its file identifier is",
        ),
    ] {
        bench.write(name, content);
        for command in READERS {
            bench.refuses("ttrt", &[command, name], expect);
        }
    }
}
