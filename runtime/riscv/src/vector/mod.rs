//! Vectors, as T2 of Blackhole has them: registers of 16 bytes, elements of 8, 16 and 32 bits.
//!
//! Source: Tensix ISA documentation, `BlackholeA0/TensixTile/BabyRISCV/InstructionSet.md` and
//! `CSRs.md`; where they are silent, the specification (V 1.0). By the pages `vstart` is always 0,
//! `vtype` has no `vill`, elements that are masked off or past the end always stay, rounding of
//! floats is always to the nearest, and there is no division, square root or reciprocal.
//!
//! Chosen where the specification leaves a choice: `vl` is the smaller one of what is asked for and
//! what there is room for. Loads that end at the first fault do not end there, as a core that
//! faults stops.
//!
//! Checked: what the specification reserves, as no page says what the chip does then: lengths and
//! types that there are not, groups of registers that begin or end where they must not, that
//! overlap where they must not, or that are read with two widths. Refused: sums of floats in any
//! order, whose order no page gives; conversions that are to truncate, where that is not what
//! rounding to the nearest gives, as it is not said whether that bit of the rounding is ignored,
//! too; floats of 16 bits, which V 1.0 does not have.
//!
//! * [`shape`]: which registers an instruction reads and writes, and with what widths.
//! * [`integer`], [`float`]: what becomes of one element; [`lanes`]: of all of them.
//! * [`mask`], [`reduce`], [`permute`]: what is not element by element.

mod config;
mod float;
mod integer;
mod lanes;
mod mask;
mod permute;
mod reduce;
mod registers;
mod shape;

pub use config::VectorError;
pub(crate) use config::{Config, Vtype};
pub(crate) use lanes::{execute, Scalars};
pub(crate) use registers::Registers;
pub(crate) use shape::{memory, touched, Access, Fields, Step};
