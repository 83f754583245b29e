//! Vector instructions: encodings, types and lengths, loads and stores, and refused instructions.
//! `vector_oracle` tests arithmetic.

mod common;

use common::{core_of, finish, halt, Memory, Program, CODE};
use tessera_riscv::{Instruction as I, Isa, Op, Step};

const T2: Isa = Isa::BLACKHOLE_VECTOR;

/// Encodes an instruction by its fields: bits 31 to 20, rs1 or vs1, funct3, rd, opcode.
const fn word(high: u32, rs1: u32, funct3: u32, rd: u32, opcode: u32) -> u32 {
    high << 20 | rs1 << 15 | funct3 << 12 | rd << 7 | opcode
}

/// Encodings produced by LLVM's assembler.
#[test]
fn known_words() {
    let cases = [
        (0x0d02_f2d7, "vsetvli x5, x5, e32, m1, ta, ma"),
        (0x0c00_7557, "vsetvli x10, x0, e8, m1, ta, ma"),
        (0xcc7f_f557, "vsetivli x10, 31, e8, mf2, ta, ma"),
        (0x80c5_f557, "vsetvl x10, x11, x12"),
        (0x0200_6087, "vle32.v v1, (x0)"),
        (0x0005_8407, "vle8.v v8, (x11), v0.t"),
        (0x6205_d407, "vlseg4e16.v v8, (x11)"),
        (0x0305_d407, "vle16ff.v v8, (x11)"),
        (0x02b5_0407, "vlm.v v8, (x10)"),
        (0x0ac5_6407, "vlse32.v v8, (x10), x12"),
        (0x0675_0407, "vluxei8.v v8, (x10), v7"),
        (0x2e75_6407, "vloxseg2ei32.v v8, (x10), v7"),
        (0x6285_5407, "vl4re16.v v8, (x10)"),
        (0x0205_6427, "vse32.v v8, (x10)"),
        (0xe285_0427, "vs8r.v v8, (x10)"),
        (0x0ac5_0427, "vsse8.v v8, (x10), x12"),
        (0x0e75_5427, "vsoxei16.v v8, (x10), v7"),
        (0x0220_80d7, "vadd.vv v1, v2, v1"),
        (0x0020_c0d7, "vadd.vx v1, v2, x1, v0.t"),
        (0x022f_b0d7, "vadd.vi v1, v2, -1"),
        (0x962f_b0d7, "vsll.vi v1, v2, 31"),
        (0x4021_c0d7, "vadc.vxm v1, v2, x3, v0"),
        (0x5c21_80d7, "vmerge.vvm v1, v2, v3, v0"),
        (0x5e01_80d7, "vmv.v.v v1, v3"),
        (0x5e01_c0d7, "vmv.v.x v1, x3"),
        (0x5e0f_b0d7, "vmv.v.i v1, -1"),
        (0xa421_e0d7, "vmadd.vx v1, x3, v2, v0.t"),
        (0xb621_a0d7, "vmacc.vv v1, v3, v2"),
        (0x9e41_b457, "vmv4r.v v8, v4"),
        (0x4220_20d7, "vmv.x.s x1, v2"),
        (0x4201_60d7, "vmv.s.x v1, x2"),
        (0x4228_20d7, "vcpop.m x1, v2"),
        (0x5008_a0d7, "vid.v v1, v0.t"),
        (0x6621_a0d7, "vmand.mm v1, v2, v3"),
        (0x5e21_a0d7, "vcompress.vm v1, v2, v3"),
        (0x4a23_20d7, "vzext.vf2 v1, v2"),
        (0x0221_d0d7, "vfadd.vf v1, v2, f3"),
        (0x4220_10d7, "vfmv.f.s f1, v2"),
        (0x5c21_d0d7, "vfmerge.vfm v1, v2, f3, v0"),
        (0x4a21_90d7, "vfcvt.f.x.v v1, v2"),
    ];
    for (word, text) in cases {
        let Ok(instruction) = I::decode_for(T2, word) else {
            panic!("{text}");
        };
        let got = (instruction.to_string(), instruction.encode());
        assert_eq!(got, (text.to_owned(), Ok(word)));
        assert!(I::decode_for(Isa::BLACKHOLE, word).is_err(), "{text} on T1");
    }
    let signed = I {
        imm: 1 | 1 << 7,
        ..I::r(Op::Vadd, 1, 2, 3)
    };
    assert_eq!(
        signed.encode().unwrap_err().to_string(),
        "vadd.vv: immediate 129 does not fit; accepted is a word with the bits of its operands only"
    );
}

