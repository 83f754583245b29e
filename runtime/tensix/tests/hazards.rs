//! Instruction orders that the hardware does not guarantee, each with a correct program.

use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::Arch;
use tessera_tensix::Machine;

/// Configuration for one UNPACR of a face row to SrcB, and a way to release its bank without
/// counters.
const UNPACK_B: &str = "\
    ttsetdmareg 0, 21, 0, 32        # bf16, uncompressed
    ttsetdmareg 0, 16, 0, 33        # 16 datums a row
    ttsetdmareg 0, 1, 0, 34
    ttsetdmareg 0, 1, 0, 35
    ttsetdmareg 0, 1, 0, 36
    ttsetdmareg 0, 0, 0, 37
    ttsetdmareg 0, 0, 0, 38
    ttsetdmareg 0, 0, 0, 39
    ttwrcfg 16, 1, 92               # tile descriptor of unpacker 1
    ttsetdmareg 0, 5, 0, 32
    ttsetdmareg 0, 0, 0, 33
    ttwrcfg 16, 0, 100              # bf16 out
    ttsetdmareg 0, 6143, 0, 32
    ttwrcfg 16, 0, 104              # L1 0x18000
    ttsetadcxy 2, 0, 0, 0, 0, 15
    ttsetadczw 2, 0, 0, 0, 0, 15
    ttsetadcxx 2, 15, 0
    .wait 0, 1
    ttunpacr 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1
";

const FETCH: &str = "    .read 0, 0, 0x18000\n    .post 0\n";

fn errors(text: &str) -> Vec<String> {
    errors_on(Arch::WormholeB0, text)
}

fn errors_on(arch: Arch, text: &str) -> Vec<String> {
    let lists: Lists = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let arg = tessera_tensix::TensorArg {
        base: 0,
        page_bytes: 2048,
        pages: 1,
    };
    (0..100)
        .filter_map(|seed| {
            let mut machine = Machine::new(arch);
            machine.dram().write(0, 0, &[0; 2048]).unwrap();
            machine
                .run(&lists, &[arg], seed)
                .err()
                .map(|trap| trap.to_string())
        })
        .collect()
}

/// Checks that `wrong` fails under each of 100 seeds with `expect`, and that `right` succeeds.
fn check_always(wrong: &str, right: &str, expect: &str) {
    assert_eq!(errors(wrong).len(), 100, "a seed does not fail:\n{wrong}");
    check(wrong, right, expect);
}

/// Checks that `wrong` fails under some of 100 seeds, only with `expect`, and that `right` never
/// fails.
fn check(wrong: &str, right: &str, expect: &str) {
    let failed = errors(wrong);
    assert!(!failed.is_empty(), "no seed fails:\n{wrong}");
    for error in failed {
        assert!(error.contains(expect), "{error}");
    }
    assert_eq!(errors(right), Vec::<String>::new(), "{right}");
}

#[test]
fn configuration_of_an_unpacker_at_work() {
    let kernel = |wait: &str| {
        format!(
            ".unpack\n{UNPACK_B}    ttsetdmareg 0, 7000, 0, 32\n\
             {wait}    ttwrcfg 16, 0, 104\n.dm\n{FETCH}"
        )
    };
    check(
        &kernel(""),
        &kernel("    ttstallwait 128, 4\n"),
        "`ttwrcfg 16, 0, 104`: hazard: changes configuration word 104 while UNPACR of thread 0 may \
         still access it in unpacker 1; wait for that unit first",
    );
}

/// MOVDBGA2D does not wait for the bank.
#[test]
fn a_bank_of_an_unpacker_at_work() {
    // The same of unpacker 0, to row 4: BF16 in SrcA, and a stride of 64 datums.
    let unpack_a = UNPACK_B
        .replace(", 92 ", ", 52 ")
        .replace(", 100 ", ", 60 ")
        .replace(", 104 ", ", 64 ")
        .replace("ttsetadcxy 2, 0", "ttsetadcxy 1, 1")
        .replace("ttsetadczw 2", "ttsetadczw 1")
        .replace("ttsetadcxx 2", "ttsetadcxx 1")
        .replace("ttunpacr 1, 0", "ttunpacr 0, 0");
    let kernel = |wait: &str| {
        format!(
            ".unpack\n    ttrmwcib2 30, 10, 1\n    ttrmwcib2 255, 8, 44\n{unpack_a}{wait}    ttmovdbga2d 0, 0, 0, 0, 0\n\
             .dm\n{FETCH}"
        )
    };
    check(
        &kernel(""),
        &kernel("    ttstallwait 64, 2\n"),
        "hazard: MOVDBGA2D reads a bank of SrcA that unpacker 0 may still be writing; put a \
         STALLWAIT for the unpacker between them",
    );
}

