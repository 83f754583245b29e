//! The semantics of each vector instruction: how it is executed, and what it computes.
//!
//! The table is built at compile time. A vector instruction without semantics is a compile error.

use super::config::{Config, VectorError};
use super::float::{self, NEAREST, SIGN};
use super::integer::{
    high_product, rounded, saturated, signed, signed_bounds, unsigned, unsigned_bounds, Element,
};
use super::permute::Permutation;
use crate::float::{SIGNED, SINGLE, UNSIGNED};
use crate::isa::Extension;
use crate::table::{Format, Op, ROWS};

/// How an instruction is executed.
#[derive(Clone, Copy)]
pub(super) enum Semantics {
    /// Element 0 of vs2 goes to a scalar register.
    MoveToScalar,
    /// A scalar goes to element 0.
    MoveFromScalar,
    /// Copies whole registers, whatever the type.
    CopyRegisters,
    /// Counts the set bits of a mask.
    Count,
    /// The index of the first set bit of a mask.
    First,
    /// Sets the bits for whose index and that of the first set bit this holds.
    UpToFirst(fn(u32, u32) -> bool),
    /// Numbers the elements.
    Index,
    /// Counts the set bits before each element.
    CountBefore,
    /// Packs the elements that a mask selects.
    Compress,
    /// Moves elements to other positions.
    Permute(Permutation),
    /// Combines all elements; wide results have twice the width.
    Reduce { wide: bool, combine: Combine },
    /// Combines all elements in their order.
    ReduceFloats(Number),
    /// Adds all elements in an undocumented order.
    ReduceUnordered,
    /// Computes each bit of a mask from those of two others.
    Mask(fn(bool, bool) -> bool),
    /// Compares elements, given the width; the result is a mask.
    Compare(fn(u32, &Element) -> bool),
    /// Compares floats; the result is a mask.
    CompareFloats(fn(u32, u32) -> bool),
    /// Computes each element.
    Number(Number),
}

/// Combines a partial result with an element, given the width of the elements.
pub(super) type Combine = fn(u32, u32, u32) -> u32;

/// What an element of the result is.
#[derive(Clone, Copy)]
pub(super) enum Number {
    /// An integer in the low bits, given the width.
    Integer(fn(u32, &Element) -> u32),
    /// A fixed-point number, and whether it was saturated.
    FixedPoint(fn(&Config, &Element) -> (u32, bool)),
    /// The first value times the second plus the third.
    MultiplyAdd(fn(&Element) -> [u32; 3]),
    /// Another operation on floats, given the width, that may raise flags.
    Float(fn(u32, &Element) -> Result<u32, VectorError>),
    /// An operation on floats that raises no flags.
    MoveFloat(fn(u32, u32) -> u32),
}

/// The semantics by the numbers of the operations; `None` for those that this folder does not
/// execute: of scalars, loads and stores, and changes of the type.
static TABLE: [Option<Semantics>; ROWS.len()] = {
    let mut table = [None; ROWS.len()];
    let mut at = 0;
    while at < ROWS.len() {
        table[at] = semantics(ROWS[at].op);
        assert!(
            table[at].is_some() == is_executed_here(at),
            "a vector instruction has no semantics"
        );
        at += 1;
    }
    table
};

/// Returns the semantics of an instruction, if it is one of vectors other than a load or store or a
/// change of the type.
pub(super) fn of(op: Op) -> Option<&'static Semantics> {
    TABLE[op as usize].as_ref()
}

/// Returns whether the instruction in a row computes with vectors.
const fn is_executed_here(at: usize) -> bool {
    let row = &ROWS[at];
    let is_elsewhere = matches!(
        row.format,
        Format::Vsetvli
            | Format::Vsetivli
            | Format::R
            | Format::Vunit
            | Format::Vstrided
            | Format::Vindexed
            | Format::Vwhole
    );
    matches!(row.extension, Extension::V) && !is_elsewhere
}