#[test]
fn words_that_are_no_instruction() {
    let name = "RV32IM with Zicsr, Zaamo, Zba, Zbb, F, Zfh, V";
    let cases = [
        (0x8621_20d7, "; T2 does not divide vectors"),
        (0x8221_10d7, "; T2 does not divide vectors"),
        (
            0x4e20_10d7,
            "; T2 has no square roots and reciprocals of vectors",
        ),
        (
            0xc221_10d7,
            "; T2 has no vectors of floats of other than 32 bits",
        ),
        (
            0x4a26_10d7,
            "; T2 has no vectors of floats of other than 32 bits",
        ),
        (0x0200_7087, "; T2 has no elements of 64 bits"),
        // Wider elements than the specification has; vfirst with another number.
        (0x1200_0087, ""),
        (0x4229_20d7, ""),
    ];
    for (word, more) in cases {
        assert_eq!(
            I::decode_for(T2, word).unwrap_err().to_string(),
            format!("{word:#010x} is not an instruction of {name}{more}")
        );
    }
}

/// Returns a core that has executed `vsetvli x0, x11, vtype` with x11 = `vl` and is about to
/// execute `words`.
fn set_up(vtype: u32, vl: u32, words: &[u32]) -> Program {
    let set = word(vtype, 11, 7, 10, 0x57);
    let mut core = Program::of_words(T2, [&[set], words].concat());
    core.set_register(11, vl);
    core.step(&mut Memory::default()).unwrap();
    core
}

fn stopped(core: &mut Program) -> String {
    let trap = core.step(&mut Memory::default()).unwrap_err().to_string();
    trap.split_once(": ").unwrap().1.to_owned()
}

const E8: u32 = 0;
const E16: u32 = 1 << 3;
const E32: u32 = 2 << 3;
const M2: u32 = 1;
const M4: u32 = 2;
const M8: u32 = 3;
const MF4: u32 = 6;
const MF2: u32 = 7;

#[test]
fn lengths() {
    let cases = [
        (E8, 5, 5),
        (E8, 17, 16),
        (E8 | M8, 200, 128),
        (E32, 5, 4),
        (E32 | M8, 32, 32),
        (E16 | M4, 33, 32),
        (E16 | MF2, 9, 4),
        (E8 | MF4, 9, 4),
        (E8 | 3 << 6, u32::MAX, 16),
    ];
    for (vtype, asked, vl) in cases {
        let read = |number| I::csr(Op::Csrrs, 3, number, 0).encode().unwrap();
        let mut core = set_up(vtype, asked, &[read(0xc20), read(0xc21)]);
        assert_eq!(core.register(10), vl, "{vtype:#x} {asked}");
        let mut got = || {
            core.step(&mut Memory::default()).unwrap();
            core.register(3)
        };
        assert_eq!([got(), got()], [vl, vtype]);
    }
    // x0 for all there is room for, and to keep the length.
    let all = word(E16, 0, 7, 10, 0x57);
    let keep = word(E8 | MF2, 0, 7, 0, 0x57);
    let immediate = word(0xc00 | E32, 3, 7, 10, 0x57);
    let by_register = word(0x80c, 11, 7, 10, 0x57);
    let read = I::csr(Op::Csrrs, 10, 0xc20, 0).encode().unwrap();
    let mut core = set_up(E8, 16, &[all, keep, read, immediate, by_register]);
    core.set_register(12, E32 | M8);
    core.set_register(11, 30);
    let mut got = || {
        core.step(&mut Memory::default()).unwrap();
        core.register(10)
    };
    assert_eq!([got(), got(), got(), got(), got()], [8, 8, 8, 3, 30]);
}

