//! The row side of a product, streamed tile by tile from DRAM to the L1BMs.
//!
//! An MV instruction loads a batch of tiles to L2BM, for each side of a group or for all L2Bs if
//! these have the same rows, some batches before it is used. From there `l2bmb` broadcasts each
//! pair of tiles to all L1BMs of an L2B. Batches are numbered through all chunks of the depth. The
//! first batches of a block are fetched before the results of the previous block are stored.

use tessera_isa_mncore::layout::Place::Address as Word;
use tessera_isa_mncore::table::l2bm::L2bmKind;
use tessera_isa_mncore::table::{L2bmOp, MvMode};

use super::arithmetic::Arithmetic;
use super::loop_levels::{LoopLevels, BATCH, PAIR};
use super::row_side::{ChunkedRows, RowSide, RowStages};
use super::tile::TileForm;
use crate::compile::data::arguments::Arguments;
use crate::compile::data::distribution::{Distribution, Mapping};
use crate::compile::data::geometry::{DOWN, L2BS_OF_GROUP};
use crate::compile::data::guards::Guards;
use crate::compile::data::mixed_radix::{
    digits, distribute_over_groups, dram, l2b_digits, DigitSpec, MatrixDigits,
};
use crate::compile::data::outer_loops::{add_loops, scaled, OuterLoops};
use crate::compile::data::tensor_use::Role;
use crate::compile::error::CompileError;
use crate::compile::scratchpad::{TILES, TILE_BATCHES, TILE_TAGS};
use crate::raise::BroadcastView;
use tessera_mncore_ir::address::Address;
use tessera_mncore_ir::body::Body;
use tessera_mncore_ir::item::{Guard, Move, MoveMemory, MovePlace, Op, Test};
use tessera_mncore_ir::kernel::Stage;

/// Groups of the chip.
const GROUPS: u64 = 4;
/// The slots of batches in L2BM. Transfers are issued for all but one of them in advance.
const SLOTS: u32 = 4;
/// The same in a stage of a kernel, where results leave and other operands arrive at once.
const STAGE_SLOTS: u32 = 8;

const _: () = assert!(L2BS_OF_GROUP * STAGE_SLOTS <= TILE_TAGS.words);

/// Returns whether L2BM holds the batches of a distribution. A batch is one turn, or several if
/// these are small.
pub(crate) fn has_room(distribution: &Distribution, arithmetic: Arithmetic) -> bool {
    let turn = 2 * distribution.tile_pairs() * arithmetic.tile_words(false);
    SLOTS * turn <= TILE_BATCHES.words
}

/// The tensor of a side, and the roles of its dimensions.
pub(crate) struct Side {
    /// The argument.
    pub tensor: usize,
    /// How it is broadcast or transposed.
    pub broadcast: BroadcastView,
    /// The roles of its rows and columns, as read.
    pub roles: [Role; 2],
}

impl Side {
    /// Returns whether its matrices differ.
    fn has_own_matrices(&self, arguments: &Arguments) -> bool {
        !self.broadcast.matrices && arguments.tensor(self.tensor).matrices > 1
    }
}

/// Places a side in DRAM, given the digits of its rows, of the depth and of matrices, and the
/// elements per word. Returns its base and the long words between matrices, 0 if all share one.
pub(crate) fn place_side(
    arguments: &mut Arguments,
    of: &Side,
    [i, k]: [&[DigitSpec]; 2],
    (matrices, parts): (&MatrixDigits, u32),
) -> Result<(u32, u32), CompileError> {
    let tensor = arguments.tensor(of.tensor);
    let own = of.has_own_matrices(arguments);
    let refuse = |error| arguments.layout_error(of.tensor, error);
    let lists = of.roles.map(|role| match role {
        Role::I => i,
        Role::J | Role::K => k,
    });
    let words = matrices.words(tensor.matrices, own);
    let spec = dram(arguments.next, words, parts, lists).map_err(refuse)?;
    let mut spec = matrices.add_to(spec, tensor.matrices, own);
    let [rows, columns] = of.broadcast.orient(lists);
    for (name, extent, list) in [("r", tensor.rows, rows), ("c", tensor.columns, columns)] {
        spec = spec.with_dim(name, extent.into(), &digits(list));
    }
    let layout = spec.build().map_err(refuse)?;
    let layout = arguments.with_host_padding(layout, of.broadcast.orient(of.roles), true);
    let base = arguments.place_tiles(of.tensor, layout)?;
    Ok((base, if own { matrices.stride as u32 } else { 0 }))
}

