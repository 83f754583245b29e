//! The numerics of the chip, from which error bounds are derived (manual, sections 4.2 to 4.5).
//!
//! The matrix unit multiplies block floats. Per precision, what a factor loses relative to the
//! greatest of its block, a sum relative to itself after each block, and a result:
//!
//! | precision | block | factor | sum | networks | result |
//! |---|---|---|---|---|---|
//! | half | 16 | 2^-9 for the exponent, 2^-10 for narrowing to half; both factors at once | 2^-24 | 10 | |
//! | pseudo-single | 8 | 2^-18 (1 + 2^-17) | 2^-24 | 10 | |
//! | single | 4, of 8 neighbours the even ones, then the odd ones | 2^-23 (1 + 2^-10) | 2^-24 | 10 | |
//! | double | as single | 2^-52 (1 + 2^-10) | 5 · 2^-53 | 0 | 2^-24 |
//!
//! Sums of singles may be made in parts, which networks join. A network has up to five stages, of
//! up to eight numbers each; at each of them what is shifted out beyond three bits is rounded, at
//! most 7/16 of a last bit, and their sum, half a last bit (4.2.1): less than two roundings. Sums
//! of doubles are made in order.
//!
//! In single and double precision the last bits of both factors are not multiplied with one
//! another: less than 2^-10 of what the exponent costs. The reference adds in doubles itself, hence
//! four of the five roundings. In half precision a factor below 2^-30 is zero; beyond 2^32 it is
//! not a number, and no bound holds.
//!
//! Arithmetic on elements rounds once, in f32. There is no NaN.

use tessera_isa_mncore::memory::Precision;
use tessera_isa_mncore::table::mau::block_terms;
use tessera_pto::bounds;

use crate::golden::numerics::{BlockFloatMatmul, MatmulModel, NanResult, Numerics, F32_LOSS};

/// In single and double precision, the even and the odd ones of this many neighbours form separate
/// blocks.
const NEIGHBOURS: usize = 8;

/// Two roundings for each of five stages.
const NETWORKS: f64 = 10.0;

/// Returns the arithmetic of the chip for products of this precision.
pub fn numerics(products: Precision) -> Numerics {
    Numerics {
        functions: bounds::MNCORE,
        rounding: F32_LOSS,
        narrow: None,
        products: MatmulModel::Blocks(blocks(products)),
        nan: NanResult::Undetermined,
        rounds_results: false,
    }
}

/// Returns the arithmetic of products of a precision.
fn blocks(precision: Precision) -> BlockFloatMatmul {
    let terms = block_terms(precision).into();
    let blocks = |factor: f64| BlockFloatMatmul {
        terms,
        interleaved: (terms < NEIGHBOURS).then_some(NEIGHBOURS),
        factor,
        sum: F32_LOSS,
        network_roundings: Some(NETWORKS),
        result: 0.0,
        least: 0.0,
    };
    match precision {
        Precision::Half => {
            let factor = bits(9) * (1.0 + bits(8)) * (1.0 + bits(10)) + bits(10);
            // Of 16 terms, what both factors lose at once is at most so much of what they lose one
            // by one.
            let both = 1.0 + 8.0 * factor;
            BlockFloatMatmul {
                least: bits(30),
                ..blocks(factor * both)
            }
        }
        Precision::Single => blocks(bits(23) * (1.0 + bits(10))),
        Precision::Double => BlockFloatMatmul {
            sum: 5.0 * bits(53),
            network_roundings: None,
            result: F32_LOSS,
            ..blocks(bits(52) * (1.0 + bits(10)))
        },
        _ => blocks(bits(18) * (1.0 + bits(17))),
    }
}

/// Returns `2^-count`.
const fn bits(count: u32) -> f64 {
    1.0 / (1_u64 << count) as f64
}

#[cfg(test)]
mod tests;
