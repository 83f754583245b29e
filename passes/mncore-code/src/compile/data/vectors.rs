//! Tensors as sequences of vectors, and their places in DRAM.
//!
//! Broadcast elements are replicated by the host. A tensor that is broadcast along all rows of the
//! result is *resident* instead of streamed: its few vectors are loaded to LM1 before the loop.
//!
//! In 16 bits a bf16 element is the upper half of its single. A packed vector in DRAM holds two
//! vectors of the result: the even one in the upper halves of words, the odd one in the lower
//! halves. Vectors are numbered along the columns first.

use tessera_isa_mncore::layout::{Layout, LayoutError, Place};
use tessera_pto::kernel::{Element, TensorType};

use super::distribution::{Distribution, CYCLES, L1BS};
use super::mixed_radix::{
    column_digits, matrix_digits, part_digits, row_digits, AxisLayout, MatrixDigits, TensorDigits,
    VectorOrder,
};
use super::streams::{TO_L1BS, TO_PAIRS, TRANSFER};
use crate::compile::gemm::split_k::sums::{reduced_words, SplitK, SumPadding};
use crate::compile::MovedExtent;
use crate::raise::BroadcastView;
use tessera_mncore_ir::address::Address;

/// Long words of a vector in an L2BM, cycle by cycle.
pub(crate) const L2BM_VECTOR: u32 = CYCLES * L2BM_CYCLE;
/// Long words of a cycle.
pub(crate) const L2BM_CYCLE: u32 = 512;
/// Long words of a cycle that the L1Bs of a pair share.
const PAIRS_CYCLE: u32 = L2BM_CYCLE / 2;
/// Long words of a cycle that all L1Bs share.
const L1BS_CYCLE: u32 = L2BM_CYCLE / L1BS;
/// Steps of the MV instructions for a cycle of a vector, to or from the two L2Bs of four groups.
pub(crate) const OWN_STEPS: u64 = 16;
/// Steps of the MV instruction for a cycle of a vector that all L2Bs receive.
pub(crate) const SAME_STEPS: u64 = 4;

/// The index of the distribution to which a tensor's rows or columns correspond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// The rows of the result; see [`Distribution`].
    I,
    /// The columns of the result.
    J,
    /// The depth of a product.
    K,
}

/// The layout of a vector over L2Bs, L1Bs and MABs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum VectorLayout {
    /// Of results: each L2B has its own rows.
    RowsOverL2bs,
    /// Of results: each L2B, and in it each L1B of a pair, has its own rows.
    RowsOverL1bPairs,
    /// Of results: each L1B of each group has its own rows, each L2B of a group its own columns.
    RowsOverL1bs,
    /// Of results, or of operands of a reduction along rows: each L2B has its own columns.
    ColumnsOverL2bs,
    /// As the previous one, with rows in cycles.
    RowsOverCycles,
    /// Of results: each L1B and each L2B of a group has its own rows, each group its own columns.
    ColumnsOverGroups,
    /// The same tensors for reductions along rows: all L1Bs of a group have all rows. What has one
    /// row is the same in all words and PEs.
    SharedColumnsOverGroups,
    /// Of results: each L2B has its own matrices.
    MatricesOverL2bs,
    /// As the previous one, of tensors that all matrices share.
    SharedByMatrices,
    /// Of a product's column side: all L2Bs have the same.
    Replicated,
    /// As the previous one, for results over L1B pairs: both L1Bs of a pair have the same.
    ReplicatedInPairs,
    /// As the previous one, for results over L1Bs: all L1Bs of an L2B, and all groups, have the
    /// same.
    ReplicatedOverL1bs,
    /// As the previous one, for results with columns over groups: all L1Bs of a group have the
    /// same.
    ReplicatedInGroups,
    /// Of the column side of a product whose results have columns over L2Bs.
    ColumnSideOverL2bs,
    /// Of the column side of a product whose L2Bs have their own matrices.
    ColumnSideOfMatrices,
    /// Of the column side of a split-K product.
    SplitK(SplitK),
    /// Of the column side of a product with the depth over the MABs of an L1B.
    KOverMabs,
    /// Of the reduced sums of a split-K product.
    ReducedSums(SplitK, SumPadding),
}

impl VectorLayout {
    /// Returns whether this is the layout of a column side, whose vectors follow one another along
    /// the depth.
    pub fn is_column_side(self) -> bool {
        matches!(
            self,
            VectorLayout::Replicated
                | VectorLayout::ReplicatedInPairs
                | VectorLayout::ReplicatedOverL1bs
                | VectorLayout::ReplicatedInGroups
                | VectorLayout::ColumnSideOverL2bs
                | VectorLayout::ColumnSideOfMatrices
                | VectorLayout::SplitK(_)
                | VectorLayout::KOverMabs
        )
    }

