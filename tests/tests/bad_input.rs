//! Invalid input for every tool: the tool rejects it with exit code 1 and a message with the
//! reason. It does not panic, abort, hang, or accept the input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use tessera_tests::process::{Limits, Run, Verdict, LIMITS};
use tessera_tests::tools::Tools;

struct Bench {
    tools: Tools,
    dir: PathBuf,
}

/// Returns the tools and a directory for all tests of this file, made once.
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
        Run::execute(&self.tools.path(tool), arguments, &self.dir).expect("the tool starts")
    }

    fn write(&self, name: &str, content: &[u8]) {
        fs::write(self.dir.join(name), content).expect("a file below target can be written");
    }

    #[track_caller]
    fn accepts(&self, tool: &str, arguments: &[&str]) {
        let run = self.run(tool, arguments);
        let stderr = run.stderr();
        assert_eq!(
            run.verdict(),
            Ok(Verdict::Accepted),
            "{tool} {arguments:?}: {stderr}"
        );
    }

    /// Checks that a run fails with exit code 1 and a message that contains `expect`.
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
        "unknown_op.mlir:2:3: error: 'ttir.nonsense' is not supported; 'ttmlir-opt \
         --list-operations=ttir' lists",
    );
    check_mlir(
        "missing_function.mlir",
        b"func.func @f() {\n  func.call @missing() : () -> ()\n  return\n}\n",
        "missing_function.mlir:2:3: error: 'func.call' op 'missing' does not reference a valid \
         function",
    );
    check_mlir(
        "wrong_shapes.mlir",
        b"func.func @f(%a: tensor<64x128xbf16>, %b: tensor<127x96xbf16>) \
          -> tensor<64x96xbf16> {\n  \
          %0 = \"ttir.matmul\"(%a, %b) \
          : (tensor<64x128xbf16>, tensor<127x96xbf16>) -> tensor<64x96xbf16>\n  \
          return %0 : tensor<64x96xbf16>\n}\n",
        "wrong_shapes.mlir:2:8: error: 'ttir.matmul' op Input A[-1](128) and B[-2](127) must have \
         matching inner",
    );
}

/// Texts by which the parser of LLVM 19 damages its heap or reads through a null pointer, and one
/// whose printer overflows its stack.
#[test]
fn mlir_that_crashes_the_parser() {
    let bench = bench();
    let freed = "func.func @cube(%a: tensor<64x64xf32>) { %x = tensor.extract %a[%0, %0] : \
                 tensor<64x64xf32> } func.func @v() { %0 = arith.constant 0 : index";
    let null = "scf.for%i=%0to%2step%1{%1=arith.constant 1:index}";
    let diagnosed = "error: expected operation name in quotes\nfunc.func @cube";
    for (name, text, signal, diagnosed) in [
        ("freed.mlir", freed, "SIGABRT", diagnosed),
        ("null.mlir", null, "SIGSEGV", ""),
    ] {
        bench.write(name, text.as_bytes());
        let error =
            format!("{name}:1:1: error: MLIR's parser failed (signal {signal}) on this input; ");
        for (tool, arguments) in [
            ("ttmlir-opt", &[name][..]),
            ("ttmlir-opt", &["--verify-diagnostics", name]),
            ("ttmlir-translate", &["--ttnn-to-flatbuffer", name]),
            ("ttmlir-translate", &["--mncore-to-vsm", name]),
        ] {
            bench.refuses(tool, arguments, &error);
            bench.refuses(tool, arguments, diagnosed);
        }
        // The place is the part that fails; what the parts before it say comes out.
        let split = format!("split_{name}");
        bench.write(&split, format!("foo\n// -----\n{text}").as_bytes());
        let error =
            format!("{split}:3:1: error: MLIR's parser failed (signal {signal}) on this input; ");
        for arguments in [
            &["--split-input-file", &split][..],
            &["--split-input-file", "--verify-diagnostics", &split],
        ] {
            bench.refuses("ttmlir-opt", arguments, &error);
            bench.refuses("ttmlir-opt", arguments, diagnosed);
            bench.refuses("ttmlir-opt", arguments, "custom op 'foo' is unknown");
        }
    }
    let mut deep = "#a0 = [1]\n".to_owned();
    for alias in 1..60_000 {
        deep += &format!("#a{alias} = [#a{}]\n", alias - 1);
    }
    deep += "func.func private @f() attributes {x = #a59999}\n";
    bench.write("aliases.mlir", deep.as_bytes());
    let error = "aliases.mlir:1:1: error: MLIR's printer failed (signal SIGSEGV) on this input; ";
    bench.refuses("ttmlir-opt", &["aliases.mlir"], error);
}

