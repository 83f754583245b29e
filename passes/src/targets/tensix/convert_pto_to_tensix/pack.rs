//! The code of T2: runs the vector program of a block, then packs the tiles of its results one
//! after the other ([`super::packers`]).
//!
//! The packers' configuration changes between tiles, so the code waits for idle packers before each
//! change.

use tessera_dialects::mlir::Value;
use tessera_isa_tensix::cfg;
use tessera_isa_tensix::table::{Semget, Sempost, Semwait, Setadc};

use super::code_builder::{CodeBuilder, Compare, SCRATCH_GPR};
use super::expr::Arith;
use super::packers::{self, HALF_GPR, OUT_GPR, PACKERS, Z_STRIDE};
use super::plan::{Block, Store, Target, TileRect};
use super::resources::{
    counter, format, header_address, semaphore, wait, L1Layout, StallCondition, DST_HALF_ROWS,
};
use super::walk::{wait_for_stage, Stage, WalkEvent, Work};
use super::{push, vector};

/// Builds the code of T2.
pub fn lower(code: &mut CodeBuilder, work: &Work) {
    let mut stage = &work.stages[0];
    let config = ResultConfig::of_stage(stage);
    packers::prologue(code, config.relu, stage.element());
    vector::prologue(code, work);
    // State: the block number, the first Dst row of its half, the offset of its result slot; for
    // each outgoing pipe, the number of pushes and the next slot; then the starts of stages.
    let starts = push::PIPE_STATE + 2 * work.pushed_pipes().count();
    code.state = vec![code.constant(0); starts + work.start_counts()];
    work.for_each_event(code, |code, event| match event {
        WalkEvent::Block(block) => lower_block(code, work, stage, block),
        WalkEvent::SlotEvent(_) => {}
        WalkEvent::StageStart(number) => {
            stage = &work.stages[number];
            wait_for_stage(code, starts);
            code.state[OFFSET] = code.constant(0);
            packers::set_element(code, stage.element());
            packers::set_relu(code, ResultConfig::of_stage(stage).relu);
        }
    });
    push::end(code, work);
}

/// Indices in the state: the block number, the first Dst row of its half, and the offset of its
/// result slot.
const NUMBER: usize = 0;
const HALF: usize = 1;
const OFFSET: usize = 2;

/// The settings of the packers for the results of a stage. Those that vary are written for each
/// result.
#[derive(Clone, Copy)]
struct ResultConfig {
    /// Whether packers replace negative values of all results by zero.
    relu: bool,
    relu_varies: bool,
    element_varies: bool,
}

impl ResultConfig {
    fn of_stage(stage: &Stage) -> Self {
        let blocks = stage.blocks();
        let stores: Vec<&Store> = blocks.iter().flat_map(|block| &block.stores).collect();
        let varies = |differ: fn(&Store, &Store) -> bool| {
            let mut pairs = stores.windows(2);
            pairs.any(|pair| differ(pair[0], pair[1]))
        };
        let relu_varies = varies(|a, b| a.relu != b.relu);
        ResultConfig {
            relu: !relu_varies && stores.first().is_some_and(|first| first.relu),
            relu_varies,
            element_varies: varies(|a, b| a.element != b.element),
        }
    }
}

/// Lowers a block without stores: only the vector unit runs.
fn lower_without_stores(code: &mut CodeBuilder, work: &Work, block: &Block) {
    let half = code.state[HALF];
    code.push(Semwait {
        stall_res: wait::BLOCK_SYNC | wait::BLOCK_SFPU,
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
        wait_sem_cond: wait::WHILE_ZERO,
    });
    vector::lower(code, block, half, work.part());
    code.stall(wait::BLOCK_SYNC, &[StallCondition::Sfpu]);
    code.push(Semget {
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
    });
    code.state[HALF] = work.next_half(code, half);
}

