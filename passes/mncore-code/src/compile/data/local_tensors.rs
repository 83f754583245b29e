//! Local tensors: what the stages of a kernel hand to one another in the memories of the PEs.
//!
//! | memory | words | holds |
//! |---|---|---|
//! | LM0 | [`STAGE_OPERANDS`] | the column side of a product; tensors that later loops of a stage read again |
//! | LM0 | [`LOCAL_LM0`] | local tensors |
//! | LM1 | below [`LOCAL_LM1`] | results and flags of reductions; tensors that are the same for all rows |
//! | LM1 | [`LOCAL_LM1`] | local tensors |
//!
//! A vector of a local tensor has columns in its four cycles. If all columns fit into one cycle,
//! loops can process four vectors at a time, one in each cycle (*tall*, see
//! [`super::distribution`]): they lie in memory one after the other, so that only the stride from
//! cycle to cycle differs. A loop that computes one vector at a time then finds its column in all
//! cycles by a stride of zero, and so do tall loops if the tensor has only one column.
//!
//! A memory is either read or written in a step. A local tensor therefore lies in the other memory
//! than the one stored before it, from which it usually is computed.

use tessera_isa_mncore::memory::{Bank, Width};

use super::distribution::Distribution;
use super::geometry::{CYCLES, ROW, VECTOR_WORDS};
use super::outer_loops::{add_loops, OuterLoops};
use crate::compile::scratchpad::{LOCAL_LM0, LOCAL_LM1, STAGE_OPERANDS};
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::Place;

/// The maximum number of row tiles of a block of a product whose result is local.
pub(crate) const MAX_TILES: u32 = 32;
/// The maximum depth of a product beside local tensors, whose column side LM0 holds in any
/// precision.
pub const MAX_LOCAL_DEPTH: u32 = STAGE_OPERANDS.words / 2;
/// Row tiles of any other local tensor are a multiple of this, so that they are the depth of a
/// product in any precision.
const TILES: u32 = 4;

/// The shape of a local tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LocalShape {
    /// Its columns, along which it is reduced or multiplied.
    pub columns: u32,
    /// Whether it is computed from a product.
    pub is_product: bool,
}

impl LocalShape {
    /// Returns the vectors that it takes for each column vector of the kernel's result.
    pub(crate) fn vectors(self) -> u32 {
        let tiles = self.columns.div_ceil(ROW);
        match self.is_product {
            _ if self.columns == 1 => 1,
            true if tiles <= MAX_TILES => tiles.next_power_of_two().max(TILES),
            true => tiles.next_multiple_of(MAX_TILES),
            false => tiles.next_multiple_of(TILES),
        }
    }
}

/// The place of a local tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LocalTensor {
    bank: Bank,
    /// Its first word.
    first: u32,
    /// Whether it has one column, so that a vector of it serves for all row tiles.
    is_single: bool,
    /// Whether only the first cycle of its vectors is stored.
    is_tall: bool,
}

impl LocalTensor {
    /// Returns its places for the `width` vectors of an iteration of a loop over all vectors of a
    /// block of rows.
    pub fn places(
        self,
        body: &Body,
        (around, distribution): (&OuterLoops, &Distribution),
        width: u32,
    ) -> Vec<Place> {
        let is_tall = distribution.rows_over_cycles && !self.is_single;
        let vector = if is_tall { CYCLES } else { 1 } * VECTOR_WORDS;
        let mut steps = body.innermost_steps(width * vector);
        if !self.is_single {
            let block = distribution.vectors() * vector;
            add_loops(&mut steps, &[(around.i, block)]);
        }
        let place = |part| {
            let address = Address::affine(part * vector, &steps);
            let address = match self.is_single {
                true => address.with_ring(self.first, distribution.steps * VECTOR_WORDS),
                false => address.advanced_by(self.first),
            };
            let cycle = match (distribution.rows_over_cycles, self.is_single) {
                (true, false) => VECTOR_WORDS as _,
                (true, true) => 0,
                (false, _) if self.is_tall => 0,
                (false, _) => return Place::consecutive(self.bank, Width::Long, address),
            };
            Place {
                stride: cycle,
                ..Place::consecutive(self.bank, Width::Long, address)
            }
        };
        (0..width).map(place).collect()
    }

    /// Returns the memory.
    pub fn bank(self) -> Bank {
        self.bank
    }

    /// Returns the tensor with only the first cycle of its vectors stored.
    pub fn with_one_cycle(self) -> Self {
        LocalTensor {
            is_tall: true,
            ..self
        }
    }
}

/// Returns whether the memories hold local tensors of these shapes, in order of their computation.
pub fn holds_local_tensors(shapes: &[LocalShape]) -> bool {
    allocate(shapes, 1, Bank::Lm1).is_some()
}

/// Allocates local tensors, with `steps` column vectors each. The first one is preferably in this
/// local memory.
pub(crate) fn allocate(shapes: &[LocalShape], steps: u32, first: Bank) -> Option<Vec<LocalTensor>> {
    let mut free = [
        (Bank::Lm1, LOCAL_LM1.range()),
        (Bank::Lm0, LOCAL_LM0.range()),
    ];
    if first == Bank::Lm0 {
        free.swap(0, 1);
    }
    let place = |shape: &LocalShape| {
        let words = shape.vectors().checked_mul(steps * VECTOR_WORDS)?;
        let fits = |(_, (_, left)): &(Bank, (u32, u32))| words <= *left;
        let chosen = free.iter().position(fits)?;
        let (bank, (first, left)) = free[chosen];
        free[chosen].1 = (first + words, left - words);
        // The next one is preferably placed in the other memory.
        if chosen == 0 && shape.columns > 1 {
            free.swap(0, 1);
        }
        Some(LocalTensor {
            bank,
            first,
            is_single: shape.columns == 1,
            is_tall: false,
        })
    };
    shapes.iter().map(place).collect()
}

#[cfg(test)]
mod tests;
