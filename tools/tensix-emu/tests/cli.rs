//! The tool from outside: arguments and input in, streams and exit code out.

use std::fs;
use std::path::Path;

use tessera_cli::testing;

const TOOL: &str = env!("CARGO_BIN_EXE_tensix-emu");

/// The exit code, and what the streams contain.
#[track_caller]
fn check(arguments: &[&str], input: &[u8], code: i32, stdout: &str, stderr: &str) {
    let (got, out, err) = testing::told(TOOL, arguments, input);
    assert_eq!(got, Some(code), "{arguments:?}\n{out}\n{err}");
    assert!(out.contains(stdout), "{arguments:?}: {out}");
    assert!(err.contains(stderr), "{arguments:?}: {err}");
}

/// A file for one test.
fn file(name: &str, content: &[u8]) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).expect("a file can be written below target");
    path.display().to_string()
}

#[test]
fn words() {
    let program = b"ttsetdmareg 0,4660,0,10\nttnop\n";
    check(
        &["words", "--thread", "1", "--dump", "gprs"],
        program,
        0,
        "00001234",
        "",
    );
    check(&["words", "--break", "NOP"], program, 0, "stopped: ", "");
    check(
        &["words", "--stats"],
        program,
        0,
        "SETDMAREG                1",
        "",
    );
    // Sixteen zeros are packed.
    let packs = b"ttrmwcib0 1, 1, 18\nttrmwcib0 1, 1, 70\nttrmwcib0 255, 255, 24\nttrmwcib1 255, 255, 24\nttrmwcib0 255, 255, 25\n\
        ttrmwcib1 255, 255, 25\nttrmwcib0 255, 255, 26\nttrmwcib1 255, 255, 26\nttrmwcib0 255, 255, 27\nttrmwcib1 255, 255, 27\n\
        ttsetadcxx 4, 15, 0\nttpacr 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1\n";
    check(
        &["words", "--arch", "blackhole", "--stats"],
        packs,
        0,
        "packers          busy, and no source gives its rate on blackhole",
        "",
    );
    check(&["words"], b"ttfoo\n", 1, "", "<stdin>:1:");
    check(
        &["words", "--binary"],
        &[0; 6],
        1,
        "",
        "<stdin> has 6 bytes, which is no number of words",
    );
    check(
        &["words", "--binary"],
        &[0; 4],
        1,
        "",
        "word 0x00000000: no instruction has opcode 0x00",
    );
    check(
        &["words", "--binary"],
        &[0xff; 4],
        1,
        "",
        "word 0 is 0xffffffff; cores push words below 0xc0000000",
    );
    // A SEMWAIT for a semaphore that nobody posts.
    check(
        &["words"],
        b"ttsemwait 1,1,1\nttadddmareg 0, 0, 0, 0\n",
        1,
        "",
        "at rest: unpack (T0): ",
    );
    check(
        &["words", "--limit", "1"],
        program,
        1,
        "",
        "not at rest within the limit",
    );
    check(
        &["words", "--thread", "3"],
        program,
        2,
        "",
        "3 is not in 0..3",
    );
    check(
        &["words", "--dump", "x"],
        program,
        2,
        "",
        "\"x\" is nothing that can be shown",
    );
    check(
        &["words", "--break", "x"],
        program,
        2,
        "",
        "\"x\" is no place to stop at",
    );
    check(&["words", "--tile", "1"], program, 2, "", "a tile is X,Y");
    check(
        &["words", "--tile", "0,3"],
        program,
        1,
        "",
        "tile (0, 3): not modelled",
    );
}

/// Both models show the same lanes; that they compute in different ways is tested with the models.
#[test]
fn models() {
    // Loads 1.5, multiplies and adds it.
    let program = b"sfploadi 0, 0, 16320\nsfpmad 0, 0, 0, 1, 0\nsfpnop\n";
    for arguments in [
        &["words"][..],
        &["words", "--model", "fast"],
        &["words", "--model", "reference"],
    ] {
        let arguments = [arguments, &["--dump", "lregs"]].concat();
        check(&arguments, program, 0, "40700000", "");
    }
    check(
        &["trace", "--model", "reference"],
        b"",
        0,
        "<stdin>: 0 lines",
        "",
    );
    check(
        &["words", "--model", "x"],
        program,
        2,
        "",
        "[possible values: fast, reference]",
    );
}

#[test]
fn time_lines() {
    let path = file("line.json", b"");
    check(&["words", "--trace", &path], b"ttnop\n", 0, "", "");
    let text = fs::read_to_string(&path).expect("the tool has written it");
    assert!(text.contains("\"name\":\"ttnop\""), "{text}");
    check(
        &["words", "--trace", "/nowhere/a"],
        b"ttnop\n",
        1,
        "",
        "cannot write /nowhere/a",
    );
}

#[test]
fn images() {
    // addi x10, x0, 1; j .
    let image = file("b.img", &[0x13, 5, 0x10, 0, 0x6f, 0, 0, 0]);
    check(
        &["images", &format!("B={image}"), "--dump", "cores"],
        b"",
        0,
        "B pc 0x4\n",
        "",
    );
    check(
        &["images", &format!("X={image}")],
        b"",
        2,
        "",
        "an image is CORE=FILE, with one of B, T0, T1, T2, NC",
    );
    check(
        &["images", "B=/nowhere"],
        b"",
        1,
        "",
        "cannot read /nowhere",
    );
    check(
        &["images", &format!("B={image}"), &format!("B={image}")],
        b"",
        2,
        "",
        "error: core B is given two images; give it one",
    );
    let empty = file("empty.img", &[]);
    check(
        &["images", &format!("T1={empty}")],
        b"",
        1,
        "",
        "tile (1, 1): the image of core T1 is empty",
    );
    check(
        &["images", &format!("B={image}"), "--tile", "0,0"],
        b"",
        1,
        "",
        "tile (0, 0): this tile is DRAM, which has no cores; take a Tensix tile",
    );
    let long = file("long.img", &[0; 0x6001]);
    check(
        &["images", &format!("B={long}")],
        b"",
        1,
        "",
        "the image of core B has 24577 bytes; there is room for 24576",
    );
}

#[test]
fn recordings() {
    let good = b"WRITE core=1,1 addr=0x20 size=1 data=07\nREAD core=1,1 addr=0x20 size=1 data=- reply=07\n";
    check(
        &["trace"],
        good,
        0,
        "<stdin>: 2 lines, 1 replies as recorded, 0 turns, 0 races",
        "",
    );
    let other = b"READ core=1,1 addr=0x20 size=1 data=- reply=07\n";
    check(&["trace"], other, 1, "", "1 of 1 replies differ; line 1: 1 bytes of the reply of tile (1, 1) differ, first 0x20: 0x00, not 0x07");
    check(
        &["trace"],
        b"HELLO\n",
        1,
        "",
        "line 1: there is no command \"HELLO\"",
    );
    check(
        &["trace"],
        &[0xff],
        1,
        "",
        "<stdin>:1:1: error: invalid UTF-8",
    );
    check(&["trace", "/nowhere"], b"", 1, "", "cannot read /nowhere");
}