/// Returns the semantics of an instruction.
const fn semantics(op: Op) -> Option<Semantics> {
    if let Some(number) = integer(op) {
        return Some(Semantics::Number(Number::Integer(number)));
    }
    if let Some(number) = fixed_point(op) {
        return Some(Semantics::Number(Number::FixedPoint(number)));
    }
    if let Some(number) = float_number(op) {
        return Some(Semantics::Number(number));
    }
    if let Some(compare) = compare(op) {
        return Some(Semantics::Compare(compare));
    }
    if let Some(reduce) = reduction(op) {
        return Some(reduce);
    }
    use Semantics::{
        CompareFloats, Compress, CopyRegisters, Count, CountBefore, First, Index, Mask,
        MoveFromScalar, MoveToScalar, Permute, UpToFirst,
    };
    Some(match op {
        Op::VmvXS | Op::VfmvFS => MoveToScalar,
        Op::VmvSX | Op::VfmvSF => MoveFromScalar,
        Op::Vmv1r | Op::Vmv2r | Op::Vmv4r | Op::Vmv8r => CopyRegisters,
        Op::Vcpop => Count,
        Op::Vfirst => First,
        Op::Vmsbf => UpToFirst(|k, first| k < first),
        Op::Vmsif => UpToFirst(|k, first| k <= first),
        Op::Vmsof => UpToFirst(|k, first| k == first),
        Op::Vid => Index,
        Op::Viota => CountBefore,
        Op::Vcompress => Compress,
        Op::Vslideup | Op::VslideupI => Permute(Permutation::Up),
        Op::Vslidedown | Op::VslidedownI => Permute(Permutation::Down),
        Op::Vslide1up | Op::Vfslide1up => Permute(Permutation::UpByOne),
        Op::Vslide1down | Op::Vfslide1down => Permute(Permutation::DownByOne),
        Op::Vrgather | Op::VrgatherI => Permute(Permutation::Gather),
        Op::Vrgatherei16 => Permute(Permutation::GatherByHalves),
        Op::Vmand => Mask(|a, b| a && b),
        Op::Vmnand => Mask(|a, b| !(a && b)),
        Op::Vmandn => Mask(|a, b| a && !b),
        Op::Vmor => Mask(|a, b| a || b),
        Op::Vmnor => Mask(|a, b| !(a || b)),
        Op::Vmorn => Mask(|a, b| a || !b),
        Op::Vmxor => Mask(|a, b| a != b),
        Op::Vmxnor => Mask(|a, b| a == b),
        Op::Vmfeq => CompareFloats(|a, b| SINGLE.is_equal(a, b)),
        Op::Vmfne => CompareFloats(|a, b| !SINGLE.is_equal(a, b)),
        Op::Vmflt => CompareFloats(|a, b| SINGLE.is_less(a, b)),
        Op::Vmfgt => CompareFloats(|a, b| SINGLE.is_less(b, a)),
        Op::Vmfle => CompareFloats(|a, b| SINGLE.is_less(a, b) || SINGLE.is_equal(a, b)),
        Op::Vmfge => CompareFloats(|a, b| SINGLE.is_less(b, a) || SINGLE.is_equal(a, b)),
        _ => return None,
    })
}

