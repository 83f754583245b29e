//! ALU arithmetic (manual, section 3.6.12).

use tessera_isa_mncore::ast::{Alu, Convert};
use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::AluKind;

use super::{operands, Longs, Nibbles, Words};
use crate::block::Block;
use crate::geometry::CYCLES;
use crate::numerics::alu::{float, Operation, SingleEvaluation};
use crate::numerics::block::{convert as to_block, Conversion, HalfLength};
use crate::numerics::format::{Double, Half, Single};
use crate::numerics::lanes::Width;
use crate::numerics::{convert, oracle};
use crate::undetermined::UndeterminedSet;

/// Executes an ALU expression: results and mask flags.
pub fn run(alu: &Alu, block: &Block, undetermined: &mut UndeterminedSet) -> (Words, Nibbles) {
    let bits = alu.op.precision.map_or(64, Precision::bits);
    let inputs = alu.inputs.iter().map(|input| {
        let mut words = operands::read_all(block, input, bits);
        if input.convert == Convert::Narrow {
            for longs in words.iter_mut().flatten() {
                *longs = narrowed(*longs, undetermined);
            }
        }
        words
    });
    let inputs: Vec<Words> = inputs.collect();
    let mut words = vec![[[0; 2]; CYCLES]; block.lanes()];
    let mut nibbles = vec![[0; CYCLES]; block.lanes()];
    for mab in 0..block.lanes() / 4 {
        for cycle in 0..CYCLES {
            let input = |index: usize| -> [Longs; 4] {
                std::array::from_fn(|pe| {
                    inputs
                        .get(index)
                        .map_or([0; 2], |words| words[4 * mab + pe][cycle])
                })
            };
            let results = execute_mab_cycle(alu, &input(0), &input(1), undetermined);
            for (pe, (longs, flags)) in results.into_iter().enumerate() {
                words[4 * mab + pe][cycle] = longs;
                nibbles[4 * mab + pe][cycle] = flags;
            }
        }
    }
    (words, nibbles)
}

/// Narrows four singles to four halves in the most significant long word (section 3.6.12.19).
fn narrowed(longs: Longs, undetermined: &mut UndeterminedSet) -> Longs {
    let mut halves = 0;
    for single in [
        longs[0] >> 32,
        longs[0] & 0xffff_ffff,
        longs[1] >> 32,
        longs[1] & 0xffff_ffff,
    ] {
        halves = halves << 16 | convert::narrow::<Single, Half>(single, undetermined);
    }
    [halves, 0]
}

/// Executes an opcode on the inputs of the four PEs of a MAB in one cycle; returns results and
/// flags.
fn execute_mab_cycle(
    alu: &Alu,
    x: &[Longs; 4],
    y: &[Longs; 4],
    undetermined: &mut UndeterminedSet,
) -> [(Longs, u8); 4] {
    let literal = u64::from(alu.immediate);
    match alu.op.kind {
        AluKind::Zero => [([0, 0], 0); 4],
        AluKind::Imm => [([literal << 32 | literal; 2], 0); 4],
        AluKind::Immu => [([literal << 32; 2], 0); 4],
        // PE 0 sends to 1, 1 to 2, 2 to 3, 3 to 0; `msr` in the opposite direction.
        AluKind::Msl => std::array::from_fn(|pe| ([x[(pe + 3) % 4][0], x[pe][1]], 0)),
        AluKind::Msr => std::array::from_fn(|pe| ([x[(pe + 1) % 4][0], x[pe][1]], 0)),
        AluKind::Bfn | AluKind::Bfe => {
            let upper = convert_blocks(alu, x.map(|longs| longs[0]), undetermined);
            let lower = match alu.op.precision {
                Some(Precision::Half) => convert_blocks(alu, x.map(|longs| longs[1]), undetermined),
                _ => x.map(|longs| longs[1]),
            };
            std::array::from_fn(|pe| ([upper[pe], lower[pe]], 0))
        }
        _ => std::array::from_fn(|pe| {
            let (long, flags) = execute_lanes(alu, x[pe][0], y[pe][0], undetermined);
            ([long, x[pe][1]], flags)
        }),
    }
}

