//! Tensors as sequences of vectors, and their places in DRAM.
//!
//! Broadcast elements are replicated by the host. A tensor that is broadcast along all rows of the
//! result is *resident* instead of streamed: its few vectors are loaded to LM1 before the loop.
//!
//! In 16 bits a bf16 element is the upper half of its single. A packed vector in DRAM holds two
//! vectors of the result: the even one in the upper halves of words, the odd one in the lower
//! halves. Vectors are numbered along the columns first.

use tessera_isa_mncore::layout::{Layout, LayoutError, Place};
use tessera_pto::kernel::Element;

use super::distribution::Distribution;
use super::geometry::{CYCLES, L1BS, L2BM_CYCLE};
use super::mixed_radix::{
    column_digits, matrix_digits, part_digits, row_digits, AxisLayout, MatrixDigits, TensorDigits,
    VectorOrder,
};
use super::outer_loops::{add_loops, scaled, OuterLoops};
use super::reduced_sums::reduced_words;
use super::tensor_use::{Role, TensorUse};
use super::vector_layout::{SplitK, SumPadding, VectorLayout};
use crate::compile::kernel::MovedExtent;
use tessera_mncore_ir::address::Address;

/// A tensor as a sequence of vectors in DRAM.
#[derive(Clone, Debug)]
pub(crate) struct TensorVectors {
    pub vector_layout: VectorLayout,
    /// The first long word in each group's DRAM.
    pub base: u32,
    /// Address increments in DRAM of the outer loops: matrices, blocks of `j`, blocks of `i` or
    /// chunks.
    matrix: u32,
    j_block: u32,
    major_block: u32,
    /// Long words between the two L2Bs of a group.
    side: u32,
    /// Long words of a vector in a group's DRAM.
    vector: u32,
    /// Vectors per block.
    pub count: u32,
    /// Vectors per matrix and block of columns.
    pub all: u32,
    /// Vectors of the PEs per vector in DRAM: two if packed, otherwise one.
    pub parts: u32,
    /// Cycles of a vector that hold data.
    pub cycles: u32,
    /// Whether the remaining cycles repeat the first ones.
    pub repeats_cycles: bool,
    /// Long words of a vector that are transferred.
    pub words: u32,
    /// Whether the tensor is the same for all rows and is loaded in advance.
    pub is_resident: bool,
    pub layout: Layout,
}

impl TensorVectors {
    /// Returns whether the matrix unit sees cycles that are not transferred.
    pub fn has_empty_cycles(&self) -> bool {
        self.vector_layout.is_column_side() && self.cycles < CYCLES
    }