#[test]
fn types_that_are_refused() {
    let text = |vtype| {
        format!(
            "vtype {vtype:#x} is reserved, or for longer elements than T2 has; use e8, e16 or e32 \
             with an LMUL that holds one"
        )
    };
    for vtype in [3 << 3, E8 | 4, E8 | 5, E16 | MF4, E32 | MF2, E8 | 1 << 8] {
        let mut core = Program::of_words(T2, vec![word(vtype, 0, 7, 10, 0x57)]);
        assert_eq!(stopped(&mut core), text(vtype));
    }
    // Control registers can be written; the next instruction shows the effect.
    let write = |number, value| {
        I::csr_immediate(Op::Csrrwi, 0, number, value)
            .encode()
            .unwrap()
    };
    let add = 0x0220_80d7;
    let mut core = set_up(E8, 1, &[write(0xc21, 24), add]);
    core.step(&mut Memory::default()).unwrap();
    assert_eq!(stopped(&mut core), text(24));
    let mut core = set_up(E32, 1, &[write(0xc20, 5), add]);
    core.step(&mut Memory::default()).unwrap();
    assert_eq!(
        stopped(&mut core),
        "vl is 5, but vtype has room for 4 elements; set both by one vsetvli"
    );
    let mut core = set_up(E32, 1, &[word(E8, 0, 7, 0, 0x57)]);
    assert_eq!(
        stopped(&mut core),
        "keeps vl while the room for elements changes, which is reserved; name a length"
    );
    let nothing = "no instruction has set vl and vtype before; begin with a vsetvli";
    for first in [add, 0x0200_6087, word(E8, 0, 7, 0, 0x57)] {
        let mut core = Program::of_words(T2, vec![first]);
        assert_eq!(stopped(&mut core), nothing);
    }
    let csr = |i: I| stopped(&mut core_of(T2, &[i]));
    assert_eq!(
        csr(I::csr(Op::Csrrs, 3, 0xc20, 0)),
        "control register 0xc20 is not modelled: its initial value is not documented"
    );
    let mut core = core_of(T2, &[I::csr(Op::Csrrw, 0, 0xc21, 3)]);
    core.set_register(3, 1 << 31);
    assert_eq!(
        stopped(&mut core),
        "control register 0xc21 is not modelled: it has no such bits"
    );
    assert_eq!(
        csr(I::csr(Op::Csrrs, 3, 0x00f, 0)),
        "there is no control register 0xf"
    );
    assert_eq!(
        stopped(&mut core_of(
            Isa::BLACKHOLE,
            &[I::csr(Op::Csrrs, 3, 0xc20, 0)]
        )),
        "there is no control register 0xc20"
    );
}

const WRITES_READ: &str = "writes a register that it reads, which is reserved";
const OTHER_WIDTH: &str = "writes over elements of another width that it reads, which is reserved";
const TWO_WIDTHS: &str = "reads a register with two widths, which is reserved";
const WRITES_MASK: &str = "writes v0, by which it is masked, which is reserved";
const BEGINS: &str =
    "has a group of registers that begins at no multiple of their number, which is reserved";
const TOO_MANY: &str =
    "has a group of more than eight registers, or of too little of one, which is reserved";
const NO_WIDTH: &str = "has elements of a width that there is not, which is reserved";
const FIELDS: &str =
    "has fields in more than eight registers, or past the last one, which is reserved";
const FLOATS: &str =
    "has floats of other than 32 bits, which V 1.0 does not have, which is reserved";
const OK: &str = "";