#[test]
fn memory_of_an_unpacker_at_work() {
    let kernel = |wait: &str| {
        format!(
            ".unpack\n{UNPACK_B}{wait}    .post 1\n.dm\n{FETCH}    .wait 1, 1\n    \
             .read 0, 0, 0x18000\n"
        )
    };
    check(
        &kernel(""),
        &kernel("    .wait_idle\n"),
        "dm, entry 3: hazard: writes L1 0x18000 while UNPACR of thread 0 may still access it in \
         unpacker 1; wait for that unit first",
    );
}

#[test]
fn memory_that_has_not_arrived() {
    let kernel = |wait: &str| {
        format!(
            ".unpack\n{}.dm\n{FETCH}",
            UNPACK_B.replace("    .wait 0, 1\n", wait)
        )
    };
    check(
        &kernel(""),
        &kernel("    .wait 0, 1\n"),
        "undefined behaviour: reads L1 0x18000, which nothing has written",
    );
}

#[test]
fn result_of_a_multiply_add() {
    let kernel = |between: &str| {
        format!(
            ".math\n    sfploadi 0, 0, 16256\n    sfpmad 0, 0, 0, 1, 0\n\
             {between}    sfpmov 1, 2, 0\n"
        )
    };
    check_always(
        &kernel(""),
        &kernel("    sfpnop\n"),
        "`sfpmov 1, 2, 0`: hazard: reads LReg 1, which the instruction right before it is still \
         computing; put an SFPNOP between them",
    );
}

/// Blackhole waits for results of multiply-adds, but does not detect every instruction that depends
/// on them.
#[test]
fn dependent_instructions_that_are_not_detected() {
    const MAD: &str = "sfpmad 0, 0, 0, 1, 0";
    let fill = |lreg| format!("    sfploadi {lreg}, 2, 3\n");
    let fills: String = [0, 1, 2, 3, 7].map(fill).concat();
    // The register of the result, the next instruction, and whether the hardware waits.
    for (late, lreg, next, waits) in [
        (MAD, 1, "sfpmov 1, 2, 0", true),
        (MAD, 1, "sfpsetsgn 0, 0, 1, 0", true),
        (MAD, 1, "sfpand 0, 2, 1, 0", true),
        (MAD, 1, "sfpand 1, 2, 0, 1", false),
        (MAD, 1, "sfpor 1, 2, 0, 1", false),
        (MAD, 1, "sfpiadd 0, 1, 2, 4", true),
        (MAD, 1, "sfpiadd 0, 2, 1, 4", false),
        (MAD, 1, "sfpshft 1, 0, 1, 1", false),
        (MAD, 1, "sfpswap 1, 2, 0", true),
        (MAD, 1, "sfpswap 1, 2, 1", false),
        (MAD, 1, "sfpshft2 0, 1, 2, 3", false),
        (MAD, 1, "sfpshft2 1, 2, 2, 5", false),
        (MAD, 1, "sfpstochrnd 0, 0, 0, 1, 2, 1", true),
        // The result is written to the register that LReg 7 names, not to the instruction's
        // destination.
        ("sfplutfp32 1, 10", 3, "sfpmov 3, 4, 0", false),
        ("sfplutfp32 1, 2", 1, "sfpmov 1, 4, 0", true),
    ] {
        // A table of six entries needs three more registers.
        let more = [4, 5, 6].map(fill).concat();
        let program = format!(".math\n    sfpencc 3, 0, 10\n{fills}{more}    {late}\n    {next}\n");
        let errors = errors_on(Arch::Blackhole, &program);
        let expect = format!(
            "hazard: reads LReg {lreg}, which the instruction right before it is still computing; \
             put an SFPNOP between them"
        );
        match waits {
            true => assert_eq!(errors, Vec::<String>::new(), "{next}"),
            false => {
                assert_eq!(errors.len(), 100, "{next}");
                assert!(errors[0].contains(&expect), "{next}: {}", errors[0]);
            }
        }
    }
}

