//! Bodies of small programs for which public hand-written code exists.

pub mod deep_product;
pub mod small_product;
pub mod square;

use tessera_mncore_ir::body::Body;

/// A program with public hand-written code.
pub struct ByHand {
    /// What it computes.
    pub name: &'static str,
    /// Its body, which has one iteration.
    pub body: fn() -> Body,
    /// The steps of the hand-written code, without the duration of transfers to DRAM.
    pub steps: u32,
}

/// All programs.
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
