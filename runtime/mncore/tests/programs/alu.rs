//! Every ALU opcode of the table, run as an instruction, against tables 3.9 and 3.11 of the manual
//! evaluated in plain arithmetic: whole numbers as `i128`, floating-point numbers as `f64`.
//!
//! Operands are all pairs of a few words of each width, without infinities and undetermined cases.
//! Block float conversions are compared with `numerics::block`, which its own tests compare with an
//! oracle.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::alu::{AluKind, AluOp};
use tessera_mncore::geometry::{Geometry, CYCLES, PES};
use tessera_mncore::machine::{Machine, Options};
use tessera_mncore::numerics::block::{convert, Conversion, HalfLength};
use tessera_mncore::undetermined::UndeterminedSet;

use super::common::run_on;

const GEOMETRY: Geometry = Geometry {
    groups: 1,
    l2bs: 1,
    l1bs: 1,
    mabs: 4,
};
const LANES: usize = 16;

/// An element width, with its floating-point format.
#[derive(Clone, Copy)]
struct Width {
    bits: u32,
    mantissa: u32,
    bias: i32,
}

const fn width(precision: Option<Precision>) -> Width {
    match precision {
        Some(Precision::Half | Precision::Short) => Width {
            bits: 16,
            mantissa: 9,
            bias: 31,
        },
        Some(Precision::Single | Precision::Pseudo | Precision::Int) => Width {
            bits: 32,
            mantissa: 23,
            bias: 127,
        },
        _ => Width {
            bits: 64,
            mantissa: 52,
            bias: 1023,
        },
    }
}