/// Bytecode with damage at any offset.
#[test]
fn bytecode_that_was_damaged() {
    let bench = bench();
    bench.write("whole.mlir", RELU.as_bytes());
    bench.accepts(
        "ttmlir-opt",
        &["--emit-bytecode", "whole.mlir", "-o", "whole.mlirbc"],
    );
    let whole = fs::read(bench.dir.join("whole.mlirbc")).expect("it was written");
    for length in (4..whole.len()).step_by(whole.len() / 20) {
        bench.write("damaged.mlirbc", &whole[..length]);
        bench.refuses("ttmlir-opt", &["damaged.mlirbc"], "damaged.mlirbc:");
    }
    for flip in 0..60 {
        let mut damaged = whole.clone();
        damaged[4 + flip * 7919 % (whole.len() - 4)] ^= 1 << (flip % 8);
        bench.write("damaged.mlirbc", &damaged);
        for (tool, arguments) in [
            ("ttmlir-opt", &["damaged.mlirbc"][..]),
            (
                "ttmlir-translate",
                &[
                    "--ttnn-to-flatbuffer",
                    "damaged.mlirbc",
                    "-o",
                    "damaged.out",
                ],
            ),
        ] {
            let verdict = bench.run(tool, arguments).verdict();
            assert!(verdict.is_ok(), "{tool}, flip {flip}: {verdict:?}");
        }
    }
}

/// Strings whose escapes are bytes that are not UTF-8.
#[test]
fn mlir_strings_that_are_not_utf8() {
    check_mlir(
        "symbol.mlir",
        b"module {\n  func.func private @\"a\\FF\"()\n}\n",
        "symbol.mlir:2:3: error: has a string that is not UTF-8",
    );
}

/// Bytecode whose names are not UTF-8, which text cannot contain.
#[test]
fn bytecode_that_is_not_utf8() {
    let bench = bench();
    let text = "func.func @f() -> tensor<1xf32> {\n  %0 = \"ttir.constant\"() <{value = \
                dense_resource<weights> : tensor<1xf32>}> : () -> tensor<1xf32>\n  \
                return %0 : tensor<1xf32>\n}\n\
                {-# dialect_resources: { builtin: { weights: \"0x0400000000000000\" } } #-}\n";
    bench.write("whole.mlir", text.as_bytes());
    bench.accepts(
        "ttmlir-opt",
        &["--emit-bytecode", "whole.mlir", "-o", "whole.mlirbc"],
    );
    let mut bytes = fs::read(bench.dir.join("whole.mlirbc")).expect("it was written");
    let name = b"weights";
    let places = 0..bytes.len() - name.len();
    let places: Vec<_> = places.filter(|&at| bytes[at..].starts_with(name)).collect();
    assert!(!places.is_empty(), "the bytecode names the resource");
    for at in places {
        bytes[at] = 0xff;
    }
    bench.write("names.mlirbc", &bytes);
    let error = "names.mlirbc:1:1: error: the bytecode has names that are not UTF-8";
    bench.refuses("ttmlir-opt", &["names.mlirbc"], error);
}

