//! 32-bit integers: one step of the ALU each, except products, which the MAU computes in parts.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::AluKind;

use super::recipe::{number, word, ItemBuilder};
use tessera_mncore_ir::item::{Operand, Value};

macro_rules! binary {
    ($($name:ident $kind:ident $unsigned:literal;)*) => {
        $(pub(super) fn $name(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
            vec![r.alu(AluKind::$kind, Precision::Int, $unsigned, &x[..2])]
        })*
    };
}

binary! {
    add Add false;
    sub Sub false;
    and And false;
    or Or false;
    xor Xor false;
    shift_left Lsl false;
    shift_right Lsr false;
    shift_right_unsigned Lsr true;
    max Max false;
    min Min false;
}

pub(super) fn not(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    vec![r.alu(AluKind::Not, Precision::Int, false, &x[..1])]
}

/// Bits of a part of a factor: products of two parts, and sums of three products, are exact in
/// single precision.
const PART: u32 = 11;

/// Returns the three parts of an unsigned integer as numbers, the lowest first.
fn parts(r: &mut ItemBuilder, x: &Operand) -> [Value; 3] {
    /// The bits of 2^23, whose last mantissa bit has the weight 1.
    const BITS: u32 = 0x4b00_0000;
    let mask = word((1 << PART) - 1);
    let middle = r.unsigned(AluKind::Lsr, x.clone(), word(PART));
    let integers = [
        r.int(AluKind::And, x.clone(), mask.clone()),
        r.int(AluKind::And, middle, mask),
        r.unsigned(AluKind::Lsr, x.clone(), word(2 * PART)),
    ];
    integers.map(|integer| {
        let beside = r.int(AluKind::Or, integer, word(BITS));
        r.add(beside, number(-f32::from_bits(BITS)))
    })
}

/// Returns the product modulo 2^32: the sum of the products of parts that reach below bit 32, by
/// weight. Signs are irrelevant modulo 2^32.
pub(super) fn mul(r: &mut ItemBuilder, x: &[Operand]) -> Vec<Value> {
    let [a, b] = [parts(r, &x[0]), parts(r, &x[1])];
    let low = r.mul(a[0], b[0]);
    let middle = r.mul(a[1], b[0]);
    let middle = r.fma(a[0], b[1], middle);
    let high = r.mul(a[2], b[0]);
    let high = r.fma(a[1], b[1], high);
    let high = r.fma(a[0], b[2], high);
    let mut sum = r.float(AluKind::Ftoi, &[low.into()]);
    for (part, weight) in [(middle, PART), (high, 2 * PART)] {
        let integer = r.float(AluKind::Ftoi, &[part.into()]);
        let shifted = r.int(AluKind::Lsl, integer, word(weight));
        sum = r.int(AluKind::Add, sum, shifted);
    }
    vec![sum]
}
