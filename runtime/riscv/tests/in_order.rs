//! Execution by micro-operations ([`Core::run`]) compared with one instruction at a time
//! ([`Core::run_undecoded`]) on random programs.
//!
//! The programs jump anywhere, store into their code, fault, access devices and read the
//! instruction counter. Runs end at random limits.

use std::sync::Arc;

use proptest::prelude::*;
use tessera_riscv::table::{Format, ROWS};
use tessera_riscv::{
    Bus, CodeLibrary, Core, Extension, Instruction, Isa, Op, Refusal, SharedCode, Step, Trap,
    Width, CODE_PAGE,
};

/// The code begins in the middle of a page, or near its end, so that it continues in the next one.
const CODE: [u32; 2] = [CODE_PAGE / 2, CODE_PAGE - 100];
const CODE_WORDS: u32 = 60;
/// Data, in the last page of the code and later.
const DATA: u32 = CODE_PAGE + 0x300;
const BYTES: usize = 4 * CODE_PAGE as usize;
/// A device whose reads count, and which is busy at every third access.
const DEVICE: u32 = 0x8000_0000;
/// A device that ends the run.
const BREAK: u32 = 0x8000_0010;
/// A word that ends the run when it is read.
const POLLED: u32 = 0x4000_0000;
const PUSH: u32 = 0xffe4_0000;
/// Registers by purpose: addresses of data, the devices and code; eight results; eight words to
/// store into code.
const DATA_ADDRESS: u8 = 1;
const DEVICE_ADDRESS: u8 = 2;
const CODE_ADDRESS: u8 = 3;
const RESULTS: u8 = 4;
const INSTRUCTIONS: u8 = 12;

#[derive(Clone, Debug, PartialEq, Eq)]
struct Machine {
    bytes: Vec<u8>,
    versions: Vec<u32>,
    /// Stores to devices.
    log: Vec<(u32, u32, u32)>,
    accesses: u32,
    wants_a_break: bool,
    polled: u32,
}

impl Machine {
    fn new() -> Self {
        Machine {
            bytes: vec![0; BYTES],
            versions: vec![0; BYTES / CODE_PAGE as usize],
            log: Vec::new(),
            accesses: 0,
            wants_a_break: false,
            polled: 0,
        }
    }

    /// Counts an access to a device.
    fn touch(&mut self, addr: u32, width: Width) -> Result<u32, Refusal<u32>> {
        if !matches!(addr, DEVICE | BREAK | PUSH) || width != Width::Word {
            return Err(Refusal::Fault(addr));
        }
        self.accesses += 1;
        if addr == DEVICE && self.accesses % 3 == 0 {
            return Err(Refusal::Busy);
        }
        self.wants_a_break |= addr == BREAK;
        Ok(self.accesses)
    }
}

impl Bus for Machine {
    type Fault = u32;

    fn fetch(&mut self, pc: u32) -> Result<u32, u32> {
        let bytes = self.bytes.get(pc as usize..).and_then(|b| b.first_chunk());
        bytes.map(|&bytes| u32::from_le_bytes(bytes)).ok_or(pc)
    }

    fn code_version(&self, pc: u32) -> u32 {
        let version = self.versions.get((pc / CODE_PAGE) as usize);
        version.copied().unwrap_or_default()
    }

    fn code_bytes(&self, page: u32) -> Option<&[u8]> {
        self.bytes.get(page as usize..(page + CODE_PAGE) as usize)
    }