impl Width {
    fn all(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    fn sign(self) -> u64 {
        1 << (self.bits - 1)
    }

    fn signed(self, word: u64) -> i128 {
        let word = i128::from(word);
        if word >> (self.bits - 1) == 1 {
            word - (1 << self.bits)
        } else {
            word
        }
    }

    fn exponent(self, word: u64) -> u64 {
        (word & !self.sign()) >> self.mantissa
    }

    /// Returns the value of a finite word.
    fn number(self, word: u64) -> f64 {
        let fraction = (word & ((1 << self.mantissa) - 1)) as f64 / (1u64 << self.mantissa) as f64;
        let magnitude = match self.exponent(word) {
            0 => 0.0,
            exponent => (1.0 + fraction) * 2f64.powi(exponent as i32 - self.bias),
        };
        if word & self.sign() != 0 {
            -magnitude
        } else {
            magnitude
        }
    }

    /// Returns the word of a number that the format represents exactly.
    fn word(self, number: f64) -> u64 {
        let bits = number.abs().to_bits();
        let sign = if number.is_sign_negative() {
            self.sign()
        } else {
            0
        };
        if bits == 0 {
            return sign;
        }
        let exponent = (bits >> 52) as i32 - 1023 + self.bias;
        sign | (exponent as u64) << self.mantissa | (bits & ((1 << 52) - 1)) >> (52 - self.mantissa)
    }

    /// Returns operand words: whole numbers and shift amounts, or floating-point numbers.
    fn samples(self, float: bool) -> Vec<u64> {
        if float {
            [
                1.0, -1.0, 0.0, -0.0, 1.5, -2.25, 0.75, -0.5, 7.0, -13.0, 0.125, 100.5,
            ]
            .map(|number| self.word(number))
            .to_vec()
        } else {
            let n = u64::from(self.bits);
            let mut words = vec![0, 1, 2, 5, n - 1, n, n + 3, 2 * n - 1, 2 * n + 4];
            let (sign, all) = (self.sign(), self.all());
            words.extend([all, all - 1, sign, sign - 1, sign | 6, all / 3]);
            words
        }
    }
}

/// Returns the result and the flag of an opcode for two elements.
fn expected(op: AluOp, x: u64, y: u64) -> (u64, bool) {
    use AluKind::*;
    let w = width(op.precision);
    let all = w.all();
    let zero = |result: u64| (result & all, result & all == 0);
    let number = |wide: i128| {
        let result = wide as u64 & all;
        let fits = if op.unsigned {
            wide == i128::from(result)
        } else {
            result & w.sign() == 0
        };
        (result, fits)
    };
    let value = |word: u64| {
        if op.unsigned {
            i128::from(word)
        } else {
            w.signed(word)
        }
    };
    let amount = (y % (2 * u64::from(w.bits))) as u32;
    let turn = |by: u32| match by % w.bits {
        0 => x,
        by => (x << by | x >> (w.bits - by)) & all,
    };
    // `y` unless the bit of `x` that counts, from the top, is set.
    let relu = |place: u32, else_: u64| {
        let set = x >> (w.bits - place) & 1 == 1;
        (if set { else_ } else { y }, !set)
    };
    let leaky = |by: f64| relu(1, w.word(w.number(y) * by));
    let pick = |first: bool| (if first { x } else { y }, first);
    let is_float = op.precision.is_some_and(Precision::is_float);
    match op.kind {
        Passa => zero(x),
        Inc => number(value(x) + 1),
        Dec => number(value(x) - 1),
        Add => number(value(x) + value(y)),
        Sub => number(value(x) - value(y)),
        Not => zero(!x),
        Lnot => zero(u64::from(x == 0)),
        And => zero(x & y),
        Or => zero(x | y),
        Xor => zero(x ^ y),
        Lsl => zero(if amount >= w.bits { 0 } else { x << amount }),
        Lsr => zero((value(x) >> amount.min(w.bits)) as u64),
        Bsl => zero(turn(amount)),
        Bsr => zero(turn(2 * w.bits - amount)),
        Packbit => ((x << 1 | y >> (w.bits - 1)) & all, y & w.sign() == 0),
        Max if is_float => pick(w.number(x) >= w.number(y)),
        Min if is_float => pick(w.number(x) <= w.number(y)),
        Max => pick(value(x) >= value(y)),
        Min => pick(value(x) <= value(y)),
        Relu => relu(1, w.sign()),
        Relu1 => relu(2, w.sign()),
        Relu2 => relu(3, w.sign()),
        Relu3 => relu(4, w.sign()),
        Lrelud => leaky(0.5),
        Lreluo => leaky(0.125),
        Ilrelud => relu(1, y + (1 << w.mantissa)),
        Floor if w.exponent(x) == 0 => (x, false),
        Floor => (w.word(w.number(x).floor()), false),
        Ftoi if op.unsigned => (w.number(x).abs().trunc() as u64, false),
        Ftoi => (w.number(x).trunc() as i64 as u64 & all, false),
        Zero | Imm | Immu | Msl | Msr | Rsqrt | Bfe | Bfn => unreachable!("tested apart"),
    }
}

/// Returns whether the manual determines the result of an opcode for these elements.
fn is_determined(op: AluOp, y: u64) -> bool {
    // The quotient of a zero is a zero of undetermined sign.
    let leaky = matches!(op.kind, AluKind::Lrelud | AluKind::Lreluo);
    !leaky || width(op.precision).exponent(y) != 0
}

/// Elements side by side in a long word.
fn long(bits: u32, element: impl Fn(u32) -> u64) -> u64 {
    (0..64 / bits).fold(0, |long, index| long << (bits - 1) << 1 | element(index))
}

fn element(bits: u32, long: u64, index: u32) -> u64 {
    long << (index * bits) >> (64 - bits)
}

/// Executes `op` on two long words of each operand in every lane and cycle; returns the two long
/// words of the result, and the flags.
fn run(op: &str, inputs: usize, x: &[[u64; 2]], y: &[[u64; 2]]) -> Vec<([u64; 2], u8)> {
    let mut machine = Machine::new(Options {
        geometry: GEOMETRY,
        ..Options::default()
    });
    for place in 0..LANES * CYCLES {
        let (cycle, lane) = (place / LANES, place % LANES);
        for half in 0..2 {
            for (bank, words) in [(0, x), (1, y)] {
                machine.blocks[0].memory[bank].plane_mut(2 * cycle + half)[lane] =
                    words[place][half];
            }
        }
    }
    let operands = ["", " $llr0v", " $llr0v $lls0v"][inputs];
    let program = format!("{op}{operands} $llm0v $omr1");
    run_on(&mut machine, &program).unwrap_or_else(|error| panic!("{program}: {error}"));
    let block = &machine.blocks[0];
    let result = (0..LANES * CYCLES).map(|place| {
        let (cycle, lane) = (place / LANES, place % LANES);
        let long = |half: usize| block.memory[2].plane(2 * cycle + half)[lane];
        ([long(0), long(1)], block.masks[1].cycle(cycle)[lane])
    });
    result.collect()
}

/// Returns as many operands as a run processes; each element of the first long words is one of the
/// pairs.
fn operands(pairs: &[(u64, u64)], bits: u32, from: usize) -> [Vec<[u64; 2]>; 2] {
    let per_long = 64 / bits as usize;
    let pick =
        |place: usize, index: u32| pairs[(from + place * per_long + index as usize) % pairs.len()];
    let words = |which: fn((u64, u64)) -> u64| {
        (0..LANES * CYCLES)
            .map(|place| {
                [
                    long(bits, |index| which(pick(place, index))),
                    !(place as u64),
                ]
            })
            .collect()
    };
    [words(|pair| pair.0), words(|pair| pair.1)]
}

#[test]
fn elementwise_opcodes() {
    let apart = |op: &AluOp| {
        let kind = op.kind;
        kind.row().inputs == 0
            || matches!(kind, AluKind::Msl | AluKind::Msr | AluKind::Rsqrt)
            || kind.is_block_float()
    };
    for op in AluOp::all().into_iter().filter(|op| !apart(op)) {
        let w = width(op.precision);
        let samples = w.samples(op.precision.is_some_and(Precision::is_float));
        let pairs: Vec<_> = samples
            .iter()
            .flat_map(|x| samples.iter().map(move |y| (*x, *y)))
            .filter(|(_, y)| is_determined(op, *y))
            .collect();
        let name = op.mnemonic();
        let per_run = LANES * CYCLES * 64 / w.bits as usize;
        for from in (0..pairs.len()).step_by(per_run) {
            let [x, y] = operands(&pairs, w.bits, from);
            for (place, (result, flags)) in run(&name, op.kind.row().inputs, &x, &y)
                .into_iter()
                .enumerate()
            {
                let elements = |index| {
                    let [x, y] = [&x, &y].map(|words| element(w.bits, words[place][0], index));
                    expected(op, x, y)
                };
                let context = || format!("{name} {:#x} {:#x}", x[place][0], y[place][0]);
                assert_eq!(
                    result[0],
                    long(w.bits, |index| elements(index).0),
                    "{}",
                    context()
                );
                // Table 3.9: an operation on one long word copies the second long word of its first
                // input.
                assert_eq!(result[1], x[place][1], "{}", context());
                let flag = |bit: u32| u8::from(elements(bit * 16 / w.bits).1) << (3 - bit);
                assert_eq!(flags, (0..4).map(flag).sum::<u8>(), "{}", context());
            }
        }
    }
}

#[test]
fn approximate_roots() {
    for (op, numbers) in [
        ("hrsqrt", [1.0, 2.0, 0.03125, 300.0]),
        ("frsqrt", [3.0, 1e-20, 7e30, 0.1]),
        ("drsqrt", [3.0, 1e-200, 7e200, 0.1]),
    ] {
        let w = match &op[..1] {
            "h" => width(Some(Precision::Half)),
            "f" => width(Some(Precision::Single)),
            _ => width(Some(Precision::Double)),
        };
        // Signs are ignored; numbers are truncated to the format.
        let cut = |number: f64| f64::from_bits(number.to_bits() & !0 << (52 - w.mantissa));
        let words: Vec<_> = numbers.map(|number| w.word(-cut(number))).to_vec();
        let x: Vec<_> = (0..LANES * CYCLES)
            .map(|place| [long(w.bits, |index| words[(place + index as usize) % 4]), 0])
            .collect();
        for (place, (result, flags)) in run(op, 1, &x, &x).into_iter().enumerate() {
            for index in 0..64 / w.bits {
                let number = cut(numbers[(place + index as usize) % 4]);
                let got = w.number(element(w.bits, result[0], index));
                let relative = (got * number.sqrt() - 1.0).abs();
                assert!(relative < 1.0 / 32.0, "{op} of {number}: {got}");
            }
            assert_eq!(flags, 0, "the sign of x is set");
        }
    }
}

#[test]
fn opcodes_between_pes_and_without_input() {
    let x: Vec<_> = (0..LANES * CYCLES)
        .map(|place| [place as u64, 77])
        .collect();
    for (op, from) in [("msl", 3), ("msr", 1)] {
        for (place, (result, flags)) in run(op, 1, &x, &x).into_iter().enumerate() {
            let (mab, pe) = (place / PES, place % PES);
            let neighbour = (mab * PES + (pe + from) % PES) as u64;
            assert_eq!((result, flags), ([neighbour, 77], 0), "{op} {place}");
        }
    }
    for (op, expect) in [
        ("zero", [0; 2]),
        ("imm i\"-2\"", [0xffff_fffe_ffff_fffe; 2]),
        ("immu i\"3\"", [0x0000_0003_0000_0000; 2]),
    ] {
        for result in run(op, 0, &x, &x) {
            // "never" in table 3.11.
            assert_eq!(result, (expect, 0), "{op}");
        }
    }
}

#[test]
fn block_float_opcodes() {
    let halves = |bits: u8, extended: bool| {
        let length = HalfLength::new(u32::from(bits)).expect("the table has no other");
        if extended {
            Conversion::HalfExtended(length)
        } else {
            Conversion::Half(length)
        }
    };
    let mut state = 9u64;
    let mut long = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005) + 1;
        // Exponents that differ, and are neither the least nor the greatest.
        let half = |shift: u32| 0x3000 + (state >> shift & 0x1fff) + (state >> shift & 0x8000);
        half(48) << 48 | half(40) << 32 | half(32) << 16 | half(24)
    };
    let x: Vec<_> = (0..LANES * CYCLES).map(|_| [long(), long()]).collect();
    let mut count = 0;
    for op in AluOp::all()
        .into_iter()
        .filter(|op| op.kind.is_block_float())
    {
        let (name, conversion) = match op.precision {
            Some(Precision::Double) => ("dbfn".into(), Conversion::Double),
            Some(Precision::Single) => ("fbfn".into(), Conversion::Single),
            Some(Precision::Pseudo) => ("gbfn".into(), Conversion::PseudoSingle),
            _ => (
                format!("{}/{}", op.mnemonic(), op.mantissa),
                halves(op.mantissa, op.kind == AluKind::Bfe),
            ),
        };
        count += 1;
        let two_long = op.takes_mantissa();
        for (mab, results) in run(&name, 1, &x, &x).chunks(PES).enumerate() {
            let block = |half: usize| {
                let longs = std::array::from_fn(|pe| x[mab * PES + pe][half]);
                convert(conversion, longs, &mut UndeterminedSet::default())
            };
            let (high, low) = (block(0), block(1));
            for (pe, (result, flags)) in results.iter().enumerate() {
                let low = if two_long {
                    low[pe]
                } else {
                    x[mab * PES + pe][1]
                };
                assert_eq!((*result, *flags), ([high[pe], low], 0), "{name} {mab} {pe}");
            }
        }
    }
    assert_eq!(count, 11);
}
