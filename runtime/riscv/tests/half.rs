//! Half-precision instructions, compared with tables of all FP16 and BF16 values and with
//! fixed-point numbers, independently of the core's code.

mod common;

use common::{core_of, finish, halt, Memory};
use proptest::prelude::*;
use tessera_riscv::table::Format;
use tessera_riscv::{Instruction as I, Isa, Op, Step};

const BOX: u32 = 0xffff_0000;
const NAN: [u32; 2] = [0x7e00, 0x7fc0];
/// Values of `cfg0` that select FP16, BF16 rounded towards zero, and BF16 rounded to nearest.
const FP16: u32 = 0;
const BF16: u32 = 1 << 30;
const BF16_NEAREST: u32 = 3 << 30;

/// Runs an instruction whose sources are x1 or f1, f2 and f3, and returns x4 and f4.
fn try_result(cfg0: u32, op: Op, [a, b, c]: [u32; 3]) -> Result<(u32, u32), String> {
    let imm = match op.row().format {
        Format::Fused => 3 << 3 | 1,
        Format::Rounded | Format::UnaryRounded => 1,
        _ => 0,
    };
    let rs2 = match op.row().format {
        Format::Unary | Format::UnaryRounded => 0,
        _ => 2,
    };
    let i = I {
        imm,
        ..I::r(op, 4, 1, rs2)
    };
    let mut core = core_of(Isa::BLACKHOLE, &[I::csr(Op::Csrrw, 0, 0x7c0, 5), i]);
    core.set_register(5, cfg0);
    core.set_register(1, a);
    for (k, value) in [(1, a), (2, b), (3, c)] {
        core.set_float_register(k, value);
    }
    core.set_float_register(4, 0x5555_5555);
    core.step(&mut Memory::default()).unwrap();
    assert_eq!(core.pc(), common::CODE + 4);
    match core.step(&mut Memory::default()) {
        Ok(step) => assert_eq!(step, Step::Ran),
        Err(trap) => return Err(trap.to_string()),
    }
    Ok((core.register(4), core.float_register(4)))
}

/// Like [`try_result`] for correctly boxed values; returns the low half of f4, whose upper half
/// must be ones.
fn float(cfg0: u32, op: Op, values: [u32; 3]) -> u32 {
    let f4 = try_result(cfg0, op, values.map(|value| BOX | value))
        .unwrap()
        .1;
    assert_eq!(f4 & BOX, BOX, "{op:?} {values:x?}");
    f4 & 0xffff
}

fn integer(cfg0: u32, op: Op, values: [u32; 3]) -> u32 {
    try_result(cfg0, op, values.map(|value| BOX | value))
        .unwrap()
        .0
}

/// Returns the value of a finite pattern, from its fields.
fn value(bits: u32, mantissa: i32, bias: i32) -> f64 {
    let fraction = f64::from(bits & ((1 << mantissa) - 1)) / f64::from(1 << mantissa);
    let field = (bits & 0x7fff) >> mantissa;
    let magnitude = match field {
        0 => fraction * 2f64.powi(1 - bias),
        _ => (1.0 + fraction) * 2f64.powi(field as i32 - bias),
    };
    if bits & 0x8000 != 0 {
        -magnitude
    } else {
        magnitude
    }
}

fn fp16(bits: u32) -> f64 {
    match bits & 0x7fff {
        0x7c00 => value(0x3c00 | bits & 0x8000, 10, 15) * f64::INFINITY,
        0x7c01.. => f64::NAN,
        _ => value(bits, 10, 15),
    }
}

fn bf16(bits: u32) -> f64 {
    f32::from_bits(bits << 16).into()
}

/// Returns the pattern nearest to a number among those up to infinity, which counts as the next
/// number would; or the nearest towards zero.
fn nearest(x: f64, of: fn(u32) -> f64, infinity: u32, to_zero: bool) -> u32 {
    let at = |bits: u32| match bits == infinity {
        true => 2.0 * of(infinity - 1) - of(infinity - 2),
        false => of(bits),
    };
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    let x = x.abs();
    let (mut low, mut high) = (0, infinity);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if at(middle) <= x {
            low = middle;
        } else {
            high = middle;
        }
    }
    let (below, above) = (x - at(low), at(high) - x);
    let up = !to_zero && (below > above || below == above && high & 1 == 0);
    sign | if up { high } else { low }
}

/// Replaces a denormal by a zero of its sign.
fn flushed(bits: u32, infinity: u32) -> u32 {
    match bits & infinity {
        0 => bits & 0x8000,
        _ => bits,
    }
}

