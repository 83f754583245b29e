//! Exponent histograms.
//!
//! Source: ISA documentation, `Packers/ExponentHistogram.md`. The page does not specify how INT8
//! datums count; reading a histogram that includes some is refused.

use crate::arith::spec::packer::{exponent5, exponent8, DatumKind};
use crate::trap::Fault;

const BINS: usize = 32;

/// The histogram of one packer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    bins: [u8; BINS],
    greatest: u8,
    /// Whether 8-bit integers were included: in the largest exponent, in the bins.
    unspecified: [bool; 2],
}

impl Histogram {
    /// Adds a row of datums; `counts` tells whether the bins are enabled.
    pub(crate) fn update(&mut self, kind: DatumKind, datums: &[u32], counts: bool) {
        let exponent: fn(u32) -> u32 = match kind {
            DatumKind::Exponent8 | DatumKind::Int32 => exponent8,
            DatumKind::Exponent5 => exponent5,
            DatumKind::Int16 => |x| x & 0xFF,
            DatumKind::Int8 => {
                self.unspecified[0] |= !datums.is_empty();
                self.unspecified[1] |= !datums.is_empty() && counts;
                return;
            }
        };
        let greatest = datums
            .iter()
            .fold(0, |greatest, &x| greatest.max(exponent(x)));
        self.greatest = self.greatest.max(greatest as u8);
        if counts {
            for &x in datums {
                let bin = &mut self.bins[exponent(x) as usize % BINS];
                *bin = bin.saturating_add(1);
            }
        }
    }

    /// Adds datums whose largest exponent is known, with bins disabled.
    pub(crate) fn add_greatest(&mut self, kind: DatumKind, exponent: u32) {
        match kind {
            DatumKind::Int8 => self.unspecified[0] = true,
            _ => self.greatest = self.greatest.max(exponent as u8),
        }
    }

    /// Returns the largest exponent since the last reset.
    ///
    /// # Errors
    /// Undefined after 8-bit datums.
    pub fn greatest(&self) -> Result<u8, Fault> {
        self.check(0)?;
        Ok(self.greatest)
    }

    /// Returns the number of exponents per value modulo 32 since the last reset, up to 255.
    ///
    /// # Errors
    /// Undefined after 8-bit datums.
    pub fn bins(&self) -> Result<[u8; BINS], Fault> {
        self.check(1)?;
        Ok(self.bins)
    }

    fn check(&self, what: usize) -> Result<(), Fault> {
        if self.unspecified[what] {
            return Err(Fault::undefined(
                "reads an exponent histogram that INT8 datums have gone into; put CLREXPHIST \
                 after them",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
