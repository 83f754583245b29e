//! Tensors as vectors: where each lies in DRAM.
//!
//! A tensor that is the same along an index has its replicas written by the host. What is the same
//! for all rows of the result is no stream: its few vectors are brought to LM1 before.
//!
//! In 16 bits an element of bf16 is the upper half of its single; a vector in DRAM then holds two
//! of the result's, the even one in the upper halves of words and the odd one in the lower. Vectors
//! are numbered along the columns first.

use tessera_isa_mncore::layout::{Layout, LayoutError, Place};
use tessera_pto::kernel::{Element, TensorType};

use super::digits::{column_digits, part_digits, row_digits, Along, Spreads, Time};
use super::shape::{Shape, CYCLES, L1BS};
use super::split::{self, Fill, Split};
use super::streams::{TO_L1BS, TO_PAIRS, TRANSFER};
use crate::whole::Spread;
use tessera_mncore_ir::address::Address;

/// Long words of a vector in an L2BM: those of each cycle one after the other.
pub(super) const L2BM_VECTOR: u32 = CYCLES * L2BM_CYCLE;
/// Those of a cycle.
pub(super) const L2BM_CYCLE: u32 = 512;
/// Those of a cycle where the L1Bs of a pair have the same.
const PAIRS_CYCLE: u32 = L2BM_CYCLE / 2;
/// Those of a cycle where all L1Bs have the same.
const L1BS_CYCLE: u32 = L2BM_CYCLE / L1BS;
/// Steps of the MV instructions for a cycle of a vector that goes to or comes from two L2B of four
/// groups.
pub(super) const OWN_STEPS: u64 = 16;
/// Steps of the MV instruction for a cycle of a vector that all L2B get.
pub(super) const SAME_STEPS: u64 = 4;

/// Where in the machine an index of a tensor lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// Along the rows of the result: see [`Shape`].
    I,
    /// Along its columns.
    J,
    /// Along the depth of a product.
    K,
}

/// How vectors are spread over L2Bs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// As results: an L2B has its own rows.
    Own,
    /// As results: an L2B has its own rows, and of these has each L1B of a pair its own.
    OwnPairs,
    /// As results: each L1B of each group has its own rows, an L2B of a group its own columns.
    OwnL1bs,
    /// As results, or what is reduced along the rows: an L2B has its own columns.
    Wide,
    /// The same with rows in cycles.
    Tall,
    /// As the column side of a product: all L2B have the same.
    Same,
    /// The same whose results are [`Form::OwnPairs`]: both L1Bs of a pair have the same.
    SamePairs,
    /// As that whose results are [`Form::OwnL1bs`]: all L1Bs of an L2B have the same, and so have
    /// all groups.
    SameL1bs,
    /// As the column side of a product whose results are [`Form::Wide`].
    Deep,
    /// As the column side of a product whose depth is split.
    Parts(Split),
    /// The same whose depth goes over the MABs of an L1B.
    PartsInL1bs,
    /// As the results of one, behind the networks that join them.
    Joined(Split, Fill),
}

impl Form {
    /// Whether it is that of a column side: vectors follow one another along the depth.
    pub fn is_column_side(self) -> bool {
        matches!(
            self,
            Form::Same
                | Form::SamePairs
                | Form::SameL1bs
                | Form::Deep
                | Form::Parts(_)
                | Form::PartsInL1bs
        )
    }

    /// Whether all groups have the same: then it comes by one MV instruction.
    pub fn is_same(self) -> bool {
        match self {
            Form::Same | Form::SamePairs | Form::SameL1bs | Form::PartsInL1bs => true,
            Form::Own | Form::OwnPairs | Form::OwnL1bs => false,
            Form::Wide | Form::Tall | Form::Deep => false,
            Form::Parts(split) => !split.has_l2bs(),
            Form::Joined(split, _) => split.has_l2bs(),
        }
    }

    /// How many long words of an L2BM there are for one of each group's DRAM: of what all groups
    /// have the same, each has a share.
    pub fn shares(self) -> u32 {
        match self {
            Form::SameL1bs => 2,
            _ if self.is_same() => 4,
            _ => 1,
        }
    }

