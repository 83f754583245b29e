//! Vectors of Blackhole's T2: registers of 16 bytes, elements of 8, 16 and 32 bits.
//!
//! Source: Tensix ISA documentation, `BlackholeA0/TensixTile/BabyRISCV/InstructionSet.md` and
//! `CSRs.md`; where they are silent, the specification (V 1.0). According to the pages `vstart` is
//! always 0, `vtype` has no `vill`, inactive and tail elements are undisturbed, floats are rounded
//! to nearest, and there is no division, square root or reciprocal.
//!
//! Implementation-defined choices: `vl` is the minimum of the requested length and the capacity.
//! Fault-only-first loads trap at a fault like other loads.
//!
//! Checked, because the chip's behaviour is undocumented: reserved lengths and types; groups of
//! registers that are misaligned, overlap illegally, or are read with two widths. Refused:
//! unordered float sums, whose order is undocumented; truncating conversions where rounding to
//! nearest differs, because the chip might ignore that rounding mode, too; 16-bit floats, which V
//! 1.0 does not have.
//!
//! * [`shape`]: the registers and widths of an instruction.
//! * [`semantics`]: what each instruction computes; the table is total.
//! * [`lanes`]: execution; [`integer`], [`float`]: numbers of an element's width.
//! * [`mask`], [`reduce`], [`permute`]: operations across elements.

mod config;
mod float;
mod integer;
mod lanes;
mod mask;
mod permute;
mod reduce;
mod registers;
mod semantics;
mod shape;

pub use config::VectorError;
pub(crate) use config::{Config, Vtype};
pub(crate) use lanes::{execute, Scalars};
pub(crate) use registers::Registers;
pub(crate) use shape::{memory, touched, Access, Fields, Step};
