//! The command line: what is printed and written, and exit codes.

#[path = "../../../runtime/host/tests/common/mod.rs"]
mod common;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tessera_program::{Binary, DataType};
use tessera_reference::npy::{self, Bf16Form};
use tessera_reference::Tensor;

/// A directory for the files of one test.
struct Bench(PathBuf);

impl Bench {
    fn new(test: &str) -> Self {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        std::fs::create_dir_all(&dir).unwrap();
        let bench = Self(dir);
        bench.write("p.ttnn", &common::matmul(2, 3, 4).to_bytes().unwrap());
        bench
    }

    fn write(&self, name: &str, bytes: &[u8]) {
        std::fs::write(self.0.join(name), bytes).unwrap();
    }

    fn read(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.0.join(name)).unwrap()
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_slice(&self.read(name)).unwrap()
    }

    /// Runs ttrt with arguments that are separated by spaces.
    fn ttrt(&self, arguments: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_ttrt"))
            .args(arguments.split_whitespace())
            .current_dir(&self.0)
            .output()
            .unwrap()
    }

    /// What ttrt prints.
    #[track_caller]
    fn passes(&self, arguments: &str) -> String {
        let output = self.ttrt(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.as_str()), (Some(0), ""));
        String::from_utf8(output.stdout).unwrap()
    }

    /// ttrt exits with `code` and says `text`.
    #[track_caller]
    fn fails(&self, arguments: &str, code: i32, text: &str) {
        let output = self.ttrt(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        assert_eq!(stderr.trim_end(), text);
    }
}

fn bf16(shape: &[u64], values: &[f64]) -> Tensor {
    Tensor::from_f64s(shape.to_vec(), DataType::BF16, values).unwrap()
}