fn lower_block(code: &mut CodeBuilder, work: &Work, stage: &Stage, block: &Block) {
    code.set_location(block.location);
    if block.stores.is_empty() {
        return lower_without_stores(code, work, block);
    }
    let (l1, config) = (&stage.l1, ResultConfig::of_stage(stage));
    let (number, half, offset) = (code.state[NUMBER], code.state[HALF], code.state[OFFSET]);
    let next = code.arith_const(Arith::Add, number, 1);
    let drained = i64::from(l1.out_slots) - 1;
    code.wait_for_counter(
        counter::DRAINED,
        code.arith_const(Arith::Sub, number, drained),
    );
    let gpr = code.arith_const(Arith::Div, half, (DST_HALF_ROWS / 4).into());
    let gpr = code.arith_const(Arith::Add, gpr, HALF_GPR.into());
    let rows = cfg::DEST_TARGET_REG_CFG_PACK_Offset.nth(0);
    code.push_computed(code.wrcfg4(rows, 0), "gpr_address", gpr, SCRATCH_GPR);
    // T1 writes the element type before it hands over the first half.
    let configuration = if config.element_varies {
        wait::BLOCK_CONFIG
    } else {
        0
    };
    code.push(Semwait {
        stall_res: wait::BLOCK_SYNC | wait::BLOCK_PACK | wait::BLOCK_SFPU | configuration,
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
        wait_sem_cond: wait::WHILE_ZERO,
    });
    vector::lower(code, block, half, work.part());
    let units = code.arith_const(Arith::Div, offset, 16);
    for (number, store) in (0..).zip(&block.stores) {
        code.set_location(store.location);
        // The packers are idle before the first store: this core has waited for the end of the
        // previous block.
        let is_first = number == 0;
        configure_store(code, store, config, is_first);
        let first = l1.result_ring() + number * block.tiles() * l1.result_tile_bytes;
        pack(code, (work, l1), block, store, (units, first), is_first);
    }
    code.stall(wait::BLOCK_SYNC, &[StallCondition::Packers]);
    code.push(Semget {
        sem_sel: semaphore::mask(semaphore::MATH_PACK),
    });
    code.push(Sempost {
        sem_sel: semaphore::mask(semaphore::PACK_DONE),
    });
    code.acquire_semaphore(semaphore::PACK_DONE);
    for (number, store) in (0..).zip(&block.stores) {
        if let Target::Pipe(pipe) = store.to {
            code.set_location(store.location);
            let first = l1.result_ring() + number * block.tiles() * l1.result_tile_bytes;
            let l1 = code.arith_const(Arith::Add, offset, first.into());
            push::push(code, work, pipe, block, store.element, l1);
        }
    }
    code.post(counter::PACKED);
    let offset = code.advance_cyclic(
        offset,
        l1.result_slot_bytes(),
        l1.out_slots * l1.result_slot_bytes(),
    );
    let half = work.next_half(code, half);
    code.state[..push::PIPE_STATE].copy_from_slice(&[next, half, offset]);
}

/// Writes the varying settings for a result. `idle` tells that the packers are known to be idle.
fn configure_store(code: &CodeBuilder, store: &Store, config: ResultConfig, idle: bool) {
    if (config.relu_varies || config.element_varies) && !idle {
        wait_for_packers(code);
    }
    if config.relu_varies {
        packers::set_relu(code, store.relu);
    }
    if config.element_varies {
        packers::set_element(code, store.element);
        let format = cfg::ALU_FORMAT_SPEC_REG2_Dstacc;
        code.configure_field(format, format::stored(store.element));
        code.settle_config();
    }
}

/// Packs the tiles of a result: to a local tensor, or to a result slot. `first` is the L1 address
/// of the result in the first slot, and `slot` the slot's offset in units of 16 bytes. `idle` tells
/// that the packers are known to be idle.
fn pack<'a>(
    code: &mut CodeBuilder<'_, 'a>,
    (work, l1): (&Work, &L1Layout),
    block: &Block,
    store: &Store,
    (slot, first): (Value<'a>, u32),
    idle: bool,
) {
    for number in 0..block.tiles() {
        let address = match local_rect(store) {
            Some((tiles, base)) => {
                let page = code.expr(&tiles.tile_at(number, false).page);
                let units =
                    code.arith_const(Arith::Mul, page, i64::from(store.element.tile_bytes() / 16));
                let units = match work.row_half(code) {
                    None => units,
                    Some(half) => {
                        let bytes = i64::from(store.element.tile_bytes() / 2);
                        let before = code.arith_const(Arith::Mul, half, bytes / 16);
                        code.arith(Arith::Add, units, before)
                    }
                };
                code.arith_const(Arith::Add, units, header_address(base).into())
            }
            None => {
                let address = header_address(first + number * store.element.tile_bytes());
                code.arith_const(Arith::Add, slot, address.into())
            }
        };
        if l1.results_have_low_addresses() {
            code.set_half_gpr(2 * OUT_GPR, address);
        } else {
            let upper = code.arith_const(Arith::Div, address, 1 << 16);
            let flag = packers::relative_address_flag(code.arch) >> 16;
            code.set_half_gpr(2 * OUT_GPR, code.arith_const(Arith::Rem, address, 1 << 16));
            code.set_half_gpr(
                2 * OUT_GPR + 1,
                code.arith_const(Arith::Add, upper, flag.into()),
            );
        }
        if !idle || number > 0 {
            wait_for_packers(code);
        }
        code.configure_from(cfg::THCON_PACK_L1_Dest_addr.nth(0).nth(0), OUT_GPR);
        const Z: u32 = 2;
        code.push(Setadc {
            cnt_set_mask: PACKERS,
            channel_index: 0,
            dimension_index: Z,
            value: (store.dst + number) * store.element.tile_bytes() / Z_STRIDE,
        });
        let edges = edge_cases(code, work, store, number);
        for (condition, valid) in &edges {
            code.if_then(*condition, |code| packers::set_edge_masks(code, *valid));
        }
        packers::pack_tile(code, work.part());
        for (condition, _) in &edges {
            code.if_then(*condition, |code| {
                wait_for_packers(code);
                packers::set_edge_masks(code, (32, 32));
            });
        }
    }
}

