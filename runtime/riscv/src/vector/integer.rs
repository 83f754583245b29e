//! Integer operations on one element.

use super::config::Config;
use crate::alu::{mulh, mulhsu, mulhu};
use crate::table::Op;

/// The operands of one element, zero-extended.
#[derive(Clone, Copy, Debug)]
pub(super) struct Element {
    /// The element of vs2.
    pub(super) a: u32,
    /// The element of vs1, or its replacement.
    pub(super) b: u32,
    /// The old element of vd.
    pub(super) d: u32,
    /// The carry, or the selecting mask bit.
    pub(super) bit: bool,
}

/// Sign-extends the low `bits` of a value.
pub(super) fn signed(value: u32, bits: u32) -> i64 {
    i64::from((value << (32 - bits)) as i32 >> (32 - bits))
}

/// Zero-extends the low `bits` of a value.
pub(super) fn unsigned(value: u32, bits: u32) -> i64 {
    i64::from(value << (32 - bits) >> (32 - bits))
}

/// Returns the vector form of an instruction with an immediate.
pub(super) fn without_immediate(op: Op) -> Op {
    use Op::*;
    match op {
        VaddI => Vadd,
        VandI => Vand,
        VorI => Vor,
        VxorI => Vxor,
        VrgatherI => Vrgather,
        VadcI => Vadc,
        VmadcMI => VmadcM,
        VmadcI => Vmadc,
        VmergeI | Vfmerge => Vmerge,
        VmvI | VfmvVF => VmvV,
        VmseqI => Vmseq,
        VmsneI => Vmsne,
        VmsleuI => Vmsleu,
        VmsleI => Vmsle,
        VmsgtuI => Vmsgtu,
        VmsgtI => Vmsgt,
        VsadduI => Vsaddu,
        VsaddI => Vsadd,
        VsllI => Vsll,
        VsrlI => Vsrl,
        VsraI => Vsra,
        VssrlI => Vssrl,
        VssraI => Vssra,
        VnsrlI => Vnsrl,
        VnsraI => Vnsra,
        VnclipuI => Vnclipu,
        VnclipI => Vnclip,
        VrsubI => Vrsub,
        VslideupI => Vslideup,
        VslidedownI => Vslidedown,
        Vfslide1up => Vslide1up,
        Vfslide1down => Vslide1down,
        VfmvSF => VmvSX,
        VfmvFS => VmvXS,
        _ => op,
    }
}

/// Rounds away the low bits of a value as `vxrm` selects: nearest with ties up, nearest with ties
/// to even, down, or to odd.
fn rounded(value: i64, drop: u32, mode: u32) -> i64 {
    if drop == 0 {
        return value;
    }
    let bit = |k: u32| value >> k & 1;
    let below = |k: u32| value & ((1 << k) - 1) != 0;
    let up = match mode {
        0 => bit(drop - 1),
        1 => bit(drop - 1) & i64::from(below(drop - 1) || bit(drop) != 0),
        2 => 0,
        _ => i64::from(bit(drop) == 0 && below(drop)),
    };
    (value >> drop) + up
}

/// Saturates a value; returns whether it was out of bounds.
fn saturated(value: i64, bounds: (i64, i64)) -> (u32, bool) {
    let (least, most) = bounds;
    let kept = value.clamp(least, most);
    (kept as u32, kept != value)
}

