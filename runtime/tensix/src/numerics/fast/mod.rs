//! The arithmetic of [`fpu`](super::fpu) and [`sfpu`](super::sfpu) for all lanes of rows and
//! vectors at once, in vector instructions.
//!
//! The steps are those of the reference, but taken in every lane: where the reference branches,
//! both sides are computed and one is chosen. What is rare (an infinity in a multiply-add) is left
//! to the reference. Nearly all are plain loops, compiled once for each [`Level`] of instructions;
//! only the sums of products name instructions (`vectors`), and make them of fused multiply-adds
//! (`fused`) where the exponents allow it, else of integers (`group`). All give the same bits as
//! the reference, which the tests check on random and on special operands at every level that the
//! processor has.

#![allow(clippy::needless_range_loop)] // A lane indexes several arrays.

mod adder;
mod fused;
mod group;
mod mad;
mod product;
mod sum;
#[cfg(test)]
mod tests;
mod vectors;

pub use fused::{fits, Columns, Lines, Part, Sums};

use super::fpu::{Accumulator, Mode, Operation, Phase, SrcStyle};
use super::sfpu::Arithmetic;
use crate::regs::{Row, COLUMNS};
use crate::sfpu;

/// High and low halves of rows of Dst, as they lie there; the low ones are not touched in 16 bits.
pub type Halves<'a> = (&'a mut [[u16; COLUMNS]], &'a mut [[u16; COLUMNS]]);

/// Vector instructions that this processor has: there is no level of others.
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
    /// The levels of this processor, the widest last.
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

    /// Whether it has instructions for fused multiply-adds.
    pub fn fuses(self) -> bool {
        self.0 != Set::Plain
    }

    /// The widest.
    pub fn best() -> Level {
        Level::all()[Level::all().len() - 1]
    }
}

/// Defines a function that runs another one, generic in the way to sum, compiled for the level that
/// is asked for.
macro_rules! at_levels {
    ($(#[$doc:meta])* $name:ident = $body:ident, ($($argument:ident: $type:ty),*) $(-> $result:ty)?) => {
        $(#[$doc])*
        #[allow(unsafe_code)]
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

/// What factors are taken of: their format and the part of their significands.
pub type Of = (SrcStyle, Part);

at_levels! {
    /// Takes sixteen rows of SrcA for products.
    take_a = take_a_with, (of: Of, rows: &[Row; COLUMNS], a: &mut Columns)
}

#[inline(always)]
fn take_a_with<V: vectors::Vector>(of: Of, rows: &[Row; COLUMNS], a: &mut Columns) {
    a.take(of.0, of.1, rows);
}

at_levels! {
    /// Takes eight rows of SrcB for products.
    take_b = take_b_with, (of: Of, rows: &[Row; 8], b: &mut Lines)
}

#[inline(always)]
fn take_b_with<V: vectors::Vector>(of: Of, rows: &[Row; 8], b: &mut Lines) {
    b.take(of.0, of.1, rows);
}

at_levels! {
    /// Adds to the first rows of Dst, eight at most, a phase of the products of the rows of `b`
    /// with the sixteen of `a`, which must [fit](fits) and be of the phase's parts. Without
    /// instructions for fused multiply-adds, integers take less time.
    multiply = multiply_with, (how: (Mode, Phase), a: &Columns, b: &Lines, sums: &mut Sums, dst: Halves)
}

#[inline(always)]
fn multiply_with<V: vectors::Vector>(
    how: (Mode, Phase),
    a: &Columns,
    b: &Lines,
    sums: &mut Sums,
    dst: Halves,
) {
    match how.0.accumulator() {
        Accumulator::F32 => product::multiply::<adder::F32, V>(how, a, b, sums, dst),
        Accumulator::Bf16 => product::multiply::<adder::Bf16, V>(how, a, b, sums, dst),
        Accumulator::Fp16 => product::multiply::<adder::Fp16, V>(how, a, b, sums, dst),
    }
}

at_levels! {
    /// As [`multiply`], of all factors.
    multiply_integers = multiply_integers_with, (how: (Mode, Phase), a: &[Row; COLUMNS], b: &[Row; 8], dst: Halves)
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

/// What is done element by element, and whether it is added to what Dst holds.
pub type Elementwise = (Mode, Operation, Phase, bool);

at_levels! {
    /// Puts into rows of Dst what an operation makes of those of `a` and `b`, or adds it to what
    /// they hold.
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

at_levels! {
    /// `a·b + c` in every lane, as a chip computes it.
    mad = mad_with, (how: Arithmetic, a: &sfpu::Lanes, b: &sfpu::Lanes, c: &sfpu::Lanes) -> sfpu::Lanes
}

#[inline(always)]
fn mad_with<V: vectors::Vector>(
    how: Arithmetic,
    a: &sfpu::Lanes,
    b: &sfpu::Lanes,
    c: &sfpu::Lanes,
) -> sfpu::Lanes {
    match how {
        Arithmetic::Wormhole => mad::mad::<mad::Wormhole>(a, b, c),
        Arithmetic::Blackhole => mad::mad::<mad::Blackhole>(a, b, c),
    }
}
