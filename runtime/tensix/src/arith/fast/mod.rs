//! The arithmetic of [`super::spec::fpu`] and [`super::spec::sfpu`] on all lanes of rows and
//! vectors at once, in vector instructions of the host.
//!
//! The algorithms are those of the reference, without branches: where the reference branches, both
//! sides are computed and one is selected. Rare cases (an infinity in a multiply-add) are delegated
//! to the reference. Most functions are plain loops compiled once for each [`Level`]. Explicit
//! vector instructions (`vectors`) are used by the multiply-adds of the Vector Unit (`mad`), by the
//! adder of the Matrix Unit (`adder`), by operations on elements (`sum`, `float_sum`), by tables
//! (`lut`), by moves (`moves`, `transfer::direct`), and by sums of products: fused multiply-adds
//! (`fused`) where the exponents permit, integers (`group`) otherwise. The results equal the
//! reference bit by bit; the tests check this on random and special operands at every level of the
//! host.

#![allow(clippy::needless_range_loop)] // A lane indexes several arrays.

/// Defines a function that compiles a generic function for each level and calls the one requested.
macro_rules! for_each_level {
    (
        $(#[$doc:meta])* $name:ident = $body:ident,
        ($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?
    ) => {
        $(#[$doc])*
        #[allow(unsafe_code)]
        #[inline] // A caller then calls the function of its level directly.
        pub fn $name(level: Level, $($argument: $type),*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2,fma,bmi1,bmi2,lzcnt")]
            fn avx2($($argument: $type),*) $(-> $result)? {
                $body::<vectors::Avx2>($($argument),*)
            }

            #[cfg(target_arch = "x86_64")]
            #[target_feature(
                enable = "avx2,fma,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
            )]
            fn avx512($($argument: $type),*) $(-> $result)? {
                $body::<vectors::Avx512>($($argument),*)
            }

            match level.0 {
                Set::Plain => $body::<vectors::Plain>($($argument),*),
                #[cfg(target_arch = "x86_64")]
                // SAFETY: there is such a level only on a processor that has these instructions,
                // see `Level::all`.
                Set::Avx2 => unsafe { avx2($($argument),*) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: as above.
                Set::Avx512 => unsafe { avx512($($argument),*) },
            }
        }
    };
}

mod adder;
mod float_sum;
mod fused;
mod group;
mod lut;
mod mad;
pub mod moves;
pub mod packer;
pub mod pool;
mod product;
pub mod round;
mod sum;
#[cfg(test)]
mod tests;
pub mod transfer;
mod vectors;

pub use fused::{fits, DecodedRowsA, DecodedRowsB, Part, Sums};
pub use lut::{Linear, PIECES};

use super::spec::fpu::{Accumulator, Mode, Operation, Phase, SrcStyle};
use super::spec::sfpu::Arithmetic;
use crate::arith::{Lanes, Row, COLUMNS};

/// The high and low halves of rows of Dst. The low ones are not accessed in 16-bit mode.
pub type Halves<'a> = (&'a mut [[u16; COLUMNS]], &'a mut [[u16; COLUMNS]]);

/// A set of vector instructions that this processor has; other levels cannot be constructed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level(Set);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// Returns the levels of this processor, the widest last.
    pub fn all() -> Vec<Level> {
        #[allow(unused_mut)] // Elsewhere there is one.
        let mut levels = vec![Level(Set::Plain)];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            let avx2 = has!("avx2") && has!("fma") && has!("bmi1") && has!("bmi2") && has!("lzcnt");
            let avx512 = has!("avx512f") && has!("avx512bw") && has!("avx512cd");
            if avx2 {
                levels.push(Level(Set::Avx2));
            }
            if avx2 && avx512 && has!("avx512dq") && has!("avx512vl") {
                levels.push(Level(Set::Avx512));
            }
        }
        levels
    }

    /// Returns whether the level has fused multiply-adds.
    pub fn has_fma(self) -> bool {
        self.0 != Set::Plain
    }

    /// Returns the widest level.
    pub fn best() -> Level {
        Level::all()[Level::all().len() - 1]
    }
}

/// The format and the significand part of decoded operands.
pub type PartFormat = (SrcStyle, Part);

for_each_level! {
    /// Decodes sixteen rows of SrcA as operands.
    decode_a = decode_a_with, (format: PartFormat, rows: &[Row; COLUMNS], a: &mut DecodedRowsA)
}

#[inline(always)]
fn decode_a_with<V: vectors::Vector>(
    format: PartFormat,
    rows: &[Row; COLUMNS],
    a: &mut DecodedRowsA,
) {
    a.decode(format.0, format.1, rows);
}

for_each_level! {
    /// Decodes eight rows of SrcB as operands.
    decode_b = decode_b_with, (format: PartFormat, rows: &[Row; 8], b: &mut DecodedRowsB)
}

#[inline(always)]
fn decode_b_with<V: vectors::Vector>(format: PartFormat, rows: &[Row; 8], b: &mut DecodedRowsB) {
    b.decode(format.0, format.1, rows);
}

