//! The operands of one element, and integers of its width.

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

impl Element {
    /// Returns the element of vs2, sign-extended from its low `bits`.
    pub(super) fn sa(&self, bits: u32) -> i64 {
        signed(self.a, bits)
    }

    /// Returns the element of vs1, sign-extended.
    pub(super) fn sb(&self, bits: u32) -> i64 {
        signed(self.b, bits)
    }

    /// Returns the element of vs2, zero-extended.
    pub(super) fn ua(&self, bits: u32) -> i64 {
        unsigned(self.a, bits)
    }

    /// Returns the element of vs1, zero-extended.
    pub(super) fn ub(&self, bits: u32) -> i64 {
        unsigned(self.b, bits)
    }

    /// Returns the shift amount for elements of `bits` bits.
    pub(super) fn shift(&self, bits: u32) -> u32 {
        self.b & (bits - 1)
    }
}

/// Rounds away the low bits of a value as `vxrm` selects: nearest with ties up, nearest with ties
/// to even, down, or to odd.
pub(super) fn rounded(value: i64, drop: u32, mode: u32) -> i64 {
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
pub(super) fn saturated(value: i64, bounds: (i64, i64)) -> (u32, bool) {
    let (least, most) = bounds;
    let kept = value.clamp(least, most);
    (kept as u32, kept != value)
}

pub(super) fn signed_bounds(bits: u32) -> (i64, i64) {
    (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
}

pub(super) fn unsigned_bounds(bits: u32) -> (i64, i64) {
    (0, (1 << bits) - 1)
}

/// Returns the upper half of a product of numbers of `bits` bits.
pub(super) fn high_product(bits: u32, a: i64, b: i64) -> u32 {
    ((i128::from(a) * i128::from(b)) >> bits) as u32
}