fn class(bits: u32, infinity: u32) -> u32 {
    let magnitude = bits & 0x7fff;
    let negative = bits & 0x8000 != 0;
    let quiet = infinity | (infinity & infinity.wrapping_neg()) >> 1;
    let kind = match magnitude {
        0 => 3,
        _ if magnitude > infinity => return 1 << (8 + u32::from(magnitude & quiet == quiet)),
        _ if magnitude == infinity => 0,
        _ if magnitude & infinity == 0 => 2,
        _ => 1,
    };
    1 << if negative { kind } else { 7 - kind }
}

/// Every single value.
#[test]
fn all_values() {
    for bits in 0..=0xffff {
        let formats = [
            (FP16, fp16 as fn(u32) -> f64, 0x7c00, false),
            (BF16, bf16, 0x7f80, true),
            (BF16_NEAREST, bf16, 0x7f80, false),
        ];
        for (cfg0, of, infinity, to_zero) in formats {
            let x = of(bits);
            let at = format!("{cfg0:#x} {bits:#x}");
            assert_eq!(
                integer(cfg0, Op::FmvXH, [bits, 0, 0]),
                bits as i16 as u32,
                "{at}"
            );
            assert_eq!(float(cfg0, Op::FmvHX, [bits, 0, 0]), bits, "{at}");
            assert_eq!(
                integer(cfg0, Op::FclassH, [bits, 0, 0]),
                class(bits, infinity),
                "{at}"
            );
            let rounded = if to_zero {
                x.trunc()
            } else {
                x.round_ties_even()
            };
            let [signed, unsigned] = match x.is_nan() {
                true => [i32::MAX as u32, u32::MAX],
                false => [rounded as i32 as u32, rounded as u32],
            };
            assert_eq!(integer(cfg0, Op::FcvtWH, [bits, 0, 0]), signed, "{at}");
            assert_eq!(integer(cfg0, Op::FcvtWuH, [bits, 0, 0]), unsigned, "{at}");
            let single = try_result(cfg0, Op::FcvtSH, [BOX | bits, 0, 0]).unwrap().1;
            match x.is_nan() {
                true => assert_eq!(single, 0x7fc0_0000, "{at}"),
                false => assert_eq!(single, (x as f32).to_bits(), "{at}"),
            }
        }
    }
}

/// Checks a pair of values.
fn check_pair(a: u32, b: u32) {
    for (cfg0, of, infinity, nan) in [
        (FP16, fp16 as fn(u32) -> f64, 0x7c00, NAN[0]),
        (BF16, bf16, 0x7f80, NAN[1]),
    ] {
        let (x, y) = (of(a), of(b));
        let at = format!("{cfg0:#x} {a:#x} {b:#x}");
        assert_eq!(
            integer(cfg0, Op::FeqH, [a, b, 0]),
            u32::from(x == y),
            "{at}"
        );
        assert_eq!(integer(cfg0, Op::FltH, [a, b, 0]), u32::from(x < y), "{at}");
        assert_eq!(
            integer(cfg0, Op::FleH, [a, b, 0]),
            u32::from(x <= y),
            "{at}"
        );
        assert_eq!(float(cfg0, Op::FsgnjH, [a, b, 0]), a & 0x7fff | b & 0x8000);
        assert_eq!(
            float(cfg0, Op::FsgnjnH, [a, b, 0]),
            a & 0x7fff | !b & 0x8000
        );
        assert_eq!(float(cfg0, Op::FsgnjxH, [a, b, 0]), a ^ b & 0x8000);
        let extreme = |least: bool| match (x.is_nan(), y.is_nan()) {
            (true, true) => nan,
            (true, false) => b,
            (false, true) => a,
            _ if x == y && (a & 0x8000 != 0) == least => a,
            _ if x == y => b,
            _ if (x < y) == least => a,
            _ => b,
        };
        assert_eq!(float(cfg0, Op::FminH, [a, b, 0]), extreme(true), "{at}");
        assert_eq!(float(cfg0, Op::FmaxH, [a, b, 0]), extreme(false), "{at}");
        let (x, y) = (of(flushed(a, infinity)), of(flushed(b, infinity)));
        // Sums of FP16 and products are exact in the host's arithmetic; sums of BF16 only if
        // exponents are close.
        let expect = |exact: f64, to_zero: bool| match exact.is_nan() {
            true => nan,
            false if exact.is_infinite() => infinity | if exact < 0.0 { 0x8000 } else { 0 },
            false => flushed(nearest(exact, of, infinity, to_zero), infinity),
        };
        for to_zero in [false, true] {
            let cfg0 = match (cfg0, to_zero) {
                (FP16, false) => FP16,
                (FP16, true) => continue,
                (_, true) => BF16,
                (_, false) => BF16_NEAREST,
            };
            assert_eq!(
                float(cfg0, Op::FmulH, [a, b, 0]),
                expect(x * y, to_zero),
                "{at}"
            );
            let gap =
                ((a & infinity).abs_diff(b & infinity)) / (infinity & infinity.wrapping_neg());
            if cfg0 == FP16 || gap < 40 || x * y == 0.0 || !(x * y).is_finite() {
                assert_eq!(
                    float(cfg0, Op::FaddH, [a, b, 0]),
                    expect(x + y, to_zero),
                    "{at}"
                );
                assert_eq!(
                    float(cfg0, Op::FsubH, [a, b, 0]),
                    expect(x - y, to_zero),
                    "{at}"
                );
            }
        }
    }
}

