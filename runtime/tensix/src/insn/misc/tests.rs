use super::*;
use tessera_isa_tensix::{Arch, Instruction};

use crate::state::core_state::CoreState;

fn execute_on(core: &mut CoreState, line: &str) -> Result<(), Fault> {
    let instruction = Instruction::parse(core.arch, line).unwrap();
    execute(
        &instruction,
        2,
        &mut core.adcs,
        (&core.config, &mut core.banks),
    )
}

fn run(core: &mut CoreState, lines: &[&str]) {
    lines
        .iter()
        .for_each(|line| execute_on(core, line).unwrap());
}

/// Returns X, Y, Z, W of channel 0 and of channel 1.
fn packers(core: &CoreState) -> [[u32; 4]; 2] {
    core.adcs[2]
        .packers
        .map(|c| Axis::ALL.map(|axis| c.get(axis)))
}

#[test]
fn counters() {
    Arch::ALL.into_iter().for_each(check_counters);
}

fn check_counters(arch: Arch) {
    let mut core = CoreState::new(arch);
    run(
        &mut core,
        &[
            "ttsetadcxy 4, 1, 2, 3, 4, 15",
            "ttsetadczw 4, 5, 6, 7, 1, 15",
        ],
    );
    assert_eq!(packers(&core), [[4, 3, 1, 7], [2, 1, 6, 5]]);
    run(&mut core, &["ttsetadcxy 4, 0, 0, 0, 0, 6"]);
    assert_eq!(packers(&core), [[4, 0, 1, 7], [0, 1, 6, 5]]);
    run(
        &mut core,
        &["ttincadcxy 4, 1, 2, 3, 4", "ttincadczw 4, 1, 1, 1, 1"],
    );
    assert_eq!(packers(&core), [[8, 3, 2, 8], [2, 2, 7, 6]]);
    run(
        &mut core,
        &["ttaddrcrxy 4, 3, 0, 0, 0, 8", "ttaddrcrzw 4, 0, 0, 0, 2, 1"],
    );
    assert_eq!(packers(&core), [[8, 3, 3, 8], [2, 4, 7, 6]]);
    run(&mut core, &["ttsetadcxx 4, 255, 16", "ttsetadc 4, 1, 3, 9"]);
    assert_eq!(packers(&core), [[16, 3, 3, 8], [255, 4, 7, 9]]);
    assert_eq!(core.adcs[2].unpacker, [[Channel::new(core.arch); 2]; 2]);
    // Z wraps where the chip's counters do.
    run(&mut core, &["ttsetadc 4, 0, 2, 0x1fff"]);
    let last = packers(&core)[0][2];
    let expect = [(Arch::WormholeB0, 0xff), (Arch::Blackhole, 0x1fff)];
    assert!(expect.contains(&(arch, last)), "{arch} {last:#x}");
}

#[test]
fn refusals() {
    for arch in Arch::ALL {
        let mut core = CoreState::new(arch);
        assert_eq!(
            execute_on(&mut core, "ttsetadc 1, 0, 1, 0x10007")
                .unwrap_err()
                .to_string(),
            "not modelled: SETADC of another thread's counters (the value is 0x10007, of which \
             bits 17:16 name the thread); clear those bits"
        );
    }
}

#[test]
fn dvalid() {
    let mut core = CoreState::new(Arch::WormholeB0);
    run(&mut core, &["ttsetdvalid 2"]);
    assert!(core.banks.matrix_may_read(Src::B) && !core.banks.matrix_may_read(Src::A));
}