/// The row side in DRAM.
pub(crate) struct StreamedRows {
    base: u32,
    /// Whether all L2Bs have the same. Each group's DRAM then holds a quarter, in units of 16 long
    /// words.
    is_same: bool,
    /// Offsets in long words: between the two L2Bs of a group, between blocks of rows, between
    /// matrices.
    side: u32,
    block: u32,
    matrix: u32,
    /// Long words of a pair of tiles.
    pair: u32,
    /// Slots of batches in L2BM.
    slots: u32,
}

impl StreamedRows {
    /// Places the tensor.
    pub fn place(
        arguments: &mut Arguments,
        distribution: &Distribution,
        of: &Side,
        arithmetic: Arithmetic,
    ) -> Result<StreamedRows, CompileError> {
        let depth = distribution.k_blocks * distribution.chunks;
        let tile = arithmetic.tile_words(false);
        let turn = u64::from(distribution.tiles / distribution.span * tile);
        let side = (u64::from(depth / distribution.span) * turn).next_power_of_two();
        let mut k = arithmetic.depth_digits(depth, turn);
        let mut i = arithmetic.row_digits(distribution.tiles, false);
        let is_same = match distribution.mapping {
            Mapping::ColumnsOverL2bs => true,
            Mapping::MatricesOverL2bs => !of.has_own_matrices(arguments),
            _ => false,
        };
        let mut over = Vec::new();
        let block = if is_same {
            k = distribute_over_groups(&k);
            i = distribute_over_groups(&i);
            side / GROUPS
        } else {
            match distribution.mapping {
                Mapping::MatricesOverL2bs => over = l2b_digits(side),
                _ => i.extend(l2b_digits(side)),
            }
            2 * side
        };
        i.push((Word, distribution.i_blocks, block));
        let stride = block * u64::from(distribution.i_blocks.next_power_of_two());
        let matrices = MatrixDigits { over, stride };
        let (base, matrix) = place_side(arguments, of, [&i, &k], (&matrices, 1))?;
        Ok(StreamedRows {
            base,
            is_same,
            side: side as u32,
            block: block as u32,
            matrix,
            pair: 2 * tile,
            slots: SLOTS,
        })
    }

    /// Returns the row side of a product that is a stage of a kernel, with as many batches in
    /// flight as L2BM holds.
    pub fn for_stage(self, levels: &LoopLevels) -> Self {
        let fits = STAGE_SLOTS * self.batch(levels) <= TILE_BATCHES.words;
        StreamedRows {
            slots: if fits { STAGE_SLOTS } else { SLOTS },
            ..self
        }
    }

    /// Returns the long words of a batch.
    fn batch(&self, levels: &LoopLevels) -> u32 {
        levels.count_within(PAIR, BATCH) * self.pair
    }

    /// Returns how many batches ahead transfers are issued.
    fn ahead(&self) -> u32 {
        self.slots - 1
    }

