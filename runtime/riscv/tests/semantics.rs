//! Effects of instructions, compared with an independent transcription of the specification: bit by
//! bit where possible, in 64-bit integers elsewhere.

mod common;

use common::{core, finish, halt, Memory, Program, CODE};
use proptest::prelude::*;
use tessera_riscv::{Instruction, Isa, Op, Reason, Step, CODE_PAGE};

/// Returns the number that a word represents in two's complement.
fn number(word: u32) -> i128 {
    let value = i128::from(word);
    if word >> 31 != 0 {
        value - (1 << 32)
    } else {
        value
    }
}

fn low(value: i128) -> u32 {
    value.rem_euclid(1 << 32) as u32
}

/// Returns bit k of a word, false beyond it.
fn bit(word: u32, k: u32) -> bool {
    k < 32 && word >> k & 1 != 0
}

fn from_bits(f: impl Fn(u32) -> bool) -> u32 {
    (0..32).fold(0, |word, k| word | u32::from(f(k)) << k)
}

/// Returns the result of a register operation; `b` is the second register or the immediate.
fn expected(name: &str, a: u32, b: u32) -> u32 {
    let (sa, sb) = (number(a), number(b));
    let (ua, ub) = (i128::from(a), i128::from(b));
    // Rounds towards zero, like Rust's division; computed with magnitudes to be independent of it.
    let quotient = |n: i128, d: i128| {
        let q = n.abs() / d.abs();
        if (n < 0) != (d < 0) {
            -q
        } else {
            q
        }
    };
    match name {
        "add" => low(sa + sb),
        "sub" => low(sa - sb),
        "slt" => u32::from(sa < sb),
        "sltu" => u32::from(ua < ub),
        "xor" => from_bits(|k| bit(a, k) != bit(b, k)),
        "or" => from_bits(|k| bit(a, k) || bit(b, k)),
        "and" => from_bits(|k| bit(a, k) && bit(b, k)),
        "sll" => from_bits(|k| k >= b % 32 && bit(a, k - b % 32)),
        "srl" => from_bits(|k| bit(a, k + b % 32)),
        "sra" => from_bits(|k| bit(a, (k + b % 32).min(31))),
        "mul" => low(sa * sb),
        "mulh" => low((sa * sb).div_euclid(1 << 32)),
        "mulhsu" => low((sa * ub).div_euclid(1 << 32)),
        "mulhu" => low((ua * ub).div_euclid(1 << 32)),
        "div" | "divu" if b == 0 => u32::MAX,
        "rem" | "remu" if b == 0 => a,
        "div" => low(quotient(sa, sb)),
        "divu" => low(quotient(ua, ub)),
        "rem" => low(sa - quotient(sa, sb) * sb),
        "remu" => low(ua - quotient(ua, ub) * ub),
        _ => panic!("{name}"),
    }
}

const REGISTER_OPS: [Op; 18] = [
    Op::Add,
    Op::Sub,
    Op::Sll,
    Op::Slt,
    Op::Sltu,
    Op::Xor,
    Op::Srl,
    Op::Sra,
    Op::Or,
    Op::And,
    Op::Mul,
    Op::Mulh,
    Op::Mulhsu,
    Op::Mulhu,
    Op::Div,
    Op::Divu,
    Op::Rem,
    Op::Remu,
];
const IMMEDIATE_OPS: [Op; 9] = [
    Op::Addi,
    Op::Slti,
    Op::Sltiu,
    Op::Xori,
    Op::Ori,
    Op::Andi,
    Op::Slli,
    Op::Srli,
    Op::Srai,
];

/// Runs one instruction with a in x1 and b in x2, and returns x3.
fn result(i: Instruction, a: u32, b: u32) -> u32 {
    let mut core = core(&[i]);
    core.set_register(1, a);
    core.set_register(2, b);
    assert_eq!(core.step(&mut Memory::default()), Ok(Step::Ran));
    assert_eq!((core.pc(), core.register(0)), (CODE + 4, 0));
    core.register(3)
}

fn check_registers(op: Op, a: u32, b: u32) {
    let expect = expected(op.row().mnemonic, a, b);
    let got = result(Instruction::r(op, 3, 1, 2), a, b);
    assert_eq!(got, expect, "{op:?} {a:#x}, {b:#x}");
}

/// Boundary values.
const EDGES: [u32; 11] = [
    0,
    1,
    2,
    31,
    32,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    0xffff_fffe,
    0xffff_ffff,
    0x0001_0000,
];

#[test]
fn corner_cases() {
    for op in REGISTER_OPS {
        for a in EDGES {
            for b in EDGES {
                check_registers(op, a, b);
            }
        }
    }
    // The four cases of the specification's table of division.
    assert_eq!(result(Instruction::r(Op::Div, 3, 1, 2), 7, 0), u32::MAX);
    assert_eq!(result(Instruction::r(Op::Rem, 3, 1, 2), 7, 0), 7);
    assert_eq!(
        result(Instruction::r(Op::Div, 3, 1, 2), 1 << 31, u32::MAX),
        1 << 31
    );
    assert_eq!(
        result(Instruction::r(Op::Rem, 3, 1, 2), 1 << 31, u32::MAX),
        0
    );
}