/// Converts the blocks in one long word of each of four PEs (sections 3.6.12.12 and 4.4).
fn convert_blocks(alu: &Alu, longs: [u64; 4], undetermined: &mut UndeterminedSet) -> [u64; 4] {
    let extended = alu.op.kind == AluKind::Bfe;
    let length = u32::from(alu.op.mantissa);
    let conversion = match alu.op.precision {
        Some(Precision::Half) => HalfLength::new(length).map(if extended {
            Conversion::HalfExtended
        } else {
            Conversion::Half
        }),
        Some(Precision::Single) => Some(Conversion::Single),
        Some(Precision::Pseudo) => Some(Conversion::PseudoSingle),
        _ => Some(Conversion::Double),
    };
    // The scalar implementation gives the undetermined points, the oracle gives the result.
    if let Some(conversion) = conversion {
        to_block(conversion, longs, undetermined);
    }
    let elements = |bits: u32, at: u32| longs.map(|long| long >> at & (u64::MAX >> (64 - bits)));
    match alu.op.precision {
        Some(Precision::Half) => {
            let words: Vec<u64> = longs
                .iter()
                .flat_map(|long| [48, 32, 16, 0].map(|at| long >> at & 0xffff))
                .collect();
            let words = oracle::block_float::<Half>(&words, 9, 9 - length, extended);
            std::array::from_fn(|pe| {
                let halves = &words[4 * pe..4 * pe + 4];
                halves.iter().fold(0, |long, half| long << 16 | half)
            })
        }
        Some(Precision::Single) => {
            let upper = oracle::block_float::<Single>(&elements(32, 32), 23, 0, false);
            let lower = oracle::block_float::<Single>(&elements(32, 0), 23, 0, false);
            std::array::from_fn(|pe| upper[pe] << 32 | lower[pe])
        }
        Some(Precision::Pseudo) => {
            let words: Vec<u64> = longs
                .iter()
                .flat_map(|long| [long >> 32, long & 0xffff_ffff])
                .collect();
            let words = oracle::block_float::<Single>(&words, 18, 0, false);
            std::array::from_fn(|pe| words[2 * pe] << 32 | words[2 * pe + 1])
        }
        _ => {
            let words = oracle::block_float::<Double>(&longs, 52, 0, false);
            std::array::from_fn(|pe| words[pe])
        }
    }
}

/// Executes an operation on corresponding elements of two long words.
fn execute_lanes(alu: &Alu, x: u64, y: u64, undetermined: &mut UndeterminedSet) -> (u64, u8) {
    let precision = alu.op.precision.unwrap_or(Precision::Long);
    let width = match precision.bits() {
        16 => Width::Half,
        32 => Width::Single,
        _ => Width::Long,
    };
    let operation = Operation::from_kind(alu.op.kind, alu.op.precision);
    if let Some(Operation::Float(operation)) = operation {
        return float::select(
            operation,
            width,
            alu.op.unsigned,
            SingleEvaluation { x, y, undetermined },
        );
    }
    let bits = width.bits();
    let mut long = 0;
    let mut flags = 0;
    for index in 0..64 / bits {
        let at = 64 - bits * (index + 1);
        let mask = u64::MAX >> (64 - bits);
        let element = execute_on_integers(alu, bits, x >> at & mask, y >> at & mask);
        long |= element.0 << at;
        // With fewer than four elements, each flag is repeated.
        for _ in 0..bits / 16 {
            flags = flags << 1 | u8::from(element.1);
        }
    }
    (long, flags)
}

/// Executes an integer or bitwise operation on elements of `bits` bits; returns the flag of table
/// 3.11 too.
fn execute_on_integers(alu: &Alu, bits: u32, x: u64, y: u64) -> (u64, bool) {
    use AluKind as K;
    let modulus = 1i128 << bits;
    let top = 1i128 << (bits - 1);
    let signed = |word: u64| {
        let word = i128::from(word);
        if word >= top {
            word - modulus
        } else {
            word
        }
    };
    // The value of an input in the current mode.
    let value = |word: u64| {
        if alu.op.unsigned {
            i128::from(word)
        } else {
            signed(word)
        }
    };
    let wrapped = |number: i128| number.rem_euclid(modulus) as u64;
    // Sums and differences: with `u`, the flag means that the result is in range.
    let sum = |number: i128| {
        let word = wrapped(number);
        let flag = if alu.op.unsigned {
            (0..modulus).contains(&number)
        } else {
            signed(word) >= 0
        };
        (word, flag)
    };
    let zero = |word: u64| (word, word == 0);
    let n = u64::from(bits);
    let amount = y % (2 * n);
    let rotated = |left: u64| {
        let wide = u128::from(x) << left;
        (wide | wide >> bits) as u64 & wrapped(-1)
    };
    match alu.op.kind {
        K::Inc => sum(value(x) + 1),
        K::Dec => sum(value(x) - 1),
        K::Add => sum(value(x) + value(y)),
        K::Sub => sum(value(x) - value(y)),
        K::Not => zero(x ^ wrapped(-1)),
        K::Lnot => zero(u64::from(x == 0)),
        K::And => zero(x & y),
        K::Or => zero(x | y),
        K::Xor => zero(x ^ y),
        K::Max => {
            let first = value(x) >= value(y);
            (if first { x } else { y }, first)
        }
        K::Min => {
            let first = value(x) <= value(y);
            (if first { x } else { y }, first)
        }
        K::Packbit => {
            let sign = y >> (bits - 1);
            (wrapped(i128::from(x) << 1) | sign, sign == 0)
        }
        K::Lsl => zero(wrapped(i128::from(x) << amount.min(n))),
        K::Lsr => zero(wrapped(value(x) >> amount.min(n))),
        K::Bsl => zero(rotated(amount % n)),
        K::Bsr => zero(rotated((n - amount % n) % n)),
        K::Passa => zero(x),
        K::Zero
        | K::Imm
        | K::Immu
        | K::Msl
        | K::Msr
        | K::Bfe
        | K::Bfn
        | K::Rsqrt
        | K::Floor
        | K::Ftoi
        | K::Relu
        | K::Relu1
        | K::Relu2
        | K::Relu3
        | K::Lrelud
        | K::Lreluo
        | K::Ilrelud => unreachable!("not an operation on integers"),
    }
}
