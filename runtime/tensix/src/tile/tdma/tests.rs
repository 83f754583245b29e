use super::*;
use tessera_isa_tensix::{Arch, Instruction};

use crate::state::packer::SetRegister;
use crate::state::request::Request;

/// TDMA-RISC and the coprocessor it belongs to.
struct Bench(Tdma, Coprocessor);

impl Bench {
    fn new() -> Bench {
        Bench(Tdma::default(), Coprocessor::new(Arch::WormholeB0))
    }

    fn store(&mut self, at: u32, value: u32) -> Result<bool, Fault> {
        self.0.store(map::TDMA + at, value, &mut self.1)
    }

    fn enqueue(&mut self, values: [u32; 5]) -> Result<bool, Fault> {
        for (at, value) in (0..).step_by(4).zip(&values[..4]) {
            self.store(at, *value).unwrap();
        }
        self.store(COMMAND, values[4])
    }

    fn status(&self, moves: bool) -> Result<u32, Fault> {
        self.0.load(map::TDMA + STATUS, moves)
    }

    fn advance(&mut self) -> Result<bool, Fault> {
        self.0.advance(&mut self.1)
    }
}

#[test]
fn moves_code() {
    let mut bench = Bench::new();
    bench.1.core.l1.write(0x1000, &[0x13; 32]).unwrap();
    assert_eq!(bench.status(false), Ok(0x428));
    assert_eq!(bench.enqueue([0x100, 0x4001, 2, 1, 0x40]), Ok(true));
    assert_eq!(bench.status(true), Ok(0x301));
    assert_eq!(bench.advance(), Ok(true));
    bench.store(COMMAND, 0x8000_0046).unwrap();
    assert_eq!(bench.advance(), Ok(false), "it waits");
    let request = bench
        .1
        .finish(MOVER)
        .unwrap()
        .and_then(|(_, sent)| Some(sent?.request));
    let moved = Request::InstructionRam {
        offset: 16,
        bytes: vec![0x13; 32],
    };
    assert_eq!(request, Some(moved));
    assert_eq!(bench.advance(), Ok(true));
    assert_eq!(bench.status(false), Ok(0x428));
}

#[test]
fn packers_have_registers_here() {
    let mut bench = Bench::new();
    let mut expect = SetRegister::default();
    let set = |bench: &Bench| bench.1.core.regs.set_register;
    bench.store(ADDRESSES, 0x0012_3456).unwrap();
    expect.set_bases(0x0012_3456);
    assert_eq!(set(&bench), expect);
    for (at, value) in [(0x3C, 3 << 18 | 0x1FF << 9 | 7), (0x13C, 0x0765_4321)] {
        bench.store(at, value).unwrap();
        expect.set_scalers(0, value);
        assert_eq!(set(&bench), expect, "{at:#x}");
    }
    bench.store(HYSTERESIS, 0xffff_ffff).unwrap();
    expect.set_scalers(3, 0x1ff);
    assert_eq!(set(&bench), expect);
    assert_eq!(bench.0.load(map::TDMA + HYSTERESIS, false), Ok(0x01ff_007f));
    // Packers that a bit selects, whatever register it is stored to.
    for (at, value, offsets) in [
        (0x1C, 0x0005_0101, [0x101, 0, 0x101, 0]),
        (0x5C, 0x000a_0202, [0x101, 0x202, 0x101, 0x202]),
        (0x39C, 0xfff1_ffff, [0xffff, 0x202, 0x101, 0x202]),
    ] {
        bench.store(at, value).unwrap();
        let packers = &bench.1.core.regs.packers;
        assert_eq!(
            packers.each_ref().map(|packer| packer.address_offset),
            offsets,
            "{at:#x}"
        );
    }
}

/// Configuration that a working packer may use must not change, unless the check policy is that of
/// the vendor's programs.
#[test]
fn packers_at_work_are_waited_for() {
    for (check_policy, expect) in [(CheckPolicy::Vendor, None), (CheckPolicy::Strict, Some(
        "hazard: stores to TDMA-RISC's 0xffb11038 while a packer is at work, which may use it; \
         wait for the packers first"))] {
        let coprocessor = Coprocessor::with_check_policy(Arch::WormholeB0, check_policy);
        let mut bench = Bench(Tdma::default(), coprocessor);
        let word = Instruction::parse(Arch::WormholeB0, "ttpacr 0, 0, 0, 1, 0, 1, 0").unwrap();
        bench.1.frontends[2].push(word.encode(Arch::WormholeB0).unwrap(), 0);
        assert_eq!(bench.store(ADDRESSES, 0), Ok(true));
        assert_eq!(bench.1.issue(2, 1), Ok((1, true)));
        let stored = bench.store(ADDRESSES, 0).err().map(|e| e.to_string());
        assert_eq!(stored.as_deref(), expect);
        bench
            .1
            .finish(PACKERS.trailing_zeros() as usize)
            .unwrap()
            .unwrap();
        assert_eq!(bench.store(ADDRESSES, 0), Ok(true));
    }
}

#[test]
fn refused_commands() {
    let check = |values: [u32; 5], expect: &str| {
        let mut bench = Bench::new();
        let result = bench.enqueue(values).and_then(|_| bench.advance());
        assert_eq!(result.unwrap_err().to_string(), expect);
    };
    check(
        [0, 0x4000, 1, 1, 0x40],
        "undefined behaviour: reads L1 0x0, which nothing has written",
    );
    check(
        [1 << 28, 0x4000, 1, 1, 0x40],
        "undefined behaviour: moves from or to 0x10000000 times 16, which is not an address",
    );
    check(
        [0, 0, 0, 0, 0x66],
        "not modelled: TDMA-RISC command 0x66; a move (0x40) with parameters, a wait and a NOP are",
    );
    let mut bench = Bench::new();
    assert_eq!(bench.enqueue([0; 5]), Ok(true));
    assert_eq!(bench.enqueue([0; 5]), Ok(true));
    assert_eq!(
        bench.enqueue([0; 5]).unwrap_err().to_string(),
        "undefined behaviour: stores TDMA-RISC command 0x0 while 2 commands with parameters are \
         queued; wait, or store a compact command (bit 31) after each"
    );
    assert_eq!(bench.store(COMMAND, 1 << 31), Ok(true));
    assert_eq!(bench.store(COMMAND, 1 << 31), Ok(true));
    assert_eq!(bench.store(COMMAND, 1 << 31), Ok(false));
    assert_eq!(
        bench
            .0
            .load(map::TDMA + 0x18, false)
            .unwrap_err()
            .to_string(),
        "not modelled: reads this register of TDMA-RISC (0xffb11018); what packers and unpackers \
         report there is not known"
    );
    for at in [0x18, 0x34, 0x41C] {
        assert_eq!(
            bench.store(at, 0).unwrap_err().to_string(),
            format!(
                "not modelled: stores to this register of TDMA-RISC ({:#x}); what packers and \
                 unpackers report there is not known",
                map::TDMA + at
            )
        );
    }
}
