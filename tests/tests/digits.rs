//! Classification of handwritten digits: the printed figures, and their independence of the
//! schedule.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tessera_tests::tools::Tools;
use tessera_tests::transcript;

/// The output of `cargo xtask demo`. The reference is float64 with one rounding per operation: its
/// answers do not change. A tile step of the two products takes 64 MVMUL, and each tile of a result
/// has two. The results have 57 rows of tiles; for the first one, whose tiles multicast operands,
/// they count as eight blocks of eight, in two columns. The least accuracy and the most differences
/// are the demo's own, which fails beyond them.
const DEMO: &str = "\
...
[..]linear + relu[..]%  [..]
[..]linear[..]%  [..]
golden: 2 of 2 results are within their bounds
kernels ran: 2; instructions executed, MOP and REPLAY expanded:
       23680  MVMUL
...
[..]linear + relu[..]%  [..]
[..]linear[..]%  [..]
golden: 2 of 2 results are within their bounds
kernels ran: 2
modelled on MN-Core 2[..]
...

reference: accuracy 0.9789 (1759/1797)
tensix: accuracy 0.9[..] ([..]/1797)
mncore: accuracy 0.9[..] ([..]/1797)

of these held out from training
reference: accuracy 0.9240 (462/500)
tensix: accuracy 0.9[..] ([..]/500)
mncore: accuracy 0.9[..] ([..]/500)

reference: [..] s
tensix: [..] s
mncore: [..] s
images on which tensix differs: [..]
images on which mncore differs: [..]";

/// Schedules under which the scores must be the same; each is another order of all threads and
/// units.
const SCHEDULES: [&str; 4] = ["0", "1", "2", "20261121"];

/// Runs `command`, which must succeed, and returns its standard output.
fn stdout(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "{command:?}: {}: {stderr}",
        output.status
    );
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

#[test]
fn the_demo_reads_the_digits() {
    let tools = Tools::build().expect("the tools build");
    let printed = stdout(
        Command::new(tools.path("xtask"))
            .arg("demo")
            .env("CARGO_TARGET_DIR", tools.target()),
    );
    let expect: Vec<_> = DEMO.lines().map(str::to_owned).collect();
    if let Err(mismatch) = transcript::compare(&expect, &printed) {
        panic!("{mismatch}; it printed\n{printed}");
    }
}

/// Returns the network, compiled into `dir` for a generation of Tensix.
fn compile(tools: &Tools, digits: &Path, dir: &Path, arch: &str) -> PathBuf {
    let module = dir.join(format!("mlp.{arch}.mlir"));
    let program = dir.join(format!("mlp.{arch}.ttnn"));
    stdout(
        Command::new(tools.path("ttmlir-opt"))
            .arg(format!(
                "--ttir-to-tensix-pipeline=mock-system-desc-arch={arch}"
            ))
            .arg(digits.join("mlp.mlir"))
            .args([OsStr::new("-o"), module.as_os_str()]),
    );
    stdout(
        Command::new(tools.path("ttmlir-translate"))
            .args([OsStr::new("--ttnn-to-flatbuffer"), module.as_os_str()])
            .args([OsStr::new("-o"), program.as_os_str()]),
    );
    program
}

/// On both generations, since no sum of the network is one that they round in different ways.
#[test]
fn every_schedule_gives_the_same_scores() {
    let tools = Tools::build().expect("the tools build");
    let digits = Path::new(env!("CARGO_MANIFEST_DIR")).join("data/digits");
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("digits");
    fs::create_dir_all(&dir).expect("a directory below target can be made");
    let archs = ["wormhole_b0", "blackhole"];
    let programs = archs.map(|arch| (arch, compile(&tools, &digits, &dir, arch)));
    let runs = programs
        .iter()
        .flat_map(|program| SCHEDULES.map(|schedule| (program, schedule)));
    let scores = runs.map(|((arch, program), schedule)| {
        let scores = dir.join(format!("{arch}.{schedule}.npy"));
        let mut command = Command::new(tools.path("ttrt"));
        command
            .arg("run")
            .arg(program)
            .args(["--device", "tensix", "--schedule-seed", schedule])
            .args([OsStr::new("--output"), scores.as_os_str()]);
        for input in ["images", "w1", "b1", "w2", "b2"] {
            let file = digits.join(input).with_extension("npy");
            command.args([OsStr::new("--input"), file.as_os_str()]);
        }
        stdout(&mut command);
        let read = fs::read(&scores).expect("the scores have been written");
        ((arch, schedule), read)
    });
    let scores: Vec<_> = scores.collect();
    let (first, expect) = &scores[0];
    for (run, other) in &scores {
        assert!(other == expect, "{run:?} gives other scores than {first:?}");
    }
}