/// Operands that the specification reserves, and their permitted neighbours.
#[test]
fn registers_that_are_refused() {
    // funct6, masked or not, vs2; vs1; funct3; vd.
    let op = |funct6: u32, vm: u32, vs2: u32, vs1: u32, funct3: u32, vd: u32| {
        word(funct6 << 6 | vm << 5 | vs2, vs1, funct3, vd, 0x57)
    };
    let load = |high: u32, rs1: u32, funct3: u32, vd: u32| word(high, rs1, funct3, vd, 0x07);
    let cases = [
        // vadd.vv: groups.
        (E8 | M2, op(0, 1, 2, 4, 0, 6), OK),
        (E8 | M2, op(0, 1, 3, 4, 0, 6), BEGINS),
        (E8 | M2, op(0, 1, 2, 5, 0, 6), BEGINS),
        (E8 | M2, op(0, 1, 2, 4, 0, 7), BEGINS),
        (E8 | M8, op(0, 1, 8, 16, 0, 24), OK),
        (E8 | M8, op(0, 1, 8, 20, 0, 24), BEGINS),
        // The mask.
        (E8, op(0, 0, 2, 4, 0, 1), OK),
        (E8, op(0, 0, 2, 4, 0, 0), WRITES_MASK),
        (E8, op(0, 0, 0, 4, 0, 1), TWO_WIDTHS),
        (E8, op(0x18, 0, 2, 4, 0, 0), OK),
        (E8, op(0x10, 0, 2, 4, 0, 0), WRITES_MASK),
        (E8, op(0x17, 0, 2, 4, 0, 0), WRITES_MASK),
        (E8, op(0, 0, 2, 4, 2, 0), OK),
        // vwaddu.vv: over the upper half of what it writes, from a whole register on.
        (E8, op(0x30, 1, 3, 4, 2, 2), OK),
        (E8, op(0x30, 1, 2, 4, 2, 2), OTHER_WIDTH),
        (E8 | MF2, op(0x30, 1, 3, 4, 2, 3), OTHER_WIDTH),
        (E8 | M8, op(0x30, 1, 8, 16, 2, 24), TOO_MANY),
        (E32, op(0x30, 1, 3, 4, 2, 2), NO_WIDTH),
        (E8, op(0x30, 1, 3, 4, 2, 5), BEGINS),
        // vwaddu.wv: of two widths.
        (E8, op(0x34, 1, 2, 4, 2, 2), OK),
        (E8, op(0x34, 1, 2, 3, 2, 6), TWO_WIDTHS),
        // vwmaccu.vv reads what it writes.
        (E8, op(0x3c, 1, 3, 4, 2, 2), TWO_WIDTHS),
        // vnsrl.wv: over the lower half of what it reads.
        (E8, op(0x2c, 1, 2, 4, 0, 2), OK),
        (E8, op(0x2c, 1, 2, 4, 0, 3), OTHER_WIDTH),
        // vzext.vf2.
        (E16 | M2, op(0x12, 1, 5, 6, 2, 4), OK),
        (E16 | M2, op(0x12, 1, 4, 6, 2, 4), OTHER_WIDTH),
        (E8, op(0x12, 1, 4, 6, 2, 8), NO_WIDTH),
        (E16, op(0x12, 1, 4, 4, 2, 8), NO_WIDTH),
        // vmseq.vv writes one register.
        (E8 | M2, op(0x18, 1, 2, 4, 0, 2), OK),
        (E8 | M2, op(0x18, 1, 2, 4, 0, 3), OTHER_WIDTH),
        // Slides up, gathers, vcompress, viota, vmsbf: apart; slides down not.
        (E8, op(0x0e, 1, 2, 4, 4, 2), WRITES_READ),
        (E8, op(0x0f, 1, 2, 4, 4, 2), OK),
        (E8, op(0x0c, 1, 2, 4, 0, 4), WRITES_READ),
        (E8, op(0x17, 1, 2, 4, 2, 4), WRITES_READ),
        (E8, op(0x14, 1, 2, 16, 2, 2), WRITES_READ),
        (E8, op(0x14, 1, 2, 1, 2, 2), WRITES_READ),
        (E8, op(0x14, 0, 2, 1, 2, 0), WRITES_MASK),
        // vrgatherei16.vv: the indices are twice as wide.
        (E8, op(0x0e, 1, 2, 4, 0, 6), OK),
        (E8, op(0x0e, 1, 2, 5, 0, 6), BEGINS),
        (E8 | M8, op(0x0e, 1, 8, 16, 0, 24), TOO_MANY),
        // Reductions take one register of vs1 and vd, anywhere.
        (E8 | M2, op(0, 1, 2, 3, 2, 3), OK),
        // vfadd.vv.
        (E16, op(0, 1, 2, 4, 1, 6), FLOATS),
        (
            E32,
            op(1, 1, 2, 4, 1, 6),
            "not modelled: the order in which vfredusum adds is not documented; use vfredosum",
        ),
        // Loads: as many registers as their width makes, fields, indices.
        (E8, load(0x020, 0, 6, 4), OK),
        (E8, load(0x020, 0, 6, 6), BEGINS),
        (E8 | M4, load(0x020, 0, 6, 8), TOO_MANY),
        (E8 | M2, load(0x620, 0, 0, 4), OK),
        (E8 | M4, load(0x420, 0, 0, 4), FIELDS),
        (E8, load(0x620, 0, 0, 29), FIELDS),
        (E8, load(0x000, 0, 0, 0), WRITES_MASK),
        (E8, load(0x065, 0, 0, 5), OK),
        (E16, load(0x065, 0, 0, 5), OTHER_WIDTH),
        (E8, load(0x265, 0, 0, 5), WRITES_READ),
        // Whole registers.
        (E8, load(0x228, 0, 0, 3), BEGINS),
        (E8, op(0x27, 1, 2, 1, 3, 5), BEGINS),
        (E8 | M8, op(0x27, 1, 2, 0, 3, 5), OK),
    ];
    for (vtype, word, expect) in cases {
        let mut core = set_up(vtype, 1, &[word]);
        let mut memory = Memory {
            floats: true,
            ..Memory::default()
        };
        let got = match core.step(&mut memory) {
            Ok(_) => String::new(),
            Err(trap) => trap.to_string().split_once(": ").unwrap().1.to_owned(),
        };
        let name = I::decode_for(T2, word).unwrap();
        assert_eq!(got, expect, "{vtype:#x} {name}");
    }
}