    fn load(&mut self, addr: u32, width: Width) -> Result<u32, Refusal<u32>> {
        let range = addr as usize..addr as usize + width.bytes() as usize;
        match self.bytes.get(range) {
            Some(bytes) => Ok(bytes.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b))),
            None if addr == POLLED => {
                self.wants_a_break = true;
                Ok(self.polled)
            }
            None => self.touch(addr, width),
        }
    }

    fn store(&mut self, pc: u32, addr: u32, width: Width, value: u32) -> Result<(), Refusal<u32>> {
        let len = width.bytes() as usize;
        match self.bytes.get_mut(addr as usize..addr as usize + len) {
            Some(bytes) => {
                bytes.copy_from_slice(&value.to_le_bytes()[..len]);
                self.versions[(addr / CODE_PAGE) as usize] += 1;
            }
            None => {
                self.touch(addr, width)?;
                self.log.push((pc, addr, value));
            }
        }
        Ok(())
    }

    fn region(&self, _: u32) -> u8 {
        0
    }

    fn multiply_add(&self, a: u32, b: u32, c: u32) -> Option<u32> {
        let [a, b, c] = [a, b, c].map(f32::from_bits);
        Some(a.mul_add(b, c).to_bits())
    }

    fn reading_changes(&self, addr: u32) -> bool {
        addr >= DEVICE
    }

    fn wants_a_break(&self) -> bool {
        self.wants_a_break
    }
}

/// The generator SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (((word >> 32) * u64::from(n)) >> 32) as u32
    }

    fn choose<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len() as u32) as usize]
    }

    fn result(&mut self) -> u8 {
        RESULTS + self.below(8) as u8
    }

    fn code_word(&mut self) -> u8 {
        INSTRUCTIONS + self.below(8) as u8
    }

    /// Returns a source: a result, or any register.
    fn source(&mut self) -> u8 {
        match self.below(4) {
            0 => self.below(RESULTS.into()) as u8,
            _ => self.result(),
        }
    }

    /// Returns an offset of data and code, seldom misaligned.
    fn offset(&mut self, to_code: bool) -> i32 {
        let words = if to_code { CODE_WORDS } else { 16 };
        let misaligned = self.below(60);
        4 * self.below(words) as i32 + if misaligned < 4 { misaligned as i32 } else { 0 }
    }

    /// Returns the offset of a branch, usually forwards.
    fn branch_offset(&mut self) -> i32 {
        match self.below(60) {
            0 => 2,
            1 => 0,
            2..8 => -4 * self.below(10) as i32,
            _ => 4 + 4 * self.below(6) as i32,
        }
    }

    fn instruction(&mut self) -> Instruction {
        use Instruction as I;
        const LOADS: [Op; 7] = [Op::Lb, Op::Lbu, Op::Lh, Op::Lhu, Op::Lw, Op::Lw, Op::Flw];
        const STORES: [Op; 4] = [Op::Sb, Op::Sh, Op::Sw, Op::Sw];
        const BRANCHES: [Op; 6] = [Op::Beq, Op::Bne, Op::Blt, Op::Bge, Op::Bltu, Op::Bgeu];
        match self.below(20) {
            0..3 => {
                let offset = self.offset(false);
                I::i(self.choose(&LOADS), self.result(), DATA_ADDRESS, offset)
            }
            3..5 => {
                let offset = self.offset(false);
                I::s(self.choose(&STORES), DATA_ADDRESS, self.source(), offset)
            }
            5 => {
                let offset = self.offset(true);
                I::s(Op::Sw, CODE_ADDRESS, self.code_word(), offset)
            }
            6 if self.below(3) == 0 => {
                let offset = self.choose(&[0, 0, (BREAK - DEVICE) as i32]);
                match self.below(2) {
                    0 => I::i(Op::Lw, self.result(), DEVICE_ADDRESS, offset),
                    _ => I::s(Op::Sw, DEVICE_ADDRESS, self.source(), offset),
                }
            }
            7..10 => {
                let offset = self.branch_offset();
                let op = self.choose(&BRANCHES);
                I::s(op, self.source(), self.source(), offset)
            }
            10 => match self.below(4) {
                0 => I::i(Op::Jal, self.result(), 0, self.branch_offset()),
                1 => {
                    let offset = self.offset(true) + self.choose(&[0, 0, 0, 2]);
                    I::i(Op::Jalr, self.result(), CODE_ADDRESS, offset)
                }
                2 => I::push(self.below(1 << 20)),
                _ => I::csr(Op::Csrrs, self.result(), 0xc02, 0),
            },
            11 => {
                let upper = (self.below(1 << 20) << 12) as i32;
                I::i(self.choose(&[Op::Lui, Op::Auipc]), self.result(), 0, upper)
            }
            _ => self.computation(),
        }
    }

    /// Returns an instruction without jumps and accesses of any format that has registers only, or
    /// one with an immediate.
    fn computation(&mut self) -> Instruction {
        let base = |op: Op| op.row().extension == Extension::Base;
        let rows: Vec<_> = ROWS.iter().filter(|row| base(row.op)).collect();
        let of = |format| -> Vec<Op> {
            let rows = rows.iter().filter(|row| row.format == format);
            rows.map(|row| row.op).collect()
        };
        let (rd, rs1, rs2) = (self.result(), self.source(), self.source());
        match self.below(10) {
            0..4 => Instruction::r(self.choose(&of(Format::R)), rd, rs1, rs2),
            4..7 => {
                let imm = self.below(64) as i32 - 16;
                Instruction::i(self.choose(&of(Format::I)), rd, rs1, imm)
            }
            7..9 => {
                let shift = self.below(32) as i32;
                Instruction::i(self.choose(&of(Format::Shift)), rd, rs1, shift)
            }
            _ => {
                const OTHERS: [Op; 8] = [
                    Op::Sh1add,
                    Op::Sh2add,
                    Op::Sh3add,
                    Op::Andn,
                    Op::Max,
                    Op::Rol,
                    Op::Clz,
                    Op::FmulS,
                ];
                let op = self.choose(&OTHERS);
                let rs2 = if op == Op::Clz { 0 } else { rs2 };
                Instruction::r(op, rd, rs1, rs2)
            }
        }
    }
}