const EDGES: [u32; 22] = [
    0, 0x8000, 1, 0x8001, 0x03ff, 0x0400, 0x0401, 0x007f, 0x0080, 0x8080, 0x3c00, 0xbc00, 0x3f80,
    0x3f81, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 0x7f7f, 0x7f80, 0xff80,
];

#[test]
fn corner_cases() {
    for (a, b) in EDGES.iter().flat_map(|&a| EDGES.map(|b| (a, b))) {
        check_pair(a, b);
    }
    // A result that rounds up to the smallest normal value is kept; smaller results become a zero
    // of their sign.
    assert_eq!(float(FP16, Op::FmulH, [0x03ff + 0x0400, 0x3800, 0]), 0x0400);
    assert_eq!(float(FP16, Op::FmulH, [0x8400, 0x3800, 0]), 0x8000);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn pairs(a in 0u32..0x10000, b in 0u32..0x10000, near in 0u32..64) {
        check_pair(a, b);
        check_pair(a, (a ^ near) & 0xffff);
        check_pair(a, ((a ^ 0x8000) + near) & 0xffff);
    }

    #[test]
    fn integers_and_singles(x: u32, small in -70000i32..70000) {
        for (cfg0, of, infinity, to_zero) in [
            (FP16, fp16 as fn(u32) -> f64, 0x7c00, false),
            (BF16, bf16, 0x7f80, true),
            (BF16_NEAREST, bf16, 0x7f80, false),
        ] {
            let convert = |op, x: u32| {
                let f4 = try_result(cfg0, op, [x, 0, 0]).unwrap().1;
                assert_eq!(f4 & BOX, BOX);
                f4 & 0xffff
            };
            for x in [x, small as u32] {
                let signed = nearest(f64::from(x as i32), of, infinity, to_zero);
                prop_assert_eq!(convert(Op::FcvtHW, x), signed, "{:#x}", x);
                let unsigned = nearest(f64::from(x), of, infinity, to_zero);
                prop_assert_eq!(convert(Op::FcvtHWu, x), unsigned, "{:#x}", x);
            }
            for bits in [x, x & 0x8fff_ffff | 0x3000_0000] {
                let single = f32::from_bits(bits);
                let expect = match single {
                    _ if single.is_nan() => NAN[usize::from(cfg0 != FP16)],
                    _ if single.is_infinite() => infinity | bits >> 16 & 0x8000,
                    _ => nearest(single.into(), of, infinity, to_zero),
                };
                prop_assert_eq!(convert(Op::FcvtHS, bits), expect, "{:#x}", bits);
            }
        }
    }

    /// A fused operation gives the result on which one rounding and two roundings agree; otherwise
    /// it stops.
    #[test]
    fn fused(a in 0u32..0x10000, b in 0u32..0x10000, c in 0u32..0x10000, near in 0u32..4096) {
        // Units of 2^-48, in which everything is an integer.
        let fixed = |bits: u32| (fp16(flushed(bits, 0x7c00)) * 2f64.powi(24)) as i128;
        let round = |x: i128| {
            // Only the highest 30 bits, and whether any lower bit is set, matter.
            let drop = (98 - x.unsigned_abs().leading_zeros() as i32).max(0);
            let is_inexact = x.unsigned_abs() & ((1 << drop) - 1) != 0;
            let kept = x.unsigned_abs() >> drop | u128::from(is_inexact);
            let exact = kept as f64 * 2f64.powi(drop - 48) * if x < 0 { -1.0 } else { 1.0 };
            flushed(nearest(exact, fp16, 0x7c00, false), 0x7c00)
        };
        for (a, b, c) in [(a, b, c), (0x3c00 | a & 0x83ff, 0x3c00 | b & 0x83ff, 0x3c00 ^ near)] {
            if [a, b, c].iter().any(|x| x & 0x7c00 == 0x7c00) {
                continue;
            }
            let product = round(fixed(a) * fixed(b));
            let is_zero = fixed(a) * fixed(b) == 0 || fixed(c) == 0;
            if is_zero || matches!(product & 0x7fff, 0 | 0x7c00) {
                continue;
            }
            let cases = [
                (Op::FmaddH, 1, 1),
                (Op::FmsubH, 1, -1),
                (Op::FnmsubH, -1, 1),
                (Op::FnmaddH, -1, -1),
            ];
            for (op, sign, addend) in cases {
                let once = fixed(a) * fixed(b) * sign + (fixed(c) << 24) * addend;
                let twice = (fixed(product) << 24) * sign + (fixed(c) << 24) * addend;
                if once == 0 || twice == 0 {
                    continue;
                }
                let got = try_result(FP16, op, [a, b, c].map(|x| BOX | x));
                match round(once) == round(twice) {
                    true => {
                        let (got, expected) = (got.unwrap().1, BOX | round(once));
                        prop_assert_eq!(got, expected, "{:?} {:#x} {:#x} {:#x}", op, a, b, c);
                    }
                    false => prop_assert!(got.unwrap_err().ends_with("multiply and add in two \
                         instructions, or in single precision")),
                }
            }
        }
    }
}

