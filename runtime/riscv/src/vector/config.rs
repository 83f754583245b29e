//! Vector length and type.

use std::fmt;

/// Bits of a vector register.
pub(crate) const VLEN: u32 = 128;
/// Bits of the largest element.
pub(crate) const ELEN: u32 = 32;

/// Why a vector instruction cannot be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VectorError {
    /// The vector type has not been set, by `vsetvli` or similar or by a write of the control
    /// registers.
    #[error("no instruction has set vl and vtype before; begin with a vsetvli")]
    NotConfigured,
    /// The type is reserved, or needs larger elements.
    #[error(
        "vtype {0:#x} is reserved, or for longer elements than T2 has; use e8, e16 or e32 with an \
         LMUL that holds one"
    )]
    Type(u32),
    /// `vl` exceeds the capacity of the type.
    #[error("vl is {0}, but vtype has room for {1} elements; set both by one vsetvli")]
    Length(u32, u32),
    /// `vsetvli x0, x0` with a type of a different capacity.
    #[error("keeps vl while the room for elements changes, which is reserved; name a length")]
    KeptLength,
    /// Unsupported widths, registers that are not a group, or groups that must not overlap.
    #[error("{0}, which is reserved")]
    Reserved(&'static str),
    /// The chip's result is unknown.
    #[error("not modelled: {0}")]
    NotModelled(&'static str),
}

/// A value of `vtype`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Vtype(pub(crate) u32);

impl Vtype {
    /// Returns the bits of an element, and the binary logarithm of the registers per group (LMUL).
    pub(crate) fn shape(self) -> Result<(u32, i32), VectorError> {
        let lmul = (self.0 & 7) as i32;
        let lmul = if lmul > 3 { lmul - 8 } else { lmul };
        let sew = 8 << (self.0 >> 3 & 7);
        // A fractional group must hold an element of the width ELEN times the fraction.
        let is_short = lmul < 0 && sew > ELEN >> -lmul;
        match self.0 < 0x100 && lmul != -4 && sew <= ELEN && !is_short {
            true => Ok((sew, lmul)),
            false => Err(VectorError::Type(self.0)),
        }
    }

    /// Returns the number of elements of a group.
    pub(crate) fn room(self) -> Result<u32, VectorError> {
        let (sew, lmul) = self.shape()?;
        Ok(scaled(VLEN / sew, lmul))
    }
}

/// Returns `value · 2^by`.
pub(super) fn scaled(value: u32, by: i32) -> u32 {
    match by {
        0.. => value << by,
        _ => value >> -by,
    }
}

impl fmt::Display for Vtype {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ok((sew, lmul)) = self.shape() else {
            return write!(f, "{:#x}", self.0);
        };
        let group = match lmul {
            0.. => format!("m{}", 1 << lmul),
            _ => format!("mf{}", 1 << -lmul),
        };
        let agnostic = |bit: u32, letter: char| match self.0 >> bit & 1 {
            0 => format!("{letter}u"),
            _ => format!("{letter}a"),
        };
        let (tail, mask) = (agnostic(6, 't'), agnostic(7, 'm'));
        write!(f, "e{sew}, {group}, {tail}, {mask}")
    }
}

/// The configuration of vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Config {
    /// Bits of an element.
    pub(crate) sew: u32,
    /// The binary logarithm of the registers per group (LMUL).
    pub(crate) lmul: i32,
    /// The number of elements to be processed.
    pub(crate) vl: u32,
    /// The rounding mode of fixed-point instructions (`vxrm`).
    pub(crate) rounding: u32,
}

impl Config {
    pub(crate) fn new(vtype: Vtype, vl: u32, rounding: u32) -> Result<Self, VectorError> {
        let (sew, lmul) = vtype.shape()?;
        let room = vtype.room()?;
        if vl > room {
            return Err(VectorError::Length(vl, room));
        }
        Ok(Config {
            sew,
            lmul,
            vl,
            rounding,
        })
    }

    /// Returns the number of elements of a group.
    pub(crate) fn room(&self) -> u32 {
        scaled(VLEN / self.sew, self.lmul)
    }
}