/// Returns a random program in memory, which repeats itself, and a core at its start. The core may
/// have the code already decoded, or share it with others; otherwise it decodes a page anew after
/// each store there.
fn program(random: &mut Random) -> (Core, Machine) {
    let mut machine = Machine::new();
    let code = random.choose(&CODE);
    for k in 0..CODE_WORDS {
        let word = match k == CODE_WORDS - 1 {
            true => Instruction::i(Op::Jal, 0, 0, -4 * (CODE_WORDS as i32 - 1)).encode(),
            false => random.instruction().encode(),
        };
        let word = word.expect("the operands fit");
        let at = (code + 4 * k) as usize;
        machine.bytes[at..at + 4].copy_from_slice(&word.to_le_bytes());
    }
    let mut core = Core::new(Isa::BLACKHOLE, code);
    let sharing = random.below(3);
    if sharing == 0 {
        let words = machine.bytes.chunks_exact(4);
        let words: Vec<_> = words
            .map(|w| u32::from_le_bytes([w[0], w[1], w[2], w[3]]))
            .collect();
        let shared = SharedCode::new(Isa::BLACKHOLE, 0, &words);
        core.share_code(Arc::new(shared), |addr| machine.code_version(addr));
    }
    core.set_register(DATA_ADDRESS, DATA);
    core.set_register(DEVICE_ADDRESS, DEVICE);
    core.set_register(CODE_ADDRESS, code);
    for k in 0..8 {
        let word = random.instruction().encode().expect("the operands fit");
        core.set_register(INSTRUCTIONS + k, word);
        core.set_register(RESULTS + k, random.below(64));
    }
    if sharing == 1 {
        core.set_library(Arc::new(CodeLibrary::new()));
        for _ in 0..2 {
            // The end of the run does not matter, but which pages it decodes.
            let _ = core.clone().run(&mut machine.clone(), 500);
        }
    }
    (core, machine)
}

fn state(core: &Core) -> (u32, [u32; 32], [u32; 32], u64, u64) {
    (
        core.pc(),
        std::array::from_fn(|k| core.register(k as u8)),
        std::array::from_fn(|k| core.float_register(k as u8)),
        core.retired(),
        core.retired_outside_polling(),
    )
}

/// The program counter and the reason of a trap.
fn reason(trap: Trap<u32>) -> String {
    format!("{:#x} {:?}", trap.pc, trap.reason)
}

/// What a program exercised, to see that the test does.
#[derive(Debug, Default)]
struct Coverage {
    busy: u32,
    breaks: u32,
    faults: u32,
    stopped: u32,
    code_stores: u32,
    instructions: u64,
}

