//! Single-precision instructions, compared with the host's arithmetic, which the core does not use.

mod common;

use common::{core_of, finish, halt, Memory};
use proptest::prelude::*;
use tessera_riscv::{Instruction as I, Isa, Op, Step};

/// Runs an instruction whose sources are x1 or f1, f2 and f3, and returns x3 and f3.
fn result(op: Op, [a, b, c]: [u32; 3]) -> (u32, u32) {
    use tessera_riscv::table::Format;
    const DYNAMIC: i32 = 7;
    let rs3 = if op.row().format == Format::Fused {
        3 << 3
    } else {
        0
    };
    let imm = match op.row().format {
        Format::Rounded | Format::UnaryRounded | Format::Fused => rs3 | DYNAMIC,
        _ => 0,
    };
    let rs2 = match op.row().format {
        Format::Unary | Format::UnaryRounded => 0,
        _ => 2,
    };
    let instruction = I {
        imm,
        ..I::r(op, 3, 1, rs2)
    };
    let mut core = core_of(Isa::BLACKHOLE, &[instruction]);
    core.set_register(1, a);
    core.set_float_register(1, a);
    core.set_float_register(2, b);
    core.set_float_register(3, c);
    let mut memory = Memory {
        floats: true,
        ..Memory::default()
    };
    assert_eq!(core.step(&mut memory), Ok(Step::Ran));
    (core.register(3), core.float_register(3))
}

const SIGN: u32 = 1 << 31;

fn float(bits: u32) -> f32 {
    f32::from_bits(bits)
}

/// Returns the class of a value: bits 0 to 9 are -infinity, -normal, -denormal, -0, +0, +denormal,
/// +normal, +infinity, signalling and quiet NaN.
fn class(x: u32) -> u32 {
    use std::num::FpCategory::*;
    let up = |negative: u32, positive: u32| if x & SIGN != 0 { negative } else { positive };
    1 << match float(x).classify() {
        Infinite => up(0, 7),
        Normal => up(1, 6),
        Subnormal => up(2, 5),
        Zero => up(3, 4),
        Nan => 8 + (x >> 22 & 1),
    }
}

/// Checks all instructions with one value or two.
fn check(a: u32, b: u32) {
    let (x, y) = (float(a), float(b));
    let integer = |op| result(op, [a, b, 0]).0;
    let bits = |op| result(op, [a, b, 0]).1;
    assert_eq!(integer(Op::FeqS), u32::from(x == y), "{a:#x} == {b:#x}");
    assert_eq!(integer(Op::FltS), u32::from(x < y), "{a:#x} < {b:#x}");
    assert_eq!(integer(Op::FleS), u32::from(x <= y), "{a:#x} <= {b:#x}");
    assert_eq!(integer(Op::FclassS), class(a), "{a:#x}");
    assert_eq!(integer(Op::FmvXW), a);
    assert_eq!(bits(Op::FmvWX), a);
    assert_eq!(bits(Op::FsgnjS), a & !SIGN | b & SIGN);
    assert_eq!(bits(Op::FsgnjnS), a & !SIGN | !b & SIGN);
    assert_eq!(bits(Op::FsgnjxS), a ^ b & SIGN);
    let rounded = x.round_ties_even();
    let [signed, unsigned] = match x.is_nan() {
        true => [i32::MAX as u32, u32::MAX],
        false => [rounded as i32 as u32, rounded as u32],
    };
    assert_eq!(integer(Op::FcvtWS), signed, "{a:#x}");
    assert_eq!(integer(Op::FcvtWuS), unsigned, "{a:#x}");
    assert_eq!(bits(Op::FcvtSW), (a as i32 as f32).to_bits(), "{a:#x}");
    assert_eq!(bits(Op::FcvtSWu), (a as f32).to_bits(), "{a:#x}");
    let extreme = |first: bool| match (x.is_nan(), y.is_nan()) {
        (true, true) => 0x7fc0_0000,
        (true, false) => b,
        (false, true) => a,
        // -0 is less than +0.
        _ if x == y => {
            if (a & SIGN != 0) == first {
                a
            } else {
                b
            }
        }
        _ if (x < y) == first => a,
        _ => b,
    };
    assert_eq!(bits(Op::FminS), extreme(true), "{a:#x}, {b:#x}");
    assert_eq!(bits(Op::FmaxS), extreme(false), "{a:#x}, {b:#x}");
}

const EDGES: [u32; 20] = [
    0,
    SIGN,
    1,
    SIGN | 1,
    0x007f_ffff,
    0x0080_0000,
    0x3f00_0000,
    0x3f00_0001,
    0x3fc0_0000,
    0x4020_0000,
    0xbf00_0000,
    0xbfc0_0000,
    0x4eff_ffff,
    0x4f00_0000,
    0x4f7f_ffff,
    0x4f80_0000,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7f80_0001,
];