proptest! {
    #[test]
    fn register_operations(op in 0..REGISTER_OPS.len(), a: u32, b: u32) {
        check_registers(REGISTER_OPS[op], a, b);
    }

    #[test]
    fn immediate_operations(op in 0..IMMEDIATE_OPS.len(), a: u32, imm in -2048i32..2048) {
        let op = IMMEDIATE_OPS[op];
        let name = op.row().mnemonic;
        let imm = if name.starts_with('s') && !name.starts_with("slti") { imm & 31 } else { imm };
        let alike = if name == "sltiu" { "sltu" } else { name.trim_end_matches('i') };
        let found = result(Instruction::i(op, 3, 1, imm), a, 0);
        prop_assert_eq!(found, expected(alike, a, imm as u32));
    }

    #[test]
    fn branches(a: u32, b in prop_oneof![any::<u32>(), Just(0), Just(u32::MAX)], same: bool) {
        let b = if same { a } else { b };
        let taken = [
            (Op::Beq, a == b), (Op::Bne, a != b),
            (Op::Blt, number(a) < number(b)), (Op::Bge, number(a) >= number(b)),
            (Op::Bltu, a < b), (Op::Bgeu, a >= b),
        ];
        for (op, taken) in taken {
            let mut core = core(&[Instruction::s(op, 1, 2, 12)]);
            core.set_register(1, a);
            core.set_register(2, b);
            core.step(&mut Memory::default()).unwrap();
            prop_assert_eq!(core.pc(), CODE + if taken { 12 } else { 4 });
        }
    }
}

#[test]
fn loads_and_stores() {
    let mut memory = Memory::default();
    memory.bytes[16..20].copy_from_slice(&0x8182_f384u32.to_le_bytes());
    let mut load = |op, imm| {
        let mut core = core(&[Instruction::i(op, 3, 1, imm)]);
        core.set_register(1, 20);
        core.step(&mut memory).unwrap();
        core.register(3)
    };
    assert_eq!(load(Op::Lw, -4), 0x8182_f384);
    assert_eq!((load(Op::Lh, -4), load(Op::Lhu, -4)), (0xffff_f384, 0xf384));
    assert_eq!((load(Op::Lh, -2), load(Op::Lhu, -2)), (0xffff_8182, 0x8182));
    assert_eq!((load(Op::Lb, -4), load(Op::Lbu, -3)), (0xffff_ff84, 0xf3));
    let stores = [(Op::Sw, 0), (Op::Sh, 6), (Op::Sb, 9)];
    let code: Vec<_> = stores
        .iter()
        .map(|&(op, imm)| Instruction::s(op, 1, 2, imm))
        .chain([halt()])
        .collect();
    let mut core = core(&code);
    core.set_register(1, 64);
    core.set_register(2, 0x1122_3344);
    finish(&mut core, &mut memory, 10).unwrap();
    assert_eq!(
        memory.bytes[64..76],
        [0x44, 0x33, 0x22, 0x11, 0, 0, 0x44, 0x33, 0, 0x44, 0, 0]
    );
}

#[test]
fn jumps_and_upper_immediates() {
    let mut core = core(&[
        Instruction::i(Op::Auipc, 1, 0, 0x7fff_f000),
        Instruction::i(Op::Lui, 2, 0, i32::MIN),
        Instruction::i(Op::Jal, 3, 0, 8),
        halt(),
        Instruction::i(Op::Addi, 4, 0, CODE as i32 - 0x1000 + 13),
        Instruction::i(Op::Lui, 5, 0, 0x1000),
        Instruction::r(Op::Add, 4, 4, 5),
        // Sets bit 0 of the target to 0, and reads its source before it writes it.
        Instruction::i(Op::Jalr, 4, 4, 0),
    ]);
    let mut memory = Memory::default();
    finish(&mut core, &mut memory, 20).unwrap();
    assert_eq!(core.register(1), CODE.wrapping_add(0x7fff_f000));
    assert_eq!((core.register(2), core.register(3)), (1 << 31, CODE + 12));
    assert_eq!((core.register(4), core.pc()), (CODE + 32, CODE + 12));
    assert_eq!(core.retired(), 8);
}

/// Returns the trap of code that starts with x1 = `a`.
fn trap(code: &[Instruction], a: u32) -> String {
    let mut core = core(code);
    core.set_register(1, a);
    let trap = core.run(&mut Memory::default(), 100).unwrap_err();
    assert_eq!(core.pc(), trap.pc);
    trap.to_string()
}

