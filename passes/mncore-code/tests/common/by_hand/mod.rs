//! Bodies of small programs of which there is public hand-written code.

pub mod deep_product;
pub mod small_product;
pub mod square;

use tessera_mncore_ir::body::Body;

/// Such a program.
pub struct ByHand {
    /// What it computes.
    pub name: &'static str,
    /// Its one iteration.
    pub body: fn() -> Body,
    /// The steps of the hand-written code. How long transfers to DRAM take is in neither.
    pub steps: u32,
}

/// All of them.
pub const BY_HAND: [ByHand; 3] = [
    ByHand {
        name: "square of 16x16",
        body: square::body,
        steps: 10,
    },
    ByHand {
        name: "256x16x16",
        body: small_product::body,
        steps: 24,
    },
    ByHand {
        name: "256x1024x16",
        body: deep_product::body,
        steps: 123,
    },
];