#[test]
fn corner_cases() {
    for (a, b) in EDGES.iter().flat_map(|&a| EDGES.map(|b| (a, b))) {
        check(a, b);
    }
}

proptest! {
    #[test]
    fn values(a: u32, b: u32, exponent in 90u32..200) {
        check(a, b);
        check(a & 0x807f_ffff | exponent << 23, a);
    }

    /// The bus computes sums and products, with the right signs of operands.
    #[test]
    fn arithmetic(a in -100i32..100, b in -100i32..100, c in -100i32..100) {
        let [x, y, z] = [a, b, c].map(|k| k as f32);
        let cases = [
            (Op::FaddS, x + y), (Op::FsubS, x - y), (Op::FmulS, x * y), (Op::FmaddS, x * y + z),
            (Op::FmsubS, x * y - z), (Op::FnmsubS, -(x * y) + z), (Op::FnmaddS, -(x * y) - z),
        ];
        for (op, expect) in cases {
            let got = float(result(op, [x, y, z].map(f32::to_bits)).1);
            prop_assert_eq!(got, expect, "{:?}", op);
        }
    }
}

/// Loads and stores, in order and weakly ordered; and undefined flags.
#[test]
fn memory_and_flags() {
    for weak in [false, true] {
        let mut core = core_of(
            Isa::BLACKHOLE,
            &[
                I::i(Op::Flw, 0, 0, 0x40),
                I::i(Op::Flw, 1, 0, 0x44),
                I {
                    imm: 7,
                    ..I::r(Op::FaddS, 0, 0, 1)
                },
                I {
                    imm: 7 | 1 << 3,
                    ..I::r(Op::FmaddS, 2, 0, 0)
                },
                I::s(Op::Fsw, 0, 2, 0x48),
                halt(),
            ],
        );
        if weak {
            core.set_weak_order(5);
        }
        let mut memory = Memory {
            floats: true,
            ..Memory::default()
        };
        memory.bytes[0x40..0x44].copy_from_slice(&2.0f32.to_le_bytes());
        memory.bytes[0x44..0x48].copy_from_slice(&0.5f32.to_le_bytes());
        finish(&mut core, &mut memory, 1000).unwrap();
        assert_eq!(memory.bytes[0x48..0x4c], 6.75f32.to_le_bytes());
        assert_eq!(
            (core.float_register(0), core.register(0)),
            (2.5f32.to_bits(), 0)
        );
    }
    let stopped = |code: &[I], floats| {
        let mut memory = Memory {
            floats,
            ..Memory::default()
        };
        let stopped = core_of(Isa::BLACKHOLE, code).run(&mut memory, 10);
        stopped.unwrap_err().to_string()
    };
    let add = I {
        imm: 7,
        ..I::r(Op::FaddS, 0, 0, 1)
    };
    assert_eq!(
        stopped(&[add], false),
        "pc 0x1000, `fadd.s f0, f0, f1`: there is no floating-point arithmetic here"
    );
    assert_eq!(
        stopped(&[add, I::csr(Op::Csrrs, 1, 3, 0)], true),
        "pc 0x1004, `csrrs x1, 0x3, x0`: control register 0x3 is not modelled: the flags that \
         arithmetic on denormals raises are not documented"
    );
    let mut core = core_of(
        Isa::BLACKHOLE,
        &[
            add,
            I::csr_immediate(Op::Csrrwi, 0, 3, 9),
            I::csr(Op::Csrrs, 1, 3, 0),
            halt(),
        ],
    );
    finish(
        &mut core,
        &mut Memory {
            floats: true,
            ..Memory::default()
        },
        10,
    )
    .unwrap();
    assert_eq!(core.register(1), 9);
}

/// A loop that computes without storing is not mistaken for a polling loop.
#[test]
fn loops_of_floats_go_on() {
    let mut core = core_of(
        Isa::BLACKHOLE,
        &[
            I {
                imm: 7,
                ..I::r(Op::FaddS, 1, 1, 2)
            },
            I::r(Op::FltS, 5, 1, 3),
            I::s(Op::Bne, 5, 0, -8),
            halt(),
        ],
    );
    core.set_float_register(2, 1.0f32.to_bits());
    core.set_float_register(3, 50.0f32.to_bits());
    finish(
        &mut core,
        &mut Memory {
            floats: true,
            ..Memory::default()
        },
        1000,
    )
    .unwrap();
    assert_eq!(float(core.float_register(1)), 50.0);
}
