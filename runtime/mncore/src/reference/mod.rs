//! The reference model: the manual's pseudo-code transcribed literally. It is slow and serves as
//! the test oracle of the fast model.
//!
//! It executes PE by PE and cycle by cycle, directly from the statements. Addressing, masks, rows
//! of matrix registers, the order of long words in L1BM, and the address maps of L2BM and MV
//! instructions are implemented here a second time from the manual. The model shares with the fast
//! path only the memories and registers, the trap messages, and the checks whether a small machine
//! has the units that an instruction spans. Arithmetic uses [`crate::numerics::oracle`] wherever
//! its formulas apply, otherwise the scalar implementation. The latter also determines the
//! undetermined points.
//!
//! | module | manual |
//! |---|---|
//! | [`operands`] | 3.6.1, 3.6.2: PE operands, masks |
//! | [`step`] | 3.6, 3.6.6: execution of a PE instruction in an L1 block |
//! | [`alu`] | 3.6.12 |
//! | [`mau`] | 3.6.9 |
//! | [`matrix`] | 3.6.1.14, 3.6.10, 3.6.11: matrix registers |
//! | [`l1bm`] | 3.6.8 |
//! | [`l2bm`] | 3.6.7 |
//! | [`transfer`] | 3.5 |
//! | [`reduction`] | 3.5.5, 4.2 |
//!
//! Where the pseudo-code is silent, it follows [`crate::undetermined`]. A step reads all operands
//! and forms all addresses before it writes anything. `tests/programs/differential.rs` tests that
//! both models agree.

pub mod alu;
pub mod l1bm;
pub mod l2bm;
pub mod matrix;
pub mod mau;
pub mod operands;
pub mod reduction;
pub mod step;
pub mod transfer;

use crate::geometry::CYCLES;

/// Two long words, the most significant one first: the value on the data path in a cycle.
pub type Longs = [u64; 2];

/// The values of a step, for each PE of a block and each cycle.
pub type Words = Vec<[Longs; CYCLES]>;

/// Four mask flags for each PE of a block and each cycle, bit 3 for the most significant word.
pub type Nibbles = Vec<[u8; CYCLES]>;