/// Conversions that truncate are defined where they agree with rounding.
#[test]
fn truncation() {
    let convert = word(0x12 << 6 | 1 << 5 | 2, 7, 1, 1, 0x57);
    for (value, expect) in [(3.0f32, Some(3)), (-7.25, Some(-7)), (2.75, None)] {
        let mut core = set_up(E32, 1, &[convert]);
        let mut register = [0; 16];
        register[..4].copy_from_slice(&value.to_le_bytes());
        core.set_vector_register(2, register);
        match (core.step(&mut Memory::default()), expect) {
            (Ok(_), Some(expect)) => {
                assert_eq!(core.vector_register(1)[..4], i32::to_le_bytes(expect));
            }
            (Err(trap), None) => assert!(
                trap.to_string().ends_with(
                    "not modelled: whether this conversion truncates is not documented; convert \
                     integral values only"
                ),
                "{trap}"
            ),
            other => panic!("{value} {other:?}"),
        }
    }
    let add = word(1 << 5 | 2, 3, 1, 1, 0x57);
    assert_eq!(
        stopped(&mut set_up(E32, 1, &[add])),
        "not modelled: there is no floating-point arithmetic here"
    );
}

/// Runs a load or store with x1 = 0x100, x2 = 6 and offsets 0, 3, 6 ... in v8. Memory holds the low
/// bytes of its addresses, v4 and the following registers hold 0x80 and up, and the mask has bits 0
/// and 2 of every three. `seed` selects the order.
fn moved(vtype: u32, vl: u32, word: u32, seed: Option<u64>) -> (Program, Memory) {
    let end = halt().encode().unwrap();
    let mut core = set_up(vtype, vl, &[word, end]);
    let mut memory = Memory::default();
    for (at, byte) in memory.bytes.iter_mut().enumerate() {
        *byte = at as u8 ^ (at >> 8) as u8;
    }
    core.set_register(1, 0x100);
    core.set_register(2, 6);
    core.set_vector_register(0, [0b1101_1011; 16]);
    core.set_vector_register(8, std::array::from_fn(|k| 6 * k as u8));
    for k in 4..8 {
        core.set_vector_register(k, std::array::from_fn(|at| 0x80 + 16 * (k - 4) + at as u8));
    }
    if let Some(seed) = seed {
        core.set_weak_order(seed);
    }
    finish(&mut core, &mut memory, 10_000).unwrap();
    (core, memory)
}