/// Returns the result of an operation on integers. The result is in the low bits.
const fn integer(op: Op) -> Option<fn(u32, &Element) -> u32> {
    Some(match op {
        Op::Vadd | Op::VaddI => |_, e| e.a.wrapping_add(e.b),
        Op::Vsub => |_, e| e.a.wrapping_sub(e.b),
        Op::Vrsub | Op::VrsubI => |_, e| e.b.wrapping_sub(e.a),
        Op::Vadc | Op::VadcI => |_, e| e.a.wrapping_add(e.b).wrapping_add(e.bit.into()),
        Op::Vsbc => |_, e| e.a.wrapping_sub(e.b).wrapping_sub(e.bit.into()),
        Op::Vminu => |bits, e| e.ua(bits).min(e.ub(bits)) as u32,
        Op::Vmaxu => |bits, e| e.ua(bits).max(e.ub(bits)) as u32,
        Op::Vmin => |bits, e| e.sa(bits).min(e.sb(bits)) as u32,
        Op::Vmax => |bits, e| e.sa(bits).max(e.sb(bits)) as u32,
        Op::Vand | Op::VandI => |_, e| e.a & e.b,
        Op::Vor | Op::VorI => |_, e| e.a | e.b,
        Op::Vxor | Op::VxorI => |_, e| e.a ^ e.b,
        Op::Vmerge | Op::VmergeI | Op::Vfmerge => |_, e| if e.bit { e.b } else { e.a },
        Op::VmvV | Op::VmvI | Op::VfmvVF => |_, e| e.b,
        Op::Vsll | Op::VsllI => |bits, e| e.a << e.shift(bits),
        Op::Vsrl | Op::VsrlI => |bits, e| (e.ua(bits) >> e.shift(bits)) as u32,
        Op::Vsra | Op::VsraI => |bits, e| (e.sa(bits) >> e.shift(bits)) as u32,
        Op::Vnsrl | Op::VnsrlI => |bits, e| (e.ua(2 * bits) >> e.shift(2 * bits)) as u32,
        Op::Vnsra | Op::VnsraI => |bits, e| (e.sa(2 * bits) >> e.shift(2 * bits)) as u32,
        Op::Vmul => |_, e| e.a.wrapping_mul(e.b),
        Op::Vmulhu => |bits, e| high_product(bits, e.ua(bits), e.ub(bits)),
        Op::Vmulh => |bits, e| high_product(bits, e.sa(bits), e.sb(bits)),
        Op::Vmulhsu => |bits, e| high_product(bits, e.sa(bits), e.ub(bits)),
        Op::Vmacc => |_, e| e.d.wrapping_add(e.a.wrapping_mul(e.b)),
        Op::Vnmsac => |_, e| e.d.wrapping_sub(e.a.wrapping_mul(e.b)),
        Op::Vmadd => |_, e| e.a.wrapping_add(e.d.wrapping_mul(e.b)),
        Op::Vnmsub => |_, e| e.a.wrapping_sub(e.d.wrapping_mul(e.b)),
        Op::Vwaddu => |bits, e| (e.ua(bits) + e.ub(bits)) as u32,
        Op::Vwadd => |bits, e| (e.sa(bits) + e.sb(bits)) as u32,
        Op::Vwsubu => |bits, e| (e.ua(bits) - e.ub(bits)) as u32,
        Op::Vwsub => |bits, e| (e.sa(bits) - e.sb(bits)) as u32,
        Op::VwadduW => |bits, e| e.a.wrapping_add(e.ub(bits) as u32),
        Op::VwaddW => |bits, e| e.a.wrapping_add(e.sb(bits) as u32),
        Op::VwsubuW => |bits, e| e.a.wrapping_sub(e.ub(bits) as u32),
        Op::VwsubW => |bits, e| e.a.wrapping_sub(e.sb(bits) as u32),
        Op::Vwmulu => |bits, e| (e.ua(bits) * e.ub(bits)) as u32,
        Op::Vwmul => |bits, e| (e.sa(bits) * e.sb(bits)) as u32,
        Op::Vwmulsu => |bits, e| (e.sa(bits) * e.ub(bits)) as u32,
        Op::Vwmaccu => |bits, e| e.d.wrapping_add((e.ua(bits) * e.ub(bits)) as u32),
        Op::Vwmacc => |bits, e| e.d.wrapping_add((e.sa(bits) * e.sb(bits)) as u32),
        // The first factor is vs1.
        Op::Vwmaccsu => |bits, e| e.d.wrapping_add((e.sb(bits) * e.ua(bits)) as u32),
        Op::Vwmaccus => |bits, e| e.d.wrapping_add((e.ub(bits) * e.sa(bits)) as u32),
        Op::VzextVf2 | Op::VzextVf4 => |_, e| e.a,
        Op::VsextVf2 => |bits, e| e.sa(bits / 2) as u32,
        Op::VsextVf4 => |bits, e| e.sa(bits / 4) as u32,
        _ => return None,
    })
}