/// Runs a random program in runs of random length, and the same instructions one at a time.
fn compare(seed: u64, coverage: &mut Coverage) {
    let mut random = Random(seed);
    let (mut core, mut machine) = program(&mut random);
    let (mut other, mut reference) = (core.clone(), machine.clone());
    for _ in 0..40 {
        let most = random.choose(&[10, 500]);
        let limit = u64::from(1 + random.below(most));
        let before = core.retired();
        let end = core.run(&mut machine, limit);
        let count = core.retired() - before;
        assert!(count <= limit);
        for _ in 0..count {
            assert!(!reference.wants_a_break, "seed {seed}: ran after a break");
            other.run_undecoded(&mut reference, 1).expect("runs");
        }
        let is_full = count == limit || reference.wants_a_break;
        match end {
            Ok(Step::Ran) => assert!(is_full, "seed {seed}"),
            Ok(Step::Busy) => {
                let step = other.run_undecoded(&mut reference, 1);
                assert_eq!(step, Ok(Step::Busy), "seed {seed}");
                coverage.busy += 1;
            }
            Ok(Step::Parked { .. } | Step::Halted) => coverage.stopped += 1,
            Err(trap) => {
                let expected = other.run_undecoded(&mut reference, 1).expect_err("traps");
                assert_eq!(reason(trap), reason(expected), "seed {seed}");
                coverage.faults += 1;
            }
        }
        assert_eq!(state(&core), state(&other), "seed {seed}");
        assert!(machine == reference, "seed {seed}: {end:?}");
        if !matches!(end, Ok(Step::Ran | Step::Busy)) {
            break;
        }
        coverage.breaks += u32::from(machine.wants_a_break);
        (machine.wants_a_break, reference.wants_a_break) = (false, false);
        // So that loops end, and code changes again.
        let word = random.instruction().encode().expect("the operands fit");
        let values = [
            (random.result(), random.below(64)),
            (random.code_word(), word),
        ];
        for (register, value) in values {
            core.set_register(register, value);
            other.set_register(register, value);
        }
    }
    coverage.code_stores += machine.versions[..2].iter().sum::<u32>();
    coverage.instructions += core.retired();
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]
    #[test]
    fn runs_like_single_instructions(seed: u64) {
        compare(seed, &mut Coverage::default());
    }
}

/// The programs of the test above exercise what it is about.
#[test]
fn programs_exercise_ends_of_runs() {
    let mut coverage = Coverage::default();
    (0..1000).for_each(|seed| compare(seed, &mut coverage));
    let counts = [
        coverage.busy,
        coverage.breaks,
        coverage.faults,
        coverage.stopped,
        coverage.code_stores,
    ];
    assert!(counts.iter().all(|&count| count > 100), "{coverage:?}");
    assert!(coverage.instructions > 50_000, "{coverage:?}");
}

/// Writes code at address 0.
fn machine_with(code: &[Instruction]) -> Machine {
    let mut machine = Machine::new();
    for (place, i) in machine.bytes.chunks_exact_mut(4).zip(code) {
        place.copy_from_slice(&i.encode().expect("the operands fit").to_le_bytes());
    }
    machine
}