#[test]
fn fused_cases() {
    let cases = [
        // 1.5 * 2 + 1; infinity; no number; a product of nothing.
        ([0x3e00, 0x4000, 0x3c00], Ok(0x4400)),
        ([0x7c00, 0x4000, 0x3c00], Ok(0x7c00)),
        ([0x7c00, 0x0000, 0x3c00], Ok(0x7e00)),
        ([0x7c00, 0x3c00, 0xfc00], Ok(0x7e00)),
        ([0x3c00, 0x3c00, 0x7c00], Ok(0x7c00)),
        ([0x0000, 0x3c00, 0x8000], Ok(0x0000)),
        ([0x8000, 0x3c00, 0x8000], Ok(0x8000)),
        ([0x3c00, 0x3c00, 0xbc00], Ok(0x0000)),
        // (1 + 3 * 2^-10)^2 - 1: a rounded product loses 9 * 2^-20.
        ([0x3c03, 0x3c03, 0xbc00], Err(())),
    ];
    for (values, expect) in cases {
        let got = try_result(FP16, Op::FmaddH, values.map(|value| BOX | value));
        match expect {
            Ok(value) => assert_eq!(got.unwrap().1, BOX | value, "{values:x?}"),
            Err(()) => assert_eq!(
                got.unwrap_err(),
                "pc 0x1004, `fmadd.h f4, f1, f2, f3, rtz`: the result depends on how many bits of \
                 the product are kept, which is not documented; multiply and add in two \
                 instructions, or in single precision"
            ),
        }
    }
}

/// A register whose upper half is not all ones does not hold a number, except for moves and stores.
#[test]
fn values_that_are_not_boxed() {
    let one = 0x0000_3c00;
    let cases = [
        (Op::FaddH, BOX | NAN[0]),
        (Op::FsgnjH, BOX | NAN[0]),
        (Op::FminH, BOX | 0x4000),
        (Op::FcvtSH, 0x7fc0_0000),
    ];
    for (op, expect) in cases {
        let got = try_result(FP16, op, [one, BOX | 0x4000, 0]).unwrap();
        assert_eq!(got.1, expect, "{op:?}");
    }
    assert_eq!(
        try_result(FP16, Op::FmvXH, [one, 0, 0]),
        Ok((0x3c00, 0x5555_5555))
    );
}

/// Loads and stores, in order and weakly ordered; flags are undefined then.
#[test]
fn memory() {
    for weak in [false, true] {
        let rounded = |op, rd, rs1, rs2| I {
            imm: 7,
            ..I::r(op, rd, rs1, rs2)
        };
        let code = [
            I::i(Op::Flh, 1, 0, 0x42),
            I::i(Op::Flh, 2, 0, 0x44),
            rounded(Op::FaddH, 3, 1, 2),
            I::s(Op::Fsh, 0, 3, 0x46),
            halt(),
        ];
        let mut core = core_of(Isa::BLACKHOLE, &code);
        if weak {
            core.set_weak_order(7);
        }
        let mut memory = Memory::default();
        memory.bytes[0x42..0x46].copy_from_slice(&[0x00, 0x3c, 0x00, 0x40]);
        finish(&mut core, &mut memory, 1000).unwrap();
        assert_eq!(memory.bytes[0x46..0x48], [0x00, 0x42]);
        assert_eq!(core.float_register(1), BOX | 0x3c00);
    }
    let code = [
        I {
            imm: 7,
            ..I::r(Op::FaddH, 0, 0, 1)
        },
        I::csr(Op::Csrrs, 1, 3, 0),
    ];
    let trap = core_of(Isa::BLACKHOLE, &code).run(&mut Memory::default(), 10);
    assert_eq!(
        trap.unwrap_err().to_string(),
        "pc 0x1004, `csrrs x1, 0x3, x0`: control register 0x3 is not modelled: the flags that \
         arithmetic on denormals raises are not documented"
    );
}
