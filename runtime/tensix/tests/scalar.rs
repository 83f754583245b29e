//! Tests of the scalar unit and the mover between threads, and of their requests to the tile.

use tessera_isa_tensix::list::Lists;
use tessera_isa_tensix::Arch;
use tessera_tensix::{Machine, TensorArg};

/// Sets GPR 8 to the line of L1 0x2000, GPR 9 to 0, and GPR 12 to 7.
const GPRS: &str = "\
    ttsetdmareg 0, 512, 0, 16
    ttsetdmareg 0, 0, 0, 17
    ttsetdmareg 0, 0, 0, 18
    ttsetdmareg 0, 0, 0, 19
    ttsetdmareg 0, 7, 0, 24
    ttsetdmareg 0, 0, 0, 25
";

/// Runs a program under 100 seeds, with two pages in DRAM: zeros, and the word 3.
fn results(text: &str) -> Vec<Result<(), String>> {
    let lists: Lists = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    let arg = TensorArg {
        base: 0,
        page_bytes: 32,
        pages: 2,
    };
    let run = |seed| {
        let mut machine = Machine::new(Arch::WormholeB0);
        machine.dram().write(0, 0, &[0; 32]).unwrap();
        let mut page = [0; 32];
        page[0] = 3;
        machine.dram().write(1, 0, &page).unwrap();
        machine
            .run(&lists, &[arg], seed)
            .map(|_| ())
            .map_err(|trap| trap.to_string())
    };
    (0..100).map(run).collect()
}

fn succeeds(text: &str) {
    for (seed, result) in results(text).into_iter().enumerate() {
        assert_eq!(result, Ok(()), "seed {seed} of\n{text}");
    }
}

/// Checks that a program fails under some seeds, or under all if `all` is set, always with
/// `expect`.
fn fails(text: &str, all: bool, expect: &str) {
    let results = results(text);
    let errors: Vec<&String> = results.iter().filter_map(|r| r.as_ref().err()).collect();
    assert!(!errors.is_empty(), "no seed fails:\n{text}");
    assert!(
        !all || errors.len() == results.len(),
        "a seed does not fail:\n{text}"
    );
    for error in errors {
        assert!(error.contains(expect), "{error}");
    }
}

#[test]
fn loads_are_waited_for() {
    let program = |wait: &str| {
        format!(
            ".unpack\n{GPRS} ttstoreind 1, 0, 1, 18, 0, 12, 8\n ttloadind 1, 18, 0, 13, 8\n\
             {wait} ttadddmareg 1, 14, 1, 13\n"
        )
    };
    for right in [
        "ttstallwait 0x20, 1",
        "ttflushdma 1",
        "ttflushdma 0",
        ".wait_idle",
    ] {
        succeeds(&program(&format!(" {right}\n")));
    }
    let hazard = "hazard: uses GPR 13, whose load may still be on its way";
    fails(&program(" ttdmanop\n"), true, hazard);
    // A wait that blocks units other than the scalar unit.
    fails(&program(" ttstallwait 0x100, 1\n"), false, hazard);
    // A flush of another unit.
    fails(&program(" ttflushdma 2\n"), true, hazard);
}

/// Requests of the scalar unit take effect late for all other units, here for data movement of a
/// page of 32 bytes.
#[test]
fn stores_are_waited_for() {
    let program = |wait: &str| {
        let zeros: String = (26..32)
            .map(|half| format!(" ttsetdmareg 0, 0, 0, {half}\n"))
            .collect();
        format!(
            ".unpack\n{GPRS}{zeros} ttatswap 0, 0xff, 12, 8\n ttadddmareg 1, 8, 1, 8\n \
             ttatswap 0, 0xff, 12, 8\n{wait} ttsempost 1\n .sem_poll 0, 1\n .sem_get 0\n .post 0\n\
             .dm\n .wait 0, 1\n .write 0, 0, 0x2000\n"
        )
    };
    succeeds(&program(" ttstallwait 2, 1\n"));
    fails(&program(""), false, "hazard: reads L1 0x20");
}

/// ATCAS waits for a value that another thread writes to L1, and occupies the scalar unit
/// meanwhile.
#[test]
fn a_compare_waits_for_its_value() {
    let dm = ".dm\n .read 0, 0, 0x2000\n .post 0\n .wait 1, 1\n .read 0, 1, 0x2000\n";
    let math = |more: &str| {
        format!(
            ".math\n{GPRS} .wait 0, 1\n .post 1\n ttatcas 0, 5, 3, 0, 8\n ttatcas 0, 6, 5, 0, 8\n\
             {more}"
        )
    };
    succeeds(&format!("{}{dm}", math("")));
    fails(
        &format!("{}{dm}", math(" ttatcas 0, 7, 5, 0, 8\n")),
        true,
        "deadlock: math (T1): `ttatcas 0, 7, 5, 0, 8` of entry 10 waits for the memory that its \
         operands name",
    );
    // In this program the value would have to be written by the scalar unit itself.
    let other =
        format!(".pack\n{GPRS} .wait 0, 1\n .wait 2, 1\n ttstoreind 1, 0, 1, 18, 0, 12, 8\n");
    let stuck = math("")
        .replace(" .post 1\n", "")
        .replace("ttatcas 0, 5, 3", "ttatcas 0, 5, 7")
        + " .post 2\n";
    let dm = ".dm\n .read 0, 0, 0x2000\n .post 0\n";
    fails(
        &format!("{stuck}{other}{dm}"),
        false,
        "waits for the scalar unit, which thread 1 occupies",
    );
}

#[test]
fn the_mover_is_waited_for() {
    // Words 76 to 78: clear 16 bytes of L1 from 0x2000.
    let program = |wait: &str| {
        format!(
            ".unpack\n{GPRS}ttsetdmareg 0, 0, 0, 32\n ttsetdmareg 0, 0, 0, 33\n \
             ttsetdmareg 0, 512, 0, 34\n ttsetdmareg 0, 0, 0, 35\n\
             ttsetdmareg 0, 1, 0, 36\n ttsetdmareg 0, 0, 0, 37\n ttsetdmareg 0, 0, 0, 38\n \
             ttsetdmareg 0, 0, 0, 39\n\
             ttwrcfg 16, 1, 76\n ttnop\n ttxmov 0, 0\n{wait} ttloadind 1, 18, 0, 13, 8\n"
        )
    };
    succeeds(&program(" ttstallwait 0x20, 0x1000\n"));
    fails(
        &program(""),
        false,
        "hazard: reads L1 0x2000 while XMOV of thread 0 may still access it in the mover; wait for \
         that unit first",
    );
    fails(
        &program("").replace(" ttnop\n ttxmov", " ttxmov"),
        false,
        "hazard: uses configuration word",
    );
}

#[test]
fn lists_have_no_registers() {
    for (text, what) in [
        ("ttstorereg 12, 65536", "a store to the register 0xffb40000"),
        ("ttloadreg 13, 65536", "a load of the register 0xffb40000"),
    ] {
        fails(
            &format!(".unpack\n{GPRS} {text}\n"),
            true,
            &format!(
                "unpack (T0), entry 6, `{text}`: undefined behaviour: {what}, which list programs \
                 do not have; only images do"
            ),
        );
    }
}
