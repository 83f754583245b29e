//! The manual's pseudo-code, executed as it stands: slow, and the machine the fast one is measured
//! against.
//!
//! PE by PE and cycle by cycle, from the statement itself. Addressing, masks, the rows of matrix
//! registers, the order of long words in L1BM and the address maps of L2BM and MV instructions are
//! written down here a second time, from the manual; nothing of the fast path takes part but the
//! memories and registers themselves, the messages of traps, and the tests whether a small machine
//! has what an instruction spans. Arithmetic is that of [`crate::numerics::oracle`] wherever its
//! formulas apply, else the plain formulation's; the plain one also says which open points of the
//! manual were met.
//!
//! | module | manual |
//! |---|---|
//! | [`operands`] | 3.6.1, 3.6.2: operands of PEs, masks |
//! | [`step`] | 3.6, 3.6.6: what a PE instruction does in an L1 block |
//! | [`alu`] | 3.6.12 |
//! | [`mau`] | 3.6.9 |
//! | [`matrix`] | 3.6.1.14, 3.6.10, 3.6.11: matrix registers |
//! | [`l1bm`] | 3.6.8 |
//! | [`l2bm`] | 3.6.7 |
//! | [`transfer`] | 3.5 |
//! | [`reduction`] | 3.5.5, 4.2 |
//!
//! Where the pseudo-code is silent it does what [`crate::undetermined`] says. Within a step
//! everything is read, and every address formed, before anything is written. That it is equal to
//! the fast machine is tested in `tests/programs/differential.rs`.

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

/// Two long words, the most significant one first: what passes between memories and a unit in a
/// cycle.
pub type Longs = [u64; 2];

/// What passes in a step: for each PE of a block and each cycle.
pub type Words = Vec<[Longs; CYCLES]>;

/// Four mask flags for each PE of a block and each cycle, bit 3 for the most significant word.
pub type Nibbles = Vec<[u8; CYCLES]>;