    /// Returns whether all groups have the same data, so that one broadcasting MV instruction loads
    /// it.
    pub fn is_same(self) -> bool {
        match self {
            VectorLayout::Replicated
            | VectorLayout::ReplicatedInPairs
            | VectorLayout::ReplicatedOverL1bs
            | VectorLayout::SharedByMatrices
            | VectorLayout::KOverMabs => true,
            VectorLayout::RowsOverL2bs
            | VectorLayout::RowsOverL1bPairs
            | VectorLayout::RowsOverL1bs => false,
            VectorLayout::ColumnsOverL2bs
            | VectorLayout::RowsOverCycles
            | VectorLayout::ColumnsOverGroups
            | VectorLayout::SharedColumnsOverGroups
            | VectorLayout::ReplicatedInGroups
            | VectorLayout::ColumnSideOverL2bs
            | VectorLayout::MatricesOverL2bs
            | VectorLayout::ColumnSideOfMatrices => false,
            VectorLayout::SplitK(split) => !split.has_l2bs(),
            VectorLayout::ReducedSums(split, _) => split.has_l2bs(),
        }
    }

    /// Returns whether one MV instruction loads both L2Bs of each group.
    pub fn is_same_in_groups(self) -> bool {
        self.is_same()
            || matches!(
                self,
                VectorLayout::ReplicatedInGroups | VectorLayout::SharedColumnsOverGroups
            )
    }

    /// Returns whether vectors are stored without their empty cycles. Those with columns over
    /// groups also have both L2Bs of a group side by side, so that results are the column side of
    /// the next product.
    fn is_compact(self) -> bool {
        matches!(
            self,
            VectorLayout::ColumnsOverGroups
                | VectorLayout::SharedColumnsOverGroups
                | VectorLayout::ReplicatedInGroups
                | VectorLayout::MatricesOverL2bs
                | VectorLayout::SharedByMatrices
                | VectorLayout::ColumnSideOfMatrices
        )
    }

    /// Returns the layout of what all matrices share.
    pub fn shared_by_matrices(self) -> Self {
        match self {
            VectorLayout::MatricesOverL2bs => VectorLayout::SharedByMatrices,
            own => own,
        }
    }

    /// Returns the long words of an L2BM per long word of a group's DRAM: data that groups share is
    /// divided among them.
    pub fn shares(self) -> u32 {
        match self {
            VectorLayout::ReplicatedOverL1bs => 2,
            _ if self.is_same() => 4,
            _ => 1,
        }
    }

    /// Returns the long words of a cycle in an L2BM.
    pub fn cycle(self) -> u32 {
        match self {
            VectorLayout::ReplicatedInPairs => PAIRS_CYCLE,
            VectorLayout::ReplicatedOverL1bs
            | VectorLayout::ReplicatedInGroups
            | VectorLayout::SharedColumnsOverGroups => L1BS_CYCLE,
            _ => L2BM_CYCLE,
        }
    }

    /// Returns the distance in long words between vectors in a group's DRAM.
    fn stored_words(self, cycles: u32) -> u64 {
        let cycles = if self.is_compact() { cycles } else { CYCLES };
        let of_l2bm = u64::from(cycles * self.cycle() / self.shares());
        match self {
            VectorLayout::ColumnsOverGroups => 2 * of_l2bm,
            _ => of_l2bm,
        }
    }

    /// Returns the transfers between L2BM and L1BM for a vector with this many cycles.
    pub fn transfers(self, cycles: u32) -> u32 {
        cycles * self.cycle() / self.transfer().0
    }

    /// Returns the long words that each of them moves: of L2BM, and of L1BM.
    pub fn transfer(self) -> (u32, u32) {
        match self {
            VectorLayout::ReplicatedInPairs => TO_PAIRS,
            VectorLayout::ReplicatedOverL1bs
            | VectorLayout::ReplicatedInGroups
            | VectorLayout::SharedColumnsOverGroups
            | VectorLayout::ColumnsOverGroups => TO_L1BS,
            _ => TRANSFER,
        }
    }
}

/// The dimensions of the loops around a body, outermost first: matrices, blocks of columns, blocks
/// of rows, chunks of the depth. Loops with one iteration have no dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct OuterLoops {
    pub matrices: Option<usize>,
    pub j: Option<usize>,
    pub i: Option<usize>,
    pub chunk: Option<usize>,
}

