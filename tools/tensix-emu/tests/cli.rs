//! The tool from outside: arguments and input in, streams and exit code out.

use std::fs;
use std::path::Path;

use tessera_cli::testing;

const TOOL: &str = env!("CARGO_BIN_EXE_tensix-emu");

/// The exit code, and what the streams contain.
#[track_caller]
fn check(arguments: &[&str], input: &[u8], code: i32, stdout: &str, stderr: &str) {
    let (got, out, err) = testing::run_text(TOOL, arguments, input);
    assert_eq!(got, Some(code), "{arguments:?}\n{out}\n{err}");
    assert!(out.contains(stdout), "{arguments:?}: {out}");
    assert!(err.contains(stderr), "{arguments:?}: {err}");
}

/// Returns a file for one test.
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
        "\nT1 GPR 00-07 00000000 00000000 00000000 00000000 00000000 00001234 ",
        "",
    );
    // Both states, a thread, and a source that is cleared in the bank of the unpackers.
    let configures =
        b"ttsetdmareg 0, 77, 0, 0\nttwrcfg 0, 0, 20\nttnop\nttsetc16 3, 4\nttzerosrc 0, 0, 0, 1\n";
    for (what, expect) in [
        (
            "config",
            "state 0 word 20 0000004d\nthread 0 word 3 00000004\n",
        ),
        ("srca:63+2", "srcA bank 0 row 63 00000"),
        ("srca:63+2", "srcA bank 1 row 0 ????? ?????"),
        ("srcb:0+1", "srcB bank 0 row 0 ????? ?????"),
    ] {
        check(&["words", "--dump", what], configures, 0, expect, "");
    }
    check(
        &["words", "--break", "NOP"],
        program,
        0,
        "stopped: nothing waits",
        "",
    );
    check(
        &["words", "--stats"],
        program,
        0,
        "SETDMAREG                1",
        "",
    );
    // Sixteen zeros are packed.
    let packs = b"ttrmwcib0 1, 1, 18\nttrmwcib0 1, 1, 70\n\
        ttrmwcib0 255, 255, 24\nttrmwcib1 255, 255, 24\n\
        ttrmwcib0 255, 255, 25\nttrmwcib1 255, 255, 25\n\
        ttrmwcib0 255, 255, 26\nttrmwcib1 255, 255, 26\n\
        ttrmwcib0 255, 255, 27\nttrmwcib1 255, 255, 27\n\
        ttsetadcxx 4, 15, 0\nttpacr 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 1\n";
    check(
        &["words", "--arch", "blackhole", "--stats"],
        packs,
        0,
        "packers          busy; its rate is not documented on blackhole",
        "",
    );
    check(
        &["words"],
        b"ttfoo\n",
        1,
        "",
        "<stdin>:1:1: error: unknown instruction",
    );
    check(
        &["words", "--binary"],
        &[0; 6],
        1,
        "",
        "<stdin> has 6 bytes, which is not a whole number of words",
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
        "idle: unpack (T0): ",
    );
    check(
        &["words", "--limit", "1"],
        program,
        1,
        "",
        "not idle within the step limit",
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
        "\"x\" cannot be shown",
    );
    check(
        &["words", "--break", "x"],
        program,
        2,
        "",
        "\"x\" is not a breakpoint",
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

/// Returns the pieces of a list program that threads push, of one tile: without its waits for data
/// movement, and with the MOP as it expands.
fn threads_of(lists: &str) -> [String; 3] {
    [".unpack", ".math", ".pack"].map(|name| {
        let (_, list) = lists.split_once(&format!("\n{name}\n")).expect(name);
        let lines = list.lines().take_while(|line| !line.starts_with('.'));
        let lines = lines.filter(|line| !line.trim().starts_with('.'));
        let expanded = |line: &str| match line.trim().starts_with("ttmop ") {
            true => "ttreplay 16, 16, 0, 0\n".repeat(4) + ".word 0x37c0000f\n",
            false => format!("{line}\n"),
        };
        lines.map(expanded).collect()
    })
}

/// Returns a bf16 tile as it lies in L1.
fn tile(element: impl Fn(usize, usize) -> f32) -> Vec<u8> {
    let of_face =
        |face: usize| (0..256).map(move |k| (face / 2 * 16 + k / 16, face % 2 * 16 + k % 16));
    let bytes = |(row, column)| element(row, column).to_bits().to_le_bytes()[2..].to_vec();
    (0..4).flat_map(of_face).flat_map(bytes).collect()
}

/// Three threads unpack, multiply and pack; the matrices come from files, and the product goes to
/// one.
#[test]
fn words_of_three_threads() {
    let lists = include_str!("../../../runtime/tensix/tests/programs/matmul_one_tile.tensix");
    let names = ["t0.s", "t1.s", "t2.s"];
    let texts = threads_of(lists);
    let mut files = Vec::new();
    for (k, name) in names.into_iter().enumerate() {
        files.push(format!("T{k}={}", file(name, texts[k].as_bytes())));
    }
    // A chooses rows of B.
    let chosen = |row: usize| (row * 7 + 3) % 32;
    let a = tile(|row, column| f32::from(u8::from(column == chosen(row))));
    let b = |row: usize, column: usize| (row * 4 + column % 4) as f32;
    let a = format!("l1:0x19000:{}", file("a.bin", &a));
    let b_file = format!("l1:0x18000:{}", file("b.bin", &tile(b)));
    let c = file("c.bin", b"");
    let save = format!("l1:0x1a000:2048:{c}");
    let memory = ["--load", &a, "--load", &b_file, "--save", &save];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let product = tile(|row, column| b(chosen(row), column));
    for options in [&[][..], &["--seed", "3", "--stats"], &["--strict"]] {
        let arguments = [&["words"][..], &files, &memory, options].concat();
        let stats = options.contains(&"--stats");
        let expect = if stats {
            "MVMUL                   64"
        } else {
            ""
        };
        check(&arguments, b"", 0, expect, "");
        assert_eq!(
            fs::read(&c).expect("it was written"),
            product,
            "{options:?}"
        );
    }
    let busy = "  matrix unit             66 cycles busy: an instruction a cycle (MatrixUnit.md, \
                which is both chips')";
    check(
        &[&["words", "--stats"][..], &files, &memory].concat(),
        b"",
        0,
        busy,
        "",
    );
    // Whoever comes last waits for nothing, whoever comes first does.
    let alone = ["words", files[1], "--stats"];
    check(
        &alone,
        b"",
        1,
        "  of T0, T1, T2 [0, 1, 0] waited for a bank of SrcA\n",
        "waits for a bank of SrcA",
    );
    let wrong = file(
        "wrong.s",
        b"# packers 0 and 2\n\nttpacr 0, 0, 5, 0, 0, 0, 1\n",
    );
    let message = format!(
        "{wrong}:3: error: tile (1, 1): pack (T2), pc 0x20000, `ttpacr 0, 0, 5, 0, 0, 0, 1`: \
         undefined behaviour: PACR on the packers 0b0101;"
    );
    check(&["words", &format!("T2={wrong}")], b"", 1, "", &message);
    check(
        &["words", "--strict"],
        b"ttadddmareg 0, 0, 0, 0\n",
        1,
        "",
        "<stdin>:1: error: tile (1, 1): unpack (T0), pc 0x20000, `ttadddmareg 0, 0, 0, 0`: \
         undefined behaviour: reads GPR 0",
    );
    check(
        &["words", files[0], files[0]],
        b"",
        2,
        "",
        "error: thread 0 is given two files; give it one",
    );
    let over = format!("l1:0x20010:{c}");
    check(
        &["words", files[0], "--load", &over],
        b"",
        1,
        "",
        "c.bin would be loaded to 0x20010 to 0x20810, which overlaps the code that pushes the \
         words at 0x20000 to 0x200c4; load it elsewhere",
    );
    let binary = file("zero.bin", &[0; 4]);
    check(
        &["words", "--binary", &binary],
        b"",
        1,
        "",
        "zero.bin: word 0: error: tile (1, 1): unpack (T0), pc 0x20000: word 0x00000000: no \
         instruction has opcode 0x00",
    );
}

/// Files to memories and back, without a program.
#[test]
fn files_and_memories() {
    let from = file("from.bin", b"0123456789abcdef");
    let to = file("to.bin", b"");
    // The other tile, DRAM, and L1 of the tile that is shown.
    for place in ["2,2", "0,0", "l1"] {
        let load = format!("{place}:0x40:{from}");
        let save = format!("{place}:66:4:{to}");
        check(&["words", "--load", &load, "--save", &save], b"", 0, "", "");
        assert_eq!(fs::read(&to).expect("it was written"), b"2345", "{place}");
    }
    let load = |place: &str| format!("{place}:{from}");
    for (arguments, code, expect) in [
        (["--load", &load("l1:0x16dff8")], 1, "error: cannot load"),
        (["--load", &load("0,3:0")], 1, "error: cannot load"),
        (
            ["--load", "l1:0:/nowhere"],
            1,
            "error: cannot read /nowhere",
        ),
        (
            ["--load", &load("l1:x")],
            2,
            "it is l1:ADDRESS:FILE or X,Y:ADDRESS:FILE",
        ),
        (
            ["--save", &load("l1:0")],
            2,
            "it is l1:ADDRESS:BYTES:FILE or X,Y:ADDRESS:BYTES:FILE",
        ),
        (
            ["--save", "l1:0xffffffff:1:q"],
            1,
            "error: cannot save q: tile (1, 1): ",
        ),
        (
            ["--load", "l1:0x16dff8:/dev/zero"],
            1,
            "L1 bytes 0x16dff8 to 0x16e001 are beyond its end 0x16e000",
        ),
        (
            ["--save", "0,0:0:4294967295:q"],
            1,
            "error: cannot save q: tile (0, 0): undefined behaviour: DRAM bank 0 ends at \
             0x40000000; 4294967295 bytes at 0x0 do not fit",
        ),
        (
            ["--save", "l1:0:4294967295:q"],
            1,
            "L1 bytes 0x0 to 0xffffffff are beyond its end 0x16e000",
        ),
        (
            ["--dump", "l1:0x0+4294967295"],
            1,
            "error: tile (1, 1): undefined behaviour: L1 bytes 0x0 to 0xffffffff are beyond its \
             end",
        ),
        (
            ["--dump", "l1:0xffffffff+4294967295"],
            1,
            "reads 4294967295 bytes of 0xffffffff; registers are read as words",
        ),
        (
            ["--save", "l1:0:1:/nowhere/q"],
            1,
            "error: cannot write /nowhere/q",
        ),
    ] {
        check(
            &[&["words"][..], &arguments].concat(),
            b"",
            code,
            "",
            expect,
        );
    }
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
        "B pc 0x4\nB x00-07 00000000 ",
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
        "error: cannot read /nowhere",
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
    // An ELF file that is cut off, and the same one whole: linked to 0x1000, of eight bytes.
    let header = [
        &b"\x7fELF\x01\x01\x01"[..],
        &[0; 9],
        &[2, 0, 243, 0, 1, 0, 0, 0, 0, 16, 0, 0, 52, 0, 0, 0],
        &[0; 8],
        &[52, 0, 32, 0, 1, 0, 0, 0, 0, 0, 0, 0],
        &[
            1, 0, 0, 0, 84, 0, 0, 0, 0, 16, 0, 0, 0, 16, 0, 0, 8, 0, 0, 0, 8, 0, 0, 0, 5, 0, 0, 0,
            4, 0, 0, 0,
        ],
    ]
    .concat();
    let cut = file("cut.elf", &header);
    check(
        &["images", &format!("NC={cut}")],
        b"",
        1,
        "",
        "cut.elf: the ELF file ends before byte 0x5c, which its headers name",
    );
    let linked = [&header[..], &[0x13, 5, 0x10, 0, 0x6f, 0, 0, 0]].concat();
    let linked = file("linked.elf", &linked);
    check(
        &["images", &format!("NC={linked}"), "--dump", "cores"],
        b"",
        0,
        "NC pc 0x1004\n",
        "",
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
    let good = b"WRITE core=1,1 addr=0x20 size=1 data=07\n\
        READ core=1,1 addr=0x20 size=1 data=- reply=07\n";
    check(
        &["trace"],
        good,
        0,
        "<stdin>: 2 lines, 1 replies as recorded, 0 steps, 0 races",
        "",
    );
    let other = b"READ core=1,1 addr=0x20 size=1 data=- reply=07\n";
    check(
        &["trace"],
        other,
        1,
        "",
        "1 of 1 replies differ; line 1: 1 bytes of the reply of tile (1, 1) differ, first 0x20: \
         0x00, not 0x07",
    );
    check(
        &["trace"],
        b"HELLO\n",
        1,
        "",
        "line 1: unknown command \"HELLO\"",
    );
    check(
        &["trace"],
        &[0xff],
        1,
        "",
        "<stdin>:1:1: error: invalid UTF-8",
    );
    check(
        &["trace", "/nowhere"],
        b"",
        1,
        "",
        "error: cannot read /nowhere",
    );
}

/// Whoever closes the standard output has seen enough; if there is no room for it, that is an
/// error.
#[test]
fn output_that_cannot_be_written() {
    for (arguments, input) in [
        (&["words", "--stats"][..], &b"ttnop\n"[..]),
        (&["words", "--dump", "lregs"], b"ttnop\n"),
        (&["trace"], b""),
    ] {
        let told = testing::run_unread(TOOL, arguments, input);
        assert_eq!(told, testing::expected_unread(), "{arguments:?}");
    }
}

#[test]
fn completions() {
    testing::check_completions(TOOL, "tensix-emu");
}