/// Bytecode with a location where a type belongs, which MLIR's reader refuses without a reason.
#[test]
fn bytecode_that_is_refused_without_a_reason() {
    // A function that returns a constant; its byte 56 was 0x17.
    #[rustfmt::skip]
    const BYTES: [u8; 190] = [
        0x01, 0x1f, 0x07, 0x01, 0x05, 0x09, 0x09, 0x01, 0x03, 0x0f, 0x03, 0x05, 0x07, 0x13, 0x05,
        0x03, 0x17, 0x03, 0x23, 0x11, 0x07, 0x01, 0x11, 0x0b, 0x13, 0x0b, 0x0b, 0x13, 0x1f, 0x13,
        0x13, 0x01, 0x07, 0x13, 0x13, 0x07, 0x02, 0x4d, 0x05, 0x0d, 0x13, 0x01, 0x01, 0x01, 0x0d,
        0x03, 0x05, 0x0f, 0x17, 0x01, 0x03, 0x03, 0x25, 0x01, 0x09, 0x00, 0x00, 0xc0, 0x3f, 0x17,
        0x01, 0x05, 0x11, 0x17, 0x01, 0x07, 0x07, 0x1b, 0x03, 0x11, 0x05, 0x05, 0x01, 0x03, 0x01,
        0x0b, 0x04, 0x41, 0x05, 0x01, 0x50, 0x03, 0x01, 0x07, 0x04, 0x31, 0x03, 0x01, 0x05, 0x03,
        0x50, 0x09, 0x03, 0x07, 0x04, 0x1d, 0x03, 0x03, 0x09, 0x07, 0x42, 0x0d, 0x05, 0x03, 0x01,
        0x05, 0x04, 0x0f, 0x03, 0x01, 0x06, 0x03, 0x01, 0x05, 0x01, 0x00, 0x77, 0x11, 0x05, 0x0f,
        0x13, 0x0f, 0x0f, 0x0b, 0x0b, 0x11, 0x62, 0x75, 0x69, 0x6c, 0x74, 0x69, 0x6e, 0x00, 0x66,
        0x75, 0x6e, 0x63, 0x00, 0x74, 0x74, 0x69, 0x72, 0x00, 0x6d, 0x6f, 0x64, 0x75, 0x6c, 0x65,
        0x00, 0x72, 0x65, 0x74, 0x75, 0x72, 0x6e, 0x00, 0x63, 0x6f, 0x6e, 0x73, 0x74, 0x61, 0x6e,
        0x74, 0x00, 0x6d, 0x2e, 0x6d, 0x6c, 0x69, 0x72, 0x00, 0x66, 0x00, 0x08, 0x19, 0x07, 0x05,
        0x01, 0x01, 0x0b, 0x01, 0x05, 0x01, 0x07, 0x01, 0x03, 0x0b,
    ];
    let bench = bench();
    let header = b"ML\xefR\x0dMLIR19.1.7\0";
    bench.write("attribute.mlirbc", &[&header[..], &BYTES].concat());
    let error =
        "attribute.mlirbc:1:1: error: MLIR's bytecode reader rejects this input without a reason";
    bench.refuses("ttmlir-opt", &["attribute.mlirbc"], error);
}

/// Bytecode of 43 bytes that declares 2^29 strings, for which MLIR's reader would allocate 8 GiB.
#[test]
fn bytecode_that_declares_too_many_strings() {
    let strings = [0x00, 0x0b, 0x10, 0x00, 0x00, 0x00, 0x04];
    let other_sections: Vec<u8> = (1..=8).flat_map(|section| [section, 0x01]).collect();
    let header = b"ML\xefR\x0dMLIR19.1.7\0";
    let bench = bench();
    bench.write(
        "strings.mlirbc",
        &[&header[..], &strings, &other_sections].concat(),
    );
    let limits = Limits {
        memory: 4 << 30,
        ..LIMITS
    };
    for (tool, arguments) in [
        ("ttmlir-opt", &["strings.mlirbc"][..]),
        (
            "ttmlir-translate",
            &["--ttnn-to-flatbuffer", "strings.mlirbc"],
        ),
    ] {
        let run = Run::execute_within(limits, &bench.tools.path(tool), arguments, &bench.dir);
        let run = run.expect("the tool starts");
        assert_eq!(run.verdict(), Ok(Verdict::Refused), "{tool}");
        let error = "strings.mlirbc:1:1: error: MLIR's bytecode reader failed ";
        assert!(run.stderr().contains(error), "{tool}: {}", run.stderr());
    }
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

const RELU: &str = "func.func @forward(%a: tensor<33x2xbf16>) -> tensor<33x2xbf16> {
  %0 = \"ttir.relu\"(%a) : (tensor<33x2xbf16>) -> tensor<33x2xbf16>
  return %0 : tensor<33x2xbf16>
}
";