fn signed_bounds(bits: u32) -> (i64, i64) {
    (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
}

fn unsigned_bounds(bits: u32) -> (i64, i64) {
    (0, (1 << bits) - 1)
}

/// Executes a fixed-point operation; returns the result and whether it was saturated. `None` for
/// any other operation.
pub(super) fn execute_fixed_point(
    op: Op,
    config: &Config,
    element: &Element,
) -> Option<(u32, bool)> {
    let Element { a, b, .. } = *element;
    let (bits, mode) = (config.sew, config.rounding);
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let (ua, ub) = (unsigned(a, bits), unsigned(b, bits));
    let shift = b & (bits - 1);
    let wide_shift = b & (2 * bits - 1);
    Some(match op {
        Op::Vsaddu => saturated(ua + ub, unsigned_bounds(bits)),
        Op::Vsadd => saturated(sa + sb, signed_bounds(bits)),
        Op::Vssubu => saturated(ua - ub, unsigned_bounds(bits)),
        Op::Vssub => saturated(sa - sb, signed_bounds(bits)),
        Op::Vaaddu => (rounded(ua + ub, 1, mode) as u32, false),
        Op::Vaadd => (rounded(sa + sb, 1, mode) as u32, false),
        Op::Vasubu => (rounded(ua - ub, 1, mode) as u32, false),
        Op::Vasub => (rounded(sa - sb, 1, mode) as u32, false),
        Op::Vsmul => saturated(rounded(sa * sb, bits - 1, mode), signed_bounds(bits)),
        Op::Vssrl => (rounded(ua, shift, mode) as u32, false),
        Op::Vssra => (rounded(sa, shift, mode) as u32, false),
        Op::Vnclipu => saturated(
            rounded(unsigned(a, 2 * bits), wide_shift, mode),
            unsigned_bounds(bits),
        ),
        Op::Vnclip => saturated(
            rounded(signed(a, 2 * bits), wide_shift, mode),
            signed_bounds(bits),
        ),
        _ => return None,
    })
}

/// Returns the upper half of a product.
fn high(op: Op, a: u32, b: u32, bits: u32) -> u32 {
    if bits == 32 {
        return match op {
            Op::Vmulhu => mulhu(a, b),
            Op::Vmulh => mulh(a, b),
            _ => mulhsu(a, b),
        };
    }
    let product = match op {
        Op::Vmulhu => unsigned(a, bits) * unsigned(b, bits),
        Op::Vmulh => signed(a, bits) * signed(b, bits),
        _ => signed(a, bits) * unsigned(b, bits),
    };
    (product >> bits) as u32
}

/// Executes a plain operation; `None` for any other. The result is in the low bits.
pub(super) fn execute_plain(op: Op, config: &Config, element: &Element) -> Option<u32> {
    let Element { a, b, d, bit } = *element;
    let bits = config.sew;
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let (ua, ub) = (unsigned(a, bits), unsigned(b, bits));
    let carry = u32::from(bit);
    let shift = b & (bits - 1);
    let wide = |value: i64| value as u32;
    Some(match op {
        Op::Vadd => a.wrapping_add(b),
        Op::Vsub => a.wrapping_sub(b),
        Op::Vrsub => b.wrapping_sub(a),
        Op::Vadc => a.wrapping_add(b).wrapping_add(carry),
        Op::Vsbc => a.wrapping_sub(b).wrapping_sub(carry),
        Op::Vminu => wide(ua.min(ub)),
        Op::Vmaxu => wide(ua.max(ub)),
        Op::Vmin => wide(sa.min(sb)),
        Op::Vmax => wide(sa.max(sb)),
        Op::Vand => a & b,
        Op::Vor => a | b,
        Op::Vxor => a ^ b,
        Op::Vmerge if !bit => a,
        Op::Vmerge | Op::VmvV => b,
        Op::Vsll => a << shift,
        Op::Vsrl => wide(ua >> shift),
        Op::Vsra => wide(sa >> shift),
        Op::Vnsrl => wide(unsigned(a, 2 * bits) >> (b & (2 * bits - 1))),
        Op::Vnsra => wide(signed(a, 2 * bits) >> (b & (2 * bits - 1))),
        Op::Vmul => a.wrapping_mul(b),
        Op::Vmulhu | Op::Vmulh | Op::Vmulhsu => high(op, a, b, bits),
        Op::Vmacc => d.wrapping_add(a.wrapping_mul(b)),
        Op::Vnmsac => d.wrapping_sub(a.wrapping_mul(b)),
        Op::Vmadd => a.wrapping_add(d.wrapping_mul(b)),
        Op::Vnmsub => a.wrapping_sub(d.wrapping_mul(b)),
        Op::Vwaddu => wide(ua + ub),
        Op::Vwadd => wide(sa + sb),
        Op::Vwsubu => wide(ua - ub),
        Op::Vwsub => wide(sa - sb),
        Op::VwadduW => a.wrapping_add(wide(ub)),
        Op::VwaddW => a.wrapping_add(wide(sb)),
        Op::VwsubuW => a.wrapping_sub(wide(ub)),
        Op::VwsubW => a.wrapping_sub(wide(sb)),
        Op::Vwmulu => wide(ua * ub),
        Op::Vwmul => wide(sa * sb),
        Op::Vwmulsu => wide(sa * ub),
        Op::Vwmaccu => d.wrapping_add(wide(ua * ub)),
        Op::Vwmacc => d.wrapping_add(wide(sa * sb)),
        // The first factor is vs1.
        Op::Vwmaccsu => d.wrapping_add(wide(sb * ua)),
        Op::Vwmaccus => d.wrapping_add(wide(ub * sa)),
        Op::VzextVf2 | Op::VzextVf4 => a,
        Op::VsextVf2 => wide(signed(a, bits / 2)),
        Op::VsextVf4 => wide(signed(a, bits / 4)),
        _ => return None,
    })
}

/// Executes a comparison or carry; `None` for any other operation.
pub(super) fn execute_compare(op: Op, bits: u32, element: &Element) -> Option<bool> {
    let Element { a, b, bit, .. } = *element;
    let (sa, sb) = (signed(a, bits), signed(b, bits));
    let (ua, ub) = (unsigned(a, bits), unsigned(b, bits));
    let carry = i64::from(bit);
    Some(match op {
        Op::Vmseq => ua == ub,
        Op::Vmsne => ua != ub,
        Op::Vmsltu => ua < ub,
        Op::Vmslt => sa < sb,
        Op::Vmsleu => ua <= ub,
        Op::Vmsle => sa <= sb,
        Op::Vmsgtu => ua > ub,
        Op::Vmsgt => sa > sb,
        Op::Vmadc => (ua + ub) >> bits != 0,
        Op::VmadcM => (ua + ub + carry) >> bits != 0,
        Op::Vmsbc => ua < ub,
        Op::VmsbcM => ua < ub + carry,
        _ => return None,
    })
}