/// Scheduled instructions have completed when the unit is idle, and a kernel does not end before.
#[test]
fn scheduled_instructions() {
    let kernel = |misc: u32, end: &str| {
        format!(
            ".math\n    sfpencc 3, 0, 10\n    sfploadi 0, 2, 7\n    sfpabs 0, 12, 0\n    \
             sfploadi 0, 2, 0x1c\n    sfpconfig 0, 4, 0\n    sfpconfig {misc}, 8, 1\n    \
             sfploadmacro 0, 11, 0, 0\n{end}"
        )
    };
    assert_eq!(errors(&kernel(0, "")), Vec::<String>::new());
    assert_eq!(
        errors(&kernel(0x100, "    sfpnop\n    sfpnop\n    sfpnop\n")),
        Vec::<String>::new()
    );
    let expect = "the vector unit still has to execute what SFPLOADMACRO has scheduled after \
                  instructions that do not come; issue SFPNOPs";
    check_always(
        &kernel(0x100, "    sfpnop\n"),
        &kernel(0x100, "    sfpnop\n    sfpnop\n    sfpnop\n"),
        expect,
    );
    // A scheduled instruction that traps by itself, without an instruction of a thread.
    let trap = kernel(0, "").replace("sfpabs 0, 12, 0", "sfplz 0, 12, 1");
    let expect = "math (T1): not modelled: SFPLZ that SFPLOADMACRO has scheduled: SFPLZ in mode 1";
    check_always(&trap, &kernel(0, ""), expect);
}

#[test]
fn instructions_after_a_rotation_of_lanes() {
    let kernel = |between: &str, next: &str| {
        format!(".math\n    sfploadi 0, 0, 16256\n    sfpshft2 0, 0, 1, 3\n{between}    {next}\n")
    };
    check_always(
        &kernel("", "sfpmov 0, 2, 0"),
        &kernel("    sfpnop\n", "sfpmov 0, 2, 0"),
        "`sfpmov 0, 2, 0`: hazard: SFPMOV right after a rotation by SFPSHFT2, which is still \
         writing; put an SFPNOP between them",
    );
    check_always(
        &kernel("", "sfpmad 1, 0, 0, 2, 0"),
        &kernel("", "sfpmad 0, 0, 0, 2, 0"),
        "`sfpmad 1, 0, 0, 2, 0`: hazard: reads LReg 1, which the instruction right before it is \
         still computing; put an SFPNOP between them",
    );
}

#[test]
fn vector_load_behind_a_matrix_instruction() {
    let kernel = |between: &str| {
        format!(
            ".math
    ttsetdmareg 0, 0, 0, 32
    ttsetdmareg 1, 10920, 0, 33      # SrcA is TF32, SrcB bf16, Dst fp32
    ttwrcfg 16, 0, 1
    ttsetdmareg 0, 1, 0, 32
    ttsetdmareg 0, 0, 0, 33
    ttwrcfg 16, 0, 14
    ttnop
    ttunpacr_nop 0, 1               # SrcA := 0
    ttsetdvalid 1
    ttmova2d 0, 0, 0, 2, 0          # eight rows to Dst
{between}    sfpload 0, 3, 0, 0
    ttsetrwc 1, 0, 0, 0, 0, 0       # SrcA back to its unpacker
"
        )
    };
    let expect = "`sfpload 0, 3, 0, 0`: hazard: reads Dst row 0 (of 1024), which the matrix unit \
                  may still be writing for one of the three instructions before; put a STALLWAIT \
                  for the matrix unit or three instructions between them";
    check_always(
        &kernel("    ttnop\n    ttnop\n"),
        &kernel("    ttnop\n    ttnop\n    ttnop\n"),
        expect,
    );
    check_always(&kernel(""), &kernel("    ttstallwait 256, 128\n"), expect);
    // A wait for another condition is not sufficient; a wait that holds another instruction before
    // the load is.
    check_always(
        &kernel("    ttstallwait 256, 4\n"),
        &kernel("    ttstallwait 2, 128\n    ttsempost 1\n    ttsemget 1\n"),
        expect,
    );
}

#[test]
fn columns_that_the_vector_unit_is_changing() {
    let kernel = |wait: &str| {
        format!(
            ".unpack\n    ttsetdvalid 3\n.math\n    ttstallwait 64, 3072\n    \
             ttzerosrc 0, 0, 1, 3\n    sfpconfig 512, 15, 1\n{wait}    ttmovb2a 0, 0, 0, 0\n    \
             ttcleardvalid 3, 0\n"
        )
    };
    check(
        &kernel(""),
        &kernel("    ttstallwait 64, 16384\n"),
        "`ttmovb2a 0, 0, 0, 0`: hazard: moves columns while the vector unit may still execute the \
         SFPCONFIG that changes LaneConfig.BLOCK_DEST_MOV; put a STALLWAIT for the vector unit \
         between them",
    );
}