/// Compiles `ttir` to the program file `<name>.ttnn` and returns its bytes.
fn compile(pipeline: &str, name: &str, ttir: &str) -> Vec<u8> {
    let bench = bench();
    let [source, compiled, file] =
        ["mlir", "compiled.mlir", "ttnn"].map(|end| format!("{name}.{end}"));
    bench.write(&source, ttir.as_bytes());
    bench.accepts("ttmlir-opt", &[pipeline, &source, "-o", &compiled]);
    bench.accepts(
        "ttmlir-translate",
        &["--ttnn-to-flatbuffer", &compiled, "-o", &file],
    );
    fs::read(bench.dir.join(file)).expect("it was written")
}

#[test]
fn program_files_that_were_damaged() {
    let bench = bench();
    let whole = compile("--ttir-to-tensix-pipeline", "whole", RELU);
    let readers: [&[&str]; 3] = [
        &["run", "damaged"],
        &["check", "damaged"],
        &["read", "damaged"],
    ];
    for length in (0..whole.len())
        .step_by(whole.len() / 20)
        .chain([whole.len() - 1])
    {
        bench.write("damaged", &whole[..length]);
        for arguments in readers {
            bench.refuses(
                "ttrt",
                arguments,
                &format!("the file is truncated: it has {length} of "),
            );
        }
        bench.refuses(
            "ttmlir-translate",
            &["--flatbuffer-to-json", "damaged"],
            "the file is truncated",
        );
    }
    // Any bit anywhere: most change the hash of a kernel, some only a name.
    let mut refused = 0;
    for flip in 0..100 {
        let mut damaged = whole.clone();
        damaged[flip * 7919 % whole.len()] ^= 1 << (flip % 8);
        bench.write("damaged", &damaged);
        for arguments in [&["run", "damaged"], &["read", "damaged"]] {
            let verdict = bench.run("ttrt", arguments).verdict();
            refused += usize::from(verdict == Ok(Verdict::Refused));
            assert!(verdict.is_ok(), "flip {flip}: {verdict:?}");
        }
    }
    assert!(refused > 50, "{refused} of 200 runs were refused");
}

#[test]
fn program_files_of_another_schema() {
    let mut bytes = compile("--ttir-to-tensix-pipeline", "schema", RELU);
    let ours = tessera_program::schema_hash().to_string();
    let at = bytes
        .windows(ours.len())
        .position(|part| part == ours.as_bytes());
    bytes[at.expect("a file says its schema")..][..2].copy_from_slice(b"zz");
    let bench = bench();
    bench.write("other_schema.ttnn", &bytes);
    for command in READERS {
        bench.refuses(
            "ttrt",
            &[command, "other_schema.ttnn"],
            "the file has schema hash zz",
        );
    }
}

/// Only the reference device supports integers of 16 bits.
#[test]
fn casts_of_short_integers_on_tensix() {
    let bench = bench();
    let cast = "func.func @forward(%a: tensor<33x2xui16>) -> tensor<33x2xbf16> {\n  \
                %0 = \"ttir.typecast\"(%a) : (tensor<33x2xui16>) -> tensor<33x2xbf16>\n  \
                return %0 : tensor<33x2xbf16>\n}\n";
    compile("--ttir-to-ttnn-runtime-pipeline", "cast", cast);
    bench.accepts("ttrt", &["run", "--device", "reference", "cast.ttnn"]);
    for (tool, arguments, expect) in [
        (
            "ttrt",
            &["run", "--device", "tensix", "cast.ttnn"][..],
            "is ui16, but this device holds bf16, f32 and si32 only",
        ),
        (
            "ttmlir-opt",
            &["--ttir-to-tensix-pipeline", "cast.mlir"],
            "has no kernel from ui16 to bf16; those between bf16, f32 and si32 have one",
        ),
    ] {
        bench.refuses(tool, arguments, expect);
    }
}