    /// Lays out a tensor as vectors from an address on, packing bf16 if `halves` and if the number
    /// of vectors is even.
    pub fn place(
        r#use: &TensorUse,
        vector_layout: VectorLayout,
        distribution: &Distribution,
        halves: bool,
        base: u64,
    ) -> Result<TensorVectors, LayoutError> {
        if let VectorLayout::ReducedSums(split, fill) = vector_layout {
            return TensorVectors::place_reduced_sums(r#use, (split, fill), distribution, base);
        }
        // A block has `major` times `steps` vectors. Blocks are contiguous unless L2Bs have their
        // own rows. Thus blocks of rows of one product's result are chunks of the depth of the
        // next.
        let (major_role, major, blocks) = match vector_layout {
            VectorLayout::RowsOverL2bs
            | VectorLayout::RowsOverL1bPairs
            | VectorLayout::RowsOverL1bs
            | VectorLayout::ColumnsOverGroups => {
                (Role::I, distribution.tiles, distribution.i_blocks)
            }
            VectorLayout::ColumnsOverL2bs
            | VectorLayout::RowsOverCycles
            | VectorLayout::SharedColumnsOverGroups
            | VectorLayout::MatricesOverL2bs
            | VectorLayout::SharedByMatrices => {
                (Role::I, distribution.tiles * distribution.i_blocks, 1)
            }
            _ => (Role::K, distribution.k_blocks * distribution.chunks, 1),
        };
        let is_single =
            vector_layout == VectorLayout::SharedColumnsOverGroups && r#use.extent(Role::I) == 1;
        let major_spread = is_single || r#use.is_broadcast(major_role);
        let j_spread = r#use.is_broadcast(Role::J);
        let together = if vector_layout.is_column_side() {
            distribution.span
        } else {
            1
        };
        let mut time = VectorOrder {
            together,
            steps: distribution.steps,
            major: if major_spread { 1 } else { major / together },
            parts: 1,
            vector: vector_layout.stored_words(distribution.cycles),
        };
        // Vectors of a block of rows, or of a chunk of the depth.
        let mut count = match vector_layout {
            _ if major_spread => time.count(),
            _ if !vector_layout.is_column_side() => distribution.tiles * distribution.steps,
            _ => distribution.k_blocks * distribution.steps,
        };
        if halves && r#use.tensor.element == Element::Bf16 && count % 2 == 0 {
            time.parts = 2;
            count /= 2;
        }
        let all = u64::from(time.count()).next_power_of_two() * time.vector;
        let (side, block) = match vector_layout {
            VectorLayout::ColumnsOverGroups => (time.vector / 2, all),
            _ if vector_layout.is_same_in_groups() => (all, all),
            _ => (all, 2 * all),
        };
        let [_, j_block, matrix] = r#use.distances(distribution, (major_role, blocks), block);
        let [together, steps, major] = time.digits();
        let [inner, outer] = row_digits(vector_layout, time.parts, side);
        let places = part_digits(vector_layout, side);
        let spreads = TensorDigits {
            rows: AxisLayout {
                block: [inner, together, places, major, outer].concat(),
                blocks: (Place::Address, blocks, block),
                is_broadcast: major_spread,
            },
            columns: AxisLayout {
                block: [
                    column_digits(vector_layout, side, distribution.cycles),
                    steps,
                ]
                .concat(),
                blocks: (Place::Address, distribution.j_blocks, j_block),
                is_broadcast: j_spread,
            },
            matrices: MatrixDigits {
                over: matrix_digits(vector_layout, side),
                stride: matrix,
            },
            same: Vec::new(),
        };
        let layout = spreads.layout(r#use, base, time.parts)?;
        let major = match vector_layout {
            VectorLayout::RowsOverL2bs
            | VectorLayout::RowsOverL1bPairs
            | VectorLayout::RowsOverL1bs
            | VectorLayout::ColumnsOverGroups => block,
            _ => u64::from(count) * time.vector,
        };
        let [major_block, j_block, matrix] = r#use.strides(major_role, [major, j_block, matrix]);
        Ok(TensorVectors {
            vector_layout,
            base: layout.base(),
            matrix,
            j_block,
            major_block,
            side: side as u32,
            vector: time.vector as u32,
            count,
            all: time.count() * blocks,
            parts: time.parts,
            is_resident: major_spread,
            cycles: distribution.cycles,
            repeats_cycles: distribution.cycles < CYCLES,
            words: distribution.cycles * vector_layout.cycle(),
            layout,
        })
    }

    /// Lays out the reduced sums of a split-K product, one vector per block.
    fn place_reduced_sums(
        r#use: &TensorUse,
        (split, fill): (SplitK, SumPadding),
        distribution: &Distribution,
        base: u64,
    ) -> Result<TensorVectors, LayoutError> {
        let vector_layout = VectorLayout::ReducedSums(split, fill);
        let words = reduced_words(distribution, fill);
        let cycles = words.div_ceil(L2BM_CYCLE);
        let vector = u64::from(cycles.next_power_of_two() * L2BM_CYCLE);
        let side = vector / if vector_layout.is_same() { 4 } else { 1 };
        let block = if vector_layout.is_same() {
            side
        } else {
            2 * side
        };
        let [i_spread, j_spread] = [Role::I, Role::J].map(|role| r#use.is_broadcast(role));
        let distances = r#use.distances(distribution, (Role::I, distribution.i_blocks), block);
        let [_, j_block, matrix] = distances;
        let [rows, columns] = split.reduced_digits(distribution, side);
        let spreads = TensorDigits {
            rows: AxisLayout {
                block: rows,
                blocks: (Place::Address, distribution.i_blocks, block),
                is_broadcast: i_spread,
            },
            columns: AxisLayout {
                block: columns,
                blocks: (Place::Address, distribution.j_blocks, j_block),
                is_broadcast: j_spread,
            },
            matrices: MatrixDigits::of(matrix),
            same: split.repeated(distribution, words),
        };
        let layout = spreads.layout(r#use, base, 1)?;
        let [major_block, j_block, matrix] = r#use.strides(Role::I, distances);
        Ok(TensorVectors {
            vector_layout,
            base: layout.base(),
            matrix,
            j_block,
            major_block,
            side: side as u32,
            vector: side as u32,
            count: 1,
            all: if i_spread { 1 } else { distribution.i_blocks },
            parts: 1,
            is_resident: false,
            cycles,
            repeats_cycles: false,
            words,
            layout,
        })
    }

    /// Returns the DRAM address of the vector `ahead` of an iteration for a side. `walk` is the
    /// increment of the vector's number per dimension.
    pub fn dram(&self, outer: &OuterLoops, walk: &[u32], ahead: u32, side: u32) -> Address {
        let mut steps = scaled(walk, self.vector);
        let major = if self.vector_layout.is_column_side() {
            outer.chunk
        } else {
            outer.i
        };
        let loops = [
            (outer.matrices, self.matrix),
            (outer.j, self.j_block),
            (major, self.major_block),
        ];
        add_loops(&mut steps, &loops);
        let base = self.base + side * self.side + ahead * self.vector;
        Address::affine(base, &steps)
    }

    /// Returns the increments of the address in DRAM in the loops over blocks of columns and
    /// matrices.
    pub fn loops(&self, outer: &OuterLoops) -> [(Option<usize>, u32); 2] {
        [(outer.matrices, self.matrix), (outer.j, self.j_block)]
    }

    /// Returns the extent that a kernel moves, in units that readers and writers share.
    pub fn moved_extent(&self) -> MovedExtent {
        /// L1Bs of a group, each with its own rows.
        const L1BS_OF_GROUP: u32 = 2 * L1BS;
        let vectors = match self.vector_layout {
            VectorLayout::ColumnsOverGroups if !self.is_resident => self.all * L1BS_OF_GROUP,
            _ => self.all,
        };
        MovedExtent {
            vectors,
            cycles: self.cycles,
        }
    }

    /// Returns the distances of matrices, blocks of columns and blocks of rows of a result.
    pub fn block_strides(&self) -> [u32; 3] {
        [self.matrix, self.j_block, self.major_block]
    }

    /// Returns the size in a group's DRAM, in long words.
    pub fn span(&self) -> u64 {
        self.layout.padded_words()
    }

    /// Returns an address `distance` further, modulo the size of the tensor.
    pub fn advance_address(&self, mut address: Address, distance: u64) -> Address {
        address.base = ((u64::from(address.base - self.base) + distance) % self.span()) as u32;
        address.with_ring(self.base, self.span() as u32)
    }

    /// Returns one half of the vectors of a block.
    pub fn half(&self, number: u32) -> TensorVectors {
        let count = self.count / 2;
        TensorVectors {
            base: self.base + number * count * self.vector,
            count,
            ..self.clone()
        }
    }

    /// Returns the vectors of the last block of a result.
    pub fn last_block(&self, distribution: &Distribution) -> TensorVectors {
        let counts = [
            distribution.matrices,
            distribution.j_blocks,
            distribution.i_blocks,
        ];
        let strides = self.block_strides().into_iter().zip(counts);
        let before: u32 = strides.map(|(stride, count)| stride * (count - 1)).sum();
        TensorVectors {
            base: self.base + before,
            ..self.clone()
        }
    }
}