#[test]
fn traps() {
    use Instruction as I;
    let cases = [
        (
            I::i(Op::Ecall, 0, 0, 0),
            "pc 0x1000, `ecall`: no environment handles calls",
        ),
        (
            I::i(Op::Ebreak, 0, 0, 0),
            "pc 0x1000, `ebreak`: there is no debugger",
        ),
        (
            I::i(Op::Lw, 2, 1, 2),
            "pc 0x1000, `lw x2, 2(x1)`: accesses 4 bytes at 0x102, which is not a multiple of that",
        ),
        (
            I::s(Op::Sh, 1, 2, 1),
            "pc 0x1000, `sh x2, 1(x1)`: accesses 2 bytes at 0x101, which is not a multiple of that",
        ),
        (
            I::i(Op::Jalr, 2, 1, 2),
            "pc 0x1000, `jalr x2, 2(x1)`: jumps to 0x102, which is not a multiple of 4",
        ),
        (
            I::s(Op::Beq, 0, 0, 6),
            "pc 0x1000, `beq x0, x0, 6`: jumps to 0x1006, which is not a multiple of 4",
        ),
        (I::i(Op::Jalr, 0, 1, 0), "pc 0x100: no code is at 0x100"),
        (I::i(Op::Addi, 0, 0, 0), "pc 0x1004: no code is at 0x1004"),
        (
            I::i(Op::Lui, 1, 0, 0x1000),
            "pc 0x1004: no code is at 0x1004",
        ),
        (
            I::push(0x0200_0000),
            "pc 0x1000, `ttinsn 0x02000000`: nothing is at 0xffe40000",
        ),
    ];
    for (instruction, expect) in cases {
        assert_eq!(trap(&[instruction], 0x100), expect);
    }
    let mut core = Program::of_words(Isa::WORMHOLE, vec![u32::MAX]);
    let trap = core.step(&mut Memory::default()).unwrap_err();
    assert!(matches!(trap.reason, Reason::Illegal(illegal) if illegal.word == u32::MAX));
    assert_eq!(
        trap.to_string(),
        "pc 0x1000: 0xffffffff is not an instruction of RV32IM"
    );
}

/// Code decoded once and code decoded at every execution behave the same.
#[test]
fn decoded_once_or_each_time() {
    let code = [
        Instruction::i(Op::Addi, 1, 0, 100),
        Instruction::r(Op::Mul, 2, 1, 1),
        Instruction::r(Op::Add, 3, 3, 2),
        Instruction::i(Op::Addi, 1, 1, -1),
        Instruction::s(Op::Bne, 1, 0, -12),
        halt(),
    ];
    let (mut a, mut b) = (core(&code), core(&code));
    finish(&mut a, &mut Memory::default(), 1000).unwrap();
    assert_eq!(
        b.run_undecoded(&mut Memory::default(), 1000),
        Ok(Step::Halted)
    );
    assert_eq!((a.register(3), a.retired()), (338_350, 402));
    assert_eq!((b.register(3), b.retired()), (338_350, 402));
}

/// Modified code is executed in its new form, both in the page that executes and in a page executed
/// before, by cores that share decoded code, too.
#[test]
fn code_that_changes() {
    use Instruction as I;
    for (distance, cores) in [(0x20, 1), (CODE_PAGE, 1), (0x20, 3), (CODE_PAGE, 3)] {
        let target = CODE + distance;
        // Executes the word at `target`, which adds 1, stores a word there that adds 64, and
        // executes that.
        let mut code = vec![
            I::i(Op::Lui, 1, 0, (target & !0xfff) as i32),
            I::i(Op::Addi, 1, 1, (target & 0xfff) as i32),
            I::i(Op::Jalr, 2, 1, 0),
            I::s(Op::Sw, 1, 5, 0),
            I::i(Op::Jalr, 2, 1, 0),
        ];
        code.resize(distance as usize / 4, halt());
        code.extend([I::i(Op::Addi, 3, 3, 1), I::i(Op::Jalr, 0, 2, 0)]);
        let shared = core(&code).to_shared(Isa::WORMHOLE);
        for _ in 0..cores {
            let mut core = core(&code);
            if cores > 1 {
                core.share(&shared);
            }
            core.set_register(5, I::i(Op::Addi, 3, 3, 64).encode().unwrap());
            finish(&mut core, &mut Memory::default(), 100).unwrap();
            assert_eq!(core.register(3), 65, "{distance:#x}");
        }
    }
}

/// Shared code traps where it is no instruction, and where it ends. Code for another core is not
/// used.
#[test]
fn shared_code_traps_like_its_own() {
    let words = |more: &[u32]| [&[0x0010_0093], more].concat();
    for isa in [Isa::WORMHOLE, Isa::BLACKHOLE] {
        for more in [&[u32::MAX][..], &[]] {
            let mut alone = Program::of_words(Isa::WORMHOLE, words(more));
            let mut sharing = Program::of_words(Isa::WORMHOLE, words(more));
            sharing.share(&sharing.to_shared(isa));
            let [first, second] = [&mut alone, &mut sharing].map(|core| {
                core.run(&mut Memory::default(), 10)
                    .unwrap_err()
                    .to_string()
            });
            assert_eq!(first, second);
            assert_eq!((sharing.pc(), sharing.register(1)), (CODE + 4, 1));
        }
    }
}