    /// Long words of a cycle in an L2BM.
    pub fn cycle(self) -> u32 {
        match self {
            Form::SamePairs => PAIRS_CYCLE,
            Form::SameL1bs => L1BS_CYCLE,
            _ => L2BM_CYCLE,
        }
    }

    /// Transfers between L2BM and L1BM for a vector of so many cycles.
    pub fn transfers(self, cycles: u32) -> u32 {
        cycles * self.cycle() / self.transfer().0
    }

    /// Long words that each of them moves: of L2BM, and of L1BM.
    pub fn transfer(self) -> (u32, u32) {
        match self {
            Form::SamePairs => TO_PAIRS,
            Form::SameL1bs => TO_L1BS,
            _ => TRANSFER,
        }
    }
}

/// The dimension of each loop around a body: of matrices, blocks of columns, blocks of rows and
/// chunks of the depth, in this order. What is gone through once is no loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Outer {
    pub matrices: Option<usize>,
    pub j: Option<usize>,
    pub i: Option<usize>,
    pub chunk: Option<usize>,
}

impl Outer {
    /// The loops of a shape, with or without those of rows and chunks.
    pub fn new(shape: &Shape, rows: bool, chunks: bool) -> Self {
        let mut next = 0;
        let mut dimension = |is: bool, count: u32| {
            let found = (is && count > 1).then_some(next);
            next += usize::from(found.is_some());
            found
        };
        Outer {
            matrices: dimension(true, shape.matrices),
            j: dimension(true, shape.j_blocks),
            i: dimension(rows, shape.i_blocks),
            chunk: dimension(chunks, shape.chunks),
        }
    }

    /// The loops of blocks of the result, outermost first, and how often each is gone through.
    pub fn blocks(&self, shape: &Shape) -> [(Option<usize>, u32); 3] {
        [
            (self.matrices, shape.matrices),
            (self.j, shape.j_blocks),
            (self.i, shape.i_blocks),
        ]
    }

    /// How often each is gone through.
    pub fn counts(&self, shape: &Shape) -> Vec<u32> {
        let all = [
            (self.matrices, shape.matrices),
            (self.j, shape.j_blocks),
            (self.i, shape.i_blocks),
            (self.chunk, shape.chunks),
        ];
        all.into_iter()
            .filter(|(is, _)| is.is_some())
            .map(|(_, count)| count)
            .collect()
    }
}

/// A tensor as vectors.
#[derive(Clone, Debug)]
pub(super) struct Vectors {
    pub form: Form,
    /// The first long word in each group's DRAM.
    pub base: u32,
    /// What each dimension around adds in DRAM, matrices, blocks of `j`, blocks of `i` or chunks.
    matrix: u32,
    j_block: u32,
    major_block: u32,
    /// Long words between the parts of the two L2B of a group.
    side: u32,
    /// Long words of a vector in a group's DRAM.
    vector: u32,
    /// How many vectors of a block there are.
    pub count: u32,
    /// How many of a matrix and a block of columns there are.
    pub all: u32,
    /// How many of the PEs' vectors each is: two of bf16, one of singles.
    pub parts: u32,
    /// Of how many cycles of a vector there is anything.
    pub cycles: u32,
    /// Whether the other cycles get what the first ones hold.
    pub repeats_cycles: bool,
    /// Long words of a vector that are moved.
    pub words: u32,
    /// Whether it is the same for all rows, and so is to be brought before.
    pub is_resident: bool,
    pub layout: Layout,
}

/// Which dimension of a tensor (1 rows, 2 columns) has which role, and along what it is spread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Use {
    pub tensor: TensorType,
    pub rows: Role,
    pub columns: Role,
    pub spread: Spread,
}

impl Use {
    /// That of a tensor whose rows and columns, as it is seen, have these roles.
    pub fn of(tensor: TensorType, roles: [Role; 2], spread: Spread) -> Self {
        let [rows, columns] = spread.seen(roles);
        let [own_rows, own_columns] = spread.seen([spread.rows, spread.columns]);
        let spread = Spread {
            transposed: false,
            rows: own_rows,
            columns: own_columns,
            ..spread
        };
        Use {
            tensor,
            rows,
            columns,
            spread,
        }
    }

    /// Whether it is the same along a role.
    pub fn is_spread(&self, role: Role) -> bool {
        self.rows == role && self.spread.rows || self.columns == role && self.spread.columns
    }