#[test]
fn loads() {
    let at = |addr: usize| addr as u8 ^ (addr >> 8) as u8;
    let old = |k: u8, byte: usize| 0x80 + 16 * (k - 4) + byte as u8;
    let load = |high: u32, funct3: u32| word(high, 1, funct3, 4, 0x07);
    // For each byte of v4 and v5 the address from which it is loaded.
    type From = fn(u8, usize) -> Option<usize>;
    let cases: [(u32, u32, u32, From); 12] = [
        // vle8, with a tail; vle16; vle32 over two registers.
        (E8, 5, load(0x020, 0), |k, b| {
            (k == 4 && b < 5).then_some(0x100 + b)
        }),
        (E16, 8, load(0x020, 5), |k, b| (k == 4).then_some(0x100 + b)),
        (E32 | M2, 7, load(0x020, 6), |k, b| {
            let b = 16 * usize::from(k - 4) + b;
            (b < 28).then_some(0x100 + b)
        }),
        // vle32 with elements of 8 bits in the type: four registers.
        (E8, 6, load(0x020, 6), |k, b| {
            let b = 16 * usize::from(k - 4) + b;
            (b < 24).then_some(0x100 + b)
        }),
        // Masked: elements 2, 5, 10, 13 are not loaded.
        (E8, 16, load(0x000, 0), |k, b| {
            (k == 4 && ![2, 5, 10, 13].contains(&b)).then_some(0x100 + b)
        }),
        // Until the first fault.
        (E8, 3, load(0x030, 0), |k, b| {
            (k == 4 && b < 3).then_some(0x100 + b)
        }),
        // As many bytes as a mask has.
        (E8, 11, load(0x02b, 0), |k, b| {
            (k == 4 && b < 2).then_some(0x100 + b)
        }),
        // By six bytes.
        (E16, 4, load(0x0a2, 5), |k, b| {
            (k == 4 && b < 8).then_some(0x100 + b / 2 * 6 + b % 2)
        }),
        // By offsets, which are bytes.
        (E16, 4, load(0x068, 0), |k, b| {
            (k == 4 && b < 8).then_some(0x100 + b / 2 * 6 + b % 2)
        }),
        // Two fields, unit stride and strided.
        (E8, 4, load(0x220, 0), |k, b| {
            (b < 4).then_some(0x100 + 2 * b + usize::from(k - 4))
        }),
        (E8, 4, load(0x2a2, 0), |k, b| {
            (b < 4).then_some(0x100 + 6 * b + usize::from(k - 4))
        }),
        // Whole registers, whatever the length.
        (E8, 1, load(0x228, 0), |k, b| {
            Some(0x100 + 16 * usize::from(k - 4) + b)
        }),
    ];
    for (vtype, vl, word, from) in cases {
        for seed in [None, Some(1), Some(2), Some(3)] {
            let (core, _) = moved(vtype, vl, word, seed);
            for k in 4..6 {
                let expect = std::array::from_fn(|b| from(k, b).map_or(old(k, b), at));
                assert_eq!(core.vector_register(k), expect, "v{k} {word:#x} {seed:?}");
            }
        }
    }
}

#[test]
fn stores() {
    let store = |high: u32, funct3: u32| word(high, 1, funct3, 4, 0x27);
    // Addresses and values of stored bytes: v4 starts with 0x80, v5 with 0x90.
    let cases: [(u32, u32, u32, &[(usize, u8)]); 8] = [
        (E8, 3, store(0x020, 0), &[(0, 0x80), (1, 0x81), (2, 0x82)]),
        (E16, 1, store(0x020, 5), &[(0, 0x80), (1, 0x81)]),
        (
            E32,
            2,
            store(0x000, 6),
            &[(0, 0x80), (3, 0x83), (4, 0x84), (7, 0x87)],
        ),
        (E8, 4, store(0x000, 0), &[(0, 0x80), (1, 0x81), (3, 0x83)]),
        (E8, 9, store(0x02b, 0), &[(0, 0x80), (1, 0x81)]),
        (E8, 3, store(0x0a2, 0), &[(0, 0x80), (6, 0x81), (12, 0x82)]),
        (
            E8,
            2,
            store(0x2e8, 0),
            &[(0, 0x80), (1, 0x90), (6, 0x81), (7, 0x91)],
        ),
        (E8, 0, store(0x028, 0), &[(0, 0x80), (15, 0x8f)]),
    ];
    for (vtype, vl, word, bytes) in cases {
        for seed in [None, Some(1), Some(2)] {
            let (_, memory) = moved(vtype, vl, word, seed);
            for &(offset, byte) in bytes {
                assert_eq!(memory.bytes[0x100 + offset], byte, "{word:#x} {offset}");
            }
            let last = bytes.last().unwrap().0;
            for beside in [last + 1, 0x40] {
                let at = 0x100 + beside;
                assert_eq!(memory.bytes[at], at as u8 ^ 1, "{word:#x} {at:#x}");
            }
        }
    }
}

