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
        self.ttrt_on("/dev/null", arguments)
    }

    /// Returns the same, with a file as standard input.
    fn ttrt_on(&self, input: &str, arguments: &str) -> Output {
        Command::new(env!("CARGO_BIN_EXE_ttrt"))
            .args(arguments.split_whitespace())
            .current_dir(&self.0)
            .stdin(std::fs::File::open(self.0.join(input)).unwrap())
            .output()
            .unwrap()
    }

    /// Returns the standard output of ttrt.
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
    let endless = "run p.ttnn --device tensix --limit-steps 5";
    let output = bench.ttrt(endless);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{endless}: {stderr}");
    let limit = "has run 5 instructions, which is the limit of this launch";
    assert!(stderr.contains(limit), "{stderr}");
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

/// `-` is the standard input or output; what people read goes elsewhere then.
#[test]
fn standard_streams_are_files() {
    let bench = Bench::new("streams");
    bench.write("a.npy", &npy::write(&bf16(&[2, 3], A), Bf16Form::Values));
    bench.write("b.npy", &npy::write(&bf16(&[3, 4], B), Bf16Form::Values));
    let inputs = "--device reference --input a.npy --input b.npy";
    let text = "output 0: 2x4 bf16: [1, 2, 3, 2, 4, 5, 6, 8]\n";
    let told = |input: &str, arguments: &str| {
        let output = bench.ttrt_on(input, arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{arguments}: {stderr}");
        (output.stdout, stderr)
    };
    let (stdout, stderr) = told("p.ttnn", &format!("run - {inputs}"));
    assert_eq!((&*stdout, &*stderr), (text.as_bytes(), ""));
    let (stdout, _) = told(
        "a.npy",
        "run p.ttnn --device reference --input - --input b.npy",
    );
    assert_eq!(stdout, text.as_bytes());
    for arguments in ["run - --golden -o -", "run p.ttnn --golden -o -"] {
        let (stdout, stderr) = told("p.ttnn", &format!("{arguments} {inputs}"));
        let loaded = npy::read(&stdout, DataType::BF16, Bf16Form::Values).unwrap();
        assert_eq!(loaded.tensor.to_f64s(), C);
        assert!(
            stderr.starts_with("output 0: 2x4 bf16, written to -\n"),
            "{stderr}"
        );
        assert!(stderr.contains("golden: 4 of 4 results"), "{stderr}");
    }
    let (stdout, stderr) = told("p.ttnn", &format!("run p.ttnn {inputs} --result-file -"));
    let json: Value = serde_json::from_slice(&stdout).unwrap();
    assert_eq!((&json["result"], &*stderr), (&"pass".into(), text));
    let (stdout, _) = told("p.ttnn", "check -");
    assert_eq!(stdout, b"<stdin>: can run\n");
    let (stdout, _) = told("p.ttnn", "read - --section op_stats");
    assert!(stdout.starts_with(b"{"));
    bench.fails(
        "run -",
        1,
        "error: <stdin>: the file is truncated: it has 0 of 12 bytes; translate the module again \
         with ttmlir-translate --ttnn-to-flatbuffer",
    );
    for (arguments, message) in [
        (
            "run - --input -",
            "the standard input can be read once: give '-' for the program or for one input",
        ),
        (
            "run p.ttnn -o - --result-file -",
            "the standard output can hold one kind of file: give '-' to one of --output, \
             --result-file and --trace",
        ),
    ] {
        let output = bench.ttrt(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(
            stderr.starts_with(&format!("error: {message}\n")),
            "{stderr}"
        );
    }
}

/// A file of two programs, each of which is the product.
fn two_programs(bench: &Bench) {
    let mut binary = common::matmul(2, 3, 4);
    let mut second = binary.programs[0].clone();
    second.name = "second".into();
    binary.programs.push(second);
    bench.write("two.ttnn", &binary.to_bytes().unwrap());
}

#[test]
fn all_programs_run_when_none_is_named() {
    let bench = Bench::new("two_programs");
    two_programs(&bench);
    let run = "run two.ttnn --device reference";
    let one = "output 0: 2x4 bf16: [3, 3, 3, 3, 3, 3, 3, 3]\n";
    assert_eq!(
        bench.passes(&format!("{run} --init ones --result-file r.json")),
        format!("program 'forward':\n{one}program 'second':\n{one}")
    );
    let json = bench.json("r.json");
    assert_eq!(json["result"], "pass");
    assert_eq!(json["programs"][1]["program"], "second");
    assert_eq!(
        bench.passes(&format!("{run} --init ones --program second")),
        one
    );
    bench.write("a.npy", &npy::write(&bf16(&[2, 3], A), Bf16Form::Values));
    bench.write("b.npy", &npy::write(&bf16(&[3, 4], B), Bf16Form::Values));
    let inputs = "--input a.npy --input b.npy --input a.npy --input b.npy";
    bench.passes(&format!("{run} {inputs} -o c.npy -o d.npy"));
    for name in ["c.npy", "d.npy"] {
        let loaded = npy::read(&bench.read(name), DataType::BF16, Bf16Form::Values).unwrap();
        assert_eq!(loaded.tensor.to_f64s(), C);
    }
    bench.fails(
        &format!("{run} -o c.npy"),
        1,
        "error: the programs of the file have 2 outputs together, but 1 files were given with \
         --output",
    );
    bench.fails(
        &format!("{run} --input a.npy"),
        1,
        "error: the programs of the file take 4 inputs together, but 1 files were given with \
         --input; ttrt read --section inputs lists them",
    );
}

/// Rows of one name are told apart by their number, and names of any length leave the columns as
/// they are.
#[test]
fn tables_keep_their_columns() {
    let bench = Bench::new("tables");
    let mut binary = common::matmul(2, 3, 4);
    let long = "a_kernel_whose_name_is_longer_than_any_column_was";
    binary.kernels[0].name = long.into();
    // The product once more, into another tensor.
    let desc = common::tensor(&[2, 4], tessera_program::MemorySpace::Dram);
    let other = binary.programs[0].add_tensor(desc);
    let mut again = binary.programs[0].operations[common::GROUP].clone();
    let group = common::group(&mut again);
    let product = common::op("matmul", &[common::A_DEVICE, common::B_DEVICE], &[other]);
    group.operations = vec![common::operation(product)];
    (group.outputs[0], group.kernels[0].args[2]) = (other, other);
    binary.programs[0]
        .operations
        .insert(common::GROUP + 1, again);
    bench.write("p.ttnn", &binary.to_bytes().unwrap());
    let text = bench.passes("run p.ttnn --golden --stats");
    let golden: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("  matmul  "))
        .collect();
    assert_eq!(golden.len(), 2, "{text}");
    assert!(golden[0].trim_start().starts_with("2  matmul  "), "{text}");
    assert!(golden[1].trim_start().starts_with("3  matmul  "), "{text}");
    assert!(golden[1].ends_with("  loc(\"m.mlir\":1:1)"), "{text}");
    let titles = text.lines().find(|line| line.contains("FPU peak"));
    let column = titles.and_then(|line| line.find("kernel")).expect(&text);
    let kernels: Vec<&str> = text.lines().filter(|line| line.contains(long)).collect();
    assert_eq!(kernels.len(), 2, "{text}");
    for (number, line) in kernels.iter().enumerate() {
        let (figures, name) = line.split_at(column);
        assert!(figures.ends_with(&format!(" {number}  ")), "{text}");
        assert_eq!(name, format!("{long}  loc(\"m.mlir\":1:1)"));
    }
}

#[test]
fn time_lines_are_written() {
    let bench = Bench::new("trace");
    two_programs(&bench);
    bench.passes("run two.ttnn --trace t.json");
    let json = bench.json("t.json");
    let events = json["traceEvents"].as_array().unwrap();
    let named = |name: &str| events.iter().filter(|event| event["name"] == name).count();
    assert_eq!(named("matmul"), 2);
    // Each program has 64 instructions for the matrix unit, which stand in two tracks of a thread.
    let products = |event: &&Value| {
        event["name"]
            .as_str()
            .is_some_and(|name| name.starts_with("ttmvmul "))
    };
    assert_eq!(events.iter().filter(products).count(), 128);
    let output = bench.ttrt("run two.ttnn --trace - --device tensix");
    assert_eq!(output.stdout, bench.read("t.json"));
    assert!(output.stderr.starts_with(b"program 'forward':\n"));
    bench.fails(
        "run two.ttnn --program second --trace none/t.json",
        1,
        "error: cannot write none/t.json: No such file or directory (os error 2)",
    );
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
        .filter(|line| line.ends_with("  0  matmul  loc(\"m.mlir\":1:1)"))
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
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "error: p.ttnn: program 'forward': 1 of 4 results exceed their error bounds, first \
         operation 2 (matmul) at loc(\"m.mlir\":1:1)\n"
    );
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
    assert_eq!(read("system_desc")["chips"][0], "wormhole_b0");
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
    let relu = common::op("relu", &[common::C], &[out]);
    binary.programs[0].operations.push(common::operation(relu));
    bench.write("p.ttnn", &binary.to_bytes().unwrap());
    let output = bench.ttrt("check p.ttnn");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    let starts = [
        "error: p.ttnn: program 'forward': tensor 6 lies in l1, ",
        "error: p.ttnn: program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): kernel \
         'matmul': entry 1 of its pack list: ",
        "error: p.ttnn: program 'forward', operation 5 (relu) at loc(\"m.mlir\":1:1): relu has no \
         kernel: ",
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
    bench.passes(&format!(
        "run s.ttnn --device mncore {inputs} --trace t.json"
    ));
    let trace = bench.json("t.json");
    let events = trace["traceEvents"].as_array().unwrap();
    let run = events.iter().find(|event| event["name"] == "sum").unwrap();
    assert_eq!(run["dur"], kernel["cycles"]);
    let wait = events
        .iter()
        .find(|event| event["name"] == "wait i01")
        .unwrap();
    assert_eq!(
        wait["args"],
        serde_json::json!({ "line": 2, "source": "sum.mlir:2:1" })
    );
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
    bench.fails(
        "check p.ttnn --device mncore",
        1,
        &format!(
            "error: p.ttnn: {at}: the group has no kernel for mncore: compile the \
             module with ttmlir-opt --ttir-to-mncore-pipeline, or run it with --device \
             reference"
        ),
    );
    let at = "program 'forward', operation 0 (kernel) at loc(\"m.mlir\":1:1)";
    bench.fails(
        "run s.ttnn --device mncore --limit-steps 0",
        1,
        &format!(
            "error: s.ttnn: {at}: kernel 'sum', step 0, line 2 of its listing at \
             sum.mlir:2:1: the program has more than 0 steps; --limit-steps allows more (ttrt \
             read --section kernels lists it)"
        ),
    );
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
        (
            "reference",
            "--trace t",
            "tensix or mncore, which have a time line",
        ),
        (
            "interpreter",
            "--trace t",
            "tensix or mncore, which have a time line",
        ),
        ("reference", "--schedule-seed 1", "tensix or interpreter"),
        ("mncore", "--schedule-seed 1", "tensix or interpreter"),
        ("interpreter", "--order-seed 1", "tensix"),
        ("mncore", "--workers 2", "tensix"),
        ("reference", "--padding-canaries", "tensix"),
        ("tensix", "--model fast", "mncore"),
        ("reference", "--threads 1", "tensix or mncore"),
        ("interpreter", "--undetermined mark", "mncore"),
        (
            "reference",
            "--limit-steps 2",
            "tensix, mncore or interpreter, which run kernels",
        ),
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
fn completions() {
    tessera_cli::testing::check_completions(env!("CARGO_BIN_EXE_ttrt"), "ttrt");
}

#[test]
fn bad_files_are_1() {
    let bench = Bench::new("bad_files");
    bench.write("empty.ttnn", b"");
    bench.write("foreign.ttnn", b"\x10\0\0\0\x10\0\0\0TTNN\0\0\0\0");
    let whole = bench.read("p.ttnn");
    bench.write("cut.ttnn", &whole[..whole.len() - 1]);
    bench.fails(
        "read empty.ttnn",
        1,
        "error: empty.ttnn: the file is truncated: it has 0 of 12 bytes; translate the module \
         again with ttmlir-translate --ttnn-to-flatbuffer",
    );
    bench.fails(
        "run foreign.ttnn",
        1,
        "error: foreign.ttnn: not a Tessera program: its file identifier is 'TTNN', expected \
         'TSSR' (this is a file of tt-mlir: compile the module with Tessera's ttmlir-opt and \
         ttmlir-translate)",
    );
    bench.fails(
        "run cut.ttnn",
        1,
        &format!(
            "error: cut.ttnn: the file is truncated: it has {} of {} bytes; \
             translate the module again with ttmlir-translate --ttnn-to-flatbuffer",
            whole.len() - 1,
            whole.len()
        ),
    );
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
    check(
        &npy::write(&bf16(&[2, 3], A), Bf16Form::Bits),
        "a.npy: the file has elements of type '<u2', but a bf16 tensor is read from float32 (or \
         from its bits in uint16, with --raw-bits)",
    );
    check(
        &npy::write(&bf16(&[2, 3], A), Bf16Form::Values)[..140],
        "a.npy: the file has 12 bytes of data, but its header says 24: it is truncated or was \
         appended to",
    );
    check(
        b"garbage",
        "a.npy: not a .npy file: it does not begin with \\x93NUMPY; save the array with numpy.save",
    );
    bench.fails(
        "run p.ttnn --input b.npy",
        1,
        "error: program 'forward' takes 2 inputs, but 1 files were given with --input; ttrt read \
         --section inputs lists them",
    );
}

#[test]
fn fp32_on_tensix_is_1() {
    let bench = Bench::new("fp32");
    let mut binary: Binary = common::matmul(2, 3, 4);
    for desc in &mut binary.programs[0].tensors {
        desc.data_type = DataType::F32;
    }
    bench.write("p.ttnn", &binary.to_bytes().unwrap());
    bench.fails(
        "run p.ttnn --device tensix",
        1,
        "error: p.ttnn: program 'forward', operation 2 (kernel) at loc(\"m.mlir\":1:1): kernel \
         'matmul' is given tensor 2 of f32, but kernels of lists move bf16 tiles: give it a bf16 \
         tensor",
    );
    bench.passes("run p.ttnn --device reference");
}