/// Returns the result of a fixed-point operation, and whether it is saturated.
const fn fixed_point(op: Op) -> Option<fn(&Config, &Element) -> (u32, bool)> {
    Some(match op {
        Op::Vsaddu | Op::VsadduI => {
            |c, e| saturated(e.ua(c.sew) + e.ub(c.sew), unsigned_bounds(c.sew))
        }
        Op::Vsadd | Op::VsaddI => |c, e| saturated(e.sa(c.sew) + e.sb(c.sew), signed_bounds(c.sew)),
        Op::Vssubu => |c, e| saturated(e.ua(c.sew) - e.ub(c.sew), unsigned_bounds(c.sew)),
        Op::Vssub => |c, e| saturated(e.sa(c.sew) - e.sb(c.sew), signed_bounds(c.sew)),
        Op::Vaaddu => |c, e| {
            (
                rounded(e.ua(c.sew) + e.ub(c.sew), 1, c.rounding) as u32,
                false,
            )
        },
        Op::Vaadd => |c, e| {
            (
                rounded(e.sa(c.sew) + e.sb(c.sew), 1, c.rounding) as u32,
                false,
            )
        },
        Op::Vasubu => |c, e| {
            (
                rounded(e.ua(c.sew) - e.ub(c.sew), 1, c.rounding) as u32,
                false,
            )
        },
        Op::Vasub => |c, e| {
            (
                rounded(e.sa(c.sew) - e.sb(c.sew), 1, c.rounding) as u32,
                false,
            )
        },
        Op::Vsmul => |c, e| {
            let product = e.sa(c.sew) * e.sb(c.sew);
            saturated(
                rounded(product, c.sew - 1, c.rounding),
                signed_bounds(c.sew),
            )
        },
        Op::Vssrl | Op::VssrlI => |c, e| {
            (
                rounded(e.ua(c.sew), e.shift(c.sew), c.rounding) as u32,
                false,
            )
        },
        Op::Vssra | Op::VssraI => |c, e| {
            (
                rounded(e.sa(c.sew), e.shift(c.sew), c.rounding) as u32,
                false,
            )
        },
        Op::Vnclipu | Op::VnclipuI => |c, e| {
            let wide = 2 * c.sew;
            let value = rounded(e.ua(wide), e.shift(wide), c.rounding);
            saturated(value, unsigned_bounds(c.sew))
        },
        Op::Vnclip | Op::VnclipI => |c, e| {
            let wide = 2 * c.sew;
            let value = rounded(e.sa(wide), e.shift(wide), c.rounding);
            saturated(value, signed_bounds(c.sew))
        },
        _ => return None,
    })
}

/// Returns the result of an operation on floats.
const fn float_number(op: Op) -> Option<Number> {
    use Number::{Float, MoveFloat, MultiplyAdd};
    const SHORT: (i64, i64) = (-(1 << 15), (1 << 15) - 1);
    const SHORT_UNSIGNED: (i64, i64) = (0, (1 << 16) - 1);
    Some(match op {
        Op::Vfadd => MultiplyAdd(|e| [e.a, SINGLE.one(), e.b]),
        Op::Vfsub => MultiplyAdd(|e| [e.a, SINGLE.one(), e.b ^ SIGN]),
        Op::Vfrsub => MultiplyAdd(|e| [e.b, SINGLE.one(), e.a ^ SIGN]),
        Op::Vfmul => MultiplyAdd(|e| [e.a, e.b, (e.a ^ e.b) & SIGN]),
        Op::Vfmadd => MultiplyAdd(|e| [e.b, e.d, e.a]),
        Op::Vfnmadd => MultiplyAdd(|e| [e.b ^ SIGN, e.d, e.a ^ SIGN]),
        Op::Vfmsub => MultiplyAdd(|e| [e.b, e.d, e.a ^ SIGN]),
        Op::Vfnmsub => MultiplyAdd(|e| [e.b ^ SIGN, e.d, e.a]),
        Op::Vfmacc => MultiplyAdd(|e| [e.b, e.a, e.d]),
        Op::Vfnmacc => MultiplyAdd(|e| [e.b ^ SIGN, e.a, e.d ^ SIGN]),
        Op::Vfmsac => MultiplyAdd(|e| [e.b, e.a, e.d ^ SIGN]),
        Op::Vfnmsac => MultiplyAdd(|e| [e.b ^ SIGN, e.a, e.d]),
        Op::Vfmin => Float(|_, e| Ok(SINGLE.min(e.a, e.b))),
        Op::Vfmax => Float(|_, e| Ok(SINGLE.max(e.a, e.b))),
        Op::Vfsgnj => MoveFloat(|a, b| SINGLE.with_sign(a, b)),
        Op::Vfsgnjn => MoveFloat(|a, b| SINGLE.with_other_sign(a, b)),
        Op::Vfsgnjx => MoveFloat(|a, b| SINGLE.with_product_of_signs(a, b)),
        Op::Vfclass => MoveFloat(|a, _| SINGLE.class(a)),
        Op::VfcvtXuF => Float(|_, e| Ok(float::nearest(e.a, UNSIGNED))),
        Op::VfcvtXF => Float(|_, e| Ok(float::nearest(e.a, SIGNED))),
        Op::VfncvtXuF => Float(|_, e| Ok(float::nearest(e.a, SHORT_UNSIGNED))),
        Op::VfncvtXF => Float(|_, e| Ok(float::nearest(e.a, SHORT))),
        Op::VfcvtRtzXuF => Float(|_, e| float::truncated(e.a, UNSIGNED)),
        Op::VfcvtRtzXF => Float(|_, e| float::truncated(e.a, SIGNED)),
        Op::VfncvtRtzXuF => Float(|_, e| float::truncated(e.a, SHORT_UNSIGNED)),
        Op::VfncvtRtzXF => Float(|_, e| float::truncated(e.a, SHORT)),
        Op::VfcvtFXu | Op::VfwcvtFXu => {
            Float(|bits, e| Ok(SINGLE.convert_integer(e.ua(bits), NEAREST)))
        }
        Op::VfcvtFX | Op::VfwcvtFX => {
            Float(|bits, e| Ok(SINGLE.convert_integer(e.sa(bits), NEAREST)))
        }
        _ => return None,
    })
}

