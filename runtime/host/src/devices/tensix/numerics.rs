//! The arithmetic of the chips, from which error bounds are computed.
//!
//! The matrix unit adds groups of eight terms, aligned to the greatest in 11 bits. It also computes
//! sums and products of elements that are not f32, unless the vector unit does. Factors in f32 are
//! truncated to TF32, with 11 bits of significand; the phases leave out the last bit of the right
//! factor (ISA documentation, `SrcASrcB.md`, "Fidelity phases (floating-point)"). Results of a
//! phase below the least normal number become zero. The packers convert NaN to infinity, and round
//! ties away from zero.

use tessera_isa_tensix::Arch;
use tessera_pto::bounds;

use crate::golden::numerics::{
    AlignedMatmul, Erratum, MatmulModel, Multiplier, NanResult, NarrowArithmetic, Numerics,
    UNDERFLOW,
};

/// The greatest error of a product because of underflow in three of its four fidelity phases.
const PHASES_UNDERFLOW: f64 = 3.0 * UNDERFLOW;

/// Matrix products. The limits of the root mean square are 1e-3 for f32 and 2.5e-3 for bf16.
const PRODUCTS: AlignedMatmul = AlignedMatmul {
    terms: 8,
    loss: 1.04 / 256.0,
    underflow: PHASES_UNDERFLOW + UNDERFLOW,
    multiplier: Multiplier {
        high: [7, 5],
        read: [11, 10],
    },
    rms_f32: 1e-3,
    rms_bf16: 2.5e-3,
    erratum: None,
};

/// The arithmetic of both chips.
pub const NUMERICS: Numerics = Numerics {
    functions: bounds::TENSIX,
    rounding: 1.0 / (1 << 22) as f64,
    // The smaller addend is aligned in 11 bits, of which bf16 has 8.
    narrow: Some(NarrowArithmetic {
        alignment: 1.0 / (1 << 11) as f64,
        aligned_exponents: 3,
        underflow: PHASES_UNDERFLOW,
    }),
    products: MatmulModel::Aligned(PRODUCTS),
    nan: NanResult::NotFinite,
    rounds_results: false,
};

/// An erratum of Wormhole's adder: it shifts a sum of -1 unit in the last place of the common
/// exponent in the wrong direction. The result is a negative power of two, 16 times as large as
/// that of the greatest addend. Among 2048^2 elements of a product of normally distributed factors,
/// with sums of 2048 terms, the model has three such results.
const MISCOUNT: Erratum = Erratum {
    factor: 16.0,
    elements: 1 << 16,
    cause: "the adder of wormhole_b0 may have miscounted",
    hint: "a sum that is -1 in its last place leaves the matrix unit of wormhole_b0 2^27 times as \
        large; see what blackhole or --device interpreter gives, which do not do that",
};

/// Returns the numerics of a chip.
pub const fn numerics(arch: Arch) -> Numerics {
    match arch {
        Arch::WormholeB0 => Numerics {
            products: MatmulModel::Aligned(AlignedMatmul {
                erratum: Some(&MISCOUNT),
                ..PRODUCTS
            }),
            ..NUMERICS
        },
        Arch::Blackhole => NUMERICS,
    }
}
