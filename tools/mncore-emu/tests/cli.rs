//! The tool from outside: arguments and input in, streams and exit code out.

use std::io::Write;
use std::process::{Command, Stdio};

use tessera_cli::testing;

const TOOL: &str = env!("CARGO_BIN_EXE_mncore-emu");

/// Runs the tool: exit code, standard output, standard error.
fn run(arguments: &[&str], input: &str) -> (Option<i32>, String, String) {
    testing::run_text(TOOL, arguments, input.as_bytes())
}

/// The exit code, and what the streams contain.
#[track_caller]
fn check(arguments: &[&str], input: &str, code: i32, stdout: &str, stderr: &str) {
    let (got, out, err) = run(arguments, input);
    assert_eq!(got, Some(code), "{arguments:?}\n{out}\n{err}");
    assert!(out.contains(stdout), "{arguments:?}: {out}");
    assert!(err.contains(stderr), "{arguments:?}: {err}");
}

#[test]
fn dumps_and_host_words_go_to_the_standard_output() {
    let program = "c 0 0 i01 i00 0 000000001 001 00000000000000aa\nnop; wait i01\n\
                   d getd $p1n0 1\ne 0 0 i02 i00 0 000000001 000001\n";
    let expect =
        "DEBUG-PDM(n0,1):(0) (0x00000000000000aa) #d getd $p1n0 1\n000000001: 00000000000000aa\n";
    assert_eq!(run(&[], program), (Some(0), expect.into(), String::new()));
}

#[test]
fn files_and_the_assembled_form() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (source, dump) = (folder.join("a.asm"), folder.join("a.dmp"));
    let program = tessera_isa_mncore::parse("linc $lr0 $lr0\nd getd $lr0n0c0b0m0p0 1\n").unwrap();
    let assembled =
        tessera_isa_mncore::text_form::write(&program, tessera_isa_mncore::word::Mode::AutoStride);
    std::fs::write(&source, assembled.unwrap()).unwrap();
    let (source, dump) = (source.to_str().unwrap(), dump.to_str().unwrap());
    check(&["-i", source, "-d", dump], "", 0, "", "");
    let expect = "DEBUG-GREG0(n0c0b0m0p0,0):(0) (0x0000000000000001) #d getd $lr0n0c0b0m0p0 1\n";
    assert_eq!(std::fs::read_to_string(dump).unwrap(), expect);
}

#[test]
fn packed_units_run() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (packed, saved) = (folder.join("p.bin"), folder.join("p.out"));
    let source = "imm i\"7\" $lr0\nnop/2\nl1bmm@0 $lr0 $lb0\nnop/3\nl2bm@0 $lb0 $lc0\n\
                  nop/3\nmvp/n64i01 $lc0@0.0 $p0@0\nnop; wait i01\n";
    let program = tessera_isa_mncore::parse(source).expect("it is right");
    let mode = tessera_isa_mncore::word::Mode::Flat;
    let bytes = tessera_isa_mncore::unit::pack(&program, mode).expect("it has words");
    std::fs::write(&packed, &bytes).unwrap();
    let save = format!("pdm0:0:8:{}", saved.display());
    let arguments = ["-i", packed.to_str().unwrap(), "--save", &save];
    check(&arguments, "", 0, "", "");
    assert_eq!(std::fs::read(&saved).unwrap(), [0, 0, 0, 7, 0, 0, 0, 7]);
    // Half a unit; and a trap, with the line of the disassembly.
    std::fs::write(&packed, &bytes[..64]).unwrap();
    check(
        &arguments[..2],
        "",
        1,
        "",
        "p.bin is neither text nor packed units: 64 bytes are not a multiple of 128",
    );
    let stale =
        tessera_isa_mncore::parse("nop\nlpassa $mauf $lr0").expect("the language allows it");
    let bytes = tessera_isa_mncore::unit::pack(&stale, mode).expect("it has words");
    std::fs::write(&packed, bytes).unwrap();
    check(
        &arguments[..2],
        "",
        1,
        "",
        "p.bin (disassembled):2:1: error: $mauf is read",
    );
}