#[test]
fn inputs_that_do_not_fit() {
    let bench = bench();
    compile("--ttir-to-tensix-pipeline", "inputs", RELU);
    bench.accepts("ttrt", &["run", "inputs.ttnn", "-o", "good.npy"]);
    let good = fs::read(bench.dir.join("good.npy")).expect("it was written");
    let edited = |from: &str, to: &str| {
        let at = good
            .windows(from.len())
            .position(|part| part == from.as_bytes());
        let mut bytes = good.clone();
        bytes[at.expect("a header has it")..][..from.len()].copy_from_slice(to.as_bytes());
        bytes
    };
    for (content, expect) in [
        (
            edited("<f4", "<f8"),
            "the file has elements of type '<f8', but a bf16 tensor is read from float32",
        ),
        (
            edited("(33, 2)", "(2, 33)"),
            "the file has shape 2x33, but the tensor has 33x2",
        ),
        (
            good[..good.len() - 1].to_vec(),
            "it is truncated or was appended to",
        ),
        (good[..9].to_vec(), "the .npy file ends within its header"),
        (Vec::new(), "the .npy file ends within its header"),
    ] {
        bench.write("inputs.npy", &content);
        bench.refuses(
            "ttrt",
            &["run", "inputs.ttnn", "--input", "inputs.npy"],
            expect,
        );
    }
    let two = [
        "run",
        "inputs.ttnn",
        "--input",
        "good.npy",
        "--input",
        "good.npy",
    ];
    bench.refuses(
        "ttrt",
        &two,
        "program 'forward' takes 1 inputs, but 2 files were given",
    );
    let missing = ["run", "inputs.ttnn", "--program", "backward"];
    bench.refuses(
        "ttrt",
        &missing,
        "the file has no program 'backward' that can be run; it has: 'forward'",
    );
}

/// A tool exits with the same code if its messages cannot be written.
#[test]
fn messages_that_cannot_be_written() {
    let bench = bench();
    bench.write("unheard.mlir", RELU.as_bytes());
    let compile = [
        "--ttir-to-tensix-pipeline=print-memory-map",
        "unheard.mlir",
        "-o",
        "unheard.out.mlir",
    ];
    for (tool, arguments, code) in [
        ("ttmlir-opt", &["nowhere.mlir"][..], 1),
        ("ttmlir-opt", &["--ttir-to-tensix-pipeline=a=b"], 2),
        ("ttmlir-opt", &compile, 0),
        ("ttmlir-translate", &["--mncore-to-vsm", "nowhere"], 1),
        ("ttmlir-translate", &["--mncore-to-vsm", "unheard.mlir"], 1),
        ("ttrt", &["run", "nowhere.ttnn"], 1),
        ("tensix-as", &["nowhere.s"], 1),
        ("tensix-emu", &["words", "nowhere.s"], 1),
        ("mncore-as", &["nowhere.vsm"], 1),
        ("mncore-emu", &["-i", "nowhere.vsm"], 1),
    ] {
        let (reader, closed) = std::io::pipe().expect("there are pipes");
        drop(reader);
        let full = fs::OpenOptions::new().write(true).open("/dev/full");
        for stderr in [Stdio::from(closed), full.expect("Linux has it").into()] {
            let status = Command::new(bench.tools.path(tool))
                .args(arguments)
                .current_dir(&bench.dir)
                .stdout(Stdio::null())
                .stderr(stderr)
                .status()
                .expect("the tool starts");
            assert_eq!(status.code(), Some(code), "{tool} {arguments:?}");
        }
    }
}