    /// Whether matrices differ.
    pub fn own_matrices(&self) -> bool {
        !self.spread.matrices && self.tensor.matrices > 1
    }

    /// How far blocks along a role, of which there are so many, blocks of columns and matrices are
    /// apart in DRAM, if a block has so many long words.
    fn distances(&self, shape: &Shape, (role, blocks): (Role, u32), block: u64) -> [u64; 3] {
        let j_block = block * room(self.is_spread(role), blocks);
        let matrix = j_block * room(self.is_spread(Role::J), shape.j_blocks);
        [block, j_block, matrix]
    }

    /// By how much the address goes on with each of these: not at all along what it is the same
    /// for.
    fn strides(&self, role: Role, [block, j_block, matrix]: [u64; 3]) -> [u32; 3] {
        let step = |own: bool, stride: u64| if own { stride as u32 } else { 0 };
        [
            step(!self.is_spread(role), block),
            step(!self.is_spread(Role::J), j_block),
            step(self.own_matrices(), matrix),
        ]
    }
}

/// For how many of so many blocks there is room.
fn room(is_spread: bool, blocks: u32) -> u64 {
    if is_spread {
        1
    } else {
        u64::from(blocks.next_power_of_two())
    }
}

impl Vectors {
    /// Whether the matrix unit sees cycles that are not moved.
    pub fn leaves_cycles(&self) -> bool {
        self.form.is_column_side() && self.cycles < CYCLES
    }