#[test]
fn options_reach_the_machine() {
    let race = "mvp/n64i01 $p0@0 $lc0@0.0\nl2bmb $lc0 $lb0\n";
    check(
        &[],
        race,
        1,
        "",
        "<stdin>:2:1: error: race: this statement reads",
    );
    check(
        &["--races", "warn"],
        race,
        0,
        "",
        "<stdin>:2:1: warning: race: this statement reads",
    );
    assert_eq!(
        run(&["--races", "off"], race),
        (Some(0), String::new(), String::new())
    );
    check(&[], "nop; wait i0a", 1, "", "--armed-tags=i0a");
    check(
        &["--armed-tags", "i0a,i0b"],
        "nop; wait i0a\nnop; wait i0b",
        0,
        "",
        "",
    );
    check(
        &["--armed-tags", "10"],
        "",
        2,
        "",
        "a tag is i and two hexadecimal digits",
    );
    let dram = "d getd $d0n0 1";
    check(&[], dram, 1, "", "was never written");
    check(
        &["--offchip-memory-init", "zero"],
        dram,
        0,
        "DEBUG-DRAM(n0,0):(0)",
        "",
    );
    let early = "lpassa $lr0v $lm0v\nlpassa $lm0v $lr0v\n";
    check(&[], early, 0, "", "");
    check(
        &["--model", "timed"],
        early,
        1,
        "",
        "<stdin>:2:1: error: LM0 of every PE is read, but",
    );
    check(&["--model", "slow"], "", 2, "", "possible values: fast");
    // The reference model and the fast model have equal results.
    let program = "lpassa $peid $lm0v\nfvpassa $lm0v $lr0v\nl1bmd $lr0v $lb0\nd get $lb60n0c0b0 1";
    for model in ["fast", "reference"] {
        let expect = "DEBUG-L1BM(n0c0b0,60):(f:0, i:{{0x0,0x0},{0x0,0x0}}, v:0x0)";
        check(&["--model", model], program, 0, expect, "");
    }
    let infinite = "d set $lm0n0c0b0m0p0 1 7ff0000000000000\ndvfmau $lm0 $lr0 $lr0 $ls0";
    let id = "mau-infinity-times-zero";
    check(&[], infinite, 1, "", id);
    check(
        &["--undetermined", "mark", "--stats"],
        infinite,
        0,
        "",
        &format!("depends on: {id}"),
    );
    check(&["--limit-steps", "1"], "nop/2", 1, "", "more than 1 steps");
    let one = "imm i\"1\" $lr0\nd get $lr0n0c0b0m0p0 1";
    let dump = "DEBUG-GREG0(n0c0b0m0p0,0):(f:0, i:{{0x0,0x1},{0x0,0x1}}, v:0x100000001)";
    check(&["--threads", "1"], one, 0, dump, "");
    check(&["--threads", "3"], one, 0, dump, "");
    check(&["--threads", "0"], "", 2, "", "--threads <COUNT>");
    check(
        &["--stats"],
        "nop/2\nfrsqrt $lr0 $ls0",
        0,
        "",
        "steps: 3\n  alu: 1 of them, 33.3 %\n  nothing: 2 of them, 66.7 %\n\
         cycles of the steps: 12 (four each, 1.2)\n",
    );
    check(
        &["--stats"],
        "frsqrt $lr0 $ls0",
        0,
        "",
        "  MV transfers: 0 of them, 0.0 %\ndepends on: rsqrt-approximation",
    );
}

/// Returns the path of a file that tests write, as text.
fn temporary(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    path.to_str().expect("paths are UTF-8").to_owned()
}

#[test]
fn memories_come_from_files_and_go_to_files() {
    let (input, output) = (temporary("in.bin"), temporary("out.bin"));
    let bytes: Vec<u8> = (0..=255).cycle().take(1024).collect();
    std::fs::write(&input, &bytes).expect("the folder is writable");
    let (load, save) = (
        format!("pdm1:0x200:{input}"),
        format!("dram2:0x400:512:{output}"),
    );
    let program = "mvp/n128 $p64@1 $d64@2";
    check(&["--load", &load, "--save", &save], program, 0, "", "");
    assert_eq!(std::fs::read(&output).expect("it was saved"), bytes[512..]);
    // A file is left as it is if there is nothing to save in it.
    let kept = format!("dram0:0:8:{output}");
    check(&["--save", &kept], "nop", 1, "", "was never written");
    assert_eq!(std::fs::read(&output).expect("it was saved"), bytes[512..]);
    // A trapped program saves nothing.
    let other = temporary("none.bin");
    let save = format!("pdm0:0:8:{other}");
    check(&["--save", &save], "nop; wait i01", 1, "", "i01");
    assert!(!std::path::Path::new(&other).exists());

    std::fs::write(&input, &bytes[..12]).expect("the folder is writable");
    for (arguments, code, message) in [
        (["--load", &load], 1, "length 0xc is not a multiple of 8"),
        (
            ["--load", "pdm0:0:/nowhere.bin"],
            1,
            "error: cannot read /nowhere.bin",
        ),
        (
            ["--save", "pdm0:0:8:/nowhere/out.bin"],
            1,
            "cannot write /nowhere/out.bin",
        ),
        (
            ["--save", &format!("dram0:0:8:{output}")],
            1,
            "DRAM of group 0 was never written at byte 0x0",
        ),
        (
            ["--load", "pdm0:8:/dev/zero"],
            1,
            "0x400000 bytes from 0x8 on go beyond the end of PDM of group 0",
        ),
        (["--load", "pdm0:0"], 2, "write MEMORY:OFFSET:FILE"),
        (["--save", "pdm0:0:8"], 2, "write MEMORY:OFFSET:LENGTH:FILE"),
        (
            ["--load", "lm0:0:a.bin"],
            2,
            "there is no memory `lm0`: write pdm0 to pdm3 or dram0 to dram3",
        ),
        (["--load", "pdm4:0:a.bin"], 2, "there is no memory `pdm4`"),
        (
            ["--load", "pdm0:3:a.bin"],
            2,
            "offset 0x3 is not a multiple of 8",
        ),
        (
            ["--save", "pdm0:0x400000:8:a.bin"],
            2,
            "go beyond the end of PDM of group 0",
        ),
        (
            ["--save", "pdm0:0:few:a.bin"],
            2,
            "`few` is not a number of bytes: write 4096 or 0x1000",
        ),
    ] {
        check(&arguments, "nop", code, "", message);
    }
}