/// Returns the rectangle of a local tensor that a store writes, and the tensor's L1 address.
fn local_rect(store: &Store) -> Option<(&TileRect, u32)> {
    match &store.to {
        Target::Memory(tiles) => Some((tiles, tiles.tensor.local_address()?)),
        Target::Pipe(_) => None,
    }
}

fn wait_for_packers(code: &CodeBuilder) {
    code.stall(wait::BLOCK_CONFIG, &[StallCondition::Packers]);
}

/// Returns the conditions under which tile `number` of a result lies at an edge of the tensor, each
/// with the valid rows and columns in that case.
fn edge_cases<'a>(
    code: &CodeBuilder<'_, 'a>,
    work: &Work,
    store: &Store,
    number: u32,
) -> Vec<(Value<'a>, (u32, u32))> {
    let Target::Memory(to) = &store.to else {
        return Vec::new();
    };
    let tensor = to.tensor;
    let [rows, columns] = [tensor.rows % 32, tensor.columns % 32];
    if !store.mask || (rows == 0 && columns == 0) {
        return Vec::new();
    }
    let at = to.tile_at(number, false);
    let extents = tensor.tiles();
    let is_last = |axis: usize| {
        let last = code.constant(i64::from(extents[axis]) - 1);
        code.compare(Compare::Equal, code.expr(&at.tile[axis]), last)
    };
    let not = |truth: Value<'a>| code.not(truth);
    let right = (columns > 0).then(|| is_last(1));
    let bottoms = match rows {
        0 => Vec::new(),
        _ => bottom_cases(code, work, is_last(0), rows),
    };
    let above = bottoms.iter().map(|(is_bottom, _)| not(*is_bottom));
    let above = above.reduce(|a, b| code.and(a, b));
    let mut cases = Vec::new();
    for (bottom, rows) in &bottoms {
        let inner = right.map_or(*bottom, |right| code.and(*bottom, not(right)));
        cases.push((inner, (*rows, 32)));
    }
    let corners = right.map(|right| {
        let edge = above.map_or(right, |above| code.and(above, right));
        let corners = bottoms
            .iter()
            .map(|(bottom, rows)| (code.and(*bottom, right), *rows));
        let corners = corners.map(|(corner, rows)| (corner, (rows, columns)));
        [(edge, (32, columns))].into_iter().chain(corners).collect()
    });
    cases.extend(corners.unwrap_or_else(Vec::new));
    cases
}

/// Returns the conditions under which the last rows of a tensor are in the tile, or in the half of
/// it that is packed, each with the number of valid rows there. `is_last` tells that the tile is in
/// the last row of tiles, of which `rows` rows are valid.
fn bottom_cases<'a>(
    code: &CodeBuilder<'_, 'a>,
    work: &Work,
    is_last: Value<'a>,
    rows: u32,
) -> Vec<(Value<'a>, u32)> {
    let Some(half) = work.row_half(code) else {
        return vec![(is_last, rows)];
    };
    let in_half = |number: u32| {
        let is_half = code.compare(Compare::Equal, half, code.constant(number.into()));
        let valid = rows.saturating_sub(HALF_ROWS * number).min(HALF_ROWS);
        (code.and(is_last, is_half), valid)
    };
    let halves = [0, 1].map(in_half).into_iter();
    halves.filter(|(_, valid)| *valid < HALF_ROWS).collect()
}

/// Rows of half a tile.
const HALF_ROWS: u32 = 16;