for_each_level! {
    /// `multiply`: adds one phase of the products of the rows of `b` with the sixteen rows of `a`
    /// to four or eight rows of Dst. The operands must [fit](fits) and be decoded for the phase. On
    /// levels without fused multiply-adds, [`multiply_integers`] is faster.
    multiply = multiply_with, (
        how: (Mode, Phase),
        a: &DecodedRowsA,
        b: &DecodedRowsB,
        sums: &mut Sums,
        dst: Halves,
    )
}

#[inline(always)]
fn multiply_with<V: vectors::Vector>(
    how: (Mode, Phase),
    a: &DecodedRowsA,
    b: &DecodedRowsB,
    sums: &mut Sums,
    dst: Halves,
) {
    match how.0.accumulator() {
        Accumulator::F32 => product::multiply::<adder::F32, V>(how, a, b, sums, dst),
        Accumulator::Bf16 => product::multiply::<adder::Bf16, V>(how, a, b, sums, dst),
        Accumulator::Fp16 => product::multiply::<adder::Fp16, V>(how, a, b, sums, dst),
    }
}

for_each_level! {
    /// Does what [`multiply`] does for any operands.
    multiply_integers = multiply_integers_with,
    (how: (Mode, Phase), a: &[Row; COLUMNS], b: &[Row; 8], dst: Halves)
}

#[inline(always)]
fn multiply_integers_with<V: vectors::Vector>(
    how: (Mode, Phase),
    a: &[Row; COLUMNS],
    b: &[Row; 8],
    dst: Halves,
) {
    match how.0.accumulator() {
        Accumulator::F32 => product::multiply_integers::<adder::F32, V>(how, a, b, dst),
        Accumulator::Bf16 => product::multiply_integers::<adder::Bf16, V>(how, a, b, dst),
        Accumulator::Fp16 => product::multiply_integers::<adder::Fp16, V>(how, a, b, dst),
    }
}

/// An element-wise operation, and whether it accumulates onto Dst.
pub type Elementwise = (Mode, Operation, Phase, bool);

for_each_level! {
    /// Applies an operation to rows of `a` and `b`, and writes the results to an even number of
    /// rows of Dst or adds them.
    elementwise = elementwise_with, (how: Elementwise, a: &[Row; 8], b: &[Row; 8], dst: Halves)
}

#[inline(always)]
fn elementwise_with<V: vectors::Vector>(how: Elementwise, a: &[Row; 8], b: &[Row; 8], dst: Halves) {
    match how.0.accumulator() {
        Accumulator::F32 => sum::elementwise::<adder::F32, V>(how, a, b, dst),
        Accumulator::Bf16 => sum::elementwise::<adder::Bf16, V>(how, a, b, dst),
        Accumulator::Fp16 => sum::elementwise::<adder::Fp16, V>(how, a, b, dst),
    }
}

for_each_level! {
    /// Computes `a·b + c` in every lane as the chip does.
    mad = mad_with,
    (how: Arithmetic, a: &Lanes, b: &Lanes, c: &Lanes) -> Lanes
}

#[inline(always)]
fn mad_with<V: vectors::Vector>(how: Arithmetic, a: &Lanes, b: &Lanes, c: &Lanes) -> Lanes {
    match how {
        Arithmetic::Wormhole => mad::mad::<mad::Wormhole, V>(a, b, c),
        Arithmetic::Blackhole => mad::mad::<mad::Blackhole, V>(a, b, c),
    }
}

for_each_level! {
    /// Computes `d = a·b + c` in some lanes of registers, whose numbers are those of a, b, c and d.
    mad_registers = mad_registers_with,
    (how: Arithmetic, registers: &mut [Lanes], numbers: [usize; 4], lanes: u32)
}

#[inline(always)]
fn mad_registers_with<V: vectors::Vector>(
    how: Arithmetic,
    registers: &mut [Lanes],
    numbers: [usize; 4],
    lanes: u32,
) {
    match how {
        Arithmetic::Wormhole => {
            mad::mad_registers::<mad::Wormhole, V>(registers, numbers, lanes);
        }
        Arithmetic::Blackhole => {
            mad::mad_registers::<mad::Blackhole, V>(registers, numbers, lanes);
        }
    }
}

for_each_level! {
    /// Computes a piecewise linear function in every lane of registers; returns whether some lane
    /// uses each piece.
    linear = linear_with,
    (arithmetic: Arithmetic, how: Linear, registers: &mut [Lanes]) -> [bool; PIECES]
}

#[inline(always)]
fn linear_with<V: vectors::Vector>(
    arithmetic: Arithmetic,
    how: Linear,
    registers: &mut [Lanes],
) -> [bool; PIECES] {
    match arithmetic {
        Arithmetic::Wormhole => lut::linear::<mad::Wormhole, V>(how, registers),
        Arithmetic::Blackhole => lut::linear::<mad::Blackhole, V>(how, registers),
    }
}