#[test]
fn traces_show_what_was_done() {
    let path = temporary("trace.json");
    let program = "mvp/n640i01 $p0@0 $lc0@0.0\nnop; wait i01\nlinc $lr0 $lr0\nnop; wait i02\nnop\n";
    check(
        &["--trace", &path],
        program,
        1,
        "",
        "<stdin>:4:1: error: no MV instruction",
    );
    let trace = std::fs::read_to_string(&path).expect("it was written");
    let slices: Vec<_> = trace
        .lines()
        .filter(|line| line.contains("\"dur\""))
        .collect();
    assert_eq!(slices.len(), 4, "{trace}");
    assert!(slices[3].contains("\"name\":\"linc $lr0 $lr0\"") && slices[3].contains("\"ts\":44"));
    check(
        &["--trace", "/nowhere/a.json"],
        "nop",
        1,
        "",
        "cannot write /nowhere/a.json",
    );
}

/// Nothing is printed for accesses beyond the end of a memory, in assembly or assembled.
#[test]
fn dumps_end_with_the_memory() {
    for (count, most) in [(300, 256), (u32::MAX, 256)] {
        let dump = format!("d get $lr0n0c0b0m0 {count}");
        let expect = format!(
            "1:20: error: {count} accesses from address 0 on go beyond the end of GRF0, \
             which is at 512; at most {most} fit (manual 3.4.3)\n"
        );
        let (code, out, err) = run(&[], &dump);
        assert_eq!((code, out.as_str()), (Some(1), ""), "{err}");
        assert!(err.contains(&expect), "{err}");
    }
    let (code, out, _) = run(&[], "d get $lr0n0c0b0m0p0 256");
    assert_eq!((code, out.lines().count()), (Some(0), 256));
}

#[test]
fn errors_are_reported() {
    check(&[], "lpassa $lm1v $ln0v", 1, "", "<stdin>:1:");
    check(
        &["-i", "/nowhere.vsm"],
        "",
        1,
        "",
        "error: cannot read /nowhere.vsm",
    );
    check(
        &["-d", "/nowhere/a.dmp"],
        "",
        1,
        "",
        "cannot write /nowhere/a.dmp",
    );
    // As many threads as there are blocks are made at most.
    check(&["--threads", "1000000000"], "nop", 0, "", "");
    check(&["--threads", "0"], "nop", 2, "", "invalid value '0'");
    check(&["--verbose"], "", 2, "", "--version");
    check(
        &["--version"],
        "",
        0,
        concat!("mncore-emu ", env!("CARGO_PKG_VERSION")),
        "",
    );
    check(
        &["--version", "--verbose"],
        "",
        0,
        "dram-power-on (traps; section",
        "",
    );
}

/// A dump of two million lines ends when its pipe is closed.
#[test]
fn a_closed_pipe_stops_the_machine() {
    let source = "d getd $p0 500000\n";
    let mut child = Command::new(TOOL)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the tool starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    stdin.write_all(source.as_bytes()).expect("it reads");
    drop(stdin);
    let mut stdout = child.stdout.take().expect("it is piped");
    let mut line = [0; 12];
    std::io::Read::read_exact(&mut stdout, &mut line).expect("it prints");
    assert_eq!(&line, b"DEBUG-PDM(n0");
    drop(stdout);
    let output = child.wait_with_output().expect("the tool ends");
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
}

/// Whoever closes the standard output has seen enough; if there is no room for it, that is an
/// error.
#[test]
fn output_that_cannot_be_written() {
    for (arguments, input) in [
        (&["--version"][..], &b""[..]),
        (&[], b"d get $lm0n0c0b0m0 1\n"),
    ] {
        let told = testing::run_unread(TOOL, arguments, input);
        assert_eq!(told, testing::expected_unread(), "{arguments:?}");
    }
}

#[test]
fn completions() {
    testing::check_completions(TOOL, "mncore-emu");
}