    /// Returns the sides of a group that MV instructions address in turn.
    fn sides(&self) -> &'static [u32] {
        if self.is_same {
            &[0]
        } else {
            &[0, 1]
        }
    }

    /// Returns the long words in each group's DRAM for this many of L2BM.
    fn own(&self, words: u32) -> u32 {
        if self.is_same {
            words / GROUPS as u32
        } else {
            words
        }
    }

    /// Returns the increments of the DRAM address in the loops over blocks.
    fn loops(&self, outer: &OuterLoops) -> [(Option<usize>, u32); 2] {
        [(outer.matrices, self.matrix), (outer.i, self.block)]
    }

    /// Returns the MV instruction that fetches a side of the batch `ahead`, given the address of
    /// its block.
    fn fetch(
        &self,
        levels: &LoopLevels,
        block: Address,
        walk: &[u32],
        side: u32,
        ahead: u32,
    ) -> Op {
        let words = self.batch(levels);
        let place = |memory, address, l2b| MovePlace {
            memory,
            address,
            group: None,
            l2b,
        };
        let (mode, l2b) = if self.is_same {
            (MvMode::DramBroadcast, None)
        } else {
            (MvMode::DramToL2bmEach, Some(side as u8))
        };
        let dram = block.advanced_by(self.base + side * self.side + ahead * self.own(words));
        let l2bm = Address::affine(ahead * words, &scaled(walk, words))
            .with_ring(TILE_BATCHES.start, self.slots * words);
        Op::Mv(Move {
            mode,
            rrn: None,
            words,
            tag: self.tag(walk, side, ahead),
            source: place(MoveMemory::Dram, dram, None),
            target: place(MoveMemory::L2bm, l2bm, l2b),
        })
    }

    /// Returns the stage that fetches the first batches of the first block.
    fn first(
        &self,
        levels: &LoopLevels,
        around: &OuterLoops,
        distribution: &Distribution,
    ) -> Stage {
        let counts = around.counts(distribution);
        let mut body = Body::new(&counts, &[]);
        let test = Test::Is(0);
        let guard = |dimension| Guard { dimension, test };
        let when: Guards = (0..counts.len()).map(guard).collect();
        self.fetch_first(&mut body, levels, &Address::fixed(0), &when);
        Stage::Loop("rows", body)
    }

    /// Returns the stage that fetches the first batches of a stage's first block of rows in each
    /// iteration of the loops around it, or in the first one only.
    pub fn of_stage(
        &self,
        levels: &LoopLevels,
        (around, distribution): (&OuterLoops, &Distribution),
        only_first: bool,
    ) -> Stage {
        let counts = around.counts(distribution);
        let mut body = Body::new(&counts, &[]);
        let mut steps = vec![0; body.dimensions()];
        add_loops(&mut steps, &self.loops(around));
        let test = Test::Is(0);
        let guard = |dimension| Guard { dimension, test };
        let when: Guards = (0..counts.len()).map(guard).collect();
        let when = if only_first { &when[..] } else { &[] };
        self.fetch_first(&mut body, levels, &Address::affine(0, &steps), when);
        Stage::Loop("rows", body)
    }

    /// Returns the stage in the loop over blocks of rows of a product that fetches the first
    /// batches of its own next block of rows.
    pub fn next_rows(
        &self,
        levels: &LoopLevels,
        (around, distribution): (&OuterLoops, &Distribution),
    ) -> Option<Stage> {
        let rows = around.i?;
        let mut body = Body::new(&around.counts(distribution), &[]);
        let mut steps = vec![0; body.dimensions()];
        add_loops(&mut steps, &self.loops(around));
        let next = Address::affine(steps[rows], &steps);
        let is_not_last = Guard {
            dimension: rows,
            test: Test::Below(distribution.i_blocks - 1),
        };
        self.fetch_first(&mut body, levels, &next, &[is_not_last]);
        Some(Stage::Loop("rows", body))
    }

    /// Returns the stage in the last block of rows of another product, within its loops, that
    /// fetches the first batches of the next iteration of the loops around both.
    pub fn next_iteration(
        &self,
        levels: &LoopLevels,
        (around, distribution): (&OuterLoops, &Distribution),
    ) -> Option<Stage> {
        let mut body = Body::new(&around.counts(distribution), &[]);
        let mut steps = vec![0; body.dimensions()];
        add_loops(&mut steps, &[(around.matrices, self.matrix)]);
        let advances_rows =
            |when: &Guards| when.iter().all(|guard| Some(guard.dimension) == around.i);
        for (when, address) in successors(around, distribution, &steps) {
            if !advances_rows(&when) {
                self.fetch_first(&mut body, levels, &address, &when);
            }
        }
        (!body.items.is_empty()).then_some(Stage::Loop("rows", body))
    }

    /// Returns the stage that fetches the first batches of the next block, if there is one.
    fn next(
        &self,
        levels: &LoopLevels,
        around: &OuterLoops,
        distribution: &Distribution,
    ) -> Option<Stage> {
        let fetch = |body: &mut Body, block: &Address, when: &[Guard]| {
            self.fetch_first(body, levels, block, when);
        };
        fetch_next(around, distribution, &self.loops(around), &fetch)
    }

    /// Returns the tag of the MV instruction for a side of the batch `ahead`.
    fn tag(&self, walk: &[u32], side: u32, ahead: u32) -> Address {
        let start = TILE_TAGS.start + self.slots * side;
        Address::affine(ahead, walk).with_ring(start, self.slots)
    }

    fn fetch_first(&self, body: &mut Body, levels: &LoopLevels, block: &Address, when: &[Guard]) {
        for batch in 0..levels.count(BATCH).min(self.ahead()) {
            for &side in self.sides() {
                let op = self.fetch(levels, block.clone(), &[], side, batch);
                body.push(op, Vec::new(), Vec::new()).when = when.to_vec();
            }
        }
    }
}