/// Code that was executed before traps like code that is executed for the first time, also as the
/// second instruction of a pair.
#[test]
fn traps_when_executed_again() {
    use Instruction as I;
    let cases = [
        (I::i(Op::Jalr, 9, 1, 0), 14, "0x8 MisalignedJump(14)"),
        (
            I::i(Op::Lw, 9, 1, 0),
            14,
            "0x8 MisalignedAccess { addr: 14, width: Word }",
        ),
        (
            I::s(Op::Sh, 1, 9, 0),
            13,
            "0x8 MisalignedAccess { addr: 13, width: Half }",
        ),
        (I::i(Op::Lw, 9, 1, 0), 0x10_0000, "0x8 Bus(1048576)"),
        (I::s(Op::Sw, 1, 9, 0), 0x10_0000, "0x8 Bus(1048576)"),
    ];
    for (last, address, expected) in cases {
        let mut machine = machine_with(&[
            I::i(Op::Addi, 7, 7, 1),
            I::i(Op::Addi, 8, 8, 1),
            last,
            I::i(Op::Jal, 0, 0, -12),
        ]);
        let mut core = Core::new(Isa::WORMHOLE, 0);
        // A jump to the start, or an access to another page than that of the code.
        let valid = if last.op == Op::Jalr { 0 } else { DATA };
        core.set_register(1, valid);
        assert_eq!(core.run(&mut machine, 30), Ok(Step::Ran));
        let retired = core.retired();
        core.set_register(1, address);
        let trap = core.run(&mut machine, 30).expect_err("traps");
        assert_eq!(trap.instruction, Some(last));
        assert_eq!((core.pc(), reason(trap)), (8, expected.to_owned()));
        assert_eq!(core.register(7), core.register(8));
        assert!(core.retired() - retired <= 5);
    }
}

/// A core that wakes up because of a load that requests a break executes one instruction.
#[test]
fn wakes_up_and_breaks() {
    use Instruction as I;
    let mut machine = machine_with(&[
        I::i(Op::Addi, 7, 0, 1),
        I::i(Op::Lw, 8, 1, 0),
        I::s(Op::Beq, 8, 0, -8),
        I::i(Op::Jal, 0, 0, 0),
    ]);
    let mut core = Core::new(Isa::WORMHOLE, 0);
    core.set_register(1, POLLED);
    while core.run(&mut machine, 10) == Ok(Step::Ran) {
        machine.wants_a_break = false;
    }
    machine.polled = 1;
    machine.wants_a_break = false;
    let retired = core.retired();
    assert_eq!(core.pc(), 0);
    assert_eq!(core.run(&mut machine, 10), Ok(Step::Ran));
    assert_eq!((core.pc(), core.retired()), (4, retired + 1));
}

/// A core that stores into its code leaves the pages that it shares with others as they are, and
/// executes its own code from then on.
#[test]
fn shared_pages_do_not_change() {
    use Instruction as I;
    let library = Arc::new(CodeLibrary::new());
    // x8 counts up; x9 counts the rounds. The store replaces the first instruction if x1 is 0.
    let code = [
        I::i(Op::Addi, 8, 8, 1),
        I::i(Op::Addi, 9, 9, 1),
        I::s(Op::Sw, 1, 2, 0),
        I::i(Op::Jal, 0, 0, -12),
    ];
    let replacement = I::i(Op::Addi, 8, 8, 100)
        .encode()
        .expect("the operands fit");
    let count = |stores: bool| {
        let mut machine = machine_with(&code);
        let mut core = Core::new(Isa::WORMHOLE, 0);
        core.set_library(Arc::clone(&library));
        core.set_register(1, if stores { 0 } else { DATA });
        core.set_register(2, replacement);
        assert_eq!(core.run(&mut machine, 40), Ok(Step::Ran));
        assert_eq!(core.register(9), 10);
        core.register(8)
    };
    let counts = [false, true, false, true, true, false].map(count);
    assert_eq!(counts, [10, 901, 10, 901, 901, 10]);
}

/// Pages whose bytes differ from those of other cores are not theirs.
#[test]
fn similar_pages_are_not_shared() {
    use Instruction as I;
    let library = Arc::new(CodeLibrary::new());
    for _ in 0..3 {
        for k in 1..16 {
            let mut machine = machine_with(&[I::i(Op::Addi, 8, 8, k), I::i(Op::Jal, 0, 0, -4)]);
            let mut core = Core::new(Isa::WORMHOLE, 0);
            core.set_library(Arc::clone(&library));
            assert_eq!(core.run(&mut machine, 10), Ok(Step::Ran));
            assert_eq!(core.register(8), 5 * k as u32);
            // Bytes change without a store of the core, as by its host.
            machine.bytes[3] = 1;
            machine.versions[0] += 1;
            assert_eq!(core.run(&mut machine, 10), Ok(Step::Ran));
            assert_eq!(core.register(8), 5 * (2 * k as u32 + 16));
        }
    }
}