/// An access that waits continues where it stopped; one that is refused stops the core there.
#[test]
fn memory_that_waits() {
    let store = word(0x020, 1, 6, 4, 0x27);
    let mut core = set_up(E32, 4, &[store, halt().encode().unwrap()]);
    core.set_register(1, 0x40);
    let mut memory = Memory {
        busy: Some(0x48),
        ..Memory::default()
    };
    assert_eq!(core.run(&mut memory, 10), Ok(Step::Busy));
    assert_eq!((core.pc(), memory.log.len()), (CODE + 4, 2));
    memory.busy = None;
    finish(&mut core, &mut memory, 10).unwrap();
    let stored: Vec<u32> = memory.log.iter().map(|&(addr, _)| addr).collect();
    assert_eq!(stored, [0x40, 0x44, 0x48, 0x4c]);
    for (base, expect) in [
        (
            0x42,
            "accesses 4 bytes at 0x42, which is not a multiple of that",
        ),
        (0xff8, "nothing is at 0x1000"),
    ] {
        let mut core = set_up(E32, 4, &[word(0x020, 1, 6, 4, 0x07)]);
        core.set_register(1, base);
        assert_eq!(stopped(&mut core), expect);
    }
}

/// An instruction waits for registers with outstanding loads, including those that it writes, and
/// for no others.
#[test]
fn dependences() {
    let (load, end) = (word(0x020, 1, 0, 4, 0x07), halt().encode().unwrap());
    let add = |vd: u32, vs2: u32| word(1 << 5 | vs2, 3, 0, vd, 0x57);
    for seed in 0..100 {
        let mut core = set_up(E8, 16, &[load, add(5, 4), add(4, 5), end]);
        let mut memory = Memory::default();
        memory.bytes[0x100..0x110].fill(7);
        core.set_register(1, 0x100);
        core.set_vector_register(3, [1; 16]);
        core.set_weak_order(seed);
        finish(&mut core, &mut memory, 10_000).unwrap();
        assert_eq!(core.vector_register(5), [8; 16]);
        assert_eq!(core.vector_register(4), [9; 16], "seed {seed}");
    }
    // Two vectors from two regions of memory are loaded in either order relative to a store in
    // between.
    let scalar = I::i(Op::Lw, 6, 0, 0x200).encode().unwrap();
    let passes = |seed: &u64| {
        let store = word(0x020, 1, 6, 4, 0x27);
        let mut core = set_up(E32, 1, &[store, scalar, end]);
        core.set_register(1, 0x300);
        core.set_register(6, 5);
        core.set_weak_order(*seed);
        let mut memory = Memory {
            busy: Some(0x300),
            ..Memory::default()
        };
        core.run(&mut memory, 200).unwrap();
        core.register(6) == 0
    };
    assert!(
        (0..50).any(|seed| passes(&seed)),
        "a load passes a vector store"
    );
}

/// A loop that computes with vectors is not mistaken for a polling loop.
#[test]
fn loops_go_on() {
    let code = [
        // v1 += v2; x5 = v1[0]; until it is x6.
        word(1 << 5 | 1, 2, 0, 1, 0x57),
        word(0x10 << 6 | 1 << 5 | 1, 0, 2, 5, 0x57),
        I::s(Op::Bne, 5, 6, -8).encode().unwrap(),
        halt().encode().unwrap(),
    ];
    let mut core = set_up(E8, 16, &code);
    core.set_register(6, 50);
    core.set_vector_register(2, [1; 16]);
    finish(&mut core, &mut Memory::default(), 1000).unwrap();
    assert_eq!(core.vector_register(1), [50; 16]);
}