impl RowSide for StreamedRows {
    fn form(&self) -> TileForm {
        TileForm::Singles
    }

    /// Emits the items that fetch a batch, wait for one, and load a pair of tiles to L1BM; returns
    /// their address there.
    fn load_pair(&self, body: &mut Body, levels: &LoopLevels) -> Address {
        let walk = levels.index_in_all_chunks(BATCH);
        let later = levels.count(BATCH).saturating_sub(self.ahead());
        let later = if later > 0 {
            levels.below(BATCH, later)
        } else {
            Vec::new()
        };
        for guards in later {
            for &side in self.sides() {
                let mut steps = scaled(&walk, self.own(self.batch(levels)));
                add_loops(&mut steps, &self.loops(&levels.outer));
                let block = Address::affine(0, &steps);
                let op = self.fetch(levels, block, &walk, side, self.ahead());
                let when = [levels.begins(BATCH), guards.clone()].concat();
                body.push(op, Vec::new(), Vec::new()).when = when;
            }
        }
        for &side in self.sides() {
            let wait = Op::Wait(self.tag(&walk, side, 0));
            body.push(wait, Vec::new(), Vec::new()).when = levels.begins(BATCH);
        }
        let batch = self.batch(levels);
        let l2 = Address::affine(0, &scaled(&levels.index_in_all_chunks(PAIR), self.pair));
        load_tile_pair(
            body,
            levels,
            l2.with_ring(TILE_BATCHES.start, self.slots * batch),
            self.pair,
        )
    }
}

impl ChunkedRows for StreamedRows {
    fn stages(
        &self,
        levels: &LoopLevels,
        distribution: &Distribution,
        _: (Arithmetic, usize),
    ) -> RowStages {
        let around = OuterLoops::new(distribution, true, false);
        RowStages {
            first: None,
            before_block: Some(self.first(levels, &around, distribution)),
            of_chunk: Vec::new(),
            of_block: self.next(levels, &around, distribution),
        }
    }
}

/// Returns the successors of an iteration in the outer loops. For each loop, from the innermost
/// outwards: the guards under which it advances while those inside wrap, and the address of that
/// iteration.
fn successors(
    outer: &OuterLoops,
    distribution: &Distribution,
    steps: &[u32],
) -> Vec<(Guards, Address)> {
    let mut loops = outer.blocks(distribution).to_vec();
    loops.push((outer.chunk, distribution.chunks));
    let (mut when, mut address) = (Vec::new(), Address::affine(0, steps));
    let mut found = Vec::new();
    for (dimension, count) in loops.into_iter().rev() {
        let Some(dimension) = dimension else { continue };
        let at = |test| Guard { dimension, test };
        let on = [&when[..], &[at(Test::Below(count - 1))]].concat();
        found.push((on, address.clone().advanced_by(steps[dimension])));
        when.push(at(Test::Is(count - 1)));
        address.steps[dimension] = 0;
    }
    found
}

/// Returns the loop that fetches the first operands of the next chunk or block, if there is one.
/// `fetch` receives their address and guards.
pub(crate) fn fetch_next(
    outer: &OuterLoops,
    distribution: &Distribution,
    loops: &[(Option<usize>, u32)],
    fetch: &dyn Fn(&mut Body, &Address, &[Guard]),
) -> Option<Stage> {
    let mut body = Body::new(&outer.counts(distribution), &[]);
    let mut steps = vec![0; body.dimensions()];
    add_loops(&mut steps, loops);
    for (when, address) in successors(outer, distribution, &steps) {
        fetch(&mut body, &address, &when);
    }
    (!body.items.is_empty()).then_some(Stage::Loop("rows", body))
}

/// Emits the items that load a pair of tiles from L2BM to a ring in L1BM; returns its address
/// there.
pub(crate) fn load_tile_pair(
    body: &mut Body,
    levels: &LoopLevels,
    l2: Address,
    pair: u32,
) -> Address {
    let l1 = Address::affine(0, &scaled(&levels.index_in_chunk(PAIR), pair))
        .with_ring(TILES.start, TILES.words);
    for part in 0..levels.period * pair / DOWN {
        let down = Op::L2bm {
            op: L2bmOp::new(L2bmKind::Broadcast),
            l2: l2.clone().advanced_by(part * DOWN),
            l1: l1.clone().advanced_by(part * DOWN),
        };
        body.push(down, Vec::new(), Vec::new()).when = levels.batched(false);
    }
    l1
}