    /// A tensor as vectors, from a long word on; those of bf16 in 16 bits if `halves`, and if there
    /// are two.
    pub fn place(
        r#use: &Use,
        form: Form,
        shape: &Shape,
        halves: bool,
        base: u64,
    ) -> Result<Vectors, LayoutError> {
        if let Form::Joined(split, fill) = form {
            return Vectors::joined(r#use, (split, fill), shape, base);
        }
        // In time there are `major` times `steps` vectors of a block. Blocks lie one behind the
        // other, but where L2Bs have their own rows: so what one product makes in blocks of rows,
        // another takes in chunks of the depth.
        let (major_role, major, blocks) = match form {
            Form::Own | Form::OwnPairs | Form::OwnL1bs => (Role::I, shape.tiles, shape.i_blocks),
            Form::Wide | Form::Tall => (Role::I, shape.tiles * shape.i_blocks, 1),
            _ => (Role::K, shape.k_blocks * shape.chunks, 1),
        };
        let (major_spread, j_spread) = (r#use.is_spread(major_role), r#use.is_spread(Role::J));
        let together = if form.is_column_side() { shape.span } else { 1 };
        let mut time = Time {
            together,
            steps: shape.steps,
            major: if major_spread { 1 } else { major / together },
            parts: 1,
            vector: u64::from(CYCLES * form.cycle() / form.shares()),
        };
        // Of a block of rows, or a chunk of the depth.
        let mut count = match form {
            _ if major_spread => time.count(),
            _ if !form.is_column_side() => shape.tiles * shape.steps,
            _ => shape.k_blocks * shape.steps,
        };
        if halves && r#use.tensor.element == Element::Bf16 && count % 2 == 0 {
            time.parts = 2;
            count /= 2;
        }
        let side = u64::from(time.count()).next_power_of_two() * time.vector;
        let block = if form.is_same() { side } else { 2 * side };
        let [_, j_block, matrix] = r#use.distances(shape, (major_role, blocks), block);
        let [together, steps, major] = time.digits();
        let [inner, outer] = row_digits(form, time.parts, side);
        let places = part_digits(form, side);
        let spreads = Spreads {
            rows: Along {
                block: [inner, together, places, major, outer].concat(),
                blocks: (Place::Address, blocks, block),
                is_spread: major_spread,
            },
            columns: Along {
                block: [column_digits(form, side), steps].concat(),
                blocks: (Place::Address, shape.j_blocks, j_block),
                is_spread: j_spread,
            },
            same: Vec::new(),
        };
        let layout = spreads.layout(r#use, base, time.parts, matrix)?;
        let major = match form {
            Form::Own | Form::OwnPairs | Form::OwnL1bs => block,
            _ => u64::from(count) * time.vector,
        };
        let [major_block, j_block, matrix] = r#use.strides(major_role, [major, j_block, matrix]);
        Ok(Vectors {
            form,
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
            cycles: shape.cycles,
            repeats_cycles: shape.cycles < CYCLES,
            words: shape.cycles * form.cycle(),
            layout,
        })
    }

    /// What lies as the joined sums of a product, a vector for each block.
    fn joined(
        r#use: &Use,
        (split, fill): (Split, Fill),
        shape: &Shape,
        base: u64,
    ) -> Result<Vectors, LayoutError> {
        let form = Form::Joined(split, fill);
        let words = split::joined_words(shape, fill);
        let cycles = words.div_ceil(L2BM_CYCLE);
        let vector = u64::from(cycles.next_power_of_two() * L2BM_CYCLE);
        let side = vector / if form.is_same() { 4 } else { 1 };
        let block = if form.is_same() { side } else { 2 * side };
        let [i_spread, j_spread] = [Role::I, Role::J].map(|role| r#use.is_spread(role));
        let distances = r#use.distances(shape, (Role::I, shape.i_blocks), block);
        let [_, j_block, matrix] = distances;
        let [rows, columns] = split.joined_digits(shape, side);
        let spreads = Spreads {
            rows: Along {
                block: rows,
                blocks: (Place::Address, shape.i_blocks, block),
                is_spread: i_spread,
            },
            columns: Along {
                block: columns,
                blocks: (Place::Address, shape.j_blocks, j_block),
                is_spread: j_spread,
            },
            same: split.repeated(shape, words),
        };
        let layout = spreads.layout(r#use, base, 1, matrix)?;
        let [major_block, j_block, matrix] = r#use.strides(Role::I, distances);
        Ok(Vectors {
            form,
            base: layout.base(),
            matrix,
            j_block,
            major_block,
            side: side as u32,
            vector: side as u32,
            count: 1,
            all: if i_spread { 1 } else { shape.i_blocks },
            parts: 1,
            is_resident: false,
            cycles,
            repeats_cycles: false,
            words,
            layout,
        })
    }

    /// The address in DRAM of the vector of an iteration, `ahead` vectors further, for a side,
    /// inside the loops around. `walk` is by how much each dimension changes the number of the
    /// vector.
    pub fn dram(&self, outer: &Outer, walk: &[u32], ahead: u32, side: u32) -> Address {
        let mut steps = scaled(walk, self.vector);
        let major = if self.form.is_column_side() {
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
        Address::moving(base, &steps)
    }

    /// By how much matrices, blocks of columns and blocks of rows of a result are apart.
    pub fn block_strides(&self) -> [u32; 3] {
        [self.matrix, self.j_block, self.major_block]
    }

    /// Long words in a group's DRAM, from the first to the last.
    pub fn span(&self) -> u64 {
        self.layout.padded_words()
    }

    /// An address of it, so much further, around its end.
    pub fn further(&self, mut address: Address, distance: u64) -> Address {
        address.base = ((u64::from(address.base - self.base) + distance) % self.span()) as u32;
        address.around(self.base, self.span() as u32)
    }

    /// One of two halves of the vectors of a block.
    pub fn half(&self, number: u32) -> Vectors {
        let count = self.count / 2;
        Vectors {
            base: self.base + number * count * self.vector,
            count,
            ..self.clone()
        }
    }

    /// The vectors of the last block of a result.
    pub fn of_last_block(&self, shape: &Shape) -> Vectors {
        let counts = [shape.matrices, shape.j_blocks, shape.i_blocks];
        let strides = self.block_strides().into_iter().zip(counts);
        let before: u32 = strides.map(|(stride, count)| stride * (count - 1)).sum();
        Vectors {
            base: self.base + before,
            ..self.clone()
        }
    }
}

/// Steps of an address, so many times.
pub(super) fn scaled(steps: &[u32], factor: u32) -> Vec<u32> {
    steps.iter().map(|step| step * factor).collect()
}

/// Adds what loops add to an address, each in its dimension, where it is a loop.
pub(super) fn add_loops(steps: &mut [u32], loops: &[(Option<usize>, u32)]) {
    for &(dimension, stride) in loops {
        if let Some(dimension) = dimension {
            steps[dimension] += stride;
        }
    }
}