const A: &[f64] = &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
const B: &[f64] = &[1.0, 0.0, 0.0, 2.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
const C: &[f64] = &[1.0, 2.0, 3.0, 2.0, 4.0, 5.0, 6.0, 8.0];

#[test]
fn runs_on_both_devices() {
    let bench = Bench::new("runs");
    bench.write("a.npy", &npy::write(&bf16(&[2, 3], A), Bf16Form::Values));
    bench.write("b.npy", &npy::write(&bf16(&[3, 4], B), Bf16Form::Values));
    for device in ["reference", "tensix"] {
        let text = bench.passes(&format!(
            "run p.ttnn --device {device} --input a.npy --input b.npy"
        ));
        assert_eq!(text, "output 0: 2x4 bf16: [1, 2, 3, 2, 4, 5, 6, 8]\n");
        bench.passes(&format!(
            "run p.ttnn --device {device} --input a.npy --input b.npy -o c.npy"
        ));
        let loaded = npy::read(&bench.read("c.npy"), DataType::BF16, Bf16Form::Values).unwrap();
        assert_eq!(loaded.tensor.to_f64s(), C);
    }
}

#[test]
fn raw_bits_go_in_and_out() {
    let bench = Bench::new("raw_bits");
    bench.write("a.npy", &npy::write(&bf16(&[2, 3], A), Bf16Form::Bits));
    bench.write("b.npy", &npy::write(&bf16(&[3, 4], B), Bf16Form::Bits));
    bench.passes("run p.ttnn --device reference --raw-bits --input a.npy --input b.npy -o c.npy");
    let loaded = npy::read(&bench.read("c.npy"), DataType::BF16, Bf16Form::Bits).unwrap();
    assert_eq!(loaded.tensor.to_f64s(), C);
}

#[test]
fn rounded_inputs_are_counted() {
    let bench = Bench::new("rounded");
    let a = Tensor::from_f64s(vec![2, 3], DataType::F32, &[1.0, 0.1, 0.2, 4.0, 5.0, 6.0]).unwrap();
    bench.write("a.npy", &npy::write(&a, Bf16Form::Values));
    bench.write("b.npy", &npy::write(&bf16(&[3, 4], B), Bf16Form::Values));
    let arguments = "run p.ttnn --device reference --input a.npy --input b.npy";
    bench.fails(
        arguments,
        0,
        "warning: 2 input elements were rounded to bf16",
    );
}

#[test]
fn inputs_are_made_up_from_a_seed() {
    let bench = Bench::new("init");
    let run = |arguments: &str| bench.passes(&format!("run p.ttnn --device reference {arguments}"));
    assert_eq!(
        run("--init ones"),
        "output 0: 2x4 bf16: [3, 3, 3, 3, 3, 3, 3, 3]\n"
    );
    assert_eq!(
        run("--init zeros"),
        "output 0: 2x4 bf16: [0, 0, 0, 0, 0, 0, 0, 0]\n"
    );
    assert_eq!(
        run("--init arange"),
        "output 0: 2x4 bf16: [20, 23, 26, 29, 56, 68, 80, 92]\n"
    );
    assert_eq!(run("--seed 3"), run("--seed 3 --init randn"));
    assert_ne!(run("--seed 3"), run("--seed 4"));
}

#[test]
fn golden_and_stats_are_reported() {
    let bench = Bench::new("golden");
    let text = bench.passes(
        "run p.ttnn --golden --stats --padding-canaries --schedule-seed 2 --result-file r.json",
    );
    for line in [
        "golden: 4 of 4 results are within their bounds",
        "          64  MVMUL",
        "kernels ran: 1",
        "instructions of T0, T1, T2 that waited, however long, under this schedule:\n",
        "  for a bank of SrcA\n",
        "modelled on wormhole_b0, as if nothing waited",
        "66  matrix unit         an instruction a cycle (MatrixUnit.md, which is both chips')",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let json = bench.json("r.json");
    assert_eq!(
        (&json["result"], &json["device"]),
        (&"pass".into(), &"tensix".into())
    );
    assert_eq!(json["kernels"][0]["instructions"]["MVMUL"], 64);
    assert!(json["kernels"][0]["stalls"]["a bank of SrcA"][1].is_u64());
    let figures = &json["kernels"][0]["figures"];
    assert_eq!(
        (&figures["arch"], &figures["tiles"], &figures["products"]),
        (&"wormhole_b0".into(), &1.into(), &1.into())
    );
    let cycles = figures["cycles"].as_f64().unwrap();
    assert_eq!(figures["busy"][figures["bound"].as_str().unwrap()], cycles);
    assert_eq!(figures["share_of_peak"], 64.0 / cycles);
    assert_eq!(figures["cycles_per_product"], cycles);
    let text: Vec<_> = text
        .lines()
        .filter(|line| line.ends_with("matmul"))
        .collect();
    assert!(
        text.iter()
            .any(|line| line.contains(&format!("{cycles}  "))),
        "{text:?}"
    );
    assert_eq!(json["golden"][2]["name"], "matmul");
    assert_eq!(json["outputs"][0]["shape"], serde_json::json!([2, 4]));
}

#[test]
fn golden_fails_on_a_wrong_kernel() {
    let bench = Bench::new("golden_fails");
    let mut binary = common::matmul(32, 32, 32);
    for entry in &mut common::lists(&mut binary).math {
        if let tessera_isa_tensix::list::Entry::MopCfg { index: 1, value } = entry {
            *value = 1;
        }
    }
    bench.write("p.ttnn", &binary.to_bytes().unwrap());
    let output = bench.ttrt("run p.ttnn --golden --result-file r.json");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{stdout}");
    assert!(stdout.contains("FAIL at loc(\"m.mlir\":1:1)"), "{stdout}");
    assert!(
        stdout.contains("golden: 3 of 4 results are within their bounds"),
        "{stdout}"
    );
    assert_eq!(bench.json("r.json")["result"], "fail");
}

#[test]
fn sections_are_read() {
    let bench = Bench::new("read");
    let read = |section: &str| -> Value {
        serde_json::from_str(&bench.passes(&format!("read p.ttnn --section {section}"))).unwrap()
    };
    assert_eq!(read("version")["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(read("system_desc")["arch"], "wormhole_b0");
    assert_eq!(read("mlir"), Value::Null);
    assert_eq!(
        read("inputs")["forward"][1]["desc"]["shape"],
        serde_json::json!([3, 4])
    );
    assert_eq!(read("outputs")["forward"][0]["global_id"], common::C);
    let kernel = &read("kernels")[0];
    assert_eq!(kernel["name"], "matmul");
    assert_eq!(kernel["dm"][0], ".read 1, 0, 0x18000");
    assert_eq!(read("op_stats")["forward"]["matmul"], 1);
    assert_eq!(read("all")["programs"][0]["name"], "forward");
    let all: Value = serde_json::from_str(&bench.passes("read p.ttnn")).unwrap();
    assert_eq!(all, read("all"));
}

#[test]
fn files_are_checked() {
    let bench = Bench::new("check");
    assert_eq!(bench.passes("check p.ttnn"), "p.ttnn: can run\n");
    let mut binary = common::matmul(2, 3, 4);
    common::lists(&mut binary).pack[1] = tessera_isa_tensix::list::Entry::Push(u32::MAX);
    let out =
        binary.programs[0].add_tensor(common::tensor(&[2, 4], tessera_program::MemorySpace::L1));
    let relu = tessera_program::Op::EltwiseUnary {
        kind: tessera_program::UnaryKind::Relu,
        input: common::C,
        out,
    };
    binary.programs[0].operations.push(common::operation(relu));
    bench.write("p.ttnn", &binary.to_bytes().unwrap());
    let output = bench.ttrt("check p.ttnn");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let starts = [
        "error: p.ttnn: program 'forward': tensor 6 lies in l1, ",
        "error: p.ttnn: program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): kernel 'matmul': entry 1 of its pack list: ",
        "error: p.ttnn: program 'forward', operation 5 (relu) at loc(\"m.mlir\":1:1): relu has no kernel: ",
    ];
    let lines: Vec<_> = stderr.lines().collect();
    assert_eq!(lines.len(), starts.len(), "{stderr}");
    for (line, start) in lines.iter().zip(starts) {
        assert!(line.starts_with(start), "{line}");
    }
}

/// A sum on MN-Core 2.
#[test]
fn runs_on_mncore() {
    let bench = Bench::new("mncore");
    let layout = "r:(g:2) c[3]:(w:2,a:2) @DRAM+0, rep(g:2*2)";
    let form = common::mncore::Form::singles(&[2, 3], DataType::F32, layout);
    let binary = common::mncore::binary_of(&form, &common::mncore::sum());
    bench.write("s.ttnn", &binary.to_bytes().unwrap());
    let f32s = |values: &[f64]| {
        let tensor = Tensor::from_f64s(vec![2, 3], DataType::F32, values).unwrap();
        npy::write(&tensor, Bf16Form::Values)
    };
    bench.write("a.npy", &f32s(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    bench.write("b.npy", &f32s(&[0.5, -2.0, f64::INFINITY, 0.0, 1e9, 0.0]));
    let inputs = "--input a.npy --input b.npy";
    for options in [
        "",
        "--model timed",
        "--model reference --threads 1",
        "--undetermined mark --limit-steps 10000 --memory-canaries",
    ] {
        let text = bench.passes(&format!("run s.ttnn --device mncore {inputs} {options}"));
        assert_eq!(
            text, "output 0: 2x3 f32: [1.5, 0, inf, 4, 1000000000, 6]\n",
            "{options}"
        );
    }
    let text = bench.passes(
        "run s.ttnn --device mncore --golden --stats --undetermined mark --result-file r.json",
    );
    for line in [
        "golden: 1 of 1 results are within their bounds",
        "kernels ran: 1",
        "modelled on MN-Core 2: ",
        "           1  mau-calc",
        "          24  l2bm",
        "        6144  long words moved by MV",
    ] {
        assert!(text.contains(line), "{text}");
    }
    let json = bench.json("r.json");
    let kernel = &json["kernels"][0];
    assert_eq!(
        (&json["device"], &kernel["kernel"]),
        (&"mncore".into(), &"sum".into())
    );
    assert_eq!(kernel["units"]["l1bm"], 3);
    // Four groups have two long words each of three tensors.
    assert_eq!(
        (&kernel["packed_bytes"], &kernel["unpacked_bytes"]),
        (&128.into(), &64.into())
    );
    assert_eq!(kernel["depends_on"], serde_json::json!([]));
    assert_eq!(
        bench.passes("check s.ttnn --device mncore"),
        "s.ttnn: can run\n"
    );
    let at = "program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1)";
    bench.fails("check p.ttnn --device mncore", 1, &format!("error: p.ttnn: {at}: the group has no kernel for mncore: compile the module with ttmlir-opt --ttir-to-mncore-pipeline, or run it with --device reference"));
    let at = "program 'forward', operation 0 (kernel) at loc(\"m.mlir\":1:1)";
    bench.fails("run s.ttnn --device mncore --limit-steps 0", 1, &format!("error: s.ttnn: {at}: kernel 'sum', step 0, line 2 of its listing at sum.mlir:2:1: the program has more than 0 steps; --limit-steps allows more (ttrt read --section kernels lists it)"));
    let listing: Value =
        serde_json::from_str(&bench.passes("read s.ttnn --section kernels")).unwrap();
    assert_eq!(listing[0]["code"][1], "nop; wait i01  # sum.mlir:2:1");
}

#[test]
fn devices_are_listed() {
    let json: Value = serde_json::from_str(&Bench::new("query").passes("query")).unwrap();
    assert_eq!(json["devices"][1]["name"], "interpreter");
    assert_eq!(json["devices"][2]["name"], "tensix");
    assert_eq!(json["devices"][2]["archs"][0]["name"], "wormhole_b0");
    let of = |arch: usize, mnemonic| &json["devices"][2]["archs"][arch]["instructions"][mnemonic];
    assert_eq!(of(0, "SFPMAD"), "bit-exact");
    assert_eq!(of(1, "SFPGT"), "bit-exact");
    assert_eq!(of(0, "SFPGT"), &Value::Null);
    assert_eq!(json["devices"][3]["name"], "mncore");
    assert_eq!(json["devices"][3]["mabs"], 1024);
}

#[test]
fn bad_command_lines_are_2() {
    let bench = Bench::new("usage");
    for arguments in [
        "",
        "walk",
        "run",
        "run p.ttnn --device mn-core",
        "run p.ttnn --input a.npy --seed 1",
        "read p.ttnn --section x",
    ] {
        let output = bench.ttrt(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(!output.stderr.is_empty());
    }
    for (device, option, devices) in [
        ("reference", "--stats", "tensix or mncore"),
        ("interpreter", "--stats", "tensix or mncore"),
        ("reference", "--schedule-seed 1", "tensix or interpreter"),
        ("mncore", "--schedule-seed 1", "tensix or interpreter"),
        ("interpreter", "--order-seed 1", "tensix"),
        ("mncore", "--workers 2", "tensix"),
        ("reference", "--padding-canaries", "tensix"),
        ("tensix", "--model fast", "mncore"),
        ("reference", "--threads 1", "tensix or mncore"),
        ("interpreter", "--undetermined mark", "mncore"),
        ("tensix", "--limit-steps 2", "mncore"),
        ("tensix", "--memory-canaries", "mncore"),
    ] {
        let output = bench.ttrt(&format!("run p.ttnn --device {device} {option}"));
        assert_eq!(output.status.code(), Some(2), "{device} {option}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        let name = option.split(' ').next().unwrap_or_default();
        let expect = format!("error: {name} is for --device {devices}\n");
        assert!(stderr.starts_with(&expect), "{device} {option}: {stderr}");
    }
    assert!(bench.passes("--version").starts_with("ttrt "));
    assert!(bench.passes("run --help").contains("--padding-canaries"));
}

#[test]
fn bad_files_are_1() {
    let bench = Bench::new("bad_files");
    bench.write("empty.ttnn", b"");
    bench.write("foreign.ttnn", b"\x10\0\0\0\x10\0\0\0TTNN\0\0\0\0");
    let whole = bench.read("p.ttnn");
    bench.write("cut.ttnn", &whole[..whole.len() - 1]);
    bench.fails("read empty.ttnn", 1, "error: empty.ttnn: the file is truncated: it has 0 of 12 bytes; translate the module again with ttmlir-translate --ttnn-to-flatbuffer");
    bench.fails("run foreign.ttnn", 1, "error: foreign.ttnn: not a Tessera program: its file identifier is 'TTNN', expected 'TSSR' (this is a file of tt-mlir: compile the module with Tessera's ttmlir-opt and ttmlir-translate)");
    bench.fails("run cut.ttnn", 1, &format!("error: cut.ttnn: the file is truncated: it has {} of {} bytes; translate the module again with ttmlir-translate --ttnn-to-flatbuffer", whole.len() - 1, whole.len()));
    bench.fails("read .", 1, "error: . is a directory: give one file");
    bench.fails(
        "read none.ttnn",
        1,
        "error: cannot read none.ttnn: No such file or directory (os error 2)",
    );
    bench.fails(
        "run p.ttnn --program g",
        1,
        "error: p.ttnn: the file has no program 'g' that can be run; it has: 'forward'",
    );
    bench.fails(
        "run p.ttnn -o c.npy -o d.npy",
        1,
        "error: program 'forward' has 1 outputs, but 2 files were given with --output",
    );
    bench.fails(
        "run p.ttnn -o none/c.npy",
        1,
        "error: cannot write none/c.npy: No such file or directory (os error 2)",
    );
}

#[test]
fn bad_inputs_are_1() {
    let bench = Bench::new("bad_inputs");
    let good = npy::write(&bf16(&[3, 4], B), Bf16Form::Values);
    bench.write("b.npy", &good);
    let check = |a: &[u8], text: &str| {
        bench.write("a.npy", a);
        bench.fails(
            "run p.ttnn --input a.npy --input b.npy --result-file r.json",
            1,
            &format!("error: {text}"),
        );
        assert_eq!(
            bench.json("r.json"),
            serde_json::json!({ "result": "error", "message": text })
        );
    };
    check(
        &good,
        "a.npy: the file has shape 3x4, but the tensor has 2x3",
    );
    check(&npy::write(&bf16(&[2, 3], A), Bf16Form::Bits), "a.npy: the file has elements of type '<u2', but a bf16 tensor is read from float32 (or from its bits in uint16, with --raw-bits)");
    check(&npy::write(&bf16(&[2, 3], A), Bf16Form::Values)[..140], "a.npy: the file has 12 bytes of data, but its header says 24: it is truncated or was appended to");
    check(
        b"garbage",
        "a.npy: not a .npy file: it does not begin with \\x93NUMPY; save the array with numpy.save",
    );
    bench.fails("run p.ttnn --input b.npy", 1, "error: program 'forward' takes 2 inputs, but 1 files were given with --input; ttrt read --section inputs lists them");
}

#[test]
fn fp32_on_tensix_is_1() {
    let bench = Bench::new("fp32");
    let mut binary: Binary = common::matmul(2, 3, 4);
    for desc in &mut binary.programs[0].tensors {
        desc.data_type = DataType::F32;
    }
    bench.write("p.ttnn", &binary.to_bytes().unwrap());
    bench.fails("run p.ttnn --device tensix", 1, "error: p.ttnn: program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): kernel 'matmul' is given tensor 2 of f32, but kernels of lists move bf16 tiles: give it a bf16 tensor");
    bench.passes("run p.ttnn --device reference");
}