/// Returns the result of a comparison of integers, or of a carry.
const fn compare(op: Op) -> Option<fn(u32, &Element) -> bool> {
    Some(match op {
        Op::Vmseq | Op::VmseqI => |bits, e| e.ua(bits) == e.ub(bits),
        Op::Vmsne | Op::VmsneI => |bits, e| e.ua(bits) != e.ub(bits),
        Op::Vmsltu => |bits, e| e.ua(bits) < e.ub(bits),
        Op::Vmslt => |bits, e| e.sa(bits) < e.sb(bits),
        Op::Vmsleu | Op::VmsleuI => |bits, e| e.ua(bits) <= e.ub(bits),
        Op::Vmsle | Op::VmsleI => |bits, e| e.sa(bits) <= e.sb(bits),
        Op::Vmsgtu | Op::VmsgtuI => |bits, e| e.ua(bits) > e.ub(bits),
        Op::Vmsgt | Op::VmsgtI => |bits, e| e.sa(bits) > e.sb(bits),
        Op::Vmadc | Op::VmadcI => |bits, e| (e.ua(bits) + e.ub(bits)) >> bits != 0,
        Op::VmadcM | Op::VmadcMI => {
            |bits, e| (e.ua(bits) + e.ub(bits) + i64::from(e.bit)) >> bits != 0
        }
        Op::Vmsbc => |bits, e| e.ua(bits) < e.ub(bits),
        Op::VmsbcM => |bits, e| e.ua(bits) < e.ub(bits) + i64::from(e.bit),
        _ => return None,
    })
}

/// Returns the semantics of a reduction.
const fn reduction(op: Op) -> Option<Semantics> {
    Some(match op {
        Op::Vredsum => reduce(false, |_, sum, a| sum.wrapping_add(a)),
        Op::Vredand => reduce(false, |_, sum, a| sum & a),
        Op::Vredor => reduce(false, |_, sum, a| sum | a),
        Op::Vredxor => reduce(false, |_, sum, a| sum ^ a),
        Op::Vredminu => reduce(false, |_, sum, a| sum.min(a)),
        Op::Vredmaxu => reduce(false, |_, sum, a| sum.max(a)),
        Op::Vredmin => reduce(false, |bits, sum, a| {
            signed(sum, bits).min(signed(a, bits)) as u32
        }),
        Op::Vredmax => reduce(false, |bits, sum, a| {
            signed(sum, bits).max(signed(a, bits)) as u32
        }),
        Op::Vwredsumu => reduce(true, |bits, sum, a| {
            sum.wrapping_add(unsigned(a, bits) as u32)
        }),
        Op::Vwredsum => reduce(true, |bits, sum, a| {
            sum.wrapping_add(signed(a, bits) as u32)
        }),
        Op::Vfredusum => Semantics::ReduceUnordered,
        Op::Vfredosum => return reduce_floats(Op::Vfadd),
        Op::Vfredmin => return reduce_floats(Op::Vfmin),
        Op::Vfredmax => return reduce_floats(Op::Vfmax),
        _ => return None,
    })
}

/// Returns the reduction that combines floats by an operation on two of them.
const fn reduce_floats(op: Op) -> Option<Semantics> {
    match float_number(op) {
        Some(number) => Some(Semantics::ReduceFloats(number)),
        None => None,
    }
}

const fn reduce(wide: bool, combine: Combine) -> Semantics {
    Semantics::Reduce { wide, combine }
}