impl OuterLoops {
    /// Returns the loops of a distribution, with or without those of rows and chunks.
    pub fn new(distribution: &Distribution, rows: bool, chunks: bool) -> Self {
        let mut next = 0;
        let mut dimension = |is: bool, count: u32| {
            let found = (is && count > 1).then_some(next);
            next += usize::from(found.is_some());
            found
        };
        OuterLoops {
            matrices: dimension(true, distribution.matrices),
            j: dimension(true, distribution.j_blocks),
            i: dimension(rows, distribution.i_blocks),
            chunk: dimension(chunks, distribution.chunks),
        }
    }

    /// Returns the loops over blocks of the result with their trip counts, outermost first.
    pub fn blocks(&self, distribution: &Distribution) -> [(Option<usize>, u32); 3] {
        [
            (self.matrices, distribution.matrices),
            (self.j, distribution.j_blocks),
            (self.i, distribution.i_blocks),
        ]
    }

    /// Returns the trip counts of the loops that exist.
    pub fn counts(&self, distribution: &Distribution) -> Vec<u32> {
        let all = [
            (self.matrices, distribution.matrices),
            (self.j, distribution.j_blocks),
            (self.i, distribution.i_blocks),
            (self.chunk, distribution.chunks),
        ];
        all.into_iter()
            .filter(|(is, _)| is.is_some())
            .map(|(_, count)| count)
            .collect()
    }
}

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

/// The roles of a tensor's rows and columns, and the axes along which it is broadcast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TensorUse {
    pub tensor: TensorType,
    pub rows: Role,
    pub columns: Role,
    pub broadcast: BroadcastView,
}

impl TensorUse {
    /// Creates the use of a tensor whose rows and columns, after transposition, have these roles.
    pub fn new(tensor: TensorType, roles: [Role; 2], broadcast: BroadcastView) -> Self {
        let [rows, columns] = broadcast.orient(roles);
        let [own_rows, own_columns] = broadcast.orient([broadcast.rows, broadcast.columns]);
        let broadcast = BroadcastView {
            transposed: false,
            rows: own_rows,
            columns: own_columns,
            ..broadcast
        };
        TensorUse {
            tensor,
            rows,
            columns,
            broadcast,
        }
    }

    /// Returns whether the tensor is broadcast along a role.
    pub fn is_broadcast(&self, role: Role) -> bool {
        self.rows == role && self.broadcast.rows || self.columns == role && self.broadcast.columns
    }

    /// Returns the extent of the tensor along a role.
    fn extent(&self, role: Role) -> u32 {
        if self.rows == role {
            self.tensor.rows
        } else {
            self.tensor.columns
        }
    }

    /// Returns whether its matrices differ.
    pub fn has_own_matrices(&self) -> bool {
        !self.broadcast.matrices && self.tensor.matrices > 1
    }

    /// Returns the distances in DRAM of blocks along a role, of blocks of columns and of matrices.
    /// `block` is the size of a block in long words.
    fn distances(
        &self,
        distribution: &Distribution,
        (role, blocks): (Role, u32),
        block: u64,
    ) -> [u64; 3] {
        let j_block = block * reserved_blocks(self.is_broadcast(role), blocks);
        let matrix = j_block * reserved_blocks(self.is_broadcast(Role::J), distribution.j_blocks);
        [block, j_block, matrix]
    }

    /// Returns the address increments for these distances: zero where the tensor is broadcast.
    fn strides(&self, role: Role, [block, j_block, matrix]: [u64; 3]) -> [u32; 3] {
        let step = |own: bool, stride: u64| if own { stride as u32 } else { 0 };
        [
            step(!self.is_broadcast(role), block),
            step(!self.is_broadcast(Role::J), j_block),
            step(self.has_own_matrices(), matrix),
        ]
    }
}

/// Returns for how many blocks space is reserved.
fn reserved_blocks(is_broadcast: bool, blocks: u32) -> u64 {
    if is_broadcast {
        1
    } else {
        u64::from(blocks.next_power_of_two())
    }
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

/// Returns the increments of an address, multiplied by a factor.
pub(crate) fn scaled(steps: &[u32], factor: u32) -> Vec<u32> {
    steps.iter().map(|step| step * factor).collect()
}

/// Adds the address increments of outer loops in their dimensions.
pub(crate) fn add_loops(steps: &mut [u32], loops: &[(Option<usize>, u32)]) {
    for &(dimension, stride) in loops {
        if let Some(dimension) = dimension {
            steps[dimension] += stride;
        }
    }
}
